// SPDX-License-Identifier: MIT
// Scripts that are opened and played: tests, worlds, verdicts, results.
#define _POSIX_C_SOURCE 200809L
#include "octant/block_world.h"
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
    const oct_play_options options = {.seed = 0};
    for (size_t i = 0; i < 2; i++) {
        oct_play_result r = script_play_with(script, i, &options);
        print_message("%s: %s %s (%s), %llu turns, %.1f s\n", oct_script_test(script, i).name,
                      oct_verdict_name(r.verdict), r.reason, r.where, (unsigned long long)r.turns,
                      (double)r.ticks / OCT_BLOCK_WORLD_RATE);
        assert_int_equal(r.verdict, OCT_VERDICT_PASS);
        assert_string_equal(r.reason, "");
        oct_play_result_free(&r);
    }
    oct_script_close(script);
}

// ---- options and results ----

static void a_view(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count)
{
    assert_non_null(world);
    assert_non_null(agents[0]);
    assert_int_equal(count, 1);
    ++*(int *)ctx;
}

static void a_turn(void *ctx, oct_agent *const *agents, size_t count)
{
    assert_true(agents && count == 1);
    *(int *)ctx += 10;
}

static void an_event(void *ctx, size_t agent, const oct_mind_event *event)
{
    (void)event;
    assert_int_equal(agent, 0);
    *(int *)ctx += 1000000;
}

static uint64_t cpu_clock(void *ctx)
{
    struct timespec now;
    (void)ctx;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void a_result_has_all_its_fields(void **state)
{
    oct_script *const script = script_open(
        *state,
        "world 'room.json'\ntest('t', { view = 15, sight = 'through', seed = 7, cell = 0.3, "
        "padding "
        "= 1, facing = 'full', strategy = 'gain', bounds = {0, 0, 0, 20, 8, 15}, ticks = 10, turns "
        "= 500, start = {6.27, 2.87, 8.77}, settle = 3, delay = {20, 60}, invariants = {well = "
        "function(a) return a.health == 1 end}}, function() print('from', 'the body', {}) return "
        "SEQ{CHECK('there', function(a) a:note 'hello' return a.seed == 7 and a.position.x > 6 "
        "end), explore()} end)");
    int seen = 0;
    oct_play_options options = {.seed = 0};
    options.clock = cpu_clock;
    const oct_play_watch watch = {&seen, a_view, a_turn, an_event, a_turn};
    options.watches = &watch;
    options.watch_count = 1;
    oct_play_result r = script_play_with(script, 0, &options);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.verdict, OCT_VERDICT_PASS);
    assert_non_null(strstr(r.where, " s"));
    assert_int_equal(r.note_count, 3);
    assert_string_equal(r.notes[0], "from the body table");
    assert_non_null(strstr(r.notes[1], "with a padding of 1 m, may shut passages of 2.5 m"));
    assert_string_equal(r.notes[2], "hello");
    assert_true(r.agents == 1 && r.turns > 0 && r.ticks > 0 && r.seed == 7 && r.view == 15.0);
    assert_true(r.sight == OCT_SIGHT_THROUGH);
    assert_true(r.times.all > 0 && r.times.looks > 0);
    assert_true(r.open > 0 && r.blocked > 0);
    assert_true(r.explored > 0.0 && r.explored <= 1.0);
    assert_true(seen > 1000000 && seen % 10 == 1);
    oct_play_result_free(&r);
    oct_script_close(script);
}

static void verdicts_are_turned_as_expected(void **state)
{
    script_verdict(
        *state,
        "world 'room.json'\n"
        "test('a', {expect = 'fail', reason = 'so'}, function() return FAIL 'so' end)\n"
        "test('b', {expect = 'error'}, function() return CHECK('x', function(a) return "
        "a.x end) end)\n"
        "test('c', {expect = 'inconclusive', seconds = 0.5}, function() return explore() "
        "end)\n"
        "test('d', {expect = 'error', world = 'absent.json'}, function() return "
        "SUCCESS() end)\n",
        OCT_VERDICT_PASS, "");
    script_verdict(
        *state,
        "world 'room.json'\n"
        "test('a', {expect = 'fail'}, function() return SUCCESS() end)\n"
        "test('b', {expect = 'fail', reason = 'that'}, function() return FAIL 'so' end)\n",
        OCT_VERDICT_FAIL, "expected fail");
    script_verdict(*state, "test('a', {world = 'absent.json'}, function() return SUCCESS() end)\n",
                   OCT_VERDICT_ERROR, "there is no world 'absent.json'");
    script_write(*state, "broken.json", "{\n\"format\": 3}");
    script_verdict(*state, "test('a', {world = 'broken.json'}, function() return SUCCESS() end)\n",
                   OCT_VERDICT_ERROR, "broken.json:2");
}

