// SPDX-License-Identifier: MIT
// Questions about cells, nodes, boxes and leaves against a plain array.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "tree_model.h"
#include "valid.h"

// What the array says of a box, cell by cell.
static void count_by_hand(const tree_model *model, oct_box box, uint64_t counts[3])
{
    counts[0] = counts[1] = counts[2] = 0;
    const int32_t z_min = model->dims == 3 ? box.min.z : 0,
                  z_max = model->dims == 3 ? box.max.z : 1;
    for (int32_t z = z_min; z < z_max; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                counts[model_label(model, (oct_vec){x, y, z})]++;
            }
        }
    }
}

static oct_labels labels_of(const uint64_t counts[3])
{
    return (counts[0] ? 1u : 0u) | (counts[1] ? 2u : 0u) | (counts[2] ? 4u : 0u);
}

// A box that may stick out of the region, and of the root.
static oct_box any_box(const tree_model *model, oct_random *random)
{
    const oct_vec a = model_random_cell(model, random), b = model_random_cell(model, random);
    return (oct_box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                     {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z}};
}

static void check_boxes(const tree_model *model, const oct_tree *tree, oct_random *random)
{
    for (int i = 0; i < 12; i++) {
        const oct_box box = any_box(model, random);
        uint64_t expected[3], counts[3];
        count_by_hand(model, box, expected);
        assert_int_equal(oct_tree_count(tree, box, counts), OCT_OK);
        assert_memory_equal(counts, expected, sizeof counts);
        assert_int_equal(oct_tree_labels_in(tree, box), labels_of(expected));
    }
}

// Every node's cube, at every level that fits the region, in the tree's own alignment.
static void check_labels_below(const tree_model *model, const oct_tree *tree)
{
    const oct_cell root = oct_tree_root(tree);
    for (int level = 0; level <= 5; level++) {
        const int32_t edge = 1 << level;
        const int32_t z_step = model->dims == 3 ? edge : 1000;
        for (int32_t z = 0; z < 64; z += z_step) {
            for (int32_t y = 0; y < 64; y += edge) {
                for (int32_t x = 0; x < 64; x += edge) {
                    // Also cubes around the root: from one root edge below it.
                    const oct_cell cube = {root.x - 32 + x, root.y - 32 + y,
                                           model->dims == 3 ? root.z - 32 + z : 0, level};
                    const oct_box box = {{cube.x, cube.y, cube.z},
                                         {cube.x + edge, cube.y + edge, cube.z + edge}};
                    uint64_t expected[3];
                    count_by_hand(model, box, expected);
                    assert_int_equal(oct_tree_labels_below(tree, cube), labels_of(expected));
                }
            }
        }
    }
}

typedef struct leaf_check {
    const tree_model *model;
    const oct_tree *tree;
    oct_box box;
    oct_labels labels;
    uint64_t covered[3]; // cells of the box in leaves seen, by label
} leaf_check;

static int32_t overlap(int32_t a_min, int32_t a_max, int32_t b_min, int32_t b_max)
{
    const int32_t lo = a_min > b_min ? a_min : b_min, hi = a_max < b_max ? a_max : b_max;
    return hi > lo ? hi - lo : 0;
}

static bool check_leaf(void *ctx, const oct_leaf *leaf)
{
    leaf_check *check = ctx;
    const int32_t edge = 1 << leaf->level;
    const int dims = check->model->dims;
    assert_true(check->labels >> leaf->label & 1u);
    const oct_box cube = {{leaf->x, leaf->y, leaf->z},
                          {leaf->x + edge, leaf->y + edge, dims == 3 ? leaf->z + edge : 1}};
    uint64_t counts[3];
    count_by_hand(check->model, cube, counts);
    assert_int_equal(labels_of(counts), 1u << leaf->label);
    const oct_leaf same =
        oct_tree_leaf(check->tree, (oct_vec){leaf->x + edge - 1, leaf->y, leaf->z});
    assert_memory_equal(&same, leaf, sizeof same);
    const int32_t x = overlap(cube.min.x, cube.max.x, check->box.min.x, check->box.max.x);
    const int32_t y = overlap(cube.min.y, cube.max.y, check->box.min.y, check->box.max.y);
    const int32_t z =
        dims == 3 ? overlap(cube.min.z, cube.max.z, check->box.min.z, check->box.max.z) : 1;
    assert_true(x > 0 && y > 0 && z > 0);
    check->covered[leaf->label] += (uint64_t)x * (uint64_t)y * (uint64_t)z;
    return true;
}

