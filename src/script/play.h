// SPDX-License-Identifier: MIT
// Playing tests: a script declares them, each is played in a game of its own.
//
// A test is played in a fresh Lua state that has loaded the whole file again, so that tests share
// nothing and give the same results in any order, on any thread.
#ifndef OCTANT_PLAY_H
#define OCTANT_PLAY_H

#include "octant/octant.h"

// What a script may use. All are limits for one file being loaded, or one test being played.
typedef struct play_limits {
    uint64_t instructions;          // of Lua, in all
    size_t memory;                  // bytes of Lua
    double seconds;                 // CPU time of Lua at one stretch: a net below the others
    const oct_allocator *allocator; // of all that is not Lua's own; NULL = malloc
} play_limits;

play_limits oct_play_limits_default(void);

// A test as its file declares it.
typedef struct play_test {
    const char *name;
    uint32_t line;     // where it was declared
    const char *world; // the world's path as the script gives it; relative to the script's folder,
                       // its parents, or the working folder
} play_test;

typedef struct oct_script oct_script;

// Loads a script and collects its tests. What is wrong with it is in `error`, with the line.
oct_result oct_script_open(const char *path, const play_limits *limits, oct_script **out,
                           oct_error *error);
void oct_script_close(oct_script *script);
size_t oct_script_tests(const oct_script *script);
play_test oct_script_test(const oct_script *script, size_t index);
const char *oct_script_path(const oct_script *script);

// Who looks on. All may be NULL.
typedef struct play_watch {
    void *ctx;
    // Before the first turn, and after the last; agents live until `ends` returns.
    void (*begins)(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count);
    void (*turned)(void *ctx, oct_agent *const *agents, size_t count); // after each turn
    void (*event)(void *ctx, size_t agent, const oct_mind_event *event);
    void (*ends)(void *ctx, oct_agent *const *agents, size_t count);
} play_watch;

typedef struct play_options {
    play_limits limits;
    bool has_structure;
    oct_structure structure; // in place of the test's own
    uint64_t seed;           // 0 = the test's own, or 1
    const oct_executor *executor;
    oct_clock_fn *clock; // of times, in nanoseconds of CPU time of the calling thread; may be NULL
    void *clock_ctx;
    bool (*stops)(void); // asked before each turn: whether the test ends here; may be NULL
    play_watch watch;
} play_options;

// What came of a test. Strings are the result's.
typedef struct play_result {
    oct_verdict verdict;
    bool is_interrupted; // it was stopped: INCONCLUSIVE, whatever verdict it expects
    char *reason;        // one line; "" for PASS
    char *where; // ERROR in a script: "file:line"; else where the (first) agent was at the end
    char **notes;
    size_t note_count;
    uint32_t agents;
    uint64_t turns; // of the agent that had most
    uint64_t ticks; // of the game
    uint64_t seed;  // set before anybody is told that it begins
    oct_structure structure;
    oct_sight sight;                 // the rule by which the game was seen
    double view;                     // metres
    oct_agent_times times;           // of all agents together, nanoseconds
    double neighbours_ns;            // a neighbour query of the map as it was at the end
    uint64_t open, blocked, unknown; // cells of the first agent's map within the world's extent
    double explored;         // share of what can be reached, or may be, that was seen, 0 to 1
    oct_allocator allocator; // of the strings
} play_result;

// Plays a test. OCT_OK whatever the verdict; OCT_ERROR_MEMORY alone is a failure.
oct_result oct_play(const oct_script *script, size_t test, const play_options *options,
                    play_result *out);
void oct_play_free(play_result *result);

#endif
