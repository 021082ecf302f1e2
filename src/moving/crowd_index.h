// SPDX-License-Identifier: MIT
// Which units are near: cells of a hashed grid, one grid for each size of unit.
//
// A unit reaches half an edge of its grid's cells at most, and lies in the cell of its centre. So a
// question looks at the few cells around its own box, of every size that there is: units of all
// sizes may mix. Taking a unit in or out, or moving it, costs a probe.
#ifndef OCTANT_CROWD_INDEX_H
#define OCTANT_CROWD_INDEX_H

#include "base/base_internal.h"
#include "octant/geom.h"

typedef struct index_entry {
    oct_fine at;
    uint32_t next; // unit in the same chain, or 0
    uint8_t size;  // edge of its grid's cells = 2^size cells; INDEX_OUT = the unit is not in
    uint8_t half;  // how far it reaches, in 1/256 of that edge, rounded up: 128 at most
} index_entry;
_Static_assert(sizeof(index_entry) == 32, "two entries in a cache line");

#define INDEX_OUT 255
#define INDEX_SIZES 32

typedef struct unit_index {
    index_entry *entries; // by unit; the first is none
    uint32_t *heads;      // first unit of a chain, or 0
    uint32_t entry_count, head_count;
    uint32_t sizes; // that there are, as a set of bits
    uint32_t size_count[INDEX_SIZES];
    int dims;
} unit_index;

void oct_unit_index_free(unit_index *index, const oct_allocator *allocator);
size_t oct_unit_index_bytes(const unit_index *index);

// Room for units with numbers below `count`. On failure nothing has changed.
oct_result oct_unit_index_reserve(unit_index *index, const oct_allocator *allocator,
                                  uint32_t count);

// Takes a unit in that reaches so far, 1/256 cells, and out.
void oct_unit_index_put(unit_index *index, uint32_t unit, oct_fine at, double half);
void oct_unit_index_take(unit_index *index, uint32_t unit);

void oct_unit_index_move(unit_index *index, uint32_t unit, oct_fine to);

// Called for a unit; return false to stop.
typedef bool oct_unit_index_fn(void *ctx, uint32_t unit);

// Visits the units the box of whose reach meets a box of half an edge `half` around a point, each
// once, and perhaps some that just miss it. Returns false if stopped.
bool oct_unit_index_near(const unit_index *index, oct_fine at, double half,
                         oct_unit_index_fn *visit, void *ctx);

// Whether every invariant holds.
bool oct_unit_index_is_valid(const unit_index *index);

#endif
