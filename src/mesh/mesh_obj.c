// SPDX-License-Identifier: MIT
// Wavefront OBJ: lines of text, of which `v X Y Z`, `f A B C ...`, `o NAME` and `g NAME` make a
// mesh.
//
// Faces may name vertices that come later: so vertices are read first, in a pass of their own.
#include "mesh/mesh_internal.h"

#include <math.h>

typedef enum statement {
    STATEMENT_NONE,
    STATEMENT_VERTEX,
    STATEMENT_FACE,
    STATEMENT_OBJECT,
    STATEMENT_KNOWN, // of no meaning for shapes in the way
    STATEMENT_OTHER  // curves and the like
} statement;

// Blanks, and ends of lines that a backslash takes back.
static void skip_blanks(text *in)
{
    for (;;) {
        text_blanks(in);
        if (in->at >= in->end || *in->at != '\\') {
            return;
        }
        const char *at = in->at + 1;
        at += at < in->end && *at == '\r';
        if (at >= in->end || *at != '\n') {
            return;
        }
        in->at = in->line_start = at + 1;
        in->line++;
    }
}

static void skip_line(text *in)
{
    while (in->at < in->end && *in->at != '\n') {
        if (*in->at == '\\') {
            skip_blanks(in);
            in->at += in->at < in->end && *in->at == '\\';
        } else {
            in->at++;
        }
    }
    if (in->at < in->end) {
        in->at++;
        in->line++;
        in->line_start = in->at;
    }
}

static bool is_word_end(const text *in)
{
    return in->at >= in->end || text_is_space(*in->at) || *in->at == '\\';
}

static bool is_line_end(const text *in)
{
    return in->at >= in->end || *in->at == '\n' || *in->at == '\r' || *in->at == '#';
}

// Reads the first word of a line.
static statement read_statement(text *in, oct_error *error, oct_result *result)
{
    static const char *const known[] = {"vt",    "vn",       "vp",       "usemtl",     "mtllib",
                                        "s",     "mg",       "l",        "p",          "lod",
                                        "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    skip_blanks(in);
    if (is_line_end(in)) {
        return STATEMENT_NONE;
    }
    const char *const word = in->at;
    while (!is_word_end(in)) {
        const char c = *in->at;
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) {
            *result = TEXT_REFUSE(in, error, "expected a statement such as v or f");
            return STATEMENT_NONE;
        }
        in->at++;
    }
    const size_t length = (size_t)(in->at - word);
    if (length == 1) {
        const char c = word[0];
        if (c == 'v' || c == 'f' || c == 'o' || c == 'g') {
            return c == 'v' ? STATEMENT_VERTEX : c == 'f' ? STATEMENT_FACE : STATEMENT_OBJECT;
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == length && memcmp(known[i], word, length) == 0) {
            return STATEMENT_KNOWN;
        }
    }
    return STATEMENT_OTHER;
}

// ---- numbers ----

