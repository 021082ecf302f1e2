// SPDX-License-Identifier: MIT
// What the two halves of a world share: blocks and types (world.c), and what makes them a game
// (world_parts.c: grids, wires, groups, rules, the toolbar).
#ifndef OCTANT_WORLD_INTERNAL_H
#define OCTANT_WORLD_INTERNAL_H

#include "base/index_table.h"
#include "octant/world.h"

struct oct_world {
    oct_allocator allocator;
    oct_arena texts; // names of everything but the world itself
    char *name;      // NULL = ""
    oct_array types;
    oct_array blocks;
    oct_array grids;
    oct_array wires;
    oct_array members;
    index_table type_names;
    index_table ids;
    index_table grid_ids;
    oct_bounds extent; // of blocks and bounds
    oct_bounds bounds;
    oct_pose start;
    oct_world_rules rules;
    oct_item items[OCT_TOOLBAR_PAGES][OCT_TOOLBAR_SLOTS];
    double passage;
    oct_up up;
    bool left_handed;
    bool has_start;
    bool has_bounds;
};

// What is not negative, with -0 as 0: files have no sign for it.
static inline double oct_world_unsigned(double value)
{
    return value > 0.0 ? value : 0.0;
}

bool oct_world_is_finite(oct_point p);
// Whether its directions are unit vectors at a right angle, and everything is finite.
bool oct_world_is_pose(const oct_pose *pose);
// UTF-8 and not too long.
oct_result oct_world_check_name(const char *name);
// A copy of a name that lasts as long as the world, or NULL.
const char *oct_world_keep_name(oct_world *world, const char *name);

// The index of the grid with an id; false if there is none.
bool oct_world_find_grid(const oct_world *world, uint64_t id, uint32_t *index);

// Gives a type of panels more buttons, at most OCT_WORLD_BUTTONS_MAX, while its world is being
// read: some files say only panel by panel how many there are.
void oct_world_widen_panel(oct_world *world, uint32_t type, uint8_t buttons);

// Whether two sides are an orientation: at a right angle.
bool oct_world_is_turn(uint8_t forward, uint8_t up);
// The size along a grid's axes of a block that is so turned, and back to that of its type.
oct_vec oct_world_turn(oct_vec size, uint8_t forward, uint8_t up);
oct_vec oct_world_unturn(oct_vec size, uint8_t forward, uint8_t up);

// The box in the world of the corners of a grid's cells, from one on.
oct_bounds oct_world_cells_box(const oct_world_grid *grid, oct_vec cell, oct_vec span);
// Whether a placed block's grid, cells and orientation make sense, and its box in the world.
oct_result oct_world_place(const oct_world *world, const oct_world_block *block, oct_bounds *box);
// What a block fills where it is placed on a turned grid; false for any other, which fills its box,
// but for less than a thousandth.
bool oct_world_piece(const oct_world *world, const oct_world_block *block, oct_piece *out);

// A block as a map takes it, but for its shape: its tag is the type's index. One that is OPEN hides
// nothing, whatever its type: an open door.
oct_thing oct_world_thing(const oct_world *world, size_t index);

#endif
