// SPDX-License-Identifier: MIT
#include "cli/view_asking.h"

#include <math.h>
#include <string.h>

bool oct_cli_ask_refuse(view_asking *a, const char *why)
{
    a->why = why;
    return false;
}

bool oct_cli_ask_integer(view_asking *a, const char *key, json_int_t least, json_int_t most,
                         json_int_t *out)
{
    const json_t *const value = json_object_get(a->question, key);
    *out = json_integer_value(value);
    return (json_is_integer(value) && *out >= least && *out <= most) || oct_cli_ask_refuse(a, key);
}

bool oct_cli_ask_item(view_asking *a, view_kind kind, view_item **out)
{
    json_int_t index;
    if (!oct_cli_ask_integer(a, "item", 0, (json_int_t)a->session->count - 1, &index)) {
        return false;
    }
    *out = &a->session->items[index];
    const bool is_one = (*out)->kind == kind || (kind == VIEW_MAP && (*out)->kind == VIEW_SWARM);
    return is_one || oct_cli_ask_refuse(a, "item");
}

bool oct_cli_ask_numbers(view_asking *a, const char *key, double out[3])
{
    json_t *const list = json_object_get(a->question, key);
    for (size_t i = 0; i < 3; i++) {
        const json_t *const value = json_array_get(list, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i])) {
            return oct_cli_ask_refuse(a, key);
        }
    }
    return true;
}

bool oct_cli_ask_place(view_asking *a, const char *key, oct_point *out)
{
    double at[3];
    if (!oct_cli_ask_numbers(a, key, at)) {
        return false;
    }
    *out = (oct_point){at[0], at[1], at[2]};
    return true;
}

bool oct_cli_ask_cell(view_asking *a, const char *key, oct_vec *out)
{
    double at[3];
    if (!oct_cli_ask_numbers(a, key, at)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!(fabs(at[i]) <= OCT_RANGE)) {
            return oct_cli_ask_refuse(a, key);
        }
    }
    *out = (oct_vec){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
    return true;
}

bool oct_cli_say_bytes(view_asking *a, const void *bytes, size_t size)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array *const out = &a->out->bytes;
    if (oct_array_reserve(out, &memory, 1, out->count + size) != OCT_OK) {
        return oct_cli_ask_refuse(a, "memory is short");
    }
    if (size > 0) {
        memcpy((uint8_t *)out->items + out->count, bytes, size);
    }
    out->count += size;
    return true;
}

// Four numbers, lowest byte first, before what is no text.
bool oct_cli_say_head(view_asking *a, uint32_t kind, uint32_t first, uint32_t second)
{
    const uint32_t words[4] = {(uint32_t)a->id, kind, first, second};
    uint8_t bytes[16];
    for (int i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    }
    a->out->is_text = false;
    return oct_cli_say_bytes(a, bytes, sizeof bytes);
}

static int put_text(const char *text, size_t size, void *ctx)
{
    return oct_cli_say_bytes(ctx, text, size) ? 0 : -1;
}

// Takes the object.
bool oct_cli_say_json(view_asking *a, json_t *object)
{
    if (!object) {
        return oct_cli_ask_refuse(a, "memory is short");
    }
    (void)json_object_set_new(object, "id", json_integer(a->id));
    a->out->is_text = true;
    const bool done = json_dump_callback(object, put_text, a, JSON_COMPACT) == 0;
    json_decref(object);
    return done || oct_cli_ask_refuse(a, "memory is short");
}

// Bytes that may not be UTF-8.
json_t *oct_cli_name_json(const char *name)
{
    char words[CLI_SHOWN_MAX];
    json_t *const text = json_string(oct_words_copy(name, words, sizeof words));
    return text ? text : json_string("?");
}

json_t *oct_cli_vec_json(oct_vec v)
{
    return json_pack("[i, i, i]", v.x, v.y, v.z);
}

json_t *oct_cli_point_json(oct_point p)
{
    return json_pack("[f, f, f]", p.x, p.y, p.z);
}

json_t *oct_cli_bounds_json(oct_bounds b)
{
    return json_pack("[f, f, f, f, f, f]", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
}
