// SPDX-License-Identifier: MIT
// The insides of a frontier, shared by its files.
//
// The set of cells is a sparse tree over the same cubes as the map's, from the same root. Positions
// are relative to the root's smallest cell.
//
//   word   bits 0-1 kind | 2-31 value: faces, a brick, or a block
//   NONE   no cell of the frontier below
//   SLAB   the cube lies in one OPEN leaf, and its cells of the frontier are exactly the layers at
//          some of its faces: however large it is, it takes one word. Its children are SLABs with
//          those of its faces that they have a part in
//   BRICK  64 cells
//   INNER  a block: one word for each child, and what the last selection has found of them
//
// A SLAB is meant within the bounds: what it has beyond does not count. A cube beyond is NONE.
#ifndef OCTANT_FRONTIER_INTERNAL_H
#define OCTANT_FRONTIER_INTERNAL_H

#include "explore/frontier.h"
#include "search/components_internal.h"

enum { FRONT_NONE = 0, FRONT_SLAB = 1, FRONT_BRICK = 2, FRONT_INNER = 3 };

#define FRONT_INDEX_MAX ((1u << 30) - 1u)

OCT_FORCE_INLINE uint32_t front_kind(uint32_t word)
{
    return word & 3u;
}

OCT_FORCE_INLINE uint32_t front_value(uint32_t word)
{
    return word >> 2;
}

OCT_FORCE_INLINE uint32_t front_word(uint32_t kind, uint32_t value)
{
    return kind | value << 2;
}

// Faces are bits 1 << (2 * axis + up), as in components_internal.h.
OCT_FORCE_INLINE uint32_t front_slab(uint32_t faces)
{
    return faces ? front_word(FRONT_SLAB, faces) : FRONT_NONE;
}

// The faces of a cube in which a child has a part.
OCT_FORCE_INLINE uint32_t child_faces(int dims, uint32_t child)
{
    const uint32_t flat = (child & 1u ? 2u : 1u) | (child & 2u ? 8u : 4u);
    return dims == 3 ? flat | (child & 4u ? 32u : 16u) : flat;
}

typedef struct front_brick {
    uint64_t cells;   // never none
    uint64_t skipped; // of these
    uint64_t counted; // those that count, where the stamp is the frontier's
    uint32_t stamp;
    uint32_t next; // of the bricks that are not in use
} front_brick;
_Static_assert(sizeof(front_brick) == 32, "two bricks in a cache line");

// A cell that is skipped, and the labels of the cells around it at that time: two bits each.
typedef struct front_skip {
    uint64_t around;
    oct_vec cell;
} front_skip;

// Items addressed by index, of which 0 is null; those that were given back form a list.
typedef struct front_pool {
    oct_array items;
    uint32_t free_head, free_count;
} front_pool;

struct oct_frontier {
    oct_allocator allocator;
    const oct_tree *tree; // the map's
    int dims;
    bool is_bounded;
    oct_box bounds;

    bool known; // false after a failure: holds nothing
    uint64_t revision;
    uint64_t count;

    uint32_t root; // word
    int root_level;
    corner root_min;
    int64_t low[3], high[3]; // the bounds, both ends included
    span inside;             // the part of the root within the bounds
    bool is_outside;         // there is no such part

    front_pool blocks; // of front_block_words() words
    front_pool bricks; // of front_brick
    oct_array skips;   // of front_skip
    bool skips_lost;   // bricks with skipped cells have been looked at anew

    const oct_components *components; // NULL: all cells count
    uint32_t component;
    uint32_t stamp;  // of the selection; never 0
    uint32_t stamps; // the last that was given
    // A selection whose findings still hold as long as the components have not changed; kept is its
    // stamp, or 0.
    uint32_t kept, kept_component;
    uint64_t kept_changes; // of the components
    // Where the components were looked at last, see frontier_select.c.
    rel space_key;
    uint32_t space_word, space_stamp;
};

// ---- memory ----

// A block: a word for each child; the stamp of the selection that the last word is of; and in that
// which children may have something that counts (bits 0-7), and which SLABs do (bits 8-15).
OCT_FORCE_INLINE uint32_t front_block_words(int dims)
{
    return (1u << dims) + 2u;
}

OCT_FORCE_INLINE uint32_t *front_block(const oct_frontier *f, int dims, uint32_t index)
{
    return (uint32_t *)f->blocks.items.items + (size_t)index * front_block_words(dims);
}

OCT_FORCE_INLINE front_brick *front_brick_at(const oct_frontier *f, uint32_t index)
{
    return (front_brick *)f->bricks.items.items + index;
}

// ---- places ----

OCT_FORCE_INLINE rel front_rel(const oct_frontier *f, oct_vec cell)
{
    return (rel){(uint32_t)cell.x - (uint32_t)f->root_min.x,
                 (uint32_t)cell.y - (uint32_t)f->root_min.y,
                 f->dims == 3 ? (uint32_t)cell.z - (uint32_t)f->root_min.z : 0u};
}

OCT_FORCE_INLINE oct_vec front_cell(const oct_frontier *f, rel at)
{
    return (oct_vec){(int32_t)(at.x + (uint32_t)f->root_min.x),
                     (int32_t)(at.y + (uint32_t)f->root_min.y),
                     f->dims == 3 ? (int32_t)(at.z + (uint32_t)f->root_min.z) : 0};
}

OCT_FORCE_INLINE bool span_holds(const span *box, rel at)
{
    return at.x >= box->lo.x && at.x <= box->hi.x && at.y >= box->lo.y && at.y <= box->hi.y &&
           at.z >= box->lo.z && at.z <= box->hi.z;
}

