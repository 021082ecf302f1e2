// SPDX-License-Identifier: MIT
// Rooms: what drifts needs the room that it will be in next.
//
// A rigid whole that drifts has one room in a map: the box of all that is seen of it, and what that
// will move over, ahead and astern, since it may turn at any time. A room has no holes: who flew
// into the hollow before an open hatch would be shut in between what comes.
#ifndef OCTANT_ROOMS_H
#define OCTANT_ROOMS_H

#include "base/base_internal.h"
#include "octant/game.h"

typedef struct rooms {
    oct_array drifters; // seen in one look
} rooms;

void oct_rooms_free(rooms *r, const oct_allocator *allocator);
void oct_rooms_clear(rooms *r);
// Notes an entity that was seen; those that stand, or are not in the way, are passed over.
oct_result oct_rooms_note(rooms *r, const oct_allocator *allocator, const oct_entity *e);
// Gives all of them their room for so many seconds, as things of their own; a look of the map may
// have taken them out.
oct_result oct_rooms_put(const rooms *r, oct_map *map, double lead, oct_label label);
// Takes them out of the map.
oct_result oct_rooms_remove(const rooms *r, oct_map *map);

// A box and all that it moves over.
oct_bounds oct_rooms_swept(oct_bounds box, oct_point by);

#endif
