// SPDX-License-Identifier: MIT
#include "flat/lab_space.h"

uint32_t oct_lab_directions(const oct_lab_query *lab, uint32_t dims)
{
    uint32_t neighbours = lab->neighbours;
    if (neighbours == 0) {
        neighbours = lab->graph == OCT_LAB_GRAPH_CELLS ? 26 : 6;
    }
    if (dims == 2) {
        neighbours = neighbours == 4 ? 6 : neighbours == 8 ? 26 : neighbours;
    }
    return neighbours == 6    ? OCT_DIRECTIONS_6
           : neighbours == 18 ? OCT_DIRECTIONS_18
           : neighbours == 26 ? OCT_DIRECTIONS_26
                              : 0;
}

// The estimate that is consistent with a graph's moves.
static space_estimate default_estimate(const oct_planner *p, uint32_t directions)
{
    if (p->algorithm->is_any_angle) {
        return ESTIMATE_EUCLIDEAN;
    }
    switch (p->space_index) {
    case SPACE_DUAL:
    case SPACE_PROGRESSIVE_DUAL:
    case SPACE_VISIBILITY:
    case SPACE_VISIBILITY_ALL:
        return ESTIMATE_EUCLIDEAN;
    case SPACE_CORNER:
    case SPACE_PROGRESSIVE_CORNER:
        return ESTIMATE_MANHATTAN;
    case SPACE_LATTICE:
        return ESTIMATE_OCTILE;
    default:
        return directions == OCT_DIRECTIONS_6 ? ESTIMATE_MANHATTAN : ESTIMATE_OCTILE;
    }
}

void oct_lab_take(space *s, const oct_planner *planner)
{
    static const space_estimate estimates[OCT_LAB_HEURISTIC_COUNT] = {
        [OCT_LAB_HEURISTIC_EUCLIDEAN] = ESTIMATE_EUCLIDEAN,
        [OCT_LAB_HEURISTIC_OCTILE] = ESTIMATE_OCTILE,
        [OCT_LAB_HEURISTIC_MANHATTAN] = ESTIMATE_MANHATTAN,
    };
    const oct_lab_query *const lab = planner->query.lab;
    s->map.squeezes = lab->squeeze;
    s->directions = oct_lab_directions(lab, (uint32_t)s->map.dims);
    s->estimate = lab->heuristic == OCT_LAB_HEURISTIC_DEFAULT
                      ? default_estimate(planner, s->directions)
                      : estimates[lab->heuristic];
}
