// SPDX-License-Identifier: MIT
// Solids: gaps, sweeps and rays.
//
// The squared distance of a segment's point from a box is convex along the segment and quadratic
// between the at most six points where the segment passes the planes of the box's faces. Its slope
// grows; the piece in which it passes 0 is found by trying each such point once, and in that piece
// the slope is linear.
//
// As a function of the share of a way, the gap between two convex things is convex as well, and
// its slope is the speed across the slab between them. So a safe step is a step of Newton's method
// from the left: it never passes the root, and a flat face takes one.
#include "game/solids_internal.h"

#include <math.h>

// A sweep ends when it is this near to the skin, metres.
#define NEAR_ENOUGH 1e-7
// Closing in by so little of the way is rounding of who slides along, as long as half the skin is
// left.
#define SLIDING 1e-9
// Newton halves what is left at least; more rounds than this are never needed, and stopping early
// is safe.
#define ROUNDS_MAX 64
// Ways are looked at in pieces of at most this length, metres, so that few solids are near each.
#define PIECE 5.0
// Gaps are looked for in reaches that grow.
#define FIRST_REACH 1.0
#define NEXT_REACH 4.0

// ---- one capsule and one box ----

// A capsule in a frame's coordinates.
typedef struct local {
    double centre[3];
    double axis[3];
    double inverse[3]; // of the axis
    double half, radius;
} local;

static local local_of(const solids_frame *f, const capsule *c)
{
    local l = {.half = c->half, .radius = c->radius};
    solids_turn_in(f, point_sub(c->centre, f->origin), l.centre);
    solids_turn_in(f, c->axis, l.axis);
    for (int i = 0; i < 3; i++) {
        l.inverse[i] = 1.0 / l.axis[i];
    }
    return l;
}

// From the interval to a place beside it; 0 in it.
OCT_FORCE_INLINE double beyond(double at, double min, double max)
{
    return at > max ? at - max : at < min ? at - min : 0.0;
}

// Half the slope of the squared distance at t along the axis.
OCT_FORCE_INLINE double slope(const solid *box, const local *l, const double centre[3], double t)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += l->axis[i] * beyond(centre[i] + t * l->axis[i], box->min[i], box->max[i]);
    }
    return sum;
}

// Where along the axis the segment is nearest to the box.
static double nearest(const solid *box, const local *l, const double centre[3])
{
    double lo = -l->half, hi = l->half;
    double at_lo = slope(box, l, centre, lo), at_hi = slope(box, l, centre, hi);
    if (at_lo >= 0.0) {
        return lo;
    }
    if (at_hi <= 0.0) {
        return hi;
    }
    for (int i = 0; i < 6; i++) {
        const int k = i >> 1;
        const double face = i & 1 ? box->max[k] : box->min[k];
        const double t = (face - centre[k]) * l->inverse[k];
        if (t > lo && t < hi) { // not for what is no number: an axis along the face
            const double at = slope(box, l, centre, t);
            if (at < 0.0) {
                lo = t;
                at_lo = at;
            } else {
                hi = t;
                at_hi = at;
            }
        }
    }
    return lo + (hi - lo) * (at_lo / (at_lo - at_hi));
}

// The squared distance of the segment (its centre given apart) from the box; `from` is the vector
// from the box to it.
OCT_FORCE_INLINE double separation(const solid *box, const local *l, const double centre[3],
                                   double from[3])
{
    const double t = nearest(box, l, centre);
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        from[i] = beyond(centre[i] + t * l->axis[i], box->min[i], box->max[i]);
        square += from[i] * from[i];
    }
    return square;
}

// The squared distance of a point.
OCT_FORCE_INLINE double point_square(const double min[3], const double max[3], const double at[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = beyond(at[i], min[i], max[i]);
        square += d * d;
    }
    return square;
}

OCT_FORCE_INLINE bool has_part(const solid *box)
{
    return box->min[0] <= box->max[0];
}

// ---- boxes of the world ----

typedef struct world_box {
    double min[3], max[3];
} world_box;

static world_box box_around(oct_point at, double x, double y, double z)
{
    return (world_box){{at.x - x, at.y - y, at.z - z}, {at.x + x, at.y + y, at.z + z}};
}

