// SPDX-License-Identifier: MIT
// A hash table from 64-bit keys to indices of an array. Keys are ids, or hashes of names: then
// several indices may have one key, and the caller compares the names.
//
//   slot 16 bytes | open addressing, linear probing | at most 3/4 full
#ifndef OCTANT_INDEX_TABLE_H
#define OCTANT_INDEX_TABLE_H

#include "base/hash.h"

typedef struct index_slot {
    uint64_t key;
    uint32_t index; // + 1; 0 = empty
    uint32_t unused;
} index_slot;
_Static_assert(sizeof(index_slot) == 16, "four slots in a cache line");

// All zero is an empty table.
typedef struct index_table {
    index_slot *slots;
    uint32_t size; // a power of two, or 0
    uint32_t count;
} index_table;

// A position before the first slot of a key.
#define INDEX_TABLE_BEGIN UINT32_MAX

// The next index of a key; false where there is none left. *at begins as INDEX_TABLE_BEGIN.
OCT_FORCE_INLINE bool index_table_next(const index_table *table, uint64_t key, uint32_t *at,
                                       uint32_t *index)
{
    if (table->size == 0) {
        return false;
    }
    const uint32_t mask = table->size - 1u;
    uint32_t i = *at == INDEX_TABLE_BEGIN ? (uint32_t)oct_hash_word(key) & mask : (*at + 1u) & mask;
    for (; table->slots[i].index != 0; i = (i + 1u) & mask) {
        if (table->slots[i].key == key) {
            *at = i;
            *index = table->slots[i].index - 1u;
            return true;
        }
    }
    return false;
}

// The index of a key that stands for one index alone.
OCT_FORCE_INLINE bool index_table_find(const index_table *table, uint64_t key, uint32_t *index)
{
    uint32_t at = INDEX_TABLE_BEGIN;
    return index_table_next(table, key, &at, index);
}

// Makes room for `more` entries; on failure nothing has changed.
oct_result oct_index_table_reserve(index_table *table, const oct_allocator *allocator,
                                   uint32_t more);

// Enters an index; there must be room.
void oct_index_table_put(index_table *table, uint64_t key, uint32_t index);

// Takes out an index, which must be there under its key.
void oct_index_table_remove(index_table *table, uint64_t key, uint32_t index);

// Empties it, keeping the memory.
void oct_index_table_clear(index_table *table);

void oct_index_table_free(index_table *table, const oct_allocator *allocator);

#endif
