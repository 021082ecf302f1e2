// SPDX-License-Identifier: MIT
// What turned boxes, hulls and triangles are to a body that stands.
//
// Their faces are cut by an upright prism with 16 sides around the body's axis. What a convex body
// is within the prism is the hull of what is left of its faces: so its highest and lowest points,
// above any plane, are corners of these.
#include "footing/footing_internal.h"

#include "geom/convex.h"

#include <math.h>

#define SIDES 16
// Hulls of more points are in the way with their whole boxes: all triples of them are looked at.
#define HULL_POINTS_MAX 24
// A face of a hull that is cut by all sides.
#define CUT_MAX (HULL_POINTS_MAX + SIDES)
// Faces whose height changes by less than this share are level.
#define LEVEL 1e-9
#define PLANE_SLACK 1e-9 // metres that corners of a face may be beside its plane
#define COSINE_SLACK 1e-9
#define NARROW 1e-7 // the sine of an angle at which three points are on a line

// Cosines of a turn in 16 parts; the sine of one is 12 further on.
static const double ring[SIDES] = {
    1.0,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
    0.0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
    -1.0, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
    0.0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674};

// A face: corners in either direction, and its normal: outwards of what is solid, upwards of a
// triangle.
typedef struct face {
    const footing_point *corners;
    uint32_t count;
    footing_point normal; // of length 1
    bool looks_up;        // and is not upright
} face;

typedef struct cutting {
    const oct_footing *footing;
    footing_point axis;
    double radius;
    double lo, hi; // of the body so far
    bool is_there, is_under;
    double top, gu, gv; // where the axis meets it
    oct_footing *keep;  // its faces are kept there; NULL = they are not
    oct_result result;
} cutting;

// ---- faces ----

static footing_point minus(footing_point a, footing_point b)
{
    return (footing_point){a.u - b.u, a.v - b.v, a.h - b.h};
}

static double dot(footing_point a, footing_point b)
{
    return a.u * b.u + a.v * b.v + a.h * b.h;
}

static footing_point cross(footing_point a, footing_point b)
{
    return (footing_point){a.v * b.h - a.h * b.v, a.h * b.u - a.u * b.h, a.u * b.v - a.v * b.u};
}

// The normal of three points; false where they are on a line.
static bool normal_of(footing_point a, footing_point b, footing_point c, footing_point *out)
{
    const footing_point ab = minus(b, a), ac = minus(c, a), n = cross(ab, ac);
    const double size = sqrt(dot(n, n));
    *out = (footing_point){n.u / size, n.v / size, n.h / size};
    return size > NARROW * sqrt(dot(ab, ab) * dot(ac, ac));
}

// What is left of a face inside the prism, about the axis. Returns how many corners.
static uint32_t cut_face(const cutting *c, const face *f, footing_point out[CUT_MAX])
{
    footing_point from[CUT_MAX];
    uint32_t count = f->count;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = minus(f->corners[i], (footing_point){c->axis.u, c->axis.v, 0.0});
    }
    for (int side = 0; side < SIDES && count > 0; side++) {
        const double nu = ring[side], nv = ring[(side + 12) % SIDES]; // cosine, sine
        memcpy(from, out, count * sizeof *from);
        uint32_t left = 0;
        for (uint32_t i = 0; i < count; i++) {
            const footing_point *const p = &from[i], *const q = &from[(i + 1) % count];
            const double a = c->radius - nu * p->u - nv * p->v;
            const double b = c->radius - nu * q->u - nv * q->v;
            if (a >= 0.0 && left < CUT_MAX) {
                out[left++] = *p;
            }
            if ((a < 0.0) != (b < 0.0) && left < CUT_MAX) {
                const double t = a / (a - b);
                out[left++] = (footing_point){p->u + t * (q->u - p->u), p->v + t * (q->v - p->v),
                                              p->h + t * (q->h - p->h)};
            }
        }
        count = left;
    }
    return count;
}

// Whether the axis meets a face, seen from above.
static bool holds_axis(const cutting *c, const face *f)
{
    bool is_left = true, is_right = true;
    for (uint32_t i = 0; i < f->count; i++) {
        const footing_point p = minus(f->corners[i], c->axis);
        const footing_point q = minus(f->corners[(i + 1) % f->count], c->axis);
        const double turn = p.u * q.v - p.v * q.u;
        is_left = is_left && turn >= 0.0;
        is_right = is_right && turn <= 0.0;
    }
    return is_left || is_right;
}

