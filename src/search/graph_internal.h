// SPDX-License-Identifier: MIT
// What the graphs over a map share: the map as a query sees it, places in it, lines between them.
//
// A place is a point of the sub-lattice together with the free cells around it that count as its
// own. Up to eight cells touch a point: its octants. Octant o lies above the point on axis i where
// bit i of o is set, below where it is not; where the point is not on a lattice plane of an axis
// both are the same cell. Octants that are connected over faces through free octants belong
// together: a path may turn from one to the other at that point. Where blocked cells meet in an
// edge or corner the octants fall into several parts, and a point is then several places. Where a
// path may squeeze through (at two dimensions, for some queries of the laboratory) it is one place
// all the same.
#ifndef OCTANT_GRAPH_INTERNAL_H
#define OCTANT_GRAPH_INTERNAL_H

#include "base/base_internal.h"
#include "geom/geom_internal.h"
#include "octant/line.h"
#include "octant/tree.h"

#include <math.h>

// Whether terms are as they should be: OCT_ERROR_ARGUMENT or OCT_ERROR_RANGE where not. At two
// dimensions z of all boxes is ignored.
oct_result oct_terms_check(const oct_terms *terms);

// ---- the map as a query sees it ----

typedef struct view {
    const oct_tree *tree;
    int dims;
    oct_labels free;    // labels that are not in the way
    oct_labels blocked; // the other labels
    oct_box bounds;     // cells beyond it are in the way; never empty; z from 0 to 1 at dims 2
    oct_terms terms;
    double least_price; // no metre costs less
    bool is_priced;     // whether any metre may cost other than a metre
    bool squeezes;      // all free octants of a point belong together; only at dims 2, default no
} view;

// Terms must have been checked; NULL are the default ones. Without bounds they are the whole
// lattice.
void oct_view_init(view *v, const oct_tree *tree, const oct_terms *terms);

OCT_FORCE_INLINE bool view_holds(const view *v, oct_vec cell)
{
    return cell.x >= v->bounds.min.x && cell.x < v->bounds.max.x && cell.y >= v->bounds.min.y &&
           cell.y < v->bounds.max.y &&
           (v->dims == 2 || (cell.z >= v->bounds.min.z && cell.z < v->bounds.max.z));
}

// Whether a cell is not in the way.
OCT_FORCE_INLINE bool view_is_free(const view *v, oct_vec cell)
{
    return view_holds(v, cell) && (v->free >> oct_tree_label(v->tree, cell) & 1u);
}

// Of the free octants of a point, `open`, those that belong together with those of `from`, which
// are some of them.
OCT_FORCE_INLINE uint32_t view_joined(const view *v, uint32_t from, uint32_t open)
{
    return OCT_UNLIKELY(v->squeezes) ? (from ? open : 0u) : octants_joined(from, open);
}

// ---- places ----

// z at two dimensions: the middle of cell 0, so that z never lies on a lattice plane.
#define FLAT_Z (OCT_FINE / 2)

typedef struct spot {
    oct_fine at;
    uint32_t octants; // those that are its own: free, and belonging together
} spot;

