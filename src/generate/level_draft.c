// SPDX-License-Identifier: MIT
// What all classes draft levels with.
#include "generate/level.h"

#include <math.h>

// Numbers are drawn one in an expression: which of two arguments is drawn first is the compiler's.

// ---- numbers ----

uint32_t oct_level_below(level *l, uint32_t n)
{
    return (uint32_t)oct_random_below(&l->random, n);
}

uint32_t oct_level_between(level *l, uint32_t lo, uint32_t hi)
{
    return lo + oct_level_below(l, hi - lo + 1u);
}

bool oct_level_chance(level *l, uint32_t one_in)
{
    return oct_level_below(l, one_in) == 0;
}

// Counts one more, or notes that there is no room; then the last one is given again.
static uint32_t count_one(level *l, uint32_t *count, uint32_t most)
{
    l->has_overflowed = l->has_overflowed || *count == most;
    *count += *count < most;
    return *count - 1u;
}

// ---- rooms ----

uint32_t oct_level_here(const level *l)
{
    return l->row[l->row_count - 1u];
}

uint32_t oct_level_next_room(level *l, int32_t w, int32_t d)
{
    const uint32_t before = l->row_count > 0 ? oct_level_here(l) : LEVEL_NONE;
    const uint32_t room = count_one(l, &l->rooms, LEVEL_ROOMS_MAX);
    const uint32_t place = count_one(l, &l->row_count, LEVEL_ROOMS_MAX);
    l->row[place] = room;
    l->room[room] = (level_room){.host = before, .place = place, .w = w, .d = d};
    return room;
}

uint32_t oct_level_next_usual(level *l)
{
    const int32_t w = (int32_t)oct_level_between(l, 3, 4);
    return oct_level_next_room(l, w, (int32_t)oct_level_between(l, 3, 4));
}

uint32_t oct_level_side_room(level *l, uint32_t host, level_side side)
{
    const uint32_t room = count_one(l, &l->rooms, LEVEL_ROOMS_MAX);
    const int32_t depth = (int32_t)oct_level_between(l, 2, 4);
    const int32_t rise = (int32_t)oct_level_between(l, 2, 6);
    l->room[room] = (level_room){.side = side,
                                 .host = host,
                                 .place = l->room[host].place,
                                 .w = l->room[host].w,
                                 .d = side == LEVEL_ABOVE ? l->room[host].d : depth,
                                 .rise = rise};
    return room;
}

// ---- things ----

uint32_t oct_level_add_door(level *l, uint32_t room, bool is_open)
{
    const uint32_t door = count_one(l, &l->doors, OCT_LEVEL_DOORS_MAX);
    l->open[door] = is_open;
    l->door_room[door] = room;
    l->room[room].opening = LEVEL_DOOR;
    l->room[room].door = door;
    return door;
}

uint32_t oct_level_add_panel(level *l, uint32_t room, level_style style, level_spot spot,
                             uint32_t buttons)
{
    const uint32_t panel = count_one(l, &l->panels, OCT_LEVEL_BUTTONS_MAX);
    const uint32_t first = l->buttons;
    l->panel[panel] = (level_panel){
        .room = room, .style = style, .spot = spot, .first = first, .buttons = buttons};
    for (uint32_t i = 0; i < buttons; i++) {
        l->panel_of[count_one(l, &l->buttons, OCT_LEVEL_BUTTONS_MAX)] = panel;
    }
    return l->has_overflowed ? 0 : first;
}

uint32_t oct_level_add_timer(level *l, double delay)
{
    const uint32_t timer = count_one(l, &l->timers, LEVEL_TIMERS_MAX);
    l->delay[timer] = delay;
    return timer;
}

// ---- wires ----

static void add_wire(level *l, level_wire wire)
{
    l->wire[count_one(l, &l->wires, LEVEL_WIRES_MAX)] = wire;
}

void oct_level_wire(level *l, uint32_t button, oct_wire_action action, uint32_t door)
{
    add_wire(l, (level_wire){.from = button, .action = (uint8_t)action, .to = door});
}

void oct_level_wire_late(level *l, uint32_t timer, oct_wire_action action, uint32_t door)
{
    add_wire(l, (level_wire){true, timer, (uint8_t)action, door});
}

void oct_level_wire_timer(level *l, uint32_t button, oct_wire_action action, uint32_t timer)
{
    add_wire(l, (level_wire){.from = button, .action = (uint8_t)action, .to = timer});
}

void oct_level_chain(level *l, uint32_t timer, uint32_t next)
{
    add_wire(l, (level_wire){true, timer, OCT_WIRE_START, next});
}

// ---- the plan ----

uint32_t oct_level_settle(const level *l, double delay)
{
    return (uint32_t)((delay + l->rules.door + 0.5) * OCT_BLOCK_WORLD_RATE);
}

void oct_level_step_to(level *l, uint32_t agent, oct_level_verb verb, uint32_t which,
                       uint32_t ticks)
{
    l->step[count_one(l, &l->steps, OCT_LEVEL_STEPS_MAX)] =
        (oct_level_step){(uint8_t)agent, (uint8_t)verb, (uint16_t)which, ticks};
}

static void pass(level *l, uint32_t agent, const level_room *into)
{
    if (into->opening == LEVEL_DOOR || into->opening == LEVEL_WIDE_DOOR) {
        oct_level_step_to(l, agent, OCT_LEVEL_PASS, into->door, 0);
    }
}

void oct_level_walk(level *l, uint32_t agent, uint32_t room)
{
    const level_room *const from = &l->room[l->at[agent]], *const to = &l->room[room];
    if (l->at[agent] == room) {
        return;
    }
    if (from->side != LEVEL_ROW) {
        pass(l, agent, from);
    }
    for (uint32_t i = from->place; i < to->place; i++) {
        pass(l, agent, &l->room[l->row[i + 1u]]);
    }
    for (uint32_t i = from->place; i > to->place; i--) {
        pass(l, agent, &l->room[l->row[i]]);
    }
    if (to->side != LEVEL_ROW) {
        pass(l, agent, to);
    }
    l->at[agent] = room;
}

void oct_level_press(level *l, uint32_t agent, uint32_t button, uint32_t ticks)
{
    oct_level_walk(l, agent, l->panel[l->panel_of[button]].room);
    oct_level_step_to(l, agent, OCT_LEVEL_PRESS, button, ticks);
}

// ---- a plain stage ----

// Where a panel goes: here, or in a new room at the side of it.
static uint32_t draw_place(level *l, uint32_t here)
{
    return oct_level_chance(l, 3) ? oct_level_side_room(l, here, LEVEL_NORTH) : here;
}

void oct_level_plain_stage(level *l)
{
    const uint32_t here = oct_level_here(l);
    const uint32_t button =
        oct_level_add_panel(l, draw_place(l, here), LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
    oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
}

// ---- ways and times ----

int32_t oct_level_too_far(const level *l, double seconds)
{
    // From a panel in the first column, pressed from 3 m, to a door behind the last one.
    return (int32_t)ceil((2.0 * l->rules.speed * seconds + 5.0) / LEVEL_EDGE) + 1;
}

double oct_level_enough(int32_t cells)
{
    return ceil(2.0 * ((cells * LEVEL_EDGE + 12.0) / 2.0 + 2.0));
}
