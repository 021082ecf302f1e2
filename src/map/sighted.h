// SPDX-License-Identifier: MIT
// Which cells of a map were in sight themselves, for those who ask what was not seen.
#ifndef OCTANT_MAP_SIGHTED_H
#define OCTANT_MAP_SIGHTED_H

#include "octant/map.h"

// From now on the map also keeps which cells were in sight, whatever their neighbours were: a body
// thinner than the padding may be there, and what is there was seen. Costs a second tree.
oct_result oct_map_keep_sighted(oct_map *map);

// KNOWN where a cell was ever in sight; NULL where that is not kept.
const oct_tree *oct_map_sighted(const oct_map *map);

// The same as the caller's, who frees it: the map no longer keeps what is in sight.
oct_tree *oct_map_take_sighted(oct_map *map);

#endif
