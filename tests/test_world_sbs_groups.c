// SPDX-License-Identifier: MIT
// Saves of Space Engineers: the cells that their blocks cover, and the groups that name cells.
#include "sbs_support.h"

// ---- sizes ----

static void sizes_are_turned_with_the_block(void **state)
{
    (void)state;
    oct_world *sizes = read_sizes(SIZES);
    warnings all;
    oct_world *world = read_save(
        SAVE(GRID("7",
                  BLOCK("Refinery", SUBTYPE("LargeRefinery") ID("1") MIN(0, 0, 0))
                      BLOCK("Refinery", SUBTYPE("LargeRefinery") ID("2") MIN(10, 0, 0) TURN(
                                            "Left", "Forward")) BLOCK("Door", ID("3") MIN(20, 0, 0))
                          BLOCK("Door", SUBTYPE("Odd") ID("4") MIN(21, 0, 0))
                              BLOCK("Door", SUBTYPE("Odd") ID("5") MIN(22, 0, 0)),
                  "")),
        sizes, &all);
    const oct_bounds upright = oct_world_get(world, 0).box, turned = oct_world_get(world, 1).box;
    assert_true(upright.max.x == 3.75 && upright.max.y == 8.75 && upright.max.z == 6.25);
    // Its back is the grid's right, its up the grid's forward, so its right the grid's up.
    assert_true(turned.min.x == 23.75 && turned.max.x == 31.25);
    assert_true(turned.max.y == 3.75 && turned.max.z == 8.75);
    assert_string_equal(all.text, "the size of Door/Odd is not known: it counts as one cell\n");
    oct_world_destroy(world);
    oct_world_destroy(sizes);
}

static void many_types_of_unknown_size_are_counted(void **state)
{
    (void)state;
    char text[4096] =
        SAVE_HEAD "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_CubeGrid\">" ID("1")
            POSE_AT("0", "0", "0") LARGE "<CubeBlocks>";
    for (int i = 0; i < 11; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "<MyObjectBuilder_CubeBlock><SubtypeName>T%d</SubtypeName><Min x=\"%d\" y=\"0\" "
                 "z=\"0\"/></MyObjectBuilder_CubeBlock>",
                 i, i);
    }
    strcat(text, "</CubeBlocks></MyObjectBuilder_EntityBase>" SAVE_TAIL);
    oct_world *sizes = read_sizes("[]");
    warnings all;
    oct_world_destroy(read_save(text, sizes, &all));
    assert_non_null(strstr(all.text, "the size of CubeBlock/T0 is not known: it counts as one"));
    assert_non_null(strstr(all.text, "CubeBlock/T7 is"));
    assert_null(strstr(all.text, "CubeBlock/T8 is"));
    assert_non_null(strstr(all.text, "\nthe sizes of 3 more types are not known\n"));
    oct_world_destroy(read_save(SAVE(""), NULL, &all));
    assert_string_equal(all.text, ""); // nothing is missing where there is nothing
    oct_world_destroy(sizes);
}

// ---- groups ----

static void append_text(oct_array *out, const char *format, ...)
{
    char text[256];
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    append(out, text, (size_t)length);
}

enum { GROUP_BLOCKS = 60, GROUP_CELLS = 90, GROUP_SIZE = 9, GROUP_EDGE = 7 };

