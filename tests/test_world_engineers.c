// SPDX-License-Identifier: MIT
// Worlds of Space Engineers: what is read of them, what is refused, and the real ones.
#include "world_support.h"

#include <math.h>

#define POSE "\"pose\": {\"position\": [1, 2, 3], \"forward\": [0, 0, -1], \"up\": [0, 1, 0]}"
#define AABB "\"aabbMin\": [0, 0, 0], \"aabbMax\": [2.5, 2.5, 2.5]"
#define GRIDS "\"grids\": [{\"entityId\": \"77\"}, {\"entityId\": \"-5\"}]"
#define ENGINEERS(blocks) "{" GRIDS ", \"blocks\": [" blocks "]}"

static void worlds_of_the_game_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "{\"world\": \"Test\", \"units\": \"metres\", \"character\": {\"entityId\": \"1\", " POSE
        "}, " GRIDS ", \"otherEntities\": [{\"fields\": [1]}], \"blocks\": ["
        "{\"type\": \"CubeBlock\", \"subtype\": \"LargeBlockArmorBlock\", \"min\": [-1, 18, 20],"
        " \"entityId\": null, \"gridIndex\": 0, " AABB "},"
        "{\"type\": \"CubeBlock\", \"subtype\": \"LargeBlockArmorBlock\", \"min\": [0, 0, 0],"
        " \"gridIndex\": 1, \"aabbMin\": [-1, -2, -3], \"aabbMax\": [0.5, 2.5, 2.5]},"
        "{\"type\": \"CubeBlock\", \"subtype\": \"Window1x1Flat\", \"entityId\": "
        "\"138346288178653740\""
        ", \"gridIndex\": 0, " AABB "},"
        "{\"type\": \"AirtightSlideDoor\", \"subtype\": \"LargeBlockSlideDoor\", \"entityId\": "
        "\"12\", "
        "\"name\": \"Door1\", \"open\": true, \"currOpening\": 1.0, " AABB "},"
        "{\"type\": \"AirtightSlideDoor\", \"subtype\": \"LargeBlockSlideDoor\", \"entityId\": "
        "\"13\", "
        "\"name\": \"Door2\", \"open\": false, " AABB "},"
        "{\"type\": \"GravityGenerator\", \"subtype\": \"\", \"entityId\": \"-14\", " AABB "}]}";
    oct_world *world;
    const char *kind;
    oct_error error;
    if (oct_world_decode(text, strlen(text), NULL, &world, &kind, &error) != OCT_OK) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    assert_string_equal(kind, "space-engineers");
    assert_string_equal(oct_world_name(world), "Test");
    assert_int_equal(oct_world_up(world), OCT_UP_Y);
    assert_false(oct_world_left_handed(world));
    assert_true(oct_world_passage(world) == 2.5);
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    assert_true(start.position.y == 2 && start.forward.z == -1 && start.up.y == 1);

    // Ids by hash are in files: they must stay what they are.
    static const struct {
        const char *name, *type;
        uint64_t id;
        oct_label label;
        bool opaque;
        uint32_t grid;
    } expected[] = {
        {"77/-1,18,20", "CubeBlock/LargeBlockArmorBlock", UINT64_C(0xc61ac20aec85882b), OCT_BLOCKED,
         true, 0},
        {"-5/0,0,0", "CubeBlock/LargeBlockArmorBlock", UINT64_C(0xa0dfeb261b9cc668), OCT_BLOCKED,
         true, 1},
        {"", "CubeBlock/Window1x1Flat", UINT64_C(138346288178653740), OCT_BLOCKED, false, 0},
        {"Door1", "AirtightSlideDoor/LargeBlockSlideDoor", 12, OCT_OPEN, true, 0},
        {"Door2", "AirtightSlideDoor/LargeBlockSlideDoor", 13, OCT_BLOCKED, true, 0},
        {"", "GravityGenerator/", UINT64_MAX - 13, OCT_BLOCKED, true, 0},
    };
    assert_int_equal(oct_world_blocks(world), 6);
    assert_int_equal(oct_world_types(world), 4);
    for (size_t i = 0; i < 6; i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_world_type type = oct_world_get_type(world, block.type);
        assert_string_equal(block.name, expected[i].name);
        assert_string_equal(type.name, expected[i].type);
        assert_int_equal(block.id, expected[i].id);
        assert_int_equal(block.label, expected[i].label);
        assert_int_equal(type.opaque, expected[i].opaque);
        assert_int_equal(block.grid, expected[i].grid);
    }
    assert_true(oct_world_get(world, 1).box.min.z == -3 &&
                oct_world_get(world, 1).box.max.x == 0.5);
    oct_world_destroy(world);
}

