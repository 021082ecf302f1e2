// SPDX-License-Identifier: MIT
// Pilots that land in block worlds: on floors, walls, ceilings and turned grids, with and without
// gravity, stepped and with delays. Walking is in test_pilot_walk.c.
#include "agent/pilot.h"
#include "game/block_probe.h"
#include "pilot_field.h"

#include "base/base_internal.h"

// ---- landing ----

static oct_point random_direction(oct_random *random)
{
    for (;;) {
        const double x = 2.0 * oct_random_unit(random) - 1.0;
        const double y = 2.0 * oct_random_unit(random) - 1.0;
        const double z = 2.0 * oct_random_unit(random) - 1.0;
        const double size = point_length((oct_point){x, y, z});
        if (size > 0.2 && size < 1.0) {
            return (oct_point){x / size, y / size, z / size};
        }
    }
}

static void land_once(oct_point normal, bool gravity, uint32_t delay, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    field f;
    make_field(&f, normal, gravity, delay, seed);
    // Its feet from 0 to 3 m above the surface, if it was upright.
    const double above = seed % 3 == 0 ? HALF + 0.002 : HALF + 0.1 + 3.0 * oct_random_unit(&random);
    const oct_point up = above < 1.0 ? normal : random_direction(&random);
    join(&f, point_scale(normal, above), across(up), up);
    assert_int_equal(land(&f, normal, 15), OCT_PILOT_ARRIVED);
    check_stands(&f, normal);
    assert_true(f.landed && f.fastest <= 1.2);
    assert_true(scene_self(&f.s, 0).bumps - f.bumps <= 1);
    scene_step(&f.s, 120); // and stays
    check_stands(&f, normal);
    free_field(&f);
}

static void land_everywhere(uint32_t delay)
{
    for (uint64_t seed = 1; seed <= test_rounds(12); seed++) {
        for (size_t i = 0; i < sizeof ups / sizeof *ups; i++) {
            land_once(ups[i], false, delay, seed);
            land_once(ups[i], true, delay, seed);
        }
        oct_random random = oct_random_seed(seed);
        land_once(random_direction(&random), seed % 2, delay, seed);
    }
}

static void it_lands_on_any_surface_with_any_up(void **state)
{
    (void)state;
    land_everywhere(0);
}

static void it_lands_with_delays(void **state)
{
    (void)state;
    land_everywhere(30);
    land_everywhere(1);
}

// From the middle of a flight, with speed and an action under way.
static void it_comes_to_rest_before_it_lands(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        const oct_point normal = {0, 1, 0};
        field f;
        make_field(&f, normal, true, delay, 5);
        join(&f, (oct_point){-7, 3, 0}, (oct_point){1, 0, 0}, (oct_point){0, 0.8, 0.6});
        const oct_point points[] = {{-7, 3, 0}, {7, 3, 0}};
        assert_int_equal(oct_pilot_follow(f.pilot, points, 2), OCT_OK);
        while (scene_self(&f.s, 0).velocity.x < 4.0) {
            assert_int_equal(turn(&f), OCT_PILOT_FLYING);
        }
        assert_int_equal(land(&f, normal, 20), OCT_PILOT_ARRIVED);
        check_stands(&f, normal);
        assert_true(f.fastest <= 1.2 && scene_self(&f.s, 0).bumps - f.bumps <= 1);
        free_field(&f);
    }
}

// A slow body takes its time, a fast one is as gentle.
static double acceleration, turn_rate;

static void changed(oct_world_rules *rules)
{
    rules->acceleration = acceleration;
    rules->turn = turn_rate;
}

static void it_lands_by_any_rules(void **state)
{
    (void)state;
    const double rules[][2] = {{0.5, 0.5},  {100.0, 30.0}, {1000.0, 6.0},
                               {0.05, 6.0}, {10, 0.05},    {0.0008, 6.0}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const oct_point normal = {0, 1, 0};
        field f = {0};
        acceleration = rules[i][0];
        turn_rate = rules[i][1];
        block_scene_init(&f.s);
        put_plate(&f, normal);
        scene_rules(&f.s, changed);
        play(&f, i % 2 ? 30 : 0, i);
        join(&f, (oct_point){0, 3, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, normal, 120), OCT_PILOT_ARRIVED);
        check_stands(&f, normal);
        assert_true(f.fastest <= 1.2 && scene_self(&f.s, 0).bumps - f.bumps <= 1);
        free_field(&f);
    }
}

