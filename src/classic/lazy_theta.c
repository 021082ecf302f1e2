// SPDX-License-Identifier: MIT
// Lazy Theta* (Nash, Koenig and Tovey 2010; He and Hung 2016, 3.4) over the graphs of maps; the
// rule is in search/rules.h.
#include "classic/cells.h"
#include "classic/corner.h"
#include "classic/dual.h"
#include "classic/lattice.h"
#include "search/rules.h"

static oct_result lazy_theta_cells(search *s)
{
    return search_run(&cells_ops, &lazy_theta_rule, s);
}

static oct_result lazy_theta_dual(search *s)
{
    return search_run(&dual_ops, &lazy_theta_rule, s);
}

static oct_result lazy_theta_corner(search *s)
{
    return search_run(&corner_ops, &lazy_theta_rule, s);
}

static oct_result lazy_theta_lattice(search *s)
{
    return search_run(&lattice_ops, &lazy_theta_rule, s);
}

const search_algorithm oct_search_lazy_theta = {
    .name = "lazy-theta",
    .run = {[SPACE_CELLS] = lazy_theta_cells,
            [SPACE_DUAL] = lazy_theta_dual,
            [SPACE_CORNER] = lazy_theta_corner,
            [SPACE_PROGRESSIVE_DUAL] = lazy_theta_dual,
            [SPACE_PROGRESSIVE_CORNER] = lazy_theta_corner,
            [SPACE_LATTICE] = lazy_theta_lattice,
            [SPACE_USER] = oct_user_run_lazy_theta},
    .is_complete = true,
    .is_smooth = true,
    .is_any_angle = true};
