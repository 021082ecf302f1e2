// SPDX-License-Identifier: MIT
// The tables of He and Hung 2016.
#include "bench/table_mesh.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

#include <string.h>

// A block for each half of a table.
static bool is_same_block(const void *row, const void *last)
{
    return strcmp(((const table_row *)row)->scene, ((const table_row *)last)->scene) == 0;
}

static void print_heading(const void *of)
{
    const table_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s, %s\n", row->table, row->scene);
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

static void print_row(const void *of)
{
    const table_row *const row = of;
    printf("  %-11s %-11s", row->structure, row->algorithm);
    if (!row->has_optimum) {
        print_pair(row, 4, row->distance, 4, row->published_distance);
    }
    print_pair(row, 2, row->percent, 2, row->published_percent);
    print_pair(row, 3, row->time_ms, 2, row->published_time_ms);
    printf("\n");
}

static const char notes[] =
    "\nPercent of the shortest path; where that is not known, of the least in the table. "
    "Lengths in\nedges of the world; published: in a unit that is not told. Times: mean of "
    "a warm query.\n";

static void fill(const void *of, table_fields *out)
{
    const table_row *const row = of;
    add_text(out, "table", row->table);
    add_text(out, "scene", row->scene);
    add_text(out, "structure", row->structure);
    add_text(out, "algorithm", row->algorithm);
    add_number(out, "distance", row->distance);
    add_number(out, "percent", row->percent);
    add_number(out, "time_ms", row->time_ms);
    add_number_if(row->is_published, out, "published_distance", row->published_distance);
    add_number_if(row->is_published, out, "published_percent", row->published_percent);
    add_number_if(row->is_published, out, "published_time_ms", row->published_time_ms);
}

const table oct_mesh_table = {sizeof(table_row), fill,  is_same_block, print_heading,
                              print_row,         notes, NULL};
