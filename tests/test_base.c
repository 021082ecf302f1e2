// SPDX-License-Identifier: MIT
// Memory, arrays, the arena, the heap, random numbers and messages.
#include "support.h"

#include "base/base_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- results and messages ----

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(oct_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(major, OCT_VERSION_MAJOR);
    assert_int_equal(minor, OCT_VERSION_MINOR);
    assert_int_equal(patch, OCT_VERSION_PATCH);
}

static void every_result_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = OCT_OK; a <= OCT_ERROR_ABSENT + 1; a++) {
        for (int b = OCT_OK; b < a; b++) {
            assert_string_not_equal(oct_result_text((oct_result)a), oct_result_text((oct_result)b));
        }
    }
}

static void an_error_holds_place_and_message(void **state)
{
    (void)state;
    oct_error error;
    oct_error_set(&error, UINT64_C(1) << 40, 7, 3, "expected %d cells, got \"%s\"", 64, "many");
    assert_true(error.offset == UINT64_C(1) << 40);
    assert_int_equal(error.line, 7);
    assert_int_equal(error.column, 3);
    assert_string_equal(error.message, "expected 64 cells, got \"many\"");
    oct_error_set(NULL, 0, 0, 0, "nobody listens");
}

static void a_message_too_long_is_cut(void **state)
{
    (void)state;
    char text[400];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    oct_error error;
    oct_error_set(&error, 0, 0, 0, "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_memory_equal(error.message, text, sizeof error.message - 1);
}

// ---- memory ----

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    size_t out = 5;
    assert_false(oct_size_add(SIZE_MAX, 1, &out));
    assert_false(oct_size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_false(oct_size_mul(SIZE_MAX / 16, 32, &out));
    assert_int_equal(out, 5);
    assert_true(oct_size_add(SIZE_MAX - 1, 1, &out));
    assert_true(out == SIZE_MAX);
    assert_true(oct_size_mul(SIZE_MAX / 3, 3, &out));
    assert_true(out == SIZE_MAX / 3 * 3);
    assert_true(oct_size_mul(0, SIZE_MAX, &out));
    assert_int_equal(out, 0);
}

static void the_default_allocator_keeps_every_alignment(void **state)
{
    (void)state;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 1; size < 300; size += 37) {
            void *bytes = oct_alloc(&allocator, size, align);
            assert_non_null(bytes);
            assert_int_equal((uintptr_t)bytes & (align - 1), 0);
            memset(bytes, 1, size);
            oct_free(&allocator, bytes, size);
        }
    }
    oct_free(&allocator, NULL, 0);
    assert_null(oct_alloc(&allocator, SIZE_MAX, 64));
}

static void a_given_allocator_is_used_as_it_is(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    const oct_allocator copy = oct_allocator_or_default(&memory.allocator);
    void *bytes = oct_alloc(&copy, 10, 8);
    assert_non_null(bytes);
    assert_int_equal(memory.live_bytes, 10);
    assert_int_equal((uintptr_t)bytes & 15, 8);
    oct_free(&copy, bytes, 10);
    test_allocator_check_empty(&memory);
    assert_int_equal(memory.peak_bytes, 10);
}

// ---- arrays ----

typedef struct triple {
    uint32_t a, b, c;
} triple;

static void an_array_keeps_what_is_pushed(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_array array = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        const triple item = {i, i * i, ~i};
        assert_int_equal(oct_array_push(&array, &memory.allocator, sizeof item, &item), OCT_OK);
    }
    assert_int_equal(array.count, 5000);
    assert_int_equal(memory.live_bytes, array.capacity * sizeof(triple));
    const triple *items = array.items;
    for (uint32_t i = 0; i < 5000; i++) {
        assert_true(items[i].a == i && items[i].b == i * i && items[i].c == ~i);
    }
    assert_true(memory.allocations < 30);
    oct_array_free(&array, &memory.allocator, sizeof(triple));
    assert_true(array.count == 0 && array.capacity == 0 && !array.items);
    test_allocator_check_empty(&memory);
}

