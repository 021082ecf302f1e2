// SPDX-License-Identifier: MIT
// Laboratory files: what is written comes back, and what is refused says where and why.
#define _POSIX_C_SOURCE 200809L
#include "folder_support.h"
#include "octant/formats.h"
#include "octant/tree.h"
#include "support.h"

#include "files/lab_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD "{\"format\": \"octant-lab\", \"version\": 1, "
#define MAP "\"map\": {\"rows\": [\"..@\", \"...\"]}"
#define PATHS(paths) HEAD MAP ", \"paths\": [" paths "]}"
#define NAMES "\"algorithm\": \"theta\", \"graph\": \"cells\""

static bool append(void *ctx, const void *data, size_t size)
{
    oct_array *out = ctx;
    const oct_allocator heap = oct_allocator_default();
    while (out->capacity - out->count < size) {
        assert_int_equal(oct_array_grow(out, &heap, 1), OCT_OK);
    }
    memcpy((char *)out->items + out->count, data, size);
    out->count += size;
    return true;
}

static oct_array encoded(const lab_file *file)
{
    oct_array out = {0};
    assert_int_equal(oct_lab_file_encode(file, append, &out), OCT_OK);
    return out;
}

static void drop(oct_array *bytes)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(bytes, &heap, 1);
}

// In memory of exactly its size, so that a sanitizer sees every overrun.
static oct_result decode(const char *data, size_t size, lab_file *out, oct_error *error)
{
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    *error = (oct_error){.line = 0};
    const oct_result result = oct_lab_file_decode(copy, size, NULL, out, error);
    free(copy);
    return result;
}

static lab_file decoded(const char *text, size_t size)
{
    lab_file file;
    oct_error error;
    if (decode(text, size, &file, &error) != OCT_OK) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    return file;
}

// ---- what comes back ----

static void assert_same_path(const lab_file_path *a, const lab_file_path *b)
{
    assert_string_equal(a->algorithm, b->algorithm);
    assert_string_equal(a->graph, b->graph);
    assert_string_equal(a->variant, b->variant);
    assert_int_equal(a->status, b->status);
    assert_memory_equal(a->statistics, b->statistics, sizeof a->statistics);
    assert_int_equal(a->point_count, b->point_count);
    if (a->point_count > 0) {
        assert_memory_equal(a->points, b->points, a->point_count * sizeof *a->points);
    }
}

static void assert_same(const lab_file *a, const lab_file *b)
{
    assert_int_equal(a->map.kind, b->map.kind);
    switch (a->map.kind) {
    case LAB_MAP_FILE:
        assert_string_equal(a->map.file, b->map.file);
        break;
    case LAB_MAP_ROWS:
        assert_int_equal(a->map.width, b->map.width);
        assert_int_equal(a->map.height, b->map.height);
        assert_memory_equal(a->map.rows, b->map.rows, (size_t)a->map.width * a->map.height);
        break;
    case LAB_MAP_GENERATE:
        assert_int_equal(a->map.generate.size, b->map.generate.size);
        assert_true(a->map.generate.coverage == b->map.generate.coverage);
        assert_int_equal(a->map.generate.clustering, b->map.generate.clustering);
        assert_int_equal(a->map.generate.seed, b->map.generate.seed);
        break;
    }
    assert_int_equal(a->has_ends, b->has_ends);
    if (a->has_ends) {
        assert_memory_equal(a->start, b->start, sizeof a->start);
        assert_memory_equal(a->goal, b->goal, sizeof a->goal);
    }
    assert_int_equal(a->squeeze, b->squeeze);
    assert_int_equal(a->path_count, b->path_count);
    for (uint32_t i = 0; i < a->path_count; i++) {
        assert_same_path(&a->paths[i], &b->paths[i]);
    }
}

#define POINTS_MAX 5
#define PATHS_MAX 4
#define CELLS_MAX 80

// Room for a random file.
typedef struct sample {
    char rows[CELLS_MAX];
    double points[PATHS_MAX][POINTS_MAX][2];
    lab_file_path paths[PATHS_MAX];
    lab_file file;
} sample;

static double random_number(oct_random *random)
{
    switch (oct_random_below(random, 4)) {
    case 0:
        return (double)oct_random_below(random, 100);
    case 1:
        return (double)oct_random_below(random, 2560) / 256.0;
    case 2:
        return oct_random_unit(random);
    default:
        return oct_random_unit(random) * 1e6;
    }
}

