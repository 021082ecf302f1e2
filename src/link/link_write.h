// SPDX-License-Identifier: MIT
// Writing lines of JSON: commas where they belong, doubles in as few digits as read back the same,
// texts as UTF-8.
#ifndef OCTANT_LINK_WRITE_H
#define OCTANT_LINK_WRITE_H

#include "base/sink.h"
#include "octant/game.h"

// A line that is being written. It must stay where it is.
typedef struct link_writer {
    sink out;
    oct_array *bytes; // of uint8_t
    const oct_allocator *allocator;
    bool comma;     // something stands before what comes next
    bool is_broken; // a number was not finite
} link_writer;

// Appends to an array of uint8_t.
void oct_link_write(link_writer *w, oct_array *bytes, const oct_allocator *allocator);
// The end of the line. OCT_ERROR_MEMORY, or OCT_ERROR_FORMAT for a number that is not finite.
oct_result oct_link_write_end(link_writer *w);

// `name` NULL: an item of a list.
void oct_link_open(link_writer *w, const char *name, char bracket);
void oct_link_close(link_writer *w, char bracket);
void oct_link_put_null(link_writer *w, const char *name);
void oct_link_put_number(link_writer *w, const char *name, double value);
void oct_link_put_whole(link_writer *w, const char *name, uint64_t value);
void oct_link_put_bool(link_writer *w, const char *name, bool value);
void oct_link_put_text(link_writer *w, const char *name, const char *value);
void oct_link_put_numbers(link_writer *w, const char *name, const double *values, size_t count);
void oct_link_put_point(link_writer *w, const char *name, oct_point p);
void oct_link_put_box(link_writer *w, const char *name, const oct_bounds *box);
void oct_link_put_texts(link_writer *w, const char *name, const char *const *texts, size_t count);
void oct_link_put_props(link_writer *w, const char *name, const oct_property *all, size_t count);

#endif
