// SPDX-License-Identifier: MIT
// A pilot's life and what it is about: on its way, there, blocked or stuck.
#include "agent/pilot.h"
#include "agent/belief_internal.h"
#include "agent/speed_profile.h"
#include "octant/line.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "octant/graph.h"

#include <math.h>

#define COOKIE 0x70696c6fu
// Legs ahead among which it looks for itself, at least.
#define LEGS_AHEAD 6
// The longest way out of something, metres.
#define OUT_MAX 10.0
// It is stuck when it has not got on for so long, and so many of the longest delays.
#define STUCK_SECONDS 4.0
#define STUCK_DELAYS 8u
// What a direction may be off by in length.
#define UNIT_SLACK 1e-3
#define HALF_TURN 3.141592653589793
// What counts as getting on, seconds of the time that is left.
#define PROGRESS 0.05
#define BURN_MAX 60

oct_pilot_def oct_pilot_def_default(void)
{
    return (oct_pilot_def){.facing = OCT_FACING_YAW,
                           .tolerance = 0.25,
                           .overshoot = 0.2,
                           .ticks = 20,
                           .cookie = COOKIE};
}

const char *oct_pilot_status_name(oct_pilot_status status)
{
    static const char *const names[] = {"idle",    "flying",  "landing", "walking",
                                        "arrived", "blocked", "stuck"};
    _Static_assert(sizeof names / sizeof *names == OCT_PILOT_STATUS_COUNT, "a name for each");
    return (uint32_t)status < OCT_PILOT_STATUS_COUNT ? names[status] : NULL;
}

double oct_flight_time(const oct_point *points, size_t count, double acceleration, double speed)
{
    double time = 0.0;
    for (size_t i = 1; i < count; i++) {
        const double length = point_length(point_sub(points[i], points[i - 1]));
        time += oct_speed_profile_sprint(length, 0.0, 0.0, acceleration, speed);
    }
    return time;
}

// ---- life ----

static bool is_positive(double value)
{
    return isfinite(value) && value > 0.0;
}

oct_result oct_pilot_create(const oct_pilot_def *def, oct_pilot **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->info || !def->body || !def->map ||
        (uint32_t)def->facing > OCT_FACING_NONE || !is_positive(def->tolerance) ||
        !is_positive(def->overshoot) || !(def->speed >= 0.0) || def->ticks < 1 ||
        def->ticks > OCT_ACTION_TICKS_MAX || oct_tree_dims(oct_map_tree(def->map)) != 3) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    oct_pilot *const p = oct_alloc(&own, sizeof *p, _Alignof(oct_pilot));
    if (!p) {
        return OCT_ERROR_MEMORY;
    }
    *p = (oct_pilot){.allocator = own,
                     .map = def->map,
                     .rules = oct_flight_rules_of(def->body, def->info->rate),
                     .jetpack = oct_player_body_has(def->body, "jetpack") ? "jetpack"
                                : oct_player_body_has(def->body, "fly")   ? "fly"
                                                                          : NULL,
                     .has_boots = oct_player_body_has(def->body, "boots"),
                     .has_dampeners = oct_player_body_has(def->body, "dampeners"),
                     .delay_min = def->info->delay_min,
                     .delay_max = def->info->delay_max,
                     .height = def->body->height,
                     .walk_speed = def->body->walk > 0.0 ? def->body->walk : def->body->speed,
                     .is_at_once =
                         def->body->gait == OCT_GAIT_BOTH || !(def->body->acceleration > 0.0),
                     .metre = belief_metre(def->info),
                     .facing = def->facing,
                     .tolerance = def->tolerance,
                     .overshoot = def->overshoot,
                     .ticks = def->info->delay_max > 0 ? BURN_MAX : def->ticks};
    // An observation, an action that answers it, its burn, and braking.
    const double v = p->rules.speed;
    p->free_ahead = v * v / (2.0 * p->rules.braking) +
                    v * (2.0 * p->delay_max + p->ticks) / p->rules.rate + 1.0;
    p->profile.acceleration = fmin(p->rules.acceleration, p->rules.braking);
    const bool is_slower = def->speed > 0.0 && def->speed < p->rules.speed;
    p->profile.speed = is_slower ? def->speed : p->rules.speed;
    *out = p;
    return OCT_OK;
}

