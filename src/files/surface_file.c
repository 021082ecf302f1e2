// SPDX-License-Identifier: MIT
// Surfaces from files: OBJ text, or JSON with `vertices`, as [x, y, z], {"x": ...} or numbers in a
// row, and either `indices`, three for each triangle, or `faces`, a list of indices for each. What
// oct_surface_save writes has more: `up`, `details` and `baked`.
#include "files/surface_file.h"
#include "files/files_internal.h"
#include "files/json_place.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#define SURFACE_FILE_MAX (UINT64_C(1) << 28) // bytes

typedef struct surface_json {
    const char *data;
    size_t size;
    const oct_allocator *memory;
    oct_error *error;
    oct_array points;       // of oct_point
    oct_array corners;      // of uint32_t
    oct_array sizes;        // of uint32_t
    oct_array details;      // of oct_point
    oct_array detail_sizes; // of uint32_t; empty = none
} surface_json;

// ---- places ----

// Where the value of a key of the outermost object stands; `size` where it is not found.
static size_t place_of_key(const surface_json *r, const char *key)
{
    const size_t length = strlen(key);
    size_t at = json_skip_space(r->data, r->size, 0) + 1;
    while (at < r->size) {
        at = json_skip_space(r->data, r->size, at);
        const size_t start = at;
        at = json_skip_value(r->data, r->size, at);
        const bool found = at < r->size && at - start == length + 2 &&
                           memcmp(r->data + start + 1, key, length) == 0;
        at = json_skip_space(r->data, r->size, at) + 1; // behind the colon
        at = json_skip_space(r->data, r->size, at);
        if (found) {
            return at;
        }
        at = json_skip_space(r->data, r->size, json_skip_value(r->data, r->size, at)) + 1;
    }
    return r->size;
}

// Refuses an item of a list.
static oct_result refuse(const surface_json *r, const char *key, size_t index, const char *why)
{
    size_t at = place_of_key(r, key) + 1;
    for (size_t i = 0; i < index && at < r->size; i++) {
        at = json_skip_space(r->data, r->size, at);
        at = json_skip_value(r->data, r->size, at);
        at = json_skip_space(r->data, r->size, at) + 1; // behind the comma
    }
    at = json_skip_space(r->data, r->size, at < r->size ? at : 0);
    char message[160];
    snprintf(message, sizeof message, "%s[%zu] %s", key, index, why);
    oct_error_set_at(r->error, r->data, r->size, at < r->size ? at : 0, message);
    return OCT_ERROR_FORMAT;
}

// ---- values ----

static bool read_number(const json_t *value, double *out)
{
    *out = json_is_number(value) ? json_number_value(value) : (double)NAN;
    return fabs(*out) <= OCT_SURFACE_REACH_MAX;
}

static bool read_vertex(const json_t *value, oct_point *out)
{
    if (json_is_array(value) && json_array_size(value) == 3) {
        return read_number(json_array_get(value, 0), &out->x) &&
               read_number(json_array_get(value, 1), &out->y) &&
               read_number(json_array_get(value, 2), &out->z);
    }
    return json_is_object(value) && read_number(json_object_get(value, "x"), &out->x) &&
           read_number(json_object_get(value, "y"), &out->y) &&
           read_number(json_object_get(value, "z"), &out->z);
}

static oct_result read_vertices(surface_json *r, const json_t *list)
{
    const size_t count = json_array_size(list);
    const bool is_flat = count > 0 && json_is_number(json_array_get(list, 0));
    if (is_flat && count % 3 != 0) {
        return refuse(r, "vertices", count - 1, "leaves no three numbers for each vertex");
    }
    for (size_t i = 0; i < count; i += is_flat ? 3 : 1) {
        oct_point point;
        const bool is_good = is_flat ? read_number(json_array_get(list, i), &point.x) &&
                                           read_number(json_array_get(list, i + 1), &point.y) &&
                                           read_number(json_array_get(list, i + 2), &point.z)
                                     : read_vertex(json_array_get(list, i), &point);
        if (!is_good) {
            return refuse(r, "vertices", i, "is no vertex: three numbers within +-1e7");
        }
        OCT_TRY(oct_array_push(&r->points, r->memory, sizeof point, &point));
    }
    return OCT_OK;
}

static bool read_index(const surface_json *r, const json_t *value, uint32_t *out)
{
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    *out = (uint32_t)index;
    return index >= 0 && (size_t)index < r->points.count;
}

