// SPDX-License-Identifier: MIT
// The octree's insides, shared by the files of this module.
//
// A node is one 32-bit word. Words come in groups of eight siblings (four at two dimensions), one
// for each child in Morton order; the lowest levels of the tree are bricks of 64 cells. There are
// no pointers and no positions: a position is counted down from the root, in coordinates relative
// to the root's smallest cell (`rel`, unsigned), so that the root may grow in any direction without
// touching what is below it.
//
//   word   bits 0-1 kind | 2-4 labels that occur below | 5 frontier below | 6-31 index
//   block  8 words = 32 bytes, two in a cache line; 4 words = 16 bytes at two dimensions
//   brick  two planes of 64 bits = 16 bytes, four in a cache line
//
// A leaf's index is its state: bit 0 observed, bit 1 blocked. Two leaves merge where their words
// are equal, that is, where both facts are: an unseen BLOCKED cell differs from a seen one.
#ifndef OCTANT_OCTREE_INTERNAL_H
#define OCTANT_OCTREE_INTERNAL_H

#include "geom/geom_internal.h"
#include "octant/tree.h"
#include "octree/journal.h"

typedef struct brick {
    uint64_t known;   // observed cells
    uint64_t blocked; // cells with static geometry
} brick;
_Static_assert(sizeof(brick) == 16, "four bricks in a cache line");

enum { KIND_LEAF = 0, KIND_INNER = 1, KIND_BRICK = 2 };
enum { STATE_KNOWN = 1, STATE_BLOCKED = 2 };

#define WORD_LABELS_SHIFT 2
#define WORD_INDEX_SHIFT 6
#define WORD_LABELS (7u << WORD_LABELS_SHIFT)
#define WORD_INDEX_MAX ((1u << 26) - 1u)

OCT_FORCE_INLINE uint32_t word_kind(uint32_t word)
{
    return word & 3u;
}

OCT_FORCE_INLINE uint32_t word_index(uint32_t word)
{
    return word >> WORD_INDEX_SHIFT;
}

OCT_FORCE_INLINE oct_labels word_labels(uint32_t word)
{
    return word >> WORD_LABELS_SHIFT & 7u;
}

OCT_FORCE_INLINE oct_label state_label(uint32_t state)
{
    return state & STATE_BLOCKED ? OCT_BLOCKED : (oct_label)state;
}

OCT_FORCE_INLINE uint32_t word_leaf(uint32_t state)
{
    return KIND_LEAF | 1u << (WORD_LABELS_SHIFT + state_label(state)) | state << WORD_INDEX_SHIFT;
}

OCT_FORCE_INLINE uint32_t word_make(uint32_t kind, oct_labels labels, uint32_t index)
{
    return kind | labels << WORD_LABELS_SHIFT | index << WORD_INDEX_SHIFT;
}

// The label of a leaf word.
OCT_FORCE_INLINE oct_label word_label(uint32_t word)
{
    return state_label(word_index(word));
}

OCT_FORCE_INLINE oct_labels brick_labels(brick cells)
{
    return (cells.blocked ? OCT_HAS_BLOCKED : 0u) |
           (cells.known & ~cells.blocked ? OCT_HAS_OPEN : 0u) |
           (~(cells.known | cells.blocked) ? OCT_HAS_UNKNOWN : 0u);
}

// State of the cell at bit i.
OCT_FORCE_INLINE uint32_t brick_state(brick cells, uint32_t i)
{
    return (uint32_t)(cells.known >> i & 1u) | (uint32_t)(cells.blocked >> i & 1u) << 1;
}

// Whether all cells have one state.
OCT_FORCE_INLINE bool brick_is_uniform(brick cells)
{
    return (cells.known + 1u) <= 1u && (cells.blocked + 1u) <= 1u;
}

// The first bit of every group of `width` bits: the groups are the octants, quads or quarters of a
// brick, for widths 8, 4 and 16.
OCT_FORCE_INLINE uint64_t group_first(uint32_t width)
{
    return UINT64_MAX / ((UINT64_C(1) << width) - 1u);
}

