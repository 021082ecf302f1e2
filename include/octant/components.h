// SPDX-License-Identifier: MIT
/// \file
/// What is connected with what: the free cells of a map, joined over faces.
///
/// Two cells of different components have no path between them, whatever its shape: the answer
/// "none" takes two descents. The labelling follows the map's journal: what an edit opens is
/// joined; where it may have cut a component, both sides are flooded in step, and the smaller one
/// gets a new label. So an edit costs what it touches and the smaller of the parts it makes.
/// Threading: one writer (update) or many readers; the tree must not change meanwhile.
#ifndef OCTANT_COMPONENTS_H
#define OCTANT_COMPONENTS_H

#include "octant/graph.h"

typedef struct oct_components oct_components;

/// How to create components. Start from oct_components_def_default().
typedef struct oct_components_def {
    const oct_tree *tree;           ///< borrowed
    oct_unknown unknown;            ///< BLOCKED (default) or OPEN; PRICED is OPEN
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_components_def;

OCT_API oct_components_def oct_components_def_default(void);

/// Labels the whole map. On failure *out is NULL.
OCT_API oct_result oct_components_create(const oct_components_def *def, oct_components **out);

/// Frees components; NULL is allowed.
OCT_API void oct_components_destroy(oct_components *components);

/// Follows the map to its present revision: by the journal, or by labelling everything anew where
/// the journal has lost changes, or too much has changed. Any number of edits may lie between two
/// updates. On failure (OCT_ERROR_MEMORY) nothing is known: until a later call succeeds every cell
/// counts as free and connected with every other, so that no path is called impossible wrongly.
OCT_API oct_result oct_components_update(oct_components *components);

/// The revision of the map that they are true of.
OCT_API uint64_t oct_components_revision(const oct_components *components);

/// Whether they were made of this very tree, with UNKNOWN taken for this (PRICED is OPEN).
OCT_API bool oct_components_are_of(const oct_components *components, const oct_tree *tree,
                                   oct_unknown unknown);

/// The component of a cell: a number that is the same for two cells exactly if they are connected;
/// 0 where the cell is in the way. Numbers hold until the next update; the same calls give the same
/// numbers. Where UNKNOWN is open, everything outside the map's root is one component (and may be
/// one with cells inside). Costs one descent. What the map has changed since the last update does
/// not show.
OCT_API uint32_t oct_components_at(const oct_components *components, oct_vec cell);

/// Whether two cells are free and connected.
OCT_API bool oct_components_joined(const oct_components *components, oct_vec a, oct_vec b);

typedef struct oct_components_stats {
    uint64_t count;   ///< components there are
    uint64_t pieces;  ///< that they consist of: free leaves, and connected parts of bricks
    uint64_t visited; ///< neighbours that the last update looked at: what it cost
    uint64_t rebuilt; ///< times that everything was labelled anew, the first included
    size_t bytes;     ///< held
} oct_components_stats;

OCT_API oct_components_stats oct_components_measure(const oct_components *components);

#endif
