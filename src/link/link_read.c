// SPDX-License-Identifier: MIT
#include "link/link_read.h"

#include "base/print.h"
#include "base/words.h"

#include <math.h>

// ---- lines ----

// Where the string that begins at a quotation mark ends.
static size_t skip_string(const char *line, size_t size, size_t at)
{
    for (;;) {
        const char *const end = at < size ? memchr(line + at, '"', size - at) : NULL;
        if (!end) {
            return size;
        }
        size_t backslashes = 0;
        const size_t here = (size_t)(end - line);
        while (here - backslashes > at && line[here - backslashes - 1] == '\\') {
            backslashes++;
        }
        at = here + 1;
        if (backslashes % 2 == 0) {
            return at;
        }
    }
}

bool oct_link_is_shallow(const char *line, size_t size, uint32_t depth_max)
{
    enum { PLAIN, QUOTE, OPENS, CLOSES };
    static const uint8_t classes[256] = {
        ['"'] = QUOTE, ['['] = OPENS, ['{'] = OPENS, [']'] = CLOSES, ['}'] = CLOSES};
    size_t brackets = 0;
    uint32_t depth = 0;
    for (size_t i = 0; i < size;) {
        const uint8_t class = classes[(uint8_t)line[i++]];
        if (class == PLAIN) {
            continue;
        }
        if (class == QUOTE) {
            i = skip_string(line, size, i);
        } else if (class == CLOSES) {
            depth -= depth > 0;
        } else if (++depth > depth_max || ++brackets > LINK_BRACKETS_MAX) {
            return false;
        }
    }
    return true;
}

json_t *oct_link_parse(const char *line, size_t size, char *why, size_t why_size)
{
    json_error_t error;
    json_t *const value = json_loadb(line, size, JSON_DECODE_INT_AS_REAL, &error);
    if (!value) {
        oct_snprintf(why, why_size, "it is not JSON: %s (byte %d)", error.text, error.position);
        oct_words_defuse(why, '?');
        return NULL;
    }
    if (!json_is_object(value)) {
        json_decref(value);
        oct_snprintf(why, why_size, "it is no JSON object");
        return NULL;
    }
    return value;
}

oct_result oct_link_refuse(link_reader *in, const char *format, ...)
{
    va_list values;
    char what[240];
    va_start(values, format);
    oct_vsnprintf(what, sizeof what, format, values);
    va_end(values);
    oct_snprintf(in->why, sizeof in->why, "%s%s%s", in->subject, in->subject[0] ? ": " : "", what);
    oct_words_defuse(in->why, '?');
    return OCT_ERROR_FORMAT;
}

void oct_link_subject(link_reader *in, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    oct_vsnprintf(in->subject, sizeof in->subject, format, values);
    va_end(values);
}

// ---- memory ----

void *oct_link_items(link_reader *in, size_t count, size_t size, size_t align)
{
    size_t bytes;
    return oct_size_mul(count, size, &bytes) ? oct_arena_alloc(in->arena, bytes, align) : NULL;
}

oct_result oct_link_copy(link_reader *in, const char *text, size_t most, const char **out)
{
    size_t length = strlen(text);
    if (length > most) {
        for (length = most; length > 0 && ((uint8_t)text[length] & 0xc0u) == 0x80u;) {
            length--;
        }
    }
    char *const copy = oct_arena_alloc(in->arena, length + 1, 1);
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    *out = copy;
    return OCT_OK;
}

// ---- fields ----

json_t *oct_link_field(const json_t *object, const char *name)
{
    json_t *const value = json_object_get(object, name);
    return json_is_null(value) ? NULL : value;
}

