// SPDX-License-Identifier: MIT
// Draws which rooms of a flat map are connected, before and after one door is opened and another is
// closed, as an SVG picture on stdout. The picture in docs/engine/search.md is made by it.
#include "svg.h"
#include <octant/components.h>
#include <octant/tree.h>

#include <octant/components.h>

// A component has the colour of the first digit in it.
static const char *const house[] = {
    "########################################", //
    "#..........#...............#...........#", //
    "#..........#...............#...........#", //
    "#..........#......###......#...........#", //
    "#..........#......#2#......#.....3.....#", //
    "#..........#......###......#...........#", //
    "#..........................#...........#", //
    "#..........................#...........#", //
    "#..........#...............#...........#", //
    "#..........#...............#...........#", //
    "######..####################...........#", //
    "#..........................#############", //
    "#..1..............................7....#", //
    "#......................................#", //
    "#..........................#...........#", //
    "#############..#################..######", //
    "#...........#..#...#.......#...........#", //
    "#...........#..#...#.......#...........#", //
    "#...........#..#...#.......#...........#", //
    "#.....4.....#..#...#...6...#...........#", //
    "#...........####...#.......#...........#", //
    "#...........#....5.#.......#...........#", //
    "#...........#......#.......#...........#", //
    "########################################", //
};
#define HEIGHT (int)(sizeof house / sizeof house[0])

static const oct_box opened = {{27, 16, 0}, {28, 18, 1}};
static const oct_box closed = {{27, 10, 0}, {28, 12, 1}};

typedef struct rooms {
    svg_map map;
    oct_components *components;
} rooms;

static bool draw_room(void *ctx, const oct_leaf *leaf)
{
    static const char *const fills[] = {"#f7d3b5", "#e9a3b0", "#bcd9f0", "#c9e3b8",
                                        "#f3e29c", "#dccbea", "#a9dcd3"};
    const rooms *const r = ctx;
    int first = 0;
    for (int y = 0; y < r->map.height; y++) {
        for (int x = 0; x < r->map.width; x++) {
            const int digit = house[HEIGHT - 1 - y][x] - '0';
            if (digit > 0 && digit < 8 && (first == 0 || digit < first) &&
                oct_components_joined(r->components, (oct_vec){x, y, 0},
                                      (oct_vec){leaf->x, leaf->y, 0})) {
                first = digit;
            }
        }
    }
    svg_rect(&r->map, leaf->x, leaf->y, 1 << leaf->level, 1 << leaf->level,
             first ? fills[first - 1] : "#ffffff");
    return true;
}

static void draw_door(const svg_map *map, const oct_box *door, const char *text)
{
    const double x = svg_x(map, door->min.x + 0.5), y = svg_y(map, door->min.y + 1.0);
    printf("<circle cx='%g' cy='%g' r='20' fill='none' stroke='#d1495b' stroke-width='3'/>\n", x,
           y);
    printf("<text x='%g' y='%g' fill='#b0303f'>%s</text>\n", x + 27, y + 6, text);
}

static void draw_rooms(rooms *r)
{
    printf("<g stroke='#ffffff' stroke-opacity='0.6'>\n");
    oct_tree_leaves(r->map.tree, svg_cells(&r->map), OCT_HAS_OPEN, draw_room, r);
    printf("</g>\n<g stroke='#2f4858'>\n");
    svg_leaves(&r->map, OCT_HAS_BLOCKED);
    printf("</g>\n");
}

int main(void)
{
    rooms r = {svg_read(house, HEIGHT, 12), NULL};
    oct_components_def def = oct_components_def_default();
    def.tree = r.map.tree;
    if (oct_components_create(&def, &r.components) != OCT_OK) {
        return 1;
    }
    const int width = r.map.width * r.map.scale, height = r.map.height * r.map.scale;
    svg_begin(3 * SVG_GAP + 2 * width, SVG_ABOVE + height + SVG_BELOW);
    svg_enter(SVG_GAP, SVG_ABOVE);
    svg_title("Before");
    draw_rooms(&r);
    svg_note(&r.map, "%d components", (int)oct_components_measure(r.components).count);
    svg_leave();

    if (oct_tree_set_box(r.map.tree, opened, OCT_MARK_OPEN) != OCT_OK ||
        oct_tree_set_box(r.map.tree, closed, OCT_MARK_BLOCKED) != OCT_OK ||
        oct_components_update(r.components) != OCT_OK) {
        return 1;
    }
    svg_enter(2 * SVG_GAP + width, SVG_ABOVE);
    svg_title("After");
    draw_rooms(&r);
    draw_door(&r.map, &opened, "opened");
    draw_door(&r.map, &closed, "closed");
    svg_note(&r.map, "%d components: two are joined, one is cut",
             (int)oct_components_measure(r.components).count);
    svg_leave();
    svg_end();
    oct_components_destroy(r.components);
    oct_tree_destroy(r.map.tree);
    return 0;
}
