// SPDX-License-Identifier: MIT
// Names that somebody wrote who knows the world: whether it has them, and which were meant.
#ifndef OCTANT_WORLD_NAMES_H
#define OCTANT_WORLD_NAMES_H

#include "octant/world.h"

// Whether a block is called so.
bool oct_world_has_name(const oct_world *world, const char *name);
// Whether a block, or a block of the toolbar, is of a type that is called so (oct_world_type_is).
bool oct_world_has_type(const oct_world *world, const char *words);

// The name of a block that was probably meant: the same but for upper and lower case, or with the
// fewest typing mistakes, if those are few. NULL if there is none. The world's.
const char *oct_world_nearest_name(const oct_world *world, const char *name);
// The same for types of blocks.
const char *oct_world_nearest_type(const oct_world *world, const char *words);

#endif
