// SPDX-License-Identifier: MIT
/// \file
/// Paths: a planner searches a map, or a caller's graph; whole, in slices, or in batches.
///
/// A map is searched by portal search: through boxes of free space, over the points at which they
/// are best entered; then the path is pulled taut. Other algorithms and graphs, to compare with,
/// are in octant/lab.h.
///
/// Start and goal may be anywhere. Inside something BLOCKED a path first goes straight out to the
/// nearest free point, and only what can be reached from there counts: never the other side of a
/// wall. (So a path from such a point to itself goes out and back.) Points that a search chooses
/// lie on the sub-lattice; a start or goal that does not adds a tiny leg inside its own cell.
///
/// The same query gives the same path, to the bit. A planner that has seen such a query allocates
/// nothing, and starts in constant time.
/// Threading: a planner belongs to one thread and borrows a tree that nobody writes meanwhile; many
/// planners may read one tree.
#ifndef OCTANT_SEARCH_H
#define OCTANT_SEARCH_H

#include "octant/graph.h"
#include "octant/map.h"

typedef struct oct_planner oct_planner;
typedef struct oct_components oct_components; ///< octant/components.h

/// The laboratory (octant/lab.h): its algorithms and graphs, and what a query wants of it.
typedef struct oct_lab_table oct_lab_table;
typedef struct oct_lab_query oct_lab_query;

/// How good a path the portal search looks for.
typedef enum oct_grade {
    OCT_GRADE_BEST, ///< the shortest
    OCT_GRADE_FAST, ///< sooner: before it is pulled taut, at most 8 % longer than any other left
    OCT_GRADE_COUNT
} oct_grade;

/// Whether a path is pulled taut: until no vertex can be left out, and none can slide along the
/// edge that it bends around to make the path shorter by more than 1/256 cell.
typedef enum oct_taut {
    OCT_TAUT_DEFAULT, ///< those of portal search are
    OCT_TAUT_NO,
    OCT_TAUT_YES,
    OCT_TAUT_COUNT
} oct_taut;

/// How a caller's graph is searched.
typedef enum oct_user_algorithm {
    OCT_USER_DIJKSTRA,
    OCT_USER_ASTAR,      ///< A*
    OCT_USER_LAZY_THETA, ///< Lazy Theta*: needs `straight`; then nodes are left out where possible
    OCT_USER_ALGORITHM_COUNT
} oct_user_algorithm;

/// What to search. Start from oct_query_default(): a portal search of the map.
typedef struct oct_query {
    oct_point from, to; ///< metres
    /// Borrowed: go to any of these, `to` is ignored. Portal search only. NULL (default) = to `to`.
    const oct_goals *goals;
    oct_grade grade; ///< of portal search; default BEST
    oct_taut taut;   ///< not of a caller's graph
    oct_terms terms; ///< where UNKNOWN is free and nothing bounds it: 4 cells around root and ends
    bool partial;    ///< where the goal is not reached, go to the nearest node that is
    bool record;     ///< keep what was expanded
    uint64_t node_budget; ///< expansions at most; 0 = any
    oct_clock_fn *clock;  ///< for the time budget; NULL = none
    void *clock_ctx;      ///< handed to it
    uint64_t time_budget; ///< in the clock's unit: the one thing that is not deterministic
    /// Borrowed: search this graph instead of the map, from node to node. NULL (default) = the map.
    const oct_user_graph *user;
    oct_user_algorithm user_algorithm; ///< default ASTAR
    uint64_t user_from, user_to;
    /// Borrowed until the query has ended: another algorithm or graph (octant/lab.h), for planners
    /// made with the laboratory's table. NULL (default) = as above.
    const oct_lab_query *lab;
    uint32_t cookie; ///< set by the default; do not touch
} oct_query;

OCT_API oct_query oct_query_default(void);

typedef enum oct_path_status {
    OCT_PATH_FOUND,
    OCT_PATH_NONE,      ///< there is no path
    OCT_PATH_PARTIAL,   ///< there is none; the points lead to the nearest node there is
    OCT_PATH_BUDGET,    ///< a budget ended first; the points, if asked for, to the nearest so far
    OCT_PATH_STALE,     ///< the map has changed since the search began
    OCT_PATH_UNDECIDED, ///< not found, by an algorithm that does not look everywhere
    OCT_PATH_RUNNING,   ///< of a slice: more to do
    OCT_PATH_COUNT
} oct_path_status;

