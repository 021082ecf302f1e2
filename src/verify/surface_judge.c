// SPDX-License-Identifier: MIT
#include "verify/surface_judge.h"

#include <math.h>
#include <stdlib.h>

// The part of a leg in one face, from 0 to 1.
typedef struct judged_part {
    double start, end;
} judged_part;

oct_result oct_surface_judge_open(surface_judge *judge, const oct_surface *surface, double slack)
{
    *judge =
        (surface_judge){.surface = surface, .allocator = oct_allocator_default(), .slack = slack};
    const size_t size = (surface->info.faces + 1u) * sizeof *judge->stamps;
    judge->stamps = oct_alloc(&judge->allocator, size, _Alignof(uint32_t));
    if (!judge->stamps) {
        return OCT_ERROR_MEMORY;
    }
    memset(judge->stamps, 0, size);
    return OCT_OK;
}

void oct_surface_judge_close(surface_judge *judge)
{
    oct_free(&judge->allocator, judge->stamps,
             (judge->surface->info.faces + 1u) * sizeof *judge->stamps);
    oct_array_free(&judge->queue, &judge->allocator, sizeof(uint32_t));
    oct_array_free(&judge->parts, &judge->allocator, sizeof(judged_part));
}

// ---- geometry ----

// The distance of a place from a line, positive to its left.
static double distance_from_line(const half_edge *p, const half_edge *q, const double at[2])
{
    return ground_turn(p->x, p->y, q->x, q->y, at[0], at[1]) * sqrt(p->inverse);
}

// Keeps the part of a leg in which a number that grows from a to b is at least 0.
static void keep_positive(double a, double b, judged_part *part)
{
    if (a < 0.0 && b < 0.0) {
        part->end = -1.0;
    } else if (a < 0.0) {
        const double t = a / (a - b);
        part->start = t > part->start ? t : part->start;
    } else if (b < 0.0) {
        const double t = a / (a - b);
        part->end = t < part->end ? t : part->end;
    }
}

// The part of a leg in a face, grown by the slack; false where there is none.
static bool clip_to_face(const surface_judge *judge, uint32_t face, const double from[2],
                         const double to[2], judged_part *part)
{
    const oct_surface *const s = judge->surface;
    const surface_face *const f = &s->faces[face];
    *part = (judged_part){0.0, 1.0};
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        keep_positive(distance_from_line(p, q, from) + judge->slack,
                      distance_from_line(p, q, to) + judge->slack, part);
    }
    return part->start <= part->end;
}

// Whether a leg touches an edge, to within the slack.
static bool touches(const surface_judge *judge, const half_edge *p, const half_edge *q,
                    const double from[2], const double to[2])
{
    const double slack = judge->slack, length = 1.0 / sqrt(p->inverse);
    const double a = distance_from_line(p, q, from), b = distance_from_line(p, q, to);
    judged_part part = {0.0, 1.0};
    keep_positive(slack - a, slack - b, &part);
    keep_positive(slack + a, slack + b, &part);
    const double ux = (q->x - p->x) / length, uy = (q->y - p->y) / length;
    const double along_a = (from[0] - p->x) * ux + (from[1] - p->y) * uy;
    const double along_b = (to[0] - p->x) * ux + (to[1] - p->y) * uy;
    keep_positive(along_a + slack, along_b + slack, &part);
    keep_positive(length + slack - along_a, length + slack - along_b, &part);
    return part.start <= part.end;
}

// ---- legs ----

static bool reach(surface_judge *judge, uint32_t face)
{
    if (judge->stamps[face] == judge->stamp) {
        return true;
    }
    judge->stamps[face] = judge->stamp;
    return oct_array_push(&judge->queue, &judge->allocator, sizeof face, &face) == OCT_OK;
}