OCT_FORCE_INLINE bool fine_equal(oct_fine a, oct_fine b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The middle of a cell.
OCT_FORCE_INLINE oct_fine cell_middle(oct_vec cell)
{
    return (oct_fine){(int64_t)cell.x * OCT_FINE + OCT_FINE / 2,
                      (int64_t)cell.y * OCT_FINE + OCT_FINE / 2,
                      (int64_t)cell.z * OCT_FINE + OCT_FINE / 2};
}

// The cell of a sub-lattice coordinate, and whether it lies on a lattice plane.
OCT_FORCE_INLINE int32_t fine_cell(int64_t at)
{
    return (int32_t)(at >> 8);
}

OCT_FORCE_INLINE bool fine_on_plane(int64_t at)
{
    return (at & (OCT_FINE - 1)) == 0;
}

// The cell that is octant o of a point.
OCT_FORCE_INLINE oct_vec octant_cell(oct_fine at, uint32_t o)
{
    return (oct_vec){fine_cell(at.x - (o & 1u || !fine_on_plane(at.x) ? 0 : 1)),
                     fine_cell(at.y - (o & 2u || !fine_on_plane(at.y) ? 0 : 1)),
                     fine_cell(at.z - (o & 4u || !fine_on_plane(at.z) ? 0 : 1))};
}

// The free octants of a point.
uint32_t oct_view_octants(const view *v, oct_fine at);

// The place of a point inside or on a free cell: its octants are those that belong together with
// the cell.
spot oct_view_spot(const view *v, oct_fine at, oct_vec cell);

// ---- locate.c ----

// Where a start or goal joins the graphs.
typedef struct anchor {
    spot place;   // where it is, or where the way out of what is blocked ends
    oct_vec cell; // a free cell that the place is in or on, one of its octants
    bool out;     // the point itself is in the way
} anchor;

// Finds the anchor of a point, whose own cell is given (it lies in that cell or on its surface; the
// cell may be out of bounds). Where the cell is in the way: the nearest point of the nearest free
// cell, by exact distance; of several the cell with the lowest x, then y, then z. False where
// nothing is free.
bool oct_view_anchor(const view *v, oct_fine at, oct_vec cell, anchor *out);

// ---- leaves.c: leaves of the tree, and beyond its root ----

// Outside the root space is divided as well: into cubes at multiples of their own size from the
// root's smallest cell, as large as they can be without holding the root, at most of this level.
// They are UNKNOWN leaves.
#define OUTSIDE_LEVEL_MAX 29

// The leaf that holds a cell, also outside the root.
oct_leaf oct_view_leaf(const view *v, oct_vec cell);

// One axis of a leaf. Those of the largest levels may begin below every int32, and are then stored
// modulo 2^32.
OCT_FORCE_INLINE void leaf_axis(int32_t stored, int level, int32_t *min, int32_t *max)
{
    const int64_t from = stored > OCT_RANGE ? stored - (INT64_C(1) << 32) : stored;
    const int64_t to = from + (INT64_C(1) << level);
    *min = from > INT32_MIN ? (int32_t)from : INT32_MIN;
    *max = to < INT32_MAX ? to > INT32_MIN ? (int32_t)to : INT32_MIN : INT32_MAX;
}

// The part of a leaf inside the bounds.
OCT_FORCE_INLINE oct_box view_leaf_box(const view *v, oct_leaf leaf)
{
    oct_box box = {{0, 0, 0}, {0, 0, 1}};
    leaf_axis(leaf.x, leaf.level, &box.min.x, &box.max.x);
    leaf_axis(leaf.y, leaf.level, &box.min.y, &box.max.y);
    if (v->dims == 3) {
        leaf_axis(leaf.z, leaf.level, &box.min.z, &box.max.z);
    }
    return box_common(box, v->bounds);
}

// ---- line.c, line_plain.c ----

// Whether the line between two places is free, beginning and ending in octants of theirs.
bool oct_view_sees(const view *v, const spot *a, const spot *b);

// The same, but where only a close look would tell, in lattice planes along blocked cells or over
// distances beyond 64 bits: no.
bool oct_view_sees_surely(const view *v, const spot *a, const spot *b);

// The same, step by step in 128 bits: slower, and right in every case.
bool oct_view_sees_plain(const view *v, const spot *a, const spot *b);

// ---- price.c ----

// The cost of a line that is free, in cells, where the view is priced. Symmetric to the bit.
double oct_view_price(const view *v, oct_fine a, oct_fine b);

// Costs are multiples of this, rounded up, and estimates likewise, rounded down: so sums of them
// are exact (up to a million cells), ties are ties whatever the order of summing, and the
// straight-line estimate is consistent to the bit.
#define COST_QUANTUM 0x1p-32

// From here on numbers are further apart than a quantum, and are rounded by themselves.
#define COST_LARGE 0x1p21

// A length's cost: more than it by at most two quanta, which covers its own rounding too.
OCT_FORCE_INLINE double cost_above(double length)
{
    if (OCT_UNLIKELY(length >= COST_LARGE)) {
        return length + length * 0x1p-51;
    }
    return (double)((int64_t)(length * 0x1p32) + 2) * COST_QUANTUM;
}

// A length's estimate: not more than it.
OCT_FORCE_INLINE double cost_below(double length)
{
    if (OCT_UNLIKELY(length >= COST_LARGE)) {
        return length - length * 0x1p-51;
    }
    const int64_t quanta = (int64_t)(length * 0x1p32) - 1;
    return quanta > 0 ? (double)quanta * COST_QUANTUM : 0.0;
}

// The distance between two points, cells.
OCT_FORCE_INLINE double oct_fine_distance(oct_fine a, oct_fine b)
{
    const double x = (double)(b.x - a.x), y = (double)(b.y - a.y), z = (double)(b.z - a.z);
    return sqrt(x * x + y * y + z * z) * (1.0 / OCT_FINE);
}

#endif
