// SPDX-License-Identifier: MIT
// Playing a test: its turns, and its life.
#include "agent/monitor.h"
#include "base/print.h"
#include "play/play_internal.h"

#include "base/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define COOKIE UINT32_C(0x0a7e57d1)
#define NOTES_MAX 1000 // of one run; more are not kept

// ---- definitions ----

oct_test_agent oct_test_agent_default(void)
{
    oct_test_agent agent = {.agent = oct_agent_def_default()};
    agent.agent.seed = 0;
    return agent;
}

oct_test_def oct_test_def_default(void)
{
    return (oct_test_def){.world_name = "the world",
                          .seconds = 7200.0,
                          .lives = 5,
                          .seed = 1,
                          .expect = OCT_VERDICT_PASS,
                          .memory = OCT_TEST_MEMORY,
                          .cookie = COOKIE};
}

uint64_t oct_play_ticks(double seconds, double rate)
{
    return (uint64_t)ceil(seconds * rate - 1e-6);
}

// ---- errors and notes ----

void oct_play_fail(play *p, const char *format, ...)
{
    if (p->has_failed) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(p->error, sizeof p->error, format, args);
    va_end(args);
    oct_words_defuse(p->error, ' ');
    p->has_failed = true;
}

bool oct_play_has_failed(play *p)
{
    oct_test_error error = {.place = ""};
    if (!p->has_failed && p->test->fails && p->test->fails(p->test->ctx, &error)) {
        oct_play_fail(p, "%s", error.message);
        (void)snprintf(p->place, sizeof p->place, "%s", error.place);
        p->culprit = error.agent;
    }
    return p->has_failed;
}

void oct_play_note(play *p, const char *text)
{
    char *const copy = p->notes.count < NOTES_MAX ? oct_copy_text(&p->allocator, text) : NULL;
    if (copy) {
        oct_words_defuse(copy, ' ');
        if (oct_array_push(&p->notes, &p->allocator, sizeof copy, &copy) != OCT_OK) {
            oct_free_text(&p->allocator, copy);
        }
    }
}

// ---- turns ----

// What happened to an agent decides at once, whatever the others do: an error, something that the
// run shows to be broken, a time that ended.
static bool has_decided(const oct_agent *a)
{
    const char *reason;
    const oct_verdict verdict = oct_agent_verdict(a, &reason);
    const oct_proof_kind kind = oct_agent_ground(a).kind;
    return verdict == OCT_VERDICT_ERROR ||
           (verdict == OCT_VERDICT_FAIL && (kind == OCT_PROOF_WITNESS || kind == OCT_PROOF_TIME));
}

// A test of several agents goes on until all have ended, or one has decided it.
static bool goes_on(const play *p)
{
    bool all_ended = true;
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent *const a = play_agents(p)[i];
        if (has_decided(a)) {
            return false;
        }
        all_ended = all_ended && oct_agent_has_ended(a);
    }
    return !all_ended;
}

static void tell_begin(const play *p)
{
    for (size_t i = 0; i < p->options->watch_count; i++) {
        const oct_play_watch *const w = &p->options->watches[i];
        if (w->begins) {
            w->begins(w->ctx, p->world, play_agents(p), p->agents.count);
        }
    }
}

static void tell_turn(const play *p)
{
    for (size_t i = 0; i < p->options->watch_count; i++) {
        const oct_play_watch *const w = &p->options->watches[i];
        if (w->turned) {
            w->turned(w->ctx, play_agents(p), p->agents.count);
        }
    }
}

static void tell_end(const play *p)
{
    for (size_t i = 0; i < p->options->watch_count; i++) {
        const oct_play_watch *const w = &p->options->watches[i];
        if (w->ends) {
            w->ends(w->ctx, play_agents(p), p->agents.count);
        }
    }
}

static oct_result take_turns(play *p, bool *is_interrupted)
{
    const oct_play_options *const options = p->options;
    oct_result result = OCT_OK;
    p->has_begun = true;
    tell_begin(p);
    while (result == OCT_OK && !oct_play_has_failed(p) && goes_on(p)) {
        if (options->stops && options->stops(options->stops_ctx)) {
            *is_interrupted = true;
            break;
        }
        result = oct_agents_turn(play_agents(p), p->agents.count);
        tell_turn(p);
    }
    // Failures of the game are verdicts. Behind a link they have words.
    const bool is_lost = result == OCT_ERROR_LINK || result == OCT_ERROR_FORMAT;
    const char *const trouble = result == OCT_OK ? "" : oct_game_trouble(p->game);
    p->is_lost = p->is_lost || is_lost || trouble[0];
    if (is_lost || trouble[0]) {
        const char *const why = trouble[0] ? trouble : oct_result_text(result);
        oct_play_fail(p, "%.*s", (int)strcspn(why, "\n"), why); // the exchange is a note
    }
    return result == OCT_ERROR_MEMORY ? result : OCT_OK;
}

static bool has_passed(const play *p)
{
    const char *ignored;
    for (size_t i = 0; i < p->agents.count; i++) {
        if (oct_agent_verdict(play_agents(p)[i], &ignored) != OCT_VERDICT_PASS) {
            return false;
        }
    }
    return true;
}

