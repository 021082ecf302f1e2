// SPDX-License-Identifier: MIT
// Worlds of Space Engineers as extracted from save games to JSON.
//
// Only what a world holds is read; other keys are the extractor's own and are passed over. Armour
// has no id in the game: it is named by its grid and its smallest cell there, and its id is the
// name's hash with the highest bit set, which ids of the game do not have (oct_world_cell_id).
//
// Where grids have poses, blocks with an orientation stand on their cells; their boxes are made
// from those, and what the file says of them, rounded to 1e-4 m, is only compared. The file turns a
// block's size with the block: types have it as it was before.
#include "files/engineers.h"
#include "files/world_reader.h"
#include "world/world_internal.h"

#include <math.h>
#include <stdio.h>

// How far the file's box may be from that of the cells, metres: a wrong size is off by half a small
// block at least.
#define BOX_SLACK 0.01

// ---- grids ----

// The game's ids are signed; they are strings since a double cannot hold them.
static oct_result read_entity_id(const world_reader *in, const json_t *value, const char *name,
                                 uint64_t *id)
{
    const char *text;
    OCT_TRY(oct_world_text(in, value, name, &text));
    return oct_engineers_id(text, id)
               ? OCT_OK
               : oct_world_refuse(in, "%s is '%.40s', not a number below 2^64", name, text);
}

static oct_result read_grid_pose(world_reader *in, size_t index, uint64_t id, const json_t *item,
                                 const json_t *pose)
{
    const char *size = "Large";
    oct_world_grid grid = {.id = id};
    const json_t *const size_said = json_object_get(item, "gridSize");
    const json_t *const name = json_object_get(item, "displayName");
    snprintf(in->subject, sizeof in->subject, "grid %zu (id %llu)", index, (unsigned long long)id);
    OCT_TRY(oct_world_object(in, pose, "pose"));
    OCT_TRY(oct_world_pose(in, pose, false, &grid.pose));
    OCT_TRY(size_said ? oct_world_text(in, size_said, "gridSize", &size) : OCT_OK);
    OCT_TRY(name ? oct_world_short_text(in, name, "displayName", &grid.name) : OCT_OK);
    return oct_engineers_cell(size, &grid.cell)
               ? oct_world_take_grid(in, &grid)
               : oct_world_refuse(in, "gridSize cannot be '%.40s'", size);
}

// All grids have a pose, or none has.
static oct_result read_grid(world_reader *in, size_t index, json_t *item)
{
    uint64_t id;
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(read_entity_id(in, json_object_get(item, "entityId"), "entityId", &id));
    const json_t *const pose = json_object_get(item, "pose");
    if (index > 0 && (oct_world_grids(in->world) > 0) != (pose != NULL)) {
        return oct_world_refuse(in, pose ? "it has a pose, but grids before it have none"
                                         : "pose is missing");
    }
    OCT_TRY(pose ? read_grid_pose(in, index, id, item, pose) : OCT_OK);
    return oct_array_push(&in->grids, &in->allocator, sizeof id, &id) == OCT_OK
               ? OCT_OK
               : oct_io_out_of_memory(in->error);
}

// ---- blocks ----

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

// The grid of a block that must have one, and its smallest cell there.
static oct_result read_cell(const world_reader *in, const json_t *item, oct_world_block *block)
{
    double cell[3];
    if (!find_grid(in, item, &block->grid)) {
        return oct_world_refuse(in, "gridIndex must be that of one of the grids");
    }
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "min"), "min", 3, cell));
    for (int i = 0; i < 3; i++) {
        if (cell[i] != floor(cell[i]) || fabs(cell[i]) >= 0x1p31) {
            return oct_world_refuse(in, "min must be whole numbers below 2^31");
        }
    }
    block->cell = (oct_vec){(int32_t)cell[0], (int32_t)cell[1], (int32_t)cell[2]};
    return OCT_OK;
}

// Id and name; `own_name` is where one that is made up has room.
static oct_result read_identity(world_reader *in, size_t index, const json_t *item,
                                oct_world_block *block, char own_name[ENGINEERS_CELL_NAME])
{
    const json_t *const id = json_object_get(item, "entityId");
    const json_t *const name = json_object_get(item, "name");
    OCT_TRY(name ? oct_world_short_text(in, name, "name", &block->name) : OCT_OK);
    if (id && !json_is_null(id)) {
        OCT_TRY(read_entity_id(in, id, "entityId", &block->id));
        snprintf(in->subject, sizeof in->subject, "block %zu (id %llu)", index,
                 (unsigned long long)block->id);
        return OCT_OK;
    }
    OCT_TRY(read_cell(in, item, block));
    const uint64_t grid = ((const uint64_t *)in->grids.items)[block->grid];
    oct_engineers_cell_name(grid, block->cell, own_name);
    block->id = oct_world_cell_id(grid, block->cell);
    block->name = block->name && block->name[0] ? block->name : own_name;
    snprintf(in->subject, sizeof in->subject, "block %zu (%s)", index, own_name);
    return OCT_OK;
}

