// SPDX-License-Identifier: MIT
// Goals and tactics as objects: making, refusing, freeing, and where memory is short. How trees are
// written: mind_tree.h.
#include "agent/mind.h"
#include "agent/mind_internal.h"
#include "mind_tree.h"

#include <math.h>

// A hook, and how often it was dropped.
static void count_drop(void *ctx)
{
    ++*(uint32_t *)ctx;
}

static bool never(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return false;
}

static oct_did act(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return OCT_DID_DONE;
}

static oct_goal *make_none(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return NULL;
}

static const oct_hook no_hook = {NULL, NULL};

typedef struct bench {
    test_allocator memory;
    const oct_allocator *allocator;
    uint32_t drops;
    oct_hook hook;
} bench;

static void set_up(bench *b)
{
    test_allocator_init(&b->memory, TEST_NEVER);
    b->allocator = &b->memory.allocator;
    b->drops = 0;
    b->hook = (oct_hook){&b->drops, count_drop};
}

// Nothing is left, and so many hooks were dropped since the last time.
static void check_gone(bench *b, uint32_t drops)
{
    test_allocator_check_empty(&b->memory);
    assert_int_equal(b->drops, drops);
    b->drops = 0;
}

static oct_tactic *action(bench *b)
{
    return oct_tactic_action(b->allocator, "act", NULL, act, b->hook);
}

static oct_goal *leaf(bench *b)
{
    return oct_goal_leaf(b->allocator,
                         &(oct_leaf_goal){.name = "leaf", .tactic = action(b), .hook = b->hook});
}

// ---- names ----

static void everything_has_a_name(void **state)
{
    (void)state;
    const char *const kinds[] = {"goal",  "CHECK", "SEQ",    "FIRSTof",       "ANYof", "REPEAT",
                                 "WHILE", "IF",    "DEPLOY", "INTERRUPTIBLE", "WATCH"};
    for (uint32_t i = 0; i < OCT_GOAL_KIND_COUNT; i++) {
        assert_string_equal(oct_goal_kind_name((oct_goal_kind)i), kinds[i]);
    }
    assert_null(oct_goal_kind_name(OCT_GOAL_KIND_COUNT));
    const char *const statuses[] = {"waiting", "current", "success", "failed"};
    for (uint32_t i = 0; i < OCT_GOAL_STATUS_COUNT; i++) {
        assert_string_equal(oct_goal_status_name((oct_goal_status)i), statuses[i]);
    }
    assert_null(oct_goal_status_name(OCT_GOAL_STATUS_COUNT));
}

static bool keep_view(void *ctx, const oct_goal_view *view)
{
    *(oct_goal_view *)ctx = *view;
    return false;
}

// The name of a goal, as a view of it says; the goal is freed.
static void check_name(bench *b, oct_goal *goal, const char *name)
{
    oct_mind_def def = oct_mind_def_default();
    def.allocator = b->allocator;
    oct_mind *mind;
    oct_goal_view view;
    assert_non_null(goal);
    assert_int_equal(oct_mind_create(&def, &mind), OCT_OK);
    assert_int_equal(oct_mind_pursue(mind, goal), OCT_OK);
    assert_false(oct_mind_goals(mind, keep_view, &view));
    assert_string_equal(view.name, name);
    oct_mind_destroy(mind);
}

