// SPDX-License-Identifier: MIT
// History: what the agents of one game were told and what they did, kept for giving up.
//
// To act, an agent believes the likely. To say that something is impossible it may rest on what was
// seen alone: so everything that was told is kept here as it was told, together with when, and what
// was once seen to change counts as something that may change again. All agents of a game write
// into one history; nothing in it is a conclusion. It also owns the log of the run, which is what
// proofs are checked against.
//
// A game that repeats exactly may be played again from its start: then the history goes on in a new
// life. Nothing that a press has set going lasts from one life to the next, the doors are again as
// they were at the start, and the bodies where they were. Ticks of a later life come long after
// those of the one before.
#ifndef OCTANT_HISTORY_H
#define OCTANT_HISTORY_H

#include "agent/run_log.h"
#include "octant/belief.h"
#include "octant/tree.h"

// Something that was told, as it was first seen.
typedef struct history_thing {
    // What it points to is the history's. A door is as it was first told to be shut, if it was.
    oct_entity told;
    uint64_t first, last;
    uint32_t door;  // of the doors, from 1; 0 = it is none
    bool is_mobile; // it was seen to move, change, appear or vanish, or was told to move
    bool carries;   // it moves, and may hide what moves with it
} history_thing;

// Looks that are further apart may have missed something, ticks.
#define WATCH_GAP 20u

// Looks in a row, none of them far apart, that showed a door in one pose, with no press in between.
typedef struct door_run {
    uint64_t first, last; // ticks
    double opening;
    uint64_t gap;  // ticks since the run before, of the same life
    uint32_t life; // from 0
    bool is_held;  // a body may have been in the door's way: how the door is tells nothing then
} door_run;

typedef struct history_door {
    uint32_t thing;
    oct_array runs; // of door_run
} history_door;

typedef struct history_press {
    uint64_t tick;
    oct_button button;
    uint32_t life; // from 0
} history_press;

// Cells that were in sight of one agent in one life: KNOWN.
typedef struct history_sight {
    const oct_tree *cells;
    oct_tree *own; // the same where the agent has gone; else NULL
} history_sight;

// What the bodies of a game can at most.
typedef struct body_limits {
    double reach; // from the centre, metres
    double speed;
    double least; // the least measure of any, metres
    double most;  // and the largest
} body_limits;

body_limits oct_body_limits_of(const oct_player_body *body);

// The space between what is solid, kept for giving up: see space_cache.h. No part of the history.
typedef struct space_cache space_cache;

struct oct_history {
    oct_allocator allocator;
    uint32_t users;
    entity_pool pool;   // what things point to
    body_limits limits; // of all bodies
    oct_array things;   // of history_thing
    key_table ids;      // of things
    oct_array doors;    // of history_door
    oct_array presses;  // of history_press, in the order of time
    oct_array starts;   // of oct_point: centres of the bodies at their first looks, each once
    oct_array sights;   // of history_sight
    oct_array avoided;  // of oct_button: in this life these are pressed for a reason alone
    uint64_t now;       // the tick of the last look or press
    uint32_t denied;    // assumptions that a sighting was against, bits 1 << oct_assumption
    uint32_t life;      // that is being played, from 0
    uint64_t offset;    // what is added to the game's ticks in this life
    bool has_body;      // the limits are those of bodies
    bool walk;          // all bodies go on foot alone
    bool has_others;    // somebody was told another body
    bool has_built;     // somebody has set a block in this life: what is new may be such a one
    run_log log;        // with the game's own ticks
    space_cache *spaces;
};

// With one user; NULL where memory is short.
oct_history *oct_history_create(const oct_allocator *allocator);
oct_history *oct_history_keep(oct_history *history);
void oct_history_drop(oct_history *history);

// Everything begins again, and nothing is avoided.
void oct_history_begin_life(oct_history *h);
// From now on a button is not pressed out of curiosity while there is anything else to try.
oct_result oct_history_avoid(oct_history *h, oct_button button);
bool oct_history_avoids(const oct_history *h, oct_button button);
oct_result oct_history_start(oct_history *h, oct_point centre);
// A body that plays; the limits are those of all. Before the first they are of the default one.
void oct_history_note_body(oct_history *h, const oct_player_body *body, bool walks);
// What one look showed, and all that was told with it, in sight or not: a body that holds a door
// may be out of sight.
oct_result oct_history_look(oct_history *h, const oct_game_info *info, const oct_observation *seen,
                            const oct_observation *told);
// Something is no longer where it was.
void oct_history_lose(oct_history *h, uint64_t id);
// Cells that come in sight from now on; they are borrowed until they are handed over.
oct_result oct_history_add_sight(oct_history *h, const oct_tree *cells);
void oct_history_take_sight(oct_history *h, oct_tree *cells); // NULL is allowed
// Whether a cell was in sight of anybody, on the lattice of a tree.
bool oct_history_has_seen(const oct_history *h, const oct_tree *lattice, oct_vec cell);
// Whether all cells of a box were in sight of one agent: quick, but they may have been in sight of
// several together.
bool oct_history_has_seen_box(const oct_history *h, const oct_tree *lattice, oct_box box);
// Somebody has set a block: what was not told before may not have been there, and so may move.
void oct_history_build(oct_history *h);
// At a tick of the game's.
oct_result oct_history_press(oct_history *h, oct_button button, uint64_t tick);
// Whether somebody has pressed something in this life, and the tick of the game of the last press.
bool oct_history_last_press(const oct_history *h, uint64_t *tick);

// Whether one of the bodies that were told with a look may be in the way of a door.
bool oct_history_is_held(const body_limits *limits, const oct_observation *told,
                         const oct_entity *door);
// The same, where other bodies than the looker's may be beyond what was told.
bool oct_history_may_be_held(const oct_history *h, double view, const oct_observation *told,
                             const oct_entity *door);

const history_thing *oct_history_find(const oct_history *h, uint64_t id);

#endif
