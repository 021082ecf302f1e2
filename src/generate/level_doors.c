// SPDX-License-Identifier: MIT
// Classes in which doors are all there is: what matters is which buttons are pressed, and in which
// order.
#include "generate/level.h"

// ---- toggles ----

// Buttons toggle their own door and later ones, never an earlier one. So whoever opens the doors
// in their order comes to the end.
typedef struct toggle_row {
    uint32_t door[OCT_LEVEL_DOORS_MAX], button[OCT_LEVEL_DOORS_MAX];
    uint32_t count;
} toggle_row;

static void draft_row(level *l, toggle_row *row, uint32_t doors)
{
    row->count = doors;
    const uint32_t first = l->row_count - 1u;
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        // Sometimes the button is some rooms back.
        const uint32_t back = i > 1 && oct_level_chance(l, 4) ? oct_level_below(l, i) : i;
        uint32_t room = back < i ? l->row[first + back] : here;
        if (room == here && oct_level_chance(l, 4)) {
            room = oct_level_side_room(l, here, LEVEL_SOUTH);
        }
        row->button[i] = oct_level_add_panel(l, room, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const bool is_open = i > 0 && oct_level_chance(l, 4);
        row->door[i] = oct_level_add_door(l, oct_level_next_usual(l), is_open);
    }
}

static void wire_row(level *l, const toggle_row *row)
{
    bool is_open[OCT_LEVEL_DOORS_MAX];
    memcpy(is_open, l->open, sizeof is_open);
    for (uint32_t i = 0; i < row->count; i++) {
        const bool presses = !is_open[row->door[i]];
        uint32_t toggled = 0;
        for (uint32_t k = i; k < row->count && toggled < 3; k++) {
            if (k == i || oct_level_chance(l, 3)) {
                oct_level_wire(l, row->button[i], OCT_WIRE_TOGGLE, row->door[k]);
                is_open[row->door[k]] ^= presses;
                toggled++;
            }
        }
        if (presses) {
            oct_level_press(l, 0, row->button[i], oct_level_settle(l, 0.0));
        }
    }
}

void oct_level_toggles(level *l, uint32_t doors)
{
    toggle_row row;
    draft_row(l, &row, doors);
    wire_row(l, &row);
}

// ---- open and shut ----

void oct_level_opens(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t button =
            oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1 + oct_level_below(l, 2));
        const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
        oct_level_wire(l, button, OCT_WIRE_OPEN, door);
        // One that opens nothing new, twice or not.
        if (i > 0 && oct_level_chance(l, 2)) {
            oct_level_wire(l, button, OCT_WIRE_OPEN, door - 1u);
        }
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
}

// Two doors in a row. One button opens the first door and shuts the second, another one opens that.
// Both are before the first door, or the second one is between the doors and shuts the first.
static void add_order(level *l)
{
    const bool is_between = oct_level_chance(l, 2), is_open = oct_level_chance(l, 2);
    const uint32_t here = oct_level_here(l);
    const uint32_t between = oct_level_next_usual(l);
    const uint32_t first = oct_level_add_door(l, between, false);
    const uint32_t second = oct_level_add_door(l, oct_level_next_usual(l), is_open);
    const uint32_t a = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t b =
        oct_level_add_panel(l, is_between ? between : here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    oct_level_wire(l, a, OCT_WIRE_OPEN, first);
    oct_level_wire(l, a, OCT_WIRE_SHUT, second);
    oct_level_wire(l, b, OCT_WIRE_OPEN, second);
    if (is_between) {
        oct_level_wire(l, b, OCT_WIRE_SHUT, first);
    }
    oct_level_press(l, 0, a, oct_level_settle(l, 0.0));
    oct_level_press(l, 0, b, oct_level_settle(l, 0.0));
}

// A door that is open; one button shuts it, another one opens it.
static void add_shutter(level *l)
{
    const uint32_t here = oct_level_here(l);
    const uint32_t shuts = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t opens = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), true);
    oct_level_wire(l, shuts, OCT_WIRE_SHUT, door);
    oct_level_wire(l, opens, OCT_WIRE_OPEN, door);
}

void oct_level_shuts(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i + 1u < doors; i += 2u) {
        add_order(l);
    }
    if (doors % 2u != 0) {
        add_shutter(l);
    }
}

// ---- traps ----