static const char *random_name(oct_random *random)
{
    static const char *const names[] = {"astar",         "a \"quoted\" one",  "back\\slash",
                                        "new\nline\x01", "\xc3\xa9t\xc3\xa9", "4:plain:packed",
                                        "../a.map"};
    return names[oct_random_below(random, sizeof names / sizeof names[0])];
}

static void random_map(oct_random *random, sample *s)
{
    lab_file_map *const map = &s->file.map;
    map->kind = (lab_map_kind)oct_random_below(random, 3);
    if (map->kind == LAB_MAP_FILE) {
        map->file = random_name(random);
    } else if (map->kind == LAB_MAP_ROWS) {
        map->width = (uint32_t)oct_random_range(random, 1, 10);
        map->height = (uint32_t)oct_random_range(random, 1, CELLS_MAX / 10);
        map->rows = s->rows;
        for (uint32_t i = 0; i < map->width * map->height; i++) {
            s->rows[i] = ".GS@OTW"[oct_random_below(random, 7)];
        }
    } else {
        map->generate = (lab_generate){
            (uint32_t)oct_random_range(random, 8, 4096), oct_random_unit(random) * 100.0,
            (uint32_t)oct_random_below(random, 1001), oct_random_below(random, UINT64_C(1) << 53)};
    }
}

static void random_file(oct_random *random, sample *s)
{
    *s = (sample){.file = {.paths = s->paths}};
    random_map(random, s);
    s->file.squeeze = oct_random_below(random, 2);
    s->file.has_ends = oct_random_below(random, 2);
    for (int i = 0; i < 2 && s->file.has_ends; i++) {
        s->file.start[i] = random_number(random) - 50.0;
        s->file.goal[i] = random_number(random);
    }
    s->file.path_count = (uint32_t)oct_random_below(random, PATHS_MAX + 1);
    for (uint32_t i = 0; i < s->file.path_count; i++) {
        lab_file_path *const path = &s->paths[i];
        *path = (lab_file_path){.algorithm = random_name(random),
                                .graph = random_name(random),
                                .variant = oct_random_below(random, 2) ? random_name(random) : "",
                                .status = (oct_path_status)oct_random_below(random, OCT_PATH_COUNT),
                                .points = (const double(*)[2])s->points[i]};
        for (int k = 0; k < LAB_STATISTIC_COUNT; k++) {
            path->statistics[k] = oct_random_below(random, 3) ? random_number(random) : -1.0;
        }
        path->point_count = (uint32_t)oct_random_below(random, POINTS_MAX + 1);
        for (uint32_t k = 0; k < path->point_count; k++) {
            s->points[i][k][0] = random_number(random);
            s->points[i][k][1] = -random_number(random);
        }
    }
}

static void what_is_written_comes_back_with_the_same_bits(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    for (int i = 0; i < 2000; i++) {
        sample s;
        random_file(&random, &s);
        oct_array bytes = encoded(&s.file);
        lab_file again = decoded(bytes.items, bytes.count);
        assert_same(&s.file, &again);
        oct_array again_bytes = encoded(&again);
        assert_int_equal(bytes.count, again_bytes.count);
        assert_memory_equal(bytes.items, again_bytes.items, bytes.count);
        drop(&again_bytes);
        drop(&bytes);
        oct_lab_file_free(&again);
    }
}

