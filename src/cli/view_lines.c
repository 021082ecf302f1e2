// SPDX-License-Identifier: MIT
// Traces, piece by piece.
#include "cli/view_asking.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES_MAX (1024 * 1024) // bytes of one answer

// A trace: of a file, or of a test that is being played.
static bool get_trace(view_asking *a, view_item **out)
{
    json_int_t index;
    if (!oct_cli_ask_integer(a, "item", 0, (json_int_t)a->session->count - 1, &index)) {
        return false;
    }
    *out = &a->session->items[index];
    const view_kind kind = (*out)->kind;
    return kind == VIEW_TRACE || kind == VIEW_LIVE || kind == VIEW_SWARM ||
           oct_cli_ask_refuse(a, "item");
}

static bool tell_file_lines(view_asking *a, const view_item *item, json_int_t offset)
{
    char *const bytes = malloc(LINES_MAX);
    FILE *const file = bytes ? fopen(item->path, "rb") : NULL;
    bool done = file && fseek(file, (long)offset, SEEK_SET) == 0;
    if (done) {
        const size_t size = fread(bytes, 1, LINES_MAX, file);
        done = !ferror(file) &&
               oct_cli_say_head(a, ANSWER_LINES, (uint32_t)size, size == LINES_MAX) &&
               oct_cli_say_bytes(a, bytes, size);
    }
    if (file) {
        fclose(file);
    }
    free(bytes);
    return done || oct_cli_ask_refuse(a, "the trace cannot be read");
}

static bool tell_live_lines(view_asking *a, view_live *live, json_int_t offset)
{
    pthread_mutex_lock(&live->mutex);
    const size_t all = live->bytes.count;
    const size_t from = (uint64_t)offset < all ? (size_t)offset : all;
    const size_t size = all - from < LINES_MAX ? all - from : LINES_MAX;
    const bool done = oct_cli_say_head(a, ANSWER_LINES, (uint32_t)size, from + size < all) &&
                      oct_cli_say_bytes(a, (const uint8_t *)live->bytes.items + from, size);
    pthread_mutex_unlock(&live->mutex);
    atomic_store(&a->session->is_asked, true);
    return done;
}

// What stands in a trace from a byte on; the second number says whether there is more.
bool oct_cli_tell_lines(view_asking *a)
{
    view_item *item;
    json_int_t offset;
    if (!get_trace(a, &item) ||
        !oct_cli_ask_integer(a, "offset", 0, (json_int_t)1 << 50, &offset)) {
        return false;
    }
    return item->kind == VIEW_LIVE ? tell_live_lines(a, &item->live, offset)
                                   : tell_file_lines(a, item, offset);
}
