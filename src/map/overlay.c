// SPDX-License-Identifier: MIT
#include "map/overlay.h"
#include "map/map.h"

// Cells are looked up in cubes of 2^this: one probe tells that no thing is near.
#define BRICK_LEVEL 3

// One of the things that have cells in a brick.
typedef struct overlay_link {
    uint32_t thing;
    uint32_t next; // UINT32_MAX ends
} overlay_link;

// What is in a cell: facts, and what things other than those taken in make of it.
enum { IS_KNOWN = 1, IS_STATIC = 2, IS_COVERED = 4, HAS_BLOCKED = 8, HAS_UNKNOWN = 16 };

void oct_overlay_init(overlay *o, const oct_map *map, const oct_allocator *allocator)
{
    *o = (overlay){.allocator = *allocator, .map = map};
}

void oct_overlay_free(overlay *o)
{
    oct_array_free(&o->things, &o->allocator, sizeof(overlay_thing));
    oct_array_free(&o->without, &o->allocator, 1);
    oct_array_free(&o->links, &o->allocator, sizeof(overlay_link));
    oct_key_table_free(&o->ids, &o->allocator);
    oct_key_table_free(&o->bricks, &o->allocator);
}

static const overlay_thing *thing_at(const overlay *o, size_t index)
{
    return (const overlay_thing *)o->things.items + index;
}

