// SPDX-License-Identifier: MIT
// The insides of components, shared by their files.
//
// Of a map only this counts here: whether a cell is free. That is kept as a tree of its own, with
// blocks and bricks as the map's, but divided where freeness changes and nowhere else. So what the
// map does to its leaves without changing what is free (observing, merging, packing its pools)
// changes nothing here, and a change is found by comparing both trees inside the journal's box.
//
//   word   bits 0-1 kind | 2-31 value: a group, a piece, or a block
//   block  8 words (4 at two dimensions); beside it the slot that it hangs from
//   piece  a connected part of a brick's free cells; a free leaf needs none: its word is the piece
//
// A slot is the index of a word. Slot 0 is the root; the others of block 0 are not used. From a
// slot the tree is climbed as well as descended, so that the node across a face is mostly two steps
// away, and positions are needed only where an edit begins.
//
// Every piece belongs to a group. Groups are joined by union-find: those of one component form a
// tree, whose root is the component's number. A group counts what refers to it, pieces and groups
// below; when nothing does it is used again.
#ifndef OCTANT_COMPONENTS_INTERNAL_H
#define OCTANT_COMPONENTS_INTERNAL_H

#include "base/base_internal.h"
#include "octant/components.h"
#include "octree/octree_internal.h"

// ---- words ----

enum { SPACE_BLOCKED = 0, SPACE_FREE = 1, SPACE_BRICK = 2, SPACE_INNER = 3 };

#define SPACE_VALUE_MAX ((1u << 30) - 1u)
#define SLOT_OUTSIDE UINT32_MAX // stands for everything outside the root
#define PIECES_MAX 32           // of a brick: every second cell

OCT_FORCE_INLINE uint32_t space_kind(uint32_t word)
{
    return word & 3u;
}

OCT_FORCE_INLINE uint32_t space_value(uint32_t word)
{
    return word >> 2;
}

OCT_FORCE_INLINE uint32_t space_word(uint32_t kind, uint32_t value)
{
    return kind | value << 2;
}

typedef struct piece {
    uint64_t cells; // 0 for a piece that is not in use
    uint32_t group;
    uint32_t next; // of the same brick, or of those not in use; 0 at the end
} piece;

typedef struct group {
    uint32_t parent; // GROUP_ROOT + rank for a root; the next one for a group that is not in use
    uint32_t refs;   // pieces and groups that refer to it; 0 for one that is not in use
    uint32_t mark;   // scratch
} group;

// A root of rank n took 2^n groups to make: ranks stay below 64.
#define GROUP_ROOT (UINT32_MAX - 63u)

// What differs between the map and its copy here: a node, and which of its cells were free and are
// now. Above the bricks a node has become uniform, and `was` is the opposite.
typedef struct note {
    rel at;
    int level;
    uint64_t was, now;
} note;

struct oct_components {
    oct_allocator allocator;
    const oct_tree *tree;
    int dims;
    oct_labels free;   // labels that are not in the way
    bool known;        // false after a failure: labels everything anew
    uint64_t revision; // of the map
    uint64_t visited, rebuilt;
    uint64_t changes; // times that anything below may have changed

    int root_level;
    corner root_min;
    oct_array blocks;  // of 1 << dims words
    oct_array parents; // of uint32_t: slots; the next free one for a free block
    oct_array pieces;  // of piece; the first is null
    oct_array groups;  // of group; the first is null
    uint32_t free_block, free_piece, free_group; // heads of lists, or 0
    uint32_t free_blocks, free_pieces, free_groups;
    uint32_t outside;         // group of what is outside the root, or 0 where that is not free
    uint64_t piece_count;     // free leaves, pieces of bricks, and the outside
    uint64_t component_count; // roots among the groups

    oct_array walls;    // of oct_box: cells that are in the way, whatever the map says
    oct_array rewalled; // of oct_box: where walls have come or gone since the last update

