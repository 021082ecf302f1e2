// SPDX-License-Identifier: MIT
/// \file
/// Playing a test: agents with goals in a game, turn by turn, until there is a verdict.
///
/// A test is data and a few callbacks. oct_play_test makes the game from a world, makes the agents,
/// asks for their goals, and lets them play. Watches are told what happens: records and traces
/// (octant/report.h) are watches. Scripts in Lua are played by the same function.
///
/// The same test with the same seed gives the same result, apart from times.
///
/// Threading: one call belongs to one thread. Several tests may be played at the same time if they
/// share no world, goal or watch.
#ifndef OCTANT_PLAY_TEST_H
#define OCTANT_PLAY_TEST_H

#include "octant/agent.h"
#include "octant/tactics.h"

/// An agent that plays a test. Start from oct_test_agent_default().
typedef struct oct_test_agent {
    /// Name, role, belief, facing, strategy, bounds, seed and ticks are used; the rest is set when
    /// the test is played. Without bounds it explores as far as it sees beyond what is near its
    /// start. A seed that is 0 (default) = the seed of the test plus the index of
    /// the agent.
    oct_agent_def agent;
    const oct_point *start; ///< of its feet, metres; NULL = the start of the world
    /// Called once, when the agent is there and before the first turn. Gives its goal, which is
    /// taken, and may demand formulas of the agent. A result other than OCT_OK ends the test: with
    /// ERROR as its verdict, unless it is OCT_ERROR_MEMORY.
    oct_result (*begin)(void *ctx, oct_agent *agent, oct_goal **goal);
    void *ctx;
} oct_test_agent;

OCT_API oct_test_agent oct_test_agent_default(void);

/// An error of the test itself, not of what it tests.
typedef struct oct_test_error {
    const char *message;    ///< one line
    const char *place;      ///< "file:line"; may be ""
    const oct_agent *agent; ///< whose function failed; NULL = not known
} oct_test_error;

#define OCT_MEGABYTE UINT64_C(1000000)        ///< bytes
#define OCT_TEST_MEMORY (1000 * OCT_MEGABYTE) ///< one gigabyte

/// A test. Start from oct_test_def_default(). Everything is borrowed while it is played.
typedef struct oct_test_def {
    const char *world_name; ///< for messages; default "the world"
    oct_world *world;       ///< view, sight and start are written into it; NULL = `load` gives it
    /// Loads the world, which is freed after the test. What is wrong with it may be in `error`.
    oct_result (*load)(void *ctx, const oct_allocator *allocator, oct_world **out,
                       oct_error *error);
    double view;    ///< how far agents see, metres; 0 (default) = as the world says
    bool has_sight; ///< whether `sight` holds; default: as the world says
    oct_sight sight;
    uint32_t delay_min, delay_max; ///< see oct_game_delay; 0 0 (default) = a game that is stepped
    uint64_t turns;                ///< most turns of a goal; 0 (default) = no limit
    double seconds; ///< most seconds of the game that a goal may take; 0 = no limit; default 3600
    uint64_t seed;  ///< default 1
    oct_verdict expect; ///< any other verdict is a FAIL; default PASS
    const char *reason; ///< words that the reason of an expected verdict must hold; NULL = any
    /// Bytes that world (unless it is given), game and agents may take together, each agent's map
    /// included; what needs more ends with ERROR. Default OCT_TEST_MEMORY; 0 = no limit.
    uint64_t memory;
    const oct_test_agent *agents; ///< at least one
    size_t agent_count;
    /// Whether the test itself has failed, because of a callback of its own. Asked at the begin and
    /// before each turn: then the test ends with ERROR. NULL = never.
    bool (*fails)(void *ctx, oct_test_error *out);
    void *ctx;       ///< of `load` and `fails`
    uint32_t cookie; ///< set by the default; do not touch
} oct_test_def;

OCT_API oct_test_def oct_test_def_default(void);

/// An observer of a test. Functions may be NULL.
typedef struct oct_play_watch {
    void *ctx;
    /// Before the first turn.
    void (*begins)(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count);
    void (*turned)(void *ctx, oct_agent *const *agents, size_t count); ///< after each turn
    void (*event)(void *ctx, size_t agent, const oct_mind_event *event);
    /// After the last turn; agents live until it returns.
    void (*ends)(void *ctx, oct_agent *const *agents, size_t count);
} oct_play_watch;

/// How a test is played. All 0 is the default.
typedef struct oct_play_options {
    uint64_t seed;   ///< in place of the seeds of test and agents; 0 = their own
    uint64_t memory; ///< bytes, in place of the test's; 0 = its own
    const oct_executor *executor;
    oct_clock_fn
        *clock; ///< of times, in nanoseconds of CPU time of the calling thread; NULL = none
    void *clock_ctx;
    bool (*stops)(void *ctx); ///< asked before each turn: whether to stop here; NULL = never
    void *stops_ctx;
    const oct_play_watch *watches;
    size_t watch_count;
    const oct_allocator *allocator; ///< borrowed while it is played; NULL = malloc
} oct_play_options;

/// What came of a test.
typedef struct oct_play_result {
    oct_verdict verdict;
    bool is_interrupted; ///< it was stopped: INCONCLUSIVE, whatever verdict it expects
    char *reason;        ///< one line; "" for PASS
    char *where;         ///< "file:line" of an error; else where the deciding agent was at the end
    char **notes;
    size_t note_count;
    uint32_t agents;
    uint64_t turns;        ///< of the agent that had most
    uint64_t ticks;        ///< of the game
    uint64_t hash;         ///< of the game at the end, see oct_game_hash; 0 where there was none
    uint64_t seed;         ///< set before any watch is told that it begins
    oct_sight sight;       ///< the rule by which the game was seen
    double view;           ///< metres
    oct_agent_times times; ///< of all agents together, nanoseconds
    uint64_t open, blocked, unknown; ///< cells of the first agent's map in the world's extent
    double explored;         ///< share of what can be reached, or may be, that was seen, 0 to 1
    uint64_t memory;         ///< the most bytes that world, game and agents took together
    oct_allocator allocator; ///< of texts and notes
} oct_play_result;

/// Plays a test. OCT_OK whatever the verdict, also where it outgrows its own memory (ERROR).
/// OCT_ERROR_ARGUMENT for a test without agents or world, OCT_ERROR_MEMORY if the options'
/// allocator has no more: then there is nothing to free.
OCT_API oct_result oct_play_test(const oct_test_def *test, const oct_play_options *options,
                                 oct_play_result *out);
OCT_API void oct_play_result_free(oct_play_result *result);

#endif
