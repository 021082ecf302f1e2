// SPDX-License-Identifier: MIT
// Classes in which time matters: timers, doors that shut again, doors that are held.
#include "generate/level.h"

// What is drawn of a timer that toggles, seconds.
#define DELAY_MAX 55u

// A press opens a door at once, and a timer shuts it after so many seconds.
static uint32_t open_for(level *l, uint32_t button, uint32_t door, double seconds)
{
    const uint32_t timer = oct_level_add_timer(l, seconds);
    oct_level_wire(l, button, OCT_WIRE_OPEN, door);
    oct_level_wire_timer(l, button, OCT_WIRE_START, timer);
    oct_level_wire_late(l, timer, OCT_WIRE_SHUT, door);
    return timer;
}

static void fill_up(level *l, uint32_t made, uint32_t doors)
{
    for (uint32_t i = made; i < doors; i++) {
        oct_level_plain_stage(l);
    }
}

void oct_level_timers(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t button = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
        const double delay = oct_level_between(l, 1, DELAY_MAX);
        const uint32_t timer = oct_level_add_timer(l, delay);
        oct_level_wire_timer(l, button, OCT_WIRE_START, timer);
        oct_level_wire_late(l, timer, OCT_WIRE_TOGGLE, door);
        oct_level_press(l, 0, button, oct_level_settle(l, delay));
    }
}

// What is between a button and a door that shuts again: a corridor; a corridor, and the button out
// of sight in a room beside its beginning; nothing.
typedef enum window_form {
    WINDOW_CORRIDOR,
    WINDOW_UNSEEN,
    WINDOW_BESIDE,
    WINDOW_FORMS
} window_form;

