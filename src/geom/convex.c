// SPDX-License-Identifier: MIT
#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

// Points that are nearer to a plane lie in it: as a share of the body's extent.
#define FLAT 0x1p-40
#define FACES_MAX (2 * CONVEX_POINTS_MAX)

// Axes in the making.
typedef struct making {
    int dims;
    const oct_point *points;
    size_t count;
    const convex_padding *padding;
    const oct_allocator *allocator;
    oct_array *list;
    size_t first;
    double extent;
} making;

// ---- one axis ----

static double along(const int32_t n[3], oct_point p)
{
    return 2.0 * (n[0] * p.x + n[1] * p.y + n[2] * p.z);
}

// What a sum of three products may be off.
static double rounding(const int32_t n[3], oct_point p)
{
    return 4.0 + 0x1p-48 * (fabs(n[0] * p.x) + fabs(n[1] * p.y) + fabs(n[2] * p.z));
}

static void measure(const making *m, convex_axis *a)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < m->count; i++) {
        const double at = along(a->n, m->points[i]), off = rounding(a->n, m->points[i]);
        lo = fmin(lo, at - off);
        hi = fmax(hi, at + off);
    }
    const oct_point half = m->padding->half;
    const double x = a->n[0], y = a->n[1], z = a->n[2];
    const double grow = m->padding->is_ball
                            ? half.x * sqrt(x * x + y * y + z * z)
                            : half.x * fabs(x) + half.y * fabs(y) + half.z * fabs(z);
    a->lo = (int64_t)floor(lo);
    a->hi = (int64_t)ceil(hi);
    a->grow = grow > 0.0 ? (int64_t)ceil(2.0 * grow * (1.0 + 0x1p-48)) : 0;
    a->size = abs(a->n[0]) + abs(a->n[1]) + abs(a->n[2]);
}

static bool is_known(const making *m, const convex_axis *a)
{
    const convex_axis *const all = m->list->items;
    for (size_t i = m->first; i < m->list->count; i++) {
        const int32_t *const n = all[i].n;
        if ((n[0] == a->n[0] && n[1] == a->n[1] && n[2] == a->n[2]) ||
            (n[0] == -a->n[0] && n[1] == -a->n[1] && n[2] == -a->n[2])) {
            return true;
        }
    }
    return false;
}

static int32_t whole(double v)
{
    return (int32_t)floor(v * CONVEX_UNIT + 0.5);
}

// Adds a direction of any length; none where it has none.
static oct_result add_axis(const making *m, oct_point way)
{
    way.z = m->dims == 3 ? way.z : 0.0;
    const double length = point_length(way);
    if (!(length > 0.0) || !isfinite(length)) {
        return OCT_OK;
    }
    convex_axis a = {.n = {whole(way.x / length), whole(way.y / length), whole(way.z / length)}};
    if (is_known(m, &a)) {
        return OCT_OK;
    }
    measure(m, &a);
    return oct_array_push(m->list, m->allocator, sizeof a, &a);
}

// The cross products of an edge and the axes; at two dimensions there are none.
static oct_result add_edge(const making *m, oct_point edge)
{
    if (m->dims == 2) {
        return OCT_OK;
    }
    const double least = FLAT * point_length(edge);
    const oct_point ways[3] = {{0, -edge.z, edge.y}, {edge.z, 0, -edge.x}, {-edge.y, edge.x, 0}};
    for (int i = 0; i < 3; i++) {
        if (point_length(ways[i]) > least) {
            OCT_TRY(add_axis(m, ways[i]));
        }
    }
    return OCT_OK;
}

// ---- hulls ----

typedef struct hull_face {
    oct_point normal;
    uint64_t points; // that lie in it, as a set of bits
} hull_face;

typedef struct hull_faces {
    hull_face all[FACES_MAX];
    uint32_t count;
    bool is_flat; // all points lie in one plane
} hull_faces;

// Enters the plane through three points if all others lie on one side of it.
static bool try_face(const making *m, hull_faces *f, oct_point at, oct_point normal)
{
    const double length = point_length(normal), in = FLAT * m->extent;
    if (!(length > FLAT * m->extent * m->extent)) {
        return true;
    }
    normal = point_scale(normal, 1.0 / length);
    bool is_above = false, is_below = false;
    uint64_t points = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double by = point_dot(normal, point_sub(m->points[i], at));
        is_above = is_above || by > in;
        is_below = is_below || by < -in;
        points |= by <= in && by >= -in ? UINT64_C(1) << i : 0;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->all[i].points == points) {
            return true;
        }
    }
    if (is_above && is_below) {
        return true;
    }
    f->is_flat = f->is_flat || (!is_above && !is_below);
    if (f->count == FACES_MAX) {
        return false;
    }
    f->all[f->count++] = (hull_face){normal, points};
    return true;
}

