// SPDX-License-Identifier: MIT
// Goals of touching and taking things.
//
// The body goes to the nearest place to the thing that its map calls free, pressing what helps, and
// pushes on from there by actions of its own: the map keeps some room around what a body may hit,
// and what is to be touched lies within that room.
#include "agent/belief_internal.h"
#include "agent/flight_model.h"
#include "agent/goals_internal.h"
#include "agent/sure.h"
#include "agent/touch.h"
#include "agent/turn_plan.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

// How far from a thing's shape places are looked for, and how far apart, metres.
#define AROUND 2.5
#define APART 0.15
// Where straight ways out from it lead to no such place: so far from its shape, and so far apart.
#define NEAR 1.2
#define NEAR_APART 0.3
#define NEAR_MOST 12 // of them along a side of a large shape
// So near to its place the body is before it pushes on, metres; and so fast it does, m/s.
#define PUSH_FROM 0.4
#define PUSH_SPEED 1.0
// How long it pushes without getting on, and what it touches is given to be taken, seconds.
#define PUSH_TIME 10.0
#define TAKE_TIME 3.0
// Parts of the way between two turns that are looked at.
#define PARTS 8
#define PUSH_TICKS 6u
#define TOUCH_TOLERANCE 0.3

// ---- what came about ----

static touch_gap gap_of(const oct_agent *a, oct_point centre, const oct_known *k)
{
    return oct_touch_gap(oct_belief_body(a->belief), centre, agent_self(a)->pose.up, &k->now);
}

// Whether something was meant, be it that it has gone.
static bool was_meant(const goal_target *e, const oct_agent *a, uint64_t id)
{
    uint32_t index;
    if (!oct_belief_find(a->belief, id, &index)) {
        return false;
    }
    oct_known k = *oct_belief_get(a->belief, index);
    k.gone = false;
    return (e->has_met && e->met == index) || oct_goal_target_means(e, a->belief, &k);
}

// Whether an event since it began says that it was taken.
static bool heard_taken(goal_target *e, const oct_agent *a)
{
    bool is_taken = false;
    oct_event event;
    for (; e->heard < oct_belief_events(a->belief); e->heard++) {
        if (oct_belief_event(a->belief, e->heard, &event) && strcmp(event.what, "taken") == 0) {
            is_taken = is_taken || (event.id == 0 ? e->touches : was_meant(e, a, event.id));
        }
    }
    return is_taken;
}

// Follows the body from turn to turn: whether it may have touched what it is after.
static void follow(goal_target *e, const oct_agent *a, const oct_known *k)
{
    const oct_point now = agent_self(a)->centre, was = e->was_asked ? e->was_at : now;
    bool is_near = false;
    for (int i = 0; i <= PARTS && !is_near; i++) {
        const oct_point at = point_add(was, point_scale(point_sub(now, was), (double)i / PARTS));
        is_near = gap_of(a, at, k).least <= TOUCH_SKIN * agent_metre(a);
    }
    const bool is_fresh = k->in_sight && a->looked == agent_self(a)->tick;
    e->touches = is_near || (e->touches && !is_fresh);
    e->was_asked = true;
    e->was_at = now;
}

// What the body touches now, for certain, as it is told: it overlaps what is not solid.
static bool touches_now(goal_target *e, oct_agent *a, const oct_known *k)
{
    const uint64_t tick = agent_self(a)->tick;
    const double skin = k->now.thing.label == OCT_BLOCKED ? TOUCH_SKIN * agent_metre(a) : 0.0;
    const bool is = gap_of(a, agent_self(a)->centre, k).most <= skin &&
                    (k->in_sight || oct_agent_is_sure(a, k, OCT_ASPECT_BODY));
    e->touched_at = !is ? 0 : e->touched_at > 0 ? e->touched_at : tick > 0 ? tick : 1;
    return is;
}

