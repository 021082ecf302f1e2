// SPDX-License-Identifier: MIT
// Columns are made when they are asked for. One that changed is made anew; its old places stay,
// dead, until there are more dead places than live ones: then all is forgotten.
#include "footing/footing_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

#define COOKIE UINT32_C(0x0f007e55)
#define DEAD_MIN 4096u
// How far below an edge one looks for what was not seen, in heights of the body.
#define SEEN_BELOW 1.3
#define SLOPE_MAX 80.0
#define PI 3.14159265358979323846

// ---- life ----

oct_footing_def oct_footing_def_default(void)
{
    return (oct_footing_def){.up = OCT_UP_Z,
                             .walker = {.radius = 0.4,
                                        .height = 1.8,
                                        .margin = 0.05,
                                        .step = 0.3,
                                        .speed = 4.0,
                                        .tick = 1.0 / 60.0},
                             .cookie = COOKIE};
}

static bool is_limit(double value, bool may_be_zero)
{
    return isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0));
}

static bool is_walker(const oct_walker *w)
{
    return is_limit(w->radius, false) && is_limit(w->height, false) && is_limit(w->margin, true) &&
           is_limit(w->step, true) && is_limit(w->speed, false) && is_limit(w->jump, true) &&
           is_limit(w->climb, true) && is_limit(w->leap, true) && is_limit(w->gravity, true) &&
           is_limit(w->drop, true) && is_limit(w->tick, false) && is_limit(w->slope, true) &&
           w->slope <= SLOPE_MAX;
}

oct_result oct_footing_create(const oct_footing_def *def, oct_footing **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->map || oct_tree_dims(oct_map_tree(def->map)) != 3 ||
        (uint32_t)def->up > OCT_UP_Z || !is_walker(&def->walker)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_footing *const f = oct_alloc(&allocator, sizeof *f, _Alignof(oct_footing));
    if (!f) {
        return OCT_ERROR_MEMORY;
    }
    const int up = (int)def->up;
    *f = (oct_footing){.allocator = allocator,
                       .map = def->map,
                       .known = def->known,
                       .is_bounded = def->bounds != NULL,
                       .axis = {(up + 1) % 3, (up + 2) % 3, up},
                       .walker = def->walker,
                       .is_ground = def->is_ground,
                       .ctx = def->ctx,
                       .cell = oct_tree_cell_size(oct_map_tree(def->map)),
                       .extent_of = UINT64_MAX};
    const oct_point origin = oct_tree_origin(oct_map_tree(def->map));
    for (int i = 0; i < 3; i++) {
        f->origin[i] = footing_axis(origin, f->axis[i]);
    }
    if (def->bounds) {
        f->bounds = *def->bounds;
    }
    oct_sin_cos(def->walker.slope * PI / 180.0, &f->sine, &f->cosine);
    *out = f;
    return OCT_OK;
}

void oct_footing_destroy(oct_footing *f)
{
    if (!f) {
        return;
    }
    const oct_allocator own = f->allocator;
    oct_key_table_free(&f->table, &own);
    oct_array_free(&f->columns, &own, sizeof(footing_column));
    oct_array_free(&f->places, &own, sizeof(footing_place));
    oct_array_free(&f->leaps, &own, sizeof(footing_leap));
    oct_array_free(&f->slabs, &own, sizeof(footing_slab));
    oct_array_free(&f->faces, &own, sizeof(footing_face));
    oct_array_free(&f->cut, &own, sizeof(footing_point));
    oct_array_free(&f->nodes, &own, sizeof(footing_node));
    oct_array_free(&f->order, &own, sizeof(uint32_t));
    oct_array_free(&f->heap.entries, &own, sizeof(oct_heap_entry));
    oct_array_free(&f->legs, &own, sizeof(oct_footing_leg));
    oct_array_free(&f->row, &own, sizeof(uint32_t));
    oct_free(&own, f, sizeof *f);
}

const char *oct_stride_name(oct_stride stride)
{
    static const char *const names[] = {"walk", "jump", "drop"};
    return (uint32_t)stride < sizeof names / sizeof *names ? names[stride] : NULL;
}

// ---- changes ----

static void forget_all(oct_footing *f)
{
    oct_key_table_clear(&f->table);
    f->columns.count = f->places.count = f->leaps.count = 0;
    f->nodes.count = f->order.count = 0;
    f->dead = 0;
    f->flood = 0;
}

static void forget_column(oct_footing *f, footing_column *c)
{
    f->dead += c->is_made ? c->count : 0;
    c->is_made = false;
}

static lattice_key key_of(int32_t i, int32_t j)
{
    return (lattice_key){i, j, 0, 0};
}

