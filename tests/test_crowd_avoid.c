// SPDX-License-Identifier: MIT
// Avoidance by itself: what reciprocal half-spaces promise, and the program over them against many
// points that might be better.
#include "base/base_internal.h"
#include "moving/crowd_avoid.h"
#include "support.h"

#include <math.h>
#include <stdio.h>

#define SPACES 12

static oct_point random_point(oct_random *random, double size, int dims)
{
    const double x = (2.0 * oct_random_unit(random) - 1.0) * size;
    const double y = (2.0 * oct_random_unit(random) - 1.0) * size;
    const double z = dims == 3 ? (2.0 * oct_random_unit(random) - 1.0) * size : 0.0;
    return (oct_point){x, y, z};
}

static double length(oct_point a)
{
    return sqrt(point_dot(a, a));
}

// A velocity in a half-space, most often on its plane.
static oct_point random_inside(oct_random *random, const half_space *space, int dims)
{
    const oct_point v = random_point(random, 30.0, dims);
    const double missing = space->least - point_dot(space->normal, v);
    const double more = oct_random_below(random, 2) ? 0.0 : oct_random_unit(random) * 10.0;
    return missing > 0.0 || more == 0.0 ? point_add(v, point_scale(space->normal, missing + more))
                                        : v;
}

// The least distance of two points within the horizon, the other relative to the first.
static double least_distance(oct_point apart, oct_point relative, double horizon)
{
    const double square = point_dot(relative, relative);
    double time = square > 0.0 ? point_dot(apart, relative) / square : 0.0;
    time = time < 0.0 ? 0.0 : time > horizon ? horizon : time;
    return length(point_sub(apart, point_scale(relative, time)));
}

static void those_who_keep_to_their_halves_do_not_meet(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    int outside = 0;
    for (int i = 0; i < 200000; i++) {
        const int dims = i % 4 == 0 ? 2 : 3;
        const oct_point apart = random_point(&random, 60.0, dims);
        const double far = length(apart);
        const double reach = far * (i % 5 == 0 ? 1.0 : oct_random_unit(&random));
        const double horizon = 1.0 + 9.0 * oct_random_unit(&random);
        const oct_point mine = i % 7 == 0 ? point_scale(apart, oct_random_unit(&random))
                                          : random_point(&random, 20.0, dims);
        const oct_point other = i % 7 == 0 ? point_scale(apart, -oct_random_unit(&random))
                                           : random_point(&random, 20.0, dims);
        if (reach <= 0.0) {
            continue;
        }
        const half_space a = oct_avoid_reciprocal(apart, reach, mine, other, horizon);
        const half_space b =
            oct_avoid_reciprocal(point_scale(apart, -1.0), reach, other, mine, horizon);
        assert_true(fabs(length(a.normal) - 1.0) < 1e-9);
        assert_true(dims == 3 || a.normal.z == 0.0);
        // They agree: what one gives way to, the other takes.
        assert_true(length(point_add(a.normal, b.normal)) < 1e-6);
        const oct_point v = random_inside(&random, &a, dims), w = random_inside(&random, &b, dims);
        const double least = least_distance(apart, point_sub(v, w), horizon);
        assert_true(least >= reach - 1e-6 * (far + 60.0 * horizon));
        outside += least > reach + 1.0;
    }
    assert_true(outside > 1000);
}

// Velocities that meet nobody need no change.
static void free_velocities_are_left_alone(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2);
    int met = 0, free_ones = 0;
    for (int i = 0; i < 50000; i++) {
        const oct_point apart = random_point(&random, 60.0, 3);
        const double reach = 0.9 * length(apart) * oct_random_unit(&random);
        const oct_point mine = random_point(&random, 20.0, 3);
        const oct_point other = random_point(&random, 20.0, 3);
        const double horizon = 4.0;
        const half_space a = oct_avoid_reciprocal(apart, reach, mine, other, horizon);
        const double least = least_distance(apart, point_sub(mine, other), horizon);
        const double inside = point_dot(a.normal, mine) - a.least;
        if (least > reach + 1e-6) {
            assert_true(inside > 0.0);
            free_ones++;
        } else if (least < reach - 1e-6) {
            assert_true(inside < 0.0);
            met++;
        }
    }
    assert_true(met > 1000 && free_ones > 1000);
}

