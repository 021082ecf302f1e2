// SPDX-License-Identifier: MIT
// Scenario files: what they mean, what is refused and where, and the public ones.
#include "support.h"
#include "verify/scenario.h"

#include "octant/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oct_scenario *read_text(uint32_t dims, const char *words)
{
    oct_scenario *scenario;
    oct_error error;
    if (oct_scenario_read(dims, words, strlen(words), NULL, &scenario, &error) != OCT_OK) {
        fail_msg("not read: %u:%u: %s", error.line, error.column, error.message);
    }
    return scenario;
}

static void assert_query(const oct_scenario *scenario, size_t index, oct_scenario_query expected)
{
    const oct_scenario_query found = oct_scenario_get(scenario, index);
    assert_memory_equal(&found, &expected, sizeof found);
}

static void a_3dscen_file_names_its_map_and_lists_queries(void **state)
{
    (void)state;
    oct_scenario *scenario = read_text(3, "version 1\nA b.3dmap\n1 2 3 40 50 60 7.25 1.010\n"
                                          "0 0 0 1048575 0 0 1048575 1\n");
    assert_int_equal(oct_scenario_dims(scenario), 3);
    assert_string_equal(oct_scenario_map(scenario), "A b.3dmap");
    assert_int_equal(oct_scenario_count(scenario), 2);
    assert_query(scenario, 0, (oct_scenario_query){{1, 2, 3}, {40, 50, 60}, 7.25, 0, 3});
    assert_query(scenario, 1, (oct_scenario_query){{0, 0, 0}, {1048575, 0, 0}, 1048575, 0, 4});
    uint32_t width = 7, height = 8;
    assert_false(oct_scenario_size(scenario, &width, &height));
    assert_int_equal(width * 10 + height, 78);
    oct_scenario_destroy(scenario);
}

static void a_scen_file_has_buckets_and_the_size_of_its_map(void **state)
{
    (void)state;
    oct_scenario *scenario =
        read_text(2, "version 1\n0\tmaps/dao/a.map\t49\t30\t1\t11\t48\t29\t62.1543\n"
                     "999999999 maps/dao/a.map 49 30 0 0 0 0 0\n");
    assert_int_equal(oct_scenario_dims(scenario), 2);
    assert_string_equal(oct_scenario_map(scenario), "maps/dao/a.map");
    assert_int_equal(oct_scenario_count(scenario), 2);
    assert_query(scenario, 0, (oct_scenario_query){{1, 11, 0}, {48, 29, 0}, 62.1543, 0, 2});
    assert_query(scenario, 1, (oct_scenario_query){{0, 0, 0}, {0, 0, 0}, 0.0, 999999999, 3});
    uint32_t width = 0, height = 0;
    assert_true(oct_scenario_size(scenario, &width, &height));
    assert_int_equal(width, 49);
    assert_int_equal(height, 30);
    oct_scenario_destroy(scenario);
}

static void lines_may_end_in_any_way(void **state)
{
    (void)state;
    static const char *const flat[] = {"version 1\n3\tm\t9\t9\t1\t2\t3\t4\t5.5\n",
                                       "version 1\n3\tm\t9\t9\t1\t2\t3\t4\t5.5",
                                       "version 1.0\r\n3 m 9 9 1 2 3 4 5.5\r\n\r\n",
                                       "version \t1 \n3 \t m 9  9 1 2\t 3 4 5.5\t\n\n \n",
                                       "version 1\n3 m 9 9 01 2 3 4 55e-1\r\n  "};
    static const char *const deep[] = {"version 1\nm\n1 2 0 3 4 0 5.5 1.2\n",
                                       "version 1\nm\n1 2 0 3 4 0 5.5 1.2",
                                       "version 1.0\r\nm \r\n1 2 0 3 4 0 5.5 1.2\r\n\r\n\n",
                                       "version 1\n\tm\n1  2 0\t3 4 0 5.5 9\t\n"};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        oct_scenario *scenario = read_text(2, flat[i]);
        assert_string_equal(oct_scenario_map(scenario), "m");
        assert_int_equal(oct_scenario_count(scenario), 1);
        assert_query(scenario, 0, (oct_scenario_query){{1, 2, 0}, {3, 4, 0}, 5.5, 3, 2});
        oct_scenario_destroy(scenario);
    }
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        oct_scenario *scenario = read_text(3, deep[i]);
        assert_string_equal(oct_scenario_map(scenario), "m");
        assert_int_equal(oct_scenario_count(scenario), 1);
        assert_query(scenario, 0, (oct_scenario_query){{1, 2, 0}, {3, 4, 0}, 5.5, 0, 3});
        oct_scenario_destroy(scenario);
    }
}

