// SPDX-License-Identifier: MIT
// What the files of the play module share: one test while it is played.
#ifndef OCTANT_PLAY_INTERNAL_H
#define OCTANT_PLAY_INTERNAL_H

#include "base/base_internal.h"
#include "octant/play_test.h"

#define PLAY_TEXT 512  // bytes of a message
#define PLAY_PLACE 128 // of "file:line"

typedef struct play play;

// Whom an agent tells what its mind does.
typedef struct play_listener {
    const play *play;
    size_t agent;
} play_listener;

// What takes memory. Each counts its own, and all share the budget of the test.
typedef enum play_part { PART_WORLD, PART_GAME, PART_AGENTS, PART_COUNT } play_part;

struct play {
    const oct_test_def *test;
    const oct_play_options *options;
    oct_allocator allocator; // without a budget: of what outlives the test
    oct_budget budget;
    oct_budget parts[PART_COUNT];
    uint64_t seed;
    oct_world *loaded; // to be freed; NULL where the test has a world of its own
    oct_world *world;  // NULL where the game is not made of one
    oct_game_source source;
    oct_game *game;
    uint32_t life; // that is being played, from 0
    double rate;   // of the game
    oct_post *post;
    oct_history *history;     // of all agents
    oct_array agents;         // of oct_agent *
    play_listener *listeners; // one per agent
    oct_array notes;          // of char *
    bool has_begun;           // the first turn of this life
    oct_array lives;          // of oct_play_life, those that have ended
    oct_array findings;       // of char *
    oct_array shutters;       // of oct_button: presses were seen to shut a door
    oct_array suspects;       // of oct_button: each was avoided in one life
    bool has_suspect;         // the last of them is avoided in this life
    char loss[PLAY_TEXT];     // what to add to the reason of a life that was shut in
    char open[PLAY_TEXT];     // a demand that may have been broken in a life that has ended
    uint64_t ticks, turns;    // of all lives that have ended
    oct_agent_times times;
    // The first error of the test itself.
    bool has_failed;
    char error[PLAY_TEXT];
    char place[PLAY_PLACE];
    const oct_agent *culprit; // whose function failed; NULL = not known
    bool is_contradicted;     // the error is Octant's own
    bool is_lost;             // the link to the game ended: an error, whatever is expected
};

static inline oct_agent *const *play_agents(const play *p)
{
    return p->agents.items;
}

// Seconds as ticks, at least 1 for more than 0.
uint64_t oct_play_ticks(double seconds, double rate);

// The first error; later ones are dropped.
void oct_play_fail(play *p, const char *format, ...) OCT_FORMAT(2, 3);
// Asks the test whether a function of its own has failed. Returns whether there was any error.
bool oct_play_has_failed(play *p);
// Keeps a note; drops it if memory is short.
void oct_play_note(play *p, const char *text);

static inline const oct_allocator *part_allocator(const play *p, play_part part)
{
    return &p->parts[part].allocator;
}

// ---- memory.c ----

void oct_play_open_memory(play *p);
// Whether the budget has refused anything; then that is the first error of the test.
bool oct_play_outgrew(play *p);
// Fails the test where the budget is certain to be too small for the first look of an agent.
void oct_play_check_view(play *p, const oct_agent_def *def);

// ---- stage.c: a world, its game and its agents ----

// OCT_ERROR_MEMORY alone is a failure; everything else that goes wrong is kept as the first error.
oct_result oct_stage_open(play *p);
// The next life: game and agents are made anew.
bool oct_stage_has_lives(const play *p);
oct_result oct_stage_renew(play *p);
void oct_stage_close(play *p);
// Where somebody starts who only has a place: as the world's start looks, or upright.
oct_pose oct_stage_pose(const oct_world *world, oct_point at);

// ---- lives.c ----

// Keeps what came of a life, and decides whether another one begins; see octant/play_test.h.
oct_result oct_lives_end(play *p, bool is_interrupted, bool *goes_on);
// Tells the history what the life that begins avoids.
oct_result oct_lives_avoid(play *p);

// ---- verdict.c, measure.c ----

oct_result oct_play_judge(play *p, oct_play_result *out);
// Writes verdict and reason of a life that has ended; the reason is the allocator's of the test.
oct_result oct_play_judge_life(const play *p, oct_play_life *out);
// Fills what the run leaves behind: times, and the map of the first agent.
oct_result oct_play_measure(const play *p, oct_play_result *out);

#endif
