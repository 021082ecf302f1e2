// SPDX-License-Identifier: MIT
#include "agent/walk_space.h"
#include "agent/solid_cells.h"
#include "agent/walk_floors.h"

#include "geom/geom_internal.h"

#include <math.h>

// Columns of which so many cells lie between.
#define FAR INT32_MAX

typedef struct flood {
    walk_floors *f;
    int32_t *along;  // cells between a column and those of a height, along a row
    uint8_t *risen;  // of columns: more is got to there than when it was left last; and scratch
    uint32_t height; // whose floors are left
    oct_result result;
} flood;

// ---- how far a jump leads ----

// How deep a body has fallen that is so far beyond a leap.
static double fallen(const walk_limits *l, double beyond)
{
    const double time = l->speed > 0.0 ? beyond / l->speed - 2.0 * l->tick : HUGE_VAL;
    return time > 0.0 ? l->pull / 2.0 * time * time : 0.0;
}

static void find_along(const walk_floors *f, const uint8_t *columns, int32_t *along)
{
    for (int32_t b = 0; b < f->size[1]; b++) {
        const uint8_t *const row = columns + (size_t)b * (size_t)f->size[0];
        int32_t *const out = along + (size_t)b * (size_t)f->size[0];
        int32_t last = -FAR;
        for (int32_t a = 0; a < f->size[0]; a++) {
            last = row[a] ? a : last;
            out[a] = last == -FAR ? FAR : a - last;
        }
        last = -FAR;
        for (int32_t a = f->size[0] - 1; a >= 0; a--) {
            last = row[a] ? a : last;
            out[a] = last != -FAR && last - a < out[a] ? last - a : out[a];
        }
    }
}

// The least distance between points of a column and of those of a height, metres; HUGE_VAL where it
// is more than so many cells.
static double least_distance(const walk_floors *f, const int32_t *along, int32_t a, int32_t b,
                             int32_t most)
{
    int64_t least = INT64_MAX;
    const int32_t from = b - most > 0 ? b - most : 0;
    const int32_t to = b + most < f->size[1] - 1 ? b + most : f->size[1] - 1;
    for (int32_t row = from; row <= to; row++) {
        const int32_t by = along[(size_t)row * (size_t)f->size[0] + (size_t)a];
        const int64_t x = by == FAR ? FAR : by > 0 ? by - 1 : 0;
        const int64_t y = row == b ? 0 : (row < b ? b - row : row - b) - 1;
        const int64_t square = x * x + y * y;
        least = by != FAR && square < least ? square : least;
    }
    return least == INT64_MAX ? HUGE_VAL : sqrt((double)least) * f->cell;
}

static void find_reach(flood *x)
{
    walk_floors *const f = x->f;
    const walk_limits *const l = &f->limits;
    const double height = walk_height(f, x->height);
    const double deepest = height + l->rise - f->bottom;
    const double far =
        l->leap + l->beside + l->speed * (sqrt(2.0 * fmax(deepest, 0.0) / l->pull) + 2.0 * l->tick);
    const int32_t most = (int32_t)fmin(far / f->cell + 3.0, 1e6);
    (void)walk_takes(x->f, (uint64_t)f->size[0] * (uint64_t)f->size[1] * (uint64_t)most / 4);
    find_along(f, walk_columns(f, x->height), x->along);
    for (int32_t b = 0; b < f->size[1]; b++) {
        for (int32_t a = 0; a < f->size[0]; a++) {
            const size_t column = (size_t)b * (size_t)f->size[0] + (size_t)a;
            const double away = least_distance(f, x->along, a, b, most);
            const double land = away <= l->leap   ? height + l->climb
                                : away < HUGE_VAL ? height - fallen(l, away - l->leap)
                                                  : -HUGE_VAL;
            const double air = away <= l->leap + l->beside ? height + l->rise
                               : away < HUGE_VAL ? height - fallen(l, away - l->leap - l->beside)
                                                 : -HUGE_VAL;
            walk_plane *const p = &f->planes[x->height];
            x->risen[column] = land > p->land[column] || air > p->air[column];
            p->land[column] = land;
            p->air[column] = air;
        }
    }
    oct_walk_floors_widen(f, x->risen);
}

