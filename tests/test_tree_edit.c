// SPDX-License-Identifier: MIT
// Edits against a plain array, the root's growth, the journal, and memory.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "tree_model.h"
#include "valid.h"

#include <math.h>

static oct_tree *new_tree(int dims, const oct_allocator *allocator)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)dims;
    def.cell_size = 0.5; // a power of two, so that world coordinates are exact
    def.origin = (oct_point){16.0, -8.0, 4.0};
    def.allocator = allocator;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    return tree;
}

// Places where sign changes, brick edges and the ends of the lattice are near.
static const oct_vec bases[] = {
    {-12, -12, -12},
    {0, 0, 0},
    {-3, 1001, -70001},
    {OCT_RANGE - MODEL_EDGE, -OCT_RANGE, OCT_RANGE - MODEL_EDGE},
};

static void run_random_edits(int dims, uint64_t seed, oct_vec base, int edits)
{
    oct_random random = oct_random_seed(seed);
    tree_model model;
    model_init(&model, dims, base);
    oct_tree *tree = new_tree(dims, NULL);
    for (int i = 0; i < edits; i++) {
        model_random_edit(&model, tree, &random);
        model_check(&model, tree);
    }
    oct_tree_destroy(tree);
}

// The tree agrees with a plain array after every one of thousands of random edits.
static void random_edits_match_array(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(24); seed++) {
        run_random_edits(3, seed, bases[seed % 4], 60);
        run_random_edits(2, seed, bases[seed % 4], 200);
    }
}

// Every change is in the journal: its box holds all cells that changed, its masks are exact.
static void run_journal(int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    tree_model model, before;
    model_init(&model, dims, bases[seed % 4]);
    oct_tree *tree = new_tree(dims, NULL);
    for (int i = 0; i < 150; i++) {
        before = model;
        const uint64_t revision = oct_tree_revision(tree);
        model_random_edit(&model, tree, &random);
        oct_change change;
        size_t count;
        assert_int_equal(oct_tree_changes(tree, revision, &change, 1, &count), OCT_OK);
        assert_int_equal(count, memcmp(&before, &model, sizeof model) != 0);
        assert_int_equal(oct_tree_revision(tree), revision + count);
        oct_labels was = 0, became = 0;
        for (int z = 0; z < model_depth(&model); z++) {
            for (int y = 0; y < MODEL_EDGE; y++) {
                for (int x = 0; x < MODEL_EDGE; x++) {
                    const oct_vec c = {model.base.x + x, model.base.y + y, model.base.z + z};
                    if (model.states[z][y][x] == before.states[z][y][x]) {
                        continue;
                    }
                    was |= 1u << model_label(&before, c);
                    became |= 1u << model_label(&model, c);
                    assert_true(c.x >= change.box.min.x && c.x < change.box.max.x);
                    assert_true(c.y >= change.box.min.y && c.y < change.box.max.y);
                    assert_true(c.z >= change.box.min.z && c.z < change.box.max.z);
                }
            }
        }
        if (count) {
            assert_int_equal(change.before, was);
            assert_int_equal(change.after, became);
        }
    }
    oct_tree_destroy(tree);
}

static void journal_tells_every_change(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 100 + test_rounds(16); seed++) {
        run_journal(3, seed);
        run_journal(2, seed);
    }
}

