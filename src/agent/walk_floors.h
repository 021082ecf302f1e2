// SPDX-License-Identifier: MIT
// Floors that a body on foot may stand on, on the columns of a lattice, and what was reached of
// them and of the space above. For walk_space.c.
#ifndef OCTANT_WALK_FLOORS_H
#define OCTANT_WALK_FLOORS_H

#include "agent/walk_space.h"

// How much a body may stand off from where arithmetic puts it: skins, snapping, rounding. Metres.
#define WALK_SKIN 0.1

enum {
    WALK_FREE = 1,    // the ball may be in the cell
    WALK_REACHED = 2, // and the body gets there on foot
    WALK_WILD = 4,    // there may be floor anywhere in the cell
    WALK_UNSEEN = 8,  // because it was not seen
    WALK_TOUCH = 16,  // a body whose centre is in it may stand on something
};

// What was got to of the floors of one height.
typedef struct walk_plane {
    double height;
    uint8_t *columns; // of columns: 1 = got to; NULL = none
    uint8_t *in;      // bits of cells: they were visited
    double *land;     // of columns: the highest floor that may be landed on from it
    double *air;      // of columns: the highest that a body may be above, feet
    oct_array cells;  // of uint32_t: those
    bool is_left;     // all that is got to from it was found, once
    size_t done;      // of the cells: gone through when it was left last
    bool is_new;      // a column or cell was added since it was left
} walk_plane;

// A floor, of the columns from..to on both axes.
typedef struct walk_floor {
    int32_t from[2], to[2];
    uint32_t height;
} walk_floor;

typedef struct walk_floors {
    oct_allocator allocator;
    const config_space *space;
    walk_limits limits;
    double cell, origin[3]; // of the two level axes, then upwards
    oct_box box;            // cells that are looked at
    int32_t least[3];       // the first of them on each axis
    int32_t size[3];        // columns, columns, layers
    double bottom;          // of the lowest layer, metres
    uint8_t *cells;         // [(layer * size[1] + b) * size[0] + a]: bits
    walk_plane *planes;     // by height, ascending
    uint32_t height_count;
    uint32_t *first,
        *on; // floors of each column: heights on[first[column]] up to first[column + 1]
    size_t on_count;
    uint32_t *tops;    // of layers: the height at which each ends
    int32_t beside;    // columns around one in which it may stand on something
    oct_array floors;  // of walk_floor, in the making
    oct_array heights; // of double, in the making
    uint64_t work;     // steps that may still be taken
    uint32_t unseen;   // floors that were got to and not seen
    uint64_t bytes;    // of the planes
    oct_result result;
} walk_floors;

// So many steps are taken; false where too few are left.
static inline bool walk_takes(walk_floors *f, uint64_t steps)
{
    f->work = steps < f->work ? f->work - steps : 0;
    return f->work > 0;
}

// OCT_ERROR_RANGE where it cannot be told where floors are.
oct_result oct_walk_floors_make(walk_floors *f, const config_space *s, const walk_limits *limits);
void oct_walk_floors_free(walk_floors *f);

typedef void walk_floor_fn(void *ctx, uint32_t height, size_t column, size_t cell, double lowest);
// Calls for each floor that a body may stand on whose centre is in a cell; it may be as low as
// `lowest`.
void oct_walk_floors_under(const walk_floors *f, size_t cell, walk_floor_fn *visit, void *ctx);

// A floor was got to, by a body in a cell.
oct_result oct_walk_floors_land(walk_floors *f, uint32_t height, size_t column, size_t cell);
// A cell was got to from a floor of a height.
oct_result oct_walk_floors_visit(walk_floors *f, uint32_t height, size_t cell);
// Whether something of a height is new; then it is not any longer.
bool oct_walk_floors_take(walk_floors *f, uint32_t height);
// Widens what is marked of columns, and of a row of scratch after them, by what a body stands
// beside.
void oct_walk_floors_widen(const walk_floors *f, uint8_t *columns);
// The cells of a row from one on.
oct_box oct_walk_floors_cells(const walk_floors *f, size_t first, int32_t count);

static inline double walk_height(const walk_floors *f, uint32_t height)
{
    return f->planes[height].height;
}

static inline const uint8_t *walk_columns(const walk_floors *f, uint32_t height)
{
    return f->planes[height].columns;
}

static inline size_t walk_visited(const walk_floors *f, uint32_t height)
{
    return f->planes[height].cells.count;
}

static inline size_t walk_visited_at(const walk_floors *f, uint32_t height, size_t i)
{
    return ((const uint32_t *)f->planes[height].cells.items)[i];
}

// Where a layer begins.
static inline double walk_layer(const walk_floors *f, int32_t layer)
{
    return f->origin[2] + ((double)f->least[2] + layer) * f->cell;
}

#endif
