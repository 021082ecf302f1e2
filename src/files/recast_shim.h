/* SPDX-License-Identifier: MIT
 * Recast and Detour (Mononen 2009) behind a C interface: baking a mesh to walk on, and searching
 * it, to compare with. The C++ behind it uses no exceptions and no C++ library of its own. Where
 * Octant was built without Debian's librecast-dev, recast_absent.c answers: nothing is there.
 */
#ifndef OCTANT_RECAST_SHIM_H
#define OCTANT_RECAST_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Highest cell of a column, as Recast counts. */
#define RECAST_HEIGHT_MAX 8191

/* Solid cells of a column, from low to below high; is_floor: one may stand on the highest. */
typedef struct recast_span {
    int x, z, low, high;
    bool is_floor;
} recast_span;

/* What is baked and for whom. Y is up; metres and degrees. Either triangles or spans. */
typedef struct recast_bake {
    const float *vertices; /* x, y, z of each */
    const int *triangles;  /* three indices each */
    int vertex_count, triangle_count;
    const recast_span *spans; /* NULL = triangles */
    size_t span_count;
    int width, depth; /* columns of spans */
    float origin[3];  /* of column 0, 0 */
    float cell, cell_height, height, radius, climb, slope;
    int least_region; /* cells; smaller floors are left out; 0 = 64, as Recast's demo has it */
    float error;      /* of borders, cells; 0 = 1.3, likewise */
} recast_bake;

/* A mesh of convex polygons on integer coordinates, for Detour. */
typedef struct recast_polygons {
    const uint16_t *vertices; /* x, y, z of each, in cells */
    const uint16_t *polygons; /* 6 vertices and 6 neighbours each, 0xffff = none */
    int vertex_count, polygon_count;
    float cell, cell_height;
    float origin[3];
} recast_polygons;

typedef struct recast_mesh recast_mesh;

/* Whether Octant was built with it. */
bool oct_recast_is_there(void);

/* NULL where memory is short, or nothing can be walked on; *why is then a short text. */
recast_mesh *oct_recast_bake(const recast_bake *bake, const char **why);
recast_mesh *oct_recast_of_polygons(const recast_polygons *polygons, const char **why);
void oct_recast_free(recast_mesh *mesh);

/* The mesh as Detour has it: coordinates, then faces. */
int oct_recast_vertex_count(const recast_mesh *mesh);
const float *oct_recast_vertices(const recast_mesh *mesh);
int oct_recast_face_count(const recast_mesh *mesh);
/* Returns the number of corners; at most 6. */
int oct_recast_face(const recast_mesh *mesh, int face, int corners[6]);
/* Triangles of heights of a face: three points each. Returns how many; `out` may be NULL. */
int oct_recast_detail(const recast_mesh *mesh, int face, float (*out)[9], int room);
/* The radius and climb that were baked for, after rounding to cells, metres. */
void oct_recast_rounded(const recast_mesh *mesh, float *radius, float *climb);

typedef struct recast_answer {
    bool is_found;   /* the whole way */
    bool is_partial; /* Detour says that the way does not reach the goal, or was cut off */
    bool is_out_of_nodes;
    int faces;           /* along the way */
    const float *points; /* of the straight path, x, y, z each; until the next query */
    int point_count;
} recast_answer;

/* findPath and findStraightPath between faces. */
recast_answer oct_recast_find(recast_mesh *mesh, int from_face, const float from[3], int to_face,
                              const float to[3]);

/* findNearestPoly: the face, or -1. */
int oct_recast_nearest(recast_mesh *mesh, const float at[3], const float half_extents[3]);

/* The height of a face, by its detail triangles. False where the point is outside. */
bool oct_recast_height(const recast_mesh *mesh, int face, const float at[3], float *height);

#ifdef __cplusplus
}
#endif

#endif
