// SPDX-License-Identifier: MIT
// Queries: the default, and what each is searched with.
#include "search/planner.h"

#define QUERY_COOKIE 0x71756572u

oct_query oct_query_default(void)
{
    return (oct_query){
        .terms = oct_terms_default(), .user_algorithm = OCT_USER_ASTAR, .cookie = QUERY_COOKIE};
}

oct_result oct_query_check_portal(const oct_query *query, uint32_t dims)
{
    return dims == 0 ? OCT_ERROR_ARGUMENT : oct_terms_check(&query->terms);
}

oct_result oct_query_check_user(const oct_query *query, const search_algorithm *algorithm)
{
    const oct_user_graph *const graph = query->user;
    const bool needs_lines = algorithm->is_any_angle || algorithm->is_smooth;
    return graph && graph->edges && graph->estimate && (!needs_lines || graph->straight)
               ? OCT_OK
               : OCT_ERROR_ARGUMENT;
}

static oct_result choose_user(const oct_query *query, search_choice *out)
{
    static const search_algorithm *const algorithms[OCT_USER_ALGORITHM_COUNT] = {
        [OCT_USER_DIJKSTRA] = &oct_user_dijkstra,
        [OCT_USER_ASTAR] = &oct_user_astar,
        [OCT_USER_LAZY_THETA] = &oct_user_lazy_theta,
    };
    if ((uint32_t)query->user_algorithm >= OCT_USER_ALGORITHM_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    *out = (search_choice){SPACE_USER, algorithms[query->user_algorithm]};
    return oct_query_check_user(query, out->algorithm);
}

oct_result oct_query_choose(const oct_query *query, const oct_lab_table *lab, uint32_t dims,
                            search_choice *out)
{
    if (query->cookie != QUERY_COOKIE || (uint32_t)query->grade >= OCT_GRADE_COUNT ||
        (uint32_t)query->taut >= OCT_TAUT_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    if (query->lab) {
        return lab ? lab->choose(lab, query, dims, out) : OCT_ERROR_ARGUMENT;
    }
    if (query->user) {
        return choose_user(query, out);
    }
    *out = (search_choice){query_portal_space(query), &oct_search_portal};
    return oct_query_check_portal(query, dims);
}
