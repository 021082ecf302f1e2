// SPDX-License-Identifier: MIT
// The oracles of searches, on worlds where the answers are known or can be had another way.
#include "octant/tree.h"
#include "search_oracle.h"
#include "support.h"
#include "tree_model.h"

#include <math.h>
#include <stdlib.h>

#define C OCT_FINE
#define H (OCT_FINE / 2)
#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

// Rows from the highest y down; '.' is OPEN, '#' BLOCKED; `layers` of them are put on each other.
static oct_tree *draw(int dims, const char *const *rows, int count, int layers)
{
    oct_tree *tree = model_new_tree(dims, NULL);
    for (int i = 0; i < count; i++) {
        for (int x = 0; rows[i][x]; x++) {
            const int y = count - 1 - i;
            const oct_box box = {{x, y, 0}, {x + 1, y + 1, layers}};
            assert_int_equal(
                oct_tree_set_box(tree, box, rows[i][x] == '#' ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                OCT_OK);
        }
    }
    return tree;
}

#define DRAW(dims, layers, ...)                                                                    \
    draw(dims, (const char *const[]){__VA_ARGS__},                                                 \
         (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), layers)

static exact_world world_of(const oct_tree *tree)
{
    return (exact_world){tree, false, false, {{0, 0, 0}, {0, 0, 0}}, (int)oct_tree_dims(tree),
                         false};
}

static double between(const oracle_net *net, oct_vec a, oct_vec b)
{
    const oracle_end from = oracle_middle(&net->world, a), to = oracle_middle(&net->world, b);
    const double cost = oracle_least(net, &from, &to);
    NEAR(oracle_least(net, &to, &from), cost);
    return cost;
}

// ---- cells ----

static double over_cells(const exact_world *world, int neighbours, oct_vec a, oct_vec b)
{
    oracle_net net = oracle_net_cells(world, neighbours);
    const double cost = between(&net, a, b);
    oracle_net_free(&net);
    return cost;
}

static void moves_between_cells(void **state)
{
    (void)state;
    oct_tree *tree = DRAW(2, 1,    //
                          "...#.", //
                          ".#.#.", //
                          ".#..#");
    const exact_world w = world_of(tree);
    NEAR(over_cells(&w, 8, (oct_vec){0, 0, 0}, (oct_vec){0, 0, 0}), 0.0);
    NEAR(over_cells(&w, 8, (oct_vec){0, 0, 0}, (oct_vec){0, 2, 0}), 2.0);
    NEAR(over_cells(&w, 8, (oct_vec){0, 0, 0}, (oct_vec){2, 0, 0}), 6.0);
    NEAR(over_cells(&w, 8, (oct_vec){2, 1, 0}, (oct_vec){3, 0, 0}), 2.0);
    NEAR(over_cells(&w, 8, (oct_vec){0, 0, 0}, (oct_vec){4, 1, 0}), -1.0);
    assert_true(oracle_connected(&w, (oct_vec){0, 0, 0}, (oct_vec){3, 0, 0}));
    assert_false(oracle_connected(&w, (oct_vec){0, 0, 0}, (oct_vec){4, 1, 0}));
    assert_false(oracle_connected(&w, (oct_vec){0, 0, 0}, (oct_vec){1, 0, 0}));
    oct_tree_destroy(tree);

    tree = DRAW(3, 3, "...", "...", "...");
    exact_world solid = world_of(tree);
    const oct_vec low = {0, 0, 0}, high = {2, 2, 2};
    NEAR(over_cells(&solid, 26, low, high), 2.0 * sqrt(3.0));
    NEAR(over_cells(&solid, 18, low, high), 3.0 * sqrt(2.0));
    NEAR(over_cells(&solid, 6, low, high), 6.0);
    solid.bounded = true;
    solid.bounds = (oct_box){{0, 0, 0}, {3, 3, 1}};
    NEAR(over_cells(&solid, 26, low, (oct_vec){2, 2, 0}), 2.0 * sqrt(2.0));
    oct_tree_destroy(tree);

    // UNKNOWN as free; one blocked cell beside the diagonal.
    tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){1, 0, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    const exact_world open = {tree, true, true, {{0, 0, 0}, {2, 2, 2}}, 3, false};
    NEAR(over_cells(&open, 26, low, (oct_vec){1, 1, 1}), 1.0 + sqrt(2.0));
    oct_tree_destroy(tree);
}

// ---- the shortest way at two dimensions ----

static void shortest_ways_around_corners(void **state)
{
    (void)state;
    oct_tree *tree = DRAW(2, 1,    //
                          ".....", //
                          ".###.", //
                          "..#..", //
                          "..#..");
    const exact_world w = world_of(tree);
    oracle_net net = oracle_net_sight(&w, 1);
    // (0.5, 0.5) to (4.5, 0.5) over (1, 3) and (4, 3).
    NEAR(between(&net, (oct_vec){0, 0, 0}, (oct_vec){4, 0, 0}), 3.0 + 2.0 * sqrt(6.5));
    NEAR(between(&net, (oct_vec){0, 0, 0}, (oct_vec){0, 3, 0}), 3.0);
    const oracle_end from = {{0, 0, 0}, {0, 0, 0}}, to = {{2 * C, 0, 0}, {1, 0, 0}};
    NEAR(oracle_least(&net, &from, &to), 2.0);
    const oracle_end other_side = {{3 * C, 0, 0}, {3, 0, 0}};
    NEAR(oracle_least(&net, &to, &other_side), 5.0 + 2.0 * sqrt(5.0));
    oracle_net_free(&net);
    oct_tree_destroy(tree);
}

// The corner at (2, 2), where two blocked cells meet, is two places.
static void shortest_ways_do_not_squeeze(void **state)
{
    (void)state;
    oct_tree *tree = DRAW(2, 1,   //
                          "....", //
                          "..#.", //
                          ".#..", //
                          "....");
    const exact_world w = world_of(tree);
    oracle_net net = oracle_net_sight(&w, 1);
    const oracle_end corner_above = {{2 * C, 2 * C, 0}, {1, 2, 0}};
    const oracle_end corner_below = {{2 * C, 2 * C, 0}, {2, 1, 0}};
    NEAR(oracle_least(&net, &corner_above, &corner_below), 4.0);
    NEAR(between(&net, (oct_vec){1, 2, 0}, (oct_vec){2, 1, 0}), 2.0 * sqrt(0.5) + 2.0);
    oracle_net_free(&net);
    oct_tree_destroy(tree);
}

// All corners of the lattice and all parts of them, and distances by Floyd and Warshall.
#define CORNERS 200

static double by_all_corners(const exact_world *world, int32_t edge, oracle_end from, oracle_end to)
{
    static oct_fine at[CORNERS];
    static exact_cells in[CORNERS];
    static double least[CORNERS][CORNERS];
    int count = 2;
    at[0] = from.at;
    at[1] = to.at;
    in[0] = exact_joined(world, from.at, &(exact_cells){1, {from.cell}});
    in[1] = exact_joined(world, to.at, &(exact_cells){1, {to.cell}});
    for (int32_t i = 0; i < (edge + 1) * (edge + 1); i++) {
        const oct_fine p = {i % (edge + 1) * C, i / (edge + 1) * C, H};
        const exact_cells all = exact_around(world, p);
        for (int k = 0; k < all.count; k++) {
            assert_true(count < CORNERS);
            at[count] = p;
            in[count++] = exact_joined(world, p, &(exact_cells){1, {all.cells[k]}});
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            least[i][k] = exact_sees_between(world, at[i], &in[i], at[k], &in[k])
                              ? oracle_distance(world, at[i], at[k])
                              : HUGE_VAL;
        }
    }
    for (int m = 0; m < count; m++) {
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < count; k++) {
                least[i][k] = fmin(least[i][k], least[i][m] + least[m][k]);
            }
        }
    }
    return isfinite(least[0][1]) ? least[0][1] : -1.0;
}

