// SPDX-License-Identifier: MIT
// Saves of Space Engineers: what is read of them. Sizes and groups are in test_world_sbs_groups.c,
// the real saves in test_world_sbs_real.c.
#include "sbs_support.h"

#include "files/engineers.h"

#include <locale.h>

typedef struct expected_block {
    const char *name, *type;
    uint64_t id;
    oct_vec cell;
    uint32_t grid;
    uint8_t label, forward, up;
    double damage, delay;
} expected_block;

static void assert_blocks(const oct_world *world, const expected_block *expected, size_t count)
{
    assert_int_equal(oct_world_blocks(world), count);
    for (size_t i = 0; i < count; i++) {
        const oct_world_block block = oct_world_get(world, i);
        assert_string_equal(block.name, expected[i].name);
        assert_string_equal(oct_world_get_type(world, block.type).name, expected[i].type);
        assert_int_equal(block.id, expected[i].id);
        assert_true(block.placed);
        assert_memory_equal(&block.cell, &expected[i].cell, sizeof block.cell);
        assert_int_equal(block.grid, expected[i].grid);
        assert_int_equal(block.label, expected[i].label);
        assert_int_equal(block.forward, expected[i].forward);
        assert_int_equal(block.up, expected[i].up);
        assert_true(block.damage == expected[i].damage);
        assert_true(block.delay == expected[i].delay);
    }
}

static void assert_types(const oct_world *world)
{
    static const struct {
        const char *name;
        uint8_t kind, buttons;
        bool opaque;
    } types[] = {
        {"CubeBlock/LargeBlockArmorBlock", OCT_KIND_SOLID, 0, true},
        {"CubeBlock/Window1x1Flat", OCT_KIND_SOLID, 0, false},
        {"AirtightSlideDoor/LargeBlockSlideDoor", OCT_KIND_DOOR, 0, true},
        {"ButtonPanel/ButtonPanelLarge", OCT_KIND_PANEL, 4, true},
        {"TimerBlock/TimerBlockLarge", OCT_KIND_TIMER, 0, true},
        {"TargetDummyBlock/TargetDummy", OCT_KIND_TARGET, 0, true},
        {"CubeBlock/", OCT_KIND_SOLID, 0, true},
    };
    assert_int_equal(oct_world_types(world), sizeof types / sizeof types[0]);
    for (uint32_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const oct_world_type type = oct_world_get_type(world, i);
        assert_string_equal(type.name, types[i].name);
        assert_int_equal(type.kind, types[i].kind);
        assert_int_equal(type.buttons, types[i].buttons);
        assert_int_equal(type.opaque, types[i].opaque);
        assert_true(type.size.x == 1 && type.size.y == 1 && type.size.z == 1);
    }
}

static void assert_parts(const oct_world *world)
{
    assert_int_equal(oct_world_wires(world), 3);
    const uint64_t panel = UINT64_MAX - 13;
    assert_wire(world, 0, (oct_world_wire){panel, 0, OCT_WIRE_TOGGLE, 13, ""});
    assert_wire(world, 1, (oct_world_wire){panel, 2, OCT_WIRE_SHUT, 0, "All"});
    assert_wire(world, 2, (oct_world_wire){15, 80, OCT_WIRE_START, 15, ""});
    assert_int_equal(oct_world_members(world), 2);
    const oct_world_member door = oct_world_get_member(world, 0);
    const oct_world_member armour = oct_world_get_member(world, 1);
    assert_true(door.block == 13 && door.grid == 0);
    assert_true(armour.block == oct_world_cell_id(77, (oct_vec){0, 0, 0}) && armour.grid == 0);
    assert_string_equal(door.group, "All");
    assert_string_equal(armour.group, "All");
}

