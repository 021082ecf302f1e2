// SPDX-License-Identifier: MIT
// Many readers may ask one tree at the same time. Under the thread sanitizer this shows that no
// question writes.
#include "octant/tree.h"
#include "tree_model.h"

#include <pthread.h>

#define READERS 4

typedef struct reader {
    const oct_tree *tree;
    uint64_t seed;
    uint64_t sum;
} reader;

static bool add_leaf(void *ctx, const oct_leaf *leaf)
{
    *(uint64_t *)ctx += (uint64_t)leaf->level + leaf->label;
    return true;
}

static void *read_much(void *arg)
{
    reader *r = arg;
    oct_random random = oct_random_seed(r->seed);
    for (int i = 0; i < 2000; i++) {
        const oct_vec a = {(int32_t)oct_random_below(&random, 64),
                           (int32_t)oct_random_below(&random, 64),
                           (int32_t)oct_random_below(&random, 64)};
        const oct_vec b = {a.x + 9, a.y + 7, a.z + 5};
        const oct_fine from = {(int64_t)a.x * 256, (int64_t)a.y * 256 + 7, (int64_t)a.z * 256};
        const oct_fine to = {(int64_t)b.y * 256, (int64_t)b.z * 256 + 1, (int64_t)b.x * 256 + 9};
        oct_leaf around[64];
        const oct_leaf leaf = oct_tree_leaf(r->tree, a);
        uint64_t counts[3];
        r->sum += oct_tree_label(r->tree, b);
        r->sum += oct_tree_count(r->tree, (oct_box){a, b}, counts) == OCT_OK ? counts[2] : 0u;
        r->sum += oct_tree_labels_in(r->tree, (oct_box){a, b});
        oct_tree_walk(r->tree, from, to, OCT_WALK_TOUCHED, add_leaf, &r->sum);
        oct_tree_walk(r->tree, from, to, OCT_WALK_ENTERED, add_leaf, &r->sum);
        if (leaf.level != OCT_LEVEL_OUTSIDE) {
            r->sum +=
                oct_tree_neighbours(r->tree, leaf, OCT_DIRECTIONS_26, OCT_HAS_ANY, around, 64);
        }
    }
    return NULL;
}

static void readers_agree(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    oct_random random = oct_random_seed(5);
    for (int i = 0; i < 300; i++) {
        const oct_vec at = {(int32_t)oct_random_below(&random, 60),
                            (int32_t)oct_random_below(&random, 60),
                            (int32_t)oct_random_below(&random, 60)};
        const oct_box box = {at, {at.x + 5, at.y + 6, at.z + 4}};
        assert_int_equal(oct_tree_set_box(tree, box, i % 3 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED),
                         OCT_OK);
    }
    reader readers[READERS];
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){.tree = tree, .seed = (uint64_t)(i / 2)};
        assert_int_equal(pthread_create(&threads[i], NULL, read_much, &readers[i]), 0);
    }
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(readers[0].sum, readers[1].sum);
    assert_int_equal(readers[2].sum, readers[3].sum);
    assert_true(readers[0].sum > 0 && readers[0].sum != readers[2].sum);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
