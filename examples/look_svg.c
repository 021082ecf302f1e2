// SPDX-License-Identifier: MIT
// Draws what an agent knows of a house after one look around, as an SVG picture on stdout: walls
// that hide, a window that does not, things of which one side was seen, and what stays unknown.
// The picture in docs/engine/things.md is made by it.
#include <octant/octant.h>
#include <octant/tree.h>

#include <stdio.h>

#define CELL 0.125 // metres
#define PIXELS 5   // a cell
#define CELLS 144  // of the picture's edge
#define RADIUS 6.0 // metres
#define BODY 0.5   // extent, metres

// Left, lower, right and upper side, metres; whether it is glass.
static const struct {
    double x0, y0, x1, y1;
    bool glass;
} blocks[] = {
    // outer walls
    {2, 2, 16, 2.5, false},
    {2, 15.5, 16, 16, false},
    {2, 2.5, 2.5, 15.5, false},
    {15.5, 2.5, 16, 15.5, false},
    // a wall with a window and a door, and one with a door
    {8.5, 2.5, 9, 4, false},
    {8.5, 4, 9, 6, true},
    {8.5, 6, 9, 7.5, false},
    {8.5, 9, 9, 15.5, false},
    {2.5, 9.5, 5, 10, false},
    {6.5, 9.5, 8.5, 10, false},
    // what stands around
    {4, 5, 4.75, 5.75, false},
    {11, 7, 11.75, 7.75, false},
    {11, 12, 13, 12.75, false},
};
#define COUNT (sizeof blocks / sizeof blocks[0])

static bool draw_leaf(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    static const char *const fills[] = {"#e8e2d0", "#ffffff", "#9fb3bd"};
    const int size = PIXELS << leaf->level;
    printf("<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>\n", leaf->x * PIXELS,
           (CELLS - leaf->y) * PIXELS - size, size, size, fills[leaf->label]);
    return true;
}

static void draw_block(size_t i, bool known)
{
    const double scale = PIXELS / CELL;
    printf("<rect x='%g' y='%g' width='%g' height='%g' fill='%s' stroke='%s'/>\n",
           blocks[i].x0 * scale, CELLS * PIXELS - blocks[i].y1 * scale,
           (blocks[i].x1 - blocks[i].x0) * scale, (blocks[i].y1 - blocks[i].y0) * scale,
           !known            ? "none"
           : blocks[i].glass ? "#7fc8e8"
                             : "#2f4858",
           known ? "none" : "#b0a890");
}

int main(void)
{
    oct_map_def def = oct_map_def_default();
    def.dims = 2;
    def.cell_size = CELL;
    def.padding = oct_body_padding(oct_body_ball(BODY / 2), OCT_PADDING_WHOLE, CELL);
    oct_map *map;
    if (oct_map_create(&def, &map) != OCT_OK) {
        return 1;
    }
    oct_thing things[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        things[i] = (oct_thing){
            .id = i,
            .box = {{blocks[i].x0, blocks[i].y0, 0}, {blocks[i].x1, blocks[i].y1, 0}},
            .label = OCT_BLOCKED,
            .opaque = !blocks[i].glass,
        };
    }
    const oct_view view = {.centre = {6.2, 7.6, 0}, .radius = RADIUS};
    if (oct_map_observe(map, &view, things, COUNT, NULL) != OCT_OK) {
        return 1;
    }
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' stroke='#d5dbde' "
           "stroke-width='0.4'>\n<rect width='100%%' height='100%%' fill='#e8e2d0'/>\n",
           CELLS * PIXELS, CELLS * PIXELS);
    const oct_box all = {{0, 0, 0}, {CELLS, CELLS, 1}};
    oct_tree_leaves(oct_map_tree(map), all, OCT_HAS_OPEN | OCT_HAS_BLOCKED, draw_leaf, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        oct_thing known;
        draw_block(i, oct_map_thing(map, i, &known));
    }
    const double scale = PIXELS / CELL;
    printf("<circle cx='%g' cy='%g' r='%g' fill='#d1495b' stroke='none'/>\n<circle cx='%g' "
           "cy='%g' r='%g' fill='none' stroke='#d1495b' stroke-width='1.5'/>\n</svg>\n",
           view.centre.x * scale, CELLS * PIXELS - view.centre.y * scale, BODY / 2 * scale,
           view.centre.x * scale, CELLS * PIXELS - view.centre.y * scale, RADIUS * scale);
    oct_map_destroy(map);
    return 0;
}