// The first bit of every group in which any bit is set.
OCT_FORCE_INLINE uint64_t group_any(uint64_t plane, uint32_t width)
{
    for (uint32_t shift = 1; shift < width; shift *= 2) {
        plane |= plane >> shift;
    }
    return plane & group_first(width);
}

// All bits of every group in which all cells have one state.
OCT_FORCE_INLINE uint64_t group_uniform(brick cells, uint32_t width)
{
    const uint64_t mixed = (group_any(cells.known, width) & group_any(~cells.known, width)) |
                           (group_any(cells.blocked, width) & group_any(~cells.blocked, width));
    return (group_first(width) & ~mixed) * ((UINT64_C(1) << width) - 1u);
}

// How a brick divides into leaves: the cells that belong to leaves of at least level 1 and 2.
typedef struct brick_leaves {
    uint64_t level1, level2;
} brick_leaves;

OCT_FORCE_INLINE brick_leaves brick_divide(int dims, brick cells)
{
    return dims == 3 ? (brick_leaves){group_uniform(cells, 8), 0}
                     : (brick_leaves){group_uniform(cells, 4), group_uniform(cells, 16)};
}

// The first cell of every leaf that has a cell in the mask. A leaf is in the mask with any cell.
OCT_FORCE_INLINE uint64_t brick_leaf_firsts(int dims, brick_leaves leaves, uint64_t mask)
{
    if (dims == 3) {
        return (mask & ~leaves.level1) | (group_any(mask, 8) & leaves.level1);
    }
    return (mask & ~leaves.level1) | (group_any(mask, 4) & leaves.level1 & ~leaves.level2) |
           (group_any(mask, 16) & leaves.level2);
}

OCT_FORCE_INLINE int brick_leaf_level(brick_leaves leaves, uint32_t i)
{
    return (int)(leaves.level1 >> i & 1u) + (int)(leaves.level2 >> i & 1u);
}

// The cells of a brick that have one of the labels.
OCT_FORCE_INLINE uint64_t brick_with(brick cells, oct_labels labels)
{
    return (labels & OCT_HAS_BLOCKED ? cells.blocked : 0u) |
           (labels & OCT_HAS_OPEN ? cells.known & ~cells.blocked : 0u) |
           (labels & OCT_HAS_UNKNOWN ? ~(cells.known | cells.blocked) : 0u);
}

// Items of one size addressed by index; index 0 is null. Freed items form a list through their
// first word, so that they are used again before the pool grows.
typedef struct pool {
    void *items;
    uint32_t item_size; // bytes
    uint32_t capacity;  // items, the null one included
    uint32_t used;      // items ever handed out, the null one included
    uint32_t free_head; // first freed item, or 0
    uint32_t free_count;
} pool;

// Items that can be taken without growing.
OCT_FORCE_INLINE uint32_t pool_room(const pool *items)
{
    return items->capacity - items->used + items->free_count;
}

// The root's smallest cell. At level 32 it may lie below every int32.
typedef struct corner {
    int64_t x, y, z;
} corner;

struct oct_tree {
    oct_allocator allocator;
    oct_point origin;
    double cell_size;
    int dims;
    uint32_t root;   // word; the UNKNOWN leaf while the tree is empty
    uint32_t under;  // word: what things hide, see edit_layers.c; the UNKNOWN leaf where nothing
    int root_level;  // edge of the root = 2^root_level cells, never below the brick's
    corner root_min; // smallest cell of the root
    pool siblings;   // of uint32_t[1 << dims]: the children of one node
    pool bricks;     // of brick
    journal journal;
};

OCT_FORCE_INLINE uint32_t *tree_siblings(const oct_tree *tree, int dims, uint32_t index)
{
    return (uint32_t *)tree->siblings.items + ((size_t)index << dims);
}

OCT_FORCE_INLINE brick *tree_brick(const oct_tree *tree, uint32_t index)
{
    return (brick *)tree->bricks.items + index;
}

OCT_FORCE_INLINE bool tree_is_empty(const oct_tree *tree)
{
    return tree->root == word_leaf(0);
}

// Whether there is nothing under things either: the root may then begin anywhere.
OCT_FORCE_INLINE bool tree_is_blank(const oct_tree *tree)
{
    return tree_is_empty(tree) && tree->under == word_leaf(0);
}

