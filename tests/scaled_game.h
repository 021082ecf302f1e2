// SPDX-License-Identifier: MIT
// A game told in other units: all lengths of another game times so many units in a metre.
#ifndef OCTANT_TESTS_SCALED_GAME_H
#define OCTANT_TESTS_SCALED_GAME_H

#include "octant/game.h"

// The game that comes out owns the one that went in, which must have boxes as shapes. Memory of a
// test: malloc.
oct_game *scaled_game(oct_game *inner, double metre);

typedef struct scaled_source {
    oct_game_source inner;
    double metre;
} scaled_source;

oct_game_source scaled_source_of(scaled_source *source);

#endif