// A number of few digits, exactly: both the digits and the power of ten are exact in double, so
// that one division rounds once (Clinger 1990). False, and nothing read, for others.
static bool read_short_decimal(text *in, double *out)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *at = in->at;
    uint64_t value = 0;
    int digits = 0, places = 0;
    bool point = false;
    for (; at < in->end; at++) {
        const uint32_t digit = (uint32_t)*at - '0';
        if (digit < 10u) {
            value = value * 10u + digit;
            places += point;
            if (++digits > 15) {
                return false;
            }
        } else if (*at == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (digits == 0 || (at < in->end && (*at == 'e' || *at == 'E'))) {
        return false;
    }
    in->at = at;
    *out = (double)value / powers[places];
    return true;
}

// A decimal number; what is none, such as `nan`, becomes NaN: vertices that no face uses may be
// anything.
static double read_number(text *in)
{
    skip_blanks(in);
    const bool negative = in->at < in->end && *in->at == '-';
    in->at += in->at < in->end && (*in->at == '-' || *in->at == '+');
    double value = (double)NAN;
    if (!read_short_decimal(in, &value) && !oct_text_decimal(in, &value)) {
        value = (double)NAN;
    }
    if (!is_word_end(in)) {
        value = (double)NAN;
        while (!is_word_end(in)) {
            in->at++;
        }
    }
    return negative ? -value : value;
}

static oct_result read_vertex(text *in, mesh_builder *b, oct_error *error)
{
    if (b->vertices.count >= b->def.vertices_max) {
        return TEXT_REFUSE(in, error, "more than %u vertices are not allowed", b->def.vertices_max);
    }
    oct_point p = {0, 0, 0};
    double *const axes[3] = {&p.x, &p.y, &p.z};
    for (int i = 0; i < 3; i++) {
        skip_blanks(in);
        if (is_line_end(in)) {
            return TEXT_REFUSE(in, error, "a vertex needs three numbers");
        }
        *axes[i] = read_number(in) * b->def.unit;
    }
    return oct_array_push(&b->vertices, &b->allocator, sizeof p, &p);
}

// ---- faces ----

// Passes over `/T/N` after an index.
static bool skip_others(text *in)
{
    for (int i = 0; i < 2 && in->at < in->end && *in->at == '/'; i++) {
        in->at++;
        in->at += in->at < in->end && *in->at == '-';
        while (in->at < in->end && (uint32_t)*in->at - '0' < 10u) {
            in->at++;
        }
    }
    return is_word_end(in);
}

// Reads a corner: an index from 1 on, or from the last vertex before the face backwards.
static oct_result read_corner(text *in, mesh_builder *b, uint64_t before, oct_error *error)
{
    const char *const from = in->at;
    const bool negative = *in->at == '-';
    in->at += negative;
    uint32_t index;
    if (!text_number(in, &index) || index == 0) {
        in->at = from;
        return TEXT_REFUSE(in, error, "expected the index of a vertex, from 1 on, or below 0");
    }
    const bool is_there = negative ? index <= before : index <= b->vertices.count;
    if (!is_there) {
        in->at = from;
        return TEXT_REFUSE(in, error, "there is no vertex %s%u: there are %llu",
                           negative ? "-" : "", index,
                           (unsigned long long)(negative ? before : b->vertices.count));
    }
    const uint32_t at = negative ? (uint32_t)before - index : index - 1u;
    const oct_point p = ((const oct_point *)b->vertices.items)[at];
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
        in->at = from;
        return TEXT_REFUSE(in, error, "vertex %u has a coordinate that is not finite", at + 1u);
    }
    if (!skip_others(in)) {
        return TEXT_REFUSE(in, error, "expected a corner such as 1, 1/2 or 1/2/3");
    }
    if (b->corners.count >= OCT_MESH_CORNERS_MAX) {
        return TEXT_REFUSE(in, error, "a face has at most %d corners", OCT_MESH_CORNERS_MAX);
    }
    return oct_array_push(&b->corners, &b->allocator, sizeof at, &at);
}

static oct_result read_face(text *in, mesh_builder *b, uint64_t before, oct_error *error)
{
    b->corners.count = 0;
    for (skip_blanks(in); !is_line_end(in); skip_blanks(in)) {
        OCT_TRY(read_corner(in, b, before, error));
    }
    if (b->corners.count < 3) {
        return TEXT_REFUSE(in, error, "a face needs three corners or more");
    }
    const oct_result result = oct_mesh_add_polygon(b);
    if (result == OCT_ERROR_RANGE) {
        return TEXT_REFUSE(in, error, "more than %u triangles are not allowed",
                           b->def.triangles_max);
    }
    return result;
}

static oct_result begin_object(text *in, mesh_builder *b)
{
    skip_blanks(in);
    const char *const name = in->at;
    while (in->at < in->end && *in->at != '\n' && *in->at != '\r') {
        in->at++;
    }
    return oct_mesh_begin_object(b, name, (size_t)(in->at - name));
}

// ---- passes ----

static oct_result read_vertices(input bytes, mesh_builder *b, oct_error *error)
{
    oct_result result = OCT_OK;
    for (text in = text_open(bytes); in.at < in.end && result == OCT_OK; skip_line(&in)) {
        const statement what = read_statement(&in, error, &result);
        if (what == STATEMENT_VERTEX) {
            OCT_TRY(read_vertex(&in, b, error));
        }
        b->report.passed += what == STATEMENT_OTHER;
    }
    return result;
}

static oct_result read_faces(input bytes, mesh_builder *b, oct_error *error)
{
    oct_result result = OCT_OK;
    uint64_t before = 0;
    for (text in = text_open(bytes); in.at < in.end; skip_line(&in)) {
        const statement what = read_statement(&in, error, &result);
        before += what == STATEMENT_VERTEX;
        if (what == STATEMENT_FACE) {
            OCT_TRY(read_face(&in, b, before, error));
        } else if (what == STATEMENT_OBJECT) {
            OCT_TRY(begin_object(&in, b));
        }
    }
    return result;
}

oct_result oct_mesh_read_obj(input in, mesh_builder *b, oct_error *error)
{
    OCT_TRY(read_vertices(in, b, error));
    OCT_TRY(read_faces(in, b, error));
    if (b->indices.count == 0) {
        return OCT_REFUSE(error, in.size, "there are no faces");
    }
    return OCT_OK;
}
