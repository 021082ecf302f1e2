// SPDX-License-Identifier: MIT
// A block world from an oct_world: everything is copied, so that the world may die.
#include "game/block_internal.h"

#include "geom/geom_internal.h"
#include "world/world_internal.h"

#include <math.h>

// Speeds and accelerations beyond this are refused, in metres, radians and seconds: no sum of them
// in a life's time leaves what doubles hold.
// So little a box may lack of what it holds: what is rounded, metres.
#define BOX_HAIR 5e-7
#define RATE_MAX 1e6
#define DOOR_TICKS_MAX (UINT32_C(1) << 30)
// Falls do no harm, however deep: metres.
#define HARMLESS 1e9

static const char *keep_name(block_world *g, const char *name)
{
    const size_t size = strlen(name) + 1;
    if (size == 1) {
        return "";
    }
    char *const copy = oct_arena_alloc(&g->texts, size, 1);
    if (copy) {
        memcpy(copy, name, size);
    }
    return copy;
}

// ---- blocks ----

oct_bounds oct_block_home(const block_world *g, const block *b)
{
    if (!b->placed) {
        return b->box;
    }
    const double cell = rigid_at(g, b->grid)->grid.cell;
    return (oct_bounds){
        {(b->cell.x - 0.5) * cell, (b->cell.y - 0.5) * cell, (b->cell.z - 0.5) * cell},
        {(b->cell.x + b->span.x - 0.5) * cell, (b->cell.y + b->span.y - 0.5) * cell,
         (b->cell.z + b->span.z - 0.5) * cell}};
}

