// SPDX-License-Identifier: MIT
// A footing's insides: columns with their places, and the last flood.
//
// Inside, points are (u, v, h): two axes of the ground and the height, a cyclic change of the
// world's axes.
#ifndef OCTANT_FOOTING_INTERNAL_H
#define OCTANT_FOOTING_INTERNAL_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "octant/footing.h"

#define FOOTING_NONE UINT32_MAX
// Heights that differ by less are one, metres.
#define FOOTING_SAME 1e-6

typedef struct footing_point {
    double u, v, h;
} footing_point;

// What of a thing is beside or under a place.
typedef struct footing_slab {
    double lo, hi;         // within the body's radius and margin; of a box all of it
    double top;            // under the middle of the column, if it is there: else the highest
    double gu, gv;         // how fast the top rises
    double u0, u1, v0, v1; // of a box: where it is, about the middle
    uint32_t first_face, face_count; // of what is shaped
    bool is_under;                   // the middle of the column
    bool is_firm;                    // it can be stood on
} footing_slab;

// A face of what is shaped, cut by a prism around the middle of the column.
typedef struct footing_face {
    uint32_t first, count; // of `cut`: places about the middle
    double top, gu, gv;    // its plane at the middle, and how fast that rises, if it looks up
    bool is_walkable;      // it looks up, and is no steeper than the slope
} footing_face;

// Ground under the middle of a column, and how fast it rises.
typedef struct footing_ground {
    double h, gu, gv;
} footing_ground;

typedef struct footing_column {
    int32_t i, j;
    uint32_t first, count; // of its places
    bool is_made;          // and nothing has changed since
} footing_column;

typedef struct footing_place {
    uint32_t column;
    double h;
    double gu, gv;       // how fast the ground rises; both 0 = it is level
    bool is_known;       // all that the body fills there was seen; once true it stays so
    uint64_t unknown_at; // else the revision of what was seen when it was asked last, and 1
    // Where it gets by jumping or dropping, as of a revision of things and of what was seen.
    uint32_t first_leap, leap_count;
    uint64_t leaps_of, leaps_known;
} footing_place;

typedef struct footing_leap {
    uint32_t to;
    oct_stride stride;
    double speed, cost;
} footing_leap;

// What a flood knows of a place.
typedef struct footing_node {
    uint32_t flood; // that reached it
    uint32_t parent;
    double cost;
    oct_stride stride;
    double speed;
    bool is_done, is_one_way;
} footing_node;

struct oct_footing {
    oct_allocator allocator;
    const oct_map *map;
    const oct_tree *known; // NULL = everything
    oct_box bounds;
    bool is_bounded;
    int axis[3]; // of the world: u, v, h
    oct_walker walker;
    bool (*is_ground)(void *ctx, const oct_thing *thing); // NULL = all is
    void *ctx;
    double cell, origin[3]; // of u, v, h
    double sine, cosine;    // of the slope

    key_table table;        // columns by (i, j)
    oct_array columns;      // of footing_column
    oct_array places;       // of footing_place; those of columns that changed are dead
    oct_array leaps;        // of footing_leap
    oct_array slabs;        // of footing_slab: scratch, as are
    oct_array faces;        // of footing_face
    oct_array cut;          // of footing_point
    uint32_t dead;          // places
    uint64_t changes;       // of things
    double lowest, highest; // of what there is, as of a revision of the map
    uint64_t extent_of;

    oct_array nodes; // of footing_node, by place
    oct_array order; // of uint32_t: places in the order in which they were reached
    oct_heap heap;
    uint32_t flood; // the last one; 0 = none
    uint32_t source;
    uint64_t flood_of, flood_known; // changes and what was seen then
    oct_array legs;                 // of oct_footing_leg
    oct_array row;                  // of uint32_t: the places of a way
};

