// SPDX-License-Identifier: MIT
// What makes a world a game: what types do, wires, groups, rules, the toolbar. Grids are in
// test_world_grids.c.
#include "world_build.h"

#include <math.h>
#include <stdio.h>

static void names_are_those_of_the_file(void **state)
{
    (void)state;
    static const char *const kinds[] = {"solid", "door", "panel", "timer", "target"};
    static const char *const sides[] = {"forward", "backward", "left", "right", "up", "down"};
    static const char *const actions[] = {"toggle", "open", "shut", "start", "stop", "other"};
    assert_int_equal(COUNT(kinds), OCT_KIND_COUNT);
    assert_int_equal(COUNT(sides), OCT_SIDE_COUNT);
    assert_int_equal(COUNT(actions), OCT_WIRE_COUNT);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_string_equal(oct_kind_name((oct_kind)i), kinds[i]);
    }
    for (size_t i = 0; i < COUNT(sides); i++) {
        assert_string_equal(oct_side_name((oct_side)i), sides[i]);
        assert_string_equal(oct_wire_action_name((oct_wire_action)i), actions[i]);
    }
    assert_null(oct_kind_name(OCT_KIND_COUNT));
    assert_null(oct_side_name(OCT_SIDE_COUNT));
    assert_null(oct_wire_action_name(OCT_WIRE_COUNT));
}

// ---- rules and toolbar ----

static void rules_are_kept_and_must_be_sound(void **state)
{
    (void)state;
    oct_world *world = new_world();
    const oct_world_rules usual = oct_world_rules_default();
    oct_world_rules rules = oct_world_rules_of(world);
    assert_memory_equal(&rules, &usual, sizeof rules);
    assert_true(usual.acceleration == 10 && usual.speed == 20 && usual.walk == 4 &&
                usual.jump == 4 && usual.door == 1 && usual.reach == 3 && usual.grind == 100 &&
                usual.view == 20 && usual.turn == 2 * 3.141592653589793);
    assert_int_equal(usual.sight, OCT_SIGHT_LINE);
    assert_true(usual.gravity.x == 0 && usual.gravity.y == 0 && usual.gravity.z == 0);

    double *const positive[] = {&rules.acceleration, &rules.speed, &rules.turn, &rules.door,
                                &rules.view};
    double *const others[] = {&rules.walk, &rules.jump, &rules.reach, &rules.grind};
    static const double bad[] = {-1, -1e-300, (double)NAN, HUGE_VAL};
    for (size_t i = 0; i < COUNT(positive) + COUNT(others); i++) {
        const bool is_positive = i < COUNT(positive);
        double *const value = is_positive ? positive[i] : others[i - COUNT(positive)];
        for (size_t j = 0; j < COUNT(bad); j++) {
            rules = usual;
            *value = bad[j];
            assert_int_equal(oct_world_set_rules(world, &rules), OCT_ERROR_ARGUMENT);
        }
        rules = usual;
        *value = 0.0;
        assert_int_equal(oct_world_set_rules(world, &rules),
                         is_positive ? OCT_ERROR_ARGUMENT : OCT_OK);
        *value = 1e-300;
        assert_int_equal(oct_world_set_rules(world, &rules), OCT_OK);
        // Files have no -0 here.
        if (!is_positive) {
            *value = -0.0;
            assert_int_equal(oct_world_set_rules(world, &rules), OCT_OK);
            rules = oct_world_rules_of(world);
            assert_true(*value == 0.0 && !signbit(*value));
        }
    }
    double *const gravity[] = {&rules.gravity.x, &rules.gravity.y, &rules.gravity.z};
    for (size_t i = 0; i < 3; i++) {
        rules = usual;
        *gravity[i] = (double)NAN;
        assert_int_equal(oct_world_set_rules(world, &rules), OCT_ERROR_ARGUMENT);
    }
    rules = usual;
    rules.sight = (oct_sight)(OCT_SIGHT_THROUGH + 1);
    assert_int_equal(oct_world_set_rules(world, &rules), OCT_ERROR_ARGUMENT);
    rules = usual;
    rules.speed = 7;
    rules.sight = OCT_SIGHT_THROUGH;
    rules.gravity = (oct_point){0, -9.81, 1};
    assert_int_equal(oct_world_set_rules(world, &rules), OCT_OK);
    const oct_world_rules got = oct_world_rules_of(world);
    assert_memory_equal(&got, &rules, sizeof got);
    oct_world_destroy(world);
}

