// SPDX-License-Identifier: MIT
// The goals of pressing, looking, checking, waiting and tools: how each is reached, and each way to
// fail with the reason that it gives.
#include "agent/links_internal.h"
#include "agent/mind_internal.h"
#include "agent_world.h"

#include <stdio.h>
#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

static const char *const room[] = {"#########", "#.......#", "#..X..P.#", "#.......#",
                                   "#S..L...#", "#########", NULL};

// ---- buttons ----

static void buttons_are_pressed_within_reach(void **state)
{
    (void)state;
    const oct_pick panel = pick_name("Panel1"), box = pick_name("Box");
    plan_expect(room, oct_goal_press_button(NULL, &panel, 0), OPEN_END, "Panel1 is out of reach");
    plan_expect(room, oct_goal_interacted(NULL, &panel, 3), PASS, "");
    plan_expect(room, oct_goal_interacted(NULL, &panel, 4), FAIL,
                "button 4 of Panel1 could not be pressed: it has no such button");
    plan_expect(room, oct_goal_interacted(NULL, &box, 0), FAIL,
                "button 0 of Box could not be pressed: it has no such button");
    plan_expect(room, oct_goal_close_to_button(NULL, &panel), PASS, "");
    const oct_pick other = pick_name("Panel2");
    plan_expect(room, oct_goal_press_button(NULL, &other, 0), OPEN_END, "Panel2 was not seen yet");
    // A press has its effect, and the belief knows of it.
    block_scene s;
    plan_build(&s, PLAN("######", "#SPD.#", "######"));
    scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_interacted(NULL, &panel, 1), 200);
    agent_check(agent, PASS, "");
    const oct_links *const links = oct_belief_links(oct_agent_belief(agent));
    uint32_t button;
    assert_true(oct_links_find_button(links, (oct_button){'P', 1}, &button));
    assert_int_equal(oct_links_presses(links, button), 1);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- looking ----

static void faces_are_turned_to(void **state)
{
    (void)state;
    const oct_pick lamp = pick_name("Lamp1"), none = pick_name("Lamp2");
    for (int flies = 0; flies < 2; flies++) {
        block_scene s;
        plan_play(&s, room);
        if (!flies) {
            const oct_action off = {.verb = OCT_VERB_DO, .name = "jetpack"};
            assert_int_equal(scene_act(&s, 0, off), OCT_ACT_DONE);
        }
        scene_expect(&s, oct_goal_face_towards(NULL, &lamp, plan_at(0, 0)), PASS, "");
    }
    plan_expect(room, oct_goal_face_towards(NULL, NULL, (oct_point){9, 3, 2}), PASS, "");
    plan_expect(room, oct_goal_face_towards(NULL, &none, plan_at(0, 0)), OPEN_END,
                "Lamp2 was not found");
}

// ---- checking ----

static bool is_big(void *ctx, const oct_belief *belief, const oct_known *known)
{
    (void)belief;
    return scene_prop(&known->now, "integrity") >= *(const double *)ctx;
}

static oct_goal *is_at_least(const char *name, double *integrity)
{
    const oct_pick pick = pick_name(name);
    return oct_goal_invariant_checked(NULL, &pick, "big", is_big, (oct_hook){integrity, NULL});
}

