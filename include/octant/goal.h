// SPDX-License-Identifier: MIT
/// \file
/// Goals and tactics: what a mind wants, and how it goes about it.
///
/// A goal is a leaf, which a tactic works at turn by turn until it is solved, or a combination of
/// goals. A tactic is a choice of guarded actions. A mind pursues one tree of goals: each turn it
/// looks at its current leaf and runs at most one action.
///
/// One turn: the caller has brought the state up to date. Interrupts are asked. Then, until an
/// action has run: a leaf that is solved succeeds, one without budget fails, and the next leaf
/// becomes current at once; otherwise its tactic is asked for an enabled action, which runs. What
/// an action brought about is judged at the beginning of the next turn. Goals that need no action
/// (SUCCESS, FAIL, CHECK, IF, DEPLOY ...) take no turn. Where no action is enabled the turn passes:
/// the goal waits. A turn in which OCT_MIND_STEPS_MAX goals concluded passes too: so a loop that
/// does nothing ends with its budget.
///
/// Trees are owned: a goal takes its children, a leaf its tactic, a mind its goal. Whatever is made
/// of a NULL is NULL, and frees the rest: so a whole tree can be written as one expression and is
/// NULL where memory was short. A goal is part of one tree once: what is made of one that is taken
/// is NULL too, and leaves that one where it is.
///
/// Threading: a mind belongs to one thread.
#ifndef OCTANT_GOAL_H
#define OCTANT_GOAL_H

#include "octant/base.h"

typedef struct oct_goal oct_goal;
typedef struct oct_tactic oct_tactic;
typedef struct oct_mind oct_mind;

/// Most goals that conclude in one turn.
#define OCT_MIND_STEPS_MAX 1000
/// Bytes of a reason, its end included; longer ones are cut (between characters).
#define OCT_REASON_MAX 256
/// Levels of goals in a tree, and of tactics; what is deeper is NULL.
#define OCT_GOAL_DEPTH_MAX 64

// ---- what failures rest on ----

/// What a failure rests on.
typedef enum oct_proof_kind {
    OCT_PROOF_NONE,    ///< nothing: it is undecided
    OCT_PROOF_WITNESS, ///< it happened in this run: a broken invariant, a refusal, a FAIL of the
                       ///< test
    OCT_PROOF_TIME,    ///< the time of a `within` ended
    OCT_PROOF_CUT,     ///< solid things, and doors that nothing opens, lie between
    OCT_PROOF_STATES,  ///< no state of the doors that presses may lead to leaves a way
    OCT_PROOF_COUNT
} oct_proof_kind;

/// "none", "witness", "time", "cut", "states"; NULL beyond the last.
OCT_API const char *oct_proof_name(oct_proof_kind kind);

/// What a failure rests on, and what that assumes.
typedef struct oct_ground {
    oct_proof_kind kind;
    uint32_t assumes; ///< bits 1 << oct_assumption
    /// The proofs of the agent that it rests on: bit i is the i-th, the last bit all from there on.
    uint64_t claims;
} oct_ground;

// ---- what the caller supplies ----

/// How a goal stands.
typedef enum oct_goal_status {
    OCT_GOAL_WAITING, ///< has not begun
    OCT_GOAL_CURRENT, ///< is being pursued
    OCT_GOAL_SUCCESS,
    OCT_GOAL_FAILED,
    OCT_GOAL_STATUS_COUNT
} oct_goal_status;

/// Something that the caller keeps for a goal or tactic: handed to its functions; `drop` (may be
/// NULL) is called once, when the goal or tactic is freed, also where making it failed.
typedef struct oct_hook {
    void *ctx;
    void (*drop)(void *ctx);
} oct_hook;

/// A question to the state (oct_mind_state). Changes nothing that shapes the run.
typedef bool oct_test_fn(void *ctx, oct_mind *mind);
/// How far a goal is from being solved.
typedef double oct_distance_fn(void *ctx, oct_mind *mind);

/// What came of an action in a turn.
typedef enum oct_did {
    OCT_DID_DONE, ///< completed: next turn the tactic chooses anew, or goes on in its SEQ
    OCT_DID_STEP, ///< a step of it: next turn the tactic chooses anew, where it stands in its SEQ
    OCT_DID_MORE, ///< not yet: it runs again next turn, without being asked whether it is enabled
    OCT_DID_ABORT ///< the leaf fails, next turn; oct_mind_because says why
} oct_did;

typedef oct_did oct_action_fn(void *ctx, oct_mind *mind);
/// Makes a goal of the state, at run time; NULL: fails (oct_mind_because may say why).
typedef oct_goal *oct_deploy_fn(void *ctx, oct_mind *mind);

// ---- tactics ----

/// An action with its guard: `enabled` may be NULL (always). The name is copied.
OCT_API oct_tactic *oct_tactic_action(const oct_allocator *allocator, const char *name,
                                      oct_test_fn *enabled, oct_action_fn *run, oct_hook hook);
