// SPDX-License-Identifier: MIT
// Goals of going somewhere: by known ways, then through what is not known, then by looking
// everywhere; and those that also press buttons for it.
#include "agent/evidence.h"
#include "agent/goals_internal.h"
#include "geom/geom_internal.h"

#include <stdio.h>

// A door that has not moved for so long does not move, whatever it looks like, ticks.
#define STUCK_DOOR 120u

// ---- parts ----

oct_goal *oct_errand_leaf(errand *e, const oct_leaf_goal *with, oct_tactic *tactic)
{
    if (!e) {
        oct_tactic_destroy(tactic);
        return NULL;
    }
    char title[OCT_REASON_MAX];
    oct_leaf_goal leaf = *with;
    leaf.name = oct_errand_title(e, with->name, title, sizeof title);
    leaf.tactic = tactic;
    leaf.hook = (oct_hook){e, oct_errand_drop};
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

bool oct_errand_begins(void *ctx, oct_mind *mind)
{
    (void)mind;
    oct_errand_begin(ctx);
    return true;
}

static bool is_lost(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    return e->has_pick && !oct_errand_find(e, oct_agent_of(mind));
}

static oct_did step(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_journey_step(oct_agent_of(mind));
    return OCT_DID_DONE;
}

// Looks everywhere for what is not known.
static bool may_find(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (!is_lost(e, mind) || oct_journey_explore(a) != JOURNEY_GOING) {
        return false;
    }
    oct_agent_think(a, "looking for %s", e->what);
    return true;
}

// A tactic that holds the errand once more.
static oct_tactic *part(errand *e, const char *name, oct_test_fn *guard, oct_action_fn *run)
{
    return e ? oct_tactic_action(&e->allocator, name, guard, run, oct_errand_hook(e)) : NULL;
}

oct_tactic *oct_find(errand *e)
{
    return part(e, "explore", may_find, step);
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
            if (k->in_sight && k->now.opening > 0.0 && k->now.opening < 1.0 &&
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
    return oct_agent_is_unsettled(oct_agent_of(mind));
}

static oct_did settle(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_action rest = {.verb = OCT_VERB_WAIT, .ticks = a->ticks};
    oct_agent_think(a, "waiting for what the press does");
    oct_agent_act(a, &rest);
    return OCT_DID_DONE;
}

oct_tactic *oct_settle(const oct_allocator *allocator)
{
    return oct_tactic_action(allocator, "settle", may_settle, settle, (oct_hook){0});
}

// ---- giving up ----

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

static oct_result aim_at(errand *e, oct_agent *a, wits_aim *aim)
{
    *aim = (wits_aim){.what = e->has_pick ? e->what : "the place", .presses = e->presses};
    const oct_known *const k = e->has_pick ? oct_errand_find(e, a) : NULL;
    if (!e->has_pick) {
        aim->stands[aim->stand_count++] = e->point;
    }
    if (!k) {
        return OCT_OK;
    }
    oct_point at[OCT_BLOCK_ANY];
    uint32_t found;
    OCT_TRY(oct_known_stands(a, k, block_sides(e->side), e->reach, at, &found));
    for (oct_block_side side = OCT_BLOCK_FRONT; side < OCT_BLOCK_ANY; side++) {
        if (found >> side & 1) {
            aim->stands[aim->stand_count++] = at[side];
        }
    }
    return OCT_OK;
}

static void say_no_room(oct_mind *mind, const errand *e)
{
    const char *const side = oct_block_side_name(e->side);
    if (e->side == OCT_BLOCK_ANY) {
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
    if (looks_around(e, a)) {
        return OCT_DID_STEP;
    }
    if (is_lost(e, mind)) {
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
    if (oct_agent_break(a, aim_at(e, a, &aim)) != OCT_OK) {
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
    oct_mind_because(mind, answer.is_open || is_hidden(a, &aim), "%s", answer.why);
    return OCT_DID_ABORT;
}

oct_tactic *oct_give_up(errand *e)
{
    return part(e, "give up", NULL, give_up);
}

// ---- being there ----

static bool is_there(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_point to;
    return oct_agent_rests(a) && oct_errand_target(e, a, &to) &&
           point_length(point_sub(agent_self(a)->centre, to)) <= e->tolerance;
}

static const oct_leaf_goal going = {
    .begin = oct_errand_begins, .solved = is_there, .is_open = is_lost};

static oct_goal *make_going(errand *e, const char *name)
{
    if (!e) {
        return NULL;
    }
    const oct_allocator *const allocator = &e->allocator;
    oct_tactic *const ways[] = {oct_navigate(oct_errand_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_errand_keep(e)), oct_find(e),
                                oct_give_up(e)};
    oct_leaf_goal leaf = going;
    leaf.name = name;
    return oct_errand_leaf(e, &leaf,
                           oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

static errand *make_point(const oct_allocator *allocator, oct_point point, double tolerance)
{
    errand *const e = oct_errand_make(allocator, NULL, (oct_hook){0});
    if (e) {
        e->point = point;
        e->has_point = true;
        oct_errand_tolerate(e, tolerance);
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

static errand *make_beside(const oct_allocator *allocator, const oct_pick *pick,
                           oct_block_side side, double tolerance)
{
    errand *const e = oct_errand_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->side = side;
        oct_errand_tolerate(e, tolerance);
    }
    return e;
}

// ---- looking at it ----

static bool is_facing(void *ctx, oct_mind *mind)
{
    return oct_errand_faces(ctx, oct_agent_of(mind));
}

oct_goal *oct_facing_goal(errand *e)
{
    if (!e) {
        return NULL;
    }
    oct_tactic *const ways[] = {oct_face(oct_errand_keep(e)),
                                oct_tactic_abort(&e->allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "face_towards", .begin = oct_errand_begins, .solved = is_facing};
    return oct_errand_leaf(e, &leaf, oct_tactic_first_of(&e->allocator, ways, 2));
}

oct_goal *oct_goal_face_towards(const oct_allocator *allocator, const oct_pick *pick,
                                oct_point point)
{
    errand *const e = oct_errand_make(allocator, pick, (oct_hook){0});
    if (e) {
        e->point = point;
        e->has_point = !pick;
    }
    return oct_facing_goal(e);
}

// The first, then looking at what it is about. Takes over one use of the errand.
static oct_goal *and_face(errand *e, oct_goal *first, const char *name)
{
    if (!first) {
        oct_errand_drop(e);
        return NULL;
    }
    const oct_allocator allocator = e->allocator;
    char title[OCT_REASON_MAX];
    (void)oct_errand_title(e, name, title, sizeof title);
    oct_goal *const both[] = {first, oct_facing_goal(e)};
    return oct_goal_name(oct_goal_seq(&allocator, both, 2), title);
}

oct_goal *oct_goal_close_to_block(const oct_allocator *allocator, const oct_pick *pick,
                                  oct_block_side side, double tolerance)
{
    errand *const e = make_beside(allocator, pick, side, tolerance);
    oct_goal *const goal = make_going(oct_errand_keep(e), "go to");
    return and_face(e, goal, "close_to_block");
}

// ---- with buttons ----

static bool may_look_at_doors(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        oct_thing door;
        if (oct_map_thing(oct_belief_map(a->belief), oct_links_door(links, i), &door) &&
            door.label == OCT_UNKNOWN) {
            const oct_point at = point_scale(point_add(door.box.min, door.box.max), 0.5);
            if (oct_journey_towards(a, at) == JOURNEY_GOING) {
                oct_agent_think(a, "looking at a door");
                return true;
            }
        }
    }
    return false;
}

oct_tactic *oct_look_at_doors(const oct_allocator *allocator)
{
    return oct_tactic_action(allocator, "look at doors", may_look_at_doors, step, (oct_hook){0});
}

// What decides about presses: when that is as it was, thinking again leads to the same.
static uint64_t devices(const oct_agent *a)
{
    const oct_links *const links = oct_belief_links(a->belief);
    uint64_t known = oct_links_doors(links);
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        uint32_t index;
        oct_point at;
        known += 1u + oct_links_presses(links, i);
        if (button.number > 0 || !oct_belief_find(a->belief, button.panel, &index)) {
            continue;
        }
        for (oct_block_side side = OCT_BLOCK_FRONT; side < OCT_BLOCK_ANY; side++) {
            known += oct_known_stand(a, oct_belief_get(a->belief, index), side, PRESS_REACH, &at) ==
                     STAND_OPEN;
        }
    }
    return known;
}

static bool may_press(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (e->has_press && oct_journey_to(a, e->stand, PRESS_TOLERANCE) <= JOURNEY_GOING) {
        return true;
    }
    const uint64_t known = devices(a);
    if (known == e->devices && oct_journey_is_exploring(a)) {
        return false;
    }
    e->devices = known;
    wits_aim aim;
    wits_answer answer;
    if (oct_agent_break(a, aim_at(e, a, &aim)) != OCT_OK) {
        return false;
    }
    aim.learns = e->learns;
    if (e->learns) {
        aim.stand_count = 0;
    }
    if (oct_agent_break(a, oct_wits_ask(a, &aim, &answer)) != OCT_OK) {
        return false;
    }
    e->has_press = answer.step == WITS_PRESS &&
                   oct_journey_to(a, answer.stand, PRESS_TOLERANCE) <= JOURNEY_GOING;
    e->press = answer.button;
    e->stand = answer.stand;
    return e->has_press;
}

static oct_did press(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_button button = oct_links_button(oct_belief_links(a->belief), e->press);
    uint32_t index;
    char name[64] = "a button";
    if (oct_belief_find(a->belief, button.panel, &index)) {
        (void)oct_belief_name(a->belief, oct_belief_get(a->belief, index), name, sizeof name);
    }
    if (a->journey.kind != JOURNEY_NONE) {
        oct_agent_think(a, "going to press %s", name);
        oct_journey_step(a);
        return OCT_DID_DONE;
    }
    const oct_action use = {
        .verb = OCT_VERB_USE, .target = button.panel, .button = button.number, .ticks = 1};
    oct_agent_think(a, "pressing %s %u", name, button.number);
    oct_agent_act(a, &use);
    e->has_press = false;
    return OCT_DID_DONE;
}

oct_tactic *oct_press_what_helps(errand *e)
{
    return part(e, "press", may_press, press);
}

oct_goal *oct_goal_smart_close_to_block(const oct_allocator *allocator, const oct_pick *pick,
                                        oct_block_side side, double tolerance)
{
    errand *const e = make_beside(allocator, pick, side, tolerance);
    if (!e) {
        return NULL;
    }
    e->presses = true;
    oct_tactic *const ways[] = {oct_navigate(oct_errand_keep(e)),
                                oct_settle(allocator),
                                oct_explore_towards(oct_errand_keep(e)),
                                oct_find(e),
                                oct_look_at_doors(allocator),
                                oct_press_what_helps(e),
                                oct_tactic_explore(allocator),
                                oct_give_up(e)};
    oct_leaf_goal leaf = going;
    leaf.name = "find a way to";
    oct_tactic *const tactic = oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways);
    oct_goal *const goal = oct_errand_leaf(oct_errand_keep(e), &leaf, tactic);
    return and_face(e, goal, "smart_close_to_block");
}

// ---- exploring ----

bool oct_errand_is_done(void *ctx, oct_mind *mind)
{
    (void)mind;
    return ((const errand *)ctx)->is_done;
}

bool oct_errand_is_at_work(void *ctx, oct_mind *mind)
{
    return !oct_errand_is_done(ctx, mind);
}

bool oct_errand_came(const errand *e, oct_mind *mind, oct_verb verb)
{
    oct_action last;
    return e->is_done && oct_agent_came(oct_agent_of(mind), &last) == OCT_ACT_DONE &&
           last.verb == verb;
}

static oct_did finish(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    char seen[OCT_REASON_MAX / 2];
    if (!oct_agent_has_seen_all(a, seen, sizeof seen)) {
        oct_agent_add_note(a, "explored, but %s", seen);
    }
    e->is_done = true;
    return OCT_DID_DONE;
}

oct_goal *oct_goal_explore(const oct_allocator *allocator)
{
    errand *const e = oct_errand_make(allocator, NULL, (oct_hook){0});
    oct_tactic *const ways[] = {oct_settle(allocator), oct_tactic_explore(allocator),
                                part(e, "finish", NULL, finish)};
    const oct_leaf_goal leaf = {.name = "explore",
                                .begin = oct_errand_begins,
                                .solved = oct_errand_is_done,
                                .is_open = oct_errand_is_at_work};
    return oct_errand_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 3));
}

static bool is_found(void *ctx, oct_mind *mind)
{
    return !is_lost(ctx, mind);
}

oct_goal *oct_goal_explore_to_find(const oct_allocator *allocator, const oct_pick *pick)
{
    errand *const e = oct_errand_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    oct_tactic *const ways[] = {oct_settle(allocator), oct_explore_towards(oct_errand_keep(e)),
                                oct_find(e), oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "explore_to_find",
                                .begin = oct_errand_begins,
                                .solved = is_found,
                                .is_open = is_lost};
    return oct_errand_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 4));
}

// ---- buttons ----

static bool is_within_reach(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_errand_find(e, a);
    return is_there(ctx, mind) && k && oct_errand_in_reach(a, k);
}

oct_goal *oct_goal_close_to_button(const oct_allocator *allocator, const oct_pick *pick)
{
    errand *const e = make_beside(allocator, pick, OCT_BLOCK_ANY, PRESS_TOLERANCE);
    if (!e) {
        return NULL;
    }
    e->reach = PRESS_REACH;
    oct_tactic *const ways[] = {oct_navigate(oct_errand_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_errand_keep(e)), oct_find(e),
                                oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "close_to_button",
                                .begin = oct_errand_begins,
                                .solved = is_within_reach,
                                .is_open = is_lost};
    return oct_errand_leaf(e, &leaf,
                           oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

static bool is_pressed(void *ctx, oct_mind *mind)
{
    return oct_errand_came(ctx, mind, OCT_VERB_USE);
}

oct_goal *oct_goal_press_button(const oct_allocator *allocator, const oct_pick *pick,
                                uint32_t button)
{
    errand *const e = oct_errand_make(allocator, pick, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->button = button;
    oct_tactic *const ways[] = {oct_interact(oct_errand_keep(e)),
                                oct_tactic_abort(allocator, NULL)};
    const oct_leaf_goal leaf = {
        .name = "press_button", .begin = oct_errand_begins, .solved = is_pressed};
    return oct_errand_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 2));
}

// ---- ranges ----

static bool is_in_range(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = oct_errand_find(e, a);
    return k && k->in_sight &&
           (e->amount == 0.0 ||
            point_length(point_sub(oct_known_centre(k), agent_self(a)->centre)) <= e->amount);
}

oct_goal *oct_goal_entity_in_range(const oct_allocator *allocator, const oct_pick *pick,
                                   double distance)
{
    errand *const e = make_beside(allocator, pick, OCT_BLOCK_ANY, 0.0);
    if (!e) {
        return NULL;
    }
    e->amount = distance;
    oct_tactic *const ways[] = {oct_navigate(oct_errand_keep(e)), oct_settle(allocator),
                                oct_explore_towards(oct_errand_keep(e)), oct_find(e),
                                oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "entity_in_range",
                                .begin = oct_errand_begins,
                                .solved = is_in_range,
                                .is_open = is_lost};
    return oct_errand_leaf(e, &leaf,
                           oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}
