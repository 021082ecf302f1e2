// SPDX-License-Identifier: MIT
// What maps and graphs of meshes take.
#include "bench/table_graphs.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

#include <string.h>

// A block for each scene.
static bool is_same_block(const void *row, const void *last)
{
    return strcmp(((const graphs_row *)row)->scene, ((const graphs_row *)last)->scene) == 0;
}

static void print_heading(const void *of)
{
    const graphs_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s\n", row->scene);
    printf("  %-11s %-7s %6s %11s %11s %10s %10s %11s %9s\n", "structure", "graph", "cells",
           "nodes", "arcs", "leaves ms", "build ms", "bytes/m2", "per cell2");
}

static void print_row(const void *of)
{
    const graphs_row *const row = of;
    printf("  %-11s %-7s %6d %11.0f %11.0f %10.2f %10.2f", row->structure,
           row->graph ? row->graph : "-", row->cells, row->nodes, row->arcs, row->leaves_ms,
           row->build_ms);
    if (row->area > 0.0) {
        printf(" %11.4g %9.3f", row->per_metre, row->per_square);
    }
    printf("\n");
}

static const char notes[] =
    "\nGraphs are built whole, in hash tables, as He and Hung 2016 did. In rows of the tree, arcs "
    "are\n"
    "blocked cells, and build is the time of voxelising on one core; bytes for a square metre of\n"
    "surface, and for a square of one cell's edge of it.\n";

static void fill(const void *of, table_fields *out)
{
    const graphs_row *const row = of;
    add_text(out, "scene", row->scene);
    add_text(out, "structure", row->structure);
    add_text(out, "graph", row->graph ? row->graph : "none");
    add_number(out, "cells", row->cells);
    add_number(out, "nodes", row->nodes);
    add_number(out, "arcs", row->arcs);
    add_number(out, "leaves_ms", row->leaves_ms);
    add_number(out, "build_ms", row->build_ms);
    add_number(out, "bytes", row->bytes);
    add_number_if(row->area > 0.0, out, "bytes_per_m2", row->per_metre);
    add_number_if(row->area > 0.0, out, "bytes_per_cell2", row->per_square);
}

const table oct_graphs_table = {sizeof(graphs_row), fill,  is_same_block, print_heading,
                                print_row,          notes, NULL};
