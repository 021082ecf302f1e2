// SPDX-License-Identifier: MIT
// What the table of Abdo 2017 measures: its scenes, its two trees against each other, and Abdo's
// search against Abdo's figures.
#include "support.h"

#include "bench/units_listing.h"

#include <math.h>
#include <string.h>

#define LEAVES (UNITS_EDGE * UNITS_EDGE * UNITS_EDGE)
#define RUNS 12

static const units_kind *const kinds[] = {
    &oct_units_full_listing,  &oct_units_full_astar,    &oct_units_pruned_listing,
    &oct_units_pruned_greedy, &oct_units_pruned_portal,
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static const oct_generate_world_kind scenes[] = {OCT_GENERATE_SVO_WALL, OCT_GENERATE_SVO_RANDOM};

static void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.15g should be %.15g\n", value, expected);
        fail();
    }
}

static double distance(oct_point a, oct_point b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z));
}

// ---- scenes ----

static void a_leaf_has_its_middle_and_its_lower_borders(void **state)
{
    (void)state;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        const oct_point middle = oct_units_middle(leaf);
        const double half = UNITS_LEAF / 2.0;
        assert_int_equal(oct_units_leaf(middle), leaf);
        const oct_point last = {middle.x + half, middle.y + half, middle.z + half};
        assert_int_equal(oct_units_leaf(last), leaf);
        const oct_point first = {middle.x - half + 1e-9, middle.y - half + 1e-9,
                                 middle.z - half + 1e-9};
        assert_int_equal(oct_units_leaf(first), leaf);
    }
}

static void check_units(const units_run *run)
{
    bool taken[LEAVES] = {false};
    for (size_t i = 0; i < run->obstacle_count; i++) {
        taken[oct_units_leaf(run->obstacles[i])] = true;
    }
    const oct_point middle = {250, 250, 250};
    for (int i = 0; i < run->units; i++) {
        const uint32_t leaf = oct_units_leaf(run->starts[i]);
        assert_false(taken[leaf]);
        taken[leaf] = true;
        assert_int_not_equal(oct_units_leaf(run->goals[i]), leaf);
        assert_true(distance(run->starts[i], middle) < 250.0);
        assert_true(distance(run->goals[i], middle) < 250.0);
    }
}

static void runs_are_the_same_for_any_count_of_units(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 100; number++) { // in every twentieth two would collide
        units_run all, few;
        const oct_generate_world_kind kind = scenes[number % 2];
        assert_int_equal(oct_units_draw(&all, kind, number, UNITS_MAX), OCT_OK);
        assert_int_equal(oct_units_draw(&few, kind, number, 3), OCT_OK);
        check_units(&all);
        assert_int_equal(all.obstacle_count, kind == OCT_GENERATE_SVO_WALL ? 500 : 64);
        assert_memory_equal(all.obstacles, few.obstacles, sizeof all.obstacles);
        assert_memory_equal(all.starts, few.starts, 3 * sizeof(oct_point));
        assert_memory_equal(all.goals, few.goals, 3 * sizeof(oct_point));
    }
    units_run one, other;
    assert_int_equal(oct_units_draw(&one, OCT_GENERATE_SVO_RANDOM, 1, 1), OCT_OK);
    assert_int_equal(oct_units_draw(&other, OCT_GENERATE_SVO_RANDOM, 2, 1), OCT_OK);
    assert_memory_not_equal(one.obstacles, other.obstacles, sizeof one.obstacles);
    assert_memory_not_equal(one.starts, other.starts, sizeof(oct_point));
}

static void check_same_leaves(void *const *trees)
{
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        const oct_point at = oct_units_middle(leaf);
        for (size_t i = 1; i < KINDS; i++) {
            assert_int_equal(kinds[i]->is_taken(trees[i], at), kinds[0]->is_taken(trees[0], at));
        }
    }
}

