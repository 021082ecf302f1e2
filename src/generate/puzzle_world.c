// SPDX-License-Identifier: MIT
// A house as a world: one grid along the world's axes, whose blocks begin at 0.
#include "generate/puzzle_house.h"

#include <stdio.h>

#define ARMOUR_ID 1001
#define BODY_HALF 0.9 // from the feet of a body to its middle, metres

enum { ARMOUR, DOOR, PANEL, PANEL_OF_TWO, TIMER, TARGET, TYPE_COUNT };

static oct_result define_types(oct_world *world)
{
    static const struct {
        const char *name;
        uint8_t kind, buttons;
        double integrity;
    } types[TYPE_COUNT] = {
        [ARMOUR] = {"armour", OCT_KIND_SOLID, 0, 400},
        [DOOR] = {"door", OCT_KIND_DOOR, 0, 250},
        [PANEL] = {"panel", OCT_KIND_PANEL, 1, 40},
        [PANEL_OF_TWO] = {"panel of two", OCT_KIND_PANEL, 2, 40},
        [TIMER] = {"timer", OCT_KIND_TIMER, 0, 40},
        [TARGET] = {"TargetDummy", OCT_KIND_TARGET, 0, 100},
    };
    for (int i = 0; i < TYPE_COUNT; i++) {
        oct_world_type type = oct_world_type_default();
        type.name = types[i].name;
        type.kind = types[i].kind;
        type.buttons = types[i].buttons;
        type.integrity = types[i].integrity;
        OCT_TRY(oct_world_define(world, &type, NULL));
    }
    return OCT_OK;
}

static oct_point middle_of(oct_vec c)
{
    return (oct_point){(c.x + 0.5) * HOUSE_EDGE, (c.y + 0.5) * HOUSE_EDGE,
                       (c.z + 0.5) * HOUSE_EDGE};
}

static oct_result describe(const house *h, oct_world *world)
{
    static const oct_point directions[OCT_SIDE_COUNT] = {
        [OCT_SIDE_FORWARD] = {0, 0, -1}, [OCT_SIDE_BACKWARD] = {0, 0, 1},
        [OCT_SIDE_LEFT] = {-1, 0, 0},    [OCT_SIDE_RIGHT] = {1, 0, 0},
        [OCT_SIDE_UP] = {0, 1, 0},       [OCT_SIDE_DOWN] = {0, -1, 0},
    };
    const oct_world_grid grid = {.id = 1,
                                 .name = "house",
                                 .pose = {middle_of((oct_vec){0, 0, 0}),
                                          directions[OCT_SIDE_FORWARD], directions[OCT_SIDE_UP]},
                                 .cell = HOUSE_EDGE};
    oct_pose start = {middle_of(h->start.cell), directions[h->start.forward],
                      directions[OCT_SIDE_UP]};
    start.position.y -= BODY_HALF;
    OCT_TRY(oct_world_set_name(world, "puzzle"));
    OCT_TRY(oct_world_set_axes(world, OCT_UP_Y, false));
    OCT_TRY(oct_world_set_passage(world, HOUSE_EDGE));
    OCT_TRY(oct_world_set_start(world, &start));
    // Who can grind walls has nothing to solve.
    for (uint32_t slot = 0; slot < 2; slot++) {
        OCT_TRY(oct_world_set_item(world, 0, slot, (oct_item){.kind = OCT_ITEM_NONE}));
    }
    return oct_world_add_grid(world, &grid, NULL);
}

// ---- blocks ----

// Adds a block, called by a name and a number, where it has one.
static oct_result add(oct_world *world, house_thing at, oct_world_block block, uint32_t number)
{
    char name[32];
    const bool lies = at.forward == OCT_SIDE_UP;
    if (number > 0) {
        snprintf(name, sizeof name, "%s%u", block.name, number);
        block.name = name;
    }
    block.placed = true;
    block.cell = at.cell;
    block.forward = at.forward;
    block.up = lies ? OCT_SIDE_BACKWARD : OCT_SIDE_UP;
    return oct_world_add(world, &block);
}

static oct_result add_doors(const house *h, oct_world *world)
{
    for (uint32_t i = 0; i < h->graph.doors; i++) {
        const bool open = h->graph.open >> i & 1u;
        const oct_world_block door = {.id = HOUSE_DOOR_ID + i,
                                      .name = "Door",
                                      .type = DOOR,
                                      .label = open ? OCT_OPEN : OCT_BLOCKED};
        OCT_TRY(add(world, h->door[i], door, i + 1));
    }
    return OCT_OK;
}

