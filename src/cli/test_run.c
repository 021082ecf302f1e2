// SPDX-License-Identifier: MIT
// Playing the tests of octant test side by side.
//
// Each is played alone, so that neither the number of threads nor the order changes anything but
// times. They are printed in their order: one that is done waits for those before it. Where the
// first that does not pass ends the run, that is the first in order: what was played beyond it is
// forgotten.
#include "baseline/baseline_navigator.h"
#include "cli/test.h"
#include "cli/test_view.h"
#include "files/files_internal.h"
#include "octant/proof_check.h"

#include <stdlib.h>
#include <string.h>

#define WATCHES_MAX 5 // record, trace, live line, page and its haste

// One test while it is played.
typedef struct test_job {
    test_session *session;
    test_item *item;
    test_worker *worker;
    oct_play_watch watches[WATCHES_MAX];
    size_t watch_count;
    bool is_played; // to its verdict
    oct_result result;
} test_job;

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_cli_now_ms() * 1e6);
}

// ---- the live line ----

static void tell_live(const test_job *job, const oct_agent *agent)
{
    test_session *const s = job->session;
    pthread_mutex_lock(&s->mutex);
    job->worker->tick = oct_game_tick(oct_agent_game(agent));
    job->worker->rate = oct_game_describe(oct_agent_game(agent))->rate;
    snprintf(job->worker->thought, sizeof job->worker->thought, "%s", oct_agent_thought(agent));
    oct_test_live_draw(s);
    pthread_mutex_unlock(&s->mutex);
}

static void on_turned(void *ctx, oct_agent *const *agents, size_t count)
{
    if (count > 0) {
        tell_live(ctx, agents[0]);
    }
}

// ---- playing ----

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

// What agents plan by; NULL = the octree.
static const oct_navigator_kind *navigator_of(const cli_value *structure)
{
    return structure->integer == 0
               ? NULL
               : oct_baseline_navigator((baseline_kind)(structure->integer - 1));
}

// No fail is told whose proof does not hold.
static oct_result check_proofs(oct_play_result *r)
{
    bool are_accepted;
    return oct_proof_check_result(r, &are_accepted);
}

// What its game has written is for the report.
static void keep_output(test_job *job, uint32_t worker)
{
    const char *const output =
        job->session->games ? oct_cli_games_output(job->session->games, worker) : "";
    const size_t size = strlen(output) + 1;
    char *const copy = size > 1 ? malloc(size) : NULL;
    if (copy) {
        memcpy(copy, output, size);
        job->item->report.output = job->item->output = copy;
    }
}

static oct_result play(test_job *job)
{
    test_item *const item = job->item;
    cli_games *const games = job->session->games;
    const uint32_t worker = (uint32_t)(job->worker - job->session->workers);
    script_limits limits = oct_script_limits_default();
    limits.has_game = games != NULL;
    limits.watch = oct_watchdog_enter(job->session->dog, worker);
    const oct_play_options options = {
        .seed = item->seed,
        .memory = (uint64_t)job->session->options[TEST_MEMORY].integer * OCT_MEGABYTE,
        .game = games ? oct_cli_games_source(games, worker) : NULL,
        .navigator = navigator_of(&job->session->options[TEST_STRUCTURE]),
        .clock = clock_ns,
        .stops = is_stopped,
        .watches = job->watches,
        .watch_count = job->watch_count,
    };
    const double begin = oct_cli_now_ms();
    oct_result result =
        oct_script_play(item->script, item->test, &limits, &options, &item->report.result);
    if (result == OCT_OK) {
        result = check_proofs(&item->report.result);
    }
    item->report.time_ms = oct_cli_now_ms() - begin;
    item->is_refused = games && oct_cli_games_refused(games, worker) &&
                       item->report.result.verdict == OCT_VERDICT_ERROR;
    keep_output(job, worker);
    job->is_played = result == OCT_OK;
    return result;
}

static void on_shown(void *ctx, oct_agent *const *agents, size_t count)
{
    (void)agents;
    (void)count;
    oct_trace_flush(ctx);
}

// Plays it, on the page of --view too.
static oct_result play_shown(test_job *job)
{
    test_session *const s = job->session;
    oct_trace *trace;
    if (!s->view) {
        return play(job);
    }
    void *const page = oct_test_view_of(s->view, (size_t)(job->item - s->items));
    OCT_TRY(oct_trace_create(&job->item->report, oct_test_view_write, page, NULL, &trace));
    job->watches[job->watch_count++] = oct_trace_watch(trace);
    job->watches[job->watch_count++] = (oct_play_watch){.ctx = trace, .turned = on_shown};
    const oct_result result = play(job);
    if (result == OCT_OK) {
        (void)oct_trace_end(trace); // it is kept in memory: there is nothing to refuse it
    }
    oct_trace_destroy(trace);
    return result;
}

