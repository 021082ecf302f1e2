// SPDX-License-Identifier: MIT
// The formats that hold trees, OctoMap's and our own: every word and byte of them, what is refused
// and where, and that random trees come back.
#include "format_support.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include <locale.h>
#include <stdio.h>

// ---- .bt ----

#define BT_TEXT(id, size, res)                                                                     \
    "# Octomap OcTree binary file\n"                                                               \
    "# (feel free to add / change comments, but leave the first line as it is!)\n#\n"              \
    "id " id "\nsize " size "\nres " res "\ndata\n"

// From the root (16) to the brick (2) whose smallest cell is 0: the last child once, then the first
// thirteen times.
#define BT_DOWN                                                                                    \
    "\x00\xc0\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00\x03\x00"     \
    "\x03\x00\x03\x00\x03\x00"

static void bt_words_are_read_down_to_single_cells(void **state)
{
    (void)state;
    // Of the brick: octant 0 inner, 1 free, 2 occupied; of octant 0: cell 0 free, cell 1 occupied.
    static const char file[] = BT_TEXT("ColorOcTree", "20", "0.05") BT_DOWN "\x27\x00\x09\x00";
    oct_tree_info info;
    oct_tree *tree = read_bytes(OCT_FORMAT_BT, file, sizeof file - 1, &info);
    assert_true(oct_tree_cell_size(tree) == 0.05);
    assert_string_equal(info.id, "ColorOcTree");
    assert_label(tree, 0, 0, 0, OCT_OPEN);
    assert_label(tree, 1, 0, 0, OCT_BLOCKED);
    assert_label(tree, 0, 1, 0, OCT_UNKNOWN);
    assert_label(tree, 2, 1, 1, OCT_OPEN);
    assert_label(tree, 1, 3, 1, OCT_BLOCKED);
    assert_label(tree, 0, 0, 2, OCT_UNKNOWN);
    const oct_box expected = {{0, 0, 0}, {4, 4, 2}};
    assert_memory_equal(&info.box, &expected, sizeof expected);
    const output out = written(OCT_FORMAT_BT, tree, &info);
    assert_int_equal(out.size, sizeof file - 1);
    assert_memory_equal(out.data, file, out.size);
    free(out.data);
    oct_tree_destroy(tree);
}

static void bt_headers_may_come_in_any_order(void **state)
{
    (void)state;
    oct_tree_info info;
    oct_tree *tree = read_text(OCT_FORMAT_BT,
                               "# Octomap OcTree binary file\nres 2.5e-1\n# or so\nsize 0\n"
                               "id OcTreeStamped\ndata\n",
                               &info);
    assert_true(oct_tree_cell_size(tree) == 0.25);
    assert_string_equal(info.id, "OcTreeStamped");
    assert_int_equal(oct_tree_root(tree).level, -1);
    oct_tree_destroy(tree);
}

static void bt_trees_that_were_not_pruned_merge(void **state)
{
    (void)state;
    static const char file[] = BT_TEXT("OcTree", "17", "1") "\x57\x55\x55\x55";
    oct_tree *tree = read_bytes(OCT_FORMAT_BT, file, sizeof file - 1, NULL);
    const oct_cell root = oct_tree_root(tree);
    assert_int_equal(root.level, 16);
    assert_int_equal(oct_tree_bytes(tree), 0);
    // The file cannot say that its root is a leaf, so its eight children are.
    const oct_tree_info info = oct_tree_info_default();
    const output out = written(OCT_FORMAT_BT, tree, &info);
    static const char pruned[] = BT_TEXT("OcTree", "9", "1") "\x55\x55";
    assert_int_equal(out.size, sizeof pruned - 1);
    assert_memory_equal(out.data, pruned, out.size);
    free(out.data);
    oct_tree_destroy(tree);
}

#define BT_FIRST "# Octomap OcTree binary file\n" // 29 bytes
#define SIZED(text) text, sizeof(text) - 1
enum { BT_DATA = 29 + 75 + 2 + 10 + 8 + 6 + 5 }; // where the data begin for OcTree, 20, 1

