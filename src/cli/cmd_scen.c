// SPDX-License-Identifier: MIT
// octant scen: the queries of a scenario file, timed and compared with the lengths that it states.
#include "cli/scen_run.h"
#include "cli/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-5          // cells: how exactly a .3dscen states lengths
#define TOLERANCE_FLAT 0.01     // and a .scen
#define TOLERANCE_ANYANGLE 1e-6 // and one of any-angle lengths
#define DIGITS_KEPT 1e-8        // of a length: how exactly rows state it

enum {
    SCEN_SEARCH = CLI_WORLD_OPTION_COUNT,
    SCEN_LIMIT = SCEN_SEARCH + CLI_SEARCH_OPTION_COUNT,
    SCEN_SEED,
    SCEN_ENDS,
    SCEN_TRUTH,
    SCEN_CHECK,
    SCEN_CSV,
    SCEN_RESUME,
    SCEN_FORCE,
    SCEN_THREADS,
    SCEN_WALK,
    SCEN_STEP,
    SCEN_OPTION_COUNT
};
enum { ENDS_CENTRE, ENDS_CORNER };
enum { TRUTH_OCTILE, TRUTH_ANYANGLE };

// How the lengths of a run relate to those that are stated.
typedef enum truth {
    TRUTH_NOTHING, // not at all
    TRUTH_EXACT,   // they must be the same
    TRUTH_LEAST    // they must not be less
} truth;

typedef struct summary {
    truth kind;
    bool anyangle; // the lengths that are stated are
    size_t solved, wrong, invalid;
    size_t first_wrong; // the first query with a wrong length
    double mean_us, median_us, p99_us;
    double mean_ratio, max_ratio; // < 0: there is none
    double mean_expanded;
} summary;

// ---- what came out ----

static truth truth_of(const scen_run *run, bool anyangle)
{
    const oct_query *const query = &run->query;
    if (run->has_clearance) {
        return anyangle ? TRUTH_LEAST : TRUTH_NOTHING;
    }
    if (anyangle) {
        const bool is_shortest = query->lab->graph == OCT_LAB_GRAPH_INTERVALS ||
                                 query->lab->graph == OCT_LAB_GRAPH_VISIBILITY;
        return query->lab->squeeze ? TRUTH_NOTHING : is_shortest ? TRUTH_EXACT : TRUTH_LEAST;
    }
    const bool exact = run->baseline || query->lab->algorithm == OCT_LAB_DIJKSTRA ||
                       query->lab->algorithm == OCT_LAB_JPS ||
                       (query->lab->algorithm == OCT_LAB_ASTAR &&
                        query->lab->heuristic != OCT_LAB_HEURISTIC_MANHATTAN);
    const uint32_t neighbours = oct_cli_neighbours(query, run->scene->dims);
    const bool plain = query->lab->graph == OCT_LAB_GRAPH_CELLS && !run->corner &&
                       query->taut != OCT_TAUT_YES && (neighbours == 26 || neighbours == 8) &&
                       query->terms.unknown != OCT_UNKNOWN_PRICED;
    return exact && plain ? TRUTH_EXACT : TRUTH_NOTHING;
}

// Any-angle lengths are stated as exactly as doubles are.
static bool is_wrong(const scen_run *run, const summary *about, size_t i)
{
    const truth kind = about->kind;
    const double length = run->results[i].length;
    const double stated = about->anyangle         ? TOLERANCE_ANYANGLE
                          : run->scene->dims == 2 ? TOLERANCE_FLAT
                                                  : TOLERANCE;
    const double tolerance = stated + (run->results[i].kept ? DIGITS_KEPT * length : 0.0);
    const double excess = length - run->queries[i].stated;
    return (kind == TRUTH_EXACT && !(fabs(excess) <= tolerance)) ||
           (kind == TRUTH_LEAST && !(excess >= -tolerance));
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Fills in the times; sorts them.
static void summarise_times(double *times, size_t count, summary *out)
{
    qsort(times, count, sizeof *times, compare_times);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += times[i];
    }
    out->mean_us = sum / (double)count;
    out->median_us = 0.5 * (times[(count - 1) / 2] + times[count / 2]);
    out->p99_us = times[(count * 99 + 99) / 100 - 1];
}

