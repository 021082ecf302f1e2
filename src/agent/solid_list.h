// SPDX-License-Identifier: MIT
// What is solid and stays, by the axes of its boxes.
//
// Boxes that are turned alike, as the blocks of one building are, are upright in axes of their own:
// in that frame they can be joined, cut and indexed as upright ones are in the world. Hulls and
// triangles are kept one by one.
#ifndef OCTANT_SOLID_LIST_H
#define OCTANT_SOLID_LIST_H

#include "base/base_internal.h"
#include "geom/convex.h"
#include "octant/game_data.h"
#include "octant/map.h"
#include "octant/tree.h"

#define FRAME_UPRIGHT 0u
#define FRAME_NONE UINT32_MAX

// Axes that some boxes have in common. Coordinates in it are along these from the world's origin.
typedef struct solid_frame {
    oct_point axes[3]; // of unit length
    double turn[4];    // the same as a quaternion
    oct_bounds all;    // holds all boxes
    oct_array boxes;   // of oct_bounds
    oct_map *index;    // of many boxes, by place
} solid_frame;

typedef struct solid_body {
    oct_piece piece; // what it points to is the history's
    size_t body;
    size_t first; // of the list's axes
    convex hull;  // of a HULL, metres
    bool has_hull;
} solid_body;

typedef struct solid_list {
    oct_allocator allocator;
    oct_array frames; // of solid_frame; the first is upright
    oct_array bodies; // of solid_body: hulls and triangles
    oct_array axes;   // of convex_axis
} solid_list;

// Pieces of a box, in the making.
#define PIECES_MAX 64
typedef struct piece_list {
    oct_bounds all[PIECES_MAX];
    uint32_t count;
} piece_list;

// How much of a box is solid, as far as that can be told.
typedef enum solid_cover { COVER_NONE, COVER_SOME, COVER_ALL } solid_cover;

oct_result oct_solid_list_begin(solid_list *list, const oct_allocator *allocator);
void oct_solid_list_free(solid_list *list);
// Adds what an entity fills. It must stay until the list is freed.
oct_result oct_solid_list_add(solid_list *list, const oct_entity *entity);
// Makes sure that there is a frame for it, if it is one turned box.
oct_result oct_solid_list_add_frame(solid_list *list, const oct_entity *entity);
// Joins what is upright in each frame, across seams.
oct_result oct_solid_list_join(solid_list *list);
// Indexes what was added; nothing is added afterwards.
oct_result oct_solid_list_index(solid_list *list, const oct_tree *lattice);

const solid_frame *oct_solid_list_frame(const solid_list *list, uint32_t frame);
// Whether there is anything but upright boxes.
bool oct_solid_list_are_turned(const solid_list *list);

// The frame of a turned box, and the box in it; the upright one, and the box that holds it, where
// there is none.
uint32_t oct_solid_list_own_box(const solid_list *list, const oct_piece *obb, oct_bounds *own);
// The frame of an entity that is one box, and the box in it; of others the upright one.
uint32_t oct_solid_list_frame_of(const solid_list *list, const oct_entity *entity, oct_bounds *own);
// The box of an entity in a frame: the least that holds it.
oct_bounds oct_solid_list_box_in(const solid_list *list, uint32_t frame, const oct_entity *entity);
// A box of one frame in another one: the least that holds it.
oct_bounds oct_solid_list_turned(const solid_list *list, uint32_t from, uint32_t to,
                                 const oct_bounds *box);
// A box of a frame as a piece in the world.
oct_piece oct_solid_list_piece(const solid_frame *frame, const oct_bounds *box);

// What is left of a box of a frame outside of the boxes of that frame. What falls into very many
// pieces is taken as one.
void oct_solid_list_cut(const solid_frame *frame, const oct_bounds *box, piece_list *out);
// How much of a box of a frame all else fills.
solid_cover oct_solid_list_cover(const solid_list *list, uint32_t frame, const oct_bounds *box);
// Whether the way from one place of the world to another meets something solid.
bool oct_solid_list_meet(const solid_list *list, oct_point from, oct_point to);

#endif
