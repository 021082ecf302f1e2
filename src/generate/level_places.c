// SPDX-License-Identifier: MIT
// Classes in which it matters where things are, and who is there.
#include "generate/level.h"

// Stages with a door each, whose buttons are on panels of a style.
static void styled_stages(level *l, level_style style, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t button = oct_level_add_panel(l, here, style, LEVEL_ANYWHERE, 1);
        if (style == LEVEL_BESIDE) { // and one that is seen, but cannot be pressed
            oct_level_add_panel(l, here, LEVEL_CASED, LEVEL_ANYWHERE, 1);
        }
        const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
        if (style == LEVEL_BESIDE) {
            oct_level_wire(l, button + 1u, OCT_WIRE_OPEN, door);
        }
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
}

void oct_level_glass(level *l, uint32_t doors)
{
    styled_stages(l, LEVEL_BESIDE, doors);
}

void oct_level_niches(level *l, uint32_t doors)
{
    styled_stages(l, LEVEL_NICHE, doors);
}

// The first door's button drifts through a long room.
void oct_level_drifting(level *l, uint32_t doors)
{
    oct_level_next_room(l, (int32_t)oct_level_between(l, 6, 9), 4);
    styled_stages(l, LEVEL_AFLOAT, 1);
    for (uint32_t i = 1; i < doors; i++) {
        oct_level_plain_stage(l);
    }
}

