// SPDX-License-Identifier: MIT
// Generated puzzles, played by agents: one row of agents that go to the target, and one of agents
// that learn what all buttons do; and generated levels, one row for each class. Half of each can be
// solved.
#ifndef OCTANT_TABLE_PUZZLES_H
#define OCTANT_TABLE_PUZZLES_H

#include "bench/bench.h"
#include "bench/levels.h"
#include "bench/puzzles.h"

#define PUZZLES_DEFAULT 1000 // a row
#define LEVELS_MAX 125       // a class: 3000 in all

typedef struct puzzles_row {
    const char *task; // "reach", "learn", or a class of levels
    uint32_t puzzles, solvable;
    uint32_t wrong;          // verdicts; of who learns: something was left to be learned
    uint32_t solved, told;   // passes of solvable ones, fails of others
    uint32_t inconclusive;   // verdicts that are not certain
    uint32_t false_verdicts; // fails of solvable ones, passes of others
    uint32_t errors;         // Octant's own: a proof was rejected, or something excluded happened
    uint64_t proofs;         // that were accepted
    uint64_t learned;        // links that are certain, there or not
    uint64_t untrue;         // of them
    uint64_t presses;        // by the agents
    uint64_t fewest;         // that the solvable ones take by one who knows all
    uint64_t bumps;          // ticks in which a body ran into something
    uint64_t turns;
    double game_s;            // that passed in the games
    double spent_s;           // of CPU time, all of it
    double thought_s;         // of that, planning and mapping
    uint64_t first_bad;       // number of the first puzzle that went wrong, from 1; 0 = none
    char why[OCT_REASON_MAX]; // what was said there
} puzzles_row;

// No verdict is false and none is an error, everything learned is true, and nobody ran into
// anything.
bool oct_puzzles_is_met(const puzzles_row *row);

// The puzzle, and the level of a class, of a number, from 1.
oct_puzzle_def oct_puzzle_of(uint32_t number);
oct_level_def oct_level_of(oct_level_class of, uint32_t number);

// Plays `options.repeat` puzzles, or levels (at most LEVELS_MAX), for each row whose task holds the
// filter, on the
// executor's threads; all but the times is the same whatever the threads. Appends to an array of
// puzzles_row, which is the caller's also after a failure; then the report's message says why.
oct_result oct_table_puzzles(bench_report *report, oct_array *rows);

#endif
