// SPDX-License-Identifier: MIT
// Worlds of Space Engineers as extracted from save games to JSON.
//
// Only what a world holds is read; other keys are the extractor's own and are passed over. Armour
// has no id in the game: it is named by its grid and its smallest cell there, and its id is the
// name's hash with the highest bit set, which ids of the game do not have.
#include "io/world_reader.h"

#include <math.h>
#include <stdio.h>

// The edge of a large block, which doors and corridors are wide, metres.
#define BLOCK_EDGE 2.5
#define HASHED_ID (UINT64_C(1) << 63)

// The game's ids are signed; they are strings since a double cannot hold them.
static oct_result read_entity_id(const world_reader *in, const json_t *value, uint64_t *id)
{
    const char *text;
    OCT_TRY(oct_world_text(in, value, "entityId", &text));
    const bool negative = text[0] == '-';
    if (!oct_world_parse_id(text + negative, id)) {
        return oct_world_refuse(in, "entityId is '%.40s', not a number below 2^64", text);
    }
    *id = negative ? UINT64_C(0) - *id : *id;
    return OCT_OK;
}

static oct_result read_grid(world_reader *in, size_t index, json_t *item)
{
    (void)index;
    uint64_t id;
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(read_entity_id(in, json_object_get(item, "entityId"), &id));
    return oct_array_push(&in->grids, &in->allocator, sizeof id, &id) == OCT_OK
               ? OCT_OK
               : oct_io_out_of_memory(in->error);
}

// The index of the block's grid; false where it names none of them.
static bool find_grid(const world_reader *in, const json_t *item, uint32_t *out)
{
    const json_t *const grid = json_object_get(item, "gridIndex");
    const json_int_t index = json_integer_value(grid);
    if (!json_is_integer(grid) || index < 0 || (uint64_t)index >= in->grids.count ||
        index > (json_int_t)UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)index;
    return true;
}

// "GRID/x,y,z"
static oct_result name_by_cell(const world_reader *in, const json_t *item, char *name, size_t size)
{
    double cell[3];
    uint32_t index;
    if (!find_grid(in, item, &index)) {
        return oct_world_refuse(in, "gridIndex must be that of one of the grids");
    }
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "min"), "min", 3, cell));
    for (int i = 0; i < 3; i++) {
        if (cell[i] != floor(cell[i]) || fabs(cell[i]) >= 0x1p31) {
            return oct_world_refuse(in, "min must be whole numbers below 2^31");
        }
    }
    const uint64_t *const ids = in->grids.items;
    snprintf(name, size, "%lld/%ld,%ld,%ld", (long long)ids[index], (long)cell[0], (long)cell[1],
             (long)cell[2]);
    return OCT_OK;
}

// The type's name is the game's type and subtype; panes of glass are what one sees through.
static oct_result read_type(const world_reader *in, const json_t *item, uint32_t *index)
{
    const char *type, *subtype;
    char name[OCT_WORLD_NAME_MAX + 1];
    OCT_TRY(oct_world_text(in, json_object_get(item, "type"), "type", &type));
    OCT_TRY(oct_world_text(in, json_object_get(item, "subtype"), "subtype", &subtype));
    const int length = snprintf(name, sizeof name, "%s/%s", type, subtype);
    if (length < 0 || (size_t)length >= sizeof name) {
        return oct_world_refuse(in, "type and subtype are too long");
    }
    const bool opaque = strncmp(subtype, "Window", 6) != 0;
    const oct_result result = oct_world_add_type(in->world, name, opaque, index);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u types", (unsigned)OCT_WORLD_TYPES_MAX);
    }
    // "a/b" and "c" make the same name as "a" and "b/c".
    if (result == OCT_ERROR_ARGUMENT) {
        return oct_world_refuse(in, "the type is both glass and not");
    }
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : result;
}

static oct_result read_box(const world_reader *in, const json_t *item, oct_bounds *box)
{
    double lo[3], hi[3];
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "aabbMin"), "aabbMin", 3, lo));
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "aabbMax"), "aabbMax", 3, hi));
    *box = (oct_bounds){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
    return OCT_OK;
}

// Id and name; `own_name` is where one that is made up has room.
static oct_result read_identity(world_reader *in, size_t index, const json_t *item,
                                oct_world_block *block, char *own_name, size_t size)
{
    const json_t *const id = json_object_get(item, "entityId");
    const json_t *const name = json_object_get(item, "name");
    OCT_TRY(name ? oct_world_short_text(in, name, "name", &block->name) : OCT_OK);
    if (id && !json_is_null(id)) {
        OCT_TRY(read_entity_id(in, id, &block->id));
        snprintf(in->subject, sizeof in->subject, "block %zu (id %llu)", index,
                 (unsigned long long)block->id);
        return OCT_OK;
    }
    OCT_TRY(name_by_cell(in, item, own_name, size));
    block->id = oct_hash_bytes(own_name, strlen(own_name)) | HASHED_ID;
    block->name = block->name && block->name[0] ? block->name : own_name;
    snprintf(in->subject, sizeof in->subject, "block %zu (%s)", index, own_name);
    return OCT_OK;
}

static oct_result read_block(world_reader *in, size_t index, json_t *item)
{
    char own_name[64];
    bool open = false;
    oct_world_block block = {.name = NULL};
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(read_identity(in, index, item, &block, own_name, sizeof own_name));
    OCT_TRY(read_box(in, item, &block.box));
    const json_t *const said = json_object_get(item, "open");
    OCT_TRY(said ? oct_world_bool(in, said, "open", &open) : OCT_OK);
    block.label = open ? OCT_OPEN : OCT_BLOCKED;
    find_grid(in, item, &block.grid); // armour alone must have one
    OCT_TRY(read_type(in, item, &block.type));
    return oct_world_take(in, &block);
}

static oct_result read_name(world_reader *in)
{
    json_t *value;
    const char *name;
    OCT_TRY(oct_world_value(in, "world", &value));
    if (!value) {
        return OCT_OK;
    }
    OCT_TRY(oct_world_short_text(in, value, "world", &name));
    const oct_result result = oct_world_set_name(in->world, name);
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : result;
}

static oct_result read_character(world_reader *in)
{
    json_t *value;
    OCT_TRY(oct_world_value(in, "character", &value));
    if (!value || json_is_null(value)) {
        return OCT_OK;
    }
    snprintf(in->subject, sizeof in->subject, "character");
    OCT_TRY(oct_world_object(in, value, "it"));
    const json_t *const pose = json_object_get(value, "pose");
    OCT_TRY(oct_world_object(in, pose, "pose"));
    return oct_world_pose(in, pose);
}

static oct_result read_world(world_reader *in)
{
    OCT_TRY(oct_world_set_axes(in->world, OCT_UP_Y, false));
    OCT_TRY(oct_world_set_passage(in->world, BLOCK_EDGE));
    OCT_TRY(read_name(in));
    OCT_TRY(read_character(in));
    OCT_TRY(oct_world_each(in, "grids", "grid", read_grid));
    return oct_world_each(in, "blocks", "block", read_block);
}

const world_format oct_world_engineers = {"space-engineers", read_world};
