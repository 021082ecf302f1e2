// SPDX-License-Identifier: MIT
// The oracle for components, an array of cells that is flooded, and what their tests share.
#ifndef OCTANT_TESTS_COMPONENTS_SUPPORT_H
#define OCTANT_TESTS_COMPONENTS_SUPPORT_H

#include "octant/components.h"
#include "octant/tree.h"
#include "search/components_internal.h"
#include "tree_model.h"
#include "valid.h"

// ---- the oracle: every cell of a window flooded ----

#define WINDOW_MOST 140000
#define NUMBERS_MOST 200000

static struct {
    oct_box box;
    int32_t edge[3];
    uint32_t count; // components that have a cell in the window
    uint32_t basins[WINDOW_MOST];
    uint32_t queue[WINDOW_MOST];
    uint32_t of_basin[WINDOW_MOST], of_number[NUMBERS_MOST];
} window;

static inline oct_vec window_cell(uint32_t i)
{
    const uint32_t nx = (uint32_t)window.edge[0], ny = (uint32_t)window.edge[1];
    return (oct_vec){window.box.min.x + (int32_t)(i % nx),
                     window.box.min.y + (int32_t)(i / nx % ny),
                     window.box.min.z + (int32_t)(i / nx / ny)};
}

static inline void window_reach(uint32_t *waiting, uint32_t i, uint32_t basin)
{
    if (window.basins[i] == UINT32_MAX) {
        window.basins[i] = basin;
        window.queue[(*waiting)++] = i;
    }
}

// Everything connected with the first cell in the queue gets its basin.
static inline void window_spread(uint32_t basin)
{
    const int32_t step[3] = {1, window.edge[0], window.edge[0] * window.edge[1]};
    for (uint32_t waiting = 1; waiting > 0;) {
        const uint32_t i = window.queue[--waiting];
        const oct_vec cell = window_cell(i);
        const int32_t at[3] = {cell.x - window.box.min.x, cell.y - window.box.min.y,
                               cell.z - window.box.min.z};
        for (int axis = 0; axis < 3; axis++) {
            if (at[axis] > 0) {
                window_reach(&waiting, i - (uint32_t)step[axis], basin);
            }
            if (at[axis] + 1 < window.edge[axis]) {
                window_reach(&waiting, i + (uint32_t)step[axis], basin);
            }
        }
    }
}

static inline bool window_has_wall(const oct_components *c, oct_vec at)
{
    const oct_box *const walls = c->walls.items;
    for (size_t i = 0; i < c->walls.count; i++) {
        const oct_box *const w = &walls[i];
        if (at.x >= w->min.x && at.x < w->max.x && at.y >= w->min.y && at.y < w->max.y &&
            (c->dims == 2 || (at.z >= w->min.z && at.z < w->max.z))) {
            return true;
        }
    }
    return false;
}

// Floods a window, which must hold everything that is known and all walls, with room around it.
static inline void window_flood(const oct_components *c, oct_box box)
{
    const bool unknown_is_free = c->free & OCT_HAS_UNKNOWN;
    window.box = box;
    window.edge[0] = box.max.x - box.min.x;
    window.edge[1] = box.max.y - box.min.y;
    window.edge[2] = box.max.z - box.min.z;
    const uint32_t cells = (uint32_t)(window.edge[0] * window.edge[1] * window.edge[2]);
    assert_true(cells <= WINDOW_MOST);
    for (uint32_t i = 0; i < cells; i++) {
        const oct_label label = oct_tree_label(c->tree, window_cell(i));
        const bool is_free = (label == OCT_OPEN || (label == OCT_UNKNOWN && unknown_is_free)) &&
                             !window_has_wall(c, window_cell(i));
        window.basins[i] = is_free ? UINT32_MAX : 0;
    }
    window.count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        if (window.basins[i] == UINT32_MAX) {
            window.basins[i] = ++window.count;
            window.queue[0] = i;
            window_spread(window.count);
        }
    }
}

// Fails the test unless two cells have the same number exactly if they are of the same basin.
static inline void window_compare(const oct_components *c)
{
    const uint32_t cells = (uint32_t)(window.edge[0] * window.edge[1] * window.edge[2]);
    memset(window.of_basin, 0, (window.count + 1u) * sizeof *window.of_basin);
    memset(window.of_number, 0, c->groups.count * sizeof *window.of_number);
    assert_true(c->groups.count <= NUMBERS_MOST);
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t number = oct_components_at(c, window_cell(i)), basin = window.basins[i];
        if ((number == 0) != (basin == 0)) {
            fail_msg("a free cell is in the way, or the other way round");
        }
        if (basin && !window.of_basin[basin] && !window.of_number[number]) {
            window.of_basin[basin] = number;
            window.of_number[number] = basin;
        }
        if (basin && (window.of_basin[basin] != number || window.of_number[number] != basin)) {
            fail_msg("joined and apart were confused");
        }
    }
    assert_int_equal(oct_components_measure(c).count, window.count);
}

static inline void check(const oct_components *c, oct_box box)
{
    window_flood(c, box);
    window_compare(c);
    assert_true(oct_components_is_valid(c));
    assert_int_equal(oct_components_revision(c), oct_tree_revision(c->tree));
}

// ---- helpers ----

static inline oct_components *new_components(const oct_tree *tree, oct_unknown unknown)
{
    oct_components_def def = oct_components_def_default();
    def.tree = tree;
    def.unknown = unknown;
    oct_components *c;
    assert_int_equal(oct_components_create(&def, &c), OCT_OK);
    return c;
}

static inline void update(oct_components *c)
{
    assert_int_equal(oct_components_update(c), OCT_OK);
}

static inline void set_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
}

static inline void set_cell(oct_tree *tree, int32_t x, int32_t y, int32_t z, oct_mark mark)
{
    set_box(tree, (oct_box){{x, y, z}, {x + 1, y + 1, z + 1}}, mark);
}

// A box grown by one cell; at two dimensions not along z.
static inline oct_box grown(int dims, oct_box box)
{
    return (oct_box){{box.min.x - 1, box.min.y - 1, dims == 3 ? box.min.z - 1 : 0},
                     {box.max.x + 1, box.max.y + 1, dims == 3 ? box.max.z + 1 : 1}};
}

static inline oct_box cube(int dims, oct_vec at, int32_t edge)
{
    return (oct_box){{at.x, at.y, dims == 3 ? at.z : 0},
                     {at.x + edge, at.y + edge, dims == 3 ? at.z + edge : 1}};
}

// A box inside another one, mostly small.
static inline oct_box random_box(oct_random *random, int dims, oct_box within)
{
    const int32_t lo[3] = {within.min.x, within.min.y, within.min.z};
    const int32_t hi[3] = {within.max.x, within.max.y, within.max.z};
    const bool small = oct_random_below(random, 5) != 0;
    int32_t from[3] = {0, 0, 0}, to[3] = {0, 0, 1};
    for (int axis = 0; axis < dims; axis++) {
        const int32_t length = oct_random_range(random, 1, small ? 2 : hi[axis] - lo[axis]);
        from[axis] = oct_random_range(random, lo[axis], hi[axis] - length);
        to[axis] = from[axis] + length;
    }
    return (oct_box){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
}

#endif
