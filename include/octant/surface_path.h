// SPDX-License-Identifier: MIT
/// \file
/// Any-angle paths on a surface: shortest in the ground plane.
///
/// The search is Polyanya (Cui, Harabor and Grastien 2017), on faces with any number of corners.
/// Intervals are bounded by corners of the mesh, not by computed points, so that every decision is
/// taken on coordinates that were given. Parts of the surface that can only be left by the face
/// through which they are entered are passed over unless the goal is there.
/// Threading: a planner belongs to one thread; the surface is only read.
#ifndef OCTANT_SURFACE_PATH_H
#define OCTANT_SURFACE_PATH_H

#include "octant/surface.h"

typedef struct oct_surface_planner oct_surface_planner;

/// Makes a planner, which borrows the surface. The allocator may be NULL.
OCT_API oct_result oct_surface_planner_create(const oct_surface *surface,
                                              const oct_allocator *allocator,
                                              oct_surface_planner **out);
OCT_API void oct_surface_planner_destroy(oct_surface_planner *planner);

/// How a query ended.
typedef enum oct_surface_status {
    OCT_SURFACE_FOUND,
    OCT_SURFACE_UNREACHABLE, ///< the ends are on different islands
    OCT_SURFACE_FROM_OFF,    ///< the start is not on the surface
    OCT_SURFACE_TO_OFF       ///< the goal is not on the surface
} oct_surface_status;

/// A query. Start from oct_surface_query_default().
typedef struct oct_surface_query {
    oct_point from, to;
    uint32_t from_face, to_face; ///< where they are known already; default OCT_SURFACE_NONE
    double step_height;          ///< for finding them, metres; default 0.5
    uint32_t cookie;             ///< set by the default; do not touch
} oct_surface_query;

OCT_API oct_surface_query oct_surface_query_default(void);

/// A path. The arrays belong to the planner and are valid until its next query.
typedef struct oct_surface_path {
    oct_surface_status status;
    const oct_point *points; ///< start, turning corners, goal; each at its height on the surface
    uint32_t point_count;
    double length;              ///< in the ground plane, metres
    oct_surface_place from, to; ///< where the ends are, or what is nearest to them
    uint64_t expanded;          ///< intervals and corners
} oct_surface_path;

/// Finds a shortest path in the ground plane. Once it has grown, the planner allocates nothing.
/// OCT_ERROR_ARGUMENT for coordinates that are not finite, and faces that are not there;
/// OCT_ERROR_RANGE where faces that overlap each other leave the search without a way or an end.
OCT_API oct_result oct_surface_plan(oct_surface_planner *planner, const oct_surface_query *query,
                                    oct_surface_path *out);

/// Lays a line of legs on the surface, such as a path: every point at which it goes from face to
/// face, or crosses a diagonal of a face's fan, at its height there. It begins in `face`; only the
/// points' places in the ground plane count. *length (may be NULL) is its length on the surface.
/// The points are valid until the planner's next call. OCT_ERROR_RANGE: a leg leaves the faces that
/// are joined along it.
OCT_API oct_result oct_surface_drape(oct_surface_planner *planner, const oct_point *line,
                                     uint32_t line_count, uint32_t face, const oct_point **points,
                                     uint32_t *count, double *length);

#endif
