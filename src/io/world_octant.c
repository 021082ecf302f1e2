// SPDX-License-Identifier: MIT
// Our own world format, version 1, from JSON and to it (docs/worlds.md).
//
// Keys that the format does not have are refused, since a misspelt one would otherwise pass
// unnoticed; those that begin with "x-" are other programs' and are passed over.
#include "io/json_text.h"
#include "io/world_reader.h"

#include <stdio.h>

#define FORMAT_NAME "octant-world"
#define FORMAT_VERSION 1

// Ids from here on are strings: programs that read numbers as doubles would change them.
#define ID_TEXT_FROM (INT64_C(1) << 53)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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

static oct_result check_object(const world_reader *in, json_t *value, const char *name,
                               const char *const *keys, size_t count)
{
    OCT_TRY(oct_world_object(in, value, name));
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        OCT_TRY(check_key(in, json_object_iter_key(at), keys, count));
    }
    return OCT_OK;
}

// One of some words; *out is its index, and stays as it was where there is no value.
static oct_result read_word(const world_reader *in, const json_t *value, const char *name,
                            const char *const *words, size_t count, size_t *out)
{
    const char *word;
    if (!value) {
        return OCT_OK;
    }
    OCT_TRY(oct_world_text(in, value, name, &word));
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return OCT_OK;
        }
    }
    return oct_world_refuse(in, "%s cannot be '%.40s'", name, word);
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
    static const char *const keys[] = {"format",  "version", "name",   "up",    "handed",
                                       "passage", "start",   "bounds", "types", "blocks"};
    for (size_t i = 0; i < in->member_count; i++) {
        in->item = in->members[i].key_start;
        in->subject[0] = '\0';
        OCT_TRY(check_key(in, json_string_value(in->members[i].key), keys, COUNT(keys)));
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

static oct_result read_measures(world_reader *in)
{
    json_t *value;
    OCT_TRY(oct_world_value(in, "passage", &value));
    if (value && (!json_is_number(value) ||
                  oct_world_set_passage(in->world, json_number_value(value)) != OCT_OK)) {
        return oct_world_refuse(in, "passage must be a number that is not negative");
    }
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
    OCT_TRY(check_object(in, value, "start", keys, COUNT(keys)));
    snprintf(in->subject, sizeof in->subject, "start");
    return oct_world_pose(in, value);
}

static oct_result read_type(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"name", "opaque"};
    (void)index;
    OCT_TRY(check_object(in, item, "it", keys, COUNT(keys)));
    const char *name;
    bool opaque = true;
    const json_t *const said = json_object_get(item, "opaque");
    OCT_TRY(oct_world_short_text(in, json_object_get(item, "name"), "name", &name));
    OCT_TRY(said ? oct_world_bool(in, said, "opaque", &opaque) : OCT_OK);
    uint32_t other;
    if (!name[0] || oct_world_find_type(in->world, name, &other)) {
        return oct_world_refuse(in,
                                name[0] ? "a type of that name was there before" : "name is empty");
    }
    const oct_result result = oct_world_add_type(in->world, name, opaque, NULL);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u types", (unsigned)OCT_WORLD_TYPES_MAX);
    }
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : result;
}

// A number below 2^53, or digits in a string. The subject gets the id.
static oct_result read_id(world_reader *in, size_t index, const json_t *value, uint64_t *id)
{
    if (!value) {
        return oct_world_refuse(in, "id is missing");
    }
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && number < ID_TEXT_FROM) {
        *id = (uint64_t)number;
    } else if (!json_is_string(value) || !oct_world_parse_id(json_string_value(value), id)) {
        return oct_world_refuse(in, "id must be a whole number below 2^53, or a string of digits "
                                    "for one below 2^64");
    }
    snprintf(in->subject, sizeof in->subject, "block %zu (id %llu)", index,
             (unsigned long long)*id);
    return OCT_OK;
}

static oct_result read_grid(const world_reader *in, const json_t *value, uint32_t *out)
{
    if (!value) {
        return OCT_OK;
    }
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > (json_int_t)UINT32_MAX) {
        return oct_world_refuse(in, "grid must be a whole number below 2^32");
    }
    *out = (uint32_t)number;
    return OCT_OK;
}

static oct_result read_block(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"id", "type", "name", "box", "grid", "label"};
    OCT_TRY(oct_world_object(in, item, "it"));
    oct_world_block block = {.name = NULL};
    OCT_TRY(read_id(in, index, json_object_get(item, "id"), &block.id));
    OCT_TRY(check_object(in, item, "it", keys, COUNT(keys)));

    const char *type;
    const json_t *const name = json_object_get(item, "name");
    size_t label = OCT_BLOCKED;
    OCT_TRY(oct_world_text(in, json_object_get(item, "type"), "type", &type));
    OCT_TRY(name ? oct_world_short_text(in, name, "name", &block.name) : OCT_OK);
    OCT_TRY(read_box(in, json_object_get(item, "box"), "box", &block.box));
    OCT_TRY(read_grid(in, json_object_get(item, "grid"), &block.grid));
    OCT_TRY(read_word(in, json_object_get(item, "label"), "label", label_names, COUNT(label_names),
                      &label));
    block.label = (uint8_t)label;
    if (!oct_world_find_type(in->world, type, &block.type)) {
        return oct_world_refuse(in, "there is no type '%.40s'", type);
    }
    return oct_world_take(in, &block);
}

