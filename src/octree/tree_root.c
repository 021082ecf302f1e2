// SPDX-License-Identifier: MIT
// The root grows towards what is marked outside it, and shrinks when that is forgotten. Since no
// node stores its position, both only put a block above the root or take one away.
#include "octant/tree.h"
#include "octree/octree_internal.h"

// Which children of a node are not the UNKNOWN leaf, as a set of bits.
static uint32_t children_used(const oct_tree *tree, uint32_t word)
{
    if (word_kind(word) != KIND_INNER) {
        return word == word_leaf(0) ? 0u : (1u << (1u << tree->dims)) - 1u;
    }
    const uint32_t *children = tree_siblings(tree, tree->dims, word_index(word));
    uint32_t set = 0;
    for (uint32_t i = 0; i < 1u << tree->dims; i++) {
        set |= (uint32_t)(children[i] != word_leaf(0)) << i;
    }
    return set;
}

// The only child that is used, in the place of its parent.
static uint32_t lowered(oct_tree *tree, uint32_t word, uint32_t only)
{
    if (word_kind(word) != KIND_INNER) {
        return word;
    }
    const uint32_t child = tree_siblings(tree, tree->dims, word_index(word))[only];
    oct_pool_give(&tree->siblings, word_index(word));
    return child;
}

void oct_tree_trim(oct_tree *tree)
{
    while (word_kind(tree->root) == KIND_INNER || word_kind(tree->under) == KIND_INNER) {
        const uint32_t set = children_used(tree, tree->root) | children_used(tree, tree->under);
        if (set & (set - 1u)) {
            return;
        }
        const uint32_t only = oct_lowest_bit(set);
        tree->root = lowered(tree, tree->root, only);
        tree->under = lowered(tree, tree->under, only);
        tree->root_level--;
        const int64_t edge = INT64_C(1) << tree->root_level;
        tree->root_min.x += only & 1u ? edge : 0;
        tree->root_min.y += only & 2u ? edge : 0;
        tree->root_min.z += only & 4u ? edge : 0;
    }
}

// A root in the making: the old one, doubled until it holds a box.
typedef struct growth {
    int level;
    corner min;
} growth;

static bool holds_axis(int64_t min, int64_t edge, int32_t from, int32_t to)
{
    return from >= min && to <= min + edge;
}

static bool growth_holds(const growth *g, int dims, const oct_box *box)
{
    const int64_t edge = INT64_C(1) << g->level;
    return holds_axis(g->min.x, edge, box->min.x, box->max.x) &&
           holds_axis(g->min.y, edge, box->min.y, box->max.y) &&
           (dims == 2 || holds_axis(g->min.z, edge, box->min.z, box->max.z));
}

// Whether one axis of a root doubles downwards: where the box begins below it, or where nothing of
// the lattice is left above it. So a root of level 32 holds the whole lattice.
static bool grows_down(int64_t min, int64_t edge, int32_t from)
{
    return from < min || min + edge >= OCT_RANGE;
}

// Doubles towards the box. Returns which child of the doubled root the old one is.
static uint32_t growth_double(growth *g, int dims, const oct_box *box)
{
    const int64_t edge = INT64_C(1) << g->level++;
    uint32_t child = 0;
    if (grows_down(g->min.x, edge, box->min.x)) {
        g->min.x -= edge;
        child |= 1u;
    }
    if (grows_down(g->min.y, edge, box->min.y)) {
        g->min.y -= edge;
        child |= 2u;
    }
    if (dims == 3 && grows_down(g->min.z, edge, box->min.z)) {
        g->min.z -= edge;
        child |= 4u;
    }
    return child;
}

// The node that has a node as one of its children and is UNKNOWN elsewhere.
static uint32_t raised(oct_tree *tree, uint32_t word, uint32_t child)
{
    if (word == word_leaf(0)) {
        return word;
    }
    const uint32_t index = oct_pool_take(&tree->siblings);
    uint32_t *children = tree_siblings(tree, tree->dims, index);
    for (uint32_t i = 0; i < 1u << tree->dims; i++) {
        children[i] = word_leaf(0);
    }
    children[child] = word;
    return word_make(KIND_INNER, word_labels(word) | OCT_HAS_UNKNOWN, index);
}

static void grow(oct_tree *tree, const oct_box *box)
{
    const int dims = tree->dims;
    growth g = {tree->root_level, tree->root_min};
    if (tree_is_blank(tree)) {
        // Nothing to keep: begin at the box, on a multiple of a brick's edge.
        const int32_t low = ~((1 << brick_level(dims)) - 1);
        g = (growth){brick_level(dims),
                     {box->min.x & low, box->min.y & low, dims == 3 ? box->min.z & low : 0}};
    }
    while (!growth_holds(&g, dims, box)) {
        const uint32_t child = growth_double(&g, dims, box);
        tree->root = raised(tree, tree->root, child);
        tree->under = raised(tree, tree->under, child);
    }
    tree->root_level = g.level;
    tree->root_min = g.min;
}

// How many groups of siblings that takes at most.
static uint64_t siblings_to_grow(const oct_tree *tree, const oct_box *box)
{
    growth g = {tree->root_level, tree->root_min};
    while (!growth_holds(&g, tree->dims, box)) {
        growth_double(&g, tree->dims, box);
    }
    const uint64_t words = tree->under == word_leaf(0) ? 1 : 2;
    return (uint64_t)(g.level - tree->root_level) * words;
}

oct_result oct_tree_hold(oct_tree *tree, const oct_box *box)
{
    const growth g = {tree->root_level, tree->root_min};
    if (growth_holds(&g, tree->dims, box) && !tree_is_blank(tree)) {
        return OCT_OK;
    }
    OCT_TRY(oct_tree_reserve(tree, siblings_to_grow(tree, box), 0));
    grow(tree, box);
    return OCT_OK;
}
