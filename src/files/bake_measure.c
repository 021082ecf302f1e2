// SPDX-License-Identifier: MIT
// What a baked surface is like beside the geometry that it was baked from.
//
// Clearance: every border edge is looked at in pieces no longer than half a cell, and places inside
// faces a cell apart, since Recast may lose thin walls, borders and all. In a body's way is what
// stands between the climb above the lowest place of the floor along the piece and the body's
// height above the highest one, but for floor: more than is in the way at any one place, so that
// the clearance is never told too great.
#include "files/bake.h"

#include <math.h>

#define GRID_EDGE_MAX 2048.0
#define HEIGHT_SLACK 1e-3 // metres: Recast's heights are floats
#define CORNERS_MAX 8     // of a triangle, cut by two planes

typedef struct measuring {
    bake_geometry *g;
    const oct_surface *s;
    double step;          // between places that are looked at
    double climb, height; // of the body
    double clearance;     // so far; what is further away is passed over
    double sum, worst;
    uint64_t places;
} measuring;

// ---- the grid of triangles ----

static uint32_t square_along(double at, uint32_t count)
{
    return !(at > 0.0) ? 0u : at >= (double)count ? count - 1u : (uint32_t)at;
}

typedef struct square_range {
    uint32_t c0, c1, r0, r1;
} square_range;

static square_range squares_of(const bake_geometry *g, double x0, double y0, double x1, double y1)
{
    return (square_range){square_along((x0 - g->x) / g->edge, g->columns),
                          square_along((x1 - g->x) / g->edge, g->columns),
                          square_along((y0 - g->y) / g->edge, g->rows),
                          square_along((y1 - g->y) / g->edge, g->rows)};
}

static square_range squares_of_triangle(const bake_geometry *g, const bake_triangle *t)
{
    const ground_point *const p = t->at;
    return squares_of(g, fmin(p[0].x, fmin(p[1].x, p[2].x)), fmin(p[0].y, fmin(p[1].y, p[2].y)),
                      fmax(p[0].x, fmax(p[1].x, p[2].x)), fmax(p[0].y, fmax(p[1].y, p[2].y)));
}

// Counts the squares of each triangle (starts[square + 1]), or fills them from the back.
static void spread(bake_geometry *g, bool is_filling)
{
    const bake_triangle *const all = g->triangles.items;
    for (size_t i = g->triangles.count; i-- > 0;) {
        const square_range s = squares_of_triangle(g, &all[i]);
        for (uint32_t r = s.r0; r <= s.r1; r++) {
            for (uint32_t c = s.c0; c <= s.c1; c++) {
                uint32_t *const start = &g->starts[r * g->columns + c + 1];
                if (is_filling) {
                    g->items[--*start] = (uint32_t)i;
                } else {
                    ++*start;
                }
            }
        }
    }
}

static void place_grid(bake_geometry *g)
{
    const bake_triangle *const all = g->triangles.items;
    double x1 = -HUGE_VAL, y1 = -HUGE_VAL;
    g->x = g->y = HUGE_VAL;
    for (size_t i = 0; i < 3 * g->triangles.count; i++) {
        const ground_point *const p = &all[i / 3].at[i % 3];
        g->x = fmin(g->x, p->x);
        g->y = fmin(g->y, p->y);
        x1 = fmax(x1, p->x);
        y1 = fmax(y1, p->y);
    }
    const double width = x1 - g->x, depth = y1 - g->y, longer = fmax(width, depth);
    g->edge = fmax(sqrt(width * depth / (double)g->triangles.count), longer / GRID_EDGE_MAX);
    g->edge = g->edge > 0.0 ? g->edge : 1.0;
    g->columns = (uint32_t)(width / g->edge) + 1;
    g->rows = (uint32_t)(depth / g->edge) + 1;
}

static oct_result make_grid(bake_geometry *g)
{
    place_grid(g);
    const size_t squares = (size_t)g->columns * g->rows;
    g->starts = oct_alloc(g->memory, (squares + 1) * sizeof *g->starts, _Alignof(uint32_t));
    if (!g->starts) {
        return OCT_ERROR_MEMORY;
    }
    memset(g->starts, 0, (squares + 1) * sizeof *g->starts);
    spread(g, false);
    for (size_t i = 0; i < squares; i++) {
        g->starts[i + 1] += g->starts[i];
    }
    const uint32_t count = g->starts[squares];
    g->items = oct_alloc(g->memory, (count + 1u) * sizeof *g->items, _Alignof(uint32_t));
    if (!g->items) {
        return OCT_ERROR_MEMORY;
    }
    spread(g, true);
    memmove(g->starts, g->starts + 1, squares * sizeof *g->starts);
    g->starts[squares] = count;
    return OCT_OK;
}

