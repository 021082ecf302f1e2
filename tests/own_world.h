// SPDX-License-Identifier: MIT
// Our own worlds (worlds/*.json), what each is meant to be, and what can be reached in them.
//
// What can be reached is asked of a map with the padding of a ball that the body fits into at every
// orientation. Presses are simulated here, from the wires alone: doors are OPEN or BLOCKED, timers
// have done at once what they do.
#ifndef OCTANT_TESTS_OWN_WORLD_H
#define OCTANT_TESTS_OWN_WORLD_H

#include "support.h"

#include "octant/components.h"
#include "octant/world.h"

#include <math.h>

#define OWN_BALL 0.9   // half the height of a body
#define OWN_WIDTH 1.0  // of a body
#define OWN_MARGIN 4.0 // around the bounds, to see who gets out

enum { PRESSES_MAX = 3, DOORS_MAX = 8, PANELS_MAX = 8, WORLDS = 8 };

enum { DOOR_AND_BUTTON, THREE_DOORS, GLASS_BOX, GLASS_MAZE, TIGHT, ASTEROID, SHIP, SCRAPYARD };

typedef struct press {
    const char *panel;
    uint32_t button;
} press;

// A world, and what it is meant to be.
typedef struct own_world {
    const char *file;
    size_t blocks, grids;
    uint32_t doors, panels, timers;
    bool at_back;  // of the target one has to be, else at its front
    uint32_t ways; // how many solutions have as few presses
    int presses;
    press solution[PRESSES_MAX];
    // What can be reached before the first press, after it, and so on: a digit for each panel in
    // the order of the file, and one for the target.
    const char *reached[PRESSES_MAX + 1];
} own_world;

extern const own_world own_worlds[WORLDS];

// ---- geometry ----

static inline oct_point plus(oct_point a, oct_point b, double times)
{
    return (oct_point){a.x + b.x * times, a.y + b.y * times, a.z + b.z * times};
}

static inline double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline oct_point cross(oct_point a, oct_point b)
{
    return (oct_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double beyond(double at, double min, double max)
{
    return at < min ? min - at : at > max ? at - max : 0.0;
}

static inline double distance_to(oct_bounds box, oct_point at)
{
    const oct_point off = {beyond(at.x, box.min.x, box.max.x), beyond(at.y, box.min.y, box.max.y),
                           beyond(at.z, box.min.z, box.max.z)};
    return sqrt(dot(off, off));
}

// ---- what a world has ----

oct_world *own_load(const char *file);
oct_kind own_kind(const oct_world *world, const oct_world_block *block);
bool own_is_type(const oct_world *world, const oct_world_block *block, const char *type);
// The block of that name; there has to be one.
oct_world_block own_named(const oct_world *world, const char *name);

// ---- what can be reached ----

typedef struct own_place {
    uint64_t id;
    const char *name;
    oct_point at; // where one is to be
    oct_bounds box;
} own_place;

typedef struct own_scene {
    oct_world *world;
    oct_map *map;
    oct_components *components;
    oct_point start;
    uint64_t doors[DOORS_MAX];
    uint32_t door_count;
    own_place panels[PANELS_MAX];
    uint32_t panel_count;
    own_place target;
} own_scene;

void own_open(const own_world *own, own_scene *s);
void own_close(own_scene *s);

// The component that a point is in, 0 where there is no room for a body.
uint32_t own_component(const own_scene *s, oct_point at);
bool own_joined(const own_scene *s, oct_point a, oct_point b);

// The cells that one gets to from a point and that a box is in reach of, and how near they come to
// another box.
typedef struct own_nearby {
    size_t cells;
    double nearest;
} own_nearby;

own_nearby own_in_reach(const own_scene *s, oct_point from, oct_bounds of, oct_bounds other);

// Whether one gets to a place. What is not reached may not be in reach from behind a wall either,
// whatever a game takes for a free line.
bool own_gets_to(const own_scene *s, oct_point from, const own_place *to);

// ---- presses ----

// Which doors are open, a bit each.
uint32_t own_doors(const own_scene *s);
void own_set_doors(own_scene *s, uint32_t bits);

// The doors after what a panel's button, or a timer with all of its slots, does.
uint32_t own_follow(const own_scene *s, uint64_t from, uint32_t slot, bool all, uint32_t bits);

// The panel of that name; there has to be one.
const own_place *own_panel(const own_scene *s, const char *name);

#endif
