// SPDX-License-Identifier: MIT
#include "agent/belief_internal.h"
#include "agent/mind.h"
#include "agent/tactics_internal.h"
#include "base/print.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

#define TOLERANCE 0.5     // by default, at most
#define TOLERANCE_MIN 0.2 // as near as pilots come for certain
#define REACH 3.0

// ---- life ----

static bool copy(const oct_allocator *allocator, const char *text, char **out)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    *out = text ? oct_alloc(allocator, size, 1) : NULL;
    if (*out) {
        memcpy(*out, text, size);
    }
    return !text || *out;
}

static void drop_text(const oct_allocator *allocator, const char *text)
{
    if (text) {
        // Its own copy, which is const to those who read it.
        union {
            const char *read;
            char *own;
        } const u = {.read = text};
        oct_free(allocator, u.own, strlen(text) + 1);
    }
}

static void drop_hook(oct_hook hook)
{
    if (hook.drop) {
        hook.drop(hook.ctx);
    }
}

void oct_pick_describe(const oct_pick *pick, char *out, size_t size)
{
    if (pick->what) {
        (void)snprintf(out, size, "%s", pick->what);
    } else if (pick->name) {
        (void)snprintf(out, size, "%s", pick->name);
    } else if (pick->by_id) {
        (void)snprintf(out, size, "%s %llu", pick->type ? pick->type : "entity",
                       (unsigned long long)pick->id);
    } else {
        (void)snprintf(out, size, "%s", pick->type ? pick->type : "entity");
    }
}

static bool copy_pick(goal_target *e, const oct_pick *pick)
{
    char what[OCT_REASON_MAX / 2], *name, *type;
    oct_pick_describe(pick, what, sizeof what);
    const bool has_name = copy(&e->allocator, pick->name, &name);
    const bool has_type = copy(&e->allocator, pick->type, &type);
    e->pick.name = name;
    e->pick.type = type;
    return copy(&e->allocator, what, &e->what) && has_name && has_type;
}

goal_target *oct_goal_target_make(const oct_allocator *may_be_null, const oct_pick *pick,
                                  oct_hook hook)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    goal_target *const e = oct_alloc(&allocator, sizeof *e, _Alignof(goal_target));
    if (!e) {
        drop_hook(hook);
        drop_hook(pick ? pick->hook : (oct_hook){0});
        return NULL;
    }
    *e = (goal_target){.allocator = allocator, .users = 1, .hook = hook, .reach = REACH};
    if (pick) {
        e->pick = *pick;
        e->has_pick = true;
        if (!copy_pick(e, pick)) {
            oct_goal_target_drop(e);
            return NULL;
        }
    }
    return e;
}

goal_target *oct_goal_target_keep(goal_target *e)
{
    if (e) {
        e->users++;
    }
    return e;
}

void oct_goal_target_drop(void *ctx)
{
    goal_target *const e = ctx;
    if (!e || --e->users > 0) {
        return;
    }
    drop_hook(e->hook);
    drop_hook(e->pick.hook);
    drop_text(&e->allocator, e->pick.name);
    drop_text(&e->allocator, e->pick.type);
    drop_text(&e->allocator, e->what);
    drop_text(&e->allocator, e->type);
    const oct_allocator allocator = e->allocator;
    oct_free(&allocator, e, sizeof *e);
}

bool oct_goal_target_name(goal_target *e, const char *name)
{
    return copy(&e->allocator, name, &e->type);
}

const char *oct_goal_target_title(const goal_target *e, const char *name, char *out, size_t size)
{
    const oct_point p = e->point;
    if (e->has_pick && e->button > 0) {
        (void)snprintf(out, size, "%s %s %u", name, e->what, e->button);
    } else if (e->has_pick) {
        (void)snprintf(out, size, "%s %s", name, e->what);
    } else if (e->has_point) {
        (void)oct_snprintf(out, size, "%s %.1f, %.1f, %.1f", name, p.x, p.y, p.z);
    } else {
        (void)snprintf(out, size, "%s", name);
    }
    return out;
}

oct_hook oct_goal_target_hook(goal_target *e)
{
    return (oct_hook){oct_goal_target_keep(e), oct_goal_target_drop};
}

