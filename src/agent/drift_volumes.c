// SPDX-License-Identifier: MIT
#include "agent/drift_volumes.h"

#include "geom/geom_internal.h"

// Ids of volumes, beside those of blocks.
#define ROOM_ID UINT64_C(0x5bd1e9955bd1e995)

typedef struct drifter {
    uint32_t grid;
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
    const bool is_player = e->type == UINT32_MAX;
    if (is_player || e->thing.label != OCT_BLOCKED || point_length(e->velocity) == 0.0) {
        return OCT_OK;
    }
    drifter *const all = r->drifters.items;
    for (size_t i = 0; i < r->drifters.count; i++) {
        if (all[i].grid == e->grid) {
            all[i].box = bounds_join(all[i].box, e->thing.box);
            return OCT_OK;
        }
    }
    const drifter new = {e->grid, e->thing.box, e->velocity};
    return oct_array_push(&r->drifters, allocator, sizeof new, &new);
}

oct_bounds oct_drift_volumes_swept(oct_bounds box, oct_point by)
{
    const oct_bounds there = {point_add(box.min, by), point_add(box.max, by)};
    return bounds_join(box, there);
}

oct_result oct_drift_volumes_put(const drift_volumes *r, oct_map *map, double lead, oct_label label)
{
    const drifter *const all = r->drifters.items;
    for (size_t i = 0; i < r->drifters.count; i++) {
        const oct_bounds ahead =
            oct_drift_volumes_swept(all[i].box, point_scale(all[i].velocity, lead));
        const oct_thing room = {
            .id = ROOM_ID + all[i].grid,
            .box = oct_drift_volumes_swept(ahead, point_scale(all[i].velocity, -lead)),
            .label = (uint8_t)label};
        OCT_TRY(oct_map_put(map, &room));
    }
    return OCT_OK;
}

oct_result oct_drift_volumes_remove(const drift_volumes *r, oct_map *map)
{
    const drifter *const all = r->drifters.items;
    for (size_t i = 0; i < r->drifters.count; i++) {
        oct_thing ignored;
        if (oct_map_thing(map, ROOM_ID + all[i].grid, &ignored)) {
            OCT_TRY(oct_map_remove(map, ROOM_ID + all[i].grid));
        }
    }
    return OCT_OK;
}