// A reader that is too late is told so; one that is not gets every change once, oldest first.
static void journal_forgets_the_oldest(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    def.journal = 4;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    for (int32_t i = 0; i < 6; i++) {
        assert_int_equal(oct_tree_set(tree, (oct_cell){i, 0, 0, 0}, OCT_MARK_OPEN), OCT_OK);
    }
    oct_change changes[8];
    size_t count;
    assert_int_equal(oct_tree_changes(tree, 1, changes, 8, &count), OCT_ERROR_LOST);
    assert_int_equal(oct_tree_changes(tree, 7, changes, 8, &count), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_changes(tree, 2, changes, 8, &count), OCT_OK);
    assert_int_equal(count, 4);
    for (int32_t i = 0; i < 4; i++) {
        assert_int_equal(changes[i].box.min.x, 2 + i);
        assert_int_equal(changes[i].box.max.x, 3 + i);
    }
    assert_int_equal(oct_tree_changes(tree, 4, changes, 1, &count), OCT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(changes[0].box.min.x, 4);
    oct_tree_destroy(tree);
}

// From one cell the root doubles towards each of the eight corners, and shrinks back when what was
// seen there is forgotten.
static void root_doubles_and_shrinks_in_every_direction(void **state)
{
    (void)state;
    for (int at_corner = 0; at_corner < 8; at_corner++) {
        oct_tree *tree = new_tree(3, NULL);
        const oct_cell start = {100, 200, 300, 0};
        assert_int_equal(oct_tree_set(tree, start, OCT_MARK_BLOCKED), OCT_OK);
        const oct_cell small = oct_tree_root(tree);
        assert_int_equal(small.level, 2);
        for (int distance = 1; distance <= 100000; distance *= 10) {
            const oct_cell far = {start.x + (at_corner & 1 ? distance : -distance) * 8,
                                  start.y + (at_corner & 2 ? distance : -distance) * 8,
                                  start.z + (at_corner & 4 ? distance : -distance) * 8, 0};
            assert_int_equal(oct_tree_set(tree, far, OCT_MARK_OPEN), OCT_OK);
            assert_true(oct_tree_is_valid(tree));
            assert_int_equal(oct_tree_label(tree, (oct_vec){far.x, far.y, far.z}), OCT_OPEN);
            assert_int_equal(oct_tree_label(tree, (oct_vec){start.x, start.y, start.z}),
                             OCT_BLOCKED);
            assert_true(oct_tree_root(tree).level > small.level);
            const oct_box box = {{far.x, far.y, far.z}, {far.x + 1, far.y + 1, far.z + 1}};
            assert_int_equal(oct_tree_forget(tree, box), OCT_OK);
            assert_true(oct_tree_is_valid(tree));
            const oct_cell back = oct_tree_root(tree);
            assert_memory_equal(&back, &small, sizeof small);
        }
        oct_tree_destroy(tree);
    }
}

// The two farthest corners of the lattice fit into one tree, from either side and from the middle.
static void root_spans_the_whole_lattice(void **state)
{
    (void)state;
    const int32_t lo = -OCT_RANGE, hi = OCT_RANGE - 1;
    const oct_cell corners[] = {{lo, lo, lo, 0}, {hi, hi, hi, 0}, {lo, hi, lo, 0}, {-1, 0, -1, 0}};
    for (int first = 0; first < 4; first++) {
        for (int dims = 2; dims <= 3; dims++) {
            oct_tree *tree = new_tree(dims, NULL);
            for (int i = 0; i < 4; i++) {
                const oct_cell cell = corners[(first + i) % 4];
                assert_int_equal(oct_tree_set(tree, cell, OCT_MARK_BLOCKED), OCT_OK);
                assert_true(oct_tree_is_valid(tree));
            }
            uint64_t blocked = 0;
            for (int i = 0; i < 4; i++) {
                const oct_vec at = {corners[i].x, corners[i].y, corners[i].z};
                assert_int_equal(oct_tree_label(tree, at), OCT_BLOCKED);
                const oct_box one = {at, {at.x + 1, at.y + 1, at.z + 1}};
                uint64_t counts[3];
                assert_int_equal(oct_tree_count(tree, one, counts), OCT_OK);
                blocked += counts[OCT_BLOCKED];
                const oct_leaf leaf = oct_tree_leaf(tree, at);
                assert_int_equal(leaf.level, 0);
                assert_int_equal(leaf.x, at.x);
                assert_int_equal(leaf.y, at.y);
            }
            assert_int_equal(blocked, 4);
            assert_int_equal(oct_tree_label(tree, (oct_vec){7, 7, 7}), OCT_UNKNOWN);
            const oct_box extent = oct_tree_extent(tree, OCT_HAS_BLOCKED);
            assert_int_equal(extent.min.x, lo);
            assert_int_equal(extent.max.x, OCT_RANGE);
            oct_tree_destroy(tree);
        }
    }
}

// Cells at the ends and in the middle of the lattice, in any order, in any mixture of axes.
static void root_never_outgrows_the_lattice(void **state)
{
    (void)state;
    const int32_t places[] = {-OCT_RANGE, -OCT_RANGE / 2, -1, 0, OCT_RANGE / 2, OCT_RANGE - 1};
    for (uint64_t seed = 0; seed < test_rounds(300); seed++) {
        oct_random random = oct_random_seed(seed);
        oct_tree *tree = new_tree(seed % 2 ? 3 : 2, NULL);
        for (int i = 0; i < 8; i++) {
            const oct_cell cell = {places[oct_random_below(&random, 6)],
                                   places[oct_random_below(&random, 6)],
                                   places[oct_random_below(&random, 6)], 0};
            assert_int_equal(oct_tree_set(tree, cell, OCT_MARK_OPEN), OCT_OK);
            assert_true(oct_tree_is_valid(tree));
            assert_int_equal(oct_tree_label(tree, (oct_vec){cell.x, cell.y, cell.z}), OCT_OPEN);
        }
        oct_tree_destroy(tree);
    }
}

static void edits_out_of_range_are_refused(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3, NULL);
    const oct_box far = {{0, 0, 0}, {INT32_MAX, 1, 1}};
    assert_int_equal(oct_tree_set_box(tree, far, OCT_MARK_OPEN), OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_set(tree, (oct_cell){OCT_RANGE - 1, 0, 0, 1}, OCT_MARK_OPEN),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_set(tree, (oct_cell){INT32_MIN, 0, 0, 0}, OCT_MARK_OPEN),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, 0, 0, 40}, OCT_MARK_OPEN), OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, 0, 0, -1}, OCT_MARK_OPEN),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_set_box(tree, far, OCT_MARK_COUNT), OCT_ERROR_ARGUMENT);
    const oct_point centre = {0.0, 0.0, 0.0}, nowhere = {(double)NAN, 0.0, 0.0};
    assert_int_equal(oct_tree_set_ball(tree, centre, 2e9, OCT_COVER_TOUCH, OCT_MARK_OPEN),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_set_ball(tree, nowhere, 1.0, OCT_COVER_TOUCH, OCT_MARK_OPEN),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_set_ball(tree, centre, -1.0, OCT_COVER_TOUCH, OCT_MARK_OPEN),
                     OCT_ERROR_ARGUMENT);
    const oct_bounds endless = {{0.0, 0.0, 0.0}, {(double)INFINITY, 1.0, 1.0}};
    assert_int_equal(oct_tree_set_world_box(tree, endless, OCT_COVER_TOUCH, OCT_MARK_OPEN),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_keep(tree, nowhere, 1.0), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_revision(tree), 0);
    assert_int_equal(oct_tree_root(tree).level, -1);
    oct_tree_destroy(tree);
}

