// SPDX-License-Identifier: MIT
// A surface without what obstacles cover, and without a margin along its borders: paths there are
// taut around obstacles, and keep a larger body away from borders.
//
// What is taken away is convex, so that of a convex face at most one convex piece per side is left.
// Round corners are replaced by straight sides that touch the circle: a little more is taken away.
#include "octant/surface_carve.h"
#include "surface/graph.h"

#include <math.h>

#define SIDES_MAX (2 * SHAPE_POINTS_MAX)
#define HALF_ROOT 0.70710678118654752440
#define SNAP 4.0 // times the join distance: corners nearer to a side are on it

// A convex area: all places at which no side is positive.
typedef struct carving {
    double nx[SIDES_MAX], ny[SIDES_MAX], offset[SIDES_MAX];
    uint32_t count;
    double low, high;
    double x0, y0, x1, y1;
} carving;

typedef struct carver {
    const oct_surface *s;
    const oct_allocator *memory;
    polygons pieces[2]; // of the face: those that are left, and the next ones
    polygons out;
    oct_array scratch; // of ground_point
    double snap;
} carver;

// ---- what is taken away ----

static void add_side(carving *c, double nx, double ny, const ground_point *at, double grown)
{
    c->nx[c->count] = nx;
    c->ny[c->count] = ny;
    c->offset[c->count] = nx * at->x + ny * at->y + grown;
    c->count++;
}

static void grow_box(carving *c, const ground_point *p, double by)
{
    c->x0 = p->x - by < c->x0 ? p->x - by : c->x0;
    c->y0 = p->y - by < c->y0 ? p->y - by : c->y0;
    c->x1 = p->x + by > c->x1 ? p->x + by : c->x1;
    c->y1 = p->y + by > c->y1 ? p->y + by : c->y1;
}

static carving carving_of_outline(const ground_point *outline, uint32_t count, double padding,
                                  double low, double high)
{
    carving c = {
        .low = low, .high = high, .x0 = HUGE_VAL, .y0 = HUGE_VAL, .x1 = -HUGE_VAL, .y1 = -HUGE_VAL};
    double last_x = 0.0, last_y = 0.0;
    for (uint32_t i = 0; i <= count; i++) {
        const ground_point *const p = &outline[i % count], *const q = &outline[(i + 1) % count];
        const double x = q->x - p->x, y = q->y - p->y, length = sqrt(x * x + y * y);
        const double nx = y / length, ny = -x / length;
        if (i > 0 && padding > 0.0) {
            // The side across the corner, where it cuts off anything.
            const double bx = last_x + nx, by = last_y + ny, b = sqrt(bx * bx + by * by);
            if (b > 0.0) {
                add_side(&c, bx / b, by / b, p, padding);
            }
        }
        if (i < count) {
            add_side(&c, nx, ny, p, padding);
            grow_box(&c, p, 2.0 * padding);
        }
        last_x = nx;
        last_y = ny;
    }
    return c;
}

// An octagon around an edge.
static carving carving_of_edge(const half_edge *p, const half_edge *q, double clearance)
{
    const double scale = sqrt(p->inverse);
    const double ux = (q->x - p->x) * scale, uy = (q->y - p->y) * scale;
    const ground_point a = {p->x, p->y, p->z}, b = {q->x, q->y, q->z};
    const double margin = clearance + 0.5;
    carving c = {.low = (p->z < q->z ? p->z : q->z) - margin,
                 .high = (p->z > q->z ? p->z : q->z) + margin,
                 .x0 = HUGE_VAL,
                 .y0 = HUGE_VAL,
                 .x1 = -HUGE_VAL,
                 .y1 = -HUGE_VAL};
    add_side(&c, -uy, ux, &a, clearance);
    add_side(&c, uy, -ux, &a, clearance);
    add_side(&c, ux, uy, &b, clearance);
    add_side(&c, -ux, -uy, &a, clearance);
    for (int i = 0; i < 4; i++) {
        const double along = i < 2 ? HALF_ROOT : -HALF_ROOT;
        const double across = i % 2 == 0 ? HALF_ROOT : -HALF_ROOT;
        add_side(&c, along * ux - across * uy, along * uy + across * ux, i < 2 ? &b : &a,
                 clearance);
    }
    grow_box(&c, &a, clearance * 1.5);
    grow_box(&c, &b, clearance * 1.5);
    return c;
}

