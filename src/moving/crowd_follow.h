// SPDX-License-Identifier: MIT
// A unit while it decides: who is near, and where it wants to go.
#ifndef OCTANT_CROWD_FOLLOW_H
#define OCTANT_CROWD_FOLLOW_H

#include "moving/crowd_internal.h"

#define NEAR_MAX 32 // others that a unit keeps in mind

typedef struct neighbour {
    oct_point apart;      // from the unit to it, 1/256 cells
    double distance, gap; // between the centres, and between the balls; the gap is never negative
    uint32_t index;
} neighbour;

typedef struct mover {
    oct_crowd *crowd;
    unit *unit;
    uint32_t index;
    unit_move *out;
    neighbour near[NEAR_MAX]; // by gap, then index
    int count;
    double beyond;   // no gap to any other unit is smaller
    double horizon;  // ticks ahead that it avoids others
    bool is_parking; // its goal is near
} mover;

// Whether a point lies inside the unit's room, and `margin` from its surface.
bool oct_follow_in_room(const unit *u, oct_fine at, double margin);

// Makes the leaf of a point the unit's room, if the point is inside it.
void oct_follow_find_room(mover *m, oct_fine at);

// Whether the line from the unit to a point is free.
bool oct_follow_sees(const mover *m, oct_fine to);

// The velocity that the unit wants. Goes on to the next waypoint where it can, looks after the way
// there, and notes what has become of the unit.
oct_point oct_follow(mover *m);

#endif
