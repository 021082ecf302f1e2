// SPDX-License-Identifier: MIT
// Pilots that walk in block worlds: which ways are walked and which are flown, on any surface, with
// and without gravity, stepped and with delays.
#include "geom/geom_internal.h"
#include "pilot_field.h"

#include "base/base_internal.h"

// Points beside where it stands, by directions on the surface; as high as it is.
static oct_point beside(field *f, oct_point right, oct_point ahead, double x, double y)
{
    return point_add(scene_self(&f->s, 0).centre,
                     point_add(point_scale(right, x), point_scale(ahead, y)));
}

static void check_is_at(field *f, oct_point to, double slack)
{
    const double away = point_length(point_sub(scene_self(&f->s, 0).centre, to));
    if (!(away <= slack)) {
        fail_msg("%g m away", away);
    }
}

static void walk_once(oct_point normal, bool gravity, uint32_t delay, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    field f;
    make_field(&f, normal, gravity, delay, seed);
    const oct_point right = across(normal), ahead = point_cross(normal, right);
    stand_up(&f, normal, point_scale(right, -3.0), ahead);
    oct_point points[4] = {scene_self(&f.s, 0).centre};
    for (int i = 1; i < 4; i++) {
        const double x = 3.0 * oct_random_unit(&random), y = oct_random_unit(&random) - 0.5;
        points[i] =
            point_add(points[i - 1], point_add(point_scale(right, x), point_scale(ahead, y)));
    }
    assert_int_equal(follow(&f, points, 4, 12), OCT_PILOT_ARRIVED);
    assert_true(f.walked && !f.flew && f.stray < 0.2);
    check_is_at(&f, points[3], 0.25);
    check_stands(&f, normal);
    scene_step(&f.s, 60); // nothing is under way any more
    check_is_at(&f, points[3], 0.25);
    // And off, and down again.
    const oct_point at = scene_self(&f.s, 0).centre;
    const oct_point off[] = {at, point_add(at, point_scale(normal, 0.8)),
                             point_add(at, point_scale(normal, 2.0))};
    assert_int_equal(follow(&f, off, 3, 10), OCT_PILOT_ARRIVED);
    assert_true(!f.walked && f.flew);
    check_is_at(&f, off[2], 0.25);
    assert_int_equal(scene_self(&f.s, 0).bumps, f.bumps);
    assert_int_equal(land(&f, normal, 15), OCT_PILOT_ARRIVED);
    check_stands(&f, normal);
    free_field(&f);
}

static void short_ways_along_the_surface_are_walked(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(8); seed++) {
        for (size_t i = 0; i < 4; i++) {
            walk_once(ups[i], seed % 2, 0, seed);
            walk_once(ups[i], seed % 2, 30, seed);
        }
    }
}

// Just as long as it may be, and longer.
static void longer_ways_are_flown(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        field f;
        make_field(&f, ups[0], true, 0, 1);
        stand_up(&f, ups[0], (oct_point){-5.2, 0, 0}, (oct_point){1, 0, 0});
        const double length = i == 0 ? OCT_WALK_MAX - 1e-6 : OCT_WALK_MAX + 0.01;
        const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, length, 0.0);
        const oct_pilot_status status = follow(&f, &to, 1, 12);
        assert_int_equal(f.walked, i == 0);
        // In the air it is too near to the ground for its map.
        assert_int_equal(status, i == 0 ? OCT_PILOT_ARRIVED : OCT_PILOT_BLOCKED);
        assert_int_equal(f.flew, i == 1);
        free_field(&f);
    }
}

static void ways_that_leave_the_surface_are_flown(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f;
        make_field(&f, ups[0], true, delay, 1);
        stand_up(&f, ups[0], (oct_point){-4, 0, 5}, (oct_point){1, 0, 0});
        const oct_point from = scene_self(&f.s, 0).centre;
        const oct_point points[] = {
            from, {from.x, from.y + 1.5, from.z}, {from.x + 4, from.y + 1.5, from.z}};
        assert_int_equal(follow(&f, points, 3, 15), OCT_PILOT_ARRIVED);
        assert_true(f.flew && !f.walked);
        check_is_at(&f, points[2], 0.25);
        assert_int_equal(scene_self(&f.s, 0).bumps, f.bumps);
        // Over the edge of the plate there is nothing to walk on.
        assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
        const oct_point at = scene_self(&f.s, 0).centre;
        const oct_point over[] = {at, {at.x, at.y, 8.0}, {at.x, at.y, 11.0}};
        assert_true(11.0 - at.z < OCT_WALK_MAX);
        const oct_pilot_status status = follow(&f, over, 3, 15);
        assert_true(!f.walked && f.flew && status != OCT_PILOT_STUCK);
        free_field(&f);
    }
}

