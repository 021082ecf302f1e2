// SPDX-License-Identifier: MIT
// Linear equations over GF(2) about one door, kept solved: rows in reduced row echelon form.
//
// The unknowns are columns: column 0 is how the door was before all presses, column 1 + b is the
// link of button b. A sighting is one equation: column 0 and those of all buttons pressed an odd
// number of times so far add up to the state seen. So no sighting is special, not even the first:
// what is certain is what the rows span.
#ifndef OCTANT_LINK_ROWS_H
#define OCTANT_LINK_ROWS_H

#include "base/base_internal.h"
#include "octant/links.h"

#define LINK_WORDS_MAX ((OCT_LINKS_BUTTONS_MAX + 1 + 63) / 64)
#define LINK_NONE UINT32_MAX

// What a row adds up to, and where it comes from.
typedef struct link_head {
    uint32_t pivot;    // its lowest column, which no other row has
    uint32_t sighting; // the one that the row came in with
    bool value;
} link_head;

// All zero is no equations. Behind the columns of a row is the set of the rows, by their order of
// coming in, whose sightings it was added up from.
typedef struct link_rows {
    oct_array heads; // link_head
    uint64_t *bits;  // of each row `words` of columns, then `words` of rows
    uint32_t words;
    uint32_t capacity; // rows that `bits` has room for
    bool odd;          // two equations contradict each other
} link_rows;

OCT_FORCE_INLINE bool link_bit(const uint64_t *bits, uint32_t at)
{
    return bits[at / 64] >> at % 64 & 1;
}

OCT_FORCE_INLINE void link_flip(uint64_t *bits, uint32_t at)
{
    bits[at / 64] ^= UINT64_C(1) << at % 64;
}

// Makes room for one more equation of so many words; words never fall from call to call.
oct_result oct_link_rows_reserve(link_rows *rows, const oct_allocator *allocator, uint32_t words);

// Adds an equation, for which there must be room unless it follows from the others: as many words
// as the rows have.
void oct_link_rows_add(link_rows *rows, const uint64_t *columns, bool value, uint32_t sighting);

// Forgets all equations and keeps the memory: there is room for as many as were independent.
void oct_link_rows_clear(link_rows *rows);
void oct_link_rows_free(link_rows *rows, const oct_allocator *allocator);

// Takes out of a sum of columns, of at least the rows' words, what is certain, and adds that to
// *value. What remains is 0 if and only if all of the sum is certain.
void oct_link_rows_reduce(const link_rows *rows, uint64_t *columns, bool *value);

// The row with a pivot, or LINK_NONE.
uint32_t oct_link_rows_find(const link_rows *rows, uint32_t pivot);
// Whether a row is its pivot alone.
bool oct_link_rows_is_single(const link_rows *rows, uint32_t row);

OCT_FORCE_INLINE const link_head *link_rows_head(const link_rows *rows, uint32_t row)
{
    return (const link_head *)rows->heads.items + row;
}

OCT_FORCE_INLINE const uint64_t *link_rows_columns(const link_rows *rows, uint32_t row)
{
    return rows->bits + (size_t)row * 2 * rows->words;
}

// Whether the sighting that row `other` came in with is one of those that a row was added up from.
OCT_FORCE_INLINE bool link_rows_has(const link_rows *rows, uint32_t row, uint32_t other)
{
    return link_bit(link_rows_columns(rows, row) + rows->words, other);
}

// Whether the rows are in reduced row echelon form. For tests.
bool oct_link_rows_is_valid(const link_rows *rows);

#endif
