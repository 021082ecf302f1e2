// SPDX-License-Identifier: MIT
// Agents that plan by a plain map: it knows the same as the octree, tests are played to their end,
// and what it does not find is never certain.
#include "agent/agent_internal.h"
#include "agent_world.h"
#include "baseline/baseline_navigator.h"

#include "geom/geom_internal.h"
#include "octant/tree.h"

#include <string.h>

#define PASS OCT_VERDICT_PASS
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

static const char *const beyond_a_door[] = {"########", "#S.#...#", "#..D..T#",
                                            "#P.#...#", "########", NULL};

static oct_agent_def plain_def(baseline_kind kind)
{
    oct_agent_def def = oct_agent_def_default();
    def.navigator = oct_baseline_navigator(kind);
    return def;
}

static void build(block_scene *s)
{
    plan_build(s, beyond_a_door);
    scene_wire(s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(s);
}

static oct_goal *press_and_go(void)
{
    const oct_pick panel = pick_name("Panel1"), target = pick_name("Target");
    oct_goal *const steps[] = {oct_goal_close_to_button(NULL, &panel),
                               oct_goal_press_button(NULL, &panel, 0),
                               oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0)};
    return oct_goal_seq(NULL, steps, 3);
}

static void check_labels(const oct_agent *a, int counts[3])
{
    const oct_tree *const tree = oct_map_tree(oct_belief_map(a->belief));
    const double cell = oct_tree_cell_size(tree);
    for (int i = 0; i < 24 * 24 * 12; i++) {
        const oct_point by = {(i % 24 - 12) * 3 * cell, (i / 576 - 6) * 2 * cell,
                              (i / 24 % 24 - 12) * 3 * cell};
        const oct_point at = point_add(agent_self(a)->centre, by);
        oct_vec there;
        assert_true(oct_tree_cell_at(tree, at, &there));
        const oct_label label = navigator_label(&a->navigator, at);
        assert_int_equal(label, oct_tree_label(tree, there));
        counts[label]++;
    }
}

// After every turn, through looks, presses and doors that are predicted, it knows what the map of
// the belief knows.
static void it_follows_the_map_of_the_belief(void **state)
{
    (void)state;
    for (baseline_kind kind = BASELINE_GRID; kind < BASELINE_KIND_COUNT; kind++) {
        block_scene s;
        int counts[3] = {0};
        build(&s);
        oct_agent *const a = agent_make_as(&s, plain_def(kind));
        assert_int_equal(oct_agent_pursue(a, press_and_go()), OCT_OK);
        for (int turn = 0; turn < 400 && !oct_agent_has_ended(a); turn++) {
            assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
            check_labels(a, counts);
        }
        agent_check(a, PASS, "");
        assert_true(counts[OCT_OPEN] > 0 && counts[OCT_BLOCKED] > 0 && counts[OCT_UNKNOWN] > 0);
        oct_agent_destroy(a);
        block_scene_free(&s);
    }
}

static void check_run(baseline_kind kind, oct_goal *goal, oct_verdict verdict, const char *reason)
{
    block_scene s;
    build(&s);
    oct_agent *const a = agent_make_as(&s, plain_def(kind));
    agent_run(a, goal, 2000);
    agent_check(a, verdict, reason);
    assert_int_equal(oct_agent_ground(a).kind, OCT_PROOF_NONE);
    oct_agent_destroy(a);
    block_scene_free(&s);
}

// The octree fails these for certain.
static void what_it_does_not_find_is_not_certain(void **state)
{
    (void)state;
    const oct_pick target = pick_name("Target"), lamp = pick_name("Lamp1");
    for (baseline_kind kind = BASELINE_GRID; kind < BASELINE_KIND_COUNT; kind++) {
        check_run(kind, oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), OPEN_END,
                  "Target was not found without pressing: it may be beyond Door1 (not certain: a "
                  "plain map proves nothing)");
        check_run(kind, oct_goal_explore_to_find(NULL, &lamp), OPEN_END,
                  "Lamp1 was not found without pressing: it may be beyond Door1 (not certain: a "
                  "plain map proves nothing)");
        check_run(kind, oct_goal_fail(NULL, "as told"), OPEN_END,
                  "as told (not certain: a plain map proves nothing)");
        check_run(kind, oct_goal_explore(NULL), OPEN_END,
                  "explored, but a plain map proves nothing");
    }
}

// What presses would change is not told: it presses nothing, and says so.
static void it_plans_no_presses(void **state)
{
    (void)state;
    static const char *const glass[] = {"########", "#S.G...#", "#..D..T#",
                                        "#P.G...#", "########", NULL};
    for (baseline_kind kind = BASELINE_GRID; kind < BASELINE_KIND_COUNT; kind++) {
        block_scene s;
        const oct_pick target = pick_name("Target");
        plan_build(&s, glass);
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        oct_agent *const a = agent_make_as(&s, plain_def(kind));
        agent_run(a, oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), 2000);
        agent_check(a, OPEN_END,
                    "no way to Target is known, and nobody can tell what doors would change");
        oct_agent_destroy(a);
        block_scene_free(&s);
    }
}

static void kinds_beyond_the_last_are_none(void **state)
{
    (void)state;
    assert_null(oct_baseline_navigator(BASELINE_KIND_COUNT));
    assert_ptr_not_equal(oct_baseline_navigator(BASELINE_GRID),
                         oct_baseline_navigator(BASELINE_SET));
}

// ---- memory ----

static oct_result play(const oct_allocator *allocator, void *ctx)
{
    oct_agent *a;
    oct_agent_def def = plain_def(*(const baseline_kind *)ctx);
    block_scene s;
    build(&s);
    def.game = s.game;
    def.allocator = allocator;
    def.belief.cell = 1.0;
    def.belief.padding = 0.9;
    oct_result result = oct_agent_create(&def, &a);
    if (result == OCT_OK) {
        result = oct_agent_pursue(a, oct_goal_explore(NULL));
        for (int i = 0; i < 6 && result == OCT_OK; i++) {
            result = oct_agent_turn(a, NULL);
        }
        oct_remains left;
        result = result == OCT_OK ? oct_agent_remains(a, &left) : result;
    }
    oct_agent_destroy(a);
    block_scene_free(&s);
    return result;
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    for (baseline_kind kind = BASELINE_GRID; kind < BASELINE_KIND_COUNT; kind++) {
        assert_true(test_each_failure(play, &kind) >= 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_the_map_of_the_belief),
        cmocka_unit_test(what_it_does_not_find_is_not_certain),
        cmocka_unit_test(it_plans_no_presses),
        cmocka_unit_test(kinds_beyond_the_last_are_none),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
