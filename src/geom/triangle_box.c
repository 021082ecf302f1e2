// SPDX-License-Identifier: MIT
// Whether a triangle and a box share a point, by separating axes.
//
// Two convex bodies are apart if and only if they are apart along one of a few directions: for a
// triangle and a box the three axes, the triangle's normal, and the nine cross products of an edge
// and an axis (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996, section 5).
// Degenerate triangles need no care: where a cross product is zero it separates nothing, and the
// axes that a segment or a point needs are among the rest. The same holds for flat boxes.
//
// Everything is measured from a corner of the triangle, so that only differences of coordinates are
// multiplied. The answer is exact where these differences, and sums of two products of two of them,
// are exact in double: for integers up to 2^25 in size, or multiples of one power of two up to 2^25
// of it, such as points of the sub-lattice within 2^17 cells of lattice point 0. The normal's axis
// alone needs products of three, and takes its signs from a dot product in twice the precision. For
// other coordinates it can be wrong only within some rounding errors of contact.
#include "geom/geom_internal.h"

#include <math.h>

// A number of the sign of the dot product. The plain sum will do unless it nearly cancels.
static double dot_sign(oct_point a, oct_point b)
{
    const double plain = a.x * b.x + a.y * b.y + a.z * b.z;
    const double size = fabs(a.x * b.x) + fabs(a.y * b.y) + fabs(a.z * b.z);
    if (fabs(plain) > size * 0x1p-50) {
        return plain;
    }
    return point_dot_closely(a, b);
}

// The least and the greatest of three.
static double least(double a, double b, double c)
{
    const double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static double greatest(double a, double b, double c)
{
    const double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static bool apart_on_axis(double a, double b, double c, double min, double max)
{
    return least(a, b, c) > max || greatest(a, b, c) < min;
}

// The triangle's plane, with one of its corners as the origin: the box is on one side of it if its
// first and its last corner along the normal are.
static bool apart_on_normal(oct_point normal, oct_point min, oct_point max)
{
    const oct_point last = {normal.x > 0 ? max.x : min.x, normal.y > 0 ? max.y : min.y,
                            normal.z > 0 ? max.z : min.z};
    const oct_point first = {normal.x > 0 ? min.x : max.x, normal.y > 0 ? min.y : max.y,
                             normal.z > 0 ? min.z : max.z};
    return dot_sign(normal, first) > 0 || dot_sign(normal, last) < 0;
}

// The cross product of an edge and an axis, seen in the plane of the other two axes u and v, where
// it is (-edge.v, edge.u). The edge starts at the origin, hence projects to 0 with both its ends;
// `third` is the corner that is not on it.
static bool apart_in_plane(double edge_u, double edge_v, double third_u, double third_v,
                           double min_u, double max_u, double min_v, double max_v)
{
    const double third = edge_u * third_v - edge_v * third_u;
    const double low =
        edge_u * (edge_u > 0 ? min_v : max_v) - edge_v * (edge_v > 0 ? max_u : min_u);
    const double high =
        edge_u * (edge_u > 0 ? max_v : min_v) - edge_v * (edge_v > 0 ? min_u : max_u);
    return low > (third > 0 ? third : 0) || high < (third < 0 ? third : 0);
}

bool oct_triangle_meets_box(const oct_point vertices[3], const oct_bounds *box)
{
    const oct_point *v = vertices;
    if (apart_on_axis(v[0].x, v[1].x, v[2].x, box->min.x, box->max.x) ||
        apart_on_axis(v[0].y, v[1].y, v[2].y, box->min.y, box->max.y) ||
        apart_on_axis(v[0].z, v[1].z, v[2].z, box->min.z, box->max.z)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const oct_point edge = point_sub(v[(i + 1) % 3], v[i]);
        const oct_point third = point_sub(v[(i + 2) % 3], v[i]);
        const oct_point min = point_sub(box->min, v[i]);
        const oct_point max = point_sub(box->max, v[i]);
        if (i == 0 && apart_on_normal(point_cross(edge, third), min, max)) {
            return false;
        }
        if (apart_in_plane(edge.x, edge.y, third.x, third.y, min.x, max.x, min.y, max.y) ||
            apart_in_plane(edge.y, edge.z, third.y, third.z, min.y, max.y, min.z, max.z) ||
            apart_in_plane(edge.z, edge.x, third.z, third.x, min.z, max.z, min.x, max.x)) {
            return false;
        }
    }
    return true;
}
