// SPDX-License-Identifier: MIT
// Meshes: their life, and how readers build them.
#include "mesh/mesh_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

#define MESH_COOKIE 0x0c7a9e24u

oct_mesh_def oct_mesh_def_default(void)
{
    return (oct_mesh_def){
        .vertices_max = MESH_MOST, .triangles_max = MESH_MOST, .unit = 1.0, .cookie = MESH_COOKIE};
}

static bool point_is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool def_is_valid(const oct_mesh_def *def)
{
    return def->cookie == MESH_COOKIE && def->vertices_max <= MESH_MOST &&
           def->triangles_max <= MESH_MOST && def->unit > 0.0 && isfinite(def->unit);
}

// ---- life ----

static void free_mesh(oct_mesh *mesh)
{
    const oct_allocator allocator = mesh->allocator;
    oct_free(&allocator, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    oct_free(&allocator, mesh->indices, mesh->triangle_count * 3 * sizeof *mesh->indices);
    oct_free(&allocator, mesh->sides, mesh->triangle_count);
    oct_free(&allocator, mesh, sizeof *mesh);
}

void oct_mesh_destroy(oct_mesh *mesh)
{
    if (mesh) {
        free_mesh(mesh);
    }
}

static void measure(oct_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const oct_point a = mesh->vertices[mesh->indices[3 * i]];
        const oct_point b = mesh->vertices[mesh->indices[3 * i + 1]];
        const oct_point c = mesh->vertices[mesh->indices[3 * i + 2]];
        const double twice = point_length(point_cross(point_sub(b, a), point_sub(c, a)));
        mesh->report.degenerate += !(twice > 0.0);
        mesh->area += twice / 2.0;
        const oct_bounds corners[3] = {{a, a}, {b, b}, {c, c}};
        for (int j = 0; j < 3; j++) {
            mesh->bounds = i == 0 && j == 0 ? corners[j] : bounds_join(mesh->bounds, corners[j]);
        }
    }
}

// Copies the arrays; sizes are within limits.
static oct_result make_mesh(const oct_allocator *allocator, const oct_point *vertices,
                            size_t vertex_count, const uint32_t *indices, size_t triangle_count,
                            const oct_mesh_report *report, oct_mesh **out)
{
    *out = NULL;
    oct_mesh *const mesh = oct_alloc(allocator, sizeof *mesh, _Alignof(oct_mesh));
    if (!mesh) {
        return OCT_ERROR_MEMORY;
    }
    *mesh = (oct_mesh){.allocator = *allocator,
                       .vertex_count = vertex_count,
                       .triangle_count = triangle_count,
                       .report = *report};
    const size_t vertex_bytes = vertex_count * sizeof *vertices;
    const size_t index_bytes = triangle_count * 3 * sizeof *indices;
    if (vertex_count > 0) {
        mesh->vertices = oct_alloc(allocator, vertex_bytes, _Alignof(oct_point));
    }
    if (triangle_count > 0) {
        mesh->indices = oct_alloc(allocator, index_bytes, _Alignof(uint32_t));
        mesh->sides = oct_alloc(allocator, triangle_count, 1);
    }
    if ((vertex_count > 0 && !mesh->vertices) ||
        (triangle_count > 0 && (!mesh->indices || !mesh->sides))) {
        free_mesh(mesh);
        return OCT_ERROR_MEMORY;
    }
    if (vertex_count > 0) {
        memcpy(mesh->vertices, vertices, vertex_bytes);
    }
    if (triangle_count > 0) {
        memcpy(mesh->indices, indices, index_bytes);
        memset(mesh->sides, 0, triangle_count);
    }
    measure(mesh);
    const oct_result result = oct_mesh_find_parts(mesh);
    if (result != OCT_OK) {
        free_mesh(mesh);
        return result;
    }
    *out = mesh;
    return OCT_OK;
}

oct_result oct_mesh_create(const oct_mesh_def *def, const oct_point *vertices, size_t vertex_count,
                           const uint32_t *indices, size_t triangle_count, oct_mesh **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    if (vertex_count > def->vertices_max || triangle_count > def->triangles_max) {
        return OCT_ERROR_RANGE;
    }
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        if (indices[i] >= vertex_count || !point_is_finite(vertices[indices[i]])) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    const oct_mesh_report report = {0};
    return make_mesh(&allocator, vertices, vertex_count, indices, triangle_count, &report, out);
}

