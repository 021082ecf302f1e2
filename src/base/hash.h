// SPDX-License-Identifier: MIT
// Hashes of words, for tables and for fingerprints that must be the same on every machine.
#ifndef OCTANT_HASH_H
#define OCTANT_HASH_H

#include "base/base_internal.h"

// 2^64 divided by the golden ratio: neighbouring words end up far apart (Knuth, volume 3, 6.4).
#define OCT_HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

// A word, spread over all bits; the lower half serves tables.
OCT_FORCE_INLINE uint64_t oct_hash_word(uint64_t word)
{
    word = (word ^ word >> 32) * OCT_HASH_FACTOR;
    return word ^ word >> 32;
}

// Two words; the upper half is the better one.
OCT_FORCE_INLINE uint64_t oct_hash_pair(uint64_t a, uint64_t b)
{
    a *= OCT_HASH_FACTOR;
    return ((a ^ a >> 32) + b) * UINT64_C(0xd6e8feb86659fd93);
}

// A fingerprint of a sequence: `hash` so far, and one more word.
OCT_FORCE_INLINE uint64_t oct_hash_add(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * OCT_HASH_FACTOR;
}

#endif
