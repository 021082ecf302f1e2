// SPDX-License-Identifier: MIT
/// \file
/// Line of sight in a tree, exact in integers on the sub-lattice of 1/256 cell.
///
/// A straight line is free if it enters no cell that is in the way. It may touch such cells, and
/// run along them, but not squeeze between two that meet in a face, an edge or a corner:
/// octant/graph.h. Threading: nothing here holds state; trees are only read.
#ifndef OCTANT_LINE_H
#define OCTANT_LINE_H

#include "octant/graph.h"

/// Whether the straight line between two points is free. Symmetric. Coordinates must be in range;
/// at two dimensions z is ignored. NULL terms are the default ones. A point sees itself if a free
/// cell touches it.
OCT_API bool oct_tree_line_of_sight(const oct_tree *tree, const oct_terms *terms, oct_fine a,
                                    oct_fine b);

/// The cost of a straight line that is free, in cells: its length, as the terms price it. Symmetric
/// to the bit.
OCT_API double oct_tree_line_cost(const oct_tree *tree, const oct_terms *terms, oct_fine a,
                                  oct_fine b);

// ---- goals and graphs of the caller ----

#endif
