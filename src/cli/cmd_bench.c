// SPDX-License-Identifier: MIT
// octant bench: runs the measurements and prints them as a table, as JSON, as CSV; and repeats the
// tables that others printed.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include "bench/table_flights.h"
#include "bench/table_graphs.h"
#include "bench/table_mesh.h"
#include "bench/table_puzzles.h"
#include "bench/table_surfaces.h"
#include "bench/table_units.h"
#include "bench/table_worlds.h"
#include "cli/lab_table.h"
#include "cli/swarm_out.h"
#include "cli/table.h"
#include "files/files_internal.h"
#include "octant/generate.h"

#include <stdlib.h>
#include <string.h>

#define DATA_DEFAULT "../shared/data"
#define BENCH_THREADS 2 // what goals of several threads are meant for

enum { BENCH_NAME, BENCH_TABLE, BENCH_OPERAND_COUNT };
enum {
    BENCH_REPEAT,
    BENCH_FILTER,
    BENCH_SIZE,
    BENCH_SCENES,
    BENCH_DATA,
    BENCH_CSV,
    BENCH_SVG,
    BENCH_TRACE,
    BENCH_MAP,
    BENCH_UNITS,
    BENCH_SECONDS,
    BENCH_OPTION_COUNT
};

// ---- rows of the suites ----

static void fill_row(const void *of, table_fields *out)
{
    const bench_row *const row = of;
    const bool has_baseline = row->baseline[0] != '\0', has_goal = row->goal >= 0.0;
    add_text(out, "name", row->name);
    add_text(out, "metric", row->metric);
    add_number(out, "value", row->value);
    add_number(out, "spread", 100.0 * oct_bench_spread(row));
    add_text(out, "baseline", has_baseline ? row->baseline : NULL);
    add_number_if(has_baseline, out, "ratio", row->ratio);
    add_flag(out, "equal", row->equal);
    add_number_if(has_goal, out, "goal", row->goal);
    add_count(out, "operations", row->operations);
    add_count(out, "checksum", row->checksum);
    add_field(out, (table_field){.name = "met",
                                 .kind = has_goal ? FIELD_FLAG : FIELD_NONE,
                                 .flag = row->value <= row->goal});
}

// Whole numbers whole, everything else with four digits.
static void format_value(const bench_row *row, char *out, size_t size)
{
    const bool is_count = strstr(row->metric, "_bytes") || strstr(row->metric, "_allocations") ||
                          strcmp(row->metric, "expanded") == 0;
    snprintf(out, size, is_count ? "%.0f" : "%.4g", row->value);
}

static void print_row(const bench_row *row, int name_width, int base_width)
{
    char value[32];
    char ratio[32] = "";
    format_value(row, value, sizeof value);
    if (row->baseline[0]) {
        snprintf(ratio, sizeof ratio, row->equal ? "equal" : "%.3g", row->ratio);
    }
    printf("%-*s %-22s %12s %6.1f%%", name_width, row->name, row->metric, value,
           100.0 * oct_bench_spread(row));
    if (row->baseline[0] || row->goal >= 0.0) {
        printf("  %-*s %8s", base_width, row->baseline, ratio);
    }
    if (row->goal >= 0.0) {
        const bool met = row->value <= row->goal;
        oct_cli_printf(met ? CLI_GREEN : CLI_RED, met ? "  ok" : "  missed");
        printf(" (%.10g)", row->goal);
    }
    printf("\n");
}

static bool same_scene(const bench_row *a, const bench_row *b)
{
    const size_t length = strcspn(a->name, "/") + 1;
    return strncmp(a->name, b->name, length) == 0;
}

static void print_suites(const oct_array *list)
{
    const bench_row *const rows = list->items;
    int name_width = 20;
    int base_width = 8;
    for (size_t i = 0; i < list->count; i++) {
        const int name_length = (int)strlen(rows[i].name);
        const int base_length = (int)strlen(rows[i].baseline);
        name_width = name_length > name_width ? name_length : name_width;
        base_width = base_length > base_width ? base_length : base_width;
    }
    oct_cli_printf(CLI_BOLD, "%-*s %-22s %12s %7s  %-*s %8s  %s\n", name_width, "name", "metric",
                   "median", "spread", base_width, "baseline", "ratio", "goal");
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0 && !same_scene(&rows[i], &rows[i - 1])) {
            printf("\n");
        }
        print_row(&rows[i], name_width, base_width);
    }
}

