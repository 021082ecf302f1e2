// SPDX-License-Identifier: MIT
// Tactics: guarded actions of agents. A guard plans and changes nothing, an action does one turn of
// the plan.
#include "agent/belief_internal.h"
#include "agent/hand.h"
#include "agent/tactics_internal.h"
#include "agent/turn_plan.h"
#include "octant/tree.h"

#include "agent/mind_internal.h"
#include "agent/pilot.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

// A body looks at something when it is turned so near to it, radians.
#define FACING 0.05

static goal_target *make_place(const oct_allocator *allocator, const oct_place *place)
{
    goal_target *const e =
        oct_goal_target_make(allocator, place->is_point ? NULL : &place->pick, (oct_hook){0});
    if (e) {
        e->point = place->point;
        e->side = place->side;
        oct_goal_target_tolerate(e, place->tolerance);
    }
    return e;
}

// A tactic that holds a target, which is given up.
static oct_tactic *make(goal_target *e, const char *name, oct_test_fn *guard, oct_action_fn *run)
{
    return e ? oct_tactic_action(&e->allocator, name, guard, run,
                                 (oct_hook){e, oct_goal_target_drop})
             : NULL;
}

// ---- where to ----

bool oct_goal_target_target(goal_target *e, oct_agent *a, oct_point *out)
{
    if (!e->has_pick) {
        *out = navigator_stand(&a->navigator, e->point, oct_agent_half(a));
        return true;
    }
    const oct_known *const k = oct_approach_side_name(e->side) ? oct_goal_target_find(e, a) : NULL;
    if (!k) {
        return false;
    }
    // What was out of sight may turn out to be nearer.
    if (e->side != OCT_SIDE_ANY) {
        return oct_goal_target_place(e, a, k, oct_goal_target_reach(e, a), out);
    }
    // A place at any side is kept while there is room, it has not moved, and no other one may have
    // become better.
    const uint64_t changed = k->changed, openings = oct_belief_openings(a->belief);
    const bool is_best = e->place_openings == openings || oct_journey_is_towards(a, e->point);
    if (e->has_place && is_best && e->place_changed == changed) {
        const oct_label label = navigator_label(&a->navigator, e->point);
        if (label == OCT_OPEN || (label == OCT_UNKNOWN && oct_journey_is_towards(a, e->point))) {
            *out = e->point;
            return true;
        }
    }
    e->has_place = oct_goal_target_place(e, a, k, oct_goal_target_reach(e, a), &e->point);
    e->place_changed = changed;
    e->place_openings = openings;
    *out = e->point;
    return e->has_place;
}

// ---- going ----

static bool may_navigate(goal_target *e, oct_agent *a, turn_plan *out)
{
    oct_point to;
    if (e->has_pick && !oct_goal_target_find(e, a)) {
        (void)snprintf(out->reason, sizeof out->reason, "%s was not found", e->what);
        return false;
    }
    if (!oct_goal_target_target(e, a, &to)) {
        (void)snprintf(out->reason, sizeof out->reason,
                       oct_approach_side_name(e->side) ? "there is no room beside %s"
                                                       : "there is no such side of %s",
                       e->what);
        return false;
    }
    const journey_state state = oct_way_to(a, to, oct_goal_target_tolerance(e, a), &out->way);
    if (state == JOURNEY_GOING) {
        (void)snprintf(out->thought, sizeof out->thought, "going to %s",
                       e->has_pick ? e->what : "a point");
    }
    const bool goes = state == JOURNEY_GOING || state == JOURNEY_THERE;
    (void)snprintf(out->reason, sizeof out->reason,
                   goes ? "on the way to %s" : "no way to %s is known",
                   e->has_pick ? e->what : "the place");
    return goes;
}

oct_tactic *oct_navigate(goal_target *e)
{
    return oct_plan_for_target(e, "navigate_to", may_navigate, oct_plan_go);
}

