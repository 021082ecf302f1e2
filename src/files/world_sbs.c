// SPDX-License-Identifier: MIT
// Saves of Space Engineers: grids, blocks, what buttons and timers do, groups, the character.
//
// Here is what elements mean, grid by grid; save.c makes a world of it. What blocks are named, and
// which types they have, is in engineers.c.
#include "files/world_sbs.h"

#include "base/text.h"
#include "files/engineers.h"
#include "files/save.h"
#include "world/world_internal.h"

#include <math.h>

#define PREFIX "MyObjectBuilder_"
// What is left of a block that the game says is at the end of its integrity.
#define DAMAGE_MAX (1.0 - 0x1p-20)

enum place {
    AT_LEAF,
    AT_SECTOR,
    AT_OBJECTS,
    AT_GRID,
    AT_CHARACTER,
    AT_POSE,
    AT_BLOCKS,
    AT_BLOCK,
    AT_TOOLBAR,
    AT_SLOTS,
    AT_SLOT,
    AT_ITEM,
    AT_GROUPS,
    AT_GROUP,
    AT_CELLS,
    AT_CELL
};

// What was said of a grid or a character, as bits.
enum { HAS_ID = 1, HAS_SIZE = 2, HAS_POSITION = 4, HAS_FORWARD = 8, HAS_UP = 16 };

// ---- values ----

static const char *keep(save_reader *save, const char *words)
{
    if (!words[0]) {
        return "";
    }
    const size_t size = strlen(words) + 1;
    char *const copy = oct_arena_alloc(&save->texts, size, 1);
    if (!copy) {
        oct_xml_out_of_memory(save->xml);
        return "";
    }
    return memcpy(copy, words, size);
}

// The limits are those of a world.
static void push(save_reader *save, oct_array *array, size_t size, size_t most, const char *what,
                 const void *item)
{
    if (array->count == most) {
        oct_xml_refuse(save->xml, "more than %zu %s", most, what);
    } else if (oct_array_push(array, &save->allocator, size, item) != OCT_OK) {
        oct_xml_out_of_memory(save->xml);
    }
}

// The text that was read, to `out`, where there is room for all that is read.
static void copy_text(xml_reader *in, char out[XML_LEAF_MAX + 1])
{
    const char *const words = oct_xml_text(in);
    memcpy(out, words, strlen(words) + 1);
}

// Digits with a point and an exponent, whatever the locale says; finite.
static bool parse_real(const char *word, double *out)
{
    const bool negative = word[0] == '-';
    const input bytes = {(const uint8_t *)word + negative, strlen(word) - negative};
    text in = text_open(bytes);
    if (!oct_text_decimal(&in, out) || in.at != in.end || !isfinite(*out)) {
        return false;
    }
    *out = negative ? -*out : *out;
    return true;
}

// Whole numbers that a cell of a grid can have.
static bool parse_cell(const char *word, int32_t *out)
{
    uint64_t id;
    if (!oct_engineers_id(word, &id)) {
        return false;
    }
    const bool negative = word[0] == '-';
    const uint64_t size = negative ? UINT64_C(0) - id : id;
    if (size > (uint64_t)OCT_WORLD_CELL_MAX) {
        return false;
    }
    *out = negative ? -(int32_t)size : (int32_t)size;
    return true;
}

static uint64_t read_id(xml_reader *in, const char *name)
{
    uint64_t id = 0;
    const char *const word = oct_xml_word(in);
    if (!oct_engineers_id(word, &id)) {
        oct_xml_refuse(in, "%s is '%.40s', not a whole number of 64 bits", name, word);
    }
    return id;
}

static double read_real(xml_reader *in, const char *name, double least, double most)
{
    double value = 0.0;
    const char *const word = oct_xml_word(in);
    if (!parse_real(word, &value) || value < least || value > most) {
        oct_xml_refuse(in, "%s is '%.40s', not a number from %g to %g", name, word, least, most);
    }
    return value;
}

static oct_point read_point(xml_reader *in, const char *name)
{
    static const char *const axes[] = {"x", "y", "z"};
    double p[3] = {0};
    for (int i = 0; i < 3; i++) {
        const char *const word = oct_xml_attribute(in, axes[i]);
        if (!word || !parse_real(word, &p[i])) {
            oct_xml_refuse(in, "%s must have numbers x, y, z", name);
        }
    }
    return (oct_point){p[0], p[1], p[2]};
}

