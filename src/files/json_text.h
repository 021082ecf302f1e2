// SPDX-License-Identifier: MIT
// JSON as our own files have it: texts and numbers that come back with the same bits.
#ifndef OCTANT_JSON_TEXT_H
#define OCTANT_JSON_TEXT_H

#include "octree/formats_internal.h"

// A string in quotation marks; `words` is UTF-8.
void oct_json_text(sink *out, const char *words);

// A list of numbers on one line.
void oct_json_numbers(sink *out, const double *values, size_t count);

#endif
