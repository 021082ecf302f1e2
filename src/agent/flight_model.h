// SPDX-License-Identifier: MIT
// What a pilot expects of its body: where it will be after an action, whenever that begins.
#ifndef OCTANT_FLIGHT_MODEL_H
#define OCTANT_FLIGHT_MODEL_H

#include "game/motion.h"

typedef struct flight_state {
    oct_point at; // the centre
    oct_point velocity;
    motion_frame frame;
} flight_state;

// Turning and moving for a number of ticks; after them the body brakes.
typedef struct burn {
    oct_point move, rotate; // as in an action
    uint32_t ticks;
} burn;

// What the `move` of an action does.
typedef enum flight_control {
    FLIGHT_DAMPED, // thrust; the body brakes along those of its axes that have none
    FLIGHT_THRUST, // thrust; the body brakes where it has none at all
    FLIGHT_COURSE  // the velocity that it approaches
} flight_control;

// What a body can, and a tick of its game.
typedef struct flight_rules {
    flight_control control;
    double acceleration; // by moving, m/s2
    double braking;      // without moving, m/s2; of who drifts: by moving against its velocity
    bool drifts;         // nothing brakes it but its own thrust: see oct_pilot_brake
    bool tumbles;        // pitch and roll turn the body, not its head alone
    double speed, turn, walk;
    double rate, tick; // ticks a second, and seconds
} flight_rules;

// A move that changes nothing, but counts as one.
#define FLIGHT_COAST 1e-3

flight_rules oct_flight_rules_of(const oct_player_body *body, double rate);

flight_state oct_flight_state_of(const oct_self *self);

// One tick of a burn, whose ticks count down.
void oct_flight_model_tick(flight_state *c, burn *b, const flight_rules *rules);

// So many of them.
void oct_flight_model_fly(flight_state *c, burn *b, uint32_t ticks, const flight_rules *rules);

// Until the burn has ended and it is no faster than that: the ticks that it took. A body that never
// stops (it hardly brakes, or its speed is no number) is let go after FLIGHT_MODEL_TICKS_MAX.
uint32_t oct_flight_model_stop(flight_state *c, burn *b, double speed, const flight_rules *rules);
#define FLIGHT_MODEL_TICKS_MAX (2u * OCT_ACTION_TICKS_MAX)

double oct_flight_model_speed(const flight_state *c);

#endif
