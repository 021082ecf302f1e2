// SPDX-License-Identifier: MIT
/// \file
/// Exploring: where to go next in a world that is not known yet.
///
/// An explorer looks at a map and says which place of the frontier to go to, and on which path.
/// Whoever moves the body goes there, observes into the map on the way, tells the explorer where it
/// has looked from, and asks again. Places that cannot be reached are never offered. A place at
/// which the body has looked around, and that is still of the frontier (something hides what is
/// next to it), is not offered again until the map changes around it. Asking changes no answer: who
/// asks twice is told the same.
///
/// Paths are through OPEN cells alone, within the bounds.
/// Threading: an explorer belongs to one thread and borrows a map that nobody writes during a call.
#ifndef OCTANT_EXPLORE_H
#define OCTANT_EXPLORE_H

#include "octant/map.h"
#include "octant/search.h"

typedef struct oct_explorer oct_explorer;

/// Which place of the frontier is best.
typedef enum oct_strategy {
    OCT_STRATEGY_NEAREST, ///< that with the shortest path
    OCT_STRATEGY_GAIN,    ///< most UNKNOWN volume within view, for each metre of path
    OCT_STRATEGY_RANDOM,  ///< any, each cell as likely as the other
    OCT_STRATEGY_DEPTH,   ///< near the last place that something is left at; else go back one
    OCT_STRATEGY_USER,    ///< the caller's
    OCT_STRATEGY_COUNT
} oct_strategy;

/// A place of the frontier that can be reached.
typedef struct oct_candidate {
    oct_vec cell;
    oct_point at;    ///< its middle, metres
    double straight; ///< from the body, through everything, metres
    double gain; ///< UNKNOWN volume around it, within view and bounds, cubic metres (2D: square)
} oct_candidate;

/// Chooses one of the candidates, of which there is at least one: returns its index; an index
/// beyond means that exploring ends here. The candidates are spread: one, the nearest, for each
/// cube of half the view distance that holds any.
typedef size_t oct_choose_fn(void *ctx, const oct_candidate *candidates, size_t count);

