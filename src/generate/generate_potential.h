// SPDX-License-Identifier: MIT
// Maps of a given coverage and clustering: which cell is blocked next is drawn by potential.
//
// After O. Freeman, "A Comparison of Any-Angle Pathfinding Algorithms for Virtual Agents" (2014),
// section 3.1. Every free cell has a potential, 1 at first; a blocked one has none. Where a cell
// becomes blocked, its free neighbours' potential rises: by 2D over an edge and by D over a corner,
// D being the clustering. The next cell is drawn with a probability in proportion to its potential.
//
// His Algorithm 6 exchanges D and 2D, and blocks the cell after the one that was drawn; his figure
// 3.2 and his text say what stands here.
#ifndef OCTANT_GENERATE_POTENTIAL_H
#define OCTANT_GENERATE_POTENTIAL_H

#include "base/base_internal.h"
#include "octant/generate.h"

// Levels of sums below the top: of tiles, of 8 of them, of 64, 512 and 4096.
#define POTENTIAL_LEVELS 5

typedef struct potential_field {
    uint32_t size;       // cells along each edge
    uint32_t clustering; // D
    uint64_t total;      // of all potentials
    // Tiles of 8 x 8 cells, a bit where blocked, a byte a row, the lowest first. Tile (x, y) is at
    // (y + 1) * tile_stride + x + 1; those around the map hold nothing.
    uint64_t *tiles;
    size_t tile_stride;
    // Sums of potentials. Tile (x, y) is at y * sum_stride + x of level 0, and eight in a row are
    // one entry, at an eighth of their index, on the next level. What is kept for an entry is the
    // sum of those before it among its eight.
    uint32_t *sums[POTENTIAL_LEVELS];
    size_t sum_stride; // a power of 8
    size_t sum_count;  // of level 0
    int levels;        // of sums, at least 1
    uint64_t top[8];   // the same for the groups of eight of the last level
    size_t bytes;      // of memory, all of it at sums[0]
} potential_field;

typedef struct potential_cell {
    uint32_t x, y;
} potential_cell;

// All cells free. 0 < size <= OCT_GENERATE_SIZE_MAX, clustering <= OCT_GENERATE_CLUSTERING_MAX.
oct_result oct_potential_init(potential_field *f, const oct_allocator *allocator, uint32_t size,
                              uint32_t clustering);
void oct_potential_free(potential_field *f, const oct_allocator *allocator);

// A cell's potential; 0 where it is blocked.
uint64_t oct_potential_at(const potential_field *f, potential_cell cell);

// Blocks a free cell.
void oct_potential_block(potential_field *f, potential_cell cell);

// The cell at which the sum of potentials, in the field's order, first exceeds `below`, which is
// less than the total.
potential_cell oct_potential_pick(const potential_field *f, uint64_t below);

// Blocks `count` cells, at most as many as there are.
void oct_potential_draw(potential_field *f, oct_random *random, uint64_t count);

// Fills an empty flat tree with the field's cells, OPEN and BLOCKED, from cell (0, 0) on.
oct_result oct_potential_build(const potential_field *f, oct_tree *tree);

#endif
