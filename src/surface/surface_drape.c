// SPDX-License-Identifier: MIT
// Lines on a surface: which faces a leg goes through, and at which heights.
//
// A leg may run along edges and through corners, where rounding cannot tell the faces. So all faces
// are found that it touches, from its first ones over edges that it touches; each has a part of
// the leg, and of these the longest at every place are taken.
#include "surface/surface_path.h"

#include <math.h>
#include <stdlib.h>

#define SHARE 1e-9 // of a metre, at 1 m; more far away from the origin

typedef struct leg {
    double x, y, dx, dy;
    double slack;
} leg;

// ---- which faces ----

static void keep(double a, double b, leg_part *part)
{
    if (a < 0.0 && b < 0.0) {
        part->end = -1.0;
    } else if (a < 0.0) {
        part->start = a / (a - b) > part->start ? a / (a - b) : part->start;
    } else if (b < 0.0) {
        part->end = a / (a - b) < part->end ? a / (a - b) : part->end;
    }
}

// Keeps what is to the left of an edge.
static void keep_left(const half_edge *p, const half_edge *q, const leg *l, double slack,
                      leg_part *part)
{
    const double scale = sqrt(p->inverse);
    const double a = ground_turn(p->x, p->y, q->x, q->y, l->x, l->y) * scale;
    const double b = ground_turn(p->x, p->y, q->x, q->y, l->x + l->dx, l->y + l->dy) * scale;
    keep(a + slack, b + slack, part);
}

static bool touches_edge(const half_edge *p, const half_edge *q, const leg *l)
{
    leg_part part = {0.0, 1.0, 0};
    keep_left(p, q, l, l->slack, &part);
    keep_left(q, p, l, l->slack, &part);
    const double scale = sqrt(p->inverse), length = 1.0 / scale;
    const double ux = (q->x - p->x) * scale, uy = (q->y - p->y) * scale;
    const double a = (l->x - p->x) * ux + (l->y - p->y) * uy, b = a + l->dx * ux + l->dy * uy;
    keep(a + l->slack, b + l->slack, &part);
    keep(length + l->slack - a, length + l->slack - b, &part);
    return part.start <= part.end;
}

static oct_result reach(oct_surface_planner *p, uint32_t face)
{
    if (p->stamps[face] == p->face_stamp) {
        return OCT_OK;
    }
    p->stamps[face] = p->face_stamp;
    return oct_array_push(&p->queue, &p->allocator, sizeof face, &face);
}

static oct_result look_at_face(oct_surface_planner *planner, uint32_t face, const leg *l)
{
    const oct_surface *const s = planner->surface;
    const surface_face *const f = &s->faces[face];
    leg_part part = {0.0, 1.0, face};
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        keep_left(p, q, l, l->slack, &part);
        if (p->twin != NO_EDGE && touches_edge(p, q, l)) {
            OCT_TRY(reach(planner, s->edges[p->twin].face));
        }
    }
    return part.start <= part.end
               ? oct_array_push(&planner->parts, &planner->allocator, sizeof part, &part)
               : OCT_OK;
}

static oct_result new_faces(oct_surface_planner *p)
{
    const size_t size = p->surface->info.faces * sizeof *p->stamps;
    if (!p->stamps) {
        p->stamps = oct_alloc(&p->allocator, size, _Alignof(uint32_t));
        if (!p->stamps) {
            return OCT_ERROR_MEMORY;
        }
        memset(p->stamps, 0, size);
    }
    if (++p->face_stamp == 0) {
        memset(p->stamps, 0, size);
        p->face_stamp = 1;
    }
    return OCT_OK;
}

static int by_start(const void *a, const void *b)
{
    const leg_part *const x = a, *const y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    if (x->end != y->end) {
        return x->end > y->end ? -1 : 1;
    }
    return (x->face > y->face) - (x->face < y->face);
}

// Begins with the faces in the queue, and leaves there those that hold the leg's end.
static oct_result find_parts(oct_surface_planner *p, const leg *l)
{
    OCT_TRY(new_faces(p));
    p->parts.count = 0;
    for (size_t i = 0; i < p->queue.count; i++) {
        p->stamps[((const uint32_t *)p->queue.items)[i]] = p->face_stamp;
    }
    for (size_t i = 0; i < p->queue.count; i++) {
        OCT_TRY(look_at_face(p, ((const uint32_t *)p->queue.items)[i], l));
    }
    leg_part *const parts = p->parts.items;
    if (p->parts.count > 1) {
        qsort(parts, p->parts.count, sizeof *parts, by_start);
    }
    p->queue.count = 0;
    for (size_t i = 0; i < p->parts.count; i++) {
        if (parts[i].end >= 1.0) {
            OCT_TRY(oct_array_push(&p->queue, &p->allocator, sizeof(uint32_t), &parts[i].face));
        }
    }
    return OCT_OK;
}

// ---- at which heights ----

static oct_result add_point(oct_surface_planner *p, uint32_t face, const leg *l, double t)
{
    const oct_surface *const s = p->surface;
    const double x = l->x + t * l->dx, y = l->y + t * l->dy;
    const oct_point at = surface_out(s, (ground_point){x, y, oct_surface_height_at(s, face, x, y)});
    OCT_TRY(oct_array_push(&p->drape_faces, &p->allocator, sizeof face, &face));
    return oct_array_push(&p->drape, &p->allocator, sizeof at, &at);
}

