// SPDX-License-Identifier: MIT
// What commands do with surfaces to walk on, meshes of convex polygons: --walk.
#ifndef OCTANT_CLI_WALK_H
#define OCTANT_CLI_WALK_H

#include "cli/cli_internal.h"
#include "files/surface_file.h"
#include "octant/surface_walking.h"
#include "report/surface_picture.h"

#define CLI_SHAPES_OPTION                                                                          \
    CLI_PARAM_FILE("shapes", "--walk: obstacles and hazards on the surface, JSON")

#define CLI_RULES_OPTION                                                                           \
    CLI_PARAM_TEXT("rules", "LIST", NULL,                                                          \
                   "--walk: the body's rules, such as step=0.4,climb=1.1,leap=3,drop=4")

// A surface, its graph, and what stands on it.
typedef struct cli_surface {
    const char *path;
    const char *kind; // of the file
    oct_surface *surface;
    oct_walking_space *space; // by the rules; NULL = there are none
    oct_surface_graph *graph; // with the shapes, and the links of the space
    surface_shapes shapes;
    double load_ms; // of the surface alone
} cli_surface;

// Opens it; faces are split for the view distance (0 = not); `rules` and `shapes` may be NULL.
// Complains where it fails; then there is nothing to close.
int oct_cli_open_surface(const char *path, oct_up up, double view_distance,
                         const oct_walking_rules *rules, const char *shapes, cli_surface *out);
void oct_cli_close_surface(cli_surface *surface);

// Writes a picture; complains where it fails. NULL = none is wanted.
int oct_cli_draw_surface(const surface_picture *picture, const char *path);

// Rules such as "step=0.4,climb=1.1,leap=3,drop=4". Complains where they are none.
int oct_cli_read_rules(const char *command, const char *text, oct_walking_rules *out);

// Three numbers. Complains where they are none.
int oct_cli_read_place(const char *command, const char *option, const char *text, oct_point *out);

// What was measured of a baked surface, as lines, or as an object; null where it is not known.
void oct_cli_print_baked(const oct_surface_baked *baked);
json_t *oct_cli_baked_json(const oct_surface_baked *baked);

// Prints what a surface holds, and draws it.
int oct_cli_surface_info(const char *path, oct_up up, const char *shapes, const char *svg,
                         bool json);

// ---- walk.c: octant path --walk ----

typedef struct cli_walk {
    const char *path;
    oct_up up;
    oct_point from, to;
    double step;
    const char *rules, *shapes, *svg; // or NULL
    bool json, points;
} cli_walk;

// Finds a path and prints it; the command's exit code.
int oct_cli_walk(const cli_walk *walk);

// ---- walk_scen.c: octant scen --walk ----

typedef struct cli_walk_scen {
    const char *path, *pairs;
    const char *csv; // or NULL
    oct_up up;
    double step;
    bool force, json;
} cli_walk_scen;

int oct_cli_walk_scen(const cli_walk_scen *scen);

// ---- walk_explore.c: octant explore --walk ----

typedef struct cli_walk_tour {
    const char *path;
    const char *rules, *shapes, *svg; // or NULL
    oct_up up;
    const oct_point *from; // NULL = the first face's centre
    double radius;
    int strategy; // an oct_surface_strategy; -1 = all of them, one after the other
    uint64_t seed;
    uint64_t calls; // 0 = no limit
    bool json;
} cli_walk_tour;

int oct_cli_walk_tour(const cli_walk_tour *tour);

#endif
