// SPDX-License-Identifier: MIT
// The progressive octree against leaves that are divided, cell by cell, until nothing changes.
#include "classic/leaves.h"
#include "octant/tree.h"
#include "view_support.h"

#include <stdlib.h>

// ---- the oracle: the level of the leaf of every cell in a window ----

#define WINDOW_MOST 700000
#define MOST 100000

typedef struct window {
    const view *v;
    oct_box box;
    int32_t nx, ny, nz; // cells along each edge
    uint8_t levels[WINDOW_MOST];
} window;

static window w;

static uint8_t *level_of(int32_t x, int32_t y, int32_t z)
{
    return &w.levels[((size_t)(z - w.box.min.z) * (size_t)w.ny + (size_t)(y - w.box.min.y)) *
                         (size_t)w.nx +
                     (size_t)(x - w.box.min.x)];
}

// Where the cube of a level begins that holds a cell, on one axis.
static int64_t cube_from(int32_t cell, int64_t root, int level)
{
    const int64_t edge = INT64_C(1) << level, rest = (cell - root) % edge;
    return cell - (rest < 0 ? rest + edge : rest);
}

static oct_leaf window_leaf(oct_vec cell)
{
    const int level = *level_of(cell.x, cell.y, cell.z);
    const corner root = w.v->tree->root_min;
    return (oct_leaf){.x = (int32_t)cube_from(cell.x, root.x, level),
                      .y = (int32_t)cube_from(cell.y, root.y, level),
                      .z = w.v->dims == 3 ? (int32_t)cube_from(cell.z, root.z, level) : 0,
                      .level = (uint8_t)level,
                      .label = (uint8_t)oct_tree_label(w.v->tree, cell)};
}

static oct_box leaf_part(const oct_leaf *leaf, const oct_box *within)
{
    const int64_t edge = INT64_C(1) << leaf->level;
    const int64_t to[3] = {leaf->x + edge, leaf->y + edge, leaf->z + edge};
    oct_box box = {{leaf->x, leaf->y, leaf->z},
                   {test_in_range(to[0]), test_in_range(to[1]), test_in_range(to[2])}};
    if (w.v->dims == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    return box_common(box, *within);
}

static void split(oct_vec cell)
{
    const oct_leaf leaf = window_leaf(cell);
    const oct_box part = leaf_part(&leaf, &w.box);
    for (int32_t z = part.min.z; z < part.max.z; z++) {
        for (int32_t y = part.min.y; y < part.max.y; y++) {
            for (int32_t x = part.min.x; x < part.max.x; x++) {
                *level_of(x, y, z) = (uint8_t)(leaf.level - 1);
            }
        }
    }
}

static bool in_box(const oct_box *box, int32_t x, int32_t y, int32_t z)
{
    return x >= box->min.x && x < box->max.x && y >= box->min.y && y < box->max.y &&
           z >= box->min.z && z < box->max.z;
}

// Divides the leaf of a cell while a cell next to it is in one that is more than a level smaller.
static bool split_by_neighbours(oct_vec c)
{
    const int rim = w.v->dims == 3 ? 1 : 0;
    const uint8_t *level = level_of(c.x, c.y, c.z);
    bool changed = false;
    for (int32_t z = c.z - rim; z <= c.z + rim; z++) {
        for (int32_t y = c.y - 1; y <= c.y + 1; y++) {
            for (int32_t x = c.x - 1; x <= c.x + 1; x++) {
                while (in_box(&w.box, x, y, z) && *level > *level_of(x, y, z) + 1) {
                    split(c);
                    changed = true;
                }
            }
        }
    }
    return changed;
}

static void window_fill(const view *v, oct_box box)
{
    w.v = v;
    w.box = box;
    w.nx = box.max.x - box.min.x;
    w.ny = box.max.y - box.min.y;
    w.nz = box.max.z - box.min.z;
    assert_true((int64_t)w.nx * w.ny * w.nz <= WINDOW_MOST);
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                *level_of(x, y, z) = oct_view_leaf(v, (oct_vec){x, y, z}).level;
            }
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t z = box.min.z; z < box.max.z; z++) {
            for (int32_t y = box.min.y; y < box.max.y; y++) {
                for (int32_t x = box.min.x; x < box.max.x; x++) {
                    changed |= split_by_neighbours((oct_vec){x, y, z});
                }
            }
        }
    }
}

