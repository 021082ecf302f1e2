// SPDX-License-Identifier: MIT
/// \file
/// What a game tells and is told: bodies, shapes, entities, scenery, events, actions, as data.
///
/// Lengths are metres, times seconds or ticks as stated, in the game's own axes. Everything that
/// says "at most" is an upper limit that certain fails rest on; a sighting beyond it withdraws
/// them. All zero is the default of every struct unless it says otherwise. Arrays and texts belong
/// to the game.
#ifndef OCTANT_GAME_DATA_H
#define OCTANT_GAME_DATA_H

#include "octant/map.h"

// ---- properties ----

typedef enum oct_value_kind { OCT_VALUE_NUMBER, OCT_VALUE_TEXT, OCT_VALUE_BOOL } oct_value_kind;

/// Something that a player could see of a thing or of itself. Octant compares and tests it.
typedef struct oct_property {
    const char *name;
    oct_value_kind kind;
    double number;    ///< of a NUMBER; of a BOOL 1 or 0
    const char *text; ///< of a TEXT
} oct_property;

/// The property of a name; NULL where there is none.
OCT_API const oct_property *oct_property_find(const oct_property *all, size_t count,
                                              const char *name);
/// Its number, or that of a BOOL; `other` where there is none.
OCT_API double oct_property_number(const oct_property *all, size_t count, const char *name,
                                   double other);
OCT_API bool oct_property_is_equal(const oct_property *a, const oct_property *b);

// ---- the body of a player ----

typedef enum oct_body_shape { OCT_BODY_CAPSULE, OCT_BODY_BOX, OCT_BODY_BALL } oct_body_shape;

/// How a body gets about.
typedef enum oct_gait { OCT_GAIT_WALK, OCT_GAIT_FLY, OCT_GAIT_BOTH } oct_gait;

/// What the shares of MOVE are of.
typedef enum oct_control {
    OCT_CONTROL_THRUST, ///< of the acceleration
    OCT_CONTROL_COURSE  ///< of the speed: the wanted velocity, approached with the acceleration
} oct_control;

/// A limit that a game may not tell.
#define OCT_NOT_TOLD (-1.0)

/// Start from oct_player_body_default(), which has the defaults of the protocol.
typedef struct oct_player_body {
    double height; ///< 1.8; of a BALL its diameter
    double width;  ///< 1
    oct_body_shape shape;
    bool tumbles;        ///< it may take any orientation
    double eye;          ///< above the feet; 0.9 of the height
    oct_gait gait;       ///< WALK
    double speed;        ///< at most, m/s; 4
    double acceleration; ///< m/s2; 0 = `move` is the velocity as a share of `speed`, at once
    oct_control control; ///< with an acceleration
    double brake;        ///< m/s2 without `move`; 0 = it drifts
    bool brakes_axes; ///< it brakes along each of its axes that has no thrust, not only if none has
    bool weighs;      ///< gravity pulls it while it flies
    bool uses_all_around; ///< it uses what it does not face; else agents face it first
    double turn;          ///< at most, radians per second; 2 pi
    double reach;         ///< from the eye to the nearest point of what it uses; 2.5
    // On foot. OCT_NOT_TOLD where the game does not say.
    double walk;              ///< m/s on foot, of gait BOTH; else `speed`
    double step;              ///< highest edge that it gets up by MOVE alone
    double slope;             ///< steepest face that it stands on, degrees
    double jump;              ///< m/s along its up at the start of a jump; 0
    double climb;             ///< highest ledge that it gets onto by jumping
    double leap;              ///< widest gap between edges at equal height
    double air;               ///< m/s2 with which MOVE steers in the air
    double fall;              ///< falls deeper than this kill
    double hurts;             ///< falls deeper than this cost health
    double low;               ///< height that it can take by `do crouch`
    const char *const *verbs; ///< that it knows beside KEEP and WAIT: "move", "jump", "use", names
    size_t verb_count;        ///< of DO
} oct_player_body;

OCT_API oct_player_body oct_player_body_default(void);
OCT_API bool oct_player_body_has(const oct_player_body *body, const char *verb);

// ---- entities and scenery ----

typedef enum oct_entity_kind {
    OCT_ENTITY_SOLID,  ///< it is there
    OCT_ENTITY_DOOR,   ///< opens and shuts
    OCT_ENTITY_BUTTON, ///< something to use
    OCT_ENTITY_HAZARD, ///< harms who touches it
    OCT_ENTITY_ITEM,   ///< can be taken
    OCT_ENTITY_GOAL,   ///< what one is sent to
    OCT_ENTITY_ACTOR,  ///< moves by itself
    OCT_ENTITY_PLAYER, ///< another player
    OCT_ENTITY_MOVER,  ///< a solid that carries who stands on it: lift, bridge
    OCT_ENTITY_COUNT
} oct_entity_kind;

/// "solid", "door", ...; NULL beyond the last.
OCT_API const char *oct_entity_kind_name(oct_entity_kind kind);

/// What a leaf of a door does to a body in its way.
typedef enum oct_meets {
    OCT_MEETS_NOT_TOLD,
    OCT_MEETS_WAITS,
    OCT_MEETS_PUSHES,
    OCT_MEETS_HARMS
} oct_meets;

