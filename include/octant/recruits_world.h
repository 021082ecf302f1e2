// SPDX-License-Identifier: MIT
/// \file
/// The lab world: a simulated Lab Recruits, made from one of its levels (octant/recruits_level.h).
///
/// Its agents walk, see over walls of 1 m, press buttons within 1.5 m of their
/// feet, lose health in fires and to enemies, and fall out of the level where there is no floor.
/// Doors swing for a second and are solid meanwhile. 50 ticks are a second.
///
/// It promises `toggles`, `memory` and `causes`: a press toggles each linked door or does nothing,
/// whenever it is made, and nothing else moves doors. It denies `body` where a button may be used
/// from ground that is higher or lower than its own. It tells a `settle` of 2 s.
///
/// Of oneself there are the properties "score" and "mood"; of a button "isOn" and "colour", of a
/// door "isOpen", of a colour screen "colour". A flag's touch is the event "flag", a score of its
/// own the event "scored"; the game is won where an agent has touched the flag `Finish`, and lost
/// where all agents are dead.
///
/// docs/testers/lab-world.md says all of it.
#ifndef OCTANT_RECRUITS_WORLD_H
#define OCTANT_RECRUITS_WORLD_H

#include "octant/game.h"
#include "octant/recruits_level.h"

#define OCT_RECRUITS_RATE 50          ///< ticks in a second
#define OCT_RECRUITS_HEIGHT 1.7       ///< of an agent, metres
#define OCT_RECRUITS_RADIUS 0.32      ///< of an agent
#define OCT_RECRUITS_EYE 1.4589       ///< above the feet
#define OCT_RECRUITS_STEP 0.3         ///< the highest edge that it gets up
#define OCT_RECRUITS_INTERACTION 1.5  ///< from the feet to the middle of a button's cell
#define OCT_RECRUITS_AGENT_SPEED 0.13 ///< metres per tick
#define OCT_RECRUITS_VIEW 10.0        ///< metres

/// How to make a game of a level. Start from oct_recruits_world_def_default().
typedef struct oct_recruits_world_def {
    oct_recruits_level *level;      ///< the game's, once it was made
    double agent_speed;             ///< metres per tick, above 0, at most 1
    double jump_force;              ///< upwards share of a step that jumps
    double view;                    ///< metres, above 0
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_recruits_world_def;

OCT_API oct_recruits_world_def oct_recruits_world_def_default(void);

/// Makes a game of a level; its players are the level's agents, in the order of the file. On
/// failure *out is NULL and the level is the caller's: OCT_ERROR_ARGUMENT for speeds or a view out
/// of range.
OCT_API oct_result oct_recruits_world_create(const oct_recruits_world_def *def, oct_game **out);

#endif
