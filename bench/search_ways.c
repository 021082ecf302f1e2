// SPDX-License-Identifier: MIT
#include "bench/search_ways.h"
#include "octant/tree.h"

#include <math.h>

#define LENGTH_TOLERANCE 1e-4      // files print lengths rounded
#define FLAT_LENGTH_TOLERANCE 0.01 // those of two dimensions more so

void oct_ways_select(void *ctx, const char *structure)
{
    search_scene *const s = ctx;
    s->way = 0; // also of rows that are no way to search
    for (size_t i = 0; i < s->way_count; i++) {
        s->way = strcmp(s->ways[i].structure, structure) == 0 ? i : s->way;
    }
}

// ---- searching ----

typedef struct answer {
    bool found;
    double length; // cells
    uint64_t expanded;
} answer;

static oct_point middle_of(oct_vec cell)
{
    return (oct_point){cell.x + 0.5, cell.y + 0.5, cell.z + 0.5};
}

static bool ask_baseline(search_scene *s, const scene_query *q, answer *out)
{
    baseline_path path;
    if (oct_baseline_find(s->baseline, q->from, q->to, &path) != OCT_OK) {
        return false;
    }
    *out = (answer){path.found, path.length, path.expanded};
    return true;
}

// A way's part of the laboratory is written to *lab.
static oct_query query_of(const search_scene *s, const search_way *way, const scene_query *q,
                          oct_lab_query *lab)
{
    oct_query query = oct_query_default();
    query.from = middle_of(q->from);
    query.to = middle_of(q->to);
    query.grade = way->grade;
    query.lab = lab;
    *lab = oct_lab_query_default();
    lab->graph = way->graph;
    lab->algorithm = way->algorithm;
    lab->distances = s->distances;
    return query;
}

static bool ask_planner(search_scene *s, const search_way *way, const scene_query *q, answer *out)
{
    oct_lab_query lab;
    const oct_query query = query_of(s, way, q, &lab);
    oct_path path;
    if (oct_planner_plan(s->planners[s->way], &query, &path) != OCT_OK) {
        return false;
    }
    *out = (answer){path.status == OCT_PATH_FOUND, path.length, path.expanded};
    return true;
}

static bool keeps_promise(const search_scene *s, search_promise promise, const scene_query *q,
                          const answer *a)
{
    const double tolerance = oct_tree_dims(s->tree) == 2 ? FLAT_LENGTH_TOLERANCE : LENGTH_TOLERANCE;
    switch (promise) {
    case PROMISE_SHORTEST:
        return a->found && fabs(a->length - q->length) <= tolerance;
    case PROMISE_PATH:
        return a->found;
    case PROMISE_NOTHING:
        break;
    }
    return true;
}

static bool has_way(const void *ctx)
{
    const search_scene *const s = ctx;
    const search_way *const way = &s->ways[s->way];
    return way->is_baseline || (oct_lab_serves(way->algorithm, way->graph) &&
                                (!s->has_few_ways || way->algorithm == OCT_LAB_PORTAL));
}

static bool prepare_search(void *ctx)
{
    search_scene *const s = ctx;
    return (s->ways[s->way].is_baseline ? oct_search_scene_baseline(s)
                                        : oct_search_scene_planner(s, s->way)) == OCT_OK;
}

static bench_count run_search(void *ctx)
{
    search_scene *const s = ctx;
    const search_way *const way = &s->ways[s->way];
    search_totals totals = {.found = 0};
    for (size_t i = 0; i < s->query_count; i++) {
        const scene_query *const q = &s->queries[i];
        answer a;
        if (!(way->is_baseline ? ask_baseline(s, q, &a) : ask_planner(s, way, q, &a))) {
            return (bench_count){0, 0};
        }
        totals.expanded += a.expanded;
        totals.answered += keeps_promise(s, way->promise, q, &a);
        totals.found += a.found;
        totals.length += a.found ? a.length : 0.0;
        totals.shortest += a.found ? q->length : 0.0;
    }
    s->totals[s->way] = totals;
    return (bench_count){s->query_count, totals.answered};
}

const bench_work oct_ways_time = {.prepare = prepare_search, .run = run_search, .applies = has_way};

// ---- what comes with it ----

// What the last round came to; a round is made where only this was asked for.
static search_totals totals_of(search_scene *s)
{
    if (s->totals[s->way].answered == 0 && prepare_search(s)) {
        run_search(s);
    }
    return s->totals[s->way];
}

static double measure_length(void *ctx)
{
    const search_totals totals = totals_of(ctx);
    return totals.found > 0 ? totals.length / totals.shortest : 0.0;
}

static double measure_expanded(void *ctx)
{
    search_scene *const s = ctx;
    return (double)totals_of(s).expanded / (double)s->query_count;
}

static double measure_solved(void *ctx)
{
    search_scene *const s = ctx;
    return 100.0 * (double)totals_of(s).found / (double)s->query_count;
}

static double measure_bytes(void *ctx)
{
    search_scene *const s = ctx;
    totals_of(s);
    return (double)(s->ways[s->way].is_baseline ? oct_baseline_bytes(s->baseline)
                                                : oct_planner_bytes(s->planners[s->way]));
}

const bench_work oct_ways_length = {.measure = measure_length, .applies = has_way};
const bench_work oct_ways_expanded = {.measure = measure_expanded, .applies = has_way};
const bench_work oct_ways_solved = {.measure = measure_solved, .applies = has_way};
const bench_work oct_ways_bytes = {.measure = measure_bytes, .applies = has_way};

// What an expansion takes in a round, ns.
static double measure_pace(void *ctx)
{
    search_scene *const s = ctx;
    if (!prepare_search(s)) {
        return 0.0;
    }
    const double start = oct_bench_now_s();
    run_search(s);
    const double seconds = oct_bench_now_s() - start;
    const uint64_t count = s->totals[s->way].expanded;
    return count > 0 ? seconds * 1e9 / (double)count : 0.0;
}

const bench_work oct_ways_pace = {.measure = measure_pace, .applies = has_way};

// What is made before the first query, ms, with a planner of its own.
static double measure_prepare(void *ctx)
{
    search_scene *const s = ctx;
    oct_lab_query lab;
    const oct_query query = query_of(s, &s->ways[s->way], &s->queries[0], &lab);
    oct_planner_def def = oct_planner_def_default();
    oct_planner *planner;
    def.tree = s->tree;
    def.lab = oct_lab();
    if (oct_planner_create(&def, &planner) != OCT_OK) {
        return 0.0;
    }
    const double start = oct_bench_now_s();
    const oct_result result = oct_lab_prepare(planner, &query);
    const double seconds = oct_bench_now_s() - start;
    oct_planner_destroy(planner);
    return result == OCT_OK ? seconds * 1e3 : 0.0;
}

const bench_work oct_ways_prepare = {.measure = measure_prepare, .applies = has_way};
