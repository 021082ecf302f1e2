// SPDX-License-Identifier: MIT
// Looking at an octree: both trees are descended together, with the six nodes of the map around.
//
// A node without OPEN, or with no UNKNOWN in it or around it, is empty, however large it is. An
// OPEN leaf between leaves is layers. So only where labels really meet are there bricks to look at,
// and those are a few operations on planes of 64 bits.
#include "explore/frontier_internal.h"

typedef struct tree_look {
    oct_frontier *f;
    const oct_tree *tree;
    span box;
} tree_look;

// A node of the map and those across its faces.
typedef struct seen {
    uint32_t word;
    uint32_t across[6];
} seen;

OCT_FORCE_INLINE uint32_t word_below(const oct_tree *tree, int dims, uint32_t word, uint32_t child)
{
    return word_kind(word) == KIND_INNER ? tree_siblings(tree, dims, word_index(word))[child]
                                         : word;
}

OCT_FORCE_INLINE seen seen_below(const tree_look *k, int dims, const seen *s, uint32_t child)
{
    seen out = {.word = word_below(k->tree, dims, s->word, child)};
    for (uint32_t axis = 0; axis < (uint32_t)dims; axis++) {
        const uint32_t beside = child ^ 1u << axis, up = child >> axis & 1u;
        out.across[2u * axis + up] = word_below(k->tree, dims, s->across[2u * axis + up], beside);
        out.across[2u * axis + (up ^ 1u)] = word_below(k->tree, dims, s->word, beside);
    }
    return out;
}

OCT_FORCE_INLINE uint64_t word_cells(const oct_tree *tree, uint32_t word, oct_labels labels)
{
    if (word_kind(word) == KIND_BRICK) {
        return brick_with(*tree_brick(tree, word_index(word)), labels);
    }
    return word_labels(word) & labels ? UINT64_MAX : 0u;
}

OCT_FORCE_INLINE uint64_t brick_frontier(const tree_look *k, int dims, const seen *s, rel at)
{
    uint64_t open = word_cells(k->tree, s->word, OCT_HAS_OPEN);
    uint64_t unknown = word_cells(k->tree, s->word, OCT_HAS_UNKNOWN);
    if (k->f->is_bounded) {
        const uint64_t inside = span_mask(dims, &k->f->inside, at);
        open &= inside;
        unknown &= inside;
    }
    uint64_t near = cells_near(dims, unknown);
    for (uint32_t face = 0; face < 2u * (uint32_t)dims; face++) {
        near |= face_across(dims, face ^ 1u, word_cells(k->tree, s->across[face], OCT_HAS_UNKNOWN));
    }
    return open & near;
}

static oct_result look_2d(const tree_look *k, const seen *s, int level, rel at, uint32_t *word);
static oct_result look_3d(const tree_look *k, const seen *s, int level, rel at, uint32_t *word);

OCT_FORCE_INLINE oct_result look_below(const tree_look *k, int dims, const seen *s, int level,
                                       rel at, uint32_t *word)
{
    oct_frontier *f = k->f;
    OCT_TRY(oct_front_open(f, word, level, at));
    const uint32_t index = front_value(*word);
    for (uint32_t set = span_children(dims, &k->box, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const seen below = seen_below(k, dims, s, i);
        const rel child = child_position(dims, at, level, i);
        uint32_t changed = front_block(f, dims, index)[i];
        OCT_TRY(dims == 3 ? look_3d(k, &below, level - 1, child, &changed)
                          : look_2d(k, &below, level - 1, child, &changed));
        front_block(f, dims, index)[i] = changed;
    }
    uint32_t faces;
    if (oct_front_close(f, word, level, at, &faces) && word_kind(s->word) == KIND_LEAF) {
        oct_front_merge(f, word, faces);
    }
    return OCT_OK;
}

// Makes a node that the box meets what the map says.
OCT_FORCE_INLINE oct_result look(const tree_look *k, int dims, const seen *given, int level, rel at,
                                 uint32_t *word)
{
    oct_frontier *f = k->f;
    seen s = *given;
    oct_labels around = 0;
    uint32_t faces = 0;
    bool mixed = false;
    for (uint32_t face = 0; face < 2u * (uint32_t)dims; face++) {
        if (f->is_bounded && !front_sees_across(f, level, at, face)) {
            s.across[face] = word_leaf(STATE_BLOCKED);
        }
        const oct_labels labels = word_labels(s.across[face]);
        around |= labels;
        faces |= (uint32_t)(labels == OCT_HAS_UNKNOWN) << face;
        mixed |= (labels & OCT_HAS_UNKNOWN) && labels != OCT_HAS_UNKNOWN;
    }
    const oct_labels own = word_labels(s.word);
    if (!(own & OCT_HAS_OPEN) || !((own | around) & OCT_HAS_UNKNOWN)) {
        if (*word) {
            oct_front_drop(f, word, level, at);
        }
        return OCT_OK;
    }
    const bool leaf = word_kind(s.word) == KIND_LEAF;
    if (leaf && !mixed) {
        oct_front_put_slab(f, word, level, at, faces);
        return OCT_OK;
    }
    if (level == brick_level(dims)) {
        return oct_front_put_cells(f, word, at, brick_frontier(k, dims, &s, at), leaf);
    }
    return look_below(k, dims, &s, level, at, word);
}

static oct_result look_2d(const tree_look *k, const seen *s, int level, rel at, uint32_t *word)
{
    return look(k, 2, s, level, at, word);
}

static oct_result look_3d(const tree_look *k, const seen *s, int level, rel at, uint32_t *word)
{
    return look(k, 3, s, level, at, word);
}

oct_result oct_front_look(oct_frontier *f, const span *box)
{
    const tree_look k = {f, f->tree, *box};
    seen s = {.word = f->tree->root};
    for (int face = 0; face < 6; face++) {
        s.across[face] = word_leaf(0);
    }
    uint32_t word = f->root;
    const rel at = {0, 0, 0};
    OCT_TRY(f->dims == 3 ? look_3d(&k, &s, f->root_level, at, &word)
                         : look_2d(&k, &s, f->root_level, at, &word));
    f->root = word;
    return OCT_OK;
}