static world_box box_of(const capsule *c, double margin)
{
    const double r = c->radius + margin;
    return box_around(c->centre, fabs(c->axis.x) * c->half + r, fabs(c->axis.y) * c->half + r,
                      fabs(c->axis.z) * c->half + r);
}

// Grown to hold the same box elsewhere.
static world_box box_swept(world_box box, oct_point by)
{
    const double way[3] = {by.x, by.y, by.z};
    for (int i = 0; i < 3; i++) {
        box.min[i] += way[i] < 0.0 ? way[i] : 0.0;
        box.max[i] += way[i] > 0.0 ? way[i] : 0.0;
    }
    return box;
}

OCT_FORCE_INLINE bool frame_meets(const solids_frame *f, const world_box *box)
{
    return f->min[0] <= box->max[0] && f->max[0] >= box->min[0] && f->min[1] <= box->max[1] &&
           f->max[1] >= box->min[1] && f->min[2] <= box->max[2] && f->max[2] >= box->min[2];
}

// ---- near a point ----

typedef struct near_query {
    const solids *s;
    double at[3];
    double square;
    solids_fn *visit;
    void *ctx;
} near_query;

OCT_FORCE_INLINE bool near_visit(void *ctx, uint32_t i)
{
    const near_query *const q = ctx;
    const oct_bounds *const home = (const oct_bounds *)q->s->homes.items + i;
    const double min[3] = {home->min.x, home->min.y, home->min.z};
    const double max[3] = {home->max.x, home->max.y, home->max.z};
    return point_square(min, max, q->at) > q->square || q->visit(q->ctx, i);
}

void oct_solids_near(const solids *s, oct_point at, double radius, solids_fn *visit, void *ctx)
{
    const world_box box = box_around(at, radius, radius, radius);
    near_query q = {.s = s, .square = radius * radius, .visit = visit, .ctx = ctx};
    for (uint32_t i = 0; i < s->frames.count; i++) {
        const solids_frame *const f = solids_frame_at(s, i);
        double min[3], max[3];
        solids_range range;
        if (!frame_meets(f, &box)) {
            continue;
        }
        solids_turn_in(f, point_sub(at, f->origin), q.at);
        for (int k = 0; k < 3; k++) {
            min[k] = q.at[k] - radius;
            max[k] = q.at[k] + radius;
        }
        if (!solids_visit_large(s, f, near_visit, &q) ||
            (solids_range_of(f, min, max, &range) &&
             !solids_visit_range(s, i, &range, near_visit, &q))) {
            return;
        }
    }
}

// ---- gaps ----

typedef struct gap_query {
    const solids *s;
    local l;
    double best; // at most the limit
} gap_query;

static double gap_of(const solid *box, const local *l, double limit)
{
    const double reach = limit + l->half + l->radius;
    if (!has_part(box) || point_square(box->min, box->max, l->centre) >= reach * reach) {
        return limit;
    }
    double from[3];
    const double gap = sqrt(separation(box, l, l->centre, from)) - l->radius;
    return gap < limit ? gap : limit;
}

OCT_FORCE_INLINE bool gap_visit(void *ctx, uint32_t i)
{
    gap_query *const q = ctx;
    q->best = gap_of(solids_at(q->s, i), &q->l, q->best);
    return true;
}

// In the frames from first to last, both included.
static double gap_within(const solids *s, const capsule *body, double limit, uint32_t first,
                         uint32_t last)
{
    const world_box box = box_of(body, limit);
    gap_query q = {.s = s, .best = limit};
    for (uint32_t i = first; i <= last && i < s->frames.count; i++) {
        const solids_frame *const f = solids_frame_at(s, i);
        double min[3], max[3];
        solids_range range;
        if (!frame_meets(f, &box)) {
            continue;
        }
        q.l = local_of(f, body);
        for (int k = 0; k < 3; k++) {
            const double reach = fabs(q.l.axis[k]) * body->half + body->radius + q.best;
            min[k] = q.l.centre[k] - reach;
            max[k] = q.l.centre[k] + reach;
        }
        solids_visit_large(s, f, gap_visit, &q);
        if (solids_range_of(f, min, max, &range)) {
            solids_visit_range(s, i, &range, gap_visit, &q);
        }
    }
    return q.best;
}

