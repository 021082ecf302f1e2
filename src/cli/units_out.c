// SPDX-License-Identifier: MIT
#include "cli/units_out.h"

#include <string.h>

static const units_row *row_at(const oct_array *rows, size_t i)
{
    return (const units_row *)rows->items + i;
}

// ---- text ----

static bool is_time(const units_row *row)
{
    return strstr(row->metric, "_ms") != NULL;
}

static bool is_bytes(const units_row *row)
{
    return strstr(row->metric, "_bytes") != NULL;
}

static void print_measured(const units_row *row)
{
    const table_stats *const s = &row->measured;
    const int digits = is_time(row) ? 5 : 0, mean_digits = is_time(row) ? 5 : is_bytes(row) ? 0 : 2;
    if (s->count == 0) {
        printf(" %9s %9s %9s %9s", "-", "-", "-", "-");
        return;
    }
    printf(" %9.*f %9.*f %9.*f %9.*f", digits, s->min, digits, s->max, mean_digits, s->mean,
           mean_digits, s->deviation);
}

static void print_published(const units_row *row)
{
    const table_stats *const s = &row->published;
    if (row->print == UNITS_ALL) {
        printf("  %7.0f %7.0f %10.2f %10.2f", s->min, s->max, s->mean, s->deviation);
    } else if (row->print == UNITS_ONE_FIGURE) {
        printf("  %26.0f", s->mean);
    }
    printf("\n");
}

static bool is_one_scene(const units_row *a, const units_row *b)
{
    return a->units == b->units && strcmp(a->scene, b->scene) == 0;
}

static void print_heading(const units_row *row)
{
    printf("%s%s, %d unit%s%s\n", oct_cli_style(stdout, CLI_BOLD), row->scene, row->units,
           row->units == 1 ? "" : "s", oct_cli_style(stdout, CLI_PLAIN));
    printf("  %-14s %-11s %9s %9s %9s %9s  %s\n", "", "", "min", "max", "mean", "deviation",
           "published:  the same four");
}

void oct_units_print(const oct_array *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const units_row *const row = row_at(rows, i);
        const units_row *const last = i > 0 ? row_at(rows, i - 1) : NULL;
        if (!last || !is_one_scene(row, last)) {
            printf("%s", last ? "\n" : "");
            print_heading(row);
        }
        const bool is_first =
            !last || !is_one_scene(row, last) || strcmp(row->algorithm, last->algorithm) != 0;
        char name[32];
        snprintf(name, sizeof name, "%s %s", row->structure, row->algorithm);
        printf("  %-14s %-11s", is_first ? name : "", row->metric);
        print_measured(row);
        print_published(row);
    }
    printf(
        "\nOf searches that found a path: time and traversals; of flights along it: updates and "
        "what they take\nin all (published: the whole flight, with rendering: nothing to compare "
        "with). Of runs: units whose\ngoal was taken, or that found no path; memory with all "
        "units (published: without, and called bits).\n");
}

// ---- JSON and CSV ----

static json_t *figure_json(bool is_there, double value)
{
    return is_there ? json_real(value) : json_null();
}

static json_t *row_json(const units_row *row)
{
    const table_stats *const s = &row->measured, *const p = &row->published;
    const bool any = s->count > 0, all = row->print == UNITS_ALL;
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "scene", row->scene, "units", row->units, "structure", row->structure,
                     "algorithm", row->algorithm, "metric", row->metric, "count",
                     (json_int_t)s->count, "min", figure_json(any, s->min), "max",
                     figure_json(any, s->max), "mean", figure_json(any, s->mean), "deviation",
                     figure_json(any, s->deviation), "published_min", figure_json(all, p->min),
                     "published_max", figure_json(all, p->max), "published_mean",
                     figure_json(row->print != UNITS_NOTHING, p->mean), "published_deviation",
                     figure_json(all, p->deviation));
}

json_t *oct_units_json(const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        json_array_append_new(list, row_json(row_at(rows, i)));
    }
    return list;
}

static void write_figure(FILE *file, bool is_there, double value)
{
    fprintf(file, ",");
    if (is_there) {
        fprintf(file, "%.10g", value);
    }
}

void oct_units_write(FILE *file, const oct_array *rows)
{
    fprintf(file, "scene,units,structure,algorithm,metric,count,min,max,mean,deviation,"
                  "published_min,published_max,published_mean,published_deviation\n");
    for (size_t i = 0; i < rows->count; i++) {
        const units_row *const row = row_at(rows, i);
        const table_stats *const s = &row->measured, *const p = &row->published;
        const bool any = s->count > 0, all = row->print == UNITS_ALL;
        fprintf(file, "%s,%d,%s,%s,%s,%llu", row->scene, row->units, row->structure, row->algorithm,
                row->metric, (unsigned long long)s->count);
        write_figure(file, any, s->min);
        write_figure(file, any, s->max);
        write_figure(file, any, s->mean);
        write_figure(file, any, s->deviation);
        write_figure(file, all, p->min);
        write_figure(file, all, p->max);
        write_figure(file, row->print != UNITS_NOTHING, p->mean);
        write_figure(file, all, p->deviation);
        fprintf(file, "\n");
    }
}
