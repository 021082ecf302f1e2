// SPDX-License-Identifier: MIT
// Doors, panels, timers and drifting grids of the block world: what moves by itself, to the tick.
#include "block_scene.h"
#include "game/block_probe.h"

#include "base/base_internal.h"

#include <math.h>

// A door at the zero and a panel beside it, in front of which someone stands.
static void init_door_and_panel(block_scene *s)
{
    block_scene_init_clear(s);
    scene_put(s, 1, DOOR, 0, 0, 0);
    scene_put(s, 2, PANEL, 2, 0, 0);
}

#define BEFORE_PANEL ((oct_point){5.0, 0.0, 3.0})

// ---- doors ----

static void a_door_opens_in_its_time_to_the_tick(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    oct_entity door;
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    for (int tick = 1; tick <= OCT_BLOCK_WORLD_RATE; tick++) {
        scene_step(&s, 1);
        assert_true(scene_sees(&s, who, 1, &door));
        assert_true(door.opening == tick / 60.0);
        assert_int_equal(door.thing.label, tick == 60 ? OCT_OPEN : OCT_BLOCKED);
        assert_int_equal(door.thing.opaque, tick != 60);
    }
    scene_step(&s, 100);
    assert_true(scene_opening(&s, who, 1) == 1.0);
    // And shuts in the same.
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 59);
    assert_true(scene_opening(&s, who, 1) == 1.0 / 60.0);
    scene_step(&s, 1);
    assert_true(scene_sees(&s, who, 1, &door));
    assert_true(door.opening == 0.0 && door.thing.label == OCT_BLOCKED && door.thing.opaque);
    block_scene_free(&s);
}

static void slow_doors(oct_world_rules *rules)
{
    rules->door = 2.5;
    rules->sight = OCT_SIGHT_THROUGH;
}

static void no_time(oct_world_rules *rules)
{
    rules->door = 1e-9;
    rules->sight = OCT_SIGHT_THROUGH;
}

static void the_time_of_doors_is_a_rule(void **state)
{
    (void)state;
    void (*const rules[])(oct_world_rules *) = {slow_doors, no_time};
    const uint32_t ticks[] = {150, 1};
    for (int i = 0; i < 2; i++) {
        block_scene s;
        init_door_and_panel(&s);
        scene_rules(&s, rules[i]);
        scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
        scene_play(&s);
        const uint32_t who = scene_join(&s, BEFORE_PANEL);
        assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
        scene_step(&s, ticks[i] - 1);
        assert_true(scene_opening(&s, who, 1) < 1.0);
        scene_step(&s, 1);
        assert_true(scene_opening(&s, who, 1) == 1.0);
        block_scene_free(&s);
    }
}

