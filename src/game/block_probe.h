// SPDX-License-Identifier: MIT
// What tests and benches do to a block world that no player can.
#ifndef OCTANT_BLOCK_PROBE_H
#define OCTANT_BLOCK_PROBE_H

#include "octant/block_world.h"

// The distance between a player's body and the nearest solid, metres, at most `limit`. Negative
// where it is in one: never.
double oct_block_world_clearance(const oct_game *game, uint32_t who, double limit);

// For tests and measurements: puts a player somewhere, with a velocity. OCT_ERROR_RANGE, and
// nothing has changed, where there is no room for a body.
oct_result oct_block_world_teleport(oct_game *game, uint32_t who, const oct_pose *pose,
                                    oct_point velocity);

#endif
