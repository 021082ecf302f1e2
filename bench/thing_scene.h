// SPDX-License-Identifier: MIT
// A scene of the benches of things: a world of things, where to look from, and the maps being
// measured.
#ifndef OCTANT_THING_SCENE_H
#define OCTANT_THING_SCENE_H

#include "bench/baseline_full.h"
#include "map/things.h"
#include "octant/generate_world.h"
#include "octant/world.h"

#define MOVE_COUNT 512
#define VIEW_COUNT 4

typedef struct thing_scene {
    oct_thing *things;
    size_t count;
    double cell_size;
    oct_point padding;
    // Worlds to look around in: first from `home`, then from each of the views in turn.
    bool has_views;
    oct_point home;
    oct_point views[VIEW_COUNT];
    double radius; // of the views
    // A thing that moves by one cell at a time, among the others.
    bool has_mover;
    oct_bounds moves[MOVE_COUNT + 1]; // where it is after each move
    // Abdo's octree.
    bool has_full;
    oct_bounds full_box; // the root, a cube
    int full_depth;
    full_tree full;
    uint32_t full_mover;
    thing_index loose; // our own index by itself
    uint32_t loose_mover;
    oct_map *map; // of the row that runs
} thing_scene;

// Where one's own memory holds the scene, all zero; after a failure it is to be freed.
oct_result oct_thing_scene_load(thing_scene *scene, const char *path, oct_error *error);
oct_result oct_thing_scene_generate(thing_scene *scene, oct_generate_world_kind kind);
// Boxes of cells as the reference generator lists them (both corners included, six numbers a
// line), or our own of the same kind for NULL: clusters of boxes in a cube of `size` cells.
oct_result oct_thing_scene_boxes(thing_scene *scene, const char *path, uint32_t size,
                                 oct_error *error);
void oct_thing_scene_free(thing_scene *scene);

// An empty map in the scene's lattice.
oct_result oct_thing_scene_map(const thing_scene *scene, oct_map **out);

#endif