static void saves_are_read(void **state)
{
    (void)state;
    warnings all;
    oct_world *world = read_save(FULL_SAVE, NULL, &all);
    static const expected_block blocks[] = {
        {"77/0,0,0",
         "CubeBlock/LargeBlockArmorBlock",
         UINT64_C(0xbebbce4ee6bfc1ec),
         {0, 0, 0},
         0,
         OCT_BLOCKED,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         0},
        {"",
         "CubeBlock/Window1x1Flat",
         12,
         {-3, 4, 19},
         0,
         OCT_BLOCKED,
         OCT_SIDE_BACKWARD,
         OCT_SIDE_RIGHT,
         25,
         0},
        {"Door 1 ",
         "AirtightSlideDoor/LargeBlockSlideDoor",
         13,
         {1, 0, 0},
         0,
         OCT_OPEN,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         0},
        {"",
         "ButtonPanel/ButtonPanelLarge",
         UINT64_MAX - 13,
         {2, 0, 0},
         0,
         OCT_BLOCKED,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         0},
        {"",
         "TimerBlock/TimerBlockLarge",
         15,
         {3, 0, 0},
         0,
         OCT_BLOCKED,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         1.5},
        {"",
         "TargetDummyBlock/TargetDummy",
         16,
         {4, 0, 0},
         0,
         OCT_BLOCKED,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         0},
        {"-5/2,3,4",
         "CubeBlock/",
         UINT64_C(0xb10c9c4ded9ed797),
         {2, 3, 4},
         1,
         OCT_BLOCKED,
         OCT_SIDE_FORWARD,
         OCT_SIDE_UP,
         0,
         0},
    };
    assert_blocks(world, blocks, sizeof blocks / sizeof blocks[0]);
    assert_types(world);
    assert_parts(world);
    const oct_world_grid base = oct_world_get_grid(world, 0), ship = oct_world_get_grid(world, 1);
    assert_int_equal(oct_world_grids(world), 2);
    assert_true(base.id == 77 && base.cell == 2.5 && ship.id == UINT64_MAX - 4 && ship.cell == 0.5);
    assert_true(base.pose.position.x == 10 && base.pose.position.y == 20.5 &&
                base.pose.position.z == -30 && base.pose.forward.z == -1 && ship.pose.up.z == 1);
    assert_string_equal(base.name, "Base & more");
    assert_string_equal(ship.name, "");
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    assert_true(start.position.x == 9.5 && start.position.y == -5.25 && start.position.z == 54);
    assert_int_equal(oct_world_up(world), OCT_UP_Y);
    assert_false(oct_world_left_handed(world));
    assert_true(oct_world_passage(world) == 2.5);
    assert_string_equal(oct_world_name(world), "");
    // The ship's right is -y: cell 2 3 4 begins at -0.5 * 2.5 from there, up along z.
    const oct_bounds box = oct_world_get(world, 6).box;
    assert_true(box.min.x == -2.25 && box.max.x == -1.75 && box.min.y == -1.25 &&
                box.max.y == -0.75 && box.min.z == 1.25 && box.max.z == 1.75);
    assert_string_equal(all.text, "sizes of blocks are not known: each counts as one cell\n"
                                  "left out: terrain, which is in files of its own (1)\n"
                                  "left out: cells in groups where no block stands (1)\n");
    oct_world_destroy(world);
}

static void pieces_of_any_size_give_the_same_world(void **state)
{
    (void)state;
    static const char text[] = FULL_SAVE;
    oct_world *whole = read_save(text, NULL, NULL), *world;
    oct_array bytes = encoded(whole);
    oct_error error;
    for (size_t piece = 1; piece < 300; piece += piece < 20 ? 1 : 37) {
        assert_int_equal(read_pieces(text, strlen(text), piece, NULL, &world, &error), OCT_OK);
        oct_array again = encoded(world);
        assert_int_equal(again.count, bytes.count);
        assert_memory_equal(again.items, bytes.items, bytes.count);
        drop(&again);
        oct_world_destroy(world);
    }
    drop(&bytes);
    oct_world_destroy(whole);
}

// What is written as our own world and read again is the same.
static void saves_become_worlds_of_our_own(void **state)
{
    (void)state;
    oct_world *world = read_save(FULL_SAVE, NULL, NULL), *back;
    oct_array bytes = encoded(world);
    oct_error error;
    assert_int_equal(decode(bytes.items, bytes.count, &back, &error), OCT_OK);
    assert_same_world(world, back);
    assert_int_equal(oct_world_grids(back), 2);
    assert_parts(back);
    drop(&bytes);
    oct_world_destroy(back);
    oct_world_destroy(world);
}

