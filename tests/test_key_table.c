// SPDX-License-Identifier: MIT
// The table of lattice keys against a plain list.
#include "base/index_table.h"
#include "base/key_table.h"
#include "support.h"

#define KEYS_MAX 4000

typedef struct model {
    lattice_key keys[KEYS_MAX];
    uint32_t values[KEYS_MAX];
    uint32_t count;
} model;

static uint32_t model_find(const model *m, lattice_key key)
{
    uint32_t i = 0;
    while (i < m->count && !key_equal(m->keys[i], key)) {
        i++;
    }
    return i;
}

// Keys from few places, so that they come again, or from everywhere.
static lattice_key random_key(oct_random *random, int32_t reach)
{
    if (reach == 0) {
        return (lattice_key){(int32_t)oct_random_next(random), (int32_t)oct_random_next(random),
                             (int32_t)oct_random_next(random), (uint32_t)oct_random_next(random)};
    }
    return (lattice_key){
        oct_random_range(random, -reach, reach), oct_random_range(random, -reach, reach),
        oct_random_range(random, -reach, reach), (uint32_t)oct_random_below(random, 3)};
}

static void check_key(const key_table *table, const model *m, lattice_key key)
{
    const uint32_t at = model_find(m, key);
    const key_slot *const slot = key_table_slot(table, key);
    assert_int_equal(key_slot_is_used(table, slot), at < m->count);
    assert_true(at == m->count || slot->value == m->values[at]);
}

static void check_all(const key_table *table, const model *m)
{
    assert_int_equal(table->count, m->count);
    for (uint32_t i = 0; i < m->count; i++) {
        check_key(table, m, m->keys[i]);
    }
}

static void put(key_table *table, const oct_allocator *allocator, model *m, lattice_key key,
                uint32_t value)
{
    assert_int_equal(oct_key_table_reserve(table, allocator, 1), OCT_OK);
    check_key(table, m, key);
    key_slot *const slot = key_table_slot(table, key);
    if (!key_slot_is_used(table, slot)) {
        key_slot_fill(table, slot, key, value);
        m->keys[m->count] = key;
        m->values[m->count++] = value;
    }
}

static void tables_hold_what_was_put_in(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    static model m;
    key_table table = {0};
    oct_random random = oct_random_seed(1);
    static const int32_t reaches[] = {0, 2, 5, 20, 1000};
    oct_key_table_clear(&table);
    for (int round = 0; round < 60; round++) {
        const uint64_t keys = round % 20 == 0 ? KEYS_MAX : oct_random_below(&random, 400);
        const int32_t reach = reaches[round % 5];
        oct_key_table_clear(&table);
        m.count = 0;
        for (uint64_t i = 0; i < keys; i++) {
            put(&table, &heap, &m, random_key(&random, reach), (uint32_t)oct_random_next(&random));
        }
        check_all(&table, &m);
        for (int i = 0; i < 200 && table.capacity > 0; i++) {
            check_key(&table, &m, random_key(&random, reach));
        }
    }
    oct_key_table_free(&table, &heap);
    assert_int_equal(oct_key_table_bytes(&table), 0);
}

// Emptying takes a new stamp each time; after the last one there is the first again.
static void tables_can_be_emptied_for_ever(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    static model m;
    key_table table = {0};
    oct_random random = oct_random_seed(2);
    for (uint32_t start = 0; start < 4; start++) {
        // Slots still bear the lowest stamps, which come again after the wrap.
        table.stamp = start == 0 ? 0 : UINT32_MAX - start;
        for (int round = 0; round < 8; round++) {
            oct_key_table_clear(&table);
            m.count = 0;
            for (int i = 0; i < 300; i++) {
                put(&table, &heap, &m, random_key(&random, 3), (uint32_t)i);
            }
            check_all(&table, &m);
            assert_true(table.stamp != 0);
        }
    }
    oct_key_table_free(&table, &heap);
}

static void room_can_be_made_at_once(void **state)
{
    (void)state;
    test_allocator memory;
    static model m;
    key_table table = {0};
    oct_random random = oct_random_seed(3);
    m.count = 0;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(oct_key_table_reserve(&table, &memory.allocator, 3000), OCT_OK);
    assert_int_equal(memory.live_bytes, oct_key_table_bytes(&table));
    const size_t before = memory.allocations;
    for (uint32_t i = 0; i < 3000; i++) {
        put(&table, &memory.allocator, &m, random_key(&random, 0), i);
    }
    check_all(&table, &m);
    // Once there was room it is there, also after emptying.
    for (int round = 0; round < 3; round++) {
        oct_key_table_clear(&table);
        m.count = 0;
        for (uint32_t i = 0; i < 3000; i++) {
            put(&table, &memory.allocator, &m, random_key(&random, 0), i);
        }
    }
    check_all(&table, &m);
    assert_int_equal(memory.allocations, before);
    // More than there can be.
    assert_int_equal(oct_key_table_reserve(&table, &memory.allocator, UINT32_MAX),
                     OCT_ERROR_MEMORY);
    check_all(&table, &m);
    oct_key_table_free(&table, &memory.allocator);
    test_allocator_check_empty(&memory);
}

