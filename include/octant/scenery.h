// SPDX-License-Identifier: MIT
/// \file
/// Scenery: all pages of what never moves in a game, and what of it is near a point.
///
/// Each piece of a part, and each triangle, becomes an entity of its own: a solid whose `thing` is
/// its upright box, with an id that follows from that of its part. A piece that is a box is its
/// box; of any other one the shape says that it is not. So nothing certain rests on those.
///
/// Threading: as games.
#ifndef OCTANT_SCENERY_H
#define OCTANT_SCENERY_H

#include "octant/game.h"

typedef struct oct_scenery oct_scenery;

/// Most pieces and triangles of all parts together.
#define OCT_SCENERY_MAX (UINT32_C(1) << 25)

/// Reads all pages of a game. OCT_ERROR_RANGE for more than OCT_SCENERY_MAX pieces, or where a
/// piece is no box of finite numbers; otherwise what the game says. On failure *out is NULL.
OCT_API oct_result oct_scenery_load(oct_game *game, const oct_allocator *allocator,
                                    oct_scenery **out);
OCT_API void oct_scenery_destroy(oct_scenery *scenery);
/// How many entities all of it are.
OCT_API size_t oct_scenery_count(const oct_scenery *scenery);

/// The entities whose boxes are within a distance of a point, by id, ascending. They are the
/// scenery's, until the next call.
OCT_API oct_result oct_scenery_near(oct_scenery *scenery, oct_point at, double distance,
                                    const oct_entity **out, size_t *count);

#endif