// A position relative to the root.
typedef struct rel {
    uint32_t x, y, z;
} rel;

OCT_FORCE_INLINE rel tree_rel(const oct_tree *tree, oct_vec cell)
{
    return (rel){(uint32_t)cell.x - (uint32_t)tree->root_min.x,
                 (uint32_t)cell.y - (uint32_t)tree->root_min.y,
                 (uint32_t)cell.z - (uint32_t)tree->root_min.z};
}

// Whether a position is inside the root. The level is at most 32, hence the two shifts.
OCT_FORCE_INLINE bool tree_holds(const oct_tree *tree, int dims, rel at)
{
    const uint32_t all = at.x | at.y | (dims == 3 ? at.z : 0u);
    return (uint64_t)all >> tree->root_level == 0;
}

// Which child of a node of `level` holds a position.
OCT_FORCE_INLINE uint32_t child_at(int dims, int level, rel at)
{
    const int bit = level - 1;
    const uint32_t flat = (at.x >> bit & 1u) | (at.y >> bit & 1u) << 1;
    return dims == 3 ? flat | (at.z >> bit & 1u) << 2 : flat;
}

OCT_FORCE_INLINE oct_leaf leaf_make(const oct_tree *tree, int dims, rel at, int level,
                                    oct_label label)
{
    return (oct_leaf){(int32_t)(at.x + (uint32_t)tree->root_min.x),
                      (int32_t)(at.y + (uint32_t)tree->root_min.y),
                      dims == 3 ? (int32_t)(at.z + (uint32_t)tree->root_min.z) : 0,
                      (uint8_t)level,
                      (uint8_t)label,
                      0};
}

// The position of the cell at bit i of the brick at `at`.
OCT_FORCE_INLINE rel brick_cell(int dims, rel at, uint32_t i)
{
    const uint32_t cell = morton_cell(dims, i);
    return (rel){at.x + (cell & 0xffu), at.y + (cell >> 8 & 0xffu), at.z + (cell >> 16)};
}

// All directions with a step of -1, 0 or 1 on an axis, as a set of OCT_DIRECTION bits.
#define STEPS_X(dx) (0x01249249u << ((dx) + 1))
#define STEPS_Y(dy) (0x001c0e07u << (3 * ((dy) + 1)))
#define STEPS_Z(dz) (0x000001ffu << (9 * ((dz) + 1)))

// Swaps two bits of the index of every bit: those at `low` and at `low` + log2(by / (1 << low)).
OCT_FORCE_INLINE uint64_t swap_index_bits(uint64_t plane, uint64_t mask, uint32_t by)
{
    const uint64_t differ = (plane ^ plane >> by) & mask;
    return plane ^ differ ^ differ << by;
}

// A box clipped to the root, relative to it, both ends included.
typedef struct span {
    rel lo, hi;
} span;

OCT_FORCE_INLINE uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

OCT_FORCE_INLINE uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The part that two spans share, which must not be empty.
OCT_FORCE_INLINE span span_common(const span *a, const span *b)
{
    return (span){{most(a->lo.x, b->lo.x), most(a->lo.y, b->lo.y), most(a->lo.z, b->lo.z)},
                  {least(a->hi.x, b->hi.x), least(a->hi.y, b->hi.y), least(a->hi.z, b->hi.z)}};
}

// The smallest span that holds both.
OCT_FORCE_INLINE span span_union(const span *a, const span *b)
{
    return (span){{least(a->lo.x, b->lo.x), least(a->lo.y, b->lo.y), least(a->lo.z, b->lo.z)},
                  {most(a->hi.x, b->hi.x), most(a->hi.y, b->hi.y), most(a->hi.z, b->hi.z)}};
}

// All cells of the node of `level` at `at`.
OCT_FORCE_INLINE span span_of(int dims, rel at, int level)
{
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u);
    return (span){at, {at.x + last, at.y + last, dims == 3 ? at.z + last : 0u}};
}

