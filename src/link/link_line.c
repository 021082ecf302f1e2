// SPDX-License-Identifier: MIT
#include "link/link_line.h"

#define ROOM_LEAST ((size_t)16 << 10)

static char *bytes_of(const link_lines *lines)
{
    return lines->in.items;
}

// The end of the line that begins at `start`; NULL where it has not come yet.
static char *find_end(const link_lines *lines)
{
    const size_t from = lines->start + lines->scanned;
    return from < lines->in.count ? memchr(bytes_of(lines) + from, '\n', lines->in.count - from)
                                  : NULL;
}

bool oct_link_line_waits(const link_lines *lines)
{
    return find_end(lines) != NULL;
}

// Makes room behind the bytes, at first by moving them to the front.
static bool make_room(link_lines *lines)
{
    if (lines->start > 0) {
        lines->in.count -= lines->start;
        if (lines->in.count > 0) {
            memmove(bytes_of(lines), bytes_of(lines) + lines->start, lines->in.count);
        }
        lines->start = 0;
    }
    if (lines->in.capacity - lines->in.count >= ROOM_LEAST / 4) {
        return true;
    }
    const size_t most = lines->limit + ROOM_LEAST;
    const size_t wanted = lines->in.capacity < ROOM_LEAST ? ROOM_LEAST : 2 * lines->in.capacity;
    return oct_array_reserve(&lines->in, &lines->allocator, 1, wanted < most ? wanted : most) ==
           OCT_OK;
}

static bool is_blank(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n') {
            return false;
        }
    }
    return true;
}

// Takes a line that is there; false where it is empty, or the rest of one that was too long.
static bool take_line(link_lines *lines, char *end, char **line, size_t *size)
{
    char *const begin = bytes_of(lines) + lines->start;
    const size_t length = (size_t)(end - begin);
    lines->start += length + 1;
    lines->scanned = 0;
    if (lines->skips || is_blank(begin, length)) {
        lines->skips = false;
        return false;
    }
    *line = begin;
    *size = length - (begin[length - 1] == '\r');
    begin[*size] = '\0';
    return true;
}

// Drops what came of a line that is too long.
static void drop_line(link_lines *lines)
{
    lines->in.count = lines->start;
    lines->scanned = 0;
    lines->skips = true;
}

link_status oct_link_line_next(link_lines *lines, uint64_t until, char **line, size_t *size)
{
    for (;;) {
        char *const end = find_end(lines);
        const size_t here =
            end ? (size_t)(end - bytes_of(lines)) - lines->start : lines->in.count - lines->start;
        if (here > lines->limit && !lines->skips) {
            if (end) {
                lines->start += here + 1;
                lines->scanned = 0;
            } else {
                drop_line(lines);
            }
            return LINK_TOO_LONG;
        }
        if (end && take_line(lines, end, line, size)) {
            return LINK_FINE;
        }
        if (end) {
            continue;
        }
        if (lines->skips) {
            drop_line(lines);
        }
        lines->scanned = lines->in.count - lines->start;
        if (!make_room(lines)) {
            drop_line(lines);
            return LINK_NO_MEMORY;
        }
        size_t got = 0;
        const link_status status =
            lines->carrier.read(lines->carrier.ctx, bytes_of(lines) + lines->in.count,
                                lines->in.capacity - lines->in.count, until, &got);
        if (status != LINK_FINE) {
            return status;
        }
        lines->in.count += got;
    }
}

bool oct_link_line_comes(link_lines *lines)
{
    size_t got = 0;
    if (make_room(lines) &&
        lines->carrier.read(lines->carrier.ctx, bytes_of(lines) + lines->in.count,
                            lines->in.capacity - lines->in.count, 0, &got) == LINK_FINE) {
        lines->in.count += got;
    }
    return !is_blank(bytes_of(lines) + lines->start, lines->in.count - lines->start);
}

void oct_link_lines_free(link_lines *lines)
{
    oct_array_free(&lines->in, &lines->allocator, 1);
    lines->start = lines->scanned = 0;
    lines->skips = false;
}
