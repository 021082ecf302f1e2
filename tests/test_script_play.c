// SPDX-License-Identifier: MIT
// Scripts that are opened and played: tests, worlds, verdicts, results.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include <time.h>

// ---- our own worlds ----

static const char three_doors[] =
    "world 'worlds/three_doors.json'\n"
    "test('the dummy can be reached in the known order', { view = 20 }, function()\n"
    "  return SEQ {\n"
    "    close_to_button 'Button1', press_button 'Button1',\n"
    "    close_to_button 'Button3', press_button 'Button3',\n"
    "    close_to_button 'Button4', press_button 'Button4',\n"
    "    close_to_block { type = 'TargetDummy', side = 'back' },\n"
    "  }\n"
    "end)\n"
    "test('the agent finds the order itself', { view = 20 }, function()\n"
    "  return smart_close_to_block { type = 'TargetDummy', side = 'back' }\n"
    "end)\n";

// The world is found in the working folder, as none is beside the script.
static void tests_of_a_script_are_listed_and_played(void **state)
{
    assert_int_equal(chdir(OCT_SOURCE_DIR), 0);
    oct_script *const script = script_open(*state, three_doors);
    assert_int_equal(oct_script_tests(script), 2);
    assert_string_equal(oct_script_test(script, 0).name,
                        "the dummy can be reached in the known order");
    assert_int_equal(oct_script_test(script, 0).line, 2);
    assert_int_equal(oct_script_test(script, 1).line, 10);
    assert_string_equal(oct_script_test(script, 1).world, "worlds/three_doors.json");
    const play_options options = script_options();
    for (size_t i = 0; i < 2; i++) {
        play_result r = script_play_with(script, i, &options);
        print_message("%s: %s %s (%s), %llu turns, %.1f s\n", oct_script_test(script, i).name,
                      oct_verdict_name(r.verdict), r.reason, r.where, (unsigned long long)r.turns,
                      (double)r.ticks / OCT_TICKS);
        assert_int_equal(r.verdict, OCT_VERDICT_PASS);
        assert_string_equal(r.reason, "");
        oct_play_free(&r);
    }
    oct_script_close(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tests_of_a_script_are_listed_and_played, script_setup,
                                        script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
