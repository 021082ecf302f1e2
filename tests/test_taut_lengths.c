// SPDX-License-Identifier: MIT
// Taut paths whose lengths are known: by unrolling, by brute force over corners, by search.
#include "taut_string.h"

#include <math.h>

static double cells(int64_t fine)
{
    return (double)fine / OCT_FINE;
}

// Pulls the way over points and says how long it is then.
static double pulled_length(const search_scene *s, const oct_fine *points, size_t count)
{
    const view v = taut_view(s);
    taut t = {.allocator = oct_allocator_default()};
    static taut_string path;
    assert_true(taut_string_of(&v, points, count, &path));
    taut_pull_and_check(s, &v, &t, &path);
    taut_check_no_slides(s, &v, &path);
    oct_taut_free(&t);
    return taut_length_of(&path);
}

// Over one edge: what is beyond it unrolls into a plane.
static void the_way_around_one_edge_is_straight_when_unrolled(void **state)
{
    (void)state;
    const oct_box block = {{16, 0, 0}, {32, 32, 8}};
    search_scene s;
    taut_make_world(&s, 3, 32, &block, 1);
    for (int n = 0; n < 200; n++) {
        oct_random *const r = &s.random;
        const oct_fine a = {taut_random_fine(r, 1, 15), taut_random_fine(r, 0, 32),
                            taut_random_fine(r, 0, 8)};
        const oct_fine c = {taut_random_fine(r, 18, 31), taut_random_fine(r, 0, 32),
                            taut_random_fine(r, 8, 12)};
        const oct_fine over = {taut_random_fine(r, 1, 16), taut_random_fine(r, 0, 32),
                               taut_random_fine(r, 20, 32)};
        const oct_fine points[] = {a, over, c};
        const double x = cells(16 * OCT_FINE - a.x), z = cells(8 * OCT_FINE - a.z);
        const double u = cells(c.x - 16 * OCT_FINE), w = cells(c.z - 8 * OCT_FINE);
        const double sides = sqrt(x * x + z * z) + sqrt(u * u + w * w);
        const double along = cells(a.y - c.y), straight = oct_fine_distance(a, c);
        const bool is_free = z * u <= w * x;
        const double best = is_free ? straight : sqrt(sides * sides + along * along);
        const double length = pulled_length(&s, points, 3);
        TAUT_CHECK(&s, length >= best - 1e-9 && length <= best + TAUT_TOLERANCE,
                   "case %d: %.9g, should be %.9g\n", n, length, best);
    }
    search_scene_free(&s);
}

// Over a wall along y from x = 14 on: two edges side by side, which neither vertex can leave alone.
static void check_wall(int32_t thick, int32_t high, bool is_direct)
{
    const oct_box wall = {{14, 0, 0}, {14 + thick, 48, high}};
    search_scene s;
    taut_make_world(&s, 3, 48, &wall, 1);
    for (int n = 0; n < 50; n++) {
        oct_random *const r = &s.random;
        const oct_fine a = {taut_random_fine(r, 1, 8), taut_random_fine(r, 0, 48),
                            taut_random_fine(r, 0, 7)};
        const oct_fine c = {taut_random_fine(r, 24, 40), taut_random_fine(r, 0, 48),
                            taut_random_fine(r, 0, 7)};
        const oct_fine top = {14 * OCT_FINE + 128, a.y, 47 * OCT_FINE};
        const oct_fine around[] = {
            a, {a.x, a.y, 45 * OCT_FINE}, {c.x, a.y, 47 * OCT_FINE}, {c.x, c.y, c.z}};
        const oct_fine direct[] = {a, top, c};
        const double x = cells(14 * OCT_FINE - a.x), z = cells(high * OCT_FINE - a.z);
        const double u = cells(c.x - (14 + thick) * OCT_FINE), w = cells(high * OCT_FINE - c.z);
        const double sides = sqrt(x * x + z * z) + thick + sqrt(u * u + w * w);
        const double best = sqrt(sides * sides + cells(a.y - c.y) * cells(a.y - c.y));
        const double length = pulled_length(&s, is_direct ? direct : around, is_direct ? 3 : 4);
        TAUT_CHECK(&s, length >= best - 1e-9 && length <= best + 2 * TAUT_TOLERANCE,
                   "wall %d, case %d: %.9g, should be %.9g\n", thick, n, length, best);
    }
    search_scene_free(&s);
}

