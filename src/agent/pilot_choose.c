// SPDX-License-Identifier: MIT
// What to do next along the way.
//
// A burn is a constant thrust for a number of ticks, after which the dampeners brake. Burns of many
// lengths are made, each with the thrust that ends it at the speed the way allows there; where they
// lead to is simulated; the one from which least time is left is taken, if it is safe: whenever it
// begins, and if nothing follows it, the body comes to rest without straying from the way further
// than is allowed and than is free. So is what was begun before, by the same argument: there is
// always something safe to do.
#include "agent/pilot.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// Times at which an action may begin that are looked at, of up to twice as many: between two of
// them a body strays little more than at both, and the overshoot leaves room for that.
#define STARTS 16
// A body that thrusts turns by at most this in one burn, radians; one that brakes as it can.
#define TURN_WITH_THRUST 0.25
// Facing further away than this from the way it turns before it starts, radians.
#define TURN_FIRST 1.05
// With delays only where the way takes longer than this, seconds.
#define TURN_FIRST_TIME 8.0
// Nearer than this it faces its way, radians.
#define FACES 0.1
// A change of speed against the way, m/s.
#define BACKWARD 0.1
// Longest burn that turns the body as well, where it may begin at any time.
#define TURN_TICKS 20
// Legs on which a burn is left alone, metres, and what of them it has to lead over.
#define SHORT_LEG 6.0
#define MOST_OF_LEG 0.9
// Longest burn straight back to the way.
#define REGAIN_TICKS 10
// What a longer burn may cost for each tick, seconds: it needs fewer observations. In a stepped
// game its end is the next turn, so also what turns as short as this one would cost; else one of a
// tick, a hair better than one of two, is taken again and again.
#define EACH_TICK 5e-4
#define SHORT_TURNS 0.04
// With delays, what it is worth to come to rest at the end of a leg, seconds: one action less.
#define AT_END 0.25
// Choices at most: three of each length for two starts, those of the next leg, and two more.
#define BURNS 192

typedef struct choice {
    burn burn;
    bool keeps;  // goes on with what was begun
    double time; // that is left, seconds
} choice;

typedef struct look_ahead {
    const oct_pilot *pilot;
    flight_state starts[STARTS]; // where the body may be when the action begins
    uint32_t start_count;
    uint32_t likely; // the one in the middle
    burn left;       // then of what is under way
    flight_state now;
    burn begun;           // what is under way
    double on_way, stray; // see may_be
    choice choices[BURNS];
    uint32_t choice_count;
} look_ahead;

// ---- what is safe ----

static profile_place place_of(const oct_pilot *p, oct_point at)
{
    return oct_pilot_place(p, p->leg > 0 ? p->leg - 1 : 0, at);
}

static bool is_open_at(const oct_pilot *p, oct_point at)
{
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(p->map), at, &cell) &&
           oct_tree_label(oct_map_tree(p->map), cell) == OCT_OPEN;
}

// Whether an OPEN cell is as near as the way has to be: a body may move along its surface.
static bool is_open(const oct_pilot *p, oct_point at)
{
    const double by = PILOT_ON_WAY * p->metre;
    return is_open_at(p, at) || is_open_at(p, (oct_point){at.x - by, at.y, at.z}) ||
           is_open_at(p, (oct_point){at.x + by, at.y, at.z}) ||
           is_open_at(p, (oct_point){at.x, at.y - by, at.z}) ||
           is_open_at(p, (oct_point){at.x, at.y + by, at.z}) ||
           is_open_at(p, (oct_point){at.x, at.y, at.z - by}) ||
           is_open_at(p, (oct_point){at.x, at.y, at.z + by});
}

// Whether the body may be at a point beside the way.
static bool may_be(const look_ahead *l, oct_point at)
{
    const profile_place place = place_of(l->pilot, at);
    return place.leg < l->pilot->blocked_leg &&
           (place.distance <= l->on_way || (place.distance <= l->stray && is_open(l->pilot, at)));
}

