// SPDX-License-Identifier: MIT
// The tables of Freeman 2014 as text, JSON, CSV and plots.
#include "cli/lab_table.h"

#include "bench/plot.h"
#include "cli/table.h"
#include "files/files_internal.h"

#include <math.h>
#include <string.h>

#define POINTS_MAX 16
#define PATH_MAX_BYTES 4096
#define MICROSECONDS 1e-3 // in a millisecond

// How much longer paths are than the shortest, percent.
static double excess(const lab_table_row *row)
{
    return (row->ratio - 1.0) * 100.0;
}

// ---- text ----

static bool is_same_block(const void *of, const void *of_last)
{
    const lab_table_row *const row = of, *const last = of_last;
    return row->x == last->x && strcmp(row->table, last->table) == 0;
}

static void print_heading(const void *of)
{
    const lab_table_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s: %u x %u cells, coverage %g %%, clustering %u, %s\n", row->table,
                   row->map.size, row->map.size, row->map.coverage, row->map.clustering,
                   row->squeeze ? "paths may squeeze" : "paths do not squeeze");
    printf("  %-26s %6s %9s %9s %11s %11s %9s %9s %6s\n", "algorithm", "found", "excess %",
           "turning", "graph ms", "path ms", "expanded", "sight", "ends %");
}

static void print_row(const void *of)
{
    const lab_table_row *const row = of;
    printf("  %-26s %6zu %9.4f %9.1f %11.3f %11.4f %9.0f %9.0f", row->name, row->found, excess(row),
           row->turning_degrees, row->graph_us * MICROSECONDS, row->path_us * MICROSECONDS,
           row->expanded, row->sight_checks);
    if (row->ends_share >= 0.0) {
        printf(" %6.1f", 100.0 * row->ends_share);
    }
    printf("\n");
}

// ---- JSON and CSV ----

static void fill(const void *of, table_fields *out)
{
    const lab_table_row *const row = of;
    add_text(out, "table", row->table);
    add_count(out, "size", row->map.size);
    add_number(out, "coverage", row->map.coverage);
    add_count(out, "clustering", row->map.clustering);
    add_flag(out, "squeeze", row->squeeze);
    add_text(out, "algorithm", row->name);
    add_count(out, "runs", row->runs);
    add_count(out, "found", row->found);
    add_number(out, "ratio", row->ratio);
    add_number(out, "turning_degrees", row->turning_degrees);
    add_number(out, "graph_us", row->graph_us);
    add_number(out, "path_us", row->path_us);
    add_number(out, "expanded", row->expanded);
    add_number(out, "sight_checks", row->sight_checks);
    add_number_if(row->ends_share >= 0.0, out, "ends_share", row->ends_share);
}

const table oct_flat_table = {
    sizeof(lab_table_row), fill, is_same_block, print_heading, print_row, NULL, NULL};

// ---- plots ----

static double time_of(const lab_table_row *row)
{
    return row->path_us * MICROSECONDS;
}

static double graph_time_of(const lab_table_row *row)
{
    return row->graph_us * MICROSECONDS;
}

static double turning_of(const lab_table_row *row)
{
    return row->turning_degrees;
}

static double expanded_of(const lab_table_row *row)
{
    return row->expanded;
}

static double ends_of(const lab_table_row *row)
{
    return row->ends_share >= 0.0 ? 100.0 * row->ends_share : (double)NAN;
}

// One picture: of a table, what is drawn over its axis.
typedef struct table_plot {
    const char *table, *name; // the file is evaluation-2d-TABLE-NAME.svg
    const char *title;
    oct_plot_axis y;
    double (*value)(const lab_table_row *row);
} table_plot;

#define TIME_AXIS                                                                                  \
    {                                                                                              \
        "time of a path, ms", OCT_PLOT_LOG10                                                       \
    }
#define EXCESS_AXIS                                                                                \
    {                                                                                              \
        "longer than the shortest path, % (none: as short)", OCT_PLOT_LOG10                        \
    }
#define TURNING_AXIS                                                                               \
    {                                                                                              \
        "turning, degrees", OCT_PLOT_LINEAR                                                        \
    }
#define EXPANDED_AXIS                                                                              \
    {                                                                                              \
        "expansions", OCT_PLOT_LOG10                                                               \
    }

static const table_plot plots[] = {
    {"size", "time", "Time by resolution", TIME_AXIS, time_of},
    {"size", "length", "Length by resolution", EXCESS_AXIS, excess},
    {"size", "turning", "Turning by resolution", TURNING_AXIS, turning_of},
    {"size", "expansions", "Expansions by resolution", EXPANDED_AXIS, expanded_of},
    {"size",
     "graph",
     "What is made before the first path",
     {"time once for a map, ms", OCT_PLOT_LOG10},
     graph_time_of},
    {"coverage", "time", "Time by coverage", TIME_AXIS, time_of},
    {"coverage", "length", "Length by coverage", EXCESS_AXIS, excess},
    {"coverage", "turning", "Turning by coverage", TURNING_AXIS, turning_of},
    {"coverage", "expansions", "Expansions by coverage", EXPANDED_AXIS, expanded_of},
    {"clustering", "time", "Time by clustering", TIME_AXIS, time_of},
    {"clustering", "length", "Length by clustering", EXCESS_AXIS, excess},
    {"clustering", "turning", "Turning by clustering", TURNING_AXIS, turning_of},
    {"clustering", "expansions", "Expansions by clustering", EXPANDED_AXIS, expanded_of},
    {"blocks", "time", "Block A*: blocks and databases", TIME_AXIS, time_of},
    {"blocks", "length", "Block A*: length by the size of blocks", EXCESS_AXIS, excess},
    {"blocks",
     "ends",
     "Block A*: the two end blocks",
     {"share of the time, %", OCT_PLOT_LINEAR},
     ends_of},
    {"squeeze", "time", "Time by coverage, where paths may squeeze", TIME_AXIS, time_of},
    {"squeeze", "length", "Length by coverage, where paths may squeeze", EXCESS_AXIS, excess},
};
#define PLOTS (sizeof plots / sizeof plots[0])

