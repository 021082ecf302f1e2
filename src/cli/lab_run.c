// SPDX-License-Identifier: MIT
// The runs of a map over threads.
//
// Threads take them algorithm by algorithm, and each keeps its planner until the algorithm changes:
// so what is made before a search is made once by each, and never are planners for all of them in
// memory.
#include "cli/lab.h"
#include "octant/tree.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES 57.29577951308232

// What one thread at a time uses.
typedef struct searcher {
    oct_planner *planner;
    size_t item;     // that it is prepared for
    double graph_us; // what that took
    bool has_size;   // of its graph
    oct_lab_size size;
    size_t invalid; // the first row with an invalid path
    char why[LAB_WHY_MAX];
    double *times;
} searcher;

struct lab_runner {
    const lab_plan *plan;
    cli_threads *threads;
    oct_executor executor;
    searcher *searchers;
    bool has_optimum; // the item behind the plan's own
    lab_item optimum;
    // The work at hand.
    const lab_map *map;
    lab_result *results;
    double *optima; // of tasks; < 0 = not known
    size_t *parts;  // rows; those behind the last are optima
    size_t part_count;
    lab_progress progress;
    size_t shown; // percent
    atomic_size_t done;
    atomic_int failure; // of what is no row
};

// ---- one run ----

static size_t row_count(const lab_runner *r)
{
    return r->map->task_count * r->plan->item_count;
}

oct_query oct_lab_task_query(const lab_plan *plan, const lab_map *map, const lab_item *item,
                             const lab_task *task, oct_lab_query *lab)
{
    const oct_tree *const tree = map->scene.tree;
    const oct_point origin = oct_tree_origin(tree);
    const double edge = oct_tree_cell_size(tree);
    oct_query query = oct_query_default();
    *lab = oct_lab_query_default();
    lab->algorithm = item->algorithm;
    lab->graph = item->graph;
    lab->heuristic = item->heuristic;
    lab->distances = item->database.distances;
    lab->squeeze = plan->squeeze;
    query.lab = lab;
    query.terms.bounds = &map->scene.info.box;
    query.from = (oct_point){origin.x + task->from[0] * edge, origin.y + task->from[1] * edge, 0.0};
    query.to = (oct_point){origin.x + task->to[0] * edge, origin.y + task->to[1] * edge, 0.0};
    return query;
}

// A planner for an item; the one at hand where that is for it.
static oct_result prepare(const lab_runner *r, searcher *s, size_t index, const lab_item *item,
                          const oct_query *query)
{
    if (s->planner && s->item == index) {
        return OCT_OK;
    }
    oct_planner_destroy(s->planner);
    s->planner = NULL;
    // Without components: how long it takes to find that there is no path is the algorithm's own.
    oct_planner_def def = oct_planner_def_default();
    def.tree = r->map->scene.tree;
    def.lab = oct_lab();
    OCT_TRY(oct_planner_create(&def, &s->planner));
    s->item = index;
    s->graph_us = 0.0;
    s->has_size = false;
    if (oct_lab_is_prepared(item)) {
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_lab_prepare(s->planner, query));
        s->graph_us = (oct_cli_now_ms() - start) * 1e3;
    } else if (item->graph != OCT_LAB_GRAPH_LATTICE) {
        return OCT_OK;
    } else {
        OCT_TRY(oct_lab_prepare(s->planner, query)); // begins a query: there is nothing to make
    }
    const oct_result result = oct_lab_measure(s->planner, &s->size);
    s->has_size = result == OCT_OK;
    return result == OCT_ERROR_ARGUMENT ? OCT_OK : result; // graphs that are not counted
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Searches as often as the plan says, after once more where that is more than once, or is to be
// warm.
static oct_result search(const lab_runner *r, searcher *s, const oct_query *query, oct_path *path,
                         double *time_us)
{
    const uint32_t repeat = r->plan->repeat;
    const uint32_t warm = r->plan->warm || repeat > 1 ? 1 : 0;
    for (uint32_t i = 0; i < repeat + warm; i++) {
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_planner_plan(s->planner, query, path));
        s->times[i] = (oct_cli_now_ms() - start) * 1e3;
        if (oct_cli_is_stopped()) {
            return OCT_OK;
        }
    }
    double *const counted = s->times + warm;
    qsort(counted, repeat, sizeof *counted, compare_times);
    *time_us = 0.5 * (counted[(repeat - 1) / 2] + counted[repeat / 2]);
    return OCT_OK;
}

// A coordinate in cells. Where it is one of the sub-lattice it is exactly that, whatever rounding
// in metres has made of it.
static double cells_of(double metres, double origin, double edge)
{
    const double fine = (metres - origin) / edge * OCT_FINE;
    const double nearest = floor(fine + 0.5);
    return (fabs(fine - nearest) < 1e-4 ? nearest : fine) / OCT_FINE;
}

