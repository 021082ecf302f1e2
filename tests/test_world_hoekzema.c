// SPDX-License-Identifier: MIT
// The worlds of Hoekzema 2024: what the data folder's README and the files themselves say of them
// is what is read. Skipped where there is no data folder.
#include "world_support.h"

#include <jansson.h>
#include <math.h>

enum { WORLDS = 5 };

static const char *const files[WORLDS] = {"test1_myworld-3_Indoors",
                                          "test1b_myworld-3_Indoors_open-door", "test2_CR3_3_3_M",
                                          "test3a_Glass_box", "test4a_Glass_box_maze"};

// Read once: NULL where they are not there.
static oct_world *loaded[WORLDS];

static bool find_file(size_t index, char *path, size_t size)
{
    char relative[128];
    snprintf(relative, sizeof relative, "space_engineers/worlds/%s.json", files[index]);
    return test_data_path(relative, path, size);
}

static int load_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORLDS; i++) {
        char path[1024];
        const char *kind;
        oct_error error;
        if (!find_file(i, path, sizeof path)) {
            return 0;
        }
        if (oct_world_load(path, NULL, NULL, &loaded[i], &kind, &error) != OCT_OK) {
            fail_msg("%s:%u:%u: %s", path, error.line, error.column, error.message);
        }
        assert_string_equal(kind, "space-engineers");
    }
    return 0;
}

static int destroy_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORLDS; i++) {
        oct_world_destroy(loaded[i]);
    }
    return 0;
}

static oct_bounds extent_where(const oct_world *world, double x_min, size_t *count)
{
    oct_bounds all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    *count = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_bounds b = oct_world_get(world, i).box;
        if (b.min.x > x_min) {
            all = (oct_bounds){
                {fmin(all.min.x, b.min.x), fmin(all.min.y, b.min.y), fmin(all.min.z, b.min.z)},
                {fmax(all.max.x, b.max.x), fmax(all.max.y, b.max.y), fmax(all.max.z, b.max.z)}};
            ++*count;
        }
    }
    return all;
}

static void assert_near(oct_point got, oct_point expected, double slack)
{
    if (!(fabs(got.x - expected.x) <= slack && fabs(got.y - expected.y) <= slack &&
          fabs(got.z - expected.z) <= slack)) {
        fail_msg("(%g, %g, %g) should be (%g, %g, %g)", got.x, got.y, got.z, expected.x, expected.y,
                 expected.z);
    }
}

static size_t count_label(const oct_world *world, oct_label label)
{
    size_t count = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        count += oct_world_get(world, i).label == label;
    }
    return count;
}

// Counts and extents are those that the data folder states; of test 2 it states the level's, from
// which a ship is 9 km away.
static void the_worlds_of_hoekzema_are_read(void **state)
{
    (void)state;
    static const struct {
        size_t blocks, level, open;
        oct_bounds extent;
        oct_point feet;
    } worlds[] = {
        {740, 740, 1, {{-12.5, -12.5, -8.75}, {55, 22.5, 78.75}}, {9.795, -5.0025, 54.48}},
        {740, 740, 2, {{-12.5, -12.5, -8.75}, {55, 22.5, 78.75}}, {9.365, -5.0025, 55.161}},
        {966, 317, 2, {{2.1, -2.93, 0.53}, {34.6, 12.07, 20.53}}, {8.243, 4.566, 16.968}},
        {12476,
         12476,
         0,
         {{-16.44, -52.63, -27.17}, {101.06, 79.87, 67.83}},
         {1.0652, -14.2337, 0.2181}},
        {15545,
         15545,
         0,
         {{-16.48, -52.75, -27.17}, {101.02, 79.77, 67.84}},
         {1.0652, -14.2337, 0.2181}},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        const oct_world *const world = loaded[i];
        oct_world *back;
        oct_error error;
        if (!world) {
            skip();
        }
        assert_int_equal(oct_world_blocks(world), worlds[i].blocks);
        size_t level;
        const oct_bounds extent = extent_where(world, -100.0, &level);
        assert_int_equal(level, worlds[i].level);
        assert_near(extent.min, worlds[i].extent.min, 0.006);
        assert_near(extent.max, worlds[i].extent.max, 0.006);
        oct_pose start;
        assert_true(oct_world_start(world, &start));
        assert_near(start.position, worlds[i].feet, 0.001);
        assert_int_equal(count_label(world, OCT_OPEN), worlds[i].open);
        assert_int_equal(count_label(world, OCT_UNKNOWN), 0);

        oct_array bytes = encoded(world);
        assert_int_equal(decode(bytes.items, bytes.count, &back, &error), OCT_OK);
        assert_same_world(world, back);
        drop(&bytes);
        oct_world_destroy(back);
    }
}

// ---- what the data folder says of them ----

