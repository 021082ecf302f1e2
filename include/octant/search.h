// SPDX-License-Identifier: MIT
/// \file
/// Paths: a planner searches a graph of a map, whole, in slices, for many goals, or in batches.
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

#include "octant/components.h"
#include "octant/distances.h"

typedef struct oct_planner oct_planner;

typedef enum oct_algorithm {
    OCT_ALGORITHM_DIJKSTRA,
    OCT_ALGORITHM_ASTAR,
    OCT_ALGORITHM_ASTAR_SMOOTH, ///< A*, then vertices left out wherever the line of sight allows
    OCT_ALGORITHM_THETA,        ///< Theta*, then the same
    OCT_ALGORITHM_LAZY_THETA,   ///< Lazy Theta*, then the same
    OCT_ALGORITHM_GREEDY,       ///< Abdo 2017: large leaves first, never into a smaller one
    OCT_ALGORITHM_PORTAL,       ///< ours, and the default: of PORTAL alone, then pulled taut
    OCT_ALGORITHM_JPS,          ///< jump point search: of CELLS at two dimensions
    OCT_ALGORITHM_ANYA,         ///< of INTERVALS: the shortest path there is
    OCT_ALGORITHM_BLOCK,        ///< Block A*: of BLOCKS, without prices
    OCT_ALGORITHM_COUNT
} oct_algorithm;

/// "dijkstra", "astar", "astar-smooth", "theta", "lazy-theta", "greedy", "portal", "jps",
/// "anya", "block"; NULL beyond.
OCT_API const char *oct_algorithm_name(oct_algorithm algorithm);

/// Whether an algorithm can search a graph.
OCT_API bool oct_algorithm_serves(oct_algorithm algorithm, oct_graph graph);

/// What guides a search. Only the default is consistent in every case: Manhattan for moves along
/// axes, octile for A* on cells and the lattice, else Euclidean. Others may give longer paths.
typedef enum oct_heuristic {
    OCT_HEURISTIC_DEFAULT,
    OCT_HEURISTIC_EUCLIDEAN,
    OCT_HEURISTIC_OCTILE,
    OCT_HEURISTIC_MANHATTAN,
    OCT_HEURISTIC_COUNT
} oct_heuristic;

/// How good a path the portal search looks for.
typedef enum oct_grade {
    OCT_GRADE_BEST, ///< the shortest
    OCT_GRADE_FAST, ///< sooner: before it is pulled taut, at most 8 % longer than any other left
    OCT_GRADE_COUNT
} oct_grade;

/// "best", "fast"; NULL beyond.
OCT_API const char *oct_grade_name(oct_grade grade);

/// Whether a path is pulled taut: until no vertex can be left out, and none can slide along the
/// edge that it bends around to make the path shorter by more than 1/256 cell.
typedef enum oct_taut {
    OCT_TAUT_DEFAULT, ///< the portal search's are, others not
    OCT_TAUT_NO,
    OCT_TAUT_YES,
    OCT_TAUT_COUNT
} oct_taut;

/// What to search. Start from oct_query_default().
typedef struct oct_query {
    oct_point from, to; ///< metres
    /// Of PORTAL: borrowed; go to any of these, `to` is ignored. Not for oct_plan_to_many and
    /// oct_plan_from_many. NULL (default) = to `to`.
    const oct_goals *goals;
    oct_graph graph;         ///< default PORTAL
    oct_algorithm algorithm; ///< default PORTAL
    oct_grade grade;         ///< of PORTAL; default BEST
    oct_taut taut;           ///< not of USER
    oct_heuristic heuristic;
    const oct_distances *distances; ///< of BLOCKS: borrowed; its squeezing must be the terms'
    uint32_t neighbours; ///< CELLS, DUAL: 6, 18 or 26 (4 or 8 at two dimensions); 0 = 26, DUAL 6
    oct_terms terms; ///< where UNKNOWN is free and nothing bounds it: 4 cells around root and ends
    bool partial;    ///< where the goal is not reached, go to the nearest node that is
    bool record;     ///< keep what was expanded
    uint64_t node_budget;       ///< expansions at most; 0 = any
    oct_clock_fn *clock;        ///< for the time budget; NULL = none
    void *clock_ctx;            ///< handed to it
    uint64_t time_budget;       ///< in the clock's unit: the one thing that is not deterministic
    const oct_user_graph *user; ///< of USER
    uint64_t user_from, user_to;
    uint32_t cookie; ///< set by the default; do not touch
} oct_query;

OCT_API oct_query oct_query_default(void);

/// Whether a query can be asked of a map of so many dimensions, wherever start and goal are:
/// OCT_ERROR_ARGUMENT where algorithm, graph and terms do not go together, OCT_ERROR_RANGE where a
/// number is none that is allowed.
OCT_API oct_result oct_query_check(const oct_query *query, uint32_t dims);

