// SPDX-License-Identifier: MIT
// Edits of the two plain structures against a model: labels, the journal, growth, and memory.
#include "store_model.h"
#include "tree_model.h"

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
    for (int i = 0; i < 100; i++) {
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
    store_for_each(0, 16, make_random_edits);
}

// Lengths on a grid so fine that touching is rare, and so coarse that they are exact wherever they
// are counted from.
static double exact_length(oct_random *random, int32_t lo, int32_t hi)
{
    return oct_random_range(random, lo * 1024, hi * 1024) / 1024.0;
}

static void compare_with_octree(store_pair *pair, oct_random *random)
{
    const int dims = pair->model.dims;
    pair->model.base = (oct_vec){-13, -13, dims == 3 ? -13 : 0};
    oct_tree *tree = model_new_tree(dims, NULL);
    store_step step = {.kind = STEP_MARK};
    for (int i = 0; i < 40; i++) {
        const bool outside = i % 4 == 3;
        region *r = &step.cells;
        *r = (region){.kind = outside ? REGION_OUTSIDE : REGION_BALL,
                      .centre = {exact_length(random, -4, 4), exact_length(random, -4, 4),
                                 exact_length(random, -4, 4)},
                      .radius = exact_length(random, 0, 8),
                      .box = {{-13, -13, -13}, {13, 13, 13}}};
        step.mark = outside ? OCT_MARK_UNKNOWN : (oct_mark)oct_random_below(random, OCT_MARK_COUNT);
        assert_int_equal(pair_apply(pair, &step), OCT_OK);
        assert_int_equal(
            outside ? oct_tree_keep(tree, r->centre, r->radius)
                    : oct_tree_set_ball(tree, r->centre, r->radius, OCT_COVER_INSIDE, step.mark),
            OCT_OK);
        for (int at = 0; at < model_cells(&pair->model); at++) {
            const oct_vec c = model_cell(&pair->model, at);
            assert_int_equal(pair->ops->label(pair->store, c), oct_tree_label(tree, c));
        }
    }
    oct_tree_destroy(tree);
}

// Balls are those of the octree, cell by cell.
static void balls_are_those_of_the_octree(void **state)
{
    (void)state;
    store_for_each(50, 6, compare_with_octree);
}

// ---- journal ----

// The one change that the model says there was; false where nothing changed.
static bool model_change(const store_model *before, const store_model *after, oct_change *out)
{
    *out = (oct_change){store_everywhere, 0, 0};
    oct_vec lo = store_everywhere.max, hi = store_everywhere.min;
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
    store_for_each(100, 12, check_journal);
}

// Observing what is BLOCKED, and nothing else, changes facts but no label: also where the cells are
// many, and where some of them are UNKNOWN as things say.
static void observing_what_is_covered_tells_its_labels(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[round % 2], 3, store_bases[0], NULL),
                         OCT_OK);
        store_step step = {.kind = STEP_ADD, .box = {{-5, -5, -5}, {5, 5, 5}}};
        step.label = round & 2 ? OCT_UNKNOWN : OCT_BLOCKED;
        assert_int_equal(pair_apply(&pair, &step), OCT_OK);
        step.thing = 1;
        step.box.max.x = 0;
        step.label = OCT_BLOCKED;
        assert_int_equal(pair_apply(&pair, &step), OCT_OK);
        step.kind = STEP_MARK;
        step.cells = (region){.kind = REGION_BOX, .box = {{-5, -5, -5}, {5, 5, 5}}};
        step.cells.box.max.z += round & 4 ? 1 : 0; // one layer is free
        for (int back = 0; back < 2; back++) {
            const store_model before = pair.model;
            journal *j = pair.ops->journal(pair.store);
            const uint64_t revision = j->revision;
            step.mark = back ? OCT_MARK_UNSEEN : OCT_MARK_KNOWN;
            assert_int_equal(pair_apply(&pair, &step), OCT_OK);
            oct_change told, expected;
            size_t count;
            assert_true(model_change(&before, &pair.model, &expected));
            assert_int_equal(oct_journal_changes(j, revision, &told, 1, &count), OCT_OK);
            assert_int_equal(count, 1);
            assert_memory_equal(&told, &expected, sizeof told);
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
    for (uint64_t seed = 500; seed < 508 + test_rounds(16); seed++) {
        oct_random random = oct_random_seed(seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        store_pair pair;
        assert_int_equal(pair_create(&pair, &store_kinds[seed % 2], seed / 2 % 2 ? 3 : 2,
                                     store_bases[seed / 4 % 4], &memory.allocator),
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
                                     store_bases[seed / 4 % 4], &memory.allocator),
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
    const region all = {.kind = REGION_BOX, .box = store_everywhere};
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
        assert_int_equal(pair_create(&pair, &store_kinds[round % 2], round / 2 ? 3 : 2,
                                     store_bases[0], &memory.allocator),
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
    OCT_TRY(pair_create(&pair, ctx, 3, store_bases[0], allocator));
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
        assert_int_equal(
            pair_create(&pair, &store_kinds[kind], 3, store_bases[0], &memory.allocator), OCT_OK);
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
        cmocka_unit_test(balls_are_those_of_the_octree),
        cmocka_unit_test(journal_tells_every_change),
        cmocka_unit_test(observing_what_is_covered_tells_its_labels),
        cmocka_unit_test(growth_keeps_every_cell),
        cmocka_unit_test(failed_edits_change_nothing),
        cmocka_unit_test(undoing_takes_no_memory),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(edits_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
