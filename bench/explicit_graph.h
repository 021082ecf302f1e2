// SPDX-License-Identifier: MIT
// The graphs of He and Hung 2016 (4.2), built whole as they built them: nodes and arcs in hash
// tables. Our own searches derive theirs on the way; this says how large they are.
#ifndef OCTANT_EXPLICIT_GRAPH_H
#define OCTANT_EXPLICIT_GRAPH_H

#include "octant/tree.h"

typedef struct graph_size {
    uint64_t leaves; // that are OPEN
    uint64_t nodes, arcs;
    double leaves_ms; // of listing the leaves, and dividing them where they are to be progressive
    double build_ms;  // of nodes and arcs
} graph_size;

// Of the OPEN leaves of a tree of three dimensions. `progressive`: divided until those that touch
// differ by one level at most. `corner`: corners and edges of leaves; else leaves, joined over
// faces.
oct_result oct_graph_measure(const oct_tree *tree, bool progressive, bool corner, graph_size *out);

#endif
