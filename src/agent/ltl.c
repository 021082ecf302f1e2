// SPDX-License-Identifier: MIT
// Formulas: made of parts, and as text.
#include "agent/ltl_internal.h"

static ltl_part *parts_of(const oct_ltl *formula)
{
    return formula->parts.items;
}

static ltl_atom *atoms_of(const oct_ltl *formula)
{
    return formula->atoms.items;
}

// ---- making ----

void oct_ltl_destroy(oct_ltl *formula)
{
    if (!formula) {
        return;
    }
    for (size_t i = 0; i < formula->atoms.count; i++) {
        const oct_hook hook = atoms_of(formula)[i].hook;
        if (hook.drop) {
            hook.drop(hook.ctx);
        }
    }
    const oct_allocator allocator = formula->allocator;
    oct_ltl_run_free(&formula->run);
    oct_array_free(&formula->parts, &allocator, sizeof(ltl_part));
    oct_array_free(&formula->atoms, &allocator, sizeof(ltl_atom));
    oct_array_free(&formula->names, &allocator, 1);
    oct_free(&allocator, formula, sizeof *formula);
}

static oct_result push_part(oct_ltl *formula, part_kind kind, uint32_t a, uint32_t b)
{
    const ltl_part part = {.kind = kind, .a = a, .b = b};
    return oct_array_push(&formula->parts, &formula->allocator, sizeof part, &part);
}

static oct_ltl *make_leaf(const oct_allocator *may_be_null, part_kind kind)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    oct_ltl *const formula = oct_alloc(&allocator, sizeof *formula, _Alignof(oct_ltl));
    if (!formula) {
        return NULL;
    }
    *formula = (oct_ltl){.allocator = allocator};
    if (push_part(formula, kind, 0, 0) != OCT_OK) {
        oct_ltl_destroy(formula);
        return NULL;
    }
    return formula;
}

oct_ltl *oct_ltl_true(const oct_allocator *allocator)
{
    return make_leaf(allocator, PART_TRUE);
}

oct_ltl *oct_ltl_false(const oct_allocator *allocator)
{
    return make_leaf(allocator, PART_FALSE);
}

static oct_result add_atom(oct_ltl *formula, const char *name, oct_atom_fn *ask, oct_hook hook)
{
    const size_t size = strlen(name) + 1;
    OCT_TRY(oct_array_reserve(&formula->names, &formula->allocator, 1, size));
    memcpy(formula->names.items, name, size);
    formula->names.count = size;
    const ltl_atom atom = {ask, hook, 0};
    return oct_array_push(&formula->atoms, &formula->allocator, sizeof atom, &atom);
}

oct_ltl *oct_ltl_atom(const oct_allocator *allocator, const char *name, oct_atom_fn *atom,
                      oct_hook hook)
{
    oct_ltl *formula = name && atom ? make_leaf(allocator, PART_ATOM) : NULL;
    if (formula && add_atom(formula, name, atom, hook) == OCT_OK) {
        return formula;
    }
    oct_ltl_destroy(formula);
    if (hook.drop) {
        hook.drop(hook.ctx);
    }
    return NULL;
}

// What was begun is not begun any more once it is part of something else.
static void forget_run(oct_ltl *formula)
{
    oct_ltl_run_free(&formula->run);
    formula->is_begun = false;
}

static oct_ltl *make_unary(part_kind kind, oct_ltl *a)
{
    if (!a) {
        return NULL;
    }
    const uint32_t count = (uint32_t)a->parts.count;
    if (count == OCT_LTL_SIZE_MAX || push_part(a, kind, count - 1, 0) != OCT_OK) {
        oct_ltl_destroy(a);
        return NULL;
    }
    forget_run(a);
    parts_of(a)[count - 1].up = count;
    return a;
}

// Room for the parts of both and one more.
static oct_result reserve_both(oct_ltl *a, const oct_ltl *b)
{
    const size_t parts = a->parts.count + b->parts.count + 1;
    size_t names;
    if (parts > OCT_LTL_SIZE_MAX) {
        return OCT_ERROR_RANGE;
    }
    if (!oct_size_add(a->names.count, b->names.count, &names)) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_reserve(&a->parts, &a->allocator, sizeof(ltl_part), parts));
    OCT_TRY(oct_array_reserve(&a->atoms, &a->allocator, sizeof(ltl_atom),
                              a->atoms.count + b->atoms.count));
    return oct_array_reserve(&a->names, &a->allocator, 1, names);
}

static void take_names(oct_ltl *a, const oct_ltl *b)
{
    if (b->names.count > 0) {
        memcpy((char *)a->names.items + a->names.count, b->names.items, b->names.count);
        a->names.count += b->names.count;
    }
}

// Appends b's parts to a's, where there is room.
static void take_parts(oct_ltl *a, oct_ltl *b)
{
    const uint32_t parts = (uint32_t)a->parts.count, atoms = (uint32_t)a->atoms.count;
    const size_t names = a->names.count;
    for (size_t i = 0; i < b->parts.count; i++) {
        ltl_part part = parts_of(b)[i];
        const uint32_t by = part.kind == PART_ATOM ? atoms : parts;
        part.a += by;
        part.b += by;
        part.up += parts;
        parts_of(a)[a->parts.count++] = part;
    }
    for (size_t i = 0; i < b->atoms.count; i++) {
        ltl_atom atom = atoms_of(b)[i];
        atom.name += names;
        atoms_of(a)[a->atoms.count++] = atom;
    }
    b->atoms.count = 0;
    take_names(a, b);
}

