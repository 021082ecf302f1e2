// SPDX-License-Identifier: MIT
// Boxes of one-cell blocks, which a world file may state instead of every block.
//
// Fills paint over each other: a table holds which of them each cell was painted by last. What the
// fills name and the listed blocks cover is counted before any of it is looked at, so that a short
// file cannot ask for much.
#include "base/key_table.h"
#include "files/world_octant.h"

#include <stdio.h>

typedef struct fill {
    oct_vec from, to; // both included
    uint32_t grid;
    uint32_t type;
    bool hollow;
    bool clears;
    size_t at; // in the data
} fill;

// A cell in the order in which cells were first painted.
typedef struct painted {
    oct_vec cell;
    uint32_t grid;
    uint32_t fill; // + 1; 0 = it is clear
} painted;

typedef struct painter {
    world_reader *in;
    oct_array fills;
    oct_array cells; // of painted
    key_table places;
    uint64_t named; // cells, those that are named more than once so often
} painter;

// ---- in ----

static uint64_t volume(int64_t x, int64_t y, int64_t z)
{
    return x > 0 && y > 0 && z > 0 ? (uint64_t)x * (uint64_t)y * (uint64_t)z : 0;
}

static uint64_t cells_of(const fill *f)
{
    const int64_t x = (int64_t)f->to.x - f->from.x + 1, y = (int64_t)f->to.y - f->from.y + 1,
                  z = (int64_t)f->to.z - f->from.z + 1;
    return volume(x, y, z) - (f->hollow ? volume(x - 2, y - 2, z - 2) : 0);
}

static oct_result count_cells(painter *p, uint64_t cells)
{
    if (cells > OCT_WORLD_FILLED_MAX - p->named) {
        return oct_world_refuse(p->in, "more than %u cells in fills and blocks",
                                (unsigned)OCT_WORLD_FILLED_MAX);
    }
    p->named += cells;
    return OCT_OK;
}

static oct_result read_fill_type(const world_reader *in, const json_t *value, fill *f)
{
    if (!value) {
        f->clears = true;
        return OCT_OK;
    }
    OCT_TRY(oct_octant_type(in, value, &f->type));
    const oct_vec size = oct_world_get_type(in->world, f->type).size;
    return size.x == 1 && size.y == 1 && size.z == 1
               ? OCT_OK
               : oct_world_refuse(in, "its type must have the size of one cell");
}

static oct_result read_fill(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"grid", "type", "from", "to", "hollow"};
    (void)index;
    painter *const p = in->ctx;
    fill f = {.at = in->item};
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    const json_t *const grid = json_object_get(item, "grid");
    const json_t *const hollow = json_object_get(item, "hollow");
    OCT_TRY(grid ? oct_world_whole(in, grid, "grid", OCT_WORLD_WHOLE_BELOW, &f.grid) : OCT_OK);
    OCT_TRY(oct_world_cells(in, json_object_get(item, "from"), "from", -OCT_WORLD_CELL_MAX,
                            OCT_WORLD_CELL_MAX - 1, &f.from));
    OCT_TRY(oct_world_cells(in, json_object_get(item, "to"), "to", -OCT_WORLD_CELL_MAX,
                            OCT_WORLD_CELL_MAX - 1, &f.to));
    OCT_TRY(hollow ? oct_world_bool(in, hollow, "hollow", &f.hollow) : OCT_OK);
    OCT_TRY(read_fill_type(in, json_object_get(item, "type"), &f));
    if (f.grid >= oct_world_grids(in->world)) {
        return oct_world_refuse(in, "there is no grid %lu", (unsigned long)f.grid);
    }
    if (f.from.x > f.to.x || f.from.y > f.to.y || f.from.z > f.to.z) {
        return oct_world_refuse(in, "from and to are inside out");
    }
    OCT_TRY(count_cells(p, cells_of(&f)));
    return oct_array_push(&p->fills, &in->allocator, sizeof f, &f) == OCT_OK
               ? OCT_OK
               : oct_io_out_of_memory(in->error);
}

// ---- painting ----

// `by` is a fill + 1, or 0 to clear.
static oct_result paint(painter *p, uint32_t grid, oct_vec cell, uint32_t by)
{
    const lattice_key key = {cell.x, cell.y, cell.z, grid};
    const oct_allocator *const allocator = &p->in->allocator;
    OCT_TRY(oct_key_table_reserve(&p->places, allocator, 1));
    key_slot *const slot = key_table_slot(&p->places, key);
    if (key_slot_is_used(&p->places, slot)) {
        ((painted *)p->cells.items)[slot->value].fill = by;
    } else if (by != 0) {
        const painted own = {cell, grid, by};
        OCT_TRY(oct_array_push(&p->cells, allocator, sizeof own, &own));
        key_slot_fill(&p->places, slot, key, (uint32_t)p->cells.count - 1);
    }
    return OCT_OK;
}

