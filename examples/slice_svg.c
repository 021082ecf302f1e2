// SPDX-License-Identifier: MIT
// Draws the leaves that a horizontal slice cuts as an SVG picture on stdout: how the octree divides
// a world. The picture in the README is made by it.
#include <octant/generate.h>
#include <octant/octant.h>
#include <octant/tree.h>

#include <stdio.h>

#define EDGE 64  // cells of the world
#define SCALE 10 // pixels a cell
#define SLICE 32 // the cell layer to cut

static bool draw(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    static const char *const fills[] = {"#e8e2d0", "#ffffff", "#2f4858"};
    const int size = SCALE << leaf->level;
    printf("<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>\n", leaf->x * SCALE,
           (EDGE - leaf->y) * SCALE - size, size, size, fills[leaf->label]);
    return true;
}

int main(void)
{
    oct_generate_def world = oct_generate_def_default();
    world.kind = OCT_GENERATE_CLUSTERS;
    world.size = EDGE;
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *map;
    if (oct_tree_generate(&world, &def, &map, NULL) != OCT_OK) {
        return 1;
    }
    // The right half has not been seen yet.
    const oct_box unseen = {{EDGE * 5 / 8, 0, 0}, {EDGE, EDGE, EDGE}};
    if (oct_tree_forget(map, unseen) != OCT_OK) {
        return 1;
    }
    const int pixels = EDGE * SCALE;
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' stroke='#b9c4c9' "
           "stroke-width='0.5'>\n",
           pixels, pixels);
    const oct_box slice = {{0, 0, SLICE}, {EDGE, EDGE, SLICE + 1}};
    oct_tree_leaves(map, slice, OCT_HAS_ANY, draw, NULL);
    printf("</svg>\n");
    oct_tree_destroy(map);
    return 0;
}
