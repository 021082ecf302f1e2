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
/// Lives. A test that ended without a verdict, because somebody gave up what is not excluded from
/// the start, is played again from the start: the game is made anew, and with it goals, messages
/// and what the test itself keeps. Nothing that was reached before counts. Another life begins if
///
/// - one is left, and so is time: `turns` and `seconds` are those of all lives together;
/// - nobody has failed: no life repairs what a run has shown to be broken, or a time that ended;
/// - something was lost: a door is shut that may have been open at the start, or an agent knows no
///   way back to where it began;
/// - it will differ from all earlier ones, as the last one did from the one before. Buttons after
///   whose presses a door was seen to shut, and never to open, are avoided in all later lives.
///   Where the last life showed no further one, a button that was pressed in it and never avoided
///   before is avoided in one life: the last that was not seen to open anything, else the last. An
///   avoided button is not pressed out of curiosity while there is anything else to try.
///
/// What earlier lives have shown counts for giving up where the game repeats (oct_game_info).
///
/// Threading: one call belongs to one thread. Several tests may be played at the same time if they
/// share no world, goal or watch.
#ifndef OCTANT_PLAY_TEST_H
#define OCTANT_PLAY_TEST_H

#include "octant/agent.h"
#include "octant/proof.h"
#include "octant/tactics.h"

/// An agent that plays a test. Start from oct_test_agent_default().
typedef struct oct_test_agent {
    /// Name, role, belief, facing, strategy, navigator, bounds, seed and ticks are used; the rest
    /// is set when the test is played. Without bounds it explores as far as it sees beyond what is
    /// near its start. A seed that is 0 (default) = the seed of the test plus the index of the
    /// agent.
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
    /// Where games come from, in place of `world` and `load`; NULL = they are made of a world.
    const oct_game_source *game;
    const char *level;           ///< of `game`, in its words; NULL = its own
    const oct_property *options; ///< for `game`
    size_t option_count;
    oct_world *world; ///< view, sight and start are written into it; NULL = `load` gives it
    /// Loads the world, which is freed after the test. What is wrong with it may be in `error`.
    oct_result (*load)(void *ctx, const oct_allocator *allocator, oct_world **out,
                       oct_error *error);
    double view;    ///< how far agents see, metres; 0 (default) = as the world says
    bool has_sight; ///< whether `sight` holds; default: as the world says
    oct_sight sight;
    uint32_t delay_min, delay_max; ///< see oct_game_delay; 0 0 (default) = a game that is stepped
    uint64_t turns; ///< most turns of a goal, in all lives together; 0 (default) = no limit
    /// Most seconds of the game that a goal may take, in all lives together; 0 = no limit; default
    /// 7200.
    double seconds;
    uint32_t lives; ///< how often it is played at most; default 5; 0 counts as 1
    uint64_t seed;  ///< default 1
    /// Assumptions that no fail may rest on, whatever the game promises: bits 1 << oct_assumption.
    /// Default: none.
    uint32_t denies;
    /// Everything that a press sets going has begun after `settle` seconds, or after what the game
    /// says if that is more; default: as the game says.
    bool has_settle;
    double settle;
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
    /// Called before each life but the first, when the agents of the last one have gone: makes
    /// anew what the test keeps for itself. `agents` may be written anew, but not moved. A result
    /// is treated as that of `begin`. NULL = there is nothing.
    oct_result (*renew)(void *ctx);
    void *ctx;       ///< of `load`, `fails` and `renew`
    uint32_t cookie; ///< set by the default; do not touch
} oct_test_def;

OCT_API oct_test_def oct_test_def_default(void);

/// An observer of a test. Functions may be NULL.
typedef struct oct_play_watch {
    void *ctx;
    /// Before the first turn of each life. The world is NULL where the game is made of none.
    void (*begins)(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count);
    void (*turned)(void *ctx, oct_agent *const *agents, size_t count); ///< after each turn
    void (*event)(void *ctx, size_t agent, const oct_mind_event *event);
    /// After the last turn of the last life; agents live until it returns.
    void (*ends)(void *ctx, oct_agent *const *agents, size_t count);
} oct_play_watch;

