// SPDX-License-Identifier: MIT
// Shapes that edits can have: boxes, balls, and any set of cells as bits.
#ifndef OCTANT_EDIT_SHAPES_H
#define OCTANT_EDIT_SHAPES_H

#include "octant/tree.h"
#include "octree/cell_set.h"
#include "octree/edit_core.h"

#include <math.h>

OCT_FORCE_INLINE uint32_t box_children(int dims, const void *shape, rel at, int level)
{
    return span_children(dims, shape, at, level);
}

OCT_FORCE_INLINE bool box_covers(int dims, const void *shape, rel at, int level)
{
    return span_covers(dims, shape, at, level);
}

// On one axis, the cells from lo to hi in two bricks that begin at `at`.
OCT_FORCE_INLINE void box_slabs(int dims, int axis, uint32_t at, uint32_t lo, uint32_t hi,
                                uint64_t out[2])
{
    const uint32_t edge = 1u << brick_level(dims);
    const uint32_t first = lo > at ? least(lo - at, 2u * edge) : 0u;
    const uint32_t end = hi < at ? 0u : least(hi - at, 2u * edge - 1u) + 1u;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t from = most(first, i * edge) - i * edge;
        const uint32_t to = most(end, i * edge) - i * edge;
        out[i] = morton_below(dims, axis, least(to, edge)) &
                 ~morton_below(dims, axis, least(from, edge));
    }
}

OCT_FORCE_INLINE void box_masks(int dims, const void *shape, rel at, uint64_t out[8])
{
    const span *box = shape;
    uint64_t x[2], y[2], z[2] = {UINT64_MAX, UINT64_MAX};
    box_slabs(dims, 0, at.x, box->lo.x, box->hi.x, x);
    box_slabs(dims, 1, at.y, box->lo.y, box->hi.y, y);
    if (dims == 3) {
        box_slabs(dims, 2, at.z, box->lo.z, box->hi.z, z);
    }
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = x[i & 1u] & y[i >> 1 & 1u] & z[i >> 2];
    }
}

OCT_FORCE_INLINE uint64_t box_mask(int dims, const void *shape, rel at)
{
    return span_mask(dims, shape, at);
}

OCT_FORCE_INLINE const span *box_box(int dims, const void *shape, rel at, int level)
{
    (void)dims;
    (void)at;
    (void)level;
    return shape;
}

static const shape_ops box_ops = {box_children, box_covers, box_masks, box_mask, box_box};

// The cells that lie wholly inside a ball, or that share inner points with it. On each axis a cell
// has a distance to the centre (of its far side, or of its near one); the cell belongs to the ball
// where the squares add up to the radius' square or less (near: to less). So the nearest and the
// farthest cell of a node are found axis by axis, and the answers for nodes are exact.
//
// Coordinates are the lattice's, not the root's: an edit must not depend on where the root lies.
typedef struct ball {
    double centre[3];
    double pad[3];  // what a cell grows by before it is asked whether it lies inside
    double root[3]; // the root's smallest cell
    double square;  // of the radius
    bool near;      // OCT_COVER_TOUCH
    bool outside;   // the shape is every other cell
} ball;

OCT_FORCE_INLINE double ball_distance(const ball *b, int axis, uint32_t cell)
{
    const double low = b->root[axis] + (double)cell; // an integer, exact
    const double below = b->centre[axis] - low;      // centre above the cell's lower side
    const double above = low + 1.0 - b->centre[axis];
    if (b->near) {
        return below < 0.0 ? -below : above < 0.0 ? -above : 0.0;
    }
    return (below > above ? below : above) + b->pad[axis];
}

OCT_FORCE_INLINE bool ball_has(const ball *b, double square)
{
    return b->near ? square < b->square : square <= b->square;
}

// Squares of the least and the greatest distance among the cells lo to hi of an axis.
OCT_FORCE_INLINE void ball_range(const ball *b, int axis, uint32_t lo, uint32_t hi, double *least,
                                 double *most)
{
    const double centre = floor(b->centre[axis]) - b->root[axis];
    const uint32_t nearest = centre <= (double)lo   ? lo
                             : centre >= (double)hi ? hi
                                                    : (uint32_t)centre;
    const double first = ball_distance(b, axis, lo), last = ball_distance(b, axis, hi);
    const double middle = ball_distance(b, axis, nearest);
    *least += middle * middle;
    *most += first > last ? first * first : last * last;
}

// Whether the ball has any, and whether it has all of a node's cells.
OCT_FORCE_INLINE void ball_meets(int dims, const ball *b, rel at, int level, bool *any, bool *all)
{
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u);
    double least = 0.0, most = 0.0;
    ball_range(b, 0, at.x, at.x + last, &least, &most);
    ball_range(b, 1, at.y, at.y + last, &least, &most);
    if (dims == 3) {
        ball_range(b, 2, at.z, at.z + last, &least, &most);
    }
    *any = ball_has(b, least);
    *all = ball_has(b, most);
    if (b->outside) {
        const bool none = !*any;
        *any = !*all;
        *all = none;
    }
}

OCT_FORCE_INLINE uint32_t ball_children(int dims, const void *shape, rel at, int level)
{
    uint32_t set = 0;
    for (uint32_t child = 0; child < 1u << dims; child++) {
        bool any, all;
        ball_meets(dims, shape, child_position(dims, at, level, child), level - 1, &any, &all);
        set |= (uint32_t)any << child;
    }
    return set;
}

