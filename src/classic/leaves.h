// SPDX-License-Identifier: MIT
// Leaves next to leaves: of the tree, and of the tree with its leaves divided further.
#ifndef OCTANT_LEAVES_H
#define OCTANT_LEAVES_H

#include "search/graph_internal.h"

// ---- neighbours.c ----

// Replaces the array's leaves (of oct_leaf) by the free leaves next to a leaf in the directions,
// also outside the root, that have cells within the bounds next to cells of this leaf within the
// bounds. In Morton order inside the root; the order depends on the tree alone.
oct_result oct_view_neighbours(const view *v, oct_leaf leaf, uint32_t directions,
                               const oct_allocator *allocator, oct_array *out);

// ---- balanced.c: the progressive octree ----

// The leaves of the tree divided further, as little as possible, until leaves that touch (in a
// face, edge or corner) differ by at most one level. Nothing is built: a leaf is found by looking
// around it, and remembered until the tree's revision changes. Leaves that are in the way count,
// and are divided, like others; outside the root as well.
typedef struct balanced balanced;

oct_result oct_balanced_create(const oct_allocator *allocator, balanced **out);
void oct_balanced_destroy(balanced *b);
size_t oct_balanced_bytes(const balanced *b);

// Forgets what is remembered where the tree or its revision is another.
void oct_balanced_begin(balanced *b, const view *v);

// The divided leaf that holds a cell.
oct_result oct_balanced_leaf(balanced *b, const view *v, oct_vec cell, oct_leaf *out);

// As oct_view_neighbours.
oct_result oct_balanced_neighbours(balanced *b, const view *v, oct_leaf leaf, uint32_t directions,
                                   const oct_allocator *allocator, oct_array *out);

#endif
