// SPDX-License-Identifier: MIT
// Abdo's search word for word (appendix F), to find out whether its figures come out. It is
// none to use: a node that is new gets its cost and its estimate as if it lay in the middle of the
// tree, both are sums along the way, what is found to be cheaper later is not stored, and the open
// list is walked through for every node.
#ifndef OCTANT_UNITS_LISTING_H
#define OCTANT_UNITS_LISTING_H

#include "bench/units_scene.h"

#define LISTING_LEAVES (UNITS_EDGE * UNITS_EDGE * UNITS_EDGE)

// A leaf of a tree: its lowest corner as the finest leaf there, and its edge of 2^level of those.
typedef struct listing_leaf {
    uint32_t corner;
    uint32_t level;
} listing_leaf;

// The leaf of the same size or a larger one beside a leaf, in one of six directions; false where
// there is none, or a smaller one, or something in it.
typedef bool units_beside_fn(const void *tree, listing_leaf from, int direction, listing_leaf *out);

typedef struct listing_node {
    double g, h;
    double rank; // their sum over the leaf's size
    uint32_t level;
    uint32_t parent; // corner
    uint8_t state;
} listing_node;

typedef struct listing_search {
    listing_node nodes[LISTING_LEAVES]; // by corner
    // The open list is walked in the order of its slots, of which the one that became free last is
    // filled first: so does the dictionary of Abdo's language.
    uint32_t slots[LISTING_LEAVES]; // corner + 1, or 0
    uint32_t next_free[LISTING_LEAVES];
    uint32_t slot_count, free_slot; // slot + 1, or 0
    listing_leaf path[LISTING_LEAVES];
    size_t path_count; // from start to goal
} listing_search;

// The goal's leaf must be another than the start's, and free.
units_plan oct_units_listing(listing_search *search, units_beside_fn *beside, const void *tree,
                             listing_leaf from, listing_leaf to);

// From the unit's start over the middles of the path's other leaves to its goal.
oct_result oct_listing_points(const listing_search *search, const units_run *run, int unit,
                              oct_array *points);

#endif
