// SPDX-License-Identifier: MIT
// The rules of the algorithms that search a caller's graph as well as the laboratory's: A* (Hart,
// Nilsson and Raphael 1968), Dijkstra's algorithm, which is A* without an estimate, and Lazy Theta*
// (Nash, Koenig and Tovey 2010).
#ifndef OCTANT_RULES_H
#define OCTANT_RULES_H

#include "search/search_core.h"

static const search_rule astar_rule = {.is_along_edges = true,
                                       .is_guided = true,
                                       .rank = search_rank_by_sum,
                                       .reach = search_reach_by_edge};
static const search_rule dijkstra_rule = {
    .is_along_edges = true, .rank = search_rank_by_sum, .reach = search_reach_by_edge};

// Lazy Theta* takes a node to be seen by the parent of the one it is reached from, and looks only
// when the node is about to be expanded. Where it is not seen, the best of its neighbours that were
// expanded becomes its parent.
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

static const search_rule lazy_theta_rule = {.is_any_angle = true,
                                            .is_guided = true,
                                            .rank = search_rank_by_sum,
                                            .reach = lazy_reach,
                                            .settle = lazy_settle};

#endif
