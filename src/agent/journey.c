// SPDX-License-Identifier: MIT
// Journeys: from where an agent wants to be to what its body does this turn.
//
// A way is asked for anew in every turn, and goes on while it is the same journey. It is planned
// again where its way is closed or the body does not get on, once that rests; and, at once and in
// flight, where a look has shown what it was exploring for. Whoever asks for a way gets a copy of
// it: only the action that is chosen sets out.
#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "octant/tree.h"

#include "agent/pilot.h"
#include "geom/geom_internal.h"

#include <math.h>

#define OFF_WAY 0.1 // metres

void oct_journey_free(oct_agent *a)
{
    oct_array_free(&a->journey.path, &a->allocator, sizeof(oct_point));
    oct_way_free(&a->way);
    oct_way_free(&a->to_see.way);
}

void oct_way_free(planned_way *w)
{
    oct_array_free(&w->path, &w->allocator, sizeof(oct_point));
}

static bool is_same(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_closed(const oct_agent *a, oct_point to)
{
    for (int i = 0; i < CLOSED_PLACES; i++) {
        const closed_place *const c = &a->closed[i];
        if (c->is && is_same(c->at, to) && c->openings == oct_belief_openings(a->belief)) {
            return true;
        }
    }
    return false;
}

static void note_closed(oct_agent *a, oct_point to)
{
    const closed_place c = {to, oct_belief_openings(a->belief), true};
    a->closed[a->next_closed] = c;
    a->next_closed = (a->next_closed + 1) % CLOSED_PLACES;
}

static oct_result plan_to(oct_agent *a, oct_point to, oct_exploration *out)
{
    *out = (oct_exploration){.status = OCT_EXPLORE_UNREACHABLE};
    if (is_closed(a, to)) {
        return OCT_OK;
    }
    const uint64_t begin = agent_now(a);
    const navigator *const n = &a->navigator;
    const oct_result result = n->kind->path(n->self, agent_self(a)->centre, to, out);
    a->times.pathfinding += agent_now(a) - begin;
    a->times.paths++;
    if (result == OCT_OK && out->status == OCT_EXPLORE_UNREACHABLE && !out->is_hidden) {
        note_closed(a, to);
    }
    // What lies beyond the bounds cannot be reached.
    return result == OCT_ERROR_RANGE ? OCT_OK : result;
}

static oct_result plan_explore(oct_agent *a, oct_exploration *out)
{
    const uint64_t begin = agent_now(a);
    const navigator *const n = &a->navigator;
    const oct_result result = n->kind->explore(n->self, agent_self(a)->centre, out);
    a->times.exploring += agent_now(a) - begin;
    a->times.explorations++;
    return result;
}

void oct_journey_step(oct_agent *a)
{
    oct_action action;
    const uint64_t begin = agent_now(a);
    a->journey.status = oct_pilot_next(a->pilot, agent_self(a), &action);
    a->times.steering += agent_now(a) - begin;
    a->times.steers++;
    double went, meant;
    if (oct_pilot_is_off(a->pilot, &went, &meant) && !a->is_off_noted) {
        a->is_off_noted = true;
        oct_agent_add_note(a,
                           "the body moves otherwise than it is described: %.2f m in place of "
                           "%.2f m at %.1f s; it is flown at half speed",
                           went, meant,
                           (double)agent_self(a)->tick / oct_belief_info(a->belief)->rate);
    }
    if (action.verb == OCT_VERB_WAIT) {
        // It brakes, until there is something better to do: that is safe for as long as it takes.
        const double left = oct_pilot_rest_ticks(a->pilot, agent_self(a));
        const uint32_t ticks = left < a->ticks ? (uint32_t)ceil(left) : a->ticks;
        action.ticks = ticks > action.ticks ? ticks : action.ticks;
    }
    oct_agent_act(a, &action);
}

// ---- ways ----

static oct_result set_path(planned_way *w, const oct_point *points, size_t count)
{
    OCT_TRY(oct_array_reserve(&w->path, &w->allocator, sizeof(oct_point), count + 1));
    memcpy(w->path.items, points, count * sizeof *points);
    w->path.count = count;
    return OCT_OK;
}

static journey_state draw(oct_agent *a, journey_kind kind, oct_point to,
                          const oct_exploration *plan, planned_way *out)
{
    const oct_path *const path = &plan->path;
    if (oct_agent_break(a, set_path(out, path->points, path->point_count)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    // Ways over cells end in the middle of the last one.
    oct_point *const points = out->path.items;
    if (kind == JOURNEY_TO && !is_same(points[out->path.count - 1], to)) {
        points[out->path.count++] = to;
    }
    out->kind = kind;
    out->goes_on = false;
    out->to = to;
    out->frontier = plan->frontier;
    return JOURNEY_GOING;
}

static journey_state go_on(const oct_agent *a, planned_way *out)
{
    out->kind = a->journey.kind;
    out->goes_on = true;
    return JOURNEY_GOING;
}

// Whether the journey under way is this one, without a break.
static bool is_under_way(const oct_agent *a, journey_kind kind, oct_point to)
{
    const journey *const j = &a->journey;
    return j->kind == kind && (kind == JOURNEY_EXPLORE || is_same(j->to, to)) &&
           a->turns - j->turn <= 1;
}

// A way that was planned in flight may lead back: a body that rests beside it by then would creep
// there. Who explores goes on all the same: asked again it would turn to what is nearest by now.
static bool is_beside_way(const oct_agent *a)
{
    const speed_profile *const w = &a->pilot->profile;
    return a->journey.kind == JOURNEY_TO && w->count > 0 &&
           oct_speed_profile_place(w, 0, w->count, agent_self(a)->centre).distance >
               OFF_WAY * agent_metre(a);
}

// Whether the pilot gets no further: what it is on has to be planned anew.
static bool is_over(const oct_agent *a)
{
    const oct_pilot_status status = a->journey.status;
    const bool goes =
        status == OCT_PILOT_FLYING || status == OCT_PILOT_LANDING || status == OCT_PILOT_WALKING;
    return oct_agent_rests(a) && (!goes || (status == OCT_PILOT_FLYING && is_beside_way(a)));
}

static bool still_shows(const oct_agent *a)
{
    return a->navigator.kind->shows(a->navigator.self, a->journey.frontier);
}

// A way to what is inside something ends beside it: that may not be near enough.
static bool ends_near(const oct_exploration *plan, oct_point to, double tolerance)
{
    const oct_point *const points = plan->path.points;
    const size_t count = plan->path.point_count;
    return count > 0 && point_length(point_sub(points[count - 1], to)) <= tolerance;
}

journey_state oct_way_to(oct_agent *a, oct_point to, double tolerance, planned_way *out)
{
    if (oct_agent_rests(a) && point_length(point_sub(agent_self(a)->centre, to)) <= tolerance) {
        out->kind = JOURNEY_NONE;
        return JOURNEY_THERE;
    }
    if (is_under_way(a, JOURNEY_TO, to) && !is_over(a)) {
        return go_on(a, out);
    }
    // What has to be seen first was not seen yet.
    if (oct_journey_is_towards(a, to)) {
        return JOURNEY_NO_WAY;
    }
    oct_exploration plan;
    if (oct_agent_break(a, plan_to(a, to, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    return plan.status == OCT_EXPLORE_ARRIVE && ends_near(&plan, to, tolerance)
               ? draw(a, JOURNEY_TO, to, &plan, out)
               : JOURNEY_NO_WAY;
}

journey_state oct_way_towards(oct_agent *a, oct_point to, planned_way *out)
{
    if (oct_journey_is_towards(a, to)) {
        return go_on(a, out);
    }
    oct_exploration plan;
    if (oct_agent_break(a, plan_to(a, to, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    if (plan.status == OCT_EXPLORE_GO) {
        return draw(a, JOURNEY_TOWARDS, to, &plan, out);
    }
    const double near = 2.0 * oct_tree_cell_size(oct_map_tree(oct_belief_map(a->belief)));
    return plan.status == OCT_EXPLORE_ARRIVE && ends_near(&plan, to, near)
               ? draw(a, JOURNEY_TO, to, &plan, out)
               : JOURNEY_NO_WAY;
}

// Several guards ask it in one turn: one answer serves all of them.
static oct_result ask_explore(oct_agent *a)
{
    explore_answer *const answer = &a->to_see;
    uint64_t revision = oct_tree_revision(oct_map_tree(oct_belief_map(a->belief)));
    const uint64_t looks = oct_belief_looks(a->belief);
    if (answer->is && answer->turn == a->turns && answer->looks == looks &&
        answer->revision == revision) {
        return OCT_OK;
    }
    oct_exploration plan;
    answer->is = false;
    OCT_TRY(plan_explore(a, &plan));
    if (plan.status != OCT_EXPLORE_GO && oct_agent_refine(a)) {
        OCT_TRY(plan_explore(a, &plan));
        revision = oct_tree_revision(oct_map_tree(oct_belief_map(a->belief)));
    }
    const oct_point nowhere = {0, 0, 0};
    if (plan.status == OCT_EXPLORE_GO &&
        draw(a, JOURNEY_EXPLORE, nowhere, &plan, &answer->way) == JOURNEY_BROKEN) {
        return OCT_ERROR_MEMORY;
    }
    answer->is = true;
    answer->turn = a->turns;
    answer->looks = looks;
    answer->revision = revision;
    answer->status = plan.status;
    return OCT_OK;
}

// A copy that has a path of its own.
static oct_result copy_way(const planned_way *from, planned_way *to)
{
    OCT_TRY(set_path(to, from->path.items, from->path.count));
    to->kind = from->kind;
    to->goes_on = from->goes_on;
    to->to = from->to;
    to->frontier = from->frontier;
    return OCT_OK;
}

journey_state oct_way_explore(oct_agent *a, planned_way *out)
{
    if (is_under_way(a, JOURNEY_EXPLORE, (oct_point){0, 0, 0}) && !is_over(a) && still_shows(a)) {
        return go_on(a, out);
    }
    if (oct_agent_break(a, ask_explore(a)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    if (a->to_see.status != OCT_EXPLORE_GO) {
        return a->to_see.status == OCT_EXPLORE_BOUNDED ? JOURNEY_BOUNDED : JOURNEY_NO_WAY;
    }
    return oct_agent_break(a, copy_way(&a->to_see.way, out)) == OCT_OK ? JOURNEY_GOING
                                                                       : JOURNEY_BROKEN;
}

// ---- setting out ----

static oct_result follow(oct_agent *a, const planned_way *w)
{
    journey *const j = &a->journey;
    OCT_TRY(oct_array_reserve(&j->path, &a->allocator, sizeof(oct_point), w->path.count));
    memcpy(j->path.items, w->path.items, w->path.count * sizeof(oct_point));
    j->path.count = w->path.count;
    return oct_pilot_follow(a->pilot, j->path.items, j->path.count);
}

bool oct_journey_set_out(oct_agent *a, const planned_way *w)
{
    journey *const j = &a->journey;
    if (!w->goes_on || w->kind == JOURNEY_NONE) {
        j->kind = JOURNEY_NONE;
    }
    if (w->kind == JOURNEY_NONE) {
        return true;
    }
    if (!w->goes_on) {
        if (oct_agent_break(a, follow(a, w)) != OCT_OK) {
            return false;
        }
        j->kind = w->kind;
        j->to = w->to;
        j->frontier = w->frontier;
        j->status = OCT_PILOT_FLYING;
    }
    j->turn = a->turns;
    return true;
}

static journey_state set_out(oct_agent *a, journey_state state)
{
    return state <= JOURNEY_GOING && !oct_journey_set_out(a, &a->way) ? JOURNEY_BROKEN : state;
}

journey_state oct_journey_to(oct_agent *a, oct_point to, double tolerance)
{
    return set_out(a, oct_way_to(a, to, tolerance, &a->way));
}

journey_state oct_journey_explore(oct_agent *a)
{
    return set_out(a, oct_way_explore(a, &a->way));
}

// ---- questions ----

bool oct_journey_is_towards(const oct_agent *a, oct_point to)
{
    return is_under_way(a, JOURNEY_TOWARDS, to) && !is_over(a) && still_shows(a);
}

journey_state oct_journey_ask(oct_agent *a, oct_point to, double *length)
{
    oct_exploration plan;
    if (oct_agent_break(a, plan_to(a, to, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    *length = plan.path.length;
    return plan.status == OCT_EXPLORE_ARRIVE ? JOURNEY_THERE
           : plan.status == OCT_EXPLORE_GO   ? JOURNEY_GOING
                                             : JOURNEY_NO_WAY;
}

bool oct_journey_reaches(oct_agent *a, oct_point to, double *length)
{
    return oct_journey_ask(a, to, length) == JOURNEY_THERE;
}
