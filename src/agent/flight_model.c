// SPDX-License-Identifier: MIT
#include "agent/flight_model.h"

#include "geom/geom_internal.h"

flight_rules oct_flight_rules_of(const oct_player_body *body, double rate)
{
    return (flight_rules){.acceleration = body->acceleration,
                          .speed = body->speed,
                          .turn = body->turn,
                          .walk = body->walk,
                          .rate = rate,
                          .tick = 1.0 / rate};
}

flight_state oct_flight_state_of(const oct_self *self)
{
    return (flight_state){self->centre, self->velocity,
                          oct_motion_frame(self->pose.forward, self->pose.up)};
}

void oct_flight_model_tick(flight_state *c, burn *b, const flight_rules *rules)
{
    oct_point thrust = {0, 0, 0};
    if (b->ticks > 0) {
        b->ticks--;
        oct_motion_turn(&c->frame, b->rotate, rules->turn * rules->tick);
        thrust = b->move;
    }
    c->velocity = oct_motion_velocity(&c->frame, c->velocity, thrust, true, rules->acceleration,
                                      rules->speed, rules->tick);
    c->at = point_add(c->at, point_scale(c->velocity, rules->tick));
}

void oct_flight_model_fly(flight_state *c, burn *b, uint32_t ticks, const flight_rules *rules)
{
    for (uint32_t i = 0; i < ticks; i++) {
        oct_flight_model_tick(c, b, rules);
    }
}

uint32_t oct_flight_model_stop(flight_state *c, burn *b, double speed, const flight_rules *rules)
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
