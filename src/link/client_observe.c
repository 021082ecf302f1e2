// SPDX-License-Identifier: MIT
// Observations: the state around each player, kept up to date by what the game tells has changed.
#include "link/client_internal.h"

static link_entity *entity_at(const client_player *p, size_t index)
{
    return (link_entity *)p->told.items + index;
}

void oct_link_forget_player(link_client *c, client_player *p)
{
    for (size_t i = 0; i < p->told.count; i++) {
        oct_link_entity_free(entity_at(p, i), &c->allocator);
    }
    p->told.count = p->view.count = p->events.count = 0;
    oct_arena_reset(&p->self_arena);
    oct_arena_reset(&p->event_arena);
    p->self = (oct_self){.id = 0};
    p->over = OCT_OVER_NOT;
    p->scene = p->rev = p->epoch = p->answers = 0;
    p->has_rev = p->events_are_out = p->is_unread = false;
}

void oct_link_free_player(link_client *c, client_player *p)
{
    oct_link_forget_player(c, p);
    oct_array_free(&p->told, &c->allocator, sizeof(link_entity));
    oct_array_free(&p->view, &c->allocator, sizeof(oct_entity));
    oct_array_free(&p->events, &c->allocator, sizeof(oct_event));
    oct_arena_free(&p->self_arena);
    oct_arena_free(&p->event_arena);
}

// ---- entities ----

// The place of an id among the first `count`, or where it would be.
static size_t find_place(const client_player *p, size_t count, uint64_t id)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (entity_at(p, middle)->e.thing.id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int by_id(const void *a, const void *b)
{
    const uint64_t x = ((const link_entity *)a)->e.thing.id;
    const uint64_t y = ((const link_entity *)b)->e.thing.id;
    return x < y ? -1 : x > y;
}

// Ids are one set: an entity must not have that of a part, unless it is one, nor that of a player,
// unless it is one.
static oct_result check_id(link_client *c, const oct_entity *e)
{
    uint32_t index;
    if (!e->is_scenery && index_table_find(&c->parts, e->thing.id, &index)) {
        return oct_link_refuse(&c->in, "a part of the scenery has its id, too");
    }
    for (uint32_t i = 0; i < c->now.player_count && e->kind != OCT_ENTITY_PLAYER; i++) {
        if (c->now.players[i].id != 0 && c->now.players[i].id == e->thing.id) {
            return oct_link_refuse(&c->in, "a player has its id, but its kind is not 'player'");
        }
    }
    return OCT_OK;
}

// Where the answer's entity is kept: the one that has its id, or a new one at the end.
static oct_result find_entity(client_player *p, const oct_allocator *allocator, size_t sorted,
                              uint64_t id, link_entity **out, bool *is_new)
{
    const size_t place = find_place(p, sorted, id);
    *is_new = place == sorted || entity_at(p, place)->e.thing.id != id;
    if (!*is_new) {
        *out = entity_at(p, place);
        return OCT_OK;
    }
    if (p->told.count >= LINK_ENTITIES_MAX) {
        return OCT_ERROR_RANGE;
    }
    const link_entity fresh = {
        .e = {.thing = {.id = id}}, .solid = true, .label = -1, .opaque = true};
    OCT_TRY(oct_array_push(&p->told, allocator, sizeof fresh, &fresh));
    *out = entity_at(p, p->told.count - 1);
    return OCT_OK;
}

static oct_result take_fields(link_client *c, link_entity *kept, const link_entity *told,
                              uint32_t fields)
{
    kept->opaque = fields >> LINK_OPAQUE & 1u ? told->opaque : kept->opaque;
    if (fields >> LINK_SOLID & 1u) {
        kept->solid = told->solid;
        kept->label = told->label;
    }
    OCT_TRY(oct_link_entity_take(kept, &c->allocator, fields, &told->e));
    kept->e.thing.label = oct_link_label(kept);
    kept->e.thing.opaque = oct_link_is_opaque(kept);
    return OCT_OK;
}

static oct_result take_entity(link_client *c, client_player *p, const json_t *object, size_t sorted,
                              bool is_whole)
{
    link_entity told, *kept;
    uint32_t fields;
    uint64_t id = 0;
    bool is_new;
    oct_link_subject(&c->in, "an entity");
    if (!json_is_object(object)) {
        return oct_link_refuse(&c->in, "it must be an object");
    }
    OCT_TRY(oct_link_get_id(&c->ids, &c->allocator, &c->in, object, "id", true, &id));
    if (id == p->self.id && id != 0) {
        return OCT_OK; // oneself is not around oneself
    }
    oct_link_subject(&c->in, "entity %llu", (unsigned long long)id);
    OCT_TRY(
        oct_link_entity_read(&c->in, &c->now.info, &c->ids, &c->allocator, object, &told, &fields));
    const oct_result found = find_entity(p, &c->allocator, sorted, id, &kept, &is_new);
    if (found != OCT_OK) {
        return found == OCT_ERROR_RANGE ? oct_link_refuse(&c->in, "there are too many") : found;
    }
    if (kept->stamp == p->answers) {
        return oct_link_refuse(&c->in, "it is told twice in one answer");
    }
    if ((is_new || is_whole) && !(fields >> LINK_SHAPE & 1u)) {
        return oct_link_refuse(&c->in,
                               is_whole ? "it has no box" : "it is new, but is told without a box");
    }
    kept->stamp = p->answers;
    OCT_TRY(take_fields(c, kept, &told, is_new || is_whole ? LINK_ALL_FIELDS : fields));
    return check_id(c, &kept->e);
}

// Removes what is gone: what the answer names, or what it does not tell.
static void sweep(link_client *c, client_player *p, bool is_whole)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->told.count; i++) {
        link_entity *const e = entity_at(p, i);
        if (e->stamp == UINT64_MAX || (is_whole && e->stamp != p->answers)) {
            oct_link_entity_free(e, &c->allocator);
        } else if (kept++ != i) {
            *entity_at(p, kept - 1) = *e;
        }
    }
    p->told.count = kept;
}