static void a_file_may_have_no_queries(void **state)
{
    (void)state;
    oct_scenario *scenario = read_text(2, "version 1\n");
    uint32_t width, height;
    assert_int_equal(oct_scenario_count(scenario), 0);
    assert_string_equal(oct_scenario_map(scenario), "");
    assert_false(oct_scenario_size(scenario, &width, &height));
    oct_scenario_destroy(scenario);
    scenario = read_text(3, "version 1\nmap");
    assert_int_equal(oct_scenario_count(scenario), 0);
    assert_string_equal(oct_scenario_map(scenario), "map");
    oct_scenario_destroy(scenario);
}

// ---- refusals ----

typedef struct refusal {
    const char *words;
    uint64_t offset;
    uint32_t line, column;
    const char *message; // a part of it
} refusal;

static void assert_refused(uint32_t dims, const refusal *bad, size_t size)
{
    // In memory of its own, so that a sanitizer sees what is read beyond the end.
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bad->words, size);
    oct_scenario *scenario = (oct_scenario *)(void *)copy;
    oct_error error;
    assert_int_equal(oct_scenario_read(dims, copy, size, NULL, &scenario, &error),
                     OCT_ERROR_FORMAT);
    assert_null(scenario);
    if (!strstr(error.message, bad->message) || error.offset != bad->offset ||
        error.line != bad->line || error.column != bad->column) {
        fail_msg("of \"%s\": %u:%u, byte %llu: %s", bad->words, error.line, error.column,
                 (unsigned long long)error.offset, error.message);
    }
    assert_int_equal(oct_scenario_read(dims, copy, size, NULL, &scenario, NULL), OCT_ERROR_FORMAT);
    free(copy);
}

#define HEAD "version 1\n" // 10 bytes
#define DEEP HEAD "m\n"    // 12 bytes

static void broken_3dscen_files_are_refused_with_line_and_column(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"", 0, 1, 1, "`version 1`"},
        {"\nversion 1\n", 0, 1, 1, "`version 1`"},
        {"1 2 3 4 5 6 7 8\n", 0, 1, 1, "`version 1`"},
        {"version\n", 7, 1, 8, "version 1 or 1.0"},
        {"version 2\n", 8, 1, 9, "version 1 or 1.0"},
        {"version 1.00\n", 8, 1, 9, "version 1 or 1.0"},
        {"version 1 1\n", 10, 1, 11, "end of the line"},
        {"version 1", 9, 1, 10, "name of a map"},
        {HEAD "\n", 10, 2, 1, "name of a map"},
        {HEAD "a\x01"
              "b\n",
         11, 2, 2, "name of a map"},
        {HEAD "a\rb\n", 11, 2, 2, "end of the line after the map"},
        {DEEP "1 2 3 4 5 6 7\n", 25, 3, 14, "a ratio"},
        {DEEP "1 2 3 4 5 6\n", 23, 3, 12, "a length"},
        {DEEP "1 2 3 4 5\n", 21, 3, 10, "z of the goal, from 0 to 1048575"},
        {DEEP "1 2 3\n4 5 6 7 8\n", 17, 3, 6, "x of the goal"},
        {DEEP "1048576 0 0 0 0 0 0 1\n", 12, 3, 1, "x of the start, from 0 to 1048575"},
        {DEEP "1 2 3 4 5 6 7 1\n0 -1 0 0 0 0 0 1\n", 30, 4, 3, "y of the start"},
        {DEEP "0 0 4294967296 0 0 0 0 1\n", 16, 3, 5, "z of the start"},
        {DEEP "0 0 0 0 1.5 0 0 1\n", 20, 3, 9, "y of the goal"},
        {DEEP "0 0 0 0 0 0 -3 1\n", 24, 3, 13, "a length"},
        {DEEP "0 0 0 0 0 0 3x 1\n", 24, 3, 13, "a length"},
        {DEEP "0 0 0 0 0 0 inf 1\n", 24, 3, 13, "a length"},
        {DEEP "0 0 0 0 0 0 1e999 1\n", 24, 3, 13, "a length"},
        {DEEP "0 0 0 0 0 0 1 nan\n", 26, 3, 15, "a ratio"},
        {DEEP "0 0 0 0 0 0 1 1 1\n", 28, 3, 17, "end of the line after a query"},
        {DEEP "0 0 0 0 0 0 1 1\n\n0 0 0 0 0 0 1 1\n", 29, 5, 1, "empty lines"},
        {DEEP " 0 0 0 0 0 0 1 1\n", 13, 3, 2, "empty lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(3, &bad[i], strlen(bad[i].words));
    }
    const refusal cut = {DEEP "1 2\0 3 4 5 6 7 1\n", 14, 3, 3, "y of the start"};
    assert_refused(3, &cut, 12 + 18);
}

