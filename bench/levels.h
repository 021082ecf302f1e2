// SPDX-License-Identifier: MIT
// Agents in generated levels, held against the truth: all of a level's agents go to the target,
// each with the goal smart_close_to_block.
#ifndef OCTANT_LEVELS_H
#define OCTANT_LEVELS_H

#include "octant/generate_level.h"
#include "octant/tactics.h"

typedef struct level_result {
    bool solvable;
    oct_verdict verdict; // as a test has it: the first agent's that does not pass
    char reason[OCT_REASON_MAX];
    uint32_t learned; // links that are certain, of all agents
    uint32_t untrue;  // of them
    uint64_t bumps;   // ticks in which a body ran into something
    uint64_t presses;
    uint64_t turns;
    double game_s;    // that passed in the game
    double spent_s;   // of CPU time, all of it
    double thought_s; // of that, planning and mapping
} level_result;

// A certain fail of a level that can be solved, or a pass where nobody can.
bool oct_level_is_false(const level_result *result);

// Plays one.
oct_result oct_level_play(const oct_level_def *def, level_result *out);

#endif
