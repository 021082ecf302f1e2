// SPDX-License-Identifier: MIT
#include "files/json_text.h"

#include <math.h>

void oct_json_text(sink *out, const char *words)
{
    static const char hex[] = "0123456789abcdef";
    sink_byte(out, '"');
    for (; *words; words++) {
        const uint8_t c = (uint8_t)*words;
        if (c < 0x20) {
            oct_sink_text(out, "\\u00");
            sink_byte(out, (uint8_t)hex[c >> 4]);
            sink_byte(out, (uint8_t)hex[c & 15]);
        } else {
            if (c == '"' || c == '\\') {
                sink_byte(out, '\\');
            }
            sink_byte(out, c);
        }
    }
    sink_byte(out, '"');
}

void oct_json_numbers(sink *out, const double *values, size_t count)
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