static oct_result read_side(const world_reader *in, const json_t *item, const char *name,
                            uint8_t *out)
{
    const char *word;
    OCT_TRY(oct_world_text(in, json_object_get(item, name), name, &word));
    return oct_engineers_side(word, out) ? OCT_OK
                                         : oct_world_refuse(in, "%s cannot be '%.40s'", name, word);
}

// Where a block stands on its grid. *size gets that of its type.
static oct_result read_place(const world_reader *in, const json_t *item, oct_world_block *block,
                             oct_vec *size)
{
    oct_vec turned;
    OCT_TRY(read_cell(in, item, block));
    OCT_TRY(read_side(in, item, "fwd", &block->forward));
    OCT_TRY(read_side(in, item, "up", &block->up));
    OCT_TRY(
        oct_world_cells(in, json_object_get(item, "size"), "size", 1, OCT_WORLD_SIZE_MAX, &turned));
    if (!oct_world_is_turn(block->forward, block->up)) {
        return oct_world_refuse(in, "fwd and up must be at a right angle");
    }
    block->placed = true;
    *size = oct_world_unturn(turned, block->forward, block->up);
    return OCT_OK;
}

static oct_result read_box(const world_reader *in, const json_t *item, oct_bounds *box)
{
    double lo[3], hi[3];
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "aabbMin"), "aabbMin", 3, lo));
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "aabbMax"), "aabbMax", 3, hi));
    *box = (oct_bounds){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
    return OCT_OK;
}

static bool is_near(oct_point a, oct_point b)
{
    return fabs(a.x - b.x) <= BOX_SLACK && fabs(a.y - b.y) <= BOX_SLACK &&
           fabs(a.z - b.z) <= BOX_SLACK;
}

// Whether the block that was added last has the box that the file says.
static oct_result compare_box(const world_reader *in, oct_bounds said)
{
    const oct_bounds box = oct_world_get(in->world, oct_world_blocks(in->world) - 1).box;
    return is_near(box.min, said.min) && is_near(box.max, said.max)
               ? OCT_OK
               : oct_world_refuse(in, "aabbMin and aabbMax are not those of its cells");
}

// ---- types ----

// Refuses what a type cannot be beside what it was before; its buttons may have become more.
static oct_result compare_types(const world_reader *in, const oct_world_type *before,
                                const oct_world_type *type)
{
    // "a/b" and "c" make the same name as "a" and "b/c".
    if (before->opaque != type->opaque) {
        return oct_world_refuse(in, "the type is both glass and not");
    }
    if (before->kind != type->kind) {
        return oct_world_refuse(in, "the type is a %s and a %s", oct_kind_name(before->kind),
                                oct_kind_name(type->kind));
    }
    const oct_vec a = before->size, b = type->size;
    return a.x == b.x && a.y == b.y && a.z == b.z
               ? OCT_OK
               : oct_world_refuse(in,
                                  "others of its type have %d x %d x %d cells, not %d x %d x %d",
                                  a.x, a.y, a.z, b.x, b.y, b.z);
}

static oct_result read_type(world_reader *in, const json_t *item, oct_vec size, uint32_t *index)
{
    const char *word, *subtype;
    char name[OCT_WORLD_NAME_MAX + 1];
    OCT_TRY(oct_world_text(in, json_object_get(item, "type"), "type", &word));
    OCT_TRY(oct_world_text(in, json_object_get(item, "subtype"), "subtype", &subtype));
    oct_world_type type;
    if (!oct_engineers_type(word, subtype, name, &type)) {
        return oct_world_refuse(in, "type and subtype are too long");
    }
    type.size = size;
    if (oct_world_find_type(in->world, name, index)) {
        const oct_world_type before = oct_world_get_type(in->world, *index);
        return compare_types(in, &before, &type);
    }
    return oct_world_take_type(in, &type, index);
}

// ---- wires ----

