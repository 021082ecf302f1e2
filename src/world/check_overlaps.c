// SPDX-License-Identifier: MIT
// Blocks of one grid that cover the same cell.
//
// Space is cut into bins of 64 x 64 x 64 cells, so that a block, which has at most 64 cells along
// each axis, lies in eight of them at most. A bin is 4096 words of 64 bits, a row of cells each:
// even the largest block is painted in so many steps, and a short file cannot ask for much.
#include "world/world_check.h"

#include <stdlib.h>

#define BIN_BITS 6
#define BIN_EDGE (1 << BIN_BITS)
_Static_assert(OCT_WORLD_SIZE_MAX <= BIN_EDGE, "a block lies in two bins along an axis");

typedef struct bin_entry {
    uint64_t bin; // grid and place
    uint32_t block;
} bin_entry;

typedef struct cell_range {
    oct_vec from, to; // to is behind it
} cell_range;

typedef struct overlap_search {
    checker *check;
    oct_array entries; // of bin_entry
    uint64_t *rows;    // BIN_EDGE * BIN_EDGE
    uint8_t *was_told; // for each block
} overlap_search;

static cell_range range_of(const checker *c, size_t block)
{
    const oct_world_block *const b = checked_block(c, block);
    const oct_vec span = oct_world_span(c->world, b), from = b->cell;
    return (cell_range){from, {from.x + span.x, from.y + span.y, from.z + span.z}};
}

// ---- bins ----

// Cells from 0 on.
static uint32_t moved(int32_t cell)
{
    return (uint32_t)(cell + OCT_WORLD_CELL_MAX);
}

static oct_result add_block(overlap_search *s, size_t block)
{
    const cell_range r = range_of(s->check, block);
    const uint64_t grid = checked_block(s->check, block)->grid;
    for (uint32_t x = moved(r.from.x) >> BIN_BITS; x <= moved(r.to.x - 1) >> BIN_BITS; x++) {
        for (uint32_t y = moved(r.from.y) >> BIN_BITS; y <= moved(r.to.y - 1) >> BIN_BITS; y++) {
            for (uint32_t z = moved(r.from.z) >> BIN_BITS; z <= moved(r.to.z - 1) >> BIN_BITS;
                 z++) {
                const bin_entry entry = {((grid << 16 | x) << 16 | y) << 16 | z, (uint32_t)block};
                OCT_TRY(oct_array_push(&s->entries, &s->check->allocator, sizeof entry, &entry));
            }
        }
    }
    return OCT_OK;
}
_Static_assert(2 * (OCT_WORLD_CELL_MAX >> BIN_BITS) <= 1 << 16, "places of bins have 16 bits");
_Static_assert(OCT_WORLD_GRIDS_MAX <= 1 << 16, "and so have grids");

static int by_bin(const void *a, const void *b)
{
    const bin_entry *const p = a, *const q = b;
    if (p->bin != q->bin) {
        return p->bin < q->bin ? -1 : 1;
    }
    return (p->block > q->block) - (p->block < q->block);
}

// ---- painting ----

// The part of a range along an axis that is in a bin, from its own 0 on; *to is behind it.
static void cut(int32_t from, int32_t to, uint64_t bin, uint32_t *low, uint32_t *high)
{
    const int64_t origin = (int64_t)((bin & 0xffff) << BIN_BITS) - OCT_WORLD_CELL_MAX;
    *low = from > origin ? (uint32_t)(from - origin) : 0u;
    *high = to - origin < BIN_EDGE ? (uint32_t)(to - origin) : BIN_EDGE;
}

// Paints a block into its bin; whether something was there.
static bool paint(uint64_t *rows, const cell_range *r, uint64_t bin)
{
    uint32_t x0, x1, y0, y1, z0, z1;
    cut(r->from.x, r->to.x, bin >> 32, &x0, &x1);
    cut(r->from.y, r->to.y, bin >> 16, &y0, &y1);
    cut(r->from.z, r->to.z, bin, &z0, &z1);
    const uint64_t row = (UINT64_MAX >> (BIN_EDGE - (x1 - x0))) << x0;
    uint64_t met = 0;
    for (uint32_t z = z0; z < z1; z++) {
        for (uint32_t y = y0; y < y1; y++) {
            met |= rows[z * BIN_EDGE + y] & row;
            rows[z * BIN_EDGE + y] |= row;
        }
    }
    return met != 0;
}

