// SPDX-License-Identifier: MIT
// The one search: best first, over any graph, by any rule.
//
// The body is inlined into one function for each graph and algorithm, with the graph's operations
// and the algorithm's rule as constants, so that no call through a pointer is left (He and
// Hung 2016, 3.2 to 3.4, is the common frame; rules fill in ComputeCost and SetVertex). A search
// can be left after any expansion and taken up again: all its state is in `search`.
#ifndef OCTANT_SEARCH_CORE_H
#define OCTANT_SEARCH_CORE_H

#include "search/search_internal.h"

// A way to a node: what it costs, and the node that it comes from.
typedef struct search_way {
    double g;
    uint32_t parent;
} search_way;

// What makes an algorithm.
typedef struct search_rule {
    // Whether nodes are reached over edges alone, so that edges may be left out.
    bool is_along_edges;
    // Whether the goal is looked for from every node at which a path may turn to it: whatever
    // else leads there from a node that sees it is no shorter.
    bool is_any_angle;
    // Whether estimates guide the search.
    bool is_guided;
    // The order of expansion: lower first.
    double (*rank)(const space_ops *ops, const search *s, uint32_t id, double g, double h);
    // The way to an edge's end over the node that is being expanded, given the way to that node.
    search_way (*reach)(const space_ops *ops, search *s, uint32_t from, search_way so_far,
                        const space_edge *edge);
    // Called before a node is expanded, with its edges at hand: may mend its way, and returns
    // whether it did. May be NULL.
    bool (*settle)(const space_ops *ops, search *s, uint32_t id);
} search_rule;

OCT_FORCE_INLINE double search_rank_by_sum(const space_ops *ops, const search *s, uint32_t id,
                                           double g, double h)
{
    (void)ops;
    (void)s;
    (void)id;
    return g + h;
}

// Along the graph's edges.
OCT_FORCE_INLINE search_way search_reach_by_edge(const space_ops *ops, search *s, uint32_t from,
                                                 search_way so_far, const space_edge *edge)
{
    (void)ops;
    (void)s;
    return (search_way){so_far.g + edge->cost, from};
}

OCT_FORCE_INLINE oct_result search_push(const space_ops *ops, const search_rule *rule, search *s,
                                        uint32_t id, search_way way)
{
    const double h = rule->is_guided ? ops->estimate(s->space, id) : 0.0;
    s->nodes[id] = (search_node){way.g, way.parent, s->stamp};
    s->generated++;
    return open_push(&s->open, &s->allocator,
                     (oct_heap_entry){.f = rule->rank(ops, s, id, way.g, h),
                                      .g = way.g,
                                      .key = ops->key(s->space, id),
                                      .id = id});
}

// Goes straight to the goal from a node that sees it.
OCT_FORCE_INLINE oct_result search_look(const space_ops *ops, const search_rule *rule, search *s,
                                        uint32_t id, double g)
{
    const uint32_t goal = s->space->goal;
    const search_node *const n = &s->nodes[goal];
    const search_way way = {g + ops->cost(s->space, id, goal), id};
    if (search_is_open(s, n) && n->g <= way.g) {
        return OCT_OK;
    }
    s->space->sight_checks++;
    return ops->sees(s->space, id, goal) ? search_push(ops, rule, s, goal, way) : OCT_OK;
}

// Expands one node.
OCT_FORCE_INLINE oct_result search_expand(const space_ops *ops, const search_rule *rule, search *s,
                                          uint32_t id)
{
    const uint32_t from = rule->is_along_edges ? s->nodes[id].parent : 0;
    OCT_TRY(ops->edges(s->space, id, from == id ? 0 : from));
    OCT_TRY(search_cover(s));
    if (rule->settle && rule->settle(ops, s, id) && id == s->space->goal) {
        // A goal that costs more than it seemed waits for its turn: there may be a better way.
        const search_way mended = {s->nodes[id].g, s->nodes[id].parent};
        return search_push(ops, rule, s, id, mended);
    }
    s->nodes[id].stamp = s->stamp + 1u;
    s->expanded++;
    if (OCT_UNLIKELY(s->is_watched)) {
        OCT_TRY(oct_search_watch(ops, s, id));
    }
    if (OCT_UNLIKELY(id == s->space->goal)) {
        s->status = OCT_PATH_FOUND;
        return OCT_OK;
    }
    const search_way so_far = {s->nodes[id].g, s->nodes[id].parent};
    if (rule->is_any_angle && ops->turns(s->space, id)) {
        OCT_TRY(search_look(ops, rule, s, id, so_far.g));
    }
    const uint32_t count = s->space->edge_count;
    for (uint32_t i = 0; i < count; i++) {
        const space_edge edge = space_edges(s->space)[i];
        const search_node *const n = &s->nodes[edge.to];
        if (search_is_closed(s, n)) {
            continue;
        }
        const search_way way = rule->reach(ops, s, id, so_far, &edge);
        if (!search_is_open(s, n) || way.g < n->g) {
            OCT_TRY(search_push(ops, rule, s, edge.to, way));
        }
    }
    return OCT_OK;
}

// Begins the list of open nodes with the ranks that are to be expected: from the start's on, and up
// by some part of the way's length.
OCT_FORCE_INLINE void search_open(const space_ops *ops, const search_rule *rule, search *s)
{
    const double h = ops->estimate(s->space, s->space->start);
    oct_open_begin(&s->open, rule->is_guided ? h : 0.0, h);
}

// Goes on until the goal is reached, nothing is left, or the search has to pause.
OCT_FORCE_INLINE oct_result search_run(const space_ops *ops, const search_rule *rule, search *s)
{
    if (!s->has_begun) {
        search_open(ops, rule, s);
        OCT_TRY(search_push(ops, rule, s, s->space->start, (search_way){0.0, s->space->start}));
        s->has_begun = true;
    }
    for (;;) {
        oct_heap_entry entry;
        bool found;
        OCT_TRY(search_next(s, &entry, &found));
        if (OCT_UNLIKELY(!found)) {
            return OCT_OK;
        }
        const search_node *const n = &s->nodes[entry.id];
        if (search_is_closed(s, n) || n->g != entry.g) {
            continue; // a way that was bettered since
        }
        OCT_TRY(search_expand(ops, rule, s, entry.id));
        if (s->status == OCT_PATH_FOUND) {
            return OCT_OK;
        }
    }
}

#endif
