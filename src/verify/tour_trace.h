// SPDX-License-Identifier: MIT
// Traces of tours: what a body did, step by step, for a viewer. JSON, one object per line; the
// format is in docs/reference/trace-file.md.
#ifndef OCTANT_TOUR_TRACE_H
#define OCTANT_TOUR_TRACE_H

#include "base/sink.h"
#include "octant/world.h"
#include "verify/tour.h"

// What the first line says.
typedef struct tour_trace_head {
    const char *file;       // of the world or map
    const oct_world *world; // NULL where it is a map; its types' names are written
    const oct_map *map;     // the body's: its lattice
    const char *structure;  // what it decides by: "octree", "grid", "set"
    oct_up up;
    bool left_handed;
    oct_point body;       // extents, metres
    const tour_def *tour; // bounds are those of its map's lattice
    const char *strategy; // its name
    uint64_t seed;
    const char *find; // of FIND: what for
    bool times;       // whether lines say how long calls and looks took: then no two runs are alike
    double time_us;   // what a tick of the tour's clock is
} tour_trace_head;

// What the last line says.
typedef struct tour_trace_tail {
    const tour_result *tour;
    const uint64_t *counts; // cells of the bounds, by label
    const oct_remains *remains;
} tour_trace_tail;

void oct_tour_trace_head(sink *out, const tour_trace_head *head);
void oct_tour_trace_event(sink *out, const tour_trace_head *head, const tour_event *event);
void oct_tour_trace_tail(sink *out, const tour_trace_tail *tail);

#endif
