// SPDX-License-Identifier: MIT
// The requests of Lab Recruits' protocol, and the time that passes between them.
#include "link/recruits_server_internal.h"

#include "base/print.h"
#include "base/words.h"

#include <math.h>

#define REQUEST_DEPTH 16
#define NS_PER_S 1e9
// What the clock is ahead by more is forgotten: a world too large for its speed goes slower.
#define BACKLOG_TICKS (UINT64_C(60) * OCT_RECRUITS_RATE)
#define COORDINATE_MAX 1e6

// ---- time ----

static void step(recruits_server *s, uint64_t ticks)
{
    // Memory that is short for a path leaves who walks by itself where it is.
    (void)oct_game_step(s->game, (uint32_t)ticks);
}

void oct_recruits_server_catch_up(recruits_server *s)
{
    if (!(s->host.speed > 0.0)) {
        return;
    }
    const double per_ns = OCT_RECRUITS_RATE * s->host.speed / NS_PER_S;
    const uint64_t now_ns = s->host.now_ns(s->host.ctx);
    const uint64_t due = (uint64_t)((double)(now_ns - s->begin_ns) * per_ns);
    const uint64_t tick = s->world->tick;
    uint64_t left = due > tick ? due - tick : 0;
    if (left > BACKLOG_TICKS) {
        const uint64_t forgotten = left - BACKLOG_TICKS;
        s->begin_ns += (uint64_t)((double)forgotten / per_ns);
        left = BACKLOG_TICKS;
    }
    step(s, left);
}

// ---- fields ----

// Text, or "" where it is none.
static const char *text_of(const json_t *object, const char *name)
{
    const char *const text = json_string_value(oct_link_field(object, name));
    return text ? text : "";
}

// A finite number, or another one.
static double number_of(const json_t *object, const char *name, double other)
{
    const json_t *const value = oct_link_field(object, name);
    return json_is_number(value) && isfinite(json_number_value(value)) ? json_number_value(value)
                                                                       : other;
}

static void note(const recruits_server *s, const char *what)
{
    if (s->host.note) {
        s->host.note(s->host.ctx, what);
    }
}

// ---- requests ----

static oct_result refuse(const recruits_server *s, const char *format, const char *what)
{
    char text[200];
    oct_snprintf(text, sizeof text, format, what);
    oct_words_defuse(text, '?');
    note(s, text);
    return OCT_ERROR_FORMAT;
}

static oct_result put_true(link_writer *w)
{
    oct_link_put_bool(w, NULL, true);
    return OCT_OK;
}

static oct_result load(recruits_server *s, const char *path, const char *name,
                       oct_recruits_level **out)
{
    const oct_recruits_reading how = {.allocator = &s->allocator};
    return path[0] ? s->host.load(s->host.ctx, path, name, out)
                   : oct_recruits_level_read("", 0, &how, out, NULL);
}

// What the game takes no notice of is passed over: seed, npc_speed, fire_spread and links.
static oct_recruits_world_def read_config(const recruits_server *s, const json_t *config)
{
    oct_recruits_world_def def = oct_recruits_world_def_default();
    const double speed = number_of(config, "agent_speed", def.agent_speed);
    const double view = number_of(config, "view_distance", def.view);
    const double jump = number_of(config, "jump_force", def.jump_force);
    def.agent_speed = speed > 0.0 && speed <= 1.0 ? speed : def.agent_speed;
    def.view = view > 0.0 && view <= COORDINATE_MAX ? view : def.view;
    def.jump_force = fabs(jump) <= 1.0 ? jump : def.jump_force;
    def.allocator = &s->allocator;
    return def;
}

static oct_result init(recruits_server *s, const json_t *config, link_writer *w)
{
    const char *const path = text_of(config, "level_path");
    oct_recruits_world_def def = read_config(s, config);
    oct_game *game;
    if (load(s, path, text_of(config, "level_name"), &def.level) != OCT_OK) {
        return refuse(s, "INIT: the level '%.150s' cannot be read", path);
    }
    const oct_result result = oct_recruits_world_create(&def, &game);
    if (result != OCT_OK) {
        oct_recruits_level_destroy(def.level);
        return refuse(s, "INIT: %.150s", oct_result_text(result));
    }
    s->past_ticks += s->world->tick;
    oct_game_destroy(s->game);
    s->game = game;
    s->world = oct_recruits_inside(game);
    s->begin_ns = s->host.now_ns(s->host.ctx);
    return oct_recruits_write_mesh(s, w);
}

