// SPDX-License-Identifier: MIT
// Queries: defaults, and what goes together.
#include "search/planner.h"

#define QUERY_COOKIE 0x71756572u

// ---- defaults ----

oct_query oct_query_default(void)
{
    return (oct_query){.graph = OCT_GRAPH_PORTAL,
                       .algorithm = OCT_ALGORITHM_PORTAL,
                       .terms = oct_terms_default(),
                       .cookie = QUERY_COOKIE};
}

// ---- what goes together ----

uint32_t oct_query_directions(const oct_query *query, uint32_t dims)
{
    uint32_t neighbours = query->neighbours;
    if (neighbours == 0) {
        neighbours = query->graph == OCT_GRAPH_CELLS ? 26 : 6;
    }
    if (dims == 2) {
        neighbours = neighbours == 4 ? 6 : neighbours == 8 ? 26 : neighbours;
    }
    return neighbours == 6    ? OCT_DIRECTIONS_6
           : neighbours == 18 ? OCT_DIRECTIONS_18
           : neighbours == 26 ? OCT_DIRECTIONS_26
                              : 0;
}

// What graphs of two dimensions alone can do.
typedef struct flat_graph {
    bool is_flat;
    bool squeezes;
    bool is_priced; // knows prices
} flat_graph;

static flat_graph flat_graph_of(oct_graph graph)
{
    static const flat_graph graphs[OCT_GRAPH_COUNT] = {
        [OCT_GRAPH_LATTICE] = {true, true, true},
        [OCT_GRAPH_VISIBILITY] = {true, true, false},
        [OCT_GRAPH_INTERVALS] = {true, true, false},
        [OCT_GRAPH_BLOCKS] = {true, true, false},
    };
    return graphs[graph];
}

bool oct_graph_is_flat(oct_graph graph)
{
    return (uint32_t)graph < OCT_GRAPH_COUNT && flat_graph_of(graph).is_flat;
}

static bool is_priced(const oct_terms *terms)
{
    return terms->region_count > 0 || terms->unknown == OCT_UNKNOWN_PRICED;
}

// Whether jump points stand for all cells: where diagonals are moves, every metre costs a metre,
// and the estimate is consistent.
static bool can_jump(const oct_query *query, uint32_t dims)
{
    return dims == 2 && oct_query_directions(query, dims) != OCT_DIRECTIONS_6 &&
           !is_priced(&query->terms) && query->heuristic != OCT_HEURISTIC_MANHATTAN;
}

// Blocks need a database by the query's own rule.
static bool can_cross(const oct_query *query)
{
    return query->distances &&
           oct_distances_about(query->distances).squeeze == query->terms.squeeze;
}

static oct_result check_map(const oct_query *query, const search_algorithm *algorithm,
                            uint32_t dims)
{
    const flat_graph graph = flat_graph_of(query->graph);
    if (dims == 0) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_terms_check(&query->terms));
    const bool is_taut = query->taut == OCT_TAUT_YES;
    const bool fits = !(graph.is_flat && dims != 2) &&
                      !(graph.is_flat && !graph.is_priced && is_priced(&query->terms)) &&
                      !(query->terms.squeeze && (!graph.squeezes || is_taut)) &&
                      oct_query_directions(query, dims) &&
                      !(algorithm->is_jumping && !can_jump(query, dims)) &&
                      !(query->graph == OCT_GRAPH_BLOCKS && !can_cross(query)) &&
                      !(query->goals && query->graph != OCT_GRAPH_PORTAL);
    return fits ? OCT_OK : OCT_ERROR_ARGUMENT;
}

static oct_result check_user(const oct_query *query, const search_algorithm *algorithm)
{
    const oct_user_graph *const graph = query->user;
    const bool needs_lines = algorithm->is_any_angle || algorithm->is_smooth;
    return graph && graph->edges && graph->estimate && (!needs_lines || graph->straight)
               ? OCT_OK
               : OCT_ERROR_ARGUMENT;
}

oct_result oct_query_fits(const oct_query *query, const search_algorithm *algorithm, uint32_t dims)
{
    if (query->cookie != QUERY_COOKIE || (uint32_t)query->graph >= OCT_GRAPH_COUNT ||
        (uint32_t)query->heuristic >= OCT_HEURISTIC_COUNT ||
        (uint32_t)query->grade >= OCT_GRADE_COUNT || (uint32_t)query->taut >= OCT_TAUT_COUNT ||
        !algorithm || !algorithm->run[search_space_of(query->graph)]) {
        return OCT_ERROR_ARGUMENT;
    }
    return query->graph == OCT_GRAPH_USER ? check_user(query, algorithm)
                                          : check_map(query, algorithm, dims);
}

oct_result oct_query_check(const oct_query *query, uint32_t dims)
{
    return oct_query_fits(query, oct_search_algorithm(query->algorithm), dims);
}
