// SPDX-License-Identifier: MIT
// The index of things: its memory, its tables, and how things come and go.
#include "map/things_internal.h"

#include <string.h>

// A new branch has at most one node of every level.
#define BRANCH_MAX THING_LEVELS
// More things or nodes than this are refused: sizes of tables have to fit into 32 bits.
#define ITEMS_MAX (1u << 30)

bool oct_lattice_cover(const lattice *l, const oct_bounds *box, oct_box *cells)
{
    return l->dims == 3 ? cover_box(3, l, box, true, cells) : cover_box(2, l, box, true, cells);
}

// ---- tables ----

// The hash of an item that a table holds.
typedef uint64_t hash_fn(const thing_index *index, uint32_t item);

OCT_FORCE_INLINE uint64_t thing_hash(const thing_index *index, uint32_t slot)
{
    return oct_hash_pair(oct_things_at(index, slot)->id, 0);
}

OCT_FORCE_INLINE uint64_t node_hash(const thing_index *index, uint32_t node)
{
    return place_hash(node_place(node_at(index, node)));
}

OCT_FORCE_INLINE void table_insert(thing_table *table, uint64_t hash, uint32_t item)
{
    uint32_t at = table_home(table, hash);
    while (table->items[at] != 0) {
        at = table_after(table, at);
    }
    table->items[at] = item;
}

// Takes an item out and moves those behind it up, as if it had never been there.
OCT_FORCE_INLINE void table_erase(const thing_index *index, thing_table *table, hash_fn *hash,
                                  uint32_t item)
{
    uint32_t *items = table->items;
    uint32_t hole = table_home(table, hash(index, item));
    while (items[hole] != item) {
        hole = table_after(table, hole);
    }
    for (uint32_t at = table_after(table, hole); items[at] != 0; at = table_after(table, at)) {
        // Steps from either to here. Those that go round the end come out larger than all others,
        // as they should.
        const uint32_t home = table_home(table, hash(index, items[at]));
        if (at - home >= at - hole) {
            items[hole] = items[at];
            hole = at;
        }
    }
    items[hole] = 0;
}

// The least size for so many items.
static uint32_t table_size(uint32_t items, uint32_t quarters)
{
    return (uint32_t)((4u * (uint64_t)items + quarters - 1u) / quarters);
}

static void table_free(thing_table *table, const oct_allocator *allocator)
{
    oct_free(allocator, table->items, table->size * sizeof *table->items);
    *table = (thing_table){0};
}

static oct_result table_create(thing_table *table, const oct_allocator *allocator, uint32_t size)
{
    const size_t bytes = size * sizeof *table->items;
    uint32_t *items = oct_alloc(allocator, bytes, OCT_CACHE_LINE);
    if (!items) {
        return OCT_ERROR_MEMORY;
    }
    memset(items, 0, bytes);
    *table = (thing_table){items, size};
    return OCT_OK;
}

// Makes a table larger that is smaller than `least`.
OCT_FORCE_INLINE oct_result table_reserve(const thing_index *index, thing_table *table,
                                          hash_fn *hash, uint32_t least)
{
    if (OCT_LIKELY(least <= table->size)) {
        return OCT_OK;
    }
    const uint32_t roomy = 2u * table->size;
    thing_table grown;
    OCT_TRY(table_create(&grown, &index->allocator, least > roomy ? least : roomy));
    for (uint32_t at = 0; at < table->size; at++) {
        const uint32_t item = table->items[at];
        if (item != 0) {
            table_insert(&grown, hash(index, item), item);
        }
    }
    table_free(table, &index->allocator);
    *table = grown;
    return OCT_OK;
}

// ---- life ----

void oct_things_init(thing_index *index, const lattice *l, const oct_allocator *allocator)
{
    *index = (thing_index){.lattice = *l, .allocator = *allocator};
}

void oct_things_free(thing_index *index)
{
    for (uint32_t i = 1; i < index->things.count && index->shapes.count > 0; i++) {
        oct_thing_shape_drop(oct_things_shape(index, i), &index->allocator);
    }
    oct_array_free(&index->shapes, &index->allocator, sizeof(thing_shape *));
    oct_array_free(&index->things, &index->allocator, sizeof(thing));
    oct_array_free(&index->nodes, &index->allocator, sizeof(thing_node));
    table_free(&index->ids, &index->allocator);
    table_free(&index->codes, &index->allocator);
}

// Makes room for so many items behind those there are. Item 0 is null.
static oct_result items_reserve(oct_array *items, const oct_allocator *allocator, size_t item_size,
                                size_t more)
{
    const size_t needed = (items->count > 0 ? items->count : 1) + more;
    if (needed > ITEMS_MAX) {
        return OCT_ERROR_RANGE;
    }
    if (needed > items->capacity) {
        const size_t roomy = items->capacity + items->capacity / 2;
        OCT_TRY(oct_array_reserve(items, allocator, item_size, needed > roomy ? needed : roomy));
    }
    if (items->count == 0) {
        memset(items->items, 0, item_size);
        items->count = 1;
    }
    return OCT_OK;
}