static void summarise_lengths(const scen_run *run, summary *out)
{
    double length = 0.0, stated = 0.0, expanded = 0.0;
    for (size_t i = 0; i < run->count; i++) {
        const scen_result *const result = &run->results[i];
        const double wanted = run->queries[i].stated;
        expanded += (double)result->expanded;
        if (result->status != OCT_PATH_FOUND) {
            continue;
        }
        out->solved++;
        out->invalid += run->check && !result->valid;
        length += result->length;
        stated += wanted;
        if (wanted > 0.0) {
            out->max_ratio = fmax(out->max_ratio, result->length / wanted);
        }
        if (is_wrong(run, out, i)) {
            out->first_wrong = out->wrong++ == 0 ? i : out->first_wrong;
        }
    }
    out->mean_ratio = stated > 0.0 ? length / stated : -1.0;
    out->mean_expanded = expanded / (double)run->count;
}

// False where there is no memory to sort times in.
static bool summarise(const scen_run *run, bool anyangle, summary *out)
{
    *out = (summary){.kind = truth_of(run, anyangle), .anyangle = anyangle, .max_ratio = -1.0};
    double *const times = malloc(run->count * sizeof *times);
    if (!times) {
        return false;
    }
    for (size_t i = 0; i < run->count; i++) {
        times[i] = run->results[i].time_us;
    }
    summarise_times(times, run->count, out);
    free(times);
    summarise_lengths(run, out);
    return true;
}

static const char *algorithm_of(const scen_run *run)
{
    return run->baseline ? "baseline" : oct_lab_algorithm_name(run->query.lab->algorithm);
}

static json_t *ratio_json(double ratio)
{
    return ratio >= 0.0 ? json_real(ratio) : json_null();
}

static int print_json(const scen_run *run, const summary *about)
{
    return oct_cli_print_json(json_pack(
        "{s:I, s:I, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:f, s:I, s:I, s:I, s:s, s:s, s:s?, s:b, "
        "s:I, s:f, s:I, s:f}",
        "queries", (json_int_t)run->count, "solved", (json_int_t)about->solved, "wrong_length",
        about->kind == TRUTH_NOTHING ? json_null() : json_integer((json_int_t)about->wrong),
        "invalid_paths", run->check ? json_integer((json_int_t)about->invalid) : json_null(),
        "mean_us", about->mean_us, "median_us", about->median_us, "p99_us", about->p99_us,
        "mean_length_ratio", ratio_json(about->mean_ratio), "max_length_ratio",
        ratio_json(about->max_ratio), "mean_expanded", about->mean_expanded, "map_bytes",
        (json_int_t)run->scene->bytes, "component_bytes",
        (json_int_t)oct_cli_component_bytes(run->scene), "search_bytes",
        (json_int_t)run->search_bytes, "algorithm", algorithm_of(run), "graph",
        oct_lab_graph_name(run->query.lab->graph), "grade", oct_cli_grade(&run->query), "squeeze",
        (int)run->query.lab->squeeze, "threads", (json_int_t)run->threads, "total_s",
        run->elapsed_s, "left_out", (json_int_t)run->left_out, "clearance_ms",
        run->scene->map.clearance_ms));
}

// How many of the queries have a fault.
static void print_faults(const char *what, size_t faults, const char *none, const char *some)
{
    printf("  %-14s ", what);
    if (faults > 0) {
        oct_cli_printf(CLI_RED, "%zu %s", faults, some);
    } else {
        oct_cli_printf(CLI_GREEN, "all %s", none);
    }
}

static void print_judgement(const scen_run *run, const summary *about)
{
    print_faults("status", run->count - about->solved, "solved", "not solved");
    printf("\n");
    if (about->kind != TRUTH_NOTHING) {
        const bool exact = about->kind == TRUTH_EXACT;
        print_faults("lengths", about->wrong, exact ? "as stated" : "as stated or more",
                     exact ? "not as stated" : "less than stated");
        if (about->wrong > 0) {
            const size_t i = about->first_wrong;
            printf("; the first: line %u, %.9g, not %.9g", run->queries[i].line,
                   run->results[i].length, run->queries[i].stated);
        }
        printf("\n");
    }
    if (run->check) {
        print_faults("paths", about->invalid, "valid", "not valid");
        if (about->invalid > 0) {
            printf("; the first: line %u, %s", run->queries[run->invalid].line, run->why);
        }
        printf("\n");
    }
}

