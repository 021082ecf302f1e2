// SPDX-License-Identifier: MIT
/// \file
/// The navigation graph of a surface, as Prasetya et al. 2020 have it (section 3): corners and
/// centres of faces as vertices; edges of faces, from corner to centre, and from centre to centre
/// of neighbours. On it: obstacles that come and go, hazards, preferences, walks along borders.
///
/// A line from centre to centre may leave both faces; then the edge bends over the middle of the
/// edge that they share. Distances are in three dimensions.
///
/// The graph of a walking space has the space's links, too: a vertex at each end of one, joined to
/// the centre and the corners of its face, and one edge per link, which leads one way.
/// Threading: a graph has one writer (obstacles) or many readers; a walker belongs to one
/// thread.
#ifndef OCTANT_SURFACE_GRAPH_H
#define OCTANT_SURFACE_GRAPH_H

#include "octant/surface_walking.h"

typedef struct oct_surface_graph oct_surface_graph;

// ---- vertices and edges ----

/// What a vertex is; several may be set.
typedef enum oct_surface_vertex_kind {
    OCT_SURFACE_CENTRE = 1, ///< the centre of a face; else a corner
    OCT_SURFACE_BORDER = 2, ///< it belongs to a border edge
    /// A corner of a border: the angle of the surface there is less than the corner angle.
    OCT_SURFACE_INNER = 4,
    /// A corner of a border that is seen from more than 360 degrees less the corner angle.
    OCT_SURFACE_OUTER = 8,
    OCT_SURFACE_HOLE = 16, ///< its border edges go around a hole, not around the island
    OCT_SURFACE_LINK = 32  ///< a link of a walking space begins or ends there
} oct_surface_vertex_kind;

typedef struct oct_surface_vertex {
    oct_point point;
    uint32_t kinds; ///< of oct_surface_vertex_kind
    uint32_t face;  ///< a face that it belongs to
} oct_surface_vertex;

typedef struct oct_surface_edge {
    uint32_t to;    ///< vertex
    uint32_t id;    ///< the same from both ends; < oct_surface_graph_edge_count
    double length;  ///< metres, over the bend
    oct_point bend; ///< where it bends, if it does
    bool is_bent;
    bool is_border;
    oct_walking_kind kind; ///< WALK, or that of the link, which has no edge the other way
    /// Whether a body that went along it is lost to where it came from, as far as the two ends say:
    /// the rules allow no link the other way. False of WALK.
    bool is_final;
    double price; ///< of a link, beside its length: that of a jump or a drop
} oct_surface_edge;

/// Makes the graph of a surface, which is borrowed. corner_angle: in degrees, 90 to 180; 150 in
/// Prasetya et al. 2020. The allocator may be NULL.
OCT_API oct_result oct_surface_graph_create(const oct_surface *surface, double corner_angle,
                                            const oct_allocator *allocator,
                                            oct_surface_graph **out);
/// Makes the graph of a walking space, which is borrowed with its surface. A shape blocks a link
/// where it touches the straight line between its ends.
OCT_API oct_result oct_surface_graph_create_walking(const oct_walking_space *space,
                                                    double corner_angle,
                                                    const oct_allocator *allocator,
                                                    oct_surface_graph **out);
OCT_API void oct_surface_graph_destroy(oct_surface_graph *graph);

OCT_API uint32_t oct_surface_graph_vertex_count(const oct_surface_graph *graph);
OCT_API uint32_t oct_surface_graph_edge_count(const oct_surface_graph *graph);
OCT_API oct_surface_vertex oct_surface_graph_vertex(const oct_surface_graph *graph,
                                                    uint32_t vertex);
/// The edges of a vertex; *edges is valid as long as the graph.
OCT_API uint32_t oct_surface_graph_edges(const oct_surface_graph *graph, uint32_t vertex,
                                         const oct_surface_edge **edges);
/// The vertex nearest to a point; OCT_SURFACE_NONE where there is none.
OCT_API uint32_t oct_surface_graph_nearest(const oct_surface_graph *graph, oct_point point);

// ---- obstacles and hazards ----

