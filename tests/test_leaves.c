// SPDX-License-Identifier: MIT
// Leaves and octants as a query sees them, against loops over single cells and over all leaves.
#include "classic/leaves.h"
#include "octant/tree.h"
#include "view_support.h"

#include <stdlib.h>

#define MOST 20000

// ---- all leaves there are, with the outside divided as it is said to be ----

typedef struct leaf_list {
    size_t count;
    oct_leaf leaves[MOST];
} leaf_list;

static leaf_list all, expected;

static bool collect(void *ctx, const oct_leaf *leaf)
{
    leaf_list *list = ctx;
    assert_true(list->count < MOST);
    list->leaves[list->count++] = *leaf;
    return true;
}

// A box in 64 bits, both axes and ends in arrays.
typedef struct wide_box {
    int64_t min[3], max[3];
} wide_box;

static wide_box root_box(const oct_tree *tree)
{
    const int64_t edge = INT64_C(1) << tree->root_level;
    const corner at = tree->root_min;
    return (wide_box){{at.x, at.y, at.z}, {at.x + edge, at.y + edge, at.z + edge}};
}

static bool disjoint(const wide_box *a, const wide_box *b, int dims)
{
    for (int i = 0; i < dims; i++) {
        if (a->max[i] <= b->min[i] || b->max[i] <= a->min[i]) {
            return true;
        }
    }
    return false;
}

static bool inside(const wide_box *a, const wide_box *b, int dims)
{
    for (int i = 0; i < dims; i++) {
        if (a->min[i] < b->min[i] || a->max[i] > b->max[i]) {
            return false;
        }
    }
    return true;
}

// Divides a cube until no part holds the root and more.
static void divide(const wide_box *cube, int level, const wide_box *root, int dims)
{
    if (inside(cube, root, dims)) {
        return;
    }
    if (disjoint(cube, root, dims)) {
        const oct_leaf leaf = {.x = (int32_t)cube->min[0],
                               .y = (int32_t)cube->min[1],
                               .z = dims == 3 ? (int32_t)cube->min[2] : 0,
                               .level = (uint8_t)level};
        collect(&all, &leaf);
        return;
    }
    const int64_t half = INT64_C(1) << (level - 1);
    for (int child = 0; child < 1 << dims; child++) {
        wide_box part;
        for (int i = 0; i < 3; i++) {
            part.min[i] = cube->min[i] + (child >> i & 1 ? half : 0);
            part.max[i] = part.min[i] + half;
        }
        divide(&part, level - 1, root, dims);
    }
}

static int64_t floor_to(int64_t at, int64_t edge)
{
    const int64_t rest = at % edge;
    return at - (rest < 0 ? rest + edge : rest);
}

static void list_all(const oct_tree *tree)
{
    const int dims = tree->dims;
    const wide_box root = root_box(tree);
    all.count = 0;
    if (oct_tree_root(tree).level < 0) {
        const oct_leaf leaf = oct_tree_leaf(
            tree, (oct_vec){(int32_t)root.min[0], (int32_t)root.min[1], (int32_t)root.min[2]});
        collect(&all, &leaf);
    }
    oct_tree_leaves(tree, LATTICE, OCT_HAS_ANY, collect, &all);
    const int64_t edge = INT64_C(1) << OUTSIDE_LEVEL_MAX;
    int64_t first[3];
    for (int i = 0; i < 3; i++) {
        first[i] = root.min[i] + floor_to(-OCT_RANGE - root.min[i], edge);
    }
    for (int64_t z = first[2]; z < (dims == 3 ? OCT_RANGE : first[2] + 1); z += edge) {
        for (int64_t y = first[1]; y < OCT_RANGE; y += edge) {
            for (int64_t x = first[0]; x < OCT_RANGE; x += edge) {
                const wide_box cube = {{x, y, z}, {x + edge, y + edge, z + edge}};
                divide(&cube, OUTSIDE_LEVEL_MAX, &root, dims);
            }
        }
    }
}

