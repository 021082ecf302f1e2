// SPDX-License-Identifier: MIT
// The insides of the planner of paths on a surface.
#ifndef OCTANT_SURFACE_PATH_INTERNAL_H
#define OCTANT_SURFACE_PATH_INTERNAL_H

#include "octant/surface_path.h"
#include "surface/surface_internal.h"

#define NO_ROOT UINT32_MAX

// A point from which the surface is seen: the start, or a corner where the path turns.
typedef struct path_root {
    double x, y;
    double g;        // ground distance from the start
    uint32_t parent; // the root before
    uint32_t edge;   // the half-edge that starts there; NO_EDGE = the start
} path_root;

// The part of an edge that is seen from a root, between two rays through corners; or a turn.
typedef struct path_node {
    double f;
    uint32_t edge;  // half-edge of the face that is entered
    uint32_t right; // the half-edge at whose corner the right ray passes; TURN_... = a turn
    uint32_t left;  // and the left one
    uint32_t root;
} path_node;

#define TURN_RIGHT UINT32_MAX
#define TURN_LEFT (UINT32_MAX - 1u)

// The least distance at which a corner was reached.
typedef struct corner_reach {
    double g;
    uint32_t stamp;
    uint32_t unused;
} corner_reach;

// The part of a leg in one face, from 0 to 1.
typedef struct leg_part {
    double start, end;
    uint32_t face;
} leg_part;

struct oct_surface_planner {
    const oct_surface *surface;
    oct_allocator allocator;
    oct_array heap;        // of path_node
    oct_array roots;       // of path_root
    corner_reach *reached; // of turns: the least distance of a root there
    corner_reach *seen;    // of joints: the least distance at which they were seen
    uint32_t stamp;
    oct_array points;      // of oct_point
    oct_array drape;       // of oct_point
    oct_array drape_faces; // of uint32_t: the face of each
    oct_array bends;       // of uint32_t: roots from the start to the last turn
    // Of lines that are laid on the surface.
    uint32_t *stamps; // of faces
    uint32_t face_stamp;
    oct_array queue; // of uint32_t: faces that a leg reaches
    oct_array parts; // of leg_part
};

// The state of one search.
typedef struct path_search {
    oct_surface_planner *planner;
    const half_edge *edges;
    const turn_corner *turns;
    double x, y; // the goal
    uint32_t face, number;
    path_node next; // the best of what the last expansion found; not in the heap
    bool has_next, is_found;
    uint32_t last; // the root from which the goal is seen
    uint64_t expanded;
    oct_result result;
} path_search;

// Checks a query and finds its ends: fills status, from and to.
oct_result oct_surface_find_ends(const oct_surface *surface, const oct_surface_query *query,
                                 oct_surface_path *out);

// Finds the way between places of one island. search->last is the last root.
oct_result oct_surface_search(path_search *search, double x, double y, uint32_t face);

// oct_surface_drape, of a line that may leave its faces by `slack` metres.
oct_result oct_surface_lay(oct_surface_planner *planner, const oct_point *line, uint32_t line_count,
                           uint32_t face, double slack, const oct_point **points, uint32_t *count,
                           double *length);

#endif
