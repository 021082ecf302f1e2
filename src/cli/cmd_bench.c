// SPDX-License-Identifier: MIT
// octant bench: runs the measurements and prints them as a table, as JSON, as CSV; and repeats the
// tables that others printed.
#include "cli/cli_internal.h"

#include "bench/bench.h"
#include "bench/table_mesh.h"
#include "cli/flights_out.h"
#include "cli/lab_table.h"
#include "cli/puzzles_out.h"
#include "cli/units_out.h"
#include "cli/worlds_out.h"
#include "octant/generate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DATA_DEFAULT "../shared/data"
#define PATH_MAX_BYTES 4096
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
    BENCH_OPTION_COUNT
};

// ---- JSON ----

static json_t *row_json(const bench_row *row)
{
    const bool has_base = row->baseline[0] != '\0';
    const bool has_goal = row->goal >= 0.0;
    return json_pack("{s:s, s:s, s:f, s:f, s:o, s:o, s:b, s:o, s:o, s:I, s:I}", "name", row->name,
                     "metric", row->metric, "value", row->value, "spread",
                     100.0 * oct_bench_spread(row), "baseline",
                     has_base ? json_string(row->baseline) : json_null(), "ratio",
                     has_base ? json_real(row->ratio) : json_null(), "equal", (int)row->equal,
                     "goal", has_goal ? json_real(row->goal) : json_null(), "met",
                     has_goal ? json_boolean(row->value <= row->goal) : json_null(), "operations",
                     (json_int_t)row->operations, "checksum", (json_int_t)row->checksum);
}

static int print_json(const bench_report *report)
{
    const bench_row *const rows = report->rows.items;
    json_t *const list = json_array();
    for (size_t i = 0; i < report->rows.count; i++) {
        json_array_append_new(list, row_json(&rows[i]));
    }
    return oct_cli_print_json(json_pack("{s:o}", "bench", list));
}

// ---- text ----

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
        printf("  %s%s%s (%.10g)", oct_cli_style(stdout, met ? CLI_GREEN : CLI_RED),
               met ? "ok" : "missed", oct_cli_style(stdout, CLI_PLAIN), row->goal);
    }
    printf("\n");
}

static bool same_scene(const bench_row *a, const bench_row *b)
{
    const size_t length = strcspn(a->name, "/") + 1;
    return strncmp(a->name, b->name, length) == 0;
}

static void print_text(const bench_report *report)
{
    const bench_row *const rows = report->rows.items;
    int name_width = 20;
    int base_width = 8;
    for (size_t i = 0; i < report->rows.count; i++) {
        const int name_length = (int)strlen(rows[i].name);
        const int base_length = (int)strlen(rows[i].baseline);
        name_width = name_length > name_width ? name_length : name_width;
        base_width = base_length > base_width ? base_length : base_width;
    }
    printf("%s%-*s %-22s %12s %7s  %-*s %8s  %s%s\n", oct_cli_style(stdout, CLI_BOLD), name_width,
           "name", "metric", "median", "spread", base_width, "baseline", "ratio", "goal",
           oct_cli_style(stdout, CLI_PLAIN));
    for (size_t i = 0; i < report->rows.count; i++) {
        if (i > 0 && !same_scene(&rows[i], &rows[i - 1])) {
            printf("\n");
        }
        print_row(&rows[i], name_width, base_width);
    }
}

// ---- CSV ----

static void write_rows(FILE *file, const void *what)
{
    const bench_report *const report = what;
    const bench_row *const rows = report->rows.items;
    fprintf(file, "name,metric,value,spread,baseline,ratio,equal,goal,operations,checksum\n");
    for (size_t i = 0; i < report->rows.count; i++) {
        const bench_row *const row = &rows[i];
        fprintf(file, "%s,%s,%.9g,%.3g,%s,", row->name, row->metric, row->value,
                100.0 * oct_bench_spread(row), row->baseline);
        if (row->baseline[0]) {
            fprintf(file, "%.6g,%s,", row->ratio, row->equal ? "yes" : "no");
        } else {
            fprintf(file, ",,");
        }
        if (row->goal >= 0.0) {
            fprintf(file, "%.9g", row->goal);
        }
        fprintf(file, ",%llu,%llu\n", (unsigned long long)row->operations,
                (unsigned long long)row->checksum);
    }
}

