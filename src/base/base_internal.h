// SPDX-License-Identifier: MIT
// What every module shares: memory, sizes that cannot overflow, arrays, arenas, a heap, random
// numbers and messages about outside data.
//
// Memory comes from the oct_allocator that an object was given and from nowhere else. Whatever
// grows here grows before it changes: after OCT_ERROR_MEMORY it is as it was.
#ifndef OCTANT_BASE_INTERNAL_H
#define OCTANT_BASE_INTERNAL_H

#include "base/platform.h"
#include "octant/base.h"

#include <string.h>

// ---- memory ----

// A copy of the caller's allocator, or the C library's heap for NULL.
oct_allocator oct_allocator_or_default(const oct_allocator *may_be_null);

// Bytes that are not initialised, or NULL; size > 0, align a power of two.
OCT_FORCE_INLINE void *oct_alloc(const oct_allocator *allocator, size_t size, size_t align)
{
    OCT_ASSERT(size > 0 && align > 0 && (align & (align - 1)) == 0);
    return allocator->alloc(allocator->ctx, size, align);
}

// Gives back what oct_alloc returned, with the size that was asked for; NULL is allowed.
OCT_FORCE_INLINE void oct_free(const oct_allocator *allocator, void *ptr, size_t size)
{
    if (ptr) {
        allocator->free(allocator->ctx, ptr, size);
    }
}

// Frees items that nobody may write to any more.
static inline void oct_free_const(const oct_allocator *allocator, const void *items, size_t size)
{
    void *own;
    memcpy(&own, &items, sizeof own);
    oct_free(allocator, own, size);
}

// a + b and a * b; false, and *out as it was, where the result does not fit.
OCT_FORCE_INLINE bool oct_size_add(size_t a, size_t b, size_t *out)
{
    if (b > SIZE_MAX - a) {
        return false;
    }
    *out = a + b;
    return true;
}

OCT_FORCE_INLINE bool oct_size_mul(size_t a, size_t b, size_t *out)
{
    if (a != 0 && b > SIZE_MAX / a) {
        return false;
    }
    *out = a * b;
    return true;
}

// ---- arrays ----

// Items of one type in a row. All zero is an empty array; the item size and the allocator are the
// owner's to know and must be the same in every call. Items are aligned for any type; those
// of whole cache lines begin on one.
typedef struct oct_array {
    void *items;
    size_t count;
    size_t capacity;
} oct_array;

// Makes room for at least `capacity` items in all, exactly so many where it has to grow.
oct_result oct_array_reserve(oct_array *array, const oct_allocator *allocator, size_t item_size,
                             size_t capacity);

// Makes room for one more item, growing by half.
oct_result oct_array_grow(oct_array *array, const oct_allocator *allocator, size_t item_size);

// Appends a copy of an item, which must not be one of the array's own.
OCT_FORCE_INLINE oct_result oct_array_push(oct_array *array, const oct_allocator *allocator,
                                           size_t item_size, const void *item)
{
    if (OCT_UNLIKELY(array->count == array->capacity)) {
        OCT_TRY(oct_array_grow(array, allocator, item_size));
    }
    memcpy((char *)array->items + array->count * item_size, item, item_size);
    array->count++;
    return OCT_OK;
}

// Frees the items; the array is empty again.
void oct_array_free(oct_array *array, const oct_allocator *allocator, size_t item_size);

// ---- texts ----

// A copy, NULL where memory is short; freed by oct_free_text, which takes NULL too.
char *oct_copy_text(const oct_allocator *allocator, const char *text);
void oct_free_text(const oct_allocator *allocator, char *text);

// ---- arena ----

// Scratch memory that is given back all at once. Chunks come from an allocator and double in size;
// a reset keeps them, so that work that repeats soon allocates nothing.
typedef struct oct_arena {
    oct_allocator allocator;
    struct arena_chunk *first;   // all chunks, in the order in which they are filled
    struct arena_chunk *current; // the one being filled, or NULL
    size_t used;                 // bytes of it that are taken
    size_t next_size;            // of the next chunk
} oct_arena;

// Takes no memory yet; a copy of the allocator is kept, NULL = malloc.
void oct_arena_init(oct_arena *arena, const oct_allocator *may_be_null);

