// SPDX-License-Identifier: MIT
// Measures the tables of Freeman 2014, one point after the other, on one thread: times are
// compared.
#include "cli/lab_table.h"

#include "octant/generate.h"

#include <stdlib.h>
#include <string.h>

// Of each point: maps, tasks on each, and runs of each task, of which the median counts.
#define TABLE_MAPS 10
#define TABLE_TASKS 10
#define TABLE_REPEAT 3
#define TABLE_SEED 2014
// What does not change along an axis.
#define TABLE_COVERAGE 20
#define TABLE_CLUSTERING 4
#define POINTS_MAX 6

typedef enum table_axis { AXIS_SIZE, AXIS_COVERAGE, AXIS_CLUSTERING } table_axis;

static const char *const axis_names[] = {"size", "coverage", "clustering"};

typedef struct table_plan {
    const char *name;
    table_axis axis;
    double points[POINTS_MAX]; // of size: in parts of the options' size
    const char *items;         // NULL = the usual ones
    bool squeeze;
} table_plan;

#define BLOCK_ITEMS                                                                                \
    "anya,astar:lattice,block:2:plain:packed,block:3:plain:packed,block:4:plain:packed,"           \
    "block:4:semi:packed,block:4:full:packed,block:4:plain:unpacked,block:4:full:unpacked"

#define SQUEEZE_ITEMS                                                                              \
    "dijkstra:lattice,astar:lattice,astar-smooth:lattice,theta:lattice,lazy-theta:lattice,"        \
    "astar:visibility,block,anya"

static const table_plan tables[] = {
    {"size", AXIS_SIZE, {0.125, 0.25, 0.5, 1, 2, 4}, NULL, false},
    {"coverage", AXIS_COVERAGE, {5, 10, 20, 30, 40, 50}, NULL, false},
    {"clustering", AXIS_CLUSTERING, {0, 1, 4, 16, 64, 256}, NULL, false},
    {"blocks", AXIS_SIZE, {0.125, 0.25, 0.5, 1, 2, 4}, BLOCK_ITEMS, false},
    {"squeeze", AXIS_COVERAGE, {5, 10, 20, 30, 40, 50}, SQUEEZE_ITEMS, true},
};
#define TABLES (sizeof tables / sizeof tables[0])

// ---- points ----

// Sums of one item at one point.
typedef struct tally {
    size_t runs, found;
    double length, optimum, turning, graph_us, path_us, expanded, sight_checks;
    double ends, whole; // time in end blocks, and in all
} tally;

static void count(tally *t, const lab_result *result)
{
    t->runs++;
    t->graph_us += result->graph_us;
    t->path_us += result->path_us;
    t->expanded += (double)result->expanded;
    t->sight_checks += (double)result->sight_checks;
    if (result->status == OCT_PATH_FOUND && result->optimum > 0.0) {
        t->found++;
        t->length += result->length;
        t->optimum += result->optimum;
        t->turning += result->turning_degrees;
    }
}

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_cli_now_ms() * 1e6);
}

// How long Block A* is busy with the blocks of start and goal.
static int measure_ends(const lab_plan *plan, const lab_map *map, size_t item, tally *t)
{
    oct_planner_def def = oct_planner_def_default();
    oct_planner *planner;
    def.tree = map->scene.tree;
    def.lab = oct_lab();
    oct_result result = oct_planner_create(&def, &planner);
    for (size_t i = 0; i < 2 * map->task_count && result == OCT_OK; i++) {
        oct_lab_query lab;
        oct_query query = oct_lab_task_query(plan, map, &plan->items[item],
                                             &map->tasks[i % map->task_count], &lab);
        oct_path path;
        query.clock = clock_ns;
        query.time_budget = UINT64_MAX / 2;
        const uint64_t start = clock_ns(NULL);
        result = oct_planner_plan(planner, &query, &path);
        if (result == OCT_OK && i >= map->task_count) { // the first time around warms up
            t->ends += (double)oct_lab_ends_time(planner);
            t->whole += (double)(clock_ns(NULL) - start);
        }
    }
    oct_planner_destroy(planner);
    return oct_cli_check(map->name, result);
}

static int run_map(const lab_plan *plan, lab_runner *runner, const lab_source *source,
                   tally *tallies, lab_progress progress)
{
    lab_map map;
    char why[LAB_WHY_MAX] = "";
    CLI_TRY(oct_lab_open_map(plan, source, &map));
    lab_result *const results = calloc(map.task_count * plan->item_count, sizeof *results);
    int code = results ? oct_lab_run(runner, &map, 0, results, progress, why)
                       : oct_cli_check("bench", OCT_ERROR_MEMORY);
    for (size_t i = 0; code == CLI_YES && i < map.task_count * plan->item_count; i++) {
        if (!results[i].done) {
            code = CLI_INTERRUPTED;
        } else if (results[i].status == OCT_PATH_FOUND && !results[i].valid) {
            code = oct_cli_complain("bench: an invalid path: %s", why);
        } else {
            count(&tallies[i % plan->item_count], &results[i]);
        }
    }
    for (size_t i = 0; code == CLI_YES && i < plan->item_count; i++) {
        if (plan->items[i].graph == OCT_LAB_GRAPH_BLOCKS) {
            code = measure_ends(plan, &map, i, &tallies[i]);
        }
    }
    free(results);
    oct_lab_close_map(&map);
    return code;
}

