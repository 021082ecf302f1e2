// SPDX-License-Identifier: MIT
/// \file
/// Maps from and to bytes in memory. Files are the caller's business.
///
/// Readers trust nothing: sizes are checked against the data and against limits before memory is
/// taken, and every refusal says where and why. Writers hand their bytes to a callback in order.
/// Threading: readers and writers hold no state of their own.
#ifndef OCTANT_FORMATS_H
#define OCTANT_FORMATS_H

#include "octant/tree.h"

/// A format of bytes.
typedef enum oct_format {
    OCT_FORMAT_3DMAP, ///< Moving AI voxels, text: `voxel W H D` (or `rev_voxel`), then cells
    OCT_FORMAT_MAP,   ///< Moving AI grid, text, two dimensions
    OCT_FORMAT_BT,    ///< OctoMap's binary occupancy tree
    OCT_FORMAT_TREE,  ///< our own, everything kept; what map files hold compressed
    OCT_FORMAT_COUNT
} oct_format;

/// The axis of the world that points up.
typedef enum oct_up { OCT_UP_X, OCT_UP_Y, OCT_UP_Z } oct_up;

/// What a file says beside the cells. Start from oct_tree_info_default() when writing.
typedef struct oct_tree_info {
    oct_box box;      ///< the cells the map declares; beyond them nothing is said
    oct_up up;        ///< default Z
    bool left_handed; ///< default false
    char id[32];      ///< what kind of tree a .bt file says it holds; default "OcTree"
    uint32_t cookie;  ///< set by the default; do not touch
} oct_tree_info;

OCT_API oct_tree_info oct_tree_info_default(void);

/// Makes a tree from bytes. `def` gives journal and allocator, and cell size and origin where the
/// format has none; the format decides the rest. On success *tree is the caller's and *info (may be
/// NULL) is filled; on failure *tree is NULL and *error (may be NULL) says where and why.
/// A `.3dmap` or `.map` cell that is not blocked is OPEN; what the file leaves out is UNKNOWN.
OCT_API oct_result oct_tree_read(oct_format format, const void *data, size_t size,
                                 const oct_tree_def *def, oct_tree **tree, oct_tree_info *info,
                                 oct_error *error);

/// Writes a tree. `.3dmap` and `.map` hold the cells of info->box, moved to start at 0, and have no
/// UNKNOWN: OCT_ERROR_FORMAT where one is inside the box. `.bt` holds labels of cells within
/// +-32768 and no axes; an origin of whole cells moves them, another is OCT_ERROR_FORMAT. A format
/// of other dimensions than the tree's: OCT_ERROR_ARGUMENT. *error (may be NULL) says why it
/// failed. Nothing is written where the tree does not fit.
OCT_API oct_result oct_tree_write(oct_format format, const oct_tree *tree,
                                  const oct_tree_info *info, oct_write_fn *write, void *ctx,
                                  oct_error *error);

#endif