/// Fails the leaf when it is chosen, with a reason (copied; may be NULL: what was said last, by a
/// guard say). Takes no turn.
OCT_API oct_tactic *oct_tactic_abort(const oct_allocator *allocator, const char *reason);
/// The first child that has an enabled action.
OCT_API oct_tactic *oct_tactic_first_of(const oct_allocator *allocator, oct_tactic *const *children,
                                        size_t count);
/// Any of the enabled actions of the children, each as likely, drawn with the mind's seed.
OCT_API oct_tactic *oct_tactic_any_of(const oct_allocator *allocator, oct_tactic *const *children,
                                      size_t count);
/// One after the other: enabled where its first child is; after an action has completed the next
/// child has its turn, and is waited for while it is not enabled. At its end the whole tactic
/// begins anew.
OCT_API oct_tactic *oct_tactic_seq(const oct_allocator *allocator, oct_tactic *const *children,
                                   size_t count);
OCT_API void oct_tactic_destroy(oct_tactic *tactic);

// ---- leaves ----

/// A goal that a tactic works at. Start from all zero.
typedef struct oct_leaf_goal {
    const char *name;          ///< copied; must be there
    oct_test_fn *begin;        ///< when it becomes current: binds it to the world; false: it fails;
                               ///< may be NULL
    oct_test_fn *solved;       ///< NULL, and no distance: solved when an action has completed
    oct_distance_fn *distance; ///< or this: solved where its size is at most epsilon; not asked if
                               ///< there is `solved`
    double epsilon;            ///< 0 = 0.005
    /// Asked when its budget (or one above) ends: oct_mind_because may say what it was about. The
    /// answer does not count: a budget that ends decides nothing. NULL = nothing to say.
    oct_test_fn *is_undecided;
    oct_tactic *tactic; ///< taken; must be there
    oct_hook hook;
} oct_leaf_goal;

OCT_API oct_goal *oct_goal_leaf(const oct_allocator *allocator, const oct_leaf_goal *leaf);

/// Succeeds, fails (with a reason, copied), succeeds where the test says so and else fails.
OCT_API oct_goal *oct_goal_success(const oct_allocator *allocator);
OCT_API oct_goal *oct_goal_fail(const oct_allocator *allocator, const char *reason);
OCT_API oct_goal *oct_goal_check(const oct_allocator *allocator, const char *name,
                                 oct_test_fn *test, oct_hook hook);

// ---- combinations ----

/// All, from left to right; the first failure is its own.
OCT_API oct_goal *oct_goal_seq(const oct_allocator *allocator, oct_goal *const *children,
                               size_t count);
/// From left to right until one succeeds; fails with the last one's reason, or, where one of them
/// is undecided, with that of the last such one: then it is undecided itself.
OCT_API oct_goal *oct_goal_first_of(const oct_allocator *allocator, oct_goal *const *children,
                                    size_t count);
/// The same in an order that is drawn each time it begins, with the mind's seed.
OCT_API oct_goal *oct_goal_any_of(const oct_allocator *allocator, oct_goal *const *children,
                                  size_t count);
/// Again and again until it succeeds; fails only when its budget ends.
OCT_API oct_goal *oct_goal_repeat(const oct_allocator *allocator, oct_goal *child);
/// The child, whatever comes of it, then the test: until that is true.
OCT_API oct_goal *oct_goal_repeat_until(const oct_allocator *allocator, oct_goal *child,
                                        oct_test_fn *test, oct_hook hook);
/// While the test is true, the child, whatever comes of it. Succeeds.
OCT_API oct_goal *oct_goal_while(const oct_allocator *allocator, oct_test_fn *test, oct_hook hook,
                                 oct_goal *child);
/// One of the two, as the test says when it begins. `otherwise` NULL: SUCCESS (so check that one
/// where memory may be short).
OCT_API oct_goal *oct_goal_if(const oct_allocator *allocator, oct_test_fn *test, oct_hook hook,
                              oct_goal *then, oct_goal *otherwise);
/// What the function makes, each time that it begins; that is freed when it begins anew.
OCT_API oct_goal *oct_goal_deploy(const oct_allocator *allocator, const char *name,
                                  oct_deploy_fn *deploy, oct_hook hook);
/// What the function made when it first began; when it begins again, the same once more.
OCT_API oct_goal *oct_goal_deploy_once(const oct_allocator *allocator, const char *name,
                                       oct_deploy_fn *deploy, oct_hook hook);

/// What interrupts a goal.
typedef struct oct_handler {
    const char *name;  ///< copied
    oct_test_fn *test; ///< asked at the beginning of each turn
    oct_hook hook;
    oct_goal *goal; ///< taken: pursued when the test is true, whatever comes of it
} oct_handler;

/// A goal that handlers interrupt: the first whose test is true. While one is pursued none of these
/// is asked; then the goal begins anew. Its outcome is the goal's. Of several that are nested the
/// outermost is asked first.
OCT_API oct_goal *oct_goal_interruptible(const oct_allocator *allocator, oct_goal *child,
                                         const oct_handler *handlers, size_t count);