static void files_are_included_once(void **state)
{
    script_write(*state, "shared.lua",
                 "times = (times or 0) + 1\nreturn {g = function() return SUCCESS() end}");
    script_verdict(*state,
                   "local lib = include 'shared.lua' include 'shared.lua'\n"
                   "world 'room.json' test('t', function() assert(times == 1) return lib.g() end)",
                   OCT_VERDICT_PASS, "");
    script_write(*state, "bad.lua", "\n\nx = nil + 1");
    script_refused(*state, "include 'bad.lua'", 0, "bad.lua:3: attempt");
    script_refused(*state, "x = 1\nclose_to_blok 'Door'", 2,
                   "(global 'close_to_blok'); close_to_block?");
    script_refused(*state, "a_word_that_nobody_knows()", 1, "(global 'a_word_that_nobody_knows')");
}

// ---- stopping ----

static int asked;

static bool stops_at_the_third(void *ctx)
{
    (void)ctx;
    return ++asked > 3;
}

// Whatever verdict it expects: it was not played to its end.
static void tests_that_are_stopped_stay_open(void **state)
{
    oct_script *const script = script_open(
        *state, "world 'room.json'\n"
                "test('a', function() return explore() end)\n"
                "test('b', {expect = 'inconclusive'}, function() return explore() end)\n"
                "test('c', function() return SUCCESS() end)\n");
    oct_play_options options = {.seed = 0};
    options.stops = stops_at_the_third;
    for (size_t i = 0; i < 3; i++) {
        asked = 0;
        oct_play_result r = script_play_with(script, i, &options);
        const bool is_cut = i < 2; // the last ends in its first turn
        assert_int_equal(r.is_interrupted, is_cut);
        assert_int_equal(r.verdict, is_cut ? OCT_VERDICT_INCONCLUSIVE : OCT_VERDICT_PASS);
        assert_string_equal(r.reason, is_cut ? "interrupted" : "");
        assert_int_equal(r.turns, is_cut ? 3 : 0);
        oct_play_result_free(&r);
    }
    oct_script_close(script);
}

// ---- worlds of the other formats ----

// A panel, a door that its first button toggles, and a dummy, in the open: as Space Engineers saves
// it, and as it is extracted from a save.
static const char save[] =
    "<?xml version=\"1.0\"?>\n"
    "<MyObjectBuilder_Sector xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
    "<SectorObjects>"
    "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_CubeGrid\"><EntityId>77</EntityId>"
    "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/><Forward x=\"0\" y=\"0\" z=\"-1\"/>"
    "<Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation><GridSizeEnum>Large</GridSizeEnum>"
    "<CubeBlocks>"
    "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_AirtightSlideDoor\">"
    "<SubtypeName>LargeBlockSlideDoor</SubtypeName><EntityId>13</EntityId>"
    "<Min x=\"2\" y=\"0\" z=\"0\"/><CustomName>Door</CustomName></MyObjectBuilder_CubeBlock>"
    "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_ButtonPanel\">"
    "<SubtypeName>ButtonPanelLarge</SubtypeName><EntityId>14</EntityId>"
    "<Min x=\"0\" y=\"0\" z=\"0\"/><CustomName>Panel</CustomName><Toolbar><Slots><Slot>"
    "<Index>0</Index><Item/><Data xsi:type=\"MyObjectBuilder_ToolbarItemTerminalBlock\">"
    "<Action>Open</Action><BlockEntityId>13</BlockEntityId></Data></Slot></Slots></Toolbar>"
    "</MyObjectBuilder_CubeBlock>"
    "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_TargetDummyBlock\">"
    "<SubtypeName>TargetDummy</SubtypeName><EntityId>16</EntityId><Min x=\"-3\" y=\"0\" z=\"0\"/>"
    "</MyObjectBuilder_CubeBlock></CubeBlocks></MyObjectBuilder_EntityBase>"
    "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_Character\"><EntityId>88</EntityId>"
    "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"9\"/><Forward x=\"0\" y=\"0\" z=\"-1\"/>"
    "<Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation></MyObjectBuilder_EntityBase>"
    "</SectorObjects></MyObjectBuilder_Sector>\n";