static void the_toolbar_has_its_slots_and_no_others(void **state)
{
    (void)state;
    oct_world *world = new_world();
    for (uint32_t page = 0; page < OCT_TOOLBAR_PAGES; page++) {
        for (uint32_t slot = 0; slot < OCT_TOOLBAR_SLOTS; slot++) {
            const oct_item item = oct_world_item(world, page, slot);
            assert_int_equal(item.kind, page == 0 && slot == 0   ? OCT_ITEM_GRINDER
                                        : page == 0 && slot == 1 ? OCT_ITEM_WELDER
                                                                 : OCT_ITEM_NONE);
            assert_int_equal(item.type, 0);
        }
    }
    const oct_item none = {.kind = OCT_ITEM_NONE}, block = {.kind = OCT_ITEM_BLOCK};
    assert_int_equal(oct_world_set_item(world, OCT_TOOLBAR_PAGES, 0, none), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_set_item(world, 0, OCT_TOOLBAR_SLOTS, none), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_set_item(world, 0, 2, (oct_item){.kind = OCT_ITEM_COUNT}),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_set_item(world, 0, 2, block), OCT_ERROR_ARGUMENT); // no such type
    assert_int_equal(oct_world_add_type(world, "a", true, NULL), OCT_OK);
    assert_int_equal(oct_world_add_type(world, "b", true, NULL), OCT_OK);
    assert_int_equal(oct_world_set_item(world, 0, 2, (oct_item){OCT_ITEM_WELDER, 1}),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_set_item(world, 0, 2, (oct_item){OCT_ITEM_BLOCK, 2}),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_item(world, 0, 2).kind, OCT_ITEM_NONE);
    assert_int_equal(oct_world_set_item(world, 8, 8, (oct_item){OCT_ITEM_BLOCK, 1}), OCT_OK);
    assert_int_equal(oct_world_set_item(world, 0, 0, none), OCT_OK);
    assert_int_equal(oct_world_item(world, 8, 8).kind, OCT_ITEM_BLOCK);
    assert_int_equal(oct_world_item(world, 8, 8).type, 1);
    assert_int_equal(oct_world_item(world, 0, 0).kind, OCT_ITEM_NONE);
    assert_int_equal(oct_world_item(world, OCT_TOOLBAR_PAGES, 8).kind, OCT_ITEM_NONE);
    assert_int_equal(oct_world_item(world, 7, OCT_TOOLBAR_SLOTS).kind, OCT_ITEM_NONE);
    oct_world_destroy(world);
}

// ---- types ----

static oct_world_type type_of(const char *name)
{
    oct_world_type type = oct_world_type_default();
    type.name = name;
    return type;
}

static void types_must_be_sound(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_type bad[16];
    for (size_t i = 0; i < COUNT(bad); i++) {
        bad[i] = type_of("a");
    }
    bad[0].kind = OCT_KIND_COUNT;
    bad[1].buttons = 1; // not a panel
    bad[2].kind = OCT_KIND_PANEL;
    bad[3].kind = OCT_KIND_PANEL;
    bad[3].buttons = OCT_WORLD_BUTTONS_MAX + 1;
    bad[4].size.x = 0;
    bad[5].size.y = 0;
    bad[6].size.z = 0;
    bad[7].size.x = OCT_WORLD_SIZE_MAX + 1;
    bad[8].size.y = OCT_WORLD_SIZE_MAX + 1;
    bad[9].size.z = OCT_WORLD_SIZE_MAX + 1;
    bad[10].integrity = 0;
    bad[11].integrity = -1;
    bad[12].integrity = (double)NAN;
    bad[13].integrity = HUGE_VAL;
    bad[14].name = "";
    bad[15].kind = OCT_KIND_TIMER;
    bad[15].buttons = 2;
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint32_t index = 77;
        assert_int_equal(oct_world_define(world, &bad[i], &index), OCT_ERROR_ARGUMENT);
        assert_int_equal(index, 77);
    }
    assert_int_equal(oct_world_types(world), 0);
    oct_world_type good = type_of("a");
    good.kind = OCT_KIND_PANEL;
    good.buttons = OCT_WORLD_BUTTONS_MAX;
    good.size = (oct_vec){OCT_WORLD_SIZE_MAX, 1, 2};
    good.integrity = 1e-300;
    good.opaque = false;
    assert_int_equal(oct_world_define(world, &good, NULL), OCT_OK);
    const oct_world_type got = oct_world_get_type(world, 0);
    assert_int_equal(got.kind, OCT_KIND_PANEL);
    assert_int_equal(got.buttons, OCT_WORLD_BUTTONS_MAX);
    assert_memory_equal(&got.size, &good.size, sizeof got.size);
    assert_true(got.integrity == 1e-300 && !got.opaque);
    oct_world_destroy(world);
}