static bool overlaps(const cell_range *a, const cell_range *b)
{
    return a->from.x < b->to.x && b->from.x < a->to.x && a->from.y < b->to.y &&
           b->from.y < a->to.y && a->from.z < b->to.z && b->from.z < a->to.z;
}

// Tells of the last entry, which overlaps with one before it.
static void tell_overlap(overlap_search *s, const bin_entry *first, const bin_entry *last)
{
    checker *const c = s->check;
    const cell_range own = range_of(c, last->block);
    if (!checker_tells(c, OCT_PROBLEM_OVERLAP)) {
        c->found[OCT_PROBLEM_OVERLAP]++; // looking for the other one takes time
        return;
    }
    for (const bin_entry *other = first; other < last; other++) {
        const cell_range range = range_of(c, other->block);
        if (overlaps(&own, &range)) {
            const int32_t x = own.from.x > range.from.x ? own.from.x : range.from.x;
            const int32_t y = own.from.y > range.from.y ? own.from.y : range.from.y;
            const int32_t z = own.from.z > range.from.z ? own.from.z : range.from.z;
            oct_checker_tell(c, OCT_PROBLEM_OVERLAP, OCT_SEVERITY_ERROR, OCT_ABOUT_BLOCK,
                             last->block, "%s and %s both cover cell %ld %ld %ld of grid %lu",
                             oct_checker_name(c, last->block).text,
                             oct_checker_name(c, other->block).text, (long)x, (long)y, (long)z,
                             (unsigned long)checked_block(c, last->block)->grid);
            return;
        }
    }
}

// Several entries of one bin; each block is told once.
static void search_bin(overlap_search *s, const bin_entry *first, size_t count)
{
    memset(s->rows, 0, sizeof *s->rows * BIN_EDGE * BIN_EDGE);
    for (size_t i = 0; i < count; i++) {
        const cell_range r = range_of(s->check, first[i].block);
        if (paint(s->rows, &r, first[i].bin) && !s->was_told[first[i].block]) {
            s->was_told[first[i].block] = 1;
            tell_overlap(s, first, &first[i]);
        }
    }
}

static oct_result search(overlap_search *s)
{
    const size_t blocks = s->check->world->blocks.count;
    for (size_t i = 0; i < blocks; i++) {
        OCT_TRY(checked_block(s->check, i)->placed ? add_block(s, i) : OCT_OK);
    }
    if (s->entries.count < 2) {
        return OCT_OK;
    }
    bin_entry *const all = s->entries.items;
    s->rows =
        oct_alloc(&s->check->allocator, sizeof *s->rows * BIN_EDGE * BIN_EDGE, _Alignof(uint64_t));
    s->was_told = oct_alloc(&s->check->allocator, blocks, 1);
    if (!s->rows || !s->was_told) {
        return OCT_ERROR_MEMORY;
    }
    memset(s->was_told, 0, blocks);
    qsort(all, s->entries.count, sizeof *all, by_bin);
    for (size_t i = 0, end; i < s->entries.count; i = end) {
        for (end = i + 1; end < s->entries.count && all[end].bin == all[i].bin; end++) {
        }
        if (end - i > 1) {
            search_bin(s, &all[i], end - i);
        }
    }
    return OCT_OK;
}

oct_result oct_check_overlaps(checker *c)
{
    overlap_search s = {.check = c};
    const oct_result result = search(&s);
    oct_free(&c->allocator, s.rows, sizeof *s.rows * BIN_EDGE * BIN_EDGE);
    oct_free(&c->allocator, s.was_told, c->world->blocks.count);
    oct_array_free(&s.entries, &c->allocator, sizeof(bin_entry));
    return result;
}
