// SPDX-License-Identifier: MIT
// A graph of rooms: what is known of the world as rooms and doors.
//
// A room is what can be reached without passing a door, open or not; doors join rooms. So what
// presses do to doors can be thought through without searching the map for each state of them.
#ifndef OCTANT_ROOM_GRAPH_H
#define OCTANT_ROOM_GRAPH_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "map/overlay.h"
#include "octant/belief.h"
#include "octant/components.h"

#define ROOM_NONE UINT32_MAX

// What questions of the kind "what if doors were shut, or open" are asked of; kept, since it
// follows the map.
typedef struct what_if {
    overlay overlay;
    oct_components *known;  // of what is OPEN, with walls where doors are
    oct_components *maybes; // the same, with UNKNOWN open
} what_if;

typedef struct room {
    oct_vec cell;      // one of its cells
    uint32_t whole;    // what it is part of, if all that is UNKNOWN is free, wherever that leads
    bool has_frontier; // something next to it is UNKNOWN, and no door's
} room;

// One way through a door: it joins two rooms, leads from one to what is not known, or back.
typedef struct passage {
    uint32_t door; // of doors
    uint32_t a, b; // rooms; b may be ROOM_NONE
} passage;

// A part of a door's cells that one can cross.
typedef struct doorway {
    uint32_t door;   // of doors
    uint32_t beside; // a room; ROOM_NONE where there is none
    uint32_t own;    // its own room, where a seed is in it
} doorway;

typedef struct room_graph {
    oct_allocator allocator;
    bool is_told; // false: who was asked cannot tell, and there are none
    const oct_map *map;
    const oct_tree *tree; // the map's
    what_if *what_if;     // components with all doors shut, the doors' cells
    oct_array seeds;      // of uint32_t: their rooms
    oct_array doors;      // of uint32_t: entities of the belief
    oct_array ids;        // of uint64_t: theirs, of those that are crossed
    oct_array walls;      // of oct_box: their cells
    oct_array rooms;      // of room
    oct_array passages;   // of passage
    key_table numbers;    // rooms, by component
    key_table dark;       // components with UNKNOWN open: 1 where some of it is UNKNOWN
    key_table shell;      // room of cells around doors
    oct_array doorways;   // of doorway
    key_table inner;      // doorway of cells, by cell and door
    key_table left;       // cells on the way out of a doorway
    oct_array crossed;    // of oct_vec
} room_graph;

// Looks at the map from a few points and around doors; what none of them reaches has no room. The
// first point is the body: in a doorway it is of the room that is nearest. For others a doorway
// is a room of its own, which only its door joins with what is beside it.
oct_result oct_room_graph_make(room_graph *r, what_if *asked, const oct_belief *belief,
                               const oct_allocator *allocator, const oct_point *seeds,
                               size_t count);
void oct_room_graph_free(room_graph *r);

// The room of a seed; ROOM_NONE where it has none.
uint32_t oct_room_graph_of(const room_graph *r, size_t seed);
// What a place is part of, if all that is UNKNOWN is free; 0: nothing.
uint32_t oct_room_graph_whole(const room_graph *r, oct_point at);
size_t oct_room_graph_count(const room_graph *r);

#endif
