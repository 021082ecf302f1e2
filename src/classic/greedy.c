// SPDX-License-Identifier: MIT
// Greedy large-node A* (Abdo 2017, 3.3.3): leaves in six directions, the sum of cost and estimate
// divided by the leaf's size, so that large leaves come first; and never from a leaf into a smaller
// one. So it looks at few nodes, and misses paths that lead from large leaves into small ones.
#include "classic/dual.h"
#include "search/search_core.h"

// Abdo's Key by Position: where the cube of a leaf's own size in a direction is one leaf, or
// part of a larger one, that leaf is the neighbour.
OCT_FORCE_INLINE oct_result greedy_edges(space *base, uint32_t id, uint32_t from)
{
    OCT_TRY(dual_edges(base, id, from));
    if (id <= DUAL_GOAL) {
        return OCT_OK;
    }
    const uint32_t count = base->edge_count;
    const uint8_t level = dual_node_at(base, id)->level;
    base->edge_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const space_edge edge = space_edges(base)[i];
        if (edge.to <= DUAL_GOAL || dual_node_at(base, edge.to)->level >= level) {
            dual_add(base, edge.to, edge.cost);
        }
    }
    return OCT_OK;
}

OCT_FORCE_INLINE double greedy_rank(const space_ops *ops, const search *s, uint32_t id, double g,
                                    double h)
{
    (void)ops;
    return (g + h) / dual_size(s->space, id);
}

static const space_ops greedy_ops = {greedy_edges, dual_estimate, dual_line_cost, dual_sees,
                                     dual_turns,   dual_at,       dual_key};
static const search_rule greedy = {
    .is_guided = true, .rank = greedy_rank, .reach = search_reach_by_edge};

static oct_result greedy_dual(search *s)
{
    return search_run(&greedy_ops, &greedy, s);
}

const search_algorithm oct_search_greedy = {
    .name = "greedy", .run = {[SPACE_DUAL] = greedy_dual, [SPACE_PROGRESSIVE_DUAL] = greedy_dual}};
