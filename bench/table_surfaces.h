// SPDX-License-Identifier: MIT
// Paths on navigation meshes beside Detour (Mononen 2009), in one process, on the same meshes and
// with the same queries. Both are given the faces of the ends.
#ifndef OCTANT_TABLE_SURFACES_H
#define OCTANT_TABLE_SURFACES_H

#include "bench/bench.h"

#define SURFACES_PASSES 5

typedef struct surfaces_row {
    char mesh[32];
    uint32_t faces, queries;
    double detour_us, octant_us;           // mean of a query, median of the passes
    double nearest_us, locate_us;          // finding an end
    double detour_length, octant_length;   // mean, in the ground plane
    double detour_surface, octant_surface; // mean, on the surface
    double worst_miss;    // greatest difference from the visibility graph's length, metres
    uint32_t missed;      // queries that differ by more than 1e-5 m
    uint32_t longer;      // queries longer than Detour's by more than 1 mm
    uint32_t invalid;     // paths that leave the joined faces
    uint32_t over_1;      // queries more than 1 percent above Detour's on the surface
    double worst_surface; // greatest length on the surface over Detour's
    uint32_t partial, out_of_nodes; // answers of Detour that count apart
    uint32_t apart, told_apart;     // pairs on different islands, and those answered unreachable
} surfaces_row;

// Measures the meshes whose name holds the filter, and appends their rows to an array of
// surfaces_row. Meshes that are not in the data folder are left out.
oct_result oct_table_surfaces(bench_report *report, oct_array *rows);

#endif
