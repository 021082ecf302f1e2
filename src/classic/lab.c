// SPDX-License-Identifier: MIT
// The laboratory's table: the algorithms and graphs there are, and what goes together. A new
// algorithm is a file that defines a search_algorithm, and a row here.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "classic/lattice.h"
#include "flat/blocks.h"
#include "flat/intervals.h"
#include "flat/jump.h"
#include "flat/visibility.h"

#define LAB_QUERY_COOKIE 0x6c616271u

// ---- the table ----

extern const search_algorithm oct_search_dijkstra, oct_search_astar, oct_search_astar_smooth,
    oct_search_theta, oct_search_lazy_theta, oct_search_greedy, oct_search_jps, oct_search_anya,
    oct_search_block;

static const search_algorithm *const algorithms[OCT_LAB_ALGORITHM_COUNT] = {
    [OCT_LAB_DIJKSTRA] = &oct_search_dijkstra,
    [OCT_LAB_ASTAR] = &oct_search_astar,
    [OCT_LAB_ASTAR_SMOOTH] = &oct_search_astar_smooth,
    [OCT_LAB_THETA] = &oct_search_theta,
    [OCT_LAB_LAZY_THETA] = &oct_search_lazy_theta,
    [OCT_LAB_GREEDY] = &oct_search_greedy,
    [OCT_LAB_PORTAL] = &oct_search_portal,
    [OCT_LAB_JPS] = &oct_search_jps,
    [OCT_LAB_ANYA] = &oct_search_anya,
    [OCT_LAB_BLOCK] = &oct_search_block,
};

static const space_kind *const kinds[SPACE_LAB_END - SPACE_LAB] = {
    [SPACE_CELLS - SPACE_LAB] = &oct_cells_kind,
    [SPACE_DUAL - SPACE_LAB] = &oct_dual_kind,
    [SPACE_CORNER - SPACE_LAB] = &oct_corner_kind,
    [SPACE_PROGRESSIVE_DUAL - SPACE_LAB] = &oct_progressive_dual_kind,
    [SPACE_PROGRESSIVE_CORNER - SPACE_LAB] = &oct_progressive_corner_kind,
    [SPACE_LATTICE - SPACE_LAB] = &oct_lattice_kind,
    [SPACE_VISIBILITY - SPACE_LAB] = &oct_visibility_kind,
    [SPACE_VISIBILITY_ALL - SPACE_LAB] = &oct_visibility_all_kind,
    [SPACE_INTERVALS - SPACE_LAB] = &oct_intervals_kind,
    [SPACE_BLOCKS - SPACE_LAB] = &oct_blocks_kind,
    [SPACE_JUMP - SPACE_LAB] = &oct_jump_kind,
};

// A graph, and what it can do.
typedef struct graph_row {
    const char *name;
    uint32_t space;
    bool is_flat;          // of two dimensions alone
    bool is_unpriced;      // knows no prices
    bool estimates_itself; // whatever heuristic a query asks for
} graph_row;

static const graph_row graphs[OCT_LAB_GRAPH_COUNT] = {
    [OCT_LAB_GRAPH_CELLS] = {.name = "cells", .space = SPACE_CELLS},
    [OCT_LAB_GRAPH_DUAL] = {.name = "dual", .space = SPACE_DUAL},
    [OCT_LAB_GRAPH_CORNER] = {.name = "corner", .space = SPACE_CORNER},
    [OCT_LAB_GRAPH_PROGRESSIVE_DUAL] = {.name = "progressive-dual",
                                        .space = SPACE_PROGRESSIVE_DUAL},
    [OCT_LAB_GRAPH_PROGRESSIVE_CORNER] = {.name = "progressive-corner",
                                          .space = SPACE_PROGRESSIVE_CORNER},
    [OCT_LAB_GRAPH_PORTAL] = {.name = "portal", .space = SPACE_PORTAL, .estimates_itself = true},
    [OCT_LAB_GRAPH_LATTICE] = {.name = "lattice", .space = SPACE_LATTICE, .is_flat = true},
    [OCT_LAB_GRAPH_VISIBILITY] = {.name = "visibility",
                                  .space = SPACE_VISIBILITY,
                                  .is_flat = true,
                                  .is_unpriced = true,
                                  .estimates_itself = true},
    [OCT_LAB_GRAPH_INTERVALS] = {.name = "intervals",
                                 .space = SPACE_INTERVALS,
                                 .is_flat = true,
                                 .is_unpriced = true,
                                 .estimates_itself = true},
    [OCT_LAB_GRAPH_BLOCKS] = {.name = "blocks",
                              .space = SPACE_BLOCKS,
                              .is_flat = true,
                              .is_unpriced = true,
                              .estimates_itself = true},
    [OCT_LAB_GRAPH_VISIBILITY_ALL] = {.name = "visibility-all",
                                      .space = SPACE_VISIBILITY_ALL,
                                      .is_flat = true,
                                      .is_unpriced = true,
                                      .estimates_itself = true},
    [OCT_LAB_GRAPH_USER] = {.name = "user", .space = SPACE_USER, .estimates_itself = true},
};

