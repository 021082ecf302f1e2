// SPDX-License-Identifier: MIT
// Which triangles belong together, and what they enclose.
//
// Corners at the same place are one corner, whatever their indices: files repeat them. Triangles
// that share an edge between two such corners belong to one part. A part encloses something if each
// of its edges is used as often one way as the other: then, and only then, it is clear of every
// point beside its faces how often they go round it. A part all of whose edges belong to two
// triangles, but not one each way, is tried with some of its triangles turned round.
#include "mesh/mesh_internal.h"

#include "base/hash.h"
#include "geom/geom_internal.h"

#define NOBODY UINT32_MAX

typedef struct edge {
    uint32_t low, high;   // corners; low < high
    int32_t balance;      // uses from low to high, less those from high to low
    uint32_t uses;        // of both kinds
    uint32_t triangle[2]; // the first two that use it
} edge;

typedef struct finder {
    oct_mesh *mesh;
    const oct_allocator *allocator;
    uint32_t *corner;  // by vertex: the first vertex at the same place
    uint32_t *slots;   // hash tables: of corners, then of edges; index + 1
    size_t slot_count; // a power of two
    edge *edges;
    uint32_t edge_count;
    uint32_t *parent; // union-find of triangles
    uint8_t *is_open; // by triangle that is its part's root: bit 0 unbalanced, bit 1 hopeless
    uint32_t *queue;  // of triangles
} finder;

// ---- corners ----

static uint64_t word_of(double value)
{
    const double plain = value + 0.0; // -0 and 0 are one place
    uint64_t word;
    memcpy(&word, &plain, sizeof word);
    return word;
}

static size_t slot_of(const finder *f, uint64_t hash)
{
    return (size_t)(hash >> 32) & (f->slot_count - 1u);
}

static void weld(finder *f)
{
    const oct_point *const vertices = f->mesh->vertices;
    for (uint32_t i = 0; i < f->mesh->vertex_count; i++) {
        const oct_point p = vertices[i];
        const uint64_t hash =
            oct_hash_pair(oct_hash_pair(word_of(p.x), word_of(p.y)), word_of(p.z));
        size_t slot = slot_of(f, hash);
        for (;; slot = (slot + 1u) & (f->slot_count - 1u)) {
            if (f->slots[slot] == 0) {
                f->slots[slot] = i + 1u;
                f->corner[i] = i;
                break;
            }
            const oct_point q = vertices[f->slots[slot] - 1u];
            if (p.x == q.x && p.y == q.y && p.z == q.z) {
                f->corner[i] = f->slots[slot] - 1u;
                break;
            }
        }
    }
}

// ---- parts ----

static uint32_t root_of(const finder *f, uint32_t triangle)
{
    while (f->parent[triangle] != triangle) {
        f->parent[triangle] = f->parent[f->parent[triangle]];
        triangle = f->parent[triangle];
    }
    return triangle;
}

// The part's root is its first triangle.
static void join(finder *f, uint32_t a, uint32_t b)
{
    const uint32_t first = root_of(f, a), second = root_of(f, b);
    f->parent[first > second ? first : second] = first < second ? first : second;
}

static edge *find_edge(finder *f, uint32_t low, uint32_t high)
{
    size_t slot = slot_of(f, oct_hash_pair(low, high));
    for (; f->slots[slot] != 0; slot = (slot + 1u) & (f->slot_count - 1u)) {
        edge *const e = &f->edges[f->slots[slot] - 1u];
        if (e->low == low && e->high == high) {
            return e;
        }
    }
    f->slots[slot] = f->edge_count + 1u;
    edge *const e = &f->edges[f->edge_count++];
    *e = (edge){.low = low, .high = high, .triangle = {NOBODY, NOBODY}};
    return e;
}

static void enter_edges(finder *f)
{
    for (uint32_t i = 0; i < f->mesh->triangle_count; i++) {
        const uint32_t *const at = f->mesh->indices + 3 * (size_t)i;
        for (int j = 0; j < 3; j++) {
            const uint32_t from = f->corner[at[j]], to = f->corner[at[(j + 1) % 3]];
            if (from == to) {
                continue; // no way at all, and none back
            }
            edge *const e = find_edge(f, from < to ? from : to, from < to ? to : from);
            e->balance += from < to ? 1 : -1;
            if (e->uses > 0) {
                join(f, e->triangle[0], i);
            }
            if (e->uses < 2) {
                e->triangle[e->uses] = i;
            }
            e->uses++;
        }
    }
}

static void judge_parts(finder *f)
{
    for (uint32_t i = 0; i < f->edge_count; i++) {
        const edge *const e = &f->edges[i];
        uint8_t *const state = &f->is_open[root_of(f, e->triangle[0])];
        *state |= (uint8_t)((e->balance != 0 ? 1u : 0u) | (e->uses != 2 ? 2u : 0u));
    }
}

// ---- turning triangles round ----

// Which way a triangle uses an edge: 1 from its low end to its high one.
static int way_of(const finder *f, uint32_t triangle, const edge *e)
{
    const uint32_t *const at = f->mesh->indices + 3 * (size_t)triangle;
    for (int j = 0; j < 3; j++) {
        if (f->corner[at[j]] == e->low && f->corner[at[(j + 1) % 3]] == e->high) {
            return 1;
        }
    }
    return -1;
}

