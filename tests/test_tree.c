// SPDX-License-Identifier: MIT
// The same calls give the same bits on every compiler and at every optimisation: long runs of edits
// and questions, reduced to a hash, against tests/golden/tree.txt.
#include "octant/tree.h"
#include "tree_model.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct hash {
    uint64_t value;
} hash;

static void mix(hash *h, const void *numbers, size_t count, size_t width)
{
    h->value = test_hash_add(h->value, numbers, count, width);
}

static bool mix_leaf(void *ctx, const oct_leaf *leaf)
{
    const uint8_t small[2] = {leaf->level, leaf->label};
    mix(ctx, &leaf->x, 3, sizeof leaf->x);
    mix(ctx, small, 2, sizeof *small);
    mix(ctx, &leaf->unused, 1, sizeof leaf->unused);
    return true;
}

static uint64_t run(int dims)
{
    hash h = {TEST_HASH_START};
    oct_random random = oct_random_seed(20261115);
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)dims;
    def.cell_size = 0.35;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    for (int i = 0; i < 2000; i++) {
        const oct_point centre = {200.0 * oct_random_unit(&random) - 100.0,
                                  200.0 * oct_random_unit(&random) - 100.0,
                                  200.0 * oct_random_unit(&random) - 100.0};
        const double size = 12.0 * oct_random_unit(&random);
        const oct_mark mark = (oct_mark)oct_random_below(&random, OCT_MARK_COUNT);
        const oct_cover cover = (oct_cover)oct_random_below(&random, 2);
        const oct_bounds box = {{centre.x, centre.y, centre.z},
                                {centre.x + size, centre.y + size, centre.z + size}};
        const uint64_t revision = oct_tree_revision(tree);
        assert_int_equal(i % 2 ? oct_tree_set_world_ball(tree, centre, size, cover, mark)
                               : oct_tree_set_world_box(tree, box, cover, mark),
                         OCT_OK);
        oct_fine from, to;
        oct_leaf hit = {0}, around[512];
        assert_true(oct_tree_fine_at(tree, centre, &from));
        assert_true(oct_tree_fine_at(tree, (oct_point){-centre.y, centre.z, centre.x}, &to));
        oct_tree_raycast(tree, from, to, OCT_HAS_BLOCKED, &hit);
        mix_leaf(&h, &hit);
        oct_tree_walk(tree, from, to, OCT_WALK_TOUCHED, mix_leaf, &h);
        oct_vec cell;
        assert_true(oct_tree_cell_at(tree, centre, &cell));
        const oct_leaf leaf = oct_tree_leaf(tree, cell);
        if (leaf.level < 4) {
            const size_t count =
                oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_18, OCT_HAS_ANY, around, 512);
            for (size_t k = 0; k < count && k < 512; k++) {
                mix_leaf(&h, &around[k]);
            }
        }
        oct_change change;
        size_t changes;
        assert_int_equal(oct_tree_changes(tree, revision, &change, 1, &changes), OCT_OK);
        mix(&h, &change, changes * sizeof change / 4, 4);
    }
    const oct_box everything = {{-1000, -1000, -1000}, {1000, 1000, 1000}};
    oct_tree_leaves(tree, everything, OCT_HAS_ANY, mix_leaf, &h);
    oct_tree_destroy(tree);
    return h.value;
}

static uint64_t golden(const char *name)
{
    FILE *file = fopen(OCT_SOURCE_DIR "/tests/golden/tree.txt", "r");
    assert_non_null(file);
    char line[64];
    uint64_t value, found = 0;
    while (fscanf(file, "%63s %" SCNx64, line, &value) == 2) {
        found = strcmp(line, name) == 0 ? value : found;
    }
    fclose(file);
    return found;
}

static void check_golden(const char *name, int dims)
{
    const uint64_t value = run(dims);
    if (value != golden(name)) {
        fail_msg("%s: hash is %016" PRIx64 ", golden is %016" PRIx64, name, value, golden(name));
    }
}

static void octree_gives_the_golden_bits(void **state)
{
    (void)state;
    check_golden("octree", 3);
}

static void quadtree_gives_the_golden_bits(void **state)
{
    (void)state;
    check_golden("quadtree", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(octree_gives_the_golden_bits),
        cmocka_unit_test(quadtree_gives_the_golden_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
