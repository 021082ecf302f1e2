// SPDX-License-Identifier: MIT
// The table of cells that static geometry or a thing is in.
#include "map/set_internal.h"

#define CACHE_LINE 64

static void put(set_cells *cells, uint64_t slot)
{
    *cells_slot(cells, slot >> 6) = slot;
    cells->count++;
}

// An empty table for so many cells.
static oct_result make(const oct_allocator *allocator, uint64_t load, set_cells *out)
{
    *out = (set_cells){.allocator = *allocator};
    if (load > SIZE_MAX / sizeof *out->slots / 2u) {
        return OCT_ERROR_MEMORY;
    }
    out->size = (size_t)table_size(load);
    if (out->size > 0) {
        out->slots = oct_alloc(allocator, out->size * sizeof *out->slots, CACHE_LINE);
        if (!out->slots) {
            return OCT_ERROR_MEMORY;
        }
        memset(out->slots, 0, out->size * sizeof *out->slots);
    }
    return OCT_OK;
}

oct_result oct_cells_reserve(set_cells *cells, uint64_t more)
{
    if (more <= table_load(cells->size) - cells->count) {
        return OCT_OK;
    }
    if (more > UINT64_MAX - cells->count) {
        return OCT_ERROR_MEMORY;
    }
    set_cells grown;
    OCT_TRY(make(&cells->allocator, table_growth(cells->size, cells->count + more), &grown));
    for (size_t i = 0; i < cells->size; i++) {
        if (cells->slots[i]) {
            put(&grown, cells->slots[i]);
        }
    }
    oct_cells_free(cells);
    *cells = grown;
    return OCT_OK;
}

void oct_cells_remove(set_cells *cells, uint64_t *slot)
{
    size_t gap = (size_t)(slot - cells->slots);
    for (size_t i = table_next(cells->size, gap); cells->slots[i]; i = table_next(cells->size, i)) {
        const size_t home = table_home(cells->size, cells->slots[i] >> 6);
        if (table_moves(cells->size, home, i, gap)) {
            cells->slots[gap] = cells->slots[i];
            gap = i;
        }
    }
    cells->slots[gap] = 0;
    cells->count--;
}

oct_result oct_cells_pack(const set_cells *cells, const uint32_t *renumber, set_cells *out)
{
    OCT_TRY(make(&cells->allocator, cells->count, out));
    for (size_t i = 0; i < cells->size; i++) {
        const uint64_t slot = cells->slots[i];
        if (slot) {
            put(out, slot_key(renumber[slot_row(slot)], slot_x(slot)) << 6 | (slot & 0x3fu));
        }
    }
    return OCT_OK;
}

void oct_cells_free(set_cells *cells)
{
    oct_free(&cells->allocator, cells->slots, cells->size * sizeof *cells->slots);
    cells->slots = NULL;
    cells->size = cells->count = 0;
}

bool oct_cells_valid(const set_cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->size; i++) {
        const uint64_t slot = cells->slots[i];
        count += slot != 0;
        if (slot && ((slot_state(slot) & ~(uint32_t)CELL_STATE) || !slot_state(slot) ||
                     cells_find(cells, slot_row(slot), slot_x(slot)) != &cells->slots[i])) {
            return false;
        }
    }
    return count == cells->count && count <= table_load(cells->size);
}
