// SPDX-License-Identifier: MIT
/// \file
/// Exploring a surface, and what a test has covered of it, as Prasetya et al. 2020 have it
/// (sections 4 and 5).
///
/// The frontier are the vertices that were not seen, next to one that was, and reachable from where
/// the agent is over clear edges between vertices that were seen. Obstacles may close behind it:
/// whatever the graph says when it is asked counts. Links are used as all edges are; but what can
/// be reached over a link alone that cannot be gone back comes last, when nothing else is left.
/// Threading: an explorer belongs to one thread; the graph is only read.
#ifndef OCTANT_SURFACE_EXPLORE_H
#define OCTANT_SURFACE_EXPLORE_H

#include "octant/surface_graph.h"

typedef struct oct_surface_explorer oct_surface_explorer;

/// Which vertex of the frontier is next.
typedef enum oct_surface_strategy {
    OCT_SURFACE_NEAREST, ///< the one with the shortest way
    OCT_SURFACE_RANDOM,
    /// Next to the vertex that was visited last and still has any, going back along the way that
    /// was gone.
    OCT_SURFACE_DEPTH_FIRST,
    /// The same for ways that may close (Kwek 1997): of all visited vertices that can still be
    /// reached, the one where the agent was most recently.
    OCT_SURFACE_DIRECTED,
    OCT_SURFACE_CALLER ///< `choose` decides
} oct_surface_strategy;

typedef struct oct_surface_explorer_def {
    const oct_surface_graph *graph; ///< borrowed
    oct_surface_strategy strategy;  ///< default NEAREST
    uint64_t seed;                  ///< of RANDOM
    /// Of CALLER: returns the index of one of the frontier's vertices, all of which can be reached
    /// at these costs.
    uint32_t (*choose)(void *ctx, const uint32_t *frontier, const double *costs, uint32_t count);
    void *ctx;
    const oct_allocator *allocator; ///< NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_surface_explorer_def;

OCT_API oct_surface_explorer_def oct_surface_explorer_def_default(void);
OCT_API oct_result oct_surface_explorer_create(const oct_surface_explorer_def *def,
                                               oct_surface_explorer **out);
OCT_API void oct_surface_explorer_destroy(oct_surface_explorer *explorer);

/// The agent sees a vertex. Seeing it again changes nothing.
OCT_API oct_result oct_surface_explorer_see(oct_surface_explorer *explorer, uint32_t vertex);
/// It sees all vertices within a distance that a straight line over clear surface reaches.
OCT_API oct_result oct_surface_explorer_look(oct_surface_explorer *explorer, uint32_t from,
                                             double view_distance);
OCT_API bool oct_surface_explorer_has_seen(const oct_surface_explorer *explorer, uint32_t vertex);

/// Where to go next from a vertex, which counts as visited and seen: the way to a vertex of the
/// frontier. route->is_found is false where nothing is left that can be reached.
OCT_API oct_result oct_surface_explorer_next(oct_surface_explorer *explorer, uint32_t at,
                                             oct_surface_route *route);
/// The frontier as the last call of oct_surface_explorer_next found it.
OCT_API uint32_t oct_surface_explorer_frontier(const oct_surface_explorer *explorer,
                                               const uint32_t **vertices);

// ---- coverage ----

/// How much of each kind there is, and how much of it was covered.
typedef struct oct_surface_covered {
    uint32_t vertices, vertices_all; ///< visited; ends of links included
    uint32_t centres, centres_all;
    uint32_t corners, corners_all;           ///< inner and outer ones
    uint32_t border_edges, border_edges_all; ///< gone along
    uint32_t links, links_all;               ///< edges of these: jumped, dropped, stepped over
    uint32_t seen;                           ///< vertices
    // Kinds of paths.
    uint32_t borders_all; ///< borders: once around an island or a hole each
    /// Of these, those of which every edge was gone along, clockwise about what they enclose, seen
    /// from above, and the other way round.
    uint32_t borders_clockwise, borders_counter;
    uint32_t centre_ways; ///< routes that led over centres alone, but for their ends
    uint32_t shapes_all;  ///< obstacles and hazards that are there
    uint32_t through;     ///< of these, those that some route led through
    /// Those that some route avoided, longer than the shortest way between its ends, which leads
    /// through them.
    uint32_t around;
} oct_surface_covered;

/// The agent has gone along a route, which counts as one path.
OCT_API oct_result oct_surface_explorer_walked(oct_surface_explorer *explorer,
                                               const uint32_t *vertices, uint32_t count);
OCT_API oct_surface_covered oct_surface_explorer_covered(const oct_surface_explorer *explorer);

#endif