// The free leaves of all cells within the bounds next to a box, sorted, each once.
static size_t neighbours_by_hand(const view *v, const oct_box *box, uint32_t directions,
                                 oct_leaf *out)
{
    const int rim = v->dims == 3 ? 1 : 0;
    size_t count = 0;
    for (int32_t z = box->min.z - rim; z < box->max.z + rim; z++) {
        for (int32_t y = box->min.y - 1; y <= box->max.y; y++) {
            for (int32_t x = box->min.x - 1; x <= box->max.x; x++) {
                const int dx = x < box->min.x ? -1 : x == box->max.x;
                const int dy = y < box->min.y ? -1 : y == box->max.y;
                const int dz = z < box->min.z ? -1 : z == box->max.z;
                if ((dx || dy || dz) && (directions & OCT_DIRECTION(dx, dy, dz)) &&
                    view_is_free(v, (oct_vec){x, y, z})) {
                    assert_true(count < MOST);
                    out[count++] = window_leaf((oct_vec){x, y, z});
                }
            }
        }
    }
    qsort(out, count, sizeof *out, test_compare_leaves);
    size_t unique = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || memcmp(&out[i], &out[unique - 1], sizeof *out) != 0) {
            out[unique++] = out[i];
        }
    }
    return unique;
}

static void check_neighbours(balanced *b, const view *v, const oct_leaf *leaf, uint32_t directions,
                             oct_array *found)
{
    static oct_leaf expected[MOST];
    const oct_allocator heap = oct_allocator_default();
    const oct_box part = leaf_part(leaf, &v->bounds);
    size_t count = 0;
    if (!box_is_empty(3, &part)) {
        count = neighbours_by_hand(v, &part, directions, expected);
    }
    assert_int_equal(oct_balanced_neighbours(b, v, *leaf, directions, &heap, found), OCT_OK);
    assert_int_equal(found->count, count);
    if (count > 0) {
        qsort(found->items, count, sizeof *expected, test_compare_leaves);
        assert_memory_equal(found->items, expected, count * sizeof *expected);
    }
}

// ---- small worlds ----

static oct_vec random_cell_in(const oct_box *box, oct_random *random)
{
    return (oct_vec){oct_random_range(random, box->min.x, box->max.x - 1),
                     oct_random_range(random, box->min.y, box->max.y - 1),
                     oct_random_range(random, box->min.z, box->max.z - 1)};
}

static oct_box random_box_in(const oct_box *box, oct_random *random)
{
    const oct_vec a = random_cell_in(box, random), c = random_cell_in(box, random);
    return box_union((oct_box){a, {a.x + 1, a.y + 1, a.z + 1}},
                     (oct_box){c, {c.x + 1, c.y + 1, c.z + 1}});
}

// The root and some cells around it; false where that is too much.
static bool window_around(const oct_tree *tree, int32_t more, oct_box *out)
{
    const int32_t edge = 1 << tree->root_level;
    const oct_vec at = {(int32_t)tree->root_min.x, (int32_t)tree->root_min.y,
                        (int32_t)tree->root_min.z};
    *out = (oct_box){{at.x - more, at.y - more, at.z - more},
                     {at.x + edge + more, at.y + edge + more, at.z + edge + more}};
    if (tree->dims == 2) {
        out->min.z = 0;
        out->max.z = 1;
    }
    const int64_t side = edge + 2 * more;
    return side * side * (tree->dims == 3 ? side : 1) <= WINDOW_MOST;
}

static void check_window(balanced *b, const oct_tree *tree, const oct_box *box, oct_random *random,
                         oct_array *found)
{
    const view whole = test_view(tree, true, LATTICE);
    window_fill(&whole, *box);
    oct_balanced_begin(b, &whole);
    for (int32_t z = box->min.z; z < box->max.z; z++) {
        for (int32_t y = box->min.y; y < box->max.y; y++) {
            for (int32_t x = box->min.x; x < box->max.x; x++) {
                const oct_vec cell = {x, y, z};
                const oct_leaf expected = window_leaf(cell);
                oct_leaf leaf;
                assert_int_equal(oct_balanced_leaf(b, &whole, cell, &leaf), OCT_OK);
                assert_memory_equal(&leaf, &expected, sizeof leaf);
            }
        }
    }
    for (int i = 0; i < 100; i++) {
        const view v = test_view(tree, oct_random_below(random, 2) != 0,
                                 oct_random_below(random, 2) ? *box : random_box_in(box, random));
        const oct_leaf leaf = window_leaf(random_cell_in(box, random));
        check_neighbours(b, &v, &leaf, test_random_directions(random), found);
    }
}

static void run_small_world(int dims, uint64_t seed, oct_vec base, int edits, int32_t more)
{
    oct_random random = oct_random_seed(seed);
    const oct_allocator heap = oct_allocator_default();
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, base);
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    oct_array found = {0};
    for (int edit = 0; edit < edits; edit++) {
        if (edit == 0) { // the first world is empty
            test_empty_root(tree, seed);
        } else {
            model_random_edit(&model, tree, &random);
        }
        oct_box box;
        if (window_around(tree, more, &box)) {
            check_window(b, tree, &box, &random, &found);
        }
    }
    oct_array_free(&found, &heap, sizeof(oct_leaf));
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

