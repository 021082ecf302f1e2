// SPDX-License-Identifier: MIT
// What a player is told: all around it, or what differs from what it was told before.
#include "link/server_internal.h"

#include "base/print.h"

static link_entity *entity_at(const oct_array *array, size_t index)
{
    return (link_entity *)array->items + index;
}

static oct_result find_player(link_server *s, uint32_t who, server_player **out)
{
    while (s->players.count <= who) {
        const server_player fresh = {.rev = 0};
        OCT_TRY(oct_array_push(&s->players, &s->allocator, sizeof fresh, &fresh));
    }
    *out = (server_player *)s->players.items + who;
    return OCT_OK;
}

static void forget_told(link_server *s, server_player *p)
{
    for (size_t i = 0; i < p->told.count; i++) {
        oct_link_entity_free(entity_at(&p->told, i), &s->allocator);
    }
    p->told.count = 0;
    p->rev = 0;
}

static oct_result write_entity(link_server *s, const oct_entity *e, uint32_t fields,
                               const oct_entity *before)
{
    const oct_game_info *const info = oct_game_describe(s->game);
    oct_link_open(&s->w, NULL, '{');
    OCT_TRY(oct_link_put_id(&s->ids, &s->allocator, &s->w, "id", e->thing.id));
    OCT_TRY(oct_link_entity_write(&s->w, info, &s->ids, &s->allocator, e, fields, before));
    oct_link_close(&s->w, '}');
    return OCT_OK;
}

// Tells an entity that was told before as `kept`, which becomes what it is now.
static oct_result tell_again(link_server *s, link_entity *kept, const oct_entity *e)
{
    const uint32_t fields = oct_link_entity_differs(&kept->e, e);
    if (fields == 0) {
        return OCT_OK;
    }
    OCT_TRY(write_entity(s, e, fields, &kept->e));
    return oct_link_entity_take(kept, &s->allocator, fields, e);
}

static oct_result tell_first(link_server *s, link_entity *kept, const oct_entity *e)
{
    *kept = (link_entity){.e = {.thing = {.id = e->thing.id}}, .label = -1};
    OCT_TRY(write_entity(s, e, LINK_ALL_FIELDS, NULL));
    return oct_link_entity_take(kept, &s->allocator, LINK_ALL_FIELDS, e);
}

// Both lists are by id. What was told and is not there any more goes into `gone`, as numbers.
static oct_result tell_entities(link_server *s, server_player *p, const oct_observation *seen,
                                oct_array *gone)
{
    size_t old = 0;
    OCT_TRY(oct_array_reserve(&p->other, &s->allocator, sizeof(link_entity),
                              seen->count + p->told.count));
    for (size_t i = 0; i <= seen->count; i++) {
        const oct_entity *const e = i < seen->count ? &seen->entities[i] : NULL;
        while (old < p->told.count && (!e || entity_at(&p->told, old)->e.thing.id < e->thing.id)) {
            uint64_t told;
            link_entity *const lost = entity_at(&p->told, old);
            OCT_TRY(oct_link_ids_tell(&s->ids, &s->allocator, lost->e.thing.id, &told));
            OCT_TRY(oct_array_push(gone, &s->allocator, sizeof told, &told));
            oct_link_entity_free(lost, &s->allocator);
            old++;
        }
        if (!e) {
            break;
        }
        link_entity *const kept = entity_at(&p->other, p->other.count);
        if (old < p->told.count && entity_at(&p->told, old)->e.thing.id == e->thing.id) {
            *kept = *entity_at(&p->told, old);
            *entity_at(&p->told, old++) = (link_entity){.label = -1};
            p->other.count++;
            OCT_TRY(tell_again(s, kept, e));
        } else {
            *kept = (link_entity){.label = -1};
            p->other.count++;
            OCT_TRY(tell_first(s, kept, e));
        }
    }
    return OCT_OK;
}

static void drop_entities(link_server *s, oct_array *all)
{
    for (size_t i = 0; i < all->count; i++) {
        oct_link_entity_free(entity_at(all, i), &s->allocator);
    }
    all->count = 0;
}

static oct_result write_entities(link_server *s, server_player *p, const oct_observation *seen)
{
    oct_array gone = {0};
    link_writer *const w = &s->w;
    oct_link_open(w, "entities", '[');
    const oct_result result = tell_entities(s, p, seen, &gone);
    oct_link_close(w, ']');
    oct_link_open(w, "gone", '[');
    for (size_t i = 0; i < gone.count; i++) {
        oct_link_put_whole(w, NULL, ((const uint64_t *)gone.items)[i]);
    }
    oct_link_close(w, ']');
    oct_array_free(&gone, &s->allocator, sizeof(uint64_t));
    if (result != OCT_OK) {
        drop_entities(s, &p->other);
        forget_told(s, p);
        return oct_link_server_check(s, result);
    }
    drop_entities(s, &p->told);
    const oct_array old = p->told;
    p->told = p->other;
    p->other = old;
    return OCT_OK;
}

static oct_result write_rest(link_server *s, const oct_observation *seen)
{
    static const char *const overs[] = {NULL, "won", "lost"};
    link_writer *const w = &s->w;
    if (seen->event_count > 0) {
        oct_link_open(w, "events", '[');
        for (size_t i = 0; i < seen->event_count; i++) {
            OCT_TRY(oct_link_server_check(
                s, oct_link_write_event(w, &s->ids, &s->allocator, &seen->events[i])));
        }
        oct_link_close(w, ']');
    }
    if (seen->over != OCT_OVER_NOT) {
        oct_link_put_text(w, "over", overs[seen->over]);
    }
    if (seen->scene != 0) {
        oct_link_put_whole(w, "scene", seen->scene);
    }
    oct_link_put_whole(w, "tick", seen->self.tick);
    return OCT_OK;
}

oct_result oct_link_server_observe(link_server *s, uint32_t who, const json_t *request)
{
    oct_observation seen;
    const oct_player_body *body;
    server_player *p = NULL;
    uint64_t since = 0;
    const json_t *const field = oct_link_field(request, "since");
    if (field && !oct_link_is_whole(field, &since)) {
        return oct_link_server_refuse(s, "argument", "'since' must be a whole number");
    }
    OCT_TRY(oct_link_server_check(s, find_player(s, who, &p)));
    OCT_TRY(oct_link_server_check(s, oct_game_observe(s->game, who, &seen)));
    OCT_TRY(oct_link_server_check(s, oct_game_body(s->game, who, &body)));
    const uint64_t rev = p->rev;
    const bool differs = field && rev > 0 && since == rev;
    if (!differs) {
        forget_told(s, p);
    }
    p->rev = rev + 1;
    oct_link_put_whole(&s->w, "rev", p->rev);
    if (differs) {
        oct_link_put_whole(&s->w, "since", since);
    }
    OCT_TRY(oct_link_server_check(
        s, oct_link_write_self(&s->w, body, &s->ids, &s->allocator, &seen.self)));
    OCT_TRY(write_entities(s, p, &seen));
    return write_rest(s, &seen);
}
