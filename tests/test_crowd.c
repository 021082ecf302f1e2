// SPDX-License-Identifier: MIT
// Crowds at work: through a hole, in corridors, past each other, to one goal, in worlds that
// change.
#include "crowd_support.h"
#include "octant/line.h"
#include "octant/tree.h"
#include "search_scene.h"
#include "valid.h"

#define TRAIL_MAX 4096

// ---- through a hole ----

// Two blocks of units on either side of a wall change places.
static void fill_both_sides(test_crowd *t, int count, double speed)
{
    for (int i = 0; i < count; i++) {
        const int k = i / 2;
        const double x = (i % 2 ? 1 : -1) * (8.0 + k / 25 * 1.5);
        const double y = (k / 5 % 5 - 2) * 1.6, z = (k % 5 - 2) * 1.6;
        crowd_add(t, (oct_point){x, y, z}, 0.5, speed);
        assert_int_equal(oct_crowd_send(t->crowd, t->units[i], (oct_point){-x, y, z}, 0.0), OCT_OK);
    }
}

static void two_hundred_pass_through_a_hole_in_both_directions(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-30, -12, -12}, {30, 12, 12}});
    crowd_wall(map, 6.0, 12.0);
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    test_crowd t;
    crowd_create(&t, &def);
    fill_both_sides(&t, 200, 4.0);
    const exact_world world = {.tree = def.tree, .dims = 3};
    static oct_fine trail[TRAIL_MAX];
    size_t length = 0;
    int ticks = 0;
    trail[length++] = t.now[7].place;
    for (; crowd_in_status(&t, OCT_UNIT_ARRIVED) < t.count && ticks < 2000; ticks++) {
        crowd_step(&t);
        crowd_check_apart(&t);
        for (int i = 0; i < t.count; i++) {
            crowd_check_speed(&t, i, 4.0 / 20 / 0.5 * OCT_FINE);
            if ((i + ticks) % 16 == 0) {
                assert_true(exact_sees(&world, t.before[i].place, t.now[i].place));
            }
        }
        trail[length++] = t.now[7].place;
    }
    assert_int_equal(crowd_in_status(&t, OCT_UNIT_ARRIVED), 200);
    assert_true(oct_crowd_is_valid(t.crowd));
    char why[200] = "";
    if (!exact_path_is_valid(&world, trail, length, false, false, why, sizeof why)) {
        print_error("%s\n", why);
        fail();
    }
    for (int i = 0; i < t.count; i++) { // where their opposites began
        const int k = i / 2;
        assert_true(fabs(t.now[i].at.x + (i % 2 ? 1 : -1) * (8.0 + k / 25 * 1.5)) < 1.0);
    }
    print_message("all arrived after %d ticks\n", ticks);
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// ---- two ----

// How far a unit goes from here to there, or -1 where they do not both arrive in time.
static double meet(test_crowd *t, oct_point a, oct_point b, int ticks_max)
{
    double way = 0.0;
    assert_int_equal(oct_crowd_send(t->crowd, t->units[0], b, 0.0), OCT_OK);
    assert_int_equal(oct_crowd_send(t->crowd, t->units[1], a, 0.0), OCT_OK);
    for (int i = 0; i < ticks_max; i++) {
        crowd_step(t);
        crowd_check_apart(t);
        const oct_fine from = t->before[0].place, to = t->now[0].place;
        const double x = (double)(to.x - from.x), y = (double)(to.y - from.y),
                     z = (double)(to.z - from.z);
        way += sqrt(x * x + y * y + z * z) / OCT_FINE;
        if (crowd_in_status(t, OCT_UNIT_ARRIVED) == 2) {
            return way;
        }
    }
    return -1.0;
}

