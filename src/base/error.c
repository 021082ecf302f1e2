// SPDX-License-Identifier: MIT
// Results in words, and where and why outside data was refused.
#include "base/base_internal.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>

const char *oct_result_text(oct_result result)
{
    switch (result) {
    case OCT_OK:
        return "ok";
    case OCT_ERROR_MEMORY:
        return "out of memory";
    case OCT_ERROR_ARGUMENT:
        return "invalid argument";
    case OCT_ERROR_RANGE:
        return "out of range";
    case OCT_ERROR_FORMAT:
        return "malformed data";
    case OCT_ERROR_FILE:
        return "file error";
    case OCT_ERROR_LOST:
        return "changes no longer known";
    case OCT_ERROR_EXISTS:
        return "id already taken";
    case OCT_ERROR_ABSENT:
        return "no such id";
    case OCT_ERROR_LINK:
        return "the connection to the game has ended";
    case OCT_ERROR_UNSUPPORTED:
        return "the game cannot do that";
    }
    return "unknown result";
}

void oct_error_set_at(oct_error *may_be_null, const char *data, size_t size, size_t at,
                      const char *message)
{
    uint32_t line = 1;
    size_t line_start = 0;
    at = at < size ? at : size;
    for (size_t i = 0; i < at; i++) {
        if (data[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    oct_error_set(may_be_null, at, line, (uint32_t)(at - line_start) + 1, "%s", message);
}

void oct_error_set(oct_error *may_be_null, uint64_t offset, uint32_t line, uint32_t column,
                   const char *format, ...)
{
    if (!may_be_null) {
        return;
    }
    may_be_null->offset = offset;
    may_be_null->line = line;
    may_be_null->column = column;
    va_list arguments;
    va_start(arguments, format);
    oct_vsnprintf(may_be_null->message, sizeof may_be_null->message, format, arguments);
    va_end(arguments);
}