// ---- the flood ----

static void land(void *ctx, uint32_t height, size_t column, size_t cell, double lowest)
{
    flood *const x = ctx;
    const walk_plane *const p = &x->f->planes[height];
    const bool is_known = p->columns && p->columns[column] && (p->in[cell / 8] >> (cell % 8) & 1);
    if (!is_known && x->result == OCT_OK &&
        lowest <= x->f->planes[x->height].land[column] + WALK_SKIN) {
        x->result = oct_walk_floors_land(x->f, height, column, cell);
    }
}

static oct_result enter(flood *x, size_t cell, size_t column, int32_t layer)
{
    walk_floors *const f = x->f;
    const double bottom = walk_layer(f, layer);
    if ((f->cells[cell] & WALK_FREE) == 0 ||
        bottom > x->f->planes[x->height].air[column] + f->limits.high + WALK_SKIN) {
        return OCT_OK;
    }
    return oct_walk_floors_visit(f, x->height, cell);
}

static oct_result spread(flood *x, size_t cell)
{
    const walk_floors *const f = x->f;
    const size_t columns = (size_t)f->size[0] * (size_t)f->size[1];
    const size_t column = cell % columns;
    const int32_t layer = (int32_t)(cell / columns);
    const int32_t a = (int32_t)(column % (size_t)f->size[0]),
                  b = (int32_t)(column / (size_t)f->size[0]);
    const size_t row = (size_t)f->size[0];
    if ((f->cells[cell] & WALK_TOUCH) != 0) {
        (void)walk_takes(x->f, 16);
        oct_walk_floors_under(f, cell, land, x);
        OCT_TRY(x->result);
    }
    OCT_TRY(a > 0 ? enter(x, cell - 1, column - 1, layer) : OCT_OK);
    OCT_TRY(a + 1 < f->size[0] ? enter(x, cell + 1, column + 1, layer) : OCT_OK);
    OCT_TRY(b > 0 ? enter(x, cell - row, column - row, layer) : OCT_OK);
    OCT_TRY(b + 1 < f->size[1] ? enter(x, cell + row, column + row, layer) : OCT_OK);
    OCT_TRY(layer > 0 ? enter(x, cell - columns, column, layer - 1) : OCT_OK);
    return layer + 1 < f->size[2] ? enter(x, cell + columns, column, layer + 1) : OCT_OK;
}

// Whether a higher floor that was left leads wherever this one does: then nothing is new there.
static bool is_surpassed_by(const flood *x, const walk_plane *by)
{
    const walk_floors *const f = x->f;
    const walk_plane *const own = &f->planes[x->height];
    const size_t columns = (size_t)f->size[0] * (size_t)f->size[1];
    bool is = true;
    for (size_t i = 0; i < columns && is; i++) {
        is = own->land[i] <= by->land[i] && own->air[i] <= by->air[i];
    }
    for (size_t i = 0; i < own->cells.count && is; i++) {
        const size_t cell = walk_visited_at(f, x->height, i);
        is = (by->in[cell / 8] >> (cell % 8) & 1) != 0;
    }
    return is;
}

static bool is_surpassed(const flood *x)
{
    bool is = false;
    for (uint32_t i = x->f->height_count; i-- > x->height + 1 && !is;) {
        is = x->f->planes[i].is_left && is_surpassed_by(x, &x->f->planes[i]);
    }
    return is;
}

// All that is got to from the floors of a height, as far as they were got to.
static oct_result leave(flood *x, uint32_t height)
{
    x->height = height;
    find_reach(x);
    if (is_surpassed(x)) {
        x->f->planes[height].done = 0; // what has risen by then is forgotten
        return OCT_OK;
    }
    x->f->planes[height].is_left = true;
    walk_plane *const p = &x->f->planes[height];
    const size_t columns = (size_t)x->f->size[0] * (size_t)x->f->size[1], done = p->done;
    for (size_t i = 0; i < p->cells.count; i++) {
        const size_t cell = walk_visited_at(x->f, height, i);
        if (i < done && !x->risen[cell % columns]) {
            continue;
        }
        if (!walk_takes(x->f, 1)) {
            return OCT_ERROR_RANGE;
        }
        OCT_TRY(spread(x, cell));
    }
    p->done = p->cells.count;
    return OCT_OK;
}

