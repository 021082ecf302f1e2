// SPDX-License-Identifier: MIT
// The house of a puzzle: rooms on a lattice, carved out of armour, what stands in them, and the
// world that it becomes.
#ifndef OCTANT_MAP_PUZZLE_HOUSE_H
#define OCTANT_MAP_PUZZLE_HOUSE_H

#include "generate/puzzle.h"

#define HOUSE_EDGE 2.5 // of a cell, metres

// The lattice of rooms, and the cells that it takes at most: rooms of up to 4 cells, 2 high, and
// walls of one.
#define HOUSE_SIDE 5
#define HOUSE_LEVELS 3
#define HOUSE_SIDE_CELLS (HOUSE_SIDE * 5 + 1)
#define HOUSE_CELLS (HOUSE_SIDE_CELLS * HOUSE_SIDE_CELLS * (HOUSE_LEVELS * 3 + 1))
#define HOUSE_PAIRS_MAX (3 * OCT_PUZZLE_ROOMS_MAX)

typedef struct house_room {
    oct_vec slot;   // of the lattice
    oct_box cells;  // inside
    uint8_t parent; // a neighbour with a lower number; of room 0 itself
    uint8_t panels;
} house_room;

// What is in the wall between two rooms.
typedef enum house_wall { HOUSE_UNDECIDED, HOUSE_NOTHING, HOUSE_FREE, HOUSE_DOOR } house_wall;

// Two rooms side by side, or above each other.
typedef struct house_pair {
    uint8_t a, b; // b is on the side of larger coordinates
    uint8_t axis;
    bool tree;   // one of them is the other's parent
    bool forced; // what is in the wall was asked for
    uint8_t wall;
    uint8_t openings;
    uint8_t door; // the first one, where it has doors
} house_pair;

// What a cell holds. What is to be kept free is beside an opening, before a panel, or the start.
enum { CELL_ARMOUR, CELL_FREE, CELL_KEEP, CELL_DOOR, CELL_TAKEN };

// Something that stands in a cell.
typedef struct house_thing {
    oct_vec cell;
    uint8_t forward; // oct_side
} house_thing;

typedef struct house_panel {
    house_thing at;
    uint8_t first; // of its buttons
    uint8_t buttons;
} house_panel;

typedef struct house {
    oct_random random;
    puzzle graph;
    house_room room[OCT_PUZZLE_ROOMS_MAX];
    house_pair pair[HOUSE_PAIRS_MAX];
    uint32_t pairs;
    oct_vec size; // in cells
    uint8_t cells[HOUSE_CELLS];
    house_thing door[OCT_PUZZLE_DOORS_MAX];
    house_panel panel[OCT_PUZZLE_BUTTONS_MAX];
    uint32_t panels;
    double delay[OCT_PUZZLE_BUTTONS_MAX];
    house_thing start, target;
    // The least way to a cell, in steps to any of the 26 cells around, + 1; 0 = there is none.
    uint16_t steps[HOUSE_CELLS];
    oct_vec queue[HOUSE_CELLS];
} house;

OCT_FORCE_INLINE int32_t house_along(oct_vec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

OCT_FORCE_INLINE oct_vec house_moved(oct_vec v, int axis, int32_t by)
{
    return (oct_vec){v.x + (axis == 0 ? by : 0), v.y + (axis == 1 ? by : 0),
                     v.z + (axis == 2 ? by : 0)};
}

OCT_FORCE_INLINE uint32_t house_index(const house *h, oct_vec c)
{
    return (uint32_t)((c.z * h->size.y + c.y) * h->size.x + c.x);
}

// ---- drawing; what returns false found no place, and leaves the house of no use ----

// Rooms, who is beside whom, and a tree over them all.
void oct_house_draw_rooms(house *h, uint32_t rooms);
// The pair of a room and its parent.
house_pair *oct_house_parent_pair(house *h, uint32_t room);
// All walls that were not forced: so many doors in all.
bool oct_house_draw_walls(house *h, uint32_t doors);
// Cells, openings and doors.
void oct_house_carve(house *h);
// Something that stands on the floor of a room with its back to a wall, in nobody's way.
bool oct_house_place(house *h, uint32_t room, house_thing *out);
// A cell on the floor of a room in which nothing stands yet; it stays free.
void oct_house_place_start(house *h, uint32_t room);

// Fills `steps`, from a door and with all doors open.
void oct_house_measure(house *h, uint32_t door);

// ---- the world ----

// Ids: doors from 1, panels from 101, timers (by button) from 201, the target 301, armour from
// 1001.
enum { HOUSE_DOOR_ID = 1, HOUSE_PANEL_ID = 101, HOUSE_TIMER_ID = 201, HOUSE_TARGET_ID = 301 };

oct_result oct_house_build(const house *h, oct_world *world);

#endif
