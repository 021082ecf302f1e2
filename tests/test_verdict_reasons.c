// SPDX-License-Identifier: MIT
// Broken levels: each bug has a reason of its own, and notes that say what to look at.
#include "agent/belief_internal.h"
#include "agent/decides.h"
#include "agent/goals_certain.h"
#include "agent/history.h"
#include "agent_world.h"

#include "octant/proof_check.h"

#include <string.h>

#define WIRES_MAX 2

typedef struct level {
    const char *const *rows;
    struct {
        char from;
        oct_wire_action action;
        char to;
    } wires[WIRES_MAX];
    const char *reason;
    const char *note;
} level;

// A door with its button, a shaft behind it, the target beyond; and another door, with its button.
static const level sound = {
    PLAN("#############", "#S..D.....T.#", "#.P.######..#", "#Q..E...#####", "#############"),
    {{'P', OCT_WIRE_TOGGLE, 'D'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
    "",
    NULL};

// The same, with one bug each.
static const level broken[] = {
    // A wrong wire.
    {PLAN("#############", "#S..D.....T.#", "#.P.######..#", "#Q..E...#####", "#############"),
     {{'P', OCT_WIRE_TOGGLE, 'E'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: it may be beyond Door1, which no known button opens; Panel1 moves "
     "Door2, as Panel2 does",
     "what was not seen begins beyond Door1"},
    // A blocked shaft.
    {PLAN("#############", "#S..D...#.T.#", "#.P.######..#", "#Q..E...#####", "#############"),
     {{'P', OCT_WIRE_TOGGLE, 'D'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: everything that can be reached was explored; passages end at 17.6, "
     "-0.2, "
     "2.6 and at ",
     "everything that can be reached was explored; "},
    // A button behind its own door.
    {PLAN("#############", "#S..D.....T.#", "#...######.P#", "#Q..E...#####", "#############"),
     {{'P', OCT_WIRE_TOGGLE, 'D'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: it may be beyond Door1, which no known button opens; Panel2 moves "
     "Door2; its button may be behind it",
     "tried on it: Panel2 0 (nothing)"},
    // A wire that shuts instead of toggling.
    {PLAN("#############", "#S..D.....T.#", "#.P.######..#", "#Q..E...#####", "#############"),
     {{'P', OCT_WIRE_SHUT, 'D'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: it may be beyond Door1, which no known button opens; Panel1 does not "
     "open it, and may at most shut it",
     "what was not seen begins beyond Door1"},
    // A missing target.
    {PLAN("#############", "#S..D.......#", "#.P.######..#", "#Q..E...#####", "#############"),
     {{'P', OCT_WIRE_TOGGLE, 'D'}, {'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: everything that can be reached was explored; a passage ends at 17.6, "
     "-0.2, 7.6",
     "everything that can be reached was explored; "},
    // A wire to a misspelt id, which is no wire.
    {PLAN("#############", "#S..D.....T.#", "#.P.######..#", "#Q..E...#####", "#############"),
     {{'Q', OCT_WIRE_TOGGLE, 'E'}},
     "Target was not found: it may be beyond Door1, which no known button opens; Panel1 moves no "
     "known door",
     "tried on it: Panel1 0 (nothing)"},
};

#define BROKEN (sizeof broken / sizeof *broken)

static oct_agent *play(const level *l, block_scene *s)
{
    plan_build(s, l->rows);
    for (size_t i = 0; i < WIRES_MAX && l->wires[i].from; i++) {
        scene_wire(s, (uint64_t)l->wires[i].from, 0, l->wires[i].action, (uint64_t)l->wires[i].to);
    }
    scene_play(s);
    oct_agent *const agent = agent_make(s);
    const oct_pick target = pick_name("Target");
    agent_run(agent, oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), 3000);
    return agent;
}

static bool has_note(const oct_agent *agent, const char *part)
{
    for (size_t i = 0; i < oct_agent_notes(agent); i++) {
        if (strstr(oct_agent_note(agent, i), part)) {
            return true;
        }
    }
    return false;
}

static void the_sound_level_passes(void **state)
{
    (void)state;
    block_scene s;
    oct_agent *const agent = play(&sound, &s);
    agent_check(agent, OCT_VERDICT_PASS, "");
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void broken_levels_have_reasons_of_their_own(void **state)
{
    (void)state;
    char reasons[BROKEN][OCT_REASON_MAX];
    for (size_t i = 0; i < BROKEN; i++) {
        block_scene s;
        oct_agent *const agent = play(&broken[i], &s);
        const char *why;
        assert_int_equal(oct_agent_verdict(agent, &why), OCT_VERDICT_FAIL);
        print_message("%s\n", why);
        for (size_t k = 0; k < oct_agent_notes(agent); k++) {
            print_message("    %s\n", oct_agent_note(agent, k));
        }
        assert_memory_equal(why, broken[i].reason, strlen(broken[i].reason));
        assert_true(has_note(agent, broken[i].note));
        assert_true(has_note(agent, "m3 for the body"));
        strcpy(reasons[i], why);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(reasons[i], reasons[k]);
        }
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// ---- three doors in a row ----

#define CHAIN_WIRES 6

// Nobody gets to the target. Doors are so far from the buttons, and shut so quickly, that nobody
// slips through.
typedef struct chain {
    const char *const *rows;
    struct {
        char from, to;
    } wires[CHAIN_WIRES];
    const char *reason;
} chain;

static const chain chains[] = {
    // The button of the last door is behind it.
    {PLAN("########################", "#S....#.....#.....#....#", "#.....D.....E.....F...T#",
          "#P....#Q....#.....#R...#", "########################"),
     {{'P', 'D'}, {'Q', 'E'}, {'R', 'F'}},
     "which no known button opens; its button may be behind it"},
    // It moves another door.
    {PLAN("########################", "#S....#.....#.....#....#", "#.....D.....E.....F...T#",
          "#P....#Q....#R....#....#", "########################"),
     {{'P', 'D'}, {'Q', 'E'}, {'R', 'E'}},
     "which no known button opens; Panel3 moves Door2, as Panel2 does"},
    // Of the last two one is always shut: how they were at first is seen only when a button that
    // may move both was pressed.
    {PLAN("########################", "#S....#R....#.....#....#", "#.....D.....e.....F...T#",
          "#P....#Q....#.....#....#", "########################"),
     {{'P', 'D'}, {'Q', 'E'}, {'Q', 'F'}, {'R', 'E'}, {'R', 'F'}},
     "which no known button opens; "},
    // The target is walled in.
    {PLAN("########################", "#S....#.....#.....#..###", "#.....D.....E.....F..#T#",
          "#P....#Q....#R....#..###", "########################"),
     {{'P', 'D'}, {'Q', 'E'}, {'R', 'F'}},
     "everything that can be reached was explored"},
};

static void accept_all(const oct_agent *agent)
{
    const oct_run_log log = oct_log_view(&oct_belief_history(agent->belief)->log);
    for (size_t i = 0; i < oct_agent_proofs(agent); i++) {
        oct_proof_verdict verdict;
        assert_int_equal(oct_proof_check(oct_agent_proof(agent, i), &log, NULL, &verdict), OCT_OK);
        assert_string_equal(verdict.reason, "");
    }
    assert_true(oct_agent_proofs(agent) > 0);
}

static void doors_in_a_row_fail_for_certain(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const chain *const c = &chains[i];
        const char *why;
        block_scene s;
        plan_build(&s, c->rows);
        oct_world_rules rules = oct_world_rules_of(s.world);
        rules.speed = 5.0;
        rules.door = 0.25;
        assert_int_equal(oct_world_set_rules(s.world, &rules), OCT_OK);
        for (size_t k = 0; k < CHAIN_WIRES && c->wires[k].from; k++) {
            scene_wire(&s, (uint64_t)c->wires[k].from, 0, OCT_WIRE_TOGGLE,
                       (uint64_t)c->wires[k].to);
        }
        scene_play(&s);
        oct_agent *const agent = agent_make(&s);
        const oct_pick target = pick_name("Target");
        agent_run(agent, oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), 3000);
        const oct_verdict verdict = oct_agent_verdict(agent, &why);
        print_message("%s after %.0f s: %s\n", oct_verdict_name(verdict),
                      (double)oct_game_tick(s.game) / 60.0, why);
        assert_int_equal(verdict, OCT_VERDICT_FAIL);
        assert_non_null(strstr(why, c->reason));
        assert_true(oct_game_tick(s.game) < 300 * 60);
        accept_all(agent);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// A target behind glass, and another thing around a corner: where that has the same name, who does
// not get to the one goes to the other.
static void a_name_may_name_something_else(void **state)
{
    (void)state;
    for (int is_twice = 0; is_twice < 2; is_twice++) {
        static const char *const rows[] = {"##########", "#S..GGG#.#", "#...GTG#.#", "#...GGG#.#",
                                           "#........#", "##########", NULL};
        const char *ignored;
        block_scene s;
        plan_build(&s, rows);
        oct_world_block other = scene_block(s.grid, 900, TARGET, (oct_vec){8, 0, 1});
        other.name = is_twice ? "Target" : "Other";
        scene_put_block(&s, &other);
        scene_play(&s);
        assert_true(oct_game_describe(s.game)->unique_names == !is_twice);
        oct_agent *const agent = agent_make(&s);
        const oct_pick target = pick_name("Target");
        agent_run(agent, oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), 1000);
        const oct_verdict verdict = oct_agent_verdict(agent, &ignored);
        print_message("%s: %s\n", oct_verdict_name(verdict), ignored);
        assert_int_equal(verdict, is_twice ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// What was seen through glass but cannot be pressed is named.
static void panels_behind_glass_are_named(void **state)
{
    (void)state;
    const level glass = {
        .rows = PLAN("#########", "#S..D..T#", "#...G.P.#", "#########"),
        .wires = {{'P', OCT_WIRE_TOGGLE, 'D'}},
    };
    block_scene s;
    oct_agent *const agent = play(&glass, &s);
    const char *why;
    assert_int_equal(oct_agent_verdict(agent, &why), OCT_VERDICT_FAIL);
    assert_non_null(strstr(why, "which no button within reach opens; Panel1 is out of reach"));
    assert_true(has_note(agent, "seen, but no way to press it is known: Panel1"));
    assert_true(has_note(agent, "shut; tried on it: nothing"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// A door that opens for those who press, and one who does not.
static void who_does_not_press_says_so(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("########", "#S..D.T#", "#.P.####", "########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    oct_agent *const agent = agent_make(&s);
    const oct_pick target = pick_name("Target");
    agent_run(agent, oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0), 3000);
    const char *why;
    assert_int_equal(oct_agent_verdict(agent, &why), OCT_VERDICT_FAIL);
    assert_string_equal(why, "Target was not found without pressing: it may be beyond Door1");
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// States of the doors are not searched for several bodies, however few there are.
static void several_bodies_are_no_matter_of_many_states(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, PLAN("#####", "#S.D#", "#####"));
    oct_history *const h = oct_history_create(NULL);
    oct_agent_def def = oct_agent_def_default();
    def.belief.history = h;
    oct_agent *const agent = agent_make_as(&s, def);
    const possible_answer answer = {.status = POSSIBLE_LIMIT};
    char words[OCT_REASON_MAX];
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(oct_history_start(h, plan_at((int)i + 1, 1)), OCT_OK);
        (void)oct_possible_explain(agent, &answer, words, sizeof words);
        assert_non_null(strstr(words, i == 0 ? "too many states" : "several agents"));
        oct_agent_would_decide_possible(agent, &answer);
        assert_string_equal(agent->decides, i == 0 ? "fewer doors and buttons that matter for it"
                                                   : "a test of it with one agent");
    }
    oct_agent_destroy(agent);
    oct_history_drop(h);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sound_level_passes),
        cmocka_unit_test(broken_levels_have_reasons_of_their_own),
        cmocka_unit_test(doors_in_a_row_fail_for_certain),
        cmocka_unit_test(a_name_may_name_something_else),
        cmocka_unit_test(panels_behind_glass_are_named),
        cmocka_unit_test(who_does_not_press_says_so),
        cmocka_unit_test(several_bodies_are_no_matter_of_many_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