static int by_start(const void *a, const void *b)
{
    const judged_part *const x = a, *const y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_covered(surface_judge *judge, double length)
{
    const double gap = length > 0.0 ? judge->slack / length : 1.0;
    judged_part *const parts = judge->parts.items;
    if (judge->parts.count == 0) {
        return false;
    }
    qsort(parts, judge->parts.count, sizeof *parts, by_start);
    double covered = 0.0;
    for (size_t i = 0; i < judge->parts.count; i++) {
        if (parts[i].start > covered + gap) {
            return false;
        }
        covered = parts[i].end > covered ? parts[i].end : covered;
    }
    return covered >= 1.0 - gap;
}

bool oct_surface_judge_leg(surface_judge *judge, const double from[2], const double to[2])
{
    const oct_surface *const s = judge->surface;
    judge->stamp++;
    judge->parts.count = 0;
    const uint32_t *const begun = judge->queue.items;
    for (size_t i = 0; i < judge->queue.count; i++) {
        judge->stamps[begun[i]] = judge->stamp;
    }
    size_t ends = 0;
    for (size_t i = 0; i < judge->queue.count; i++) {
        const uint32_t face = ((const uint32_t *)judge->queue.items)[i];
        judged_part part;
        if (clip_to_face(judge, face, from, to, &part)) {
            if (oct_array_push(&judge->parts, &judge->allocator, sizeof part, &part) != OCT_OK) {
                return false;
            }
        }
        const surface_face *const f = &s->faces[face];
        for (uint32_t h = f->first; h < f->first + f->count; h++) {
            const half_edge *const p = &s->edges[h];
            if (p->twin != NO_EDGE && touches(judge, p, &s->edges[p->next], from, to) &&
                !reach(judge, s->edges[p->twin].face)) {
                return false;
            }
        }
    }
    const bool valid = is_covered(
        judge, sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1])));
    uint32_t *const faces = judge->queue.items;
    for (size_t i = 0; i < judge->queue.count; i++) {
        if (oct_surface_holds(s, faces[i], to[0], to[1], judge->slack)) {
            faces[ends++] = faces[i];
        }
    }
    judge->queue.count = ends;
    return valid;
}

bool oct_surface_judge_path(surface_judge *judge, const oct_point *points, uint32_t count,
                            uint32_t from_face, uint32_t to_face)
{
    judge->queue.count = 0;
    judge->stamp++;
    if (!reach(judge, from_face)) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        const ground_point a = surface_in(judge->surface, points[i]);
        const ground_point b = surface_in(judge->surface, points[i + 1]);
        const double from[2] = {a.x, a.y}, to[2] = {b.x, b.y};
        if (!oct_surface_judge_leg(judge, from, to)) {
            return false;
        }
    }
    const uint32_t *const faces = judge->queue.items;
    for (size_t i = 0; i < judge->queue.count; i++) {
        if (faces[i] == to_face) {
            return true;
        }
    }
    return false;
}

// ---- visibility graph ----

// Begins a flood in all faces around a corner.
static bool begin_at_corner(surface_judge *judge, uint32_t edge)
{
    const oct_surface *const s = judge->surface;
    judge->queue.count = 0;
    judge->stamp++;
    uint32_t at = edge;
    do {
        if (!reach(judge, s->edges[at].face)) {
            return false;
        }
        at = s->edges[s->edges[at].prev].twin;
    } while (at != NO_EDGE && at != edge);
    for (at = edge; at != NO_EDGE && s->edges[at].twin != NO_EDGE;) {
        at = s->edges[s->edges[at].twin].next;
        if (at == edge) {
            break;
        }
        if (!reach(judge, s->edges[at].face)) {
            return false;
        }
    }
    return true;
}

// Whether the flood has ended at a corner.
static bool ended_at_joint(const surface_judge *judge, uint32_t joint)
{
    const oct_surface *const s = judge->surface;
    const uint32_t *const faces = judge->queue.items;
    for (size_t i = 0; i < judge->queue.count; i++) {
        const surface_face *const f = &s->faces[faces[i]];
        for (uint32_t h = f->first; h < f->first + f->count; h++) {
            if (s->edges[h].joint == joint) {
                return true;
            }
        }
    }
    return false;
}

static bool ended_in_face(const surface_judge *judge, uint32_t face)
{
    const uint32_t *const faces = judge->queue.items;
    for (size_t i = 0; i < judge->queue.count; i++) {
        if (faces[i] == face) {
            return true;
        }
    }
    return false;
}

static bool corners_see(surface_oracle *o, uint32_t a, uint32_t b)
{
    const half_edge *const p = &o->judge.surface->edges[o->edges[a]];
    const half_edge *const q = &o->judge.surface->edges[o->edges[b]];
    const double from[2] = {p->x, p->y}, to[2] = {q->x, q->y};
    return begin_at_corner(&o->judge, o->edges[a]) && oct_surface_judge_leg(&o->judge, from, to) &&
           ended_at_joint(&o->judge, q->joint);
}

static void find_corners(surface_oracle *o)
{
    const oct_surface *const s = o->judge.surface;
    memset(o->joints, 0xff, s->joint_count * sizeof *o->joints);
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const e = &s->edges[h];
        const bool is_border = e->twin == NO_EDGE || s->edges[e->prev].twin == NO_EDGE;
        if ((is_border || e->turn != NO_TURN) && o->joints[e->joint] == UINT32_MAX) {
            o->joints[e->joint] = o->count;
            o->edges[o->count++] = h;
        }
    }
}

