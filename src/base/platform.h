// SPDX-License-Identifier: MIT
// The one place for what is not plain C17: inlining, bit counting, 128-bit integers, BMI2, aligned
// memory. And the place that refuses compilers and options under which results would not be the
// same bits as everywhere else: every source file comes by here.
#ifndef OCTANT_PLATFORM_H
#define OCTANT_PLATFORM_H

#include <assert.h>
#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

#if !defined(__GNUC__)
#error "Octant needs gcc or clang: forced inlining and 128-bit integers come from here"
#elif !defined(__SIZEOF_INT128__)
#error "Octant needs integers of 128 bits: a 64-bit machine, or wasm32"
#endif

// ---- the same bits everywhere ----

// x87 keeps intermediate results in 80 bits. 1 is as good as 0: it is about float, which no result
// depends on.
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "Octant needs arithmetic in double: x87 (-mfpmath=387) has 80 bits"
#endif

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "Octant cannot be compiled with -ffast-math or a part of it: results would differ"
#endif

// A fused multiply-add rounds once instead of twice. gcc fuses unless it is told to follow the
// standard (-std=c17), and says so with __GCC_IEC_559: 0 also for each part of -ffast-math.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error "Octant cannot be compiled with parts of -ffast-math, nor with -ffp-contract=fast"
#elif defined(__FP_FAST_FMA) && !defined(__STRICT_ANSI__)
#error "Octant needs -std=c17 here: with -std=gnu17 gcc fuses multiplications and additions"
#endif

// ---- extensions ----

// Our own mistakes and broken preconditions of hot accessors; gone with NDEBUG.
#define OCT_ASSERT(condition) assert(condition)

// Bytes that the processor fetches together.
#define OCT_CACHE_LINE 64

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

// Memory aligned to a power of two, or NULL; given back by oct_aligned_free.
OCT_FORCE_INLINE void *oct_aligned_alloc(size_t size, size_t align)
{
    // So large is nothing, and not every C library looks before it adds.
    if (size > PTRDIFF_MAX) {
        return NULL;
    }
#if defined(_WIN32)
    return _aligned_malloc(size, align);
#else
    if (align <= _Alignof(max_align_t)) {
        return malloc(size);
    }
    // Not every C library takes a size that is no multiple of the alignment.
    return aligned_alloc(align, (size + align - 1) & ~(align - 1));
#endif
}

OCT_FORCE_INLINE void oct_aligned_free(void *memory)
{
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

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
