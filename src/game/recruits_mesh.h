// SPDX-License-Identifier: MIT
// Rectangles that can be walked on, and the triangles made of them.
#ifndef OCTANT_GAME_RECRUITS_MESH_H
#define OCTANT_GAME_RECRUITS_MESH_H

#include "game/recruits_internal.h"

// How far above what one walks on the mesh lies: rays to its vertices do not end in the floor.
#define MESH_LIFT 0.03

// A rectangle seen from above, flat or on a ramp.
typedef struct mesh_rect {
    double x0, z0, x1, z1;
    int32_t x, y, z; // a ramp's cell; of a flat one y is the height
    uint8_t turn;    // of a ramp
    bool is_ramp;
} mesh_rect;

// Makes vertices and triangles: rectangles that touch share whole edges.
oct_result oct_recruits_join_rects(recruits_world *g, const mesh_rect *rects, size_t count);

#endif
