// SPDX-License-Identifier: MIT
// What is wrong with scripts, found without playing them, and the notes of tests that are played.
#define _POSIX_C_SOURCE 200809L
#include "problem_list.h"
#include "script_support.h"

#include "files/files_internal.h"

#define IN_ROOM "world 'room.json'\n"

static void list_script_problem(void *ctx, const char *file, const oct_problem *problem)
{
    const char *const slash = strrchr(file, '/');
    char text[OCT_PROBLEM_TEXT + 64];
    oct_problem own = *problem;
    (void)snprintf(text, sizeof text, "%s: %s", slash ? slash + 1 : file, problem->text);
    own.text = text;
    list_problem(ctx, &own);
}

static oct_world *load(const char *folder, const char *name)
{
    char path[1024];
    oct_world *world;
    script_path(folder, name, path, sizeof path);
    assert_int_equal(oct_world_load(path, NULL, NULL, &world, NULL, NULL), OCT_OK);
    return world;
}

// Checks all tests of a source in the room.
static void expect(const char *folder, const char *source, const char *problems)
{
    const script_limits limits = oct_script_limits_default();
    problem_list list = {.used = 0};
    oct_world *const room = load(folder, "room.json");
    oct_script *const script = script_open(folder, source);
    for (size_t i = 0; i < oct_script_tests(script); i++) {
        assert_int_equal(oct_script_check(script, i, &limits, room, list_script_problem, &list),
                         OCT_OK);
    }
    if (strcmp(list.text, problems) != 0) {
        fail_msg("%s\n---\n%s---\n%s", source, list.text, problems);
    }
    oct_script_close(script);
    oct_world_destroy(room);
}

// ---- names ----

static void names_of_the_world_are_no_problem(void **state)
{
    expect(*state,
           IN_ROOM "test('a', function()\n"
                   "  return SEQ { close_to_button 'Panel', press_button('Panel', 1),\n"
                   "    close_to_block { type = 'TargetDummy', side = 'back' },\n"
                   "    links_are { ['Panel:0'] = {'Door'}, ['Panel:1'] = {} },\n"
                   "    opens_only('Panel', {'Door'}), close_to { 3, 3, 3 },\n"
                   "    explore_to_find { where = function() return true end } }\n"
                   "end)\n",
           "");
}

static void names_that_the_world_lacks_are_told(void **state)
{
    expect(*state,
           IN_ROOM
           "test('a', function()\n"
           "  return SEQ { press_button 'Panle',\n"
           "    close_to_block 'door', close_to_block { name = 'Nowhere', side = 'left' },\n"
           "    close_to_block 'TargetDummy',\n"
           "    face_towards { type = 'Targetdummy' },\n"
           "    explore_to_find { type = 'reactor' } }\n"
           "end)\n",
           "3 error name: test.lua: no block is called Panle; Panel?\n"
           "4 error name: test.lua: no block is called door; Door?\n"
           "4 error name: test.lua: no block is called Nowhere\n"
           "5 error name: test.lua: no block is called TargetDummy; it is a type: {type = "
           "\"TargetDummy\"}?\n"
           "6 error name: test.lua: no block has the type Targetdummy; TargetDummy?\n"
           "7 error name: test.lua: no block has the type reactor\n");
}

// Links, tactics and tools name things too.
static void every_way_to_name_something_counts(void **state)
{
    expect(*state,
           IN_ROOM "test('a', function()\n"
                   "  local go = goal { name = 'x',\n"
                   "    tactic = tactic.navigate_to 'Dor' }\n"
                   "  return SEQ { go,\n"
                   "    opens_only('Panell:1', {'Door', 'Door2'}),\n"
                   "    links_are { ['Panel:0'] = {'Doors'}, Banel = {} },\n"
                   "    equipped { block = 'lampe' },\n"
                   "    placed { type = 'armor', against = 'Lamb' },\n"
                   "    interacted { name = 'Panel ' } }\n"
                   "end)\n",
           "4 error name: test.lua: no block is called Dor; Door?\n"
           "6 error name: test.lua: no block is called Panell; Panel?\n"
           "6 error name: test.lua: no block is called Door2; Door?\n"
           "7 error name: test.lua: no block is called Banel; Panel?\n"
           "7 error name: test.lua: no block is called Doors; Door?\n"
           "8 error name: test.lua: no block has the type lampe; lamp?\n"
           "9 error name: test.lua: no block has the type armor; armour?\n"
           "9 error name: test.lua: no block is called Lamb; Lamp?\n"
           "10 error name: test.lua: no block is called Panel ; Panel?\n");
}

// A loop makes the same mistake only once; another line makes it again.
static void a_mistake_is_told_once_per_line(void **state)
{
    expect(*state,
           IN_ROOM "test('a', function()\n"
                   "  local list = {}\n"
                   "  for i = 1, 5 do\n"
                   "    list[i] = close_to_block 'Dor'\n"
                   "  end\n"
                   "  list[6] = close_to_block 'Dor'\n"
                   "  return SEQ(list)\n"
                   "end)\n",
           "5 error name: test.lua: no block is called Dor; Door?\n"
           "7 error name: test.lua: no block is called Dor; Door?\n");
}

