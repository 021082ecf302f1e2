// SPDX-License-Identifier: MIT
// The laboratory's spaces: their numbers, and what they take over from a query.
#ifndef OCTANT_LAB_SPACE_H
#define OCTANT_LAB_SPACE_H

#include "flat/plane.h"
#include "octant/lab_search.h"
#include "search/planner.h"

enum {
    SPACE_CELLS = SPACE_LAB,
    SPACE_DUAL,
    SPACE_CORNER,
    SPACE_PROGRESSIVE_DUAL,
    SPACE_PROGRESSIVE_CORNER,
    SPACE_LATTICE,
    SPACE_VISIBILITY,
    SPACE_VISIBILITY_ALL,
    SPACE_INTERVALS,
    SPACE_BLOCKS,
    SPACE_JUMP, // of cells, for jump point search
    SPACE_LAB_END
};
_Static_assert((int)SPACE_LAB_END <= (int)SPACES_MAX, "a planner has room for all");

// What the spaces of one planner share.
typedef struct lab_shared {
    bit_plane plane; // what those of two dimensions alone look at
} lab_shared;

// The directions that a query's number of neighbours stands for; 0 for one that is none.
uint32_t oct_lab_directions(const oct_lab_query *lab, uint32_t dims);

// Takes over directions, estimate, and whether paths squeeze: what all spaces of the laboratory
// have.
void oct_lab_take(space *s, const oct_planner *planner);

// The plane that a planner's spaces share.
OCT_FORCE_INLINE bit_plane *lab_plane(const oct_planner *planner)
{
    return &((lab_shared *)planner->shared)->plane;
}

#endif