// The cells of the brick at `at` that lie in the span, which must meet the brick.
OCT_FORCE_INLINE uint64_t span_mask(int dims, const span *box, rel at)
{
    const span all = span_of(dims, at, brick_level(dims));
    const span part = span_common(box, &all);
    uint64_t mask = morton_slab(dims, 0, part.lo.x - at.x, part.hi.x - at.x) &
                    morton_slab(dims, 1, part.lo.y - at.y, part.hi.y - at.y);
    if (dims == 3) {
        mask &= morton_slab(dims, 2, part.lo.z - at.z, part.hi.z - at.z);
    }
    return mask;
}

// Which children of the node of `level` at `at` meet the span, as a set of bits; the span must meet
// the node.
OCT_FORCE_INLINE uint32_t span_children(int dims, const span *box, rel at, int level)
{
    const uint32_t half = 1u << (level - 1);
    uint32_t set = (box->lo.x < at.x + half ? 0x55u : 0u) | (box->hi.x >= at.x + half ? 0xaau : 0u);
    set &= (box->lo.y < at.y + half ? 0x33u : 0u) | (box->hi.y >= at.y + half ? 0xccu : 0u);
    if (dims == 3) {
        return set &
               ((box->lo.z < at.z + half ? 0x0fu : 0u) | (box->hi.z >= at.z + half ? 0xf0u : 0u));
    }
    return set & 0x0fu;
}

// Whether the span holds all of the node of `level` at `at`.
OCT_FORCE_INLINE bool span_covers(int dims, const span *box, rel at, int level)
{
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u);
    return box->lo.x <= at.x && box->hi.x >= at.x + last && box->lo.y <= at.y &&
           box->hi.y >= at.y + last &&
           (dims == 2 || (box->lo.z <= at.z && box->hi.z >= at.z + last));
}

// Whether a span meets the node of `level` at `at`.
OCT_FORCE_INLINE bool span_meets(int dims, const span *box, rel at, int level)
{
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u);
    return box->lo.x <= at.x + last && box->hi.x >= at.x && box->lo.y <= at.y + last &&
           box->hi.y >= at.y && (dims == 2 || (box->lo.z <= at.z + last && box->hi.z >= at.z));
}

// The position of a child of the node of `level` at `at`.
OCT_FORCE_INLINE rel child_position(int dims, rel at, int level, uint32_t child)
{
    const int bit = level - 1;
    return (rel){at.x | (child & 1u) << bit, at.y | (child >> 1 & 1u) << bit,
                 dims == 3 ? at.z | (child >> 2 & 1u) << bit : 0u};
}

// A node on its way through a traversal.
typedef struct node {
    uint32_t word;
    int level;
    rel at;
} node;

// A traversal of the nodes that meet a span, depth first in Morton order.
typedef struct scan {
    int top;
    node stack[7 * OCT_LEVEL_MAX + 1];
} scan;

OCT_FORCE_INLINE void scan_start(scan *s, node from)
{
    s->stack[0] = from;
    s->top = 1;
}

// The next leaf word or brick that meets the span and has one of the labels; false at the end.
OCT_FORCE_INLINE bool scan_next(const oct_tree *tree, int dims, const span *box, oct_labels labels,
                                scan *s, node *out)
{
    while (s->top > 0) {
        const node at = s->stack[--s->top];
        if (!(word_labels(at.word) & labels)) {
            continue;
        }
        if (word_kind(at.word) != KIND_INNER) {
            *out = at;
            return true;
        }
        const uint32_t *children = tree_siblings(tree, dims, word_index(at.word));
        for (uint32_t set = span_children(dims, box, at.at, at.level); set;) {
            const uint32_t child = oct_bit_length(set) - 1u;
            const uint32_t word = children[child];
            set ^= 1u << child;
            // All children wait in the stack before the first is looked at: time to fetch them.
            if (word_kind(word) == KIND_BRICK) {
                OCT_PREFETCH(tree_brick(tree, word_index(word)));
            } else if (word_kind(word) == KIND_INNER) {
                OCT_PREFETCH(tree_siblings(tree, dims, word_index(word)));
            }
            s->stack[s->top++] =
                (node){word, at.level - 1, child_position(dims, at.at, at.level, child)};
        }
    }
    return false;
}

