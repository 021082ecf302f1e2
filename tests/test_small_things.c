// SPDX-License-Identifier: MIT
// What is smaller than a cell of the map, where sight is decided in no middle of a cell.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "octant/proof_check.h"

// A corridor that is seen whole from the start. 25 m down it, a panel (or nothing) lies in a niche
// of the wall, 12 cm wide, and opens a door; beyond the door there is nothing.
static const char world[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"name\": \"niche\", \"up\": \"y\","
    "\"handed\": \"right\", \"passage\": 2.5,"
    "\"start\": {\"position\": [5, 0.5, 1.4], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},"
    "\"rules\": {\"sight\": \"line\", \"view\": 60},"
    "\"types\": [{\"name\": \"armour\"}, {\"name\": \"door\", \"kind\": \"door\"},"
    "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 1},"
    "{\"name\": \"target\", \"kind\": \"target\"}],"
    "\"blocks\": ["
    "{\"id\": 1, \"type\": \"armour\", \"box\": [-5.5, -0.5, -0.5, 40.5, 0, 3.82]},"
    "{\"id\": 2, \"type\": \"armour\", \"box\": [-5.5, 3, -0.5, 40.5, 3.5, 3.82]},"
    "{\"id\": 3, \"type\": \"armour\", \"box\": [-5.5, 0, -0.5, 40.5, 3, 0]},"
    "{\"id\": 4, \"type\": \"armour\", \"box\": [-5.5, 0, 2.82, 30.082, 3, 2.96]},"
    "{\"id\": 5, \"type\": \"armour\", \"box\": [30.202, 0, 2.82, 40.5, 3, 2.96]},"
    "{\"id\": 6, \"type\": \"armour\", \"box\": [30.082, 0, 2.82, 30.202, 1.42185, 2.96]},"
    "{\"id\": 7, \"type\": \"armour\", \"box\": [30.082, 1.54185, 2.82, 30.202, 3, 2.96]},"
    "{\"id\": 8, \"type\": \"armour\", \"box\": [-5.5, 0, 2.96, 40.5, 3, 3.82]},"
    "{\"id\": 9, \"type\": \"armour\", \"box\": [-5.5, 0, 0, -5.0, 3, 2.82]},"
    "{\"id\": 10, \"type\": \"armour\", \"box\": [40.0, 0, 0, 40.5, 3, 2.82]},"
    "{\"id\": 11, \"type\": \"door\", \"box\": [-0.5, 0, 0, 0, 3, 2.82], \"name\": \"Door1\"},"
    "%s"
    "{\"id\": 13, \"type\": \"target\", \"box\": [-4.5, 0.2, 1.2, -4.2, 0.5, 1.5],"
    " \"name\": \"Target\"}],"
    "\"wires\": [%s]}";

// The same corridor, with a niche and a panel of half a metre.
static const char wide_world[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"name\": \"niche\", \"up\": \"y\","
    "\"handed\": \"right\", \"passage\": 2.5,"
    "\"start\": {\"position\": [5, 0.5, 1.4], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},"
    "\"rules\": {\"sight\": \"line\", \"view\": 60},"
    "\"types\": [{\"name\": \"armour\"}, {\"name\": \"door\", \"kind\": \"door\"},"
    "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 1},"
    "{\"name\": \"target\", \"kind\": \"target\"}],"
    "\"blocks\": ["
    "{\"id\": 1, \"type\": \"armour\", \"box\": [-5.5, -0.5, -0.5, 40.5, 0, 4.45]},"
    "{\"id\": 2, \"type\": \"armour\", \"box\": [-5.5, 3, -0.5, 40.5, 3.5, 4.45]},"
    "{\"id\": 3, \"type\": \"armour\", \"box\": [-5.5, 0, -0.5, 40.5, 3, 0]},"
    "{\"id\": 4, \"type\": \"armour\", \"box\": [-5.5, 0, 3.05, 30.52, 3, 3.55]},"
    "{\"id\": 5, \"type\": \"armour\", \"box\": [30.98, 0, 3.05, 40.5, 3, 3.55]},"
    "{\"id\": 6, \"type\": \"armour\", \"box\": [30.52, 0, 3.05, 30.98, 1.52, 3.55]},"
    "{\"id\": 7, \"type\": \"armour\", \"box\": [30.52, 1.98, 3.05, 30.98, 3, 3.55]},"
    "{\"id\": 8, \"type\": \"armour\", \"box\": [-5.5, 0, 3.55, 40.5, 3, 4.45]},"
    "{\"id\": 9, \"type\": \"armour\", \"box\": [-5.5, 0, 0, -5.0, 3, 3.05]},"
    "{\"id\": 10, \"type\": \"armour\", \"box\": [40.0, 0, 0, 40.5, 3, 3.05]},"
    "{\"id\": 11, \"type\": \"door\", \"box\": [-0.5, 0, 0, 0, 3, 3.05], \"name\": \"Door1\"},"
    "{\"id\": 12, \"type\": \"panel\", \"name\": \"Panel\","
    " \"box\": [30.525, 1.525, 3.25, 30.975, 1.975, 3.55]},"
    "{\"id\": 13, \"type\": \"target\", \"box\": [-4.5, 0.2, 1.2, -4.2, 0.5, 1.5],"
    " \"name\": \"Target\"}],"
    "\"wires\": [{\"from\": 12, \"slot\": 0, \"action\": \"toggle\", \"to\": 11}]}";

static int setup(void **state)
{
    char text[4096];
    make_folder(state);
    (void)snprintf(text, sizeof text, world,
                   "{\"id\": 12, \"type\": \"panel\", \"name\": \"Panel\","
                   " \"box\": [30.087, 1.42685, 2.86, 30.197, 1.53685, 2.96]},",
                   "{\"from\": 12, \"slot\": 0, \"action\": \"toggle\", \"to\": 11}");
    script_write(*state, "niche.json", text);
    (void)snprintf(text, sizeof text, world, "", "");
    script_write(*state, "empty.json", text);
    script_write(*state, "wide.json", wide_world);
    return 0;
}

static void expect(const char *folder, const char *file, const char *goal, oct_verdict verdict)
{
    char source[512];
    const oct_play_options options = {.seed = 0};
    bool are_accepted;
    (void)snprintf(source, sizeof source, "world '%s' test('t', function() return %s end)", file,
                   goal);
    oct_script *const script = script_open(folder, source);
    oct_play_result r = script_play_with(script, 0, &options);
    assert_int_equal(oct_proof_check_result(&r, &are_accepted), OCT_OK);
    print_message("%s: %s\n", oct_verdict_name(r.verdict), r.reason);
    assert_true(are_accepted);
    assert_int_equal(r.verdict, verdict);
    oct_play_result_free(&r);
    oct_script_close(script);
}

static void what_hides_between_middles_leaves_it_open(void **state)
{
    expect(*state, "niche.json", "close_to_block 'Panel'", OCT_VERDICT_INCONCLUSIVE);
    expect(*state, "niche.json", "check_all{type = 'panel', check = 'x', test = function() end}",
           OCT_VERDICT_INCONCLUSIVE);
    expect(*state, "niche.json",
           "CHECK('none', function(a) return #a:entities{type = 'panel'} == 0 end)",
           OCT_VERDICT_INCONCLUSIVE);
    expect(*state, "niche.json", "smart_close_to_block 'Target'", OCT_VERDICT_INCONCLUSIVE);
}

// A niche in which there is nothing leaves nothing open.
static void where_nothing_hides_all_is_certain(void **state)
{
    expect(*state, "empty.json", "close_to_block 'Panel'", OCT_VERDICT_FAIL);
    expect(*state, "empty.json",
           "CHECK('none', function(a) return #a:entities{type = 'panel'} == 0 end)",
           OCT_VERDICT_PASS);
    expect(*state, "empty.json", "smart_close_to_block 'Target'", OCT_VERDICT_FAIL);
}

// What is not in sight from where it is, and no wall hides, is looked at before it is given up.
static void a_niche_is_looked_into(void **state)
{
    expect(*state, "wide.json", "smart_close_to_block 'Target'", OCT_VERDICT_PASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_hides_between_middles_leaves_it_open, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(a_niche_is_looked_into, setup, script_teardown),
        cmocka_unit_test_setup_teardown(where_nothing_hides_all_is_certain, setup, script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
