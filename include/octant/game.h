// SPDX-License-Identifier: MIT
/// \file
/// Games: one interface for every game that an agent plays, simulated or real.
///
/// A game is described once, then observed, told what to do, and stepped: 60 ticks a second. It
/// tells what is in range of a player, never what a button does. What of it is in sight, and what a
/// player remembers, is decided by the player: see octant/belief.h. The same game and the same
/// calls give the same bits.
///
/// Two paces. Stepped: the game stands still until oct_game_step. Running (oct_game_delay): time
/// passes between an observation and the action that answers it; what was begun goes on meanwhile,
/// and stops by itself after the ticks that it was given.
///
/// Threading: a game belongs to one thread at a time.
#ifndef OCTANT_GAME_H
#define OCTANT_GAME_H

#include "octant/world.h"

/// Ticks in a second of every game.
#define OCT_TICKS 60
/// Most ticks of one action.
#define OCT_ACTION_TICKS_MAX 3600

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

/// The longest delay of a game that does not tell one, ticks.
#define OCT_SETTLE_DEFAULT (60u * OCT_TICKS)

/// What is known of a game before it is played, and does not change.
typedef struct oct_game_info {
    const char *game;            ///< "block world"
    const char *world;           ///< its name; may be ""
    const oct_world_type *types; ///< what entities may be
    uint32_t type_count;
    double height, width;  ///< of a body, metres: a capsule, upright along its own up
    oct_world_rules rules; ///< accelerations, ranges, how one sees
    /// Ticks between an observation and the moment that an action which answers it begins, at
    /// least and at most; 0 0 for a game that is stepped.
    uint32_t delay_min, delay_max;
    uint32_t promises; ///< assumptions that the game keeps: bits 1 << oct_assumption
    uint32_t denies;   ///< assumptions that it breaks
    /// Ticks within which everything that a press sets going, undoing included, has begun; where
    /// has_settle is false it is not told, and OCT_SETTLE_DEFAULT counts.
    uint64_t settle;
    bool has_settle;
    bool repeats;      ///< made anew it begins as before, and the same acts have the same effects
    bool has_bounds;   ///< nothing that can be entered or used lies outside `bounds`
    oct_bounds bounds; ///< metres, with room to fly around what is inside
    bool unique_names; ///< no two things have one name, but for those without any
} oct_game_info;

// ---- observe ----

/// Oneself.
typedef struct oct_self {
    uint64_t tick; ///< since the game began
    uint64_t id;
    oct_pose pose;      ///< position of the feet
    oct_point centre;   ///< of the body: half its height above the feet
    oct_point velocity; ///< metres a second, in the world
    oct_point gravity;  ///< that pulls here, m/s2
    double health;      ///< 1 = well, 0 = dead
    oct_item held;      ///< what it has in its hands
    uint32_t page;      ///< of the toolbar
    bool flies;         ///< the jetpack is on
    bool damps;         ///< dampeners are on
    bool boots;         ///< magnetic boots are on
    bool stands;        ///< on a surface
    bool works;         ///< a tool is at work
    uint32_t ticks;     ///< that the movement under way will still take
    uint64_t bumps;     ///< ticks so far in which it ran into something while it flew
} oct_self;

/// Something else that is in range. `thing` is how a map takes it.
typedef struct oct_entity {
    oct_thing thing;       ///< id, true box, BLOCKED or OPEN, opaque
    const char *name;      ///< the game's; "" where it has none
    uint32_t type;         ///< index into the types; UINT32_MAX for another player
    uint32_t grid;         ///< which rigid whole it belongs to; UINT32_MAX for another player
    oct_point forward, up; ///< its orientation in the world
    oct_point velocity;    ///< of its grid, or its own
    double integrity;      ///< what is left of it
    double opening;        ///< of a door: 0 = shut, 1 = open; it is OPEN at 1 alone
    uint32_t buttons;      ///< of a panel
    uint32_t place; ///< which of its kind (or player) it is, in the order of the world, from 0
} oct_entity;

/// What is around a player. Arrays and names are the game's, valid until its next call.
typedef struct oct_observation {
    oct_self self;
    const oct_entity *entities; ///< within the radius, in sight or not; by id, ascending
    size_t count;
    oct_sight sight; ///< the rule by which the player sees
    double radius;   ///< how far it sees, metres
} oct_observation;

// ---- act ----

typedef enum oct_verb {
    OCT_VERB_KEEP,       ///< nothing: what is under way goes on; a turn of `ticks`
    OCT_VERB_WAIT,       ///< ends what is under way; nothing for `ticks`
    OCT_VERB_MOVE,       ///< moves and turns for `ticks`, in place of what is under way
    OCT_VERB_JUMP,       ///< off the surface that it stands on
    OCT_VERB_SWITCH,     ///< jetpack, dampeners, boots: `gear` to `on`
    OCT_VERB_USE,        ///< presses `button` of the panel `target`
    OCT_VERB_EQUIP,      ///< takes the item of `page` and `slot` into its hands
    OCT_VERB_ACTIVATE,   ///< the same, and begins to use it: a tool works, a block is placed
    OCT_VERB_TOOL_BEGIN, ///< the tool in its hands works on what it looks at, until its end
    OCT_VERB_TOOL_END,
    OCT_VERB_PLACE,  ///< sets the block in its hands against what it looks at
    OCT_VERB_REMOVE, ///< takes away the block that it looks at
    OCT_VERB_COUNT
} oct_verb;

