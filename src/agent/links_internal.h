// SPDX-License-Identifier: MIT
// What a belief and a press planner ask of links.
#ifndef OCTANT_LINKS_INTERNAL_H
#define OCTANT_LINKS_INTERNAL_H

#include "octant/links.h"

oct_advice oct_links_advise(const oct_links *links, uint32_t button, uint32_t door);

// The same after one more press, or after several, in any order.
oct_door_state oct_links_predict_press(const oct_links *links, uint32_t door, uint32_t button);

// What a door's links to several buttons add up to, with how it was at the start or without. False
// where that is not certain. Linear: the value of a sum of sums is the sum of their values, also
// where it is not certain.
bool oct_links_sum(const oct_links *links, uint32_t door, bool with_start, const uint32_t *buttons,
                   size_t count, bool *value);

// As it is by now.
uint64_t oct_links_settle(const oct_links *links);

// From this tick on sightings count, as far as presses so far go: 0 before all presses.
uint64_t oct_links_settled(const oct_links *links);

// Whether every invariant holds; walks everything. For tests.
bool oct_links_is_valid(const oct_links *links);

// How often a button was pressed.
uint32_t oct_links_presses(const oct_links *links, uint32_t button);

#endif
