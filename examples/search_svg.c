// SPDX-License-Identifier: MIT
// Draws how the portal search sees a flat map and what becomes of its paths, as SVG pictures on
// stdout: `search_svg NAME` the one of that name, `search_svg` all of them. The pictures in
// docs/engine/search.md are made by it.
#include "svg.h"
#include <octant/tree.h>

#include <octant/lab.h>

static const char *const valley[] = {
    "................................", //
    "................................", //
    "....................##..........", //
    "....................##..........", //
    "....................##..........", //
    "......##............##..........", //
    "......##............##..........", //
    "....................##..........", //
    "....................##.....#....", //
    "....................##....###...", //
    "....................##.....#....", //
    "....................##..........", //
    ".............#......##..........", //
    "....................##..........", //
    "....................##..........", //
    "................................", //
    "................................", //
    "................................", //
    "..........##....................", //
    "..........##..........###.......", //
    "..........##..........###.......", //
    "..........##....................", //
    "....#.....##....................", //
    "..........##....................", //
    "..........##....................", //
    "..........##..............##....", //
    "..........##..............##....", //
    "..........##....................", //
    "..........##....................", //
    "..........##....................", //
    "................................", //
    "................................", //
};
#define VALLEY_HEIGHT (int)(sizeof valley / sizeof valley[0])

static const char *const hills[] = {
    "........................................", //
    "..................##...............###..", //
    "................######............#####.", //
    ".............#..######.............###..", //
    "................######..................", //
    "..................##....................", //
    "........................................", //
    ".........#..............................", //
    ".......#####................#####.......", //
    "......#######..............#######......", //
    ".....#########....####....#########.....", //
    ".....#########...######...#########.....", //
    ".....#########...######...#########.....", //
    ".....#########...######....#######......", //
    "......#######...########....#####.......", //
    ".......#####....########................", //
    ".................######.................", //
    ".................######....##...........", //
    ".................######....#.....####...", //
    "..................####..........######..", //
    "................................######..", //
    ".................................####...", //
    "........................................", //
    "........................................", //
};
#define HILLS_HEIGHT (int)(sizeof hills / sizeof hills[0])

// A planner for a map, and a path; without either the program ends.
static oct_planner *planner_for(const svg_map *map)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = map->tree;
    def.lab = oct_lab();
    oct_planner *planner;
    if (oct_planner_create(&def, &planner) != OCT_OK) {
        exit(1);
    }
    return planner;
}

static oct_path plan(oct_planner *planner, const oct_query *query)
{
    oct_path path;
    if (oct_planner_plan(planner, query, &path) != OCT_OK || path.status != OCT_PATH_FOUND) {
        exit(1);
    }
    return path;
}

// Draws leaves: lines between those that are OPEN, none between those that are BLOCKED.
static void draw_leaves(svg_map *map, oct_labels labels)
{
    printf("<g stroke='#b4c1c8'>\n");
    svg_leaves(map, labels & OCT_HAS_OPEN);
    printf("</g>\n<g stroke='#2f4858'>\n");
    svg_leaves(map, labels & OCT_HAS_BLOCKED);
    printf("</g>\n");
}

// ---- boxes ----

// Draws the boxes of a page, 8 x 8 sub-nodes of `edge` cells from x0, y0 on, and of the pages below
// it; returns how many there are. The rule is that of src/search/boxes.c, where a page is 64 bits.
static int draw_boxes(const svg_map *map, int x0, int y0, int edge, const char *fill)
{
    bool is_left[8][8] = {{false}};
    int count = 0;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++) {
            const oct_vec min = {x0 + x * edge, y0 + y * edge, 0};
            const oct_box cells = {min, {min.x + edge, min.y + edge, 1}};
            const oct_labels labels = oct_tree_labels_in(map->tree, cells);
            is_left[y][x] = labels == OCT_HAS_OPEN;
            if (labels & OCT_HAS_OPEN && !is_left[y][x]) {
                count += draw_boxes(map, min.x, min.y, edge / 8, "#ffffff");
            }
        }
    }
    for (int i = 0; i < 64; i++) { // in Morton order
        const int x = (i & 1) | (i >> 1 & 2) | (i >> 2 & 4);
        const int y = (i >> 1 & 1) | (i >> 2 & 2) | (i >> 3 & 4);
        int width = 0, height = 0;
        while (x + width < 8 && is_left[y][x + width]) {
            width++;
        }
        while (width > 0 && y + height < 8 && !memchr(&is_left[y + height][x], 0, (size_t)width)) {
            memset(&is_left[y + height++][x], 0, (size_t)width);
        }
        if (width > 0) {
            svg_rect(map, x0 + x * edge, y0 + y * edge, width * edge, height * edge, fill);
            count++;
        }
    }
    return count;
}

static bool count_leaf(void *ctx, const oct_leaf *leaf)
{
    (void)leaf;
    ++*(int *)ctx;
    return true;
}

// ---- pictures ----