static void a_reserved_array_allocates_no_more(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_array array = {0};
    assert_int_equal(oct_array_reserve(&array, &memory.allocator, sizeof(triple), 1000), OCT_OK);
    assert_int_equal(array.capacity, 1000);
    assert_int_equal(oct_array_reserve(&array, &memory.allocator, sizeof(triple), 10), OCT_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        const triple item = {i, 0, 0};
        assert_int_equal(oct_array_push(&array, &memory.allocator, sizeof item, &item), OCT_OK);
    }
    assert_int_equal(memory.allocations, 1);
    oct_array_free(&array, &memory.allocator, sizeof(triple));
    test_allocator_check_empty(&memory);
}

static void items_of_whole_cache_lines_begin_on_one(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    for (size_t lines = 1; lines <= 3; lines++) {
        const size_t item_size = lines * OCT_CACHE_LINE;
        oct_array array = {0};
        for (int i = 0; i < 5; i++) {
            array.count = array.capacity;
            assert_int_equal(oct_array_grow(&array, &memory.allocator, item_size), OCT_OK);
            assert_int_equal((uintptr_t)array.items % OCT_CACHE_LINE, 0);
        }
        oct_array_free(&array, &memory.allocator, item_size);
    }
    test_allocator_check_empty(&memory);
}

static void an_array_that_cannot_grow_is_as_it_was(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_array array = {0};
    const triple item = {1, 2, 3};
    assert_int_equal(oct_array_push(&array, &memory.allocator, sizeof item, &item), OCT_OK);
    const oct_array before = array;
    assert_int_equal(oct_array_reserve(&array, &memory.allocator, sizeof item, SIZE_MAX / 2),
                     OCT_ERROR_MEMORY);
    assert_int_equal(memory.allocations, 1);
    memory.fail_at = 1;
    assert_int_equal(oct_array_reserve(&array, &memory.allocator, sizeof item, 100),
                     OCT_ERROR_MEMORY);
    assert_true(array.items == before.items && array.count == 1);
    assert_int_equal(array.capacity, before.capacity);
    assert_memory_equal(array.items, &item, sizeof item);
    oct_array_free(&array, &memory.allocator, sizeof item);
    test_allocator_check_empty(&memory);
}

static oct_result push_many(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_array array = {0};
    oct_result result = OCT_OK;
    for (uint32_t i = 0; result == OCT_OK && i < 1000; i++) {
        result = oct_array_push(&array, allocator, sizeof i, &i);
        assert_int_equal(array.count, result == OCT_OK ? i + 1 : i);
    }
    for (uint32_t i = 0; i < array.count; i++) {
        assert_int_equal(((const uint32_t *)array.items)[i], i);
    }
    oct_array_free(&array, allocator, sizeof(uint32_t));
    return result;
}

static void an_array_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(test_each_failure(push_many, NULL) > 5);
}

// ---- arena ----

typedef struct piece {
    unsigned char *bytes;
    size_t size;
} piece;

// Takes pieces of many sizes and alignments, fills each with its own number, and looks at the end
// whether all still hold it: none overlap.
static oct_result fill_arena(oct_arena *arena, uint64_t seed)
{
    enum { PIECES = 500 };
    piece pieces[PIECES];
    oct_random random = oct_random_seed(seed);
    int count = 0;
    for (; count < PIECES; count++) {
        const size_t align = (size_t)1 << oct_random_below(&random, 9);
        const bool large = oct_random_below(&random, 50) == 0;
        const size_t size = (size_t)oct_random_below(&random, large ? 20000 : 100);
        unsigned char *bytes = oct_arena_alloc(arena, size, align);
        if (!bytes) {
            break;
        }
        assert_int_equal((uintptr_t)bytes & (align - 1), 0);
        memset(bytes, count & 255, size);
        pieces[count] = (piece){bytes, size};
    }
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; k < pieces[i].size; k++) {
            if (pieces[i].bytes[k] != (i & 255)) {
                fail_msg("seed %llu: piece %d was overwritten", (unsigned long long)seed, i);
            }
        }
    }
    return count == PIECES ? OCT_OK : OCT_ERROR_MEMORY;
}

