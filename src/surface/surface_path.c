// SPDX-License-Identifier: MIT
// Queries for paths on a surface: their ends, and the points of what the search found.
#include "surface/surface_path.h"

#include <math.h>

#define COOKIE 0x5fa9a701u
#define STEP_HEIGHT 0.5
#define END_SLACK 1e-3 // metres that a given end may be outside its face

oct_surface_query oct_surface_query_default(void)
{
    return (oct_surface_query){.from_face = OCT_SURFACE_NONE,
                               .to_face = OCT_SURFACE_NONE,
                               .step_height = STEP_HEIGHT,
                               .cookie = COOKIE};
}

static oct_result make_reach(const oct_allocator *memory, uint32_t count, corner_reach **out)
{
    const size_t size = count * sizeof **out;
    if (count == 0) {
        return OCT_OK;
    }
    *out = oct_alloc(memory, size, _Alignof(corner_reach));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    memset(*out, 0, size);
    return OCT_OK;
}

oct_result oct_surface_planner_create(const oct_surface *surface, const oct_allocator *allocator,
                                      oct_surface_planner **out)
{
    *out = NULL;
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_surface_planner *const planner =
        oct_alloc(&memory, sizeof *planner, _Alignof(oct_surface_planner));
    if (!planner) {
        return OCT_ERROR_MEMORY;
    }
    *planner = (oct_surface_planner){.surface = surface, .allocator = memory};
    oct_result result = make_reach(&memory, surface->info.turns, &planner->reached);
    result = result == OCT_OK ? make_reach(&memory, surface->joint_count, &planner->seen) : result;
    if (result != OCT_OK) {
        oct_surface_planner_destroy(planner);
        return result;
    }
    *out = planner;
    return OCT_OK;
}

void oct_surface_planner_destroy(oct_surface_planner *planner)
{
    if (!planner) {
        return;
    }
    const oct_allocator memory = planner->allocator;
    oct_array_free(&planner->heap, &memory, sizeof(path_node));
    oct_array_free(&planner->roots, &memory, sizeof(path_root));
    oct_array_free(&planner->points, &memory, sizeof(oct_point));
    oct_array_free(&planner->drape, &memory, sizeof(oct_point));
    oct_array_free(&planner->drape_faces, &memory, sizeof(uint32_t));
    oct_array_free(&planner->bends, &memory, sizeof(uint32_t));
    oct_array_free(&planner->queue, &memory, sizeof(uint32_t));
    oct_array_free(&planner->parts, &memory, sizeof(leg_part));
    oct_free(&memory, planner->stamps, planner->surface->info.faces * sizeof *planner->stamps);
    oct_free(&memory, planner->reached, planner->surface->info.turns * sizeof *planner->reached);
    oct_free(&memory, planner->seen, planner->surface->joint_count * sizeof *planner->seen);
    oct_free(&memory, planner, sizeof *planner);
}

// ---- ends ----

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// The place of an end. One whose face is known is looked for there alone.
static oct_surface_place place_end(const oct_surface *s, oct_point point, uint32_t face,
                                   double step_height)
{
    if (face != OCT_SURFACE_NONE) {
        const ground_point p = surface_in(s, point);
        if (oct_surface_holds(s, face, p.x, p.y, END_SLACK)) {
            const double z = oct_surface_height_at(s, face, p.x, p.y);
            return (oct_surface_place){true, face, surface_out(s, (ground_point){p.x, p.y, z}),
                                       fabs(z - p.z)};
        }
    }
    return oct_surface_locate(s, point, step_height);
}

// ---- the path ----

static oct_result list_bends(oct_surface_planner *planner, uint32_t last)
{
    const path_root *const roots = planner->roots.items;
    uint32_t count = 0;
    for (uint32_t r = last; r != NO_ROOT; r = roots[r].parent) {
        count++;
    }
    OCT_TRY(oct_array_reserve(&planner->bends, &planner->allocator, sizeof(uint32_t), count));
    OCT_TRY(
        oct_array_reserve(&planner->points, &planner->allocator, sizeof(oct_point), count + 1u));
    planner->bends.count = count;
    uint32_t *const bends = planner->bends.items;
    for (uint32_t r = last; r != NO_ROOT; r = roots[r].parent) {
        bends[--count] = r;
    }
    return OCT_OK;
}

static void list_points(oct_surface_planner *planner, const oct_surface_path *path)
{
    const oct_surface *const s = planner->surface;
    const path_root *const roots = planner->roots.items;
    const uint32_t *const bends = planner->bends.items;
    oct_point *const points = planner->points.items;
    const size_t count = planner->bends.count;
    points[0] = path->from.point;
    for (size_t i = 1; i < count; i++) {
        points[i] = surface_out(s, edge_point(&s->edges[roots[bends[i]].edge]));
    }
    points[count] = path->to.point;
    planner->points.count = count + 1;
}

static oct_result search_between(oct_surface_planner *planner, oct_surface_path *out)
{
    const oct_surface *const s = planner->surface;
    const ground_point from = surface_in(s, out->from.point), to = surface_in(s, out->to.point);
    path_search search = {.planner = planner, .x = to.x, .y = to.y, .face = out->to.face};
    OCT_TRY(oct_surface_search(&search, from.x, from.y, out->from.face));
    out->expanded = search.expanded;
    if (!search.is_found) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(list_bends(planner, search.last));
    list_points(planner, out);
    const path_root *const last = (const path_root *)planner->roots.items + search.last;
    const double dx = to.x - last->x, dy = to.y - last->y;
    out->length = last->g + sqrt(dx * dx + dy * dy);
    out->points = planner->points.items;
    out->point_count = (uint32_t)planner->points.count;
    return OCT_OK;
}

oct_result oct_surface_find_ends(const oct_surface *s, const oct_surface_query *query,
                                 oct_surface_path *out)
{
    *out = (oct_surface_path){.status = OCT_SURFACE_FOUND};
    if (query->cookie != COOKIE || !is_finite(query->from) || !is_finite(query->to) ||
        !(query->step_height >= 0.0) ||
        (query->from_face != OCT_SURFACE_NONE && query->from_face >= s->info.faces) ||
        (query->to_face != OCT_SURFACE_NONE && query->to_face >= s->info.faces)) {
        return OCT_ERROR_ARGUMENT;
    }
    out->from = place_end(s, query->from, query->from_face, query->step_height);
    out->to = place_end(s, query->to, query->to_face, query->step_height);
    if (!out->from.is_on || !out->to.is_on) {
        out->status = out->from.is_on ? OCT_SURFACE_TO_OFF : OCT_SURFACE_FROM_OFF;
    }
    return OCT_OK;
}

oct_result oct_surface_plan(oct_surface_planner *planner, const oct_surface_query *query,
                            oct_surface_path *out)
{
    const oct_surface *const s = planner->surface;
    OCT_TRY(oct_surface_find_ends(s, query, out));
    if (out->status != OCT_SURFACE_FOUND) {
        return OCT_OK;
    }
    if (s->faces[out->from.face].island != s->faces[out->to.face].island) {
        out->status = OCT_SURFACE_UNREACHABLE;
        return OCT_OK;
    }
    return search_between(planner, out);
}