static void a_door_that_is_toggled_under_way_turns_back(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_wire(&s, 2, 1, OCT_WIRE_OPEN, 1);
    scene_wire(&s, 2, 2, OCT_WIRE_SHUT, 1);
    scene_wire(&s, 2, 3, OCT_WIRE_OTHER, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    scene_use(&s, who, 2, 0);
    scene_step(&s, 20);
    scene_use(&s, who, 2, 0); // it opens: now it shuts
    scene_step(&s, 5);
    assert_true(scene_opening(&s, who, 1) == 15 / 60.0);
    scene_use(&s, who, 2, 0); // it shuts: now it opens
    scene_step(&s, 5);
    assert_true(scene_opening(&s, who, 1) == 20 / 60.0);
    scene_use(&s, who, 2, 1); // it does already
    scene_use(&s, who, 2, 3);
    scene_step(&s, 5);
    assert_true(scene_opening(&s, who, 1) == 25 / 60.0);
    scene_use(&s, who, 2, 2);
    scene_step(&s, 5);
    assert_true(scene_opening(&s, who, 1) == 20 / 60.0);
    scene_use(&s, who, 2, 2);
    scene_step(&s, 30);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    scene_use(&s, who, 2, 2);
    scene_step(&s, 30);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    // Twice between two ticks is nothing.
    scene_use(&s, who, 2, 0);
    scene_use(&s, who, 2, 0);
    scene_step(&s, 30);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    scene_use(&s, who, 2, 0);
    scene_step(&s, 30);
    assert_true(scene_opening(&s, who, 1) == 0.5);
    block_scene_free(&s);
}

// The clearance of a body right before a doorway's left and right half tells where the leaf is.
static void check_leaf(uint8_t forward, uint8_t up, oct_point left)
{
    block_scene s;
    block_scene_init_clear(&s);
    oct_world_block door = scene_block(s.grid, 1, DOOR, (oct_vec){0, 0, 0});
    door.forward = forward;
    door.up = up;
    scene_put_block(&s, &door);
    scene_put(&s, 2, PANEL, 10, 0, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){25, 0, 3});
    scene_use(&s, who, 2, 0);
    scene_step(&s, 30); // half open
    // Beside the doorway on the left, where it opens first, and on the right, where the rest is:
    // 2 m from the middle, the body's own 0.5 or 0.9 away.
    for (int side = -1; side <= 1; side += 2) {
        const oct_point at = {-2.5 * side * left.x, -2.5 * side * left.y, -2.5 * side * left.z};
        const oct_point forward_of = left.z != 0.0 ? (oct_point){1, 0, 0} : (oct_point){0, 0, 1};
        const oct_point up_of = left.y != 0.0 ? (oct_point){1, 0, 0} : (oct_point){0, 1, 0};
        scene_move_turned(&s, who, at, forward_of, up_of);
        const double want = side < 0 ? 2.5 - 0.5 : 1.25 - 0.5;
        scene_check_near(oct_block_world_clearance(s.game, who, 5.0), want, 1e-6);
    }
    block_scene_free(&s);
}

static void the_leaf_slides_to_the_right_of_the_door(void **state)
{
    (void)state;
    check_leaf(OCT_SIDE_FORWARD, OCT_SIDE_UP, (oct_point){-1, 0, 0});
    check_leaf(OCT_SIDE_BACKWARD, OCT_SIDE_UP, (oct_point){1, 0, 0});
    check_leaf(OCT_SIDE_RIGHT, OCT_SIDE_UP, (oct_point){0, 0, -1});
    check_leaf(OCT_SIDE_LEFT, OCT_SIDE_UP, (oct_point){0, 0, 1});
    check_leaf(OCT_SIDE_FORWARD, OCT_SIDE_RIGHT, (oct_point){0, 1, 0});
    check_leaf(OCT_SIDE_FORWARD, OCT_SIDE_LEFT, (oct_point){0, -1, 0});
    check_leaf(OCT_SIDE_UP, OCT_SIDE_BACKWARD, (oct_point){-1, 0, 0});
}

// A plain box slides along its longer side that is not up, towards the larger coordinates.
static void check_box_leaf(oct_up up, oct_point size, int axis)
{
    block_scene s;
    block_scene_init_clear(&s);
    assert_int_equal(oct_world_set_axes(s.world, up, false), OCT_OK);
    scene_put_box(&s, 1, DOOR, (oct_bounds){{0, 0, 0}, size});
    scene_put(&s, 2, PANEL, 10, 0, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){25, 0, 3});
    scene_use(&s, who, 2, 0);
    scene_step(&s, 45);
    const double sizes[3] = {size.x, size.y, size.z};
    double at[3] = {size.x / 2, size.y / 2, size.z / 2};
    at[axis] = -2.0;
    scene_move_turned(&s, who, (oct_point){at[0], at[1], at[2]},
                      axis == 2 ? (oct_point){1, 0, 0} : (oct_point){0, 0, 1},
                      axis == 1 ? (oct_point){1, 0, 0} : (oct_point){0, 1, 0});
    scene_check_near(oct_block_world_clearance(s.game, who, 9.0), 1.5 + sizes[axis] * 0.75, 1e-6);
    block_scene_free(&s);
}

static void a_door_that_is_a_plain_box_slides_along_its_longer_side(void **state)
{
    (void)state;
    check_box_leaf(OCT_UP_Y, (oct_point){2, 9, 1}, 0);
    check_box_leaf(OCT_UP_Y, (oct_point){1, 9, 2}, 2);
    check_box_leaf(OCT_UP_Z, (oct_point){2, 1, 9}, 0);
    check_box_leaf(OCT_UP_Z, (oct_point){1, 2, 9}, 1);
    check_box_leaf(OCT_UP_X, (oct_point){9, 2, 1}, 1);
    check_box_leaf(OCT_UP_X, (oct_point){9, 1, 2}, 2);
    check_box_leaf(OCT_UP_Z, (oct_point){2, 2, 9}, 0);
}

