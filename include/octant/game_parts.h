// SPDX-License-Identifier: MIT
/// \file
/// Parts of games of one's own: a body that flies, a door that slides, things that are boxes, and
/// what a game of these answers always alike.
///
/// A game (octant/game.h) may have all of its own; these are what a first one needs, plain data to
/// be copied. examples/game_in_c.c is a whole game made of them. The same in Python is in
/// adapters/python/octant.py.
#ifndef OCTANT_GAME_PARTS_H
#define OCTANT_GAME_PARTS_H

#include "octant/game.h"

// ---- boxes ----

/// How far a point is from a box; 0 inside.
OCT_API double oct_box_distance(const oct_bounds *box, oct_point point);

/// A thing that is a box, solid and opaque, with the usual values of an oct_entity.
OCT_API oct_entity oct_box_entity(uint64_t id, const char *name, oct_entity_kind kind,
                                  oct_bounds box);

/// A part of the scenery that is a box; `piece` gets its shape, and is borrowed.
OCT_API oct_scenery_part oct_box_part(uint64_t id, const char *name, oct_bounds box,
                                      oct_piece *piece);

// ---- a body ----

/// A ball that flies: it thrusts, brakes where it does not, keeps upright, turns its head up and
/// down, and slides along what it runs into. Begin with oct_flyer_default().
typedef struct oct_flyer {
    double radius, speed, acceleration, turn, reach;
    oct_point centre, velocity;
    oct_point forward, up; ///< unit vectors at right angles
    double pitch;          ///< of its head, radians
    double health;
    uint64_t bumps;
    oct_action action; ///< the movement under way,
    uint32_t ticks;    ///< and what is left of it
} oct_flyer;

/// 0.3 m, 6 m/s, 8 m/s2, 3 radians per second, a reach of 2 m; forward is x, up is z.
OCT_API oct_flyer oct_flyer_default(void);

/// As a player is described, with the verbs "move" and "use".
OCT_API oct_player_body oct_flyer_body(const oct_flyer *flyer);
/// As it is told now.
OCT_API oct_self oct_flyer_self(const oct_flyer *flyer, uint64_t id, uint64_t tick);

/// Takes KEEP, WAIT and MOVE; others are refused.
OCT_API oct_act oct_flyer_act(oct_flyer *flyer, const oct_action *action);
/// One tick among solid boxes.
OCT_API void oct_flyer_step(oct_flyer *flyer, double rate, const oct_bounds *solids, size_t count);

/// From its surface to a box; less than 0 where it is in it.
OCT_API double oct_flyer_gap(const oct_flyer *flyer, const oct_bounds *box);

// ---- a door ----

/// A door whose leaf slides out of its gap, and waits for who is in its way.
typedef struct oct_sliding_door {
    oct_bounds gap;
    oct_point slide; ///< how far the leaf goes until it is open
    double seconds;  ///< that it takes
    double opening;  ///< 0 = shut, 1 = open
    bool opens;      ///< where it is going
} oct_sliding_door;

/// Where its leaf is.
OCT_API oct_bounds oct_sliding_door_box(const oct_sliding_door *door);
/// As it is told now.
OCT_API oct_entity oct_sliding_door_entity(const oct_sliding_door *door, uint64_t id,
                                           const char *name);
/// One tick, with a body that may be in its way.
OCT_API void oct_sliding_door_step(oct_sliding_door *door, double rate, const oct_flyer *body);

// ---- a game ----

/// A box with a name.
typedef struct oct_named_box {
    const char *name;
    oct_bounds box;
} oct_named_box;

/// A game of one flyer among walls that are boxes. A game begins its struct with it, writes
/// `observe`, `act` and `step` itself, and puts the functions below beside them into its table.
typedef struct oct_box_game {
    oct_game game; ///< first: what Octant knows of it
    oct_game_info info;
    oct_flyer flyer;
    oct_player_body body;
    uint64_t player; ///< the id of the flyer
    uint64_t tick;
    const oct_scenery_part *parts;
    size_t part_count;
} oct_box_game;

/// Begins a game: tick 0, the usual rules, walls with the ids 1, 2, 3, ..., and the id behind
/// theirs for the flyer. The table and the names live as long as the game; `parts` and `pieces`
/// have room for `count` of them, and are borrowed.
OCT_API void oct_box_game_begin(oct_box_game *game, const oct_game_ops *ops, const oct_flyer *flyer,
                                const oct_named_box *walls, size_t count, oct_scenery_part *parts,
                                oct_piece *pieces);

/// The functions of its table: `self` points to an oct_box_game.
OCT_API const oct_game_info *oct_box_game_describe(const void *self);
OCT_API const oct_player_body *oct_box_game_body(const void *self, uint32_t who);
OCT_API oct_result oct_box_game_scenery(void *self, size_t from, oct_scenery_page *out);
OCT_API oct_result oct_box_game_self(void *self, uint32_t who, oct_self *out);
OCT_API uint64_t oct_box_game_tick(const void *self);

#endif
