// SPDX-License-Identifier: MIT
// Exact shortest paths against strings that are pulled until they are as short as they get.
#include "support.h"

#include "base/base_internal.h"
#include "bench/shortest_around.h"

#include <math.h>

#define SEED 1
#define CASES 200

static double distance(oct_point a, oct_point b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z));
}

static double between(oct_random *random, double lo, double hi)
{
    return lo + (hi - lo) * oct_random_unit(random);
}

static void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.15g should be %.15g\n", value, expected);
        fail();
    }
}

// ---- the wall ----

// A way that crosses both faces of the wall's slab beyond one end: how long it is.
typedef struct way {
    oct_point a, b;
    double columns[2]; // x of the faces, a's first
    double at[4];      // y and z where it crosses the first, y and z at the second
} way;

static double way_length(const way *w)
{
    const oct_point first = {w->columns[0], w->at[0], w->at[1]};
    const oct_point second = {w->columns[1], w->at[2], w->at[3]};
    return distance(w->a, first) + distance(first, second) + distance(second, w->b);
}

// The best value of one number, all others fixed: the length is convex in it.
static void pull(way *w, int which, double lo, double hi)
{
    for (int i = 0; i < 80; i++) {
        const double third = (hi - lo) / 3.0;
        w->at[which] = lo + third;
        const double low = way_length(w);
        w->at[which] = hi - third;
        const double high = way_length(w);
        if (low < high) {
            hi -= third;
        } else {
            lo += third;
        }
    }
    w->at[which] = (lo + hi) / 2.0;
}

// The length is convex and smooth, so pulling one number after the other ends at the least.
static double pulled_around(const oct_bounds *wall, oct_point a, oct_point b, bool above)
{
    const bool forward = a.x < b.x;
    const double end = above ? wall->max.y : wall->min.y;
    way w = {a, b, {forward ? wall->min.x : wall->max.x, forward ? wall->max.x : wall->min.x}, {0}};
    w.at[0] = w.at[2] = end;
    for (int i = 0; i < 200; i++) {
        for (int which = 0; which < 4; which++) {
            const bool is_y = which % 2 == 0;
            pull(&w, which, is_y && above ? end : -200.0, is_y && !above ? end : 200.0);
        }
    }
    return way_length(&w);
}

static void the_way_around_a_wall_is_the_shortest(void **state)
{
    (void)state;
    const oct_bounds wall = {{-1.5, -40.0, -1e9}, {2.5, 30.0, 1e9}};
    oct_random random = oct_random_seed(SEED);
    const int cases = (int)test_rounds(CASES);
    int bent = 0;
    for (int i = 0; i < cases; i++) {
        const oct_point left = {between(&random, -50.0, wall.min.x), between(&random, -60.0, 60.0),
                                between(&random, -60.0, 60.0)};
        const oct_point right = {between(&random, wall.max.x, 50.0), between(&random, -60.0, 60.0),
                                 between(&random, -60.0, 60.0)};
        const oct_point a = i % 2 ? left : right, b = i % 2 ? right : left;
        const double exact = oct_shortest_around_wall(&wall, a, b);
        const double pulled =
            fmin(pulled_around(&wall, a, b, true), pulled_around(&wall, a, b, false));
        check_near(exact, pulled, 1e-5 * pulled);
        bent += exact > distance(a, b) + 1e-9;
    }
    assert_in_range(bent, cases / 4, cases - 1);
}

static void ways_around_a_wall_that_can_be_worked_out(void **state)
{
    (void)state;
    const oct_bounds wall = {{0.0, -4.0, -1e9}, {2.0, 100.0, 1e9}};
    // Both corners: 5 + 2 + 5 in the plane, 5 in height.
    check_near(
        oct_shortest_around_wall(&wall, (oct_point){-3.0, 0.0, 0.0}, (oct_point){5.0, 0.0, 5.0}),
        13.0, 1e-12);
    // One corner: 5 + 13.
    check_near(
        oct_shortest_around_wall(&wall, (oct_point){-3.0, 0.0, 7.0}, (oct_point){12.0, -9.0, 7.0}),
        5.0 + 13.0, 1e-12);
    // The same from the other side, and mirrored.
    const oct_bounds mirrored = {{0.0, -100.0, -1e9}, {2.0, 4.0, 1e9}};
    check_near(oct_shortest_around_wall(&mirrored, (oct_point){12.0, 9.0, 7.0},
                                        (oct_point){-3.0, 0.0, 7.0}),
               5.0 + 13.0, 1e-12);
    // The second corner alone.
    check_near(
        oct_shortest_around_wall(&wall, (oct_point){-10.0, -9.0, 0.0}, (oct_point){5.0, 0.0, 0.0}),
        13.0 + 5.0, 1e-12);
    // None: past the end.
    check_near(
        oct_shortest_around_wall(&wall, (oct_point){-1.0, -5.0, 0.0}, (oct_point){3.0, -5.0, 3.0}),
        5.0, 1e-12);
}

