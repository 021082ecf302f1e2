// SPDX-License-Identifier: MIT
// Formulas over runs against the textbook; verdicts, and when they come; text.
#include "agent/ltl_internal.h"
#include "ltl_support.h"

static letter_atom p_atom = {.letter = 0}, q_atom = {.letter = 1}, r_atom = {.letter = 2};

static oct_ltl *p(void)
{
    return letter(NULL, &p_atom);
}

static oct_ltl *q(void)
{
    return letter(NULL, &q_atom);
}

static oct_ltl *r(void)
{
    return letter(NULL, &r_atom);
}

// ---- against the textbook ----

static void check_end(const oct_ltl *formula, const plan *truth, const trace *t)
{
    const oct_ltl_verdict end = plan_holds(truth, t) ? OCT_LTL_SATISFIED : OCT_LTL_VIOLATED;
    assert_int_equal(oct_ltl_end(formula), end);
}

// Whatever comes: all that is at most so many states long.
static void check_extensions(const plan *truth, const trace *t, uint32_t most,
                             oct_ltl_verdict verdict)
{
    assert_int_equal(plan_holds(truth, t), verdict == OCT_LTL_SATISFIED);
    if (most == 0) {
        return;
    }
    trace longer = *t;
    longer.length++;
    for (uint32_t letters = 0; letters < 1u << LETTERS; letters++) {
        longer.states[t->length] = letters;
        check_extensions(truth, &longer, most - 1, verdict);
    }
}

// `sweeps`: before each state, and not just when there is much to sweep.
static void check_run(oct_ltl *formula, const plan *truth, letter_atom *atoms, const trace *whole,
                      uint32_t extension, bool sweeps)
{
    trace t = {.length = 0};
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    bool is_decided = oct_ltl_now(formula) != OCT_LTL_OPEN;
    if (is_decided) {
        check_extensions(truth, &t, extension, oct_ltl_now(formula));
    }
    assert_true(oct_ltl_decided(formula) == UINT64_MAX);
    check_end(formula, truth, &t);
    for (uint32_t i = 0; i < whole->length; i++) {
        for (uint32_t j = 0; j < LETTERS; j++) {
            atoms[j].asked = 0;
        }
        formula->run.limit = sweeps ? 0 : formula->run.limit;
        oct_ltl_verdict verdict;
        uint32_t state = t.states[t.length++] = whole->states[i];
        assert_int_equal(oct_ltl_step(formula, &state, &verdict), OCT_OK);
        assert_int_equal(verdict, oct_ltl_now(formula));
        assert_true(oct_ltl_states(formula) == i + 1);
        for (uint32_t j = 0; j < LETTERS; j++) {
            assert_true(atoms[j].asked <= (is_decided ? 0 : 1));
        }
        if (verdict != OCT_LTL_OPEN && !is_decided) {
            assert_true(oct_ltl_decided(formula) == i);
            check_extensions(truth, &t, extension, verdict);
            is_decided = true;
        }
        check_end(formula, truth, &t);
    }
}

static trace random_trace(oct_random *random, uint32_t most)
{
    trace t = {.length = (uint32_t)oct_random_below(random, most + 1)};
    // Letters that are often there, or seldom.
    const uint64_t share = oct_random_below(random, 4);
    for (uint32_t i = 0; i < t.length; i++) {
        t.states[i] = 0;
        for (uint32_t j = 0; j < LETTERS; j++) {
            t.states[i] |= (uint32_t)(oct_random_below(random, 4) <= share) << j;
        }
    }
    return t;
}

static void check_random(oct_random *random, uint32_t depth, uint32_t extension)
{
    static plan truth;
    letter_atom atoms[LETTERS] = {{.letter = 0}, {.letter = 1}, {.letter = 2}};
    truth.count = 0;
    plan_random(&truth, random, depth);
    oct_ltl *const formula = plan_make(&truth, truth.count - 1, NULL, atoms);
    assert_non_null(formula);
    for (int i = 0; i < 3; i++) {
        const trace t = random_trace(random, 12);
        check_run(formula, &truth, atoms, &t, extension, i == 1);
    }
    oct_ltl_destroy(formula);
    uint64_t occurrences = 0, drops = 0;
    for (uint32_t i = 0; i < truth.count; i++) {
        occurrences += truth.parts[i].kind == PLAN_ATOM;
    }
    for (uint32_t i = 0; i < LETTERS; i++) {
        drops += atoms[i].drops;
    }
    assert_true(drops == occurrences);
}

