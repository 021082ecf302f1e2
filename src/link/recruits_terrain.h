// SPDX-License-Identifier: MIT
// The ground of a level of Lab Recruits, as its mesh tells it: walls, floors and ramps.
//
// The game tells no walls, only a mesh of where the middle of a body can be. What the mesh leaves
// free, grown by the margin that it keeps, is floor or the top of a wall; where nothing can be
// stood on there is a wall. So walls are guessed: none is lower than it is here by more than the
// step that an agent takes, but holes are taken for walls.
#ifndef OCTANT_LINK_RECRUITS_TERRAIN_H
#define OCTANT_LINK_RECRUITS_TERRAIN_H

#include "link/recruits_client.h"
#include "octant/game_data.h"

typedef struct recruits_terrain {
    oct_array parts;  // oct_scenery_part
    oct_array pieces; // oct_piece
    oct_array points; // oct_point
    oct_bounds bounds;
} recruits_terrain;

// `first_id`: of the first part. On failure it is empty.
oct_result oct_recruits_terrain_make(const recruits_link_mesh *mesh, uint64_t first_id,
                                     const oct_allocator *allocator, recruits_terrain *out);
void oct_recruits_terrain_free(recruits_terrain *t, const oct_allocator *allocator);

#endif