static void small_worlds_match_dividing_until_nothing_changes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(15); seed++) {
        run_small_world(2, seed, (oct_vec){-11, 3, 0}, 8, 20);
        run_small_world(2, seed + 100, (oct_vec){24, -60, 0}, 8, 20);
    }
    for (uint64_t seed = 0; seed < test_rounds(4); seed++) {
        run_small_world(3, seed, (oct_vec){-8, 4, -1000}, 4, 6);
        run_small_world(3, seed + 100, (oct_vec){-11, 3, 5}, 4, 6);
    }
}

// Single cells in a room of large leaves: levels fall by one from ring to ring.
static void run_sparse_world(int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const oct_allocator heap = oct_allocator_default();
    const int32_t edge = dims == 3 ? 64 : 512, from = dims == 3 ? -20 : -24;
    oct_tree *tree = model_new_tree(dims, NULL);
    const oct_box room = {{from, from, dims == 3 ? from : 0},
                          {from + edge, from + edge, dims == 3 ? from + edge : 1}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    oct_array found = {0};
    for (int i = 0; i < 3; i++) {
        const oct_vec at = random_cell_in(&room, &random);
        assert_int_equal(oct_tree_set(tree, (oct_cell){at.x, at.y, at.z, 0}, OCT_MARK_BLOCKED),
                         OCT_OK);
        oct_box box;
        assert_true(window_around(tree, 2, &box));
        check_window(b, tree, &box, &random, &found);
    }
    oct_array_free(&found, &heap, sizeof(oct_leaf));
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

static void sparse_worlds_match_too(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(3); seed++) {
        run_sparse_world(2, seed);
    }
    run_sparse_world(3, 7);
}

static bool holds(const oct_array *leaves, const oct_leaf *leaf)
{
    for (size_t i = 0; i < leaves->count; i++) {
        if (memcmp((const oct_leaf *)leaves->items + i, leaf, sizeof *leaf) == 0) {
            return true;
        }
    }
    return false;
}

// A leaf's neighbours are leaves, differ by one level at most, and have it as theirs.
static void check_around(balanced *b, const view *v, oct_vec cell, oct_array *found,
                         oct_array *back)
{
    const oct_allocator heap = oct_allocator_default();
    const uint32_t all = OCT_DIRECTIONS_26;
    oct_leaf leaf, same;
    assert_int_equal(oct_balanced_leaf(b, v, cell, &leaf), OCT_OK);
    assert_int_equal(oct_balanced_neighbours(b, v, leaf, all, &heap, found), OCT_OK);
    assert_true(found->count > 0);
    for (size_t i = 0; i < found->count; i++) {
        const oct_leaf *other = (const oct_leaf *)found->items + i;
        assert_true(abs(other->level - leaf.level) <= 1);
        const oct_box part = view_leaf_box(v, *other);
        assert_int_equal(oct_balanced_leaf(b, v, part.min, &same), OCT_OK);
        assert_memory_equal(&same, other, sizeof same);
        assert_int_equal(oct_balanced_neighbours(b, v, *other, all, &heap, back), OCT_OK);
        assert_true(holds(back, &leaf));
    }
}

static void run_large_world(int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const oct_allocator heap = oct_allocator_default();
    oct_tree *tree = model_new_tree(dims, NULL);
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    oct_array found = {0}, back = {0};
    for (int edit = 0; edit < 5; edit++) {
        const oct_vec at = test_far_cell(dims, &random);
        assert_int_equal(oct_tree_set(tree, (oct_cell){at.x, at.y, at.z, 0}, OCT_MARK_OPEN),
                         OCT_OK);
        const view v = test_view(tree, true, LATTICE);
        oct_balanced_begin(b, &v);
        for (int i = 0; i < 10; i++) {
            check_around(b, &v, i == 0 ? at : test_far_cell(dims, &random), &found, &back);
        }
    }
    oct_array_free(&found, &heap, sizeof(oct_leaf));
    oct_array_free(&back, &heap, sizeof(oct_leaf));
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

static void neighbours_across_the_lattice_are_mutual(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        run_large_world(3, seed);
        run_large_world(2, seed);
    }
}

// A leaf as large as the lattice is divided once, as is said.
static void the_largest_leaf_is_of_level_30(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set_box(tree, LATTICE, OCT_MARK_OPEN), OCT_OK);
    const view v = test_view(tree, false, LATTICE);
    assert_int_equal(oct_view_leaf(&v, (oct_vec){0, 0, 0}).level, 31);
    const oct_allocator heap = oct_allocator_default();
    oct_array found = {0}, back = {0};
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    oct_balanced_begin(b, &v);
    oct_leaf leaf;
    assert_int_equal(oct_balanced_leaf(b, &v, (oct_vec){-1, 0, 0}, &leaf), OCT_OK);
    assert_int_equal(leaf.level, 30);
    check_around(b, &v, (oct_vec){-1, 0, 0}, &found, &back);
    assert_int_equal(found.count, 7);
    oct_array_free(&found, &heap, sizeof(oct_leaf));
    oct_array_free(&back, &heap, sizeof(oct_leaf));
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

// ---- memory ----

// A room of so many blocks of 8 cells along each edge, each with a BLOCKED cell in its corner:
// seven leaves of level 2 in a block, which is more than can be remembered in all.
#define BLOCKS 50

// Asks for the leaves of a row of blocks.
static uint64_t ask_row(balanced *b, const view *v, int32_t row)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < BLOCKS * 8; i++) {
        const oct_vec cell = {i / 8 * 8 + i % 2 * 4, row % BLOCKS * 8 + i / 2 % 2 * 4,
                              row / BLOCKS * 8 + i / 4 % 2 * 4};
        oct_leaf leaf;
        assert_int_equal(oct_balanced_leaf(b, v, cell, &leaf), OCT_OK);
        sum = sum * 31 + leaf.level;
    }
    return sum;
}

