// SPDX-License-Identifier: MIT
// Theta* (Nash, Daniel, Koenig and Felner 2007; He and Hung 2016, 3.3): a node's parent may be any
// node that sees it. The line of sight is looked at when a node is reached, and only where it would
// help.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "classic/lattice.h"
#include "search/search_core.h"

OCT_FORCE_INLINE search_way theta_reach(const space_ops *ops, search *s, uint32_t from,
                                        search_way so_far, const space_edge *edge)
{
    const search_way along = {so_far.g + edge->cost, from};
    const uint32_t parent = so_far.parent;
    if (parent == from) {
        return along;
    }
    const search_node *const n = &s->nodes[edge->to];
    const search_way straight = {s->nodes[parent].g + ops->cost(s->space, parent, edge->to),
                                 parent};
    // Where prices differ the straight line may cost more.
    if (straight.g >= along.g || (search_is_open(s, n) && straight.g >= n->g)) {
        return along;
    }
    s->space->sight_checks++;
    return ops->sees(s->space, parent, edge->to) ? straight : along;
}

static const search_rule theta = {
    .is_any_angle = true, .is_guided = true, .rank = search_rank_by_sum, .reach = theta_reach};

static oct_result theta_cells(search *s)
{
    return search_run(&cells_ops, &theta, s);
}

static oct_result theta_dual(search *s)
{
    return search_run(&dual_ops, &theta, s);
}

static oct_result theta_corner(search *s)
{
    return search_run(&corner_ops, &theta, s);
}

static oct_result theta_lattice(search *s)
{
    return search_run(&lattice_ops, &theta, s);
}

static oct_result theta_user(search *s)
{
    return search_run(&user_ops, &theta, s);
}

const search_algorithm oct_search_theta = {.name = "theta",
                                           .run = {[SPACE_CELLS] = theta_cells,
                                                   [SPACE_DUAL] = theta_dual,
                                                   [SPACE_CORNER] = theta_corner,
                                                   [SPACE_PROGRESSIVE_DUAL] = theta_dual,
                                                   [SPACE_PROGRESSIVE_CORNER] = theta_corner,
                                                   [SPACE_LATTICE] = theta_lattice,
                                                   [SPACE_USER] = theta_user},
                                           .is_complete = true,
                                           .is_smooth = true,
                                           .is_any_angle = true};
