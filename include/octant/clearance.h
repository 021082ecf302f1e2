// SPDX-License-Identifier: MIT
/// \file
/// Clearance: the map of where the middle of a body may be, in a map whose shapes are its cells.
///
/// Threading: holds no state.
#ifndef OCTANT_CLEARANCE_H
#define OCTANT_CLEARANCE_H

#include "octant/tree.h"

/// A body, as far as it needs room: a box of these half extents, rounded by a radius. Half extents
/// of 0 are a ball; of 0, 0 and half the length between the middles of its caps an upright capsule;
/// a radius of 0 is a box. All are metres and at least 0.
typedef struct oct_clearance {
    double radius;
    oct_point half;
} oct_clearance;

/// Whether there is a body, and not a point.
OCT_API bool oct_clearance_is_some(const oct_clearance *clearance);

/// Cells that a body may reach beyond its own, at most, in oct_clearance_view().
#define OCT_CLEARANCE_CELLS_MAX 64

/// Gives the cells of a box labels in an empty tree of the same dimensions, cell size and origin.
/// BLOCKED: a body with its middle somewhere in the cell would share inner points with a BLOCKED
/// cell of the box, or the cell is one. Else UNKNOWN where that holds of UNKNOWN cells. Else OPEN:
/// the body fits wherever in the cell its middle is. What lies beyond the box is in nobody's way.
/// OCT_ERROR_RANGE where the body reaches further than OCT_CLEARANCE_CELLS_MAX; the tree is then
/// empty, and so it is without memory. Costs the surface of what is BLOCKED or UNKNOWN.
OCT_API oct_result oct_clearance_view(const oct_tree *from, oct_box box,
                                      const oct_clearance *clearance, oct_tree *to);

#endif
