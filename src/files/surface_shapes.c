// SPDX-License-Identifier: MIT
// Obstacles and hazards from JSON.
#include "files/files_internal.h"
#include "files/surface_file.h"

#include <jansson.h>
#include <math.h>

#define SHAPES_FILE_MAX (UINT64_C(1) << 26) // bytes
#define OUTLINE_MAX 16

static oct_result refuse(oct_error *error, size_t index, const char *why)
{
    oct_error_set(error, 0, 1, 1, "shapes[%zu] %s", index, why);
    return OCT_ERROR_FORMAT;
}

static bool read_number(const json_t *value, double other, double *out)
{
    *out = value ? json_is_number(value) ? json_number_value(value) : (double)NAN : other;
    return fabs(*out) <= OCT_SURFACE_REACH_MAX;
}

static bool read_effect(const json_t *value, oct_surface_effect *out)
{
    static const char *const words[] = {[OCT_SURFACE_BLOCKS] = "blocks",
                                        [OCT_SURFACE_PASSABLE] = "passable",
                                        [OCT_SURFACE_PRICED] = "priced"};
    const char *const word = json_string_value(value);
    *out = OCT_SURFACE_BLOCKS;
    for (int i = 0; word && i < 3; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (oct_surface_effect)i;
            return true;
        }
    }
    return !value;
}

static oct_result read_outline(const json_t *list, size_t index, const oct_allocator *memory,
                               surface_shapes *out, oct_error *error)
{
    const size_t count = json_array_size(list);
    if (count < 3 || count > OUTLINE_MAX) {
        return refuse(error, index, "has no outline of 3 to 16 points");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *const at = json_array_get(list, i);
        oct_point p;
        if (json_array_size(at) != 3 || !read_number(json_array_get(at, 0), (double)NAN, &p.x) ||
            !read_number(json_array_get(at, 1), (double)NAN, &p.y) ||
            !read_number(json_array_get(at, 2), (double)NAN, &p.z)) {
            return refuse(error, index, "has a point that is not three numbers within +-1e7");
        }
        OCT_TRY(oct_array_push(&out->points, memory, sizeof p, &p));
    }
    return OCT_OK;
}

static oct_result read_shape(const json_t *value, size_t index, const oct_allocator *memory,
                             surface_shapes *out, oct_error *error)
{
    const json_t *const outline = json_object_get(value, "outline");
    oct_surface_shape shape = {.count = (uint32_t)json_array_size(outline)};
    OCT_TRY(read_outline(outline, index, memory, out, error));
    if (!read_number(json_object_get(value, "low"), (double)NAN, &shape.low) ||
        !read_number(json_object_get(value, "high"), (double)NAN, &shape.high) ||
        shape.low > shape.high) {
        return refuse(error, index, "needs heights, `low` and `high`");
    }
    if (!read_number(json_object_get(value, "padding"), 0.0, &shape.padding) ||
        !read_number(json_object_get(value, "metre_price"), 0.0, &shape.metre_price) ||
        !read_number(json_object_get(value, "entry_price"), 0.0, &shape.entry_price) ||
        shape.padding < 0.0 || shape.metre_price < 0.0 || shape.entry_price < 0.0) {
        return refuse(error, index, "has a padding or price that is no number from 0 to 1e7");
    }
    if (!read_effect(json_object_get(value, "effect"), &shape.effect)) {
        return refuse(error, index, "has an effect that is not blocks, passable or priced");
    }
    return oct_array_push(&out->shapes, memory, sizeof shape, &shape);
}

static oct_result read_shapes(const json_t *root, const oct_allocator *memory, surface_shapes *out,
                              oct_error *error)
{
    const json_t *const list = json_object_get(root, "shapes");
    if (!json_is_array(list)) {
        oct_error_set(error, 0, 1, 1, "expected an object with a list of `shapes`");
        return OCT_ERROR_FORMAT;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        OCT_TRY(read_shape(json_array_get(list, i), i, memory, out, error));
    }
    const oct_point *next = out->points.items;
    for (size_t i = 0; i < out->shapes.count; i++) {
        oct_surface_shape *const shape = (oct_surface_shape *)out->shapes.items + i;
        shape->outline = next;
        next += shape->count;
    }
    return OCT_OK;
}

oct_result oct_surface_read_shapes(const void *data, size_t size, const oct_allocator *allocator,
                                   surface_shapes *out, oct_error *error)
{
    const oct_allocator memory = oct_allocator_or_default(allocator);
    json_t *root;
    *out = (surface_shapes){.shapes = {.count = 0}};
    OCT_TRY(oct_surface_parse_json(data, size, &root, error));
    const oct_result result = read_shapes(root, &memory, out, error);
    json_decref(root);
    return result;
}

oct_result oct_surface_load_shapes(const char *path, const oct_allocator *allocator,
                                   surface_shapes *out, oct_error *error)
{
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_array bytes = {.count = 0};
    *out = (surface_shapes){.shapes = {.count = 0}};
    oct_result result = oct_file_read(path, SHAPES_FILE_MAX, &memory, &bytes, error);
    if (result == OCT_OK) {
        result = oct_surface_read_shapes(bytes.items, bytes.count, allocator, out, error);
    }
    oct_array_free(&bytes, &memory, 1);
    return result;
}

void oct_surface_free_shapes(surface_shapes *shapes, const oct_allocator *allocator)
{
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_array_free(&shapes->shapes, &memory, sizeof(oct_surface_shape));
    oct_array_free(&shapes->points, &memory, sizeof(oct_point));
}
