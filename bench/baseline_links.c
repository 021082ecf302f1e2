// SPDX-License-Identifier: MIT
// Stored neighbour links: what they save in time and cost in memory.
//
// All OPEN leaves with their neighbours in compressed rows: as small and fast as links can be, but
// they cannot be edited.
#include "bench/baselines.h"
#include "octant/tree.h"

#define HASH_EMPTY UINT32_MAX

// From a leaf's smallest cell to its index: open addressing over a power of two.
typedef struct leaf_index {
    oct_array slots; // of uint32_t
    uint64_t mask;
} leaf_index;

static uint64_t hash_of(int32_t x, int32_t y, int32_t z)
{
    uint64_t key = (uint64_t)x | (uint64_t)y << 21 | (uint64_t)z << 42;
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static uint32_t *slot_of(const leaf_index *index, const oct_leaf *leaves, const oct_leaf *leaf)
{
    uint32_t *const slots = index->slots.items;
    for (uint64_t i = hash_of(leaf->x, leaf->y, leaf->z);; i++) {
        uint32_t *const slot = &slots[i & index->mask];
        if (*slot == HASH_EMPTY) {
            return slot;
        }
        const oct_leaf *const there = &leaves[*slot];
        if (there->x == leaf->x && there->y == leaf->y && there->z == leaf->z) {
            return slot;
        }
    }
}

static oct_result index_leaves(leaf_index *index, const oct_array *leaves)
{
    const oct_allocator memory = oct_allocator_default();
    const size_t size = (size_t)1 << (oct_bit_length(leaves->count) + 1);
    OCT_TRY(oct_array_reserve(&index->slots, &memory, sizeof(uint32_t), size));
    memset(index->slots.items, 0xff, size * sizeof(uint32_t));
    index->mask = size - 1;
    const oct_leaf *const all = leaves->items;
    for (size_t i = 0; i < leaves->count; i++) {
        *slot_of(index, all, &all[i]) = (uint32_t)i;
    }
    return OCT_OK;
}

static bool push_leaf(void *ctx, const oct_leaf *leaf)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(ctx, &memory, sizeof *leaf, leaf) == OCT_OK;
}

static oct_result list_leaves(link_set *set, const oct_tree *tree)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    bool complete = oct_tree_leaves(tree, all, OCT_HAS_OPEN, push_leaf, &set->leaves);
    set->open_count = set->leaves.count;
    complete = complete && oct_tree_leaves(tree, all, OCT_HAS_BLOCKED, push_leaf, &set->leaves);
    return complete ? OCT_OK : OCT_ERROR_MEMORY;
}

// Finds the neighbours of one leaf, in `found`, which grows to hold them all.
static oct_result find_neighbours(const oct_tree *tree, oct_leaf leaf, oct_array *found)
{
    const oct_allocator memory = oct_allocator_default();
    for (;;) {
        found->count =
            oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_26, OCT_HAS_OPEN | OCT_HAS_BLOCKED,
                                found->items, found->capacity);
        if (found->count <= found->capacity) {
            return OCT_OK;
        }
        const size_t needed = found->count;
        found->count = 0;
        OCT_TRY(oct_array_reserve(found, &memory, sizeof(oct_leaf), needed));
    }
}

static oct_result link_leaves(link_set *set, const oct_tree *tree, const leaf_index *index,
                              oct_array *found)
{
    const oct_allocator memory = oct_allocator_default();
    const oct_leaf *const leaves = set->leaves.items;
    OCT_TRY(oct_array_reserve(&set->starts, &memory, sizeof(uint32_t), set->open_count + 1));
    uint32_t *const starts = set->starts.items;
    for (size_t i = 0; i < set->open_count; i++) {
        starts[i] = (uint32_t)set->links.count;
        OCT_TRY(find_neighbours(tree, leaves[i], found));
        const oct_leaf *const neighbours = found->items;
        for (size_t j = 0; j < found->count; j++) {
            const uint32_t link = *slot_of(index, leaves, &neighbours[j]);
            OCT_TRY(oct_array_push(&set->links, &memory, sizeof link, &link));
        }
    }
    starts[set->open_count] = (uint32_t)set->links.count;
    set->starts.count = set->open_count + 1;
    return set->links.count <= UINT32_MAX ? OCT_OK : OCT_ERROR_RANGE;
}

oct_result oct_links_build(link_set *set, const oct_tree *tree)
{
    const oct_allocator memory = oct_allocator_default();
    leaf_index index = {.mask = 0};
    oct_array found = {.count = 0};
    oct_result result = list_leaves(set, tree);
    if (result == OCT_OK) {
        result = index_leaves(&index, &set->leaves);
    }
    if (result == OCT_OK) {
        result = link_leaves(set, tree, &index, &found);
    }
    oct_array_free(&found, &memory, sizeof(oct_leaf));
    oct_array_free(&index.slots, &memory, sizeof(uint32_t));
    return result;
}

size_t oct_links_neighbours(const link_set *set, uint32_t i, oct_leaf *out)
{
    const uint32_t *const starts = set->starts.items;
    const uint32_t *const links = set->links.items;
    const oct_leaf *const leaves = set->leaves.items;
    const uint32_t start = starts[i];
    const uint32_t count = starts[i + 1] - start;
    for (uint32_t j = 0; j < count; j++) {
        out[j] = leaves[links[start + j]];
    }
    return count;
}

size_t oct_links_most(const link_set *set)
{
    const uint32_t *const starts = set->starts.items;
    size_t most = 0;
    for (size_t i = 0; i < set->open_count; i++) {
        const size_t count = starts[i + 1] - starts[i];
        most = count > most ? count : most;
    }
    return most;
}

size_t oct_links_bytes(const link_set *set)
{
    return set->leaves.count * sizeof(oct_leaf) + set->starts.count * sizeof(uint32_t) +
           set->links.count * sizeof(uint32_t);
}

void oct_links_free(link_set *set)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&set->leaves, &memory, sizeof(oct_leaf));
    oct_array_free(&set->starts, &memory, sizeof(uint32_t));
    oct_array_free(&set->links, &memory, sizeof(uint32_t));
}
