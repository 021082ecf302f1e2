// SPDX-License-Identifier: MIT
// Baking by Recast: geometry in, its polygons out as a surface.
#include "files/bake.h"
#include "geom/geom_internal.h"

#include <math.h>

#define COOKIE 0x5fab4e01u
#define PI 3.14159265358979323846
#define REGION_CELLS_MAX 1000000.0

oct_bake_def oct_bake_def_default(void)
{
    return (oct_bake_def){.cell = 0.3,
                          .cell_height = 0.2,
                          .height = 1.8,
                          .radius = 0.4,
                          .climb = 0.4,
                          .slope = 45.0,
                          .least_area = 1.0,
                          .error = 1.3,
                          .up = OCT_UP_Y,
                          .cookie = COOKIE};
}

bool oct_bake_is_there(void)
{
    return oct_recast_is_there();
}

static bool is_length(double value, double least)
{
    return value >= least && value <= 1e6;
}

static bool is_good(const oct_bake_def *d)
{
    return d->cookie == COOKIE && is_length(d->cell, 1e-6) && is_length(d->cell_height, 1e-6) &&
           is_length(d->height, 0.0) && is_length(d->radius, 0.0) && is_length(d->climb, 0.0) &&
           d->slope >= 0.0 && d->slope <= 90.0 && is_length(d->least_area, 0.0) &&
           is_length(d->error, 1e-3) && d->up <= OCT_UP_Z;
}

// ---- geometry ----

// Whether a triangle looks up and is no steeper than the cosine says; one that looks down is turned
// round where both sides count.
static bool is_floor(ground_point at[3], double cosine, bool two_sided)
{
    const double ux = at[1].x - at[0].x, uy = at[1].y - at[0].y, uz = at[1].z - at[0].z;
    const double vx = at[2].x - at[0].x, vy = at[2].y - at[0].y, vz = at[2].z - at[0].z;
    const double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    if (z < 0.0 && two_sided) {
        const ground_point keep = at[1];
        at[1] = at[2];
        at[2] = keep;
    }
    const double up = two_sided ? fabs(z) : z;
    return up > 0.0 && up >= cosine * sqrt(x * x + y * y + z * z);
}

oct_result oct_bake_take_mesh(const oct_mesh *mesh, const oct_bake_def *def, bake_geometry *out)
{
    const oct_point *const points = oct_mesh_vertices(mesh);
    const uint32_t *const indices = oct_mesh_indices(mesh);
    const size_t count = oct_mesh_triangle_count(mesh);
    double sine, cosine;
    oct_sin_cos(def->slope * PI / 180.0, &sine, &cosine);
    OCT_TRY(oct_array_reserve(&out->triangles, out->memory, sizeof(bake_triangle), count));
    bake_triangle *const triangles = out->triangles.items;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++) {
            triangles[i].at[k] = oct_surface_to_ground(def->up, false, points[indices[3 * i + k]]);
        }
        triangles[i].is_floor = is_floor(triangles[i].at, cosine, def->two_sided);
    }
    out->triangles.count = count;
    return OCT_OK;
}

void oct_bake_free(bake_geometry *g)
{
    const size_t squares = (size_t)g->columns * g->rows + 1;
    const size_t items = g->starts && g->items ? g->starts[squares - 1] : 0;
    oct_free(g->memory, g->items, items * sizeof *g->items);
    oct_free(g->memory, g->starts, squares * sizeof *g->starts);
    oct_array_free(&g->triangles, g->memory, sizeof(bake_triangle));
    oct_array_free(&g->spans, g->memory, sizeof(recast_span));
}

// ---- out of Recast ----

// The faces and triangles of heights of what was baked, as a definition's arrays.
typedef struct baked_arrays {
    oct_array points;       // of oct_point
    oct_array corners;      // of uint32_t
    oct_array sizes;        // of uint32_t
    oct_array details;      // of oct_point
    oct_array detail_sizes; // of uint32_t
} baked_arrays;

static void free_arrays(baked_arrays *a, const oct_allocator *memory)
{
    oct_array_free(&a->points, memory, sizeof(oct_point));
    oct_array_free(&a->corners, memory, sizeof(uint32_t));
    oct_array_free(&a->sizes, memory, sizeof(uint32_t));
    oct_array_free(&a->details, memory, sizeof(oct_point));
    oct_array_free(&a->detail_sizes, memory, sizeof(uint32_t));
}