static void a_file_says_all_that_it_holds(void **state)
{
    (void)state;
    static const char text[] = "{\n"
                               "  \"format\": \"octant-lab\",\n"
                               "  \"version\": 1,\n"
                               "  \"map\": {\"rows\": [\n"
                               "    \"..@\",\n"
                               "    \"T.G\"\n"
                               "  ]},\n"
                               "  \"start\": [1, 2],\n"
                               "  \"goal\": [0.5, 0.25],\n"
                               "  \"squeeze\": true,\n"
                               "  \"paths\": [\n"
                               "    {" NAMES ", \"variant\": \"v\", \"status\": \"found\", "
                               "\"length\": 1.5, \"turning_degrees\": 90, \"graph_us\": 0, "
                               "\"path_us\": 2.25, \"expanded\": 7, \"sight_checks\": 3, "
                               "\"nodes\": 9, \"graph_nodes\": 12, \"graph_edges\": 20, "
                               "\"points\": [[1, 2], [0.5, 0.25]]},\n"
                               "    {" NAMES ", \"status\": \"none\", \"points\": []}\n"
                               "  ]\n"
                               "}\n";
    lab_file file = decoded(text, strlen(text));
    assert_int_equal(file.map.width, 3);
    assert_int_equal(file.map.height, 2);
    assert_memory_equal(file.map.rows, "..@T.G", 6);
    assert_true(file.has_ends && file.squeeze);
    assert_true(file.start[0] == 1.0 && file.start[1] == 2.0);
    assert_true(file.goal[0] == 0.5 && file.goal[1] == 0.25);
    assert_int_equal(file.path_count, 2);
    static const double wanted[LAB_STATISTIC_COUNT] = {1.5, 90.0, 0.0,  2.25, 7.0,
                                                       3.0, 9.0,  12.0, 20.0};
    assert_memory_equal(file.paths[0].statistics, wanted, sizeof wanted);
    assert_string_equal(file.paths[0].variant, "v");
    assert_int_equal(file.paths[0].point_count, 2);
    assert_true(file.paths[0].points[1][0] == 0.5 && file.paths[0].points[1][1] == 0.25);
    assert_int_equal(file.paths[1].status, OCT_PATH_NONE);
    assert_string_equal(file.paths[1].variant, "");
    for (int i = 0; i < LAB_STATISTIC_COUNT; i++) {
        assert_true(file.paths[1].statistics[i] == -1.0);
    }
    oct_array bytes = encoded(&file);
    assert_int_equal(bytes.count, strlen(text));
    assert_memory_equal(bytes.items, text, bytes.count);
    drop(&bytes);
    oct_lab_file_free(&file);
}

static void keys_have_no_order_and_others_own_are_passed_over(void **state)
{
    (void)state;
    static const char text[] = "{\"x-a\": {\"b\": []}, \"goal\": [3, 4], \"map\": {\"x-c\": 1, "
                               "\"file\": \"a.map\"}, \"start\": [1, 2], \"version\": 1, "
                               "\"paths\": [{\"x-d\": null, \"points\": [], \"status\": \"none\", "
                               "\"graph\": \"g\", \"algorithm\": \"a\"}], "
                               "\"format\": \"octant-lab\"}";
    lab_file file = decoded(text, strlen(text));
    assert_string_equal(file.map.file, "a.map");
    assert_true(file.goal[0] == 3.0 && file.start[1] == 2.0);
    assert_int_equal(file.path_count, 1);
    assert_false(file.squeeze);
    oct_lab_file_free(&file);
    oct_lab_file_free(&file); // an empty one
}

static void rows_become_a_map(void **state)
{
    (void)state;
    static const char text[] = HEAD "\"map\": {\"rows\": [\"..@T\", \"G@S.\", \"WO..\"]}}";
    static const char *const rows[] = {"..##", ".#..", "##.."};
    lab_file file = decoded(text, strlen(text));
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_tree_info info;
    assert_int_equal(oct_lab_file_tree(&file.map, &def, &tree, &info, NULL), OCT_OK);
    assert_int_equal(oct_tree_dims(tree), 2);
    assert_int_equal(info.box.max.x, 4);
    assert_int_equal(info.box.max.y, 3);
    for (int32_t y = 0; y < 3; y++) {
        for (int32_t x = 0; x < 4; x++) {
            assert_int_equal(oct_tree_label(tree, (oct_vec){x, y, 0}),
                             rows[y][x] == '#' ? OCT_BLOCKED : OCT_OPEN);
        }
    }
    oct_tree_destroy(tree);
    oct_lab_file_free(&file);
}

// ---- what is refused ----

typedef struct refusal {
    const char *text;
    const char *place; // where it points to: what is first found there
    const char *message;
} refusal;

static void assert_refused(const refusal *r)
{
    const char *const found = strstr(r->text, r->place);
    assert_non_null(found);
    uint32_t line = 1, column = 1;
    for (const char *at = r->text; at < found; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    lab_file file;
    oct_error error;
    assert_int_equal(decode(r->text, strlen(r->text), &file, &error), OCT_ERROR_FORMAT);
    assert_int_equal(file.path_count, 0);
    if (error.line != line || error.column != column || strcmp(error.message, r->message) != 0) {
        fail_msg("%s\nshould be refused at %u:%u: %s\nbut is at          %u:%u: %s", r->text, line,
                 column, r->message, error.line, error.column, error.message);
    }
    assert_int_equal(oct_lab_file_decode(r->text, strlen(r->text), NULL, &file, NULL),
                     OCT_ERROR_FORMAT);
}

static void refuse_all(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_refused(&cases[i]);
    }
}

