// SPDX-License-Identifier: MIT
// Tests of generated worlds, played as `octant test` plays them, lives included.
#ifndef OCTANT_PLAYED_H
#define OCTANT_PLAYED_H

#include "octant/play_test.h"

// What a run may have at most.
#define PLAYED_AGENTS_MAX 8

// What came of a run, in all its lives.
typedef struct bench_played {
    oct_verdict verdict;
    char reason[OCT_REASON_MAX];
    uint32_t lives;
    uint32_t proofs; // that were accepted; one that is not makes the verdict ERROR
    uint64_t bumps;  // ticks in which a body ran into something
    uint64_t presses;
    uint64_t turns;
    double game_s;    // that passed in the game
    double spent_s;   // of CPU time, all of it
    double thought_s; // of that, planning and mapping
} bench_played;

typedef struct bench_play_def {
    oct_world *world;
    const oct_point *starts; // of the feet; the first agent begins at the world's start
    uint32_t agents;
    uint64_t seed;
    oct_goal *(*goal)(void *ctx);                           // of each agent
    void (*judge_links)(void *ctx, const oct_agent *agent); // of each agent, after the last life
    void *ctx;
} bench_play_def;

oct_result oct_bench_play(const bench_play_def *def, bench_played *out);

#endif
