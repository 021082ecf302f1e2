// SPDX-License-Identifier: MIT
// The rows: where they are, and which of their cells were observed.
#include "map/set_internal.h"

// ---- the table ----

OCT_FORCE_INLINE size_t home_of(size_t size, int32_t y, int32_t z)
{
    return table_home(size, (uint64_t)(uint32_t)z << 32 | (uint32_t)y);
}

// The slot of the row at a place, or the free one where it would be.
OCT_FORCE_INLINE size_t slot_of(const set_rows *rows, int32_t y, int32_t z)
{
    size_t i = home_of(rows->table_size, y, z);
    while (rows->table[i]) {
        const set_row *r = rows_at(rows, rows->table[i]);
        if (r->y == y && r->z == z) {
            break;
        }
        i = table_next(rows->table_size, i);
    }
    return i;
}

uint32_t oct_rows_find(const set_rows *rows, int32_t y, int32_t z)
{
    return rows->table_size > 0 ? rows->table[slot_of(rows, y, z)] : 0u;
}

static bool is_there(const set_row *r)
{
    return r->cells > 0 || r->count > 0;
}

// Makes the table anew, for so many rows; the old one is the caller's to free.
static oct_result make_table(set_rows *rows, uint64_t load)
{
    const size_t size = (size_t)table_size(load);
    uint32_t *table = oct_alloc(&rows->allocator, size * sizeof *table, _Alignof(uint32_t));
    if (!table) {
        return OCT_ERROR_MEMORY;
    }
    memset(table, 0, size * sizeof *table);
    rows->table = table;
    rows->table_size = size;
    for (uint32_t i = 1; i < rows->rows.count; i++) {
        const set_row *r = rows_at(rows, i);
        if (is_there(r)) {
            table[slot_of(rows, r->y, r->z)] = i;
        }
    }
    return OCT_OK;
}

static void table_free(const set_rows *rows)
{
    oct_free(&rows->allocator, rows->table, rows->table_size * sizeof *rows->table);
}

static void table_remove(set_rows *rows, size_t gap)
{
    const size_t size = rows->table_size;
    for (size_t i = table_next(size, gap); rows->table[i]; i = table_next(size, i)) {
        const set_row *r = rows_at(rows, rows->table[i]);
        if (table_moves(size, home_of(size, r->y, r->z), i, gap)) {
            rows->table[gap] = rows->table[i];
            gap = i;
        }
    }
    rows->table[gap] = 0;
}

// ---- rows ----

// How many items of an array were handed out, the null one included.
static uint64_t used(const oct_array *array)
{
    return array->count > 0 ? array->count : 1u;
}

// Makes room for more items, and the null one.
static oct_result reserve(const oct_allocator *allocator, oct_array *array, size_t item_size,
                          uint64_t more, uint64_t limit)
{
    const uint64_t needed = used(array) + more;
    if (more == 0 || needed <= array->capacity) {
        return OCT_OK;
    }
    if (needed > limit || more > limit) {
        return OCT_ERROR_RANGE;
    }
    const uint64_t roomy = array->capacity + (uint64_t)array->capacity / 2u;
    OCT_TRY(
        oct_array_reserve(array, allocator, item_size, (size_t)(needed > roomy ? needed : roomy)));
    if (array->count == 0) {
        memset(array->items, 0, item_size);
        array->count = 1;
    }
    return OCT_OK;
}

oct_result oct_rows_reserve(set_rows *rows, uint64_t more, uint64_t pool)
{
    const uint64_t given_back = used(&rows->rows) - 1u - rows->count;
    OCT_TRY(reserve(&rows->allocator, &rows->rows, sizeof(set_row),
                    more > given_back ? more - given_back : 0u, (uint64_t)SET_ROWS_MAX + 1u));
    OCT_TRY(reserve(&rows->allocator, &rows->pool, sizeof(run), pool, UINT32_MAX));
    if (rows->count + more <= table_load(rows->table_size)) {
        return OCT_OK;
    }
    const set_rows old = *rows;
    OCT_TRY(make_table(rows, table_growth(old.table_size, old.count + more)));
    table_free(&old);
    return OCT_OK;
}

uint32_t oct_rows_take(set_rows *rows, int32_t y, int32_t z)
{
    uint32_t index = rows->free_row;
    if (index) {
        rows->free_row = rows_at(rows, index)->runs.next;
    } else {
        OCT_ASSERT(rows->rows.count < rows->rows.capacity);
        index = (uint32_t)rows->rows.count++;
    }
    *rows_at(rows, index) = (set_row){.y = y, .z = z};
    const size_t slot = slot_of(rows, y, z);
    OCT_ASSERT(rows->table[slot] == 0 && rows->count < table_load(rows->table_size));
    rows->table[slot] = index;
    rows->count++;
    return index;
}

