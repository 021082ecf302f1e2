// SPDX-License-Identifier: MIT
// Walks along segments against exact tests of every leaf, and the fast way against the plain one.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "tree_model.h"

#include <stdlib.h>

#define MOST 20000

typedef struct leaf_list {
    size_t count;
    oct_leaf leaves[MOST];
} leaf_list;

static bool collect(void *ctx, const oct_leaf *leaf)
{
    leaf_list *list = ctx;
    assert_true(list->count < MOST);
    list->leaves[list->count++] = *leaf;
    return true;
}

// A time on a segment: num / den with den > 0.
typedef struct ratio {
    oct_int128 num, den;
} ratio;

static int compare(ratio a, ratio b)
{
    const oct_int128 left = a.num * b.den, right = b.num * a.den;
    return left < right ? -1 : left > right;
}

// Whether a segment meets a leaf (its inner points, or all of it), and from when to when. Works on
// one axis after the other with fractions: nothing in common with the walk's own arithmetic.
static bool meets(const oct_leaf *leaf, int dims, const oct_fine *from, const oct_fine *to,
                  bool closed, ratio *in, ratio *out)
{
    const int64_t a[3] = {from->x, from->y, from->z}, b[3] = {to->x, to->y, to->z};
    const int64_t lo[3] = {(int64_t)leaf->x * OCT_FINE, (int64_t)leaf->y * OCT_FINE,
                           (int64_t)leaf->z * OCT_FINE};
    const int64_t edge = (int64_t)OCT_FINE << leaf->level;
    *in = (ratio){0, 1};
    *out = (ratio){1, 1};
    for (int i = 0; i < dims; i++) {
        const int64_t d = b[i] - a[i];
        if (d == 0) {
            if (closed ? a[i] < lo[i] || a[i] > lo[i] + edge
                       : a[i] <= lo[i] || a[i] >= lo[i] + edge) {
                return false;
            }
            continue;
        }
        const ratio at_lo = {d > 0 ? lo[i] - a[i] : a[i] - lo[i], d > 0 ? d : -d};
        const ratio at_hi = {d > 0 ? lo[i] + edge - a[i] : a[i] - lo[i] - edge, d > 0 ? d : -d};
        const ratio first = d > 0 ? at_lo : at_hi, last = d > 0 ? at_hi : at_lo;
        *in = compare(first, *in) > 0 ? first : *in;
        *out = compare(last, *out) < 0 ? last : *out;
    }
    return closed ? compare(*in, *out) <= 0 : compare(*in, *out) < 0;
}

static int compare_leaves(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(oct_leaf));
}

static leaf_list all, walked, plain;

static void check_order(const leaf_list *list, int dims, oct_fine from, oct_fine to, bool closed)
{
    ratio in, out, last = {0, 1};
    for (size_t i = 0; i < list->count; i++) {
        assert_true(meets(&list->leaves[i], dims, &from, &to, closed, &in, &out));
        assert_true(compare(last, in) <= 0);
        last = in;
    }
}

static void check_walk(const oct_tree *tree, oct_fine from, oct_fine to, oct_walk mode)
{
    const int dims = (int)oct_tree_dims(tree);
    const bool closed = mode == OCT_WALK_TOUCHED;
    walked.count = plain.count = 0;
    assert_true(oct_tree_walk(tree, from, to, mode, collect, &walked));
    assert_true(oct_tree_walk_plain(tree, from, to, mode, collect, &plain));
    check_order(&walked, dims, from, to, closed);
    check_order(&plain, dims, from, to, closed);
    assert_int_equal(walked.count, plain.count);
    qsort(walked.leaves, walked.count, sizeof(oct_leaf), compare_leaves);
    qsort(plain.leaves, plain.count, sizeof(oct_leaf), compare_leaves);
    assert_memory_equal(walked.leaves, plain.leaves, walked.count * sizeof(oct_leaf));
    size_t expected = 0;
    ratio in, out;
    for (size_t i = 0; i < all.count; i++) {
        if (meets(&all.leaves[i], dims, &from, &to, closed, &in, &out)) {
            assert_non_null(bsearch(&all.leaves[i], walked.leaves, walked.count, sizeof(oct_leaf),
                                    compare_leaves));
            expected++;
        }
    }
    assert_int_equal(walked.count, expected);
}

// The first leaf with a label is the first such leaf of the whole walk.
static void check_first(const oct_tree *tree, oct_fine from, oct_fine to, oct_labels labels)
{
    walked.count = 0;
    assert_true(oct_tree_walk(tree, from, to, OCT_WALK_ENTERED, collect, &walked));
    size_t i = 0;
    while (i < walked.count && !(labels >> walked.leaves[i].label & 1u)) {
        i++;
    }
    oct_leaf hit;
    const bool found = oct_tree_raycast(tree, from, to, labels, &hit);
    assert_int_equal(found, i < walked.count);
    if (found) {
        assert_memory_equal(&hit, &walked.leaves[i], sizeof hit);
    }
}

// A coordinate in or near the region: on the sub-lattice, on half cells, or on cell planes, so that
// edges, corners and planes are met exactly.
static int64_t random_coordinate(oct_random *random, int32_t base)
{
    static const int32_t steps[] = {1, 128, 256, 1024};
    const int32_t step = steps[oct_random_below(random, 4)];
    const int32_t cells = MODEL_EDGE + 4;
    const int64_t at = oct_random_range(random, -4 * OCT_FINE, cells * OCT_FINE) / step * step;
    return (int64_t)base * OCT_FINE + at;
}

static oct_fine random_point(const tree_model *model, oct_random *random)
{
    return (oct_fine){random_coordinate(random, model->base.x),
                      random_coordinate(random, model->base.y),
                      model->dims == 3 ? random_coordinate(random, model->base.z) : 0};
}