// Whatever run they hold, and wherever units go.
static void trees_hold_the_same_in_the_same_leaves(void **state)
{
    (void)state;
    void *trees[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        assert_int_equal(kinds[i]->create(&trees[i]), OCT_OK);
    }
    for (uint64_t number = 1; number <= 4; number++) {
        units_run run, elsewhere;
        assert_int_equal(oct_units_draw(&run, scenes[number % 2], number, 15), OCT_OK);
        assert_int_equal(oct_units_draw(&elsewhere, scenes[number % 2], number + 9, 15), OCT_OK);
        for (size_t i = 0; i < KINDS; i++) {
            assert_int_equal(kinds[i]->enter(trees[i], &run), OCT_OK);
        }
        check_same_leaves(trees);
        for (size_t i = 0; i < run.obstacle_count; i++) {
            assert_true(kinds[0]->is_taken(trees[0], run.obstacles[i]));
        }
        for (int unit = 0; unit < run.units; unit++) {
            assert_true(kinds[0]->is_taken(trees[0], run.starts[unit]));
            for (size_t i = 0; i < KINDS && unit % 3 > 0; i++) {
                const oct_point to = elsewhere.goals[unit];
                assert_int_equal(kinds[i]->move(trees[i], unit, to), OCT_OK);
                assert_true(kinds[i]->is_taken(trees[i], to));
            }
        }
        check_same_leaves(trees);
    }
    for (size_t i = 0; i < KINDS; i++) {
        kinds[i]->destroy(trees[i]);
    }
}

// ---- flying ----

static void a_straight_flight_has_an_update_a_leaf(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    oct_array places = {.count = 0};
    for (uint32_t leaves = 0; leaves < UNITS_EDGE; leaves++) {
        const oct_point ends[] = {oct_units_middle(0), oct_units_middle(leaves)};
        assert_int_equal(oct_units_fly(ends, 2, &places), OCT_OK);
        // A leaf is left a step beyond the middle of the next.
        assert_int_equal(places.count, leaves > 0 ? leaves - 1 : 0);
        for (size_t i = 0; i < places.count; i++) {
            const oct_point place = ((const oct_point *)places.items)[i];
            check_near(place.x, ((double)i + 1.5 + UNITS_STEP) * UNITS_LEAF, 1e-9);
        }
    }
    assert_int_equal(oct_units_fly(NULL, 0, &places), OCT_OK);
    assert_int_equal(places.count, 0);
    oct_array_free(&places, &memory, sizeof(oct_point));
}

// Every place is as far from the one before as it must be, and no farther than a step more.
static void an_update_comes_as_soon_as_a_leaf_is_left(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    oct_array places = {.count = 0};
    for (uint64_t number = 1; number <= 200; number++) {
        units_run run;
        assert_int_equal(oct_units_draw(&run, OCT_GENERATE_SVO_RANDOM, number, 3), OCT_OK);
        const oct_point points[] = {run.starts[0], run.goals[0], run.starts[1], run.goals[2]};
        assert_int_equal(oct_units_fly(points, 4, &places), OCT_OK);
        oct_point last = points[0];
        for (size_t i = 0; i < places.count; i++) {
            const oct_point place = ((const oct_point *)places.items)[i];
            const double far = distance(place, oct_units_middle(oct_units_leaf(last)));
            assert_true(far > UNITS_LEAF);
            assert_true(far <= UNITS_LEAF * (1.0 + UNITS_STEP) + 1e-9);
            last = place;
        }
        assert_true(distance(points[3], oct_units_middle(oct_units_leaf(last))) <= UNITS_LEAF);
    }
    oct_array_free(&places, &memory, sizeof(oct_point));
}

// ---- searching ----

