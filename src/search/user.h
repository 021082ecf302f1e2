// SPDX-License-Identifier: MIT
// A caller's graph as a space: the caller's nodes get dense ids as they are met.
#ifndef OCTANT_USER_H
#define OCTANT_USER_H

#include "base/key_table.h"
#include "search/search_internal.h"

typedef struct user_space {
    space base;
    const oct_user_graph *graph;
    uint64_t from, to;
    oct_array nodes;  // of uint64_t: the caller's numbers, by id
    key_table places; // of nodes
    oct_array found;  // of oct_user_edge: what the caller's function wrote
} user_space;

extern const space_kind oct_user_kind;

// Fills the space's edges from the caller's. OCT_ERROR_ARGUMENT for a cost that is not above 0.
oct_result oct_user_edges(space *base, uint32_t id, uint32_t from);

// ---- user_search.c ----

extern const search_algorithm oct_user_dijkstra, oct_user_astar, oct_user_lazy_theta;

// Their searches, for tables that list these algorithms over other graphs as well.
oct_result oct_user_run_dijkstra(search *s);
oct_result oct_user_run_astar(search *s);
oct_result oct_user_run_lazy_theta(search *s);

// ---- operations ----

OCT_FORCE_INLINE uint64_t user_node(const space *base, uint32_t id)
{
    return ((const uint64_t *)((const user_space *)base)->nodes.items)[id];
}

OCT_FORCE_INLINE double user_estimate(const space *base, uint32_t id)
{
    const user_space *const s = (const user_space *)base;
    return s->graph->estimate(s->graph->ctx, user_node(base, id), s->to);
}

static double user_straight(const space *base, uint32_t a, uint32_t b)
{
    const user_space *const s = (const user_space *)base;
    return s->graph->straight(s->graph->ctx, user_node(base, a), user_node(base, b));
}

// Only asked for where the nodes see each other, or may.
static double user_line_cost(const space *base, uint32_t a, uint32_t b)
{
    const double cost = user_straight(base, a, b);
    return cost < 0.0 ? HUGE_COST : cost;
}

static bool user_sees(const space *base, uint32_t a, uint32_t b)
{
    return user_straight(base, a, b) >= 0.0;
}

OCT_FORCE_INLINE oct_fine user_at(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return (oct_fine){0, 0, 0};
}

OCT_FORCE_INLINE bool user_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return false;
}

static const space_ops user_ops = {oct_user_edges, user_estimate, user_line_cost, user_sees,
                                   user_turns,     user_at,       user_node};

#endif
