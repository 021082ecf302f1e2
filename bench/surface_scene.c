// SPDX-License-Identifier: MIT
#include "bench/surface_scene.h"
#include "base/base_internal.h"
#include "generate/generate_floor.h"
#include "surface/surface_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIR_SEED 25
#define FLOOR_STEPS 40 // of a metre, at which corners of generated floors are

// ---- queries ----

// A place of a face, uniform by area.
static void random_in_face(oct_random *random, const oct_surface *s, uint32_t face, float out[3])
{
    const surface_face *const f = &s->faces[face];
    const half_edge *const a = &s->edges[f->first];
    double total = 0.0;
    for (uint32_t i = 1; i + 1 < f->count; i++) {
        total += ground_turn(a->x, a->y, a[i].x, a[i].y, a[i + 1].x, a[i + 1].y);
    }
    double left = oct_random_unit(random) * total;
    uint32_t at = 1;
    for (; at + 2 < f->count; at++) {
        const double own = ground_turn(a->x, a->y, a[at].x, a[at].y, a[at + 1].x, a[at + 1].y);
        if (left < own) {
            break;
        }
        left -= own;
    }
    double u = oct_random_unit(random), v = oct_random_unit(random);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    const half_edge *const b = &a[at], *const c = &a[at + 1];
    const double x = a->x + u * (b->x - a->x) + v * (c->x - a->x);
    const double y = a->y + u * (b->y - a->y) + v * (c->y - a->y);
    const oct_point p = surface_out(s, (ground_point){x, y, oct_surface_height_at(s, face, x, y)});
    out[0] = (float)p.x;
    out[1] = (float)p.y;
    out[2] = (float)p.z;
}

static uint32_t random_face(oct_random *random, const oct_surface *s, const double *sums)
{
    const double at = oct_random_unit(random) * sums[s->info.faces - 1];
    uint32_t low = 0, high = s->info.faces - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sums[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void draw_pair(oct_random *random, const oct_surface *s, const double *sums, bool same,
                      surface_query *out)
{
    out->from_face = random_face(random, s, sums);
    do {
        out->to_face = random_face(random, s, sums);
    } while ((s->faces[out->from_face].island == s->faces[out->to_face].island) != same);
    random_in_face(random, s, out->from_face, out->from);
    random_in_face(random, s, out->to_face, out->to);
}

static oct_result draw_queries(surface_scene *scene)
{
    const oct_surface *const s = scene->surface;
    double *const sums = malloc(s->info.faces * sizeof *sums);
    if (!sums) {
        return OCT_ERROR_MEMORY;
    }
    double total = 0.0;
    for (uint32_t i = 0; i < s->info.faces; i++) {
        total += oct_surface_face_of(s, i).area;
        sums[i] = total;
    }
    oct_random random = oct_random_seed(PAIR_SEED);
    for (int i = 0; i < SURFACE_QUERIES; i++) {
        draw_pair(&random, s, sums, true, &scene->queries[i]);
    }
    scene->apart_count = s->info.islands > 1 ? SURFACE_APART : 0;
    for (uint32_t i = 0; i < scene->apart_count; i++) {
        draw_pair(&random, s, sums, false, &scene->apart[i]);
    }
    free(sums);
    return OCT_OK;
}

// ---- meshes ----

// Exports the mesh as Detour has it, unsplit, into a surface.
static oct_result export_mesh(surface_scene *scene, const char **why)
{
    const int faces = oct_recast_face_count(scene->recast);
    const int vertices = oct_recast_vertex_count(scene->recast);
    const float *const at = oct_recast_vertices(scene->recast);
    oct_point *const points = malloc((size_t)vertices * sizeof *points);
    uint32_t *const corners = malloc((size_t)faces * 6 * sizeof *corners);
    uint32_t *const sizes = malloc((size_t)faces * sizeof *sizes);
    oct_result result = points && corners && sizes ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        size_t count = 0;
        for (int i = 0; i < vertices; i++) {
            points[i] =
                (oct_point){(double)at[3 * i], (double)at[3 * i + 1], (double)at[3 * i + 2]};
        }
        for (int f = 0; f < faces; f++) {
            int own[6];
            sizes[f] = (uint32_t)oct_recast_face(scene->recast, f, own);
            for (uint32_t i = 0; i < sizes[f]; i++) {
                corners[count++] = (uint32_t)own[i];
            }
        }
        oct_surface_def def = oct_surface_def_default();
        def.points = points;
        def.point_count = (uint32_t)vertices;
        def.corners = corners;
        def.sizes = sizes;
        def.face_count = (uint32_t)faces;
        result = oct_surface_create(&def, &scene->surface, NULL);
    }
    if (result == OCT_OK && (int)scene->surface->info.faces != faces) {
        *why = "faces have changed";
        result = OCT_ERROR_FORMAT;
    }
    free(points);
    free(corners);
    free(sizes);
    return result == OCT_OK ? draw_queries(scene) : result;
}

typedef struct triangles {
    float *vertices;
    int *indices;
    int vertex_count, triangle_count;
} triangles;

// The triangles of an OBJ file of which nothing is suspected; polygons are fanned.
static bool read_triangles(FILE *file, double scale, triangles *out)
{
    char line[4096];
    int vertex_room = 0, triangle_room = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == 'v' && line[1] == ' ') {
            if (out->vertex_count == vertex_room) {
                vertex_room = vertex_room ? 2 * vertex_room : 1024;
                out->vertices = realloc(out->vertices, (size_t)vertex_room * 3 * sizeof(float));
                if (!out->vertices) {
                    return false;
                }
            }
            float *const at = &out->vertices[3 * out->vertex_count++];
            char *end = line + 2;
            for (int i = 0; i < 3; i++) {
                at[i] = (float)(scale * strtod(end, &end));
            }
        } else if (line[0] == 'f' && line[1] == ' ') {
            int corner[3] = {0};
            int count = 0;
            char *at = line + 2;
            for (;;) {
                char *end;
                const long index = strtol(at, &end, 10);
                if (end == at) {
                    break;
                }
                at = end + strcspn(end, " \t\r\n");
                corner[count < 2 ? count : 2] =
                    index < 0 ? out->vertex_count + (int)index : (int)index - 1;
                if (++count < 3) {
                    continue;
                }
                if (out->triangle_count == triangle_room) {
                    triangle_room = triangle_room ? 2 * triangle_room : 1024;
                    out->indices = realloc(out->indices, (size_t)triangle_room * 3 * sizeof(int));
                    if (!out->indices) {
                        return false;
                    }
                }
                memcpy(&out->indices[3 * out->triangle_count++], corner, sizeof corner);
                corner[1] = corner[2];
            }
        }
    }
    return out->triangle_count > 0;
}