static inline double footing_axis(oct_point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static inline footing_point footing_own(const oct_footing *f, oct_point p)
{
    return (footing_point){footing_axis(p, f->axis[0]), footing_axis(p, f->axis[1]),
                           footing_axis(p, f->axis[2])};
}

static inline oct_point footing_world(const oct_footing *f, footing_point p)
{
    double w[3];
    w[f->axis[0]] = p.u;
    w[f->axis[1]] = p.v;
    w[f->axis[2]] = p.h;
    return (oct_point){w[0], w[1], w[2]};
}

static inline footing_column *footing_column_at(const oct_footing *f, uint32_t column)
{
    return (footing_column *)f->columns.items + column;
}

static inline footing_place *footing_place_at(const oct_footing *f, uint32_t place)
{
    return (footing_place *)f->places.items + place;
}

static inline bool footing_is_level(const footing_place *p)
{
    return p->gu == 0.0 && p->gv == 0.0;
}

static inline uint64_t footing_seen(const oct_footing *f)
{
    return f->known ? oct_tree_revision(f->known) : 0;
}

// The middle of a column on the ground of height h.
static inline footing_point footing_middle(const oct_footing *f, const footing_column *c, double h)
{
    return (footing_point){f->origin[0] + (c->i + 0.5) * f->cell,
                           f->origin[1] + (c->j + 0.5) * f->cell, h};
}

static inline footing_point footing_stand(const oct_footing *f, uint32_t place)
{
    const footing_place *const p = footing_place_at(f, place);
    return footing_middle(f, footing_column_at(f, p->column), p->h);
}

// ---- footing_room.c: what is in the way ----

// Whether no thing is within the radius and margin of a place from one height to another.
bool oct_footing_is_free(const oct_footing *f, footing_point at, double lo, double hi);
// Whether all that the body fills there was seen, from one height to another.
bool oct_footing_is_known(const oct_footing *f, footing_point at, double lo, double hi);
// What is beside or under a place, into `slabs`.
oct_result oct_footing_gather(oct_footing *f, footing_point at);

// ---- footing_shapes.c: what is not upright ----

// Whether a thing is taken as it is shaped; else it is its box.
bool oct_footing_is_shaped(const oct_footing *f, const oct_thing *thing);
// Whether a shape is within a radius of a place between two heights.
bool oct_footing_shape_is_between(const oct_footing *f, const oct_shape *shape, footing_point at,
                                  double radius, double lo, double hi);
// Adds slabs of what of a shape is within a radius of a place.
oct_result oct_footing_gather_shape(oct_footing *f, const oct_shape *shape, footing_point at,
                                    double radius, bool is_firm);
// The highest edge that a body gets up from ground that rises so fast. A ball gets over an edge
// where that touches it no steeper than ground may be: on level ground an edge as high as the step.
double oct_footing_step(const oct_footing *f, double gu, double gv);
// Whether a body stands on ground in the middle of the slabs.
bool oct_footing_can_stand(const oct_footing *f, const footing_ground *ground);

// ---- footing.c: columns and places ----

// The column at (i, j), made; FOOTING_NONE out of range or bounds.
oct_result oct_footing_column_of(oct_footing *f, int32_t i, int32_t j, uint32_t *column);
// Whether a place was all seen.
bool oct_footing_place_is_known(oct_footing *f, uint32_t place);
// The place of a column whose height is nearest to one, within limits; FOOTING_NONE.
oct_result oct_footing_nearest(oct_footing *f, int32_t i, int32_t j, double h, double above,
                               double below, uint32_t *place);
// The place of a column that one walks to from another place near by; FOOTING_NONE. Where their
// ground is level the heights differ by no more than a step; else the planes of both do, somewhere
// between the middles.
oct_result oct_footing_joined(oct_footing *f, uint32_t from, int32_t i, int32_t j, uint32_t *place);
// Whether one walks from a place to the neighbouring column: to which place; FOOTING_NONE.
oct_result oct_footing_walk(oct_footing *f, uint32_t from, int di, int dj, uint32_t *to);

// A place as callers see it; the column that holds a point, false beyond the lattice.
oct_foothold oct_footing_hold(const oct_footing *f, uint32_t place);
bool oct_footing_column_index(const oct_footing *f, footing_point at, int32_t *i, int32_t *j);
// Whether it is straight ground from one point to another, at most so much beside the middles of
// columns, in cells.
oct_result oct_footing_is_straight(oct_footing *f, footing_point from, footing_point to,
                                   double slack, bool *is);
// Forgets everything where more is dead than alive: numbers of places change.
void oct_footing_tidy(oct_footing *f);

// ---- footing_leaps.c: jumps and drops ----

// The speed at which a body that leaves the ground at `from` lands at `to`; false where it does
// not, as far as is known.
bool oct_footing_jump(oct_footing *f, footing_point from, footing_point to, double *speed);
// The same for walking off an edge.
oct_result oct_footing_drop(oct_footing *f, footing_point from, footing_point to, double *speed,
                            bool *found);
// Brings the leaps of a place up to date.
oct_result oct_footing_leaps(oct_footing *f, uint32_t place);

#endif
