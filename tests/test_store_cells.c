// SPDX-License-Identifier: MIT
// The two plain structures against a model: edits, questions, the journal, growth, and memory.
#include "store_model.h"

#include <stdlib.h>

// Places where sign changes, chunk edges and the ends of the lattice are near.
static const oct_vec bases[] = {
    {-12, -12, -12},
    {0, 0, 0},
    {-3, 1001, -70001},
    {OCT_RANGE - STORE_EDGE_2D, -OCT_RANGE, OCT_RANGE - STORE_EDGE_3D},
};

static const oct_box everywhere = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                   {INT32_MAX, INT32_MAX, INT32_MAX}};

// Runs a body for both structures at both dimensions with seeds from `first` on.
typedef void pair_body(store_pair *pair, oct_random *random);

static void for_each_pair(uint64_t first, uint64_t seeds, pair_body *body)
{
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        for (int kind = 0; kind < 2; kind++) {
            for (int dims = 2; dims <= 3; dims++) {
                oct_random random = oct_random_seed(seed);
                test_allocator memory;
                test_allocator_init(&memory, TEST_NEVER);
                store_pair pair;
                assert_int_equal(pair_create(&pair, &store_kinds[kind], dims, bases[seed % 4],
                                             &memory.allocator),
                                 OCT_OK);
                body(&pair, &random);
                pair_destroy(&pair);
                test_allocator_check_empty(&memory);
            }
        }
    }
    print_message("seeds %d to %d\n", (int)first, (int)(first + seeds - 1));
}

// Takes all things away, one by one, so that all facts come to light.
static void remove_all(store_pair *pair)
{
    for (uint32_t i = 0; i < STORE_THINGS; i++) {
        if (pair->model.things[i].slot) {
            store_step step = {.kind = STEP_REMOVE, .thing = i};
            assert_int_equal(pair_apply(pair, &step), OCT_OK);
            pair_check(pair);
        }
    }
}

static void make_random_edits(store_pair *pair, oct_random *random)
{
    store_step step;
    for (int i = 0; i < 120; i++) {
        step_random(pair, random, &step);
        assert_int_equal(pair_apply(pair, &step), OCT_OK);
        if (oct_random_below(random, 30) == 0) {
            assert_int_equal(pair->ops->shrink(pair->store), OCT_OK);
        }
        pair_check(pair);
    }
    remove_all(pair);
}

// The stores agree with the model after every one of thousands of random edits.
static void random_edits_match_the_model(void **state)
{
    (void)state;
    for_each_pair(0, 16, make_random_edits);
}

// ---- journal ----

// The one change that the model says there was; false where nothing changed.
static bool model_change(const store_model *before, const store_model *after, oct_change *out)
{
    *out = (oct_change){everywhere, 0, 0};
    oct_vec lo = everywhere.max, hi = everywhere.min;
    for (int at = 0; at < model_cells(after); at++) {
        if (before->labels[at] == after->labels[at] && before->facts[at] == after->facts[at]) {
            continue;
        }
        const oct_vec c = model_cell(after, at);
        lo = (oct_vec){c.x < lo.x ? c.x : lo.x, c.y < lo.y ? c.y : lo.y, c.z < lo.z ? c.z : lo.z};
        hi = (oct_vec){c.x > hi.x ? c.x : hi.x, c.y > hi.y ? c.y : hi.y, c.z > hi.z ? c.z : hi.z};
        out->before |= 1u << before->labels[at];
        out->after |= 1u << after->labels[at];
    }
    out->box = (oct_box){lo, {hi.x + 1, hi.y + 1, hi.z + 1}};
    return out->before != 0;
}

static void check_journal(store_pair *pair, oct_random *random)
{
    journal *j = pair->ops->journal(pair->store);
    store_step step;
    for (int i = 0; i < 150; i++) {
        const store_model before = pair->model;
        const uint64_t revision = j->revision;
        step_random(pair, random, &step);
        assert_int_equal(pair_apply(pair, &step), OCT_OK);
        oct_change told, expected;
        const bool changed = model_change(&before, &pair->model, &expected);
        size_t count;
        assert_int_equal(oct_journal_changes(j, revision, &told, 1, &count), OCT_OK);
        assert_int_equal(j->revision, revision + changed);
        if (changed) {
            assert_memory_equal(&told, &expected, sizeof told);
        }
    }
}