static oct_result read_wire(world_reader *in, const json_t *item, const oct_world_block *block)
{
    const char *action;
    const json_t *const group = json_object_get(item, "group");
    const bool is_panel = oct_world_get_type(in->world, block->type).kind == OCT_KIND_PANEL;
    oct_world_wire wire = {.from = block->id};
    OCT_TRY(oct_world_whole(in, json_object_get(item, "slot"), "slot",
                            is_panel ? OCT_WORLD_BUTTONS_MAX : OCT_WORLD_WHOLE_BELOW, &wire.slot));
    OCT_TRY(oct_world_text(in, json_object_get(item, "action"), "action", &action));
    wire.action = (uint8_t)oct_engineers_action(action);
    if (group && !json_is_null(group)) {
        OCT_TRY(oct_world_short_text(in, group, "group", &wire.group));
        if (in->findings) {
            in->findings->lacks |= LACKS_GROUPS; // which are not extracted
        }
    }
    if (!wire.group || !wire.group[0]) {
        OCT_TRY(
            read_entity_id(in, json_object_get(item, "blockEntityId"), "blockEntityId", &wire.to));
    }
    if (is_panel) {
        oct_world_widen_panel(in->world, block->type, (uint8_t)(wire.slot + 1));
    }
    return oct_world_take_wire(in, &wire);
}

// What a panel or a timer does; toolbars of others are for who sits there.
static oct_result read_toolbar(world_reader *in, const json_t *item, const oct_world_block *block)
{
    const uint8_t kind = oct_world_get_type(in->world, block->type).kind;
    const json_t *const list = json_object_get(item, "toolbar");
    if (!list || (kind != OCT_KIND_PANEL && kind != OCT_KIND_TIMER)) {
        return OCT_OK;
    }
    if (!json_is_array(list)) {
        return oct_world_refuse(in, "toolbar must be a list");
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const wire = json_array_get(list, i);
        OCT_TRY(oct_world_object(in, wire, "what is in toolbar"));
        OCT_TRY(read_wire(in, wire, block));
    }
    return OCT_OK;
}

// ---- a block ----

static oct_result read_state(const world_reader *in, const json_t *item, oct_world_block *block)
{
    bool is_open = false;
    double delay = 0.0;
    const json_t *const open_said = json_object_get(item, "open");
    const json_t *const delay_said = json_object_get(item, "delayMs");
    OCT_TRY(open_said ? oct_world_bool(in, open_said, "open", &is_open) : OCT_OK);
    OCT_TRY(delay_said ? oct_world_real(in, delay_said, "delayMs", &delay) : OCT_OK);
    if (delay < 0.0) {
        return oct_world_refuse(in, "delayMs must not be negative");
    }
    const bool is_timer = oct_world_get_type(in->world, block->type).kind == OCT_KIND_TIMER;
    block->label = is_open ? OCT_OPEN : OCT_BLOCKED;
    block->delay = is_timer ? delay / 1000.0 : 0.0;
    return OCT_OK;
}

static oct_result read_block(world_reader *in, size_t index, json_t *item)
{
    char own_name[ENGINEERS_CELL_NAME];
    oct_world_block block = {.name = NULL};
    oct_vec size = {1, 1, 1};
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(read_identity(in, index, item, &block, own_name));
    const bool has_place = oct_world_grids(in->world) > 0 && json_object_get(item, "fwd");
    const bool has_box = !has_place || json_object_get(item, "aabbMin");
    OCT_TRY(has_box ? read_box(in, item, &block.box) : OCT_OK);
    const oct_bounds said = block.box;
    find_grid(in, item, &block.grid); // armour alone must have one
    OCT_TRY(has_place ? read_place(in, item, &block, &size) : OCT_OK);
    OCT_TRY(read_type(in, item, size, &block.type));
    OCT_TRY(read_state(in, item, &block));
    OCT_TRY(oct_world_take(in, &block));
    OCT_TRY(has_place && has_box ? compare_box(in, said) : OCT_OK);
    return read_toolbar(in, item, &block);
}

// ---- the whole ----

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
    oct_pose start;
    OCT_TRY(oct_world_pose(in, pose, false, &start));
    return oct_world_take_start(in, &start);
}

static oct_result read_world(world_reader *in)
{
    OCT_TRY(oct_world_set_axes(in->world, OCT_UP_Y, false));
    OCT_TRY(oct_world_set_passage(in->world, ENGINEERS_PASSAGE));
    OCT_TRY(oct_world_forgive(in, read_name(in)));
    OCT_TRY(oct_world_forgive(in, read_character(in)));
    OCT_TRY(oct_world_each(in, "grids", "grid", read_grid));
    if (in->findings && in->findings->lacks & LACKS_GRIDS) {
        return OCT_OK; // blocks stand on all of them, or on boxes of their own
    }
    return oct_world_each(in, "blocks", "block", read_block);
}

const world_format oct_world_engineers = {"space-engineers", read_world};
