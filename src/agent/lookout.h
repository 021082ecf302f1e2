// SPDX-License-Identifier: MIT
// Lookouts: places to see something from.
#ifndef OCTANT_LOOKOUT_H
#define OCTANT_LOOKOUT_H

#include "agent/agent_internal.h"

// Whether a place is free, and the body gets there by a known way.
bool oct_lookout_is_place(const oct_agent *a, oct_point place);

// What hid something last: it is tried first, since it mostly hides the next as well. It holds as
// long as the map stays the same.
typedef struct sight_hint {
    bool is_set;
    oct_thing thing;
} sight_hint;

// Whether nothing that is known hides all of a thing from a place outside of it, within view.
bool oct_lookout_sees(const oct_agent *a, oct_point from, const oct_thing *thing, sight_hint *hint);

// Whether a cell is in sight from a place, by its middle: what is met in the cell itself hides
// nothing.
bool oct_lookout_sees_cell(const oct_agent *a, oct_point from, oct_point middle, sight_hint *hint);

// Whether a body there may be in the way of a door: then it tells nothing.
bool oct_lookout_holds(const oct_agent *a, oct_point place, const oct_thing *door);

// The place that is nearest to a cell, by its middle, which is in sight from there, or to a door
// that is, and that it does not hold. False where there is none within view.
bool oct_lookout_find(const oct_agent *a, oct_point at, oct_point *out);
bool oct_lookout_find_door(const oct_agent *a, const oct_known *door, oct_point *out);

#endif