static oct_result add_panels(const house *h, oct_world *world)
{
    for (uint32_t i = 0; i < h->panels; i++) {
        const oct_world_block panel = {.id = HOUSE_PANEL_ID + i,
                                       .name = "Panel",
                                       .type = h->panel[i].buttons == 2 ? PANEL_OF_TWO : PANEL,
                                       .label = OCT_BLOCKED};
        OCT_TRY(add(world, h->panel[i].at, panel, i + 1));
    }
    return OCT_OK;
}

// Timers are in the hull, along its edges in the direction of x, where nobody sees them.
static oct_vec timer_cell(const house *h, uint32_t timer)
{
    const uint32_t edge = timer / (uint32_t)h->size.x;
    OCT_ASSERT(edge < 4);
    return (oct_vec){(int32_t)(timer % (uint32_t)h->size.x), edge & 2u ? h->size.y - 1 : 0,
                     edge & 1u ? h->size.z - 1 : 0};
}

static oct_result add_timers(const house *h, oct_world *world, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < h->graph.buttons; i++) {
        if (h->delay[i] > 0.0) {
            const house_thing at = {timer_cell(h, *count), OCT_SIDE_FORWARD};
            const oct_world_block timer = {.id = HOUSE_TIMER_ID + i,
                                           .name = "Timer",
                                           .type = TIMER,
                                           .label = OCT_BLOCKED,
                                           .delay = h->delay[i]};
            *count += 1;
            OCT_TRY(add(world, at, timer, *count));
        }
    }
    return OCT_OK;
}

static oct_result add_armour(const house *h, oct_world *world, uint32_t timers)
{
    for (oct_vec c = {0, 0, 0}; c.z < h->size.z; c.z++) {
        for (c.y = 0; c.y < h->size.y; c.y++) {
            for (c.x = 0; c.x < h->size.x; c.x++) {
                const uint32_t index = house_index(h, c);
                bool taken = h->cells[index] != CELL_ARMOUR;
                for (uint32_t i = 0; !taken && i < timers; i++) {
                    taken = house_index(h, timer_cell(h, i)) == index;
                }
                if (!taken) {
                    const oct_world_block armour = {
                        .id = ARMOUR_ID + index, .type = ARMOUR, .label = OCT_BLOCKED};
                    OCT_TRY(add(world, (house_thing){c, OCT_SIDE_FORWARD}, armour, 0));
                }
            }
        }
    }
    return OCT_OK;
}

// ---- wires ----

static oct_result wire_button(const house *h, oct_world *world, uint64_t panel, uint32_t slot,
                              uint32_t button)
{
    oct_world_wire wire = {.from = panel, .slot = slot, .group = ""};
    const bool waits = h->delay[button] > 0.0;
    if (waits) {
        wire.action = OCT_WIRE_START;
        wire.to = HOUSE_TIMER_ID + button;
        OCT_TRY(oct_world_add_wire(world, &wire));
        wire.from = wire.to;
        wire.slot = 0;
    }
    wire.action = OCT_WIRE_TOGGLE;
    for (uint32_t door = 0; door < h->graph.doors; door++) {
        if (h->graph.toggles[button] >> door & 1u) {
            wire.to = HOUSE_DOOR_ID + door;
            OCT_TRY(oct_world_add_wire(world, &wire));
            wire.slot += waits;
        }
    }
    return OCT_OK;
}

oct_result oct_house_build(const house *h, oct_world *world)
{
    const oct_world_block target = {
        .id = HOUSE_TARGET_ID, .name = "Target", .type = TARGET, .label = OCT_BLOCKED};
    uint32_t timers;
    OCT_TRY(define_types(world));
    OCT_TRY(describe(h, world));
    OCT_TRY(add_doors(h, world));
    OCT_TRY(add_panels(h, world));
    OCT_TRY(add_timers(h, world, &timers));
    OCT_TRY(add(world, h->target, target, 0));
    OCT_TRY(add_armour(h, world, timers));
    for (uint32_t i = 0; i < h->panels; i++) {
        const house_panel *const panel = &h->panel[i];
        for (uint32_t slot = 0; slot < panel->buttons; slot++) {
            OCT_TRY(wire_button(h, world, HOUSE_PANEL_ID + i, slot, panel->first + slot));
        }
    }
    return OCT_OK;
}