static oct_result fill_trace(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    test_job *const job = ctx;
    oct_trace *trace;
    (void)error; // what the file refuses it says itself
    OCT_TRY(oct_trace_create(&job->item->report, write, file, NULL, &trace));
    job->watches[job->watch_count++] = oct_trace_watch(trace);
    oct_result result = play_shown(job);
    result = result == OCT_OK ? oct_trace_end(trace) : result;
    oct_trace_destroy(trace);
    return result;
}

// ---- printing ----

static bool write_out(void *ctx, const void *data, size_t size)
{
    return fwrite(data, 1, size, ctx) == size;
}

sink oct_test_stdout(void)
{
    return (sink){.write = write_out, .ctx = stdout};
}

report_style oct_test_style(void)
{
    return (report_style){oct_cli_style(stdout, CLI_PLAIN), oct_cli_style(stdout, CLI_BOLD),
                          oct_cli_style(stdout, CLI_GREEN), oct_cli_style(stdout, CLI_RED)};
}

static void print_item(test_session *s, const test_item *item)
{
    const bool passed = item->report.result.verdict == OCT_VERDICT_PASS;
    if (s->json || (passed && s->options[TEST_QUIET].given)) {
        return;
    }
    const report_style style = oct_test_style();
    sink out = oct_test_stdout();
    oct_test_live_clear(s);
    oct_report_text_test(&out, &item->report, s->file, s->options[TEST_VERBOSE].given, &style);
    oct_sink_flush(&out);
    fflush(stdout); // what went wrong shows in oct_cli_finish
    s->file = item->report.file;
}

static void print_ready(test_session *s)
{
    while (s->printed < s->count && s->printed <= s->first_bad && s->items[s->printed].is_done) {
        print_item(s, &s->items[s->printed++]);
    }
}

static bool is_unwanted(test_session *s, size_t index)
{
    pthread_mutex_lock(&s->mutex);
    const bool unwanted = index > s->first_bad || oct_cli_is_stopped();
    pthread_mutex_unlock(&s->mutex);
    return unwanted;
}

static void begin_item(test_session *s, test_worker *worker, const test_item *item)
{
    pthread_mutex_lock(&s->mutex);
    *worker = (test_worker){.item = item};
    oct_test_live_draw(s);
    pthread_mutex_unlock(&s->mutex);
}

// A test that memory or the disk did not allow is an error, and the others go on.
static void break_item(const test_job *job, const oct_error *error)
{
    test_item *const item = job->item;
    oct_play_result *const result = &item->report.result;
    const bool is_trace = job->result == OCT_ERROR_FILE;
    snprintf(item->trouble, sizeof item->trouble, "%s%.100s%s%.120s", is_trace ? "its trace, " : "",
             is_trace ? item->trace : "", is_trace ? ": " : "",
             is_trace && error->message[0] ? error->message : oct_result_text(job->result));
    oct_play_result_free(result);
    result->verdict = OCT_VERDICT_ERROR;
    result->seed = item->seed > 0 ? item->seed : 1;
    result->rate = 60.0;
    result->reason = item->trouble;
    item->is_broken = true;
    item->report.trace = NULL;
    item->report.record = job->is_played ? item->report.record : NULL;
}

static void end_item(test_session *s, test_job *job, size_t index, const oct_error *error)
{
    test_item *const item = job->item;
    pthread_mutex_lock(&s->mutex);
    job->worker->item = NULL;
    s->done++;
    if (job->result != OCT_OK) {
        break_item(job, error);
    }
    item->is_done = true;
    const oct_verdict verdict = item->report.result.verdict;
    const bool is_bad = verdict != OCT_VERDICT_PASS && !oct_report_is_warning(&s->run, verdict);
    if (is_bad && s->options[TEST_FAIL_FAST].given && index < s->first_bad) {
        s->first_bad = index;
    }
    print_ready(s);
    pthread_mutex_unlock(&s->mutex);
}

static void play_item(void *arg, uint32_t index, uint32_t worker)
{
    test_session *const s = arg;
    test_job job = {.session = s, .item = &s->items[index], .worker = &s->workers[worker]};
    oct_error error = {.line = 0};
    if (is_unwanted(s, index)) {
        return;
    }
    begin_item(s, job.worker, job.item);
    job.watches[job.watch_count++] = (oct_play_watch){.ctx = &job, .turned = on_turned};
    if (job.item->record) {
        job.watches[job.watch_count++] = oct_play_record_watch(job.item->record);
    }
    job.result = job.item->trace ? oct_file_replace(job.item->trace, fill_trace, &job, NULL, &error)
                                 : play_shown(&job);
    // Nobody reads logs and proofs later, and those of all tests together are large.
    oct_play_result_drop_proofs(&job.item->report.result);
    end_item(s, &job, index, &error);
}

