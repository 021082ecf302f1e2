// SPDX-License-Identifier: MIT
// The text formats: what they mean, what they refuse and where, and that maps come back as they
// were. Then what holds for all formats, and the counts of public files.
#include "format_support.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include <stdio.h>

// ---- .3dmap ----

static void voxels_are_blocked_and_all_else_open(void **state)
{
    (void)state;
    oct_tree_info info;
    oct_tree *tree =
        read_text(OCT_FORMAT_3DMAP, "voxel 7 5 6\n0 0 0\n6 4 5\n3 2 1\n3 2 1\n", &info);
    assert_label(tree, 0, 0, 0, OCT_BLOCKED);
    assert_label(tree, 6, 4, 5, OCT_BLOCKED);
    assert_label(tree, 3, 2, 1, OCT_BLOCKED);
    assert_label(tree, 7, 4, 5, OCT_UNKNOWN);
    assert_label(tree, -1, 0, 0, OCT_UNKNOWN);
    uint64_t counts[3];
    assert_int_equal(oct_tree_count(tree, info.box, counts), OCT_OK);
    assert_int_equal(counts[OCT_BLOCKED], 3);
    assert_int_equal(counts[OCT_OPEN], 7 * 5 * 6 - 3);
    const oct_box all = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    assert_memory_equal(&all, &info.box, sizeof all);
    assert_int_equal(info.box.max.x, 7);
    assert_int_equal(info.box.max.y, 5);
    assert_int_equal(info.box.max.z, 6);
    oct_tree_destroy(tree);
}

static void rev_voxels_are_open_and_all_else_blocked(void **state)
{
    (void)state;
    oct_tree *tree = read_text(OCT_FORMAT_3DMAP, "rev_voxel 9 9 9\n8 8 8\n0 1 2\n", NULL);
    assert_label(tree, 8, 8, 8, OCT_OPEN);
    assert_label(tree, 0, 1, 2, OCT_OPEN);
    assert_label(tree, 0, 0, 0, OCT_BLOCKED);
    assert_label(tree, 9, 8, 8, OCT_UNKNOWN);
    oct_tree_destroy(tree);
}

static void voxel_lines_may_end_in_any_way(void **state)
{
    (void)state;
    static const char *const same[] = {"voxel 3 4 5\n2 3 4\n1 1 1\n", "voxel 3 4 5\n1 1 1\n2 3 4",
                                       "voxel 3 4 5\r\n2 3 4\r\n1 1 1\r\n\r\n\n  \n",
                                       "voxel  3\t4 5 \n2  3\t4 \n1 1 1\n"};
    oct_tree *first = read_text(OCT_FORMAT_3DMAP, same[0], NULL);
    for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
        oct_tree *tree = read_text(OCT_FORMAT_3DMAP, same[i], NULL);
        assert_same_tree(tree, first);
        oct_tree_destroy(tree);
    }
    oct_tree_destroy(first);
}

