// SPDX-License-Identifier: MIT
// Tactics and questions that the library's goals are written from. Each tactic takes over one use
// of its target; NULL gives NULL.
#ifndef OCTANT_TACTICS_INTERNAL_H
#define OCTANT_TACTICS_INTERNAL_H

#include "agent/goal_target.h"

oct_tactic *oct_navigate(goal_target *e);
oct_tactic *oct_explore_towards(goal_target *e);
oct_tactic *oct_interact(goal_target *e);
oct_tactic *oct_face(goal_target *e);

// Where the target leads: its point, or the place beside what it is about. False where that is not
// known or has no room beside it.
bool oct_goal_target_target(goal_target *e, oct_agent *a, oct_point *out);
// The direction to what is to be looked at.
bool oct_goal_target_look(goal_target *e, oct_agent *a, oct_point *towards);
bool oct_goal_target_faces(goal_target *e, oct_agent *a);
// A guard: what the target is about is known and within reach; else says why not.
bool oct_goal_target_at_hand(void *goal_target, oct_mind *mind);
// Whether a place has been seen: what is there is known.
bool oct_goal_target_is_seen(const oct_agent *a, oct_point at);

#endif
