// SPDX-License-Identifier: MIT
// Small worlds of boxes for tests of tours.
#ifndef OCTANT_TESTS_TOUR_SCENE_H
#define OCTANT_TESTS_TOUR_SCENE_H

#include "base/base_internal.h"
#include "explore_oracle.h"
#include "octant/tree.h"
#include "support.h"
#include "verify/tour.h"

#include <math.h>

typedef struct tour_scene {
    oct_map *map, *truth;
    oct_explorer *explorer;
    oct_box bounds;
    oct_vec start; // a cell that is free
    tour_def def;
    uint64_t seed;
} tour_scene;

static inline oct_map *scene_map(const oct_map *like, const oct_allocator *allocator)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = oct_tree_cell_size(oct_map_tree(like));
    def.origin = oct_tree_origin(oct_map_tree(like));
    def.padding = oct_map_padding(like);
    def.dims = oct_tree_dims(oct_map_tree(like));
    def.allocator = allocator;
    oct_map *map = NULL;
    return oct_map_create(&def, &map) == OCT_OK ? map : NULL;
}

// Boxes of which some are as long as the world, in a room that is closed in three of four worlds.
static inline void scene_fill(tour_scene *s, oct_random *random, int32_t edge, bool closed)
{
    const double cell = oct_tree_cell_size(oct_map_tree(s->truth));
    const oct_point o = oct_tree_origin(oct_map_tree(s->truth));
    const bool flat = oct_tree_dims(oct_map_tree(s->truth)) == 2;
    const uint64_t count = 4 + oct_random_below(random, flat ? 20 : 40);
    for (uint64_t id = 1; id <= count; id++) {
        double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
        const uint64_t thin = oct_random_below(random, flat ? 2 : 3);
        const bool wall = oct_random_below(random, 3) == 0;
        for (uint64_t axis = 0; axis < (flat ? 2 : 3); axis++) {
            const double length = axis == thin ? 1.0 : wall ? edge * 0.6 : 2.0;
            lo[axis] = oct_random_unit(random) * edge;
            hi[axis] = lo[axis] + length * oct_random_unit(random);
        }
        const oct_thing each = {
            .id = id,
            .box = {{o.x + lo[0] * cell, o.y + lo[1] * cell, flat ? 0 : o.z + lo[2] * cell},
                    {o.x + hi[0] * cell, o.y + hi[1] * cell, flat ? 0 : o.z + hi[2] * cell}},
            .label = OCT_BLOCKED,
            .opaque = oct_random_below(random, 4) > 0};
        assert_int_equal(oct_map_add(s->truth, &each), OCT_OK);
    }
    const double e = edge * cell;
    for (uint64_t side = 0; closed && side < (flat ? 4 : 6); side++) {
        double lo[3] = {-cell, -cell, -cell}, hi[3] = {e + cell, e + cell, e + cell};
        *(side % 2 ? &lo[side / 2] : &hi[side / 2]) = side % 2 ? e : 0.0;
        const oct_thing each = {.id = 1000 + side,
                                .box = {{o.x + lo[0], o.y + lo[1], flat ? 0 : o.z + lo[2]},
                                        {o.x + hi[0], o.y + hi[1], flat ? 0 : o.z + hi[2]}},
                                .label = OCT_BLOCKED,
                                .opaque = 1};
        assert_int_equal(oct_map_add(s->truth, &each), OCT_OK);
    }
}

static inline oct_point scene_middle(const oct_map *map, oct_vec c)
{
    const double cell = oct_tree_cell_size(oct_map_tree(map));
    const oct_point o = oct_tree_origin(oct_map_tree(map));
    return (oct_point){o.x + (c.x + 0.5) * cell, o.y + (c.y + 0.5) * cell,
                       oct_tree_dims(oct_map_tree(map)) == 2 ? 0.0 : o.z + (c.z + 0.5) * cell};
}

// A body in a free cell of a random world. False where none was found.
static inline bool scene_make(tour_scene *s, uint64_t seed, const oct_allocator *allocator)
{
    oct_random random = oct_random_seed(seed);
    const bool flat = seed % 4 == 0;
    const int32_t edge = flat ? 16 : 9;
    oct_map_def def = oct_map_def_default();
    *s = (tour_scene){.seed = seed};
    def.cell_size = oct_random_below(&random, 2) ? 1.0 : 0.7;
    def.origin = (oct_point){oct_random_unit(&random), -3.25, 7.0};
    def.dims = flat ? 2 : 3;
    const double pad = (double)oct_random_below(&random, 3) * 0.3;
    def.padding = (oct_point){pad, pad, pad};
    assert_int_equal(oct_map_create(&def, &s->truth), OCT_OK);
    scene_fill(s, &random, edge, oct_random_below(&random, 4) > 0);
    s->bounds = (oct_box){{-1, -1, flat ? 0 : -1}, {edge + 1, edge + 1, flat ? 1 : edge + 1}};
    bool found = false;
    for (int tries = 0; tries < 100 && !found; tries++) {
        s->start = (oct_vec){oct_random_range(&random, 0, edge - 1),
                             oct_random_range(&random, 0, edge - 1),
                             flat ? 0 : oct_random_range(&random, 0, edge - 1)};
        found = oct_tree_label(oct_map_tree(s->truth), s->start) != OCT_BLOCKED;
    }
    assert_int_equal(oct_map_set_box(s->truth, s->bounds, OCT_MARK_KNOWN), OCT_OK);
    s->map = scene_map(s->truth, allocator);
    s->def = (tour_def){.map = s->map,
                        .truth = s->truth,
                        .bounds = &s->bounds,
                        .start = scene_middle(s->truth, s->start),
                        .forward = {1, 0, 0},
                        .radius = (4.0 + oct_random_unit(&random)) * def.cell_size,
                        .sight = oct_random_below(&random, 2) ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH,
                        .fov = oct_random_below(&random, 3) ? 360.0 : 100.0,
                        .step = oct_random_below(&random, 2) ? 100.0 : 1.3,
                        .tell_more = true,
                        .allocator = allocator};
    return found && s->map;
}

static inline oct_result scene_explorer(tour_scene *s, oct_strategy strategy,
                                        const oct_allocator *allocator)
{
    oct_explorer_def def = oct_explorer_def_default();
    def.map = s->map;
    def.bounds = &s->bounds;
    def.radius = s->def.radius;
    def.strategy = strategy;
    def.allocator = allocator;
    const oct_result result = oct_explorer_create(&def, &s->explorer);
    s->def.explorer = s->explorer;
    return result;
}

static inline void scene_free(tour_scene *s)
{
    oct_explorer_destroy(s->explorer);
    oct_map_destroy(s->map);
    oct_map_destroy(s->truth);
}

#endif
