// SPDX-License-Identifier: MIT
// Weighted A* (Pohl 1970), the example of docs/engine/search.md: the estimate counts half as much
// again, so that the search heads for the goal and looks at fewer nodes. The path costs at most
// half as much again as the cheapest.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "search/search_core.h"

OCT_FORCE_INLINE double weighted_rank(const space_ops *ops, const search *s, uint32_t id, double g,
                                      double h)
{
    (void)ops;
    (void)s;
    (void)id;
    return g + 1.5 * h;
}

static const search_rule weighted = {
    .is_guided = true, .rank = weighted_rank, .reach = search_reach_by_edge};

static oct_result weighted_cells(search *s)
{
    return search_run(&cells_ops, &weighted, s);
}

static oct_result weighted_dual(search *s)
{
    return search_run(&dual_ops, &weighted, s);
}

static oct_result weighted_corner(search *s)
{
    return search_run(&corner_ops, &weighted, s);
}

const search_algorithm oct_search_weighted = {.name = "weighted",
                                              .run = {[SPACE_CELLS] = weighted_cells,
                                                      [SPACE_DUAL] = weighted_dual,
                                                      [SPACE_CORNER] = weighted_corner,
                                                      [SPACE_PROGRESSIVE_DUAL] = weighted_dual,
                                                      [SPACE_PROGRESSIVE_CORNER] = weighted_corner},
                                              .is_complete = true};
