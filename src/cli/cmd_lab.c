// SPDX-License-Identifier: MIT
// octant lab: algorithms compared on flat maps, one row a run.
#include "cli/lab.h"
#include "cli/picture.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAB_CSV,
    LAB_ALGORITHMS,
    LAB_SIZE,
    LAB_COVERAGE,
    LAB_CLUSTERING,
    LAB_MAPS,
    LAB_TASKS,
    LAB_ENDS,
    LAB_SCEN,
    LAB_LIMIT,
    LAB_SEED,
    LAB_SQUEEZE,
    LAB_OPTIMUM,
    LAB_CHECK,
    LAB_REPEAT,
    LAB_THREADS,
    LAB_RESUME,
    LAB_FORCE,
    LAB_SAVE,
    LAB_SVG,
    LAB_WITHOUT_PATHS,
    LAB_SAVE_MAPS,
    LAB_HEURISTIC,
    LAB_OPTION_COUNT
};
enum { ENDS_CORNER, ENDS_CENTRE };

// What is said of one algorithm: sums.
typedef struct tally {
    size_t runs, found, rated;
    double ratio, turning_degrees, graph_us, path_us, expanded, nodes;
    size_t measured; // graphs
    double graph_nodes, graph_edges;
} tally;

// A whole run of the command.
typedef struct session {
    lab_plan plan;
    lab_csv csv;
    lab_runner *runner;
    tally tallies[LAB_ITEMS_MAX];
    size_t rows;    // of the file
    size_t kept;    // of them were there before
    size_t total;   // there will be
    size_t invalid; // paths
    char why[LAB_WHY_MAX];
    const char *save;
    const cli_value *svg;
    bool with_paths; // in that file
    size_t saved;    // files
    double elapsed_s;
} session;

// ---- what came out ----

static void count(tally *t, const lab_result *result)
{
    t->runs++;
    t->graph_us += result->graph_us;
    t->path_us += result->path_us;
    t->expanded += (double)result->expanded;
    t->nodes += (double)result->nodes;
    if (result->has_size) {
        t->measured++;
        t->graph_nodes += (double)result->size.nodes;
        t->graph_edges += (double)result->size.edges;
    }
    if (result->status != OCT_PATH_FOUND) {
        return;
    }
    t->found++;
    t->turning_degrees += result->turning_degrees;
    if (result->optimum > 0.0) {
        t->rated++;
        t->ratio += result->length / result->optimum;
    }
}

// -1 where there is none.
static double mean_of(double sum, size_t count)
{
    return count > 0 ? sum / (double)count : -1.0;
}

static json_t *mean_json(double mean)
{
    return mean >= 0.0 ? json_real(mean) : json_null();
}

static json_t *algorithms_json(const session *s)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < s->plan.item_count; i++) {
        const lab_item *const item = &s->plan.items[i];
        const tally *const t = &s->tallies[i];
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s?, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                      oct_lab_algorithm_name(item->algorithm), "graph",
                      oct_lab_graph_name(item->graph), "variant",
                      item->variant[0] ? item->variant : NULL, "runs", (json_int_t)t->runs, "found",
                      (json_int_t)t->found, "mean_ratio", mean_json(mean_of(t->ratio, t->rated)),
                      "mean_turning_degrees", mean_json(mean_of(t->turning_degrees, t->found)),
                      "mean_graph_us", mean_json(mean_of(t->graph_us, t->runs)), "mean_path_us",
                      mean_json(mean_of(t->path_us, t->runs)), "mean_expanded",
                      mean_json(mean_of(t->expanded, t->runs)), "mean_nodes",
                      mean_json(mean_of(t->nodes, t->runs)), "mean_graph_nodes",
                      mean_json(mean_of(t->graph_nodes, t->measured)), "mean_graph_edges",
                      mean_json(mean_of(t->graph_edges, t->measured))));
    }
    return list;
}

static int print_json(const session *s)
{
    json_t *const name = s->csv.path ? json_string(s->csv.path) : NULL; // or where it is not UTF-8
    return oct_cli_print_json(
        json_pack("{s:I, s:o, s:I, s:I, s:I, s:o, s:b, s:I, s:f, s:o}", "runs", (json_int_t)s->rows,
                  "csv", name ? name : json_null(), "skipped", (json_int_t)s->kept, "maps",
                  (json_int_t)s->plan.source_count, "saved", (json_int_t)s->saved, "invalid_paths",
                  s->plan.check ? json_integer((json_int_t)s->invalid) : json_null(), "squeeze",
                  (int)s->plan.squeeze, "threads",
                  s->runner ? (json_int_t)oct_lab_runner_threads(s->runner) : 0, "total_s",
                  s->elapsed_s, "algorithms", algorithms_json(s)));
}

