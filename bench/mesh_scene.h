// SPDX-License-Identifier: MIT
// Maps of real meshes, where the data folder has them.
#ifndef OCTANT_MESH_SCENE_H
#define OCTANT_MESH_SCENE_H

#include "bench/bench.h"
#include "octant/mesh.h"

// Names of files in the folder `mesh`, without extension.
extern const char *const oct_mesh_names[];
#define MESH_NAMES 7

// Reads one; false, and nothing read, where the folder lacks it. The mesh is the caller's.
bool oct_mesh_scene_load(const bench_options *options, const char *name, oct_mesh **out);

// Its map, with so many cells along the longest side; BLOCKED is what meets a triangle, nothing
// more (He and Hung 2016, 4.2). *box is what has labels. *seconds is the time of voxelising.
oct_result oct_mesh_scene_map(const oct_mesh *mesh, int32_t cells, const oct_executor *executor,
                              oct_tree **out, oct_box *box, double *seconds);

#endif
