// SPDX-License-Identifier: MIT
// octant test --json: a run as one object.
#include "base/words.h"
#include "cli/test.h"

#define NS_A_MS 1e6

// Any words, as UTF-8.
static json_t *words_json(const char *words)
{
    json_t *const exact = json_string(words);
    char clean[1024];
    return exact ? exact : json_string(oct_words_copy(words, clean, sizeof clean));
}

static json_t *count_json(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *ms_json(uint64_t ns)
{
    return json_real((double)ns / NS_A_MS);
}

// Sets all pairs; NULL, and nothing is left, where one is missing.
static json_t *with(json_t *object, const char *key, json_t *value)
{
    if (object && value && json_object_set_new(object, key, value) == 0) {
        return object;
    }
    if (!object) {
        json_decref(value);
    }
    json_decref(object);
    return NULL;
}

static json_t *hash_json(uint64_t hash)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    return json_string(digits);
}

static json_t *times_json(const oct_agent_times *t, double moving_s)
{
    json_t *o = json_object();
    o = with(o, "all_ms", ms_json(t->all));
    o = with(o, "moving_s", json_real(moving_s));
    o = with(o, "game_ms", ms_json(t->game));
    o = with(o, "initialising_ms", ms_json(t->initialising));
    o = with(o, "adding_ms", ms_json(t->adding));
    o = with(o, "exploring_ms", ms_json(t->exploring));
    o = with(o, "pathfinding_ms", ms_json(t->pathfinding));
    o = with(o, "steering_ms", ms_json(t->steering));
    o = with(o, "looks", count_json(t->looks));
    o = with(o, "explorations", count_json(t->explorations));
    o = with(o, "paths", count_json(t->paths));
    return with(o, "steers", count_json(t->steers));
}

static json_t *texts_json(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++) {
        if (json_array_append_new(array, words_json(texts[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *lives_json(const oct_play_result *r)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < r->life_count; i++) {
        const oct_play_life *const life = &r->lives[i];
        json_t *o = json_object();
        o = with(o, "verdict", json_string(oct_verdict_name(life->verdict)));
        o = with(o, "reason", words_json(life->reason));
        o = with(o, "turns", count_json(life->turns));
        o = with(o, "game_s", json_real((double)life->ticks / r->rate));
        o = with(o, "presses", count_json(life->presses));
        if (json_array_append_new(array, o) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

// The names of assumptions, in their order.
static json_t *assumes_json(uint32_t assumes)
{
    json_t *array = json_array();
    for (int i = 0; array && i < OCT_ASSUME_COUNT; i++) {
        if ((assumes >> i & 1) != 0 &&
            json_array_append_new(array, json_string(oct_assumption_name((oct_assumption)i)))) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *coverage_json(const oct_play_result *r)
{
    json_t *o = json_object();
    o = with(o, "explored", json_real(r->explored));
    o = with(o, "open", count_json(r->open));
    o = with(o, "blocked", count_json(r->blocked));
    return with(o, "unknown", count_json(r->unknown));
}

static json_t *test_json(const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    json_t *o = json_object();
    o = with(o, "name", words_json(test->name));
    o = with(o, "verdict", json_string(oct_verdict_name(r->verdict)));
    o = with(o, "reason", words_json(r->reason ? r->reason : ""));
    o = with(o, "assumes", assumes_json(r->assumes));
    o = with(o, "proof",
             r->proof == OCT_PROOF_NONE ? json_null() : json_string(oct_proof_name(r->proof)));
    o = with(o, "decides", r->decides && r->decides[0] ? words_json(r->decides) : json_null());
    o = with(o, "where", words_json(r->where ? r->where : ""));
    o = with(o, "file", words_json(test->file));
    o = with(o, "line", count_json(test->line));
    o = with(o, "world", words_json(test->world));
    o = with(o, "agents", count_json(r->agents));
    o = with(o, "turns", count_json(r->turns));
    o = with(o, "game_s", json_real((double)r->ticks / r->rate));
    o = with(o, "time_ms", json_real(test->time_ms));
    o = with(o, "sight", json_string(r->sight == OCT_SIGHT_LINE ? "line" : "through"));
    o = with(o, "view", json_real(r->view));
    o = with(o, "seed", count_json(r->seed));
    o = with(o, "memory_bytes", count_json(r->memory));
    o = with(o, "coverage", coverage_json(r));
    o = with(o, "lives", lives_json(r));
    o = with(o, "findings", texts_json(r->findings, r->finding_count));
    o = with(o, "notes", texts_json(r->notes, r->note_count));
    o = with(o, "times", times_json(&r->times, (double)r->times.moving_ticks / r->rate));
    o = with(o, "hash", hash_json(r->hash));
    o = with(o, "output", words_json(test->output ? test->output : ""));
    return with(o, "trace", test->trace ? words_json(test->trace) : json_null());
}

json_t *oct_test_json(const oct_report_run *run)
{
    const report_total total = oct_report_total(run);
    json_t *tests = json_array();
    for (size_t i = 0; tests && i < run->count; i++) {
        if (json_array_append_new(tests, test_json(&run->tests[i])) != 0) {
            json_decref(tests);
            tests = NULL;
        }
    }
    json_t *o = json_object();
    o = with(o, "passed", count_json(total.verdicts[OCT_VERDICT_PASS]));
    o = with(o, "failed", count_json(total.verdicts[OCT_VERDICT_FAIL]));
    o = with(o, "inconclusive", count_json(total.verdicts[OCT_VERDICT_INCONCLUSIVE]));
    o = with(o, "errors", count_json(total.verdicts[OCT_VERDICT_ERROR]));
    o = with(o, "not_played", count_json(run->not_played));
    o = with(o, "turns", count_json(total.turns));
    o = with(o, "game_s", json_real(total.game_s));
    o = with(o, "time_ms", json_real(total.time_ms));
    o = with(o, "wall_ms", json_real(run->wall_ms));
    o = with(o, "threads", count_json(run->threads));
    o = with(o, "times", times_json(&total.times, total.moving_s));
    return with(o, "tests", tests);
}