// What functions name while the test is played cannot be seen.
static void functions_are_not_run(void **state)
{
    expect(*state,
           IN_ROOM "test('a', function()\n"
                   "  return DEPLOY(function() return close_to_block 'Dor' end)\n"
                   "end)\n",
           "");
}

// A goal that was made outside of tests belongs to none of them for certain.
static void what_loading_names_counts_for_one_world(void **state)
{
    static const char both[] =
        "local lost = close_to_block 'Dor'\n" IN_ROOM "test('a', function() return lost end)\n";
    expect(*state, both, "1 error name: test.lua: no block is called Dor; Door?\n");
    char two[512];
    (void)snprintf(two, sizeof two,
                   "%sworld 'other.json'\ntest('b', function() return explore() "
                   "end)\n",
                   both);
    expect(*state, two, "");
}

static void included_files_are_named(void **state)
{
    script_write(*state, "more.lua", "\nfunction go() return close_to_block 'Dor' end\n");
    expect(*state, "include 'more.lua'\n" IN_ROOM "test('a', function() return go() end)\n",
           "2 error name: more.lua: no block is called Dor; Door?\n");
}

// ---- bodies and starts ----

static void bodies_that_fail_are_told(void **state)
{
    expect(*state,
           IN_ROOM "test('a', function()\n"
                   "  return close_to_block { name = 'Door', side = 'lft' }\n"
                   "end)\n"
                   "test('b', function() return 3 end)\n",
           "3 error script: test.lua: close_to_block: side must be 'front', 'back', 'left', "
           "'right', 'top', 'bottom' or 'any', not 'lft'\n"
           "5 error script: test.lua: test 'b', in line 5: its body must return a goal, not 3\n");
}

static void starts_in_walls_are_told(void **state)
{
    expect(*state,
           IN_ROOM "test('a', { start = {1.27, 1.27, 1.27} }, function() return explore() end)\n"
                   "test('b', { start = {3.77, 2.87, 6.27} }, function() return explore() end)\n"
                   "test('c', function()\n"
                   "  agent('x', explore())\n"
                   "  agent('y', { start = {0.5, 0.5, 0.5} }, explore())\n"
                   "end)\n",
           "2 error room: test.lua: there is no room for a body at the start, 1.27, 1.27, 1.27\n"
           "4 error room: test.lua: there is no room for a body at the start, 0.5, 0.5, 0.5\n");
}

// ---- notes ----

static void expect_notes(const char *folder, const char *source, const char *notes)
{
    const oct_play_options options = {.seed = 0};
    oct_script *const script = script_open(folder, source);
    oct_play_result result = script_play_with(script, 0, &options);
    char text[8192] = "";
    size_t used = 0;
    for (size_t i = 0; i < result.note_count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", result.notes[i]);
    }
    if (strcmp(text, notes) != 0) {
        fail_msg("%s\n---\n%s---\n%s", source, text, notes);
    }
    assert_int_equal(result.verdict, OCT_VERDICT_PASS);
    oct_play_result_free(&result);
    oct_script_close(script);
}

// A note ends no test, and nobody hears of it who plays.
static void problems_are_notes_of_a_test(void **state)
{
    char path[1024], notes[4096];
    expect_notes(*state, IN_ROOM "test('a', function() return close_to_button 'Panel' end)\n", "");
    script_path(*state, "test.lua", path, sizeof path);
    (void)snprintf(notes, sizeof notes,
                   "hello\n%s:3: no block is called Dor; Door?\n"
                   "bad.json:1: button 1 of panel 'Panel' leads to block 9, which is not there\n",
                   path);
    char bad[sizeof script_room + 64];
    (void)snprintf(bad, sizeof bad, "%.*s, {\"from\": 2, \"slot\": 1, \"to\": 9}]}",
                   (int)sizeof script_room - 3, script_room);
    script_write(*state, "bad.json", bad);
    expect_notes(*state,
                 "world 'bad.json'\ntest('a', function() print('hello')\n"
                 "  return FIRSTof { close_to_button 'Panel', close_to_block 'Dor' } end)\n",
                 notes);
}

static void many_problems_are_counted_in_a_note(void **state)
{
    oct_script *const script = script_open(
        *state, IN_ROOM "test('a', function()\n"
                        "  local list = { close_to_button 'Panel' }\n"
                        "  for i = 1, 30 do list[i + 1] = close_to_block('Door' .. i) end\n"
                        "  return FIRSTof(list)\n"
                        "end)\n");
    const oct_play_options options = {.seed = 0};
    oct_play_result result = script_play_with(script, 0, &options);
    assert_int_equal(result.note_count, 21);
    assert_non_null(strstr(result.notes[19], "no block is called Door20; Door?"));
    assert_string_equal(result.notes[20], "and 10 more problems: octant check tells them");
    oct_play_result_free(&result);
    oct_script_close(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_of_the_world_are_no_problem, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(names_that_the_world_lacks_are_told, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(every_way_to_name_something_counts, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(a_mistake_is_told_once_per_line, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(functions_are_not_run, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(what_loading_names_counts_for_one_world, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(included_files_are_named, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(bodies_that_fail_are_told, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(starts_in_walls_are_told, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(problems_are_notes_of_a_test, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(many_problems_are_counted_in_a_note, script_setup,
                                        script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
