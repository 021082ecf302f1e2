// SPDX-License-Identifier: MIT
// What the examples that draw paths share: flat maps, and what lies on them, as SVG on stdout.
#ifndef OCTANT_EXAMPLES_SVG_H
#define OCTANT_EXAMPLES_SVG_H

#include <octant/octant.h>
#include <octant/tree.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A map in a picture. Its y goes up, the picture's down.
typedef struct svg_map {
    oct_tree *tree;
    int width, height; // cells
    int scale;         // pixels a cell
} svg_map;

static inline double svg_x(const svg_map *map, double x)
{
    return x * map->scale;
}

static inline double svg_y(const svg_map *map, double y)
{
    return (map->height - y) * map->scale;
}

static inline oct_box svg_cells(const svg_map *map)
{
    return (oct_box){{0, 0, 0}, {map->width, map->height, 1}};
}

// A map from text, one character a cell, the top row first: '#' is BLOCKED, all else OPEN. Without
// memory the program ends.
static inline svg_map svg_read(const char *const *rows, int height, int scale)
{
    svg_map map = {NULL, (int)strlen(rows[0]), height, scale};
    oct_tree_def def = oct_tree_def_default();
    def.dims = 2;
    bool is_read = oct_tree_create(&def, &map.tree) == OCT_OK &&
                   oct_tree_set_box(map.tree, svg_cells(&map), OCT_MARK_OPEN) == OCT_OK;
    for (int y = 0; is_read && y < height; y++) {
        for (int x = 0; is_read && x < map.width; x++) {
            const oct_cell cell = {x, y, 0, 0};
            is_read = rows[height - 1 - y][x] != '#' ||
                      oct_tree_set(map.tree, cell, OCT_MARK_BLOCKED) == OCT_OK;
        }
    }
    if (!is_read) {
        exit(1);
    }
    return map;
}

// ---- pictures ----

// Pixels between maps and around them; above a map, for its title; below it, for a note.
#define SVG_GAP 24
#define SVG_ABOVE 44
#define SVG_BELOW 46

static inline void svg_begin(int width, int height)
{
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
           "font-family='Helvetica, Arial, sans-serif' font-size='17' fill='#22323c'>\n"
           "<rect width='100%%' height='100%%' fill='#ffffff'/>\n",
           width, height);
}

static inline void svg_end(void)
{
    printf("</svg>\n");
}

// Everything up to svg_leave is drawn from here on.
static inline void svg_enter(int x, int y)
{
    printf("<g transform='translate(%d,%d)'>\n", x, y);
}

static inline void svg_leave(void)
{
    printf("</g>\n");
}

// Above and below the map that is drawn from 0, 0 on.
static inline void svg_title(const char *text)
{
    printf("<text y='-14' font-weight='bold'>%s</text>\n", text);
}

static inline void svg_note(const svg_map *map, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("<text y='%d'>", map->height * map->scale + 28);
    vprintf(format, values);
    printf("</text>\n");
    va_end(values);
}

// ---- maps ----

// Cells from x, y on.
static inline void svg_rect(const svg_map *map, int x, int y, int width, int height,
                            const char *fill)
{
    printf("<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>\n", x * map->scale,
           (map->height - y - height) * map->scale, width * map->scale, height * map->scale, fill);
}

static inline bool svg_leaf(void *ctx, const oct_leaf *leaf)
{
    static const char *const fills[] = {"#e8e2d0", "#ffffff", "#2f4858"};
    svg_rect(ctx, leaf->x, leaf->y, 1 << leaf->level, 1 << leaf->level, fills[leaf->label]);
    return true;
}

static inline void svg_leaves(svg_map *map, oct_labels labels)
{
    oct_tree_leaves(map->tree, svg_cells(map), labels, svg_leaf, map);
}

// ---- paths ----

// Nodes in the order in which they were expanded, from pale to strong.
static inline void svg_records(const svg_map *map, const oct_path *path, double radius)
{
    printf("<g stroke='none' fill='#e07a3f'>\n");
    for (uint32_t i = 0; i < path->record_count; i++) {
        const oct_fine at = path->records[i].at;
        printf("<circle cx='%.1f' cy='%.1f' r='%g' opacity='%.2f'/>\n",
               svg_x(map, (double)at.x / OCT_FINE), svg_y(map, (double)at.y / OCT_FINE), radius,
               0.3 + 0.7 * i / path->record_count);
    }
    printf("</g>\n");
}

// From where each of them is reached.
static inline void svg_parents(const svg_map *map, const oct_path *path)
{
    printf("<g stroke='#e07a3f' stroke-width='1.2' opacity='0.5'>\n");
    for (uint32_t i = 0; i < path->record_count; i++) {
        const oct_fine from = path->records[path->records[i].parent].at, to = path->records[i].at;
        printf("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n",
               svg_x(map, (double)from.x / OCT_FINE), svg_y(map, (double)from.y / OCT_FINE),
               svg_x(map, (double)to.x / OCT_FINE), svg_y(map, (double)to.y / OCT_FINE));
    }
    printf("</g>\n");
}

static inline void svg_path(const svg_map *map, const oct_path *path, const char *colour)
{
    printf("<polyline fill='none' stroke='%s' stroke-width='3' points='", colour);
    for (uint32_t i = 0; i < path->point_count; i++) {
        printf("%.1f,%.1f ", svg_x(map, path->points[i].x), svg_y(map, path->points[i].y));
    }
    printf("'/>\n");
}

// Where a path bends, begins and ends.
static inline void svg_points(const svg_map *map, const oct_path *path, const char *colour)
{
    for (uint32_t i = 0; i < path->point_count; i++) {
        const bool is_end = i == 0 || i + 1 == path->point_count;
        printf("<circle cx='%.1f' cy='%.1f' r='%d' fill='%s' stroke='%s' stroke-width='2'/>\n",
               svg_x(map, path->points[i].x), svg_y(map, path->points[i].y), is_end ? 7 : 4,
               is_end ? "#22323c" : "#ffffff", is_end ? "#ffffff" : colour);
    }
}

#endif