// ---- the whole ----

// The test whose script does not end: what it has recorded is not whole.
static oct_report_test report_hanging(const test_item *item)
{
    static char reason[] = "the script did not end: a function of Lua worked on and on";
    static char nowhere[] = "";
    oct_report_test report = item->report;
    report.record = NULL;
    report.trace = NULL;
    report.result = (oct_play_result){
        .verdict = OCT_VERDICT_ERROR, .reason = reason, .where = nowhere, .rate = 60.0};
    return report;
}

// Those that were played, up to the first that ended the run; of others no trace is left.
static void gather(test_session *s)
{
    size_t count = 0;
    bool is_cut = false;
    for (size_t i = 0; i < s->count; i++) {
        const test_item *const item = &s->items[i];
        if (item == s->hanging) {
            s->tests[count++] = report_hanging(item);
        } else if (item->is_done && i <= s->first_bad) {
            s->tests[count++] = item->report;
            is_cut = is_cut || item->report.result.is_interrupted;
        } else if (item->is_done && item->report.trace) {
            (void)remove(item->trace);
        }
    }
    s->run.tests = s->tests;
    s->run.count = count;
    s->run.not_played = s->count - count;
    s->run.stopped = s->hanging             ? "a script did not end"
                     : oct_cli_is_stopped() ? "interrupted"
                                            : "an earlier test did not pass";
    s->is_interrupted = is_cut || (oct_cli_is_stopped() && s->run.not_played > 0);
}

const oct_report_test *oct_test_cut(test_session *s, uint32_t worker)
{
    if (!atomic_load(&s->plays)) {
        return NULL;
    }
    pthread_mutex_lock(&s->mutex);
    s->hanging = s->workers[worker].item;
    if (!s->hanging) {
        return NULL;
    }
    for (; s->printed < s->count; s->printed++) {
        test_item item = s->items[s->printed];
        if (&s->items[s->printed] == s->hanging) {
            item.report = report_hanging(s->hanging);
            print_item(s, &item);
        } else if (item.is_done && s->printed <= s->first_bad) {
            print_item(s, &item);
        }
    }
    gather(s);
    return &s->hanging->report;
}

// One line, for the first and all others.
static int complain_broken(const test_session *s)
{
    const test_item *first = NULL;
    size_t others = 0;
    char more[48] = "";
    for (size_t i = 0; i < s->count && i <= s->first_bad; i++) {
        const bool is_one = s->items[i].is_broken || s->items[i].is_refused;
        others += first && is_one;
        first = !first && is_one ? &s->items[i] : first;
    }
    if (others > 0) {
        snprintf(more, sizeof more, "; and %zu more", others);
    }
    return first ? oct_cli_complain("%s:%u: %s: %s%s", first->report.file, first->report.line,
                                    first->report.name, first->report.result.reason, more)
                 : CLI_YES;
}

int oct_test_play(test_session *s)
{
    const cli_value *const wanted = &s->options[TEST_THREADS];
    uint32_t workers = wanted->given ? (uint32_t)wanted->integer : oct_cli_cores();
    workers = workers > s->count ? (uint32_t)s->count : workers;
    if (s->games) {
        workers = oct_cli_games_workers(s->games, workers);
        CLI_TRY(oct_cli_games_begin(s->games, workers));
    }
    cli_threads *const threads = oct_cli_threads_create(workers);
    s->workers = calloc(workers, sizeof *s->workers);
    if (!threads || !s->workers) {
        oct_cli_threads_destroy(threads);
        return oct_cli_check("test", OCT_ERROR_MEMORY);
    }
    const oct_executor executor = oct_cli_threads_executor(threads);
    const double begin = oct_cli_wall_ms();
    s->worker_count = s->run.threads = executor.workers;
    s->first_bad = s->count;
    pthread_mutex_init(&s->mutex, NULL);
    atomic_store(&s->plays, true);
    oct_cli_catch_signals();
    executor.run(executor.ctx, (uint32_t)s->count, play_item, s);
    oct_test_live_clear(s);
    s->run.wall_ms = oct_cli_wall_ms() - begin;
    gather(s);
    oct_cli_release_signals();
    atomic_store(&s->plays, false);
    pthread_mutex_destroy(&s->mutex);
    oct_cli_threads_destroy(threads);
    s->code = complain_broken(s);
    return CLI_YES;
}
