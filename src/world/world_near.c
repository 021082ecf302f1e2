// SPDX-License-Identifier: MIT
// The part of a world that is near a place: saves may hold grids that are kilometres apart.
#include "world/world_internal.h"

#include "geom/geom_internal.h"

#include <stdlib.h>

typedef struct grid_extent {
    uint32_t grid;
    oct_bounds box;
} grid_extent;

static bool is_near(const oct_bounds *box, oct_point at, double distance)
{
    const double lo[3] = {box->min.x - at.x, box->min.y - at.y, box->min.z - at.z};
    const double hi[3] = {at.x - box->max.x, at.y - box->max.y, at.z - box->max.z};
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double off = lo[axis] > 0.0 ? lo[axis] : hi[axis] > 0.0 ? hi[axis] : 0.0;
        square += off * off;
    }
    return square <= distance * distance;
}

static int by_grid(const void *a, const void *b)
{
    const uint32_t x = ((const grid_extent *)a)->grid, y = ((const grid_extent *)b)->grid;
    return (x > y) - (x < y);
}

oct_result oct_world_extent_near(const oct_world *world, oct_point at, double distance,
                                 oct_bounds *out)
{
    const size_t count = oct_world_blocks(world);
    oct_array blocks = {.items = NULL};
    oct_bounds stated;
    *out = (oct_bounds){at, at};
    if (oct_world_bounds(world, &stated)) {
        *out = bounds_join(*out, stated);
    }
    OCT_TRY(oct_array_reserve(&blocks, &world->allocator, sizeof(grid_extent), count));
    grid_extent *const all = blocks.items;
    for (size_t i = 0; i < count; i++) {
        const oct_world_block block = oct_world_get(world, i);
        all[i] = (grid_extent){block.grid, block.box};
    }
    if (count > 1) {
        qsort(all, count, sizeof *all, by_grid);
    }
    for (size_t i = 0; i < count;) {
        grid_extent grid = all[i];
        for (; i < count && all[i].grid == grid.grid; i++) {
            grid.box = bounds_join(grid.box, all[i].box);
        }
        *out = is_near(&grid.box, at, distance) ? bounds_join(*out, grid.box) : *out;
    }
    oct_array_free(&blocks, &world->allocator, sizeof(grid_extent));
    return OCT_OK;
}