static void what_is_no_laboratory_file_is_named(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"type octile\n", "e octile", "invalid token near 'type'"},
        {" [1]", "[1]", "not a laboratory file: expected '{'"},
        {"{\"a\": 1,}", "}", "string or '}' expected near '}'"},
        {"{\"a\": 1} 2", "2", "end of file expected near '2'"},
        {"{\"a\": 1,\n\"a\": 2}", "\": 2", "duplicate object key near '\"a\"'"},
        {" {}", "{}", "format is missing"},
        {"{\"format\": 1}", "1}", "format: must be 'octant-lab'"},
        {"{\"format\": \"octant-world\"}", "\"octant-world",
         "format: 'octant-world' is not 'octant-lab'"},
        {"{\"format\": \"octant-lab\"}", "{", "version is missing"},
        {"{\"format\": \"octant-lab\",\n \"version\": \"1\"}", "\"1\"",
         "version: must be a whole number"},
        {"{\"format\": \"octant-lab\",\n \"version\": 2}", "2}", "version: 2 is not known, only 1"},
        {HEAD MAP ",\n  \"gaol\": [1, 2]}", "\"gaol", "unknown key 'gaol'"},
        {HEAD "\"start\": [1, 2]}", "{", "map is missing"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
    lab_file file;
    oct_error error;
    assert_int_equal(decode("", 0, &file, &error), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "the file is empty");
    assert_int_equal(decode("{\"\xff\": 1}", 8, &file, &error), OCT_ERROR_FORMAT);
    assert_int_equal(decode("{\"a\": \0}", 8, &file, &error), OCT_ERROR_FORMAT);
}

