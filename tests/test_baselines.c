// SPDX-License-Identifier: MIT
// The structures that the octree is measured against: a comparison with a wrong one means nothing.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "support.h"

#include "bench/baseline_full.h"
#include "bench/baselines.h"
#include "octant/generate.h"

#define SIZE 16
#define SEED 5

typedef struct cells {
    bool blocked[SIZE][SIZE][SIZE]; // [z][y][x]
} cells;

static oct_box random_box(oct_random *random, int32_t longest)
{
    int32_t min[3], edge[3];
    for (int axis = 0; axis < 3; axis++) {
        edge[axis] = oct_random_range(random, 1, longest);
        min[axis] = oct_random_range(random, 0, SIZE - edge[axis]);
    }
    return (oct_box){{min[0], min[1], min[2]},
                     {min[0] + edge[0], min[1] + edge[1], min[2] + edge[2]}};
}

static void set_cells(cells *truth, oct_box box, bool blocked)
{
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                truth->blocked[z][y][x] = blocked;
            }
        }
    }
}

// Every cell agrees, and the codes are those that building from the cells gives.
static void check_codes(const code_set *codes, const cells *truth)
{
    static oct_box boxes[SIZE * SIZE * SIZE];
    size_t count = 0;
    for (int32_t z = 0; z < SIZE; z++) {
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                const bool blocked = truth->blocked[z][y][x];
                assert_int_equal(oct_codes_hold(codes, (oct_vec){x, y, z}), blocked);
                if (blocked) {
                    boxes[count++] = (oct_box){{x, y, z}, {x + 1, y + 1, z + 1}};
                }
            }
        }
    }
    assert_int_equal(oct_codes_volume(codes), count);
    code_set built = {.codes = {.count = 0}};
    assert_int_equal(oct_codes_build(&built, boxes, count), OCT_OK);
    assert_int_equal(oct_codes_bytes(codes), oct_codes_bytes(&built));
    if (count > 0) {
        assert_memory_equal(codes->codes.items, built.codes.items, oct_codes_bytes(codes));
    }
    oct_codes_free(&built);
}

static void codes_match_an_array_under_random_edits(void **state)
{
    (void)state;
    print_message("seed %d\n", SEED);
    oct_random random = oct_random_seed(SEED);
    static cells truth;
    code_set codes = {.codes = {.count = 0}};
    for (int i = 0; i < 1500; i++) {
        const oct_box box = random_box(&random, i % 7 == 0 ? SIZE : 9);
        const bool blocked = oct_random_below(&random, 2) == 0;
        assert_int_equal(oct_codes_set_box(&codes, box, blocked), OCT_OK);
        set_cells(&truth, box, blocked);
        check_codes(&codes, &truth);
    }
    oct_codes_free(&codes);
}

static void links_lead_to_the_neighbours(void **state)
{
    (void)state;
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_CLUSTERS;
    def.size = 24;
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_generate(&def, &tree_def, &tree, NULL), OCT_OK);
    link_set links = {.open_count = 0};
    assert_int_equal(oct_links_build(&links, tree), OCT_OK);
    assert_true(links.open_count > 100);
    const size_t most = oct_links_most(&links);
    oct_leaf *linked = test_calloc(most, sizeof *linked);
    oct_leaf *found = test_calloc(most, sizeof *found);
    const oct_leaf *const leaves = links.leaves.items;
    for (uint32_t i = 0; i < links.open_count; i++) {
        assert_int_equal(leaves[i].label, OCT_OPEN);
        const size_t count = oct_links_neighbours(&links, i, linked);
        assert_int_equal(oct_tree_neighbours_by_descent(tree, leaves[i], OCT_DIRECTIONS_26,
                                                        OCT_HAS_OPEN | OCT_HAS_BLOCKED, found,
                                                        most),
                         count);
        for (size_t j = 0; j < count; j++) {
            size_t at = 0;
            while (at < count && memcmp(&linked[j], &found[at], sizeof found[at]) != 0) {
                at++;
            }
            assert_true(at < count);
        }
    }
    test_free(found);
    test_free(linked);
    oct_links_free(&links);
    oct_tree_destroy(tree);
}

// Abdo's octree keeps every obstacle in exactly one node, whatever moves, comes and goes, and
// its bits tell where there is one.
static void the_full_octree_keeps_every_obstacle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        oct_random random = oct_random_seed(seed);
        full_tree tree = {0};
        const int depth = (int)oct_random_below(&random, 5);
        assert_int_equal(oct_full_init(&tree, (oct_point){-50, -50, -50}, 100.0, depth, 100),
                         OCT_OK);
        uint32_t nodes = 0;
        for (int i = 0; i <= depth; i++) {
            nodes = nodes * 8u + 1u;
        }
        assert_int_equal(tree.node_count, nodes);
        uint32_t held[100], count = 0;
        for (int step = 0; step < 300; step++) {
            const oct_point at = {oct_random_unit(&random) * 100.0 - 50.0,
                                  oct_random_unit(&random) * 100.0 - 50.0,
                                  oct_random_unit(&random) * 100.0 - 50.0};
            const uint64_t what = oct_random_below(&random, 3);
            if (what == 0 && tree.obstacle_count < 100) {
                held[count++] = oct_full_add(&tree, at, oct_random_unit(&random) * 60.0);
            } else if (what == 1 && count > 0) {
                oct_full_move(&tree, held[oct_random_below(&random, count)], at);
            } else if (count > 0) {
                const uint64_t which = oct_random_below(&random, count);
                oct_full_remove(&tree, held[which]);
                held[which] = held[--count];
            }
            assert_int_equal(oct_full_count(&tree, 1), count);
        }
        oct_full_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_match_an_array_under_random_edits),
        cmocka_unit_test(links_lead_to_the_neighbours),
        cmocka_unit_test(the_full_octree_keeps_every_obstacle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
