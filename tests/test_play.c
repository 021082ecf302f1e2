// SPDX-License-Identifier: MIT
// Tests that are written in C: as from Lua, to the byte of their reports.
#define _POSIX_C_SOURCE 200809L
#include "files/files_internal.h"
#include "octant/block_world.h"
#include "report_scene.h"
#include "script_support.h"
#include "support.h"

// ---- the room, from C ----

typedef struct fixture {
    const char *folder;
    oct_test_agent agents[2];
    oct_test_def def;
    bool has_failed;
} fixture;

static oct_result load_room(void *ctx, const oct_allocator *allocator, oct_world **out,
                            oct_error *error)
{
    char path[1024];
    script_path(((const fixture *)ctx)->folder, "room.json", path, sizeof path);
    return oct_world_load(path, NULL, allocator, out, NULL, error);
}

static oct_result reach_target(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal = oct_goal_smart_close_to_block(NULL, &(oct_pick){.name = "Target"}, OCT_SIDE_ANY, 0.0);
    return OCT_OK;
}

static oct_result explore(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal = oct_goal_explore(NULL);
    return OCT_OK;
}

static oct_result fail_at_once(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal = oct_goal_fail(NULL, "a broken bridge");
    return OCT_OK;
}

static void open_fixture(fixture *f, const char *folder)
{
    *f = (fixture){.folder = folder, .def = oct_test_def_default()};
    for (size_t i = 0; i < 2; i++) {
        f->agents[i] = oct_test_agent_default();
        f->agents[i].begin = reach_target;
    }
    f->def.world_name = "room.json";
    f->def.load = load_room;
    f->def.ctx = f;
    f->def.agents = f->agents;
    f->def.agent_count = 1;
    f->def.seconds = 120.0;
}

static oct_play_result play_fixture(const fixture *f)
{
    const oct_play_options options = {.seed = 0};
    oct_play_result r;
    assert_int_equal(oct_play_test(&f->def, &options, &r), OCT_OK);
    return r;
}

// Plays it, and frees the result: the verdict, and words that the reason holds. A fail rests on
// what happened in the run; one that was expected keeps that.
static void expect_by(const fixture *f, oct_verdict verdict, const char *reason,
                      oct_proof_kind proof)
{
    oct_play_result r = play_fixture(f);
    if (r.verdict != verdict || !strstr(r.reason, reason)) {
        fail_msg("%s: %s\n  not %s: %s", oct_verdict_name(r.verdict), r.reason,
                 oct_verdict_name(verdict), reason);
    }
    assert_int_equal(r.proof, proof);
    assert_int_equal(r.assumes != 0, proof == OCT_PROOF_CUT);
    oct_play_result_free(&r);
}

static void expect(const fixture *f, oct_verdict verdict, const char *reason)
{
    const bool has_failed = verdict == OCT_VERDICT_FAIL || f->def.expect == OCT_VERDICT_FAIL;
    expect_by(f, verdict, reason, has_failed ? OCT_PROOF_WITNESS : OCT_PROOF_NONE);
}

// ---- C and Lua ----

typedef struct written {
    scene_text junit, html, trace, text;
    char words[2048];
    uint64_t hash;
} written;

// Plays a test in one of the two ways with everything looking on, and writes all reports.
static void write_all(const fixture *f, const oct_script *script, written *out)
{
    oct_report_test test = {.file = "test.lua", .name = "t", .world = "room.json", .line = 1};
    oct_play_record *record;
    oct_trace *trace;
    scene_text_init(&out->junit);
    scene_text_init(&out->html);
    scene_text_init(&out->trace);
    scene_text_init(&out->text);
    assert_int_equal(oct_play_record_create(NULL, &record), OCT_OK);
    assert_int_equal(oct_trace_create(&test, scene_text_write, &out->trace, NULL, &trace), OCT_OK);
    const oct_play_watch watches[] = {oct_play_record_watch(record), oct_trace_watch(trace)};
    const oct_play_options options = {.watches = watches, .watch_count = 2};
    const script_limits limits = oct_script_limits_default();
    assert_int_equal(script ? oct_script_play(script, 0, &limits, &options, &test.result)
                            : oct_play_test(&f->def, &options, &test.result),
                     OCT_OK);
    test.record = record;
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    assert_int_equal(oct_trace_end(trace), OCT_OK);
    assert_int_equal(oct_report_junit(&run, scene_text_write, &out->junit), OCT_OK);
    assert_int_equal(oct_report_html(&run, scene_text_write, &out->html), OCT_OK);
    assert_int_equal(oct_report_text(&run, scene_text_write, &out->text), OCT_OK);
    script_words(&test.result, out->words, sizeof out->words);
    out->hash = test.result.hash;
    oct_trace_destroy(trace);
    oct_play_record_destroy(record);
    oct_play_result_free(&test.result);
}