// A mean in its column, or a dash.
static void print_mean(int width, int decimals, double mean)
{
    char digits[32] = "-";
    if (mean >= 0.0) {
        snprintf(digits, sizeof digits, "%.*f", decimals, mean);
    }
    printf("  %*s", width, digits);
}

static void print_text(const session *s)
{
    int width = (int)strlen("algorithm");
    for (size_t i = 0; i < s->plan.item_count; i++) {
        const int length = (int)strlen(s->plan.items[i].name);
        width = length > width ? length : width;
    }
    if (!s->csv.path) {
        printf("%zu map%s saved in %zu file%s\n", s->plan.source_count,
               s->plan.source_count == 1 ? "" : "s", s->saved, s->saved == 1 ? "" : "s");
        return;
    }
    oct_cli_printf(CLI_BOLD, "%zu run%s", s->rows, s->rows == 1 ? "" : "s");
    printf(" in %s: %zu map%s, %s between blocked corners", CLI_SHOWN(s->csv.path),
           s->plan.source_count, s->plan.source_count == 1 ? "" : "s",
           s->plan.squeeze ? "squeezing" : "no squeezing");
    if (s->kept > 0) {
        printf("; %zu of them were there", s->kept);
    }
    printf("\n\n  %-*s  %7s  %7s  %9s  %9s  %10s  %10s  %10s  %10s\n", width, "algorithm", "runs",
           "found", "ratio", "turning", "graph us", "path us", "expanded", "nodes");
    for (size_t i = 0; i < s->plan.item_count; i++) {
        const tally *const t = &s->tallies[i];
        printf("  %-*s  %7zu  %7zu", width, s->plan.items[i].name, t->runs, t->found);
        print_mean(9, 6, mean_of(t->ratio, t->rated));
        print_mean(9, 1, mean_of(t->turning_degrees, t->found));
        print_mean(10, 1, mean_of(t->graph_us, t->runs));
        print_mean(10, 1, mean_of(t->path_us, t->runs));
        print_mean(10, 1, mean_of(t->expanded, t->runs));
        print_mean(10, 1, mean_of(t->nodes, t->runs));
        printf("\n");
    }
    if (s->plan.check) {
        oct_cli_printf(s->invalid ? CLI_RED : CLI_GREEN, "\n  %s\n",
                       s->invalid ? "not all paths are valid" : "all paths are valid");
    }
}

static int report(const cli_args *args, const session *s)
{
    if (args->json) {
        CLI_TRY(print_json(s));
    } else {
        print_text(s);
    }
    if (s->invalid > 0) {
        oct_cli_complain("lab: %zu path%s not valid; the first: %s", s->invalid,
                         s->invalid == 1 ? " is" : "s are", s->why);
        return CLI_NO;
    }
    return CLI_YES;
}

// ---- maps, one after the other ----

static lab_row row_of(const session *s, const lab_map *map, size_t row)
{
    const size_t items = s->plan.item_count;
    return (lab_row){&s->plan, map, row / items, &s->plan.items[row % items]};
}

// Takes rows that the file has already; *first is the first that it has not.
static int take_rows(session *s, const lab_map *map, lab_result *results, size_t *first)
{
    const size_t rows = map->task_count * s->plan.item_count;
    bool kept = true;
    for (*first = 0; *first < rows && kept; *first += kept) {
        const lab_row row = row_of(s, map, *first);
        CLI_TRY(oct_lab_csv_take(&s->csv, &row, &kept, &results[*first]));
    }
    s->kept += *first;
    return CLI_YES;
}

static int write_rows(session *s, const lab_map *map, const lab_result *results, size_t first)
{
    const size_t rows = map->task_count * s->plan.item_count;
    int code = CLI_YES;
    for (size_t i = 0; i < rows && code == CLI_YES; i++) {
        const lab_row row = row_of(s, map, i);
        code = i < first ? CLI_YES : oct_lab_csv_add(&s->csv, &row, &results[i]);
        count(&s->tallies[i % s->plan.item_count], &results[i]);
        s->invalid +=
            i >= first && s->plan.check && results[i].status == OCT_PATH_FOUND && !results[i].valid;
        s->rows++;
    }
    return code;
}

