// SPDX-License-Identifier: MIT
// Goals of touching and taking, and of what happens meanwhile, in a block world with a coin, a fire
// and a sign.
#include "agent_world.h"
#include "item_game.h"

#include "agent/touch.h"

#include <math.h>
#include <string.h>

static const char *const hall[] = {"########", "#S.....#", "#......#",
                                   "#......#", "########", NULL};
// The way to the coin's end leads along a corridor.
static const char *const corridor[] = {"########", "#S.....#", "########", NULL};
static const char *const bent[] = {"########", "#S.....#", "######.#",
                                   "#......#", "########", NULL};
static const char *const locked[] = {"########", "#S.P#..#", "#...D..#", "########", NULL};
static const char *const sealed[] = {"########", "#S..#..#", "#...#..#", "########", NULL};

// Plays a goal with these rules; the reason must hold this.
static void expect(const char *const *rows, const item_rules *rules, oct_goal *goal,
                   oct_verdict verdict, const char *reason)
{
    block_scene s;
    const char *why;
    plan_play(&s, rows);
    s.game = item_game_make(s.game, rules);
    oct_agent *const agent = agent_make(&s);
    assert_non_null(goal);
    assert_int_equal(oct_agent_pursue(agent, goal), OCT_OK);
    for (int i = 0; i < 1500 && !oct_agent_has_ended(agent); i++) {
        assert_int_equal(oct_agent_turn(agent, NULL), OCT_OK);
    }
    const oct_verdict is = oct_agent_verdict(agent, &why);
    if (is != verdict || !strstr(why, reason)) {
        const oct_point at = oct_belief_self(oct_agent_belief(agent))->centre;
        fail_msg("%s: \"%s\" after %u turns (%s, at %.2f %.2f %.2f), not %s: \"%s\"",
                 oct_verdict_name(is), why, (unsigned)oct_agent_turns(agent),
                 oct_agent_thought(agent), at.x, at.y, at.z, oct_verdict_name(verdict), reason);
    }
    if (is == OCT_VERDICT_FAIL) {
        assert_int_not_equal(oct_agent_ground(agent).kind, OCT_PROOF_NONE);
    }
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static item_rules with_coin(int x, int z)
{
    return (item_rules){.has_coin = true, .coin = plan_at(x, z)};
}

static oct_goal *took(void)
{
    const oct_pick coin = pick_name("Coin");
    return oct_goal_took(NULL, &coin);
}

static oct_goal *touched(const char *name)
{
    const oct_pick pick = pick_name(name);
    return oct_goal_touched(NULL, &pick);
}

static oct_goal *going(int x, int z)
{
    return oct_goal_close_to(NULL, plan_at(x, z), 0.5);
}

// ---- shapes ----

static void gaps_are_measured_between_shapes(void **state)
{
    (void)state;
    oct_player_body body = oct_player_body_default();
    body.height = 2.0;
    body.width = 1.0;
    oct_entity box = {.thing = {.box = {{1.5, -5, -5}, {2, 5, 5}}}};
    const oct_point up = {0, 1, 0}, side = {1, 0, 0}, at = {0, 0, 0};
    touch_gap gap = oct_touch_gap(&body, at, up, &box);
    assert_true(fabs(gap.least - 1.0) < 1e-6 && fabs(gap.most - 1.0) < 1e-6);
    gap = oct_touch_gap(&body, at, side, &box);
    assert_true(fabs(gap.least - 0.5) < 1e-6 && fabs(gap.most - 0.5) < 1e-6);
    // A box has corners: it reaches at most as far as they do, and surely what is round within it.
    body.shape = OCT_BODY_BOX;
    gap = oct_touch_gap(&body, at, up, &box);
    assert_true(gap.least < 0.8 && fabs(gap.most - 1.0) < 1e-6);
    body.shape = OCT_BODY_BALL;
    gap = oct_touch_gap(&body, at, side, &box);
    assert_true(fabs(gap.least - 0.5) < 1e-6 && fabs(gap.most - 0.5) < 1e-6);
}

static void turned_boxes_and_hulls_are_measured_too(void **state)
{
    (void)state;
    oct_player_body body = oct_player_body_default();
    body.shape = OCT_BODY_BALL;
    body.height = 1.0;
    const oct_point up = {0, 1, 0}, at = {0, 0, 0};
    // A cube of 2 m, turned by 45 degrees about y: its edge is nearest.
    const double half = sqrt(0.5), turn = sin(acos(-1.0) / 8.0), whole = cos(acos(-1.0) / 8.0);
    oct_piece piece = {.kind = OCT_PIECE_OBB,
                       .box = {{3 - 2 * half, -1, -2 * half}, {3 + 2 * half, 1, 2 * half}},
                       .centre = {3, 0, 0},
                       .half = {1, 1, 1},
                       .turn = {0, turn, 0, whole}};
    oct_entity e = {.thing = {.box = piece.box}, .shape = {&piece, 1}};
    touch_gap gap = oct_touch_gap(&body, at, up, &e);
    assert_true(fabs(gap.least - (3 - 2 * half - 0.5)) < 1e-6);
    // Beside its edge there is room that its upright box fills.
    gap = oct_touch_gap(&body, (oct_point){1.5, 0, -1.9}, up, &e);
    assert_true(gap.least > 0.2 && fabs(gap.least - gap.most) < 1e-6);
    const oct_point points[] = {{3 - 2 * half, 1, 0}, {3 - 2 * half, -1, 0}, {3, 1, 2 * half},
                                {3, -1, 2 * half},    {3, 1, -2 * half},     {3, -1, -2 * half}};
    oct_piece hull = {.kind = OCT_PIECE_HULL, .box = piece.box, .points = points, .point_count = 6};
    e.shape.pieces = &hull;
    const touch_gap other = oct_touch_gap(&body, (oct_point){1.5, 0, -1.9}, up, &e);
    assert_true(other.least <= gap.least + 1e-9 && other.most >= gap.most - 1e-9);
    assert_true(other.most - other.least < 0.02);
}

// ---- touching and taking ----

static void a_coin_is_taken_by_touching_it(void **state)
{
    (void)state;
    item_rules rules = with_coin(5, 2);
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
    // On the floor, where the map has no room for the body.
    rules.coin.y = -0.9;
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
    rules.is_silent = true; // it vanishes
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
    expect(hall, &rules, touched("Coin"), OCT_VERDICT_PASS, "");
    rules.is_silent = false;
    rules.stays = true; // the event alone
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
}

static void a_coin_that_is_not_taken_fails(void **state)
{
    (void)state;
    item_rules rules = with_coin(5, 2);
    rules.is_stuck = true;
    expect(hall, &rules, took(), OCT_VERDICT_FAIL, "Coin was touched and not taken");
    expect(hall, &rules, touched("Coin"), OCT_VERDICT_PASS, "");
    rules.is_solid = true;
    expect(hall, &rules, touched("Coin"), OCT_VERDICT_PASS, "");
    expect(hall, &rules, took(), OCT_VERDICT_FAIL, "Coin was touched and not taken");
}

static void a_coin_that_is_used_is_taken_by_that(void **state)
{
    (void)state;
    item_rules rules = with_coin(5, 2);
    rules.has_use = true;
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
    rules.stays = rules.is_silent = true;
    expect(hall, &rules, took(), OCT_VERDICT_PASS, "");
    rules.refuses = true;
    expect(hall, &rules, took(), OCT_VERDICT_FAIL, "Coin could not be taken: refused");
}

static void the_way_to_a_coin_is_opened(void **state)
{
    (void)state;
    block_scene s;
    const char *why;
    const item_rules rules = with_coin(6, 1);
    plan_build(&s, locked);
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    s.game = item_game_make(s.game, &rules);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, took(), 1000);
    assert_int_equal(oct_agent_verdict(agent, &why), OCT_VERDICT_PASS);
    oct_agent_destroy(agent);
    block_scene_free(&s);
    item_rules none = {.has_coin = false};
    expect(hall, &none, took(), OCT_VERDICT_FAIL, "Coin was not found");
    expect(sealed, &rules, took(), OCT_VERDICT_FAIL, "Coin was not found");
}