// ---- the program ----

static bool is_inside(const half_space *spaces, int count, oct_point v, double slack)
{
    for (int i = 0; i < count; i++) {
        if (point_dot(spaces[i].normal, v) < spaces[i].least - slack) {
            return false;
        }
    }
    return true;
}

static void make_spaces(oct_random *random, half_space *spaces, int count, int hard, double tight)
{
    for (int i = 0; i < count; i++) {
        const oct_point at = random_point(random, 1.0, 3);
        spaces[i].normal = point_scale(at, 1.0 / length(at));
        const double least = tight * oct_random_unit(random);
        spaces[i].least = i < hard ? -5.0 * oct_random_unit(random) : least - 4.0;
    }
    if (count > 2) { // walls that meet at right angles, and one behind another
        spaces[0].normal = (oct_point){1.0, 0.0, 0.0};
        spaces[1].normal = (oct_point){0.0, -1.0, 0.0};
        spaces[2].normal = spaces[oct_random_below(random, 2)].normal;
    }
}

static void nothing_is_better_than_the_best_velocity(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    int solved = 0, limited = 0;
    for (int i = 0; i < 4000; i++) {
        half_space spaces[SPACES];
        const int count = (int)oct_random_below(&random, SPACES + 1);
        const int hard = count / 3;
        const double speed = 10.0;
        make_spaces(&random, spaces, count, hard, 8.0);
        const oct_point wanted = random_point(&random, 12.0, 3);
        const oct_point v = oct_avoid_solve(spaces, hard, count, wanted, speed);
        assert_true(length(v) <= speed * (1.0 + 1e-9));
        assert_true(is_inside(spaces, hard, v, 1e-6));
        const bool feasible = is_inside(spaces, count, v, 1e-6);
        const double mine = length(point_sub(v, wanted));
        for (int k = 0; k < 300; k++) {
            // Anywhere, and near the answer.
            oct_point other = random_point(&random, speed, 3);
            if (k % 2) {
                other = point_add(v, point_scale(other, 1.0 / (1 << k % 12)));
            }
            if (length(other) > speed || !is_inside(spaces, count, other, 0.0)) {
                continue;
            }
            assert_true(feasible);
            assert_true(length(point_sub(other, wanted)) >= mine - 1e-6);
        }
        solved += feasible;
        limited += mine > 1e-3;
    }
    assert_true(solved > 1000 && limited > 1000);
}

// By how much the worst of the others is missed.
static double worst_miss(const half_space *spaces, int hard, int count, oct_point v)
{
    double worst = 0.0;
    for (int i = hard; i < count; i++) {
        const double miss = spaces[i].least - point_dot(spaces[i].normal, v);
        worst = miss > worst ? miss : worst;
    }
    return worst;
}

static void where_nothing_is_left_all_give_way_alike(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(4);
    int impossible = 0;
    for (int i = 0; i < 2000; i++) {
        half_space spaces[SPACES];
        const int count = 4 + (int)oct_random_below(&random, SPACES - 3), hard = count / 3;
        const double speed = 10.0;
        make_spaces(&random, spaces, count, hard, 14.0);
        const oct_point v =
            oct_avoid_solve(spaces, hard, count, random_point(&random, 12.0, 3), speed);
        assert_true(length(v) <= speed * (1.0 + 1e-9));
        assert_true(is_inside(spaces, hard, v, 1e-6));
        const double worst = worst_miss(spaces, hard, count, v);
        impossible += worst > 0.1;
        for (int k = 0; k < 300; k++) {
            const oct_point other = random_point(&random, speed, 3);
            if (length(other) <= speed && is_inside(spaces, hard, other, 0.0)) {
                // The most that anyone may ask of rest is 10, and it is halved six times.
                assert_true(worst_miss(spaces, hard, count, other) >= worst - 10.0 / 64 - 1e-6);
            }
        }
    }
    assert_true(impossible > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_keep_to_their_halves_do_not_meet),
        cmocka_unit_test(free_velocities_are_left_alone),
        cmocka_unit_test(nothing_is_better_than_the_best_velocity),
        cmocka_unit_test(where_nothing_is_left_all_give_way_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
