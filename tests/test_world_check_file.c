// SPDX-License-Identifier: MIT
// What is wrong with a world's file: everything at once, each with its line.
#include "problem_list.h"
#include "world_support.h"

#include "octant/block_world.h"

#define HEAD                                                                                       \
    "{\"format\": \"octant-world\", \"version\": 1,\n"                                             \
    " \"start\": {\"position\": [0, 10, 0], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},\n"         \
    " \"grids\": [{\"id\": 1, \"position\": [0, 0, 0]}],\n"                                        \
    " \"types\": [{\"name\": \"wall\"},\n"                                                         \
    "   {\"name\": \"door\", \"kind\": \"door\"},\n"                                               \
    "   {\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 2}],\n"
#define DOOR(id, x) "   {\"id\": " #id ", \"type\": \"door\", \"cell\": [" #x ", 0, 0]}"
#define PANEL(id, x) "   {\"id\": " #id ", \"type\": \"panel\", \"cell\": [" #x ", 0, 0]}"

static problem_list check(const char *text, size_t size, bool expects_world)
{
    problem_list list = {.used = 0};
    const oct_world_checking how = {
        .check = oct_block_world_check, .tell = list_problem, .ctx = &list};
    char *const copy = malloc(size > 0 ? size : 1); // exactly, for the sanitizers
    oct_world *world;
    assert_non_null(copy);
    memcpy(copy, text, size);
    assert_int_equal(oct_world_check_bytes(copy, size, &how, &world, NULL), OCT_OK);
    assert_int_equal(world != NULL, expects_world);
    oct_world_destroy(world);
    free(copy);
    return list;
}

static void expect(const char *text, const char *problems)
{
    const problem_list list = check(text, strlen(text), true);
    assert_string_equal(list.text, problems);
}

// ---- lines ----

static void every_problem_has_its_line(void **state)
{
    (void)state;
    expect(HEAD " \"blocks\": [\n" DOOR(1, 0) ",\n" PANEL(2, 2) ",\n" PANEL(
               3, 2) "],\n"
                     " \"groups\": [{\"name\": \"G\", \"grid\": 0,\n"
                     "    \"blocks\": [1, 9]}],\n"
                     " \"wires\": [{\"from\": 2, \"to\": 1},\n"
                     "   {\"from\": 3, \"slot\": 2, \"to\": 1},\n"
                     "\n"
                     "   {\"from\": 3, \"to\": 8}]}",
           "10 error overlap: panel 3 and panel 2 both cover cell 2 0 0 of grid 0\n"
           "11 error wire-to: group 'G' holds block 9, which is not there\n"
           "14 error wire-slot: panel 3 has no button 2: its buttons are 0 to 1\n"
           "16 error wire-to: button 0 of panel 3 leads to block 8, which is not there\n");
}

// Members may stand in any order.
static void lines_do_not_need_an_order(void **state)
{
    (void)state;
    expect("{\"wires\": [\n{\"from\": 5, \"to\": 5}],\n\"blocks\": [\n"
           "{\"type\": \"wall\", \"cell\": [0, 0, 0], \"id\": 1},\n"
           "{\"type\": \"wall\", \"cell\": [0, 0, 0], \"id\": 2}],\n"
           "\"types\": [{\"name\": \"wall\"}], \"grids\": [{\"id\": 1, \"position\": [0,0,0]}],\n"
           "\"start\": {\"position\": [0, 0, 0], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},\n"
           "\"format\": \"octant-world\", \"version\": 1}",
           "5 error overlap: wall 2 and wall 1 both cover cell 0 0 0 of grid 0\n"
           "2 error wire-from: a wire leads from block 5, which is not there\n"
           "7 error room: there is no room for a body at the start, 0, 0, 0\n");
}

// Cells that a fill made stand in the line of the fill.
static void fills_have_lines(void **state)
{
    (void)state;
    expect(HEAD " \"blocks\": [\n" DOOR(
               1, 0) "],\n"
                     " \"fills\": [{\"type\": \"wall\", \"from\": [2, 0, 0], \"to\": [4, 0, 0]},\n"
                     "   {\"type\": \"panel\", \"from\": [6, 0, 0], \"to\": [6, 0, 0]}]}",
           "8 warning unused: door 1 is shut, and no button or timer opens it\n"
           "10 warning unused: panel at cell 6 0 0 has no wires: its buttons do nothing\n");
}