static const table suite_table = {.row_bytes = sizeof(bench_row), .fill = fill_row};

// ---- CSV ----

typedef struct csv_job {
    const char *text;
    size_t size;
} csv_job;

static oct_result fill_csv(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const csv_job *const job = ctx;
    (void)error; // what the file refuses it says itself
    return write(file, job->text, job->size) ? OCT_OK : OCT_ERROR_FILE;
}

static int write_csv(const char *path, const table *t, const oct_array *rows)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);
    if (!stream) {
        return oct_cli_check(path, OCT_ERROR_MEMORY);
    }
    oct_table_write_csv(t, rows, stream);
    const bool whole = !ferror(stream);
    oct_error error = {.line = 0};
    oct_result result = fclose(stream) == 0 && whole ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        csv_job job = {text, size};
        result = oct_file_replace(path, fill_csv, &job, NULL, &error);
    }
    free(text);
    return oct_cli_check_file(path, result, &error);
}

// ---- the command ----

static bench_options options_of(const cli_args *args)
{
    const cli_value *const options = args->options;
    const char *const environment = getenv("OCTANT_DATA");
    const char *const data = environment && environment[0] ? environment : DATA_DEFAULT;
    return (bench_options){
        .repeat = (int)options[BENCH_REPEAT].integer,
        .size = (uint32_t)options[BENCH_SIZE].integer,
        .filter = options[BENCH_FILTER].text,
        .scenes = options[BENCH_SCENES].text,
        .data = options[BENCH_DATA].text ? options[BENCH_DATA].text : data,
        .progress = oct_cli_progress,
    };
}

static int complain_bench(const bench_report *report, oct_result result)
{
    return oct_cli_complain("bench: %s",
                            report->message[0] ? report->message : oct_result_text(result));
}

// All that was measured, also what was before a failure: it took long. A CSV file that cannot be
// written is no reason not to print. Rows that were printed one by one are not printed again.
static int show(const cli_args *args, const char *key, const table *t, const oct_array *rows,
                bool are_printed)
{
    const char *const path = args->options[BENCH_CSV].text;
    int code = CLI_YES;
    if (rows->count == 0) {
        return CLI_YES;
    }
    if (path) {
        code = write_csv(path, t, rows);
    }
    if (args->json) {
        CLI_TRY(oct_cli_print_json(json_pack("{s:o}", key, oct_table_json(t, rows))));
    } else if (t == &suite_table) {
        print_suites(rows);
    } else if (are_printed) {
        oct_table_print_end(t, rows);
    } else {
        oct_table_print(t, rows);
    }
    return code;
}

static int run_suites(const cli_args *args)
{
    int code = CLI_YES;
    cli_threads *const threads = oct_cli_threads_create(BENCH_THREADS);
    const oct_executor executor = threads ? oct_cli_threads_executor(threads) : (oct_executor){0};
    bench_report report = {.options = options_of(args)};
    report.options.executor = threads ? &executor : NULL;
    const oct_result result = oct_bench_run(args->operands[BENCH_NAME].text, &report);
    oct_cli_threads_destroy(threads);
    report.options.executor = NULL;
    oct_cli_progress("", 1, 1);
    if (result != OCT_OK) {
        code = complain_bench(&report, result);
    } else if (report.rows.count == 0 && report.skipped[0]) {
        code = oct_cli_complain("bench: nothing to measure: there is no %s", report.skipped);
    } else if (report.rows.count == 0) {
        code = oct_cli_complain("bench: no row matches --filter '%s'", report.options.filter);
    } else if (report.skipped[0]) {
        oct_cli_warn("bench: left out, since it is not there: %s", report.skipped);
    }
    const int shown = show(args, "bench", &suite_table, &report.rows, false);
    code = code == CLI_YES ? shown : code;
    oct_bench_free(&report);
    return code;
}