static oct_result leave_all(flood *x)
{
    const walk_floors *const f = x->f;
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = f->height_count; i-- > 0;) {
            if (oct_walk_floors_take(x->f, i)) {
                is_new = true;
                OCT_TRY(leave(x, i));
            }
        }
    }
    return OCT_OK;
}

static oct_result walk(walk_floors *f)
{
    flood x = {.f = f, .result = OCT_OK};
    const size_t columns = (size_t)f->size[0] * (size_t)f->size[1];
    const size_t bytes = columns * sizeof *x.along;
    const size_t more = columns + (size_t)f->size[0] + (size_t)f->size[1];
    x.along = oct_alloc(&f->allocator, bytes, _Alignof(int32_t));
    x.risen = oct_alloc(&f->allocator, more, 1);
    const oct_result result = x.along && x.risen ? leave_all(&x) : OCT_ERROR_MEMORY;
    if (x.along) {
        oct_free(&f->allocator, x.along, bytes);
    }
    if (x.risen) {
        oct_free(&f->allocator, x.risen, more);
    }
    return result;
}

// ---- the whole ----

static oct_result close_cells(config_space *s, oct_box box)
{
    OCT_TRY(oct_tree_set_box(s->closed, box, OCT_MARK_SOLID));
    return oct_tree_set_box(s->shut, box, OCT_MARK_SOLID);
}

// Beyond the bounds nothing is: walls around them may stand off.
static oct_result close_around(config_space *s)
{
    const oct_box all = oct_tree_extent(s->closed, OCT_HAS_BLOCKED), in = s->bounds;
    const oct_box sides[6] = {
        {all.min, {in.min.x, all.max.y, all.max.z}}, {{in.max.x, all.min.y, all.min.z}, all.max},
        {all.min, {all.max.x, in.min.y, all.max.z}}, {{all.min.x, in.max.y, all.min.z}, all.max},
        {all.min, {all.max.x, all.max.y, in.min.z}}, {{all.min.x, all.min.y, in.max.z}, all.max}};
    for (int i = 0; i < 6; i++) {
        OCT_TRY(box_is_empty(3, &sides[i]) ? OCT_OK : close_cells(s, sides[i]));
    }
    return OCT_OK;
}

// Closes what was not reached, one stretch of a row after the other.
static oct_result close_rest(config_space *s, const walk_floors *f)
{
    const size_t columns = (size_t)f->size[0] * (size_t)f->size[1];
    for (size_t first = 0; first < columns * (size_t)f->size[2]; first += (size_t)f->size[0]) {
        for (int32_t a = 0, end; a < f->size[0]; a = end + 1) {
            for (end = a; end < f->size[0] && (f->cells[first + (size_t)end] &
                                               (WALK_FREE | WALK_REACHED)) == WALK_FREE;) {
                end++;
            }
            OCT_TRY(end > a ? close_cells(s, oct_walk_floors_cells(f, first + (size_t)a, end - a))
                            : OCT_OK);
        }
    }
    return OCT_OK;
}

oct_result oct_walk_space_close(config_space *s, const walk_limits *limits, bool *is_told)
{
    walk_floors floors;
    *is_told = false;
    oct_result result = oct_walk_floors_make(&floors, s, limits);
    result = result == OCT_OK ? walk(&floors) : result;
    if (result == OCT_OK) {
        *is_told = true;
        result = close_around(s);
        result = result == OCT_OK ? close_rest(s, &floors) : result;
    }
    oct_walk_floors_free(&floors);
    return result == OCT_ERROR_RANGE && !*is_told ? OCT_OK : result;
}
