// SPDX-License-Identifier: MIT
/// \file
/// What is known of cells: labels, leaves, and what an edit does to a cell.
#ifndef OCTANT_CELLS_H
#define OCTANT_CELLS_H

#include "octant/geom.h"

typedef struct oct_tree oct_tree;

/// What is known of a cell.
typedef enum oct_label { OCT_UNKNOWN = 0, OCT_OPEN = 1, OCT_BLOCKED = 2 } oct_label;

/// A set of labels: bits 1 << label.
typedef uint32_t oct_labels;
#define OCT_HAS_UNKNOWN 1u
#define OCT_HAS_OPEN 2u
#define OCT_HAS_BLOCKED 4u
#define OCT_HAS_ANY 7u

/// Deepest level of a tree. Level 0 is one cell.
#define OCT_LEVEL_MAX 32
/// The level of the leaf that stands for everything outside the root.
#define OCT_LEVEL_OUTSIDE 255

/// A leaf: a cube of 2^level cells a side with one label, and one observation state, throughout.
/// The outside is the leaf with label UNKNOWN, level OCT_LEVEL_OUTSIDE and no meaningful position.
typedef struct oct_leaf {
    int32_t x, y, z; ///< smallest cell
    uint8_t level;   ///< edge = 2^level cells
    uint8_t label;   ///< oct_label
    uint16_t unused; ///< 0
} oct_leaf;

/// What an edit does to the two facts a cell holds: whether it was observed, whether it is blocked.
/// A cell is BLOCKED where blocked, else OPEN where observed, else UNKNOWN.
typedef enum oct_mark {
    OCT_MARK_UNKNOWN, ///< not observed, not blocked
    OCT_MARK_OPEN,    ///< observed, not blocked
    OCT_MARK_BLOCKED, ///< observed, blocked
    OCT_MARK_KNOWN,   ///< observed; blocked as it was
    OCT_MARK_UNSEEN,  ///< not observed; blocked as it was
    OCT_MARK_SOLID,   ///< blocked; observed as it was
    OCT_MARK_CLEAR,   ///< not blocked; observed as it was
    OCT_MARK_COUNT
} oct_mark;

/// Which cells a shape that does not follow the lattice stands for.
typedef enum oct_cover {
    OCT_COVER_INSIDE, ///< cells that lie wholly inside (for what was observed)
    OCT_COVER_TOUCH   ///< cells that share inner points with it (for what blocks)
} oct_cover;

#endif