static void bad_bt_files_are_refused_with_place(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"# Octomap OcTree file\n", 0, 0, 1, 1, "expected `# Octomap"},
        {BT_FIRST "id Tree\n", 0, 32, 2, 4, "expected OcTree"},
        {BT_FIRST "id OcTreeX\n", 0, 32, 2, 4, "expected OcTree"},
        {BT_FIRST "id OcTree x\n", 0, 39, 2, 11, "end of the line"},
        {BT_FIRST "id OcTree\nid OcTree\n", 0, 39, 3, 1, "a second `id`"},
        {BT_FIRST "size x\n", 0, 34, 2, 6, "number of nodes"},
        {BT_FIRST "size 1000000000000000000\n", 0, 34, 2, 6, "number of nodes"},
        {BT_FIRST "res 0\n", 0, 33, 2, 5, "above 0"},
        {BT_FIRST "res -1\n", 0, 33, 2, 5, "above 0"},
        {BT_FIRST "res 1e400\n", 0, 33, 2, 5, "above 0"},
        {BT_FIRST "res nan\n", 0, 33, 2, 5, "above 0"},
        {BT_FIRST "colour 1\n", 0, 29, 2, 1, "`id`, `size`, `res` or `data`"},
        {BT_FIRST "id OcTree\nsize 0\ndata\n", 0, 50, 4, 5, "must come before"},
        {BT_FIRST "id OcTree\nsize 0\nres 1\ndata", 0, 56, 5, 5, "after `data`"},
        {BT_FIRST "id OcTree\nsize 0\nres 1\ndata \n", 0, 56, 5, 5, "after `data`"},
        {BT_FIRST "id OcTree\nsize 0\nres 1\n", 0, 52, 5, 1, "`data`"},
        {SIZED(BT_TEXT("OcTree", "20", "1")), BT_DATA, 0, 0, "end inside the tree"},
        {SIZED(BT_TEXT("OcTree", "20", "1") BT_DOWN "\x27\x00\x09"), BT_DATA + 30, 0, 0,
         "end inside the tree"},
        {SIZED(BT_TEXT("OcTree", "20", "1") BT_DOWN "\x27\x00\x0b\x00"), BT_DATA + 30, 0, 0,
         "below the deepest level"},
        {SIZED(BT_TEXT("OcTree", "20", "1") BT_DOWN "\x27\x00\x09\x00\x00"), BT_DATA + 32, 0, 0,
         "go on after the tree"},
        {SIZED(BT_TEXT("OcTree", "21", "1") BT_DOWN "\x27\x00\x09\x00"), BT_DATA + 32, 0, 0,
         "`size` says 21 nodes, but there are 20"},
        {BT_FIRST "id OcTree\nsize 0\nres 1\ndata\nx", 0, 57, 0, 0, "go on after the tree"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(OCT_FORMAT_BT, &bad[i]);
    }
}

// Labels of every cell in a box that holds both, one tree moved against the other.
static void assert_labels_equal(const oct_tree *a, const oct_tree *b, oct_box box, oct_vec shift)
{
    for (int32_t x = box.min.x; x < box.max.x; x++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t z = box.min.z; z < box.max.z; z++) {
                assert_label(b, x + shift.x, y + shift.y, z + shift.z,
                             oct_tree_label(a, (oct_vec){x, y, z}));
            }
        }
    }
}

static void random_trees_come_back_from_bt_by_label(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(12);
    const oct_tree_info info = oct_tree_info_default();
    for (int round = 0; round < 60; round++) {
        oct_tree_def def = oct_tree_def_default();
        def.cell_size = 0.25;
        const oct_vec shift = {oct_random_range(&random, -9, 9), round, -round};
        def.origin = (oct_point){0.25 * shift.x, 0.25 * shift.y, 0.25 * shift.z};
        oct_tree *tree;
        assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
        const oct_box within = {{-20, -20, -20}, {20, 20, 20}};
        mark_random(&random, tree, within, 12, OCT_MARK_COUNT, 1 + round / 2);
        const output out = written(OCT_FORMAT_BT, tree, &info);
        oct_tree *back = read_bytes(OCT_FORMAT_BT, out.data, out.size, NULL);
        assert_labels_equal(tree, back, (oct_box){{-22, -22, -22}, {34, 34, 34}}, shift);
        const output again = written(OCT_FORMAT_BT, back, &info);
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        free(out.data);
        free(again.data);
        oct_tree_destroy(back);
        oct_tree_destroy(tree);
    }
}

