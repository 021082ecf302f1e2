// SPDX-License-Identifier: MIT
// Our own world format, version 1, from JSON and to it (docs/testers/worlds.md).
//
// Keys that the format does not have are refused, since a misspelt one would otherwise pass
// unnoticed; those that begin with "x-" are other programs' and are passed over.
#include "files/world_octant.h"

#include <stdio.h>

#define FORMAT_NAME "octant-world"
#define FORMAT_VERSION 1

// Ids from here on are strings: programs that read numbers as doubles would change them.
#define ID_TEXT_FROM (INT64_C(1) << 53)

static const char *const up_names[] = {[OCT_UP_X] = "x", [OCT_UP_Y] = "y", [OCT_UP_Z] = "z"};
static const char *const handed_names[] = {"right", "left"};
static const char *const label_names[] = {
    [OCT_UNKNOWN] = "unknown", [OCT_OPEN] = "open", [OCT_BLOCKED] = "blocked"};

// ---- in ----

static oct_result check_key(const world_reader *in, const char *key, const char *const *keys,
                            size_t count)
{
    bool known = strncmp(key, "x-", 2) == 0;
    for (size_t i = 0; !known && i < count; i++) {
        known = strcmp(key, keys[i]) == 0;
    }
    return known ? OCT_OK : oct_world_refuse(in, "unknown key '%.40s'", key);
}

oct_result oct_octant_keys(const world_reader *in, json_t *value, const char *name,
                           const char *const *keys, size_t count)
{
    OCT_TRY(oct_world_object(in, value, name));
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        OCT_TRY(check_key(in, json_object_iter_key(at), keys, count));
    }
    return OCT_OK;
}

oct_result oct_octant_id(const world_reader *in, const json_t *value, const char *name,
                         uint64_t *id)
{
    if (!value) {
        return oct_world_refuse(in, "%s is missing", name);
    }
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && number < ID_TEXT_FROM) {
        *id = (uint64_t)number;
    } else if (!json_is_string(value) || !oct_world_parse_id(json_string_value(value), id)) {
        return oct_world_refuse(in,
                                "%s must be a whole number below 2^53, or a string of digits "
                                "for one below 2^64",
                                name);
    }
    return OCT_OK;
}

oct_result oct_octant_type(const world_reader *in, const json_t *value, uint32_t *type)
{
    const char *name;
    OCT_TRY(oct_world_text(in, value, "type", &name));
    return oct_world_find_type(in->world, name, type)
               ? OCT_OK
               : oct_world_refuse(in, "there is no type '%.40s'", name);
}

// A word that need not be there; *out is as it was where it is not.
static oct_result read_word(const world_reader *in, const json_t *value, const char *name,
                            const char *const *words, size_t count, size_t *out)
{
    return value ? oct_world_word(in, value, name, words, count, out) : OCT_OK;
}