static void a_name_has_one_type(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_type panel = type_of("panel");
    panel.kind = OCT_KIND_PANEL;
    panel.buttons = 4;
    uint32_t index = 9;
    assert_int_equal(oct_world_add_type(world, "a", true, NULL), OCT_OK);
    assert_int_equal(oct_world_define(world, &panel, &index), OCT_OK);
    assert_int_equal(index, 1);
    index = 9;
    assert_int_equal(oct_world_define(world, &panel, &index), OCT_OK);
    assert_int_equal(index, 1);
    assert_int_equal(oct_world_define(world, &panel, NULL), OCT_OK);
    oct_world_type others[7];
    for (size_t i = 0; i < COUNT(others); i++) {
        others[i] = panel;
    }
    others[0].opaque = false;
    others[1].kind = OCT_KIND_DOOR;
    others[2].buttons = 3;
    others[3].size.x = 2;
    others[4].size.y = 2;
    others[5].size.z = 2;
    others[6].integrity = 99;
    for (size_t i = 0; i < COUNT(others); i++) {
        index = 9;
        assert_int_equal(oct_world_define(world, &others[i], &index), OCT_ERROR_ARGUMENT);
        assert_int_equal(index, 9);
    }
    assert_int_equal(oct_world_types(world), 2);
    // While it is read a panel may turn out to have more buttons.
    oct_world_widen_panel(world, 1, 3);
    assert_int_equal(oct_world_get_type(world, 1).buttons, 4);
    oct_world_widen_panel(world, 1, 6);
    assert_int_equal(oct_world_get_type(world, 1).buttons, 6);
    oct_world_destroy(world);
}

// ---- wires and groups ----

static void wires_are_kept_in_order(void **state)
{
    (void)state;
    oct_world *world = new_world();
    char group[] = "Doors";
    oct_world_wire wire = {.from = 1, .slot = 2, .action = OCT_WIRE_OPEN, .to = UINT64_MAX};
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_OK);
    wire = (oct_world_wire){
        .from = 3, .slot = UINT32_MAX, .action = OCT_WIRE_OTHER, .to = 5, .group = group};
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_OK);
    group[0] = 'x';
    wire.action = OCT_WIRE_COUNT;
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_ERROR_ARGUMENT);
    wire.action = OCT_WIRE_STOP;
    wire.group = "\xc3";
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_ERROR_ARGUMENT);
    char name[OCT_WORLD_NAME_MAX + 2];
    memset(name, 'a', sizeof name - 1);
    name[OCT_WORLD_NAME_MAX + 1] = '\0';
    wire.group = name;
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_wires(world), 2);
    const oct_world_wire first = oct_world_get_wire(world, 0),
                         second = oct_world_get_wire(world, 1);
    assert_true(first.from == 1 && first.slot == 2 && first.to == UINT64_MAX);
    assert_int_equal(first.action, OCT_WIRE_OPEN);
    assert_string_equal(first.group, "");
    assert_true(second.from == 3 && second.slot == UINT32_MAX);
    assert_int_equal(second.to, 0); // it leads to a group
    assert_int_equal(second.action, OCT_WIRE_OTHER);
    assert_string_equal(second.group, "Doors");
    oct_world_destroy(world);
}

static void groups_are_kept_in_order(void **state)
{
    (void)state;
    oct_world *world = new_world();
    char group[] = "Doors";
    oct_world_member member = {.group = group, .grid = UINT32_MAX, .block = UINT64_MAX};
    assert_int_equal(oct_world_add_member(world, &member), OCT_OK);
    group[0] = 'x';
    member.group = "";
    assert_int_equal(oct_world_add_member(world, &member), OCT_ERROR_ARGUMENT);
    member.group = "\x80";
    assert_int_equal(oct_world_add_member(world, &member), OCT_ERROR_ARGUMENT);
    char name[OCT_WORLD_NAME_MAX + 2];
    memset(name, 'a', sizeof name - 1);
    name[OCT_WORLD_NAME_MAX + 1] = '\0';
    member.group = name;
    assert_int_equal(oct_world_add_member(world, &member), OCT_ERROR_RANGE);
    name[1] = '\0';
    member.grid = 0;
    member.block = 7;
    assert_int_equal(oct_world_add_member(world, &member), OCT_OK);
    assert_int_equal(oct_world_members(world), 2);
    const oct_world_member first = oct_world_get_member(world, 0),
                           second = oct_world_get_member(world, 1);
    assert_string_equal(first.group, "Doors");
    assert_true(first.grid == UINT32_MAX && first.block == UINT64_MAX);
    assert_string_equal(second.group, "a");
    assert_true(second.grid == 0 && second.block == 7);
    oct_world_destroy(world);
}

