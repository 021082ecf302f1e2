// SPDX-License-Identifier: MIT
/// \file
/// The laboratory: algorithms and graphs to compare portal search with.
///
/// A planner made with `def.lab = oct_lab()` also answers queries whose `lab` points to an
/// oct_lab_query: any algorithm over any graph that it serves, on maps of three dimensions or two,
/// and over a caller's graph. Paths and counters come out as those of portal search do.
///
/// Records of a search (oct_record): jump point search goes from a node's parent diagonally first,
/// then straight. Block A* records the point at which a block was reached that promised most; its
/// parent is the last record of the block that it came through. Its counters are blocks, as often
/// as they were expanded (and start and goal, once each), and what was looked at around start and
/// goal. Threading: as planners.
#ifndef OCTANT_LAB_SEARCH_H
#define OCTANT_LAB_SEARCH_H

#include "octant/distances.h"
#include "octant/search.h"

/// The table of all algorithms and graphs, for oct_planner_def.
OCT_API const oct_lab_table *oct_lab(void);

// ---- algorithms ----

typedef enum oct_lab_algorithm {
    OCT_LAB_DIJKSTRA,
    OCT_LAB_ASTAR,
    OCT_LAB_ASTAR_SMOOTH, ///< A*, then vertices left out wherever the line of sight allows
    OCT_LAB_THETA,        ///< Theta*, then the same
    OCT_LAB_LAZY_THETA,   ///< Lazy Theta*, then the same
    OCT_LAB_GREEDY,       ///< Abdo 2017: large leaves first, never into a smaller one
    OCT_LAB_PORTAL,       ///< portal search; of the graph PORTAL alone
    OCT_LAB_JPS,          ///< jump point search: of CELLS at two dimensions
    OCT_LAB_ANYA,         ///< of INTERVALS: the shortest path there is
    OCT_LAB_BLOCK,        ///< Block A*: of BLOCKS, without prices
    OCT_LAB_ALGORITHM_COUNT
} oct_lab_algorithm;

/// "dijkstra", "astar", "astar-smooth", "theta", "lazy-theta", "greedy", "portal", "jps",
/// "anya", "block"; NULL beyond.
OCT_API const char *oct_lab_algorithm_name(oct_lab_algorithm algorithm);

// ---- graphs ----

/// The graphs over a map. A path through any of them is free as octant/graph.h says.
typedef enum oct_lab_graph {
    OCT_LAB_GRAPH_CELLS,  ///< middles of cells; a move needs every cell of the box it spans
    OCT_LAB_GRAPH_DUAL,   ///< middles of leaves
    OCT_LAB_GRAPH_CORNER, ///< corners of leaves, along their edges
    OCT_LAB_GRAPH_PROGRESSIVE_DUAL,   ///< DUAL, where leaves are divided until neighbours differ by
                                      ///< one level at most
    OCT_LAB_GRAPH_PROGRESSIVE_CORNER, ///< CORNER, with leaves divided likewise
    OCT_LAB_GRAPH_PORTAL,             ///< boxes of free space, entered wherever is best
    OCT_LAB_GRAPH_LATTICE,            ///< 2D: corners of cells, along their edges and diagonals
    OCT_LAB_GRAPH_VISIBILITY, ///< 2D: corners that a path may bend around, and which of the others
                              ///< that they see a shortest path can go on to
    OCT_LAB_GRAPH_INTERVALS,  ///< 2D: of lattice rows, as seen from a corner
    OCT_LAB_GRAPH_BLOCKS,     ///< 2D: squares of cells, crossed by a database of distances
    OCT_LAB_GRAPH_VISIBILITY_ALL, ///< 2D: the corners of VISIBILITY, and all that they see
    OCT_LAB_GRAPH_USER,           ///< the caller's: oct_query.user
    OCT_LAB_GRAPH_COUNT
} oct_lab_graph;

/// "cells", "dual", "corner", "progressive-dual", "progressive-corner", "portal", "lattice",
/// "visibility", "intervals", "blocks", "visibility-all", "user"; NULL beyond.
OCT_API const char *oct_lab_graph_name(oct_lab_graph graph);

/// Whether a graph is one of maps of two dimensions alone.
OCT_API bool oct_lab_graph_is_flat(oct_lab_graph graph);

/// Whether an algorithm can search a graph.
OCT_API bool oct_lab_serves(oct_lab_algorithm algorithm, oct_lab_graph graph);

// ---- queries ----

