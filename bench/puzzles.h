// SPDX-License-Identifier: MIT
// Agents in generated puzzles, held against the truth: whether the verdict is right, and whether
// what was learned about buttons and doors is true.
#ifndef OCTANT_PUZZLES_H
#define OCTANT_PUZZLES_H

#include "bench/played.h"
#include "octant/generate_puzzle.h"

typedef struct puzzle_def {
    oct_puzzle_def puzzle;
    // Not to get to the target, but to learn what every button does.
    bool learns;
} puzzle_def;

typedef struct puzzle_result {
    oct_puzzle_truth truth;
    bench_played played;
    bool is_right;    // the verdict; of who learns: it knows all that can be known
    uint32_t learned; // links that are certain, there or not
    uint32_t untrue;  // of them
    uint32_t missed;  // that can be learned and were not
} puzzle_result;

// Plays one. OCT_ERROR_RANGE where there is no such puzzle.
oct_result oct_puzzle_play(const puzzle_def *def, puzzle_result *out);

#endif
