// SPDX-License-Identifier: MIT
// What is wrong with a world, found without playing it.
#include "problem_list.h"
#include "world_build.h"

#include "octant/block_world.h"
#include "world/world_names.h"

// ---- worlds ----

enum { WALL, DOOR, PANEL, TIMER, TARGET, LONG };

// A world with types and one grid.
static oct_world *typed_world(void)
{
    oct_world *const world = new_world();
    static const char *const names[] = {"wall", "door", "panel", "timer", "target", "long"};
    for (int i = 0; i < 6; i++) {
        oct_world_type type = oct_world_type_default();
        type.name = names[i];
        type.kind = (uint8_t)(i == LONG ? OCT_KIND_SOLID : i);
        type.buttons = i == PANEL ? 4 : 0;
        type.size = i == LONG ? (oct_vec){3, 1, 1} : type.size;
        assert_int_equal(oct_world_define(world, &type, NULL), OCT_OK);
    }
    const oct_world_grid grid = grid_of(1);
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    const oct_pose start = {{0, 10, 0}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_world_set_start(world, &start), OCT_OK);
    return world;
}

static void add(oct_world *world, uint64_t id, uint32_t type, const char *name, oct_vec cell)
{
    oct_world_block block = placed_at(id, cell);
    block.type = type;
    block.name = name;
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
}

static void wire(oct_world *world, uint64_t from, uint32_t slot, oct_wire_action action,
                 uint64_t to)
{
    const oct_world_wire own = {.from = from, .slot = slot, .action = (uint8_t)action, .to = to};
    assert_int_equal(oct_world_add_wire(world, &own), OCT_OK);
}

static void wire_group(oct_world *world, uint64_t from, oct_wire_action action, const char *group)
{
    const oct_world_wire own = {.from = from, .action = (uint8_t)action, .group = group};
    assert_int_equal(oct_world_add_wire(world, &own), OCT_OK);
}

static void member(oct_world *world, const char *group, uint32_t grid, uint64_t block)
{
    const oct_world_member own = {group, grid, block};
    assert_int_equal(oct_world_add_member(world, &own), OCT_OK);
}

// A panel that opens a door: nothing is wrong.
static oct_world *sound_world(void)
{
    oct_world *const world = typed_world();
    add(world, 1, DOOR, "Door", (oct_vec){0, 0, 0});
    add(world, 2, PANEL, "Panel", (oct_vec){2, 0, 0});
    wire(world, 2, 0, OCT_WIRE_TOGGLE, 1);
    return world;
}

// Checks the world, frees it, and compares.
static void expect(oct_world *world, const char *problems)
{
    problem_list list = {.used = 0};
    assert_int_equal(oct_block_world_check(world, NULL, list_problem, &list), OCT_OK);
    assert_string_equal(list.text, problems);
    oct_world_destroy(world);
}

// ---- wires ----

static void a_sound_world_has_no_problem(void **state)
{
    (void)state;
    expect(sound_world(), "");
}

static void wires_from_nothing_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    wire(world, 77, 0, OCT_WIRE_TOGGLE, 1);
    wire(world, 1, 0, OCT_WIRE_TOGGLE, 1);
    expect(world, "0 error wire-from: a wire leads from block 77, which is not there\n"
                  "0 error wire-from: a wire leads from door 'Door', which is neither a panel nor "
                  "a timer\n");
    oct_world *const empty = typed_world();
    wire(empty, 1, 0, OCT_WIRE_TOGGLE, 1);
    expect(empty, "0 error wire-from: a wire leads from block 1, which is not there\n");
}

static void wires_to_nothing_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    wire(world, 2, 1, OCT_WIRE_OPEN, 12);
    wire_group(world, 2, OCT_WIRE_OPEN, "Gates");
    expect(world, "0 error wire-to: button 1 of panel 'Panel' leads to block 12, which is not "
                  "there\n"
                  "0 error wire-to: button 0 of panel 'Panel' leads to group 'Gates', which its "
                  "grid does not have\n");
}

// Groups belong to the grid of who uses them.
static void groups_are_those_of_their_grid(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    member(world, "Gates", 1, 1);
    member(world, "Doors", 0, 1);
    member(world, "Doors", 0, 99);
    wire_group(world, 2, OCT_WIRE_OPEN, "Doors");
    wire_group(world, 2, OCT_WIRE_OPEN, "Gates");
    wire_group(world, 2, OCT_WIRE_START, "Doors");
    expect(world, "0 error wire-to: group 'Doors' holds block 99, which is not there\n"
                  "0 error wire-to: button 0 of panel 'Panel' leads to group 'Gates', which its "
                  "grid does not have\n"
                  "0 warning wire-action: button 0 of panel 'Panel' does nothing to group "
                  "'Doors': 'start' is for timers\n");
}

