// SPDX-License-Identifier: MIT
// What is baked, as Recast wants it and as it is measured against afterwards: triangles, or the
// columns of a map. Places are ground coordinates (surface_internal.h); Recast's x, y, z are their
// y, z, x.
#ifndef OCTANT_BAKE_H
#define OCTANT_BAKE_H

#include "files/recast_shim.h"
#include "octant/surface_bake.h"
#include "surface/surface_internal.h"

typedef struct bake_triangle {
    ground_point at[3];
    bool is_floor;
} bake_triangle;

typedef struct bake_geometry {
    const oct_allocator *memory;
    // Of meshes.
    oct_array triangles; // of bake_triangle
    uint32_t *starts;    // of each square of a grid, its first item; columns * rows + 1
    uint32_t *items;     // triangles
    double edge;         // of a square
    // Of maps: squares are columns of cells, and starts are those of spans.
    oct_array spans; // of recast_span, by column
    double cell_height;
    // Of both.
    double x, y, z; // where squares and heights begin
    uint32_t columns, rows;
} bake_geometry;

// The triangles of a mesh, without a grid.
oct_result oct_bake_take_mesh(const oct_mesh *mesh, const oct_bake_def *def, bake_geometry *out);

// The columns of a box of a map.
oct_result oct_bake_take_tree(const oct_tree *tree, oct_box box, oct_up up, bake_geometry *out,
                              oct_error *error);
void oct_bake_free(bake_geometry *geometry);

// Measures a surface; out->radius and climb are known. Makes the grid of triangles.
oct_result oct_bake_measure(bake_geometry *geometry, const oct_surface *surface,
                            const oct_bake_def *def, oct_surface_baked *out);

#endif
