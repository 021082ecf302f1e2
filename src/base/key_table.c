// SPDX-License-Identifier: MIT
#include "base/key_table.h"

#define CAPACITY_MIN 256u
#define CAPACITY_MAX (1u << 30)

// Makes the memory hold a table of `capacity` slots beside the one there is.
static oct_result take_room(key_table *table, const oct_allocator *allocator, uint32_t capacity,
                            key_slot **out)
{
    const size_t room = 2 * (size_t)capacity;
    size_t bytes;
    if (!oct_size_mul(room, sizeof(key_slot), &bytes)) {
        return OCT_ERROR_MEMORY;
    }
    *out = oct_alloc(allocator, bytes, OCT_CACHE_LINE);
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    memset(*out, 0, bytes);
    table->stamp = table->stamp ? table->stamp : 1;
    return OCT_OK;
}

static oct_result grow(key_table *table, const oct_allocator *allocator, uint32_t capacity)
{
    key_slot *memory = table->memory;
    if (2 * (size_t)capacity > table->room) {
        OCT_TRY(take_room(table, allocator, capacity, &memory));
    }
    key_table grown = *table;
    grown.slots = memory + capacity;
    grown.capacity = capacity;
    grown.count = 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        const key_slot *const old = &table->slots[i];
        if (key_slot_is_used(table, old)) {
            key_slot_fill(&grown, key_table_slot(&grown, old->key), old->key, old->value);
        }
    }
    if (memory != table->memory) {
        oct_free(allocator, table->memory, table->room * sizeof(key_slot));
        grown.memory = memory;
        grown.room = 2 * (size_t)capacity;
    }
    *table = grown;
    return OCT_OK;
}

oct_result oct_key_table_reserve_more(key_table *table, const oct_allocator *allocator,
                                      uint32_t more)
{
    const uint64_t wanted = 2 * ((uint64_t)table->count + more);
    uint32_t capacity = table->capacity ? table->capacity : CAPACITY_MIN;
    while (capacity < wanted) {
        if (capacity == CAPACITY_MAX) {
            return OCT_ERROR_MEMORY;
        }
        capacity *= 2;
    }
    return capacity == table->capacity ? OCT_OK : grow(table, allocator, capacity);
}

void oct_key_table_clear(key_table *table)
{
    if (!table->memory) {
        return;
    }
    table->count = 0;
    table->capacity = CAPACITY_MIN;
    table->slots = table->memory + CAPACITY_MIN;
    if (++table->stamp == 0) {
        memset(table->memory, 0, table->room * sizeof(key_slot));
        table->stamp = 1;
    }
}

size_t oct_key_table_bytes(const key_table *table)
{
    return table->room * sizeof(key_slot);
}

void oct_key_table_free(key_table *table, const oct_allocator *allocator)
{
    oct_free(allocator, table->memory, table->room * sizeof(key_slot));
    *table = (key_table){.memory = NULL};
}