// ---- refusals ----

static void everything_that_is_refused_is_told(void **state)
{
    (void)state;
    expect("{\"format\": \"octant-world\", \"version\": 1, \"nmae\": \"x\",\n"
           " \"passage\": -1,\n"
           " \"bounds\": [1, 2],\n"
           " \"rules\": {\"view\": 0},\n"
           " \"grids\": [{\"id\": 1, \"position\": [0, 0, 0]}],\n"
           " \"types\": [{\"name\": \"wall\"}, {\"name\": \"wall\"}],\n"
           " \"blocks\": [{\"id\": 1, \"type\": \"wall\", \"cell\": [0, 0]},\n"
           "   {\"id\": 2, \"type\": \"wlal\", \"cell\": [0, 0, 0]},\n"
           "   {\"id\": 3, \"type\": \"wall\", \"cell\": [0, 0, 0]}],\n"
           " \"fills\": [{\"type\": \"wall\", \"from\": [2, 0, 0]}],\n"
           " \"wires\": [{\"from\": 3, \"to\": 3, \"action\": \"push\"},\n"
           "   {\"from\": 3, \"to\": 3}]}",
           "1 error file: unknown key 'nmae'\n"
           "2 error file: passage must be a number that is not negative\n"
           "3 error file: bounds must be 6 numbers\n"
           "4 error file: rules: view must be greater than 0\n"
           "6 error file: type 1: a type of that name was there before\n"
           "7 error file: block 0 (id 1): cell must be 3 whole numbers from -1048576 to 1048575\n"
           "8 error file: block 1 (id 2): there is no type 'wlal'\n"
           "10 error file: fill 0: to is missing\n"
           "11 error file: wire 0: action cannot be 'push', only toggle, open, shut, start, stop, "
           "other\n"
           "12 error wire-from: a wire leads from wall 3, which is neither a panel nor a timer\n");
}

// What was left out is not missing: neither for wires, nor as what uses something.
static void consequences_are_not_told(void **state)
{
    (void)state;
    expect(HEAD " \"blocks\": [\n" DOOR(
               1, 0) ",\n"
                     "   {\"id\": \"2\", \"type\": \"panel\", \"cell\": [2, 0, 0], \"color\": 1},\n"
                     "   {\"id\": 3, \"type\": \"door\", \"cell\": [4, 0, 0], \"delay\": 1}],\n"
                     " \"groups\": [{\"name\": \"G\", \"blocks\": [3]}],\n"
                     " \"wires\": [{\"from\": 2, \"to\": 1}, {\"from\": 2, \"to\": 3},\n"
                     "   {\"from\": 2, \"group\": \"G\"},\n"
                     "   {\"from\": 4, \"to\": 1}]}",
           "9 error file: block 1 (id 2): unknown key 'color'\n"
           "10 error file: block 2 (id 3): only timers have a delay\n"
           "14 error wire-from: a wire leads from block 4, which is not there\n");
}

// A type that was refused is not missing either, and grids keep their places.
static void types_and_grids_keep_their_places(void **state)
{
    (void)state;
    expect("{\"format\": \"octant-world\", \"version\": 1,\n"
           " \"start\": {\"position\": [0, 0, 0], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},\n"
           " \"grids\": [{\"id\": 1, \"position\": [0, 0]},\n"
           "   {\"id\": 2, \"position\": [50, 0, 0]}],\n"
           " \"types\": [{\"name\": \"panel\", \"kind\": \"panel\"},\n"
           "   {\"name\": \"wall\"}],\n"
           " \"blocks\": [{\"id\": 1, \"type\": \"panel\", \"cell\": [0, 0, 0]},\n"
           "   {\"id\": 2, \"type\": \"wall\", \"cell\": [0, 0, 0]},\n"
           "   {\"id\": 3, \"type\": \"wall\", \"cell\": [0, 0, 0], \"grid\": 1},\n"
           "   {\"id\": 4, \"type\": \"wall\", \"cell\": [0, 0, 0], \"grid\": 1},\n"
           "   {\"id\": 5, \"type\": \"wall\", \"cell\": [0, 0, 0], \"grid\": 2}],\n"
           " \"wires\": [{\"from\": 1, \"to\": 2}]}",
           "5 error file: type 0: a panel has at least one button\n"
           "3 error file: grid 0 (id 1): position must be 3 numbers\n"
           "11 error file: block 4 (id 5): there is no grid 2\n"
           "10 error overlap: wall 4 and wall 3 both cover cell 0 0 0 of grid 1\n");
}

