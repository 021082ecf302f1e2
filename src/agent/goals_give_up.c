// SPDX-License-Identifier: MIT
// Giving up: why something was not found or cannot be reached, and how certain that is.
#include "agent/belief_internal.h"
#include "agent/dead_end.h"
#include "agent/decides.h"
#include "agent/diagnosis.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/mind_internal.h"
#include "agent/survey.h"
#include "agent/walk_space.h"
#include "base/print.h"
#include "game/entity_pool.h"
#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <stdio.h>
#include <string.h>

static bool drifts(const oct_known *k)
{
    return !k->gone && k->now.kind != OCT_ENTITY_PLAYER && point_length(k->now.velocity) > 0.0;
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
    if (oct_agent_remains(a, &left) != OCT_OK) {
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

static void say_no_room(oct_mind *mind, const goal_target *e, oct_ground ground, const char *doubt)
{
    const char *const side = oct_approach_side_name(e->side);
    const char *const before = *doubt ? " (not certain: " : "", *const after = *doubt ? ")" : "";
    if (e->side == OCT_SIDE_ANY) {
        oct_mind_because_of(mind, ground, "there is no room beside %s%s%s%s", e->what, before,
                            doubt, after);
    } else if (side) {
        oct_mind_because_of(mind, ground, "there is no room at the %s of %s%s%s%s", side, e->what,
                            before, doubt, after);
    } else {
        oct_mind_because(mind, true, "there is no such side of %s", e->what);
    }
}

// There is no way, but what seals the place may not have been seen yet.
static bool looks_around(const goal_target *e, oct_agent *a)
{
    if (!e->looks_around || oct_journey_explore(a) != JOURNEY_GOING) {
        return false;
    }
    oct_agent_think(a, "looking for what seals %s", e->has_pick ? e->what : "the place");
    oct_journey_step(a);
    return true;
}

// Another one that is meant may be where nobody has been. A world without bounds has no end.
static bool looks_for_others(const goal_target *e, oct_agent *a)
{
    if (!e->has_pick || e->experiment.phase != EXPERIMENT_NONE || oct_goal_target_is_one(e, a) ||
        !oct_belief_info(a->belief)->has_bounds || oct_journey_explore(a) != JOURNEY_GOING) {
        return false;
    }
    oct_agent_think(a, "looking for another %s", e->what);
    oct_journey_step(a);
    return true;
}

// ---- reasons ----

// How certain what is said is, and what keeps it from being so.
typedef struct certainty {
    oct_ground ground;
    bool is_sure;
    bool is_on_foot; // for who walks alone
    char doubt[OCT_REASON_MAX / 2];
} certainty;

// Says why, with the doubt if there is one.
static void say(oct_mind *mind, const certainty *c, const char *why)
{
    if (c->is_sure) {
        oct_mind_because_of(mind, c->ground, "%s", why);
    } else {
        oct_mind_because(mind, true, "%s (not certain: %s)", why, c->doubt);
    }
}

// The bytes that a reason has before its doubt.
static size_t room_of(const certainty *c)
{
    return OCT_REASON_MAX - (c->is_sure ? 0 : strlen(c->doubt) + sizeof " (not certain: )");
}

// Doors that a press may open, for who does not press.
static bool needs_presses(const goal_target *e, const oct_agent *a, const door_list *doors)
{
    return !e->presses && oct_diagnosis_may_open(a, doors);
}

// "; a passage ends at 1.0, 2.0, 3.0"
static void add_dead_ends(const oct_agent *a, char *why)
{
    oct_point ends[DEAD_ENDS_MAX];
    const size_t count = oct_agent_dead_ends(a, ends);
    for (size_t i = 0; i < count; i++) {
        const char *const before = i > 0       ? " and"
                                   : count > 1 ? "; passages end"
                                               : "; a passage ends";
        const size_t used = strlen(why);
        (void)oct_snprintf(why + used, OCT_REASON_MAX - used, "%s at %.1f, %.1f, %.1f", before,
                           ends[i].x, ends[i].y, ends[i].z);
    }
}

// Something that was not found: beyond doors, or where nothing is known to lead.
static void say_not_found(oct_mind *mind, const goal_target *e, oct_agent *a, const certainty *c,
                          const possible_answer *possible)
{
    char seen[OCT_REASON_MAX / 2], why[OCT_REASON_MAX];
    door_list doors;
    const bool has_seen_all = oct_agent_has_seen_all(a, seen, sizeof seen);
    if (!has_seen_all && !c->is_sure) {
        oct_mind_because(mind, true, "%s was not found: %s", e->what, seen);
        oct_agent_would_decide(a, "exploring the rest, within wider bounds if the test has some");
        return;
    }
    oct_diagnosis_stuck(a, &doors);
    if (doors.count == 0) {
        oct_diagnosis_dark(a, &doors);
    }
    if (doors.count > 0) {
        (void)snprintf(why, sizeof why, "%s was not found%s: it may be beyond ", e->what,
                       needs_presses(e, a, &doors) ? " without pressing" : "");
        oct_diagnosis_explain(a, &doors, c->is_sure && e->presses, why, room_of(c));
    } else {
        (void)snprintf(why, sizeof why,
                       "%s was not found: everything that can be reached was explored", e->what);
        add_dead_ends(a, why);
    }
    say(mind, c, why);
    oct_agent_would_decide_possible(a, possible);
}

// Something that is known, behind doors.
static void say_sealed(oct_mind *mind, const goal_target *e, oct_agent *a,
                       const press_answer *answer, const certainty *c)
{
    char why[OCT_REASON_MAX];
    door_list doors = {.count = answer->door_count};
    memcpy(doors.doors, answer->doors, sizeof doors.doors);
    (void)snprintf(why, sizeof why, "%s is not reachable%s: sealed by ",
                   e->has_pick ? e->what : "the place",
                   needs_presses(e, a, &doors) ? " without pressing" : "");
    oct_diagnosis_explain(a, &doors, c->is_sure && e->presses, why, room_of(c));
    say(mind, c, why);
}

// Whether a thing that is more than a box holds a point: a turned box alone is taken to.
static bool has_inside(const oct_entity *e, oct_point p)
{
    const oct_piece *const piece = e->shape.count == 1 ? e->shape.pieces : NULL;
    return oct_entity_is_upright(e) ||
           (piece && piece->kind == OCT_PIECE_OBB && oct_convex_gap(piece, 0, p).least == 0.0);
}

static bool holds_point(const oct_bounds *b, oct_point p)
{
    return p.x > b->min.x && p.x < b->max.x && p.y > b->min.y && p.y < b->max.y && p.z > b->min.z &&
           p.z < b->max.z;
}

// What a point is in that is solid; NULL where that is nothing.
static const history_thing *find_around(const oct_history *h, oct_point p)
{
    const history_thing *const all = h->things.items;
    for (size_t i = 0; i < h->things.count; i++) {
        if (all[i].told.thing.label == OCT_BLOCKED && all[i].door == 0 && !all[i].is_mobile &&
            holds_point(&all[i].told.thing.box, p) && has_inside(&all[i].told, p)) {
            return &all[i];
        }
    }
    return NULL;
}

// A point where nobody can be: outside the bounds, or in a wall. False where it is another one.
static bool say_no_place(oct_mind *mind, const goal_target *e, const oct_agent *a,
                         const certainty *c)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_game_info *const info = oct_belief_info(a->belief);
    char name[OCT_REASON_MAX / 4], why[OCT_REASON_MAX];
    const history_thing *const around = h ? find_around(h, e->point) : NULL;
    if (around) {
        (void)oct_belief_name_of(a->belief, around->told.thing.id, name, sizeof name);
        (void)oct_snprintf(why, sizeof why, "the place %.1f, %.1f, %.1f is inside %s", e->point.x,
                           e->point.y, e->point.z, name);
    } else if (info->has_bounds && !holds_point(&info->bounds, e->point)) {
        (void)oct_snprintf(why, sizeof why,
                           "the place %.1f, %.1f, %.1f is outside the bounds of the level",
                           e->point.x, e->point.y, e->point.z);
    } else {
        return false;
    }
    say(mind, c, why);
    return true;
}

// Who walks does not get there although no wall is in the way of who flies. False for who flies.
static bool say_on_foot(oct_mind *mind, const goal_target *e, const oct_agent *a,
                        const certainty *c)
{
    const oct_history *const h = oct_belief_history(a->belief);
    walk_limits limits;
    const char *untold;
    char why[OCT_REASON_MAX];
    if (!h || !h->walk || (c->is_sure && !c->is_on_foot)) {
        return false;
    }
    const char *const what = e->has_pick ? e->what : "the place";
    if (c->is_sure && oct_walk_limits_of(h, oct_belief_info(a->belief), &limits, &untold)) {
        (void)oct_snprintf(why, sizeof why,
                           "%s is not reachable on foot: the body climbs at most %.1f m and leaps "
                           "at most %.1f m, and no floors so near to each other lead there",
                           what, limits.climb, limits.leap);
    } else {
        (void)oct_snprintf(why, sizeof why, "%s is not reachable: no way on foot is known", what);
    }
    say(mind, c, why);
    return true;
}

// Says why something that is known is not got to; false: there is something left to look at first.
static bool say_why(oct_mind *mind, goal_target *e, oct_agent *a, const certainty *c)
{
    const oct_known *const k = e->has_pick ? oct_goal_target_find(e, a) : NULL;
    press_aim aim;
    press_answer answer;
    if (k && drifts(k)) {
        oct_mind_because(mind, true, "%s drifts, and nobody boards what drifts", e->what);
        return true;
    }
    if (!e->has_pick && e->has_point && say_no_place(mind, e, a, c)) {
        return true;
    }
    if (oct_agent_break(a, oct_goal_target_aim(e, a, &aim)) != OCT_OK) {
        return true;
    }
    if (aim.stand_count == 0) {
        say_no_room(mind, e, c->ground, c->is_sure ? "" : c->doubt);
        return true;
    }
    if (oct_agent_break(a, oct_press_planner_explain(a, &aim, &answer)) != OCT_OK) {
        return true;
    }
    e->looks_around = answer.is_vague;
    if (looks_around(e, a)) {
        return false;
    }
    if (answer.door_count > 0) {
        say_sealed(mind, e, a, &answer, c);
    } else if (say_on_foot(mind, e, a, c)) {
        return true;
    } else if (answer.is_undecided && !c->is_sure) {
        // Where something is known to be left open, that is the reason.
        oct_mind_because(mind, true, "%s", answer.why);
    } else {
        say(mind, c, answer.why);
    }
    return true;
}

// Fails, and says why as well as it is known.
static oct_did give_up(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (looks_around(e, a) || looks_for_others(e, a)) {
        return OCT_DID_STEP;
    }
    possible_answer possible;
    if (oct_goal_target_makes_certain(e, a, &possible)) {
        return OCT_DID_STEP;
    }
    certainty c = {.ground = oct_possible_ground(&possible),
                   .is_sure = possible.status == POSSIBLE_EXCLUDED,
                   .is_on_foot = possible.is_on_foot};
    if (!c.is_sure && oct_agent_refine(a)) {
        oct_agent_think(a, "looking closer at what is turned");
        oct_agent_act(a, &(oct_action){.verb = OCT_VERB_WAIT, .ticks = 1});
        return OCT_DID_STEP;
    }
    if (!c.is_sure && oct_goal_target_passes_over(e, a)) {
        return OCT_DID_STEP;
    }
    (void)oct_possible_explain(a, &possible, c.doubt, sizeof c.doubt);
    a->gave_up = a->gave_up || !c.is_sure;
    if (oct_goal_target_is_lost(e, mind)) {
        say_not_found(mind, e, a, &c, &possible);
    } else if (say_why(mind, e, a, &c)) {
        oct_agent_would_decide_possible(a, &possible);
    } else {
        return OCT_DID_STEP;
    }
    oct_agent_survey(a, &possible);
    return OCT_DID_ABORT;
}

oct_tactic *oct_give_up(goal_target *e)
{
    return oct_goal_target_part(e, "give up", NULL, give_up);
}
