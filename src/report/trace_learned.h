// SPDX-License-Identifier: MIT
// What traces say of what agents came to know for certain.
#ifndef OCTANT_TRACE_LEARNED_H
#define OCTANT_TRACE_LEARNED_H

#include "base/sink.h"
#include "octant/play_test.h"

// A line with all links that an agent has learned, where they are not those that `*last` is the
// hash of. 0 = none.
void oct_trace_links(sink *out, size_t index, const oct_agent *agent, uint64_t *last);

// Members of the last line: the proof behind a verdict, what it rests on, and what would decide it.
// A verdict that has none of them gets none.
void oct_trace_proof(sink *out, const oct_play_result *result);

#endif