// Measuring takes long: a file that cannot be written is refused before, and written whole or not
// at all after.
typedef struct csv_file {
    const char *path; // NULL = none is wanted
    FILE *stream;
    char temporary[PATH_MAX_BYTES];
} csv_file;

static int csv_open(csv_file *csv, const char *path)
{
    *csv = (csv_file){.path = path};
    if (!path) {
        return CLI_YES;
    }
    const int length = snprintf(csv->temporary, sizeof csv->temporary, "%s.tmp", path);
    if (length < 0 || (size_t)length >= sizeof csv->temporary) {
        return oct_cli_complain("%s: the name is too long", path);
    }
    csv->stream = fopen(csv->temporary, "w");
    return csv->stream ? CLI_YES : oct_cli_complain("%s: %s", path, strerror(errno));
}

typedef void write_fn(FILE *file, const void *what);

static int csv_close(csv_file *csv, write_fn *write, const void *what, int code)
{
    if (!csv->path) {
        return code;
    }
    if (code == CLI_YES) {
        write(csv->stream, what);
    }
    const bool whole = !ferror(csv->stream);
    const bool closed = fclose(csv->stream) == 0;
    if (code == CLI_YES && whole && closed && rename(csv->temporary, csv->path) == 0) {
        return CLI_YES;
    }
    const int reason = errno;
    remove(csv->temporary);
    return code == CLI_YES ? oct_cli_complain("%s: %s", csv->path, strerror(reason)) : code;
}

// ---- tables ----

static json_t *published_json(const table_row *row, double value)
{
    return row->is_published ? json_real(value) : json_null();
}

static json_t *table_row_json(const table_row *row)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:o}", "table", row->table,
                     "scene", row->scene, "structure", row->structure, "algorithm", row->algorithm,
                     "distance", row->distance, "percent", row->percent, "time_ms", row->time_ms,
                     "published_distance", published_json(row, row->published_distance),
                     "published_percent", published_json(row, row->published_percent),
                     "published_time_ms", published_json(row, row->published_time_ms));
}

static json_t *table_json(const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        json_array_append_new(list, table_row_json((const table_row *)rows->items + i));
    }
    return list;
}

static void write_table(FILE *file, const void *what)
{
    const oct_array *const rows = what;
    fprintf(file, "table,scene,structure,algorithm,distance,percent,time_ms,published_distance,"
                  "published_percent,published_time_ms\n");
    for (size_t i = 0; i < rows->count; i++) {
        const table_row *const row = (const table_row *)rows->items + i;
        fprintf(file, "%s,%s,%s,%s,%.6g,%.6g,%.6g,", row->table, row->scene, row->structure,
                row->algorithm, row->distance, row->percent, row->time_ms);
        if (row->is_published) {
            fprintf(file, "%.6g,%.6g,%.6g\n", row->published_distance, row->published_percent,
                    row->published_time_ms);
        } else {
            fprintf(file, ",,\n");
        }
    }
}

static void print_table_heading(const table_row *row)
{
    printf("%s%s, %s%s\n", oct_cli_style(stdout, CLI_BOLD), row->table, row->scene,
           oct_cli_style(stdout, CLI_PLAIN));
    printf("  %-11s %-11s", "structure", "algorithm");
    if (!row->has_optimum) {
        printf(" %9s %10s", "length", "published");
    }
    printf(" %9s %10s %9s %10s\n", "percent", "published", "ms", "published");
}

// What is measured, and what is in print of it.
static void print_pair(const table_row *row, int digits, double value, int published_digits,
                       double published)
{
    printf(" %9.*f", digits, value);
    if (row->is_published) {
        printf(" %10.*f", published_digits, published);
    } else {
        printf(" %10s", "-");
    }
}

