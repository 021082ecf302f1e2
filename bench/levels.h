// SPDX-License-Identifier: MIT
// Agents in generated levels, held against the truth: all of a level's agents go to the target,
// each with the goal smart_close_to_block.
#ifndef OCTANT_LEVELS_H
#define OCTANT_LEVELS_H

#include "bench/played.h"
#include "octant/generate_level.h"

typedef struct level_result {
    bench_played played;
    bool solvable;
    uint32_t learned; // links that are certain in the last life, of all agents
    uint32_t untrue;  // of them
} level_result;

// A certain fail of a level that can be solved, or a pass where nobody can.
bool oct_level_is_false(const level_result *result);

// Plays one.
oct_result oct_level_play(const oct_level_def *def, level_result *out);

#endif