static oct_result take_gone(link_client *c, client_player *p, const json_t *answer)
{
    const json_t *list;
    oct_link_subject(&c->in, "observe");
    OCT_TRY(oct_link_get_list(&c->in, answer, "gone", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint64_t id;
        if (!oct_link_is_whole(json_array_get(list, i), &id)) {
            return oct_link_refuse(&c->in, "'gone' must be a list of ids");
        }
        id = oct_link_ids_real(&c->ids, id);
        const size_t place = find_place(p, p->told.count, id);
        if (place < p->told.count && entity_at(p, place)->e.thing.id == id) {
            entity_at(p, place)->stamp = UINT64_MAX;
        }
    }
    return OCT_OK;
}

static oct_result make_view(link_client *c, client_player *p)
{
    OCT_TRY(oct_array_reserve(&p->view, &c->allocator, sizeof(oct_entity), p->told.count));
    oct_entity *const view = p->view.items;
    for (size_t i = 0; i < p->told.count; i++) {
        view[i] = entity_at(p, i)->e;
    }
    p->view.count = p->told.count;
    return OCT_OK;
}

static oct_result take_entities(link_client *c, client_player *p, const json_t *answer,
                                bool is_whole)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(&c->in, answer, "entities", &list));
    p->answers++;
    if (!is_whole) {
        OCT_TRY(take_gone(c, p, answer));
        sweep(c, p, false);
    }
    const size_t sorted = p->told.count;
    for (size_t i = 0; i < json_array_size(list); i++) {
        OCT_TRY(take_entity(c, p, json_array_get(list, i), sorted, is_whole));
    }
    if (is_whole) {
        sweep(c, p, true);
    }
    if (p->told.count > 1) {
        qsort(p->told.items, p->told.count, sizeof(link_entity), by_id);
    }
    for (size_t i = 1; i < p->told.count; i++) {
        if (entity_at(p, i)->e.thing.id == entity_at(p, i - 1)->e.thing.id) {
            oct_link_subject(&c->in, "entity %llu",
                             (unsigned long long)entity_at(p, i)->e.thing.id);
            return oct_link_refuse(&c->in, "it is told twice in one answer");
        }
    }
    return make_view(c, p);
}