static oct_result read_indices(surface_json *r, const json_t *list)
{
    const size_t count = json_array_size(list);
    const uint32_t three = 3;
    if (count % 3 != 0) {
        return refuse(r, "indices", count - 1, "leaves no three indices for each triangle");
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t index;
        if (!read_index(r, json_array_get(list, i), &index)) {
            return refuse(r, "indices", i, "is no index of a vertex");
        }
        OCT_TRY(oct_array_push(&r->corners, r->memory, sizeof index, &index));
        if (i % 3 == 0) {
            OCT_TRY(oct_array_push(&r->sizes, r->memory, sizeof three, &three));
        }
    }
    return OCT_OK;
}

static oct_result read_faces(surface_json *r, const json_t *list)
{
    for (size_t f = 0; f < json_array_size(list); f++) {
        const json_t *const face = json_array_get(list, f);
        const uint32_t count = (uint32_t)json_array_size(face);
        if (!json_is_array(face) || count < 3 || count > OCT_SURFACE_CORNERS_MAX) {
            return refuse(r, "faces", f, "is no face: a list of three indices or more");
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t index;
            if (!read_index(r, json_array_get(face, i), &index)) {
                return refuse(r, "faces", f, "has a corner that is no index of a vertex");
            }
            OCT_TRY(oct_array_push(&r->corners, r->memory, sizeof index, &index));
        }
        OCT_TRY(oct_array_push(&r->sizes, r->memory, sizeof count, &count));
    }
    return OCT_OK;
}

static bool read_triangle(const json_t *list, oct_point out[3])
{
    for (size_t i = 0; i < 3; i++) {
        if (!read_number(json_array_get(list, 3 * i), &out[i].x) ||
            !read_number(json_array_get(list, 3 * i + 1), &out[i].y) ||
            !read_number(json_array_get(list, 3 * i + 2), &out[i].z)) {
            return false;
        }
    }
    return json_array_size(list) == 9;
}

static oct_result read_details_of(surface_json *r, const json_t *list, size_t face)
{
    const uint32_t count = (uint32_t)json_array_size(list);
    bool is_good = json_is_array(list) && count <= OCT_SURFACE_CORNERS_MAX;
    for (uint32_t i = 0; i < count && is_good; i++) {
        oct_point triangle[3];
        is_good = read_triangle(json_array_get(list, i), triangle);
        for (int k = 0; k < 3 && is_good; k++) {
            OCT_TRY(oct_array_push(&r->details, r->memory, sizeof triangle[k], &triangle[k]));
        }
    }
    return is_good ? oct_array_push(&r->detail_sizes, r->memory, sizeof count, &count)
                   : refuse(r, "details", face, "is no list of triangles: nine numbers each");
}

static oct_result read_details(surface_json *r, const json_t *list)
{
    if (list && json_array_size(list) != r->sizes.count) {
        oct_error_set(r->error, 0, 1, 1, "`details` must be a list with one item for each face");
        return OCT_ERROR_FORMAT;
    }
    for (size_t f = 0; f < json_array_size(list); f++) {
        OCT_TRY(read_details_of(r, json_array_get(list, f), f));
    }
    return OCT_OK;
}

// What is known of the baking; false where that is no object of lengths.
static bool read_baked(const json_t *baked, oct_surface_baked *out)
{
    double *const values[] = {&out->radius, &out->climb, &out->clearance, &out->height_mean,
                              &out->height_most};
    static const char *const keys[] = {"radius", "climb", "clearance", "height_mean",
                                       "height_most"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!read_number(json_object_get(baked, keys[i]), values[i]) || *values[i] < 0.0) {
            return false;
        }
    }
    out->is_known = true;
    return true;
}

static oct_result read_frame(surface_json *r, const json_t *root, oct_surface_def *def)
{
    const json_t *const up = json_object_get(root, "up"), *const baked =
                                                              json_object_get(root, "baked");
    const char *const axis = json_string_value(up);
    if (up && (!axis || strlen(axis) != 1 || axis[0] < 'x' || axis[0] > 'z')) {
        oct_error_set(r->error, 0, 1, 1, "`up` must be \"x\", \"y\" or \"z\"");
        return OCT_ERROR_FORMAT;
    }
    if (baked && !read_baked(baked, &def->baked)) {
        oct_error_set(r->error, 0, 1, 1,
                      "`baked` must have the lengths `radius`, `climb`, `clearance`, "
                      "`height_mean` and `height_most`");
        return OCT_ERROR_FORMAT;
    }
    def->up = up ? (oct_up)(axis[0] - 'x') : def->up;
    return OCT_OK;
}

