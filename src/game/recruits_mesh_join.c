// SPDX-License-Identifier: MIT
// Triangles of rectangles that share whole edges: clients join faces by common vertices, so where a
// rectangle ends in the middle of another one's edge, that edge is divided. No two vertices are
// equal, and no triangle is without area.
#include "game/recruits_mesh.h"

#include "base/index_table.h"

#include <stdlib.h>

#define RING_MAX 1024 // vertices around a rectangle: 4 sides of a tile, divided by others

// A vertex on a line along which edges run.
typedef struct line_point {
    uint64_t line;
    double at;
    uint32_t vertex;
    uint32_t unused;
} line_point;

typedef struct joining {
    recruits_world *g;
    index_table table; // vertices by place
    oct_array points;  // line_point, sorted
} joining;

// ---- vertices ----

static uint64_t mix(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return oct_hash_pair(hash, bits);
}

static uint64_t key_of(oct_point p)
{
    return mix(mix(mix(0, p.x), p.y), p.z);
}

static oct_result take_vertex(joining *j, oct_point p, uint32_t *out)
{
    oct_array *const points = &j->g->mesh.points;
    uint32_t at = INDEX_TABLE_BEGIN;
    const uint64_t key = key_of(p);
    while (index_table_next(&j->table, key, &at, out)) {
        const oct_point other = ((const oct_point *)points->items)[*out];
        if (other.x == p.x && other.y == p.y && other.z == p.z) {
            return OCT_OK;
        }
    }
    *out = (uint32_t)points->count;
    OCT_TRY(oct_index_table_reserve(&j->table, &j->g->allocator, 1));
    OCT_TRY(oct_array_push(points, &j->g->allocator, sizeof p, &p));
    oct_index_table_put(&j->table, key, *out);
    return OCT_OK;
}

static double height_at(const mesh_rect *r, double x, double z)
{
    const double above = r->is_ramp ? ramp_height(r->turn, x - r->x, z - r->z) : 0.0;
    return r->y + above + MESH_LIFT;
}

// Counter-clockwise from the least corner, seen with x to the right and z upwards.
static oct_point corner_of(const mesh_rect *r, uint32_t i)
{
    const double x = i == 1 || i == 2 ? r->x1 : r->x0, z = i >= 2 ? r->z1 : r->z0;
    return (oct_point){x, height_at(r, x, z), z};
}

// ---- lines ----

// Edges along a ramp's slope share a line with those of the ramp beside it alone; all others with
// whatever is as high.
static uint64_t line_of(const mesh_rect *r, oct_point at, bool is_along_x)
{
    const uint64_t axis = is_along_x ? 1 : 2;
    const bool is_sloped = r->is_ramp && (turn_x(r->turn) != 0) == is_along_x;
    const uint64_t line = mix(axis, is_along_x ? at.z : at.x);
    return is_sloped ? mix(mix(line + r->turn + 1, r->y), is_along_x ? r->x : r->z)
                     : mix(line, at.y);
}

static oct_result add_rect(joining *j, const mesh_rect *r)
{
    for (uint32_t i = 0; i < 4; i++) {
        const oct_point at = corner_of(r, i);
        uint32_t vertex;
        OCT_TRY(take_vertex(j, at, &vertex));

        const line_point along_x = {line_of(r, at, true), at.x, vertex, 0};
        const line_point along_z = {line_of(r, at, false), at.z, vertex, 0};
        OCT_TRY(oct_array_push(&j->points, &j->g->allocator, sizeof along_x, &along_x));
        OCT_TRY(oct_array_push(&j->points, &j->g->allocator, sizeof along_z, &along_z));
    }
    return OCT_OK;
}

static int compare_points(const void *a, const void *b)
{
    const line_point *const p = a, *const q = b;
    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return p->at < q->at ? -1 : p->at > q->at;
}

