// SPDX-License-Identifier: MIT
// Many queries over threads.
//
// Queries go to the threads in rows of a few, and between two such rows the calling thread hands on
// what was done. A signal sets a flag that every query looks at before it starts, and that a
// planner takes for the end of its time; a second signal ends the process at once.
#include "cli/scen_run.h"
#include "octant/tree.h"

#include "bench/baseline_astar.h"

#include <math.h>
#include <stdlib.h>

#define WARM_QUERIES 10
#define WARM_MS_MAX 1000.0
#define QUERIES_PER_THREAD 16 // handed out at once where there are several

// What one thread at a time uses.
typedef struct searcher {
    oct_planner *planner;
    oct_baseline *baseline;
    oct_array lattice; // of oct_fine: the baseline's path
    size_t invalid;    // as in scen_run, of its own queries
    char why[SCEN_WHY_MAX];
} searcher;

typedef struct job {
    scen_run *run;
    searcher *searchers;
    uint32_t searcher_count;
    size_t first; // query of the parts that are being done
    size_t longest;
} job;

// ---- one query ----

static oct_fine end_of(const scen_run *run, oct_vec cell)
{
    const int64_t inside = run->corner ? 0 : OCT_FINE / 2;
    return (oct_fine){(int64_t)cell.x * OCT_FINE + inside, (int64_t)cell.y * OCT_FINE + inside,
                      run->scene->dims == 2 ? 0 : (int64_t)cell.z * OCT_FINE + inside};
}

static double distance_of(oct_fine a, oct_fine b)
{
    const double x = (double)(b.x - a.x);
    const double y = (double)(b.y - a.y);
    const double z = (double)(b.z - a.z);
    return sqrt(x * x + y * y + z * z) / OCT_FINE;
}

// The sum of all changes of direction, radians.
static double turning_of(const oct_fine *points, size_t count)
{
    double sum = 0.0;
    for (size_t i = 2; i < count; i++) {
        const oct_fine *const p = &points[i - 2];
        const double ax = (double)(p[1].x - p[0].x), bx = (double)(p[2].x - p[1].x);
        const double ay = (double)(p[1].y - p[0].y), by = (double)(p[2].y - p[1].y);
        const double az = (double)(p[1].z - p[0].z), bz = (double)(p[2].z - p[1].z);
        const double x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx;
        sum += atan2(sqrt(x * x + y * y + z * z), ax * bx + ay * by + az * bz);
    }
    return sum;
}

// The yardstick's path as if a planner had found it.
static oct_result find_baseline(const scen_run *run, searcher *s, const scen_query *query,
                                double *time_us, oct_path *out)
{
    const oct_allocator memory = oct_allocator_default();
    const double edge = oct_tree_cell_size(run->scene->tree);
    baseline_path found;
    const double start = oct_cli_now_ms();
    const oct_result result = oct_baseline_find(s->baseline, query->from, query->to, &found);
    *time_us = (oct_cli_now_ms() - start) * 1e3;
    OCT_TRY(result);
    s->lattice.count = 0;
    for (size_t i = 0; i < found.cell_count; i++) {
        const oct_fine at = end_of(run, found.cells[i]);
        OCT_TRY(oct_array_push(&s->lattice, &memory, sizeof at, &at));
    }
    *out = (oct_path){
        .status = found.found ? OCT_PATH_FOUND : OCT_PATH_NONE,
        .length = found.length * edge,
        .straight = distance_of(end_of(run, query->from), end_of(run, query->to)) * edge,
        .turning = turning_of(s->lattice.items, s->lattice.count),
        .expanded = found.expanded,
        .lattice = s->lattice.items,
        .lattice_count = (uint32_t)s->lattice.count,
    };
    return OCT_OK;
}

static oct_result find(searcher *s, const oct_query *query, double *time_us, oct_path *out)
{
    const double start = oct_cli_now_ms();
    const oct_result result = oct_planner_plan(s->planner, query, out);
    *time_us = (oct_cli_now_ms() - start) * 1e3;
    return result;
}

static void do_query(const scen_run *run, searcher *s, size_t index, scen_result *out)
{
    const scen_query *const task = &run->queries[index];
    const double edge = oct_tree_cell_size(run->scene->tree);
    oct_query query = run->query;
    query.from = oct_tree_point(run->scene->tree, end_of(run, task->from));
    query.to = oct_tree_point(run->scene->tree, end_of(run, task->to));
    uint64_t ticks = 0;
    oct_cli_stop_query(&query, &ticks);
    oct_path path;
    double time_us = 0.0;
    const oct_result result = run->baseline ? find_baseline(run, s, task, &time_us, &path)
                                            : find(s, &query, &time_us, &path);
    if (result != OCT_OK) {
        *out = (scen_result){.result = result, .done = true};
        return;
    }
    if (path.status == OCT_PATH_BUDGET && oct_cli_is_stopped()) {
        return;
    }
    *out = (scen_result){
        .status = path.status,
        .done = true,
        .length = path.length / edge,
        .straight = path.straight / edge,
        .turning = path.turning,
        .expanded = path.expanded,
        .generated = path.generated,
        .sight_checks = path.sight_checks,
        .time_us = time_us,
    };
    if (run->check && path.status == OCT_PATH_FOUND) {
        char why[SCEN_WHY_MAX] = "";
        out->valid = oct_cli_judge(run->scene, &query, &path, why, sizeof why);
        if (!out->valid && index < s->invalid) {
            s->invalid = index;
            memcpy(s->why, why, sizeof why);
        }
    }
}

// ---- all queries ----

