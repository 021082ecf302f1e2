// SPDX-License-Identifier: MIT
/// \file
/// Crowds: units that move through a map to their goals, around walls and around each other.
///
/// A unit is a ball. The map has to be padded by its radius, as maps of things are (oct_map_def),
/// so that its centre is a point that must stay out of what is in the way; a crowd whose units have
/// different radii needs the padding of the largest. Centres lie on the sub-lattice, and a move is
/// made only if its line is free: no unit is ever pushed into a wall. In a tick no unit comes
/// nearer to another than half of the gap between them: none ever overlap, whatever the others do.
///
/// Paths are searched for in slices under a budget, first come, first served. One search serves all
/// that wait for the same goal and can join its path. The same calls give the same bits, with any
/// executor.
/// Threading: a crowd belongs to one thread and borrows a tree that nobody writes during a call.
#ifndef OCTANT_CROWD_H
#define OCTANT_CROWD_H

#include "octant/search.h"

typedef struct oct_crowd oct_crowd;

/// A unit of a crowd. All zero is none.
typedef struct oct_unit {
    uint32_t index;
    uint32_t generation;
} oct_unit;

// ---- life ----

/// How to create a crowd. Start from oct_crowd_def_default().
typedef struct oct_crowd_def {
    const oct_tree *tree; ///< borrowed
    oct_terms terms;      ///< on which it is travelled; what they point to is borrowed
    /// Borrowed, of this tree, as for planners; NULL = none.
    const oct_components *components[2];
    double ticks_per_second; ///< > 0; default 20
    double horizon; ///< seconds ahead that units avoid each other; 3 ticks at least; default 0.5
    uint64_t plan_budget; ///< expansions a tick; 0 = any; default 2000
    /// Copied; NULL = malloc. One thread at a time calls it, but not always the same.
    const oct_allocator *allocator;
    const oct_executor *executor; ///< copied; NULL = the calling thread
    uint32_t cookie;              ///< set by the default; do not touch
} oct_crowd_def;

OCT_API oct_crowd_def oct_crowd_def_default(void);

/// Creates a crowd without units. On failure *out is NULL.
OCT_API oct_result oct_crowd_create(const oct_crowd_def *def, oct_crowd **out);

/// Frees a crowd; NULL is allowed.
OCT_API void oct_crowd_destroy(oct_crowd *crowd);

// ---- units ----

/// What a unit is.
typedef struct oct_unit_def {
    oct_point at;  ///< of its centre, metres; taken to the nearest point of the sub-lattice
    double radius; ///< metres, > 0
    double speed;  ///< metres a second at most; at least 1/64 cell a tick
} oct_unit_def;

#define OCT_UNIT_SPEED_MIN (1.0 / 64) ///< cells a tick
#define OCT_UNIT_SPEED_MAX 1024.0     ///< cells a tick
#define OCT_UNIT_RADIUS_MAX 65536.0   ///< cells

/// Adds a unit, which stands still. OCT_ERROR_EXISTS where it would overlap another one;
/// OCT_ERROR_RANGE where it leaves the lattice, the bounds or the limits above. It may be inside
/// something: then it will leave by the shortest way.
OCT_API oct_result oct_crowd_add(oct_crowd *crowd, const oct_unit_def *def, oct_unit *out);

/// Removes a unit. OCT_ERROR_ABSENT where there is none.
OCT_API oct_result oct_crowd_remove(oct_crowd *crowd, oct_unit unit);

/// How many units there are.
OCT_API size_t oct_crowd_count(const oct_crowd *crowd);

/// Sends a unit to a goal. It has arrived where its centre is within `tolerance` metres of the
/// goal, or can come no nearer because of others that have arrived at the same goal. A unit that is
/// waiting for a path already keeps its place in the queue. OCT_ERROR_ABSENT where there is no such
/// unit, OCT_ERROR_RANGE where the goal leaves the lattice or the bounds.
OCT_API oct_result oct_crowd_send(oct_crowd *crowd, oct_unit unit, oct_point goal,
                                  double tolerance);

/// Takes its goal from a unit. It makes way for others still.
OCT_API oct_result oct_crowd_stop(oct_crowd *crowd, oct_unit unit);

typedef enum oct_unit_status {
    OCT_UNIT_IDLE,    ///< has no goal
    OCT_UNIT_WAITING, ///< for its first path to the goal
    OCT_UNIT_MOVING,
    OCT_UNIT_ARRIVED, ///< and stays, making way for others and coming back
    OCT_UNIT_LOST,    ///< there is no path; it is looked for again when the map changes
    OCT_UNIT_STATUS_COUNT
} oct_unit_status;

/// How a unit is.
typedef struct oct_unit_state {
    oct_point at;       ///< metres
    oct_point velocity; ///< of its last move, metres a second
    oct_fine place;     ///< its centre on the sub-lattice
    double radius;      ///< metres
    oct_unit_status status;
    uint32_t waited; ///< ticks that it has been waiting for a path, 0 where it is not
} oct_unit_state;

/// False where there is no such unit.
OCT_API bool oct_crowd_state(const oct_crowd *crowd, oct_unit unit, oct_unit_state *out);

// ---- time ----

/// One tick: every unit moves once, and the budget is spent on searches. Where memory runs out
/// (OCT_ERROR_MEMORY) the searches that need it are tried again in the next tick; everything else
/// has been done.
OCT_API oct_result oct_crowd_step(oct_crowd *crowd);

/// What a crowd has done so far.
typedef struct oct_crowd_stats {
    uint64_t ticks;
    uint64_t searches;       ///< for paths to goals
    uint64_t shared;         ///< paths that came from the search of another unit
    uint64_t checks;         ///< of the way to the next waypoint
    uint64_t short_searches; ///< for a way to the next waypoint, where it was hidden
    uint64_t expanded;       ///< by all searches
    uint64_t stale;          ///< searches begun again after the map had changed
    uint64_t served;         ///< requests for a path that were answered
    uint64_t wait_sum;       ///< ticks between request and answer, of all
    uint32_t wait_max;       ///< the most
    uint32_t waiting;        ///< requests that have not been answered yet
    size_t bytes;            ///< held, without the planners'
    size_t planner_bytes;
} oct_crowd_stats;

OCT_API oct_crowd_stats oct_crowd_measure(const oct_crowd *crowd);

#endif
