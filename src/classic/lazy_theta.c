// SPDX-License-Identifier: MIT
// Lazy Theta* (Nash, Koenig and Tovey 2010; seed 001, 3.4): a node is taken to be seen by the
// parent of the one it is reached from, and only when it is about to be expanded this is looked at.
// Where it is not so, the best of its neighbours that were expanded becomes its parent.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "flat/lattice.h"
#include "search/search_core.h"
#include "search/user.h"

OCT_FORCE_INLINE search_way lazy_reach(const space_ops *ops, search *s, uint32_t from,
                                       search_way so_far, const space_edge *edge)
{
    const uint32_t parent = so_far.parent;
    const search_way along = {so_far.g + edge->cost, from};
    const search_way straight = {s->nodes[parent].g + ops->cost(s->space, parent, edge->to),
                                 parent};
    return straight.g < along.g ? straight : along;
}

OCT_FORCE_INLINE bool lazy_settle(const space_ops *ops, search *s, uint32_t id)
{
    const uint32_t parent = s->nodes[id].parent;
    if (parent == id) {
        return false;
    }
    s->space->sight_checks++;
    if (ops->sees(s->space, id, parent)) {
        return false;
    }
    search_way best = {HUGE_COST, id};
    for (uint32_t i = 0; i < s->space->edge_count; i++) {
        const space_edge edge = space_edges(s->space)[i];
        const search_node *const n = &s->nodes[edge.to];
        if (search_is_closed(s, n) && n->g + edge.cost < best.g) {
            best = (search_way){n->g + edge.cost, edge.to};
        }
    }
    s->nodes[id].g = best.g;
    s->nodes[id].parent = best.parent;
    return true;
}

static const search_rule lazy_theta = {.is_any_angle = true,
                                       .is_guided = true,
                                       .rank = search_rank_by_sum,
                                       .reach = lazy_reach,
                                       .settle = lazy_settle};

static oct_result lazy_theta_cells(search *s)
{
    return search_run(&cells_ops, &lazy_theta, s);
}

static oct_result lazy_theta_dual(search *s)
{
    return search_run(&dual_ops, &lazy_theta, s);
}

static oct_result lazy_theta_corner(search *s)
{
    return search_run(&corner_ops, &lazy_theta, s);
}

static oct_result lazy_theta_lattice(search *s)
{
    return search_run(&lattice_ops, &lazy_theta, s);
}

static oct_result lazy_theta_user(search *s)
{
    return search_run(&user_ops, &lazy_theta, s);
}

const search_algorithm oct_search_lazy_theta = {
    .name = "lazy-theta",
    .run = {lazy_theta_cells, lazy_theta_dual, lazy_theta_corner,
            lazy_theta_user, [SPACE_LATTICE] = lazy_theta_lattice},
    .is_complete = true,
    .is_smooth = true,
    .is_any_angle = true};