// ---- questions ----

size_t oct_mesh_vertex_count(const oct_mesh *mesh)
{
    return mesh->vertex_count;
}

size_t oct_mesh_triangle_count(const oct_mesh *mesh)
{
    return mesh->triangle_count;
}

const oct_point *oct_mesh_vertices(const oct_mesh *mesh)
{
    return mesh->vertices;
}

const uint32_t *oct_mesh_indices(const oct_mesh *mesh)
{
    return mesh->indices;
}

oct_bounds oct_mesh_bounds(const oct_mesh *mesh)
{
    return mesh->bounds;
}

double oct_mesh_area(const oct_mesh *mesh)
{
    return mesh->area;
}

oct_mesh_report oct_mesh_get_report(const oct_mesh *mesh)
{
    return mesh->report;
}

// ---- names of objects ----

// Godot's suffixes, before what exporters append to names that occur twice (`.001`), and Unreal's
// prefixes.
static bool is_same_letter(char a, char b)
{
    return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
}

static bool has_at(const char *name, size_t length, size_t at, const char *word)
{
    const size_t size = strlen(word);
    bool same = at <= length && length - at >= size;
    for (size_t i = 0; i < size && same; i++) {
        same = is_same_letter(name[at + i], word[i]);
    }
    return same;
}

static bool ends_with(const char *name, size_t length, const char *word)
{
    const size_t size = strlen(word);
    return length >= size && has_at(name, length, length - size, word);
}

object_kind oct_mesh_object_kind(const char *name, size_t length)
{
    if (has_at(name, length, 0, "ucx_")) {
        return OBJECT_HULL;
    }
    if (has_at(name, length, 0, "ubx_") || has_at(name, length, 0, "ucp_") ||
        has_at(name, length, 0, "usp_")) {
        return OBJECT_COLLIDES;
    }
    while (length > 0 && ((name[length - 1] >= '0' && name[length - 1] <= '9') ||
                          name[length - 1] == '.' || text_is_space(name[length - 1]))) {
        length--;
    }
    if (ends_with(name, length, "-convcol") || ends_with(name, length, "-convcolonly")) {
        return OBJECT_HULL;
    }
    if (ends_with(name, length, "-col") || ends_with(name, length, "-colonly")) {
        return OBJECT_COLLIDES;
    }
    return ends_with(name, length, "-navmesh") ? OBJECT_NEVER : OBJECT_DRAWN;
}

// ---- building ----

oct_result oct_mesh_builder_init(mesh_builder *b, const oct_mesh_def *def)
{
    *b = (mesh_builder){.allocator = oct_allocator_or_default(def->allocator)};
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    b->def = *def;
    return OCT_OK;
}

void oct_mesh_builder_free(mesh_builder *b)
{
    oct_array_free(&b->vertices, &b->allocator, sizeof(oct_point));
    oct_array_free(&b->indices, &b->allocator, sizeof(uint32_t));
    oct_array_free(&b->objects, &b->allocator, sizeof(mesh_object));
    oct_array_free(&b->corners, &b->allocator, sizeof(uint32_t));
}

oct_result oct_mesh_begin_object(mesh_builder *b, const char *name, size_t length)
{
    const mesh_object object = {b->indices.count / 3, oct_mesh_object_kind(name, length)};
    b->report.objects += b->report.objects < UINT32_MAX;
    return oct_array_push(&b->objects, &b->allocator, sizeof object, &object);
}

static oct_result push_triangle(mesh_builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    if (b->indices.count / 3 >= b->def.triangles_max) {
        return OCT_ERROR_RANGE;
    }
    const uint32_t corners[3] = {i, j, k};
    for (int n = 0; n < 3; n++) {
        OCT_TRY(oct_array_push(&b->indices, &b->allocator, sizeof corners[n], &corners[n]));
    }
    return OCT_OK;
}

// ---- polygons ----

// A corner in the plane that the polygon fills most of.
typedef struct flat_point {
    double x, y;
} flat_point;

