// SPDX-License-Identifier: MIT
// A drafted level as a world: one grid for the building, one for each panel that drifts, and plain
// boxes that make openings narrower.
#include "generate/level.h"

#include <stdio.h>

#define DRIFT_SPEED 0.75

enum { ARMOUR, GLASS, DOOR, WIDE_DOOR, PANEL, PANEL_OF_TWO, TIMER, TARGET, TYPE_COUNT };

static oct_result define_types(oct_world *world)
{
    static const struct {
        const char *name;
        uint8_t kind, buttons;
        int32_t width; // cells
        double integrity;
    } types[TYPE_COUNT] = {
        [ARMOUR] = {"armour", OCT_KIND_SOLID, 0, 1, 400},
        [GLASS] = {"glass", OCT_KIND_SOLID, 0, 1, 100},
        [DOOR] = {"door", OCT_KIND_DOOR, 0, 1, 250},
        [WIDE_DOOR] = {"wide door", OCT_KIND_DOOR, 0, 2, 250},
        [PANEL] = {"panel", OCT_KIND_PANEL, 1, 1, 40},
        [PANEL_OF_TWO] = {"panel of two", OCT_KIND_PANEL, 2, 1, 40},
        [TIMER] = {"timer", OCT_KIND_TIMER, 0, 1, 40},
        [TARGET] = {"TargetDummy", OCT_KIND_TARGET, 0, 1, 100},
    };
    for (int i = 0; i < TYPE_COUNT; i++) {
        oct_world_type type = oct_world_type_default();
        type.name = types[i].name;
        type.kind = types[i].kind;
        type.buttons = types[i].buttons;
        type.size.x = types[i].width;
        type.integrity = types[i].integrity;
        type.opaque = i != GLASS;
        OCT_TRY(oct_world_define(world, &type, NULL));
    }
    return OCT_OK;
}

// ---- places ----

oct_point oct_level_direction(const level *l, uint8_t side)
{
    const oct_point f = l->forward, u = l->up;
    const oct_point right = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    switch (side) {
    case OCT_SIDE_FORWARD:
        return f;
    case OCT_SIDE_BACKWARD:
        return (oct_point){-f.x, -f.y, -f.z};
    case OCT_SIDE_LEFT:
        return (oct_point){-right.x, -right.y, -right.z};
    case OCT_SIDE_RIGHT:
        return right;
    case OCT_SIDE_UP:
        return u;
    default:
        return (oct_point){-u.x, -u.y, -u.z};
    }
}

oct_point oct_level_on_grid(const oct_pose *grid, oct_point cells)
{
    const oct_point f = grid->forward, u = grid->up;
    const oct_point right = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    return (oct_point){
        grid->position.x + LEVEL_EDGE * (cells.x * right.x + cells.y * u.x - cells.z * f.x),
        grid->position.y + LEVEL_EDGE * (cells.x * right.y + cells.y * u.y - cells.z * f.y),
        grid->position.z + LEVEL_EDGE * (cells.x * right.z + cells.y * u.z - cells.z * f.z)};
}

oct_point oct_level_to_world(const level *l, oct_point cells)
{
    const oct_pose grid = {l->position, l->forward, l->up};
    return oct_level_on_grid(&grid, cells);
}

// Where somebody stands in a cell: in its middle.
oct_pose oct_level_stand(const level *l, oct_vec cell)
{
    const oct_point middle = oct_level_to_world(l, (oct_point){cell.x, cell.y, cell.z});
    const oct_point u = l->up;
    return (oct_pose){{middle.x - LEVEL_BODY_HALF * u.x, middle.y - LEVEL_BODY_HALF * u.y,
                       middle.z - LEVEL_BODY_HALF * u.z},
                      l->forward,
                      u};
}

static oct_point middle_of(const level *l, oct_vec c)
{
    return oct_level_to_world(l, (oct_point){c.x, c.y, c.z});
}

// The smallest passage, metres.
static double passage_of(const level *l)
{
    double least = LEVEL_EDGE;
    for (uint32_t i = 0; i < l->rooms; i++) {
        const level_room *const room = &l->room[i];
        // One that nobody fits through is none.
        if (room->opening == LEVEL_GAP && room->gap_width > 1.0) {
            least = room->gap_width < least ? room->gap_width : least;
            least = room->gap_height < least ? room->gap_height : least;
        }
    }
    return least;
}