// Buttons are in rooms above, some behind a door in the shaft, whose button is below.
void oct_level_shafts(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        const uint32_t here = oct_level_here(l);
        const uint32_t above = oct_level_side_room(l, here, LEVEL_ABOVE);
        if (i + 1u < doors && oct_level_chance(l, 2)) {
            const uint32_t below = oct_level_add_panel(l, here, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
            const uint32_t hatch = oct_level_add_door(l, above, false);
            oct_level_wire(l, below, OCT_WIRE_TOGGLE, hatch);
            oct_level_press(l, 0, below, oct_level_settle(l, 0.0));
            i++;
        }
        const uint32_t button = oct_level_add_panel(l, above, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const uint32_t door = oct_level_add_door(l, oct_level_next_usual(l), false);
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
}

// A passage that a body fits through upright: 20 cm wider or 15 cm higher than it is, or more.
static void add_gap(level *l)
{
    const bool is_low = oct_level_chance(l, 2);
    level_room *const room = &l->room[oct_level_next_usual(l)];
    room->opening = LEVEL_GAP;
    room->gap_width = is_low ? LEVEL_EDGE : 1.2 + 0.05 * oct_level_below(l, 9);
    room->gap_height = is_low ? 1.95 + 0.05 * oct_level_below(l, 6) : LEVEL_EDGE;
}

void oct_level_gaps(level *l, uint32_t doors)
{
    for (uint32_t i = 0; i < doors; i++) {
        if (i < 2) {
            add_gap(l);
        }
        oct_level_plain_stage(l);
    }
}

// Directions of unit length with rational coordinates: the same bits everywhere.
void oct_level_turned(level *l, uint32_t doors)
{
    static const int16_t triples[][3] = {{3, 4, 5},   {5, 12, 13},  {8, 15, 17},
                                         {7, 24, 25}, {20, 21, 29}, {12, 35, 37},
                                         {9, 40, 41}, {28, 45, 53}, {11, 60, 61}};
    const int16_t *const t = triples[oct_level_below(l, sizeof triples / sizeof triples[0])];
    const bool swaps = oct_level_chance(l, 2);
    const double a = (double)t[swaps] / t[2], b = (double)t[!swaps] / t[2];
    const bool turns_right = oct_level_chance(l, 2), turns_back = oct_level_chance(l, 2);
    l->forward = (oct_point){turns_right ? a : -a, 0.0, turns_back ? b : -b};
    oct_level_toggles(l, doors);
}

// Turns by at most 45 degrees about any axis. Of a quaternion of whole numbers the directions are
// rational: the same bits everywhere.
static void draw_turn(level *l, oct_point *forward, oct_point *up)
{
    int32_t x = 0, y = 0, z = 0, w = 1, square = 0;
    // 0.17 is a little less than the square of the tangent of half of 45 degrees.
    while (square == 0 || 100 * square > 17 * w * w) {
        x = oct_random_range(&l->random, -5, 5);
        y = oct_random_range(&l->random, -5, 5);
        z = oct_random_range(&l->random, -5, 5);
        w = oct_random_range(&l->random, 5, 15);
        square = x * x + y * y + z * z;
    }
    const double n = w * w + square;
    *forward = (oct_point){-2 * (x * z + w * y) / n, -2 * (y * z - w * x) / n,
                           -(w * w - x * x - y * y + z * z) / n};
    *up = (oct_point){2 * (x * y - w * z) / n, (w * w - x * x + y * y - z * z) / n,
                      2 * (y * z + w * x) / n};
}

void oct_level_tilted(level *l, uint32_t doors)
{
    draw_turn(l, &l->forward, &l->up);
    oct_level_toggles(l, doors);
}

void oct_level_add_house(level *l, bool has_door)
{
    level_room *const hall = &l->room[l->target_room];
    const uint32_t before = l->row[oct_level_below(l, l->row_count - 1u)];
    hall->w = hall->d = LEVEL_HALL;
    draw_turn(l, &l->house_pose.forward, &l->house_pose.up);
    l->house = oct_level_side_room(l, l->target_room, LEVEL_HOUSE);
    // A hall whose way is shut already is as good as a house that has none.
    const bool is_sealed = l->why == OCT_LEVEL_SEALED && hall->opening == LEVEL_FREE;
    if (has_door) {
        const uint32_t button = oct_level_add_panel(l, before, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
        const uint32_t door = oct_level_add_door(l, l->house, false);
        oct_level_wire(l, button, OCT_WIRE_TOGGLE, door);
        oct_level_press(l, 0, button, oct_level_settle(l, 0.0));
    }
    if (is_sealed) {
        l->room[l->house].opening = LEVEL_WALL;
    }
}

// A door whose button is so far away that whoever presses it cannot get there; one agent waits
// before the door, passes, and opens it for good from the other side.
static void add_relay(level *l)
{
    const double seconds = 3.0;
    const uint32_t corridor =
        oct_level_next_room(l, oct_level_too_far(l, seconds + l->rules.door), 3);
    const uint32_t outside = oct_level_add_panel(l, corridor, LEVEL_PLAIN, LEVEL_FAR, 1);
    const uint32_t beyond = oct_level_next_usual(l);
    const uint32_t door = oct_level_add_door(l, beyond, false);
    const uint32_t inside = oct_level_add_panel(l, beyond, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    const uint32_t timer = oct_level_add_timer(l, seconds);
    oct_level_wire(l, outside, OCT_WIRE_OPEN, door);
    oct_level_wire_timer(l, outside, OCT_WIRE_START, timer);
    oct_level_wire_late(l, timer, OCT_WIRE_SHUT, door);
    oct_level_wire(l, inside, OCT_WIRE_OPEN, door);
    oct_level_wire_timer(l, inside, OCT_WIRE_STOP, timer);
    oct_level_walk(l, 0, corridor);
    oct_level_step_to(l, 0, OCT_LEVEL_GO, door, 0);
    oct_level_press(l, 1, outside, (uint32_t)(l->rules.door * OCT_BLOCK_WORLD_RATE));
    oct_level_press(l, 0, inside, oct_level_settle(l, 0.0));
    l->needs_others = true;
}

void oct_level_of_agents(level *l, uint32_t doors)
{
    l->agents = oct_level_between(l, 2, OCT_LEVEL_AGENTS_MAX);
    if (oct_level_chance(l, 2)) {
        oct_level_toggles(l, doors);
        return;
    }
    const uint32_t at = oct_level_below(l, doors);
    for (uint32_t i = 0; i < doors; i++) {
        if (i == at) {
            add_relay(l);
        } else {
            oct_level_plain_stage(l);
        }
    }
}
