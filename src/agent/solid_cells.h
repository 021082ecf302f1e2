// SPDX-License-Identifier: MIT
// Which cells of a lattice are near to what is solid.
#ifndef OCTANT_SOLID_CELLS_H
#define OCTANT_SOLID_CELLS_H

#include "agent/solid_list.h"

// Boxes of cells; they may overlap.
typedef oct_result solid_cells_fn(void *ctx, oct_box cells);

// Calls for cells of which all points are so near to one thing that is solid, metres. Cells that
// are BLOCKED in `skip` may be left out (NULL = none).
oct_result oct_solid_list_near(const solid_list *list, const oct_tree *lattice,
                               const oct_tree *skip, double radius, solid_cells_fn *visit,
                               void *ctx);

// Calls for cells whose middle is in something solid.
oct_result oct_solid_list_middles(const solid_list *list, const oct_tree *lattice,
                                  solid_cells_fn *visit, void *ctx);

#endif
