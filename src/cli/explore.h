// SPDX-License-Identifier: MIT
// The parts of octant explore: the truth, made of a world or of a map file, with where the body
// starts and how far it may go; the tour; what is said of it.
#ifndef OCTANT_CLI_EXPLORE_H
#define OCTANT_CLI_EXPLORE_H

#include "cli/cli_internal.h"
#include "verify/reach.h"
#include "verify/tour_trace.h"

#define NS_A_MS 1e6 // times are nanoseconds

// ---- explore_scene.c ----

typedef struct explore_scene {
    const char *path;
    bool is_world;
    cli_world world; // where it is one; its budget holds in any case
    oct_map *truth;  // the world's, or made of a file's cells
    oct_map_def def; // how a map of the same lattice and padding is made
    oct_up up;
    bool left_handed;
    oct_point body; // its extents; 0 in maps
    oct_box box;    // of a map file: what it declares
    oct_point start, forward;
    bool bounded;
    oct_box bounds;
} explore_scene;

// Reads WORLD; `options` are those of worlds. A map file's cells that are BLOCKED or UNKNOWN become
// things that are in the way, and so does a shell around its box. All that is made of it may take
// so many bytes. Complains where it fails; then there is nothing to close.
int oct_cli_open_truth(const char *path, const cli_value *options, uint64_t memory,
                       explore_scene *scene);

void oct_cli_close_truth(explore_scene *scene);

// Where the body starts: what --from says, else where the world says that it stands. Complains
// where neither does.
int oct_cli_choose_start(const cli_value *from, explore_scene *scene);

// How far it may go: what --bounds says, else a map's box, or what the world's grids near the start
// fill, and as far beyond as the body sees. Complains where the start is not within.
int oct_cli_choose_bounds(const cli_value *bounds, double radius, explore_scene *scene);

// Whether a point is within the bounds, and within what a map can hold.
bool oct_cli_truth_holds(const explore_scene *scene, oct_point at);

// The least radius that shows a body in the middle of a cell the cells next to it.
double oct_cli_least_radius(const explore_scene *scene);

// ---- cmd_explore.c ----

typedef struct exploration {
    explore_scene scene;
    cli_threads *threads; // that look around; NULL = this one alone
    oct_map *map;
    oct_explorer *explorer;     // NULL with a baseline
    oct_baseline_map *baseline; // NULL where the octree decides
    const char *structure;      // "octree", or the baseline's name
    tour_def tour;
    const char *find; // what --find looks for, or NULL
    tour_trace_head head;
    sink *trace; // NULL = none
    uint64_t trace_bytes;
    bool is_done;    // the body has come to its end
    bool lost_trace; // and the trace could not be written
    bool draws;      // a picture at the end
    bool lost_way;   // it had no room
    oct_array way;   // oct_point: where the body was
    double bar_ms;   // when the progress bar was drawn
    tour_result result;
    uint64_t counts[3]; // cells of the bounds, or of what is known, by label
    oct_remains remains;
    oct_explorer_bytes bytes;
    oct_map_bytes map_bytes;
    uint64_t nodes;    // of the octree, leaves included; of a baseline see baseline_size
    oct_vec grid_size; // in voxels; 0 for the others
    bool checked;
    reach reach;
} exploration;

// ---- explore_game.c ----

typedef struct explore_game {
    const cli_value *game, *patience;
    bool json;
    const char *level; // NULL = the game's own
    double cell, view; // view 0 = the game's own
    bool has_cell, has_sight, has_start;
    oct_sight sight;
    oct_point start; // of the feet
    uint64_t seed, memory;
    const char *output; // of the game, afterwards
} explore_game;

// Lets an agent explore a level of a game, and says how that went.
int oct_cli_explore_game(explore_game *e);

// ---- explore_out.c ----

// Whether what was asked for was done, and no check found a difference.
bool oct_cli_exploration_is_good(const exploration *e);

int oct_cli_print_exploration_json(const exploration *e);
void oct_cli_print_exploration(const exploration *e);

#endif
