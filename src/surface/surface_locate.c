// SPDX-License-Identifier: MIT
// Finding places on a surface: a uniform grid over the ground plane.
#include "surface/surface_internal.h"

#include <math.h>

#define CELLS_PER_FACE 2.0
#define GRID_EDGE_MAX 2048

// ---- making the grid ----

typedef struct extent {
    double x0, y0, x1, y1;
} extent;

static extent extent_of(const oct_surface *s, uint32_t first, uint32_t count)
{
    extent e = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t h = first; h < first + count; h++) {
        const half_edge *const p = &s->edges[h];
        e.x0 = p->x < e.x0 ? p->x : e.x0;
        e.y0 = p->y < e.y0 ? p->y : e.y0;
        e.x1 = p->x > e.x1 ? p->x : e.x1;
        e.y1 = p->y > e.y1 ? p->y : e.y1;
    }
    return e;
}

static uint32_t cell_along(double at, uint32_t count)
{
    const double cell = floor(at);
    return !(cell > 0.0) ? 0u : cell >= (double)count ? count - 1u : (uint32_t)cell;
}

static uint32_t column_of(const face_grid *g, double x)
{
    return cell_along((x - g->x) * g->inverse, g->columns);
}

static uint32_t row_of(const face_grid *g, double y)
{
    return cell_along((y - g->y) * g->inverse, g->rows);
}

// Whether a face may reach into a rectangle: some edge has all of it on its outside where not.
static bool may_overlap(const oct_surface *s, const surface_face *f, const extent *cell)
{
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        const double dx = q->x - p->x, dy = q->y - p->y;
        // The corner of the rectangle that is furthest inside.
        const double x = dy > 0.0 ? cell->x0 : cell->x1, y = dx > 0.0 ? cell->y1 : cell->y0;
        if (dx * (y - p->y) - dy * (x - p->x) < 0.0) {
            return false;
        }
    }
    return true;
}

// Calls for each cell of each face: counts (starts[cell + 1]), or fills from the back.
static void spread(oct_surface *s, bool is_filling)
{
    face_grid *const g = &s->grid;
    const double slack = s->join_distance;
    for (uint32_t i = s->info.faces; i-- > 0;) {
        const surface_face *const f = &s->faces[i];
        const extent e = extent_of(s, f->first, f->count);
        const uint32_t c0 = column_of(g, e.x0 - slack), c1 = column_of(g, e.x1 + slack);
        const uint32_t r0 = row_of(g, e.y0 - slack), r1 = row_of(g, e.y1 + slack);
        for (uint32_t r = r0; r <= r1; r++) {
            for (uint32_t c = c0; c <= c1; c++) {
                const double x = g->x + c * g->size - slack, y = g->y + r * g->size - slack;
                const extent cell = {x, y, x + g->size + 2.0 * slack, y + g->size + 2.0 * slack};
                if (!may_overlap(s, f, &cell)) {
                    continue;
                }
                uint32_t *const start = &g->starts[r * g->columns + c + 1];
                if (is_filling) {
                    g->faces[--*start] = i;
                } else {
                    ++*start;
                }
            }
        }
    }
}

