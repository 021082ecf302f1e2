// SPDX-License-Identifier: MIT
// The block world over the protocol is the block world, to the bit: observations, hashes, refusals,
// in the worlds of the repository, with random acts.
#include "support.h"

#include "link_mock.h"
#include "world_build.h"

#include "base/base_internal.h"
#include "files/files_internal.h"
#include "octant/block_world.h"
#include "octant/tactics.h"

#include <stdio.h>

#define TURNS 150

static oct_world *load(const char *name)
{
    char path[500];
    oct_error error;
    oct_array bytes = {0};
    oct_world *world;
    const oct_allocator heap = oct_allocator_default();
    snprintf(path, sizeof path, OCT_SOURCE_DIR "/worlds/%s", name);
    assert_int_equal(oct_file_read(path, 1 << 24, &heap, &bytes, &error), OCT_OK);
    assert_int_equal(oct_world_decode(bytes.items, bytes.count, NULL, &world, NULL, &error),
                     OCT_OK);
    oct_array_free(&bytes, &heap, 1);
    return world;
}

static oct_result make_block(void *ctx, oct_game **out)
{
    return oct_block_world_create(&(oct_block_world_def){.world = ctx}, out);
}

static oct_result make_delayed(void *ctx, oct_game **out)
{
    oct_game *inner;
    OCT_TRY(make_block(ctx, &inner));
    return oct_game_delay(inner, 2, 9, 77, NULL, out);
}

// What a player may do, and what it may not.
static oct_action any_action(oct_random *random, const oct_observation *seen)
{
    static const char *const names[] = {"jetpack", "dampeners", "boots",  "equip", "activate",
                                        "tool",    "place",     "remove", "sing"};
    oct_action a = {.verb = (oct_verb)oct_random_below(random, OCT_VERB_COUNT)};
    a.ticks = 1 + (uint32_t)oct_random_below(random, 40);
    a.move = (oct_point){2.0 * oct_random_unit(random) - 1.0, oct_random_unit(random) - 0.5,
                         -oct_random_unit(random)};
    a.rotate.y = 2.0 * oct_random_unit(random) - 1.0;
    a.rotate.x = 0.2 * oct_random_unit(random) - 0.1;
    a.target = seen->count > 0 ? seen->entities[oct_random_below(random, seen->count)].thing.id : 0;
    a.button = (uint32_t)oct_random_below(random, 3);
    a.name = names[oct_random_below(random, sizeof names / sizeof *names - 1)];
    a.number = (double)oct_random_below(random, 12);
    a.on = oct_random_below(random, 2) == 1;
    return a;
}

static void play_both(oct_game *near, oct_game *far, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const oct_player_body *a_body, *b_body;
    assert_true(mock_same_info(oct_game_describe(near), oct_game_describe(far)));
    assert_int_equal(oct_game_body(near, 0, &a_body), OCT_OK);
    assert_int_equal(oct_game_body(far, 0, &b_body), OCT_OK);
    assert_true(mock_same_body(a_body, b_body));
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        oct_observation a, b;
        oct_act x = OCT_ACT_COUNT, y = OCT_ACT_COUNT;
        assert_int_equal(oct_game_observe(near, 0, &a), OCT_OK);
        const oct_result result = oct_game_observe(far, 0, &b);
        if (result != OCT_OK) {
            fail_msg("%s", oct_game_trouble(far));
        }
        assert_true(mock_same_observation(&a, &b));
        const oct_action action = any_action(&random, &a);
        assert_int_equal(oct_game_turn(near, 0, &action, &x), OCT_OK);
        assert_int_equal(oct_game_turn(far, 0, &action, &y), OCT_OK);
        assert_int_equal(x, y);
        assert_int_equal(oct_game_tick(near), oct_game_tick(far));
    }
    assert_true(oct_game_hash(near) == oct_game_hash(far));
}

static void play_loaded(oct_world *world, oct_result (*make)(void *ctx, oct_game **out))
{
    const link_host host = {.make = make, .ctx = world};
    const link_client_def def = {.allocator = NULL};
    mock_wire wire;
    oct_game *near, *far;
    char why[2000];
    assert_int_equal(make(world, &near), OCT_OK);
    assert_int_equal(mock_wire_open(&wire, &host, NULL), OCT_OK);
    const link_carrier carrier = mock_wire_carrier(&wire);
    if (oct_link_play(&carrier, &def, &far, why, sizeof why) != OCT_OK) {
        fail_msg("%s", why);
    }
    play_both(near, far, 11);
    oct_game_destroy(far);
    oct_game_destroy(near);
    mock_wire_close(&wire);
    oct_world_destroy(world);
}

static void play_world(const char *name, oct_result (*make)(void *ctx, oct_game **out))
{
    play_loaded(load(name), make);
}