static void dampeners_that_are_off_are_switched_on(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], true, 0, 1);
    join(&f, (oct_point){0, 4, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
    scene_act(&f.s, 0, (oct_action){.verb = OCT_VERB_DO, .name = "dampeners"});
    assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
    check_stands(&f, ups[0]);
    assert_true(f.fastest <= 1.2);
    free_field(&f);
}

// Above nothing, it gives up, and flies.
static void where_no_ground_is_it_is_stuck(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 15) {
        field f = {0};
        block_scene_init(&f.s);
        scene_rules(&f.s, pulls_down);
        scene_put_box(&f.s, 1, STONE, (oct_bounds){{90, 0, 0}, {91, 1, 1}});
        play(&f, delay, 3);
        join(&f, (oct_point){0, 0, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, ups[0], 25), OCT_PILOT_STUCK);
        scene_step(&f.s, 120);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.flies && point_length(self.velocity) == 0.0);
        assert_true(self.centre.y < -OCT_LAND_MAX && self.centre.y > -OCT_LAND_MAX - 2.0);
        // And says so until it is told something else.
        assert_int_equal(turn(&f), OCT_PILOT_STUCK);
        free_field(&f);
    }
}

// On a slope of 60 degrees nobody stands; it does not fall either.
static void what_is_too_steep_is_no_ground(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        const oct_point slope = {sqrt(0.75), 0.5, 0};
        field f;
        make_field(&f, slope, true, delay, 1);
        join(&f, point_add(point_scale(slope, 1.2), (oct_point){0, 0.5, 0}), (oct_point){0, 0, 1},
             (oct_point){0, 1, 0});
        assert_int_equal(land(&f, (oct_point){0, 1, 0}, 40), OCT_PILOT_STUCK);
        scene_step(&f.s, 120);
        assert_true(scene_self(&f.s, 0).flies);
        assert_true(point_length(scene_self(&f.s, 0).velocity) == 0.0);
        free_field(&f);
    }
}

// A tube of 1.1 m: it lies in it and cannot turn upright.
static void where_it_cannot_turn_it_is_stuck(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    const oct_bounds tube[] = {{{-5, 0.55, -2}, {5, 2, 2}},
                               {{-5, -2, -2}, {5, -0.55, 2}},
                               {{-5, -0.55, 0.55}, {5, 0.55, 2}},
                               {{-5, -0.55, -2}, {5, 0.55, -0.55}}};
    for (uint64_t i = 0; i < 4; i++) {
        scene_put_box(&f.s, 1 + i, STONE, tube[i]);
    }
    play(&f, 0, 1);
    join(&f, (oct_point){0, 0, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
    assert_int_equal(land(&f, ups[0], 10), OCT_PILOT_STUCK);
    free_field(&f);
}

// ---- standing already ----

static void who_stands_there_has_landed(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], true, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    assert_int_equal(land(&f, ups[0], 1), OCT_PILOT_ARRIVED);
    assert_true(!f.flew);
    // Boots that are off are switched on.
    scene_act(&f.s, 0, (oct_action){.verb = OCT_VERB_DO, .name = "boots"});
    scene_step(&f.s, 1);
    assert_int_equal(land(&f, ups[0], 1), OCT_PILOT_ARRIVED);
    assert_true(!f.flew);
    check_stands(&f, ups[0]);
    free_field(&f);
}

// From the plate to the ceiling of the hall: it takes off, turns over, and goes up to it.
static void who_stands_elsewhere_takes_off_to_land(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f = {0};
        block_scene_init(&f.s);
        put_plate(&f, ups[0]);
        scene_put_box(&f.s, 1, STONE, (oct_bounds){{-9, 6, -9}, {9, 7, 9}});
        play(&f, delay, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, (oct_point){0, -1, 0}, 25), OCT_PILOT_ARRIVED);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.stands && scene_own(&self, "boots") == 1.0 && !self.flies &&
                    self.pose.up.y < -0.999);
        scene_check_near(self.pose.position.y, 6.0, 0.05);
        free_field(&f);
    }
}