// Who is where it should not be may get away from there.
static void set_limits(look_ahead *l)
{
    const oct_pilot *const p = l->pilot;
    const double distance = place_of(p, l->now.at).distance * 1.01;
    const double on_way = PILOT_ON_WAY * p->metre;
    l->on_way = distance > on_way && !is_open(p, l->now.at) ? distance : on_way;
    l->stray = distance > p->overshoot ? distance : p->overshoot;
}

// Whether a body comes to rest well after a burn.
static bool ends_well(const look_ahead *l, flight_state c, burn b)
{
    for (uint32_t i = 0; b.ticks > 0 || oct_flight_model_speed(&c) > 0.0; i++) {
        oct_flight_model_tick(&c, &b, &l->pilot->rules);
        if (i == FLIGHT_MODEL_TICKS_MAX || !may_be(l, c.at)) {
            return false;
        }
    }
    return true;
}

static bool is_safe(const look_ahead *l, const choice *c)
{
    if (c->keeps) {
        return ends_well(l, l->now, l->begun);
    }
    for (uint32_t i = 0; i < l->start_count; i++) {
        if (!ends_well(l, l->starts[i], c->burn)) {
            return false;
        }
    }
    return true;
}

// ---- what is good ----

// Who is near enough to the next leg may be on it already, but for the way over.
static double time_left(const oct_pilot *p, const flight_state *c)
{
    const profile_place place = oct_pilot_place(p, p->leg, c->at);
    const double time = oct_speed_profile_time(&p->profile, &place, c->velocity);
    if (place.leg + 1 == p->profile.count) {
        return time;
    }
    const profile_place next = oct_speed_profile_place(&p->profile, place.leg + 1, 1, c->at);
    if (next.distance > p->overshoot) {
        return time;
    }
    const double other = oct_speed_profile_time(&p->profile, &next, c->velocity) +
                         sqrt(next.distance / p->profile.acceleration);
    return other < time ? other : time;
}

// Whether a body comes to rest at the end of a leg, so that the next action begins a new one.
static bool ends_a_leg(const oct_pilot *p, const flight_state *from, burn b)
{
    flight_state c = *from;
    oct_flight_model_stop(&c, &b, PILOT_AT_REST * p->metre, &p->rules);
    const profile_place place = oct_pilot_place(p, p->leg, c.at);
    return p->profile.legs[place.leg].length - place.done < p->overshoot ||
           place.done < p->overshoot;
}

static double price_of_turns(const oct_pilot *p, uint32_t ticks)
{
    return (p->delay_max > 0 ? 0.0 : SHORT_TURNS / ticks) - EACH_TICK * ticks;
}

// The time that is left after a choice that begins as is likely.
static void consider(look_ahead *l, const choice *from)
{
    const oct_pilot *const p = l->pilot;
    choice c = *from;
    // What follows comes when it has ended, or, with delays, when it may.
    const uint32_t horizon = p->delay_max > 0 ? p->delay_max : c.burn.ticks;
    flight_state there = l->starts[l->likely];
    burn after = c.keeps ? l->left : c.burn;
    oct_flight_model_fly(&there, &after, horizon, &p->rules);
    c.time = horizon * p->rules.tick + time_left(p, &there) + price_of_turns(p, c.burn.ticks);
    c.time -= p->delay_max > 0 && ends_a_leg(p, &there, after) ? AT_END : 0.0;
    OCT_ASSERT(l->choice_count < BURNS);
    l->choices[l->choice_count++] = c;
}

// ---- burns ----

// The speed after so many seconds from which a place `left` metres ahead is reached, braking, at a
// speed of `pass`: w t/2 + (w^2 - pass^2) / 2a = left - v t/2, with v the speed now.
static double stop_speed(double a, double left, double pass, double speed, double seconds)
{
    const double half = a * seconds / 2.0;
    const double square = half * half + pass * pass + 2.0 * a * (left - speed * seconds / 2.0);
    return square > half * half ? sqrt(square) - half : 0.0;
}

// The same of a body that reaches its new speed w as fast as it can, and then holds it:
// w t - (w - v)^2 / 2a + (w^2 - pass^2) / 2a = left.
static double course_speed(double a, double left, double pass, double speed, double seconds)
{
    return (left + (speed * speed + pass * pass) / (2.0 * a)) / (seconds + speed / a);
}

