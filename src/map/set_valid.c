// SPDX-License-Identifier: MIT
// Whether the set is as it should be.
#include "map/set_internal.h"

oct_box oct_set_stored(const set *s)
{
    oct_box box = BOX_EMPTY;
    for (uint32_t i = 1; i < s->rows.rows.count; i++) {
        const set_row *r = rows_at(&s->rows, i);
        if (r->count > 0) {
            const run *runs = rows_runs(&s->rows, r);
            box_widen(&box, (run){runs[0].from, runs[r->count - 1u].to}, r->y, r->z);
        }
    }
    for (size_t i = 0; i < s->cells.size; i++) {
        const uint64_t slot = s->cells.slots[i];
        if (slot) {
            const set_row *r = rows_at(&s->rows, slot_row(slot));
            box_widen(&box, (run){slot_x(slot), slot_x(slot) + 1}, r->y, r->z);
        }
    }
    return box;
}

typedef struct check {
    const set *s;
    const thing_index *things;
    uint32_t bits;    // that were gathered
    uint64_t unknown; // things
} check;

// What covers a cell, from the things that do.
static bool gather_cover(void *ctx, uint32_t slot, const oct_box *cells)
{
    check *c = ctx;
    (void)cells;
    c->bits |= cover_state((oct_label)oct_things_at(c->things, slot)->label);
    return true;
}

// Whether the table holds every cell of a thing. Counts the UNKNOWN ones.
static bool thing_is_held(void *ctx, uint32_t slot, const oct_box *cells)
{
    check *c = ctx;
    const oct_box box = box_flat(c->s->dims, *cells);
    const uint8_t label = oct_things_at(c->things, slot)->label;
    c->unknown += label == OCT_UNKNOWN;
    if (label == OCT_OPEN) {
        return true;
    }
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            const uint32_t index = oct_rows_find(&c->s->rows, y, z);
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                if (!set_find(c->s, index, x)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Whether every cell of the table is covered as the things say, and belongs to a row that counts
// it. `counts` are 0, one for each row.
static bool cells_agree(const set *s, const thing_index *things, uint32_t *counts)
{
    for (size_t i = 0; i < s->cells.size; i++) {
        const uint64_t slot = s->cells.slots[i];
        if (!slot) {
            continue;
        }
        const uint32_t index = slot_row(slot);
        if (index == 0 || index >= s->rows.rows.count) {
            return false;
        }
        counts[index]++;
        const set_row *r = rows_at(&s->rows, index);
        const oct_vec at = {slot_x(slot), r->y, r->z};
        const oct_box cell = {at, {at.x + 1, at.y + 1, at.z + 1}};
        check c = {s, things, 0, 0};
        oct_things_in(things, &cell, gather_cover, &c);
        if (c.bits != (slot_state(slot) & CELL_COVER)) {
            return false;
        }
    }
    for (uint32_t i = 1; i < s->rows.rows.count; i++) {
        if (counts[i] != rows_at(&s->rows, i)->cells) {
            return false;
        }
    }
    return true;
}

bool oct_set_is_valid(const void *store, const thing_index *things)
{
    const set *s = store;
    const oct_box all = BOX_ALL;
    const size_t count = s->rows.rows.count + 1u; // never 0
    uint32_t *counts = oct_alloc(&s->allocator, count * sizeof *counts, _Alignof(uint32_t));
    if (!counts) {
        return false;
    }
    memset(counts, 0, count * sizeof *counts);
    check c = {s, things, 0, 0};
    const oct_box stored = oct_set_stored(s), both = box_union(stored, s->bounds);
    const bool valid = oct_rows_valid(&s->rows) && oct_cells_valid(&s->cells) &&
                       cells_agree(s, things, counts) && box_equal(&both, &s->bounds) &&
                       box_is_empty(3, &s->bounds) == (s->rows.count == 0) &&
                       oct_things_in(things, &all, thing_is_held, &c) && c.unknown == s->unknown;
    oct_free(&s->allocator, counts, count * sizeof *counts);
    return valid;
}
