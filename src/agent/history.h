// SPDX-License-Identifier: MIT
// History: what the agents of one game were told and what they did, kept for giving up.
//
// To act, an agent believes the likely. To say that something is impossible it may rest on what was
// seen alone: so everything that was told is kept here as it was told, together with when, and what
// was once seen to change counts as something that may change again. All agents of a game write
// into one history; nothing in it is a conclusion.
#ifndef OCTANT_HISTORY_H
#define OCTANT_HISTORY_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "octant/belief.h"

// Something that was told, as it was first seen.
typedef struct history_thing {
    oct_entity told; // without its name
    uint64_t first, last;
    uint32_t door;  // of the doors, from 1; 0 = it is none
    bool is_mobile; // it was seen to move, change, appear or vanish, or was told to move
} history_thing;

// Looks that are further apart may have missed something, ticks.
#define WATCH_GAP 20u

// Looks in a row, none of them far apart, that showed a door in one pose, with no press in between.
typedef struct door_run {
    uint64_t first, last; // ticks
    double opening;
    uint64_t gap; // ticks since the run before
} door_run;

typedef struct history_door {
    uint32_t thing;
    oct_array runs; // of door_run
} history_door;

typedef struct history_press {
    uint64_t tick;
    oct_button button;
} history_press;

typedef struct oct_history {
    oct_allocator allocator;
    uint32_t users;
    oct_array things;  // of history_thing
    key_table ids;     // of things
    oct_array doors;   // of history_door
    oct_array presses; // of history_press, in the order of time
    oct_array starts;  // of oct_point: centres of the bodies when their agents first looked
    uint64_t now;      // the tick of the last look or press
} oct_history;

// With one user; NULL where memory is short.
oct_history *oct_history_create(const oct_allocator *allocator);
oct_history *oct_history_keep(oct_history *history);
void oct_history_drop(oct_history *history);

oct_result oct_history_start(oct_history *h, oct_point centre);
// What one look showed. `types` of the game say what is a door.
oct_result oct_history_look(oct_history *h, const oct_game_info *info, const oct_observation *seen);
// Something is no longer where it was.
void oct_history_lose(oct_history *h, uint64_t id);
oct_result oct_history_press(oct_history *h, oct_button button, uint64_t tick);

const history_thing *oct_history_find(const oct_history *h, uint64_t id);

// Whether the axes of a thing are those of the world: then its box is its shape.
bool oct_history_is_upright(const history_thing *thing);

#endif
