// SPDX-License-Identifier: MIT
// The searches' measurements: graphs and algorithms against each other and against the yardstick,
// plain A* on a dense grid.
//
// A round is every query of a scene once, with a planner that has seen them before. Rows of one
// metric answered the same queries, each as its kind promises: the shortest 26-connected paths have
// the known lengths, complete searches find a path, greedy ones may give up.
#include "bench/bench.h"
#include "bench/search_ways.h"

#include <stdio.h>
#include <stdlib.h>

#define GOAL_SIZE 256 // the edge of generated scenes that the goals are meant for

// ---- ways to search ----

#define BASELINE "baseline"
#define CELLS_ASTAR "cells-astar"
#define CELLS_LAZY "cells-lazy-theta"
#define DUAL_ASTAR "dual-astar"
#define DUAL_LAZY "dual-lazy-theta"
#define DUAL_GREEDY "dual-greedy"
#define CORNER_LAZY "corner-lazy-theta"
#define BALANCED_LAZY "progressive-corner-lazy-theta"
#define PORTAL_BEST "portal-best"
#define PORTAL_FAST "portal-fast"

static const search_way ways[] = {
    {BASELINE, true, OCT_LAB_GRAPH_CELLS, OCT_LAB_ASTAR, PROMISE_SHORTEST, OCT_GRADE_BEST},
    {CELLS_ASTAR, false, OCT_LAB_GRAPH_CELLS, OCT_LAB_ASTAR, PROMISE_SHORTEST, OCT_GRADE_BEST},
    {CELLS_LAZY, false, OCT_LAB_GRAPH_CELLS, OCT_LAB_LAZY_THETA, PROMISE_PATH, OCT_GRADE_BEST},
    {DUAL_ASTAR, false, OCT_LAB_GRAPH_DUAL, OCT_LAB_ASTAR, PROMISE_PATH, OCT_GRADE_BEST},
    {DUAL_LAZY, false, OCT_LAB_GRAPH_DUAL, OCT_LAB_LAZY_THETA, PROMISE_PATH, OCT_GRADE_BEST},
    {DUAL_GREEDY, false, OCT_LAB_GRAPH_DUAL, OCT_LAB_GREEDY, PROMISE_NOTHING, OCT_GRADE_BEST},
    {CORNER_LAZY, false, OCT_LAB_GRAPH_CORNER, OCT_LAB_LAZY_THETA, PROMISE_PATH, OCT_GRADE_BEST},
    {BALANCED_LAZY, false, OCT_LAB_GRAPH_PROGRESSIVE_CORNER, OCT_LAB_LAZY_THETA, PROMISE_PATH,
     OCT_GRADE_BEST},
    {PORTAL_BEST, false, OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL, PROMISE_PATH, OCT_GRADE_BEST},
    {PORTAL_FAST, false, OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL, PROMISE_PATH, OCT_GRADE_FAST},
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])
_Static_assert(WAY_COUNT <= SEARCH_WAYS_MAX, "every way has a planner");

// ---- components ----

#define COMPONENT_BOXES 2000

static const components_times *components_of(search_scene *s)
{
    if (s->components.bytes == 0 &&
        oct_bench_components(s->tree, s->box, COMPONENT_BOXES, &s->components) != OCT_OK) {
        s->components = (components_times){.bytes = 0};
    }
    return &s->components;
}

static double measure_update(void *ctx)
{
    return components_of(ctx)->mean_us;
}

static double measure_worst_update(void *ctx)
{
    return components_of(ctx)->worst_us;
}

static double measure_label(void *ctx)
{
    return components_of(ctx)->label_ms;
}

static double measure_component_bytes(void *ctx)
{
    return (double)components_of(ctx)->bytes;
}

static const bench_work update = {.measure = measure_update};
static const bench_work worst_update = {.measure = measure_worst_update};
static const bench_work label = {.measure = measure_label};
static const bench_work component_bytes = {.measure = measure_component_bytes};

// ---- the table ----

