// SPDX-License-Identifier: MIT
// Worlds: blocks and types in arrays, found by id and by name through hash tables of indices.
//
// Names live in an arena, since they are never taken back; blocks and types are handed out as
// copies, so that arrays may move.
#include "octant/world.h"

#include "base/base_internal.h"

#include <math.h>

// Indices + 1 by hash, open addressing; 0 is an empty slot. At most 3/4 full.
typedef struct table {
    uint32_t *slots;
    uint32_t size; // a power of two, or 0
} table;

struct oct_world {
    oct_allocator allocator;
    oct_arena texts; // names of types and blocks
    char *name;      // NULL = ""
    oct_array types;
    oct_array blocks;
    table type_names;
    table ids;
    oct_bounds extent; // of blocks and bounds
    oct_bounds bounds;
    oct_pose start;
    double passage;
    oct_up up;
    bool left_handed;
    bool has_start;
    bool has_bounds;
};

// ---- what is sound ----

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool is_box(const oct_bounds *box)
{
    return is_finite(box->min) && is_finite(box->max) && box->min.x <= box->max.x &&
           box->min.y <= box->max.y && box->min.z <= box->max.z;
}

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool is_unit(oct_point p)
{
    return fabs(sqrt(dot(p, p)) - 1.0) <= OCT_WORLD_UNIT_SLACK;
}

// Bytes of the UTF-8 character that starts here, or 0 where none does (RFC 3629: the shortest form
// only, no surrogates, nothing beyond U+10FFFF). The text ends in a zero, which is no continuation.
static size_t character_size(const uint8_t *at)
{
    const uint8_t first = at[0];
    if (first < 0x80) {
        return 1;
    }
    const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const uint8_t from = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t to = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first < 0xc2 || first > 0xf4 || at[1] < from || at[1] > to) {
        return 0;
    }
    for (size_t i = 2; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return size;
}

static oct_result check_name(const char *name)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i < size;) {
        const size_t step = character_size((const uint8_t *)name + i);
        if (step == 0) {
            return OCT_ERROR_ARGUMENT;
        }
        i += step;
    }
    return size <= OCT_WORLD_NAME_MAX ? OCT_OK : OCT_ERROR_RANGE;
}

// ---- tables ----

static uint64_t hash_id(uint64_t id)
{
    id *= UINT64_C(0x9e3779b97f4a7c15);
    return id ^ id >> 32;
}

static uint64_t hash_name(const char *name)
{
    return oct_hash_bytes(name, strlen(name));
}

static const oct_world_type *type_at(const oct_world *world, size_t index)
{
    return (const oct_world_type *)world->types.items + index;
}

static const oct_world_block *block_at(const oct_world *world, size_t index)
{
    return (const oct_world_block *)world->blocks.items + index;
}

static uint64_t hash_of_type(const oct_world *world, size_t index)
{
    return hash_name(type_at(world, index)->name);
}

static uint64_t hash_of_block(const oct_world *world, size_t index)
{
    return hash_id(block_at(world, index)->id);
}

static void table_put(const table *t, uint64_t hash, size_t index)
{
    uint32_t slot = (uint32_t)hash & (t->size - 1);
    while (t->slots[slot] != 0) {
        slot = (slot + 1) & (t->size - 1);
    }
    t->slots[slot] = (uint32_t)index + 1;
}

// Makes room for one more than `count`; those that are there are entered anew.
static oct_result table_reserve(oct_world *world, table *t, size_t count,
                                uint64_t (*hash_of)(const oct_world *world, size_t index))
{
    if (4 * (count + 1) <= 3 * (size_t)t->size) {
        return OCT_OK;
    }
    const uint32_t size = t->size ? 2 * t->size : 16;
    const size_t bytes = size * sizeof *t->slots;
    const table larger = {oct_alloc(&world->allocator, bytes, _Alignof(uint32_t)), size};
    if (!larger.slots) {
        return OCT_ERROR_MEMORY;
    }
    memset(larger.slots, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        table_put(&larger, hash_of(world, i), i);
    }
    oct_free(&world->allocator, t->slots, t->size * sizeof *t->slots);
    *t = larger;
    return OCT_OK;
}

