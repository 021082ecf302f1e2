// SPDX-License-Identifier: MIT
// The evaluation that Freeman 2014 planned and never wrote: its seven algorithms, and ours, over
// resolution, coverage and clustering of generated maps; blocks of Block A* and their databases;
// Freeman's own rule, by which paths squeeze; paths between middles of cells, where jump point
// search is at home; and how graphs grow.
#ifndef OCTANT_CLI_LAB_TABLE_H
#define OCTANT_CLI_LAB_TABLE_H

#include "bench/bench.h"
#include "cli/lab.h"

// A database of distances by itself.
typedef struct lab_database {
    uint64_t bytes;
    double growth;    // bytes over those of the plain one, less 1
    double make_ms;   // working it out
    double open_ms;   // checking one that was read
    double lookup_ns; // a distance between two boundary points of a block, both at random
} lab_database;

// What an algorithm did on all maps of one point of a table: means.
typedef struct lab_table_row {
    const char *table; // "size", "coverage", ...
    const char *axis;  // what x is: "size", "coverage" or "clustering"; NULL: of a database
    double x;
    lab_generate map;
    bool squeeze, centre;
    char name[LAB_NAME_MAX];  // of the item
    char label[LAB_NAME_MAX]; // of the item in plots and documents
    size_t runs, found;
    double optimum;   // of the shortest paths, cells
    double ratio;     // total length over the total of the shortest paths
    double ratio_max; // of a single path
    double turning_degrees, graph_us, path_us, expanded, nodes, sight_checks;
    double path_spread; // between the rounds, over path_us
    bool has_size;      // nodes and edges of the graph are known
    double graph_nodes, graph_edges;
    double ends_share; // of Block A*'s time: in the blocks of start and goal; < 0 = not measured
    lab_database database; // where axis is NULL
} lab_table_row;

#define LAB_TABLE_MAPS 10 // of each point, where the options' repeat does not say

// Measures the tables whose name holds the options' filter; their size is the edge of the maps
// where resolution does not change, their repeat how many maps a point has. Appends rows to an
// array of lab_table_row, the caller's also after a failure. Complains where it fails.
int oct_lab_table_run(const bench_options *options, oct_array *rows);

// ---- lab_databases.c ----

// Measures the databases whose name, such as "databases/4:semi:packed", holds the filter. Appends
// rows likewise.
int oct_lab_databases_run(const bench_options *options, oct_array *rows);

// ---- lab_table_out.c ----

// What an item is called in plots and documents.
void oct_lab_table_label(const lab_item *item, bool is_of_blocks, char out[LAB_NAME_MAX]);

// Lists the plots that may be drawn into a folder among the outputs; complains where they cannot
// be.
int oct_lab_table_add_plots(const char *folder, cli_files *files);

// Draws all plots into a folder, which must exist. Complains where it fails.
int oct_lab_table_draw(const char *folder, const oct_array *rows);

#endif
