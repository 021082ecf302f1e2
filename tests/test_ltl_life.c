// SPDX-License-Identifier: MIT
// Formulas that live long: endless runs, memory, sizes, and who owns what.
#include "agent/ltl_internal.h"
#include "ltl_support.h"

static oct_ltl *nexts(oct_ltl *formula, int count)
{
    for (int i = 0; i < count; i++) {
        formula = oct_ltl_next(formula);
    }
    return formula;
}

// ---- endless runs ----

static void step(oct_ltl *formula, uint32_t letters)
{
    assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
}

static void endless_runs_allocate_nothing(void **state)
{
    (void)state;
    letter_atom p = {.letter = 0}, q = {.letter = 1}, r = {.letter = 2};
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    const oct_allocator *const a = &memory.allocator;
    oct_ltl *const formulas[] = {
        oct_ltl_always(oct_ltl_implies(letter(a, &p), oct_ltl_eventually(letter(a, &q)))),
        oct_ltl_always(oct_ltl_eventually(oct_ltl_until(letter(a, &p), letter(a, &q)))),
        oct_ltl_eventually(
            oct_ltl_always(oct_ltl_weak_until(letter(a, &p), oct_ltl_next(letter(a, &q))))),
        // Nested untils of which the outer one grows without an end where it is only rewritten.
        oct_ltl_always(oct_ltl_until(
            oct_ltl_eventually(letter(a, &p)),
            oct_ltl_and(oct_ltl_eventually(letter(a, &q)), oct_ltl_eventually(letter(a, &r))))),
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        oct_ltl *const formula = formulas[i];
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        oct_random random = oct_random_seed(1);
        size_t allocations = 0, nodes = 0;
        for (uint32_t k = 0; k < 50000; k++) {
            step(formula, (uint32_t)oct_random_below(&random, 8));
            if (k == 500) {
                allocations = memory.allocations;
                nodes = formula->run.d.nodes.count;
                assert_true(nodes < 100);
            }
        }
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
        assert_int_equal(memory.allocations, allocations);
        assert_int_equal(formula->run.d.nodes.count, nodes);
        // Nor does another run.
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        step(formula, 1);
        assert_int_equal(memory.allocations, allocations);
        oct_ltl_destroy(formula);
    }
    test_allocator_check_empty(&memory);
}

// Whenever p, sixteen states later q: 2^16 different rests, of which each is small.
static void old_rests_are_swept_out(void **state)
{
    (void)state;
    enum { AFTER = 16, STATES = 200000 };
    letter_atom p = {.letter = 0}, q = {.letter = 1};
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    const oct_allocator *const a = &memory.allocator;
    oct_ltl *const formula =
        oct_ltl_always(oct_ltl_implies(letter(a, &p), nexts(letter(a, &q), AFTER)));
    for (int round = 0; round < 2; round++) {
        oct_random random = oct_random_seed(7);
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        uint32_t due = 0; // bit i: q is, in i states
        size_t allocations = 0;
        for (uint32_t i = 0; i < STATES; i++) {
            const uint32_t letters = (uint32_t)oct_random_below(&random, 4) | (due & 1u) << 1;
            due = due >> 1 | (letters & 1u) << (AFTER - 1);
            step(formula, letters);
            allocations = i == STATES / 2 ? memory.allocations : allocations;
            assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
            assert_int_equal(oct_ltl_end(formula), due ? OCT_LTL_VIOLATED : OCT_LTL_SATISFIED);
            assert_true(formula->run.d.nodes.count < 2000);
        }
        assert_int_equal(memory.allocations, allocations);
        while (!(due & 1u)) {
            due = due >> 1;
            step(formula, 2);
        }
        step(formula, 0);
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_VIOLATED);
        assert_true(oct_ltl_decided(formula) == oct_ltl_states(formula) - 1);
    }
    assert_true(memory.peak_bytes < 1u << 20);
    oct_ltl_destroy(formula);
    test_allocator_check_empty(&memory);
}

// ---- long runs ----

#define LONG 400

