// SPDX-License-Identifier: MIT
// Moving AI scenario files, of two and of three dimensions.
//
// A field is what stands between blanks, and must be a number to its end: 3.5 is not the cell 3.
// Memory grows with the lines that were read, never with what a file claims.
#include "octant/scenario.h"
#include "octree/formats_internal.h"
#include "verify/scenario.h"

#include <math.h>

struct oct_scenario {
    oct_allocator allocator;
    uint32_t dims;
    uint32_t width, height; // 0 where not stated
    oct_array map;          // of char: the name with its final 0, or nothing
    oct_array queries;      // of oct_scenario_query
};

// ---- fields ----

static bool field_ends(const text *in)
{
    return in->at == in->end || text_is_space(*in->at);
}

static oct_result read_number(text *in, const char *what, uint32_t limit, uint32_t *out,
                              oct_error *error)
{
    text_blanks(in);
    const text here = *in;
    if (!text_number(in, out) || *out >= limit || !field_ends(in)) {
        return TEXT_REFUSE(&here, error, "expected %s, from 0 to %u", what, (unsigned)(limit - 1u));
    }
    return OCT_OK;
}

static oct_result read_coordinate(text *in, const char *what, uint32_t limit, int32_t *out,
                                  oct_error *error)
{
    uint32_t value = 0;
    OCT_TRY(read_number(in, what, limit, &value, error));
    *out = (int32_t)value;
    return OCT_OK;
}

static oct_result read_decimal(text *in, const char *what, double *out, oct_error *error)
{
    text_blanks(in);
    const text here = *in;
    if (!oct_text_decimal(in, out) || !isfinite(*out) || !field_ends(in)) {
        return TEXT_REFUSE(&here, error, "expected %s", what);
    }
    return OCT_OK;
}

// Passes over the rest of a line of text, or over one word of it; returns its length. What is no
// text stops it.
static size_t pass_name(text *in, bool word)
{
    const char *from = in->at, *last = from;
    while (in->at < in->end) {
        const uint8_t c = (uint8_t)*in->at;
        const bool blank = text_is_blank((char)c);
        if (blank ? word : c < 0x20 || c == 0x7f) {
            break;
        }
        in->at++;
        last = blank ? last : in->at;
    }
    in->at = last;
    return (size_t)(last - from);
}

// Reads the map's name; it must be the one that was read before, if there was one.
static oct_result read_map(text *in, bool word, oct_scenario *to, oct_error *error)
{
    text_blanks(in);
    const text here = *in;
    const size_t length = pass_name(in, word);
    if (length == 0 || !field_ends(in)) {
        return TEXT_REFUSE(in, error, "expected the name of a map");
    }
    char *name = to->map.items;
    if (name) {
        return to->map.count == length + 1 && memcmp(name, here.at, length) == 0
                   ? OCT_OK
                   : TEXT_REFUSE(&here, error, "expected the same map as in the first query");
    }
    OCT_TRY(oct_array_reserve(&to->map, &to->allocator, 1, length + 1));
    name = to->map.items;
    memcpy(name, here.at, length);
    name[length] = '\0';
    to->map.count = length + 1;
    return OCT_OK;
}

static oct_result read_edge(text *in, uint32_t *edge, oct_error *error)
{
    text_blanks(in);
    const text here = *in;
    uint32_t value = 0;
    OCT_TRY(oct_text_edge(in, &value, error));
    if (!field_ends(in)) {
        return TEXT_REFUSE(in, error, "expected a blank after the size");
    }
    if (*edge != 0 && *edge != value) {
        return TEXT_REFUSE(&here, error, "expected %u, the size in the first query",
                           (unsigned)*edge);
    }
    *edge = value;
    return OCT_OK;
}

// ---- lines ----

static oct_result read_version(text *in, oct_error *error)
{
    if (!oct_text_word(in, "version")) {
        return TEXT_REFUSE(in, error, "expected `version 1`");
    }
    text_blanks(in);
    if (!oct_text_word(in, "1") && !oct_text_word(in, "1.0")) {
        return TEXT_REFUSE(in, error, "expected version 1 or 1.0, the only ones there are");
    }
    if (!text_line_end(in)) {
        return TEXT_REFUSE(in, error, "expected the end of the line after the version");
    }
    return OCT_OK;
}

