// SPDX-License-Identifier: MIT
#include "agent/walk_floors.h"
#include "agent/solid_cells.h"
#include "agent/walker.h"
#include "game/entity_pool.h"

#include "geom/geom_internal.h"
#include "octant/components.h"
#include "octree/octree_internal.h"

#include <math.h>
#include <stdlib.h>

// More cells, heights or bytes than this are not looked at.
#define CELLS_MAX ((int64_t)1 << 22)
#define HEIGHTS_MAX 4096u
#define BYTES_MAX ((uint64_t)1 << 28)
// Steps from cell to cell that are taken at most.
#define WORK_MAX ((uint64_t)1 << 23)
// Who may get to so much that was not seen may get anywhere.
#define UNSEEN_FLOORS_MAX 50000u
// A face is so far off a column that it does not reach into it, metres.
#define TOUCH 1e-6
// A body of more cells is not looked at.
#define BODY_CELLS_MAX 1000.0
// How far from its gap the leaf of a door may be got, in lengths of the longest way across.
#define LEAF_AWAY 1.0

// ---- axes ----

// The coordinate along an axis of the columns: 0 and 1 are level, 2 is up.
static double along(const walk_floors *f, oct_point p, int axis)
{
    const double all[3] = {p.x, p.y, p.z};
    return all[((int)f->limits.up + 1 + axis) % 3];
}

static int32_t cells_along(const walk_floors *f, oct_vec c, int axis)
{
    const int32_t all[3] = {c.x, c.y, c.z};
    return all[((int)f->limits.up + 1 + axis) % 3];
}

static oct_vec cell_of(const walk_floors *f, int32_t a, int32_t b, int32_t layer)
{
    int32_t all[3];
    all[((int)f->limits.up + 1) % 3] = f->least[0] + a;
    all[((int)f->limits.up + 2) % 3] = f->least[1] + b;
    all[(int)f->limits.up] = f->least[2] + layer;
    return (oct_vec){all[0], all[1], all[2]};
}

static size_t columns_of(const walk_floors *f)
{
    return (size_t)f->size[0] * (size_t)f->size[1];
}

static size_t count_of(const walk_floors *f)
{
    return columns_of(f) * (size_t)f->size[2];
}

oct_box oct_walk_floors_cells(const walk_floors *f, size_t first, int32_t count)
{
    const size_t column = first % columns_of(f);
    const int32_t a = (int32_t)(column % (size_t)f->size[0]);
    const int32_t b = (int32_t)(column / (size_t)f->size[0]);
    const int32_t layer = (int32_t)(first / columns_of(f));
    return (oct_box){cell_of(f, a, b, layer), cell_of(f, a + count, b + 1, layer + 1)};
}

// ---- cells ----

// Calls for all cells of a box that are within the bounds, row by row.
static void set_bits(walk_floors *f, oct_box box, uint8_t bits, bool set)
{
    const oct_box in = box_common(box, f->box);
    if (box_is_empty(3, &in)) {
        return;
    }
    int32_t from[3], to[3];
    for (int i = 0; i < 3; i++) {
        from[i] = cells_along(f, in.min, i) - f->least[i];
        to[i] = cells_along(f, in.max, i) - f->least[i];
    }
    for (int32_t layer = from[2]; layer < to[2]; layer++) {
        for (int32_t b = from[1]; b < to[1]; b++) {
            uint8_t *const row =
                f->cells + (size_t)layer * columns_of(f) + (size_t)b * (size_t)f->size[0];
            for (int32_t a = from[0]; a < to[0]; a++) {
                row[a] = (uint8_t)(set ? row[a] | bits : row[a] & ~bits);
            }
        }
    }
}

static bool take_closed(void *ctx, const oct_leaf *leaf)
{
    set_bits(ctx, oct_leaf_box(*leaf), WALK_FREE, false);
    return true;
}

// ---- what is looked at ----

// The space that a body in flight gets to with all doors open.
typedef struct flown {
    oct_components *parts;
    const oct_history *history;
    uint32_t *starts;
    oct_box box;
    bool is_any;
} flown;