/// A node that was expanded, in order. The first has itself as parent.
typedef struct oct_record {
    oct_fine at;
    uint64_t node;   ///< the node of a caller's graph; else 0
    uint32_t parent; ///< index of the record that it was reached from (any-angle: seen from)
    uint32_t unused;
    double g; ///< cost so far, cells (of a caller's graph: as the edges')
} oct_record;

/// What came out. Arrays are the planner's, until its next query.
typedef struct oct_path {
    oct_path_status status;
    bool leaves_blocked; ///< the first leg goes out of something that is in the way
    bool enters_blocked; ///< the last leg goes into something that is in the way
    double length;       ///< metres
    double cost;         ///< metres, as the terms price them (of a caller's graph: as the edges')
    double straight;     ///< from start to goal through everything, metres
    double turning;      ///< sum of all changes of direction, radians
    uint64_t expanded, generated, sight_checks;
    uint64_t revision; ///< of the map
    uint32_t point_count, lattice_count, node_count, record_count;
    const oct_point *points; ///< in the world, from start to goal
    const oct_fine *lattice; ///< the same without tiny legs
    const uint64_t *nodes;   ///< of a caller's graph: the way
    const oct_record *records;
} oct_path;

// ---- planners ----

/// How to create a planner. Start from oct_planner_def_default().
typedef struct oct_planner_def {
    /// Borrowed. The planner keeps components of the map's cells and follows its changes, so that a
    /// query between two of them ends at once. NULL: see `tree`.
    const oct_map *map;
    const oct_tree *tree; ///< borrowed; NULL: for callers' graphs alone
    /// Borrowed, of this tree, with UNKNOWN blocked and with UNKNOWN open; NULL = none. A query
    /// between two components ends at once. Components that the map has left behind are not asked
    /// until they have been updated.
    const oct_components *components[2];
    const oct_lab_table *lab;       ///< oct_lab() of octant/lab.h; NULL (default) = none
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_planner_def;

OCT_API oct_planner_def oct_planner_def_default(void);

/// OCT_ERROR_ARGUMENT where components are of another tree, or take UNKNOWN for something else than
/// their place says. On failure *out is NULL.
OCT_API oct_result oct_planner_create(const oct_planner_def *def, oct_planner **out);

/// Frees a planner; NULL is allowed.
OCT_API void oct_planner_destroy(oct_planner *planner);

/// Bytes that it holds.
OCT_API size_t oct_planner_bytes(const oct_planner *planner);

/// Searches. OCT_ERROR_ARGUMENT for a query that makes no sense, or needs the laboratory's table
/// and the planner has none; OCT_ERROR_RANGE where start or goal leave the lattice or the bounds,
/// whose far sides belong to them; outcomes are statuses.
OCT_API oct_result oct_planner_plan(oct_planner *planner, const oct_query *query, oct_path *out);

/// oct_planner_plan in slices: begin, then step until the status is not RUNNING. The result is the
/// same as the whole one's. A step expands at most so many nodes. After an edit of the map a step
/// says STALE.
OCT_API oct_result oct_planner_begin(oct_planner *planner, const oct_query *query);
OCT_API oct_result oct_planner_step(oct_planner *planner, uint64_t expansions, oct_path *out);

/// Called for each result, in any order, on the thread that found it; the arrays are valid during
/// the call. `worker` is the executor's.
typedef void oct_path_fn(void *ctx, size_t index, uint32_t worker, const oct_path *path);

/// Many queries of any kind over an executor (NULL = the calling thread), one planner for each of
/// its workers, all of one tree (else OCT_ERROR_ARGUMENT). Every query is done; the first failure
/// by index is returned, with OCT_OK for the others' paths reported as they end.
OCT_API oct_result oct_planner_plan_batch(oct_planner *const *planners,
                                          const oct_executor *executor, const oct_query *queries,
                                          size_t count, oct_path_fn *done, void *ctx);

#endif
