// SPDX-License-Identifier: MIT
// What a unit may do without running into others: half-spaces of velocities, and the best velocity
// in all of them.
//
// J. van den Berg, S. J. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance"
// (Robotics Research, 2011): of two units that would meet within the horizon each changes its
// velocity by half of what is needed.
#ifndef OCTANT_CROWD_AVOID_H
#define OCTANT_CROWD_AVOID_H

#include "geom/geom_internal.h"

// Velocities v with normal . v >= least. The normal has length 1.
typedef struct half_space {
    oct_point normal;
    double least;
} half_space;

// A direction of length 1 across another one: to the right of one who looks along it, z being up.
// Turning the direction round turns it round.
oct_point oct_avoid_right(oct_point direction);

// What a unit of velocity `mine` may do so that it does not meet another one within `horizon`: the
// other is `apart` away, `reach` is the sum of the radii, less than that distance, and the other
// does its half.
half_space oct_avoid_reciprocal(oct_point apart, double reach, oct_point mine, oct_point other,
                                double horizon);

// The velocity no faster than `speed` that is nearest to `wanted` in all half-spaces. The first
// `hard` of them hold for rest (least <= 0) and always count; where the others leave nothing, all
// of them are widened by the same amount, the least that leaves something (within 1/64). Where
// rounding leaves nothing even so: rest.
oct_point oct_avoid_solve(const half_space *spaces, int hard, int count, oct_point wanted,
                          double speed);

#endif
