// SPDX-License-Identifier: MIT
// Regions: what is known of the world as rooms and doors.
//
// A region is what can be reached without passing a door, open or not; doors join regions. So what
// presses do to doors can be thought through without searching the map for each state of them.
#ifndef OCTANT_REGIONS_H
#define OCTANT_REGIONS_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "map/overlay.h"
#include "octant/belief.h"
#include "octant/components.h"

#define REGION_NONE UINT32_MAX

// What questions of the kind "what if doors were shut, or open" are asked of; kept, since it
// follows the map.
typedef struct what_if {
    overlay overlay;
    oct_components *known;  // of what is OPEN, with walls where doors are
    oct_components *maybes; // the same, with UNKNOWN open
} what_if;

typedef struct region {
    oct_vec cell;      // one of its cells
    uint32_t whole;    // what it is part of, if all that is UNKNOWN is free, wherever that leads
    bool has_frontier; // something next to it is UNKNOWN, and no door's
} region;

// One way through a door: it joins two regions, leads from one to what is not known, or back.
typedef struct passage {
    uint32_t door; // of doors
    uint32_t a, b; // regions; b may be REGION_NONE
} passage;

// A part of a door's cells that one can cross.
typedef struct doorway {
    uint32_t door;   // of doors
    uint32_t beside; // a region; REGION_NONE where there is none
    uint32_t own;    // its own region, where a seed is in it
} doorway;

typedef struct regions {
    oct_allocator allocator;
    bool is_told; // false: who was asked cannot tell, and there are none
    const oct_map *map;
    const oct_tree *tree; // the map's
    what_if *what_if;     // components with all doors shut, the doors' cells
    oct_array seeds;      // of uint32_t: their regions
    oct_array doors;      // of uint32_t: entities of the belief
    oct_array ids;        // of uint64_t: theirs, of those that are crossed
    oct_array walls;      // of oct_box: their cells
    oct_array regions;    // of region
    oct_array passages;   // of passage
    key_table numbers;    // regions, by component
    key_table dark;       // components with UNKNOWN open: 1 where some of it is UNKNOWN
    key_table shell;      // region of cells around doors
    oct_array doorways;   // of doorway
    key_table inner;      // doorway of cells, by cell and door
    key_table left;       // cells on the way out of a doorway
    oct_array crossed;    // of oct_vec
} regions;

// Looks at the map from a few points and around doors; what none of them reaches has no region. The
// first point is the body: in a doorway it is of the region that is nearest. For others a doorway
// is a region of its own, which only its door joins with what is beside it.
oct_result oct_regions_make(regions *r, what_if *asked, const oct_belief *belief,
                            const oct_allocator *allocator, const oct_point *seeds, size_t count);
void oct_regions_free(regions *r);

// The region of a seed; REGION_NONE where it has none.
uint32_t oct_regions_of(const regions *r, size_t seed);
// What a place is part of, if all that is UNKNOWN is free; 0: nothing.
uint32_t oct_regions_whole(const regions *r, oct_point at);
size_t oct_regions_count(const regions *r);

#endif