static oct_result read_line_3d(text *in, oct_scenario_query *out, oct_error *error)
{
    const uint32_t limit = TEXT_EDGE_MAX;
    OCT_TRY(read_coordinate(in, "x of the start", limit, &out->from.x, error));
    OCT_TRY(read_coordinate(in, "y of the start", limit, &out->from.y, error));
    OCT_TRY(read_coordinate(in, "z of the start", limit, &out->from.z, error));
    OCT_TRY(read_coordinate(in, "x of the goal", limit, &out->to.x, error));
    OCT_TRY(read_coordinate(in, "y of the goal", limit, &out->to.y, error));
    OCT_TRY(read_coordinate(in, "z of the goal", limit, &out->to.z, error));
    OCT_TRY(read_decimal(in, "a length", &out->length, error));
    double ratio;
    return read_decimal(in, "a ratio of lengths", &ratio, error);
}

static oct_result read_line_2d(text *in, oct_scenario *to, oct_scenario_query *out,
                               oct_error *error)
{
    OCT_TRY(read_number(in, "a bucket", 1000000000u, &out->bucket, error));
    OCT_TRY(read_map(in, true, to, error));
    OCT_TRY(read_edge(in, &to->width, error));
    OCT_TRY(read_edge(in, &to->height, error));
    // Corners lie on the far sides as well.
    OCT_TRY(read_coordinate(in, "x of the start", to->width + 1u, &out->from.x, error));
    OCT_TRY(read_coordinate(in, "y of the start", to->height + 1u, &out->from.y, error));
    OCT_TRY(read_coordinate(in, "x of the goal", to->width + 1u, &out->to.x, error));
    OCT_TRY(read_coordinate(in, "y of the goal", to->height + 1u, &out->to.y, error));
    return read_decimal(in, "a length", &out->length, error);
}

static oct_result read_all(text *in, oct_scenario *to, oct_error *error)
{
    OCT_TRY(read_version(in, error));
    if (to->dims == 3) {
        OCT_TRY(read_map(in, false, to, error));
        if (!text_line_end(in)) {
            return TEXT_REFUSE(in, error, "expected the end of the line after the map");
        }
    }
    while (in->at < in->end && !text_is_space(*in->at)) {
        oct_scenario_query query = {.line = in->line};
        OCT_TRY(to->dims == 3 ? read_line_3d(in, &query, error)
                              : read_line_2d(in, to, &query, error));
        if (!text_line_end(in)) {
            return TEXT_REFUSE(in, error, "expected the end of the line after a query");
        }
        OCT_TRY(oct_array_push(&to->queries, &to->allocator, sizeof query, &query));
    }
    return oct_text_end(in, error);
}

static oct_result read_new(uint32_t dims, input in, const oct_allocator *may_be_null,
                           oct_scenario **out, oct_error *error)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    oct_scenario *scenario = oct_alloc(&allocator, sizeof *scenario, _Alignof(oct_scenario));
    if (!scenario) {
        return OCT_ERROR_MEMORY;
    }
    *scenario = (oct_scenario){.allocator = allocator, .dims = dims};
    text scanner = text_open(in);
    const oct_result result = read_all(&scanner, scenario, error);
    if (result != OCT_OK) {
        oct_scenario_destroy(scenario);
        return result;
    }
    *out = scenario;
    return OCT_OK;
}

oct_result oct_scenario_read(uint32_t dims, const void *data, size_t size,
                             const oct_allocator *allocator, oct_scenario **out, oct_error *error)
{
    *out = NULL;
    if (error) {
        *error = (oct_error){0};
    }
    static const uint8_t nothing[1];
    const input in = {data ? data : nothing, size};
    const bool sound = (dims == 2 || dims == 3) && (data || size == 0);
    const oct_result result =
        sound ? read_new(dims, in, allocator, out, error) : OCT_ERROR_ARGUMENT;
    if (result != OCT_OK && result != OCT_ERROR_FORMAT) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    return result;
}

// ---- questions ----

void oct_scenario_destroy(oct_scenario *scenario)
{
    if (!scenario) {
        return;
    }
    const oct_allocator allocator = scenario->allocator;
    oct_array_free(&scenario->map, &allocator, 1);
    oct_array_free(&scenario->queries, &allocator, sizeof(oct_scenario_query));
    oct_free(&allocator, scenario, sizeof *scenario);
}

uint32_t oct_scenario_dims(const oct_scenario *scenario)
{
    return scenario->dims;
}

const char *oct_scenario_map(const oct_scenario *scenario)
{
    return scenario->map.items ? scenario->map.items : "";
}

bool oct_scenario_size(const oct_scenario *scenario, uint32_t *width, uint32_t *height)
{
    if (scenario->width == 0) {
        return false;
    }
    *width = scenario->width;
    *height = scenario->height;
    return true;
}

size_t oct_scenario_count(const oct_scenario *scenario)
{
    return scenario->queries.count;
}

oct_scenario_query oct_scenario_get(const oct_scenario *scenario, size_t index)
{
    OCT_ASSERT(index < scenario->queries.count);
    return ((const oct_scenario_query *)scenario->queries.items)[index];
}