bool oct_world_find_type(const oct_world *world, const char *name, uint32_t *index)
{
    const table *t = &world->type_names;
    if (t->size == 0) {
        return false;
    }
    uint32_t slot = (uint32_t)hash_name(name) & (t->size - 1);
    for (; t->slots[slot] != 0; slot = (slot + 1) & (t->size - 1)) {
        if (strcmp(type_at(world, t->slots[slot] - 1)->name, name) == 0) {
            *index = t->slots[slot] - 1;
            return true;
        }
    }
    return false;
}

bool oct_world_find(const oct_world *world, uint64_t id, size_t *index)
{
    const table *t = &world->ids;
    if (t->size == 0) {
        return false;
    }
    uint32_t slot = (uint32_t)hash_id(id) & (t->size - 1);
    for (; t->slots[slot] != 0; slot = (slot + 1) & (t->size - 1)) {
        if (block_at(world, t->slots[slot] - 1)->id == id) {
            *index = t->slots[slot] - 1;
            return true;
        }
    }
    return false;
}

// ---- life ----

oct_result oct_world_create(const oct_allocator *allocator, oct_world **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    *out = oct_alloc(&own, sizeof **out, _Alignof(oct_world));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    **out = (oct_world){.allocator = own, .up = OCT_UP_Z};
    oct_arena_init(&(*out)->texts, &own);
    return OCT_OK;
}

static void free_name(oct_world *world)
{
    if (world->name) {
        oct_free(&world->allocator, world->name, strlen(world->name) + 1);
    }
}

void oct_world_destroy(oct_world *world)
{
    if (!world) {
        return;
    }
    const oct_allocator own = world->allocator;
    free_name(world);
    oct_free(&own, world->ids.slots, world->ids.size * sizeof *world->ids.slots);
    oct_free(&own, world->type_names.slots,
             world->type_names.size * sizeof *world->type_names.slots);
    oct_array_free(&world->blocks, &own, sizeof(oct_world_block));
    oct_array_free(&world->types, &own, sizeof(oct_world_type));
    oct_arena_free(&world->texts);
    oct_free(&own, world, sizeof *world);
}

// ---- the whole ----

const char *oct_world_name(const oct_world *world)
{
    return world->name ? world->name : "";
}

oct_result oct_world_set_name(oct_world *world, const char *name)
{
    OCT_TRY(check_name(name));
    const size_t size = strlen(name) + 1;
    char *copy = oct_alloc(&world->allocator, size, 1);
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(copy, name, size);
    free_name(world);
    world->name = copy;
    return OCT_OK;
}

oct_up oct_world_up(const oct_world *world)
{
    return world->up;
}

bool oct_world_left_handed(const oct_world *world)
{
    return world->left_handed;
}

oct_result oct_world_set_axes(oct_world *world, oct_up up, bool left_handed)
{
    if ((uint32_t)up > OCT_UP_Z) {
        return OCT_ERROR_ARGUMENT;
    }
    world->up = up;
    world->left_handed = left_handed;
    return OCT_OK;
}

bool oct_world_start(const oct_world *world, oct_pose *out)
{
    if (world->has_start) {
        *out = world->start;
    }
    return world->has_start;
}

oct_result oct_world_set_start(oct_world *world, const oct_pose *start)
{
    if (!is_finite(start->position) || !is_unit(start->forward) || !is_unit(start->up) ||
        fabs(dot(start->forward, start->up)) > OCT_WORLD_UNIT_SLACK) {
        return OCT_ERROR_ARGUMENT;
    }
    world->start = *start;
    world->has_start = true;
    return OCT_OK;
}

double oct_world_passage(const oct_world *world)
{
    return world->passage;
}

oct_result oct_world_set_passage(oct_world *world, double width)
{
    if (!isfinite(width) || width < 0.0) {
        return OCT_ERROR_ARGUMENT;
    }
    world->passage = width > 0.0 ? width : 0.0; // -0 is 0
    return OCT_OK;
}

// ---- extent ----

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static oct_bounds join(oct_bounds a, oct_bounds b)
{
    return (oct_bounds){{least(a.min.x, b.min.x), least(a.min.y, b.min.y), least(a.min.z, b.min.z)},
                        {most(a.max.x, b.max.x), most(a.max.y, b.max.y), most(a.max.z, b.max.z)}};
}

