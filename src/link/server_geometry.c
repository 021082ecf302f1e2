// SPDX-License-Identifier: MIT
// What never moves, in pages of our own size, whatever that of the game's pages is.
#include "link/server_internal.h"

#define PAGE_PARTS 1000
#define PAGE_BYTES ((size_t)4 << 20)

static oct_result write_part(link_server *s, const oct_scenery_part *part)
{
    link_writer *const w = &s->w;
    const oct_shape *const shape = &part->shape;
    const bool is_box = shape->count == 1 && shape->pieces[0].kind == OCT_PIECE_BOX;
    oct_bounds box = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < shape->count; i++) {
        const oct_bounds own = shape->pieces[i].box;
        box = i == 0 ? own : oct_link_join_boxes(box, own);
    }
    oct_link_open(w, NULL, '{');
    OCT_TRY(oct_link_put_id(&s->ids, &s->allocator, w, "id", part->id));
    if (part->name && part->name[0]) {
        oct_link_put_text(w, "name", part->name);
    }
    oct_link_write_shape(w, is_box ? &(oct_shape){NULL, 0} : shape, &box, NULL);
    if (!part->solid) {
        oct_link_put_bool(w, "solid", false);
    }
    if (!part->opaque) {
        oct_link_put_bool(w, "opaque", false);
    }
    oct_link_close(w, '}');
    return OCT_OK;
}

static oct_result count_parts(link_server *s, size_t *count)
{
    oct_scenery_page page;
    size_t from = 0;
    *count = 0;
    do {
        OCT_TRY(oct_game_scenery(s->game, from, &page));
        *count += page.count;
        from = page.next;
    } while (from != 0);
    return OCT_OK;
}

// Writes parts from where the last page has ended; *written counts them. Moves on in the game's
// pages; *is_last tells that none is left.
static oct_result write_parts(link_server *s, size_t *written, bool *is_last)
{
    oct_scenery_page page;
    *is_last = false;
    *written = 0;
    for (;;) {
        OCT_TRY(oct_game_scenery(s->game, s->page_from, &page));
        while (s->page_skip < page.count) {
            if (*written == PAGE_PARTS || s->answer.count > PAGE_BYTES) {
                return OCT_OK;
            }
            OCT_TRY(write_part(s, &page.parts[s->page_skip++]));
            ++*written;
        }
        s->page_skip = 0;
        s->page_from = page.next;
        if (page.next == 0) {
            *is_last = true;
            return OCT_OK;
        }
    }
}

oct_result oct_link_server_geometry(link_server *s, const json_t *request)
{
    uint64_t from = 0;
    size_t written, count;
    bool is_last;
    const json_t *const field = oct_link_field(request, "from");
    if ((field && !oct_link_is_whole(field, &from)) || (from != 0 && from != s->geometry_next)) {
        return oct_link_server_refuse(s, "argument", "'from' must be 0 or the last 'next'");
    }
    if (from == 0) {
        s->geometry_next = s->page_from = s->page_skip = 0;
    }
    OCT_TRY(oct_link_server_check(s, count_parts(s, &count)));
    oct_link_put_whole(&s->w, "count", count);
    oct_link_open(&s->w, "parts", '[');
    OCT_TRY(oct_link_server_check(s, write_parts(s, &written, &is_last)));
    oct_link_close(&s->w, ']');
    s->geometry_next = is_last ? 0 : s->geometry_next + written;
    if (!is_last) {
        oct_link_put_whole(&s->w, "next", s->geometry_next);
    }
    return OCT_OK;
}