static void broken_scen_files_are_refused_with_line_and_column(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"", 0, 1, 1, "`version 1`"},
        {HEAD "m 9 9 1 2 3 4 5\n", 10, 2, 1, "a bucket, from 0 to 999999999"},
        {HEAD "0\n", 11, 2, 2, "name of a map"},
        {HEAD "0 m\x7f 9 9 1 2 3 4 5\n", 13, 2, 4, "name of a map"},
        {HEAD "0 m\n", 13, 2, 4, "a size from 1 to 1048576"},
        {HEAD "0 m 0 9 1 2 3 4 5\n", 14, 2, 5, "a size from 1 to 1048576"},
        {HEAD "0 m 1048577 9 1 2 3 4 5\n", 14, 2, 5, "a size from 1 to 1048576"},
        {HEAD "0 m 9 9.0 1 2 3 4 5\n", 17, 2, 8, "a blank after the size"},
        {HEAD "0 m 9 8 10 2 3 4 5\n", 18, 2, 9, "x of the start, from 0 to 9"},
        {HEAD "0 m 9 8 9 9 3 4 5\n", 20, 2, 11, "y of the start, from 0 to 8"},
        {HEAD "0 m 9 8 8 7 10 4 5\n", 22, 2, 13, "x of the goal, from 0 to 9"},
        {HEAD "0 m 9 8 8 7 3 9 5\n", 24, 2, 15, "y of the goal, from 0 to 8"},
        {HEAD "0 m 9 8 8 7 3 4 \n", 26, 2, 17, "a length"},
        {HEAD "0 m 9 8 8 7 3 4 .\n", 26, 2, 17, "a length"},
        {HEAD "0 m 9 8 8 7 3 4 5 5\n", 28, 2, 19, "end of the line after a query"},
        {HEAD "0 m 9 8 8 7 3 4 5\n0 n 9 8 8 7 3 4 5\n", 30, 3, 3, "the same map"},
        {HEAD "0 m 9 8 8 7 3 4 5\n0 mm 9 8 8 7 3 4 5\n", 30, 3, 3, "the same map"},
        {HEAD "0 mm 9 8 8 7 3 4 5\n0 m 9 8 8 7 3 4 5\n", 31, 3, 3, "the same map"},
        {HEAD "0 m 9 8 8 7 3 4 5\n0 m 8 9 8 7 3 4 5\n", 32, 3, 5, "expected 9, the size"},
        {HEAD "0 m 9 8 8 7 3 4 5\n\n0 m 9 8 8 7 3 4 5\n", 29, 4, 1, "empty lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(2, &bad[i], strlen(bad[i].words));
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    static const uint32_t dims[] = {0, 1, 4};
    oct_scenario *scenario;
    oct_error error;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(oct_scenario_read(dims[i], HEAD, 10, NULL, &scenario, &error),
                         OCT_ERROR_ARGUMENT);
        assert_null(scenario);
        assert_true(error.message[0]);
    }
    assert_int_equal(oct_scenario_read(2, NULL, 1, NULL, &scenario, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_scenario_read(2, NULL, 0, NULL, &scenario, &error), OCT_ERROR_FORMAT);
    oct_scenario_destroy(NULL);
}

// ---- memory ----

typedef struct read_job {
    uint32_t dims;
    char words[2000];
} read_job;

static oct_result read_job_once(const oct_allocator *allocator, void *ctx)
{
    const read_job *job = ctx;
    oct_scenario *scenario;
    oct_error error;
    const oct_result result =
        oct_scenario_read(job->dims, job->words, strlen(job->words), allocator, &scenario, &error);
    assert_true((result == OCT_OK) == (scenario != NULL));
    assert_true(result == OCT_OK || error.message[0]);
    oct_scenario_destroy(scenario);
    return result;
}

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    static const char *const heads[] = {HEAD, DEEP};
    static const char *const lines[] = {"1 map 9 9 1 2 3 4 5\n", "1 2 3 4 5 6 7 8\n"};
    for (uint32_t dims = 2; dims <= 3; dims++) {
        read_job job = {.dims = dims};
        strcpy(job.words, heads[dims - 2]);
        for (int i = 0; i < 60; i++) {
            strcat(job.words, lines[dims - 2]);
        }
        assert_true(test_each_failure(read_job_once, &job) > 3);
    }
}

// ---- public files ----