bool oct_world_bounds(const oct_world *world, oct_bounds *out)
{
    if (world->has_bounds) {
        *out = world->bounds;
    }
    return world->has_bounds;
}

oct_result oct_world_set_bounds(oct_world *world, oct_bounds bounds)
{
    if (!is_box(&bounds)) {
        return OCT_ERROR_ARGUMENT;
    }
    world->bounds = bounds;
    world->has_bounds = true;
    return OCT_OK;
}

oct_bounds oct_world_extent(const oct_world *world)
{
    if (!world->has_bounds) {
        return world->extent;
    }
    return world->blocks.count > 0 ? join(world->extent, world->bounds) : world->bounds;
}

// ---- types and blocks ----

// A copy of a name that lasts as long as the world, or NULL.
static const char *keep_name(oct_world *world, const char *name)
{
    const size_t size = strlen(name) + 1;
    if (size == 1) {
        return "";
    }
    char *copy = oct_arena_alloc(&world->texts, size, 1);
    if (copy) {
        memcpy(copy, name, size);
    }
    return copy;
}

oct_result oct_world_add_type(oct_world *world, const char *name, bool opaque, uint32_t *index)
{
    uint32_t found;
    if (oct_world_find_type(world, name, &found)) {
        if (index) {
            *index = found;
        }
        return type_at(world, found)->opaque == opaque ? OCT_OK : OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(name[0] ? check_name(name) : OCT_ERROR_ARGUMENT);
    const size_t count = world->types.count;
    if (count == OCT_WORLD_TYPES_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(table_reserve(world, &world->type_names, count, hash_of_type));
    const oct_world_type type = {keep_name(world, name), opaque};
    if (!type.name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_push(&world->types, &world->allocator, sizeof type, &type));
    table_put(&world->type_names, hash_name(name), count);
    if (index) {
        *index = (uint32_t)count;
    }
    return OCT_OK;
}

size_t oct_world_types(const oct_world *world)
{
    return world->types.count;
}

oct_world_type oct_world_get_type(const oct_world *world, uint32_t index)
{
    OCT_ASSERT(index < world->types.count);
    return *type_at(world, index);
}

static oct_result check_block(const oct_world *world, const oct_world_block *block)
{
    size_t index;
    if (!is_box(&block->box) || block->label > OCT_BLOCKED || block->type >= world->types.count) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(block->name ? check_name(block->name) : OCT_OK);
    if (oct_world_find(world, block->id, &index)) {
        return OCT_ERROR_EXISTS;
    }
    return world->blocks.count < OCT_WORLD_BLOCKS_MAX ? OCT_OK : OCT_ERROR_RANGE;
}

oct_result oct_world_add(oct_world *world, const oct_world_block *block)
{
    const size_t count = world->blocks.count;
    OCT_TRY(check_block(world, block));
    OCT_TRY(table_reserve(world, &world->ids, count, hash_of_block));
    oct_world_block own = *block;
    own.name = keep_name(world, block->name ? block->name : "");
    if (!own.name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_push(&world->blocks, &world->allocator, sizeof own, &own));
    table_put(&world->ids, hash_id(own.id), count);
    world->extent = count > 0 ? join(world->extent, own.box) : own.box;
    return OCT_OK;
}

size_t oct_world_blocks(const oct_world *world)
{
    return world->blocks.count;
}

oct_world_block oct_world_get(const oct_world *world, size_t index)
{
    OCT_ASSERT(index < world->blocks.count);
    return *block_at(world, index);
}

// ---- into a map ----

oct_thing oct_world_thing(const oct_world *world, size_t index)
{
    OCT_ASSERT(index < world->blocks.count);
    const oct_world_block *const block = block_at(world, index);
    return (oct_thing){.id = block->id,
                       .box = block->box,
                       .label = block->label,
                       .opaque = block->label != OCT_OPEN && type_at(world, block->type)->opaque,
                       .tag = (uint16_t)block->type};
}

oct_result oct_world_add_to(const oct_world *world, oct_map *map, size_t *index)
{
    for (size_t i = 0; i < world->blocks.count; i++) {
        const oct_thing thing = oct_world_thing(world, i);
        const oct_result result = oct_map_add(map, &thing);
        if (result != OCT_OK) {
            if (index) {
                *index = i;
            }
            return result;
        }
    }
    return OCT_OK;
}