// A block for each half of a table.
static void print_table(const oct_array *rows)
{
    const table_row *const all = rows->items;
    for (size_t i = 0; i < rows->count; i++) {
        const table_row *const row = &all[i];
        if (i == 0 || strcmp(row->scene, all[i - 1].scene) != 0) {
            printf("%s", i > 0 ? "\n" : "");
            print_table_heading(row);
        }
        printf("  %-11s %-11s", row->structure, row->algorithm);
        if (!row->has_optimum) {
            print_pair(row, 4, row->distance, 4, row->published_distance);
        }
        print_pair(row, 2, row->percent, 2, row->published_percent);
        print_pair(row, 3, row->time_ms, 2, row->published_time_ms);
        printf("\n");
    }
    printf("\nPercent of the shortest path; where that is not known, of the least in the table. "
           "Lengths in\nedges of the world; published: in a unit that is not told. Times: mean of "
           "a warm query.\n");
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

static int run_suites(const cli_args *args)
{
    csv_file csv;
    int code = csv_open(&csv, args->options[BENCH_CSV].text);
    if (code != CLI_YES) {
        return code;
    }
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
    code = csv_close(&csv, write_rows, &report, code);
    if (code == CLI_YES && args->json) {
        code = print_json(&report);
    } else if (code == CLI_YES) {
        print_text(&report);
    }
    oct_bench_free(&report);
    return code;
}

// Tables that are rows of one kind.
typedef struct table_form {
    oct_result (*measure)(bench_report *report, oct_array *rows);
    write_fn *write; // as CSV
    json_t *(*json)(const oct_array *rows);
    void (*print)(const oct_array *rows);
    size_t row_bytes;
    int repeat;           // where --repeat is not given; 0 = as the option says
    const char *scenes;   // where --scenes is not given
    bool takes_all_cores; // its rows are measured side by side
} table_form;

static int run_form(const cli_args *args, const table_form *form)
{
    csv_file csv;
    int code = csv_open(&csv, args->options[BENCH_CSV].text);
    if (code != CLI_YES) {
        return code;
    }
    bench_report report = {.options = options_of(args)};
    bench_options *const options = &report.options;
    if (form->repeat > 0 && !args->options[BENCH_REPEAT].given) {
        options->repeat = form->repeat;
    }
    options->scenes = options->scenes ? options->scenes : form->scenes;
    cli_threads *const threads =
        form->takes_all_cores ? oct_cli_threads_create(oct_cli_cores()) : NULL;
    const oct_executor executor = threads ? oct_cli_threads_executor(threads) : (oct_executor){0};
    options->executor = threads ? &executor : NULL;
    oct_array rows = {.count = 0};
    const oct_result result = form->measure(&report, &rows);
    oct_cli_threads_destroy(threads);
    options->executor = NULL;
    oct_cli_progress("", 1, 1);
    if (result != OCT_OK) {
        code = complain_bench(&report, result);
    } else if (rows.count == 0) {
        code = oct_cli_complain("bench: no table matches --filter '%s'", report.options.filter);
    }
    code = csv_close(&csv, form->write, &rows, code);
    if (code == CLI_YES && args->json) {
        code = oct_cli_print_json(json_pack("{s:o}", "table", form->json(&rows)));
    } else if (code == CLI_YES) {
        form->print(&rows);
    }
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&rows, &memory, form->row_bytes);
    return code;
}

static void write_worlds(FILE *file, const void *what)
{
    oct_worlds_write(file, what);
}

static int run_worlds(const cli_args *args)
{
    static const table_form form = {.measure = oct_table_worlds,
                                    .write = write_worlds,
                                    .json = oct_worlds_json,
                                    .print = oct_worlds_print,
                                    .row_bytes = sizeof(worlds_row)};
    return run_form(args, &form);
}

