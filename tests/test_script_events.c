// SPDX-License-Identifier: MIT
// Scripts about a game that tells events: what they hear, and the goals about it.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "agent_world.h"
#include "item_game.h"

static const char *const hall[] = {"########", "#S.....#", "#......#",
                                   "#......#", "########", NULL};

// A game of a hall for each life.
typedef struct hall_source {
    block_scene scene;
    item_rules rules;
} hall_source;

static oct_result open_hall(void *ctx, const oct_game_start *start, uint32_t life,
                            const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    hall_source *const h = ctx;
    oct_game *inner;
    (void)start, (void)life, (void)error;
    const oct_block_world_def def = {h->scene.world, allocator};
    const oct_result result = oct_block_world_create(&def, &inner);
    *out = result == OCT_OK ? item_game_make(inner, &h->rules) : NULL;
    return result;
}

// Plays each test of a script in a hall with these rules.
static void play(const char *folder, const item_rules *rules, const char *source,
                 oct_verdict verdict, const char *reason)
{
    char text[4096];
    hall_source h = {.rules = *rules};
    plan_build(&h.scene, hall);
    const oct_game_source game = {.ctx = &h, .open = open_hall};
    const oct_play_options options = {.game = &game};
    (void)snprintf(text, sizeof text, "world 'res://hall'\n%s", source);
    oct_script *const script = script_open(folder, text);
    for (size_t i = 0; i < oct_script_tests(script); i++) {
        oct_play_result r = script_play_with(script, i, &options);
        if (r.verdict != verdict || !strstr(r.reason, reason)) {
            fail_msg("%s\n%s: %s (%s)\n  not %s: %s", source, oct_verdict_name(r.verdict), r.reason,
                     r.where, oct_verdict_name(verdict), reason);
        }
        oct_play_result_free(&r);
    }
    oct_script_close(script);
    block_scene_free(&h.scene);
}

static item_rules all_rules(void)
{
    return (item_rules){.has_coin = true,
                        .coin = plan_at(5, 2),
                        .says = "You took the coin",
                        .wins = true,
                        .has_fire = true,
                        .harm = 2.0,
                        .fire = {{6.5, -1.2, 1.5}, {8.5, 3.7, 3.5}},
                        .has_sign = true,
                        .sign = plan_at(6, 3)};
}

static void goals_are_reached(void **state)
{
    const item_rules rules = all_rules();
    play(*state, &rules,
         "test('1', function() return avoided('Fire', took 'Coin') end)\n"
         "test('2', function() return survived(touched 'Coin') end)\n"
         "test('3', function() return game_over('won', took 'Coin') end)\n"
         "test('4', function() return SEQ{took 'Coin', game_over 'won'} end)\n"
         "test('5', function() return said('took the', took 'Coin') end)\n"
         "test('6', function() return property('Sign', 'lit', true) end)\n"
         "test('7', function() return property({name = 'Sign'}, 'colour', 'red') end)\n"
         "test('8', function() return property('Sign', 'count', function(n) return n == 3 end) "
         "end)\n"
         "test('9', function() return property('Sign', 'count', 3) end)\n",
         OCT_VERDICT_PASS, "");
}

static void goals_fail(void **state)
{
    item_rules rules = all_rules();
    play(*state, &rules, "test('1', function() return avoided('Fire', touched 'Fire') end)",
         OCT_VERDICT_FAIL, "Fire was touched at");
    play(*state, &rules, "test('1', function() return game_over('lost', took 'Coin') end)",
         OCT_VERDICT_FAIL, "the game was won, not lost");
    play(*state, &rules, "test('1', function() return said('key', took 'Coin') end)",
         OCT_VERDICT_FAIL, "'key' was not said");
    play(*state, &rules, "test('1', function() return property('Sign', 'lit', false) end)",
         OCT_VERDICT_FAIL, "lit of Sign is true, not false");
    play(*state, &rules,
         "test('1', function() return property('Sign', 'size', function(v) return v ~= nil end) "
         "end)",
         OCT_VERDICT_FAIL, "size of Sign is not told");
    rules.is_stuck = true;
    play(*state, &rules, "test('1', function() return took 'Coin' end)", OCT_VERDICT_FAIL,
         "Coin was touched and not taken");
    rules.harm = 60.0;
    play(*state, &rules,
         "test('1', function() return survived(SEQ{touched 'Fire', took 'Coin'}) end)",
         OCT_VERDICT_FAIL, "it did not survive");
}

