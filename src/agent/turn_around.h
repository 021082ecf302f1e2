// SPDX-License-Identifier: MIT
// Turning around to look: a body with a field of view sees what it has turned to, and nothing else.
#ifndef OCTANT_TURN_AROUND_H
#define OCTANT_TURN_AROUND_H

#include "agent/agent_internal.h"

// Whether this turn is one of turning: where it has come to rest, to what was never in sight and
// may be now, and to doors in sight that a press may have moved. Such a turn looks when it ends.
// Who sees all around never does.
bool oct_turn_around(oct_agent *a);

#endif