// ---- hazards ----

static item_rules with_fire(oct_bounds fire)
{
    return (item_rules){.has_fire = true, .harm = 0.5, .fire = fire};
}

static oct_bounds fire_at(int x, int z, double half)
{
    const oct_point p = plan_at(x, z);
    return (oct_bounds){{p.x - half, p.y - 1.2, p.z - half}, {p.x + half, p.y + 1.2, p.z + half}};
}

static oct_goal *avoided(oct_goal *goal)
{
    const oct_pick fire = pick_name("Fire");
    return oct_goal_avoided(NULL, &fire, goal);
}

static void fire_is_flown_around(void **state)
{
    (void)state;
    item_rules rules = with_fire(fire_at(4, 1, 1.2));
    expect(hall, &rules, avoided(going(6, 1)), OCT_VERDICT_PASS, "");
    rules.fire_moves = true;
    expect(hall, &rules, avoided(going(6, 1)), OCT_VERDICT_PASS, "");
}

static void fire_that_was_out_of_sight_may_have_moved(void **state)
{
    (void)state;
    item_rules rules = with_fire(fire_at(3, 1, 0.3));
    rules.fire_moves = true;
    expect(bent, &rules, avoided(going(2, 3)), OCT_VERDICT_INCONCLUSIVE,
           "Fire was out of sight at");
    rules.fire_moves = false;
    expect(bent, &rules, avoided(going(2, 3)), OCT_VERDICT_PASS, "");
}

