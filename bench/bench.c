// SPDX-License-Identifier: MIT
// The runner: warm-up, interleaved rounds, medians, comparison with the baselines.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PROGRESS_STEPS 100 // a scene
#define ROUNDS_MIN 3       // of a row that takes long

typedef struct suite_row {
    const char *name;
    oct_result (*run)(bench_report *report);
} suite_row;

static const suite_row suites[] = {
    {"map", oct_bench_map},           {"search", oct_bench_search}, {"flat", oct_bench_flat},
    {"frontier", oct_bench_frontier}, {"moving", oct_bench_moving}, {"swarm", oct_bench_swarm},
    {"game", oct_bench_game},         {"link", oct_bench_link},
};

// One bench of a scene while it is being measured.
typedef struct probe {
    const bench_suite *suite;
    const bench *what;
    double *samples; // units of the metric, one a round
    double run_s;    // what the last run took, seconds
    int rounds;      // after the one that warms up; 0 = that one counts
    bench_row row;
    bool wanted;
} probe;

// ---- which rows ----

static bool matches(const bench_report *report, const char *scene, const bench *what)
{
    char text[160];
    snprintf(text, sizeof text, "%s/%s %s", scene, what->structure, what->metric);
    return strstr(text, report->options.filter) != NULL;
}

bool oct_bench_wants(const bench_report *report, const bench_suite *suite, const char *scene)
{
    for (size_t i = 0; i < suite->bench_count; i++) {
        if (matches(report, scene, &suite->benches[i])) {
            return true;
        }
    }
    return false;
}

// The probe that a bench is compared with, or NULL.
static probe *base_of(probe *probes, size_t count, const bench *what)
{
    for (size_t i = 0; what->baseline && i < count; i++) {
        char text[96];
        snprintf(text, sizeof text, "%s %s", probes[i].what->structure, probes[i].what->metric);
        if (strcmp(text, what->baseline) == 0) {
            return &probes[i];
        }
    }
    return NULL;
}

static const bench_work *work_of(const probe *p, void *scene)
{
    if (p->suite->select) {
        p->suite->select(scene, p->what->structure);
    }
    return p->what->work;
}

// A row that is asked for brings its baseline along.
static void choose(const bench_report *report, const char *scene_name, void *scene, probe *probes,
                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bench *const what = probes[i].what;
        const bench_work *const work = work_of(&probes[i], scene);
        if (!matches(report, scene_name, what) || (work->applies && !work->applies(scene))) {
            continue;
        }
        probes[i].wanted = true;
        probe *const base = base_of(probes, count, what);
        if (base) {
            base->wanted = true;
        }
    }
}

// ---- scenes ----