bool oct_link_is_whole(const json_t *value, uint64_t *out)
{
    const double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= 0.0 && number < (double)LINK_WHOLE_END) ||
        floor(number) != number) {
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

oct_result oct_link_get_number(link_reader *in, const json_t *object, const char *name, double low,
                               double high, double *out)
{
    const json_t *const value = oct_link_field(object, name);
    if (!value) {
        return OCT_OK;
    }
    const double number = json_number_value(value);
    if (!json_is_number(value) || !isfinite(number)) {
        return oct_link_refuse(in, "'%s' must be a finite number", name);
    }
    if (number < low || number > high) {
        return oct_link_refuse(in, "'%s' is %g, which is not from %g to %g", name, number, low,
                               high);
    }
    *out = number;
    return OCT_OK;
}

oct_result oct_link_get_whole(link_reader *in, const json_t *object, const char *name,
                              uint64_t most, uint64_t *out)
{
    const json_t *const value = oct_link_field(object, name);
    uint64_t number = 0;
    if (!value) {
        return OCT_OK;
    }
    if (!oct_link_is_whole(value, &number) || number > most) {
        return oct_link_refuse(in, "'%s' must be a whole number from 0 to %llu", name,
                               (unsigned long long)most);
    }
    *out = number;
    return OCT_OK;
}

oct_result oct_link_get_bool(link_reader *in, const json_t *object, const char *name, bool *out)
{
    const json_t *const value = oct_link_field(object, name);
    if (!value) {
        return OCT_OK;
    }
    if (!json_is_boolean(value)) {
        return oct_link_refuse(in, "'%s' must be true or false", name);
    }
    *out = json_is_true(value);
    return OCT_OK;
}

oct_result oct_link_get_text(link_reader *in, const json_t *object, const char *name, size_t most,
                             const char **out)
{
    const json_t *const value = oct_link_field(object, name);
    if (!value) {
        return OCT_OK;
    }
    if (!json_is_string(value)) {
        return oct_link_refuse(in, "'%s' must be a text", name);
    }
    return oct_link_copy(in, json_string_value(value), most, out);
}

oct_result oct_link_get_word(link_reader *in, const json_t *object, const char *name,
                             const char *const *words, size_t count, uint32_t *out)
{
    const json_t *const value = oct_link_field(object, name);
    if (value && !json_is_string(value)) {
        return oct_link_refuse(in, "'%s' must be a text", name);
    }
    for (size_t i = 0; value && i < count; i++) {
        if (strcmp(json_string_value(value), words[i]) == 0) {
            *out = (uint32_t)i;
        }
    }
    return OCT_OK;
}

oct_result oct_link_get_numbers(link_reader *in, const json_t *object, const char *name,
                                size_t count, double *out, bool *found)
{
    const json_t *const value = oct_link_field(object, name);
    if (found) {
        *found = value != NULL;
    }
    if (!value) {
        return OCT_OK;
    }
    bool fits = json_is_array(value) && json_array_size(value) == count;
    for (size_t i = 0; fits && i < count; i++) {
        const json_t *const item = json_array_get(value, i);
        const double number = json_number_value(item);
        fits = json_is_number(item) && fabs(number) <= LINK_FAR;
        out[i] = number;
    }
    return fits
               ? OCT_OK
               : oct_link_refuse(in, "'%s' must be a list of %zu numbers within 1e15", name, count);
}

oct_result oct_link_get_point(link_reader *in, const json_t *object, const char *name,
                              oct_point *out, bool *found)
{
    double v[3] = {out->x, out->y, out->z};
    OCT_TRY(oct_link_get_numbers(in, object, name, 3, v, found));
    *out = (oct_point){v[0], v[1], v[2]};
    return OCT_OK;
}

oct_result oct_link_get_box(link_reader *in, const json_t *object, const char *name,
                            oct_bounds *out, bool *found)
{
    double v[6];
    bool here;
    OCT_TRY(oct_link_get_numbers(in, object, name, 6, v, &here));
    if (found) {
        *found = here;
    }
    if (!here) {
        return OCT_OK;
    }
    if (v[0] > v[3] || v[1] > v[4] || v[2] > v[5]) {
        return oct_link_refuse(in, "'%s' is inside out: its smallest corner must come first", name);
    }
    *out = (oct_bounds){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    return OCT_OK;
}

oct_result oct_link_get_list(link_reader *in, const json_t *object, const char *name,
                             const json_t **out)
{
    *out = oct_link_field(object, name);
    return *out && !json_is_array(*out) ? oct_link_refuse(in, "'%s' must be a list", name) : OCT_OK;
}

oct_result oct_link_get_texts(link_reader *in, const json_t *object, const char *name,
                              const char *const **out, size_t *count)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(in, object, name, &list));
    const size_t size = json_array_size(list);
    if (!list) {
        return OCT_OK;
    }
    *out = NULL;
    *count = 0;
    if (size == 0) {
        return OCT_OK;
    }
    const char **const texts = oct_link_items(in, size, sizeof *texts, _Alignof(const char *));
    if (!texts) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < size; i++) {
        const char *const text = json_string_value(json_array_get(list, i));
        if (text) {
            OCT_TRY(oct_link_copy(in, text, LINK_NAME_MAX, &texts[*count]));
            ++*count;
        }
    }
    *out = texts;
    return OCT_OK;
}

