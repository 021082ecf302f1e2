// SPDX-License-Identifier: MIT
/// \file
/// Worlds made from a seed: large ones to measure and test with.
///
/// The same definition gives the same world, to the bit, everywhere. Blocks are cubes of one
/// lattice that begins at 0; they touch but do not overlap.
/// Threading: nothing here holds state.
#ifndef OCTANT_GENERATE_WORLD_H
#define OCTANT_GENERATE_WORLD_H

#include "octant/world.h"

/// Most obstacles a maze can be asked for, and cubes of svo-random.
#define OCT_GENERATE_MAZE_MAX 20000
#define OCT_GENERATE_SVO_MAX 60000

typedef enum oct_generate_world_kind {
    /// A closed box of glass, 117.5 x 132.5 x 95 m, blocks of 2.5 m. In it float a house in which
    /// one starts, its doorway free, a house around the goal, its door closed, and high above, away
    /// from both, a button panel. "door", "button" and "goal" are types, and names of one block
    /// each.
    OCT_GENERATE_GLASS_BOX,
    /// The same, and walls of glass and armour with holes all over the place. Wherever one can be
    /// without them one can get to.
    OCT_GENERATE_GLASS_MAZE,
    OCT_GENERATE_SVO_RANDOM, ///< 500 m a side, open, with 64 cubes of 10 m in it
    OCT_GENERATE_SVO_WALL,   ///< the same with a wall from side to side, 50 x 10 such cubes
    OCT_GENERATE_WORLD_COUNT
} oct_generate_world_kind;

/// What to make. Start from oct_generate_world_def_default().
typedef struct oct_generate_world_def {
    oct_generate_world_kind kind; ///< default GLASS_BOX
    uint64_t seed;                ///< default 1; a box and a maze of one seed have the same houses
    /// How many obstacles a maze has in its walls, about: 0 (default) = 3000; how many cubes
    /// SVO_RANDOM has: 0 = 64. The others have what they have.
    uint32_t blocks;
    uint32_t cookie; ///< set by the default; do not touch
} oct_generate_world_def;

OCT_API oct_generate_world_def oct_generate_world_def_default(void);

/// The kind's name as the command line has it ("glass-box", ...); NULL beyond the last.
OCT_API const char *oct_generate_world_kind_name(oct_generate_world_kind kind);

/// Makes a world, which is then the caller's; the allocator may be NULL. On failure *out is NULL:
/// OCT_ERROR_ARGUMENT for a definition that makes no sense, OCT_ERROR_RANGE beyond the limits.
OCT_API oct_result oct_world_generate(const oct_generate_world_def *def,
                                      const oct_allocator *allocator, oct_world **out);

#endif