static const char extracted[] =
    "{\"world\": \"small\", \"character\": {\"pose\": {\"position\": [0, 0, 9],"
    " \"forward\": [0, 0, -1], \"up\": [0, 1, 0]}}, \"grids\": [{\"entityId\": \"77\","
    " \"gridSize\": \"Large\", \"pose\": {\"position\": [0, 0, 0], \"forward\": [0, 0, -1],"
    " \"up\": [0, 1, 0]}}], \"blocks\": ["
    "{\"type\": \"AirtightSlideDoor\", \"subtype\": \"LargeBlockSlideDoor\", \"entityId\": \"13\","
    " \"name\": \"Door\", \"gridIndex\": 0, \"min\": [2, 0, 0], \"fwd\": \"Forward\","
    " \"up\": \"Up\", \"size\": [1, 1, 1]},"
    "{\"type\": \"ButtonPanel\", \"subtype\": \"ButtonPanelLarge\", \"entityId\": \"14\","
    " \"name\": \"Panel\", \"gridIndex\": 0, \"min\": [0, 0, 0], \"fwd\": \"Forward\","
    " \"up\": \"Up\", \"size\": [1, 1, 1], \"toolbar\": [{\"slot\": 0, \"action\": \"Open\","
    " \"blockEntityId\": \"13\"}]},"
    "{\"type\": \"TargetDummyBlock\", \"subtype\": \"TargetDummy\", \"entityId\": \"16\","
    " \"gridIndex\": 0, \"min\": [-3, 0, 0], \"fwd\": \"Forward\", \"up\": \"Up\","
    " \"size\": [1, 1, 1]}]}";

static const char play_it[] =
    "test('the panel opens the door', { seconds = 120 }, function()\n"
    "  return SEQ { interacted 'Panel',\n"
    "    wait_until('the door is open', function(a) return a:entity('Door').is_open end, 5),\n"
    "    close_to_block { type = 'TargetDummy' } }\n"
    "end)\n"
    "test('the other buttons do not', { seconds = 120, expect = 'inconclusive', reason = 'out of "
    "time' },\n"
    "function()\n"
    "  return SEQ { interacted('Panel', 1),\n"
    "    wait_until('the door is open', function(a) return a:entity('Door').is_open end, 5) }\n"
    "end)\n";

static void worlds_of_all_formats_are_played(void **state)
{
    static const char sizes[] = "[{\"id\": \"MyObjectBuilder_TargetDummyBlock\","
                                " \"type\": \"TargetDummy\", \"size\": [1, 1, 1]},"
                                "{\"id\": \"MyObjectBuilder_ButtonPanel\","
                                " \"type\": \"ButtonPanelLarge\", \"size\": [1, 1, 1]},"
                                "{\"id\": \"MyObjectBuilder_AirtightSlideDoor\","
                                " \"type\": \"LargeBlockSlideDoor\", \"size\": [1, 1, 1]}]";
    char text[sizeof play_it + 64];
    script_write(*state, "small.sbs", save);
    script_write(*state, "small.json", extracted);
    snprintf(text, sizeof text, "world 'small.json'\n%s", play_it);
    script_verdict(*state, text, OCT_VERDICT_PASS, "");
    snprintf(text, sizeof text, "world 'small.sbs'\n%s", play_it);
    script_verdict(*state, text, OCT_VERDICT_PASS, "");
    // How large blocks are is not told without a list: a note says so.
    for (int has_list = 0; has_list < 2; has_list++) {
        if (has_list) {
            script_write(*state, "block_sizes.json", sizes);
        }
        oct_script *const script = script_open(*state, text);
        const oct_play_options options = {.seed = 0};
        oct_play_result r = script_play_with(script, 0, &options);
        assert_int_equal(r.verdict, OCT_VERDICT_PASS);
        assert_int_equal(r.note_count, has_list ? 0 : 1);
        oct_play_result_free(&r);
        oct_script_close(script);
    }
    script_write(*state, "broken.sbs", "<?xml version=\"1.0\"?>\n<Sector></Other>");
    script_verdict(*state, "world 'broken.sbs' test('a', function() return SUCCESS() end)\n",
                   OCT_VERDICT_ERROR, "broken.sbs:2");
}

