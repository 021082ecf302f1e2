// SPDX-License-Identifier: MIT
// Random flights through a world: how long they take, how far they stray, what they run into.
//
// The world is known to the pilot: its map has every block, padded by the body and a little more.
// Each flight begins at rest at a random place, in a random orientation, and ends at another that
// can be reached; the path is planned from scratch by portal search. Where something drifts,
// flights end beside its lane and cross it; it is observed, the map takes it with the room that it
// will need next, and where that closes the way the rest is planned anew.
#ifndef OCTANT_FLIGHTS_H
#define OCTANT_FLIGHTS_H

#include "octant/flight.h"
#include "octant/world.h"

// What maps of pilots are made with: the ball around a body of 1.8 m and the margin; and the
// largest cell that then keeps a passage of one block open.
#define FLIGHTS_PADDING (0.9 + OCT_PILOT_MARGIN)
#define FLIGHTS_CELL 0.3

typedef struct flights_def {
    const oct_world *world;
    uint32_t flights;
    uint32_t delay_min, delay_max; // ticks between an observation and the answer; 0 0 = stepped
    oct_facing facing;
    uint64_t seed;
} flights_def;

typedef struct flights_result {
    uint32_t flights, arrived;
    uint64_t bumps;   // ticks in which a body ran into something
    double stray;     // furthest from the path, metres
    double end;       // furthest from the goal at the end, metres
    double gap;       // least distance between a body and anything solid, metres
    double seconds;   // in all
    double reference; // rest to rest along the legs, seconds in all
    double worst;     // of a flight that should take a second or more: its time over that
    double thought;   // that the pilot took, seconds of CPU time
    uint64_t actions;
    uint64_t replans;
} flights_result;

oct_result oct_flights_run(const flights_def *def, flights_result *out);

#endif
