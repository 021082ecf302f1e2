// SPDX-License-Identifier: MIT
/// \file
/// The block world: a simulated game to fly in, made from an oct_world.
///
/// Blocks are solid boxes, in the frame of their grid where they are placed on one. Doors slide:
/// what is left of the leaf blocks, and it waits for whoever stands in its way. Grids that drift
/// push whoever they meet, and wait where they cannot. Bodies are capsules, as high and wide as
/// the description says, and never enter anything solid, however fast they are; they pass through
/// each other.
///
/// Who flies accelerates by thrust in any direction, at most by the rules' acceleration; dampeners
/// use what the thrust leaves of it to brake along those of the body's axes that have no thrust,
/// and hold against gravity. Who does not fly falls where there is gravity, walks where it stands,
/// and with boots stands on any surface under its feet.
///
/// Beside moving, jumping and using a player can DO: "jetpack", "dampeners", "boots" (`on`),
/// "equip" and "activate" (the item of slot `number`: 9 times the page and the slot, both from 0;
/// the latter begins to use it), "tool" (`on`: it works on what one looks at, until it is off),
/// "place" (the block in one's hands) and "remove" (what one looks at). Of oneself there are the
/// properties "held" ("", "grinder", "welder" or the type of a block), "page", "dampeners", "boots"
/// and "works" (a tool does) and "grind" (what a tool takes or mends in a second); of a block
/// "integrity" and "whole", what it is of one that is whole.
///
/// docs/testers/block-world.md says all of it.
#ifndef OCTANT_BLOCK_WORLD_H
#define OCTANT_BLOCK_WORLD_H

#include "octant/game.h"
#include "octant/world.h"
#include "octant/world_check.h"

/// Its ticks in a second.
#define OCT_BLOCK_WORLD_RATE 60

/// The body of the block world: metres.
#define OCT_BLOCK_WORLD_HEIGHT 1.8
#define OCT_BLOCK_WORLD_WIDTH 1.0

/// How to make a game of a world.
typedef struct oct_block_world_def {
    const oct_world *world;         ///< copied; must be there
    const oct_allocator *allocator; ///< copied; NULL = malloc
} oct_block_world_def;

/// Makes a game of a world. Its first player stands at the world's start, if that has room for a
/// body (where it is a little in a wall, beside it); a world without a start has no player. On
/// failure *out is NULL.
OCT_API oct_result oct_block_world_create(const oct_block_world_def *def, oct_game **out);

/// Tells a problem of the kind ROOM if no game can be made of a world, or if a body has no room at
/// a pose (of its feet; NULL = at the world's start; a world without one has no such problem).
/// Makes a game and tries it. OCT_ERROR_MEMORY if memory is short. The allocator may be NULL.
OCT_API oct_result oct_block_world_check_room(const oct_world *world, const oct_pose *pose,
                                              const oct_allocator *allocator, oct_problem_fn *tell,
                                              void *ctx);

/// Tells every problem of a world that a block world is to be made of: those of oct_world_check,
/// then that of its start.
OCT_API oct_result oct_block_world_check(const oct_world *world, const oct_allocator *allocator,
                                         oct_problem_fn *tell, void *ctx);

#endif