static void buttons_that_a_panel_lacks_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    wire(world, 2, 3, OCT_WIRE_TOGGLE, 1);
    wire(world, 2, 4, OCT_WIRE_TOGGLE, 1);
    expect(world, "0 error wire-slot: panel 'Panel' has no button 4: its buttons are 0 to 3\n");
    // A timer's slots are an order.
    oct_world *const timed = sound_world();
    add(timed, 3, TIMER, "Timer", (oct_vec){4, 0, 0});
    wire(timed, 2, 1, OCT_WIRE_START, 3);
    wire(timed, 3, 900, OCT_WIRE_SHUT, 1);
    expect(timed, "");
}

// What worlds here do not know may be anything.
static void actions_that_do_nothing_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, WALL, "", (oct_vec){4, 0, 0});
    wire(world, 2, 1, OCT_WIRE_START, 1);
    wire(world, 2, 2, OCT_WIRE_OPEN, 3);
    wire(world, 2, 3, OCT_WIRE_OTHER, 3);
    expect(world, "0 warning wire-action: button 1 of panel 'Panel' does nothing to door 'Door': "
                  "'start' is for timers\n"
                  "0 warning wire-action: button 2 of panel 'Panel' does nothing to wall 3: "
                  "'open' is for doors\n");
}

// ---- what has no wires ----

static void what_nothing_uses_is_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, DOOR, "Gate", (oct_vec){4, 0, 0});
    add(world, 4, PANEL, "", (oct_vec){6, 0, 0});
    add(world, 5, TIMER, "Idle", (oct_vec){8, 0, 0});
    expect(world, "0 warning unused: door 'Gate' is shut, and no button or timer opens it\n"
                  "0 warning unused: panel 4 has no wires: its buttons do nothing\n"
                  "0 warning unused: timer 'Idle' has no wires: it does nothing\n"
                  "0 warning unused: timer 'Idle' is never started: no wire does that\n");
}

// A door that stands open needs nobody; one that can only be shut does.
static void doors_that_only_shut_are_told(void **state)
{
    (void)state;
    oct_world *const world = typed_world();
    oct_world_block open = placed_at(1, (oct_vec){0, 0, 0});
    open.type = DOOR;
    open.label = OCT_OPEN;
    assert_int_equal(oct_world_add(world, &open), OCT_OK);
    add(world, 2, DOOR, "Gate", (oct_vec){2, 0, 0});
    add(world, 3, PANEL, "Panel", (oct_vec){4, 0, 0});
    wire(world, 3, 0, OCT_WIRE_SHUT, 2);
    expect(world, "0 warning unused: door 'Gate' is shut, and no button or timer opens it\n");
}

static void groups_use_their_members(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, DOOR, "Gate", (oct_vec){4, 0, 0});
    member(world, "Doors", 0, 3);
    wire_group(world, 2, OCT_WIRE_OPEN, "Doors");
    expect(world, "");
}

// ---- circles ----

static oct_world *timed_world(uint32_t timers)
{
    oct_world *const world = sound_world();
    for (uint32_t i = 0; i < timers; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "T%u", i);
        add(world, 10 + i, TIMER, name, (oct_vec){4 + (int32_t)i, 0, 0});
        wire(world, 10 + i, 0, OCT_WIRE_TOGGLE, 1);
    }
    wire(world, 2, 1, OCT_WIRE_START, 10);
    return world;
}

static void timers_in_a_row_are_no_circle(void **state)
{
    (void)state;
    oct_world *const world = timed_world(3);
    wire(world, 10, 1, OCT_WIRE_START, 11);
    wire(world, 10, 2, OCT_WIRE_START, 12);
    wire(world, 11, 1, OCT_WIRE_START, 12);
    wire(world, 12, 1, OCT_WIRE_STOP, 10);
    expect(world, "");
}

static void timers_in_a_circle_are_told(void **state)
{
    (void)state;
    oct_world *const self = timed_world(1);
    wire(self, 10, 1, OCT_WIRE_START, 10);
    expect(self, "0 warning circle: timer 'T0' starts itself: once started it never rests\n");
    oct_world *const world = timed_world(6);
    for (uint32_t i = 0; i < 6; i++) {
        wire(world, 10 + i, 1, OCT_WIRE_START, 10 + (i + 1) % 6);
    }
    expect(world, "0 warning circle: 6 timers start each other in a circle and never rest: timer "
                  "'T0', timer 'T1', timer 'T2', timer 'T3', ...\n");
}