oct_result oct_surface_make_grid(oct_surface *s)
{
    face_grid *const g = &s->grid;
    if (s->info.faces == 0) {
        return OCT_OK;
    }
    const extent all = extent_of(s, 0, s->info.corners);
    const double width = all.x1 - all.x0, depth = all.y1 - all.y0;
    const double longer = width > depth ? width : depth;
    double size = sqrt(width * depth / (CELLS_PER_FACE * s->info.faces));
    size = size > longer / GRID_EDGE_MAX ? size : longer / GRID_EDGE_MAX;
    *g = (face_grid){.x = all.x0, .y = all.y0, .size = size, .inverse = 1.0 / size};
    const uint32_t columns = (uint32_t)(width / size) + 1, rows = (uint32_t)(depth / size) + 1;
    const size_t cells = (size_t)columns * rows;
    g->starts = oct_alloc(&s->allocator, (cells + 1) * sizeof(uint32_t), _Alignof(uint32_t));
    if (!g->starts) {
        return OCT_ERROR_MEMORY;
    }
    g->columns = columns;
    g->rows = rows;
    memset(g->starts, 0, (cells + 1) * sizeof(uint32_t));
    spread(s, false);
    for (size_t c = 0; c < cells; c++) {
        g->starts[c + 1] += g->starts[c];
    }
    const size_t count = g->starts[cells];
    g->faces = oct_alloc(&s->allocator, count * sizeof(uint32_t), _Alignof(uint32_t));
    if (!g->faces) {
        return OCT_ERROR_MEMORY;
    }
    g->face_count = count;
    spread(s, true);
    memmove(g->starts, g->starts + 1, cells * sizeof(uint32_t));
    g->starts[cells] = (uint32_t)count;
    return OCT_OK;
}

// ---- places ----

bool oct_surface_holds(const oct_surface *s, uint32_t face, double x, double y, double slack)
{
    const surface_face *const f = &s->faces[face];
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        const double side = ground_turn(p->x, p->y, q->x, q->y, x, y);
        if (side < 0.0 && side * side * p->inverse > slack * slack) {
            return false;
        }
    }
    return true;
}

oct_result oct_surface_list_near(const oct_surface *s, double x, double y, double reach,
                                 uint32_t *stamps, uint32_t stamp, const oct_allocator *memory,
                                 oct_array *faces)
{
    const face_grid *const g = &s->grid;
    const uint32_t c0 = column_of(g, x - reach), c1 = column_of(g, x + reach);
    const uint32_t r0 = row_of(g, y - reach), r1 = row_of(g, y + reach);
    for (uint32_t r = r0; r <= r1; r++) {
        for (uint32_t c = r * g->columns + c0; c <= r * g->columns + c1; c++) {
            for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
                const uint32_t face = g->faces[i];
                if (stamps[face] != stamp) {
                    stamps[face] = stamp;
                    OCT_TRY(oct_array_push(faces, memory, sizeof face, &face));
                }
            }
        }
    }
    return OCT_OK;
}

// The nearest place of a segment.
static ground_point nearest_on_segment(ground_point a, ground_point b, ground_point p)
{
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const double square = x * x + y * y + z * z;
    double t = square > 0.0 ? ((p.x - a.x) * x + (p.y - a.y) * y + (p.z - a.z) * z) / square : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    return (ground_point){a.x + t * x, a.y + t * y, a.z + t * z};
}

static double square_of(ground_point a, ground_point b)
{
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return x * x + y * y + z * z;
}

static void take_nearer(ground_point p, ground_point at, ground_point *best, double *square)
{
    const double own = square_of(p, at);
    if (own < *square) {
        *square = own;
        *best = at;
    }
}

// The nearest place of a triangle whose area in the ground plane is positive.
static void nearest_on_triangle(ground_point a, ground_point b, ground_point c, ground_point p,
                                ground_point *best, double *square)
{
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    const double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const double along =
        ((p.x - a.x) * nx + (p.y - a.y) * ny + (p.z - a.z) * nz) / (nx * nx + ny * ny + nz * nz);
    const ground_point foot = {p.x - along * nx, p.y - along * ny, p.z - along * nz};
    if (turn_of(&a, &b, &foot) >= 0.0 && turn_of(&b, &c, &foot) >= 0.0 &&
        turn_of(&c, &a, &foot) >= 0.0) {
        take_nearer(p, foot, best, square);
        return;
    }
    take_nearer(p, nearest_on_segment(a, b, p), best, square);
    take_nearer(p, nearest_on_segment(b, c, p), best, square);
    take_nearer(p, nearest_on_segment(c, a, p), best, square);
}

