// SPDX-License-Identifier: MIT
// Landing and walking: Hoekzema's future work (7.3).
//
// The ground is felt, not seen: a body that was told to go down and does not is on something. It
// goes down so slowly, and presses so little, that touching down is the only bump of a landing.
#include "agent/pilot.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// Its up is the surface's normal when no more than this is missing, radians.
#define ALIGNED 0.02
// How fast it goes down, m/s; and what it gains at most in a tick, m/s: less than counts as running
// into something, so that who presses on the ground bumps no more.
#define SINK 1.0
#define SINK_GAIN 0.04
// What it gains in a tick when it goes fast enough, m/s: only to keep the dampeners from braking.
#define SINK_KEEP 1e-5
// Shortest burn downwards, ticks.
#define SINK_TICKS 6
// It has touched when it goes down by no more than this share of what it was told.
#define TOUCHED 0.5
// Who is on the ground stands within so many ticks of switching the jetpack off.
#define STAND_TICKS 6
#define AT_REST 0.05
// It does not get on when in so many seconds, and so many of the longest delays, it has come no
// further than this: metres, radians or m/s.
#define PATIENCE 2.0
#define PATIENCE_DELAYS 4.0
#define PROGRESS 0.01
// Where a map that is padded by the body tells of what one stands on and what one walks into,
// metres below and above the centre: in a passage of one block of 2.5 m the latter is its middle.
#define GROUND 0.3
#define ROOM 0.35
// Facing further away than this it turns before it walks, radians.
#define TURN_FIRST 0.5

// ---- landing ----

// Whether what is left still becomes less. Slow bodies have the time that it takes them.
static bool gets_on(oct_pilot *p, const oct_self *self, double left)
{
    if (left < p->best - PROGRESS) {
        p->best = left;
        p->best_tick = self->tick;
    }
    const double a = p->rules.acceleration;
    const double least = sqrt(2.0 * PROGRESS / a) + PROGRESS / a + PROGRESS / p->rules.turn;
    return (double)(self->tick - p->best_tick) * p->rules.tick <=
           PATIENCE + least + PATIENCE_DELAYS * p->rules.tick * p->delay_max;
}

static oct_pilot_status end(oct_pilot *p, oct_pilot_status status)
{
    p->is_landing = false;
    p->status = status;
    return status;
}

// What it waits with is under way from then on.
static oct_pilot_status keep_wait(oct_pilot *p, const oct_action *action, oct_pilot_status status)
{
    if (action->verb == OCT_VERB_WAIT) {
        p->sent = (burn){.ticks = action->ticks};
    }
    return status;
}

static void begin(oct_pilot *p, oct_action *action, burn b)
{
    *action =
        (oct_action){.verb = OCT_VERB_MOVE, .ticks = b.ticks, .move = b.move, .rotate = b.rotate};
    p->sent = b;
}

// On the ground. What it touched may be too steep to stand on: then it flies again, and is stuck.
static oct_pilot_status stand(oct_pilot *p, const oct_self *self, oct_action *action)
{
    if (self->flies && !oct_pilot_has_boots_on(self)) {
        *action = oct_pilot_switch("boots", true);
    } else if (self->flies) {
        p->best_tick = self->tick;
        *action = oct_pilot_switch(p->jetpack, false);
    } else if (self->stands && oct_pilot_has_boots_on(self)) {
        return end(p, OCT_PILOT_ARRIVED);
    } else if (self->tick - p->best_tick > STAND_TICKS + p->delay_max) {
        *action = oct_pilot_switch(p->jetpack, true);
        return end(p, OCT_PILOT_STUCK);
    }
    return OCT_PILOT_LANDING;
}

// Comes to rest and turns until its up is the normal.
static oct_pilot_status align(oct_pilot *p, const oct_self *self, const flight_state *c,
                              double missing, oct_action *action)
{
    if (!gets_on(p, self, OCT_LAND_MAX + missing + oct_flight_model_speed(c))) {
        return end(p, OCT_PILOT_STUCK);
    }
    if (self->ticks > 0 && point_length(p->sent.move) == 0.0) {
        action->verb = OCT_VERB_KEEP; // it turns
    } else if (self->ticks == 0) {
        const double ticks = missing / (p->rules.turn * p->rules.tick);
        burn b = {.ticks = ticks > p->ticks ? p->ticks : ticks > 1.0 ? (uint32_t)ticks : 1};
        oct_pilot_align(p, &c->frame, p->normal, b.ticks, &b.rotate);
        begin(p, action, b);
    }
    return OCT_PILOT_LANDING;
}