static bool has_come_about(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (e->has_met) {
        follow(e, a, oct_belief_get(a->belief, e->met));
    }
    if (heard_taken(e, a)) {
        return true;
    }
    // What it touched when it was last seen there, and which then has gone, was taken.
    if (e->has_met && e->touches && oct_belief_get(a->belief, e->met)->gone) {
        return true;
    }
    const oct_known *const k = oct_goal_target_find(e, a);
    if (!k) {
        e->has_met = e->touches = false;
        return false;
    }
    if (!e->has_met || e->met != e->index) {
        e->has_met = true;
        e->met = e->index;
        e->touches = false;
        follow(e, a, k);
    }
    const bool is_touched = touches_now(e, a, k);
    return e->takes ? oct_goal_target_came(e, mind, OCT_VERB_USE) : is_touched;
}

static bool begins(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_goal_target_begin(e);
    e->heard = oct_belief_events(oct_agent_of(mind)->belief);
    return true;
}

// ---- going there ----

// The nearest free place straight out from it; false where there is none.
static approach place_along(const oct_agent *a, const oct_known *k, oct_point way, oct_point *out)
{
    const oct_bounds *const box = &k->now.thing.box;
    const oct_point half = point_scale(point_sub(box->max, box->min), 0.5);
    const double out_of = fabs(way.x) * half.x + fabs(way.y) * half.y + fabs(way.z) * half.z;
    const bool is_solid = k->now.thing.label == OCT_BLOCKED;
    const double metre = agent_metre(a), far = out_of + AROUND * metre;
    approach best = APPROACH_NONE;
    for (double away = is_solid ? out_of : 0.0; away <= far; away += APART * metre) {
        const oct_point out_there = point_add(oct_known_centre(k), point_scale(way, away));
        const oct_point at = navigator_stand(&a->navigator, out_there, oct_agent_half(a));
        const oct_label label = navigator_label(&a->navigator, at);
        if (label == OCT_BLOCKED || (label == OCT_UNKNOWN && best != APPROACH_NONE)) {
            continue;
        }
        if (!oct_known_is_free(a, k, at, k->now.thing.id)) {
            break;
        }
        *out = at;
        best = label == OCT_OPEN ? APPROACH_OPEN : APPROACH_UNKNOWN;
        if (best == APPROACH_OPEN) {
            break;
        }
    }
    return best;
}

// The place of a lattice around it that is nearest to it, has a way, and sees it. What lies in a
// corner has none straight out from its middle.
static bool place_around(const oct_agent *a, const oct_known *k, oct_point *out)
{
    const oct_bounds *const box = &k->now.thing.box;
    const oct_point size = point_sub(box->max, box->min);
    const double metre = agent_metre(a), near = NEAR * metre, apart = NEAR_APART * metre;
    const double x_apart = fmax(apart, size.x / NEAR_MOST);
    const double y_apart = fmax(apart, size.y / NEAR_MOST);
    const double z_apart = fmax(apart, size.z / NEAR_MOST);
    double least = HUGE_VAL;
    for (double z = box->min.z - near; z <= box->max.z + near; z += z_apart) {
        for (double y = box->min.y - near; y <= box->max.y + near; y += y_apart) {
            for (double x = box->min.x - near; x <= box->max.x + near; x += x_apart) {
                const oct_point at =
                    navigator_stand(&a->navigator, (oct_point){x, y, z}, oct_agent_half(a));
                const double away = oct_known_distance(k, at);
                if (away < least && navigator_label(&a->navigator, at) == OCT_OPEN &&
                    oct_known_is_free(a, k, at, k->now.thing.id) &&
                    navigator_connects(&a->navigator, agent_self(a)->centre, at)) {
                    least = away;
                    *out = at;
                }
            }
        }
    }
    return least < HUGE_VAL;
}

#define UNKNOWN_COST 100.0
#define NO_WAY_COST 200.0

