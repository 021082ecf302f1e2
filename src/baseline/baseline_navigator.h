// SPDX-License-Identifier: MIT
// The plain maps as navigators: agents play by them, and so the octree can be compared with them.
//
// They cannot tell what would be reachable if doors stood open, and what they do not find is never
// certain.
#ifndef OCTANT_BASELINE_NAVIGATOR_H
#define OCTANT_BASELINE_NAVIGATOR_H

#include "baseline/baseline.h"
#include "octant/agent.h"

// For oct_agent_def. NULL beyond the last.
const oct_navigator_kind *oct_baseline_navigator(baseline_kind kind);

#endif