static void bt_holds_the_outermost_cells_and_none_beyond(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    const oct_tree_info info = oct_tree_info_default();
    oct_tree_set(tree, (oct_cell){-32768, -32768, 32767, 0}, OCT_MARK_BLOCKED);
    oct_tree_set(tree, (oct_cell){32767, 32767, -32768, 0}, OCT_MARK_OPEN);
    const output out = written(OCT_FORMAT_BT, tree, &info);
    oct_tree *back = read_bytes(OCT_FORMAT_BT, out.data, out.size, NULL);
    assert_label(back, -32768, -32768, 32767, OCT_BLOCKED);
    assert_label(back, 32767, 32767, -32768, OCT_OPEN);
    oct_tree_destroy(back);
    free(out.data);

    oct_tree_set(tree, (oct_cell){0, 32768, 0, 0}, OCT_MARK_OPEN);
    output none = {NULL, 0, SIZE_MAX};
    oct_error error;
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &none, &error),
                     OCT_ERROR_RANGE);
    assert_non_null(strstr(error.message, "32768"));
    assert_int_equal(none.size, 0);
    oct_tree_destroy(tree);
}

static void bt_refuses_an_origin_between_cells_and_unknown_ids(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    def.origin.y = 0.5;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    oct_tree_set(tree, (oct_cell){0, 0, 0, 0}, OCT_MARK_OPEN);
    oct_tree_info info = oct_tree_info_default();
    output none = {NULL, 0, SIZE_MAX};
    oct_error error;
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &none, &error),
                     OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "origin"));
    static const char *const ids[] = {"", "Quadtree", "OcTree ", "OcTree\nsize 5"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        snprintf(info.id, sizeof info.id, "%s", ids[i]);
        assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &none, &error),
                         OCT_ERROR_ARGUMENT);
    }
    memset(info.id, 'x', sizeof info.id);
    assert_int_equal(oct_tree_write(OCT_FORMAT_BT, tree, &info, collect, &none, &error),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(none.size, 0);
    oct_tree_destroy(tree);
}

// ---- decimals ----

static bool parse_decimal(const char *words, double *value, size_t *length)
{
    text in = text_open((input){(const uint8_t *)words, strlen(words)});
    const bool found = oct_text_decimal(&in, value);
    *length = (size_t)(in.at - in.start);
    return found;
}

static void decimals_are_read_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        double value;
        size_t length;
    } good[] = {
        {"0.05", 0.05, 4},
        {"5e-2 ", 0.05, 4},
        {"12", 12.0, 2},
        {".5x", 0.5, 2},
        {"3.", 3.0, 2},
        {"1E+3", 1000.0, 4},
        {"0.1.2", 0.1, 3},
        {"9007199254740993", 9007199254740992.0, 16},
        {"1e-400", 0.0, 6},
        {"0.30000000000000004", 0.1 + 0.2, 19},
        {"2.2250738585072014e-308", 2.2250738585072014e-308, 23},
    };
    double value;
    size_t length;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(parse_decimal(good[i].words, &value, &length));
        assert_true(value == good[i].value);
        assert_int_equal(length, good[i].length);
    }
    static const char *const bad[] = {
        "",    ".",       "-1",  "e5", "1e",
        "1e+", "1e99999", "nan", ",5", "0.00000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(parse_decimal(bad[i], &value, &length));
        assert_int_equal(length, 0);
    }
}

static void assert_prints(double value, const char *expected)
{
    output out = {NULL, 0, SIZE_MAX};
    sink to = {.write = collect, .ctx = &out};
    oct_sink_decimal(&to, value);
    oct_sink_flush(&to);
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    free(out.data);
}

