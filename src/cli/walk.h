// SPDX-License-Identifier: MIT
// What commands do with surfaces to walk on, meshes of convex polygons.
#ifndef OCTANT_CLI_WALK_H
#define OCTANT_CLI_WALK_H

#include "cli/cli_internal.h"
#include "octant/surface.h"

typedef struct cli_walk {
    const char *path;
    oct_up up;
    oct_point from, to;
    double step;
    bool json, points;
} cli_walk;

// Reads a surface, OBJ or JSON; *kind (may be NULL) says which. Complains by itself.
int oct_cli_open_surface(const char *path, oct_up up, oct_surface **out, const char **kind);

// Finds a path and prints it; the command's exit code.
int oct_cli_walk(const cli_walk *walk);

// What was measured of a baked surface, as lines, or as an object; null where it is not known.
void oct_cli_print_baked(const oct_surface_baked *baked);
json_t *oct_cli_baked_json(const oct_surface_baked *baked);

// Prints what a surface holds.
int oct_cli_surface_info(const char *path, oct_up up, bool json);

#endif
