// SPDX-License-Identifier: MIT
// Worlds: blocks and types in arrays, found by id and by name through hash tables of indices.
//
// Names live in an arena, since they are never taken back; blocks and types are handed out as
// copies, so that arrays may move.
#include "world/world_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

// ---- what is sound ----

bool oct_world_is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool is_box(const oct_bounds *box)
{
    return oct_world_is_finite(box->min) && oct_world_is_finite(box->max) &&
           box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

static bool is_unit(oct_point p)
{
    return fabs(point_length(p) - 1.0) <= OCT_WORLD_UNIT_SLACK;
}

bool oct_world_is_pose(const oct_pose *pose)
{
    return oct_world_is_finite(pose->position) && is_unit(pose->forward) && is_unit(pose->up) &&
           fabs(point_dot(pose->forward, pose->up)) <= OCT_WORLD_UNIT_SLACK;
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

oct_result oct_world_check_name(const char *name)
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

bool oct_world_type_is(const char *type, const char *words)
{
    const char *const slash = strchr(type, '/');
    const size_t first = slash ? (size_t)(slash - type) : 0;
    return strcmp(type, words) == 0 ||
           (slash && (strcmp(slash + 1, words) == 0 ||
                      (strlen(words) == first && strncmp(type, words, first) == 0)));
}

bool oct_world_find_type(const oct_world *world, const char *name, uint32_t *index)
{
    uint32_t at = INDEX_TABLE_BEGIN;
    while (index_table_next(&world->type_names, hash_name(name), &at, index)) {
        if (strcmp(type_at(world, *index)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool oct_world_find(const oct_world *world, uint64_t id, size_t *index)
{
    uint32_t found = 0;
    const bool is_there = index_table_find(&world->ids, id, &found);
    *index = is_there ? found : *index;
    return is_there;
}

// ---- life ----

oct_result oct_world_create(const oct_world_def *def, oct_world **out)
{
    const oct_allocator own = oct_allocator_or_default(def ? def->allocator : NULL);
    *out = oct_alloc(&own, sizeof **out, _Alignof(oct_world));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    **out = (oct_world){.allocator = own, .up = OCT_UP_Z, .rules = oct_world_rules_default()};
    (*out)->items[0][0].kind = OCT_ITEM_GRINDER;
    (*out)->items[0][1].kind = OCT_ITEM_WELDER;
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
    oct_index_table_free(&world->ids, &own);
    oct_index_table_free(&world->grid_ids, &own);
    oct_index_table_free(&world->type_names, &own);
    oct_array_free(&world->members, &own, sizeof(oct_world_member));
    oct_array_free(&world->wires, &own, sizeof(oct_world_wire));
    oct_array_free(&world->grids, &own, sizeof(oct_world_grid));
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
    OCT_TRY(oct_world_check_name(name));
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
    if (!oct_world_is_pose(start)) {
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
    world->passage = oct_world_unsigned(width);
    return OCT_OK;
}

// ---- extent ----

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
    return world->blocks.count > 0 ? bounds_join(world->extent, world->bounds) : world->bounds;
}

// ---- types and blocks ----

const char *oct_world_keep_name(oct_world *world, const char *name)
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

oct_world_type oct_world_type_default(void)
{
    return (oct_world_type){.name = "", .opaque = true, .size = {1, 1, 1}, .integrity = 100.0};
}

static bool is_size(int32_t cells)
{
    return cells >= 1 && cells <= OCT_WORLD_SIZE_MAX;
}

static oct_result check_type(const oct_world_type *type)
{
    const bool has_buttons = type->buttons >= 1 && type->buttons <= OCT_WORLD_BUTTONS_MAX;
    if (!type->name[0] || type->kind >= OCT_KIND_COUNT || !is_size(type->size.x) ||
        !is_size(type->size.y) || !is_size(type->size.z) || !isfinite(type->integrity) ||
        type->integrity <= 0.0 ||
        (type->kind == OCT_KIND_PANEL ? !has_buttons : type->buttons != 0)) {
        return OCT_ERROR_ARGUMENT;
    }
    return oct_world_check_name(type->name);
}

static bool is_same_type(const oct_world_type *a, const oct_world_type *b)
{
    return a->opaque == b->opaque && a->kind == b->kind && a->buttons == b->buttons &&
           a->size.x == b->size.x && a->size.y == b->size.y && a->size.z == b->size.z &&
           a->integrity == b->integrity;
}

oct_result oct_world_define(oct_world *world, const oct_world_type *type, uint32_t *index)
{
    uint32_t found;
    if (oct_world_find_type(world, type->name, &found)) {
        if (!is_same_type(type_at(world, found), type)) {
            return OCT_ERROR_ARGUMENT;
        }
        if (index) {
            *index = found;
        }
        return OCT_OK;
    }
    OCT_TRY(check_type(type));
    const size_t count = world->types.count;
    if (count == OCT_WORLD_TYPES_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_index_table_reserve(&world->type_names, &world->allocator, 1));
    oct_world_type own = *type;
    own.name = oct_world_keep_name(world, type->name);
    if (!own.name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_push(&world->types, &world->allocator, sizeof own, &own));
    oct_index_table_put(&world->type_names, hash_name(own.name), (uint32_t)count);
    if (index) {
        *index = (uint32_t)count;
    }
    return OCT_OK;
}

oct_result oct_world_add_type(oct_world *world, const char *name, bool opaque, uint32_t *index)
{
    oct_world_type type = oct_world_type_default();
    type.name = name;
    type.opaque = opaque;
    return oct_world_define(world, &type, index);
}

void oct_world_widen_panel(oct_world *world, uint32_t type, uint8_t buttons)
{
    OCT_ASSERT(type < world->types.count && buttons <= OCT_WORLD_BUTTONS_MAX);
    oct_world_type *const own = (oct_world_type *)world->types.items + type;
    OCT_ASSERT(own->kind == OCT_KIND_PANEL);
    own->buttons = buttons > own->buttons ? buttons : own->buttons;
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

static bool is_condition(const oct_world_block *block, const oct_world_type *type)
{
    return isfinite(block->delay) && block->delay >= 0.0 &&
           (block->delay == 0.0 || type->kind == OCT_KIND_TIMER) && block->damage >= 0.0 &&
           block->damage < type->integrity;
}

// Fills the box of a block that is placed, and empties what only those have of one that is not.
static oct_result check_block(const oct_world *world, oct_world_block *block)
{
    size_t index;
    if (block->label > OCT_BLOCKED || block->type >= world->types.count) {
        return OCT_ERROR_ARGUMENT;
    }
    if (block->placed) {
        OCT_TRY(oct_world_place(world, block, &block->box));
    } else {
        block->forward = block->up = 0;
        block->cell = (oct_vec){0};
    }
    if (!is_box(&block->box) || !is_condition(block, type_at(world, block->type))) {
        return OCT_ERROR_ARGUMENT;
    }
    block->damage = oct_world_unsigned(block->damage);
    block->delay = oct_world_unsigned(block->delay);
    OCT_TRY(block->name ? oct_world_check_name(block->name) : OCT_OK);
    if (oct_world_find(world, block->id, &index)) {
        return OCT_ERROR_EXISTS;
    }
    return world->blocks.count < OCT_WORLD_BLOCKS_MAX ? OCT_OK : OCT_ERROR_RANGE;
}

oct_result oct_world_add(oct_world *world, const oct_world_block *block)
{
    const size_t count = world->blocks.count;
    oct_world_block own = *block;
    OCT_TRY(check_block(world, &own));
    OCT_TRY(oct_index_table_reserve(&world->ids, &world->allocator, 1));
    own.name = oct_world_keep_name(world, block->name ? block->name : "");
    if (!own.name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_push(&world->blocks, &world->allocator, sizeof own, &own));
    oct_index_table_put(&world->ids, own.id, (uint32_t)count);
    world->extent = count > 0 ? bounds_join(world->extent, own.box) : own.box;
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
        oct_piece piece;
        const oct_shape shape = {&piece, 1};
        oct_thing thing = oct_world_thing(world, i);
        thing.shape = oct_world_piece(world, block_at(world, i), &piece) ? &shape : NULL;
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
