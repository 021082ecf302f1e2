// SPDX-License-Identifier: MIT
// Minds: they pursue a goal, turn by turn. Agents have one.
#ifndef OCTANT_MIND_H
#define OCTANT_MIND_H

#include "octant/goal.h"

// How to create a mind. Start from oct_mind_def_default().
typedef struct oct_mind_def {
    void *state;   // oct_mind_state gives it back
    uint64_t seed; // of ANYof; default 1
    double rate;   // ticks a second, for reasons; default 60
    // Asked where CHECK, IF, WHILE or REPEATuntil rests on something undecided: whether more is
    // known now, so that they are asked again, once; NULL = never.
    bool (*refresh)(void *state);
    // Asked after CHECK, IF, WHILE and DEPLOY: tells the mind to doubt what was read while it acted
    // and is not certain yet, as the answer may rest on it; NULL = nobody.
    void (*recall)(void *state);
    oct_mind_event_fn *event; // told of everything; NULL = nobody
    void *event_ctx;
    const oct_allocator *allocator; // copied; NULL = malloc
    uint32_t cookie;                // set by the default; do not touch
} oct_mind_def;

oct_mind_def oct_mind_def_default(void);

oct_result oct_mind_create(const oct_mind_def *def, oct_mind **out);

void oct_mind_destroy(oct_mind *mind);

void *oct_mind_state(const oct_mind *mind);

// Gives it a goal in place of the one it had, which is freed. NULL: OCT_ERROR_MEMORY. One that is
// part of a tree, or a call from within a turn: OCT_ERROR_ARGUMENT. Then it keeps the old one and
// takes nothing.
oct_result oct_mind_pursue(oct_mind *mind, oct_goal *goal);

// One turn, at a tick of the game's. Returns how its goal stands now: CURRENT where there is more
// to do; a mind without a goal is WAITING. Not to be called from within a function of its goals.
oct_goal_status oct_mind_turn(oct_mind *mind, uint64_t tick);

// For guards, actions, tests, deploys: memory was short. The whole goal fails in this turn,
// whatever they answer.
void oct_mind_lack_memory(oct_mind *mind);

// Whether that was said since it got its goal (which has then failed).
bool oct_mind_is_out_of_memory(const oct_mind *mind);

// Whether the last turn ran an action, and its name ("" where it did not).
const char *oct_mind_action(const oct_mind *mind);

// The current leaf's name; "" where there is none.
const char *oct_mind_goal(const oct_mind *mind);

// Turns in which it had something to pursue.
uint64_t oct_mind_turns(const oct_mind *mind);

// Doubts that were told since the mind began to listen: how many, and the first of them ("" where
// there is none). Who asks something that is of no consequence forgets the later ones.
void oct_mind_listen(oct_mind *mind);
// Whether a guard, an action or a handler is being called, no question.
bool oct_mind_is_acting(const oct_mind *mind);
uint32_t oct_mind_doubts(const oct_mind *mind);
const char *oct_mind_first_doubt(const oct_mind *mind);
void oct_mind_forget_doubts(oct_mind *mind, uint32_t count);

// Why the goal failed; "" where it did not. `is_undecided` (may be NULL) as it was said.
const char *oct_mind_reason(const oct_mind *mind, bool *is_undecided);
// What that rests on; NONE where the goal has not failed.
oct_ground oct_mind_ground(const oct_mind *mind);

// Visits all goals, from the whole to the parts, left to right; return false to stop.
bool oct_mind_goals(const oct_mind *mind, oct_goal_view_fn *visit, void *ctx);

// "waiting", "current", "success", "failed"; NULL beyond the last.
const char *oct_goal_status_name(oct_goal_status status);

// "goal", "CHECK", "SEQ", "FIRSTof", ...; NULL beyond the last.
const char *oct_goal_kind_name(oct_goal_kind kind);

#endif