static void a_shutting_door_waits_for_a_body_and_goes_on(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    // A door that is open from the start.
    scene_put_open_door(&s, 1, (oct_vec){0, 0, 0});
    scene_put(&s, 2, PANEL, 2, 0, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_play(&s);
    const uint32_t presses = scene_join(&s, BEFORE_PANEL);
    const uint32_t stands = scene_join(&s, (oct_point){0, 0, 0});
    assert_true(scene_opening(&s, presses, 1) == 1.0);
    scene_use(&s, presses, 2, 0);
    // The leaf comes from the right (x = 1.25) to the body's right side (x = 0.5, and the skin).
    for (int tick = 1; tick <= 200; tick++) {
        scene_step(&s, 1);
        const double left = scene_opening(&s, presses, 1);
        const double edge = -1.25 + 2.5 * left;
        assert_true(edge >= 0.5);
        assert_true(left == (60 - tick) / 60.0 || edge < 0.5 + 2.5 / 60.0 + 1e-9);
        assert_true(oct_block_world_clearance(s.game, stands, 3.0) > 0.0);
    }
    assert_true(scene_opening(&s, presses, 1) == 43 / 60.0);
    scene_move(&s, stands, (oct_point){0, 0, 3}, (oct_point){0, 0, -1});
    scene_step(&s, 42);
    assert_true(scene_opening(&s, presses, 1) == 1 / 60.0);
    scene_step(&s, 1);
    assert_true(scene_opening(&s, presses, 1) == 0.0);
    block_scene_free(&s);
}

// One who leans on the wall above a doorway touches the plane of the leaf, and is in nobody's way.
static void a_door_shuts_past_a_body_that_touches_its_plane(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    scene_put_open_door(&s, 1, (oct_vec){0, 0, 0});
    scene_put(&s, 2, PANEL, 1, 0, 0);
    scene_put(&s, 3, STONE, 0, 1, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 1.25, 1.3 + 0.5});
    const oct_action on = {.verb = OCT_VERB_MOVE, .ticks = 30, .move = {0, 0, -1}};
    assert_int_equal(scene_act(&s, who, on), OCT_ACT_DONE);
    scene_step(&s, 30);
    assert_true(oct_block_world_clearance(s.game, who, 1.0) < 0.0015);
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 60);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    assert_true(oct_block_world_clearance(s.game, who, 1.0) > 0.0);
    block_scene_free(&s);
}

// ---- panels and wires ----

static void a_button_does_all_that_is_wired_to_it_and_nothing_else(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    scene_put(&s, 11, DOOR, 0, 3, 0);
    scene_put(&s, 12, DOOR, 0, 6, 0);
    scene_put(&s, 13, STONE, 0, 9, 0);
    scene_wire(&s, 2, 1, OCT_WIRE_OPEN, 11);
    scene_wire(&s, 2, 3, OCT_WIRE_OPEN, 12);
    scene_wire(&s, 2, 1, OCT_WIRE_OPEN, 1);
    scene_wire(&s, 2, 1, OCT_WIRE_OPEN, 777);  // there is none
    scene_wire(&s, 2, 1, OCT_WIRE_TOGGLE, 13); // nothing to open
    scene_wire(&s, 2, 1, OCT_WIRE_START, 12);  // no timer
    scene_wire(&s, 888, 1, OCT_WIRE_OPEN, 12); // from nowhere
    scene_wire(&s, 13, 1, OCT_WIRE_OPEN, 12);  // from a stone
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE); // whether wired or not is not told
    assert_int_equal(scene_use(&s, who, 2, 1), OCT_ACT_DONE);
    scene_step(&s, 60);
    assert_true(scene_opening(&s, who, 1) == 1.0);
    assert_true(scene_opening(&s, who, 11) == 1.0);
    assert_true(scene_opening(&s, who, 12) == 0.0);
    assert_int_equal(scene_use(&s, who, 2, 3), OCT_ACT_DONE);
    scene_step(&s, 60);
    assert_true(scene_opening(&s, who, 12) == 1.0);
    block_scene_free(&s);
}