/// How a test is played. All 0 is the default.
typedef struct oct_play_options {
    uint64_t seed;               ///< in place of the seeds of test and agents; 0 = their own
    uint64_t memory;             ///< bytes, in place of the test's; 0 = its own
    const oct_game_source *game; ///< in place of the test's game or world; NULL = its own
    const oct_navigator_kind *navigator; ///< in place of the agents'; NULL = their own
    const oct_executor *executor;
    oct_clock_fn
        *clock; ///< of times, in nanoseconds of CPU time of the calling thread; NULL = none
    void *clock_ctx;
    bool (*stops)(void *ctx); ///< asked before each turn: whether to stop here; NULL = never
    void *stops_ctx;
    const oct_play_watch *watches;
    size_t watch_count;
    /// Whether runs that pass are held against what was not excluded, too: everything that happened
    /// has to be possible there. Takes about as long as giving up once.
    bool monitors;
    const oct_allocator *allocator; ///< borrowed while it is played; NULL = malloc
} oct_play_options;

/// What came of one life.
typedef struct oct_play_life {
    oct_verdict verdict;
    char *reason;   ///< one line; "" for PASS
    uint64_t turns; ///< of the agent that had most
    uint64_t ticks; ///< of the game
    uint32_t presses;
} oct_play_life;

/// What came of a test.
typedef struct oct_play_result {
    oct_verdict verdict;
    bool is_interrupted;  ///< it was stopped: INCONCLUSIVE, whatever verdict it expects
    char *reason;         ///< one line; "" for PASS
    oct_proof_kind proof; ///< of a FAIL, or of the one that an expected FAIL was; else NONE
    uint32_t assumes;     ///< what that rests on: bits 1 << oct_assumption
    char *decides; ///< of INCONCLUSIVE: the shortest step that would decide it; "" = not known
    char *where;   ///< "file:line" of an error; else where the deciding agent was at the end
    char **notes;
    size_t note_count;
    oct_play_life *lives; ///< in their order; the last one decides; none where it did not begin
    size_t life_count;
    char **findings; ///< soft locks: what shut an agent in; they are among the notes too
    size_t finding_count;
    uint32_t agents;
    uint64_t turns;  ///< of the agent that had most, in all lives
    uint64_t ticks;  ///< of the game, in all lives
    double rate;     ///< of the game, ticks a second; 60 where there was none
    uint64_t hash;   ///< of the last game at the end, see oct_game_hash; 0 where there was none
    uint64_t seed;   ///< set before any watch is told that it begins
    oct_sight sight; ///< the rule by which the game was seen
    double view;     ///< metres
    oct_agent_times times;           ///< of all agents together, nanoseconds
    uint64_t open, blocked, unknown; ///< cells of the first agent's map in the world's extent
    double cell;                     ///< their size; 0 where there was no map
    double explored; ///< share of what can be reached, or may be, that was seen, 0 to 1
    uint64_t memory; ///< the most bytes that world, game and agents took together
    /// What all agents were told and did, in all lives that count for giving up; NULL where no game
    /// began.
    oct_run_log *log;
    /// What agents gave up for certain in the last life, or claimed of all there is: of a FAIL, or
    /// an expected one, those of the agent that decided; of a PASS those of all; else none.
    oct_proof **proofs;
    size_t proof_count;
    /// The verdict rests on the first so many of them, whatever happened after they were claimed.
    size_t ground_count;
    oct_allocator allocator; ///< of texts and notes
} oct_play_result;

/// Plays a test; options may be NULL. OCT_OK whatever the verdict, also where it outgrows its own
/// memory (ERROR).
/// OCT_ERROR_ARGUMENT for a test without agents, or without game and world, OCT_ERROR_MEMORY if the
/// options' allocator has no more: then there is nothing to free.
OCT_API oct_result oct_play_test(const oct_test_def *test, const oct_play_options *options,
                                 oct_play_result *out);
OCT_API void oct_play_result_free(oct_play_result *result);
/// Frees the log and the proofs alone: they are large.
OCT_API void oct_play_result_drop_proofs(oct_play_result *result);

#endif
