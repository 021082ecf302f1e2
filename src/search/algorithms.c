// SPDX-License-Identifier: MIT
// The algorithms there are. A new one is a file that defines a search_algorithm, and a row here.
#include "search/search_internal.h"

extern const search_algorithm oct_search_dijkstra, oct_search_astar, oct_search_astar_smooth,
    oct_search_theta, oct_search_lazy_theta, oct_search_greedy, oct_search_portal, oct_search_jps,
    oct_search_anya, oct_search_block;

static const search_algorithm *const algorithms[OCT_ALGORITHM_COUNT] = {
    [OCT_ALGORITHM_DIJKSTRA] = &oct_search_dijkstra,
    [OCT_ALGORITHM_ASTAR] = &oct_search_astar,
    [OCT_ALGORITHM_ASTAR_SMOOTH] = &oct_search_astar_smooth,
    [OCT_ALGORITHM_THETA] = &oct_search_theta,
    [OCT_ALGORITHM_LAZY_THETA] = &oct_search_lazy_theta,
    [OCT_ALGORITHM_GREEDY] = &oct_search_greedy,
    [OCT_ALGORITHM_PORTAL] = &oct_search_portal,
    [OCT_ALGORITHM_JPS] = &oct_search_jps,
    [OCT_ALGORITHM_ANYA] = &oct_search_anya,
    [OCT_ALGORITHM_BLOCK] = &oct_search_block,
};

const search_algorithm *oct_search_algorithm(oct_algorithm algorithm)
{
    return (uint32_t)algorithm < OCT_ALGORITHM_COUNT ? algorithms[algorithm] : NULL;
}

const char *oct_algorithm_name(oct_algorithm algorithm)
{
    const search_algorithm *const found = oct_search_algorithm(algorithm);
    return found ? found->name : NULL;
}

bool oct_algorithm_serves(oct_algorithm algorithm, oct_graph graph)
{
    const search_algorithm *const found = oct_search_algorithm(algorithm);
    return found && (uint32_t)graph < OCT_GRAPH_COUNT && found->run[search_space_of(graph)];
}
