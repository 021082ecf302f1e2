// SPDX-License-Identifier: MIT
// Pictures of surfaces, seen from above, as SVG.
#ifndef OCTANT_SURFACE_PICTURE_H
#define OCTANT_SURFACE_PICTURE_H

#include "base/sink.h"
#include "octant/surface_explore.h"
#include "octant/surface_walking.h"

typedef struct surface_picture {
    const char *title;
    const oct_surface_graph *graph;       // with its surface, obstacles and hazards
    const oct_surface_explorer *explorer; // what was seen, and the frontier; NULL = nobody explores
    const oct_walking_link *links;
    uint32_t link_count;
    const oct_point *way;
    uint32_t way_count;
} surface_picture;

// Faces are drawn always; vertices and edges only where there are no more than this many vertices,
// for they could not be told apart.
#define SURFACE_PICTURE_VERTICES_MAX 20000

void oct_surface_draw(sink *out, const surface_picture *picture);

#endif