oct_result oct_things_reserve(thing_index *index)
{
    const oct_allocator *allocator = &index->allocator;
    if (index->free_thing == 0) {
        OCT_TRY(items_reserve(&index->things, allocator, sizeof(thing), 1));
    }
    if (index->free_nodes < BRANCH_MAX) {
        OCT_TRY(items_reserve(&index->nodes, allocator, sizeof(thing_node),
                              BRANCH_MAX - index->free_nodes));
    }
    const uint32_t ids = table_size(index->thing_count + 1u, IDS_QUARTERS);
    const uint32_t codes = table_size(index->node_count + BRANCH_MAX, CODES_QUARTERS);
    OCT_TRY(table_reserve(index, &index->ids, thing_hash, ids));
    return table_reserve(index, &index->codes, node_hash, codes);
}

// ---- things ----

uint32_t oct_things_find(const thing_index *index, uint64_t id)
{
    const thing_table *ids = &index->ids;
    if (ids->size == 0) {
        return 0;
    }
    uint32_t at = table_home(ids, oct_hash_pair(id, 0));
    while (ids->items[at] != 0 && oct_things_at(index, ids->items[at])->id != id) {
        at = table_after(ids, at);
    }
    return ids->items[at];
}

oct_thing oct_things_get(const thing_index *index, uint32_t slot)
{
    const thing *from = oct_things_at(index, slot);
    return (oct_thing){.id = from->id,
                       .box = from->box,
                       .label = from->label,
                       .opaque = from->opaque,
                       .tag = from->tag,
                       .shape = from->is_shaped ? &oct_things_shape(index, slot)->told : NULL};
}

oct_result oct_things_reserve_shapes(thing_index *index)
{
    const size_t most = index->things.capacity;
    if (index->shapes.capacity < most) {
        OCT_TRY(oct_array_reserve(&index->shapes, &index->allocator, sizeof(thing_shape *), most));
    }
    index->shapes.count = most;
    return OCT_OK;
}

void oct_things_set_shape(thing_index *index, uint32_t slot, thing_shape *shape)
{
    oct_things_at(index, slot)->is_shaped = shape != NULL;
    if (shape) {
        OCT_ASSERT(slot < index->shapes.capacity);
        ((thing_shape **)index->shapes.items)[slot] = shape;
    }
}

uint32_t oct_things_take(thing_index *index, const oct_thing *from)
{
    uint32_t slot = index->free_thing;
    if (slot != 0) {
        index->free_thing = oct_things_at(index, slot)->next;
    } else {
        OCT_ASSERT(index->things.count < index->things.capacity);
        slot = (uint32_t)index->things.count++;
    }
    *oct_things_at(index, slot) = (thing){.id = from->id,
                                          .box = from->box,
                                          .label = from->label,
                                          .opaque = from->opaque != 0,
                                          .tag = from->tag};
    table_insert(&index->ids, thing_hash(index, slot), slot);
    index->thing_count++;
    return slot;
}

void oct_things_give(thing_index *index, uint32_t slot)
{
    table_erase(index, &index->ids, thing_hash, slot);
    oct_things_at(index, slot)->is_shaped = false;
    oct_things_at(index, slot)->next = index->free_thing;
    index->free_thing = slot;
    index->thing_count--;
}

// ---- nodes ----

static uint32_t node_take(thing_index *index, place at)
{
    uint32_t node = index->free_node;
    if (node != 0) {
        index->free_node = (uint32_t)node_at(index, node)->x;
        index->free_nodes--;
    } else {
        OCT_ASSERT(index->nodes.count < index->nodes.capacity);
        node = (uint32_t)index->nodes.count++;
    }
    *node_at(index, node) =
        (thing_node){.x = at.x, .y = at.y, .z = at.z, .level = (uint8_t)at.level};
    table_insert(&index->codes, place_hash(at), node);
    index->node_count++;
    return node;
}

static void node_give(thing_index *index, uint32_t node)
{
    table_erase(index, &index->codes, node_hash, node);
    *node_at(index, node) = (thing_node){.x = (int32_t)index->free_node, .level = NODE_FREE};
    index->free_node = node;
    index->free_nodes++;
    index->node_count--;
}

// Makes a node and the ancestors that it lacks.
static uint32_t branch_grow(thing_index *index, place at)
{
    const uint32_t lowest = node_take(index, at);
    bool joined = false;
    while (at.level < THING_LEVEL_TOP && !joined) {
        const uint32_t child = place_child(at);
        at = place_parent(at);
        uint32_t parent = node_find(index, at);
        joined = parent != 0;
        if (!joined) {
            parent = node_take(index, at);
        }
        node_at(index, parent)->children |= (uint8_t)(1u << child);
    }
    return lowest;
}