static void bad_voxels_are_refused_with_line_and_column(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"voxels 5 5 5\n", 0, 0, 1, 1, "expected `voxel W H D`"},
        {"1 2 3\n", 0, 0, 1, 1, "expected `voxel W H D`"},
        {"voxel 5 5\n", 0, 9, 1, 10, "from 1 to 1048576"},
        {"voxel 5 0 5\n", 0, 8, 1, 9, "from 1 to 1048576"},
        {"voxel 5 1048577 5\n", 0, 8, 1, 9, "from 1 to 1048576"},
        {"voxel -5 5 5\n", 0, 6, 1, 7, "from 1 to 1048576"},
        {"voxel 4294967301 5 5\n", 0, 6, 1, 7, "from 1 to 1048576"},
        {"voxel 5 5 5 5\n", 0, 12, 1, 13, "end of the line"},
        {"voxel 9999 9999 9999\n", 0, 20, 1, 21, "too large"},
        {"voxel 5 5 5\n5 0 0\n", 0, 12, 2, 1, "x of a cell, from 0 to 4"},
        {"voxel 5 6 5\n0 0 0\n0 6 0\n", 0, 20, 3, 3, "y of a cell, from 0 to 5"},
        {"voxel 5 5 7\n0 0 12\n", 0, 16, 2, 5, "z of a cell, from 0 to 6"},
        {"voxel 5 5 5\n0 -1 0\n", 0, 14, 2, 3, "y of a cell"},
        {"voxel 5 5 5\n0 0\n", 0, 15, 2, 4, "z of a cell"},
        {"voxel 5 5 5\n0 0 ", 0, 16, 2, 5, "z of a cell"},
        {"voxel 5 5 5\n0 0 4294967296\n", 0, 16, 2, 5, "z of a cell"},
        {"voxel 5 5 5\n0 0x1 2\n", 0, 15, 2, 4, "z of a cell"},
        {"voxel 5 5 5\r\n0 0 1 2\r\n", 0, 19, 2, 7, "end of the line"},
        {"voxel 5 5 5\n0 0 1\r1 1 1\n", 0, 17, 2, 6, "end of the line"},
        {"voxel 5 5 5\n0 0 1\n\n1 1 1\n", 0, 19, 4, 1, "empty lines"},
        {"voxel 5 5 5\n0 0 1\n 1 1 1\n", 0, 19, 3, 2, "empty lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(OCT_FORMAT_3DMAP, &bad[i]);
    }
}

static void the_largest_voxel_box_costs_little_where_it_lies_well(void **state)
{
    (void)state;
    oct_tree *tree = read_text(OCT_FORMAT_3DMAP, "voxel 1048576 1048576 1048576\n0 0 0\n", NULL);
    assert_label(tree, 1048575, 1048575, 1048575, OCT_OPEN);
    assert_label(tree, 0, 0, 0, OCT_BLOCKED);
    assert_true(oct_tree_bytes(tree) < 4096);
    oct_tree_destroy(tree);
}

static void voxels_are_written_by_x_then_y_then_z(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    oct_tree_info info = oct_tree_info_default();
    info.box = (oct_box){{-3, 10, -1}, {1, 13, 2}};
    oct_tree_set_box(tree, info.box, OCT_MARK_OPEN);
    oct_tree_set_box(tree, (oct_box){{-3, 12, 0}, {-1, 14, 9}}, OCT_MARK_BLOCKED);
    oct_tree_set_box(tree, (oct_box){{-3, 10, 1}, {-2, 11, 2}}, OCT_MARK_BLOCKED);
    const output out = written(OCT_FORMAT_3DMAP, tree, &info);
    const char *expected = "voxel 4 3 3\n0 0 2\n0 2 1\n0 2 2\n1 2 1\n1 2 2\n";
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    free(out.data);
    oct_tree_destroy(tree);
}

static void whichever_voxels_are_fewer_are_listed(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    oct_tree_info info = oct_tree_info_default();
    info.box = (oct_box){{0, 0, 0}, {4096, 4096, 4096}};
    oct_tree_set_box(tree, info.box, OCT_MARK_BLOCKED);
    oct_tree_set(tree, (oct_cell){4095, 7, 4000, 0}, OCT_MARK_OPEN);
    const output out = written(OCT_FORMAT_3DMAP, tree, &info);
    const char *expected = "rev_voxel 4096 4096 4096\n4095 7 4000\n";
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    free(out.data);
    oct_tree_destroy(tree);
}

// ---- .map ----

static void map_characters_are_open_or_blocked(void **state)
{
    (void)state;
    oct_tree_info info;
    oct_tree *tree =
        read_text(OCT_FORMAT_MAP, "type octile\nheight 2\nwidth 4\nmap\n.GS.\n@OTW\n", &info);
    assert_int_equal(oct_tree_dims(tree), 2);
    for (int32_t x = 0; x < 4; x++) {
        assert_label(tree, x, 0, 0, OCT_OPEN);
        assert_label(tree, x, 1, 0, OCT_BLOCKED);
        assert_label(tree, x, 2, 0, OCT_UNKNOWN);
    }
    assert_label(tree, 4, 0, 0, OCT_UNKNOWN);
    assert_int_equal(info.box.max.x, 4);
    assert_int_equal(info.box.max.y, 2);
    oct_tree_destroy(tree);
}