// The same ten thousand edits again and again, everything forgotten in between: after the first
// round no memory is taken any more.
static void freed_memory_is_used_again(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        oct_tree *tree = new_tree(dims, &memory.allocator);
        size_t bytes = 0;
        for (uint64_t round = 0; round < test_rounds(50); round++) {
            oct_random random = oct_random_seed(7);
            for (int i = 0; i < 10000; i++) {
                const oct_vec at = {(int32_t)oct_random_below(&random, 120),
                                    (int32_t)oct_random_below(&random, 120),
                                    (int32_t)oct_random_below(&random, 120)};
                const int32_t edge = 1 + (int32_t)oct_random_below(&random, 8);
                const oct_box box = {at, {at.x + edge, at.y + edge, at.z + edge}};
                const oct_mark mark = (oct_mark)oct_random_below(&random, OCT_MARK_COUNT);
                assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
            }
            assert_true(round % 10 != 0 || oct_tree_is_valid(tree));
            const oct_box all = {{-1000, -1000, -1000}, {1000, 1000, 1000}};
            assert_int_equal(oct_tree_forget(tree, all), OCT_OK);
            assert_int_equal(oct_tree_root(tree).level, -1);
            bytes = round == 0 ? oct_tree_bytes(tree) : bytes;
            assert_int_equal(oct_tree_bytes(tree), bytes);
        }
        oct_tree_destroy(tree);
        test_allocator_check_empty(&memory);
    }
}

