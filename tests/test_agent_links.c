// SPDX-License-Identifier: MIT
// The goals about what buttons do: claims that are so, that lack a link or have one too many, and
// what stays uncertain.
#include "agent_world.h"

#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

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
    const oct_link_claim claims[] = {{"Panel1", 0, doors, count}};
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
    const oct_link_claim claim = {"Panel1", 0, wrong, 1}, absent = {"Panel1", 7, NULL, 0};
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
        {{{"Panel1", 0, first, 1}, {"Panel1", 1, both, 2}}, 2, PASS, ""},
        {{{"Panel1", 1, both, 2}, {"Panel1", 3, NULL, 0}, {"Panel1", 0, first, 1}}, 3, PASS, ""},
        {{{"Panel1", 0, both, 2}, {"Panel1", 1, both, 2}},
         2,
         FAIL,
         "missing link: button 0 of Panel1 does not toggle Door2"},
        {{{"Panel1", 0, first, 1}, {"Panel1", 1, second, 1}},
         2,
         FAIL,
         "extra link: button 1 of Panel1 toggles Door1"},
        {{{"Panel1", 0, first, 1}, {"Panel1", 1, both, 2}, {"Panel1", 2, second, 1}},
         3,
         FAIL,
         "missing link: button 2 of Panel1 does not toggle Door2"},
        {{{"Panel1", 0, first, 1}}, 1, FAIL, "extra link: button 1 of Panel1 toggles Door1"},
        {{{NULL, 0, NULL, 0}}, 0, FAIL, "extra link: button 0 of Panel1 toggles Door1"},
        {{{"Panel1", 0, first, 1}, {"Panel1", 1, both, 2}, {"Panel9", 0, first, 1}},
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
    const oct_link_claim claims[] = {{"Panel1", 0, first, 1}, {"Panel1", 1, second, 1}};
    expect_odd(oct_goal_opens_only(NULL, claims),
               "whether button 0 of Panel1 toggles Door1 is not certain");
    expect_odd(oct_goal_opens_only(NULL, &claims[1]),
               "whether button 1 of Panel1 toggles Door1 is not certain");
    expect_odd(oct_goal_links_are(NULL, claims, 2),
               "whether button 0 of Panel1 toggles Door1 is not certain");
    // Nor is it where there was no time to press.
    plan_expect(two_doors, oct_goal_limit(oct_goal_opens_only(NULL, claims), 4, 0), OPEN_END,
                "out of budget: 4 turns");
    // What is claimed of a panel behind glass nobody can find out.
    const oct_link_claim far[] = {{"Panel1", 0, first, 1}, {"Panel2", 0, first, 1}};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_about_links_are_compared),
        cmocka_unit_test(claims_about_all_links_are_compared),
        cmocka_unit_test(links_may_stay_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
