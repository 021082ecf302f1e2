// SPDX-License-Identifier: MIT
// A level as it is, read from its world alone: boxes in the frame of its building, doors, panels,
// timers, wires; and the space in which a body fits, cut into cells and regions.
//
// A body is taken for a box that keeps its orientation. Things grown by its half extents are open
// boxes, and between their faces nothing changes: cells between neighbouring faces are wholly free
// or wholly blocked, so that what is connected is exact for that body.
#ifndef OCTANT_TESTS_LEVEL_SCENE_H
#define OCTANT_TESTS_LEVEL_SCENE_H

#include "octant/world.h"
#include "support.h"

#include "octant/game.h"

enum { SCENE_DOORS = 70, SCENE_PANELS = 80, SCENE_TIMERS = 90, SCENE_WIRES = 600 };

typedef struct scene_door {
    uint64_t id;
    oct_bounds box;
    int axis;     // along which the leaf slides
    double sign;  // and in which direction it opens
    double width; // along it, metres
    bool open;
} scene_door;

typedef struct scene_panel {
    uint64_t id;
    uint32_t buttons;
    oct_bounds box;   // where it is at first
    oct_bounds swept; // wherever it drifts
    double period;    // seconds of a whole drift there and back; 0 = it stands
} scene_panel;

typedef struct scene_wire {
    bool from_timer;
    uint32_t from; // panel or timer
    uint32_t slot;
    uint8_t action;
    uint32_t to; // door, or timer of START and STOP
} scene_wire;

typedef struct level_scene {
    oct_point origin, right, up, back; // of the frame, in the world
    oct_bounds *solids;                // what never moves, panels and target included
    size_t solid_count;
    scene_door door[SCENE_DOORS];
    scene_panel panel[SCENE_PANELS];
    double delay[SCENE_TIMERS]; // seconds
    uint64_t timer_id[SCENE_TIMERS];
    scene_wire wire[SCENE_WIRES]; // by block and slot, in the order of the world
    uint32_t doors, panels, timers, wires;
    bool has_target;
    oct_bounds target;
    oct_point start; // the body's centre, in the frame
    oct_world_rules rules;
} level_scene;

// Fails the test where a world is not one of these levels. To be freed.
level_scene *level_scene_read(const oct_world *world);
void level_scene_free(level_scene *s);

oct_point scene_to_world(const level_scene *s, oct_point at);
oct_point scene_from_world(const level_scene *s, oct_point at);
double scene_between(const oct_bounds *a, const oct_bounds *b); // shortest distance
double scene_from_point(const oct_bounds *a, oct_point p);

// ---- space ----

enum { SPACE_SOLID = -1 };

typedef struct level_space {
    const level_scene *scene;
    double half[3];
    bool is_generous; // for giving up: what drifts is not there, lines pass close by
    double *at[3];    // faces, ascending
    int n[3];         // cells between them
    int *label;       // SPACE_SOLID; -2 - door in its doorway; else the region
    double *length;   // scratch: ways from a cell
    int regions;
} level_space;

level_space *level_space_make(const level_scene *s, double half_width, double half_height,
                              bool is_generous);
void level_space_free(level_space *space);
oct_point space_middle(const level_space *space, int cell);
int space_cell_of(const level_space *space, oct_point p);              // -1 where there is none
void space_neighbours(const level_space *space, int cell, int out[6]); // -1 where there is none

// Whether a panel can be pressed by a body with its centre at a place; `door` is the doorway it is
// in, or -1.
bool space_can_press(const level_space *space, oct_point eye, uint32_t panel, int door);

enum { SPACE_BENDS_MAX = 200 };

// The way along cells of one region from a place to another, metres; negative where there is none.
// `bends` (of SPACE_BENDS_MAX; may be NULL) gets where it bends, and `count` how many these are:
// the middles of the first and last cell included.
double space_way(const level_space *space, oct_point from, oct_point to, oct_point *bends,
                 size_t *count);

#endif