static void the_way_over_a_wall_is_straight_when_unrolled(void **state)
{
    (void)state;
    for (int32_t thick = 1; thick <= 4; thick++) {
        check_wall(thick, 8, false);
    }
}

// Such a wall has many leaves on each other, and the straight line meets one of the lowest.
static void the_way_over_a_high_thin_wall_is_found(void **state)
{
    (void)state;
    check_wall(1, 43, true);
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// The least of a convex function of one number from 16 to 40.
typedef double number_fn(const void *ctx, double x);

static double least_of(number_fn *of, const void *ctx)
{
    double lo = 16.0, hi = 40.0;
    for (int i = 0; i < 50; i++) {
        const double third = (hi - lo) / 3.0;
        if (of(ctx, lo + third) < of(ctx, hi - third)) {
            hi -= third;
        } else {
            lo += third;
        }
    }
    return of(ctx, (lo + hi) / 2.0);
}

typedef struct ends {
    double a[3], c[3], x;
} ends;

static double over_x_and_y(const void *ctx, double y)
{
    const ends *const e = ctx;
    const double p[3] = {e->x, 16, 16}, q[3] = {16, y, 16};
    return distance(e->a, p) + distance(p, q) + distance(q, e->c);
}

static double over_x(const void *ctx, double x)
{
    ends e = *(const ends *)ctx;
    e.x = x;
    return least_of(over_x_and_y, &e);
}

static double over_z(const void *ctx, double z)
{
    const ends *const e = ctx;
    const double p[3] = {16, 16, z};
    return distance(e->a, p) + distance(p, e->c);
}

// At the corner of a block, from below one of its sides to below another, over its top: the vertex
// at the corner has to become two, on two edges.
static void a_vertex_at_a_corner_splits_where_that_is_shorter(void **state)
{
    (void)state;
    // Everything at x and y above 16 is blocked up to 16, and what is beyond the corner is walled.
    const oct_box boxes[] = {{{16, 16, 0}, {40, 40, 16}}, {{0, 0, 0}, {16, 16, 40}}};
    search_scene s;
    taut_make_world(&s, 3, 40, boxes, 2);
    int splits = 0;
    for (int n = 0; n < 100; n++) {
        oct_random *const r = &s.random;
        const oct_fine corner = {16 * OCT_FINE, 16 * OCT_FINE, 16 * OCT_FINE};
        const oct_fine a = {taut_random_fine(r, 18, 39), taut_random_fine(r, 2, 15),
                            taut_random_fine(r, 8, 15)};
        const oct_fine c = {taut_random_fine(r, 2, 15), taut_random_fine(r, 18, 39),
                            taut_random_fine(r, 8, 15)};
        const oct_fine points[] = {a, corner, c};
        const ends e = {
            {cells(a.x), cells(a.y), cells(a.z)}, {cells(c.x), cells(c.y), cells(c.z)}, 0.0};
        const double split = least_of(over_x, &e), above = least_of(over_z, &e);
        const double best = split < above ? split : above;
        const double length = pulled_length(&s, points, 3);
        splits += best < oct_fine_distance(a, corner) + oct_fine_distance(corner, c) - 0.1;
        TAUT_CHECK(&s, length >= best - 1e-6 && length <= best + 3 * TAUT_TOLERANCE,
                   "case %d: %.9g, should be %.9g\n", n, length, best);
    }
    assert_true(splits > 20);
    search_scene_free(&s);
}

// The shortest way around one box in the plane over corners on one side of the line from a to c.
static double least_on_side(const search_scene *s, const oct_box *box, oct_fine a, oct_fine c,
                            int side)
{
    oct_fine at[6] = {a, c};
    int count = 2;
    for (int i = 0; i < 4; i++) {
        const oct_fine p = {(int64_t)(i & 1 ? box->max.x : box->min.x) * OCT_FINE,
                            (int64_t)(i & 2 ? box->max.y : box->min.y) * OCT_FINE, FLAT_Z};
        const int64_t turn = (c.x - a.x) * (p.y - a.y) - (c.y - a.y) * (p.x - a.x);
        if (side > 0 ? turn >= 0 : turn <= 0) {
            at[count++] = p;
        }
    }
    double least[6] = {0.0, 1e9, 1e9, 1e9, 1e9, 1e9};
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < count; k++) {
                const double over = least[i] + oct_fine_distance(at[i], at[k]);
                if (over < least[k] && exact_sees(&s->world, at[i], at[k])) {
                    least[k] = over;
                }
            }
        }
    }
    return least[1];
}

