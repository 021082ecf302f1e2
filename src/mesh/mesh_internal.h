// SPDX-License-Identifier: MIT
// Meshes inside: what readers build, and what voxelising looks at.
#ifndef OCTANT_MESH_INTERNAL_H
#define OCTANT_MESH_INTERNAL_H

#include "base/base_internal.h"
#include "base/text.h"
#include "octant/mesh.h"

// The most of each, whatever a definition says.
#define MESH_MOST (UINT32_C(1) << 27)

struct oct_mesh {
    oct_allocator allocator;
    oct_point *vertices;
    uint32_t *indices; // three per triangle
    // By triangle: 0 where its part encloses nothing, else 1, or -1 where it must be turned round
    // to look the same way as the others of its part.
    int8_t *sides;
    size_t vertex_count, triangle_count;
    oct_bounds bounds;
    double area;
    oct_mesh_report report;
};

// ---- building ----

// What the name of an object says about it.
typedef enum object_kind {
    OBJECT_DRAWN,
    OBJECT_COLLIDES,
    OBJECT_HULL, // its convex hull collides
    OBJECT_NEVER // walkable surfaces, and what is drawn where others collide
} object_kind;

// A mesh in the making. Triangles of one object stand together.
typedef struct mesh_builder {
    oct_mesh_def def;
    oct_allocator allocator;
    oct_array vertices; // oct_point; NaN where the file has no number
    oct_array indices;  // uint32_t
    oct_array objects;  // mesh_object
    oct_array corners;  // uint32_t: of the polygon that is being read, then scratch
    oct_mesh_report report;
} mesh_builder;

typedef struct mesh_object {
    size_t first; // triangle
    object_kind kind;
} mesh_object;

oct_result oct_mesh_builder_init(mesh_builder *b, const oct_mesh_def *def);
void oct_mesh_builder_free(mesh_builder *b);

// What follows belongs to an object of this name.
oct_result oct_mesh_begin_object(mesh_builder *b, const char *name, size_t length);

// Adds the polygon of b->corners, which has 3 corners or more, all of them vertices that are there.
// OCT_ERROR_RANGE where it is one too many.
oct_result oct_mesh_add_polygon(mesh_builder *b);

// Makes the mesh. The builder is to be freed in any case.
oct_result oct_mesh_finish(mesh_builder *b, oct_mesh **out);

// The end of a reader, which has come so far: the mesh, or why there is none.
oct_result oct_mesh_conclude(mesh_builder *b, oct_result result, oct_mesh **out, oct_error *error);

object_kind oct_mesh_object_kind(const char *name, size_t length);

// ---- formats ----

oct_result oct_mesh_read_obj(input in, mesh_builder *b, oct_error *error);
oct_result oct_mesh_read_stl(input in, mesh_builder *b, oct_error *error);

// ---- parts ----

// Fills in sides and what the report says about parts and edges.
oct_result oct_mesh_find_parts(oct_mesh *mesh);

// ---- hulls ----

// Appends the triangles of the convex hull of the vertices that some triangles use. They look
// outwards; of points in one plane there are none, and *flat is true.
oct_result oct_mesh_hull(const oct_allocator *allocator, const oct_point *vertices,
                         const uint32_t *indices, size_t index_count, oct_array *out, bool *flat);

#endif