// ---- the ball ----

#define LINKS 64

static oct_point push_out(oct_point at, oct_point centre, double radius)
{
    const double away = distance(at, centre);
    const double grown = away < radius ? radius / away : 1.0;
    return (oct_point){centre.x + (at.x - centre.x) * grown, centre.y + (at.y - centre.y) * grown,
                       centre.z + (at.z - centre.z) * grown};
}

// A string of many links, each of whose joints goes between its neighbours or onto the ball, again
// and again. Links on the ball are chords: about one part in ten thousand too short.
static double pulled_over_ball(oct_point centre, double radius, oct_point a, oct_point b)
{
    oct_point joints[LINKS + 1];
    for (int i = 0; i <= LINKS; i++) {
        const double share = (double)i / LINKS;
        const oct_point at = {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share,
                              a.z + (b.z - a.z) * share};
        joints[i] = i == 0 ? a : i == LINKS ? b : push_out(at, centre, radius);
    }
    for (int round = 0; round < 6000; round++) {
        for (int i = 1; i < LINKS; i++) {
            const oct_point p = joints[i - 1], n = joints[i + 1];
            const oct_point middle = {(p.x + n.x) / 2.0, (p.y + n.y) / 2.0, (p.z + n.z) / 2.0};
            joints[i] = push_out(middle, centre, radius);
        }
    }
    double length = 0.0;
    for (int i = 0; i < LINKS; i++) {
        length += distance(joints[i], joints[i + 1]);
    }
    return length;
}

static void the_way_around_a_ball_is_the_shortest(void **state)
{
    (void)state;
    const oct_point centre = {1.0, -2.0, 0.5};
    const double radius = 20.0;
    oct_random random = oct_random_seed(SEED);
    int bent = 0;
    for (int done = 0; done < CASES / 4;) {
        const oct_point a = {between(&random, -50.0, 50.0), between(&random, -50.0, 50.0),
                             between(&random, -50.0, 50.0)};
        const oct_point b = {between(&random, -50.0, 50.0), between(&random, -50.0, 50.0),
                             between(&random, -50.0, 50.0)};
        if (distance(a, centre) < radius || distance(b, centre) < radius) {
            continue;
        }
        const double exact = oct_shortest_around_ball(centre, radius, a, b);
        check_near(exact, pulled_over_ball(centre, radius, a, b), 1e-3 * exact);
        check_near(exact, oct_shortest_around_ball(centre, radius, b, a), 1e-12 * exact);
        bent += exact > distance(a, b) + 1e-9;
        done++;
    }
    assert_in_range(bent, 5, CASES / 4 - 1);
}

static void ways_around_a_ball_that_can_be_worked_out(void **state)
{
    (void)state;
    const oct_point origin = {0.0, 0.0, 0.0};
    const double pi = acos(-1.0);
    // From 5 left to 5 right around a radius of 3: tangents of 4, and the arc that is left.
    check_near(oct_shortest_around_ball(origin, 3.0, (oct_point){-5.0, 0.0, 0.0},
                                        (oct_point){5.0, 0.0, 0.0}),
               8.0 + 3.0 * (pi - 2.0 * acos(3.0 / 5.0)), 1e-12);
    // From pole to pole over the surface.
    check_near(oct_shortest_around_ball(origin, 3.0, (oct_point){0.0, 0.0, -3.0},
                                        (oct_point){0.0, 0.0, 3.0}),
               3.0 * pi, 1e-12);
    // Past it, and along a tangent.
    check_near(oct_shortest_around_ball(origin, 3.0, (oct_point){-5.0, 3.0, 1.0},
                                        (oct_point){5.0, 3.0, 1.0}),
               10.0, 1e-12);
    check_near(oct_shortest_around_ball(origin, 3.0, (oct_point){-5.0, 3.0, 0.0},
                                        (oct_point){5.0, 3.0, 0.0}),
               10.0, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_around_a_wall_is_the_shortest),
        cmocka_unit_test(ways_around_a_wall_that_can_be_worked_out),
        cmocka_unit_test(the_way_around_a_ball_is_the_shortest),
        cmocka_unit_test(ways_around_a_ball_that_can_be_worked_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
