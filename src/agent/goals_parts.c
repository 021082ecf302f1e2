// SPDX-License-Identifier: MIT
// What the library's goals are put together from.
#include "agent/belief_internal.h"
#include "agent/goals_internal.h"
#include "agent/links_internal.h"
#include "agent/turn_plan.h"

#include <stdio.h>

// A door that has not moved for so long does not move, whatever it looks like, ticks.
#define STUCK_DOOR 120u

// ---- leaves ----

oct_goal *oct_goal_target_leaf(goal_target *e, const oct_leaf_goal *with, oct_tactic *tactic)
{
    if (!e) {
        oct_tactic_destroy(tactic);
        return NULL;
    }
    char title[OCT_REASON_MAX];
    oct_leaf_goal leaf = *with;
    leaf.name = oct_goal_target_title(e, with->name, title, sizeof title);
    leaf.tactic = tactic;
    leaf.hook = (oct_hook){e, oct_goal_target_drop};
    return oct_goal_leaf(&e->allocator, &leaf);
}

oct_goal *oct_goal_steps(const oct_allocator *allocator, oct_goal *const *steps, size_t count,
                         const char *name, const oct_pick *pick)
{
    char what[OCT_REASON_MAX / 2], title[OCT_REASON_MAX];
    oct_pick_describe(pick, what, sizeof what);
    (void)snprintf(title, sizeof title, "%s %s", name, what);
    return oct_goal_name(oct_goal_seq(allocator, steps, count), title);
}

bool oct_goal_target_begins(void *ctx, oct_mind *mind)
{
    (void)mind;
    oct_goal_target_begin(ctx);
    return true;
}

bool oct_goal_target_is_lost(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    return e->has_pick && !oct_goal_target_find(e, oct_agent_of(mind));
}

oct_result oct_goal_target_aim(goal_target *e, oct_agent *a, press_aim *aim)
{
    *aim = (press_aim){.what = e->has_pick ? e->what : "the place", .presses = e->presses};
    const oct_known *const k = e->has_pick ? oct_goal_target_find(e, a) : NULL;
    if (!e->has_pick) {
        aim->stands[aim->stand_count++] = e->point;
    }
    if (!k) {
        return OCT_OK;
    }
    oct_point at[OCT_SIDE_ANY];
    uint32_t found;
    OCT_TRY(oct_approach_all(a, k, block_sides(e->side), oct_goal_target_reach(e, a), at, &found));
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        if (found >> side & 1) {
            aim->stands[aim->stand_count++] = at[side];
        }
    }
    return OCT_OK;
}

// Looks everywhere for what is not known.
static bool may_find(goal_target *e, oct_agent *a, turn_plan *out)
{
    if (!e->has_pick || oct_goal_target_find(e, a)) {
        return false;
    }
    (void)snprintf(out->thought, sizeof out->thought, "looking for %s", e->what);
    return oct_way_explore(a, &out->way) == JOURNEY_GOING;
}

oct_tactic *oct_goal_target_part(goal_target *e, const char *name, oct_test_fn *guard,
                                 oct_action_fn *run)
{
    return e ? oct_tactic_action(&e->allocator, name, guard, run, oct_goal_target_hook(e)) : NULL;
}

oct_tactic *oct_find(goal_target *e)
{
    return oct_plan_for_target(oct_goal_target_keep(e), "explore", may_find, oct_plan_go);
}

// Effects of presses may still come, and doors move.
bool oct_agent_is_unsettled(const oct_agent *a)
{
    if (agent_self(a)->tick < oct_links_settled(oct_belief_links(a->belief))) {
        return true;
    }
    for (uint32_t i = 0; i < oct_links_doors(oct_belief_links(a->belief)); i++) {
        uint32_t index;
        const uint64_t id = oct_links_door(oct_belief_links(a->belief), i);
        if (oct_belief_find(a->belief, id, &index)) {
            const oct_known *const k = oct_belief_get(a->belief, index);
            if (k->in_sight && oct_entity_door(&k->now) == OCT_DOOR_MOVING &&
                agent_self(a)->tick - k->changed < STUCK_DOOR) {
                return true;
            }
        }
    }
    return false;
}

static bool may_settle(void *ctx, oct_mind *mind)
{
    (void)ctx;
    const oct_agent *const a = oct_agent_of(mind);
    return a->has_second || oct_agent_is_unsettled(a);
}

static oct_did settle(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_action rest = {.verb = OCT_VERB_WAIT, .ticks = a->ticks};
    if (oct_experiment_press_second(a)) {
        return OCT_DID_DONE;
    }
    oct_agent_think(a, "waiting for what the press does");
    oct_agent_act(a, &rest);
    return OCT_DID_DONE;
}

oct_tactic *oct_settle(const oct_allocator *allocator)
{
    return oct_tactic_action(allocator, "settle", may_settle, settle, (oct_hook){0});
}

// ---- ends ----

bool oct_goal_target_is_done(void *ctx, oct_mind *mind)
{
    (void)mind;
    return ((const goal_target *)ctx)->is_done;
}

bool oct_goal_target_is_at_work(void *ctx, oct_mind *mind)
{
    return !oct_goal_target_is_done(ctx, mind);
}

bool oct_goal_target_came(const goal_target *e, oct_mind *mind, oct_verb verb)
{
    oct_action last;
    return e->is_done && oct_agent_came(oct_agent_of(mind), &last) == OCT_ACT_DONE &&
           last.verb == verb;
}
