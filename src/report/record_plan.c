// SPDX-License-Identifier: MIT
// Plans: the map at the heights where bodies were most of the time, seen from above.
#include "agent/belief_internal.h"
#include "octant/tree.h"
#include "report/record.h"

#include <math.h>

#define STEP 0.5      // metres of height that are counted together
#define STEPS_MAX 512 // that are looked at
#define STOREY 8      // steps that share a plan
#define LEAST_SHARE 0.1
#define MARGIN 1.5   // around what is shown, metres
#define REACH_UP 2.0 // doors, panels and targets are shown so far from the cut

// ---- heights ----

// How many places there are in each step of height, from `first` on.
typedef struct heights {
    int64_t first;
    size_t places[STEPS_MAX];
    double sums[STEPS_MAX];
    size_t all;
} heights;

static int64_t step_of(const oct_play_record *record, const record_place *place)
{
    return (int64_t)floor(oct_record_along(place->at, record->up) / STEP);
}

static void count_heights(const oct_play_record *record, heights *h)
{
    bool is_first = true;
    *h = (heights){.all = 0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < record->agent_count; i++) {
            const oct_array *const track = &record->agents[i].track.places;
            for (size_t j = 0; j < track->count; j++) {
                const record_place *const place = (const record_place *)track->items + j;
                const int64_t step = step_of(record, place);
                if (round == 0) {
                    h->first = is_first || step < h->first ? step : h->first;
                    is_first = false;
                } else if (step - h->first < STEPS_MAX) {
                    h->places[step - h->first]++;
                    h->sums[step - h->first] += oct_record_along(place->at, record->up);
                    h->all++;
                }
            }
        }
    }
}

typedef struct storey {
    double height; // mean of its places
    double from, until;
} storey;

// The storey that most places are in, which is taken out; false where few are left.
static bool take_storey(heights *h, bool is_first, storey *out)
{
    size_t best = 0, best_places = 0;
    for (size_t i = 0; i + STOREY <= STEPS_MAX; i++) {
        size_t places = 0;
        for (size_t j = i; j < i + STOREY; j++) {
            places += h->places[j];
        }
        best = places > best_places ? i : best;
        best_places = places > best_places ? places : best_places;
    }
    if (best_places == 0 || (!is_first && (double)best_places < LEAST_SHARE * (double)h->all)) {
        return false;
    }
    double sum = 0.0;
    for (size_t j = best; j < best + STOREY; j++) {
        sum += h->sums[j];
        h->places[j] = 0;
        h->sums[j] = 0.0;
    }
    out->from = (double)(h->first + (int64_t)best) * STEP;
    out->until = out->from + STOREY * STEP;
    out->height = sum / (double)best_places;
    return true;
}

// ---- cells ----

typedef struct drawing {
    oct_play_record *record;
    const oct_map *map;
    const oct_belief *belief;
    record_plan *plan;
    int32_t first[2]; // the smallest cell
    int32_t layer;
    int32_t stride; // cells that are shown as one
} drawing;

static int32_t *vec_along(oct_vec *cell, int axis)
{
    return axis == 0 ? &cell->x : axis == 1 ? &cell->y : &cell->z;
}

static oct_vec cell_of(const drawing *d, uint32_t i, uint32_t j)
{
    oct_vec cell = {0, 0, 0};
    *vec_along(&cell, d->record->axis[0]) = d->first[0] + (int32_t)i * d->stride + d->stride / 2;
    *vec_along(&cell, d->record->axis[1]) = d->first[1] + (int32_t)j * d->stride + d->stride / 2;
    *vec_along(&cell, d->record->up) = d->layer;
    return cell;
}

static bool is_frontier(const drawing *d, oct_vec cell)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int32_t step = -1; step <= 1; step += 2) {
            oct_vec next = cell;
            *vec_along(&next, axis) += step;
            if (oct_tree_label(oct_map_tree(d->map), next) == OCT_UNKNOWN) {
                return true;
            }
        }
    }
    return false;
}

static void draw_cells(drawing *d)
{
    record_plan *const plan = d->plan;
    const size_t count = (size_t)plan->size[0] * plan->size[1];
    if (d->record->result == OCT_OK) {
        d->record->result = oct_array_reserve(&plan->cells, &d->record->allocator, 1, count);
    }
    if (d->record->result != OCT_OK) {
        plan->size[0] = plan->size[1] = 0;
        return;
    }
    uint8_t *const cells = plan->cells.items;
    for (uint32_t j = 0; j < plan->size[1]; j++) {
        for (uint32_t i = 0; i < plan->size[0]; i++) {
            const oct_vec cell = cell_of(d, i, j);
            const oct_label label = oct_tree_label(oct_map_tree(d->map), cell);
            cells[plan->cells.count++] = label == OCT_UNKNOWN   ? RECORD_UNKNOWN
                                         : label == OCT_BLOCKED ? RECORD_BLOCKED
                                         : is_frontier(d, cell) ? RECORD_FRONTIER
                                                                : RECORD_OPEN;
        }
    }
}

// ---- things ----

static bool is_device(const drawing *d, const oct_known *known)
{
    const oct_entity_kind kind = known->now.kind;
    (void)d;
    return kind != OCT_ENTITY_SOLID && kind != OCT_ENTITY_MOVER && kind != OCT_ENTITY_PLAYER;
}