static void free_written(written *w)
{
    scene_text_free(&w->junit);
    scene_text_free(&w->html);
    scene_text_free(&w->trace);
    scene_text_free(&w->text);
}

static void compare(const fixture *f, const char *folder, const char *source)
{
    static written c, lua;
    oct_script *const script = script_open(folder, source);
    write_all(f, NULL, &c);
    write_all(NULL, script, &lua);
    assert_string_equal(c.words, lua.words);
    assert_true(c.hash == lua.hash && c.hash != 0);
    assert_string_equal(scene_text_read(&c.trace), scene_text_read(&lua.trace));
    assert_string_equal(scene_text_read(&c.junit), scene_text_read(&lua.junit));
    assert_string_equal(scene_text_read(&c.html), scene_text_read(&lua.html));
    assert_string_equal(scene_text_read(&c.text), scene_text_read(&lua.text));
    free_written(&c);
    free_written(&lua);
    oct_script_close(script);
}

static void c_and_lua_give_the_same(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    compare(&f, *state,
            "world 'room.json' test('t', {seconds = 120}, function() return "
            "smart_close_to_block 'Target' end)");
    const oct_bounds bounds = {{0, 0, 0}, {20, 8, 15}};
    const oct_point start = {6.27, 2.87, 8.77};
    f.def.view = 15.0;
    f.def.has_sight = true;
    f.def.sight = OCT_SIGHT_THROUGH;
    f.def.seed = 7;
    f.def.turns = 500;
    f.def.delay_min = 2;
    f.def.delay_max = 6;
    f.agents[0].agent.belief.cell = 0.3;
    f.agents[0].agent.belief.padding = 1.0;
    f.agents[0].agent.belief.settle = 180;
    f.def.has_settle = true;
    f.def.settle = 3.0;
    f.def.denies = 1u << OCT_ASSUME_PACE;
    f.agents[0].agent.facing = OCT_FACING_FULL;
    f.agents[0].agent.strategy = OCT_STRATEGY_GAIN;
    f.agents[0].agent.ticks = 10;
    f.agents[0].agent.bounds = &bounds;
    f.agents[0].start = &start;
    f.agents[0].begin = explore;
    compare(&f, *state,
            "world 'room.json' test('t', {view = 15, sight = 'through', seed = 7, cell = 0.3, "
            "padding = 1, facing = 'full', strategy = 'gain', bounds = {0, 0, 0, 20, 8, 15}, "
            "ticks = 10, turns = 500, start = {6.27, 2.87, 8.77}, settle = 3, delay = {33, 100}, "
            "denies = {'pace'}, seconds = 120}, function() return explore() end)");
}

static void several_agents_are_as_from_lua(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    const oct_point start = {8.77, 2.87, 6.27};
    f.agents[0].agent.name = "one";
    f.agents[1].agent.name = "two";
    f.agents[1].agent.seed = 9;
    f.agents[1].start = &start;
    f.agents[1].begin = explore;
    f.def.agent_count = 2;
    compare(&f, *state,
            "world 'room.json' test('t', {seconds = 120}, function() "
            "agent('one', smart_close_to_block 'Target') "
            "agent('two', {seed = 9, start = {8.77, 2.87, 6.27}}, explore()) end)");
}

// ---- verdicts ----

static void verdicts_may_be_expected(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    expect(&f, OCT_VERDICT_PASS, "");
    f.agents[0].begin = fail_at_once;
    expect(&f, OCT_VERDICT_FAIL, "a broken bridge");
    f.def.expect = OCT_VERDICT_FAIL;
    expect(&f, OCT_VERDICT_PASS, "");
    f.def.reason = "broken";
    expect(&f, OCT_VERDICT_PASS, "");
    f.def.reason = "a wall";
    expect(&f, OCT_VERDICT_FAIL, "expected fail because of 'a wall', but: ");
    f.def.expect = OCT_VERDICT_ERROR;
    expect(&f, OCT_VERDICT_FAIL, "expected error, but it was fail: ");
    // What might have failed has not.
    f.def.expect = OCT_VERDICT_FAIL;
    f.def.reason = NULL;
    f.agents[0].begin = reach_target;
    f.def.turns = 2;
    oct_play_result r = play_fixture(&f);
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_int_equal(r.proof, OCT_PROOF_NONE);
    assert_non_null(strstr(r.reason, "expected fail, but that is not certain: out of budget"));
    oct_play_result_free(&r);
}

static void limits_of_the_test_hold(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    f.def.turns = 2;
    oct_play_result r = play_fixture(&f);
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_true(r.turns <= 2);
    assert_string_equal(r.decides, "a larger limit of seconds or turns; not everything was "
                                   "explored: 1 place is left");
    oct_play_result_free(&r);
    f.def.turns = 0;
    f.def.seconds = 0.5;
    r = play_fixture(&f);
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_true(r.ticks <= 60);
    oct_play_result_free(&r);
}

