// SPDX-License-Identifier: MIT
// What something convex hides from the eye, as the space that lies behind planes.
//
// A solid between slabs lo <= n p <= hi, relative to the eye, hides the point c if t c lies in it
// for some t up to 1: with s = 1 / t, if s lo <= n c <= s hi for all slabs and some s >= 1. A slab
// that the eye is beside bounds s from above by n c / lo (turned so that lo > 0); each slab bounds
// it from below, as does 1. There is such an s if every lower bound is at most every upper one
// (Fourier and Motzkin), and each of these comparisons is linear in c: a plane. Those with 1 are
// the planes of the faces in front, the others go through the eye.
#ifndef OCTANT_SIGHT_SHADOW_H
#define OCTANT_SIGHT_SHADOW_H

#include "map/sight.h"

// Centres c are hidden where n c >= w for all planes, and only there. The normal is a unit vector.
// Cells are hidden for certain, if their centre is, where it is so much deeper that all of the cell
// lies behind what hides it: by `thick`.
typedef struct shadow_plane {
    double n[SIGHT_AXES];
    double w, thick;
} shadow_plane;

// Appends the planes (of shadow_plane) of a solid that does not hold the eye. Where they cannot be
// told apart there are none, and every cell is to be asked: *is_sure is false then.
oct_result oct_sight_shadow(const sight *s, const sight_solid *solid,
                            const oct_allocator *allocator, oct_array *planes, bool *is_sure);

#endif