static void runs_end_as_the_textbook_says(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(20000); seed++) {
        oct_random random = oct_random_seed(seed);
        check_random(&random, (uint32_t)(seed % 7), 0);
    }
}

static void early_verdicts_hold_whatever_comes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(2000); seed++) {
        oct_random random = oct_random_seed(1000000 + seed);
        check_random(&random, (uint32_t)(seed % 7), 3);
    }
}

// ---- undecided letters ----

#define OPEN_MAX 10

// What a run is if each of its undecided letters is true or false: all of these are tried, from the
// place `from` (state times letters and letter) on.
static void judge_all(const plan *truth, trace *t, uint32_t from, bool *may_hold, bool *may_fail)
{
    while (from < t->length * LETTERS &&
           !bit(t->states[from / LETTERS], OPEN_LETTERS + from % LETTERS)) {
        from++;
    }
    if (from == t->length * LETTERS) {
        *(plan_holds(truth, t) ? may_hold : may_fail) = true;
        return;
    }
    uint32_t *const letters = &t->states[from / LETTERS], was = *letters;
    for (uint32_t value = 0; value < 2; value++) {
        *letters = (was & ~(1u << from % LETTERS)) | value << from % LETTERS;
        judge_all(truth, t, from + 1, may_hold, may_fail);
    }
    *letters = was;
}

static oct_ltl_verdict judge(const plan *truth, const trace *t)
{
    bool may_hold = false, may_fail = false;
    trace copy = *t;
    judge_all(truth, &copy, 0, &may_hold, &may_fail);
    return may_hold && may_fail ? OCT_LTL_UNDECIDED
           : may_hold           ? OCT_LTL_SATISFIED
                                : OCT_LTL_VIOLATED;
}

static trace open_trace(oct_random *random)
{
    trace t = random_trace(random, 8);
    const uint64_t count = oct_random_below(random, OPEN_MAX + 1);
    for (uint64_t i = 0; i < count && t.length > 0; i++) {
        t.states[oct_random_below(random, t.length)] |=
            1u << (OPEN_LETTERS + oct_random_below(random, LETTERS));
    }
    return t;
}

// An early verdict holds whatever the next state is, undecided letters included.
static void check_open_extensions(const plan *truth, const trace *t, oct_ltl_verdict verdict)
{
    trace longer = *t;
    longer.length++;
    for (uint32_t letters = 0; letters <= 1u << LETTERS; letters++) {
        const uint32_t all_open = ((1u << LETTERS) - 1) << OPEN_LETTERS;
        longer.states[t->length] = letters < 1u << LETTERS ? letters : all_open;
        assert_int_equal(judge(truth, &longer), verdict);
    }
}

static void check_open_run(oct_ltl *formula, const plan *truth, const trace *whole, bool sweeps)
{
    trace t = {.length = 0};
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    for (uint32_t i = 0; i < whole->length; i++) {
        formula->run.limit = sweeps ? 0 : formula->run.limit;
        uint32_t state = t.states[t.length++] = whole->states[i];
        oct_ltl_verdict verdict;
        assert_int_equal(oct_ltl_step(formula, &state, &verdict), OCT_OK);
        const oct_ltl_verdict end = judge(truth, &t);
        assert_int_equal(oct_ltl_end(formula), end);
        assert_true(oct_ltl_is_split(formula) || end != OCT_LTL_UNDECIDED);
        if (verdict != OCT_LTL_OPEN && oct_ltl_decided(formula) == i) {
            check_open_extensions(truth, &t, verdict);
        }
    }
}

