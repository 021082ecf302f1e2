// SPDX-License-Identifier: MIT
#include "agent/flight_model.h"

#include "geom/geom_internal.h"

#define TICK (1.0 / OCT_TICKS)

flight_state oct_flight_state_of(const oct_self *self)
{
    return (flight_state){self->centre, self->velocity,
                          oct_motion_frame(self->pose.forward, self->pose.up)};
}

void oct_flight_model_tick(flight_state *c, burn *b, const oct_world_rules *rules)
{
    oct_point thrust = {0, 0, 0};
    if (b->ticks > 0) {
        b->ticks--;
        oct_motion_turn(&c->frame, b->rotate, rules->turn * TICK);
        thrust = b->move;
    }
    c->velocity = oct_motion_velocity(&c->frame, c->velocity, thrust, true, rules->acceleration,
                                      rules->speed);
    c->at = point_add(c->at, point_scale(c->velocity, TICK));
}

void oct_flight_model_fly(flight_state *c, burn *b, uint32_t ticks, const oct_world_rules *rules)
{
    for (uint32_t i = 0; i < ticks; i++) {
        oct_flight_model_tick(c, b, rules);
    }
}

uint32_t oct_flight_model_stop(flight_state *c, burn *b, double speed, const oct_world_rules *rules)
{
    uint32_t ticks = 0;
    while (ticks < FLIGHT_MODEL_TICKS_MAX && (b->ticks > 0 || oct_flight_model_speed(c) > speed)) {
        oct_flight_model_tick(c, b, rules);
        ticks++;
    }
    return ticks;
}

double oct_flight_model_speed(const flight_state *c)
{
    return point_length(c->velocity);
}
