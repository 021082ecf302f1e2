// SPDX-License-Identifier: MIT
// Goals, tactics and minds, shared by the files that work on them.
//
// All that changes while a goal is pursued stands in the goal itself: a mind keeps no more than the
// path from the whole to its current leaf. A combination looks at the child that it began last and
// knows what comes next: so a turn can end anywhere, and a mind that goes on allocates nothing.
#ifndef OCTANT_MIND_INTERNAL_H
#define OCTANT_MIND_INTERNAL_H

#include "agent/mind.h"
#include "base/base_internal.h"

#include <stdarg.h>

// ---- what failures rest on ----

static const oct_ground ground_none = {.kind = OCT_PROOF_NONE};
static const oct_ground ground_witness = {.kind = OCT_PROOF_WITNESS};

// ---- text ----

// A copy of a string; all zero where there is none.
typedef struct text {
    char *chars;
    size_t size;
} text;

// False where memory is short; NULL is copied as none.
bool oct_text_copy(text *t, const oct_allocator *allocator, const char *string);
void oct_text_free(text *t, const oct_allocator *allocator);

// ---- tactics ----

typedef enum tactic_kind {
    TACTIC_ACTION,
    TACTIC_ABORT,
    TACTIC_FIRST_OF,
    TACTIC_ANY_OF,
    TACTIC_SEQ
} tactic_kind;

struct oct_tactic {
    oct_allocator allocator;
    tactic_kind kind;
    bool is_taken;   // by a tactic or a leaf
    uint32_t height; // levels
    uint32_t index;  // among its parent's children
    oct_tactic *parent;
    oct_tactic *next; // while it is being taken
    oct_tactic **children;
    size_t count;
    text text; // an action's name, the reason of an ABORT
    oct_test_fn *enabled;
    oct_action_fn *run;
    oct_hook hook;
};

// An action or ABORT that is enabled, as the tactic says; NULL where there is none.
oct_tactic *oct_tactic_choose(oct_tactic *tactic, oct_mind *mind, oct_random *random);

// Where an action stands: the innermost part of a SEQ, but its first, that it belongs to; NULL: the
// whole.
oct_tactic *oct_tactic_place(oct_tactic *action);
// What has its turn after an action has completed; NULL: the whole has.
oct_tactic *oct_tactic_after(const oct_tactic *action);

// Frees a tactic that is taken.
void oct_tactic_free(oct_tactic *tactic);

// ---- goals ----

typedef struct handler {
    text name;
    oct_test_fn *test;
    oct_hook hook;
} handler;

struct oct_goal {
    oct_allocator allocator;
    oct_goal_kind kind;
    bool is_taken;   // by a goal or a mind
    bool is_once;    // of DEPLOY
    uint32_t height; // levels, without what a DEPLOY makes
    text own_name;
    const char *name; // that, or the kind's
    oct_goal *next;   // while it is being taken
    oct_hook hook;
    oct_goal **children;               // of INTERRUPTIBLE: the goal, then the handlers'
    size_t slots, count;               // a DEPLOY has a child once it has begun
    uint64_t turns_limit, ticks_limit; // UINT64_MAX = none
    bool is_within;                    // that ticks end is what is tested

    // A leaf's.
    oct_test_fn *begin, *is_undecided;
    oct_distance_fn *distance;
    double epsilon;
    oct_tactic *tactic;
    // A leaf's `solved`, or the test of CHECK, REPEAT, WHILE and IF; of SUCCESS and FAIL NULL.
    oct_test_fn *test;
    text fail; // the reason of FAIL
    bool is_fail;
    oct_deploy_fn *deploy;
    oct_watch_fn *watch; // of WATCH, which has `begin` too
    handler *handlers;   // one for each child but the first
    uint32_t *order;     // of ANYof

    // How it stands.
    oct_goal_status status;
    uint32_t rounds;
    uint64_t turns, ticks, begun, ended;
    uint64_t turns_left, ticks_left;
    oct_goal *last; // child that began in this round, the last of them
    size_t at;      // how many did, of SEQ, FIRSTof and ANYof
    // A leaf's.
    bool has_begun; // was asked to
    bool is_done;   // its tactic has completed
    bool is_aborted;
    oct_tactic *goes_on; // the part of its tactic that has its turn; NULL = the whole
    bool runs_on;        // that is an action that has said MORE
    oct_ground ground;   // of its failure
    char reason[OCT_REASON_MAX];
};

// Limits a goal to so many turns and ticks, 0 = no limit; keeps limits of its own that are smaller.
void oct_goal_tighten(oct_goal *goal, uint64_t turns, uint64_t ticks);

// Back to WAITING, and all below it.
void oct_goal_reset(oct_goal *goal);

// Frees a goal that is taken, and all below it.
void oct_goal_free(oct_goal *goal);

// ---- minds ----

struct oct_mind {
    oct_allocator allocator;
    void *state;
    bool (*refresh)(void *state);
    void (*recall)(void *state);
    oct_random random;
    double rate; // ticks a second
    oct_mind_event_fn *event;
    void *event_ctx;

    oct_goal *goal;
    oct_goal *path[OCT_GOAL_DEPTH_MAX]; // from the whole to what is being pursued
    uint32_t depth;                     // of the path
    uint64_t turns, tick;
    uint32_t concluded; // goals, in this turn
    bool is_turning;
    bool is_acting; // what is read may be kept for later: a guard, an action or a handler is called
    bool lacks_memory;
    const char *action; // of the last turn

    // What was said in this round of the leaf.
    bool may_speak; // a function of the leaf's, or of what stands for one, is being called
    bool has_said;
    oct_ground said_ground;
    char said[OCT_REASON_MAX];
    // What was told to be undecided since it began to listen.
    uint32_t doubts;
    char doubt[OCT_REASON_MAX]; // the first
    // Of the leaf that is pursued: a guard that was undecided when its action was chosen, and one
    // of an action that has completed since. "" = none.
    char choice_doubt[OCT_REASON_MAX], done_doubt[OCT_REASON_MAX];
};

// Reasons have OCT_REASON_MAX bytes; what does not fit is cut.
void oct_reason_copy(char *reason, const char *from);
void oct_reason_write(char *reason, const char *format, va_list arguments);

// Begins a goal below the last one of the path.
void oct_mind_begin(oct_mind *m, oct_goal *goal);

// Fails the goal at a depth of the path, and all below it.
void oct_mind_fail_from(oct_mind *m, uint32_t depth, const char *reason, oct_ground ground);

// Asks the handlers on the path, the outermost first, and begins the goal of the first that wants
// to.
void oct_mind_interrupt(oct_mind *m);

// Asks the watches on the path, the outermost first, until one ends its goal.
void oct_mind_watch(oct_mind *m);

// For actions: whether this one goes on, having said MORE when it last ran. Else it begins, be it
// anew: what it has noted of an earlier time is void.
bool oct_mind_runs_on(const oct_mind *m);

// Looks at the last goal of the path; true: it has acted, or waits, and the turn is over.
bool oct_mind_step(oct_mind *m);

#endif