// Every change is in the journal, with the smallest box and exactly the labels of its cells.
static void journal_tells_every_change(void **state)
{
    (void)state;
    for_each_pair(100, 12, check_journal);
}

// ---- questions ----

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
    oct_vec lo = everywhere.max, hi = everywhere.min;
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
    for_each_pair(200, 12, ask_everything);
}

// At two dimensions z counts for nothing in any question.
static void flat_stores_ignore_z(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[kind], 2, bases[0], NULL), OCT_OK);
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
        assert_int_equal(pair_create(&pair, &store_kinds[kind], 3, bases[0], NULL), OCT_OK);
        const oct_box half = {{0, 0, 0}, {1 << 21, 1 << 21, 1 << 21}};
        uint64_t counts[3];
        for (int round = 0; round < 2; round++) {
            assert_int_equal(pair.ops->count(pair.store, everywhere, counts), OCT_ERROR_RANGE);
            assert_int_equal(counts[OCT_UNKNOWN], 0);
            assert_int_equal(pair.ops->count(pair.store, half, counts), OCT_OK);
            assert_int_equal(counts[OCT_UNKNOWN], (UINT64_C(1) << 63) - (round ? 8u : 0u));
            assert_int_equal(counts[OCT_BLOCKED], round ? 8 : 0);
            assert_int_equal(pair.ops->labels_in(pair.store, everywhere),
                             OCT_HAS_UNKNOWN | (round ? OCT_HAS_BLOCKED : 0u));
            const region two = {.kind = REGION_BOX, .box = {{5, 5, 5}, {7, 7, 7}}};
            assert_int_equal(pair.ops->mark(pair.store, &pair.index, &two, OCT_MARK_SOLID), OCT_OK);
        }
        pair_destroy(&pair);
    }
}

// ---- growth ----

typedef struct known_cell {
    oct_vec at;
    oct_label label;
} known_cell;

static void check_known(const store_pair *pair, const known_cell *cells, size_t count)
{
    uint64_t counts[3], expected[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const oct_vec c = cells[i].at;
        assert_int_equal(pair->ops->label(pair->store, c), cells[i].label);
        expected[cells[i].label]++;
        const oct_vec next = {c.x + 1, c.y - 1, c.z};
        bool free = true;
        for (size_t k = 0; k < count; k++) {
            free = free && memcmp(&cells[k].at, &next, sizeof next) != 0;
        }
        assert_true(!free || pair->ops->label(pair->store, next) == OCT_UNKNOWN);
    }
    const oct_box all = {{-4000, -4000, -4000}, {4000, 4000, 4000}};
    assert_int_equal(pair->ops->count(pair->store, all, counts), OCT_OK);
    assert_int_equal(counts[OCT_OPEN], expected[OCT_OPEN]);
    assert_int_equal(counts[OCT_BLOCKED], expected[OCT_BLOCKED]);
    assert_true(pair->ops->is_valid(pair->store, &pair->index));
}

// From one cell on, towards each of the six sides in turn, step by step and in ever larger steps:
// after each growth every cell is what it was.
static void growth_keeps_every_cell(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        const int kind = round % 2, dims = round / 2 % 2 ? 3 : 2;
        const oct_vec start = round < 4 ? (oct_vec){0, 0, 0} : (oct_vec){-33, 95, 31};
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[kind], dims, start, NULL), OCT_OK);
        known_cell cells[120];
        size_t count = 0;
        int32_t distance[6] = {0, 0, 0, 0, 0, 0};
        for (int i = 0; i < 120; i++) {
            const int way = i % (2 * dims), axis = way / 2;
            const int32_t d = way % 2 ? distance[way] : -distance[way];
            distance[way] += i < 60 ? 9 : 17;
            const oct_vec at = {start.x + (axis == 0 ? d : i % 3), start.y + (axis == 1 ? d : 0),
                                dims == 3 ? start.z + (axis == 2 ? d : 0) : 0};
            bool taken = false;
            for (size_t k = 0; k < count; k++) {
                taken |= memcmp(&cells[k].at, &at, sizeof at) == 0;
            }
            if (taken) {
                continue;
            }
            const bool blocked = i % 2;
            const region one = {.kind = REGION_BOX, .box = {at, {at.x + 1, at.y + 1, at.z + 1}}};
            assert_int_equal(pair.ops->mark(pair.store, &pair.index, &one,
                                            blocked ? OCT_MARK_SOLID : OCT_MARK_OPEN),
                             OCT_OK);
            cells[count++] = (known_cell){at, blocked ? OCT_BLOCKED : OCT_OPEN};
            check_known(&pair, cells, count);
        }
        assert_int_equal(pair.ops->shrink(pair.store), OCT_OK);
        check_known(&pair, cells, count);
        pair_destroy(&pair);
    }
}

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
        assert_int_equal(pair_create(&pair, &store_kinds[1], dims, bases[0], NULL), OCT_OK);
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
        assert_true(pair.ops->leaves(pair.store, everywhere, known, next_in_order, &list));
        assert_int_equal(list.at, COUNT);
        assert_int_equal(pair.ops->labels_in(pair.store, everywhere), OCT_HAS_ANY);
        const oct_box extent = pair.ops->extent(pair.store, known);
        assert_int_equal(extent.min.x, -OCT_RANGE);
        assert_int_equal(extent.max.y, OCT_RANGE);
        assert_true(pair.ops->is_valid(pair.store, &pair.index));
        const region rest = {.kind = REGION_OUTSIDE, .radius = 1.0};
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &rest, OCT_MARK_UNKNOWN), OCT_OK);
        assert_int_equal(pair.ops->labels_in(pair.store, everywhere), OCT_HAS_UNKNOWN);
        assert_int_equal(pair.ops->leaf(pair.store, (oct_vec){0, 0, 0}).level, OCT_LEVEL_OUTSIDE);
        pair_destroy(&pair);
    }
    free(leaves);
}

