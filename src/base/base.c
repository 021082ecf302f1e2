// SPDX-License-Identifier: MIT
// Version, default allocator, arrays, the heap and random numbers.
#include "base/hash.h"

#define TEXT(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *oct_version(void)
{
    return VERSION_TEXT(OCT_VERSION_MAJOR, OCT_VERSION_MINOR, OCT_VERSION_PATCH);
}

// ---- memory ----

static void *default_alloc(void *ctx, size_t size, size_t align)
{
    (void)ctx;
    return oct_aligned_alloc(size, align);
}

static void default_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)size;
    oct_aligned_free(ptr);
}

oct_allocator oct_allocator_default(void)
{
    return (oct_allocator){default_alloc, default_free, NULL};
}

oct_allocator oct_allocator_or_default(const oct_allocator *may_be_null)
{
    return may_be_null ? *may_be_null : oct_allocator_default();
}

// ---- arrays ----

oct_result oct_array_reserve(oct_array *array, const oct_allocator *allocator, size_t item_size,
                             size_t capacity)
{
    if (capacity <= array->capacity) {
        return OCT_OK;
    }
    size_t bytes;
    if (!oct_size_mul(capacity, item_size, &bytes)) {
        return OCT_ERROR_MEMORY;
    }
    const size_t align = item_size % OCT_CACHE_LINE == 0 ? OCT_CACHE_LINE : _Alignof(max_align_t);
    void *items = oct_alloc(allocator, bytes, align);
    if (!items) {
        return OCT_ERROR_MEMORY;
    }
    if (array->count > 0) {
        memcpy(items, array->items, array->count * item_size);
    }
    oct_free(allocator, array->items, array->capacity * item_size);
    array->items = items;
    array->capacity = capacity;
    return OCT_OK;
}

oct_result oct_array_grow(oct_array *array, const oct_allocator *allocator, size_t item_size)
{
    const size_t step = array->capacity / 2 + 8;
    size_t capacity;
    if (!oct_size_add(array->capacity, step, &capacity)) {
        return OCT_ERROR_MEMORY;
    }
    return oct_array_reserve(array, allocator, item_size, capacity);
}

void oct_array_free(oct_array *array, const oct_allocator *allocator, size_t item_size)
{
    oct_free(allocator, array->items, array->capacity * item_size);
    *array = (oct_array){0};
}

// ---- heap ----

// Four children a node: with three pushes a pop, as a search has, 5 to 8 % faster than two for 300
// to 200000 pops. With one push a pop they are equal up to 10000 entries, and two are up to 10 %
// faster at 300000 with many ties; eight are slower than four throughout.
#define HEAP_ARITY 4

oct_result oct_heap_push(oct_heap *heap, const oct_allocator *allocator, oct_heap_entry entry)
{
    OCT_TRY(oct_array_push(&heap->entries, allocator, sizeof entry, &entry));
    oct_heap_entry *entries = heap->entries.items;
    size_t hole = heap->entries.count - 1;
    while (hole > 0) {
        const size_t parent = (hole - 1) / HEAP_ARITY;
        if (!oct_heap_before(&entry, &entries[parent])) {
            break;
        }
        entries[hole] = entries[parent];
        hole = parent;
    }
    entries[hole] = entry;
    return OCT_OK;
}

oct_heap_entry oct_heap_pop(oct_heap *heap)
{
    OCT_ASSERT(heap->entries.count > 0);
    oct_heap_entry *entries = heap->entries.items;
    const oct_heap_entry least = entries[0];
    const size_t count = --heap->entries.count;
    const oct_heap_entry last = entries[count];
    size_t hole = 0;
    for (size_t child = 1; child < count; child = hole * HEAP_ARITY + 1) {
        const size_t end = child + HEAP_ARITY < count ? child + HEAP_ARITY : count;
        size_t best = child;
        for (size_t i = child + 1; i < end; i++) {
            best = oct_heap_before(&entries[i], &entries[best]) ? i : best;
        }
        if (!oct_heap_before(&entries[best], &last)) {
            break;
        }
        entries[hole] = entries[best];
        hole = best;
    }
    entries[hole] = last;
    return least;
}

// ---- random numbers ----

oct_random oct_random_seed(uint64_t seed)
{
    // splitmix64: a Weyl sequence, each term scrambled by two multiplications.
    oct_random random;
    for (int i = 0; i < 4; i++) {
        seed += OCT_HASH_FACTOR;
        uint64_t mixed = seed;
        mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
        random.state[i] = mixed ^ mixed >> 31;
    }
    return random;
}

OCT_FORCE_INLINE uint64_t rotate_left(uint64_t bits, int by)
{
    return bits << by | bits >> (64 - by);
}

uint64_t oct_random_next(oct_random *random)
{
    uint64_t *s = random->state;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

// Draws as many bits as n - 1 has until they are below n: fewer than two draws on average.
uint64_t oct_random_below(oct_random *random, uint64_t n)
{
    OCT_ASSERT(n > 0);
    const uint32_t shift = 64 - oct_bit_length((n - 1) | 1);
    uint64_t value;
    do {
        value = oct_random_next(random) >> shift;
    } while (value >= n);
    return value;
}

int32_t oct_random_range(oct_random *random, int32_t lo, int32_t hi)
{
    OCT_ASSERT(lo <= hi);
    const uint64_t span = (uint64_t)((int64_t)hi - lo) + 1;
    return (int32_t)(lo + (int64_t)oct_random_below(random, span));
}

double oct_random_unit(oct_random *random)
{
    return (double)(oct_random_next(random) >> 11) * 0x1p-53;
}

// True with probability exp(-p), 0 <= p <= 1, after von Neumann: the length of the run
// p > u1 > u2 > ... is at least n with probability p^n / n!, so that it is even with
// 1 - p + p^2/2! - p^3/3! + ...
static bool happens_exp(oct_random *random, double p)
{
    bool even = true;
    for (double last = p, u; (u = oct_random_unit(random)) < last; last = u) {
        even = !even;
    }
    return even;
}

// C. F. F. Karney, "Sampling exactly from the normal distribution", ACM TOMS 42(1), 2016. The size
// is k + x: k at first with probability in proportion to exp(-k/2), then kept with
// exp(-k(k-1)/2), and x, uniform, kept with exp(-x(2k+x)/2), which makes exp(-(k+x)^2/2) in all.
// That last trial is k + 1 trials, whose exponents are then below 1.
double oct_random_normal(oct_random *random)
{
    for (;;) {
        int k = 0;
        while (happens_exp(random, 0.5)) {
            k++;
        }
        bool kept = true;
        for (int i = k * (k - 1); kept && i > 0; i--) {
            kept = happens_exp(random, 0.5);
        }
        const double x = oct_random_unit(random);
        const double part = x * (2 * k + x) / (2 * k + 2);
        for (int i = 0; kept && i <= k; i++) {
            kept = happens_exp(random, part);
        }
        if (kept) {
            return oct_random_next(random) >> 63 ? -(k + x) : k + x;
        }
    }
}

// ---- texts ----

char *oct_copy_text(const oct_allocator *allocator, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = oct_alloc(allocator, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

void oct_free_text(const oct_allocator *allocator, char *text)
{
    oct_free(allocator, text, text ? strlen(text) + 1 : 0);
}