void oct_pilot_destroy(oct_pilot *p)
{
    if (p) {
        const oct_allocator own = p->allocator;
        oct_array_free(&p->points, &own, sizeof(oct_point));
        oct_array_free(&p->legs, &own, sizeof(leg));
        oct_free(&own, p, sizeof *p);
    }
}

// ---- the way ahead ----

// Legs are short where a path is curved: enough of them for as far as it may come.
profile_place oct_pilot_place(const oct_pilot *p, uint32_t first, oct_point at)
{
    uint32_t most = 0;
    for (double length = 0.0; first + most < p->profile.count; most++) {
        if (most >= LEGS_AHEAD && length > p->free_ahead) {
            break;
        }
        length += p->profile.legs[first + most].length;
    }
    return oct_speed_profile_place(&p->profile, first, most, at);
}

static oct_fine to_fine(const oct_map *map, oct_point at)
{
    const oct_point origin = oct_tree_origin(oct_map_tree(map));
    const double scale = OCT_FINE / oct_tree_cell_size(oct_map_tree(map));
    return (oct_fine){(int64_t)floor((at.x - origin.x) * scale + 0.5),
                      (int64_t)floor((at.y - origin.y) * scale + 0.5),
                      (int64_t)floor((at.z - origin.z) * scale + 0.5)};
}

static bool sees(const oct_pilot *p, const leg *l, oct_point from)
{
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(p->map), from, &cell) &&
           oct_tree_cell_at(oct_map_tree(p->map), l->to, &cell) &&
           oct_tree_line_of_sight(oct_map_tree(p->map), NULL, to_fine(p->map, from),
                                  to_fine(p->map, l->to));
}

// The rest of the leg that it is on. It may run along a surface, where the place of the body is
// rounded into it, but not the leg.
static bool rest_is_free(const oct_pilot *p, const profile_place *place)
{
    const leg *const l = &p->profile.legs[place->leg];
    return place->leg < p->out_legs || sees(p, l, place->at) || sees(p, l, l->from);
}

// Legs that lead out of something that the body is in.
static uint32_t count_out(const oct_pilot *p)
{
    double length = 0.0;
    for (uint32_t i = 0; i < p->profile.count && length < OUT_MAX * p->metre; i++) {
        const leg *const l = &p->profile.legs[i];
        if (sees(p, l, l->from)) {
            return i;
        }
        length += l->length;
        oct_vec cell;
        if (i + 1 == p->profile.count && oct_tree_cell_at(oct_map_tree(p->map), l->to, &cell) &&
            oct_tree_label(oct_map_tree(p->map), cell) == OCT_OPEN) {
            return p->profile.count; // out of it, and no further
        }
    }
    return 0;
}

// The first leg that is not free, as far as that matters now; UINT32_MAX if there is none.
static uint32_t find_blocked(oct_pilot *p, const profile_place *place)
{
    const uint64_t revision = oct_tree_revision(oct_map_tree(p->map));
    if (revision != p->revision || p->free_legs <= place->leg) {
        if (!rest_is_free(p, place)) {
            return place->leg;
        }
        p->revision = revision;
        p->free_legs = place->leg + 1;
    }
    double ahead = p->profile.legs[place->leg].length - place->done;
    for (uint32_t i = place->leg + 1; i < p->profile.count && ahead < p->free_ahead; i++) {
        ahead += p->profile.legs[i].length;
        if (i >= p->free_legs) {
            if (i >= p->out_legs && !sees(p, &p->profile.legs[i], p->profile.legs[i].from)) {
                return i;
            }
            p->free_legs = i + 1;
        }
    }
    return UINT32_MAX;
}

