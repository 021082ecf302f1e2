// SPDX-License-Identifier: MIT
/// \file
/// Watched paths: an edit of the map tells which paths it broke; these are planned anew.
///
/// A watch keeps the paths of all units that travel one map on the same terms. It follows the map's
/// journal: an edit costs what it touches, not how much is watched. An edit that only opens cells
/// breaks nothing, and is not reported, although it may have made a path longer than it has to be.
///
/// The same calls give the same paths, to the bit. Updates allocate nothing; planning anew, and
/// adding a path in place of a removed one, allocates nothing once warm.
/// Threading: a watch belongs to one thread; nobody writes the tree meanwhile.
#ifndef OCTANT_WATCH_H
#define OCTANT_WATCH_H

#include "octant/search.h"

typedef struct oct_watch oct_watch;

// ---- life ----

/// How to create a watch. Start from oct_watch_def_default().
typedef struct oct_watch_def {
    const oct_tree *tree; ///< borrowed
    /// How its paths are planned: everything but start and goal. A portal search to one goal, not
    /// partial; what it points to is borrowed for the watch's life.
    oct_query query;
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_watch_def;

OCT_API oct_watch_def oct_watch_def_default(void);

/// Creates a watch without paths. On failure *out is NULL.
OCT_API oct_result oct_watch_create(const oct_watch_def *def, oct_watch **out);

/// Frees a watch; NULL is allowed.
OCT_API void oct_watch_destroy(oct_watch *watch);

// ---- paths ----

/// Watches a copy of a path that was FOUND by a query like the watch's. `owner` is the caller's own
/// number; *id names the path from now on, and is not 0; ids of removed paths are used again.
/// OCT_ERROR_ARGUMENT where the path is not free on the watch's terms, as the map is now. On
/// failure nothing has changed. Costs one line of sight per leg.
OCT_API oct_result oct_watch_add(oct_watch *watch, const oct_path *path, uint64_t owner,
                                 uint32_t *id);

/// OCT_ERROR_ABSENT where there is no such path.
OCT_API oct_result oct_watch_remove(oct_watch *watch, uint32_t id);

/// A watched path as it is.
typedef struct oct_watched {
    uint64_t owner;
    oct_point goal;          ///< metres
    const oct_fine *lattice; ///< its points (z means nothing at two dimensions): the watch's, until
                             ///< the path is planned anew or removed
    uint32_t lattice_count;
    bool leaves_blocked; ///< the first leg goes out of a blocked place, and is not watched
    bool enters_blocked; ///< the last leg goes into a blocked place, and is not watched
    bool is_broken;      ///< it was reported, and not planned anew since
} oct_watched;

/// False where there is no such path.
OCT_API bool oct_watch_path(const oct_watch *watch, uint32_t id, oct_watched *out);

// ---- following the map ----

/// A path that broke: it is free up to lattice point `leg`, and blocked between that and the next.
typedef struct oct_broken {
    uint64_t owner;
    uint32_t id;
    uint32_t leg;
} oct_broken;

/// Must not call the watch.
typedef void oct_broken_fn(void *ctx, const oct_broken *news);

/// Follows the map to its present revision. Reports each path that is broken as the map is now, and
/// was not reported before, in the order of ids. Where the journal has lost changes all paths are
/// checked. Any number of edits may lie between two updates. Returns how many were reported; `tell`
/// may be NULL.
OCT_API size_t oct_watch_update(oct_watch *watch, oct_broken_fn *tell, void *ctx);

/// Plans a path anew as a whole, from where its owner is now, metres, to its goal, and watches the
/// result in its place. *out is as from oct_planner_plan. With any other status than FOUND the path
/// stays watched as it was, and the owner may ask again later. OCT_ERROR_ABSENT where there is no
/// such path, OCT_ERROR_ARGUMENT where the planner is of another tree. On failure the path is as it
/// was.
OCT_API oct_result oct_watch_replan(oct_watch *watch, oct_planner *planner, uint32_t id,
                                    oct_point from, oct_path *out);

// ---- measures ----

typedef struct oct_watch_stats {
    uint64_t paths;   ///< watched
    uint64_t broken;  ///< how many of them are broken
    uint64_t entries; ///< of legs in cubes of space
    uint64_t checked; ///< paths that the last update looked along
    size_t bytes;     ///< held
} oct_watch_stats;

OCT_API oct_watch_stats oct_watch_measure(const oct_watch *watch);

#endif