// Twice the area that the polygon encloses, as a vector.
static oct_point area_vector(const oct_point *vertices, const uint32_t *corners, size_t count)
{
    const oct_point from = vertices[corners[0]];
    oct_point sum = {0, 0, 0};
    for (size_t i = 1; i + 1 < count; i++) {
        sum = point_add(sum, point_cross(point_sub(vertices[corners[i]], from),
                                         point_sub(vertices[corners[i + 1]], from)));
    }
    return sum;
}

// Looks along the longest axis of the area, so that the polygon runs to the left.
static flat_point flatten(oct_point area, oct_point p)
{
    const double x = fabs(area.x), y = fabs(area.y), z = fabs(area.z);
    if (z >= x && z >= y) {
        return (flat_point){area.z < 0 ? -p.x : p.x, p.y};
    }
    if (y >= x) {
        return (flat_point){area.y < 0 ? -p.z : p.z, p.x};
    }
    return (flat_point){area.x < 0 ? -p.y : p.y, p.z};
}

static double turn(flat_point a, flat_point b, flat_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool is_convex(const oct_point *vertices, const uint32_t *corners, size_t count,
                      oct_point area)
{
    for (size_t i = 0; i < count; i++) {
        const flat_point a = flatten(area, vertices[corners[i]]);
        const flat_point b = flatten(area, vertices[corners[(i + 1) % count]]);
        const flat_point c = flatten(area, vertices[corners[(i + 2) % count]]);
        if (turn(a, b, c) < 0.0) {
            return false;
        }
    }
    return true;
}

// Whether the corner `at` of what is left can be cut off: it sticks out, and no other corner lies
// in its triangle.
static bool is_ear(const oct_point *vertices, const uint32_t *corners, size_t count, size_t at,
                   oct_point area)
{
    const uint32_t ends[3] = {corners[(at + count - 1) % count], corners[at],
                              corners[(at + 1) % count]};
    flat_point p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = flatten(area, vertices[ends[i]]);
    }
    if (turn(p[0], p[1], p[2]) <= 0.0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const flat_point q = flatten(area, vertices[corners[i]]);
        const bool is_end = corners[i] == ends[0] || corners[i] == ends[1] || corners[i] == ends[2];
        if (!is_end && turn(p[0], p[1], q) >= 0.0 && turn(p[1], p[2], q) >= 0.0 &&
            turn(p[2], p[0], q) >= 0.0) {
            return false;
        }
    }
    return true;
}

static oct_result add_fan(mesh_builder *b, const uint32_t *corners, size_t count)
{
    for (size_t i = 1; i + 1 < count; i++) {
        OCT_TRY(push_triangle(b, corners[0], corners[i], corners[i + 1]));
    }
    return OCT_OK;
}

// No polygon that does not cross itself was seen to need a fourth of these looks per corner.
#define LOOKS_PER_CORNER 16

// Cuts off ears until a triangle is left (Meisters 1975). Where there
// is none, or none soon enough, the polygon crosses itself, and the rest becomes a fan.
static oct_result add_by_ears(mesh_builder *b, uint32_t *corners, size_t count, oct_point area)
{
    const oct_point *const vertices = b->vertices.items;
    size_t at = 0, without = 0, looks = count * LOOKS_PER_CORNER;
    while (count > 3 && without < count && looks-- > 0) {
        if (!is_ear(vertices, corners, count, at, area)) {
            without++;
            at = (at + 1) % count;
            continue;
        }
        OCT_TRY(push_triangle(b, corners[(at + count - 1) % count], corners[at],
                              corners[(at + 1) % count]));
        memmove(corners + at, corners + at + 1, (count - at - 1) * sizeof *corners);
        count--;
        at = at < count ? at : 0;
        without = 0;
    }
    b->report.tangled += count > 3;
    return add_fan(b, corners, count);
}

oct_result oct_mesh_add_polygon(mesh_builder *b)
{
    uint32_t *const corners = b->corners.items;
    const size_t count = b->corners.count;
    const oct_point *const vertices = b->vertices.items;
    if (count > 3) {
        const oct_point area = area_vector(vertices, corners, count);
        if (!is_convex(vertices, corners, count, area)) {
            b->report.concave++;
            return add_by_ears(b, corners, count, area);
        }
    }
    return add_fan(b, corners, count);
}

