// SPDX-License-Identifier: MIT
// A configuration space that is kept from question to question, while what is solid stays as it is.
//
// Who gives up asks the same space often: what is new between two questions are presses and how
// doors stood, of which the space knows nothing. So it is kept with all that it was made of, and
// made anew when any of that has changed. The answers are those of a new one, to the bit.
#ifndef OCTANT_SPACE_CACHE_H
#define OCTANT_SPACE_CACHE_H

#include "agent/config_space.h"

// Parts of a space, each once, in the order in which they were found.
typedef struct part_list {
    const uint32_t *all;
    size_t count;
} part_list;

// An empty one; NULL where memory is short. What it is asked with must stay the allocator's.
space_cache *oct_space_cache_create(const oct_allocator *allocator);
void oct_space_cache_destroy(space_cache *cache); // NULL is allowed
// Forgets everything. Call it when a question has failed.
void oct_space_cache_clear(space_cache *cache);

// The space of a history on the lattice of a map; see oct_config_space_make. With limits, which are
// of who walks, it is made anew. It is the cache's, and
// good until it is taken again; what is entered stays entered. On failure nothing is kept.
oct_result oct_space_cache_take(space_cache *cache, const oct_history *history,
                                const oct_tree *lattice, const oct_bounds *bounds,
                                const struct walk_limits *limits, config_space **out);

// The parts from which something can be touched, of the space that was taken last; see
// oct_config_space_around. The list is good until the next call.
oct_result oct_space_cache_around(space_cache *cache, const space_aim *aim, part_list *out);

#endif
