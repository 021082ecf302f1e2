// SPDX-License-Identifier: MIT
// Judges of paths on surfaces, which share no code with the search.
//
// A leg is valid if it lies in the union of faces that are joined over edges: the judge floods from
// the faces of the leg's start over edges that the leg touches, clips the leg to every face that it
// reaches, and wants these parts to cover the leg. Everything holds to within `slack` metres.
// The shortest length comes from the visibility graph over all corners at which borders end.
#ifndef OCTANT_SURFACE_JUDGE_H
#define OCTANT_SURFACE_JUDGE_H

#include "octant/surface_path.h"
#include "surface/surface_internal.h"

typedef struct surface_judge {
    const oct_surface *surface;
    oct_allocator allocator;
    double slack;
    uint32_t *stamps; // of faces
    uint32_t stamp;
    oct_array queue; // of uint32_t: faces that the last flood reached
    oct_array parts; // of judged_part
} surface_judge;

oct_result oct_surface_judge_open(surface_judge *judge, const oct_surface *surface, double slack);
void oct_surface_judge_close(surface_judge *judge);

// Whether a segment in the ground plane lies in joined faces. It begins in one of the faces in
// judge->queue, where afterwards those are at which it ends.
bool oct_surface_judge_leg(surface_judge *judge, const double from[2], const double to[2]);

// Whether every leg of a path is valid, from a face to a face.
bool oct_surface_judge_path(surface_judge *judge, const oct_point *points, uint32_t count,
                            uint32_t from_face, uint32_t to_face);

// ---- visibility graph ----

typedef struct surface_oracle {
    surface_judge judge;
    uint32_t count;   // corners
    uint32_t *edges;  // a half-edge of each
    uint32_t *joints; // of each joint, its corner, or UINT32_MAX
    double *between;  // distances of those that see each other; infinite = they do not
    double *from;     // scratch: distance of each from the start
    double *to;       // and to the goal
    bool *done;
} surface_oracle;

oct_result oct_surface_oracle_open(surface_oracle *oracle, const oct_surface *surface);
void oct_surface_oracle_close(surface_oracle *oracle);

// The shortest length in the ground plane between two places of known faces; infinite where there
// is no way.
double oct_surface_oracle_length(surface_oracle *oracle, oct_point from, uint32_t from_face,
                                 oct_point to, uint32_t to_face);

#endif