static void two_that_meet_head_on_pass_each_other(void **state)
{
    (void)state;
    const oct_point ways[][2] = {{{2, 8, 8}, {14, 8, 8}},
                                 {{8, 2, 8}, {8, 14, 8}},
                                 {{8, 8, 2}, {8, 8, 14}},
                                 {{2, 2, 2}, {14, 14, 14}},
                                 {{3, 8, 8.004}, {13, 8, 8}}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        oct_map *const map = crowd_map(1.0, 0.0, (oct_bounds){{0, 0, 0}, {16, 16, 16}});
        oct_crowd_def def = oct_crowd_def_default();
        def.tree = oct_map_tree(map);
        test_crowd t;
        crowd_create(&t, &def);
        crowd_add(&t, ways[i][0], 0.5, 4.0);
        crowd_add(&t, ways[i][1], 0.7, 3.0);
        const oct_point a = ways[i][0], b = ways[i][1];
        const double straight =
            sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
        const double way = meet(&t, a, b, 300);
        assert_true(way > 0.0 && way < 1.25 * straight);
        oct_crowd_destroy(t.crowd);
        oct_map_destroy(map);
    }
}

// At two dimensions there is no way over or under each other. A corridor of 2.5 metres, for balls
// of one metre.
static void two_pass_each_other_in_a_corridor(void **state)
{
    (void)state;
    for (uint32_t dims = 2; dims <= 3; dims++) {
        oct_tree_def tree_def = oct_tree_def_default();
        oct_tree *tree;
        tree_def.cell_size = 0.25;
        tree_def.dims = dims;
        assert_int_equal(oct_tree_create(&tree_def, &tree), OCT_OK);
        // Padded: what is left for centres is 1.5 metres wide.
        const oct_box open = {{0, 0, 0}, {80, 6, 2}};
        assert_int_equal(oct_tree_set_box(tree, open, OCT_MARK_OPEN), OCT_OK);
        oct_crowd_def def = oct_crowd_def_default();
        def.tree = tree;
        test_crowd t;
        crowd_create(&t, &def);
        crowd_add(&t, (oct_point){1.0, 0.75, 0.25}, 0.5, 2.0);
        crowd_add(&t, (oct_point){19.0, 0.75, 0.25}, 0.5, 2.0);
        assert_true(meet(&t, (oct_point){1.0, 0.75, 0.25}, (oct_point){19.0, 0.75, 0.25}, 600) >
                    0.0);
        oct_crowd_destroy(t.crowd);
        oct_tree_destroy(tree);
    }
}

// More are near a giant than it keeps in mind.
static void a_giant_goes_through_a_cloud_of_small_ones(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(1.0, 0.0, (oct_bounds){{0, 0, 0}, {40, 20, 20}});
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    test_crowd t;
    crowd_create(&t, &def);
    crowd_add(&t, (oct_point){5, 10, 10}, 4.0, 6.0);
    for (int i = 0; i < 196; i++) {
        const oct_point at = {12 + i / 49 * 1.1, 6.4 + i / 7 % 7 * 1.1, 6.4 + i % 7 * 1.1};
        crowd_add(&t, at, 0.5, 6.0);
    }
    assert_int_equal(oct_crowd_send(t.crowd, t.units[0], (oct_point){32, 10, 10}, 0.0), OCT_OK);
    for (int i = 0; i < 400 && t.now[0].status != OCT_UNIT_ARRIVED; i++) {
        crowd_step(&t);
        crowd_check_apart(&t);
    }
    assert_int_equal(t.now[0].status, OCT_UNIT_ARRIVED);
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// All press upon a giant from all sides, more of them than it keeps in mind, while it wants to go.
static void a_giant_among_many_that_press_upon_it_overlaps_none(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        oct_map *const map = crowd_map(1.0, 0.0, (oct_bounds){{0, 0, 0}, {32, 32, 32}});
        oct_crowd_def def = oct_crowd_def_default();
        def.tree = oct_map_tree(map);
        test_crowd t;
        crowd_create(&t, &def);
        crowd_add(&t, (oct_point){16, 16, 16}, 4.0, 16.0);
        for (int i = 0; i < 96; i++) { // the sides of a cube, on a ball
            const double a = i % 4 * 0.5 - 0.75, b = i / 4 % 4 * 0.5 - 0.75;
            const int side = i / 16, sign = side % 2 ? 1 : -1;
            const double r = 4.9 / sqrt(1.0 + a * a + b * b);
            const double c[3] = {sign * r, a * r, b * r};
            const oct_point at = {16 + c[side / 2], 16 + c[(side / 2 + 1) % 3],
                                  16 + c[(side / 2 + 2) % 3]};
            crowd_add(&t, at, 0.5, 8.0);
            assert_int_equal(
                oct_crowd_send(t.crowd, t.units[t.count - 1], (oct_point){16, 16, 16}, 0.0),
                OCT_OK);
        }
        const double far = way % 2 ? 6.0 : 26.0;
        const oct_point goal = {way / 2 == 0 ? far : 16, way / 2 == 1 ? far : 16,
                                way / 2 == 2 ? far : 16};
        assert_int_equal(oct_crowd_send(t.crowd, t.units[0], goal, 0.0), OCT_OK);
        for (int i = 0; i < 40; i++) {
            crowd_step(&t);
            crowd_check_apart(&t);
        }
        oct_crowd_destroy(t.crowd);
        oct_map_destroy(map);
    }
}