static void pieces_of_an_arena_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_arena arena;
    oct_arena_init(&arena, &memory.allocator);
    assert_int_equal(memory.allocations, 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_int_equal(fill_arena(&arena, seed), OCT_OK);
        oct_arena_reset(&arena);
    }
    oct_arena_free(&arena);
    test_allocator_check_empty(&memory);
}

static void an_arena_that_was_reset_repeats_its_work_without_allocating(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_arena arena;
    oct_arena_init(&arena, &memory.allocator);
    assert_int_equal(fill_arena(&arena, 1), OCT_OK);
    const size_t warm = memory.allocations;
    assert_true(warm < 12);
    for (int round = 0; round < 5; round++) {
        oct_arena_reset(&arena);
        assert_int_equal(fill_arena(&arena, 1), OCT_OK);
    }
    assert_int_equal(memory.allocations, warm);
    oct_arena_free(&arena);
    test_allocator_check_empty(&memory);
    assert_int_equal(fill_arena(&arena, 2), OCT_OK);
    oct_arena_free(&arena);
    test_allocator_check_empty(&memory);
}

static void a_first_piece_of_any_alignment_fits_in_its_chunk(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    for (size_t align = 1; align <= 65536; align *= 2) {
        oct_arena arena;
        oct_arena_init(&arena, &memory.allocator);
        void *bytes = oct_arena_alloc(&arena, 65536, align);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes & (align - 1), 0);
        memset(bytes, 1, 65536);
        oct_arena_free(&arena);
    }
    test_allocator_check_empty(&memory);
}

static void an_arena_refuses_what_no_memory_can_hold(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_arena arena;
    oct_arena_init(&arena, &memory.allocator);
    assert_null(oct_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(oct_arena_alloc(&arena, SIZE_MAX - 8, 64));
    assert_int_equal(memory.allocations, 0);
    assert_non_null(oct_arena_alloc(&arena, 8, 8));
    assert_null(oct_arena_alloc(&arena, SIZE_MAX - 100, 1));
    assert_int_equal(fill_arena(&arena, 3), OCT_OK);
    oct_arena_free(&arena);
    test_allocator_check_empty(&memory);
}

static oct_result use_arena(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_arena arena;
    oct_arena_init(&arena, allocator);
    const oct_result result = fill_arena(&arena, 4);
    oct_arena_free(&arena);
    return result;
}

static void an_arena_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(test_each_failure(use_arena, NULL) > 2);
}

// ---- heap ----

static int compare_entries(const void *left, const void *right)
{
    const oct_heap_entry *a = left, *b = right;
    if (a->f != b->f) {
        return a->f < b->f ? -1 : 1;
    }
    if (a->g != b->g) {
        return a->g > b->g ? -1 : 1;
    }
    return a->key < b->key ? -1 : a->key > b->key;
}

// Few values of f and g, so that ties are the rule; the key alone is unique, and the id names it.
static oct_heap_entry random_entry(oct_random *random, uint32_t number)
{
    return (oct_heap_entry){oct_random_range(random, 0, 6), oct_random_range(random, 0, 2),
                            number * UINT64_C(0x9e3779b97f4a7c15), number};
}

static void a_heap_gives_entries_by_f_then_larger_g_then_key(void **state)
{
    (void)state;
    enum { MOST = 700 };
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_heap heap = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        oct_random random = oct_random_seed(seed);
        oct_heap_entry sorted[MOST];
        const uint32_t count = (uint32_t)oct_random_below(&random, MOST);
        for (uint32_t i = 0; i < count; i++) {
            sorted[i] = random_entry(&random, i);
            assert_int_equal(oct_heap_push(&heap, &memory.allocator, sorted[i]), OCT_OK);
        }
        qsort(sorted, count, sizeof sorted[0], compare_entries);
        for (uint32_t i = 0; i < count; i++) {
            if (oct_heap_pop(&heap).id != sorted[i].id) {
                fail_msg("seed %llu: wrong entry at %u", (unsigned long long)seed, i);
            }
        }
        assert_int_equal(heap.entries.count, 0);
    }
    oct_array_free(&heap.entries, &memory.allocator, sizeof(oct_heap_entry));
    test_allocator_check_empty(&memory);
}

