// SPDX-License-Identifier: MIT
// Dead ends: where a passage stops at a wall. A shaft that is blocked looks like that.
#ifndef OCTANT_DEAD_END_H
#define OCTANT_DEAD_END_H

#include "agent/agent_internal.h"

#define DEAD_ENDS_MAX 3u

// Ends of passages that the agent gets to, some metres apart: closed on five sides, and narrow for
// some metres back. Returns how many there are; more than DEAD_ENDS_MAX are not looked for.
size_t oct_agent_dead_ends(const oct_agent *a, oct_point out[DEAD_ENDS_MAX]);

#endif
