// SPDX-License-Identifier: MIT
// Goals of doing and checking: tools, blocks, what entities are like, waiting.
#include "agent/belief_internal.h"
#include "agent/decides.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/mind.h"
#include "agent/sure.h"

#include <math.h>
#include <stdio.h>

// ---- both ----

oct_goal *oct_goal_interacted(const oct_allocator *allocator, const oct_pick *pick, uint32_t button)
{
    // The hook of the pick belongs to one of the two: the other has none to drop.
    oct_pick again = *pick;
    again.hook.drop = NULL;
    oct_goal *const press = oct_goal_press_button(allocator, &again, button);
    oct_goal *const both[] = {oct_goal_close_to_button(allocator, pick), press};
    return oct_goal_steps(allocator, both, 2, "interacted", pick);
}

// ---- what entities are like ----

static bool is_so(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_goal_target_begin(e);
    const oct_known *const k = oct_goal_target_find(e, a);
    if (!k) {
        oct_mind_because(mind, true, "%s was not seen yet", e->what);
        return false;
    }
    // What the test asks for is not known: all that is believed has to be certain.
    if (!oct_agent_is_sure(a, k, OCT_ASPECT_OPENING)) {
        oct_agent_doubt(a, k);
    }
    if (e->test(e->hook.ctx, a->belief, k)) {
        return true;
    }
    oct_mind_because(mind, false, "%s: %s does not hold", e->what, e->type);
    return false;
}

static oct_goal *make_check(goal_target *e, const char *name, oct_test_fn *test)
{
    if (!e) {
        return NULL;
    }
    char title[OCT_REASON_MAX];
    (void)oct_goal_target_title(e, name, title, sizeof title);
    return oct_goal_check(&e->allocator, title, test, (oct_hook){e, oct_goal_target_drop});
}

// A target with a test and a name for it.
static goal_target *make_test(const oct_allocator *allocator, const oct_pick *pick,
                              const char *name, known_test_fn *test, oct_hook hook)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, hook);
    if (!e || !oct_goal_target_name(e, name ? name : "the test")) {
        oct_goal_target_drop(e);
        return NULL;
    }
    e->test = test;
    return e;
}

oct_goal *oct_goal_invariant_checked(const oct_allocator *allocator, const oct_pick *pick,
                                     const char *name, known_test_fn *test, oct_hook hook)
{
    return make_check(make_test(allocator, pick, name, test, hook), "invariant_checked", is_so);
}

static double integrity_of(const oct_known *k)
{
    return oct_property_number(k->now.props, k->now.prop_count, "integrity", 0.0);
}

static bool is_whole(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_goal_target_begin(e);
    const oct_known *const k = oct_goal_target_find(e, a);
    if (!k) {
        oct_mind_because(mind, true, "%s was not seen yet", e->what);
        return false;
    }
    if (!oct_agent_is_sure(a, k, OCT_ASPECT_BODY)) {
        oct_agent_doubt(a, k);
    }
    const double whole = oct_property_number(k->now.props, k->now.prop_count, "whole", 0.0);
    if (!(whole > 0.0)) {
        oct_mind_because(mind, false, "%s has no integrity that is told", e->what);
        return false;
    }
    const double share = integrity_of(k) / whole;
    if (share >= e->amount) {
        return true;
    }
    // Rounded down: what is nearly enough must not read as enough.
    oct_mind_because(mind, false, "%s has only %.0f %% of its integrity, %.0f %% are asked for",
                     e->what, floor(100.0 * share), 100.0 * e->amount);
    return false;
}

oct_goal *oct_goal_block_ok(const oct_allocator *allocator, const oct_pick *pick, double share)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->amount = share;
    }
    return make_check(e, "block_ok", is_whole);
}

