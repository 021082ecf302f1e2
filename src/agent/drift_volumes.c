// SPDX-License-Identifier: MIT
#include "agent/drift_volumes.h"

#include "geom/geom_internal.h"

// Ids of volumes, beside those of blocks.
#define ROOM_ID UINT64_C(0x5bd1e9955bd1e995)

typedef struct drifter {
    uint64_t whole; // 0: of itself
    uint64_t id;
    oct_bounds box;
    oct_point velocity;
} drifter;

void oct_drift_volumes_free(drift_volumes *r, const oct_allocator *allocator)
{
    oct_array_free(&r->drifters, allocator, sizeof(drifter));
}

void oct_drift_volumes_clear(drift_volumes *r)
{
    r->drifters.count = 0;
}

oct_result oct_drift_volumes_note(drift_volumes *r, const oct_allocator *allocator,
                                  const oct_entity *e)
{
    const bool moves_alone = e->kind == OCT_ENTITY_PLAYER || e->kind == OCT_ENTITY_ACTOR;
    if (moves_alone || e->thing.label != OCT_BLOCKED || point_length(e->velocity) == 0.0) {
        return OCT_OK;
    }
    drifter *const all = r->drifters.items;
    for (size_t i = 0; i < r->drifters.count; i++) {
        if (e->whole != 0 && all[i].whole == e->whole) {
            all[i].box = bounds_join(all[i].box, e->thing.box);
            return OCT_OK;
        }
    }
    const drifter new = {e->whole, e->thing.id, e->thing.box, e->velocity};
    return oct_array_push(&r->drifters, allocator, sizeof new, &new);
}

oct_bounds oct_drift_volumes_swept(oct_bounds box, oct_point by)
{
    const oct_bounds there = {point_add(box.min, by), point_add(box.max, by)};
    return bounds_join(box, there);
}

size_t oct_drift_volumes_count(const drift_volumes *r)
{
    return r->drifters.count;
}

oct_thing oct_drift_volumes_get(const drift_volumes *r, size_t index, double lead, oct_label label)
{
    const drifter d = ((const drifter *)r->drifters.items)[index];
    const oct_bounds ahead = oct_drift_volumes_swept(d.box, point_scale(d.velocity, lead));
    return (oct_thing){.id = ROOM_ID + (d.whole != 0 ? d.whole - 1 : d.id),
                       .box = oct_drift_volumes_swept(ahead, point_scale(d.velocity, -lead)),
                       .label = (uint8_t)label};
}
