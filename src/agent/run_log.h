// SPDX-License-Identifier: MIT
// The log of a run while it is written: what the game told all agents, and what they did.
//
// The history keeps what agents may conclude from; the log keeps what whoever doubts them needs:
// all that was told in range, before anybody has decided what of it was in sight. octant/proof.h
// has what comes out. A look costs what was told, in one hash of each that was not told the look
// before in the same order; what is told as before takes no memory.
#ifndef OCTANT_RUN_LOG_H
#define OCTANT_RUN_LOG_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "game/entity_pool.h"
#include "octant/proof.h"

// When an entity was last told to a player, and how.
typedef struct log_sight {
    uint64_t look;     // of the player, from 1; 0 = never
    uint32_t thing;    // of the things
    uint32_t position; // in what was told then
} log_sight;

// What a player was told last.
typedef struct log_player {
    uint32_t who, life;
    uint64_t look;    // the number of the last one
    uint64_t begun;   // the number of the last one of the life before
    uint64_t tick;    // of the last one
    oct_array told;   // of uint32_t: numbers of entities
    oct_array before; // of uint32_t: what was told at the look before
    oct_array sights; // of log_sight, by the number of the entity
} log_player;

typedef struct run_log {
    oct_allocator allocator;
    entity_pool pool;   // what things and names of acts point to
    oct_game_info info; // texts are none
    uint32_t denies;
    bool has_info;
    bool forgets;      // something but a door or what was pressed has changed by a press
    oct_array starts;  // of oct_log_start
    oct_array things;  // of oct_entity
    oct_array looks;   // of oct_log_look
    oct_array changes; // of oct_log_change
    oct_array acts;    // of oct_log_act
    oct_array latest;  // of uint32_t: the thing as which an entity was last told to anybody
    key_table ids;     // numbers of entities: indices of `latest`
    oct_array players; // of log_player
} run_log;

void oct_log_init(run_log *log, const oct_allocator *allocator);
void oct_log_free(run_log *log);

// What the agents know of the game, with what the test denies. Who says nothing before the first
// look has it from there, and denies nothing.
void oct_log_describe(run_log *log, const oct_game_info *info, uint32_t denies);

// Everything that the game told a player, who goes on foot alone if it `walks`. The first look of a
// player in a life is where it began.
// On failure the log tells as much as before.
oct_result oct_log_note_look(run_log *log, const oct_game_info *info, const oct_player_body *body,
                             bool walks, uint32_t life, uint32_t who, const oct_observation *told);

// What a player has done, being so, and what came of it.
oct_result oct_log_note_act(run_log *log, uint32_t life, uint32_t who, const oct_self *self,
                            const oct_action *action, oct_act came);

// Whether an action may set something new into the world. What else a DO does is not known.
bool oct_log_may_build(oct_verb verb, const char *name);

// The log as it stands, until the next call.
oct_run_log oct_log_view(const run_log *log);

// A copy that stands for itself. On failure *out is NULL.
oct_result oct_log_finish(const run_log *log, const oct_allocator *allocator, oct_run_log **out);

#endif
