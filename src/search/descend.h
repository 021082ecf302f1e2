// SPDX-License-Identifier: MIT
// Looking up several cells that are near each other: down to the lowest node that holds them all,
// and from there to each.
#ifndef OCTANT_DESCEND_H
#define OCTANT_DESCEND_H

#include "octree/octree_internal.h"

// The lowest node that holds all cells from lo to hi.
OCT_FORCE_INLINE node common_node(const oct_tree *tree, int dims, rel lo, rel hi)
{
    const uint32_t differ = (lo.x ^ hi.x) | (lo.y ^ hi.y) | (dims == 3 ? lo.z ^ hi.z : 0u);
    return tree_descend(tree, dims, hi, (int)oct_bit_length(differ));
}

// The leaf word or brick that holds a position, from a node that holds it.
OCT_FORCE_INLINE node descend_on(const oct_tree *tree, int dims, node from, rel at)
{
    while (word_kind(from.word) == KIND_INNER) {
        from.word =
            tree_siblings(tree, dims, word_index(from.word))[child_at(dims, from.level, at)];
        from.level--;
    }
    return from;
}

// A leaf word's cells as a brick, or a brick: which of them it is nobody can foretell, and without
// a branch nobody has to.
static const brick uniform[4] = {
    {0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};

OCT_FORCE_INLINE const brick *word_cells(const oct_tree *tree, uint32_t word)
{
    const brick *pool_of[2] = {uniform, tree->bricks.items};
    return pool_of[word_kind(word) >> 1] + word_index(word);
}

// The level of the leaf that cell i of a brick belongs to. A group of bits is uniform where adding
// one leaves nothing of it but that one, or nothing at all.
OCT_FORCE_INLINE int level_in_brick(int dims, brick cells, uint32_t i)
{
    int level = 0;
    for (uint32_t width = 1u << dims; width < 64; width <<= dims) {
        const uint32_t first = i & ~(width - 1u), group = (uint32_t)((UINT64_C(1) << width) - 1u);
        const uint32_t known = ((uint32_t)(cells.known >> first) + 1u) & group;
        const uint32_t blocked = ((uint32_t)(cells.blocked >> first) + 1u) & group;
        level += (known | blocked) <= 1u;
    }
    return level;
}

// The leaf that holds a position, below a leaf word or brick.
OCT_FORCE_INLINE oct_leaf leaf_below(const oct_tree *tree, int dims, node below, rel at)
{
    const brick cells = *word_cells(tree, below.word);
    const uint32_t i = morton_index(dims, at.x, at.y, at.z);
    const int inside = level_in_brick(dims, cells, i);
    const int level = word_kind(below.word) == KIND_BRICK ? inside : below.level;
    const uint32_t high = ~(uint32_t)((UINT64_C(1) << level) - 1u);
    return leaf_make(tree, dims, (rel){at.x & high, at.y & high, at.z & high}, level,
                     state_label(brick_state(cells, i)));
}

#endif
