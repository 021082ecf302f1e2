// SPDX-License-Identifier: MIT
// The list of open nodes against a plain array that is searched for its least entry.
#include "search/open_list.h"
#include "support.h"

#include <stdlib.h>

#define ENTRIES_MAX 3000

typedef struct model {
    oct_heap_entry entries[ENTRIES_MAX];
    size_t count;
} model;

// Lower f, then larger g, then lower key.
static bool comes_before(const oct_heap_entry *a, const oct_heap_entry *b)
{
    return a->f != b->f ? a->f < b->f : a->g != b->g ? a->g > b->g : a->key < b->key;
}

static oct_heap_entry model_pop(model *m)
{
    size_t best = 0;
    for (size_t i = 1; i < m->count; i++) {
        best = comes_before(&m->entries[i], &m->entries[best]) ? i : best;
    }
    const oct_heap_entry found = m->entries[best];
    m->entries[best] = m->entries[--m->count];
    return found;
}

static bool same_rank(const oct_heap_entry *a, const oct_heap_entry *b)
{
    return a->f == b->f && a->g == b->g && a->key == b->key;
}

// How ranks come: which values there are, and whether they fall below what was taken out.
typedef struct flow {
    double base, scale; // told to the list
    double least, most; // of f
    uint64_t values;    // different ones; 0 = any
    bool is_monotone;
    uint64_t pushes; // of 8 steps
} flow;

static const flow flows[] = {
    {0.0, 10.0, 0.0, 20.0, 0, true, 5},     {0.0, 10.0, 0.0, 20.0, 30, true, 5},
    {0.0, 10.0, 0.0, 40.0, 0, false, 4},    {5.0, 5.0, 0.0, 30.0, 7, false, 6},
    {100.0, 1.0, 0.0, 90.0, 0, false, 5},   {0.0, 0.0, 0.0, 10.0, 0, false, 5},
    {3.0, -1.0, 0.0, 10.0, 100, true, 5},   {0.0, 1e-9, 0.0, 10.0, 0, false, 5},
    {0.0, 1e9, 0.0, 10.0, 3, false, 5},     {0.0, 1e300, 1e299, 1e301, 0, true, 5},
    {1e-300, 1e-300, 0.0, 1.0, 0, true, 6}, {10.0, 40.0, 10.0, 90.0, 1, true, 6},
};

static oct_heap_entry random_entry(const flow *w, double last, oct_random *random)
{
    double part = oct_random_unit(random);
    if (w->values > 0) {
        part = (double)oct_random_below(random, w->values) / (double)w->values;
    }
    double f = w->least + (w->most - w->least) * part;
    if (w->is_monotone && f < last) {
        f = oct_random_below(random, 2) ? last : last + (w->most - w->least) * part / 50.0;
    }
    return (oct_heap_entry){.f = f,
                            .g = (double)oct_random_below(random, 4),
                            .key = oct_random_below(random, 50),
                            .id = (uint32_t)oct_random_below(random, 1000)};
}

static void pop_both(open_list *list, const oct_allocator *heap, model *m, double *last)
{
    oct_heap_entry got = {0};
    bool found;
    assert_int_equal(open_pop(list, heap, &got, &found), OCT_OK);
    assert_int_equal(found, m->count > 0);
    if (found) {
        const oct_heap_entry expected = model_pop(m);
        assert_true(same_rank(&got, &expected));
        *last = got.f;
    }
}

static void entries_come_in_order(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    static open_list list;
    static model m;
    oct_random random = oct_random_seed(1);
    for (size_t round = 0; round < 10 * sizeof flows / sizeof flows[0]; round++) {
        const flow *const w = &flows[round % (sizeof flows / sizeof flows[0])];
        double last = w->least;
        oct_open_begin(&list, w->base, w->scale);
        m.count = 0;
        for (int i = 0; i < 1500; i++) {
            if (oct_random_below(&random, 8) < w->pushes && m.count < ENTRIES_MAX) {
                const oct_heap_entry entry = random_entry(w, last, &random);
                m.entries[m.count++] = entry;
                assert_int_equal(open_push(&list, &heap, entry), OCT_OK);
            } else {
                pop_both(&list, &heap, &m, &last);
            }
        }
        // Half of the rounds leave something in the list, which the next one must not see.
        while (round % 2 && m.count > 0) {
            pop_both(&list, &heap, &m, &last);
        }
        if (round % 2) {
            pop_both(&list, &heap, &m, &last);
        }
    }
    assert_true(oct_open_bytes(&list) > 0);
    oct_open_free(&list, &heap);
}