// A table, and how it is measured.
typedef struct table_form {
    const table *table;
    oct_result (*measure)(bench_report *report, oct_array *rows);
    int (*run)(const bench_options *options, oct_array *rows); // instead; complains by itself
    int (*draw)(const char *folder, const oct_array *rows);    // NULL = there are no plots
    const char *no_size;  // what to say of --size where it means nothing
    int repeat;           // where --repeat is not given; 0 = as the option says
    const char *scenes;   // where --scenes is not given
    bool takes_all_cores; // its rows are measured side by side
    bool tells_rows;      // each as soon as it is measured
} table_form;

static oct_result measure_units(bench_report *report, oct_array *rows)
{
    return oct_table_units(report, UNITS_RUNS, rows);
}

// In the order of the operand's words.
enum {
    TABLE_WORLDS,
    TABLE_MESH,
    TABLE_FLAT,
    TABLE_UNITS,
    TABLE_FLIGHTS,
    TABLE_PUZZLES,
    TABLE_SURFACES,
    TABLE_GRAPHS
};

static const table_form forms[] = {
    [TABLE_WORLDS] = {&oct_worlds_table, .measure = oct_table_worlds},
    [TABLE_MESH] = {&oct_mesh_table, .measure = oct_table_mesh},
    [TABLE_FLAT] = {&oct_flat_table, .run = oct_lab_table_run, .draw = oct_lab_table_draw,
                    .repeat = LAB_TABLE_MAPS},
    [TABLE_UNITS] = {&oct_units_table, .measure = measure_units,
                     .no_size = "the scenes of table units have one size"},
    [TABLE_FLIGHTS] = {&oct_flights_table, .measure = oct_table_flights,
                       .no_size = "the worlds of flights have one size", .repeat = FLIGHTS_DEFAULT,
                       .scenes = OCT_BENCH_WORLDS, .takes_all_cores = true},
    [TABLE_PUZZLES] = {&oct_puzzles_table, .measure = oct_table_puzzles,
                       .no_size = "puzzles have no size", .repeat = PUZZLES_DEFAULT,
                       .takes_all_cores = true, .tells_rows = true},
    [TABLE_SURFACES] = {&oct_surfaces_table, .measure = oct_table_surfaces,
                        .no_size = "the meshes of table surfaces have one size"},
    [TABLE_GRAPHS] = {&oct_graphs_table, .measure = oct_table_graphs},
};

static bool prints_rows(const cli_args *args, const table_form *form)
{
    return form->tells_rows && !args->json;
}

// Rows that are printed one by one.
typedef struct row_printer {
    const table *table;
    bool has_begun;
} row_printer;

static void print_measured(void *ctx, const void *row)
{
    row_printer *const p = ctx;
    oct_cli_progress("", 1, 1);
    oct_table_print_row(p->table, row, p->has_begun ? row : NULL);
    (void)fflush(stdout);
    p->has_begun = true;
}

// Complains where it fails.
static int measure(const cli_args *args, const table_form *form, oct_array *rows)
{
    bench_report report = {.options = options_of(args)};
    bench_options *const options = &report.options;
    if (form->repeat > 0 && !args->options[BENCH_REPEAT].given) {
        options->repeat = form->repeat;
    }
    options->scenes = options->scenes ? options->scenes : form->scenes;
    row_printer printer = {.table = form->table};
    options->measured = prints_rows(args, form) ? print_measured : NULL;
    options->measured_ctx = &printer;
    cli_threads *const threads =
        form->takes_all_cores ? oct_cli_threads_create(oct_cli_cores()) : NULL;
    const oct_executor executor = threads ? oct_cli_threads_executor(threads) : (oct_executor){0};
    options->executor = threads ? &executor : NULL;
    int code = CLI_YES;
    if (form->run) {
        code = form->run(options, rows);
    } else {
        const oct_result result = form->measure(&report, rows);
        code = result == OCT_OK ? CLI_YES : complain_bench(&report, result);
    }
    oct_cli_threads_destroy(threads);
    oct_cli_progress("", 1, 1);
    if (code == CLI_YES && rows->count == 0) {
        code = oct_cli_complain("bench: no table matches --filter '%s'", options->filter);
    }
    return code;
}

