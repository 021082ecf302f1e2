// SPDX-License-Identifier: MIT
// Joining faces: corners that are nearly at one place in the ground plane get the same coordinates;
// edges that run in opposite directions between the same places are joined; where an edge without
// a neighbour has the end of another such edge on it, a corner is inserted there, and joining
// begins anew. Heights stay each face's own.
#include "base/index_table.h"
#include "surface/surface_internal.h"

#include <math.h>
#include <stdlib.h>

// A corner of the polygons that follow: edges are between it and the face's next.
typedef struct join_edge {
    double x, y, z;
    uint32_t face, next, prev;
    uint32_t twin;
} join_edge;

// A corner to be inserted into an edge.
typedef struct insertion {
    uint32_t edge;
    double along; // from 0 to 1
    ground_point at;
} insertion;

typedef struct joining {
    oct_surface *s;
    const oct_allocator *memory;
    polygons *all;
    index_table table;
    oct_array edges;      // of join_edge
    oct_array insertions; // of insertion
} joining;

static uint64_t hash_double(double value)
{
    uint64_t bits;
    value = value == 0.0 ? 0.0 : value; // -0 is 0
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// ---- the same places ----

static uint64_t hash_square(int64_t x, int64_t y)
{
    return oct_hash_pair(oct_hash_word((uint64_t)x), (uint64_t)y);
}

// The first corner within reach of a place that has one already; else false.
static bool find_near(const joining *j, const ground_point *corners, const ground_point *p,
                      double size, uint32_t *found)
{
    const double reach = j->s->join_distance;
    const double x0 = floor((p->x - reach) / size), x1 = floor((p->x + reach) / size);
    const double y0 = floor((p->y - reach) / size), y1 = floor((p->y + reach) / size);
    for (double x = x0; x <= x1; x += 1.0) {
        for (double y = y0; y <= y1; y += 1.0) {
            const uint64_t key = hash_square((int64_t)x, (int64_t)y);
            uint32_t at = INDEX_TABLE_BEGIN, i;
            while (index_table_next(&j->table, key, &at, &i)) {
                const double dx = corners[i].x - p->x, dy = corners[i].y - p->y;
                if (dx * dx + dy * dy <= reach * reach) {
                    *found = i;
                    return true;
                }
            }
        }
    }
    return false;
}

static oct_result snap_corners(joining *j)
{
    ground_point *const corners = j->all->corners.items;
    const uint32_t count = (uint32_t)j->all->corners.count;
    const double size = 16.0 * j->s->join_distance;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t near;
        ground_point *const p = &corners[i];
        if (find_near(j, corners, p, size, &near)) {
            p->x = corners[near].x;
            p->y = corners[near].y;
            continue;
        }
        OCT_TRY(oct_index_table_reserve(&j->table, j->memory, 1));
        oct_index_table_put(
            &j->table, hash_square((int64_t)floor(p->x / size), (int64_t)floor(p->y / size)), i);
    }
    return OCT_OK;
}

// ---- edges ----

// The polygons as edges; those of which too little was left after snapping are left out.
static oct_result list_edges(joining *j)
{
    const polygons *const all = j->all;
    OCT_TRY(oct_array_reserve(&j->edges, j->memory, sizeof(join_edge), all->corners.count));
    join_edge *const edges = j->edges.items;
    uint32_t count = 0, faces = 0;
    for (size_t f = 0; f < all->faces.count; f++) {
        polygon *const face = (polygon *)all->faces.items + f;
        const ground_point *const corners = polygon_corners(all, f);
        const uint32_t first = count;
        for (uint32_t i = 0; i < face->count; i++) {
            const ground_point *const p = &corners[i];
            const ground_point *const q = &corners[(i + 1) % face->count];
            if (p->x != q->x || p->y != q->y) {
                edges[count++] = (join_edge){p->x, p->y, p->z, faces, 0, 0, NO_EDGE};
            }
        }
        if (count - first < 3) {
            count = first;
            face->count = 0;
            continue;
        }
        for (uint32_t h = first; h < count; h++) {
            edges[h].next = h + 1 < count ? h + 1 : first;
            edges[h].prev = h > first ? h - 1 : count - 1;
        }
        faces++;
    }
    j->edges.count = count;
    return OCT_OK;
}

static uint64_t hash_edge(const join_edge *a, const join_edge *b)
{
    const uint64_t from = oct_hash_pair(hash_double(a->x), hash_double(a->y));
    const uint64_t to = oct_hash_pair(hash_double(b->x), hash_double(b->y));
    return oct_hash_pair(from, to);
}

static double height_gap(const join_edge *a, const join_edge *b)
{
    return fabs(a->z - b->z);
}