// ---- one goal ----

// The way along what a unit still has before it, metres.
static double shortest(const oct_tree *tree, oct_point from, oct_point to)
{
    oct_planner_def def = oct_planner_def_default();
    oct_planner *planner;
    oct_path path;
    def.tree = tree;
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    oct_query query = oct_query_default();
    query.from = from;
    query.to = to;
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    const double length = path.length;
    oct_planner_destroy(planner);
    return length;
}

static void many_that_want_to_one_goal_share_a_search(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-30, -12, -12}, {30, 12, 12}});
    crowd_wall(map, 6.0, 12.0);
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    test_crowd t;
    crowd_create(&t, &def);
    const oct_point goal = {20, 9, 9};
    for (int i = 0; i < 100; i++) {
        const oct_point at = {-20 + i / 25 * 1.2, (i / 5 % 5) * 1.2 - 8, (i % 5) * 1.2 - 8};
        crowd_add(&t, at, 0.5, 4.0);
        assert_int_equal(oct_crowd_send(t.crowd, t.units[i], goal, 0.1), OCT_OK);
    }
    crowd_step(&t);
    oct_crowd_stats stats = oct_crowd_measure(t.crowd);
    assert_int_equal(stats.served, 100);
    assert_int_equal(stats.searches + stats.shared, 100);
    assert_true(stats.searches <= 5);
    double way[100] = {0.0};
    for (int i = 0; i < 1500 && crowd_in_status(&t, OCT_UNIT_ARRIVED) < 100; i++) {
        crowd_step(&t);
        crowd_check_apart(&t);
        for (int k = 0; k < 100; k++) {
            const oct_point a = t.before[k].at, b = t.now[k].at;
            way[k] += sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                           (a.z - b.z) * (a.z - b.z));
        }
    }
    // Not all can be at the goal, but all are as near as those let them that are.
    assert_int_equal(crowd_in_status(&t, OCT_UNIT_ARRIVED), 100);
    for (int i = 0; i < 100; i++) {
        const oct_point at = t.now[i].at;
        const double away =
            sqrt((at.x - goal.x) * (at.x - goal.x) + (at.y - goal.y) * (at.y - goal.y) +
                 (at.z - goal.z) * (at.z - goal.z));
        assert_true(away < 6.0);
    }
    // The one in front was alone on its way, and it was a good one.
    int first = 0;
    for (int i = 0; i < 100; i++) {
        first = way[i] < way[first] ? i : first;
    }
    const oct_point start = {-20 + first / 25 * 1.2, (first / 5 % 5) * 1.2 - 8,
                             (first % 5) * 1.2 - 8};
    assert_true(way[first] < 1.1 * shortest(def.tree, start, goal));
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// ---- fairness ----