static oct_result read_property(link_reader *in, const char *name, const json_t *value,
                                oct_property *out)
{
    *out = (oct_property){.kind = OCT_VALUE_NUMBER, .number = json_number_value(value)};
    if (json_is_boolean(value)) {
        out->kind = OCT_VALUE_BOOL;
        out->number = json_is_true(value) ? 1.0 : 0.0;
    } else if (json_is_string(value)) {
        out->kind = OCT_VALUE_TEXT;
        OCT_TRY(oct_link_copy(in, json_string_value(value), LINK_TEXT_MAX, &out->text));
    }
    return oct_link_copy(in, name, LINK_NAME_MAX, &out->name);
}

oct_result oct_link_get_props(link_reader *in, const json_t *object, const char *name,
                              const oct_property **out, size_t *count)
{
    json_t *const value = oct_link_field(object, name);
    if (!value) {
        return OCT_OK;
    }
    if (!json_is_object(value)) {
        return oct_link_refuse(in, "'%s' must be an object", name);
    }
    *out = NULL;
    *count = 0;
    const size_t size = json_object_size(value);
    oct_property *const props =
        size > 0 ? oct_link_items(in, size, sizeof *props, _Alignof(oct_property)) : NULL;
    if (size > 0 && !props) {
        return OCT_ERROR_MEMORY;
    }
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        const json_t *const item = json_object_iter_value(at);
        if (json_is_number(item) || json_is_string(item) || json_is_boolean(item)) {
            OCT_TRY(read_property(in, json_object_iter_key(at), item, &props[*count]));
            ++*count;
        }
    }
    *out = props;
    return OCT_OK;
}

// ---- directions ----

// What rounding leaves of exact vectors.
#define EXACT 1e-9
// Shorter ones have no direction.
#define SHORT 1e-6

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

oct_result oct_link_make_unit(link_reader *in, const char *name, oct_point *vector)
{
    const double square = dot(*vector, *vector);
    if (fabs(square - 1.0) <= EXACT) {
        return OCT_OK;
    }
    const double length = sqrt(square);
    if (!(length >= SHORT) || !isfinite(length)) {
        return oct_link_refuse(in, "'%s' has no direction", name);
    }
    *vector = (oct_point){vector->x / length, vector->y / length, vector->z / length};
    return OCT_OK;
}

oct_point oct_link_across(oct_point up)
{
    // The axis that is furthest from it, without the part along it.
    const double x = fabs(up.x), y = fabs(up.y), z = fabs(up.z);
    const oct_point axis = z <= x && z <= y   ? (oct_point){0.0, 0.0, -1.0}
                           : y <= x && y <= z ? (oct_point){0.0, 1.0, 0.0}
                                              : (oct_point){1.0, 0.0, 0.0};
    const double part = dot(axis, up);
    const oct_point flat = {axis.x - part * up.x, axis.y - part * up.y, axis.z - part * up.z};
    const double length = sqrt(dot(flat, flat));
    return (oct_point){flat.x / length, flat.y / length, flat.z / length};
}

oct_result oct_link_make_frame(link_reader *in, oct_point *forward, oct_point *up)
{
    OCT_TRY(oct_link_make_unit(in, "forward", forward));
    OCT_TRY(oct_link_make_unit(in, "up", up));
    const double part = dot(*forward, *up);
    if (fabs(part) <= EXACT) {
        return OCT_OK;
    }
    const oct_point flat = {forward->x - part * up->x, forward->y - part * up->y,
                            forward->z - part * up->z};
    if (dot(flat, flat) < SHORT) {
        *forward = oct_link_across(*up); // it looks along its own up
        return OCT_OK;
    }
    *forward = flat;
    return oct_link_make_unit(in, "forward", forward);
}
