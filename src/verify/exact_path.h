// SPDX-License-Identifier: MIT
// A judge of paths: walks every leg cell by cell, in exact fractions of 128 bits.
//
// A cell is free if it is within the lattice and the bounds, and OPEN (or UNKNOWN where that counts
// as free). A path is valid if there is a row of free cells such that each piece of the path lies
// in the closed cube of its cell, and where the path goes on to the next cell, at a point, both are
// connected over faces through free cells whose closed cubes hold that point. So it may slide along
// what is in the way, and between the cells of a plane or an edge, but not squeeze through where
// cells that are in the way meet. The same holds where it turns. In a world that lets it squeeze
// the two cells need not be connected: that both hold the point is enough.
//
// Slow, and independent of everything in src/graph and src/search. No assertion, no printing, no
// allocation: the command judges paths with it too.
#ifndef OCTANT_TESTS_EXACT_PATH_H
#define OCTANT_TESTS_EXACT_PATH_H

#include "octant/tree.h"

typedef struct exact_world {
    const oct_tree *tree;
    bool unknown_is_free;
    bool bounded;   // whether what is beyond the bounds is in the way
    oct_box bounds; // z is ignored at two dimensions
    int dims;       // of the tree; at 2 z of points is ignored too
    bool squeeze;   // at two dimensions a path may pass where cells in the way meet in a corner
} exact_world;

// Some of the cells that touch a point.
typedef struct exact_cells {
    int count;
    oct_vec cells[8];
} exact_cells;

bool exact_is_free(const exact_world *world, oct_vec cell);

// The free cells whose closed cubes hold a point.
exact_cells exact_around(const exact_world *world, oct_fine at);

// Those of them that are connected with one of `from` over faces through such cells (all, where the
// world lets a path squeeze). `from` counts only as far as it is free and touches the point.
exact_cells exact_joined(const exact_world *world, oct_fine at, const exact_cells *from);

// Whether two sets share a cell.
bool exact_cells_meet(const exact_cells *a, const exact_cells *b);

// Whether a path is valid; where not, `why` (at most `size` bytes) says why and where.
//
// With leaves_blocked the first leg is the way out of something: the first point lies in a cell
// that is not free, the second is a point of a free cell, and no free cell is nearer. Where the
// first point lies on the surface of a free cell the way out has no length, and may be left out.
// Ways longer than 64 cells are not judged. With enters_blocked the same holds for the last leg,
// backwards. A path of one point is valid if a free cell touches it.
bool exact_path_is_valid(const exact_world *world, const oct_fine *points, size_t count,
                         bool leaves_blocked, bool enters_blocked, char *why, size_t size);

// Whether the path from a to b is valid.
bool exact_sees(const exact_world *world, oct_fine a, oct_fine b);

// The same for a path that begins in one of the cells `from`, which touch a, and ends in one of the
// cells `to`, which touch b.
bool exact_sees_between(const exact_world *world, oct_fine a, const exact_cells *from, oct_fine b,
                        const exact_cells *to);

#endif
