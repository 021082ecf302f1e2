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

// Turning and thrusting for a number of ticks; after them the dampeners brake.
typedef struct burn {
    oct_point move, rotate; // as in an action
    uint32_t ticks;
} burn;

flight_state oct_flight_state_of(const oct_self *self);

// One tick of a burn, whose ticks count down.
void oct_flight_model_tick(flight_state *c, burn *b, const oct_world_rules *rules);

// So many of them.
void oct_flight_model_fly(flight_state *c, burn *b, uint32_t ticks, const oct_world_rules *rules);

// Until the burn has ended and it is no faster than that: the ticks that it took. A body that never
// stops (it hardly brakes, or its speed is no number) is let go after FLIGHT_MODEL_TICKS_MAX.
uint32_t oct_flight_model_stop(flight_state *c, burn *b, double speed,
                               const oct_world_rules *rules);
#define FLIGHT_MODEL_TICKS_MAX (2u * OCT_ACTION_TICKS_MAX)

double oct_flight_model_speed(const flight_state *c);

#endif
