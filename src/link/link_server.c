// SPDX-License-Identifier: MIT
#include "link/link_server.h"

#include "base/print.h"
#include "link/server_internal.h"

#include <stdio.h>

// ---- errors ----

oct_result oct_link_server_refuse(link_server *s, const char *code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    oct_vsnprintf(s->why, sizeof s->why, format, values);
    va_end(values);
    oct_snprintf(s->code, sizeof s->code, "%s", code);
    return OCT_ERROR_FORMAT;
}

oct_result oct_link_server_check(link_server *s, oct_result result)
{
    const char *const told = s->game ? oct_game_trouble(s->game) : "";
    const char *const why = told[0] ? told : oct_result_text(result);
    switch (result) {
    case OCT_OK:
        return OCT_OK;
    case OCT_ERROR_ARGUMENT:
        return oct_link_server_refuse(s, "argument", "%.400s", why);
    case OCT_ERROR_RANGE:
        return oct_link_server_refuse(s, "range", "%.400s", why);
    case OCT_ERROR_UNSUPPORTED:
        return oct_link_server_refuse(s, "unknown", "%.400s", why);
    default:
        s->is_over = true;
        return oct_link_server_refuse(s, "game", "%.400s", why);
    }
}

// What a reader has refused.
static oct_result check_field(link_server *s, oct_result result)
{
    return result == OCT_ERROR_FORMAT ? oct_link_server_refuse(s, "argument", "%s", s->in.why)
                                      : oct_link_server_check(s, result);
}

oct_result oct_link_server_who(link_server *s, const json_t *request, uint32_t *who)
{
    uint64_t index = 0;
    const json_t *const field = oct_link_field(request, "who");
    const uint32_t count = oct_game_players(s->game);
    if ((field && !oct_link_is_whole(field, &index)) || index >= count) {
        return oct_link_server_refuse(s, "player", "'who' must be a whole number below %lu",
                                      (unsigned long)count);
    }
    *who = (uint32_t)index;
    return OCT_OK;
}

// ---- requests ----

static bool can_reset(const link_server *s)
{
    return s->host.reset || (s->game && oct_game_describe(s->game)->can_reset);
}

static oct_result hello(link_server *s, const json_t *request)
{
    const oct_game_info info = s->game ? *oct_game_describe(s->game) : oct_game_info_default();
    uint64_t version = 1;
    link_writer *const w = &s->w;
    OCT_TRY(check_field(
        s, oct_link_get_whole(&s->in, request, "octant", LINK_WHOLE_END - 1, &version)));
    if (version < 1) {
        return oct_link_server_refuse(s, "version", "this is version 1 of the protocol");
    }
    s->is_greeted = true;
    oct_link_put_whole(w, "octant", 1);
    oct_link_put_text(w, "engine", s->host.name ? s->host.name : "octant");
    oct_link_put_text(w, "addon", oct_version());
    oct_link_put_text(w, "game", info.game);
    oct_link_put_number(w, "rate", info.rate);
    oct_link_put_text(w, "time", info.runs || s->host.runs ? "running" : "stepped");
    oct_link_open(w, "can", '[');
    static const char *const always[] = {"geometry", "self", "turn", "join", "hash", "since"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        oct_link_put_text(w, NULL, always[i]);
    }
    if (can_reset(s)) {
        oct_link_put_text(w, NULL, "reset");
    }
    oct_link_close(w, ']');
    oct_link_open(w, "exact", '[');
    if (s->game ? info.repeats : !s->host.runs) {
        oct_link_put_text(w, NULL, "start");
        oct_link_put_text(w, NULL, "reset");
    }
    oct_link_close(w, ']');
    return OCT_OK;
}

static oct_result describe(link_server *s, const json_t *request)
{
    (void)request;
    const uint32_t count = oct_game_players(s->game);
    link_player *const players =
        count > 0 ? oct_link_items(&s->in, count, sizeof *players, _Alignof(link_player)) : NULL;
    if (count > 0 && !players) {
        return oct_link_server_check(s, OCT_ERROR_MEMORY);
    }
    for (uint32_t i = 0; i < count; i++) {
        const oct_player_body *body;
        oct_self self;
        OCT_TRY(oct_link_server_check(s, oct_game_body(s->game, i, &body)));
        OCT_TRY(oct_link_server_check(s, oct_game_self(s->game, i, &self)));
        players[i] = (link_player){self.id, "", *body};
    }
    const link_description all = {*oct_game_describe(s->game), players, count};
    return oct_link_server_check(s,
                                 oct_link_write_description(&s->w, &s->ids, &s->allocator, &all));
}

