// SPDX-License-Identifier: MIT
// What never moves, page by page as the game tells it.
#include "link/client_internal.h"

#define PARTS_MAX ((size_t)1 << 24)
#define PAGES_MAX ((size_t)1 << 20)

// An id of a part belongs to nothing else.
static oct_result check_part(link_client *c, uint64_t id)
{
    uint32_t index;
    if (index_table_find(&c->parts, id, &index)) {
        return oct_link_refuse(&c->in, "another part has its id");
    }
    for (uint32_t i = 0; i < c->players.count; i++) {
        const client_player *const p = oct_link_player(c, i);
        const oct_entity *const view = p->view.items;
        size_t low = 0, high = p->view.count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (view[middle].thing.id < id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (c->now.players[i].id == id && id != 0) {
            return oct_link_refuse(&c->in, "a player has its id, too");
        }
        if (low < p->view.count && view[low].thing.id == id && !view[low].is_scenery) {
            return oct_link_refuse(&c->in, "an entity has its id, too");
        }
    }
    return OCT_OK;
}

static oct_result take_part(link_client *c, const json_t *object, oct_scenery_part *out)
{
    bool found;
    oct_bounds box;
    oct_link_subject(&c->in, "part %zu of the geometry", c->part_count);
    if (!json_is_object(object)) {
        return oct_link_refuse(&c->in, "it must be an object");
    }
    *out = (oct_scenery_part){.name = "", .solid = true, .opaque = true};
    OCT_TRY(oct_link_get_id(&c->ids, &c->allocator, &c->in, object, "id", false, &out->id));
    if (out->id != 0) {
        oct_link_subject(&c->in, "part %llu of the geometry", (unsigned long long)out->id);
        OCT_TRY(check_part(c, out->id));
        OCT_TRY(oct_index_table_reserve(&c->parts, &c->allocator, 1));
        oct_index_table_put(&c->parts, out->id, (uint32_t)c->part_count);
    }
    OCT_TRY(oct_link_get_text(&c->in, object, "name", LINK_NAME_MAX, &out->name));
    OCT_TRY(oct_link_get_bool(&c->in, object, "solid", &out->solid));
    OCT_TRY(oct_link_get_bool(&c->in, object, "opaque", &out->opaque));
    OCT_TRY(oct_link_read_shape(&c->in, object, true, &out->shape, &box, &found));
    if (!found) {
        return oct_link_refuse(&c->in, "it has no shape: box, obb, hull, boxes, or v and t");
    }
    for (size_t i = 0; i < out->shape.count; i++) {
        c->triangle_count += out->shape.pieces[i].triangle_count;
    }
    if (++c->part_count > PARTS_MAX || c->triangle_count > PARTS_MAX) {
        return oct_link_refuse(&c->in, "the geometry has more than 2^24 parts or triangles");
    }
    return OCT_OK;
}

// What `next` says is the game's own affair, but not for ever (Brent 1980).
static bool is_circle(link_client *c, size_t next)
{
    const bool is = next == c->page_mark;
    const size_t count = ++c->page_count;
    if ((count & (count - 1)) == 0) {
        c->page_mark = next;
    }
    return is;
}

static oct_result take_page(link_client *c, size_t from, const json_t *answer,
                            oct_scenery_page *out)
{
    const json_t *list;
    uint64_t next = 0;
    c->in.arena = &c->page_arena;
    oct_arena_reset(&c->page_arena);
    oct_link_subject(&c->in, "geometry");
    OCT_TRY(oct_link_get_list(&c->in, answer, "parts", &list));
    OCT_TRY(oct_link_get_whole(&c->in, answer, "next", LINK_WHOLE_END - 1, &next));
    const size_t count = json_array_size(list);
    if (next != 0 && (next == from || is_circle(c, (size_t)next))) {
        return oct_link_refuse(&c->in, "'next' leads back to a page that was told");
    }
    if (c->page_count > PAGES_MAX) {
        return oct_link_refuse(&c->in, "more than 2^20 pages");
    }
    oct_scenery_part *const parts =
        count > 0 ? oct_link_items(&c->in, count, sizeof *parts, _Alignof(oct_scenery_part)) : NULL;
    if (count > 0 && !parts) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(take_part(c, json_array_get(list, i), &parts[i]));
    }
    *out = (oct_scenery_page){parts, count, (size_t)next};
    return OCT_OK;
}

oct_result oct_link_scenery(link_client *c, size_t from, oct_scenery_page *out)
{
    link_writer w;
    json_t *answer;
    *out = (oct_scenery_page){.next = 0};
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    if (!c->facts.can_geometry) {
        return OCT_OK;
    }
    if (from == 0) {
        oct_index_table_clear(&c->parts);
        c->part_count = c->triangle_count = c->page_count = c->page_mark = 0;
    }
    OCT_TRY(oct_link_request(c, &w, "geometry"));
    if (from > 0) {
        oct_link_put_whole(&w, "from", from);
    }
    OCT_TRY(oct_link_ask(c, &w, c->def.load_ms, &answer));
    const oct_result result = oct_link_judge(c, take_page(c, from, answer, out));
    json_decref(answer);
    if (result != OCT_OK) {
        *out = (oct_scenery_page){.next = 0};
    }
    return result;
}
