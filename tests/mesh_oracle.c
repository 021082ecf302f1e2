// SPDX-License-Identifier: MIT
#include "mesh_oracle.h"

#include "base/platform.h"
#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct triple {
    int64_t x, y, z; // 2^-26 cells
} triple;

struct mesh_oracle {
    triple (*corners)[3];
    oct_point (*points)[3]; // the same, cells
    int8_t *sides;
    size_t count;
};

#define STEPS 67108864.0

mesh_oracle *mesh_oracle_create(const oct_mesh *mesh, const oct_tree *tree)
{
    mesh_oracle *const o = calloc(1, sizeof *o);
    const oct_point from = oct_tree_origin(tree);
    const double cell = oct_tree_cell_size(tree);
    o->count = oct_mesh_triangle_count(mesh);
    o->corners = calloc(o->count + 1, sizeof *o->corners);
    o->points = calloc(o->count + 1, sizeof *o->points);
    o->sides = calloc(o->count + 1, 1);
    for (size_t i = 0; i < 3 * o->count; i++) {
        const oct_point p = oct_mesh_vertices(mesh)[oct_mesh_indices(mesh)[i]];
        const triple at = {(int64_t)floor((p.x - from.x) / cell * STEPS + 0.5),
                           (int64_t)floor((p.y - from.y) / cell * STEPS + 0.5),
                           (int64_t)floor((p.z - from.z) / cell * STEPS + 0.5)};
        o->corners[i / 3][i % 3] = at;
        o->points[i / 3][i % 3] =
            (oct_point){(double)at.x / STEPS, (double)at.y / STEPS, (double)at.z / STEPS};
        o->sides[i / 3] = mesh->sides[i / 3];
    }
    return o;
}

void mesh_oracle_destroy(mesh_oracle *o)
{
    free(o->corners);
    free(o->points);
    free(o->sides);
    free(o);
}

size_t mesh_oracle_count(const mesh_oracle *o)
{
    return o->count;
}

oct_point mesh_oracle_point(const mesh_oracle *o, size_t triangle, double u, double v)
{
    const oct_point *const p = o->points[triangle];
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    const double w = 1.0 - u - v;
    return (oct_point){w * p[0].x + u * p[1].x + v * p[2].x, w * p[0].y + u * p[1].y + v * p[2].y,
                       w * p[0].z + u * p[1].z + v * p[2].z};
}

// ---- contact, in integers ----