static void decimals_are_written_in_as_few_digits_as_do(void **state)
{
    (void)state;
    assert_prints(0.05, "0.05");
    assert_prints(1.0, "1");
    assert_prints(0.1 + 0.2, "0.30000000000000004");
    assert_prints(1e-7, "1e-07");
    assert_prints(123456.75, "123456.75");
    oct_random random = oct_random_seed(13);
    for (int i = 0; i < 2000; i++) {
        const double value = oct_random_unit(&random) * (i % 2 ? 1.0 : 1e-12) + 1e-300;
        output out = {NULL, 0, SIZE_MAX};
        sink to = {.write = collect, .ctx = &out};
        oct_sink_decimal(&to, value);
        sink_byte(&to, '\0');
        oct_sink_flush(&to);
        double back;
        size_t length;
        assert_true(parse_decimal(out.data, &back, &length));
        assert_int_equal(length, out.size - 1);
        assert_true(back == value);
        free(out.data);
    }
}

static void a_decimal_comma_in_the_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = setlocale(LC_NUMERIC, names[i]) && *localeconv()->decimal_point == ',';
    }
    if (!found) {
        setlocale(LC_NUMERIC, "C");
        printf("skipped: no locale with a decimal comma\n");
        skip();
    }
    double value;
    size_t length;
    assert_true(parse_decimal("0.05", &value, &length));
    assert_true(value == 5e-2 && length == 4);
    assert_prints(5e-2, "0.05");
    setlocale(LC_NUMERIC, "C");
}

// ---- our own ----

static void random_trees_come_back_exactly(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(14);
    for (int round = 0; round < 200; round++) {
        oct_tree_def def = oct_tree_def_default();
        def.dims = round % 2 ? 2 : 3;
        def.cell_size = 0.1 + oct_random_unit(&random);
        def.origin = (oct_point){oct_random_unit(&random), -1e300, 1e-300};
        oct_tree *tree;
        assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
        const int32_t reach = round % 5 ? 40 : 1 << 29;
        const oct_box within = {{-reach, -reach, -reach}, {reach, reach, reach}};
        mark_random(&random, tree, within, 30, OCT_MARK_COUNT, round % 40);

        oct_tree_info info = oct_tree_info_default();
        info.up = (oct_up)(round % 3);
        info.left_handed = round % 4 == 0;
        info.box = random_box(&random, within, 99);
        snprintf(info.id, sizeof info.id, "id%d", round);
        const output out = written(OCT_FORMAT_TREE, tree, &info);
        oct_tree_info found;
        oct_tree *back = read_bytes(OCT_FORMAT_TREE, out.data, out.size, &found);
        assert_int_equal(oct_tree_dims(back), def.dims);
        assert_true(oct_tree_cell_size(back) == def.cell_size);
        assert_true(oct_tree_origin(back).y == -1e300);
        assert_int_equal(found.up, info.up);
        assert_int_equal(found.left_handed, info.left_handed);
        assert_string_equal(found.id, info.id);
        assert_int_equal(found.box.min.x, info.box.min.x);
        assert_int_equal(found.box.max.y, info.box.max.y);
        const output again = written(OCT_FORMAT_TREE, back, &found);
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        const oct_cell root = oct_tree_root(tree), back_root = oct_tree_root(back);
        assert_int_equal(root.level, back_root.level);
        if (root.level >= 0) {
            assert_memory_equal(&root, &back_root, sizeof root);
        }
        free(out.data);
        free(again.data);
        oct_tree_destroy(back);
        oct_tree_destroy(tree);
    }
}

static void what_was_seen_under_a_blocked_cell_comes_back(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {64, 64, 64}}, OCT_MARK_SOLID);
    oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {33, 64, 64}}, OCT_MARK_KNOWN);
    const oct_tree_info info = oct_tree_info_default();
    const output out = written(OCT_FORMAT_TREE, tree, &info);
    oct_tree *back = read_bytes(OCT_FORMAT_TREE, out.data, out.size, NULL);
    oct_tree_set_box(back, (oct_box){{0, 0, 0}, {64, 64, 64}}, OCT_MARK_CLEAR);
    assert_label(back, 32, 0, 0, OCT_OPEN);
    assert_label(back, 33, 0, 0, OCT_UNKNOWN);
    free(out.data);
    oct_tree_destroy(back);
    oct_tree_destroy(tree);
}