static double gap_among(const solids *s, const capsule *body, double limit, uint32_t first,
                        uint32_t last)
{
    for (double reach = FIRST_REACH; reach < limit; reach *= NEXT_REACH) {
        const double gap = gap_within(s, body, reach, first, last);
        if (gap < reach) {
            return gap;
        }
    }
    // No gap is less than this.
    return limit > -body->radius ? gap_within(s, body, limit, first, last) : limit;
}

double oct_solids_gap(const solids *s, const capsule *body, double limit)
{
    return gap_among(s, body, limit, 0, SOLIDS_NONE);
}

double oct_solids_gap_to_frame(const solids *s, uint32_t frame, const capsule *body, double limit)
{
    return gap_among(s, body, limit, frame, frame);
}

double oct_solids_gap_to(const solids *s, uint32_t i, const capsule *body, double limit)
{
    const solid *const item = solids_at(s, i);
    if (!has_part(item) || limit <= -body->radius) {
        return limit;
    }
    const local l = local_of(solids_frame_at(s, item->frame), body);
    return gap_of(item, &l, limit);
}

// ---- sweeps ----

typedef struct sweep_query {
    const solids *s;
    local l;
    double by[3];
    double length;
    double from;      // where the piece begins
    double best;      // the share that is free as far as one knows
    uint32_t solid;   // what is met there, or NONE
    double normal[3]; // in its frame
    double gap;
} sweep_query;

static void stop_at(sweep_query *q, uint32_t i, double share, const double from[3], double distance)
{
    if (share == q->best && q->solid <= i) {
        return;
    }
    q->best = share;
    q->solid = i;
    q->gap = distance - q->l.radius;
    for (int k = 0; k < 3; k++) {
        // Who is inside a solid goes nowhere: it is met head on.
        q->normal[k] = distance > 0.0 ? from[k] / distance : -q->by[k] / q->length;
    }
}

OCT_FORCE_INLINE bool sweep_visit(void *ctx, uint32_t i)
{
    sweep_query *const q = ctx;
    const solid *const box = solids_at(q->s, i);
    const double slack =
        SLIDING * q->length < 0.25 * SOLIDS_SKIN ? SLIDING * q->length : 0.25 * SOLIDS_SKIN;
    double share = q->from, centre[3], from[3], distance = 0.0;
    if (!has_part(box)) {
        return true;
    }
    for (int round = 0; round < ROUNDS_MAX; round++) {
        for (int k = 0; k < 3; k++) {
            centre[k] = q->l.centre[k] + share * q->by[k];
        }
        const double reach =
            (q->best - share) * q->length + q->l.half + q->l.radius + SOLIDS_SKIN + NEAR_ENOUGH;
        if (round == 0 && point_square(box->min, box->max, centre) > reach * reach) {
            return true;
        }
        distance = sqrt(separation(box, &q->l, centre, from));
        const double gap = distance - q->l.radius;
        const double towards = q->by[0] * from[0] + q->by[1] * from[1] + q->by[2] * from[2];
        // How fast the gap closes, for the whole way.
        const double closing = distance > 0.0 ? -towards / distance : q->length;
        if (closing <= 0.0 || (closing <= slack && gap > 0.5 * SOLIDS_SKIN)) {
            return true;
        }
        if (gap <= SOLIDS_SKIN + NEAR_ENOUGH) {
            break;
        }
        share += (gap - SOLIDS_SKIN) / closing;
        if (share > q->best) {
            return true;
        }
    }
    stop_at(q, i, share, from, distance);
    return true;
}

