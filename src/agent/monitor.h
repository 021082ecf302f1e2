// SPDX-License-Identifier: MIT
// The monitor: everything that happened must be possible where it is not excluded.
//
// Where a body was, which buttons were pressed and how far doors stood open is compared with the
// space, buttons and doors of a proof, or of what is not excluded for anybody. What does not fit is
// an error of Octant, not of the level: then nothing that was given up counts.
#ifndef OCTANT_MONITOR_H
#define OCTANT_MONITOR_H

#include "agent/agent_internal.h"
#include "octant/proof.h"

#define MONITOR_TEXT 256 // bytes of what it says

// What of a log a proof excludes, in words: "the body was at 1.0, 2.0, 3.0, which was excluded"; ""
// where there is nothing.
oct_result oct_monitor_check(const oct_proof *proof, const oct_run_log *log,
                             const oct_allocator *allocator, char out[MONITOR_TEXT]);

// The same for a run that has ended: what an agent has given up for certain in it, against what all
// agents of the game were told and did.
oct_result oct_monitor_claims(const oct_agent *agent, const oct_allocator *allocator,
                              char out[MONITOR_TEXT]);

// And what is not excluded for anybody, as an agent knows it in the end. "" also where it cannot
// tell.
oct_result oct_monitor_model(const oct_agent *agent, const oct_allocator *allocator,
                             char out[MONITOR_TEXT]);

#endif
