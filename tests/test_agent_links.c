// SPDX-License-Identifier: MIT
// The goals about what buttons do: claims that are so, that lack a link or have one too many, and
// what stays uncertain.
#include "agent_world.h"

#include <stdio.h>
#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE
#define TOGGLES OCT_LINK_KIND_TOGGLES

static const char *const two_doors[] = {"########", "#S.D...#", "#P.#...#",
                                        "#..E...#", "########", NULL};

static void expect_links(bool whole, const char *const *doors, size_t count, oct_verdict verdict,
                         const char *reason)
{
    block_scene s;
    plan_build(&s, two_doors);
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'E');
    scene_play(&s);
    const oct_link_claim claims[] = {{"Panel1", 0, doors, count, TOGGLES}};
    scene_expect(&s,
                 whole ? oct_goal_links_are(NULL, claims, 1) : oct_goal_opens_only(NULL, claims),
                 verdict, reason);
}

static void claims_about_links_are_compared(void **state)
{
    (void)state;
    const char *const right[] = {"Door1"}, *const wrong[] = {"Door2"};
    const char *const both[] = {"Door1", "Door2"}, *const none[] = {"Door9"};
    expect_links(false, right, 1, PASS, "");
    expect_links(false, both, 2, FAIL, "missing link: button 0 of Panel1 does not toggle Door2");
    expect_links(false, right, 0, FAIL, "extra link: button 0 of Panel1 toggles Door1");
    expect_links(false, none, 1, FAIL,
                 "Door9 was not found: everything that can be reached was explored");
    expect_links(true, right, 1, FAIL, "extra link: button 1 of Panel1 toggles Door2");
    const char *why;
    block_scene s;
    plan_build(&s, two_doors);
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    oct_agent *const agent = agent_make(&s);
    const oct_link_claim claim = {"Panel1", 0, wrong, 1, TOGGLES},
                         absent = {.panel = "Panel1", .button = 7};
    agent_run(agent, oct_goal_opens_only(NULL, &claim), 1000);
    assert_int_equal(oct_agent_verdict(agent, &why), FAIL); // mis-wired: either half says so
    assert_true(strstr(why, "missing link") || strstr(why, "extra link"));
    assert_true(agent_noted(
        agent, "that button 0 of Panel1 toggles Door1 follows from Door1 as it was seen: shut at "
               "0.0 s, open at 8.2 s"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
    plan_expect(two_doors, oct_goal_opens_only(NULL, &absent), FAIL, "Panel1 has no button 7");
}

// All at once: everything that the buttons do is claimed, or too much, or too little.
static void claims_about_all_links_are_compared(void **state)
{
    (void)state;
    static const char *const first[] = {"Door1"}, *const second[] = {"Door2"};
    static const char *const both[] = {"Door1", "Door2"};
    const struct {
        oct_link_claim claims[3];
        size_t count;
        oct_verdict verdict;
        const char *reason;
    } cases[] = {
        {{{"Panel1", 0, first, 1, TOGGLES}, {"Panel1", 1, both, 2, TOGGLES}}, 2, PASS, ""},
        {{{"Panel1", 1, both, 2, TOGGLES},
          {.panel = "Panel1", .button = 3},
          {"Panel1", 0, first, 1, TOGGLES}},
         3,
         PASS,
         ""},
        {{{"Panel1", 0, both, 2, TOGGLES}, {"Panel1", 1, both, 2, TOGGLES}},
         2,
         FAIL,
         "missing link: button 0 of Panel1 does not toggle Door2"},
        {{{"Panel1", 0, first, 1, TOGGLES}, {"Panel1", 1, second, 1, TOGGLES}},
         2,
         FAIL,
         "extra link: button 1 of Panel1 toggles Door1"},
        {{{"Panel1", 0, first, 1, TOGGLES},
          {"Panel1", 1, both, 2, TOGGLES},
          {"Panel1", 2, second, 1, TOGGLES}},
         3,
         FAIL,
         "missing link: button 2 of Panel1 does not toggle Door2"},
        {{{"Panel1", 0, first, 1, TOGGLES}},
         1,
         FAIL,
         "extra link: button 1 of Panel1 toggles Door1"},
        {{{.panel = NULL}}, 0, FAIL, "extra link: button 0 of Panel1 toggles Door1"},
        {{{"Panel1", 0, first, 1, TOGGLES},
          {"Panel1", 1, both, 2, TOGGLES},
          {"Panel9", 0, first, 1, TOGGLES}},
         3,
         FAIL,
         "Panel9 was not found: everything that can be reached was explored"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block_scene s;
        plan_build(&s, two_doors);
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'D');
        scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'E');
        scene_play(&s);
        scene_expect(&s, oct_goal_links_are(NULL, cases[i].claims, cases[i].count),
                     cases[i].verdict, cases[i].reason);
    }
}

typedef struct wired {
    oct_wire_action first, second; // of buttons 0 and 1, to the first door
    bool has_timer;                // button 2 moves the second door, after a second
} wired;

static void build_wired(block_scene *s, const wired *w)
{
    plan_build(s, two_doors);
    scene_wire(s, 'P', 0, w->first, 'D');
    scene_wire(s, 'P', 1, w->second, 'D');
    if (w->has_timer) {
        scene_put_timer(s, 'i', (oct_vec){0, 6, 0}, 1.0);
        scene_wire(s, 'P', 2, OCT_WIRE_START, 'i');
        scene_wire(s, 'i', 0, OCT_WIRE_TOGGLE, 'E');
    }
    scene_play(s);
}

// A door that moves by itself, as far as one can tell, is odd: whether a button toggles it is not
// certain, whatever is seen of it.
static void expect_odd(oct_goal *goal, const char *reason)
{
    block_scene s;
    plan_build(&s, two_doors);
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'E');
    scene_play(&s);
    const uint32_t other = scene_join(&s, plan_at(2, 2));
    oct_agent *const agent = agent_make(&s);
    assert_int_equal(oct_agent_pursue(agent, goal), OCT_OK);
    for (int i = 0; i < 1000 && !oct_agent_has_ended(agent); i++) {
        oct_goal_status status;
        assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
        if (i == 0) {
            assert_int_equal(scene_use(&s, other, 'P', 0), OCT_ACT_DONE);
        }
    }
    agent_check(agent, OPEN_END, reason);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void links_may_stay_uncertain(void **state)
{
    (void)state;
    static const char *const first[] = {"Door1"}, *const second[] = {"Door2"};
    const oct_link_claim claims[] = {{"Panel1", 0, first, 1, TOGGLES},
                                     {"Panel1", 1, second, 1, TOGGLES}};
    expect_odd(oct_goal_opens_only(NULL, claims),
               "whether button 0 of Panel1 toggles Door1 is not certain");
    expect_odd(oct_goal_opens_only(NULL, &claims[1]),
               "whether button 1 of Panel1 moves Door1 is not certain");
    expect_odd(oct_goal_links_are(NULL, claims, 2),
               "whether button 0 of Panel1 toggles Door1 is not certain");
    // Nor is it where there was no time to press, or to wait for what presses do.
    const wired w = {OCT_WIRE_OPEN, OCT_WIRE_SHUT, true};
    const oct_link_claim claim = {"Panel1", 0, first, 1, OCT_LINK_KIND_OPENS};
    block_scene slow;
    build_wired(&slow, &w);
    oct_agent *const late = agent_make(&slow);
    agent_run(late, oct_goal_limit(oct_goal_link(NULL, &claim), 0, 3 * OCT_BLOCK_WORLD_RATE), 1000);
    agent_check(late, OPEN_END, "out of time: 3.0 s (1 link is not certain)");
    assert_string_equal(oct_agent_decides(late),
                        "about 6 s more for presses alone, beside the way there");
    oct_agent_destroy(late);
    block_scene_free(&slow);
    plan_expect(two_doors, oct_goal_limit(oct_goal_opens_only(NULL, claims), 4, 0), OPEN_END,
                "out of budget: 4 turns");
    // What is claimed of a panel behind glass nobody can find out.
    const oct_link_claim far[] = {{"Panel1", 0, first, 1, TOGGLES},
                                  {"Panel2", 0, first, 1, TOGGLES}};
    block_scene s;
    plan_build(&s, PLAN("########", "#S.D...#", "#P.#####", "#..G.Q.#", "########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    scene_expect(&s, oct_goal_links_are(NULL, far, 2), OPEN_END,
                 "whether button 0 of Panel2 toggles Door1 is not certain");
    // Where nothing is claimed of it, that is no matter.
    plan_build(&s, PLAN("########", "#S.D...#", "#P.#####", "#..G.Q.#", "########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_links_are(NULL, far, 1), 1000);
    agent_check(agent, PASS, "");
    assert_true(agent_noted(agent, "Panel2 was out of reach: what it does was not tried"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- what is certain ----

// Presses buttons of the first panel one after the other, each after so many ticks of rest.
static void press_all(oct_agent *agent, const uint32_t *buttons, size_t count, uint32_t rest)
{
    const oct_pick panel = pick_name("Panel1");
    oct_goal *steps[16];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const oct_leaf_goal wait = {.name = "wait", .tactic = oct_tactic_wait(NULL, rest)};
        steps[n++] = oct_goal_interacted(NULL, &panel, buttons[i]);
        steps[n++] = oct_goal_leaf(NULL, &wait);
    }
    agent_run(agent, oct_goal_seq(NULL, steps, n), 2000);
    agent_check(agent, PASS, "");
}

// What a button does is certain from isolated presses alone: what opens and does not shut again is
// no toggle, and one press that changes nothing leaves two possibilities.
static void kinds_of_links_are_certain_or_undecided(void **state)
{
    (void)state;
    const struct {
        uint32_t buttons[6];
        size_t count;
        uint32_t rest;          // ticks
        oct_link_kind kinds[4]; // of the four buttons, to the first door
    } cases[] = {
        {{0}, 1, 240, {OCT_LINK_KIND_UNDECIDED}},
        {{0, 0}, 2, 240, {OCT_LINK_KIND_OPENS}},
        {{0, 2, 2}, 3, 240, {[2] = OCT_LINK_KIND_TOGGLES}},
        {{0, 1, 1}, 3, 240, {[1] = OCT_LINK_KIND_SHUTS}},
        {{3, 0, 3, 0}, 4, 240, {[0] = OCT_LINK_KIND_OPENS, [3] = OCT_LINK_KIND_NOTHING}},
        {{0, 0}, 2, 20, {OCT_LINK_KIND_UNDECIDED}}, // too soon after each other
        {{2, 2}, 2, 20, {OCT_LINK_KIND_UNDECIDED}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block_scene s;
        plan_build(&s, two_doors);
        scene_wire(&s, 'P', 0, OCT_WIRE_OPEN, 'D');
        scene_wire(&s, 'P', 1, OCT_WIRE_SHUT, 'D');
        scene_wire(&s, 'P', 2, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        oct_agent *const agent = agent_make(&s);
        press_all(agent, cases[i].buttons, cases[i].count, cases[i].rest);
        for (uint32_t b = 0; b < 4; b++) {
            assert_string_equal(
                oct_link_kind_name(oct_agent_link(agent, (oct_button){'P', b}, 'D')),
                oct_link_kind_name(cases[i].kinds[b]));
        }
        // What is no door, and what nobody has seen.
        assert_int_equal(oct_agent_link(agent, (oct_button){'P', 0}, 'P'), OCT_LINK_KIND_UNDECIDED);
        assert_int_equal(oct_agent_link(agent, (oct_button){'P', 0}, 999), OCT_LINK_KIND_UNDECIDED);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
    assert_null(oct_link_kind_name(OCT_LINK_KIND_COUNT));
}

// Where the game promises toggles one press decides; where the test denies that, or what a press
// does need not come again, it does not.
static void what_is_certain_depends_on_promises(void **state)
{
    (void)state;
    const struct {
        uint32_t denies;
        oct_link_kind first, second; // after one press, and after another
    } cases[] = {
        {0, OCT_LINK_KIND_TOGGLES, OCT_LINK_KIND_TOGGLES},
        {1u << OCT_ASSUME_TOGGLES, OCT_LINK_KIND_UNDECIDED, OCT_LINK_KIND_TOGGLES},
        {1u << OCT_ASSUME_MEMORY, OCT_LINK_KIND_UNDECIDED, OCT_LINK_KIND_UNDECIDED},
        {1u << OCT_ASSUME_CAUSES, OCT_LINK_KIND_UNDECIDED, OCT_LINK_KIND_UNDECIDED},
        {1u << OCT_ASSUME_PACE, OCT_LINK_KIND_TOGGLES, OCT_LINK_KIND_TOGGLES},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        block_scene s;
        plan_build(&s, two_doors);
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        oct_game_info info = *oct_game_describe(s.game);
        info.denies |= cases[i / 2].denies;
        info.promises &= ~cases[i / 2].denies;
        oct_agent_def def = oct_agent_def_default();
        def.info = &info;
        oct_agent *const agent = agent_make_as(&s, def);
        press_all(agent, (const uint32_t[]){0, 0}, 1 + i % 2, 240);
        assert_int_equal(oct_agent_link(agent, (oct_button){'P', 0}, 'D'),
                         i % 2 == 0 ? cases[i / 2].first : cases[i / 2].second);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// ---- in worlds that do not promise toggles ----

// One claim about one link: what is so is certain, and what is not so too.
static void one_link_is_pressed_until_it_is_certain(void **state)
{
    (void)state;
    static const char *const doors[] = {"Door1"};
    const oct_wire_action actions[] = {OCT_WIRE_TOGGLE, OCT_WIRE_OPEN, OCT_WIRE_SHUT};
    const oct_link_kind kinds[] = {OCT_LINK_KIND_TOGGLES, OCT_LINK_KIND_OPENS, OCT_LINK_KIND_SHUTS};
    static const char *const verbs[] = {"toggle", "open", "shut"};
    static const char *const does[] = {"toggles", "opens", "shuts"};
    for (size_t is = 0; is < 3; is++) {
        for (size_t claimed = 0; claimed < 6; claimed++) {
            // Another button brings the door into the other state; with a timer beside it.
            const wired w = {actions[is], is == 2 ? OCT_WIRE_OPEN : OCT_WIRE_SHUT, claimed >= 3};
            const size_t as = claimed % 3;
            const oct_link_claim claim = {"Panel1", 0, doors, 1, kinds[as]};
            char reason[128] = "";
            block_scene s;
            build_wired(&s, &w);
            // One press may say enough to know that it is not as claimed.
            if (as != is && (as == 2 || is == 2)) {
                (void)snprintf(reason, sizeof reason,
                               "missing link: button 0 of Panel1 does not %s Door1", verbs[as]);
            } else if (as != is) {
                (void)snprintf(reason, sizeof reason,
                               "another link: button 0 of Panel1 %s Door1, and does not %s it",
                               does[is], verbs[as]);
            }
            oct_agent *const agent = agent_make(&s);
            agent_run(agent, oct_goal_link(NULL, &claim), 3000);
            agent_check(agent, as == is ? PASS : FAIL, reason);
            oct_agent_destroy(agent);
            block_scene_free(&s);
        }
    }
}

// All links, each of its kind; and what does nothing to a door counts as such only if it was
// watched while the door was shut, and while it was open.
static void all_links_have_their_kinds(void **state)
{
    (void)state;
    static const char *const doors[] = {"Door1"}, *const others[] = {"Door2"};
    const wired w = {OCT_WIRE_OPEN, OCT_WIRE_SHUT, true};
    const oct_link_claim right[] = {{"Panel1", 0, doors, 1, OCT_LINK_KIND_OPENS},
                                    {"Panel1", 1, doors, 1, OCT_LINK_KIND_SHUTS},
                                    {"Panel1", 2, others, 1, OCT_LINK_KIND_TOGGLES}};
    const oct_link_claim wrong[] = {right[0], {"Panel1", 1, doors, 1, TOGGLES}, right[2]};
    block_scene s;
    build_wired(&s, &w);
    scene_expect(&s, oct_goal_links_are(NULL, right, 3), PASS, "");
    build_wired(&s, &w);
    scene_expect(&s, oct_goal_links_are(NULL, wrong, 3), FAIL,
                 "another link: button 1 of Panel1 shuts Door1, and does not toggle it");
    build_wired(&s, &w);
    scene_expect(&s, oct_goal_links_are(NULL, right, 2), FAIL,
                 "extra link: button 2 of Panel1 toggles Door2");
    // Who only claims that it opens does not care how.
    const oct_link_claim opens = {.panel = "Panel1", .doors = doors, .count = 1};
    build_wired(&s, &w);
    scene_expect(&s, oct_goal_opens_only(NULL, &opens), PASS, "");
}

// A door that opens and shuts again after a time is of none of the kinds: nothing is certain, and
// what is not certain is no verdict.
static void what_is_undone_is_no_kind(void **state)
{
    (void)state;
    static const char *const doors[] = {"Door1"};
    for (oct_link_kind kind = OCT_LINK_KIND_UNDECIDED; kind < OCT_LINK_KIND_COUNT; kind++) {
        const oct_link_claim claim = {"Panel1", 0, doors, 1, kind};
        block_scene s;
        plan_build(&s, two_doors);
        scene_put_timer(&s, 'i', (oct_vec){0, 6, 0}, 4.0);
        scene_wire(&s, 'P', 0, OCT_WIRE_OPEN, 'D');
        scene_wire(&s, 'P', 0, OCT_WIRE_START, 'i');
        scene_wire(&s, 'i', 0, OCT_WIRE_SHUT, 'D');
        scene_play(&s);
        oct_agent *const agent = agent_make(&s);
        const char *why;
        agent_run(agent, oct_goal_link(NULL, &claim), 3000);
        assert_int_equal(oct_agent_verdict(agent, &why), OPEN_END);
        assert_non_null(strstr(why, "is not certain"));
        assert_string_equal(oct_agent_decides(agent),
                            "a press of button 0 of Panel1 alone, with Door1 seen before and "
                            "watched after it");
        assert_int_equal(oct_agent_link(agent, (oct_button){'P', 0}, 'D'), OCT_LINK_KIND_UNDECIDED);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// From straight before the panel the door is not in sight, from beside that it is: that nothing
// moves it can be watched. Behind one more corner it cannot: that stays open.
static void presses_are_made_where_the_door_is_in_sight(void **state)
{
    (void)state;
    static const char *const near[] = {"########", "#P.#####", "##.#####",
                                       "#S..D..#", "########", NULL};
    static const char *const far[] = {"########", "#P.#####", "##.#####", "##.#####",
                                      "#S..D..#", "########", NULL};
    static const char *const doors[] = {"Door1"};
    const oct_link_claim claim = {"Panel1", 0, doors, 1, OCT_LINK_KIND_NOTHING};
    for (int i = 0; i < 2; i++) {
        block_scene s;
        plan_build(&s, i == 0 ? near : far);
        scene_put_timer(&s, 'i', (oct_vec){0, 7, 0}, 2.0);
        scene_wire(&s, 'P', 1, OCT_WIRE_TOGGLE, 'D');
        scene_wire(&s, 'P', 2, OCT_WIRE_START, 'i');
        scene_wire(&s, 'i', 0, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        scene_expect(&s, oct_goal_link(NULL, &claim), i == 0 ? PASS : OPEN_END,
                     i == 0 ? "" : "whether button 0 of Panel1 moves Door1 is not certain");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_about_links_are_compared),
        cmocka_unit_test(claims_about_all_links_are_compared),
        cmocka_unit_test(links_may_stay_uncertain),
        cmocka_unit_test(kinds_of_links_are_certain_or_undecided),
        cmocka_unit_test(what_is_certain_depends_on_promises),
        cmocka_unit_test(one_link_is_pressed_until_it_is_certain),
        cmocka_unit_test(all_links_have_their_kinds),
        cmocka_unit_test(what_is_undone_is_no_kind),
        cmocka_unit_test(presses_are_made_where_the_door_is_in_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