// Bytes that are not initialised and stay until the reset, or NULL; align a power of two.
void *oct_arena_alloc(oct_arena *arena, size_t size, size_t align);

// Everything handed out is void; the memory stays for the next use. Constant time.
void oct_arena_reset(oct_arena *arena);

// Gives all memory back; the arena may be used again.
void oct_arena_free(oct_arena *arena);

// ---- heap ----

// An entry carries its keys, so that ordering touches no other memory. Lower f first; then larger
// g; then lower key, a lattice key: never an address, an id or the order of pushing. f and g are
// not negative.
typedef struct oct_heap_entry {
    double f;
    double g;
    uint64_t key;
    uint32_t id;
} oct_heap_entry;
_Static_assert(sizeof(oct_heap_entry) == 32, "two entries in a cache line");

// Numbers that are not negative compare as their bits do: so f and g are compared as one number of
// 128 bits, without a branch, which in a search could not be foreseen.
OCT_FORCE_INLINE bool oct_heap_before(const oct_heap_entry *a, const oct_heap_entry *b)
{
    uint64_t bits[4];
    memcpy(&bits[0], &a->f, sizeof a->f);
    memcpy(&bits[1], &a->g, sizeof a->g);
    memcpy(&bits[2], &b->f, sizeof b->f);
    memcpy(&bits[3], &b->g, sizeof b->g);
    const oct_uint128 left = (oct_uint128)bits[0] << 64 | bits[3];
    const oct_uint128 right = (oct_uint128)bits[2] << 64 | bits[1];
    return (left < right) | ((left == right) & (a->key < b->key));
}

// A queue by least entry. All zero is an empty one; its array is reserved, emptied and freed as any
// array of oct_heap_entry. To decrease an entry, push it again and pass over the old one when it
// comes up.
typedef struct oct_heap {
    oct_array entries;
} oct_heap;

oct_result oct_heap_push(oct_heap *heap, const oct_allocator *allocator, oct_heap_entry entry);

// Takes out the least entry; there must be one.
oct_heap_entry oct_heap_pop(oct_heap *heap);

// ---- random numbers ----

// xoshiro256**, by Blackman and Vigna: the same numbers from the same seed everywhere.
typedef struct oct_random {
    uint64_t state[4];
} oct_random;

// Any seed will do: splitmix64 spreads it over the state.
oct_random oct_random_seed(uint64_t seed);

uint64_t oct_random_next(oct_random *random);

// Uniform in 0 ... n - 1 without bias; n > 0.
uint64_t oct_random_below(oct_random *random, uint64_t n);

// Uniform in lo ... hi, both included; lo <= hi.
int32_t oct_random_range(oct_random *random, int32_t lo, int32_t hi);

// Uniform in [0, 1), a multiple of 2^-53.
double oct_random_unit(oct_random *random);

// Standard normal, to the bit: Karney's exact sampling, which needs comparisons alone.
double oct_random_normal(oct_random *random);

// ---- outside data ----

// The value of bytes, lowest first.
OCT_FORCE_INLINE uint64_t oct_load_little(const uint8_t *at, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

// FNV-1a of 64 bits, by Fowler, Noll and Vo: the same number everywhere, in files too.
OCT_FORCE_INLINE uint64_t oct_hash_bytes(const void *data, size_t size)
{
    const uint8_t *at = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// The same of words of 64 bits in a row, the lowest byte of each first, whatever the machine's
// order.
OCT_FORCE_INLINE uint64_t oct_hash_words(const void *words, size_t count)
{
    const uint8_t *at = words;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++, at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        for (int shift = 0; shift < 64; shift += 8) {
            hash = (hash ^ (word >> shift & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

// Fills an error, if there is one to fill; a message that is too long is cut.
OCT_FORMAT(5, 6)
void oct_error_set(oct_error *may_be_null, uint64_t offset, uint32_t line, uint32_t column,
                   const char *format, ...);

// The same for a place in a text, of which line and column are counted only now.
void oct_error_set_at(oct_error *may_be_null, const char *data, size_t size, size_t at,
                      const char *message);

// Fills the error with an offset and a message; the value is OCT_ERROR_FORMAT.
#define OCT_REFUSE(error, offset, ...)                                                             \
    (oct_error_set((error), (offset), 0, 0, __VA_ARGS__), OCT_ERROR_FORMAT)

#endif
