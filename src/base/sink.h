// SPDX-License-Identifier: MIT
// A buffer for output. It turns many small writes into few calls and remembers a failed one, so
// that writers need not check each byte.
#ifndef OCTANT_SINK_H
#define OCTANT_SINK_H

#include "base/base_internal.h"

typedef struct sink {
    oct_write_fn *write;
    void *ctx;
    size_t used;
    bool failed; // the callback refused; everything after is dropped
    uint8_t buffer[8192];
} sink;

// An empty buffer that hands its bytes to a callback.
void oct_sink_open(sink *out, oct_write_fn *write, void *ctx);

// Hands over what the buffer holds. The last call of a writer; `failed` then says how it went.
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

// A list of numbers as JSON has it, on one line; -0 comes back as -0.
void oct_sink_decimals(sink *out, const double *values, size_t count);

#endif
