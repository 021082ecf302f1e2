// SPDX-License-Identifier: MIT
// Frames of three axes, and the rotations that lead to them.
#include "geom/geom_internal.h"

#include <math.h>

// A direction that is off an axis by less counts as that axis.
#define UPRIGHT 1e-9

frame_axes oct_frame_axes(oct_point forward, oct_point up)
{
    frame_axes f;
    f.back = point_unit(point_scale(forward, -1.0));
    f.right = point_unit(point_cross(up, f.back));
    f.up = point_cross(f.back, f.right);
    return f;
}

static bool is_axis(oct_point p)
{
    const double x = fabs(p.x), y = fabs(p.y), z = fabs(p.z);
    return (x > 1.0 - UPRIGHT && y < UPRIGHT && z < UPRIGHT) ||
           (y > 1.0 - UPRIGHT && x < UPRIGHT && z < UPRIGHT) ||
           (z > 1.0 - UPRIGHT && x < UPRIGHT && y < UPRIGHT);
}

bool oct_frame_is_turned(const frame_axes *f)
{
    return !is_axis(f->right) || !is_axis(f->up);
}

// From the largest of its parts (Shepperd 1978).
void oct_frame_quaternion(const frame_axes *f, double out[4])
{
    const oct_point a = f->right, b = f->up, c = f->back;
    const double parts[4] = {1.0 + a.x - b.y - c.z, 1.0 - a.x + b.y - c.z, 1.0 - a.x - b.y + c.z,
                             1.0 + a.x + b.y + c.z};
    int most = 3;
    for (int i = 0; i < 3; i++) {
        most = parts[i] > parts[most] ? i : most;
    }
    const double whole = 2.0 * sqrt(parts[most]), one = whole / 4.0;
    const double xy = (a.y + b.x) / whole, xz = (a.z + c.x) / whole, yz = (b.z + c.y) / whole;
    const double x = (b.z - c.y) / whole, y = (c.x - a.z) / whole, z = (a.y - b.x) / whole;
    const double turns[4][4] = {
        {one, xy, xz, x}, {xy, one, yz, y}, {xz, yz, one, z}, {x, y, z, one}};
    for (int i = 0; i < 4; i++) {
        out[i] = turns[most][i];
    }
}
