// SPDX-License-Identifier: MIT
// Boxes of any size: what they need is known before anything is touched, and what cannot be held is
// refused at once.
#include "octant/map.h"
#include "octree/edit_shapes.h"
#include "tree_model.h"

// A tree that is one OPEN leaf of 2^level cells a side.
static oct_tree *one_leaf(int dims, int level, const oct_allocator *allocator)
{
    oct_tree *const tree = model_new_tree(dims, allocator);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, 0, 0, level}, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_root(tree).level, level);
    return tree;
}

static need count_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    const cell_set cells = {.kind = CELL_SET_BOX, .box = box};
    cell_shape shape;
    need n = {0, 0, 0};
    assert_int_equal(oct_shape_init(tree, &cells, &shape), OCT_OK);
    if (!shape.empty) {
        const edit e = {.tree = tree, .mark = rules[mark], .shape = &shape.as};
        oct_edit_count(&e, shape.ops, tree->root, tree->root_level, (rel){0, 0, 0}, &n);
    }
    oct_shape_free(tree, &shape);
    return n;
}

static void random_axis(oct_random *random, int32_t edge, int32_t *min, int32_t *max)
{
    // Long, short and aligned ones.
    const int32_t step = INT32_C(1) << oct_random_below(random, 5);
    const int32_t a = oct_random_range(random, 0, edge / step) * step;
    const int32_t longest = oct_random_below(random, 2) ? edge : 6;
    const int32_t b = a + oct_random_range(random, -longest, longest) / step * step;
    const int32_t other = b < 0 ? 0 : b > edge ? edge : b;
    *min = a < other ? a : other;
    *max = a < other ? other : a;
}

static oct_box random_box(oct_random *random, int dims, int32_t edge)
{
    oct_box box = {{0, 0, 0}, {0, 0, 1}};
    random_axis(random, edge, &box.min.x, &box.max.x);
    random_axis(random, edge, &box.min.y, &box.max.y);
    if (dims == 3) {
        random_axis(random, edge, &box.min.z, &box.max.z);
    }
    return box;
}

// In a uniform tree the closed form is not a bound: it is what the box takes, and one node is
// looked at to find it.
static void a_box_takes_what_was_predicted(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    int cut = 0;
    for (uint64_t i = 0; i < 400 + test_rounds(4000); i++) {
        const int dims = i % 2 ? 2 : 3,
                  level = (dims == 3 ? 3 : 4) + (int)oct_random_below(&random, 4);
        oct_tree *const tree = one_leaf(dims, level, NULL);
        const oct_box box = random_box(&random, dims, INT32_C(1) << level);
        const need n = count_box(tree, box, OCT_MARK_BLOCKED);
        assert_true(n.visited <= 1);
        assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_BLOCKED), OCT_OK);
        const oct_tree_stats stats = oct_tree_measure(tree);
        // The root itself may be all that is left.
        assert_int_equal(n.siblings, stats.siblings);
        assert_int_equal(n.bricks, stats.bricks);
        cut += n.bricks > 0;
        oct_tree_destroy(tree);
    }
    assert_true(cut > 100);
}

// After any edits the prediction is no less than what a box takes, with every mark.
static void what_a_box_takes_is_never_more_than_predicted(void **state)
{
    (void)state;
    int splits = 0;
    for (uint64_t seed = 0; seed < 2 + test_rounds(30); seed++) {
        for (int dims = 2; dims <= 3; dims++) {
            oct_random random = oct_random_seed(seed);
            tree_model model;
            model_init(&model, dims, (oct_vec){-12, 5, -3});
            oct_tree *const tree = model_new_tree(dims, NULL);
            for (int i = 0; i < 100; i++) {
                model_random_edit(&model, tree, &random);
                const oct_box box = model_random_box(&model, &random);
                const oct_mark mark = (oct_mark)oct_random_below(&random, OCT_MARK_COUNT);
                if (mark_reaches_outside(mark) && !box_is_empty(dims, &box)) {
                    assert_int_equal(oct_tree_hold(tree, &box), OCT_OK);
                }
                const need n = count_box(tree, box, mark);
                const oct_tree_stats before = oct_tree_measure(tree);
                assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
                model_set_box(&model, box, mark);
                const oct_tree_stats after = oct_tree_measure(tree);
                assert_true(after.siblings <= before.siblings + n.siblings);
                assert_true(after.bricks <= before.bricks + n.bricks);
                assert_true(n.visited <= 1u + ((before.siblings + before.bricks) << dims));
                splits += after.bricks > before.bricks;
            }
            model_check(&model, tree);
            oct_tree_destroy(tree);
        }
    }
    assert_true(splits > 20);
}