// The free edge that runs the other way between the same places, nearest in height.
static uint32_t find_twin(const joining *j, uint32_t h, uint32_t *rivals)
{
    const join_edge *const edges = j->edges.items;
    const join_edge *const p = &edges[h], *const q = &edges[p->next];
    uint32_t at = INDEX_TABLE_BEGIN, i, best = NO_EDGE;
    double least = HUGE_VAL;
    const uint64_t key = hash_edge(q, p);
    *rivals = 0;
    while (index_table_next(&j->table, key, &at, &i)) {
        const join_edge *const a = &edges[i], *const b = &edges[a->next];
        if (a->x != q->x || a->y != q->y || b->x != p->x || b->y != p->y || a->face == p->face) {
            continue;
        }
        const double gap_a = height_gap(a, q), gap_b = height_gap(b, p);
        const double gap = gap_a > gap_b ? gap_a : gap_b;
        if (!(gap <= j->s->join_height)) {
            continue;
        }
        ++*rivals;
        if (a->twin == NO_EDGE && (gap < least || (gap == least && i < best))) {
            least = gap;
            best = i;
        }
    }
    return best;
}

static oct_result match_edges(joining *j)
{
    join_edge *const edges = j->edges.items;
    const uint32_t count = (uint32_t)j->edges.count;
    oct_index_table_clear(&j->table);
    OCT_TRY(oct_index_table_reserve(&j->table, j->memory, count));
    for (uint32_t h = 0; h < count; h++) {
        oct_index_table_put(&j->table, hash_edge(&edges[h], &edges[edges[h].next]), h);
    }
    j->s->info.crowded = 0;
    for (uint32_t h = 0; h < count; h++) {
        uint32_t rivals;
        const uint32_t twin = edges[h].twin == NO_EDGE ? find_twin(j, h, &rivals) : NO_EDGE;
        if (twin != NO_EDGE) {
            j->s->info.crowded += rivals > 1;
            edges[h].twin = twin;
            edges[twin].twin = h;
        }
    }
    return OCT_OK;
}

// ---- edges that overlap in part ----

// A uniform grid of the ends of free edges.
typedef struct end_grid {
    double x, y, size;
    uint32_t columns, rows;
    uint32_t *starts; // columns * rows + 1
    uint32_t *ends;   // half-edges
    uint32_t count;
} end_grid;

static uint32_t clamp_cell(double at, uint32_t count)
{
    const double cell = floor(at);
    return cell < 0.0 ? 0u : cell >= (double)count ? count - 1u : (uint32_t)cell;
}

static uint32_t cell_of(const end_grid *g, double x, double y)
{
    return clamp_cell((y - g->y) / g->size, g->rows) * g->columns +
           clamp_cell((x - g->x) / g->size, g->columns);
}

static void free_grid(const joining *j, end_grid *g)
{
    oct_free(j->memory, g->starts, ((size_t)g->columns * g->rows + 1) * sizeof(uint32_t));
    oct_free(j->memory, g->ends, g->count * sizeof(uint32_t));
}

static bool is_free(const join_edge *edges, uint32_t h)
{
    return edges[h].twin == NO_EDGE || edges[edges[h].prev].twin == NO_EDGE;
}

static oct_result fill_grid(const joining *j, end_grid *g)
{
    const join_edge *const edges = j->edges.items;
    const uint32_t cells = g->columns * g->rows;
    g->starts = oct_alloc(j->memory, ((size_t)cells + 1) * sizeof(uint32_t), _Alignof(uint32_t));
    g->ends = oct_alloc(j->memory, g->count * sizeof(uint32_t), _Alignof(uint32_t));
    if (!g->starts || !g->ends) {
        return OCT_ERROR_MEMORY;
    }
    memset(g->starts, 0, ((size_t)cells + 1) * sizeof(uint32_t));
    for (uint32_t h = 0; h < j->edges.count; h++) {
        if (is_free(edges, h)) {
            g->starts[cell_of(g, edges[h].x, edges[h].y) + 1]++;
        }
    }
    for (uint32_t c = 0; c < cells; c++) {
        g->starts[c + 1] += g->starts[c];
    }
    for (uint32_t h = (uint32_t)j->edges.count; h-- > 0;) {
        if (is_free(edges, h)) {
            // Filled from the back, so that starts[cell + 1] ends as the start of the cell.
            g->ends[--g->starts[cell_of(g, edges[h].x, edges[h].y) + 1]] = h;
        }
    }
    // starts[c + 1] is now where c starts.
    for (uint32_t c = 0; c < cells; c++) {
        g->starts[c] = g->starts[c + 1];
    }
    g->starts[cells] = g->count;
    return OCT_OK;
}