/// What guides a search. Only the default is consistent in every case: Manhattan for moves along
/// axes, octile for A* on cells and the lattice, else Euclidean, which never gives longer paths.
/// The other two may.
typedef enum oct_lab_heuristic {
    OCT_LAB_HEURISTIC_DEFAULT,
    OCT_LAB_HEURISTIC_EUCLIDEAN,
    OCT_LAB_HEURISTIC_OCTILE,
    OCT_LAB_HEURISTIC_MANHATTAN,
    OCT_LAB_HEURISTIC_COUNT
} oct_lab_heuristic;

/// "default", "euclidean", "octile", "manhattan"; NULL beyond.
OCT_API const char *oct_lab_heuristic_name(oct_lab_heuristic heuristic);

/// Whether an algorithm looks at a query's heuristic when it searches a graph. VISIBILITY,
/// INTERVALS, BLOCKS and PORTAL have estimates of their own, and Dijkstra's algorithm has none.
OCT_API bool oct_lab_has_heuristic(oct_lab_algorithm algorithm, oct_lab_graph graph);

/// What a query wants of the laboratory. Start from oct_lab_query_default().
struct oct_lab_query {
    oct_lab_algorithm algorithm; ///< default PORTAL
    oct_lab_graph graph;         ///< default PORTAL
    oct_lab_heuristic heuristic;
    uint32_t neighbours; ///< CELLS, DUAL: 6, 18 or 26 (4 or 8 at two dimensions); 0 = 26, DUAL 6
    /// LATTICE, VISIBILITY (ALL too), INTERVALS and BLOCKS: a path may pass between blocked cells
    /// that meet in a corner; default false. Such a path is not pulled taut.
    bool squeeze;
    const oct_distances *distances; ///< of BLOCKS: borrowed; made with the same `squeeze`
    uint32_t cookie;                ///< set by the default; do not touch
};

OCT_API oct_lab_query oct_lab_query_default(void);

/// Whether a query, with or without a `lab` part, can be asked of a map of so many dimensions,
/// wherever start and goal are: OCT_ERROR_ARGUMENT where algorithm, graph and terms do not go
/// together, OCT_ERROR_RANGE where a number is none that is allowed.
OCT_API oct_result oct_lab_check(const oct_query *query, uint32_t dims);

/// Makes what a query's graph keeps while the map stays as it is, before the first such query asks
/// for it: rows of bits for searches of two dimensions alone, and VISIBILITY and VISIBILITY_ALL
/// whole, which otherwise grow with what queries look at. `query` is one of those to come.
OCT_API oct_result oct_lab_prepare(oct_planner *planner, const oct_query *query);

/// How large a graph is. An edge leads both ways and counts once.
typedef struct oct_lab_size {
    uint64_t nodes, edges;
} oct_lab_size;

/// The size of the graph of the planner's last query, without start and goal: of LATTICE, which is
/// counted and never made, and of VISIBILITY and VISIBILITY_ALL where oct_lab_prepare has made them
/// whole. OCT_ERROR_ARGUMENT for others, and where there was no query.
OCT_API oct_result oct_lab_measure(oct_planner *planner, oct_lab_size *out);

/// The nodes that the planner's last query expanded. Block A*, whose `expanded` counts blocks,
/// expands a node where it goes on through a block from a point of its boundary; start and goal
/// count once each. For all other algorithms it is `expanded`.
OCT_API uint64_t oct_lab_nodes(const oct_planner *planner);

/// Of the planner's last query, if that was Block A* with a clock: the time that the blocks of
/// start and goal took, in the clock's unit; else 0.
OCT_API uint64_t oct_lab_ends_time(const oct_planner *planner);

// ---- many goals ----

/// One start, many goals; or many starts, one goal: query->from, or ->to, is the one. Costs and
/// statuses are those of single queries. Dijkstra and A* with a default or Euclidean estimate share
/// one search: what was expanded for one goal serves the next. The others search for each, since
/// theirs depends on the order; and so do queries for partial paths and records. The counters of a
/// result are what was added for it. Budgets hold for each. Not of a caller's graph, nor for
/// query->goals.
OCT_API oct_result oct_lab_plan_to_many(oct_planner *planner, const oct_query *query,
                                        const oct_point *goals, size_t count, oct_path_fn *done,
                                        void *ctx);
OCT_API oct_result oct_lab_plan_from_many(oct_planner *planner, const oct_query *query,
                                          const oct_point *starts, size_t count, oct_path_fn *done,
                                          void *ctx);

#endif
