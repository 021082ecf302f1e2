// SPDX-License-Identifier: MIT
// Places in a text of JSON: jansson reads values but does not say where they stand.
#ifndef OCTANT_JSON_PLACE_H
#define OCTANT_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool json_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline size_t json_skip_space(const char *data, size_t size, size_t at)
{
    while (at < size && json_is_space(data[at])) {
        at++;
    }
    return at;
}

// Behind the value at `at`; looks at strings and brackets alone. Where the text ends before the
// value does it is `size`, or more after a backslash.
static inline size_t json_skip_value(const char *data, size_t size, size_t at)
{
    size_t depth = 0;
    bool in_string = false;
    for (; at < size; at++) {
        const char c = data[at];
        if (in_string) {
            at += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (depth == 0 && (json_is_space(c) || c == ',' || c == ':')) {
            break;
        } else if (c == ']' || c == '}') {
            if (depth == 0) {
                break;
            }
            depth--;
        }
    }
    return at;
}

#endif