static int32_t lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t upper(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static bool add_flown(void *ctx, const oct_leaf *leaf)
{
    flown *const x = ctx;
    const oct_box b = oct_leaf_box(*leaf), all = x->is_any ? x->box : b;
    const uint32_t part = oct_components_at(x->parts, b.min);
    bool is = false;
    for (size_t i = 0; i < x->history->starts.count && !is; i++) {
        is = part != 0 && part == x->starts[i];
    }
    if (is) {
        x->is_any = true;
        x->box = (oct_box){
            {lower(all.min.x, b.min.x), lower(all.min.y, b.min.y), lower(all.min.z, b.min.z)},
            {upper(all.max.x, b.max.x), upper(all.max.y, b.max.y), upper(all.max.z, b.max.z)}};
    }
    return true;
}

static oct_result find_parts(flown *x, const config_space *s)
{
    oct_components_def def = oct_components_def_default();
    def.tree = s->closed;
    def.unknown = OCT_UNKNOWN_OPEN;
    def.allocator = &s->allocator;
    OCT_TRY(oct_components_create(&def, &x->parts));
    const oct_point *const starts = s->history->starts.items;
    for (size_t i = 0; i < s->history->starts.count; i++) {
        oct_vec c;
        x->starts[i] =
            oct_tree_cell_at(s->closed, starts[i], &c) ? oct_components_at(x->parts, c) : 0;
    }
    (void)oct_tree_leaves(s->closed, s->bounds, OCT_HAS_UNKNOWN, add_flown, x);
    return x->is_any ? OCT_OK : OCT_ERROR_RANGE;
}

// The box around that space, and what a body in it may stand on.
static oct_result find_box(walk_floors *f)
{
    const config_space *const s = f->space;
    const size_t bytes = (s->history->starts.count + 1) * sizeof(uint32_t);
    flown x = {.history = s->history};
    x.starts = oct_alloc(&f->allocator, bytes, _Alignof(uint32_t));
    if (!x.starts) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = find_parts(&x, s);
    oct_components_destroy(x.parts);
    oct_free(&f->allocator, x.starts, bytes);
    const double away = fmax(f->limits.beside, f->limits.high) + f->limits.round + WALK_SKIN;
    const double cells = away / oct_tree_cell_size(s->shut);
    if (!(cells <= BODY_CELLS_MAX)) {
        return OCT_ERROR_RANGE;
    }
    const int32_t more = (int32_t)ceil(cells) + 1;
    f->box = (oct_box){{x.box.min.x - more, x.box.min.y - more, x.box.min.z - more},
                       {x.box.max.x + more, x.box.max.y + more, x.box.max.z + more}};
    return result;
}

// ---- floors ----

static oct_result add_height(walk_floors *f, double height)
{
    return oct_array_push(&f->heights, &f->allocator, sizeof height, &height);
}

static oct_result add_wild(walk_floors *f, oct_bounds box)
{
    oct_box cells;
    const config_space *const s = f->space;
    OCT_TRY(oct_cells_of_bounds(3, oct_tree_origin(s->shut), oct_tree_cell_size(s->shut), &box,
                                OCT_COVER_TOUCH, &cells));
    set_bits(f, cells, WALK_WILD, true);
    return OCT_OK;
}

static double longest(const oct_bounds *b)
{
    return point_length(point_sub(b->max, b->min));
}

// A leaf may be anywhere near its gap, and what is told of a door may be any pose of it.
static oct_result add_door(walk_floors *f, const oct_entity *e)
{
    const oct_bounds all = e->has_gap ? bounds_join(e->thing.box, e->gap) : e->thing.box;
    const double by = e->has_gap ? LEAF_AWAY * fmax(longest(&e->thing.box), longest(&e->gap)) : 0.0;
    return add_wild(f, (oct_bounds){{all.min.x - by, all.min.y - by, all.min.z - by},
                                    {all.max.x + by, all.max.y + by, all.max.z + by}});
}

// The upper side of a box.
static oct_result add_top(walk_floors *f, const oct_bounds *box)
{
    walk_floor new = {.height = 0};
    const double top = along(f, box->max, 2);
    for (int i = 0; i < 2; i++) {
        const double lo = (along(f, box->min, i) - TOUCH - f->origin[i]) / f->cell - f->least[i];
        const double hi = (along(f, box->max, i) + TOUCH - f->origin[i]) / f->cell - f->least[i];
        new.from[i] = (int32_t)floor(fmax(lo, 0.0));
        new.to[i] = (int32_t)floor(fmin(hi, f->size[i] - 1.0)) + 1;
        if (lo >= f->size[i] || hi < 0.0) {
            return OCT_OK;
        }
    }
    new.height = (uint32_t)f->heights.count;
    OCT_TRY(add_height(f, top));
    return oct_array_push(&f->floors, &f->allocator, sizeof new, &new);
}

// OCT_ERROR_RANGE for what may carry a body, or be anywhere.
static oct_result add_entity(walk_floors *f, const oct_entity *e, bool is_mobile, bool carries)
{
    const bool is_solid = e->thing.label != OCT_OPEN;
    const bool goes = e->kind == OCT_ENTITY_PLAYER ||
                      (is_solid && (e->kind == OCT_ENTITY_MOVER || e->kind == OCT_ENTITY_ACTOR ||
                                    e->kind == OCT_ENTITY_ITEM || is_mobile));
    if (e->kind == OCT_ENTITY_DOOR) {
        return carries && !e->has_gap ? OCT_ERROR_RANGE : add_door(f, e);
    }
    if (goes || carries) {
        return OCT_ERROR_RANGE;
    }
    if (!is_solid) {
        return OCT_OK;
    }
    return oct_entity_is_upright(e) ? add_top(f, &e->thing.box) : add_wild(f, e->thing.box);
}

// Whether something that was not seen was told in one place only.
static bool was_always_there(const oct_history *h, const oct_entity *e)
{
    const oct_entity *const told = h->log.things.items;
    const uint32_t *const latest = h->log.latest.items;
    for (size_t i = 0; i < h->log.latest.count; i++) {
        const oct_entity *const last = &told[latest[i]];
        if (last->thing.id == e->thing.id) {
            return is_same_bounds(&last->thing.box, &e->thing.box) &&
                   last->thing.label == e->thing.label && last->kind == e->kind &&
                   point_length(e->velocity) == 0.0;
        }
    }
    return false;
}

// What was told and not seen is floor as well: nobody is to be told where it is not.
static oct_result add_things(walk_floors *f)
{
    const oct_history *const h = f->space->history;
    const history_thing *const all = h->things.items;
    const oct_entity *const told = h->log.things.items;
    for (size_t i = 0; i < h->things.count; i++) {
        OCT_TRY(add_entity(f, &all[i].told, all[i].is_mobile, all[i].carries));
    }
    for (size_t i = 0; i < h->log.things.count; i++) {
        const bool is_door = told[i].kind == OCT_ENTITY_DOOR;
        if (is_door || !oct_history_find(h, told[i].thing.id)) {
            const bool moves = !is_door && !was_always_there(h, &told[i]);
            OCT_TRY(add_entity(f, &told[i], moves, moves && told[i].thing.opaque));
        }
    }
    return OCT_OK;
}

// What was not seen may be floor. What fills the middle of a cell was told where that was in range.
static oct_result add_unseen(walk_floors *f)
{
    const config_space *const s = f->space;
    const size_t count = count_of(f);
    oct_tree *filled;
    size_t last = 0;
    OCT_TRY(oct_config_space_filled(s, &filled));
    for (size_t i = 0; i < count; i++) {
        const oct_vec c = oct_walk_floors_cells(f, i, 1).min;
        const bool may_be = (f->cells[i] & WALK_WILD) == 0 &&
                            oct_tree_label(s->solid, c) != OCT_BLOCKED &&
                            !oct_history_has_seen(s->history, s->shut, c);
        if (may_be && !(oct_tree_label(filled, c) == OCT_BLOCKED &&
                        oct_config_space_was_in_range(s, c, &last))) {
            f->cells[i] = (uint8_t)(f->cells[i] | WALK_WILD | WALK_UNSEEN);
        }
    }
    oct_tree_destroy(filled);
    return OCT_OK;
}

static int compare_heights(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The index of a height, which is there.
static uint32_t find_height(const walk_floors *f, double height)
{
    uint32_t lo = 0, hi = f->height_count;
    while (hi - lo > 1) {
        const uint32_t middle = (lo + hi) / 2;
        if (f->planes[middle].height <= height) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static oct_result make_planes(walk_floors *f)
{
    double *const all = f->heights.items;
    const size_t given = f->heights.count;
    double *const sorted = oct_alloc(&f->allocator, (given + 1) * sizeof *sorted, _Alignof(double));
    if (!sorted) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(sorted, all, given * sizeof *sorted);
    qsort(sorted, given, sizeof *sorted, compare_heights);
    size_t count = 0;
    for (size_t i = 0; i < given; i++) {
        if (count == 0 || sorted[count - 1] != sorted[i]) {
            sorted[count++] = sorted[i];
        }
    }
    const bool fits = count > 0 && count <= HEIGHTS_MAX;
    f->planes =
        fits ? oct_alloc(&f->allocator, count * sizeof *f->planes, _Alignof(walk_plane)) : NULL;
    for (size_t i = 0; f->planes && i < count; i++) {
        f->planes[i] = (walk_plane){.height = sorted[i]};
    }
    f->height_count = f->planes ? (uint32_t)count : 0;
    oct_free(&f->allocator, sorted, (given + 1) * sizeof *sorted);
    return f->planes ? OCT_OK : fits ? OCT_ERROR_MEMORY : OCT_ERROR_RANGE;
}

// Lists for each column the heights of its floors.
static oct_result list_floors(walk_floors *f)
{
    const walk_floor *const all = f->floors.items;
    const double *const heights = f->heights.items;
    const size_t columns = columns_of(f);
    f->first = oct_alloc(&f->allocator, (columns + 1) * sizeof *f->first, _Alignof(uint32_t));
    if (!f->first) {
        return OCT_ERROR_MEMORY;
    }
    memset(f->first, 0, (columns + 1) * sizeof *f->first);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < f->floors.count; i++) {
            const uint32_t height = find_height(f, heights[all[i].height]);
            for (int32_t b = all[i].from[1]; b < all[i].to[1]; b++) {
                for (int32_t a = all[i].from[0]; a < all[i].to[0]; a++) {
                    const size_t column = (size_t)b * (size_t)f->size[0] + (size_t)a;
                    if (pass == 0) {
                        f->first[column]++;
                    } else {
                        f->on[--f->first[column]] = height;
                    }
                }
            }
        }
        for (size_t i = 0; pass == 0 && i < columns; i++) {
            f->first[i + 1] += f->first[i]; // where each ends, for now
        }
        if (pass == 0) {
            f->on_count = f->first[columns];
            f->on = oct_alloc(&f->allocator, (f->on_count + 1) * sizeof *f->on, _Alignof(uint32_t));
            if (!f->on) {
                return OCT_ERROR_MEMORY;
            }
        }
    }
    return OCT_OK;
}

// Finds for each layer the height at which it ends.
static oct_result list_tops(walk_floors *f)
{
    const size_t bytes = (size_t)f->size[2] * sizeof *f->tops;
    f->tops = oct_alloc(&f->allocator, bytes, _Alignof(uint32_t));
    for (int32_t layer = 0; f->tops && layer < f->size[2]; layer++) {
        f->tops[layer] = find_height(f, walk_layer(f, layer + 1));
    }
    return f->tops ? OCT_OK : OCT_ERROR_MEMORY;
}

// ---- where bodies touch them ----

// Marks the cells of a column in which a body may stand on a floor between two heights.
static void mark_above(const walk_floors *f, uint8_t *touch, size_t column, double lowest,
                       double highest)
{
    const walk_limits *const l = &f->limits;
    const double from = lowest + l->low - l->round - WALK_SKIN - f->cell;
    const double to = highest + l->high + WALK_SKIN;
    const double begin = fmax((from - f->bottom) / f->cell - TOUCH, 0.0);
    const double end = fmin((to - f->bottom) / f->cell + TOUCH, f->size[2] - 1.0);
    if (!(begin < f->size[2]) || !(end >= 0.0)) {
        return; // it is nowhere near
    }
    const int32_t first = (int32_t)begin;
    const int32_t last = (int32_t)end;
    for (int32_t layer = first; layer <= last; layer++) {
        touch[(size_t)layer * columns_of(f) + column] = 1;
    }
}

// Widens what is marked of a row, whose items are so far apart, by some on both sides.
static void widen(uint8_t *row, uint8_t *scratch, int32_t count, size_t step, int32_t by)
{
    int32_t last = -2 * by - 1;
    for (int32_t i = 0; i < count + by; i++) {
        last = i < count && row[(size_t)i * step] ? i : last;
        if (i >= by) {
            scratch[i - by] = last >= i - 2 * by;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        row[(size_t)i * step] = scratch[i];
    }
}

static void widen_columns(const walk_floors *f, uint8_t *columns, uint8_t *scratch, int32_t by)
{
    const size_t row = (size_t)f->size[0];
    for (int32_t b = 0; b < f->size[1]; b++) {
        widen(columns + (size_t)b * row, scratch, f->size[0], 1, by);
    }
    for (int32_t a = 0; a < f->size[0]; a++) {
        widen(columns + a, scratch, f->size[1], row, by);
    }
}

void oct_walk_floors_widen(const walk_floors *f, uint8_t *columns)
{
    widen_columns(f, columns, columns + columns_of(f), f->beside + 1);
}

static void mark_floors(const walk_floors *f, uint8_t *touch)
{
    for (size_t column = 0; column < columns_of(f); column++) {
        for (uint32_t i = f->first[column]; i < f->first[column + 1]; i++) {
            const double height = walk_height(f, f->on[i]);
            mark_above(f, touch, column, height, height);
        }
    }
    for (size_t i = 0; i < count_of(f); i++) {
        if ((f->cells[i] & WALK_WILD) != 0) {
            const int32_t layer = (int32_t)(i / columns_of(f));
            mark_above(f, touch, i % columns_of(f), walk_layer(f, layer), walk_layer(f, layer + 1));
        }
    }
}

static oct_result mark_touching(walk_floors *f)
{
    const size_t longest_row = (size_t)upper(f->size[0], f->size[1]);
    const size_t bytes = count_of(f) + longest_row;
    uint8_t *const touch = oct_alloc(&f->allocator, bytes, 1);
    if (!touch) {
        return OCT_ERROR_MEMORY;
    }
    memset(touch, 0, bytes);
    mark_floors(f, touch);
    for (int32_t layer = 0; layer < f->size[2]; layer++) {
        widen_columns(f, touch + (size_t)layer * columns_of(f), touch + count_of(f), f->beside);
    }
    for (size_t i = 0; i < count_of(f); i++) {
        f->cells[i] = (uint8_t)(f->cells[i] | (touch[i] ? WALK_TOUCH : 0));
    }
    oct_free(&f->allocator, touch, bytes);
    return OCT_OK;
}

// ---- where bodies begin ----

// Who begins in the air has jumped off there.
static double start_height(const walk_floors *f, oct_point at)
{
    return along(f, at, 2) - f->limits.low;
}

static oct_result add_starts(walk_floors *f)
{
    const oct_point *const all = f->space->history->starts.items;
    for (size_t i = 0; i < f->space->history->starts.count; i++) {
        OCT_TRY(add_height(f, start_height(f, all[i])));
    }
    return OCT_OK;
}

static oct_result begin_at_starts(walk_floors *f)
{
    const oct_point *const all = f->space->history->starts.items;
    for (size_t i = 0; i < f->space->history->starts.count; i++) {
        oct_vec c;
        if (!oct_tree_cell_at(f->space->shut, all[i], &c)) {
            return OCT_ERROR_RANGE;
        }
        int32_t at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = cells_along(f, c, k) - f->least[k];
            if (at[k] < 0 || at[k] >= f->size[k]) {
                return OCT_ERROR_RANGE;
            }
        }
        const size_t column = (size_t)at[1] * (size_t)f->size[0] + (size_t)at[0];
        const size_t cell = (size_t)at[2] * columns_of(f) + column;
        OCT_TRY(oct_walk_floors_land(f, find_height(f, start_height(f, all[i])), column, cell));
    }
    return OCT_OK;
}

// ---- the whole ----

static oct_result measure(walk_floors *f)
{
    const config_space *const s = f->space;
    OCT_TRY(find_box(f));
    const oct_point o = oct_tree_origin(s->shut);
    f->cell = oct_tree_cell_size(s->shut);
    for (int i = 0; i < 3; i++) {
        f->origin[i] = along(f, o, i);
        f->least[i] = cells_along(f, f->box.min, i);
        f->size[i] = cells_along(f, f->box.max, i) - f->least[i];
        if (f->size[i] <= 0 || f->size[i] > CELLS_MAX) {
            return OCT_ERROR_RANGE;
        }
    }
    f->bottom = walk_layer(f, 0);
    f->beside = (int32_t)ceil((f->limits.beside + WALK_SKIN) / f->cell);
    const double count = (double)f->size[0] * f->size[1] * f->size[2];
    return count <= (double)CELLS_MAX ? OCT_OK : OCT_ERROR_RANGE;
}

static oct_result fill(walk_floors *f)
{
    f->cells = oct_alloc(&f->allocator, count_of(f), 1);
    if (!f->cells) {
        return OCT_ERROR_MEMORY;
    }
    // Nobody is beyond the bounds, but there may be floor.
    memset(f->cells, 0, count_of(f));
    set_bits(f, f->space->bounds, WALK_FREE, true);
    (void)oct_tree_leaves(f->space->closed, f->box, OCT_HAS_BLOCKED, take_closed, f);
    OCT_TRY(add_things(f));
    OCT_TRY(add_unseen(f));
    for (int32_t layer = 0; layer < f->size[2]; layer++) {
        OCT_TRY(add_height(f, walk_layer(f, layer + 1)));
    }
    OCT_TRY(add_starts(f));
    OCT_TRY(make_planes(f));
    OCT_TRY(list_floors(f));
    OCT_TRY(list_tops(f));
    OCT_TRY(mark_touching(f));
    return begin_at_starts(f);
}

oct_result oct_walk_floors_make(walk_floors *f, const config_space *s, const walk_limits *limits)
{
    *f = (walk_floors){.allocator = s->allocator, .space = s, .limits = *limits, .work = WORK_MAX};
    OCT_TRY(measure(f));
    return fill(f);
}

void oct_walk_floors_free(walk_floors *f)
{
    const oct_allocator *const a = &f->allocator;
    const size_t columns = columns_of(f), bytes = count_of(f) / 8 + 1;
    for (uint32_t i = 0; i < f->height_count; i++) {
        if (f->planes[i].columns) {
            oct_free(a, f->planes[i].columns, columns);
        }
        if (f->planes[i].land) {
            oct_free(a, f->planes[i].land, columns * sizeof(double));
        }
        if (f->planes[i].air) {
            oct_free(a, f->planes[i].air, columns * sizeof(double));
        }
        if (f->planes[i].in) {
            oct_free(a, f->planes[i].in, bytes);
        }
        oct_array_free(&f->planes[i].cells, a, sizeof(uint32_t));
    }
    if (f->planes) {
        oct_free(a, f->planes, f->height_count * sizeof *f->planes);
    }
    if (f->on) {
        oct_free(a, f->on, (f->on_count + 1) * sizeof *f->on);
    }
    if (f->first) {
        oct_free(a, f->first, (columns + 1) * sizeof *f->first);
    }
    if (f->tops) {
        oct_free(a, f->tops, (size_t)f->size[2] * sizeof *f->tops);
    }
    if (f->cells) {
        oct_free(a, f->cells, count_of(f));
    }
    oct_array_free(&f->floors, a, sizeof(walk_floor));
    oct_array_free(&f->heights, a, sizeof(double));
}

// ---- questions ----

// Floors between two heights, and the layers that they may be anywhere in.
typedef struct under {
    const walk_floors *f;
    size_t cell;
    double from, to;
    int32_t first, end;
    walk_floor_fn *visit;
    void *ctx;
} under;

static void visit_column(const under *u, size_t column)
{
    const walk_floors *const f = u->f;
    for (uint32_t i = f->first[column]; i < f->first[column + 1]; i++) {
        const double height = walk_height(f, f->on[i]);
        if (height >= u->from && height <= u->to) {
            u->visit(u->ctx, f->on[i], column, u->cell, height);
        }
    }
    const uint8_t *at = f->cells + (size_t)u->first * columns_of(f) + column;
    for (int32_t layer = u->first; layer < u->end; layer++, at += columns_of(f)) {
        if ((*at & WALK_WILD) != 0) {
            const double bottom = walk_layer(f, layer);
            u->visit(u->ctx, f->tops[layer], column, u->cell, bottom > u->from ? bottom : u->from);
        }
    }
}

void oct_walk_floors_under(const walk_floors *f, size_t cell, walk_floor_fn *visit, void *ctx)
{
    const size_t column = cell % columns_of(f);
    const int32_t layer = (int32_t)(cell / columns_of(f));
    const int32_t a = (int32_t)(column % (size_t)f->size[0]);
    const int32_t b = (int32_t)(column / (size_t)f->size[0]);
    under u = {.f = f, .cell = cell, .visit = visit, .ctx = ctx};
    u.from = walk_layer(f, layer) - f->limits.high - WALK_SKIN;
    u.to = walk_layer(f, layer + 1) - f->limits.low + f->limits.round + WALK_SKIN;
    const double first = floor((u.from - f->bottom) / f->cell - TOUCH);
    const double end = floor((u.to - f->bottom) / f->cell + TOUCH) + 1.0;
    u.first = first > 0.0 ? (int32_t)first : 0;
    u.end = end < f->size[2] ? (int32_t)end : f->size[2];
    const int32_t r = f->beside;
    for (int32_t y = b - r > 0 ? b - r : 0; y <= b + r && y < f->size[1]; y++) {
        for (int32_t x = a - r > 0 ? a - r : 0; x <= a + r && x < f->size[0]; x++) {
            visit_column(&u, (size_t)y * (size_t)f->size[0] + (size_t)x);
        }
    }
}

// ---- what was got to ----

static oct_result open_plane(walk_floors *f, walk_plane *p)
{
    const size_t columns = columns_of(f), bytes = count_of(f) / 8 + 1;
    if (p->columns && p->in && p->land && p->air) {
        return OCT_OK;
    }
    f->bytes += columns + bytes + 2 * columns * sizeof(double);
    if (f->bytes > BYTES_MAX) {
        return OCT_ERROR_RANGE;
    }
    p->columns = p->columns ? p->columns : oct_alloc(&f->allocator, columns, 1);
    p->in = p->in ? p->in : oct_alloc(&f->allocator, bytes, 1);
    p->land =
        p->land ? p->land : oct_alloc(&f->allocator, columns * sizeof(double), _Alignof(double));
    p->air = p->air ? p->air : oct_alloc(&f->allocator, columns * sizeof(double), _Alignof(double));
    if (!p->columns || !p->in || !p->land || !p->air) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < columns; i++) {
        p->land[i] = p->air[i] = -HUGE_VAL;
    }
    memset(p->columns, 0, columns);
    memset(p->in, 0, bytes);
    return OCT_OK;
}

oct_result oct_walk_floors_visit(walk_floors *f, uint32_t height, size_t cell)
{
    walk_plane *const p = &f->planes[height];
    if ((p->in[cell / 8] >> (cell % 8) & 1) != 0) {
        return OCT_OK;
    }
    const uint32_t item = (uint32_t)cell;
    OCT_TRY(oct_array_push(&p->cells, &f->allocator, sizeof item, &item));
    p->in[cell / 8] = (uint8_t)(p->in[cell / 8] | 1u << (cell % 8));
    f->cells[cell] |= WALK_REACHED;
    return OCT_OK;
}

// Whether the cell below a floor was not seen.
static bool is_unseen(const walk_floors *f, uint32_t height, size_t column)
{
    const double below = (walk_height(f, height) - f->bottom) / f->cell - 0.5;
    const bool is_in = below >= 0.0 && below < f->size[2];
    return is_in && (f->cells[(size_t)below * columns_of(f) + column] & WALK_UNSEEN) != 0;
}

oct_result oct_walk_floors_land(walk_floors *f, uint32_t height, size_t column, size_t cell)
{
    walk_plane *const p = &f->planes[height];
    OCT_TRY(open_plane(f, p));
    const size_t before = p->cells.count;
    const bool is_new = !p->columns[column];
    OCT_TRY(oct_walk_floors_visit(f, height, cell));
    f->unseen += is_new && is_unseen(f, height, column);
    if (f->unseen > UNSEEN_FLOORS_MAX) {
        return OCT_ERROR_RANGE;
    }
    p->is_new = p->is_new || !p->columns[column] || p->cells.count > before;
    p->columns[column] = 1;
    return OCT_OK;
}

bool oct_walk_floors_take(walk_floors *f, uint32_t height)
{
    const bool is = f->planes[height].is_new;
    f->planes[height].is_new = false;
    return is;
}