static void map_lines_may_end_in_crlf_and_the_last_not_at_all(void **state)
{
    (void)state;
    oct_tree *plain =
        read_text(OCT_FORMAT_MAP, "type octile\nheight 2\nwidth 3\nmap\n.@.\n@..\n", NULL);
    oct_tree *crlf =
        read_text(OCT_FORMAT_MAP, "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n@..", NULL);
    assert_same_tree(plain, crlf);
    oct_tree_destroy(plain);
    oct_tree_destroy(crlf);
}

#define MAP_HEADER "type octile\nheight 3\nwidth 2\nmap\n" // 33 bytes

static void bad_maps_are_refused_with_line_and_column(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"height 3\n", 0, 0, 1, 1, "`type octile`"},
        {"type tile\n", 0, 5, 1, 6, "`octile`"},
        {"type octile\nwidth 3\n", 0, 12, 2, 1, "`height`"},
        {"type octile\nheight 0\n", 0, 19, 2, 8, "from 1 to 1048576"},
        {"type octile\nheight 3 3\n", 0, 21, 2, 10, "after the height"},
        {"type octile\nheight 3\nheight 3\n", 0, 21, 3, 1, "`width`"},
        {"type octile\nheight 3\nwidth 2\n..\n", 0, 29, 4, 1, "`map`"},
        {"type octile\nheight 1048576\nwidth 1048576\nmap\n..\n", 0, 45, 5, 1, "do not fit"},
        {MAP_HEADER "..\n..\n", 0, 39, 7, 1, "row 3 of 3 is missing"},
        {MAP_HEADER "..\n.\n...\n", 0, 37, 6, 2, "the row has 1 cells, not 2"},
        {MAP_HEADER "..\n\n..\n..", 0, 36, 6, 1, "the row has 0 cells, not 2"},
        {MAP_HEADER "..\n...\n..\n", 0, 38, 6, 3, "more than 2 cells"},
        {MAP_HEADER "..\n.x\n..\n", 0, 37, 6, 2, "one of . G S @ O T W"},
        {MAP_HEADER "..\n..\n.", 0, 40, 7, 2, "the row has 1 cells, not 2"},
        {MAP_HEADER "..\n..\n..\n..\n", 0, 42, 8, 1, "empty lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(OCT_FORMAT_MAP, &bad[i]);
    }
}

static void maps_are_written_row_by_row(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(2);
    oct_tree_info info = oct_tree_info_default();
    info.box = (oct_box){{-2, -1, 0}, {7, 2, 0}};
    oct_tree_set_box(tree, (oct_box){{-9, -9, 0}, {9, 9, 1}}, OCT_MARK_OPEN);
    oct_tree_set_box(tree, (oct_box){{-5, -1, 0}, {0, 0, 1}}, OCT_MARK_BLOCKED);
    oct_tree_set_box(tree, (oct_box){{1, 1, 0}, {20, 3, 1}}, OCT_MARK_SOLID);
    const output out = written(OCT_FORMAT_MAP, tree, &info);
    const char *expected = "type octile\nheight 3\nwidth 9\nmap\n"
                           "@@.......\n.........\n...@@@@@@\n";
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    free(out.data);
    oct_tree_destroy(tree);
}

// ---- .3dmap and .map: writing ----

static void text_formats_refuse_what_they_cannot_say(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    oct_tree_info info = oct_tree_info_default();
    info.box = (oct_box){{0, 0, 0}, {4, 4, 4}};
    oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {4, 4, 3}}, OCT_MARK_OPEN);
    output out = {NULL, 0, SIZE_MAX};
    oct_error error;
    assert_int_equal(oct_tree_write(OCT_FORMAT_3DMAP, tree, &info, collect, &out, &error),
                     OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "UNKNOWN"));
    static const oct_box bad[] = {{{0, 0, 0}, {0, 4, 4}},
                                  {{0, 0, 0}, {4, 4, 1 << 21}},
                                  {{-OCT_RANGE - 1, 0, 0}, {4, 4, 4}},
                                  {{INT32_MIN, 0, 0}, {INT32_MAX, 4, 4}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        info.box = bad[i];
        assert_int_equal(oct_tree_write(OCT_FORMAT_3DMAP, tree, &info, collect, &out, &error),
                         OCT_ERROR_RANGE);
        assert_non_null(strstr(error.message, "1048576"));
    }
    assert_int_equal(out.size, 0);
    oct_tree_destroy(tree);
}

