// SPDX-License-Identifier: MIT
// What the files of goals share: leaves and tactics about a target.
#ifndef OCTANT_GOALS_INTERNAL_H
#define OCTANT_GOALS_INTERNAL_H

#include "agent/hand.h"
#include "agent/possible.h"
#include "agent/press_planner.h"
#include "agent/tactics_internal.h"

// A leaf that holds a target (one use is taken over), with its functions and a tactic.
oct_goal *oct_goal_target_leaf(goal_target *e, const oct_leaf_goal *with, oct_tactic *tactic);
bool oct_goal_target_begins(void *ctx, oct_mind *mind);
// Several goals as one, named with what they are about.
oct_goal *oct_goal_steps(const oct_allocator *allocator, oct_goal *const *steps, size_t count,
                         const char *name, const oct_pick *pick);
// Whether a target that ends by itself has ended, or has not.
bool oct_goal_target_is_done(void *ctx, oct_mind *mind);
bool oct_goal_target_is_at_work(void *ctx, oct_mind *mind);
// Whether its action was sent, and has come about.
bool oct_goal_target_came(const goal_target *e, oct_mind *mind, oct_verb verb);

// Whether it is about something that is not known.
bool oct_goal_target_is_lost(void *ctx, oct_mind *mind);
// The places that it is about; a pick must be known.
oct_result oct_goal_target_aim(goal_target *e, oct_agent *a, press_aim *aim);

// Tactics; those of a target hold it once more. NULL gives NULL.
oct_tactic *oct_goal_target_part(goal_target *e, const char *name, oct_test_fn *guard,
                                 oct_action_fn *run);
oct_tactic *oct_find(goal_target *e);    // looks everywhere for what is not known
oct_tactic *oct_give_up(goal_target *e); // fails, and says why
oct_tactic *oct_press_what_helps(goal_target *e);
oct_tactic *oct_go_on_pressing(goal_target *e); // makes the press that was chosen, before all else
oct_tactic *oct_settle(const oct_allocator *allocator);        // waits for what presses do
oct_tactic *oct_look_at_doors(const oct_allocator *allocator); // whose state is not known

// Explores as far as it gets. One that is modest succeeds then; else only where nothing that may be
// got to, by presses too where those are allowed, was not seen.
oct_goal *oct_explore_all(const oct_allocator *allocator, bool is_modest, bool presses);

// What is picked is in sight, or it is certain how it is: looks for it.
oct_goal *oct_goal_known_for_sure(const oct_allocator *allocator, const oct_pick *pick);

// Turning to what a target is about; takes over one use.
oct_goal *oct_facing_goal(goal_target *e);

bool oct_agent_is_unsettled(const oct_agent *a);
// Whether everything that can be reached was seen; says so, or what is left.
bool oct_agent_has_seen_all(oct_agent *a, char *out, size_t size);

#endif
