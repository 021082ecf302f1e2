// SPDX-License-Identifier: MIT
// What the maps and graphs of He and Hung 2016 take: nodes, arcs and time of each graph, for the
// scenes of table_mesh.h and for real meshes; and the tree's bytes for a square metre of surface at
// five sizes of cells.
#ifndef OCTANT_TABLE_GRAPHS_H
#define OCTANT_TABLE_GRAPHS_H

#include "bench/bench.h"

typedef struct graphs_row {
    const char *scene;     // of table mesh, or the name of a mesh
    const char *structure; // "octree", "progressive"; "tree" in rows about bytes
    const char *graph;     // "dual", "corner"; NULL in rows about bytes
    int32_t cells;         // along the longest side
    double nodes, arcs;    // of the graph; of the tree: words, and BLOCKED cells
    double build_ms;       // of the graph, or of voxelising
    double leaves_ms;      // before that: of listing the leaves, and of dividing them
    double bytes, area;    // of the tree, packed; surface in square metres (0 without triangles)
    double per_metre;      // bytes for a square metre
    double per_square;     // bytes for a square of one cell's edge
} graphs_row;

// Appends the rows whose scene's name holds the filter to an array of graphs_row.
oct_result oct_table_graphs(bench_report *report, oct_array *rows);

#endif
