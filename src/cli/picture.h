// SPDX-License-Identifier: MIT
// Pictures of what commands found: --svg, --slice, --plan.
#ifndef OCTANT_CLI_PICTURE_H
#define OCTANT_CLI_PICTURE_H

#include "cli/cli_internal.h"

#define CLI_PICTURE_WAYS_MAX 64

#define CLI_SVG_OPTION CLI_PARAM_OUTPUT("svg", "draw it there: from above, from the side")
#define CLI_SLICE_OPTION                                                                           \
    CLI_PARAM_TEXT("slice", "LIST", NULL, "of --svg: cut there instead, such as z=1.5,x=20")

// What is drawn. Ways are metres, as the map is.
typedef struct cli_picture {
    const char *file;  // as it was named
    const char *title; // what it shows
    const oct_tree *tree;
    oct_box box; // of its cells
    oct_up up;
    bool left_handed;
    bool has_frontier;      // of what was explored
    const oct_world *world; // for its doors and panels; NULL = none
    struct {
        const oct_point *points;
        size_t count;
        const char *name;
    } ways[CLI_PICTURE_WAYS_MAX];
    size_t way_count;
} cli_picture;

// Complains of a --slice that is none, or stands without --svg.
int oct_cli_check_slices(const char *command, const cli_value *svg, const cli_value *slice);

// Draws to what --svg names; nothing where it was not given. Complains where it fails.
int oct_cli_draw(const cli_picture *picture, const cli_value *svg, const cli_value *slice);

#define CLI_PLAN_COLUMNS 100
#define CLI_PLAN_ROWS 60
#define CLI_PLAN_OPTION                                                                            \
    CLI_PARAM_FLAG("plan", "print a small map as text too: at most 100 x 60 cells, one layer")

// A plan as characters: '#' BLOCKED, '.' OPEN, '?' UNKNOWN, '*' a way, S its start, G its end.
// Complains of maps that are too large for that.
int oct_cli_print_plan(const cli_picture *picture);

// The points of a path as a line of an .obj, beside the blocked leaves of a box as boxes.
int oct_cli_write_path_obj(const char *path, const oct_tree *tree, oct_box box,
                           const oct_point *points, size_t count);

#endif