static void random_worlds_come_back_from_text(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(11);
    for (int round = 0; round < 60; round++) {
        const uint32_t dims = round % 2 ? 3 : 2;
        const oct_format format = dims == 3 ? OCT_FORMAT_3DMAP : OCT_FORMAT_MAP;
        oct_tree *tree = new_tree(dims);
        oct_tree_info info = oct_tree_info_default();
        info.box = random_box(&random, (oct_box){{-50, -50, -50}, {50, 50, 50}}, 40);
        oct_tree_set_box(tree, info.box, round % 3 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
        for (int i = 0; i < 20; i++) {
            const oct_mark mark = i % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED;
            oct_tree_set_box(tree, random_box(&random, info.box, 9), mark);
        }
        const output out = written(format, tree, &info);
        oct_tree_info found;
        oct_tree *back = read_bytes(format, out.data, out.size, &found);
        const oct_vec m = info.box.min;
        for (int32_t x = m.x; x < info.box.max.x; x++) {
            for (int32_t y = m.y; y < info.box.max.y; y++) {
                for (int32_t z = m.z; z < (dims == 3 ? info.box.max.z : m.z + 1); z++) {
                    assert_label(back, x - m.x, y - m.y, z - m.z,
                                 oct_tree_label(tree, (oct_vec){x, y, z}));
                }
            }
        }
        const output again = written(format, back, &found);
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        free(out.data);
        free(again.data);
        oct_tree_destroy(back);
        oct_tree_destroy(tree);
    }
}

// ---- all formats ----

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    const oct_tree_def def = oct_tree_def_default();
    oct_tree_def zeroed = {0};
    oct_tree *tree = (oct_tree *)(void *)&zeroed;
    oct_error error;
    assert_int_equal(oct_tree_read(OCT_FORMAT_COUNT, "", 0, &def, &tree, NULL, &error),
                     OCT_ERROR_ARGUMENT);
    assert_null(tree);
    assert_int_equal(oct_tree_read((oct_format)-1, "", 0, &def, &tree, NULL, NULL),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_read(OCT_FORMAT_MAP, "", 0, NULL, &tree, NULL, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_read(OCT_FORMAT_MAP, NULL, 4, &def, &tree, NULL, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_read(OCT_FORMAT_MAP, NULL, 0, &def, &tree, NULL, &error),
                     OCT_ERROR_FORMAT);
    assert_int_equal(
        oct_tree_read(OCT_FORMAT_3DMAP, "voxel 1 1 1", 11, &zeroed, &tree, NULL, &error),
        OCT_ERROR_ARGUMENT);
    assert_null(tree);

    const uint32_t dims[] = {2, 3, 2};
    const oct_format wrong[] = {OCT_FORMAT_3DMAP, OCT_FORMAT_MAP, OCT_FORMAT_BT};
    output none = {NULL, 0, SIZE_MAX};
    oct_tree_info info = oct_tree_info_default();
    for (size_t i = 0; i < 3; i++) {
        tree = new_tree(dims[i]);
        assert_int_equal(oct_tree_write(wrong[i], tree, &info, collect, &none, &error),
                         OCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "dimensions"));
        oct_tree_destroy(tree);
    }
    tree = new_tree(3);
    info.cookie = 0;
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &none, &error),
                     OCT_ERROR_ARGUMENT);
    info = oct_tree_info_default();
    assert_int_equal(oct_tree_write(OCT_FORMAT_COUNT, tree, &info, collect, &none, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, NULL, &none, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, NULL, &info, collect, &none, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(none.size, 0);
    oct_tree_destroy(tree);
}

// A world that takes several buffers in every format.
static oct_tree *busy_world(uint32_t dims, oct_tree_info *info)
{
    oct_random random = oct_random_seed(15);
    oct_tree *tree = new_tree(dims);
    *info = oct_tree_info_default();
    info->box = (oct_box){{1, 1, 1}, {161, 161, 61}};
    oct_tree_set_box(tree, info->box, OCT_MARK_OPEN);
    for (int i = 0; i < 1000; i++) {
        oct_tree_set_box(tree, random_box(&random, info->box, 3), OCT_MARK_BLOCKED);
    }
    return tree;
}

static void a_writer_stops_when_its_bytes_are_refused(void **state)
{
    (void)state;
    for (int format = 0; format < OCT_FORMAT_COUNT; format++) {
        oct_tree_info info;
        oct_tree *tree = busy_world(format == OCT_FORMAT_MAP ? 2 : 3, &info);
        const output whole = written((oct_format)format, tree, &info);
        size_t calls = 0;
        for (oct_result result = OCT_ERROR_FILE; result != OCT_OK; calls++) {
            output part = {NULL, 0, calls};
            oct_error error;
            result = oct_tree_write((oct_format)format, tree, &info, collect, &part, &error);
            assert_true(result == OCT_OK || (result == OCT_ERROR_FILE && error.message[0]));
            assert_memory_equal(part.data ? part.data : "", whole.data, part.size);
            assert_true((part.size == whole.size) == (result == OCT_OK));
            free(part.data);
        }
        assert_true(calls > 3);
        free(whole.data);
        oct_tree_destroy(tree);
    }
}

typedef struct read_job {
    oct_format format;
    output bytes;
} read_job;

static oct_result read_all(const oct_allocator *allocator, void *ctx)
{
    const read_job *job = ctx;
    oct_tree_def def = oct_tree_def_default();
    def.allocator = allocator;
    oct_tree *tree;
    oct_error error;
    const oct_result result =
        oct_tree_read(job->format, job->bytes.data, job->bytes.size, &def, &tree, NULL, &error);
    assert_true((result == OCT_OK) == (tree != NULL));
    assert_true(result == OCT_OK || error.message[0]);
    oct_tree_destroy(tree);
    return result;
}

static void readers_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (int format = 0; format < OCT_FORMAT_COUNT; format++) {
        oct_tree_info info;
        oct_tree *tree = busy_world(format == OCT_FORMAT_MAP ? 2 : 3, &info);
        read_job job = {(oct_format)format, written((oct_format)format, tree, &info)};
        assert_true(test_each_failure(read_all, &job) > 10);
        free(job.bytes.data);
        oct_tree_destroy(tree);
    }
}

