// SPDX-License-Identifier: MIT
// Traces of tests: what agents saw, wanted, thought and did, turn by turn, so that a run can be
// replayed without the game. The format is in docs/reference/trace-file.md.
//
// Lines are written while the test is played; nothing is kept but what the last lines said.
#ifndef OCTANT_TEST_TRACE_H
#define OCTANT_TEST_TRACE_H

#include "base/sink.h"
#include "script/play.h"

#define TEST_TRACE_AGENTS_MAX 64

// What was last told of an agent.
typedef struct traced_agent {
    uint64_t turns, tick, looks, path;
} traced_agent;

typedef struct test_trace {
    sink *out;
    const char *script, *test, *world; // the world's file as the script names it
    uint32_t line;
    const play_result *result; // that is being made; its seed is known when the test begins
    bool has_begun;
    traced_agent agents[TEST_TRACE_AGENTS_MAX];
} test_trace;

// Whom a test tells what it does. A test that is not played, for its script fails, has no head
// before the last line is asked for.
play_watch oct_test_trace_watch(test_trace *trace);

// The last line; writes a head before it where there is none yet.
void oct_test_trace_end(test_trace *trace);

#endif
