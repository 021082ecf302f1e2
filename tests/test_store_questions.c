// SPDX-License-Identifier: MIT
// What is asked of the two plain structures, against a model.
#include "store_model.h"

#include <stdlib.h>

// A box in, around or across the region, possibly empty or endless.
static oct_box any_box(const store_model *model, oct_random *random)
{
    oct_box box = model_box(model, random);
    const int32_t by = oct_random_range(random, 0, 40);
    switch (oct_random_below(random, 5)) {
    case 0:
        box.min = (oct_vec){box.min.x - by, box.min.y - by, box.min.z - by};
        break;
    case 1:
        box.max = (oct_vec){box.max.x + by, box.max.y + by, box.max.z + by};
        break;
    case 2:
        box.max.y = box.min.y - by;
        break;
    case 3:
        box.min.x = INT32_MIN;
        box.max.y = INT32_MAX;
        break;
    default:
        break;
    }
    return box;
}

static bool box_has(const store_model *model, const oct_box *box, oct_vec c)
{
    return c.x >= box->min.x && c.x < box->max.x && c.y >= box->min.y && c.y < box->max.y &&
           (model->dims == 2 || (c.z >= box->min.z && c.z < box->max.z));
}

static oct_int128 side(int32_t min, int32_t max)
{
    return max > min ? (int64_t)max - min : 0;
}

static void check_box(const store_pair *pair, oct_box box)
{
    const store_model *model = &pair->model;
    uint64_t counts[3], expected[3] = {0, 0, 0};
    const oct_int128 all = side(box.min.x, box.max.x) * side(box.min.y, box.max.y) *
                           (model->dims == 3 ? side(box.min.z, box.max.z) : 1);
    if (all > (oct_int128)1 << 63) {
        assert_int_equal(pair->ops->count(pair->store, box, counts), OCT_ERROR_RANGE);
        return;
    }
    for (int at = 0; at < model_cells(model) && all > 0; at++) {
        const oct_vec c = model_cell(model, at);
        if (box_has(model, &box, c)) {
            expected[model->labels[at]]++;
        }
    }
    expected[OCT_UNKNOWN] = (uint64_t)all - expected[OCT_OPEN] - expected[OCT_BLOCKED];
    assert_int_equal(pair->ops->count(pair->store, box, counts), OCT_OK);
    oct_labels labels = 0;
    for (uint32_t label = 0; label < 3; label++) {
        assert_int_equal(counts[label], expected[label]);
        labels |= expected[label] ? 1u << label : 0u;
    }
    assert_int_equal(pair->ops->labels_in(pair->store, box), labels);
}

static void check_extent(const store_pair *pair, oct_labels labels)
{
    const store_model *model = &pair->model;
    oct_vec lo = store_everywhere.max, hi = store_everywhere.min;
    bool any = false;
    for (int at = 0; at < model_cells(model); at++) {
        if (model->labels[at] != OCT_UNKNOWN && (labels >> model->labels[at] & 1u)) {
            const oct_vec c = model_cell(model, at);
            lo = (oct_vec){c.x < lo.x ? c.x : lo.x, c.y < lo.y ? c.y : lo.y,
                           c.z < lo.z ? c.z : lo.z};
            hi = (oct_vec){c.x > hi.x ? c.x : hi.x, c.y > hi.y ? c.y : hi.y,
                           c.z > hi.z ? c.z : hi.z};
            any = true;
        }
    }
    const oct_box expected = any ? (oct_box){lo, {hi.x + 1, hi.y + 1, hi.z + 1}} : (oct_box){0};
    const oct_box told = pair->ops->extent(pair->store, labels);
    assert_memory_equal(&told, &expected, sizeof told);
}

typedef struct leaf_list {
    const store_pair *pair;
    oct_box box;
    oct_labels labels;
    size_t count;
    size_t stop; // after so many
    oct_leaf last;
} leaf_list;

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    leaf_list *list = ctx;
    const oct_vec c = {leaf->x, leaf->y, leaf->z};
    const oct_leaf alone = list->pair->ops->leaf(list->pair->store, c);
    assert_memory_equal(leaf, &alone, sizeof alone);
    assert_int_equal(leaf->label, model_label_at(&list->pair->model, c));
    assert_true(list->labels >> leaf->label & 1u);
    assert_true(box_has(&list->pair->model, &list->box, c));
    assert_true(list->pair->model.dims == 3 || c.z == 0);
    const oct_leaf *l = &list->last;
    if (list->count++ > 0) {
        assert_true(c.z > l->z || (c.z == l->z && (c.y > l->y || (c.y == l->y && c.x > l->x))));
    }
    list->last = *leaf;
    return list->count != list->stop;
}

