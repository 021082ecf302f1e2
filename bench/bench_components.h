// SPDX-License-Identifier: MIT
// How long components take to follow a map.
#ifndef OCTANT_BENCH_COMPONENTS_H
#define OCTANT_BENCH_COMPONENTS_H

#include "octant/components.h"

typedef struct components_times {
    double label_ms; // everything, the fastest of three
    double mean_us;  // an update after an edit of one box of 8^3 cells
    double worst_us;
    double at_ns; // the component of one cell
    size_t bytes;
} components_times;

// Measures them on a copy of a map: boxes at random places within `box`, from a fixed seed, become
// BLOCKED and then OPEN, with an update, which alone is timed, after each.
oct_result oct_bench_components(const oct_tree *tree, oct_box box, uint32_t boxes,
                                components_times *out);

#endif
