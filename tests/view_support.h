// SPDX-License-Identifier: MIT
// Views for the tests of what reads a map through them, and random ones over random worlds.
#ifndef OCTANT_TESTS_VIEW_SUPPORT_H
#define OCTANT_TESTS_VIEW_SUPPORT_H

#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "search/graph_internal.h"
#include "tree_model.h"

#define LATTICE                                                                                    \
    (oct_box)                                                                                      \
    {                                                                                              \
        {-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},                                                      \
        {                                                                                          \
            OCT_RANGE, OCT_RANGE, OCT_RANGE                                                        \
        }                                                                                          \
    }

// A view with nothing to pay for, filled by hand.
static inline view test_view(const oct_tree *tree, bool unknown_free, oct_box bounds)
{
    const oct_labels open = OCT_HAS_OPEN | (unknown_free ? OCT_HAS_UNKNOWN : 0u);
    view v = {.tree = tree,
              .dims = (int)oct_tree_dims(tree),
              .free = open,
              .blocked = OCT_HAS_ANY & ~open,
              .bounds = bounds,
              .least_price = 1.0};
    if (v.dims == 2) {
        v.bounds.min.z = 0;
        v.bounds.max.z = 1;
    }
    return v;
}

// Things may leave an empty tree with a root that is somewhere else: does the same, every other
// time. An edit begins anew all the same.
static inline void test_empty_root(oct_tree *tree, uint64_t seed)
{
    assert_true(oct_tree_root(tree).level < 0);
    if (seed % 2 == 1) {
        tree->root_level = 4;
        tree->root_min = (corner){-16, 8, tree->dims == 3 ? -1000 : 0};
    }
}

static inline int32_t test_in_range(int64_t at)
{
    return at < -OCT_RANGE ? -OCT_RANGE : at > OCT_RANGE ? OCT_RANGE : (int32_t)at;
}

// The whole lattice, or a box that cuts the model's region, or one that holds it.
static inline oct_box test_bounds(const tree_model *model, oct_random *random)
{
    if (oct_random_below(random, 3) == 0) {
        return LATTICE;
    }
    oct_box box = model_random_box(model, random);
    const int32_t most = oct_random_below(random, 2) ? 50 : 3;
    int32_t *ends[2][3] = {{&box.min.x, &box.min.y, &box.min.z},
                           {&box.max.x, &box.max.y, &box.max.z}};
    for (int i = 0; i < model->dims; i++) {
        const int64_t lo = (int64_t)*ends[0][i] - oct_random_range(random, 0, most);
        const int64_t hi = (int64_t)*ends[1][i] + oct_random_range(random, 0, most);
        *ends[0][i] = test_in_range(lo);
        *ends[1][i] = test_in_range(hi);
    }
    return box;
}

static inline view test_random_view(const tree_model *model, const oct_tree *tree,
                                    oct_random *random)
{
    const bool unknown_free = oct_random_below(random, 2) != 0;
    return test_view(tree, unknown_free, test_bounds(model, random));
}

static inline uint32_t test_random_directions(oct_random *random)
{
    switch (oct_random_below(random, 5)) {
    case 0:
        return OCT_DIRECTIONS_6;
    case 1:
        return OCT_DIRECTIONS_18;
    case 2:
        return 1u << oct_random_below(random, 27);
    case 3:
        return (uint32_t)oct_random_next(random);
    default:
        return OCT_DIRECTIONS_26;
    }
}

// ---- neighbours ----
static inline int test_compare_leaves(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(oct_leaf));
}

// ---- the whole lattice ----
static inline int32_t test_far_coordinate(oct_random *random)
{
    const int32_t step = 1 << oct_random_below(random, 30);
    const int64_t multiple = (int64_t)oct_random_range(random, -OCT_RANGE / step, OCT_RANGE / step);
    const int32_t at = test_in_range(multiple * step + oct_random_range(random, -2, 2));
    return at == OCT_RANGE ? at - 1 : at;
}

static inline oct_vec test_far_cell(int dims, oct_random *random)
{
    return (oct_vec){test_far_coordinate(random), test_far_coordinate(random),
                     dims == 3 ? test_far_coordinate(random) : 0};
}

#endif
