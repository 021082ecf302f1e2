// SPDX-License-Identifier: MIT
// The quadtree demo: a player among walls, what it has seen of them, and its way to a goal.
#ifndef OCTANT_CLI_VIEW_QUADTREE_H
#define OCTANT_CLI_VIEW_QUADTREE_H

#include "cli/cli_internal.h"
#include "octant/map.h"

#define VIEW_WALLS_MAX 2000

typedef struct view_quadtree {
    oct_map *map; // what was seen
    oct_planner *planner;
    oct_thing *walls; // all there are, malloc's
    size_t wall_count;
    uint64_t next_id;
    oct_point player, goal;
} view_quadtree;

// Begins one with a few walls. Complains where it fails; it is to be closed in any case.
int oct_cli_quadtree_begin(view_quadtree *demo);
void oct_cli_quadtree_close(view_quadtree *demo);

#endif