// The first point of a line that is not before a place.
static size_t first_from(const joining *j, uint64_t line, double at)
{
    const line_point *const points = j->points.items;
    size_t low = 0, high = j->points.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before =
            points[middle].line < line || (points[middle].line == line && points[middle].at < at);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

// ---- rings ----

typedef struct ring {
    uint32_t vertices[RING_MAX];
    uint32_t count;
} ring;

static void add_to_ring(ring *r, uint32_t vertex)
{
    if (r->count < RING_MAX && (r->count == 0 || r->vertices[r->count - 1] != vertex)) {
        r->vertices[r->count++] = vertex;
    }
}

// What divides the edge between two corners, in the order of going along it.
static void add_edge(const joining *j, const mesh_rect *rect, uint32_t i, ring *out)
{
    const oct_point from = corner_of(rect, i), to = corner_of(rect, (i + 1) % 4);
    const bool is_along_x = i % 2 == 0;
    const double a = is_along_x ? from.x : from.z, b = is_along_x ? to.x : to.z;
    const double low = a < b ? a : b, high = a < b ? b : a;
    const uint64_t line = line_of(rect, from, is_along_x);
    const line_point *const points = j->points.items;
    const size_t first = first_from(j, line, low);
    size_t end = first;
    while (end < j->points.count && points[end].line == line && points[end].at <= high) {
        end++;
    }
    for (size_t k = 0; k < end - first; k++) {
        add_to_ring(out, points[a < b ? first + k : end - 1 - k].vertex);
    }
}

// ---- triangles ----

static double area_of(const oct_point *points, uint32_t a, uint32_t b, uint32_t c)
{
    const oct_point p = points[a], q = points[b], r = points[c];
    return (q.x - p.x) * (r.z - p.z) - (q.z - p.z) * (r.x - p.x);
}

static double length_squared(const oct_point *points, uint32_t a, uint32_t b)
{
    const oct_point way = point_sub(points[a], points[b]);
    return point_dot(way, way);
}

// The corner that is cut off next: the one with the shortest cut that leaves an area behind.
static uint32_t choose_ear(const oct_point *points, const ring *r, double area)
{
    uint32_t best = RECRUITS_NONE;
    double least = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t a = r->vertices[(i + r->count - 1) % r->count];
        const uint32_t b = r->vertices[i], c = r->vertices[(i + 1) % r->count];
        const double ear = area_of(points, a, b, c);
        const double length = length_squared(points, a, c);
        const bool is_fine = ear > 1e-12 && (r->count == 3 || area - ear > 1e-12);
        if (is_fine && (best == RECRUITS_NONE || length < least)) {
            best = i;
            least = length;
        }
    }
    return best;
}

static oct_result cut_ears(joining *j, ring *r, double area)
{
    const oct_point *const points = j->g->mesh.points.items;
    while (r->count >= 3) {
        const uint32_t i = choose_ear(points, r, area);
        if (i == RECRUITS_NONE) {
            return OCT_OK;
        }
        const uint32_t corners[3] = {r->vertices[(i + r->count - 1) % r->count], r->vertices[i],
                                     r->vertices[(i + 1) % r->count]};
        for (int k = 0; k < 3; k++) {
            OCT_TRY(oct_array_push(&j->g->mesh.triangles, &j->g->allocator, sizeof *corners,
                                   &corners[k]));
        }
        area -= area_of(points, corners[0], corners[1], corners[2]);
        r->count--;
        memmove(&r->vertices[i], &r->vertices[i + 1], (r->count - i) * sizeof *r->vertices);
    }
    return OCT_OK;
}

static oct_result join(joining *j, const mesh_rect *rects, size_t count)
{
    ring r;
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(add_rect(j, &rects[i]));
    }
    if (j->points.count > 0) {
        qsort(j->points.items, j->points.count, sizeof(line_point), compare_points);
    }
    for (size_t i = 0; i < count; i++) {
        r.count = 0;
        for (uint32_t k = 0; k < 4; k++) {
            add_edge(j, &rects[i], k, &r);
        }
        r.count -= r.count > 1 && r.vertices[0] == r.vertices[r.count - 1];
        const double area = 2.0 * (rects[i].x1 - rects[i].x0) * (rects[i].z1 - rects[i].z0);
        OCT_TRY(cut_ears(j, &r, area));
    }
    return OCT_OK;
}

oct_result oct_recruits_join_rects(recruits_world *g, const mesh_rect *rects, size_t count)
{
    joining j = {.g = g};
    const oct_result result = join(&j, rects, count);
    oct_array_free(&j.points, &g->allocator, sizeof(line_point));
    oct_index_table_free(&j.table, &g->allocator);
    return result;
}
