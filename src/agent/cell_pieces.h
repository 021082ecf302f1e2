// SPDX-License-Identifier: MIT
// Cells that are partly solid, as pieces.
//
// Along walls, and in slits that no body enters, cells are partly solid. What of them is free falls
// into pieces, and one gets from piece to piece where they share some area: so no line leads along
// the seam of two boxes. Each frame has a lattice of its own, in which its boxes cut cells exactly;
// what is turned to it is cut in smaller and smaller cubes, of which only those count as solid that
// are wholly so.
#ifndef OCTANT_CELL_PIECES_H
#define OCTANT_CELL_PIECES_H

#include "agent/solid_list.h"
#include "base/key_table.h"

// What is free of the cells of a lattice in a frame. It remembers what it was asked.
typedef struct piece_index {
    oct_allocator allocator;
    const solid_list *solids;
    uint32_t frame;
    const oct_tree *lattice;
    key_table cells;  // indices of spans
    oct_array spans;  // of piece_span
    oct_array pieces; // of oct_bounds
} piece_index;

// Pieces of one cell, of an index; good until it is asked again.
typedef struct cell_pieces {
    const oct_bounds *all;
    uint32_t count;
} cell_pieces;

// Of what is solid, on the lattice of a tree taken along the axes of a frame. All is borrowed.
piece_index oct_piece_index_of(const oct_tree *lattice, const solid_list *solids, uint32_t frame,
                               const oct_allocator *allocator);
void oct_piece_index_free(piece_index *index);

// What is left of a cell. A cell that falls into very many pieces is taken as one.
oct_result oct_piece_index_get(piece_index *index, oct_vec cell, cell_pieces *out);

// The box of a cell, metres.
oct_bounds oct_cell_bounds(const oct_tree *lattice, oct_vec cell);

// Whether two boxes that do not overlap share some area of their faces, or overlap.
bool oct_pieces_touch(const oct_bounds *a, const oct_bounds *b);

#endif
