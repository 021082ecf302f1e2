// SPDX-License-Identifier: MIT
// A block world with more in it: things to take, fire that hurts, a sign, words and an end.
#ifndef OCTANT_TESTS_ITEM_GAME_H
#define OCTANT_TESTS_ITEM_GAME_H

#include "octant/game.h"

#define ITEM_ID 5001
#define FIRE_ID 5002
#define SIGN_ID 5003

typedef struct item_rules {
    oct_point coin; // its middle; a cube of half a metre
    bool has_coin, is_solid;
    bool is_stuck;      // it is not taken by touching it
    bool is_silent;     // no event tells that it was taken
    bool stays;         // it is there afterwards
    bool has_use;       // it is taken by using it
    bool refuses;       // and that is refused
    bool wins, loses;   // the game ends when it is taken
    const char *says;   // when it is taken; NULL = nothing
    const char *greets; // in the first tick
    oct_bounds fire;    // of its box
    bool has_fire;
    double harm;     // of it, share of health per second
    bool respawns;   // who has no health begins anew
    bool fire_moves; // up and down by a centimetre
    bool has_sign;   // at `sign`: lit = true, colour = "red", count = 3
    oct_point sign;
    uint32_t floods; // events of no meaning that are told at each look
} item_rules;

// Takes over a block world.
oct_game *item_game_make(oct_game *inner, const item_rules *rules);

#endif