// ---- what it does first ----

// Upright already, but fast and with a burn under way: first it brakes.
static void who_moves_does_not_go_down(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], false, 30, 1);
    join(&f, (oct_point){-7, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    const oct_point points[] = {{-7, 3, 0}, {7, 3, 0}};
    assert_int_equal(oct_pilot_follow(f.pilot, points, 2), OCT_OK);
    assert_int_equal(turn(&f), OCT_PILOT_FLYING);
    oct_self self = scene_self(&f.s, 0);
    assert_true(self.ticks > 0);
    assert_int_equal(oct_pilot_land(f.pilot, ups[0]), OCT_OK);
    assert_int_equal(next(&f, &self).verb, OCT_VERB_WAIT);
    self.ticks = 0;
    self.velocity = (oct_point){5, 0, 0};
    assert_true(point_length(next(&f, &self).move) == 0.0);
    free_field(&f);
}

static void brakes_badly(oct_world_rules *rules)
{
    rules->acceleration = 0.5;
}

static void who_brakes_slowly_is_not_stuck(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, brakes_badly);
    play(&f, 0, 1);
    join(&f, (oct_point){-8, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    const oct_pose pose = scene_pose((oct_point){-8, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    assert_int_equal(oct_block_world_teleport(f.s.game, 0, &pose, (oct_point){3, 0, 0}), OCT_OK);
    assert_int_equal(land(&f, ups[0], 20), OCT_PILOT_ARRIVED);
    check_stands(&f, ups[0]);
    free_field(&f);
}

// A game that says it sinks where it does not move.
static void who_sinks_and_stays_is_stuck(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], false, 0, 1);
    join(&f, (oct_point){0, 4, 0}, (oct_point){1, 0, 0}, ups[0]);
    assert_int_equal(oct_pilot_land(f.pilot, ups[0]), OCT_OK);
    oct_self self = scene_self(&f.s, 0);
    oct_action action;
    oct_pilot_status status = oct_pilot_next(f.pilot, &self, &action);
    self.velocity.y = -1.0;
    while (status == OCT_PILOT_LANDING && self.tick < 1000) {
        self.tick += 6;
        status = oct_pilot_next(f.pilot, &self, &action);
    }
    assert_int_equal(status, OCT_PILOT_STUCK);
    assert_true(self.tick < 300);
    free_field(&f);
}

// On a slope of 40 degrees one stands: where it was met, not where sliding ends.
static void slopes_are_stood_on_where_they_are_met(void **state)
{
    (void)state;
    const oct_point slope = {0.6427876096865393, 0.7660444431189780, 0};
    field f;
    make_field(&f, slope, true, 0, 1);
    join(&f, (oct_point){0, 2.5, 0}, (oct_point){0, 0, 1}, ups[0]);
    assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
    const oct_self self = scene_self(&f.s, 0);
    assert_true(self.stands && fabs(self.centre.x) < 0.3);
    free_field(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_lands_on_any_surface_with_any_up),
        cmocka_unit_test(it_lands_with_delays),
        cmocka_unit_test(it_comes_to_rest_before_it_lands),
        cmocka_unit_test(it_lands_by_any_rules),
        cmocka_unit_test(dampeners_that_are_off_are_switched_on),
        cmocka_unit_test(where_no_ground_is_it_is_stuck),
        cmocka_unit_test(what_is_too_steep_is_no_ground),
        cmocka_unit_test(where_it_cannot_turn_it_is_stuck),
        cmocka_unit_test(who_stands_there_has_landed),
        cmocka_unit_test(who_stands_elsewhere_takes_off_to_land),
        cmocka_unit_test(who_moves_does_not_go_down),
        cmocka_unit_test(who_brakes_slowly_is_not_stuck),
        cmocka_unit_test(who_sinks_and_stays_is_stuck),
        cmocka_unit_test(slopes_are_stood_on_where_they_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
