// SPDX-License-Identifier: MIT
// A look: a game tells what is in range, and the player's own map decides what of it is in sight.
#ifndef OCTANT_LOOK_H
#define OCTANT_LOOK_H

#include "base/base_internal.h"
#include "octant/game.h"
#include "octant/scenery.h"

typedef struct look_state {
    oct_array things;     // of oct_thing: everything in range, as a map takes it; see doorway.h
    oct_array owners;     // of uint32_t: of each thing its entity, by index; where `splits`
    bool splits;          // some entity is several things
    bool takes_shapes;    // the map takes what is turned as it is, not as its upright box
    oct_array entities;   // of oct_entity: what is in sight
    oct_scenery *scenery; // of the game; NULL = not read yet, or it has none
    uint64_t scene;       // that it belongs to
    bool has_scene;
    bool has_changed_scene;
    oct_array merged; // of oct_entity: what the game told, and the scenery near by
    oct_array events; // of oct_event: of both answers, where a scene began between two looks
    oct_arena texts;  // of these
    oct_seen seen;    // what the last look was new to the map
    // All that the game told at the last look, in sight or not, with the scenery; entities are the
    // game's until its next call.
    oct_observation told;
} look_state;

void oct_look_free(look_state *l, const oct_allocator *allocator);

// Observes, shows it to the map as the eye sees it, and keeps what is in sight: the entities of
// `out` are those alone, and belong to the look until the next one. On failure the map is as it
// was.
oct_result oct_look_around(look_state *l, const oct_allocator *allocator, oct_game *game,
                           uint32_t who, const oct_game_info *info, oct_map *map,
                           oct_observation *out);

#endif