// Backwards over the whole run: whether a part is true at each place, from whether it is at the
// next one. The last place is the empty rest.
static void fill_places(const plan_part *part, const uint32_t *states, uint32_t length,
                        bool (*places)[LONG + 1], bool *out)
{
    const bool *const a = part->kind > PLAN_ATOM ? places[part->a] : NULL;
    const bool *const b = part->kind >= PLAN_AND ? places[part->b] : NULL;
    for (uint32_t i = length + 1; i-- > 0;) {
        const bool is_end = i == length, is_last = i + 1 >= length;
        switch (part->kind) {
        case PLAN_ATOM:
            out[i] = !is_end && bit(states[i], part->a);
            break;
        case PLAN_NEXT:
            out[i] = !is_last && a[i + 1];
            break;
        case PLAN_WEAK_NEXT:
            out[i] = is_last || a[i + 1];
            break;
        case PLAN_EVENTUALLY:
            out[i] = !is_end && (a[i] || out[i + 1]);
            break;
        case PLAN_ALWAYS:
            out[i] = is_end || (a[i] && out[i + 1]);
            break;
        case PLAN_UNTIL:
            out[i] = !is_end && (b[i] || (a[i] && out[i + 1]));
            break;
        case PLAN_WEAK_UNTIL:
            out[i] = is_end || b[i] || (a[i] && out[i + 1]);
            break;
        case PLAN_NOT:
            out[i] = !a[i];
            break;
        case PLAN_AND:
            out[i] = a[i] && b[i];
            break;
        case PLAN_OR:
            out[i] = a[i] || b[i];
            break;
        case PLAN_IMPLIES:
            out[i] = !a[i] || b[i];
            break;
        default:
            out[i] = part->kind == PLAN_TRUE;
        }
    }
}

static bool holds(const plan *p, const uint32_t *states, uint32_t length)
{
    static bool places[PLAN_MAX][LONG + 1];
    for (uint32_t i = 0; i < p->count; i++) {
        fill_places(&p->parts[i], states, length, places, places[i]);
    }
    return places[p->count - 1][0];
}

// What is asked again and again, or from some state on for ever, stays open long.
static void long_runs_end_as_the_textbook_says(void **state)
{
    (void)state;
    static plan p;
    size_t open = 0;
    for (uint64_t seed = 1; seed <= test_rounds(400); seed++) {
        oct_random random = oct_random_seed(seed);
        letter_atom atoms[LETTERS] = {{.letter = 0}, {.letter = 1}, {.letter = 2}};
        p.count = 0;
        const uint32_t inner = plan_random(&p, &random, 5);
        const bool always = seed & 1u;
        p.parts[p.count++] = (plan_part){always ? PLAN_ALWAYS : PLAN_EVENTUALLY, inner, 0};
        p.parts[p.count] = (plan_part){always ? PLAN_EVENTUALLY : PLAN_ALWAYS, p.count - 1, 0};
        p.count++;
        oct_ltl *const formula = plan_make(&p, p.count - 1, NULL, atoms);
        uint32_t states[LONG];
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        for (uint32_t i = 0; i < LONG; i++) {
            states[i] = (uint32_t)oct_random_below(&random, 8);
            step(formula, states[i]);
            if (i % 37 == 0 || i > LONG - 4) {
                assert_int_equal(oct_ltl_end(formula) == OCT_LTL_SATISFIED,
                                 holds(&p, states, i + 1));
            }
        }
        open += oct_ltl_now(formula) == OCT_LTL_OPEN;
        oct_ltl_destroy(formula);
    }
    assert_true(open > test_rounds(400) / 2);
}

// ---- sizes ----

static void formulas_may_be_deep_but_not_too_large(void **state)
{
    (void)state;
    letter_atom p = {.letter = 0}, q = {.letter = 1};
    oct_ltl *formula = letter(NULL, &p);
    for (int i = 1; i < OCT_LTL_SIZE_MAX; i++) {
        formula = i % 2 ? oct_ltl_weak_next(formula) : oct_ltl_not(formula);
        assert_non_null(formula);
    }
    assert_int_equal(oct_ltl_text(formula, NULL, 0), 2048 * strlen("weak next ") + 2047 * 4 + 1);
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    for (int i = 0; i < 2048; i++) {
        step(formula, 0);
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
    }
    step(formula, 1);
    assert_true(oct_ltl_now(formula) != OCT_LTL_OPEN);
    assert_null(oct_ltl_not(formula));
    assert_true(p.drops == 1);

    // Of two halves, which the last part joins: as many as there may be, and one more.
    for (int more = 0; more < 2; more++) {
        oct_ltl *halves[2];
        for (int k = 0; k < 2; k++) {
            halves[k] = letter(NULL, k == 0 ? &p : &q);
            for (int i = 1; i < OCT_LTL_SIZE_MAX / 2 - 1 + k + (k & more); i++) {
                halves[k] = oct_ltl_eventually(halves[k]);
            }
        }
        p.drops = q.drops = 0;
        oct_ltl *const both = oct_ltl_and(halves[0], halves[1]);
        assert_true((both == NULL) == (more == 1));
        assert_true(p.drops == q.drops && p.drops == (both ? 0 : 1));
        oct_ltl_destroy(both);
    }
}