// What agents are told of the game.
static oct_result keep_info(void *ctx, oct_agent *agent, oct_goal **goal)
{
    *(oct_game_info *)ctx = *oct_belief_info(oct_agent_belief(agent));
    *goal = oct_goal_success(NULL);
    return OCT_OK;
}

// The room promises toggles and has no timers: a test may deny that, and expect longer delays.
static void a_test_may_deny_what_a_game_promises(void **state)
{
    fixture f;
    oct_game_info info = {.game = NULL};
    open_fixture(&f, *state);
    f.agents[0].begin = keep_info;
    f.agents[0].ctx = &info;
    expect(&f, OCT_VERDICT_PASS, "");
    assert_true(info.promises >> OCT_ASSUME_TOGGLES & 1);
    assert_int_equal(info.denies, 0);
    assert_true(info.has_settle && info.settle == 0);
    f.def.denies = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_MEMORY;
    f.def.has_settle = true;
    f.def.settle = 7.0;
    expect(&f, OCT_VERDICT_PASS, "");
    assert_false(info.promises >> OCT_ASSUME_TOGGLES & 1);
    assert_int_equal(info.denies, f.def.denies);
    assert_true(info.has_settle && info.settle == 7 * OCT_BLOCK_WORLD_RATE);
}

static oct_result reach_without_pressing(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal = oct_goal_close_to_block(NULL, &(oct_pick){.name = "Target"}, OCT_SIDE_ANY, 0.0);
    return OCT_OK;
}

// A fail that needs an assumption is none where the test denies it, and says which.
static void what_a_test_denies_no_fail_rests_on(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    f.agents[0].begin = reach_without_pressing;
    expect_by(&f, OCT_VERDICT_FAIL, "Target", OCT_PROOF_CUT);
    f.def.denies = 1u << OCT_ASSUME_SOLID;
    expect(&f, OCT_VERDICT_INCONCLUSIVE, "solid");
    f.def.denies = 1u << OCT_ASSUME_PACE; // which it does not need
    expect_by(&f, OCT_VERDICT_FAIL, "Target", OCT_PROOF_CUT);
}

// A delay that a game tells is never made shorter by a test.
static void a_test_does_not_shorten_delays(void **state)
{
    fixture f;
    oct_game_info info = {.game = NULL};
    oct_error error;
    oct_world *world;
    open_fixture(&f, *state);
    assert_int_equal(oct_world_load(OCT_SOURCE_DIR "/worlds/asteroid_base.json", NULL, NULL, &world,
                                    NULL, &error),
                     OCT_OK);
    f.def.world = world;
    f.agents[0].begin = keep_info;
    f.agents[0].ctx = &info;
    expect(&f, OCT_VERDICT_PASS, "");
    const uint64_t told = info.settle;
    assert_true(info.has_settle && told > 0);
    f.def.has_settle = true;
    f.def.settle = 0.0;
    expect(&f, OCT_VERDICT_PASS, "");
    assert_true(info.settle == told);
    oct_world_destroy(world);
}

// ---- errors ----

static bool fails(void *ctx, oct_test_error *out)
{
    *out = (oct_test_error){"no bridge\nat all", "test.c:12", NULL};
    return ((const fixture *)ctx)->has_failed;
}

static oct_result begin_badly(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)agent;
    (void)goal;
    ((fixture *)ctx)->has_failed = true;
    return OCT_ERROR_ARGUMENT;
}

static oct_result load_nothing(void *ctx, const oct_allocator *allocator, oct_world **out,
                               oct_error *error)
{
    (void)ctx;
    (void)allocator;
    *out = NULL;
    oct_error_set(error, 0, 3, 0, "no such thing");
    return OCT_ERROR_FORMAT;
}

static void errors_of_a_test_are_verdicts(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    f.def.fails = fails;
    f.agents[0].begin = begin_badly;
    f.agents[0].ctx = &f;
    oct_play_result r = play_fixture(&f);
    assert_int_equal(r.verdict, OCT_VERDICT_ERROR);
    assert_string_equal(r.reason, "no bridge at all");
    assert_string_equal(r.where, "test.c:12");
    oct_play_result_free(&r);
    // From the begin on: nothing is loaded.
    r = play_fixture(&f);
    assert_int_equal(r.verdict, OCT_VERDICT_ERROR);
    assert_true(r.agents == 0 && r.hash == 0);
    oct_play_result_free(&r);
    f.has_failed = false;
    f.def.load = load_nothing;
    r = play_fixture(&f);
    assert_string_equal(r.reason, "room.json:3: no such thing");
    assert_string_equal(r.where, "room.json:3");
    oct_play_result_free(&r);
    f.def.expect = OCT_VERDICT_ERROR;
    expect(&f, OCT_VERDICT_PASS, "");
}