// No fail rests on fire as an obstacle.
static void fire_that_fills_the_way_decides_nothing(void **state)
{
    (void)state;
    item_rules rules = with_fire(fire_at(4, 1, 1.25));
    rules.fire.min.y = -1.25;
    rules.fire.max.y = 3.75;
    expect(corridor, &rules, going(6, 1), OCT_VERDICT_INCONCLUSIVE, "not certain");
    item_rules cold = rules;
    cold.harm = 0.0; // told to do no harm: it is flown through, and touched
    expect(corridor, &cold, going(6, 1), OCT_VERDICT_PASS, "");
    expect(corridor, &cold, avoided(going(6, 1)), OCT_VERDICT_FAIL, "Fire was touched at");
}

static void touching_fire_fails(void **state)
{
    (void)state;
    item_rules rules = with_fire(fire_at(4, 1, 0.5));
    expect(hall, &rules, avoided(touched("Fire")), OCT_VERDICT_FAIL, "Fire");
    expect(hall, &rules, touched("Fire"), OCT_VERDICT_PASS, "");
}

static void fire_that_nobody_saw_is_undecided(void **state)
{
    (void)state;
    const item_rules none = {.has_coin = false};
    expect(bent, &none, avoided(oct_goal_success(NULL)), OCT_VERDICT_INCONCLUSIVE,
           "Fire was not seen yet");
    // Where everything was seen there is none.
    expect(hall, &none, avoided(oct_goal_explore(NULL)), OCT_VERDICT_PASS, "");
}

// ---- surviving ----

static void who_burns_does_not_survive(void **state)
{
    (void)state;
    item_rules rules = with_fire(fire_at(4, 2, 1.2));
    expect(hall, &rules, oct_goal_survived(NULL, going(6, 3)), OCT_VERDICT_PASS, "");
    rules.harm = 0.2;
    oct_goal *const both[] = {touched("Fire"), touched("Fire"), going(1, 1)};
    expect(hall, &rules, oct_goal_survived(NULL, oct_goal_seq(NULL, both, 3)), OCT_VERDICT_PASS,
           "");
    rules.harm = 60.0; // at once
    oct_goal *const again[] = {touched("Fire"), going(1, 1)};
    expect(hall, &rules, oct_goal_survived(NULL, oct_goal_seq(NULL, again, 2)), OCT_VERDICT_FAIL,
           "it did not survive: no health is left at");
    rules.respawns = true;
    oct_goal *const more[] = {touched("Fire"), going(1, 1)};
    expect(hall, &rules, oct_goal_survived(NULL, oct_goal_seq(NULL, more, 2)), OCT_VERDICT_FAIL,
           "it did not survive: it began anew at");
    rules.floods = 4000; // more than are kept
    expect(hall, &rules, oct_goal_survived(NULL, going(2, 1)), OCT_VERDICT_INCONCLUSIVE,
           "more events were told than are kept");
}

