// SPDX-License-Identifier: MIT
// What agents are not sure of, told to their minds.
#ifndef OCTANT_SURE_H
#define OCTANT_SURE_H

#include "agent/agent_internal.h"
#include "agent/belief_internal.h"

// An answer rests on how an entity is, which is not certain.
void oct_agent_doubt(oct_agent *a, const oct_known *known);

// Whether nothing that was not seen may be got to without another press, so that what is known is
// all there is.
bool oct_agent_knows_all(oct_agent *a);

#endif
