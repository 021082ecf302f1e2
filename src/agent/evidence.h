// SPDX-License-Identifier: MIT
// Evidence: what a verdict about doors and buttons rests on, as notes of the agent.
#ifndef OCTANT_EVIDENCE_H
#define OCTANT_EVIDENCE_H

#include "agent/agent_internal.h"

// How a door was seen last, and what was pressed so far.
void oct_evidence_of_door(oct_agent *a, const oct_known *door);

// From which sightings it follows that a button toggles a door or does not; for a link that is not
// certain, what would decide it.
void oct_evidence_of_link(oct_agent *a, uint32_t button, uint32_t door);

#endif
