// SPDX-License-Identifier: MIT
// What a body calls reachable, compared with a flood of the true world, cell by cell.
//
// One bit a cell, rows of bits flooded word by word; nothing of components, frontiers or graphs is
// used, so that it can judge them.
#ifndef OCTANT_REACH_H
#define OCTANT_REACH_H

#include "octant/map.h"

typedef struct reach {
    oct_box box;        // what was compared
    uint64_t reachable; // OPEN cells that are connected, in the body's map
    uint64_t flood;     // cells that no thing of the truth is in the way of, and connected
    uint64_t differ;    // cells that are one and not the other
    oct_vec first;      // one of these, where there are any
} reach;

// Floods both from the cell that a point is in, or touches. `bounds` (NULL = none) is what counts;
// without it, what the map has OPEN, and one cell around that: if the truth goes on there, it
// differs. Both maps are on the same lattice, with the same padding. The bits take three times the
// cells of the box, in bits: OCT_ERROR_RANGE above OCT_REACH_CELLS_MAX. Nothing is reachable where
// no OPEN cell touches the point; then the flood begins at the point's own cell.
#define OCT_REACH_CELLS_MAX (UINT64_C(1) << 34)
oct_result oct_reach_compare(const oct_map *map, const oct_map *truth, const oct_box *bounds,
                             oct_point from, const oct_allocator *allocator, reach *out);

#endif