static oct_result keep_points(const lab_map *map, const oct_path *path, lab_result *out)
{
    const oct_point origin = oct_tree_origin(map->scene.tree);
    const double edge = oct_tree_cell_size(map->scene.tree);
    if (path->point_count == 0) {
        return OCT_OK;
    }
    out->points = malloc(path->point_count * sizeof *out->points);
    if (!out->points) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < path->point_count; i++) {
        out->points[i][0] = cells_of(path->points[i].x, origin.x, edge);
        out->points[i][1] = cells_of(path->points[i].y, origin.y, edge);
    }
    return OCT_OK;
}

static void judge(const lab_runner *r, searcher *s, size_t row, const oct_query *query,
                  const oct_path *path, lab_result *out)
{
    char why[256] = "";
    out->valid = oct_cli_judge(&r->map->scene, query, path, why, sizeof why);
    if (!out->valid && row < s->invalid) {
        const size_t items = r->plan->item_count;
        s->invalid = row;
        snprintf(s->why, sizeof s->why, "%.100s, task %zu, %s: %s", r->map->name, row / items,
                 r->plan->items[row % items].name, why);
    }
}

static void do_row(const lab_runner *r, searcher *s, size_t row)
{
    const size_t index = row % r->plan->item_count;
    const lab_item *const item = &r->plan->items[index];
    lab_result *const out = &r->results[row];
    oct_lab_query lab;
    oct_query query =
        oct_lab_task_query(r->plan, r->map, item, &r->map->tasks[row / r->plan->item_count], &lab);
    uint64_t ticks = 0;
    oct_cli_stop_query(&query, &ticks);
    oct_path path = {.status = OCT_PATH_NONE};
    double time_us = 0.0;
    oct_result result = prepare(r, s, index, item, &query);
    if (result == OCT_OK) {
        result = search(r, s, &query, &path, &time_us);
    }
    *out = (lab_result){.result = result, .done = true, .optimum = -1.0};
    if (result != OCT_OK) {
        return;
    }
    out->status = path.status;
    out->length = oct_lab_csv_round(path.length / oct_tree_cell_size(r->map->scene.tree));
    out->turning_degrees = oct_lab_csv_round(path.turning * DEGREES);
    out->graph_us = s->graph_us;
    out->path_us = time_us;
    out->expanded = path.expanded;
    out->nodes = oct_lab_nodes(s->planner);
    out->has_size = s->has_size;
    out->size = s->size;
    out->sight_checks = path.sight_checks;
    out->point_count = path.point_count;
    if (r->plan->keep_points) {
        out->result = keep_points(r->map, &path, out);
    }
    if (r->plan->check && path.status == OCT_PATH_FOUND) {
        judge(r, s, row, &query, &path, out);
    }
}

// The shortest path of a task, for its length alone.
static void do_optimum(lab_runner *r, searcher *s, size_t task)
{
    oct_lab_query lab;
    oct_query query = oct_lab_task_query(r->plan, r->map, &r->optimum, &r->map->tasks[task], &lab);
    uint64_t ticks = 0;
    oct_cli_stop_query(&query, &ticks);
    oct_path path;
    oct_result result = prepare(r, s, r->plan->item_count, &r->optimum, &query);
    if (result == OCT_OK) {
        result = oct_planner_plan(s->planner, &query, &path);
    }
    if (result != OCT_OK) {
        atomic_store(&r->failure, (int)result);
    } else if (path.status == OCT_PATH_FOUND) {
        r->optima[task] = oct_lab_csv_round(path.length / oct_tree_cell_size(r->map->scene.tree));
    }
}

// Only the thread that began the run shows something, and only what is new.
static void show_progress(lab_runner *r, uint32_t worker, size_t done)
{
    if (worker == 0 && done < r->progress.total && done * 100 / r->progress.total != r->shown) {
        r->shown = done * 100 / r->progress.total;
        oct_cli_progress(r->map->name, done, r->progress.total);
    }
}

static void do_part(void *arg, uint32_t index, uint32_t worker)
{
    lab_runner *const r = arg;
    searcher *const s = &r->searchers[worker];
    if (oct_cli_is_stopped()) {
        return;
    }
    const size_t part = r->parts[index];
    if (part < row_count(r)) {
        do_row(r, s, part);
        show_progress(r, worker, r->progress.done + atomic_fetch_add(&r->done, 1) + 1);
    } else {
        do_optimum(r, s, part - row_count(r));
    }
}

// ---- a map ----