// Verdicts that others have come to earlier must still hold. What happened must not be excluded, by
// a claim or at all. Memory for that is beside the budget,
// as it is no part of playing.
static oct_result watch_life(play *p)
{
    char said[MONITOR_TEXT] = "";
    for (size_t i = 0; i < p->agents.count; i++) {
        oct_agent_review(play_agents(p)[i]);
    }
    for (size_t i = 0; i < p->agents.count && !said[0] && !p->has_failed; i++) {
        OCT_TRY(oct_monitor_claims(play_agents(p)[i], &p->allocator, said));
    }
    if (!said[0] && !p->has_failed && (p->options->monitors || !has_passed(p))) {
        OCT_TRY(oct_monitor_model(play_agents(p)[0], &p->allocator, said));
    }
    if (said[0]) {
        oct_play_fail(p, "error of Octant: %s", said);
        p->is_contradicted = true;
    }
    return OCT_OK;
}

static oct_result play_lives(play *p, bool *is_interrupted)
{
    for (bool goes_on = true; goes_on;) {
        OCT_TRY(take_turns(p, is_interrupted));
        OCT_TRY(*is_interrupted ? OCT_OK : watch_life(p));
        OCT_TRY(oct_lives_end(p, *is_interrupted, &goes_on));
        if (goes_on) {
            OCT_TRY(oct_stage_renew(p));
            goes_on = !p->has_failed;
        } else {
            tell_end(p);
        }
    }
    return OCT_OK;
}

// ---- life ----

static bool is_playable(const oct_test_def *test, const oct_play_options *options)
{
    bool is_whole =
        test->agent_count > 0 && (options->game || test->game || test->world || test->load);
    for (size_t i = 0; i < test->agent_count; i++) {
        is_whole = is_whole && test->agents[i].begin;
    }
    return is_whole;
}

static void free_texts(oct_array *texts, const oct_allocator *allocator)
{
    for (size_t i = 0; i < texts->count; i++) {
        oct_free_text(allocator, ((char **)texts->items)[i]);
    }
    oct_array_free(texts, allocator, sizeof(char *));
}

static void free_lives(oct_array *lives, const oct_allocator *allocator)
{
    for (size_t i = 0; i < lives->count; i++) {
        oct_free_text(allocator, ((oct_play_life *)lives->items)[i].reason);
    }
    oct_array_free(lives, allocator, sizeof(oct_play_life));
}

static void close_play(play *p)
{
    oct_stage_close(p);
    free_texts(&p->notes, &p->allocator);
    free_lives(&p->lives, &p->allocator);
    free_texts(&p->findings, &p->allocator);
    oct_array_free(&p->shutters, &p->allocator, sizeof(oct_button));
    oct_array_free(&p->suspects, &p->allocator, sizeof(oct_button));
}

oct_result oct_play_test(const oct_test_def *test, const oct_play_options *options,
                         oct_play_result *out)
{
    const oct_play_options usual = {0};
    options = options ? options : &usual;
    play p = {.test = test,
              .options = options,
              .allocator = oct_allocator_or_default(options->allocator),
              .rate = 60.0,
              .seed = options->seed > 0 ? options->seed : test->seed};
    *out = (oct_play_result){.seed = p.seed, .rate = p.rate, .allocator = p.allocator};
    if (test->cookie != COOKIE || (!oct_play_has_failed(&p) && !is_playable(test, options))) {
        return OCT_ERROR_ARGUMENT;
    }
    oct_play_open_memory(&p);
    oct_result result = p.has_failed ? OCT_OK : oct_stage_open(&p);
    if (result == OCT_OK && !p.has_failed) {
        result = play_lives(&p, &out->is_interrupted);
    }
    // Whoever waits for a game that is far away stops waiting.
    if (p.is_lost && options->stops && options->stops(options->stops_ctx)) {
        out->is_interrupted = true;
    }
    // Whatever became of a refusal: a verdict that depends on it is none.
    if (oct_play_outgrew(&p) || result == OCT_OK) {
        result = oct_play_judge(&p, out);
    }
    out->memory = p.budget.peak;
    if (result == OCT_OK) {
        // Where only measuring outgrows the budget, the verdict stands.
        result = oct_play_measure(&p, out);
        result = result == OCT_ERROR_MEMORY && p.budget.refused > 0 ? OCT_OK : result;
    }
    close_play(&p);
    if (result != OCT_OK) {
        oct_play_result_free(out);
    }
    return result;
}

void oct_play_result_drop_proofs(oct_play_result *result)
{
    for (size_t i = 0; i < result->proof_count; i++) {
        oct_proof_destroy(result->proofs[i]);
    }
    oct_free(&result->allocator, result->proofs, result->proof_count * sizeof *result->proofs);
    oct_run_log_destroy(result->log);
    result->proofs = NULL;
    result->proof_count = result->ground_count = 0;
    result->log = NULL;
}

void oct_play_result_free(oct_play_result *result)
{
    const oct_allocator allocator = result->allocator;
    oct_free_text(&allocator, result->reason);
    oct_free_text(&allocator, result->where);
    oct_free_text(&allocator, result->decides);
    for (size_t i = 0; i < result->note_count; i++) {
        oct_free_text(&allocator, result->notes[i]);
    }
    oct_free(&allocator, result->notes, result->note_count * sizeof(char *));
    free_texts(&(oct_array){result->findings, result->finding_count, result->finding_count},
               &allocator);
    free_lives(&(oct_array){result->lives, result->life_count, result->life_count}, &allocator);
    oct_play_result_drop_proofs(result);
    *result = (oct_play_result){.allocator = allocator};
}
