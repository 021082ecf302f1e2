// SPDX-License-Identifier: MIT
// Saves of Space Engineers, and sizes of blocks: what is refused and where, and which files are
// taken for them.

// For mkdtemp and mkdir.
#define _XOPEN_SOURCE 700

#include "folder_support.h"
#include "sbs_support.h"

#include <sys/stat.h>
#include <unistd.h>

// ---- refusals ----

static void what_is_wrong_with_a_save_is_named(void **state)
{
    (void)state;
#define GRID_OF(content) SAVE(ENTITY("CubeGrid", content))
#define IN_BLOCK(content) SAVE(GRID("7", BLOCK("TimerBlock", content), ""))
#define IN_PANEL(slots) SAVE(GRID("7", BLOCK("ButtonPanel", ID("3") TOOLBAR(slots)), ""))
#define UNIT "Forward and Up must be unit vectors at a right angle"
    static const refusal cases[] = {
        {"<Other/>", "<Other", "the root is 'Other', not MyObjectBuilder_Sector"},
        {GRID_OF(POSE_AT("0", "0", "0") LARGE), "<MyObjectBuilder_E",
         "grid 0: EntityId is missing"},
        {GRID_OF(ID("1") POSE_AT("0", "0", "0")), "<MyObjectBuilder_E",
         "grid 0: GridSizeEnum is missing"},
        {GRID_OF(ID("1") LARGE), "<MyObjectBuilder_E", "grid 0: PositionAndOrientation is missing"},
        {GRID_OF(ID("1") LARGE "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/>"
                               "<Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation>"),
         "<MyObjectBuilder_E", "grid 0: PositionAndOrientation is missing"},
        {GRID_OF(ID("1") LARGE "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/>"
                               "<Forward x=\"0\" y=\"1\" z=\"0\"/><Up x=\"0\" y=\"1\" z=\"0\"/>"
                               "</PositionAndOrientation>"),
         "<MyObjectBuilder_E", "grid 0: " UNIT},
        {GRID_OF(ID("1x")), "<EntityId", "EntityId is '1x', not a whole number of 64 bits"},
        {GRID_OF(ID("")), "<EntityId", "EntityId is '', not a whole number of 64 bits"},
        {GRID_OF("<GridSizeEnum>Huge</GridSizeEnum>"), "<Grid",
         "GridSizeEnum is 'Huge', neither Large nor Small"},
        {GRID_OF("<PositionAndOrientation>\n <Position x=\"0\" y=\"0\"/></PositionAndOrientation>"),
         "<Position x", "Position must have numbers x, y, z"},
        {GRID_OF("<PositionAndOrientation><Up x=\"0\" y=\"i\" z=\"0\"/></PositionAndOrientation>"),
         "<Up", "Up must have numbers x, y, z"},
        {SAVE(ENTITY("Character", "")), "<MyObjectBuilder_E",
         "character: PositionAndOrientation is missing"},
        {SAVE(ENTITY("Character", "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/>"
                                  "<Forward x=\"0\" y=\"2\" z=\"0\"/><Up x=\"1\" y=\"0\" z=\"0\"/>"
                                  "</PositionAndOrientation>")),
         "<MyObjectBuilder_E", "character: " UNIT},
        {IN_BLOCK(MIN(0, 0, x)), "<Min", "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK("<Min x=\"0\" y=\"0\"/>"), "<Min",
         "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK(MIN(0, 0.5, 0)), "<Min",
         "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK(MIN(1048577, 0, 0)), "<Min",
         "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK(MIN(0, 0, -18446744073709551615)), "<Min",
         "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK(MIN(0, 0, 18446744073709551615)), "<Min",
         "Min must have whole numbers x, y, z from -2^20 to 2^20"},
        {IN_BLOCK(MIN(1048576, 0, 0)), "<MyObjectBuilder_CubeBlock",
         "block 0 (7/1048576,0,0): it reaches too far"},
        {IN_BLOCK(MIN(1048576, 0, 0) ID("-4")), "<MyObjectBuilder_CubeBlock",
         "block 0 (id -4): it reaches too far"},
        {IN_BLOCK(TURN("Up", "Down")), "<BlockO",
         "BlockOrientation must have sides Forward and Up at a right angle"},
        {IN_BLOCK(TURN("Forward", "up")), "<BlockO",
         "BlockOrientation must have sides Forward and Up at a right angle"},
        {IN_BLOCK("<BlockOrientation Up=\"Up\"/>"), "<BlockO",
         "BlockOrientation must have sides Forward and Up at a right angle"},
        {IN_BLOCK("<IntegrityPercent>1.5</IntegrityPercent>"), "<Int",
         "IntegrityPercent is '1.5', not a number from 0 to 1"},
        {IN_BLOCK("<IntegrityPercent>-0.5</IntegrityPercent>"), "<Int",
         "IntegrityPercent is '-0.5', not a number from 0 to 1"},
        {IN_BLOCK("<Open>1</Open>"), "<Open", "Open is '1', neither true nor false"},
        {IN_BLOCK("<Delay>-1</Delay>"), "<Delay", "Delay is '-1', not a number from 0 to 1e+12"},
        {IN_PANEL("<Slot>" ON_BLOCK("Open", "1") "</Slot>"), "<Slot>",
         "Index of the slot is missing"},
        {IN_PANEL(SLOT("64", ON_BLOCK("Open", "1"))), "<MyObjectBuilder_CubeBlock",
         "a panel has no button 64"},
        {IN_PANEL(SLOT("-1", ON_BLOCK("Open", "1"))), "<Index", "Index is not from 0 to 2^32 - 2"},
        {IN_PANEL(SLOT("4294967295", "")), "<Index", "Index is not from 0 to 2^32 - 2"},
        {IN_PANEL(SLOT("0", ON_BLOCK("Open", "a"))), "<BlockE",
         "BlockEntityId is 'a', not a whole number of 64 bits"},
        {SAVE(GRID("7", "", GROUPS(GROUP("", CELL(0, 0, 0))))), "<MyObjectBuilder_B",
         "Name of the group is missing"},
        {SAVE(GRID("7", "", GROUPS(GROUP("a", CELL(0, 0.1, 0))))), "<Y>",
         "Y is '0.1', not a whole number from -2^20 to 2^20"},
        {"<MyObjectBuilder_Sector><a></b></MyObjectBuilder_Sector>", "b></M", "mismatched tag"},
        {"<MyObjectBuilder_Sector a=\"1\" a=\"2\"/>", "a=\"2", "duplicate attribute"},
        {"<MyObjectBuilder_Sector>\xff</MyObjectBuilder_Sector>", "\xff",
         "not well-formed (invalid token)"},
        {"<MyObjectBuilder_Sector/>\n<b/>", "<b", "junk after document element"},
        {"<MyObjectBuilder_Sector>&gone;</MyObjectBuilder_Sector>", "&gone", "undefined entity"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

// The same where what is wrong is the second of its kind: it stands behind a mark.
static void the_second_of_two_is_refused(void **state)
{
    (void)state;
#define MARK "<?mark?>"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {SAVE(GRID("5", "", "") GRID("6", "", "") MARK GRID("5", "", "")),
         "grid 2: a grid before has its EntityId"},
        {SAVE(GRID("7", BLOCK("A", ID("3")) MARK BLOCK("A", ID("3") MIN(1, 0, 0)), "")),
         "block 1 (id 3): the id is that of block 0"},
        {SAVE(GRID("7", BLOCK("A", ID("3")) BLOCK("A", MIN(1, 0, 0)), "")
                  GRID("8", BLOCK("A", MIN(1, 0, 0)) MARK BLOCK("A", MIN(1, 0, 0)), "")),
         "block 3 (8/1,0,0): the id is that of block 2"},
        {SAVE(GRID("7", "", "") MARK ENTITY("Character", "")),
         "character: PositionAndOrientation is missing"},
        {SAVE(GRID("7", "", "") MARK ENTITY("CubeGrid", "")), "grid 1: EntityId is missing"},
        {SAVE(GRID("7", "",
                   GROUPS(GROUP("A", "") MARK "<MyObjectBuilder_BlockGroup><Blocks>" CELL(
                       0, 0, 0) "</Blocks></MyObjectBuilder_BlockGroup>"))),
         "Name of the group is missing"},
        {SAVE(GRID("7", BLOCK("", SUBTYPE("Window/W")) MARK BLOCK("/Window", SUBTYPE("W")), "")),
         "its type, '/Window/W', is also that of other blocks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const place = strstr(cases[i].text, MARK) + strlen(MARK);
        oct_world *world;
        oct_error error;
        assert_int_equal(decode(cases[i].text, strlen(cases[i].text), &world, &error),
                         OCT_ERROR_FORMAT);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.offset, place - cases[i].text);
        uint32_t line = 1;
        for (const char *at = cases[i].text; at < place; at++) {
            line += *at == '\n';
        }
        assert_int_equal(error.line, line);
    }
}

