// SPDX-License-Identifier: MIT
// Goals written as text, for the tests of minds.
//
//   goal    S(g,...) SEQ   F(g,...) FIRSTof   A(g,...) ANYof   R(g) REPEAT   U<when>(g) until
//           W<when>(g) WHILE   I<when>(g[,g]) IF   D(g) DEPLOY   O(g) DEPLOYonce   D() makes
//           nothing X(g,<when>g,...) INTERRUPTIBLE   C<when> CHECK   + SUCCESS   - FAIL   or a
//           leaf; then /n a limit in turns, @n in ticks
//   leaf    a lower-case letter, which is its name; then what it is solved by, a number n: its
//           actions have run n times in this round (1 where nothing is said), ~n: the same as a
//           distance, ?: its tactic has completed, :<when>; then ^<when> it begins only then, * it
//           is open, {tactic} (where it is not said: an action of the leaf's name)
//   tactic  S(t,...) F(t,...) A(t,...)   ! ABORT, with a reason   _ ABORT, without   or an action:
//           a letter, then ?<when> enabled, ;<when> else MORE, &<when> else STEP, !<when> ABORT,
//           ' it says something, " its guard says something, and that it is open
//   when    t always   f never   >n from turn n on   <n before   =n in turn n   %n each n-th turn
//           #an when action a has run n times in all   on undecided before turn n, then always
#ifndef OCTANT_TESTS_MIND_TREE_H
#define OCTANT_TESTS_MIND_TREE_H

#include "base/base_internal.h"
#include "octant/goal.h"
#include "support.h"

#define TREE_CHILDREN 8
#define TREE_NODES 400
#define TREE_TURNS 14

// What tests are about.
typedef struct tree_world {
    uint64_t turn;
    uint32_t ran[26]; // how often each action did
} tree_world;

typedef struct when {
    char kind; // 0 = not said
    char who;
    uint32_t n;
} when;

bool when_is(const when *w, const tree_world *world);
// Whether that is not known; guards and actions do not care.
bool when_is_undecided(const when *w, const tree_world *world);

// What a hook points to: it is handed over and dropped as often.
typedef struct owned {
    struct tree *tree;
    when test; // of goals and handlers
    uint32_t given, dropped;
} owned;

typedef struct plan {
    owned own;
    char kind; // S F A ! _, or a for an action
    char name[2];
    struct plan *children[TREE_CHILDREN];
    uint32_t count;
    when enabled, more, step, abort;
    bool says, guard_says;
    struct node *leaf;
} plan;

typedef struct node {
    owned own;
    char kind; // as written, or a for a leaf
    char name[16];
    struct node *children[TREE_CHILDREN];
    uint32_t count;
    owned handlers[TREE_CHILDREN]; // of all children but the first
    uint64_t turns, ticks;         // limits
    char solved;                   // n ~ ? :
    uint32_t n;
    when begin;
    bool is_open;
    plan *tactic;
    uint32_t ran; // actions in this round
    // The oracle's.
    oct_goal_status status;
    uint32_t rounds;
    uint64_t all_turns, all_ticks;
    bool is_made; // what a DEPLOY makes
} node;

typedef struct tree {
    tree_world world;
    const oct_allocator *allocator;
    node nodes[TREE_NODES];
    uint32_t node_count;
    plan plans[TREE_NODES];
    uint32_t plan_count;
    node *root;
} tree;

// Fails the test where the text makes no sense.
void tree_read(tree *t, const char *string);

// The real thing; NULL where memory is short.
oct_goal *tree_make(node *n);

// Fails the test if a hook was not dropped as often as it was handed over.
void tree_check_hooks(const tree *t);

// Random text.
void tree_draw(oct_random *random, char *out, size_t size);

// ---- runs ----

// Everything that happened, as text; of what is beyond many events a turn, a hash.
typedef struct tree_log {
    char *chars;
    size_t size, capacity;
    uint64_t turn, count, hash; // events of the turn
} tree_log;

OCT_FORMAT(2, 3) void tree_log_add(tree_log *log, const char *format, ...);
void tree_log_event(tree_log *log, const oct_mind_event *event, const char *what);
void tree_log_free(tree_log *log);

uint64_t tree_tick(uint64_t turn);

// By a mind, and slowly.
void tree_run(tree *t, uint64_t seed, uint64_t turns, tree_log *log);
void tree_run_slowly(tree *t, uint64_t seed, uint64_t turns, tree_log *log);

#endif
