// SPDX-License-Identifier: MIT
// Intervals of lattice rows as seen from roots: what Anya searches.
//
// A root is the start, the goal, or a corner at which a path bends; roots are the nodes of the
// search. What waits to be expanded are views: an interval of a row ahead of a root, or a stretch
// of the root's own row.
//
//   root  16 bytes    view  64 bytes, a cache line
#ifndef OCTANT_INTERVALS_H
#define OCTANT_INTERVALS_H

#include "base/key_table.h"
#include "flat/lab_space.h"
#include "flat/sweep.h"

enum { INTERVALS_START = 1, INTERVALS_GOAL = 2 };

typedef struct interval_root {
    flat_point at;
    // The roots from which it was reached and left, bending to the left and to the right, at the
    // least cost so far; 0 = none yet.
    uint32_t via[2];
} interval_root;

// With step 0: the root's own row from left.whole to right.whole, in the order of going.
typedef struct interval_view {
    seen_span span;
    double g; // of its root, when it was made
    uint32_t root;
    uint32_t next; // of those that are free to use again
} interval_view;
_Static_assert(sizeof(interval_view) == OCT_CACHE_LINE, "a cache line");

typedef struct interval_space {
    space base;
    bit_plane *plane;   // that the planner's spaces share
    oct_array roots;    // of interval_root, by id
    oct_array views;    // of interval_view, from 1
    uint32_t free_view; // list of those that were expanded; 0 = none
    key_table root_ids; // by lattice point
    sweep_goal goal;
} interval_space;

extern const space_kind oct_intervals_kind;
extern const space_ops oct_anya_ops; // anya.c

// The root at a lattice point, made where there is none yet.
oct_result oct_intervals_root(interval_space *s, int32_t x, int32_t y, uint32_t *id);

OCT_FORCE_INLINE interval_root *interval_root_at(const interval_space *s, uint32_t id)
{
    return (interval_root *)s->roots.items + id;
}

OCT_FORCE_INLINE interval_view *interval_view_at(const interval_space *s, uint32_t id)
{
    return (interval_view *)s->views.items + id;
}

#endif
