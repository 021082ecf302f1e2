// SPDX-License-Identifier: MIT
// The insides of walking spaces.
#ifndef OCTANT_SURFACE_WALKING_INTERNAL_H
#define OCTANT_SURFACE_WALKING_INTERNAL_H

#include "octant/surface_walking.h"
#include "surface/surface_internal.h"

struct oct_walking_space {
    oct_walking_rules rules;
    oct_allocator allocator;
    oct_surface *surface;
    oct_array links;    // of oct_walking_link, by the island that they lead from
    uint32_t *leaving;  // of each island, the first link that leads from it; islands + 1
    uint32_t *entering; // of each island, the first of its links in `into`; islands + 1
    uint32_t *into;     // links, by the island that they lead to
};

OCT_FORCE_INLINE uint32_t island_of(const oct_surface *s, uint32_t face)
{
    return s->faces[face].island;
}

// Fills space->links, in no order.
oct_result oct_walking_find_links(oct_walking_space *space);

// No link that the rules allow is longer.
double oct_walking_longest(const oct_walking_rules *rules);

// The kind of link that the rules allow over a distance in the ground plane to a place that is so
// much higher; WALK = none.
oct_walking_kind oct_walking_kind_of(const oct_walking_rules *rules, double distance,
                                     double height);

// The length and price of a link.
double oct_walking_link_cost(const oct_walking_rules *rules, const oct_walking_link *link);

#endif