// Leaves come in order, each once, so that counting them tells whether one is missing.
static void check_leaves(const store_pair *pair, oct_random *random)
{
    const oct_labels labels = (oct_labels)oct_random_below(random, 8);
    leaf_list list = {.pair = pair, .box = any_box(&pair->model, random), .labels = labels};
    if (labels & OCT_HAS_UNKNOWN) {
        list.box = model_box(&pair->model, random);
    }
    assert_true(pair->ops->leaves(pair->store, list.box, labels, take_leaf, &list));
    size_t expected = 0;
    for (int at = 0; at < model_cells(&pair->model); at++) {
        const oct_vec c = model_cell(&pair->model, at);
        expected += box_has(&pair->model, &list.box, c) &&
                    (labels >> pair->model.labels[at] & 1u) &&
                    pair->ops->leaf(pair->store, c).level == 0;
    }
    assert_int_equal(list.count, expected);
    if (list.count > 1) {
        leaf_list few = list;
        few.stop = 1 + (size_t)oct_random_below(random, list.count - 1);
        few.count = 0;
        assert_false(pair->ops->leaves(pair->store, few.box, labels, take_leaf, &few));
        assert_int_equal(few.count, few.stop);
    }
}

static void check_neighbours(const store_pair *pair, oct_random *random)
{
    const int at = (int)oct_random_below(random, (uint64_t)model_cells(&pair->model));
    const oct_vec c = model_cell(&pair->model, at);
    const oct_leaf leaf = pair->ops->leaf(pair->store, c);
    if (leaf.level == OCT_LEVEL_OUTSIDE) {
        assert_int_equal(pair->model.labels[at], OCT_UNKNOWN);
        return;
    }
    const oct_labels labels = (oct_labels)oct_random_below(random, 8);
    const uint32_t directions = (uint32_t)oct_random_next(random);
    oct_leaf out[28], expected[28];
    memset(out, 0x5a, sizeof out);
    size_t count = 0;
    bool outside = false;
    const int rim = pair->model.dims == 3 ? 1 : 0;
    for (int dz = -rim; dz <= rim; dz++) {
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                const oct_vec n = {c.x + dx, c.y + dy, c.z + dz};
                const oct_leaf next = pair->ops->leaf(pair->store, n);
                if ((dx || dy || dz) && (directions & OCT_DIRECTION(dx, dy, dz)) &&
                    (labels >> next.label & 1u)) {
                    outside |= next.level == OCT_LEVEL_OUTSIDE;
                    expected[count] = next;
                    count += next.level != OCT_LEVEL_OUTSIDE;
                }
            }
        }
    }
    if (outside) {
        expected[count++] = (oct_leaf){.level = OCT_LEVEL_OUTSIDE, .label = OCT_UNKNOWN};
    }
    const size_t capacity = (size_t)oct_random_below(random, 28);
    const size_t told = pair->ops->neighbours(pair->store, leaf, directions, labels, out, capacity);
    assert_int_equal(told, count);
    for (size_t i = 0; i < capacity && i < count; i++) {
        assert_memory_equal(&out[i], &expected[i], sizeof *out);
    }
    for (size_t i = count < capacity ? count : capacity; i < 28; i++) {
        assert_int_equal(out[i].level, 0x5a);
    }
}

static void ask_everything(store_pair *pair, oct_random *random)
{
    store_step step;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 10; k++) {
            check_box(pair, any_box(&pair->model, random));
            check_neighbours(pair, random);
        }
        check_leaves(pair, random);
        for (oct_labels labels = 0; labels < 8; labels++) {
            check_extent(pair, labels);
        }
        step_random(pair, random, &step);
        assert_int_equal(pair_apply(pair, &step), OCT_OK);
    }
}

static void questions_match_the_model(void **state)
{
    (void)state;
    store_for_each(200, 12, ask_everything);
}

// At two dimensions z counts for nothing in any question.
static void flat_stores_ignore_z(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[kind], 2, store_bases[0], NULL), OCT_OK);
        store_step step = {.kind = STEP_MARK,
                           .mark = OCT_MARK_OPEN,
                           .cells = {.kind = REGION_BOX, .box = {{1, 2, 77}, {4, 4, 99}}}};
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &step.cells, OCT_MARK_OPEN),
                         OCT_OK);
        assert_int_equal(pair.ops->label(pair.store, (oct_vec){1, 2, 12345}), OCT_OPEN);
        assert_int_equal(pair.ops->leaf(pair.store, (oct_vec){1, 2, -5}).z, 0);
        const oct_box odd = {{0, 0, 9}, {9, 9, 3}};
        assert_int_equal(pair.ops->labels_in(pair.store, odd), OCT_HAS_OPEN | OCT_HAS_UNKNOWN);
        uint64_t counts[3];
        assert_int_equal(pair.ops->count(pair.store, odd, counts), OCT_OK);
        assert_int_equal(counts[OCT_OPEN], 6);
        assert_int_equal(counts[OCT_UNKNOWN], 75);
        const oct_box extent = pair.ops->extent(pair.store, OCT_HAS_ANY);
        const oct_box expected = {{1, 2, 0}, {4, 4, 1}};
        assert_memory_equal(&extent, &expected, sizeof extent);
        pair_destroy(&pair);
    }
}

