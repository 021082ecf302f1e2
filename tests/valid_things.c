// SPDX-License-Identifier: MIT
// Checks every invariant of an index: each slot is used once or free once, each thing lies in the
// node where it belongs, nodes and the bits for children tell the same, nothing is empty, and both
// tables find all that there is.
#include "valid.h"

#include "map/things_internal.h"

#include <string.h>

typedef struct books {
    const thing_index *index;
    uint8_t *things, *nodes; // whether each slot was met
    uint32_t thing_count, node_count, child_count, top_count;
    uint32_t level_count[THING_LEVELS];
} books;

static bool meet(uint8_t *met, const oct_array *items, uint32_t slot)
{
    if (slot == 0 || slot >= items->count || met[slot]) {
        return false;
    }
    met[slot] = 1;
    return true;
}

static bool thing_is_valid(books *b, uint32_t slot, place at)
{
    const thing_index *index = b->index;
    oct_box cells;
    if (!meet(b->things, &index->things, slot) ||
        !oct_lattice_cover(&index->lattice, &oct_things_at(index, slot)->box, &cells)) {
        return false;
    }
    b->thing_count++;
    b->level_count[at.level]++;
    const place right = place_of(index->lattice.dims, &cells);
    return right.x == at.x && right.y == at.y && right.z == at.z && right.level == at.level &&
           oct_things_find(index, oct_things_at(index, slot)->id) == slot;
}

// Whether a node's children and its parent know of it. Counting both ways tells the rest: where
// every node but the topmost is a child, there are as many bits as such nodes.
static bool family_is_valid(books *b, const thing_node *node, place at)
{
    const thing_index *index = b->index;
    b->child_count += oct_bit_count(node->children);
    if (at.level == THING_LEVEL_TOP) {
        b->top_count++;
        return true;
    }
    const uint32_t parent = node_find(index, place_parent(at));
    const uint32_t children = node_at(index, parent)->children;
    return parent != 0 && (children >> place_child(at) & 1u) != 0;
}

static bool node_is_valid(books *b, uint32_t slot)
{
    const thing_index *index = b->index;
    const thing_node *node = node_at(index, slot);
    const place at = node_place(node);
    if (!meet(b->nodes, &index->nodes, slot) || at.level > THING_LEVEL_TOP ||
        (index->lattice.dims == 2 && at.z != 0) || (node->first == 0 && node->children == 0) ||
        node_find(index, at) != slot || !family_is_valid(b, node, at)) {
        return false;
    }
    b->node_count++;
    for (uint32_t in = node->first; in != 0; in = oct_things_at(index, in)->next) {
        if (!thing_is_valid(b, in, at)) {
            return false;
        }
    }
    return true;
}

// Whether the lists of free slots hold all that is not in use.
static bool lists_are_valid(books *b)
{
    const thing_index *index = b->index;
    uint32_t things = 0, nodes = 0;
    for (uint32_t slot = index->free_thing; slot != 0; slot = oct_things_at(index, slot)->next) {
        if (!meet(b->things, &index->things, slot)) {
            return false;
        }
        things++;
    }
    for (uint32_t slot = index->free_node; slot != 0; slot = (uint32_t)node_at(index, slot)->x) {
        if (!meet(b->nodes, &index->nodes, slot) || node_at(index, slot)->level != NODE_FREE) {
            return false;
        }
        nodes++;
    }
    return nodes == index->free_nodes && index->thing_count + things + 1u == index->things.count &&
           index->node_count + nodes + 1u == index->nodes.count;
}

// Whether a table holds so many items, and is not too full.
static bool table_is_valid(const thing_table *table, uint32_t count, uint32_t quarters)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < table->size; i++) {
        used += table->items[i] != 0;
    }
    return used == count && 4u * (uint64_t)count <= quarters * (uint64_t)table->size;
}

static bool books_balance(books *b)
{
    const thing_index *index = b->index;
    if (!table_is_valid(&index->ids, index->thing_count, IDS_QUARTERS) ||
        !table_is_valid(&index->codes, index->node_count, CODES_QUARTERS)) {
        return false;
    }
    for (uint32_t slot = 1; slot < index->nodes.count; slot++) {
        if (node_at(index, slot)->level != NODE_FREE && !node_is_valid(b, slot)) {
            return false;
        }
    }
    for (int level = 0; level < THING_LEVELS; level++) {
        if (b->level_count[level] != index->level_count[level] ||
            (index->levels >> level & 1u) != (index->level_count[level] > 0)) {
            return false;
        }
    }
    return b->thing_count == index->thing_count && b->node_count == index->node_count &&
           b->child_count == b->node_count - b->top_count && lists_are_valid(b);
}

bool oct_things_valid(const thing_index *index)
{
    if (index->things.count == 0 || index->nodes.count == 0) { // nothing was reserved in full yet
        return index->thing_count == 0 && index->node_count == 0 && index->levels == 0;
    }
    const size_t size = index->things.count + index->nodes.count;
    uint8_t *met = oct_alloc(&index->allocator, size, 1);
    if (!met) {
        return false;
    }
    memset(met, 0, size);
    books b = {.index = index, .things = met, .nodes = met + index->things.count};
    const bool valid = books_balance(&b);
    oct_free(&index->allocator, met, size);
    return valid;
}