static oct_result observe(link_server *s, const json_t *request)
{
    uint32_t who = 0;
    OCT_TRY(oct_link_server_who(s, request, &who));
    return oct_link_server_observe(s, who, request);
}

static oct_result self_of(link_server *s, const json_t *request)
{
    uint32_t who = 0;
    oct_self self;
    const oct_player_body *body;
    OCT_TRY(oct_link_server_who(s, request, &who));
    OCT_TRY(oct_link_server_check(s, oct_game_self(s->game, who, &self)));
    OCT_TRY(oct_link_server_check(s, oct_game_body(s->game, who, &body)));
    OCT_TRY(
        oct_link_server_check(s, oct_link_write_self(&s->w, body, &s->ids, &s->allocator, &self)));
    oct_link_put_whole(&s->w, "tick", self.tick);
    return OCT_OK;
}

// Whether a player has the verb, and knows the name of a DO; else it is refused.
static bool has_verb(link_server *s, uint32_t who, const oct_action *action)
{
    const oct_player_body *body;
    const char *const name =
        action->verb == OCT_VERB_DO ? action->name : oct_verb_name(action->verb);
    if (action->verb == OCT_VERB_KEEP || action->verb == OCT_VERB_WAIT) {
        return true;
    }
    return oct_game_body(s->game, who, &body) == OCT_OK && oct_player_body_has(body, name);
}

static void put_came(link_server *s, oct_act came, const char *text)
{
    oct_link_put_text(&s->w, "came", oct_act_name(came));
    if (came == OCT_ACT_REFUSED) {
        oct_link_put_text(&s->w, "text", text);
    }
}

static oct_result read_action(link_server *s, const json_t *request, uint32_t *who,
                              oct_action *action, uint32_t *ticks)
{
    OCT_TRY(oct_link_server_who(s, request, who));
    return check_field(s, oct_link_read_action(&s->in, &s->ids, request, action, ticks));
}

static oct_result act(link_server *s, const json_t *request)
{
    uint32_t who = 0, ticks = 1;
    oct_action action;
    oct_act came = OCT_ACT_REFUSED;
    OCT_TRY(read_action(s, request, &who, &action, &ticks));
    if (has_verb(s, who, &action)) {
        OCT_TRY(oct_link_server_check(s, oct_game_act(s->game, who, &action, &came)));
        put_came(s, came, oct_game_refusal(s->game));
    } else {
        put_came(s, came, "the player does not know that");
    }
    oct_link_put_whole(&s->w, "tick", oct_game_tick(s->game));
    return OCT_OK;
}

static oct_result step(link_server *s, const json_t *request)
{
    uint64_t ticks = 0;
    OCT_TRY(
        check_field(s, oct_link_get_whole(&s->in, request, "ticks", OCT_ACTION_TICKS_MAX, &ticks)));
    if (ticks == 0) {
        return oct_link_server_refuse(s, "argument", "'ticks' must be from 1 to %d",
                                      OCT_ACTION_TICKS_MAX);
    }
    OCT_TRY(oct_link_server_check(s, oct_game_step(s->game, (uint32_t)ticks)));
    oct_link_put_whole(&s->w, "tick", oct_game_tick(s->game));
    return OCT_OK;
}

// A turn passes its ticks, whatever comes of the action: those that the game's own turn does not.
static oct_result turn(link_server *s, const json_t *request)
{
    uint32_t who = 0, ticks = 1;
    oct_action action;
    oct_act came = OCT_ACT_REFUSED;
    OCT_TRY(read_action(s, request, &who, &action, &ticks));
    const bool knows = has_verb(s, who, &action);
    if (knows) {
        OCT_TRY(oct_link_server_check(s, oct_game_turn(s->game, who, &action, &came)));
    }
    put_came(s, came, knows ? oct_game_refusal(s->game) : "the player does not know that");
    const uint32_t passed = !knows ? 0 : oct_link_takes_time(&action) ? ticks : 1;
    if (passed < ticks && oct_game_describe(s->game)->delay_max == 0) {
        OCT_TRY(oct_link_server_check(s, oct_game_step(s->game, ticks - passed)));
    }
    return oct_link_server_observe(s, who, request);
}

