// SPDX-License-Identifier: MIT
// What block worlds promise of themselves: the longest delay, toggles, what presses may do
// together, and bounds.
#include "block_scene.h"

#include "base/base_internal.h"

#define DENIES(a) (1u << OCT_ASSUME_##a)

static void init(block_scene *s)
{
    block_scene_init_clear(s);
    scene_put(s, 1, DOOR, 0, 0, 0);
    scene_put(s, 2, PANEL, 2, 0, 0);
    scene_put(s, 3, DOOR, 4, 0, 0);
}

// Plays it from a start beside the panel, and says what it promises.
static oct_game_info describe(block_scene *s)
{
    const oct_pose start =
        scene_pose((oct_point){5, 0, 3}, (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
    scene_play(s);
    return *oct_game_describe(s->game);
}

static void plain_toggles_are_promised(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    scene_put(&s, 4, TIMER, 0, 2, 0); // that nothing starts
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_wire(&s, 2, 1, OCT_WIRE_TOGGLE, 3);
    scene_wire(&s, 2, 2, OCT_WIRE_OTHER, 3);
    const oct_game_info info = describe(&s);
    assert_int_equal(info.promises, 1u << OCT_ASSUME_CAUSES | 1u << OCT_ASSUME_TOGGLES);
    assert_int_equal(info.denies, 0);
    assert_true(info.has_settle);
    assert_int_equal(info.settle, 0);
    block_scene_free(&s);
}

static void wires_that_open_or_shut_are_no_toggles(void **state)
{
    (void)state;
    static const oct_wire_action actions[] = {OCT_WIRE_OPEN, OCT_WIRE_SHUT};
    for (size_t i = 0; i < 2; i++) {
        block_scene s;
        init(&s);
        scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
        scene_wire(&s, 2, 1, actions[i], 3);
        const oct_game_info info = describe(&s);
        assert_int_equal(info.promises, 1u << OCT_ASSUME_CAUSES);
        assert_int_equal(info.denies, 0);
        assert_true(info.has_settle && info.settle == 0);
        block_scene_free(&s);
    }
}

static void the_longest_chain_of_timers_is_the_delay(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    scene_put_timer(&s, 10, (oct_vec){0, 2, 0}, 2.0);
    scene_put_timer(&s, 11, (oct_vec){0, 4, 0}, 30.0);
    scene_put_timer(&s, 12, (oct_vec){0, 6, 0}, 5.0);
    scene_put_timer(&s, 13, (oct_vec){0, 8, 0}, 99.0); // that nothing starts
    scene_wire(&s, 2, 0, OCT_WIRE_START, 10);
    scene_wire(&s, 10, 0, OCT_WIRE_START, 12);
    scene_wire(&s, 2, 1, OCT_WIRE_START, 11);
    scene_wire(&s, 11, 0, OCT_WIRE_START, 12);
    scene_wire(&s, 12, 0, OCT_WIRE_TOGGLE, 1);
    scene_wire(&s, 13, 0, OCT_WIRE_START, 11);
    const oct_game_info info = describe(&s);
    assert_int_equal(info.promises, 1u << OCT_ASSUME_CAUSES);
    assert_int_equal(info.denies, 0);
    assert_true(info.has_settle);
    assert_int_equal(info.settle, 35 * OCT_BLOCK_WORLD_RATE);
    block_scene_free(&s);
}

static void timers_in_a_circle_have_no_longest_delay(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    scene_put(&s, 10, TIMER, 0, 2, 0);
    scene_put(&s, 11, TIMER, 0, 4, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_START, 10);
    scene_wire(&s, 10, 0, OCT_WIRE_START, 11);
    scene_wire(&s, 11, 0, OCT_WIRE_START, 10);
    scene_wire(&s, 11, 0, OCT_WIRE_TOGGLE, 1);
    const oct_game_info info = describe(&s);
    assert_false(info.has_settle);
    assert_int_equal(info.denies, DENIES(MEMORY));
    block_scene_free(&s);
}

static void a_wire_that_stops_a_timer_denies_alone(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    scene_put(&s, 10, TIMER, 0, 2, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_START, 10);
    scene_wire(&s, 2, 1, OCT_WIRE_STOP, 10);
    scene_wire(&s, 10, 0, OCT_WIRE_TOGGLE, 1);
    assert_int_equal(describe(&s).denies, DENIES(ALONE));
    block_scene_free(&s);
}

// Two effects of one button on a door deny it where they come less than a second apart.
static void effects_that_meet_deny_alone(void **state)
{
    (void)state;
    static const double delays[] = {0.5, 0.99, 1.0, 20.0};
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        block_scene s;
        init(&s);
        scene_put_timer(&s, 10, (oct_vec){0, 2, 0}, delays[i]);
        scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
        scene_wire(&s, 2, 0, OCT_WIRE_START, 10);
        scene_wire(&s, 10, 0, OCT_WIRE_SHUT, 1);
        assert_int_equal(describe(&s).denies, delays[i] < 1.0 ? DENIES(ALONE) : 0);
        block_scene_free(&s);
    }
    // The same by two buttons is no matter of one press.
    block_scene s;
    init(&s);
    scene_put_timer(&s, 10, (oct_vec){0, 2, 0}, 0.5);
    scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
    scene_wire(&s, 2, 1, OCT_WIRE_START, 10);
    scene_wire(&s, 10, 0, OCT_WIRE_SHUT, 1);
    assert_int_equal(describe(&s).denies, 0);
    block_scene_free(&s);
}

// Paths through timers that fork and join grow without end: then nothing is promised.
static void too_many_chains_deny_alone(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    for (uint64_t i = 0; i < 20; i++) {
        scene_put_timer(&s, 10 + 2 * i, (oct_vec){0, 2 + 2 * (int)i, 0}, 2.0);
        scene_put_timer(&s, 11 + 2 * i, (oct_vec){4, 2 + 2 * (int)i, 0}, 5.0);
        for (uint64_t k = 0; k < 4 && i > 0; k++) {
            scene_wire(&s, 8 + 2 * i + k / 2, 0, OCT_WIRE_START, 10 + 2 * i + k % 2);
        }
    }
    scene_wire(&s, 2, 0, OCT_WIRE_START, 10);
    const oct_game_info info = describe(&s);
    assert_int_equal(info.denies, DENIES(ALONE));
    assert_int_equal(info.settle, (2 + 19 * 5) * OCT_BLOCK_WORLD_RATE);
    block_scene_free(&s);
}

// The bounds hold every block wherever its grid drifts, and the start, with room around.
static void bounds_hold_all_that_there_is(void **state)
{
    (void)state;
    block_scene s;
    init(&s);
    const oct_world_grid ship = {.id = 77,
                                 .pose = {{0, 40, 0}, {0, 0, -1}, {0, 1, 0}},
                                 .cell = 2.5,
                                 .drift = {0, 0, -2},
                                 .range = 30};
    scene_put_on(&s, block_scene_grid(&s, &ship), 20, STONE, (oct_vec){0, 0, 0});
    const oct_game_info info = describe(&s);
    const double room = 5.0;
    assert_true(info.has_bounds);
    scene_check_near(info.bounds.min.x, -1.25 - room, 1e-9);
    scene_check_near(info.bounds.max.x, 11.25 + room, 1e-9);
    scene_check_near(info.bounds.min.z, -31.25 - room, 1e-9);
    scene_check_near(info.bounds.max.z, 3.0 + room, 1e-9);
    scene_check_near(info.bounds.max.y, 41.25 + room, 1e-9);
    block_scene_free(&s);
}

static void every_assumption_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(oct_assumption_name(OCT_ASSUME_MEANS), "means");
    assert_string_equal(oct_assumption_name(OCT_ASSUME_TOGGLES), "toggles");
    assert_null(oct_assumption_name(OCT_ASSUME_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_toggles_are_promised),
        cmocka_unit_test(wires_that_open_or_shut_are_no_toggles),
        cmocka_unit_test(the_longest_chain_of_timers_is_the_delay),
        cmocka_unit_test(timers_in_a_circle_have_no_longest_delay),
        cmocka_unit_test(a_wire_that_stops_a_timer_denies_alone),
        cmocka_unit_test(effects_that_meet_deny_alone),
        cmocka_unit_test(too_many_chains_deny_alone),
        cmocka_unit_test(bounds_hold_all_that_there_is),
        cmocka_unit_test(every_assumption_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
