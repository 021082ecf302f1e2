// SPDX-License-Identifier: MIT
// Minds: what small trees of goals do turn by turn, and what random ones do against a plain
// interpreter. How trees are written: mind_tree.h.
#include "agent/mind_internal.h"
#include "mind_tree.h"

#include <stdio.h>

#define ORACLE_TREES 12000

// ---- traces ----

typedef struct trace_case {
    const char *tree;
    // Each turn an action, or `.` where none ran; at the end ok, no and the reason (no? where that
    // is open), or ... where it goes on.
    const char *trace;
} trace_case;

static const trace_case cases[] = {
    // Leaves.
    {"a", "a ok"},
    {"a3", "a a a ok"},
    {"a0", "ok"},
    {"a~2", "a a ok"},
    {"a~0", "ok"},
    {"a?", "a ok"},
    {"a:#a2", "a a ok"},
    {"a:<5", "ok"},
    {"a^f", "no: a could not begin"},
    {"a^t", "a ok"},
    {"a0^f", "no: a could not begin"},
    // SUCCESS, FAIL and CHECK take no turn.
    {"+", "ok"},
    {"-", "no: as it must"},
    {"Ct", "ok"},
    {"Cf", "no: CHECK is not so"},
    {"S(a,C#a1,b)", "a b ok"},
    {"S(a,C#a2,b)", "a no: CHECK is not so"},
    // SEQ.
    {"S()", "ok"},
    {"S(a2,b)", "a a b ok"},
    {"S(a,b0,c)", "a c ok"},
    {"S(S(a,b),S(c,d))", "a b c d ok"},
    {"S(a,-,b)", "a no: as it must"},
    {"S(a,b^f,c)", "a no: b could not begin"},
    {"S(a,b:#a1,c)", "a c ok"},
    // FIRSTof.
    {"F()", "no: nothing to choose from"},
    {"F(a,b)", "a ok"},
    {"F(-,b)", "b ok"},
    {"F(S(a,-),b2)", "a b b ok"},
    {"F(-,a^f)", "no: a could not begin"},
    {"F(a^f,-)", "no: as it must"},
    {"F(F(-,-),S(a,F(-,b)))", "a b ok"},
    // What is not known counts as neither.
    {"Co2", "no? whether CHECK holds is not known: turn 1"},
    {"S(a,Co2,b)", "a b ok"},
    {"F(Co9,a)", "a ok"},
    {"F(Co9,-)", "no? whether CHECK holds is not known: turn 1"},
    {"Io2(a,b)", "no? whether IF holds is not known: turn 1"},
    {"Wo2(a)", "no? whether WHILE holds is not known: turn 1"},
    {"Uo3(a)", "a a ok"},
    {"Uo9(a)/2", "a a no? out of budget: 2 turns (turn 3)"},
    {"a:o3", "a a ok"},
    {"a:o9/2", "a a no? out of budget: 2 turns (turn 3)"},
    {"a9^o2{b}", "b b b b b b b b b ok"},
    {"S(a,a9^o3)", "a no? whether a holds is not known: turn 2"},
    // ANYof.
    {"A()", "no: nothing to choose from"},
    {"A(a)", "a ok"},
    {"A(-,-,a)", "a ok"},
    {"A(-,-)", "no: as it must"},
    {"A(S(a,-),S(a,-),S(a,-))", "a a a no: as it must"},
    // REPEAT.
    {"R(a)", "a ok"},
    {"R(S(a,C#a3))", "a a a ok"},
    {"R(S(a,-))/4", "a a a a no? out of budget: 4 turns (as it must)"},
    {"R(-)/2", ". . no? out of budget: 2 turns (as it must)"},
    {"F(R(-)/2,a)", ". . a ok"},
    {"R(a9/2)/5", "a a a a a no? out of budget: 5 turns"},
    // REPEAT until.
    {"U#a3(a)", "a a a ok"},
    {"U#a3(S(a,-))", "a a a ok"},
    {"Ut(a)", "a ok"},
    {"Uf(a)/3", "a a a no? out of budget: 3 turns"},
    {"U>4(+)", ". . . ok"},
    // WHILE.
    {"Wf(a)", "ok"},
    {"W<4(a)", "a a a ok"},
    {"W<4(S(a,-))", "a a a ok"},
    {"W<4(a2)", "a a a a ok"},
    {"S(W<3(+),a)", ". . a ok"},
    {"Wt(a)/2", "a a no? out of budget: 2 turns"},
    {"W<3(a)/2", "a a ok"},
    // IF.
    {"It(a,b)", "a ok"},
    {"If(a,b)", "b ok"},
    {"If(a)", "ok"},
    {"It(-,b)", "no: as it must"},
    {"S(a,I#a1(b,c))", "a b ok"},
    {"I=1(a3,b)", "a a a ok"},
    // DEPLOY.
    {"D(a2)", "a a ok"},
    {"D()", "no: DEPLOY made no goal"},
    {"S(a,D(b),c)", "a b c ok"},
    {"D(-)", "no: as it must"},
    {"D(D(D(a)))", "a ok"},
    {"W<5(D(a))", "a a a a ok"},
    {"W<5(O(a))", "a a a a ok"},
    {"W<4(F(D(),O(a)))", "a a a ok"},
    // Tactics: choosing.
    {"x2{F(a?>2,b)}", "b a ok"},
    {"x2{F(a?f,b?f)}", ". . . . . . . . . . . . . . ..."},
    {"x{a?>3}", ". . a ok"},
    {"x3{A(a?f,b,c?f)}", "b b b ok"},
    {"x2{F(A(a?f,b?f),c)}", "c c ok"},
    {"x2{A(F(a?f,b),c?f)}", "b b ok"},
    {"x{A()}/2", ". . no? out of budget: 2 turns"},
    // Tactics: SEQ has no way back, and begins anew at its end.
    {"x5{S(a,b)}", "a b a b a ok"},
    {"x?{S(a,b,c)}", "a b c ok"},
    {"x3{F(S(a,b?>4),c)}", "a . . b a ok"},
    {"x2{F(S(a?f,b),c)}", "c c ok"},
    {"x?{F(S(a,b),c)}", "a b ok"},
    {"x?{S(S(a,b),F(c?f,d))}", "a b d ok"},
    {"x?{S(F(a,b),A(S(c,d)),a)}", "a c d a ok"},
    {"x?{S()}/1", ". no? out of budget: 1 turn"},
    {"W<7(x3{S(a,b)})", "a b a a b a ok"},
    // MORE: no guard, and no other action.
    {"x?{a?=1;>3}", "a a a ok"},
    {"x?{F(b?>2,a;>4)}", "a a a a ok"},
    {"x2{F(b?>2,a;>4)}", "a a ok"},
    {"x?{S(a;>2,b;>4)}", "a a b b ok"},
    // STEP: the guard is asked again, and so are others, where it stands.
    {"x?{a&>3}", "a a a ok"},
    {"x?{F(b?>2,a&>4)}", "a b ok"},
    {"x?{S(a&>2,b&>4)}", "a a b b ok"},
    {"x?{S(a,F(b?=3,c&>5),d)}", "a c b d ok"},
    {"x?{S(a,S(b?>3&>4,c))}", "a . b b c ok"},
    // ABORT.
    {"x{!}", "no: gave up"},
    {"x{_}", "no: x was aborted"},
    {"x{F(a?<3,!)}", "a ok"},
    {"x9{F(a?<3,!)}", "a a no: gave up"},
    {"x9{F(a?<3\",_)}", "a a no? no a"},
    {"x9{F(a?<3',_)}", "a a no: a in 2"},
    {"x9{a!>2}", "a a no: x was aborted"},
    {"x9{a!>2'}", "a a no: a in 2"},
    {"x2{a!>2}", "a a no: x was aborted"},
    {"F(x9{a!>2},b)", "a a b ok"},
    {"x9{S(a,!)}", "a no: gave up"},
    {"S(x{F(b?f\",a)},y{_})", "a no: y was aborted"},
    {"R(S(x{a'},y{F(b?=2,_)}))", "a b ok"},
    // Budgets in turns.
    {"a3/3", "a a a ok"},
    {"a4/3", "a a a no? out of budget: 3 turns"},
    {"a4*/3", "a a a no? out of budget: 3 turns"},
    {"a4{a'}/3", "a a a no? out of budget: 3 turns (a in 3)"},
    {"x{a?f\"}/1", ". no? out of budget: 1 turn (no a)"},
    {"S(a3,b3)/4", "a a a b no? out of budget: 4 turns"},
    {"S(a3,b)/3", "a a a no? out of budget: 3 turns"},
    {"S(a3,b0)/3", "a a a ok"},
    {"F(a9/2,b)", "a a b ok"},
    {"F(a9/2,b)/2", "a a no? out of budget: 2 turns"},
    {"F(x9{a!=2},b0)/2", "a a no? out of budget: 2 turns (x was aborted)"},
    {"F(x9{a!=2},b0)", "a a ok"},
    {"F(a9*/2,b9/1)", "a a b no? out of budget: 1 turn"},
    {"F(a9/2,b9*/1)", "a a b no? out of budget: 1 turn"},
    {"S(a9*/2,b)", "a a no? out of budget: 2 turns"},
    {"S(F(a9*/2,b),-)", "a a b no: as it must"},
    {"R(S(F(a9/2,b),-))/7", "a a b a a b a no? out of budget: 7 turns"},
    {"S(a2,R(b9/2)/3)/9", "a a b b b no? out of budget: 3 turns"},
    // Budgets in ticks: ten pass each turn.
    {"a3@30", "a a a ok"},
    {"a4@30", "a a a no? out of time: 0.5 s"},
    {"a4@25", "a a a no? out of time: 0.4 s"},
    {"a4@31", "a a a a ok"},
    {"F(a9@20,b)@60", "a a b ok"},
    {"F(a9@20,b9)@60", "a a b b b b no? out of time: 1.0 s"},
    {"a4{a'}/3@30", "a a a no? out of budget: 3 turns (a in 3)"},
    {"a9/3@20", "a a no? out of time: 0.3 s"},
    // INTERRUPTIBLE.
    {"X(a3)", "a a a ok"},
    {"X(-)", "no: as it must"},
    {"X(a3,=3b2)", "a a b b a a a ok"},
    {"X(a3,=3-)", "a a a a a ok"},
    {"X(a3,fb,=2c)", "a c a a a ok"},
    {"X(a3,=2b,=2c)", "a b a a a ok"},
    {"X(a2,=1b)", "a a ok"},
    {"X(a1,=2b)", "a b a ok"},
    {"X(a2,>2b)/6", "a b a b a b no? out of budget: 6 turns"},
    {"X(a5/3,=3b)", "a a b a a a no? out of budget: 3 turns"},
    {"X(S(a,b2),=3c)", "a b c a b b ok"},
    {"X(X(a3,=2b),=2c)", "a c a a a ok"},
    {"X(X(a3,=2b),=3c)", "a b c a a a ok"},
    {"X(a3,=2X(b3,=4c))", "a b b c b b b a a a ok"},
    {"X(a3,=2X(b3,=2c))", "a b b b a a a ok"},
    {"X(a9,=2b9/2)/9", "a b b a a a a a a no? out of budget: 9 turns"},
    {"S(X(a2,=4b),X(c2,=4d))", "a a c d c c ok"},
    {"X(x?{S(a,b,c)},=3d)", "a b d a b c ok"},
    {"X(x?{a;>4},=3d)", "a a d a ok"},
};

