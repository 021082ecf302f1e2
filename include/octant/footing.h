// SPDX-License-Identifier: MIT
/// \file
/// Footing: where a body can stand in a map, and how it gets from place to place on foot.
///
/// The ground is cut into *columns*, as wide as a cell of the map. In the middle of a column a body
/// can *stand* on the top of each thing that is under it, with room for the body around and above.
/// Heights are those of the things, not of cells. Turned boxes, hulls and triangles are taken as
/// they are shaped: a body stands on faces that are no steeper than its slope, and walks from one
/// to another where they meet, or one is a step above the other. On a slope that step is lower, as
/// for a ball that rolls over an edge; on the steepest one there is none. On a slope it neither
/// jumps nor drops. For a body without a slope they are in the way with their whole boxes, as are
/// hulls of more than 24 points. What is UNKNOWN is in the way.
///
/// A body gets from one place to another by *walking* (to the next column, up or down by a step),
/// by *jumping* (in an arc to a place that is beyond a gap, higher or lower), or by *dropping* off
/// an edge. Only what is known is used: a place is used where all cells that the body would fill
/// were seen, and so is a jump. Nothing here tells what is excluded.
///
/// Columns are looked at when they are asked for, and kept until something changes there.
/// Threading: a footing belongs to one thread and borrows a map that nobody writes during a call.
#ifndef OCTANT_FOOTING_H
#define OCTANT_FOOTING_H

#include "octant/formats.h"
#include "octant/map.h"

typedef struct oct_footing oct_footing;

/// What a body on foot can do, in the units of the map and seconds.
typedef struct oct_walker {
    double radius;  ///< of the upright cylinder that holds it; > 0
    double height;  ///< of it; > 0
    double margin;  ///< that it keeps from what is beside it; >= 0
    double step;    ///< highest edge that it gets up by walking; >= 0
    double slope;   ///< steepest ground that it stands on, degrees, 0 to 80; 0 = level ground alone
    double speed;   ///< at most; > 0
    double jump;    ///< speed upwards at the start of a jump; 0 = it does not jump
    double climb;   ///< highest ledge that it gets onto by jumping; >= 0
    double leap;    ///< farthest jump, from middle to middle; >= 0
    double gravity; ///< that pulls it down; 0 = it neither jumps nor drops
    double drop;    ///< deepest fall that it takes on purpose; >= 0
    double tick;    ///< of the game, seconds: how exact arcs are; > 0
} oct_walker;

/// How to create a footing. Start from oct_footing_def_default().
typedef struct oct_footing_def {
    const oct_map *map;    ///< of three dimensions; borrowed; must be there
    const oct_tree *known; ///< what was seen: all cells that are not UNKNOWN; borrowed; NULL = all
    const oct_box *bounds; ///< cells in which it stands; copied; NULL (default) = everywhere
    oct_up up;             ///< default Z
    oct_walker walker;     ///< a body of 1.8 m that steps 0.3 m and does not jump
    /// Whether one may stand on a thing, which is BLOCKED and upright; NULL = on all.
    bool (*is_ground)(void *ctx, const oct_thing *thing);
    void *ctx;                      ///< handed to it
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_footing_def;

OCT_API oct_footing_def oct_footing_def_default(void);
/// On failure *out is NULL.
OCT_API oct_result oct_footing_create(const oct_footing_def *def, oct_footing **out);
OCT_API void oct_footing_destroy(oct_footing *footing);

/// Things changed within a box of the world: what was known of the columns there is forgotten.
OCT_API void oct_footing_change(oct_footing *footing, oct_bounds box);

/// A place to stand.
typedef struct oct_foothold {
    oct_vec column;  ///< its cell; along the up axis 0
    oct_point feet;  ///< in the middle of the column, on the ground
    uint32_t number; ///< the footing's own
    bool is_sloped;  ///< the ground is not level there
} oct_foothold;

/// The place in the column of a point whose ground is nearest to it in height, at most `above`
/// over it and `below` under it. On a slope a body stands as much further above the ground as that
/// changes within its radius. *found is false where there is none, or where it was not all seen.
OCT_API oct_result oct_footing_find(oct_footing *footing, oct_point at, double above, double below,
                                    oct_foothold *out, bool *found);

/// How a body gets to the next place.
typedef enum oct_stride { OCT_STRIDE_WALK, OCT_STRIDE_JUMP, OCT_STRIDE_DROP } oct_stride;
/// "walk", "jump", "drop"; NULL beyond the last.
OCT_API const char *oct_stride_name(oct_stride stride);

/// One leg of a way.
typedef struct oct_footing_leg {
    oct_point to;      ///< where the feet are then
    oct_stride stride; ///< how it gets there
    double speed;      ///< at which it leaves the ground, of JUMP and DROP
} oct_footing_leg;

/// Finds all that can be reached from a place, by the shortest ways; what is dropped off for good
/// comes last. Costs nothing where nothing has changed since it was asked from the same place.
OCT_API oct_result oct_footing_flood(oct_footing *footing, const oct_foothold *from);
/// How many places the last flood reached, and one of them, in the order of their ways' lengths.
OCT_API size_t oct_footing_reached(const oct_footing *footing);
OCT_API oct_foothold oct_footing_reached_at(const oct_footing *footing, size_t index,
                                            double *length);
/// Whether the last flood reached a place, and how long the way is; false where things changed
/// since.
OCT_API bool oct_footing_reaches(const oct_footing *footing, const oct_foothold *to,
                                 double *length);
/// Whether the way to a place that was reached cannot be gone back: it drops.
OCT_API bool oct_footing_is_one_way(const oct_footing *footing, const oct_foothold *to);
/// The way to a place that was reached; legs are the footing's until the next call. Straight legs
/// of walking are as long as they can be.
OCT_API oct_result oct_footing_way(oct_footing *footing, const oct_foothold *to,
                                   const oct_footing_leg **legs, size_t *count, double *length);

/// How a body that stands with its feet at a point gets straight to another one: false where it
/// does not, as far as is known.
OCT_API oct_result oct_footing_leg_between(oct_footing *footing, oct_point from, oct_point to,
                                           oct_footing_leg *out, bool *found);

/// Whether a body at a place stands next to something that was not seen: beside it, where its feet
/// or its head would come, or below an edge.
OCT_API bool oct_footing_is_edge_of_known(oct_footing *footing, const oct_foothold *at);

#endif
