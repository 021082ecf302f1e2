// SPDX-License-Identifier: MIT
// From what was gathered of a save to a world: grids with their blocks, wires and groups; warnings.
#include "files/save.h"
#include "base/print.h"

#include "files/engineers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// So many types of unknown size are named, the others counted.
#define NAMED_MAX 8

// ---- groups ----

static int compare_cells(oct_vec a, oct_vec b)
{
    const int32_t x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    const int32_t first = x != 0 ? x : y != 0 ? y : z;
    return (first > 0) - (first < 0);
}

static int by_cell(const void *a, const void *b)
{
    const save_member *const p = a, *const q = b;
    const int cells = compare_cells(p->cell, q->cell);
    return cells != 0 ? cells : (p->order > q->order) - (p->order < q->order);
}

static int by_order(const void *a, const void *b)
{
    const save_member *const p = a, *const q = b;
    return (p->order > q->order) - (p->order < q->order);
}

// A block's claim to a cell: the first one gets it, in all groups that name the cell.
static void claim(save_member *members, size_t count, oct_vec cell, uint32_t block)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_cells(members[middle].cell, cell) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < count && compare_cells(members[low].cell, cell) == 0; low++) {
        members[low].block = members[low].block == SAVE_NOBODY ? block : members[low].block;
    }
}

static bool covers(oct_vec from, oct_vec span, oct_vec cell)
{
    return cell.x >= from.x && cell.x < from.x + span.x && cell.y >= from.y &&
           cell.y < from.y + span.y && cell.z >= from.z && cell.z < from.z + span.z;
}

// By the cells of the block or by those of the groups, whichever are fewer.
static void claim_cells(const save_reader *save, save_member *members, size_t count, uint32_t index)
{
    const save_block *const block = (const save_block *)save->blocks.items + index;
    const oct_world_block turned = {
        .type = block->type, .placed = true, .forward = block->forward, .up = block->up};
    const oct_vec from = block->cell, span = oct_world_span(save->world, &turned);
    if ((uint64_t)span.x * (uint64_t)span.y * (uint64_t)span.z > count) {
        for (size_t i = 0; i < count; i++) {
            if (members[i].block == SAVE_NOBODY && covers(from, span, members[i].cell)) {
                members[i].block = index;
            }
        }
        return;
    }
    for (int32_t x = 0; x < span.x; x++) {
        for (int32_t y = 0; y < span.y; y++) {
            for (int32_t z = 0; z < span.z; z++) {
                const oct_vec cell = {from.x + x, from.y + y, from.z + z};
                claim(members, count, cell, index);
            }
        }
    }
}

// Which blocks stand at the cells that the grid's groups name.
static void find_members(save_reader *save)
{
    save_member *const members = save->members.items;
    const size_t count = save->members.count;
    if (count == 0) {
        return;
    }
    qsort(members, count, sizeof *members, by_cell);
    for (uint32_t i = 0; i < save->blocks.count; i++) {
        claim_cells(save, members, count, i);
    }
    qsort(members, count, sizeof *members, by_order);
}

// ---- the grid ----

static oct_result refuse_block(save_reader *save, const save_block *from, uint64_t id,
                               oct_result result)
{
    const size_t index = oct_world_blocks(save->world);
    char own[ENGINEERS_CELL_NAME];
    if (from->id != 0) {
        snprintf(own, sizeof own, "id %lld", (long long)id);
    } else {
        oct_engineers_cell_name(save->grid.id, from->cell, own);
    }
    size_t other;
    if (result == OCT_ERROR_EXISTS && oct_world_find(save->world, id, &other)) {
        oct_xml_refuse_at(save->xml, from->place, "block %zu (%s): the id is that of block %zu",
                          index, own, other);
    } else if (result == OCT_ERROR_RANGE && index == OCT_WORLD_BLOCKS_MAX) {
        oct_xml_refuse_at(save->xml, from->place, "more than %zu blocks", index);
    } else if (result != OCT_ERROR_MEMORY) {
        oct_xml_refuse_at(save->xml, from->place, "block %zu (%s): it reaches too far", index, own);
    }
    return result;
}

static oct_result add_block(save_reader *save, const save_block *from, uint32_t grid)
{
    const double integrity = oct_world_get_type(save->world, from->type).integrity;
    char name[ENGINEERS_CELL_NAME];
    oct_engineers_cell_name(save->grid.id, from->cell, name);
    const oct_world_block block = {
        .id = from->id != 0 ? from->id : oct_world_cell_id(save->grid.id, from->cell),
        .name = from->id != 0 || from->name[0] ? from->name : name,
        .type = from->type,
        .grid = grid,
        .label = from->label,
        .placed = true,
        .forward = from->forward,
        .up = from->up,
        .cell = from->cell,
        .damage = from->damage * integrity,
        .delay = from->delay,
    };
    const oct_result result = oct_world_add(save->world, &block);
    if (result != OCT_OK) {
        return refuse_block(save, from, block.id, result);
    }
    world_findings *const f = save->findings;
    return f ? oct_findings_add(f, &f->blocks, from->place.line) : OCT_OK;
}