// The root as a node.
OCT_FORCE_INLINE node tree_top(const oct_tree *tree)
{
    return (node){tree->root, tree->root_level, {0, 0, 0}};
}

// The node that holds a position and is a leaf, a brick, or an inner node of `level` at most.
OCT_FORCE_INLINE node tree_descend(const oct_tree *tree, int dims, rel at, int level)
{
    node here = tree_top(tree);
    while (here.level > level && word_kind(here.word) == KIND_INNER) {
        here.word =
            tree_siblings(tree, dims, word_index(here.word))[child_at(dims, here.level, at)];
        here.level--;
    }
    const uint32_t high = ~(uint32_t)((UINT64_C(1) << here.level) - 1u);
    here.at = (rel){at.x & high, at.y & high, dims == 3 ? at.z & high : 0u};
    return here;
}

// Clips a box to the root; false if nothing is left.
bool oct_tree_clip(const oct_tree *tree, oct_box box, span *out);

// The other way: the cells of a span.
oct_box oct_tree_unclip(const oct_tree *tree, const span *cells);

// Makes room for that many more groups of siblings and bricks; on failure nothing has changed.
oct_result oct_tree_reserve(oct_tree *tree, uint64_t siblings, uint64_t bricks);

// Takes an item; room must have been reserved.
uint32_t oct_pool_take(pool *items);
void oct_pool_give(pool *items, uint32_t index);

// For readers that build a tree from the bottom up. Join and pack reserve what they need.
// A node with these children (1 << dims words): one leaf where all are equal leaves.
oct_result oct_tree_join(oct_tree *tree, const uint32_t *children, uint32_t *word);
// A node with these cells: a leaf where they are uniform.
oct_result oct_tree_pack(oct_tree *tree, brick cells, uint32_t *word);
// Makes a built node the root of an empty tree and trims it.
void oct_tree_plant(oct_tree *tree, uint32_t word, int level, corner min);

// Gives an empty tree of the same dimensions the labels of the cells of a box; BLOCKED cells count
// as observed. Costs the nodes in the box.
oct_result oct_tree_copy_labels(const oct_tree *from, oct_box box, oct_tree *to);

// oct_tree_walk by its plain way, whatever the segment: what the fast way is tested against.
bool oct_tree_walk_plain(const oct_tree *tree, oct_fine from, oct_fine to, oct_walk walk,
                         oct_leaf_fn *visit, void *ctx);

// Whether a segment is free of leaves with the labels: it enters none, and, unless it may, squeezes
// through no edge or corner between them. UNSURE where that takes more than 64 bits. The segment
// must not run in a plane between cells.
typedef enum tree_clear { TREE_CLEAR_NO, TREE_CLEAR_YES, TREE_CLEAR_UNSURE } tree_clear;
tree_clear oct_tree_clear_line(const oct_tree *tree, oct_fine from, oct_fine to, oct_labels labels,
                               bool squeezes);

// Makes the root hold a box, which must not be empty.
oct_result oct_tree_hold(oct_tree *tree, const oct_box *box);
// Drops the root's levels while only one child of the root is not UNKNOWN.
void oct_tree_trim(oct_tree *tree);

// The cells that a box in the world stands for.
oct_result oct_cells_of_bounds(int dims, oct_point origin, double cell, const oct_bounds *bounds,
                               oct_cover cover, oct_box *out);

// Which labels occur in a node's cube, without looking below it. The cube must be aligned as
// oct_tree_root says; other cubes are boxes: oct_tree_labels_in.
oct_labels oct_tree_labels_below(const oct_tree *tree, oct_cell node);

// The same set by a descent from the root for every direction: slower, kept to compare with.
size_t oct_tree_neighbours_by_descent(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                                      oct_labels labels, oct_leaf *out, size_t capacity);

// Makes every cell UNKNOWN that shares no inner point with the ball (in cells, as above): what an
// agent does that remembers only its surroundings.
oct_result oct_tree_keep(oct_tree *tree, oct_point centre, double radius);

oct_result oct_tree_set_ball(oct_tree *tree, oct_point centre, double radius, oct_cover cover,
                             oct_mark mark);

#endif