// ---- paths ----

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static void set_way(oct_pilot *p)
{
    p->profile.legs = p->legs.items;
    // With delays some room is left for what is not known.
    const double stray = p->delay_max > 0 ? p->overshoot / 2.0 : p->overshoot;
    oct_speed_profile_make(&p->profile, p->points.items, p->points.count, stray);
    p->leg = 0;
    p->free_legs = 0;
    p->out_legs = count_out(p);
    p->revision = oct_tree_revision(oct_map_tree(p->map));
    p->best = HUGE_VAL;
}

oct_result oct_pilot_follow(oct_pilot *p, const oct_point *points, size_t count)
{
    if (count == 0 || count > UINT32_MAX / 2) {
        return OCT_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_finite(points[i])) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    // One more, for where the body is.
    OCT_TRY(oct_array_reserve(&p->points, &p->allocator, sizeof *points, count + 1));
    OCT_TRY(oct_array_reserve(&p->legs, &p->allocator, sizeof(leg), count + 1));
    memcpy(p->points.items, points, count * sizeof *points);
    p->points.count = count;
    p->has_begun = false;
    p->is_landing = false;
    p->jumps = p->drops = false;
    p->status = OCT_PILOT_FLYING;
    set_way(p);
    return OCT_OK;
}

void oct_pilot_walk_on(oct_pilot *p, oct_footing *footing)
{
    p->footing = footing;
    p->points.count = 0;
    p->status = OCT_PILOT_IDLE;
}

static void put_first(oct_pilot *p, oct_point at)
{
    oct_point *const points = p->points.items;
    memmove(points + 1, points, p->points.count * sizeof *points);
    points[0] = at;
    p->points.count++;
    set_way(p);
}

// The way begins where the body is.
static void begin(oct_pilot *p, oct_point at)
{
    const oct_point *const points = p->points.items;
    p->has_begun = true;
    if (p->profile.count == 0
            ? point_length(point_sub(at, points[0])) > p->tolerance
            : oct_speed_profile_place(&p->profile, 0, 1, at).distance > PILOT_ON_WAY * p->metre) {
        put_first(p, at);
    }
}

oct_result oct_pilot_land(oct_pilot *p, oct_point normal)
{
    const double size = point_length(normal);
    if (!(fabs(size - 1.0) <= UNIT_SLACK)) {
        return OCT_ERROR_ARGUMENT;
    }
    p->normal = normal;
    p->is_landing = true;
    p->descends = false;
    p->best = HUGE_VAL;
    p->status = OCT_PILOT_LANDING;
    return OCT_OK;
}

// ---- what it has on ----

oct_action oct_pilot_switch(const char *gear, bool on)
{
    return (oct_action){.verb = OCT_VERB_DO, .name = gear, .on = on};
}

bool oct_pilot_damps(const oct_pilot *p, const oct_self *self)
{
    return !p->has_dampeners ||
           oct_property_number(self->props, self->prop_count, "dampeners", 1.0) != 0.0;
}

bool oct_pilot_has_boots_on(const oct_self *self)
{
    return oct_property_number(self->props, self->prop_count, "boots", 0.0) != 0.0;
}

// ---- what next ----

static oct_pilot_status end(oct_pilot *p, oct_pilot_status status)
{
    p->status = status;
    return status;
}

// What is under way will bring it to rest near enough to the end: let it.
static bool is_nearly_there(const oct_pilot *p, const oct_self *self, uint32_t *ticks)
{
    const oct_point to = ((const oct_point *)p->points.items)[p->points.count - 1];
    flight_state c = oct_flight_state_of(self);
    burn b = p->sent;
    b.ticks = self->ticks;
    *ticks = oct_flight_model_stop(&c, &b, PILOT_AT_REST * p->metre, &p->rules);
    return point_length(point_sub(c.at, to)) <= p->tolerance * 0.8;
}