void oct_rows_give(set_rows *rows, uint32_t index)
{
    set_row *r = rows_at(rows, index);
    OCT_ASSERT(!is_there(r));
    table_remove(rows, slot_of(rows, r->y, r->z));
    r->runs.next = rows->free_row;
    rows->free_row = index;
    rows->count--;
}

// ---- runs ----

// How many runs a row has room for.
static uint32_t room_of(const set_row *r)
{
    return r->count > 1 ? r->runs.many.size : 1u;
}

static run *block_at(const set_rows *rows, uint32_t block)
{
    return (run *)rows->pool.items + block;
}

// Blocks that were given back are linked through their first words.
static uint32_t block_take(set_rows *rows, uint32_t size)
{
    uint32_t *head = &rows->free_blocks[oct_lowest_bit(size)];
    uint32_t block = *head;
    if (block) {
        *head = (uint32_t)block_at(rows, block)->from;
        return block;
    }
    OCT_ASSERT(rows->pool.count + size <= rows->pool.capacity);
    block = (uint32_t)rows->pool.count;
    rows->pool.count += size;
    return block;
}

static void block_give(set_rows *rows, uint32_t block, uint32_t size)
{
    uint32_t *head = &rows->free_blocks[oct_lowest_bit(size)];
    block_at(rows, block)->from = (int32_t)*head;
    *head = block;
}

uint32_t oct_rows_after(const set_rows *rows, const set_row *r, int32_t x)
{
    const run *runs = rows_runs(rows, r);
    uint32_t lo = 0, hi = r->count;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2u;
        if (runs[middle].to <= x) {
            lo = middle + 1u;
        } else {
            hi = middle;
        }
    }
    return lo;
}

// Which runs a mark changes: from the first up to, but not including, the end. Those that only
// touch cells that become observed are among them, since they merge.
static void changed_runs(const set_rows *rows, const set_row *r, run cells, bool observed,
                         uint32_t *first, uint32_t *end)
{
    const run *runs = rows_runs(rows, r);
    *first = *end = oct_rows_after(rows, r, observed ? cells.from - 1 : cells.from);
    while (*end < r->count && runs[*end].from < cells.to + observed) {
        ++*end;
    }
}

bool oct_rows_splits(const set_rows *rows, const set_row *r, run cells, bool observed)
{
    uint32_t first, end;
    changed_runs(rows, r, cells, observed, &first, &end);
    if (observed) {
        return first == end;
    }
    const run *runs = rows_runs(rows, r);
    return end - first == 1 && runs[first].from < cells.from && runs[first].to > cells.to;
}

uint64_t oct_rows_growth(const set_row *may_be_null, uint32_t more)
{
    const uint64_t count = (may_be_null ? may_be_null->count : 0u) + (uint64_t)more;
    uint64_t room = may_be_null ? room_of(may_be_null) : 1u, sum = 0;
    while (room < count) {
        room *= 2u;
        sum += room;
    }
    return sum;
}

// Puts `by_count` runs, at most two, in the place of those from `first` to before `end`.
static void replace(set_rows *rows, set_row *r, uint32_t first, uint32_t end, const run *by,
                    uint32_t by_count)
{
    const set_row old = *r;
    const run *from = rows_runs(rows, &old);
    const uint32_t room = room_of(&old), rest = old.count - end;
    r->count = first + by_count + rest;
    if (r->count > 1) {
        r->runs.many.size = r->count > room ? 2u * room : room;
        r->runs.many.first =
            r->count > room ? block_take(rows, r->runs.many.size) : old.runs.many.first;
        run *to = block_at(rows, r->runs.many.first);
        memmove(to + first + by_count, from + end, rest * sizeof *to);
        memcpy(to + first, by, by_count * sizeof *to);
        if (to != from) {
            memcpy(to, from, first * sizeof *to);
        }
    } else if (r->count == 1) {
        r->runs.one = by_count ? by[0] : first ? from[0] : from[end];
    }
    if (old.count > 1 && (r->count <= 1 || r->count > room)) {
        block_give(rows, old.runs.many.first, room);
    }
}