// The space that an algorithm searches for a graph. Jump points stand for cells.
static uint32_t space_of(const search_algorithm *algorithm, oct_lab_graph graph)
{
    return graph == OCT_LAB_GRAPH_CELLS && algorithm->run[SPACE_JUMP] ? (uint32_t)SPACE_JUMP
                                                                      : graphs[graph].space;
}

// ---- names ----

const char *oct_lab_algorithm_name(oct_lab_algorithm algorithm)
{
    return (uint32_t)algorithm < OCT_LAB_ALGORITHM_COUNT ? algorithms[algorithm]->name : NULL;
}

const char *oct_lab_graph_name(oct_lab_graph graph)
{
    return (uint32_t)graph < OCT_LAB_GRAPH_COUNT ? graphs[graph].name : NULL;
}

bool oct_lab_graph_is_flat(oct_lab_graph graph)
{
    return (uint32_t)graph < OCT_LAB_GRAPH_COUNT && graphs[graph].is_flat;
}

bool oct_lab_serves(oct_lab_algorithm algorithm, oct_lab_graph graph)
{
    return (uint32_t)algorithm < OCT_LAB_ALGORITHM_COUNT && (uint32_t)graph < OCT_LAB_GRAPH_COUNT &&
           algorithms[algorithm]->run[space_of(algorithms[algorithm], graph)];
}

const char *oct_lab_heuristic_name(oct_lab_heuristic heuristic)
{
    static const char *const names[OCT_LAB_HEURISTIC_COUNT] = {
        [OCT_LAB_HEURISTIC_DEFAULT] = "default",
        [OCT_LAB_HEURISTIC_EUCLIDEAN] = "euclidean",
        [OCT_LAB_HEURISTIC_OCTILE] = "octile",
        [OCT_LAB_HEURISTIC_MANHATTAN] = "manhattan",
    };
    return (uint32_t)heuristic < OCT_LAB_HEURISTIC_COUNT ? names[heuristic] : NULL;
}

bool oct_lab_has_heuristic(oct_lab_algorithm algorithm, oct_lab_graph graph)
{
    return oct_lab_serves(algorithm, graph) && !graphs[graph].estimates_itself &&
           algorithm != OCT_LAB_DIJKSTRA;
}

// ---- queries ----

oct_lab_query oct_lab_query_default(void)
{
    return (oct_lab_query){
        .algorithm = OCT_LAB_PORTAL, .graph = OCT_LAB_GRAPH_PORTAL, .cookie = LAB_QUERY_COOKIE};
}

static bool is_priced(const oct_terms *terms)
{
    return terms->priced_count > 0 || terms->unknown == OCT_UNKNOWN_PRICED;
}

// Whether jump points stand for all cells: where diagonals are moves, every metre costs a metre,
// and the estimate is consistent.
static bool can_jump(const oct_query *query, uint32_t dims)
{
    return dims == 2 && oct_lab_directions(query->lab, dims) != OCT_DIRECTIONS_6 &&
           !is_priced(&query->terms) && query->lab->heuristic != OCT_LAB_HEURISTIC_MANHATTAN;
}

// Blocks need a database by the query's own rule.
static bool can_cross(const oct_lab_query *lab)
{
    return lab->distances && oct_distances_about(lab->distances).squeeze == lab->squeeze;
}

