// SPDX-License-Identifier: MIT
// What makes a world a game: grids and the places of blocks on them, wires, groups, rules, the
// toolbar.
#include "geom/geom_internal.h"
#include "world/world_internal.h"

#include <math.h>
#include <stdio.h>

// ---- names ----

#define NAME_OF(names, index)                                                                      \
    ((uint32_t)(index) < sizeof(names) / sizeof *(names) ? (names)[index] : NULL)

const char *oct_kind_name(oct_kind kind)
{
    static const char *const names[] = {"solid", "door", "panel", "timer", "target"};
    return NAME_OF(names, kind);
}

const char *oct_side_name(oct_side side)
{
    static const char *const names[] = {"forward", "backward", "left", "right", "up", "down"};
    return NAME_OF(names, side);
}

const char *oct_wire_action_name(oct_wire_action action)
{
    static const char *const names[] = {"toggle", "open", "shut", "start", "stop", "other"};
    return NAME_OF(names, action);
}

// ---- rules and toolbar ----

oct_world_rules oct_world_rules_default(void)
{
    return (oct_world_rules){.acceleration = 10.0,
                             .speed = 20.0,
                             .turn = 6.283185307179586,
                             .walk = 4.0,
                             .jump = 4.0,
                             .door = 1.0,
                             .reach = 3.0,
                             .grind = 100.0,
                             .view = 20.0,
                             .sight = OCT_SIGHT_LINE};
}

oct_world_rules oct_world_rules_of(const oct_world *world)
{
    return world->rules;
}

oct_result oct_world_set_rules(oct_world *world, const oct_world_rules *rules)
{
    const double positive[] = {rules->acceleration, rules->speed, rules->turn, rules->door,
                               rules->view};
    const double others[] = {rules->walk, rules->jump, rules->reach, rules->grind};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
        if (!isfinite(positive[i]) || positive[i] <= 0.0) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!isfinite(others[i]) || others[i] < 0.0) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    if (!oct_world_is_finite(rules->gravity) || (uint32_t)rules->sight > OCT_SIGHT_THROUGH) {
        return OCT_ERROR_ARGUMENT;
    }
    world->rules = *rules;
    world->rules.walk = oct_world_unsigned(rules->walk);
    world->rules.jump = oct_world_unsigned(rules->jump);
    world->rules.reach = oct_world_unsigned(rules->reach);
    world->rules.grind = oct_world_unsigned(rules->grind);
    return OCT_OK;
}

oct_item oct_world_item(const oct_world *world, uint32_t page, uint32_t slot)
{
    return page < OCT_TOOLBAR_PAGES && slot < OCT_TOOLBAR_SLOTS ? world->items[page][slot]
                                                                : (oct_item){0};
}

oct_result oct_world_set_item(oct_world *world, uint32_t page, uint32_t slot, oct_item item)
{
    if (page >= OCT_TOOLBAR_PAGES || slot >= OCT_TOOLBAR_SLOTS || item.kind >= OCT_ITEM_COUNT ||
        (item.kind == OCT_ITEM_BLOCK ? item.type >= world->types.count : item.type != 0)) {
        return OCT_ERROR_ARGUMENT;
    }
    world->items[page][slot] = item;
    return OCT_OK;
}

// ---- grids ----

static const oct_world_grid *grid_at(const oct_world *world, size_t index)
{
    return (const oct_world_grid *)world->grids.items + index;
}

bool oct_world_find_grid(const oct_world *world, uint64_t id, uint32_t *index)
{
    return index_table_find(&world->grid_ids, id, index);
}

