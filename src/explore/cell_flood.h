// SPDX-License-Identifier: MIT
// What is connected with a cell in maps without a tree: a flood of bits, 64 cells at a time.
//
// What is free is kept from flood to flood, and looked at again where the map has changed.
#ifndef OCTANT_CELL_FLOOD_H
#define OCTANT_CELL_FLOOD_H

#include "base/key_table.h"
#include "octant/map.h"

// All zero is one that was never used.
typedef struct cell_flood {
    const oct_map *map; // the same one for all its life
    oct_box box;        // nothing beyond
    oct_labels free;    // what can be passed
    oct_array chunks;   // of flood_chunk
    key_table places;   // of chunks
    oct_array waiting;  // of uint32_t: chunks that have something to spread
    uint32_t stamp;     // of the last flood; never 0 after one
    // What the chunks are of.
    bool is_kept;
    oct_box kept_box;
    oct_labels kept_free;
    uint64_t revision;
    oct_array changes; // of oct_change
} cell_flood;

// Floods from a free cell; map, box and free are set.
oct_result oct_cell_flood_run(cell_flood *f, const oct_allocator *allocator, oct_vec from);

// Whether a cell of a box was reached.
bool oct_cell_flood_reached(const cell_flood *f, const oct_box *cells);

// Whether a cell at a face of the box was reached, with OPEN or UNKNOWN behind it.
bool oct_cell_flood_is_bounded(const cell_flood *f);

void oct_cell_flood_free(cell_flood *f, const oct_allocator *allocator);
size_t oct_cell_flood_bytes(const cell_flood *f);

#endif
