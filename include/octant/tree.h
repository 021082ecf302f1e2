// SPDX-License-Identifier: MIT
/// \file
/// The map: an octree (or quadtree) of what is known of the world.
///
/// Every cell is OPEN, BLOCKED or UNKNOWN; everything starts UNKNOWN, and so is everything outside.
/// Equal neighbours merge at once into larger leaves, so memory follows the surfaces of the world.
/// The root grows and shrinks by itself.
///
/// Threading: one writer or many readers. Functions that take a `const oct_tree *` only read.
/// No query allocates. Unless said otherwise a call costs the depth of the tree and what it
/// touches. At two dimensions z is ignored in arguments and 0 in results.
#ifndef OCTANT_TREE_H
#define OCTANT_TREE_H

#include "octant/cells.h"

// ---- life ----

/// How to create a tree. Start from oct_tree_def_default().
typedef struct oct_tree_def {
    double cell_size;               ///< edge of the finest cell, metres; > 0; default 1
    oct_point origin;               ///< world position of lattice point 0, metres; default 0
    uint32_t dims;                  ///< 3 = octree, 2 = quadtree; default 3
    uint32_t journal;               ///< changes remembered, at most 2^20; default 256
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_tree_def;

OCT_API oct_tree_def oct_tree_def_default(void);

/// Creates a tree that is UNKNOWN everywhere. On failure *out is NULL.
OCT_API oct_result oct_tree_create(const oct_tree_def *def, oct_tree **out);

/// Frees a tree; NULL is allowed.
OCT_API void oct_tree_destroy(oct_tree *tree);

/// What the tree was created with.
OCT_API double oct_tree_cell_size(const oct_tree *tree);
OCT_API oct_point oct_tree_origin(const oct_tree *tree);
OCT_API uint32_t oct_tree_dims(const oct_tree *tree);

/// The cell that contains a point of the world; false where it leaves the lattice.
OCT_API bool oct_tree_cell_at(const oct_tree *tree, oct_point at, oct_vec *cell);

/// The middle of a cell, metres.
OCT_API oct_point oct_tree_centre(const oct_tree *tree, oct_vec cell);

/// The nearest point of the sub-lattice to a point of the world; false outside the lattice.
OCT_API bool oct_tree_fine_at(const oct_tree *tree, oct_point at, oct_fine *fine);

/// The world position of a point of the sub-lattice.
OCT_API oct_point oct_tree_point(const oct_tree *tree, oct_fine at);

// ---- questions ----

/// The label of one cell. Any coordinates are allowed.
OCT_API oct_label oct_tree_label(const oct_tree *tree, oct_vec cell);

/// The label of the cell that contains a point of the world; UNKNOWN outside the lattice.
OCT_API oct_label oct_tree_label_at(const oct_tree *tree, oct_point at);

/// The leaf that contains a cell.
OCT_API oct_leaf oct_tree_leaf(const oct_tree *tree, oct_vec cell);

/// The cells of a leaf, which must not be the outside.
OCT_API oct_box oct_leaf_box(oct_leaf leaf);

/// The cube that is the tree's root; level -1 while nothing is known. Nodes of level n lie at
/// multiples of 2^n cells from the root's smallest cell.
OCT_API oct_cell oct_tree_root(const oct_tree *tree);

/// Which labels occur in a box; 0 for an empty one. Stops as soon as all three were seen.
OCT_API oct_labels oct_tree_labels_in(const oct_tree *tree, oct_box box);

/// How many cells of a box have each label, indexed by oct_label. The box may have at most 2^63
/// cells: else OCT_ERROR_RANGE.
OCT_API oct_result oct_tree_count(const oct_tree *tree, oct_box box, uint64_t counts[3]);

/// The smallest box that holds every cell with one of the labels (UNKNOWN excluded).
/// Empty (all zero) where there is none.
OCT_API oct_box oct_tree_extent(const oct_tree *tree, oct_labels labels);

/// Called for each leaf; return false to stop.
typedef bool oct_leaf_fn(void *ctx, const oct_leaf *leaf);

/// Visits the leaves inside the root that share a cell with the box and have one of the labels, in
/// Morton order. Returns false if `visit` stopped it.
OCT_API bool oct_tree_leaves(const oct_tree *tree, oct_box box, oct_labels labels,
                             oct_leaf_fn *visit, void *ctx);

// ---- edits: on failure nothing has changed ----

/// Marks the cells of a node, a box, or a ball. Centre and radius of a ball are in cells (fractions
/// allowed, radius >= 0). Cells out of range: OCT_ERROR_RANGE.
OCT_API oct_result oct_tree_set(oct_tree *tree, oct_cell node, oct_mark mark);
OCT_API oct_result oct_tree_set_box(oct_tree *tree, oct_box box, oct_mark mark);
/// The same in world coordinates, metres.
OCT_API oct_result oct_tree_set_world_box(oct_tree *tree, oct_bounds box, oct_cover cover,
                                          oct_mark mark);
OCT_API oct_result oct_tree_set_world_ball(oct_tree *tree, oct_point centre, double radius,
                                           oct_cover cover, oct_mark mark);

/// Makes everything in the box UNKNOWN again. Cells out of range are no error here.
OCT_API oct_result oct_tree_forget(oct_tree *tree, oct_box box);

/// Makes everything UNKNOWN; keeps the memory.
OCT_API void oct_tree_clear(oct_tree *tree);

// ---- neighbours ----

/// The direction (dx, dy, dz), each -1, 0 or 1 and not all 0, as one bit of a set.
#define OCT_DIRECTION(dx, dy, dz) (1u << (((dz) + 1) * 9 + ((dy) + 1) * 3 + ((dx) + 1)))
#define OCT_DIRECTIONS_6 0x00415410u  ///< across faces (4 at two dimensions)
#define OCT_DIRECTIONS_18 0x02ebdebau ///< across faces and edges
#define OCT_DIRECTIONS_26 0x07ffdfffu ///< across faces, edges and corners (8 at two dimensions)

/// The leaves next to a leaf: those that hold a cell touching it in one of the directions, each
/// once, with one of the labels. Where UNKNOWN is among the labels and the leaf touches the root's
/// hull in one of the directions, the outside is one more. Writes at most `capacity` of them and
/// returns how many there are. `leaf` must be a leaf of the tree, not the outside.
OCT_API size_t oct_tree_neighbours(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                                   oct_labels labels, oct_leaf *out, size_t capacity);

// ---- rays ----

/// Which leaves a walk along a segment reports.
typedef enum oct_walk {
    OCT_WALK_ENTERED, ///< leaves of which the segment passes through inner points
    OCT_WALK_TOUCHED  ///< also leaves of which it only meets the surface
} oct_walk;

/// Visits the leaves inside the root along the segment from `from` to `to`, in the order in which
/// the segment meets them; exact in integers. Leaves met at the same place come in an order that
/// depends on the segment and the tree alone. Returns false if `visit` stopped it. Coordinates must
/// be in range.
OCT_API bool oct_tree_walk(const oct_tree *tree, oct_fine from, oct_fine to, oct_walk walk,
                           oct_leaf_fn *visit, void *ctx);

/// The first leaf inside the root that the segment enters and that has one of the labels; false if
/// there is none. The base of line of sight.
OCT_API bool oct_tree_raycast(const oct_tree *tree, oct_fine from, oct_fine to, oct_labels labels,
                              oct_leaf *hit);

// ---- journal ----

/// One edit that changed something.
typedef struct oct_change {
    oct_box box;       ///< holds every cell that changed
    oct_labels before; ///< labels that occurred among the changed cells
    oct_labels after;  ///< labels that they have now
} oct_change;

/// Rises by one with every edit that changes a cell's label or state.
OCT_API uint64_t oct_tree_revision(const oct_tree *tree);

/// The changes after `revision`, oldest first: change `revision` + 1 + i goes to out[i]; *count is
/// how many were written, at most `capacity`. OCT_ERROR_LOST where the journal no longer holds
/// them: look at everything and go on from oct_tree_revision().
OCT_API oct_result oct_tree_changes(const oct_tree *tree, uint64_t revision, oct_change *out,
                                    size_t capacity, size_t *count);

// ---- measures ----

/// What a tree consists of.
typedef struct oct_tree_stats {
    uint64_t nodes[OCT_LEVEL_MAX + 1];  ///< by level: everything, leaves included
    uint64_t leaves[OCT_LEVEL_MAX + 1]; ///< by level
    uint64_t siblings;                  ///< groups of eight (four) nodes in use
    uint64_t bricks;                    ///< bricks of 64 cells in use
    size_t bytes;                       ///< the pools of both at capacity
} oct_tree_stats;

/// Walks the whole tree.
OCT_API oct_tree_stats oct_tree_measure(const oct_tree *tree);

/// Bytes of the pools at capacity, without a walk.
OCT_API size_t oct_tree_bytes(const oct_tree *tree);

/// Packs the pools, level after level in Morton order, into as little memory as they need. Changes
/// no label.
OCT_API oct_result oct_tree_shrink(oct_tree *tree);

#endif