// Where to go: known places before others, those with a way first, the nearest to the thing.
static bool choose_place(const oct_agent *a, const oct_known *k, oct_point *out)
{
    static const oct_point ways[] = {{0, 1, 0},  {0, 0, 1},  {1, 0, 0},
                                     {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}};
    double least = HUGE_VAL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        oct_point at;
        const approach is = place_along(a, k, ways[i], &at);
        if (is == APPROACH_NONE) {
            continue;
        }
        const bool has_way =
            is == APPROACH_OPEN && navigator_connects(&a->navigator, agent_self(a)->centre, at);
        const double cost = oct_known_distance(k, at) + (has_way                  ? 0.0
                                                         : is == APPROACH_UNKNOWN ? UNKNOWN_COST
                                                                                  : NO_WAY_COST);
        if (cost < least) {
            least = cost;
            *out = at;
        }
    }
    return (least < UNKNOWN_COST || place_around(a, k, out)) || least < HUGE_VAL;
}

// The place is kept while nothing has changed that it rests on.
static bool find_place(goal_target *e, oct_agent *a, const oct_known *k, oct_point *out)
{
    const uint64_t openings = oct_belief_openings(a->belief);
    const bool is_kept = e->has_place && e->place_openings == openings &&
                         e->place_changed == k->changed &&
                         navigator_label(&a->navigator, e->point) == OCT_OPEN;
    if (!is_kept) {
        e->has_place = choose_place(a, k, &e->point);
        e->place_openings = openings;
        e->place_changed = k->changed;
    }
    *out = e->point;
    return e->has_place;
}

static bool may_go(goal_target *e, oct_agent *a, turn_plan *out)
{
    const oct_known *const k = oct_goal_target_find(e, a);
    oct_point to;
    if (!k || !find_place(e, a, k, &to)) {
        return false;
    }
    (void)snprintf(out->thought, sizeof out->thought, "going to %s", e->what);
    return oct_way_to(a, to, TOUCH_TOLERANCE * agent_metre(a), &out->way) == JOURNEY_GOING;
}

static bool may_go_towards(goal_target *e, oct_agent *a, turn_plan *out)
{
    const oct_known *const k = oct_goal_target_find(e, a);
    oct_point to;
    if (!k && e->pick.by_place && !oct_goal_target_is_seen(a, e->pick.place)) {
        to = e->pick.place;
    } else if (!k || !find_place(e, a, k, &to)) {
        return false;
    }
    (void)snprintf(out->thought, sizeof out->thought, "exploring towards %s", e->what);
    return oct_way_towards(a, to, &out->way) == JOURNEY_GOING;
}

// ---- pushing on ----

static bool is_used(const goal_target *e, const oct_known *k)
{
    return e->takes && k->now.use_count > 0;
}

// Close to its place, or nearer to the thing than that, with nothing in between.
static bool may_push(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    const oct_point at = agent_self(a)->centre;
    oct_point to;
    if (!k || (is_used(e, k) && oct_hand_has(a, k)) || !find_place(e, a, k, &to) ||
        !oct_known_is_free(a, k, at, k->now.thing.id)) {
        return false;
    }
    return e->touches || point_length(point_sub(at, to)) <= PUSH_FROM * agent_metre(a) ||
           oct_known_distance(k, at) < oct_known_distance(k, to);
}

// The action that takes the body towards a point.
static oct_action push_to(const oct_agent *a, oct_point to)
{
    const oct_self *const self = agent_self(a);
    const oct_player_body *const body = oct_belief_body(a->belief);
    const oct_game_info *const info = oct_belief_info(a->belief);
    const double time = PUSH_TICKS / info->rate;
    const oct_point off = point_sub(to, self->centre);
    const double away = point_length(off),
                 speed = fmin(fmin(PUSH_SPEED * agent_metre(a), body->speed), away / time);
    oct_point want = away > 0.0 ? point_scale(off, speed / away) : off, share;
    if (body->acceleration > 0.0 && body->control == OCT_CONTROL_THRUST) {
        want = point_scale(point_sub(want, self->velocity), 1.0 / time);
        want = body->weighs ? point_sub(want, info->gravity) : want;
        share = point_scale(want, 1.0 / body->acceleration);
    } else {
        share = point_scale(want, 1.0 / fmax(body->speed, 1e-6));
    }
    const motion_frame frame = oct_motion_frame(self->pose.forward, self->pose.up);
    oct_action move = {.verb = OCT_VERB_MOVE, .ticks = PUSH_TICKS};
    move.move = oct_motion_to_local(&frame, share);
    return move;
}

