// SPDX-License-Identifier: MIT
// Measures the tables of Freeman 2014, one point after the other, on one thread: times are
// compared.
#include "cli/lab_table.h"

#include "octant/generate.h"

#include <stdlib.h>
#include <string.h>

// Of each map: tasks, and rounds, in each of which every task is searched for once to warm up and
// once for its time.
#define TABLE_TASKS 10
#define TABLE_ROUNDS 3
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
    double points[POINTS_MAX]; // of size: in parts of the options' size; 0 = no more
    const char *items;
    bool squeeze, centre;
} table_plan;

#define FREEMAN_ITEMS                                                                              \
    "dijkstra:lattice,astar:lattice:euclidean,astar:lattice,astar-smooth:lattice:euclidean,"       \
    "astar-smooth:lattice,theta:lattice,lazy-theta:lattice,astar:visibility,block,anya"

#define EDGE_ITEMS(edge)                                                                           \
    "block:" edge ":plain:packed,block:" edge ":semi:packed,block:" edge ":full:packed,"           \
    "block:" edge ":plain:unpacked,block:" edge ":semi:unpacked,block:" edge ":full:unpacked"

#define BLOCK_ITEMS EDGE_ITEMS("2") "," EDGE_ITEMS("3") "," EDGE_ITEMS("4")

// Middles of cells are nodes of CELLS alone; the others take them as starts and goals like any.
#define CENTRE_ITEMS "astar:cells,lazy-theta:cells,block,anya,jps,portal"

#define GRAPH_ITEMS "astar:lattice:euclidean,astar:visibility,astar:visibility-all"

#define SIZES                                                                                      \
    {                                                                                              \
        0.125, 0.25, 0.5, 1, 2, 4                                                                  \
    }
#define COVERAGES                                                                                  \
    {                                                                                              \
        5, 10, 20, 30, 40, 50                                                                      \
    }
#define CLUSTERINGS                                                                                \
    {                                                                                              \
        0, 1, 4, 16, 64, 256                                                                       \
    }

static const table_plan tables[] = {
    {"size", AXIS_SIZE, SIZES, FREEMAN_ITEMS ",portal", false, false},
    {"coverage", AXIS_COVERAGE, COVERAGES, FREEMAN_ITEMS ",portal", false, false},
    {"clustering", AXIS_CLUSTERING, CLUSTERINGS, FREEMAN_ITEMS ",portal", false, false},
    {"centre-size", AXIS_SIZE, SIZES, CENTRE_ITEMS, false, true},
    {"centre-coverage", AXIS_COVERAGE, COVERAGES, CENTRE_ITEMS, false, true},
    {"centre-clustering", AXIS_CLUSTERING, CLUSTERINGS, CENTRE_ITEMS, false, true},
    {"blocks", AXIS_SIZE, SIZES, BLOCK_ITEMS, false, false},
    {"squeeze", AXIS_COVERAGE, COVERAGES, FREEMAN_ITEMS, true, false},
    {"graphs", AXIS_SIZE, {0.125, 0.25, 0.5, 1, 2}, GRAPH_ITEMS, false, false},
};
#define TABLES (sizeof tables / sizeof tables[0])

// ---- points ----

// Sums of one item at one point; times of each round.
typedef struct tally {
    size_t runs, found;
    double length, optimum, ratio_max, turning, expanded, nodes, sight_checks;
    double graph_us[TABLE_ROUNDS], path_us[TABLE_ROUNDS];
    size_t measured; // graphs
    double graph_nodes, graph_edges;
    double ends, whole; // time in end blocks, and in all
} tally;