static void wires_and_groups_have_limits(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_wire wire = {.from = 1};
    oct_world_member member = {.group = "a"};
    for (uint32_t i = 0; i < OCT_WORLD_WIRES_MAX; i++) {
        wire.to = i;
        assert_true(oct_world_add_wire(world, &wire) == OCT_OK);
    }
    for (uint32_t i = 0; i < OCT_WORLD_MEMBERS_MAX; i++) {
        member.block = i;
        assert_true(oct_world_add_member(world, &member) == OCT_OK);
    }
    assert_int_equal(oct_world_add_wire(world, &wire), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_add_member(world, &member), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_wires(world), OCT_WORLD_WIRES_MAX);
    assert_int_equal(oct_world_get_wire(world, 77777).to, 77777);
    assert_int_equal(oct_world_get_member(world, 77777).block, 77777);
    oct_world_destroy(world);
}

// ---- failures ----

static oct_result add_some(oct_world *world, uint32_t i, const char *name)
{
    oct_world_type type = type_of(name);
    oct_world_grid grid = grid_of(i);
    oct_world_block block = placed_at(i, (oct_vec){(int32_t)i, 0, 0});
    const oct_world_wire wire = {.from = i, .group = name};
    const oct_world_member member = {.group = name, .block = i};
    uint32_t found = 0;
    grid.name = name;
    block.grid = i;
    const oct_result defined = oct_world_define(world, &type, &block.type);
    assert_int_equal(oct_world_types(world), i + (defined == OCT_OK));
    OCT_TRY(defined);
    const oct_result gridded = oct_world_add_grid(world, &grid, NULL);
    assert_int_equal(oct_world_grids(world), i + (gridded == OCT_OK));
    assert_int_equal(oct_world_find_grid(world, i, &found), gridded == OCT_OK);
    OCT_TRY(gridded);
    const oct_result added = oct_world_add(world, &block);
    assert_int_equal(oct_world_blocks(world), i + (added == OCT_OK));
    OCT_TRY(added);
    const oct_result wired = oct_world_add_wire(world, &wire);
    assert_int_equal(oct_world_wires(world), i + (wired == OCT_OK));
    OCT_TRY(wired);
    const oct_result joined = oct_world_add_member(world, &member);
    assert_int_equal(oct_world_members(world), i + (joined == OCT_OK));
    return joined;
}

static oct_result build(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_world *world;
    OCT_TRY(oct_world_create(&(oct_world_def){allocator}, &world));
    oct_result result = OCT_OK;
    for (uint32_t i = 0; i < 60 && result == OCT_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "a name that takes some room, and the number %u", i);
        result = add_some(world, i, name);
        for (uint32_t j = 0; j < oct_world_grids(world); j++) {
            assert_int_equal(oct_world_get_grid(world, j).id, j);
        }
        for (size_t j = 0; j < oct_world_members(world); j++) {
            assert_int_equal(oct_world_get_wire(world, j).from, j);
            assert_int_equal(oct_world_get_member(world, j).block, j);
        }
    }
    oct_world_destroy(world);
    return result;
}

static void every_failing_allocation_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    assert_in_range(test_each_failure(build, NULL), 25, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_file),
        cmocka_unit_test(rules_are_kept_and_must_be_sound),
        cmocka_unit_test(the_toolbar_has_its_slots_and_no_others),
        cmocka_unit_test(types_must_be_sound),
        cmocka_unit_test(a_name_has_one_type),
        cmocka_unit_test(wires_are_kept_in_order),
        cmocka_unit_test(groups_are_kept_in_order),
        cmocka_unit_test(wires_and_groups_have_limits),
        cmocka_unit_test(every_failing_allocation_leaves_the_world_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