static int run_table(const cli_args *args)
{
    const table_form *const form = &forms[args->operands[BENCH_TABLE].integer];
    const char *const folder = args->options[BENCH_SVG].text;
    if (folder && !form->draw) {
        return oct_cli_complain("bench: --svg is for table flat");
    }
    if (form->no_size && args->options[BENCH_SIZE].given) {
        return oct_cli_complain("bench: %s", form->no_size);
    }
    if (folder) {
        CLI_TRY(oct_lab_table_add_plots(folder, args->files));
    }
    oct_array rows = {.count = 0};
    int code = measure(args, form, &rows);
    const int shown = show(args, "table", form->table, &rows, prints_rows(args, form));
    code = code == CLI_YES ? shown : code;
    if (code == CLI_YES && folder) {
        code = form->draw(folder, &rows);
    }
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&rows, &memory, form->table->row_bytes);
    return code;
}

// ---- a swarm to look at ----

static const cli_param world_options[] = {CLI_WORLD_OPTIONS};

static int run_swarm(const cli_args *args)
{
    const cli_value *const options = args->options;
    cli_value worlds[CLI_WORLD_OPTION_COUNT] = {{.given = false}};
    const cli_swarm plan = {.trace = options[BENCH_TRACE].text,
                            .map = options[BENCH_MAP].text,
                            .size = (uint32_t)options[BENCH_SIZE].integer,
                            .units = (uint32_t)options[BENCH_UNITS].integer,
                            .seconds = (uint32_t)options[BENCH_SECONDS].integer};
    oct_cli_fill_in(world_options, CLI_WORLD_OPTION_COUNT, worlds);
    CLI_TRY(oct_cli_swarm(&plan, worlds, args->files));
    if (args->json) {
        return oct_cli_print_json(json_pack("{s:s, s:I, s:I}", "trace", plan.trace, "units",
                                            (json_int_t)plan.units, "seconds",
                                            (json_int_t)plan.seconds));
    }
    printf("%u units, %u s; 'octant view %s' shows them\n", plan.units, plan.seconds,
           CLI_SHOWN(plan.trace));
    return CLI_YES;
}

static int check_swarm(const cli_args *args)
{
    const cli_value *const name = &args->operands[BENCH_NAME];
    const bool is_swarm = name->given && strcmp(name->text, "swarm") == 0;
    static const struct {
        int option;
        const char *name;
    } of_swarms[] = {{BENCH_MAP, "map"}, {BENCH_UNITS, "units"}, {BENCH_SECONDS, "seconds"}};
    if (args->options[BENCH_TRACE].given && !is_swarm) {
        return oct_cli_complain("bench: --trace is for swarm");
    }
    for (size_t i = 0; i < sizeof of_swarms / sizeof of_swarms[0]; i++) {
        if (args->options[of_swarms[i].option].given && !args->options[BENCH_TRACE].given) {
            return oct_cli_complain("bench: --%s is for swarm with --trace", of_swarms[i].name);
        }
    }
    return CLI_YES;
}

static int run_bench(const cli_args *args)
{
    const cli_value *const name = &args->operands[BENCH_NAME];
    const cli_value *const which = &args->operands[BENCH_TABLE];
    const bool is_table = name->given && strcmp(name->text, "table") == 0;
    if (is_table && !which->given) {
        return oct_cli_complain("bench: TABLE is missing; 'octant bench --help' says more");
    }
    if (!is_table && which->given) {
        return oct_cli_complain("bench: '%s' is one argument too many", which->text);
    }
    if (!is_table && args->options[BENCH_SVG].given) {
        return oct_cli_complain("bench: --svg is for table flat");
    }
    CLI_TRY(check_swarm(args));
    return is_table                           ? run_table(args)
           : args->options[BENCH_TRACE].given ? run_swarm(args)
                                              : run_suites(args);
}