static void a_group_is_of_the_panels_grid(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    const oct_world_grid other = {
        .id = 5, .pose = {{0, 20, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 2.5};
    const uint32_t grid = block_scene_grid(&s, &other);
    for (uint64_t i = 0; i < 4; i++) {
        scene_put(&s, 20 + i, DOOR, -2, 0, (int)i);
    }
    scene_member(&s, "hall", 20);
    scene_member(&s, "yard", 22);
    scene_member(&s, "hall", 21);
    scene_member(&s, "hall", 999);
    const oct_world_member elsewhere = {.group = "hall", .grid = grid, .block = 23};
    assert_int_equal(oct_world_add_member(s.world, &elsewhere), OCT_OK);
    scene_wire_group(&s, 2, 0, OCT_WIRE_TOGGLE, "hall");
    scene_wire_group(&s, 2, 1, OCT_WIRE_TOGGLE, "cellar");
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    assert_int_equal(scene_use(&s, who, 2, 1), OCT_ACT_DONE);
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 60);
    assert_true(scene_opening(&s, who, 20) == 1.0);
    assert_true(scene_opening(&s, who, 21) == 1.0);
    assert_true(scene_opening(&s, who, 22) == 0.0);
    assert_true(scene_opening(&s, who, 23) == 0.0);
    block_scene_free(&s);
}

// Each of many groups by its own name, whatever others are called.
static void many_groups_are_told_apart(void **state)
{
    (void)state;
    enum { GROUPS = 40 };
    block_scene s;
    init_door_and_panel(&s);
    char name[8] = "g";
    for (int i = 0; i < GROUPS; i++) {
        name[1] = (char)('A' + i);
        scene_put(&s, 100u + (uint64_t)i, DOOR, -1 - i % 5, i / 5 - 4, 0);
        scene_member(&s, name, 100u + (uint64_t)i);
        scene_member(&s, name, 100u + (uint64_t)(i + 1) % GROUPS);
    }
    for (int i = 0; i < GROUPS; i += 4) {
        name[1] = (char)('A' + i);
        scene_wire_group(&s, 2, 0, OCT_WIRE_TOGGLE, name);
    }
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 60);
    for (int i = 0; i < GROUPS; i++) {
        assert_true(scene_opening(&s, who, 100u + (uint64_t)i) == (i % 4 < 2));
    }
    block_scene_free(&s);
}

// The same name on many grids.
static void groups_of_other_grids_are_others(void **state)
{
    (void)state;
    enum { GRIDS = 40 };
    block_scene s;
    block_scene_init_clear(&s);
    for (uint64_t i = 0; i < GRIDS; i++) {
        const oct_world_grid grid = {
            .id = i, .pose = {{0, 4.0 * (double)i, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 1.0};
        const uint32_t index = block_scene_grid(&s, &grid);
        scene_put_on(&s, index, 100 + i, PANEL, (oct_vec){0, 0, 0});
        scene_put_on(&s, index, 200 + i, DOOR, (oct_vec){3, 0, 0});
        const oct_world_member member = {.group = "hall", .grid = index, .block = 200 + i};
        assert_int_equal(oct_world_add_member(s.world, &member), OCT_OK);
        scene_wire_group(&s, 100 + i, 0, OCT_WIRE_OPEN, "hall");
    }
    // And on grids that do not exist, all over a table of them.
    oct_random random = oct_random_seed(2);
    scene_put_on(&s, s.grid, 99, DOOR, (oct_vec){5, 0, 0});
    for (int i = 0; i < 200; i++) {
        const uint32_t nowhere = (uint32_t)oct_random_next(&random) | UINT32_C(1) << 31;
        const oct_world_member member = {.group = "hall", .grid = nowhere, .block = 99};
        assert_int_equal(oct_world_add_member(s.world, &member), OCT_OK);
    }
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 2});
    for (uint64_t i = 0; i < GRIDS; i += 2) {
        scene_move(&s, who, (oct_point){0, 4.0 * (double)i, 2}, (oct_point){0, 0, -1});
        assert_int_equal(scene_use(&s, who, 100 + i, 0), OCT_ACT_DONE);
    }
    scene_step(&s, 60);
    scene_move(&s, who, (oct_point){0, 0, 2}, (oct_point){0, 0, -1});
    assert_true(scene_opening(&s, who, 99) == 0.0);
    for (uint64_t i = 0; i < GRIDS; i++) {
        scene_move(&s, who, (oct_point){0, 4.0 * (double)i, 2}, (oct_point){0, 0, -1});
        assert_true(scene_opening(&s, who, 200 + i) == (i % 2 == 0));
    }
    block_scene_free(&s);
}

