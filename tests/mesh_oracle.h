// SPDX-License-Identifier: MIT
// What a mesh means for a cell, by brute force: each triangle alone, exactly in integers or by
// plain formulas. Slow, and nothing of the voxeliser's.
#ifndef OCTANT_TESTS_MESH_ORACLE_H
#define OCTANT_TESTS_MESH_ORACLE_H

#include "octant/mesh.h"

typedef struct mesh_oracle mesh_oracle;

mesh_oracle *mesh_oracle_create(const oct_mesh *mesh, const oct_tree *tree);
void mesh_oracle_destroy(mesh_oracle *oracle);

size_t mesh_oracle_count(const mesh_oracle *oracle);

// Some point of a triangle's surface, cells; u and v from 0 to 1.
oct_point mesh_oracle_point(const mesh_oracle *oracle, size_t triangle, double u, double v);

// Whether any triangle shares a point with the closed cell.
bool mesh_oracle_meets(const mesh_oracle *oracle, oct_vec cell);

// How often the closed parts go round the middle of a cell, which meets none of them: the solid
// angle under which they are seen.
int mesh_oracle_winding(const mesh_oracle *oracle, oct_vec cell);

// Whether a body with its middle somewhere in the cell shares inner points with a triangle; *sure
// is false where that is a matter of less than 10^-6 of a cell. Half extents and radius in cells.
bool mesh_oracle_body(const mesh_oracle *oracle, oct_vec cell, oct_point half, double radius,
                      bool *sure);

#endif
