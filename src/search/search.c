// SPDX-License-Identifier: MIT
// A search's memory, and what it notes on the way.
#include "search/search_internal.h"

#define NODES_MIN 4096

oct_result oct_search_grow(search *s)
{
    const size_t wanted = s->space->id_count;
    size_t count = s->node_count + s->node_count / 2;
    count = count < NODES_MIN ? NODES_MIN : count;
    count = count < wanted ? wanted : count;
    size_t bytes;
    if (!oct_size_mul(count, sizeof(search_node), &bytes)) {
        return OCT_ERROR_MEMORY;
    }
    search_node *const nodes = oct_alloc(&s->allocator, bytes, OCT_CACHE_LINE);
    if (!nodes) {
        return OCT_ERROR_MEMORY;
    }
    const size_t kept = s->node_count * sizeof(search_node);
    if (kept) {
        memcpy(nodes, s->nodes, kept);
    }
    memset((char *)nodes + kept, 0, bytes - kept);
    oct_free(&s->allocator, s->nodes, kept);
    s->nodes = nodes;
    s->node_count = count;
    return OCT_OK;
}

oct_result oct_search_begin(search *s, space *where)
{
    s->space = where;
    s->stamp += 2;
    if (s->stamp == 0) {
        memset(s->nodes, 0, s->node_count * sizeof(search_node));
        s->stamp = 2;
    }
    s->status = OCT_PATH_RUNNING;
    s->has_begun = false;
    s->last_goal = where->goal;
    s->last_is_own = where->goal_is_own;
    s->nearest_h = HUGE_COST;
    s->nearest = 0;
    s->is_watched = s->is_recorded || s->is_partial;
    return search_cover(s);
}

void oct_search_free(search *s)
{
    oct_free(&s->allocator, s->nodes, s->node_count * sizeof(search_node));
    oct_open_free(&s->open, &s->allocator);
    oct_array_free(&s->moved, &s->allocator, sizeof(oct_heap_entry));
    oct_array_free(&s->steps, &s->allocator, sizeof(search_step));
}

size_t oct_search_bytes(const search *s)
{
    return s->node_count * sizeof(search_node) + oct_open_bytes(&s->open) +
           s->moved.capacity * sizeof(oct_heap_entry) + s->steps.capacity * sizeof(search_step);
}

oct_result oct_search_watch(const space_ops *ops, search *s, uint32_t id)
{
    const search_node n = s->nodes[id];
    if (s->is_recorded) {
        const search_step step = {ops->at(s->space, id), ops->key(s->space, id), n.g, id, n.parent};
        OCT_TRY(oct_array_push(&s->steps, &s->allocator, sizeof step, &step));
    }
    if (s->is_partial) {
        const double h = ops->estimate(s->space, id);
        if (h < s->nearest_h || (h == s->nearest_h && n.g < s->nodes[s->nearest].g)) {
            s->nearest_h = h;
            s->nearest = id;
        }
    }
    return OCT_OK;
}