static bool are_all(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    uint32_t met = 0;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (!oct_goal_target_could_mean(e, a->belief, k)) {
            continue;
        }
        const bool is_sure = oct_agent_is_sure(a, k, OCT_ASPECT_OPENING);
        if (!is_sure) {
            oct_agent_doubt(a, k);
        }
        if (!oct_goal_target_means(e, a->belief, k)) {
            continue;
        }
        met++;
        if (!e->test(e->hook.ctx, a->belief, k) && is_sure) {
            char name[OCT_REASON_MAX / 4];
            (void)oct_belief_name(a->belief, k, name, sizeof name);
            oct_mind_because(mind, false, "%s: %s does not hold", name, e->type);
            oct_mind_forget_doubts(mind, 0); // one is enough
            return false;
        }
    }
    if (oct_mind_doubts(mind) > 0) {
        return false;
    }
    possible_answer unseen;
    char doubt[OCT_REASON_MAX / 2];
    oct_agent_ask_unseen(a, false, &unseen);
    (void)oct_possible_explain(a, &unseen, doubt, sizeof doubt);
    const bool is_sure = unseen.status == POSSIBLE_EXCLUDED;
    if (met == 0) {
        oct_mind_because_of(mind, oct_possible_ground(&unseen),
                            "there is no %s: everything that can be reached was explored%s%s",
                            e->what, is_sure ? "" : ", but ", is_sure ? "" : doubt);
        oct_agent_would_decide_possible(a, &unseen);
        return false;
    }
    if (!is_sure) {
        oct_mind_because(mind, true, "%s: %s holds for all %u that were seen, but %s", e->what,
                         e->type, met, doubt);
        oct_agent_would_decide_possible(a, &unseen);
        return false;
    }
    oct_agent_add_note(a, "%s: %s holds for all %u", e->what, e->type, met);
    return true;
}

oct_goal *oct_goal_check_all(const oct_allocator *allocator, const oct_pick *pick, const char *name,
                             known_test_fn *test, oct_hook hook)
{
    goal_target *const e = make_test(allocator, pick, name, test, hook);
    oct_goal *const check = make_check(e, "check all", are_all);
    oct_goal *const both[] = {oct_explore_all(allocator, true, false), check};
    return oct_goal_steps(allocator, both, 2, "check_all", pick);
}

// ---- waiting ----

static bool ask(void *ctx, oct_mind *mind)
{
    const goal_target *const e = ctx;
    if (e->mind_test(e->hook.ctx, mind)) {
        return true;
    }
    oct_mind_because(mind, true, "waiting for %s", e->type);
    return false;
}

oct_goal *oct_goal_wait_until(const oct_allocator *allocator, const char *name, oct_test_fn *test,
                              oct_hook hook, uint64_t ticks)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, hook);
    if (!e || !test || !oct_goal_target_name(e, name)) {
        oct_goal_target_drop(e);
        return NULL;
    }
    e->mind_test = test;
    const oct_leaf_goal leaf = {.name = name, .begin = oct_goal_target_begins, .solved = ask};
    // Whole turns, but for the last one before its time ends.
    const uint32_t at_most = ticks > 0 && ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
    return oct_goal_limit(oct_goal_target_leaf(e, &leaf, oct_tactic_wait(allocator, at_most)), 0,
                          ticks);
}

// ---- tools ----

// Whether what it has in its hands is what it wants.
static bool is_held(void *ctx, oct_mind *mind)
{
    const goal_target *const e = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    const oct_self *const self = agent_self(a);
    const oct_property *const held = oct_property_find(self->props, self->prop_count, "held");
    if (!held || held->kind != OCT_VALUE_TEXT) {
        return false;
    }
    const bool is_grinder = strcmp(held->text, "grinder") == 0;
    const bool is_welder = strcmp(held->text, "welder") == 0;
    return e->item == OCT_ITEM_GRINDER  ? is_grinder
           : e->item == OCT_ITEM_WELDER ? is_welder
           : e->item == OCT_ITEM_BLOCK  ? held->text[0] && !is_grinder && !is_welder &&
                                             (!e->type || strcmp(held->text, e->type) == 0)
                                       : !held->text[0];
}

static const char *item_name(const goal_target *e)
{
    return e->item == OCT_ITEM_GRINDER  ? "grinder"
           : e->item == OCT_ITEM_WELDER ? "welder"
           : e->item != OCT_ITEM_BLOCK  ? "such tool"
           : e->type                    ? e->type
                                        : "block";
}