static void memory_is_bounded(void **state)
{
    (void)state;
    static uint64_t sums[BLOCKS * BLOCKS];
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_box room = {{0, 0, 0}, {8 * BLOCKS, 8 * BLOCKS, 8 * BLOCKS}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    for (int32_t i = 0; i < BLOCKS * BLOCKS * BLOCKS; i++) {
        const oct_cell cell = {i % BLOCKS * 8, i / BLOCKS % BLOCKS * 8, i / (BLOCKS * BLOCKS) * 8,
                               0};
        assert_int_equal(oct_tree_set(tree, cell, OCT_MARK_BLOCKED), OCT_OK);
    }
    const view v = test_view(tree, true, LATTICE);
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    oct_balanced_begin(b, &v);
    for (int32_t row = 0; row < BLOCKS * BLOCKS; row++) {
        sums[row] = ask_row(b, &v, row);
    }
    assert_true(oct_balanced_bytes(b) > 16u << 20 && oct_balanced_bytes(b) < 17u << 20);
    for (int32_t row = 0; row < BLOCKS * BLOCKS; row += 50) {
        assert_true(ask_row(b, &v, row) == sums[row]);
    }
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

// Every edit makes all that is remembered void, however many there are.
static void every_revision_is_its_own(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(2, NULL);
    const oct_box room = {{0, 0, 0}, {64, 64, 1}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    const view v = test_view(tree, true, LATTICE);
    balanced *b;
    assert_int_equal(oct_balanced_create(NULL, &b), OCT_OK);
    for (int i = 0; i < 40000; i++) {
        const bool divided = i % 2 == 0;
        assert_int_equal(oct_tree_set(tree, (oct_cell){i / 2 % 32, 31, 0, 0},
                                      divided ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                         OCT_OK);
        oct_balanced_begin(b, &v);
        oct_leaf leaf;
        assert_int_equal(oct_balanced_leaf(b, &v, (oct_vec){i / 2 % 32, 32, 0}, &leaf), OCT_OK);
        assert_int_equal(leaf.level, divided ? 1 : 6);
    }
    oct_balanced_destroy(b);
    oct_tree_destroy(tree);
}

static oct_result ask_much(const oct_allocator *allocator, void *ctx)
{
    const view *v = ctx;
    balanced *b;
    OCT_TRY(oct_balanced_create(allocator, &b));
    oct_balanced_begin(b, v);
    oct_array found = {0};
    oct_leaf leaf;
    oct_result result = OCT_OK;
    for (int32_t i = 0; i < 3000 && result == OCT_OK; i++) {
        const oct_vec cell = {i * 4, i % 7 * 300, i % 11 * 500};
        result = oct_balanced_leaf(b, v, cell, &leaf);
        if (result == OCT_OK) {
            result = oct_balanced_neighbours(b, v, leaf, OCT_DIRECTIONS_26, allocator, &found);
        }
    }
    oct_array_free(&found, allocator, sizeof(oct_leaf));
    oct_balanced_destroy(b);
    return result;
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){1, 1, 1, 0}, OCT_MARK_OPEN), OCT_OK);
    view v = test_view(tree, true, LATTICE);
    assert_true(test_each_failure(ask_much, &v) > 4);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_match_dividing_until_nothing_changes),
        cmocka_unit_test(sparse_worlds_match_too),
        cmocka_unit_test(neighbours_across_the_lattice_are_mutual),
        cmocka_unit_test(the_largest_leaf_is_of_level_30),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(every_revision_is_its_own),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
