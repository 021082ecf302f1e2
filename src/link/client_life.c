// SPDX-License-Identifier: MIT
// The beginning of a link and of each life: hello, describe, reset.
#include "link/client_internal.h"

client_player *oct_link_player(link_client *c, uint32_t who)
{
    return (client_player *)c->players.items + who;
}

// ---- hello ----

static bool has_word(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const text = json_string_value(json_array_get(list, i));
        if (text && strcmp(text, word) == 0) {
            return true;
        }
    }
    return false;
}

static oct_result read_abilities(link_client *c, const json_t *answer)
{
    link_facts *const f = &c->facts;
    const json_t *can, *exact;
    OCT_TRY(oct_link_get_list(&c->in, answer, "can", &can));
    OCT_TRY(oct_link_get_list(&c->in, answer, "exact", &exact));
    f->can_geometry = has_word(can, "geometry");
    f->can_self = has_word(can, "self");
    f->can_turn = has_word(can, "turn");
    f->can_join = has_word(can, "join");
    f->can_hash = has_word(can, "hash");
    f->can_reset = has_word(can, "reset");
    f->can_since = has_word(can, "since");
    f->exact_start = has_word(exact, "start");
    f->exact_reset = has_word(exact, "reset");
    return OCT_OK;
}

static oct_result read_hello(link_client *c, const json_t *answer)
{
    static const char *const times[] = {"stepped", "running"};
    oct_game_info *const info = &c->hello;
    uint64_t version = 1;
    uint32_t time = 0;
    c->in.arena = &c->hello_arena;
    oct_link_subject(&c->in, "hello");
    OCT_TRY(oct_link_get_whole(&c->in, answer, "octant", LINK_WHOLE_END - 1, &version));
    if (version != 1) {
        return oct_link_refuse(&c->in, "it speaks version %llu of the protocol, not 1",
                               (unsigned long long)version);
    }
    OCT_TRY(oct_link_get_number(&c->in, answer, "rate", 1.0, 1e5, &info->rate));
    OCT_TRY(oct_link_get_word(&c->in, answer, "time", times, 2, &time));
    info->runs = time == 1;
    OCT_TRY(oct_link_get_text(&c->in, answer, "game", LINK_NAME_MAX, &info->game));
    OCT_TRY(oct_link_get_text(&c->in, answer, "engine", LINK_NAME_MAX, &c->facts.engine));
    OCT_TRY(oct_link_get_text(&c->in, answer, "addon", LINK_NAME_MAX, &c->facts.addon));
    OCT_TRY(read_abilities(c, answer));
    info->can_reset = c->facts.can_reset;
    info->repeats = (c->facts.can_reset && c->facts.exact_reset) ||
                    (c->facts.exact_start && (c->def.is_restarted || !c->facts.can_reset));
    return OCT_OK;
}

oct_result oct_link_hello(link_client *c)
{
    link_writer w;
    json_t *answer;
    OCT_TRY(oct_link_request(c, &w, "hello"));
    oct_link_put_whole(&w, "octant", 1);
    if (c->def.name) {
        oct_link_put_text(&w, "client", c->def.name);
    } else {
        char name[64] = "octant ";
        strncat(name, oct_version(), sizeof name - strlen(name) - 1);
        oct_link_put_text(&w, "client", name);
    }
    const oct_result asked = oct_link_ask(c, &w, c->def.load_ms, &answer);
    if (asked != OCT_OK) {
        return asked;
    }
    const oct_result result = oct_link_judge(c, read_hello(c, answer));
    json_decref(answer);
    return result;
}

// ---- describe ----

static oct_result set_players(link_client *c, uint32_t count)
{
    OCT_TRY(oct_array_reserve(&c->players, &c->allocator, sizeof(client_player), count));
    while (c->players.count < count) {
        client_player *const p = oct_link_player(c, (uint32_t)c->players.count++);
        *p = (client_player){.has_rev = false};
        oct_arena_init(&p->self_arena, &c->allocator);
        oct_arena_init(&p->event_arena, &c->allocator);
    }
    while (c->players.count > count) {
        oct_link_free_player(c, oct_link_player(c, (uint32_t)--c->players.count));
    }
    return OCT_OK;
}

static oct_result take_description(link_client *c, const json_t *answer)
{
    link_description next = {.info = c->hello};
    c->in.arena = &c->life_arena;
    OCT_TRY(oct_link_read_description(&c->in, &c->ids, &c->allocator, answer, &next));
    next.info.runs = c->hello.runs;
    if (c->has_bounds && !next.info.has_bounds) {
        next.info.bounds = c->bounds;
        next.info.has_bounds = true;
    }
    OCT_TRY(set_players(c, next.player_count));
    c->now = next;
    return OCT_OK;
}

oct_result oct_link_describe(link_client *c)
{
    link_writer w;
    json_t *answer;
    if (++c->scenes > LINK_SCENES_MAX) {
        return oct_link_fail(c, "the level has changed more than %d times", LINK_SCENES_MAX - 1);
    }
    OCT_TRY(oct_link_request(c, &w, "describe"));
    OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
    const oct_result result = oct_link_judge(c, take_description(c, answer));
    json_decref(answer);
    return result;
}

// ---- reset ----

static void forget_life(link_client *c)
{
    for (uint32_t i = 0; i < c->players.count; i++) {
        oct_link_forget_player(c, oct_link_player(c, i));
    }
    oct_link_ids_clear(&c->ids);
    oct_index_table_clear(&c->parts);
    c->part_count = c->triangle_count = 0;
    c->tick = 0;
    c->scenes = 0;
    c->has_bounds = c->facts.has_own_bounds = false;
    c->epoch++;
}

oct_result oct_link_reset(link_client *c, const oct_game_start *start)
{
    link_writer w;
    json_t *answer;
    if (!c->facts.can_reset) {
        return OCT_ERROR_UNSUPPORTED;
    }
    OCT_TRY(oct_link_request(c, &w, "reset"));
    oct_link_write_start(&w, start, c->hello.rate);
    OCT_TRY(oct_link_ask(c, &w, c->def.load_ms, &answer));
    forget_life(c);
    const oct_result result = oct_link_judge(c, oct_link_take_tick(c, answer, 0));
    json_decref(answer);
    OCT_TRY(result);
    // What hello has told stays; what describe has told does not.
    c->now = (link_description){.info = c->hello};
    oct_arena_reset(&c->life_arena);
    const oct_result described = oct_link_describe(c);
    if (described != OCT_OK && !c->is_broken) {
        return oct_link_fail(c, "the game does not describe its level");
    }
    return described == OCT_OK ? oct_link_find_bounds(c) : described;
}
