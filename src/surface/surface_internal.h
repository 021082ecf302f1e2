// SPDX-License-Identifier: MIT
// The insides of surfaces.
//
//   given faces -> polygons (oriented, convex, split) -> joined half-edges -> islands, turns, grid
//
// Inside, a point has ground coordinates x, y, of which the orientation is seen from above, and a
// height z, whatever axis is up outside.
#ifndef OCTANT_SURFACE_INTERNAL_H
#define OCTANT_SURFACE_INTERNAL_H

#include "base/base_internal.h"
#include "octant/surface.h"

#define NO_EDGE UINT32_MAX
#define NO_TURN UINT32_MAX

typedef struct ground_point {
    double x, y, z;
} ground_point;

// Twice the area of the triangle a, b, c: positive where c is to the left of the ray from a to b.
OCT_FORCE_INLINE double ground_turn(double ax, double ay, double bx, double by, double cx,
                                    double cy)
{
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

OCT_FORCE_INLINE double turn_of(const ground_point *a, const ground_point *b, const ground_point *c)
{
    return ground_turn(a->x, a->y, b->x, b->y, c->x, c->y);
}

// The height at a place that the triangle nearest to it says, of several: *miss is how far the
// place is outside of that one, as a share; at first HUGE_VAL.
OCT_FORCE_INLINE void take_height(const ground_point *a, const ground_point *b,
                                  const ground_point *c, double x, double y, double *miss,
                                  double *height)
{
    const double area = turn_of(a, b, c);
    if (!(area > 0.0)) {
        return;
    }
    const double of_c = ground_turn(a->x, a->y, b->x, b->y, x, y) / area;
    const double of_b = ground_turn(c->x, c->y, a->x, a->y, x, y) / area;
    const double of_a = 1.0 - of_b - of_c;
    double least = of_c < of_b ? of_c : of_b;
    least = of_a < least ? of_a : least;
    const double own = least < 0.0 ? -least : 0.0;
    if (own < *miss) {
        *miss = own;
        *height = a->z + (b->z - a->z) * of_b + (c->z - a->z) * of_c;
    }
}

// ---- polygons on their way to a surface ----

typedef struct polygon {
    uint32_t first, count; // corners
    uint32_t source;       // the face that was given
} polygon;

// All zero, but for the allocator, is empty.
typedef struct polygons {
    const oct_allocator *memory;
    oct_array corners; // of ground_point
    oct_array faces;   // of polygon
} polygons;

void oct_polygons_free(polygons *all);

// Appends a polygon; corners must not be the array's own.
oct_result oct_polygons_add(polygons *all, const ground_point *corners, uint32_t count,
                            uint32_t source);

OCT_FORCE_INLINE const polygon *polygon_at(const polygons *all, size_t i)
{
    return (const polygon *)all->faces.items + i;
}

OCT_FORCE_INLINE const ground_point *polygon_corners(const polygons *all, size_t i)
{
    return (const ground_point *)all->corners.items + polygon_at(all, i)->first;
}

// Area in the ground plane, positive counter-clockwise.
double oct_polygon_area(const ground_point *corners, uint32_t count);

// The centroid in the ground plane of a convex polygon, at its height there.
ground_point oct_polygon_centre(const ground_point *corners, uint32_t count);

// The height at a place of a convex polygon that is fanned from its first corner.
double oct_polygon_height(const ground_point *corners, uint32_t count, double x, double y);

// Whether a counter-clockwise polygon is convex, but for dents of less than `slack` metres.
bool oct_polygon_is_convex(const ground_point *corners, uint32_t count, double slack);

// Cuts a counter-clockwise polygon without crossings into convex ones, and appends them. *crosses:
// it crosses itself, and nothing was appended.
oct_result oct_polygon_cut(polygons *out, const ground_point *corners, uint32_t count,
                           uint32_t source, bool *crosses);

// Splits every convex polygon until its corners are nearer to its centre than `view`. *split
// counts the given faces that were.
oct_result oct_polygons_split(polygons *all, double view, uint32_t *split);

// ---- surfaces ----

// A corner of a face and the edge from there to the face's next corner. Edges of a face are in a
// row, counter-clockwise.
typedef struct half_edge {
    double x, y, z;
    uint32_t twin; // the same edge of the face beyond, or NO_EDGE
    uint32_t face;
    uint32_t next, prev;
    // What lies beyond, as a range of faces' numbers: a goal elsewhere is not reached this way.
    uint32_t beyond_first, beyond_span;
    uint32_t turn;  // of the corner: an index into turns, or NO_TURN
    uint32_t joint; // of the corner: corners of joined faces at one place share it
    double inverse; // 1 / (length in the ground plane squared)
} half_edge;
_Static_assert(sizeof(half_edge) == 64, "one cache line");

typedef struct surface_face {
    uint32_t first, count; // half-edges
    uint32_t number;       // of the search over faces that `beyond` refers to
    uint32_t island;
    uint32_t source;
    uint32_t apex; // the half-edge from whose corner the face is fanned
} surface_face;

// A corner at which a shortest path may turn: the border there is seen from a free angle of more
// than 180 degrees.
typedef struct turn_corner {
    double right_x, right_y; // where the border goes that one meets turning right
    double left_x, left_y;   // and turning left
    bool is_wide;            // the free angle is 360 degrees or more: these say nothing
} turn_corner;

// A uniform grid over the ground plane: the faces that may be in each cell.
typedef struct face_grid {
    double x, y, size, inverse;
    uint32_t columns, rows;
    uint32_t *starts; // columns * rows + 1
    uint32_t *faces;
    size_t face_count;
} face_grid;

// Triangles of heights, of each face that was given.
typedef struct surface_details {
    uint32_t faces;   // that were given; 0 = there are no details
    uint32_t *starts; // of each, its first triangle; faces + 1
    ground_point (*triangles)[3];
} surface_details;

struct oct_surface {
    oct_allocator allocator;
    oct_surface_info info;
    oct_up up;
    bool left_handed;
    double join_distance, join_height;
    half_edge *edges;
    surface_face *faces;
    turn_corner *turns;
    uint32_t joint_count;
    face_grid grid;
    surface_details details;
};

OCT_FORCE_INLINE ground_point edge_point(const half_edge *e)
{
    return (ground_point){e->x, e->y, e->z};
}

// From and to the coordinates of the game.
ground_point oct_surface_to_ground(oct_up up, bool left_handed, oct_point p);
oct_point oct_surface_from_ground(oct_up up, bool left_handed, ground_point p);

OCT_FORCE_INLINE ground_point surface_in(const oct_surface *s, oct_point p)
{
    return oct_surface_to_ground(s->up, s->left_handed, p);
}

OCT_FORCE_INLINE oct_point surface_out(const oct_surface *s, ground_point p)
{
    return oct_surface_from_ground(s->up, s->left_handed, p);
}

// Gives the corners of edges that are to be joined the same coordinates, inserts corners where
// another edge ends, and fills s->edges, s->faces.
oct_result oct_surface_join(oct_surface *s, polygons *all);

// Fills islands, numbers and what lies beyond edges; then joints and turns.
oct_result oct_surface_find_parts(oct_surface *s);
oct_result oct_surface_find_turns(oct_surface *s);

oct_result oct_surface_make_grid(oct_surface *s);

// Makes a surface of polygons, which are convex, counter-clockwise and finite. *all is used up.
oct_result oct_surface_of_polygons(const oct_surface_def *def, polygons *all,
                                   const oct_surface_info *counts, oct_surface **out);

// Takes the triangles of heights of a definition whose faces the surface was made of.
oct_result oct_surface_take_details(oct_surface *s, const oct_surface_def *def, oct_error *error);

// The same of a surface whose faces are the sources of this one's.
oct_result oct_surface_copy_details(oct_surface *s, const oct_surface *from);
void oct_surface_free_details(oct_surface *s);

// The triangles of heights of a face, and how many; 0 = it is fanned.
OCT_FORCE_INLINE uint32_t details_of(const oct_surface *s, uint32_t face,
                                     const ground_point (**triangles)[3])
{
    if (s->details.faces == 0) {
        return 0;
    }
    const uint32_t *const start = &s->details.starts[s->faces[face].source];
    *triangles = (const ground_point(*)[3]) & s->details.triangles[start[0]];
    return start[1] - start[0];
}

// Appends the faces that may be within `reach` metres of a place, in the ground plane, and stamps
// them; those that are stamped already are left out.
oct_result oct_surface_list_near(const oct_surface *s, double x, double y, double reach,
                                 uint32_t *stamps, uint32_t stamp, const oct_allocator *memory,
                                 oct_array *faces);

// The height of a face at a place.
double oct_surface_height_at(const oct_surface *s, uint32_t face, double x, double y);

// Whether a face's outline holds a place, to within `slack` metres.
bool oct_surface_holds(const oct_surface *s, uint32_t face, double x, double y, double slack);

#endif