// With a small budget paths come in the order in which they were asked for.
static void nobody_is_passed_over(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-30, -12, -12}, {30, 12, 12}});
    crowd_wall(map, 2.5, 12.0);
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    def.plan_budget = 25;
    test_crowd t;
    crowd_create(&t, &def);
    int order[120], served = 0;
    for (int i = 0; i < 120; i++) {
        const oct_point at = {-20, (i / 11) * 1.5 - 8, (i % 11) * 1.5 - 8};
        crowd_add(&t, at, 0.5, 4.0);
    }
    for (int i = 0; i < 120; i++) { // each its own goal, in an order of their own
        const int k = i * 7 % 120;
        order[i] = k;
        assert_int_equal(oct_crowd_send(t.crowd, t.units[k],
                                        (oct_point){20, (k / 11) * 1.5 - 8, (k % 11) * 1.5 - 8},
                                        0.0),
                         OCT_OK);
    }
    uint32_t waited_most = 0;
    crowd_look(&t);
    for (int tick = 0; served < 120 && tick < 2000; tick++) {
        // One that changes its mind keeps its place.
        assert_int_equal(oct_crowd_send(t.crowd, t.units[order[119]], (oct_point){20, 9, 9}, 0.0),
                         OCT_OK);
        crowd_step(&t);
        while (served < 120 && t.now[order[served]].status != OCT_UNIT_WAITING) {
            waited_most = (uint32_t)tick + 1u;
            served++;
        }
        for (int i = served; i < 120; i++) {
            assert_int_equal(t.now[order[i]].status, OCT_UNIT_WAITING);
            assert_int_equal(t.now[order[i]].waited, tick + 1);
        }
        crowd_check_apart(&t);
    }
    const oct_crowd_stats stats = oct_crowd_measure(t.crowd);
    assert_true(waited_most > 20);
    assert_int_equal(stats.wait_max, waited_most);
    assert_true(stats.served >= 120 && stats.wait_sum > stats.served);
    assert_true(stats.expanded + 4 * stats.searches <= 25u * stats.ticks);
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// A search is cut into slices, and begins again when the map changes; in the end it is brought to
// its end.
static void searches_end_though_the_map_changes_all_the_time(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-30, -12, -12}, {30, 12, 12}});
    crowd_wall(map, 2.5, 12.0);
    crowd_block(map, 9, (oct_bounds){{-25, -10, -10}, {-24, -9, -9}});
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    def.plan_budget = 1;
    test_crowd t;
    crowd_create(&t, &def);
    crowd_add(&t, (oct_point){-20, 8, 8}, 0.5, 4.0);
    assert_int_equal(oct_crowd_send(t.crowd, t.units[0], (oct_point){20, 8, -8}, 0.0), OCT_OK);
    for (int i = 0; i < 400 && t.now[0].status != OCT_UNIT_ARRIVED; i++) {
        const double at = -25 + i % 8 * 0.5;
        assert_int_equal(oct_map_move(map, 9, (oct_bounds){{at, -10, -10}, {at + 1, -9, -9}}),
                         OCT_OK);
        crowd_step(&t);
    }
    assert_int_equal(t.now[0].status, OCT_UNIT_ARRIVED);
    assert_true(oct_crowd_measure(t.crowd).stale > 0);
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// ---- worlds that change ----

