// SPDX-License-Identifier: MIT
/// \file
/// Watched paths: whoever travels along a path is told when an edit of the map gets in its way, and
/// the path is repaired from where it broke.
///
/// A watch keeps the paths of all who travel one map on the same terms. It follows the map's
/// journal: an edit costs what it touches, not what is watched. An edit that only opens breaks
/// nothing.
///
/// How short: a repaired path is at most `factor` times as long as the shortest one, as far as
/// searches of the watch's kind give shortest paths (what a new search's path is longer than the
/// shortest comes on top). What bounds the shortest from below is the straight line; and the length
/// that the last search found, less what was travelled since, unless something was opened that a
/// shorter path may lead through: such a path is at least as long as the way there and on to the
/// goal. Where prices differ the straight line alone counts.
///
/// The same calls give the same paths, to the bit. Updates allocate nothing; repairs, and paths
/// added in place of removed ones, nothing once warm.
/// Threading: a watch belongs to one thread; nobody writes the tree meanwhile.
#ifndef OCTANT_WATCH_H
#define OCTANT_WATCH_H

#include "octant/search.h"

typedef struct oct_watch oct_watch;

// ---- life ----

/// How to create a watch. Start from oct_watch_def_default().
typedef struct oct_watch_def {
    const oct_tree *tree; ///< borrowed
    /// How its paths are searched: all but start and goal counts. Not of USER, not partial; what it
    /// points to is borrowed for the watch's life.
    oct_query query;
    double factor;                  ///< how much longer than the shortest; >= 1; default 1.1
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_watch_def;

OCT_API oct_watch_def oct_watch_def_default(void);

/// Creates a watch of no path. On failure *out is NULL.
OCT_API oct_result oct_watch_create(const oct_watch_def *def, oct_watch **out);

/// Frees a watch; NULL is allowed.
OCT_API void oct_watch_destroy(oct_watch *watch);

// ---- paths ----

/// Watches a copy of a path that was FOUND by a query like the watch's. `owner` is the caller's own
/// number; *id is what the path is called from now on, not 0; ids of removed paths are given again.
/// OCT_ERROR_ARGUMENT where the path is not free on the watch's terms, as the map is now. On
/// failure nothing has changed. Costs a look along each leg.
OCT_API oct_result oct_watch_add(oct_watch *watch, const oct_path *path, uint64_t owner,
                                 uint32_t *id);

/// OCT_ERROR_ABSENT where there is no such path.
OCT_API oct_result oct_watch_remove(oct_watch *watch, uint32_t id);

/// A watched path as it is.
typedef struct oct_watched {
    uint64_t owner;
    const oct_fine *lattice; ///< its points (at two dimensions z means nothing): the watch's, until
                             ///< the path is repaired or removed
    uint32_t lattice_count;
    bool leaves_blocked; ///< the first leg goes out of something in the way, and is not watched
    bool enters_blocked; ///< so does the last one, into something
    bool is_broken;      ///< its owner was told, and it was not repaired since
} oct_watched;

/// False where there is no such path.
OCT_API bool oct_watch_path(const oct_watch *watch, uint32_t id, oct_watched *out);

// ---- following the map ----

/// What an owner is told: the path is free up to lattice point `leg`, and not from there to the
/// next.
typedef struct oct_broken {
    uint64_t owner;
    uint32_t id;
    uint32_t leg;
} oct_broken;

/// Must not call the watch.
typedef void oct_broken_fn(void *ctx, const oct_broken *news);

/// Follows the map to its present revision. Each path that is broken as the map is now, and was not
/// before, is told once, in the order of ids; then not again until it is repaired. Where the
/// journal has lost changes all paths are looked at. Any number of edits may lie between two
/// updates. Returns how many were told; `tell` may be NULL.
OCT_API size_t oct_watch_update(oct_watch *watch, oct_broken_fn *tell, void *ctx);

/// The revision of the map that was followed to.
OCT_API uint64_t oct_watch_revision(const oct_watch *watch);

// ---- repairing ----

/// What a repair did.
typedef enum oct_repair {
    OCT_REPAIR_KEPT,   ///< nothing was in the way, nor could another be much shorter
    OCT_REPAIR_MENDED, ///< the part that was broken was searched for, and joined with the rest
    OCT_REPAIR_NEW,    ///< searched for from start to goal
    OCT_REPAIR_COUNT
} oct_repair;

/// "kept", "mended", "new"; NULL beyond.
OCT_API const char *oct_repair_name(oct_repair repair);

/// Makes a path right again, from where its owner is now, metres, to its goal. What lies behind the
/// owner is dropped; the rest is kept up to where it broke, and behind. A whole new search follows
/// only where no way around is found soon, or where it is too long (see above); then the shorter
/// of both counts. A path that is not broken may be repaired, too: it is kept, unless what was
/// opened since might make it shorter by more than the factor.
///
/// The result is as that of oct_plan, with arrays that are the watch's until its next repair; its
/// counters are the searches' together. Status NONE where there is no path: then it stays watched
/// as it was, and the owner may ask again later. BUDGET (of the watch's query): the same; but where
/// only the whole search ended so, what was mended counts, however long. STALE: the watch is behind
/// the map; update it first. OCT_ERROR_ABSENT where there is no such path,
/// OCT_ERROR_ARGUMENT where the planner is of another tree, OCT_ERROR_RANGE where `at` leaves
/// lattice or bounds. On failure the path is as it was.
OCT_API oct_result oct_watch_repair(oct_watch *watch, oct_planner *planner, uint32_t id,
                                    oct_point at, oct_path *out, oct_repair *repair);

// ---- measures ----

typedef struct oct_watch_stats {
    uint64_t paths;   ///< watched
    uint64_t broken;  ///< of them
    uint64_t entries; ///< of legs in cubes of space
    uint64_t met;     ///< legs near its changes that the last update met
    uint64_t checked; ///< legs that it looked along
    size_t bytes;     ///< held
} oct_watch_stats;

OCT_API oct_watch_stats oct_watch_measure(const oct_watch *watch);

/// Whether every invariant holds; walks everything. For tests.
OCT_API bool oct_watch_is_valid(const oct_watch *watch);

#endif