void oct_goal_target_begin(goal_target *e)
{
    e->is_bound = false;
    e->passed_count = 0;
    e->has_place = false;
    e->has_press = false;
    e->sent_in = 0;
    e->devices = 0;
    e->has_looked = false;
    e->is_done = false;
    e->looks_around = false;
    e->has_lookout = false;
    e->unseen.count = 0;
    e->known_by_all = 0;
    e->holds = false;
    e->experiment = (experiment){.phase = EXPERIMENT_NONE};
    e->tries = 0;
    e->since = 0;
    e->has_met = e->touches = e->was_asked = false;
    e->tried_in = e->touched_at = 0;
}

void oct_goal_target_tolerate(goal_target *e, double tolerance)
{
    e->tolerance = tolerance > 0.0 ? tolerance : 0.0;
}

// By default half of the body's width: then what is on the other side of a wall is not near.
double oct_goal_target_tolerance(const goal_target *e, const oct_agent *a)
{
    const double half = oct_belief_body(a->belief)->width / 2.0, metre = agent_metre(a);
    return e->tolerance > 0.0 && e->is_own ? e->tolerance * metre
           : e->tolerance > 0.0            ? fmax(e->tolerance, TOLERANCE_MIN * metre)
                                : fmax(fmin(half, TOLERANCE * metre), TOLERANCE_MIN * metre);
}

double oct_goal_target_reach(const goal_target *e, const oct_agent *a)
{
    return e->reach * agent_metre(a);
}

double oct_goal_target_most(const goal_target *e, const oct_agent *a)
{
    const double own = oct_goal_target_reach(e, a);
    return e->is_own ? fmax(own, oct_belief_history(a->belief)->limits.reach) : own;
}

// ---- who is meant ----

bool oct_goal_target_could_mean(const goal_target *e, const oct_belief *belief, const oct_known *k)
{
    const oct_pick *const pick = &e->pick;
    (void)belief;
    return !k->gone && (!pick->by_id || k->now.thing.id == pick->id) &&
           (!pick->name || strcmp(k->now.name, pick->name) == 0) &&
           (!pick->type || oct_world_type_is(k->now.type, pick->type));
}

bool oct_goal_target_means(const goal_target *e, const oct_belief *belief, const oct_known *k)
{
    const oct_pick *const pick = &e->pick;
    return oct_goal_target_could_mean(e, belief, k) &&
           (!pick->test || pick->test(pick->hook.ctx, belief, k));
}

static bool is_passed(const goal_target *e, uint32_t index)
{
    bool is = false;
    for (uint32_t i = 0; i < e->passed_count && !is; i++) {
        is = e->passed[i] == index;
    }
    return is;
}

// With more open those that were given up count again.
static void forget_passed(goal_target *e, const oct_agent *a)
{
    const uint64_t openings = oct_belief_openings(a->belief);
    if (e->passed_openings != openings) {
        e->passed_count = 0;
        e->passed_openings = openings;
    }
}

static void take_nearer(goal_target *e, const oct_agent *a, uint32_t index, double *best)
{
    const oct_known *const k = oct_belief_get(a->belief, index);
    if (is_passed(e, index) || !oct_goal_target_means(e, a->belief, k)) {
        return;
    }
    const double away = point_length(point_sub(oct_known_centre(k), agent_self(a)->centre));
    if (!e->is_bound || away < *best) {
        e->is_bound = true;
        e->index = index;
        *best = away;
    }
}

static void note_place(const goal_target *e, oct_agent *a, const oct_known *k)
{
    const oct_point at = oct_known_centre(k), there = e->pick.place;
    if (e->pick.by_place && point_length(point_sub(at, there)) > 1.0) {
        oct_agent_add_note(a, "%s was not at %.1f, %.1f, %.1f but at %.1f, %.1f, %.1f", e->what,
                           there.x, there.y, there.z, at.x, at.y, at.z);
    }
}

