// SPDX-License-Identifier: MIT
// How certain it is that a goal cannot be reached.
#ifndef OCTANT_GOALS_CERTAIN_H
#define OCTANT_GOALS_CERTAIN_H

#include "agent/goal_target.h"
#include "agent/possible.h"

// What presses do, learned from all of them; NULL where others have pressed too.
const oct_links *oct_agent_own_links(const oct_agent *a);

// Whatever is answered with EXCLUDED here is claimed: the agent keeps the proof. What has happened
// and speaks against it makes it undecided instead.

// Asks whether something that was not seen may be got to, by moving, or by presses too: EXCLUDED
// where all of it was seen. A failure ends the run.
void oct_agent_ask_unseen(oct_agent *a, bool presses, possible_answer *out);

// Asks whether what a target is about is excluded; of several things that are meant, all; where it
// is about nothing, as above. A failure ends the run.
void oct_goal_target_ask_possible(goal_target *e, oct_agent *a, possible_answer *out);

// What is not excluded for anybody, by all that is known; see oct_possible_model. Nothing is shown
// where this agent cannot tell.
oct_result oct_agent_ask_model(const oct_agent *a, const oct_allocator *allocator,
                               possible_model_fn *see, void *ctx);

// What a failure with this answer rests on.
oct_ground oct_possible_ground(const possible_answer *answer);

// Asks again what was claimed, of all that is known now. Claims nothing.
oct_result oct_agent_ask_again(const oct_agent *a, const agent_proof *claim, possible_answer *out);

// Keeps a proof, which becomes the agent's, in the place of one about the same, which knew less.
// `thing` is what it is about, if that was told; else NULL. *claims is its bit. On failure it stays
// the caller's.
oct_result oct_agent_keep_proof(oct_agent *a, oct_proof *proof, const oct_known *thing,
                                uint64_t *claims);

// The bit of a proof in oct_ground.claims.
uint64_t oct_agent_claim_bit(size_t index);
// Whether the verdict of an agent that has ended rests on one of its proofs, whatever came later.
bool oct_agent_rests_on(const oct_agent *a, size_t index);
// Whether that verdict still holds, whatever was seen and done since. Else `out` is what does not.
bool oct_agent_upholds(oct_agent *a, possible_answer *out);

// Does what is left to do before something is given up: waits for all that presses may still set
// going, looks at doors again that may have moved, looks at what was not seen, and, where the
// target may press, presses in order to be certain. True: the turn's action was chosen. False:
// nothing is left to do, and the answer stands.
bool oct_goal_target_makes_certain(goal_target *e, oct_agent *a, possible_answer *out);

// What keeps it from being certain, for people: "the game denies memory", "1.0, 2.0, 3.0 was not
// seen". Returns `out`.
const char *oct_possible_explain(const oct_agent *a, const possible_answer *answer, char *out,
                                 size_t size);

#endif
