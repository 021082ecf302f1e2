// SPDX-License-Identifier: MIT
// A search that goes on from goal to goal.
#ifndef OCTANT_SEARCH_AIM_H
#define OCTANT_SEARCH_AIM_H

#include "search/search_core.h"

// Goes on to the goal that the space has now, with all that is known: what is open gets its rank
// anew, the last goal waits to be expanded like any other node, and a goal of its own is reached
// from those of its neighbours that were expanded.
OCT_FORCE_INLINE oct_result search_aim(const space_ops *ops, const search_rule *rule, search *s)
{
    const uint32_t goal = s->space->goal, last = s->last_goal;
    if (s->last_is_own) {
        s->nodes[last].stamp = 0;
    }
    OCT_TRY(oct_open_drain(&s->open, &s->allocator, &s->moved));
    search_open(ops, rule, s);
    const oct_heap_entry *const entries = s->moved.items;
    for (size_t i = 0; i < s->moved.count; i++) {
        const uint32_t id = entries[i].id;
        const search_node n = s->nodes[id];
        if (search_is_open(s, &n) && n.g == entries[i].g) {
            OCT_TRY(search_push(ops, rule, s, id, (search_way){n.g, n.parent}));
        }
    }
    OCT_TRY(search_cover(s));
    if (last != goal && search_is_closed(s, &s->nodes[last])) {
        const search_node n = s->nodes[last];
        OCT_TRY(search_push(ops, rule, s, last, (search_way){n.g, n.parent}));
    }
    s->last_goal = goal;
    s->last_is_own = s->space->goal_is_own;
    if (search_is_closed(s, &s->nodes[goal])) {
        s->status = OCT_PATH_FOUND;
        return OCT_OK;
    }
    s->status = OCT_PATH_RUNNING;
    OCT_TRY(ops->edges(s->space, goal, 0));
    OCT_TRY(search_cover(s));
    for (uint32_t i = 0; i < s->space->edge_count; i++) {
        const space_edge edge = space_edges(s->space)[i];
        const search_node *const n = &s->nodes[edge.to], *const end = &s->nodes[goal];
        const search_way way = {n->g + edge.cost, edge.to};
        if (search_is_closed(s, n) && (!search_is_open(s, end) || way.g < end->g)) {
            OCT_TRY(search_push(ops, rule, s, goal, way));
        }
    }
    return OCT_OK;
}

#endif