static void print_text(const scen_run *run, const summary *about, const char *path,
                       size_t file_count)
{
    const uint32_t neighbours = oct_cli_neighbours(&run->query, run->scene->dims);
    const char *const grade = oct_cli_grade(&run->query);
    const cli_time mean = oct_cli_time(about->mean_us);
    const cli_time median = oct_cli_time(about->median_us);
    const cli_time p99 = oct_cli_time(about->p99_us);
    const cli_time all = oct_cli_time(run->elapsed_s * 1e6);
    oct_cli_printf(CLI_BOLD, "%s", CLI_SHOWN(path));
    printf(" in %s\n", CLI_SHOWN(run->scene->path));
    printf("  %-14s %zu of %zu, by %s over %s", "queries", run->count, file_count,
           algorithm_of(run), oct_lab_graph_name(run->query.lab->graph));
    if (neighbours) {
        printf(" with %u neighbours", neighbours);
    }
    if (grade) {
        printf(", grade %s", grade);
    }
    printf("\n");
    if (run->has_clearance) {
        printf("  %-14s %zu of the file's, where the body has no room; the view took %.3f ms\n",
               "left out", run->left_out, run->scene->map.clearance_ms);
    }
    print_judgement(run, about);
    if (about->mean_ratio >= 0.0) {
        printf("  %-14s %.6f in all, %.6f at most\n", "length ratio", about->mean_ratio,
               about->max_ratio);
    }
    printf("  %-14s %.6g nodes a query\n", "expanded", about->mean_expanded);
    printf("  %-14s %.4g %s a query; median %.4g %s, 99 %% within %.4g %s\n", "time", mean.value,
           mean.unit, median.value, median.unit, p99.value, p99.unit);
    printf("  %-14s %.4g %s with %u thread%s\n", "in all", all.value, all.unit, run->threads,
           run->threads == 1 ? "" : "s");
    printf("  %-14s %zu bytes of map, %zu bytes to search it\n", "memory", run->scene->bytes,
           run->search_bytes);
}

// ---- the command ----

static int take_row(void *ctx, size_t place, const scen_query *query, const scen_result *result)
{
    return oct_scen_csv_row(ctx, place, query, result);
}

static int report(const cli_args *args, const scen_run *run, const char *path, size_t file_count)
{
    if (run->interrupted) {
        const char *const csv = args->options[SCEN_CSV].text;
        oct_cli_complain("scen: interrupted: %zu of %zu queries were done%s", run->done, run->count,
                         csv ? "; --resume goes on with them" : "");
        return CLI_INTERRUPTED;
    }
    summary about;
    if (!summarise(run, args->options[SCEN_TRUTH].integer == TRUTH_ANYANGLE, &about)) {
        return oct_cli_check("scen", OCT_ERROR_MEMORY);
    }
    if (args->json) {
        CLI_TRY(print_json(run, &about));
    } else {
        print_text(run, &about, path, file_count);
    }
    const bool good = about.solved == run->count && about.wrong == 0 && about.invalid == 0;
    return good ? CLI_YES : CLI_NO;
}

// The first invalid path may be one of a row that was kept.
static void find_invalid(scen_run *run)
{
    for (size_t i = 0; run->check && i < run->kept && i < run->invalid; i++) {
        const scen_result *const result = &run->results[i];
        if (result->kept && result->status == OCT_PATH_FOUND && !result->valid) {
            run->invalid = i;
            snprintf(run->why, sizeof run->why, "as its row says");
        }
    }
}

static int do_queries(const cli_args *args, scen_run *run, scen_csv *csv)
{
    const cli_value *const options = args->options;
    const cli_rows_mode mode = options[SCEN_RESUME].given  ? CLI_ROWS_RESUME
                               : options[SCEN_FORCE].given ? CLI_ROWS_FORCE
                                                           : CLI_ROWS_NEW;
    CLI_TRY(oct_scen_csv_open(csv, options[SCEN_CSV].text, mode, run->check));
    CLI_TRY(oct_scen_csv_take(csv, run));
    CLI_TRY(oct_scen_run(run));
    find_invalid(run);
    return CLI_YES;
}

