// SPDX-License-Identifier: MIT
// Both are problems of the plane. A wall without end along z is a rectangle seen from above, and
// unrolling a path around it makes its height a straight line. A path around a ball stays in the
// plane of its ends and the ball's middle.
#include "bench/shortest_around.h"

#include <math.h>
#include <stdbool.h>

typedef struct flat {
    double x, y;
} flat;

static double flat_distance(flat a, flat b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

// Whether the line from a to b, which crosses column x, does so at y or above.
static bool passes_above(flat a, flat b, double x, double y)
{
    return (a.y - y) * (b.x - x) + (b.y - y) * (x - a.x) >= 0.0;
}

// The shortest path from a to b, a left of both columns and b right of them, that lies at y or
// above between them. It bends at the two corners, at one of them, or nowhere.
static double around_end(flat a, flat b, double left, double right, double y)
{
    const flat first = {left, y}, second = {right, y};
    const bool first_is_free = passes_above(a, b, left, y);
    const bool second_is_free = passes_above(a, b, right, y);
    if (first_is_free && second_is_free) {
        return flat_distance(a, b);
    }
    double best = flat_distance(a, first) + (right - left) + flat_distance(second, b);
    if (passes_above(first, b, right, y)) {
        best = fmin(best, flat_distance(a, first) + flat_distance(first, b));
    }
    if (passes_above(a, second, left, y)) {
        best = fmin(best, flat_distance(a, second) + flat_distance(second, b));
    }
    return best;
}

double oct_shortest_around_wall(const oct_bounds *wall, oct_point a, oct_point b)
{
    const bool turned = a.x > b.x;
    const flat from = {turned ? b.x : a.x, turned ? b.y : a.y};
    const flat to = {turned ? a.x : b.x, turned ? a.y : b.y};
    const flat from_mirrored = {from.x, -from.y}, to_mirrored = {to.x, -to.y};
    const double above = around_end(from, to, wall->min.x, wall->max.x, wall->max.y);
    const double below =
        around_end(from_mirrored, to_mirrored, wall->min.x, wall->max.x, -wall->min.y);
    return hypot(fmin(above, below), b.z - a.z);
}

static oct_point point_minus(oct_point a, oct_point b)
{
    return (oct_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double point_dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The angle between two directions; exact for small ones too.
static double angle_between(oct_point a, oct_point b)
{
    const oct_point cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return atan2(sqrt(point_dot(cross, cross)), point_dot(a, b));
}

double oct_shortest_around_ball(oct_point centre, double radius, oct_point a, oct_point b)
{
    const oct_point to_a = point_minus(a, centre), to_b = point_minus(b, centre);
    const oct_point straight = point_minus(b, a);
    const double tangent_a = sqrt(fmax(point_dot(to_a, to_a) - radius * radius, 0.0));
    const double tangent_b = sqrt(fmax(point_dot(to_b, to_b) - radius * radius, 0.0));
    // What is left of the angle between the ends after both tangents.
    const double arc =
        angle_between(to_a, to_b) - atan2(tangent_a, radius) - atan2(tangent_b, radius);
    return arc > 0.0 ? tangent_a + radius * arc + tangent_b : sqrt(point_dot(straight, straight));
}