static bool has_passed(const oct_agent *a, uint64_t since, double seconds)
{
    return (double)(agent_self(a)->tick - since) > seconds * oct_belief_info(a->belief)->rate;
}

static oct_did push(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    if (e->tried_in == 0 || e->tried_in + 1 != oct_agent_turns(a) + 1) {
        e->since = agent_self(a)->tick;
    }
    e->tried_in = oct_agent_turns(a) + 1;
    if (e->takes && e->touched_at > 0 && has_passed(a, e->touched_at, TAKE_TIME)) {
        oct_mind_because(mind, false, "%s was touched and not taken", e->what);
        return OCT_DID_ABORT;
    }
    if (e->touched_at == 0 && has_passed(a, e->since, PUSH_TIME)) {
        oct_mind_because(mind, true, "the body comes no nearer to %s than %.2f m", e->what,
                         fmax(gap_of(a, agent_self(a)->centre, k).least, 0.0));
        return OCT_DID_ABORT;
    }
    const oct_action move = push_to(a, oct_known_centre(k));
    oct_agent_think(a, e->takes ? "taking %s" : "touching %s", e->what);
    oct_agent_act(a, &move);
    a->must_look = true;
    return OCT_DID_DONE;
}

// ---- using ----

static bool may_use(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    return k && is_used(e, k) && oct_hand_has(a, k) &&
           oct_known_is_free(a, k, agent_self(a)->eye, k->now.thing.id);
}

static oct_did use(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    oct_action last;
    const oct_act came = oct_agent_came(a, &last);
    if (e->is_done && last.verb == OCT_VERB_USE) {
        const bool is_open =
            came == OCT_ACT_TOO_FAR || came == OCT_ACT_IN_THE_WAY || came == OCT_ACT_NOT_NOW;
        oct_mind_because(mind, is_open, "%s could not be taken: %s", e->what, oct_act_name(came));
        return OCT_DID_ABORT;
    }
    if (!oct_agent_rests(a)) {
        const oct_action rest = {.verb = OCT_VERB_WAIT, .ticks = a->ticks};
        oct_agent_act(a, &rest);
        return OCT_DID_DONE;
    }
    oct_agent_think(a, "taking %s", e->what);
    e->is_done = oct_hand_use(a, (oct_button){k->now.thing.id, 0});
    return OCT_DID_DONE;
}

// ---- goals ----

static oct_goal *make(const oct_allocator *allocator, const oct_pick *pick, const char *name,
                      bool takes)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->side = OCT_SIDE_ANY;
    e->tolerance = TOUCH_TOLERANCE;
    e->is_own = true;
    e->takes = takes;
    e->presses = true;
    oct_tactic *const ways[] = {
        oct_goal_target_part(e, "use", may_use, use),
        oct_goal_target_part(e, "push", may_push, push),
        oct_plan_for_target(oct_goal_target_keep(e), "go", may_go, oct_plan_go),
        oct_settle(allocator),
        oct_go_on_pressing(e),
        oct_plan_for_target(oct_goal_target_keep(e), "explore_to", may_go_towards, oct_plan_go),
        oct_find(e),
        oct_look_at_doors(allocator),
        oct_press_what_helps(e),
        oct_tactic_explore(allocator),
        oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = name,
                                .begin = begins,
                                .solved = has_come_about,
                                .is_undecided = oct_goal_target_is_lost};
    return oct_goal_target_leaf(e, &leaf,
                                oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

oct_goal *oct_goal_touched(const oct_allocator *allocator, const oct_pick *pick)
{
    return make(allocator, pick, "touched", false);
}

oct_goal *oct_goal_took(const oct_allocator *allocator, const oct_pick *pick)
{
    return make(allocator, pick, "took", true);
}