// The paths of one task, in metres of the map.
static int draw(const session *s, const lab_map *map, const lab_result *results)
{
    static const cli_value no_slice;
    oct_point *points[LAB_ITEMS_MAX] = {NULL};
    char names[LAB_ITEMS_MAX][LAB_NAME_MAX + 32];
    const oct_tree *const tree = map->scene.tree;
    const oct_point origin = oct_tree_origin(tree);
    const double cell = oct_tree_cell_size(tree);
    cli_picture picture = {.file = map->name,
                           .title = map->name,
                           .tree = tree,
                           .box = map->scene.info.box,
                           .up = OCT_UP_Z};
    bool has_room = true;
    for (size_t i = 0; s->svg->given && i < s->plan.item_count; i++) {
        const lab_result *const r = &results[i];
        snprintf(names[i], sizeof names[i], r->point_count > 0 ? "%s: %.6g" : "%s: no path",
                 s->plan.items[i].name, r->length);
        points[i] = calloc((size_t)r->point_count + 1, sizeof **points);
        has_room = has_room && points[i];
        for (uint32_t k = 0; points[i] && r->points && k < r->point_count; k++) {
            points[i][k] = (oct_point){origin.x + r->points[k][0] * cell,
                                       origin.y + r->points[k][1] * cell, 0.0};
        }
        picture.ways[i].points = points[i];
        picture.ways[i].count = r->points ? r->point_count : 0;
        picture.ways[i].name = names[i];
        picture.way_count++;
    }
    const int code = has_room ? oct_cli_draw(&picture, s->svg, &no_slice)
                              : oct_cli_check("lab", OCT_ERROR_MEMORY);
    for (size_t i = 0; i < s->plan.item_count; i++) {
        free(points[i]);
    }
    return code;
}

static int do_results(session *s, const lab_map *map, lab_result *results)
{
    const size_t rows = map->task_count * s->plan.item_count;
    size_t first;
    CLI_TRY(take_rows(s, map, results, &first));
    if (first < rows) {
        const lab_progress progress = {s->rows + first, s->total};
        CLI_TRY(oct_lab_run(s->runner, map, first, results, progress, s->why));
    }
    if (oct_cli_is_stopped()) {
        return CLI_INTERRUPTED;
    }
    return write_rows(s, map, results, first);
}

// What is to be saved of a map; `results` are NULL where nothing was run.
static int save_map(session *s, const lab_map *map, const lab_result *results)
{
    if (s->plan.suite) {
        CLI_TRY(oct_lab_save_suite(&s->plan, map, &s->saved));
    }
    if (!s->save) {
        return CLI_YES;
    }
    s->saved++;
    return oct_lab_save(s->save, &s->plan, map, s->with_paths ? results : NULL);
}

static int run_map(session *s, const lab_map *map)
{
    const size_t rows = map->task_count * s->plan.item_count;
    lab_result *const results = calloc(rows, sizeof *results);
    int code = results ? do_results(s, map, results) : oct_cli_check("lab", OCT_ERROR_MEMORY);
    if (code == CLI_YES) {
        code = save_map(s, map, results);
    }
    if (code == CLI_YES) {
        code = draw(s, map, results);
    }
    for (size_t i = 0; results && i < rows; i++) {
        free(results[i].points);
    }
    free(results);
    return code;
}

static int do_map(session *s, const lab_source *source)
{
    lab_map map;
    CLI_TRY(oct_lab_open_map(&s->plan, source, &map));
    const int code = s->csv.path ? run_map(s, &map) : save_map(s, &map, NULL);
    oct_lab_close_map(&map);
    return code;
}

