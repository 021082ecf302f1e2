// SPDX-License-Identifier: MIT
// Exploring by brute force, in small worlds: every cell of the bounds in an array, its label asked
// for one by one, what can be reached relaxed until nothing gets cheaper.
//
// Independent of src/explore, src/graph and src/search.
#ifndef OCTANT_TESTS_EXPLORE_ORACLE_H
#define OCTANT_TESTS_EXPLORE_ORACLE_H

#include "octant/explore.h"

typedef struct explore_oracle {
    oct_box box; // the bounds; z from 0 to 1 at two dimensions
    int dims;
    size_t cells;
    uint8_t *labels;   // by cell, x fastest
    uint8_t *frontier; // OPEN, and UNKNOWN across a face, within the bounds
    uint8_t *beyond;   // OPEN, and something that is not BLOCKED across a face, outside the bounds
    double *cost;      // of the way from the start, in cells; HUGE_VAL where there is none
} explore_oracle;

// Looks at the whole map as seen from a cell. Ways go through OPEN cells, from middle to middle of
// cells that share a face, edge or corner, where all cells of the box between them are OPEN: so no
// way is shorter than a straight one, and the shortest of all is not longer than these.
void explore_oracle_make(explore_oracle *o, const oct_map *map, oct_box bounds, oct_vec from);
void explore_oracle_free(explore_oracle *o);

// False outside the bounds.
bool explore_oracle_reaches(const explore_oracle *o, oct_vec cell);
bool explore_oracle_is_frontier(const explore_oracle *o, oct_vec cell);

// The least cost of a frontier cell that can be reached; HUGE_VAL where there is none.
double explore_oracle_least(const explore_oracle *o);

// What remains, where no place counts as hidden: those are among `frontier`.
oct_remains explore_oracle_remains(const explore_oracle *o);

// How many cells can be reached in one and not in the other; both of the same bounds.
uint64_t explore_oracle_differ(const explore_oracle *a, const explore_oracle *b);

#endif