static void a_heap_under_mixed_pushes_and_pops_always_gives_the_least(void **state)
{
    (void)state;
    const uint64_t seed = 2001;
    oct_random random = oct_random_seed(seed);
    const oct_allocator allocator = oct_allocator_default();
    oct_heap heap = {0};
    oct_heap_entry plain[64];
    uint32_t count = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        if (count < 64 && (count == 0 || oct_random_below(&random, 2) == 0)) {
            plain[count] = random_entry(&random, step);
            assert_int_equal(oct_heap_push(&heap, &allocator, plain[count]), OCT_OK);
            count++;
            continue;
        }
        uint32_t least = 0;
        for (uint32_t i = 1; i < count; i++) {
            least = compare_entries(&plain[i], &plain[least]) < 0 ? i : least;
        }
        if (oct_heap_pop(&heap).id != plain[least].id) {
            fail_msg("seed %llu: wrong entry at step %u", (unsigned long long)seed, step);
        }
        plain[least] = plain[--count];
    }
    oct_array_free(&heap.entries, &allocator, sizeof(oct_heap_entry));
}

static oct_result use_heap(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_random random = oct_random_seed(2002);
    oct_heap heap = {0};
    oct_result result = OCT_OK;
    size_t pushed = 0;
    for (uint32_t i = 0; result == OCT_OK && i < 500; i++) {
        result = oct_heap_push(&heap, allocator, random_entry(&random, i));
        pushed += result == OCT_OK;
    }
    assert_int_equal(heap.entries.count, pushed);
    oct_heap_entry last = {-10.0, 0.0, 0, 0};
    for (; pushed > 0; pushed--) {
        const oct_heap_entry next = oct_heap_pop(&heap);
        assert_true(compare_entries(&last, &next) < 0);
        last = next;
    }
    oct_array_free(&heap.entries, allocator, sizeof(oct_heap_entry));
    return result;
}

static void a_heap_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(test_each_failure(use_heap, NULL) > 5);
}

// ---- random numbers ----

static void random_numbers_are_those_their_authors_publish(void **state)
{
    (void)state;
    // splitmix64 from 0; xoshiro256** from the state 1, 2, 3, 4.
    static const uint64_t seeded[4] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                       UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)};
    static const uint64_t drawn[4] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    const oct_random zero = oct_random_seed(0);
    oct_random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 4; i++) {
        assert_true(zero.state[i] == seeded[i]);
        assert_true(oct_random_next(&random) == drawn[i]);
    }
}

static void numbers_below_n_come_equally_often(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 40; n++) {
        oct_random random = oct_random_seed(n);
        uint32_t counts[40] = {0};
        const uint32_t each = 2000;
        for (uint64_t i = 0; i < n * each; i++) {
            const uint64_t value = oct_random_below(&random, n);
            assert_true(value < n);
            counts[value]++;
        }
        for (uint64_t value = 0; value < n; value++) {
            // Five standard deviations.
            if (fabs((double)counts[value] - each) > 5.0 * sqrt(each)) {
                fail_msg("seed %llu: %llu came %u times", (unsigned long long)n,
                         (unsigned long long)value, counts[value]);
            }
        }
    }
}

static void numbers_below_three_quarters_of_all_have_no_bias(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2003);
    const uint64_t third = UINT64_C(1) << 62;
    int counts[3] = {0};
    for (int i = 0; i < 30000; i++) {
        counts[oct_random_below(&random, 3 * third) / third]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_in_range(counts[i], 10000 - 450, 10000 + 450);
    }
}

static void a_range_reaches_both_its_ends_and_no_further(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2004);
    bool seen[5] = {false};
    for (int i = 0; i < 1000; i++) {
        const int32_t value = oct_random_range(&random, -2, 2);
        assert_true(value >= -2 && value <= 2);
        seen[value + 2] = true;
        assert_int_equal(oct_random_range(&random, 7, 7), 7);
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3] && seen[4]);
    int negative = 0;
    for (int i = 0; i < 1000; i++) {
        negative += oct_random_range(&random, INT32_MIN, INT32_MAX) < 0;
    }
    assert_in_range(negative, 400, 600);
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

