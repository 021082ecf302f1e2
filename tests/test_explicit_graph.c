// SPDX-License-Identifier: MIT
// Explicit graphs against plain counting: leaves divided until none differ too much, all pairs of
// leaves, all corners.
#include "base/base_internal.h"
#include "bench/explicit_graph.h"
#include "support.h"

#include <stdlib.h>

#define LEAVES_MAX 4096

typedef struct leaves {
    oct_leaf items[LEAVES_MAX];
    size_t count;
} leaves;

static bool keep(void *ctx, const oct_leaf *leaf)
{
    leaves *const l = ctx;
    assert_true(l->count < LEAVES_MAX);
    l->items[l->count++] = *leaf;
    return true;
}

// How far apart two leaves are on an axis; below 0 where they overlap.
static int32_t gap(int32_t a, int32_t a_edge, int32_t b, int32_t b_edge)
{
    return a > b ? a - (b + b_edge) : b - (a + a_edge);
}

static void gaps(const oct_leaf *a, const oct_leaf *b, int32_t out[3])
{
    const int32_t ea = 1 << a->level, eb = 1 << b->level;
    out[0] = gap(a->x, ea, b->x, eb);
    out[1] = gap(a->y, ea, b->y, eb);
    out[2] = gap(a->z, ea, b->z, eb);
}

static bool touch(const oct_leaf *a, const oct_leaf *b)
{
    int32_t g[3];
    gaps(a, b, g);
    return g[0] <= 0 && g[1] <= 0 && g[2] <= 0;
}

static bool share_face(const oct_leaf *a, const oct_leaf *b)
{
    int32_t g[3];
    gaps(a, b, g);
    return (g[0] == 0) + (g[1] == 0) + (g[2] == 0) == 1 && g[0] <= 0 && g[1] <= 0 && g[2] <= 0;
}

static void split(leaves *l, size_t i)
{
    const oct_leaf whole = l->items[i];
    const int32_t half = 1 << (whole.level - 1);
    l->items[i] = l->items[--l->count];
    for (int child = 0; child < 8; child++) {
        oct_leaf part = whole;
        part.level--;
        part.x += child & 1 ? half : 0;
        part.y += child & 2 ? half : 0;
        part.z += child & 4 ? half : 0;
        keep(l, &part);
    }
}

static void make_progressive(leaves *l)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < l->count && !changed; i++) {
            for (size_t j = 0; j < l->count && !changed; j++) {
                if (l->items[i].level > l->items[j].level + 1 &&
                    touch(&l->items[i], &l->items[j])) {
                    split(l, i);
                    changed = true;
                }
            }
        }
    }
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t distinct(int64_t *keys, size_t count)
{
    uint64_t found = 0;
    qsort(keys, count, sizeof *keys, compare);
    for (size_t i = 0; i < count; i++) {
        found += i == 0 || keys[i] != keys[i - 1];
    }
    return found;
}

static void count_corners(const leaves *l, uint64_t *nodes, uint64_t *arcs)
{
    static int64_t keys[8 * LEAVES_MAX], edges[12 * LEAVES_MAX];
    size_t node_count = 0, edge_count = 0;
    for (size_t i = 0; i < l->count; i++) {
        const oct_leaf *const leaf = &l->items[i];
        const int32_t edge = 1 << leaf->level;
        for (int corner = 0; leaf->label == OCT_OPEN && corner < 8; corner++) {
            const int64_t key = ((int64_t)(leaf->x + (corner & 1 ? edge : 0) + 512) * 1024 +
                                 (leaf->y + (corner & 2 ? edge : 0) + 512)) *
                                    1024 +
                                (leaf->z + (corner & 4 ? edge : 0) + 512);
            keys[node_count++] = key;
            for (int axis = 0; axis < 3; axis++) {
                if (!(corner >> axis & 1)) {
                    edges[edge_count++] = (key * 4 + axis) * 64 + leaf->level;
                }
            }
        }
    }
    *nodes = distinct(keys, node_count);
    *arcs = distinct(edges, edge_count);
}

static void check(const oct_tree *tree, const leaves *l, bool progressive)
{
    graph_size dual, corner;
    assert_int_equal(oct_graph_measure(tree, progressive, false, &dual), OCT_OK);
    assert_int_equal(oct_graph_measure(tree, progressive, true, &corner), OCT_OK);
    uint64_t open = 0, faces = 0, nodes, arcs;
    for (size_t i = 0; i < l->count; i++) {
        open += l->items[i].label == OCT_OPEN;
        for (size_t j = 0; j < i; j++) {
            faces += l->items[i].label == OCT_OPEN && l->items[j].label == OCT_OPEN &&
                     share_face(&l->items[i], &l->items[j]);
        }
    }
    count_corners(l, &nodes, &arcs);
    assert_int_equal(dual.nodes, open);
    assert_int_equal(dual.leaves, open);
    assert_int_equal(dual.arcs, faces);
    assert_int_equal(corner.nodes, nodes);
    assert_int_equal(corner.arcs, arcs);
}

static void graphs_have_the_nodes_and_arcs_of_plain_counting(void **state)
{
    (void)state;
    static leaves l;
    oct_random random = oct_random_seed(2431);
    for (int round = 0; round < 40; round++) {
        const oct_tree_def def = oct_tree_def_default();
        oct_tree *tree;
        assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
        const int32_t at = oct_random_range(&random, -9, 9) * 4;
        oct_tree_set_box(tree, (oct_box){{at, at, 0}, {at + 16, at + 16, 16}}, OCT_MARK_OPEN);
        for (int i = 0; i < 1 + round % 3; i++) {
            const oct_vec p = {at + oct_random_range(&random, 0, 14),
                               at + oct_random_range(&random, 0, 14),
                               oct_random_range(&random, 0, 14)};
            oct_tree_set_box(tree,
                             (oct_box){p, {p.x + 1 + round % 2, p.y + 1, p.z + 1 + round % 4}},
                             i == 2 ? OCT_MARK_UNKNOWN : OCT_MARK_BLOCKED);
        }
        const oct_cell root = oct_tree_root(tree);
        const oct_box all =
            oct_leaf_box((oct_leaf){root.x, root.y, root.z, (uint8_t)root.level, 0, 0});
        l.count = 0;
        oct_tree_leaves(tree, all, OCT_HAS_ANY, keep, &l);
        check(tree, &l, false);
        make_progressive(&l);
        check(tree, &l, true);
        oct_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_have_the_nodes_and_arcs_of_plain_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
