// SPDX-License-Identifier: MIT
// A running Lab Recruits as a game (octant/game.h), over its own protocol.
//
// A level is named by the start of a life, as a path on the machine of the game. Its agents are
// those of the level's file if that can be read here, else `agent0` alone: the game tells no names.
//
// Agents walk there in full steps towards a target. A movement is sent as one to three targets
// after which the agent stands where it was to be; a step ends when they are done. What stands in a
// level is guessed from the mesh (recruits_terrain.h), so the game denies `solid`. What an agent
// does not see is told as it was last seen, and as remembered.
#ifndef OCTANT_LINK_RECRUITS_GAME_H
#define OCTANT_LINK_RECRUITS_GAME_H

#include "link/recruits_client.h"
#include "octant/game.h"

// The client is the game's, also after a failure. `release` is called when the game is freed, and
// not after a failure; it may be NULL.
oct_result oct_recruits_game_create(recruits_client *client, const oct_allocator *allocator,
                                    void (*release)(void *ctx), void *ctx, oct_game **out);

// Whether a game is one of these.
bool oct_recruits_is_game(const oct_game *game);
// What it was made with.
void *oct_recruits_game_context(const oct_game *game);

#endif
