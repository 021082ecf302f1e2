// SPDX-License-Identifier: MIT
// Agents: their life, what is demanded of them, verdicts, messages, several in one game, running
// games, memory that is short; and the bits of whole runs.
#include "agent/agent_internal.h"
#include "agent_world.h"

#include "base/base_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const hall[] = {"########", "#S....T#", "#......#", "########", NULL};

static oct_goal *fly(int x, int z)
{
    return oct_goal_close_to(NULL, plan_at(x, z), 0.0);
}

// ---- life ----

static void senseless_agents_are_refused(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, hall);
    oct_post *post;
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    const oct_bounds far = {{0, 0, 0}, {1e30, 1, 1}}, upside_down = {{5, 5, 5}, {0, 0, 0}};
    for (int i = 0; i < 11; i++) {
        oct_agent_def def = oct_agent_def_default();
        def.game = i == 0 ? NULL : s.game;
        def.cookie += i == 1;
        def.who = i == 2;
        def.name = i == 3 ? NULL : def.name;
        def.role = i == 4 ? NULL : def.role;
        def.ticks = i == 5 ? 0 : i == 6 ? OCT_ACTION_TICKS_MAX + 1 : def.ticks;
        def.belief.cookie += i == 7;
        def.bounds = i == 8 ? &far : i == 9 ? &upside_down : NULL;
        def.post = post;
        oct_agent *agent = (oct_agent *)&s;
        const oct_result wanted = i == 8 ? OCT_ERROR_RANGE : i == 10 ? OCT_OK : OCT_ERROR_ARGUMENT;
        assert_int_equal(oct_agent_create(&def, &agent), wanted);
        assert_int_equal(agent != NULL, i == 10);
        // Two of a name do not join.
        if (agent) {
            oct_agent *other;
            assert_int_equal(oct_agent_create(&def, &other), OCT_ERROR_EXISTS);
            assert_null(other);
            assert_string_equal(oct_agent_name(agent), "agent");
            assert_ptr_equal(oct_agent_game(agent), s.game);
            assert_int_equal(oct_agent_pursue(agent, NULL), OCT_ERROR_MEMORY);
            assert_int_equal(oct_agent_demand(agent, "it", NULL), OCT_ERROR_MEMORY);
        }
        oct_agent_destroy(agent);
    }
    oct_post_destroy(post);
    block_scene_free(&s);
}

// Without a goal it waits, and what it is told is done.
static void an_agent_without_a_goal_waits(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, hall);
    oct_agent *const agent = agent_make(&s);
    oct_goal_status status;
    for (uint64_t i = 0; i < 5; i++) {
        assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
        assert_int_equal(status, OCT_GOAL_CURRENT);
        assert_int_equal(oct_game_tick(s.game), 20 * (i + 1));
    }
    agent_check(agent, OCT_VERDICT_INCONCLUSIVE, "the run has not ended");
    oct_action last;
    assert_int_equal(oct_agent_came(agent, &last), OCT_ACT_DONE);
    assert_int_equal(last.verb, OCT_VERB_WAIT);
    assert_int_equal(last.ticks, 20);
    assert_int_equal(oct_agent_turns(agent), 5);
    assert_true(oct_agent_spent(agent).looks < 5); // it stands where it has looked
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// Actions of other lengths are cut to what an action may take.
static void actions_are_cut_to_their_ticks(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, hall);
    oct_agent_def def = oct_agent_def_default();
    def.ticks = 7;
    oct_agent *const agent = agent_make_as(&s, def);
    const oct_action move = {.verb = OCT_VERB_WAIT, .ticks = 3000};
    const oct_action jump = {.verb = OCT_VERB_JUMP, .ticks = 3000};
    const oct_leaf_goal leaves[] = {{.name = "one", .tactic = oct_tactic_do(NULL, &move)},
                                    {.name = "two", .tactic = oct_tactic_do(NULL, &jump)},
                                    {.name = "three", .tactic = oct_tactic_wait(NULL, 16)}};
    oct_goal *const goals[] = {oct_goal_leaf(NULL, &leaves[0]), oct_goal_leaf(NULL, &leaves[1]),
                               oct_goal_leaf(NULL, &leaves[2])};
    const uint64_t ticks[] = {7, 8, 15, 22, 24};
    assert_int_equal(oct_agent_pursue(agent, oct_goal_seq(NULL, goals, 3)), OCT_OK);
    oct_goal_status status;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
        assert_int_equal(oct_game_tick(s.game), ticks[i]);
    }
    assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
    assert_int_equal(status, OCT_GOAL_SUCCESS);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- demands and verdicts ----

