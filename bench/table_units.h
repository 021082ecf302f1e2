// SPDX-License-Identifier: MIT
// The tests of Abdo 2017 (pathfinding for many units in pruned octrees), measured anew beside what
// it printed: a wall and random obstacles; 1 to 15 units; the full octree and the pruned one, and
// our own search; 100 runs a row.
#ifndef OCTANT_TABLE_UNITS_H
#define OCTANT_TABLE_UNITS_H

#include "bench/bench.h"

#define UNITS_RUNS 100

// Of numbers: how many, and what of them. All 0 where there is none; the deviation is that of a
// sample (over count - 1) and 0 where there is but one.
typedef struct table_stats {
    uint64_t count;
    double min, max, mean, deviation;
} table_stats;

table_stats oct_table_stats(const double *values, size_t count);

// How much of a row is in print.
typedef enum units_print { UNITS_NOTHING, UNITS_ONE_FIGURE, UNITS_ALL } units_print;

typedef struct units_row {
    const char *scene; // "wall", "random"
    int units;
    const char *structure; // "full", "pruned"
    const char *algorithm; // "listing" (Abdo's own), "astar", "greedy", "portal"
    // Of every search that found a path: "time_ms", "traversals". Of every flight along one:
    // "updates", "update_ms". Of every run: "goals_taken", "no_path" (units that failed),
    // "node_bytes", "thing_bytes".
    const char *metric;
    table_stats measured;
    units_print print;
    table_stats published; // its count is 0; of ONE_FIGURE only the mean
} units_row;

// Measures those whose name, as "wall/15", holds the filter, in so many runs each, and appends
// their rows to an array of units_row, which is the caller's also after a failure; then the
// report's message says why. The report's size is not looked at.
oct_result oct_table_units(bench_report *report, uint64_t runs, oct_array *rows);

#endif