// The same, as fast as it can be then.
static double speed_after(const oct_pilot *p, const leg *at, double left, double speed,
                          double seconds)
{
    const double a = p->profile.acceleration, change = p->rules.acceleration * seconds;
    double after = stop_speed(a, left, at->pass, speed, seconds);
    if (p->rules.control == FLIGHT_COURSE && after > speed) {
        after = course_speed(a, left, at->pass, speed, seconds);
    }
    after = after > speed + change   ? speed + change
            : after < speed - change ? speed - change
                                     : after;
    return after < 0.0 ? 0.0 : after > p->profile.speed ? p->profile.speed : after;
}

// The velocity that the body should have after a burn that leads it straight to the end of a leg.
static oct_point velocity_to_end(const oct_pilot *p, const leg *at, const flight_state *c,
                                 double seconds)
{
    const oct_point by = point_sub(at->to, c->at);
    const double left = point_length(by);
    const oct_point along = left > 0.0 ? point_scale(by, 1.0 / left) : at->along;
    return point_scale(along, speed_after(p, at, left, point_dot(c->velocity, along), seconds));
}

// The velocity that the body should have after a burn on a leg.
static oct_point velocity_after(const oct_pilot *p, const leg *at, const flight_state *c,
                                double seconds)
{
    const double done = point_dot(point_sub(c->at, at->from), at->along);
    const double left = at->length - done;
    const double speed = point_dot(c->velocity, at->along);
    const double along = speed_after(p, at, left, speed, seconds);
    // Back to the line, over at least a quarter of a second.
    const oct_point off = point_sub(c->at, point_add(at->from, point_scale(at->along, done)));
    const double over = seconds > 0.25 ? seconds : 0.25;
    return point_add(point_scale(at->along, along), point_scale(off, -1.0 / over));
}

// A burn after which the body has a velocity, or comes as near to it as it can.
static void add_burn(look_ahead *l, const flight_state *c, const leg *at, oct_point wanted,
                     uint32_t ticks, bool turns)
{
    const oct_pilot *const p = l->pilot;
    const double seconds = ticks * p->rules.tick;
    oct_point thrust =
        p->rules.control == FLIGHT_COURSE
            ? point_scale(wanted, 1.0 / p->rules.speed)
            : point_scale(point_sub(wanted, c->velocity), 1.0 / (seconds * p->rules.acceleration));
    const double size = point_length(thrust);
    if (size > 1.0) {
        thrust = point_scale(thrust, 1.0 / size);
    } else if (size < FLIGHT_COAST) {
        thrust = point_scale(at->along, FLIGHT_COAST);
    }
    choice made = {.burn = {.ticks = ticks}};
    if (turns) {
        oct_pilot_turn(p, &c->frame, at->along, ticks, TURN_WITH_THRUST, &made.burn.rotate);
    }
    // The thrust turns with the body: as it should be in the middle of the burn.
    motion_frame middle = c->frame;
    oct_motion_turn(&middle, made.burn.rotate, p->rules.turn * seconds / 2.0);
    made.burn.move = oct_motion_to_local(&middle, thrust);
    consider(l, &made);
}

// A burn along a leg.
static void add_leg_burn(look_ahead *l, const flight_state *c, const leg *at, oct_point wanted,
                         uint32_t ticks)
{
    const oct_pilot *const p = l->pilot;
    // Dampeners brake as well, and do not go on where the body stands: a burn that begins late
    // would.
    const double change = point_dot(point_sub(wanted, c->velocity), at->along);
    if (p->delay_max == 0 || change > -BACKWARD * p->metre) {
        add_burn(l, c, at, wanted, ticks, p->delay_max == 0 || ticks <= TURN_TICKS);
    }
}

// At least 1 tick and at most those of a look ahead; 1 where nothing can be reckoned.
static uint32_t burn_ticks(const oct_pilot *p, double ticks)
{
    return !(ticks > 1.0) ? 1 : ticks >= p->ticks ? p->ticks : (uint32_t)ticks;
}