static int add_rows(const lab_table_row *row, const lab_plan *plan, const tally *tallies,
                    oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    for (size_t i = 0; i < plan->item_count; i++) {
        const tally *const t = &tallies[i];
        const double runs = t->runs > 0 ? (double)t->runs : 1.0;
        lab_table_row out = *row;
        memcpy(out.name, plan->items[i].name, sizeof out.name);
        out.runs = t->runs;
        out.found = t->found;
        out.ratio = t->optimum > 0.0 ? t->length / t->optimum : 0.0;
        out.turning_degrees = t->found > 0 ? t->turning / (double)t->found : 0.0;
        out.graph_us = t->graph_us / runs;
        out.path_us = t->path_us / runs;
        out.expanded = t->expanded / runs;
        out.sight_checks = t->sight_checks / runs;
        out.ends_share = t->whole > 0.0 ? t->ends / t->whole : -1.0;
        if (oct_array_push(rows, &memory, sizeof out, &out) != OCT_OK) {
            return oct_cli_check("bench", OCT_ERROR_MEMORY);
        }
    }
    return CLI_YES;
}

// The maps and algorithms of one point.
static int plan_point(const table_plan *table, const lab_table_row *row, lab_plan *plan)
{
    char size[32], coverage[32], clustering[32];
    snprintf(size, sizeof size, "%u", row->map.size);
    snprintf(coverage, sizeof coverage, "%.17g", row->map.coverage);
    snprintf(clustering, sizeof clustering, "%u", row->map.clustering);
    *plan = (lab_plan){.tasks = TABLE_TASKS,
                       .seed = TABLE_SEED,
                       .repeat = TABLE_REPEAT,
                       .squeeze = table->squeeze,
                       .check = true,
                       .optimum = true};
    CLI_TRY(oct_lab_read_items(table->items, OCT_LAB_HEURISTIC_DEFAULT, plan));
    CLI_TRY(oct_lab_plan_made(size, coverage, clustering, TABLE_MAPS, plan));
    return oct_lab_open_distances(plan);
}

static int run_point(const table_plan *table, const lab_table_row *row, lab_progress progress,
                     oct_array *rows)
{
    lab_plan plan;
    tally tallies[LAB_ITEMS_MAX] = {{0}};
    int code = plan_point(table, row, &plan);
    lab_runner *const runner = code == CLI_YES ? oct_lab_runner_create(&plan, 1) : NULL;
    if (code == CLI_YES && !runner) {
        code = oct_cli_check("bench", OCT_ERROR_MEMORY);
    }
    for (size_t i = 0; code == CLI_YES && i < plan.source_count; i++) {
        code = run_map(&plan, runner, &plan.sources[i], tallies, progress);
    }
    if (code == CLI_YES) {
        code = add_rows(row, &plan, tallies, rows);
    }
    oct_lab_runner_destroy(runner);
    oct_lab_close_distances(&plan);
    free(plan.sources);
    return code;
}

int oct_lab_table_run(const bench_options *options, oct_array *rows)
{
    int code = CLI_YES;
    for (size_t i = 0; i < TABLES && code == CLI_YES; i++) {
        const table_plan *const table = &tables[i];
        if (!strstr(table->name, options->filter)) {
            continue;
        }
        for (size_t k = 0; k < POINTS_MAX && code == CLI_YES; k++) {
            const double x = table->points[k];
            const double parts = table->axis == AXIS_SIZE ? x : 1.0;
            lab_table_row row = {.table = table->name,
                                 .axis = axis_names[table->axis],
                                 .squeeze = table->squeeze,
                                 .map = {.size = (uint32_t)(parts * options->size),
                                         .coverage = TABLE_COVERAGE,
                                         .clustering = TABLE_CLUSTERING}};
            row.map.coverage = table->axis == AXIS_COVERAGE ? x : row.map.coverage;
            row.map.clustering = table->axis == AXIS_CLUSTERING ? (uint32_t)x : row.map.clustering;
            row.x = table->axis == AXIS_SIZE ? (double)row.map.size : x;
            if (row.map.size < OCT_GENERATE_SIZE_MIN) {
                continue;
            }
            const lab_progress progress = {i * POINTS_MAX + k, TABLES * POINTS_MAX};
            code = run_point(table, &row, progress, rows);
        }
    }
    return code;
}
