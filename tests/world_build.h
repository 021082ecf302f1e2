// SPDX-License-Identifier: MIT
// What the tests of a world's grids and parts share: worlds, grids and blocks made in a line.
#ifndef OCTANT_TESTS_WORLD_BUILD_H
#define OCTANT_TESTS_WORLD_BUILD_H

#include "support.h"

#include "world/world_internal.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline oct_world *new_world(void)
{
    oct_world *world;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    return world;
}

static const oct_pose usual_pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}};

static inline oct_world_grid grid_of(uint64_t id)
{
    return (oct_world_grid){.id = id, .pose = usual_pose, .cell = 2.5};
}

static inline oct_world_block placed_at(uint64_t id, oct_vec cell)
{
    return (oct_world_block){.id = id,
                             .label = OCT_BLOCKED,
                             .placed = true,
                             .forward = OCT_SIDE_FORWARD,
                             .up = OCT_SIDE_UP,
                             .cell = cell};
}

#endif