static void an_emptied_tree_is_written_as_a_new_one(void **state)
{
    (void)state;
    oct_tree *fresh = new_tree(3), *emptied = new_tree(3);
    oct_tree_set_box(emptied, (oct_box){{100, 100, 100}, {150, 180, 120}}, OCT_MARK_OPEN);
    oct_tree_forget(emptied, (oct_box){{100, 100, 100}, {150, 180, 120}});
    assert_same_tree(fresh, emptied);
    oct_tree_destroy(fresh);
    oct_tree_destroy(emptied);
}

// A change to the bytes of a small valid tree, and what is then wrong with them.
typedef struct damage {
    size_t at;
    const char *bytes;
    size_t count;
    const char *message;
    uint64_t offset;
} damage;

// A root of level 3 over cells 0 to 7: an inner node, a brick with cell 0 known, then leaves.
static output small_tree(void)
{
    oct_tree *tree = new_tree(3);
    oct_tree_set(tree, (oct_cell){0, 0, 0, 0}, OCT_MARK_OPEN);
    oct_tree_set_box(tree, (oct_box){{4, 4, 4}, {8, 8, 8}}, OCT_MARK_BLOCKED);
    const oct_tree_info info = oct_tree_info_default();
    const output out = written(OCT_FORMAT_TREE, tree, &info);
    assert_int_equal(out.size, 124 + 1 + 17 + 7);
    oct_tree_destroy(tree);
    return out;
}

static void bad_trees_are_refused_with_offset(void **state)
{
    (void)state;
    static const damage damages[] = {
        {0, "o", 1, "not an Octant tree", 0},
        {4, "\x02", 1, "version 2", 4},
        {5, "\x01", 1, "dimensions", 5},
        {5, "\x02", 1, "no such box", 40},
        {6, "\x03", 1, "axes", 6},
        {7, "\x02", 1, "axes", 6},
        {14, "\x00\x00", 2, "cell size", 8},
        {14, "\xf0\xff", 2, "cell size", 8},
        {14, "\xf0\xbf", 2, "cell size", 8},
        {22, "\xf0\x7f", 2, "origin", 16},
        {43, "\x7f", 1, "no such box", 40},
        {52, "\xff\xff\xff\xff", 4, "no such box", 40},
        {64, "\xff", 1, "id", 64},
        {71, "x", 1, "id", 64},
        {70, "0123456789012345678901234567890", 26, "id", 64},
        {96, "\x01", 1, "no root can lie there", 96},
        {103, "\x40", 1, "no root can lie there", 96},
        {99, "\x40", 1, "a brick outside the lattice", 125},
        {96, "\xfc\xff\xff\x3f", 4, "a leaf outside the lattice", 148},
        {120, "\x01", 1, "no root has level 1", 120},
        {120, "\x21", 1, "no root has level 33", 120},
        {123, "\x80", 1, "no root has level", 120},
        {120, "\x02", 1, "no node of level 2 starts with 4", 124},
        {120, "\x04", 1, "no node of level 3 starts with 5", 125},
        {124, "\x05", 1, "no node of level 3 starts with 5", 124},
        {124, "\x06", 1, "no node of level 3 starts with 6", 124},
        {124, "\x00", 1, "go on after the tree", 125},
        {126, "\x00", 1, "a brick of equal cells", 125},
        {142, "\x05", 1, "end inside a brick", 149},
        {148, "\x00", 1, "as small as its cells allow", 96},
        {148, "\x04", 1, "no node of level 2 starts with 4", 148},
    };
    const output good = small_tree();
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char *copy = malloc(good.size);
        assert_non_null(copy);
        memcpy(copy, good.data, good.size);
        memcpy(copy + damages[i].at, damages[i].bytes, damages[i].count);
        const refusal bad = {copy, good.size, damages[i].offset, 0, 0, damages[i].message};
        assert_refused(OCT_FORMAT_TREE, &bad);
        free(copy);
    }
    free(good.data);
}

