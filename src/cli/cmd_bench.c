// SPDX-License-Identifier: MIT
// octant bench: runs the measurements and prints them as a table, as JSON, as CSV.
#include "cli/cli_internal.h"

#include "bench/bench.h"
#include "octant/generate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DATA_DEFAULT "../shared/data"
#define PATH_MAX_BYTES 4096

enum {
    BENCH_REPEAT,
    BENCH_FILTER,
    BENCH_SIZE,
    BENCH_SCENES,
    BENCH_DATA,
    BENCH_CSV,
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
    const bool is_count = strstr(row->metric, "_bytes") || strstr(row->metric, "_allocations");
    snprintf(out, size, is_count ? "%.0f" : "%.4g", row->value);
}

static void print_row(const bench_row *row, int base_width)
{
    char value[32];
    char ratio[32] = "";
    format_value(row, value, sizeof value);
    if (row->baseline[0]) {
        snprintf(ratio, sizeof ratio, row->equal ? "equal" : "%.3g", row->ratio);
    }
    printf("%-20s %-22s %12s %6.1f%%", row->name, row->metric, value,
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
    int base_width = 8;
    for (size_t i = 0; i < report->rows.count; i++) {
        const int length = (int)strlen(rows[i].baseline);
        base_width = length > base_width ? length : base_width;
    }
    printf("%s%-20s %-22s %12s %7s  %-*s %8s  %s%s\n", oct_cli_style(stdout, CLI_BOLD), "name",
           "metric", "median", "spread", base_width, "baseline", "ratio", "goal",
           oct_cli_style(stdout, CLI_PLAIN));
    for (size_t i = 0; i < report->rows.count; i++) {
        if (i > 0 && !same_scene(&rows[i], &rows[i - 1])) {
            printf("\n");
        }
        print_row(&rows[i], base_width);
    }
}

// ---- CSV ----

static void write_csv(FILE *file, const bench_report *report)
{
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

static int csv_close(csv_file *csv, const bench_report *report, int code)
{
    if (!csv->path) {
        return code;
    }
    if (code == CLI_YES) {
        write_csv(csv->stream, report);
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

static int run_bench(const cli_args *args)
{
    csv_file csv;
    int code = csv_open(&csv, args->options[BENCH_CSV].text);
    if (code != CLI_YES) {
        return code;
    }
    bench_report report = {.options = options_of(args)};
    const oct_result result = oct_bench_run(args->operands[0].text, &report);
    oct_cli_progress("", 1, 1);
    if (result != OCT_OK) {
        code = oct_cli_complain("bench: %s",
                                report.message[0] ? report.message : oct_result_text(result));
    } else if (report.rows.count == 0) {
        code = oct_cli_complain("bench: no row matches --filter '%s'", report.options.filter);
    }
    code = csv_close(&csv, &report, code);
    if (code == CLI_YES && args->json) {
        code = print_json(&report);
    } else if (code == CLI_YES) {
        print_text(&report);
    }
    oct_bench_free(&report);
    return code;
}

static const cli_param bench_operands[] = {
    {.name = "NAME",
     .kind = CLI_CHOICE,
     .value = "map",
     .help = "which measurements (default all), one of"},
};

static const cli_param bench_command_options[BENCH_OPTION_COUNT] = {
    [BENCH_REPEAT] = {.name = "repeat",
                      .kind = CLI_INTEGER,
                      .value = "N",
                      .initial = "11",
                      .min = 1,
                      .max = 1000,
                      .help = "rounds that each row is measured"},
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
    [BENCH_SCENES] = {.name = "scenes",
                      .kind = CLI_FOLDER,
                      .value = "DIR",
                      .help = "take clusters.3dmap, sparse.3dmap, ... from here where present"},
    [BENCH_DATA] = {.name = "data",
                    .kind = CLI_FOLDER,
                    .value = "DIR",
                    .help = "real maps are in DIR/voxel3d (default $OCTANT_DATA, else "
                            "../shared/data)"},
    [BENCH_CSV] = {.name = "csv",
                   .kind = CLI_FILE,
                   .value = "FILE",
                   .help = "also write the rows to a CSV file"},
};

const cli_command oct_cmd_bench = {
    .name = "bench",
    .summary = "measures, each row against its baseline in the same run",
    .details =
        "  A row's value is the median of its rounds, each the fastest of three runs, in CPU "
        "time\n"
        "  of the thread; its spread is the distance between the quartiles in percent. Where "
        "the\n"
        "  quartiles of a row and its baseline overlap, they are called equal. Goals depend "
        "on the\n"
        "  machine; a missed one is no error.",
    .operands = bench_operands,
    .operand_count = sizeof bench_operands / sizeof bench_operands[0],
    .options = bench_command_options,
    .option_count = BENCH_OPTION_COUNT,
    .run = run_bench,
};