static void broken_files_have_one_problem(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"", "1 error file: the file is empty\n"},
        {"{", "1 error file: expected a key\n"},
        {"{\"format\": \"octant-world\",\n \"version\": 2, \"types\": [], \"blocks\": []}",
         "2 error file: version 2 is not known, only version 1\n"},
        {"{\"a\": 1}",
         "1 error file: not a world: neither 'format' nor 'grids' is among its keys\n"},
        {HEAD " \"blocks\": [\n{\"id\": 1}\n{\"id\": 2}]}",
         "8 error file: block 0 (id 1): type is missing\n9 error file: expected ',' or ']'\n"},
        {"<x/>", "1 error file: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const problem_list list = check(cases[i].text, strlen(cases[i].text), false);
        if (strncmp(list.text, cases[i].problem, strlen(cases[i].problem)) != 0) {
            fail_msg("case %zu: %s", i, list.text);
        }
    }
}

// Every beginning of a file, and each with one byte that was changed, is read without harm.
static void cut_and_changed_files_do_no_harm(void **state)
{
    (void)state;
    static const char text[] = HEAD " \"blocks\": [\n" DOOR(1, 0) ",\n" PANEL(
        2, 2) "],\n"
              " \"groups\": [{\"name\": \"G\", \"blocks\": [1, 9]}],\n"
              " \"wires\": [{\"from\": 2, \"to\": 1}, {\"from\": 3, \"group\": \"G\"}]}";
    char changed[sizeof text];
    const oct_world_checking how = {.check = oct_world_check, .tell = list_problem};
    for (size_t i = 0; i < sizeof text; i++) {
        problem_list list = {.used = 0};
        oct_world_checking own = how;
        oct_world *world;
        own.ctx = &list;
        assert_int_equal(oct_world_check_bytes(text, i, &own, &world, NULL), OCT_OK);
        oct_world_destroy(world);
        memcpy(changed, text, sizeof text);
        changed[i] = "{}[]\",:-9x"[i % 10];
        assert_int_equal(oct_world_check_bytes(changed, sizeof text - 1, &own, &world, NULL),
                         OCT_OK);
        oct_world_destroy(world);
    }
}

// A file that is wrong all through is not read to its end.
static void many_refusals_end_the_reading(void **state)
{
    (void)state;
    oct_array text = {0};
    append(&text, HEAD " \"blocks\": [", strlen(HEAD " \"blocks\": ["));
    for (int i = 0; i < 5000; i++) {
        append(&text, "{},\n", 4);
    }
    append(&text, "{}]}", 4);
    const problem_list list = check(text.items, text.count, false);
    assert_int_equal(list.count, 201);
    drop(&text);
}

static void strict_checks_refuse_as_readers_do(void **state)
{
    (void)state;
    static const char text[] = HEAD " \"blocks\": [\n" DOOR(1, 0) ",\n{}, {}]}";
    problem_list list = {.used = 0};
    const oct_world_checking how = {
        .check = oct_world_check, .tell = list_problem, .ctx = &list, .is_strict = true};
    oct_world *world;
    oct_error error = {.line = 0};
    assert_int_equal(oct_world_check_bytes(text, strlen(text), &how, &world, &error),
                     OCT_ERROR_FORMAT);
    assert_null(world);
    assert_int_equal(error.line, 9);
    assert_string_equal(error.message, "block 1: id is missing");
    assert_int_equal(list.count, 0);
}

// ---- Space Engineers ----