static const bench search_benches[] = {
    {BASELINE, "mean_us", NULL, SEARCH_US, &oct_ways_time},
    {BASELINE, "length_ratio", NULL, 1.0, &oct_ways_length},
    {BASELINE, "expanded", NULL, 1.0, &oct_ways_expanded},
    {BASELINE, "planner_bytes", NULL, 1.0, &oct_ways_bytes},
    SEARCH_WAY(CELLS_ASTAR, BASELINE),
    SEARCH_WAY(CELLS_LAZY, CELLS_ASTAR),
    SEARCH_WAY(DUAL_ASTAR, CELLS_ASTAR),
    SEARCH_WAY(DUAL_LAZY, CELLS_LAZY),
    SEARCH_WAY(DUAL_GREEDY, DUAL_ASTAR),
    {DUAL_GREEDY, "solved_percent", NULL, 1.0, &oct_ways_solved},
    SEARCH_WAY(CORNER_LAZY, CELLS_LAZY),
    SEARCH_WAY(BALANCED_LAZY, CORNER_LAZY),
    SEARCH_WAY(PORTAL_BEST, BASELINE),
    SEARCH_WAY(PORTAL_FAST, BASELINE),
    {"octree", "components_us", NULL, 1.0, &update},
    {"octree", "components_worst_us", NULL, 1.0, &worst_update},
    {"octree", "components_label_ms", NULL, 1.0, &label},
    {"octree", "component_bytes", NULL, 1.0, &component_bytes},
};

// An edit of one box of 8^3 cells.
static const bench_goal component_goals[] = {
    {"clusters", "components_us", 50.0},
    {"clusters", "components_worst_us", 5000.0},
};

// What the default search is to reach: of the yardstick's time, and of the lengths that the
// scenarios state.
#define PORTAL_GOALS(scene, best_time, best_length, fast_time, fast_length)                        \
    {scene, PORTAL_BEST, "mean_us", best_time}, {scene, PORTAL_BEST, "length_ratio", best_length}, \
        {scene, PORTAL_FAST, "mean_us", fast_time},                                                \
    {                                                                                              \
        scene, PORTAL_FAST, "length_ratio", fast_length                                            \
    }

static const bench_ratio_goal search_goals[] = {
    {"clusters", CELLS_ASTAR, "mean_us", 1.0},
    {"Complex", CELLS_ASTAR, "mean_us", 1.0},
    {"DA1", CELLS_ASTAR, "mean_us", 1.0},
    {"clusters", CORNER_LAZY, "mean_us", 0.2},
    {"Complex", CORNER_LAZY, "mean_us", 0.2},
    {"clusters", CORNER_LAZY, "length_ratio", 1.01},
    {"Complex", CORNER_LAZY, "length_ratio", 1.01},
    PORTAL_GOALS("clusters", 1.0 / 6, 0.919, 1.0 / 30, 0.9205),
    PORTAL_GOALS("sparse", 1.0 / 2, 0.9225, 1.0 / 4, 0.9235),
    PORTAL_GOALS("Complex", 1.0 / 4, 0.9175, 1.0 / 8, 0.920),
    PORTAL_GOALS("DA1", 1.0 / 25, 0.9195, 1.0 / 100, 0.9215),
    PORTAL_GOALS("BC1", 1.0 / 50, 0.948, 1.0 / 350, 0.950),
    PORTAL_GOALS("A1", 1.0 / 250, 0.914, 1.0 / 1800, 0.916),
};

static const bench_suite search_suite = {
    .benches = search_benches,
    .bench_count = sizeof search_benches / sizeof search_benches[0],
    .goals = component_goals,
    .goal_count = sizeof component_goals / sizeof component_goals[0],
    .ratio_goals = search_goals,
    .ratio_goal_count = sizeof search_goals / sizeof search_goals[0],
    .runs = 1,
    .row_s = 3.0,
    .select = oct_ways_select,
};

// ---- scenes ----

// When a scene is measured: always; where scenes need not be small; where the filter names it.
typedef enum scene_when { SCENE_ALWAYS, SCENE_LARGE, SCENE_NAMED } scene_when;

typedef struct scene_row {
    const char *name;
    bool is_data;           // a file of the data folder, else generated
    oct_generate_kind kind; // where generated
    size_t limit;           // queries at most
    scene_when when;
    bool is_long; // the yardstick takes minutes: only the default search is measured beside it
} scene_row;