static bool is_between(int32_t value, int32_t from, int32_t to)
{
    return value > from && value < to;
}

static oct_result paint_fill(painter *p, const fill *f, uint32_t by)
{
    for (int32_t z = f->from.z; z <= f->to.z; z++) {
        for (int32_t y = f->from.y; y <= f->to.y; y++) {
            const bool through = f->hollow && is_between(z, f->from.z, f->to.z) &&
                                 is_between(y, f->from.y, f->to.y) && f->to.x > f->from.x;
            const int32_t step = through ? f->to.x - f->from.x : 1;
            for (int32_t x = f->from.x; x <= f->to.x; x += step) {
                OCT_TRY(paint(p, f->grid, (oct_vec){x, y, z}, by));
            }
        }
    }
    return OCT_OK;
}

// Listed blocks win: what they cover is cleared.
static oct_result clear_block(painter *p, const oct_world_block *block)
{
    const oct_vec size = oct_world_span(p->in->world, block), c = block->cell;
    const fill covered = {.from = c,
                          .to = {c.x + size.x - 1, c.y + size.y - 1, c.z + size.z - 1},
                          .grid = block->grid};
    return paint_fill(p, &covered, 0);
}

static oct_result count_blocks(painter *p)
{
    const oct_world *const world = p->in->world;
    p->in->item = ((const fill *)p->fills.items)->at;
    p->in->subject[0] = '\0';
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_vec size = oct_world_span(world, &block);
        OCT_TRY(block.placed ? count_cells(p, volume(size.x, size.y, size.z)) : OCT_OK);
    }
    return OCT_OK;
}

static oct_result paint_all(painter *p)
{
    const fill *const fills = p->fills.items;
    for (size_t i = 0; i < p->fills.count; i++) {
        OCT_TRY(paint_fill(p, &fills[i], fills[i].clears ? 0 : (uint32_t)i + 1));
    }
    const size_t blocks = oct_world_blocks(p->in->world);
    for (size_t i = 0; i < blocks; i++) {
        const oct_world_block block = oct_world_get(p->in->world, i);
        OCT_TRY(block.placed ? clear_block(p, &block) : OCT_OK);
    }
    return OCT_OK;
}

// ---- out of the painter ----

static oct_result add_cell(painter *p, const painted *cell)
{
    world_reader *const in = p->in;
    const fill *const f = (const fill *)p->fills.items + (cell->fill - 1);
    const oct_vec c = cell->cell;
    const oct_world_block block = {
        .id = oct_world_cell_id(oct_world_get_grid(in->world, cell->grid).id, c),
        .type = f->type,
        .grid = cell->grid,
        .label = OCT_BLOCKED,
        .placed = true,
        .forward = OCT_SIDE_FORWARD,
        .up = OCT_SIDE_UP,
        .cell = c};
    in->item = f->at;
    snprintf(in->subject, sizeof in->subject, "fill %lu (cell %ld %ld %ld)",
             (unsigned long)cell->fill - 1, (long)c.x, (long)c.y, (long)c.z);
    return oct_world_take(in, &block);
}

static oct_result fill_world(painter *p)
{
    if (p->fills.count == 0) {
        return OCT_OK;
    }
    OCT_TRY(count_blocks(p));
    if (paint_all(p) != OCT_OK) {
        return oct_io_out_of_memory(p->in->error);
    }
    for (size_t i = 0; i < p->cells.count; i++) {
        const painted *const cell = (const painted *)p->cells.items + i;
        OCT_TRY(cell->fill != 0 ? add_cell(p, cell) : OCT_OK);
    }
    return OCT_OK;
}

oct_result oct_octant_read_fills(world_reader *in)
{
    painter p = {.in = in};
    in->ctx = &p;
    oct_result result = oct_world_each_of(in, "fills", "fill", read_fill);
    if (result == OCT_OK) {
        result = fill_world(&p);
    }
    oct_array_free(&p.fills, &in->allocator, sizeof(fill));
    oct_array_free(&p.cells, &in->allocator, sizeof(painted));
    oct_key_table_free(&p.places, &in->allocator);
    return result;
}
