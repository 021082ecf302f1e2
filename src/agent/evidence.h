// SPDX-License-Identifier: MIT
// Evidence: what a verdict about doors and buttons rests on, as notes of the agent.
#ifndef OCTANT_EVIDENCE_H
#define OCTANT_EVIDENCE_H

#include "agent/agent_internal.h"

// From which sightings it follows that a button toggles a door or does not; for a link that is not
// certain, what would decide it.
void oct_evidence_of_link(oct_agent *a, uint32_t button, uint32_t door);

// What would decide a link that is not certain: "a press of button 0 of P alone, with D shut before
// and watched after it". Returns `out`.
const char *oct_evidence_needed(const oct_agent *a, oct_button button, uint64_t door, char *out,
                                size_t size);

#endif
