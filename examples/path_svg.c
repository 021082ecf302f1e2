// SPDX-License-Identifier: MIT
// Draws a flat map, what a search of its corners expanded, and three paths from one corner to the
// other, as an SVG picture on stdout. The picture in the README is made by it.
#include "svg.h"
#include <octant/tree.h>

#include <octant/generate.h>
#include <octant/lab.h>

#define EDGE 64  // cells of the world
#define SCALE 10 // pixels a cell

int main(void)
{
    oct_generate_def world = oct_generate_def_default();
    world.kind = OCT_GENERATE_CLUSTERS;
    world.size = EDGE;
    world.dims = 2;
    world.fill = 0.3;
    world.seed = 2;
    const oct_tree_def def = oct_tree_def_default();
    svg_map map = {NULL, EDGE, EDGE, SCALE};
    oct_planner_def planner_def = oct_planner_def_default();
    oct_planner *planner;
    if (oct_tree_generate(&world, &def, &map.tree, NULL) != OCT_OK) {
        return 1;
    }
    planner_def.tree = map.tree;
    planner_def.lab = oct_lab();
    if (oct_planner_create(&planner_def, &planner) != OCT_OK) {
        return 1;
    }
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' stroke='#b9c4c9' "
           "stroke-width='0.4'>\n",
           EDGE * SCALE, EDGE * SCALE);
    svg_leaves(&map, OCT_HAS_ANY);

    static const struct {
        oct_lab_graph graph;
        oct_lab_algorithm algorithm;
        const char *colour;
    } searches[] = {
        {OCT_LAB_GRAPH_CORNER, OCT_LAB_LAZY_THETA, "#2a7ab9"},
        {OCT_LAB_GRAPH_CELLS, OCT_LAB_ASTAR, "#7a4b9d"},
        {OCT_LAB_GRAPH_DUAL, OCT_LAB_ASTAR, "#3c9d5a"},
    };
    for (int i = 2; i >= 0; i--) {
        oct_query query = oct_query_default();
        query.from = (oct_point){4.5, 4.5, 0.0};
        query.to = (oct_point){EDGE - 4.5, EDGE - 4.5, 0.0};
        oct_lab_query lab = oct_lab_query_default();
        lab.graph = searches[i].graph;
        lab.algorithm = searches[i].algorithm;
        query.lab = &lab;
        query.record = i == 0;
        oct_path path;
        if (oct_planner_plan(planner, &query, &path) != OCT_OK || path.status != OCT_PATH_FOUND) {
            return 1;
        }
        svg_records(&map, &path, 2.6);
        svg_path(&map, &path, searches[i].colour);
    }
    svg_end();
    oct_planner_destroy(planner);
    oct_tree_destroy(map.tree);
    return 0;
}