// A door that is open, and a button that shuts it for good.
static void add_trap(level *l, uint32_t room)
{
    const uint32_t button = oct_level_add_panel(l, room, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), true);
    oct_level_wire(l, button, OCT_WIRE_SHUT, door);
}

// Beside the button that must not be pressed is the one that must: it opens the door after the one
// that would be shut.
void oct_level_traps(level *l, uint32_t doors)
{
    for (uint32_t i = 2; i < doors; i++) {
        oct_level_plain_stage(l);
    }
    const uint32_t here = oct_level_here(l);
    const uint32_t button = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    add_trap(l, here);
    const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
    oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
    oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
}

// The button is where one starts, the door behind all the others.
void oct_level_ambushes(level *l, uint32_t doors)
{
    const uint32_t first = oct_level_here(l);
    for (uint32_t i = 1; i < doors; i++) {
        oct_level_plain_stage(l);
    }
    add_trap(l, first);
}

// ---- together ----

// Doors as unknowns of equations over GF(2): button i toggles door i and some later ones, and then
// some rows are added to others, which changes the buttons but not what all can do together. The
// doors are as they must be for one answer: all buttons.
void oct_level_together(level *l, uint32_t doors)
{
    const uint32_t count = doors < 6 ? doors : 6;
    uint32_t rows[6], together = 0, button[6];
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = 1u << i | (oct_level_below(l, 1u << count) & ~((2u << i) - 1u));
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = oct_level_below(l, count), from = oct_level_below(l, count);
        rows[to] ^= to != from ? rows[from] : 0;
    }
    const uint32_t here = oct_level_here(l);
    for (uint32_t i = 0; i < count; i++) {
        button[i] = i % 2u != 0 ? button[i - 1u] + 1u
                                : oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE,
                                                      i + 1u < count ? 2 : 1);
        together ^= rows[i];
    }
    const uint32_t first = l->doors;
    for (uint32_t i = 0; i < count; i++) {
        oct_level_add_door(l, oct_level_next_usual(l), !(together >> i & 1u));
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            if (rows[i] >> k & 1u) {
                oct_level_wire(l, button[i], OCT_WIRE_TOGGLE, first + k);
            }
        }
        oct_level_press(l, 0, button[i], oct_level_settle(l, 0.0));
    }
    for (uint32_t i = count; i < doors; i++) {
        oct_level_plain_stage(l);
    }
}

// ---- much of it ----

void oct_level_decoys(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t decoys = oct_level_between(l, 1, 2);
        for (uint32_t k = 0; k < decoys; k++) {
            const uint32_t decoy = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
            if (i > 0 && oct_level_chance(l, 2)) {
                oct_level_wire(l, decoy, OCT_WIRE_OPEN, l->doors - 1u); // which is open
            }
        }
        oct_level_plain_stage(l);
    }
}

void oct_level_rows(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t button = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const uint32_t door = oct_level_add_door(l, oct_level_next_room(l, 3, 3), false);
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
}

// A long room with a button at each end, one of them in a room of its own. The first toggles both
// doors in the row, the second the other one back.
void oct_level_detours(level *l, uint32_t doors)
{
    const uint32_t here = oct_level_here(l);
    const uint32_t hall = oct_level_next_room(l, (int32_t)oct_level_between(l, 6, 12), 3);
    const uint32_t side =
        oct_level_side_room(l, here, oct_level_chance(l, 2) ? LEVEL_NORTH : LEVEL_SOUTH);
    const uint32_t a = oct_level_add_panel(l, side, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t b = oct_level_add_panel(l, oct_level_side_room(l, hall, LEVEL_NORTH),
                                           LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t first = oct_level_add_door(l, oct_level_next_usual(l), false);
    const uint32_t second = oct_level_add_door(l, oct_level_next_usual(l), true);
    oct_level_wire(l, a, OCT_WIRE_TOGGLE, first);
    oct_level_wire(l, a, OCT_WIRE_TOGGLE, second);
    oct_level_wire(l, b, OCT_WIRE_TOGGLE, second);
    oct_level_press(l, 0, a, oct_level_settle(l, 0.0));
    oct_level_press(l, 0, b, oct_level_settle(l, 0.0));
    for (uint32_t i = 2; i < doors; i++) {
        oct_level_plain_stage(l);
    }
}