// A root that is no node of the file's tree, so that the writer must copy.
static oct_result write_moved_bt(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_tree_def def = oct_tree_def_default();
    def.allocator = allocator;
    oct_tree *tree;
    OCT_TRY(oct_tree_create(&def, &tree));
    oct_result result = OCT_OK;
    for (int32_t i = 0; i < 40 && result == OCT_OK; i++) {
        result = oct_tree_set(tree, (oct_cell){12 + 7 * i, 4 * i, i, 0}, OCT_MARK_BLOCKED);
    }
    if (result == OCT_OK) {
        const oct_tree_info info = oct_tree_info_default();
        output out = {NULL, 0, SIZE_MAX};
        result = oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &out, NULL);
        assert_true(result == OCT_OK || out.size == 0);
        free(out.data);
    }
    oct_tree_destroy(tree);
    return result;
}

static void the_bt_writer_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(test_each_failure(write_moved_bt, NULL) > 10);
}

// ---- files of the field ----

static void assert_file_counts(oct_format format, const char *path, uint64_t open, uint64_t blocked,
                               bool same_bytes)
{
    size_t size;
    void *data = test_read_file(path, &size);
    oct_tree_info info;
    oct_tree *tree = read_bytes(format, data, size, &info);
    uint64_t counts[3];
    assert_int_equal(oct_tree_count(tree, info.box, counts), OCT_OK);
    assert_int_equal(counts[OCT_BLOCKED], blocked);
    assert_int_equal(counts[OCT_OPEN], open);
    const output out = written(format, tree, &info);
    if (same_bytes) {
        assert_int_equal(out.size, size);
        assert_memory_equal(out.data, data, size);
    }
    oct_tree *back = read_bytes(format, out.data, out.size, NULL);
    assert_same_tree(tree, back);
    free(out.data);
    free(data);
    oct_tree_destroy(back);
    oct_tree_destroy(tree);
}

