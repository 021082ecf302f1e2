// SPDX-License-Identifier: MIT
// A* (Hart, Nilsson and Raphael 1968), with and without smoothing, and Dijkstra's algorithm, which
// is A* without an estimate.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "classic/lattice.h"
#include "classic/search_aim.h"
#include "flat/visibility.h"
#include "search/rules.h"

static oct_result astar_cells(search *s)
{
    return search_run(&cells_ops, &astar_rule, s);
}

static oct_result astar_dual(search *s)
{
    return search_run(&dual_ops, &astar_rule, s);
}

static oct_result astar_corner(search *s)
{
    return search_run(&corner_ops, &astar_rule, s);
}

static oct_result astar_lattice(search *s)
{
    return search_run(&lattice_ops, &astar_rule, s);
}

static oct_result astar_visibility(search *s)
{
    return search_run(&visibility_ops, &astar_rule, s);
}

static oct_result astar_cells_aim(search *s)
{
    return search_aim(&cells_ops, &astar_rule, s);
}

static oct_result astar_dual_aim(search *s)
{
    return search_aim(&dual_ops, &astar_rule, s);
}

static oct_result astar_corner_aim(search *s)
{
    return search_aim(&corner_ops, &astar_rule, s);
}

static oct_result astar_lattice_aim(search *s)
{
    return search_aim(&lattice_ops, &astar_rule, s);
}

static oct_result dijkstra_cells(search *s)
{
    return search_run(&cells_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_dual(search *s)
{
    return search_run(&dual_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_corner(search *s)
{
    return search_run(&corner_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_lattice(search *s)
{
    return search_run(&lattice_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_visibility(search *s)
{
    return search_run(&visibility_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_cells_aim(search *s)
{
    return search_aim(&cells_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_dual_aim(search *s)
{
    return search_aim(&dual_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_corner_aim(search *s)
{
    return search_aim(&corner_ops, &dijkstra_rule, s);
}

static oct_result dijkstra_lattice_aim(search *s)
{
    return search_aim(&lattice_ops, &dijkstra_rule, s);
}

const search_algorithm oct_search_dijkstra = {
    .name = "dijkstra",
    .run = {[SPACE_CELLS] = dijkstra_cells,
            [SPACE_DUAL] = dijkstra_dual,
            [SPACE_CORNER] = dijkstra_corner,
            [SPACE_PROGRESSIVE_DUAL] = dijkstra_dual,
            [SPACE_PROGRESSIVE_CORNER] = dijkstra_corner,
            [SPACE_LATTICE] = dijkstra_lattice,
            [SPACE_VISIBILITY] = dijkstra_visibility,
            [SPACE_VISIBILITY_ALL] = dijkstra_visibility,
            [SPACE_USER] = oct_user_run_dijkstra},
    .aim = {[SPACE_CELLS] = dijkstra_cells_aim,
            [SPACE_DUAL] = dijkstra_dual_aim,
            [SPACE_CORNER] = dijkstra_corner_aim,
            [SPACE_PROGRESSIVE_DUAL] = dijkstra_dual_aim,
            [SPACE_PROGRESSIVE_CORNER] = dijkstra_corner_aim,
            [SPACE_LATTICE] = dijkstra_lattice_aim},
    .is_complete = true};

const search_algorithm oct_search_astar = {.name = "astar",
                                           .run = {[SPACE_CELLS] = astar_cells,
                                                   [SPACE_DUAL] = astar_dual,
                                                   [SPACE_CORNER] = astar_corner,
                                                   [SPACE_PROGRESSIVE_DUAL] = astar_dual,
                                                   [SPACE_PROGRESSIVE_CORNER] = astar_corner,
                                                   [SPACE_LATTICE] = astar_lattice,
                                                   [SPACE_VISIBILITY] = astar_visibility,
                                                   [SPACE_VISIBILITY_ALL] = astar_visibility,
                                                   [SPACE_USER] = oct_user_run_astar},
                                           .aim = {[SPACE_CELLS] = astar_cells_aim,
                                                   [SPACE_DUAL] = astar_dual_aim,
                                                   [SPACE_CORNER] = astar_corner_aim,
                                                   [SPACE_PROGRESSIVE_DUAL] = astar_dual_aim,
                                                   [SPACE_PROGRESSIVE_CORNER] = astar_corner_aim,
                                                   [SPACE_LATTICE] = astar_lattice_aim},
                                           .is_complete = true};

// Which of several cheapest paths is found depends on what was searched before, and so does what
// smoothing makes of it: it does not go on to further goals.
const search_algorithm oct_search_astar_smooth = {.name = "astar-smooth",
                                                  .run = {[SPACE_CELLS] = astar_cells,
                                                          [SPACE_DUAL] = astar_dual,
                                                          [SPACE_CORNER] = astar_corner,
                                                          [SPACE_PROGRESSIVE_DUAL] = astar_dual,
                                                          [SPACE_PROGRESSIVE_CORNER] = astar_corner,
                                                          [SPACE_LATTICE] = astar_lattice,
                                                          [SPACE_USER] = oct_user_run_astar},
                                                  .is_complete = true,
                                                  .is_smooth = true};
