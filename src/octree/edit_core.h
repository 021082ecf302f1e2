// SPDX-License-Identifier: MIT
// The recursion behind every edit of a tree: over the nodes that a shape meets. Where the shape
// covers a node and decides its state, the node becomes a leaf at once; where it cuts a leaf, the
// leaf is split first; on the way back equal children merge. So the tree is always as small as it
// can be. A shape is a table of constant operations: each instance is a recursion of its own.
#ifndef OCTANT_EDIT_CORE_H
#define OCTANT_EDIT_CORE_H

#include "octree/octree_internal.h"

// ---- marks ----

// What a mark does to a cell's two bits: new = (old & ~clear) | set.
typedef struct rule {
    uint32_t set, clear; // STATE bits
} rule;

static const rule rules[OCT_MARK_COUNT] = {
    [OCT_MARK_UNKNOWN] = {0, STATE_KNOWN | STATE_BLOCKED},
    [OCT_MARK_OPEN] = {STATE_KNOWN, STATE_BLOCKED},
    [OCT_MARK_BLOCKED] = {STATE_KNOWN | STATE_BLOCKED, 0},
    [OCT_MARK_KNOWN] = {STATE_KNOWN, 0},
    [OCT_MARK_UNSEEN] = {0, STATE_KNOWN},
    [OCT_MARK_SOLID] = {STATE_BLOCKED, 0},
    [OCT_MARK_CLEAR] = {0, STATE_BLOCKED},
};

OCT_FORCE_INLINE uint32_t rule_apply(rule r, uint32_t state)
{
    return (state & ~r.clear) | r.set;
}

// Whether the mark decides both bits, whatever they were.
OCT_FORCE_INLINE bool rule_is_total(rule r)
{
    return (r.set | r.clear) == (STATE_KNOWN | STATE_BLOCKED);
}

// Whether a mark can change what is UNKNOWN, and so what lies outside the root.
OCT_FORCE_INLINE bool mark_reaches_outside(oct_mark mark)
{
    return rule_apply(rules[mark], 0) != 0;
}

// Whether a mark decides what is BLOCKED.
OCT_FORCE_INLINE bool mark_changes_static(oct_mark mark)
{
    return ((rules[mark].set | rules[mark].clear) & STATE_BLOCKED) != 0;
}

// Applies a rule to the cells of a mask.
OCT_FORCE_INLINE brick rule_apply_brick(rule r, brick cells, uint64_t mask)
{
    const uint64_t set_known = r.set & STATE_KNOWN ? mask : 0u;
    const uint64_t set_blocked = r.set & STATE_BLOCKED ? mask : 0u;
    const uint64_t clear_known = r.clear & STATE_KNOWN ? mask : 0u;
    const uint64_t clear_blocked = r.clear & STATE_BLOCKED ? mask : 0u;
    return (brick){(cells.known & ~clear_known) | set_known,
                   (cells.blocked & ~clear_blocked) | set_blocked};
}

// ---- shapes ----

// A set of cells inside the root. All three answers are exact for every cell.
typedef struct shape_ops {
    // Children of a node that hold a cell of the shape, as a set of bits.
    uint32_t (*children)(int dims, const void *shape, rel at, int level);
    // Whether every cell of a node belongs to the shape.
    bool (*covers)(int dims, const void *shape, rel at, int level);
    // The cells of each brick below a node one level above the bricks.
    void (*masks)(int dims, const void *shape, rel at, uint64_t out[8]);
    // The cells of one brick, which the shape meets.
    uint64_t (*mask)(int dims, const void *shape, rel at);
    // The box that the shape is inside a node, which it meets; NULL where it is none. May be NULL.
    const span *(*box)(int dims, const void *shape, rel at, int level);
} shape_ops;

OCT_FORCE_INLINE const span *shape_box(const shape_ops *ops, int dims, const void *shape, rel at,
                                       int level)
{
    return ops->box ? ops->box(dims, shape, at, level) : NULL;
}

// ---- the recursion ----

typedef struct edit {
    oct_tree *tree;
    const void *shape;
    const span *bounds; // holds the shape; NULL = the root does
    rule mark;
    bool changed;
    span extent;                // holds all cells that changed
    oct_labels before, after;   // of leaves that changed
    uint64_t was[3], became[3]; // the same of cells in bricks, by label, as or-ed planes
} edit;