// ---- memory ----

// The levels of the leaves in the region, which tell what is stored.
static void take_levels(const store_pair *pair, uint8_t levels[STORE_CELLS])
{
    for (int at = 0; at < model_cells(&pair->model); at++) {
        levels[at] = pair->ops->leaf(pair->store, model_cell(&pair->model, at)).level;
    }
}

// Makes an edit with its first allocation refused, then its second, and so on until it needs no
// more. Each time everything is as it was.
static void apply_against_odds(store_pair *pair, test_allocator *memory, const store_step *step)
{
    static uint8_t before[STORE_CELLS], after[STORE_CELLS];
    const uint64_t revision = pair->ops->journal(pair->store)->revision;
    take_levels(pair, before);
    for (size_t failing = 0;; failing++) {
        memory->fail_at = memory->allocations + failing;
        memory->refused = false;
        const oct_result result = step ? pair_apply(pair, step) : pair->ops->shrink(pair->store);
        memory->fail_at = TEST_NEVER;
        if (result == OCT_OK) {
            assert_false(memory->refused);
            assert_true(failing == 0 || !step || step->kind != STEP_REMOVE);
            pair_check(pair);
            return;
        }
        assert_int_equal(result, OCT_ERROR_MEMORY);
        assert_int_equal(pair->ops->journal(pair->store)->revision, revision);
        pair_check(pair);
        take_levels(pair, after);
        assert_memory_equal(before, after, (size_t)model_cells(&pair->model));
    }
}

// An edit that cannot get memory leaves everything as it was; taking a thing away needs none.
static void failed_edits_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 532; seed++) {
        oct_random random = oct_random_seed(seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[seed % 2], seed / 2 % 2 ? 3 : 2,
                                     bases[seed / 4 % 4], &memory.allocator),
                         OCT_OK);
        store_step step;
        for (int i = 0; i < 50; i++) {
            step_random(&pair, &random, &step);
            apply_against_odds(&pair, &memory, &step);
            if (i % 10 == 9) { // without slack the next edit has to ask for memory
                apply_against_odds(&pair, &memory, NULL);
            }
        }
        pair_destroy(&pair);
        test_allocator_check_empty(&memory);
    }
}

// What a thing did can be undone without memory, whatever it did.
static void undoing_takes_no_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 600; seed < 616; seed++) {
        oct_random random = oct_random_seed(seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[seed % 2], seed / 2 % 2 ? 3 : 2,
                                     bases[seed / 4 % 4], &memory.allocator),
                         OCT_OK);
        store_step step, undo;
        for (int i = 0; i < 150; i++) {
            step_random(&pair, &random, &step);
            if (step.kind == STEP_MARK) {
                assert_int_equal(pair_apply(&pair, &step), OCT_OK);
                assert_int_equal(pair.ops->shrink(pair.store), OCT_OK);
                continue;
            }
            const model_thing was = pair.model.things[step.thing];
            assert_int_equal(pair_apply(&pair, &step), OCT_OK);
            if (oct_random_below(&random, 2)) {
                continue;
            }
            undo.kind = step.kind == STEP_ADD      ? STEP_REMOVE
                        : step.kind == STEP_REMOVE ? STEP_ADD
                                                   : step.kind;
            undo.thing = step.thing;
            undo.box = was.box;
            undo.label = was.label;
            memory.fail_at = memory.allocations;
            assert_int_equal(pair_apply(&pair, &undo), OCT_OK);
            assert_false(memory.refused);
            memory.fail_at = TEST_NEVER;
            pair_check(&pair);
        }
        pair_destroy(&pair);
    }
}