static void undecided_letters_may_be_either(void **state)
{
    (void)state;
    uint32_t seen[4] = {0};
    for (uint64_t seed = 1; seed <= test_rounds(6000); seed++) {
        static plan truth;
        oct_random random = oct_random_seed(2000000 + seed);
        letter_atom atoms[LETTERS] = {{.letter = 0}, {.letter = 1}, {.letter = 2}};
        truth.count = 0;
        plan_random(&truth, &random, (uint32_t)(seed % 6));
        oct_ltl *const formula = plan_make(&truth, truth.count - 1, NULL, atoms);
        assert_non_null(formula);
        for (int i = 0; i < 2; i++) {
            const trace t = open_trace(&random);
            check_open_run(formula, &truth, &t, i == 1);
            seen[judge(&truth, &t)]++;
        }
        oct_ltl_destroy(formula);
    }
    assert_true(seen[OCT_LTL_SATISFIED] > 0 && seen[OCT_LTL_VIOLATED] > 0 &&
                seen[OCT_LTL_UNDECIDED] > 0);
}

// ---- verdicts ----

// A state is a letter of text: '-' none, p, q, r, or '*' all. Returns the verdict after all.
static oct_ltl_verdict run_of(oct_ltl *formula, const char *states)
{
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    for (; *states; states++) {
        uint32_t letters = *states == '*' ? 7u : *states == '-' ? 0u : 1u << (*states - 'p');
        assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
    }
    return oct_ltl_now(formula);
}

// Checks what is said after a run and where it was decided; frees the formula.
static void check_said(oct_ltl *formula, const char *states, oct_ltl_verdict now, uint64_t decided,
                       oct_ltl_verdict end)
{
    assert_non_null(formula);
    assert_int_equal(run_of(formula, states), now);
    assert_true(oct_ltl_decided(formula) == decided);
    assert_int_equal(oct_ltl_end(formula), end);
    oct_ltl_destroy(formula);
}

#define NONE UINT64_MAX

static void verdicts_come_early(void **state)
{
    (void)state;
    const oct_ltl_verdict open = OCT_LTL_OPEN, yes = OCT_LTL_SATISFIED, no = OCT_LTL_VIOLATED;
    check_said(oct_ltl_always(p()), "ppp", open, NONE, yes);
    check_said(oct_ltl_always(p()), "pp-p", no, 2, no);
    check_said(oct_ltl_eventually(p()), "---", open, NONE, no);
    check_said(oct_ltl_eventually(p()), "-pq", yes, 1, yes);
    check_said(oct_ltl_until(p(), q()), "pp", open, NONE, no);
    check_said(oct_ltl_until(p(), q()), "ppq-", yes, 2, yes);
    check_said(oct_ltl_until(p(), q()), "p-q", no, 1, no);
    check_said(oct_ltl_weak_until(p(), q()), "pp", open, NONE, yes);
    check_said(oct_ltl_weak_until(p(), q()), "p-", no, 1, no);
    check_said(oct_ltl_weak_until(p(), q()), "pq-", yes, 1, yes);
    check_said(oct_ltl_next(p()), "-p", yes, 1, yes);
    check_said(oct_ltl_next(p()), "p", open, NONE, no);
    check_said(oct_ltl_weak_next(p()), "-", open, NONE, yes);
    check_said(oct_ltl_weak_next(p()), "--", no, 1, no);
    check_said(oct_ltl_always(oct_ltl_implies(p(), oct_ltl_eventually(q()))), "pqpqp", open, NONE,
               no);
    check_said(oct_ltl_always(oct_ltl_implies(p(), oct_ltl_eventually(q()))), "pqpq", open, NONE,
               yes);
    check_said(p(), "p-", yes, 0, yes);
    check_said(oct_ltl_implies(oct_ltl_until(oct_ltl_false(NULL), p()), p()), "", yes, NONE, yes);
    // What cannot be kept is seen when it cannot any more.
    check_said(oct_ltl_eventually(oct_ltl_false(NULL)), "", no, NONE, no);
    check_said(oct_ltl_next(oct_ltl_false(NULL)), "", no, NONE, no);
    check_said(oct_ltl_always(oct_ltl_true(NULL)), "", yes, NONE, yes);
    check_said(oct_ltl_and(oct_ltl_always(p()), oct_ltl_eventually(oct_ltl_not(p()))), "", no, NONE,
               no);
    check_said(
        oct_ltl_and(oct_ltl_always(p()), oct_ltl_eventually(oct_ltl_and(oct_ltl_not(p()), q()))),
        "pp", open, NONE, no);
    check_said(oct_ltl_or(oct_ltl_next(oct_ltl_always(q())),
                          oct_ltl_next(oct_ltl_eventually(oct_ltl_not(q())))),
               "-", open, NONE, no);
    check_said(oct_ltl_or(oct_ltl_next(oct_ltl_always(q())),
                          oct_ltl_next(oct_ltl_eventually(oct_ltl_not(q())))),
               "--", yes, 1, yes);
}