// ---- timers ----

static void a_timer_waits_to_the_tick_and_then_does_what_is_wired(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    scene_put_timer(&s, 3, (oct_vec){0, 2, 0}, 0.5);
    scene_wire(&s, 2, 0, OCT_WIRE_START, 3);
    scene_wire(&s, 2, 1, OCT_WIRE_STOP, 3);
    scene_wire(&s, 2, 2, OCT_WIRE_TOGGLE, 3); // does nothing to a timer
    scene_wire(&s, 3, 0, OCT_WIRE_TOGGLE, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    scene_use(&s, who, 2, 2);
    scene_use(&s, who, 2, 1); // it does not wait
    scene_use(&s, who, 2, 0);
    scene_step(&s, 20);
    scene_use(&s, who, 2, 0); // it waits already, and does not begin again
    scene_step(&s, 9);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    scene_step(&s, 1);
    assert_true(scene_opening(&s, who, 1) == 1 / 60.0);
    scene_step(&s, 200);
    assert_true(scene_opening(&s, who, 1) == 1.0);
    // Stopped in time it does nothing; started again it waits in full.
    scene_use(&s, who, 2, 0);
    scene_step(&s, 29);
    scene_use(&s, who, 2, 1);
    scene_step(&s, 100);
    assert_true(scene_opening(&s, who, 1) == 1.0);
    scene_use(&s, who, 2, 0);
    scene_step(&s, 29);
    assert_true(scene_opening(&s, who, 1) == 1.0);
    scene_step(&s, 1);
    assert_true(scene_opening(&s, who, 1) == 59 / 60.0);
    block_scene_free(&s);
}

// Open first and shut then, or the other way round: the slot says, not the order of the file.
static void a_timer_does_things_in_the_order_of_its_slots(void **state)
{
    (void)state;
    for (uint32_t open = 0; open < 2; open++) {
        block_scene s;
        init_door_and_panel(&s);
        scene_put(&s, 3, TIMER, 0, 2, 0);
        scene_wire(&s, 3, 5, open ? OCT_WIRE_OPEN : OCT_WIRE_SHUT, 1);
        scene_wire(&s, 2, 0, OCT_WIRE_START, 3);
        scene_wire(&s, 3, 2, open ? OCT_WIRE_SHUT : OCT_WIRE_OPEN, 1);
        scene_play(&s);
        const uint32_t who = scene_join(&s, BEFORE_PANEL);
        scene_use(&s, who, 2, 0);
        scene_step(&s, 60);
        assert_true(scene_opening(&s, who, 1) == open / 60.0);
        block_scene_free(&s);
    }
}

// Of those that are due together the first in the world goes first, and may stop the others.
static void timers_that_are_due_together_fire_in_the_order_of_the_world(void **state)
{
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        block_scene s;
        init_door_and_panel(&s);
        const uint64_t first = swap ? 4 : 3, second = swap ? 3 : 4;
        scene_put(&s, first, TIMER, 0, 2, 0);
        scene_put(&s, second, TIMER, 0, 4, 0);
        scene_wire(&s, 2, 0, OCT_WIRE_START, second);
        scene_wire(&s, 2, 0, OCT_WIRE_START, first);
        scene_wire(&s, 3, 0, OCT_WIRE_STOP, 4);
        scene_wire(&s, 4, 0, OCT_WIRE_OPEN, 1);
        scene_play(&s);
        const uint32_t who = scene_join(&s, BEFORE_PANEL);
        scene_use(&s, who, 2, 0);
        scene_step(&s, 60);
        assert_true(scene_opening(&s, who, 1) == swap / 60.0);
        block_scene_free(&s);
    }
}

