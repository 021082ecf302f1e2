// SPDX-License-Identifier: MIT
// The tables of Hoekzema 2024, measured anew beside what it printed, and beside what its own code
// took when others ran it again: memory of a world explored to the end (Table 1), times of single
// steps and of one explore call (Table 2); octree, voxel grid and set of blocked cells.
#ifndef OCTANT_TABLE_WORLDS_H
#define OCTANT_TABLE_WORLDS_H

#include "bench/bench.h"

// Values are in the unit that the metric's name ends with; negative = there is none.
typedef struct worlds_row {
    const char *table; // "memory", "times", "explore", "run", "whole"
    char world[32];    // "world1" to "world4", "glass-box", "glass-maze", "checkerboard", "solid"
    const char *structure;
    const char *metric;
    double radius; // of looks, metres
    double value;
    bool is_ended; // it took too long, or too much memory: it would have been more than the value
    double published; // by Hoekzema 2024
    double again[2];  // its own code, run again on another machine: least and most
    double fast[2];   // the same with a faster queue
    double goal;      // the value should be at most this
    double length;    // of the path that was found, metres
    char note[48];
} worlds_row;

// Measures rows of which "TABLE/WORLD STRUCTURE" holds the filter, and appends them to an array of
// worlds_row, which is the caller's also after a failure; then the report's message says why.
// Hoekzema's worlds where the folder of data has them, else ours; these have the report's size.
oct_result oct_table_worlds(bench_report *report, oct_array *rows);

#endif