static void tests_that_are_not_whole_are_refused(void **state)
{
    const oct_play_options options = {.seed = 0};
    oct_play_result r;
    fixture f;
    open_fixture(&f, *state);
    f.agents[0].begin = NULL;
    assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_ERROR_ARGUMENT);
    open_fixture(&f, *state);
    f.def.load = NULL;
    assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_ERROR_ARGUMENT);
    open_fixture(&f, *state);
    f.def.agent_count = 0;
    assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_ERROR_ARGUMENT);
    open_fixture(&f, *state);
    f.def.cookie = 0;
    assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_ERROR_ARGUMENT);
}

// ---- memory ----

static void short_memory_is_a_result_of_play(void **state)
{
    fixture f;
    open_fixture(&f, *state);
    f.def.seconds = 0.5;
    f.def.view = 6.0;
    f.def.agent_count = 2;
    for (size_t fail_at = 0;; fail_at += fail_at < 300 ? 1 : 53) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        const oct_play_options options = {.allocator = &memory.allocator};
        oct_play_result r;
        const oct_result result = oct_play_test(&f.def, &options, &r);
        oct_play_result_free(&r);
        test_allocator_check_empty(&memory);
        if (!memory.refused) {
            assert_int_equal(result, OCT_OK);
            break;
        }
        // A goal or a note that lacks memory need not end the test.
        assert_true(result == OCT_ERROR_MEMORY || result == OCT_OK);
    }
}

// ---- plans ----

// A hall with panels along one side and as many shut closets along the other. The target is
// nowhere.
static void write_hall(const char *folder, int count)
{
    char blocks[8192] = "", wires[4096] = "", source[16384];
    for (int i = 0; i < count; i++) {
        const size_t b = strlen(blocks), w = strlen(wires);
        (void)snprintf(blocks + b, sizeof blocks - b,
                       "%s{\"id\": %d, \"type\": \"door\", \"cell\": [%d, 0, 2]},"
                       "{\"id\": %d, \"type\": \"panel\", \"cell\": [%d, 0, -1]}",
                       i > 0 ? "," : "", 1 + i, i, 101 + i, i);
        (void)snprintf(wires + w, sizeof wires - w, "%s{\"from\": %d, \"to\": %d}",
                       i > 0 ? "," : "", 101 + i, 1 + i);
    }
    (void)snprintf(source, sizeof source,
                   "{\"format\": \"octant-world\", \"version\": 1, \"up\": \"y\","
                   "\"start\": {\"position\": [%d, 0.35, 2.5], \"forward\": [0, 0, 1],"
                   "\"up\": [0, 1, 0]}, \"rules\": {\"view\": 22},"
                   "\"grids\": [{\"id\": 1, \"position\": [1.25, 1.25, 1.25]}],"
                   "\"types\": [{\"name\": \"armour\"}, {\"name\": \"door\", \"kind\": \"door\"},"
                   "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 1}],"
                   "\"fills\": [{\"type\": \"armour\", \"from\": [-1, -1, -1], \"to\": [%d, 1, 4]},"
                   "{\"from\": [0, 0, 0], \"to\": [%d, 0, 1]},"
                   "{\"from\": [0, 0, 3], \"to\": [%d, 0, 3]}],"
                   "\"blocks\": [%s], \"wires\": [%s]}",
                   count * 5 / 4, count, count - 1, count - 1, blocks, wires);
    script_write(folder, "hall.json", source);
}

// All sets of 16 buttons are more than what is looked at before a plan is given up; the first press
// that shows something is found among few.
static void plans_end_with_the_first_that_will_do(void **state)
{
    write_hall(*state, 16);
    oct_script *const script =
        script_open(*state, "test('t', {world = 'hall.json', seconds = 30},"
                            "     function() return smart_close_to_block 'Target' end)");
    oct_play_result r = script_play_with(script, 0, &(oct_play_options){.seed = 0});
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    // All sets would take 10 MB more; what is kept of the space, to give up by, is 24 MB of it.
    assert_true(r.memory < 36 * OCT_MEGABYTE);
    oct_play_result_free(&r);
    oct_script_close(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plans_end_with_the_first_that_will_do, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(c_and_lua_give_the_same, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(several_agents_are_as_from_lua, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(verdicts_may_be_expected, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(limits_of_the_test_hold, script_setup, script_teardown),
        cmocka_unit_test_setup_teardown(a_test_may_deny_what_a_game_promises, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(what_a_test_denies_no_fail_rests_on, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(a_test_does_not_shorten_delays, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(errors_of_a_test_are_verdicts, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(tests_that_are_not_whole_are_refused, script_setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(short_memory_is_a_result_of_play, script_setup,
                                        script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