static oct_tree *random_world(int dims, int32_t edge, uint64_t percent, oct_random *random)
{
    oct_tree *tree = model_new_tree(dims, NULL);
    const oct_box all = {{0, 0, 0}, {edge, edge, edge}};
    assert_int_equal(oct_tree_set_box(tree, all, OCT_MARK_OPEN), OCT_OK);
    for (int32_t i = 0; i < edge * edge * (dims == 3 ? edge : 1); i++) {
        if (oct_random_below(random, 100) < percent) {
            const oct_cell one = {i % edge, i / edge % edge, i / edge / edge, 0};
            assert_int_equal(oct_tree_set(tree, one, OCT_MARK_BLOCKED), OCT_OK);
        }
    }
    return tree;
}

static oct_vec random_free_cell(const exact_world *world, int32_t edge, oct_random *random)
{
    for (;;) {
        const oct_vec c = {oct_random_range(random, 0, edge - 1),
                           oct_random_range(random, 0, edge - 1),
                           world->dims == 3 ? oct_random_range(random, 0, edge - 1) : 0};
        if (exact_is_free(world, c)) {
            return c;
        }
    }
}

// A point in or on a cell, often at a corner of it.
static oracle_end random_end(const exact_world *world, int32_t edge, oct_random *random)
{
    const oct_vec c = random_free_cell(world, edge, random);
    static const int32_t steps[] = {1, H, C};
    const int32_t step = steps[oct_random_below(random, 3)];
    return (oracle_end){{(int64_t)c.x * C + oct_random_range(random, 0, C) / step * step,
                         (int64_t)c.y * C + oct_random_range(random, 0, C) / step * step,
                         (int64_t)c.z * C + oct_random_range(random, 0, C) / step * step},
                        c};
}