static bool may_equip(void *ctx, oct_mind *mind)
{
    const goal_target *const e = ctx;
    if (e->tries < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS) {
        return true;
    }
    // In a game that runs on, what a slot holds may be seen too late.
    const bool is_stepped = oct_belief_info(oct_agent_of(mind)->belief)->delay_max == 0;
    oct_mind_because(mind, !is_stepped, "there is no %s in the toolbar", item_name(e));
    return false;
}

// Slot after slot: what they hold is seen when it is in one's hands.
static oct_did equip(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_action take = {.verb = OCT_VERB_DO, .name = "equip", .number = e->tries};
    oct_agent_act(a, &take);
    oct_agent_think(a, "looking for the %s", item_name(e));
    e->tries++;
    return OCT_DID_DONE;
}

oct_goal *oct_goal_equipped(const oct_allocator *allocator, oct_item_kind kind, const char *block)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (!e || (block && !oct_goal_target_name(e, block))) {
        oct_goal_target_drop(e);
        return NULL;
    }
    e->item = kind;
    oct_tactic *const ways[] = {
        oct_tactic_action(allocator, "equip", may_equip, equip, oct_goal_target_hook(e)),
        oct_tactic_abort(allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "equipped", .begin = oct_goal_target_begins, .solved = is_held};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 2));
}

static bool has_gone(void *ctx, oct_mind *mind)
{
    const goal_target *const e = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    return e->is_done && oct_belief_get(a->belief, e->index)->gone;
}

// Where nothing wears off for so long, it is not what the tool works at, ticks.
#define WEAR_MAX 60u

// Notes how much is left of it; false where that has not become less for too long.
static bool wears(goal_target *e, const oct_agent *a, double integrity)
{
    const uint64_t now = agent_self(a)->tick;
    if (!e->is_done || integrity < e->amount) {
        e->is_done = true; // from now on it may go
        e->amount = integrity;
        e->since = now;
    }
    return now - e->since < WEAR_MAX;
}

static oct_did grind(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_goal_target_find(e, a);
    const oct_action begin = {.verb = OCT_VERB_DO, .name = "tool", .on = true};
    const oct_action end = {.verb = OCT_VERB_DO, .name = "tool"};
    if (!wears(e, a, integrity_of(k))) {
        oct_mind_because(mind, true, "the grinder does nothing to %s: something is in the way",
                         e->what);
        oct_agent_act(a, &end);
        return OCT_DID_ABORT;
    }
    // Not longer than it takes: what is behind it is not to be ground.
    const oct_self *const self = agent_self(a);
    const double grind = oct_property_number(self->props, self->prop_count, "grind", 0.0);
    const double left = integrity_of(k) / grind * oct_belief_info(a->belief)->rate;
    const oct_action wait = {.verb = OCT_VERB_WAIT,
                             .ticks = left < a->ticks ? 1u + (uint32_t)left : a->ticks};
    oct_agent_think(a, "grinding %s", e->what);
    oct_agent_act(a, agent_works(a) ? &wait : &begin);
    return OCT_DID_DONE;
}

static oct_goal *make_grind(const oct_allocator *allocator, const oct_pick *pick)
{
    goal_target *const e = oct_goal_target_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    oct_tactic *const ways[] = {oct_tactic_action(allocator, "grind", oct_goal_target_at_hand,
                                                  grind, oct_goal_target_hook(e)),
                                oct_tactic_abort(allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "grind", .begin = oct_goal_target_begins, .solved = has_gone};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 2));
}

static oct_goal *make_tool_end(const oct_allocator *allocator, const char *name)
{
    const oct_action action = {.verb = OCT_VERB_DO, .name = "tool"};
    const oct_leaf_goal leaf = {.name = name, .tactic = oct_tactic_do(allocator, &action)};
    return oct_goal_leaf(allocator, &leaf);
}

oct_goal *oct_goal_ground_down(const oct_allocator *allocator, const oct_pick *pick)
{
    oct_pick again = *pick;
    again.hook.drop = NULL;
    oct_goal *const last = make_grind(allocator, &again);
    oct_goal *const steps[] = {oct_goal_close_to_block(allocator, pick, OCT_SIDE_ANY, 0.0),
                               oct_goal_equipped(allocator, OCT_ITEM_GRINDER, NULL), last,
                               make_tool_end(allocator, "stop grinding")};
    return oct_goal_steps(allocator, steps, 4, "ground_down", pick);
}
