// SPDX-License-Identifier: MIT
// Clearance from cells against brute force: every cell against every other one.
#include "base/base_internal.h"
#include "octant/clearance.h"
#include "support.h"
#include "valid.h"

#include <stdlib.h>

static oct_tree *make_tree(uint32_t dims, double cell, const oct_allocator *allocator)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = dims;
    def.cell_size = cell;
    def.allocator = allocator;
    oct_tree *tree;
    return oct_tree_create(&def, &tree) == OCT_OK ? tree : NULL;
}

static oct_box random_box(oct_random *random, oct_box within, int32_t most)
{
    oct_box b;
    int32_t *const min[3] = {&b.min.x, &b.min.y, &b.min.z}, *const max[3] = {&b.max.x, &b.max.y,
                                                                             &b.max.z};
    const int32_t lo[3] = {within.min.x, within.min.y, within.min.z};
    const int32_t hi[3] = {within.max.x, within.max.y, within.max.z};
    for (int i = 0; i < 3; i++) {
        *min[i] = oct_random_range(random, lo[i] - 2, hi[i] + 1);
        *max[i] = *min[i] + oct_random_range(random, 1, most);
    }
    return b;
}

static double gap_between(int32_t a, int32_t b, double half)
{
    const double gap = (double)abs(a - b) - 1.0;
    return (gap > 0.0 ? gap : 0.0) - half;
}

// Whether a body somewhere in cell a shares inner points with cell b.
static bool is_near(oct_vec a, oct_vec b, oct_point half, double radius)
{
    if (a.x == b.x && a.y == b.y && a.z == b.z) {
        return true;
    }
    const double gaps[3] = {gap_between(a.x, b.x, half.x), gap_between(a.y, b.y, half.y),
                            gap_between(a.z, b.z, half.z)};
    const int32_t apart[3] = {abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)};
    double square = 0.0;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        square += gaps[i] > 0.0 ? gaps[i] * gaps[i] : 0.0;
        inside = inside && (apart[i] == 0 || gaps[i] < 0.0);
    }
    return radius > 0.0 ? square < radius * radius : inside;
}

static oct_label true_label(const oct_tree *tree, oct_box box, oct_vec c, oct_point half,
                            double radius)
{
    const bool flat = oct_tree_dims(tree) == 2;
    bool unknown = false;
    for (int32_t z = flat ? 0 : box.min.z; z < (flat ? 1 : box.max.z); z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                const oct_vec other = {x, y, z};
                const oct_label label = oct_tree_label(tree, other);
                if (label != OCT_OPEN && is_near(c, other, half, radius)) {
                    if (label == OCT_BLOCKED) {
                        return OCT_BLOCKED;
                    }
                    unknown = true;
                }
            }
        }
    }
    return unknown ? OCT_UNKNOWN : OCT_OPEN;
}

static void clearance_is_that_of_brute_force(void **state)
{
    (void)state;
    const uint64_t seed = 2421, rounds = test_rounds(1000);
    oct_random random = oct_random_seed(seed);
    for (int round = 0; round < (int)rounds; round++) {
        const uint32_t dims = round % 4 == 0 ? 2 : 3;
        const double cell = round % 3 ? 1.0 : 0.25;
        oct_tree *tree = make_tree(dims, cell, NULL), *view = make_tree(dims, cell, NULL);
        const int32_t at = oct_random_range(&random, -70, 70);
        const oct_box box = {{at, -3, 5}, {at + 9 + round % 60, 7 + round % 5, dims == 3 ? 16 : 6}};
        if (round % 3 != 1) {
            oct_tree_set_box(tree, box, OCT_MARK_OPEN);
        }
        for (int i = 0; i < 1 + round % 6; i++) {
            static const oct_mark marks[3] = {OCT_MARK_BLOCKED, OCT_MARK_OPEN, OCT_MARK_UNKNOWN};
            oct_tree_set_box(tree, random_box(&random, box, i == 0 ? 12 : 3), marks[i % 3]);
        }
        oct_clearance c = {0};
        c.radius = round % 5 == 0 ? 0.0 : (double)oct_random_range(&random, 0, 24) / 8.0 * cell;
        if (round % 5 < 2) {
            c.half = (oct_point){oct_random_range(&random, 0, 6) / 4.0 * cell,
                                 oct_random_range(&random, 0, 6) / 4.0 * cell,
                                 oct_random_range(&random, 0, 6) / 4.0 * cell};
        }
        const oct_point half = {c.half.x / cell, c.half.y / cell, c.half.z / cell};
        assert_int_equal(oct_clearance_view(tree, box, &c, view), OCT_OK);
        assert_true(oct_tree_is_valid(view));
        for (int i = 0; i < 50; i++) {
            const oct_vec p = {oct_random_range(&random, box.min.x - 1, box.max.x),
                               oct_random_range(&random, box.min.y - 1, box.max.y),
                               dims == 3 ? oct_random_range(&random, box.min.z - 1, box.max.z) : 0};
            const bool inside = p.x >= box.min.x && p.x < box.max.x && p.y >= box.min.y &&
                                p.y < box.max.y &&
                                (dims == 2 || (p.z >= box.min.z && p.z < box.max.z));
            const oct_label wanted =
                inside ? true_label(tree, box, p, half, c.radius / cell) : OCT_UNKNOWN;
            if (oct_tree_label(view, p) != wanted) {
                fail_msg("seed %llu, map %d, cell (%d, %d, %d): label %d, not %d",
                         (unsigned long long)seed, round, p.x, p.y, p.z,
                         (int)oct_tree_label(view, p), (int)wanted);
            }
        }
        oct_tree_destroy(view);
        oct_tree_destroy(tree);
    }
}