// The leaves in a box have one label throughout and cover each of its cells with that label once.
static void check_leaves(const tree_model *model, const oct_tree *tree, oct_random *random)
{
    for (int i = 0; i < 4; i++) {
        leaf_check check = {.model = model, .tree = tree, .box = model_random_box(model, random)};
        check.labels = 1u + (oct_labels)oct_random_below(random, 7);
        assert_true(oct_tree_leaves(tree, check.box, check.labels, check_leaf, &check));
        uint64_t expected[3];
        count_by_hand(model, check.box, expected);
        for (uint32_t label = 0; label < 3; label++) {
            const uint64_t wanted = check.labels >> label & 1u ? expected[label] : 0u;
            // UNKNOWN may also lie outside the root, where there are no leaves.
            assert_true(label == OCT_UNKNOWN ? check.covered[label] <= wanted
                                             : check.covered[label] == wanted);
        }
    }
}

static void check_extent(const tree_model *model, const oct_tree *tree, oct_labels labels)
{
    const oct_box extent = oct_tree_extent(tree, labels);
    oct_box expected = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
    for (int z = 0; z < model_depth(model); z++) {
        for (int y = 0; y < MODEL_EDGE; y++) {
            for (int x = 0; x < MODEL_EDGE; x++) {
                const oct_vec c = {model->base.x + x, model->base.y + y, model->base.z + z};
                const oct_label label = model_label(model, c);
                if (label == OCT_UNKNOWN || !(labels >> label & 1u)) {
                    continue;
                }
                expected.min.x = c.x < expected.min.x ? c.x : expected.min.x;
                expected.min.y = c.y < expected.min.y ? c.y : expected.min.y;
                expected.min.z = c.z < expected.min.z ? c.z : expected.min.z;
                expected.max.x = c.x + 1 > expected.max.x ? c.x + 1 : expected.max.x;
                expected.max.y = c.y + 1 > expected.max.y ? c.y + 1 : expected.max.y;
                expected.max.z = c.z + 1 > expected.max.z ? c.z + 1 : expected.max.z;
            }
        }
    }
    if (expected.min.x == INT32_MAX) {
        expected = (oct_box){{0, 0, 0}, {0, 0, 0}};
    }
    assert_memory_equal(&extent, &expected, sizeof extent);
}

// Measured levels add up to the cells of the root, and leaves are found one by one.
static bool count_level(void *ctx, const oct_leaf *leaf)
{
    ((uint64_t *)ctx)[leaf->level]++;
    return true;
}

static void check_measure(const oct_tree *tree)
{
    const oct_tree_stats stats = oct_tree_measure(tree);
    const oct_cell root = oct_tree_root(tree);
    uint64_t leaves[OCT_LEVEL_MAX + 1] = {0};
    const oct_box everything = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    assert_true(oct_tree_leaves(tree, everything, OCT_HAS_ANY, count_level, leaves));
    assert_memory_equal(leaves, stats.leaves, sizeof leaves);
    uint64_t above = 0;
    for (int level = root.level; level >= 0; level--) {
        const uint64_t nodes = level == root.level ? 1 : above << oct_tree_dims(tree);
        assert_int_equal(stats.nodes[level], nodes);
        above = stats.nodes[level] - stats.leaves[level];
    }
    assert_int_equal(above, 0);
    assert_int_equal(stats.bytes, oct_tree_bytes(tree));
}

static void questions_match_array(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(20); seed++) {
        for (int dims = 2; dims <= 3; dims++) {
            oct_random random = oct_random_seed(seed);
            tree_model model;
            model_init(&model, dims, (oct_vec){-11, 5, 1000});
            test_allocator memory;
            test_allocator_init(&memory, TEST_NEVER);
            oct_tree *tree = model_new_tree(dims, &memory.allocator);
            for (int i = 0; i < 24; i++) {
                model_random_edit(&model, tree, &random);
                const size_t allocations = memory.allocations;
                check_boxes(&model, tree, &random);
                check_leaves(&model, tree, &random);
                check_extent(&model, tree, 1u + (oct_labels)oct_random_below(&random, 7));
                check_extent(&model, tree, OCT_HAS_BLOCKED);
                check_measure(tree);
                if (i % 6 == 0 && oct_tree_root(tree).level > 0) {
                    check_labels_below(&model, tree);
                }
                assert_int_equal(memory.allocations, allocations); // no question allocates
            }
            oct_tree_destroy(tree);
        }
    }
}

