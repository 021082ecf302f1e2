// SPDX-License-Identifier: MIT
// World files that are refused: each says where, and what is wrong.
#include "world_support.h"

#define HEAD "{\"format\": \"octant-world\", \"version\": 1, "
#define TYPES "\"types\": [{\"name\": \"a\"}], "
#define BLOCKS(blocks) HEAD TYPES "\"blocks\": [" blocks "]}"
#define BOX "\"box\": [0, 0, 0, 1, 1, 1]"

static void what_is_not_json_is_refused_where_it_goes_wrong(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {" \n ", NULL, "not a world: expected '{'"},
        {"voxel 4 4 4\n", "voxel", "not a world: expected '{'"},
        {"[]", "[]", "not a world: expected '{'"},
        {"{}", "{}", "not a world: neither 'format' nor 'grids' is among its keys"},
        {"{\"a\": 1,}", "}", "expected a key"},
        {"{\"a\"\n 1}", "1}", "expected ':'"},
        {"{\"a\": 1 2}", "2}", "expected ',' or '}'"},
        {"{\"a\": 1} 2", "2", "something follows the world"},
        {"{\"a\": 1,\n\"a\":  2}", "\"a\":  2", "the key was there before"},
        {"{\"a\": nul}", "l}", "invalid token near 'nul'"},
        {"{\"a\": \"\\u0000\"}", "\"}",
         "\\u0000 is not allowed without JSON_ALLOW_NUL near '\"\\u0000\"'"},
        {"{\"a\": 1e999}", "9}", "real number overflow near '1e999'"},
        {"{\"a\": 99999999999999999999}", "9}", "too big integer near '99999999999999999999'"},
        {"{\"a\": NaN}", "N}", "invalid token near 'NaN'"},
        {"{\"a\": {\"b\": 1, \"b\": 2}}", "\": 2", "duplicate object key near '\"b\"'"},
        {"{\"a\": [1, {\"b\": 2]}", "]}", "'}' expected near ']'"},
        {"{\"a\": [1,\n 2 3]}", "3]", "expected ',' or ']'"},
        {"{\"a\": [1,]}", "]}", "unexpected token near ']'"},
        // The quotation mark that is lost is found, not what it turns around further on.
        {BLOCKS("\n{\"id: 1},\n{\"id\": \"2\"}"), ",\n{\"id\"",
         "unexpected newline near '\"id: 1},'"},
        {BLOCKS("\n{\"id\": 1, \"type\": \"a, \"box\": 1},\n{\"id\": 2}"), "x\": 1",
         "'}' expected near 'box'"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);

    oct_world *world;
    oct_error error;
    assert_int_equal(decode("", 0, &world, &error), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "the file is empty");
    // Bytes that are no UTF-8, and a zero byte.
    assert_int_equal(decode("{\"\xff\": 1}", 9, &world, &error), OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "0xff"));
    assert_int_equal(decode("{\"a\": \0}", 8, &world, &error), OCT_ERROR_FORMAT);
}