static oct_result read_world(world_reader *in)
{
    OCT_TRY(check_version(in));
    OCT_TRY(check_members(in));
    OCT_TRY(read_name(in));
    OCT_TRY(read_axes(in));
    OCT_TRY(read_measures(in));
    OCT_TRY(read_start(in));
    OCT_TRY(oct_world_each(in, "types", "type", read_type));
    return oct_world_each(in, "blocks", "block", read_block);
}

const world_format oct_world_octant = {FORMAT_NAME, read_world};

// ---- out ----

static void write_point(sink *out, oct_point p)
{
    oct_json_numbers(out, (const double[]){p.x, p.y, p.z}, 3);
}

static void write_box(sink *out, oct_bounds b)
{
    oct_json_numbers(out, (const double[]){b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z},
                     6);
}

static void write_head(sink *out, const oct_world *world)
{
    oct_pose start;
    oct_bounds bounds;
    oct_sink_text(out, "{\n  \"format\": \"" FORMAT_NAME "\",\n  \"version\": ");
    oct_sink_number(out, FORMAT_VERSION);
    oct_sink_text(out, ",\n  \"name\": ");
    oct_json_text(out, oct_world_name(world));
    oct_sink_text(out, ",\n  \"up\": ");
    oct_json_text(out, up_names[oct_world_up(world)]);
    oct_sink_text(out, ",\n  \"handed\": ");
    oct_json_text(out, handed_names[oct_world_left_handed(world)]);
    if (oct_world_passage(world) > 0.0) {
        oct_sink_text(out, ",\n  \"passage\": ");
        oct_sink_decimal(out, oct_world_passage(world));
    }
    if (oct_world_start(world, &start)) {
        oct_sink_text(out, ",\n  \"start\": {\"position\": ");
        write_point(out, start.position);
        oct_sink_text(out, ", \"forward\": ");
        write_point(out, start.forward);
        oct_sink_text(out, ", \"up\": ");
        write_point(out, start.up);
        sink_byte(out, '}');
    }
    if (oct_world_bounds(world, &bounds)) {
        oct_sink_text(out, ",\n  \"bounds\": ");
        write_box(out, bounds);
    }
}

static void write_type(sink *out, oct_world_type type)
{
    oct_sink_text(out, "{\"name\": ");
    oct_json_text(out, type.name);
    oct_sink_text(out, type.opaque ? ", \"opaque\": true}" : ", \"opaque\": false}");
}

static void write_block(sink *out, const oct_world *world, oct_world_block block)
{
    const bool as_text = block.id >= (uint64_t)ID_TEXT_FROM;
    oct_sink_text(out, as_text ? "{\"id\": \"" : "{\"id\": ");
    oct_sink_number(out, block.id);
    oct_sink_text(out, as_text ? "\", \"type\": " : ", \"type\": ");
    oct_json_text(out, oct_world_get_type(world, block.type).name);
    if (block.name[0]) {
        oct_sink_text(out, ", \"name\": ");
        oct_json_text(out, block.name);
    }
    oct_sink_text(out, ", \"box\": ");
    write_box(out, block.box);
    if (block.grid != 0) {
        oct_sink_text(out, ", \"grid\": ");
        oct_sink_number(out, block.grid);
    }
    if (block.label != OCT_BLOCKED) {
        oct_sink_text(out, ", \"label\": ");
        oct_json_text(out, label_names[block.label]);
    }
    sink_byte(out, '}');
}

// One item a line, so that differences between two files can be read.
oct_result oct_world_encode(const oct_world *world, oct_write_fn *write, void *ctx)
{
    sink out = {.write = write, .ctx = ctx};
    write_head(&out, world);
    oct_sink_text(&out, ",\n  \"types\": [");
    for (uint32_t i = 0; i < oct_world_types(world); i++) {
        oct_sink_text(&out, i > 0 ? ",\n    " : "\n    ");
        write_type(&out, oct_world_get_type(world, i));
    }
    oct_sink_text(&out, "\n  ],\n  \"blocks\": [");
    for (size_t i = 0; i < oct_world_blocks(world) && !out.failed; i++) {
        oct_sink_text(&out, i > 0 ? ",\n    " : "\n    ");
        write_block(&out, world, oct_world_get(world, i));
    }
    oct_sink_text(&out, "\n  ]\n}\n");
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}