// ---- poses ----

static bool on_position(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->pose.position = read_point(in, "Position");
    save->has |= HAS_POSITION;
    return true;
}

static bool on_forward(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->pose.forward = read_point(in, "Forward");
    save->has |= HAS_FORWARD;
    return true;
}

static bool on_up(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->pose.up = read_point(in, "Up");
    save->has |= HAS_UP;
    return true;
}

static bool is_posed(const save_reader *save)
{
    const uint32_t all = HAS_POSITION | HAS_FORWARD | HAS_UP;
    return (save->has & all) == all;
}

// ---- characters ----

static bool on_character(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    save->has = 0;
    oct_pose start;
    return !oct_world_start(save->world, &start); // the first one counts
}

static void on_character_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    if (save->findings) {
        save->findings->start = oct_xml_place(in).line;
    }
    if (!is_posed(save)) {
        oct_xml_refuse(in, "character: PositionAndOrientation is missing");
    } else if (oct_world_set_start(save->world, &save->pose) != OCT_OK) {
        oct_xml_refuse(in, "character: Forward and Up must be unit vectors at a right angle");
    }
}

static bool on_voxels(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    save->voxels++;
    return false;
}

// ---- grids ----

static bool on_grid(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    save->has = 0;
    save->grid = (oct_world_grid){.name = save->grid_name};
    save->grid_name[0] = '\0';
    return true;
}

static void on_grid_id(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->grid.id = read_id(in, "EntityId");
    save->has |= HAS_ID;
}

static void on_grid_size(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const char *const word = oct_xml_word(in);
    if (!oct_engineers_cell(word, &save->grid.cell)) {
        oct_xml_refuse(in, "GridSizeEnum is '%.40s', neither Large nor Small", word);
    }
    save->has |= HAS_SIZE;
}

static void on_grid_name(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    copy_text(in, save->grid_name);
}

static void on_grid_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const size_t index = oct_world_grids(save->world);
    save->grid.pose = save->pose;
    if (!(save->has & HAS_ID) || !(save->has & HAS_SIZE) || !is_posed(save)) {
        oct_xml_refuse(in, "grid %zu: %s is missing", index,
                       !(save->has & HAS_ID)     ? "EntityId"
                       : !(save->has & HAS_SIZE) ? "GridSizeEnum"
                                                 : "PositionAndOrientation");
        return;
    }
    oct_save_add_grid(save);
}

// ---- blocks ----

static bool on_block(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const char *type = oct_xml_attribute(in, "xsi:type");
    type = type ? type : PREFIX "CubeBlock";
    type += strncmp(type, PREFIX, strlen(PREFIX)) == 0 ? strlen(PREFIX) : 0;
    const size_t size = strlen(type) + 1;
    if (size > sizeof save->type) {
        oct_xml_refuse(in, "xsi:type is longer than %d bytes", OCT_WORLD_NAME_MAX);
        return false;
    }
    memcpy(save->type, type, size);
    save->subtype[0] = save->name[0] = '\0';
    save->block = (save_block){.place = oct_xml_place(in),
                               .forward = OCT_SIDE_FORWARD,
                               .up = OCT_SIDE_UP,
                               .label = OCT_BLOCKED};
    save->block_wire = save->wires.count;
    char name[OCT_WORLD_NAME_MAX + 1];
    oct_world_type known;
    oct_engineers_type(save->type, "", name, &known);
    save->kind = (oct_kind)known.kind;
    return true;
}

static void on_subtype(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    copy_text(in, save->subtype);
}

static void on_block_id(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->block.id = read_id(in, "EntityId");
}

static void on_block_name(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    copy_text(in, save->name);
}

static bool on_min(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    static const char *const axes[] = {"x", "y", "z"};
    int32_t cell[3] = {0};
    for (int i = 0; i < 3; i++) {
        const char *const word = oct_xml_attribute(in, axes[i]);
        if (!word || !parse_cell(word, &cell[i])) {
            oct_xml_refuse(in, "Min must have whole numbers x, y, z from -2^20 to 2^20");
        }
    }
    save->block.cell = (oct_vec){cell[0], cell[1], cell[2]};
    return true;
}