static int by_rank(const void *a, const void *b)
{
    const oct_heap_entry *const left = a, *const right = b;
    return comes_before(left, right) ? -1 : comes_before(right, left);
}

// What is drained is what was in it, and then it is empty.
static void all_can_be_taken_out_at_once(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    static open_list list;
    static model m;
    oct_array out = {0};
    oct_random random = oct_random_seed(2);
    for (size_t round = 0; round < 6 * sizeof flows / sizeof flows[0]; round++) {
        const flow *const w = &flows[round % (sizeof flows / sizeof flows[0])];
        double last = w->least;
        oct_open_begin(&list, w->base, w->scale);
        m.count = 0;
        const uint64_t steps = oct_random_below(&random, round % 3 ? 800 : 4);
        for (uint64_t i = 0; i < steps; i++) {
            if (oct_random_below(&random, 8) < 6) {
                m.entries[m.count] = random_entry(w, last, &random);
                assert_int_equal(open_push(&list, &heap, m.entries[m.count++]), OCT_OK);
            } else {
                pop_both(&list, &heap, &m, &last);
            }
        }
        assert_int_equal(oct_open_drain(&list, &heap, &out), OCT_OK);
        assert_int_equal(out.count, m.count);
        if (m.count > 0) {
            qsort(out.items, out.count, sizeof(oct_heap_entry), by_rank);
            qsort(m.entries, m.count, sizeof(oct_heap_entry), by_rank);
        }
        for (size_t i = 0; i < m.count; i++) {
            assert_true(same_rank((const oct_heap_entry *)out.items + i, &m.entries[i]));
        }
        m.count = 0;
        pop_both(&list, &heap, &m, &last);
    }
    oct_array_free(&out, &heap, sizeof(oct_heap_entry));
    oct_open_free(&list, &heap);
}

// ---- memory ----

static oct_result fill_and_empty(open_list *list, const oct_allocator *allocator)
{
    oct_random random = oct_random_seed(3);
    oct_open_begin(list, 0.0, 10.0);
    for (int i = 0; i < 800; i++) {
        OCT_TRY(open_push(list, allocator, random_entry(&flows[i % 2], 0.0, &random)));
    }
    double last = 0.0;
    for (int i = 0; i < 800; i++) {
        oct_heap_entry entry = {0};
        bool found;
        OCT_TRY(open_pop(list, allocator, &entry, &found));
        assert_true(found && entry.f >= last);
        last = entry.f;
    }
    return OCT_OK;
}

static oct_result fill_once(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    static open_list list;
    const oct_result result = fill_and_empty(&list, allocator);
    if (result != OCT_OK) {
        // After a failure it can be begun again.
        assert_int_equal(fill_and_empty(&list, allocator), OCT_OK);
    }
    oct_open_free(&list, allocator);
    return result;
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    assert_true(test_each_failure(fill_once, NULL) > 5);
}

static void memory_is_used_again(void **state)
{
    (void)state;
    test_allocator memory;
    static open_list list;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(fill_and_empty(&list, &memory.allocator), OCT_OK);
    const size_t warm = memory.allocations;
    assert_int_equal(fill_and_empty(&list, &memory.allocator), OCT_OK);
    assert_int_equal(memory.allocations, warm);
    assert_int_equal(oct_open_bytes(&list), memory.live_bytes);
    oct_open_free(&list, &memory.allocator);
    test_allocator_check_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_in_order),
        cmocka_unit_test(all_can_be_taken_out_at_once),
        cmocka_unit_test(refused_memory_is_a_result),
        cmocka_unit_test(memory_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