static int do_maps(session *s)
{
    int code = CLI_YES;
    const double start = oct_cli_wall_ms();
    for (size_t i = 0; i < s->plan.source_count; i++) {
        s->total += s->plan.sources[i].task_count * s->plan.item_count;
    }
    oct_cli_catch_signals();
    for (size_t i = 0; i < s->plan.source_count && code == CLI_YES; i++) {
        code = oct_cli_is_stopped() ? CLI_INTERRUPTED : do_map(s, &s->plan.sources[i]);
    }
    oct_cli_release_signals();
    oct_cli_progress("", 1, 1);
    s->elapsed_s = (oct_cli_wall_ms() - start) * 1e-3;
    if (code == CLI_INTERRUPTED && !s->csv.path) {
        oct_cli_complain("lab: interrupted: %zu files are written", s->saved);
    } else if (code == CLI_INTERRUPTED) {
        oct_cli_complain("lab: interrupted: %zu of %zu rows are in %s; --resume goes on with it",
                         s->rows, s->total, s->csv.path);
    }
    return code;
}

// ---- the plan ----

// Rows may be missing where nothing that is saved needs them: then nothing is run.
static int check_saving(const cli_value *options)
{
    const bool is_bare = options[LAB_WITHOUT_PATHS].given;
    if (is_bare && !options[LAB_SAVE].given) {
        return oct_cli_complain("lab: --without-paths is for --save");
    }
    const bool saves_alone = is_bare || (options[LAB_SAVE_MAPS].given && !options[LAB_SAVE].given);
    if (options[LAB_CSV].given || (saves_alone && !options[LAB_SVG].given)) {
        return CLI_YES;
    }
    return oct_cli_complain("lab: --csv is missing; 'octant lab --help' says more");
}

static int check_options(const cli_value *options, size_t file_count, bool makes)
{
    if (file_count == 0 && !makes) {
        return oct_cli_complain("lab: no maps; name files, or have some made by --size, "
                                "--coverage, --clustering and --maps");
    }
    if (options[LAB_SCEN].given && (file_count != 1 || makes)) {
        return oct_cli_complain("lab: --scen is for one map file");
    }
    if (options[LAB_SCEN].given && options[LAB_TASKS].given) {
        return oct_cli_complain("lab: --tasks is for random tasks, but --scen has its own; --limit "
                                "takes some of them");
    }
    if (options[LAB_LIMIT].given && !options[LAB_SCEN].given) {
        return oct_cli_complain("lab: --limit is for --scen; --tasks says how many random tasks");
    }
    if (options[LAB_RESUME].given && options[LAB_FORCE].given) {
        return oct_cli_complain("lab: --resume keeps what --force replaces; only one of them");
    }
    CLI_TRY(check_saving(options));
    if (options[LAB_RESUME].given && options[LAB_SAVE].given && !options[LAB_WITHOUT_PATHS].given) {
        return oct_cli_complain(
            "lab: --save needs the paths, which rows that --resume keeps do not "
            "have");
    }
    if (options[LAB_RESUME].given && options[LAB_SVG].given) {
        return oct_cli_complain("lab: --svg needs the paths, which rows that --resume keeps do not "
                                "have");
    }
    if (options[LAB_SAVE].given && !oct_world_is_target(options[LAB_SAVE].text)) {
        return oct_cli_complain("%s: laboratory files are written as .json",
                                options[LAB_SAVE].text);
    }
    return CLI_YES;
}

static int plan_maps(const cli_args *args, bool makes, lab_plan *plan)
{
    const cli_value *const options = args->options;
    CLI_TRY(oct_lab_plan_files(args->many, args->many_count, plan));
    if (makes) {
        CLI_TRY(oct_lab_plan_made(options[LAB_SIZE].text, options[LAB_COVERAGE].text,
                                  options[LAB_CLUSTERING].text, (size_t)options[LAB_MAPS].integer,
                                  plan));
    }
    return oct_lab_plan_squeeze(plan);
}

static int plan_items(const cli_value *options, lab_plan *plan)
{
    CLI_TRY(oct_lab_read_items(options[LAB_ALGORITHMS].text,
                               (oct_lab_heuristic)options[LAB_HEURISTIC].integer, plan));
    lab_item unused;
    if (plan->optimum && oct_lab_optimum_item(plan) == SIZE_MAX &&
        !oct_lab_make_optimum_item(&unused)) {
        return oct_cli_complain("lab: --optimum needs an algorithm that finds it");
    }
    return CLI_YES;
}

static int check_save(const lab_plan *plan, const char *option)
{
    if (plan->source_count == 1 && plan->sources[0].task_count == 1) {
        return CLI_YES;
    }
    return oct_cli_complain(plan->source_count == 1 ? "lab: --%s is for one task; --tasks 1 has "
                                                      "one"
                                                    : "lab: --%s is for one map",
                            option);
}