static oct_point from_recast(oct_up up, const float at[3])
{
    const ground_point p = {(double)at[2], (double)at[0], (double)at[1]};
    return oct_surface_from_ground(up, false, p);
}

static oct_result list_details(const recast_mesh *mesh, int face, oct_up up, baked_arrays *a,
                               const oct_allocator *memory)
{
    const int count = oct_recast_detail(mesh, face, NULL, 0);
    const uint32_t size = (uint32_t)count;
    float(*const triangles)[9] =
        oct_alloc(memory, (size + 1u) * sizeof *triangles, _Alignof(float));
    if (!triangles) {
        return OCT_ERROR_MEMORY;
    }
    oct_recast_detail(mesh, face, triangles, count);
    oct_result result = oct_array_push(&a->detail_sizes, memory, sizeof size, &size);
    for (int i = 0; i < 3 * count && result == OCT_OK; i++) {
        const oct_point p = from_recast(up, &triangles[i / 3][3 * (i % 3)]);
        result = oct_array_push(&a->details, memory, sizeof p, &p);
    }
    oct_free(memory, triangles, (size + 1u) * sizeof *triangles);
    return result;
}

static oct_result list_faces(const recast_mesh *mesh, oct_up up, baked_arrays *a,
                             const oct_allocator *memory)
{
    const float *const at = oct_recast_vertices(mesh);
    for (int i = 0; i < oct_recast_vertex_count(mesh); i++) {
        const oct_point p = from_recast(up, &at[3 * i]);
        OCT_TRY(oct_array_push(&a->points, memory, sizeof p, &p));
    }
    for (int f = 0; f < oct_recast_face_count(mesh); f++) {
        int corners[6];
        const uint32_t count = (uint32_t)oct_recast_face(mesh, f, corners);
        OCT_TRY(oct_array_push(&a->sizes, memory, sizeof count, &count));
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t corner = (uint32_t)corners[i];
            OCT_TRY(oct_array_push(&a->corners, memory, sizeof corner, &corner));
        }
        OCT_TRY(list_details(mesh, f, up, a, memory));
    }
    return OCT_OK;
}

static oct_result make_surface(const baked_arrays *a, const oct_bake_def *def,
                               const oct_surface_baked *baked, oct_surface **out, oct_error *error)
{
    oct_surface_def own = oct_surface_def_default();
    own.points = a->points.items;
    own.point_count = (uint32_t)a->points.count;
    own.corners = a->corners.items;
    own.sizes = a->sizes.items;
    own.face_count = (uint32_t)a->sizes.count;
    own.details = a->details.items;
    own.detail_sizes = a->detail_sizes.items;
    own.up = def->up;
    own.allocator = def->allocator;
    own.baked = *baked;
    return oct_surface_create(&own, out, error);
}

static oct_result take_mesh(const recast_mesh *mesh, bake_geometry *g, const oct_bake_def *def,
                            oct_surface **out, oct_error *error)
{
    float radius, climb;
    oct_recast_rounded(mesh, &radius, &climb);
    baked_arrays arrays = {.points = {.count = 0}};
    oct_surface_baked baked = {.is_known = true, .radius = def->radius, .climb = (double)climb};
    oct_result result = list_faces(mesh, def->up, &arrays, g->memory);
    result = result == OCT_OK ? make_surface(&arrays, def, &baked, out, error) : result;
    free_arrays(&arrays, g->memory);
    if (result == OCT_OK) {
        result = oct_bake_measure(g, *out, def, &baked);
        (*out)->info.baked = baked;
    }
    if (result != OCT_OK) {
        oct_surface_destroy(*out);
        *out = NULL;
    }
    return result;
}

// ---- into Recast ----

static recast_bake plan_of(const oct_bake_def *def, double cell, double cell_height)
{
    const double region = ceil(def->least_area / (cell * cell));
    return (recast_bake){.cell = (float)cell,
                         .cell_height = (float)cell_height,
                         .height = (float)def->height,
                         .radius = (float)def->radius,
                         .climb = (float)def->climb,
                         .slope = (float)def->slope,
                         .least_region = region > 1.0 ? (int)fmin(region, REGION_CELLS_MAX) : 1,
                         .error = (float)def->error};
}

