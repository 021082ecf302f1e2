// SPDX-License-Identifier: MIT
// What is read goes into a world; what a world does not take is refused with the reason, which the
// world itself does not say.
#include "files/world_reader.h"
#include "world/world_internal.h"

#include <math.h>

// For what has no reason left but memory.
static oct_result finish(const world_reader *in, oct_result result)
{
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : result;
}

// The line of what was added last, for who wants to know.
static oct_result keep_line(const world_reader *in, oct_array *lines)
{
    uint32_t column;
    const uint32_t line = oct_findings_line(in->findings, in->data, in->item, &column);
    return finish(in, oct_findings_add(in->findings, lines, line));
}

// ---- types ----

oct_result oct_world_take_type(world_reader *in, const oct_world_type *type, uint32_t *index)
{
    if (!type->name[0]) {
        return oct_world_refuse(in, "name is empty");
    }
    if (type->kind == OCT_KIND_PANEL ? type->buttons == 0 : type->buttons > 0) {
        return oct_world_refuse(in, type->buttons == 0 ? "a panel has at least one button"
                                                       : "only panels have buttons");
    }
    if (!isfinite(type->integrity) || type->integrity <= 0.0) {
        return oct_world_refuse(in, "integrity must be greater than 0");
    }
    const oct_result result = oct_world_define(in->world, type, index);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u types", (unsigned)OCT_WORLD_TYPES_MAX);
    }
    return finish(in, result);
}

// ---- grids ----

oct_result oct_world_take_grid(world_reader *in, const oct_world_grid *grid)
{
    uint32_t other;
    if (!(grid->cell > 0.0)) {
        return oct_world_refuse(in, "cell must be greater than 0");
    }
    if (!(grid->range >= 0.0)) {
        return oct_world_refuse(in, "range must not be negative");
    }
    if (oct_world_find_grid(in->world, grid->id, &other)) {
        return oct_world_refuse(in, "the id is that of grid %u", (unsigned)other);
    }
    const oct_result result = oct_world_add_grid(in->world, grid, NULL);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u grids", (unsigned)OCT_WORLD_GRIDS_MAX);
    }
    return finish(in, result);
}

// ---- blocks ----

static bool is_inside_out(const oct_bounds *box)
{
    return box->min.x > box->max.x || box->min.y > box->max.y || box->min.z > box->max.z;
}

static oct_result check_place(const world_reader *in, const oct_world_block *block)
{
    oct_bounds box;
    if (block->grid >= oct_world_grids(in->world)) {
        return oct_world_refuse(in, "there is no grid %lu", (unsigned long)block->grid);
    }
    const oct_result result = oct_world_place(in->world, block, &box);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "it reaches beyond the cells from %ld to %ld",
                                -(long)OCT_WORLD_CELL_MAX, (long)OCT_WORLD_CELL_MAX - 1);
    }
    if (result != OCT_OK) {
        return oct_world_refuse(in, "forward and up must be at a right angle");
    }
    return oct_world_is_finite(box.min) && oct_world_is_finite(box.max)
               ? OCT_OK
               : oct_world_refuse(in, "its box is beyond all numbers");
}

oct_result oct_world_take_start(world_reader *in, const oct_pose *start)
{
    uint32_t column;
    if (in->findings) {
        in->findings->start = oct_findings_line(in->findings, in->data, in->item, &column);
    }
    return oct_world_set_start(in->world, start);
}

oct_result oct_world_take(world_reader *in, const oct_world_block *block)
{
    const oct_world_type type = oct_world_get_type(in->world, block->type);
    if (block->placed) {
        OCT_TRY(check_place(in, block));
    } else if (is_inside_out(&block->box)) {
        return oct_world_refuse(in, "box is inside out");
    }
    if (!(block->damage >= 0.0 && block->damage < type.integrity)) {
        return oct_world_refuse(in, "damage must be from 0 to below its type's integrity, %g",
                                type.integrity);
    }
    if (!(block->delay >= 0.0) || (block->delay > 0.0 && type.kind != OCT_KIND_TIMER)) {
        return oct_world_refuse(in, block->delay > 0.0 ? "only timers have a delay"
                                                       : "delay must not be negative");
    }
    size_t other;
    if (oct_world_find(in->world, block->id, &other)) {
        return oct_world_refuse(in, "the id is that of block %zu", other);
    }
    const oct_result result = oct_world_add(in->world, block);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u blocks", (unsigned)OCT_WORLD_BLOCKS_MAX);
    }
    OCT_TRY(finish(in, result));
    return in->findings ? keep_line(in, &in->findings->blocks) : OCT_OK;
}

// ---- wires and groups ----

oct_result oct_world_take_wire(world_reader *in, const oct_world_wire *wire)
{
    const oct_result result = oct_world_add_wire(in->world, wire);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u wires", (unsigned)OCT_WORLD_WIRES_MAX);
    }
    OCT_TRY(finish(in, result));
    return in->findings ? keep_line(in, &in->findings->wires) : OCT_OK;
}

oct_result oct_world_take_member(world_reader *in, const oct_world_member *member)
{
    const oct_result result = oct_world_add_member(in->world, member);
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u blocks in groups",
                                (unsigned)OCT_WORLD_MEMBERS_MAX);
    }
    OCT_TRY(finish(in, result));
    return in->findings ? keep_line(in, &in->findings->members) : OCT_OK;
}
