// SPDX-License-Identifier: MIT
/// \file
/// Worlds: things with ids, types and true boxes, as level files describe them.
///
/// A world is what is there, not what is known of it: oct_map_observe and oct_map_add take its
/// things into a map. World coordinates are the game's own, in metres.
///
/// Everything in a world is sound: numbers are finite, names are UTF-8. What would break that is
/// OCT_ERROR_ARGUMENT, what exceeds a limit OCT_ERROR_RANGE; on failure nothing has changed.
///
/// Threading: one writer or many readers.
#ifndef OCTANT_WORLD_H
#define OCTANT_WORLD_H

#include "octant/formats.h"
#include "octant/map.h"

/// Limits: blocks and types of a world, bytes of a name.
#define OCT_WORLD_BLOCKS_MAX (UINT32_C(1) << 24)
#define OCT_WORLD_TYPES_MAX (UINT32_C(1) << 16)
#define OCT_WORLD_NAME_MAX 1023
/// What directions may be off by: in length, and from a right angle to each other (its cosine).
#define OCT_WORLD_UNIT_SLACK 1e-3

typedef struct oct_world oct_world;

/// What things have in common.
typedef struct oct_world_type {
    const char *name; ///< the world's; unique in it, never empty
    bool opaque;      ///< hides what is behind it
} oct_world_type;

/// One thing of a world.
typedef struct oct_world_block {
    uint64_t id;      ///< unique in the world
    const char *name; ///< the world's; "" where it has none
    oct_bounds box;   ///< true box, metres; min <= max
    uint32_t type;    ///< index of its type
    uint32_t grid;    ///< which rigid whole it is part of, the world's numbers; 0 where unstated
    uint8_t label;    ///< BLOCKED; OPEN for an open door; UNKNOWN
} oct_world_block;

/// Where someone stands and which way they look.
typedef struct oct_pose {
    oct_point position;
    oct_point forward, up; ///< unit vectors at a right angle
} oct_pose;

/// Creates an empty world; the allocator is copied, NULL = malloc. On failure *out is NULL.
OCT_API oct_result oct_world_create(const oct_allocator *allocator, oct_world **out);
/// Frees a world; NULL is allowed.
OCT_API void oct_world_destroy(oct_world *world);

/// The world's name; never NULL. Copied.
OCT_API const char *oct_world_name(const oct_world *world);
OCT_API oct_result oct_world_set_name(oct_world *world, const char *name);

/// Which axis is up, and the handedness; default Z, right-handed.
OCT_API oct_up oct_world_up(const oct_world *world);
OCT_API bool oct_world_left_handed(const oct_world *world);
OCT_API oct_result oct_world_set_axes(oct_world *world, oct_up up, bool left_handed);

/// Where the agent starts (its body's feet); false if the world does not say.
OCT_API bool oct_world_start(const oct_world *world, oct_pose *out);
OCT_API oct_result oct_world_set_start(oct_world *world, const oct_pose *start);

/// The box that the world is meant to fill, where it says so: blocks may lie beyond it.
OCT_API bool oct_world_bounds(const oct_world *world, oct_bounds *out);
OCT_API oct_result oct_world_set_bounds(oct_world *world, oct_bounds bounds);

/// The width of the narrowest passage that should stay open, metres; 0 = not stated.
OCT_API double oct_world_passage(const oct_world *world);
OCT_API oct_result oct_world_set_passage(oct_world *world, double width);

/// Adds a type, or finds the one of that name (which must then be as opaque: else
/// OCT_ERROR_ARGUMENT). The name is copied. `index` may be NULL.
OCT_API oct_result oct_world_add_type(oct_world *world, const char *name, bool opaque,
                                      uint32_t *index);
OCT_API size_t oct_world_types(const oct_world *world);
OCT_API oct_world_type oct_world_get_type(const oct_world *world, uint32_t index);
/// The index of the type with a name; false if there is none.
OCT_API bool oct_world_find_type(const oct_world *world, const char *name, uint32_t *index);

/// Adds a block; its name is copied and may be NULL. OCT_ERROR_EXISTS where the id is taken.
OCT_API oct_result oct_world_add(oct_world *world, const oct_world_block *block);
OCT_API size_t oct_world_blocks(const oct_world *world);
/// Block by index, in the order of adding.
OCT_API oct_world_block oct_world_get(const oct_world *world, size_t index);
/// The index of the block with an id; false if there is none.
OCT_API bool oct_world_find(const oct_world *world, uint64_t id, size_t *index);

/// A block as a map takes it; its tag is the type's index. One that is OPEN hides nothing, whatever
/// its type: an open door.
OCT_API oct_thing oct_world_thing(const oct_world *world, size_t index);

/// The smallest box that holds all blocks, and the world's bounds where it states them; all zero
/// for neither. Constant time.
OCT_API oct_bounds oct_world_extent(const oct_world *world);

/// Adds every block to a map; on failure those before it stay, and *index (may be NULL) is the one
/// that failed.
OCT_API oct_result oct_world_add_to(const oct_world *world, oct_map *map, size_t *index);

#endif