// A door closes before a unit: it takes the other way. Both close: it waits; one opens: it comes.
static void doors_send_units_round(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-20, -12, -4}, {20, 12, 4}});
    crowd_block(map, 1, (oct_bounds){{-0.5, -12, -5}, {0.5, -9, 5}});
    crowd_block(map, 2, (oct_bounds){{-0.5, -6, -5}, {0.5, 6, 5}});
    crowd_block(map, 3, (oct_bounds){{-0.5, 9, -5}, {0.5, 12, 5}});
    const oct_bounds low = {{-0.5, -9, -5}, {0.5, -6, 5}}, high = {{-0.5, 6, -5}, {0.5, 9, 5}};
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    test_crowd t;
    crowd_create(&t, &def);
    crowd_add(&t, (oct_point){-10, 5, 0}, 0.5, 4.0);
    assert_int_equal(oct_crowd_send(t.crowd, t.units[0], (oct_point){10, 5, 0}, 0.0), OCT_OK);
    for (int i = 0; i < 30; i++) {
        crowd_step(&t);
    }
    assert_true(t.now[0].at.x > -6.0 && t.now[0].at.x < -1.0);
    crowd_block(map, 7, high); // the way to it is free, but it leads nowhere
    const uint64_t searches = oct_crowd_measure(t.crowd).searches;
    for (int i = 0; i < 3; i++) {
        crowd_step(&t);
    }
    assert_true(oct_crowd_measure(t.crowd).searches > searches);
    for (int i = 0; i < 60; i++) {
        crowd_step(&t);
        assert_true(t.now[0].at.x < -0.9);
    }
    assert_true(t.now[0].at.y < 1.0); // on its way to the other one
    crowd_block(map, 8, low);
    for (int i = 0; i < 60; i++) {
        crowd_step(&t);
        assert_true(t.now[0].at.x < -0.9);
    }
    assert_int_equal(t.now[0].status, OCT_UNIT_LOST);
    assert_int_equal(oct_map_remove(map, 7), OCT_OK);
    for (int i = 0; i < 300 && t.now[0].status != OCT_UNIT_ARRIVED; i++) {
        crowd_step(&t);
    }
    assert_int_equal(t.now[0].status, OCT_UNIT_ARRIVED);
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// What comes onto a unit it leaves by the shortest way, straight.
static void a_unit_inside_something_comes_out(void **state)
{
    (void)state;
    oct_map *const map = crowd_map(0.5, 0.5, (oct_bounds){{-20, -12, -4}, {20, 12, 4}});
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    test_crowd t;
    crowd_create(&t, &def);
    crowd_add(&t, (oct_point){0.5, 5, 0}, 0.5, 2.0);
    crowd_step(&t);
    crowd_block(map, 1, (oct_bounds){{-2, 2, -3}, {2, 8, 3}});
    for (int i = 0; i < 25; i++) {
        crowd_step(&t);
        assert_true(t.now[0].at.y == 5.0 && t.now[0].at.z == 0.0);
    }
    assert_true(t.now[0].at.x == 2.5);
    assert_true(oct_tree_line_of_sight(def.tree, NULL, t.now[0].place, t.now[0].place));
    oct_crowd_destroy(t.crowd);
    oct_map_destroy(map);
}

// How far the nearest free cell is, 1/256 cells, by a loop over all.
static double way_out(const exact_world *world, oct_box box, oct_fine at)
{
    double best = HUGE_VAL;
    for (int32_t z = box.min.z; z < (world->dims == 3 ? box.max.z : box.min.z + 1); z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                const oct_vec cell = {x, y, world->dims == 3 ? z : 0};
                if (!exact_is_free(world, cell)) {
                    continue;
                }
                const int64_t c[3] = {x, y, z}, p[3] = {at.x, at.y, at.z};
                double sum = 0.0;
                for (int i = 0; i < world->dims; i++) {
                    const int64_t lo = c[i] * OCT_FINE, hi = lo + OCT_FINE;
                    const double d = p[i] < lo   ? (double)(lo - p[i])
                                     : p[i] > hi ? (double)(p[i] - hi)
                                                 : 0.0;
                    sum += d * d;
                }
                best = sum < best ? sum : best;
            }
        }
    }
    return sqrt(best);
}

static void random_edit(search_scene *s, oct_random *random)
{
    oct_box box;
    const int32_t edge = s->drawn.max.x - s->drawn.min.x;
    const int32_t size = oct_random_range(random, 1, 3);
    const int32_t x = s->drawn.min.x + oct_random_range(random, 0, edge - size);
    const int32_t y = s->drawn.min.y + oct_random_range(random, 0, edge - size);
    const int32_t z = s->dims == 3 ? s->drawn.min.z + oct_random_range(random, 0, edge - size) : 0;
    box.min = (oct_vec){x, y, z};
    box.max = (oct_vec){x + size, y + size, s->dims == 3 ? z + size : 1};
    const oct_mark mark = oct_random_below(random, 3) ? OCT_MARK_OPEN : OCT_MARK_BLOCKED;
    assert_int_equal(oct_tree_set_box(s->tree, box, mark), OCT_OK);
}

