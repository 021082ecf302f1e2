// SPDX-License-Identifier: MIT
// Tactics and questions that the library's goals are written from. Each tactic takes over one use
// of its errand; NULL gives NULL.
#ifndef OCTANT_TACTICS_INTERNAL_H
#define OCTANT_TACTICS_INTERNAL_H

#include "agent/errand.h"

oct_tactic *oct_navigate(errand *e);
oct_tactic *oct_explore_towards(errand *e);
oct_tactic *oct_interact(errand *e);
oct_tactic *oct_face(errand *e);

// Where the errand leads: its point, or the place beside what it is about. False where that is not
// known or has no room beside it.
bool oct_errand_target(errand *e, oct_agent *a, oct_point *out);
// The direction to what is to be looked at.
bool oct_errand_look(errand *e, oct_agent *a, oct_point *towards);
bool oct_errand_faces(errand *e, oct_agent *a);
bool oct_errand_in_reach(const oct_agent *a, const oct_known *k);
// A guard: what the errand is about is known and within reach; else says why not.
bool oct_errand_at_hand(void *errand, oct_mind *mind);
// Whether a place has been seen: what is there is known.
bool oct_errand_is_seen(const oct_agent *a, oct_point at);

#endif
