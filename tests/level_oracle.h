// SPDX-License-Identifier: MIT
// Whether a level can be solved, worked out from its world alone by going through states: where
// each body is, how far each door has opened and where it goes, what each timer still waits.
//
// Two players stand for all others. The unhurried one has a body that is a little too large, flies
// at 2 m/s, takes a second for each start and 2.5 s into and out of a doorway, and passes
// doors that leave it 1.3 m, also when it is half in: what it can do, can be done. The ideal one
// has a body that is too small, flies straight at the speed of the rules, presses past corners,
// passes any door that is not wholly shut, and holds it for as long as it likes: what it cannot do,
// nobody can. Levels on which the two differ are not decided.
//
// Time passes in quanta of half the unit of all delays. Delays are exact and all else only bounds
// from below, so that whoever gets somewhere at all gets there acting at whole quanta (digitization
// of timed automata, Henzinger, Manna and Pnueli 1992).
#ifndef OCTANT_TESTS_LEVEL_ORACLE_H
#define OCTANT_TESTS_LEVEL_ORACLE_H

#include "level_scene.h"

// Of the unhurried player, in the oracle and where plans are flown: seconds for a way of so many
// metres, and what it takes to get into or out of a doorway.
#define UNHURRIED_SECONDS(metres) ((metres) / 2.0 + 1.0)
#define UNHURRIED_DOORWAY 2.5
#define UNHURRIED_WIDTH 1.3

typedef enum oracle_verdict { ORACLE_SOLVABLE, ORACLE_UNSOLVABLE, ORACLE_UNDECIDED } oracle_verdict;

typedef struct oracle_answer {
    oracle_verdict verdict;
    bool is_full;  // unsolvable: with all doors at once; else with some, all others being open
    size_t states; // that were visited
} oracle_answer;

// `starts` are the bodies' centres in the frame of the scene; at most so many states are visited in
// one search. Solvable: all bodies get to the target. Unsolvable: none does.
oracle_answer level_oracle_ask(const level_scene *s, const oct_point *starts, uint32_t agents,
                               size_t most);

// The two spaces, for the unhurried and the ideal body.
level_space *level_oracle_space(const level_scene *s, bool is_generous);

// Where the unhurried body goes to in a region: before a door (the cell that is nearest to it), to
// where it can press a panel, to the target. False where it cannot.
bool level_place_by_door(const level_space *p, uint32_t door, int region, oct_point *out);
bool level_place_by_panel(const level_space *p, uint32_t panel, int region, oct_point *out);
bool level_place_by_target(const level_space *p, int region, oct_point *out);

#endif
