// SPDX-License-Identifier: MIT
// The shapes of things as boxes in axes of their own: what is asked of upright boxes can be asked
// of turned ones as well.
#ifndef OCTANT_SHAPE_PARTS_H
#define OCTANT_SHAPE_PARTS_H

#include "octant/map.h"

// How many boxes a thing is: one for each piece of its shape.
size_t oct_thing_parts(const oct_thing *thing);
// One of them, and a segment as it lies to it. What is neither a box nor a turned one is the box
// that holds it.
oct_bounds oct_thing_part(const oct_thing *thing, size_t part, oct_point *from, oct_point *to);

// The point of a thing that is nearest to another one.
oct_point oct_thing_nearest(const oct_thing *thing, oct_point at);
// The most that a point of it has along a direction.
double oct_thing_along(const oct_thing *thing, oct_point way);

#endif
