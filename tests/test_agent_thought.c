// SPDX-License-Identifier: MIT
// Thinking changes nothing: neither the map that an agent thinks about, nor anything else of it.
#include "agent/press_planner.h"
#include "agent_world.h"

#include "octant/components.h"
#include "octant/tree.h"
#include "valid.h"

#define DOORS_EDGE 10

static void look_far(oct_world_rules *rules)
{
    scene_see_through(rules);
    rules->view = 25.0;
}

// More doors than a journal has entries for three changes of each. Whoever thinks them open and
// shut leaves no trace in the map; what follows the map follows it further, and begins nowhere
// anew.
static void many_doors_are_thought_about_without_a_change(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, look_far);
    for (int i = 0; i < DOORS_EDGE * DOORS_EDGE; i++) {
        scene_put(&s, (uint64_t)i + 10, DOOR, i % DOORS_EDGE - DOORS_EDGE / 2,
                  i / DOORS_EDGE - DOORS_EDGE / 2, -4);
    }
    scene_put(&s, 1, PANEL, 3, 0, 0);
    scene_play(&s);
    (void)scene_join(&s, (oct_point){0, 0, 0});
    oct_agent *const a = agent_make(&s);
    assert_int_equal(oct_agent_pursue(a, oct_goal_explore(NULL)), OCT_OK);
    assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
    const oct_tree *const tree = oct_map_tree(oct_belief_map(a->belief));
    const uint64_t revision = oct_tree_revision(tree);
    const press_aim aim = {
        .stands = {{0, 0, -20}}, .stand_count = 1, .presses = true, .what = "it"};
    const what_if *const asked = oct_navigator_octree_what_if(&a->navigator);
    uint64_t rebuilt = 0;
    for (int i = 0; i < 4; i++) {
        press_answer answer;
        assert_int_equal(oct_press_planner_explain(a, &aim, &answer), OCT_OK);
        assert_int_equal(oct_tree_revision(tree), revision);
        const uint64_t now = oct_components_measure(asked->known).rebuilt +
                             oct_components_measure(asked->maybes).rebuilt;
        assert_true(i == 0 || now == rebuilt);
        rebuilt = now;
    }
    assert_true(oct_belief_count(a->belief) > DOORS_EDGE * DOORS_EDGE);
    // The map goes on, and so do they.
    for (int i = 0; i < 2; i++) {
        press_answer answer;
        assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
        assert_int_equal(oct_press_planner_explain(a, &aim, &answer), OCT_OK);
        assert_true(oct_components_is_valid(asked->known));
        assert_true(oct_components_is_valid(asked->maybes));
    }
    oct_agent_destroy(a);
    block_scene_free(&s);
}

// What guards ask: ways and presses. The journey under way and what was tried stay as they are, and
// who asks twice is told the same.
static void asking_changes_nothing(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("########", "#S.G...#", "#..D..T#", "#P.G...#", "########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    oct_agent *const a = agent_make(&s);
    assert_int_equal(oct_agent_pursue(a, oct_goal_close_to(NULL, plan_at(2, 2), 0.3)), OCT_OK);
    assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
    const journey before = a->journey;
    assert_int_equal(before.kind, JOURNEY_TO);
    const press_aim aim = {.stands = {plan_at(5, 2)}, .stand_count = 1, .presses = true};
    planned_way way = {.allocator = a->allocator};
    for (int i = 0; i < 3; i++) {
        press_answer answer;
        assert_int_equal(oct_way_to(a, plan_at(1, 2), 0.1, &way), JOURNEY_GOING);
        assert_false(way.goes_on);
        assert_int_equal(oct_way_to(a, plan_at(2, 2), 0.3, &way), JOURNEY_GOING);
        assert_true(way.goes_on);
        assert_int_equal(oct_way_to(a, plan_at(5, 2), 0.3, &way), JOURNEY_NO_WAY);
        assert_int_equal(oct_press_planner_ask(a, &aim, &answer), OCT_OK);
        assert_int_equal(answer.step, PRESS_STEP_PRESS);
        assert_memory_equal(&a->journey, &before, sizeof before);
        assert_int_equal(a->pressed.count + a->tries.count, 0);
    }
    oct_way_free(&way);
    oct_agent_destroy(a);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(many_doors_are_thought_about_without_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