void oct_rows_mark(set_rows *rows, set_row *r, run cells, bool observed)
{
    const run *runs = rows_runs(rows, r);
    uint32_t first, end, count = 0;
    changed_runs(rows, r, cells, observed, &first, &end);
    run by[2] = {cells, cells};
    if (observed) {
        if (first < end) {
            by[0].from = runs[first].from < cells.from ? runs[first].from : cells.from;
            by[0].to = runs[end - 1u].to > cells.to ? runs[end - 1u].to : cells.to;
        }
        count = 1;
    } else if (first < end) {
        const run left = {runs[first].from, cells.from}, right = {cells.to, runs[end - 1u].to};
        if (left.from < left.to) {
            by[count++] = left;
        }
        if (right.from < right.to) {
            by[count++] = right;
        }
    }
    replace(rows, r, first, end, by, count);
}

// ---- all of it ----

oct_result oct_rows_pack(const set_rows *rows, uint32_t *renumber, set_rows *out)
{
    *out = (set_rows){.allocator = rows->allocator};
    uint64_t pool = 0;
    for (uint32_t i = 1; i < rows->rows.count; i++) {
        const set_row *r = rows_at(rows, i);
        renumber[i] = is_there(r) ? (uint32_t)++out->count : 0u;
        uint64_t size = 1;
        while (size < r->count) {
            size *= 2u;
        }
        pool += size > 1u ? size : 0u;
    }
    const uint32_t count = out->count;
    out->count = 0;
    oct_result result = oct_rows_reserve(out, count, pool);
    if (result != OCT_OK) {
        oct_rows_free(out);
        return result;
    }
    for (uint32_t i = 1; i < rows->rows.count; i++) {
        const set_row *r = rows_at(rows, i);
        if (!is_there(r)) {
            continue;
        }
        set_row *copy = rows_at(out, oct_rows_take(out, r->y, r->z));
        copy->cells = r->cells;
        copy->count = r->count;
        copy->runs.one = r->runs.one;
        if (r->count > 1) {
            copy->runs.many.size = 2;
            while (copy->runs.many.size < r->count) {
                copy->runs.many.size *= 2u;
            }
            copy->runs.many.first = block_take(out, copy->runs.many.size);
            memcpy(block_at(out, copy->runs.many.first), rows_runs(rows, r),
                   r->count * sizeof(run));
        }
    }
    return OCT_OK;
}

void oct_rows_free(set_rows *rows)
{
    oct_array_free(&rows->rows, &rows->allocator, sizeof(set_row));
    oct_array_free(&rows->pool, &rows->allocator, sizeof(run));
    table_free(rows);
    *rows = (set_rows){.allocator = rows->allocator};
}

size_t oct_rows_bytes(const set_rows *rows)
{
    return rows->rows.capacity * sizeof(set_row) + rows->pool.capacity * sizeof(run) +
           rows->table_size * sizeof *rows->table;
}

static bool runs_valid(const set_rows *rows, const set_row *r)
{
    const run *runs = rows_runs(rows, r);
    for (uint32_t i = 0; i < r->count; i++) {
        if (runs[i].from >= runs[i].to || (i > 0 && runs[i].from <= runs[i - 1u].to)) {
            return false;
        }
    }
    return true;
}

bool oct_rows_valid(const set_rows *rows)
{
    uint64_t there = 0, given_back = 0, in_table = 0;
    uint64_t blocks = 1; // runs of the pool that belong to somebody
    for (uint32_t i = 1; i < rows->rows.count; i++) {
        const set_row *r = rows_at(rows, i);
        if (is_there(r)) {
            there++;
            blocks += r->count > 1 ? r->runs.many.size : 0u;
            if (oct_rows_find(rows, r->y, r->z) != i || !runs_valid(rows, r)) {
                return false;
            }
        }
    }
    for (uint32_t i = rows->free_row; i; i = rows_at(rows, i)->runs.next) {
        if (is_there(rows_at(rows, i)) || given_back++ > rows->rows.count) {
            return false;
        }
    }
    for (uint32_t size = 0; size < 32; size++) {
        for (uint32_t i = rows->free_blocks[size]; i; i = (uint32_t)block_at(rows, i)->from) {
            blocks += UINT64_C(1) << size;
            if (blocks > rows->pool.count) {
                return false;
            }
        }
    }
    for (size_t i = 0; i < rows->table_size; i++) {
        in_table += rows->table[i] != 0;
    }
    return there == rows->count && in_table == there && in_table <= table_load(rows->table_size) &&
           there + given_back + 1u == used(&rows->rows) && blocks == used(&rows->pool);
}