static void the_empty_run_satisfies_what_asks_for_nothing(void **state)
{
    (void)state;
    const oct_ltl_verdict open = OCT_LTL_OPEN, yes = OCT_LTL_SATISFIED, no = OCT_LTL_VIOLATED;
    check_said(oct_ltl_true(NULL), "", yes, NONE, yes);
    check_said(oct_ltl_false(NULL), "", no, NONE, no);
    check_said(p(), "", open, NONE, no);
    check_said(oct_ltl_not(p()), "", open, NONE, yes);
    check_said(oct_ltl_always(p()), "", open, NONE, yes);
    check_said(oct_ltl_always(oct_ltl_false(NULL)), "", open, NONE, yes);
    check_said(oct_ltl_always(oct_ltl_false(NULL)), "-", no, 0, no);
    check_said(oct_ltl_eventually(oct_ltl_true(NULL)), "", open, NONE, no);
    check_said(oct_ltl_eventually(oct_ltl_true(NULL)), "-", yes, 0, yes);
    check_said(oct_ltl_weak_until(p(), q()), "", open, NONE, yes);
    check_said(oct_ltl_until(p(), q()), "", open, NONE, no);
    check_said(oct_ltl_next(oct_ltl_true(NULL)), "", open, NONE, no);
    check_said(oct_ltl_weak_next(oct_ltl_false(NULL)), "", open, NONE, yes);
    check_said(oct_ltl_weak_next(oct_ltl_false(NULL)), "-", open, NONE, yes);
    check_said(oct_ltl_next(oct_ltl_always(p())), "p", open, NONE, no);
    check_said(oct_ltl_next(oct_ltl_always(p())), "pp", open, NONE, yes);
}