static double beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// How far the box in the world reaches beyond the home: furthest at a corner, since distances from
// a convex body are convex.
static double slack_of(const block_world *g, const block *b, const oct_bounds *home)
{
    const oct_point shift =
        b->placed ? oct_block_offset(rigid_at(g, b->grid)) : (oct_point){0, 0, 0};
    double most = 0.0;
    for (int corner = 0; b->placed && corner < 8; corner++) {
        const oct_point world = {(corner & 1 ? b->box.max.x : b->box.min.x) + shift.x,
                                 (corner & 2 ? b->box.max.y : b->box.min.y) + shift.y,
                                 (corner & 4 ? b->box.max.z : b->box.min.z) + shift.z};
        const oct_point at = oct_solids_to_local(g->solids, frame_of(b), world);
        const double x = beyond(at.x, home->min.x, home->max.x);
        const double y = beyond(at.y, home->min.y, home->max.y);
        const double z = beyond(at.z, home->min.z, home->max.z);
        const double square = x * x + y * y + z * z;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

// Makes room for one more block of a kind in everything but the solids.
static oct_result reserve(block_world *g, const block *b)
{
    if (g->spare == BLOCK_NONE && g->blocks.count == g->blocks.capacity) {
        OCT_TRY(oct_array_grow(&g->blocks, &g->allocator, sizeof(block)));
    }
    oct_array *const list = b->kind == OCT_KIND_DOOR    ? &g->moving
                            : b->kind == OCT_KIND_TIMER ? &g->waiting
                                                        : NULL;
    if (list && g->alive[b->kind] == list->capacity) {
        OCT_TRY(oct_array_grow(list, &g->allocator, sizeof(uint32_t)));
    }
    return oct_index_table_reserve(&g->ids, &g->allocator, 1);
}

static oct_result add_solid(block_world *g, const block *b, const oct_bounds *home, uint32_t *solid)
{
    OCT_TRY(oct_solids_add(g->solids, frame_of(b), *home, solid));
    oct_result result = OCT_OK;
    while (result == OCT_OK && g->owners.capacity <= *solid) {
        result = oct_array_grow(&g->owners, &g->allocator, sizeof(uint32_t));
    }
    if (result != OCT_OK) {
        oct_solids_remove(g->solids, *solid);
        return result;
    }
    g->owners.count = g->owners.count > *solid ? g->owners.count : *solid + 1u;
    return OCT_OK;
}

// How far a box reaches out of another one, at most.
static double sticks_out(const oct_bounds *b, const oct_bounds *of)
{
    const double out[] = {of->min.x - b->min.x, of->min.y - b->min.y, of->min.z - b->min.z,
                          b->max.x - of->max.x, b->max.y - of->max.y, b->max.z - of->max.z};
    double most = 0.0;
    for (int i = 0; i < 6; i++) {
        most = out[i] > most ? out[i] : most;
    }
    return most;
}

// A grid's vectors are unit and square in its file but for their last digits. Where the box that
// follows from them does not hold the block's turned shape it grows, so that it is true of what is
// told, and whoever is told the shape takes the box as well.
static void hold_shape(const block_world *g, block *b)
{
    if (!b->placed || !rigid_at(g, b->grid)->is_turned) {
        return;
    }
    const rigid *const r = rigid_at(g, b->grid);
    oct_world_grid grid = r->grid;
    grid.pose.forward = point_scale(r->axes.back, -1.0);
    grid.pose.up = r->axes.up;
    const oct_bounds shape = oct_world_cells_box(&grid, b->cell, b->span);
    if (sticks_out(&shape, &b->box) > BOX_HAIR) {
        b->box = bounds_join(b->box, shape);
    }
}

oct_result oct_block_add(block_world *g, const block *b, const oct_bounds *home, uint32_t *index)
{
    uint32_t solid;
    if (g->spare == BLOCK_NONE && g->blocks.count == OCT_WORLD_BLOCKS_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(reserve(g, b));
    OCT_TRY(add_solid(g, b, home, &solid));
    if (g->spare == BLOCK_NONE) {
        *index = (uint32_t)g->blocks.count++;
    } else {
        *index = g->spare;
        g->spare = block_at(g, *index)->next_spare;
    }
    block *const own = block_at(g, *index);
    *own = *b;
    own->solid = solid;
    hold_shape(g, own);
    g->alive[b->kind]++;
    ((uint32_t *)g->owners.items)[solid] = *index;
    oct_index_table_put(&g->ids, b->id, *index);
    if (own->passable) {
        oct_solids_set(g->solids, solid, NULL);
    } else if (own->kind == OCT_KIND_DOOR) {
        oct_block_set_leaf(g, own);
    }
    const double slack = slack_of(g, own, home);
    g->slack = slack > g->slack ? slack : g->slack;
    return OCT_OK;
}

// ---- what may be ----

static bool is_near(double at)
{
    return fabs(at) <= BLOCK_WORLD_FAR;
}

static bool is_near_point(oct_point at, double range)
{
    return is_near(fabs(at.x) + range) && is_near(fabs(at.y) + range) &&
           is_near(fabs(at.z) + range);
}

static bool is_rate(double rate)
{
    return fabs(rate) <= RATE_MAX;
}

static oct_result check_rules(const oct_world_rules *rules)
{
    const bool are = is_rate(rules->acceleration) && is_rate(rules->speed) &&
                     is_rate(rules->turn) && is_rate(rules->walk) && is_rate(rules->jump) &&
                     is_rate(rules->gravity.x) && is_rate(rules->gravity.y) &&
                     is_rate(rules->gravity.z) && is_near(rules->reach) && is_near(rules->view);
    return are ? OCT_OK : OCT_ERROR_RANGE;
}

// The nearest whole number of ticks, from 1 on.
static uint32_t ticks_of(double seconds, uint32_t most)
{
    const double ticks = floor(seconds * OCT_BLOCK_WORLD_RATE + 0.5);
    return ticks < 1.0 ? 1u : ticks > most ? most : (uint32_t)ticks;
}

// ---- copying ----

static oct_result copy_types(block_world *g, const oct_world *world)
{
    const size_t count = oct_world_types(world);
    OCT_TRY(oct_array_reserve(&g->types, &g->allocator, sizeof(oct_world_type), count));
    for (uint32_t i = 0; i < count; i++) {
        oct_world_type type = oct_world_get_type(world, i);
        type.name = keep_name(g, type.name);
        if (!type.name) {
            return OCT_ERROR_MEMORY;
        }
        OCT_TRY(oct_array_push(&g->types, &g->allocator, sizeof type, &type));
    }
    return OCT_OK;
}

// ---- turned grids ----

static oct_result add_grid(block_world *g, const oct_world_grid *grid, uint32_t index)
{
    const oct_point d = grid->drift;
    const double speed = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    rigid r = {.grid = *grid, .axes = oct_motion_frame(grid->pose.forward, grid->pose.up)};
    uint32_t frame;
    r.grid.name = "";
    oct_frame_quaternion(&r.axes, r.turn);
    r.is_turned = oct_frame_is_turned(&r.axes);
    g->has_turned = g->has_turned || r.is_turned;
    if (!is_near_point(grid->pose.position, grid->range) || !is_near(grid->cell) ||
        !is_rate(speed)) {
        return OCT_ERROR_RANGE;
    }
    if (speed > 0.0 && grid->range > 0.0) {
        r.direction = (oct_point){d.x / speed, d.y / speed, d.z / speed};
        r.step = speed / OCT_BLOCK_WORLD_RATE;
        OCT_TRY(oct_array_push(&g->drifting, &g->allocator, sizeof index, &index));
    }
    OCT_TRY(oct_solids_add_frame(g->solids, grid->pose.position, &r.axes, &frame));
    OCT_ASSERT(frame == index + 1u);
    return oct_array_push(&g->rigids, &g->allocator, sizeof r, &r);
}

static oct_result copy_grids(block_world *g, const oct_world *world)
{
    const size_t count = oct_world_grids(world);
    const motion_frame axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t frame;
    OCT_TRY(oct_array_reserve(&g->rigids, &g->allocator, sizeof(rigid), count));
    OCT_TRY(oct_solids_add_frame(g->solids, (oct_point){0, 0, 0}, &axes, &frame));
    for (uint32_t i = 0; i < count; i++) {
        const oct_world_grid grid = oct_world_get_grid(world, i);
        OCT_TRY(add_grid(g, &grid, i));
    }
    return OCT_OK;
}

// What kind of thing a block is, and in what state it begins.
static void set_state(const block_world *g, const oct_world_block *from, block *b)
{
    b->passable = from->label == OCT_OPEN && b->kind != OCT_KIND_DOOR;
    if (b->kind == OCT_KIND_DOOR) {
        b->is.door.opens = from->label == OCT_OPEN;
        b->is.door.opened = b->is.door.opens ? g->door_ticks : 0u;
        b->is.door.listed = BLOCK_NONE;
    } else if (b->kind == OCT_KIND_TIMER) {
        b->is.timer.delay = ticks_of(from->delay, UINT32_MAX);
        b->is.timer.heaped = BLOCK_NONE;
    }
}

static oct_result copy_block(block_world *g, const oct_world *world, size_t index)
{
    const oct_world_block from = oct_world_get(world, index);
    const oct_world_type *const type = type_at(g, from.type);
    block b = {.id = from.id,
               .name = keep_name(g, from.name),
               .box = from.box,
               .integrity = type->integrity - from.damage,
               .type = from.type,
               .grid = from.grid,
               .cell = from.cell,
               .span = oct_world_span(world, &from),
               .forward = from.forward,
               .up = from.up,
               .kind = type->kind,
               .placed = from.placed};
    const double range = from.placed ? rigid_at(g, from.grid)->grid.range : 0.0;
    uint32_t own;
    if (!b.name) {
        return OCT_ERROR_MEMORY;
    }
    if (!is_near_point(b.box.min, range) || !is_near_point(b.box.max, range)) {
        return OCT_ERROR_RANGE;
    }
    set_state(g, &from, &b);
    const oct_bounds home = oct_block_home(g, &b);
    return oct_block_add(g, &b, &home, &own);
}

static oct_result copy_blocks(block_world *g, const oct_world *world)
{
    const size_t count = oct_world_blocks(world);
    OCT_TRY(oct_array_reserve(&g->blocks, &g->allocator, sizeof(block), count));
    OCT_TRY(oct_array_reserve(&g->owners, &g->allocator, sizeof(uint32_t), count));
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(copy_block(g, world, i));
    }
    g->world_blocks = (uint32_t)count;
    return OCT_OK;
}

static void set_body(block_world *g)
{
    g->body = oct_player_body_default();
    g->body.height = OCT_BLOCK_WORLD_HEIGHT;
    g->body.width = OCT_BLOCK_WORLD_WIDTH;
    g->body.tumbles = true;
    g->body.eye = OCT_BLOCK_WORLD_HEIGHT / 2.0;
    g->body.gait = OCT_GAIT_BOTH;
    g->body.speed = g->rules.speed;
    g->body.acceleration = g->rules.acceleration;
    g->body.brake = g->rules.acceleration;
    g->body.brakes_axes = g->body.uses_all_around = true;
    g->body.turn = g->rules.turn;
    g->body.reach = g->rules.reach;
    g->body.walk = g->rules.walk;
    g->body.jump = g->rules.jump;
    // On foot. The ball at its lower end rolls over edges as over what is no steeper than it stands
    // on. It gets no further by a jump than ballistics, and what its rim rests on at both ends.
    const double pull = point_length(g->rules.gravity), radius = OCT_BLOCK_WORLD_WIDTH / 2.0;
    const double air = 2.0 * g->rules.jump + 2.0 * pull / OCT_BLOCK_WORLD_RATE;
    g->body.step = radius * (1.0 - BODY_LEVEL);
    g->body.slope = 45.0;
    g->body.leap =
        pull > 0.0 ? g->rules.walk * air / pull + 2.0 * radius * BODY_LEVEL : OCT_NOT_TOLD;
    g->body.air = 0.0;
    g->body.fall = g->body.hurts = HARMLESS;
    g->body.verbs = oct_block_verbs;
    g->body.verb_count = BLOCK_VERBS;
}

oct_result oct_block_copy_world(block_world *g, const oct_world *world)
{
    oct_world_rules rules = oct_world_rules_of(world);
    OCT_TRY(check_rules(&rules));
    // Described as it is played: in whole ticks, and not longer than a game can last.
    g->door_ticks = ticks_of(rules.door, DOOR_TICKS_MAX);
    rules.door = (double)g->door_ticks / OCT_BLOCK_WORLD_RATE;
    g->has_start = oct_world_start(world, &g->start);
    g->up = oct_world_up(world);
    for (uint32_t page = 0; page < OCT_TOOLBAR_PAGES; page++) {
        for (uint32_t slot = 0; slot < OCT_TOOLBAR_SLOTS; slot++) {
            g->items[page][slot] = oct_world_item(world, page, slot);
        }
    }
    const char *const name = keep_name(g, oct_world_name(world));
    if (!name) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(copy_types(g, world));
    OCT_TRY(copy_grids(g, world));
    OCT_TRY(copy_blocks(g, world));
    OCT_TRY(oct_block_copy_wires(g, world));
    g->info = oct_game_info_default();
    g->info.game = "block world";
    g->info.level = name;
    g->info.rate = OCT_BLOCK_WORLD_RATE;
    g->info.up = g->up;
    g->info.left_handed = oct_world_left_handed(world);
    g->info.view = rules.view;
    g->info.sight = rules.sight;
    g->info.gravity = rules.gravity;
    g->info.slide = g->door_ticks;
    g->rules = rules;
    set_body(g);
    return oct_block_promise(g);
}
