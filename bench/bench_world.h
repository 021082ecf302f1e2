// SPDX-License-Identifier: MIT
// A world of the experiments of Hoekzema 2024, or one of ours in its place: what is there, where
// one starts, what one looks for, and what a body did that explored it; and maps of it, in the
// octree and in the baselines.
#ifndef OCTANT_BENCH_WORLD_H
#define OCTANT_BENCH_WORLD_H

#include "base/base_internal.h"
#include "verify/tour.h"

typedef enum bench_structure {
    BENCH_OCTREE,
    BENCH_GRID, // the baselines, in the order of baseline_kind
    BENCH_SET,
    BENCH_STRUCTURE_COUNT
} bench_structure;

// "octree", "grid", "set".
const char *oct_bench_structure_name(bench_structure structure);

// A map of a world. The octree is always there: beside a baseline it only decides what is in sight.
typedef struct world_map {
    oct_map *map;
    oct_baseline_map *baseline; // NULL: the octree is what is measured
} world_map;

// One step of the octree's tour.
typedef struct tour_record {
    bool is_call;     // an explore call, else a look
    oct_point at;     // of the body
    bool has_goal;    // of a call: it went to a cell of the frontier
    oct_vec frontier; // that one
} tour_record;

typedef struct bench_world {
    char name[32];
    int test;       // 1 to 4: one of Hoekzema's; 0 = another one
    bool is_plain;  // nobody explores it
    double scale;   // of radii: below 1 where ours is cut to a smaller one
    double cell;    // metres
    double padding; // metres
    oct_thing *things;
    size_t count;
    oct_map *truth;   // all of them
    oct_point start;  // of a body's centre
    oct_point middle; // the same in the middle of the world (tests 3b, 4b)
    oct_point button, goal;
    oct_box bounds; // cells of the extent of what is near the start
    // The last tour: to the end, with the octree.
    double tour_radius; // 0 = there was none
    tour_result tour;
    oct_array looks;     // of oct_point
    oct_array steps;     // of tour_record: looks and explore calls, in their order
    oct_map_bytes held;  // by its map, packed
    uint64_t tree_nodes; // of its octree
    uint64_t labels[3];  // cells of its map with each, within its extent
    oct_array near;      // of oct_thing: what the last gathering found
} bench_world;

// The file of a test from 1 to 4, in the folder of data; false where the name is too long.
bool oct_bench_world_file(const char *data, int test, char *out, size_t size);

// Where one's own memory holds the world, all zero; after a failure it is to be freed.
oct_result oct_bench_world_load(bench_world *world, int test, const char *path, oct_error *error);
// Ours: a box of glass, or one with walls in it. Below 256 cells it is cut to a cube of that edge
// around the start, and radii shrink with it.
oct_result oct_bench_world_generate(bench_world *world, bool is_maze, uint32_t size);
void oct_bench_world_free(bench_world *world);

// An empty map in the world's lattice, with its padding. The allocator is the baseline's; NULL =
// malloc. After a failure nothing is left to free.
oct_result oct_bench_world_map(const bench_world *world, bench_structure structure,
                               const oct_allocator *may_be_null, world_map *out);
void oct_bench_world_map_free(world_map *map);

// A radius of Hoekzema 2024 as it is in this world.
double oct_bench_world_radius(const bench_world *world, double radius);

// All things within a radius, into `near`.
oct_result oct_bench_world_gather(bench_world *world, oct_point at, double radius);

// Cells with each label, within what is known.
oct_result oct_bench_world_count(const world_map *map, uint64_t labels[3]);

// Looks around, through everything; adds what the measured structure took.
oct_result oct_bench_world_look(bench_world *world, world_map *map, oct_point at, double radius,
                                double *seconds);

// Nodes of a map's octree, leaves included.
uint64_t oct_bench_world_nodes(const oct_map *map);

// Explores it to the end by the octree, unless that was done with the same radius, and keeps the
// looks and calls. Times of the tour are in nanoseconds.
oct_result oct_bench_world_explore(bench_world *world, double radius);

// Brings the looks of that tour into a map.
oct_result oct_bench_world_replay(bench_world *world, world_map *map);

#endif