static void the_order_of_elements_does_not_matter(void **state)
{
    (void)state;
    static const char text[] = SAVE(ENTITY(
        "CubeGrid",
        GROUPS("<MyObjectBuilder_BlockGroup><Blocks><Vector3I><Z>3</Z><Y>2</Y><X>1</X></Vector3I>"
               "</Blocks><Name>G</Name></MyObjectBuilder_BlockGroup>")
            BLOCKS(BLOCK("TimerBlock",
                         "<Toolbar><Slots><Slot>" ON_BLOCK("Stop", "8") "<Index>4</Index></Slot>"
                                                                        "</Slots></Toolbar>" MIN(
                                                                            1, 2, 3) SUBTYPE("T")))
                LARGE POSE_AT("1", "0", "0") ID("9")));
    oct_world *world = read_save(text, NULL, NULL);
    const uint64_t id = oct_world_cell_id(9, (oct_vec){1, 2, 3});
    const oct_world_block block = oct_world_get(world, 0);
    assert_int_equal(block.id, id);
    assert_string_equal(block.name, "9/1,2,3");
    assert_string_equal(oct_world_get_type(world, block.type).name, "TimerBlock/T");
    assert_true(block.box.min.x == 2.25);
    assert_wire(world, 0, (oct_world_wire){id, 4, OCT_WIRE_STOP, 8, ""});
    assert_int_equal(oct_world_get_member(world, 0).block, id);
    oct_world_destroy(world);
}

// Names of interest in places of no interest, and values that are not there.
static void what_is_unknown_is_passed_over(void **state)
{
    (void)state;
    static const char
        text[] =
            SAVE(
                "words <!-- a comment --> <?a target?>" ENTITY("Mystery", ID("broken") BLOCKS(BLOCK("CubeBlock", "<Open>maybe</Open>"))) "<MyObjectBuilder_EntityBase>" BLOCKS(
                    "") "</MyObjectBuilder_EntityBase>"
                        "<MyObjectBuilder_EntityBase xsi:nil=\"true\" "
                        "xsi:type=\"MyObjectBuilder_CubeGrid\"/>" GRID(
                            "9",
                            "<SubtypeName>X</SubtypeName>" BLOCK(
                                "Cockpit",
                                ID("3") "<Pilot>" ID("4") SUBTYPE("Astronaut")
                                    NAMED("Pilot") "</Pilot>" TOOLBAR(SLOT(
                                        "broken",
                                        ON_BLOCK("Open",
                                                 "x"))) "<Delay>soon</Delay><Open>true</Open>"
                                                        "<IntegrityPercent "
                                                        "xsi:nil=\"true\">?</IntegrityPercent>"
                                                        "<Min xsi:nil=\"true\"/>"
                                                        "<SubtypeName> "
                                                        "<b>no</b><MyObjectBuilder_Sector><X/>no</"
                                                        "MyObjectBuilder_Sector>A<![CDATA[<&]]>&lt;"
                                                        "&#66; "
                                                        "</SubtypeName>")
                                BLOCK("ButtonPanel",
                                      ID(" 5\n") "<Toolbar><SlotsGamepad>" SLOT(
                                          "1",
                                          ON_BLOCK(
                                              "Open",
                                              "3")) "</SlotsGamepad><Slots>" SLOT("2",
                                                                                  "<Data>"
                                                                                  "<Action>Open</"
                                                                                  "Action></Data>")
                                          SLOT("3", "") "</Slots></Toolbar>" MIN(1, 0, 0)),
                            "<ConveyorLines><DisplayName>No</DisplayName></ConveyorLines>") "<Extra"
                                                                                            "><"
                                                                                            "MyObje"
                                                                                            "ctBuil"
                                                                                            "der_"
                                                                                            "Entity"
                                                                                            "Base "
                                                                                            "xsi:"
                                                                                            "type="
                                                                                            "\"MyOb"
                                                                                            "jectBu"
                                                                                            "ilder_"
                                                                                            "CubeGr"
                                                                                            "id\"/"
                                                                                            "></"
                                                                                            "Extra"
                                                                                            ">");
    oct_world *world = read_save(text, NULL, NULL);
    assert_int_equal(oct_world_grids(world), 1);
    assert_string_equal(oct_world_get_grid(world, 0).name, "");
    assert_int_equal(oct_world_blocks(world), 2);
    const oct_world_block cockpit = oct_world_get(world, 0);
    assert_int_equal(cockpit.id, 3);
    assert_string_equal(cockpit.name, "");
    assert_int_equal(cockpit.label, OCT_BLOCKED);
    assert_true(cockpit.delay == 0 && cockpit.damage == 0);
    assert_string_equal(oct_world_get_type(world, cockpit.type).name, "Cockpit/ A<&<B ");
    assert_int_equal(oct_world_get(world, 1).id, 5);
    assert_int_equal(oct_world_wires(world), 0);
    oct_pose start;
    assert_false(oct_world_start(world, &start));
    oct_world_destroy(world);
}