static oct_result read_box(const world_reader *in, const json_t *value, const char *name,
                           oct_bounds *out)
{
    double v[6];
    OCT_TRY(oct_world_numbers(in, value, name, 6, v));
    *out = (oct_bounds){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    return OCT_OK;
}

static oct_result check_version(world_reader *in)
{
    json_t *value;
    const char *name;
    OCT_TRY(oct_world_value(in, "format", &value));
    OCT_TRY(oct_world_text(in, value, "format", &name));
    if (strcmp(name, FORMAT_NAME) != 0) {
        return oct_world_refuse(in, "the format is '%.40s', not '" FORMAT_NAME "'", name);
    }
    OCT_TRY(oct_world_value(in, "version", &value));
    if (!json_is_integer(value)) {
        return oct_world_refuse(in,
                                value ? "version must be a whole number" : "version is missing");
    }
    const json_int_t version = json_integer_value(value);
    return version == FORMAT_VERSION
               ? OCT_OK
               : oct_world_refuse(in, "version %lld is not known, only version %d",
                                  (long long)version, FORMAT_VERSION);
}

static oct_result check_members(world_reader *in)
{
    static const char *const keys[] = {"format", "version", "name",  "up",      "handed", "passage",
                                       "start",  "bounds",  "rules", "toolbar", "grids",  "types",
                                       "blocks", "fills",   "wires", "groups"};
    for (size_t i = 0; i < in->member_count; i++) {
        in->item = in->members[i].key_start;
        in->subject[0] = '\0';
        OCT_TRY(oct_world_forgive(
            in, check_key(in, json_string_value(in->members[i].key), keys, COUNT(keys))));
    }
    return OCT_OK;
}

static oct_result read_axes(world_reader *in)
{
    size_t up = OCT_UP_Z;
    size_t handed = 0;
    json_t *value;
    OCT_TRY(oct_world_value(in, "up", &value));
    OCT_TRY(read_word(in, value, "up", up_names, COUNT(up_names), &up));
    OCT_TRY(oct_world_value(in, "handed", &value));
    OCT_TRY(read_word(in, value, "handed", handed_names, COUNT(handed_names), &handed));
    return oct_world_set_axes(in->world, (oct_up)up, handed == 1);
}

static oct_result read_name(world_reader *in)
{
    json_t *value;
    const char *name;
    OCT_TRY(oct_world_value(in, "name", &value));
    if (!value) {
        return OCT_OK;
    }
    OCT_TRY(oct_world_short_text(in, value, "name", &name));
    const oct_result result = oct_world_set_name(in->world, name);
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : result;
}

static oct_result read_passage(world_reader *in)
{
    json_t *value;
    OCT_TRY(oct_world_value(in, "passage", &value));
    if (value && (!json_is_number(value) ||
                  oct_world_set_passage(in->world, json_number_value(value)) != OCT_OK)) {
        return oct_world_refuse(in, "passage must be a number that is not negative");
    }
    return OCT_OK;
}

static oct_result read_bounds(world_reader *in)
{
    json_t *value;
    OCT_TRY(oct_world_value(in, "bounds", &value));
    oct_bounds bounds;
    OCT_TRY(value ? read_box(in, value, "bounds", &bounds) : OCT_OK);
    if (value && oct_world_set_bounds(in->world, bounds) != OCT_OK) {
        return oct_world_refuse(in, "bounds are inside out");
    }
    return OCT_OK;
}

static oct_result read_start(world_reader *in)
{
    static const char *const keys[] = {"position", "forward", "up"};
    json_t *value;
    OCT_TRY(oct_world_value(in, "start", &value));
    if (!value) {
        return OCT_OK;
    }
    OCT_TRY(oct_octant_keys(in, value, "start", keys, COUNT(keys)));
    snprintf(in->subject, sizeof in->subject, "start");
    oct_pose start;
    OCT_TRY(oct_world_pose(in, value, false, &start));
    return oct_world_take_start(in, &start);
}

static oct_result read_kind(const world_reader *in, const json_t *value, uint8_t *out)
{
    const char *names[OCT_KIND_COUNT];
    for (size_t i = 0; i < OCT_KIND_COUNT; i++) {
        names[i] = oct_kind_name((oct_kind)i);
    }
    size_t kind = OCT_KIND_SOLID;
    OCT_TRY(read_word(in, value, "kind", names, OCT_KIND_COUNT, &kind));
    *out = (uint8_t)kind;
    return OCT_OK;
}

static oct_result read_buttons(const world_reader *in, const json_t *value, uint8_t *out)
{
    uint32_t buttons = 0;
    OCT_TRY(value ? oct_world_whole(in, value, "buttons", OCT_WORLD_BUTTONS_MAX + 1, &buttons)
                  : OCT_OK);
    *out = (uint8_t)buttons;
    return OCT_OK;
}

static oct_result read_type(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"name", "opaque", "kind", "buttons", "size", "integrity"};
    (void)index;
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    oct_world_type type = oct_world_type_default();
    const json_t *const opaque = json_object_get(item, "opaque");
    const json_t *const size = json_object_get(item, "size");
    const json_t *const integrity = json_object_get(item, "integrity");
    OCT_TRY(oct_world_short_text(in, json_object_get(item, "name"), "name", &type.name));
    OCT_TRY(opaque ? oct_world_bool(in, opaque, "opaque", &type.opaque) : OCT_OK);
    OCT_TRY(read_kind(in, json_object_get(item, "kind"), &type.kind));
    OCT_TRY(read_buttons(in, json_object_get(item, "buttons"), &type.buttons));
    OCT_TRY(size ? oct_world_cells(in, size, "size", 1, OCT_WORLD_SIZE_MAX, &type.size) : OCT_OK);
    OCT_TRY(integrity ? oct_world_real(in, integrity, "integrity", &type.integrity) : OCT_OK);
    uint32_t other;
    if (oct_world_find_type(in->world, type.name, &other)) {
        return oct_world_refuse(in, "a type of that name was there before");
    }
    return oct_world_take_type(in, &type, NULL);
}