// ---- the rest of an observation ----

static oct_result take_events(link_client *c, client_player *p, const json_t *answer)
{
    const json_t *list;
    if (p->events_are_out) {
        p->events.count = 0;
        oct_arena_reset(&p->event_arena);
        p->events_are_out = false;
    }
    OCT_TRY(oct_link_get_list(&c->in, answer, "events", &list));
    const size_t count = json_array_size(list);
    if (count + p->events.count > LINK_EVENTS_MAX) {
        return oct_link_refuse(&c->in, "more than %zu events", LINK_EVENTS_MAX);
    }
    c->in.arena = &p->event_arena;
    for (size_t i = 0; i < count; i++) {
        oct_event event;
        oct_link_subject(&c->in, "event %zu", i);
        OCT_TRY(oct_link_read_event(&c->in, &c->ids, &c->allocator, json_array_get(list, i),
                                    c->tick, &event));
        OCT_TRY(oct_array_push(&p->events, &c->allocator, sizeof event, &event));
    }
    c->in.arena = &c->scratch;
    return OCT_OK;
}

static oct_result take_self(link_client *c, uint32_t who, const json_t *answer)
{
    client_player *const p = oct_link_player(c, who);
    const link_player *const player = &c->now.players[who];
    oct_link_subject(&c->in, "self");
    oct_arena_reset(&p->self_arena);
    c->in.arena = &p->self_arena;
    p->self = (oct_self){.tick = c->tick, .id = player->id};
    const oct_result result =
        oct_link_read_self(&c->in, &c->now.info, &player->body, &c->ids, &c->allocator,
                           oct_link_field(answer, "self"), &p->self);
    c->in.arena = &c->scratch;
    OCT_TRY(result);
    return player->id == 0 || player->id == p->self.id
               ? OCT_OK
               : oct_link_refuse(&c->in, "its id is not the one that describe told");
}

static oct_result take_end(link_client *c, client_player *p, const json_t *answer)
{
    static const char *const words[] = {"", "won", "lost"};
    uint32_t over = 0;
    uint64_t scene = 0;
    OCT_TRY(oct_link_get_word(&c->in, answer, "over", words, 3, &over));
    OCT_TRY(oct_link_get_whole(&c->in, answer, "scene", LINK_WHOLE_END - 1, &scene));
    p->over = (oct_over)over;
    p->scene = scene;
    return OCT_OK;
}

static oct_result take_rev(link_client *c, client_player *p, const json_t *answer, bool asked,
                           bool *is_whole)
{
    uint64_t since = 0, rev = 0;
    const bool has_since = oct_link_field(answer, "since") != NULL;
    OCT_TRY(oct_link_get_whole(&c->in, answer, "since", LINK_WHOLE_END - 1, &since));
    OCT_TRY(oct_link_get_whole(&c->in, answer, "rev", LINK_WHOLE_END - 1, &rev));
    if (has_since && (!asked || since != p->rev)) {
        return oct_link_refuse(&c->in, "it tells the difference to a 'rev' that was not asked for");
    }
    *is_whole = !has_since;
    p->has_rev = oct_link_field(answer, "rev") != NULL;
    p->rev = rev;
    return OCT_OK;
}

static oct_result read_observation(link_client *c, uint32_t who, const json_t *answer, bool since)
{
    client_player *const p = oct_link_player(c, who);
    bool is_whole = true;
    OCT_TRY(oct_link_take_tick(c, answer, c->tick));
    OCT_TRY(take_rev(c, p, answer, since, &is_whole));
    OCT_TRY(take_self(c, who, answer));
    OCT_TRY(take_entities(c, p, answer, is_whole));
    c->in.subject[0] = '\0';
    OCT_TRY(take_events(c, p, answer));
    c->in.subject[0] = '\0';
    return take_end(c, p, answer);
}