// How fast it should go down now at least if nothing held it: what the burn has added so far.
static double expected_sink(const oct_pilot *p, const oct_self *self)
{
    const uint32_t done = self->ticks < p->sent.ticks ? p->sent.ticks - self->ticks : 0;
    return -p->sent.move.y * p->rules.acceleration * p->rules.tick * done;
}

static oct_pilot_status sink(oct_pilot *p, const oct_self *self, double sinks, oct_action *action)
{
    const double depth = point_dot(point_sub(p->began, self->centre), p->normal);
    if (depth > OCT_LAND_MAX || !gets_on(p, self, OCT_LAND_MAX - depth)) {
        return end(p, OCT_PILOT_STUCK);
    }
    // With delays a burn has to last until the next one begins, however late that is; and what it
    // does has to be seen before.
    if (self->ticks > 2 * p->delay_max) {
        action->verb = OCT_VERB_KEEP;
        return OCT_PILOT_LANDING;
    }
    const double goes_on = self->ticks < p->delay_max ? self->ticks : p->delay_max;
    const double before = p->sent.move.y * p->rules.acceleration * p->rules.tick * goes_on;
    const uint32_t ticks = SINK_TICKS + 2 * p->delay_max;
    burn b = {.ticks = ticks < OCT_ACTION_TICKS_MAX ? ticks : OCT_ACTION_TICKS_MAX};
    double gain = (SINK - sinks + before) / b.ticks;
    gain = gain > SINK_GAIN ? SINK_GAIN : gain < SINK_KEEP ? SINK_KEEP : gain;
    const double share = gain / (p->rules.acceleration * p->rules.tick);
    b.move.y = share < 1.0 ? -share : -1.0;
    begin(p, action, b);
    return OCT_PILOT_LANDING;
}

static oct_pilot_status descend(oct_pilot *p, const oct_self *self, oct_action *action)
{
    const flight_state c = oct_flight_state_of(self);
    const double sinks = -point_dot(self->velocity, c.frame.up);
    oct_point rotate;
    const double missing = oct_pilot_align(p, &c.frame, p->normal, 1, &rotate);
    *action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = 1};
    if (p->descends) {
        const bool touched = !self->flies || sinks < TOUCHED * expected_sink(p, self);
        return touched ? stand(p, self, action) : sink(p, self, sinks, action);
    }
    if (!self->flies) { // it stands already, or flies first
        if (self->stands && missing <= ALIGNED && oct_pilot_has_boots_on(self)) {
            return end(p, OCT_PILOT_ARRIVED);
        }
        *action = oct_pilot_switch(self->stands && missing <= ALIGNED ? "boots" : p->jetpack, true);
        return OCT_PILOT_LANDING;
    }
    if (!oct_pilot_damps(p, self)) {
        *action = oct_pilot_switch("dampeners", true);
        return OCT_PILOT_LANDING;
    }
    if (missing > ALIGNED || self->ticks > 0 || oct_flight_model_speed(&c) > AT_REST) {
        return align(p, self, &c, missing, action);
    }
    p->descends = true;
    p->began = self->centre;
    return sink(p, self, 0.0, action);
}

oct_pilot_status oct_pilot_descend(oct_pilot *p, const oct_self *self, oct_action *action)
{
    const oct_pilot_status status = descend(p, self, action);
    return keep_wait(p, action, status);
}

// ---- walking ----

static bool has_label(const oct_pilot *p, oct_point at, oct_point up, double by, oct_label label)
{
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(p->map), point_add(at, point_scale(up, by)), &cell) &&
           oct_tree_label(oct_map_tree(p->map), cell) == label;
}

