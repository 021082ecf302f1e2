// SPDX-License-Identifier: MIT
// Lines over a link: bytes in, whole lines out, with a limit for each line and a time to wait.
//
// Where the bytes come from is the carrier's business: a socket (link_socket.h), or memory in
// tests.
#ifndef OCTANT_LINK_LINE_H
#define OCTANT_LINK_LINE_H

#include "base/base_internal.h"

// What a line may have, in bytes without its end, and how deep its brackets may be nested.
#define LINK_REQUEST_SIZE ((size_t)64 << 10)
#define LINK_REQUEST_DEPTH 8
#define LINK_ANSWER_SIZE ((size_t)16 << 20)
#define LINK_ANSWER_DEPTH 16

typedef enum link_status {
    LINK_FINE,
    LINK_CLOSED,    // the other side has closed the link, or it broke
    LINK_SILENT,    // nothing came, or could be sent, in time
    LINK_TOO_LONG,  // a line exceeds the limit; the rest of it will be passed over
    LINK_STOPPED,   // somebody wants to stop
    LINK_NO_MEMORY, // the line was lost
} link_status;

// What carries bytes. Both give up at a time of the carrier's clock, in milliseconds.
typedef struct link_carrier {
    // At least one byte and up to `room`.
    link_status (*read)(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got);
    // All of them.
    link_status (*write)(void *ctx, const void *bytes, size_t size, uint64_t until);
    uint64_t (*clock)(void *ctx);
    void *ctx;
} link_carrier;

// Zero, then carrier, allocator and limit: no line yet.
typedef struct link_lines {
    link_carrier carrier;
    oct_allocator allocator;
    size_t limit;   // bytes of a line
    oct_array in;   // bytes that came
    size_t start;   // where the next line begins in them
    size_t scanned; // from there on: bytes that hold no end of a line
    bool skips;     // the rest of a line that was too long is passed over
} link_lines;

// A time that never comes.
#define LINK_NEVER UINT64_MAX

// Waits for the next line that is not empty, and takes off its end. It is terminated by 0, may be
// written to, and is valid until the next call.
link_status oct_link_line_next(link_lines *lines, uint64_t until, char **line, size_t *size);

// Whether a whole line is there already.
bool oct_link_line_waits(const link_lines *lines);

// Whether something came beyond the last line: what has come by now is read, and nothing is waited
// for.
bool oct_link_line_comes(link_lines *lines);

void oct_link_lines_free(link_lines *lines);

#endif