static void what_entities_are_like_is_checked(void **state)
{
    (void)state;
    double little = 10.0, much = 1000.0;
    plan_expect(room, is_at_least("Lamp1", &little), PASS, "");
    plan_expect(room, is_at_least("Lamp1", &much), FAIL, "Lamp1: big does not hold");
    plan_expect(room, is_at_least("Lamp9", &much), OPEN_END, "Lamp9 was not seen yet");
    const oct_pick lamp = pick_name("Lamp1"), lamps = pick_type("lamp"), gates = pick_type("gate");
    plan_expect(room, oct_goal_block_ok(NULL, &lamp, 1.0), PASS, "");
    plan_expect(room, oct_goal_check_all(NULL, &lamps, "big", is_big, (oct_hook){&much, NULL}),
                FAIL, "Lamp1: big does not hold");
    plan_expect(room, oct_goal_check_all(NULL, &gates, "big", is_big, (oct_hook){&much, NULL}),
                FAIL, "there is no gate: everything that can be reached was explored");
    block_scene s;
    plan_play(&s, PLAN("#######", "#S...L#", "#M###N#", "#######"));
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_check_all(NULL, &lamps, "big", is_big, (oct_hook){&little, NULL}),
              500);
    agent_check(agent, PASS, "");
    assert_true(agent_noted(agent, "lamp: big holds for all 3"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void damage_is_seen(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("######", "#S...#", "######"));
    oct_world_block box = scene_block(s.grid, 7, TARGET, (oct_vec){4, 0, 1});
    box.name = "Target";
    box.damage = 30.5;
    scene_put_block(&s, &box);
    scene_play(&s);
    const oct_pick target = pick_name("Target");
    scene_expect(&s, oct_goal_block_ok(NULL, &target, 0.7), FAIL,
                 "Target has only 69 % of its integrity, 70 % are asked for");
}

// ---- waiting ----

static bool is_late(void *ctx, oct_mind *mind)
{
    return oct_belief_self(oct_agent_belief(oct_agent_of(mind)))->tick >= *(const uint64_t *)ctx;
}

static void waiting_ends_when_it_comes_or_in_time(void **state)
{
    (void)state;
    uint64_t at = 90;
    block_scene s;
    plan_play(&s, room);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_wait_until(NULL, "nine", is_late, (oct_hook){&at, NULL}, 0), 500);
    agent_check(agent, PASS, "");
    assert_int_equal(oct_game_tick(s.game), 100); // asked every turn
    assert_int_equal(oct_agent_turns(agent), 5);
    oct_agent_destroy(agent);
    block_scene_free(&s);
    plan_expect(room, oct_goal_wait_until(NULL, "nine", is_late, (oct_hook){&at, NULL}, 60),
                OPEN_END, "out of time: 1.0 s (waiting for nine)");
    // Time ends when it ends, not with the turn.
    plan_expect(room, oct_goal_wait_until(NULL, "nine", is_late, (oct_hook){&at, NULL}, 89),
                OPEN_END, "out of time: 1.5 s (waiting for nine)");
    plan_expect(room, oct_goal_wait_until(NULL, "nine", is_late, (oct_hook){&at, NULL}, 90), PASS,
                "");
    assert_null(oct_goal_wait_until(NULL, "nothing", NULL, (oct_hook){0}, 0));
    assert_null(oct_goal_opens_only(NULL, &(oct_link_claim){.panel = NULL}));
}

// ---- tools ----

static void tools_are_taken_or_missed(void **state)
{
    (void)state;
    plan_expect(room, oct_goal_equipped(NULL, OCT_ITEM_GRINDER, NULL), PASS, "");
    plan_expect(room, oct_goal_equipped(NULL, OCT_ITEM_WELDER, NULL), PASS, "");
    plan_expect(room, oct_goal_equipped(NULL, OCT_ITEM_BLOCK, "stone"), FAIL,
                "there is no stone in the toolbar");
    block_scene s;
    plan_build(&s, room);
    const oct_item lamp = {OCT_ITEM_BLOCK, LAMP};
    assert_int_equal(oct_world_set_item(s.world, 4, 5, lamp), OCT_OK);
    scene_play(&s);
    scene_expect(&s, oct_goal_equipped(NULL, OCT_ITEM_BLOCK, "lamp"), PASS, "");
    plan_build(&s, room);
    assert_int_equal(oct_world_set_item(s.world, 0, 0, lamp), OCT_OK);
    scene_play(&s);
    scene_expect(&s, oct_goal_equipped(NULL, OCT_ITEM_GRINDER, NULL), FAIL,
                 "there is no grinder in the toolbar");
}

static void blocks_are_ground_down_and_nothing_else(void **state)
{
    (void)state;
    const oct_pick lamp = pick_name("Lamp1");
    block_scene s;
    plan_play(&s, room);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_ground_down(NULL, &lamp), 500);
    agent_check(agent, PASS, "");
    const oct_belief *const belief = oct_agent_belief(agent);
    uint32_t index;
    assert_true(oct_belief_find(belief, 'L', &index) && oct_belief_get(belief, index)->gone);
    scene_step(&s, 20);
    const oct_self self = scene_self(&s, 0);
    assert_true(scene_own(&self, "works") == 0.0);
    size_t worn = 0;
    oct_observation seen;
    scene_observe(&s, 0, &seen);
    for (size_t i = 0; i < seen.count; i++) {
        const oct_entity *const e = &seen.entities[i];
        worn += scene_prop(e, "integrity") < scene_prop(e, "whole");
    }
    assert_int_equal(worn, 0);
    oct_agent_destroy(agent);
    block_scene_free(&s);
    const oct_pick none = pick_name("Lamp2");
    plan_expect(room, oct_goal_ground_down(NULL, &none), FAIL,
                "Lamp2 was not found: everything that can be reached was explored");
}

