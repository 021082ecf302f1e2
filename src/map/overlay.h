// SPDX-License-Identifier: MIT
// What if: the cells of a map as they would be if some of its things had other labels.
//
// An overlay reads the map and never writes it: neither its revision nor its journal knows of the
// question. It first takes in the things in question, which costs what their cells do: the label
// that each of these cells would have without all of them. Then any labels may be supposed, one
// after the other, at no cost. An answer holds until the map changes; after that the things have to
// be taken in again.
#ifndef OCTANT_MAP_OVERLAY_H
#define OCTANT_MAP_OVERLAY_H

#include "base/key_table.h"
#include "map/thing_shape.h"
#include "octant/map.h"

// A thing that may have another label.
typedef struct overlay_thing {
    uint64_t id;
    oct_box cells;            // that hold those that it covers
    const thing_shape *shape; // the map's; NULL = it covers all of them
    size_t first;             // of its cells in `without`
    oct_label label;
} overlay_thing;

typedef struct overlay {
    oct_allocator allocator;
    const oct_map *map;
    uint64_t revision; // of the map, when things were taken in
    oct_array things;  // of overlay_thing
    oct_array without; // of uint8_t: labels of the things' cells without any of them
    key_table ids;     // of things
    key_table bricks;  // the first link of each brick that things have cells in
    oct_array links;   // of overlay_link
} overlay;

// Takes no memory yet. The allocator is copied, the map borrowed.
void oct_overlay_init(overlay *o, const oct_map *map, const oct_allocator *allocator);
void oct_overlay_free(overlay *o);

// Most cells of all things together.
#define OVERLAY_CELLS_MAX (UINT32_C(1) << 26)

// Takes in things of the map, each once, in the place of those before; each has the label that it
// has in the map. OCT_ERROR_ABSENT where the map does not have one, OCT_ERROR_RANGE where they have
// too many cells. On failure the overlay has no things.
oct_result oct_overlay_take(overlay *o, const uint64_t *ids, size_t count);

// From now on the thing of that number, in the order of taking, has this label.
void oct_overlay_suppose(overlay *o, size_t index, oct_label label);

// The label of a cell. Any coordinates are allowed.
oct_label oct_overlay_label(const overlay *o, oct_vec cell);

// The label of a thing of the map, whether it was taken in or not.
oct_label oct_overlay_label_of(const overlay *o, const oct_thing *thing);

#endif
