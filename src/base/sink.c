// SPDX-License-Identifier: MIT
#include "base/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void oct_sink_open(sink *out, oct_write_fn *write, void *ctx)
{
    out->write = write;
    out->ctx = ctx;
    out->used = 0;
    out->failed = false;
}

void oct_sink_flush(sink *out)
{
    if (!out->failed && out->used > 0) {
        out->failed = !out->write(out->ctx, out->buffer, out->used);
    }
    out->used = 0;
}

void oct_sink_text(sink *out, const char *words)
{
    for (; *words; words++) {
        sink_byte(out, (uint8_t)*words);
    }
}

void oct_sink_number(sink *out, uint64_t value)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value > 0);
    while (count > 0) {
        sink_byte(out, (uint8_t)digits[--count]);
    }
}

void oct_sink_fill(sink *out, char c, uint64_t count)
{
    while (count > 0 && !out->failed) {
        if (out->used == sizeof out->buffer) {
            oct_sink_flush(out);
        }
        const size_t room = sizeof out->buffer - out->used;
        const size_t run = count < room ? (size_t)count : room;
        memset(out->buffer + out->used, c, run);
        out->used += run;
        count -= run;
    }
}

void oct_sink_decimal(sink *out, double value)
{
    char digits[32];
    // Where 15 digits suffice %g leaves no more of them than needed, nor an exponent up to 10^15.
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    bool in_point = false;
    for (const char *at = digits; *at; at++) {
        const bool point = !strchr("0123456789+-e", *at);
        if (!point) {
            sink_byte(out, (uint8_t)*at);
        } else if (!in_point) {
            sink_byte(out, '.');
        }
        in_point = point;
    }
}

void oct_sink_decimals(sink *out, const double *values, size_t count)
{
    oct_sink_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        if (values[i] == 0.0 && signbit(values[i])) {
            oct_sink_text(out, "-0.0"); // without its point it would be an integer, which has no -0
        } else {
            oct_sink_decimal(out, values[i]);
        }
    }
    sink_byte(out, ']');
}
