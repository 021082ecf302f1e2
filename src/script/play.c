// SPDX-License-Identifier: MIT
// Playing a test, and what came of it.
#include "script/script_internal.h"

#include <stdio.h>

// ---- beginning ----

// The test by its place in the file, and its name: loading a file twice gives the same.
static void find_test(host *h, const oct_script *script, size_t index)
{
    const script_entry *const wanted = (const script_entry *)script->tests.items + index;
    const declared_test *const t = (const declared_test *)h->tests.items + index;
    if (index >= h->tests.count || strcmp(t->name, wanted->name) != 0) {
        oct_host_fail(h, "the script declares other tests than when it was opened");
        return;
    }
    h->test = t;
}

static oct_result prepare(stage *s, const oct_script *script, size_t index,
                          const play_options *options)
{
    host *const h = s->host;
    if (!oct_host_load(h)) {
        return OCT_OK;
    }
    find_test(h, script, index);
    if (h->has_failed) {
        return OCT_OK;
    }
    const agent_plan *const plan = &h->test->plan.agent;
    s->seed = options->seed > 0 ? options->seed : plan->has_seed ? plan->seed : 1;
    if (oct_host_seed(h, s->seed) && oct_host_prepare(h)) {
        return oct_stage_open(s, options);
    }
    return OCT_OK;
}

// ---- playing ----

// A test of several agents goes on until all have passed, or one has not.
static bool goes_on(const stage *s)
{
    bool all_ended = true;
    for (size_t i = 0; i < s->agents.count; i++) {
        const char *reason;
        const oct_agent *const a = ((oct_agent *const *)s->agents.items)[i];
        if (oct_agent_has_ended(a) && oct_agent_verdict(a, &reason) != OCT_VERDICT_PASS) {
            return false;
        }
        all_ended = all_ended && oct_agent_has_ended(a);
    }
    return !all_ended;
}

static oct_result run(stage *s, const play_options *options, bool *is_interrupted)
{
    const play_watch *const watch = &options->watch;
    oct_agent *const *const agents = s->agents.items;
    const size_t count = s->agents.count;
    s->host->phase = HOST_PLAYS;
    if (watch->begins) {
        watch->begins(watch->ctx, s->world, agents, count);
    }
    oct_result result = OCT_OK;
    while (result == OCT_OK && !s->host->has_failed && goes_on(s)) {
        if (options->stops && options->stops()) {
            *is_interrupted = true;
            break;
        }
        result = oct_agents_turn(agents, count);
        if (watch->turned) {
            watch->turned(watch->ctx, agents, count);
        }
    }
    if (watch->ends) {
        watch->ends(watch->ctx, agents, count);
    }
    return result;
}

// ---- the verdict ----

// Which agent decides: of errors, failures and what stayed open the first.
static const player *find_decider(const host *h, oct_verdict *verdict, const char **reason)
{
    static const oct_verdict order[] = {OCT_VERDICT_ERROR, OCT_VERDICT_FAIL,
                                        OCT_VERDICT_INCONCLUSIVE, OCT_VERDICT_PASS};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (size_t i = 0; i < h->players.count; i++) {
            const player *const p = (const player *)h->players.items + i;
            *verdict = oct_agent_verdict(p->agent, reason);
            if (*verdict == order[k] && (oct_agent_has_ended(p->agent) || h->players.count == 1)) {
                return p;
            }
        }
    }
    return h->players.items;
}

void oct_play_where(const oct_agent *agent, char *out, size_t size)
{
    const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
    const char *const goal = oct_mind_goal(oct_agent_mind(agent));
    (void)snprintf(out, size, "at %.1f, %.1f, %.1f after %.1f s%s%s", self->centre.x,
                   self->centre.y, self->centre.z, (double)self->tick / OCT_TICKS,
                   goal[0] ? ", doing: " : "", goal);
}

typedef struct judged {
    oct_verdict verdict;
    char reason[2 * HOST_TEXT + 16];
    char where[HOST_TEXT];
} judged;

// What went wrong in the script, or before there was a game.
static void judge_error(const host *h, judged *j)
{
    char at[HOST_TEXT] = "";
    const player *const first = h->players.items;
    const oct_agent *const agent = h->current             ? h->current
                                   : h->players.count > 0 ? first->agent
                                                          : NULL;
    if (agent && h->phase == HOST_PLAYS) {
        oct_play_where(agent, at, sizeof at);
    }
    j->verdict = OCT_VERDICT_ERROR;
    (void)snprintf(j->reason, sizeof j->reason, "%s%s%s%s", h->error, at[0] ? " (" : "", at,
                   at[0] ? ")" : "");
    (void)snprintf(j->where, sizeof j->where, "%s", h->place[0] ? h->place : at);
}

static void judge_run(const host *h, judged *j)
{
    const char *reason;
    const player *const p = find_decider(h, &j->verdict, &reason);
    const bool is_one = h->players.count == 1 || j->verdict == OCT_VERDICT_PASS;
    (void)snprintf(j->reason, sizeof j->reason, "%s%s%s", is_one ? "" : p->name, is_one ? "" : ": ",
                   reason);
    oct_play_where(p->agent, j->where, sizeof j->where);
}

