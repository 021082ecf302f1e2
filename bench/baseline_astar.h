// SPDX-License-Identifier: MIT
// The yardstick of the searches: plain A* on a dense grid, as one would write it today.
//
// Moves go to the 26 neighbours of a cell (8 where the box is one cell deep) and cost 1, sqrt 2 or
// sqrt 3. A move is legal if every cell of the box that the two cells span is free. Cells that are
// BLOCKED or UNKNOWN, and all outside the box, are in the way.
// This file and its source stay as they are: every ratio is measured against them.
#ifndef OCTANT_BASELINE_ASTAR_H
#define OCTANT_BASELINE_ASTAR_H

#include "base/base_internal.h"
#include "octant/tree.h"

typedef struct oct_baseline oct_baseline;

// What came out. The cells are the baseline's, until its next search.
typedef struct baseline_path {
    bool found;
    double length;        // cells
    uint64_t expanded;    // the start counts, the goal does not
    const oct_vec *cells; // from start to goal, each a move from the one before
    size_t cell_count;    // 0 where there is no path
} baseline_path;

// Copies what a tree says about a box (z is ignored at two dimensions, here and below), some 12
// bytes a cell; the allocator is copied, NULL = malloc. OCT_ERROR_RANGE where the box is empty,
// leaves the lattice, or has 2^31 cells, a border of one cell counted in. On failure *out is NULL.
oct_result oct_baseline_create(const oct_tree *tree, oct_box box, const oct_allocator *allocator,
                               oct_baseline **out);

// Frees a baseline; NULL is allowed.
void oct_baseline_destroy(oct_baseline *baseline);

// Bytes that it holds.
size_t oct_baseline_bytes(const oct_baseline *baseline);

// Searches the shortest path between two cells. Fails for want of memory alone; there is no path
// from or to a cell that is in the way.
oct_result oct_baseline_find(oct_baseline *baseline, oct_vec from, oct_vec to, baseline_path *out);

#endif
