// SPDX-License-Identifier: MIT
// Two other ways to keep a map, to compare the octree with.
#ifndef OCTANT_BASELINES_H
#define OCTANT_BASELINES_H

#include "base/base_internal.h"
#include "octant/tree.h"

// ---- baseline_codes.c ----

// BLOCKED leaves alone, as a sorted array of location codes: the Morton code of the smallest cell,
// then the level in the five lowest bits. Cells lie from 0 to 2^19 - 1. All zero is the empty set.
typedef struct code_set {
    oct_array codes;   // of uint64_t
    oct_array scratch; // of uint64_t
} code_set;

// From boxes that share no cell. The set must be empty; on failure it is to be freed.
oct_result oct_codes_build(code_set *set, const oct_box *boxes, size_t count);

bool oct_codes_hold(const code_set *set, oct_vec cell);

// Adds the cells of a box that is not empty, or takes them out.
oct_result oct_codes_set_box(code_set *set, oct_box box, bool blocked);

// `to` must have been freed or be all zero, or be an earlier copy.
oct_result oct_codes_copy(const code_set *from, code_set *to);

uint64_t oct_codes_volume(const code_set *set);
size_t oct_codes_bytes(const code_set *set);
void oct_codes_free(code_set *set);

// ---- baseline_links.c ----

// Every OPEN leaf with stored links to the leaves around it, rows of one array.
typedef struct link_set {
    oct_array leaves; // of oct_leaf: the OPEN ones, then the BLOCKED ones
    oct_array starts; // of uint32_t: where the links of OPEN leaf i start; one more at the end
    oct_array links;  // of uint32_t: indices of leaves
    size_t open_count;
} link_set;

// From the known leaves of a tree, whose cells lie from 0 to 2^21 - 1. On failure to be freed.
oct_result oct_links_build(link_set *set, const oct_tree *tree);

// The leaves next to OPEN leaf i, as oct_tree_neighbours gives them for 26 directions. `out` must
// have room for all.
size_t oct_links_neighbours(const link_set *set, uint32_t i, oct_leaf *out);

// The most neighbours that any leaf has.
size_t oct_links_most(const link_set *set);

size_t oct_links_bytes(const link_set *set);
void oct_links_free(link_set *set);

#endif
