// SPDX-License-Identifier: MIT
// Surfaces from Wavefront OBJ text. Faces keep all their corners.
#include "base/text.h"
#include "surface/surface_internal.h"

#include <math.h>

typedef struct obj_reader {
    text in;
    const oct_allocator *memory;
    oct_error *error;
    oct_array points;  // of oct_point
    oct_array corners; // of uint32_t
    oct_array sizes;   // of uint32_t
    oct_array lines;   // of uint32_t: where each face stands
} obj_reader;

static bool is_at_end(const text *in)
{
    return in->at == in->end || *in->at == '\n' || *in->at == '\r' || *in->at == '#';
}

static oct_result read_point(obj_reader *r)
{
    text *const in = &r->in;
    double value[3];
    for (int i = 0; i < 3; i++) {
        text_blanks(in);
        const text before = *in;
        if (!oct_text_signed(in, &value[i]) || !(fabs(value[i]) <= OCT_SURFACE_REACH_MAX)) {
            *in = before;
            return TEXT_REFUSE(in, r->error, "expected a coordinate, a number within +-1e7");
        }
        if (!is_at_end(in) && !text_is_blank(*in->at)) {
            return TEXT_REFUSE(in, r->error, "expected a blank after a coordinate");
        }
    }
    if (r->points.count == OCT_SURFACE_CORNERS_MAX) {
        return TEXT_REFUSE(in, r->error, "more than 1000000 points");
    }
    const oct_point point = {value[0], value[1], value[2]};
    return oct_array_push(&r->points, r->memory, sizeof point, &point);
}

// An index, from 1, or counted back from the last point if negative.
static oct_result read_corner(obj_reader *r)
{
    text *const in = &r->in;
    const text before = *in;
    const bool negative = *in->at == '-';
    uint32_t value = 0;
    in->at += negative;
    const bool is_number = text_number(in, &value);
    if (!is_number || value == 0 || value > r->points.count) {
        *in = before;
        return TEXT_REFUSE(in, r->error,
                           "expected the index of a point, 1 to %u, or negative from the last",
                           (unsigned)r->points.count);
    }
    // Indices of textures and normals.
    while (!is_at_end(in) && !text_is_blank(*in->at)) {
        const char c = *in->at;
        if (c != '/' && c != '-' && (uint32_t)c - '0' >= 10u) {
            return TEXT_REFUSE(in, r->error, "expected v, v/t or v/t/n");
        }
        in->at++;
    }
    const uint32_t corner = negative ? (uint32_t)r->points.count - value : value - 1u;
    if (r->corners.count == OCT_SURFACE_CORNERS_MAX) {
        return TEXT_REFUSE(in, r->error, "more than 1000000 corners");
    }
    return oct_array_push(&r->corners, r->memory, sizeof corner, &corner);
}

static oct_result read_face(obj_reader *r)
{
    text *const in = &r->in;
    uint32_t count = 0;
    const uint32_t line = in->line;
    for (text_blanks(in); !is_at_end(in); text_blanks(in)) {
        OCT_TRY(read_corner(r));
        count++;
    }
    if (count < 3) {
        return TEXT_REFUSE(in, r->error, "a face with fewer than 3 corners");
    }
    OCT_TRY(oct_array_push(&r->sizes, r->memory, sizeof count, &count));
    return oct_array_push(&r->lines, r->memory, sizeof line, &line);
}

static void skip_line(text *in)
{
    const char *const end = memchr(in->at, '\n', (size_t)(in->end - in->at));
    in->at = end ? end : in->end;
}

static oct_result read_lines(obj_reader *r)
{
    text *const in = &r->in;
    while (in->at < in->end) {
        text_blanks(in);
        if (oct_text_word(in, "v")) {
            OCT_TRY(read_point(r));
        } else if (oct_text_word(in, "f")) {
            OCT_TRY(read_face(r));
        }
        skip_line(in);
        text_line_end(in);
    }
    return OCT_OK;
}

static oct_result make(obj_reader *r, const oct_surface_def *def, oct_surface **out)
{
    oct_surface_def own = *def;
    own.points = r->points.items;
    own.point_count = (uint32_t)r->points.count;
    own.corners = r->corners.items;
    own.sizes = r->sizes.items;
    own.face_count = (uint32_t)r->sizes.count;
    const oct_result result = oct_surface_create(&own, out, r->error);
    if (result != OCT_OK && r->error && r->error->offset < r->lines.count) {
        // The error has named a face; here it has a line.
        r->error->line = ((const uint32_t *)r->lines.items)[r->error->offset];
        r->error->column = 1;
        r->error->offset = 0;
    }
    return result;
}

oct_result oct_surface_read_obj(const void *data, size_t size, const oct_surface_def *def,
                                oct_surface **out, oct_error *error)
{
    *out = NULL;
    if (error) {
        *error = (oct_error){0};
    }
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    const input in = {data, size};
    obj_reader r = {.in = text_open(in), .memory = &memory, .error = error};
    oct_result result = read_lines(&r);
    if (result == OCT_OK && r.sizes.count == 0) {
        result = TEXT_REFUSE(&r.in, error, "no face: a surface needs lines `f`");
    }
    result = result == OCT_OK ? make(&r, def, out) : result;
    if (result != OCT_OK && error && !error->message[0]) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    oct_array_free(&r.points, &memory, sizeof(oct_point));
    oct_array_free(&r.corners, &memory, sizeof(uint32_t));
    oct_array_free(&r.sizes, &memory, sizeof(uint32_t));
    oct_array_free(&r.lines, &memory, sizeof(uint32_t));
    return result;
}