// The one block of a kind whose centre is there, within 2 cm: test 4 is a little off test 3.
static oct_world_block block_at(const oct_world *world, oct_kind kind, oct_point centre)
{
    oct_world_block found = {.id = 0};
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_bounds b = block.box;
        if (oct_world_get_type(world, block.type).kind == kind &&
            fabs((b.min.x + b.max.x) / 2 - centre.x) <= 0.02 &&
            fabs((b.min.y + b.max.y) / 2 - centre.y) <= 0.02 &&
            fabs((b.min.z + b.max.z) / 2 - centre.z) <= 0.02) {
            assert_int_equal(found.id, 0);
            found = block;
        }
    }
    assert_true(found.id != 0 && found.placed);
    return found;
}

// All that a block's wires do, in order.
static size_t wires_of(const oct_world *world, uint64_t from, oct_world_wire out[8])
{
    size_t count = 0;
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        if (wire.from == from) {
            assert_true(count < 8);
            out[count++] = wire;
        }
    }
    return count;
}

// The button and nothing else of a panel does something to a block.
static void assert_button(const oct_world *world, const oct_world_block *panel, uint32_t button,
                          oct_wire_action action, uint64_t to)
{
    oct_world_wire wires[8];
    assert_int_equal(wires_of(world, panel->id, wires), 1);
    assert_int_equal(wires[0].slot, button);
    assert_int_equal(wires[0].action, action);
    assert_int_equal(wires[0].to, to);
    assert_string_equal(wires[0].group, "");
    assert_true(button < oct_world_get_type(world, panel->type).buttons);
}

static void test_1_is_as_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const oct_world *const world = loaded[i];
        if (!world) {
            skip();
        }
        const oct_world_block door =
            block_at(world, OCT_KIND_DOOR, (oct_point){18.75, -3.75, 62.5});
        const oct_world_block panel = block_at(world, OCT_KIND_PANEL, (oct_point){8.75, -3.75, 70});
        const oct_world_block goal = block_at(world, OCT_KIND_SOLID, (oct_point){26.25, -3.75, 65});
        assert_string_equal(door.name, "Door1");
        assert_int_equal(door.label, i == 0 ? OCT_BLOCKED : OCT_OPEN);
        assert_button(world, &panel, 0, OCT_WIRE_TOGGLE, door.id);
        assert_string_equal(oct_world_get_type(world, goal.type).name,
                            "BatteryBlock/LargeBlockBatteryBlock");
        assert_int_equal(oct_world_wires(world), 1);
        assert_int_equal(oct_world_get_type(world, panel.type).buttons, 4);
    }
}

static void test_2_is_as_described(void **state)
{
    (void)state;
    const oct_world *const world = loaded[2];
    if (!world) {
        skip();
    }
    static const oct_point doors_at[] = {
        {8.349, 5.819, 9.278}, {10.849, 5.819, 4.278}, {28.349, 5.819, 9.278}};
    static const char *const names[] = {"Door1", "Door2", "Door3"};
    oct_world_block doors[3];
    for (size_t i = 0; i < 3; i++) {
        doors[i] = block_at(world, OCT_KIND_DOOR, doors_at[i]);
        assert_string_equal(doors[i].name, names[i]);
        assert_int_equal(doors[i].label, OCT_BLOCKED);
        assert_int_equal(doors[i].grid, 1);
    }
    const oct_world_block first =
        block_at(world, OCT_KIND_PANEL, (oct_point){25.849, 5.819, 16.778});
    const oct_world_block fourth =
        block_at(world, OCT_KIND_PANEL, (oct_point){13.349, 5.819, 6.778});
    const oct_world_block third = block_at(world, OCT_KIND_PANEL, (oct_point){5.849, 5.819, 4.278});
    const oct_world_block second =
        block_at(world, OCT_KIND_PANEL, (oct_point){13.349, 5.819, 14.278});
    assert_string_equal(first.name, "Button1");
    assert_string_equal(second.name, "Button2");
    assert_string_equal(third.name, "Button3");
    assert_string_equal(fourth.name, "Button4");
    assert_button(world, &first, 0, OCT_WIRE_TOGGLE, doors[0].id);
    assert_button(world, &fourth, 3, OCT_WIRE_TOGGLE, doors[0].id);
    oct_world_wire wires[8];
    assert_int_equal(wires_of(world, second.id, wires), 0);
    size_t timer;
    assert_int_equal(wires_of(world, third.id, wires), 1);
    assert_true(oct_world_find(world, wires[0].to, &timer));
    assert_button(world, &third, 2, OCT_WIRE_START, wires[0].to);
    const oct_world_block waits = oct_world_get(world, timer);
    assert_int_equal(oct_world_get_type(world, waits.type).kind, OCT_KIND_TIMER);
    assert_true(waits.delay == 1.0);
    assert_int_equal(wires_of(world, waits.id, wires), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(wires[i].slot, i);
        assert_int_equal(wires[i].action, OCT_WIRE_TOGGLE);
        assert_int_equal(wires[i].to, doors[i].id);
    }
    const oct_world_block goal =
        block_at(world, OCT_KIND_TARGET, (oct_point){30.849, 5.819, 9.278});
    assert_int_equal(goal.forward, OCT_SIDE_RIGHT); // its back is towards Door3
    assert_int_equal(oct_world_wires(world), 15);   // and those of the ship
    size_t level = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        level += oct_world_get(world, i).grid == 1;
    }
    assert_int_equal(level, 317);
    assert_int_equal(oct_world_blocks(world) - level, 649);
}