static bool on_orientation(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const char *const forward = oct_xml_attribute(in, "Forward");
    const char *const up = oct_xml_attribute(in, "Up");
    uint8_t sides[2];
    if (!forward || !up || !oct_engineers_side(forward, &sides[0]) ||
        !oct_engineers_side(up, &sides[1]) || !oct_world_is_turn(sides[0], sides[1])) {
        oct_xml_refuse(in, "BlockOrientation must have sides Forward and Up at a right angle");
        return false;
    }
    save->block.forward = sides[0];
    save->block.up = sides[1];
    return true;
}

static void on_integrity(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const double lost = 1.0 - read_real(in, "IntegrityPercent", 0.0, 1.0);
    save->block.damage = lost < DAMAGE_MAX ? lost : DAMAGE_MAX; // a part, so far
}

static void on_open(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const char *const word = oct_xml_word(in);
    const bool open = strcmp(word, "true") == 0;
    if (!open && strcmp(word, "false") != 0) {
        oct_xml_refuse(in, "Open is '%.40s', neither true nor false", word);
    }
    save->block.label = open && save->kind == OCT_KIND_DOOR ? OCT_OPEN : OCT_BLOCKED;
}

static void on_delay(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    if (save->kind == OCT_KIND_TIMER) {
        save->block.delay = read_real(in, "Delay", 0.0, 1e12) / 1000.0;
    }
}

// Defines the block's type, or finds it; its buttons may have become more.
static bool find_type(save_reader *save, uint32_t *index)
{
    xml_reader *const in = save->xml;
    const oct_world *const sizes = save->extras.sizes;
    char name[OCT_WORLD_NAME_MAX + 1];
    oct_world_type type;
    uint32_t found;
    if (!oct_engineers_type(save->type, save->subtype, name, &type)) {
        oct_xml_refuse(in, "its type and subtype are longer than %d bytes", OCT_WORLD_NAME_MAX);
        return false;
    }
    if (sizes && oct_world_find_type(sizes, name, &found)) {
        type.size = oct_world_get_type(sizes, found).size;
    }
    if (oct_world_find_type(save->world, name, &found)) {
        type.buttons = oct_world_get_type(save->world, found).buttons;
    }
    const oct_result result = oct_world_define(save->world, &type, index);
    if (result == OCT_ERROR_MEMORY) {
        oct_xml_out_of_memory(in);
    } else if (result == OCT_ERROR_RANGE) {
        oct_xml_refuse(in, "more than %u types", (unsigned)OCT_WORLD_TYPES_MAX);
    } else if (result != OCT_OK) {
        // "a/b" and "c" make the same name as "a" and "b/c".
        oct_xml_refuse(in, "its type, '%.60s', is also that of other blocks", name);
    }
    return result == OCT_OK;
}

static void on_block_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    if (!find_type(save, &save->block.type)) {
        return;
    }
    const save_wire *const wires = save->wires.items;
    for (size_t i = save->block_wire; save->kind == OCT_KIND_PANEL && i < save->wires.count; i++) {
        if (wires[i].slot >= OCT_WORLD_BUTTONS_MAX) {
            oct_xml_refuse(in, "a panel has no button %u", (unsigned)wires[i].slot);
            return;
        }
        oct_world_widen_panel(save->world, save->block.type, (uint8_t)(wires[i].slot + 1));
    }
    save->block.name = keep(save, save->name);
    push(save, &save->blocks, sizeof save->block, OCT_WORLD_BLOCKS_MAX, "blocks", &save->block);
}

// ---- wires ----

static bool on_toolbar(void *ctx, xml_reader *in)
{
    (void)in;
    const save_reader *const save = ctx;
    return save->kind == OCT_KIND_PANEL || save->kind == OCT_KIND_TIMER;
}

static bool on_slot(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->wire = (save_wire){.block = (uint32_t)save->blocks.count, // the next
                             .action = OCT_WIRE_OTHER,
                             .line = oct_xml_place(in).line};
    save->wire_group[0] = '\0';
    save->has_slot = save->has_item = false;
    return true;
}

static void on_index(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const uint64_t slot = read_id(in, "Index");
    if (slot >= UINT32_MAX) {
        oct_xml_refuse(in, "Index is not from 0 to 2^32 - 2");
    }
    save->wire.slot = (uint32_t)slot;
    save->has_slot = true;
}

static bool on_item(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    save->has_item = true;
    return true;
}

