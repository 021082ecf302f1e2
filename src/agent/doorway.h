// SPDX-License-Identifier: MIT
// Doors as maps take them. A door without a gap is one thing: its box. One with a gap is two. The
// doorway has the door's id, fills the gap, hides nothing, and is shut unless the door is open:
// that is what plans open and shut. The leaf is where it is told: it hides what is behind it, and
// blocks wherever it stands but in the doorway.
#ifndef OCTANT_DOORWAY_H
#define OCTANT_DOORWAY_H

#include "octant/game_data.h"

// What a map takes an entity for: one or two things. Returns how many.
#define ENTITY_THINGS_MAX 2
size_t oct_entity_things(const oct_entity *entity, oct_thing out[ENTITY_THINGS_MAX]);

// An entity's thing with its shape, which stays the entity's.
oct_thing oct_entity_thing(const oct_entity *entity);

// The id of a leaf.
uint64_t oct_leaf_id(uint64_t door);

// What a door shuts; of anything else its box.
oct_bounds oct_entity_doorway(const oct_entity *entity);

#endif
