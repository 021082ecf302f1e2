// SPDX-License-Identifier: MIT
// Making a surface: given faces are checked, oriented, cut and split; the parts that follow have
// files of their own.
#include "surface/surface_internal.h"

#include <math.h>

#define COOKIE 0x5fafce01u
#define CONCAVE_CORNERS_MAX 1000 // cutting takes the square of it
#define JOIN_DISTANCE 1e-6
#define JOIN_SHARE 1e-9

oct_surface_def oct_surface_def_default(void)
{
    return (oct_surface_def){.up = OCT_UP_Y, .cookie = COOKIE};
}

// ---- coordinates ----

ground_point oct_surface_to_ground(oct_up up, bool left_handed, oct_point p)
{
    ground_point g;
    switch (up) {
    case OCT_UP_X:
        g = (ground_point){p.y, p.z, p.x};
        break;
    case OCT_UP_Y:
        g = (ground_point){p.z, p.x, p.y};
        break;
    default:
        g = (ground_point){p.x, p.y, p.z};
        break;
    }
    return left_handed ? (ground_point){g.y, g.x, g.z} : g;
}

oct_point oct_surface_from_ground(oct_up up, bool left_handed, ground_point p)
{
    const ground_point g = left_handed ? (ground_point){p.y, p.x, p.z} : p;
    switch (up) {
    case OCT_UP_X:
        return (oct_point){g.z, g.x, g.y};
    case OCT_UP_Y:
        return (oct_point){g.y, g.z, g.x};
    default:
        return (oct_point){g.x, g.y, g.z};
    }
}

// ---- given faces ----

typedef struct taking {
    const oct_surface_def *def;
    oct_surface_info *info;
    double slack;
    polygons out;
    oct_array scratch; // of ground_point
} taking;

static oct_result refuse_face(oct_error *error, oct_result result, uint32_t face, const char *why)
{
    oct_error_set(error, face, 0, 0, "face %u %s", (unsigned)face, why);
    return result;
}

static bool is_usable(oct_point p)
{
    return fabs(p.x) <= OCT_SURFACE_REACH_MAX && fabs(p.y) <= OCT_SURFACE_REACH_MAX &&
           fabs(p.z) <= OCT_SURFACE_REACH_MAX;
}

// Fetches a face's corners, leaving out those that repeat the one before.
static oct_result gather(taking *t, uint32_t face, const uint32_t *corners, uint32_t *count,
                         oct_error *error)
{
    const oct_surface_def *const def = t->def;
    ground_point *const out = t->scratch.items;
    uint32_t n = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (corners[i] >= def->point_count) {
            return refuse_face(error, OCT_ERROR_FORMAT, face, "names a point that is not there");
        }
        const oct_point at = def->points[corners[i]];
        if (!is_usable(at)) {
            return refuse_face(error, OCT_ERROR_FORMAT, face,
                               "has a coordinate that is not a number within +-1e7");
        }
        const ground_point p = oct_surface_to_ground(def->up, def->left_handed, at);
        if (n == 0 || p.x != out[n - 1].x || p.y != out[n - 1].y) {
            out[n++] = p;
        }
    }
    while (n > 1 && out[0].x == out[n - 1].x && out[0].y == out[n - 1].y) {
        n--;
    }
    *count = n;
    return OCT_OK;
}

// Whether an area is no more than rounding, or than what is joined across.
static bool has_no_area(const taking *t, const ground_point *corners, uint32_t count, double area)
{
    double reach = 0.0;
    for (uint32_t i = 1; i < count; i++) {
        const double x = fabs(corners[i].x - corners[0].x), y = fabs(corners[i].y - corners[0].y);
        reach = x > reach ? x : reach;
        reach = y > reach ? y : reach;
    }
    return !(fabs(area) > t->slack * reach);
}

static void reverse(ground_point *corners, uint32_t count)
{
    for (uint32_t i = 1, j = count - 1; i < j; i++, j--) {
        const ground_point keep = corners[i];
        corners[i] = corners[j];
        corners[j] = keep;
    }
}

static oct_result take_face(taking *t, uint32_t face, const uint32_t *corners, uint32_t count,
                            oct_error *error)
{
    if (count > OCT_SURFACE_CORNERS_MAX) {
        return refuse_face(error, OCT_ERROR_RANGE, face, "has too many corners");
    }
    OCT_TRY(oct_array_reserve(&t->scratch, t->out.memory, sizeof(ground_point), count + 1u));
    OCT_TRY(gather(t, face, corners, &count, error));
    ground_point *const own = t->scratch.items;
    double area = count >= 3 ? oct_polygon_area(own, count) : 0.0;
    if (count < 3 || has_no_area(t, own, count, area)) {
        t->info->left_out++;
        return OCT_OK;
    }
    if (area < 0.0) {
        reverse(own, count);
    }
    if (oct_polygon_is_convex(own, count, t->slack)) {
        return oct_polygons_add(&t->out, own, count, face);
    }
    if (count > CONCAVE_CORNERS_MAX) {
        return refuse_face(error, OCT_ERROR_RANGE, face,
                           "is not convex and has more than 1000 corners");
    }
    bool crosses;
    OCT_TRY(oct_polygon_cut(&t->out, own, count, face, &crosses));
    if (crosses) {
        return refuse_face(error, OCT_ERROR_FORMAT, face, "crosses or touches itself");
    }
    t->info->concave++;
    return OCT_OK;
}

