// SPDX-License-Identifier: MIT
// The index of things: a loose octree, addressed by location code in a hash table.
//
// A thing lies in the node of the lowest level whose edge is no shorter than the thing's padded
// cells are on any axis, at the place of the middle of them. So it reaches at most half an edge
// beyond its node, and larger things sit higher up. A node's code is its level and its place in
// edges of that level, so that parent, children and neighbours are found by arithmetic and one
// probe. Nodes exist only where a thing lies in them or below, up to the topmost level; each knows
// which of its children exist, and goes when nothing is left in it or below: pruning runs from the
// bottom up. A query probes the few nodes of about its own size that its box may meet and descends
// from there; above, it probes only the levels that hold things. Nothing moves when the world
// grows.
//
// Ulrich, Loose Octrees (Game Programming Gems, 2000); Abdo 2017, 2.5, 2.7 and 3.3.1.5 to 3.3.2.
//
//   thing 64 bytes, one cache line; 8 more once anything has a shape that is not its box
//   node 20 bytes | tables 4 bytes an entry: that of things at
//   most 3/4 full, that of nodes 1/2
//
// The topmost level is 31, whose edge is the whole lattice's: no thing is longer. Middles lie on
// both sides of 0, so that there are up to eight nodes on it (four at two dimensions).
#ifndef OCTANT_THINGS_H
#define OCTANT_THINGS_H

#include "base/base_internal.h"
#include "geom/geom_internal.h"
#include "map/thing_shape.h"
#include "octant/map.h"
#include "octree/cell_set.h"

// How world coordinates become cells.
typedef struct lattice {
    oct_point origin;
    oct_point padding; // metres
    double cell_size;
    int dims;
    bool is_ball;  // what is turned grows by a ball of radius padding.x, not by a box
    int32_t looks; // sight is decided in cubes of so many cells a side; 0 = of one
} lattice;

// The cells that share inner points with a padded box; false where they leave the lattice, or where
// the box is not finite or inside out. At two dimensions z is 0 to 1. Where a padded box is flat on
// an axis, it covers the cell that holds it there (the upper one on a boundary).
bool oct_lattice_cover(const lattice *l, const oct_bounds *box, oct_box *cells);

typedef struct thing {
    uint64_t id;
    oct_bounds box;
    uint32_t next; // in its node, or in the list of free slots
    uint16_t tag;
    uint8_t label;
    bool opaque : 1;
    bool is_shaped : 1; // its shape is not its box: it is beside the things
} thing;
_Static_assert(sizeof(thing) == 64, "one cache line");

typedef struct thing_node {
    int32_t x, y, z;  // place of the node, in edges of its level
    uint32_t first;   // thing in it, or 0
    uint8_t level;    // edge = 2^level cells; a free node's is 255 and its x the next free one
    uint8_t children; // which exist, as a set of bits in Morton order
    uint16_t unused;
} thing_node;
_Static_assert(sizeof(thing_node) == 20, "five words");

// The topmost level, and how many levels there are.
#define THING_LEVEL_TOP 31
#define THING_LEVELS (THING_LEVEL_TOP + 1)

// Indices of items by a hash of what names them: open addressing with linear probing. Any size will
// do, so that a packed table is no larger than it must be.
typedef struct thing_table {
    uint32_t *items; // 0 = none
    uint32_t size;
} thing_table;

typedef struct thing_index {
    lattice lattice;
    oct_allocator allocator;
    // Slot 0 of both arrays is null.
    oct_array things;    // of thing
    oct_array nodes;     // of thing_node
    oct_array shapes;    // of thing_shape *, by slot; empty until something has a shape
    uint32_t free_thing; // first free slot, or 0
    uint32_t free_node;
    uint32_t free_nodes;  // how many there are
    uint32_t thing_count; // in use
    uint32_t node_count;
    thing_table ids;                    // things by id
    thing_table codes;                  // nodes by code
    uint32_t levels;                    // which hold things, as a set of bits
    uint32_t level_count[THING_LEVELS]; // things in nodes of each level
} thing_index;

// Takes no memory yet. The allocator is copied.
void oct_things_init(thing_index *index, const lattice *l, const oct_allocator *allocator);
void oct_things_free(thing_index *index);

// Room for one more thing anywhere, and for moving any: after it take and link cannot fail.
oct_result oct_things_reserve(thing_index *index);

// The slot of a thing, or 0.
uint32_t oct_things_find(const thing_index *index, uint64_t id);

OCT_FORCE_INLINE thing *oct_things_at(const thing_index *index, uint32_t slot)
{
    return (thing *)index->things.items + slot;
}

// The thing in a slot as a caller sees it.
oct_thing oct_things_get(const thing_index *index, uint32_t slot);

// What a thing's shape is; NULL = its box.
OCT_FORCE_INLINE thing_shape *oct_things_shape(const thing_index *index, uint32_t slot)
{
    return oct_things_at(index, slot)->is_shaped ? ((thing_shape *const *)index->shapes.items)[slot]
                                                 : NULL;
}

// Room for the shapes of all things that there is room for.
oct_result oct_things_reserve_shapes(thing_index *index);
// Gives a thing another shape, or none. Whose users the old one and the new one have is the
// caller's business; there has to be room.
void oct_things_set_shape(thing_index *index, uint32_t slot, thing_shape *shape);

// Gives a new thing a slot and enters its id, which must be new; it lies in no node yet. Its cells
// must be in range.
uint32_t oct_things_take(thing_index *index, const oct_thing *from);
// Gives the slot of a thing back; it must lie in no node.
void oct_things_give(thing_index *index, uint32_t slot);

// Puts a thing into the node where its box belongs, and takes it out. Its box may only change while
// it is out. Taking out looks through the things of its node.
void oct_things_link(thing_index *index, uint32_t slot);
void oct_things_unlink(thing_index *index, uint32_t slot);

// Called for a thing that lies in a node, with the cells that it would cover; return false to stop.
typedef bool oct_things_fn(void *ctx, uint32_t slot, const oct_box *cells);

// Visits the things in nodes whose cells share one with a box, OPEN ones included. Returns false if
// stopped. The index must not be changed meanwhile.
bool oct_things_in(const thing_index *index, const oct_box *box, oct_things_fn *visit, void *ctx);

// Bytes of everything at capacity.
size_t oct_things_bytes(const thing_index *index);

// Packs everything into as little memory as needed, the things of a node side by side. Slots
// change, the order of visits does not. All things must lie in nodes.
oct_result oct_things_shrink(thing_index *index);

#endif