static inline void note_extent(edit *e, rel at, uint32_t last)
{
    const span part = {at, {at.x + last, at.y + last, at.z + last}};
    e->extent = e->changed ? span_union(&e->extent, &part) : part;
    e->changed = true;
}

OCT_FORCE_INLINE void note_leaf(edit *e, rel at, int level, uint32_t old_state, uint32_t new_state)
{
    if (old_state != new_state) {
        note_extent(e, at, (uint32_t)((UINT64_C(1) << level) - 1u));
        e->before |= 1u << state_label(old_state);
        e->after |= 1u << state_label(new_state);
    }
}

// Returns whether any cell changed.
OCT_FORCE_INLINE bool note_brick(edit *e, int dims, rel at, brick old, brick now)
{
    const uint64_t changed = (old.known ^ now.known) | (old.blocked ^ now.blocked);
    if (!changed) {
        return false;
    }
    note_extent(e, at, (1u << brick_level(dims)) - 1u);
    e->was[OCT_UNKNOWN] |= changed & ~(old.known | old.blocked);
    e->was[OCT_OPEN] |= changed & old.known & ~old.blocked;
    e->was[OCT_BLOCKED] |= changed & old.blocked;
    e->became[OCT_UNKNOWN] |= changed & ~(now.known | now.blocked);
    e->became[OCT_OPEN] |= changed & now.known & ~now.blocked;
    e->became[OCT_BLOCKED] |= changed & now.blocked;
    return true;
}

// A brick with one state throughout.
OCT_FORCE_INLINE brick brick_fill(uint32_t state)
{
    return (brick){state & STATE_KNOWN ? UINT64_MAX : 0u, state & STATE_BLOCKED ? UINT64_MAX : 0u};
}

// Gives back everything below a node that becomes one leaf.
static inline void drop(edit *e, int dims, uint32_t word, int level, rel at, uint32_t state)
{
    if (word_kind(word) == KIND_LEAF) {
        note_leaf(e, at, level, word_index(word), state);
    } else if (word_kind(word) == KIND_BRICK) {
        note_brick(e, dims, at, *tree_brick(e->tree, word_index(word)), brick_fill(state));
        oct_pool_give(&e->tree->bricks, word_index(word));
    } else {
        const uint32_t *children = tree_siblings(e->tree, dims, word_index(word));
        for (uint32_t i = 0; i < 1u << dims; i++) {
            drop(e, dims, children[i], level - 1, child_position(dims, at, level, i), state);
        }
        oct_pool_give(&e->tree->siblings, word_index(word));
    }
}

// The leaf that a block's equal children merge into, or the block with the labels below it.
OCT_FORCE_INLINE uint32_t merged(oct_tree *tree, int dims, uint32_t index)
{
    const uint32_t *children = tree_siblings(tree, dims, index);
    uint32_t differ = 0, labels = 0;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        differ |= children[i] ^ children[0];
        labels |= children[i];
    }
    if (differ == 0 && word_kind(children[0]) == KIND_LEAF) {
        const uint32_t leaf = children[0];
        oct_pool_give(&tree->siblings, index);
        return leaf;
    }
    return word_make(KIND_INNER, word_labels(labels), index);
}

// The cells of a brick, or of a leaf of its size.
OCT_FORCE_INLINE brick brick_of(const oct_tree *tree, uint32_t word)
{
    return word_kind(word) == KIND_LEAF ? brick_fill(word_index(word))
                                        : *tree_brick(tree, word_index(word));
}

// Gives a node of the size of a brick other cells; returns what it has become.
OCT_FORCE_INLINE uint32_t brick_put(oct_tree *tree, uint32_t word, brick now)
{
    const bool was_leaf = word_kind(word) == KIND_LEAF;
    if (brick_is_uniform(now)) {
        if (!was_leaf) {
            oct_pool_give(&tree->bricks, word_index(word));
        }
        return word_leaf(brick_state(now, 0));
    }
    const uint32_t index = was_leaf ? oct_pool_take(&tree->bricks) : word_index(word);
    *tree_brick(tree, index) = now;
    return word_make(KIND_BRICK, brick_labels(now), index);
}

// Edits the cells of a mask in a brick, or in a leaf of its size; returns what it has become.
OCT_FORCE_INLINE uint32_t edit_brick(edit *e, int dims, uint32_t word, rel at, uint64_t mask)
{
    const brick old = brick_of(e->tree, word);
    const brick now = rule_apply_brick(e->mark, old, mask);
    return note_brick(e, dims, at, old, now) ? brick_put(e->tree, word, now) : word;
}

