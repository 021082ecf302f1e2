// SPDX-License-Identifier: MIT
// Formats that assimp reads.
#ifndef OCTANT_MESH_ASSIMP_H
#define OCTANT_MESH_ASSIMP_H

#include "mesh/mesh_internal.h"

// Reads a file into a builder.
oct_result oct_mesh_read_assimp(const char *path, mesh_builder *b, oct_error *error);

#endif