static void the_block_world_is_the_same_over_the_wire(void **state)
{
    (void)state;
    static const char *const names[] = {"three_doors.json", "asteroid_base.json",
                                        "drifting_ship.json", "scrapyard.json",
                                        "tests/workshop.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        play_world(names[i], make_block);
    }
}

// A turned grid as games save them: its vectors are unit and square up to 6 digits only, and its
// blocks are far from where it begins.
static void so_is_one_whose_turned_axes_are_rounded(void **state)
{
    (void)state;
    oct_world *const world = new_world();
    oct_world_grid grid = grid_of(1);
    grid.pose.forward = (oct_point){0.267262, -0.534524, 0.801783};
    grid.pose.up = (oct_point){0.872871, 0.487951, 0.034339};
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    oct_pose start = usual_pose;
    start.position = (oct_point){-143.1, 262.6, -20.4};
    assert_int_equal(oct_world_set_start(world, &start), OCT_OK);
    assert_int_equal(oct_world_add_type(world, "Armour", true, NULL), OCT_OK);
    for (int32_t i = 0; i < 9; i++) {
        const oct_world_block block = placed_at(10 + (uint64_t)i, (oct_vec){90 + i % 3, i / 3, 80});
        assert_int_equal(oct_world_add(world, &block), OCT_OK);
    }
    play_loaded(world, make_block);
}

static void so_is_one_that_runs_on(void **state)
{
    (void)state;
    play_world("three_doors.json", make_delayed);
}

// ---- agents ----

#define AGENTS_MAX 2

// A block world with two players, the second one where there is room near the first.
static oct_result make_two(void *ctx, oct_game **out)
{
    oct_self self;
    oct_result result = OCT_ERROR_RANGE;
    OCT_TRY(make_block(ctx, out));
    assert_int_equal(oct_game_self(*out, 0, &self), OCT_OK);
    for (int i = 0; i < 27 && result != OCT_OK; i++) {
        oct_pose pose = self.pose;
        pose.position.x += 2.5 * (i % 3 - 1);
        pose.position.y += 2.5 * (i / 3 % 3 - 1);
        pose.position.z += 2.5 * (i / 9 - 1);
        result = oct_game_join(*out, &pose, NULL);
    }
    assert_int_equal(result, OCT_OK);
    return OCT_OK;
}

// Lets agents explore for some turns; returns how many all of them took.
static uint64_t explore(oct_game *game, uint32_t count)
{
    oct_agent *agents[AGENTS_MAX];
    uint64_t turns = 0;
    for (uint32_t i = 0; i < count; i++) {
        oct_agent_def def = oct_agent_def_default();
        def.game = game;
        def.who = i;
        def.ticks = 20 - 7 * i; // they get out of step
        assert_int_equal(oct_agent_create(&def, &agents[i]), OCT_OK);
        assert_int_equal(oct_agent_pursue(agents[i], oct_goal_explore(NULL)), OCT_OK);
    }
    for (uint32_t i = 0; i < TURNS; i++) {
        if (oct_agents_turn(agents, count) != OCT_OK) {
            fail_msg("%s", oct_game_trouble(game));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        turns += oct_agent_turns(agents[i]);
        oct_agent_destroy(agents[i]);
    }
    return turns;
}

static void agents_ask_least_and_play_the_same(void **state)
{
    (void)state;
    oct_world *const world = load("scrapyard.json");
    for (uint32_t count = 1; count <= AGENTS_MAX; count++) {
        const link_host host = {.make = count == 1 ? make_block : make_two, .ctx = world};
        const link_client_def def = {.allocator = NULL};
        mock_wire wire;
        oct_game *near, *far;
        char why[2000];
        assert_int_equal(host.make(world, &near), OCT_OK);
        assert_int_equal(mock_wire_open(&wire, &host, NULL), OCT_OK);
        const link_carrier carrier = mock_wire_carrier(&wire);
        assert_int_equal(oct_link_play(&carrier, &def, &far, why, sizeof why), OCT_OK);
        const uint64_t before = oct_link_facts(far).requests;
        const uint64_t turns = explore(far, count);
        const uint64_t asked = oct_link_facts(far).requests - before;
        assert_true(turns >= TURNS / 2);
        assert_true(turns == explore(near, count));
        assert_true(oct_game_hash(near) == oct_game_hash(far));
        // Of one agent each turn is one request, and there is the first look. Of several those that
        // others interrupt are three: to act, to pass the time, and to look.
        assert_true(count == 1 ? asked <= turns + 3 : 2 * asked <= 5 * turns);
        oct_game_destroy(far);
        oct_game_destroy(near);
        mock_wire_close(&wire);
    }
    oct_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_world_is_the_same_over_the_wire),
        cmocka_unit_test(so_is_one_whose_turned_axes_are_rounded),
        cmocka_unit_test(so_is_one_that_runs_on),
        cmocka_unit_test(agents_ask_least_and_play_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