static oct_truth is_left(void *ctx, void *state)
{
    const double x = oct_belief_self(oct_agent_belief(state))->centre.x;
    return x < *(const double *)ctx ? OCT_TRUE : OCT_FALSE;
}

static oct_ltl *left_of(double *x)
{
    return oct_ltl_atom(NULL, "left", is_left, (oct_hook){x, NULL});
}

static void check_demand(oct_ltl *formula, oct_verdict verdict, const char *reason)
{
    block_scene s;
    plan_play(&s, hall);
    oct_agent *const agent = agent_make(&s);
    assert_int_equal(oct_agent_demand(agent, "it", formula), OCT_OK);
    agent_run(agent, fly(4, 1), 200);
    const char *why;
    assert_int_equal(oct_agent_verdict(agent, &why), verdict);
    assert_memory_equal(why, reason, strlen(reason));
    oct_goal_status status;
    const uint64_t tick = oct_game_tick(s.game);
    assert_int_equal(oct_agent_turn(agent, &status), OCT_OK); // it has ended: nothing happens
    assert_int_equal(oct_agent_turn(agent, NULL), OCT_OK);
    assert_int_equal(oct_game_tick(s.game), tick);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void demands_hold_or_end_the_run(void **state)
{
    (void)state;
    double middle = 6.0, beyond = 30.0;
    check_demand(oct_ltl_always(left_of(&beyond)), OCT_VERDICT_PASS, "");
    check_demand(oct_ltl_always(left_of(&middle)), OCT_VERDICT_FAIL, "it did not hold at ");
    check_demand(oct_ltl_eventually(oct_ltl_not(left_of(&middle))), OCT_VERDICT_PASS, "");
    check_demand(oct_ltl_eventually(oct_ltl_not(left_of(&beyond))), OCT_VERDICT_FAIL,
                 "it did not hold when the run ended, at ");
}

static void verdicts_have_names_and_notes_are_kept_once(void **state)
{
    (void)state;
    assert_string_equal(oct_verdict_name(OCT_VERDICT_PASS), "pass");
    assert_string_equal(oct_verdict_name(OCT_VERDICT_ERROR), "error");
    assert_null(oct_verdict_name(OCT_VERDICT_COUNT));
    block_scene s;
    plan_play(&s, hall);
    oct_agent *const agent = agent_make(&s);
    oct_agent_add_note(agent, "%s %d", "seen", 1);
    oct_agent_add_note(agent, "seen 2");
    oct_agent_add_note(agent, "seen 1");
    assert_int_equal(oct_agent_notes(agent), 2);
    assert_string_equal(oct_agent_note(agent, 0), "seen 1");
    oct_message message;
    assert_int_equal(oct_agent_send(agent, "b", NULL, "", "", 0), OCT_ERROR_ABSENT);
    assert_false(oct_agent_take(agent, NULL, &message));
    const oct_action senseless = {.verb = OCT_VERB_MOVE, .ticks = 0};
    const oct_leaf_goal leaf = {.name = "move", .tactic = oct_tactic_do(NULL, &senseless)};
    assert_int_equal(oct_agent_pursue(agent, oct_goal_leaf(NULL, &leaf)), OCT_OK);
    oct_goal_status status;
    assert_int_equal(oct_agent_turn(agent, &status), OCT_ERROR_ARGUMENT);
    assert_int_equal(status, OCT_GOAL_FAILED);
    agent_check(agent, OCT_VERDICT_ERROR, oct_result_text(OCT_ERROR_ARGUMENT));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- several ----

static oct_agent *join(block_scene *s, oct_post *post, const char *name, const char *role,
                       uint32_t ticks, int x, int z)
{
    oct_agent_def def = oct_agent_def_default();
    def.who =
        oct_game_players(s->game) == 0 || strcmp(name, "a") ? scene_join(s, plan_at(x, z)) : 0;
    def.name = name;
    def.role = role;
    def.post = post;
    def.ticks = ticks;
    return agent_make_as(s, def);
}

static void agents_of_one_game_act_side_by_side(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, hall);
    oct_post *post;
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    oct_agent *const agents[] = {join(&s, post, "a", "tester", 20, 1, 1),
                                 join(&s, post, "b", "tester", 7, 3, 2),
                                 join(&s, post, "c", "guard", 13, 5, 2)};
    oct_message got;
    assert_int_equal(oct_agent_send(agents[0], "b", NULL, "door", "open", 2.0), OCT_OK);
    assert_int_equal(oct_agent_send(agents[0], NULL, "tester", "role", "", 0), OCT_OK);
    assert_int_equal(oct_agent_send(agents[0], NULL, NULL, "all", "", 0), OCT_OK);
    assert_int_equal(oct_agent_send(agents[0], "d", NULL, "", "", 0), OCT_ERROR_ABSENT);
    assert_true(oct_agent_take(agents[1], "door", &got));
    assert_string_equal(got.from, "a");
    assert_true(oct_agent_take(agents[1], "role", &got) && oct_agent_take(agents[1], "all", &got));
    assert_false(oct_agent_take(agents[2], "role", &got));
    assert_true(oct_agent_take(agents[2], NULL, &got));
    assert_string_equal(got.topic, "all");
    assert_false(oct_agent_take(agents[0], NULL, &got));
    assert_int_equal(oct_agent_pursue(agents[0], fly(5, 2)), OCT_OK);
    assert_int_equal(oct_agent_pursue(agents[1], fly(1, 1)), OCT_OK);
    uint64_t turns = 0;
    while (turns++ < 2000 && !(oct_agent_has_ended(agents[0]) && oct_agent_has_ended(agents[1]))) {
        const uint64_t before = oct_game_tick(s.game);
        assert_int_equal(oct_agents_turn(agents, 3), OCT_OK);
        assert_true(oct_game_tick(s.game) > before && oct_game_tick(s.game) <= before + 20);
    }
    agent_check(agents[0], OCT_VERDICT_PASS, "");
    agent_check(agents[1], OCT_VERDICT_PASS, "");
    // Who waits 13 ticks at a time has had its turns meanwhile.
    assert_in_range(oct_agent_turns(agents[2]), oct_game_tick(s.game) / 13,
                    oct_game_tick(s.game) / 13 + 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(oct_belief_self(oct_agent_belief(agents[i]))->bumps, 0);
        oct_agent_destroy(agents[i]);
    }
    assert_int_equal(oct_agents_turn(NULL, 0), OCT_OK);
    oct_post_destroy(post);
    block_scene_free(&s);
}

// ---- running games ----

static void running_games_are_played_too(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= 30; most += 29) {
        block_scene s;
        plan_build(&s, PLAN("########", "#.S#...#", "#..D..T#", "#P.#...#", "########"));
        scene_wire(&s, 'P', 2, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        oct_game *running;
        assert_int_equal(oct_game_delay(s.game, 1, most, 5, NULL, &running), OCT_OK);
        s.game = running;
        oct_agent *const agent = agent_make(&s);
        const oct_pick pick = pick_name("Target");
        oct_goal *const goal = oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0);
        assert_int_equal(oct_agent_pursue(agent, goal), OCT_OK);
        oct_goal_status status;
        for (int i = 0; i < 5000 && !oct_agent_has_ended(agent); i++) {
            assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
            assert_int_equal(oct_belief_self(oct_agent_belief(agent))->bumps, 0);
        }
        agent_check(agent, OCT_VERDICT_PASS, "");
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// ---- memory ----

static oct_result short_run(const oct_allocator *allocator, void *ctx)
{
    const block_scene *const world = ctx;
    block_scene s = *world;
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){world->world, NULL}, &s.game),
                     OCT_OK);
    oct_agent_def def = oct_agent_def_default();
    def.game = s.game;
    def.allocator = allocator;
    oct_agent *agent;
    oct_result result = oct_agent_create(&def, &agent);
    const oct_pick pick = pick_name("Target");
    if (result == OCT_OK) {
        oct_ltl *const all = oct_ltl_always(oct_ltl_true(allocator));
        result = oct_agent_demand(agent, "all", all);
    }
    if (result == OCT_OK) {
        oct_goal *const goal = oct_goal_smart_close_to_block(allocator, &pick, OCT_SIDE_ANY, 0.0);
        result = oct_agent_pursue(agent, goal);
    }
    oct_goal_status status;
    for (int i = 0; i < 300 && result == OCT_OK && !oct_agent_has_ended(agent); i++) {
        result = oct_agent_turn(agent, &status);
    }
    if (agent && oct_agent_has_ended(agent)) {
        const char *why;
        const oct_verdict verdict = oct_agent_verdict(agent, &why);
        if (verdict != (result == OCT_OK ? OCT_VERDICT_PASS : OCT_VERDICT_ERROR)) {
            fail_msg("%s: %s", oct_verdict_name(verdict), why);
        }
    }
    oct_agent_destroy(agent);
    oct_game_destroy(s.game);
    return result;
}