// Whether a line leads along ground with room above it, as far as the map knows.
static bool is_ground(const oct_pilot *p, oct_point from, oct_point to, oct_point up)
{
    const oct_point by = point_sub(to, from);
    const double step = oct_tree_cell_size(oct_map_tree(p->map)) / 2.0;
    const uint32_t steps = (uint32_t)(point_length(by) / step) + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        const oct_point at = point_add(from, point_scale(by, (double)i / steps));
        if (!has_label(p, at, up, -GROUND, OCT_BLOCKED) || !has_label(p, at, up, ROOM, OCT_OPEN)) {
            return false;
        }
    }
    return true;
}

bool oct_pilot_may_walk(const oct_pilot *p, const oct_self *self)
{
    const oct_point up = self->pose.up;
    double length = 0.0;
    oct_point last = self->centre;
    for (uint32_t i = p->leg; i < p->profile.count; i++) {
        // It walks level with where it stands.
        const double above = point_dot(point_sub(p->profile.legs[i].to, self->centre), up);
        const oct_point to = point_sub(p->profile.legs[i].to, point_scale(up, above));
        length += point_length(point_sub(to, last));
        if (!(length <= OCT_WALK_MAX && fabs(above) <= p->tolerance / 2.0) ||
            !is_ground(p, last, to, up)) {
            return false;
        }
        last = to;
    }
    return p->rules.walk > 0.0;
}

// Walking begins and ends at once: a burn of the right length leads there, whenever it begins. What
// it turns by it turns evenly, so the way is as straight as if it had turned by half before.
static void begin_walk(oct_pilot *p, const motion_frame *frame, oct_point to, oct_action *action)
{
    const double flat = point_length(to);
    const double ticks = flat / (p->rules.walk * p->rules.tick);
    const oct_point along = oct_motion_to_world(frame, to);
    burn b = {.ticks = ticks > p->ticks ? p->ticks : ticks > 1.0 ? (uint32_t)ticks : 1};
    const double missing = oct_pilot_turn(p, frame, along, b.ticks, HUGE_VAL, &b.rotate);
    const double turns = missing / (p->rules.turn * p->rules.tick);
    if (turns > 1.0 && (missing > TURN_FIRST || turns > b.ticks)) {
        b.ticks = turns > p->ticks ? p->ticks : (uint32_t)turns;
        oct_pilot_turn(p, frame, along, b.ticks, HUGE_VAL, &b.rotate);
    } else {
        motion_frame middle = *frame;
        oct_motion_turn(&middle, b.rotate, p->rules.turn * b.ticks * p->rules.tick / 2.0);
        const double share = ticks < 1.0 ? ticks : 1.0;
        b.move = oct_motion_to_local(&middle, point_scale(along, share / flat));
        b.move.y = 0.0;
    }
    begin(p, action, b);
}

static oct_pilot_status walk(oct_pilot *p, const oct_self *self, oct_action *action)
{
    const bool is_new = p->best == HUGE_VAL;
    *action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = 1};
    const motion_frame frame = oct_motion_frame(self->pose.forward, self->pose.up);
    oct_point to = {0, 0, 0};
    for (; p->leg < p->profile.count; p->leg++) {
        to = oct_motion_to_local(&frame, point_sub(p->profile.legs[p->leg].to, self->centre));
        to.y = 0.0;
        if (point_length(to) > p->tolerance / 2.0) {
            break;
        }
    }
    if (p->leg == p->profile.count) {
        return end(p, OCT_PILOT_ARRIVED);
    }
    const profile_place place = oct_speed_profile_place(&p->profile, p->leg, 1, self->centre);
    if (oct_pilot_is_stuck(p, self, &place)) {
        return end(p, OCT_PILOT_STUCK);
    }
    if (self->ticks == 0) {
        begin_walk(p, &frame, to, action);
    } else if (!is_new && p->sent.move.y == 0.0) {
        action->verb = OCT_VERB_KEEP; // it walks
    }
    return OCT_PILOT_WALKING;
}

oct_pilot_status oct_pilot_walk(oct_pilot *p, const oct_self *self, oct_action *action)
{
    const oct_pilot_status status = walk(p, self, action);
    return keep_wait(p, action, status);
}
