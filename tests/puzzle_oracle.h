// SPDX-License-Identifier: MIT
// Puzzles, worked out anew from the world alone, cell by cell, slowly and plainly.
#ifndef OCTANT_TESTS_PUZZLE_ORACLE_H
#define OCTANT_TESTS_PUZZLE_ORACLE_H

#include "support.h"

#include "octant/generate_puzzle.h"

enum { PUZZLE_CELLS = 8000, PUZZLE_DOORS_PLAYED = 12 };

// What a cell holds, beside doors: those are PUZZLE_DOOR + their number.
enum { PUZZLE_FREE, PUZZLE_SOLID, PUZZLE_PANEL, PUZZLE_TARGET, PUZZLE_DOOR };

typedef struct puzzle_button {
    uint64_t panel;
    uint32_t number;
    uint32_t toggles;
    double delay;
    int cell, front; // of the panel
} puzzle_button;

// A world as an array of cells.
typedef struct puzzle_scene {
    int nx, ny, nz, cells;
    int kind[PUZZLE_CELLS];
    uint64_t door_ids[OCT_PUZZLE_DOORS_MAX];
    int door_cells[OCT_PUZZLE_DOORS_MAX];
    int door_axes[OCT_PUZZLE_DOORS_MAX]; // as a step from cell to cell
    uint32_t doors, open;
    puzzle_button buttons[OCT_PUZZLE_BUTTONS_MAX];
    uint32_t button_count, panels, timers;
    int start, target;
} puzzle_scene;

// Reads a world; fails the test where something is not as in puzzles. To be freed by test_free.
puzzle_scene *puzzle_read(const oct_world *world);

// The six cells beside one.
void puzzle_neighbours(const puzzle_scene *s, int cell, int out[6]);
bool puzzle_passable(const puzzle_scene *s, int cell, uint32_t open);

// Floods from a cell, whatever it holds; the hull keeps it inside. Adds to what was reached, an
// array of PUZZLE_CELLS.
void puzzle_flood(const puzzle_scene *s, int from, uint32_t open, bool *reached);
// Whether a cell is beside one that was reached.
bool puzzle_beside(const puzzle_scene *s, const bool *reached, int cell);

// A place in a search.
typedef struct puzzle_node {
    uint32_t state; // doors that are open, or buttons that were pressed
    int cell;
} puzzle_node;

typedef struct puzzle_stack {
    puzzle_node *nodes; // to be freed
    size_t count, capacity;
} puzzle_stack;

void puzzle_push(puzzle_stack *stack, puzzle_node n);

// The fewest presses of one who waits that lead beside the target; -1 where none do. `pressed` gets
// the buttons that can be pressed: all that can, where there is no way to the target.
int puzzle_fewest_presses(const puzzle_scene *s, uint32_t *pressed);

// Why nobody can get to the target; SOLVABLE where that cannot be said.
oct_puzzle_why puzzle_why_not(const puzzle_scene *s);

#endif