// The shortest burn after which the body, braking, comes as far as it may on a leg: it reaches the
// speed w with w^2 = a d + v^2 / 2 and brakes from there on. Who has to brake already does so up to
// the end.
static uint32_t whole_burn(const oct_pilot *p, const leg *at, const flight_state *c)
{
    const double a = p->profile.acceleration;
    const double left = at->length - point_dot(point_sub(c->at, at->from), at->along);
    const double speed = point_dot(c->velocity, at->along);
    const double square = a * left + (at->pass * at->pass + speed * speed) / 2.0;
    const double peak = square > 0.0 ? sqrt(square) : 0.0;
    const double top = peak < p->profile.speed ? peak : p->profile.speed;
    if (p->rules.control == FLIGHT_COURSE) { // it holds what it has reached
        return burn_ticks(p,
                          top > 0.0 ? (left - top * top / (2.0 * a)) / (top * p->rules.tick) : 1.0);
    }
    const double ticks = (top - speed) / (a * p->rules.tick);
    if (ticks >= 1.0 || speed <= 0.0) {
        return burn_ticks(p, ticks > 0.0 ? ticks + 1.0 : 1.0);
    }
    const double to_end = 2.0 * left / ((speed + at->pass) * p->rules.tick);
    return burn_ticks(p, to_end);
}

// Burns of so many ticks.
static void add_burns_of(look_ahead *l, const flight_state *c, const profile_place *place,
                         uint32_t ticks)
{
    const oct_pilot *const p = l->pilot;
    const leg *const at = &p->profile.legs[place->leg];
    const double seconds = ticks * p->rules.tick;
    add_leg_burn(l, c, at, velocity_after(p, at, c, seconds), ticks);
    if (place->distance < PILOT_ON_WAY * p->metre * 0.8) {
        return;
    }
    add_leg_burn(l, c, at, velocity_to_end(p, at, c, seconds), ticks);
    // Straight back to the way, where it is too narrow to do so on the way.
    if (ticks <= REGAIN_TICKS) {
        const oct_point back = point_sub(place->at, c->at);
        const double speed =
            stop_speed(p->profile.acceleration, place->distance, 0.0, 0.0, seconds);
        add_burn(l, c, at, point_scale(back, speed / place->distance), ticks, false);
    }
}

static void add_burns(look_ahead *l, const flight_state *c)
{
    static const uint32_t lengths[] = {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 25, 30, 38, 48, 60};
    const oct_pilot *const p = l->pilot;
    const profile_place place = oct_pilot_place(p, p->leg, c->at);
    const leg *const at = &p->profile.legs[place.leg];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= p->ticks; i++) {
        add_burns_of(l, c, &place, lengths[i]);
    }
    add_burns_of(l, c, &place, whole_burn(p, at, c));
    // At the end of a leg also along the next.
    if (place.leg + 1 < p->profile.count && at->length - place.done < p->overshoot) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= p->ticks; i++) {
            const double seconds = lengths[i] * p->rules.tick;
            add_leg_burn(l, c, at + 1, velocity_after(p, at + 1, c, seconds), lengths[i]);
        }
        const uint32_t ticks = whole_burn(p, at + 1, c);
        add_leg_burn(l, c, at + 1, velocity_after(p, at + 1, c, ticks * p->rules.tick), ticks);
        add_leg_burn(l, c, at + 1, velocity_to_end(p, at + 1, c, ticks * p->rules.tick), ticks);
    }
}

