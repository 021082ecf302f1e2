// SPDX-License-Identifier: MIT
// World files that are refused: each says where, and what is wrong.
#include "world_support.h"

#include "files/world_reader.h"

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
        {HEAD "\"up\": \"w\"}", "\"w\"", "up cannot be 'w', only x, y, z"},
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
        {HEAD "\"types\": [{\"name\": \"a\", \"colour\": 1}]}", "{\"name",
         "type 0: unknown key 'colour'"},
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
         "block 1 (id 2): label cannot be 'shut', only unknown, open, blocked"},
        {SECOND("{\"id\": 2, \"type\": \"a\", \"lable\": \"open\", " BOX "}"), NULL,
         "block 1 (id 2): unknown key 'lable'"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

#define BAD_ID(subject, name)                                                                      \
    subject ": " name " must be a whole number below 2^53, or a string of digits for one below "   \
            "2^64"

static void what_is_wrong_with_a_type_is_named(void **state)
{
    (void)state;
#define TYPE(more) HEAD "\"types\": [\n{\"name\": \"a\", " more "}]}"
    static const char bad_size[] = "type 0: size must be 3 whole numbers from 1 to 64";
    static const refusal cases[] = {
        {TYPE("\"kind\": 1"), NULL, "type 0: kind must be a string"},
        {TYPE("\"kind\": \"gate\""), NULL,
         "type 0: kind cannot be 'gate', only solid, door, panel, timer, target"},
        {TYPE("\"kind\": \"panel\""), NULL, "type 0: a panel has at least one button"},
        {TYPE("\"kind\": \"panel\", \"buttons\": 0"), NULL,
         "type 0: a panel has at least one button"},
        {TYPE("\"kind\": \"panel\", \"buttons\": 65"), NULL,
         "type 0: buttons must be a whole number below 65"},
        {TYPE("\"kind\": \"panel\", \"buttons\": 1.5"), NULL,
         "type 0: buttons must be a whole number below 65"},
        {TYPE("\"kind\": \"door\", \"buttons\": 1"), NULL, "type 0: only panels have buttons"},
        {TYPE("\"size\": [1, 1]"), NULL, bad_size},
        {TYPE("\"size\": [0, 1, 1]"), NULL, bad_size},
        {TYPE("\"size\": [1, 65, 1]"), NULL, bad_size},
        {TYPE("\"size\": [1, 1, 1.0]"), NULL, bad_size},
        {TYPE("\"size\": [1, 1, 4294967297]"), NULL, bad_size},
        {TYPE("\"integrity\": 0"), NULL, "type 0: integrity must be greater than 0"},
        {TYPE("\"integrity\": -1"), NULL, "type 0: integrity must be greater than 0"},
        {TYPE("\"integrity\": \"1\""), NULL, "type 0: integrity must be a number"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_a_grid_is_named(void **state)
{
    (void)state;
#define GRID(more) HEAD TYPES "\"blocks\": [], \"grids\": [\n{" more "}]}"
#define AT "\"id\": 5, \"position\": [0, 0, 0]"
    static const char bad_pose[] =
        "grid 0 (id 5): forward and up must be unit vectors at a right angle";
    static const refusal cases[] = {
        {HEAD TYPES "\"blocks\": [], \"grids\": {}}", "{}", "grids must be a list"},
        {HEAD TYPES "\"blocks\": [], \"grids\": [7]}", "7]", "grid 0: it must be an object"},
        {GRID(""), NULL, "grid 0: id is missing"},
        {GRID("\"id\": -1"), NULL, BAD_ID("grid 0", "id")},
        {GRID("\"id\": 5"), NULL, "grid 0 (id 5): position is missing"},
        {GRID("\"id\": 5, \"position\": [1, 2]"), NULL,
         "grid 0 (id 5): position must be 3 numbers"},
        {GRID(AT ", \"colour\": 1"), NULL, "grid 0 (id 5): unknown key 'colour'"},
        {GRID(AT ", \"name\": 1"), NULL, "grid 0 (id 5): name must be a string"},
        {GRID(AT ", \"forward\": 1"), NULL, "grid 0 (id 5): forward must be 3 numbers"},
        {GRID(AT ", \"up\": [1]"), NULL, "grid 0 (id 5): up must be 3 numbers"},
        {GRID(AT ", \"forward\": [0, 1, 0]"), NULL, bad_pose},
        {GRID(AT ", \"up\": [0, 2, 0]"), NULL, bad_pose},
        {GRID(AT ", \"cell\": 0"), NULL, "grid 0 (id 5): cell must be greater than 0"},
        {GRID(AT ", \"cell\": -2.5"), NULL, "grid 0 (id 5): cell must be greater than 0"},
        {GRID(AT ", \"cell\": []"), NULL, "grid 0 (id 5): cell must be a number"},
        {GRID(AT ", \"drift\": 3"), NULL, "grid 0 (id 5): drift must be 3 numbers"},
        {GRID(AT ", \"range\": -1"), NULL, "grid 0 (id 5): range must not be negative"},
        {GRID(AT ", \"range\": null"), NULL, "grid 0 (id 5): range must be a number"},
        {HEAD TYPES "\"blocks\": [], \"grids\": [{" AT "},\n{\"id\": \"5\", \"position\": "
                    "[1, 1, 1]}]}",
         NULL, "grid 1 (id 5): the id is that of grid 0"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_a_block_on_a_grid_is_named(void **state)
{
    (void)state;
#define PLACED(more)                                                                               \
    HEAD "\"types\": [{\"name\": \"a\", \"integrity\": 50, \"size\": [1, 2, 1]}, {\"name\": "      \
         "\"t\", \"kind\": \"timer\"}], \"grids\": [{\"id\": 5, \"position\": [0, 0, 0]}, "        \
         "{\"id\": 6, \"position\": [1e308, 0, 0], \"cell\": 1e308}], \"blocks\": [\n{" more "}]}"
#define ON "\"id\": 1, \"type\": \"a\", \"cell\": [0, 0, 0]"
    static const char bad_cell[] =
        "block 0 (id 1): cell must be 3 whole numbers from -1048576 to 1048575";
    static const char bad_turn[] = "block 0 (id 1): forward and up must be at a right angle";
    static const char bad_damage[] =
        "block 0 (id 1): damage must be from 0 to below its type's integrity, 50";
    static const refusal cases[] = {
        {PLACED("\"type\": \"a\", \"cell\": 1"), NULL,
         "block 0: cell must be 3 whole numbers from -1048576 to 1048575"},
        {PLACED("\"id\": 1, \"type\": \"a\", \"cell\": [0, 0]"), NULL, bad_cell},
        {PLACED("\"id\": 1, \"type\": \"a\", \"cell\": [0, 0.5, 0]"), NULL, bad_cell},
        {PLACED("\"id\": 1, \"type\": \"a\", \"cell\": [1048576, 0, 0]"), NULL, bad_cell},
        {PLACED("\"id\": 1, \"type\": \"a\", \"cell\": [0, 1048575, 0]"), NULL,
         "block 0 (id 1): it reaches beyond the cells from -1048576 to 1048575"},
        {PLACED("\"id\": null, \"type\": \"a\", \"cell\": [0, 0, 0]"), NULL,
         BAD_ID("block 0", "id")},
        {PLACED(ON ", \"grid\": 2"), NULL, "block 0 (id 1): there is no grid 2"},
        {PLACED("\"type\": \"a\", \"cell\": [0, 0, 0], \"grid\": 2"), NULL,
         "block 0: there is no grid 2"},
        {PLACED(ON ", \"grid\": 4294967296"), NULL,
         "block 0 (id 1): grid must be a whole number below 2^32"},
        {PLACED("\"id\": 1, \"type\": \"a\", \"cell\": [1, 0, 0], \"grid\": 1"), NULL,
         "block 0 (id 1): its box is beyond all numbers"},
        {PLACED(ON ", " BOX), NULL, "block 0 (id 1): it has a box or a cell, not both"},
        {PLACED(ON ", \"forward\": \"north\""), NULL,
         "block 0 (id 1): forward cannot be 'north', only forward, backward, left, right, up, "
         "down"},
        {PLACED(ON ", \"up\": 4"), NULL, "block 0 (id 1): up must be a string"},
        {PLACED(ON ", \"forward\": \"up\""), NULL, bad_turn},
        {PLACED(ON ", \"up\": \"backward\""), NULL, bad_turn},
        {PLACED("\"type\": \"a\", \"cell\": [1, 2, 3], \"up\": \"backward\""), NULL,
         "block 0 (cell 1 2 3): forward and up must be at a right angle"},
        {PLACED("\"type\": \"b\", \"cell\": [1, 2, 3]"), NULL,
         "block 0 (cell 1 2 3): there is no type 'b'"},
        {PLACED("\"cell\": [1, 2, 3]"), NULL, "block 0 (cell 1 2 3): type is missing"},
        {PLACED("\"type\": \"a\", \"cell\": [1, 2, 3]},\n{\"type\": \"a\", \"cell\": "
                "[1, 2, 3], \"x-\": 0"),
         "{\"type\": \"a\", \"cell\": [1, 2, 3], \"x-",
         "block 1 (cell 1 2 3): the id is that of block 0"},
        {PLACED("\"id\": 1, \"type\": \"a\", " BOX ", \"forward\": \"up\""), NULL,
         "block 0 (id 1): forward is for blocks with a cell"},
        {PLACED("\"id\": 1, \"type\": \"a\", " BOX ", \"up\": \"up\""), NULL,
         "block 0 (id 1): up is for blocks with a cell"},
        {PLACED(ON ", \"damage\": 50"), NULL, bad_damage},
        {PLACED(ON ", \"damage\": -1"), NULL, bad_damage},
        {PLACED(ON ", \"damage\": \"1\""), NULL, "block 0 (id 1): damage must be a number"},
        {PLACED(ON ", \"delay\": 1"), NULL, "block 0 (id 1): only timers have a delay"},
        {PLACED("\"id\": 1, \"type\": \"t\", " BOX ", \"delay\": -1"), NULL,
         "block 0 (id 1): delay must not be negative"},
        {PLACED("\"id\": 1, \"type\": \"t\", " BOX ", \"delay\": true"), NULL,
         "block 0 (id 1): delay must be a number"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_rules_is_named(void **state)
{
    (void)state;
#define RULES(rules) HEAD "\"rules\":\n{" rules "}}"
    static const refusal cases[] = {
        {HEAD "\"rules\": []}", "[]", "rules must be an object"},
        {RULES("\"speeed\": 1"), NULL, "rules: unknown key 'speeed'"},
        {RULES("\"acceleration\": 0"), NULL, "rules: acceleration must be greater than 0"},
        {RULES("\"speed\": 0"), NULL, "rules: speed must be greater than 0"},
        {RULES("\"turn\": 0"), NULL, "rules: turn must be greater than 0"},
        {RULES("\"door\": 0"), NULL, "rules: door must be greater than 0"},
        {RULES("\"view\": -0.0"), NULL, "rules: view must be greater than 0"},
        {RULES("\"walk\": -1"), NULL, "rules: walk must not be negative"},
        {RULES("\"jump\": -1"), NULL, "rules: jump must not be negative"},
        {RULES("\"reach\": -1"), NULL, "rules: reach must not be negative"},
        {RULES("\"grind\": -1e-300"), NULL, "rules: grind must not be negative"},
        {RULES("\"speed\": \"20\""), NULL, "rules: speed must be a number"},
        {RULES("\"sight\": \"all\""), NULL, "rules: sight cannot be 'all', only line, through"},
        {RULES("\"sight\": true"), NULL, "rules: sight must be a string"},
        {RULES("\"gravity\": 9.81"), NULL, "rules: gravity must be 3 numbers"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_a_toolbar_is_named(void **state)
{
    (void)state;
#define TOOLBAR(items) HEAD TYPES "\"blocks\": [], \"toolbar\": [" items "]}"
    static const refusal cases[] = {
        {HEAD TYPES "\"blocks\": [], \"toolbar\": 1.5}", "1.5", "toolbar must be a list"},
        {TOOLBAR("\n7"), NULL, "toolbar item 0: it must be an object"},
        {TOOLBAR("\n{}"), NULL, "toolbar item 0: item is missing"},
        {TOOLBAR("\n{\"item\": \"hammer\"}"), NULL,
         "toolbar item 0: item cannot be 'hammer', only none, grinder, welder, block"},
        {TOOLBAR("\n{\"item\": \"none\", \"pgae\": 1}"), NULL,
         "toolbar item 0: unknown key 'pgae'"},
        {TOOLBAR("\n{\"item\": \"none\", \"page\": 9}"), NULL,
         "toolbar item 0: page must be a whole number below 9"},
        {TOOLBAR("\n{\"item\": \"none\", \"slot\": 9}"), NULL,
         "toolbar item 0: slot must be a whole number below 9"},
        {TOOLBAR("\n{\"item\": \"block\"}"), NULL, "toolbar item 0: type is missing"},
        {TOOLBAR("\n{\"item\": \"block\", \"type\": \"b\"}"), NULL,
         "toolbar item 0: there is no type 'b'"},
        {TOOLBAR("\n{\"item\": \"welder\", \"type\": \"a\"}"), NULL,
         "toolbar item 0: only a block has a type"},
        {TOOLBAR("{\"item\": \"none\", \"page\": 2, \"slot\": 3},\n{\"item\": \"welder\", "
                 "\"slot\": 3, \"page\": 2}"),
         NULL, "toolbar item 1: slot 3 of page 2 was there before"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

static void what_is_wrong_with_wires_and_groups_is_named(void **state)
{
    (void)state;
#define WIRE(more) HEAD TYPES "\"blocks\": [], \"wires\": [\n{" more "}]}"
#define GROUP(more) HEAD TYPES "\"blocks\": [], \"groups\": [\n{" more "}]}"
    static const refusal cases[] = {
        {HEAD TYPES "\"blocks\": [], \"wires\": {}}", "{}", "wires must be a list"},
        {HEAD TYPES "\"blocks\": [], \"wires\": [7]}", "7]", "wire 0: it must be an object"},
        {WIRE(""), NULL, "wire 0: from is missing"},
        {WIRE("\"from\": 1"), NULL, "wire 0: to is missing"},
        {WIRE("\"from\": -1, \"to\": 2"), NULL, BAD_ID("wire 0", "from")},
        {WIRE("\"from\": 1, \"to\": true"), NULL, BAD_ID("wire 0", "to")},
        {WIRE("\"from\": 1, \"to\": 2, \"button\": 1"), NULL, "wire 0: unknown key 'button'"},
        {WIRE("\"from\": 1, \"to\": 2, \"slot\": -1"), NULL,
         "wire 0: slot must be a whole number below 2^32"},
        {WIRE("\"from\": 1, \"to\": 2, \"action\": \"press\""), NULL,
         "wire 0: action cannot be 'press', only toggle, open, shut, start, stop, other"},
        {WIRE("\"from\": 1, \"to\": 2, \"group\": \"a\""), NULL,
         "wire 0: it leads to a block or to a group, not to both"},
        {WIRE("\"from\": 1, \"group\": \"\""), NULL, "wire 0: group is empty"},
        {WIRE("\"from\": 1, \"group\": 1"), NULL, "wire 0: group must be a string"},
        {HEAD TYPES "\"blocks\": [], \"groups\": {}}", "{}", "groups must be a list"},
        {HEAD TYPES "\"blocks\": [], \"groups\": [7]}", "7]", "group 0: it must be an object"},
        {GROUP(""), NULL, "group 0: name is missing"},
        {GROUP("\"name\": 1"), NULL, "group 0: name must be a string"},
        {GROUP("\"name\": \"\""), NULL, "group 0: name is empty"},
        {GROUP("\"name\": \"a\""), NULL, "group 0: blocks is missing"},
        {GROUP("\"name\": \"a\", \"blocks\": 7"), NULL, "group 0: blocks must be a list"},
        {GROUP("\"name\": \"a\", \"blocks\": [7, -1]"), NULL, BAD_ID("group 0", "blocks[1]")},
        {GROUP("\"name\": \"a\", \"blocks\": [], \"grid\": -1"), NULL,
         "group 0: grid must be a whole number below 2^32"},
        {GROUP("\"name\": \"a\", \"blocks\": [], \"colour\": -1"), NULL,
         "group 0: unknown key 'colour'"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

// A file of so many takes long to read: the world is filled by hand.
static void worlds_have_limits(void **state)
{
    (void)state;
    oct_error error = {.line = 0};
    world_reader in = {.data = "", .subject = "it", .error = &error};
    assert_int_equal(oct_world_create(NULL, &in.world), OCT_OK);
    const oct_world_wire wire = {.from = 1};
    const oct_world_member member = {.group = "a"};
    oct_world_grid grid = {.pose = {.forward = {1, 0, 0}, .up = {0, 1, 0}}, .cell = 1};
    for (size_t i = 0; i < OCT_WORLD_WIRES_MAX; i++) {
        assert_true(oct_world_add_wire(in.world, &wire) == OCT_OK);
    }
    for (size_t i = 0; i < OCT_WORLD_MEMBERS_MAX; i++) {
        assert_true(oct_world_add_member(in.world, &member) == OCT_OK);
    }
    for (grid.id = 0; grid.id < OCT_WORLD_GRIDS_MAX; grid.id++) {
        assert_true(oct_world_add_grid(in.world, &grid, NULL) == OCT_OK);
    }
    for (size_t i = 0; i < OCT_WORLD_TYPES_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "%zx", i);
        assert_true(oct_world_add_type(in.world, name, true, NULL) == OCT_OK);
    }
    assert_int_equal(oct_world_take_wire(&in, &wire), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "it: more than 1048576 wires");
    assert_int_equal(oct_world_take_member(&in, &member), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "it: more than 1048576 blocks in groups");
    assert_int_equal(oct_world_take_grid(&in, &grid), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "it: more than 65536 grids");
    oct_world_type type = oct_world_type_default();
    type.name = "more";
    assert_int_equal(oct_world_take_type(&in, &type, NULL), OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "it: more than 65536 types");
    oct_world_destroy(in.world);
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
        cmocka_unit_test(what_is_wrong_with_a_type_is_named),
        cmocka_unit_test(what_is_wrong_with_a_grid_is_named),
        cmocka_unit_test(what_is_wrong_with_a_block_on_a_grid_is_named),
        cmocka_unit_test(what_is_wrong_with_rules_is_named),
        cmocka_unit_test(what_is_wrong_with_a_toolbar_is_named),
        cmocka_unit_test(what_is_wrong_with_wires_and_groups_is_named),
        cmocka_unit_test(worlds_have_limits),
        cmocka_unit_test(lengths_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
