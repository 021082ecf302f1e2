// SPDX-License-Identifier: MIT
// A path as a pilot sees it: legs with the speed at which each may be left, and the time that is
// left from there.
#ifndef OCTANT_SPEED_PROFILE_H
#define OCTANT_SPEED_PROFILE_H

#include "base/base_internal.h"
#include "octant/game.h"

typedef struct leg {
    oct_point from, to;
    oct_point along; // a unit vector
    double length;   // > 0
    double pass;     // how fast its end may be passed, m/s
    double rest;     // the least time from its end to the way's, seconds
} leg;

typedef struct speed_profile {
    leg *legs;
    uint32_t count;
    double acceleration, speed; // of the body
} speed_profile;

// Where something is beside the way.
typedef struct profile_place {
    uint32_t leg;
    double done;     // of the leg, metres
    double distance; // from it, metres
    oct_point at;    // the nearest point of it
} profile_place;

// Fills the legs (room for count - 1) from points; legs without length are left out, and points in
// a line are one leg, but for the first: who looks some legs ahead looks far, however dense the
// points are. Bends are passed so slowly that a body which brakes from there on strays at most
// `stray` metres.
void oct_speed_profile_make(speed_profile *w, const oct_point *points, size_t count, double stray);

// The nearest place of the legs from `first` on, `most` of them; of equally near ones the last.
profile_place oct_speed_profile_place(const speed_profile *w, uint32_t first, uint32_t most,
                                      oct_point at);

// The least time from a place to the end at a velocity, seconds: as if it could thrust at will from
// now on. What cannot be braked in time costs more than it gains.
double oct_speed_profile_time(const speed_profile *w, const profile_place *place,
                              oct_point velocity);

// The least time over a distance from one speed to another, with at most `speed` in between, at
// one acceleration; for a distance too short to brake in, as if it was longer.
double oct_speed_profile_sprint(double distance, double from, double to, double acceleration,
                                double speed);

// The shortest time that a body at rest takes along the legs of a path if it rests at every point:
// the sum of 2 sqrt(d / a), or d / v + v / a where it reaches the speed v. Seconds.
double oct_flight_time(const oct_point *points, size_t count, double acceleration, double speed);

#endif