static void draw_portal_boxes(void)
{
    svg_map map = svg_read(hills, HILLS_HEIGHT, 12);
    const int width = map.width * map.scale, height = map.height * map.scale;
    int leaves = 0;
    oct_tree_leaves(map.tree, svg_cells(&map), OCT_HAS_OPEN, count_leaf, &leaves);
    svg_begin(3 * SVG_GAP + 2 * width, SVG_ABOVE + height + SVG_BELOW);
    for (int i = 0; i < 2; i++) {
        svg_enter(SVG_GAP + i * (width + SVG_GAP), SVG_ABOVE);
        svg_title(i == 0 ? "Leaves" : "Boxes");
        if (i == 0) {
            draw_leaves(&map, OCT_HAS_ANY);
            svg_note(&map, "%d free leaves", leaves);
        } else {
            printf("<g stroke='#8fa3ad'>\n");
            const int boxes = draw_boxes(&map, 0, 0, 8, "#e3f0e6");
            printf("</g>\n");
            draw_leaves(&map, OCT_HAS_BLOCKED);
            svg_note(&map, "%d free boxes; tinted: those of the page above", boxes);
        }
        svg_leave();
    }
    svg_end();
    oct_tree_destroy(map.tree);
}

static void draw_portal_entries(void)
{
    static const struct {
        oct_lab_graph graph;
        oct_lab_algorithm algorithm;
        const char *title, *nodes;
    } searches[] = {
        {OCT_LAB_GRAPH_DUAL, OCT_LAB_LAZY_THETA, "Middles of leaves: Lazy Theta*", "leaves"},
        {OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL, "Entries of boxes: portal search", "entries"},
    };
    svg_map map = svg_read(valley, VALLEY_HEIGHT, 15);
    oct_planner *const planner = planner_for(&map);
    const int width = map.width * map.scale, height = map.height * map.scale;
    svg_begin(3 * SVG_GAP + 2 * width, SVG_ABOVE + height + SVG_BELOW);
    for (int i = 0; i < 2; i++) {
        oct_query query = oct_query_default();
        query.from = (oct_point){3.5, 5.5, 0.0};
        query.to = (oct_point){28.5, 28.5, 0.0};
        oct_lab_query lab = oct_lab_query_default();
        lab.graph = searches[i].graph;
        lab.algorithm = searches[i].algorithm;
        query.lab = &lab;
        query.record = true;
        const oct_path path = plan(planner, &query);
        svg_enter(SVG_GAP + i * (width + SVG_GAP), SVG_ABOVE);
        svg_title(searches[i].title);
        if (i == 1) {
            printf("<g stroke='#b4c1c8'>\n");
            draw_boxes(&map, 0, 0, 8, "#ffffff");
            printf("</g>\n");
        }
        draw_leaves(&map, i == 0 ? OCT_HAS_ANY : OCT_HAS_BLOCKED);
        svg_parents(&map, &path);
        svg_records(&map, &path, 4.5);
        svg_path(&map, &path, "#2a7ab9");
        svg_points(&map, &path, "#2a7ab9");
        svg_note(&map, "length %.2f; %d %s expanded", path.length, (int)path.expanded,
                 searches[i].nodes);
        svg_leave();
    }
    svg_end();
    oct_planner_destroy(planner);
    oct_tree_destroy(map.tree);
}

static void draw_taut(void)
{
    static const struct {
        oct_lab_algorithm algorithm;
        oct_taut taut;
        const char *colour, *name;
    } paths[] = {
        {OCT_LAB_ASTAR, OCT_TAUT_NO, "#8a5fb0", "A* on cells"},
        {OCT_LAB_ASTAR_SMOOTH, OCT_TAUT_NO, "#2a7ab9", "smoothed"},
        {OCT_LAB_ASTAR, OCT_TAUT_YES, "#e0662a", "pulled taut"},
    };
    svg_map map = svg_read(hills, HILLS_HEIGHT, 24);
    oct_planner *const planner = planner_for(&map);
    const int width = map.width * map.scale, height = map.height * map.scale;
    svg_begin(2 * SVG_GAP + width, SVG_GAP + height + SVG_BELOW);
    svg_enter(SVG_GAP, SVG_GAP);
    printf("<pattern id='cells' width='%d' height='%d' patternUnits='userSpaceOnUse'>"
           "<path d='M0 0H%dM0 0V%d' stroke='#d5dde1'/></pattern>\n"
           "<rect width='%d' height='%d' fill='url(#cells)' stroke='#8fa3ad'/>\n",
           map.scale, map.scale, map.scale, map.scale, width, height);
    draw_leaves(&map, OCT_HAS_BLOCKED);
    for (int i = 0; i < 3; i++) {
        oct_query query = oct_query_default();
        query.from = (oct_point){1.5, 14.5, 0.0};
        query.to = (oct_point){38.5, 4.5, 0.0};
        oct_lab_query lab = oct_lab_query_default();
        lab.graph = OCT_LAB_GRAPH_CELLS;
        lab.algorithm = paths[i].algorithm;
        query.lab = &lab;
        query.taut = paths[i].taut;
        const oct_path path = plan(planner, &query);
        svg_path(&map, &path, paths[i].colour);
        svg_points(&map, &path, paths[i].colour);
        const int x = i * 270;
        printf("<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='%s' stroke-width='4'/>\n", x,
               height + 22, x + 28, height + 22, paths[i].colour);
        printf("<text x='%d' y='%d'>%s: %.2f</text>\n", x + 38, height + 28, paths[i].name,
               path.length);
    }
    svg_leave();
    svg_end();
    oct_planner_destroy(planner);
    oct_tree_destroy(map.tree);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } pictures[] = {
        {"portal_boxes", draw_portal_boxes},
        {"portal_entries", draw_portal_entries},
        {"taut", draw_taut},
    };
    bool is_drawn = false;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        if (count < 2 || !strcmp(arguments[1], pictures[i].name)) {
            pictures[i].draw();
            is_drawn = true;
        }
    }
    return is_drawn ? 0 : 1;
}