/// Something in range. `thing` is how a map takes it: its id, the upright box of its shape as it is
/// now, its label as oct_entity_label says, and whether it hides what is behind it.
typedef struct oct_entity {
    oct_thing thing;
    oct_shape shape;  ///< no pieces = `thing.box`
    const char *name; ///< the game's; "" where it has none
    const char *type; ///< the game's word; ""
    oct_entity_kind kind;
    bool is_scenery; ///< it is a part of the scenery: it never changes
    /// The game decides itself what is in sight, and this is not: it is told as it was last seen,
    /// and counts as out of sight.
    bool is_remembered;
    oct_point forward, up; ///< its orientation in the world
    oct_point velocity;    ///< m/s
    double opening;        ///< of a door: 0 = shut, 1 = open
    bool has_gap;          ///< of a door: it has a `gap` beside its shape
    oct_bounds gap;        ///< what it shuts; without one its shape at 0, which blocks unless at 1
    oct_meets meets;       ///< of a door
    const char *const *uses; ///< what can be done to it; the index is `button` of USE
    uint32_t use_count;
    double harm;             ///< of a hazard: share of health per second; OCT_NOT_TOLD
    uint64_t whole;          ///< what it moves together with, as a rigid whole; 0 = nothing
    const oct_bounds *stops; ///< of a mover: where it may rest; none = not told
    size_t stop_count;
    const oct_property *props;
    size_t prop_count;
} oct_entity;

/// The label of an entity: BLOCKED where it is solid, else OPEN. What blocks is the shape as told;
/// a door without a gap leaves it at 1, and the gap never blocks.
OCT_API oct_label oct_entity_label(const oct_entity *entity, bool is_solid);

/// One part of what never moves.
typedef struct oct_scenery_part {
    uint64_t id; ///< one set of ids with entities and players
    const char *name;
    oct_shape shape; ///< at least one piece
    bool solid, opaque;
} oct_scenery_part;

/// A page of the scenery.
typedef struct oct_scenery_page {
    const oct_scenery_part *parts;
    size_t count;
    size_t next; ///< `from` of the next page; 0 = this was the last
} oct_scenery_page;

// ---- oneself ----

typedef struct oct_self {
    uint64_t tick; ///< since the life began
    uint64_t id;
    oct_pose pose;
    oct_point centre;   ///< of the body: half its height above the feet
    oct_point eye;      ///< sight, view and reach are measured from it
    oct_point look;     ///< where the eye looks, a unit vector
    oct_point velocity; ///< m/s, in the world
    double health;      ///< 1 = well, 0 = dead
    bool stands;        ///< a jump would be done now
    bool flies;
    uint64_t on;    ///< id of what it stands on; 0 = not known
    uint32_t ticks; ///< that the movement under way will still take
    uint64_t bumps; ///< ticks so far in which it ran into something
    const oct_property *props;
    size_t prop_count;
} oct_self;

// ---- events ----

/// Something that happened; told once. `what`: "fail" (the game's own assertion), "error", "note",
/// "hurt", "taken", "said", "respawn", or the game's own word.
typedef struct oct_event {
    uint64_t tick;
    const char *what;
    uint64_t id; ///< 0 = of nothing
    const char *text;
} oct_event;

/// Whether a game has ended.
typedef enum oct_over { OCT_OVER_NOT, OCT_OVER_WON, OCT_OVER_LOST } oct_over;

/// What is around a player. Valid until the next call of the game.
typedef struct oct_observation {
    oct_self self;
    const oct_entity *entities; ///< within the view, in sight or not; by id, ascending
    size_t count;
    const oct_event *events; ///< since the last observation of this player
    size_t event_count;
    oct_over over;
    uint64_t
        scene; ///< changes with the level: scenery and description are then to be asked for anew
} oct_observation;

// ---- acting ----

/// Most ticks of one action.
#define OCT_ACTION_TICKS_MAX 3600

typedef enum oct_verb {
    OCT_VERB_KEEP, ///< nothing: what is under way goes on; a turn of `ticks`
    OCT_VERB_WAIT, ///< ends what is under way; nothing for `ticks`
    OCT_VERB_MOVE, ///< moves and turns for `ticks`, in place of what is under way
    OCT_VERB_JUMP, ///< off the surface that it stands on
    OCT_VERB_USE,  ///< uses `button` of `target`
    OCT_VERB_DO,   ///< anything else: `name`
    OCT_VERB_COUNT
} oct_verb;

/// "keep", "wait", "move", "jump", "use", "do"; NULL beyond the last.
OCT_API const char *oct_verb_name(oct_verb verb);

/// What to do. What a verb does not name is not looked at. All but WAIT and MOVE leave the movement
/// under way as it is.
typedef struct oct_action {
    oct_verb verb;
    uint32_t ticks; ///< of KEEP, WAIT and MOVE, 1 to OCT_ACTION_TICKS_MAX
    /// In the body's own frame as it is in each tick: x right, y up, z back; shares of what
    /// the body's `control` says (on foot: of the speed, y nothing). Longer than 1 counts as 1.
    oct_point move;
    /// Turning around the body's right (pitch, up is positive), up (yaw, to the left) and back
    /// (roll, to the left) axes, as a share of the turning rate, -1 to 1.
    oct_point rotate;
    uint64_t target;  ///< of USE; 0 = what it looks at
    uint32_t button;  ///< of USE, from 0
    const char *name; ///< of DO, one of the body's verbs; borrowed for the call
    double number;    ///< of DO, as its name needs it
    bool on;          ///< of DO
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
    OCT_ACT_REFUSED,    ///< for a reason that the game says: oct_game_refusal
    OCT_ACT_COUNT
} oct_act;

/// "done", "no target", ...; NULL beyond the last.
OCT_API const char *oct_act_name(oct_act act);

#endif
