// SPDX-License-Identifier: MIT
/// \file
/// Points, boxes, shapes and keys of the lattice.
///
/// World coordinates are the game's own, in metres. Cell (i, j, k) covers
/// origin + [i, i + 1) x [j, j + 1) x [k, k + 1) times the cell size. Points that algorithms choose
/// lie on the sub-lattice of 1/256 cell, so that geometry is exact in integers.
#ifndef OCTANT_GEOM_H
#define OCTANT_GEOM_H

#include "octant/base.h"

/// Cells have coordinates from -OCT_RANGE to OCT_RANGE - 1 on every axis.
#define OCT_RANGE (INT32_C(1) << 30)
/// Sub-lattice steps along one cell edge.
#define OCT_FINE 256

/// A position or direction in the world, metres.
typedef struct oct_point {
    double x, y, z;
} oct_point;

/// A box in the world, metres; a point on its surface belongs to it.
typedef struct oct_bounds {
    oct_point min, max;
} oct_bounds;

/// Where someone stands and which way they look.
typedef struct oct_pose {
    oct_point position;
    oct_point forward, up; ///< unit vectors at a right angle
} oct_pose;

/// Integer coordinates of a cell.
typedef struct oct_vec {
    int32_t x, y, z;
} oct_vec;

/// The cells from min up to, but not including, max. Empty where max <= min on any axis.
/// At two dimensions z is ignored.
typedef struct oct_box {
    oct_vec min, max;
} oct_box;

/// A cube of 2^level cells a side (a square at two dimensions) whose smallest cell is (x, y, z).
typedef struct oct_cell {
    int32_t x, y, z;
    int32_t level; ///< 0 = one cell
} oct_cell;

/// A point of the sub-lattice, in 1/256 cell from lattice point 0.
typedef struct oct_fine {
    int64_t x, y, z;
} oct_fine;

// ---- shapes ----

/// One piece of a shape.
typedef enum oct_piece_kind {
    OCT_PIECE_BOX,      ///< its upright box
    OCT_PIECE_OBB,      ///< a box that is turned
    OCT_PIECE_HULL,     ///< the convex hull of points
    OCT_PIECE_TRIANGLES ///< surfaces
} oct_piece_kind;

typedef struct oct_piece {
    oct_piece_kind kind;
    oct_bounds box;         ///< the smallest upright box that holds it
    oct_point centre, half; ///< of an OBB: centre and half extents
    double turn[4];         ///< of an OBB: unit quaternion x y z w
    const oct_point *points;
    size_t point_count;        ///< of a HULL or TRIANGLES
    const uint32_t *triangles; ///< of TRIANGLES: three indices each
    size_t triangle_count;
} oct_piece;

/// What something fills: the union of its pieces. Without pieces it is its upright box.
typedef struct oct_shape {
    const oct_piece *pieces;
    size_t count;
} oct_shape;

#endif
