// SPDX-License-Identifier: MIT
// The one place for what is not plain C17: inlining, bit counting, 128-bit integers, BMI2.
#ifndef OCTANT_PLATFORM_H
#define OCTANT_PLATFORM_H

#include <assert.h>
#include <stdint.h>

// Our own mistakes and broken preconditions of hot accessors; gone with NDEBUG.
#define OCT_ASSERT(condition) assert(condition)

// Bytes that the processor fetches together.
#define OCT_CACHE_LINE 64

#if defined(__GNUC__)

// One core is inlined into dozens of searches and edits. Without optimisation, or under a
// sanitizer, that makes nothing faster and takes ten times as long to compile: there each calls one
// copy.
#if defined(__OPTIMIZE__) && !defined(OCTANT_SANITIZED)
#define OCT_FORCE_INLINE static inline __attribute__((always_inline))
#else
#define OCT_FORCE_INLINE static inline
#endif
#define OCT_NO_INLINE __attribute__((noinline))
#define OCT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define OCT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define OCT_PRINTF(at, first) __attribute__((format(printf, at, first)))

// Asks for memory that will be read soon.
#define OCT_PREFETCH(address) __builtin_prefetch(address)

__extension__ typedef __int128 oct_int128;
__extension__ typedef unsigned __int128 oct_uint128;

// Index of the lowest set bit; bits != 0.
OCT_FORCE_INLINE uint32_t oct_lowest_bit(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

// Number of bits up to and including the highest set one; 0 for 0.
OCT_FORCE_INLINE uint32_t oct_bit_length(uint64_t bits)
{
    return bits ? 64u - (uint32_t)__builtin_clzll(bits) : 0u;
}

OCT_FORCE_INLINE uint32_t oct_bit_count(uint64_t bits)
{
    return (uint32_t)__builtin_popcountll(bits);
}

// The upper half of the 128-bit product.
OCT_FORCE_INLINE uint64_t oct_multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)((oct_uint128)a * b >> 64);
}

#else
#error "Octant needs gcc or clang: forced inlining and 128-bit integers come from here"
#endif

#if defined(__BMI2__)
#include <immintrin.h>
#define OCT_HAS_BMI2 1

// Spreads the low bits of `bits` over the set bits of `mask`.
OCT_FORCE_INLINE uint64_t oct_deposit(uint64_t bits, uint64_t mask)
{
    return _pdep_u64(bits, mask);
}

// Gathers the bits of `bits` under the set bits of `mask`.
OCT_FORCE_INLINE uint64_t oct_extract(uint64_t bits, uint64_t mask)
{
    return _pext_u64(bits, mask);
}
#else
#define OCT_HAS_BMI2 0
#endif

// Forwards a failure to the caller.
#define OCT_TRY(expression)                                                                        \
    do {                                                                                           \
        const oct_result oct_try_result_ = (expression);                                           \
        if (oct_try_result_ != OCT_OK) {                                                           \
            return oct_try_result_;                                                                \
        }                                                                                          \
    } while (0)

#endif