static int do_run(const cli_args *args, scen_run *run, const char *path, size_t file_count)
{
    scen_csv csv;
    run->row = take_row;
    run->row_ctx = &csv;
    run->results = calloc(run->count, sizeof *run->results);
    if (!run->results) {
        return oct_cli_check("scen", OCT_ERROR_MEMORY);
    }
    int code = oct_scen_csv_close(&csv, do_queries(args, run, &csv));
    if (code == CLI_YES) {
        code = report(args, run, path, file_count);
    }
    free(run->results);
    return code;
}

// The yardstick goes from middle to middle of cells and knows no other way.
static int plan_baseline(const cli_value *options, cli_scene *scene, scen_run *run)
{
    static const char *const others[] = {"graph",      "grade",   "taut",          "heuristic",
                                         "neighbours", "unknown", "unknown-price", "squeeze"};
    const cli_value *const search = options + SCEN_SEARCH + 1;
    for (int i = 0; i < CLI_SEARCH_OPTION_COUNT - 1; i++) {
        if (search[i].given && !(i == 0 && search[i].integer == OCT_LAB_GRAPH_CELLS)) {
            return oct_cli_complain("scen: --%s is not for the baseline, which is plain A* over "
                                    "cells",
                                    others[i]);
        }
    }
    if (options[SCEN_ENDS].integer == ENDS_CORNER) {
        return oct_cli_complain("scen: --ends corner is not for the baseline, which is plain A* "
                                "over cells");
    }
    run->baseline = true;
    run->query = oct_query_default();
    scene->lab = oct_lab_query_default();
    scene->lab.graph = OCT_LAB_GRAPH_CELLS;
    scene->lab.algorithm = OCT_LAB_ASTAR;
    run->query.lab = &scene->lab;
    run->query.terms.bounds = &scene->info.box;
    return CLI_YES;
}

static int plan_run(const cli_args *args, cli_scene *scene, scen_run *run)
{
    const cli_value *const options = args->options;
    run->has_clearance = scene->map.has_clearance;
    run->corner = options[SCEN_ENDS].integer == ENDS_CORNER;
    run->check = options[SCEN_CHECK].given;
    run->threads = (uint32_t)options[SCEN_THREADS].integer;
    if ((options[SCEN_RESUME].given || options[SCEN_FORCE].given) && !options[SCEN_CSV].given) {
        return oct_cli_complain("scen: --%s is for --csv",
                                options[SCEN_RESUME].given ? "resume" : "force");
    }
    if (options[SCEN_RESUME].given && options[SCEN_FORCE].given) {
        return oct_cli_complain("scen: --resume keeps what --force replaces; only one of them");
    }
    if (options[SCEN_SEED].given && !options[SCEN_LIMIT].given) {
        return oct_cli_complain("scen: --seed is for a sample; --limit says how large");
    }
    return options[SCEN_SEARCH].integer == OCT_LAB_ALGORITHM_COUNT
               ? plan_baseline(options, scene, run)
               : oct_cli_plan_search("scen", options + SCEN_SEARCH, scene, &run->query);
}

static void choose(scen_list *list, const cli_value *options)
{
    const size_t limit = (size_t)options[SCEN_LIMIT].integer;
    if (options[SCEN_SEED].given) {
        oct_scen_sample(list, limit, (uint64_t)options[SCEN_SEED].integer);
    } else if (options[SCEN_LIMIT].given) {
        oct_scen_spread(list, limit);
    }
}

// The list is to be freed in any case.
static int run_scene(const cli_args *args, cli_scene *scene, scen_list *list)
{
    const char *const path = args->operands[1].text;
    scen_run run = {.scene = scene};
    CLI_TRY(plan_run(args, scene, &run));
    if (!run.baseline) {
        CLI_TRY(oct_cli_connect_scene(scene, &run.query));
    }
    CLI_TRY(oct_scen_load(path, scene, list));
    if (scene->map.has_clearance) {
        CLI_TRY(oct_scen_leave_out(path, scene, &run.query, run.corner, list));
    }
    run.left_out = list->left_out;
    choose(list, args->options);
    run.queries = list->queries;
    run.count = list->count;
    CLI_TRY(oct_scen_check(path, list, scene, &run.query, run.corner));
    return do_run(args, &run, path, list->file_count);
}

