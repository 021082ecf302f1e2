// SPDX-License-Identifier: MIT
// What an agent's turn is made of: it looks, it is judged, it acts.
#ifndef OCTANT_AGENT_TURN_H
#define OCTANT_AGENT_TURN_H

#include "agent/agent_internal.h"

// ---- agent_look.c ----

// Feels its body, and looks around where that may show something.
oct_result oct_agent_sense(oct_agent *a);
oct_result oct_agent_look(oct_agent *a);
// oct_agent_look_again, as a mind and formulas call it.
bool oct_agent_refresh(void *agent);

// ---- agent_end.c ----

// Ends its run, unless it has ended.
void oct_agent_end(oct_agent *a, oct_verdict verdict, const char *format, ...) OCT_FORMAT(3, 4);
// Tells what is demanded of the whole run the state that was seen last.
oct_result oct_agent_check_demands(oct_agent *a);
// Ends its run where its goal has ended.
void oct_agent_conclude(oct_agent *a, oct_goal_status status);

#endif