// A grid of blocks that may overlap, and groups of cells anywhere, some fewer than a block has.
// Returns how many cells.
static int write_grouped(oct_random *random, oct_vec *cells, oct_array *out)
{
    static const char *const ups[] = {"Up", "Left", "Down"};
    append_text(out, "%s",
                SAVE_HEAD
                "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_CubeGrid\">" ID("1"));
    append_text(out, "%s", POSE_AT("0", "0", "0") LARGE "<CubeBlocks>");
    const int blocks = oct_random_range(random, 1, GROUP_BLOCKS);
    for (int i = 0; i < blocks; i++) {
        append_text(out,
                    "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_Refinery\">"
                    "<SubtypeName>%s</SubtypeName><EntityId>%d</EntityId><Min x=\"%d\" y=\"%d\" "
                    "z=\"%d\"/><BlockOrientation Forward=\"Forward\" Up=\"%s\"/>"
                    "</MyObjectBuilder_CubeBlock>",
                    oct_random_below(random, 2) ? "LargeRefinery" : "One", i + 1,
                    oct_random_range(random, 0, GROUP_EDGE),
                    oct_random_range(random, 0, GROUP_EDGE),
                    oct_random_range(random, 0, GROUP_EDGE), ups[oct_random_below(random, 3)]);
    }
    append_text(out, "</CubeBlocks><BlockGroups>");
    const int count = GROUP_SIZE * oct_random_range(random, 1, GROUP_CELLS / GROUP_SIZE);
    for (int i = 0; i < count; i++) {
        cells[i] = (oct_vec){oct_random_range(random, 0, GROUP_EDGE),
                             oct_random_range(random, 0, GROUP_EDGE),
                             oct_random_range(random, 0, GROUP_EDGE)};
        append_text(out, "%s", i % GROUP_SIZE == 0 ? "<MyObjectBuilder_BlockGroup><Blocks>" : "");
        append_text(out, "<Vector3I><X>%d</X><Y>%d</Y><Z>%d</Z></Vector3I>", cells[i].x, cells[i].y,
                    cells[i].z);
        if (i % GROUP_SIZE == GROUP_SIZE - 1) {
            append_text(out, "</Blocks><Name>G%d</Name></MyObjectBuilder_BlockGroup>",
                        i / GROUP_SIZE);
        }
    }
    append_text(out, "%s", "</BlockGroups></MyObjectBuilder_EntityBase>" SAVE_TAIL);
    return count;
}

// The first block that covers a cell, by looking at all of them.
static size_t block_at_cell(const oct_world *world, oct_vec cell)
{
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block b = oct_world_get(world, i);
        const oct_vec s = oct_world_span(world, &b);
        if (cell.x >= b.cell.x && cell.x < b.cell.x + s.x && cell.y >= b.cell.y &&
            cell.y < b.cell.y + s.y && cell.z >= b.cell.z && cell.z < b.cell.z + s.z) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void groups_hold_the_blocks_at_their_cells(void **state)
{
    (void)state;
    oct_world *sizes = read_sizes(SIZES);
    oct_random random = oct_random_seed(8);
    const uint64_t rounds = test_rounds(300);
    size_t found = 0, missing = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        oct_vec cells[GROUP_CELLS];
        oct_array text = {0};
        const int count = write_grouped(&random, cells, &text);
        append(&text, "", 1);
        oct_world *world = read_save(text.items, sizes, NULL);
        size_t next = 0;
        for (int i = 0; i < count; i++) {
            const size_t block = block_at_cell(world, cells[i]);
            if (block == SIZE_MAX) {
                missing++;
                continue;
            }
            found++;
            char group[16];
            snprintf(group, sizeof group, "G%d", i / GROUP_SIZE);
            const oct_world_member member = oct_world_get_member(world, next++);
            assert_int_equal(member.block, oct_world_get(world, block).id);
            assert_string_equal(member.group, group);
        }
        assert_int_equal(next, oct_world_members(world));
        oct_world_destroy(world);
        drop(&text);
    }
    assert_true(found > 5 * rounds && missing > 5 * rounds);
    oct_world_destroy(sizes);
}

// Groups are their grid's; axes that a cell does not have are 0.
static void groups_belong_to_their_grid(void **state)
{
    (void)state;
    oct_world *world =
        read_save(SAVE(GRID("7", BLOCK("A", ID("1") MIN(3, 0, 0)) BLOCK("A", ID("2")),
                            GROUPS(GROUP("A", CELL(3, 0, 0) "<Vector3I><Y>0</Y></Vector3I>")
                                       GROUP("C", "") GROUP("", "")))
                           GRID("8", BLOCK("A", ID("3") MIN(3, 0, 0)) BLOCK("A", ID("4")),
                                GROUPS(GROUP("A", CELL(0, 0, 0))))),
                  NULL, NULL);
    static const uint64_t ids[] = {1, 2, 4};
    assert_int_equal(oct_world_members(world), 3);
    for (size_t i = 0; i < 3; i++) {
        const oct_world_member member = oct_world_get_member(world, i);
        assert_int_equal(member.block, ids[i]);
        assert_int_equal(member.grid, i == 2);
        assert_string_equal(member.group, "A");
    }
    oct_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_turned_with_the_block),
        cmocka_unit_test(many_types_of_unknown_size_are_counted),
        cmocka_unit_test(groups_hold_the_blocks_at_their_cells),
        cmocka_unit_test(groups_belong_to_their_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
