// SPDX-License-Identifier: MIT
// Goals of going somewhere: by known ways, then through what is not known, then by looking
// everywhere; and those that also press buttons for it.
#include "agent/decides.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/sure.h"
#include "agent/survey.h"
#include "geom/geom_internal.h"

// ---- being there ----

static bool is_there(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_point to;
    if (!oct_agent_rests(a) || !oct_goal_target_target(e, a, &to) ||
        point_length(point_sub(agent_self(a)->centre, to)) > oct_goal_target_tolerance(e, a)) {
        return false;
    }
    const oct_known *const k = e->has_pick ? oct_goal_target_find(e, a) : NULL;
    if (k && !oct_agent_is_sure(a, k, OCT_ASPECT_BODY)) {
        oct_agent_doubt(a, k);
    }
    return true;
}

static const oct_leaf_goal going = {
    .begin = oct_goal_target_begins, .solved = is_there, .is_undecided = oct_goal_target_is_lost};

static oct_goal *make_going(goal_target *e, const char *name)
{
    if (!e) {
        return NULL;
    }
    const oct_allocator *const allocator = &e->allocator;
    oct_tactic *const ways[] = {oct_navigate(oct_goal_target_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_goal_target_keep(e)), oct_find(e),
                                oct_give_up(e)};
    oct_leaf_goal leaf = going;
    leaf.name = name;
    return oct_goal_target_leaf(e, &leaf,
                                oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

static goal_target *make_point(const oct_allocator *allocator, oct_point point, double tolerance)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (e) {
        e->point = point;
        e->has_point = true;
        oct_goal_target_tolerate(e, tolerance);
    }
    return e;
}

oct_goal *oct_goal_close_to(const oct_allocator *allocator, oct_point point, double tolerance)
{
    return make_going(make_point(allocator, point, tolerance), "close_to");
}

oct_goal *oct_goal_explore_to(const oct_allocator *allocator, oct_point point, double tolerance)
{
    return make_going(make_point(allocator, point, tolerance), "explore_to");
}

static goal_target *make_beside(const oct_allocator *allocator, const oct_pick *pick, oct_side side,
                                double tolerance)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->side = side;
        oct_goal_target_tolerate(e, tolerance);
    }
    return e;
}

// ---- looking at it ----

static bool is_facing(void *ctx, oct_mind *mind)
{
    return oct_goal_target_faces(ctx, oct_agent_of(mind));
}

oct_goal *oct_facing_goal(goal_target *e)
{
    if (!e) {
        return NULL;
    }
    oct_tactic *const ways[] = {oct_face(oct_goal_target_keep(e)),
                                oct_tactic_abort(&e->allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "face_towards", .begin = oct_goal_target_begins, .solved = is_facing};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(&e->allocator, ways, 2));
}

oct_goal *oct_goal_face_towards(const oct_allocator *allocator, const oct_pick *pick,
                                oct_point point)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->point = point;
        e->has_point = !pick;
    }
    return oct_facing_goal(e);
}

// The first, then looking at what it is about. Takes over one use of the target.
static oct_goal *and_face(goal_target *e, oct_goal *first, const char *name)
{
    if (!first) {
        oct_goal_target_drop(e);
        return NULL;
    }
    const oct_allocator allocator = e->allocator;
    char title[OCT_REASON_MAX];
    (void)oct_goal_target_title(e, name, title, sizeof title);
    oct_goal *const both[] = {first, oct_facing_goal(e)};
    return oct_goal_name(oct_goal_seq(&allocator, both, 2), title);
}

oct_goal *oct_goal_close_to_block(const oct_allocator *allocator, const oct_pick *pick,
                                  oct_side side, double tolerance)
{
    goal_target *const e = make_beside(allocator, pick, side, tolerance);
    oct_goal *const goal = make_going(oct_goal_target_keep(e), "go to");
    return and_face(e, goal, "close_to_block");
}

oct_goal *oct_goal_smart_close_to_block(const oct_allocator *allocator, const oct_pick *pick,
                                        oct_side side, double tolerance)
{
    goal_target *const e = make_beside(allocator, pick, side, tolerance);
    if (!e) {
        return NULL;
    }
    e->presses = true;
    oct_tactic *const ways[] = {oct_navigate(oct_goal_target_keep(e)),
                                oct_settle(allocator),
                                oct_go_on_pressing(e),
                                oct_explore_towards(oct_goal_target_keep(e)),
                                oct_find(e),
                                oct_look_at_doors(allocator),
                                oct_press_what_helps(e),
                                oct_tactic_explore(allocator),
                                oct_give_up(e)};
    oct_leaf_goal leaf = going;
    leaf.name = "find a way to";
    oct_tactic *const tactic = oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways);
    oct_goal *const goal = oct_goal_target_leaf(oct_goal_target_keep(e), &leaf, tactic);
    return and_face(e, goal, "smart_close_to_block");
}

// ---- exploring ----

