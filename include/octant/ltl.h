// SPDX-License-Identifier: MIT
/// \file
/// What must hold over a whole run: linear temporal logic on finite traces.
///
/// A formula is made once and then told each state of a run in turn. It says early that it is
/// satisfied or violated whatever comes; at the end of the run it is one of the two. Between states
/// it is rewritten to what is still asked of the rest (progression). A rest is a Boolean function
/// of the formula's atoms and temporal parts, and equal functions are one: there are finitely many,
/// and a run of any length needs memory for a few. After a while a step allocates nothing.
///
/// What is said early is always right, but not always said as early as could be: parts are taken as
/// if each could be true or false whatever the others are. So "always p and eventually not p" is
/// violated at once, but "always p and eventually (not p and q)" stays open until a p fails, or the
/// end.
///
/// On finite traces: next is false in the last state (weak next true), until is strong (what is
/// waited for must come), weak until may wait for ever, always and eventually end with the run. The
/// empty run satisfies what asks for nothing: always and weak until, not an atom.
///
/// An atom may be undecided in a state. Then the formula is taken with either value: it is
/// satisfied or violated only where it is so whatever the undecided ones were, in each state on its
/// own.
///
/// Formulas are owned as goals are: each takes its parts; what is made of NULL is NULL and frees
/// the rest; a formula is part of one other once. All memory is that of the first part's allocator.
///
/// Threading: a formula belongs to one thread.
#ifndef OCTANT_LTL_H
#define OCTANT_LTL_H

#include "octant/goal.h"

typedef struct oct_ltl oct_ltl;

/// Most parts of a formula; what is larger is NULL.
#define OCT_LTL_SIZE_MAX 4096

/// What is known of something that is true or false.
typedef enum oct_truth { OCT_FALSE, OCT_TRUE, OCT_UNDECIDED } oct_truth;

/// An atom: a question about a state. `state` is what oct_ltl_step was given.
typedef oct_truth oct_atom_fn(void *ctx, void *state);

OCT_API oct_ltl *oct_ltl_true(const oct_allocator *allocator);
OCT_API oct_ltl *oct_ltl_false(const oct_allocator *allocator);
/// The name is copied. Asked at most once for each state, and only where it matters; atoms with the
/// same function and ctx are one. Not to call anything about its own formula.
OCT_API oct_ltl *oct_ltl_atom(const oct_allocator *allocator, const char *name, oct_atom_fn *atom,
                              oct_hook hook);
OCT_API oct_ltl *oct_ltl_not(oct_ltl *a);
OCT_API oct_ltl *oct_ltl_and(oct_ltl *a, oct_ltl *b);
OCT_API oct_ltl *oct_ltl_or(oct_ltl *a, oct_ltl *b);
OCT_API oct_ltl *oct_ltl_implies(oct_ltl *a, oct_ltl *b);
OCT_API oct_ltl *oct_ltl_next(oct_ltl *a);
OCT_API oct_ltl *oct_ltl_weak_next(oct_ltl *a);
OCT_API oct_ltl *oct_ltl_until(oct_ltl *a, oct_ltl *b);
OCT_API oct_ltl *oct_ltl_weak_until(oct_ltl *a, oct_ltl *b);
OCT_API oct_ltl *oct_ltl_eventually(oct_ltl *a);
OCT_API oct_ltl *oct_ltl_always(oct_ltl *a);
OCT_API void oct_ltl_destroy(oct_ltl *formula);

typedef enum oct_ltl_verdict {
    OCT_LTL_OPEN,      ///< the rest of the run decides
    OCT_LTL_SATISFIED, ///< whatever comes
    OCT_LTL_VIOLATED,  ///< whatever comes
    OCT_LTL_UNDECIDED  ///< the run has ended, and what was undecided in it decides
} oct_ltl_verdict;

#endif