static void add_window(level *l)
{
    const window_form form = (window_form)oct_level_below(l, WINDOW_FORMS);
    const uint32_t here = oct_level_here(l);
    const int32_t cells = (int32_t)oct_level_between(l, 3, 8);
    const uint32_t room = form == WINDOW_BESIDE ? here : oct_level_next_room(l, cells, 3);
    const uint32_t button =
        form == WINDOW_UNSEEN
            ? oct_level_add_panel(l, oct_level_side_room(l, here, LEVEL_SOUTH), LEVEL_PLAIN,
                                  LEVEL_ANYWHERE, 1)
            : oct_level_add_panel(l, room, LEVEL_PLAIN,
                                  form == WINDOW_BESIDE ? LEVEL_BY_DOOR : LEVEL_FAR, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    // In the second form one flies through a room and a half more.
    const double seconds = form == WINDOW_BESIDE   ? oct_level_between(l, 9, 14)
                           : form == WINDOW_UNSEEN ? oct_level_enough(cells + 8)
                                                   : oct_level_enough(cells);
    open_for(l, button, door, seconds);
    oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
}

void oct_level_windows(level *l, uint32_t doors)
{
    const uint32_t windows = doors > 1 ? oct_level_between(l, 1, 2) : 1;
    for (uint32_t i = 0; i < windows; i++) {
        add_window(l);
    }
    fill_up(l, windows, doors);
}

// A corridor that is too long for the time; the panel's second button stops the timer.
void oct_level_stops(level *l, uint32_t doors)
{
    const double seconds = 3.0;
    const uint32_t corridor =
        oct_level_next_room(l, oct_level_too_far(l, seconds + l->rules.door), 3);
    const uint32_t button = oct_level_add_panel(l, corridor, LEVEL_PLAIN, LEVEL_FAR, 2);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    const uint32_t timer = open_for(l, button, door, seconds);
    oct_level_wire_timer(l, button + 1u, OCT_WIRE_STOP, timer);
    oct_level_press(l, 0, button, 0);
    oct_level_press(l, 0, button + 1u, oct_level_settle(l, 0.0));
    fill_up(l, 1, doors);
}

// One button, and timers that start each other: each opens the next door of a row, and shuts the
// one before where they roll. There is time enough to come from door to door.
void oct_level_chains(level *l, uint32_t doors)
{
    const uint32_t links = doors < 4 ? doors : 4;
    const bool rolls = oct_level_chance(l, 2);
    const uint32_t button =
        oct_level_add_panel(l, oct_level_here(l), LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    uint32_t before = LEVEL_NONE;
    oct_level_press(l, 0, button, 0);
    for (uint32_t i = 0; i < links; i++) {
        const double delay = oct_level_between(l, 30, 40);
        const uint32_t timer = oct_level_add_timer(l, delay);
        const uint32_t room = oct_level_next_usual(l);
        const uint32_t door = oct_level_add_door(l, room, false);
        if (i == 0) {
            oct_level_wire_timer(l, button, OCT_WIRE_START, timer);
        } else {
            oct_level_chain(l, before, timer);
        }
        oct_level_wire_late(l, timer, OCT_WIRE_OPEN, door);
        if (rolls && i > 0) {
            oct_level_wire_late(l, timer, OCT_WIRE_SHUT, door - 1u);
        }
        oct_level_step_to(l, 0, OCT_LEVEL_PASS, door, oct_level_settle(l, delay));
        l->at[0] = room;
        before = timer;
    }
    fill_up(l, links, doors);
}

// A button starts two timers that fire together: one opens the door, the other shuts it, and so it
// never moves. Another button stops the second timer.
void oct_level_pending(level *l, uint32_t doors)
{
    const uint32_t here = oct_level_here(l);
    const double delay = oct_level_between(l, 30, 45);
    const uint32_t a = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t b = oct_level_add_panel(l, oct_level_side_room(l, here, LEVEL_NORTH),
                                           LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    const uint32_t opens = oct_level_add_timer(l, delay);
    const uint32_t shuts = oct_level_add_timer(l, delay);
    oct_level_wire_timer(l, a, OCT_WIRE_START, opens);
    oct_level_wire_timer(l, a, OCT_WIRE_START, shuts);
    oct_level_wire_late(l, opens, OCT_WIRE_OPEN, door);
    oct_level_wire_late(l, shuts, OCT_WIRE_SHUT, door);
    oct_level_wire_timer(l, b, OCT_WIRE_STOP, shuts);
    oct_level_press(l, 0, a, 0);
    oct_level_press(l, 0, b, oct_level_settle(l, delay));
    fill_up(l, 1, doors);
}

// Every door shuts by itself, and has a button on both sides.
void oct_level_closing(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t button =
            oct_level_add_panel(l, oct_level_here(l), LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const uint32_t beyond = oct_level_next_usual(l);
        const uint32_t door = oct_level_add_door(l, beyond, false);
        const uint32_t timer = open_for(l, button, door, oct_level_between(l, 32, 45));
        const uint32_t back = oct_level_add_panel(l, beyond, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        oct_level_wire(l, back, OCT_WIRE_OPEN, door);
        oct_level_wire_timer(l, back, OCT_WIRE_START, timer);
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
}

// Two doors in a row, one open and one shut, and a button that changes both. It is beside the first
// door, so that one can press it from the doorway, whose door then waits.
void oct_level_held(level *l, uint32_t doors)
{
    const uint32_t here = oct_level_here(l);
    const uint32_t button = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_BY_DOOR, 1);
    const uint32_t lock = oct_level_next_room(l, 2, 3);
    const uint32_t outer = oct_level_add_door(l, lock, true);
    const uint32_t inner = oct_level_add_door(l, oct_level_next_usual(l), false);
    const bool toggles = oct_level_chance(l, 2);
    oct_level_wire(l, button, toggles ? OCT_WIRE_TOGGLE : OCT_WIRE_SHUT, outer);
    oct_level_wire(l, button, toggles ? OCT_WIRE_TOGGLE : OCT_WIRE_OPEN, inner);
    oct_level_step_to(l, 0, OCT_LEVEL_HOLD, outer, 0);
    oct_level_step_to(l, 0, OCT_LEVEL_PRESS, button, oct_level_settle(l, 0.0));
    l->at[0] = lock;
    fill_up(l, 2, doors);
}

// A slow door, two cells wide, that a timer shuts before it has opened all the way. The button is
// beside it.
void oct_level_wide(level *l, uint32_t doors)
{
    const uint32_t button =
        oct_level_add_panel(l, oct_level_here(l), LEVEL_PLAIN, LEVEL_BY_DOOR, 1);
    const uint32_t beyond = oct_level_next_room(l, 3, 4);
    const uint32_t door = oct_level_add_door(l, beyond, false);
    l->room[beyond].opening = LEVEL_WIDE_DOOR;
    open_for(l, button, door, 0.75 * l->rules.door);
    oct_level_press(l, 0, button, (uint32_t)(0.1875 * l->rules.door * OCT_BLOCK_WORLD_RATE));
    oct_level_walk(l, 0, beyond);
    fill_up(l, 1, doors);
}