static bool read_point(const json_t *object, oct_point *out)
{
    const double far = 2.0 * COORDINATE_MAX;
    *out = (oct_point){number_of(object, "x", far), number_of(object, "y", far),
                       number_of(object, "z", far)};
    return fabs(out->x) <= COORDINATE_MAX && fabs(out->y) <= COORDINATE_MAX &&
           fabs(out->z) <= COORDINATE_MAX;
}

// What does not exist or is no button is passed over, as the game does.
static void interact(const recruits_server *s, uint32_t who, const char *target)
{
    const uint32_t thing = oct_recruits_thing_of(s->world, target);
    if (thing != RECRUITS_NONE && is_button(thing_at(s->world, thing))) {
        (void)oct_recruits_press(s->world, who, thing);
    }
}

static oct_result command(recruits_server *s, const json_t *arg, link_writer *w)
{
    const char *const name = text_of(arg, "cmd");
    const json_t *const value = oct_link_field(arg, "arg");
    const uint32_t who = oct_recruits_agent_of(s->world, text_of(arg, "agentId"));
    oct_point target;
    if (who == RECRUITS_NONE) {
        return refuse(s, "there is no agent '%.100s'", text_of(arg, "agentId"));
    }
    const bool waits = strcmp(name, "DONOTHING") == 0, acts = strcmp(name, "INTERACT") == 0;
    if (!waits && !acts && strcmp(name, "MOVETOWARD") != 0) {
        return refuse(s, "there is no command '%.100s'", name);
    }
    if (!waits && !acts && !read_point(oct_link_field(value, "object1"), &target)) {
        return refuse(s, "%s: 'object1' is no place", name);
    }
    if (!(s->host.speed > 0.0)) {
        step(s, RECRUITS_TURN_TICKS);
    }
    if (acts) {
        interact(s, who, text_of(arg, "targetId"));
    } else if (!waits) {
        oct_recruits_go(s->world, who, target, json_is_true(oct_link_field(value, "object2")));
    }
    return oct_recruits_write_observation(s, w, who, waits);
}

// UPDATE_ENVIRONMENT is a request that the game has and does not answer.
static oct_result answer_request(recruits_server *s, const json_t *request, link_writer *w)
{
    static const char *const only_true[] = {"START", "PAUSE", "DISCONNECT", "MAKE_SCREENSHOT"};
    const char *const name = text_of(request, "cmd");
    const json_t *const arg = oct_link_field(request, "arg");
    if (strcmp(name, "AGENTCOMMAND") == 0) {
        return command(s, arg, w);
    }
    if (strcmp(name, "INIT") == 0) {
        return init(s, arg, w);
    }
    for (size_t i = 0; i < sizeof only_true / sizeof *only_true; i++) {
        if (strcmp(name, only_true[i]) == 0) {
            return put_true(w);
        }
    }
    return refuse(s, "there is no request '%.100s'", name);
}

void oct_recruits_server_answer(recruits_server *s, const char *line, size_t size,
                                const char **answer, size_t *answer_size)
{
    char why[160];
    link_writer w;
    s->answer.count = 0;
    *answer = "";
    *answer_size = 0;
    oct_recruits_server_catch_up(s);
    if (!oct_link_is_shallow(line, size, REQUEST_DEPTH)) {
        note(s, "a request has too many brackets");
        return;
    }
    json_t *const request = oct_link_parse(line, size, why, sizeof why);
    if (!request) {
        note(s, why);
        return;
    }
    oct_link_write(&w, &s->answer, &s->allocator);
    const oct_result result = answer_request(s, request, &w);
    json_decref(request);
    if (result == OCT_OK && oct_link_write_end(&w) == OCT_OK) {
        *answer = s->answer.items;
        *answer_size = s->answer.count;
    }
}

// ---- life ----

oct_result oct_recruits_server_create(const recruits_host *host, oct_game *first,
                                      const oct_allocator *allocator, recruits_server **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    recruits_server *const s = oct_alloc(&own, sizeof *s, _Alignof(recruits_server));
    *out = s;
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (recruits_server){.allocator = own,
                           .host = *host,
                           .game = first,
                           .world = oct_recruits_inside(first),
                           .begin_ns = host->now_ns(host->ctx)};
    return OCT_OK;
}

void oct_recruits_server_destroy(recruits_server *s)
{
    if (!s) {
        return;
    }
    const oct_allocator own = s->allocator;
    oct_game_destroy(s->game);
    oct_array_free(&s->answer, &own, 1);
    oct_array_free(&s->ids, &own, sizeof(uint32_t));
    oct_free(&own, s, sizeof *s);
}