static oct_ltl *make_binary(part_kind kind, oct_ltl *a, oct_ltl *b)
{
    if (!a || !b || a == b || reserve_both(a, b) != OCT_OK) {
        oct_ltl_destroy(a);
        oct_ltl_destroy(a == b ? NULL : b);
        return NULL;
    }
    const uint32_t left = (uint32_t)a->parts.count - 1;
    forget_run(a);
    take_parts(a, b);
    oct_ltl_destroy(b);
    const uint32_t right = (uint32_t)a->parts.count - 1;
    parts_of(a)[left].up = right + 1;
    parts_of(a)[right].up = right + 1;
    parts_of(a)[a->parts.count++] = (ltl_part){.kind = kind, .a = left, .b = right};
    return a;
}

oct_ltl *oct_ltl_not(oct_ltl *a)
{
    return make_unary(PART_NOT, a);
}

oct_ltl *oct_ltl_and(oct_ltl *a, oct_ltl *b)
{
    return make_binary(PART_AND, a, b);
}

oct_ltl *oct_ltl_or(oct_ltl *a, oct_ltl *b)
{
    return make_binary(PART_OR, a, b);
}

oct_ltl *oct_ltl_implies(oct_ltl *a, oct_ltl *b)
{
    return make_binary(PART_IMPLIES, a, b);
}

oct_ltl *oct_ltl_next(oct_ltl *a)
{
    return make_unary(PART_NEXT, a);
}

oct_ltl *oct_ltl_weak_next(oct_ltl *a)
{
    return make_unary(PART_WEAK_NEXT, a);
}

oct_ltl *oct_ltl_until(oct_ltl *a, oct_ltl *b)
{
    return make_binary(PART_UNTIL, a, b);
}

oct_ltl *oct_ltl_weak_until(oct_ltl *a, oct_ltl *b)
{
    return make_binary(PART_WEAK_UNTIL, a, b);
}

oct_ltl *oct_ltl_eventually(oct_ltl *a)
{
    return make_unary(PART_EVENTUALLY, a);
}

oct_ltl *oct_ltl_always(oct_ltl *a)
{
    return make_unary(PART_ALWAYS, a);
}

// ---- text ----

typedef struct text_out {
    char *at;
    size_t size;
    size_t length; // of all that was to be written
} text_out;

static void put(text_out *out, const char *text)
{
    for (; *text; text++, out->length++) {
        if (out->length + 1 < out->size) {
            out->at[out->length] = *text;
        }
    }
}

static const char *word_of(part_kind kind)
{
    static const char *const words[] = {
        [PART_TRUE] = "true",
        [PART_FALSE] = "false",
        [PART_NOT] = "not ",
        [PART_NEXT] = "next ",
        [PART_WEAK_NEXT] = "weak next ",
        [PART_EVENTUALLY] = "eventually ",
        [PART_ALWAYS] = "always ",
        [PART_AND] = " and ",
        [PART_OR] = " or ",
        [PART_IMPLIES] = " implies ",
        [PART_UNTIL] = " until ",
        [PART_WEAK_UNTIL] = " weak until ",
    };
    return words[kind];
}

// Words before one operand bind more tightly than those between two; chains of one "and" or "or"
// need no brackets.
static bool has_brackets(const oct_ltl *formula, uint32_t part)
{
    const ltl_part *const parts = parts_of(formula);
    const part_kind kind = parts[part].kind;
    if (kind < PART_AND || part + 1 == formula->parts.count) {
        return false;
    }
    return kind > PART_OR || parts[parts[part].up].kind != kind;
}

static void put_leaf(const oct_ltl *formula, const ltl_part *part, text_out *out)
{
    const char *const names = formula->names.items;
    put(out,
        part->kind == PART_ATOM ? names + atoms_of(formula)[part->a].name : word_of(part->kind));
}

// Down to the first operand, and from each on to the second or up: no recursion, since formulas may
// be deep.
static void put_formula(const oct_ltl *formula, text_out *out)
{
    const ltl_part *const parts = parts_of(formula);
    const uint32_t whole = (uint32_t)formula->parts.count - 1;
    uint32_t at = whole;
    for (;;) {
        for (; parts[at].kind > PART_ATOM; at = parts[at].a) {
            put(out, has_brackets(formula, at) ? "(" : "");
            put(out, parts[at].kind < PART_AND ? word_of(parts[at].kind) : "");
        }
        put_leaf(formula, &parts[at], out);
        for (;;) {
            put(out, has_brackets(formula, at) ? ")" : "");
            if (at == whole) {
                return;
            }
            const ltl_part *const up = &parts[parts[at].up];
            if (up->kind >= PART_AND && at == up->a) {
                put(out, word_of(up->kind));
                at = up->b;
                break;
            }
            at = parts[at].up;
        }
    }
}

size_t oct_ltl_text(const oct_ltl *formula, char *out, size_t size)
{
    text_out text = {out, size, 0};
    put_formula(formula, &text);
    if (size > 0) {
        out[text.length < size ? text.length : size - 1] = '\0';
    }
    return text.length;
}
