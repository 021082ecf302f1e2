// SPDX-License-Identifier: MIT
/// \file
/// A map of a world of things: static geometry, things with ids, and what was observed.
///
/// A map keeps three facts of every cell apart: whether it was observed, whether static geometry is
/// there, and which things cover it. A cell's label is BLOCKED where static geometry or a BLOCKED
/// thing is; else UNKNOWN where an UNKNOWN thing is (a door after its button was pressed); else
/// OPEN where it was observed; else UNKNOWN. So removing a thing brings back what is underneath.
///
/// Things are boxes in the world, or shapes of convex pieces (boxes that are turned, hulls,
/// triangles), grown on every side by the map's padding: the body that moves through the world may
/// then be taken for a point. They may touch, overlap and have any size. Upright boxes cost nothing
/// for what else there may be.
///
/// The cells are held by an octree, oct_map_tree(), which answers all questions about them.
///
/// Threading: one writer or many readers. Functions that take a `const oct_map *` only read. No
/// question allocates. At two dimensions z is ignored in arguments and 0 in results.
#ifndef OCTANT_MAP_H
#define OCTANT_MAP_H

#include "octant/body.h"
#include "octant/cells.h"

typedef struct oct_map oct_map;

// ---- life ----

/// How to create a map. Start from oct_map_def_default().
typedef struct oct_map_def {
    double cell_size;  ///< edge of the finest cell, metres; > 0; default 1
    oct_point origin;  ///< world position of lattice point 0, metres; default 0
    oct_point padding; ///< what things grow by on each side, metres; >= 0; default 0
    /// What is not upright grows by a ball of radius padding.x (of padding.y and .z the same), not
    /// by a box: for bodies that fit into that ball; default false.
    bool is_ball;
    uint32_t dims;                  ///< 3 or 2; default 3
    uint32_t journal;               ///< changes remembered, at most 2^20; default 256
    const oct_allocator *allocator; ///< copied; NULL = malloc
    const oct_executor *executor;   ///< copied; for large observations; NULL = the calling thread
    uint32_t cookie;                ///< set by the default; do not touch
} oct_map_def;

OCT_API oct_map_def oct_map_def_default(void);

/// Creates a map that is UNKNOWN everywhere. On failure *out is NULL.
OCT_API oct_result oct_map_create(const oct_map_def *def, oct_map **out);

/// Frees a map; NULL is allowed.
OCT_API void oct_map_destroy(oct_map *map);

OCT_API oct_point oct_map_padding(const oct_map *map);

/// The octree that holds the cells, with the things' labels on top; never NULL. It lives as long as
/// the map, and its journal tells what has changed in the map.
OCT_API const oct_tree *oct_map_tree(const oct_map *map);

// ---- things ----

/// A thing in the world.
typedef struct oct_thing {
    uint64_t id;    ///< the caller's; any number
    oct_bounds box; ///< its true box, not padded, metres; min <= max
    uint8_t label;  ///< BLOCKED; UNKNOWN: may or may not be in the way; OPEN: is not in the way
    uint8_t opaque; ///< hides what is behind it (glass does not)
    uint16_t tag;   ///< the caller's; kept
    /// What it fills of its box; NULL, or a shape without pieces = all of it. Copied; in answers
    /// it is the map's, until the thing changes.
    const oct_shape *shape;
} oct_thing;

// On failure nothing has changed. Each costs what its box touches. A thing's box has to fit into
// the lattice: else OCT_ERROR_RANGE.

/// Adds a thing. OCT_ERROR_EXISTS where the id is taken.
OCT_API oct_result oct_map_add(oct_map *map, const oct_thing *thing);
/// Removes, moves, relabels a thing. OCT_ERROR_ABSENT where there is none of that id. What is moved
/// is its new box from then on; a shape is moved by oct_map_put().
OCT_API oct_result oct_map_remove(oct_map *map, uint64_t id);
OCT_API oct_result oct_map_move(oct_map *map, uint64_t id, oct_bounds box);
OCT_API oct_result oct_map_relabel(oct_map *map, uint64_t id, oct_label label);
/// Adds a thing, or puts it in the place of the one that has its id.
OCT_API oct_result oct_map_put(oct_map *map, const oct_thing *thing);

/// How many things there are.
OCT_API size_t oct_map_things(const oct_map *map);

/// The thing with an id; false if there is none.
OCT_API bool oct_map_thing(const oct_map *map, uint64_t id, oct_thing *out);

/// Called for each thing; return false to stop.
typedef bool oct_thing_fn(void *ctx, const oct_thing *thing);

/// Visits the things whose padded boxes share a cell with a box of cells, OPEN ones included, in an
/// order that depends only on the calls so far. Returns false if `visit` stopped it.
OCT_API bool oct_map_things_in(const oct_map *map, oct_box cells, oct_thing_fn *visit, void *ctx);

/// The cells that a box covers as a thing: those that share inner points with it, padded. Empty
/// where it leaves the lattice.
OCT_API oct_box oct_map_cover(const oct_map *map, oct_bounds box);
/// Whether a thing of the map, if it is not OPEN, covers a cell: its padded shape does. False where
/// there is none of that id.
OCT_API bool oct_map_covers(const oct_map *map, uint64_t id, oct_vec cell);