// The other end: anywhere, or along an axis or a diagonal, or the same point.
static oct_fine random_end(const tree_model *model, oct_fine from, oct_random *random)
{
    const oct_fine to = random_point(model, random);
    const int64_t d = oct_random_range(random, -12 * OCT_FINE, 12 * OCT_FINE);
    const int64_t z = model->dims == 3 ? d : 0;
    switch (oct_random_below(random, 8)) {
    case 0:
        return (oct_fine){to.x, from.y, from.z};
    case 1:
        return (oct_fine){from.x, to.y, to.z};
    case 2:
        return (oct_fine){from.x + d, from.y - d, from.z + z};
    case 3:
        return (oct_fine){from.x + d, from.y + d, from.z};
    case 4:
        return from;
    default:
        return to;
    }
}

static void run_random_worlds(int dims, uint64_t seed, oct_vec base)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, base);
    const oct_box everything = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    for (int edit = 0; edit < 12; edit++) {
        model_random_edit(&model, tree, &random);
        all.count = 0;
        oct_tree_leaves(tree, everything, OCT_HAS_ANY, collect, &all);
        for (int i = 0; i < 40; i++) {
            const oct_fine from = random_point(&model, &random);
            const oct_fine to = random_end(&model, from, &random);
            check_walk(tree, from, to, OCT_WALK_ENTERED);
            check_walk(tree, from, to, OCT_WALK_TOUCHED);
            check_first(tree, from, to, 1u + (oct_labels)oct_random_below(&random, 7));
        }
    }
    oct_tree_destroy(tree);
}

static void walks_meet_exactly_the_right_leaves(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(20); seed++) {
        run_random_worlds(3, seed, (oct_vec){-11, 3, -1000});
        run_random_worlds(2, seed, (oct_vec){-11, 3, 0});
    }
    run_random_worlds(3, 50, (oct_vec){OCT_RANGE - MODEL_EDGE - 8, -OCT_RANGE + 8, 8});
}

// A ray across the whole lattice does not fit into 64 bits and still meets exactly what it must.
static void longest_rays_are_exact(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const int32_t lo = -OCT_RANGE, hi = OCT_RANGE - 1;
    const oct_cell cells[] = {{lo, lo, lo, 0}, {hi, hi, hi, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(oct_tree_set(tree, cells[i], OCT_MARK_BLOCKED), OCT_OK);
    }
    const int64_t a = (int64_t)lo * OCT_FINE + 1, b = ((int64_t)hi + 1) * OCT_FINE - 1;
    const oct_box everything = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    all.count = 0;
    oct_tree_leaves(tree, everything, OCT_HAS_ANY, collect, &all);
    const oct_fine from = {a, a, a}, to = {b, b, b}, aside = {b, b, b - 1};
    check_walk(tree, from, to, OCT_WALK_ENTERED);
    check_walk(tree, from, to, OCT_WALK_TOUCHED);
    check_walk(tree, from, aside, OCT_WALK_ENTERED);
    check_walk(tree, to, from, OCT_WALK_TOUCHED);
    oct_leaf hit;
    assert_true(oct_tree_raycast(tree, from, to, OCT_HAS_BLOCKED, &hit));
    assert_int_equal(hit.x, lo);
    assert_true(oct_tree_raycast(tree, (oct_fine){a + OCT_FINE, a + OCT_FINE, a + OCT_FINE}, to,
                                 OCT_HAS_BLOCKED, &hit));
    assert_int_equal(hit.x, 0);
    oct_tree_destroy(tree);
}

// Along the plane between an OPEN and a BLOCKED half nothing is entered; both halves are touched.
static void sliding_along_a_plane_enters_nothing(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_box open = {{0, 0, 0}, {8, 8, 4}}, blocked = {{0, 0, 4}, {8, 8, 8}};
    assert_int_equal(oct_tree_set_box(tree, open, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, blocked, OCT_MARK_BLOCKED), OCT_OK);
    const oct_fine from = {100, 100, 4 * OCT_FINE}, to = {8 * OCT_FINE - 100, 900, 4 * OCT_FINE};
    walked.count = 0;
    assert_true(oct_tree_walk(tree, from, to, OCT_WALK_ENTERED, collect, &walked));
    assert_int_equal(walked.count, 0);
    oct_leaf hit;
    assert_false(oct_tree_raycast(tree, from, to, OCT_HAS_BLOCKED, &hit));
    assert_true(oct_tree_walk(tree, from, to, OCT_WALK_TOUCHED, collect, &walked));
    assert_int_equal(walked.count, 4);
    oct_tree_destroy(tree);
}

static bool stop_at_once(void *ctx, const oct_leaf *leaf)
{
    (void)leaf;
    ++*(int *)ctx;
    return false;
}

static void a_visitor_can_stop_the_walk(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    int calls = 0;
    const oct_fine from = {1, 1, 1}, to = {999, 998, 997};
    assert_true(oct_tree_walk(tree, from, to, OCT_WALK_TOUCHED, stop_at_once, &calls));
    assert_int_equal(calls, 0);
    assert_int_equal(oct_tree_set(tree, (oct_cell){1, 1, 1, 0}, OCT_MARK_OPEN), OCT_OK);
    assert_false(oct_tree_walk(tree, from, to, OCT_WALK_TOUCHED, stop_at_once, &calls));
    assert_false(oct_tree_walk(tree, from, to, OCT_WALK_ENTERED, stop_at_once, &calls));
    assert_int_equal(calls, 2);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_meet_exactly_the_right_leaves),
        cmocka_unit_test(longest_rays_are_exact),
        cmocka_unit_test(sliding_along_a_plane_enters_nothing),
        cmocka_unit_test(a_visitor_can_stop_the_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