static void what_is_wrong_with_a_world_of_the_game_is_named(void **state)
{
    (void)state;
#define ARMOUR(more) ENGINEERS("\n{\"type\": \"C\", \"subtype\": \"A\", " more ", " AABB "}")
    static const refusal cases[] = {
        {"{" GRIDS "}", "{", "blocks is missing"},
        {"{\"grids\": 7, \"blocks\": []}", "7", "grids must be a list"},
        {"{\"grids\": [{}], \"blocks\": []}", "{}", "grid 0: entityId is missing"},
        {"{\"grids\": [{\"entityId\": 7}], \"blocks\": []}", "{\"entityId",
         "grid 0: entityId must be a string"},
        {"{\"world\": true, " GRIDS "}", "true", "world must be a string"},
        {"{\"character\": [], " GRIDS "}", "[]", "character: it must be an object"},
        {"{\"character\": {}, " GRIDS "}", "{}", "character: pose is missing"},
        {"{\"character\": {\"pose\": {}}, " GRIDS "}", "{\"pose", "character: position is missing"},
        {"{\"otherEntities\": [nul], " GRIDS "}", "l]", "invalid token near 'nul'"},
        {ENGINEERS("true"), "true", "block 0: it must be an object"},
        {ARMOUR("\"min\": [0, 0, 0]"), NULL, "block 0: gridIndex must be that of one of the grids"},
        {ARMOUR("\"gridIndex\": 2"), NULL, "block 0: gridIndex must be that of one of the grids"},
        {ARMOUR("\"gridIndex\": -1"), NULL, "block 0: gridIndex must be that of one of the grids"},
        {ARMOUR("\"gridIndex\": 0"), NULL, "block 0: min is missing"},
        {ARMOUR("\"gridIndex\": 0, \"min\": [0, 0.5, 0]"), NULL,
         "block 0: min must be whole numbers below 2^31"},
        {ARMOUR("\"gridIndex\": 0, \"min\": [0, 0, -2147483648]"), NULL,
         "block 0: min must be whole numbers below 2^31"},
        {ARMOUR("\"entityId\": \"1x\""), NULL,
         "block 0: entityId is '1x', not a number below 2^64"},
        {ARMOUR("\"entityId\": 1"), NULL, "block 0: entityId must be a string"},
        {ARMOUR("\"entityId\": \"1\", \"open\": 1"), NULL,
         "block 0 (id 1): open must be true or false"},
        {ENGINEERS("\n{\"entityId\": \"1\", " AABB "}"), NULL, "block 0 (id 1): type is missing"},
        {ENGINEERS("\n{\"entityId\": \"1\", \"type\": \"A\", " AABB "}"), NULL,
         "block 0 (id 1): subtype is missing"},
        {ENGINEERS("\n{\"entityId\": \"1\"}"), NULL, "block 0 (id 1): aabbMin is missing"},
        {ENGINEERS("\n{\"gridIndex\": 0, \"min\": [1, 2, 3], \"type\": \"A\", \"subtype\": \"B\", "
                   "\"aabbMin\": [0, 0, 0], \"aabbMax\": [0, 0, -1]}"),
         NULL, "block 0 (77/1,2,3): box is inside out"},
        {ENGINEERS(
             "{\"gridIndex\": 0, \"min\": [1, 2, 3], \"type\": \"A\", \"subtype\": \"B\", " AABB
             "},\n{\"gridIndex\": 0, \"min\": [1, 2, 3], \"type\": \"A\", "
             "\"subtype\": \"B\", " AABB "}"),
         NULL, "block 1 (77/1,2,3): the id is that of block 0"},
        {ENGINEERS("{\"entityId\": \"4\", \"type\": \"\", \"subtype\": \"Window/W\", " AABB "},\n"
                   "{\"entityId\": \"5\", \"type\": \"/Window\", \"subtype\": \"W\", " AABB "}"),
         NULL, "block 1 (id 5): the type is both glass and not"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    char text[] = ENGINEERS("{\"gridIndex\": 0, \"min\": [1, 2, 3], \"type\": \"A\", "
                            "\"subtype\": \"B\", " AABB "}");
    assert_true(test_each_failure(decode_with, text) > 5);
}

// ---- real worlds ----

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
static void the_worlds_of_the_thesis_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t blocks, level, open;
        oct_bounds extent;
        oct_point feet;
    } worlds[] = {
        {"test1_myworld-3_Indoors",
         740,
         740,
         1,
         {{-12.5, -12.5, -8.75}, {55, 22.5, 78.75}},
         {9.795, -5.0025, 54.48}},
        {"test1b_myworld-3_Indoors_open-door",
         740,
         740,
         2,
         {{-12.5, -12.5, -8.75}, {55, 22.5, 78.75}},
         {9.365, -5.0025, 55.161}},
        {"test2_CR3_3_3_M",
         966,
         317,
         2,
         {{2.1, -2.93, 0.53}, {34.6, 12.07, 20.53}},
         {8.243, 4.566, 16.968}},
        {"test3a_Glass_box",
         12476,
         12476,
         0,
         {{-16.44, -52.63, -27.17}, {101.06, 79.87, 67.83}},
         {1.0652, -14.2337, 0.2181}},
        {"test4a_Glass_box_maze",
         15545,
         15545,
         0,
         {{-16.48, -52.75, -27.17}, {101.02, 79.77, 67.84}},
         {1.0652, -14.2337, 0.2181}},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        char relative[128], path[1024];
        snprintf(relative, sizeof relative, "space_engineers/worlds/%s.json", worlds[i].file);
        if (!test_data_path(relative, path, sizeof path)) {
            skip();
        }
        oct_world *world, *back;
        const char *kind;
        oct_error error;
        if (oct_world_load(path, NULL, &world, &kind, &error) != OCT_OK) {
            fail_msg("%s:%u:%u: %s", relative, error.line, error.column, error.message);
        }
        assert_string_equal(kind, "space-engineers");
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
        oct_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_of_the_game_are_read),
        cmocka_unit_test(what_is_wrong_with_a_world_of_the_game_is_named),
        cmocka_unit_test(reading_survives_every_failing_allocation),
        cmocka_unit_test(the_worlds_of_the_thesis_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
