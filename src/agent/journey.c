// SPDX-License-Identifier: MIT
// Journeys: from where an agent wants to be to what its body does this turn.
//
// A journey is asked for anew in every turn, and goes on while it is the same one. It is planned
// again where its way is closed or the body does not get on, once that rests; and, at once and in
// flight, where a look has shown what it was exploring for.
#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "octant/tree.h"

#include "agent/mind_internal.h"
#include "agent/pilot.h"
#include "explore/frontier_cell.h"
#include "geom/geom_internal.h"

#include <math.h>

#define OFF_WAY 0.1 // metres

void oct_journey_free(oct_agent *a)
{
    oct_array_free(&a->journey.path, &a->allocator, sizeof(oct_point));
}

// Plans are made of what is seen now: an explorer takes for hidden what was not seen from a place
// that it is asked at.
static oct_result look(oct_agent *a)
{
    if (a->looked == agent_self(a)->tick) {
        return OCT_OK;
    }
    const uint64_t before = oct_belief_changes(a->belief);
    OCT_TRY(oct_agent_look(a));
    if (oct_belief_changes(a->belief) != before) {
        oct_mind_tell_news(a->mind);
    }
    return OCT_OK;
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
    a->is_hidden = false;
    if (is_closed(a, to)) {
        return OCT_OK;
    }
    OCT_TRY(look(a));
    const uint64_t begin = agent_now(a);
    const oct_result result =
        oct_explorer_next_towards(a->explorer, agent_self(a)->centre, to, out);
    a->times.pathfinding += agent_now(a) - begin;
    a->times.paths++;
    a->is_hidden = out->is_hidden;
    if (result == OCT_OK && out->status == OCT_EXPLORE_UNREACHABLE && !out->is_hidden) {
        note_closed(a, to);
    }
    // What lies beyond the bounds cannot be reached.
    return result == OCT_ERROR_RANGE ? OCT_OK : result;
}

static oct_result plan_explore(oct_agent *a, oct_exploration *out)
{
    OCT_TRY(look(a));
    const uint64_t begin = agent_now(a);
    const oct_result result = oct_explorer_next(a->explorer, agent_self(a)->centre, out);
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
    if (action.verb == OCT_VERB_WAIT) {
        // It brakes, until there is something better to do: that is safe for as long as it takes.
        const double left = point_length(agent_self(a)->velocity) /
                            oct_belief_info(a->belief)->rules.acceleration * OCT_TICKS;
        const uint32_t ticks = left < a->ticks ? (uint32_t)ceil(left) : a->ticks;
        action.ticks = ticks > action.ticks ? ticks : action.ticks;
    }
    oct_agent_act(a, &action);
}

static journey_state go_on(oct_agent *a)
{
    a->journey.turn = a->turns;
    return JOURNEY_GOING;
}

static journey_state set_out(oct_agent *a, journey_kind kind, oct_point to,
                             const oct_exploration *plan)
{
    journey *const j = &a->journey;
    const oct_path *const path = &plan->path;
    j->kind = JOURNEY_NONE;
    oct_result result =
        oct_array_reserve(&j->path, &a->allocator, sizeof(oct_point), path->point_count + 1);
    if (result == OCT_OK) {
        oct_point *const points = j->path.items;
        memcpy(points, path->points, path->point_count * sizeof *points);
        j->path.count = path->point_count;
        // Ways over cells end in the middle of the last one.
        if (kind == JOURNEY_TO && !is_same(points[j->path.count - 1], to)) {
            points[j->path.count++] = to;
        }
        result = oct_pilot_follow(a->pilot, points, j->path.count);
    }
    if (oct_agent_break(a, result) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    j->kind = kind;
    j->to = to;
    j->frontier = plan->frontier;
    j->status = OCT_PILOT_FLYING;
    return go_on(a);
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
           oct_speed_profile_place(w, 0, w->count, agent_self(a)->centre).distance > OFF_WAY;
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
    return frontier_cell(oct_belief_map(a->belief), a->is_bounded ? &a->bounds : NULL,
                         a->journey.frontier);
}

// A way to what is inside something ends beside it: that may not be near enough.
static bool ends_near(const oct_exploration *plan, oct_point to, double tolerance)
{
    const oct_point *const points = plan->path.points;
    const size_t count = plan->path.point_count;
    return count > 0 && point_length(point_sub(points[count - 1], to)) <= tolerance;
}

journey_state oct_journey_to(oct_agent *a, oct_point to, double tolerance)
{
    if (oct_agent_rests(a) && point_length(point_sub(agent_self(a)->centre, to)) <= tolerance) {
        a->journey.kind = JOURNEY_NONE;
        return JOURNEY_THERE;
    }
    if (is_under_way(a, JOURNEY_TO, to) && !is_over(a)) {
        return go_on(a);
    }
    // What has to be seen first was not seen yet.
    if (is_under_way(a, JOURNEY_TOWARDS, to) && !is_over(a) && still_shows(a)) {
        return JOURNEY_NO_WAY;
    }
    oct_exploration plan;
    if (oct_agent_break(a, plan_to(a, to, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    return plan.status == OCT_EXPLORE_ARRIVE && ends_near(&plan, to, tolerance)
               ? set_out(a, JOURNEY_TO, to, &plan)
               : JOURNEY_NO_WAY;
}

journey_state oct_journey_towards(oct_agent *a, oct_point to)
{
    if (is_under_way(a, JOURNEY_TOWARDS, to) && !is_over(a) && still_shows(a)) {
        return go_on(a);
    }
    oct_exploration plan;
    if (oct_agent_break(a, plan_to(a, to, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    if (plan.status == OCT_EXPLORE_GO) {
        return set_out(a, JOURNEY_TOWARDS, to, &plan);
    }
    const double near = 2.0 * oct_tree_cell_size(oct_map_tree(oct_belief_map(a->belief)));
    return plan.status == OCT_EXPLORE_ARRIVE && ends_near(&plan, to, near)
               ? set_out(a, JOURNEY_TO, to, &plan)
               : JOURNEY_NO_WAY;
}

journey_state oct_journey_explore(oct_agent *a)
{
    const oct_point nowhere = {0, 0, 0};
    if (is_under_way(a, JOURNEY_EXPLORE, nowhere) && !is_over(a) && still_shows(a)) {
        return go_on(a);
    }
    oct_exploration plan;
    if (oct_agent_break(a, plan_explore(a, &plan)) != OCT_OK) {
        return JOURNEY_BROKEN;
    }
    return plan.status == OCT_EXPLORE_GO        ? set_out(a, JOURNEY_EXPLORE, nowhere, &plan)
           : plan.status == OCT_EXPLORE_BOUNDED ? JOURNEY_BOUNDED
                                                : JOURNEY_NO_WAY;
}

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
