// SPDX-License-Identifier: MIT
// Worlds of Space Engineers: what is read of them, and what is refused. The real ones are in
// test_world_hoekzema.c.
#include "world_support.h"

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
        " \"fwd\": \"Left\", \"up\": \"Up\", \"size\": [2, 1, 1], \"gridIndex\": 1, \"aabbMin\": "
        "[-1, -2, -3], \"aabbMax\": [0.5, 2.5, 2.5]},"
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
        assert_false(block.placed); // the grids have no pose
    }
    assert_int_equal(oct_world_grids(world), 0);
    assert_true(oct_world_get(world, 1).box.min.z == -3 &&
                oct_world_get(world, 1).box.max.x == 0.5);
    oct_world_destroy(world);
}

// ---- grids with poses ----

#define POSED                                                                                      \
    "\"grids\": [{\"entityId\": \"77\", \"displayName\": \"Base\", \"gridSize\": \"Large\", " POSE \
    "}, {\"entityId\": \"-5\", \"gridSize\": \"Small\", \"pose\": {\"position\": [0, 0, 0], "      \
    "\"forward\": [1, 0, 0], \"up\": [0, 0, 1]}}]"
#define PLACED(blocks) "{" POSED ", \"blocks\": [" blocks "]}"

// A panel, a timer, a door, stairs in two orientations, and what has no place.
static const char posed_text[] = PLACED(
    "{\"type\": \"ButtonPanel\", \"subtype\": \"B\", \"entityId\": \"1\", \"min\": [0, 0, 0], "
    "\"fwd\": \"Left\", \"up\": \"Up\", \"gridIndex\": 0, \"size\": [1, 1, 1], \"buttonNames\": "
    "{\"0\": \"x\"}, \"toolbar\": ["
    "{\"slot\": 0, \"action\": \"Open\", \"blockEntityId\": \"3\", \"group\": null}, "
    "{\"slot\": 1, \"action\": \"Open_On\", \"blockEntityId\": \"-3\"}, "
    "{\"slot\": 2, \"action\": \"Open_Off\", \"blockEntityId\": \"1\", \"group\": \"Doors\"}, "
    "{\"slot\": 3, \"action\": \"OnOff\", \"blockEntityId\": \"3\", \"group\": \"\"}]},\n"
    "{\"type\": \"ButtonPanel\", \"subtype\": \"B\", \"entityId\": \"2\", \"min\": [1, 0, 0], "
    "\"fwd\": \"Forward\", \"up\": \"Up\", \"gridIndex\": 0, \"size\": [1, 1, 1], \"toolbar\": ["
    "{\"slot\": 5, \"action\": \"TriggerNow\", \"blockEntityId\": \"4\"}]},\n"
    "{\"type\": \"AirtightHangarDoor\", \"subtype\": \"\", \"entityId\": \"3\", \"open\": true, "
    "\"min\": [2, 0, 0], \"fwd\": \"Up\", \"up\": \"Right\", \"gridIndex\": 0, \"size\": [3, 1, "
    "2], "
    "\"aabbMin\": [4.75, 0.75, 1.75], \"aabbMax\": [12.25, 3.25, 6.75]},\n"
    "{\"type\": \"TimerBlock\", \"subtype\": \"T\", \"entityId\": \"4\", \"delayMs\": 1250, "
    "\"min\": [0, 5, 0], \"fwd\": \"Forward\", \"up\": \"Up\", \"gridIndex\": 0, \"size\": "
    "[1, 1, 1], \"toolbar\": [{\"slot\": 70, \"action\": \"Start\", \"blockEntityId\": \"4\"}, "
    "{\"slot\": 71, \"action\": \"Stop\", \"blockEntityId\": \"4\"}]},\n"
    "{\"type\": \"CubeBlock\", \"subtype\": \"Stairs\", \"min\": [0, 0, 3], \"fwd\": \"Left\", "
    "\"up\": \"Up\", \"gridIndex\": 1, \"size\": [2, 1, 1], \"entityId\": null},\n"
    "{\"type\": \"CubeBlock\", \"subtype\": \"Stairs\", \"min\": [0, 7, 3], \"fwd\": \"Down\", "
    "\"up\": \"Backward\", \"gridIndex\": 1, \"size\": [1, 2, 1]},\n"
    "{\"type\": \"TargetDummyBlock\", \"subtype\": \"\", \"entityId\": \"6\", \"gridIndex\": 1, "
    "\"delayMs\": 7, \"toolbar\": 3, " AABB "}");