// A wall that the map knows is not walked into; one that it does not know stops the body.
static void walls_end_a_walk(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        for (int known = 0; known < 2; known++) {
            field f = {0};
            block_scene_init(&f.s);
            put_plate(&f, ups[0]);
            scene_rules(&f.s, pulls_down);
            const oct_bounds wall = {{2, 0, -5}, {3, 5, 5}};
            scene_put_box(&f.s, 1, STONE, wall);
            play(&f, delay, 1);
            if (!known) {
                assert_int_equal(oct_map_remove(f.map, 1), OCT_OK);
            }
            stand_up(&f, ups[0], (oct_point){-2, 0, 0}, (oct_point){0, 0, 1});
            const oct_point at = scene_self(&f.s, 0).centre;
            const oct_point to[] = {at, {5.5, at.y, 0}};
            const oct_pilot_status status = follow(&f, to, 2, 20);
            assert_int_equal(f.walked, !known);
            assert_int_equal(status, known ? OCT_PILOT_BLOCKED : OCT_PILOT_STUCK);
            assert_int_equal(f.flew, known);
            scene_step(&f.s, 120);
            assert_true(point_length(scene_self(&f.s, 0).velocity) == 0.0);
            free_field(&f);
        }
    }
}

// Half the tolerance is how far above or below the way's end may be.
static void only_level_ways_are_walked(void **state)
{
    (void)state;
    const double heights[] = {0.12, -0.12, 0.3};
    for (int i = 0; i < 3; i++) {
        field f;
        make_field(&f, ups[0], true, 0, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 3.0, 0.0);
        to.y += heights[i];
        const oct_pilot_status status = follow(&f, &to, 1, 10);
        assert_int_equal(f.walked, i < 2);
        assert_int_equal(f.flew, i == 2);
        assert_true(i == 2 || status == OCT_PILOT_ARRIVED);
        free_field(&f);
    }
}

static void runs(oct_world_rules *rules)
{
    rules->walk = 30.0; // half a metre in a tick
}

static void who_runs_does_not_run_too_far(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, runs);
    play(&f, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 1.2, 0.0);
    assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
    check_is_at(&f, to, 0.25);
    free_field(&f);
}

// It turns before it walks back, and walks straight where it turns a little.
static void walks_are_straight(void **state)
{
    (void)state;
    const double angles[] = {0.2, 0.45, -0.45, 1.5, 3.1};
    for (int i = 0; i < 5; i++) {
        field f;
        make_field(&f, ups[0], false, 0, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        double sine, cosine;
        oct_sin_cos(angles[i], &sine, &cosine);
        const oct_point points[] = {
            scene_self(&f.s, 0).centre,
            beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 5.0 * cosine, 5.0 * sine)};
        assert_int_equal(follow(&f, points, 2, 10), OCT_PILOT_ARRIVED);
        assert_true(f.stray < 0.1);
        free_field(&f);
    }
}

// Told another way while it walks, it does not finish the first.
static void another_way_ends_the_walk(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f;
        make_field(&f, ups[0], true, delay, 2);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        const oct_point x = {1, 0, 0}, z = {0, 0, 1};
        oct_point to = beside(&f, x, z, 5.0, 0.0);
        assert_int_equal(oct_pilot_follow(f.pilot, &to, 1), OCT_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(turn(&f), OCT_PILOT_WALKING);
        }
        to = beside(&f, x, z, 0.0, -2.0);
        assert_int_equal(oct_pilot_follow(f.pilot, &to, 1), OCT_OK);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.ticks == 0 || next(&f, &self).verb == OCT_VERB_WAIT);
        assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
        check_is_at(&f, to, 0.25);
        free_field(&f);
    }
}

static void never_walks(oct_world_rules *rules)
{
    rules->walk = 0.0;
}

static void who_cannot_walk_flies(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, never_walks);
    play(&f, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 3.0, 0.0);
    follow(&f, &to, 1, 10);
    assert_true(!f.walked && f.flew);
    free_field(&f);
}

// Whatever it faces.
static void any_facing_walks(void **state)
{
    (void)state;
    for (int facing = 0; facing <= OCT_FACING_NONE; facing++) {
        field f;
        make_field(&f, ups[0], false, 0, 2);
        oct_pilot_destroy(f.pilot);
        oct_pilot_def def = oct_pilot_def_default();
        def.facing = (oct_facing)facing;
        make_pilot(&f, &def);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, -4.0, 1.0);
        assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
        assert_true(f.walked && !f.flew);
        check_is_at(&f, to, 0.25);
        const double looks = scene_self(&f.s, 0).pose.forward.x;
        assert_true(facing == OCT_FACING_NONE ? looks > 0.99 : looks < -0.9);
        free_field(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ways_along_the_surface_are_walked),
        cmocka_unit_test(longer_ways_are_flown),
        cmocka_unit_test(ways_that_leave_the_surface_are_flown),
        cmocka_unit_test(walls_end_a_walk),
        cmocka_unit_test(only_level_ways_are_walked),
        cmocka_unit_test(who_runs_does_not_run_too_far),
        cmocka_unit_test(walks_are_straight),
        cmocka_unit_test(another_way_ends_the_walk),
        cmocka_unit_test(who_cannot_walk_flies),
        cmocka_unit_test(any_facing_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