// Which rows are to be done, algorithm by algorithm, and which optima.
static void list_parts(lab_runner *r, size_t first)
{
    const size_t items = r->plan->item_count;
    r->part_count = 0;
    for (size_t item = 0; item < items; item++) {
        for (size_t task = 0; task < r->map->task_count; task++) {
            if (task * items + item >= first) {
                r->parts[r->part_count++] = task * items + item;
            }
        }
    }
    for (size_t task = first / items; r->has_optimum && task < r->map->task_count; task++) {
        r->parts[r->part_count++] = row_count(r) + task;
    }
}

static int complain_failure(const lab_runner *r, size_t first)
{
    const size_t items = r->plan->item_count;
    for (size_t row = first; row < row_count(r); row++) {
        if (r->results[row].done && r->results[row].result != OCT_OK) {
            return oct_cli_complain("%s, task %zu, %s: %s", r->map->name, row / items,
                                    r->plan->items[row % items].name,
                                    oct_result_text(r->results[row].result));
        }
    }
    const oct_result failure = (oct_result)atomic_load(&r->failure);
    return failure == OCT_OK ? CLI_YES
                             : oct_cli_complain("%s, %s: %s", r->map->name, r->optimum.name,
                                                oct_result_text(failure));
}

static void fill_optima(lab_runner *r, size_t first)
{
    const size_t items = r->plan->item_count;
    const size_t best = oct_lab_optimum_item(r->plan);
    for (size_t row = first; row < row_count(r); row++) {
        const lab_result *const shortest =
            best < items ? &r->results[row - row % items + best] : NULL;
        r->results[row].optimum = r->optima[row / items];
        if (shortest && shortest->status == OCT_PATH_FOUND) {
            r->results[row].optimum = shortest->length;
        }
    }
}

// Planners borrow the map, which goes.
static void end_map(lab_runner *r, char why[LAB_WHY_MAX])
{
    const searcher *first = NULL;
    for (uint32_t i = 0; i < r->executor.workers; i++) {
        searcher *const s = &r->searchers[i];
        oct_planner_destroy(s->planner);
        s->planner = NULL;
        if (s->invalid != SIZE_MAX && (!first || s->invalid < first->invalid)) {
            first = s;
        }
    }
    if (first && !why[0]) {
        memcpy(why, first->why, LAB_WHY_MAX);
    }
    for (uint32_t i = 0; i < r->executor.workers; i++) {
        r->searchers[i].invalid = SIZE_MAX;
    }
    free(r->parts);
    free(r->optima);
}

int oct_lab_run(lab_runner *r, const lab_map *map, size_t first, lab_result *results,
                lab_progress progress, char why[LAB_WHY_MAX])
{
    const size_t rows = map->task_count * r->plan->item_count;
    r->map = map;
    r->results = results;
    r->progress = progress;
    r->parts = malloc((rows + map->task_count) * sizeof *r->parts);
    r->optima = malloc(map->task_count * sizeof *r->optima);
    atomic_store(&r->done, 0);
    atomic_store(&r->failure, OCT_OK);
    int code;
    if (r->parts && r->optima) {
        for (size_t i = 0; i < map->task_count; i++) {
            r->optima[i] = -1.0;
        }
        list_parts(r, first);
        r->executor.run(r->executor.ctx, (uint32_t)r->part_count, do_part, r);
        code = complain_failure(r, first);
        if (code == CLI_YES) {
            fill_optima(r, first);
        }
    } else {
        code = oct_cli_check(map->name, OCT_ERROR_MEMORY);
    }
    end_map(r, why);
    return code;
}

// ---- runners ----

lab_runner *oct_lab_runner_create(const lab_plan *plan, uint32_t threads)
{
    lab_runner *const r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    r->plan = plan;
    r->has_optimum = plan->optimum && oct_lab_optimum_item(plan) == SIZE_MAX &&
                     oct_lab_make_optimum_item(&r->optimum);
    r->threads = oct_cli_threads_create(threads);
    if (r->threads) {
        r->executor = oct_cli_threads_executor(r->threads);
        r->searchers = calloc(r->executor.workers, sizeof *r->searchers);
    }
    bool whole = r->searchers != NULL;
    for (uint32_t i = 0; whole && i < r->executor.workers; i++) {
        r->searchers[i].invalid = SIZE_MAX;
        r->searchers[i].times = malloc((plan->repeat + 1u) * sizeof(double));
        whole = r->searchers[i].times != NULL;
    }
    if (!whole) {
        oct_lab_runner_destroy(r);
        return NULL;
    }
    return r;
}

void oct_lab_runner_destroy(lab_runner *r)
{
    if (!r) {
        return;
    }
    for (uint32_t i = 0; r->searchers && i < r->executor.workers; i++) {
        free(r->searchers[i].times);
    }
    free(r->searchers);
    oct_cli_threads_destroy(r->threads);
    free(r);
}

uint32_t oct_lab_runner_threads(const lab_runner *r)
{
    return r->executor.workers;
}