// What of the way from 0 to best has anything of the frame's cells near it; false for nothing.
static bool clip(const solids_frame *f, const sweep_query *q, const double reach[3], double *from,
                 double *to)
{
    *from = 0.0;
    *to = q->best;
    for (int k = 0; k < 3; k++) {
        const double min = f->cells_min[k] - reach[k] - q->l.centre[k];
        const double max = f->cells_max[k] + reach[k] - q->l.centre[k];
        if (q->by[k] == 0.0) {
            if (!(min <= 0.0 && max >= 0.0)) {
                return false;
            }
            continue;
        }
        const double a = min / q->by[k], b = max / q->by[k];
        const double enters = a < b ? a : b, leaves = a < b ? b : a;
        *from = enters > *from ? enters : *from;
        *to = leaves < *to ? leaves : *to;
    }
    return *from <= *to;
}

static void sweep_frame(sweep_query *q, uint32_t frame)
{
    const solids_frame *const f = solids_frame_at(q->s, frame);
    double reach[3], from, to;
    q->from = 0.0;
    solids_visit_large(q->s, f, sweep_visit, q);
    for (int k = 0; k < 3; k++) {
        reach[k] = fabs(q->l.axis[k]) * q->l.half + q->l.radius + 2.0 * SOLIDS_SKIN;
    }
    if (!clip(f, q, reach, &from, &to)) {
        return;
    }
    const double pieces = floor((to - from) * q->length / PIECE) + 1.0;
    for (double piece = 0.0; piece < pieces; piece += 1.0) {
        const double first = from + (to - from) * (piece / pieces);
        const double last = from + (to - from) * ((piece + 1.0) / pieces);
        double min[3], max[3];
        solids_range range;
        if (first > q->best) {
            return;
        }
        for (int k = 0; k < 3; k++) {
            const double a = q->l.centre[k] + first * q->by[k];
            const double b = q->l.centre[k] + last * q->by[k];
            min[k] = (a < b ? a : b) - reach[k];
            max[k] = (a < b ? b : a) + reach[k];
        }
        q->from = first;
        if (solids_range_of(f, min, max, &range)) {
            solids_visit_range(q->s, frame, &range, sweep_visit, q);
        }
    }
}

static oct_point normal_in_world(const solids_frame *f, const double normal[3])
{
    return oct_motion_to_world(&f->axes, (oct_point){normal[0], normal[1], normal[2]});
}

static bool sweep_among(const solids *s, const capsule *body, oct_point by, uint32_t first,
                        uint32_t last, uint32_t except, solid_hit *out)
{
    const world_box box = box_swept(box_of(body, 2.0 * SOLIDS_SKIN), by);
    sweep_query q = {.s = s, .length = sqrt(point_dot(by, by)), .best = 1.0, .solid = SOLIDS_NONE};
    *out = (solid_hit){.share = 1.0, .solid = SOLIDS_NONE};
    if (!(q.length > 0.0)) {
        return false;
    }
    for (uint32_t i = first; i <= last && i < s->frames.count; i++) {
        const solids_frame *const f = solids_frame_at(s, i);
        if (i == except || !frame_meets(f, &box)) {
            continue;
        }
        q.l = local_of(f, body);
        solids_turn_in(f, by, q.by);
        sweep_frame(&q, i);
    }
    if (q.solid == SOLIDS_NONE) {
        return false;
    }
    const solids_frame *const f = solids_frame_at(s, solids_at(s, q.solid)->frame);
    *out = (solid_hit){q.best, normal_in_world(f, q.normal), q.solid, q.gap};
    return true;
}

bool oct_solids_sweep(const solids *s, const capsule *body, oct_point by, uint32_t except_frame,
                      solid_hit *out)
{
    return sweep_among(s, body, by, 0, SOLIDS_NONE, except_frame, out);
}

bool oct_solids_sweep_to_frame(const solids *s, uint32_t frame, const capsule *body, oct_point by,
                               solid_hit *out)
{
    return sweep_among(s, body, by, frame, frame, SOLIDS_NONE, out);
}

// ---- rays ----

typedef struct ray_query {
    const solids *s;
    double from[3], by[3];
    double best;
    double margin; // that boxes are grown by on every side
    uint32_t except, solid;
    int axis; // of the face that is met
} ray_query;

