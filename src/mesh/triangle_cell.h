// SPDX-License-Identifier: MIT
// A triangle in a lattice, and what it meets: cubes of cells, and segments between points.
//
// Coordinates are cells, rounded to multiples of 2^-26 and below 2^25 in size. So differences of
// two of them are exact in double, and the sign of every determinant here is exact: in double where
// that is beyond doubt, else with the rounding errors of its products added up.
#ifndef OCTANT_TRIANGLE_CELL_H
#define OCTANT_TRIANGLE_CELL_H

#include "geom/geom_internal.h"

#define LATTICE_MOST 0x1p25
#define LATTICE_STEP 0x1p-26

typedef struct cell_triangle {
    oct_point v[3];
    oct_point normal; // rounded
    oct_point size;   // of the terms that each coordinate of the normal is the difference of
    double side;      // -1, 0, 1: as oct_mesh.sides
} cell_triangle;

// Whether a b > c d, exactly. Rounding keeps the order of the products, so that only equal ones
// leave a doubt.
OCT_FORCE_INLINE bool product_above(double a, double b, double c, double d)
{
    const double left = a * b, right = c * d;
    if (OCT_LIKELY(left != right)) {
        return left > right;
    }
    double left_error, right_error;
    multiply_exactly(a, b, &left_error);
    multiply_exactly(c, d, &right_error);
    return left_error > right_error;
}

// The sign of a (b x c), exactly.
int oct_triple_sign_exact(oct_point a, oct_point b, oct_point c);

// Whether two vectors have one direction, or none, seen in a plane.
OCT_FORCE_INLINE bool is_along(double ax, double ay, double bx, double by)
{
    return !product_above(ax, by, ay, bx) && !product_above(ay, bx, ax, by);
}

// A triangle without area has no sides: nothing passes through it.
static inline cell_triangle cell_triangle_make(const oct_point v[3], double side)
{
    const oct_point a = point_sub(v[1], v[0]), b = point_sub(v[2], v[0]);
    if (is_along(a.x, a.y, b.x, b.y) && is_along(a.y, a.z, b.y, b.z) &&
        is_along(a.z, a.x, b.z, b.x)) {
        side = 0.0;
    }
    return (cell_triangle){{v[0], v[1], v[2]},
                           point_cross(a, b),
                           {fabs(a.y * b.z) + fabs(a.z * b.y), fabs(a.z * b.x) + fabs(a.x * b.z),
                            fabs(a.x * b.y) + fabs(a.y * b.x)},
                           side};
}

// On which side of the triangle's plane a point lies, given relative to v[0]: 1 where the normal
// points.
OCT_FORCE_INLINE int plane_sign(const cell_triangle *t, oct_point at)
{
    const double dot = point_dot(t->normal, at);
    const double most = t->size.x * fabs(at.x) + t->size.y * fabs(at.y) + t->size.z * fabs(at.z);
    if (OCT_LIKELY(fabs(dot) > most * 0x1p-50)) {
        return dot > 0.0 ? 1 : -1;
    }
    return oct_triple_sign_exact(at, point_sub(t->v[1], t->v[0]), point_sub(t->v[2], t->v[0]));
}

static inline int triple_sign(oct_point a, oct_point b, oct_point c)
{
    const oct_point cross = point_cross(b, c);
    const double dot = point_dot(a, cross);
    const double most = fabs(a.x) * (fabs(b.y * c.z) + fabs(b.z * c.y)) +
                        fabs(a.y) * (fabs(b.z * c.x) + fabs(b.x * c.z)) +
                        fabs(a.z) * (fabs(b.x * c.y) + fabs(b.y * c.x));
    if (OCT_LIKELY(fabs(dot) > most * 0x1p-50)) {
        return dot > 0.0 ? 1 : -1;
    }
    return oct_triple_sign_exact(a, b, c);
}

// ---- cubes ----

