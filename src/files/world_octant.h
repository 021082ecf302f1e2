// SPDX-License-Identifier: MIT
// What the halves of our own world format share: the frame, types and blocks (world_octant.c), what
// makes a world a game (world_octant_parts.c), and boxes of blocks (world_fills.c).
#ifndef OCTANT_WORLD_OCTANT_H
#define OCTANT_WORLD_OCTANT_H

#include "base/words.h"
#include "files/world_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// ---- in ----

// Refuses what is no object, and keys that are not among these.
oct_result oct_octant_keys(const world_reader *in, json_t *value, const char *name,
                           const char *const *keys, size_t count);

// A number below 2^53, or digits in a string.
oct_result oct_octant_id(const world_reader *in, const json_t *value, const char *name,
                         uint64_t *id);

// The index of the type that a name is of.
oct_result oct_octant_type(const world_reader *in, const json_t *value, uint32_t *type);

// Each reads one member of the frame, where it is there.
oct_result oct_octant_read_rules(world_reader *in);
oct_result oct_octant_read_toolbar(world_reader *in); // types first
oct_result oct_octant_read_grids(world_reader *in);
oct_result oct_octant_read_fills(world_reader *in); // types, grids and blocks first
oct_result oct_octant_read_wires(world_reader *in);
oct_result oct_octant_read_groups(world_reader *in);

// ---- out ----

void oct_octant_write_id(sink *out, uint64_t id);
void oct_octant_write_point(sink *out, oct_point p);

// Each writes one member with the comma before it, or nothing where the world has nothing to say.
void oct_octant_write_rules(sink *out, const oct_world *world);
void oct_octant_write_toolbar(sink *out, const oct_world *world);
void oct_octant_write_grids(sink *out, const oct_world *world);
void oct_octant_write_wires(sink *out, const oct_world *world);
void oct_octant_write_groups(sink *out, const oct_world *world);

#endif
