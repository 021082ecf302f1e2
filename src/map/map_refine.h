// SPDX-License-Identifier: MIT
// Finer cells for a map that is in use.
#ifndef OCTANT_MAP_REFINE_H
#define OCTANT_MAP_REFINE_H

#include "octant/map.h"

// Tells the shape of a thing that is in a map as its box; NULL = it is its box.
typedef const oct_shape *(*map_shape_of)(void *ctx, uint64_t id);

// Halves the cells, once, of a map at three dimensions without static geometry. Things cover what
// they cover of the finer cells; what was observed stays so. Sight is still decided in the cells
// that there were, which is what it costs; what was in sight is kept in those. The tree is another
// one from then on: whoever follows it begins anew. On failure nothing has changed. `shape_of` may
// be NULL.
oct_result oct_map_refine(oct_map *map, map_shape_of shape_of, void *ctx);

#endif
