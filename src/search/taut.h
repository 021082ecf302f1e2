// SPDX-License-Identifier: MIT
// Taut paths: a path is pulled until it bends only where something is in the way, and nowhere more
// than it must.
#ifndef OCTANT_TAUT_H
#define OCTANT_TAUT_H

#include "search/graph_internal.h"

// A path is taut if no vertex can be left out, and none can slide along the edge that it bends
// around, or split at a corner, so that the path gets shorter by more than this, cells.
#define TAUT_TOLERANCE 0x1p-8

// All zero but the allocator is ready for use.
typedef struct taut {
    oct_allocator allocator;
    uint64_t sight_checks; // made so far: lines looked along
    oct_array vertices;    // of vertex: the path while it is pulled
    oct_array knots;       // of knot: the same while all vertices slide at once
} taut;

void oct_taut_free(taut *t);
size_t oct_taut_bytes(const taut *t);

// Pulls a path: an array of spot, of which each sees the next. First and last stay. The path never
// gets longer (where the view is priced: costlier), is valid whenever it was, and a second pull
// changes nothing. On failure the path is as it was. With memory for a path of this size it
// allocates nothing.
oct_result oct_taut_pull(taut *t, const view *v, oct_array *path);

#endif
