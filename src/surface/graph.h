// SPDX-License-Identifier: MIT
// The insides of navigation graphs.
#ifndef OCTANT_SURFACE_GRAPH_INTERNAL_H
#define OCTANT_SURFACE_GRAPH_INTERNAL_H

#include "octant/surface_graph.h"
#include "surface/surface_internal.h"
#include "surface/walking.h"

#define SHAPE_POINTS_MAX 16

typedef struct graph_vertex {
    ground_point at;
    uint32_t kinds;
    uint32_t face;
    uint32_t edge; // of a corner: the half-edge of its border that starts there, else one of it
    uint32_t first, count; // edges
} graph_vertex;

// What is in the way of an edge.
typedef struct edge_state {
    uint32_t a, b;
    ground_point bend;
    bool is_bent, is_blocked, is_final;
    oct_walking_kind kind;
    double price;     // of a link
    uint32_t blocks;  // shapes that block it
    uint32_t touches; // shapes that touch it, whatever they do
} edge_state;

typedef struct graph_shape {
    ground_point outline[SHAPE_POINTS_MAX]; // counter-clockwise
    uint32_t count;                         // 0 = removed
    double low, high, padding, metre_price, entry_price;
    oct_surface_effect effect;
} graph_shape;

struct oct_surface_graph {
    const oct_surface *surface;
    oct_allocator allocator;
    graph_vertex *vertices;
    uint32_t vertex_count;
    oct_surface_edge *edges; // two for each, of a link one
    edge_state *states;
    uint32_t edge_count;
    size_t edge_room; // states that there is room for
    oct_array shapes; // of graph_shape
};

typedef struct walk_label {
    double g;
    uint32_t parent;
    uint32_t edge; // of the parent's edges, the one that was taken: index into graph->edges
    uint32_t stamp;
    bool is_done;
} walk_label;

struct oct_surface_walker {
    const oct_surface_graph *graph;
    oct_allocator allocator;
    walk_label *labels; // two for each vertex: before and after a shape was entered
    uint32_t stamp;
    oct_heap heap;
    oct_array vertices; // of uint32_t
    oct_array points;   // of oct_point
};

// The links of a walking space as a graph has them.
typedef struct graph_links {
    const oct_walking_space *space;
    uint32_t *vertices; // of the two ends of each link, from and to
    uint32_t *order;    // links by their vertices
    oct_array ends;     // of link_end: those that are no corners, each once
    size_t end_edges;   // how many edges these have
} graph_links;

typedef struct link_end {
    ground_point at;
    uint32_t face;
    uint32_t slot; // in `vertices`
} link_end;

// Finds the vertices of all links; those that are no corners are numbered from `first`.
oct_result oct_graph_links_make(graph_links *links, const oct_walking_space *space, uint32_t first,
                                const oct_allocator *memory);
void oct_graph_links_free(graph_links *links, const oct_allocator *memory);

// Adds an edge to the list, and counts it at its vertices.
void oct_graph_add_edge(oct_surface_graph *graph, edge_state state);

// Adds the vertices and edges; there must be room.
void oct_graph_links_add(const graph_links *links, oct_surface_graph *graph);

// The border edge that follows one, with the surface to the left.
uint32_t oct_surface_next_border(const oct_surface *s, uint32_t edge);

// Checks a caller's shape; false where it is none.
bool oct_surface_shape_take(const oct_surface *s, const oct_surface_shape *shape, graph_shape *out);

// The part of a segment inside a shape's grown outline, as a share of it, and whether it begins
// inside.
double oct_surface_shape_share(const graph_shape *shape, const ground_point *a,
                               const ground_point *b, bool *begins_inside);

// Whether a shape touches a segment.
bool oct_surface_shape_touches(const graph_shape *shape, const ground_point *a,
                               const ground_point *b);

bool oct_surface_shape_holds(const graph_shape *shape, const ground_point *p);

// Whether a blocking shape touches a segment.
bool oct_surface_graph_blocks(const oct_surface_graph *graph, const ground_point *a,
                              const ground_point *b);

OCT_FORCE_INLINE bool edge_is_clear(const oct_surface_graph *graph, uint32_t id)
{
    return graph->states[id].blocks == 0 && !graph->states[id].is_blocked;
}

// Distances from a vertex to all that are reached over clear edges of vertices in `open`, and to
// their neighbours; without what is final, if so. Labels are valid where their stamp is the
// search's.
oct_result oct_surface_walker_flood(oct_surface_walker *walker, uint32_t from, const bool *open,
                                    bool with_final);

// The route to a label.
oct_result oct_surface_walker_route(oct_surface_walker *search, uint32_t label,
                                    oct_surface_route *out);

#endif
