// SPDX-License-Identifier: MIT
// The floors of a map as columns of solid cells. A column is what its OPEN runs leave of the box;
// a solid run is floor where its highest cell is BLOCKED, not UNKNOWN. Around the box stand columns
// that are solid to the top: without them its edge would be a ledge to Recast.
#include "files/bake.h"

#include <stdlib.h>

#define COLUMNS_MAX 0x1p25
#define RUNS_MAX ((size_t)1 << 26)

// Cells of one label in a column.
typedef struct column_run {
    uint32_t column;
    int32_t low, high;
    bool is_open;
} column_run;

typedef struct column_list {
    const oct_allocator *memory;
    oct_array runs; // of column_run
    oct_box box;
    int across, along, up; // axes of ground x, ground y, heights
    uint32_t columns;      // along ground x
    oct_result result;
} column_list;

static int32_t vec_along(oct_vec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool add_leaf(void *ctx, const oct_leaf *leaf)
{
    column_list *const list = ctx;
    const oct_box b = oct_leaf_box(*leaf);
    int32_t low[3], high[3], from[3];
    for (int i = 0; i < 3; i++) {
        const int32_t least = vec_along(list->box.min, i), most = vec_along(list->box.max, i);
        from[i] = least;
        low[i] = vec_along(b.min, i) > least ? vec_along(b.min, i) : least;
        high[i] = vec_along(b.max, i) < most ? vec_along(b.max, i) : most;
    }
    const int x = list->across, y = list->along, z = list->up;
    for (int32_t row = low[y]; row < high[y]; row++) {
        for (int32_t column = low[x]; column < high[x]; column++) {
            const column_run run = {(uint32_t)(row - from[y] + 1) * list->columns +
                                        (uint32_t)(column - from[x] + 1),
                                    low[z] - from[z], high[z] - from[z], leaf->label == OCT_OPEN};
            list->result = list->runs.count < RUNS_MAX
                               ? oct_array_push(&list->runs, list->memory, sizeof run, &run)
                               : OCT_ERROR_RANGE;
            if (list->result != OCT_OK) {
                return false;
            }
        }
    }
    return true;
}

static int by_column(const void *a, const void *b)
{
    const column_run *const x = a, *const y = b;
    return x->column != y->column ? (x->column < y->column ? -1 : 1)
                                  : (x->low > y->low) - (x->low < y->low);
}

static oct_result add_span(bake_geometry *g, uint32_t column, int32_t low, int32_t high,
                           bool is_floor)
{
    const recast_span span = {(int)(column / g->columns), (int)(column % g->columns), low, high,
                              is_floor};
    return low < high ? oct_array_push(&g->spans, g->memory, sizeof span, &span) : OCT_OK;
}

// The solid runs of one column, up to a lid on top of the box.
static oct_result add_column(bake_geometry *g, uint32_t column, const column_run *runs,
                             size_t count, int32_t top)
{
    int32_t solid = 0; // where the solid run begins
    for (size_t i = 0; i < count; i++) {
        if (runs[i].is_open) {
            const bool is_floor = i > 0 && !runs[i - 1].is_open && runs[i - 1].high == runs[i].low;
            OCT_TRY(add_span(g, column, solid, runs[i].low, is_floor));
            solid = runs[i].high;
        }
    }
    return add_span(g, column, solid, top + 1, false);
}

static oct_result add_columns(bake_geometry *g, const column_list *list, int32_t top)
{
    const column_run *const runs = list->runs.items;
    const uint32_t squares = g->columns * g->rows;
    g->starts = oct_alloc(g->memory, (squares + 1u) * sizeof *g->starts, _Alignof(uint32_t));
    if (!g->starts) {
        return OCT_ERROR_MEMORY;
    }
    size_t at = 0;
    for (uint32_t square = 0; square < squares; square++) {
        const size_t first = at;
        while (at < list->runs.count && runs[at].column == square) {
            at++;
        }
        g->starts[square] = (uint32_t)g->spans.count;
        OCT_TRY(add_column(g, square, first < at ? &runs[first] : NULL, at - first, top));
    }
    g->starts[squares] = (uint32_t)g->spans.count;
    return OCT_OK;
}

oct_result oct_bake_take_tree(const oct_tree *tree, oct_box box, oct_up up, bake_geometry *out,
                              oct_error *error)
{
    column_list list = {.memory = out->memory, .box = box, .up = (int)up};
    list.across = (list.up + 1) % 3; // as oct_surface_to_ground has it
    list.along = (list.up + 2) % 3;
    double size[3];
    for (int i = 0; i < 3; i++) {
        size[i] = (double)vec_along(box.max, i) - vec_along(box.min, i);
    }
    if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
        oct_error_set(error, 0, 0, 0, "an empty map");
        return OCT_ERROR_RANGE;
    }
    if (size[list.across] * size[list.along] > COLUMNS_MAX || size[list.up] >= RECAST_HEIGHT_MAX) {
        oct_error_set(error, 0, 0, 0, "too many cells to bake: at most 2^25 columns, 8190 high");
        return OCT_ERROR_RANGE;
    }
    const ground_point from = oct_surface_to_ground(up, false, oct_tree_origin(tree));
    const double edge = oct_tree_cell_size(tree);
    list.columns = (uint32_t)size[list.across] + 2;
    out->columns = list.columns;
    out->rows = (uint32_t)size[list.along] + 2;
    out->edge = out->cell_height = edge;
    out->x = from.x + edge * (vec_along(box.min, list.across) - 1.0);
    out->y = from.y + edge * (vec_along(box.min, list.along) - 1.0);
    out->z = from.z + edge * vec_along(box.min, list.up);
    oct_tree_leaves(tree, box, OCT_HAS_OPEN | OCT_HAS_BLOCKED, add_leaf, &list);
    oct_result result = list.result;
    if (result == OCT_OK && list.runs.count > 1) {
        qsort(list.runs.items, list.runs.count, sizeof(column_run), by_column);
    }
    result = result == OCT_OK ? add_columns(out, &list, (int32_t)size[list.up]) : result;
    oct_array_free(&list.runs, out->memory, sizeof(column_run));
    if (result == OCT_ERROR_RANGE) {
        oct_error_set(error, 0, 0, 0, "too many cells to bake; larger cells need less");
    }
    return result;
}