oct_result oct_surface_scene_bake(const char *path, double scale, double radius, surface_scene *out,
                                  const char **why)
{
    FILE *const file = fopen(path, "r");
    if (!file) {
        *why = "it is not there";
        return OCT_ERROR_FILE;
    }
    triangles mesh = {NULL, NULL, 0, 0};
    *why = "no triangles";
    const bool is_read = read_triangles(file, scale, &mesh);
    fclose(file);
    if (is_read) {
        const recast_bake bake = {.vertices = mesh.vertices,
                                  .triangles = mesh.indices,
                                  .vertex_count = mesh.vertex_count,
                                  .triangle_count = mesh.triangle_count,
                                  .cell = 0.3f,
                                  .cell_height = 0.2f,
                                  .height = 2.0f,
                                  .radius = (float)radius,
                                  .climb = 0.9f,
                                  .slope = 45.0f};
        out->recast = oct_recast_bake(&bake, why);
    }
    free(mesh.vertices);
    free(mesh.indices);
    return out->recast ? export_mesh(out, why) : OCT_ERROR_FORMAT;
}

// ---- floors ----

typedef struct edge_user {
    uint16_t a, b;
    uint16_t face, at;
} edge_user;

static int by_edge(const void *a, const void *b)
{
    const edge_user *const x = a, *const y = b;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

// Steps from the floor's edge; corners are up to a quarter of a metre beyond it.
static double floor_steps(double at)
{
    return floor((at + 1.0) * FLOOR_STEPS + 0.5);
}

// Detour's polygons are clockwise seen from above, with Y up: those of the floor with y as -z.
static oct_result fill_polygons(const floor_mesh *floor, uint16_t *vertices, uint16_t *faces)
{
    const oct_point *const points = floor->points.items;
    const uint32_t *const corners = floor->corners.items, *const sizes = floor->sizes.items;
    edge_user *const users = malloc(floor->corners.count * sizeof *users);
    if (!users) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < floor->points.count; i++) {
        vertices[3 * i] = (uint16_t)(floor_steps(points[i].x));
        vertices[3 * i + 1] = 0;
        vertices[3 * i + 2] = (uint16_t)(floor_steps(points[i].y));
    }
    size_t n = 0;
    for (size_t f = 0, at = 0; f < floor->sizes.count; at += sizes[f], f++) {
        uint16_t *const own = &faces[12 * f];
        memset(own, 0xff, 12 * sizeof *own);
        for (uint32_t i = 0; i < sizes[f]; i++) {
            own[i] = (uint16_t)corners[at + sizes[f] - 1 - i];
        }
        for (uint32_t i = 0; i < sizes[f]; i++) {
            users[n++] = (edge_user){own[i], own[(i + 1) % sizes[f]], (uint16_t)f, (uint16_t)i};
        }
    }
    qsort(users, n, sizeof *users, by_edge);
    for (size_t i = 0; i < n; i++) {
        const edge_user wanted = {users[i].b, users[i].a, 0, 0};
        const edge_user *const other = bsearch(&wanted, users, n, sizeof *users, by_edge);
        if (other) {
            faces[12 * users[i].face + 6 + users[i].at] = other->face;
        }
    }
    free(users);
    return OCT_OK;
}

oct_result oct_surface_scene_floor(uint64_t seed, surface_scene *out, const char **why)
{
    const oct_allocator memory = oct_allocator_default();
    const floor_def def = {
        .kind = FLOOR_BENT, .seed = seed, .edge = 12 + (uint32_t)seed, .holes = 0.12};
    floor_mesh floor;
    *why = "memory is short";
    OCT_TRY(oct_floor_generate(&def, &memory, &floor));
    uint16_t *const vertices = malloc(floor.points.count * 3 * sizeof *vertices);
    uint16_t *const faces = malloc(floor.sizes.count * 12 * sizeof *faces);
    oct_result result =
        vertices && faces ? fill_polygons(&floor, vertices, faces) : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        const recast_polygons mesh = {.vertices = vertices,
                                      .polygons = faces,
                                      .vertex_count = (int)floor.points.count,
                                      .polygon_count = (int)floor.sizes.count,
                                      .cell = 1.0f / FLOOR_STEPS,
                                      .cell_height = 0.2f,
                                      .origin = {0.0f, 0.0f, 0.0f}};
        out->recast = oct_recast_of_polygons(&mesh, why);
        result = out->recast ? export_mesh(out, why) : OCT_ERROR_FORMAT;
    }
    free(vertices);
    free(faces);
    oct_floor_free(&floor, &memory);
    return result;
}

void oct_surface_scene_free(surface_scene *scene)
{
    oct_recast_free(scene->recast);
    oct_surface_destroy(scene->surface);
}
