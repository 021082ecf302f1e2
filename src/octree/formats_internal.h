// SPDX-License-Identifier: MIT
// What the formats share: a scanner for text, a buffer for output, and the table's signatures.
//
// The scanner never looks past the end and always knows its line, so that every refusal can say
// where. The output buffer turns many small writes into few calls and remembers a failed one, so
// that writers need not check each byte.
#ifndef OCTANT_FORMATS_INTERNAL_H
#define OCTANT_FORMATS_INTERNAL_H

#include "base/base_internal.h"
#include "octant/formats.h"
#include "octree/octree_internal.h"

// The longest edge that a text format may declare, cells.
#define TEXT_EDGE_MAX (UINT32_C(1) << 20)

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

typedef struct sink sink;

// Readers start from *info as the default made it. On failure they may leave a half-built *tree
// behind (or NULL) and an error without message: oct_map_read tidies up both.
typedef oct_result read_map_fn(input in, const oct_tree_def *def, oct_tree **tree,
                               oct_map_info *info, oct_error *error);

// Writers are called with a tree of the format's dimensions. They refuse before the first byte.
typedef oct_result write_map_fn(const oct_tree *tree, const oct_map_info *info, sink *out,
                                oct_error *error);

read_map_fn oct_read_3dmap, oct_read_map, oct_read_bt, oct_read_tree;
write_map_fn oct_write_3dmap, oct_write_map, oct_write_bt, oct_write_tree;

// ---- text in ----

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

// Reads a line `word N` with 1 <= N <= TEXT_EDGE_MAX.
oct_result oct_text_edge_line(text *in, const char *word, uint32_t *out, oct_error *error);

// Reads blanks and an edge, 1 <= N <= TEXT_EDGE_MAX.
oct_result oct_text_edge(text *in, uint32_t *out, oct_error *error);

// Refuses anything but empty lines up to the end.
oct_result oct_text_end(text *in, oct_error *error);

// Reads a decimal number such as 0.05 or 1e-3, whatever the locale; false, and nothing read, where
// there is none or it has more than 40 digits. The value may be infinite.
bool oct_text_decimal(text *in, double *out);

// ---- bytes out ----

struct sink {
    oct_write_fn *write;
    void *ctx;
    size_t used;
    bool failed; // the callback refused; everything after is dropped
    uint8_t buffer[8192];
};

void oct_sink_flush(sink *out);

OCT_FORCE_INLINE void sink_byte(sink *out, uint8_t byte)
{
    if (OCT_UNLIKELY(out->used == sizeof out->buffer)) {
        oct_sink_flush(out);
    }
    out->buffer[out->used++] = byte;
}

// The low bytes of a value, lowest first.
OCT_FORCE_INLINE void sink_little(sink *out, uint64_t value, int count)
{
    for (int i = 0; i < count; i++) {
        sink_byte(out, (uint8_t)(value >> (8 * i)));
    }
}

void oct_sink_text(sink *out, const char *words);
void oct_sink_number(sink *out, uint64_t value);
void oct_sink_fill(sink *out, char c, uint64_t count);

// A double in as few digits as read back the same, whatever the locale.
void oct_sink_decimal(sink *out, double value);

// ---- shared checks ----

// For the text formats: the box must be in the lattice, not empty, with no edge above
// TEXT_EDGE_MAX, and hold no UNKNOWN cell.
oct_result oct_check_text_box(const oct_tree *tree, oct_box box, oct_error *error);

#endif
