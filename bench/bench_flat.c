// SPDX-License-Identifier: MIT
// The searches of flat maps against each other, on maps of the public benchmarks, from middle to
// middle of cells: A* on cells is what they are measured by.
#include "bench/search_ways.h"

#include <stdio.h>
#include <stdlib.h>

#define QUERIES 200
#define MAP_SIZE 256 // of the map that stands in where there is no data

#define CELLS_ASTAR "cells-astar"
#define CELLS_JPS "cells-jps"
#define CELLS_LAZY "cells-lazy-theta"
#define LATTICE_ASTAR "lattice-astar"
#define LATTICE_LAZY "lattice-lazy-theta"
#define VISIBILITY "visibility-astar"
#define ANYA "anya"
#define BLOCK "block-4x4"
#define PORTAL_BEST "portal-best"
#define PORTAL_FAST "portal-fast"

static const search_way ways[] = {
    {CELLS_ASTAR, false, OCT_LAB_GRAPH_CELLS, OCT_LAB_ASTAR, PROMISE_SHORTEST, OCT_GRADE_BEST},
    {CELLS_JPS, false, OCT_LAB_GRAPH_CELLS, OCT_LAB_JPS, PROMISE_SHORTEST, OCT_GRADE_BEST},
    {CELLS_LAZY, false, OCT_LAB_GRAPH_CELLS, OCT_LAB_LAZY_THETA, PROMISE_PATH, OCT_GRADE_BEST},
    {LATTICE_ASTAR, false, OCT_LAB_GRAPH_LATTICE, OCT_LAB_ASTAR, PROMISE_PATH, OCT_GRADE_BEST},
    {LATTICE_LAZY, false, OCT_LAB_GRAPH_LATTICE, OCT_LAB_LAZY_THETA, PROMISE_PATH, OCT_GRADE_BEST},
    {VISIBILITY, false, OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_ASTAR, PROMISE_PATH, OCT_GRADE_BEST},
    {ANYA, false, OCT_LAB_GRAPH_INTERVALS, OCT_LAB_ANYA, PROMISE_PATH, OCT_GRADE_BEST},
    {BLOCK, false, OCT_LAB_GRAPH_BLOCKS, OCT_LAB_BLOCK, PROMISE_PATH, OCT_GRADE_BEST},
    {PORTAL_BEST, false, OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL, PROMISE_PATH, OCT_GRADE_BEST},
    {PORTAL_FAST, false, OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL, PROMISE_PATH, OCT_GRADE_FAST},
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])
_Static_assert(WAY_COUNT <= SEARCH_WAYS_MAX, "every way has a planner");

static const bench flat_benches[] = {
    {CELLS_ASTAR, "mean_us", NULL, SEARCH_US, &oct_ways_time},
    {CELLS_ASTAR, "length_ratio", NULL, 1.0, &oct_ways_length},
    {CELLS_ASTAR, "expanded", NULL, 1.0, &oct_ways_expanded},
    {CELLS_ASTAR, "expansion_ns", NULL, 1.0, &oct_ways_pace},
    {CELLS_ASTAR, "planner_bytes", NULL, 1.0, &oct_ways_bytes},
    SEARCH_WAY(CELLS_JPS, CELLS_ASTAR),
    {CELLS_JPS, "prepare_ms", NULL, 1.0, &oct_ways_prepare},
    SEARCH_WAY(CELLS_LAZY, CELLS_ASTAR),
    SEARCH_WAY(LATTICE_ASTAR, CELLS_ASTAR),
    SEARCH_WAY(LATTICE_LAZY, CELLS_LAZY),
    SEARCH_WAY(VISIBILITY, CELLS_LAZY),
    SEARCH_WAY(ANYA, CELLS_LAZY),
    {ANYA, "prepare_ms", NULL, 1.0, &oct_ways_prepare},
    SEARCH_WAY(BLOCK, CELLS_ASTAR),
    {BLOCK, "prepare_ms", NULL, 1.0, &oct_ways_prepare},
    SEARCH_WAY(PORTAL_BEST, CELLS_LAZY),
    SEARCH_WAY(PORTAL_FAST, CELLS_LAZY),
};