// A timer without delay that starts itself, and two that start each other: every tick once.
static void timers_that_start_each_other_do_not_hang(void **state)
{
    (void)state;
    block_scene s;
    init_door_and_panel(&s);
    for (uint64_t i = 0; i < 3; i++) {
        scene_put_timer(&s, 30 + i, (oct_vec){0, 2 + (int32_t)i, 0}, 0.0);
        scene_wire(&s, 2, (uint32_t)i, OCT_WIRE_START, 30 + i);
    }
    scene_put(&s, 40, DOOR, 0, 8, 0);
    scene_wire(&s, 30, 0, OCT_WIRE_TOGGLE, 1);
    scene_wire(&s, 30, 1, OCT_WIRE_START, 30);
    scene_wire(&s, 31, 0, OCT_WIRE_START, 32);
    scene_wire(&s, 31, 0, OCT_WIRE_OPEN, 40);
    scene_wire(&s, 32, 0, OCT_WIRE_START, 31);
    scene_wire(&s, 32, 0, OCT_WIRE_SHUT, 40);
    scene_play(&s);
    const uint32_t who = scene_join(&s, BEFORE_PANEL);
    scene_use(&s, who, 2, 0);
    scene_use(&s, who, 2, 1);
    // One opens and shuts in turn: a tick to, a tick fro.
    for (int tick = 1; tick <= 50; tick++) {
        scene_step(&s, 1);
        assert_true(scene_opening(&s, who, 1) == tick % 2 / 60.0);
        assert_true(scene_opening(&s, who, 40) == tick % 2 / 60.0);
    }
    block_scene_free(&s);
}

typedef struct model_timer {
    uint64_t due; // 0 = does not wait
    uint32_t delay;
    bool opens;
    uint32_t opened;
} model_timer;

// Many timers, started and stopped at random, each with a door, against plain counters.
static void many_timers_fire_as_plain_counters_do(void **state)
{
    (void)state;
    enum { TIMERS = 40 };
    block_scene s;
    model_timer model[TIMERS];
    oct_random random = oct_random_seed(11);
    block_scene_init_clear(&s);
    for (uint32_t i = 0; i < TIMERS; i++) {
        model[i] = (model_timer){.delay = 1 + (uint32_t)oct_random_below(&random, 40)};
        scene_put_timer(&s, 1000 + i, (oct_vec){(int32_t)i % 7, 2, (int32_t)i / 7},
                        model[i].delay / 60.0);
        scene_put(&s, 2000 + i, DOOR, (int)i % 7, 3, (int)i / 7);
        scene_put(&s, 3000 + i, PANEL, (int)i % 7, -2, (int)i / 7);
        scene_wire(&s, 3000 + i, 0, OCT_WIRE_START, 1000 + i);
        scene_wire(&s, 3000 + i, 1, OCT_WIRE_STOP, 1000 + i);
        scene_wire(&s, 1000 + i, 0, OCT_WIRE_TOGGLE, 2000 + i);
    }
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    for (uint64_t tick = 1; tick <= test_rounds(2000); tick++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t i = (uint32_t)oct_random_below(&random, TIMERS);
            const uint32_t button = oct_random_below(&random, 3) == 0;
            scene_move(&s, who, (oct_point){2.5 * (i % 7), -2.5, 2.5 * (i / 7)},
                       (oct_point){0, 0, -1});
            assert_int_equal(scene_use(&s, who, 3000 + i, button), OCT_ACT_DONE);
            model[i].due = button ? 0 : model[i].due ? model[i].due : tick - 1 + model[i].delay;
        }
        scene_step(&s, 1);
        for (uint32_t i = 0; i < TIMERS; i++) {
            if (model[i].due == tick) {
                model[i].due = 0;
                model[i].opens = !model[i].opens;
            }
            model[i].opened = model[i].opens ? (model[i].opened < 60 ? model[i].opened + 1 : 60)
                                             : (model[i].opened > 0 ? model[i].opened - 1 : 0);
        }
        if (tick % 25 == 0) {
            oct_observation seen;
            scene_observe(&s, who, &seen);
            uint32_t doors = 0;
            for (size_t e = 0; e < seen.count; e++) {
                if (seen.entities[e].kind == OCT_ENTITY_DOOR) {
                    const model_timer *const m = &model[seen.entities[e].thing.id - 2000];
                    assert_true(seen.entities[e].opening == m->opened / 60.0);
                    doors++;
                }
            }
            assert_int_equal(doors, TIMERS);
        }
    }
    block_scene_free(&s);
}

