// SPDX-License-Identifier: MIT
// What Abdo 2017 tests on (chapter 4): a cube of 500 m, 16 leaves along an edge, with a wall or
// with random obstacles, and units that fly from random starts to random goals. And the two trees
// that it compares, behind one interface: they hold the same obstacles and units in the same
// leaves.
#ifndef OCTANT_UNITS_SCENE_H
#define OCTANT_UNITS_SCENE_H

#include "base/base_internal.h"
#include "octant/generate_world.h"

#define UNITS_EDGE 16         // of the world, leaves
#define UNITS_DEPTH 4         // layers below the root: 2^4 leaves along an edge
#define UNITS_LEAF 31.25      // edge of a leaf, metres
#define UNITS_MAX 15          // in a run
#define UNITS_OBSTACLES 500   // at most
#define UNITS_STEP (1.0 / 16) // of a flight, leaves: how often a unit says where it is

typedef struct units_run {
    oct_point obstacles[UNITS_OBSTACLES];
    size_t obstacle_count;
    oct_point starts[UNITS_MAX], goals[UNITS_MAX];
    int units;
} units_run;

// The run of that number: the same obstacles for any count of units, and the first units of more
// are those of fewer. A start is in a leaf that nothing else is in; a goal in another leaf than its
// start, whatever is there.
oct_result oct_units_draw(units_run *run, oct_generate_world_kind kind, uint64_t number, int units);

// The leaf that a point is in, on a border the lower one: x + 16 y + 256 z. The point must be in
// the world.
uint32_t oct_units_leaf(oct_point at);
oct_point oct_units_middle(uint32_t leaf);

// Where a unit that flies along points changes its place in the tree: wherever it is farther than a
// leaf's edge from the middle of the leaf that it was last entered in (Abdo 2017, Change Obstacle
// Position). Replaces what `places`, an array of oct_point, holds.
oct_result oct_units_fly(const oct_point *points, size_t count, oct_array *places);

oct_result oct_units_add_point(oct_array *points, oct_point at);

// ---- the trees ----

// What a search brought.
typedef struct units_plan {
    bool is_found;
    uint64_t traversals; // nodes that were expanded
} units_plan;

typedef struct units_kind {
    const char *structure, *algorithm;
    oct_result (*create)(void **tree); // on failure NULL
    void (*destroy)(void *tree);
    // Holds a run, with all units at their starts, and nothing else.
    oct_result (*enter)(void *tree, const units_run *run);
    bool (*is_taken)(const void *tree, oct_point at); // by an obstacle or a unit
    // From the unit's start, where it must be, to its goal, which nothing may be in.
    oct_result (*plan)(void *tree, const units_run *run, int unit, units_plan *out);
    // Of the last plan, which was found: from start to goal. `points` is an array of oct_point.
    oct_result (*points)(const void *tree, const units_run *run, int unit, oct_array *points);
    oct_result (*move)(void *tree, int unit, oct_point to);
    // Of the nodes, and of what they hold; packed.
    oct_result (*measure)(void *tree, size_t *node_bytes, size_t *thing_bytes);
} units_kind;

extern const units_kind oct_units_full_listing;   // every node exists; Abdo's own search
extern const units_kind oct_units_full_astar;     // the same; A* over the finest
extern const units_kind oct_units_pruned_listing; // our map; Abdo's own search
extern const units_kind oct_units_pruned_greedy;  // our map; large leaves first
extern const units_kind oct_units_pruned_portal;  // our map; our own search

#endif
