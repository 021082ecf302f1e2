// SPDX-License-Identifier: MIT
// Going on foot: along ground that a footing knows, in straight legs, jumps and drops.
//
// It stops at every bend, turns there, and walks straight: nothing leads beside the ground that was
// found. In the air it does nothing; where it comes down it looks how to go on.
#include "agent/pilot.h"

#include "geom/geom_internal.h"

#include <math.h>

// Facing away by more than this it turns before it walks, radians.
#define FACING 0.02
// How near it comes to a bend, metres; who brakes only a share of its tolerance.
#define AT_BEND 0.02
#define NEAR 0.25
// How far the ground may be from its feet, metres: feet are a little above it, and at edges below.
#define GROUND_NEAR 0.1
// What slopes beside it lifts its feet above the ground under its middle: by so much at most.
#define GROUND_BELOW 0.3
// Ticks of one action towards an edge, and in the air.
#define DROP_TICKS 4
#define AIR_TICKS 2
// Slopes turn those who cross them aside: there it steers for a place of its line so far ahead,
// metres, and looks again after so many ticks.
#define LINE_AHEAD 0.1
#define SLOPE_TICKS 2
// It is stuck where it has not got on for so long, seconds, by so much, metres.
#define STUCK 4.0
#define PROGRESS 0.05

static oct_pilot_status end(oct_pilot *p, oct_pilot_status status)
{
    p->status = status;
    return status;
}

static oct_point feet_of(const oct_pilot *p, oct_point centre, oct_point up)
{
    return point_sub(centre, point_scale(up, p->height / 2.0));
}

// The way to a point across the body's up.
static oct_point level(oct_point way, oct_point up)
{
    return point_sub(way, point_scale(up, point_dot(way, up)));
}

static const oct_point *point_of(const oct_pilot *p)
{
    return (const oct_point *)p->points.items + p->leg;
}

// Where the ground under a point is, as nearly as is known; whether it slopes.
static oct_result find_ground(oct_pilot *p, oct_point *feet, double above, double below,
                              oct_point up, bool *is_sloped)
{
    oct_foothold hold;
    bool found;
    OCT_TRY(oct_footing_find(p->footing, *feet, above, below, &hold, &found));
    if (found) {
        const double by = point_dot(point_sub(hold.feet, *feet), up);
        *feet = point_add(*feet, point_scale(up, by));
    }
    *is_sloped = found && hold.is_sloped;
    return OCT_OK;
}

// Passes over the points of the way that it is at.
static void pass_points(oct_pilot *p, const oct_self *self)
{
    const oct_point up = self->pose.up;
    const double near = p->is_at_once ? AT_BEND * p->metre : NEAR * p->tolerance;
    for (; p->leg < p->points.count; p->leg++) {
        const oct_point way = point_sub(*point_of(p), self->centre);
        const bool is_last = p->leg + 1 == p->points.count;
        if (point_length(level(way, up)) > near ||
            (!is_last && fabs(point_dot(way, up)) > p->height / 2.0)) {
            break;
        }
        p->best = HUGE_VAL;
    }
}

static bool gets_on(oct_pilot *p, const oct_self *self)
{
    const double left = point_length(point_sub(*point_of(p), self->centre));
    if (left < p->best - PROGRESS * p->metre) {
        p->best = left;
        p->best_tick = self->tick;
    }
    return (double)(self->tick - p->best_tick) <= STUCK * p->rules.rate + 8.0 * p->delay_max;
}

// Turns towards a way: false where it faces it.
static bool turns(const oct_pilot *p, const motion_frame *frame, oct_point way, oct_action *action)
{
    const double missing = oct_pilot_turn(p, frame, way, 1, HUGE_VAL, &action->rotate);
    if (missing <= FACING) {
        action->rotate = (oct_point){0, 0, 0};
        return false;
    }
    const double ticks = ceil(missing / (p->rules.turn * p->rules.tick));
    *action =
        (oct_action){.verb = OCT_VERB_MOVE, .ticks = ticks < p->ticks ? (uint32_t)ticks : p->ticks};
    oct_pilot_turn(p, frame, way, action->ticks, HUGE_VAL, &action->rotate);
    return true;
}