// The largest gap between the samples' distribution and the true one (Kolmogorov, Smirnov), in
// units of what chance allows: above 1.95 once in a thousand seeds.
static double distribution_gap(double *samples, size_t count, double (*cumulative)(double))
{
    qsort(samples, count, sizeof *samples, compare_doubles);
    double gap = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double truth = cumulative(samples[i]);
        gap = fmax(gap, fabs((double)i / (double)count - truth));
        gap = fmax(gap, fabs((double)(i + 1) / (double)count - truth));
    }
    return gap * sqrt((double)count);
}

static double cumulative_unit(double x)
{
    return x;
}

static double cumulative_normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static void uniform_and_normal_numbers_follow_their_distributions(void **state)
{
    (void)state;
    const size_t count = 200000;
    double *samples = malloc(count * sizeof *samples);
    assert_non_null(samples);
    oct_random random = oct_random_seed(2005);
    for (size_t i = 0; i < count; i++) {
        samples[i] = oct_random_unit(&random);
        assert_true(samples[i] >= 0.0 && samples[i] < 1.0);
    }
    assert_true(distribution_gap(samples, count, cumulative_unit) < 1.95);
    size_t beyond_three = 0;
    for (size_t i = 0; i < count; i++) {
        samples[i] = oct_random_normal(&random);
        beyond_three += fabs(samples[i]) > 3.0;
    }
    assert_true(distribution_gap(samples, count, cumulative_normal) < 1.95);
    // 540 are expected beyond three standard deviations; sums of a few uniforms fall short here.
    assert_in_range(beyond_three, 425, 655);
    free(samples);
}

// The same bits from every compiler at every level. A new hash needs a reason in its commit.
static void normal_numbers_have_the_golden_hash(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2006);
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a, by words
    for (int i = 0; i < 100000; i++) {
        const double value = oct_random_normal(&random);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    const uint64_t golden = UINT64_C(0x55807f5c92b60645);
    if (hash != golden) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(every_result_has_a_text_of_its_own),
        cmocka_unit_test(an_error_holds_place_and_message),
        cmocka_unit_test(a_message_too_long_is_cut),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(the_default_allocator_keeps_every_alignment),
        cmocka_unit_test(a_given_allocator_is_used_as_it_is),
        cmocka_unit_test(an_array_keeps_what_is_pushed),
        cmocka_unit_test(a_reserved_array_allocates_no_more),
        cmocka_unit_test(items_of_whole_cache_lines_begin_on_one),
        cmocka_unit_test(an_array_that_cannot_grow_is_as_it_was),
        cmocka_unit_test(an_array_survives_every_failing_allocation),
        cmocka_unit_test(pieces_of_an_arena_are_aligned_and_do_not_overlap),
        cmocka_unit_test(an_arena_that_was_reset_repeats_its_work_without_allocating),
        cmocka_unit_test(a_first_piece_of_any_alignment_fits_in_its_chunk),
        cmocka_unit_test(an_arena_refuses_what_no_memory_can_hold),
        cmocka_unit_test(an_arena_survives_every_failing_allocation),
        cmocka_unit_test(a_heap_gives_entries_by_f_then_larger_g_then_key),
        cmocka_unit_test(a_heap_under_mixed_pushes_and_pops_always_gives_the_least),
        cmocka_unit_test(a_heap_survives_every_failing_allocation),
        cmocka_unit_test(random_numbers_are_those_their_authors_publish),
        cmocka_unit_test(numbers_below_n_come_equally_often),
        cmocka_unit_test(numbers_below_three_quarters_of_all_have_no_bias),
        cmocka_unit_test(a_range_reaches_both_its_ends_and_no_further),
        cmocka_unit_test(uniform_and_normal_numbers_follow_their_distributions),
        cmocka_unit_test(normal_numbers_have_the_golden_hash),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