// Counts of what happened in random worlds, to know that it did.
typedef struct tally {
    int moves, escapes, arrivals;
} tally;

static void check_tick(const search_scene *s, const test_crowd *t, tally *sum)
{
    crowd_check_apart(t);
    for (int i = 0; i < t->count; i++) {
        const oct_fine from = t->before[i].place, to = t->now[i].place;
        const exact_cells around = exact_around(&s->world, from);
        const bool moved = from.x != to.x || from.y != to.y || from.z != to.z;
        if (around.count > 0) {
            assert_true(exact_sees(&s->world, from, to));
        } else if (moved) { // only outwards, and only where something is free
            const double before = way_out(&s->small, s->drawn, from);
            const double after = way_out(&s->small, s->drawn, to);
            const double x = (double)(to.x - from.x), y = (double)(to.y - from.y),
                         z = (double)(to.z - from.z);
            assert_true(after <= before - sqrt(x * x + y * y + z * z) + 3.5);
            sum->escapes++;
        }
        sum->moves += moved;
        sum->arrivals += t->now[i].status == OCT_UNIT_ARRIVED;
    }
}

static void run_random_world(uint64_t seed, int dims, tally *sum)
{
    search_scene s;
    test_crowd t;
    search_scene_init(&s, seed, dims, dims == 3 ? 8 : 16, (scene_wish){.known = true});
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = s.tree;
    def.terms = s.terms;
    def.plan_budget = seed % 3 ? 2000 : 20;
    crowd_create(&t, &def);
    const double cell = oct_tree_cell_size(s.tree);
    for (int i = 0; i < 24; i++) {
        const scene_end at = scene_random_end(&s);
        oct_unit_def unit = {at.at, cell * (0.1 + 0.4 * oct_random_unit(&s.random)),
                             cell * 20.0 * (0.05 + oct_random_unit(&s.random))};
        const oct_result result = oct_crowd_add(t.crowd, &unit, &t.units[t.count]);
        assert_true(result == OCT_OK || result == OCT_ERROR_EXISTS);
        t.count += result == OCT_OK;
    }
    crowd_look(&t);
    for (int tick = 0; tick < 100; tick++) {
        if (oct_random_below(&s.random, 3) == 0) {
            random_edit(&s, &s.random);
        }
        if (t.count > 0 && oct_random_below(&s.random, 2) == 0) {
            const scene_end to = scene_random_end(&s);
            const uint64_t who = oct_random_below(&s.random, (uint64_t)t.count);
            assert_int_equal(oct_crowd_send(t.crowd, t.units[who], to.at, 0.0), OCT_OK);
        }
        crowd_look(&t);
        crowd_step(&t);
        check_tick(&s, &t, sum);
    }
    assert_true(oct_crowd_is_valid(t.crowd));
    oct_crowd_destroy(t.crowd);
    search_scene_free(&s);
}

static void in_random_worlds_nobody_overlaps_or_enters_a_wall(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 1; seed <= test_rounds(36); seed++) {
        run_random_world(seed, seed % 3 ? 3 : 2, &sum);
    }
    assert_true(sum.moves > 1000 && sum.escapes > 20 && sum.arrivals > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hundred_pass_through_a_hole_in_both_directions),
        cmocka_unit_test(two_that_meet_head_on_pass_each_other),
        cmocka_unit_test(two_pass_each_other_in_a_corridor),
        cmocka_unit_test(a_giant_goes_through_a_cloud_of_small_ones),
        cmocka_unit_test(a_giant_among_many_that_press_upon_it_overlaps_none),
        cmocka_unit_test(many_that_want_to_one_goal_share_a_search),
        cmocka_unit_test(nobody_is_passed_over),
        cmocka_unit_test(searches_end_though_the_map_changes_all_the_time),
        cmocka_unit_test(doors_send_units_round),
        cmocka_unit_test(a_unit_inside_something_comes_out),
        cmocka_unit_test(in_random_worlds_nobody_overlaps_or_enters_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