// ---- ends and words ----

static void games_end_as_asked(void **state)
{
    (void)state;
    item_rules rules = with_coin(5, 2);
    rules.wins = true;
    expect(hall, &rules, oct_goal_game_over(NULL, OCT_OVER_WON, took()), OCT_VERDICT_PASS, "");
    oct_goal *const both[] = {took(), oct_goal_game_over(NULL, OCT_OVER_WON, NULL)};
    expect(hall, &rules, oct_goal_seq(NULL, both, 2), OCT_VERDICT_PASS, "");
    expect(hall, &rules, oct_goal_game_over(NULL, OCT_OVER_LOST, took()), OCT_VERDICT_FAIL,
           "the game was won, not lost, at");
    rules.wins = false;
    expect(hall, &rules, oct_goal_game_over(NULL, OCT_OVER_WON, took()), OCT_VERDICT_FAIL,
           "and the game is not won");
    expect(hall, &rules, oct_goal_within(NULL, oct_goal_game_over(NULL, OCT_OVER_WON, NULL), 120),
           OCT_VERDICT_FAIL, "not done within 2.0 s");
    expect(hall, &rules, oct_goal_limit(oct_goal_game_over(NULL, OCT_OVER_WON, NULL), 0, 120),
           OCT_VERDICT_INCONCLUSIVE, "out of time");
    rules.loses = true;
    expect(hall, &rules, oct_goal_survived(NULL, took()), OCT_VERDICT_FAIL,
           "it did not survive: the game is lost");
    assert_null(oct_goal_game_over(NULL, OCT_OVER_NOT, oct_goal_success(NULL)));
}

static void what_is_said_is_heard(void **state)
{
    (void)state;
    item_rules rules = with_coin(5, 2);
    rules.says = "You took the coin";
    rules.greets = "Welcome to the hall";
    expect(hall, &rules, oct_goal_said(NULL, "took the", took()), OCT_VERDICT_PASS, "");
    expect(hall, &rules, oct_goal_said(NULL, "Welcome", NULL), OCT_VERDICT_PASS, "");
    expect(hall, &rules, oct_goal_said(NULL, "Welcome", took()), OCT_VERDICT_PASS, "");
    expect(hall, &rules, oct_goal_said(NULL, "lost", took()), OCT_VERDICT_FAIL,
           "'lost' was not said");
    expect(hall, &rules, oct_goal_limit(oct_goal_said(NULL, "lost", NULL), 0, 120),
           OCT_VERDICT_INCONCLUSIVE, "out of time");
    expect(hall, &rules, oct_goal_said(NULL, "took", oct_goal_fail(NULL, "so")), OCT_VERDICT_FAIL,
           "so");
    rules.floods = 4000;
    expect(hall, &rules, oct_goal_said(NULL, "lost", took()), OCT_VERDICT_INCONCLUSIVE,
           "'lost' was not said");
    assert_null(oct_goal_said(NULL, NULL, oct_goal_success(NULL)));
}

// ---- properties ----

static bool is_odd(void *ctx, const oct_property *p)
{
    (void)ctx;
    return p && (int)p->number % 2 == 1;
}

static oct_goal *property(oct_property wanted)
{
    const oct_pick sign = pick_name("Sign");
    return oct_goal_property_is(NULL, &sign, &wanted);
}