OCT_FORCE_INLINE bool ray_visit(void *ctx, uint32_t i)
{
    ray_query *const q = ctx;
    const solid *const box = solids_at(q->s, i);
    double enters = -HUGE_VAL, leaves = HUGE_VAL;
    int axis = 0;
    if (i == q->except || !has_part(box)) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        const double min = box->min[k] - q->margin, max = box->max[k] + q->margin;
        if (q->by[k] == 0.0) {
            if (q->from[k] < min || q->from[k] > max) {
                return true;
            }
            continue;
        }
        const double a = (min - q->from[k]) / q->by[k];
        const double b = (max - q->from[k]) / q->by[k];
        const double near = a < b ? a : b, far = a < b ? b : a;
        if (near > enters) {
            enters = near;
            axis = k;
        }
        leaves = far < leaves ? far : leaves;
    }
    if (enters >= 0.0 && enters <= leaves &&
        (enters < q->best || (enters == q->best && i < q->solid))) {
        q->best = enters;
        q->solid = i;
        q->axis = axis;
    }
    return true;
}

static void ray_frame(ray_query *q, uint32_t frame, double length)
{
    const solids_frame *const f = solids_frame_at(q->s, frame);
    const sweep_query way = {.l = {.centre = {q->from[0], q->from[1], q->from[2]}},
                             .by = {q->by[0], q->by[1], q->by[2]},
                             .best = q->best};
    const double reach[3] = {SOLIDS_SKIN, SOLIDS_SKIN, SOLIDS_SKIN};
    double from, to;
    solids_visit_large(q->s, f, ray_visit, q);
    if (!clip(f, &way, reach, &from, &to)) {
        return;
    }
    const double pieces = floor((to - from) * length / PIECE) + 1.0;
    for (double piece = 0.0; piece < pieces; piece += 1.0) {
        const double first = from + (to - from) * (piece / pieces);
        const double last = from + (to - from) * ((piece + 1.0) / pieces);
        double min[3], max[3];
        solids_range range;
        if (first > q->best) {
            return;
        }
        for (int k = 0; k < 3; k++) {
            const double a = q->from[k] + first * q->by[k], b = q->from[k] + last * q->by[k];
            min[k] = (a < b ? a : b) - SOLIDS_SKIN;
            max[k] = (a < b ? b : a) + SOLIDS_SKIN;
        }
        if (solids_range_of(f, min, max, &range)) {
            solids_visit_range(q->s, frame, &range, ray_visit, q);
        }
    }
}

static bool ray_among(const solids *s, oct_point from, oct_point to, double margin, uint32_t except,
                      solid_hit *out)
{
    const oct_point by = point_sub(to, from);
    const double length = sqrt(point_dot(by, by));
    const world_box box = box_swept(box_around(from, SOLIDS_SKIN, SOLIDS_SKIN, SOLIDS_SKIN), by);
    ray_query q = {.s = s, .best = 1.0, .margin = margin, .except = except, .solid = SOLIDS_NONE};
    *out = (solid_hit){.share = 1.0, .solid = SOLIDS_NONE};
    for (uint32_t i = 0; i < s->frames.count && length > 0.0; i++) {
        const solids_frame *const f = solids_frame_at(s, i);
        if (!frame_meets(f, &box)) {
            continue;
        }
        solids_turn_in(f, point_sub(from, f->origin), q.from);
        solids_turn_in(f, by, q.by);
        ray_frame(&q, i, length);
    }
    if (q.solid == SOLIDS_NONE) {
        return false;
    }
    const solids_frame *const f = solids_frame_at(s, solids_at(s, q.solid)->frame);
    double normal[3] = {0.0, 0.0, 0.0}, way[3];
    solids_turn_in(f, by, way);
    normal[q.axis] = way[q.axis] > 0.0 ? -1.0 : 1.0;
    *out = (solid_hit){q.best, normal_in_world(f, normal), q.solid, 0.0};
    return true;
}

bool oct_solids_ray(const solids *s, oct_point from, oct_point to, uint32_t except, solid_hit *out)
{
    return ray_among(s, from, to, 0.0, except, out);
}

bool oct_solids_line_is_free(const solids *s, oct_point from, oct_point to, uint32_t except)
{
    solid_hit hit;
    return !ray_among(s, from, to, SOLIDS_SKIN, except, &hit);
}
