// SPDX-License-Identifier: MIT
// Neighbour leaves against a search of all cells around a leaf, both ways.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "tree_model.h"

#include <stdlib.h>

#define MOST 4096

static int compare_leaves(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(oct_leaf));
}

// Asks for the leaf of every cell that touches `leaf` in one of the directions. The leaves come
// sorted, each once.
static size_t by_hand(const oct_tree *tree, oct_leaf leaf, uint32_t directions, oct_labels labels,
                      oct_leaf *out)
{
    const int32_t edge = 1 << leaf.level;
    const bool flat = oct_tree_dims(tree) == 2;
    size_t count = 0;
    for (int32_t z = flat ? 0 : -1; z <= (flat ? 0 : edge); z++) {
        for (int32_t y = -1; y <= edge; y++) {
            for (int32_t x = -1; x <= edge; x++) {
                const int dx = x < 0 ? -1 : x == edge, dy = y < 0 ? -1 : y == edge;
                const int dz = flat ? 0 : z < 0 ? -1 : z == edge;
                if ((dx || dy || dz) && (directions & OCT_DIRECTION(dx, dy, dz))) {
                    const oct_leaf found =
                        oct_tree_leaf(tree, (oct_vec){leaf.x + x, leaf.y + y, leaf.z + z});
                    if (labels >> found.label & 1u) {
                        assert_true(count < MOST * 4);
                        out[count++] = found;
                    }
                }
            }
        }
    }
    qsort(out, count, sizeof *out, compare_leaves);
    size_t unique = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || memcmp(&out[i], &out[unique - 1], sizeof *out) != 0) {
            out[unique++] = out[i];
        }
    }
    return unique;
}

static void check_neighbours(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                             oct_labels labels)
{
    static oct_leaf expected[MOST * 4], found[MOST];
    const size_t count = by_hand(tree, leaf, directions, labels, expected);
    assert_true(count <= MOST);
    assert_int_equal(oct_tree_neighbours(tree, leaf, directions, labels, found, MOST), count);
    qsort(found, count, sizeof *found, compare_leaves);
    assert_memory_equal(found, expected, count * sizeof *found);
    memset(found, 0, sizeof found);
    assert_int_equal(oct_tree_neighbours_by_descent(tree, leaf, directions, labels, found, MOST),
                     count);
    qsort(found, count, sizeof *found, compare_leaves);
    assert_memory_equal(found, expected, count * sizeof *found);
}

static uint32_t random_directions(oct_random *random)
{
    switch (oct_random_below(random, 6)) {
    case 0:
        return OCT_DIRECTIONS_6;
    case 1:
        return OCT_DIRECTIONS_18;
    case 2:
        return OCT_DIRECTIONS_26;
    case 3: // one direction, or now and then none at all
        return OCT_DIRECTIONS_26 & 1u << oct_random_below(random, 27);
    default:
        return (uint32_t)oct_random_next(random) & OCT_DIRECTIONS_26;
    }
}

static void run_random_worlds(int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, (oct_vec){-9, -14, 77});
    for (int edit = 0; edit < 20; edit++) {
        model_random_edit(&model, tree, &random);
        for (int i = 0; i < 60; i++) {
            const oct_leaf leaf = oct_tree_leaf(tree, model_random_cell(&model, &random));
            if (leaf.level != OCT_LEVEL_OUTSIDE && leaf.level <= 5) {
                check_neighbours(tree, leaf, random_directions(&random),
                                 1u + (oct_labels)oct_random_below(&random, 7));
            }
        }
    }
    oct_tree_destroy(tree);
}

static void both_ways_match_a_search_of_all_cells(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(40); seed++) {
        run_random_worlds(3, seed);
        run_random_worlds(2, seed);
    }
}

// One OPEN cell alone in the middle of a brick has 26 UNKNOWN neighbours, in the at_corner fewer
// and the outside once.
static void outside_is_one_neighbour(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, 0, 0, 0}, OCT_MARK_OPEN), OCT_OK);
    oct_leaf found[32];
    const oct_leaf at_corner = oct_tree_leaf(tree, (oct_vec){0, 0, 0});
    assert_int_equal(
        oct_tree_neighbours(tree, at_corner, OCT_DIRECTIONS_26, OCT_HAS_ANY, found, 32), 8);
    assert_int_equal(found[7].level, OCT_LEVEL_OUTSIDE);
    assert_int_equal(found[7].label, OCT_UNKNOWN);
    assert_int_equal(
        oct_tree_neighbours(tree, at_corner, OCT_DIRECTIONS_26, OCT_HAS_OPEN, found, 32), 0);
    assert_int_equal(
        oct_tree_neighbours(tree, at_corner, OCT_DIRECTION(-1, 0, 0), OCT_HAS_UNKNOWN, found, 32),
        1);
    assert_int_equal(
        oct_tree_neighbours(tree, at_corner, OCT_DIRECTION(1, 0, 0), OCT_HAS_UNKNOWN, found, 32),
        1);
    assert_int_equal(found[0].x, 1);
    oct_tree_destroy(tree);
}

// A buffer that is too small gets what fits, and the true count is returned.
static void small_buffers_are_not_overrun(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_box box = {{0, 0, 0}, {64, 64, 64}};
    assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set(tree, (oct_cell){33, 33, 33, 0}, OCT_MARK_BLOCKED), OCT_OK);
    const oct_leaf leaf = oct_tree_leaf(tree, (oct_vec){33, 33, 33});
    oct_leaf all[64], few[3];
    const size_t count = oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_26, OCT_HAS_OPEN, all, 64);
    assert_int_equal(oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_26, OCT_HAS_OPEN, few, 2),
                     count);
    assert_memory_equal(all, few, 2 * sizeof *few);
    assert_int_equal(oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_26, OCT_HAS_OPEN, NULL, 0),
                     count);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_match_a_search_of_all_cells),
        cmocka_unit_test(outside_is_one_neighbour),
        cmocka_unit_test(small_buffers_are_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