static void nodes_that_could_be_merged_are_refused(void **state)
{
    (void)state;
    const output good = small_tree();
    // The brick and the seven leaves after it become eight equal leaves.
    char bad[124 + 9];
    memcpy(bad, good.data, 125);
    memset(bad + 125, 1, 8);
    const refusal mergeable = {bad, sizeof bad, 124, 0, 0, "a node of equal leaves"};
    assert_refused(OCT_FORMAT_TREE, &mergeable);
    free(good.data);
}

static void every_cut_and_every_added_byte_is_refused(void **state)
{
    (void)state;
    static const char bt[] = BT_TEXT("OcTree", "20", "0.05") BT_DOWN "\x27\x00\x09\x00";
    const output tree = small_tree();
    const output files[] = {tree, {(char *)(uintptr_t)bt, sizeof bt - 1, 0}};
    const oct_format kinds[] = {OCT_FORMAT_TREE, OCT_FORMAT_BT};
    const oct_tree_def def = oct_tree_def_default();
    for (size_t k = 0; k < 2; k++) {
        for (size_t size = 0; size <= files[k].size + 1; size++) {
            char *copy = calloc(1, size ? size : 1);
            assert_non_null(copy);
            memcpy(copy, files[k].data, size < files[k].size ? size : files[k].size);
            oct_tree *out;
            oct_error error;
            const oct_result result = oct_tree_read(kinds[k], copy, size, &def, &out, NULL, &error);
            assert_int_equal(result, size == files[k].size ? OCT_OK : OCT_ERROR_FORMAT);
            assert_true(result == OCT_OK || (!out && error.message[0]));
            assert_true(result == OCT_OK || error.offset <= size);
            oct_tree_destroy(out);
            free(copy);
        }
    }
    free(tree.data);
}

static void tree_writer_refuses_a_bad_info(void **state)
{
    (void)state;
    oct_tree *tree = new_tree(3);
    output none = {NULL, 0, SIZE_MAX};
    oct_tree_info bad[4];
    for (size_t i = 0; i < 4; i++) {
        bad[i] = oct_tree_info_default();
    }
    bad[0].box.max.x = -1;
    bad[1].up = (oct_up)3;
    memset(bad[2].id, 'x', sizeof bad[2].id);
    bad[3].id[2] = '\n';
    for (size_t i = 0; i < 4; i++) {
        oct_error error;
        assert_int_equal(oct_tree_write(OCT_FORMAT_TREE, tree, &bad[i], collect, &none, &error),
                         OCT_ERROR_ARGUMENT);
        assert_true(error.message[0]);
    }
    assert_int_equal(none.size, 0);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bt_words_are_read_down_to_single_cells),
        cmocka_unit_test(bt_headers_may_come_in_any_order),
        cmocka_unit_test(bt_trees_that_were_not_pruned_merge),
        cmocka_unit_test(bad_bt_files_are_refused_with_place),
        cmocka_unit_test(random_trees_come_back_from_bt_by_label),
        cmocka_unit_test(bt_holds_the_outermost_cells_and_none_beyond),
        cmocka_unit_test(bt_refuses_an_origin_between_cells_and_unknown_ids),
        cmocka_unit_test(decimals_are_read_exactly),
        cmocka_unit_test(decimals_are_written_in_as_few_digits_as_do),
        cmocka_unit_test(a_decimal_comma_in_the_locale_changes_nothing),
        cmocka_unit_test(random_trees_come_back_exactly),
        cmocka_unit_test(what_was_seen_under_a_blocked_cell_comes_back),
        cmocka_unit_test(an_emptied_tree_is_written_as_a_new_one),
        cmocka_unit_test(bad_trees_are_refused_with_offset),
        cmocka_unit_test(nodes_that_could_be_merged_are_refused),
        cmocka_unit_test(every_cut_and_every_added_byte_is_refused),
        cmocka_unit_test(tree_writer_refuses_a_bad_info),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
