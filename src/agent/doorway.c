// SPDX-License-Identifier: MIT
#include "agent/doorway.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

uint64_t oct_leaf_id(uint64_t door)
{
    const uint64_t words[] = {door, UINT64_MAX};
    return oct_hash_bytes(words, sizeof words) | UINT64_C(1) << 63;
}

oct_bounds oct_entity_doorway(const oct_entity *e)
{
    return e->kind == OCT_ENTITY_DOOR && e->has_gap ? e->gap : e->thing.box;
}

oct_thing oct_entity_thing(const oct_entity *e)
{
    oct_thing thing = e->thing;
    thing.shape = e->shape.count > 0 ? &e->shape : NULL;
    return thing;
}

size_t oct_entity_things(const oct_entity *e, oct_thing out[ENTITY_THINGS_MAX])
{
    out[0] = oct_entity_thing(e);
    if (e->kind != OCT_ENTITY_DOOR || !e->has_gap) {
        return 1;
    }
    const bool is_shut = e->opening <= 0.0, is_solid = e->thing.label == OCT_BLOCKED;
    out[1] = out[0];
    out[1].id = oct_leaf_id(e->thing.id);
    out[1].label = is_solid && !is_shut ? OCT_BLOCKED : OCT_OPEN;
    out[0].box = is_shut ? bounds_join(e->gap, e->thing.box) : e->gap;
    out[0].label = is_solid && !(e->opening >= 1.0) ? OCT_BLOCKED : OCT_OPEN;
    out[0].opaque = false;
    out[0].shape = NULL;
    return 2;
}
