// SPDX-License-Identifier: MIT
#include "link/recruits_client_internal.h"

#include "base/print.h"
#include "base/words.h"

#include <math.h>

#define ANSWER_DEPTH 16
#define NS_PER_TICK 2e7
#define NS_PER_S 1e9

// ---- trouble ----

// The beginning of a line, to be quoted.
static void quote(char out[RECRUITS_QUOTE + 4], const char *line, size_t size)
{
    const bool is_whole = size <= RECRUITS_QUOTE;
    oct_snprintf(out, RECRUITS_QUOTE + 4, "%.*s%s", (int)(is_whole ? size : RECRUITS_QUOTE), line,
                 is_whole ? "" : "...");
    oct_words_defuse(out, '?');
}

oct_result oct_recruits_client_fail(recruits_client *c, const char *format, ...)
{
    char sentence[500];
    va_list values;
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    c->is_broken = true;
    va_start(values, format);
    oct_vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    oct_snprintf(c->trouble, sizeof c->trouble, "%s\n> %s\n< %s", sentence, c->asked, c->answered);
    return OCT_ERROR_LINK;
}

static oct_result fail_status(recruits_client *c, link_status status, uint32_t wait_ms)
{
    switch (status) {
    case LINK_SILENT:
        return oct_recruits_client_fail(
            c,
            "the game did not answer within %g s; it answers nothing to an agent or a level that "
            "it does not know",
            wait_ms / 1000.0);
    case LINK_TOO_LONG:
        return oct_recruits_client_fail(c, "the game's answer is longer than 16 MiB");
    case LINK_STOPPED:
        return oct_recruits_client_fail(c, "the wait for the game was interrupted");
    case LINK_NO_MEMORY:
        (void)oct_recruits_client_fail(c, "no memory for the game's answer");
        return OCT_ERROR_MEMORY;
    default:
        return oct_recruits_client_fail(c, "the game has closed the connection");
    }
}

oct_result oct_recruits_client_judge(recruits_client *c, oct_result result)
{
    return result == OCT_ERROR_FORMAT
               ? oct_recruits_client_fail(c, "the game's answer cannot be used: %s", c->in.why)
               : result;
}

const char *oct_recruits_client_trouble(const recruits_client *c)
{
    return c->trouble;
}

// ---- asking ----

// Sends what was written, and waits for the answer, which the caller gives back.
static oct_result ask(recruits_client *c, link_writer *w, uint32_t wait_ms, json_t **answer)
{
    char why[300], *line;
    size_t length;
    *answer = NULL;
    const oct_result written = oct_link_write_end(w);
    if (written != OCT_OK) {
        return written == OCT_ERROR_FORMAT ? OCT_ERROR_ARGUMENT : written;
    }
    if (oct_link_line_comes(&c->lines)) {
        return oct_recruits_client_fail(c, "the game answered more than it was asked");
    }
    quote(c->asked, c->request.items, c->request.count - 1);
    c->answered[0] = '\0';
    const link_carrier *const carrier = &c->lines.carrier;
    const uint64_t until = carrier->clock(carrier->ctx) + wait_ms;
    link_status status = carrier->write(carrier->ctx, c->request.items, c->request.count, until);
    if (status == LINK_FINE) {
        status = oct_link_line_next(&c->lines, until, &line, &length);
    }
    if (status != LINK_FINE) {
        return fail_status(c, status, wait_ms);
    }
    quote(c->answered, line, length);
    if (oct_link_line_waits(&c->lines)) {
        return oct_recruits_client_fail(c, "the game answered more than it was asked");
    }
    if (!oct_link_is_shallow(line, length, ANSWER_DEPTH)) {
        return oct_recruits_client_fail(c, "the game's answer has too many brackets");
    }
    *answer = oct_link_parse(line, length, why, sizeof why);
    return *answer ? OCT_OK
                   : oct_recruits_client_fail(c, "the game's answer cannot be read: %s", why);
}

static oct_result begin(recruits_client *c, link_writer *w, const char *cmd)
{
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    c->request.count = 0;
    oct_link_write(w, &c->request, &c->allocator);
    oct_link_open(w, NULL, '{');
    oct_link_put_text(w, "cmd", cmd);
    return OCT_OK;
}

// ---- levels ----

static void put_config(link_writer *w, const char *path, double view)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    oct_link_open(w, "arg", '{');
    oct_link_put_whole(w, "seed", 1);
    oct_link_put_text(w, "level_path", path);
    oct_link_put_text(w, "level_name", name);
    oct_link_put_number(w, "agent_speed", 0.13);
    oct_link_put_number(w, "npc_speed", 0.11);
    oct_link_put_number(w, "fire_spread", 0.0);
    oct_link_put_number(w, "jump_force", 0.18);
    oct_link_put_number(w, "view_distance", view > 0.0 ? view : 10.0);
    oct_link_put_number(w, "light_intensity", 0.6);
    oct_link_open(w, "add_links", '[');
    oct_link_close(w, ']');
    oct_link_open(w, "remove_links", '[');
    oct_link_close(w, ']');
    oct_link_close(w, '}');
}

