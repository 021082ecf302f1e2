// SPDX-License-Identifier: MIT
// Meshes to walk on, as both Detour and Octant have them, and queries on them.
#ifndef OCTANT_BENCH_SURFACE_SCENE_H
#define OCTANT_BENCH_SURFACE_SCENE_H

#include "files/recast_shim.h"
#include "octant/surface_path.h"

#define SURFACE_QUERIES 1000
#define SURFACE_APART 100 // pairs on different islands

typedef struct surface_query {
    float from[3], to[3];
    uint32_t from_face, to_face;
} surface_query;

typedef struct surface_scene {
    recast_mesh *recast;
    oct_surface *surface;
    surface_query queries[SURFACE_QUERIES];
    surface_query apart[SURFACE_APART];
    uint32_t apart_count; // 0 where there is one island
} surface_scene;

// A mesh that Recast bakes of the triangles of an OBJ file, scaled. *why says what is wrong; the
// result is OCT_ERROR_FILE where the file is not there.
oct_result oct_surface_scene_bake(const char *path, double scale, double radius, surface_scene *out,
                                  const char **why);

// A flat floor with holes.
oct_result oct_surface_scene_floor(uint64_t seed, surface_scene *out, const char **why);

void oct_surface_scene_free(surface_scene *scene);

#endif
