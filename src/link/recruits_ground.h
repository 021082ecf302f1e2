// SPDX-License-Identifier: MIT
// Where an agent of Lab Recruits can stand: places a quarter of a metre apart on the mesh of a
// level, with room for its body, and what is in the way there: panels of doors, and fires.
//
// A place under a panel is free while the door stands the other way. Neighbours with the same
// panels and fires are a region: free as a whole, or not. Ways are found from place to place, plans
// are made over regions.
#ifndef OCTANT_LINK_RECRUITS_GROUND_H
#define OCTANT_LINK_RECRUITS_GROUND_H

#include "base/base_internal.h"
#include "link/recruits_client.h"
#include "octant/links.h"

#define GROUND_NONE UINT32_MAX
#define GROUND_SIDE 0.25 // between two places
#define GROUND_WAYS 8
#define GROUND_FIRES 4 // that touch one place; a place with more is never entered
#define GROUND_PANELS 3

typedef struct ground_place {
    oct_point at; // the feet
    uint32_t ways[GROUND_WAYS];
    uint32_t region;                // NONE: closed
    uint32_t panels[GROUND_PANELS]; // door * 2 + 1 if it is there while the door is open; NONE
    uint32_t fires[GROUND_FIRES];   // ascending; NONE
    bool is_closed;                 // never entered
    bool is_seen;
    bool is_middle; // of a cell
} ground_place;

// Two regions that touch each other.
typedef struct ground_joint {
    uint32_t from, to;
} ground_joint;

typedef struct ground_door {
    oct_bounds shut, open; // panels
} ground_door;

typedef struct recruits_ground {
    oct_allocator allocator;
    int32_t low_x, low_z; // of the lattice
    uint32_t width, depth;
    oct_array places; // ground_place
    oct_array first;  // uint32_t: of each column, and the end
    oct_array doors;  // ground_door
    oct_array fires;  // oct_bounds
    uint32_t regions;
    oct_array samples; // uint32_t: a place of each region
    oct_array joints;  // ground_joint, by `from`
    oct_array firsts;  // uint32_t: of each region's joints, and the end
    oct_array queue;   // uint32_t
    // Of the last flood.
    oct_array costs;  // double
    oct_array before; // uint32_t
    oct_heap heap;
} recruits_ground;

oct_result oct_recruits_ground_make(const recruits_link_mesh *mesh, const oct_allocator *allocator,
                                    recruits_ground *out);
void oct_recruits_ground_free(recruits_ground *g);

// After both, regions are to be made anew.
oct_result oct_recruits_ground_add_door(recruits_ground *g, const oct_bounds *shut,
                                        const oct_bounds *open);
oct_result oct_recruits_ground_add_fire(recruits_ground *g, const oct_bounds *box);
oct_result oct_recruits_ground_join(recruits_ground *g);

// Fires that one enters from a place, or a region's, to another.
uint32_t oct_recruits_ground_entries(const ground_place *from, const ground_place *to);

// The place nearest to a point, within a distance across and 0.6 m up and down; NONE.
uint32_t oct_recruits_ground_nearest(const recruits_ground *g, oct_point at, double within);

// Costs of the ways to all places from one: metres, and `price` for each fire that is entered;
// HUGE_VAL where none leads. `states` of all doors.
oct_result oct_recruits_ground_flood(recruits_ground *g, uint32_t from,
                                     const oct_door_state *states, double price);
double oct_recruits_ground_cost(const recruits_ground *g, uint32_t to);
// The way of the last flood, without `from`, from its end; places are the array's.
oct_result oct_recruits_ground_way(recruits_ground *g, uint32_t to, oct_array *out);
// Whether one goes straight from place to place; unless it `burns`, it enters no fire that the
// first does not touch.
bool oct_recruits_ground_is_straight(const recruits_ground *g, uint32_t from, uint32_t to,
                                     const oct_door_state *states, bool burns);

// Whether the line between two places stays over ground; where `states` is given, it also ends at
// panels that are in the way.
bool oct_recruits_ground_sees(const recruits_ground *g, uint32_t from, uint32_t to,
                              const oct_door_state *states);

OCT_FORCE_INLINE ground_place *ground_at(const recruits_ground *g, uint32_t i)
{
    return (ground_place *)g->places.items + i;
}

// Whether no panel is ever in the way there.
OCT_FORCE_INLINE bool ground_is_plain(const ground_place *p)
{
    return p->region != GROUND_NONE && p->panels[0] == GROUND_NONE;
}

// Whether panels leave a place free; those of UNKNOWN doors do not, of MOVING ones they do.
bool oct_recruits_ground_is_free(const ground_place *p, const oct_door_state *states);

#endif