oct_tactic *oct_tactic_navigate_to(const oct_allocator *allocator, const oct_place *place)
{
    return oct_navigate(make_place(allocator, place));
}

static bool may_explore(goal_target *e, oct_agent *a, turn_plan *out)
{
    (void)e;
    (void)snprintf(out->thought, sizeof out->thought, "exploring");
    return oct_way_explore(a, &out->way) == JOURNEY_GOING;
}

oct_tactic *oct_tactic_explore(const oct_allocator *allocator)
{
    return oct_plan_tactic(allocator, NULL, "explore", may_explore, oct_plan_go);
}

static bool may_explore_to(goal_target *e, oct_agent *a, turn_plan *out)
{
    oct_point to;
    if (e->has_pick && !oct_goal_target_find(e, a)) {
        // Where it should be, as long as that has not been seen to be wrong.
        if (!e->pick.by_place || oct_goal_target_is_seen(a, e->pick.place)) {
            return false;
        }
        to = e->pick.place;
    } else if (!oct_goal_target_target(e, a, &to)) {
        return false;
    }
    (void)snprintf(out->thought, sizeof out->thought, "exploring towards %s",
                   e->has_pick ? e->what : "a point");
    return oct_way_towards(a, to, &out->way) == JOURNEY_GOING;
}

oct_tactic *oct_explore_towards(goal_target *e)
{
    return oct_plan_for_target(e, "explore_to", may_explore_to, oct_plan_go);
}

oct_tactic *oct_tactic_explore_to(const oct_allocator *allocator, const oct_place *place)
{
    return oct_explore_towards(make_place(allocator, place));
}

// ---- doing ----

bool oct_goal_target_at_hand(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    if (!k) {
        oct_mind_because(mind, true, "%s was not seen yet", e->what);
        return false;
    }
    if (!oct_hand_has(a, k)) {
        oct_mind_because(mind, true, "%s is out of reach", e->what);
        return false;
    }
    return true;
}

// Whether a game refused because of where the body was, or of how things are now: from elsewhere,
// or later, it might not have.
static bool may_work_otherwise(oct_act came)
{
    return came == OCT_ACT_TOO_FAR || came == OCT_ACT_IN_THE_WAY || came == OCT_ACT_NOT_NOW ||
           came == OCT_ACT_REFUSED;
}

// Why a game refused, for people.
static const char *refusal(const oct_agent *a, oct_act came)
{
    switch (came) {
    case OCT_ACT_NO_TARGET:
        return "it is not there";
    case OCT_ACT_NO_BUTTON:
        return "it has no such button";
    case OCT_ACT_TOO_FAR:
        return "it is too far away";
    case OCT_ACT_IN_THE_WAY:
        return "something is in the way";
    default:
        return a->refusal[0] ? a->refusal : oct_act_name(came);
    }
}

static oct_did interact(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    // Where the goal was interrupted in between it presses anew.
    const bool has_pressed = e->is_done && oct_mind_runs_on(mind);
    e->is_done = false;
    if (has_pressed) {
        oct_action last;
        const oct_act came = oct_agent_came(a, &last);
        if (came == OCT_ACT_DONE) {
            return OCT_DID_DONE;
        }
        oct_mind_because(mind, may_work_otherwise(came), "button %u of %s could not be pressed: %s",
                         e->button, e->what, refusal(a, came));
        return OCT_DID_ABORT;
    }
    if (!oct_agent_rests(a)) {
        return OCT_DID_MORE; // it comes to rest first
    }
    if (!oct_goal_target_at_hand(ctx, mind)) {
        return OCT_DID_ABORT;
    }
    const oct_known *const k = oct_goal_target_find(e, a);
    e->is_done = oct_hand_use(a, (oct_button){k->now.thing.id, e->button});
    oct_agent_think(a, "pressing %s", e->what);
    return OCT_DID_MORE;
}

oct_tactic *oct_interact(goal_target *e)
{
    return make(e, "interact", oct_goal_target_at_hand, interact);
}

