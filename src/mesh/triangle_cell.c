// SPDX-License-Identifier: MIT
// What triangle_cell.h leaves to a call: signs in doubt, and distances.
#include "mesh/triangle_cell.h"

// ---- signs ----

// Numbers whose sum is exact, smallest first, none of which overlaps the next (Shewchuk 1997).
typedef struct expansion {
    double parts[32];
    int count;
} expansion;

static void add_number(expansion *sum, double number)
{
    int kept = 0;
    for (int i = 0; i < sum->count; i++) {
        double error;
        number = add_exactly(number, sum->parts[i], &error);
        if (error != 0.0) {
            sum->parts[kept++] = error;
        }
    }
    sum->parts[kept] = number;
    sum->count = kept + 1;
}

static void add_product(expansion *sum, double a, double b, double c)
{
    double low, error;
    const double high = multiply_exactly(a, b, &low);
    const double most = multiply_exactly(high, c, &error);
    add_number(sum, error);
    add_number(sum, most);
    const double least = multiply_exactly(low, c, &error);
    add_number(sum, error);
    add_number(sum, least);
}

int oct_triple_sign_exact(oct_point a, oct_point b, oct_point c)
{
    expansion sum = {.count = 0};
    add_product(&sum, b.y, c.z, a.x);
    add_product(&sum, -b.z, c.y, a.x);
    add_product(&sum, b.z, c.x, a.y);
    add_product(&sum, -b.x, c.z, a.y);
    add_product(&sum, b.x, c.y, a.z);
    add_product(&sum, -b.y, c.x, a.z);
    const double most = sum.parts[sum.count - 1];
    return (most > 0.0) - (most < 0.0);
}

// ---- distances ----

static double beyond(double at, double lo, double hi)
{
    return at < lo ? at - lo : at > hi ? at - hi : 0.0;
}

typedef struct segment {
    double from[3], way[3];
} segment;

typedef struct sides {
    double lo[3], hi[3];
} sides;

static double square_at(const segment *s, const sides *box, double t)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = beyond(s->from[i] + t * s->way[i], box->lo[i], box->hi[i]);
        sum += d * d;
    }
    return sum;
}

static double slope_at(const segment *s, const sides *box, double t)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += s->way[i] * beyond(s->from[i] + t * s->way[i], box->lo[i], box->hi[i]);
    }
    return sum;
}

// Along a segment the square of the distance is convex, and its slope is straight between the
// places where the segment comes level with a side of the box.
static double segment_box_square(oct_point a, oct_point b, const sides *box)
{
    const segment s = {{a.x, a.y, a.z}, {b.x - a.x, b.y - a.y, b.z - a.z}};
    double before = 0.0, after = 1.0;
    double falls = slope_at(&s, box, before), rises = slope_at(&s, box, after);
    if (falls >= 0.0) {
        return square_at(&s, box, 0.0);
    }
    if (rises <= 0.0) {
        return square_at(&s, box, 1.0);
    }
    for (int i = 0; i < 6; i++) {
        const int axis = i >> 1;
        const double level = i & 1 ? box->hi[axis] : box->lo[axis];
        const double t = s.way[axis] != 0.0 ? (level - s.from[axis]) / s.way[axis] : -1.0;
        if (t > before && t < after) {
            const double slope = slope_at(&s, box, t);
            if (slope < 0.0) {
                before = t;
                falls = slope;
            } else {
                after = t;
                rises = slope;
            }
        }
    }
    const double t =
        rises > falls ? before + (after - before) * (-falls / (rises - falls)) : before;
    return square_at(&s, box, t);
}

static bool is_above(const cell_triangle *t, oct_point at)
{
    for (int i = 0; i < 3; i++) {
        const oct_point from = t->v[i], to = t->v[i == 2 ? 0 : i + 1];
        const oct_point inwards = point_cross(t->normal, point_sub(to, from));
        if (point_dot(inwards, point_sub(at, from)) < 0.0) {
            return false;
        }
    }
    return true;
}

// The square of the distance from the plane, of a point that lies above the triangle; else
// infinite.
static double above_square(const cell_triangle *t, oct_point at, double sign)
{
    const double dot = sign * point_dot(t->normal, point_sub(at, t->v[0]));
    const double square = point_dot(t->normal, t->normal);
    return dot >= 0.0 && square > 0.0 && is_above(t, at) ? dot / square * dot : HUGE_VAL;
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

double oct_triangle_box_square(const cell_triangle *t, oct_point lo, oct_point hi)
{
    if (triangle_meets(t, lo, hi)) {
        return 0.0;
    }
    const sides box = {{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
    double best = segment_box_square(t->v[0], t->v[1], &box);
    best = less(best, segment_box_square(t->v[1], t->v[2], &box));
    best = less(best, segment_box_square(t->v[2], t->v[0], &box));
    // Else a corner of the box comes nearest to the inside of the triangle: the first one along the
    // normal, or the last one.
    const oct_point n = t->normal;
    const oct_point first = {n.x > 0 ? lo.x : hi.x, n.y > 0 ? lo.y : hi.y, n.z > 0 ? lo.z : hi.z};
    const oct_point last = {n.x > 0 ? hi.x : lo.x, n.y > 0 ? hi.y : lo.y, n.z > 0 ? hi.z : lo.z};
    return less(best, less(above_square(t, first, 1.0), above_square(t, last, -1.0)));
}

double oct_triangle_point_square(const cell_triangle *t, oct_point at)
{
    return oct_triangle_box_square(t, at, at);
}
