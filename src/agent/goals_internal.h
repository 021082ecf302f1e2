// SPDX-License-Identifier: MIT
// What the files of goals share: leaves and tactics about an errand.
#ifndef OCTANT_GOALS_INTERNAL_H
#define OCTANT_GOALS_INTERNAL_H

#include "agent/possible.h"
#include "agent/tactics_internal.h"
#include "agent/wits.h"

// How near to its place somebody has to be to press, and how far that may be from a panel, metres.
#define PRESS_TOLERANCE 0.3
#define PRESS_REACH 2.6

// A leaf that holds an errand (one use is taken over), with its functions and a tactic.
oct_goal *oct_errand_leaf(errand *e, const oct_leaf_goal *with, oct_tactic *tactic);
bool oct_errand_begins(void *ctx, oct_mind *mind);
// Several goals as one, named with what they are about.
oct_goal *oct_goal_steps(const oct_allocator *allocator, oct_goal *const *steps, size_t count,
                         const char *name, const oct_pick *pick);
// Whether an errand that ends by itself has ended, or has not.
bool oct_errand_is_done(void *ctx, oct_mind *mind);
bool oct_errand_is_at_work(void *ctx, oct_mind *mind);
// Whether its action was sent, and has come about.
bool oct_errand_came(const errand *e, oct_mind *mind, oct_verb verb);

// Whether it is about something that is not known.
bool oct_errand_is_lost(void *ctx, oct_mind *mind);
// The places that it is about; a pick must be known.
oct_result oct_errand_aim(errand *e, oct_agent *a, wits_aim *aim);

// Tactics; those of an errand hold it once more. NULL gives NULL.
oct_tactic *oct_errand_part(errand *e, const char *name, oct_test_fn *guard, oct_action_fn *run);
oct_tactic *oct_find(errand *e);    // looks everywhere for what is not known
oct_tactic *oct_give_up(errand *e); // fails, and says why
oct_tactic *oct_press_what_helps(errand *e);
oct_tactic *oct_go_on_pressing(errand *e); // makes the press that was chosen, before all else
oct_tactic *oct_settle(const oct_allocator *allocator);        // waits for what presses do
oct_tactic *oct_look_at_doors(const oct_allocator *allocator); // whose state is not known

// Explores as far as it gets. One that is modest succeeds then; else only where nothing that may be
// got to, by presses too where those are allowed, was not seen.
oct_goal *oct_explore_all(const oct_allocator *allocator, bool is_modest, bool presses);

// Turning to what an errand is about; takes over one use.
oct_goal *oct_facing_goal(errand *e);

bool oct_agent_is_unsettled(const oct_agent *a);
// Whether everything that can be reached was seen; says so, or what is left.
bool oct_agent_has_seen_all(oct_agent *a, char *out, size_t size);

#endif