/// How to create an explorer. Start from oct_explorer_def_default().
typedef struct oct_explorer_def {
    const oct_map *map;             ///< borrowed
    const oct_box *bounds;          ///< copied; what is beyond is no goal; NULL (default) = none
    double radius;                  ///< how far the body sees, metres; > 0; default 20
    oct_strategy strategy;          ///< default NEAREST
    uint64_t seed;                  ///< of RANDOM; default 1
    oct_choose_fn *choose;          ///< of USER
    void *choose_ctx;               ///< handed to it
    oct_grade grade;                ///< of paths; default BEST
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_explorer_def;

OCT_API oct_explorer_def oct_explorer_def_default(void);

/// On failure *out is NULL.
OCT_API oct_result oct_explorer_create(const oct_explorer_def *def, oct_explorer **out);

/// Frees an explorer; NULL is allowed.
OCT_API void oct_explorer_destroy(oct_explorer *explorer);

typedef enum oct_explore_status {
    OCT_EXPLORE_GO,          ///< follow the path, to the frontier
    OCT_EXPLORE_ARRIVE,      ///< follow the path, to the goal itself: all of the way is known
    OCT_EXPLORE_EXPLORED,    ///< nothing that can be reached is unknown
    OCT_EXPLORE_BOUNDED,     ///< the same within the bounds; beyond them there is more
    OCT_EXPLORE_UNREACHABLE, ///< of oct_explorer_next_towards: no way, whatever the UNKNOWN cells
                             ///< are; or see is_hidden
    OCT_EXPLORE_ENDED,       ///< the caller's choice
    OCT_EXPLORE_STATUS_COUNT
} oct_explore_status;

/// Why a place was chosen.
typedef enum oct_explore_why {
    OCT_WHY_NOTHING,   ///< none was
    OCT_WHY_IN_SIGHT,  ///< in sight, and in a straight line no other is nearer by more than 1 %
    OCT_WHY_SHORTEST,  ///< the shortest path to any
    OCT_WHY_GAIN,      ///< the largest gain for each metre
    OCT_WHY_DRAWN,     ///< at random
    OCT_WHY_DEEPEST,   ///< left over at the last place
    OCT_WHY_BACK,      ///< left over at a place before that: the last ones have nothing left
    OCT_WHY_CHOSEN,    ///< by the caller
    OCT_WHY_ON_WAY,    ///< the way to the goal enters UNKNOWN there
    OCT_WHY_WAY_KNOWN, ///< the way to the goal is known
    OCT_WHY_COUNT
} oct_explore_why;

/// Where to go next.
typedef struct oct_exploration {
    oct_explore_status status;
    oct_explore_why why;
    oct_vec frontier;     ///< of GO: the cell
    oct_leaf leaf;        ///< of GO: the leaf that holds it
    oct_candidate chosen; ///< of GO: the same, with its gain (only GAIN and USER look at that)
    size_t candidates;    ///< of GAIN and USER: how many there were
    oct_path path;        ///< of GO and ARRIVE; arrays are the explorer's until its next call
    oct_thing found;      ///< of oct_explorer_next_to_find: what was found
    bool has_found;
    /// Of UNREACHABLE: there may be a way, but it has been wherever one might see on, in vain.
    bool is_hidden;
} oct_exploration;

/// Tells it that the body has looked around from a place, metres: what the map learned from there
/// is in it. OCT_ERROR_RANGE where that is outside the lattice or the bounds.
OCT_API oct_result oct_explorer_arrive(oct_explorer *explorer, oct_point at);

/// Chooses by the strategy. `from` is the body's centre, metres. Follows the map first. A body
/// inside something BLOCKED first leaves it, as in a search. OCT_ERROR_RANGE where it is outside
/// the lattice or the bounds.
OCT_API oct_result oct_explorer_next(oct_explorer *explorer, oct_point from, oct_exploration *out);

/// Goes towards a point, on a shortest path that takes UNKNOWN for free, as far as it is known:
/// ask again after every step. Ends with ARRIVE or UNREACHABLE.
OCT_API oct_result oct_explorer_next_towards(oct_explorer *explorer, oct_point from, oct_point to,
                                             oct_exploration *out);

/// Explores by the strategy until the map has a thing that is wanted; `found` says which, and of
/// several that with the smallest id. Then it goes next to it, to the OPEN cell with the shortest
/// path; or towards it, where there is none that can be reached. Looks only at things in boxes that
/// have changed since the last call with the same `wanted` and `ctx`.
OCT_API oct_result oct_explorer_next_to_find(oct_explorer *explorer, oct_point from,
                                             oct_thing_fn *wanted, void *ctx, oct_exploration *out);

/// What stayed unknown, and why.
typedef struct oct_remains {
    uint64_t open;     ///< OPEN cells that can be reached
    uint64_t sealed;   ///< OPEN cells that cannot
    uint64_t unknown;  ///< UNKNOWN cells within the bounds (0 where nothing bounds them)
    uint64_t frontier; ///< of these places OPEN, reachable and next to UNKNOWN: left to explore
    uint64_t hidden;   ///< the same, but the body has been there and could not see on
    uint64_t walled;   ///< OPEN cells next to UNKNOWN that cannot be reached
    uint64_t beyond;   ///< faces of reachable cells at the bounds, with OPEN or UNKNOWN behind them
} oct_remains;

/// Counts as seen from a body. Walks the whole map.
OCT_API oct_result oct_explorer_remains(oct_explorer *explorer, oct_point from, oct_remains *out);

/// Called for cells of the frontier that form a box; return false to stop.
typedef bool oct_frontier_fn(void *ctx, const oct_box *cells);

/// Visits the frontier as of the last call that asked where to go: OPEN cells next to UNKNOWN that
/// can be reached, without places that showed nothing new. Each cell within the box (NULL = all)
/// once, in boxes. Returns false if `visit` stopped it. For those who draw it.
OCT_API bool oct_explorer_visit_frontier(oct_explorer *explorer, const oct_box *within,
                                         oct_frontier_fn *visit, void *ctx);

/// Bytes that it holds: frontier, components, planner.
typedef struct oct_explorer_bytes {
    size_t frontier, components, planner;
} oct_explorer_bytes;

OCT_API oct_explorer_bytes oct_explorer_measure(const oct_explorer *explorer);

#endif