bool oct_bench_file_exists(const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

void oct_bench_explain(bench_report *report, const char *what, oct_result result,
                       const oct_error *error)
{
    char place[32] = "";
    if (error->line > 0) {
        snprintf(place, sizeof place, ":%u:%u", error->line, error->column);
    }
    snprintf(report->message, sizeof report->message, "%.300s%s: %s", what, place,
             error->message[0] ? error->message : oct_result_text(result));
}

void oct_bench_skip(bench_report *report, const char *path)
{
    char *const list = report->skipped;
    const size_t used = strlen(list);
    if (used + strlen(path) + 3 <= sizeof report->skipped) {
        snprintf(list + used, sizeof report->skipped - used, "%s%s", used > 0 ? ", " : "", path);
    }
}

// ---- measuring ----

double oct_bench_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double oct_bench_wall_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Before each run comes its preparation; work that needs none is done once untimed instead, since
// the rows before have filled the caches with their own.
static bool run_once(probe *p, void *scene, double *sample)
{
    const bench_work *const work = work_of(p, scene);
    if (!work->prepare && work->run(scene).operations == 0) {
        return false;
    }
    double (*const now_s)(void) = p->suite->now_s ? p->suite->now_s : oct_bench_now_s;
    double fastest = 0.0;
    bench_count count = {0, 0};
    for (int i = 0; i < p->suite->runs; i++) {
        if (work->prepare && !work->prepare(scene)) {
            return false;
        }
        const double start = now_s();
        count = work->run(scene);
        const double seconds = now_s() - start;
        fastest = i == 0 || seconds < fastest ? seconds : fastest;
    }
    if (count.operations == 0) {
        return false;
    }
    p->run_s = fastest;
    *sample = fastest / (double)count.operations / p->what->unit;
    p->row.operations = count.operations;
    p->row.checksum = work->check ? work->check(scene) : count.checksum;
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Value at a share of the sorted samples, between two of them where it falls there.
static double quantile(const double *sorted, int count, double share)
{
    const double at = share * (count - 1);
    const int below = (int)at;
    const int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

double oct_bench_median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    return quantile(samples, count, 0.5);
}

static bool fail(bench_report *report, const probe *p)
{
    snprintf(report->message, sizeof report->message, "%s %s failed", p->row.name, p->row.metric);
    return false;
}

// How many rounds a row has, once it is known what one takes.
static int rounds_of(const probe *p, int repeat)
{
    const double limit = p->suite->row_s;
    if (limit <= 0.0 || p->run_s * repeat <= limit) {
        return repeat;
    }
    if (p->run_s > limit) {
        return 0;
    }
    const int fit = (int)(limit / p->run_s);
    const int least = repeat < ROUNDS_MIN ? repeat : ROUNDS_MIN;
    return fit > least ? fit : least;
}

// One round of all rows that are timed; the one before the first, -1, warms them up.
static bool measure_round(bench_report *report, probe *probes, size_t count, void *scene, int round)
{
    for (size_t i = 0; i < count; i++) {
        probe *const p = &probes[i];
        if (!p->wanted || !p->what->work->run || (round >= 0 && round >= p->rounds)) {
            continue;
        }
        if (!run_once(p, scene, &p->samples[round < 0 ? 0 : round])) {
            return fail(report, p);
        }
        if (round < 0) {
            p->rounds = rounds_of(p, report->options.repeat);
        }
    }
    return true;
}

static bool measure(bench_report *report, probe *probes, size_t count, const char *name,
                    void *scene)
{
    const int repeat = report->options.repeat;
    for (int round = -1; round < repeat; round++) {
        const size_t step = (size_t)((round + 1) * PROGRESS_STEPS / (repeat + 1));
        report->options.progress(name, report->scene * PROGRESS_STEPS + step,
                                 report->scene_count * PROGRESS_STEPS);
        if (!measure_round(report, probes, count, scene, round)) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        probe *const p = &probes[i];
        if (p->wanted && p->what->work->run) {
            const int samples = p->rounds > 0 ? p->rounds : 1;
            p->row.value = oct_bench_median(p->samples, samples);
            p->row.quartiles[0] = quantile(p->samples, samples, 0.25);
            p->row.quartiles[1] = quantile(p->samples, samples, 0.75);
        } else if (p->wanted) {
            p->row.value = work_of(p, scene)->measure(scene);
            p->row.quartiles[0] = p->row.quartiles[1] = p->row.value;
        }
    }
    return true;
}

// ---- comparing ----

// What the baseline's value allows a row, or -1.
static double ratio_goal_of(const probe *p, const char *scene, const probe *base)
{
    for (size_t i = 0; i < p->suite->ratio_goal_count; i++) {
        const bench_ratio_goal *const goal = &p->suite->ratio_goals[i];
        if (strcmp(p->what->structure, goal->structure) == 0 &&
            strcmp(p->what->metric, goal->metric) == 0 && strcmp(scene, goal->scene) == 0) {
            return goal->at_most * base->row.value;
        }
    }
    return -1.0;
}

// Rows of one metric did the same work, or one of the structures is wrong.
static bool compare(bench_report *report, probe *probes, size_t count, const char *scene,
                    bool with_goals)
{
    for (size_t i = 0; i < count; i++) {
        probe *const p = &probes[i];
        const probe *const base = base_of(probes, count, p->what);
        if (!p->wanted || !base || !base->wanted) {
            continue;
        }
        const bool same_metric = strcmp(p->row.metric, base->row.metric) == 0;
        if (same_metric &&
            (p->row.operations != base->row.operations || p->row.checksum != base->row.checksum)) {
            snprintf(report->message, sizeof report->message, "%s and %s disagree on %s",
                     p->row.name, base->row.name, p->row.metric);
            return false;
        }
        snprintf(p->row.baseline, sizeof p->row.baseline, "%s%s%s", base->row.name,
                 same_metric ? "" : " ", same_metric ? "" : base->row.metric);
        p->row.ratio = base->row.value > 0.0 ? p->row.value / base->row.value : 0.0;
        if (with_goals && p->row.goal < 0.0) {
            p->row.goal = ratio_goal_of(p, scene, base);
        }
        p->row.equal = p->row.quartiles[0] <= base->row.quartiles[1] &&
                       base->row.quartiles[0] <= p->row.quartiles[1];
    }
    return true;
}

static double goal_of(const bench_suite *suite, const char *scene, const bench *what)
{
    for (size_t i = 0; i < suite->goal_count; i++) {
        const bench_goal *const goal = &suite->goals[i];
        if ((suite->all_have_goals || strcmp(what->structure, "octree") == 0) &&
            strcmp(what->metric, goal->metric) == 0 &&
            (!goal->scene || strcmp(goal->scene, scene) == 0)) {
            return goal->at_most;
        }
    }
    return -1.0;
}

double oct_bench_spread(const bench_row *row)
{
    return row->value > 0.0 ? (row->quartiles[1] - row->quartiles[0]) / row->value : 0.0;
}

oct_result oct_bench_scene(bench_report *report, const bench_suite *suite, const char *name,
                           void *scene, bool with_goals)
{
    const size_t count = suite->bench_count;
    const size_t repeat = (size_t)report->options.repeat;
    const oct_allocator memory = oct_allocator_default();
    probe *const probes = calloc(count, sizeof *probes);
    double *const samples = calloc(count * repeat, sizeof *samples);
    oct_result result = probes && samples ? OCT_OK : OCT_ERROR_MEMORY;
    for (size_t i = 0; result == OCT_OK && i < count; i++) {
        const bench *const what = &suite->benches[i];
        probes[i] = (probe){.suite = suite, .what = what, .samples = samples + i * repeat};
        probes[i].row.metric = what->metric;
        probes[i].row.goal = with_goals ? goal_of(suite, name, what) : -1.0;
        snprintf(probes[i].row.name, sizeof probes[i].row.name, "%s/%s", name, what->structure);
    }
    if (result == OCT_OK) {
        choose(report, name, scene, probes, count);
        if (!measure(report, probes, count, name, scene) ||
            !compare(report, probes, count, name, with_goals)) {
            result = OCT_ERROR_ARGUMENT;
        }
    }
    for (size_t i = 0; result == OCT_OK && i < count; i++) {
        if (probes[i].wanted) {
            result = oct_array_push(&report->rows, &memory, sizeof(bench_row), &probes[i].row);
        }
    }
    free(samples);
    free(probes);
    return result;
}

// ---- suites ----

oct_result oct_bench_run(const char *name, bench_report *report)
{
    bool found = false;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        if (!name || strcmp(name, suites[i].name) == 0) {
            found = true;
            OCT_TRY(suites[i].run(report));
        }
    }
    if (!found) {
        snprintf(report->message, sizeof report->message, "there is no bench '%s'", name);
    }
    return found ? OCT_OK : OCT_ERROR_ARGUMENT;
}

void oct_bench_free(bench_report *report)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&report->rows, &memory, sizeof(bench_row));
}