// A copy has the labels of a box, and nothing beyond it.
static void copies_have_the_labels_of_a_box(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4 + test_rounds(60); seed++) {
        const int dims = seed % 2 ? 2 : 3;
        oct_random random = oct_random_seed(seed);
        tree_model model, part;
        const oct_vec base = {-12, 5, dims == 3 ? -3 : 0};
        model_init(&model, dims, base);
        oct_tree *const tree = model_new_tree(dims, NULL), *const copy = model_new_tree(dims, NULL);
        for (int i = 0; i < 40; i++) {
            model_random_edit(&model, tree, &random);
        }
        const oct_box box = model_random_box(&model, &random);
        model_init(&part, dims, base);
        for (int z = 0; z < model_depth(&model); z++) {
            for (int y = 0; y < MODEL_EDGE; y++) {
                for (int x = 0; x < MODEL_EDGE; x++) {
                    const oct_vec c = {base.x + x, base.y + y, base.z + z};
                    const oct_label label = model_label(&model, c);
                    const bool is_inside = c.x >= box.min.x && c.x < box.max.x &&
                                           c.y >= box.min.y && c.y < box.max.y &&
                                           (dims == 2 || (c.z >= box.min.z && c.z < box.max.z));
                    part.states[z][y][x] = !is_inside || label == OCT_UNKNOWN ? 0
                                           : label == OCT_OPEN                ? STATE_KNOWN
                                                               : STATE_KNOWN | STATE_BLOCKED;
                }
            }
        }
        assert_int_equal(oct_tree_copy_labels(tree, box, copy), OCT_OK);
        model_check(&part, copy);
        oct_tree_destroy(tree);
        oct_tree_destroy(copy);
    }
}

typedef struct large_box {
    oct_vec min, max;
    bool fits;
} large_box;

static const large_box large_boxes[] = {
    {{1, 1, 1}, {40001, 40001, 40001}, false},                      // a cube of 40 000 cells
    {{1, 1, 1}, {240001, 240001, 3}, false},                        // a plate, 60 km of 0.25 m
    {{-OCT_RANGE + 1, 1, 1}, {OCT_RANGE - 1, 99999, 99999}, false}, // a beam along everything
    {{0, 0, 0}, {1 << 18, 1 << 18, 1 << 12}, true},                 // an aligned slab, 65 km
    {{0, 0, 0}, {1 << 29, 1 << 29, 1 << 29}, true},                 // an aligned cube
    {{1, 1, 1}, {2001, 2001, 3}, true},                             // a plate, 500 m of 0.25 m
};

#define LARGE_COUNT (sizeof large_boxes / sizeof *large_boxes)

static oct_thing thing_of(const large_box *box, uint64_t id)
{
    return (oct_thing){
        .id = id,
        .box = {{box->min.x, box->min.y, box->min.z}, {box->max.x, box->max.y, box->max.z}},
        .label = OCT_BLOCKED};
}