static oct_result read_side(const world_reader *in, const json_t *value, const char *name,
                            uint8_t *out)
{
    const char *names[OCT_SIDE_COUNT];
    for (size_t i = 0; i < OCT_SIDE_COUNT; i++) {
        names[i] = oct_side_name((oct_side)i);
    }
    size_t side = *out;
    OCT_TRY(read_word(in, value, name, names, OCT_SIDE_COUNT, &side));
    *out = (uint8_t)side;
    return OCT_OK;
}

// The cells of a block that has some, else its box.
static oct_result read_place(const world_reader *in, const json_t *item, oct_world_block *block)
{
    static const char *const placed_only[] = {"forward", "up"};
    if (!block->placed) {
        for (size_t i = 0; i < COUNT(placed_only); i++) {
            if (json_object_get(item, placed_only[i])) {
                return oct_world_refuse(in, "%s is for blocks with a cell", placed_only[i]);
            }
        }
        return read_box(in, json_object_get(item, "box"), "box", &block->box);
    }
    if (json_object_get(item, "box")) {
        return oct_world_refuse(in, "it has a box or a cell, not both");
    }
    block->forward = OCT_SIDE_FORWARD;
    block->up = OCT_SIDE_UP;
    OCT_TRY(read_side(in, json_object_get(item, "forward"), "forward", &block->forward));
    return read_side(in, json_object_get(item, "up"), "up", &block->up);
}

// Id, grid and cell: a block on a grid may have its id from there. The subject gets the id.
static oct_result read_identity(world_reader *in, size_t index, const json_t *item,
                                oct_world_block *block)
{
    const json_t *const id = json_object_get(item, "id");
    const json_t *const grid = json_object_get(item, "grid");
    const json_t *const cell = json_object_get(item, "cell");
    block->placed = cell != NULL;
    if (id || !cell) {
        OCT_TRY(oct_octant_id(in, id, "id", &block->id));
        snprintf(in->subject, sizeof in->subject, "block %zu (id %llu)", index,
                 (unsigned long long)block->id);
    }
    OCT_TRY(grid ? oct_world_whole(in, grid, "grid", OCT_WORLD_WHOLE_BELOW, &block->grid) : OCT_OK);
    if (!cell) {
        return OCT_OK;
    }
    OCT_TRY(oct_world_cells(in, cell, "cell", -OCT_WORLD_CELL_MAX, OCT_WORLD_CELL_MAX - 1,
                            &block->cell));
    if (block->grid >= oct_world_grids(in->world)) {
        return oct_world_refuse(in, "there is no grid %lu", (unsigned long)block->grid);
    }
    if (!id) {
        block->id = oct_world_cell_id(oct_world_get_grid(in->world, block->grid).id, block->cell);
        snprintf(in->subject, sizeof in->subject, "block %zu (cell %ld %ld %ld)", index,
                 (long)block->cell.x, (long)block->cell.y, (long)block->cell.z);
    }
    return OCT_OK;
}