/// What a watch says of a goal that is pursued: CURRENT where it goes on, or ends as it did;
/// SUCCESS or FAILED ends it so (oct_mind_because says why). `child` is how the goal stands.
typedef oct_goal_status oct_watch_fn(void *ctx, oct_mind *mind, oct_goal_status child);

/// A goal that is watched while it is pursued. `begin` is called when it begins; its answer does
/// not count; it may be NULL. `watch` is asked at the beginning of each turn, and once more when
/// the goal has ended, after a look around. Doubts about a success make it fail, undecided.
OCT_API oct_goal *oct_goal_watch(const oct_allocator *allocator, const char *name,
                                 oct_test_fn *begin, oct_watch_fn *watch, oct_hook hook,
                                 oct_goal *child);

/// Limits a goal, in turns and in ticks of the game; 0 = not. Each time it begins it has this, or
/// what is left to the goal above it, if that is less. A goal whose budget has ended fails before
/// its leaf acts again, or before it begins another child after one that failed, or one once more;
/// those below fail with it. Every turn counts for the current leaf and all above it, also one that
/// passed without an action. Returns the goal.
OCT_API oct_goal *oct_goal_limit(oct_goal *goal, uint64_t turns, uint64_t ticks);

/// The child within so many ticks of the game: if they end before, it fails for certain, and says
/// of this run that it took longer. Any other budget that ends leaves it undecided whether the goal
/// can be reached.
OCT_API oct_goal *oct_goal_within(const oct_allocator *allocator, oct_goal *child, uint64_t ticks);

/// Calls a goal that nothing has taken something else; the name is copied. Returns the goal, or
/// NULL (and frees it).
OCT_API oct_goal *oct_goal_name(oct_goal *goal, const char *name);

/// Frees a goal that nothing has taken, and all below it; NULL is allowed.
OCT_API void oct_goal_destroy(oct_goal *goal);

// ---- minds ----

typedef enum oct_goal_kind {
    OCT_GOAL_LEAF,
    OCT_GOAL_CHECK,
    OCT_GOAL_SEQ,
    OCT_GOAL_FIRST_OF,
    OCT_GOAL_ANY_OF,
    OCT_GOAL_REPEAT,
    OCT_GOAL_WHILE,
    OCT_GOAL_IF,
    OCT_GOAL_DEPLOY,
    OCT_GOAL_INTERRUPTIBLE,
    OCT_GOAL_WATCH,
    OCT_GOAL_KIND_COUNT
} oct_goal_kind;

/// What happened. Strings are the mind's, valid during the call.
typedef struct oct_mind_event {
    enum {
        OCT_MIND_BEGINS,
        OCT_MIND_ENDS,
        OCT_MIND_ACTS,
        OCT_MIND_WAITS,
        OCT_MIND_INTERRUPTED
    } kind;
    uint64_t turn, tick;
    uint32_t depth;   ///< of the goal, 0 = the whole
    const char *goal; ///< its name
    const char *text; ///< ENDS: the reason, or ""; ACTS: the action; INTERRUPTED: the handler
    oct_goal_status status;
} oct_mind_event;

typedef void oct_mind_event_fn(void *ctx, const oct_mind_event *event);

/// For functions of leaves and their tactics, of CHECK and DEPLOY: says why the goal will have
/// failed, if it does; the last word counts, until the goal begins anew. `is_undecided`: that says
/// nothing about the world, since not everything was looked at; else it is a WITNESS. Ignored from
/// anywhere else.
OCT_API void oct_mind_because(oct_mind *mind, bool is_undecided, const char *format, ...)
    OCT_FORMAT(3, 4);
/// The same, with what the failure rests on.
OCT_API void oct_mind_because_of(oct_mind *mind, oct_ground ground, const char *format, ...)
    OCT_FORMAT(3, 4);

/// For tests: the answer rests on something that is not known, in words. Then neither answer
/// counts: CHECK, IF and WHILE fail, undecided; REPEATuntil goes on, and a leaf is not solved,
/// since what is true must be so for certain.
OCT_API void oct_mind_doubt(oct_mind *mind, const char *format, ...) OCT_FORMAT(2, 3);

/// A goal of the tree as it stands. Names are the mind's, until its next turn.
typedef struct oct_goal_view {
    oct_goal_kind kind;
    oct_goal_status status;
    uint32_t depth;
    const char *name, *reason;
    uint64_t turns, ticks;           ///< that it took, all its rounds together
    uint64_t begun, ended;           ///< ticks, of the last round; 0 where not
    uint32_t rounds;                 ///< how often it began
    uint64_t turns_left, ticks_left; ///< UINT64_MAX = no limit
} oct_goal_view;

typedef bool oct_goal_view_fn(void *ctx, const oct_goal_view *goal);

#endif
