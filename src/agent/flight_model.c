// SPDX-License-Identifier: MIT
#include "agent/flight_model.h"

#include "geom/geom_internal.h"

flight_rules oct_flight_rules_of(const oct_player_body *body, double rate)
{
    const bool is_at_once = !(body->acceleration > 0.0);
    const double acceleration = is_at_once ? body->speed * rate : body->acceleration;
    const bool drifts = !is_at_once && !body->brakes_axes && !(body->brake > 0.0);
    const flight_control control = is_at_once || body->control == OCT_CONTROL_COURSE ? FLIGHT_COURSE
                                   : body->brakes_axes                               ? FLIGHT_DAMPED
                                                       : FLIGHT_THRUST;
    return (flight_rules){.control = control,
                          .acceleration = acceleration,
                          .braking = is_at_once || drifts || control == FLIGHT_DAMPED ? acceleration
                                                                                      : body->brake,
                          .drifts = drifts,
                          .tumbles = body->tumbles,
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

static oct_point approach(oct_point velocity, oct_point wanted, double most)
{
    const oct_point change = point_sub(wanted, velocity);
    const double size = point_length(change);
    return size <= most ? wanted : point_add(velocity, point_scale(change, most / size));
}

static oct_point velocity_after(const flight_state *c, oct_point move, const flight_rules *rules)
{
    const double size = point_length(move);
    const oct_point own = point_scale(move, size > 1.0 ? 1.0 / size : 1.0);
    const oct_point along = oct_motion_to_world(&c->frame, own);
    if (size == 0.0) {
        return approach(c->velocity, along, rules->braking * rules->tick);
    }
    if (rules->control == FLIGHT_COURSE) {
        return approach(c->velocity, point_scale(along, rules->speed),
                        rules->acceleration * rules->tick);
    }
    const oct_point after =
        point_add(c->velocity, point_scale(along, rules->acceleration * rules->tick));
    const double speed = point_length(after);
    return speed > rules->speed ? point_scale(after, rules->speed / speed) : after;
}

void oct_flight_model_tick(flight_state *c, burn *b, const flight_rules *rules)
{
    oct_point move = {0, 0, 0};
    if (b->ticks > 0) {
        b->ticks--;
        oct_motion_turn(&c->frame, b->rotate, rules->turn * rules->tick);
        move = b->move;
    }
    c->velocity = rules->control == FLIGHT_DAMPED
                      ? oct_motion_velocity(&c->frame, c->velocity, move, true, rules->acceleration,
                                            rules->speed, rules->tick)
                      : velocity_after(c, move, rules);
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
