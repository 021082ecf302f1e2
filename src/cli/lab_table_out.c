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

// ---- labels ----

// Names of items as plots and documents have them.
static const struct {
    const char *name, *label;
} labels[] = {
    {"dijkstra:lattice", "Dijkstra"},
    {"astar:lattice:euclidean", "A* Euclidean"},
    {"astar:lattice", "A* octile"},
    {"astar-smooth:lattice:euclidean", "A* Euclidean smoothed"},
    {"astar-smooth:lattice", "A* octile smoothed"},
    {"theta:lattice", "Theta*"},
    {"lazy-theta:lattice", "Lazy Theta*"},
    {"astar:visibility", "A* visibility graph"},
    {"astar:visibility-all", "A* all in sight"},
    {"anya:intervals", "Anya"},
    {"jps:cells", "JPS"},
    {"portal:portal", "portal"},
    {"astar:cells", "A* on cells"},
    {"lazy-theta:cells", "Lazy Theta* on cells"},
};

void oct_lab_table_label(const lab_item *item, bool is_of_blocks, char out[LAB_NAME_MAX])
{
    const uint32_t edge = item->edge;
    snprintf(out, LAB_NAME_MAX, "%s", item->name);
    if (item->graph == OCT_LAB_GRAPH_BLOCKS && is_of_blocks) {
        snprintf(out, LAB_NAME_MAX, "%ux%u %s %s", edge, edge, oct_distances_kind_name(item->kind),
                 item->packed ? "packed" : "unpacked");
    } else if (item->graph == OCT_LAB_GRAPH_BLOCKS) {
        snprintf(out, LAB_NAME_MAX, "Block A* %ux%u", edge, edge);
    }
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (strcmp(item->name, labels[i].name) == 0) {
            snprintf(out, LAB_NAME_MAX, "%s", labels[i].label);
        }
    }
}

// ---- text ----

static bool is_database(const lab_table_row *row)
{
    return !row->axis;
}

static bool is_same_block(const void *of, const void *of_last)
{
    const lab_table_row *const row = of, *const last = of_last;
    return row->x == last->x && strcmp(row->table, last->table) == 0;
}

static void print_heading(const void *of)
{
    const lab_table_row *const row = of;
    if (is_database(row)) {
        oct_cli_printf(CLI_BOLD, "%s: distances through blocks of n x n cells\n", row->table);
        printf("  %-26s %11s %9s %11s %11s %11s\n", "database", "bytes", "growth %", "make ms",
               "open ms", "look-up ns");
        return;
    }
    oct_cli_printf(CLI_BOLD, "%s: %u x %u cells, coverage %g %%, clustering %u, %s%s\n", row->table,
                   row->map.size, row->map.size, row->map.coverage, row->map.clustering,
                   row->squeeze ? "paths may squeeze" : "paths do not squeeze",
                   row->centre ? ", from middle to middle of cells" : "");
    printf("  %-30s %6s %9s %9s %11s %11s %8s %9s %9s %9s %6s\n", "algorithm", "found", "excess %",
           "turning", "graph ms", "path ms", "spread %", "expanded", "nodes", "sight", "ends %");
}

static void print_row(const void *of)
{
    const lab_table_row *const row = of;
    const lab_database *const d = &row->database;
    if (is_database(row)) {
        printf("  %-26s %11llu %9.1f %11.3f %11.3f %11.2f\n", row->name,
               (unsigned long long)d->bytes, 100.0 * d->growth, d->make_ms, d->open_ms,
               d->lookup_ns);
        return;
    }
    printf("  %-30s %6zu %9.4f %9.1f %11.3f %11.4f %8.1f %9.0f %9.0f %9.0f", row->name, row->found,
           excess(row), row->turning_degrees, row->graph_us * MICROSECONDS,
           row->path_us * MICROSECONDS, 100.0 * row->path_spread, row->expanded, row->nodes,
           row->sight_checks);
    if (row->ends_share >= 0.0) {
        printf(" %6.1f", 100.0 * row->ends_share);
    }
    printf("\n");
}