typedef struct drawing {
    oct_plot_series series[OCT_PLOT_SERIES_MAX];
    oct_plot_point points[OCT_PLOT_SERIES_MAX][POINTS_MAX];
    size_t count;
    const lab_table_row *any; // one of its rows
} drawing;

// On a logarithmic axis clusterings are one more than they are, since one is 0.
static double x_of(const lab_table_row *row)
{
    return strcmp(row->axis, "clustering") == 0 ? row->x + 1.0 : row->x;
}

static void add_point(drawing *d, const lab_table_row *row, double y)
{
    size_t i = 0;
    while (i < d->count && strcmp(d->series[i].name, row->name) != 0) {
        i++;
    }
    if (i == OCT_PLOT_SERIES_MAX) {
        return;
    }
    if (i == d->count) {
        d->series[d->count++] = (oct_plot_series){row->name, d->points[i], 0};
    }
    if (d->series[i].count < POINTS_MAX) {
        d->points[i][d->series[i].count++] = (oct_plot_point){x_of(row), y};
    }
}

// What cannot be drawn is a gap: all plots of a table have the same series, in the same colours.
static double drawn(const table_plot *plot, double y)
{
    return plot->y.scale == OCT_PLOT_LINEAR || y > 1e-6 ? y : (double)NAN;
}

static oct_plot_axis x_axis(const lab_table_row *row)
{
    if (strcmp(row->axis, "size") == 0) {
        return (oct_plot_axis){"cells along an edge", OCT_PLOT_LOG2};
    }
    return strcmp(row->axis, "coverage") == 0 ? (oct_plot_axis){"coverage, %", OCT_PLOT_LINEAR}
                                              : (oct_plot_axis){"clustering, D + 1", OCT_PLOT_LOG2};
}

// What is the same all over a plot.
static void describe(const lab_table_row *row, char *out, size_t size)
{
    const lab_generate *const map = &row->map;
    char fixed[3][32] = {"", "", ""};
    if (strcmp(row->axis, "size") != 0) {
        snprintf(fixed[0], sizeof fixed[0], "%u x %u cells, ", map->size, map->size);
    }
    if (strcmp(row->axis, "coverage") != 0) {
        snprintf(fixed[1], sizeof fixed[1], "coverage %g %%, ", map->coverage);
    }
    if (strcmp(row->axis, "clustering") != 0) {
        snprintf(fixed[2], sizeof fixed[2], "clustering %u, ", map->clustering);
    }
    snprintf(out, size, "%s%s%s%s; means of %zu paths", fixed[0], fixed[1], fixed[2],
             row->squeeze ? "squeezing" : "no squeezing", row->runs);
}

static oct_result fill_file(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const oct_array *const text = ctx;
    (void)error;
    return write(file, text->items, text->count) ? OCT_OK : OCT_ERROR_FILE;
}

static int name_plot(const table_plot *plot, const char *folder, char path[PATH_MAX_BYTES])
{
    const int length = snprintf(path, PATH_MAX_BYTES, "%s/evaluation-2d-%s-%s.svg", folder,
                                plot->table, plot->name);
    return length >= 0 && length < PATH_MAX_BYTES
               ? CLI_YES
               : oct_cli_complain("%s: the name is too long", folder);
}

int oct_lab_table_add_plots(const char *folder, cli_files *files)
{
    char path[PATH_MAX_BYTES];
    for (size_t k = 0; k < PLOTS; k++) {
        CLI_TRY(name_plot(&plots[k], folder, path));
        CLI_TRY(oct_cli_files_add(files, CLI_OUTPUT, "--svg", path));
    }
    return oct_cli_files_check(files);
}

static int draw(const table_plot *plot, const char *folder, const drawing *d)
{
    char note[160], path[PATH_MAX_BYTES];
    const oct_allocator memory = oct_allocator_default();
    describe(d->any, note, sizeof note);
    CLI_TRY(name_plot(plot, folder, path));
    const oct_plot picture = {plot->title, note, x_axis(d->any), plot->y, d->series, d->count};
    oct_array text = {.count = 0};
    oct_error error = {.line = 0};
    oct_result result = oct_plot_svg(&picture, &memory, &text);
    if (result == OCT_OK) {
        result = oct_file_replace(path, fill_file, &text, NULL, &error);
    }
    oct_array_free(&text, &memory, 1);
    return oct_cli_check_file(path, result, &error);
}

int oct_lab_table_draw(const char *folder, const oct_array *rows)
{
    int code = CLI_YES;
    for (size_t k = 0; k < PLOTS && code == CLI_YES; k++) {
        drawing d = {.count = 0};
        for (size_t i = 0; i < rows->count; i++) {
            const lab_table_row *const row = (const lab_table_row *)rows->items + i;
            if (strcmp(row->table, plots[k].table) == 0) {
                d.any = d.any ? d.any : row;
                add_point(&d, row, drawn(&plots[k], plots[k].value(row)));
            }
        }
        code = d.any ? draw(&plots[k], folder, &d) : CLI_YES;
    }
    return code;
}
