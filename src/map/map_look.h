// SPDX-License-Identifier: MIT
// One look around, shared by the files that work on it.
#ifndef OCTANT_MAP_LOOK_H
#define OCTANT_MAP_LOOK_H

#include "map/map.h"
#include "map/sight_index.h"

typedef struct look {
    oct_map *map;
    const oct_view *view;
    const oct_thing *things; // that were passed
    size_t count;
    // Cells of a look are those that sight is decided in.
    oct_point eye;   // in cells
    double radius;   // in cells
    oct_vec reach;   // cells on each side that a body in a cell may reach into
    bool has_bits;   // what is seen is told cell by cell: in line of sight, or in a field of view
    bool has_cone;   // there is a field of view
    sight_cone cone; // it
    sight sight;     // where there are bits
    bool has_index;
    sight_index index;    // of its boxes, where there are many
    bit_grid seen;        // likewise
    bool is_repeated;     // the map's last look was the same
    thing_shape **shapes; // of each thing that was passed; NULL = all are boxes
    uint8_t *looks;       // at each thing that was passed
    uint32_t *ids;        // table of the things within the radius: index + 1, by id
    uint32_t id_mask;     // its size - 1
    oct_seen result;
} look;

static inline sight_box to_cells(const oct_map *map, const oct_bounds *box)
{
    const oct_point lo = oct_map_to_sight(map, box->min), hi = oct_map_to_sight(map, box->max);
    return (sight_box){{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
}

// What is opaque, and nobody's obstacle.
static inline bool look_is_soft(const oct_thing *t)
{
    return t->opaque && t->label == OCT_OPEN;
}

// ---- map_look.c: what a look is made of ----

// Whether a box is within the radius, and the thing of an id among those that were passed, or NULL.
bool oct_look_is_within(const look *l, const oct_bounds *box);
const oct_thing *oct_look_find(const look *l, uint64_t id);
// Enters the things within the radius into the table.
oct_result oct_look_enter_things(look *l);
// Finds the shapes of all things within the radius; there are none where all are boxes.
oct_result oct_look_take_shapes(look *l);
void oct_look_drop_shapes(const look *l);
// Lists what is opaque; those that bodies pass through come last.
oct_result oct_look_gather_opaque(look *l);
// All cells that share inner points with the ball; the ball lies inside the lattice.
oct_box oct_look_ball(const look *l);
// Finds the cells that are in sight.
oct_result oct_look_cast(look *l);

// ---- map_known.c: what is known after it ----

oct_result oct_look_mark_known(look *l);
// Cells that were observed.
uint64_t oct_look_count_known(const look *l);

// ---- map_seen.c: what is seen of things ----

// Whether something of a box, or of a shape, is seen: a cell that it fills, or the middle of a
// side. `owner` is its number among the things that were passed, or SIGHT_NO_OWNER; `first` the
// opaque box to try first, see oct_sight_reaches.
bool oct_look_sees(const look *l, const oct_bounds *bounds, const thing_shape *shape,
                   uint32_t owner, uint32_t *first);

#endif
