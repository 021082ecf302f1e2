// SPDX-License-Identifier: MIT
// Plans: the map at the heights where bodies were most of the time or pressed something, or where
// targets and doors are, seen from above; and once from the side.
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

// ---- slices ----

// How many places there are in each step, from `first` on.
typedef struct heights {
    int64_t first;
    size_t places[STEPS_MAX];
    double sums[STEPS_MAX];
    size_t all;
} heights;

static int64_t step_of(const record_place *place, int axis)
{
    return (int64_t)floor(oct_drawing_along(place->at, axis) / STEP);
}

// Along an axis, which is up but for views from the side.
static void count_heights(const oct_play_record *record, int axis, heights *h)
{
    bool is_first = true;
    *h = (heights){.all = 0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < record->agent_count; i++) {
            const oct_array *const track = &record->agents[i].track.places;
            for (size_t j = 0; j < track->count; j++) {
                const record_place *const place = (const record_place *)track->items + j;
                const int64_t step = step_of(place, axis);
                if (round == 0) {
                    h->first = is_first || step < h->first ? step : h->first;
                    is_first = false;
                } else if (step - h->first < STEPS_MAX) {
                    h->places[step - h->first]++;
                    h->sums[step - h->first] += oct_drawing_along(place->at, axis);
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

typedef struct sketch {
    oct_play_record *record;
    const oct_map *map;
    const oct_belief *belief;
    record_plan *plan;
} sketch;

static void draw_cells(sketch *d)
{
    record_plan *const plan = d->plan;
    if (d->record->result == OCT_OK) {
        d->record->result = oct_drawing_take_cells(&plan->plane, oct_map_tree(d->map), true,
                                                   &d->record->allocator, &plan->cells);
    }
    if (d->record->result != OCT_OK) {
        plan->plane.size[0] = plan->plane.size[1] = 0;
    }
}

// ---- things ----

static bool is_device(const oct_known *known)
{
    const oct_entity_kind kind = known->now.kind;
    return kind != OCT_ENTITY_SOLID && kind != OCT_ENTITY_MOVER && kind != OCT_ENTITY_PLAYER;
}

static void draw_box(sketch *d, const oct_known *known)
{
    const drawing_plane *const p = &d->plan->plane;
    const oct_bounds box = known->now.thing.box;
    const bool has_name = is_device(known);
    const double reach = has_name ? REACH_UP : 0.0;
    if (oct_drawing_along(box.min, p->across) > p->at + reach ||
        oct_drawing_along(box.max, p->across) < p->at - reach) {
        return;
    }
    record_box out = {.kind = (uint8_t)known->now.kind,
                      .is_open = known->now.thing.label == OCT_OPEN,
                      .name = ""};
    for (int i = 0; i < 2; i++) {
        out.min[i] = fmax(oct_drawing_along(box.min, p->axis[i]), p->min[i]);
        out.max[i] = fmin(oct_drawing_along(box.max, p->axis[i]), p->min[i] + p->size[i] * p->edge);
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
static void draw_boxes(sketch *d)
{
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < oct_belief_count(d->belief); i++) {
            const oct_known *const known = oct_belief_get(d->belief, i);
            const bool is_player = known->now.kind == OCT_ENTITY_PLAYER;
            if (!known->gone && !is_player && is_device(known) == (round == 0)) {
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
static void choose_range(const sketch *d, int axis, double *lo, double *hi)
{
    const oct_play_record *const r = d->record;
    const oct_box known = oct_tree_extent(oct_map_tree(d->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    oct_vec min = known.min, max = known.max;
    const double cell = oct_tree_cell_size(oct_map_tree(d->map));
    const double origin = oct_drawing_along(oct_tree_origin(oct_map_tree(d->map)), axis);
    *lo = origin + *oct_drawing_vec_along(&min, axis) * cell;
    *hi = origin + *oct_drawing_vec_along(&max, axis) * cell;
    if (r->has_extent) {
        *lo = fmax(*lo, oct_drawing_along(r->extent.min, axis) - MARGIN);
        *hi = fmin(*hi, oct_drawing_along(r->extent.max, axis) + MARGIN);
    }
    for (size_t i = 0; i < r->agent_count; i++) {
        const oct_array *const track = &r->agents[i].track.places;
        for (size_t j = 0; j < track->count; j++) {
            const double at = oct_drawing_along(((const record_place *)track->items + j)->at, axis);
            widen(at - MARGIN, lo, hi);
            widen(at + MARGIN, lo, hi);
        }
    }
}

static int32_t cell_at(double from_origin, double cell)
{
    const double index = floor(from_origin / cell);
    return (int32_t)fmax(fmin(index, OCT_RANGE - 1), -OCT_RANGE);
}

// The plan's axes are set.
static void draw_plan(sketch *d, const storey *at)
{
    drawing_plane *const plane = &d->plan->plane;
    const oct_tree *const tree = oct_map_tree(d->map);
    const double cell = oct_tree_cell_size(tree);
    oct_box box = {{0, 0, 0}, {1, 1, 1}};
    plane->at = at->height;
    plane->from = at->from;
    plane->until = at->until;
    for (int i = 0; i < 2; i++) {
        double lo, hi;
        choose_range(d, plane->axis[i], &lo, &hi);
        const double origin = oct_drawing_along(oct_tree_origin(tree), plane->axis[i]);
        *oct_drawing_vec_along(&box.min, plane->axis[i]) = cell_at(lo - origin, cell);
        *oct_drawing_vec_along(&box.max, plane->axis[i]) = cell_at(hi - origin, cell) + 1;
    }
    oct_drawing_aim(plane, tree, box);
    draw_cells(d);
    draw_boxes(d);
}

static void add_plan(sketch *d, const int axis[2], int across, bool flipped, const storey *at)
{
    if (d->record->plan_count < RECORD_PLANS_MAX && d->record->result == OCT_OK) {
        d->plan = &d->record->plans[d->record->plan_count++];
        d->plan->plane =
            (drawing_plane){.axis = {axis[0], axis[1]}, .across = across, .flipped = flipped};
        draw_plan(d, at);
    }
}

// A plan at a height where something matters, unless one is there.
static void add_height(sketch *d, double height)
{
    oct_play_record *const r = d->record;
    for (size_t i = 0; i < r->plan_count; i++) {
        if (fabs(r->plans[i].plane.at - height) <= REACH_UP) {
            return;
        }
    }
    if (r->plan_count < RECORD_PLANS_MAX - 1) {
        const double half = STOREY * STEP / 2;
        const storey at = {.height = height, .from = height - half, .until = height + half};
        add_plan(d, r->axis, r->up, r->flipped, &at);
    }
}

// Where something was pressed; then targets, then doors.
static void add_heights(sketch *d)
{
    static const oct_entity_kind kinds[] = {OCT_ENTITY_GOAL, OCT_ENTITY_ITEM, OCT_ENTITY_DOOR};
    const oct_play_record *const r = d->record;
    for (size_t i = 0; i < r->agent_count; i++) {
        const record_mark *const marks = r->agents[i].marks.items;
        for (size_t j = 0; j < r->agents[i].marks.count; j++) {
            if (marks[j].kind == RECORD_PRESS) {
                add_height(d, oct_drawing_along(marks[j].at, r->up));
            }
        }
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (uint32_t i = 0; i < oct_belief_count(d->belief); i++) {
            const oct_known *const known = oct_belief_get(d->belief, i);
            const oct_bounds *const box = &known->now.thing.box;
            if (!known->gone && known->now.kind == kinds[k]) {
                add_height(
                    d,
                    (oct_drawing_along(box->min, r->up) + oct_drawing_along(box->max, r->up)) / 2);
            }
        }
    }
}

// From the side: the longer axis to the right, cut where they were most of the time.
static void add_side(sketch *d, heights *h)
{
    const oct_play_record *const r = d->record;
    double lo[2], hi[2];
    storey at;
    for (int i = 0; i < 2; i++) {
        choose_range(d, r->axis[i], &lo[i], &hi[i]);
    }
    const int right = hi[1] - lo[1] > hi[0] - lo[0] ? 1 : 0;
    const int axis[2] = {r->axis[right], r->up};
    count_heights(r, r->axis[1 - right], h);
    if (take_storey(h, true, &at)) {
        add_plan(d, axis, r->axis[1 - right], true, &at);
    }
}

void oct_record_draw_plans(oct_play_record *record, const oct_agent *agent)
{
    heights *const h = oct_alloc(&record->allocator, sizeof *h, _Alignof(heights));
    if (!h) {
        record->result = OCT_ERROR_MEMORY;
        return;
    }
    const oct_belief *const belief = oct_agent_belief(agent);
    sketch d = {.record = record, .map = oct_belief_map(belief), .belief = belief};
    storey at;
    count_heights(record, record->up, h);
    while (record->plan_count < RECORD_STOREYS_MAX && record->result == OCT_OK &&
           take_storey(h, record->plan_count == 0, &at)) {
        add_plan(&d, record->axis, record->up, record->flipped, &at);
    }
    if (record->plan_count > 0) {
        add_heights(&d);
        add_side(&d, h);
    }
    oct_free(&record->allocator, h, sizeof *h);
}