static oct_result make_end_grid(const joining *j, end_grid *g)
{
    const join_edge *const edges = j->edges.items;
    double x0 = HUGE_VAL, y0 = HUGE_VAL, x1 = -HUGE_VAL, y1 = -HUGE_VAL;
    for (uint32_t h = 0; h < j->edges.count; h++) {
        if (!is_free(edges, h)) {
            continue;
        }
        g->count++;
        x0 = edges[h].x < x0 ? edges[h].x : x0;
        y0 = edges[h].y < y0 ? edges[h].y : y0;
        x1 = edges[h].x > x1 ? edges[h].x : x1;
        y1 = edges[h].y > y1 ? edges[h].y : y1;
    }
    if (g->count == 0) {
        return OCT_OK;
    }
    const double width = x1 - x0, depth = y1 - y0;
    const double longer = width > depth ? width : depth;
    double size = sqrt(width * depth / g->count);
    size = size > longer / 1000.0 ? size : longer / 1000.0;
    g->x = x0;
    g->y = y0;
    g->size = size > 0.0 ? size : 1.0;
    g->columns = (uint32_t)(width / g->size) + 1;
    g->rows = (uint32_t)(depth / g->size) + 1;
    return fill_grid(j, g);
}

// Notes a corner that lies inside a free edge.
static oct_result try_end(joining *j, uint32_t h, uint32_t end)
{
    const join_edge *const edges = j->edges.items;
    const join_edge *const p = &edges[h], *const q = &edges[p->next], *const e = &edges[end];
    const double dx = q->x - p->x, dy = q->y - p->y, square = dx * dx + dy * dy;
    const double along = ((e->x - p->x) * dx + (e->y - p->y) * dy) / square;
    if (!(along > 0.0 && along < 1.0) || e->face == p->face || (e->x == p->x && e->y == p->y) ||
        (e->x == q->x && e->y == q->y)) {
        return OCT_OK;
    }
    const double off = ((e->x - p->x) * dy - (e->y - p->y) * dx) / sqrt(square);
    const double z = p->z + (q->z - p->z) * along;
    if (!(fabs(off) <= j->s->join_distance && fabs(e->z - z) <= j->s->join_height)) {
        return OCT_OK;
    }
    const insertion found = {h, along, {e->x, e->y, z}};
    return oct_array_push(&j->insertions, j->memory, sizeof found, &found);
}

// Tries all ends in the cells that an edge crosses.
static oct_result try_edge(joining *j, const end_grid *g, uint32_t h)
{
    const join_edge *const edges = j->edges.items;
    const join_edge *p = &edges[h], *q = &edges[p->next];
    if (p->y > q->y) {
        const join_edge *const keep = p;
        p = q;
        q = keep;
    }
    const double reach = j->s->join_distance;
    const uint32_t row0 = clamp_cell((p->y - reach - g->y) / g->size, g->rows);
    const uint32_t row1 = clamp_cell((q->y + reach - g->y) / g->size, g->rows);
    for (uint32_t row = row0; row <= row1; row++) {
        // The part of the edge in this row of cells, and a little more.
        const double low = g->y + row * g->size - reach, high = low + g->size + 2.0 * reach;
        const double rise = q->y - p->y;
        double t0 = rise > 0.0 ? (low - p->y) / rise : 0.0;
        double t1 = rise > 0.0 ? (high - p->y) / rise : 1.0;
        t0 = t0 > 0.0 ? t0 : 0.0;
        t1 = t1 < 1.0 ? t1 : 1.0;
        const double xa = p->x + (q->x - p->x) * t0, xb = p->x + (q->x - p->x) * t1;
        const double left = (xa < xb ? xa : xb) - reach, right = (xa < xb ? xb : xa) + reach;
        const uint32_t c0 = clamp_cell((left - g->x) / g->size, g->columns);
        const uint32_t c1 = clamp_cell((right - g->x) / g->size, g->columns);
        for (uint32_t c = row * g->columns + c0; c <= row * g->columns + c1; c++) {
            for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
                OCT_TRY(try_end(j, h, g->ends[i]));
            }
        }
    }
    return OCT_OK;
}

static int by_edge_and_place(const void *a, const void *b)
{
    const insertion *const x = a, *const y = b;
    if (x->edge != y->edge) {
        return x->edge < y->edge ? -1 : 1;
    }
    if (x->along != y->along) {
        return x->along < y->along ? -1 : 1;
    }
    if (x->at.x != y->at.x) {
        return x->at.x < y->at.x ? -1 : 1;
    }
    return (x->at.y > y->at.y) - (x->at.y < y->at.y);
}

