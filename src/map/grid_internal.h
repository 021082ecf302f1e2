// SPDX-License-Identifier: MIT
// The insides of the dense grid: one byte a cell, in chunks. The voxel grid of seed 000, 5.8, to
// compare with.
//
// A directory, itself a dense array, holds the chunks of the smallest box of chunks that was
// touched. It is made anew when that box grows, in whichever of the six directions; chunks never
// move. An edit brings every chunk that its box meets into being.
//
// Eight cells are one word, and edits and questions work on words: a plane is the lowest bit of
// every byte. Places are counted from the lowest int32, so that chunks are found by shifts.
//
//   chunk  32 x 32 x 32 cells = 32 KB; 64 x 64 cells = 4 KB at two dimensions; rows along x
#ifndef OCTANT_GRID_INTERNAL_H
#define OCTANT_GRID_INTERNAL_H

#include "map/store_cells.h"

#define GRID_ALIGN 64                      // of chunks: a cache line
#define LANES UINT64_C(0x0101010101010101) // the lowest bit of every byte

// A box of chunks, in places of chunks.
typedef struct chunk_range {
    uint32_t first[3], size[3];
} chunk_range;

typedef struct grid {
    oct_allocator allocator;
    int dims;
    uint32_t shift;       // edge of a chunk = 2^shift cells
    chunk_range all;      // what the directory spans; size 0 while there is none
    uint64_t **directory; // chunks, x fastest; NULL where nothing was touched
    size_t chunks;        // that are there
    journal journal;
    growth_meter *meter;
} grid;

// ---- places ----

OCT_FORCE_INLINE uint32_t biased(int32_t at)
{
    return (uint32_t)at ^ UINT32_C(0x80000000);
}

OCT_FORCE_INLINE int32_t unbiased(uint32_t at)
{
    return (int32_t)(at ^ UINT32_C(0x80000000));
}

// Where the directory holds a chunk; NULL where it does not reach.
OCT_FORCE_INLINE uint64_t **slot_at(const grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    const chunk_range *all = &g->all;
    const uint32_t i = x - all->first[0], j = y - all->first[1], k = z - all->first[2];
    if (i >= all->size[0] || j >= all->size[1] || k >= all->size[2]) {
        return NULL;
    }
    return g->directory + ((size_t)k * all->size[1] + j) * all->size[0] + i;
}

// The words of a row begin here in its chunk.
OCT_FORCE_INLINE size_t row_offset(const grid *g, uint32_t y, uint32_t z)
{
    const uint32_t low = (1u << g->shift) - 1u;
    return (((size_t)(z & low) << g->shift | (y & low)) << g->shift) / 8u;
}

// The words of the row that holds a cell, in its chunk; NULL where the chunk is not there.
OCT_FORCE_INLINE const uint64_t *row_at(const grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t **slot = slot_at(g, x >> g->shift, y >> g->shift, z >> g->shift);
    return slot && *slot ? *slot + row_offset(g, y, z) : NULL;
}

// ---- rows ----

// The part of a row that lies in one chunk: cells from ... to - 1 of it.
typedef struct piece {
    uint64_t *words; // of the row in the chunk; NULL where the chunk is not there
    int32_t x;       // of the row's first cell in the chunk
    uint32_t from, to;
} piece;

typedef struct pieces {
    uint64_t **chunk; // of the next piece
    size_t offset;    // of the row in each chunk
    uint32_t shift;
    uint32_t at, end; // what is left of the row
} pieces;

// A run of cells in one row, which the directory must span.
OCT_FORCE_INLINE pieces row_pieces(const grid *g, run cells, int32_t y, int32_t z)
{
    const uint32_t x = biased(cells.from), by = biased(y), bz = biased(z), s = g->shift;
    return (pieces){.chunk = slot_at(g, x >> s, by >> s, bz >> s),
                    .offset = row_offset(g, by, bz),
                    .shift = s,
                    .at = x,
                    .end = biased(cells.to)};
}

OCT_FORCE_INLINE bool pieces_next(pieces *p, piece *out)
{
    if (p->at >= p->end) {
        return false;
    }
    const uint32_t start = p->at >> p->shift << p->shift, next = start + (1u << p->shift);
    uint64_t *chunk = *p->chunk++;
    *out = (piece){.words = chunk ? chunk + p->offset : NULL,
                   .x = unbiased(start),
                   .from = p->at - start,
                   .to = (p->end < next ? p->end : next) - start};
    p->at = next;
    return true;
}