static void on_action(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->wire.action = (uint8_t)oct_engineers_action(oct_xml_word(in));
}

static void on_item_block(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save->wire.to = read_id(in, "BlockEntityId");
}

static void on_item_group(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    copy_text(in, save->wire_group);
}

static void on_slot_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    if (!save->has_item) {
        return; // a tool, an emote, nothing
    }
    if (!save->has_slot) {
        oct_xml_refuse(in, "Index of the slot is missing");
        return;
    }
    save->wire.group = keep(save, save->wire_group);
    push(save, &save->wires, sizeof save->wire, OCT_WORLD_WIRES_MAX, "wires", &save->wire);
}

// ---- groups ----

static bool on_group(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    save->group[0] = '\0';
    save->group_member = save->members.count;
    return true;
}

static void on_group_name(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    copy_text(in, save->group);
}

static bool on_cell(void *ctx, xml_reader *in)
{
    (void)in;
    save_reader *const save = ctx;
    memset(save->cell, 0, sizeof save->cell);
    return true;
}

static void read_axis(save_reader *save, int axis)
{
    const char *const word = oct_xml_word(save->xml);
    if (!parse_cell(word, &save->cell[axis])) {
        oct_xml_refuse(save->xml, "%c is '%.40s', not a whole number from -2^20 to 2^20",
                       "XYZ"[axis], word);
    }
}

static void on_x(void *ctx, xml_reader *in)
{
    (void)in;
    read_axis(ctx, 0);
}

static void on_y(void *ctx, xml_reader *in)
{
    (void)in;
    read_axis(ctx, 1);
}

static void on_z(void *ctx, xml_reader *in)
{
    (void)in;
    read_axis(ctx, 2);
}

static void on_cell_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    const int32_t *const c = save->cell;
    const save_member member = {.cell = {c[0], c[1], c[2]},
                                .order = (uint32_t)save->members.count,
                                .block = SAVE_NOBODY,
                                .line = oct_xml_place(in).line};
    push(save, &save->members, sizeof member, OCT_WORLD_MEMBERS_MAX, "blocks in groups", &member);
}

static void on_group_end(void *ctx, xml_reader *in)
{
    save_reader *const save = ctx;
    save_member *const members = save->members.items;
    if (!save->group[0] && save->members.count > save->group_member) {
        oct_xml_refuse(in, "Name of the group is missing");
    }
    const char *const name = keep(save, save->group);
    for (size_t i = save->group_member; i < save->members.count; i++) {
        members[i].group = name;
    }
}

// ---- the table ----

#define LEAF(in, name, close)                                                                      \
    {                                                                                              \
        in, AT_LEAF, name, NULL, NULL, close                                                       \
    }