static oct_result add_wires(const save_reader *save, size_t first)
{
    const save_wire *const wires = save->wires.items;
    world_findings *const f = save->findings;
    for (size_t i = 0; i < save->wires.count; i++) {
        const oct_world_wire wire = {.from = oct_world_get(save->world, first + wires[i].block).id,
                                     .slot = wires[i].slot,
                                     .action = wires[i].action,
                                     .to = wires[i].to,
                                     .group = wires[i].group};
        OCT_TRY(oct_world_add_wire(save->world, &wire));
        OCT_TRY(f ? oct_findings_add(f, &f->wires, wires[i].line) : OCT_OK);
    }
    return OCT_OK;
}

static oct_result add_members(save_reader *save, size_t first, uint32_t grid)
{
    const save_member *const members = save->members.items;
    world_findings *const f = save->findings;
    for (size_t i = 0; i < save->members.count; i++) {
        if (members[i].block == SAVE_NOBODY) {
            save->homeless++;
            continue;
        }
        const uint64_t id = oct_world_get(save->world, first + members[i].block).id;
        const oct_world_member member = {members[i].group, grid, id};
        OCT_TRY(oct_world_add_member(save->world, &member));
        OCT_TRY(f ? oct_findings_add(f, &f->members, members[i].line) : OCT_OK);
    }
    return OCT_OK;
}

static oct_result add_all(save_reader *save)
{
    uint32_t grid;
    const size_t first = oct_world_blocks(save->world);
    OCT_TRY(oct_world_add_grid(save->world, &save->grid, &grid));
    for (size_t i = 0; i < save->blocks.count; i++) {
        OCT_TRY(add_block(save, (const save_block *)save->blocks.items + i, grid));
    }
    OCT_TRY(add_wires(save, first));
    find_members(save);
    return add_members(save, first, grid);
}

void oct_save_add_grid(save_reader *save)
{
    const size_t index = oct_world_grids(save->world);
    const oct_result result = add_all(save);
    const bool was_added = oct_world_grids(save->world) > index;
    if (result == OCT_ERROR_MEMORY) {
        oct_xml_out_of_memory(save->xml);
    } else if (result == OCT_ERROR_EXISTS) {
        oct_xml_refuse(save->xml, "grid %zu: a grid before has its EntityId", index);
    } else if (result == OCT_ERROR_RANGE) {
        oct_xml_refuse(save->xml,
                       was_added ? "more than %u wires, or blocks in groups" : "more than %u grids",
                       was_added ? (unsigned)OCT_WORLD_WIRES_MAX : (unsigned)OCT_WORLD_GRIDS_MAX);
    } else if (result != OCT_OK) {
        oct_xml_refuse(save->xml, "grid %zu: Forward and Up must be unit vectors at a right angle",
                       index);
    }
    save->blocks.count = save->wires.count = save->members.count = 0;
    oct_arena_reset(&save->texts);
}

// ---- warnings ----

OCT_FORMAT(2, 3)
static void warn(const save_reader *save, const char *format, ...)
{
    char message[OCT_WORLD_NAME_MAX + 128];
    va_list values;
    va_start(values, format);
    oct_vsnprintf(message, sizeof message, format, values);
    va_end(values);
    if (save->extras.warn) {
        save->extras.warn(save->extras.ctx, message);
    }
}

static void warn_of_sizes(const save_reader *save)
{
    if (!save->extras.sizes) {
        if (oct_world_blocks(save->world) > 0) {
            warn(save, "sizes of blocks are not known: each counts as one cell");
        }
        return;
    }
    uint32_t unknown = 0, found;
    for (uint32_t i = 0; i < oct_world_types(save->world); i++) {
        const char *const name = oct_world_get_type(save->world, i).name;
        if (!oct_world_find_type(save->extras.sizes, name, &found) && unknown++ < NAMED_MAX) {
            warn(save, "the size of %s is not known: it counts as one cell", name);
        }
    }
    if (unknown > NAMED_MAX) {
        warn(save, "the sizes of %u more types are not known", unknown - NAMED_MAX);
    }
}

void oct_save_warn(const save_reader *save)
{
    warn_of_sizes(save);
    if (save->voxels > 0) {
        warn(save, "left out: terrain, which is in files of its own (%u)", save->voxels);
    }
    if (save->homeless > 0) {
        warn(save, "left out: cells in groups where no block stands (%u)", save->homeless);
    }
}