// Distance where nothing blocks, by moves to the 26 or 8 neighbours.
static double octile(oct_vec a, oct_vec b)
{
    int d[3] = {abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)};
    double sum = 0;
    while (d[0] + d[1] + d[2] > 0) {
        int axes = 0;
        for (int i = 0; i < 3; i++) {
            axes += d[i] > 0;
            d[i] -= d[i] > 0;
        }
        sum += sqrt(axes);
    }
    return sum;
}

static double straight(oct_vec a, oct_vec b)
{
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

typedef struct public_file {
    const char *path;
    size_t count;
    bool any_angle;
} public_file;

static void check_public_file(const public_file *file)
{
    char path[1024];
    if (!test_data_path(file->path, path, sizeof path)) {
        skip();
    }
    size_t size;
    char *data = test_read_file(path, &size);
    const uint32_t dims = strstr(file->path, ".3dscen") ? 3 : 2;
    oct_scenario *scenario;
    oct_error error;
    if (oct_scenario_read(dims, data, size, NULL, &scenario, &error) != OCT_OK) {
        fail_msg("%s:%u:%u: %s", file->path, error.line, error.column, error.message);
    }
    free(data);
    assert_int_equal(oct_scenario_count(scenario), file->count);
    // The file's own name begins with that of its map.
    const char *map = strrchr(oct_scenario_map(scenario), '/');
    map = map ? map + 1 : oct_scenario_map(scenario);
    assert_memory_equal(strrchr(file->path, '/') + 1, map, strcspn(map, "."));
    for (size_t i = 0; i < file->count; i++) {
        const oct_scenario_query query = oct_scenario_get(scenario, i);
        const double least = (file->any_angle ? straight : octile)(query.from, query.to);
        if (query.length < least - 0.01) {
            fail_msg("%s:%u: shorter than a straight way", file->path, query.line);
        }
    }
    assert_int_equal(oct_scenario_get(scenario, file->count - 1).line, file->count + dims - 1);
    oct_scenario_destroy(scenario);
}

static void check_public_files(const public_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_public_file(&files[i]);
    }
}

static void the_public_3dscen_files_are_read(void **state)
{
    (void)state;
    static const public_file files[] = {
        {"voxel3d/A1.3dmap.3dscen", 10000, false},
        {"voxel3d/BC1.3dmap.3dscen", 10000, false},
        {"voxel3d/Complex.3dmap.3dscen", 10000, false},
        {"voxel3d/DA1.3dmap.3dscen", 10000, false},
        {"voxel3d/EB1.3dmap.3dscen", 10000, false},
        {"voxel3d/Simple.3dmap.3dscen", 10000, false},
        {"scenes/clusters.3dmap.3dscen", 50, false},
        {"scenes/sparse.3dmap.3dscen", 50, false},
        {"scenes/wall.3dmap.3dscen", 50, false},
    };
    check_public_files(files, sizeof files / sizeof *files);
}

static void the_public_scen_files_are_read(void **state)
{
    (void)state;
    static const public_file files[] = {
        {"grid2d/64room_000.map.scen", 2030, false},
        {"grid2d/AR0011SR.map.scen", 1280, false},
        {"grid2d/Berlin_0_512.map.scen", 1870, false},
        {"grid2d/arena.map.scen", 160, false},
        {"grid2d/brc202d.map.scen", 2519, false},
        {"grid2d/den312d.map.scen", 320, false},
        {"grid2d/maze512-32-0.map.scen", 5760, false},
        {"grid2d/orz900d.map.scen", 7015, false},
        {"grid2d/random512-10-0.map.scen", 1670, false},
        {"grid2d_anyangle/AR0500SR.anyangle.map.scen", 200, true},
        {"grid2d_anyangle/AR0500SR.tasks.map.scen", 200, false},
        {"grid2d_anyangle/AcrosstheCape.anyangle.map.scen", 201, true},
        {"grid2d_anyangle/random512-20-0.anyangle.map.scen", 186, true},
        {"grid2d_anyangle/random512-20-0.tasks.map.scen", 200, false},
    };
    check_public_files(files, sizeof files / sizeof *files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_3dscen_file_names_its_map_and_lists_queries),
        cmocka_unit_test(a_scen_file_has_buckets_and_the_size_of_its_map),
        cmocka_unit_test(lines_may_end_in_any_way),
        cmocka_unit_test(a_file_may_have_no_queries),
        cmocka_unit_test(broken_3dscen_files_are_refused_with_line_and_column),
        cmocka_unit_test(broken_scen_files_are_refused_with_line_and_column),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(reading_survives_every_failing_allocation),
        cmocka_unit_test(the_public_3dscen_files_are_read),
        cmocka_unit_test(the_public_scen_files_are_read),
    };
    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