// ---- floors ----

// The height of the floor at a place that is nearest to `z`, whatever its slope; false where there
// is none within the body's height.
static bool find_floor(const measuring *m, double x, double y, double z, double *height)
{
    const bake_geometry *const g = m->g;
    const square_range s = squares_of(g, x, y, x, y);
    const uint32_t square = s.r0 * g->columns + s.c0;
    const bake_triangle *const triangles = g->triangles.items;
    const recast_span *const spans = g->spans.items;
    double least = m->height;
    for (uint32_t i = g->starts[square]; i < g->starts[square + 1]; i++) {
        double at = 0.0, miss = HUGE_VAL;
        if (spans) {
            miss = spans[i].is_floor ? 0.0 : HUGE_VAL;
            at = g->z + g->cell_height * spans[i].high;
        } else {
            const ground_point *const t = triangles[g->items[i]].at;
            take_height(&t[0], &t[1], &t[2], x, y, &miss, &at);
        }
        if (miss <= 1e-9 && fabs(at - z) < least) {
            least = fabs(at - z);
            *height = at;
        }
    }
    return least < m->height;
}

// ---- what is in the way ----

static double distance_to_segment(const ground_point *p, const ground_point *a,
                                  const ground_point *b)
{
    const double x = b->x - a->x, y = b->y - a->y, square = x * x + y * y;
    double t = square > 0.0 ? ((p->x - a->x) * x + (p->y - a->y) * y) / square : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    const double dx = a->x + t * x - p->x, dy = a->y + t * y - p->y;
    return sqrt(dx * dx + dy * dy);
}

static bool do_cross(const ground_point *a, const ground_point *b, const ground_point *c,
                     const ground_point *d)
{
    const double abc = turn_of(a, b, c), abd = turn_of(a, b, d);
    const double cda = turn_of(c, d, a), cdb = turn_of(c, d, b);
    return ((abc <= 0.0) != (abd <= 0.0)) && ((cda <= 0.0) != (cdb <= 0.0));
}

// Whether the outline of a convex polygon goes around a place, in either direction.
static bool holds(const ground_point *outline, uint32_t count, const ground_point *p)
{
    bool is_left = true, is_right = true;
    for (uint32_t i = 0; i < count; i++) {
        const double side = turn_of(&outline[i], &outline[(i + 1) % count], p);
        is_left = is_left && side > 0.0;
        is_right = is_right && side < 0.0;
    }
    return is_left || is_right;
}

// The distance in the ground plane between a segment and a convex polygon.
static double distance_of(const ground_point *a, const ground_point *b, const ground_point *outline,
                          uint32_t count)
{
    if (count > 2 && holds(outline, count, a)) {
        return 0.0;
    }
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const p = &outline[i], *const q = &outline[(i + 1) % count];
        if (do_cross(a, b, p, q)) {
            return 0.0;
        }
        least = fmin(least, fmin(fmin(distance_to_segment(a, p, q), distance_to_segment(b, p, q)),
                                 fmin(distance_to_segment(p, a, b), distance_to_segment(q, a, b))));
    }
    return least;
}

// What is left of a polygon above a height, or below it.
static uint32_t cut(const ground_point *from, uint32_t count, double height, bool above,
                    ground_point *to)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const p = &from[i], *const q = &from[(i + 1) % count];
        const double a = above ? p->z - height : height - p->z;
        const double b = above ? q->z - height : height - q->z;
        if (a >= 0.0) {
            to[left++] = *p;
        }
        if ((a < 0.0) != (b < 0.0)) {
            const double t = a / (a - b);
            to[left++] = (ground_point){p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), height};
        }
    }
    return left;
}

static double distance_to_triangle(const ground_point *a, const ground_point *b,
                                   const bake_triangle *t, double low, double high)
{
    ground_point above[CORNERS_MAX], both[CORNERS_MAX];
    const uint32_t count = t->is_floor ? 0 : cut(t->at, 3, low, true, above);
    const uint32_t left = count > 0 ? cut(above, count, high, false, both) : 0;
    return left > 0 ? distance_of(a, b, both, left) : HUGE_VAL;
}

static double distance_to_span(const bake_geometry *g, const ground_point *a, const ground_point *b,
                               const recast_span *s, double low, double high)
{
    if (g->z + g->cell_height * s->high <= low || g->z + g->cell_height * s->low >= high) {
        return HUGE_VAL;
    }
    const double x = g->x + g->edge * s->z, y = g->y + g->edge * s->x;
    const ground_point square[4] = {
        {x, y, 0.0}, {x + g->edge, y, 0.0}, {x + g->edge, y + g->edge, 0.0}, {x, y + g->edge, 0.0}};
    return distance_of(a, b, square, 4);
}