// Where a leg crosses a line, as a share of the leg; -1 where it runs along it. *along: where on
// the line that is, from 0 at its first point to 1 at the other.
static double crossing(const leg *l, double x, double y, double ex, double ey, double *along)
{
    const double rate = l->dx * ey - l->dy * ex;
    const double px = x - l->x, py = y - l->y;
    *along = rate != 0.0 ? (px * l->dy - py * l->dx) / rate : -1.0;
    return rate != 0.0 ? (px * ey - py * ex) / rate : -1.0;
}

// The first place after `last` and before `next` at which a leg crosses a diagonal of a face's fan,
// or an edge of its triangles of heights.
static double next_bend(const oct_surface *s, uint32_t face, const leg *l, double last, double next)
{
    const ground_point(*triangles)[3];
    const uint32_t count = details_of(s, face, &triangles);
    double along;
    for (uint32_t i = 0; i < 3 * count; i++) {
        const ground_point *const p = &triangles[i / 3][i % 3], *const q =
                                                                    &triangles[i / 3][(i + 1) % 3];
        const double t = crossing(l, p->x, p->y, q->x - p->x, q->y - p->y, &along);
        next = t > last && t < next && along >= 0.0 && along <= 1.0 ? t : next;
    }
    const half_edge *const a = &s->edges[s->faces[face].apex];
    uint32_t h = s->edges[a->next].next;
    for (uint32_t i = 3; i < s->faces[face].count && count == 0; i++, h = s->edges[h].next) {
        const half_edge *const q = &s->edges[h];
        const double t = crossing(l, a->x, a->y, q->x - a->x, q->y - a->y, &along);
        next = t > last && t < next ? t : next;
    }
    return next;
}

// The bends of a leg in a face, between two places; in order.
static oct_result add_bends(oct_surface_planner *planner, uint32_t face, const leg *l, double start,
                            double end)
{
    double last = start;
    for (;;) {
        const double next = next_bend(planner->surface, face, l, last, end);
        if (!(next < end)) {
            return OCT_OK;
        }
        OCT_TRY(add_point(planner, face, l, next));
        last = next;
    }
}

static oct_result add_leg(oct_surface_planner *p, const leg *l)
{
    OCT_TRY(find_parts(p, l));
    const leg_part *const parts = p->parts.items;
    const double length = sqrt(l->dx * l->dx + l->dy * l->dy);
    const double gap = length > 0.0 ? 4.0 * l->slack / length : 1.0;
    double at = 0.0;
    size_t i = 0;
    while (at < 1.0) {
        // Of the parts that have begun, the one that goes on longest.
        size_t best = SIZE_MAX;
        for (; i < p->parts.count && parts[i].start <= at + gap; i++) {
            best = best == SIZE_MAX || parts[i].end > parts[best].end ? i : best;
        }
        if (best == SIZE_MAX || parts[best].end <= at) {
            return at >= 1.0 - gap ? OCT_OK : OCT_ERROR_RANGE;
        }
        const double end = parts[best].end < 1.0 ? parts[best].end : 1.0;
        OCT_TRY(add_point(p, parts[best].face, l, at));
        OCT_TRY(add_bends(p, parts[best].face, l, at, end));
        OCT_TRY(add_point(p, parts[best].face, l, end));
        at = end;
        // Parts that have begun before may go on further still.
        while (i > 0 && parts[i - 1].end > at) {
            i--;
        }
    }
    return OCT_OK;
}

static double measure(const oct_surface_planner *p)
{
    const oct_point *const points = p->drape.items;
    double length = 0.0;
    for (size_t i = 1; i < p->drape.count; i++) {
        const double x = points[i].x - points[i - 1].x, y = points[i].y - points[i - 1].y,
                     z = points[i].z - points[i - 1].z;
        length += sqrt(x * x + y * y + z * z);
    }
    return length;
}

oct_result oct_surface_lay(oct_surface_planner *planner, const oct_point *line, uint32_t line_count,
                           uint32_t face, double slack, const oct_point **points, uint32_t *count,
                           double *length)
{
    const oct_surface *const s = planner->surface;
    if (face >= s->info.faces) {
        return OCT_ERROR_ARGUMENT;
    }
    planner->drape.count = 0;
    planner->drape_faces.count = 0;
    planner->queue.count = 0;
    OCT_TRY(oct_array_push(&planner->queue, &planner->allocator, sizeof face, &face));
    for (uint32_t i = 0; i + 1 < line_count; i++) {
        const ground_point a = surface_in(s, line[i]), b = surface_in(s, line[i + 1]);
        const double reach = 1.0 + fabs(a.x) + fabs(a.y);
        const leg l = {a.x, a.y, b.x - a.x, b.y - a.y, SHARE * reach + slack};
        OCT_TRY(add_leg(planner, &l));
    }
    *points = planner->drape.items;
    *count = (uint32_t)planner->drape.count;
    if (length) {
        *length = measure(planner);
    }
    return OCT_OK;
}

oct_result oct_surface_drape(oct_surface_planner *planner, const oct_point *line,
                             uint32_t line_count, uint32_t face, const oct_point **points,
                             uint32_t *count, double *length)
{
    return oct_surface_lay(planner, line, line_count, face, planner->surface->join_distance, points,
                           count, length);
}