static int run_mesh(const cli_args *args)
{
    static const table_form form = {.measure = oct_table_mesh,
                                    .write = write_table,
                                    .json = table_json,
                                    .print = print_table,
                                    .row_bytes = sizeof(table_row)};
    return run_form(args, &form);
}

static void write_flat(FILE *file, const void *what)
{
    oct_lab_table_write(file, what);
}

static int run_flat(const cli_args *args)
{
    const char *const folder = args->options[BENCH_SVG].text;
    csv_file csv;
    int code = csv_open(&csv, args->options[BENCH_CSV].text);
    if (code != CLI_YES) {
        return code;
    }
    const lab_table_options options = {.filter = args->options[BENCH_FILTER].text,
                                       .size = (uint32_t)args->options[BENCH_SIZE].integer};
    oct_array rows = {.count = 0};
    code = oct_lab_table_run(&options, &rows);
    oct_cli_progress("", 1, 1);
    code = csv_close(&csv, write_flat, &rows, code);
    if (code == CLI_YES && folder) {
        code = oct_lab_table_draw(folder, &rows);
    }
    if (code == CLI_YES && args->json) {
        code = oct_cli_print_json(json_pack("{s:o}", "table", oct_lab_table_json(&rows)));
    } else if (code == CLI_YES) {
        oct_lab_table_print(&rows);
    }
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&rows, &memory, sizeof(lab_table_row));
    return code;
}

static void write_units(FILE *file, const void *what)
{
    oct_units_write(file, what);
}

static oct_result measure_units(bench_report *report, oct_array *rows)
{
    return oct_table_units(report, UNITS_RUNS, rows);
}

static int run_units(const cli_args *args)
{
    static const table_form form = {.measure = measure_units,
                                    .write = write_units,
                                    .json = oct_units_json,
                                    .print = oct_units_print,
                                    .row_bytes = sizeof(units_row)};
    if (args->options[BENCH_SIZE].given) {
        return oct_cli_complain("bench: the scenes of table units have one size");
    }
    return run_form(args, &form);
}

static void write_flights(FILE *file, const void *what)
{
    oct_flights_write(file, what);
}

static int run_flights(const cli_args *args)
{
    static const table_form form = {.measure = oct_table_flights,
                                    .write = write_flights,
                                    .json = oct_flights_json,
                                    .print = oct_flights_print,
                                    .row_bytes = sizeof(flights_row),
                                    .repeat = FLIGHTS_DEFAULT,
                                    .scenes = OCT_BENCH_WORLDS,
                                    .takes_all_cores = true};
    if (args->options[BENCH_SIZE].given) {
        return oct_cli_complain("bench: the worlds of flights have one size");
    }
    return run_form(args, &form);
}

static void write_puzzles(FILE *file, const void *what)
{
    oct_puzzles_write(file, what);
}

static int run_puzzles(const cli_args *args)
{
    static const table_form form = {.measure = oct_table_puzzles,
                                    .write = write_puzzles,
                                    .json = oct_puzzles_json,
                                    .print = oct_puzzles_print,
                                    .row_bytes = sizeof(puzzles_row),
                                    .repeat = PUZZLES_DEFAULT,
                                    .takes_all_cores = true};
    if (args->options[BENCH_SIZE].given) {
        return oct_cli_complain("bench: puzzles have no size");
    }
    return run_form(args, &form);
}

enum { TABLE_WORLDS, TABLE_MESH, TABLE_FLAT, TABLE_UNITS, TABLE_FLIGHTS, TABLE_PUZZLES };

static int run_table(const cli_args *args)
{
    const int64_t table = args->operands[BENCH_TABLE].integer;
    if (args->options[BENCH_SVG].given && table != TABLE_FLAT) {
        return oct_cli_complain("bench: --svg is for table flat");
    }
    switch (table) {
    case TABLE_WORLDS:
        return run_worlds(args);
    case TABLE_FLAT:
        return run_flat(args);
    case TABLE_UNITS:
        return run_units(args);
    case TABLE_FLIGHTS:
        return run_flights(args);
    case TABLE_PUZZLES:
        return run_puzzles(args);
    default:
        return run_mesh(args);
    }
}

