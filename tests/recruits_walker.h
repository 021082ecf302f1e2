// SPDX-License-Identifier: MIT
// Agents of the lab world that walk along paths on its mesh, as clients of the game do: around
// doors as they stand, and with room for the body.
#ifndef OCTANT_TESTS_RECRUITS_WALKER_H
#define OCTANT_TESTS_RECRUITS_WALKER_H

#include "octant/surface_carve.h"
#include "recruits_support.h"

#define WALKER_DOORS_MAX 64
#define WALKER_BODY 0.33        // a hair more than the radius
#define WALKER_MESH_MARGIN 0.24 // what the mesh keeps free already

typedef struct walker {
    oct_surface *surface;
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
    return w;
}

static inline void walker_free(walker *w)
{
    oct_surface_destroy(w->surface);
}

// The mesh without what doors stand on now.
static inline oct_surface *walker_carve(const walker *w, const recruits_world *g)
{
    oct_surface_shape shapes[WALKER_DOORS_MAX];
    oct_point outlines[WALKER_DOORS_MAX][4];
    oct_surface *out;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->things.count; i++) {
        const recruits_thing *const t = thing_at(g, i);
        if (t->kind != OCT_RECRUITS_DOOR) {
            continue;
        }
        assert_true(count < WALKER_DOORS_MAX);
        const oct_bounds b = oct_recruits_bounds_of(t);
        oct_point *const o = outlines[count];
        o[0] = (oct_point){b.min.x, 0.0, b.min.z};
        o[1] = (oct_point){b.max.x, 0.0, b.min.z};
        o[2] = (oct_point){b.max.x, 0.0, b.max.z};
        o[3] = (oct_point){b.min.x, 0.0, b.max.z};
        shapes[count++] = (oct_surface_shape){.outline = o,
                                              .count = 4,
                                              .low = b.min.y - OCT_RECRUITS_HEIGHT,
                                              .high = b.max.y - 0.1,
                                              .padding = WALKER_BODY,
                                              .effect = OCT_SURFACE_BLOCKS};
    }
    assert_int_equal(
        oct_surface_carve(w->surface, shapes, count, WALKER_BODY - WALKER_MESH_MARGIN, NULL, &out),
        OCT_OK);
    return out;
}

static inline bool walk_along(oct_game *game, uint32_t who, const oct_surface_path *path)
{
    for (uint32_t i = 1; i < path->point_count; i++) {
        // Who cuts corners climbs the sides of ramps.
        const double near = i + 1 < path->point_count ? 0.15 : 0.33;
        if (!go_near(game, who, path->points[i].x, path->points[i].z, near, 300)) {
            return false;
        }
    }
    return true;
}

// Walks to a place; false where no way leads there, or something is in the way.
static inline bool walk(walker *w, oct_game *game, uint32_t who, oct_point to)
{
    oct_surface *const surface = walker_carve(w, oct_recruits_inside(game));
    oct_surface_planner *planner;
    oct_surface_query query = oct_surface_query_default();
    oct_surface_path path;
    assert_int_equal(oct_surface_planner_create(surface, NULL, &planner), OCT_OK);
    query.from = oct_surface_locate(surface, feet_of(game, who), 0.5).point;
    query.to = oct_surface_locate(surface, to, 0.5).point;
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_OK);
    const bool comes = path.status == OCT_SURFACE_FOUND && walk_along(game, who, &path);
    oct_surface_planner_destroy(planner);
    oct_surface_destroy(surface);
    const oct_point feet = feet_of(game, who);
    return comes && hypot(feet.x - to.x, feet.z - to.z) < 1.0 && fabs(feet.y - to.y) < 0.5;
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