static oct_result read_block(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"id",      "type", "name",  "box",    "grid", "cell",
                                       "forward", "up",   "label", "damage", "delay"};
    OCT_TRY(oct_world_object(in, item, "it"));
    oct_world_block block = {.name = NULL};
    OCT_TRY(read_identity(in, index, item, &block));
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));

    const json_t *const name = json_object_get(item, "name");
    const json_t *const damage = json_object_get(item, "damage");
    const json_t *const delay = json_object_get(item, "delay");
    size_t label = OCT_BLOCKED;
    OCT_TRY(oct_octant_type(in, json_object_get(item, "type"), &block.type));
    OCT_TRY(name ? oct_world_short_text(in, name, "name", &block.name) : OCT_OK);
    OCT_TRY(read_place(in, item, &block));
    OCT_TRY(read_word(in, json_object_get(item, "label"), "label", label_names, COUNT(label_names),
                      &label));
    OCT_TRY(damage ? oct_world_real(in, damage, "damage", &block.damage) : OCT_OK);
    OCT_TRY(delay ? oct_world_real(in, delay, "delay", &block.delay) : OCT_OK);
    block.label = (uint8_t)label;
    return oct_world_take(in, &block);
}

static oct_result read_world(world_reader *in)
{
    OCT_TRY(check_version(in));
    OCT_TRY(check_members(in));
    OCT_TRY(oct_world_forgive(in, read_name(in)));
    OCT_TRY(oct_world_forgive(in, read_axes(in)));
    OCT_TRY(oct_world_forgive(in, read_passage(in)));
    OCT_TRY(oct_world_forgive(in, read_bounds(in)));
    OCT_TRY(oct_world_forgive(in, read_start(in)));
    OCT_TRY(oct_world_forgive(in, oct_octant_read_rules(in)));
    OCT_TRY(oct_world_each(in, "types", "type", read_type));
    OCT_TRY(oct_octant_read_toolbar(in));
    OCT_TRY(oct_octant_read_grids(in));
    OCT_TRY(oct_world_each(in, "blocks", "block", read_block));
    OCT_TRY(oct_octant_read_fills(in));
    OCT_TRY(oct_octant_read_wires(in));
    return oct_octant_read_groups(in);
}

const world_format oct_world_octant = {FORMAT_NAME, read_world};

// ---- out ----

void oct_octant_write_id(sink *out, uint64_t id)
{
    const bool as_text = id >= (uint64_t)ID_TEXT_FROM;
    oct_sink_text(out, as_text ? "\"" : "");
    oct_sink_number(out, id);
    oct_sink_text(out, as_text ? "\"" : "");
}

void oct_octant_write_point(sink *out, oct_point p)
{
    oct_sink_decimals(out, (const double[]){p.x, p.y, p.z}, 3);
}

static void write_box(sink *out, oct_bounds b)
{
    oct_sink_decimals(out, (const double[]){b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z},
                      6);
}

static void write_head(sink *out, const oct_world *world)
{
    oct_pose start;
    oct_bounds bounds;
    oct_sink_text(out, "{\n  \"format\": \"" FORMAT_NAME "\",\n  \"version\": ");
    oct_sink_number(out, FORMAT_VERSION);
    oct_sink_text(out, ",\n  \"name\": ");
    oct_words_json(out, oct_world_name(world));
    oct_sink_text(out, ",\n  \"up\": ");
    oct_words_json(out, up_names[oct_world_up(world)]);
    oct_sink_text(out, ",\n  \"handed\": ");
    oct_words_json(out, handed_names[oct_world_left_handed(world)]);
    if (oct_world_passage(world) > 0.0) {
        oct_sink_text(out, ",\n  \"passage\": ");
        oct_sink_decimal(out, oct_world_passage(world));
    }
    if (oct_world_start(world, &start)) {
        oct_sink_text(out, ",\n  \"start\": {\"position\": ");
        oct_octant_write_point(out, start.position);
        oct_sink_text(out, ", \"forward\": ");
        oct_octant_write_point(out, start.forward);
        oct_sink_text(out, ", \"up\": ");
        oct_octant_write_point(out, start.up);
        sink_byte(out, '}');
    }
    if (oct_world_bounds(world, &bounds)) {
        oct_sink_text(out, ",\n  \"bounds\": ");
        write_box(out, bounds);
    }
}