static oct_result check_map(const oct_query *query, uint32_t index, uint32_t dims)
{
    const oct_lab_query *const lab = query->lab;
    const graph_row *const graph = &graphs[lab->graph];
    if (dims == 0) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_terms_check(&query->terms));
    const bool fits =
        !(graph->is_flat && dims != 2) && !(graph->is_unpriced && is_priced(&query->terms)) &&
        !(lab->squeeze && (!graph->is_flat || query->taut == OCT_TAUT_YES)) &&
        oct_lab_directions(lab, dims) && !(index == SPACE_JUMP && !can_jump(query, dims)) &&
        !(index == SPACE_BLOCKS && !can_cross(lab)) &&
        !(query->goals && lab->graph != OCT_LAB_GRAPH_PORTAL);
    return fits ? OCT_OK : OCT_ERROR_ARGUMENT;
}

static oct_result choose(const oct_lab_table *table, const oct_query *query, uint32_t dims,
                         search_choice *out)
{
    const oct_lab_query *const lab = query->lab;
    if (lab->cookie != LAB_QUERY_COOKIE || (uint32_t)lab->algorithm >= table->algorithm_count ||
        (uint32_t)lab->graph >= OCT_LAB_GRAPH_COUNT ||
        (uint32_t)lab->heuristic >= OCT_LAB_HEURISTIC_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    const search_algorithm *const algorithm = table->algorithms[lab->algorithm];
    const uint32_t index = space_of(algorithm, lab->graph);
    if (!algorithm->run[index]) {
        return OCT_ERROR_ARGUMENT;
    }
    *out = (search_choice){index == SPACE_PORTAL ? query_portal_space(query) : index, algorithm};
    return index == SPACE_USER ? oct_query_check_user(query, algorithm)
                               : check_map(query, index, dims);
}

oct_result oct_lab_check(const oct_query *query, uint32_t dims)
{
    search_choice choice;
    return oct_query_choose(query, oct_lab(), dims, &choice);
}

// ---- planners ----

static void free_shared(void *shared, const oct_allocator *allocator)
{
    oct_plane_free(&((lab_shared *)shared)->plane, allocator);
}

static size_t shared_bytes(const void *shared)
{
    return oct_plane_bytes(&((const lab_shared *)shared)->plane);
}

const oct_lab_table *oct_lab(void)
{
    static const oct_lab_table table = {.kinds = kinds,
                                        .algorithms = algorithms,
                                        .algorithm_count = OCT_LAB_ALGORITHM_COUNT,
                                        .choose = choose,
                                        .shared_size = sizeof(lab_shared),
                                        .free_shared = free_shared,
                                        .shared_bytes = shared_bytes};
    return &table;
}

static bool is_visibility(uint32_t space_index)
{
    return space_index == SPACE_VISIBILITY || space_index == SPACE_VISIBILITY_ALL;
}

oct_result oct_lab_prepare(oct_planner *planner, const oct_query *query)
{
    OCT_TRY(oct_planner_begin(planner, query));
    planner->is_running = false;
    const bool has_begun = planner->search.status == OCT_PATH_RUNNING;
    return has_begun && is_visibility(planner->space_index)
               ? oct_visibility_build((visibility_space *)planner->search.space)
               : OCT_OK;
}

oct_result oct_lab_measure(oct_planner *planner, oct_lab_size *out)
{
    const uint32_t index = planner->space_index;
    *out = (oct_lab_size){0, 0};
    const space *const s = planner->lab ? planner->spaces[index] : NULL;
    if (s && is_visibility(index) && ((const visibility_space *)s)->is_whole) {
        const visibility_space *const v = (const visibility_space *)s;
        *out = (oct_lab_size){v->corners.count - VISIBILITY_FIRST, v->links.count / 2u};
        return OCT_OK;
    }
    if (!s || index != SPACE_LATTICE) {
        return OCT_ERROR_ARGUMENT;
    }
    bit_plane *const plane = lab_plane(planner);
    OCT_TRY(oct_plane_begin(plane, &planner->allocator, &s->map));
    *out = oct_lattice_count(plane, s->map.squeezes);
    return OCT_OK;
}

uint64_t oct_lab_nodes(const oct_planner *planner)
{
    const bool has_blocks = planner->space_index == SPACE_BLOCKS && planner->search.has_begun;
    return has_blocks ? ((const block_space *)planner->spaces[SPACE_BLOCKS])->nodes
                      : planner->search.expanded;
}

uint64_t oct_lab_ends_time(const oct_planner *planner)
{
    return planner->space_index == SPACE_BLOCKS
               ? ((const block_space *)planner->spaces[SPACE_BLOCKS])->ends_time
               : 0;
}
