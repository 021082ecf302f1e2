// SPDX-License-Identifier: MIT
// Cells that are partly solid, as exact pieces.
//
// Along walls, and in slits that no body enters, cells are partly solid. What of them is free falls
// into pieces, and one gets from piece to piece where they share some area: so no line leads along
// the seam of two boxes.
#ifndef OCTANT_CELL_PIECES_H
#define OCTANT_CELL_PIECES_H

#include "base/base_internal.h"
#include "octant/map.h"

#define PIECES_MAX 64

typedef struct cell_pieces {
    oct_bounds all[PIECES_MAX];
    uint32_t count;
} cell_pieces;

// What is left of a cell outside of the things of a map, whatever their labels. A cell that falls
// into more pieces than there is room for is taken as one.
cell_pieces oct_cell_pieces_of(const oct_map *boxes, oct_vec cell);

// The box of a cell, metres.
oct_bounds oct_cell_bounds(const oct_map *boxes, oct_vec cell);

// Whether two boxes that do not overlap share some area of their faces, or overlap.
bool oct_pieces_touch(const oct_bounds *a, const oct_bounds *b);

// Adds boxes (of oct_bounds) to a map as things that are in nobody's way.
oct_result oct_cell_pieces_index(const oct_array *boxes, oct_map *out);

#endif
