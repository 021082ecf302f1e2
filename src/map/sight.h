// SPDX-License-Identifier: MIT
// Which cells are seen from a point among opaque boxes.
//
// A cell is seen if the part of the segment from the eye to the cell's centre that lies before the
// cell (the cell's closure and all after it left out) meets no opaque box. Boxes are closed, so
// that no sight slips between two that touch; a box that holds the eye hides nothing. A soft box,
// which a body can pass through (a coin, a curtain, mist), does not hide a cell whose centre it
// holds: its own surface and inside are seen, as far as other boxes let them.
//
// The definition is that of sight.c, to the bit: there every cell is asked by itself. A cast takes
// each box off whole rows of cells (sight_cast.c) and gives the same bits, with any number of
// threads.
#ifndef OCTANT_SIGHT_H
#define OCTANT_SIGHT_H

#include "base/base_internal.h"
#include "octree/cell_set.h"

#define SIGHT_AXES 3

// Lengths are in cells from lattice point 0. They are finite, and at two dimensions z counts for
// nothing.
typedef struct sight_box {
    double lo[SIGHT_AXES], hi[SIGHT_AXES];
} sight_box;

// Something opaque that is not all of its box lies between planes: those of its faces. The points p
// of it have lo <= n p <= hi for each of them.
typedef struct sight_slab {
    double n[SIGHT_AXES]; // about a unit vector
    double lo, hi;
} sight_slab;

#define SIGHT_NO_OWNER UINT32_MAX

typedef struct sight_solid {
    uint32_t first, count; // of the slabs; 0 = it is its box
    uint32_t owner;        // what it is a part of
} sight_solid;

typedef struct sight {
    oct_point eye;
    const sight_box *boxes; // opaque; the last ones are soft
    uint32_t box_count;
    int dims;
    uint32_t soft_count;
    const sight_solid *solids; // for each box what of it is opaque; NULL = all of all of them
    const sight_slab *slabs;
} sight;

OCT_FORCE_INLINE bool sight_is_soft(const sight *s, uint32_t box)
{
    return box >= s->box_count - s->soft_count;
}

// ---- the definition ----

// Whether the eye sees a cell.
bool oct_sight_sees(const sight *s, oct_vec cell);

// Its parts. The way to a cell's centre along one axis:
typedef struct sight_way {
    double length;  // with its sign
    double inverse; // of the length
    double entry;   // after which part of the way the cell begins; 0 or less where it has begun
} sight_way;

void oct_sight_ways(const sight *s, oct_vec cell, sight_way out[SIGHT_AXES]);

// A box relative to the eye; false if it holds the eye. At two dimensions it reaches through z = 0.
bool oct_sight_relative(const sight *s, const sight_box *box, sight_box *out);

// Whether such a box is met before the cell is.
bool oct_sight_meets(const sight_box *relative, const sight_way ways[SIGHT_AXES]);

// Whether such a box holds the cell's centre on one axis, on all.
OCT_FORCE_INLINE bool sight_holds_on(const sight_box *relative, int axis, const sight_way *way)
{
    return relative->lo[axis] <= way->length && way->length <= relative->hi[axis];
}
bool oct_sight_holds(const sight_box *relative, const sight_way ways[SIGHT_AXES]);
// The same of what is not all of its box, with slabs as they are told.
bool oct_sight_solid_holds(const sight *s, const sight_solid *solid);
bool oct_sight_solid_holds_centre(const sight *s, const sight_solid *solid,
                                  const sight_way ways[SIGHT_AXES]);
bool oct_sight_solid_meets(const sight *s, const sight_solid *solid,
                           const sight_way ways[SIGHT_AXES]);

// Whether the eye sees a point past every box but those that equal `except`: the way to it, its end
// left out, meets none. What belongs to `owner` is left out as well (SIGHT_NO_OWNER = nothing). Box
// *first is tried before the others, and becomes the one that was met: what lies side by side is
// mostly hidden by the same one. An index of the boxes (sight_index.h), or NULL, gives the same
// answer sooner.
struct sight_index;
bool oct_sight_reaches(const sight *s, const struct sight_index *index, const double at[SIGHT_AXES],
                       const sight_box *except, uint32_t owner, uint32_t *first);

// ---- a field of view ----

typedef struct sight_cone {
    oct_point forward; // a unit vector
    double cosine;     // of half the angle
    double near;       // up to this distance, in cells, everything is in it
} sight_cone;

// Whether a point, relative to the eye, is in it.
bool oct_sight_cone_holds(const sight_cone *cone, int dims, const double from_eye[SIGHT_AXES]);

// Clears the bits of cells whose middles are not.
void oct_sight_cone_clip(const sight_cone *cone, oct_point eye, int dims, bit_grid *seen);

// ---- many cells at once ----

// Sets the bits of the cells that are seen and clears all others. Only cells of which inner points
// lie `within` cells of the eye are asked for, the rest are 0.
//
// Takes time by rows of cells times the boxes that one behind the other hide some of them, and
// little for what lies behind that. A NULL executor stands for the calling thread.
oct_result oct_sight_cast(const sight *s, double within, const oct_executor *executor,
                          const oct_allocator *allocator, bit_grid *seen);

// Clears every bit that has a cleared one (or the grid's end) within `reach` cells on each axis:
// what is left is surrounded by seen cells on every side. At two dimensions reach.z is 0.
void oct_sight_erode(bit_grid *grid, oct_vec reach);

// The most that a ball may have for a radius, cells.
#define SIGHT_BALL_MAX 15

// Sets in a grid of the same size the bits of cells from no point of which a ball of a radius (in
// cells) reaches into a cell whose bit is cleared, or beyond the grid. `row` has room for a row.
void oct_sight_erode_ball(const bit_grid *from, double radius, uint64_t *row, bit_grid *to);

#endif