/// What a shape does to the edges that cross it.
typedef enum oct_surface_effect {
    OCT_SURFACE_BLOCKS,
    OCT_SURFACE_PASSABLE, ///< nothing, as a door that is open, or a hazard that is borne
    OCT_SURFACE_PRICED    ///< passable at a price
} oct_surface_effect;

/// An obstacle or a hazard: a convex outline seen from above, and heights.
typedef struct oct_surface_shape {
    const oct_point *outline; ///< borrowed during the call; 3 to 16 points, in either direction
    uint32_t count;
    double low, high; ///< heights, along the up axis
    double padding;   ///< of the body, metres: the outline is grown by it
    oct_surface_effect effect;
    double metre_price; ///< of PRICED: what a metre inside costs more; >= 0
    double entry_price; ///< and each entry; >= 0
} oct_surface_shape;

/// Adds a shape. OCT_ERROR_ARGUMENT: the outline is not convex or not finite.
OCT_API oct_result oct_surface_graph_add(oct_surface_graph *graph, const oct_surface_shape *shape,
                                         uint32_t *id);
/// Takes a shape away for good, and changes what one does. OCT_ERROR_ABSENT: there is none.
OCT_API oct_result oct_surface_graph_remove(oct_surface_graph *graph, uint32_t id);
OCT_API oct_result oct_surface_graph_switch(oct_surface_graph *graph, uint32_t id,
                                            oct_surface_effect effect);
/// Blocks or clears a single edge, beside what shapes do.
OCT_API oct_result oct_surface_graph_block(oct_surface_graph *graph, uint32_t edge, bool blocked);
OCT_API bool oct_surface_graph_is_clear(const oct_surface_graph *graph, uint32_t edge);

// ---- paths ----

typedef struct oct_surface_walker oct_surface_walker;

OCT_API oct_result oct_surface_walker_create(const oct_surface_graph *graph,
                                             const oct_allocator *allocator,
                                             oct_surface_walker **out);
OCT_API void oct_surface_walker_destroy(oct_surface_walker *walker);

typedef enum oct_surface_way {
    OCT_SURFACE_SHORTEST,
    OCT_SURFACE_CENTRES, ///< over centres alone, but for the ends; over no links
    OCT_SURFACE_THROUGH  ///< over a vertex inside a shape (`through`), the cheapest of these
} oct_surface_way;

/// A query. Start from oct_surface_walk_default().
typedef struct oct_surface_walk {
    uint32_t from, to;
    bool is_dijkstra;       ///< else A*; both find the least cost
    bool ignores_obstacles; ///< shapes and blocked edges count for nothing
    /// Preferred vertices: those of any of these kinds (0 = all are), or, where there is one, of
    /// the set, a flag for each vertex. An edge to any other vertex costs `reluctance` times as
    /// much, and lines are not pulled straight over them.
    uint32_t preferred;
    const bool *preferred_set; ///< borrowed
    double reluctance;         ///< at least 1; default 4
    oct_surface_way way;
    uint32_t through; ///< of THROUGH: the shape
    uint32_t cookie;  ///< set by the default; do not touch
} oct_surface_walk;

OCT_API oct_surface_walk oct_surface_walk_default(void);

/// A path on the graph; the arrays are valid until the next query.
typedef struct oct_surface_route {
    bool is_found;
    const uint32_t *vertices;
    uint32_t count;
    const oct_point *points; ///< the vertices and bends
    uint32_t point_count;
    double length; ///< metres
    double cost;   ///< with prices, those of links included, and reluctance
    uint64_t expanded;
} oct_surface_route;

OCT_API oct_result oct_surface_walker_plan(oct_surface_walker *walker, const oct_surface_walk *walk,
                                           oct_surface_route *out);

/// Follows the border from a border vertex once around, clockwise or counter-clockwise about what
/// it encloses, seen from above; whatever is in the way. The first vertex comes last again.
OCT_API oct_result oct_surface_walker_border(oct_surface_walker *walker, uint32_t from,
                                             bool clockwise, oct_surface_route *out);

#endif
