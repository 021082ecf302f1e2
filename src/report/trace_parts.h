// SPDX-License-Identifier: MIT
// Members of the objects that lines of traces are, each with the comma before it.
#ifndef OCTANT_TRACE_PARTS_H
#define OCTANT_TRACE_PARTS_H

#include "base/sink.h"
#include "octant/geom.h"

#define OCT_TRACE_VERSION 1

void oct_trace_key(sink *out, const char *key);
void oct_trace_word(sink *out, const char *key, const char *word); // any bytes
void oct_trace_number(sink *out, const char *key, double value);
void oct_trace_count(sink *out, const char *key, uint64_t value);
void oct_trace_place(sink *out, oct_point at); // without a key
void oct_trace_point(sink *out, const char *key, oct_point at);
void oct_trace_bounds(sink *out, const char *key, oct_bounds b);
void oct_trace_points(sink *out, const oct_point *points, size_t count);
void oct_trace_id(sink *out, uint64_t id); // without a key

#endif
