// SPDX-License-Identifier: MIT
#include "agent/link_rows.h"

static uint64_t *row_bits(const link_rows *rows, size_t row)
{
    return rows->bits + row * 2 * rows->words;
}

static size_t bytes_of(size_t capacity, uint32_t words)
{
    return capacity * 2 * words * sizeof(uint64_t);
}

static uint32_t lowest_column(const uint64_t *columns, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        if (columns[i]) {
            return i * 64 + oct_lowest_bit(columns[i]);
        }
    }
    return LINK_NONE;
}

static void add_words(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        to[i] ^= from[i];
    }
}

oct_result oct_link_rows_reserve(link_rows *rows, const oct_allocator *allocator, uint32_t words)
{
    OCT_ASSERT(words >= rows->words && words <= LINK_WORDS_MAX);
    const size_t count = rows->heads.count;
    if (count == rows->heads.capacity) {
        OCT_TRY(oct_array_grow(&rows->heads, allocator, sizeof(link_head)));
    }
    if (count < rows->capacity && words == rows->words) {
        return OCT_OK;
    }
    // As many as there are heads: fits easily, for there are no more rows than columns.
    const size_t capacity = rows->heads.capacity;
    uint64_t *const bits = oct_alloc(allocator, bytes_of(capacity, words), _Alignof(uint64_t));
    if (!bits) {
        return OCT_ERROR_MEMORY;
    }
    memset(bits, 0, bytes_of(count, words));
    for (size_t i = 0; i < count; i++) {
        const uint64_t *const from = row_bits(rows, i);
        uint64_t *const to = bits + i * 2 * words;
        memcpy(to, from, rows->words * sizeof *to);
        memcpy(to + words, from + rows->words, rows->words * sizeof *to);
    }
    oct_free(allocator, rows->bits, bytes_of(rows->capacity, rows->words));
    rows->bits = bits;
    rows->words = words;
    rows->capacity = (uint32_t)capacity;
    return OCT_OK;
}

void oct_link_rows_add(link_rows *rows, const uint64_t *columns, bool value, uint32_t sighting)
{
    uint64_t sum[2 * LINK_WORDS_MAX] = {0};
    const uint32_t count = (uint32_t)rows->heads.count;
    link_head *const heads = rows->heads.items;
    memcpy(sum, columns, rows->words * sizeof *sum);
    for (uint32_t i = 0; i < count; i++) {
        if (link_bit(sum, heads[i].pivot)) {
            add_words(sum, row_bits(rows, i), 2 * rows->words);
            value ^= heads[i].value;
        }
    }
    const uint32_t pivot = lowest_column(sum, rows->words);
    if (pivot == LINK_NONE) {
        rows->odd |= value;
        return;
    }
    OCT_ASSERT(count < rows->capacity);
    link_flip(sum + rows->words, count);
    memcpy(row_bits(rows, count), sum, bytes_of(1, rows->words));
    heads[count] = (link_head){pivot, sighting, value};
    rows->heads.count++;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *const row = row_bits(rows, i);
        if (link_bit(row, pivot)) {
            add_words(row, sum, 2 * rows->words);
            heads[i].value ^= value;
        }
    }
}

void oct_link_rows_clear(link_rows *rows)
{
    rows->heads.count = 0;
    rows->odd = false;
}

void oct_link_rows_free(link_rows *rows, const oct_allocator *allocator)
{
    oct_array_free(&rows->heads, allocator, sizeof(link_head));
    oct_free(allocator, rows->bits, bytes_of(rows->capacity, rows->words));
    *rows = (link_rows){0};
}

void oct_link_rows_reduce(const link_rows *rows, uint64_t *columns, bool *value)
{
    for (uint32_t i = 0; i < rows->heads.count; i++) {
        const link_head *const head = link_rows_head(rows, i);
        if (link_bit(columns, head->pivot)) {
            add_words(columns, row_bits(rows, i), rows->words);
            *value ^= head->value;
        }
    }
}

uint32_t oct_link_rows_find(const link_rows *rows, uint32_t pivot)
{
    for (uint32_t i = 0; i < rows->heads.count; i++) {
        if (link_rows_head(rows, i)->pivot == pivot) {
            return i;
        }
    }
    return LINK_NONE;
}

bool oct_link_rows_is_single(const link_rows *rows, uint32_t row)
{
    const uint64_t *const columns = row_bits(rows, row);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < rows->words; i++) {
        bits += oct_bit_count(columns[i]);
    }
    return bits == 1;
}

bool oct_link_rows_is_valid(const link_rows *rows)
{
    const size_t count = rows->heads.count;
    if (count > rows->capacity || rows->capacity > rows->heads.capacity) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t pivot = link_rows_head(rows, i)->pivot;
        if (lowest_column(row_bits(rows, i), rows->words) != pivot) {
            return false;
        }
        for (uint32_t j = 0; j < count; j++) {
            if (link_bit(row_bits(rows, j), pivot) != (i == j)) {
                return false;
            }
        }
    }
    return true;
}