// ---- files ----

static void path_in(void **state, char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", (const char *)*state, name);
}

static void write_file(void **state, const char *name, const char *text)
{
    char path[1024];
    path_in(state, path, sizeof path, name);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int remove_files(void **state)
{
    static const char *const names[] = {"a/b/save.sbs",
                                        "a/b/world.json",
                                        "a/b/block_sizes.json",
                                        "a/block_sizes.json",
                                        "a/b",
                                        "a",
                                        "."};
    char path[1024];
    for (size_t i = 0; i + 1 < sizeof names / sizeof names[0]; i++) {
        path_in(state, path, sizeof path, names[i]);
        remove(path);
    }
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static void saves_are_found_by_what_they_hold(void **state)
{
    char path[1024], folder[1024];
    path_in(state, folder, sizeof folder, "a");
    assert_int_equal(mkdir(folder, 0777), 0);
    path_in(state, folder, sizeof folder, "a/b");
    assert_int_equal(mkdir(folder, 0777), 0);
    write_file(state, "a/b/save.sbs", "\xef\xbb\xbf" FULL_SAVE);
    write_file(state, "a/b/world.json", FULL_SAVE);
    oct_world *world, *other;
    const char *kind = "";
    oct_error error;
    path_in(state, path, sizeof path, "a/b/save.sbs");
    assert_int_equal(oct_world_load(path, NULL, NULL, &world, &kind, &error), OCT_OK);
    assert_string_equal(kind, "space-engineers-save");
    path_in(state, path, sizeof path, "a/b/world.json");
    assert_int_equal(oct_world_load(path, NULL, NULL, &other, NULL, NULL), OCT_OK);
    assert_same_world(world, other);
    oct_world_destroy(world);
    oct_world_destroy(other);
    write_file(state, "a/b/save.sbs", "{\"format\": 1}");
    path_in(state, path, sizeof path, "a/b/save.sbs");
    assert_int_equal(oct_world_load(path, NULL, NULL, &world, NULL, &error), OCT_ERROR_FORMAT);
    assert_null(world);
    write_file(state, "a/b/save.sbs", "");
    assert_int_equal(oct_world_load(path, NULL, NULL, &world, NULL, &error), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "the file is empty");

    // Sizes beside the save come before those above it.
    char found[1024], wanted[1024];
    assert_false(oct_block_sizes_find(path, found, sizeof found));
    write_file(state, "a/block_sizes.json", "[]");
    path_in(state, wanted, sizeof wanted, "a/b/../block_sizes.json");
    assert_true(oct_block_sizes_find(path, found, sizeof found));
    assert_string_equal(found, wanted);
    write_file(state, "a/b/block_sizes.json", SIZES);
    path_in(state, wanted, sizeof wanted, "a/b/block_sizes.json");
    assert_true(oct_block_sizes_find(path, found, sizeof found));
    assert_string_equal(found, wanted);
    assert_false(oct_block_sizes_find(path, found, strlen(wanted)));
    assert_int_equal(oct_block_sizes_load(wanted, NULL, &world, &error), OCT_OK);
    assert_int_equal(oct_world_types(world), 2);
    oct_world_destroy(world);
    assert_int_equal(oct_block_sizes_load(folder, NULL, &world, &error), OCT_ERROR_FILE);
    assert_null(world);
}

// Also where the system does not know how large a file is.
static void files_beyond_a_limit_are_refused(void **state)
{
    (void)state;
    oct_file file;
    oct_error error;
    char buffer[600];
    size_t got, all = 0;
    if (oct_file_open("/dev/zero", 2u << 20, &file, &error) != OCT_OK) {
        skip();
    }
    oct_result result = OCT_OK;
    while (result == OCT_OK && all <= 3u << 20) {
        result = oct_file_next(&file, buffer, sizeof buffer, &got, &error);
        all += got;
    }
    oct_file_close(&file);
    assert_int_equal(result, OCT_ERROR_FILE);
    assert_string_equal(error.message, "the file is larger than 2 MiB");
    assert_true(all > 2u << 20 && all <= (2u << 20) + sizeof buffer);
}

static void saves_go_by_their_extension(void **state)
{
    (void)state;
    assert_true(oct_world_is_named("a.sbs") && oct_save_is_named("b.json/a.sbs"));
    assert_false(oct_save_is_named("a.json") || oct_world_is_target("a.sbs"));
    assert_false(oct_save_is_named("a.sbs/b") || oct_save_is_named("a.sbsB5"));
    assert_true(oct_world_is_target("a.json") && oct_world_is_named("a.json"));
    assert_true(oct_save_is_meant("\xef\xbb\xbf<", 4) && oct_save_is_meant(" \r\n\t<", 5));
    assert_false(oct_save_is_meant("", 0) || oct_save_is_meant("<", 0));
    assert_false(oct_save_is_meant("{<", 2) || oct_save_is_meant("\0<", 2));
    assert_false(oct_save_is_meant("\xef\xbb\xbf", 3));
}

// ---- sizes ----

static void broken_sizes_are_refused(void **state)
{
    (void)state;
#define TYPED(size) "[\n{\"id\": \"MyObjectBuilder_A\", \"type\": \"B\", \"size\": " size "}]"
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"", 1, 1, "expected a list"},
        {"{}", 1, 1, "expected a list"},
        {"[] 1", 1, 4, "something follows the list"},
        {"[{}", 1, 4, "item 0: id is missing"},
        {"[\n {}]", 2, 2, "item 0: id is missing"},
        {"[7]", 1, 2, "item 0: it must be an object"},
        {"[{\"id\": 1}]", 1, 2, "item 0: id must be a string"},
        {"[{\"id\": \"MyObjectBuilder_A\"}]", 1, 2, "item 0: type is missing"},
        {"[{\"id\": \"A\", \"type\": \"B\"}]", 1, 2,
         "item 0: id does not begin with MyObjectBuilder_"},
        {"[\n{\"id\": \"MyObjectBuilder_A\", \"type\": \"B\"}]", 2, 1, "item 0: size is missing"},
        {TYPED("[1, 2]"), 2, 1, "item 0: size must be 3 numbers"},
        {TYPED("[1, 2, 0]"), 2, 1, "item 0: size must be whole numbers from 1 to 64"},
        {TYPED("[1, 65, 1]"), 2, 1, "item 0: size must be whole numbers from 1 to 64"},
        {TYPED("[1.5, 1, 1]"), 2, 1, "item 0: size must be whole numbers from 1 to 64"},
        {"[{\"id\": \"MyObjectBuilder_A\", \"type\": \"\", \"size\": [1, 1, 1]},\n"
         "{\"id\": \"MyObjectBuilder_A\", \"type\": \"\", \"size\": [1, 2, 1]}]",
         2, 1, "item 1: the type has another size above"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oct_world *types;
        oct_error error = {.line = 0};
        const size_t size = strlen(cases[i].text);
        assert_int_equal(oct_block_sizes_decode(cases[i].text, size, NULL, &types, &error),
                         OCT_ERROR_FORMAT);
        assert_null(types);
        if (i == 3) {
            continue; // jansson's words
        }
        if (error.line != cases[i].line || error.column != cases[i].column ||
            strcmp(error.message, cases[i].message) != 0) {
            fail_msg("%s: %u:%u: %s", cases[i].text, error.line, error.column, error.message);
        }
    }
    for (size_t size = 1; size + 2 < sizeof SIZES; size++) {
        oct_world *types;
        oct_error error = {.line = 0};
        assert_int_equal(oct_block_sizes_decode(SIZES, size, NULL, &types, &error),
                         OCT_ERROR_FORMAT);
        assert_true(error.line > 0 && error.message[0]);
    }
}

static oct_result sizes_with(const oct_allocator *allocator, void *ctx)
{
    oct_world *types;
    oct_error error = {.line = 0};
    const oct_result result = oct_block_sizes_decode(ctx, strlen(ctx), allocator, &types, &error);
    assert_true(result == OCT_OK || error.message[0]);
    oct_world_destroy(types);
    return result;
}

static void reading_sizes_survives_every_failing_allocation(void **state)
{
    (void)state;
    char text[] = SIZES;
    assert_true(test_each_failure(sizes_with, text) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_a_save_is_named),
        cmocka_unit_test(the_second_of_two_is_refused),
        cmocka_unit_test_setup_teardown(saves_are_found_by_what_they_hold, make_folder,
                                        remove_files),
        cmocka_unit_test(files_beyond_a_limit_are_refused),
        cmocka_unit_test(saves_go_by_their_extension),
        cmocka_unit_test(broken_sizes_are_refused),
        cmocka_unit_test(reading_sizes_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