static void add(char *trace, const char *word)
{
    const size_t size = strlen(trace);
    snprintf(trace + size, 512 - size, "%s%s", size ? " " : "", word);
}

static void follow(tree *t, char *trace)
{
    oct_mind_def def = oct_mind_def_default();
    oct_mind *mind;
    assert_int_equal(oct_mind_create(&def, &mind), OCT_OK);
    assert_int_equal(oct_mind_pursue(mind, tree_make(t->root)), OCT_OK);
    *trace = '\0';
    oct_goal_status status = OCT_GOAL_CURRENT;
    while (status == OCT_GOAL_CURRENT && t->world.turn < TREE_TURNS) {
        t->world.turn++;
        status = oct_mind_turn(mind, t->world.turn * 10);
        if (status == OCT_GOAL_CURRENT) {
            add(trace, *oct_mind_action(mind) ? oct_mind_action(mind) : ".");
        }
        assert_int_equal(oct_mind_turns(mind), t->world.turn);
    }
    bool is_open;
    const char *const reason = oct_mind_reason(mind, &is_open);
    if (status == OCT_GOAL_FAILED) {
        add(trace, is_open ? "no?" : "no:");
        add(trace, reason);
    } else {
        assert_string_equal(reason, "");
        assert_false(is_open);
        add(trace, status == OCT_GOAL_SUCCESS ? "ok" : "...");
    }
    oct_mind_destroy(mind);
}