static triple minus(triple a, triple b)
{
    return (triple){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int sign_of(oct_int128 n)
{
    return (n > 0) - (n < 0);
}

// The sign of n p, n a cross product of two edges: 160 bits. The upper ones come from long double,
// and where they are not many, the lower 128 bits are all there is.
static int dot_sign(const oct_int128 n[3], triple p)
{
    const long double rough = (long double)n[0] * (long double)p.x +
                              (long double)n[1] * (long double)p.y +
                              (long double)n[2] * (long double)p.z;
    if (fabsl(rough) > 0x1p118L) {
        return rough > 0 ? 1 : -1;
    }
    const oct_uint128 low = (oct_uint128)n[0] * (oct_uint128)p.x +
                            (oct_uint128)n[1] * (oct_uint128)p.y +
                            (oct_uint128)n[2] * (oct_uint128)p.z;
    return sign_of((oct_int128)low);
}

// Separated along an axis that is a cross product of an edge and e[axis]: all corners of the one on
// one side of all corners of the other.
static bool apart(const int64_t axis[3], const triple v[3], const triple box[8])
{
    oct_int128 low[2] = {0}, high[2] = {0};
    for (int body = 0; body < 2; body++) {
        for (int i = 0; i < (body == 0 ? 3 : 8); i++) {
            const triple p = body == 0 ? v[i] : box[i];
            const oct_int128 at =
                (oct_int128)axis[0] * p.x + (oct_int128)axis[1] * p.y + (oct_int128)axis[2] * p.z;
            low[body] = i == 0 || at < low[body] ? at : low[body];
            high[body] = i == 0 || at > high[body] ? at : high[body];
        }
    }
    return low[0] > high[1] || low[1] > high[0];
}

static bool meets_box(const triple v[3], const triple lo, const triple hi)
{
    triple box[8];
    for (int i = 0; i < 8; i++) {
        box[i] = (triple){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t along[3] = {axis == 0, axis == 1, axis == 2};
        if (apart(along, v, box)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            const triple e = minus(v[(i + 1) % 3], v[i]);
            const int64_t across[3][3] = {{0, e.z, -e.y}, {-e.z, 0, e.x}, {e.y, -e.x, 0}};
            if (apart(across[axis], v, box)) {
                return false;
            }
        }
    }
    const triple a = minus(v[1], v[0]), b = minus(v[2], v[0]);
    const oct_int128 n[3] = {(oct_int128)a.y * b.z - (oct_int128)a.z * b.y,
                             (oct_int128)a.z * b.x - (oct_int128)a.x * b.z,
                             (oct_int128)a.x * b.y - (oct_int128)a.y * b.x};
    int above = 0, below = 0;
    for (int i = 0; i < 8; i++) {
        const int side = dot_sign(n, minus(box[i], v[0]));
        above += side > 0;
        below += side < 0;
    }
    return above < 8 && below < 8;
}

static bool spans(int64_t a, int64_t b, int64_t c, int64_t lo, int64_t hi)
{
    return (a >= lo || b >= lo || c >= lo) && (a <= hi || b <= hi || c <= hi);
}

static bool spans_meet(const triple v[3], triple lo, triple hi)
{
    return spans(v[0].x, v[1].x, v[2].x, lo.x, hi.x) && spans(v[0].y, v[1].y, v[2].y, lo.y, hi.y) &&
           spans(v[0].z, v[1].z, v[2].z, lo.z, hi.z);
}

bool mesh_oracle_meets(const mesh_oracle *o, oct_vec cell)
{
    const int64_t steps = (int64_t)STEPS;
    const triple lo = {cell.x * steps, cell.y * steps, cell.z * steps};
    const triple hi = {lo.x + steps, lo.y + steps, lo.z + steps};
    for (size_t i = 0; i < o->count; i++) {
        const triple *const v = o->corners[i];
        if (spans_meet(v, lo, hi) && meets_box(v, lo, hi)) {
            return true;
        }
    }
    return false;
}

// ---- what is enclosed ----

static oct_point sub(oct_point a, oct_point b)
{
    return (oct_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static oct_point cross(oct_point a, oct_point b)
{
    return (oct_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// van Oosterom and Strackee 1983.
int mesh_oracle_winding(const mesh_oracle *o, oct_vec cell)
{
    const oct_point middle = {cell.x + 0.5, cell.y + 0.5, cell.z + 0.5};
    double sum = 0.0;
    for (size_t i = 0; i < o->count; i++) {
        if (o->sides[i] != 0) {
            const oct_point a = sub(o->points[i][0], middle), b = sub(o->points[i][1], middle),
                            c = sub(o->points[i][2], middle);
            const double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
            sum += o->sides[i] * 2.0 *
                   atan2(dot(a, cross(b, c)),
                         la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
        }
    }
    return (int)floor(sum / 12.566370614359172 + 0.5);
}

// ---- distances ----

static double clamp(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double point_segment(oct_point p, oct_point a, oct_point b)
{
    const oct_point way = sub(b, a);
    const double length = dot(way, way);
    const double t = length > 0.0 ? clamp(dot(sub(p, a), way) / length) : 0.0;
    const oct_point d = sub(p, (oct_point){a.x + t * way.x, a.y + t * way.y, a.z + t * way.z});
    return sqrt(dot(d, d));
}

// Nearest inside both, or at an end of one of them.
static double segment_segment(oct_point a, oct_point b, oct_point c, oct_point d)
{
    double best = fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
                       fmin(point_segment(c, a, b), point_segment(d, a, b)));
    const oct_point u = sub(b, a), v = sub(d, c), w = sub(a, c);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const double both = uu * vv - uv * uv;
    if (both > 1e-14 * uu * vv) {
        const double s = (uv * vw - vv * uw) / both, t = (uu * vw - uv * uw) / both;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            const oct_point gap = {w.x + s * u.x - t * v.x, w.y + s * u.y - t * v.y,
                                   w.z + s * u.z - t * v.z};
            best = fmin(best, sqrt(dot(gap, gap)));
        }
    }
    return best;
}

static double point_triangle(oct_point p, const oct_point v[3])
{
    double best = fmin(point_segment(p, v[0], v[1]),
                       fmin(point_segment(p, v[1], v[2]), point_segment(p, v[2], v[0])));
    const oct_point n = cross(sub(v[1], v[0]), sub(v[2], v[0]));
    bool above = dot(n, n) > 0.0;
    for (int i = 0; i < 3; i++) {
        above = above && dot(cross(n, sub(v[(i + 1) % 3], v[i])), sub(p, v[i])) >= 0.0;
    }
    return above ? fmin(best, fabs(dot(n, sub(p, v[0]))) / sqrt(dot(n, n))) : best;
}

// Of bodies that do not meet: from a corner of the one to the other, or from edge to edge.
static double triangle_box(const oct_point v[3], oct_point lo, oct_point hi)
{
    oct_point box[8];
    double best = HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        box[i] = (oct_point){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
        best = fmin(best, point_triangle(box[i], v));
    }
    for (int i = 0; i < 3; i++) {
        const double x = fmax(fmax(lo.x - v[i].x, v[i].x - hi.x), 0.0);
        const double y = fmax(fmax(lo.y - v[i].y, v[i].y - hi.y), 0.0);
        const double z = fmax(fmax(lo.z - v[i].z, v[i].z - hi.z), 0.0);
        best = fmin(best, sqrt(x * x + y * y + z * z));
        for (int corner = 0; corner < 8; corner++) {
            for (int bit = 1; bit < 8; bit *= 2) {
                if (!(corner & bit)) {
                    best = fmin(best, segment_segment(v[i], v[(i + 1) % 3], box[corner],
                                                      box[corner | bit]));
                }
            }
        }
    }
    return best;
}

static triple to_steps(oct_point p)
{
    return (triple){(int64_t)floor(p.x * STEPS), (int64_t)floor(p.y * STEPS),
                    (int64_t)floor(p.z * STEPS)};
}

static bool grown_meets(const triple v[3], oct_point lo, oct_point hi, double by)
{
    const triple from = to_steps((oct_point){lo.x - by, lo.y - by, lo.z - by});
    const triple to = to_steps((oct_point){hi.x + by, hi.y + by, hi.z + by});
    return spans_meet(v, from, to) && meets_box(v, from, to);
}

bool mesh_oracle_body(const mesh_oracle *o, oct_vec cell, oct_point half, double radius, bool *sure)
{
    const oct_point lo = {cell.x - half.x, cell.y - half.y, cell.z - half.z};
    const oct_point hi = {cell.x + 1.0 + half.x, cell.y + 1.0 + half.y, cell.z + 1.0 + half.z};
    bool doubtful = false;
    *sure = true;
    for (size_t i = 0; i < o->count; i++) {
        if (grown_meets(o->corners[i], lo, hi, -1e-6)) {
            return true;
        }
        if (grown_meets(o->corners[i], lo, hi, 1e-6)) {
            if (radius > 1e-5) {
                return true;
            }
            doubtful = true;
        } else if (radius > 0.0) {
            const double distance = triangle_box(o->points[i], lo, hi);
            if (distance < radius - 1e-6) {
                return true;
            }
            doubtful = doubtful || distance < radius + 1e-6;
        }
    }
    *sure = !doubtful;
    return false;
}