OCT_FORCE_INLINE bool ball_covers(int dims, const void *shape, rel at, int level)
{
    bool any, all;
    ball_meets(dims, shape, at, level, &any, &all);
    return all;
}

OCT_FORCE_INLINE uint64_t ball_mask(int dims, const void *shape, rel at)
{
    const ball *b = shape;
    bool any, all;
    ball_meets(dims, b, at, brick_level(dims), &any, &all);
    if (all || !any) {
        return all ? UINT64_MAX : 0u;
    }
    double squares[3][1 << BRICK_LEVEL_2D];
    const uint32_t from[3] = {at.x, at.y, at.z};
    for (int axis = 0; axis < dims; axis++) {
        for (uint32_t i = 0; i < 1u << brick_level(dims); i++) {
            const double distance = ball_distance(b, axis, from[axis] + i);
            squares[axis][i] = distance * distance;
        }
    }
    uint64_t mask = 0;
    for (uint32_t i = 0; i < 64; i++) {
        // Added in the order of ball_range, so that a node and its cells agree to the bit.
        double square =
            squares[0][morton_gather(dims, i)] + squares[1][morton_gather(dims, i >> 1)];
        if (dims == 3) {
            square += squares[2][morton_gather(dims, i >> 2)];
        }
        mask |= (uint64_t)(ball_has(b, square) != b->outside) << i;
    }
    return mask;
}

OCT_FORCE_INLINE void ball_masks(int dims, const void *shape, rel at, uint64_t out[8])
{
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = ball_mask(dims, shape, child_position(dims, at, brick_level(dims) + 1, i));
    }
}

static const shape_ops ball_ops = {ball_children, ball_covers, ball_masks, ball_mask, NULL};

// Any set of cells: the masks of the bricks in a box of bricks, and for every node above them
// whether it has any and whether it has all of its cells.
typedef struct bits_level {
    rel first;           // node of this level that holds the box's first cell, in edges
    uint32_t nx, ny, nz; // nodes
    uint8_t *nodes;      // bit 0 any, bit 1 all; NULL at the level of bricks
} bits_level;

typedef struct bits {
    uint64_t *masks; // of the bricks
    size_t bytes;    // of masks and nodes; the root may be another when they are freed
    bits_level levels[OCT_LEVEL_MAX + 1];
} bits;

// The place of a position on an axis, in edges of a level, which is at most 32.
OCT_FORCE_INLINE uint32_t in_edges(uint32_t at, int level)
{
    return level < 32 ? at >> level : 0u;
}

// Index of the node of `level` at `at`; SIZE_MAX where it lies beyond the box.
OCT_FORCE_INLINE size_t bits_index(const bits *b, rel at, int level)
{
    const bits_level *l = &b->levels[level];
    const uint32_t x = in_edges(at.x, level) - l->first.x;
    const uint32_t y = in_edges(at.y, level) - l->first.y;
    const uint32_t z = in_edges(at.z, level) - l->first.z;
    return x < l->nx && y < l->ny && z < l->nz ? ((size_t)z * l->ny + y) * l->nx + x : SIZE_MAX;
}

OCT_FORCE_INLINE uint64_t bits_mask(int dims, const void *shape, rel at)
{
    const bits *b = shape;
    const size_t i = bits_index(b, at, brick_level(dims));
    return i == SIZE_MAX ? 0u : b->masks[i];
}

// Bit 0: any cell of a node, bit 1: all of them.
OCT_FORCE_INLINE uint32_t bits_meets(int dims, const bits *b, rel at, int level)
{
    if (level == brick_level(dims)) {
        const uint64_t mask = bits_mask(dims, b, at);
        return (mask != 0 ? 1u : 0u) | (mask == UINT64_MAX ? 2u : 0u);
    }
    const size_t i = bits_index(b, at, level);
    return i == SIZE_MAX ? 0u : b->levels[level].nodes[i];
}

OCT_FORCE_INLINE uint32_t bits_children(int dims, const void *shape, rel at, int level)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        set |= (bits_meets(dims, shape, child_position(dims, at, level, i), level - 1) & 1u) << i;
    }
    return set;
}

OCT_FORCE_INLINE bool bits_covers(int dims, const void *shape, rel at, int level)
{
    return (bits_meets(dims, shape, at, level) & 2u) != 0;
}

OCT_FORCE_INLINE void bits_masks(int dims, const void *shape, rel at, uint64_t out[8])
{
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = bits_mask(dims, shape, child_position(dims, at, brick_level(dims) + 1, i));
    }
}

static const shape_ops bits_ops = {bits_children, bits_covers, bits_masks, bits_mask, NULL};

// Builds the shape from a grid, whose box lies inside the root. Its memory is one block.
oct_result oct_bits_build(const oct_tree *tree, const bit_grid *grid, bits *out);
void oct_bits_free(const oct_tree *tree, bits *b);

// A set of cells as a shape inside a tree's root.
typedef struct cell_shape {
    const shape_ops *ops;
    edit_fn *run; // the instance of the recursion
    bool empty;   // it has no cell inside the root
    bool owns;    // memory
    union {
        span box;
        ball ball;
        bits bits;
    } as;
} cell_shape;

// The root must not change between the two.
oct_result oct_shape_init(const oct_tree *tree, const cell_set *cells, cell_shape *out);
void oct_shape_free(const oct_tree *tree, cell_shape *s);

// Marks a set of cells; ranges were checked.
oct_result oct_tree_set_cells(oct_tree *tree, const cell_set *cells, oct_mark mark);

#endif