static int walk_scen(const cli_args *args)
{
    static const struct {
        int option;
        const char *name;
    } others[] = {{SCEN_LIMIT, "limit"},    {SCEN_SEED, "seed"},   {SCEN_ENDS, "ends"},
                  {SCEN_TRUTH, "truth"},    {SCEN_CHECK, "check"}, {SCEN_RESUME, "resume"},
                  {SCEN_THREADS, "threads"}};
    const cli_value *const options = args->options;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (options[others[i].option].given) {
            return oct_cli_complain("scen: --%s is not for --walk", others[i].name);
        }
    }
    const cli_walk_scen scen = {.path = args->operands[0].text,
                                .pairs = args->operands[1].text,
                                .csv = options[SCEN_CSV].text,
                                .up = (oct_up)options[CLI_WORLD_UP].integer,
                                .step = options[SCEN_STEP].real,
                                .force = options[SCEN_FORCE].given,
                                .json = args->json};
    return oct_cli_walk_scen(&scen);
}

static int run_scen(const cli_args *args)
{
    if (args->options[SCEN_WALK].given) {
        return walk_scen(args);
    }
    if (args->options[SCEN_STEP].given) {
        return oct_cli_complain("scen: --step is for --walk");
    }
    cli_scene scene;
    scen_list list = {.count = 0};
    CLI_TRY(oct_cli_open_scene("scen", args->operands[0].text, args->options, &scene));
    const int code = run_scene(args, &scene, &list);
    free(list.queries);
    oct_cli_close_scene(&scene);
    return code;
}

static const cli_param scen_operands[] = {
    CLI_MAP_OPERAND("MAP"),
    {.name = "SCEN",
     .kind = CLI_FILE,
     .required = true,
     .help = "a .3dscen or .scen file; --walk: pairs of points"},
};

static const cli_param scen_options[SCEN_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    CLI_SEARCH_OPTIONS(oct_cli_yardstick_words),
    [SCEN_LIMIT] = CLI_PARAM_INTEGER("limit", "N", NULL, 1, CLI_INTEGER_MAX,
                                     "so many of the queries, evenly spread over the file"),
    [SCEN_SEED] = CLI_PARAM_INTEGER("seed", "N", NULL, 0, CLI_INTEGER_MAX,
                                    "take them at random; the same seed takes the same"),
    [SCEN_ENDS] = CLI_PARAM_CHOICE("ends", "centre|corner", "centre",
                                   "where in its cell a start or goal lies"),
    [SCEN_TRUTH] =
        CLI_PARAM_CHOICE("truth", "octile|anyangle", "octile", "what the stated lengths are"),
    [SCEN_CHECK] = CLI_PARAM_FLAG("check", "judge every path again, cell by cell in exact numbers"),
    [SCEN_CSV] = CLI_PARAM_ROWS("csv", "write a row for each query, as soon as it is done"),
    [SCEN_RESUME] = CLI_PARAM_FLAG("resume", "go on with the rows that the CSV file has"),
    [SCEN_FORCE] = CLI_PARAM_FLAG("force", "replace the CSV file"),
    [SCEN_THREADS] = CLI_PARAM_INTEGER("threads", "N", "1", 1, 256, "how many queries at a time"),
    [SCEN_WALK] =
        CLI_PARAM_FLAG("walk", "MAP is a surface to walk on, SCEN has lines of x y z x y z "
                               "[length]"),
    [SCEN_STEP] =
        CLI_PARAM_REAL("step", "M", "0.5", 0, 1e6, "--walk: how far in height ends may be from it"),
};

const cli_command oct_cmd_scen = {
    .name = "scen",
    .summary = "does the queries of a scenario file and compares their lengths",
    .details =
        "  Lengths are in cells. Octile ones must be met by dijkstra, astar, jps and baseline "
        "over\n"
        "  cells with 26 neighbours (flat: 8), any-angle ones by anya and over visibility; nothing "
        "may\n"
        "  be shorter than an any-angle one. Everything outside the box that the file declares is\n"
        "  blocked. The baseline is plain A* on a dense grid: the yardstick.\n"
        "  A time is CPU time of the thread, warm, smoothing included, checking excluded. Exit "
        "code "
        "1: a\n"
        "  query was not solved, a length is wrong, or a path is not valid. Ctrl-C stops between "
        "whole rows\n"
        "  of the CSV file; the exit code is then 130, and --resume does the rest.",
    .operands = scen_operands,
    .operand_count = sizeof scen_operands / sizeof scen_operands[0],
    .options = scen_options,
    .option_count = SCEN_OPTION_COUNT,
    .run = run_scen,
};