// Columns from `first` to `last` on an axis that a change may concern.
static void range_of(const oct_footing *f, int axis, double lo, double hi, double *first,
                     double *last)
{
    const double by = f->walker.radius + f->walker.margin;
    *first = floor((lo - by - f->origin[axis]) / f->cell) - 1.0;
    *last = floor((hi + by - f->origin[axis]) / f->cell) + 1.0;
}

void oct_footing_change(oct_footing *f, oct_bounds box)
{
    const footing_point lo = footing_own(f, box.min), hi = footing_own(f, box.max);
    double i0, i1, j0, j1;
    range_of(f, 0, lo.u, hi.u, &i0, &i1);
    range_of(f, 1, lo.v, hi.v, &j0, &j1);
    f->changes++;
    if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > (double)f->columns.count) {
        for (size_t n = 0; n < f->columns.count; n++) {
            footing_column *const c = footing_column_at(f, (uint32_t)n);
            if (c->i >= i0 && c->i <= i1 && c->j >= j0 && c->j <= j1) {
                forget_column(f, c);
            }
        }
        return;
    }
    for (int32_t i = (int32_t)i0; i <= (int32_t)i1; i++) {
        for (int32_t j = (int32_t)j0; j <= (int32_t)j1; j++) {
            const key_slot *const slot = key_table_slot(&f->table, key_of(i, j));
            if (key_slot_is_used(&f->table, slot)) {
                forget_column(f, footing_column_at(f, slot->value));
            }
        }
    }
}

// Between flights of questions: numbers of places stay valid until then.
void oct_footing_tidy(oct_footing *f)
{
    if (f->dead > DEAD_MIN && f->dead > f->places.count / 2) {
        forget_all(f);
    }
}

// ---- columns ----

static oct_result add_place(oct_footing *f, uint32_t column, const footing_ground *g)
{
    footing_column *const c = footing_column_at(f, column);
    footing_place *const all = f->places.items;
    for (uint32_t i = 0; i < c->count; i++) {
        if (fabs(all[c->first + i].h - g->h) <= FOOTING_SAME) {
            return OCT_OK;
        }
    }
    const footing_place new = {.column = column,
                               .h = g->h,
                               .gu = g->gu,
                               .gv = g->gv,
                               .leaps_of = UINT64_MAX,
                               .leaps_known = UINT64_MAX};
    OCT_TRY(oct_array_push(&f->places, &f->allocator, sizeof new, &new));
    c->count++;
    return OCT_OK;
}

static oct_result make_column(oct_footing *f, uint32_t column)
{
    footing_column *const c = footing_column_at(f, column);
    OCT_TRY(oct_footing_gather(f, footing_middle(f, c, 0.0)));
    c->first = (uint32_t)f->places.count;
    c->count = 0;
    c->is_made = true;
    for (size_t i = 0; i < f->slabs.count; i++) {
        const footing_slab s = ((const footing_slab *)f->slabs.items)[i];
        const footing_ground ground = {s.top, s.gu, s.gv};
        if (s.is_under && s.is_firm && oct_footing_can_stand(f, &ground)) {
            OCT_TRY(add_place(f, column, &ground));
        }
    }
    return OCT_OK;
}

// Between which heights there is anything.
static void find_extent(oct_footing *f)
{
    const oct_tree *const tree = oct_map_tree(f->map);
    if (f->extent_of == oct_tree_revision(tree)) {
        return;
    }
    const oct_box box = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    const oct_point lo = {box.min.x, box.min.y, box.min.z}, hi = {box.max.x, box.max.y, box.max.z};
    f->lowest = f->origin[2] + (footing_own(f, lo).h + 0.5) * f->cell;
    f->highest = f->origin[2] + (footing_own(f, hi).h - 0.5) * f->cell;
    f->extent_of = oct_tree_revision(tree);
}

static bool is_within(const oct_footing *f, int32_t i, int32_t j)
{
    const oct_point lo = {f->bounds.min.x, f->bounds.min.y, f->bounds.min.z};
    const oct_point hi = {f->bounds.max.x, f->bounds.max.y, f->bounds.max.z};
    const footing_point min = footing_own(f, lo), max = footing_own(f, hi);
    return i > -OCT_RANGE && i < OCT_RANGE - 1 && j > -OCT_RANGE && j < OCT_RANGE - 1 &&
           (!f->is_bounded || (i >= min.u && i < max.u && j >= min.v && j < max.v));
}

oct_result oct_footing_column_of(oct_footing *f, int32_t i, int32_t j, uint32_t *column)
{
    *column = FOOTING_NONE;
    if (!is_within(f, i, j)) {
        return OCT_OK;
    }
    OCT_TRY(oct_key_table_reserve(&f->table, &f->allocator, 1));
    key_slot *const slot = key_table_slot(&f->table, key_of(i, j));
    if (!key_slot_is_used(&f->table, slot)) {
        const footing_column new = {.i = i, .j = j};
        OCT_TRY(oct_array_push(&f->columns, &f->allocator, sizeof new, &new));
        key_slot_fill(&f->table, slot, key_of(i, j), (uint32_t)f->columns.count - 1);
    }
    *column = slot->value;
    if (footing_column_at(f, *column)->is_made) {
        return OCT_OK;
    }
    find_extent(f);
    return make_column(f, *column);
}

