// SPDX-License-Identifier: MIT
// Agents of the lab world that walk along paths on its mesh, as clients of the game do. They know
// nothing of doors: who calls opens them first.
#ifndef OCTANT_TESTS_RECRUITS_WALKER_H
#define OCTANT_TESTS_RECRUITS_WALKER_H

#include "recruits_support.h"

typedef struct walker {
    oct_surface *surface;
    oct_surface_planner *planner;
} walker;

static inline walker walker_of(oct_game *game)
{
    const recruits_world *const g = oct_recruits_inside(game);
    walker w;
    oct_surface_def def = oct_surface_def_default();
    def.points = g->mesh.points.items;
    def.point_count = (uint32_t)g->mesh.points.count;
    def.corners = g->mesh.triangles.items;
    def.face_count = (uint32_t)(g->mesh.triangles.count / 3);
    def.left_handed = true;
    assert_int_equal(oct_surface_create(&def, &w.surface, NULL), OCT_OK);
    assert_int_equal(oct_surface_planner_create(w.surface, NULL, &w.planner), OCT_OK);
    return w;
}

static inline void walker_free(walker *w)
{
    oct_surface_planner_destroy(w->planner);
    oct_surface_destroy(w->surface);
}

// Walks to a place; false where no way leads there, or something is in the way.
static inline bool walk(walker *w, oct_game *game, uint32_t who, oct_point to)
{
    oct_surface_query query = oct_surface_query_default();
    oct_surface_path path;
    query.from = oct_surface_locate(w->surface, feet_of(game, who), 0.5).point;
    query.to = oct_surface_locate(w->surface, to, 0.5).point;
    assert_int_equal(oct_surface_plan(w->planner, &query, &path), OCT_OK);
    if (path.status != OCT_SURFACE_FOUND) {
        return false;
    }
    for (uint32_t i = 1; i < path.point_count; i++) {
        // Who cuts corners climbs the sides of ramps.
        const double near = i + 1 < path.point_count ? 0.15 : 0.33;
        if (!go_near(game, who, path.points[i].x, path.points[i].z, near, 200)) {
            return false;
        }
    }
    const oct_point feet = feet_of(game, who);
    return fabs(feet.y - to.y) < 0.5;
}

static inline bool walk_to(walker *w, oct_game *game, uint32_t who, const char *thing)
{
    return walk(w, game, who, thing_named(game, thing)->origin);
}

// Walks to a button and presses it; whatever it moves has moved then.
static inline bool walk_and_press(walker *w, oct_game *game, uint32_t who, const char *button)
{
    if (!walk_to(w, game, who, button) || press(game, who, button) != OCT_ACT_DONE) {
        return false;
    }
    pass(game, 60);
    return true;
}

#endif