static bool find_faces(const making *m, hull_faces *f)
{
    const oct_point *const p = m->points;
    for (size_t i = 0; i < m->count; i++) {
        for (size_t j = i + 1; j < m->count; j++) {
            const oct_point edge = point_sub(p[j], p[i]);
            for (size_t k = j + 1; k < m->count; k++) {
                const oct_point normal = point_cross(edge, point_sub(p[k], p[i]));
                if (!try_face(m, f, p[i], normal)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Whether all points lie on one side of a direction at a point.
static bool is_side(const making *m, oct_point at, oct_point way)
{
    const double in = FLAT * m->extent * point_length(way);
    bool is_above = false, is_below = false;
    for (size_t i = 0; i < m->count; i++) {
        const double by = point_dot(way, point_sub(m->points[i], at));
        is_above = is_above || by > in;
        is_below = is_below || by < -in;
    }
    return !is_above || !is_below;
}

// The sides of something flat, across its edges.
static oct_result add_sides(const making *m, oct_point normal, bool with_edges)
{
    for (size_t i = 0; i < m->count; i++) {
        for (size_t j = i + 1; j < m->count; j++) {
            const oct_point edge = point_sub(m->points[j], m->points[i]);
            const oct_point way = point_cross(normal, edge);
            if (is_side(m, m->points[i], way)) {
                OCT_TRY(with_edges ? add_edge(m, edge) : add_axis(m, way));
            }
        }
    }
    return OCT_OK;
}

static oct_result add_edges(const making *m, const hull_faces *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t j = i + 1; j < f->count; j++) {
            const uint64_t common = f->all[i].points & f->all[j].points;
            if ((common & (common - 1)) != 0) { // two points at least
                OCT_TRY(add_edge(m, point_cross(f->all[i].normal, f->all[j].normal)));
            }
        }
    }
    return OCT_OK;
}

// Directions that are no faces, for what has too many.
static oct_result add_usual(const making *m)
{
    for (int i = 14; i < 27; i++) {
        OCT_TRY(add_axis(m, (oct_point){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}));
    }
    return OCT_OK;
}

// Something that has no area: a line or a point.
static oct_result add_line(const making *m)
{
    oct_point edge = {0, 0, 0};
    for (size_t i = 1; i < m->count; i++) {
        const oct_point way = point_sub(m->points[i], m->points[0]);
        edge = point_length(way) > point_length(edge) ? way : edge;
    }
    OCT_TRY(add_usual(m));
    return add_edge(m, edge);
}

static oct_result add_hull(const making *m, uint32_t *faces)
{
    hull_faces f = {.count = 0};
    const oct_point upwards = {0, 0, 1};
    oct_result result = OCT_OK;
    const bool is_small = m->count <= CONVEX_POINTS_MAX;
    if (m->dims == 2) {
        result = is_small ? add_sides(m, upwards, false) : add_usual(m);
    } else if (!is_small || !find_faces(m, &f)) {
        result = add_usual(m);
    } else if (f.count == 0) {
        result = add_line(m);
    } else {
        for (uint32_t i = 0; i < f.count && result == OCT_OK; i++) {
            result = add_axis(m, f.all[i].normal);
        }
        if (result == OCT_OK && f.is_flat) {
            result = add_sides(m, f.all[0].normal, false);
        }
    }
    OCT_TRY(result);
    *faces = (uint32_t)(m->list->count - m->first);
    return m->dims == 2 || f.count == 0 ? OCT_OK
           : f.is_flat                  ? add_sides(m, f.all[0].normal, true)
                                        : add_edges(m, &f);
}

// ---- bodies ----

static making begin(int dims, const oct_point *points, size_t count, const convex_padding *padding,
                    const oct_allocator *allocator, oct_array *list, convex *out)
{
    making m = {dims, points, count, padding, allocator, list, list->count, 0.0};
    *out = (convex){.lo = points[0], .hi = points[0]};
    oct_bounds all = {points[0], points[0]};
    oct_point sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        all = bounds_join(all, (oct_bounds){points[i], points[i]});
        sum = point_add(sum, points[i]);
    }
    out->lo = all.min;
    out->hi = all.max;
    out->middle = point_scale(sum, 1.0 / (double)count);
    m.extent = point_length(point_sub(all.max, all.min));
    return m;
}

static void end(const making *m, size_t *first, convex *out)
{
    *first = m->first;
    out->count = (uint32_t)(m->list->count - m->first);
}

oct_result oct_convex_make(int dims, const oct_point *points, size_t count,
                           const convex_padding *padding, const oct_allocator *allocator,
                           oct_array *list, size_t *first, convex *out)
{
    const making m = begin(dims, points, count, padding, allocator, list, out);
    OCT_TRY(add_hull(&m, &out->faces));
    end(&m, first, out);
    return OCT_OK;
}

oct_result oct_convex_make_box(int dims, const oct_point *points, const oct_point edges[3],
                               const convex_padding *padding, const oct_allocator *allocator,
                               oct_array *list, size_t *first, convex *out)
{
    const making m = begin(dims, points, CONVEX_CORNERS, padding, allocator, list, out);
    for (int i = 0; i < 3; i++) {
        OCT_TRY(add_axis(&m, edges[i]));
    }
    out->faces = (uint32_t)(list->count - m.first);
    for (int i = 0; i < 3; i++) {
        OCT_TRY(add_edge(&m, edges[i]));
    }
    end(&m, first, out);
    return OCT_OK;
}

static oct_point to_cells(int dims, oct_point p, oct_point origin, double size)
{
    return (oct_point){(p.x - origin.x) / size, (p.y - origin.y) / size,
                       dims == 3 ? (p.z - origin.z) / size : 0.0};
}

oct_result oct_convex_of_piece(int dims, const oct_piece *piece, size_t body, oct_point origin,
                               double cell_size, const convex_padding *padding,
                               const oct_allocator *allocator, oct_array *list, size_t *first,
                               convex *out)
{
    oct_point own[CONVEX_CORNERS];
    const oct_point *points;
    const size_t count = oct_convex_points(piece, body, own, &points);
    const size_t bytes = count * sizeof(oct_point);
    oct_point *const cells =
        count <= CONVEX_CORNERS ? own : oct_alloc(allocator, bytes, _Alignof(oct_point));
    if (!cells) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i] = to_cells(dims, points[i], origin, cell_size);
    }
    const bool is_box = dims == 3 && points == own &&
                        (piece->kind == OCT_PIECE_OBB || piece->kind == OCT_PIECE_BOX);
    const double most = fmax(fmax(piece->half.x, piece->half.y), piece->half.z);
    const bool is_thick = fmin(fmin(piece->half.x, piece->half.y), piece->half.z) > FLAT * most;
    oct_result result;
    if (is_box && piece->kind == OCT_PIECE_OBB && is_thick) {
        const oct_point edges[3] = {point_sub(cells[1], cells[0]), point_sub(cells[2], cells[0]),
                                    point_sub(cells[4], cells[0])};
        result = oct_convex_make_box(dims, cells, edges, padding, allocator, list, first, out);
    } else {
        result = oct_convex_make(dims, cells, count, padding, allocator, list, first, out);
    }
    if (cells != own) {
        oct_free(allocator, cells, bytes);
    }
    return result;
}