// ---- what lies underneath ----

/// Marks static geometry and what was observed in a box of cells, as oct_tree_set_box does; things
/// stay on top.
OCT_API oct_result oct_map_set_box(oct_map *map, oct_box cells, oct_mark mark);

/// The same for the cells of a box in the world, metres, not padded.
OCT_API oct_result oct_map_set_world_box(oct_map *map, oct_bounds box, oct_cover cover,
                                         oct_mark mark);

/// Makes everything UNKNOWN that shares no inner point with a ball in the world, and removes the
/// things that cover no cell of it: what an agent does that remembers only its surroundings.
OCT_API oct_result oct_map_keep(oct_map *map, oct_point centre, double radius);

// ---- observation ----

typedef enum oct_sight {
    OCT_SIGHT_LINE,   ///< what a player would see
    OCT_SIGHT_THROUGH ///< everything within the radius
} oct_sight;

/// One look around.
typedef struct oct_view {
    oct_point centre; ///< of the body, metres
    double radius;    ///< metres, >= 0; in line of sight at most OCT_SIGHT_CELLS_MAX cells
    oct_sight sight;
    oct_point forward; ///< where it looks, of any length but 0; for a field of view
    double fov; ///< all of the angle that it sees, radians; 0 (or 2 pi, or more) = all around
} oct_view;

#define OCT_SIGHT_CELLS_MAX 512

/// What an observation found out about a thing that was passed to it.
typedef enum oct_look { OCT_LOOK_FAR, OCT_LOOK_HIDDEN, OCT_LOOK_SEEN } oct_look;

/// What an observation did to the map's things.
typedef struct oct_seen {
    size_t added;   ///< seen for the first time
    size_t changed; ///< seen again, and not as it was
    size_t same;    ///< seen again as it was
    size_t removed; ///< gone: the map had it, it would be seen, and it is not there
    size_t hidden;  ///< within the radius, but not seen
    uint64_t cells; ///< that were observed now (whether or not they had been before)
} oct_seen;

/// Observes, as one change. `things` are all that are within the radius, each once; others among
/// them are passed over.
///
/// A cell is seen if the way to it, along the segment from the centre to the middle of the cell,
/// meets nothing opaque before it gets there. What the centre is in hides nothing. What is
/// opaque and OPEN (a coin, a curtain, mist) hides what is behind it, but not the cells whose
/// middles it holds, and nothing from a body that is within two cells of touching it. A thing is
/// seen if one of its cells within the radius is (of its true shape), or the middle of a side that
/// is turned to the centre (of a hull or a triangle: the middle of its corners). Things that are
/// seen enter whole; one that the map has, that would be seen and is not there (it has gone, or has
/// moved out of sight), is removed; what is hidden stays as it was. See-through sees everything.
///
/// With a field of view only what lies in a cone around the way forward is seen: cells by their
/// middles. What is so near that a body in the next cell would touch it (within the padding and two
/// cells) is felt, wherever it is: so a body knows where it stands, and what is next to it. A
/// radius of more than OCT_SIGHT_CELLS_MAX cells is then out of range see-through, too.
///
/// A cell becomes observed where it, grown by the padding, lies within the radius and on seen cells
/// alone. So every thing that would cover it has been seen: nothing becomes OPEN that was not
/// observed. (Of a map whose cells agents have halved it is grown by the ball, if that is its
/// padding: then only a thing that such a body does not touch may cover it later.) On failure
/// nothing has changed. `seen` may be NULL.
OCT_API oct_result oct_map_observe(oct_map *map, const oct_view *view, const oct_thing *things,
                                   size_t count, oct_seen *seen);

/// What the last observation or look that succeeded found out: an oct_look for each thing that was
/// passed; the map's, until the next.
OCT_API const uint8_t *oct_map_looks(const oct_map *map);

/// Where a ray meets something.
typedef struct oct_ray_hit {
    oct_leaf leaf;   ///< what it meets
    oct_point at;    ///< where it enters that, metres; the start if it begins inside
    double distance; ///< from the start, metres
} oct_ray_hit;

/// The first leaf with one of the labels that the segment from `from` to `to`, in metres, enters.
/// Ends are taken to the nearest point of the sub-lattice (1/256 cell); from there on it is exact.
/// Leaves outside the tree's root are not met. False where there is none, or an end leaves the
/// lattice. Costs the leaves that the segment passes.
OCT_API bool oct_map_raycast(const oct_map *map, oct_point from, oct_point to, oct_labels labels,
                             oct_ray_hit *hit);

// ---- measures ----

/// Bytes that the map holds, at capacity.
typedef struct oct_map_bytes {
    size_t cells;  ///< the octree, with what is underneath
    size_t things; ///< the index of things
} oct_map_bytes;

OCT_API oct_map_bytes oct_map_measure(const oct_map *map);

/// Packs everything into as little memory as it needs. Changes no label.
OCT_API oct_result oct_map_shrink(oct_map *map);

#endif
