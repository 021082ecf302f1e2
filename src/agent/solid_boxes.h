// SPDX-License-Identifier: MIT
// Boxes that fill the same space with fewer and larger boxes.
#ifndef OCTANT_SOLID_BOXES_H
#define OCTANT_SOLID_BOXES_H

#include "base/base_internal.h"
#include "octant/geom.h"

// Adds to a list of boxes (of oct_bounds) those that come of joining neighbours whose faces are the
// same, in each of six orders of the axes. So what lies across the seam of two boxes mostly lies in
// one box of the list. All boxes lie in the union of those that were given.
oct_result oct_solid_boxes_join(oct_array *boxes, const oct_allocator *allocator);

#endif