oct_tactic *oct_tactic_interact(const oct_allocator *allocator, const oct_pick *pick,
                                uint32_t button)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->button = button;
    }
    return oct_interact(e);
}

// ---- looking ----

bool oct_goal_target_look(goal_target *e, oct_agent *a, oct_point *towards)
{
    oct_point at = e->point;
    if (e->has_pick) {
        const oct_known *const k = oct_goal_target_find(e, a);
        if (!k) {
            return false;
        }
        at = oct_known_centre(k);
    }
    *towards = point_sub(at, agent_self(a)->eye);
    const double length = point_length(*towards);
    return length > 0.0 && isfinite(length);
}

bool oct_goal_target_faces(goal_target *e, oct_agent *a)
{
    oct_point towards, ignored;
    return oct_goal_target_look(e, a, &towards) && oct_hand_turn(a, towards, 1, &ignored) <= FACING;
}

// Says what it looks for in vain.
static bool is_unknown(goal_target *e, oct_agent *a, oct_mind *mind)
{
    if (!e->has_pick || oct_goal_target_find(e, a)) {
        return false;
    }
    oct_mind_because(mind, true, "%s was not found", e->what);
    return true;
}

static bool may_face(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_point towards;
    if (is_unknown(e, a, mind)) {
        return false;
    }
    if (!oct_goal_target_look(e, a, &towards)) {
        oct_mind_because(mind, true, "no direction leads to %s",
                         e->has_pick ? e->what : "the point");
        return false;
    }
    return true;
}

static oct_did face(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_point towards;
    if (!may_face(ctx, mind) || !oct_goal_target_look(e, a, &towards)) {
        return OCT_DID_ABORT;
    }
    oct_action turn = {.verb = OCT_VERB_MOVE, .ticks = a->ticks};
    const double missing = oct_hand_turn(a, towards, a->ticks, &turn.rotate);
    if (missing <= FACING) {
        return OCT_DID_DONE;
    }
    oct_agent_think(a, "turning to %s", e->has_pick ? e->what : "a point");
    oct_agent_act(a, &turn);
    return OCT_DID_MORE;
}

oct_tactic *oct_face(goal_target *e)
{
    return make(e, "face", may_face, face);
}

oct_tactic *oct_tactic_face(const oct_allocator *allocator, const oct_pick *pick, oct_point point)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->point = point;
    }
    return oct_face(e);
}

// ---- plain ----

static oct_did do_it(void *ctx, oct_mind *mind)
{
    const goal_target *const e = ctx;
    oct_agent_act(oct_agent_of(mind), &e->action);
    return OCT_DID_DONE;
}

oct_tactic *oct_tactic_do(const oct_allocator *allocator, const oct_action *action)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (e && action->verb == OCT_VERB_DO && !oct_goal_target_name(e, action->name)) {
        oct_goal_target_drop(e);
        return NULL;
    }
    if (e) {
        e->action = *action;
        e->action.name = e->type;
    }
    return make(e, "do", NULL, do_it);
}

static oct_did wait(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const uint64_t now = agent_self(a)->tick;
    if (!oct_mind_runs_on(mind)) {
        e->since = now;
    }
    const uint64_t passed = now - e->since, left = passed < e->ticks ? e->ticks - passed : 0;
    const oct_action rest = {.verb = OCT_VERB_WAIT,
                             .ticks = left < a->ticks ? (uint32_t)left : a->ticks};
    oct_agent_think(a, "waiting");
    if (left > 0) {
        oct_agent_act(a, &rest);
    }
    // A stepped game comes back when the action has ended, a running one when it likes.
    const bool is_stepped = oct_belief_info(a->belief)->delay_max == 0;
    return left > (is_stepped ? a->ticks : 0) ? OCT_DID_MORE : OCT_DID_DONE;
}

oct_tactic *oct_tactic_wait(const oct_allocator *allocator, uint32_t ticks)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (e) {
        e->ticks = ticks;
    }
    return make(e, "wait", NULL, wait);
}