static void no_clearance_gives_the_same_labels(void **state)
{
    (void)state;
    oct_tree *tree = make_tree(3, 1.0, NULL), *view = make_tree(3, 1.0, NULL);
    const oct_box box = {{0, 0, 0}, {70, 9, 9}};
    oct_tree_set_box(tree, box, OCT_MARK_OPEN);
    oct_tree_set_box(tree, (oct_box){{60, 2, 2}, {66, 4, 4}}, OCT_MARK_BLOCKED);
    const oct_clearance none = {0};
    assert_false(oct_clearance_is_some(&none));
    assert_int_equal(oct_clearance_view(tree, box, &none, view), OCT_OK);
    uint64_t before[3], after[3];
    assert_int_equal(oct_tree_count(tree, box, before), OCT_OK);
    assert_int_equal(oct_tree_count(view, box, after), OCT_OK);
    assert_memory_equal(before, after, sizeof before);
    oct_tree_destroy(view);
    oct_tree_destroy(tree);
}

static void a_body_that_reaches_too_far_is_refused(void **state)
{
    (void)state;
    oct_tree *tree = make_tree(3, 1.0, NULL), *view = make_tree(3, 1.0, NULL);
    const oct_box box = {{0, 0, 0}, {9, 9, 9}};
    oct_tree_set_box(tree, box, OCT_MARK_OPEN);
    assert_int_equal(oct_clearance_view(tree, box, &(oct_clearance){.radius = 64.5}, view),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_clearance_view(tree, box, &(oct_clearance){.radius = -1}, view),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_root(view).level, -1);
    assert_int_equal(oct_clearance_view(tree, box, &(oct_clearance){.radius = 60}, view), OCT_OK);
    oct_tree_destroy(view);
    oct_tree_destroy(tree);
}

static oct_result view_with(const oct_allocator *allocator, void *ctx)
{
    const oct_tree *const from = ctx;
    oct_tree *view = make_tree(3, 1.0, allocator);
    if (!view) {
        return OCT_ERROR_MEMORY;
    }
    const oct_box box = {{0, 0, 0}, {40, 40, 40}};
    const oct_result result = oct_clearance_view(from, box, &(oct_clearance){.radius = 2.0}, view);
    if (result != OCT_OK && oct_tree_root(view).level != -1) {
        fail_msg("the tree is not empty");
    }
    oct_tree_destroy(view);
    return result;
}

static void running_out_of_memory_leaves_an_empty_tree(void **state)
{
    (void)state;
    oct_tree *tree = make_tree(3, 1.0, NULL);
    oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {40, 40, 40}}, OCT_MARK_OPEN);
    oct_tree_set_box(tree, (oct_box){{9, 9, 9}, {21, 22, 23}}, OCT_MARK_BLOCKED);
    test_each_failure(view_with, tree);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearance_is_that_of_brute_force),
        cmocka_unit_test(no_clearance_gives_the_same_labels),
        cmocka_unit_test(a_body_that_reaches_too_far_is_refused),
        cmocka_unit_test(running_out_of_memory_leaves_an_empty_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