oct_result oct_link_take_observation(link_client *c, uint32_t who, const json_t *answer, bool since)
{
    client_player *p = oct_link_player(c, who);
    const uint64_t scene = p->scene;
    const bool was_told = p->epoch > 0;
    const oct_result result = oct_link_judge(c, read_observation(c, who, answer, since));
    if (result != OCT_OK) {
        p->has_rev = false; // what was taken of it is not all
        return result;
    }
    p->epoch = c->epoch;
    p->is_unread = true;
    const uint64_t now = p->scene;
    if (!was_told || now == scene) {
        return OCT_OK;
    }
    // Another level: bodies, bounds and scenery are new.
    oct_index_table_clear(&c->parts);
    c->has_bounds = c->facts.has_own_bounds = false;
    OCT_TRY(oct_link_describe(c));
    if (who >= c->players.count) {
        return oct_link_fail(c, "the player is not there in the new level");
    }
    for (uint32_t i = 0; i < c->players.count; i++) {
        if (oct_link_player(c, i)->epoch > 0) {
            oct_link_player(c, i)->scene = now;
        }
    }
    return oct_link_find_bounds(c);
}

// ---- asking ----

bool oct_link_put_who(link_client *c, link_writer *w, uint32_t who, bool with_since)
{
    const client_player *const p = oct_link_player(c, who);
    const bool since = with_since && c->facts.can_since && p->has_rev;
    oct_link_put_whole(w, "who", who);
    if (since) {
        oct_link_put_whole(w, "since", p->rev);
    }
    return since;
}

static oct_result ask_observe(link_client *c, uint32_t who)
{
    link_writer w;
    json_t *answer;
    OCT_TRY(oct_link_request(c, &w, "observe"));
    const bool since = oct_link_put_who(c, &w, who, true);
    OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
    const oct_result result = oct_link_take_observation(c, who, answer, since);
    json_decref(answer);
    return result;
}

// Whether what was told still holds: nothing has passed since.
static bool is_fresh(const link_client *c, const client_player *p)
{
    return p->epoch == c->epoch && (p->is_unread || !c->now.info.runs);
}

oct_result oct_link_observe(link_client *c, uint32_t who, oct_observation *out)
{
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    if (!is_fresh(c, oct_link_player(c, who))) {
        OCT_TRY(ask_observe(c, who));
    }
    client_player *const p = oct_link_player(c, who);
    if (p->events_are_out) {
        p->events.count = 0; // told once
    }
    p->events_are_out = true;
    p->is_unread = false;
    *out = (oct_observation){.self = p->self,
                             .entities = p->view.items,
                             .count = p->view.count,
                             .events = p->events.items,
                             .event_count = p->events.count,
                             .over = p->over,
                             .scene = p->scene};
    return OCT_OK;
}

oct_result oct_link_peek(link_client *c, uint32_t who)
{
    if (is_fresh(c, oct_link_player(c, who))) {
        return OCT_OK;
    }
    OCT_TRY(ask_observe(c, who));
    // In a game that runs on by itself it is out of date as soon as it is told.
    c->epoch += c->now.info.runs;
    return OCT_OK;
}

oct_result oct_link_self(link_client *c, uint32_t who, oct_self *out)
{
    link_writer w;
    json_t *answer;
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    if (!is_fresh(c, oct_link_player(c, who)) && !c->facts.can_self) {
        OCT_TRY(ask_observe(c, who));
    } else if (!is_fresh(c, oct_link_player(c, who))) {
        OCT_TRY(oct_link_request(c, &w, "self"));
        (void)oct_link_put_who(c, &w, who, false);
        OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
        oct_result result = oct_link_take_tick(c, answer, c->tick);
        if (result == OCT_OK) {
            result = take_self(c, who, answer);
        }
        json_decref(answer);
        OCT_TRY(oct_link_judge(c, result));
    }
    *out = oct_link_player(c, who)->self;
    return OCT_OK;
}
