// SPDX-License-Identifier: MIT
// The insides of explorers of surfaces.
#ifndef OCTANT_SURFACE_EXPLORER_INTERNAL_H
#define OCTANT_SURFACE_EXPLORER_INTERNAL_H

#include "octant/surface_explore.h"
#include "surface/graph.h"
#include "surface/surface_path.h"

#define WALKED_FORWARD 1u // from the edge's first vertex to the other one
#define WALKED_BACK 2u
#define PASSED_THROUGH 1u
#define PASSED_AROUND 2u

struct oct_surface_explorer {
    oct_surface_explorer_def def;
    oct_allocator allocator;
    oct_surface_walker *walker;
    oct_surface_walker *gauge;    // for the ways that obstacles are avoided on; NULL = none yet
    oct_surface_planner *planner; // for lines of sight
    oct_random random;
    bool *seen;
    bool *visited;
    uint8_t *walked;   // of each edge: WALKED_...
    oct_array borders; // of uint32_t: a border edge of each border
    oct_array passed;  // of uint8_t: of each shape, PASSED_...
    uint32_t centre_ways;
    uint32_t *recent;   // of each vertex: when it was visited last
    oct_array trail;    // of uint32_t: visited vertices from which DEPTH_FIRST has not gone back
    oct_array frontier; // of uint32_t
    oct_array costs;    // of double
    bool with_final;    // nothing else is left: what cannot be gone back counts
    uint32_t now;
};

// The agent is at a vertex.
oct_result oct_surface_explorer_visit(oct_surface_explorer *e, uint32_t vertex);

#endif
