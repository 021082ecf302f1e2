// SPDX-License-Identifier: MIT
// What makes a level unsolvable: an end before the target that nobody gets past. It shares no wires
// with the rest of the level, so that what is before it does not matter.
#include "generate/level.h"

uint32_t oct_level_twin_doors(oct_level_why why)
{
    switch (why) {
    case OCT_LEVEL_PARITY:
    case OCT_LEVEL_EXCLUSIVE:
        return 2;
    case OCT_LEVEL_CIRCULAR:
        return 3;
    case OCT_LEVEL_BEHIND:
    case OCT_LEVEL_SHORT:
    case OCT_LEVEL_SHUT_ONLY:
    case OCT_LEVEL_DANGLING:
        return 1;
    default:
        return 0;
    }
}

static void seal(level *l)
{
    level_room *const room = &l->room[oct_level_next_usual(l)];
    const bool is_turned = l->level_class == OCT_LEVEL_TURNED ||
                           l->level_class == OCT_LEVEL_TILTED || l->level_class == OCT_LEVEL_HOUSES;
    if (l->level_class == OCT_LEVEL_HOUSES && oct_level_chance(l, 2)) {
        return; // the house will have no opening
    }
    // Plain boxes are along the world's axes: none on a turned grid.
    if (!is_turned && oct_level_chance(l, 2)) {
        room->opening = LEVEL_GAP;
        room->gap_width = 0.5;
        room->gap_height = LEVEL_EDGE;
    } else {
        room->opening = LEVEL_WALL;
    }
}

// Two doors in a row with a small room between them. All buttons are at the beginning of a
// corridor that is too long to slip in while the doors move.
static void lock_out(level *l, bool is_exclusive)
{
    const uint32_t corridor = oct_level_next_room(l, oct_level_too_far(l, l->rules.door), 3);
    const uint32_t button =
        oct_level_add_panel(l, corridor, LEVEL_PLAIN, LEVEL_FAR, is_exclusive ? 2 : 1);
    const bool is_open = oct_level_chance(l, 2);
    const uint32_t outer = oct_level_add_door(l, oct_level_next_room(l, 2, 3), is_open);
    const uint32_t inner = oct_level_add_door(l, oct_level_next_usual(l), !is_open);
    if (is_exclusive) {
        oct_level_wire(l, button, OCT_WIRE_OPEN, outer);
        oct_level_wire(l, button, OCT_WIRE_SHUT, inner);
        oct_level_wire(l, button + 1u, OCT_WIRE_OPEN, inner);
        oct_level_wire(l, button + 1u, OCT_WIRE_SHUT, outer);
    } else {
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, outer);
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, inner);
    }
}

static void lock_out_by_time(level *l)
{
    const double seconds = 0.5 * oct_level_between(l, 1, 3);
    const uint32_t corridor =
        oct_level_next_room(l, oct_level_too_far(l, seconds + l->rules.door), 3);
    const uint32_t button = oct_level_add_panel(l, corridor, LEVEL_PLAIN, LEVEL_FAR, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    const uint32_t timer = oct_level_add_timer(l, seconds);
    oct_level_wire(l, button, OCT_WIRE_OPEN, door);
    oct_level_wire_timer(l, button, OCT_WIRE_START, timer);
    oct_level_wire_late(l, timer, OCT_WIRE_SHUT, door);
}

// Two rooms at the sides, each with the button of the other one's door; one has that of the way on
// as well.
static void lock_in_a_circle(level *l)
{
    const uint32_t here = oct_level_next_usual(l);
    const uint32_t north = oct_level_side_room(l, here, LEVEL_NORTH);
    const uint32_t south = oct_level_side_room(l, here, LEVEL_SOUTH);
    const uint32_t a = oct_level_add_door(l, north, false);
    const uint32_t b = oct_level_add_door(l, south, false);
    const uint32_t on = oct_level_add_door(l, oct_level_next_usual(l), false);
    const uint32_t in_north = oct_level_add_panel(l, north, LEVEL_PLAIN, LEVEL_ANYWHERE, 2);
    const uint32_t in_south = oct_level_add_panel(l, south, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    oct_level_wire(l, in_north, OCT_WIRE_TOGGLE, b);
    oct_level_wire(l, in_north + 1u, OCT_WIRE_TOGGLE, on);
    oct_level_wire(l, in_south, OCT_WIRE_TOGGLE, a);
}

// A shut door and a button, which is on the wrong side of it or does the wrong thing.
static void lock_out_by_wire(level *l)
{
    const uint32_t here = oct_level_next_usual(l);
    const uint32_t beyond = oct_level_next_usual(l);
    const uint32_t door = oct_level_add_door(l, beyond, false);
    const uint32_t button = oct_level_add_panel(l, l->why == OCT_LEVEL_BEHIND ? beyond : here,
                                                LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    oct_level_wire(l, button, l->why == OCT_LEVEL_SHUT_ONLY ? OCT_WIRE_SHUT : OCT_WIRE_TOGGLE,
                   l->why == OCT_LEVEL_DANGLING ? LEVEL_NONE : door);
}

void oct_level_twin(level *l)
{
    switch (l->why) {
    case OCT_LEVEL_SEALED:
        seal(l);
        break;
    case OCT_LEVEL_PARITY:
    case OCT_LEVEL_EXCLUSIVE:
        lock_out(l, l->why == OCT_LEVEL_EXCLUSIVE);
        break;
    case OCT_LEVEL_CIRCULAR:
        lock_in_a_circle(l);
        break;
    case OCT_LEVEL_SHORT:
        lock_out_by_time(l);
        break;
    case OCT_LEVEL_BEHIND:
    case OCT_LEVEL_SHUT_ONLY:
    case OCT_LEVEL_DANGLING:
        lock_out_by_wire(l);
        break;
    default:
        oct_level_next_usual(l);
    }
}

uint32_t oct_level_assumes(oct_level_why why)
{
    const uint32_t always = OCT_LEVEL_ASSUMES_MEANS | OCT_LEVEL_ASSUMES_BODY |
                            OCT_LEVEL_ASSUMES_SOLID | OCT_LEVEL_ASSUMES_TRUTH;
    const uint32_t of_doors = always | OCT_LEVEL_ASSUMES_CAUSES | OCT_LEVEL_ASSUMES_MEMORY |
                              OCT_LEVEL_ASSUMES_ALONE | OCT_LEVEL_ASSUMES_DELAY;
    switch (why) {
    case OCT_LEVEL_SOLVABLE:
        return 0;
    case OCT_LEVEL_SEALED:
    case OCT_LEVEL_MISSING:
        return always;
    case OCT_LEVEL_PARITY:
    case OCT_LEVEL_EXCLUSIVE:
    case OCT_LEVEL_SHORT:
        return of_doors | OCT_LEVEL_ASSUMES_PACE;
    default:
        return of_doors;
    }
}