static void turning_points_are_enough(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    const int worlds = (int)test_rounds(40);
    int found = 0;
    for (int i = 0; i < worlds; i++) {
        oct_tree *tree = random_world(2, 5, 30, &random);
        const exact_world w = world_of(tree);
        oracle_net net = oracle_net_sight(&w, 1);
        for (int k = 0; k < 3; k++) {
            const oracle_end from = random_end(&w, 5, &random), to = random_end(&w, 5, &random);
            const double least = by_all_corners(&w, 5, from, to);
            NEAR(oracle_least(&net, &from, &to), least);
            assert_int_equal(least >= 0.0, oracle_connected(&w, from.cell, to.cell));
            found += least >= 0.0;
        }
        oracle_net_free(&net);
        oct_tree_destroy(tree);
    }
    assert_in_range(found, worlds, 3 * worlds - 1);
}

// ---- three dimensions ----

// A wall of one cell that leaves a way along one side: seen along z it is flat, so the shortest way
// bends at the same two edges as the flat one, and unfolds into one straight line.
static void bounds_hold_around_a_wall(void **state)
{
    (void)state;
    oct_tree *tree = DRAW(3, 5,    //
                          ".....", //
                          "..#..", //
                          "..#..");
    const exact_world w = world_of(tree);
    const double flat = 1.0 + 2.0 * hypot(1.5, 1.5);
    for (int per_cell = 2; per_cell <= 4; per_cell++) {
        oracle_net above = oracle_net_sight(&w, per_cell);
        oracle_net below = oracle_net_below(&w, per_cell);
        for (int32_t z = 0; z < 5; z++) {
            const oct_vec a = {0, 0, 0}, b = {4, 0, z};
            const double best = hypot(flat, z);
            const double high = between(&above, a, b), low = between(&below, a, b);
            assert_true(high >= best - 1e-9 && high < best * 1.02);
            assert_true(low <= best + 1e-9 && low > best - 2.3 / per_cell);
        }
        oracle_net_free(&above);
        oracle_net_free(&below);
    }
    oct_tree_destroy(tree);
}

static void bounds_hold_in_random_worlds(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2);
    int found = 0;
    for (int i = 0; i < 6; i++) {
        oct_tree *tree = random_world(3, 4, 20, &random);
        const exact_world w = world_of(tree);
        oracle_net above = oracle_net_sight(&w, 2), below = oracle_net_below(&w, 2);
        oracle_net steps = oracle_net_cells(&w, 26);
        for (int k = 0; k < 10; k++) {
            const oct_vec a = random_free_cell(&w, 4, &random),
                          b = random_free_cell(&w, 4, &random);
            const double high = between(&above, a, b), low = between(&below, a, b);
            assert_int_equal(high >= 0.0, oracle_connected(&w, a, b));
            if (high >= 0.0) {
                const oracle_end from = oracle_middle(&w, a), to = oracle_middle(&w, b);
                assert_true(high >= oracle_distance(&w, from.at, to.at) - 1e-9);
                assert_true(low >= 0.0 && low <= high + 1e-9);
                assert_true(high <= between(&steps, a, b) + 1e-9);
                found++;
            }
        }
        oracle_net_free(&above);
        oracle_net_free(&below);
        oracle_net_free(&steps);
        oct_tree_destroy(tree);
    }
    assert_true(found > 30);
}

