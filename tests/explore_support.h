// SPDX-License-Identifier: MIT
// Small worlds to explore: what is there, a body that sees it, and what it could reach.
#ifndef OCTANT_TESTS_EXPLORE_SUPPORT_H
#define OCTANT_TESTS_EXPLORE_SUPPORT_H

#include "base/base_internal.h"
#include "octant/explore.h"
#include "support.h"
#include "verify/exact_path.h"

#define EXPLORE_THINGS_MAX 160

typedef struct explore_scene {
    uint64_t seed;
    oct_random random;
    int dims;
    oct_map *map;   // the body's
    oct_map *truth; // all things, everything observed
    oct_box bounds; // cells
    oct_view view;  // where the body is, and how it sees
    size_t count;   // things
    size_t things_seen;
    oct_thing things[EXPLORE_THINGS_MAX];
} explore_scene;

// Walls with holes, and rubble, in a room of `edge` metres; the body in a free cell. Things have
// ids from 1, tags of their own, and are opaque. The struct must not move.
void explore_scene_init(explore_scene *s, uint64_t seed, int dims, int32_t edge,
                        const oct_allocator *allocator);
void explore_scene_free(explore_scene *s);

// The body looks around.
void explore_observe(explore_scene *s);

// The cell that the body is in.
oct_vec explore_cell(const explore_scene *s);

// Whether each cell of the bounds can be reached from the body in the true world, over faces; x
// fastest. The caller frees it.
uint8_t *explore_flood(const explore_scene *s, const oct_map *map, oct_vec from);

size_t explore_cells(const explore_scene *s);
size_t explore_index(const explore_scene *s, oct_vec cell);

#endif