static oct_result make(surface_json *r, const char *key, const oct_surface_def *def,
                       oct_surface **out)
{
    oct_surface_def own = *def;
    own.points = r->points.items;
    own.point_count = (uint32_t)r->points.count;
    own.corners = r->corners.items;
    own.sizes = r->sizes.items;
    own.face_count = (uint32_t)r->sizes.count;
    own.details = r->details.items;
    own.detail_sizes = r->detail_sizes.items;
    oct_error why = {.line = 0};
    const oct_result result = oct_surface_create(&own, out, &why);
    if (result == OCT_ERROR_FORMAT) {
        const size_t face = (size_t)why.offset;
        return refuse(r, key, strcmp(key, "indices") == 0 ? 3 * face : face, why.message);
    }
    if (result != OCT_OK && r->error) {
        *r->error = why;
    }
    return result;
}

static oct_result read_root(surface_json *r, const json_t *root, const oct_surface_def *def,
                            oct_surface **out)
{
    const json_t *const vertices = json_object_get(root, "vertices");
    const json_t *const indices = json_object_get(root, "indices");
    const json_t *const faces = json_object_get(root, "faces");
    if (!json_is_array(vertices) || !(json_is_array(indices) || json_is_array(faces)) ||
        (indices && faces)) {
        oct_error_set(r->error, 0, 1, 1,
                      "expected an object with `vertices` and either `indices` or `faces`");
        return OCT_ERROR_FORMAT;
    }
    OCT_TRY(read_vertices(r, vertices));
    OCT_TRY(faces ? read_faces(r, faces) : read_indices(r, indices));
    if (r->sizes.count == 0) {
        oct_error_set(r->error, 0, 1, 1, "no face: a surface needs one at least");
        return OCT_ERROR_FORMAT;
    }
    oct_surface_def own = *def;
    OCT_TRY(read_details(r, json_object_get(root, "details")));
    OCT_TRY(read_frame(r, root, &own));
    return make(r, faces ? "faces" : "indices", &own, out);
}

oct_result oct_surface_parse_json(const void *data, size_t size, json_t **root, oct_error *error)
{
    json_error_t why;
    *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &why);
    if (*root) {
        return OCT_OK;
    }
    const bool is_memory = json_error_code(&why) == json_error_out_of_memory;
    oct_error_set(error, why.position > 0 ? (uint64_t)why.position : 0,
                  why.line > 0 ? (uint32_t)why.line : 1, why.column > 0 ? (uint32_t)why.column : 1,
                  "%s", why.text);
    return is_memory ? OCT_ERROR_MEMORY : OCT_ERROR_FORMAT;
}

oct_result oct_surface_read_json(const void *data, size_t size, const oct_surface_def *def,
                                 oct_surface **out, oct_error *error)
{
    *out = NULL;
    if (error) {
        *error = (oct_error){.line = 0};
    }
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    surface_json r = {.data = data, .size = size, .memory = &memory, .error = error};
    json_t *root;
    oct_result result = oct_surface_parse_json(data, size, &root, error);
    if (result == OCT_OK) {
        result = read_root(&r, root, def, out);
        json_decref(root);
    }
    if (result != OCT_OK && error && !error->message[0]) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    oct_array_free(&r.points, &memory, sizeof(oct_point));
    oct_array_free(&r.corners, &memory, sizeof(uint32_t));
    oct_array_free(&r.sizes, &memory, sizeof(uint32_t));
    oct_array_free(&r.details, &memory, sizeof(oct_point));
    oct_array_free(&r.detail_sizes, &memory, sizeof(uint32_t));
    return result;
}

oct_result oct_surface_load(const char *path, const oct_surface_def *def, oct_surface **out,
                            const char **kind, oct_error *error)
{
    *out = NULL;
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    oct_array bytes = {.count = 0};
    oct_result result = oct_file_read(path, SURFACE_FILE_MAX, &memory, &bytes, error);
    if (result == OCT_OK) {
        const char *const text = bytes.items;
        const size_t first = json_skip_space(text, bytes.count, 0);
        const bool is_json = first < bytes.count && text[first] == '{';
        if (kind) {
            *kind = is_json ? "json" : "obj";
        }
        result = is_json ? oct_surface_read_json(text, bytes.count, def, out, error)
                         : oct_surface_read_obj(text, bytes.count, def, out, error);
    }
    oct_array_free(&bytes, &memory, 1);
    return result;
}