static void what_is_not_begun_says_nothing(void **state)
{
    (void)state;
    oct_ltl *formula = oct_ltl_true(NULL);
    uint32_t letters = 0;
    oct_ltl_verdict verdict;
    assert_int_equal(oct_ltl_begin(NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_ltl_step(NULL, &letters, &verdict), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_ltl_step(formula, &letters, &verdict), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
    assert_int_equal(oct_ltl_end(formula), OCT_LTL_OPEN);
    assert_true(oct_ltl_decided(formula) == UINT64_MAX);
    assert_true(oct_ltl_states(formula) == 0);
    assert_int_equal(run_of(formula, "pp"), OCT_LTL_SATISFIED);
    assert_true(oct_ltl_states(formula) == 2);
    // Nor what has become part of something else.
    formula = oct_ltl_not(formula);
    assert_int_equal(oct_ltl_now(formula), OCT_LTL_OPEN);
    assert_true(oct_ltl_states(formula) == 0);
    assert_int_equal(run_of(formula, ""), OCT_LTL_VIOLATED);
    formula = oct_ltl_or(formula, p());
    assert_int_equal(oct_ltl_step(formula, &letters, &verdict), OCT_ERROR_ARGUMENT);
    assert_int_equal(run_of(formula, "p"), OCT_LTL_SATISFIED);
    oct_ltl_destroy(formula);
}

static void atoms_are_asked_only_where_they_matter(void **state)
{
    (void)state;
    uint32_t letters = 1;
    // Both untils ask for p: it is asked once.
    oct_ltl *const formula =
        oct_ltl_and(oct_ltl_until(p(), q()),
                    oct_ltl_and(oct_ltl_until(p(), q()), oct_ltl_next(oct_ltl_next(r()))));
    p_atom.asked = q_atom.asked = r_atom.asked = 0;
    assert_int_equal(oct_ltl_begin(formula), OCT_OK);
    assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
    assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
    assert_true(p_atom.asked == 2 && q_atom.asked == 2 && r_atom.asked == 0);
    letters = 2 + 4;
    assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
    assert_true(p_atom.asked == 3 && q_atom.asked == 3 && r_atom.asked == 1);
    assert_int_equal(oct_ltl_now(formula), OCT_LTL_SATISFIED);
    assert_int_equal(oct_ltl_step(formula, &letters, NULL), OCT_OK);
    assert_true(p_atom.asked == 3 && oct_ltl_states(formula) == 4 && oct_ltl_decided(formula) == 2);
    oct_ltl_destroy(formula);
    // The same function with another ctx is another question.
    letter_atom other = {.letter = 2};
    oct_ltl *const both = oct_ltl_and(p(), letter(NULL, &other));
    assert_int_equal(run_of(both, "p"), OCT_LTL_VIOLATED);
    oct_ltl_destroy(both);
}

// ---- text ----

static void check_text(oct_ltl *formula, const char *expected)
{
    char text[128];
    assert_non_null(formula);
    const size_t length = oct_ltl_text(formula, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(oct_ltl_text(formula, NULL, 0), length);
    for (size_t size = 1; size <= length + 1; size++) {
        char part[128];
        memset(part, '#', sizeof part);
        assert_int_equal(oct_ltl_text(formula, part, size), length);
        assert_int_equal(strlen(part), size - 1);
        assert_memory_equal(part, expected, size - 1);
        assert_int_equal(part[size], '#');
    }
    oct_ltl_destroy(formula);
}

static void formulas_can_be_read(void **state)
{
    (void)state;
    check_text(p(), "p");
    check_text(oct_ltl_true(NULL), "true");
    check_text(oct_ltl_not(oct_ltl_false(NULL)), "not false");
    check_text(oct_ltl_always(oct_ltl_or(p(), oct_ltl_eventually(q()))),
               "always (p or eventually q)");
    check_text(oct_ltl_or(oct_ltl_always(p()), oct_ltl_eventually(q())),
               "always p or eventually q");
    check_text(oct_ltl_and(oct_ltl_and(p(), q()), oct_ltl_and(r(), oct_ltl_or(p(), q()))),
               "p and q and r and (p or q)");
    check_text(oct_ltl_implies(oct_ltl_implies(p(), q()), oct_ltl_implies(q(), r())),
               "(p implies q) implies (q implies r)");
    check_text(oct_ltl_until(oct_ltl_weak_until(p(), q()), oct_ltl_until(q(), r())),
               "(p weak until q) until (q until r)");
    check_text(oct_ltl_or(oct_ltl_or(p(), oct_ltl_and(q(), r())), oct_ltl_or(q(), r())),
               "p or (q and r) or q or r");
    check_text(oct_ltl_next(oct_ltl_weak_next(oct_ltl_not(oct_ltl_and(p(), q())))),
               "next weak next not (p and q)");
    const oct_hook none = {NULL, NULL};
    check_text(oct_ltl_and(oct_ltl_atom(NULL, "the door is shut", letter_ask, none),
                           oct_ltl_atom(NULL, "", letter_ask, none)),
               "the door is shut and ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_end_as_the_textbook_says),
        cmocka_unit_test(early_verdicts_hold_whatever_comes),
        cmocka_unit_test(undecided_letters_may_be_either),
        cmocka_unit_test(verdicts_come_early),
        cmocka_unit_test(the_empty_run_satisfies_what_asks_for_nothing),
        cmocka_unit_test(what_is_not_begun_says_nothing),
        cmocka_unit_test(atoms_are_asked_only_where_they_matter),
        cmocka_unit_test(formulas_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
