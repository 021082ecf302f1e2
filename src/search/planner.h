// SPDX-License-Identifier: MIT
// A planner's insides, shared by the files that plan, that make paths and that serve many goals.
#ifndef OCTANT_PLANNER_H
#define OCTANT_PLANNER_H

#include "search/boxes.h"
#include "search/search_internal.h"
#include "search/taut.h"
#include "search/user.h"

struct oct_planner {
    oct_allocator allocator;
    const oct_tree *tree;
    const oct_components *components[2]; // with UNKNOWN blocked and open; NULL = none
    oct_components *own[2];              // the same, kept by the planner; NULL until asked for
    bool keeps_components;
    const oct_lab_table *lab;  // NULL = none
    space *spaces[SPACES_MAX]; // each is made when a query first asks for it
    void *shared;              // of the laboratory's spaces; NULL until one is made
    search search;
    taut taut;
    // The query.
    oct_query query;
    oct_box bounds; // where the query has none
    const search_algorithm *algorithm;
    uint32_t space_index;
    const space_kind *kind; // of that space
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
    oct_array missed;  // of size_t: of many goals those to be searched for by themselves
    // Of a batch: the first query of this planner that failed.
    oct_result failure;
    uint32_t failed_query;
};

// Makes a space the one that is searched, and makes it where it is not there yet.
oct_result oct_planner_use_space(oct_planner *p, uint32_t index, space **out);

// Gives ids to start and goal, and begins the search.
oct_result oct_planner_begin_space(oct_planner *p, space *s);

void oct_planner_free_spaces(oct_planner *p);
size_t oct_planner_space_bytes(const oct_planner *p);

// Checks a query and says what it is searched with. `lab` may be NULL.
oct_result oct_query_choose(const oct_query *query, const oct_lab_table *lab, uint32_t dims,
                            search_choice *out);

// The parts of that check for queries of a map by portal search, and of a caller's graph.
oct_result oct_query_check_portal(const oct_query *query, uint32_t dims);
oct_result oct_query_check_user(const oct_query *query, const search_algorithm *algorithm);

// The portal search's space.
OCT_FORCE_INLINE uint32_t query_portal_space(const oct_query *query)
{
    return query->terms.unknown == OCT_UNKNOWN_BLOCKED ? SPACE_PORTAL : SPACE_PORTAL_OPEN;
}

extern const search_algorithm oct_search_portal;

// Fills the path from the state of the search: the way to `last`, which is the goal or the nearest
// node, or 0 for no way. `is_reversed`: from the goal to the start.
oct_result oct_planner_path(oct_planner *p, uint32_t last, bool is_reversed, oct_path *out);

// Runs a query that was begun, until it is not RUNNING, or the slice is used up.
oct_result oct_planner_run(oct_planner *p, uint64_t expansions, oct_path_status *status);

// Whether a path may be there although the graph has none: then there is another one to ask.
bool oct_planner_may_have_missed(const oct_planner *p);

// Whether components tell that start and goal have no path between them.
bool oct_planner_is_apart(const oct_planner *p);

// What a status becomes for the caller, and the node that the path leads to.
uint32_t oct_planner_verdict(const oct_planner *p, oct_path_status *status);

// The lattice's point and cell of a point in the world.
oct_result oct_planner_locate(const oct_planner *p, oct_point at, oct_fine *fine, oct_vec *cell);

#endif
