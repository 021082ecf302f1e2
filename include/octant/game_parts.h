// SPDX-License-Identifier: MIT
/// \file
/// Parts of games of one's own: a body that flies, a door that slides, things that are boxes.
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

#endif