static void keep_face(cutting *c, const face *f, const footing_point *cut, uint32_t count)
{
    oct_footing *const own = c->keep;
    footing_face kept = {.first = (uint32_t)own->cut.count, .count = count};
    if (f->looks_up) {
        const footing_point p = minus(f->corners[0], c->axis);
        kept.gu = -f->normal.u / f->normal.h;
        kept.gv = -f->normal.v / f->normal.h;
        kept.top = f->corners[0].h - kept.gu * p.u - kept.gv * p.v;
        kept.is_walkable = f->normal.h >= own->cosine - COSINE_SLACK;
    }
    for (uint32_t i = 0; i < count && c->result == OCT_OK; i++) {
        c->result = oct_array_push(&own->cut, &own->allocator, sizeof cut[i], &cut[i]);
    }
    if (c->result == OCT_OK) {
        c->result = oct_array_push(&own->faces, &own->allocator, sizeof kept, &kept);
    }
}

static void take_face(cutting *c, const footing_point *corners, uint32_t count,
                      footing_point normal)
{
    const face f = {corners, count, normal, normal.h > LEVEL};
    footing_point cut[CUT_MAX];
    const uint32_t left = cut_face(c, &f, cut);
    if (left == 0) {
        return;
    }
    for (uint32_t i = 0; i < left; i++) {
        c->lo = c->is_there ? fmin(c->lo, cut[i].h) : cut[i].h;
        c->hi = c->is_there ? fmax(c->hi, cut[i].h) : cut[i].h;
        c->is_there = true;
    }
    if (f.looks_up && holds_axis(c, &f)) {
        const double gu = -normal.u / normal.h, gv = -normal.v / normal.h;
        const footing_point p = minus(corners[0], c->axis);
        const double top = corners[0].h - gu * p.u - gv * p.v;
        if (!c->is_under || top > c->top) {
            c->top = top;
            c->gu = gu * gu + gv * gv > LEVEL * LEVEL ? gu : 0.0;
            c->gv = gu * gu + gv * gv > LEVEL * LEVEL ? gv : 0.0;
        }
        c->is_under = true;
    }
    if (c->keep) {
        keep_face(c, &f, cut, left);
    }
}

// ---- bodies ----

static void take_triangle(cutting *c, const footing_point *p)
{
    footing_point n;
    if (normal_of(p[0], p[1], p[2], &n)) {
        const double sign = n.h < 0.0 ? -1.0 : 1.0;
        take_face(c, p, 3, (footing_point){sign * n.u, sign * n.v, sign * n.h});
    }
}

