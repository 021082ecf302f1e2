// SPDX-License-Identifier: MIT
#include "search/planner.h"

#define FOUND_MIN 64

static void free_parts(space *base)
{
    user_space *const s = (user_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_array_free(&s->nodes, memory, sizeof(uint64_t));
    oct_array_free(&s->found, memory, sizeof(oct_user_edge));
    oct_key_table_free(&s->places, memory);
}

static size_t parts_bytes(const space *base)
{
    const user_space *const s = (const user_space *)base;
    return s->nodes.capacity * sizeof(uint64_t) + s->found.capacity * sizeof(oct_user_edge) +
           oct_key_table_bytes(&s->places);
}

// The id of a caller's node.
static oct_result find_node(user_space *s, uint64_t node, uint32_t *id)
{
    const oct_allocator *const memory = &s->base.allocator;
    const lattice_key key = {(int32_t)(uint32_t)node, (int32_t)(uint32_t)(node >> 32), 0, 0};
    OCT_TRY(oct_key_table_reserve(&s->places, memory, 1));
    key_slot *const slot = key_table_slot(&s->places, key);
    if (key_slot_is_used(&s->places, slot)) {
        *id = slot->value;
        return OCT_OK;
    }
    OCT_TRY(oct_array_push(&s->nodes, memory, sizeof node, &node));
    *id = (uint32_t)s->nodes.count - 1u;
    key_slot_fill(&s->places, slot, key, *id);
    s->base.id_count = *id + 1u;
    return OCT_OK;
}

static oct_result begin(space *base)
{
    user_space *const s = (user_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    const uint64_t none = 0;
    OCT_TRY(oct_array_reserve(&s->found, memory, sizeof(oct_user_edge), FOUND_MIN));
    OCT_TRY(oct_array_reserve(&s->base.edges, memory, sizeof(space_edge), FOUND_MIN));
    oct_key_table_clear(&s->places);
    s->nodes.count = 0;
    OCT_TRY(oct_array_push(&s->nodes, memory, sizeof none, &none));
    OCT_TRY(find_node(s, s->from, &s->base.start));
    return find_node(s, s->to, &s->base.goal);
}

oct_result oct_user_edges(space *base, uint32_t id, uint32_t from)
{
    (void)from;
    user_space *const s = (user_space *)base;
    const oct_user_graph *const graph = s->graph;
    size_t count = graph->edges(graph->ctx, user_node(base, id), s->found.items, s->found.capacity);
    base->edge_count = 0;
    if (count > s->found.capacity) {
        OCT_TRY(oct_array_reserve(&s->found, &base->allocator, sizeof(oct_user_edge), count));
        const size_t again =
            graph->edges(graph->ctx, user_node(base, id), s->found.items, s->found.capacity);
        count = again < count ? again : count;
    }
    OCT_TRY(oct_array_reserve(&base->edges, &base->allocator, sizeof(space_edge), count));
    const oct_user_edge *const found = s->found.items;
    for (size_t i = 0; i < count; i++) {
        uint32_t to;
        if (!(found[i].cost > 0.0)) {
            return OCT_ERROR_ARGUMENT;
        }
        OCT_TRY(find_node(s, found[i].to, &to));
        space_edges(base)[base->edge_count++] = (space_edge){found[i].cost, to};
    }
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    user_space *const s = (user_space *)base;
    s->graph = planner->query.user;
    s->from = planner->query.user_from;
    s->to = planner->query.user_to;
}

const space_kind oct_user_kind = {.size = sizeof(user_space),
                                  .ops = &user_ops,
                                  .free_parts = free_parts,
                                  .parts_bytes = parts_bytes,
                                  .take = take,
                                  .begin = begin};
