// SPDX-License-Identifier: MIT
// Approach: places beside an entity at which a body fits.
#ifndef OCTANT_APPROACH_H
#define OCTANT_APPROACH_H

#include "agent/agent_internal.h"

oct_point oct_known_centre(const oct_known *k);
// The side that is meant, by the right-handed frame of a thing: in a left-handed world left and
// right change places.
oct_side oct_side_by_hand(const oct_game_info *info, oct_side side);
// Where a face is, and its normal, both in the world; the side is one of the right-handed frame.
oct_point oct_known_face(const oct_known *k, oct_side side, oct_point *normal);

// How far a point is from it, metres.
double oct_known_distance(const oct_known *k, oct_point at);
// The point of it that is nearest.
oct_point oct_known_nearest(const oct_known *k, oct_point at);
// Whether nothing but the thing `but` stands on the shortest line between it and a point.
bool oct_known_is_free(const oct_agent *a, const oct_known *k, oct_point at, uint64_t but);

// How far beside the way straight out from a face places are tried, metres.
#define APPROACH_BESIDE 1.25

typedef enum approach {
    APPROACH_NONE,    // no room, as far as is known
    APPROACH_UNKNOWN, // there may be room
    APPROACH_OPEN
} approach;

// In place of a distance: as far as the player's hand reaches.
#define APPROACH_HAND 0.0

// The nearest place beside a face at which the body fits, at most `most` units from it.
approach oct_approach_side(const oct_agent *a, const oct_known *k, oct_side side, double most,
                           oct_point *out);

// Sides as a set: bit `side` of each.
#define BLOCK_SIDES ((1u << OCT_SIDE_ANY) - 1u)
static inline uint32_t block_sides(oct_side side)
{
    return side == OCT_SIDE_ANY ? BLOCK_SIDES : side < OCT_SIDE_ANY ? 1u << side : 0u;
}

// Places beside the asked sides, in `out` by side, and those that have one. Where there is none a
// doorway nearby is one as well, as if its door stood open.
oct_result oct_approach_all(oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out, uint32_t *found);

// "front", "back", "left", "right", "top", "bottom", "any", as goals name the sides; NULL beyond.
const char *oct_approach_side_name(oct_side side);

#endif