static oct_result bake(const recast_bake *plan, bake_geometry *g, const oct_bake_def *def,
                       oct_surface **out, oct_error *error)
{
    const char *why = "";
    recast_mesh *const mesh = oct_recast_bake(plan, &why);
    if (!mesh) {
        oct_error_set(error, 0, 0, 0, "%s", why);
        return oct_recast_is_there() ? OCT_ERROR_RANGE : OCT_ERROR_UNSUPPORTED;
    }
    const oct_result result = take_mesh(mesh, g, def, out, error);
    oct_recast_free(mesh);
    return result;
}

static oct_result bake_triangles(bake_geometry *g, const oct_bake_def *def, oct_surface **out,
                                 oct_error *error)
{
    const size_t count = g->triangles.count;
    const bake_triangle *const from = g->triangles.items;
    if (count == 0 || count > INT32_MAX / 9) {
        oct_error_set(error, 0, 0, 0, count == 0 ? "no triangles" : "too many triangles");
        return OCT_ERROR_RANGE;
    }
    float *const vertices = oct_alloc(g->memory, 9 * count * sizeof *vertices, _Alignof(float));
    int *const triangles = oct_alloc(g->memory, 3 * count * sizeof *triangles, _Alignof(int));
    oct_result result = vertices && triangles ? OCT_OK : OCT_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * count && result == OCT_OK; i++) {
        const ground_point *const p = &from[i / 3].at[i % 3];
        vertices[3 * i] = (float)p->y;
        vertices[3 * i + 1] = (float)p->z;
        vertices[3 * i + 2] = (float)p->x;
        triangles[i] = (int)i;
    }
    if (result == OCT_OK) {
        recast_bake plan = plan_of(def, def->cell, def->cell_height);
        plan.vertices = vertices;
        plan.triangles = triangles;
        plan.vertex_count = (int)(3 * count);
        plan.triangle_count = (int)count;
        result = bake(&plan, g, def, out, error);
    }
    oct_free(g->memory, vertices, 9 * count * sizeof *vertices);
    oct_free(g->memory, triangles, 3 * count * sizeof *triangles);
    return result;
}

static oct_result bake_columns(bake_geometry *g, const oct_bake_def *def, oct_surface **out,
                               oct_error *error)
{
    recast_bake plan = plan_of(def, g->edge, g->cell_height);
    plan.spans = g->spans.items;
    plan.span_count = g->spans.count;
    plan.width = (int)g->rows; // Recast's x is the ground's y
    plan.depth = (int)g->columns;
    plan.origin[0] = (float)g->y;
    plan.origin[1] = (float)g->z;
    plan.origin[2] = (float)g->x;
    if (g->spans.count == 0) {
        oct_error_set(error, 0, 0, 0, "nothing there can be walked on");
        return OCT_ERROR_RANGE;
    }
    return bake(&plan, g, def, out, error);
}

// ---- baking ----

static oct_result begin(const oct_bake_def *def, oct_surface **out, oct_error *error)
{
    *out = NULL;
    if (error) {
        *error = (oct_error){.line = 0};
    }
    if (!is_good(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const char *why = "";
    if (!oct_recast_is_there()) {
        oct_recast_bake(NULL, &why);
        oct_error_set(error, 0, 0, 0, "%s", why);
        return OCT_ERROR_UNSUPPORTED;
    }
    return OCT_OK;
}

static oct_result end(oct_result result, bake_geometry *g, oct_error *error)
{
    oct_bake_free(g);
    if (result != OCT_OK && error && !error->message[0]) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    return result;
}

oct_result oct_surface_bake_mesh(const oct_mesh *mesh, const oct_bake_def *def, oct_surface **out,
                                 oct_error *error)
{
    OCT_TRY(begin(def, out, error));
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    bake_geometry g = {.memory = &memory};
    oct_result result = oct_bake_take_mesh(mesh, def, &g);
    result = result == OCT_OK ? bake_triangles(&g, def, out, error) : result;
    return end(result, &g, error);
}

oct_result oct_surface_bake_tree(const oct_tree *tree, oct_box box, const oct_bake_def *def,
                                 oct_surface **out, oct_error *error)
{
    OCT_TRY(begin(def, out, error));
    if (oct_tree_dims(tree) != 3) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    bake_geometry g = {.memory = &memory};
    oct_result result = oct_bake_take_tree(tree, box, def->up, &g, error);
    result = result == OCT_OK ? bake_columns(&g, def, out, error) : result;
    return end(result, &g, error);
}