static oct_result join(link_server *s, const json_t *request)
{
    oct_pose pose = {.up = {0.0, 0.0, 0.0}};
    bool found;
    uint32_t who = 0;
    OCT_TRY(check_field(s, oct_link_read_pose(&s->in, request, &pose, &found)));
    OCT_TRY(oct_link_server_check(s, oct_game_join(s->game, found ? &pose : NULL, &who)));
    oct_link_put_whole(&s->w, "who", who);
    return OCT_OK;
}

static oct_result hash(link_server *s, const json_t *request)
{
    char digits[24];
    (void)request;
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)oct_game_hash(s->game));
    oct_link_put_text(&s->w, "hash", digits);
    return OCT_OK;
}

void oct_link_server_forget(link_server *s)
{
    for (size_t i = 0; i < s->players.count; i++) {
        server_player *const p = (server_player *)s->players.items + i;
        for (size_t j = 0; j < p->told.count; j++) {
            oct_link_entity_free((link_entity *)p->told.items + j, &s->allocator);
        }
        oct_array_free(&p->told, &s->allocator, sizeof(link_entity));
        oct_array_free(&p->other, &s->allocator, sizeof(link_entity));
    }
    s->players.count = 0;
    s->geometry_next = s->page_from = s->page_skip = 0;
    oct_link_ids_clear(&s->ids);
}

static oct_result reset(link_server *s, const json_t *request)
{
    oct_game_start start;
    if (!can_reset(s)) {
        return oct_link_server_refuse(s, "unknown", "this game cannot be reset");
    }
    const double rate = s->game ? oct_game_describe(s->game)->rate : 60.0;
    OCT_TRY(check_field(s, oct_link_read_start(&s->in, request, rate, &start)));
    const oct_result result = s->host.reset ? s->host.reset(s->host.ctx, &s->game, &start)
                                            : oct_game_reset(s->game, &start);
    const char *const why = s->host.why ? s->host.why(s->host.ctx) : "";
    if (result == OCT_ERROR_RANGE && why[0]) {
        return oct_link_server_refuse(s, "range", "%.400s", why);
    }
    OCT_TRY(oct_link_server_check(s, result));
    oct_link_server_forget(s);
    oct_link_put_whole(&s->w, "tick", oct_game_tick(s->game));
    return OCT_OK;
}

static oct_result bye(link_server *s, const json_t *request)
{
    (void)request;
    s->is_over = true;
    return OCT_OK;
}

// ---- lines ----

typedef struct request_kind {
    const char *name;
    oct_result (*answer)(link_server *s, const json_t *request);
    bool needs_game;
} request_kind;

static const request_kind kinds[] = {
    {"hello", hello, false},
    {"describe", describe, true},
    {"geometry", oct_link_server_geometry, true},
    {"observe", observe, true},
    {"self", self_of, true},
    {"act", act, true},
    {"step", step, true},
    {"turn", turn, true},
    {"join", join, true},
    {"hash", hash, true},
    {"reset", reset, false},
    {"bye", bye, false},
};

static oct_result answer_request(link_server *s, const json_t *request)
{
    const char *const name = json_string_value(oct_link_field(request, "do"));
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(name, kinds[i].name) != 0) {
            continue;
        }
        if (!s->is_greeted && kinds[i].answer != hello) {
            return oct_link_server_refuse(s, "unknown", "'hello' comes first");
        }
        if (kinds[i].needs_game && !s->game) {
            return oct_link_server_refuse(s, "range", "there is no level yet: 'reset' names one");
        }
        return kinds[i].answer(s, request);
    }
    return oct_link_server_refuse(s, "unknown", "there is no request '%.40s'", name ? name : "");
}