// Chains to the left and to the right, of as many different atoms as fit.
static void wide_formulas_are_small(void **state)
{
    (void)state;
    enum { ATOMS = 680 };
    static letter_atom atoms[ATOMS];
    for (int left = 0; left < 2; left++) {
        oct_ltl *formula = NULL;
        for (uint32_t i = 0; i < ATOMS; i++) {
            atoms[i] = (letter_atom){.letter = i % LETTERS};
            oct_ltl *const one = oct_ltl_always(oct_ltl_implies(
                letter(NULL, &atoms[i]), oct_ltl_eventually(letter(NULL, &atoms[i / 2]))));
            formula = !formula ? one : left ? oct_ltl_and(formula, one) : oct_ltl_and(one, formula);
        }
        assert_non_null(formula);
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        for (uint32_t i = 0; i < 20; i++) {
            step(formula, i % 8);
        }
        assert_int_equal(oct_ltl_end(formula), OCT_LTL_VIOLATED);
        step(formula, 7);
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
        assert_int_equal(oct_ltl_end(formula), OCT_LTL_SATISFIED);
        assert_true(formula->run.d.nodes.count < 40000);
        oct_ltl_destroy(formula);
    }
}

// True where the letters of some pair are both there. Where all first ones are asked before all
// second ones, that needs a node for each set of letters; they are, since they occur first in a
// part that says nothing. `after`: not of the first state but of the second.
static oct_ltl *make_intricate(const oct_allocator *a, letter_atom *atoms, uint32_t pairs,
                               bool after)
{
    oct_ltl *formula = oct_ltl_false(a);
    for (uint32_t i = 0; i < 2 * pairs; i++) {
        formula = oct_ltl_or(formula, oct_ltl_and(letter(a, &atoms[i]), oct_ltl_false(a)));
    }
    for (uint32_t i = 0; i < pairs; i++) {
        oct_ltl *const one = nexts(letter(a, &atoms[i]), after);
        oct_ltl *const other = nexts(letter(a, &atoms[pairs + i]), after);
        formula = oct_ltl_or(formula, oct_ltl_and(one, other));
    }
    return formula;
}

static void what_is_too_intricate_is_refused(void **state)
{
    (void)state;
    enum { PAIRS = 24 };
    letter_atom atoms[2 * PAIRS];
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        atoms[i] = (letter_atom){.letter = i % LETTERS};
    }
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_ltl *formula = make_intricate(&memory.allocator, atoms, PAIRS, false);
    assert_non_null(formula);
    assert_int_equal(oct_ltl_begin(formula), OCT_ERROR_RANGE);
    assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
    assert_int_equal(oct_ltl_begin(formula), OCT_ERROR_RANGE);
    oct_ltl_destroy(formula);
    test_allocator_check_empty(&memory);

    formula = make_intricate(&memory.allocator, atoms, PAIRS, true);
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    for (int i = 0; i < 3; i++) {
        uint32_t letters = 7;
        assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_ERROR_RANGE);
        assert_true(oct_ltl_states(formula) == 0);
        assert_int_equal(oct_ltl_end(formula), OCT_LTL_VIOLATED);
    }
    oct_ltl_destroy(formula);
    test_allocator_check_empty(&memory);

    // Fewer pairs are not too many.
    for (int after = 0; after < 2; after++) {
        formula = make_intricate(&memory.allocator, atoms, 9, after);
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
        step(formula, 7);
        assert_int_equal(oct_ltl_now(formula), after ? OCT_LTL_OPEN : OCT_LTL_SATISFIED);
        step(formula, 7);
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_SATISFIED);
        oct_ltl_destroy(formula);
    }
    test_allocator_check_empty(&memory);
}

// ---- who owns what ----

