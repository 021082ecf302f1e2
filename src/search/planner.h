// SPDX-License-Identifier: MIT
// A planner's insides, shared by the files that plan, that make paths and that serve many goals.
#ifndef OCTANT_PLANNER_H
#define OCTANT_PLANNER_H

#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "flat/blocks.h"
#include "flat/intervals.h"
#include "flat/jump.h"
#include "flat/lattice.h"
#include "flat/visibility.h"
#include "search/boxes.h"
#include "search/search_internal.h"
#include "search/taut.h"
#include "search/user.h"

struct oct_planner {
    oct_allocator allocator;
    const oct_tree *tree;
    const oct_components *components[2]; // with UNKNOWN blocked and open; NULL = none
    // The graphs; each is made when it is first asked for.
    cell_space *cells;
    dual_space *dual;
    corner_space *corner;
    box_space *boxes[2]; // with UNKNOWN blocked and open: queries may take turns
    interval_space *intervals;
    visibility_space *visibility;
    lattice_space *grid;
    jump_space *jump; // of CELLS, for jump point search
    block_space *blocks;
    user_space *user;
    bit_plane plane; // what those of two dimensions alone look at
    search search;
    taut taut;
    // The query.
    oct_query query;
    oct_box bounds; // where the query has none
    const search_algorithm *algorithm;
    const space_ops *ops; // of the graph, for what is not hot
    uint32_t space_kind;
    uint64_t revision;
    uint64_t clock_end;
    uint64_t budget_end; // in expansions of the search
    bool is_running;
    bool is_shared;    // the search serves many goals
    oct_fine from, to; // the query's points, on the sub-lattice
    // What came out.
    oct_array ids;     // of uint32_t: the nodes of the way
    oct_array places;  // of spot: what is pulled taut
    oct_array points;  // of oct_point
    oct_array lattice; // of oct_fine
    oct_array nodes;   // of uint64_t
    oct_array records; // of oct_record
    oct_array order;   // of uint32_t: which record an id has
    oct_array missed;  // of size_t: goals to be searched for by themselves
    // Of a batch: the first query of this planner that failed.
    oct_result failure;
    uint32_t failed_query;
};

// Of searches with a core of their own.
extern const space_ops oct_portal_ops, oct_anya_ops, oct_block_ops;

// The space of the query's graph, made where it is not there yet.
oct_result oct_spaces_find(oct_planner *p, space **out);

// Gives ids to start and goal, and begins the search.
oct_result oct_spaces_begin(oct_planner *p, space *s);

void oct_spaces_destroy(oct_planner *p);
size_t oct_spaces_bytes(const oct_planner *p);

// oct_query_check with an algorithm that need not be in the table.
oct_result oct_query_fits(const oct_query *query, const search_algorithm *algorithm, uint32_t dims);

// The directions that a query's number of neighbours stands for; 0 for one that is none.
uint32_t oct_query_directions(const oct_query *query, uint32_t dims);

// oct_plan_begin with an algorithm that need not be in the table.
oct_result oct_planner_begin(oct_planner *p, const oct_query *query,
                             const search_algorithm *algorithm);

// Fills the path from the state of the search: the way to `last`, which is the goal or the nearest
// node, or 0 for no way. `is_reversed`: from the goal to the start.
oct_result oct_planner_path(oct_planner *p, uint32_t last, bool is_reversed, oct_path *out);

// The points in the world of a path: start and goal, `ends`, as they were given, and the lattice's
// in between. Replaces the array's, of oct_point.
oct_result oct_path_world(const oct_tree *tree, const oct_point ends[2], bool reaches,
                          const oct_array *lattice, const oct_allocator *allocator,
                          oct_array *points);

// Fills in length, cost and turning of a path.
void oct_path_measure(const view *v, const oct_array *lattice, const oct_array *points,
                      oct_path *out);

// Runs a query that was begun, until it is not RUNNING, or the slice is used up.
oct_result oct_planner_run(oct_planner *p, uint64_t expansions, oct_status *status);

// Whether a path may be there although the graph has none: then there is another one to ask.
bool oct_planner_may_have_missed(const oct_planner *p);

// Whether components tell that start and goal have no path between them.
bool oct_planner_is_apart(const oct_planner *p);

// What a status becomes for the caller, and the node that the path leads to.
uint32_t oct_planner_verdict(const oct_planner *p, oct_status *status);

// The lattice's point and cell of a point in the world.
oct_result oct_planner_locate(const oct_planner *p, oct_point at, oct_fine *fine, oct_vec *cell);

#endif