static void what_is_no_world_of_ours_is_named(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"{\"format\": \"world\"}", "\"world", "the format is 'world', not 'octant-world'"},
        {"{\"format\": 1}", "1}", "format must be a string"},
        {"{\"format\": []}", "[]", "format must be a string"},
        {"{\"format\": \"octant-world\"}", "{", "version is missing"},
        {"{\"format\": \"octant-world\", \"version\": \"1\"}", "\"1\"",
         "version must be a whole number"},
        {"{\"format\": \"octant-world\",\n\"version\": 2}", "2}",
         "version 2 is not known, only version 1"},
        {HEAD "\"colour\": 1}", "\"colour", "unknown key 'colour'"},
        {HEAD "\"name\": 1.5}", "1.5", "name must be a string"},
        {HEAD "\"up\": \"w\"}", "\"w\"", "up cannot be 'w'"},
        {HEAD "\"handed\": true}", "true", "handed must be a string"},
        {HEAD "\"passage\": -1}", "-1}", "passage must be a number that is not negative"},
        {HEAD "\"passage\": [1]}", "[1]", "passage must be a number that is not negative"},
        {HEAD "\"bounds\": [1, 2, 3]}", "[1", "bounds must be 6 numbers"},
        {HEAD "\"bounds\": [1, 2, 3, 4, 5, \"6\"]}", "[1", "bounds must be 6 numbers"},
        {HEAD "\"bounds\": 1.5}", "1.5", "bounds must be 6 numbers"},
        {HEAD "\"bounds\": [1, 2, 3, 0, 5, 6]}", "[1", "bounds are inside out"},
        {HEAD "\"start\": []}", "[]", "start must be an object"},
        {HEAD "\"start\": {\"at\": 1}}", "{\"at", "unknown key 'at'"},
        {HEAD "\"start\": {\"position\": [1, 2, 3], \"forward\": [1, 0, 0]}}", "{\"pos",
         "start: up is missing"},
        {HEAD "\"start\": {\"position\": [1, 2, 3], \"forward\": [1, 0, 0], \"up\": [1, 0, 0]}}",
         "{\"pos", "start: forward and up must be unit vectors at a right angle"},
        {HEAD "\"blocks\": []}", "{", "types is missing"},
        {HEAD "\"types\": {}, \"blocks\": []}", "{}", "types must be a list"},
        {HEAD "\"types\": [true]}", "true", "type 0: it must be an object"},
        {HEAD "\"types\": [{\"name\": \"a\"}, {}]}", "{}", "type 1: name is missing"},
        {HEAD "\"types\": [{\"name\": \"\"}]}", "{\"name", "type 0: name is empty"},
        {HEAD "\"types\": [{\"name\": \"a\", \"opaque\": 1}]}", "{\"name",
         "type 0: opaque must be true or false"},
        {HEAD "\"types\": [{\"name\": \"a\", \"kind\": 1}]}", "{\"name",
         "type 0: unknown key 'kind'"},
        {HEAD "\"types\": [{\"name\": \"a\"},\n {\"name\": \"a\" }]}", "{\"name\": \"a\" }",
         "type 1: a type of that name was there before"},
        {HEAD "\"types\": []}", "{", "blocks is missing"},
        {HEAD "\"types\": [], \"blocks\": 7}", "7", "blocks must be a list"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_a_block_is_named(void **state)
{
    (void)state;
    static const char bad_id[] = "block 1: id must be a whole number below 2^53, or a string of "
                                 "digits for one below 2^64";
#define SECOND(block) BLOCKS("{\"id\": 1, \"type\": \"a\", " BOX "},\n  " block)
#define WITH_ID(id) SECOND("{\"id\": " id ", \"type\": \"a\", " BOX "}")
    static const refusal cases[] = {
        {SECOND("[]"), NULL, "block 1: it must be an object"},
        {SECOND("{}"), NULL, "block 1: id is missing"},
        {WITH_ID("-1"), NULL, bad_id},
        {WITH_ID("1.5"), NULL, bad_id},
        {WITH_ID("9007199254740992"), NULL, bad_id},
        {WITH_ID("\"\""), NULL, bad_id},
        {WITH_ID("\"-1\""), NULL, bad_id},
        {WITH_ID("\"01\""), NULL, bad_id},
        {WITH_ID("\"1x\""), NULL, bad_id},
        {WITH_ID("\"18446744073709551616\""), NULL, bad_id},
        {WITH_ID("\"99999999999999999999\""), NULL, bad_id},
        {WITH_ID("null"), NULL, bad_id},
        {WITH_ID("1"), NULL, "block 1 (id 1): the id is that of block 0"},
        {WITH_ID("\"1\""), NULL, "block 1 (id 1): the id is that of block 0"},
        {SECOND("{\"id\": 2, " BOX "}"), NULL, "block 1 (id 2): type is missing"},
        {SECOND("{\"id\": 2, \"type\": 0, " BOX "}"), NULL,
         "block 1 (id 2): type must be a string"},
        {SECOND("{\"id\": 2, \"type\": \"b\", " BOX "}"), NULL,
         "block 1 (id 2): there is no type 'b'"},
        {SECOND("{\"id\": 2, \"type\": \"a\"}"), NULL, "block 1 (id 2): box is missing"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"box\": [1, 2, 3, 4, 5]}"), NULL,
         "block 1 (id 2): box must be 6 numbers"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"box\": [1, 2, 3, 4, 5, null]}"), NULL,
         "block 1 (id 2): box must be 6 numbers"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"box\": [1, 2, 3, 4, 1, 6]}"), NULL,
         "block 1 (id 2): box is inside out"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"name\": 3, " BOX "}"), NULL,
         "block 1 (id 2): name must be a string"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"grid\": -1, " BOX "}"), NULL,
         "block 1 (id 2): grid must be a whole number below 2^32"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"grid\": 4294967296, " BOX "}"), NULL,
         "block 1 (id 2): grid must be a whole number below 2^32"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"grid\": \"1\", " BOX "}"), NULL,
         "block 1 (id 2): grid must be a whole number below 2^32"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"label\": \"shut\", " BOX "}"), NULL,
         "block 1 (id 2): label cannot be 'shut'"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"lable\": \"open\", " BOX "}"), NULL,
         "block 1 (id 2): unknown key 'lable'"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void lengths_have_limits(void **state)
{
    (void)state;
    enum { LONG = 2 << 20 };
    char *text = test_malloc(LONG + 1024);
    // A name beyond its limit, and a text that is too long to be looked at.
    static const size_t sizes[] = {OCT_WORLD_NAME_MAX, OCT_WORLD_NAME_MAX + 1, LONG};
    static const char *const messages[] = {NULL, "block 0 (id 1): name is longer than 1023 bytes",
                                           "block 0: longer than 1048576 bytes"};
    for (size_t i = 0; i < 3; i++) {
        char *at = text + sprintf(text, HEAD TYPES "\"blocks\": [{\"id\": 1, \"name\": \"");
        memset(at, 'n', sizes[i]);
        strcpy(at + sizes[i], "\", \"type\": \"a\", " BOX "}]}");
        if (messages[i]) {
            assert_refused(text, "{\"id", messages[i]);
        } else {
            oct_world *world = decoded(text);
            assert_int_equal(strlen(oct_world_get(world, 0).name), OCT_WORLD_NAME_MAX);
            oct_world_destroy(world);
        }
    }
    // A value of the frame.
    char *at = text + sprintf(text, "{\"format\": \"octant-world\", \"x-\": \"");
    memset(at, 'n', LONG);
    strcpy(at + LONG, "\"}");
    assert_refused(text, "\"nn", "longer than 1048576 bytes");
    // Keys of the frame.
    at = text + sprintf(text, "{");
    for (int i = 0; i < 65; i++) {
        at += sprintf(at, "%s\"k%02d\": 0", i ? ",\n" : "", i);
    }
    sprintf(at, "}");
    assert_refused(text, "\n\"k64", "too many keys");
    // Brackets in brackets.
    at = text + sprintf(text, BLOCKS(""));
    at -= 2;
    memset(at, '[', 100000);
    memset(at + 100000, ']', 100000);
    strcpy(at + 200000, "]}");
    oct_world *world;
    oct_error error;
    assert_int_equal(decode(text, strlen(text), &world, &error), OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "maximum parsing depth"));
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_json_is_refused_where_it_goes_wrong),
        cmocka_unit_test(what_is_no_world_of_ours_is_named),
        cmocka_unit_test(what_is_wrong_with_a_block_is_named),
        cmocka_unit_test(lengths_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