static void small_trees_do_as_the_table_says(void **state)
{
    (void)state;
    static tree t;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char trace[512];
        tree_read(&t, cases[i].tree);
        follow(&t, trace);
        tree_check_hooks(&t);
        if (strcmp(trace, cases[i].trace) != 0) {
            print_error("%s\n  wanted %s\n  got    %s\n", cases[i].tree, cases[i].trace, trace);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// ---- the oracle ----

static void compare(tree *t, const char *string, uint64_t seed)
{
    tree_log fast = {.chars = NULL}, slow = {.chars = NULL};
    tree_read(t, string);
    tree_run(t, seed, TREE_TURNS, &fast);
    tree_check_hooks(t);
    tree_run_slowly(t, seed, TREE_TURNS, &slow);
    if (fast.size != slow.size || memcmp(fast.chars, slow.chars, fast.size) != 0) {
        size_t at = 0, line = 0;
        while (fast.chars[at] && fast.chars[at] == slow.chars[at]) {
            at++;
            line = fast.chars[at - 1] == '\n' ? at : line;
        }
        fail_msg("%s, seed %u: the mind\n%.200s\nbut it should\n%.200s", string, (unsigned)seed,
                 fast.chars + line, slow.chars + line);
    }
    tree_log_free(&fast);
    tree_log_free(&slow);
}

static void the_table_is_what_the_oracle_says(void **state)
{
    (void)state;
    static tree t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compare(&t, cases[i].tree, i);
    }
}

static void random_trees_do_as_the_oracle_says(void **state)
{
    (void)state;
    static tree t;
    const uint64_t count = test_rounds(ORACLE_TREES);
    for (uint64_t seed = 1; seed <= count; seed++) {
        char string[4096];
        oct_random random = oct_random_seed(seed);
        tree_draw(&random, string, sizeof string);
        compare(&t, string, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_trees_do_as_the_table_says),
        cmocka_unit_test(the_table_is_what_the_oracle_says),
        cmocka_unit_test(random_trees_do_as_the_oracle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
