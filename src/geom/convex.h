// SPDX-License-Identifier: MIT
// Convex bodies against the cells of a lattice, by separating axes.
//
// Two convex bodies are apart if and only if they are apart along one of a few directions: for a
// body and a box these are the axes, the normals of the body's faces, and the cross products of its
// edges and an axis (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996, section 5).
//
// The directions are taken in whole numbers, 2^-24 of a unit vector, and how far the body reaches
// along each is rounded outwards; from there on everything is exact. So cells and cubes of cells
// never contradict each other, and no cell is missed that shares an inner point with the body. The
// body counts as larger than it is by less than 2^-21 of its extent (and 2^-20 of a cell), which is
// the only margin.
//
// Lengths are in cells from lattice point 0.
#ifndef OCTANT_GEOM_CONVEX_H
#define OCTANT_GEOM_CONVEX_H

#include "base/base_internal.h"
#include "octant/geom.h"

#define CONVEX_UNIT (1 << 24)

// Twice the coordinates of a point times n lie from lo to hi for all points of the body.
typedef struct convex_axis {
    int32_t n[3];
    int32_t size; // |n.x| + |n.y| + |n.z|
    int64_t lo, hi;
    int64_t grow; // what the padding adds on each side
} convex_axis;

typedef struct convex {
    const convex_axis *axes;
    uint32_t count;
    uint32_t faces;   // the first of them are the normals of all faces
    oct_point lo, hi; // the upright box that holds it
    oct_point middle; // of its points
} convex;

// What bodies are padded by, in cells: by a ball of radius `half.x`, or by a box.
typedef struct convex_padding {
    oct_point half;
    bool is_ball;
} convex_padding;

// More points than these of a hull are taken by how far they reach along 13 directions alone, which
// is more than the hull.
#define CONVEX_POINTS_MAX 64

// How many bodies a piece is: of triangles one each.
size_t oct_convex_bodies(const oct_piece *piece);
// The corners of a body of a piece, as they are told: at most CONVEX_CORNERS, or the piece's own
// points.
#define CONVEX_CORNERS 8
size_t oct_convex_points(const oct_piece *piece, size_t body, oct_point own[CONVEX_CORNERS],
                         const oct_point **out);
// Whether everything in a piece is a finite number, and no index is out of range.
bool oct_convex_is_valid(const oct_piece *piece);

// The body of some points, in cells. Its axes are appended to a list (of convex_axis): the body's
// `axes` are to be set when the list no longer grows; `first` says where they are.
oct_result oct_convex_make(int dims, const oct_point *points, size_t count,
                           const convex_padding *padding, const oct_allocator *allocator,
                           oct_array *list, size_t *first, convex *out);
// The same of a box with edges along u, v and w, of which `points` are the corners.
oct_result oct_convex_make_box(int dims, const oct_point *points, const oct_point edges[3],
                               const convex_padding *padding, const oct_allocator *allocator,
                               oct_array *list, size_t *first, convex *out);
// One body of a piece in the world, on a lattice.
oct_result oct_convex_of_piece(int dims, const oct_piece *piece, size_t body, oct_point origin,
                               double cell_size, const convex_padding *padding,
                               const oct_allocator *allocator, oct_array *list, size_t *first,
                               convex *out);

// What is asked of cubes of `edge` cells whose first cell is `at`.
OCT_FORCE_INLINE int64_t convex_at(const convex_axis *a, oct_vec at, int64_t edge)
{
    return a->n[0] * (2 * (int64_t)at.x + edge) + a->n[1] * (2 * (int64_t)at.y + edge) +
           a->n[2] * (2 * (int64_t)at.z + edge);
}

// Whether a cube may share inner points with the padded (or the bare) body; exact for single cells.
OCT_FORCE_INLINE bool convex_meets(const convex *c, oct_vec at, int64_t edge, bool is_padded)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const convex_axis *const a = &c->axes[i];
        const int64_t middle = convex_at(a, at, edge), half = a->size * edge;
        const int64_t grow = is_padded ? a->grow : 0;
        if (middle + half <= a->lo - grow || middle - half >= a->hi + grow) {
            return false;
        }
    }
    return true;
}

// Whether every cell of a cube shares inner points with the padded body.
OCT_FORCE_INLINE bool convex_covers(const convex *c, oct_vec at, int64_t edge)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const convex_axis *const a = &c->axes[i];
        const int64_t middle = convex_at(a, at, edge), half = a->size * (edge - 2);
        if (middle - half <= a->lo - a->grow || middle + half >= a->hi + a->grow) {
            return false;
        }
    }
    return true;
}

// Those of the 64 cells of a brick, at three dimensions or two, that share inner points with the
// padded body.
uint64_t oct_convex_mask(const convex *c, int dims, oct_vec brick);

// Whether the body holds a point.
bool oct_convex_holds(const convex *c, oct_point at);

// ---- in the world ----

// From below and from above, what the distance is of a point from a body of a piece, metres: the
// one is never more, the other never less than it is.
typedef struct convex_gap {
    double least, most;
} convex_gap;

convex_gap oct_convex_gap(const oct_piece *piece, size_t body, oct_point at);

// About the nearest point of a body of a piece; of a box, turned or not, exactly.
oct_point oct_convex_nearest(const oct_piece *piece, size_t body, oct_point at);

// A point in the axes of a turned box, from its centre.
oct_point oct_piece_own(const oct_piece *obb, oct_point at);
// And back.
oct_point oct_piece_world(const oct_piece *obb, oct_point own);

#endif