// ---- cutting ----

static double beyond(const carver *k, const carving *c, uint32_t side, const ground_point *p)
{
    const double d = c->nx[side] * p->x + c->ny[side] * p->y - c->offset[side];
    return fabs(d) <= k->snap ? 0.0 : d;
}

// The part of a polygon on one side; the same crossing from both ends of an edge.
static uint32_t part_of(const carver *k, const carving *c, uint32_t side, double sign,
                        const ground_point *corners, uint32_t count, ground_point *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *p = &corners[i], *q = &corners[(i + 1) % count];
        const double at_p = sign * beyond(k, c, side, p);
        const double at_q = sign * beyond(k, c, side, q);
        if (at_p >= 0.0) {
            out[n++] = *p;
        }
        if (at_p * at_q < 0.0) {
            const bool swap = q->x < p->x || (q->x == p->x && q->y < p->y);
            const ground_point *const a = swap ? q : p, *const b = swap ? p : q;
            const double t = swap ? at_q / (at_q - at_p) : at_p / (at_p - at_q);
            out[n++] = (ground_point){a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t,
                                      a->z + (b->z - a->z) * t};
        }
    }
    return n;
}

static bool has_area(const carver *k, const ground_point *corners, uint32_t count)
{
    double reach = 0.0;
    for (uint32_t i = 1; i < count; i++) {
        const double x = fabs(corners[i].x - corners[0].x), y = fabs(corners[i].y - corners[0].y);
        reach = x > reach ? x : reach;
        reach = y > reach ? y : reach;
    }
    return count >= 3 && oct_polygon_area(corners, count) > 0.25 * k->snap * reach;
}

static bool is_in_height(const carving *c, const ground_point *corners, uint32_t count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        low = corners[i].z < low ? corners[i].z : low;
        high = corners[i].z > high ? corners[i].z : high;
    }
    return low <= c->high && high >= c->low;
}

// Takes an area away from a polygon and appends what is left.
static oct_result take_away(carver *k, const carving *c, const ground_point *corners,
                            uint32_t count, uint32_t source, polygons *out)
{
    const uint32_t room = count + SIDES_MAX + 2u;
    OCT_TRY(oct_array_reserve(&k->scratch, k->memory, sizeof(ground_point), 3 * (size_t)room));
    ground_point *inside = k->scratch.items, *next = inside + room, *const piece = next + room;
    memcpy(inside, corners, count * sizeof *inside);
    const size_t kept_corners = out->corners.count, kept_faces = out->faces.count;
    uint32_t n = count;
    for (uint32_t side = 0; side < c->count; side++) {
        const uint32_t left = part_of(k, c, side, 1.0, inside, n, piece);
        const uint32_t in = part_of(k, c, side, -1.0, inside, n, next);
        if (has_area(k, piece, left)) {
            OCT_TRY(oct_polygons_add(out, piece, left, source));
        }
        ground_point *const keep = inside;
        inside = next;
        next = keep;
        n = in;
        if (!has_area(k, inside, n)) {
            break;
        }
    }
    if (has_area(k, inside, n) && is_in_height(c, inside, n)) {
        return OCT_OK;
    }
    // Nothing is taken away: whole, as it was.
    out->corners.count = kept_corners;
    out->faces.count = kept_faces;
    return oct_polygons_add(out, corners, count, source);
}

static bool may_meet(const carving *c, const ground_point *corners, uint32_t count)
{
    bool left = true, right = true, below = true, above = true;
    for (uint32_t i = 0; i < count; i++) {
        left = left && corners[i].x < c->x0;
        right = right && corners[i].x > c->x1;
        below = below && corners[i].y < c->y0;
        above = above && corners[i].y > c->y1;
    }
    return !left && !right && !below && !above && is_in_height(c, corners, count);
}

static oct_result carve_pieces(carver *k, const carving *c)
{
    polygons *const from = &k->pieces[0], *const to = &k->pieces[1];
    to->corners.count = 0;
    to->faces.count = 0;
    bool changed = false;
    for (size_t i = 0; i < from->faces.count; i++) {
        const polygon p = *polygon_at(from, i);
        const ground_point *const corners = polygon_corners(from, i);
        if (may_meet(c, corners, p.count)) {
            OCT_TRY(take_away(k, c, corners, p.count, p.source, to));
            changed = true;
        } else {
            OCT_TRY(oct_polygons_add(to, corners, p.count, p.source));
        }
    }
    if (changed) {
        const polygons keep = *from;
        *from = *to;
        *to = keep;
    }
    return OCT_OK;
}