// ---- grids that drift ----

static oct_world_grid drifting_grid(oct_point at, oct_point drift, double range)
{
    return (oct_world_grid){
        .id = 7, .pose = {at, {0, 0, -1}, {0, 1, 0}}, .cell = 2.5, .drift = drift, .range = range};
}

static void a_grid_drifts_to_its_range_and_back(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    const oct_world_grid grid = drifting_grid((oct_point){10, 0, 0}, (oct_point){0, 3, 4}, 2.0);
    scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){0, 0, 0});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_entity stone;
    for (int tick = 0; tick <= 100; tick++) {
        // 5 m/s: 24 ticks there, 24 back.
        const int phase = tick % 48;
        const double at = (phase <= 24 ? phase : 48 - phase) * 5.0 / 60.0;
        assert_true(scene_sees(&s, who, 1, &stone));
        scene_check_near(stone.thing.box.min.x, 8.75, 1e-9);
        scene_check_near(stone.thing.box.min.y, -1.25 + 0.6 * at, 1e-9);
        scene_check_near(stone.thing.box.max.z, 1.25 + 0.8 * at, 1e-9);
        const double sign = phase < 24 ? 1.0 : -1.0;
        scene_check_near(stone.velocity.y, 3.0 * sign, 1e-9);
        scene_check_near(stone.velocity.z, 4.0 * sign, 1e-9);
        scene_step(&s, 1);
    }
    block_scene_free(&s);
}

static void drift_without_a_range_is_none(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    const oct_world_grid grid = drifting_grid((oct_point){10, 0, 0}, (oct_point){1, 0, 0}, 0.0);
    scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){0, 0, 0});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_entity stone;
    scene_step(&s, 10);
    assert_true(scene_sees(&s, who, 1, &stone));
    assert_true(stone.thing.box.min.x == 8.75 && stone.velocity.x == 0.0);
    block_scene_free(&s);
}

// A grid pushes a body before it, and waits where a wall is behind that.
static void a_grid_pushes_bodies_and_waits_where_it_cannot(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    const oct_world_grid grid = drifting_grid((oct_point){0, 0, 0}, (oct_point){3, 0, 0}, 20.0);
    scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){0, 0, 0});
    scene_put(&s, 2, STONE, 4, 0, 0); // from 8.75 on
    scene_play(&s);
    const uint32_t pushed = scene_join(&s, (oct_point){3.5, 0, 0});
    const uint32_t looks = scene_join(&s, (oct_point){3, 8, 0});
    const uint32_t above = scene_join(&s, (oct_point){6, 1.5, 20});
    oct_entity stone;
    double before = 0.0;
    for (int tick = 0; tick < 300; tick++) {
        scene_step(&s, 1);
        assert_true(scene_sees(&s, looks, 1, &stone));
        assert_true(oct_block_world_clearance(s.game, pushed, 3.0) > 0.0);
        assert_true(stone.thing.box.max.x >= before);
        before = stone.thing.box.max.x;
    }
    // Between the two the body has its metre.
    assert_true(before > 8.75 - 1.0 - 0.06 && before < 8.75 - 1.0);
    assert_true(stone.velocity.x == 0.0);
    assert_true(scene_self(&s, looks).centre.x == 3.0);
    assert_true(scene_self(&s, above).centre.x == 6.0);
    // The way free, it goes on.
    scene_move(&s, pushed, (oct_point){3, 12, 0}, (oct_point){0, 0, -1});
    scene_step(&s, 1);
    assert_true(scene_sees(&s, looks, 1, &stone));
    assert_true(stone.thing.box.max.x > before && stone.velocity.x == 3.0);
    block_scene_free(&s);
}

