// SPDX-License-Identifier: MIT
// Checks every invariant of a tree: each block and brick is used once or free once, nothing that
// could merge is split, every word carries the labels below it, and the root is no larger than
// needed.
#include "octant/tree.h"
#include "valid.h"

#include "base/base_internal.h"
#include "octree/octree_internal.h"

typedef struct books {
    const oct_tree *tree;
    uint8_t *blocks, *bricks; // how often each index was met
    uint32_t block_count, brick_count;
} books;

static bool meet(uint8_t *met, const pool *items, uint32_t index, uint32_t *count)
{
    if (index == 0 || index >= items->used || met[index]) {
        return false;
    }
    met[index] = 1;
    (*count)++;
    return true;
}

static bool leaf_is_valid(uint32_t word)
{
    return word_index(word) <= (STATE_KNOWN | STATE_BLOCKED) && word == word_leaf(word_index(word));
}

static bool brick_is_valid(books *b, uint32_t word)
{
    const uint32_t index = word_index(word);
    if (!meet(b->bricks, &b->tree->bricks, index, &b->brick_count)) {
        return false;
    }
    const brick cells = *tree_brick(b->tree, index);
    return !brick_is_uniform(cells) && word_labels(word) == brick_labels(cells);
}

static bool node_is_valid(books *b, uint32_t word, int level)
{
    const int dims = b->tree->dims;
    if (word_kind(word) == KIND_LEAF) {
        return leaf_is_valid(word);
    }
    if (level == brick_level(dims)) {
        return word_kind(word) == KIND_BRICK && brick_is_valid(b, word);
    }
    if (word_kind(word) != KIND_INNER ||
        !meet(b->blocks, &b->tree->siblings, word_index(word), &b->block_count)) {
        return false;
    }
    const uint32_t *children = tree_siblings(b->tree, dims, word_index(word));
    oct_labels labels = 0;
    bool differ = false;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        if (!node_is_valid(b, children[i], level - 1)) {
            return false;
        }
        labels |= word_labels(children[i]);
        differ |= children[i] != children[0];
    }
    return differ && labels == word_labels(word);
}

static bool free_list_is_valid(const pool *items, uint8_t *met)
{
    uint32_t count = 0;
    for (uint32_t index = items->free_head; index != 0;) {
        if (!meet(met, items, index, &count)) {
            return false;
        }
        index = *(const uint32_t *)(const void *)((const char *)items->items +
                                                  (size_t)index * items->item_size);
    }
    return count == items->free_count;
}

static bool root_is_valid(const oct_tree *tree)
{
    const int level = tree->root_level;
    const int64_t low = (INT64_C(1) << brick_level(tree->dims)) - 1;
    if (level < brick_level(tree->dims) || level > OCT_LEVEL_MAX ||
        ((tree->root_min.x | tree->root_min.y | tree->root_min.z) & low) != 0) {
        return false;
    }
    const uint32_t words[2] = {tree->root, tree->under};
    uint32_t used = 0; // children that are not empty in either
    bool inner = false;
    for (uint32_t w = 0; w < 2; w++) {
        inner |= word_kind(words[w]) == KIND_INNER;
        for (uint32_t i = 0; i < 1u << tree->dims && words[w] != word_leaf(0); i++) {
            const bool child =
                word_kind(words[w]) != KIND_INNER ||
                tree_siblings(tree, tree->dims, word_index(words[w]))[i] != word_leaf(0);
            used |= (uint32_t)child << i;
        }
    }
    return !inner || (used & (used - 1u)) != 0;
}

static bool books_balance(books *b)
{
    const oct_tree *tree = b->tree;
    return node_is_valid(b, tree->root, tree->root_level) &&
           node_is_valid(b, tree->under, tree->root_level) && root_is_valid(tree) &&
           free_list_is_valid(&tree->siblings, b->blocks) &&
           free_list_is_valid(&tree->bricks, b->bricks) &&
           b->block_count + tree->siblings.free_count + 1u == tree->siblings.used &&
           b->brick_count + tree->bricks.free_count + 1u == tree->bricks.used;
}

bool oct_tree_is_valid(const oct_tree *tree)
{
    const size_t size = (size_t)tree->siblings.used + tree->bricks.used;
    uint8_t *met = oct_alloc(&tree->allocator, size, 1);
    if (!met) {
        return false;
    }
    memset(met, 0, size);
    books b = {.tree = tree, .blocks = met, .bricks = met + tree->siblings.used};
    const bool valid = books_balance(&b);
    oct_free(&tree->allocator, met, size);
    return valid;
}
