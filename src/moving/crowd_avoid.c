// SPDX-License-Identifier: MIT
// Reciprocal velocity obstacles in three dimensions, and the program that is solved over them.
//
// The program adds half-spaces one by one. While the best velocity so far lies in the next one,
// nothing changes; else the best lies on that one's plane, where the same is solved in the plane
// with those before, and there on a line.
#include "moving/crowd_avoid.h"

#include <math.h>

#define PARALLEL 1e-10 // square of the sine between planes that have no line in common
#define SLACK 1e-9     // by which a half-space may be missed, of the speed
#define WIDENINGS 6

static double length_of(oct_point a)
{
    return sqrt(point_dot(a, a));
}

oct_point oct_avoid_right(oct_point direction)
{
    const double flat = direction.x * direction.x + direction.y * direction.y;
    const double all = flat + direction.z * direction.z;
    const oct_point right = flat > 1e-6 * all ? (oct_point){direction.y, -direction.x, 0.0}
                                              : (oct_point){direction.z, 0.0, -direction.x};
    const double length = length_of(right);
    return length > 0.0 ? point_scale(right, 1.0 / length) : (oct_point){1.0, 0.0, 0.0};
}

// The velocities relative to the other that lead to a meeting within the horizon are a cone around
// `apart`, whose tip is cut off by a ball. The relative velocity is taken to the nearest point of
// its surface, half of the way by either unit.
half_space oct_avoid_reciprocal(oct_point apart, double reach, oct_point mine, oct_point other,
                                double horizon)
{
    const double distance = length_of(apart);
    const double tangent = sqrt(distance * distance - reach * reach);
    const double sine = reach / distance, cosine = tangent / distance;
    const oct_point axis = point_scale(apart, 1.0 / distance);
    const oct_point relative = point_sub(mine, other);
    const double along = point_dot(relative, axis);
    const oct_point across = point_sub(relative, point_scale(axis, along));
    const double aside = length_of(across);
    // Head-on both go to their own right.
    const oct_point side = aside > SLACK * (fabs(along) + reach) ? point_scale(across, 1.0 / aside)
                                                                 : oct_avoid_right(apart);
    half_space out;
    double outside; // how far the relative velocity is from the surface; negative inside
    if (along * cosine + aside * sine < tangent / horizon) {
        const oct_point from = point_sub(relative, point_scale(apart, 1.0 / horizon));
        const double far = length_of(from);
        out.normal = point_scale(from, 1.0 / far);
        outside = far - reach / horizon;
    } else {
        out.normal = point_sub(point_scale(side, cosine), point_scale(axis, sine));
        outside = aside * cosine - along * sine;
    }
    out.least = point_dot(mine, out.normal) - 0.5 * outside;
    return out;
}

// ---- the program ----

typedef struct program {
    const half_space *spaces;
    int hard, count;
    oct_point wanted;
    double speed;
    double widened; // what all but the hard ones are widened by
} program;

static double least_of(const program *p, int i)
{
    return p->spaces[i].least - (i < p->hard ? 0.0 : p->widened);
}

static bool misses(const program *p, int i, oct_point v)
{
    return point_dot(p->spaces[i].normal, v) < least_of(p, i) - SLACK * p->speed;
}

// The best on the line where planes i and k meet, in the half-spaces before k, k < i.
static bool solve_on_line(const program *p, int i, int k, oct_point *out)
{
    const oct_point a = p->spaces[i].normal, b = p->spaces[k].normal;
    const oct_point direction = point_cross(a, b);
    const double square = point_dot(direction, direction);
    if (square < PARALLEL) {
        return false;
    }
    // The point of the line that is nearest to rest is a combination of both normals.
    const double dot = point_dot(a, b), of_a = least_of(p, i), of_b = least_of(p, k);
    const oct_point base = point_add(point_scale(a, (of_a - of_b * dot) / square),
                                     point_scale(b, (of_b - of_a * dot) / square));
    const double room = p->speed * p->speed - point_dot(base, base);
    if (room < 0.0) {
        return false;
    }
    const oct_point unit = point_scale(direction, 1.0 / sqrt(square));
    double last = sqrt(room), first = -last;
    for (int m = 0; m < k; m++) {
        const double rise = point_dot(p->spaces[m].normal, unit);
        const double missing = least_of(p, m) - point_dot(p->spaces[m].normal, base);
        if (fabs(rise) < 1e-9) {
            if (missing > SLACK * p->speed) {
                return false;
            }
        } else if (rise > 0.0) {
            first = missing / rise > first ? missing / rise : first;
        } else {
            last = missing / rise < last ? missing / rise : last;
        }
        if (first > last) {
            return false;
        }
    }
    const double best = point_dot(unit, p->wanted);
    const double at = best < first ? first : best > last ? last : best;
    *out = point_add(base, point_scale(unit, at));
    return true;
}

// The best on plane i in the half-spaces before it.
static bool solve_on_plane(const program *p, int i, oct_point *out)
{
    const oct_point normal = p->spaces[i].normal;
    const double least = least_of(p, i);
    const double room = p->speed * p->speed - least * least;
    if (room < 0.0) {
        return false;
    }
    const oct_point base = point_scale(normal, least);
    oct_point aside = point_sub(p->wanted, point_scale(normal, point_dot(normal, p->wanted)));
    const double square = point_dot(aside, aside);
    if (square > room) {
        aside = point_scale(aside, sqrt(room / square));
    }
    *out = point_add(base, aside);
    for (int k = 0; k < i; k++) {
        if (misses(p, k, *out) && !solve_on_line(p, i, k, out)) {
            return false;
        }
    }
    return true;
}

static bool solve(const program *p, oct_point *out)
{
    const double square = point_dot(p->wanted, p->wanted);
    *out =
        square > p->speed * p->speed ? point_scale(p->wanted, p->speed / sqrt(square)) : p->wanted;
    for (int i = 0; i < p->count; i++) {
        if (misses(p, i, *out) && !solve_on_plane(p, i, out)) {
            return false;
        }
    }
    return true;
}

oct_point oct_avoid_solve(const half_space *spaces, int hard, int count, oct_point wanted,
                          double speed)
{
    program p = {spaces, hard, count, wanted, speed, 0.0};
    oct_point best;
    if (solve(&p, &best)) {
        return best;
    }
    // Widened by the most that one asks of rest, all hold for rest.
    double enough = 0.0, little = 0.0;
    for (int i = hard; i < count; i++) {
        enough = spaces[i].least > enough ? spaces[i].least : enough;
    }
    best = (oct_point){0.0, 0.0, 0.0};
    for (int i = 0; i < WIDENINGS; i++) {
        oct_point v;
        p.widened = 0.5 * (little + enough);
        if (solve(&p, &v)) {
            best = v;
            enough = p.widened;
        } else {
            little = p.widened;
        }
    }
    return best;
}