static void properties_are_compared(void **state)
{
    (void)state;
    const item_rules rules = {.has_sign = true, .sign = plan_at(6, 3)};
    expect(hall, &rules, property((oct_property){"lit", OCT_VALUE_BOOL, 1, NULL}), OCT_VERDICT_PASS,
           "");
    expect(hall, &rules, property((oct_property){"colour", OCT_VALUE_TEXT, 0, "red"}),
           OCT_VERDICT_PASS, "");
    expect(hall, &rules, property((oct_property){"colour", OCT_VALUE_TEXT, 0, "blue"}),
           OCT_VERDICT_FAIL, "colour of Sign is 'red', not 'blue'");
    expect(hall, &rules, property((oct_property){"lit", OCT_VALUE_NUMBER, 1, NULL}),
           OCT_VERDICT_FAIL, "lit of Sign is true, not 1");
    expect(hall, &rules, property((oct_property){"size", OCT_VALUE_NUMBER, 1, NULL}),
           OCT_VERDICT_FAIL, "size of Sign is not told, not 1");
    const oct_pick sign = pick_name("Sign");
    expect(hall, &rules, oct_goal_property(NULL, &sign, "count", is_odd, (oct_hook){0}),
           OCT_VERDICT_PASS, "");
    expect(hall, &rules, oct_goal_property(NULL, &sign, "colour", is_odd, (oct_hook){0}),
           OCT_VERDICT_FAIL, "and the test does not hold");
    expect(sealed, &(item_rules){.has_sign = true, .sign = plan_at(6, 1)},
           property((oct_property){"lit", OCT_VALUE_BOOL, 1, NULL}), OCT_VERDICT_FAIL,
           "Sign was not found");
    assert_null(oct_goal_property(NULL, &sign, NULL, is_odd, (oct_hook){0}));
    assert_null(oct_goal_property_is(NULL, &sign, NULL));
}

// ---- memory ----

static oct_goal *make_all(const oct_allocator *allocator)
{
    const oct_pick coin = pick_name("Coin");
    const oct_property wanted = {"colour", OCT_VALUE_TEXT, 0, "red"};
    oct_goal *const goals[] = {
        oct_goal_touched(allocator, &coin),
        oct_goal_took(allocator, &coin),
        oct_goal_avoided(allocator, &coin, oct_goal_success(allocator)),
        oct_goal_survived(allocator, oct_goal_success(allocator)),
        oct_goal_game_over(allocator, OCT_OVER_WON, NULL),
        oct_goal_said(allocator, "text", NULL),
        oct_goal_property_is(allocator, &coin, &wanted),
        oct_goal_property(allocator, &coin, "colour", is_odd, (oct_hook){0})};
    return oct_goal_seq(allocator, goals, sizeof goals / sizeof *goals);
}

static void goals_are_made_whole_or_not_at_all(void **state)
{
    (void)state;
    test_allocator memory;
    oct_goal *goal = NULL;
    for (size_t nth = 0; !goal; nth++) {
        assert_true(nth < 10000);
        test_allocator_init(&memory, nth);
        goal = make_all(&memory.allocator);
        oct_goal_destroy(goal);
        test_allocator_check_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_measured_between_shapes),
        cmocka_unit_test(turned_boxes_and_hulls_are_measured_too),
        cmocka_unit_test(a_coin_is_taken_by_touching_it),
        cmocka_unit_test(a_coin_that_is_not_taken_fails),
        cmocka_unit_test(a_coin_that_is_used_is_taken_by_that),
        cmocka_unit_test(the_way_to_a_coin_is_opened),
        cmocka_unit_test(fire_is_flown_around),
        cmocka_unit_test(fire_that_was_out_of_sight_may_have_moved),
        cmocka_unit_test(fire_that_fills_the_way_decides_nothing),
        cmocka_unit_test(touching_fire_fails),
        cmocka_unit_test(fire_that_nobody_saw_is_undecided),
        cmocka_unit_test(who_burns_does_not_survive),
        cmocka_unit_test(games_end_as_asked),
        cmocka_unit_test(what_is_said_is_heard),
        cmocka_unit_test(properties_are_compared),
        cmocka_unit_test(goals_are_made_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
