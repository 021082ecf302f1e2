// SPDX-License-Identifier: MIT
// Which boxes of cells touch, in which of the 26 directions.
#ifndef OCTANT_TOUCH_H
#define OCTANT_TOUCH_H

#include "octree/octree_internal.h"

// The directions that exist: at two dimensions none along z.
OCT_FORCE_INLINE uint32_t directions_at(int dims, uint32_t directions)
{
    return directions & OCT_DIRECTIONS_26 & (dims == 3 ? UINT32_MAX : STEPS_Z(0));
}

// On one axis: the steps from the cells from `from` up to `to` that lead to cells of the others, as
// bits 0 to 2.
OCT_FORCE_INLINE uint32_t axis_steps(int32_t from, int32_t to, int32_t other_from, int32_t other_to)
{
    return (uint32_t)(other_from < from && other_to >= from) |
           (uint32_t)(other_from < to && other_to > from) << 1 |
           (uint32_t)(other_from <= to && other_to > to) << 2;
}

// Whether a step in one of the directions leads out of a box into another one, which must not be
// empty and must not overlap it. `directions` must exist.
OCT_FORCE_INLINE bool box_touches(const oct_box *box, const oct_box *other, uint32_t directions)
{
    const uint32_t x = axis_steps(box->min.x, box->max.x, other->min.x, other->max.x);
    const uint32_t y = axis_steps(box->min.y, box->max.y, other->min.y, other->max.y);
    const uint32_t z = axis_steps(box->min.z, box->max.z, other->min.z, other->max.z);
    directions &=
        (x & 1u ? STEPS_X(-1) : 0u) | (x & 2u ? STEPS_X(0) : 0u) | (x & 4u ? STEPS_X(1) : 0u);
    directions &=
        (y & 1u ? STEPS_Y(-1) : 0u) | (y & 2u ? STEPS_Y(0) : 0u) | (y & 4u ? STEPS_Y(1) : 0u);
    directions &=
        (z & 1u ? STEPS_Z(-1) : 0u) | (z & 2u ? STEPS_Z(0) : 0u) | (z & 4u ? STEPS_Z(1) : 0u);
    return directions != 0;
}

#endif
