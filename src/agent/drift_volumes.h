// SPDX-License-Identifier: MIT
// Swept volumes of what drifts.
//
// A rigid whole that drifts has one volume in a map: the box of all that is seen of it, swept along
// its velocity ahead and astern, since it may turn at any time. A volume has no holes: a body that
// flew into the hollow in front of an open hatch would be shut in by what comes.
#ifndef OCTANT_DRIFT_VOLUMES_H
#define OCTANT_DRIFT_VOLUMES_H

#include "base/base_internal.h"
#include "octant/game.h"

typedef struct drift_volumes {
    oct_array drifters; // seen in one look
} drift_volumes;

void oct_drift_volumes_free(drift_volumes *r, const oct_allocator *allocator);
void oct_drift_volumes_clear(drift_volumes *r);
// Notes an entity that was seen; those that stand, or are not in the way, are passed over.
oct_result oct_drift_volumes_note(drift_volumes *r, const oct_allocator *allocator,
                                  const oct_entity *e);
// What is put into a map for so many seconds of drift: things with ids of their own. A look of the
// map may take them out.
size_t oct_drift_volumes_count(const drift_volumes *r);
oct_thing oct_drift_volumes_get(const drift_volumes *r, size_t index, double lead, oct_label label);

// A box swept along a vector.
oct_bounds oct_drift_volumes_swept(oct_bounds box, oct_point by);

#endif