OCT_FORCE_INLINE bool spans_meet(const span *a, const span *b)
{
    return a->lo.x <= b->hi.x && a->hi.x >= b->lo.x && a->lo.y <= b->hi.y && a->hi.y >= b->lo.y &&
           a->lo.z <= b->hi.z && a->hi.z >= b->lo.z;
}

// Whether a node has a cell within the bounds.
OCT_FORCE_INLINE bool front_is_inside(const oct_frontier *f, int level, rel at)
{
    const span all = span_of(f->dims, at, level);
    return !f->is_bounded || spans_meet(&all, &f->inside);
}

// Whether what is across a face of a node is within the bounds.
OCT_FORCE_INLINE bool front_sees_across(const oct_frontier *f, int level, rel at, uint32_t face)
{
    const uint32_t axis = face >> 1;
    const int64_t from = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    return face & 1u ? from + (INT64_C(1) << level) <= f->high[axis] : from > f->low[axis];
}

// The layer of a node at a face, within a span; false where it is not there.
bool oct_front_layer(int dims, int level, rel at, uint32_t face, const span *within, span *out);

// The cells of a box that are in the root and within the bounds; false where there are none. The
// box is grown by so many cells.
bool oct_front_clip(const oct_frontier *f, const oct_box *box, int32_t grown, span *out);

// The cells of a span.
oct_box oct_front_unclip(const oct_frontier *f, const span *cells);

// ---- frontier_nodes.c ----

// Puts the root, which must be empty or have been moved accordingly, at a place.
void oct_front_place(oct_frontier *f, int level, corner min);

// Makes the root one of that level and place. What is cut off counts as outside. LOST where the two
// do not lie on one lattice of cubes.
oct_result oct_front_fit(oct_frontier *f, int level, corner min);

// Forgets everything but what is skipped; keeps the memory.
oct_result oct_front_clear(oct_frontier *f);

// Makes a node empty.
void oct_front_drop(oct_frontier *f, uint32_t *word, int level, rel at);

// Puts layers, or cells of a brick, in the place of a node. `open`: the brick is all OPEN, and may
// be a SLAB.
void oct_front_put_slab(oct_frontier *f, uint32_t *word, int level, rel at, uint32_t faces);
oct_result oct_front_put_cells(oct_frontier *f, uint32_t *word, rel at, uint64_t cells, bool open);

// Gives a node children.
oct_result oct_front_open(oct_frontier *f, uint32_t *word, int level, rel at);

// After they have changed: makes the node empty where they are. True where they are layers of the
// node, and it may be merged if it is all OPEN.
bool oct_front_close(oct_frontier *f, uint32_t *word, int level, rel at, uint32_t *faces);
void oct_front_merge(oct_frontier *f, uint32_t *word, uint32_t faces);

// The cells of a brick-sized node.
uint64_t oct_front_cells(const oct_frontier *f, uint32_t word, rel at);

// The cells of a node's layers.
uint64_t oct_front_slab_count(const oct_frontier *f, uint32_t faces, int level, rel at);

// ---- frontier_tree.c ----

// Looks at the map again within a span.
oct_result oct_front_look(oct_frontier *f, const span *box);

// ---- frontier_skip.c ----

// Skips again what has been lost and is as it was; forgets the rest.
oct_result oct_front_skip_again(oct_frontier *f);

// ---- frontier_select.c ----

// All cells count. Constant time.
void oct_front_select_all(oct_frontier *f);

// oct_frontier_select for a caller that always has the same components: where neither these nor the
// frontier have changed since it last selected this one, all that was found then still holds.
void oct_front_select_again(oct_frontier *f, const oct_components *components, uint32_t component);

// Whether a SLAB counts; at is its place.
bool oct_front_slab_counts(const oct_frontier *f, rel at);

// Looks which cells of the brick at a place count. The place comes in its parts: as a struct it
// would be stored and loaded again.
uint64_t oct_front_brick_count(oct_frontier *f, front_brick *b, uint32_t x, uint32_t y, uint32_t z);

// The cells of a brick that count.
OCT_FORCE_INLINE uint64_t front_counted(oct_frontier *f, uint32_t index, rel at)
{
    front_brick *b = front_brick_at(f, index);
    if (!f->components) {
        return b->cells & ~b->skipped;
    }
    return OCT_LIKELY(b->stamp == f->stamp) ? b->counted
                                            : oct_front_brick_count(f, b, at.x, at.y, at.z);
}

// The last word of a block, of the present selection.
OCT_FORCE_INLINE uint32_t *front_marks(const oct_frontier *f, int dims, uint32_t *block)
{
    uint32_t *marks = block + (1u << dims);
    if (OCT_UNLIKELY(marks[0] != f->stamp)) {
        marks[0] = f->stamp;
        marks[1] = 0;
        for (uint32_t i = 0; i < 1u << dims; i++) {
            marks[1] |= (uint32_t)(block[i] != FRONT_NONE) << i;
        }
    }
    return marks + 1;
}

#define MARK_COUNTS(child) (256u << (child))

// Whether the child of a block, a SLAB at that place, counts: found out once a selection.
OCT_FORCE_INLINE bool front_child_counts(const oct_frontier *f, uint32_t *marks, uint32_t child,
                                         rel at)
{
    if (!f->components || (*marks & MARK_COUNTS(child))) {
        return true;
    }
    const bool counts = oct_front_slab_counts(f, at);
    *marks = counts ? *marks | MARK_COUNTS(child) : *marks & ~(1u << child);
    return counts;
}

#endif