typedef enum oct_status {
    OCT_STATUS_FOUND,
    OCT_STATUS_NONE,      ///< there is no path
    OCT_STATUS_PARTIAL,   ///< there is none; the points lead to the nearest node there is
    OCT_STATUS_BUDGET,    ///< a budget ended first; the points, if asked for, to the nearest so far
    OCT_STATUS_STALE,     ///< the map has changed since the search began
    OCT_STATUS_UNDECIDED, ///< not found, by an algorithm that does not look everywhere
    OCT_STATUS_RUNNING,   ///< of a slice: more to do
    OCT_STATUS_COUNT
} oct_status;

/// "found", "none", ...; NULL beyond.
OCT_API const char *oct_status_name(oct_status status);

/// A node that was expanded, in order. The first has itself as parent. Of BLOCK: the point at which
/// a block was reached that promised most, and the last record of the block that it came through.
typedef struct oct_record {
    oct_fine at;
    uint64_t node;   ///< USER: the caller's node; else 0
    uint32_t parent; ///< index of the record that it was reached from (any-angle: seen from; JPS:
                     ///< diagonally first, then straight)
    uint32_t unused;
    double g; ///< cost so far, cells (USER: as the edges')
} oct_record;

/// What came out. Arrays are the planner's, until its next query.
typedef struct oct_path {
    oct_status status;
    bool leaves_blocked; ///< the first leg goes out of something that is in the way
    bool enters_blocked; ///< the last leg goes into something that is in the way
    double length;       ///< metres
    double cost;         ///< metres, as the terms price them (USER: as the edges')
    double straight;     ///< from start to goal through everything, metres
    double turning;      ///< sum of all changes of direction, radians
    /// Of BLOCK: blocks, as often as they were (and start and goal, once each); and what was looked
    /// at around start and goal.
    uint64_t expanded, generated, sight_checks;
    uint64_t ends_time; ///< BLOCK with a clock: what start's and goal's blocks took, in its unit
    uint64_t revision;  ///< of the map
    uint32_t point_count, lattice_count, node_count, record_count;
    const oct_point *points; ///< in the world, from start to goal
    const oct_fine *lattice; ///< the same without tiny legs
    const uint64_t *nodes;   ///< USER: the way
    const oct_record *records;
} oct_path;

// ---- planners ----

/// How to create a planner. Start from oct_planner_def_default().
typedef struct oct_planner_def {
    const oct_tree *tree; ///< borrowed; NULL: USER graphs alone
    /// Borrowed, of this tree, with UNKNOWN blocked and with UNKNOWN open; NULL = none. While they
    /// are true of the map, a query between two components ends at once.
    const oct_components *components[2];
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_planner_def;

OCT_API oct_planner_def oct_planner_def_default(void);

/// On failure *out is NULL.
OCT_API oct_result oct_planner_create(const oct_planner_def *def, oct_planner **out);

/// Frees a planner; NULL is allowed.
OCT_API void oct_planner_destroy(oct_planner *planner);

/// Bytes that it holds.
OCT_API size_t oct_planner_bytes(const oct_planner *planner);

/// Searches. OCT_ERROR_ARGUMENT for a query that makes no sense, OCT_ERROR_RANGE where start or
/// goal leave the lattice or the bounds; outcomes are statuses.
OCT_API oct_result oct_plan(oct_planner *planner, const oct_query *query, oct_path *out);

/// Makes what a query's graph keeps while the map stays as it is, before the first such query asks
/// for it: rows of bits for searches of two dimensions alone, and VISIBILITY whole, which otherwise
/// grows with what queries look at. `query` is one of those to come.
OCT_API oct_result oct_planner_prepare(oct_planner *planner, const oct_query *query);

/// oct_plan in slices: begin, then step until the status is not RUNNING. The result is the same
/// as the whole one's. A step expands at most so many nodes. After an edit of the map a step says
/// STALE.
OCT_API oct_result oct_plan_begin(oct_planner *planner, const oct_query *query);
OCT_API oct_result oct_plan_step(oct_planner *planner, uint64_t expansions, oct_path *out);

/// Called for each result, in any order, on the thread that found it; the arrays are valid during
/// the call. `worker` is the executor's.
typedef void oct_path_fn(void *ctx, size_t index, uint32_t worker, const oct_path *path);

/// One start, many goals; or many starts, one goal: query->from, or ->to, is the one. Costs and
/// statuses are those of single queries. Dijkstra and A* with a default or Euclidean estimate share
/// one search: what was expanded for one goal serves the next. The others search for each, since
/// theirs depends on the order; and so do queries for partial paths and records. The counters of a
/// result are what was added for it. Budgets hold for each.
OCT_API oct_result oct_plan_to_many(oct_planner *planner, const oct_query *query,
                                    const oct_point *goals, size_t count, oct_path_fn *done,
                                    void *ctx);
OCT_API oct_result oct_plan_from_many(oct_planner *planner, const oct_query *query,
                                      const oct_point *starts, size_t count, oct_path_fn *done,
                                      void *ctx);

/// Many queries of any kind over an executor (NULL = the calling thread), one planner for each of
/// its workers. Every query is done; the first failure by index is returned, with OCT_OK for the
/// others' paths reported as they end.
OCT_API oct_result oct_plan_batch(oct_planner *const *planners, const oct_executor *executor,
                                  const oct_query *queries, size_t count, oct_path_fn *done,
                                  void *ctx);

#endif