// Removes a node and its ancestors as far as nothing is left in them.
static void branch_prune(thing_index *index, uint32_t node)
{
    while (node_at(index, node)->first == 0 && node_at(index, node)->children == 0) {
        const place at = node_place(node_at(index, node));
        node_give(index, node);
        if (at.level == THING_LEVEL_TOP) {
            return;
        }
        node = node_find(index, place_parent(at));
        node_at(index, node)->children &= (uint8_t) ~(1u << place_child(at));
    }
}

// Where a thing's box belongs.
static place thing_place(const thing_index *index, uint32_t slot)
{
    const oct_bounds *box = &oct_things_at(index, slot)->box;
    const int dims = index->lattice.dims;
    oct_box cells;
    OCT_ASSERT(oct_lattice_cover(&index->lattice, box, &cells));
    cover_box(dims, &index->lattice, box, false, &cells);
    return place_of(dims, &cells);
}

void oct_things_link(thing_index *index, uint32_t slot)
{
    const place at = thing_place(index, slot);
    uint32_t node = node_find(index, at);
    if (node == 0) {
        node = branch_grow(index, at);
    }
    oct_things_at(index, slot)->next = node_at(index, node)->first;
    node_at(index, node)->first = slot;
    index->level_count[at.level]++;
    index->levels |= 1u << at.level;
}

void oct_things_unlink(thing_index *index, uint32_t slot)
{
    const place at = thing_place(index, slot);
    const uint32_t node = node_find(index, at);
    OCT_ASSERT(node != 0);
    uint32_t *link = &node_at(index, node)->first;
    while (*link != slot) {
        link = &oct_things_at(index, *link)->next;
    }
    *link = oct_things_at(index, slot)->next;
    if (--index->level_count[at.level] == 0) {
        index->levels &= ~(1u << at.level);
    }
    branch_prune(index, node);
}

// ---- memory ----

size_t oct_things_bytes(const thing_index *index)
{
    size_t shapes = index->shapes.capacity * sizeof(thing_shape *);
    for (uint32_t i = 1; i < index->things.count && index->shapes.count > 0; i++) {
        const thing_shape *const s = oct_things_shape(index, i);
        shapes += s ? s->bytes + s->axes.capacity * sizeof(convex_axis) : 0;
    }
    return index->things.capacity * sizeof(thing) + index->nodes.capacity * sizeof(thing_node) +
           ((size_t)index->ids.size + index->codes.size) * sizeof(uint32_t) + shapes;
}

// Memory for what an index holds, and no more.
static oct_result packed_create(const thing_index *index, thing_index *packed)
{
    const oct_allocator *allocator = &packed->allocator;
    OCT_TRY(items_reserve(&packed->things, allocator, sizeof(thing), index->thing_count));
    OCT_TRY(items_reserve(&packed->nodes, allocator, sizeof(thing_node), index->node_count));
    OCT_TRY(index->shapes.count > 0 ? oct_things_reserve_shapes(packed) : OCT_OK);
    const uint32_t ids = table_size(index->thing_count, IDS_QUARTERS);
    const uint32_t codes = table_size(index->node_count, CODES_QUARTERS);
    OCT_TRY(table_create(&packed->ids, allocator, ids));
    return table_create(&packed->codes, allocator, codes);
}

// Copies a node with its things, in their order.
static void packed_add(const thing_index *index, thing_index *packed, const thing_node *from)
{
    thing_node *node = node_at(packed, node_take(packed, node_place(from)));
    node->children = from->children;
    uint32_t *link = &node->first;
    for (uint32_t slot = from->first; slot != 0; slot = oct_things_at(index, slot)->next) {
        const oct_thing copy = oct_things_get(index, slot);
        *link = oct_things_take(packed, &copy);
        if (packed->shapes.count > 0) {
            oct_things_set_shape(packed, *link,
                                 oct_thing_shape_keep(oct_things_shape(index, slot)));
        }
        link = &oct_things_at(packed, *link)->next;
    }
}

oct_result oct_things_shrink(thing_index *index)
{
    thing_index packed;
    oct_things_init(&packed, &index->lattice, &index->allocator);
    if (index->thing_count > 0) {
        const oct_result result = packed_create(index, &packed);
        if (result != OCT_OK) {
            oct_things_free(&packed);
            return result;
        }
        for (uint32_t i = 1; i < index->nodes.count; i++) {
            if (node_at(index, i)->level != NODE_FREE) {
                packed_add(index, &packed, node_at(index, i));
            }
        }
        packed.levels = index->levels;
        memcpy(packed.level_count, index->level_count, sizeof packed.level_count);
    }
    OCT_ASSERT(packed.thing_count == index->thing_count);
    oct_things_free(index);
    *index = packed;
    return OCT_OK;
}