// ---- the same again ----

static void results_are_the_same_in_any_order(void **state)
{
    oct_script *const script = script_open(
        *state,
        "world 'room.json'\nfor i = 1, 4 do test('t' .. i, {seed = i, strategy = 'random'}, "
        "function() local keys = {} for k in pairs{x = 1, y = 2, z = 3, long_name = 4} do "
        "keys[#keys + 1] = k .. math.random(1000) end print(table.concat(keys, ' ')) return "
        "ANYof{SEQ{explore(), FAIL 'x'}, smart_close_to_block 'Target', close_to{6, 4, 8}} end) "
        "end");
    const oct_play_options options = {.seed = 0};
    char first[4][512], again[512];
    for (size_t i = 0; i < 4; i++) {
        oct_play_result r = script_play_with(script, i, &options);
        script_words(&r, first[i], sizeof first[i]);
        oct_play_result_free(&r);
    }
    for (size_t i = 4; i-- > 0;) {
        oct_play_result r = script_play_with(script, i, &options);
        script_words(&r, again, sizeof again);
        assert_string_equal(again, first[i]);
        oct_play_result_free(&r);
    }
    oct_script_close(script);
}

// ---- memory ----

// Refuses one allocation of all that is not Lua's own.
static void short_memory_is_a_result(void **state)
{
    char path[1024];
    script_write(*state, "test.lua",
                 "world 'room.json' test('t', {seconds = 1, view = 6}, function() print 'x' "
                 "invariant('i', ltl.eventually(function(a) return true end)) return "
                 "SEQ{explore_to_find 'Lamp', explore()} end)");
    script_path(*state, "test.lua", path, sizeof path);
    const size_t step = test_is_slow() ? 53 : 7;
    for (size_t fail_at = 0;; fail_at += fail_at < 300 ? 1 : step) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        script_limits limits = oct_script_limits_default();
        limits.allocator = &memory.allocator;
        oct_script *script;
        oct_error error = {.line = 0};
        oct_result result = oct_script_open(path, &limits, &script, &error);
        if (result == OCT_OK) {
            oct_play_result r;
            const oct_play_options options = {.seed = 0};
            result = oct_script_play(script, 0, &limits, &options, &r);
            oct_play_result_free(&r);
        }
        oct_script_close(script);
        test_allocator_check_empty(&memory);
        if (!memory.refused) {
            assert_int_equal(result, OCT_OK);
            print_message("%zu allocations\n", memory.allocations);
            break;
        }
        if (result != OCT_ERROR_MEMORY && result != OCT_OK) {
            fail_msg("%zu: %s, line %u: %s", fail_at, oct_result_text(result), error.line,
                     error.message);
        }
    }
}

// ---- documentation ----

// Every block of Lua in the reference is a script whose tests pass.
static void examples_of_the_reference_pass(void **state)
{
    size_t size;
    char *const page = test_read_file(OCT_SOURCE_DIR "/docs/testers/scripts.md", &size);
    char *const text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, page, size);
    text[size] = '\0';
    free(page);
    assert_int_equal(chdir(OCT_SOURCE_DIR), 0);
    int blocks = 0;
    for (char *at = strstr(text, "```lua\n"); at; at = strstr(at, "```lua\n")) {
        char *const end = strstr(at + 7, "```");
        assert_non_null(end);
        *end = '\0';
        script_verdict(*state, at + 7, OCT_VERDICT_PASS, "");
        blocks++;
        at = end + 1;
    }
    assert_true(blocks >= 6);
    free(text);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, script_setup, script_teardown)
    const struct CMUnitTest tests[] = {
        EACH(tests_of_a_script_are_listed_and_played), EACH(a_result_has_all_its_fields),
        EACH(verdicts_are_turned_as_expected),         EACH(files_are_included_once),
        EACH(tests_that_are_stopped_stay_open),        EACH(worlds_of_all_formats_are_played),
        EACH(results_are_the_same_in_any_order),       EACH(short_memory_is_a_result),
        EACH(examples_of_the_reference_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
