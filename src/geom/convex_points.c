// SPDX-License-Identifier: MIT
// The corners of convex bodies, and how far points are from them: E. G. Gilbert's algorithm ("An
// iterative procedure for computing the minimum of a quadratic form on a convex set", SIAM Journal
// on Control 4, 1966), which goes on until it is near enough and then says what it is sure of.
#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>

#define ROUNDS 64 // of Gilbert's algorithm

size_t oct_convex_bodies(const oct_piece *p)
{
    return p->kind == OCT_PIECE_TRIANGLES ? p->triangle_count : 1;
}

// A vector turned by a unit quaternion.
static oct_point turned(const double turn[4], oct_point v)
{
    const oct_point q = {turn[0], turn[1], turn[2]};
    const oct_point t = point_scale(point_cross(q, v), 2.0);
    return point_add(point_add(v, point_scale(t, turn[3])), point_cross(q, t));
}

static size_t box_corners(const oct_piece *p, oct_point out[CONVEX_CORNERS])
{
    const bool is_turned = p->kind == OCT_PIECE_OBB;
    for (int i = 0; i < CONVEX_CORNERS; i++) {
        if (is_turned) {
            const oct_point own = {i & 1 ? p->half.x : -p->half.x, i & 2 ? p->half.y : -p->half.y,
                                   i & 4 ? p->half.z : -p->half.z};
            out[i] = point_add(p->centre, turned(p->turn, own));
        } else {
            out[i] = (oct_point){i & 1 ? p->box.max.x : p->box.min.x,
                                 i & 2 ? p->box.max.y : p->box.min.y,
                                 i & 4 ? p->box.max.z : p->box.min.z};
        }
    }
    return CONVEX_CORNERS;
}

size_t oct_convex_points(const oct_piece *p, size_t body, oct_point own[CONVEX_CORNERS],
                         const oct_point **out)
{
    if (p->kind == OCT_PIECE_HULL && p->point_count > 0) {
        *out = p->points;
        return p->point_count;
    }
    *out = own;
    if (p->kind == OCT_PIECE_TRIANGLES) {
        for (int i = 0; i < 3; i++) {
            own[i] = p->points[p->triangles[3 * body + (size_t)i]];
        }
        return 3;
    }
    return box_corners(p, own);
}

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

bool oct_convex_is_valid(const oct_piece *p)
{
    bool is = (unsigned)p->kind <= OCT_PIECE_TRIANGLES;
    if (p->kind == OCT_PIECE_HULL || p->kind == OCT_PIECE_TRIANGLES) {
        for (size_t i = 0; i < p->point_count && is; i++) {
            is = is_finite(p->points[i]);
        }
    }
    if (p->kind == OCT_PIECE_TRIANGLES) {
        for (size_t i = 0; i < 3 * p->triangle_count && is; i++) {
            is = p->triangles[i] < p->point_count;
        }
    }
    if (p->kind == OCT_PIECE_OBB) {
        is = is_finite(p->centre) && is_finite(p->half) && isfinite(p->turn[0]) &&
             isfinite(p->turn[1]) && isfinite(p->turn[2]) && isfinite(p->turn[3]);
    }
    return is && (p->kind == OCT_PIECE_TRIANGLES || p->kind == OCT_PIECE_OBB ||
                  p->kind == OCT_PIECE_HULL || (is_finite(p->box.min) && is_finite(p->box.max)));
}

// ---- distances ----

static double outside(double at, double most)
{
    return at < -most ? -most - at : at > most ? at - most : 0.0;
}

// What rounding may make of a distance.
static double slack(oct_point at, oct_point centre, double size)
{
    return 0x1p-45 * (fabs(at.x) + fabs(at.y) + fabs(at.z) + fabs(centre.x) + fabs(centre.y) +
                      fabs(centre.z) + size);
}

oct_point oct_piece_own(const oct_piece *p, oct_point at)
{
    const double back[4] = {-p->turn[0], -p->turn[1], -p->turn[2], p->turn[3]};
    return turned(back, point_sub(at, p->centre));
}

oct_point oct_piece_world(const oct_piece *p, oct_point own)
{
    return point_add(p->centre, turned(p->turn, own));
}

static convex_gap from_turned_box(const oct_piece *p, oct_point at)
{
    const oct_point own = oct_piece_own(p, at);
    const oct_point away = {outside(own.x, p->half.x), outside(own.y, p->half.y),
                            outside(own.z, p->half.z)};
    const double length = point_length(away), more = slack(at, p->centre, point_length(p->half));
    return (convex_gap){fmax(length - more, 0.0), length + more};
}

static oct_point support(const oct_point *points, size_t count, oct_point way)
{
    oct_point best = points[0];
    for (size_t i = 1; i < count; i++) {
        best = point_dot(points[i], way) < point_dot(best, way) ? points[i] : best;
    }
    return best;
}

// Goes from a point of a body towards the one that is nearest to `to`; all from `to`.
static convex_gap go_near(const oct_point *points, size_t count, oct_point to, oct_point *at)
{
    *at = point_sub(points[0], to);
    convex_gap gap = {0.0, point_length(*at)};
    for (int i = 0; i < ROUNDS && gap.most > 0.0; i++) {
        const oct_point next = point_sub(support(points, count, *at), to);
        const oct_point way = point_sub(next, *at);
        gap.least = fmax(gap.least, point_dot(*at, next) / gap.most);
        const double square = point_dot(way, way), ahead = -point_dot(*at, way);
        if (!(square > 0.0) || !(ahead > 0.0)) {
            break;
        }
        *at = point_add(*at, point_scale(way, fmin(1.0, ahead / square)));
        gap.most = point_length(*at);
    }
    return gap;
}

convex_gap oct_convex_gap(const oct_piece *p, size_t body, oct_point to)
{
    oct_point own[CONVEX_CORNERS], at;
    const oct_point *points;
    if (p->kind == OCT_PIECE_OBB) {
        return from_turned_box(p, to);
    }
    const size_t count = oct_convex_points(p, body, own, &points);
    const double more = slack(to, points[0], point_length(point_sub(points[0], to)));
    const convex_gap gap = go_near(points, count, to, &at);
    return (convex_gap){fmax(gap.least - more, 0.0), gap.most + more};
}

static double within(double at, double lo, double hi)
{
    return at < lo ? lo : at > hi ? hi : at;
}

oct_point oct_convex_nearest(const oct_piece *p, size_t body, oct_point to)
{
    oct_point corners[CONVEX_CORNERS], at;
    const oct_point *points;
    if (p->kind == OCT_PIECE_OBB) {
        const oct_point own = oct_piece_own(p, to), h = p->half;
        const oct_point in = {within(own.x, -h.x, h.x), within(own.y, -h.y, h.y),
                              within(own.z, -h.z, h.z)};
        return point_add(p->centre, turned(p->turn, in));
    }
    if (p->kind == OCT_PIECE_BOX) {
        const oct_bounds *const b = &p->box;
        return (oct_point){within(to.x, b->min.x, b->max.x), within(to.y, b->min.y, b->max.y),
                           within(to.z, b->min.z, b->max.z)};
    }
    const size_t count = oct_convex_points(p, body, corners, &points);
    (void)go_near(points, count, to, &at);
    return point_add(to, at);
}