// Two circles that share a timer, one of them through a group.
static void every_circle_is_told(void **state)
{
    (void)state;
    oct_world *const world = timed_world(3);
    member(world, "Group", 0, 1);
    member(world, "Group", 0, 12);
    wire(world, 10, 1, OCT_WIRE_START, 11);
    wire(world, 11, 1, OCT_WIRE_START, 10);
    wire_group(world, 11, OCT_WIRE_START, "Group");
    wire(world, 12, 1, OCT_WIRE_START, 11);
    expect(world, "0 warning circle: 2 timers start each other in a circle and never rest: timer "
                  "'T0', timer 'T1'\n"
                  "0 warning circle: 2 timers start each other in a circle and never rest: timer "
                  "'T1', timer 'T2'\n");
}

// ---- cells ----

static void blocks_in_one_cell_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, WALL, "", (oct_vec){2, 0, 0});
    expect(world, "0 error overlap: wall 3 and panel 'Panel' both cover cell 2 0 0 of grid 0\n");
}

// A long block that is turned covers other cells; blocks of another grid are elsewhere.
static void turned_blocks_cover_their_cells(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    const oct_world_grid other = grid_of(2);
    assert_int_equal(oct_world_add_grid(world, &other, NULL), OCT_OK);
    oct_world_block block = placed_at(3, (oct_vec){0, 0, 0});
    block.grid = 1;
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    block = placed_at(4, (oct_vec){0, 0, 1});
    block.type = LONG;
    block.forward = OCT_SIDE_LEFT; // its length is along the third axis
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    add(world, 5, WALL, "", (oct_vec){1, 0, 1});
    add(world, 6, WALL, "Pillar", (oct_vec){0, 0, 3});
    expect(world, "0 error overlap: wall 'Pillar' and long 4 both cover cell 0 0 3 of grid 0\n");
}

// Against a plain comparison of all pairs, across the borders of bins.
static void overlaps_match_all_pairs(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(7);
    for (int round = 0; round < 50; round++) {
        oct_world *const world = new_world();
        const oct_world_grid grid = grid_of(1);
        assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
        size_t expected = 0;
        oct_vec from[40], to[40];
        for (uint32_t i = 0; i < 40; i++) {
            char name[16];
            oct_world_type type = oct_world_type_default();
            (void)snprintf(name, sizeof name, "t%u", i);
            const int32_t most = round % 2 ? 64 : 4;
            type.name = name;
            type.size =
                (oct_vec){oct_random_range(&random, 1, most), oct_random_range(&random, 1, most),
                          oct_random_range(&random, 1, most)};
            oct_world_block block = placed_at(i + 1, (oct_vec){oct_random_range(&random, -70, 70),
                                                               oct_random_range(&random, -70, 70),
                                                               oct_random_range(&random, -4, 4)});
            assert_int_equal(oct_world_define(world, &type, &block.type), OCT_OK);
            assert_int_equal(oct_world_add(world, &block), OCT_OK);
            from[i] = block.cell;
            to[i] = (oct_vec){block.cell.x + type.size.x, block.cell.y + type.size.y,
                              block.cell.z + type.size.z};
            bool meets = false;
            for (uint32_t k = 0; k < i; k++) {
                meets =
                    meets || (from[i].x < to[k].x && from[k].x < to[i].x && from[i].y < to[k].y &&
                              from[k].y < to[i].y && from[i].z < to[k].z && from[k].z < to[i].z);
            }
            expected += meets;
        }
        problem_list list = {.used = 0};
        assert_int_equal(oct_world_check(world, NULL, list_problem, &list), OCT_OK);
        assert_int_equal(list.count, expected + 1); // there is no start
        oct_world_destroy(world);
    }
}

static void cells_at_the_ends_are_compared(void **state)
{
    (void)state;
    oct_world *const world = typed_world();
    const int32_t end = OCT_WORLD_CELL_MAX;
    add(world, 1, LONG, "", (oct_vec){end - 3, -end, end - 1});
    add(world, 2, WALL, "", (oct_vec){end - 1, -end, end - 1});
    problem_list list = {.used = 0};
    assert_int_equal(oct_world_check(world, NULL, list_problem, &list), OCT_OK);
    assert_non_null(strstr(list.text, "both cover cell 1048575 -1048576 1048575"));
    oct_world_destroy(world);
}

// ---- names ----

