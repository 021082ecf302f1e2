// SPDX-License-Identifier: MIT
// Bodies: what was told, as it is shaped. Boxes that are turned alike share a frame, in which they
// are upright: there they are measured, cut and joined as upright boxes are in the world. Hulls and
// triangles are measured by their corners.
#include "verify/proof_internal.h"

#include "game/entity_pool.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <string.h>

#define SAME 1e-12   // axes that differ by less are the same
#define INNER 1e-9   // what only grazes a box so far inside is not met, metres
#define COVERED 2e-6 // what is thinner is not left of a box, metres

// ---- frames ----

static const proof_frame *frame_at(const proof_check *c, uint32_t frame)
{
    return (const proof_frame *)c->frames.items + frame;
}

oct_point oct_proof_into(const proof_check *c, uint32_t frame, oct_point p)
{
    const proof_frame *const f = frame_at(c, frame);
    return frame == PROOF_UPRIGHT ? p
                                  : (oct_point){point_dot(f->axes[0], p), point_dot(f->axes[1], p),
                                                point_dot(f->axes[2], p)};
}

static oct_point out_of(const proof_frame *f, oct_point p)
{
    return (oct_point){f->axes[0].x * p.x + f->axes[1].x * p.y + f->axes[2].x * p.z,
                       f->axes[0].y * p.x + f->axes[1].y * p.y + f->axes[2].y * p.z,
                       f->axes[0].z * p.x + f->axes[1].z * p.y + f->axes[2].z * p.z};
}

static oct_point corner_of(const oct_bounds *b, int i)
{
    return (oct_point){i & 1 ? b->max.x : b->min.x, i & 2 ? b->max.y : b->min.y,
                       i & 4 ? b->max.z : b->min.z};
}

oct_bounds oct_proof_turned(const proof_check *c, uint32_t from, uint32_t to, const oct_bounds *b)
{
    oct_bounds all = *b;
    for (int i = 0; i < 8 && from != to; i++) {
        const oct_point p = oct_proof_into(c, to, out_of(frame_at(c, from), corner_of(b, i)));
        all = i == 0 ? (oct_bounds){p, p} : bounds_join(all, (oct_bounds){p, p});
    }
    return all;
}