static void extracted_worlds_have_lines(void **state)
{
    (void)state;
    expect("{\"grids\": [{\"entityId\": \"1\", \"pose\": {\"position\": [0, 0, 0],\n"
           "   \"forward\": [0, 0, -1], \"up\": [0, 1, 0]}}],\n"
           " \"character\": {\"pose\": {\"position\": [0, 5, 0], \"forward\": [0, 0, -1],\n"
           "   \"up\": [0, 1, 0]}},\n"
           " \"blocks\": [{\"entityId\": \"7\", \"type\": \"ButtonPanel\", \"subtype\": \"P\",\n"
           "     \"gridIndex\": 0, \"min\": [0, 0, 0], \"fwd\": \"Forward\", \"up\": \"Up\",\n"
           "     \"size\": [1, 1, 1],\n"
           "     \"toolbar\": [{\"slot\": 0, \"action\": \"Open\", \"blockEntityId\": \"8\"}]},\n"
           "   {\"entityId\": \"9\", \"type\": \"Door\", \"subtype\": \"\",\n"
           "     \"gridIndex\": 0, \"min\": [0, 0, 0], \"fwd\": \"Forward\", \"up\": \"Up\",\n"
           "     \"size\": [1, 1, 1]},\n"
           "   {\"entityId\": \"10\"}]}",
           "12 error file: block 2 (id 10): aabbMin is missing\n"
           "9 error overlap: door 9 and panel 7 both cover cell 0 0 0 of grid 0\n"
           "5 error wire-to: button 0 of panel 7 leads to block 8, which is not there\n");
}

static void saves_have_lines(void **state)
{
    (void)state;
    expect("<?xml version=\"1.0\"?>\n<MyObjectBuilder_Sector "
           "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><SectorObjects>\n"
           "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_CubeGrid\">\n"
           "<EntityId>1</EntityId><GridSizeEnum>Large</GridSizeEnum><PositionAndOrientation>\n"
           "<Position x=\"0\" y=\"0\" z=\"0\"/><Forward x=\"0\" y=\"0\" z=\"-1\"/>"
           "<Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation>\n"
           "<CubeBlocks>\n"
           "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_ButtonPanel\">\n"
           "<EntityId>7</EntityId><Toolbar><Slots>\n"
           "<Slot><Index>1</Index>\n"
           "<Data xsi:type=\"MyObjectBuilder_ToolbarItemTerminalBlock\"><Action>Open</Action>"
           "<BlockEntityId>8</BlockEntityId></Data></Slot></Slots></Toolbar>\n"
           "</MyObjectBuilder_CubeBlock>\n"
           "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_CubeBlock\"/>\n"
           "</CubeBlocks></MyObjectBuilder_EntityBase>\n"
           "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_Character\">\n"
           "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/>"
           "<Forward x=\"0\" y=\"0\" z=\"-1\"/><Up x=\"0\" y=\"1\" z=\"0\"/>"
           "</PositionAndOrientation></MyObjectBuilder_EntityBase>\n"
           "</SectorObjects></MyObjectBuilder_Sector>\n",
           "12 error overlap: CubeBlock/ '1/0,0,0' and panel 7 both cover cell 0 0 0 of grid 0\n"
           "9 error wire-to: button 1 of panel 7 leads to block 8, which is not there\n"
           "14 error room: there is no room for a body at the start, 0, 0, 0\n");
}

// ---- worlds ----

static void expect_file(const char *folder, const char *name, const oct_world *sizes,
                        const char *problems)
{
    problem_list list = {.used = 0};
    const oct_world_checking how = {
        .check = oct_block_world_check, .tell = list_problem, .ctx = &list, .sizes = sizes};
    char path[4096];
    oct_world *world;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(oct_world_check_file(path, &how, &world, NULL), OCT_OK);
    assert_non_null(world);
    if (strcmp(list.text, problems) != 0) {
        fail_msg("%s:\n%s", name, list.text);
    }
    oct_world_destroy(world);
}

static void our_own_worlds_are_sound(void **state)
{
    (void)state;
    static const char *const names[] = {
        "asteroid_base.json", "door_and_button.json", "drifting_ship.json", "glass_box.json",
        "glass_maze.json",    "scrapyard.json",       "tight.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect_file(OCT_SOURCE_DIR "/worlds", names[i], NULL, "");
    }
    // The original has a panel without wires too.
    expect_file(OCT_SOURCE_DIR "/worlds", "three_doors.json", NULL,
                "30 warning unused: panel 'Button2' has no wires: its buttons do nothing\n");
}