// ---- leaves ----

// One blocked cell in a corner of a root of 16 by 16: three free leaves of each level.
static void leaves_by_hand(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(2, NULL);
    const oct_box all = {{0, 0, 0}, {16, 16, 1}};
    assert_int_equal(oct_tree_set_box(tree, all, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, 0, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    exact_world w = world_of(tree);
    oracle_leaves leaves = oracle_leaves_of(tree);
    assert_int_equal(leaves.count, 1 + 3 * 4);

    oracle_net dual = oracle_net_dual(&w, &leaves, 8), four = oracle_net_dual(&w, &leaves, 4);
    oracle_net corner = oracle_net_corner(&w, &leaves);
    const oct_vec a = {1, 0, 0}, b = {1, 1, 0}, c = {0, 1, 0}, d = {2, 0, 0}, e = {3, 1, 0};
    NEAR(between(&dual, a, b), 1.0);
    NEAR(between(&four, a, c), 2.0);
    NEAR(between(&dual, a, c), sqrt(2.0)); // through the corner of the blocked cell
    NEAR(between(&dual, d, e), sqrt(2.0));
    NEAR(between(&dual, d, b), hypot(0.5, 0.5) + hypot(1.5, 0.5)); // by the middle of its leaf
    NEAR(between(&corner, d, e), sqrt(2.0));
    NEAR(between(&corner, a, b), 2.0 * hypot(0.5, 0.5));
    NEAR(between(&corner, a, c), 2.0 * hypot(0.5, 0.5));
    NEAR(between(&corner, d, c), hypot(0.5, 1.5) + 1.0 + hypot(0.5, 0.5));
    oracle_net_free(&dual);
    oracle_net_free(&four);
    oracle_net_free(&corner);

    // Cut by bounds, the largest leaves become smaller.
    w.bounded = true;
    w.bounds = (oct_box){{0, 0, 7}, {12, 10, 7}};
    dual = oracle_net_dual(&w, &leaves, 4);
    NEAR(between(&dual, (oct_vec){11, 0, 0}, (oct_vec){11, 9, 0}),
         hypot(1.5, 3.5) + 5.0 + hypot(1.5, 0.5));
    oracle_net_free(&dual);
    oracle_leaves_free(&leaves);
    oct_tree_destroy(tree);
}

// Where blocked cells meet diagonally the corner is two places.
static void corners_of_leaves_do_not_squeeze(void **state)
{
    (void)state;
    oct_tree *tree = DRAW(2, 1, //
                          ".#", //
                          "#.");
    const exact_world w = world_of(tree);
    oracle_leaves leaves = oracle_leaves_of(tree);
    oracle_net corner = oracle_net_corner(&w, &leaves), dual = oracle_net_dual(&w, &leaves, 8);
    NEAR(between(&corner, (oct_vec){1, 0, 0}, (oct_vec){0, 1, 0}), -1.0);
    NEAR(between(&dual, (oct_vec){1, 0, 0}, (oct_vec){0, 1, 0}), -1.0);
    oracle_net_free(&corner);
    oracle_net_free(&dual);
    oracle_leaves_free(&leaves);
    oct_tree_destroy(tree);
}

// No way over leaves is shorter than the shortest of all, and corners of balanced leaves miss none.
static void nets_of_leaves_agree_with_sight(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (int i = 0; i < 20; i++) {
        const int dims = i % 2 ? 3 : 2;
        const int32_t edge = dims == 3 ? 4 : 7;
        oct_tree *tree = random_world(dims, edge, 25, &random);
        const exact_world w = world_of(tree);
        oracle_leaves leaves = oracle_leaves_of(tree);
        oracle_leaves_balance(&leaves, dims);
        oracle_net corner = oracle_net_corner(&w, &leaves);
        oracle_net dual = oracle_net_dual(&w, &leaves, dims == 3 ? 26 : 8);
        oracle_net best = dims == 3 ? oracle_net_below(&w, 2) : oracle_net_sight(&w, 1);
        for (int k = 0; k < 6; k++) {
            const oct_vec a = random_free_cell(&w, edge, &random);
            const oct_vec b = random_free_cell(&w, edge, &random);
            const double by_corners = between(&corner, a, b), by_middles = between(&dual, a, b);
            assert_int_equal(by_corners >= 0.0, oracle_connected(&w, a, b));
            if (by_corners >= 0.0) {
                assert_true(by_corners >= between(&best, a, b) - 1e-9);
                assert_true(by_middles < 0.0 || by_middles >= between(&best, a, b) - 1e-9);
            } else {
                NEAR(by_middles, -1.0);
            }
        }
        oracle_net_free(&corner);
        oracle_net_free(&dual);
        oracle_net_free(&best);
        oracle_leaves_free(&leaves);
        oct_tree_destroy(tree);
    }
}

static bool touch(int dims, oct_box a, oct_box b)
{
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           (dims == 2 || (a.min.z <= b.max.z && b.min.z <= a.max.z));
}

// Balanced leaves: nothing is lost, neighbours differ by one level, and no leaf was divided without
// a reason: its parent touches a leaf outside it that is two levels smaller.
static void check_balance(const oct_tree *tree, int dims)
{
    oracle_leaves leaves = oracle_leaves_of(tree);
    uint64_t before = 0, after = 0;
    const oct_leaf *list = leaves.items;
    for (size_t i = 0; i < leaves.count; i++) {
        before += UINT64_C(1) << (dims * list[i].level);
    }
    oracle_leaves_balance(&leaves, dims);
    list = leaves.items;
    const oct_cell root = oct_tree_root(tree);
    for (size_t i = 0; i < leaves.count; i++) {
        const oct_leaf leaf = list[i];
        after += UINT64_C(1) << (dims * leaf.level);
        assert_int_equal(oct_tree_label(tree, (oct_vec){leaf.x, leaf.y, leaf.z}), leaf.label);
        const int32_t low = ~((2 << leaf.level) - 1);
        oct_leaf parent = leaf;
        parent.level++;
        parent.x = ((leaf.x - root.x) & low) + root.x;
        parent.y = ((leaf.y - root.y) & low) + root.y;
        parent.z = dims == 3 ? ((leaf.z - root.z) & low) + root.z : 0;
        const oct_leaf own = oct_tree_leaf(tree, (oct_vec){leaf.x, leaf.y, leaf.z});
        bool has_reason = own.level == leaf.level;
        for (size_t k = 0; k < leaves.count; k++) {
            const oct_box box = oct_leaf_box(list[k]);
            if (touch(dims, oct_leaf_box(leaf), box)) {
                assert_true(abs(leaf.level - list[k].level) <= 1);
            }
            has_reason = has_reason || (list[k].level + 1 < parent.level &&
                                        touch(dims, oct_leaf_box(parent), box));
        }
        assert_true(has_reason);
    }
    assert_true(before == after);
    oracle_leaves_free(&leaves);
}

static void balanced_leaves_differ_by_one_level(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(4);
    for (int i = 0; i < 12; i++) {
        const int dims = i % 3 ? 2 : 3;
        oct_tree *tree = model_new_tree(dims, NULL);
        const oct_box all = {{0, 0, 0}, {32, 32, 32}};
        assert_int_equal(oct_tree_set_box(tree, all, OCT_MARK_OPEN), OCT_OK);
        for (int k = 0; k < 3; k++) {
            const oct_cell one = {oct_random_range(&random, 0, 31),
                                  oct_random_range(&random, 0, 31),
                                  dims == 3 ? oct_random_range(&random, 0, 31) : 0, 0};
            assert_int_equal(oct_tree_set(tree, one, OCT_MARK_BLOCKED), OCT_OK);
        }
        check_balance(tree, dims);
        oct_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_between_cells),
        cmocka_unit_test(shortest_ways_around_corners),
        cmocka_unit_test(shortest_ways_do_not_squeeze),
        cmocka_unit_test(turning_points_are_enough),
        cmocka_unit_test(bounds_hold_around_a_wall),
        cmocka_unit_test(bounds_hold_in_random_worlds),
        cmocka_unit_test(leaves_by_hand),
        cmocka_unit_test(corners_of_leaves_do_not_squeeze),
        cmocka_unit_test(nets_of_leaves_agree_with_sight),
        cmocka_unit_test(balanced_leaves_differ_by_one_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