    // Scratch of an update.
    oct_array spans;   // of span: the walls inside the root
    oct_array notes;   // of note
    oct_array seeds;   // of part: seeds, and then what floods have reached
    oct_array cuts;    // of cut
    oct_array floods;  // of flood
    oct_array waiting; // of flood_entry
};

OCT_FORCE_INLINE uint32_t *space_words(const oct_components *c)
{
    return c->blocks.items;
}

OCT_FORCE_INLINE uint32_t *space_parents(const oct_components *c)
{
    return c->parents.items;
}

OCT_FORCE_INLINE piece *space_pieces(const oct_components *c)
{
    return c->pieces.items;
}

OCT_FORCE_INLINE group *space_groups(const oct_components *c)
{
    return c->groups.items;
}

// Whether a node is as what is outside the root.
OCT_FORCE_INLINE bool space_is_default(const oct_components *c, uint32_t word)
{
    return space_kind(word) == (c->outside ? SPACE_FREE : SPACE_BLOCKED);
}

// ---- parts: what a group is asked of ----

// A free leaf (piece 0), a piece of a brick, or the outside.
typedef struct part {
    uint32_t slot, piece;
    int level; // of the slot
} part;

OCT_FORCE_INLINE uint32_t part_group(const oct_components *c, part p)
{
    return p.slot == SLOT_OUTSIDE ? c->outside
           : p.piece              ? space_pieces(c)[p.piece].group
                                  : space_value(space_words(c)[p.slot]);
}

OCT_FORCE_INLINE uint64_t part_cells(const oct_components *c, part p)
{
    return p.piece ? space_pieces(c)[p.piece].cells : UINT64_MAX;
}

// ---- components_groups.c ----

// Makes room for that many more groups.
oct_result oct_groups_reserve(oct_components *c, size_t more);

// A component of its own, to which nothing refers yet; room must have been reserved.
uint32_t oct_group_new(oct_components *c);

// The root of a group, for readers: changes nothing.
OCT_FORCE_INLINE uint32_t group_root(const group *groups, uint32_t g)
{
    while (groups[g].parent < GROUP_ROOT) {
        g = groups[g].parent;
    }
    return g;
}

// The same; shortens the way.
uint32_t oct_group_find(oct_components *c, uint32_t g);

// Makes one component of two; returns its root.
uint32_t oct_group_join(oct_components *c, uint32_t a, uint32_t b);

// One thing less refers to a group.
void oct_group_release(oct_components *c, uint32_t g);

OCT_FORCE_INLINE void group_hold(oct_components *c, uint32_t g)
{
    space_groups(c)[g].refs++;
}

// Moves a part to another group.
void oct_part_set_group(oct_components *c, part p, uint32_t g);

// Makes the root of its group a part's group: so groups that were joined are soon used again.
OCT_FORCE_INLINE void part_settle(oct_components *c, part p)
{
    const uint32_t g = part_group(c, p);
    if (space_groups(c)[g].parent < GROUP_ROOT) {
        oct_part_set_group(c, p, oct_group_find(c, g));
    }
}

// ---- cells of a brick ----

// Cells with the neighbours that they have on one axis: from the cells in `even` it is one bit of
// the coordinate further up, from the others the carry goes on.
OCT_FORCE_INLINE uint64_t axis_near(int dims, int axis, uint64_t m)
{
    static const uint64_t even[3] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                     UINT64_C(0x0f0f0f0f0f0f0f0f)};
    static const uint64_t one_3d[3] = {UINT64_C(0x00aa00aa00aa00aa), UINT64_C(0x0000cccc0000cccc),
                                       UINT64_C(0x00000000f0f0f0f0)};
    static const uint64_t one_2d[2] = {UINT64_C(0x0a0a0a0a0a0a0a0a), UINT64_C(0x00cc00cc00cc00cc)};
    static const uint64_t three_2d[2] = {UINT64_C(0x0000a0a00000a0a0),
                                         UINT64_C(0x00000000cc00cc00)};
    const uint64_t e = even[axis];
    const int shift = 1 << axis;
    uint64_t near = m | (m & e) << shift | (m >> shift & e);
    if (dims == 3) {
        const int carry = 7 << axis;
        return near | (m & one_3d[axis]) << carry | (m >> carry & one_3d[axis]);
    }
    const int carry = 3 << axis, far = 11 << axis;
    near |= (m & one_2d[axis]) << carry | (m >> carry & one_2d[axis]);
    return near | (m & three_2d[axis]) << far | (m >> far & three_2d[axis]);
}