// All but the times are the same in each round.
static void count(tally *t, const lab_result *result, int round)
{
    t->graph_us[round] += result->graph_us;
    t->path_us[round] += result->path_us;
    if (round > 0) {
        return;
    }
    t->runs++;
    t->expanded += (double)result->expanded;
    t->nodes += (double)result->nodes;
    t->sight_checks += (double)result->sight_checks;
    if (result->has_size) {
        t->measured++;
        t->graph_nodes += (double)result->size.nodes;
        t->graph_edges += (double)result->size.edges;
    }
    if (result->status == OCT_PATH_FOUND && result->optimum > 0.0) {
        const double ratio = result->length / result->optimum;
        t->found++;
        t->length += result->length;
        t->optimum += result->optimum;
        t->ratio_max = ratio > t->ratio_max ? ratio : t->ratio_max;
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

// Another round over a map, with every path of the first one judged.
static int run_round(lab_plan *plan, lab_runner *runner, const lab_map *map, int round,
                     lab_result *results, tally *tallies, lab_progress progress)
{
    char why[LAB_WHY_MAX] = "";
    const size_t rows = map->task_count * plan->item_count;
    plan->check = round == 0;
    CLI_TRY(oct_lab_run(runner, map, 0, results, progress, why));
    for (size_t i = 0; i < rows; i++) {
        if (!results[i].done) {
            return CLI_INTERRUPTED;
        }
        if (plan->check && results[i].status == OCT_PATH_FOUND && !results[i].valid) {
            return oct_cli_complain("bench: an invalid path: %s", why);
        }
        count(&tallies[i % plan->item_count], &results[i], round);
    }
    return CLI_YES;
}

static int run_map(lab_plan *plan, lab_runner *runner, const lab_source *source, tally *tallies,
                   lab_progress progress)
{
    lab_map map;
    CLI_TRY(oct_lab_open_map(plan, source, &map));
    lab_result *const results = calloc(map.task_count * plan->item_count, sizeof *results);
    int code = results ? CLI_YES : oct_cli_check("bench", OCT_ERROR_MEMORY);
    for (int round = 0; round < TABLE_ROUNDS && code == CLI_YES; round++) {
        code = run_round(plan, runner, &map, round, results, tallies, progress);
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

// The median of the rounds' sums; *spread is the distance between the least and the most, over it.
static double median_of(const double sums[TABLE_ROUNDS], double *spread)
{
    double sorted[TABLE_ROUNDS];
    memcpy(sorted, sums, sizeof sorted);
    const double median = oct_bench_median(sorted, TABLE_ROUNDS);
    *spread = median > 0.0 ? (sorted[TABLE_ROUNDS - 1] - sorted[0]) / median : 0.0;
    return median;
}

static lab_table_row row_of(const lab_table_row *point, const lab_item *item, const tally *t)
{
    const double runs = t->runs > 0 ? (double)t->runs : 1.0;
    const double found = t->found > 0 ? (double)t->found : 1.0;
    const double measured = t->measured > 0 ? (double)t->measured : 1.0;
    lab_table_row out = *point;
    double graph_spread;
    memcpy(out.name, item->name, sizeof out.name);
    oct_lab_table_label(item, strcmp(point->table, "blocks") == 0, out.label);
    out.runs = t->runs;
    out.found = t->found;
    out.optimum = t->optimum / found;
    out.ratio = t->optimum > 0.0 ? t->length / t->optimum : 0.0;
    out.ratio_max = t->ratio_max;
    out.turning_degrees = t->turning / found;
    out.graph_us = median_of(t->graph_us, &graph_spread) / runs;
    out.path_us = median_of(t->path_us, &out.path_spread) / runs;
    out.expanded = t->expanded / runs;
    out.nodes = t->nodes / runs;
    out.sight_checks = t->sight_checks / runs;
    out.has_size = t->measured > 0;
    out.graph_nodes = t->graph_nodes / measured;
    out.graph_edges = t->graph_edges / measured;
    out.ends_share = t->whole > 0.0 ? t->ends / t->whole : -1.0;
    return out;
}

static int add_rows(const lab_table_row *point, const lab_plan *plan, const tally *tallies,
                    oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    for (size_t i = 0; i < plan->item_count; i++) {
        const lab_table_row row = row_of(point, &plan->items[i], &tallies[i]);
        if (oct_array_push(rows, &memory, sizeof row, &row) != OCT_OK) {
            return oct_cli_check("bench", OCT_ERROR_MEMORY);
        }
    }
    return CLI_YES;
}

// The maps and algorithms of one point.
static int plan_point(const table_plan *table, const lab_table_row *row, size_t maps,
                      lab_plan *plan)
{
    char size[32], coverage[32], clustering[32];
    snprintf(size, sizeof size, "%u", row->map.size);
    snprintf(coverage, sizeof coverage, "%.17g", row->map.coverage);
    snprintf(clustering, sizeof clustering, "%u", row->map.clustering);
    *plan = (lab_plan){.tasks = TABLE_TASKS,
                       .seed = TABLE_SEED,
                       .repeat = 1,
                       .warm = true,
                       .squeeze = table->squeeze,
                       .centre = table->centre,
                       .optimum = true};
    CLI_TRY(oct_lab_read_items(table->items, OCT_LAB_HEURISTIC_DEFAULT, plan));
    CLI_TRY(oct_lab_plan_made(size, coverage, clustering, maps, plan));
    return oct_lab_open_distances(plan);
}

static int run_point(const table_plan *table, const lab_table_row *row, size_t maps,
                     lab_progress progress, oct_array *rows)
{
    lab_plan plan;
    tally tallies[LAB_ITEMS_MAX] = {{0}};
    int code = plan_point(table, row, maps, &plan);
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
            if (k > 0 && x == 0.0) {
                break;
            }
            const double parts = table->axis == AXIS_SIZE ? x : 1.0;
            lab_table_row row = {.table = table->name,
                                 .axis = axis_names[table->axis],
                                 .squeeze = table->squeeze,
                                 .centre = table->centre,
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
            code = run_point(table, &row, (size_t)options->repeat, progress, rows);
        }
    }
    return code == CLI_YES ? oct_lab_databases_run(options, rows) : code;
}