// ---- places ----

bool oct_footing_place_is_known(oct_footing *f, uint32_t place)
{
    footing_place *const p = footing_place_at(f, place);
    const uint64_t seen = footing_seen(f) + 1;
    if (!p->is_known && p->unknown_at != seen) {
        p->unknown_at = seen;
        p->is_known =
            oct_footing_is_known(f, footing_stand(f, place), p->h, p->h + f->walker.height);
    }
    return p->is_known;
}

oct_result oct_footing_nearest(oct_footing *f, int32_t i, int32_t j, double h, double above,
                               double below, uint32_t *place)
{
    uint32_t column;
    *place = FOOTING_NONE;
    OCT_TRY(oct_footing_column_of(f, i, j, &column));
    if (column == FOOTING_NONE) {
        return OCT_OK;
    }
    const footing_column *const c = footing_column_at(f, column);
    double best = HUGE_VAL;
    for (uint32_t n = 0; n < c->count; n++) {
        const double by = footing_place_at(f, c->first + n)->h - h;
        if (by <= above + FOOTING_SAME && -by <= below + FOOTING_SAME && fabs(by) < best) {
            best = fabs(by);
            *place = c->first + n;
        }
    }
    return OCT_OK;
}

// Whether the planes of two places are within a step of each other, somewhere between the middles
// of their columns; (u, v) leads from the one to the other.
static bool is_joined(const oct_footing *f, const footing_place *a, const footing_place *b,
                      double u, double v)
{
    const double at_a = a->h - b->h + b->gu * u + b->gv * v;
    const double at_b = a->h - b->h + a->gu * u + a->gv * v;
    const footing_place *const lower = a->h < b->h ? a : b;
    const double step = oct_footing_step(f, lower->gu, lower->gv) + FOOTING_SAME;
    return fabs(at_a) <= step || fabs(at_b) <= step || (at_a < 0.0) != (at_b < 0.0);
}

oct_result oct_footing_joined(oct_footing *f, uint32_t from, int32_t i, int32_t j, uint32_t *place)
{
    uint32_t column;
    *place = FOOTING_NONE;
    OCT_TRY(oct_footing_column_of(f, i, j, &column));
    if (column == FOOTING_NONE) {
        return OCT_OK;
    }
    const footing_place *const p = footing_place_at(f, from);
    const footing_column *const here = footing_column_at(f, p->column);
    const footing_column *const c = footing_column_at(f, column);
    const double u = (c->i - here->i) * f->cell, v = (c->j - here->j) * f->cell;
    double best = HUGE_VAL;
    for (uint32_t n = 0; n < c->count; n++) {
        const footing_place *const q = footing_place_at(f, c->first + n);
        if (is_joined(f, p, q, u, v) && fabs(q->h - p->h) < best) {
            best = fabs(q->h - p->h);
            *place = c->first + n;
        }
    }
    return OCT_OK;
}

static oct_result walk_straight(oct_footing *f, uint32_t from, int di, int dj, uint32_t *to)
{
    const footing_place *const p = footing_place_at(f, from);
    const footing_column *const c = footing_column_at(f, p->column);
    OCT_TRY(oct_footing_joined(f, from, c->i + di, c->j + dj, to));
    if (*to != FOOTING_NONE && !oct_footing_place_is_known(f, *to)) {
        *to = FOOTING_NONE;
    }
    return OCT_OK;
}

oct_result oct_footing_walk(oct_footing *f, uint32_t from, int di, int dj, uint32_t *to)
{
    OCT_TRY(walk_straight(f, from, di, dj, to));
    if (*to == FOOTING_NONE || di == 0 || dj == 0) {
        return OCT_OK;
    }
    // Around no corner: both neighbours lead there, too.
    uint32_t beside, there = *to;
    for (int way = 0; way < 2 && *to != FOOTING_NONE; way++) {
        OCT_TRY(walk_straight(f, from, way ? di : 0, way ? 0 : dj, &beside));
        uint32_t end = FOOTING_NONE;
        if (beside != FOOTING_NONE) {
            OCT_TRY(walk_straight(f, beside, way ? 0 : di, way ? dj : 0, &end));
        }
        *to = end == there ? there : FOOTING_NONE;
    }
    return OCT_OK;
}

