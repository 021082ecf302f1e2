// SPDX-License-Identifier: MIT
// The grids of a crowd: chains of units in one table for all cells of all sizes.
#include "moving/crowd_index.h"
#include "base/hash.h"

// A cell of the grid of a size.
typedef struct index_cell {
    int64_t x, y, z;
} index_cell;

static int shift_of(uint32_t size)
{
    return 8 + (int)size;
}

static index_cell cell_of(oct_fine at, uint32_t size)
{
    const int shift = shift_of(size);
    return (index_cell){at.x >> shift, at.y >> shift, at.z >> shift};
}

static bool cells_equal(index_cell a, index_cell b)
{
    return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z)) == 0;
}

static uint32_t *head_of(const unit_index *index, index_cell cell, uint32_t size)
{
    uint64_t hash = ((uint64_t)cell.x * OCT_HASH_FACTOR) ^
                    ((uint64_t)cell.y * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
                    ((uint64_t)cell.z * UINT64_C(0x165667b19e3779f9)) ^ size;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return &index->heads[hash >> 32 & (index->head_count - 1u)];
}

// ---- life ----

void oct_unit_index_free(unit_index *index, const oct_allocator *allocator)
{
    oct_free(allocator, index->entries, index->entry_count * sizeof *index->entries);
    oct_free(allocator, index->heads, index->head_count * sizeof *index->heads);
}

size_t oct_unit_index_bytes(const unit_index *index)
{
    return index->entry_count * sizeof *index->entries + index->head_count * sizeof *index->heads;
}

static void link_unit(unit_index *index, uint32_t unit)
{
    index_entry *const e = &index->entries[unit];
    uint32_t *const head = head_of(index, cell_of(e->at, e->size), e->size);
    e->next = *head;
    *head = unit;
}

static void unlink_unit(unit_index *index, uint32_t unit)
{
    const index_entry *const e = &index->entries[unit];
    uint32_t *link = head_of(index, cell_of(e->at, e->size), e->size);
    while (*link != unit) {
        link = &index->entries[*link].next;
    }
    *link = e->next;
}

oct_result oct_unit_index_reserve(unit_index *index, const oct_allocator *allocator, uint32_t count)
{
    if (count <= index->entry_count) {
        return OCT_OK;
    }
    unit_index grown = *index;
    grown.entry_count = count + count / 2u;
    grown.head_count = 1u << oct_bit_length(2u * grown.entry_count - 1u);
    grown.entries = oct_alloc(allocator, grown.entry_count * sizeof *grown.entries, OCT_CACHE_LINE);
    grown.heads = oct_alloc(allocator, grown.head_count * sizeof *grown.heads, OCT_CACHE_LINE);
    if (!grown.entries || !grown.heads) {
        oct_unit_index_free(&grown, allocator);
        return OCT_ERROR_MEMORY;
    }
    memset(grown.heads, 0, grown.head_count * sizeof *grown.heads);
    for (uint32_t i = 0; i < grown.entry_count; i++) {
        grown.entries[i] =
            i < index->entry_count ? index->entries[i] : (index_entry){.size = INDEX_OUT};
        if (grown.entries[i].size != INDEX_OUT) {
            link_unit(&grown, i);
        }
    }
    oct_unit_index_free(index, allocator);
    *index = grown;
    return OCT_OK;
}

// ---- units ----

void oct_unit_index_put(unit_index *index, uint32_t unit, oct_fine at, double half)
{
    // The least edge that is no shorter than all of it.
    const uint64_t cells = (uint64_t)(2.0 * half * (1.0 / OCT_FINE)) + 1u;
    const uint32_t size = oct_bit_length(cells - 1u);
    OCT_ASSERT(unit > 0 && unit < index->entry_count && size < INDEX_SIZES);
    const uint64_t part = (uint64_t)(half / (double)(UINT64_C(1) << size)) + 1u;
    index->entries[unit] = (index_entry){
        .at = at, .size = (uint8_t)size, .half = (uint8_t)(part < 128u ? part : 128u)};
    link_unit(index, unit);
    index->size_count[size]++;
    index->sizes |= 1u << size;
}

void oct_unit_index_take(unit_index *index, uint32_t unit)
{
    const uint32_t size = index->entries[unit].size;
    unlink_unit(index, unit);
    index->entries[unit].size = INDEX_OUT;
    if (--index->size_count[size] == 0) {
        index->sizes &= ~(1u << size);
    }
}

void oct_unit_index_move(unit_index *index, uint32_t unit, oct_fine to)
{
    index_entry *const e = &index->entries[unit];
    if (cells_equal(cell_of(e->at, e->size), cell_of(to, e->size))) {
        e->at = to;
        return;
    }
    unlink_unit(index, unit);
    e->at = to;
    link_unit(index, unit);
}

// ---- questions ----

typedef struct question {
    const unit_index *index;
    oct_fine at;
    int64_t half;
    oct_unit_index_fn *visit;
    void *ctx;
} question;

// Most that are met lie beside the box: their entries tell so.
OCT_FORCE_INLINE bool is_beside(const question *q, const index_entry *e)
{
    const int64_t reach = q->half + ((int64_t)e->half << e->size);
    const int64_t x = e->at.x - q->at.x, y = e->at.y - q->at.y, z = e->at.z - q->at.z;
    return (x > reach) | (x < -reach) | (y > reach) | (y < -reach) | (z > reach) | (z < -reach);
}

// The units of a size in one cell. Other cells may share its chain.
static bool visit_cell(const question *q, index_cell cell, uint32_t size)
{
    for (uint32_t unit = *head_of(q->index, cell, size); unit != 0;) {
        const index_entry *const e = &q->index->entries[unit];
        if (e->size == size && !is_beside(q, e) && cells_equal(cell_of(e->at, size), cell) &&
            !q->visit(q->ctx, unit)) {
            return false;
        }
        unit = e->next;
    }
    return true;
}

// All units of a size: for a box that has more cells of it than there are units.
static bool visit_all(const question *q, uint32_t size)
{
    for (uint32_t unit = 1; unit < q->index->entry_count; unit++) {
        const index_entry *const e = &q->index->entries[unit];
        if (e->size == size && !is_beside(q, e) && !q->visit(q->ctx, unit)) {
            return false;
        }
    }
    return true;
}

static bool visit_size(const question *q, uint32_t size)
{
    const oct_fine at = q->at;
    const int64_t reach = q->half + (INT64_C(1) << (shift_of(size) - 1));
    const int64_t deep = q->index->dims == 3 ? reach : 0;
    const index_cell lo = cell_of((oct_fine){at.x - reach, at.y - reach, at.z - deep}, size);
    const index_cell hi = cell_of((oct_fine){at.x + reach, at.y + reach, at.z + deep}, size);
    const double cells =
        (double)(hi.x - lo.x + 1) * (double)(hi.y - lo.y + 1) * (double)(hi.z - lo.z + 1);
    if (cells > (double)q->index->entry_count) {
        return visit_all(q, size);
    }
    for (int64_t z = lo.z; z <= hi.z; z++) {
        for (int64_t y = lo.y; y <= hi.y; y++) {
            for (int64_t x = lo.x; x <= hi.x; x++) {
                if (!visit_cell(q, (index_cell){x, y, z}, size)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool oct_unit_index_near(const unit_index *index, oct_fine at, double half,
                         oct_unit_index_fn *visit, void *ctx)
{
    const question q = {index, at, (int64_t)half + 1, visit, ctx};
    for (uint32_t sizes = index->sizes; sizes; sizes &= sizes - 1u) {
        if (!visit_size(&q, oct_lowest_bit(sizes))) {
            return false;
        }
    }
    return true;
}

// ---- checks ----

bool oct_unit_index_is_valid(const unit_index *index)
{
    uint32_t counts[INDEX_SIZES] = {0}, in = 0, chained = 0;
    for (uint32_t i = 0; i < index->entry_count; i++) {
        if (index->entries[i].size != INDEX_OUT) {
            counts[index->entries[i].size]++;
            in++;
        }
    }
    for (uint32_t i = 0; i < index->head_count; i++) {
        for (uint32_t unit = index->heads[i]; unit != 0; unit = index->entries[unit].next) {
            const index_entry *const e = &index->entries[unit];
            if (++chained > in || e->size == INDEX_OUT ||
                head_of(index, cell_of(e->at, e->size), e->size) != &index->heads[i]) {
                return false;
            }
        }
    }
    for (uint32_t size = 0; size < INDEX_SIZES; size++) {
        if (counts[size] != index->size_count[size] ||
            (counts[size] > 0) != (index->sizes >> size & 1u)) {
            return false;
        }
    }
    return chained == in;
}