static const xml_rule rules[] = {
    {0, AT_SECTOR, "MyObjectBuilder_Sector", NULL, NULL, NULL},
    {AT_SECTOR, AT_OBJECTS, "SectorObjects", NULL, NULL, NULL},

    {AT_OBJECTS, AT_GRID, PREFIX "EntityBase", PREFIX "CubeGrid", on_grid, on_grid_end},
    LEAF(AT_GRID, "EntityId", on_grid_id),
    {AT_GRID, AT_POSE, "PositionAndOrientation", NULL, NULL, NULL},
    LEAF(AT_GRID, "GridSizeEnum", on_grid_size),
    LEAF(AT_GRID, "DisplayName", on_grid_name),
    {AT_GRID, AT_BLOCKS, "CubeBlocks", NULL, NULL, NULL},
    {AT_GRID, AT_GROUPS, "BlockGroups", NULL, NULL, NULL},

    {AT_OBJECTS, AT_CHARACTER, PREFIX "EntityBase", PREFIX "Character", on_character,
     on_character_end},
    {AT_CHARACTER, AT_POSE, "PositionAndOrientation", NULL, NULL, NULL},

    {AT_OBJECTS, AT_LEAF, PREFIX "EntityBase", PREFIX "VoxelMap", on_voxels, NULL},
    {AT_OBJECTS, AT_LEAF, PREFIX "EntityBase", PREFIX "Planet", on_voxels, NULL},

    {AT_POSE, AT_LEAF, "Position", NULL, on_position, NULL},
    {AT_POSE, AT_LEAF, "Forward", NULL, on_forward, NULL},
    {AT_POSE, AT_LEAF, "Up", NULL, on_up, NULL},

    {AT_BLOCKS, AT_BLOCK, PREFIX "CubeBlock", NULL, on_block, on_block_end},
    LEAF(AT_BLOCK, "SubtypeName", on_subtype),
    LEAF(AT_BLOCK, "EntityId", on_block_id),
    LEAF(AT_BLOCK, "CustomName", on_block_name),
    LEAF(AT_BLOCK, "IntegrityPercent", on_integrity),
    LEAF(AT_BLOCK, "Open", on_open),
    LEAF(AT_BLOCK, "Delay", on_delay),
    {AT_BLOCK, AT_LEAF, "Min", NULL, on_min, NULL},
    {AT_BLOCK, AT_LEAF, "BlockOrientation", NULL, on_orientation, NULL},
    {AT_BLOCK, AT_TOOLBAR, "Toolbar", NULL, on_toolbar, NULL},

    {AT_TOOLBAR, AT_SLOTS, "Slots", NULL, NULL, NULL},
    {AT_SLOTS, AT_SLOT, "Slot", NULL, on_slot, on_slot_end},
    LEAF(AT_SLOT, "Index", on_index),
    {AT_SLOT, AT_ITEM, "Data", PREFIX "ToolbarItemTerminalBlock", on_item, NULL},
    {AT_SLOT, AT_ITEM, "Data", PREFIX "ToolbarItemTerminalGroup", on_item, NULL},
    LEAF(AT_ITEM, "Action", on_action),
    LEAF(AT_ITEM, "BlockEntityId", on_item_block),
    LEAF(AT_ITEM, "GroupName", on_item_group),

    {AT_GROUPS, AT_GROUP, PREFIX "BlockGroup", NULL, on_group, on_group_end},
    LEAF(AT_GROUP, "Name", on_group_name),
    {AT_GROUP, AT_CELLS, "Blocks", NULL, NULL, NULL},
    {AT_CELLS, AT_CELL, "Vector3I", NULL, on_cell, on_cell_end},
    LEAF(AT_CELL, "X", on_x),
    LEAF(AT_CELL, "Y", on_y),
    LEAF(AT_CELL, "Z", on_z),

    {0, AT_LEAF, NULL, NULL, NULL, NULL},
};

// ---- life ----

save_reader *oct_save_create(const oct_world_extras *extras, const oct_allocator *allocator,
                             const XML_Memory_Handling_Suite *memory)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    save_reader *const save = oct_alloc(&own, sizeof *save, _Alignof(save_reader));
    if (!save) {
        return NULL;
    }
    *save = (save_reader){.allocator = own};
    save->extras = extras ? *extras : save->extras;
    oct_arena_init(&save->texts, &own);
    save->xml = oct_xml_create(rules, save, &own, memory);
    if (!save->xml || oct_world_create(&(oct_world_def){&own}, &save->world) != OCT_OK) {
        oct_save_destroy(save);
        return NULL;
    }
    oct_world_set_axes(save->world, OCT_UP_Y, false);
    oct_world_set_passage(save->world, ENGINEERS_PASSAGE);
    return save;
}

void oct_save_destroy(save_reader *save)
{
    if (!save) {
        return;
    }
    const oct_allocator own = save->allocator;
    oct_array_free(&save->members, &own, sizeof(save_member));
    oct_array_free(&save->wires, &own, sizeof(save_wire));
    oct_array_free(&save->blocks, &own, sizeof(save_block));
    oct_arena_free(&save->texts);
    oct_world_destroy(save->world);
    oct_xml_destroy(save->xml);
    oct_free(&own, save, sizeof *save);
}

void oct_save_find(save_reader *save, world_findings *may_be_null)
{
    save->findings = may_be_null;
}

oct_result oct_save_feed(save_reader *save, const void *data, size_t size, bool last,
                         oct_world **world, oct_error *error)
{
    *world = NULL;
    OCT_TRY(oct_xml_feed(save->xml, data, size, last, error));
    if (!last) {
        return OCT_OK;
    }
    oct_save_warn(save);
    *world = save->world;
    save->world = NULL;
    return OCT_OK;
}

bool oct_save_is_meant(const void *data, size_t size)
{
    const char *const bytes = data;
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at]) {
        at++;
    }
    return at < size && bytes[at] == '<';
}
