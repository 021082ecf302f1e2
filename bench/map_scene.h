// SPDX-License-Identifier: MIT
// A scene of the map's benches: a map, the work to be done on it (drawn from a fixed seed, the same
// for every structure), and all structures built from it.
//
// Queries run on a tree whose allocator counts; edits run on a second tree, which gets its content
// back before each round, so that its pools are as warm as a game's would be.
#ifndef OCTANT_MAP_SCENE_H
#define OCTANT_MAP_SCENE_H

#include "bench/baselines.h"
#include "octant/generate.h"

#define POINT_COUNT 16384
#define PICK_COUNT 8192
#define RAY_COUNT 4096
#define DOUBLE_COUNT 512
#define BOX_COUNT_MAX 256

typedef struct segment {
    oct_fine from, to;
} segment;

typedef struct map_scene {
    oct_tree *tree;
    uint64_t allocations;   // that the tree made so far
    uint64_t allocations_0; // and had made when it was ready for queries
    oct_box box;            // its cells, from 0 on
    void *file;             // the .3dmap it came from, or NULL
    size_t file_size;
    oct_array runs; // of oct_box: BLOCKED cells in rows along x, in the order of a .3dmap

    oct_vec points[POINT_COUNT];
    uint32_t picks[PICK_COUNT];  // indices of OPEN leaves
    oct_leaf picked[PICK_COUNT]; // those leaves
    segment segments[RAY_COUNT];
    oct_vec outside[DOUBLE_COUNT]; // cells next to the root
    oct_box boxes[BOX_COUNT_MAX];  // of 8^3 cells
    size_t box_count;
    oct_leaf *neighbours; // room for those of any leaf
    size_t neighbours_max;

    link_set links;
    code_set codes;
    oct_tree *edited; // the same map again
    code_set edited_codes;
    oct_tree *built; // what the last build or load made
    code_set built_codes;
} map_scene;

// Both start from a scene that is all zero and must not move; after a failure it is to be freed.
oct_result oct_scene_generate(map_scene *scene, oct_generate_kind kind, uint32_t size);
oct_result oct_scene_load(map_scene *scene, const char *path, oct_error *error);

// Draws the work and builds the structures.
oct_result oct_scene_set_up(map_scene *scene);

// Builds the map as a program would that gets its runs one by one. On failure *out may be left
// half built, for the caller to destroy.
oct_result oct_scene_build(const map_scene *scene, oct_tree **out);

void oct_scene_free(map_scene *scene);

#endif