static oct_result take_faces(taking *t, oct_error *error)
{
    const oct_surface_def *const def = t->def;
    size_t at = 0;
    for (uint32_t i = 0; i < def->face_count; i++) {
        const uint32_t count = def->sizes ? def->sizes[i] : 3;
        if (count < 3) {
            return refuse_face(error, OCT_ERROR_FORMAT, i, "has fewer than 3 corners");
        }
        const oct_result result = take_face(t, i, def->corners + at, count, error);
        if (result == OCT_ERROR_RANGE && error && !error->message[0]) {
            return refuse_face(error, result, i, "is one of too many");
        }
        OCT_TRY(result);
        at += count;
    }
    return OCT_OK;
}

// ---- making it ----

static double join_distance_of(const oct_surface_def *def)
{
    if (def->join_distance > 0.0) {
        return def->join_distance;
    }
    double reach = 0.0;
    for (uint32_t i = 0; i < def->point_count; i++) {
        const oct_point p = def->points[i];
        if (is_usable(p)) {
            reach = fabs(p.x) > reach ? fabs(p.x) : reach;
            reach = fabs(p.y) > reach ? fabs(p.y) : reach;
            reach = fabs(p.z) > reach ? fabs(p.z) : reach;
        }
    }
    return reach * JOIN_SHARE > JOIN_DISTANCE ? reach * JOIN_SHARE : JOIN_DISTANCE;
}

static void find_bounds(oct_surface *s)
{
    s->info.bytes =
        sizeof *s + s->info.corners * sizeof *s->edges + s->info.faces * sizeof *s->faces +
        s->info.turns * sizeof *s->turns +
        ((size_t)s->grid.columns * s->grid.rows + 1 + s->grid.face_count) * sizeof(uint32_t);
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const oct_point p = surface_out(s, edge_point(&s->edges[h]));
        oct_bounds *const b = &s->info.bounds;
        if (h == 0) {
            *b = (oct_bounds){p, p};
        }
        b->min.x = p.x < b->min.x ? p.x : b->min.x;
        b->min.y = p.y < b->min.y ? p.y : b->min.y;
        b->min.z = p.z < b->min.z ? p.z : b->min.z;
        b->max.x = p.x > b->max.x ? p.x : b->max.x;
        b->max.y = p.y > b->max.y ? p.y : b->max.y;
        b->max.z = p.z > b->max.z ? p.z : b->max.z;
        s->info.borders += s->edges[h].twin == NO_EDGE;
    }
}

oct_result oct_surface_of_polygons(const oct_surface_def *def, polygons *all,
                                   const oct_surface_info *counts, oct_surface **out)
{
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    oct_surface *const s = oct_alloc(&memory, sizeof *s, _Alignof(oct_surface));
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (oct_surface){.allocator = memory,
                       .info = *counts,
                       .up = def->up,
                       .left_handed = def->left_handed,
                       .join_distance = def->join_distance,
                       .join_height = def->join_height};
    oct_result result = oct_surface_join(s, all);
    result = result == OCT_OK ? oct_surface_find_parts(s) : result;
    result = result == OCT_OK ? oct_surface_find_turns(s) : result;
    result = result == OCT_OK ? oct_surface_make_grid(s) : result;
    if (result != OCT_OK) {
        oct_surface_destroy(s);
        return result;
    }
    find_bounds(s);
    *out = s;
    return OCT_OK;
}

static bool is_good(const oct_surface_def *def)
{
    return def->cookie == COOKIE && def->up <= OCT_UP_Z && def->view_distance >= 0.0 &&
           isfinite(def->view_distance) && def->join_distance >= 0.0 && def->join_distance <= 1.0 &&
           def->join_height >= 0.0 && isfinite(def->join_height) &&
           (def->points || def->point_count == 0) && (def->corners || def->face_count == 0) &&
           (!def->details || def->detail_sizes);
}