static void nearest_on_face(const oct_surface *s, uint32_t face, ground_point p, ground_point *best,
                            double *square)
{
    const ground_point(*triangles)[3];
    const uint32_t count = details_of(s, face, &triangles);
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const t = triangles[i];
        if (turn_of(&t[0], &t[1], &t[2]) > 0.0) {
            nearest_on_triangle(t[0], t[1], t[2], p, best, square);
        }
    }
    const half_edge *const a = &s->edges[s->faces[face].apex];
    uint32_t at = a->next;
    for (uint32_t i = 2; i < s->faces[face].count && count == 0; i++) {
        const half_edge *const b = &s->edges[at], *const c = &s->edges[b->next];
        at = b->next;
        const ground_point pa = edge_point(a), pb = edge_point(b), pc = edge_point(c);
        if (turn_of(&pa, &pb, &pc) > 0.0) {
            nearest_on_triangle(pa, pb, pc, p, best, square);
        }
    }
}

typedef struct nearest {
    ground_point at;
    double square;
    uint32_t face;
} nearest;

static void look_in_cell(const oct_surface *s, uint32_t c, ground_point p, nearest *best)
{
    for (uint32_t i = s->grid.starts[c]; i < s->grid.starts[c + 1]; i++) {
        const double before = best->square;
        nearest_on_face(s, s->grid.faces[i], p, &best->at, &best->square);
        if (best->square < before || (best->square == before && best->face != s->grid.faces[i] &&
                                      best->face == OCT_SURFACE_NONE)) {
            best->face = s->grid.faces[i];
        }
    }
}

// Rings of cells around the one that is nearest, until what is left is further away.
static nearest find_nearest(const oct_surface *s, ground_point p)
{
    const face_grid *const g = &s->grid;
    nearest best = {p, HUGE_VAL, OCT_SURFACE_NONE};
    const int64_t column = column_of(g, p.x), row = row_of(g, p.y);
    const int64_t columns = g->columns, rows = g->rows;
    const int64_t most = columns > rows ? columns : rows;
    for (int64_t ring = 0; ring <= most; ring++) {
        const double away = (double)(ring - 1) * g->size;
        if (away > 0.0 && away * away > best.square) {
            break;
        }
        for (int64_t r = row - ring; r <= row + ring; r++) {
            const bool is_end = r == row - ring || r == row + ring;
            for (int64_t c = column - ring; c <= column + ring;
                 c += is_end || ring == 0 ? 1 : 2 * ring) {
                if (r >= 0 && r < rows && c >= 0 && c < columns) {
                    look_in_cell(s, (uint32_t)(r * columns + c), p, &best);
                }
            }
        }
    }
    return best;
}

oct_surface_place oct_surface_locate(const oct_surface *surface, oct_point point,
                                     double step_height)
{
    const oct_surface *const s = surface;
    const face_grid *const g = &s->grid;
    oct_surface_place place = {.face = OCT_SURFACE_NONE, .point = point, .distance = HUGE_VAL};
    const ground_point p = surface_in(s, point);
    if (s->info.faces == 0 || !isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
        return place;
    }
    const uint32_t c = row_of(g, p.y) * g->columns + column_of(g, p.x);
    double least = HUGE_VAL, height = 0.0;
    for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
        const uint32_t face = g->faces[i];
        if (oct_surface_holds(s, face, p.x, p.y, s->join_distance)) {
            const double z = oct_surface_height_at(s, face, p.x, p.y);
            const double gap = fabs(z - p.z);
            if (gap < least) {
                least = gap;
                height = z;
                place.face = face;
            }
        }
    }
    if (place.face != OCT_SURFACE_NONE && least <= step_height) {
        place.is_on = true;
        place.point = surface_out(s, (ground_point){p.x, p.y, height});
        place.distance = least;
        return place;
    }
    const nearest found = find_nearest(s, p);
    place.face = found.face;
    place.point = surface_out(s, found.at);
    place.distance = sqrt(found.square);
    return place;
}