static const cli_param bench_operands[BENCH_OPERAND_COUNT] = {
    [BENCH_NAME] = CLI_PARAM_CHOICE("NAME", "map|search|flat|frontier|moving|swarm|game|link|table",
                                    NULL, "which measurements (default all but tables), one of"),
    [BENCH_TABLE] =
        CLI_PARAM_CHOICE("TABLE", "worlds|mesh|flat|units|flights|puzzles|surfaces|graphs", NULL,
                         "of table: which, or whose is measured anew, one of"),
};

static const cli_param bench_command_options[BENCH_OPTION_COUNT] = {
    [BENCH_REPEAT] =
        CLI_PARAM_INTEGER("repeat", "N", "11", 1, 1000,
                          "rounds of each row (flights, puzzles 1000; levels 125; flat 10)"),
    [BENCH_FILTER] =
        CLI_PARAM_TEXT("filter", "TEXT", "",
                       "only rows whose 'SCENE/STRUCTURE metric' holds TEXT, and their "
                       "baselines"),
    [BENCH_SIZE] =
        CLI_PARAM_INTEGER("size", "N", "256", 2 * OCT_GENERATE_SIZE_MIN,
                          OCT_GENERATE_CHECKERBOARD_MAX, "edge of the generated scenes, cells"),
    [BENCH_SCENES] = CLI_PARAM_FOLDER(
        "scenes",
        "take clusters.3dmap, ... from here where present; worlds (default " OCT_BENCH_WORLDS ")"),
    [BENCH_DATA] =
        CLI_PARAM_FOLDER("data", "folder of real maps and worlds (default $OCTANT_DATA, else "
                                 "../shared/data)"),
    [BENCH_CSV] = CLI_PARAM_OUTPUT("csv", "also write the rows to a CSV file"),
    [BENCH_SVG] = CLI_PARAM_FOLDER("svg", "of table flat: draw its plots into this folder"),
    [BENCH_TRACE] = CLI_PARAM_OUTPUT("trace", "of swarm: measure nothing, and write what units do, "
                                              "for 'octant view'"),
    [BENCH_MAP] = CLI_PARAM_FILE("map", "of --trace: in this map or world (default: the bench's)"),
    [BENCH_UNITS] = CLI_PARAM_INTEGER("units", "N", "10000", 1, 100000, "of --trace: how many"),
    [BENCH_SECONDS] = CLI_PARAM_INTEGER("seconds", "N", "20", 1, 3600, "of --trace: how long"),
};

const cli_command oct_cmd_bench = {
    .name = "bench",
    .summary = "measures, each row against its baseline in the same run",
    .details =
        "  A row's value is the median of its rounds, each the fastest of three runs (of searches: "
        "the\n"
        "  only one), in CPU time of the thread (of swarms: time that passes, on two threads); "
        "its\n"
        "  spread is the distance between the quartiles in percent. Where the quartiles of a row "
        "and its\n"
        "  baseline overlap, they are called equal. Goals depend on the machine; a missed one is "
        "no "
        "error.\n"
        "  Tables: --filter chooses among the rows of worlds, as 'memory/world3 octree', with the "
        "tables\n"
        "  memory, whole, run, times and explore, and --size is that of worlds without data; among "
        "wall,\n"
        "  sphere and complex of mesh, whose scenes have half of --size;\n"
        "  among size, coverage, clustering, centre-size, centre-coverage, centre-clustering, "
        "blocks,\n"
        "  squeeze, graphs and databases of flat, whose maps have --size cells along an edge, or "
        "an "
        "eighth\n"
        "  of it to four times as many; among the rows of units, as wall/15/pruned-greedy, whose "
        "scenes\n"
        "  have one size; and among those of flights, as tight/delayed/yaw: random flights in the "
        "worlds\n"
        "  of --scenes, so many as --repeat says; and among reach, learn and the classes of levels "
        "of\n"
        "  puzzles, so many a row.",
    .operands = bench_operands,
    .operand_count = BENCH_OPERAND_COUNT,
    .options = bench_command_options,
    .option_count = BENCH_OPTION_COUNT,
    .run = run_bench,
};