// Walks along a way, at a share of its speed, for at most so many ticks; not beyond its end.
static void go(const oct_pilot *p, const motion_frame *frame, oct_point way, double share,
               uint32_t most, oct_action *action)
{
    const double far = point_length(way), each = p->walk_speed * p->rules.tick;
    const double ticks = floor(far / (each * share));
    *action = (oct_action){.verb = OCT_VERB_MOVE,
                           .ticks = ticks >= most  ? most
                                    : ticks >= 1.0 ? (uint32_t)ticks
                                                   : 1};
    const double at = ticks >= 1.0 ? share : far / each;
    action->move = oct_motion_to_local(frame, point_scale(way, at / far));
    action->move.y = 0.0;
}

// A body that gets up its speed, and brakes, in time: as fast as it can still stop at the end.
static double share_of(const oct_pilot *p, oct_point way, uint32_t *most)
{
    if (p->is_at_once) {
        return 1.0;
    }
    const double brakes = p->rules.braking;
    const double ahead = *most * p->rules.tick * p->walk_speed;
    const double left = fmax(point_length(way) - ahead / 4.0, 0.1 * point_length(way));
    *most = *most > 4 ? 4 : *most;
    return fmin(1.0, sqrt(2.0 * brakes * left) / p->walk_speed * 0.7);
}

// From its feet to the line of the leg, and on along it.
static oct_point along_line(const oct_pilot *p, const oct_self *self, oct_point way)
{
    const oct_point up = self->pose.up;
    const oct_point line = p->leg > 0 ? level(point_sub(*point_of(p), point_of(p)[-1]), up) : way;
    const double length = point_length(line), ahead = LINE_AHEAD * p->metre;
    if (length == 0.0 || point_length(way) <= ahead) {
        return way;
    }
    const oct_point d = point_scale(line, 1.0 / length);
    const double left = point_dot(way, d);
    return left > ahead ? point_sub(way, point_scale(d, left - ahead)) : way;
}

static oct_pilot_status take_leg(oct_pilot *p, const oct_self *self, const oct_footing_leg *next,
                                 oct_point way, bool is_sloped, oct_action *action)
{
    const motion_frame frame = oct_motion_frame(self->pose.forward, self->pose.up);
    if (turns(p, &frame, way, action)) {
        return OCT_PILOT_WALKING;
    }
    uint32_t most = p->ticks;
    if (next->stride == OCT_STRIDE_WALK) {
        const double share = share_of(p, way, &most);
        most = is_sloped && most > SLOPE_TICKS ? SLOPE_TICKS : most;
        go(p, &frame, is_sloped ? along_line(p, self, way) : way, share, most, action);
    } else {
        const bool is_jump = next->stride == OCT_STRIDE_JUMP;
        go(p, &frame, way, next->speed / p->walk_speed, is_jump ? 1 : DROP_TICKS, action);
        p->jumps = is_jump;
        p->drops = !is_jump;
        p->drop_way = point_scale(way, 1.0 / point_length(way));
        p->drop_speed = next->speed;
    }
    return OCT_PILOT_WALKING;
}

// Whether the ground slopes where it walks next.
static oct_result find_slope(oct_pilot *p, oct_point from, oct_point way, oct_point up, bool *is)
{
    const double by = 0.5 * oct_tree_cell_size(oct_map_tree(p->map)), far = point_length(way);
    const double reach = fmin(far, p->ticks * p->walk_speed * p->rules.tick);
    for (double x = by; x < reach + by && far > 0.0 && !*is; x += by) {
        oct_point at = point_add(from, point_scale(way, fmin(x, reach) / far));
        OCT_TRY(find_ground(p, &at, p->height / 2.0, p->height / 2.0, up, is));
    }
    return OCT_OK;
}

// Where it stands in the middle of a column: the leg from there is that of the way, to the bit.
static oct_result find_middle(oct_pilot *p, oct_point *from, bool *is)
{
    oct_foothold hold;
    const double near = 2.0 * AT_BEND * p->metre;
    OCT_TRY(oct_footing_find(p->footing, *from, near, near, &hold, is));
    *is = *is && point_length(point_sub(hold.feet, *from)) <= near;
    *from = *is ? hold.feet : *from;
    return OCT_OK;
}

// What may not be known to lead there is walked where it is so short that it can be no more than
// getting to the middle of a column.
static bool is_short(const oct_pilot *p, oct_point way, double rise)
{
    const double cell = oct_tree_cell_size(oct_map_tree(p->map));
    return point_length(way) <= 2.0 * cell && fabs(rise) <= p->height / 2.0;
}