typedef enum oct_gear { OCT_GEAR_JETPACK, OCT_GEAR_DAMPENERS, OCT_GEAR_BOOTS } oct_gear;

/// What to do. What a verb does not name is not looked at. All but WAIT and MOVE leave the movement
/// under way as it is.
typedef struct oct_action {
    oct_verb verb;
    uint32_t ticks; ///< of KEEP, WAIT and MOVE, 1 to OCT_ACTION_TICKS_MAX
    /// Thrust in the body's own frame as it is in each tick: x right, y up, z back; as a share of
    /// the acceleration (on foot: of the walking speed, y nothing). Longer than 1 counts as 1.
    oct_point move;
    /// Turning around the body's right (pitch, up is positive), up (yaw, to the left) and back
    /// (roll, to the left) axes, as a share of the turning rate, -1 to 1. On foot yaw alone.
    oct_point rotate;
    uint64_t target;     ///< of USE
    uint32_t button;     ///< of USE, from 0
    uint32_t page, slot; ///< of EQUIP and ACTIVATE
    oct_gear gear;       ///< of SWITCH
    bool on;
} oct_action;

/// What came of an action. Refusals change nothing.
typedef enum oct_act {
    OCT_ACT_DONE,
    OCT_ACT_NO_TARGET, ///< there is nothing of that id, or nothing that it looks at
    OCT_ACT_NO_BUTTON, ///< it has no button of that number, or is nothing to be used
    OCT_ACT_TOO_FAR,
    OCT_ACT_IN_THE_WAY, ///< something stands between, or where a block was to go
    OCT_ACT_NOT_HELD,   ///< not what its hands hold, or an empty slot
    OCT_ACT_NOT_NOW,    ///< jumping off nothing; dead
    OCT_ACT_COUNT
} oct_act;

/// "done", "no target", ...; NULL beyond the last.
OCT_API const char *oct_act_name(oct_act act);

// ---- playing ----

/// Frees a game; NULL is allowed.
OCT_API void oct_game_destroy(oct_game *game);

/// Valid as long as the game is.
OCT_API const oct_game_info *oct_game_describe(const oct_game *game);

/// How many players there are, and another one, who stands at a pose (or at the world's start for
/// NULL). OCT_ERROR_RANGE where there is no room for a body.
OCT_API uint32_t oct_game_players(const oct_game *game);
OCT_API oct_result oct_game_join(oct_game *game, const oct_pose *pose, uint32_t *who);

/// What is in range of a player now: every entity whose box is within the radius of the body's
/// centre. Changes nothing.
OCT_API oct_result oct_game_observe(oct_game *game, uint32_t who, oct_observation *out);

/// Oneself alone, without looking around.
OCT_API oct_result oct_game_self(oct_game *game, uint32_t who, oct_self *out);

/// Tells a player what to do; it begins with the next tick. OCT_ERROR_ARGUMENT for an action that
/// makes no sense (not finite, no such verb or player).
OCT_API oct_result oct_game_act(oct_game *game, uint32_t who, const oct_action *action,
                                oct_act *came);

/// Lets time pass.
OCT_API oct_result oct_game_step(oct_game *game, uint32_t ticks);

/// One turn of a single player: acts, and lets pass what that takes. In a stepped game that is the
/// action's ticks, or one where it has none; a running one has moved on before it acted.
OCT_API oct_result oct_game_turn(oct_game *game, uint32_t who, const oct_action *action,
                                 oct_act *came);

/// The ticks since the game began, and a hash of everything that shapes what comes: equal for equal
/// runs, on every machine.
OCT_API uint64_t oct_game_tick(const oct_game *game);
OCT_API uint64_t oct_game_hash(const oct_game *game);

/// Makes a game run on between observations: before each action a time passes, drawn uniformly from
/// `min` to `max` ticks (1 <= min <= max <= OCT_ACTION_TICKS_MAX) with a seed. The game that comes
/// out owns the one that went in; on failure that one is as it was and the caller's.
OCT_API oct_result oct_game_delay(oct_game *inner, uint32_t min, uint32_t max, uint64_t seed,
                                  const oct_allocator *allocator, oct_game **out);

// ---- writing games ----

/// What a game does behind the interface. All must be there; arguments have been checked.
typedef struct oct_game_ops {
    void (*destroy)(void *self);
    const oct_game_info *(*describe)(const void *self);
    uint32_t (*players)(const void *self);
    oct_result (*join)(void *self, const oct_pose *pose, uint32_t *who);
    oct_result (*observe)(void *self, uint32_t who, oct_observation *out);
    oct_result (*self)(void *self, uint32_t who, oct_self *out);
    oct_result (*act)(void *self, uint32_t who, const oct_action *action, oct_act *came);
    oct_result (*step)(void *self, uint32_t ticks);
    uint64_t (*tick)(const void *self);
    uint64_t (*hash)(const void *self);
} oct_game_ops;

/// Every game begins with this.
struct oct_game {
    const oct_game_ops *ops; ///< as long as the game lives
};

#endif
