// SPDX-License-Identifier: MIT
/// \file
/// Games: one interface for every game that an agent plays, simulated or real.
///
/// A game is described, observed, told what to do, and stepped. It tells what is in range of a
/// player, never what a button does. What of it is in sight, and what a player remembers, is
/// decided by the player: see octant/belief.h. What it tells is data: octant/game_data.h.
///
/// Two paces. Stepped: the game stands still until oct_game_step. Running: time passes between an
/// observation and the action that answers it (oct_game_delay, or a game that runs by itself); what
/// was begun goes on meanwhile, and stops by itself after the ticks that it was given.
///
/// A life begins when the game is made and with each oct_game_reset: ticks, ids, events and
/// revisions begin anew, and the description may be another one. The same game and the same calls
/// give the same bits, where its description says so.
///
/// Threading: a game belongs to one thread at a time.
#ifndef OCTANT_GAME_H
#define OCTANT_GAME_H

#include "octant/formats.h"
#include "octant/game_data.h"

typedef struct oct_game oct_game;

// ---- describe ----

/// What a certain fail may rest on. docs/testers/verdicts.md explains each.
typedef enum oct_assumption {
    OCT_ASSUME_MEANS,   ///< the goal's own means: moving, or moving and pressing
    OCT_ASSUME_BODY,    ///< shape and orientations of the body are as described
    OCT_ASSUME_CAUSES,  ///< doors move by presses of things told as usable
    OCT_ASSUME_MEMORY,  ///< an isolated press does the same to a door in the same state
    OCT_ASSUME_ALONE,   ///< a door that no isolated press moves is moved by no combination
    OCT_ASSUME_DELAY,   ///< all that a press sets going has begun within `settle`
    OCT_ASSUME_PACE,    ///< nobody exceeds the described speed
    OCT_ASSUME_SOLID,   ///< what is solid stays, and nothing new appears
    OCT_ASSUME_FEET,    ///< of walkers: nothing else changes where a body can stand
    OCT_ASSUME_TRUTH,   ///< what the game tells is true, its bounds included
    OCT_ASSUME_TOGGLES, ///< only ever promised: every link is a toggle or nothing
    OCT_ASSUME_COUNT
} oct_assumption;

/// "means", "body", "causes", ...; NULL beyond the last.
OCT_API const char *oct_assumption_name(oct_assumption assumption);

/// A field of view that is all around, radians; so is 0.
#define OCT_FOV_ALL 6.283185307179586

/// The longest delay of a game that does not tell one, seconds.
#define OCT_SETTLE_DEFAULT 60.0

/// What is known of a life of a game before it is played, and does not change in it. Start from
/// oct_game_info_default().
typedef struct oct_game_info {
    const char *game;  ///< "block world"; its name
    const char *level; ///< its name; may be ""
    double rate;       ///< ticks per second; 60
    oct_up up;         ///< Z
    bool left_handed;
    double metre;      ///< how many of the game's units are a metre; 1. All lengths are in units
    double view;       ///< from the eye to the nearest point of a thing's shape or gap; 20
    oct_sight sight;   ///< LINE
    double fov;        ///< all of the angle that one sees, radians; 0 = all around
    oct_point gravity; ///< of those who do not fly, m/s2; 0
    /// Ticks between an observation and the moment that an action which answers it begins, at
    /// least and at most; 0 0 for a game that is stepped.
    uint32_t delay_min, delay_max;
    bool runs;         ///< time passes by itself
    uint32_t promises; ///< assumptions that the game keeps: bits 1 << oct_assumption
    uint32_t denies;   ///< assumptions that it breaks
    /// Ticks within which everything that a press sets going, undoing included, has begun; where
    /// has_settle is false it is not told, and OCT_SETTLE_DEFAULT counts.
    uint64_t settle;
    bool has_settle;
    /// Ticks that a door takes at most from one end to the other, once it moves; 0 = not told: then
    /// `settle` counts.
    uint64_t slide;
    bool repeats;      ///< begun anew it begins as before, and the same acts have the same effects
    bool can_reset;    ///< oct_game_reset works: it has more than one life
    bool has_bounds;   ///< nothing that can be entered or used lies outside `bounds`
    oct_bounds bounds; ///< with room to fly around what is inside
    bool unique_names; ///< no two things have one name, but for those without any
    const char *const *doubts; ///< what was guessed, for the report
    size_t doubt_count;
} oct_game_info;

OCT_API oct_game_info oct_game_info_default(void);

// ---- playing ----

/// Frees a game; NULL is allowed.
OCT_API void oct_game_destroy(oct_game *game);

/// Valid until the game is reset or freed.
OCT_API const oct_game_info *oct_game_describe(const oct_game *game);

/// How many players there are, and another one, who stands at a pose (or at the level's start for
/// NULL). OCT_ERROR_RANGE where there is no room for a body, OCT_ERROR_UNSUPPORTED where nobody can
/// join.
OCT_API uint32_t oct_game_players(const oct_game *game);
OCT_API oct_result oct_game_join(oct_game *game, const oct_pose *pose, uint32_t *who);

/// The body of a player; valid until the game is reset or freed.
OCT_API oct_result oct_game_body(const oct_game *game, uint32_t who, const oct_player_body **out);

/// What is in range of a player now: every entity whose shape or gap is within the view of the eye.
/// Changes nothing but which events were told.
OCT_API oct_result oct_game_observe(oct_game *game, uint32_t who, oct_observation *out);