static void forget_everything(store_pair *pair)
{
    remove_all(pair);
    const region all = {.kind = REGION_BOX, .box = everywhere};
    assert_int_equal(pair->ops->mark(pair->store, &pair->index, &all, OCT_MARK_UNKNOWN), OCT_OK);
    memset(pair->model.facts, 0, sizeof pair->model.facts);
    memset(pair->model.labels, 0, sizeof pair->model.labels);
    pair_check(pair);
}

// The same edits again and again, everything forgotten in between: soon no memory is taken any
// more, and once shrunk nothing is left.
static void freed_memory_is_used_again(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[round % 2], round / 2 ? 3 : 2, bases[0],
                                     &memory.allocator),
                         OCT_OK);
        const size_t empty = memory.live_bytes;
        size_t most = 0;
        for (int again = 0; again < 8; again++) {
            oct_random random = oct_random_seed(700);
            store_step step;
            for (int i = 0; i < 120; i++) {
                step_random(&pair, &random, &step);
                assert_int_equal(pair_apply(&pair, &step), OCT_OK);
            }
            forget_everything(&pair);
            const size_t bytes = pair.ops->bytes(pair.store);
            assert_int_equal(memory.live_bytes - empty, bytes);
            most = again < 2 ? bytes : most;
            assert_int_equal(bytes, most);
        }
        assert_true(most > 0);
        assert_int_equal(pair.ops->shrink(pair.store), OCT_OK);
        pair_check(&pair);
        assert_int_equal(memory.live_bytes, empty);
        pair_destroy(&pair);
    }
}

static oct_result create_and_edit(const oct_allocator *allocator, void *ctx)
{
    store_pair pair;
    OCT_TRY(pair_create(&pair, ctx, 3, bases[0], allocator));
    const region cells = {.kind = REGION_BOX, .box = {{-3, -3, -3}, {5, 6, 7}}};
    oct_result result = pair.ops->mark(pair.store, &pair.index, &cells, OCT_MARK_BLOCKED);
    if (result == OCT_OK) {
        result = pair.ops->shrink(pair.store);
    }
    pair_destroy(&pair);
    return result;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        store_kind copy = store_kinds[kind];
        assert_true(test_each_failure(create_and_edit, &copy) >= 5);
    }
}

// What no memory could hold is refused at once, and changes nothing.
static void edits_without_end_are_refused(void **state)
{
    (void)state;
    const oct_box lattice_box = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                 {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const region all = {.kind = REGION_BOX, .box = lattice_box};
    const region ball = {.kind = REGION_BALL, .box = lattice_box, .radius = (double)OCT_RANGE};
    for (int kind = 0; kind < 2; kind++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[kind], 3, bases[0], &memory.allocator),
                         OCT_OK);
        const oct_result expected = kind == 0 ? OCT_ERROR_MEMORY : OCT_ERROR_RANGE;
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &all, OCT_MARK_KNOWN), expected);
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &all, OCT_MARK_SOLID), expected);
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &ball, OCT_MARK_KNOWN), expected);
        assert_int_equal(pair.ops->mark(pair.store, &pair.index, &all, OCT_MARK_UNKNOWN), OCT_OK);
        assert_int_equal(pair.ops->journal(pair.store)->revision, 0);
        pair_check(&pair);
        pair_destroy(&pair);
        test_allocator_check_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_match_the_model),
        cmocka_unit_test(journal_tells_every_change),
        cmocka_unit_test(questions_match_the_model),
        cmocka_unit_test(flat_stores_ignore_z),
        cmocka_unit_test(endless_boxes_are_counted_or_refused),
        cmocka_unit_test(growth_keeps_every_cell),
        cmocka_unit_test(sets_may_be_sparse),
        cmocka_unit_test(failed_edits_change_nothing),
        cmocka_unit_test(undoing_takes_no_memory),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(edits_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