oct_foothold oct_footing_hold(const oct_footing *f, uint32_t place)
{
    const footing_place *const p = footing_place_at(f, place);
    const footing_column *const c = footing_column_at(f, p->column);
    int32_t own[3];
    own[f->axis[0]] = c->i;
    own[f->axis[1]] = c->j;
    own[f->axis[2]] = 0;
    return (oct_foothold){{own[0], own[1], own[2]},
                          footing_world(f, footing_stand(f, place)),
                          place,
                          !footing_is_level(p)};
}

bool oct_footing_column_index(const oct_footing *f, footing_point at, int32_t *i, int32_t *j)
{
    const double u = floor((at.u - f->origin[0]) / f->cell);
    const double v = floor((at.v - f->origin[1]) / f->cell);
    const bool is = u >= -OCT_RANGE && u < OCT_RANGE && v >= -OCT_RANGE && v < OCT_RANGE;
    *i = is ? (int32_t)u : 0;
    *j = is ? (int32_t)v : 0;
    return is;
}

// The place under or above a point, on ground that may slope; FOOTING_NONE.
static oct_result find_place(oct_footing *f, footing_point at, double above, double below,
                             uint32_t *place)
{
    int32_t i, j;
    uint32_t column;
    *place = FOOTING_NONE;
    if (!oct_footing_column_index(f, at, &i, &j)) {
        return OCT_OK;
    }
    OCT_TRY(oct_footing_column_of(f, i, j, &column));
    if (column == FOOTING_NONE) {
        return OCT_OK;
    }
    const footing_column *const c = footing_column_at(f, column);
    const footing_point middle = footing_middle(f, c, 0.0);
    double best = HUGE_VAL;
    for (uint32_t n = 0; n < c->count; n++) {
        const footing_place *const p = footing_place_at(f, c->first + n);
        const double rises = sqrt(p->gu * p->gu + p->gv * p->gv);
        const double by = p->h + p->gu * (at.u - middle.u) + p->gv * (at.v - middle.v) - at.h;
        if (by <= above + FOOTING_SAME && -by <= below + rises * f->walker.radius + FOOTING_SAME &&
            fabs(by) < best) {
            best = fabs(by);
            *place = c->first + n;
        }
    }
    return OCT_OK;
}

oct_result oct_footing_find(oct_footing *f, oct_point at, double above, double below,
                            oct_foothold *out, bool *found)
{
    uint32_t place = FOOTING_NONE;
    *found = false;
    OCT_TRY(find_place(f, footing_own(f, at), above, below, &place));
    *found = place != FOOTING_NONE && oct_footing_place_is_known(f, place);
    if (*found) {
        *out = oct_footing_hold(f, place);
    }
    return OCT_OK;
}

// ---- the edge of what is known ----

// Whether the cells of a line straight up, from one height to another, were seen.
static bool is_line_known(const oct_footing *f, footing_point at, double lo, double hi)
{
    bool is = true;
    for (double h = lo + 0.5 * f->cell; h < hi && is && f->known; h += f->cell) {
        at.h = h;
        is = oct_tree_label_at(f->known, footing_world(f, at)) != OCT_UNKNOWN;
    }
    return is;
}

// Whether there is something below an edge, right beyond it, that was not seen from above. Only as
// far down as one sees from the edge.
static bool is_dark_below(oct_footing *f, footing_point at)
{
    double ground = at.h - SEEN_BELOW * f->walker.height;
    if (oct_footing_gather(f, at) != OCT_OK) {
        return false;
    }
    for (size_t i = 0; i < f->slabs.count; i++) {
        const footing_slab *const s = (const footing_slab *)f->slabs.items + i;
        if (s->is_under && s->lo < at.h + f->walker.height) {
            ground = fmax(ground, s->top);
        }
    }
    return ground < at.h && !is_line_known(f, at, ground, at.h);
}

static bool is_dark_beside(oct_footing *f, footing_point here, int u, int v)
{
    const oct_walker *const w = &f->walker;
    const double top = here.h + w->height + fmax(w->climb, w->step);
    const double off = w->radius + w->margin + 2.0 * f->cell;
    const footing_point next = {here.u + u * f->cell, here.v + v * f->cell, here.h};
    const footing_point beyond = {here.u + u * off, here.v + v * off, here.h};
    if (!oct_footing_is_known(f, next, here.h, top) &&
        oct_footing_is_free(f, next, here.h + w->step, here.h + w->height)) {
        return true;
    }
    return w->gravity > 0.0 && oct_footing_is_free(f, beyond, here.h, here.h + w->height) &&
           is_dark_below(f, beyond);
}

bool oct_footing_is_edge_of_known(oct_footing *f, const oct_foothold *at)
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    bool is = false;
    for (int w = 0; w < 4 && !is; w++) {
        is = is_dark_beside(f, footing_own(f, at->feet), ways[w][0], ways[w][1]);
    }
    return is;
}
