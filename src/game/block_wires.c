// SPDX-License-Identifier: MIT
// What buttons and timers do, worked out once: wires to a group become one effect for each of its
// members, so that pressing looks nothing up.
#include "game/block_internal.h"

// Members of groups by grid and name: chains in the order of the world.
typedef struct group_index {
    uint32_t *heads; // first member + 1, by hash of grid and name; open addressing
    uint32_t *tails; // of the head in the same slot
    uint32_t *next;  // member + 1, for each member
    uint32_t size;   // of heads and tails, a power of two
    uint32_t count;  // of members
} group_index;

static uint32_t slot_of(const group_index *x, const oct_world *world, uint32_t grid,
                        const char *group)
{
    const uint64_t hash = oct_hash_word(oct_hash_bytes(group, strlen(group)) + grid);
    uint32_t slot = (uint32_t)hash & (x->size - 1u);
    while (x->heads[slot] != 0) {
        const oct_world_member first = oct_world_get_member(world, x->heads[slot] - 1u);
        if (first.grid == grid && strcmp(first.group, group) == 0) {
            break;
        }
        slot = (slot + 1u) & (x->size - 1u);
    }
    return slot;
}

static oct_result index_groups(const oct_world *world, const oct_allocator *own, group_index *x)
{
    *x = (group_index){.size = 16, .count = (uint32_t)oct_world_members(world)};
    while (x->size < 2u * x->count) {
        x->size *= 2u;
    }
    const size_t words = 2u * (size_t)x->size + x->count;
    x->heads = oct_alloc(own, words * sizeof *x->heads, _Alignof(uint32_t));
    if (!x->heads) {
        return OCT_ERROR_MEMORY;
    }
    memset(x->heads, 0, words * sizeof *x->heads);
    x->tails = x->heads + x->size;
    x->next = x->tails + x->size;
    for (uint32_t i = 0; i < x->count; i++) {
        const oct_world_member member = oct_world_get_member(world, i);
        const uint32_t slot = slot_of(x, world, member.grid, member.group);
        if (x->heads[slot] == 0) {
            x->heads[slot] = i + 1u;
        } else {
            x->next[x->tails[slot] - 1u] = i + 1u;
        }
        x->tails[slot] = i + 1u;
    }
    return OCT_OK;
}

static void free_groups(const oct_allocator *own, group_index *x)
{
    oct_free(own, x->heads, (2u * (size_t)x->size + x->count) * sizeof *x->heads);
}

// ---- effects ----

static oct_result add_effect(block_world *g, block *from, const oct_world_wire *wire, uint64_t to)
{
    const uint32_t index = oct_block_find(g, to);
    if (index == BLOCK_NONE) {
        return OCT_OK;
    }
    if (g->effects.count == BLOCK_WORLD_EFFECTS_MAX) {
        return OCT_ERROR_RANGE;
    }
    const effect e = {.slot = wire->slot, .block = index, .action = wire->action};
    OCT_TRY(oct_array_push(&g->effects, &g->allocator, sizeof e, &e));
    uint32_t *const count =
        from->kind == OCT_KIND_PANEL ? &from->is.panel.count : &from->is.timer.count;
    *count += 1u;
    return OCT_OK;
}

static oct_result add_wire(block_world *g, const oct_world *world, const group_index *groups,
                           size_t index)
{
    const oct_world_wire wire = oct_world_get_wire(world, index);
    block *const from = block_at(g, oct_block_find(g, wire.from));
    uint32_t *const first =
        from->kind == OCT_KIND_PANEL ? &from->is.panel.effects : &from->is.timer.effects;
    const uint32_t count =
        from->kind == OCT_KIND_PANEL ? from->is.panel.count : from->is.timer.count;
    if (count == 0) {
        *first = (uint32_t)g->effects.count;
    }
    if (!wire.group[0]) {
        return add_effect(g, from, &wire, wire.to);
    }
    const uint32_t slot = slot_of(groups, world, from->grid, wire.group);
    for (uint32_t i = groups->heads[slot]; i != 0; i = groups->next[i - 1u]) {
        OCT_TRY(add_effect(g, from, &wire, oct_world_get_member(world, i - 1u).block));
    }
    return OCT_OK;
}

// All wires of one block in a row: by block, slot, and the order of the world.
static oct_result sort_wires(block_world *g, const oct_world *world, oct_heap *heap)
{
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        const uint32_t from = oct_block_find(g, wire.from);
        const uint8_t kind = from == BLOCK_NONE ? OCT_KIND_SOLID : block_at(g, from)->kind;
        if (kind == OCT_KIND_PANEL || kind == OCT_KIND_TIMER) {
            // Of equal f the larger g comes first.
            const oct_heap_entry entry = {.f = from, .g = UINT32_MAX - wire.slot, .key = i};
            OCT_TRY(oct_heap_push(heap, &g->allocator, entry));
        }
    }
    return OCT_OK;
}

oct_result oct_block_copy_wires(block_world *g, const oct_world *world)
{
    group_index groups;
    oct_heap heap = {0};
    OCT_TRY(index_groups(world, &g->allocator, &groups));
    oct_result result = sort_wires(g, world, &heap);
    while (result == OCT_OK && heap.entries.count > 0) {
        result = add_wire(g, world, &groups, (size_t)oct_heap_pop(&heap).key);
    }
    oct_array_free(&heap.entries, &g->allocator, sizeof(oct_heap_entry));
    free_groups(&g->allocator, &groups);
    return result;
}