static void hooks_are_dropped_once(void **state)
{
    (void)state;
    letter_atom p = {.letter = 0}, q = {.letter = 1};
    const oct_hook hook = {&p, letter_drop};
    oct_ltl_destroy(NULL);
    assert_null(oct_ltl_not(NULL));
    assert_null(oct_ltl_atom(NULL, NULL, letter_ask, hook));
    assert_true(p.drops == 1);
    assert_null(oct_ltl_atom(NULL, "p", NULL, hook));
    assert_true(p.drops == 2);
    assert_null(oct_ltl_and(letter(NULL, &p), NULL));
    assert_true(p.drops == 3);
    assert_null(oct_ltl_until(NULL, letter(NULL, &p)));
    assert_true(p.drops == 4);
    assert_null(oct_ltl_or(NULL, NULL));
    oct_ltl *const twice = letter(NULL, &p);
    assert_null(oct_ltl_and(twice, twice));
    assert_true(p.drops == 5);
    oct_ltl_destroy(oct_ltl_and(letter(NULL, &p), oct_ltl_not(letter(NULL, &q))));
    assert_true(p.drops == 6 && q.drops == 1);
    oct_ltl_destroy(oct_ltl_atom(NULL, "p", letter_ask, (oct_hook){NULL, NULL}));
}

static void parts_may_have_other_allocators(void **state)
{
    (void)state;
    test_allocator memories[2];
    letter_atom p = {.letter = 0}, q = {.letter = 1};
    for (int i = 0; i < 2; i++) {
        test_allocator_init(&memories[i], TEST_NEVER);
    }
    oct_ltl *const formula = oct_ltl_and(letter(&memories[0].allocator, &p),
                                         oct_ltl_always(letter(&memories[1].allocator, &q)));
    test_allocator_check_empty(&memories[1]);
    oct_ltl_destroy(formula);
    test_allocator_check_empty(&memories[0]);
}

typedef struct failing {
    uint64_t seed;
    bool sweeps;
} failing;

// Makes a formula and plays a run. Where a step fails the same state is told again, later, and the
// run goes on as if nothing had been.
static oct_result make_and_play(const oct_allocator *allocator, void *ctx)
{
    static plan p;
    const failing *const how = ctx;
    oct_random random = oct_random_seed(how->seed);
    letter_atom atoms[LETTERS] = {{.letter = 0}, {.letter = 1}, {.letter = 2}};
    p.count = 0;
    const uint32_t inner = plan_random(&p, &random, 5);
    p.parts[p.count] = (plan_part){PLAN_EVENTUALLY, inner, 0};
    p.parts[p.count + 1] = (plan_part){PLAN_ALWAYS, p.count, 0};
    p.count += 2;
    uint64_t occurrences = 0, drops = 0;
    oct_ltl *const formula = plan_make(&p, p.count - 1, allocator, atoms);
    oct_result result = formula ? OCT_OK : OCT_ERROR_MEMORY;
    if (formula && oct_ltl_begin(formula) != OCT_OK) {
        assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
        assert_int_equal(oct_ltl_end(formula), OCT_LTL_OPEN);
        result = OCT_ERROR_MEMORY;
        assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    }
    uint32_t states[60];
    for (uint32_t i = 0; formula && i < 60; i++) {
        states[i] = (uint32_t)oct_random_below(&random, 8);
        formula->run.limit = how->sweeps ? 0 : formula->run.limit;
        const oct_ltl_verdict end = oct_ltl_end(formula), now = oct_ltl_now(formula);
        if (oct_ltl_step(formula, &states[i], NULL) != OCT_OK) {
            assert_int_equal(oct_ltl_end(formula), end);
            assert_int_equal(oct_ltl_now(formula), now);
            assert_true(oct_ltl_states(formula) == i);
            result = OCT_ERROR_MEMORY;
            step(formula, states[i]);
        }
        assert_int_equal(oct_ltl_end(formula) == OCT_LTL_SATISFIED, holds(&p, states, i + 1));
    }
    oct_ltl_destroy(formula);
    for (uint32_t i = 0; i < p.count; i++) {
        occurrences += p.parts[i].kind == PLAN_ATOM;
    }
    for (uint32_t i = 0; i < LETTERS; i++) {
        drops += atoms[i].drops;
    }
    assert_true(drops == occurrences);
    return result;
}

static void running_out_of_memory_leaves_it_as_it_was(void **state)
{
    (void)state;
    size_t allocations = 0;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        failing how = {seed, seed % 2 == 0};
        allocations += test_each_failure(make_and_play, &how);
    }
    assert_true(allocations > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_runs_allocate_nothing),
        cmocka_unit_test(old_rests_are_swept_out),
        cmocka_unit_test(long_runs_end_as_the_textbook_says),
        cmocka_unit_test(formulas_may_be_deep_but_not_too_large),
        cmocka_unit_test(wide_formulas_are_small),
        cmocka_unit_test(what_is_too_intricate_is_refused),
        cmocka_unit_test(hooks_are_dropped_once),
        cmocka_unit_test(parts_may_have_other_allocators),
        cmocka_unit_test(running_out_of_memory_leaves_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
