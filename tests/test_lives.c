// SPDX-License-Identifier: MIT
// Lives: a test that was shut in is played again from the start. And several agents, who share what
// they press and see.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "octant/block_world.h"
#include "octant/files.h"
#include "octant/proof_check.h"

// Three rooms in a row. Panel opens Door1, which leads from the first to the second; Door2 leads on
// to the target and is open. Trap, in the first room, shuts it for good.
static const char trap_world[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"name\": \"trap\", \"up\": \"y\","
    "\"handed\": \"right\", \"passage\": 2.5,"
    "\"start\": {\"position\": [3.77, 2.87, 6.27], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},"
    "\"bounds\": [0.02, 0.02, 0.02, 27.52, 7.52, 15.02],"
    "\"grids\": [{\"id\": 1, \"name\": \"house\", \"position\": [1.27, 1.27, 1.27]}],"
    "\"types\": [{\"name\": \"armour\", \"integrity\": 400},"
    "{\"name\": \"door\", \"kind\": \"door\", \"integrity\": 250},"
    "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 1, \"integrity\": 40},"
    "{\"name\": \"TargetDummy\", \"kind\": \"target\", \"integrity\": 100}],"
    "\"blocks\": ["
    "{\"id\": 1, \"type\": \"door\", \"name\": \"Door1\", \"grid\": 0, \"cell\": [4, 1, 2],"
    " \"forward\": \"right\"},"
    "{\"id\": 5, \"type\": \"door\", \"name\": \"Door2\", \"grid\": 0, \"cell\": [7, 1, 2],"
    " \"forward\": \"right\", \"label\": \"open\"},"
    "{\"id\": 2, \"type\": \"panel\", \"name\": \"Panel\", \"grid\": 0, \"cell\": [3, 1, 4],"
    " \"forward\": \"forward\"},"
    "{\"id\": 6, \"type\": \"panel\", \"name\": \"Trap\", \"grid\": 0, \"cell\": [1, 1, 4],"
    " \"forward\": \"forward\"},"
    "{\"id\": 3, \"type\": \"TargetDummy\", \"name\": \"Target\", \"grid\": 0, \"cell\": [9, 1, 3],"
    " \"forward\": \"left\"}],"
    "\"fills\": ["
    "{\"grid\": 0, \"type\": \"armour\", \"from\": [0, 0, 0], \"to\": [10, 2, 5]},"
    "{\"grid\": 0, \"from\": [1, 1, 1], \"to\": [3, 1, 4]},"
    "{\"grid\": 0, \"from\": [5, 1, 1], \"to\": [6, 1, 4]},"
    "{\"grid\": 0, \"from\": [8, 1, 1], \"to\": [9, 1, 4]}],"
    "\"wires\": [{\"from\": 2, \"slot\": 0, \"action\": \"open\", \"to\": 1},"
    "{\"from\": 6, \"slot\": 0, \"action\": \"shut\", \"to\": 5}]}";

static int setup(void **state)
{
    make_folder(state);
    script_write(*state, "trap.json", trap_world);
    return 0;
}

static oct_play_result play(const char *folder, const char *body)
{
    char source[2048];
    const oct_play_options options = {.seed = 0};
    (void)snprintf(source, sizeof source, "world 'trap.json'\n%s", body);
    oct_script *const script = script_open(folder, source);
    oct_play_result r = script_play_with(script, 0, &options);
    print_message("%s: %s, %d lives, %.1f s\n", oct_verdict_name(r.verdict), r.reason,
                  (int)r.life_count, (double)r.ticks / OCT_BLOCK_WORLD_RATE);
    oct_script_close(script);
    return r;
}

static bool has_note(const oct_play_result *r, const char *words)
{
    for (size_t i = 0; i < r->note_count; i++) {
        if (strstr(r->notes[i], words)) {
            return true;
        }
    }
    return false;
}

// ---- lives ----

// State of the script is fresh in each life: the counter is 1 in all of them.
static void another_life_avoids_the_trap(void **state)
{
    oct_play_result r =
        play(*state, "local lives = 0\n"
                     "test('t', function() lives = lives + 1\n"
                     "  return SEQ{CHECK('fresh', function() return lives == 1 end),\n"
                     "             smart_close_to_block 'Target'} end)");
    assert_int_equal(r.verdict, OCT_VERDICT_PASS);
    assert_true(r.life_count >= 2 && r.life_count <= 5);
    uint64_t ticks = 0;
    for (size_t i = 0; i < r.life_count; i++) {
        const bool is_last = i + 1 == r.life_count;
        assert_int_equal(r.lives[i].verdict, is_last ? OCT_VERDICT_PASS : OCT_VERDICT_INCONCLUSIVE);
        assert_true(r.lives[i].presses > 0);
        ticks += r.lives[i].ticks;
    }
    assert_true(r.ticks == ticks);
    assert_true(has_note(&r, "life 1: inconclusive"));
    // The last life saw the door open, and did without the trap.
    assert_int_equal(r.finding_count, 1);
    assert_string_equal(
        r.findings[0],
        "soft lock: after pressing Trap, Door2 stayed shut, which is open otherwise");
    assert_true(has_note(&r, r.findings[0]));
    oct_play_result_free(&r);
}

// What was pressed in an earlier life moves nothing in this one, and what was seen since a press of
// this one is certain.
static void a_later_life_is_as_sure_as_the_first(void **state)
{
    char toggling[sizeof trap_world + 16];
    const char *const action = strstr(trap_world, "\"open\", \"to\": 1");
    const int before = (int)(action - trap_world);
    (void)snprintf(toggling, sizeof toggling, "%.*s\"toggle\"%s", before, trap_world,
                   action + strlen("\"open\""));
    script_write(*state, "trap.json", toggling);
    oct_play_result r =
        play(*state, "test('t', function()\n"
                     "  return SEQ{smart_close_to_block 'Target', close_to{21.27, 3.77, 11.27},\n"
                     "    wait_until('a while', function(a) return a.time > 30 end),\n"
                     "    close_to_block 'Target', close_to{21.27, 3.77, 11.27},\n"
                     "    CHECK('seen since', function(a) return a:entity('Door1').is_open end)}\n"
                     "end)");
    assert_int_equal(r.verdict, OCT_VERDICT_PASS);
    assert_int_equal(r.life_count, 2);
    oct_play_result_free(&r);
}

static void without_a_life_left_it_is_inconclusive(void **state)
{
    oct_play_result r =
        play(*state, "test('t', {lives = 1}, function() return smart_close_to_block 'Target' end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_int_equal(r.life_count, 1);
    assert_non_null(strstr(r.reason, "from the start another order may work"));
    oct_play_result_free(&r);
}

// One sees the door open before the other shuts it. The next life is no better, since it is the
// test that presses; then none would differ any more.
static void a_soft_lock_is_a_finding(void **state)
{
    oct_play_result r =
        play(*state, "test('t', function()\n"
                     "  agent('goer', {start = {13.77, 2.87, 6.27}}, SEQ{\n"
                     "    wait_until('a while', function(a) return a.time > 8 end),\n"
                     "    close_to_block 'Target'})\n"
                     "  agent('presser', {start = {3.77, 2.87, 6.27}}, interacted 'Trap') end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_int_equal(r.life_count, 2);
    assert_int_equal(r.finding_count, 1);
    assert_non_null(strstr(r.reason, "shut in after pressing Trap; from the start another order"));
    oct_play_result_free(&r);
}

static void no_life_repairs_what_the_run_has_shown(void **state)
{
    static const char *const bodies[] = {
        "test('t', function() return within(10, smart_close_to_block 'Target') end)",
        ("test('t', {invariants = {short = function(a) return a.time < 10 end}}, function()\n"
         "  return smart_close_to_block 'Target' end)"),
        "test('t', function() return SEQ{interacted 'Trap', FAIL 'broken'} end)"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        oct_play_result r = play(*state, bodies[i]);
        assert_int_equal(r.verdict, OCT_VERDICT_FAIL);
        assert_int_equal(r.life_count, 1);
        oct_play_result_free(&r);
    }
}

// The first life leaves open whether the invariant held, and ends before the second one knows more.
static void no_life_repairs_what_was_undecided(void **state)
{
    oct_play_result r =
        play(*state, "test('t', function()\n"
                     "  invariant('late', function(a)\n"
                     "    if a.time > 25 then return a:entity 'Ghost' ~= nil end return true end)\n"
                     "  return smart_close_to_block 'Target' end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_int_equal(r.life_count, 2);
    assert_non_null(strstr(r.reason, "whether late held is not known since 25."));
    assert_non_null(strstr(r.reason, "of life 1: Ghost was not seen yet"));
    oct_play_result_free(&r);
}

static void lives_share_the_time_of_the_test(void **state)
{
    oct_play_result r = play(
        *state, "test('t', {seconds = 45}, function() return smart_close_to_block 'Target' end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_int_equal(r.life_count, 2);
    assert_true(r.ticks >= 45 * OCT_BLOCK_WORLD_RATE && r.ticks <= 46 * OCT_BLOCK_WORLD_RATE);
    oct_play_result_free(&r);
}

// Refusing is tried early, and then here and there over all lives.
static void lives_survive_a_lack_of_memory(void **state)
{
    const script_limits limits = oct_script_limits_default();
    oct_script *const script =
        script_open(*state, "world 'trap.json'\n"
                            "test('t', function() return smart_close_to_block 'Target' end)");
    test_allocator memory;
    oct_play_result r;
    const oct_play_options options = {.seed = 0};
    script_limits own = limits;
    own.allocator = &memory.allocator;
    test_allocator_init(&memory, SIZE_MAX);
    assert_int_equal(oct_script_play(script, 0, &own, &options, &r), OCT_OK);
    const size_t all = memory.allocations;
    assert_int_equal(r.life_count, 2);
    oct_play_result_free(&r);
    test_allocator_check_empty(&memory);
    for (size_t i = 1; i <= 16; i++) {
        test_allocator_init(&memory, all * i / 17);
        const oct_result result = oct_script_play(script, 0, &own, &options, &r);
        assert_true(result == OCT_OK || result == OCT_ERROR_MEMORY);
        if (result == OCT_OK) {
            oct_play_result_free(&r);
        }
        test_allocator_check_empty(&memory);
    }
    oct_script_close(script);
}

// ---- several agents ----

// The first would give up at once; it waits, however long, since the other may still open the door.
static void who_would_give_up_waits_for_the_others(void **state)
{
    oct_play_result r =
        play(*state, "test('t', function()\n"
                     "  agent('goer', close_to_block 'Target')\n"
                     "  agent('helper', {start = {6.27, 2.87, 3.77}}, SEQ{\n"
                     "    wait_until('a while', function(a) return a.time > 30 end),\n"
                     "    interacted 'Panel'}) end)");
    assert_int_equal(r.verdict, OCT_VERDICT_PASS);
    assert_int_equal(r.life_count, 1);
    oct_play_result_free(&r);
}

// Who does nothing for a time is waited for until it has ended, and the test does not end with the
// first that gives up. What is not reachable without pressing is not certain while others may
// press.
static void who_idles_is_waited_for_until_it_ends(void **state)
{
    oct_play_result r =
        play(*state, "test('t', {seconds = 600}, function()\n"
                     "  agent('goer', close_to_block 'Target')\n"
                     "  agent('idler', {start = {6.27, 2.87, 3.77}},\n"
                     "    wait_until('long', function(a) return a.time > 60 end)) end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(r.reason, "goer: "));
    assert_true(r.ticks >= 60 * OCT_BLOCK_WORLD_RATE && r.ticks < 120 * OCT_BLOCK_WORLD_RATE);
    oct_play_result_free(&r);
}

// The house with stone in the place of its first door, and without wires.
static void write_walled(const char *folder)
{
    static const char door[] = "\"type\": \"door\", \"name\": \"Door1\"";
    const char *const at = strstr(trap_world, door), *const wires = strstr(trap_world, "\"wires\"");
    char walled[3 * sizeof trap_world];
    (void)snprintf(walled, sizeof walled, "%.*s\"type\": \"armour\"%.*s\"wires\": []}",
                   (int)(at - trap_world), trap_world, (int)(wires - at - (int)strlen(door)),
                   at + strlen(door));
    script_write(folder, "trap.json", walled);
}

// What is excluded is so for all: others that wait for ever keep nobody from saying it, and when
// the time of the test ends it has been said.
static void what_is_excluded_is_said_beside_who_waits_for_ever(void **state)
{
    write_walled(*state);
    oct_play_result r = play(*state, "test('t', {seconds = 300}, function()\n"
                                     "  agent('goer', smart_close_to_block 'Target')\n"
                                     "  agent('waiter', {start = {6.27, 2.87, 3.77}},\n"
                                     "    wait_until('never', function(a) return false end)) end)");
    script_write(*state, "trap.json", trap_world);
    assert_int_equal(r.verdict, OCT_VERDICT_FAIL);
    assert_int_equal(r.proof, OCT_PROOF_CUT);
    assert_non_null(strstr(r.reason, "goer: Target was not found"));
    bool are_accepted = false;
    assert_int_equal(oct_proof_check_result(&r, &are_accepted), OCT_OK);
    assert_true(are_accepted && r.verdict == OCT_VERDICT_FAIL);
    oct_play_result_free(&r);
}

// What is not excluded may still change: it stays open as long as somebody is at work.
static void what_is_open_waits_for_who_waits_for_ever(void **state)
{
    oct_play_result r = play(*state, "test('t', {seconds = 300}, function()\n"
                                     "  agent('goer', close_to_block 'Target')\n"
                                     "  agent('waiter', {start = {6.27, 2.87, 3.77}},\n"
                                     "    wait_until('never', function(a) return false end)) end)");
    assert_int_equal(r.verdict, OCT_VERDICT_INCONCLUSIVE);
    assert_true(r.ticks >= 299 * OCT_BLOCK_WORLD_RATE);
    oct_play_result_free(&r);
}

typedef struct known_links {
    oct_world *world;
    size_t learned, untrue;
} known_links;

// Whether a button toggles a door an odd number of times, timers that it starts included.
static bool toggles(const oct_world *world, uint64_t from, uint32_t slot, bool is_timer,
                    uint64_t door)
{
    bool odd = false;
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire w = oct_world_get_wire(world, i);
        if (w.from == from && (is_timer || w.slot == slot)) {
            odd ^= w.action == OCT_WIRE_TOGGLE && w.to == door;
            odd ^= w.action == OCT_WIRE_START && toggles(world, w.to, 0, true, door);
        }
    }
    return odd;
}

static void count_links(void *ctx, oct_agent *const *agents, size_t count)
{
    known_links *const known = ctx;
    for (size_t i = 0; i < count; i++) {
        const oct_links *const links = oct_belief_links(oct_agent_belief(agents[i]));
        for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
            for (uint32_t d = 0; d < oct_links_doors(links); d++) {
                const oct_button button = oct_links_button(links, b);
                const oct_link link = oct_links_get(links, b, d);
                const bool is_linked = toggles(known->world, button.panel, button.number, false,
                                               oct_links_door(links, d));
                known->learned += link == OCT_LINK_YES || link == OCT_LINK_NO;
                known->untrue += link == (is_linked ? OCT_LINK_NO : OCT_LINK_YES);
            }
        }
    }
}

static oct_result reach_dummy(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal =
        oct_goal_smart_close_to_block(NULL, &(oct_pick){.type = "TargetDummy"}, OCT_SIDE_ANY, 0.0);
    return OCT_OK;
}

// Each presses, and what all of them press moves the doors that each of them sees.
static void agents_learn_from_the_presses_of_all(void **state)
{
    static const oct_point starts[2] = {{6.27, 2.87, 21.27}, {16.27, 2.87, 26.27}};
    (void)state;
    for (size_t count = 2; count <= 3; count++) {
        known_links known = {.learned = 0};
        assert_int_equal(oct_world_load(OCT_SOURCE_DIR "/worlds/three_doors.json", NULL, NULL,
                                        &known.world, NULL, NULL),
                         OCT_OK);
        oct_test_agent agents[3];
        for (size_t i = 0; i < count; i++) {
            static const char *const names[] = {"a", "b", "c"};
            agents[i] = oct_test_agent_default();
            agents[i].agent.name = names[i];
            agents[i].start = i > 0 ? &starts[i - 1] : NULL;
            agents[i].begin = reach_dummy;
        }
        oct_test_def def = oct_test_def_default();
        def.world = known.world;
        def.agents = agents;
        def.agent_count = count;
        const oct_play_watch watch = {.ctx = &known, .ends = count_links};
        const oct_play_options options = {.watches = &watch, .watch_count = 1};
        oct_play_result r;
        assert_int_equal(oct_play_test(&def, &options, &r), OCT_OK);
        print_message("%d agents: %s %s, %d links learned\n", (int)count,
                      oct_verdict_name(r.verdict), r.reason, (int)known.learned);
        assert_int_not_equal(r.verdict, OCT_VERDICT_FAIL);
        assert_int_not_equal(r.verdict, OCT_VERDICT_ERROR);
        assert_true(known.learned > 0);
        assert_int_equal(known.untrue, 0);
        oct_play_result_free(&r);
        oct_world_destroy(known.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_life_avoids_the_trap, setup, script_teardown),
        cmocka_unit_test_setup_teardown(a_later_life_is_as_sure_as_the_first, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(without_a_life_left_it_is_inconclusive, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(a_soft_lock_is_a_finding, setup, script_teardown),
        cmocka_unit_test_setup_teardown(no_life_repairs_what_the_run_has_shown, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(no_life_repairs_what_was_undecided, setup, script_teardown),
        cmocka_unit_test_setup_teardown(lives_share_the_time_of_the_test, setup, script_teardown),
        cmocka_unit_test_setup_teardown(lives_survive_a_lack_of_memory, setup, script_teardown),
        cmocka_unit_test_setup_teardown(who_would_give_up_waits_for_the_others, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(who_idles_is_waited_for_until_it_ends, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(what_is_excluded_is_said_beside_who_waits_for_ever, setup,
                                        script_teardown),
        cmocka_unit_test_setup_teardown(what_is_open_waits_for_who_waits_for_ever, setup,
                                        script_teardown),
        cmocka_unit_test(agents_learn_from_the_presses_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