static oct_result fill_oracle(surface_oracle *o)
{
    const oct_surface *const s = o->judge.surface;
    const oct_allocator *const memory = &o->judge.allocator;
    o->joints = oct_alloc(memory, (s->joint_count + 1u) * sizeof *o->joints, _Alignof(uint32_t));
    o->edges = oct_alloc(memory, (s->joint_count + 1u) * sizeof *o->edges, _Alignof(uint32_t));
    if (!o->joints || !o->edges) {
        return OCT_ERROR_MEMORY;
    }
    find_corners(o);
    const size_t n = o->count + 1u;
    o->between = oct_alloc(memory, n * n * sizeof *o->between, _Alignof(double));
    o->from = oct_alloc(memory, n * sizeof *o->from, _Alignof(double));
    o->to = oct_alloc(memory, n * sizeof *o->to, _Alignof(double));
    o->done = oct_alloc(memory, n * sizeof *o->done, _Alignof(bool));
    if (!o->between || !o->from || !o->to || !o->done) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t a = 0; a < o->count; a++) {
        for (uint32_t b = a; b < o->count; b++) {
            const half_edge *const p = &s->edges[o->edges[a]], *const q = &s->edges[o->edges[b]];
            const bool same = s->faces[p->face].island == s->faces[q->face].island;
            const double d =
                same && a != b && corners_see(o, a, b)
                    ? sqrt((q->x - p->x) * (q->x - p->x) + (q->y - p->y) * (q->y - p->y))
                    : (double)HUGE_VAL;
            o->between[a * n + b] = d;
            o->between[b * n + a] = d;
        }
    }
    return OCT_OK;
}

oct_result oct_surface_oracle_open(surface_oracle *oracle, const oct_surface *surface)
{
    *oracle = (surface_oracle){.count = 0};
    OCT_TRY(oct_surface_judge_open(&oracle->judge, surface, 1e-9 * (1.0 + surface->join_distance)));
    const oct_result result = fill_oracle(oracle);
    if (result != OCT_OK) {
        oct_surface_oracle_close(oracle);
    }
    return result;
}

void oct_surface_oracle_close(surface_oracle *o)
{
    const oct_allocator *const memory = &o->judge.allocator;
    const size_t n = o->count + 1u, joints = o->judge.surface->joint_count + 1u;
    oct_free(memory, o->joints, joints * sizeof *o->joints);
    oct_free(memory, o->edges, joints * sizeof *o->edges);
    oct_free(memory, o->between, n * n * sizeof *o->between);
    oct_free(memory, o->from, n * sizeof *o->from);
    oct_free(memory, o->to, n * sizeof *o->to);
    oct_free(memory, o->done, n * sizeof *o->done);
    oct_surface_judge_close(&o->judge);
}

// Fills the distances of the corners that a place sees.
static void look_around(surface_oracle *o, ground_point p, uint32_t face, double *out)
{
    const oct_surface *const s = o->judge.surface;
    for (uint32_t i = 0; i < o->count; i++) {
        const half_edge *const e = &s->edges[o->edges[i]];
        out[i] = HUGE_VAL;
        if (s->faces[e->face].island != s->faces[face].island) {
            continue;
        }
        const double from[2] = {p.x, p.y}, to[2] = {e->x, e->y};
        o->judge.queue.count = 0;
        o->judge.stamp++;
        if (reach(&o->judge, face) && oct_surface_judge_leg(&o->judge, from, to) &&
            ended_at_joint(&o->judge, e->joint)) {
            out[i] = sqrt((e->x - p.x) * (e->x - p.x) + (e->y - p.y) * (e->y - p.y));
        }
    }
}

double oct_surface_oracle_length(surface_oracle *o, oct_point from, uint32_t from_face,
                                 oct_point to, uint32_t to_face)
{
    const oct_surface *const s = o->judge.surface;
    const ground_point a = surface_in(s, from), b = surface_in(s, to);
    const double start[2] = {a.x, a.y}, end[2] = {b.x, b.y};
    o->judge.queue.count = 0;
    o->judge.stamp++;
    if (reach(&o->judge, from_face) && oct_surface_judge_leg(&o->judge, start, end) &&
        ended_in_face(&o->judge, to_face)) {
        return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    }
    look_around(o, a, from_face, o->from);
    look_around(o, b, to_face, o->to);
    memset(o->done, 0, o->count * sizeof *o->done);
    double best = HUGE_VAL;
    for (;;) {
        uint32_t at = UINT32_MAX;
        for (uint32_t i = 0; i < o->count; i++) {
            if (!o->done[i] && o->from[i] < (at == UINT32_MAX ? (double)HUGE_VAL : o->from[at])) {
                at = i;
            }
        }
        if (at == UINT32_MAX || o->from[at] >= best) {
            return best;
        }
        o->done[at] = true;
        best = o->from[at] + o->to[at] < best ? o->from[at] + o->to[at] : best;
        for (uint32_t i = 0; i < o->count; i++) {
            const double d = o->from[at] + o->between[(size_t)at * (o->count + 1u) + i];
            o->from[i] = d < o->from[i] ? d : o->from[i];
        }
    }
}