static const char *const scenes[] = {"orz900d", "brc202d", "random512-10-0", "64room_000"};
#define SCENE_COUNT (sizeof scenes / sizeof scenes[0])

#define RATIO_GOALS(scene)                                                                         \
    {scene, ANYA, "mean_us", 1.0},                                                                 \
    {                                                                                              \
        scene, BLOCK, "mean_us", 1.0 / 3                                                           \
    }

static const bench_ratio_goal ratio_goals[] = {
    RATIO_GOALS("orz900d"),
    RATIO_GOALS("brc202d"),
    RATIO_GOALS("random512-10-0"),
    RATIO_GOALS("64room_000"),
    {"64room_000", CELLS_JPS, "mean_us", 0.1},
};

static const bench_suite flat_suite = {
    .benches = flat_benches,
    .bench_count = sizeof flat_benches / sizeof flat_benches[0],
    .ratio_goals = ratio_goals,
    .ratio_goal_count = sizeof ratio_goals / sizeof ratio_goals[0],
    .runs = 1,
    .row_s = 3.0,
    .select = oct_ways_select,
};

// ---- scenes ----

// A map of the data folder, or NULL for the one that is made here.
static oct_result make_scene(bench_report *report, const char *name, search_scene *scene)
{
    char map[1024] = "", queries[1024] = "";
    oct_error error = {.line = 0};
    if (!name) {
        OCT_TRY(oct_search_scene_potential(
            scene, report->options.size < MAP_SIZE ? report->options.size : MAP_SIZE));
        return oct_search_scene_draw(scene, QUERIES);
    }
    snprintf(map, sizeof map, "%s/grid2d/%s.map", report->options.data, name);
    snprintf(queries, sizeof queries, "%s/grid2d/%s.map.scen", report->options.data, name);
    const char *at = map;
    oct_result result = oct_search_scene_load(scene, map, &error);
    if (result == OCT_OK) {
        at = queries;
        result = oct_search_scene_read(scene, queries, QUERIES, &error);
    }
    if (result != OCT_OK) {
        oct_bench_explain(report, at, result, &error);
    }
    return result;
}

static oct_result measure_scene(bench_report *report, const char *name,
                                const oct_distances *distances)
{
    const char *const shown = name ? name : "potential";
    search_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    scene->ways = ways;
    scene->way_count = WAY_COUNT;
    scene->distances = distances;
    oct_result result = make_scene(report, name, scene);
    if (result == OCT_OK) {
        result = oct_bench_scene(report, &flat_suite, shown, scene, name != NULL);
    }
    oct_search_scene_free(scene);
    free(scene);
    return result;
}

static bool has_data(const bench_report *report, const char *name)
{
    char map[1024];
    snprintf(map, sizeof map, "%s/grid2d/%s.map", report->options.data ? report->options.data : "",
             name);
    return oct_bench_file_exists(map);
}

oct_result oct_bench_flat(bench_report *report)
{
    const oct_distances_def def = oct_distances_def_default();
    oct_distances *distances;
    OCT_TRY(oct_distances_create(&def, &distances));
    oct_result result = OCT_OK;
    report->scene = 0;
    report->scene_count = 1;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        report->scene_count += has_data(report, scenes[i]);
    }
    for (size_t i = 0; i < SCENE_COUNT + 1 && result == OCT_OK; i++) {
        const char *const name = i < SCENE_COUNT ? scenes[i] : NULL;
        const char *const shown = name ? name : "potential";
        if ((!name || has_data(report, name)) && oct_bench_wants(report, &flat_suite, shown)) {
            result = measure_scene(report, name, distances);
            report->scene++;
        }
    }
    oct_distances_destroy(distances);
    return result;
}