static oct_result describe(const level *l, oct_world *world)
{
    const oct_pose pose = {l->position, l->forward, l->up};
    const oct_world_grid grid = {.id = 1, .name = "building", .pose = pose, .cell = LEVEL_EDGE};
    const oct_pose start = oct_level_stand(l, l->start[0]);
    OCT_TRY(oct_world_set_name(world, oct_level_class_name(l->level_class)));
    OCT_TRY(oct_world_set_axes(world, OCT_UP_Y, false));
    OCT_TRY(oct_world_set_passage(world, passage_of(l)));
    OCT_TRY(oct_world_set_rules(world, &l->rules));
    OCT_TRY(oct_world_set_start(world, &start));
    for (uint32_t slot = 0; slot < 2; slot++) {
        OCT_TRY(oct_world_set_item(world, 0, slot, (oct_item){.kind = OCT_ITEM_NONE}));
    }
    OCT_TRY(oct_world_add_grid(world, &grid, NULL));
    const oct_world_grid house = {
        .id = 2, .name = "house", .pose = l->house_pose, .cell = LEVEL_EDGE};
    return l->house != LEVEL_NONE ? oct_world_add_grid(world, &house, NULL) : OCT_OK;
}

// ---- blocks ----

// Adds a block, called by a name and a number, where it has one.
static oct_result add(oct_world *world, oct_vec cell, uint8_t forward, oct_world_block block,
                      uint32_t number)
{
    char name[32];
    if (number > 0) {
        snprintf(name, sizeof name, "%s%u", block.name, number);
        block.name = name;
    }
    block.placed = true;
    block.cell = cell;
    block.forward = forward;
    block.up = forward == OCT_SIDE_UP ? OCT_SIDE_BACKWARD : OCT_SIDE_UP;
    return oct_world_add(world, &block);
}

static oct_result add_doors(const level *l, oct_world *world)
{
    static const uint8_t forward[] = {[LEVEL_ROW] = OCT_SIDE_RIGHT,
                                      [LEVEL_NORTH] = OCT_SIDE_BACKWARD,
                                      [LEVEL_SOUTH] = OCT_SIDE_BACKWARD,
                                      [LEVEL_ABOVE] = OCT_SIDE_UP,
                                      [LEVEL_HOUSE] = OCT_SIDE_RIGHT};
    for (uint32_t i = 0; i < l->doors; i++) {
        const level_room *const room = &l->room[l->door_room[i]];
        if (room->opening == LEVEL_WALL) {
            continue; // of a house that is sealed
        }
        const oct_world_block door = {.id = LEVEL_DOOR_ID + i,
                                      .grid = room->side == LEVEL_HOUSE ? 1u : 0u,
                                      .name = "Door",
                                      .type = room->opening == LEVEL_WIDE_DOOR ? WIDE_DOOR : DOOR,
                                      .label = l->open[i] ? OCT_OPEN : OCT_BLOCKED};
        OCT_TRY(add(world, room->way, forward[room->side], door, i + 1u));
    }
    return OCT_OK;
}

static oct_result add_drifting_grid(const level *l, oct_world *world, const level_panel *panel,
                                    uint32_t *index)
{
    const oct_point along = oct_level_direction(l, OCT_SIDE_RIGHT);
    const oct_world_grid grid = {.id = 2u + oct_world_grids(world),
                                 .name = "drifter",
                                 .pose = {middle_of(l, panel->cell), l->forward, {0, 1, 0}},
                                 .cell = LEVEL_EDGE,
                                 .drift = {along.x * DRIFT_SPEED, 0, along.z * DRIFT_SPEED},
                                 .range = (l->room[panel->room].w - 3) * LEVEL_EDGE};
    return oct_world_add_grid(world, &grid, index);
}

static oct_result add_panels(const level *l, oct_world *world)
{
    for (uint32_t i = 0; i < l->panels; i++) {
        const level_panel *const panel = &l->panel[i];
        oct_world_block block = {.id = LEVEL_PANEL_ID + i,
                                 .name = "Panel",
                                 .type = panel->buttons == 2 ? PANEL_OF_TWO : PANEL,
                                 .label = OCT_BLOCKED};
        oct_vec cell = panel->cell;
        if (panel->style == LEVEL_AFLOAT) {
            OCT_TRY(add_drifting_grid(l, world, panel, &block.grid));
            cell = (oct_vec){0, 0, 0};
        }
        OCT_TRY(add(world, cell, panel->forward, block, i + 1u));
    }
    return OCT_OK;
}