// Turns the verdict of a test that expects another one than to pass.
static void turn_verdict(const declared_test *t, host *h, judged *j)
{
    const oct_verdict expected = t->plan.expect;
    char said[2 * HOST_TEXT + 16];
    if (expected == OCT_VERDICT_PASS) {
        return;
    }
    (void)snprintf(said, sizeof said, "%s", j->reason);
    if (j->verdict != expected) {
        (void)snprintf(j->reason, sizeof j->reason, "expected %s, but it was %s%s%.600s",
                       oct_verdict_name(expected), oct_verdict_name(j->verdict),
                       said[0] ? ": " : "", said);
        j->verdict = OCT_VERDICT_FAIL;
    } else if (t->reason && !strstr(said, t->reason)) {
        (void)snprintf(j->reason, sizeof j->reason, "expected %s because of '%.200s', but: %.600s",
                       oct_verdict_name(expected), t->reason, said);
        j->verdict = OCT_VERDICT_FAIL;
    } else {
        char note[2 * HOST_TEXT + 64];
        (void)snprintf(note, sizeof note, "%s, as expected: %s", oct_verdict_name(expected), said);
        oct_host_note(h, note);
        j->reason[0] = '\0';
        j->verdict = OCT_VERDICT_PASS;
    }
}

// ---- the result ----

static oct_result keep_notes(const host *h, play_result *out)
{
    size_t count = h->notes.count;
    for (size_t i = 0; i < h->players.count; i++) {
        const oct_agent *const a = ((const player *)h->players.items)[i].agent;
        count += a ? oct_agent_notes(a) : 0;
    }
    if (count == 0) {
        return OCT_OK;
    }
    out->notes = oct_alloc(&out->allocator, count * sizeof(char *), _Alignof(char *));
    if (!out->notes) {
        return OCT_ERROR_MEMORY;
    }
    memset(out->notes, 0, count * sizeof(char *));
    out->note_count = count;
    size_t n = 0;
    bool is_whole = true;
    for (size_t i = 0; i < h->notes.count; i++, n++) {
        out->notes[n] = oct_copy_text(&out->allocator, ((char *const *)h->notes.items)[i]);
        is_whole = is_whole && out->notes[n];
    }
    for (size_t i = 0; i < h->players.count; i++) {
        const oct_agent *const a = ((const player *)h->players.items)[i].agent;
        for (size_t k = 0; a && k < oct_agent_notes(a); k++, n++) {
            out->notes[n] = oct_copy_text(&out->allocator, oct_agent_note(a, k));
            is_whole = is_whole && out->notes[n];
        }
    }
    return is_whole ? OCT_OK : OCT_ERROR_MEMORY;
}

static oct_result conclude(stage *s, const play_options *options, play_result *out)
{
    host *const h = s->host;
    judged j;
    if (h->has_failed) {
        judge_error(h, &j);
    } else {
        judge_run(h, &j);
    }
    if (out->is_interrupted) {
        j.verdict = OCT_VERDICT_INCONCLUSIVE;
        (void)snprintf(j.reason, sizeof j.reason, "interrupted");
    } else if (h->test) {
        turn_verdict(h->test, h, &j);
    }
    out->verdict = j.verdict;
    out->reason = oct_copy_text(&out->allocator, j.reason);
    out->where = oct_copy_text(&out->allocator, j.where);
    if (!out->reason || !out->where) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(keep_notes(h, out));
    return oct_play_measure(s, options, out);
}

oct_result oct_play(const oct_script *script, size_t test, const play_options *options,
                    play_result *out)
{
    stage s = {.seed = options->seed > 0 ? options->seed : 1};
    *out = (play_result){.allocator = oct_allocator_or_default(options->limits.allocator)};
    OCT_TRY(oct_host_open(&options->limits, script, &s.host));
    s.host->watch = &options->watch;
    oct_result result = prepare(&s, script, test, options);
    out->seed = s.seed;
    if (result == OCT_OK && !s.host->has_failed) {
        result = run(&s, options, &out->is_interrupted);
        // Failures of the game are verdicts.
        result = result == OCT_ERROR_MEMORY ? result : OCT_OK;
    }
    if (s.host->lacks_memory) {
        result = OCT_ERROR_MEMORY;
    }
    if (result == OCT_OK) {
        result = conclude(&s, options, out);
    }
    oct_stage_close(&s);
    if (result != OCT_OK) {
        oct_play_free(out);
    }
    return result;
}

void oct_play_free(play_result *result)
{
    const oct_allocator allocator = result->allocator;
    oct_free_text(&allocator, result->reason);
    oct_free_text(&allocator, result->where);
    for (size_t i = 0; i < result->note_count; i++) {
        oct_free_text(&allocator, result->notes[i]);
    }
    oct_free(&allocator, result->notes, result->note_count * sizeof(char *));
    *result = (play_result){.allocator = allocator};
}
