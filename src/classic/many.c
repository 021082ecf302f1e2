// SPDX-License-Identifier: MIT
// Many goals, many starts.
//
// Edges are the same both ways, so that many starts are many goals of a search from the goal. A
// search by A* or Dijkstra's algorithm goes on from goal to goal: nodes that were expanded have
// their least cost whatever the goal is (He and Hung 2016, 4.7). Any-angle searches do not: which
// node sees which depends on the order of expansion, and so would the result; they begin anew.
#include "flat/lab_space.h"
#include "octant/tree.h"

// ---- one search for many ----

typedef struct many {
    oct_planner *planner;
    oct_query query; // from the one to the first of the many
    bool is_reversed;
    oct_path_fn *done;
    void *ctx;
} many;

// What the counters were before a goal was aimed at.
typedef struct tally {
    uint64_t expanded, generated, sight_checks;
} tally;

static tally tally_of(const oct_planner *p)
{
    return (tally){p->search.expanded, p->search.generated,
                   p->search.space ? p->search.space->sight_checks : 0};
}

static oct_result report(const many *m, size_t index, oct_path_status status, tally before)
{
    oct_planner *const p = m->planner;
    oct_path path = {.status = status};
    const uint32_t last = oct_planner_verdict(p, &path.status);
    // Searched from the goal, what is nearest to the start is no part of a way from the start.
    OCT_TRY(oct_planner_path(p, m->is_reversed && path.status != OCT_PATH_FOUND ? 0 : last,
                             m->is_reversed, &path));
    path.expanded -= before.expanded;
    path.generated -= before.generated;
    path.sight_checks -= before.sight_checks;
    m->done(m->ctx, index, 0, &path);
    return OCT_OK;
}

// Searches for one goal by itself.
static oct_result plan_alone(const many *m, oct_point goal, size_t index)
{
    oct_path path;
    oct_query query = m->query;
    if (m->is_reversed) {
        query.from = goal;
        query.to = m->query.from;
    } else {
        query.to = goal;
    }
    OCT_TRY(oct_planner_plan(m->planner, &query, &path));
    m->done(m->ctx, index, 0, &path);
    return OCT_OK;
}

// Sets another goal in the running search, which must be one that can go on. *found: there is
// something free near it, and it may be reached.
static oct_result aim_at(oct_planner *p, oct_point to, bool *found)
{
    space *const s = p->search.space;
    oct_vec cell;
    OCT_TRY(oct_planner_locate(p, to, &p->to, &cell));
    cell = box_end_cell(&s->map.bounds, p->to, cell);
    if (!view_holds(&s->map, cell)) {
        return OCT_ERROR_RANGE;
    }
    p->query.to = to;
    *found = oct_view_anchor(&s->map, p->to, cell, &s->to) && !oct_planner_is_apart(p);
    if (!*found) {
        return OCT_OK;
    }
    OCT_TRY(p->kind->aim(s));
    // Before its first run there is nothing to go on with, and what is open is an earlier search's.
    return p->search.has_begun ? p->algorithm->aim[p->space_index](&p->search)
                               : oct_search_begin(&p->search, s);
}

// Goes on to a goal. Goals that the graph may have missed are noted, to be searched for by
// themselves afterwards.
static oct_result plan_next(const many *m, oct_point goal, size_t index)
{
    oct_planner *const p = m->planner;
    const tally before = tally_of(p);
    bool found;
    oct_path_status status = OCT_PATH_NONE;
    OCT_TRY(aim_at(p, goal, &found));
    if (found) {
        p->budget_end = p->query.node_budget ? before.expanded + p->query.node_budget : UINT64_MAX;
        if (p->query.clock) {
            p->clock_end = p->query.clock(p->query.clock_ctx) + p->query.time_budget;
        }
        OCT_TRY(oct_planner_run(p, UINT64_MAX, &status));
        if (status == OCT_PATH_NONE && oct_planner_may_have_missed(p)) {
            return oct_array_push(&p->missed, &p->allocator, sizeof index, &index);
        }
    }
    return report(m, index, status, before);
}

static oct_result plan_shared(const many *m, const oct_point *goals, size_t count)
{
    oct_planner *const p = m->planner;
    oct_query query = m->query;
    query.to = goals[0];
    query.record = false;
    p->missed.count = 0;
    p->is_shared = true;
    oct_result result = oct_planner_begin(p, &query);
    p->is_shared = false;
    OCT_TRY(result);
    p->is_running = false;
    if (!p->search.has_begun && p->search.status == OCT_PATH_NONE) {
        // Nothing is free near the start, or near the first goal.
        for (size_t i = 0; i < count; i++) {
            OCT_TRY(plan_alone(m, goals[i], i));
        }
        return OCT_OK;
    }
    p->is_shared = true;
    for (size_t i = 0; i < count && result == OCT_OK; i++) {
        result = plan_next(m, goals[i], i);
    }
    p->is_shared = false;
    OCT_TRY(result);
    for (size_t i = 0; i < p->missed.count; i++) {
        const size_t index = ((const size_t *)p->missed.items)[i];
        OCT_TRY(plan_alone(m, goals[index], index));
    }
    return OCT_OK;
}

// Whether one search can serve all goals.
static bool can_share(const many *m, const search_choice *choice)
{
    const oct_query *const query = &m->query;
    // Without bounds these depend on the goal where UNKNOWN is free.
    const bool is_bounded = query->terms.bounds || query->terms.unknown == OCT_UNKNOWN_BLOCKED;
    // Under an estimate that is not consistent costs depend on the order of expansion.
    const bool is_sure = query->lab && query->lab->heuristic <= OCT_LAB_HEURISTIC_EUCLIDEAN;
    return choice->algorithm->aim[choice->space] && is_bounded && is_sure && !query->record &&
           !query->partial;
}

static oct_result plan_many(const many *m, const oct_point *goals, size_t count)
{
    const oct_planner *const p = m->planner;
    search_choice choice;
    if (count == 0) {
        return OCT_OK;
    }
    OCT_TRY(oct_query_choose(&m->query, p->lab, p->tree ? oct_tree_dims(p->tree) : 0, &choice));
    if (choice.space == SPACE_USER || m->query.goals) {
        return OCT_ERROR_ARGUMENT;
    }
    if (can_share(m, &choice)) {
        return plan_shared(m, goals, count);
    }
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(plan_alone(m, goals[i], i));
    }
    return OCT_OK;
}

oct_result oct_lab_plan_to_many(oct_planner *planner, const oct_query *query,
                                const oct_point *goals, size_t count, oct_path_fn *done, void *ctx)
{
    const many m = {planner, *query, false, done, ctx};
    return plan_many(&m, goals, count);
}

oct_result oct_lab_plan_from_many(oct_planner *planner, const oct_query *query,
                                  const oct_point *starts, size_t count, oct_path_fn *done,
                                  void *ctx)
{
    many m = {planner, *query, true, done, ctx};
    m.query.from = query->to;
    return plan_many(&m, starts, count);
}
