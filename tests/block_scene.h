// SPDX-License-Identifier: MIT
// Small block worlds, built in a few lines, for tests of the game.
//
// One grid of 2.5 m with the world's own axes (y is up): cell (x, y, z) has its middle at 2.5 times
// that. Who looks forward looks along -z.
#ifndef OCTANT_TESTS_BLOCK_SCENE_H
#define OCTANT_TESTS_BLOCK_SCENE_H

#include "support.h"

#include "agent/look.h"
#include "octant/block_world.h"

// Types of every scene, by index.
enum {
    STONE,
    GLASS,
    DOOR,
    PANEL, // of four buttons
    TIMER,
    TARGET,
    BEAM, // 3 x 1 x 2 cells
    LAMP, // of a plain box, mostly
    GATE, // a door of 2 x 1 x 1 cells
    SCENE_TYPES
};

typedef struct block_scene {
    oct_world *world;
    oct_game *game;
    uint32_t grid;
    look_state look;
    oct_map *sight; // cells of half a metre, at which scene_observe decides what is in sight
} block_scene;

// An empty world with types and the grid; no start. And one in which nothing hides anything.
void block_scene_init(block_scene *s);
void block_scene_init_clear(block_scene *s);
void block_scene_free(block_scene *s);

// Another grid; its index.
uint32_t block_scene_grid(block_scene *s, const oct_world_grid *grid);
// A block on a cell of a grid, facing as the grid does, to be put as it is or changed.
oct_world_block scene_block(uint32_t grid, uint64_t id, uint32_t type, oct_vec cell);
// Puts such a block, on the first grid (a timer waits a second) or on any; one as told; a plain
// box; a timer, and an open door, on the first grid.
void scene_put(block_scene *s, uint64_t id, uint32_t type, int x, int y, int z);
void scene_put_on(block_scene *s, uint32_t grid, uint64_t id, uint32_t type, oct_vec cell);
void scene_put_block(block_scene *s, const oct_world_block *block);
void scene_put_box(block_scene *s, uint64_t id, uint32_t type, oct_bounds box);
void scene_put_timer(block_scene *s, uint64_t id, oct_vec cell, double delay);
void scene_put_open_door(block_scene *s, uint64_t id, oct_vec cell);
// Wires.
void scene_wire(block_scene *s, uint64_t from, uint32_t slot, oct_wire_action action, uint64_t to);
void scene_wire_group(block_scene *s, uint64_t from, uint32_t slot, oct_wire_action action,
                      const char *group);
void scene_member(block_scene *s, const char *group, uint64_t block);
void scene_rules(block_scene *s, void (*change)(oct_world_rules *rules));
// Such a change: things are seen through others.
void scene_see_through(oct_world_rules *rules);

// Makes the game, and lets someone join with the middle of the body at a place, looking along -z or
// as told.
void scene_play(block_scene *s);
uint32_t scene_join(block_scene *s, oct_point centre);
uint32_t scene_join_turned(block_scene *s, oct_point centre, oct_point forward, oct_point up);
// A pose whose body has its middle there.
oct_pose scene_pose(oct_point centre, oct_point forward, oct_point up);
// Puts someone somewhere, at rest.
void scene_move(block_scene *s, uint32_t who, oct_point centre, oct_point forward);
void scene_move_turned(block_scene *s, uint32_t who, oct_point centre, oct_point forward,
                       oct_point up);

// Acts, and says what came of it.
oct_act scene_act(block_scene *s, uint32_t who, oct_action action);
oct_act scene_use(block_scene *s, uint32_t who, uint64_t target, uint32_t button);
oct_act scene_equip(block_scene *s, uint32_t who, uint32_t page, uint32_t slot);
oct_act scene_do(block_scene *s, uint32_t who, oct_verb verb);
oct_act scene_do_named(block_scene *s, uint32_t who, const char *name, bool on);
// A property of oneself, or of something: a number.
double scene_own(const oct_self *self, const char *name);
const char *scene_held(const oct_self *self);
double scene_prop(const oct_entity *e, const char *name);
void scene_step(block_scene *s, uint32_t ticks);

oct_self scene_self(block_scene *s, uint32_t who);
// What someone sees of an id, through walls or not as the rules say; false where nothing.
bool scene_sees(block_scene *s, uint32_t who, uint64_t id, oct_entity *out);
// Looks around into a map: what is in sight, and what was new to the map.
oct_seen scene_look(block_scene *s, uint32_t who, oct_map *map, oct_observation *out);
// What is in sight, without a map that remembers it.
void scene_observe(block_scene *s, uint32_t who, oct_observation *out);
// How far a door is open, by whoever sees it; it has to be seen.
double scene_opening(block_scene *s, uint32_t who, uint64_t id);

// Fails the test where two numbers are further apart than that (cmocka compares floats).
void scene_check_near(double got, double want, double slack);

#endif