typedef uint32_t edit_fn(edit *e, uint32_t word, int level, rel at);

// Edits the children of a node; returns whether any has changed. The bricks of a node are edited in
// one go: most of an edit is there.
OCT_FORCE_INLINE bool edit_children(edit *e, int dims, const shape_ops *ops, edit_fn *self,
                                    uint32_t *children, int level, rel at)
{
    bool changed = false;
    if (level == brick_level(dims) + 1) {
        uint64_t masks[8];
        ops->masks(dims, e->shape, at, masks);
        for (uint32_t i = 0; i < 1u << dims; i++) {
            const rel from = child_position(dims, at, level, i);
            const uint32_t child =
                masks[i] ? edit_brick(e, dims, children[i], from, masks[i]) : children[i];
            changed |= child != children[i];
            children[i] = child;
        }
        return changed;
    }
    for (uint32_t set = ops->children(dims, e->shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const uint32_t child = self(e, children[i], level - 1, child_position(dims, at, level, i));
        changed |= child != children[i];
        children[i] = child;
    }
    return changed;
}

// Edits a node that the shape meets; returns what it has become. `self` is the instance of this
// body that goes on below.
OCT_FORCE_INLINE uint32_t edit_node(edit *e, int dims, const shape_ops *ops, edit_fn *self,
                                    uint32_t word, int level, rel at)
{
    const bool is_leaf = word_kind(word) == KIND_LEAF;
    const uint32_t state = rule_apply(e->mark, is_leaf ? word_index(word) : 0u);
    if (is_leaf && state == word_index(word)) {
        return word;
    }
    if ((is_leaf || rule_is_total(e->mark)) && ops->covers(dims, e->shape, at, level)) {
        drop(e, dims, word, level, at, state);
        return word_leaf(state);
    }
    if (level == brick_level(dims)) {
        return edit_brick(e, dims, word, at, ops->mask(dims, e->shape, at));
    }
    const uint32_t index = is_leaf ? oct_pool_take(&e->tree->siblings) : word_index(word);
    uint32_t *children = tree_siblings(e->tree, dims, index);
    if (is_leaf) {
        for (uint32_t i = 0; i < 1u << dims; i++) {
            children[i] = word;
        }
    }
    const bool changed = edit_children(e, dims, ops, self, children, level, at);
    return changed || is_leaf ? merged(e->tree, dims, index) : word;
}

// ---- memory ----

typedef struct need {
    uint64_t siblings, bricks; // groups of siblings
    uint64_t visited;          // nodes that were looked at to count them
} need;

// No pool holds more, so that nothing is counted beyond.
#define NEED_MAX ((uint64_t)WORD_INDEX_MAX + 1u)

OCT_FORCE_INLINE bool need_is_too_much(const need *n)
{
    return n->siblings > NEED_MAX || n->bricks > NEED_MAX;
}

// An upper bound of what any edit of a box can take, from its size alone. On each axis n bricks
// touch at most n / 2 + 1 nodes of the next level, so beyond the first levels there are at most
// two.
OCT_FORCE_INLINE need box_bound(const oct_tree *tree, const span *box)
{
    const int shift = brick_level(tree->dims);
    uint64_t bricks = (box->hi.x >> shift) - (box->lo.x >> shift) + 1u;
    bricks *= (box->hi.y >> shift) - (box->lo.y >> shift) + 1u;
    if (bricks < UINT32_MAX && tree->dims == 3) {
        bricks *= (box->hi.z >> shift) - (box->lo.z >> shift) + 1u;
    }
    return (need){bricks + ((uint64_t)tree->root_level << tree->dims), bricks, 0};
}

// Adds what a leaf of `level` at `at` is split into by an edit of the cells of a box where those of
// another box (or the same) lie, `times` over: every node below that meets both boxes, but is not
// inside of both. In closed form, level by level: so the answer costs nothing however large they
// are. Both boxes meet the leaf, and do not both cover it.
void oct_need_add(need *n, int dims, const span *a, const span *b, rel at, int level,
                  uint64_t times);

// Counts the leaves that an edit would split; an upper bound, since merging gives some back. Stops
// where it is too much. Of a box it costs the nodes there are on its surface, not those that come.
void oct_edit_count(const edit *e, const shape_ops *ops, uint32_t word, int level, rel at, need *n);

// ---- journal ----

// Writes what an edit has changed into the journal, before the root changes again.
void oct_edit_record(edit *e);

#endif