static void what_is_wrong_with_a_map_is_named(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {HEAD "\"map\": \"a.map\"}", "\"a.map", "map: must be an object"},
        {HEAD "\"map\": { }}", "{ }", "map: must have one of the keys file, rows and generate"},
        {HEAD "\"map\": { \"file\": \"a\", \"rows\": [\".\"]}}", "{ \"file",
         "map: must have one of the keys file, rows and generate"},
        {HEAD "\"map\": {\"fiel\": \"a\"}}", "\"fiel", "map: unknown key 'fiel'"},
        {HEAD "\"map\": {\"file\": \"\"}}", "\"\"}",
         "map.file: must be a string that is not empty"},
        {HEAD "\"map\": {\"file\": 7}}", "7", "map.file: must be a string that is not empty"},
        {HEAD "\"map\": {\"rows\": []}}", "[]",
         "map.rows: must be a list of 1 to 4096 rows with 1 to 4096 cells"},
        {HEAD "\"map\": {\"rows\": [\"\"]}}", "[\"\"]",
         "map.rows: must be a list of 1 to 4096 rows with 1 to 4096 cells"},
        {HEAD "\"map\": {\"rows\": {}}}", "{}",
         "map.rows: must be a list of 1 to 4096 rows with 1 to 4096 cells"},
        {HEAD "\"map\": {\"rows\": [\n  \"..\",\n  \".\"\n]}}", "\".\"",
         "map.rows[1]: has 1 cells, but the first row has 2"},
        {HEAD "\"map\": {\"rows\": [\n  \"..\",\n  \"..@\"\n]}}", "\"..@",
         "map.rows[1]: has 3 cells, but the first row has 2"},
        {HEAD "\"map\": {\"rows\": [\".,[{\",\n 5, \"...\"]}}", "\".,[{",
         "map.rows[0]: cell 1 must be one of . G S @ O T W"},
        {HEAD "\"map\": {\"rows\": [\"...\",\n 5, \"...\"]}}", "5, ",
         "map.rows[1]: must be a string"},
        {HEAD "\"map\": {\"rows\": [\"...\", \"..x\"]}}", "\"..x",
         "map.rows[1]: cell 2 must be one of . G S @ O T W"},
        {HEAD "\"map\": {\"generate\": [ ]}}", "[ ]", "map.generate: must be an object"},
        {HEAD "\"map\": {\"generate\": {\"size\": 64}}}", "{\"size",
         "map.generate: coverage is missing"},
        {HEAD "\"map\": {\"generate\": {\"size\": 64, \"sede\": 3}}}", "\"sede",
         "map.generate: unknown key 'sede'"},
#define GENERATE(size, coverage, clustering, seed)                                                 \
    HEAD "\"map\": {\"generate\": {\"size\": " size ", \"coverage\": " coverage                    \
         ", \"clustering\": " clustering ", \"seed\": " seed "}}}"
        {GENERATE("7", "1", "1", "1"), "7,",
         "map.generate.size: must be a whole number from 8 to 4096"},
        {GENERATE("4097", "1", "1", "1"), "4097",
         "map.generate.size: must be a whole number from 8 to 4096"},
        {GENERATE("64.0", "1", "1", "1"), "64.0",
         "map.generate.size: must be a whole number from 8 to 4096"},
        {GENERATE("64", "-0.5", "1", "1"), "-0.5",
         "map.generate.coverage: must be a number from 0 to 100"},
        {GENERATE("64", "101", "1", "1"), "101",
         "map.generate.coverage: must be a number from 0 to 100"},
        {GENERATE("64", "1", "1001", "1"), "1001",
         "map.generate.clustering: must be a whole number from 0 to 1000"},
        {GENERATE("64", "1", "2", "-3"), "-3",
         "map.generate.seed: must be a whole number from 0 to 9007199254740991"},
        {GENERATE("64", "1", "2", "9007199254740992"), "90071",
         "map.generate.seed: must be a whole number from 0 to 9007199254740991"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_a_task_or_a_path_is_named(void **state)
{
    (void)state;
#define SECOND(path) PATHS("{" NAMES ", \"status\": \"none\", \"points\": []},\n " path)
    static const refusal cases[] = {
        {HEAD MAP ", \"start\": [1, 2]}", "{", "goal is missing"},
        {HEAD MAP ", \"goal\": [1, 2]}", "{", "start is missing"},
        {HEAD MAP ",\n\"start\": [1], \"goal\": [1, 2]}", "[1]",
         "start: must be two numbers, x and y"},
        {HEAD MAP ",\n\"start\": [1, 2], \"goal\": [1, 2, 3]}", "[1, 2, 3",
         "goal: must be two numbers, x and y"},
        {HEAD MAP ",\n\"start\": [1, \"2\"], \"goal\": [1, 2]}", "[1, \"2",
         "start: must be two numbers, x and y"},
        {HEAD MAP ",\n\"start\": {\"x\": 1}, \"goal\": [1, 2]}", "{\"x",
         "start: must be two numbers, x and y"},
        {HEAD MAP ",\n\"start\": [1, 2], \"goal\": [1073741825, 2]}", "[10737",
         "goal: leaves the lattice"},
        {HEAD MAP ",\n\"start\": [1, -1e300], \"goal\": [1, 2]}", "[1, -1e",
         "start: leaves the lattice"},
        {HEAD MAP ", \"squeeze\": 1}", "1}", "squeeze: must be true or false"},
        {HEAD MAP ", \"paths\": {}}", "{}", "paths: must be a list of at most 1024 paths"},
        {SECOND("[]"), "[]]", "paths[1]: must be an object"},
        {SECOND("{\"graph\": \"g\"}"), "{\"graph", "paths[1]: algorithm is missing"},
        {SECOND("{" NAMES ", \"points\" : []}"), "{" NAMES ", \"po", "paths[1]: status is missing"},
        {SECOND("{" NAMES ", \"status\": \"lost\", \"points\": []}"), "\"lost",
         "paths[1].status: cannot be 'lost'"},
        {SECOND("{" NAMES ", \"status\": 3, \"points\": []}"), "3, ",
         "paths[1].status: must be a string"},
        {SECOND("{" NAMES ", \"status\": \"found\"}"), "{" NAMES ", \"status\": \"f",
         "paths[1]: points is missing"},
        {SECOND("{" NAMES ", \"status\": \"found\", \"points\": [[1, 2], [3, null]]}"), "[3",
         "paths[1].points[1]: must be two numbers, x and y"},
        {SECOND("{" NAMES ", \"status\": \"found\", \"points\": 9}"), "9",
         "paths[1].points: must be a list of at most 1048576 points"},
        {SECOND("{" NAMES ", \"status\": \"found\", \"length\": -2, \"points\": []}"), "-2",
         "paths[1].length: must be a number from 0 to 9007199254740992"},
        {SECOND("{" NAMES ", \"status\": \"found\", \"expanded\": \"2\", \"points\": []}"), "\"2\"",
         "paths[1].expanded: must be a number from 0 to 9007199254740992"},
        {SECOND("{" NAMES ", \"status\": \"found\", \"lenght\": 2, \"points\": []}"), "\"lenght",
         "paths[1]: unknown key 'lenght'"},
        {SECOND("{" NAMES ", \"variant\": \"\", \"status\": \"none\", \"points\": []}"), "\"\"",
         "paths[1].variant: must be a string that is not empty"},
        // A key is not one that begins like it.
        {SECOND("{\"algorithm\": \"a\", \"graph_us\": 5, \"graph\": 6}"), "6}",
         "paths[1].graph: must be a string that is not empty"},
        // Strings that look like the way to what is wrong do not lead astray.
        {HEAD "\"x-a\": \"\\\"map: {[\", \"map\":\t{\"x-b\": [[\"rows\"]],\r\n\"rows\"\n:[7]}}",
         "[7]", "map.rows: must be a list of 1 to 4096 rows with 1 to 4096 cells"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
    // A key in other letters is found as far as one can see.
    lab_file file;
    oct_error error;
    static const char escaped[] = HEAD "\n\"m\\u0061p\": {\"rows\": 3}}";
    assert_int_equal(decode(escaped, strlen(escaped), &file, &error), OCT_ERROR_FORMAT);
    assert_int_equal(error.line, 1);
}

static void sizes_have_limits(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    char *const text = malloc(ROOM);
    assert_non_null(text);
    // A name.
    for (size_t length = LAB_FILE_TEXT_MAX; length <= LAB_FILE_TEXT_MAX + 1; length++) {
        char *const at = text + sprintf(text, HEAD "\"map\": {\"file\": \"");
        memset(at, 'n', length);
        strcpy(at + length, "\"}}");
        lab_file file;
        oct_error error;
        const oct_result result = decode(text, strlen(text), &file, &error);
        assert_int_equal(result, length <= LAB_FILE_TEXT_MAX ? OCT_OK : OCT_ERROR_FORMAT);
        oct_lab_file_free(&file);
    }
    // Cells of a row, and rows.
    for (size_t width = LAB_FILE_EDGE_MAX; width <= LAB_FILE_EDGE_MAX + 1; width++) {
        for (int turned = 0; turned < 2; turned++) {
            char *at = text + sprintf(text, HEAD "\"map\": {\"rows\": [\"");
            for (size_t i = 0; i < width; i++) {
                at += sprintf(at, i > 0 && turned ? "\",\"." : ".");
            }
            strcpy(at, "\"]}}");
            lab_file file;
            oct_error error;
            const oct_result result = decode(text, strlen(text), &file, &error);
            assert_int_equal(result, width <= LAB_FILE_EDGE_MAX ? OCT_OK : OCT_ERROR_FORMAT);
            oct_lab_file_free(&file);
        }
    }
    // Paths.
    for (int count = LAB_FILE_PATHS_MAX; count <= LAB_FILE_PATHS_MAX + 1; count++) {
        char *at = text + sprintf(text, HEAD MAP ", \"paths\": [");
        for (int i = 0; i < count; i++) {
            at += sprintf(at, "%s{" NAMES ", \"status\": \"none\", \"points\": []}", i ? "," : "");
        }
        strcpy(at, "]}");
        lab_file file;
        oct_error error;
        const oct_result result = decode(text, strlen(text), &file, &error);
        assert_int_equal(result, count <= LAB_FILE_PATHS_MAX ? OCT_OK : OCT_ERROR_FORMAT);
        oct_lab_file_free(&file);
    }
    free(text);
}

// ---- memory and files ----

static oct_result decode_with(const oct_allocator *allocator, void *ctx)
{
    lab_file file;
    oct_error error = {.line = 0};
    const oct_result result = oct_lab_file_decode(ctx, strlen(ctx), allocator, &file, &error);
    assert_true(result == OCT_OK || error.message[0]);
    if (result == OCT_OK) {
        oct_tree_def def = oct_tree_def_default();
        def.allocator = allocator;
        oct_tree *tree;
        oct_tree_info info;
        const oct_result built = oct_lab_file_tree(&file.map, &def, &tree, &info, &error);
        oct_tree_destroy(tree);
        oct_lab_file_free(&file);
        return built;
    }
    return result;
}

static void memory_that_is_refused_leaves_nothing_behind(void **state)
{
    (void)state;
    // Long enough for several chunks.
    char *const text = malloc(1 << 16);
    assert_non_null(text);
    char *at = text + sprintf(text, HEAD MAP ", \"paths\": [");
    for (int i = 0; i < 100; i++) {
        at += sprintf(at,
                      "%s{" NAMES ", \"variant\": \"some variant\", \"status\": \"found\", "
                      "\"points\": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]}",
                      i ? ",\n" : "");
    }
    strcpy(at, "]}");
    assert_true(test_each_failure(decode_with, text) > 4);
    free(text);
}

static void files_are_written_whole_or_not_at_all(void **state)
{
    const char *const folder = *state;
    char path[600], nowhere[600];
    snprintf(path, sizeof path, "%s/a.json", folder);
    snprintf(nowhere, sizeof nowhere, "%s/no/a.json", folder);
    oct_random random = oct_random_seed(3);
    sample s;
    random_file(&random, &s);
    uint64_t size = 0;
    oct_error error = {.line = 0};
    assert_int_equal(oct_lab_file_save(path, &s.file, &size, &error), OCT_OK);
    oct_array bytes = encoded(&s.file);
    assert_int_equal(size, bytes.count);
    drop(&bytes);
    lab_file again;
    assert_int_equal(oct_lab_file_load(path, NULL, &again, &error), OCT_OK);
    assert_same(&s.file, &again);
    oct_lab_file_free(&again);
    assert_int_equal(oct_lab_file_save(nowhere, &s.file, NULL, &error), OCT_ERROR_FILE);
    assert_int_equal(oct_lab_file_load(nowhere, NULL, &again, &error), OCT_ERROR_FILE);
    assert_string_equal(error.message, "cannot open: No such file or directory");
    oct_lab_file_free(&again);
    // A file that is too large is not read.
    FILE *const large = fopen(path, "w");
    assert_non_null(large);
    assert_int_equal(fseek(large, (32 << 20), SEEK_SET), 0);
    fputc('x', large);
    fclose(large);
    assert_int_equal(oct_lab_file_load(path, NULL, &again, &error), OCT_ERROR_FILE);
    assert_string_equal(error.message, "the file is larger than 32 MiB");
    unlink(path);
    rmdir(folder);
    free(*state);
}

static void the_example_in_the_documentation_is_one(void **state)
{
    (void)state;
    size_t size;
    char *const page = test_read_file(OCT_SOURCE_DIR "/docs/lab/lab-file.md", &size);
    char *const copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, page, size);
    copy[size] = '\0';
    const char *const start = strstr(copy, "```json\n") + strlen("```json\n");
    const size_t length = (size_t)(strstr(start, "```\n") - start);
    lab_file file = decoded(start, length);
    assert_int_equal(file.path_count, 1);
    const lab_file_path *const path = &file.paths[0];
    double sum = 0.0;
    for (uint32_t i = 1; i < path->point_count; i++) {
        sum += hypot(path->points[i][0] - path->points[i - 1][0],
                     path->points[i][1] - path->points[i - 1][1]);
    }
    assert_true(fabs(sum - path->statistics[LAB_LENGTH]) < 1e-8);
    oct_lab_file_free(&file);
    free(copy);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back_with_the_same_bits),
        cmocka_unit_test(a_file_says_all_that_it_holds),
        cmocka_unit_test(keys_have_no_order_and_others_own_are_passed_over),
        cmocka_unit_test(rows_become_a_map),
        cmocka_unit_test(what_is_no_laboratory_file_is_named),
        cmocka_unit_test(what_is_wrong_with_a_map_is_named),
        cmocka_unit_test(what_is_wrong_with_a_task_or_a_path_is_named),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(memory_that_is_refused_leaves_nothing_behind),
        cmocka_unit_test_setup(files_are_written_whole_or_not_at_all, make_folder),
        cmocka_unit_test(the_example_in_the_documentation_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