oct_result oct_surface_create(const oct_surface_def *def, oct_surface **out, oct_error *error)
{
    *out = NULL;
    if (error) {
        *error = (oct_error){0};
    }
    if (!is_good(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    oct_surface_def own = *def;
    own.join_distance = join_distance_of(def);
    own.join_height = def->join_height > 0.0 ? def->join_height : own.join_distance;
    oct_surface_info info = {.given = def->face_count, .baked = def->baked};
    taking t = {.def = def, .info = &info, .slack = own.join_distance, .out = {.memory = &memory}};
    oct_result result = take_faces(&t, error);
    if (result == OCT_OK && def->view_distance > 0.0) {
        result = oct_polygons_split(&t.out, def->view_distance, &info.split);
    }
    if (result == OCT_OK) {
        result = oct_surface_of_polygons(&own, &t.out, &info, out);
    }
    if (result == OCT_OK && def->details) {
        result = oct_surface_take_details(*out, def, error);
    }
    if (result != OCT_OK) {
        oct_surface_destroy(*out);
        *out = NULL;
    }
    if (result != OCT_OK && error && !error->message[0]) {
        oct_error_set(error, 0, 0, 0, "%s",
                      result == OCT_ERROR_RANGE ? "more than 1000000 corners"
                                                : oct_result_text(result));
    }
    oct_array_free(&t.scratch, &memory, sizeof(ground_point));
    oct_polygons_free(&t.out);
    return result;
}

void oct_surface_destroy(oct_surface *s)
{
    if (!s) {
        return;
    }
    const oct_allocator memory = s->allocator;
    oct_surface_free_details(s);
    oct_free(&memory, s->edges, s->info.corners * sizeof *s->edges);
    oct_free(&memory, s->faces, s->info.faces * sizeof *s->faces);
    oct_free(&memory, s->turns, s->info.turns * sizeof *s->turns);
    oct_free(&memory, s->grid.starts,
             ((size_t)s->grid.columns * s->grid.rows + 1) * sizeof(uint32_t));
    oct_free(&memory, s->grid.faces, s->grid.face_count * sizeof(uint32_t));
    oct_free(&memory, s, sizeof *s);
}

// ---- what it holds ----

oct_surface_info oct_surface_info_of(const oct_surface *surface)
{
    return surface->info;
}

double oct_surface_height_at(const oct_surface *s, uint32_t face, double x, double y)
{
    const half_edge *const a = &s->edges[s->faces[face].apex];
    const ground_point apex = edge_point(a);
    const ground_point(*triangles)[3];
    const uint32_t count = details_of(s, face, &triangles);
    double miss = HUGE_VAL, height = a->z;
    for (uint32_t i = 0; i < count && miss > 0.0; i++) {
        take_height(&triangles[i][0], &triangles[i][1], &triangles[i][2], x, y, &miss, &height);
    }
    uint32_t at = a->next;
    for (uint32_t i = 2; i < s->faces[face].count && count == 0 && miss > 0.0; i++) {
        const ground_point b = edge_point(&s->edges[at]);
        at = s->edges[at].next;
        const ground_point c = edge_point(&s->edges[at]);
        take_height(&apex, &b, &c, x, y, &miss, &height);
    }
    return height;
}

double oct_surface_height(const oct_surface *surface, uint32_t face, oct_point point)
{
    const ground_point at = surface_in(surface, point);
    return oct_surface_height_at(surface, face, at.x, at.y);
}

oct_surface_face oct_surface_face_of(const oct_surface *surface, uint32_t face)
{
    const surface_face *const f = &surface->faces[face];
    const half_edge *const a = &surface->edges[f->first];
    double twice = 0.0, x = 0.0, y = 0.0;
    for (uint32_t i = 1; i + 1 < f->count; i++) {
        const half_edge *const b = a + i, *const c = b + 1;
        const double area = ground_turn(a->x, a->y, b->x, b->y, c->x, c->y);
        twice += area;
        x += area * ((b->x - a->x) + (c->x - a->x));
        y += area * ((b->y - a->y) + (c->y - a->y));
    }
    ground_point centre = {a->x + x / (3.0 * twice), a->y + y / (3.0 * twice), 0.0};
    centre.z = oct_surface_height_at(surface, face, centre.x, centre.y);
    return (oct_surface_face){f->count, f->source, f->island, 0.5 * twice,
                              surface_out(surface, centre)};
}

oct_point oct_surface_corner(const oct_surface *surface, uint32_t face, uint32_t i)
{
    const surface_face *const f = &surface->faces[face];
    return surface_out(surface, edge_point(&surface->edges[f->first + i]));
}

uint32_t oct_surface_neighbour(const oct_surface *surface, uint32_t face, uint32_t i)
{
    const uint32_t twin = surface->edges[surface->faces[face].first + i].twin;
    return twin == NO_EDGE ? OCT_SURFACE_NONE : surface->edges[twin].face;
}