// The corners of a box by their bits: of each side in turn.
static void take_box(cutting *c, const footing_point p[CONVEX_CORNERS])
{
    static const uint8_t sides[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (int side = 0; side < 6; side++) {
        footing_point corners[4], n;
        for (int i = 0; i < 4; i++) {
            corners[i] = p[sides[side][i]];
        }
        if (normal_of(corners[0], corners[1], corners[2], &n)) {
            // The corner across the box is inside.
            const double inner = dot(n, minus(p[7 - sides[side][0]], corners[0]));
            const double sign = inner > 0.0 ? -1.0 : 1.0;
            take_face(c, corners, 4, (footing_point){sign * n.u, sign * n.v, sign * n.h});
        }
    }
}

// The points of a hull on the plane of one of its faces, as a polygon (Jarvis 1973).
static uint32_t wrap(const footing_point *p, const uint32_t *on, uint32_t count, footing_point n,
                     footing_point *out)
{
    const footing_point along = minus(p[on[1]], p[on[0]]);
    uint32_t first = 0, at, left = 0;
    for (uint32_t i = 1; i < count; i++) {
        first = dot(along, minus(p[on[i]], p[on[first]])) < 0.0 ? i : first;
    }
    at = first;
    do {
        uint32_t next = at == 0 ? 1 : 0;
        out[left++] = p[on[at]];
        for (uint32_t i = 0; i < count; i++) {
            const footing_point to = minus(p[on[next]], p[on[at]]), by = minus(p[on[i]], p[on[at]]);
            const double turn = dot(n, cross(to, by));
            if (i != at &&
                (turn < -PLANE_SLACK || (turn <= PLANE_SLACK && dot(by, by) > dot(to, to)))) {
                next = i;
            }
        }
        at = next;
    } while (at != first && left < count);
    return left;
}

// The points on the plane of three that all others are on one side of; 0 = there is no such face,
// or it belongs to three earlier ones.
static uint32_t find_face(const footing_point *p, uint32_t count, const uint32_t three[3],
                          footing_point *n, uint32_t *on)
{
    double least = 0.0, most = 0.0;
    uint32_t left = 0;
    if (!normal_of(p[three[0]], p[three[1]], p[three[2]], n)) {
        return 0;
    }
    for (uint32_t m = 0; m < count; m++) {
        const double by = dot(*n, minus(p[m], p[three[0]]));
        least = fmin(least, by);
        most = fmax(most, by);
        if (fabs(by) <= PLANE_SLACK) {
            footing_point other;
            on[left++] = m;
            if (m < three[1] ? m != three[0]
                             : m > three[1] && m < three[2] &&
                                   normal_of(p[three[0]], p[three[1]], p[m], &other)) {
                return 0;
            }
        }
    }
    if (least < -PLANE_SLACK && most > PLANE_SLACK) {
        return 0;
    }
    const bool is_flat = most <= PLANE_SLACK && least >= -PLANE_SLACK;
    if (is_flat ? n->h < 0.0 : most > -least) {
        *n = (footing_point){-n->u, -n->v, -n->h};
    }
    return left;
}

static void take_hull(cutting *c, footing_point *p, uint32_t count)
{
    uint32_t unique = 0, on[HULL_POINTS_MAX], three[3];
    for (uint32_t i = 0; i < count; i++) {
        bool is_new = true;
        for (uint32_t j = 0; j < unique && is_new; j++) {
            is_new = p[i].u != p[j].u || p[i].v != p[j].v || p[i].h != p[j].h;
        }
        if (is_new) {
            p[unique++] = p[i];
        }
    }
    for (three[0] = 0; three[0] < unique; three[0]++) {
        for (three[1] = three[0] + 1; three[1] < unique; three[1]++) {
            for (three[2] = three[1] + 1; three[2] < unique; three[2]++) {
                footing_point n, corners[HULL_POINTS_MAX];
                const uint32_t found = find_face(p, unique, three, &n, on);
                if (found > 0) {
                    take_face(c, corners, wrap(p, on, found, n, corners), n);
                }
            }
        }
    }
}

static void take_body(cutting *c, const oct_piece *piece, size_t body)
{
    oct_point own[CONVEX_CORNERS];
    const oct_point *points;
    footing_point p[HULL_POINTS_MAX];
    const size_t count = oct_convex_points(piece, body, own, &points);
    for (size_t i = 0; i < count && i < HULL_POINTS_MAX; i++) {
        p[i] = footing_own(c->footing, points[i]);
    }
    if (piece->kind == OCT_PIECE_TRIANGLES) {
        take_triangle(c, p);
    } else if (piece->kind == OCT_PIECE_HULL) {
        take_hull(c, p, (uint32_t)count);
    } else {
        take_box(c, p);
    }
}

// ---- shapes ----

bool oct_footing_is_shaped(const oct_footing *f, const oct_thing *thing)
{
    bool is = thing->shape && thing->shape->count > 0 && f->walker.slope > 0.0;
    for (size_t i = 0; is && i < thing->shape->count; i++) {
        const oct_piece *const p = &thing->shape->pieces[i];
        is =
            p->kind != OCT_PIECE_HULL || (p->point_count >= 4 && p->point_count <= HULL_POINTS_MAX);
    }
    return is;
}

static bool is_apart(const cutting *c, const oct_bounds *box)
{
    const footing_point lo = footing_own(c->footing, box->min);
    const footing_point hi = footing_own(c->footing, box->max);
    const double by = c->radius * 1.1; // the prism's corners
    return lo.u > c->axis.u + by || hi.u < c->axis.u - by || lo.v > c->axis.v + by ||
           hi.v < c->axis.v - by;
}

static void begin(cutting *c, const oct_piece *piece, size_t body)
{
    c->is_there = c->is_under = false;
    if (!is_apart(c, &piece->box)) {
        take_body(c, piece, body);
    }
}

bool oct_footing_shape_is_between(const oct_footing *f, const oct_shape *shape, footing_point at,
                                  double radius, double lo, double hi)
{
    cutting c = {.footing = f, .axis = {at.u, at.v, 0.0}, .radius = radius};
    for (size_t i = 0; i < shape->count; i++) {
        for (size_t body = 0; body < oct_convex_bodies(&shape->pieces[i]); body++) {
            begin(&c, &shape->pieces[i], body);
            if (c.is_there && c.hi > lo + FOOTING_SAME && c.lo < hi - FOOTING_SAME) {
                return true;
            }
        }
    }
    return false;
}

oct_result oct_footing_gather_shape(oct_footing *f, const oct_shape *shape, footing_point at,
                                    double radius, bool is_firm)
{
    cutting c = {.footing = f, .axis = {at.u, at.v, 0.0}, .radius = radius, .keep = f};
    for (size_t i = 0; i < shape->count; i++) {
        for (size_t body = 0; body < oct_convex_bodies(&shape->pieces[i]); body++) {
            const uint32_t first = (uint32_t)f->faces.count;
            begin(&c, &shape->pieces[i], body);
            OCT_TRY(c.result);
            if (!c.is_there) {
                continue;
            }
            const double cosine = 1.0 / sqrt(1.0 + c.gu * c.gu + c.gv * c.gv);
            const footing_slab slab = {.lo = c.lo,
                                       .hi = c.hi,
                                       .top = c.is_under ? c.top : c.hi,
                                       .gu = c.is_under ? c.gu : 0.0,
                                       .gv = c.is_under ? c.gv : 0.0,
                                       .first_face = first,
                                       .face_count = (uint32_t)f->faces.count - first,
                                       .is_under = c.is_under,
                                       .is_firm = is_firm && c.is_under &&
                                                  cosine >= f->cosine - COSINE_SLACK};
            OCT_TRY(oct_array_push(&f->slabs, &f->allocator, sizeof slab, &slab));
        }
    }
    return OCT_OK;
}

// ---- standing ----

double oct_footing_step(const oct_footing *f, double gu, double gv)
{
    if (gu == 0.0 && gv == 0.0) {
        return f->walker.step;
    }
    const double tangent = sqrt(gu * gu + gv * gv), cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    const double left = 1.0 - f->cosine * cosine - f->sine * cosine * tangent;
    return left > 0.0 ? f->walker.step * left / (1.0 - f->cosine) : 0.0;
}

// How far a slab comes above a sloped plane through the axis, at most.
static double above(const oct_footing *f, const footing_slab *s, const footing_ground *g)
{
    const footing_face *const faces = f->faces.items;
    const footing_point *const cut = f->cut.items;
    if (s->face_count == 0) {
        return s->hi - g->h + fmax(-g->gu * s->u0, -g->gu * s->u1) +
               fmax(-g->gv * s->v0, -g->gv * s->v1);
    }
    double most = -HUGE_VAL;
    for (uint32_t n = s->first_face; n < s->first_face + s->face_count; n++) {
        for (uint32_t i = faces[n].first; i < faces[n].first + faces[n].count; i++) {
            most = fmax(most, cut[i].h - g->h - g->gu * cut[i].u - g->gv * cut[i].v);
        }
    }
    return most;
}

// Whether a line between two corners of what was cut is inside the prism: an edge of the face.
static bool is_edge(const oct_footing *f, const footing_point *p, const footing_point *q)
{
    const double inner = f->walker.radius + f->walker.margin - PLANE_SLACK;
    const double u = 0.5 * (p->u + q->u), v = 0.5 * (p->v + q->v);
    bool is = true;
    for (int side = 0; side < SIDES && is; side++) {
        is = ring[side] * u + ring[(side + 12) % SIDES] * v < inner;
    }
    return is;
}

// Whether a slab rises from the ground as a slope that one walks up or down: the plane of one of
// its faces is not above the feet, and its edges are no higher than a step. All of a convex body is
// below that plane. Of a box that face is its upper side.
static bool is_slope(const oct_footing *f, const footing_slab *s, double h, double allowed,
                     double step)
{
    const footing_face *const faces = f->faces.items;
    if (s->face_count == 0) {
        return s->hi <= h + allowed + FOOTING_SAME;
    }
    for (uint32_t n = s->first_face; n < s->first_face + s->face_count; n++) {
        const footing_point *const cut = (const footing_point *)f->cut.items + faces[n].first;
        bool is = faces[n].is_walkable && faces[n].top <= h + allowed + FOOTING_SAME;
        for (uint32_t i = 0; i < faces[n].count && is; i++) {
            const footing_point *const p = &cut[i], *const q = &cut[(i + 1) % faces[n].count];
            is = fmax(p->h, q->h) <= h + step + FOOTING_SAME || !is_edge(f, p, q);
        }
        if (is) {
            return true;
        }
    }
    return false;
}

bool oct_footing_can_stand(const oct_footing *f, const footing_ground *g)
{
    const footing_slab *const slabs = f->slabs.items;
    const double step = oct_footing_step(f, g->gu, g->gv);
    double rise = 0.0;
    for (size_t i = 0; i < f->slabs.count; i++) {
        const footing_slab *const s = &slabs[i];
        const double allowed = s->is_under ? 0.0 : step;
        if ((!s->is_under || s->face_count > 0) &&
            (above(f, s, g) <= allowed + FOOTING_SAME || is_slope(f, s, g->h, allowed, step))) {
            rise = fmax(rise, s->hi - g->h);
        }
    }
    const double head = g->h + rise + f->walker.height - FOOTING_SAME;
    for (size_t i = 0; i < f->slabs.count; i++) {
        const footing_slab *const s = &slabs[i];
        const double allowed = s->is_under ? 0.0 : step;
        if (s->lo < head && above(f, s, g) > allowed + FOOTING_SAME &&
            !is_slope(f, s, g->h, allowed, step)) {
            return false;
        }
    }
    return true;
}