// Boxes that do not fit are refused before memory is taken for them, however they come; the map is
// as it was.
static void large_boxes_are_held_or_refused_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < LARGE_COUNT; i++) {
        const large_box *const large = &large_boxes[i];
        const oct_result expected = large->fits ? OCT_OK : OCT_ERROR_RANGE;
        for (int way = 0; way < 3; way++) {
            test_allocator memory;
            test_allocator_init(&memory, TEST_NEVER);
            oct_map_def def = oct_map_def_default();
            oct_map *map;
            def.allocator = &memory.allocator;
            assert_int_equal(oct_map_create(&def, &map), OCT_OK);
            const oct_box box = {large->min, large->max};
            const oct_thing thing = thing_of(large, 7);
            if (way == 2) { // something static: the thing has to know what it hides
                const oct_box cell = {large->min,
                                      {large->min.x + 1, large->min.y + 1, large->min.z + 1}};
                assert_int_equal(oct_map_set_box(map, cell, OCT_MARK_BLOCKED), OCT_OK);
            }
            const uint64_t revision = oct_tree_revision(oct_map_tree(map));
            const size_t before = memory.live_bytes;
            memory.peak_bytes = before;
            assert_int_equal(way == 0 ? oct_map_set_box(map, box, OCT_MARK_BLOCKED)
                                      : oct_map_add(map, &thing),
                             expected);
            if (!large->fits) {
                assert_int_equal(oct_tree_revision(oct_map_tree(map)), revision);
                assert_int_equal(oct_map_things(map), 0);
                assert_true(memory.peak_bytes <= before + 20000);
            }
            oct_map_destroy(map);
            test_allocator_check_empty(&memory);
        }
    }
}

// Neither does a thing that moves there, nor one over another.
static void things_that_grow_too_large_stay_as_they_were(void **state)
{
    (void)state;
    for (size_t i = 0; i < LARGE_COUNT; i++) {
        const large_box small = {{5, 5, 5}, {60, 61, 62}, true};
        oct_map_def def = oct_map_def_default();
        oct_map *map;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        const oct_thing own = thing_of(&small, 1), other = thing_of(&large_boxes[i], 2);
        assert_int_equal(oct_map_add(map, &own), OCT_OK);
        const uint64_t revision = oct_tree_revision(oct_map_tree(map));
        if (!large_boxes[i].fits) {
            assert_int_equal(oct_map_move(map, 1, other.box), OCT_ERROR_RANGE);
            assert_int_equal(oct_map_add(map, &other), OCT_ERROR_RANGE);
            assert_int_equal(oct_tree_revision(oct_map_tree(map)), revision);
            oct_thing found;
            assert_true(oct_map_thing(map, 1, &found));
            assert_memory_equal(&found.box, &own.box, sizeof own.box);
        }
        oct_map_destroy(map);
    }
}

// Two things that cut the same leaf are counted by looking at what both cut, not at what one alone
// would: a refusal looks at no more than a pool holds.
static void things_over_things_are_counted(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    const large_box small = {{1, 1, 1}, {301, 301, 3}, true},
                    shifted = {{101, 1, 2}, {401, 301, 5}, true};
    const oct_thing first = thing_of(&small, 1), second = thing_of(&shifted, 2);
    assert_int_equal(oct_map_add(map, &first), OCT_OK);
    assert_int_equal(oct_map_add(map, &second), OCT_OK);
    assert_int_equal(oct_map_remove(map, 1), OCT_OK);
    oct_map *plain;
    assert_int_equal(oct_map_create(&def, &plain), OCT_OK);
    assert_int_equal(oct_map_add(plain, &second), OCT_OK);
    const oct_box all = {{0, 0, 0}, {402, 302, 6}};
    uint64_t counts[2][3];
    assert_int_equal(oct_tree_count(oct_map_tree(map), all, counts[0]), OCT_OK);
    assert_int_equal(oct_tree_count(oct_map_tree(plain), all, counts[1]), OCT_OK);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    oct_map_destroy(map);
    oct_map_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_takes_what_was_predicted),
        cmocka_unit_test(what_a_box_takes_is_never_more_than_predicted),
        cmocka_unit_test(copies_have_the_labels_of_a_box),
        cmocka_unit_test(large_boxes_are_held_or_refused_at_once),
        cmocka_unit_test(things_that_grow_too_large_stay_as_they_were),
        cmocka_unit_test(things_over_things_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
