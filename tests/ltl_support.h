// SPDX-License-Identifier: MIT
// Formulas as plain lists of parts, which can be made, and judged by the textbook.
#ifndef OCTANT_TESTS_LTL_SUPPORT_H
#define OCTANT_TESTS_LTL_SUPPORT_H

#include "base/base_internal.h"
#include "octant/ltl.h"
#include "support.h"

#define LETTERS 3
#define PLAN_MAX 256
#define TRACE_MAX 16

typedef enum plan_kind {
    PLAN_TRUE,
    PLAN_FALSE,
    PLAN_ATOM,
    PLAN_NOT,
    PLAN_NEXT,
    PLAN_WEAK_NEXT,
    PLAN_EVENTUALLY,
    PLAN_ALWAYS,
    PLAN_AND,
    PLAN_OR,
    PLAN_IMPLIES,
    PLAN_UNTIL,
    PLAN_WEAK_UNTIL,
    PLAN_KINDS
} plan_kind;

// Operands stand before what is made of them; of an atom, `a` is its letter.
typedef struct plan_part {
    plan_kind kind;
    uint32_t a, b;
} plan_part;

typedef struct plan {
    plan_part parts[PLAN_MAX];
    uint32_t count;
} plan;

// An atom: whether a letter is in the state, which is a set of letters.
typedef struct letter_atom {
    uint32_t letter;
    uint64_t asked; // since it was last set to 0
    uint64_t drops;
} letter_atom;

// Letters that are undecided in a state stand this much higher.
#define OPEN_LETTERS 8u

static inline oct_truth letter_ask(void *ctx, void *state)
{
    letter_atom *const atom = ctx;
    const uint32_t letters = *(const uint32_t *)state;
    atom->asked++;
    return letters >> (OPEN_LETTERS + atom->letter) & 1u ? OCT_UNDECIDED
           : letters >> atom->letter & 1u                ? OCT_TRUE
                                                         : OCT_FALSE;
}

static inline void letter_drop(void *ctx)
{
    ((letter_atom *)ctx)->drops++;
}

static inline oct_ltl *letter(const oct_allocator *allocator, letter_atom *atom)
{
    static const char *const names[LETTERS] = {"p", "q", "r"};
    return oct_ltl_atom(allocator, names[atom->letter], letter_ask, (oct_hook){atom, letter_drop});
}

static inline uint32_t plan_random(plan *p, oct_random *random, uint32_t depth)
{
    const uint64_t drawn = oct_random_below(random, depth > 0 ? 16 : 8);
    plan_part part = {.kind = PLAN_ATOM, .a = (uint32_t)oct_random_below(random, LETTERS)};
    if (depth == 0 && drawn < 2) {
        part.kind = drawn == 0 ? PLAN_TRUE : PLAN_FALSE;
    } else if (depth > 0 && drawn > 1) {
        part.kind = (plan_kind)(PLAN_NOT + oct_random_below(random, PLAN_KINDS - PLAN_NOT));
        part.a = plan_random(p, random, depth - 1);
        part.b = part.kind >= PLAN_AND ? plan_random(p, random, depth - 1) : 0;
    }
    p->parts[p->count] = part;
    return p->count++;
}

static inline oct_ltl *plan_make(const plan *p, uint32_t at, const oct_allocator *allocator,
                                 letter_atom *atoms)
{
    const plan_part part = p->parts[at];
    if (part.kind <= PLAN_ATOM) {
        return part.kind == PLAN_TRUE    ? oct_ltl_true(allocator)
               : part.kind == PLAN_FALSE ? oct_ltl_false(allocator)
                                         : letter(allocator, &atoms[part.a]);
    }
    oct_ltl *const a = plan_make(p, part.a, allocator, atoms);
    oct_ltl *const b = part.kind >= PLAN_AND ? plan_make(p, part.b, allocator, atoms) : NULL;
    switch (part.kind) {
    case PLAN_NOT:
        return oct_ltl_not(a);
    case PLAN_NEXT:
        return oct_ltl_next(a);
    case PLAN_WEAK_NEXT:
        return oct_ltl_weak_next(a);
    case PLAN_EVENTUALLY:
        return oct_ltl_eventually(a);
    case PLAN_ALWAYS:
        return oct_ltl_always(a);
    case PLAN_AND:
        return oct_ltl_and(a, b);
    case PLAN_OR:
        return oct_ltl_or(a, b);
    case PLAN_IMPLIES:
        return oct_ltl_implies(a, b);
    case PLAN_UNTIL:
        return oct_ltl_until(a, b);
    default:
        return oct_ltl_weak_until(a, b);
    }
}

typedef struct trace {
    uint32_t states[TRACE_MAX];
    uint32_t length;
} trace;

static inline bool bit(uint32_t bits, uint32_t at)
{
    return bits >> at & 1u;
}

// Whether b is true at a state from `at` on, and a at all before it.
static inline bool until_at(uint32_t a, uint32_t b, uint32_t at, uint32_t length)
{
    for (uint32_t i = at; i < length; i++) {
        if (bit(b, i)) {
            return true;
        }
        if (!bit(a, i)) {
            return false;
        }
    }
    return false;
}

static inline bool always_at(uint32_t a, uint32_t at, uint32_t length)
{
    for (uint32_t i = at; i < length; i++) {
        if (!bit(a, i)) {
            return false;
        }
    }
    return true;
}

// By the definition of each word, from the places where its operands are true. Place `length` is
// the empty rest.
static inline bool part_at(plan_kind kind, uint32_t a, uint32_t b, uint32_t at, uint32_t length)
{
    switch (kind) {
    case PLAN_NOT:
        return !bit(a, at);
    case PLAN_NEXT:
        return at + 1 < length && bit(a, at + 1);
    case PLAN_WEAK_NEXT:
        return at + 1 >= length || bit(a, at + 1);
    case PLAN_EVENTUALLY:
        return until_at(UINT32_MAX, a, at, length);
    case PLAN_ALWAYS:
        return always_at(a, at, length);
    case PLAN_AND:
        return bit(a, at) && bit(b, at);
    case PLAN_OR:
        return bit(a, at) || bit(b, at);
    case PLAN_IMPLIES:
        return !bit(a, at) || bit(b, at);
    case PLAN_UNTIL:
        return until_at(a, b, at, length);
    case PLAN_WEAK_UNTIL:
        return until_at(a, b, at, length) || always_at(a, at, length);
    default:
        return kind == PLAN_TRUE;
    }
}

static inline bool plan_holds(const plan *p, const trace *t)
{
    uint32_t places[PLAN_MAX];
    for (uint32_t i = 0; i < p->count; i++) {
        const plan_part part = p->parts[i];
        const bool is_leaf = part.kind <= PLAN_ATOM;
        const uint32_t a = is_leaf ? 0 : places[part.a], b = is_leaf ? 0 : places[part.b];
        places[i] = 0;
        for (uint32_t at = 0; at <= t->length; at++) {
            const bool value = part.kind == PLAN_ATOM ? at < t->length && bit(t->states[at], part.a)
                                                      : part_at(part.kind, a, b, at, t->length);
            places[i] |= (uint32_t)value << at;
        }
    }
    return bit(places[p->count - 1], 0);
}

#endif