static lattice_key id_key(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

static lattice_key brick_key(int32_t x, int32_t y, int32_t z)
{
    return (lattice_key){x, y, z, 0};
}

static uint32_t find(const key_table *table, lattice_key key)
{
    if (table->count == 0) {
        return UINT32_MAX;
    }
    const key_slot *const slot = key_table_slot(table, key);
    return key_slot_is_used(table, slot) ? slot->value : UINT32_MAX;
}

// ---- taking in ----

// Where a cell of a thing stands in the list of its cells.
static size_t cell_index(const overlay_thing *t, oct_vec c)
{
    const size_t width = (size_t)((int64_t)t->cells.max.x - t->cells.min.x);
    const size_t height = (size_t)((int64_t)t->cells.max.y - t->cells.min.y);
    const size_t x = (size_t)((int64_t)c.x - t->cells.min.x);
    const size_t y = (size_t)((int64_t)c.y - t->cells.min.y);
    const size_t z = (size_t)((int64_t)c.z - t->cells.min.z);
    return t->first + (z * height + y) * width + x;
}

// The state of a cell below one of a tree's two roots (see edit_layers.c).
static uint32_t state_at(const oct_tree *tree, uint32_t word, oct_vec cell)
{
    const int dims = tree->dims;
    const rel at = tree_rel(tree, cell);
    if (!tree_holds(tree, dims, at)) {
        return 0;
    }
    for (int level = tree->root_level; word_kind(word) == KIND_INNER; level--) {
        word = tree_siblings(tree, dims, word_index(word))[child_at(dims, level, at)];
    }
    return word_kind(word) == KIND_LEAF ? word_index(word)
                                        : brick_state(*tree_brick(tree, word_index(word)),
                                                      morton_index(dims, at.x, at.y, at.z));
}

// What is known of a cell, whatever things cover it; of static geometry only as far as it shows.
static uint8_t facts_at(const oct_map *map, oct_vec cell)
{
    const uint32_t top = state_at(map->tree, map->tree->root, cell);
    const uint32_t under = state_at(map->tree, map->tree->under, cell);
    const bool is_known = top & STATE_KNOWN || state_label(under) == OCT_OPEN;
    return (uint8_t)((is_known ? IS_KNOWN : 0) | (under & STATE_BLOCKED ? IS_STATIC : 0));
}

typedef struct filling {
    overlay *o;
    const overlay_thing *taken;
} filling;

// Notes what another thing, or one that was taken in, makes of the cells of one of the latter.
static bool paint(void *ctx, uint32_t slot, const oct_box *cells)
{
    const filling *const f = ctx;
    const thing *const other = oct_things_at(&f->o->map->things, slot);
    if (other->label == OCT_OPEN) {
        return true;
    }
    const bool is_taken = find(&f->o->ids, id_key(other->id)) != UINT32_MAX;
    const uint8_t bits = (uint8_t)(IS_COVERED | (is_taken                      ? 0
                                                 : other->label == OCT_BLOCKED ? HAS_BLOCKED
                                                                               : HAS_UNKNOWN));
    const oct_box both = box_common(*cells, f->taken->cells);
    uint8_t *const without = f->o->without.items;
    const thing_shape *const shape = oct_things_shape(&f->o->map->things, slot);
    for (int32_t z = both.min.z; z < both.max.z; z++) {
        for (int32_t y = both.min.y; y < both.max.y; y++) {
            const size_t row = cell_index(f->taken, (oct_vec){both.min.x, y, z});
            for (int32_t x = both.min.x; x < both.max.x; x++) {
                const bool covers = !shape || oct_thing_shape_covers(shape, (oct_vec){x, y, z});
                without[row + (size_t)((int64_t)x - both.min.x)] |= covers ? bits : 0;
            }
        }
    }
    return true;
}

static oct_label label_without(const overlay *o, uint8_t bits, oct_vec cell)
{
    // What is BLOCKED where no thing is in the way is static.
    const bool is_static = bits & IS_STATIC || (!(bits & IS_COVERED) &&
                                                oct_tree_label(o->map->tree, cell) == OCT_BLOCKED);
    return is_static || bits & HAS_BLOCKED            ? OCT_BLOCKED
           : bits & HAS_UNKNOWN || !(bits & IS_KNOWN) ? OCT_UNKNOWN
                                                      : OCT_OPEN;
}

typedef void cell_fn(overlay *o, uint8_t *bits, oct_vec cell);

static void find_facts(overlay *o, uint8_t *bits, oct_vec cell)
{
    *bits = facts_at(o->map, cell);
}

static void find_label(overlay *o, uint8_t *bits, oct_vec cell)
{
    *bits = (uint8_t)label_without(o, *bits, cell);
}

static void each_cell(overlay *o, const overlay_thing *t, cell_fn *visit)
{
    uint8_t *bits = (uint8_t *)o->without.items + t->first;
    for (int32_t z = t->cells.min.z; z < t->cells.max.z; z++) {
        for (int32_t y = t->cells.min.y; y < t->cells.max.y; y++) {
            for (int32_t x = t->cells.min.x; x < t->cells.max.x; x++) {
                visit(o, bits++, (oct_vec){x, y, z});
            }
        }
    }
}

static void fill(overlay *o, const overlay_thing *t)
{
    filling f = {o, t};
    each_cell(o, t, find_facts);
    oct_things_in(&o->map->things, &t->cells, paint, &f);
    each_cell(o, t, find_label);
}

// Enters a thing for each brick that it has cells in.
static oct_result link_bricks(overlay *o, uint32_t index)
{
    const oct_box c = thing_at(o, index)->cells;
    for (int32_t z = c.min.z >> BRICK_LEVEL; z <= (c.max.z - 1) >> BRICK_LEVEL; z++) {
        for (int32_t y = c.min.y >> BRICK_LEVEL; y <= (c.max.y - 1) >> BRICK_LEVEL; y++) {
            for (int32_t x = c.min.x >> BRICK_LEVEL; x <= (c.max.x - 1) >> BRICK_LEVEL; x++) {
                const uint32_t number = (uint32_t)o->links.count;
                overlay_link new = {index, UINT32_MAX};
                OCT_TRY(oct_key_table_reserve(&o->bricks, &o->allocator, 1));
                key_slot *const slot = key_table_slot(&o->bricks, brick_key(x, y, z));
                const bool is_used = key_slot_is_used(&o->bricks, slot);
                new.next = is_used ? slot->value : UINT32_MAX;
                OCT_TRY(oct_array_push(&o->links, &o->allocator, sizeof new, &new));
                if (is_used) {
                    slot->value = number;
                } else {
                    key_slot_fill(&o->bricks, slot, brick_key(x, y, z), number);
                }
            }
        }
    }
    return OCT_OK;
}

static oct_result add_thing(overlay *o, uint64_t id, uint64_t *cells)
{
    const thing_index *const things = &o->map->things;
    oct_thing t;
    if (!oct_map_thing(o->map, id, &t)) {
        return OCT_ERROR_ABSENT;
    }
    const overlay_thing new = {.id = id,
                               .cells = oct_map_cover(o->map, t.box),
                               .shape = oct_things_shape(things, oct_things_find(things, id)),
                               .first = (size_t)*cells,
                               .label = (oct_label)t.label};
    const double count = box_count(&new.cells);
    if (count + (double)*cells > OVERLAY_CELLS_MAX) {
        return OCT_ERROR_RANGE;
    }
    *cells += (uint64_t)count;
    const uint32_t index = (uint32_t)o->things.count;
    OCT_TRY(oct_key_table_reserve(&o->ids, &o->allocator, 1));
    OCT_TRY(oct_array_push(&o->things, &o->allocator, sizeof new, &new));
    key_slot *const slot = key_table_slot(&o->ids, id_key(id));
    OCT_ASSERT(!key_slot_is_used(&o->ids, slot));
    key_slot_fill(&o->ids, slot, id_key(id), index);
    return link_bricks(o, index);
}

static void clear(overlay *o)
{
    o->things.count = o->links.count = o->without.count = 0;
    oct_key_table_clear(&o->ids);
    oct_key_table_clear(&o->bricks);
}

static oct_result take(overlay *o, const uint64_t *ids, size_t count)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(add_thing(o, ids[i], &cells));
    }
    OCT_TRY(oct_array_reserve(&o->without, &o->allocator, 1, (size_t)cells));
    o->without.count = (size_t)cells;
    for (size_t i = 0; i < count; i++) {
        fill(o, thing_at(o, i));
    }
    return OCT_OK;
}

