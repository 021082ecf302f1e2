// SPDX-License-Identifier: MIT
// The set of blocked cells: the NavGrid of Hoekzema 2024, 5.9, stores the cells that something is
// in and nothing else, so that it cannot tell OPEN from UNKNOWN and cannot explore. Here it also
// keeps, for each row of cells along x, which parts of it were observed.
#include "baseline/baseline_internal.h"

// A slot that is in use, also while nothing is in its cell.
#define SLOT_USED 16u
#define FIRST_SIZE 64

typedef struct span {
    int32_t from, to;
} span;

static lattice_key key_of(int32_t x, int32_t y, int32_t z)
{
    return (lattice_key){x, y, z, 0};
}

// The slot of a key that is there, or NULL.
static key_slot *find(const key_table *table, lattice_key key)
{
    key_slot *const slot = table->count > 0 ? key_table_slot(table, key) : NULL;
    return slot && key_slot_is_used(table, slot) ? slot : NULL;
}

// ---- observed cells ----

static oct_array *row_at(const blocked_set *s, uint32_t index)
{
    return (oct_array *)s->rows.items + index;
}

// The first span of a row that ends at x or beyond.
static size_t span_from(const oct_array *row, int32_t x)
{
    const span *const spans = row->items;
    size_t low = 0, high = row->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (spans[middle].to < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Puts spans in the place of those from `first` to `end`.
static oct_result replace(oct_array *row, const oct_allocator *allocator, size_t first, size_t end,
                          const span *by, size_t count)
{
    OCT_TRY(oct_array_reserve(row, allocator, sizeof(span), row->count + count));
    span *const spans = row->items;
    if (row->count > end) {
        memmove(&spans[first + count], &spans[end], (row->count - end) * sizeof(span));
    }
    if (count > 0) {
        memcpy(&spans[first], by, count * sizeof(span));
    }
    row->count += count - (end - first);
    return OCT_OK;
}

static oct_result observe(oct_array *row, const oct_allocator *allocator, span add)
{
    const size_t first = span_from(row, add.from);
    const span *const spans = row->items;
    size_t end = first;
    while (end < row->count && spans[end].from <= add.to) {
        add.from = spans[end].from < add.from ? spans[end].from : add.from;
        add.to = spans[end].to > add.to ? spans[end].to : add.to;
        end++;
    }
    return replace(row, allocator, first, end, &add, 1);
}

static oct_result forget(oct_array *row, const oct_allocator *allocator, span cut)
{
    const size_t first = span_from(row, cut.from + 1);
    const span *const spans = row->items;
    span left[2];
    size_t count = 0, end = first;
    while (end < row->count && spans[end].from < cut.to) {
        if (spans[end].from < cut.from) {
            left[count++] = (span){spans[end].from, cut.from};
        }
        if (spans[end].to > cut.to) {
            left[count++] = (span){cut.to, spans[end].to};
        }
        end++;
    }
    return replace(row, allocator, first, end, left, count);
}

static oct_result edit_observed(blocked_set *s, const oct_allocator *allocator, cell_run run,
                                bool is_set)
{
    const lattice_key place = key_of(0, run.y, run.z);
    const span cells = {run.from, run.to};
    OCT_TRY(oct_key_table_reserve(&s->places, allocator, 1));
    key_slot *const slot = key_table_slot(&s->places, place);
    if (!key_slot_is_used(&s->places, slot)) {
        const oct_array none = {.count = 0};
        OCT_TRY(oct_array_push(&s->rows, allocator, sizeof none, &none));
        key_slot_fill(&s->places, slot, place, (uint32_t)s->rows.count - 1u);
    }
    oct_array *const row = row_at(s, slot->value);
    return is_set ? observe(row, allocator, cells) : forget(row, allocator, cells);
}

static bool is_observed(const blocked_set *s, oct_vec c)
{
    const key_slot *const slot = find(&s->places, key_of(0, c.y, c.z));
    if (!slot) {
        return false;
    }
    const oct_array *const row = row_at(s, slot->value);
    const size_t i = span_from(row, c.x + 1);
    return i < row->count && ((const span *)row->items)[i].from <= c.x;
}

// ---- blocked cells ----

// The slot of a cell, or the free one where it belongs. There must be one that is free.
static blocked_cell *slot_of(const blocked_set *s, oct_vec c)
{
    size_t i = key_hash(key_of(c.x, c.y, c.z)) & (s->size - 1);
    while (s->slots[i].state &&
           (s->slots[i].x != c.x || s->slots[i].y != c.y || s->slots[i].z != c.z)) {
        i = (i + 1) & (s->size - 1);
    }
    return &s->slots[i];
}

// Makes room for one more cell, in a table that is twice as large.
static oct_result reserve_cell(blocked_set *s, const oct_allocator *allocator)
{
    if (3 * (s->used + 1) <= 2 * s->size) {
        return OCT_OK;
    }
    blocked_set grown = {.size = s->size ? 2 * s->size : FIRST_SIZE};
    grown.slots = oct_alloc(allocator, grown.size * sizeof *grown.slots, _Alignof(blocked_cell));
    if (!grown.slots) {
        return OCT_ERROR_MEMORY;
    }
    memset(grown.slots, 0, grown.size * sizeof *grown.slots);
    for (size_t i = 0; i < s->size; i++) {
        const blocked_cell cell = s->slots[i];
        if (cell.state) {
            *slot_of(&grown, (oct_vec){cell.x, cell.y, cell.z}) = cell;
        }
    }
    oct_free(allocator, s->slots, s->size * sizeof *s->slots);
    s->slots = grown.slots;
    s->size = grown.size;
    return OCT_OK;
}

static oct_result edit_cell(blocked_set *s, const oct_allocator *allocator, oct_vec c,
                            cell_edit edit)
{
    if (edit.set) {
        OCT_TRY(reserve_cell(s, allocator));
        blocked_cell *const slot = slot_of(s, c);
        if (!slot->state) {
            *slot = (blocked_cell){c.x, c.y, c.z, SLOT_USED};
            s->used++;
        }
    }
    blocked_cell *const slot = s->size > 0 ? slot_of(s, c) : NULL;
    if (slot && slot->state) {
        const uint32_t before = slot->state;
        slot->state = (before & ~edit.clear) | edit.set;
        s->blocked += slot->state != SLOT_USED;
        s->blocked -= before != SLOT_USED;
    }
    return OCT_OK;
}

oct_result oct_blocked_edit(blocked_set *s, const oct_allocator *allocator, cell_run run,
                            cell_edit edit)
{
    if ((edit.set | edit.clear) & CELL_OBSERVED) {
        OCT_TRY(edit_observed(s, allocator, run, (edit.set & CELL_OBSERVED) != 0));
    }
    const cell_edit rest = {edit.set & ~(uint32_t)CELL_OBSERVED,
                            edit.clear & ~(uint32_t)CELL_OBSERVED};
    for (int32_t x = run.from; x < run.to && (rest.set | rest.clear); x++) {
        OCT_TRY(edit_cell(s, allocator, (oct_vec){x, run.y, run.z}, rest));
    }
    return OCT_OK;
}

uint32_t oct_blocked_state(const blocked_set *s, oct_vec c)
{
    const uint32_t state = s->size > 0 ? slot_of(s, c)->state & ~SLOT_USED : 0u;
    return state | (is_observed(s, c) ? CELL_OBSERVED : 0u);
}

// ---- memory ----

size_t oct_blocked_bytes(const blocked_set *s)
{
    size_t bytes = s->size * sizeof *s->slots + oct_key_table_bytes(&s->places) +
                   s->rows.capacity * sizeof(oct_array);
    for (uint32_t i = 0; i < s->rows.count; i++) {
        bytes += row_at(s, i)->capacity * sizeof(span);
    }
    return bytes;
}

void oct_blocked_free(blocked_set *s, const oct_allocator *allocator)
{
    for (uint32_t i = 0; i < s->rows.count; i++) {
        oct_array_free(row_at(s, i), allocator, sizeof(span));
    }
    oct_array_free(&s->rows, allocator, sizeof(oct_array));
    oct_key_table_free(&s->places, allocator);
    oct_free(allocator, s->slots, s->size * sizeof *s->slots);
}