static void the_first_character_is_the_start(void **state)
{
    (void)state;
    oct_world *world = read_save(SAVE(ENTITY("Character", POSE_AT("1", "2", "3")) ENTITY(
                                     "Character", POSE_AT("4", "5", "6")) ENTITY("Character", "")),
                                 NULL, NULL);
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    assert_true(start.position.x == 1 && start.forward.z == -1 && start.up.y == 1);
    oct_world_destroy(world);
}

// A block at the end of its integrity is still there.
static void damage_is_what_integrity_lacks(void **state)
{
    (void)state;
#define HURT(x, part) BLOCK("A", MIN(x, 0, 0) "<IntegrityPercent>" part "</IntegrityPercent>")
    oct_world *world =
        read_save(SAVE(GRID("7", HURT(0, "1") HURT(1, "0.25") HURT(2, "0"), "")), NULL, NULL);
    assert_true(oct_world_get(world, 0).damage == 0.0);
    assert_true(oct_world_get(world, 1).damage == 75.0);
    const double most = oct_world_get(world, 2).damage;
    assert_true(most > 99.99 && most < 100.0);
    oct_world_destroy(world);
}

// An id of 0 is none; names of armour are kept where it has one.
static void blocks_without_ids_get_one(void **state)
{
    (void)state;
    oct_world *world = read_save(
        SAVE(GRID("77",
                  BLOCK("CubeBlock", ID("0")) BLOCK("CubeBlock", MIN(0, 0, 1) NAMED("Wall"))
                      BLOCK("CubeBlock", ID("-9223372036854775808") MIN(0, 0, 2)),
                  "")),
        NULL, NULL);
    assert_string_equal(oct_world_get(world, 0).name, "77/0,0,0");
    assert_int_equal(oct_world_get(world, 0).id, oct_world_cell_id(77, (oct_vec){0, 0, 0}));
    assert_string_equal(oct_world_get(world, 1).name, "Wall");
    assert_int_equal(oct_world_get(world, 1).id, oct_world_cell_id(77, (oct_vec){0, 0, 1}));
    assert_int_equal(oct_world_get(world, 2).id, UINT64_C(1) << 63);
    oct_world_destroy(world);
}

// All panels of a type have as many buttons as the one with the most.
static void panels_have_the_buttons_that_are_wired(void **state)
{
    (void)state;
#define PANEL(id, x, slots) BLOCK("ButtonPanel", SUBTYPE("P") ID(id) MIN(x, 0, 0) TOOLBAR(slots))
    oct_world *world = read_save(SAVE(GRID("7",
                                           PANEL("1", 0, SLOT("3", ON_BLOCK("Open", "1")))
                                               PANEL("2", 1, SLOT("63", ON_BLOCK("Open_On", "1")))
                                                   PANEL("3", 2, SLOT("5", ON_BLOCK("OnOff", "1"))),
                                           "")),
                                 NULL, NULL);
    assert_int_equal(oct_world_types(world), 1);
    assert_int_equal(oct_world_get_type(world, 0).buttons, 64);
    assert_int_equal(oct_world_get_wire(world, 1).action, OCT_WIRE_OPEN);
    assert_int_equal(oct_world_get_wire(world, 2).action, OCT_WIRE_OTHER);
    oct_world_destroy(world);
}

