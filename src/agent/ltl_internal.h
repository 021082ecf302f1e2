// SPDX-License-Identifier: MIT
// A formula as it was written, and a run of it.
#ifndef OCTANT_LTL_INTERNAL_H
#define OCTANT_LTL_INTERNAL_H

#include "agent/bdd.h"
#include "octant/ltl.h"

typedef enum part_kind {
    PART_TRUE,
    PART_FALSE,
    PART_ATOM,
    PART_NOT,
    PART_NEXT,
    PART_WEAK_NEXT,
    PART_EVENTUALLY,
    PART_ALWAYS,
    PART_AND, // from here on with two operands
    PART_OR,
    PART_IMPLIES,
    PART_UNTIL,
    PART_WEAK_UNTIL
} part_kind;

typedef struct ltl_part {
    part_kind kind;
    uint32_t a, b; // operands, which stand before it; of an atom, `a` is its index
    uint32_t up;   // what it is an operand of
    uint32_t edge; // what it says, as a function of the run's variables
} ltl_part;

typedef struct ltl_atom {
    oct_atom_fn *ask;
    oct_hook hook;
    size_t name; // where it begins in the names
} ltl_atom;

// What a rest is a function of. All are false where no state comes any more.
typedef enum variable_kind {
    VARIABLE_MORE,  // a state comes
    VARIABLE_ATOM,  // one comes, of which an atom is true
    VARIABLE_NEXT,  // one comes, and of what comes after it `a` is true
    VARIABLE_UNTIL, // some state comes from which on `b` is true, and from all before it `a`
    VARIABLE_CHOICE // of the atom before it: its value in the present state, where it is undecided
} variable_kind;

typedef struct ltl_variable {
    variable_kind kind;
    uint32_t atom;
    uint32_t a, b;
    uint32_t edge;    // itself
    uint64_t stepped; // the step for which `rest` is
    uint32_t rest;    // what it asks of the states to come
} ltl_variable;

typedef struct ltl_run {
    bdd d;
    oct_array variables; // number 1 is the first
    uint32_t whole;      // what is asked of the whole run
    // What is asked of the states to come, if all that was undecided had its worse and its better
    // value: the conjunction and the disjunction over all values.
    uint32_t lower, upper;
    size_t limit;   // nodes from which on it is swept
    uint64_t steps; // tried, also in former runs
    uint64_t states, decided;
    bool was_undecided; // an atom was, in this step
} ltl_run;

struct oct_ltl {
    oct_allocator allocator;
    oct_array parts; // operands before operators: the last is the whole
    oct_array atoms;
    oct_array names; // of atoms, each with its end
    bool is_begun;
    // Asked where an atom is undecided: whether more is known of the state now, so that it is asked
    // again; NULL = never.
    bool (*refresh)(void *state);
    ltl_run run; // all zero where it was not begun
};

void oct_ltl_run_free(ltl_run *run);

// ---- running a formula ----

// Begins a run, the first or another. OCT_ERROR_RANGE where the formula, or in oct_ltl_step its
// rest, is too intricate (hundreds of thousands of nodes as a decision diagram).
oct_result oct_ltl_begin(oct_ltl *formula);

// Tells the next state; `out` may be NULL. After it is decided nothing more is asked. On an error
// the state was not taken, and may be told again. OCT_ERROR_ARGUMENT where no run has begun.
oct_result oct_ltl_step(oct_ltl *formula, void *state, oct_ltl_verdict *out);

uint64_t oct_ltl_decided(const oct_ltl *formula);

// OPEN, also where no run has begun; or what it is whatever comes.
oct_ltl_verdict oct_ltl_now(const oct_ltl *formula);

// What it is if the run ends here: SATISFIED, VIOLATED or UNDECIDED; OPEN only where none has
// begun.
oct_ltl_verdict oct_ltl_end(const oct_ltl *formula);

// Whether the values of atoms that were undecided still matter.
bool oct_ltl_is_split(const oct_ltl *formula);

// Whether it is violated already if what was undecided had its worse value.
bool oct_ltl_may_be_violated(const oct_ltl *formula);

// States told so far, and the one (from 0) that decided it; UINT64_MAX where none has, as before
// the first state.
uint64_t oct_ltl_states(const oct_ltl *formula);

// The formula as text, such as "always (shut or eventually open)", as snprintf writes. Words
// before one operand bind more tightly than those between two.
size_t oct_ltl_text(const oct_ltl *formula, char *out, size_t size);

#endif