static void blocks_of_the_game_stand_on_their_grids(void **state)
{
    (void)state;
    oct_world *world = decoded(posed_text);
    assert_int_equal(oct_world_grids(world), 2);
    const oct_world_grid base = oct_world_get_grid(world, 0), ship = oct_world_get_grid(world, 1);
    assert_true(base.id == 77 && base.cell == 2.5 && base.pose.position.z == 3);
    assert_string_equal(base.name, "Base");
    assert_true(ship.id == UINT64_MAX - 4 && ship.cell == 0.5 && ship.pose.forward.x == 1);
    assert_int_equal(oct_world_blocks(world), 7);
    static const struct {
        oct_kind kind;
        oct_vec size;
        oct_bounds box;
    } expected[] = {
        {OCT_KIND_PANEL, {1, 1, 1}, {{-0.25, 0.75, 1.75}, {2.25, 3.25, 4.25}}},
        {OCT_KIND_PANEL, {1, 1, 1}, {{2.25, 0.75, 1.75}, {4.75, 3.25, 4.25}}},
        {OCT_KIND_DOOR, {2, 3, 1}, {{4.75, 0.75, 1.75}, {12.25, 3.25, 6.75}}},
        {OCT_KIND_TIMER, {1, 1, 1}, {{-0.25, 13.25, 1.75}, {2.25, 15.75, 4.25}}},
        {OCT_KIND_SOLID, {1, 1, 2}, {{-1.75, -0.75, -0.25}, {-1.25, 0.25, 0.25}}},
        {OCT_KIND_SOLID, {1, 1, 2}, {{-1.75, -0.25, 3.25}, {-1.25, 0.25, 4.25}}},
        {OCT_KIND_TARGET, {1, 1, 1}, {{0, 0, 0}, {2.5, 2.5, 2.5}}},
    };
    for (size_t i = 0; i < 7; i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_world_type type = oct_world_get_type(world, block.type);
        assert_int_equal(type.kind, expected[i].kind);
        assert_memory_equal(&type.size, &expected[i].size, sizeof type.size);
        assert_memory_equal(&block.box, &expected[i].box, sizeof block.box);
        assert_int_equal(block.placed, i < 6);
        assert_int_equal(block.label, i == 2 ? OCT_OPEN : OCT_BLOCKED);
        assert_true(block.delay == (i == 3 ? 1.25 : 0.0));
    }
    // As many buttons as the highest wire needs, of all panels of the type.
    assert_int_equal(oct_world_get_type(world, oct_world_get(world, 0).type).buttons, 6);
    static const oct_world_wire wires[] = {
        {1, 0, OCT_WIRE_TOGGLE, 3, ""},    {1, 1, OCT_WIRE_OPEN, UINT64_MAX - 2, ""},
        {1, 2, OCT_WIRE_SHUT, 0, "Doors"}, {1, 3, OCT_WIRE_OTHER, 3, ""},
        {2, 5, OCT_WIRE_START, 4, ""},     {4, 70, OCT_WIRE_START, 4, ""},
        {4, 71, OCT_WIRE_STOP, 4, ""}};
    assert_int_equal(oct_world_wires(world), 7);
    for (size_t i = 0; i < 7; i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        assert_true(wire.from == wires[i].from && wire.slot == wires[i].slot);
        assert_true(wire.to == wires[i].to);
        assert_int_equal(wire.action, wires[i].action);
        assert_string_equal(wire.group, wires[i].group);
    }
    oct_world_destroy(world);
}