bool oct_pilot_is_stuck(oct_pilot *p, const oct_self *self, const profile_place *place)
{
    const double back = 2.0 * sqrt(place->distance / p->profile.acceleration);
    const double left = oct_speed_profile_time(&p->profile, place, (oct_point){0, 0, 0}) + back;
    if (left < p->best - PROGRESS) {
        p->best = left;
        p->best_tick = self->tick;
    }
    // Who turns or starts slowly gets on later: half a turn, and a few starts and stops.
    const double turns = HALF_TURN / p->rules.turn;
    const double starts = 4.0 * sqrt(2.0 * p->overshoot / p->profile.acceleration);
    const double limit = STUCK_SECONDS * p->rules.rate + STUCK_DELAYS * p->delay_max +
                         (turns + starts) * p->rules.rate;
    return (double)(self->tick - p->best_tick) > limit;
}

static oct_pilot_status fly(oct_pilot *p, const oct_self *self, oct_action *action)
{
    const uint32_t first = p->leg > 0 ? p->leg - 1 : 0;
    const profile_place place = oct_pilot_place(p, first, self->centre);
    uint32_t ticks;
    p->leg = place.leg;
    const oct_point to = ((const oct_point *)p->points.items)[p->points.count - 1];
    const double speed = point_length(self->velocity);
    const bool rests_there = is_nearly_there(p, self, &ticks);
    if (speed <= PILOT_AT_REST * p->metre &&
        point_length(point_sub(self->centre, to)) <= p->tolerance &&
        (self->ticks == 0 || rests_there)) {
        return end(p, OCT_PILOT_ARRIVED);
    }
    if (place.distance > 2.0 * p->overshoot) {
        return end(p, OCT_PILOT_BLOCKED);
    }
    p->blocked_leg = find_blocked(p, &place);
    if (oct_pilot_is_stuck(p, self, &place)) {
        return end(p, OCT_PILOT_STUCK);
    }
    if (rests_there && p->blocked_leg == UINT32_MAX) {
        ticks = ticks > p->ticks ? p->ticks : ticks > 0 ? ticks : 1;
        *action = (oct_action){.verb = OCT_VERB_KEEP, .ticks = ticks};
        return OCT_PILOT_FLYING;
    }
    // Standing where no burn leads on: a way from here is another one.
    const bool stands = speed <= PILOT_AT_REST * p->metre && self->ticks == 0;
    if (!oct_pilot_choose(p, self, action) && stands) {
        return end(p, OCT_PILOT_BLOCKED);
    }
    return p->blocked_leg < p->profile.count ? OCT_PILOT_BLOCKED : OCT_PILOT_FLYING;
}

static oct_pilot_status decide(oct_pilot *p, const oct_self *self, oct_action *action)
{
    if (p->is_landing) {
        return oct_pilot_descend(p, self, action);
    }
    if (p->points.count == 0 || p->status != OCT_PILOT_FLYING) {
        return p->status;
    }
    if (p->footing) {
        return oct_pilot_go_on_foot(p, self, action);
    }
    if (!p->has_begun) {
        begin(p, self->centre);
    }
    if (!self->flies) {
        if (self->stands && oct_pilot_may_walk(p, self)) {
            return oct_pilot_walk(p, self, action);
        }
        // What is left of a walk would become thrust.
        if (p->jetpack && (self->ticks == 0 || point_length(p->sent.move) == 0.0)) {
            *action = oct_pilot_switch(p->jetpack, true);
        }
        return OCT_PILOT_FLYING;
    }
    if (!oct_pilot_damps(p, self)) {
        *action = oct_pilot_switch("dampeners", true);
        return OCT_PILOT_FLYING;
    }
    return p->profile.count == 0 ? end(p, OCT_PILOT_ARRIVED) : fly(p, self, action);
}

// ---- bodies that drift ----

double oct_pilot_rest_ticks(const oct_pilot *p, const oct_self *self)
{
    return point_length(self->velocity) / p->rules.braking * p->rules.rate;
}