static void goals_have_the_names_that_they_are_given(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    const oct_allocator *const a = b.allocator;
    char name[] = "copied";
    oct_goal *const checked = oct_goal_check(a, name, never, b.hook);
    oct_goal *const renamed = oct_goal_name(oct_goal_name(leaf(&b), "once"), name);
    name[0] = 'x';
    check_name(&b, checked, "copied");
    check_name(&b, renamed, "copied");
    check_name(&b, leaf(&b), "leaf");
    check_name(&b, oct_goal_success(a), "SUCCESS");
    check_name(&b, oct_goal_fail(a, "why"), "FAIL");
    check_name(&b, oct_goal_check(a, NULL, never, no_hook), "CHECK");
    check_name(&b, oct_goal_seq(a, NULL, 0), "SEQ");
    check_name(&b, oct_goal_first_of(a, NULL, 0), "FIRSTof");
    check_name(&b, oct_goal_any_of(a, NULL, 0), "ANYof");
    check_name(&b, oct_goal_repeat(a, leaf(&b)), "REPEAT");
    check_name(&b, oct_goal_repeat_until(a, leaf(&b), never, no_hook), "REPEAT");
    check_name(&b, oct_goal_while(a, never, no_hook, leaf(&b)), "WHILE");
    check_name(&b, oct_goal_if(a, never, no_hook, leaf(&b), NULL), "IF");
    check_name(&b, oct_goal_deploy(a, NULL, make_none, no_hook), "DEPLOY");
    check_name(&b, oct_goal_deploy_once(a, "later", make_none, no_hook), "later");
    check_name(&b, oct_goal_interruptible(a, leaf(&b), NULL, 0), "INTERRUPTIBLE");
    check_name(&b, oct_goal_name(oct_goal_seq(a, NULL, 0), "all"), "all");
    check_gone(&b, 1 + 2 + 2 + 5 * 2);
}

// ---- refusals ----

static void tactics_refuse_what_is_missing(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    const oct_allocator *const a = b.allocator;
    assert_null(oct_tactic_action(a, NULL, NULL, act, b.hook));
    check_gone(&b, 1);
    assert_null(oct_tactic_action(a, "act", NULL, NULL, b.hook));
    check_gone(&b, 1);
    oct_tactic *(*const makers[])(const oct_allocator *, oct_tactic *const *, size_t) = {
        oct_tactic_seq, oct_tactic_first_of, oct_tactic_any_of};
    for (size_t i = 0; i < 3; i++) {
        assert_null(makers[i](a, (oct_tactic *[]){action(&b), NULL, action(&b)}, 3));
        check_gone(&b, 2);
        assert_null(makers[i](a, NULL, 1));
        // Twice the same, and one of another tree.
        oct_tactic *const twice = action(&b);
        assert_null(makers[i](a, (oct_tactic *[]){twice, twice}, 2));
        check_gone(&b, 1);
        oct_tactic *const taken = action(&b);
        oct_tactic *const owner = oct_tactic_seq(a, &taken, 1);
        assert_null(makers[i](a, (oct_tactic *[]){action(&b), taken}, 2));
        assert_int_equal(b.drops, 1);
        oct_tactic_destroy(owner);
        check_gone(&b, 2);
    }
    oct_tactic_destroy(NULL);
    oct_tactic_destroy(oct_tactic_abort(a, NULL));
    oct_tactic_destroy(oct_tactic_abort(a, "why"));
    check_gone(&b, 0);
}

static void leaves_refuse_what_is_missing(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    const oct_allocator *const a = b.allocator;
    assert_null(oct_goal_leaf(a, NULL));
    assert_null(oct_goal_leaf(a, &(oct_leaf_goal){.tactic = action(&b), .hook = b.hook}));
    check_gone(&b, 2);
    assert_null(oct_goal_leaf(a, &(oct_leaf_goal){.name = "leaf", .hook = b.hook}));
    check_gone(&b, 1);
    const double wrong[] = {-1.0, (double)NAN};
    for (size_t i = 0; i < 2; i++) {
        assert_null(oct_goal_leaf(
            a, &(oct_leaf_goal){
                   .name = "leaf", .tactic = action(&b), .epsilon = wrong[i], .hook = b.hook}));
        check_gone(&b, 2);
    }
    oct_tactic *const taken = action(&b);
    const oct_leaf_goal def = {.name = "leaf", .tactic = taken, .hook = b.hook};
    oct_goal *const first = oct_goal_leaf(a, &def);
    assert_non_null(first);
    assert_null(oct_goal_leaf(a, &def));
    assert_null(oct_tactic_seq(a, &taken, 1));
    assert_int_equal(b.drops, 1);
    oct_goal_destroy(first);
    check_gone(&b, 3);
    assert_null(oct_goal_check(a, "check", NULL, b.hook));
    check_gone(&b, 1);
    assert_null(oct_goal_deploy(a, "deploy", NULL, b.hook));
    assert_null(oct_goal_deploy_once(a, "deploy", NULL, b.hook));
    check_gone(&b, 2);
}