static void words_of_the_game_are_known(void **state)
{
    (void)state;
    static const char *const sides[] = {"Forward", "Backward", "Left", "Right", "Up", "Down"};
    uint8_t side;
    for (uint8_t i = 0; i < OCT_SIDE_COUNT; i++) {
        assert_true(oct_engineers_side(sides[i], &side));
        assert_int_equal(side, i);
    }
    assert_false(oct_engineers_side("forward", &side));
    assert_false(oct_engineers_side("", &side));
    static const struct {
        const char *word;
        oct_wire_action action;
    } actions[] = {{"Open", OCT_WIRE_TOGGLE},      {"Open_On", OCT_WIRE_OPEN},
                   {"Open_Off", OCT_WIRE_SHUT},    {"Start", OCT_WIRE_START},
                   {"TriggerNow", OCT_WIRE_START}, {"Stop", OCT_WIRE_STOP},
                   {"OnOff", OCT_WIRE_OTHER},      {"", OCT_WIRE_OTHER}};
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        assert_int_equal(oct_engineers_action(actions[i].word), actions[i].action);
    }
    double edge;
    assert_true(oct_engineers_cell("Large", &edge) && edge == 2.5);
    assert_true(oct_engineers_cell("Small", &edge) && edge == 0.5);
    assert_false(oct_engineers_cell("Huge", &edge));
    uint64_t id;
    assert_true(oct_engineers_id("-9223372036854775808", &id) && id == UINT64_C(1) << 63);
    assert_true(oct_engineers_id("18446744073709551615", &id) && id == UINT64_MAX);
    static const char *const bad[] = {
        "", "-", "+1", "01", "1 ", "--1", "18446744073709551616", "-9223372036854775809"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(oct_engineers_id(bad[i], &id));
    }
    char name[OCT_WORLD_NAME_MAX + 1], words[OCT_WORLD_NAME_MAX + 1];
    oct_world_type type;
    assert_true(oct_engineers_type("AirtightHangarDoor", "", name, &type));
    assert_int_equal(type.kind, OCT_KIND_DOOR);
    memset(words, 'a', sizeof words);
    words[OCT_WORLD_NAME_MAX - 1] = '\0';
    assert_true(oct_engineers_type("", words, name, &type));
    assert_false(oct_engineers_type("T", words, name, &type));
}

// Whatever a locale's decimal point is.
static void numbers_are_read_strictly_in_every_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1.5", 1.5}, {"-2.5E-07", -2.5e-7}, {"3e+2", 300}, {"0", 0},  {".5", 0.5},
                {"5.", 5},    {"1e-400", 0},         {"-0", 0},     {"007", 7}};
    static const char *const bad[] = {"",      "+1",    "1,5", "nan", "NaN", "INF",  "inf",
                                      "1e999", "0x1",   " 1",  "1 ",  "1e",  "e1",   "--1",
                                      ".",     "1.5.2", "1e+", "1;2", "-",   "1e-+2"};
    for (size_t l = 0; l < sizeof locales / sizeof locales[0]; l++) {
        setlocale(LC_ALL, locales[l]);
        for (size_t i = 0; i < sizeof good / sizeof good[0] + sizeof bad / sizeof bad[0]; i++) {
            const bool is_good = i < sizeof good / sizeof good[0];
            const char *const word = is_good ? good[i].text : bad[i - sizeof good / sizeof good[0]];
            char text[1024];
            snprintf(text, sizeof text, "%s%s%s",
                     SAVE_HEAD "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_Character\">"
                               "<PositionAndOrientation><Position x=\"",
                     word,
                     "\" y=\"0\" z=\"0\"/><Forward x=\"0\" y=\"0\" z=\"-1\"/>"
                     "<Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation>"
                     "</MyObjectBuilder_EntityBase>" SAVE_TAIL);
            oct_world *world;
            oct_error error;
            const oct_result result =
                read_pieces(text, strlen(text), SIZE_MAX, NULL, &world, &error);
            assert_int_equal(result, is_good ? OCT_OK : OCT_ERROR_FORMAT);
            oct_pose start = {{-1, -1, -1}, {0, 0, 0}, {0, 0, 0}};
            if (is_good) {
                assert_true(oct_world_start(world, &start));
                assert_true(start.position.x == good[i].value);
            } else {
                assert_string_equal(error.message, "Position must have numbers x, y, z");
            }
            oct_world_destroy(world);
        }
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saves_are_read),
        cmocka_unit_test(pieces_of_any_size_give_the_same_world),
        cmocka_unit_test(saves_become_worlds_of_our_own),
        cmocka_unit_test(the_order_of_elements_does_not_matter),
        cmocka_unit_test(what_is_unknown_is_passed_over),
        cmocka_unit_test(the_first_character_is_the_start),
        cmocka_unit_test(damage_is_what_integrity_lacks),
        cmocka_unit_test(blocks_without_ids_get_one),
        cmocka_unit_test(panels_have_the_buttons_that_are_wired),
        cmocka_unit_test(words_of_the_game_are_known),
        cmocka_unit_test(numbers_are_read_strictly_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