OCT_FORCE_INLINE double least_of(double a, double b, double c)
{
    const double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

OCT_FORCE_INLINE double most_of(double a, double b, double c)
{
    const double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

// Whether an edge and an axis separate a triangle from a box, seen in the plane of the other two
// axes. The edge runs from p to q; the third corner is r.
OCT_FORCE_INLINE bool apart_beside(double pu, double pv, double qu, double qv, double ru, double rv,
                                   double lu, double lv, double hu, double hv)
{
    const double eu = qu - pu, ev = qv - pv;
    // What lies to the left of the edge has eu dv - ev du > 0. The box's first and last corners
    // that way:
    const double first_v = eu > 0 ? lv : hv, first_u = ev > 0 ? hu : lu;
    const double last_v = eu > 0 ? hv : lv, last_u = ev > 0 ? lu : hu;
    if (product_above(eu, first_v - pv, ev, first_u - pu)) { // the box lies to the left
        return product_above(eu, first_v - rv, ev, first_u - ru);
    }
    return product_above(ev, last_u - pu, eu, last_v - pv) &&
           product_above(ev, last_u - ru, eu, last_v - rv);
}

// Whether a triangle and a closed box share a point. The box is given by its least and greatest
// corners.
OCT_FORCE_INLINE bool triangle_meets(const cell_triangle *t, oct_point lo, oct_point hi)
{
    const oct_point a = t->v[0], b = t->v[1], c = t->v[2];
    if (least_of(a.x, b.x, c.x) > hi.x || most_of(a.x, b.x, c.x) < lo.x ||
        least_of(a.y, b.y, c.y) > hi.y || most_of(a.y, b.y, c.y) < lo.y ||
        least_of(a.z, b.z, c.z) > hi.z || most_of(a.z, b.z, c.z) < lo.z) {
        return false;
    }
    const oct_point n = t->normal;
    const oct_point last = {n.x > 0 ? hi.x : lo.x, n.y > 0 ? hi.y : lo.y, n.z > 0 ? hi.z : lo.z};
    const oct_point first = {n.x > 0 ? lo.x : hi.x, n.y > 0 ? lo.y : hi.y, n.z > 0 ? lo.z : hi.z};
    if (plane_sign(t, point_sub(first, a)) > 0 || plane_sign(t, point_sub(last, a)) < 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const oct_point p = t->v[i], q = t->v[i == 2 ? 0 : i + 1], r = t->v[i == 0 ? 2 : i - 1];
        if (apart_beside(p.x, p.y, q.x, q.y, r.x, r.y, lo.x, lo.y, hi.x, hi.y) ||
            apart_beside(p.y, p.z, q.y, q.z, r.y, r.z, lo.y, lo.z, hi.y, hi.z) ||
            apart_beside(p.z, p.x, q.z, q.x, r.z, r.x, lo.z, lo.x, hi.z, hi.x)) {
            return false;
        }
    }
    return true;
}

// ---- segments ----

typedef enum crossing {
    CROSSING_NONE,
    CROSSING_IN,    // through the triangle, against its normal
    CROSSING_OUT,   // along its normal
    CROSSING_UNSURE // it meets an edge, or ends in the plane
} crossing;

// The segment must not begin on the triangle, but may begin in its plane.
static inline crossing triangle_crossed(const cell_triangle *t, oct_point from, oct_point to)
{
    const int before = plane_sign(t, point_sub(from, t->v[0]));
    const int after = plane_sign(t, point_sub(to, t->v[0]));
    if (after == 0) {
        return CROSSING_UNSURE;
    }
    if (before == 0 || before == after) {
        return CROSSING_NONE;
    }
    const oct_point way = point_sub(to, from);
    int above = 0, below = 0;
    for (int i = 0; i < 3; i++) {
        const int sign =
            triple_sign(way, point_sub(t->v[i], from), point_sub(t->v[i == 2 ? 0 : i + 1], from));
        above += sign > 0;
        below += sign < 0;
    }
    if (above > 0 && below > 0) {
        return CROSSING_NONE;
    }
    if (above + below < 3) {
        return CROSSING_UNSURE;
    }
    return before > 0 ? CROSSING_IN : CROSSING_OUT;
}

// ---- distances, within rounding errors ----

// The square of the distance between a triangle and a box.
double oct_triangle_box_square(const cell_triangle *t, oct_point lo, oct_point hi);

// The square of the distance between a triangle and a point.
double oct_triangle_point_square(const cell_triangle *t, oct_point at);

#endif
