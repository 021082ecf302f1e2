// SPDX-License-Identifier: MIT
// Distances from a point, for the questions about what is near.
//
// They are compared as squares, in 1/256 cell. Up to 2^53, that is 370 000 cells, these are exact;
// beyond they are rounded, of cells and of nodes alike and summed in the same order: so a node is
// never further than its cells, and what comes out is what comparing every cell would give.
#ifndef OCTANT_FRONTIER_DISTANCE_H
#define OCTANT_FRONTIER_DISTANCE_H

#include "explore/frontier_internal.h"

#include <math.h>

// A point in 1/256 cell from the middle of the root's smallest cell.
typedef struct front_point {
    double axis[3];
} front_point;

OCT_FORCE_INLINE front_point front_point_of(const oct_frontier *f, oct_fine at)
{
    const int64_t half = OCT_FINE / 2;
    return (front_point){{(double)(at.x - f->root_min.x * OCT_FINE - half),
                          (double)(at.y - f->root_min.y * OCT_FINE - half),
                          f->dims == 3 ? (double)(at.z - f->root_min.z * OCT_FINE - half) : 0.0}};
}

// The square of how far a place on an axis is from an interval.
OCT_FORCE_INLINE double axis_square(double from, double to, double at)
{
    const double below = from - at, above = at - to;
    const double beyond = below > above ? below : above, away = beyond > 0.0 ? beyond : 0.0;
    return away * away;
}

OCT_FORCE_INLINE double cell_square(const front_point *p, int dims, rel cell)
{
    const double x = (double)cell.x * OCT_FINE - p->axis[0];
    const double y = (double)cell.y * OCT_FINE - p->axis[1];
    const double z = (double)cell.z * OCT_FINE - p->axis[2];
    const double flat = x * x + y * y;
    return dims == 3 ? flat + z * z : flat;
}

// How near the cells of each child of a node may be.
OCT_FORCE_INLINE void child_squares(const front_point *p, int dims, int level, rel at,
                                    double out[8])
{
    const double half = (double)((INT64_C(1) << (level - 1)) * OCT_FINE), last = half - OCT_FINE;
    const double from[3] = {(double)at.x * OCT_FINE, (double)at.y * OCT_FINE,
                            (double)at.z * OCT_FINE};
    double low[3], high[3];
    for (int axis = 0; axis < dims; axis++) {
        const double at_low = from[axis], at_high = at_low + half;
        low[axis] = axis_square(at_low, at_low + last, p->axis[axis]);
        high[axis] = axis_square(at_high, at_high + last, p->axis[axis]);
    }
    const double flat[4] = {low[0] + low[1], high[0] + low[1], low[0] + high[1], high[0] + high[1]};
    for (int i = 0; i < 4; i++) {
        out[i] = dims == 3 ? flat[i] + low[2] : flat[i];
        out[i + 4] = dims == 3 ? flat[i] + high[2] : 0.0;
    }
}

// The nearest of a set of children, which is not empty.
OCT_FORCE_INLINE uint32_t nearest_child(const double bounds[8], uint32_t set)
{
    uint32_t found = oct_lowest_bit(set);
    for (set &= set - 1u; set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        found = bounds[i] < bounds[found] ? i : found;
    }
    return found;
}

// Of equally near cells the first by z, then y, then x.
OCT_FORCE_INLINE bool cell_before(rel a, rel b)
{
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

#endif