// Paths lead from start to goal. Those from middle to middle of leaves pass only free ones; the
// library's are judged by its own tests.
static void check_points(const units_kind *kind, void *tree, const units_run *run, int unit,
                         oct_array *points)
{
    assert_int_equal(kind->points(tree, run, unit, points), OCT_OK);
    const oct_point *const at = points->items;
    assert_true(points->count >= 2);
    assert_memory_equal(&at[0], &run->starts[unit], sizeof *at);
    assert_memory_equal(&at[points->count - 1], &run->goals[unit], sizeof *at);
    const bool is_ours = kind == &oct_units_pruned_greedy || kind == &oct_units_pruned_portal;
    for (size_t i = 1; i < points->count && !is_ours; i++) {
        assert_false(kind->is_taken(tree, at[i]));
    }
}

static double points_length(const oct_array *points)
{
    const oct_point *const at = points->items;
    double length = 0.0;
    for (size_t i = 1; i < points->count; i++) {
        length += distance(at[i - 1], at[i]);
    }
    return length;
}

// The full octree's searches and our own find a path to every goal that is free; those that never
// go into a smaller leaf miss some.
static void every_free_goal_is_found_by_a_whole_search(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    oct_array points = {.count = 0};
    double lengths[KINDS] = {0};
    uint64_t traversals[KINDS] = {0};
    int found[KINDS] = {0};
    int free_goals = 0;
    for (size_t i = 0; i < KINDS; i++) {
        void *tree;
        assert_int_equal(kinds[i]->create(&tree), OCT_OK);
        free_goals = 0;
        for (uint64_t number = 1; number <= RUNS; number++) {
            units_run run;
            assert_int_equal(oct_units_draw(&run, scenes[number % 2], number, 5), OCT_OK);
            assert_int_equal(kinds[i]->enter(tree, &run), OCT_OK);
            for (int unit = 0; unit < run.units; unit++) {
                if (kinds[i]->is_taken(tree, run.goals[unit])) {
                    continue;
                }
                free_goals++;
                units_plan plan;
                assert_int_equal(kinds[i]->plan(tree, &run, unit, &plan), OCT_OK);
                traversals[i] += plan.traversals;
                if (plan.is_found) {
                    found[i]++;
                    check_points(kinds[i], tree, &run, unit, &points);
                    lengths[i] += points_length(&points);
                }
            }
        }
        kinds[i]->destroy(tree);
    }
    oct_array_free(&points, &memory, sizeof(oct_point));
    assert_true(free_goals > 4 * RUNS);
    assert_int_equal(found[0], free_goals);
    assert_int_equal(found[1], free_goals);
    assert_true(found[2] < free_goals && found[2] > free_goals / 2);
    assert_true(found[3] < free_goals && found[3] > free_goals / 2);
    assert_int_equal(found[4], free_goals);
    assert_true(lengths[1] <= lengths[0]); // A*'s are the shortest of their kind
    assert_true(lengths[4] < 0.8 * lengths[1]);
    assert_true(traversals[1] < traversals[0] / 4);
    assert_true(traversals[4] < traversals[3] / 20);
}

static oct_point leaf_middle(uint32_t x, uint32_t y, uint32_t z)
{
    return oct_units_middle(x + UNITS_EDGE * (y + UNITS_EDGE * z));
}