// Braking; it turns towards the leg that comes.
static void add_brake(look_ahead *l, const flight_state *c)
{
    const oct_pilot *const p = l->pilot;
    const profile_place place = oct_pilot_place(p, p->leg, c->at);
    const leg *at = &p->profile.legs[place.leg];
    const double stops = point_dot(c->velocity, c->velocity) / (2.0 * p->profile.acceleration);
    if (place.leg + 1 < p->profile.count && at->length - place.done - stops < p->overshoot) {
        at++;
    }
    choice made = {.burn = {.ticks = 1}};
    const double missing = oct_pilot_turn(p, &c->frame, at->along, 1, HUGE_VAL, &made.burn.rotate);
    const double each = p->rules.turn * p->rules.tick;
    const double ticks = missing / each + 1.0;
    made.burn.ticks = ticks > p->ticks ? p->ticks : ticks > 1.0 ? (uint32_t)ticks : 1;
    oct_pilot_turn(p, &c->frame, at->along, made.burn.ticks, HUGE_VAL, &made.burn.rotate);
    const bool stands = oct_flight_model_speed(c) < PILOT_AT_REST * p->metre;
    if (stands && missing < FACES) {
        return; // there is nothing to brake
    }
    consider(l, &made);
    // Standing and facing away: that comes first. With delays it costs an observation more: only
    // before a long way; else it turns when it brakes.
    const bool is_worth_it =
        p->delay_max == 0 || (p->leg == 0 && time_left(p, c) > TURN_FIRST_TIME);
    if (stands && is_worth_it && missing > TURN_FIRST) {
        l->choices[l->choice_count - 1].time = -1.0;
    }
}

// ---- choosing ----

static void set_starts(look_ahead *l)
{
    const oct_pilot *const p = l->pilot;
    const uint32_t spread = p->delay_max - p->delay_min;
    l->start_count = spread == 0 ? 1 : STARTS;
    l->likely = l->start_count / 2;
    flight_state c = l->now;
    burn b = l->begun;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < l->start_count; i++) {
        const uint32_t at = p->delay_min + (spread * i) / (STARTS - 1);
        oct_flight_model_fly(&c, &b, at - passed, &p->rules);
        passed = at;
        l->starts[i] = c;
        l->left = i == l->likely ? b : l->left;
    }
}

static void to_action(const choice *c, oct_action *action)
{
    *action = (oct_action){.verb = c->keeps ? OCT_VERB_KEEP : OCT_VERB_MOVE,
                           .ticks = c->keeps ? 1 : c->burn.ticks,
                           .move = c->burn.move,
                           .rotate = c->burn.rotate};
}

// With delays: whether what is under way is better left alone. While the body turns, nobody knows
// where a thrust will lead; and a burn that leads nearly to the end of a short leg would only be
// cut short.
static bool is_under_way(const look_ahead *l)
{
    const oct_pilot *const p = l->pilot;
    const burn *const b = &l->begun;
    if (p->delay_max == 0 || b->ticks == 0) {
        return false;
    }
    flight_state c = l->now;
    burn rest = *b;
    const profile_place from = oct_pilot_place(p, p->leg, c.at);
    if (p->profile.legs[from.leg].length > SHORT_LEG * p->metre) {
        return false;
    }
    const double turns = fabs(b->rotate.x) + fabs(b->rotate.y);
    if (turns * b->ticks * p->rules.turn * p->rules.tick > FACES) {
        return true;
    }
    oct_flight_model_stop(&c, &rest, PILOT_AT_REST * p->metre, &p->rules);
    const profile_place to = oct_pilot_place(p, p->leg, c.at);
    const double left = p->profile.legs[from.leg].length - from.done;
    return to.leg > from.leg || to.done - from.done > MOST_OF_LEG * left;
}

bool oct_pilot_choose(oct_pilot *p, const oct_self *self, oct_action *action)
{
    look_ahead l = {.pilot = p, .now = oct_flight_state_of(self), .begun = p->sent};
    l.begun.ticks = self->ticks;
    set_limits(&l);
    set_starts(&l);
    const flight_state *const likely = &l.starts[l.likely];
    const flight_state *const last = &l.starts[l.start_count - 1];
    const bool is_left_alone = is_under_way(&l);
    if (!is_left_alone) {
        add_brake(&l, likely);
        add_burns(&l, likely);
    }
    if (!is_left_alone && last != likely) {
        add_burns(&l, last);
    }
    if (p->delay_max > 0 && self->ticks > 0) {
        consider(&l, &(choice){.keeps = true});
    }
    for (uint32_t tried = 0; tried < l.choice_count; tried++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < l.choice_count; i++) {
            best = l.choices[i].time < l.choices[best].time ? i : best;
        }
        if (is_safe(&l, &l.choices[best])) {
            to_action(&l.choices[best], action);
            return true;
        }
        l.choices[best].time = HUGE_VAL;
    }
    *action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = 1};
    return false;
}