// At whichever side, the block is where that side was free, and nobody is in its way.
static void blocks_are_placed_against_a_side(void **state)
{
    (void)state;
    static const char *const hall[] = {"#######", "#.....#", "#.....#", "#..X..#",
                                       "#.....#", "#..S..#", "#######", NULL};
    static const struct {
        oct_side side;
        int x, z;
    } cases[] = {{OCT_SIDE_FORWARD, 3, 2},
                 {OCT_SIDE_BACKWARD, 3, 4},
                 {OCT_SIDE_LEFT, 2, 3},
                 {OCT_SIDE_RIGHT, 4, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block_scene s;
        plan_build(&s, hall);
        assert_int_equal(oct_world_set_item(s.world, 0, 2, (oct_item){OCT_ITEM_BLOCK, STONE}),
                         OCT_OK);
        scene_play(&s);
        oct_agent *const agent = agent_make(&s);
        const oct_pick box = pick_name("Box");
        agent_run(agent, oct_goal_placed(NULL, "stone", &box, cases[i].side), 500);
        agent_check(agent, PASS, "");
        oct_observation seen;
        scene_observe(&s, 0, &seen);
        const oct_point at = plan_at(cases[i].x, cases[i].z);
        size_t found = 0;
        for (size_t k = 0; k < seen.count; k++) {
            const oct_bounds *const b = &seen.entities[k].thing.box;
            found += b->min.x < at.x && at.x < b->max.x && b->min.y < at.y && at.y < b->max.y &&
                     b->min.z < at.z && at.z < b->max.z;
        }
        assert_int_equal(found, 1);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

static void blocks_that_one_has_not_are_not_placed(void **state)
{
    (void)state;
    const oct_pick box = pick_name("Box");
    plan_expect(room, oct_goal_placed(NULL, "lamp", &box, OCT_SIDE_RIGHT), FAIL,
                "there is no lamp in the toolbar");
}

// ---- out of the way, and in gravity ----

// A block that shuts a corridor.
static void put_plug(block_scene *s)
{
    plan_build(s, PLAN("########", "#S.X..T#", "#..#...#", "########"));
    scene_put(s, 5, STONE, 3, 1, 1);
}

static void what_is_in_the_way_is_ground_down(void **state)
{
    (void)state;
    const oct_pick box = pick_name("Box"), target = pick_name("Target");
    const oct_point beyond = plan_at(5, 2);
    block_scene s;
    put_plug(&s);
    scene_play(&s);
    scene_expect(&s, oct_goal_close_to(NULL, beyond, 0.0), FAIL,
                 "the place is not reachable: walled in, no door leads there");
    put_plug(&s);
    scene_play(&s);
    oct_goal *const through[] = {oct_goal_ground_down(NULL, &box),
                                 oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0),
                                 oct_goal_close_to(NULL, beyond, 0.0)};
    oct_goal *const either[] = {oct_goal_close_to(NULL, beyond, 0.0),
                                oct_goal_seq(NULL, through, 3)};
    scene_expect(&s, oct_goal_first_of(NULL, either, 2), PASS, "");
}

static void pull_down(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0, -9.81, 0};
}

// In a room with gravity, on its feet beside a panel, with the jetpack off.
static void stand_in_gravity(block_scene *s)
{
    const oct_action off = {.verb = OCT_VERB_DO, .name = "jetpack"};
    plan_build(s, PLAN("########", "#......#", "#SP..L.#", "########"));
    scene_rules(s, pull_down);
    scene_play(s);
    assert_int_equal(scene_act(s, 0, off), OCT_ACT_DONE);
    scene_step(s, 60);
    assert_true(scene_self(s, 0).stands && !scene_self(s, 0).flies);
}

// What needs no way is done on foot. Who has to go somewhere takes off.
static void goals_are_reached_in_gravity(void **state)
{
    (void)state;
    const oct_pick panel = pick_name("Panel1"), lamp = pick_name("Lamp1");
    block_scene s;
    stand_in_gravity(&s);
    oct_agent *agent = agent_make(&s);
    oct_goal *const still[] = {oct_goal_face_towards(NULL, &panel, (oct_point){0, 0, 0}),
                               oct_goal_press_button(NULL, &panel, 0)};
    agent_run(agent, oct_goal_seq(NULL, still, 2), 100);
    agent_check(agent, PASS, "");
    assert_true(scene_self(&s, 0).stands && !scene_self(&s, 0).flies);
    oct_agent_destroy(agent);
    agent = agent_make(&s);
    oct_goal *const away[] = {oct_goal_close_to_block(NULL, &lamp, OCT_SIDE_RIGHT, 0.0),
                              oct_goal_ground_down(NULL, &lamp), oct_goal_explore(NULL)};
    agent_run(agent, oct_goal_seq(NULL, away, 3), 500);
    agent_check(agent, PASS, "");
    assert_true(scene_self(&s, 0).flies);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- names ----

static bool add_name(void *ctx, const oct_goal_view *goal)
{
    char *const out = ctx;
    const size_t used = strlen(out);
    snprintf(out + used, 1024 - used, "%*s%s\n", (int)goal->depth, "", goal->name);
    return true;
}

static bool is_true(void *ctx, const oct_belief *belief, const oct_known *known)
{
    (void)ctx;
    (void)belief;
    (void)known;
    return true;
}

// Who reads a report sees which button, not only that there was one.
static void goals_are_named_after_what_they_are_about(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, room);
    scene_play(&s);
    oct_agent *const agent = agent_make(&s);
    const oct_pick box = pick_name("Box"), panel = {.type = "panel"},
                   seventh = {.id = 7, .by_id = true};
    const oct_link_claim claim = {.panel = "Panel1"};
    oct_goal *const goals[] = {
        oct_goal_close_to(NULL, (oct_point){1, 2.5, -3}, 0),
        oct_goal_close_to_block(NULL, &box, OCT_SIDE_BACKWARD, 0),
        oct_goal_press_button(NULL, &panel, 0),
        oct_goal_press_button(NULL, &panel, 2),
        oct_goal_face_towards(NULL, NULL, (oct_point){0, 0, 0}),
        oct_goal_block_ok(NULL, &seventh, 1),
        oct_goal_check_all(NULL, &panel, "is lit", is_true, (oct_hook){0}),
        oct_goal_opens_only(NULL, &claim),
        oct_goal_explore(NULL),
    };
    assert_int_equal(
        oct_agent_pursue(agent, oct_goal_seq(NULL, goals, sizeof goals / sizeof *goals)), OCT_OK);
    char names[1024] = "";
    assert_true(oct_mind_goals(oct_agent_mind(agent), add_name, names));
    assert_string_equal(names, "SEQ\n"
                               " close_to 1.0, 2.5, -3.0\n"
                               " close_to_block Box\n"
                               "  go to Box\n"
                               "  face_towards Box\n"
                               " press_button panel\n"
                               " press_button panel 2\n"
                               " face_towards 0.0, 0.0, 0.0\n"
                               " block_ok entity 7\n"
                               " check_all panel\n"
                               "  explore\n"
                               "  check all panel\n"
                               " opens_only Panel1\n"
                               "  learn links\n"
                               "  explore\n"
                               "  find all that is named\n"
                               "   find Panel1\n"
                               "  try buttons\n"
                               "  compare links\n"
                               " explore\n");
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buttons_are_pressed_within_reach),
        cmocka_unit_test(faces_are_turned_to),
        cmocka_unit_test(what_entities_are_like_is_checked),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(waiting_ends_when_it_comes_or_in_time),
        cmocka_unit_test(tools_are_taken_or_missed),
        cmocka_unit_test(blocks_are_ground_down_and_nothing_else),
        cmocka_unit_test(blocks_are_placed_against_a_side),
        cmocka_unit_test(blocks_that_one_has_not_are_not_placed),
        cmocka_unit_test(what_is_in_the_way_is_ground_down),
        cmocka_unit_test(goals_are_reached_in_gravity),
        cmocka_unit_test(goals_are_named_after_what_they_are_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