static void ways_around_a_box_in_the_plane_are_the_shortest_on_their_side(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (int n = 0; n < 300; n++) {
        const int32_t x = oct_random_range(&random, 8, 14), y = oct_random_range(&random, 8, 14);
        const oct_box box = {
            {x, y, 0},
            {x + oct_random_range(&random, 1, 8), y + oct_random_range(&random, 1, 8), 1}};
        search_scene s;
        taut_make_world(&s, 2, 32, &box, 1);
        const oct_fine a = {taut_random_fine(&random, 2, x), taut_random_fine(&random, 3, 29),
                            FLAT_Z};
        const oct_fine c = {taut_random_fine(&random, box.max.x, 30),
                            taut_random_fine(&random, 3, 29), FLAT_Z};
        for (int side = -1; side <= 1 && !exact_sees(&s.world, a, c); side += 2) {
            const int64_t row = side > 0 ? 31 * OCT_FINE : OCT_FINE;
            const oct_fine points[] = {a, {a.x, row, FLAT_Z}, {c.x, row, FLAT_Z}, c};
            const double length = pulled_length(&s, points, 4);
            const double best = least_on_side(&s, &box, a, c, side);
            TAUT_CHECK(&s, fabs(length - best) <= 1e-9, "case %d: %.12g, should be %.12g\n", n,
                       length, best);
        }
        search_scene_free(&s);
    }
}

static void no_pulled_path_in_the_plane_is_shorter_than_the_shortest(void **state)
{
    (void)state;
    taut t = {.allocator = oct_allocator_default()};
    int equal = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, 10, (scene_wish){.no_prices = true, .known = true});
        const view v = taut_view(&s);
        oct_planner *const planner = scene_planner(&s, NULL);
        const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
        oct_query query = scene_query(&s, &from, &to);
        oracle_net net = oracle_net_sight(&s.small, 1);
        static taut_string path;
        double shortest = 1e9;
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (scene_choose(&s, &query, i) && taut_planned(&s, &v, planner, &query, &path)) {
                taut_pull_and_check(&s, &v, &t, &path);
                shortest = taut_length_of(&path) < shortest ? taut_length_of(&path) : shortest;
            }
        }
        if (shortest < 1e9) {
            const double least = oracle_least(&net, &from.anchor, &to.anchor);
            TAUT_CHECK(&s, shortest >= least - 1e-9, "%.12g, but %.12g is the least\n", shortest,
                       least);
            all++;
            equal += shortest <= least + 1e-9;
        }
        oracle_net_free(&net);
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    assert_true(all > 20 && equal > all * 9 / 10);
    oct_taut_free(&t);
}

// A vertex at a corner, which what is before it sees past on the other side.
static void a_vertex_at_a_corner_is_left_out_too(void **state)
{
    (void)state;
    const oct_box pole = {{10, 10, 0}, {11, 11, 1}};
    search_scene s;
    taut_make_world(&s, 2, 32, &pole, 1);
    const oct_fine points[] = {{9 * OCT_FINE + 128, 5 * OCT_FINE, FLAT_Z},
                               {10 * OCT_FINE, 11 * OCT_FINE, FLAT_Z},
                               {10 * OCT_FINE + 128, 12 * OCT_FINE, FLAT_Z},
                               {20 * OCT_FINE, 11 * OCT_FINE + 128, FLAT_Z}};
    assert_true(exact_sees(&s.world, points[0], points[3]));
    assert_false(exact_sees(&s.world, points[0], points[2]));
    assert_true(pulled_length(&s, points, 4) == oct_fine_distance(points[0], points[3]));
    search_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_around_one_edge_is_straight_when_unrolled),
        cmocka_unit_test(the_way_over_a_wall_is_straight_when_unrolled),
        cmocka_unit_test(the_way_over_a_high_thin_wall_is_found),
        cmocka_unit_test(a_vertex_at_a_corner_splits_where_that_is_shorter),
        cmocka_unit_test(ways_around_a_box_in_the_plane_are_the_shortest_on_their_side),
        cmocka_unit_test(no_pulled_path_in_the_plane_is_shorter_than_the_shortest),
        cmocka_unit_test(a_vertex_at_a_corner_is_left_out_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
