// SPDX-License-Identifier: MIT
// Shortest ways in maps without a tree, from cell to cell: to the frontier, and to a cell.
//
// What comes out is the same as of the plain search over a graph of cells, to the bit. To a cell
// that is A*. To the frontier it is, to the bit, what Dijkstra's algorithm gives in the graph of
// cells, with ties broken by cost and then by place (z, y, x). But the search is guided by what
// moves to the nearest cell of the frontier would cost, through everything; what it knows of a cell
// is found by its place, not by a hash of it; and where it takes long, a flood tells what there is
// to find: cells that are seen and cannot be reached would lead it astray.
#ifndef OCTANT_CELL_SEARCH_H
#define OCTANT_CELL_SEARCH_H

#include "explore/cell_flood.h"
#include "octant/frontier.h"
#include "search/open_list.h"

// What a move to one of the 26 cells around costs, by how many axes it goes along.
static const double cell_costs[4] = {0.0, 1.0, 0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584caap+0};

// All zero is one that was never used.
typedef struct cell_search {
    const oct_map *map; // the same one for all its life
    oct_frontier *frontier;
    oct_box box;       // nothing beyond
    oct_labels free;   // what can be passed; to the frontier OPEN
    uint64_t patience; // cells that are expanded in vain before a flood
    open_list open;
    oct_array chunks; // of search_chunk
    key_table places; // of chunks
    cell_flood flood; // of what is OPEN
    cell_flood wide;  // of what is not BLOCKED
    oct_array way;    // of oct_vec: from the start on
    bool found;
    double cost; // of the way
    uint64_t expanded, generated;
} cell_search;

// Search from a free cell, to the frontier or to another free cell; all up to patience is set,
// which is for speed alone. `found` is false where there is no way.
oct_result oct_cell_search_run(cell_search *s, const oct_allocator *allocator, oct_vec from);
oct_result oct_cell_search_to(cell_search *s, const oct_allocator *allocator, oct_vec from,
                              oct_vec to);

void oct_cell_search_free(cell_search *s, const oct_allocator *allocator);
size_t oct_cell_search_bytes(const cell_search *s);

#endif
