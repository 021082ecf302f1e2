// SPDX-License-Identifier: MIT
// The evaluation that Freeman 2014 planned and never wrote: its seven algorithms, and ours, over
// resolution, coverage and clustering of generated maps; blocks of Block A* and their databases;
// and Freeman's own rule, by which paths squeeze.
#ifndef OCTANT_CLI_LAB_TABLE_H
#define OCTANT_CLI_LAB_TABLE_H

#include "bench/bench.h"
#include "cli/lab.h"

// What an algorithm did on all maps of one point of a table: means.
typedef struct lab_table_row {
    const char *table; // "size", "coverage", ...
    const char *axis;  // what x is: "size", "coverage" or "clustering"
    double x;
    lab_generate map;
    bool squeeze;
    char name[LAB_NAME_MAX]; // of the item
    size_t runs, found;
    double ratio; // total length over the total of the shortest paths
    double turning_degrees, graph_us, path_us, expanded, sight_checks;
    double ends_share; // of Block A*'s time: in the blocks of start and goal; < 0 = not measured
} lab_table_row;

// Measures the tables whose name holds the options' filter; their size is the edge of the maps
// where resolution does not change. Appends rows to an array of lab_table_row, the caller's also
// after a failure. Complains where it fails.
int oct_lab_table_run(const bench_options *options, oct_array *rows);

// Lists the plots that may be drawn into a folder among the outputs; complains where they cannot
// be.
int oct_lab_table_add_plots(const char *folder, cli_files *files);

// Draws all plots into a folder, which must exist. Complains where it fails.
int oct_lab_table_draw(const char *folder, const oct_array *rows);

#endif