static oct_result choose(oct_pilot *p, const oct_self *self, oct_action *action,
                         oct_pilot_status *status)
{
    const oct_point up = self->pose.up;
    oct_point from = feet_of(p, self->centre, up), to = feet_of(p, *point_of(p), up);
    const bool is_last = p->leg + 1 == p->points.count;
    bool is_sloped, ends_sloped;
    const double near = GROUND_NEAR * p->metre, end_near = is_last ? p->height / 2.0 : near;
    OCT_TRY(find_ground(p, &from, near, GROUND_BELOW * p->metre, up, &is_sloped));
    OCT_TRY(find_ground(p, &to, end_near, end_near, up, &ends_sloped));
    const oct_point way = level(point_sub(to, from), up);
    oct_footing_leg next;
    bool found, is_middle;
    OCT_TRY(find_middle(p, &from, &is_middle));
    OCT_TRY(oct_footing_leg_between(p->footing, from, to, &next, &found));
    if (!found) {
        const bool is_near = is_short(p, way, point_dot(point_sub(to, from), up));
        if (is_near && is_last && is_middle) {
            *status = end(p, OCT_PILOT_ARRIVED); // the middle of its column is as near as it gets
            return OCT_OK;
        }
        if (!is_near) {
            *status = end(p, OCT_PILOT_BLOCKED);
            return OCT_OK;
        }
        next = (oct_footing_leg){.stride = OCT_STRIDE_WALK};
    }
    if (next.stride == OCT_STRIDE_WALK) {
        OCT_TRY(find_slope(p, from, way, up, &is_sloped));
    }
    *status = take_leg(p, self, &next, way, is_sloped, action);
    return OCT_OK;
}

// What a game says of standing may flicker, on stairs, or be missing: who neither rises nor falls,
// with ground at its feet, stands too.
static bool is_on_ground(oct_pilot *p, const oct_self *self)
{
    const oct_point up = self->pose.up;
    const double near = GROUND_NEAR * p->metre;
    oct_foothold hold;
    bool found;
    return self->stands || (fabs(point_dot(self->velocity, up)) <= PILOT_AT_REST * p->metre &&
                            oct_footing_find(p->footing, feet_of(p, self->centre, up), near, near,
                                             &hold, &found) == OCT_OK &&
                            found);
}

oct_pilot_status oct_pilot_go_on_foot(oct_pilot *p, const oct_self *self, oct_action *action)
{
    *action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = 1};
    if (self->flies) {
        if (!p->jetpack) {
            return end(p, OCT_PILOT_STUCK);
        }
        *action = oct_pilot_switch(p->jetpack, false);
        return OCT_PILOT_LANDING;
    }
    if (p->has_boots && oct_pilot_has_boots_on(self)) {
        *action = oct_pilot_switch("boots", false);
        return OCT_PILOT_WALKING;
    }
    const bool jumps = p->jumps, stands = is_on_ground(p, self);
    p->jumps = false;
    if (jumps && stands) {
        *action = (oct_action){.verb = OCT_VERB_JUMP};
        return OCT_PILOT_WALKING;
    }
    if (stands) {
        pass_points(p, self);
    }
    const bool is_over = p->leg == p->points.count;
    if (!is_over && !gets_on(p, self)) {
        return end(p, OCT_PILOT_STUCK);
    }
    if (!stands) {
        p->drops = false;
        action->ticks = AIR_TICKS;
        return OCT_PILOT_WALKING;
    }
    if (p->drops) {
        const motion_frame frame = oct_motion_frame(self->pose.forward, self->pose.up);
        go(p, &frame, p->drop_way, p->drop_speed / p->walk_speed, DROP_TICKS, action);
        return OCT_PILOT_WALKING;
    }
    if (self->ticks > 0 && p->delay_max > 0) {
        action->verb = OCT_VERB_KEEP; // what is under way was chosen to end well
        return OCT_PILOT_WALKING;
    }
    if (is_over) {
        const bool rests = point_length(self->velocity) <= PILOT_AT_REST * p->metre;
        return rests ? end(p, OCT_PILOT_ARRIVED) : OCT_PILOT_WALKING;
    }
    oct_pilot_status status = OCT_PILOT_BLOCKED;
    // Where memory is short nothing is known to be safe.
    return choose(p, self, action, &status) == OCT_OK ? status : end(p, OCT_PILOT_BLOCKED);
}
