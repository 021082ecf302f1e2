// SPDX-License-Identifier: MIT
// A scanner for text from outside. It never looks past the end and always knows its line, so that
// every refusal can say where.
#ifndef OCTANT_TEXT_H
#define OCTANT_TEXT_H

#include "base/base_internal.h"

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

typedef struct text {
    const char *start, *at, *end;
    const char *line_start;
    uint32_t line; // 1-based
} text;

OCT_FORCE_INLINE text text_open(input in)
{
    const char *start = (const char *)in.data;
    return (text){start, start, start + in.size, start, 1};
}

// Fills the error with the scanner's position and a message; the value is OCT_ERROR_FORMAT.
#define TEXT_REFUSE(text, error, ...)                                                              \
    (oct_error_set((error), (uint64_t)((text)->at - (text)->start), (text)->line,                  \
                   (uint32_t)((text)->at - (text)->line_start) + 1u, __VA_ARGS__),                 \
     OCT_ERROR_FORMAT)

OCT_FORCE_INLINE bool text_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

OCT_FORCE_INLINE bool text_is_space(char c)
{
    return text_is_blank(c) || c == '\r' || c == '\n';
}

OCT_FORCE_INLINE void text_blanks(text *in)
{
    while (in->at < in->end && text_is_blank(*in->at)) {
        in->at++;
    }
}

// Reads a number of at most nine digits; false, and nothing read, where there is none.
OCT_FORCE_INLINE bool text_number(text *in, uint32_t *out)
{
    const char *at = in->at;
    uint32_t value = 0;
    while (at < in->end && (uint32_t)*at - '0' < 10u) {
        value = value * 10u + ((uint32_t)*at - '0');
        at++;
    }
    if (at == in->at || at - in->at > 9) {
        return false;
    }
    in->at = at;
    *out = value;
    return true;
}

// Passes over the end of a line, LF or CRLF, or the end of the text; false where more follows.
OCT_FORCE_INLINE bool text_line_end(text *in)
{
    text_blanks(in);
    const char *at = in->at;
    if (at < in->end && *at == '\r') {
        at++;
    }
    if (at < in->end) {
        if (*at != '\n') {
            return false;
        }
        at++;
        in->line++;
        in->line_start = at;
    }
    in->at = at;
    return true;
}

// Passes over a word; false, and nothing read, where something else or a longer word stands there.
bool oct_text_word(text *in, const char *word);

// Refuses anything but empty lines up to the end.
oct_result oct_text_end(text *in, oct_error *error);

// Reads a decimal number such as 0.05 or 1e-3, whatever the locale; false, and nothing read, where
// there is none or it has more than 40 digits. The value may be infinite.
bool oct_text_decimal(text *in, double *out);

// The same with a sign before it, or none.
bool oct_text_signed(text *in, double *out);

#endif
