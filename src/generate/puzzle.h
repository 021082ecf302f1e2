// SPDX-License-Identifier: MIT
// A puzzle as a graph: rooms, ways between them, doors, buttons. What can be reached in it, by one
// who waits and by anyone at all.
#ifndef OCTANT_MAP_PUZZLE_H
#define OCTANT_MAP_PUZZLE_H

#include "base/base_internal.h"
#include "octant/generate_puzzle.h"

// Openings: no room has more than six neighbours, no wall more than two openings.
#define PUZZLE_WAYS_MAX (6 * OCT_PUZZLE_ROOMS_MAX)
#define PUZZLE_NONE UINT8_MAX

// Doors have at most 2^this states together: masks of buttons that are linearly independent.
#define PUZZLE_RANK_MAX 10

typedef struct puzzle_way {
    uint8_t a, b; // rooms
    uint8_t door; // PUZZLE_NONE where it is free
} puzzle_way;

// Sets of rooms, doors and buttons are bits.
typedef struct puzzle {
    uint32_t rooms, ways, doors, buttons;
    uint32_t start; // room
    uint32_t open;  // doors, at first
    puzzle_way way[PUZZLE_WAYS_MAX];
    uint32_t toggles[OCT_PUZZLE_BUTTONS_MAX];
    uint8_t room_of[OCT_PUZZLE_BUTTONS_MAX];
} puzzle;

// ---- anyone ----

// The rooms that one gets to from a room while these doors are open.
uint64_t oct_puzzle_flood(const puzzle *p, uint32_t open, uint32_t from);

// The rooms that one gets to if every door that was open or could be opened ever is open for good,
// but for doors that are held shut: nobody gets anywhere else. Buttons that cannot be reached
// count where `all_buttons` says so.
uint64_t oct_puzzle_hope(const puzzle *p, uint32_t held, bool all_buttons);

// Two doors in a row, on the two only ways out of a room without buttons.
typedef struct puzzle_pair {
    uint32_t room;
    uint32_t outer, inner; // doors
} puzzle_pair;

// Whether nobody gets past the inner door, given that none of the buttons `far` can be pressed
// so near to the outer door that one gets to it before it has done what they ask for.
bool oct_puzzle_is_trap(const puzzle *p, const puzzle_pair *pair, uint32_t far, uint32_t target);

// ---- one who waits ----

typedef struct puzzle_state {
    uint64_t rooms;  // where one may be
    uint32_t open;   // doors
    uint32_t parity; // buttons that were pressed an odd number of times
    uint32_t from;   // the state before
    uint32_t presses;
    uint8_t button; // that led here
} puzzle_state;

typedef struct puzzle_search {
    oct_allocator allocator;
    void *memory;
    size_t bytes;
    uint32_t capacity;
    uint32_t *index;      // of a state + 1, by doors and least room
    puzzle_state *states; // in the order of presses
    uint32_t count;
    uint32_t first[OCT_PUZZLE_ROOMS_MAX]; // state in which a room is reached first, + 1; 0 = never
    uint32_t reachable;                   // buttons
    uint32_t loops[32];                   // basis of presses that lead back to where one was
} puzzle_search;

// Room for puzzles of so many rooms; to be freed only where it was made.
oct_result oct_puzzle_search_create(puzzle_search *s, const oct_allocator *allocator,
                                    uint32_t rooms);
void oct_puzzle_search_destroy(puzzle_search *s);

// Finds all there is. False where the doors have too many states.
bool oct_puzzle_search_run(puzzle_search *s, const puzzle *p);

// The fewest presses to a room; UINT32_MAX where it is not reached.
uint32_t oct_puzzle_search_presses(const puzzle_search *s, uint32_t room);
// Those presses: as many as oct_puzzle_search_presses says.
void oct_puzzle_search_solution(const puzzle_search *s, uint32_t room, uint8_t *out);
// For each button, the doors of which can be learned whether it toggles them.
void oct_puzzle_search_learnable(const puzzle_search *s, const puzzle *p, uint32_t *out);

// How many of the masks are linearly independent over GF(2).
uint32_t oct_puzzle_rank(const uint32_t *masks, uint32_t count);

#endif
