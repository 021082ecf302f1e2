// SPDX-License-Identifier: MIT
// Test scripts in Lua: a script declares tests, each is played in a game of its own.
//
// A test is played in a fresh Lua state that has loaded the whole file again, so that tests share
// nothing and give the same results in any order, on any thread. This module translates a declared
// test into an oct_test_def; octant/play.h plays it.
#ifndef OCTANT_SCRIPT_H
#define OCTANT_SCRIPT_H

#include "octant/play_test.h"
#include "octant/world_check.h"

// Where a watchdog sees that Lua runs, and since when: for what takes long in one C function, which
// no limit ends. Zeroed by its owner; written by the thread that plays.
typedef struct script_watch {
    _Atomic uint64_t began; // of the thread's CPU time, nanoseconds; 0 = it does not run
} script_watch;

// What a script may use. All are limits for loading one file, or for playing one test.
typedef struct script_limits {
    uint64_t steps;                 // in all: instructions, and what C functions cost in such
    size_t memory;                  // bytes of Lua
    double seconds;                 // CPU time of Lua at one stretch; a net, if steps do not hold
    const oct_allocator *allocator; // of everything that is not Lua's own; NULL = malloc
    script_watch *watch;            // NULL = nobody watches
    const char *root;               // what holds all files that the script names; NULL = what the
                                    // working folder and the script's have in common
    bool has_game; // tests are played in a game that is given: their worlds are texts for it alone,
                   // and may be missing
} script_limits;

script_limits oct_script_limits_default(void);

// A test as its file declares it.
typedef struct script_test {
    const char *name;
    uint32_t line;     // where it was declared
    const char *world; // the world's path as the script gives it; relative to the script's folder,
                       // its parents, or the working folder; with a game its text for that, or ""
} script_test;

typedef struct oct_script oct_script;

// Loads a script and collects its tests. What is wrong with it is in `error`, with the line.
oct_result oct_script_open(const char *path, const script_limits *limits, oct_script **out,
                           oct_error *error);
void oct_script_close(oct_script *script);
size_t oct_script_tests(const oct_script *script);
script_test oct_script_test(const oct_script *script, size_t index);
const char *oct_script_path(const oct_script *script);

// Calls `visit` with the path of every file that the script reads: its own, those that it includes,
// and the worlds of its tests that are there (with a game: none). False where a call did not return
// true.
typedef bool script_file_fn(void *ctx, const char *path);
bool oct_script_each_file(const oct_script *script, script_file_fn *visit, void *ctx);

// The path of a test's world. OCT_ERROR_ABSENT where there is none, OCT_ERROR_FILE where it may not
// be read; the error says why.
oct_result oct_script_world_path(const oct_script *script, size_t test, char *out, size_t size,
                                 oct_error *error);

// Is told a problem in a script: `file` is the script's path, or the name of one that it includes.
typedef void script_problem_fn(void *ctx, const char *file, const oct_problem *problem);

// Tells what is wrong with a test without playing it: runs its body, compares the names and types
// that goals and tactics were made with to the world, which may be NULL, and tries the starts of
// its agents. What functions of the script name while it is played is not seen. OCT_ERROR_MEMORY
// alone is a failure.
oct_result oct_script_check(const oct_script *script, size_t test, const script_limits *limits,
                            const oct_world *world, script_problem_fn *tell, void *ctx);

// Plays a test, as oct_play_test does, with the allocator of the limits.
oct_result oct_script_play(const oct_script *script, size_t test, const script_limits *limits,
                           const oct_play_options *options, oct_play_result *out);

#endif
