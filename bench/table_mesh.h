// SPDX-License-Identifier: MIT
// The three tables of He and Hung 2016 (any-angle search on octrees), measured anew beside what is
// in print: a single wall, a single sphere, a scene full of large obstacles; octree and progressive
// octree; A*, Theta*, Lazy Theta*, and the portal search; 100 random queries each.
#ifndef OCTANT_TABLE_MESH_H
#define OCTANT_TABLE_MESH_H

#include "bench/bench.h"
#include "octant/tree.h"

#define TABLE_QUERIES 100

typedef struct table_row {
    const char *table;     // "wall", "sphere", "complex", "quarter", or the name of a mesh
    const char *scene;     // the test, one half of the table: "source sparse", ...
    const char *structure; // "octree", "progressive"
    const char *algorithm; // as oct_lab_algorithm_name says; the portal search's with its grade
    bool has_optimum;      // the exact shortest paths are known
    bool is_published;     // else what is published is 0
    // Mean length: in percent of the optimum; without one in edges of the world (published: in a
    // unit that is not told).
    double distance, published_distance;
    // In percent of the optimum; without one, of the least in the table.
    double percent, published_percent;
    double time_ms, published_time_ms; // mean of a query
} table_row;

// Measures the tables whose name holds the filter, and appends their rows to an array of table_row,
// which is the caller's also after a failure; then the report's message says why. Scenes have half
// the report's size: 128, as in He and Hung 2016, for 256.
oct_result oct_table_mesh(bench_report *report, oct_array *rows);

// The map of one of the scenes, which is the caller's, and its edge in cells.
#define TABLE_SCENES 4
oct_result oct_table_mesh_scene(size_t i, uint32_t size, const char **name, int32_t *cells,
                                oct_tree **out);

#endif
