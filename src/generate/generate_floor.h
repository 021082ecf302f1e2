// SPDX-License-Identifier: MIT
// Meshes to walk on, from a seed: for tests and measurements of surfaces.
#ifndef OCTANT_GENERATE_FLOOR_H
#define OCTANT_GENERATE_FLOOR_H

#include "base/base_internal.h"
#include "octant/surface.h"

typedef enum floor_kind {
    FLOOR_BENT,   // a lattice of quadrangles whose corners were moved; some cut into triangles
    FLOOR_TILED,  // squares and rectangles of several sizes that meet in parts of edges
    FLOOR_SPIRAL, // a ramp that winds up around a pole: faces above each other
    FLOOR_KINDS
} floor_kind;

typedef struct floor_def {
    floor_kind kind;
    uint64_t seed;
    uint32_t edge;  // cells along an edge, 2 to 1000; of a spiral, along its width
    double holes;   // share of cells that are left out, 0 to 1
    double heights; // greatest height of a corner, metres; of a spiral, of one turn around
    bool unshared;  // every face has points of its own; some faces are clockwise
} floor_def;

// The arrays of a surface's definition. Corners have Z up.
typedef struct floor_mesh {
    oct_array points;  // of oct_point
    oct_array corners; // of uint32_t
    oct_array sizes;   // of uint32_t
} floor_mesh;

oct_result oct_floor_generate(const floor_def *def, const oct_allocator *allocator,
                              floor_mesh *out);
void oct_floor_free(floor_mesh *mesh, const oct_allocator *allocator);

// The definition of a surface of the mesh, which is borrowed.
oct_surface_def oct_floor_def(const floor_mesh *mesh);

#endif