// ---- JSON and CSV ----

static void add_count_if(bool has, table_fields *out, const char *name, uint64_t count)
{
    add_field(out,
              (table_field){.name = name, .kind = has ? FIELD_COUNT : FIELD_NONE, .count = count});
}

static void fill_database(const lab_table_row *row, table_fields *out)
{
    const lab_database *const d = &row->database;
    const bool has = is_database(row);
    add_count_if(has, out, "bytes", d->bytes);
    add_number_if(has, out, "growth", d->growth);
    add_number_if(has, out, "make_ms", d->make_ms);
    add_number_if(has, out, "open_ms", d->open_ms);
    add_number_if(has, out, "lookup_ns", d->lookup_ns);
}

static void fill(const void *of, table_fields *out)
{
    const lab_table_row *const row = of;
    const bool has = !is_database(row);
    add_text(out, "table", row->table);
    add_count_if(has, out, "size", row->map.size);
    add_number_if(has, out, "coverage", row->map.coverage);
    add_count_if(has, out, "clustering", row->map.clustering);
    add_flag(out, "squeeze", row->squeeze);
    add_text(out, "ends", !has ? NULL : row->centre ? "centre" : "corner");
    add_text(out, "algorithm", row->name);
    add_text(out, "label", row->label);
    add_count_if(has, out, "runs", row->runs);
    add_count_if(has, out, "found", row->found);
    add_number_if(has, out, "optimum", row->optimum);
    add_number_if(has, out, "ratio", row->ratio);
    add_number_if(has, out, "ratio_max", row->ratio_max);
    add_number_if(has, out, "turning_degrees", row->turning_degrees);
    add_number_if(has, out, "graph_us", row->graph_us);
    add_number_if(row->has_size, out, "graph_nodes", row->graph_nodes);
    add_number_if(row->has_size, out, "graph_edges", row->graph_edges);
    add_number_if(has, out, "path_us", row->path_us);
    add_number_if(has, out, "path_spread", row->path_spread);
    add_number_if(has, out, "expanded", row->expanded);
    add_number_if(has, out, "nodes", row->nodes);
    add_number_if(has, out, "sight_checks", row->sight_checks);
    add_number_if(has && row->ends_share >= 0.0, out, "ends_share", row->ends_share);
    fill_database(row, out);
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

static double nodes_of(const lab_table_row *row)
{
    return row->nodes;
}

static double ends_of(const lab_table_row *row)
{
    return row->ends_share >= 0.0 ? 100.0 * row->ends_share : (double)NAN;
}

static double edges_of(const lab_table_row *row)
{
    return row->has_size ? row->graph_edges : (double)NAN;
}

// One picture: of a table, what is drawn over its axis.
typedef struct table_plot {
    const char *table, *name; // the file is evaluation-2d-TABLE-NAME.svg
    const char *title;
    oct_plot_axis y;
    double (*value)(const lab_table_row *row);
    const char *part; // rows whose label ends in it; NULL = all
} table_plot;

#define TIME                                                                                       \
    {                                                                                              \
        "time of a path, ms", OCT_PLOT_LOG10                                                       \
    }
#define EXCESS                                                                                     \
    {                                                                                              \
        "longer than the shortest path, % (none: as short)", OCT_PLOT_LOG10                        \
    }
#define TURNING                                                                                    \
    {                                                                                              \
        "turning, degrees (none: straight)", OCT_PLOT_LOG10                                        \
    }
#define NODES                                                                                      \
    {                                                                                              \
        "nodes expanded", OCT_PLOT_LOG10                                                           \
    }

static const table_plot plots[] = {
    {"size", "time", "Time by resolution", TIME, time_of, NULL},
    {"size", "length", "Length by resolution", EXCESS, excess, NULL},
    {"size", "turning", "Turning by resolution", TURNING, turning_of, NULL},
    {"size", "nodes", "Nodes expanded, by resolution", NODES, nodes_of, NULL},
    {"size",
     "graph",
     "What is made before the first path",
     {"time once for a map, ms", OCT_PLOT_LOG10},
     graph_time_of,
     NULL},
    {"coverage", "time", "Time by coverage", TIME, time_of, NULL},
    {"coverage", "length", "Length by coverage", EXCESS, excess, NULL},
    {"coverage", "turning", "Turning by coverage", TURNING, turning_of, NULL},
    {"coverage", "nodes", "Nodes expanded, by coverage", NODES, nodes_of, NULL},
    {"clustering", "time", "Time by clustering", TIME, time_of, NULL},
    {"clustering", "length", "Length by clustering", EXCESS, excess, NULL},
    {"clustering", "turning", "Turning by clustering", TURNING, turning_of, NULL},
    {"clustering", "nodes", "Nodes expanded, by clustering", NODES, nodes_of, NULL},
    {"centre-size", "time", "Between middles of cells: time by resolution", TIME, time_of, NULL},
    {"centre-coverage", "time", "Between middles of cells: time by coverage", TIME, time_of, NULL},
    {"centre-coverage", "length", "Between middles of cells: length by coverage", EXCESS, excess,
     NULL},
    {"centre-clustering", "time", "Between middles of cells: time by clustering", TIME, time_of,
     NULL},
    {"blocks", "time", "Block A*: time, packed databases", TIME, time_of, " packed"},
    {"blocks", "time-unpacked", "Block A*: time, unpacked databases", TIME, time_of, " unpacked"},
    {"blocks", "length", "Block A*: length by the size of blocks", EXCESS, excess, "plain packed"},
    {"blocks", "nodes", "Block A*: nodes expanded", NODES, nodes_of, "plain packed"},
    {"blocks",
     "ends",
     "Block A*: the two end blocks",
     {"share of the time, %", OCT_PLOT_LINEAR},
     ends_of,
     " packed"},
    {"squeeze", "time", "Time by coverage, where paths may squeeze", TIME, time_of, NULL},
    {"squeeze", "length", "Length by coverage, where paths may squeeze", EXCESS, excess, NULL},
    {"graphs", "edges", "How graphs grow", {"edges", OCT_PLOT_LOG10}, edges_of, NULL},
    {"graphs",
     "time",
     "Making the graph, by resolution",
     {"time once for a map, ms", OCT_PLOT_LOG10},
     graph_time_of,
     NULL},
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
    while (i < d->count && strcmp(d->series[i].name, row->label) != 0) {
        i++;
    }
    if (i == OCT_PLOT_SERIES_MAX) {
        return;
    }
    if (i == d->count) {
        d->series[d->count++] = (oct_plot_series){row->label, d->points[i], 0};
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
    snprintf(out, size, "%s%s%s%s%s; means of %zu paths", fixed[0], fixed[1], fixed[2],
             row->squeeze ? "squeezing" : "no squeezing",
             row->centre ? ", from middle to middle" : "", row->runs);
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

static bool is_part(const lab_table_row *row, const char *part)
{
    const size_t length = strlen(row->label), end = part ? strlen(part) : 0;
    return length >= end && (!part || strcmp(row->label + length - end, part) == 0);
}

int oct_lab_table_draw(const char *folder, const oct_array *rows)
{
    int code = CLI_YES;
    for (size_t k = 0; k < PLOTS && code == CLI_YES; k++) {
        drawing d = {.count = 0};
        for (size_t i = 0; i < rows->count; i++) {
            const lab_table_row *const row = (const lab_table_row *)rows->items + i;
            if (strcmp(row->table, plots[k].table) == 0 && is_part(row, plots[k].part)) {
                d.any = d.any ? d.any : row;
                add_point(&d, row, drawn(&plots[k], plots[k].value(row)));
            }
        }
        code = d.any ? draw(&plots[k], folder, &d) : CLI_YES;
    }
    return code;
}
