// SPDX-License-Identifier: MIT
// A map's insides, shared by the files that work on it.
#ifndef OCTANT_MAP_MAP_H
#define OCTANT_MAP_MAP_H

#include "map/sight.h"
#include "map/things.h"
#include "octree/journal.h"
#include "octree/octree_internal.h"

// How an edit is undone.
typedef struct undo {
    enum map_edit { UNDO_INSERT, UNDO_REPLACE, UNDO_ERASE } edit; // what was done
    oct_thing thing;    // before it; of an inserted one only the id counts
    thing_shape *shape; // that it had; it is a user
} undo;

// The last look that was cast cell by cell. Who looks again from the same place at the same things
// sees the same.
typedef struct last_look {
    bool is_set;
    bool is_marked; // it was an observation, and what it made known was not forgotten since
    oct_view view;
    oct_array things; // of oct_thing: all that were passed; their shapes are not to be looked at
    oct_array shapes; // of thing_shape *: of these; empty where all are boxes
    bit_grid seen;    // its bits are in the map's `words`; what was found of things is in `looks`
    uint64_t cells;   // is_marked: that it observed
} last_look;

struct oct_map {
    oct_allocator allocator;
    oct_executor executor;
    lattice lattice;
    oct_tree *tree;
    thing_index things;
    uint32_t unknown;  // things that are UNKNOWN
    bool statics;      // there may be static geometry
    oct_array covers;  // of thing_cover: things that an edit has to know of
    oct_array changes; // of thing_cover: the bodies of a thing that changes
    oct_array scratch; // of edit_layers.c
    // For observations; kept for the next one.
    oct_array ids;          // of uint32_t: a table of the things of an observation
    oct_array undo;         // of undo: what to put back if it fails
    oct_array boxes;        // of sight_box
    oct_array words;        // of uint64_t: the bits of cells in sight
    oct_array known_words;  // of uint64_t: the same, eroded
    oct_array looks;        // of uint8_t: what was found out about each thing
    oct_array parts, items; // of uint32_t: an index of the boxes
    oct_array solids;       // of sight_solid: what of the boxes is opaque, where it is not all
    oct_array slabs;        // of sight_slab: of solids
    oct_array shapes;       // of thing_shape *: of the things that are passed
    last_look last;
    // What the last observation has made known, for those who repeat it elsewhere; its bits, where
    // it has any, are in `known_words`, and what it did to things is in `undo`.
    cell_set known;
    bit_grid known_bits;
    oct_array fine_words; // of uint64_t: the same bits where sight is decided in larger cells
    bit_grid fine_bits;
    oct_tree *sighted;       // KNOWN where a cell itself was ever in sight; NULL = not kept
    oct_array sighted_words; // of uint64_t
};

// Whether a thing may be taken in.
oct_result oct_map_check(const oct_map *map, const oct_thing *from);

// The three ways in which a thing changes; arguments were checked and `slot` exists.
oct_result oct_map_insert(oct_map *map, const oct_thing *from);
oct_result oct_map_replace(oct_map *map, uint32_t slot, const oct_thing *from);
oct_result oct_map_erase(oct_map *map, uint32_t slot);
// The same with the shape that it is to have; the map becomes one more user of it. Where there is
// room for shapes, and the edits are undone, they do not fail.
oct_result oct_map_insert_as(oct_map *map, const oct_thing *from, thing_shape *shape);
oct_result oct_map_replace_as(oct_map *map, uint32_t slot, const oct_thing *from,
                              thing_shape *shape);

// Several edits as one change: all of them happen, or none. Between the two calls things change
// through the functions below, at most `most` times, and as the very last step cells may be marked.
oct_result oct_map_begin_edits(oct_map *map, size_t most);
// With the result of the last edit: after a failure all is put back.
oct_result oct_map_end_edits(oct_map *map, oct_result result);

oct_result oct_map_group_insert(oct_map *map, const oct_thing *from, thing_shape *shape);
oct_result oct_map_group_replace(oct_map *map, uint32_t slot, const oct_thing *from,
                                 thing_shape *shape);
oct_result oct_map_group_erase(oct_map *map, uint32_t slot);

// ---- map_cells.c: the cells follow ----

// Marks what lies underneath. Ranges were checked. Every edit of cells happens whole, or fails with
// nothing changed.
oct_result oct_map_mark(oct_map *map, const cell_set *cells, oct_mark mark);

// Marks cells that are in sight; the map keeps them.
oct_result oct_map_mark_sighted(oct_map *map, const cell_set *cells);

// How a thing covers cells: its box, or the bodies of its shape.
typedef struct thing_covers {
    thing_cover box;          // of all of it; its label counts
    const thing_shape *shape; // NULL = the box
} thing_covers;

// A thing that covered `was` covers `now` instead; either may be NULL: it comes, or it goes.
// Meanwhile the index holds all things but that one.
oct_result oct_map_cover_changes(oct_map *map, const thing_covers *was, const thing_covers *now);

// A world position in cells, and in those that sight is decided in.
oct_point oct_map_to_cells(const oct_map *map, oct_point at);
oct_point oct_map_to_sight(const oct_map *map, oct_point at);

// How many cells a side one has that sight is decided in.
OCT_FORCE_INLINE int32_t map_step(const oct_map *map)
{
    return map->lattice.looks > 0 ? map->lattice.looks : 1;
}

// Forgets the shapes of the last look.
void oct_look_forget_shapes(oct_map *map);

// Finds out what an observation would see, and changes nothing.
oct_result oct_map_look(oct_map *map, const oct_view *view, const oct_thing *things, size_t count);

#endif
