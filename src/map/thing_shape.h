// SPDX-License-Identifier: MIT
// The shapes of things that are not their boxes, as a map keeps them: what was told, and the convex
// bodies of it on the map's lattice.
#ifndef OCTANT_THING_SHAPE_H
#define OCTANT_THING_SHAPE_H

#include "geom/convex.h"
#include "octree/cell_set.h"

struct lattice;

typedef struct thing_body {
    convex body;
    oct_box cells; // holds those that it covers
} thing_body;

typedef struct thing_shape {
    uint32_t users;
    oct_shape told;
    thing_body *bodies;
    size_t count;
    oct_array axes; // of convex_axis: of all bodies
    size_t bytes;   // of the block
} thing_shape;

// Whether a shape is more than a box; NULL is not.
bool oct_thing_shape_is_needed(const oct_shape *shape);
// Whether all numbers and indices in it make sense.
bool oct_thing_shape_is_valid(const oct_shape *shape);
bool oct_thing_shape_equals(const oct_shape *a, const oct_shape *b);

// Makes the shape of a thing, which has one user; `box` is the thing's. On failure *out is NULL.
oct_result oct_thing_shape_make(const struct lattice *l, const oct_bounds *box,
                                const oct_shape *shape, const oct_allocator *allocator,
                                thing_shape **out);
thing_shape *oct_thing_shape_keep(thing_shape *s); // NULL is allowed, and returned
void oct_thing_shape_drop(thing_shape *s, const oct_allocator *allocator); // NULL is allowed

// Whether one of the bodies, padded, covers a cell.
bool oct_thing_shape_covers(const thing_shape *s, oct_vec cell);
// Whether one of them, as it is, fills some of a cube of `edge` cells.
bool oct_thing_shape_fills(const thing_shape *s, oct_vec first, int32_t edge);

#endif