// ---- questions ----

uint64_t oct_convex_mask(const convex *c, int dims, oct_vec brick)
{
    const int64_t edge = (int64_t)1 << brick_level(dims);
    uint64_t mask = UINT64_MAX;
    for (uint32_t i = 0; i < c->count && mask != 0; i++) {
        const convex_axis *const a = &c->axes[i];
        const int64_t lo = a->lo - a->grow - a->size, hi = a->hi + a->grow + a->size;
        const int64_t middle = convex_at(a, brick, edge), half = a->size * (edge - 1);
        if (middle - half > lo && middle + half < hi) {
            continue; // all of it
        }
        const int64_t first = convex_at(a, brick, 1);
        uint64_t in = 0;
        for (uint32_t k = 0; k < 64; k++) {
            const uint32_t cell = morton_cell(dims, k);
            const int64_t at = first + 2 * ((int64_t)a->n[0] * (cell & 0xffu) +
                                            (int64_t)a->n[1] * (cell >> 8 & 0xffu) +
                                            (int64_t)a->n[2] * (cell >> 16));
            in |= (uint64_t)((at > lo) & (at < hi)) << k;
        }
        mask &= in;
    }
    return mask;
}

bool oct_convex_holds(const convex *c, oct_point at)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const double v = along(c->axes[i].n, at);
        if (v < (double)c->axes[i].lo || v > (double)c->axes[i].hi) {
            return false;
        }
    }
    return at.x >= c->lo.x && at.x <= c->hi.x && at.y >= c->lo.y && at.y <= c->hi.y &&
           at.z >= c->lo.z && at.z <= c->hi.z;
}