static const oct_known *find(goal_target *e, oct_agent *a)
{
    // The caller's own test may ask for what is no change to the belief: it is asked once a turn.
    const uint64_t changes = oct_belief_changes(a->belief);
    const uint64_t turn = e->pick.test ? oct_agent_turns(a) : 0;
    const bool is_asked = e->has_looked && e->looked_at == changes && e->looked_in == turn;
    if (is_asked && !e->is_bound) {
        return NULL;
    }
    if (e->is_bound &&
        (is_asked || oct_goal_target_means(e, a->belief, oct_belief_get(a->belief, e->index)))) {
        e->looked_at = changes;
        e->looked_in = turn;
        return oct_belief_get(a->belief, e->index);
    }
    double best = HUGE_VAL;
    forget_passed(e, a);
    e->is_bound = false;
    e->has_looked = true;
    e->looked_at = changes;
    e->looked_in = turn;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        take_nearer(e, a, i, &best);
    }
    if (!e->is_bound && e->passed_count > 0) {
        // The others have gone: those that were given up are what is left.
        e->passed_count = 0;
        for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
            take_nearer(e, a, i, &best);
        }
    }
    if (!e->is_bound) {
        return NULL;
    }
    const oct_known *const k = oct_belief_get(a->belief, e->index);
    note_place(e, a, k);
    return k;
}

// Who is meant is chosen by what is believed: that one is there is what counts.
const oct_known *oct_goal_target_find(goal_target *e, oct_agent *a)
{
    const uint32_t doubts = oct_mind_doubts(a->mind);
    const oct_known *const k = find(e, a);
    oct_mind_forget_doubts(a->mind, doubts);
    return k;
}

bool oct_goal_target_is_one(const goal_target *e, const oct_agent *a)
{
    return e->pick.by_id || (e->pick.name && oct_belief_info(a->belief)->unique_names);
}

bool oct_goal_target_passes_over(goal_target *e, oct_agent *a)
{
    forget_passed(e, a);
    if (!e->has_pick || !oct_goal_target_find(e, a) || e->passed_count == TARGET_PASSED_MAX) {
        return false;
    }
    const uint32_t doubts = oct_mind_doubts(a->mind);
    bool has_other = false;
    for (uint32_t i = 0; i < oct_belief_count(a->belief) && !has_other; i++) {
        has_other = i != e->index && !is_passed(e, i) &&
                    oct_goal_target_means(e, a->belief, oct_belief_get(a->belief, i));
    }
    oct_mind_forget_doubts(a->mind, doubts);
    if (!has_other) {
        return false;
    }
    e->passed[e->passed_count++] = e->index;
    e->is_bound = e->has_looked = e->has_place = e->has_press = e->has_lookout = false;
    e->unseen.count = 0;
    e->devices = 0;
    return true;
}

// ---- where to go ----

// Sides that have been seen are asked about first: of those with a known way the nearest. Else the
// first to which there may be one; front first, that is what fronts are for.
static bool choose_side(oct_agent *a, const oct_known *k, double most, oct_point *out)
{
    journey_state best = JOURNEY_BROKEN; // THERE before GOING before NO_WAY
    double least = HUGE_VAL;
    for (approach asked = APPROACH_OPEN; asked > APPROACH_NONE && best > JOURNEY_GOING; asked--) {
        for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
            oct_point at;
            double length = 0.0;
            if (oct_approach_side(a, k, side, most, &at) != asked) {
                continue;
            }
            const journey_state s = oct_journey_ask(a, at, &length);
            if (s < best || (s == JOURNEY_THERE && length < least)) {
                best = s;
                least = length;
                *out = at;
            }
            if (asked == APPROACH_UNKNOWN && s == JOURNEY_GOING) {
                break; // none of the others is better
            }
        }
    }
    return best < JOURNEY_BROKEN;
}

bool oct_goal_target_place(goal_target *e, oct_agent *a, const oct_known *known, double most,
                           oct_point *out)
{
    // Planning may look around, and the belief's entities move.
    const oct_known k = *known;
    return e->side != OCT_SIDE_ANY ? oct_approach_side(a, &k, e->side, most, out) != APPROACH_NONE
                                   : choose_side(a, &k, most, out);
}

bool oct_goal_target_is_seen(const oct_agent *a, oct_point at)
{
    return navigator_label(&a->navigator, at) != OCT_UNKNOWN;
}