static void invariants_hear_events(void **state)
{
    const item_rules rules = all_rules();
    play(*state, &rules,
         "test('1', function()\n"
         "  invariant('nobody is hurt', function(a) return #a:events 'hurt' == 0 end)\n"
         "  return took 'Coin' end)\n"
         "test('2', function()\n"
         "  local heard = {}\n"
         "  invariant('heard', function(a)\n"
         "    for _, e in ipairs(a:events()) do heard[#heard + 1] = e end return true end)\n"
         "  return SEQ{took 'Coin', CHECK('the coin', function(a)\n"
         "    local e = heard[1] or a:events('taken')[1]\n"
         "    return e.what == 'taken' and e.name == 'Coin' and e.id == 5001 and e.time > 0\n"
         "      and e.tick > 0 and e.text == '' and a.over == 'won' end)} end)\n"
         "test('3', function()\n"
         "  invariant('it is taken', ltl.eventually(function(a) return #a:events 'taken' == 1 "
         "end))\n"
         "  return took 'Coin' end)\n"
         "test('4', function() return SEQ{explore(), CHECK('lit', function(a)\n"
         "  return a:property('Sign', 'lit') == true and a:property('Sign', 'x') == nil\n"
         "    and a.over == nil end)} end)\n",
         OCT_VERDICT_PASS, "");
    play(*state, &rules,
         "test('1', function()\n"
         "  invariant('nobody is hurt', function(a) return #a:events 'hurt' == 0 end)\n"
         "  return SEQ{touched 'Fire', close_to{2.5, 0, 7.5}} end)\n"
         "test('2', {invariants = {['nobody is hurt'] = function(a)\n"
         "  return #a:events 'hurt' == 0 end}}, function()\n"
         "  return REPEATuntil(touched 'Fire', function(a) return a.health < 0.8 end) end)\n",
         OCT_VERDICT_FAIL, "nobody is hurt did not hold");
}

static void what_is_not_known_decides_nothing(void **state)
{
    const item_rules none = {.has_coin = false};
    play(*state, &none,
         "test('1', {seconds = 3}, function() return said 'hello' end)\n"
         "test('2', {seconds = 3}, function() return game_over 'won' end)\n"
         "test('3', function() return CHECK('x', function(a)\n"
         "  return a:property('Sign', 'lit') end) end)\n",
         OCT_VERDICT_INCONCLUSIVE, "");
}

static void wrong_arguments_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"took()", "took: who is meant"},
        {"touched {}", "touched: nothing says who is meant"},
        {"avoided('Fire')", "avoided: what is done"},
        {"survived 'Fire'", "survived: what is done"},
        {"game_over 'maybe'", "game_over: 'won' or 'lost', not 'maybe'"},
        {"game_over('won', 3)", "game_over: what is done"},
        {"said(nil)", "said: the text"},
        {"said('x', 3)", "said: what is done"},
        {"property('Sign', 3, 3)", "property: the property"},
        {"property('Sign', 'lit')", "property: what is wanted is a value"},
        {"property('Sign', 'lit', {})", "property: what is wanted is a value"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        script_refused(*state, wrong[i][0], 1, wrong[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(goals_are_reached, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(goals_fail, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(invariants_hear_events, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(what_is_not_known_decides_nothing, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(wrong_arguments_are_refused, script_setup, script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