static void write_vec(sink *out, oct_vec v)
{
    oct_sink_decimals(out, (const double[]){v.x, v.y, v.z}, 3);
}

static void write_type(sink *out, oct_world_type type)
{
    const oct_world_type usual = oct_world_type_default();
    oct_sink_text(out, "{\"name\": ");
    oct_words_json(out, type.name);
    oct_sink_text(out, type.opaque ? ", \"opaque\": true" : ", \"opaque\": false");
    if (type.kind != usual.kind) {
        oct_sink_text(out, ", \"kind\": ");
        oct_words_json(out, oct_kind_name((oct_kind)type.kind));
    }
    if (type.buttons > 0) {
        oct_sink_text(out, ", \"buttons\": ");
        oct_sink_number(out, type.buttons);
    }
    if (type.size.x != 1 || type.size.y != 1 || type.size.z != 1) {
        oct_sink_text(out, ", \"size\": ");
        write_vec(out, type.size);
    }
    if (type.integrity != usual.integrity) {
        oct_sink_text(out, ", \"integrity\": ");
        oct_sink_decimal(out, type.integrity);
    }
    sink_byte(out, '}');
}

static void write_place(sink *out, const oct_world_block *block)
{
    if (!block->placed) {
        oct_sink_text(out, ", \"box\": ");
        write_box(out, block->box);
    }
    if (block->grid != 0) {
        oct_sink_text(out, ", \"grid\": ");
        oct_sink_number(out, block->grid);
    }
    if (block->placed) {
        oct_sink_text(out, ", \"cell\": ");
        write_vec(out, block->cell);
        if (block->forward != OCT_SIDE_FORWARD || block->up != OCT_SIDE_UP) {
            oct_sink_text(out, ", \"forward\": ");
            oct_words_json(out, oct_side_name((oct_side)block->forward));
            oct_sink_text(out, ", \"up\": ");
            oct_words_json(out, oct_side_name((oct_side)block->up));
        }
    }
}

static void write_block(sink *out, const oct_world *world, const oct_world_block *block)
{
    oct_sink_text(out, "{\"id\": ");
    oct_octant_write_id(out, block->id);
    oct_sink_text(out, ", \"type\": ");
    oct_words_json(out, oct_world_get_type(world, block->type).name);
    if (block->name[0]) {
        oct_sink_text(out, ", \"name\": ");
        oct_words_json(out, block->name);
    }
    write_place(out, block);
    if (block->label != OCT_BLOCKED) {
        oct_sink_text(out, ", \"label\": ");
        oct_words_json(out, label_names[block->label]);
    }
    if (block->damage > 0.0) {
        oct_sink_text(out, ", \"damage\": ");
        oct_sink_decimal(out, block->damage);
    }
    if (block->delay > 0.0) {
        oct_sink_text(out, ", \"delay\": ");
        oct_sink_decimal(out, block->delay);
    }
    sink_byte(out, '}');
}

// One item a line, so that differences between two files can be read.
oct_result oct_world_encode(const oct_world *world, oct_write_fn *write, void *ctx)
{
    sink out = {.write = write, .ctx = ctx};
    write_head(&out, world);
    oct_octant_write_rules(&out, world);
    oct_octant_write_toolbar(&out, world);
    oct_octant_write_grids(&out, world);
    oct_sink_text(&out, ",\n  \"types\": [");
    for (uint32_t i = 0; i < oct_world_types(world); i++) {
        oct_sink_text(&out, i > 0 ? ",\n    " : "\n    ");
        write_type(&out, oct_world_get_type(world, i));
    }
    oct_sink_text(&out, "\n  ],\n  \"blocks\": [");
    for (size_t i = 0; i < oct_world_blocks(world) && !out.failed; i++) {
        oct_sink_text(&out, i > 0 ? ",\n    " : "\n    ");
        const oct_world_block block = oct_world_get(world, i);
        write_block(&out, world, &block);
    }
    oct_sink_text(&out, "\n  ]");
    oct_octant_write_wires(&out, world);
    oct_octant_write_groups(&out, world);
    oct_sink_text(&out, "\n}\n");
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}