// Timers are in the corners under and over the walls between rooms, where nobody sees them.
static oct_vec timer_cell(const level *l, uint32_t timer)
{
    const level_room *const room = &l->room[l->row[timer / 2u]];
    return (oct_vec){room->cells.min.x - 1, timer % 2u == 0 ? -1 : 2, -1};
}

static oct_result add_timers(const level *l, oct_world *world)
{
    for (uint32_t i = 0; i < l->timers; i++) {
        const oct_world_block timer = {.id = LEVEL_TIMER_ID + i,
                                       .name = "Timer",
                                       .type = TIMER,
                                       .label = OCT_BLOCKED,
                                       .delay = l->delay[i]};
        OCT_TRY(add(world, timer_cell(l, i), OCT_SIDE_FORWARD, timer, i + 1u));
    }
    return OCT_OK;
}

// ---- gaps ----

// A plain box in a cell: from and to are shares of its edge along the wall and upwards.
static oct_result add_filler(const level *l, oct_world *world, const level_room *room,
                             const double z[2], const double y[2], uint32_t *count)
{
    if (z[1] - z[0] < 1e-6 || y[1] - y[0] < 1e-6) {
        return OCT_OK;
    }
    const oct_vec c = room->way;
    const oct_point a =
        oct_level_to_world(l, (oct_point){c.x - 0.5, c.y - 0.5 + y[0], c.z - 0.5 + z[0]});
    const oct_point b =
        oct_level_to_world(l, (oct_point){c.x + 0.5, c.y - 0.5 + y[1], c.z - 0.5 + z[1]});
    const oct_world_block block = {.id = LEVEL_FILLER_ID + *count,
                                   .box = {{a.x < b.x ? a.x : b.x, a.y, a.z < b.z ? a.z : b.z},
                                           {a.x < b.x ? b.x : a.x, b.y, a.z < b.z ? b.z : a.z}},
                                   .type = ARMOUR,
                                   .label = OCT_BLOCKED};
    *count += 1u;
    return oct_world_add(world, &block);
}

// Sides of the opening first, then what is above the gap.
static oct_result add_fillers(const level *l, oct_world *world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->rooms; i++) {
        const level_room *const room = &l->room[i];
        if (room->opening != LEVEL_GAP) {
            continue;
        }
        const double width = room->gap_width / LEVEL_EDGE, height = room->gap_height / LEVEL_EDGE;
        const double from = i % 2u == 0 ? 0.0 : (1.0 - width) / 2.0;
        OCT_TRY(add_filler(l, world, room, (const double[2]){0.0, from},
                           (const double[2]){0.0, 1.0}, &count));
        OCT_TRY(add_filler(l, world, room, (const double[2]){from + width, 1.0},
                           (const double[2]){0.0, 1.0}, &count));
        OCT_TRY(add_filler(l, world, room, (const double[2]){from, from + width},
                           (const double[2]){height, 1.0}, &count));
    }
    return OCT_OK;
}

// ---- walls ----

static uint8_t cell_of(const level *l, oct_vec c)
{
    if (c.x < l->origin.x || c.y < l->origin.y || c.z < l->origin.z ||
        c.x >= l->origin.x + l->size.x || c.y >= l->origin.y + l->size.y ||
        c.z >= l->origin.z + l->size.z) {
        return LEVEL_CELL_SOLID;
    }
    const oct_vec at = {c.x - l->origin.x, c.y - l->origin.y, c.z - l->origin.z};
    return l->cells[((size_t)at.z * (size_t)l->size.y + (size_t)at.y) * (size_t)l->size.x +
                    (size_t)at.x];
}

// Solid cells beside what is not solid become walls; the rest is left out.
static bool is_wall(const level *l, oct_vec c)
{
    bool is_beside = false;
    for (int i = 0; i < 27 && !is_beside; i++) {
        const oct_vec next = {c.x + i % 3 - 1, c.y + i / 3 % 3 - 1, c.z + i / 9 - 1};
        is_beside = cell_of(l, next) != LEVEL_CELL_SOLID;
    }
    for (uint32_t i = 0; is_beside && i < l->timers; i++) {
        const oct_vec timer = timer_cell(l, i);
        is_beside = timer.x != c.x || timer.y != c.y || timer.z != c.z;
    }
    return is_beside;
}