// One who could be pushed stays where it is when another one could not.
static void where_a_grid_waits_nobody_has_moved(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    const oct_world_grid grid = drifting_grid((oct_point){0, 0, 0}, (oct_point){3, 0, 0}, 20.0);
    const uint32_t drifting = block_scene_grid(&s, &grid);
    scene_put_on(&s, drifting, 1, STONE, (oct_vec){0, 0, 0});
    scene_put_on(&s, drifting, 2, STONE, (oct_vec){0, 0, 1});
    scene_put(&s, 3, STONE, 1, 0, 2); // nothing to do with it
    scene_put(&s, 4, STONE, 2, 0, 1); // from 3.75 on, behind the second
    scene_play(&s);
    const uint32_t free_one = scene_join(&s, (oct_point){1.8, 0, 0});
    const uint32_t held = scene_join(&s, (oct_point){2.5, 0, 2.5});
    for (int tick = 0; tick < 120; tick++) {
        scene_step(&s, 1);
    }
    const oct_point rest = scene_self(&s, free_one).centre;
    scene_step(&s, 60);
    const oct_point later = scene_self(&s, free_one).centre;
    assert_true(rest.x == later.x && rest.y == later.y && rest.z == later.z);
    assert_true(rest.x > 1.8);
    assert_true(oct_block_world_clearance(s.game, held, 1.0) > 0.0);
    // Still at the side of the stone that had pushed it, not a step ahead.
    assert_true(oct_block_world_clearance(s.game, free_one, 1.0) > 0.0);
    assert_true(oct_block_world_clearance(s.game, free_one, 1.0) < 0.01);
    block_scene_free(&s);
}

// Doors and panels on a ship under way work as elsewhere.
static void devices_work_on_a_grid_under_way(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    const oct_world_grid grid = drifting_grid((oct_point){0, 0, 0}, (oct_point){0, 6, 0}, 12.0);
    const uint32_t ship = block_scene_grid(&s, &grid);
    scene_put_on(&s, ship, 1, DOOR, (oct_vec){2, 0, 0});
    scene_put_on(&s, ship, 2, PANEL, (oct_vec){0, 0, 0});
    scene_wire(&s, 2, 0, OCT_WIRE_OPEN, 1);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 12, 3});
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_TOO_FAR);
    scene_step(&s, 120); // it is there
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 60); // half way back
    assert_true(scene_opening(&s, who, 1) == 1.0);
    scene_move(&s, who, (oct_point){5, 6, 0}, (oct_point){0, 0, -1}); // in the doorway
    assert_true(oct_block_world_clearance(s.game, who, 3.0) > 0.5);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_opens_in_its_time_to_the_tick),
        cmocka_unit_test(the_time_of_doors_is_a_rule),
        cmocka_unit_test(a_door_that_is_toggled_under_way_turns_back),
        cmocka_unit_test(the_leaf_slides_to_the_right_of_the_door),
        cmocka_unit_test(a_door_that_is_a_plain_box_slides_along_its_longer_side),
        cmocka_unit_test(a_shutting_door_waits_for_a_body_and_goes_on),
        cmocka_unit_test(a_door_shuts_past_a_body_that_touches_its_plane),
        cmocka_unit_test(a_button_does_all_that_is_wired_to_it_and_nothing_else),
        cmocka_unit_test(a_group_is_of_the_panels_grid),
        cmocka_unit_test(many_groups_are_told_apart),
        cmocka_unit_test(groups_of_other_grids_are_others),
        cmocka_unit_test(a_timer_waits_to_the_tick_and_then_does_what_is_wired),
        cmocka_unit_test(a_timer_does_things_in_the_order_of_its_slots),
        cmocka_unit_test(timers_that_are_due_together_fire_in_the_order_of_the_world),
        cmocka_unit_test(timers_that_start_each_other_do_not_hang),
        cmocka_unit_test(many_timers_fire_as_plain_counters_do),
        cmocka_unit_test(a_grid_drifts_to_its_range_and_back),
        cmocka_unit_test(drift_without_a_range_is_none),
        cmocka_unit_test(a_grid_pushes_bodies_and_waits_where_it_cannot),
        cmocka_unit_test(where_a_grid_waits_nobody_has_moved),
        cmocka_unit_test(devices_work_on_a_grid_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