static oct_result find_insertions(joining *j)
{
    const join_edge *const edges = j->edges.items;
    end_grid g = {0};
    oct_result result = make_end_grid(j, &g);
    for (uint32_t h = 0; h < j->edges.count && g.count > 0 && result == OCT_OK; h++) {
        result = edges[h].twin == NO_EDGE ? try_edge(j, &g, h) : OCT_OK;
    }
    if (g.count > 0) {
        free_grid(j, &g);
    }
    if (j->insertions.count > 1) {
        qsort(j->insertions.items, j->insertions.count, sizeof(insertion), by_edge_and_place);
    }
    return result;
}

// The polygons anew, with the corners inserted. Edges of j stand in the order of the polygons.
static oct_result insert_corners(joining *j)
{
    const join_edge *const edges = j->edges.items;
    const insertion *const list = j->insertions.items;
    polygons next = {.memory =
                         j->all->memory}; // it lives longer than the surface, where that fails
    oct_array scratch = {0};
    oct_result result = oct_array_reserve(&scratch, j->memory, sizeof(ground_point),
                                          j->edges.count + j->insertions.count);
    size_t at = 0;
    uint32_t h = 0;
    for (size_t f = 0; f < j->all->faces.count && result == OCT_OK; f++) {
        if (polygon_at(j->all, f)->count == 0) {
            continue;
        }
        ground_point *const corners = scratch.items;
        uint32_t n = 0;
        for (const uint32_t face = edges[h].face; h < j->edges.count && edges[h].face == face;
             h++) {
            corners[n++] = (ground_point){edges[h].x, edges[h].y, edges[h].z};
            for (; at < j->insertions.count && list[at].edge == h; at++) {
                if (list[at].at.x != corners[n - 1].x || list[at].at.y != corners[n - 1].y) {
                    corners[n++] = list[at].at;
                }
            }
        }
        result = oct_polygons_add(&next, corners, n, polygon_at(j->all, f)->source);
    }
    oct_array_free(&scratch, j->memory, sizeof(ground_point));
    if (result != OCT_OK) {
        oct_polygons_free(&next);
        return result;
    }
    oct_polygons_free(j->all);
    *j->all = next;
    return OCT_OK;
}

// ---- the result ----

static void fill_edges(const joining *j)
{
    oct_surface *const s = j->s;
    const join_edge *const edges = j->edges.items;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const join_edge *const e = &edges[h], *const q = &edges[e->next];
        const double dx = q->x - e->x, dy = q->y - e->y;
        s->edges[h] = (half_edge){.x = e->x,
                                  .y = e->y,
                                  .z = e->z,
                                  .twin = e->twin,
                                  .face = e->face,
                                  .next = e->next,
                                  .prev = e->prev,
                                  .turn = NO_TURN,
                                  .joint = h,
                                  .inverse = 1.0 / (dx * dx + dy * dy)};
    }
    uint32_t at = 0;
    for (size_t f = 0, n = 0; f < j->all->faces.count; f++) {
        const polygon *const p = polygon_at(j->all, f);
        if (p->count == 0) {
            continue;
        }
        const uint32_t first = at;
        while (at < s->info.corners && edges[at].face == n) {
            at++;
        }
        s->faces[n] =
            (surface_face){.first = first, .count = at - first, .source = p->source, .apex = first};
        s->info.area += oct_polygon_area(polygon_corners(j->all, f), p->count);
        n++;
    }
}

static oct_result make_edges(const joining *j)
{
    oct_surface *const s = j->s;
    const join_edge *const edges = j->edges.items;
    s->info.corners = (uint32_t)j->edges.count;
    s->info.faces = s->info.corners > 0 ? edges[s->info.corners - 1].face + 1 : 0;
    if (s->info.corners == 0) {
        return OCT_OK;
    }
    s->edges = oct_alloc(j->memory, s->info.corners * sizeof *s->edges, OCT_CACHE_LINE);
    s->faces = oct_alloc(j->memory, s->info.faces * sizeof *s->faces, _Alignof(surface_face));
    if (!s->edges || !s->faces) {
        return OCT_ERROR_MEMORY;
    }
    fill_edges(j);
    return OCT_OK;
}

oct_result oct_surface_join(oct_surface *s, polygons *all)
{
    joining j = {.s = s, .memory = &s->allocator, .all = all};
    oct_result result = snap_corners(&j);
    result = result == OCT_OK ? list_edges(&j) : result;
    result = result == OCT_OK ? match_edges(&j) : result;
    result = result == OCT_OK ? find_insertions(&j) : result;
    if (result == OCT_OK && j.insertions.count > 0) {
        result = insert_corners(&j);
        result = result == OCT_OK ? list_edges(&j) : result;
        result = result == OCT_OK ? match_edges(&j) : result;
    }
    result = result == OCT_OK ? make_edges(&j) : result;
    oct_index_table_free(&j.table, j.memory);
    oct_array_free(&j.edges, j.memory, sizeof(join_edge));
    oct_array_free(&j.insertions, j.memory, sizeof(insertion));
    return result;
}