// Boxes of more than 2^63 cells are refused; up to that, what is not stored costs nothing.
static void endless_boxes_are_counted_or_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[kind], 3, store_bases[0], NULL), OCT_OK);
        const oct_box half = {{0, 0, 0}, {1 << 21, 1 << 21, 1 << 21}};
        uint64_t counts[3];
        for (int round = 0; round < 2; round++) {
            assert_int_equal(pair.ops->count(pair.store, store_everywhere, counts),
                             OCT_ERROR_RANGE);
            assert_int_equal(counts[OCT_UNKNOWN], 0);
            assert_int_equal(pair.ops->count(pair.store, half, counts), OCT_OK);
            assert_int_equal(counts[OCT_UNKNOWN], (UINT64_C(1) << 63) - (round ? 8u : 0u));
            assert_int_equal(counts[OCT_BLOCKED], round ? 8 : 0);
            assert_int_equal(pair.ops->labels_in(pair.store, store_everywhere),
                             OCT_HAS_UNKNOWN | (round ? OCT_HAS_BLOCKED : 0u));
            const region two = {.kind = REGION_BOX, .box = {{5, 5, 5}, {7, 7, 7}}};
            assert_int_equal(pair.ops->mark(pair.store, &pair.index, &two, OCT_MARK_SOLID), OCT_OK);
        }
        pair_destroy(&pair);
    }
}

// ---- sparse sets ----

static int compare_leaves(const void *a, const void *b)
{
    const oct_leaf *l = a, *r = b;
    const int64_t z = (int64_t)l->z - r->z, y = (int64_t)l->y - r->y, x = (int64_t)l->x - r->x;
    const int64_t first = z ? z : y ? y : x;
    return (first > 0) - (first < 0);
}

typedef struct sorted_leaves {
    oct_leaf *leaves;
    size_t at, count;
} sorted_leaves;

static bool next_in_order(void *ctx, const oct_leaf *leaf)
{
    sorted_leaves *list = ctx;
    assert_true(list->at < list->count);
    assert_memory_equal(leaf, &list->leaves[list->at++], sizeof *leaf);
    return true;
}

// Cells all over the lattice: nothing costs more than what is stored, and the order is the same.
static void sets_may_be_sparse(void **state)
{
    (void)state;
    enum { COUNT = 1500 };
    oct_leaf *leaves = calloc(COUNT, sizeof *leaves);
    assert_non_null(leaves);
    for (int dims = 2; dims <= 3; dims++) {
        oct_random random = oct_random_seed(400 + (uint64_t)dims);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[1], dims, store_bases[0], NULL), OCT_OK);
        for (int i = 0; i < COUNT; i++) {
            const int32_t far = OCT_RANGE - 1;
            const oct_vec at = {
                i < 4 ? (i % 2 ? far : -OCT_RANGE) : oct_random_range(&random, -OCT_RANGE, far),
                i < 4 ? (i / 2 ? far : -OCT_RANGE) : oct_random_range(&random, -OCT_RANGE, far),
                dims == 2 ? 0 : oct_random_range(&random, -OCT_RANGE, far)};
            const region one = {.kind = REGION_BOX, .box = {at, {at.x + 1, at.y + 1, at.z + 1}}};
            assert_int_equal(pair.ops->mark(pair.store, &pair.index, &one,
                                            i % 2 ? OCT_MARK_SOLID : OCT_MARK_OPEN),
                             OCT_OK);
            leaves[i] = (oct_leaf){.x = at.x, .y = at.y, .z = at.z};
            leaves[i].label = i % 2 ? OCT_BLOCKED : OCT_OPEN;
        }
        qsort(leaves, COUNT, sizeof *leaves, compare_leaves);
        sorted_leaves list = {leaves, 0, COUNT};
        const oct_labels known = OCT_HAS_OPEN | OCT_HAS_BLOCKED;
        assert_true(pair.ops->leaves(pair.store, store_everywhere, known, next_in_order, &list));
        assert_int_equal(list.at, COUNT);
        assert_int_equal(pair.ops->labels_in(pair.store, store_everywhere), OCT_HAS_ANY);
        const oct_box extent = pair.ops->extent(pair.store, known);
        assert_int_equal(extent.min.x, -OCT_RANGE);
        assert_int_equal(extent.max.y, OCT_RANGE);
        assert_true(pair.ops->is_valid(pair.store, &pair.index));
        const region rest = {.kind = REGION_OUTSIDE, .radius = 1.0};
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &rest, OCT_MARK_UNKNOWN), OCT_OK);
        assert_int_equal(pair.ops->labels_in(pair.store, store_everywhere), OCT_HAS_UNKNOWN);
        assert_int_equal(pair.ops->leaf(pair.store, (oct_vec){0, 0, 0}).level, OCT_LEVEL_OUTSIDE);
        pair_destroy(&pair);
    }
    free(leaves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_match_the_model),
        cmocka_unit_test(flat_stores_ignore_z),
        cmocka_unit_test(endless_boxes_are_counted_or_refused),
        cmocka_unit_test(sets_may_be_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
