// SPDX-License-Identifier: MIT
// Draws how a body explores a house that it has never seen, as an SVG picture on stdout: after the
// first look, on the way, and at the end. The picture in docs/engine/exploration.md is made by it.
#include "svg.h"
#include <octant/names.h>
#include <octant/tree.h>

#define CELL 0.25  // metres
#define CELLS 72   // of a picture's edge
#define PIXELS 6   // a cell
#define RADIUS 6.0 // metres
#define BODY 0.5   // extent, metres
#define STEPS_MAX 200

// Left, lower, right and upper side, metres.
static const double walls[][4] = {
    {1, 1, 17, 1.5},      {1, 16.5, 17, 17},      {1, 1.5, 1.5, 16.5},     {16.5, 1.5, 17, 16.5},
    {1.5, 6, 4, 6.5},     {5.5, 6, 8, 6.5},       {8, 1.5, 8.5, 3.5},      {8, 5, 8.5, 11},
    {8.5, 11, 11, 11.5},  {12.5, 11, 16.5, 11.5}, {1.5, 11.5, 6.5, 12},    {6.5, 11.5, 7, 14},
    {11, 6, 14.5, 6.5},   {14, 6.5, 14.5, 8.5},   {3, 3, 4, 3.75},         {11, 3, 13, 3.5},
    {10.5, 13, 12, 14.5}, {13.5, 13.5, 14, 16.5}, {14, 13.5, 15.5, 13.75}, {3, 8.5, 5, 9},
};
#define COUNT (sizeof walls / sizeof walls[0])

typedef struct tour {
    oct_map *map;
    oct_explorer *explorer;
    oct_thing things[COUNT];
    oct_point way[STEPS_MAX];
    int turns;
    oct_exploration next;
} tour;

// Looks around, tells the explorer so, and asks where to go.
static void look(tour *t)
{
    const oct_point here = t->way[t->turns];
    const oct_view view = {.centre = here, .radius = RADIUS};
    if (oct_map_observe(t->map, &view, t->things, COUNT, NULL) != OCT_OK ||
        oct_explorer_arrive(t->explorer, here) != OCT_OK ||
        oct_explorer_next(t->explorer, here, &t->next) != OCT_OK) {
        exit(1);
    }
}

// Goes there, and looks again; false at the end.
static bool go(tour *t)
{
    if (t->next.status != OCT_EXPLORE_GO) {
        return false;
    }
    for (uint32_t i = 1; i < t->next.path.point_count && t->turns + 1 < STEPS_MAX; i++) {
        t->way[++t->turns] = t->next.path.points[i];
    }
    look(t);
    return true;
}

static bool draw_frontier(void *ctx, const oct_box *cells)
{
    svg_rect(ctx, cells->min.x, cells->min.y, cells->max.x - cells->min.x,
             cells->max.y - cells->min.y, "#e07a3f");
    return true;
}

static void draw_way(const svg_map *svg, const oct_point *points, uint32_t count,
                     const char *stroke)
{
    printf("<polyline fill='none' stroke='%s' stroke-width='3' stroke-linejoin='round' points='",
           stroke);
    for (uint32_t i = 0; i < count; i++) {
        printf("%.1f,%.1f ", svg_x(svg, points[i].x / CELL), svg_y(svg, points[i].y / CELL));
    }
    printf("'/>\n");
}

static void draw(const tour *t, const char *title)
{
    svg_map svg = {NULL, CELLS, CELLS, PIXELS};
    svg_rect(&svg, 0, 0, CELLS, CELLS, "#e8e2d0");
    oct_tree_leaves(oct_map_tree(t->map), svg_cells(&svg), OCT_HAS_OPEN | OCT_HAS_BLOCKED, svg_leaf,
                    &svg);
    oct_explorer_visit_frontier(t->explorer, NULL, draw_frontier, &svg);
    draw_way(&svg, t->way, (uint32_t)t->turns + 1, "#d1495b");
    if (t->next.status == OCT_EXPLORE_GO) {
        draw_way(&svg, t->next.path.points, t->next.path.point_count, "#2274a5");
    }
    printf("<circle cx='%.1f' cy='%.1f' r='6' fill='#d1495b'/>\n",
           svg_x(&svg, t->way[t->turns].x / CELL), svg_y(&svg, t->way[t->turns].y / CELL));
    svg_title(title);
    svg_note(&svg, "%s: %s", oct_explore_status_name(t->next.status),
             oct_explore_why_name(t->next.why));
}

static void start(tour *t)
{
    oct_map_def def = oct_map_def_default();
    def.dims = 2;
    def.cell_size = CELL;
    def.padding = oct_body_padding(oct_body_ball(BODY / 2), OCT_PADDING_WHOLE, CELL);
    if (oct_map_create(&def, &t->map) != OCT_OK) {
        exit(1);
    }
    oct_explorer_def explorer = oct_explorer_def_default();
    explorer.map = t->map;
    explorer.radius = RADIUS;
    if (oct_explorer_create(&explorer, &t->explorer) != OCT_OK) {
        exit(1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        const double *const w = walls[i];
        t->things[i] = (oct_thing){
            .id = i, .box = {{w[0], w[1], 0}, {w[2], w[3], 0}}, .label = OCT_BLOCKED, .opaque = 1};
    }
    t->way[0] = (oct_point){4.5, 4.6, 0};
    look(t);
}

int main(void)
{
    static tour t;
    const int edge = CELLS * PIXELS;
    start(&t);
    svg_begin(3 * edge + 4 * SVG_GAP, edge + SVG_ABOVE + SVG_BELOW);
    svg_enter(SVG_GAP, SVG_ABOVE);
    draw(&t, "After the first look");
    svg_leave();
    for (int i = 0; i < 4; i++) {
        go(&t);
    }
    svg_enter(edge + 2 * SVG_GAP, SVG_ABOVE);
    draw(&t, "After four more");
    svg_leave();
    int looks = 5;
    while (go(&t)) {
        looks++;
    }
    char title[64];
    snprintf(title, sizeof title, "The end, after %d looks", looks);
    svg_enter(2 * edge + 3 * SVG_GAP, SVG_ABOVE);
    draw(&t, title);
    svg_leave();
    svg_end();
    oct_explorer_destroy(t.explorer);
    oct_map_destroy(t.map);
    return 0;
}