/// Oneself alone, without looking around.
OCT_API oct_result oct_game_self(oct_game *game, uint32_t who, oct_self *out);

/// A page of what never moves, from 0 on; see octant/scenery.h for all of it at once. The page is
/// valid until the next call. A game without scenery has none.
OCT_API oct_result oct_game_scenery(oct_game *game, size_t from, oct_scenery_page *out);

/// Tells a player what to do; it begins with the next tick. OCT_ERROR_ARGUMENT for an action that
/// makes no sense (not finite, no such verb or player).
OCT_API oct_result oct_game_act(oct_game *game, uint32_t who, const oct_action *action,
                                oct_act *came);
/// Why the last act was refused, in the game's words; "" where it was not or nobody says.
OCT_API const char *oct_game_refusal(const oct_game *game);

/// Lets time pass.
OCT_API oct_result oct_game_step(oct_game *game, uint32_t ticks);

/// One turn of a single player: acts, and lets pass what that takes. In a stepped game that is the
/// action's ticks, or one where it has none; a running one has moved on before it acted.
OCT_API oct_result oct_game_turn(oct_game *game, uint32_t who, const oct_action *action,
                                 oct_act *came);

/// The ticks since the life began, and a hash of everything that shapes what comes: equal for equal
/// runs, on every machine; 0 of a game that has none.
OCT_API uint64_t oct_game_tick(const oct_game *game);
OCT_API uint64_t oct_game_hash(const oct_game *game);

/// How a life is to begin. All zero: the same level again.
typedef struct oct_game_start {
    const char *level; ///< in the game's words; NULL = the same again
    uint64_t seed;
    const oct_pose *starts; ///< of the first players; one whose `up` is 0 looks as the level says
    size_t start_count;
    double view; ///< metres; 0 = the game's own
    bool has_sight;
    oct_sight sight;
    uint32_t delay_min, delay_max; ///< ticks; 0 0 = none
    const oct_property *options;   ///< the test's own; games pass over what they do not know
    size_t option_count;
} oct_game_start;

/// Begins a new life. OCT_ERROR_RANGE: no such level, or no room at a start;
/// OCT_ERROR_UNSUPPORTED: the game cannot. After a failure only another reset, or freeing it, makes
/// sense.
OCT_API oct_result oct_game_reset(oct_game *game, const oct_game_start *start);

/// What went wrong where a call returned OCT_ERROR_LINK, OCT_ERROR_FORMAT or OCT_ERROR_RANGE, with
/// the last lines that were exchanged; "" where there is nothing to say.
OCT_API const char *oct_game_trouble(const oct_game *game);

/// Makes a game run on between observations: before each action a time passes, drawn uniformly from
/// `min` to `max` ticks (1 <= min <= max <= OCT_ACTION_TICKS_MAX) with a seed. The game that comes
/// out owns the one that went in; on failure that one is as it was and the caller's.
OCT_API oct_result oct_game_delay(oct_game *inner, uint32_t min, uint32_t max, uint64_t seed,
                                  const oct_allocator *allocator, oct_game **out);

// ---- where games come from ----

/// Gives a game for each life of a test.
typedef struct oct_game_source {
    void *ctx;
    double rate; ///< ticks a second of its games; 0 = 60
    /// Each life is opened, after the game of the last one was freed; else that is reset.
    bool opens_lives;
    /// Opens a game that begins as `start` says, for a life of a test, from 0 on. What is wrong may
    /// be in `error`. OCT_ERROR_UNSUPPORTED for a later life: there is none. `delay` and what else
    /// a game cannot do it may pass over: whoever asks looks at its description.
    oct_result (*open)(void *ctx, const oct_game_start *start, uint32_t life,
                       const oct_allocator *allocator, oct_game **out, oct_error *error);
} oct_game_source;

// ---- writing games ----

/// What a game does behind the interface; `describe`, `observe`, `self`, `act`, `step`, `tick` and
/// `destroy` must be there, others may be NULL. Arguments have been checked.
typedef struct oct_game_ops {
    void (*destroy)(void *self);
    const oct_game_info *(*describe)(const void *self);
    uint32_t (*players)(const void *self); ///< NULL = one
    oct_result (*join)(void *self, const oct_pose *pose, uint32_t *who);
    const oct_player_body *(*body)(const void *self, uint32_t who); ///< NULL = the default one
    oct_result (*observe)(void *self, uint32_t who, oct_observation *out);
    oct_result (*self)(void *self, uint32_t who, oct_self *out);
    oct_result (*scenery)(void *self, size_t from, oct_scenery_page *out);
    oct_result (*act)(void *self, uint32_t who, const oct_action *action, oct_act *came);
    const char *(*refusal)(const void *self);
    oct_result (*step)(void *self, uint32_t ticks);
    uint64_t (*tick)(const void *self);
    uint64_t (*hash)(const void *self);
    oct_result (*reset)(void *self, const oct_game_start *start);
    const char *(*trouble)(const void *self);
    /// A whole turn at once; NULL = act, then step.
    oct_result (*turn)(void *self, uint32_t who, const oct_action *action, oct_act *came);
} oct_game_ops;

/// Every game begins with this.
struct oct_game {
    const oct_game_ops *ops; ///< as long as the game lives
};

#endif