static oct_result begin_face(carver *k, uint32_t face)
{
    const surface_face *const f = &k->s->faces[face];
    OCT_TRY(oct_array_reserve(&k->scratch, k->memory, sizeof(ground_point), f->count));
    ground_point *const corners = k->scratch.items;
    uint32_t h = f->apex;
    for (uint32_t i = 0; i < f->count; i++, h = k->s->edges[h].next) {
        corners[i] = edge_point(&k->s->edges[h]);
    }
    k->pieces[0].corners.count = 0;
    k->pieces[0].faces.count = 0;
    return oct_polygons_add(&k->pieces[0], corners, f->count, face);
}

static oct_result carve_face(carver *k, const carving *all, size_t count, uint32_t face)
{
    OCT_TRY(begin_face(k, face));
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(carve_pieces(k, &all[i]));
    }
    for (size_t i = 0; i < k->pieces[0].faces.count; i++) {
        OCT_TRY(oct_polygons_add(&k->out, polygon_corners(&k->pieces[0], i),
                                 polygon_at(&k->pieces[0], i)->count, face));
    }
    return OCT_OK;
}

// ---- the surface ----

static bool is_number(double value)
{
    return isfinite(value) && fabs(value) <= OCT_SURFACE_REACH_MAX;
}

static oct_result list_carvings(const oct_surface *s, const oct_surface_shape *shapes,
                                uint32_t count, double clearance, const oct_allocator *memory,
                                oct_array *out)
{
    for (uint32_t i = 0; i < count; i++) {
        graph_shape own;
        if (!oct_surface_shape_take(s, &shapes[i], &own)) {
            return OCT_ERROR_ARGUMENT;
        }
        if (own.effect == OCT_SURFACE_BLOCKS) {
            const carving c =
                carving_of_outline(own.outline, own.count, own.padding, own.low, own.high);
            OCT_TRY(oct_array_push(out, memory, sizeof c, &c));
        }
    }
    for (uint32_t h = 0; clearance > 0.0 && h < s->info.corners; h++) {
        if (s->edges[h].twin == NO_EDGE) {
            const carving c = carving_of_edge(&s->edges[h], &s->edges[s->edges[h].next], clearance);
            OCT_TRY(oct_array_push(out, memory, sizeof c, &c));
        }
    }
    return OCT_OK;
}

oct_result oct_surface_carve(const oct_surface *surface, const oct_surface_shape *shapes,
                             uint32_t count, double clearance, const oct_allocator *allocator,
                             oct_surface **out)
{
    *out = NULL;
    if (!(clearance >= 0.0) || !is_number(clearance)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(allocator);
    carver k = {.s = surface, .memory = &memory, .snap = SNAP * surface->join_distance};
    k.pieces[0].memory = k.pieces[1].memory = k.out.memory = &memory;
    oct_array carvings = {.count = 0};
    oct_result result = list_carvings(surface, shapes, count, clearance, &memory, &carvings);
    for (uint32_t f = 0; f < surface->info.faces && result == OCT_OK; f++) {
        result = carve_face(&k, carvings.items, carvings.count, f);
    }
    if (result == OCT_OK) {
        oct_surface_def def = oct_surface_def_default();
        def.up = surface->up;
        def.left_handed = surface->left_handed;
        def.join_distance = surface->join_distance;
        def.join_height = surface->join_height;
        def.allocator = allocator;
        const oct_surface_info counts = {.given = surface->info.faces};
        result = oct_surface_of_polygons(&def, &k.out, &counts, out);
    }
    if (result == OCT_OK) {
        result = oct_surface_copy_details(*out, surface);
    }
    if (result != OCT_OK) {
        oct_surface_destroy(*out);
        *out = NULL;
    }
    oct_array_free(&carvings, &memory, sizeof(carving));
    oct_array_free(&k.scratch, &memory, sizeof(ground_point));
    oct_polygons_free(&k.pieces[0]);
    oct_polygons_free(&k.pieces[1]);
    oct_polygons_free(&k.out);
    return result;
}
