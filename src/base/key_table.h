// SPDX-License-Identifier: MIT
// A hash table from lattice keys to numbers, emptied in constant time.
//
// A slot holds its key, so that looking one up touches one cache line; a slot that bears another
// stamp than the table's is empty. The table begins small after it was emptied, whatever its
// memory, so that few keys stay in few cache lines: the table of n slots is those from n to 2 n,
// and growing goes on to the next ones.
#ifndef OCTANT_KEY_TABLE_H
#define OCTANT_KEY_TABLE_H

#include "base/hash.h"

typedef struct lattice_key {
    int32_t x, y, z;
    uint32_t w; // what else tells keys of one place apart
} lattice_key;

typedef struct key_slot {
    lattice_key key;
    uint32_t value;
    uint32_t stamp;
} key_slot;

// All zero is an empty table.
typedef struct key_table {
    key_slot *memory;
    size_t room;       // slots of the memory: a power of two, or 0
    key_slot *slots;   // of them the table's
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
    uint32_t stamp; // never 0 once there are slots
} key_table;

OCT_FORCE_INLINE uint32_t key_hash(lattice_key key)
{
    const uint64_t xy = (uint64_t)(uint32_t)key.x << 32 | (uint32_t)key.y;
    const uint64_t zw = (uint64_t)(uint32_t)key.z << 32 | key.w;
    uint64_t mixed = (xy * OCT_HASH_FACTOR) ^ (zw * UINT64_C(0xc2b2ae3d27d4eb4f));
    mixed ^= mixed >> 29;
    return (uint32_t)(mixed * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

OCT_FORCE_INLINE bool key_equal(lattice_key a, lattice_key b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// The slot of a key, or the empty one where it belongs; there must be room.
OCT_FORCE_INLINE key_slot *key_table_slot(const key_table *table, lattice_key key)
{
    const uint32_t mask = table->capacity - 1u;
    uint32_t at = key_hash(key) & mask;
    while (table->slots[at].stamp == table->stamp && !key_equal(table->slots[at].key, key)) {
        at = (at + 1u) & mask;
    }
    return &table->slots[at];
}

// Whether a slot is in use.
OCT_FORCE_INLINE bool key_slot_is_used(const key_table *table, const key_slot *slot)
{
    return slot->stamp == table->stamp;
}

// Fills an empty slot.
OCT_FORCE_INLINE void key_slot_fill(key_table *table, key_slot *slot, lattice_key key,
                                    uint32_t value)
{
    *slot = (key_slot){key, value, table->stamp};
    table->count++;
}

// Makes room for `more` keys; slots move. On failure nothing has changed.
oct_result oct_key_table_reserve_more(key_table *table, const oct_allocator *allocator,
                                      uint32_t more);

OCT_FORCE_INLINE oct_result oct_key_table_reserve(key_table *table, const oct_allocator *allocator,
                                                  uint32_t more)
{
    return OCT_LIKELY(2 * ((uint64_t)table->count + more) <= table->capacity)
               ? OCT_OK
               : oct_key_table_reserve_more(table, allocator, more);
}

// Empties it, keeping the memory.
void oct_key_table_clear(key_table *table);

size_t oct_key_table_bytes(const key_table *table);
void oct_key_table_free(key_table *table, const oct_allocator *allocator);

#endif