// Who says that all was seen has to know that nothing else can be got to.
static oct_did finish(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    char seen[OCT_REASON_MAX / 2], doubt[OCT_REASON_MAX / 2];
    possible_answer unseen;
    if (oct_goal_target_makes_certain(e, a, &unseen)) {
        return OCT_DID_STEP;
    }
    const bool has_seen_all = oct_agent_has_seen_all(a, seen, sizeof seen);
    if (unseen.status != POSSIBLE_EXCLUDED) {
        (void)oct_possible_explain(a, &unseen, doubt, sizeof doubt);
        oct_mind_because(mind, true, "explored, but %s", has_seen_all ? doubt : seen);
        oct_agent_would_decide_possible(a, &unseen);
        oct_agent_survey(a, &unseen);
    }
    e->is_done = true;
    return unseen.status == POSSIBLE_EXCLUDED || e->is_modest ? OCT_DID_DONE : OCT_DID_ABORT;
}

oct_goal *oct_explore_all(const oct_allocator *allocator, bool is_modest, bool presses)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->is_modest = is_modest;
    e->presses = presses;
    oct_tactic *const ways[] = {oct_settle(allocator), oct_tactic_explore(allocator),
                                oct_goal_target_part(e, "finish", NULL, finish)};
    const oct_leaf_goal leaf = {.name = "explore",
                                .begin = oct_goal_target_begins,
                                .solved = oct_goal_target_is_done,
                                .is_undecided = oct_goal_target_is_at_work};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 3));
}

oct_goal *oct_goal_explore(const oct_allocator *allocator)
{
    return oct_explore_all(allocator, false, false);
}

static bool is_found(void *ctx, oct_mind *mind)
{
    return !oct_goal_target_is_lost(ctx, mind);
}

oct_goal *oct_goal_explore_to_find(const oct_allocator *allocator, const oct_pick *pick)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->is_to_see = true;
    oct_tactic *const ways[] = {oct_settle(allocator), oct_explore_towards(oct_goal_target_keep(e)),
                                oct_find(e), oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "explore_to_find",
                                .begin = oct_goal_target_begins,
                                .solved = is_found,
                                .is_undecided = oct_goal_target_is_lost};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 4));
}

// ---- buttons ----

static bool is_within_reach(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    return is_there(ctx, mind) && k && oct_hand_has(a, k);
}

oct_goal *oct_goal_close_to_button(const oct_allocator *allocator, const oct_pick *pick)
{
    goal_target *const e = make_beside(allocator, pick, OCT_SIDE_ANY, PRESS_TOLERANCE);
    if (!e) {
        return NULL;
    }
    e->reach = APPROACH_HAND;
    e->is_own = true;
    oct_tactic *const ways[] = {oct_navigate(oct_goal_target_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_goal_target_keep(e)), oct_find(e),
                                oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "close_to_button",
                                .begin = oct_goal_target_begins,
                                .solved = is_within_reach,
                                .is_undecided = oct_goal_target_is_lost};
    return oct_goal_target_leaf(e, &leaf,
                                oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

static bool is_pressed(void *ctx, oct_mind *mind)
{
    return oct_goal_target_came(ctx, mind, OCT_VERB_USE);
}

oct_goal *oct_goal_press_button(const oct_allocator *allocator, const oct_pick *pick,
                                uint32_t button)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->button = button;
    oct_tactic *const ways[] = {oct_interact(oct_goal_target_keep(e)),
                                oct_tactic_abort(allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "press_button", .begin = oct_goal_target_begins, .solved = is_pressed};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 2));
}

// ---- ranges ----

static bool is_in_range(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    return k && k->in_sight &&
           (e->amount == 0.0 ||
            point_length(point_sub(oct_known_centre(k), agent_self(a)->centre)) <= e->amount);
}

// In sight, and looked at now: what it tells is as it is told.
static bool is_certain(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *k = oct_goal_target_find(e, a);
    if (k && k->in_sight && oct_agent_look_again(a)) {
        k = oct_goal_target_find(e, a); // entities move when something new is seen
    }
    return k && oct_agent_is_sure(a, k, OCT_ASPECT_PROPS);
}

// Takes over the target: goes where a test of it is true.
static oct_goal *make_seeing(goal_target *e, const char *name, oct_test_fn *solved)
{
    if (!e) {
        return NULL;
    }
    const oct_allocator *const allocator = &e->allocator;
    e->is_to_see = true;
    oct_tactic *const ways[] = {oct_navigate(oct_goal_target_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_goal_target_keep(e)), oct_find(e),
                                oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = name,
                                .begin = oct_goal_target_begins,
                                .solved = solved,
                                .is_undecided = oct_goal_target_is_lost};
    return oct_goal_target_leaf(e, &leaf,
                                oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

oct_goal *oct_goal_entity_in_range(const oct_allocator *allocator, const oct_pick *pick,
                                   double distance)
{
    goal_target *const e = make_beside(allocator, pick, OCT_SIDE_ANY, 0.0);
    if (e) {
        e->amount = distance;
    }
    return make_seeing(e, "entity_in_range", is_in_range);
}

oct_goal *oct_goal_known_for_sure(const oct_allocator *allocator, const oct_pick *pick)
{
    return make_seeing(make_beside(allocator, pick, OCT_SIDE_ANY, 0.0), "see", is_certain);
}
