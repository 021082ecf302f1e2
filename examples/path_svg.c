// SPDX-License-Identifier: MIT
// Draws a flat map, what a search of its corners expanded, and three paths from one corner to the
// other, as an SVG picture on stdout. The picture in the README is made by it.
#include <octant/octant.h>

#include <stdio.h>

#define EDGE 64  // cells of the world
#define SCALE 10 // pixels a cell

static double down(double y)
{
    return (EDGE - y) * SCALE;
}

static bool draw_leaf(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    static const char *const fills[] = {"#e8e2d0", "#ffffff", "#2f4858"};
    const int size = SCALE << leaf->level;
    printf("<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>\n", leaf->x * SCALE,
           (EDGE - leaf->y) * SCALE - size, size, size, fills[leaf->label]);
    return true;
}

// Nodes in the order in which they were expanded, from pale to strong.
static void draw_records(const oct_path *path)
{
    printf("<g stroke='none' fill='#e07a3f'>\n");
    for (uint32_t i = 0; i < path->record_count; i++) {
        const oct_fine at = path->records[i].at;
        printf("<circle cx='%.1f' cy='%.1f' r='2.6' opacity='%.2f'/>\n",
               (double)at.x / OCT_FINE * SCALE, down((double)at.y / OCT_FINE),
               0.3 + 0.7 * i / path->record_count);
    }
    printf("</g>\n");
}

static void draw_path(const oct_path *path, const char *colour)
{
    printf("<polyline fill='none' stroke='%s' stroke-width='3' points='", colour);
    for (uint32_t i = 0; i < path->point_count; i++) {
        printf("%.1f,%.1f ", path->points[i].x * SCALE, down(path->points[i].y));
    }
    printf("'/>\n");
}

int main(void)
{
    oct_generate_def world = oct_generate_def_default();
    world.kind = OCT_GENERATE_CLUSTERS;
    world.size = EDGE;
    world.dims = 2;
    world.fill = 0.3;
    world.seed = 2;
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *map;
    oct_map_info info;
    oct_planner_def planner_def = oct_planner_def_default();
    oct_planner *planner;
    if (oct_generate(&world, &def, &map, &info) != OCT_OK) {
        return 1;
    }
    planner_def.tree = map;
    if (oct_planner_create(&planner_def, &planner) != OCT_OK) {
        return 1;
    }
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' stroke='#b9c4c9' "
           "stroke-width='0.4'>\n",
           EDGE * SCALE, EDGE * SCALE);
    oct_tree_leaves(map, info.box, OCT_HAS_ANY, draw_leaf, NULL);

    static const struct {
        oct_graph graph;
        oct_algorithm algorithm;
        const char *colour;
    } searches[] = {
        {OCT_GRAPH_CORNER, OCT_ALGORITHM_LAZY_THETA, "#2a7ab9"},
        {OCT_GRAPH_CELLS, OCT_ALGORITHM_ASTAR, "#7a4b9d"},
        {OCT_GRAPH_DUAL, OCT_ALGORITHM_ASTAR, "#3c9d5a"},
    };
    for (int i = 2; i >= 0; i--) {
        oct_query query = oct_query_default();
        query.from = (oct_point){4.5, 4.5, 0.0};
        query.to = (oct_point){EDGE - 4.5, EDGE - 4.5, 0.0};
        query.graph = searches[i].graph;
        query.algorithm = searches[i].algorithm;
        query.record = i == 0;
        oct_path path;
        if (oct_plan(planner, &query, &path) != OCT_OK || path.status != OCT_STATUS_FOUND) {
            return 1;
        }
        draw_records(&path);
        draw_path(&path, searches[i].colour);
    }
    printf("</svg>\n");
    oct_planner_destroy(planner);
    oct_tree_destroy(map);
    return 0;
}
