// SPDX-License-Identifier: MIT
// Proofs of what buttons do: witnesses that whoever doubts them holds against the log of the run.
#ifndef OCTANT_LINK_PROOF_H
#define OCTANT_LINK_PROOF_H

#include "agent/agent_internal.h"
#include "agent/possible.h"

// Claims of each link that what the button does to the door is one of its effects: the agent keeps
// the proof. *claims is its bit, 0 where the list is empty. A failure is for oct_agent_break.
oct_result oct_agent_claim_links(oct_agent *a, const possible_link *links, size_t count,
                                 uint64_t *claims);

// Whether what was claimed still follows, by all that is known now: EXCLUDED that it is otherwise,
// or MAYBE with the first link that does not follow.
void oct_agent_ask_links_again(const oct_agent *a, const oct_proof *proof, possible_answer *out);

#endif