// All bits of the cells of one word that lie in a piece.
OCT_FORCE_INLINE uint64_t piece_mask(const piece *p, uint32_t word)
{
    uint64_t mask = UINT64_MAX;
    if (word == p->from / 8u) {
        mask <<= p->from % 8u * 8u;
    }
    if (word == (p->to - 1u) / 8u) {
        mask &= UINT64_MAX >> (7u - (p->to - 1u) % 8u) * 8u;
    }
    return mask;
}

// ---- words ----

// The cells of a word that are BLOCKED, and that are OPEN.
typedef struct planes {
    uint64_t blocked, open;
} planes;

OCT_FORCE_INLINE planes word_planes(uint64_t word)
{
    const uint64_t blocked = (word >> 1 | word >> 2) & LANES;
    return (planes){blocked, word & ~(word >> 3) & ~blocked & LANES};
}

// The cells of a word that have one of the labels.
OCT_FORCE_INLINE uint64_t word_with(uint64_t word, oct_labels labels)
{
    const planes p = word_planes(word);
    return (labels & OCT_HAS_BLOCKED ? p.blocked : 0u) | (labels & OCT_HAS_OPEN ? p.open : 0u) |
           (labels & OCT_HAS_UNKNOWN ? LANES & ~(p.blocked | p.open) : 0u);
}

// The smallest run that holds all cells of a plane, of a word that begins at x.
OCT_FORCE_INLINE run word_run(uint64_t plane, int32_t x)
{
    return (run){x + (int32_t)(oct_lowest_bit(plane) / 8u),
                 x + (int32_t)((oct_bit_length(plane) + 7u) / 8u)};
}

// ---- chunks: grid_chunks.c ----

// The chunks that a box meets.
chunk_range oct_grid_range(const grid *g, const oct_box *box);

// How many there are; false where that does not fit a size.
bool oct_range_count(const chunk_range *range, size_t *count);

// The nth of them, x fastest, and where the directory holds it (NULL: it does not reach).
chunk_range oct_range_part(const chunk_range *range, size_t n);
uint64_t **oct_range_slot(const grid *g, const chunk_range *range, size_t n);

// All cells of a range; one layer at two dimensions.
oct_box oct_range_box(const grid *g, const chunk_range *range);

// The part of a box that the directory spans; false where there is none.
bool oct_grid_clip(const grid *g, oct_box *box);

// The rows of a box that the directory spans, in order of z and y; without those of which every
// chunk is missing.
typedef struct grid_walk {
    const grid *g;
    oct_box box;
    int32_t y, z; // next row
} grid_walk;

OCT_FORCE_INLINE grid_walk grid_walk_start(const grid *g, const oct_box *box)
{
    return (grid_walk){g, *box, box->min.y, box->min.z};
}

// The next row; false at the end.
bool oct_grid_walk_next(grid_walk *walk, int32_t *y, int32_t *z);

// Brings all chunks that a box meets into being.
oct_result oct_grid_reserve(grid *g, const oct_box *box);

// Frees the chunks in which nothing is known.
oct_result oct_grid_shrink(void *store);

// Frees everything but the journal and the grid itself.
void oct_grid_free(grid *g);

size_t oct_chunk_bytes(const grid *g);
size_t oct_directory_count(const grid *g); // places for chunks
size_t oct_grid_memory(const grid *g);     // bytes of the directory and all chunks

// ---- questions of a store: grid_query.c ----

oct_label oct_grid_label(const void *store, oct_vec cell);
oct_leaf oct_grid_leaf(const void *store, oct_vec cell);
oct_labels oct_grid_labels_in(const void *store, oct_box box);
oct_result oct_grid_count(const void *store, oct_box box, uint64_t counts[3]);
oct_box oct_grid_extent(const void *store, oct_labels labels);
bool oct_grid_leaves(const void *store, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                     void *ctx);
size_t oct_grid_neighbours(const void *store, oct_leaf leaf, uint32_t directions, oct_labels labels,
                           oct_leaf *out, size_t capacity);

#endif