// An edit that cannot get memory leaves the tree as it was.
static void failed_edits_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6 + test_rounds(34); seed++) {
        const int dims = seed % 2 ? 3 : 2;
        oct_random random = oct_random_seed(900 + seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        oct_tree *tree = new_tree(dims, &memory.allocator);
        tree_model model;
        model_init(&model, dims, bases[seed % 3]);
        for (int i = 0; i < 30; i++) {
            const oct_box box = model_random_box(&model, &random);
            const oct_mark mark = (oct_mark)oct_random_below(&random, OCT_MARK_COUNT);
            const oct_point centre = {(box.min.x + box.max.x) / 2.0, (box.min.y + box.max.y) / 2.0,
                                      (box.min.z + box.max.z) / 2.0};
            const double radius = (box.max.x - box.min.x) / 2.0;
            const uint64_t revision = oct_tree_revision(tree);
            const bool ball = box.max.y - box.min.y >= box.max.x - box.min.x &&
                              (dims == 2 || box.max.z - box.min.z >= box.max.x - box.min.x);
            for (size_t failing = 0;; failing++) {
                memory.fail_at = memory.allocations + failing;
                memory.refused = false;
                const oct_result result =
                    ball ? oct_tree_set_ball(tree, centre, radius, OCT_COVER_INSIDE, mark)
                         : oct_tree_set_box(tree, box, mark);
                memory.fail_at = TEST_NEVER;
                if (result == OCT_OK) {
                    assert_false(memory.refused);
                    break;
                }
                assert_int_equal(result, OCT_ERROR_MEMORY);
                assert_int_equal(oct_tree_revision(tree), revision);
                model_check(&model, tree);
            }
            if (ball) {
                model_set_ball(&model, centre, radius, OCT_COVER_INSIDE, mark);
            } else {
                model_set_box(&model, box, mark);
            }
            model_check(&model, tree);
            if (i % 10 == 9) { // without slack the next edit has to ask for memory
                assert_int_equal(oct_tree_shrink(tree), OCT_OK);
                model_check(&model, tree);
            }
        }
        oct_tree_destroy(tree);
        test_allocator_check_empty(&memory);
    }
}

static oct_result create_and_shrink(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_tree_def def = oct_tree_def_default();
    def.allocator = allocator;
    oct_tree *tree;
    OCT_TRY(oct_tree_create(&def, &tree));
    const oct_box box = {{1, 2, 3}, {20, 21, 22}};
    oct_result result = oct_tree_set_box(tree, box, OCT_MARK_BLOCKED);
    if (result == OCT_OK) {
        result = oct_tree_shrink(tree);
    }
    oct_tree_destroy(tree);
    return result;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_each_failure(create_and_shrink, NULL) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_match_array),
        cmocka_unit_test(journal_tells_every_change),
        cmocka_unit_test(journal_forgets_the_oldest),
        cmocka_unit_test(root_doubles_and_shrinks_in_every_direction),
        cmocka_unit_test(root_spans_the_whole_lattice),
        cmocka_unit_test(root_never_outgrows_the_lattice),
        cmocka_unit_test(edits_out_of_range_are_refused),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(failed_edits_change_nothing),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