// Gives all triangles of a part sides that agree over its edges; false where that cannot be.
static bool orient(finder *f, uint32_t root)
{
    int8_t *const sides = f->mesh->sides;
    uint32_t count = 0;
    bool agree = true;
    f->queue[count++] = root;
    sides[root] = 1;
    for (uint32_t next = 0; next < count; next++) {
        const uint32_t triangle = f->queue[next];
        const uint32_t *const at = f->mesh->indices + 3 * (size_t)triangle;
        for (int j = 0; j < 3; j++) {
            const uint32_t from = f->corner[at[j]], to = f->corner[at[(j + 1) % 3]];
            if (from == to) {
                continue;
            }
            const edge *const e = find_edge(f, from < to ? from : to, from < to ? to : from);
            const uint32_t other = e->triangle[0] == triangle ? e->triangle[1] : e->triangle[0];
            const int wanted =
                way_of(f, triangle, e) != way_of(f, other, e) ? sides[triangle] : -sides[triangle];
            if (sides[other] == 0) {
                sides[other] = (int8_t)wanted;
                f->queue[count++] = other;
            }
            agree = agree && sides[other] == wanted;
        }
    }
    for (uint32_t i = 0; i < count && !agree; i++) {
        sides[f->queue[i]] = 0;
    }
    return agree;
}

// ---- the report ----

// Six times the volume below a triangle, seen from a corner of the mesh's box.
static double volume_below(const oct_mesh *mesh, size_t triangle)
{
    const uint32_t *const at = mesh->indices + 3 * triangle;
    const oct_point a = point_sub(mesh->vertices[at[0]], mesh->bounds.min);
    const oct_point b = point_sub(mesh->vertices[at[1]], mesh->bounds.min);
    const oct_point c = point_sub(mesh->vertices[at[2]], mesh->bounds.min);
    return point_dot(a, point_cross(b, c)) * mesh->sides[triangle];
}

static void count_parts(finder *f, double *volumes)
{
    oct_mesh *const mesh = f->mesh;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t root = root_of(f, i);
        volumes[i] = 0.0;
        mesh->report.parts += root == i;
        if (f->is_open[root] == 0) {
            mesh->sides[i] = 1;
        }
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        // Unbalanced, but two triangles at each edge.
        if (root_of(f, i) == i && f->is_open[i] == 1 && orient(f, i)) {
            f->is_open[i] = 0;
        }
        volumes[root_of(f, i)] += mesh->sides[root_of(f, i)] != 0 ? volume_below(mesh, i) : 0.0;
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (root_of(f, i) == i && mesh->sides[i] != 0) {
            mesh->report.closed++;
            mesh->report.inward += volumes[i] < 0.0;
        }
    }
}

static void count_open_edges(finder *f)
{
    oct_mesh_report *const report = &f->mesh->report;
    for (uint32_t i = 0; i < f->edge_count; i++) {
        const edge *const e = &f->edges[i];
        if (e->balance != 0 && f->is_open[root_of(f, e->triangle[0])] != 0) {
            if (report->open_edges++ == 0) {
                report->open_edge[0] = f->mesh->vertices[e->low];
                report->open_edge[1] = f->mesh->vertices[e->high];
            }
        }
    }
}

// ---- memory ----

typedef struct block {
    void **at;
    size_t bytes;
} block;

enum { BLOCKS = 7 };

oct_result oct_mesh_find_parts(oct_mesh *mesh)
{
    if (mesh->triangle_count == 0) {
        return OCT_OK;
    }
    finder f = {.mesh = mesh, .allocator = &mesh->allocator, .slot_count = 16};
    const size_t triangles = mesh->triangle_count, most = 3 * triangles;
    const size_t keys = most > mesh->vertex_count ? most : mesh->vertex_count;
    while (f.slot_count < keys + keys / 2) {
        f.slot_count *= 2;
    }
    void *corner = NULL, *slots = NULL, *edges = NULL, *parent = NULL, *open = NULL, *queue = NULL,
         *volumes = NULL;
    const block blocks[BLOCKS] = {{&corner, mesh->vertex_count * sizeof *f.corner},
                                  {&slots, f.slot_count * sizeof *f.slots},
                                  {&edges, most * sizeof *f.edges},
                                  {&parent, triangles * sizeof *f.parent},
                                  {&open, triangles * sizeof *f.is_open},
                                  {&queue, triangles * sizeof *f.queue},
                                  {&volumes, triangles * sizeof(double)}};
    bool there = true;
    for (int i = 0; i < BLOCKS; i++) {
        *blocks[i].at = oct_alloc(f.allocator, blocks[i].bytes, 16);
        there = there && *blocks[i].at;
    }
    if (there) {
        f.corner = corner;
        f.slots = slots;
        f.edges = edges;
        f.parent = parent;
        f.is_open = open;
        f.queue = queue;
        memset(f.slots, 0, f.slot_count * sizeof *f.slots);
        weld(&f);
        memset(f.slots, 0, f.slot_count * sizeof *f.slots);
        memset(f.is_open, 0, triangles);
        for (uint32_t i = 0; i < triangles; i++) {
            f.parent[i] = i;
        }
        enter_edges(&f);
        judge_parts(&f);
        count_parts(&f, volumes);
        count_open_edges(&f);
    }
    for (int i = 0; i < BLOCKS; i++) {
        oct_free(f.allocator, *blocks[i].at, blocks[i].bytes);
    }
    return there ? OCT_OK : OCT_ERROR_MEMORY;
}