static void refused_memory_changes_nothing(void **state)
{
    (void)state;
    static model m;
    for (size_t fail_at = 0; fail_at < 6; fail_at++) {
        test_allocator memory;
        key_table table = {0};
        oct_random random = oct_random_seed(4);
        uint32_t refusals = 0;
        m.count = 0;
        test_allocator_init(&memory, fail_at);
        for (uint32_t i = 0; i < 2000; i++) {
            const oct_result result = oct_key_table_reserve(&table, &memory.allocator, 1);
            if (result != OCT_OK) {
                assert_int_equal(result, OCT_ERROR_MEMORY);
                refusals++;
                if (table.capacity > 0) {
                    check_all(&table, &m);
                }
            }
            put(&table, &memory.allocator, &m, random_key(&random, 9), i);
        }
        check_all(&table, &m);
        assert_int_equal(refusals, memory.refused);
        oct_key_table_free(&table, &memory.allocator);
        test_allocator_check_empty(&memory);
    }
}

// ---- tables of indices ----

enum { INDEX_KEYS = 400, INDEX_STEPS = 20000 };

// Ids in a row, and ids that differ in their upper bits alone.
static uint64_t index_key(uint32_t key)
{
    return key % 3 ? (uint64_t)key << 40 : key;
}

// Every index that the wanted has under a key is found, each once, and nothing else.
static void check_indices(const index_table *table, bool wanted[INDEX_KEYS][3])
{
    uint32_t count = 0;
    for (uint32_t key = 0; key < INDEX_KEYS; key++) {
        bool found[3] = {false, false, false};
        uint32_t at = INDEX_TABLE_BEGIN, index;
        while (index_table_next(table, index_key(key), &at, &index)) {
            assert_int_equal(index / 3, key);
            assert_false(found[index % 3]);
            found[index % 3] = true;
            count++;
        }
        assert_memory_equal(found, wanted[key], sizeof found);
        assert_int_equal(index_table_find(table, index_key(key), &index),
                         found[0] || found[1] || found[2]);
    }
    assert_int_equal(count, table->count);
}

// Puts and removes in any order, several indices under one key, and clearing.
static void indices_are_found_until_they_are_removed(void **state)
{
    (void)state;
    static bool wanted[INDEX_KEYS][3];
    test_allocator memory;
    test_allocator_init(&memory, SIZE_MAX);
    oct_random random = oct_random_seed(8);
    index_table table = {0};
    memset(wanted, 0, sizeof wanted);
    for (uint32_t i = 0; i < INDEX_STEPS; i++) {
        const uint32_t key = (uint32_t)oct_random_below(&random, INDEX_KEYS);
        const uint32_t which = (uint32_t)oct_random_below(&random, 3);
        bool *const has = &wanted[key][which];
        if (*has) {
            oct_index_table_remove(&table, index_key(key), 3 * key + which);
        } else {
            assert_int_equal(oct_index_table_reserve(&table, &memory.allocator, 1), OCT_OK);
            oct_index_table_put(&table, index_key(key), 3 * key + which);
        }
        *has = !*has;
        if (i == INDEX_STEPS / 2) {
            oct_index_table_clear(&table);
            memset(wanted, 0, sizeof wanted);
        }
        if (i % 500 == 0) {
            check_indices(&table, wanted);
        }
    }
    check_indices(&table, wanted);
    oct_index_table_free(&table, &memory.allocator);
    test_allocator_check_empty(&memory);
}

static void indices_stay_where_memory_is_refused(void **state)
{
    (void)state;
    for (size_t fail_at = 0; fail_at < 6; fail_at++) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        index_table table = {0};
        for (uint32_t i = 0; i < 500; i++) {
            while (oct_index_table_reserve(&table, &memory.allocator, 1) != OCT_OK) {
                for (uint32_t j = 0; j < i; j++) {
                    uint32_t index;
                    assert_true(index_table_find(&table, UINT64_MAX - j, &index));
                    assert_int_equal(index, j);
                }
            }
            oct_index_table_put(&table, UINT64_MAX - i, i);
        }
        oct_index_table_free(&table, &memory.allocator);
        test_allocator_check_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_what_was_put_in),
        cmocka_unit_test(tables_can_be_emptied_for_ever),
        cmocka_unit_test(room_can_be_made_at_once),
        cmocka_unit_test(refused_memory_changes_nothing),
        cmocka_unit_test(indices_are_found_until_they_are_removed),
        cmocka_unit_test(indices_stay_where_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