static void destroy_searchers(job *j)
{
    const oct_allocator memory = oct_allocator_default();
    for (uint32_t i = 0; i < j->searcher_count; i++) {
        oct_planner_destroy(j->searchers[i].planner);
        oct_baseline_destroy(j->searchers[i].baseline);
        oct_array_free(&j->searchers[i].lattice, &memory, sizeof(oct_fine));
    }
    free(j->searchers);
}

static oct_result create_searchers(job *j, uint32_t count)
{
    const cli_scene *const scene = j->run->scene;
    j->searchers = calloc(count, sizeof *j->searchers);
    if (!j->searchers) {
        return OCT_ERROR_MEMORY;
    }
    j->searcher_count = count;
    for (uint32_t i = 0; i < count; i++) {
        searcher *const s = &j->searchers[i];
        s->invalid = SIZE_MAX;
        if (j->run->baseline) {
            OCT_TRY(oct_baseline_create(scene->tree, scene->info.box, NULL, &s->baseline));
        } else {
            const oct_planner_def def = oct_cli_planner_def(scene);
            OCT_TRY(oct_planner_create(&def, &s->planner));
        }
    }
    return OCT_OK;
}

static void do_part(void *arg, uint32_t index, uint32_t worker)
{
    const job *const j = arg;
    const size_t query = j->first + index;
    if (!oct_cli_is_stopped()) {
        do_query(j->run, &j->searchers[worker], query, &j->run->results[query]);
    }
}

// Lets one searcher see how large queries get, so that later ones find its memory grown: first the
// one that is said to be the longest. What comes out does not count.
static void warm_part(void *arg, uint32_t index, uint32_t worker)
{
    (void)worker;
    const job *const j = arg;
    const double start = oct_cli_now_ms();
    scen_result unused;
    do_query(j->run, &j->searchers[index], j->longest, &unused);
    for (size_t i = 0; i + 1 < WARM_QUERIES && i < j->run->count; i++) {
        if (oct_cli_is_stopped() || oct_cli_now_ms() - start > WARM_MS_MAX) {
            return;
        }
        do_query(j->run, &j->searchers[index], i, &unused);
    }
}

static size_t longest_of(const scen_run *run)
{
    size_t longest = 0;
    for (size_t i = 1; i < run->count; i++) {
        longest = run->queries[i].stated > run->queries[longest].stated ? i : longest;
    }
    return longest;
}

// Hands on what was done from query `first` on.
static int hand_on(scen_run *run, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        const scen_result *const result = &run->results[i];
        if (!result->done) {
            continue;
        }
        if (result->result != OCT_OK) {
            return oct_cli_complain("scen: query %zu: %s", run->queries[i].index,
                                    oct_result_text(result->result));
        }
        run->done++;
        const int code = run->row(run->row_ctx, i, &run->queries[i], result);
        if (code != CLI_YES) {
            return code;
        }
    }
    return CLI_YES;
}

static void show_progress(const scen_run *run, size_t before)
{
    if (run->done * 100 / run->count != before * 100 / run->count && run->done < run->count) {
        char what[64];
        snprintf(what, sizeof what, "query %zu of %zu", run->done, run->count);
        oct_cli_progress(what, run->done, run->count);
    }
}

static int do_queries(job *j, const oct_executor *executor)
{
    scen_run *const run = j->run;
    const size_t most = executor->workers > 1 ? QUERIES_PER_THREAD * (size_t)executor->workers : 1;
    oct_cli_progress("warming up", 0, run->count);
    executor->run(executor->ctx, j->searcher_count, warm_part, j);
    for (uint32_t i = 0; i < j->searcher_count; i++) {
        j->searchers[i].invalid = SIZE_MAX;
    }
    const double start = oct_cli_wall_ms();
    int code = CLI_YES;
    j->first = run->kept > 0 ? run->kept - 1 : 0;
    run->done = j->first;
    for (; j->first < run->count && code == CLI_YES && !oct_cli_is_stopped();) {
        const size_t rest = run->count - j->first;
        const size_t before = run->done;
        const size_t count = rest < most ? rest : most;
        executor->run(executor->ctx, (uint32_t)count, do_part, j);
        code = hand_on(run, j->first, count);
        j->first += count;
        show_progress(run, before);
    }
    run->elapsed_s = (oct_cli_wall_ms() - start) * 1e-3;
    oct_cli_progress("", 1, 1);
    return code;
}

static void gather(job *j)
{
    scen_run *const run = j->run;
    for (uint32_t i = 0; i < j->searcher_count; i++) {
        const searcher *const s = &j->searchers[i];
        const size_t bytes =
            run->baseline ? oct_baseline_bytes(s->baseline) : oct_planner_bytes(s->planner);
        run->search_bytes = bytes > run->search_bytes ? bytes : run->search_bytes;
        if (s->invalid < run->invalid) {
            run->invalid = s->invalid;
            memcpy(run->why, s->why, sizeof run->why);
        }
    }
}

int oct_scen_run(scen_run *run)
{
    job j = {.run = run, .longest = longest_of(run)};
    run->invalid = SIZE_MAX;
    cli_threads *const threads = oct_cli_threads_create(run->threads);
    if (!threads) {
        return oct_cli_check("scen", OCT_ERROR_MEMORY);
    }
    const oct_executor executor = oct_cli_threads_executor(threads);
    run->threads = executor.workers;
    const oct_result result = create_searchers(&j, executor.workers);
    int code;
    if (result == OCT_OK) {
        oct_cli_catch_signals();
        code = do_queries(&j, &executor);
        oct_cli_release_signals();
        run->interrupted = oct_cli_is_stopped() && run->done < run->count;
        gather(&j);
    } else {
        code = oct_cli_check(run->scene->path, result);
    }
    destroy_searchers(&j);
    oct_cli_threads_destroy(threads);
    return code;
}
