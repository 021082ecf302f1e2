// SPDX-License-Identifier: MIT
// Giving up: why something was not found or cannot be reached, and how certain that is.
#include "agent/evidence.h"
#include "agent/goals_internal.h"
#include "agent/mind_internal.h"
#include "geom/geom_internal.h"

#include <stdio.h>

static bool drifts(const oct_known *k)
{
    return !k->gone && k->now.type != UINT32_MAX && point_length(k->now.velocity) > 0.0;
}

// Nobody flies into what drifts: what is in there is not seen.
static bool has_met_drifters(const oct_agent *a)
{
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        if (drifts(oct_belief_get(a->belief, i))) {
            return true;
        }
    }
    return false;
}

bool oct_agent_has_seen_all(oct_agent *a, char *out, size_t size)
{
    oct_remains left;
    if (oct_explorer_remains(a->explorer, agent_self(a)->centre, &left) != OCT_OK) {
        (void)snprintf(out, size, "memory is short");
        return false;
    }
    const uint64_t places = left.frontier + left.hidden;
    if (places == 0 && left.beyond == 0 && has_met_drifters(a)) {
        (void)snprintf(out, size, "everything was explored but what drifts");
        return false;
    }
    if (places == 0 && left.beyond == 0) {
        (void)snprintf(out, size, "everything that can be reached was explored");
        return true;
    }
    const char *const beyond = left.beyond > 0 ? "there is more beyond the bounds" : "";
    if (places == 0) {
        (void)snprintf(out, size, "not everything was explored: %s", beyond);
    } else {
        (void)snprintf(out, size, "not everything was explored: %llu place%s left%s%s",
                       (unsigned long long)places, places == 1 ? " is" : "s are",
                       beyond[0] ? ", and " : "", beyond);
    }
    return false;
}

static void say_no_room(oct_mind *mind, const errand *e)
{
    const char *const side = oct_stands_side_name(e->side);
    if (e->side == OCT_SIDE_ANY) {
        oct_mind_because(mind, false, "there is no room beside %s", e->what);
    } else if (side) {
        oct_mind_because(mind, false, "there is no room at the %s of %s", side, e->what);
    } else {
        oct_mind_because(mind, false, "there is no such side of %s", e->what);
    }
}

// Whether there may be a way to one of the places that nothing shows.
static bool is_hidden(oct_agent *a, const wits_aim *aim)
{
    bool is = false;
    for (size_t i = 0; i < aim->stand_count && !is; i++) {
        double length;
        (void)oct_journey_ask(a, aim->stands[i], &length);
        is = a->is_hidden;
    }
    return is;
}

// There is no way, but what seals the place may not have been seen yet.
static bool looks_around(const errand *e, oct_agent *a)
{
    if (!e->looks_around || oct_journey_explore(a) != JOURNEY_GOING) {
        return false;
    }
    oct_agent_think(a, "looking for what seals %s", e->has_pick ? e->what : "the place");
    oct_journey_step(a);
    return true;
}

// Fails, and says why as well as it is known.
static oct_did give_up(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    char seen[OCT_REASON_MAX / 2];
    // Who plans looks first: what came in sight since the other ways were asked about may be one.
    if (oct_mind_has_news(mind) || looks_around(e, a)) {
        return OCT_DID_STEP;
    }
    if (oct_errand_is_lost(e, mind)) {
        const bool is_sure = oct_agent_has_seen_all(a, seen, sizeof seen);
        oct_mind_because(mind, !is_sure, "%s was not found: %s", e->what, seen);
        return OCT_DID_ABORT;
    }
    const oct_known *const k = e->has_pick ? oct_errand_find(e, a) : NULL;
    if (k && drifts(k)) {
        oct_mind_because(mind, true, "%s drifts, and nobody boards what drifts", e->what);
        return OCT_DID_ABORT;
    }
    wits_aim aim;
    wits_answer answer;
    if (oct_agent_break(a, oct_errand_aim(e, a, &aim)) != OCT_OK) {
        return OCT_DID_ABORT;
    }
    if (aim.stand_count == 0) {
        say_no_room(mind, e);
        return OCT_DID_ABORT;
    }
    if (oct_agent_break(a, oct_wits_explain(a, &aim, &answer)) != OCT_OK) {
        return OCT_DID_ABORT;
    }
    e->looks_around = answer.is_vague;
    if (looks_around(e, a)) {
        return OCT_DID_STEP;
    }
    for (size_t i = 0; i < answer.door_count; i++) {
        oct_evidence_of_door(a, oct_belief_get(a->belief, answer.doors[i]));
    }
    oct_mind_because(mind, answer.is_undecided || is_hidden(a, &aim), "%s", answer.why);
    return OCT_DID_ABORT;
}

oct_tactic *oct_give_up(errand *e)
{
    return oct_errand_part(e, "give up", NULL, give_up);
}