static void public_voxel_maps_have_their_stated_cells(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint64_t cells, blocked;
    } maps[] = {
        {"voxel3d/Simple.3dmap", 105 * 132 * 105, 512},
        {"voxel3d/Complex.3dmap", 246 * 154 * 205, 46298},
        {"voxel3d/DA1.3dmap", 389 * 313 * 511, 140501},
        {"voxel3d/BC1.3dmap", 853 * 245 * 321, 222663},
        {"voxel3d/A1.3dmap", 896 * 390 * 255, 123236},
        {"voxel3d/EB1.3dmap", 445 * 306 * 617, 163948},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char path[1024];
        if (!test_data_path(maps[i].file, path, sizeof path)) {
            skip();
        }
        assert_file_counts(OCT_FORMAT_3DMAP, path, maps[i].cells - maps[i].blocked, maps[i].blocked,
                           false);
    }
}

static void public_octomaps_come_back_byte_by_byte(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint64_t free, occupied;
    } maps[] = {
        {"octomap/geb079.bt", 950759, 185673},
        {"octomap/fr_079.bt", 4807673, 401373},
        {"octomap/freiburg1_360.bt", 7942528, 1019366},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char path[1024];
        if (!test_data_path(maps[i].file, path, sizeof path)) {
            skip();
        }
        assert_file_counts(OCT_FORMAT_BT, path, maps[i].free, maps[i].occupied, true);
    }
}

static void public_grid_maps_have_their_characters(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint64_t open, blocked;
    } maps[] = {
        {"grid2d/64room_000.map", 246178, 15966},
        {"grid2d/AR0011SR.map", 120458, 141686},
        {"grid2d/Berlin_0_512.map", 196667, 65477},
        {"grid2d/arena.map", 2054, 347},
        {"grid2d/brc202d.map", 43151, 211779},
        {"grid2d/den312d.map", 2445, 2820},
        {"grid2d/maze512-32-0.map", 253840, 8304},
        {"grid2d/orz900d.map", 96603, 881493},
        {"grid2d/random512-10-0.map", 235900, 26244},
        {"grid2d_anyangle/AR0500SR.map", 29160, 73240},
        {"grid2d_anyangle/AcrosstheCape.map", 392287, 197537},
        {"grid2d_anyangle/random512-20-0.map", 209281, 52863},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char path[1024];
        if (!test_data_path(maps[i].file, path, sizeof path)) {
            skip();
        }
        assert_file_counts(OCT_FORMAT_MAP, path, maps[i].open, maps[i].blocked, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voxels_are_blocked_and_all_else_open),
        cmocka_unit_test(rev_voxels_are_open_and_all_else_blocked),
        cmocka_unit_test(voxel_lines_may_end_in_any_way),
        cmocka_unit_test(bad_voxels_are_refused_with_line_and_column),
        cmocka_unit_test(the_largest_voxel_box_costs_little_where_it_lies_well),
        cmocka_unit_test(voxels_are_written_by_x_then_y_then_z),
        cmocka_unit_test(whichever_voxels_are_fewer_are_listed),
        cmocka_unit_test(map_characters_are_open_or_blocked),
        cmocka_unit_test(map_lines_may_end_in_crlf_and_the_last_not_at_all),
        cmocka_unit_test(bad_maps_are_refused_with_line_and_column),
        cmocka_unit_test(maps_are_written_row_by_row),
        cmocka_unit_test(text_formats_refuse_what_they_cannot_say),
        cmocka_unit_test(random_worlds_come_back_from_text),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(a_writer_stops_when_its_bytes_are_refused),
        cmocka_unit_test(readers_survive_every_failing_allocation),
        cmocka_unit_test(the_bt_writer_survives_every_failing_allocation),
        cmocka_unit_test(public_voxel_maps_have_their_stated_cells),
        cmocka_unit_test(public_octomaps_come_back_byte_by_byte),
        cmocka_unit_test(public_grid_maps_have_their_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