oct_result oct_world_add_grid(oct_world *world, const oct_world_grid *grid, uint32_t *index)
{
    if (!oct_world_is_pose(&grid->pose) || !isfinite(grid->cell) || grid->cell <= 0.0 ||
        !oct_world_is_finite(grid->drift) || !isfinite(grid->range) || grid->range < 0.0) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(grid->name ? oct_world_check_name(grid->name) : OCT_OK);
    const size_t count = world->grids.count;
    uint32_t other;
    if (oct_world_find_grid(world, grid->id, &other)) {
        return OCT_ERROR_EXISTS;
    }
    if (count == OCT_WORLD_GRIDS_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_index_table_reserve(&world->grid_ids, &world->allocator, 1));
    oct_world_grid own = *grid;
    own.range = oct_world_unsigned(grid->range);
    own.name = oct_world_keep_name(world, grid->name ? grid->name : "");
    if (!own.name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(oct_array_push(&world->grids, &world->allocator, sizeof own, &own));
    oct_index_table_put(&world->grid_ids, own.id, (uint32_t)count);
    if (index) {
        *index = (uint32_t)count;
    }
    return OCT_OK;
}

size_t oct_world_grids(const oct_world *world)
{
    return world->grids.count;
}

oct_world_grid oct_world_get_grid(const oct_world *world, uint32_t index)
{
    OCT_ASSERT(index < world->grids.count);
    return *grid_at(world, index);
}

// ---- blocks on grids ----

// Which axis of a grid a side lies on: right, up, back.
static int side_axis(uint8_t side)
{
    return side <= OCT_SIDE_BACKWARD ? 2 : side <= OCT_SIDE_RIGHT ? 0 : 1;
}

bool oct_world_is_turn(uint8_t forward, uint8_t up)
{
    return forward < OCT_SIDE_COUNT && up < OCT_SIDE_COUNT && side_axis(forward) != side_axis(up);
}

oct_vec oct_world_turn(oct_vec size, uint8_t forward, uint8_t up)
{
    const int back = side_axis(forward), top = side_axis(up);
    int32_t turned[3];
    turned[back] = size.z;
    turned[top] = size.y;
    turned[3 - back - top] = size.x;
    return (oct_vec){turned[0], turned[1], turned[2]};
}

oct_vec oct_world_unturn(oct_vec size, uint8_t forward, uint8_t up)
{
    const int back = side_axis(forward), top = side_axis(up);
    const int32_t turned[3] = {size.x, size.y, size.z};
    return (oct_vec){turned[3 - back - top], turned[top], turned[back]};
}

oct_vec oct_world_span(const oct_world *world, const oct_world_block *block)
{
    OCT_ASSERT(block->type < world->types.count);
    const oct_vec size = ((const oct_world_type *)world->types.items)[block->type].size;
    return block->placed ? oct_world_turn(size, block->forward, block->up) : size;
}

static bool is_cell(int32_t from, int32_t span)
{
    return from >= -OCT_WORLD_CELL_MAX && from <= OCT_WORLD_CELL_MAX - span;
}

oct_result oct_world_place(const oct_world *world, const oct_world_block *block, oct_bounds *box)
{
    if (block->grid >= world->grids.count || !oct_world_is_turn(block->forward, block->up)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_vec span = oct_world_span(world, block);
    if (!is_cell(block->cell.x, span.x) || !is_cell(block->cell.y, span.y) ||
        !is_cell(block->cell.z, span.z)) {
        return OCT_ERROR_RANGE;
    }
    const oct_world_grid grid = oct_world_get_grid(world, block->grid);
    *box = oct_world_cells_box(&grid, block->cell, span);
    return OCT_OK;
}

oct_bounds oct_world_cells_box(const oct_world_grid *grid, oct_vec cell, oct_vec span)
{
    const oct_point f = grid->pose.forward, u = grid->pose.up;
    const oct_point right = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    const double axes[3][3] = {{right.x, right.y, right.z}, {u.x, u.y, u.z}, {-f.x, -f.y, -f.z}};
    const double cells[3][2] = {{cell.x - 0.5, cell.x + span.x - 0.5},
                                {cell.y - 0.5, cell.y + span.y - 0.5},
                                {cell.z - 0.5, cell.z + span.z - 0.5}};
    double lo[3] = {grid->pose.position.x, grid->pose.position.y, grid->pose.position.z};
    double hi[3] = {lo[0], lo[1], lo[2]};
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            const double a = axes[axis][i] * cells[axis][0] * grid->cell;
            const double b = axes[axis][i] * cells[axis][1] * grid->cell;
            lo[i] += a < b ? a : b;
            hi[i] += a < b ? b : a;
        }
    }
    return (oct_bounds){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

// Grids of saves are off the world's axes by millionths. A block whose upright box is longer than
// itself by less than this share, over its three edges, fills that box.
#define TURNED 1e-3

bool oct_world_piece(const oct_world *world, const oct_world_block *block, oct_piece *out)
{
    if (!block->placed) {
        return false;
    }
    const oct_world_grid *const grid = grid_at(world, block->grid);
    const frame_axes axes = oct_frame_axes(grid->pose.forward, grid->pose.up);
    if (!oct_frame_is_turned(&axes)) {
        return false;
    }
    const oct_vec span = oct_world_span(world, block), c = block->cell;
    const oct_point half = point_scale((oct_point){span.x, span.y, span.z}, grid->cell / 2.0);
    const oct_point box = point_sub(block->box.max, block->box.min);
    if (box.x + box.y + box.z < 2.0 * (half.x + half.y + half.z) * (1.0 + TURNED)) {
        return false;
    }
    const oct_point from = point_scale((oct_point){c.x - 0.5, c.y - 0.5, c.z - 0.5}, grid->cell);
    const oct_point own = point_add(from, half);
    const oct_point across = point_add(point_scale(axes.right, own.x), point_scale(axes.up, own.y));
    *out = (oct_piece){
        .kind = OCT_PIECE_OBB,
        .box = block->box,
        .centre = point_add(grid->pose.position, point_add(across, point_scale(axes.back, own.z))),
        .half = half};
    oct_frame_quaternion(&axes, out->turn);
    return true;
}

uint64_t oct_world_cell_id(uint64_t grid_id, oct_vec cell)
{
    char name[64];
    const int length = snprintf(name, sizeof name, "%lld/%ld,%ld,%ld", (long long)grid_id,
                                (long)cell.x, (long)cell.y, (long)cell.z);
    return oct_hash_bytes(name, (size_t)length) | UINT64_C(1) << 63;
}

// ---- wires and groups ----

oct_result oct_world_add_wire(oct_world *world, const oct_world_wire *wire)
{
    const char *const group = wire->group ? wire->group : "";
    if (wire->action >= OCT_WIRE_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_world_check_name(group));
    if (world->wires.count == OCT_WORLD_WIRES_MAX) {
        return OCT_ERROR_RANGE;
    }
    oct_world_wire own = *wire;
    own.to = group[0] ? 0 : wire->to;
    own.group = oct_world_keep_name(world, group);
    if (!own.group) {
        return OCT_ERROR_MEMORY;
    }
    return oct_array_push(&world->wires, &world->allocator, sizeof own, &own);
}

size_t oct_world_wires(const oct_world *world)
{
    return world->wires.count;
}

oct_world_wire oct_world_get_wire(const oct_world *world, size_t index)
{
    OCT_ASSERT(index < world->wires.count);
    return ((const oct_world_wire *)world->wires.items)[index];
}

oct_result oct_world_add_member(oct_world *world, const oct_world_member *member)
{
    OCT_TRY(member->group[0] ? oct_world_check_name(member->group) : OCT_ERROR_ARGUMENT);
    if (world->members.count == OCT_WORLD_MEMBERS_MAX) {
        return OCT_ERROR_RANGE;
    }
    oct_world_member own = *member;
    own.group = oct_world_keep_name(world, member->group);
    if (!own.group) {
        return OCT_ERROR_MEMORY;
    }
    return oct_array_push(&world->members, &world->allocator, sizeof own, &own);
}

size_t oct_world_members(const oct_world *world)
{
    return world->members.count;
}

oct_world_member oct_world_get_member(const oct_world *world, size_t index)
{
    OCT_ASSERT(index < world->members.count);
    return ((const oct_world_member *)world->members.items)[index];
}
