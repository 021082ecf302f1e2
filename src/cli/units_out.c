// SPDX-License-Identifier: MIT
// The table of Abdo 2017.
#include "bench/table_units.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

#include <string.h>

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

static bool is_same_block(const void *of, const void *of_last)
{
    const units_row *const row = of, *const last = of_last;
    return row->units == last->units && strcmp(row->scene, last->scene) == 0;
}

static void print_heading(const void *of)
{
    const units_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s, %d unit%s\n", row->scene, row->units, row->units == 1 ? "" : "s");
    printf("  %-14s %-11s %9s %9s %9s %9s  %s\n", "", "", "min", "max", "mean", "deviation",
           "published:  the same four");
}

// The first metric of a structure and algorithm names them.
static void print_row(const void *of)
{
    const units_row *const row = of;
    char name[32] = "";
    if (strcmp(row->metric, "time_ms") == 0) {
        snprintf(name, sizeof name, "%s %s", row->structure, row->algorithm);
    }
    printf("  %-14s %-11s", name, row->metric);
    print_measured(row);
    print_published(row);
}

static const char notes[] =
    "\nOf searches that found a path: time and traversals; of flights along it: updates and "
    "what they take\nin all (published: the whole flight, with rendering: nothing to compare "
    "with). Of runs: units whose\ngoal was taken, or that found no path; memory with all "
    "units (published: without, and called bits).\n";

static void fill(const void *of, table_fields *out)
{
    const units_row *const row = of;
    const table_stats *const s = &row->measured, *const p = &row->published;
    const bool any = s->count > 0, all = row->print == UNITS_ALL;
    add_text(out, "scene", row->scene);
    add_count(out, "units", (uint64_t)row->units);
    add_text(out, "structure", row->structure);
    add_text(out, "algorithm", row->algorithm);
    add_text(out, "metric", row->metric);
    add_count(out, "count", s->count);
    add_number_if(any, out, "min", s->min);
    add_number_if(any, out, "max", s->max);
    add_number_if(any, out, "mean", s->mean);
    add_number_if(any, out, "deviation", s->deviation);
    add_number_if(all, out, "published_min", p->min);
    add_number_if(all, out, "published_max", p->max);
    add_number_if(row->print != UNITS_NOTHING, out, "published_mean", p->mean);
    add_number_if(all, out, "published_deviation", p->deviation);
}

const table oct_units_table = {sizeof(units_row), fill,  is_same_block, print_heading,
                               print_row,         notes, NULL};