oct_result oct_overlay_take(overlay *o, const uint64_t *ids, size_t count)
{
    clear(o);
    o->revision = oct_tree_revision(o->map->tree);
    const oct_result result = take(o, ids, count);
    if (result != OCT_OK) {
        clear(o);
    }
    return result;
}

void oct_overlay_suppose(overlay *o, size_t index, oct_label label)
{
    ((overlay_thing *)o->things.items)[index].label = label;
}

// ---- answers ----

oct_label oct_overlay_label(const overlay *o, oct_vec cell)
{
    OCT_ASSERT(o->things.count == 0 || o->revision == oct_tree_revision(o->map->tree));
    if (o->map->lattice.dims == 2) {
        cell.z = 0;
    }
    const lattice_key key =
        brick_key(cell.x >> BRICK_LEVEL, cell.y >> BRICK_LEVEL, cell.z >> BRICK_LEVEL);
    const overlay_link *const links = o->links.items;
    bool is_covered = false;
    oct_label label = OCT_UNKNOWN;
    for (uint32_t i = find(&o->bricks, key); i != UINT32_MAX; i = links[i].next) {
        const overlay_thing *const t = thing_at(o, links[i].thing);
        if (!box_holds(&t->cells, cell) || (t->shape && !oct_thing_shape_covers(t->shape, cell))) {
            continue;
        }
        if (!is_covered) {
            is_covered = true;
            label = (oct_label)((const uint8_t *)o->without.items)[cell_index(t, cell)];
        }
        label = t->label == OCT_BLOCKED                           ? OCT_BLOCKED
                : t->label == OCT_UNKNOWN && label != OCT_BLOCKED ? OCT_UNKNOWN
                                                                  : label;
    }
    return is_covered ? label : oct_tree_label(o->map->tree, cell);
}

oct_label oct_overlay_label_of(const overlay *o, const oct_thing *t)
{
    const uint32_t index = find(&o->ids, id_key(t->id));
    return index == UINT32_MAX ? (oct_label)t->label : thing_at(o, index)->label;
}