// The answer to a request that failed takes the place of what was written of another one.
static void write_error(link_server *s, const json_t *number)
{
    s->answer.count = 0;
    oct_link_write(&s->w, &s->answer, &s->allocator);
    oct_link_open(&s->w, NULL, '{');
    oct_link_put_text(&s->w, "error", s->code);
    if (number) {
        oct_link_put_number(&s->w, "n", json_number_value(number));
    }
    oct_link_put_text(&s->w, "text", s->why);
    oct_link_close(&s->w, '}');
    // Without memory for that there is no answer, and the connection ends.
    if (oct_link_write_end(&s->w) != OCT_OK) {
        s->answer.count = 0;
        s->is_over = true;
    }
}

static void end_answer(link_server *s, const json_t *number, oct_result result)
{
    oct_link_close(&s->w, '}');
    const oct_result written = oct_link_write_end(&s->w);
    if (result == OCT_OK && written != OCT_OK) {
        s->is_over = true;
        result = oct_link_server_refuse(s, "game", "%s",
                                        written == OCT_ERROR_MEMORY
                                            ? "there is no memory for the answer"
                                            : "the game told a number that is not finite");
    } else if (result == OCT_OK && s->answer.count - 1 > LINK_ANSWER_SIZE) {
        oct_link_server_forget(s); // what was not told is not known
        result = oct_link_server_refuse(s, "range", "the answer is longer than 16 MiB");
    }
    if (result != OCT_OK) {
        write_error(s, number);
    } else {
        s->ids.known = s->ids.large.count;
    }
}

static void answer_object(link_server *s, const json_t *request)
{
    const json_t *number = oct_link_field(request, "n");
    number = json_is_number(number) ? number : NULL;
    oct_link_write(&s->w, &s->answer, &s->allocator);
    oct_link_open(&s->w, NULL, '{');
    if (number) {
        oct_link_put_number(&s->w, "n", json_number_value(number));
    }
    end_answer(s, number, answer_request(s, request));
}

bool oct_link_server_answer(link_server *s, const char *line, size_t size, const char **answer,
                            size_t *answer_size)
{
    char why[300];
    if (s->host.log) {
        s->host.log(s->host.ctx, false, line, size);
    }
    s->answer.count = 0;
    s->code[0] = '\0';
    oct_arena_reset(&s->scratch);
    s->in = (link_reader){.arena = &s->scratch};
    if (!oct_link_is_shallow(line, size, LINK_REQUEST_DEPTH)) {
        oct_link_server_refuse_long(s, answer, answer_size);
        return !s->is_over;
    }
    json_t *const request = oct_link_parse(line, size, why, sizeof why);
    if (request) {
        answer_object(s, request);
        json_decref(request);
    } else {
        (void)oct_link_server_refuse(s, "syntax", "%s", why);
        write_error(s, NULL);
    }
    *answer = s->answer.items;
    *answer_size = s->answer.count;
    if (s->host.log && s->answer.count > 0) {
        s->host.log(s->host.ctx, true, *answer, s->answer.count - 1);
    }
    return !s->is_over;
}

void oct_link_server_refuse_long(link_server *s, const char **answer, size_t *answer_size)
{
    (void)oct_link_server_refuse(s, "range", "a request has at most 64 KiB and 8 levels");
    write_error(s, NULL);
    *answer = s->answer.items;
    *answer_size = s->answer.count;
}

// ---- life ----

oct_result oct_link_server_create(const link_host *host, const oct_allocator *allocator,
                                  link_server **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    link_server *const s = oct_alloc(&own, sizeof *s, _Alignof(link_server));
    *out = s;
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (link_server){.allocator = own, .host = *host};
    oct_arena_init(&s->scratch, &own);
    return OCT_OK;
}

oct_result oct_link_server_greet(link_server *s)
{
    oct_link_server_forget(s);
    oct_game_destroy(s->game);
    s->game = NULL;
    s->is_greeted = s->is_over = false;
    return s->host.make(s->host.ctx, &s->game);
}

void oct_link_server_destroy(link_server *s)
{
    if (!s) {
        return;
    }
    const oct_allocator own = s->allocator;
    oct_link_server_forget(s);
    oct_game_destroy(s->game);
    oct_array_free(&s->players, &own, sizeof(server_player));
    oct_array_free(&s->answer, &own, 1);
    oct_link_ids_free(&s->ids, &own);
    oct_arena_free(&s->scratch);
    oct_free(&own, s, sizeof *s);
}