static const scene_row scenes[] = {
    {"clusters", false, OCT_GENERATE_CLUSTERS, 50, SCENE_ALWAYS, false},
    {"sparse", false, OCT_GENERATE_BOXES, 50, SCENE_ALWAYS, false},
    {"wall", false, OCT_GENERATE_WALL, 4, SCENE_ALWAYS, false},
    {"Simple", true, OCT_GENERATE_BOXES, 200, SCENE_ALWAYS, false},
    {"Complex", true, OCT_GENERATE_BOXES, 200, SCENE_LARGE, false},
    {"DA1", true, OCT_GENERATE_BOXES, 200, SCENE_LARGE, false},
    {"BC1", true, OCT_GENERATE_BOXES, 200, SCENE_LARGE, true},
    {"A1", true, OCT_GENERATE_BOXES, 200, SCENE_LARGE, true},
    {"EB1", true, OCT_GENERATE_BOXES, 20, SCENE_NAMED, false},
};
#define SCENE_COUNT (sizeof scenes / sizeof scenes[0])

// The files of a scene's map and queries; "" where the map is made here, or the queries are drawn.
typedef struct scene_files {
    char map[1024], queries[1024];
} scene_files;

static void find_files(const bench_options *options, const scene_row *row, scene_files *out)
{
    *out = (scene_files){.map = ""};
    const char *const folder = row->is_data ? options->data : options->scenes;
    if (folder) {
        snprintf(out->map, sizeof out->map, "%s%s/%s.3dmap", folder, row->is_data ? "/voxel3d" : "",
                 row->name);
    }
    if (options->data) {
        snprintf(out->queries, sizeof out->queries, "%s/%s/%s.3dmap.3dscen", options->data,
                 row->is_data ? "voxel3d" : "scenes", row->name);
    }
    if (!oct_bench_file_exists(out->map)) {
        out->map[0] = '\0';
    }
    if (!out->map[0] || !oct_bench_file_exists(out->queries)) {
        out->queries[0] = '\0';
    }
}

static bool scene_is_there(const bench_report *report, const scene_row *row)
{
    scene_files files;
    find_files(&report->options, row, &files);
    const bool in_time = row->when == SCENE_ALWAYS ||
                         (row->when == SCENE_LARGE && report->options.size >= GOAL_SIZE) ||
                         strstr(report->options.filter, row->name);
    return oct_bench_wants(report, &search_suite, row->name) && in_time &&
           (!row->is_data || files.map[0]);
}

static oct_result make_scene(bench_report *report, const scene_row *row, const scene_files *files,
                             search_scene *scene)
{
    oct_error error = {.line = 0};
    oct_result result = files->map[0]
                            ? oct_search_scene_load(scene, files->map, &error)
                            : oct_search_scene_generate(scene, row->kind, report->options.size);
    const char *at = files->map;
    if (result == OCT_OK && files->queries[0]) {
        at = files->queries;
        result = oct_search_scene_read(scene, files->queries, row->limit, &error);
    } else if (result == OCT_OK) {
        result = oct_search_scene_draw(scene, row->limit);
    }
    if (result != OCT_OK) {
        oct_bench_explain(report, at[0] ? at : row->name, result, &error);
    }
    return result;
}

static oct_result measure_scene(bench_report *report, const scene_row *row)
{
    scene_files files;
    find_files(&report->options, row, &files);
    search_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    scene->has_few_ways = row->is_long;
    scene->ways = ways;
    scene->way_count = WAY_COUNT;
    oct_result result = make_scene(report, row, &files, scene);
    if (result == OCT_OK) {
        const bool with_goals = files.map[0] || report->options.size == GOAL_SIZE;
        result = oct_bench_scene(report, &search_suite, row->name, scene, with_goals);
    }
    oct_search_scene_free(scene);
    free(scene);
    return result;
}

oct_result oct_bench_search(bench_report *report)
{
    report->scene = 0;
    report->scene_count = 0;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        report->scene_count += scene_is_there(report, &scenes[i]);
    }
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        if (scene_is_there(report, &scenes[i])) {
            OCT_TRY(measure_scene(report, &scenes[i]));
            report->scene++;
        }
    }
    return OCT_OK;
}