static void memory_that_is_short_is_an_error(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("######", "#SD.T#", "#P#..#", "######"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(short_run(&memory.allocator, &s), OCT_OK);
    const size_t all = memory.allocations;
    test_allocator_check_empty(&memory);
    // The first ones all, later ones in steps.
    const size_t some = (size_t)test_rounds(120);
    for (size_t at = 0; at < all; at += at < some ? 1 : 1 + all / some) {
        test_allocator_init(&memory, at);
        const oct_result result = short_run(&memory.allocator, &s);
        if (memory.refused && result != OCT_ERROR_MEMORY) {
            fail_msg("refusing allocation %zu of %zu gave: %s", at, all, oct_result_text(result));
        }
        test_allocator_check_empty(&memory);
    }
    block_scene_free(&s);
}

// ---- bits ----

// All of it are numbers of 64 bits.
static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    return (hash * UINT64_C(0x100000001b3)) ^ test_hash_add(TEST_HASH_START, data, size / 8, 8);
}

static uint64_t hash_of_run(void)
{
    block_scene s;
    plan_build(&s, PLAN("##########", "#.S#...#.#", "#..D...E.#", "#P.#.Q.#T#", "##########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&s, 'Q', 1, OCT_WIRE_TOGGLE, 'E');
    scene_play(&s);
    oct_agent *const agent = agent_make_as(&s, oct_agent_def_default());
    const oct_pick pick = pick_name("Target");
    oct_goal *const goal = oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0);
    assert_int_equal(oct_agent_pursue(agent, goal), OCT_OK);
    uint64_t hash = 0;
    oct_goal_status status;
    for (int i = 0; i < 2000 && !oct_agent_has_ended(agent); i++) {
        assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
        oct_action last;
        (void)oct_agent_came(agent, &last);
        const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
        const uint64_t words[] = {self->tick, last.verb, last.ticks, last.target, last.button};
        const oct_point points[] = {self->centre, self->velocity, last.move, last.rotate};
        hash = mix(mix(hash, words, sizeof words), points, sizeof points);
    }
    agent_check(agent, OCT_VERDICT_PASS, "");
    oct_agent_destroy(agent);
    block_scene_free(&s);
    return hash;
}

static void runs_have_the_bits_they_always_had(void **state)
{
    (void)state;
    const uint64_t hash = hash_of_run();
    print_message("0x%016" PRIx64 "\n", hash);
    assert_true(hash == UINT64_C(0x69acd9aafcb6cd6e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senseless_agents_are_refused),
        cmocka_unit_test(an_agent_without_a_goal_waits),
        cmocka_unit_test(actions_are_cut_to_their_ticks),
        cmocka_unit_test(demands_hold_or_end_the_run),
        cmocka_unit_test(verdicts_have_names_and_notes_are_kept_once),
        cmocka_unit_test(agents_of_one_game_act_side_by_side),
        cmocka_unit_test(running_games_are_played_too),
        cmocka_unit_test(memory_that_is_short_is_an_error),
        cmocka_unit_test(runs_have_the_bits_they_always_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
