// SPDX-License-Identifier: MIT
// Two plain maps to compare the octree with and to check it by: the voxel grid and the set of
// blocked cells (the NavGrid) of Hoekzema 2024, 5.8 and 5.9.
//
// Both hold the same facts of every cell as oct_map does and answer a few questions about them, in
// the most direct way: cell by cell. They do not decide what is in sight. An oct_map does that, and
// they repeat what its observation has found.
//
// Paths go from cell to cell over faces, edges and corners: A* with the straight distance as its
// estimate, and Dijkstra's algorithm to the nearest cell of the frontier (Hoekzema 2024, 6.2).
//
// After an error a baseline may only be destroyed. It belongs to one thread.
#ifndef OCTANT_BASELINE_H
#define OCTANT_BASELINE_H

#include "octant/explore.h"
#include "octree/cell_set.h"

typedef struct oct_baseline_map oct_baseline_map;

typedef enum baseline_kind {
    BASELINE_GRID, // a dense array of one byte per cell
    BASELINE_SET,  // a hash set of blocked cells, and where the observed part of each row is
    BASELINE_KIND_COUNT
} baseline_kind;

// "grid", "set"; NULL for anything else.
const char *oct_baseline_name(baseline_kind kind);

// ---- life ----

// Creates a baseline with the lattice and the padding of a map; everything is UNKNOWN. The
// allocator is copied; NULL = malloc. On failure *out is NULL.
oct_result oct_baseline_map_create(baseline_kind kind, const oct_map *like,
                                   const oct_allocator *may_be_null, oct_baseline_map **out);
void oct_baseline_map_destroy(oct_baseline_map *may_be_null);

baseline_kind oct_baseline_map_kind(const oct_baseline_map *b);

// ---- edits ----

// Marks the facts of a region's cells.
oct_result oct_baseline_map_mark(oct_baseline_map *b, const cell_set *cells, oct_mark mark);

// Adds a thing, or puts it in the place of the one that has its id.
oct_result oct_baseline_map_put(oct_baseline_map *b, const oct_thing *thing);
// No error where there is none of that id.
oct_result oct_baseline_map_remove(oct_baseline_map *b, uint64_t id);

// Repeats the last observation of a map, which succeeded. `things` are those that were passed to
// it.
oct_result oct_baseline_map_repeat(oct_baseline_map *b, const oct_map *map, const oct_thing *things,
                                   size_t count);

// ---- questions ----

oct_label oct_baseline_map_label(const oct_baseline_map *b, oct_vec cell);

// How many cells of a box have each label; looks at every one.
void oct_baseline_map_count(const oct_baseline_map *b, oct_box box, uint64_t counts[3]);

// The cells around a cell (26; 8 at two dimensions) that have one of the labels.
size_t oct_baseline_map_neighbours(const oct_baseline_map *b, oct_vec cell, oct_labels labels,
                                   oct_vec out[26]);

// The OPEN cell within the bounds (NULL = none) whose middle is nearest to that of a cell; false
// where there is none within 256 cells.
bool oct_baseline_map_anchor(const oct_baseline_map *b, const oct_box *bounds, oct_vec at,
                             oct_vec *cell);

// The shortest way from a body through OPEN cells, within the bounds, to an OPEN cell. The path's
// arrays are the baseline's until its next search.
oct_result oct_baseline_map_plan(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                 oct_vec to, oct_path *out);

// Tells it that the body has looked around from a place: its cell is left out of exploring until
// something around it changes. OCT_ERROR_RANGE outside the lattice or the bounds.
oct_result oct_baseline_map_arrive(oct_baseline_map *b, const oct_box *bounds, oct_point at);

// The nearest cell of the frontier, as oct_explorer_next chooses with OCT_STRATEGY_NEAREST. Asking
// changes no answer.
oct_result oct_baseline_map_explore(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_exploration *out);

// Goes to a point, on the shortest way through OPEN cells: ARRIVE. A point inside something counts
// as the OPEN cell that is nearest to it. If no way is known: GO, to the cell of the frontier with
// the shortest way there and on in a straight line. UNREACHABLE where nothing is left to look at;
// it cannot tell whether that leaves a way. OCT_ERROR_RANGE where one of the two is outside the
// lattice or the bounds.
oct_result oct_baseline_map_towards(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_point to, oct_exploration *out);

// Whether a cell is OPEN and the cell across one of its faces, within the bounds, is UNKNOWN.
bool oct_baseline_map_is_frontier(const oct_baseline_map *b, const oct_box *bounds, oct_vec cell);

// The cell that holds a point; false where it leaves the lattice.
bool oct_baseline_map_cell_at(const oct_baseline_map *b, oct_point at, oct_vec *cell);

// Counts what stayed unknown as oct_explorer_remains does.
oct_result oct_baseline_map_remains(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_remains *out);

// ---- measures ----

typedef struct baseline_size {
    size_t cells;   // bytes of the structure
    size_t things;  // bytes of the list of things
    size_t search;  // bytes of what searches keep
    uint64_t nodes; // voxels of the grid; blocked cells of the set
    oct_box box;    // what the grid spans; of the set what holds every cell that was ever edited
} baseline_size;

baseline_size oct_baseline_map_measure(const oct_baseline_map *b);

#endif