static void combinations_refuse_what_is_missing(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    const oct_allocator *const a = b.allocator;
    oct_goal *(*const makers[])(const oct_allocator *, oct_goal *const *,
                                size_t) = {oct_goal_seq, oct_goal_first_of, oct_goal_any_of};
    for (size_t i = 0; i < 3; i++) {
        assert_null(makers[i](a, (oct_goal *[]){leaf(&b), NULL, leaf(&b)}, 3));
        check_gone(&b, 4);
        assert_null(makers[i](a, NULL, 1));
        oct_goal *const twice = leaf(&b);
        assert_null(makers[i](a, (oct_goal *[]){twice, twice}, 2));
        check_gone(&b, 2);
        oct_goal *const taken = leaf(&b);
        oct_goal *const owner = oct_goal_repeat(a, taken);
        assert_null(makers[i](a, (oct_goal *[]){taken, leaf(&b)}, 2));
        assert_int_equal(b.drops, 2);
        oct_goal_destroy(owner);
        check_gone(&b, 4);
    }
    assert_null(oct_goal_repeat(a, NULL));
    assert_null(oct_goal_repeat_until(a, NULL, never, b.hook));
    assert_null(oct_goal_repeat_until(a, leaf(&b), NULL, b.hook));
    check_gone(&b, 4);
    assert_null(oct_goal_while(a, never, b.hook, NULL));
    assert_null(oct_goal_while(a, NULL, b.hook, leaf(&b)));
    check_gone(&b, 4);
    assert_null(oct_goal_if(a, never, b.hook, NULL, leaf(&b)));
    assert_null(oct_goal_if(a, NULL, b.hook, leaf(&b), leaf(&b)));
    check_gone(&b, 8);
    assert_null(oct_goal_limit(NULL, 1, 1));
    assert_null(oct_goal_name(NULL, "name"));
    assert_null(oct_goal_name(leaf(&b), NULL));
    check_gone(&b, 2);
    oct_goal_destroy(NULL);
    oct_goal_destroy(oct_goal_limit(leaf(&b), 1, 1));
    check_gone(&b, 2);
}

static void interruptibles_refuse_what_is_missing(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    const oct_allocator *const a = b.allocator;
    assert_null(oct_goal_interruptible(a, NULL, NULL, 0));
    assert_null(oct_goal_interruptible(a, leaf(&b), NULL, 1));
    check_gone(&b, 2);
    assert_null(
        oct_goal_interruptible(a, NULL, (oct_handler[]){{"one", never, b.hook, leaf(&b)}}, 1));
    check_gone(&b, 3);
    assert_null(oct_goal_interruptible(
        a, leaf(&b),
        (oct_handler[]){{"one", never, b.hook, NULL}, {"two", never, b.hook, leaf(&b)}}, 2));
    check_gone(&b, 6);
    assert_null(
        oct_goal_interruptible(a, leaf(&b), (oct_handler[]){{"one", NULL, b.hook, leaf(&b)}}, 1));
    check_gone(&b, 5);
    assert_null(
        oct_goal_interruptible(a, leaf(&b), (oct_handler[]){{NULL, never, b.hook, leaf(&b)}}, 1));
    check_gone(&b, 5);
    oct_goal *const twice = leaf(&b);
    assert_null(
        oct_goal_interruptible(a, twice, (oct_handler[]){{"one", never, b.hook, twice}}, 1));
    check_gone(&b, 3);
    oct_goal_destroy(oct_goal_interruptible(
        a, leaf(&b),
        (oct_handler[]){{"one", never, b.hook, leaf(&b)}, {"two", never, no_hook, leaf(&b)}}, 2));
    check_gone(&b, 7);
}

