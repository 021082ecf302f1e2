// SPDX-License-Identifier: MIT
/// \file
/// Surfaces: what one walks on, as a mesh of convex polygons (a navigation mesh).
///
/// A surface is seen from above: the *ground plane* is at a right angle to the up axis, and every
/// face is an area of it with heights. Faces may lie above each other (storeys, bridges). Two faces
/// are joined where edges of theirs run in opposite directions over the same places, whole or in
/// part, whether or not they share vertices. An edge, or part of one, without a neighbour is a
/// *border*. Faces that are joined, directly or by others, form an *island*.
/// Threading: a surface does not change after it was made; any number of threads may read it.
#ifndef OCTANT_SURFACE_H
#define OCTANT_SURFACE_H

#include "octant/formats.h"

#define OCT_SURFACE_NONE UINT32_MAX     ///< no face
#define OCT_SURFACE_CORNERS_MAX 1000000 ///< corners of all faces, as given and after splitting
#define OCT_SURFACE_REACH_MAX 1.0e7     ///< metres: coordinates lie within +- this

typedef struct oct_surface oct_surface;

/// What is known of how a surface was baked, measured where it says so. Metres.
typedef struct oct_surface_baked {
    bool is_known;    ///< else all is 0
    double radius;    ///< of the body that was asked for
    double climb;     ///< highest edge that faces are joined over, after rounding to cells
    double clearance; ///< measured: nothing in a body's way is nearer to a border than this
    double height_mean, height_most; ///< measured: how far the surface is above or below its floor
} oct_surface_baked;

/// How to make a surface. Start from oct_surface_def_default(). Faces may be given in either
/// orientation. What has no area seen from above (walls, degenerate faces) is left out and counted;
/// faces that are not convex are cut into convex ones. A face that crosses itself is refused.
typedef struct oct_surface_def {
    const oct_point *points; ///< borrowed during the call
    uint32_t point_count;
    const uint32_t *corners; ///< indices of points, face after face
    const uint32_t *sizes;   ///< corners of each face, at least 3; NULL = 3 each
    uint32_t face_count;
    oct_up up;        ///< axis that points up; default Y
    bool left_handed; ///< default false
    double
        view_distance; ///< faces are split until each corner is nearer to their centre; 0 = never
    /// Edges are joined over places that differ by at most so much in the ground plane, metres.
    /// 0 (default) = 1e-6, or a billionth of the greatest coordinate where that is more.
    double join_distance;
    double join_height; ///< and in height; 0 (default) = as join_distance
    /// Heights of the ground within faces: three points of a triangle each, face after face, and
    /// how many triangles each face has. A face without any is fanned from its first corner.
    /// Borders, joining and paths are as without. NULL (default) = none.
    const oct_point *details;
    const uint32_t *detail_sizes;
    oct_surface_baked baked;        ///< is told by oct_surface_info_of; default: not known
    const oct_allocator *allocator; ///< NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_surface_def;

OCT_API oct_surface_def oct_surface_def_default(void);

/// Makes a surface. On failure *out is NULL; *error (may be NULL) names the face, from 0, as its
/// offset: OCT_ERROR_FORMAT for bad faces, OCT_ERROR_RANGE for too many.
OCT_API oct_result oct_surface_create(const oct_surface_def *def, oct_surface **out,
                                      oct_error *error);

/// Makes a surface of Wavefront OBJ text: its `v` and `f` lines; everything else is passed over.
/// The arrays of `def` are ignored. Errors have line and column.
OCT_API oct_result oct_surface_read_obj(const void *data, size_t size, const oct_surface_def *def,
                                        oct_surface **out, oct_error *error);

OCT_API void oct_surface_destroy(oct_surface *surface);

/// What a surface holds.
typedef struct oct_surface_info {
    uint32_t faces;    ///< convex faces, after cutting and splitting
    uint32_t corners;  ///< of all faces, those included at which a neighbour's edge ends
    uint32_t islands;  ///< sets of joined faces
    uint32_t borders;  ///< border edges
    uint32_t turns;    ///< corners at which a shortest path may turn
    uint32_t given;    ///< faces that were given
    uint32_t left_out; ///< given faces without area, seen from above
    uint32_t concave;  ///< given faces that were cut since they are not convex
    uint32_t split;    ///< given faces that were split for the view distance
    uint32_t crowded;  ///< edges with two neighbours or more at the same place, of which one counts
    uint32_t details;  ///< triangles of heights
    double area;       ///< in the ground plane, square metres
    oct_bounds bounds; ///< of all corners
    oct_surface_baked baked; ///< as it was told
    size_t bytes;            ///< memory
} oct_surface_info;

OCT_API oct_surface_info oct_surface_info_of(const oct_surface *surface);

// ---- faces ----

/// A face.
typedef struct oct_surface_face {
    uint32_t corners; ///< how many it has
    uint32_t source;  ///< the face that was given of which it is, or is a part
    uint32_t island;  ///< from 0, in the order of their first faces
    double area;      ///< in the ground plane, square metres
    oct_point centre; ///< centroid in the ground plane, at the face's height there
} oct_surface_face;

/// face < info.faces
OCT_API oct_surface_face oct_surface_face_of(const oct_surface *surface, uint32_t face);

/// Corner `i` of a face, counter-clockwise seen from above; i < corners.
OCT_API oct_point oct_surface_corner(const oct_surface *surface, uint32_t face, uint32_t i);

/// The face beyond the edge from corner i to the next one; OCT_SURFACE_NONE = a border.
OCT_API uint32_t oct_surface_neighbour(const oct_surface *surface, uint32_t face, uint32_t i);

// ---- places ----

/// Where a point is on a surface.
typedef struct oct_surface_place {
    bool is_on;      ///< a face's outline holds the point, within the step height
    uint32_t face;   ///< that face: of several the nearest in height; else the face of `point`
    oct_point point; ///< the place on the face: straight above or below; else the nearest one
    double distance; ///< from the point to that place, metres
} oct_surface_place;

/// Finds a point on the surface. Where it is not on any face within `step_height` (metres, >= 0)
/// the nearest place of all is told. Of a surface without faces: face OCT_SURFACE_NONE.
OCT_API oct_surface_place oct_surface_locate(const oct_surface *surface, oct_point point,
                                             double step_height);

/// The height of a face above or below a point: that of its triangles of heights, where it has any;
/// else it is fanned from its first corner, as it was given.
OCT_API double oct_surface_height(const oct_surface *surface, uint32_t face, oct_point point);

#endif