// A box of blocks around two cells, with an opening at one end.
static oct_result add_house(const level *l, oct_world *world, uint32_t index)
{
    const level_room *const house = &l->room[l->house];
    for (oct_vec c = {0, 0, 0}; c.z < LEVEL_HOUSE_WIDE; c.z++) {
        for (c.y = 0; c.y < LEVEL_HOUSE_WIDE; c.y++) {
            for (c.x = 0; c.x < LEVEL_HOUSE_LONG; c.x++, index++) {
                const bool is_inside = c.y == LEVEL_HOUSE_WIDE / 2 && c.z == LEVEL_HOUSE_WIDE / 2 &&
                                       c.x < LEVEL_HOUSE_LONG - 1;
                const oct_world_block block = {
                    .id = LEVEL_ARMOUR_ID + index, .grid = 1, .type = ARMOUR, .label = OCT_BLOCKED};
                if (!is_inside || (c.x == 0 && house->opening == LEVEL_WALL)) {
                    OCT_TRY(add(world, c, OCT_SIDE_FORWARD, block, 0));
                }
            }
        }
    }
    return OCT_OK;
}

static oct_result add_walls(const level *l, oct_world *world)
{
    uint32_t index = 0;
    for (oct_vec at = {0, 0, 0}; at.z < l->size.z; at.z++) {
        for (at.y = 0; at.y < l->size.y; at.y++) {
            for (at.x = 0; at.x < l->size.x; at.x++, index++) {
                const oct_vec c = {at.x + l->origin.x, at.y + l->origin.y, at.z + l->origin.z};
                const bool is_glass = cell_of(l, c) == LEVEL_CELL_GLASS;
                if (is_glass || (cell_of(l, c) == LEVEL_CELL_SOLID && is_wall(l, c))) {
                    const oct_world_block block = {.id = LEVEL_ARMOUR_ID + index,
                                                   .type = is_glass ? GLASS : ARMOUR,
                                                   .label = OCT_BLOCKED};
                    OCT_TRY(add(world, c, OCT_SIDE_FORWARD, block, 0));
                }
            }
        }
    }
    return l->house != LEVEL_NONE ? add_house(l, world, index) : OCT_OK;
}

// ---- wires ----

static oct_result add_wires(const level *l, oct_world *world)
{
    for (uint32_t i = 0; i < l->wires; i++) {
        const level_wire *const w = &l->wire[i];
        const bool to_timer = w->action == OCT_WIRE_START || w->action == OCT_WIRE_STOP;
        const uint32_t panel = w->from_timer ? 0 : l->panel_of[w->from];
        const oct_world_wire wire = {.from = w->from_timer ? LEVEL_TIMER_ID + w->from
                                                           : LEVEL_PANEL_ID + panel,
                                     .slot = w->from_timer ? i : w->from - l->panel[panel].first,
                                     .action = w->action,
                                     .to = w->to == LEVEL_NONE ? LEVEL_NO_ID
                                           : to_timer          ? LEVEL_TIMER_ID + w->to
                                                               : LEVEL_DOOR_ID + w->to,
                                     .group = ""};
        OCT_TRY(oct_world_add_wire(world, &wire));
    }
    return OCT_OK;
}

oct_result oct_level_build(const level *l, oct_world *world)
{
    const oct_world_block target = {.id = LEVEL_TARGET_ID,
                                    .grid = l->house != LEVEL_NONE ? 1u : 0u,
                                    .name = "Target",
                                    .type = TARGET,
                                    .label = OCT_BLOCKED};
    OCT_TRY(define_types(world));
    OCT_TRY(describe(l, world));
    OCT_TRY(add_doors(l, world));
    OCT_TRY(add_panels(l, world));
    OCT_TRY(add_timers(l, world));
    if (l->why != OCT_LEVEL_MISSING) {
        OCT_TRY(add(world, l->target, l->target_forward, target, 0));
    }
    OCT_TRY(add_fillers(l, world));
    OCT_TRY(add_walls(l, world));
    return add_wires(l, world);
}