// ---- the end ----

static size_t object_end(const mesh_builder *b, size_t i)
{
    const mesh_object *const objects = b->objects.items;
    return i + 1 < b->objects.count ? objects[i + 1].first : b->indices.count / 3;
}

// Keeps what collides: shapes that are said to, and hulls; else everything but walkable surfaces.
static oct_result choose_objects(mesh_builder *b)
{
    const mesh_object *const objects = b->objects.items;
    uint64_t special = 0;
    for (size_t i = 0; i < b->objects.count; i++) {
        const bool has_triangles = object_end(b, i) > objects[i].first;
        const bool collides = objects[i].kind == OBJECT_COLLIDES || objects[i].kind == OBJECT_HULL;
        b->report.colliding += collides && has_triangles;
        special += objects[i].kind != OBJECT_DRAWN && has_triangles;
    }
    if (special == 0) {
        return OCT_OK;
    }
    oct_array all = b->indices;
    b->indices = (oct_array){0};
    oct_result result = OCT_OK;
    size_t begin = 0; // of what stands before the first object
    for (size_t i = 0; i <= b->objects.count && result == OCT_OK; i++) {
        const object_kind kind = i > 0 ? objects[i - 1].kind : OBJECT_DRAWN;
        const size_t end = i < b->objects.count ? objects[i].first : all.count / 3;
        const uint32_t *const from = (const uint32_t *)all.items + 3 * begin;
        const size_t count = 3 * (end - begin);
        bool flat = kind != OBJECT_HULL;
        if (kind == OBJECT_HULL && count > 0) {
            result =
                oct_mesh_hull(&b->allocator, b->vertices.items, from, count, &b->indices, &flat);
        }
        const bool counts = b->report.colliding > 0 ? kind != OBJECT_DRAWN : kind == OBJECT_DRAWN;
        if (flat && counts && kind != OBJECT_NEVER) {
            for (size_t j = 0; j < count && result == OCT_OK; j++) {
                result = oct_array_push(&b->indices, &b->allocator, sizeof *from, &from[j]);
            }
        }
        begin = end;
    }
    oct_array_free(&all, &b->allocator, sizeof(uint32_t));
    return result;
}

oct_result oct_mesh_finish(mesh_builder *b, oct_mesh **out)
{
    *out = NULL;
    OCT_TRY(choose_objects(b));
    return make_mesh(&b->allocator, b->vertices.items, b->vertices.count, b->indices.items,
                     b->indices.count / 3, &b->report, out);
}

oct_result oct_mesh_conclude(mesh_builder *b, oct_result result, oct_mesh **out, oct_error *error)
{
    *out = NULL;
    if (result == OCT_OK) {
        result = oct_mesh_finish(b, out);
        if (result == OCT_OK && (*out)->triangle_count == 0) {
            oct_mesh_destroy(*out);
            *out = NULL;
            result = OCT_REFUSE(error, 0, "the mesh has no triangles that could be in the way");
        }
    }
    if (result == OCT_ERROR_RANGE) { // of a hull alone
        result = OCT_REFUSE(error, 0, "an object whose convex hull counts has too many corners");
    }
    if (result == OCT_ERROR_MEMORY) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    return result;
}

oct_result oct_mesh_read(oct_mesh_format format, const void *data, size_t size,
                         const oct_mesh_def *def, oct_mesh **out, oct_error *error)
{
    *out = NULL;
    mesh_builder b;
    oct_result result = oct_mesh_builder_init(&b, def);
    if (result != OCT_OK || format >= OCT_MESH_FORMAT_COUNT) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(OCT_ERROR_ARGUMENT));
        return OCT_ERROR_ARGUMENT;
    }
    const input in = {data, size};
    result = format == OCT_MESH_OBJ ? oct_mesh_read_obj(in, &b, error)
                                    : oct_mesh_read_stl(in, &b, error);
    result = oct_mesh_conclude(&b, result, out, error);
    oct_mesh_builder_free(&b);
    return result;
}