// The axes of a turn: its matrix.
static void axes_of(const double q[4], oct_point axes[3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    axes[0] = (oct_point){1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    axes[1] = (oct_point){2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    axes[2] = (oct_point){2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

// Which axis of a frame lies along a direction; 3 where none does.
static int axis_along(const proof_frame *f, oct_point way)
{
    int along = 3;
    for (int i = 0; i < 3; i++) {
        const double other =
            fabs(point_dot(f->axes[(i + 1) % 3], way)) + fabs(point_dot(f->axes[(i + 2) % 3], way));
        along = other <= SAME ? i : along;
    }
    return along;
}

static uint32_t find_frame(const proof_check *c, const oct_point axes[3])
{
    for (uint32_t i = 0; i < c->frames.count; i++) {
        const proof_frame *const f = frame_at(c, i);
        if (axis_along(f, axes[0]) < 3 && axis_along(f, axes[1]) < 3 &&
            axis_along(f, axes[2]) < 3) {
            return i;
        }
    }
    return PROOF_NONE;
}

static oct_result add_frame(proof_check *c, const oct_point axes[3])
{
    const proof_frame new = {{axes[0], axes[1], axes[2]}};
    return find_frame(c, axes) != PROOF_NONE
               ? OCT_OK
               : oct_array_push(&c->frames, &c->allocator, sizeof new, &new);
}

// A box along some axes, of which a frame is known.
static oct_bounds own_box(const proof_check *c, uint32_t frame, const oct_point axes[3],
                          oct_point centre, oct_point half)
{
    const double edges[3] = {half.x, half.y, half.z};
    const oct_point m = oct_proof_into(c, frame, centre);
    double own[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const int along = axis_along(frame_at(c, frame), axes[i]);
        own[along < 3 ? along : i] = edges[i];
    }
    return (oct_bounds){{m.x - own[0], m.y - own[1], m.z - own[2]},
                        {m.x + own[0], m.y + own[1], m.z + own[2]}};
}

// ---- making them ----

static oct_result push(proof_check *c, const proof_body *body)
{
    return oct_array_push(&c->bodies, &c->allocator, sizeof *body, body);
}

static oct_result add_turned(proof_check *c, const oct_piece *p)
{
    oct_point axes[3];
    axes_of(p->turn, axes);
    OCT_TRY(add_frame(c, axes));
    proof_body new = {.frame = find_frame(c, axes)};
    new.own = own_box(c, new.frame, axes, p->centre, p->half);
    new.box = oct_proof_turned(c, new.frame, PROOF_UPRIGHT, &new.own);
    return push(c, &new);
}

static oct_result add_hull(proof_check *c, const oct_piece *p, size_t number)
{
    static const convex_padding none = {.half = {0, 0, 0}};
    const proof_body body = {.frame = PROOF_NONE, .piece = p, .number = number};
    OCT_TRY(push(c, &body));
    proof_body *const new = (proof_body *)c->bodies.items + c->bodies.count - 1;
    oct_array axes = {0};
    size_t first;
    OCT_TRY(oct_convex_of_piece(3, p, number, (oct_point){0, 0, 0}, 1.0, &none, &c->allocator,
                                &axes, &first, &new->hull));
    new->hull.axes = axes.items;
    new->box = (oct_bounds){new->hull.lo, new->hull.hi};
    return OCT_OK;
}

static oct_result add_piece(proof_check *c, const oct_piece *p)
{
    if (p->kind == OCT_PIECE_OBB) {
        return add_turned(c, p);
    }
    if (p->kind == OCT_PIECE_BOX) {
        const proof_body new = {.own = p->box, .box = p->box};
        return push(c, &new);
    }
    for (size_t i = 0; i < oct_convex_bodies(p) && p->point_count > 0; i++) {
        OCT_TRY(add_hull(c, p, i));
    }
    return OCT_OK;
}

static oct_result add_thing(proof_check *c, const oct_entity *e)
{
    if (oct_entity_is_upright(e)) {
        const proof_body new = {.own = e->thing.box, .box = e->thing.box};
        return push(c, &new);
    }
    for (size_t i = 0; i < e->shape.count; i++) {
        OCT_TRY(add_piece(c, &e->shape.pieces[i]));
    }
    return OCT_OK;
}

oct_result oct_proof_make_bodies(proof_check *c)
{
    const oct_point upright[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const size_t count = c->log->thing_count;
    c->body_of = oct_proof_alloc(c, count + 1, sizeof *c->body_of);
    if (!c->body_of) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(add_frame(c, upright));
    for (size_t i = 0; i < count; i++) {
        c->body_of[i] = (uint32_t)c->bodies.count;
        OCT_TRY(add_thing(c, &c->log->things[i]));
    }
    c->body_of[count] = (uint32_t)c->bodies.count;
    return OCT_OK;
}

proof_bodies oct_proof_bodies_of(const proof_check *c, uint32_t version)
{
    const uint32_t first = c->body_of[version];
    return (proof_bodies){(const proof_body *)c->bodies.items + first,
                          c->body_of[version + 1] - first};
}

proof_bodies oct_proof_thing_bodies(const proof_check *c, uint32_t thing)
{
    return oct_proof_bodies_of(c, c->things[thing].version);
}

// ---- aims ----

proof_aim oct_proof_aim_at(const proof_check *c, uint32_t thing, double reach)
{
    const proof_bodies all = oct_proof_thing_bodies(c, thing);
    const bool is_box = all.count == 1 && all.items[0].frame != PROOF_NONE;
    const uint32_t frame = is_box ? all.items[0].frame : PROOF_UPRIGHT;
    const oct_bounds box = is_box ? all.items[0].own : oct_proof_entity(c, thing)->thing.box;
    return (proof_aim){frame, box, box, reach};
}

static oct_bounds claimed_box(const proof_check *c, uint32_t frame, const oct_point axes[3],
                              const oct_bounds *b)
{
    const proof_frame f = {{axes[0], axes[1], axes[2]}};
    const oct_point half = {(b->max.x - b->min.x) / 2, (b->max.y - b->min.y) / 2,
                            (b->max.z - b->min.z) / 2};
    if (frame != PROOF_NONE) {
        return own_box(c, frame, axes, out_of(&f, proof_middle(b)), half);
    }
    oct_bounds all = *b;
    for (int i = 0; i < 8; i++) {
        const oct_point p = out_of(&f, corner_of(b, i));
        all = i == 0 ? (oct_bounds){p, p} : bounds_join(all, (oct_bounds){p, p});
    }
    return all;
}

proof_aim oct_proof_aim_at_target(const proof_check *c)
{
    const oct_proof_target *const t = &c->proof->target;
    if (t->turn[0] == 0.0 && t->turn[1] == 0.0 && t->turn[2] == 0.0) {
        return (proof_aim){PROOF_UPRIGHT, t->box, t->within, t->reach};
    }
    oct_point axes[3];
    axes_of(t->turn, axes);
    const uint32_t frame = find_frame(c, axes);
    return (proof_aim){frame == PROOF_NONE ? PROOF_UPRIGHT : frame,
                       claimed_box(c, frame, axes, &t->box),
                       claimed_box(c, frame, axes, &t->within), t->reach};
}

// ---- distances ----

static double furthest(double lo, double hi, double of_lo, double of_hi)
{
    return fmax(proof_beyond(lo, of_lo, of_hi), proof_beyond(hi, of_lo, of_hi));
}

// Whether every point of an upright box is so near to a body: if all corners are.
bool oct_proof_is_all_near(const proof_check *c, const oct_bounds *b, const proof_body *to,
                           double limit)
{
    if (to->frame == PROOF_UPRIGHT) {
        const double x = furthest(b->min.x, b->max.x, to->own.min.x, to->own.max.x);
        const double y = furthest(b->min.y, b->max.y, to->own.min.y, to->own.max.y);
        const double z = furthest(b->min.z, b->max.z, to->own.min.z, to->own.max.z);
        return x * x + y * y + z * z <= limit * limit;
    }
    bool is = proof_box_distance2(b, &to->box) <= limit * limit;
    for (int i = 0; i < 8 && is; i++) {
        is = oct_proof_distance(c, to, corner_of(b, i)) <= limit;
    }
    return is;
}

double oct_proof_distance(const proof_check *c, const proof_body *to, oct_point at)
{
    return to->frame == PROOF_NONE
               ? oct_convex_gap(to->piece, to->number, at).most
               : sqrt(proof_point_distance2(oct_proof_into(c, to->frame, at), &to->own));
}

bool oct_proof_holds(const proof_check *c, const proof_body *body, oct_point at)
{
    return body->frame == PROOF_NONE
               ? oct_convex_holds(&body->hull, at)
               : proof_point_distance2(oct_proof_into(c, body->frame, at), &body->own) == 0.0;
}

// ---- ways ----

// Cuts a stretch to where offset + t * slope <= 0.
static void cut(proof_stretch *s, double offset, double slope)
{
    if (slope > 0.0) {
        s->to = fmin(s->to, -offset / slope);
    } else if (slope < 0.0) {
        s->from = fmax(s->from, -offset / slope);
    } else if (offset > 0.0) {
        s->to = -1.0;
    }
}

// The stretch of the ways from an eye to all points of a box on which another box is met, on one
// axis: at t the ways fill what lies between eye + t (lo - eye) and eye + t (hi - eye).
static void cut_axis(proof_stretch *s, double eye, double lo, double hi, double box_lo,
                     double box_hi)
{
    cut(s, eye - (box_hi - INNER), lo - eye);
    cut(s, (box_lo + INNER) - eye, eye - hi);
}

static proof_stretch meet_box(oct_point eye, const oct_bounds *to, const oct_bounds *box)
{
    proof_stretch s = {0.0, 1.0};
    cut_axis(&s, eye.x, to->min.x, to->max.x, box->min.x, box->max.x);
    cut_axis(&s, eye.y, to->min.y, to->max.y, box->min.y, box->max.y);
    cut_axis(&s, eye.z, to->min.z, to->max.z, box->min.z, box->max.z);
    return s;
}

// A hull lies between two planes along the normal of each of its faces.
static proof_stretch meet_hull(oct_point eye, const oct_bounds *to, const convex *hull)
{
    const oct_point m = proof_middle(to);
    proof_stretch s = {0.0, 1.0};
    for (uint32_t i = 0; i < hull->faces; i++) {
        const convex_axis *const a = &hull->axes[i];
        const oct_point n = {2.0 * a->n[0], 2.0 * a->n[1], 2.0 * a->n[2]};
        const double half = fabs(n.x) * (to->max.x - m.x) + fabs(n.y) * (to->max.y - m.y) +
                            fabs(n.z) * (to->max.z - m.z);
        const double at = point_dot(n, m);
        cut_axis(&s, point_dot(n, eye), at - half, at + half, (double)a->lo, (double)a->hi);
    }
    return s;
}

proof_stretch oct_proof_meet(const proof_check *c, const proof_body *body, oct_point eye,
                             const oct_bounds *to)
{
    if (body->frame == PROOF_NONE) {
        return meet_hull(eye, to, &body->hull);
    }
    const oct_bounds own = oct_proof_turned(c, PROOF_UPRIGHT, body->frame, to);
    return meet_box(oct_proof_into(c, body->frame, eye), &own, &body->own);
}

bool oct_proof_is_in_way(const proof_check *c, const proof_body *body, oct_point from, oct_point to,
                         double close)
{
    const oct_bounds one = {from, from}, two = {to, to};
    const oct_bounds way = bounds_join(one, two), near = proof_grown(&way, close);
    if (body->frame == PROOF_UPRIGHT || proof_box_distance2(&near, &body->box) > 0.0) {
        return proof_box_distance2(&near, &body->box) == 0.0;
    }
    if (body->frame == PROOF_NONE) {
        const proof_stretch s = meet_hull(from, &two, &body->hull);
        return s.from <= s.to;
    }
    const oct_point end = oct_proof_into(c, body->frame, to);
    const oct_bounds own_end = {end, end}, grown = proof_grown(&body->own, close);
    const proof_stretch s = meet_box(oct_proof_into(c, body->frame, from), &own_end, &grown);
    return s.from <= s.to;
}

// ---- what is covered ----

static bool has_volume(const oct_bounds *b)
{
    return b->max.x - b->min.x > COVERED && b->max.y - b->min.y > COVERED &&
           b->max.z - b->min.z > COVERED;
}

static double *side_of(oct_bounds *b, int side)
{
    oct_point *const p = side & 1 ? &b->max : &b->min;
    return side < 2 ? &p->x : side < 4 ? &p->y : &p->z;
}

// Whether a box of a frame lies in the boxes of that frame among some bodies, from one of them on:
// what lies beyond each side of the first that overlaps it must lie in the others.
static bool is_in_boxes(const proof_check *c, uint32_t frame, oct_bounds b,
                        const proof_body *const *all, size_t count)
{
    if (!has_volume(&b)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        oct_bounds in = all[i]->own;
        if (all[i]->frame != frame || proof_box_distance2(&in, &b) > 0.0) {
            continue;
        }
        bool is = true;
        for (int side = 0; side < 6 && is; side++) {
            const double at = *side_of(&in, side);
            double *const from = side_of(&b, side), *const to = side_of(&b, side ^ 1);
            const bool reaches = side & 1 ? *from > at : *from < at;
            if (reaches) {
                oct_bounds rest = b;
                // All of it where the box ends before it begins.
                const double edge = side & 1 ? fmax(at, *to) : fmin(at, *to);
                *side_of(&rest, side ^ 1) = edge;
                is = is_in_boxes(c, frame, rest, all + i + 1, count - i - 1);
                *from = edge;
            }
        }
        return is;
    }
    return false;
}

bool oct_proof_is_covered(const proof_check *c, uint32_t frame, const oct_bounds *b,
                          const proof_body *const *all, size_t count)
{
    uint32_t tried = PROOF_NONE;
    for (size_t i = 0; i < count; i++) {
        const proof_body *const body = all[i];
        if (body->frame == PROOF_NONE) {
            bool is = body->piece->kind == OCT_PIECE_HULL &&
                      body->piece->point_count <= CONVEX_POINTS_MAX;
            for (int k = 0; k < 8 && is; k++) {
                is = oct_convex_holds(&body->hull, out_of(frame_at(c, frame), corner_of(b, k)));
            }
            if (is) {
                return true;
            }
        } else if (body->frame != tried && body->frame != frame) {
            tried = body->frame;
            const oct_bounds own = oct_proof_turned(c, frame, tried, b);
            if (is_in_boxes(c, tried, own, all, count)) {
                return true;
            }
        }
    }
    return false;
}