static void draw_box(drawing *d, const oct_known *known)
{
    const oct_play_record *const r = d->record;
    const oct_bounds box = known->now.thing.box;
    const bool has_name = is_device(d, known);
    const double reach = has_name ? REACH_UP : 0.0, h = d->plan->height;
    const record_plan *const p = d->plan;
    if (oct_record_along(box.min, r->up) > h + reach ||
        oct_record_along(box.max, r->up) < h - reach) {
        return;
    }
    record_box out = {.kind = (uint8_t)known->now.kind,
                      .is_open = known->now.thing.label == OCT_OPEN,
                      .name = ""};
    for (int i = 0; i < 2; i++) {
        out.min[i] = fmax(oct_record_along(box.min, r->axis[i]), p->min[i]);
        out.max[i] = fmin(oct_record_along(box.max, r->axis[i]), p->min[i] + p->size[i] * p->edge);
        if (out.min[i] >= out.max[i]) {
            return;
        }
    }
    if (has_name) {
        char name[96];
        (void)oct_belief_name(d->belief, known, name, sizeof name);
        out.name = oct_record_words(d->record, name);
    }
    oct_record_push(d->record, &d->plan->boxes, sizeof out, &out, RECORD_BOXES_MAX);
}

// Devices come first: they must have room.
static void draw_boxes(drawing *d)
{
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < oct_belief_count(d->belief); i++) {
            const oct_known *const known = oct_belief_get(d->belief, i);
            const bool is_player = known->now.kind == OCT_ENTITY_PLAYER;
            if (!known->gone && !is_player && is_device(d, known) == (round == 0)) {
                draw_box(d, known);
            }
        }
    }
}

// ---- the whole ----

static void widen(double at, double *lo, double *hi)
{
    *lo = fmin(*lo, at);
    *hi = fmax(*hi, at);
}

// What is shown: what is known of the world, and everywhere that somebody was.
static void choose_range(const drawing *d, int axis, double *lo, double *hi)
{
    const oct_play_record *const r = d->record;
    const oct_box known = oct_tree_extent(oct_map_tree(d->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    oct_vec min = known.min, max = known.max;
    const double cell = oct_tree_cell_size(oct_map_tree(d->map));
    const double origin = oct_record_along(oct_tree_origin(oct_map_tree(d->map)), axis);
    *lo = origin + *vec_along(&min, axis) * cell;
    *hi = origin + *vec_along(&max, axis) * cell;
    if (r->has_extent) {
        *lo = fmax(*lo, oct_record_along(r->extent.min, axis) - MARGIN);
        *hi = fmin(*hi, oct_record_along(r->extent.max, axis) + MARGIN);
    }
    for (size_t i = 0; i < r->agent_count; i++) {
        const oct_array *const track = &r->agents[i].track.places;
        for (size_t j = 0; j < track->count; j++) {
            const double at = oct_record_along(((const record_place *)track->items + j)->at, axis);
            widen(at - MARGIN, lo, hi);
            widen(at + MARGIN, lo, hi);
        }
    }
}

// The cell that holds a coordinate, or begins at it.
static int32_t cell_at(double from_origin, double cell)
{
    const double index = floor(from_origin / cell);
    return (int32_t)fmax(fmin(index, OCT_RANGE - 1), -OCT_RANGE);
}

static void draw_plan(drawing *d, const storey *at)
{
    oct_play_record *const r = d->record;
    record_plan *const plan = d->plan;
    const double cell = oct_tree_cell_size(oct_map_tree(d->map));
    const oct_point origin = oct_tree_origin(oct_map_tree(d->map));
    int32_t last[2];
    d->stride = 1;
    plan->height = at->height;
    plan->from = at->from;
    plan->until = at->until;
    d->layer = cell_at(plan->height - oct_record_along(origin, r->up), cell);
    for (int i = 0; i < 2; i++) {
        double lo, hi;
        choose_range(d, r->axis[i], &lo, &hi);
        d->first[i] = cell_at(lo - oct_record_along(origin, r->axis[i]), cell);
        last[i] = cell_at(hi - oct_record_along(origin, r->axis[i]), cell) + 1;
        const int32_t span = last[i] - d->first[i];
        const int32_t stride = (span + RECORD_PLAN_EDGE - 1) / RECORD_PLAN_EDGE;
        d->stride = stride > d->stride ? stride : d->stride;
    }
    plan->edge = cell * d->stride;
    for (int i = 0; i < 2; i++) {
        plan->size[i] = (uint32_t)((last[i] - d->first[i] + d->stride - 1) / d->stride);
        plan->min[i] = oct_record_along(origin, r->axis[i]) + d->first[i] * cell;
    }
    draw_cells(d);
    draw_boxes(d);
}

void oct_record_draw_plans(oct_play_record *record, const oct_agent *agent)
{
    heights *const h = oct_alloc(&record->allocator, sizeof *h, _Alignof(heights));
    if (!h) {
        record->result = OCT_ERROR_MEMORY;
        return;
    }
    const oct_belief *const belief = oct_agent_belief(agent);
    storey at;
    count_heights(record, h);
    while (record->plan_count < RECORD_PLANS_MAX && record->result == OCT_OK &&
           take_storey(h, record->plan_count == 0, &at)) {
        drawing d = {.record = record,
                     .map = oct_belief_map(belief),
                     .belief = belief,
                     .plan = &record->plans[record->plan_count++]};
        draw_plan(&d, &at);
    }
    oct_free(&record->allocator, h, sizeof *h);
}