static int make_plan(const cli_args *args, lab_plan *plan)
{
    const cli_value *const options = args->options;
    const bool makes = options[LAB_SIZE].given || options[LAB_COVERAGE].given ||
                       options[LAB_CLUSTERING].given || options[LAB_MAPS].given;
    plan->files = args->files;
    plan->scen = options[LAB_SCEN].text;
    plan->limit = (size_t)options[LAB_LIMIT].integer;
    plan->tasks = (size_t)options[LAB_TASKS].integer;
    plan->tasks_given = options[LAB_TASKS].given;
    plan->centre = options[LAB_ENDS].integer == ENDS_CENTRE;
    plan->seed = (uint64_t)options[LAB_SEED].integer;
    plan->repeat = (uint32_t)options[LAB_REPEAT].integer;
    plan->squeeze = options[LAB_SQUEEZE].given;
    plan->check = options[LAB_CHECK].given;
    plan->optimum = options[LAB_OPTIMUM].given;
    plan->suite = options[LAB_SAVE_MAPS].text;
    plan->keep_points =
        (options[LAB_SAVE].given && !options[LAB_WITHOUT_PATHS].given) || options[LAB_SVG].given;
    CLI_TRY(check_options(options, args->many_count, makes));
    CLI_TRY(plan_items(options, plan));
    CLI_TRY(plan_maps(args, makes, plan));
    if (plan->squeeze) {
        CLI_TRY(oct_lab_squeeze_items(!options[LAB_ALGORITHMS].given, plan));
    }
    if (plan->suite) {
        CLI_TRY(oct_lab_add_suite(plan));
    }
    if (options[LAB_SAVE].given) {
        CLI_TRY(check_save(plan, "save"));
    }
    return options[LAB_SVG].given ? check_save(plan, "svg") : CLI_YES;
}

// ---- the command ----

static int do_runs(const cli_args *args, session *s)
{
    const cli_value *const options = args->options;
    const cli_rows_mode mode = options[LAB_RESUME].given  ? CLI_ROWS_RESUME
                               : options[LAB_FORCE].given ? CLI_ROWS_FORCE
                                                          : CLI_ROWS_NEW;
    int code = oct_lab_csv_open(&s->csv, options[LAB_CSV].text, mode);
    if (code == CLI_YES) {
        code = oct_lab_open_distances(&s->plan);
    }
    if (code == CLI_YES) {
        const cli_value *const threads = &options[LAB_THREADS];
        s->runner = oct_lab_runner_create(&s->plan, threads->given ? (uint32_t)threads->integer
                                                                   : oct_cli_cores());
        code = s->runner ? do_maps(s) : oct_cli_check("lab", OCT_ERROR_MEMORY);
    }
    return oct_lab_csv_close(&s->csv, code);
}

static int do_session(const cli_args *args, session *s)
{
    int code = args->options[LAB_CSV].given ? do_runs(args, s) : do_maps(s);
    if (code == CLI_YES) {
        code = report(args, s);
    }
    oct_lab_runner_destroy(s->runner);
    oct_lab_close_distances(&s->plan);
    return code;
}

static int run_lab(const cli_args *args)
{
    session s = {.save = args->options[LAB_SAVE].text,
                 .with_paths = !args->options[LAB_WITHOUT_PATHS].given,
                 .svg = &args->options[LAB_SVG]};
    int code = make_plan(args, &s.plan);
    if (code == CLI_YES) {
        code = do_session(args, &s);
    }
    free(s.plan.sources);
    return code;
}

static const cli_param lab_operands[] = {
    {.name = "MAP",
     .kind = CLI_FILE,
     .many = true,
     .help = "a .map, a flat .octant, or a laboratory file: .json"},
};