static void names_that_are_shared_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, TARGET, "Door", (oct_vec){4, 0, 0});
    add(world, 4, WALL, "Lamp", (oct_vec){5, 0, 0});
    add(world, 5, WALL, "Lamp", (oct_vec){6, 0, 0});
    add(world, 6, WALL, "Panel", (oct_vec){7, 0, 0});
    expect(world, "0 warning same-name: 2 blocks are called 'Door': a script that names it means "
                  "the nearest\n");
}

static void texts_are_one_line_of_utf8(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    add(world, 3, PANEL, "a\nb\x1b[1m", (oct_vec){4, 0, 0});
    expect(world, "0 warning unused: panel 'a b\xef\xbf\xbd[1m' has no wires: its "
                  "buttons do nothing\n");
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    oct_world *const world = typed_world();
    add(world, 1, DOOR, "Button10", (oct_vec){0, 0, 0});
    add(world, 2, DOOR, "Button1", (oct_vec){1, 0, 0});
    add(world, 3, DOOR, "BUTON1", (oct_vec){2, 0, 0});
    add(world, 4, DOOR, "A", (oct_vec){3, 0, 0});
    add(world, 5, WALL, "", (oct_vec){4, 0, 0});
    assert_true(oct_world_has_name(world, "Button1"));
    assert_false(oct_world_has_name(world, "button1"));
    assert_string_equal(oct_world_nearest_name(world, "button1"), "Button1");
    assert_string_equal(oct_world_nearest_name(world, "Buton1"), "BUTON1");
    assert_string_equal(oct_world_nearest_name(world, "Buttno1"), "Button1");
    assert_string_equal(oct_world_nearest_name(world, "Button100"), "Button10");
    assert_null(oct_world_nearest_name(world, "Hatch"));
    assert_null(oct_world_nearest_name(world, "B"));
    assert_null(oct_world_nearest_name(world, ""));
    oct_world_destroy(world);
}

static void types_are_those_of_blocks(void **state)
{
    (void)state;
    oct_world *const world = typed_world();
    uint32_t lamp, dummy;
    assert_int_equal(oct_world_add_type(world, "lamp", true, &lamp), OCT_OK);
    assert_int_equal(oct_world_add_type(world, "TargetDummyBlock/TargetDummy", true, &dummy),
                     OCT_OK);
    add(world, 1, dummy, "", (oct_vec){0, 0, 0});
    assert_int_equal(oct_world_set_item(world, 0, 3, (oct_item){OCT_ITEM_BLOCK, lamp}), OCT_OK);
    assert_true(oct_world_has_type(world, "lamp"));
    assert_true(oct_world_has_type(world, "TargetDummy"));
    assert_true(oct_world_has_type(world, "TargetDummyBlock"));
    assert_false(oct_world_has_type(world, "door"));
    assert_false(oct_world_has_type(world, "targetdummy"));
    assert_string_equal(oct_world_nearest_type(world, "targetdummy"), "TargetDummy");
    assert_string_equal(oct_world_nearest_type(world, "lmap"), "lamp");
    assert_null(oct_world_nearest_type(world, "door"));
    oct_world_destroy(world);
}

// ---- the start ----

static void a_start_that_is_missing_is_told(void **state)
{
    (void)state;
    oct_world *const world = new_world();
    expect(world, "0 warning start: there is no start: every test has to say one\n");
}

static void a_start_outside_is_told(void **state)
{
    (void)state;
    oct_world *const far = sound_world();
    oct_pose start = {{0, 40, 0}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_world_set_start(far, &start), OCT_OK);
    expect(far, "0 warning start: from the start, 0, 40, 0, no block can be seen\n");
    oct_world *const beyond = sound_world();
    const oct_bounds bounds = {{-50, -5, -50}, {50, 5, 50}};
    assert_int_equal(oct_world_set_bounds(beyond, bounds), OCT_OK);
    expect(beyond, "0 warning start: the start, 0, 10, 0, lies outside of the bounds\n");
    oct_world *const within = sound_world();
    start.position = (oct_point){0, 5, 0};
    assert_int_equal(oct_world_set_start(within, &start), OCT_OK);
    assert_int_equal(oct_world_set_bounds(within, bounds), OCT_OK);
    expect(within, "");
}

// A body is 1 m wide and 1.8 m high. It fits into a cell of 2.5 m, not between two blocks.
static void a_start_without_room_is_told(void **state)
{
    (void)state;
    oct_world *const inside = sound_world();
    oct_pose start = {{0, -1, 0}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_world_set_start(inside, &start), OCT_OK);
    expect(inside, "0 error room: there is no room for a body at the start, 0, -1, 0\n");
    oct_world *const between = sound_world();
    add(between, 3, WALL, "", (oct_vec){0, 2, 0});
    start.position = (oct_point){0, 1.26, 0};
    assert_int_equal(oct_world_set_start(between, &start), OCT_OK);
    expect(between, "");
}

