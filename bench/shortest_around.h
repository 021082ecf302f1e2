// SPDX-License-Identifier: MIT
// Shortest paths that can be computed exactly: around one wall and around one ball.
#ifndef OCTANT_SHORTEST_AROUND_H
#define OCTANT_SHORTEST_AROUND_H

#include "octant/geom.h"

// The shortest path between two points on different sides of a wall (a.x at most its least x and
// b.x at least its largest, or the other way round) that has no end along z: the shorter one of the
// ways around its two ends along y. May be the straight line.
double oct_shortest_around_wall(const oct_bounds *wall, oct_point a, oct_point b);

// The shortest path between two points that are not inside a ball: two tangents and an arc, or the
// straight line.
double oct_shortest_around_ball(oct_point centre, double radius, oct_point a, oct_point b);

#endif
