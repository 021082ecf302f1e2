// SPDX-License-Identifier: MIT
// What would decide a verdict that is open.
#ifndef OCTANT_DECIDES_H
#define OCTANT_DECIDES_H

#include "agent/agent_internal.h"
#include "agent/possible.h"

// After oct_mind_because: what would decide whether something is possible; nothing where it is
// excluded.
void oct_agent_would_decide_possible(oct_agent *a, const possible_answer *answer);
// After oct_mind_doubt: what would take the doubt away.
void oct_agent_would_decide_doubt(oct_agent *a, const char *format, ...) OCT_FORMAT(2, 3);

// When a run has ended inconclusive: makes sure that there is something. Of a time that has ended,
// how long certainty would take.
void oct_agent_settle_decides(oct_agent *a);

#endif
