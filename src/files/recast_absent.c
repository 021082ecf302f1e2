// SPDX-License-Identifier: MIT
// What answers where Octant was built without librecast-dev.
#include "files/recast_shim.h"

#ifndef OCTANT_HAS_RECAST

bool oct_recast_is_there(void)
{
    return false;
}

recast_mesh *oct_recast_bake(const recast_bake *bake, const char **why)
{
    (void)bake;
    *why = "Octant was built without Recast; install librecast-dev and build again";
    return NULL;
}

recast_mesh *oct_recast_of_polygons(const recast_polygons *polygons, const char **why)
{
    (void)polygons;
    return oct_recast_bake(NULL, why);
}

void oct_recast_free(recast_mesh *mesh)
{
    (void)mesh;
}

// What follows is never called: there is no mesh.

int oct_recast_vertex_count(const recast_mesh *mesh)
{
    (void)mesh;
    return 0;
}

const float *oct_recast_vertices(const recast_mesh *mesh)
{
    (void)mesh;
    return NULL;
}

int oct_recast_face_count(const recast_mesh *mesh)
{
    (void)mesh;
    return 0;
}

int oct_recast_face(const recast_mesh *mesh, int face, int corners[6])
{
    (void)mesh;
    (void)face;
    (void)corners;
    return 0;
}

int oct_recast_detail(const recast_mesh *mesh, int face, float (*out)[9], int room)
{
    (void)mesh;
    (void)face;
    (void)out;
    (void)room;
    return 0;
}

void oct_recast_rounded(const recast_mesh *mesh, float *radius, float *climb)
{
    (void)mesh;
    *radius = 0.0f;
    *climb = 0.0f;
}

recast_answer oct_recast_find(recast_mesh *mesh, int from_face, const float from[3], int to_face,
                              const float to[3])
{
    (void)mesh;
    (void)from_face;
    (void)from;
    (void)to_face;
    (void)to;
    return (recast_answer){.is_found = false};
}

int oct_recast_nearest(recast_mesh *mesh, const float at[3], const float half_extents[3])
{
    (void)mesh;
    (void)at;
    (void)half_extents;
    return -1;
}

bool oct_recast_height(const recast_mesh *mesh, int face, const float at[3], float *height)
{
    (void)mesh;
    (void)face;
    (void)at;
    (void)height;
    return false;
}

#endif
