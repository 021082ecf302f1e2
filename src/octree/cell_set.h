// SPDX-License-Identifier: MIT
// Sets of cells that can be marked in one go, and cells that a thing covers.
#ifndef OCTANT_CELL_SET_H
#define OCTANT_CELL_SET_H

#include "geom/convex.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

// Cells in a row of bits: bit x of row (y, z) is cell box.min + (x, y, z).
typedef struct bit_grid {
    oct_box box;      // all cells of the grid; box.min is a multiple of 8 on every axis
    size_t row_words; // 64-bit words a row
    uint64_t *words;  // rows along x, then y, then z; bits beyond the box are 0
} bit_grid;

// The word of a row that holds cell x, all relative to box.min.
OCT_FORCE_INLINE uint64_t *bit_grid_row(const bit_grid *grid, uint32_t y, uint32_t z)
{
    const size_t height = (size_t)((int64_t)grid->box.max.y - grid->box.min.y);
    return grid->words + (z * height + y) * grid->row_words;
}

typedef enum cell_set_kind {
    CELL_SET_BOX,     // the cells of `box`
    CELL_SET_BALL,    // the cells that, grown by `pad`, lie wholly inside the ball
    CELL_SET_OUTSIDE, // the cells that share no inner point with the ball (pad is not used)
    CELL_SET_BITS     // the cells whose bit is set
} cell_set_kind;

// A set of cells to be marked.
typedef struct cell_set {
    cell_set_kind kind;
    oct_box box;          // holds every cell of the set (not of OUTSIDE, which has no bounds)
    oct_point centre;     // of the ball, in cells from lattice point 0
    double radius;        // in cells
    oct_point pad;        // in cells
    const bit_grid *bits; // whose box is `box`
} cell_set;

// A body of a thing as the cells see it. OPEN things cover nothing.
typedef struct thing_cover {
    oct_box box;
    oct_label label;    // BLOCKED or UNKNOWN
    const convex *body; // covers those of the box that it meets, padded; NULL = all of them
} thing_cover;

#endif