// Cells and those that share a face with one.
OCT_FORCE_INLINE uint64_t cells_near(int dims, uint64_t m)
{
    const uint64_t flat = axis_near(dims, 0, m) | axis_near(dims, 1, m);
    return dims == 3 ? flat | axis_near(dims, 2, m) : flat;
}

// Those connected with `from` through `through`, of which `from` is a subset.
OCT_FORCE_INLINE uint64_t cells_joined(int dims, uint64_t from, uint64_t through)
{
    for (uint64_t last = 0; from != last;) {
        last = from;
        from = axis_near(dims, 0, from) & through;
        from = axis_near(dims, 1, from) & through;
        if (dims == 3) {
            from = axis_near(dims, 2, from) & through;
        }
    }
    return from;
}

// Divides cells into connected parts, that of the lowest cell first; returns how many.
OCT_FORCE_INLINE uint32_t cells_divide(int dims, uint64_t cells, uint64_t out[PIECES_MAX])
{
    uint32_t count = 0;
    while (cells) {
        out[count] = cells_joined(dims, cells & (0u - cells), cells);
        cells ^= out[count++];
    }
    return count;
}

// ---- faces ----

// A face is 2 * axis + up. The cells of a brick at a face.
OCT_FORCE_INLINE uint64_t face_cells(int dims, uint32_t face)
{
    static const uint64_t of_3d[6] = {UINT64_C(0x0055005500550055), UINT64_C(0xaa00aa00aa00aa00),
                                      UINT64_C(0x0000333300003333), UINT64_C(0xcccc0000cccc0000),
                                      UINT64_C(0x000000000f0f0f0f), UINT64_C(0xf0f0f0f000000000)};
    static const uint64_t of_2d[4] = {UINT64_C(0x0000050500000505), UINT64_C(0xa0a00000a0a00000),
                                      UINT64_C(0x0000000000330033), UINT64_C(0xcc00cc0000000000)};
    return dims == 3 ? of_3d[face] : of_2d[face];
}

// The cells of the brick across a face that touch these.
OCT_FORCE_INLINE uint64_t face_across(int dims, uint32_t face, uint64_t cells)
{
    const uint32_t edge = dims == 3 ? MORTON_X_3D : MORTON_X_2D, shift = edge << (face >> 1);
    const uint64_t touching = cells & face_cells(dims, face);
    return face & 1u ? touching >> shift : touching << shift;
}

// The child at an axis' lower end that bits for the other axes name.
OCT_FORCE_INLINE uint32_t face_child(uint32_t axis, uint32_t bits)
{
    const uint32_t low = bits & ((1u << axis) - 1u);
    return low | (bits ^ low) << 1;
}

// ---- components_space.c: the tree of what is free ----

// Makes room for that many more blocks and pieces.
oct_result oct_space_reserve(oct_components *c, size_t blocks, size_t pieces);

// Forgets everything; keeps the memory. There must be some.
void oct_space_clear(oct_components *c);

// Builds it from the map: every piece its own group.
oct_result oct_space_build(oct_components *c);

// Which cells of a leaf or brick are free.
uint64_t oct_space_cells(const oct_components *c, uint32_t word);

// Makes what a note says true; room must have been reserved. Pieces keep the component of cells
// that they had before; where these were of several, they become one.
void oct_space_put(oct_components *c, const note *n);

