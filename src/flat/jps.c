// SPDX-License-Identifier: MIT
// Jump point search (Harabor and Grastien 2011): A* over jump points.
#include "flat/jump.h"
#include "search/search_core.h"

static const search_rule jps = {.is_along_edges = true,
                                .is_guided = true,
                                .rank = search_rank_by_sum,
                                .reach = search_reach_by_edge};

static oct_result jps_cells(search *s)
{
    return search_run(&jump_ops, &jps, s);
}

const search_algorithm oct_search_jps = {
    .name = "jps", .run = {[SPACE_JUMP] = jps_cells}, .is_complete = true};