// A goal behind six obstacles: no search finds a way in, and the listing looks at every leaf there
// is outside before it gives up.
static void a_goal_that_is_walled_in_is_not_found(void **state)
{
    (void)state;
    units_run run = {.units = 1, .obstacle_count = 6};
    run.goals[0] = leaf_middle(8, 8, 8);
    run.starts[0] = leaf_middle(2, 3, 4);
    const oct_point around[] = {leaf_middle(7, 8, 8), leaf_middle(9, 8, 8), leaf_middle(8, 7, 8),
                                leaf_middle(8, 9, 8), leaf_middle(8, 8, 7), leaf_middle(8, 8, 9)};
    memcpy(run.obstacles, around, sizeof around);
    for (size_t i = 0; i < KINDS; i++) {
        void *tree;
        units_plan plan;
        assert_int_equal(kinds[i]->create(&tree), OCT_OK);
        assert_int_equal(kinds[i]->enter(tree, &run), OCT_OK);
        assert_int_equal(kinds[i]->plan(tree, &run, 0, &plan), OCT_OK);
        assert_false(plan.is_found);
        if (kinds[i] == &oct_units_full_listing) {
            assert_int_equal(plan.traversals,
                             LEAVES - 7 + 1); // and the one that finds none left
        }
        run.obstacle_count = 5; // out of the last direction it is found
        assert_int_equal(kinds[i]->enter(tree, &run), OCT_OK);
        assert_int_equal(kinds[i]->plan(tree, &run, 0, &plan), OCT_OK);
        if (strcmp(kinds[i]->structure, "full") == 0 || kinds[i] == &oct_units_pruned_portal) {
            assert_true(plan.is_found);
        }
        run.obstacle_count = 6;
        kinds[i]->destroy(tree);
    }
}

// Searches of the listing over one tree: the mean of their traversals.
static double listing_mean(const units_kind *kind, oct_generate_world_kind scene, int units,
                           uint64_t runs)
{
    void *tree;
    double sum = 0.0;
    int count = 0;
    assert_int_equal(kind->create(&tree), OCT_OK);
    for (uint64_t number = 1; number <= runs; number++) {
        units_run run;
        assert_int_equal(oct_units_draw(&run, scene, number, units), OCT_OK);
        assert_int_equal(kind->enter(tree, &run), OCT_OK);
        for (int unit = 0; unit < units; unit++) {
            units_plan plan = {.is_found = false};
            if (!kind->is_taken(tree, run.goals[unit])) {
                assert_int_equal(kind->plan(tree, &run, unit, &plan), OCT_OK);
            }
            sum += plan.is_found ? (double)plan.traversals : 0.0;
            count += plan.is_found;
        }
    }
    kind->destroy(tree);
    return sum / count;
}

// Its mean in print is 1536 and 1556 of 15 units in the full octree, 34 and 121 of one in the
// pruned tree.
static void the_listing_brings_the_figures_in_print(void **state)
{
    (void)state;
    const uint64_t runs = test_rounds(18);
    check_near(listing_mean(&oct_units_full_listing, OCT_GENERATE_SVO_WALL, 15, runs), 1536, 150);
    check_near(listing_mean(&oct_units_full_listing, OCT_GENERATE_SVO_RANDOM, 15, runs), 1556, 150);
    check_near(listing_mean(&oct_units_pruned_listing, OCT_GENERATE_SVO_WALL, 1, 100), 34, 10);
    check_near(listing_mean(&oct_units_pruned_listing, OCT_GENERATE_SVO_RANDOM, 1, 100), 121, 20);
}

// To the last node, which depends on the order of its open list.
static void the_listing_does_what_it_always_did(void **state)
{
    (void)state;
    check_near(listing_mean(&oct_units_full_listing, OCT_GENERATE_SVO_RANDOM, 5, 2), 16381.0 / 10,
               1e-9);
    check_near(listing_mean(&oct_units_pruned_listing, OCT_GENERATE_SVO_WALL, 15, 4), 2967.0 / 44,
               1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_leaf_has_its_middle_and_its_lower_borders),
        cmocka_unit_test(runs_are_the_same_for_any_count_of_units),
        cmocka_unit_test(trees_hold_the_same_in_the_same_leaves),
        cmocka_unit_test(a_straight_flight_has_an_update_a_leaf),
        cmocka_unit_test(an_update_comes_as_soon_as_a_leaf_is_left),
        cmocka_unit_test(every_free_goal_is_found_by_a_whole_search),
        cmocka_unit_test(a_goal_that_is_walled_in_is_not_found),
        cmocka_unit_test(the_listing_brings_the_figures_in_print),
        cmocka_unit_test(the_listing_does_what_it_always_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