static int run_bench(const cli_args *args)
{
    const cli_value *const name = &args->operands[BENCH_NAME];
    const cli_value *const table = &args->operands[BENCH_TABLE];
    const bool is_table = name->given && strcmp(name->text, "table") == 0;
    if (is_table && !table->given) {
        return oct_cli_complain("bench: TABLE is missing; 'octant bench --help' says more");
    }
    if (!is_table && table->given) {
        return oct_cli_complain("bench: '%s' is one argument too many", table->text);
    }
    if (!is_table && args->options[BENCH_SVG].given) {
        return oct_cli_complain("bench: --svg is for table flat");
    }
    return is_table ? run_table(args) : run_suites(args);
}

static const cli_param bench_operands[BENCH_OPERAND_COUNT] = {
    [BENCH_NAME] = {.name = "NAME",
                    .kind = CLI_CHOICE,
                    .value = "map|search|flat|frontier|moving|swarm|game|table",
                    .help = "which measurements (default all but tables), one of"},
    [BENCH_TABLE] = {.name = "TABLE",
                     .kind = CLI_CHOICE,
                     .value = "worlds|mesh|flat|units|flights|puzzles",
                     .help = "of table: which, or whose is measured anew, one of"},
};

static const cli_param bench_command_options[BENCH_OPTION_COUNT] = {
    [BENCH_REPEAT] = {.name = "repeat",
                      .kind = CLI_INTEGER,
                      .value = "N",
                      .initial = "11",
                      .min = 1,
                      .max = 1000,
                      .help = "rounds of each row (of flights and puzzles: how many, 1000)"},
    [BENCH_FILTER] = {.name = "filter",
                      .kind = CLI_TEXT,
                      .value = "TEXT",
                      .initial = "",
                      .help = "only rows whose 'SCENE/STRUCTURE metric' holds TEXT, and their "
                              "baselines"},
    [BENCH_SIZE] = {.name = "size",
                    .kind = CLI_INTEGER,
                    .value = "N",
                    .initial = "256",
                    .min = 2 * OCT_GENERATE_SIZE_MIN,
                    .max = OCT_GENERATE_CHECKERBOARD_MAX,
                    .help = "edge of the generated scenes, cells"},
    [BENCH_SCENES] =
        {.name = "scenes",
         .kind = CLI_FOLDER,
         .value = "DIR",
         .help =
             "take clusters.3dmap, ... from here where present; worlds (default " OCT_BENCH_WORLDS
             ")"},
    [BENCH_DATA] = {.name = "data",
                    .kind = CLI_FOLDER,
                    .value = "DIR",
                    .help = "folder of real maps and worlds (default $OCTANT_DATA, else "
                            "../shared/data)"},
    [BENCH_CSV] = {.name = "csv",
                   .kind = CLI_FILE,
                   .value = "FILE",
                   .help = "also write the rows to a CSV file"},
    [BENCH_SVG] = {.name = "svg",
                   .kind = CLI_FOLDER,
                   .value = "DIR",
                   .help = "of table flat: draw its plots into this folder"},
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
        "  among size, coverage, clustering, blocks and squeeze of flat, whose maps "
        "have\n"
        "  --size cells along an edge, or an eighth of it to four times as many; among the rows "
        "of\n"
        "  units, as wall/15/pruned-greedy, whose scenes have one size; and among those of "
        "flights, as\n"
        "  tight/delayed/yaw: random flights in the worlds of --scenes, so many as --repeat says; "
        "and\n"
        "  among reach and learn of puzzles, so many a row.",
    .operands = bench_operands,
    .operand_count = BENCH_OPERAND_COUNT,
    .options = bench_command_options,
    .option_count = BENCH_OPTION_COUNT,
    .run = run_bench,
};