// The extent never speaks of UNKNOWN, and an empty tree has none.
static void empty_tree_answers(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        oct_tree *tree = model_new_tree(dims, NULL);
        const oct_box box = {{-5, -5, -5}, {5, 5, 5}};
        uint64_t counts[3];
        assert_int_equal(oct_tree_label(tree, (oct_vec){0, 0, 0}), OCT_UNKNOWN);
        assert_int_equal(oct_tree_labels_in(tree, box), OCT_HAS_UNKNOWN);
        assert_int_equal(oct_tree_count(tree, box, counts), OCT_OK);
        assert_int_equal(counts[OCT_UNKNOWN], dims == 3 ? 1000 : 100);
        assert_int_equal(oct_tree_labels_in(tree, (oct_box){{0, 0, 0}, {0, 5, 5}}), 0);
        const oct_box extent = oct_tree_extent(tree, OCT_HAS_ANY);
        assert_int_equal(extent.max.x, 0);
        assert_int_equal(oct_tree_bytes(tree), 0);
        assert_true(oct_tree_is_valid(tree));
        const oct_tree_stats stats = oct_tree_measure(tree);
        assert_int_equal(stats.siblings + stats.bricks, 0);
        oct_tree_destroy(tree);
    }
}

static void counting_too_many_cells_is_refused(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    uint64_t counts[3];
    const int32_t far = 1 << 21;
    assert_int_equal(oct_tree_count(tree, (oct_box){{0, 0, 0}, {far, far, far}}, counts), OCT_OK);
    assert_int_equal(counts[OCT_UNKNOWN], UINT64_C(1) << 63);
    assert_int_equal(oct_tree_count(tree, (oct_box){{0, 0, 0}, {far, far, far + 1}}, counts),
                     OCT_ERROR_RANGE);
    oct_tree_destroy(tree);
}

// World coordinates find their cell, also where they are negative or far away.
static void world_points_find_their_cell(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = 0.25;
    def.origin = (oct_point){10.0, 0.0, -10.0};
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    oct_vec cell;
    assert_true(oct_tree_cell_at(tree, (oct_point){10.1, -0.1, -10.0}, &cell));
    assert_int_equal(cell.x, 0);
    assert_int_equal(cell.y, -1);
    assert_int_equal(cell.z, 0);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, -1, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    assert_int_equal(oct_tree_label_at(tree, (oct_point){10.1, -0.1, -10.0}), OCT_BLOCKED);
    assert_int_equal(oct_tree_label_at(tree, (oct_point){1e300, 0.0, 0.0}), OCT_UNKNOWN);
    assert_false(oct_tree_cell_at(tree, (oct_point){1e300, 0.0, 0.0}, &cell));
    oct_fine fine;
    assert_true(oct_tree_fine_at(tree, (oct_point){10.5, -0.125, -10.0}, &fine));
    assert_int_equal(fine.x, 512);
    assert_int_equal(fine.y, -128);
    const oct_point back = oct_tree_point(tree, fine);
    assert_true(back.x == 10.5 && back.y == -0.125 && back.z == -10.0);
    oct_tree_destroy(tree);
}

static void wrong_definitions_are_refused(void **state)
{
    (void)state;
    oct_tree *tree;
    oct_tree_def def = oct_tree_def_default();
    def.cookie = 0;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_ERROR_ARGUMENT);
    assert_null(tree);
    def = oct_tree_def_default();
    def.cell_size = 0.0;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_ERROR_ARGUMENT);
    def = oct_tree_def_default();
    def.dims = 4;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_ERROR_ARGUMENT);
    def = oct_tree_def_default();
    def.journal = UINT32_MAX;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_ERROR_ARGUMENT);
    oct_tree_destroy(NULL);
}

// Clearing forgets everything and tells the journal.
static void clearing_is_one_change(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){3, 4, 5, 2}, OCT_MARK_OPEN), OCT_OK);
    oct_tree_clear(tree);
    oct_tree_clear(tree);
    assert_true(oct_tree_is_valid(tree));
    assert_int_equal(oct_tree_revision(tree), 2);
    oct_change change;
    size_t count;
    assert_int_equal(oct_tree_changes(tree, 1, &change, 1, &count), OCT_OK);
    assert_int_equal(change.before, OCT_HAS_OPEN);
    assert_int_equal(change.after, OCT_HAS_UNKNOWN);
    assert_int_equal(change.box.min.x, 3);
    assert_int_equal(change.box.max.z, 9);
    assert_int_equal(oct_tree_label(tree, (oct_vec){3, 4, 5}), OCT_UNKNOWN);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_match_array),
        cmocka_unit_test(empty_tree_answers),
        cmocka_unit_test(counting_too_many_cells_is_refused),
        cmocka_unit_test(world_points_find_their_cell),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(clearing_is_one_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
