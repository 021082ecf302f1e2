// SPDX-License-Identifier: MIT
// Whether what is believed of an entity is certain. What is in sight of a look of this tick is. All
// else was as it was last seen; since then a press may have moved a door, and what was once seen to
// change may have changed again.
#include "agent/sure.h"
#include "agent/decides.h"
#include "agent/effects.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/mind.h"

#include <stdio.h>

// What looks and actions may be late by, ticks.
#define SLACK 60u

static bool denies(const oct_agent *a, oct_assumption assumption)
{
    return (oct_belief_info(a->belief)->denies >> assumption & 1) != 0;
}

// Whether all who play write into the history.
static bool knows_all(const oct_agent *a, const oct_history *h)
{
    return oct_game_players(a->game) <= h->starts.count;
}

static bool body_is_sure(const oct_agent *a, const oct_history *h, const oct_known *k)
{
    const history_thing *const t = oct_history_find(h, k->now.thing.id);
    return t && !t->is_mobile && k->now.kind != OCT_ENTITY_PLAYER && knows_all(a, h) &&
           !denies(a, OCT_ASSUME_SOLID);
}

static const history_press *press_at(const oct_history *h, size_t index)
{
    return (const history_press *)h->presses.items + index;
}

// Whether what one press does may be told from what it did alone: nothing is delayed, or no other
// press came while its effects could.
static bool stands_alone(const oct_history *h, const effect_rules *rules, size_t index)
{
    const uint64_t most = rules->settle + rules->slide + SLACK;
    const uint64_t tick = press_at(h, index)->tick;
    return rules->settle == 0 ||
           ((index == 0 || tick - press_at(h, index - 1)->tick >= most) &&
            (index + 1 == h->presses.count || press_at(h, index + 1)->tick - tick >= most));
}

static bool may_move(const oct_agent *a, const oct_history *h, const effect_rules *rules,
                     size_t index, uint32_t door, bool is_open)
{
    const bool is_joint = denies(a, OCT_ASSUME_ALONE) && !rules->toggles;
    const uint32_t effects =
        oct_effects_of(h, rules, oct_agent_own_links(a), press_at(h, index)->button, door);
    // Where effects are delayed they may be undone: only what does nothing leaves a door alone.
    const uint32_t moving = rules->settle > 0
                                ? ~(uint32_t)EFFECT_NOTHING
                                : EFFECT_TOGGLE | (uint32_t)(is_open ? EFFECT_SHUT : EFFECT_OPEN);
    return is_joint || !stands_alone(h, rules, index) || (effects & moving) != 0;
}

static bool opening_is_sure(const oct_agent *a, const oct_history *h, const oct_known *k)
{
    const history_thing *const t = oct_history_find(h, k->now.thing.id);
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    const oct_door_state state = oct_entity_door(&k->now);
    if (!t || t->door == 0 || !knows_all(a, h) || state == OCT_DOOR_MOVING ||
        denies(a, OCT_ASSUME_CAUSES) || oct_effects_moves_alone(h, &rules, t->door - 1)) {
        return false;
    }
    const uint64_t most = rules.settle + rules.slide + SLACK;
    // The history goes on from life to life; entities have ticks of this life's game.
    for (size_t i = h->presses.count; i-- > 0 && press_at(h, i)->life == h->life;) {
        if (!denies(a, OCT_ASSUME_DELAY) && press_at(h, i)->tick + most < h->offset + k->last) {
            break; // all that it did was seen
        }
        if (may_move(a, h, &rules, i, t->door - 1, state == OCT_DOOR_OPEN)) {
            return false;
        }
    }
    return true;
}

bool oct_agent_is_sure(const oct_agent *a, const oct_known *k, oct_aspect aspect)
{
    const oct_history *const h = oct_belief_history(a->belief);
    // Agents do not look in every turn: what was in sight in the last look may have changed since.
    if (k->in_sight && k->last == agent_self(a)->tick) {
        return true;
    }
    const bool is_door = k->now.kind == OCT_ENTITY_DOOR;
    return aspect != OCT_ASPECT_PROPS && body_is_sure(a, h, k) &&
           (aspect == OCT_ASPECT_BODY || !is_door || opening_is_sure(a, h, k));
}

// Who acts may keep what it has read.
static void keep_unsure(oct_agent *a, const oct_known *k)
{
    agent_unsure new = {.last = k->last};
    const agent_unsure *const all = a->unsure.items;
    if (!oct_belief_find(a->belief, k->now.thing.id, &new.known)) {
        return;
    }
    for (size_t i = 0; i < a->unsure.count; i++) {
        if (all[i].known == new.known) {
            return;
        }
    }
    (void)oct_agent_break(a, oct_array_push(&a->unsure, &a->allocator, sizeof new, &new));
}

static void doubt(oct_agent *a, const oct_known *k)
{
    char name[OCT_REASON_MAX / 4];
    (void)oct_belief_name(a->belief, k, name, sizeof name);
    oct_mind_doubt(a->mind, "%s may have changed since it was last seen, at %.1f s", name,
                   (double)k->last / oct_belief_info(a->belief)->rate);
    oct_agent_would_decide_doubt(a, "a look at %s before it is asked about", name);
}

void oct_agent_doubt(oct_agent *a, const oct_known *k)
{
    doubt(a, k);
    if (oct_mind_is_acting(a->mind)) {
        keep_unsure(a, k);
    }
}

void oct_agent_recall(oct_agent *a)
{
    agent_unsure *const all = a->unsure.items;
    size_t left = 0;
    for (size_t i = 0; i < a->unsure.count; i++) {
        const oct_known *const k = oct_belief_get(a->belief, all[i].known);
        if (k->last == all[i].last) {
            all[left++] = all[i];
            doubt(a, k);
        }
    }
    a->unsure.count = left;
}

bool oct_agent_knows_all(oct_agent *a)
{
    const uint64_t looks = oct_belief_looks(a->belief);
    if (a->all_asked == looks) {
        return a->knows_all;
    }
    char ignored[OCT_REASON_MAX];
    possible_answer unseen = {.status = POSSIBLE_MAYBE};
    // What is left to explore is quickly asked.
    if (oct_agent_has_seen_all(a, ignored, sizeof ignored)) {
        oct_agent_ask_unseen(a, false, &unseen);
    }
    a->all_asked = looks;
    a->knows_all = unseen.status == POSSIBLE_EXCLUDED;
    return a->knows_all;
}
