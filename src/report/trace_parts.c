// SPDX-License-Identifier: MIT
#include "report/trace_parts.h"

#include "base/words.h"

// Numbers from here on are strings: most programs read numbers as doubles.
#define ID_TEXT_FROM (UINT64_C(1) << 53)

void oct_trace_key(sink *out, const char *key)
{
    oct_sink_text(out, ", \"");
    oct_sink_text(out, key);
    oct_sink_text(out, "\": ");
}

void oct_trace_word(sink *out, const char *key, const char *word)
{
    oct_trace_key(out, key);
    oct_words_json(out, word);
}

void oct_trace_number(sink *out, const char *key, double value)
{
    oct_trace_key(out, key);
    oct_sink_decimal(out, value + 0.0); // never -0
}

void oct_trace_count(sink *out, const char *key, uint64_t value)
{
    oct_trace_key(out, key);
    oct_sink_number(out, value);
}

static void put_numbers(sink *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "[");
        oct_sink_decimal(out, values[i] + 0.0); // never -0
    }
    oct_sink_text(out, "]");
}

void oct_trace_place(sink *out, oct_point at)
{
    put_numbers(out, (const double[]){at.x, at.y, at.z}, 3);
}

void oct_trace_point(sink *out, const char *key, oct_point at)
{
    oct_trace_key(out, key);
    oct_trace_place(out, at);
}

void oct_trace_bounds(sink *out, const char *key, oct_bounds b)
{
    oct_trace_key(out, key);
    put_numbers(out, (const double[]){b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z}, 6);
}

void oct_trace_points(sink *out, const oct_point *points, size_t count)
{
    oct_trace_key(out, "points");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        oct_trace_place(out, points[i]);
    }
    oct_sink_text(out, "]");
}

void oct_trace_id(sink *out, uint64_t id)
{
    const bool as_text = id >= ID_TEXT_FROM;
    oct_sink_text(out, as_text ? "\"" : "");
    oct_sink_number(out, id);
    oct_sink_text(out, as_text ? "\"" : "");
}
