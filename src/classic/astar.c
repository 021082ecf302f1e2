// SPDX-License-Identifier: MIT
// A* (Hart, Nilsson and Raphael 1968), with and without smoothing, and Dijkstra's algorithm, which
// is A* without an estimate.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "flat/lattice.h"
#include "flat/visibility.h"
#include "search/search_core.h"
#include "search/user.h"

static const search_rule astar = {.is_along_edges = true,
                                  .is_guided = true,
                                  .rank = search_rank_by_sum,
                                  .reach = search_reach_by_edge};
static const search_rule dijkstra = {
    .is_along_edges = true, .rank = search_rank_by_sum, .reach = search_reach_by_edge};

static oct_result astar_cells(search *s)
{
    return search_run(&cells_ops, &astar, s);
}

static oct_result astar_dual(search *s)
{
    return search_run(&dual_ops, &astar, s);
}

static oct_result astar_corner(search *s)
{
    return search_run(&corner_ops, &astar, s);
}

static oct_result astar_lattice(search *s)
{
    return search_run(&lattice_ops, &astar, s);
}

static oct_result astar_user(search *s)
{
    return search_run(&user_ops, &astar, s);
}

static oct_result astar_visibility(search *s)
{
    return search_run(&visibility_ops, &astar, s);
}

static oct_result astar_cells_aim(search *s)
{
    return search_aim(&cells_ops, &astar, s);
}

static oct_result astar_dual_aim(search *s)
{
    return search_aim(&dual_ops, &astar, s);
}

static oct_result astar_corner_aim(search *s)
{
    return search_aim(&corner_ops, &astar, s);
}

static oct_result astar_lattice_aim(search *s)
{
    return search_aim(&lattice_ops, &astar, s);
}

static oct_result dijkstra_cells(search *s)
{
    return search_run(&cells_ops, &dijkstra, s);
}

static oct_result dijkstra_dual(search *s)
{
    return search_run(&dual_ops, &dijkstra, s);
}

static oct_result dijkstra_corner(search *s)
{
    return search_run(&corner_ops, &dijkstra, s);
}

static oct_result dijkstra_lattice(search *s)
{
    return search_run(&lattice_ops, &dijkstra, s);
}

static oct_result dijkstra_user(search *s)
{
    return search_run(&user_ops, &dijkstra, s);
}

static oct_result dijkstra_visibility(search *s)
{
    return search_run(&visibility_ops, &dijkstra, s);
}

static oct_result dijkstra_cells_aim(search *s)
{
    return search_aim(&cells_ops, &dijkstra, s);
}

static oct_result dijkstra_dual_aim(search *s)
{
    return search_aim(&dual_ops, &dijkstra, s);
}

static oct_result dijkstra_corner_aim(search *s)
{
    return search_aim(&corner_ops, &dijkstra, s);
}

static oct_result dijkstra_lattice_aim(search *s)
{
    return search_aim(&lattice_ops, &dijkstra, s);
}

const search_algorithm oct_search_dijkstra = {
    .name = "dijkstra",
    .run = {dijkstra_cells, dijkstra_dual, dijkstra_corner, dijkstra_user,
            [SPACE_LATTICE] = dijkstra_lattice, [SPACE_VISIBILITY] = dijkstra_visibility},
    .aim = {dijkstra_cells_aim, dijkstra_dual_aim,
            dijkstra_corner_aim, [SPACE_LATTICE] = dijkstra_lattice_aim},
    .is_complete = true};

const search_algorithm oct_search_astar = {
    .name = "astar",
    .run = {astar_cells, astar_dual, astar_corner,
            astar_user, [SPACE_LATTICE] = astar_lattice, [SPACE_VISIBILITY] = astar_visibility},
    .aim = {astar_cells_aim, astar_dual_aim, astar_corner_aim, [SPACE_LATTICE] = astar_lattice_aim},
    .is_complete = true};

// Which of several cheapest paths is found depends on what was searched before, and so does what
// smoothing makes of it: it does not go on to further goals.
const search_algorithm oct_search_astar_smooth = {
    .name = "astar-smooth",
    .run = {astar_cells, astar_dual, astar_corner, astar_user, [SPACE_LATTICE] = astar_lattice},
    .is_complete = true,
    .is_smooth = true};
