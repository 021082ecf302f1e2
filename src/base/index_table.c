// SPDX-License-Identifier: MIT
#include "base/index_table.h"

#define SIZE_LEAST 16u

static uint32_t home_of(const index_table *table, uint64_t key)
{
    return (uint32_t)oct_hash_word(key) & (table->size - 1u);
}

oct_result oct_index_table_reserve(index_table *table, const oct_allocator *allocator,
                                   uint32_t more)
{
    const uint64_t wanted = (uint64_t)table->count + more;
    if (4u * wanted <= 3u * (uint64_t)table->size) {
        return OCT_OK;
    }
    uint64_t size = table->size ? 2u * (uint64_t)table->size : SIZE_LEAST;
    while (4u * wanted > 3u * size) {
        size *= 2u;
    }
    if (size > UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    const size_t bytes = (size_t)size * sizeof *table->slots;
    index_table larger = {.size = (uint32_t)size};
    larger.slots = oct_alloc(allocator, bytes, _Alignof(index_slot));
    if (!larger.slots) {
        return OCT_ERROR_MEMORY;
    }
    memset(larger.slots, 0, bytes);
    for (uint32_t i = 0; i < table->size; i++) {
        const index_slot *const s = &table->slots[i];
        if (s->index != 0) {
            oct_index_table_put(&larger, s->key, s->index - 1u);
        }
    }
    oct_index_table_free(table, allocator);
    *table = larger;
    return OCT_OK;
}

void oct_index_table_put(index_table *table, uint64_t key, uint32_t index)
{
    uint32_t at = home_of(table, key);
    while (table->slots[at].index != 0) {
        at = (at + 1u) & (table->size - 1u);
    }
    table->slots[at] = (index_slot){key, index + 1u, 0};
    table->count++;
}

// Those behind it move up where that brings them nearer to their homes: no marks are left behind.
void oct_index_table_remove(index_table *table, uint64_t key, uint32_t index)
{
    index_slot *const slots = table->slots;
    const uint32_t mask = table->size - 1u;
    uint32_t hole = home_of(table, key);
    while (slots[hole].key != key || slots[hole].index != index + 1u) {
        OCT_ASSERT(slots[hole].index != 0);
        hole = (hole + 1u) & mask;
    }
    for (uint32_t at = (hole + 1u) & mask; slots[at].index != 0; at = (at + 1u) & mask) {
        const uint32_t home = home_of(table, slots[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            slots[hole] = slots[at];
            hole = at;
        }
    }
    slots[hole].index = 0;
    table->count--;
}

void oct_index_table_clear(index_table *table)
{
    if (table->count > 0) {
        memset(table->slots, 0, table->size * sizeof *table->slots);
        table->count = 0;
    }
}

void oct_index_table_free(index_table *table, const oct_allocator *allocator)
{
    oct_free(allocator, table->slots, table->size * sizeof *table->slots);
    *table = (index_table){0};
}
