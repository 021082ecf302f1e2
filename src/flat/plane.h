// SPDX-License-Identifier: MIT
// A flat map as rows of bits: what the searches of the 2D laboratory look at.
//
// One bit a cell, set where it is free, within the bounds (and the tree's root, where UNKNOWN is in
// the way), with blocked cells all around: so a scan along a row needs no other end, and runs of 64
// cells are found with one instruction. Columns are the same bits turned, made when first asked
// for. Both are kept while the tree, its revision, the bounds and what counts as free are the same.
//
// Plane coordinates count cells from the frame's smallest one; lattice point (x, y) is the lower
// corner of cell (x, y). Cells from -1 to width, and from -1 to height + PLANE_MARGIN, may be asked
// for.
#ifndef OCTANT_PLANE_H
#define OCTANT_PLANE_H

#include "search/graph_internal.h"

// Rows and columns of blocked cells beyond the last: blocks may reach over the edge.
#define PLANE_MARGIN 4
// Cells along an axis at most: products of sub-lattice differences fit 64 bits.
#define PLANE_EDGE_MAX (1 << 20)
// Cells at most: 512 MB of rows.
#define PLANE_CELLS_MAX (UINT64_C(1) << 32)

typedef struct bit_plane {
    int32_t x, y;          // the frame's smallest cell
    int32_t width, height; // cells
    // Row y begins at word (y + 1) * row_words, and holds cell x in bit x + 64: so a word before
    // and one behind any cell exist, and are blocked.
    uint64_t *rows;
    size_t row_words;
    uint64_t *columns; // the same with x and y exchanged; NULL = not made yet
    size_t column_words;
    size_t row_room, column_room; // words of memory
    uint32_t version;             // rises whenever the rows are made anew
    // What it is true of.
    const oct_tree *tree;
    uint64_t revision;
    oct_labels free;
    oct_box bounds;
} bit_plane;

// Makes the rows true of a view, which must be flat. OCT_ERROR_RANGE where the frame is too large.
oct_result oct_plane_begin(bit_plane *p, const oct_allocator *allocator, const view *v);

// Makes the columns, of rows that have begun.
oct_result oct_plane_turn(bit_plane *p, const oct_allocator *allocator);

void oct_plane_free(bit_plane *p, const oct_allocator *allocator);
size_t oct_plane_bytes(const bit_plane *p);

// Turns 64 x 64 bits around their diagonal.
void oct_turn_square(uint64_t square[64]);

OCT_FORCE_INLINE const uint64_t *plane_row(const bit_plane *p, int32_t y)
{
    return p->rows + (size_t)(y + 1) * p->row_words;
}

OCT_FORCE_INLINE const uint64_t *plane_column(const bit_plane *p, int32_t x)
{
    return p->columns + (size_t)(x + 1) * p->column_words;
}

OCT_FORCE_INLINE bool plane_is_free(const bit_plane *p, int32_t x, int32_t y)
{
    const uint32_t bit = (uint32_t)(x + 64);
    return plane_row(p, y)[bit >> 6] >> (bit & 63u) & 1u;
}

// 64 cells of a row (or column) from cell x on, the first in bit 0.
OCT_FORCE_INLINE uint64_t plane_bits(const uint64_t *row, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 64), shift = bit & 63u;
    const uint64_t *const word = row + (bit >> 6);
    return shift ? word[0] >> shift | word[1] << (64u - shift) : word[0];
}

// The first cell at or above x that is blocked.
OCT_FORCE_INLINE int32_t plane_blocked_from(const uint64_t *row, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 64);
    size_t word = bit >> 6;
    uint64_t found = ~row[word] & UINT64_MAX << (bit & 63u);
    while (!found) {
        found = ~row[++word];
    }
    return (int32_t)(word << 6) + (int32_t)oct_lowest_bit(found) - 64;
}

// The last cell at or below x that is blocked.
OCT_FORCE_INLINE int32_t plane_blocked_to(const uint64_t *row, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 64);
    size_t word = bit >> 6;
    uint64_t found = ~row[word] & UINT64_MAX >> (63u - (bit & 63u));
    while (!found) {
        found = ~row[--word];
    }
    return (int32_t)(word << 6) + (int32_t)oct_bit_length(found) - 65;
}

// The first cell at or above x, and below `end`, that is free; `end` where there is none.
OCT_FORCE_INLINE int32_t plane_free_from(const uint64_t *row, int32_t x, int32_t end)
{
    while (x < end) {
        const uint64_t found = plane_bits(row, x);
        if (found) {
            const int32_t at = x + (int32_t)oct_lowest_bit(found);
            return at < end ? at : end;
        }
        x += 64;
    }
    return end;
}

// The free cells around a lattice point: bit 0 below and left of it, 1 below and right, 2 above and
// left, 3 above and right.
OCT_FORCE_INLINE uint32_t plane_quads(const bit_plane *p, int32_t x, int32_t y)
{
    const uint64_t below = plane_bits(plane_row(p, y - 1), x - 1) & 3u;
    const uint64_t above = plane_bits(plane_row(p, y), x - 1) & 3u;
    return (uint32_t)(below | above << 2);
}

#endif