static const cli_param lab_options[LAB_OPTION_COUNT] = {
    [LAB_CSV] = {.name = "csv",
                 .kind = CLI_ROWS,
                 .value = "FILE",
                 .help = "write a row for each run, map by map; without it maps are saved alone"},
    [LAB_ALGORITHMS] =
        CLI_PARAM_TEXT("algorithms", "LIST", NULL,
                       "which, such as astar,theta:cells (default: twelve; see below)"),
    [LAB_SIZE] =
        CLI_PARAM_TEXT("size", "LIST", "64", "make maps: cells along an edge, such as 64,128,256"),
    [LAB_COVERAGE] = CLI_PARAM_TEXT("coverage", "LIST", "20",
                                    "make maps: blocked cells, percent, such as 10,20,40"),
    [LAB_CLUSTERING] =
        CLI_PARAM_TEXT("clustering", "LIST", "4", "make maps: how they crowd, such as 0,4,16"),
    [LAB_MAPS] =
        CLI_PARAM_INTEGER("maps", "N", "1", 1, 1000000, "make maps: how many of each combination"),
    [LAB_TASKS] = CLI_PARAM_INTEGER("tasks", "N", "10", 1, LAB_TASKS_MAX,
                                    "random starts and goals that are connected, in each map"),
    [LAB_ENDS] = CLI_PARAM_CHOICE("ends", "corner|centre", "corner", "where in a cell they lie"),
    [LAB_SCEN] = CLI_PARAM_FILE("scen", "the queries of a scenario file instead, of one map"),
    [LAB_LIMIT] = CLI_PARAM_INTEGER("limit", "N", NULL, 1, LAB_TASKS_MAX,
                                    "so many of them, evenly spread over the file"),
    [LAB_SEED] = CLI_PARAM_INTEGER("seed", "N", "1", 0, 4503599627370496.0,
                                   "of maps and tasks; the same seed makes the same"),
    [LAB_SQUEEZE] =
        CLI_PARAM_FLAG("squeeze", "let paths pass between blocked cells that meet in a corner"),
    [LAB_OPTIMUM] =
        CLI_PARAM_FLAG("optimum", "find the shortest path though anya is not among them"),
    [LAB_CHECK] = CLI_PARAM_FLAG("check", "judge every path again, cell by cell in exact numbers"),
    [LAB_REPEAT] = CLI_PARAM_INTEGER("repeat", "N", "1", 1, 1000,
                                     "search so often, warm, and take the median time"),
    [LAB_THREADS] = CLI_PARAM_INTEGER("threads", "N", NULL, 1, CLI_THREADS_MAX,
                                      "how many runs at a time (default: one a core)"),
    [LAB_RESUME] = CLI_PARAM_FLAG("resume", "go on with the rows that the CSV file has"),
    [LAB_FORCE] = CLI_PARAM_FLAG("force", "replace the CSV file"),
    [LAB_SVG] = CLI_PARAM_OUTPUT("svg", "of one map and task: draw the paths"),
    [LAB_SAVE] =
        CLI_PARAM_OUTPUT("save", "of one map and task: write a laboratory file with the paths"),
    [LAB_WITHOUT_PATHS] = CLI_PARAM_FLAG("without-paths", "of --save: the map and the task alone"),
    [LAB_SAVE_MAPS] = CLI_PARAM_FOLDER(
        "save-maps", "write made maps as NAME.map, and every task as NAME-TASK.json"),
    [LAB_HEURISTIC] =
        CLI_PARAM_CHOICE("heuristic", oct_cli_heuristic_words, NULL,
                         "what guides algorithms that have a choice and name none, one of"),
};

const cli_command oct_cmd_lab = {
    .name = "lab",
    .summary = "compares algorithms on flat maps, one CSV row a run",
    .details =
        "  An algorithm may name its graph, and what guides it: astar, astar:cells, "
        "astar:visibility-lazy,\n"
        "  astar:lattice:euclidean; block its database: block:4:plain:packed, where edges are 2, 3 "
        "and 4,\n"
        "  kinds plain, semi and full, and packed may be unpacked. The default are dijkstra, "
        "theta,\n"
        "  lazy-theta, astar and astar-smooth on lattice, the last two by both the euclidean and "
        "the\n"
        "  octile heuristic, astar:visibility, block, anya, jps, portal.\n"
        "  Lengths are in cells, times CPU time of the thread. A laboratory file has a task of its "
        "own,\n"
        "  which --tasks overrides. Rows are the same for any number of threads, but for the "
        "times. "
        "Exit\n"
        "  code 1: a path is not valid. Ctrl-C, a crash or a full disk leave whole rows; --resume "
        "does\n"
        "  the rest.",
    .operands = lab_operands,
    .operand_count = sizeof lab_operands / sizeof lab_operands[0],
    .options = lab_options,
    .option_count = LAB_OPTION_COUNT,
    .run = run_lab,
};