static void other_starts_are_tried(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    problem_list list = {.used = 0};
    oct_pose pose = {{0, -1, 0}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_block_world_check_room(world, &pose, NULL, list_problem, &list), OCT_OK);
    assert_string_equal(list.text,
                        "0 error room: there is no room for a body at the start, 0, -1, 0\n");
    pose.position.y = 5.0;
    list = (problem_list){.used = 0};
    assert_int_equal(oct_block_world_check_room(world, &pose, NULL, list_problem, &list), OCT_OK);
    assert_string_equal(list.text, "");
    oct_world_destroy(world);
}

static void worlds_that_cannot_be_played_are_told(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    oct_world_rules rules = oct_world_rules_default();
    rules.speed = 1e9;
    assert_int_equal(oct_world_set_rules(world, &rules), OCT_OK);
    expect(world, "0 error room: it cannot be played: a place, a speed or the number of effects is "
                  "out of range\n");
}

// ---- much ----

static void many_problems_are_counted(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    for (uint64_t i = 0; i < OCT_PROBLEMS_MAX + 5; i++) {
        wire(world, 2, 0, OCT_WIRE_OPEN, 1000 + i);
        add(world, 10000 + i, WALL, "", (oct_vec){-4, 0, 0});
    }
    problem_list list = {.used = 0};
    assert_int_equal(oct_world_check(world, NULL, list_problem, &list), OCT_OK);
    assert_int_equal(list.count, 2 * (OCT_PROBLEMS_MAX + 1));
    oct_world_destroy(world);
}

static void keep_last(void *ctx, const oct_problem *problem)
{
    (void)snprintf(ctx, OCT_PROBLEM_TEXT, "%s", problem->text);
}

static void the_count_comes_last(void **state)
{
    (void)state;
    oct_world *const world = sound_world();
    char last[OCT_PROBLEM_TEXT] = "";
    for (uint64_t i = 0; i < OCT_PROBLEMS_MAX + 5; i++) {
        wire(world, 2, 0, OCT_WIRE_OPEN, 1000 + i);
    }
    assert_int_equal(oct_world_check(world, NULL, keep_last, last), OCT_OK);
    assert_string_equal(last, "and 5 more problems of the kind 'wire-to'");
    oct_world_destroy(world);
}

// Whatever allocation fails, the check says so and gives all memory back.
static oct_result check_within(const oct_allocator *allocator, void *ctx)
{
    problem_list list = {.used = 0};
    return oct_block_world_check(ctx, allocator, list_problem, &list);
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    oct_world *const world = timed_world(3);
    member(world, "Group", 0, 12);
    wire_group(world, 10, OCT_WIRE_START, "Group");
    wire(world, 12, 1, OCT_WIRE_START, 10);
    assert_true(test_each_failure(check_within, world) > 5);
    oct_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_world_has_no_problem),
        cmocka_unit_test(wires_from_nothing_are_told),
        cmocka_unit_test(wires_to_nothing_are_told),
        cmocka_unit_test(groups_are_those_of_their_grid),
        cmocka_unit_test(buttons_that_a_panel_lacks_are_told),
        cmocka_unit_test(actions_that_do_nothing_are_told),
        cmocka_unit_test(what_nothing_uses_is_told),
        cmocka_unit_test(doors_that_only_shut_are_told),
        cmocka_unit_test(groups_use_their_members),
        cmocka_unit_test(timers_in_a_row_are_no_circle),
        cmocka_unit_test(timers_in_a_circle_are_told),
        cmocka_unit_test(every_circle_is_told),
        cmocka_unit_test(blocks_in_one_cell_are_told),
        cmocka_unit_test(turned_blocks_cover_their_cells),
        cmocka_unit_test(overlaps_match_all_pairs),
        cmocka_unit_test(cells_at_the_ends_are_compared),
        cmocka_unit_test(names_that_are_shared_are_told),
        cmocka_unit_test(texts_are_one_line_of_utf8),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(types_are_those_of_blocks),
        cmocka_unit_test(a_start_that_is_missing_is_told),
        cmocka_unit_test(a_start_outside_is_told),
        cmocka_unit_test(a_start_without_room_is_told),
        cmocka_unit_test(other_starts_are_tried),
        cmocka_unit_test(worlds_that_cannot_be_played_are_told),
        cmocka_unit_test(many_problems_are_counted),
        cmocka_unit_test(the_count_comes_last),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