static void begin_clock(recruits_client *c)
{
    c->commands = 0;
    c->begin_ns = c->def.speed > 0.0 ? c->def.time.now_ns(c->def.time.ctx) : 0;
}

oct_result oct_recruits_client_init(recruits_client *c, const char *path, double view,
                                    recruits_link_mesh *out)
{
    link_writer w;
    json_t *answer;
    OCT_TRY(begin(c, &w, "INIT"));
    put_config(&w, path, view);
    oct_link_close(&w, '}');
    OCT_TRY(ask(c, &w, c->def.load_ms, &answer));
    oct_arena_reset(&c->level);
    c->in = (link_reader){.arena = &c->level};
    const oct_result result = oct_recruits_client_judge(c, oct_recruits_read_mesh(c, answer, out));
    json_decref(answer);
    begin_clock(c);
    return result;
}

// ---- commands ----

static oct_result command(recruits_client *c, const char *cmd, const char *agent,
                          const char *target, const oct_point *to, recruits_view *out)
{
    link_writer w;
    json_t *answer;
    OCT_TRY(begin(c, &w, "AGENTCOMMAND"));
    oct_link_open(&w, "arg", '{');
    oct_link_put_text(&w, "cmd", cmd);
    oct_link_put_text(&w, "agentId", agent);
    oct_link_put_text(&w, "targetId", target);
    if (to) {
        oct_link_open(&w, "arg", '{');
        oct_link_open(&w, "object1", '{');
        oct_link_put_number(&w, "x", to->x);
        oct_link_put_number(&w, "y", to->y);
        oct_link_put_number(&w, "z", to->z);
        oct_link_close(&w, '}');
        oct_link_put_bool(&w, "object2", false);
        oct_link_close(&w, '}');
    } else {
        oct_link_put_null(&w, "arg");
    }
    oct_link_close(&w, '}');
    oct_link_close(&w, '}');
    OCT_TRY(ask(c, &w, c->def.answer_ms, &answer));
    c->commands++;
    oct_arena_reset(&c->scratch);
    c->in = (link_reader){.arena = &c->scratch};
    const oct_result result = oct_recruits_client_judge(c, oct_recruits_read_view(c, answer, out));
    json_decref(answer);
    return result;
}

oct_result oct_recruits_client_look(recruits_client *c, const char *agent, recruits_view *out)
{
    return command(c, "DONOTHING", agent, agent, NULL, out);
}

oct_result oct_recruits_client_go(recruits_client *c, const char *agent, oct_point to,
                                  recruits_view *out)
{
    return command(c, "MOVETOWARD", agent, agent, &to, out);
}

oct_result oct_recruits_client_press(recruits_client *c, const char *agent, const char *button,
                                     recruits_view *out)
{
    return command(c, "INTERACT", agent, button, NULL, out);
}

// ---- time ----

uint64_t oct_recruits_client_tick(const recruits_client *c)
{
    if (!(c->def.speed > 0.0)) {
        return c->commands * RECRUITS_COMMAND_TICKS;
    }
    const uint64_t passed = c->def.time.now_ns(c->def.time.ctx) - c->begin_ns;
    return (uint64_t)((double)passed * c->def.speed / NS_PER_TICK);
}

oct_result oct_recruits_client_wait(recruits_client *c, const char *agent, uint64_t tick)
{
    recruits_view ignored;
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    while (!(c->def.speed > 0.0) && oct_recruits_client_tick(c) < tick) {
        OCT_TRY(oct_recruits_client_look(c, agent, &ignored));
    }
    if (c->def.speed > 0.0) {
        const double ns = ceil((double)tick * NS_PER_TICK / c->def.speed);
        if (!c->def.time.wait(c->def.time.ctx, c->begin_ns + (uint64_t)ns)) {
            return fail_status(c, LINK_STOPPED, 0);
        }
    }
    return OCT_OK;
}

// ---- life ----

oct_result oct_recruits_client_create(const link_carrier *carrier, const recruits_client_def *def,
                                      recruits_client **out)
{
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    recruits_client *const c = oct_alloc(&own, sizeof *c, _Alignof(recruits_client));
    *out = c;
    if (!c) {
        return OCT_ERROR_MEMORY;
    }
    *c = (recruits_client){
        .allocator = own,
        .def = *def,
        .lines = {.carrier = *carrier, .allocator = own, .limit = LINK_ANSWER_SIZE}};
    c->def.answer_ms = def->answer_ms > 0 ? def->answer_ms : 30000;
    c->def.load_ms = def->load_ms > 0 ? def->load_ms : 60000;
    c->def.allocator = NULL;
    oct_arena_init(&c->level, &own);
    oct_arena_init(&c->scratch, &own);
    begin_clock(c);
    return OCT_OK;
}

void oct_recruits_client_destroy(recruits_client *c)
{
    if (!c) {
        return;
    }
    const oct_allocator own = c->allocator;
    oct_array_free(&c->request, &own, 1);
    oct_link_lines_free(&c->lines);
    oct_arena_free(&c->level);
    oct_arena_free(&c->scratch);
    oct_free(&own, c, sizeof *c);
}
