// SPDX-License-Identifier: MIT
// The table of paths on navigation meshes beside Detour.
#include "bench/table_surfaces.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

static void print_heading(const void *of)
{
    (void)of;
    oct_cli_printf(CLI_BOLD, "%-18s %6s  %8s %8s %6s  %8s %8s  %9s %9s  %9s %9s  %6s\n", "mesh",
                   "faces", "octant", "detour", "ratio", "locate", "nearest", "octant m",
                   "detour m", "surface", "detour", "worst");
}

static void print_row(const void *of)
{
    const surfaces_row *const row = of;
    printf("%-18s %6u  %8.2f %8.2f %6.2f  %8.2f %8.2f  %9.4f %9.4f  %9.4f %9.4f  %6.3f\n",
           row->mesh, (unsigned)row->faces, row->octant_us, row->detour_us,
           row->octant_us / row->detour_us, row->locate_us, row->nearest_us, row->octant_length,
           row->detour_length, row->octant_surface, row->detour_surface, row->worst_surface);
    if (row->missed > 0 || row->longer > 0 || row->invalid > 0 || row->partial > 0 ||
        row->out_of_nodes > 0 || row->told_apart != row->apart) {
        printf("  not shortest %u, longer than Detour's %u, not valid %u; of Detour's partial %u, "
               "out of nodes %u; %u of %u told apart\n",
               (unsigned)row->missed, (unsigned)row->longer, (unsigned)row->invalid,
               (unsigned)row->partial, (unsigned)row->out_of_nodes, (unsigned)row->told_apart,
               (unsigned)row->apart);
    }
}

static const char notes[] =
    "\nTimes: us, mean of 1000 queries in turn, median of 5 passes, CPU time of the thread; both "
    "are\ngiven the faces of the ends, and finding one (locate, nearest) is timed apart. Lengths: "
    "mean, in\nthe ground plane, then on the surface; worst: greatest length on the surface over "
    "Detour's.\nEvery path is compared with the visibility graph and judged.\n";

static void fill(const void *of, table_fields *out)
{
    const surfaces_row *const row = of;
    add_text(out, "mesh", row->mesh);
    add_count(out, "faces", row->faces);
    add_count(out, "queries", row->queries);
    add_number(out, "octant_us", row->octant_us);
    add_number(out, "detour_us", row->detour_us);
    add_number(out, "ratio", row->octant_us / row->detour_us);
    add_number(out, "locate_us", row->locate_us);
    add_number(out, "nearest_us", row->nearest_us);
    add_number(out, "octant_length", row->octant_length);
    add_number(out, "detour_length", row->detour_length);
    add_number(out, "octant_surface", row->octant_surface);
    add_number(out, "detour_surface", row->detour_surface);
    add_number(out, "worst_miss", row->worst_miss);
    add_count(out, "not_shortest", row->missed);
    add_count(out, "longer", row->longer);
    add_count(out, "not_valid", row->invalid);
    add_count(out, "surface_over_1_percent", row->over_1);
    add_number(out, "worst_surface", row->worst_surface);
    add_count(out, "detour_partial", row->partial);
    add_count(out, "detour_out_of_nodes", row->out_of_nodes);
    add_count(out, "apart", row->apart);
    add_count(out, "told_apart", row->told_apart);
}

const table oct_surfaces_table = {
    sizeof(surfaces_row), fill, NULL, print_heading, print_row, notes, NULL};
