// SPDX-License-Identifier: MIT
// A world of the thesis' experiments, or one of ours in its place: what is there, where one starts,
// what one looks for, and the looks that a body took which explored it.
#ifndef OCTANT_SEED000_WORLD_H
#define OCTANT_SEED000_WORLD_H

#include "base/base_internal.h"
#include "verify/tour.h"

typedef struct seed000_world {
    char name[32];
    int test;       // 1 to 4: the thesis' own; 0 = another one
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
    oct_array looks;    // of oct_point
    oct_map_bytes held; // by its map, packed
    uint64_t labels[3]; // cells of its map with each, within its extent
    oct_array near;     // of oct_thing: what the last gathering found
} seed000_world;

// The file of a test from 1 to 4, in the folder of data; false where the name is too long.
bool oct_seed000_file(const char *data, int test, char *out, size_t size);

// Where one's own memory holds the world, all zero; after a failure it is to be freed.
oct_result oct_seed000_load(seed000_world *world, int test, const char *path, oct_error *error);
// Ours: a box of glass, or one with walls in it. Below 256 cells it is cut to a cube of that edge
// around the start, and radii shrink with it.
oct_result oct_seed000_generate(seed000_world *world, bool is_maze, uint32_t size);
void oct_seed000_free(seed000_world *world);

// An empty map in the world's lattice, with its padding.
oct_result oct_seed000_map(const seed000_world *world, oct_structure structure, oct_map **out);

// A radius of the thesis as it is in this world.
double oct_seed000_radius(const seed000_world *world, double radius);

// All things within a radius, into `near`.
oct_result oct_seed000_gather(seed000_world *world, oct_point at, double radius);

// Cells with each label, within what is known.
oct_result oct_seed000_count(const oct_map *map, uint64_t labels[3]);

// Looks around, through everything.
oct_result oct_seed000_look(seed000_world *world, oct_map *map, oct_point at, double radius);

// Explores it to the end by the octree, unless that was done with the same radius, and keeps the
// looks. Times of the tour are in nanoseconds.
oct_result oct_seed000_explore(seed000_world *world, double radius);

// Brings the looks of that tour into a map.
oct_result oct_seed000_replay(seed000_world *world, oct_map *map);

#endif