static void trees_are_so_deep_and_no_deeper(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    oct_goal *goal = leaf(&b);
    oct_tactic *tactic = action(&b);
    for (uint32_t i = 1; i < OCT_GOAL_DEPTH_MAX; i++) {
        oct_goal *const other = oct_goal_success(b.allocator);
        oct_goal *const children[] = {i % 2 ? goal : other, i % 2 ? other : goal};
        goal = oct_goal_seq(b.allocator, children, 2);
        tactic = oct_tactic_first_of(b.allocator, (oct_tactic *[]){tactic, action(&b)}, 2);
        assert_non_null(goal);
        assert_non_null(tactic);
    }
    assert_null(oct_goal_repeat(b.allocator, goal));
    assert_null(oct_tactic_seq(b.allocator, (oct_tactic *[]){action(&b), tactic}, 2));
    check_gone(&b, 2 + OCT_GOAL_DEPTH_MAX + 1);
    // Handlers count too.
    goal = oct_goal_interruptible(b.allocator, leaf(&b),
                                  (oct_handler[]){{"one", never, no_hook, leaf(&b)}}, 1);
    for (uint32_t i = 2; i < OCT_GOAL_DEPTH_MAX; i++) {
        goal = oct_goal_interruptible(b.allocator, leaf(&b),
                                      (oct_handler[]){{"one", never, no_hook, goal}}, 1);
        assert_non_null(goal);
    }
    assert_null(oct_goal_if(b.allocator, never, no_hook, goal, NULL));
    check_gone(&b, 2 * OCT_GOAL_DEPTH_MAX);
}

// ---- memory ----

// All kinds; in the second one what is made while it runs.
static const char *const all[] = {
    "S(S(F(a2{F(S(b,c'),A(a,b?f),!,_)},-)/20,A(b~1,c?,d:t^t*),R(+),U>3(a)@90,W<4(b),It(a,b),If(c)),"
    "F(D(),O(a)),X(a,=5b,=6-),Ct)",
    "W<9(S(D(S(a,F(b{S(a,b)},A(c,d)))),O(X(a,%4b)),D(D(O(a)))))",
};

static oct_result live(const oct_allocator *allocator, void *ctx)
{
    static tree t;
    tree_read(&t, ctx);
    t.allocator = allocator;
    oct_mind_def def = oct_mind_def_default();
    def.allocator = allocator;
    oct_goal *const goal = oct_goal_name(tree_make(t.root), "all");
    oct_mind *mind;
    oct_result result = oct_mind_create(&def, &mind);
    if (result != OCT_OK) {
        oct_goal_destroy(goal);
    } else {
        result = oct_mind_pursue(mind, goal);
        while (result == OCT_OK && oct_mind_turn(mind, t.world.turn) == OCT_GOAL_CURRENT) {
            t.world.turn++;
            assert_true(t.world.turn < 100);
        }
        if (oct_mind_is_out_of_memory(mind)) {
            result = OCT_ERROR_MEMORY;
            assert_string_equal(oct_mind_reason(mind, NULL), "out of memory");
            assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
        }
        oct_mind_destroy(mind);
    }
    tree_check_hooks(&t);
    return result;
}

static void memory_may_be_short_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char string[512];
        strcpy(string, all[i]);
        assert_true(test_each_failure(live, string) > 50);
    }
}

static void random_trees_leave_nothing_behind(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        static tree t;
        char string[4096];
        oct_random random = oct_random_seed(seed);
        tree_draw(&random, string, sizeof string);
        for (size_t fail_at = 0;; fail_at++) {
            test_allocator memory;
            test_allocator_init(&memory, fail_at);
            tree_read(&t, string);
            t.allocator = &memory.allocator;
            oct_goal *const goal = tree_make(t.root);
            assert_true((goal == NULL) == memory.refused);
            oct_goal_destroy(goal);
            test_allocator_check_empty(&memory);
            tree_check_hooks(&t);
            if (goal) {
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(goals_have_the_names_that_they_are_given),
        cmocka_unit_test(tactics_refuse_what_is_missing),
        cmocka_unit_test(leaves_refuse_what_is_missing),
        cmocka_unit_test(combinations_refuse_what_is_missing),
        cmocka_unit_test(interruptibles_refuse_what_is_missing),
        cmocka_unit_test(trees_are_so_deep_and_no_deeper),
        cmocka_unit_test(memory_may_be_short_anywhere),
        cmocka_unit_test(random_trees_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