// A piece of a line on the floor.
static void measure_piece(measuring *m, const ground_point *a, const ground_point *b)
{
    const bake_geometry *const g = m->g;
    const double low = fmin(a->z, b->z) + m->climb + HEIGHT_SLACK;
    const double high = fmax(a->z, b->z) + m->height - HEIGHT_SLACK;
    const double reach = m->clearance;
    const square_range s = squares_of(g, fmin(a->x, b->x) - reach, fmin(a->y, b->y) - reach,
                                      fmax(a->x, b->x) + reach, fmax(a->y, b->y) + reach);
    for (uint32_t r = s.r0; r <= s.r1 && low < high; r++) {
        for (uint32_t c = s.c0; c <= s.c1; c++) {
            const uint32_t square = r * g->columns + c;
            for (uint32_t i = g->starts[square]; i < g->starts[square + 1]; i++) {
                const double distance =
                    g->spans.items
                        ? distance_to_span(g, a, b, (const recast_span *)g->spans.items + i, low,
                                           high)
                        : distance_to_triangle(
                              a, b, (const bake_triangle *)g->triangles.items + g->items[i], low,
                              high);
                m->clearance = fmin(m->clearance, distance);
            }
        }
    }
}

static void measure_place(measuring *m, uint32_t face, double x, double y)
{
    const double z = oct_surface_height_at(m->s, face, x, y);
    ground_point at = {x, y, z};
    if (find_floor(m, x, y, z, &at.z)) {
        const double gap = fabs(z - at.z);
        m->sum += gap;
        m->worst = gap > m->worst ? gap : m->worst;
        m->places++;
    }
    measure_piece(m, &at, &at);
}

static void measure_face(measuring *m, uint32_t face)
{
    const surface_face *const f = &m->s->faces[face];
    double x0 = HUGE_VAL, y0 = HUGE_VAL, x1 = -HUGE_VAL, y1 = -HUGE_VAL;
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const e = &m->s->edges[h];
        x0 = fmin(x0, e->x);
        y0 = fmin(y0, e->y);
        x1 = fmax(x1, e->x);
        y1 = fmax(y1, e->y);
    }
    for (double x = (floor(x0 / m->step) + 0.5) * m->step; x <= x1; x += m->step) {
        for (double y = (floor(y0 / m->step) + 0.5) * m->step; y <= y1; y += m->step) {
            if (oct_surface_holds(m->s, face, x, y, 0.0)) {
                measure_place(m, face, x, y);
            }
        }
    }
}

static ground_point place_along(const measuring *m, uint32_t edge, double t)
{
    const half_edge *const p = &m->s->edges[edge], *const q = &m->s->edges[p->next];
    ground_point at = {p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), 0.0};
    const double z = oct_surface_height_at(m->s, p->face, at.x, at.y);
    at.z = z;
    find_floor(m, at.x, at.y, z, &at.z);
    return at;
}

static void measure_border(measuring *m, uint32_t edge)
{
    const double parts = ceil(2.0 / (sqrt(m->s->edges[edge].inverse) * m->step));
    ground_point a = place_along(m, edge, 0.0);
    for (double i = 1.0; i <= parts; i += 1.0) {
        const ground_point b = place_along(m, edge, i / parts);
        measure_piece(m, &a, &b);
        a = b;
    }
}

oct_result oct_bake_measure(bake_geometry *geometry, const oct_surface *surface,
                            const oct_bake_def *def, oct_surface_baked *out)
{
    if (!geometry->spans.items) {
        OCT_TRY(make_grid(geometry));
    }
    const double step = geometry->spans.items ? geometry->edge : def->cell;
    measuring m = {.g = geometry,
                   .s = surface,
                   .step = step,
                   .climb = def->climb,
                   .height = def->height,
                   .clearance = 2.0 * def->radius + 4.0 * step};
    for (uint32_t f = 0; f < surface->info.faces; f++) {
        measure_face(&m, f);
    }
    for (uint32_t h = 0; h < surface->info.corners; h++) {
        if (surface->edges[h].twin == NO_EDGE) {
            measure_border(&m, h);
        }
    }
    out->clearance = m.clearance;
    out->height_mean = m.places > 0 ? m.sum / (double)m.places : 0.0;
    out->height_most = m.worst;
    return OCT_OK;
}