static void panels_have_four_buttons_unless_they_need_more(void **state)
{
    (void)state;
    oct_world *world =
        decoded(ENGINEERS("{\"type\": \"ButtonPanel\", \"subtype\": \"\", "
                          "\"entityId\": \"1\", \"toolbar\": [{\"slot\": 1, "
                          "\"action\": \"Open\", \"blockEntityId\": \"1\"}], " AABB
                          "}, {\"type\": \"ButtonPanel\", \"subtype\": \"W\", "
                          "\"entityId\": \"2\", \"toolbar\": [{\"slot\": 63, "
                          "\"action\": \"Open\", \"blockEntityId\": \"1\"}], " AABB "}"));
    assert_int_equal(oct_world_get_type(world, 0).buttons, 4);
    assert_int_equal(oct_world_get_type(world, 1).buttons, 64);
    assert_int_equal(oct_world_grids(world), 0);
    assert_int_equal(oct_world_wires(world), 2);
    oct_world_destroy(world);
}

static void what_is_wrong_with_a_place_is_named(void **state)
{
    (void)state;
#define ONE(more) PLACED("\n{\"entityId\": \"1\", \"type\": \"C\", \"subtype\": \"A\", " more "}")
#define PUT(min, fwd, up, size)                                                                    \
    "\"gridIndex\": 0, \"min\": " min ", \"fwd\": " fwd ", \"up\": " up ", \"size\": " size
#define USUAL PUT("[0, 0, 0]", "\"Forward\"", "\"Up\"", "[1, 1, 1]")
#define GRID(more) "{\"grids\": [\n{\"entityId\": \"7\", " more "}], \"blocks\": []}"
#define PANEL(more)                                                                                \
    PLACED("\n{\"entityId\": \"1\", \"type\": \"ButtonPanel\", \"subtype\": \"\", " USUAL          \
           ", \"toolbar\": " more "}")
    static const char bad_size[] = "block 0 (id 1): size must be 3 whole numbers from 1 to 64";
    static const char bad_box[] = "block 0 (id 1): aabbMin and aabbMax are not those of its cells";
    static const refusal cases[] = {
        {GRID("\"pose\": 7"), NULL, "grid 0 (id 7): pose must be an object"},
        {GRID("\"pose\": {}"), NULL, "grid 0 (id 7): position is missing"},
        {GRID("\"pose\": {\"position\": [0, 0, 0]}"), NULL, "grid 0 (id 7): forward is missing"},
        {GRID("\"pose\": {\"position\": [0, 0, 0], \"forward\": [1, 0, 0], \"up\": [1, 0, 0]}"),
         NULL, "grid 0 (id 7): forward and up must be unit vectors at a right angle"},
        {GRID(POSE ", \"gridSize\": 2.5"), NULL, "grid 0 (id 7): gridSize must be a string"},
        {GRID(POSE ", \"gridSize\": \"Tiny\""), NULL, "grid 0 (id 7): gridSize cannot be 'Tiny'"},
        {GRID(POSE ", \"displayName\": 1"), NULL, "grid 0 (id 7): displayName must be a string"},
        {"{\"grids\": [{\"entityId\": \"7\", " POSE "},\n{\"entityId\": \"8\"}], \"blocks\": []}",
         NULL, "grid 1: pose is missing"},
        {"{\"grids\": [{\"entityId\": \"8\"},\n{\"entityId\": \"7\", " POSE "}], \"blocks\": []}",
         NULL, "grid 1: it has a pose, but grids before it have none"},
        {"{\"grids\": [{\"entityId\": \"7\", " POSE "},\n{\"entityId\": \"7\", " POSE
         "}], \"blocks\": []}",
         NULL, "grid 1 (id 7): the id is that of grid 0"},
        {ONE("\"fwd\": \"Up\""), NULL,
         "block 0 (id 1): gridIndex must be that of one of the grids"},
        {ONE("\"gridIndex\": 0, \"fwd\": \"Up\""), NULL, "block 0 (id 1): min is missing"},
        {ONE(PUT("[0, 0, 0.5]", "\"Up\"", "\"Left\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): min must be whole numbers below 2^31"},
        {ONE(PUT("[0, 0, 1048576]", "\"Up\"", "\"Left\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): it reaches beyond the cells from -1048576 to 1048575"},
        {ONE(PUT("[0, 0, 0]", "\"up\"", "\"Left\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): fwd cannot be 'up'"},
        {ONE(PUT("[0, 0, 0]", "1", "\"Left\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): fwd must be a string"},
        {ONE(PUT("[0, 0, 0]", "\"Up\"", "\"North\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): up cannot be 'North'"},
        {ONE(PUT("[0, 0, 0]", "\"Up\"", "\"Down\"", "[1, 1, 1]")), NULL,
         "block 0 (id 1): fwd and up must be at a right angle"},
        {ONE(PUT("[0, 0, 0]", "\"Up\"", "\"Left\"", "[0, 1, 1]")), NULL, bad_size},
        {ONE(PUT("[0, 0, 0]", "\"Up\"", "\"Left\"", "[1, 1, 65]")), NULL, bad_size},
        {ONE("\"gridIndex\": 0, \"min\": [0, 0, 0], \"fwd\": \"Up\", \"up\": \"Left\""), NULL,
         "block 0 (id 1): size is missing"},
        {ONE(USUAL ", \"aabbMin\": [-0.25, 0.75, 1.75]"), NULL,
         "block 0 (id 1): aabbMax is missing"},
        {ONE(USUAL ", \"aabbMin\": [-0.25, 0.75, 1.73], \"aabbMax\": [2.25, 3.25, 4.25]"), NULL,
         bad_box},
        {ONE(USUAL ", \"aabbMin\": [-0.27, 0.75, 1.75], \"aabbMax\": [2.25, 3.25, 4.25]"), NULL,
         bad_box},
        {ONE(USUAL ", \"aabbMin\": [-0.25, 0.75, 1.75], \"aabbMax\": [2.25, 3.27, 4.25]"), NULL,
         bad_box},
        {ONE("\"delayMs\": \"1\", " USUAL), NULL, "block 0 (id 1): delayMs must be a number"},
        {ONE("\"delayMs\": -1, " USUAL), NULL, "block 0 (id 1): delayMs must not be negative"},
        {PLACED("{\"entityId\": \"1\", \"type\": \"C\", \"subtype\": \"A\", " USUAL
                "},\n{\"entityId\": \"2\", \"type\": \"C\", \"subtype\": \"A\", " PUT(
                    "[1, 0, 0]", "\"Left\"", "\"Up\"", "[2, 1, 1]") "}"),
         NULL, "block 1 (id 2): others of its type have 1 x 1 x 1 cells, not 1 x 1 x 2"},
        {ENGINEERS("{\"entityId\": \"4\", \"type\": \"x\", \"subtype\": \"Door/\", " AABB "},\n"
                   "{\"entityId\": \"5\", \"type\": \"x/Door\", \"subtype\": \"\", " AABB "}"),
         NULL, "block 1 (id 5): the type is a solid and a door"},
        {PANEL("{}"), NULL, "block 0 (id 1): toolbar must be a list"},
        {PANEL("[7]"), NULL, "block 0 (id 1): what is in toolbar must be an object"},
        {PANEL("[{}]"), NULL, "block 0 (id 1): slot is missing"},
        {PANEL("[{\"slot\": 64}]"), NULL, "block 0 (id 1): slot must be a whole number below 64"},
        {PANEL("[{\"slot\": 0}]"), NULL, "block 0 (id 1): action is missing"},
        {PANEL("[{\"slot\": 0, \"action\": \"Open\"}]"), NULL,
         "block 0 (id 1): blockEntityId is missing"},
        {PANEL("[{\"slot\": 0, \"action\": \"Open\", \"blockEntityId\": \"x\"}]"), NULL,
         "block 0 (id 1): blockEntityId is 'x', not a number below 2^64"},
        {PANEL("[{\"slot\": 0, \"action\": \"Open\", \"group\": 5}]"), NULL,
         "block 0 (id 1): group must be a string"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

// ---- refusals ----

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
    char posed[sizeof posed_text];
    strcpy(posed, posed_text);
    assert_true(test_each_failure(decode_with, posed) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_of_the_game_are_read),
        cmocka_unit_test(blocks_of_the_game_stand_on_their_grids),
        cmocka_unit_test(panels_have_four_buttons_unless_they_need_more),
        cmocka_unit_test(what_is_wrong_with_a_place_is_named),
        cmocka_unit_test(what_is_wrong_with_a_world_of_the_game_is_named),
        cmocka_unit_test(reading_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