// The slot of the leaf or brick that holds a position; *level is its level.
uint32_t oct_space_slot(const oct_components *c, rel at, int *level);

// Doubles the root until it holds a box. On failure it may have doubled some times.
oct_result oct_space_grow(oct_components *c, const oct_box *box);
// Halves the root while only one child differs from what is outside.
void oct_space_trim(oct_components *c);

// What touches a node, one neighbour after the other: every step costs the same, however large the
// node is.
typedef struct cursor {
    uint64_t index; // along the face, in bricks, in Morton order
    uint32_t slot;
    uint32_t across; // the node beyond the face
    uint8_t level, across_level;
    uint8_t face;
} cursor;

// What a step has found: the parts of a leaf or brick that touch.
typedef struct contact {
    uint64_t cells; // of a brick
    uint32_t slot;
    uint32_t piece; // the next one of a brick
    int level;      // of the slot
    bool whole;     // a leaf, or the outside
} contact;

// The next neighbour of some cells of a node (all of them above the bricks); false at the end. A
// contact may have no parts: what is blocked counts as a step, too.
bool oct_cursor_next(const oct_components *c, cursor *at, uint64_t cells, contact *out);

// The parts of a leaf or brick that have one of the cells.
OCT_FORCE_INLINE contact contact_of(const oct_components *c, uint32_t slot, int level,
                                    uint64_t cells)
{
    const uint32_t word = space_words(c)[slot];
    return (contact){.cells = cells,
                     .slot = slot,
                     .piece = space_kind(word) == SPACE_BRICK ? space_value(word) : 0,
                     .level = level,
                     .whole = space_kind(word) == SPACE_FREE};
}

OCT_FORCE_INLINE bool contact_next(const oct_components *c, contact *k, part *out)
{
    while (k->piece) {
        const piece *p = &space_pieces(c)[k->piece];
        *out = (part){k->slot, k->piece, k->level};
        k->piece = p->next;
        if (p->cells & k->cells) {
            return true;
        }
    }
    if (k->whole) {
        k->whole = false;
        *out = (part){k->slot, 0, k->level};
        return true;
    }
    return false;
}

// ---- components_walls.c: cells that are in the way, whatever the map says ----

// Takes these boxes of cells for walls, in the place of those before. It shows after the next
// update, which costs what it would if the map's cells had changed there. So a question of the kind
// "what if these doors were shut" leaves the map alone. Components with walls are those of no map.
// On failure nothing has changed.
oct_result oct_components_set_walls(oct_components *c, const oct_box *boxes, size_t count);

// Notes that all walls have to be looked at: after everything was labelled anew, without them.
oct_result oct_walls_renew(oct_components *c);

// Finds the walls inside the root; after this it must not change until the update has ended.
oct_result oct_walls_place(oct_components *c);

// Moves those of the first `count` walls that meet a node to the front, and returns how many they
// are. *is_all is whether one of them covers it.
uint32_t oct_walls_near(oct_components *c, rel at, int level, uint32_t count, bool *is_all);

// The cells of a box within the root here; false where there is none.
bool oct_space_clip(const oct_components *c, const oct_box *box, span *out);

// ---- components_label.c, components_cut.c ----

// A component that may have fallen apart.
typedef struct cut {
    uint32_t component;
    uint32_t first;  // of its floods, or 0
    uint32_t active; // floods that have neither ended nor met another
    part seed;       // the first one
} cut;

// All that was reached from some seeds, and what waits to be looked at.
typedef struct flood {
    uint32_t group;
    uint32_t head, tail; // of what waits
    uint32_t next;       // flood of the same cut
    bool done;
} flood;

typedef struct flood_entry {
    cursor at;
    uint32_t piece;
    uint32_t next;
} flood_entry;

// Labels everything anew, from the map as it is.
oct_result oct_components_label(oct_components *c);

// Looks for the parts that changes may have cut off, and gives each a component of its own.
oct_result oct_components_cut(oct_components *c);

#endif
