// SPDX-License-Identifier: MIT
// Paths for an explorer: portal searches.
#include "explore/explorer_internal.h"
#include "octant/tree.h"

#include <math.h>

static oct_query query_of(const oct_explorer *e)
{
    oct_query query = oct_query_default();
    query.from = e->from;
    query.grade = e->grade;
    query.terms.bounds = e->is_bounded ? &e->bounds : NULL;
    return query;
}

// ---- goals ----

static bool nearest_frontier(void *ctx, oct_fine at, const oct_box *within, double limit,
                             double slack, oct_vec *cell)
{
    return oct_frontier_nearest(ctx, at, within, limit, slack, cell, NULL);
}

static int32_t nearest_on_axis(int64_t at, int32_t min, int32_t max)
{
    const int32_t cell = fine_cell(at);
    return cell < min ? min : cell >= max ? max - 1 : cell;
}

static bool nearest_listed(void *ctx, oct_fine at, const oct_box *within, double limit,
                           double slack, oct_vec *cell)
{
    (void)slack;
    const oct_array *const list = ctx;
    const oct_box *const boxes = list->items;
    double best = limit;
    bool found = false;
    for (size_t i = 0; i < list->count; i++) {
        const oct_box b = within ? box_common(boxes[i], *within) : boxes[i];
        const oct_vec near = {nearest_on_axis(at.x, b.min.x, b.max.x),
                              nearest_on_axis(at.y, b.min.y, b.max.y),
                              nearest_on_axis(at.z, b.min.z, b.max.z)};
        const double away = oct_fine_distance(at, cell_middle(near));
        if (!box_is_empty(3, &b) && away < best) {
            best = away;
            *cell = near;
            found = true;
        }
    }
    return found;
}

oct_result oct_explorer_plan_nearest(oct_explorer *e, oct_path *out)
{
    const oct_goals goals = {e->frontier, nearest_frontier};
    oct_query query = query_of(e);
    query.goals = &goals;
    return oct_planner_plan(e->planner, &query, out);
}

oct_result oct_explorer_plan_goals(oct_explorer *e, oct_path *out)
{
    const oct_goals goals = {&e->goals, nearest_listed};
    oct_query query = query_of(e);
    query.goals = &goals;
    return oct_planner_plan(e->planner, &query, out);
}

oct_result oct_explorer_plan(oct_explorer *e, oct_point to, bool unknown, oct_path *out)
{
    oct_query query = query_of(e);
    query.to = to;
    query.terms.unknown = unknown ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
    return oct_planner_plan(e->planner, &query, out);
}

// ---- where the body is ----

bool oct_explorer_anchor(const oct_explorer *e, oct_point at, oct_vec *cell)
{
    oct_vec own;
    oct_fine fine;
    if (!oct_tree_cell_at(oct_map_tree(e->map), at, &own)) {
        return false;
    }
    oct_terms terms = oct_terms_default();
    terms.bounds = &e->bounds;
    view v;
    anchor place;
    oct_view_init(&v, e->tree, &terms);
    if (!oct_tree_fine_at(e->tree, at, &fine)) {
        return false;
    }
    fine.z = e->dims == 3 ? fine.z : FLAT_Z;
    const bool found = oct_view_anchor(&v, fine, own, &place);
    *cell = place.cell;
    return found;
}