// The worlds of Hoekzema 2024, as extracted and as saved, have no errors. What is told of the
// second is so: it was made from a ship that has more doors and timers than the puzzle uses.
static void the_original_worlds_are_sound(void **state)
{
    (void)state;
    static const struct {
        const char *file, *problems;
    } cases[] = {
        {"worlds/test1_myworld-3_Indoors.json", ""},
        {"worlds/test1b_myworld-3_Indoors_open-door.json", ""},
        {"worlds/test2_CR3_3_3_M.json",
         "1 warning same-name: 5 blocks are called 'Sliding Door ': a script that names it means "
         "the nearest\n"
         "1 warning circle: timer 'Timer Block Flee' starts itself: once started it never "
         "rests\n"},
        {"worlds/test3a_Glass_box.json", ""},
        {"worlds/test4a_Glass_box_maze.json", ""},
        {"saves/test1_myworld-3_Indoors.sbs",
         "1 warning file: left out: terrain, which is in files of its own (1)\n"},
        {"saves/test2_CR3_3_3_M.sbs",
         "501 warning same-name: 5 blocks are called 'Sliding Door ': a script that names it means "
         "the nearest\n"
         "6658 warning circle: timer 'Timer Block Flee' starts itself: once started it never "
         "rests\n"
         "5465 warning unused: door 'Sliding Door ' is shut, and no button or timer opens it\n"
         "5731 warning unused: door 'Sliding Door ' is shut, and no button or timer opens it\n"
         "5783 warning unused: timer 'Timer Block Breach alarm' is never started: no wire does "
         "that\n"
         "6999 warning unused: door 'Sliding Door ' is shut, and no button or timer opens it\n"
         "10067 warning unused: panel 'Button2' has no wires: its buttons do nothing\n"},
    };
    char folder[4096], sizes_path[4096 + 32];
    oct_world *sizes;
    if (!test_data_path("space_engineers", folder, sizeof folder)) {
        return;
    }
    (void)snprintf(sizes_path, sizeof sizes_path, "%s/block_sizes.json", folder);
    assert_int_equal(oct_block_sizes_load(sizes_path, NULL, &sizes, NULL), OCT_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_file(folder, cases[i].file, sizes, cases[i].problems);
    }
    oct_world_destroy(sizes);
}

static void files_that_are_not_there_are_errors(void **state)
{
    (void)state;
    problem_list list = {.used = 0};
    const oct_world_checking how = {.check = oct_world_check, .tell = list_problem, .ctx = &list};
    oct_world *world;
    oct_error error = {.line = 0};
    assert_int_equal(oct_world_check_file("/nowhere.json", &how, &world, &error), OCT_ERROR_FILE);
    assert_null(world);
    assert_int_equal(list.count, 0);
}

static oct_result check_within(const oct_allocator *allocator, void *ctx)
{
    problem_list list = {.used = 0};
    const oct_world_checking how = {
        .check = oct_world_check, .tell = list_problem, .ctx = &list, .allocator = allocator};
    oct_world *world;
    const oct_result result = oct_world_check_bytes(ctx, strlen(ctx), &how, &world, NULL);
    oct_world_destroy(world);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    char text[] = HEAD " \"blocks\": [\n" DOOR(1, 0) ",\n{\"id\": 4}],\n"
                                                     " \"wires\": [{\"from\": 2, \"to\": 1}]}";
    assert_true(test_each_failure(check_within, text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_has_its_line),
        cmocka_unit_test(lines_do_not_need_an_order),
        cmocka_unit_test(fills_have_lines),
        cmocka_unit_test(everything_that_is_refused_is_told),
        cmocka_unit_test(consequences_are_not_told),
        cmocka_unit_test(types_and_grids_keep_their_places),
        cmocka_unit_test(broken_files_have_one_problem),
        cmocka_unit_test(cut_and_changed_files_do_no_harm),
        cmocka_unit_test(many_refusals_end_the_reading),
        cmocka_unit_test(strict_checks_refuse_as_readers_do),
        cmocka_unit_test(extracted_worlds_have_lines),
        cmocka_unit_test(saves_have_lines),
        cmocka_unit_test(our_own_worlds_are_sound),
        cmocka_unit_test(the_original_worlds_are_sound),
        cmocka_unit_test(files_that_are_not_there_are_errors),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
