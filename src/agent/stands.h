// SPDX-License-Identifier: MIT
// Stands: places beside an entity at which a body fits.
#ifndef OCTANT_STANDS_H
#define OCTANT_STANDS_H

#include "agent/agent_internal.h"

oct_point oct_known_centre(const oct_known *k);
// Where a face is, and its normal, both in the world.
oct_point oct_known_face(const oct_known *k, oct_side side, oct_point *normal);

// How far a point is from it, metres.
double oct_known_distance(const oct_known *k, oct_point at);
// Whether nothing but the thing `but` stands on the shortest line between it and a point.
bool oct_known_is_free(const oct_agent *a, const oct_known *k, oct_point at, uint64_t but);

// How far beside the way straight out from a face places are tried, metres.
#define STANDS_BESIDE 1.25

typedef enum stand {
    STAND_NONE,    // no room, as far as is known
    STAND_UNKNOWN, // there may be room
    STAND_OPEN
} stand;

// The nearest place beside a face at which the body fits, at most `most` metres from it.
stand oct_known_stand(const oct_agent *a, const oct_known *k, oct_side side, double most,
                      oct_point *out);

// Sides as a set: bit `side` of each.
#define BLOCK_SIDES ((1u << OCT_SIDE_ANY) - 1u)
static inline uint32_t block_sides(oct_side side)
{
    return side == OCT_SIDE_ANY ? BLOCK_SIDES : side < OCT_SIDE_ANY ? 1u << side : 0u;
}

// Places beside the asked sides, in `out` by side, and those that have one. Where there is none a
// doorway nearby is one as well, as if its door stood open.
oct_result oct_known_stands(oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out, uint32_t *found);

// "front", "back", "left", "right", "top", "bottom", "any", as goals name the sides; NULL beyond.
const char *oct_stands_side_name(oct_side side);

#endif
