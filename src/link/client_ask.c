// SPDX-License-Identifier: MIT
// One exchange: a request, its answer, and what may be wrong with that.
#include "link/client_internal.h"

#include "base/print.h"
#include "base/words.h"

// ---- trouble ----

// The beginning of a line, to be quoted.
static void quote(char *out, const char *line, size_t size)
{
    const size_t length = size < LINK_QUOTE ? size : LINK_QUOTE;
    memcpy(out, line, length);
    out[length] = '\0';
    if (length < size) {
        memcpy(out + length, "...", 4);
    }
}

static void describe_trouble(link_client *c, const char *sentence)
{
    char epitaph[300] = "";
    if (c->is_broken && c->def.epitaph) {
        c->def.epitaph(c->def.ctx, epitaph, sizeof epitaph);
    }
    oct_words_defuse(c->asked, '?');
    oct_words_defuse(c->answered, '?');
    oct_snprintf(c->trouble, sizeof c->trouble, "%s%s%s\n> %s\n< %s", sentence,
                 epitaph[0] ? "; " : "", epitaph, c->asked, c->answered);
}

oct_result oct_link_fail(link_client *c, const char *format, ...)
{
    char sentence[440];
    va_list values;
    va_start(values, format);
    oct_vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    if (!c->is_broken) {
        c->is_broken = true;
        describe_trouble(c, sentence);
    }
    return OCT_ERROR_LINK;
}

oct_result oct_link_judge(link_client *c, oct_result result)
{
    return result == OCT_ERROR_FORMAT
               ? oct_link_fail(c, "the game's answer cannot be used: %s", c->in.why)
               : result;
}

static oct_result fail_status(link_client *c, link_status status, uint32_t wait_ms)
{
    switch (status) {
    case LINK_SILENT:
        return oct_link_fail(c, "the game did not answer within %g s", wait_ms / 1000.0);
    case LINK_TOO_LONG:
        return oct_link_fail(c, "the game's answer is longer than 16 MiB");
    case LINK_STOPPED:
        return oct_link_fail(c, "the wait for the game was interrupted");
    case LINK_NO_MEMORY:
        oct_link_fail(c, "no memory for the game's answer");
        return OCT_ERROR_MEMORY;
    default:
        return oct_link_fail(c, "the link to the game was lost");
    }
}

// ---- asking ----

oct_result oct_link_request(link_client *c, link_writer *w, const char *what)
{
    if (c->is_broken) {
        return OCT_ERROR_LINK;
    }
    c->request.count = 0;
    oct_link_write(w, &c->request, &c->allocator);
    oct_link_open(w, NULL, '{');
    oct_link_put_whole(w, "n", ++c->n);
    oct_link_put_text(w, "do", what);
    return OCT_OK;
}

// An answer that tells of an error.
static oct_result take_error(link_client *c, const char *code, const char *text)
{
    static const struct {
        const char *code;
        oct_result result;
    } known[] = {{"syntax", OCT_ERROR_FORMAT},     {"unknown", OCT_ERROR_FORMAT},
                 {"argument", OCT_ERROR_ARGUMENT}, {"player", OCT_ERROR_ARGUMENT},
                 {"range", OCT_ERROR_RANGE},       {"version", OCT_ERROR_FORMAT}};
    char sentence[400];
    oct_snprintf(sentence, sizeof sentence, "the game answered '%.40s': %.300s", code,
                 text ? text : "");
    oct_words_defuse(sentence, '?');
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(code, known[i].code) == 0) {
            describe_trouble(c, sentence);
            return known[i].result;
        }
    }
    return oct_link_fail(c, "%s", sentence);
}

// Looks at a line; *answer gets its object, whether or not it tells of an error.
static oct_result take_line(link_client *c, const char *line, size_t size, json_t **answer)
{
    char why[300];
    uint64_t n = 0;
    quote(c->answered, line, size);
    if (!oct_link_is_shallow(line, size, LINK_ANSWER_DEPTH)) {
        return oct_link_fail(c,
                             "the game's answer is nested deeper than %d, or has more than %zu "
                             "brackets",
                             LINK_ANSWER_DEPTH, LINK_BRACKETS_MAX);
    }
    *answer = oct_link_parse(line, size, why, sizeof why);
    if (!*answer) {
        return oct_link_fail(c, "the game's answer cannot be read: %s", why);
    }
    const json_t *const number = oct_link_field(*answer, "n");
    if (number && (!oct_link_is_whole(number, &n) || n != c->n)) {
        return oct_link_fail(c, "the game answered another request than number %llu",
                             (unsigned long long)c->n);
    }
    const json_t *const error = oct_link_field(*answer, "error");
    if (!error) {
        return OCT_OK;
    }
    return json_is_string(error) ? take_error(c, json_string_value(error),
                                              json_string_value(oct_link_field(*answer, "text")))
                                 : oct_link_fail(c, "the game answered an 'error' that is no text");
}

oct_result oct_link_ask(link_client *c, link_writer *w, uint32_t wait_ms, json_t **answer)
{
    *answer = NULL;
    oct_link_close(w, '}');
    const oct_result written = oct_link_write_end(w);
    if (written != OCT_OK) {
        return written == OCT_ERROR_FORMAT ? OCT_ERROR_ARGUMENT : written;
    }
    const size_t size = c->request.count - 1;
    quote(c->asked, c->request.items, size);
    c->answered[0] = '\0';
    if (size > LINK_REQUEST_SIZE) {
        describe_trouble(c, "a request may have 64 KiB at most");
        return OCT_ERROR_RANGE;
    }
    const link_carrier *const carrier = &c->lines.carrier;
    const uint64_t until = carrier->clock(carrier->ctx) + wait_ms;
    link_status status = carrier->write(carrier->ctx, c->request.items, size + 1, until);
    char *line;
    size_t length;
    if (status == LINK_FINE) {
        status = oct_link_line_next(&c->lines, until, &line, &length);
    }
    if (status != LINK_FINE) {
        return fail_status(c, status, wait_ms);
    }
    c->facts.requests++;
    c->facts.sent += size + 1;
    c->facts.taken += length + 1;
    oct_arena_reset(&c->scratch);
    c->in = (link_reader){.arena = &c->scratch};
    const oct_result result = take_line(c, line, length, answer);
    if (result != OCT_OK && *answer) {
        json_decref(*answer);
        *answer = NULL;
    }
    return result;
}

oct_result oct_link_take_tick(link_client *c, const json_t *answer, uint64_t other)
{
    uint64_t tick = other;
    OCT_TRY(oct_link_get_whole(&c->in, answer, "tick", LINK_WHOLE_END - 1, &tick));
    if (tick < c->tick) {
        return oct_link_refuse(&c->in, "the tick went back, from %llu to %llu",
                               (unsigned long long)c->tick, (unsigned long long)tick);
    }
    c->tick = tick;
    return OCT_OK;
}
