// SPDX-License-Identifier: MIT
// A body is read as a capsule: a segment and a radius. The distance of a segment from a box is
// convex along it, and is found by ternary search; that from a convex hull is found by Gilbert's
// algorithm (Gilbert 1966), which also gives a bound from below.
#include "agent/touch.h"
#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>

#define STEPS 48  // of a ternary search: (2/3)^48 of the length
#define ROUNDS 64 // of Gilbert's algorithm

typedef struct segment {
    oct_point a, b;
} segment;

static oct_point along(const segment *s, double share)
{
    return point_add(s->a, point_scale(point_sub(s->b, s->a), share));
}

static double outside(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static double from_box(const oct_bounds *b, oct_point p)
{
    const oct_point away = {outside(p.x, b->min.x, b->max.x), outside(p.y, b->min.y, b->max.y),
                            outside(p.z, b->min.z, b->max.z)};
    return point_length(away);
}

static double segment_from_box(const oct_bounds *b, const segment *s)
{
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < STEPS; i++) {
        const double left = lo + (hi - lo) / 3.0, right = hi - (hi - lo) / 3.0;
        if (from_box(b, along(s, left)) <= from_box(b, along(s, right))) {
            hi = right;
        } else {
            lo = left;
        }
    }
    return from_box(b, along(s, lo));
}

static double segment_from_obb(const oct_piece *p, const segment *s)
{
    const segment own = {oct_piece_own(p, s->a), oct_piece_own(p, s->b)};
    const oct_bounds box = {point_scale(p->half, -1.0), p->half};
    return segment_from_box(&box, &own);
}

// The points of a hull, all of them or three of a list.
typedef struct corners {
    const oct_point *points;
    const uint32_t *which; // NULL = all
    size_t count;
} corners;

static oct_point corner(const corners *c, size_t i)
{
    return c->points[c->which ? c->which[i] : i];
}

// The least of the hull less the segment along a direction.
static oct_point support(const corners *c, const segment *s, oct_point way)
{
    oct_point best = corner(c, 0);
    for (size_t i = 1; i < c->count; i++) {
        best = point_dot(corner(c, i), way) < point_dot(best, way) ? corner(c, i) : best;
    }
    return point_sub(best, point_dot(s->a, way) > point_dot(s->b, way) ? s->a : s->b);
}

static touch_gap from_hull(const corners *c, const segment *s)
{
    oct_point at = point_sub(corner(c, 0), s->a);
    touch_gap gap = {0.0, point_length(at)};
    for (int i = 0; i < ROUNDS && gap.most > 0.0; i++) {
        const oct_point next = support(c, s, at), way = point_sub(next, at);
        gap.least = fmax(gap.least, point_dot(at, next) / gap.most);
        const double square = point_dot(way, way), ahead = -point_dot(at, way);
        if (!(square > 0.0) || !(ahead > 0.0)) {
            break;
        }
        at = point_add(at, point_scale(way, fmin(1.0, ahead / square)));
        gap.most = point_length(at);
    }
    return gap;
}

static touch_gap from_triangles(const oct_piece *p, const segment *s)
{
    touch_gap gap = {HUGE_VAL, HUGE_VAL};
    for (size_t i = 0; i < p->triangle_count; i++) {
        const corners c = {p->points, p->triangles + 3 * i, 3};
        const touch_gap one = from_hull(&c, s);
        gap = (touch_gap){fmin(gap.least, one.least), fmin(gap.most, one.most)};
    }
    return gap;
}

static touch_gap from_piece(const oct_piece *p, const segment *s)
{
    const corners all = {p->points, NULL, p->point_count};
    double at = segment_from_box(&p->box, s);
    if (at > TOUCH_FAR) {
        return (touch_gap){at, HUGE_VAL};
    }
    if (p->kind == OCT_PIECE_HULL && p->point_count > 0) {
        return from_hull(&all, s);
    }
    if (p->kind == OCT_PIECE_TRIANGLES) {
        return from_triangles(p, s);
    }
    at = p->kind == OCT_PIECE_OBB ? segment_from_obb(p, s) : at;
    return (touch_gap){at, at};
}

static touch_gap from_shape(const oct_entity *e, const segment *s)
{
    const oct_piece box = {.kind = OCT_PIECE_BOX, .box = e->thing.box};
    touch_gap gap = e->shape.count == 0 ? from_piece(&box, s) : (touch_gap){HUGE_VAL, HUGE_VAL};
    for (size_t i = 0; i < e->shape.count; i++) {
        const touch_gap one = from_piece(&e->shape.pieces[i], s);
        gap = (touch_gap){fmin(gap.least, one.least), fmin(gap.most, one.most)};
    }
    return gap;
}

static segment segment_of(oct_point centre, oct_point up, double half)
{
    return (segment){point_sub(centre, point_scale(up, half)),
                     point_add(centre, point_scale(up, half))};
}

touch_gap oct_touch_gap(const oct_player_body *body, oct_point centre, oct_point up,
                        const oct_entity *entity)
{
    const bool is_ball = body->shape == OCT_BODY_BALL;
    const double height = body->height, width = is_ball ? height : body->width;
    // Inside: round at both ends. Outside: the corners of a box, or a body that is wide and low.
    const double thin = fmin(width, height) / 2.0;
    const double thick = body->shape == OCT_BODY_BOX ? width / sqrt(2.0) : width / 2.0;
    const double tall =
        body->shape == OCT_BODY_BOX ? height / 2.0 : fmax(height / 2.0 - thick, 0.0);
    const segment inner = segment_of(centre, up, height / 2.0 - thin);
    const segment outer = segment_of(centre, up, tall);
    return (touch_gap){from_shape(entity, &outer).least - thick,
                       from_shape(entity, &inner).most - thin};
}