// A leaf's part within the bounds; a leaf stored modulo 2^32 is where the lattice is.
static wide_box part_of(const view *v, const oct_leaf *leaf)
{
    const int64_t at[3] = {leaf->x, leaf->y, leaf->z};
    const int64_t lo[3] = {v->bounds.min.x, v->bounds.min.y, v->bounds.min.z};
    const int64_t hi[3] = {v->bounds.max.x, v->bounds.max.y, v->bounds.max.z};
    wide_box part = {{0, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < v->dims; i++) {
        const int64_t from = at[i] >= OCT_RANGE ? at[i] - (INT64_C(1) << 32) : at[i];
        const int64_t to = from + (INT64_C(1) << leaf->level);
        part.min[i] = from > lo[i] ? from : lo[i];
        part.max[i] = to < hi[i] ? to : hi[i];
    }
    return part;
}

static bool is_empty(const wide_box *box)
{
    return box->min[0] >= box->max[0] || box->min[1] >= box->max[1] || box->min[2] >= box->max[2];
}

// The cells next to a box in one direction.
static wide_box beside(const wide_box *box, const int step[3])
{
    wide_box out = *box;
    for (int i = 0; i < 3; i++) {
        if (step[i] < 0) {
            out.max[i] = box->min[i];
            out.min[i] = out.max[i] - 1;
        } else if (step[i] > 0) {
            out.min[i] = box->max[i];
            out.max[i] = out.min[i] + 1;
        }
    }
    return out;
}

static bool touch(const wide_box *a, const wide_box *b, uint32_t directions, int dims)
{
    const int rim = dims == 3 ? 1 : 0;
    for (int z = -rim; z <= rim; z++) {
        for (int y = -1; y <= 1; y++) {
            for (int x = -1; x <= 1; x++) {
                const wide_box next = beside(a, (int[3]){x, y, z});
                if ((x || y || z) && (directions & OCT_DIRECTION(x, y, z)) &&
                    !disjoint(&next, b, 3)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void check_neighbours(const view *v, const oct_leaf *leaf, uint32_t directions,
                             oct_array *found)
{
    const wide_box from = part_of(v, leaf);
    expected.count = 0;
    for (size_t i = 0; i < all.count && !is_empty(&from); i++) {
        const wide_box to = part_of(v, &all.leaves[i]);
        if (v->free >> all.leaves[i].label & 1u && !is_empty(&to) &&
            touch(&from, &to, directions, v->dims)) {
            collect(&expected, &all.leaves[i]);
        }
    }
    const oct_allocator heap = oct_allocator_default();
    assert_int_equal(oct_view_neighbours(v, *leaf, directions, &heap, found), OCT_OK);
    assert_int_equal(found->count, expected.count);
    if (found->count == 0) {
        return;
    }
    qsort(found->items, found->count, sizeof(oct_leaf), test_compare_leaves);
    qsort(expected.leaves, expected.count, sizeof(oct_leaf), test_compare_leaves);
    assert_memory_equal(found->items, expected.leaves, found->count * sizeof(oct_leaf));
}

static void free_found(oct_array *found)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(found, &heap, sizeof(oct_leaf));
}

// ---- points ----

static uint32_t octants_by_hand(const view *v, oct_fine at)
{
    uint32_t octants = 0;
    for (uint32_t o = 0; o < 8; o++) {
        octants |= (uint32_t)view_is_free(v, octant_cell(at, o)) << o;
    }
    return octants;
}

// Which octants can be reached from a cell, by going over faces from cell to cell.
static uint32_t spot_by_hand(const view *v, oct_fine at, oct_vec cell)
{
    const uint32_t free = octants_by_hand(v, at);
    uint32_t reached = 0;
    for (uint32_t o = 0; o < 8; o++) {
        const oct_vec c = octant_cell(at, o);
        reached |= (uint32_t)(c.x == cell.x && c.y == cell.y && c.z == cell.z) << o;
    }
    for (int round = 0; round < 8; round++) {
        for (uint32_t a = 0; a < 8; a++) {
            for (uint32_t b = 0; b < 8; b++) {
                const uint32_t apart = a ^ b;
                const bool over_face = (apart & (apart - 1u)) == 0;
                if (over_face && (reached >> a & 1u) && (free >> b & 1u)) {
                    reached |= 1u << b;
                }
            }
        }
    }
    return reached;
}

static void check_point(const view *v, oct_fine at)
{
    const uint32_t octants = octants_by_hand(v, at);
    assert_int_equal(oct_view_octants(v, at), octants);
    for (uint32_t o = 0; o < 8; o++) {
        const oct_vec cell = octant_cell(at, o);
        if (octants >> o & 1u) {
            const spot place = oct_view_spot(v, at, cell);
            assert_int_equal(place.octants, spot_by_hand(v, at, cell));
            assert_memory_equal(&place.at, &at, sizeof at);
        }
    }
}

static int64_t random_coordinate(oct_random *random, int32_t base)
{
    static const int32_t steps[] = {1, 256, 256, 1024};
    const int32_t step = steps[oct_random_below(random, 4)];
    const int32_t cells = MODEL_EDGE + 10;
    return (int64_t)base * OCT_FINE +
           oct_random_range(random, -10 * OCT_FINE, cells * OCT_FINE) / step * step;
}

static oct_fine random_point(const tree_model *model, oct_random *random)
{
    return (oct_fine){random_coordinate(random, model->base.x),
                      random_coordinate(random, model->base.y),
                      model->dims == 3 ? random_coordinate(random, model->base.z) : FLAT_Z};
}

// The leaf of a cell is the one of all that holds it.
static void check_leaf(const view *v, oct_vec cell)
{
    const wide_box at = {{cell.x, cell.y, cell.z},
                         {(int64_t)cell.x + 1, (int64_t)cell.y + 1, (int64_t)cell.z + 1}};
    const view whole = test_view(v->tree, true, LATTICE);
    const oct_leaf leaf = oct_view_leaf(v, cell);
    size_t holding = 0;
    for (size_t i = 0; i < all.count; i++) {
        const wide_box part = part_of(&whole, &all.leaves[i]);
        if (inside(&at, &part, v->dims)) {
            assert_memory_equal(&all.leaves[i], &leaf, sizeof leaf);
            holding++;
        }
    }
    assert_int_equal(holding, 1);
}

// ---- the tests ----

static void run_small_world(int dims, uint64_t seed, oct_vec base, int edits)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, base);
    oct_array found = {0};
    for (int edit = 0; edit < edits; edit++) {
        if (edit == 0) { // the first world is empty
            test_empty_root(tree, seed);
        } else {
            model_random_edit(&model, tree, &random);
        }
        list_all(tree);
        for (int i = 0; i < 25; i++) {
            const view v = test_random_view(&model, tree, &random);
            for (int k = 0; k < 20; k++) {
                check_point(&v, random_point(&model, &random));
            }
            const oct_vec cell = model_random_cell(&model, &random);
            if (view_holds(&(view){.dims = dims, .bounds = LATTICE}, cell)) {
                check_leaf(&v, cell);
            }
            const oct_leaf leaf = oct_view_leaf(&v, cell);
            check_neighbours(&v, &leaf, test_random_directions(&random), &found);
            check_neighbours(&v, &all.leaves[oct_random_below(&random, all.count)],
                             test_random_directions(&random), &found);
        }
    }
    free_found(&found);
    oct_tree_destroy(tree);
}

static void small_worlds_match_loops_over_cells_and_leaves(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(20); seed++) {
        run_small_world(3, seed, (oct_vec){-11, 3, -1000}, 8);
        run_small_world(2, seed, (oct_vec){-11, 3, 0}, 12);
        run_small_world(2, seed + 100, (oct_vec){20, -60, 0}, 12);
    }
    const int32_t last = OCT_RANGE - MODEL_EDGE;
    run_small_world(3, 50, (oct_vec){last, -OCT_RANGE, 8}, 8);
    run_small_world(2, 51, (oct_vec){-OCT_RANGE, last, 0}, 8);
}

static oct_box far_box(oct_random *random)
{
    const oct_vec a = test_far_cell(3, random), b = test_far_cell(3, random);
    return box_union((oct_box){a, {a.x + 1, a.y + 1, a.z + 1}},
                     (oct_box){b, {b.x + 1, b.y + 1, b.z + 1}});
}

static void run_large_world(int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    oct_array found = {0};
    for (int edit = 0; edit < 5; edit++) {
        const oct_vec at = test_far_cell(dims, &random);
        const oct_cell cell = {at.x, at.y, at.z, 0};
        const oct_mark mark = oct_random_below(&random, 2) ? OCT_MARK_OPEN : OCT_MARK_BLOCKED;
        assert_int_equal(oct_tree_set(tree, cell, mark), OCT_OK);
        list_all(tree);
        for (int i = 0; i < 40; i++) {
            const oct_vec a = test_far_cell(dims, &random);
            const view v = test_view(tree, oct_random_below(&random, 4) > 0,
                                     oct_random_below(&random, 2) ? LATTICE : far_box(&random));
            check_leaf(&v, a);
            check_leaf(&v, at);
            check_point(&v, (oct_fine){(int64_t)a.x * OCT_FINE, (int64_t)a.y * OCT_FINE,
                                       dims == 3 ? (int64_t)a.z * OCT_FINE : FLAT_Z});
            check_neighbours(&v, &all.leaves[oct_random_below(&random, all.count)],
                             test_random_directions(&random), &found);
        }
    }
    free_found(&found);
    oct_tree_destroy(tree);
}

static void worlds_as_large_as_the_lattice_match_too(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(30); seed++) {
        run_large_world(3, seed);
        run_large_world(2, seed);
    }
}

typedef struct leaf_query {
    view v;
    oct_leaf leaf;
} leaf_query;

static oct_result ask_neighbours(const oct_allocator *allocator, void *ctx)
{
    const leaf_query *query = ctx;
    oct_array found = {0};
    const oct_result result =
        oct_view_neighbours(&query->v, query->leaf, OCT_DIRECTIONS_26, allocator, &found);
    oct_array_free(&found, allocator, sizeof(oct_leaf));
    return result;
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){1, 1, 1, 0}, OCT_MARK_OPEN), OCT_OK);
    leaf_query query = {.v = test_view(tree, true, LATTICE)};
    query.leaf = oct_view_leaf(&query.v, (oct_vec){1, 1, 1});
    assert_int_equal(test_each_failure(ask_neighbours, &query), 1);
    query.leaf = oct_view_leaf(&query.v, (oct_vec){-1, 1, 1});
    assert_true(test_each_failure(ask_neighbours, &query) > 1);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_match_loops_over_cells_and_leaves),
        cmocka_unit_test(worlds_as_large_as_the_lattice_match_too),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