void oct_pilot_brake(const oct_pilot *p, const oct_self *self, oct_action *action)
{
    const bool is_left = action->verb == OCT_VERB_WAIT ||
                         (action->verb == OCT_VERB_KEEP && self->ticks == 0) ||
                         (action->verb == OCT_VERB_MOVE && point_length(action->move) == 0.0);
    const double speed = point_length(self->velocity);
    if (!p->rules.drifts || !self->flies || !is_left || speed < PILOT_AT_REST * p->metre / 4.0) {
        return;
    }
    const motion_frame frame = oct_motion_frame(self->pose.forward, self->pose.up);
    // With all it has, and what is then left of its velocity in one tick: as the model says.
    const double whole = floor(oct_pilot_rest_ticks(p, self));
    const uint32_t most = p->ticks > action->ticks ? p->ticks : action->ticks;
    const uint32_t ticks = whole < 1.0 ? 1 : whole < most ? (uint32_t)whole : most;
    const double share = fmin(speed / (p->rules.braking * p->rules.tick), 1.0);
    const oct_point against = point_scale(self->velocity, -share / speed);
    action->rotate = (oct_point){0, 0, 0}; // the thrust would turn with the body
    action->verb = OCT_VERB_MOVE;
    action->ticks = ticks;
    action->move = p->rules.control == FLIGHT_COURSE ? (oct_point){0, FLIGHT_COAST, 0}
                                                     : oct_motion_to_local(&frame, against);
}

// ---- bodies that are not as described ----

// What a body may be off, as a share of its way, and metres beside that; and how often in a row.
#define OFF_SHARE 0.05
#define OFF_LEAST 0.03
#define OFF_TIMES 3

// With delays nobody knows when an action began.
static void look_back(oct_pilot *p, const oct_self *self)
{
    pilot_watch *const w = &p->watch;
    if (w->ticks == 0 || self->tick != w->tick + w->ticks || self->bumps != w->bumps ||
        !self->flies) {
        return;
    }
    flight_state c = w->from;
    burn b = w->sent;
    oct_flight_model_fly(&c, &b, w->ticks, &p->rules);
    w->went = point_length(point_sub(self->centre, w->from.at));
    w->meant = point_length(point_sub(c.at, w->from.at));
    const double off = point_length(point_sub(self->centre, c.at));
    const double least = OFF_LEAST * p->metre;
    // Who does not get on at all is stuck.
    const bool is_missed = w->went > least && off > OFF_SHARE * fmax(w->went, w->meant) + least;
    // What hardly moved says nothing either way.
    const bool is_told = OFF_SHARE * fmax(w->went, w->meant) > least;
    w->missed = is_missed ? w->missed + 1 : is_told ? 0 : w->missed;
    if (w->missed == OFF_TIMES && !w->is_off) {
        w->is_off = true;
        p->profile.speed = fmin(p->profile.speed, p->rules.speed / 2.0);
        p->status = p->status == OCT_PILOT_FLYING ? OCT_PILOT_BLOCKED : p->status; // plan anew
    }
}

static void look_ahead_of(oct_pilot *p, const oct_self *self, const oct_action *action)
{
    const bool is_watched = self->flies && p->delay_max == 0 &&
                            (action->verb == OCT_VERB_MOVE || action->verb == OCT_VERB_WAIT ||
                             action->verb == OCT_VERB_KEEP);
    burn sent = p->sent;
    if (action->verb == OCT_VERB_KEEP) {
        sent.ticks = self->ticks;
    }
    p->watch.from = oct_flight_state_of(self);
    p->watch.sent = sent;
    p->watch.tick = self->tick;
    p->watch.bumps = self->bumps;
    p->watch.ticks = is_watched ? action->ticks : 0;
}

bool oct_pilot_is_off(const oct_pilot *p, double *went, double *meant)
{
    *went = p->watch.went;
    *meant = p->watch.meant;
    return p->watch.is_off;
}

oct_pilot_status oct_pilot_next(oct_pilot *p, const oct_self *self, oct_action *action)
{
    *action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = 1};
    look_back(p, self);
    const oct_pilot_status status = decide(p, self, action);
    oct_pilot_brake(p, self, action);
    if (action->verb == OCT_VERB_MOVE || action->verb == OCT_VERB_WAIT) {
        p->sent = (burn){action->move, action->rotate, action->ticks};
    }
    look_ahead_of(p, self, action);
    return status;
}