static void tests_3_and_4_are_as_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const oct_world *const world = loaded[3 + i];
        if (!world) {
            skip();
        }
        const oct_world_block door =
            block_at(world, OCT_KIND_DOOR, (oct_point){59.807, 5.468, 4.672});
        const oct_world_block panel =
            block_at(world, OCT_KIND_PANEL, (oct_point){47.308, 62.968, 52.172});
        block_at(world, OCT_KIND_TARGET, (oct_point){72.307, 5.468, -2.828});
        assert_int_equal(door.label, OCT_BLOCKED);
        assert_button(world, &panel, 0, OCT_WIRE_TOGGLE, door.id);
        assert_int_equal(oct_world_wires(world), 1);
        oct_pose start;
        assert_true(oct_world_start(world, &start));
        assert_near(start.position, (oct_point){1.0652, -14.2337, 0.2181}, 1e-4);
        assert_near(start.forward, (oct_point){0.786, 0.618, 0}, 1e-3);
        assert_near(start.up, (oct_point){0, 0, 1}, 1e-3);
    }
}

static oct_point point_in(const json_t *list)
{
    return (oct_point){json_number_value(json_array_get(list, 0)),
                       json_number_value(json_array_get(list, 1)),
                       json_number_value(json_array_get(list, 2))};
}

// A side of a block in the world, by the axes of its grid.
static oct_point side_in_world(const oct_pose *pose, uint8_t side)
{
    const oct_point f = pose->forward, u = pose->up;
    const oct_point right = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    const oct_point axis = side <= OCT_SIDE_BACKWARD ? f : side <= OCT_SIDE_RIGHT ? right : u;
    const double sign =
        side == OCT_SIDE_BACKWARD || side == OCT_SIDE_LEFT || side == OCT_SIDE_DOWN ? -1 : 1;
    return (oct_point){sign * axis.x, sign * axis.y, sign * axis.z};
}

// The file has boxes, centres and directions of its own, rounded to four and five digits.
static void places_are_where_the_file_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORLDS; i++) {
        char path[1024];
        const oct_world *const world = loaded[i];
        if (!world) {
            skip();
        }
        assert_true(find_file(i, path, sizeof path));
        json_t *const file = json_load_file(path, 0, NULL);
        const json_t *const blocks = json_object_get(file, "blocks");
        assert_int_equal(json_array_size(json_object_get(file, "grids")), oct_world_grids(world));
        assert_int_equal(json_array_size(blocks), oct_world_blocks(world));
        for (size_t j = 0; j < oct_world_blocks(world); j++) {
            const json_t *const said = json_array_get(blocks, j);
            const oct_world_block block = oct_world_get(world, j);
            const oct_world_grid grid = oct_world_get_grid(world, block.grid);
            const oct_bounds b = block.box;
            assert_true(block.placed && grid.cell == 2.5);
            assert_near(b.min, point_in(json_object_get(said, "aabbMin")), 5.01e-5);
            assert_near(b.max, point_in(json_object_get(said, "aabbMax")), 5.01e-5);
            assert_near((oct_point){(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2,
                                    (b.min.z + b.max.z) / 2},
                        point_in(json_object_get(said, "position")), 5.01e-5);
            assert_near(side_in_world(&grid.pose, block.forward),
                        point_in(json_object_get(said, "worldForward")), 5.01e-6);
            assert_near(side_in_world(&grid.pose, block.up),
                        point_in(json_object_get(said, "worldUp")), 5.01e-6);
            const oct_point span = point_in(json_object_get(said, "size"));
            const oct_vec got = oct_world_span(world, &block);
            assert_true(got.x == span.x && got.y == span.y && got.z == span.z);
        }
        json_decref(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worlds_of_hoekzema_are_read),
        cmocka_unit_test(test_1_is_as_described),
        cmocka_unit_test(test_2_is_as_described),
        cmocka_unit_test(tests_3_and_4_are_as_described),
        cmocka_unit_test(places_are_where_the_file_says),
    };
    return cmocka_run_group_tests(tests, load_all, destroy_all);
}
