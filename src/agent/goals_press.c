// SPDX-License-Identifier: MIT
// Pressing what helps: looking at doors that presses have made uncertain, and the next button.
#include "agent/belief_internal.h"
#include "agent/goals_internal.h"
#include "agent/links_internal.h"
#include "agent/turn_plan.h"
#include "base/hash.h"
#include "geom/geom_internal.h"

#include <stdio.h>

static bool may_look_at_doors(goal_target *e, oct_agent *a, turn_plan *out)
{
    (void)e;
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        oct_thing door;
        if (oct_map_thing(oct_belief_map(a->belief), oct_links_door(links, i), &door) &&
            door.label == OCT_UNKNOWN) {
            const oct_point at = point_scale(point_add(door.box.min, door.box.max), 0.5);
            if (oct_way_towards(a, at, &out->way) == JOURNEY_GOING) {
                (void)snprintf(out->thought, sizeof out->thought, "looking at a door");
                return true;
            }
        }
    }
    return false;
}

oct_tactic *oct_look_at_doors(const oct_allocator *allocator)
{
    return oct_plan_tactic(allocator, NULL, "look at doors", may_look_at_doors, oct_plan_go);
}

// A fingerprint of what decides about presses while there is something left to explore: buttons and
// doors that are known, and which can be got to. A sum of them may be the same when one thing has
// come and another has gone.
static uint64_t devices(const oct_agent *a)
{
    const oct_links *const links = oct_belief_links(a->belief);
    uint64_t known = oct_hash_add(1, oct_links_doors(links));
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        uint32_t index;
        oct_point at;
        known = oct_hash_add(known, oct_links_presses(links, i));
        if (button.number > 0 || !oct_belief_find(a->belief, button.panel, &index)) {
            continue;
        }
        for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
            const oct_known *const panel = oct_belief_get(a->belief, index);
            known = oct_hash_add(
                known, oct_approach_side(a, panel, side, APPROACH_HAND, &at) == APPROACH_OPEN &&
                           navigator_connects(&a->navigator, agent_self(a)->centre, at));
        }
    }
    return known;
}

// What may make another plan better than the one that was chosen.
static uint64_t news(const oct_agent *a)
{
    return oct_belief_openings(a->belief) + oct_belief_count(a->belief);
}

// Plans a press from a place, if one gets there.
static bool plan_press(oct_agent *a, uint32_t index, oct_point from, turn_plan *out)
{
    const oct_button button = oct_links_button(oct_belief_links(a->belief), index);
    const journey_state state =
        oct_way_to(a, from, oct_hand_tolerance(a, button.panel, from), &out->way);
    char name[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, button.panel, name, sizeof name);
    if (state == JOURNEY_GOING) {
        (void)snprintf(out->thought, sizeof out->thought, "going to press %s", name);
    } else if (state == JOURNEY_THERE) {
        (void)snprintf(out->thought, sizeof out->thought, "pressing %s %u", name, button.number);
    }
    out->press.is_new = false;
    out->press.button = index;
    out->press.stand = from;
    return state <= JOURNEY_GOING;
}

// ---- refusals ----

// What is refused now may be done later: it is tried again after 1, 2, 4, 8 and 16 seconds.
#define AGAIN_MOST 5u

static bool waits_to_press(const goal_target *e, const oct_agent *a)
{
    return e->has_press && agent_self(a)->tick < e->again_at;
}

static bool was_refused(const goal_target *e, const oct_agent *a)
{
    oct_action last;
    const oct_act came = oct_agent_came(a, &last);
    return e->sent_in > 0 && e->sent_in == oct_agent_turns(a) && last.verb == OCT_VERB_USE &&
           (came == OCT_ACT_NOT_NOW || came == OCT_ACT_REFUSED) && e->refusals < AGAIN_MOST;
}

static void note_refusal(goal_target *e, const oct_agent *a)
{
    const double wait = (double)(1u << e->refusals++) * oct_belief_info(a->belief)->rate;
    e->again_at = agent_self(a)->tick + (uint64_t)wait;
    e->has_press = true;
    e->sent_in = 0;
}

static oct_did wait_to_press(oct_agent *a)
{
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = a->ticks};
    oct_agent_think(a, "waiting to press again what was refused");
    oct_agent_act(a, &wait);
    return OCT_DID_STEP;
}

// ---- pressing ----

// A press that was chosen is made, unless something new was found on the way.
static bool goes_on_pressing(goal_target *e, oct_agent *a, turn_plan *out)
{
    return was_refused(e, a) ||
           (e->has_press && !waits_to_press(e, a) && e->press_news == news(a) &&
            plan_press(a, e->press, e->stand, out));
}

static bool may_press(goal_target *e, oct_agent *a, turn_plan *out)
{
    const bool waits = waits_to_press(e, a);
    if (e->has_press && !waits && plan_press(a, e->press, e->stand, out)) {
        return true;
    }
    const uint64_t known = oct_hash_add(devices(a), e->holds);
    const bool explores = oct_way_explore(a, &out->way) == JOURNEY_GOING;
    if (waits) {
        return !explores;
    }
    if (known == e->devices && explores) {
        return false;
    }
    press_aim aim;
    press_answer answer;
    if (oct_agent_break(a, oct_goal_target_aim(e, a, &aim)) != OCT_OK) {
        return false;
    }
    aim.learns = e->learns;
    aim.holds = e->holds;
    aim.explores = explores;
    if (e->learns) {
        aim.stand_count = 0;
    }
    if (oct_agent_break(a, oct_press_planner_ask(a, &aim, &answer)) != OCT_OK) {
        return false;
    }
    if (answer.step != PRESS_STEP_PRESS || !plan_press(a, answer.button, answer.stand, out)) {
        // Remembered, so that it is not thought out again while there is something to explore.
        e->devices = known;
        return false;
    }
    out->press.is_new = true;
    out->press.devices = known;
    out->press.note = answer.note;
    return true;
}

static oct_did press(goal_target *e, oct_agent *a, const turn_plan *plan)
{
    const planned_press *const p = &plan->press;
    if (was_refused(e, a)) {
        note_refusal(e, a);
    }
    if (waits_to_press(e, a)) {
        return wait_to_press(a);
    }
    if (p->is_new) {
        if (oct_agent_break(a, oct_press_planner_take(a, p->button, &p->note)) != OCT_OK) {
            return OCT_DID_STEP;
        }
        e->has_press = true;
        e->refusals = 0;
        e->press = p->button;
        e->stand = p->stand;
        e->devices = p->devices;
    }
    e->press_news = news(a); // all that was new has been looked at
    if (plan->way.kind != JOURNEY_NONE) {
        return oct_plan_go(e, a, plan);
    }
    const oct_button button = oct_links_button(oct_belief_links(a->belief), p->button);
    (void)oct_journey_set_out(a, &plan->way);
    e->has_press = !oct_hand_use(a, button);
    e->sent_in = e->has_press ? 0 : oct_agent_turns(a) + 1;
    return e->has_press ? OCT_DID_STEP : OCT_DID_DONE;
}

oct_tactic *oct_go_on_pressing(goal_target *e)
{
    return oct_plan_for_target(oct_goal_target_keep(e), "press", goes_on_pressing, press);
}

oct_tactic *oct_press_what_helps(goal_target *e)
{
    return oct_plan_for_target(oct_goal_target_keep(e), "press", may_press, press);
}
