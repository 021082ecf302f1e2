// SPDX-License-Identifier: MIT
// A fail that something speaks against which happened later is withdrawn.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "octant/proof_check.h"

// Two rooms, and between them a door that the panel opens, or a wall. Both are called
// Way. The target is in the second room.
static const char world[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"name\": \"way\", \"up\": \"y\","
    "\"handed\": \"right\", \"passage\": 2.5,"
    "\"start\": {\"position\": [3.77, 2.87, 6.27], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},"
    "\"bounds\": [0.02, 0.02, 0.02, 20.02, 7.52, 15.02],"
    "\"grids\": [{\"id\": 1, \"name\": \"house\", \"position\": [1.27, 1.27, 1.27]}],"
    "\"types\": [{\"name\": \"armour\", \"integrity\": 400},"
    "{\"name\": \"door\", \"kind\": \"door\", \"integrity\": 250},"
    "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 1, \"integrity\": 40},"
    "{\"name\": \"TargetDummy\", \"kind\": \"target\", \"integrity\": 100}],"
    "\"blocks\": ["
    "{\"id\": 1, \"type\": \"%s\", \"name\": \"Way\", \"grid\": 0, \"cell\": [4, 1, 2],"
    " \"forward\": \"right\"},"
    "{\"id\": 2, \"type\": \"panel\", \"name\": \"Panel\", \"grid\": 0, \"cell\": [3, 1, 4],"
    " \"forward\": \"forward\"},"
    "{\"id\": 3, \"type\": \"TargetDummy\", \"name\": \"Target\", \"grid\": 0, \"cell\": [6, 1, 3],"
    " \"forward\": \"left\"}],"
    "\"fills\": ["
    "{\"grid\": 0, \"type\": \"armour\", \"from\": [0, 0, 0], \"to\": [7, 2, 5]},"
    "{\"grid\": 0, \"from\": [1, 1, 1], \"to\": [3, 1, 4]},"
    "{\"grid\": 0, \"from\": [5, 1, 1], \"to\": [6, 1, 4]}],"
    "\"wires\": [%s]}";

static int setup(void **state)
{
    char text[4096];
    make_folder(state);
    (void)snprintf(text, sizeof text, world, "door",
                   "{\"from\": 2, \"slot\": 0, \"action\": \"toggle\", \"to\": 1}");
    script_write(*state, "door.json", text);
    (void)snprintf(text, sizeof text, world, "armour", "");
    script_write(*state, "wall.json", text);
    return 0;
}

// Plays a test, and checks its proofs.
static oct_play_result play(const char *folder, const char *body)
{
    const oct_play_options options = {.seed = 0};
    bool are_accepted;
    oct_script *const script = script_open(folder, body);
    oct_play_result r = script_play_with(script, 0, &options);
    print_message("%s: %s; %zu of %zu proofs\n", oct_verdict_name(r.verdict), r.reason,
                  r.ground_count, r.proof_count);
    assert_int_equal(oct_proof_check_result(&r, &are_accepted), OCT_OK);
    assert_true(are_accepted);
    oct_script_close(script);
    return r;
}

static void expect(const char *folder, const char *body, oct_verdict verdict, const char *reason)
{
    oct_play_result r = play(folder, body);
    assert_int_equal(r.verdict, verdict);
    assert_non_null(strstr(r.reason, reason));
    assert_true((r.decides[0] != '\0') == (verdict == OCT_VERDICT_INCONCLUSIVE));
    oct_play_result_free(&r);
}

// What the other goals of the test press counts as pressed.
static void a_later_press_withdraws_what_was_said_without_pressing(void **state)
{
    expect(*state,
           "world 'door.json' test('t', function() return FIRSTof{close_to_block 'Target',\n"
           "  SEQ{interacted 'Panel', goal{name = 'w', tactic = tactic.wait(3)},\n"
           "      FAIL 'the second way'}} end)",
           OCT_VERDICT_INCONCLUSIVE, "withdrawn: ");
    expect(*state,
           "world 'door.json' test('t', function() return FIRSTof{close_to_block 'Target',\n"
           "  SEQ{interacted 'Panel', close_to{1000, 0, 0}}} end)",
           OCT_VERDICT_INCONCLUSIVE, "withdrawn: ");
}

// A claim that the verdict does not rest on is not asked again.
static void what_nobody_rests_on_does_no_harm(void **state)
{
    expect(*state,
           "world 'door.json' test('t', function() return SEQ{\n"
           "  FIRSTof{close_to_block 'Target', interacted 'Panel'}, close_to{1000, 0, 0}} end)",
           OCT_VERDICT_FAIL, "outside the bounds");
    expect(*state,
           "world 'door.json' test('t', function() return FIRSTof{close_to_block 'Target',\n"
           "  SEQ{interacted 'Panel', smart_close_to_block 'Target'}} end)",
           OCT_VERDICT_PASS, "");
}

// What was seen to give way was not solid.
static void a_wall_that_gives_way_withdraws(void **state)
{
    expect(*state,
           "world 'wall.json' test('t', function() return FIRSTof{close_to_block 'Target',\n"
           "  SEQ{ground_down 'Way', close_to{1000, 0, 0}}} end)",
           OCT_VERDICT_INCONCLUSIVE, "withdrawn: ");
    expect(*state,
           "world 'wall.json' test('t', function()\n"
           "  agent('walker', close_to_block 'Target')\n"
           "  agent('smith', {start = {6.27, 2.87, 3.77}}, SEQ{\n"
           "    goal{name = 'w', tactic = tactic.wait(30)}, ground_down 'Way'}) end)",
           OCT_VERDICT_PASS, ""); // who may still act is waited for
    expect(*state, "world 'wall.json' test('t', function() return close_to_block 'Target' end)",
           OCT_VERDICT_FAIL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_later_press_withdraws_what_was_said_without_pressing,
                                        setup, script_teardown),
        cmocka_unit_test_setup_teardown(what_nobody_rests_on_does_no_harm, setup, script_teardown),
        cmocka_unit_test_setup_teardown(a_wall_that_gives_way_withdraws, setup, script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
