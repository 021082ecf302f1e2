// SPDX-License-Identifier: MIT
// 200 units of radius 0.5 m change places through a hole of 6 x 6 m in a wall: as a crowd, and by
// the force of He and Hung 2016, 4.8, to compare with.
#ifndef OCTANT_SWARM_HOLE_H
#define OCTANT_SWARM_HOLE_H

#include "octant/base.h"

typedef struct hole_result {
    uint32_t ticks;    // until all had arrived, or it was given up
    uint32_t arrived;  // units
    uint64_t overlaps; // pairs that overlapped by more than a millimetre, of all ticks
    double deepest_m;  // overlap
} hole_result;

oct_result oct_swarm_hole_crowd(hole_result *out);
oct_result oct_swarm_hole_force(hole_result *out);

#endif
