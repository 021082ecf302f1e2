// SPDX-License-Identifier: MIT
#include "agent/look.h"

void oct_look_free(look_state *l, const oct_allocator *allocator)
{
    oct_array_free(&l->things, allocator, sizeof(oct_thing));
    oct_array_free(&l->entities, allocator, sizeof(oct_entity));
}

// What is in range changes a little from look to look: room for more than this time.
static oct_result reserve(look_state *l, const oct_allocator *allocator, size_t count)
{
    if (count <= l->things.capacity && count <= l->entities.capacity) {
        return OCT_OK;
    }
    const size_t room = count + count / 2;
    OCT_TRY(oct_array_reserve(&l->things, allocator, sizeof(oct_thing), room));
    return oct_array_reserve(&l->entities, allocator, sizeof(oct_entity), room);
}

static void list_things(look_state *l, const oct_observation *o)
{
    oct_thing *const things = l->things.items;
    for (size_t i = 0; i < o->count; i++) {
        things[i] = o->entities[i].thing;
    }
    l->things.count = o->count;
}

// Leaves in the observation what the map found to be in sight.
static void keep_seen(look_state *l, const uint8_t *looks, oct_observation *o)
{
    oct_entity *const entities = l->entities.items;
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++) {
        if (looks[i] == OCT_LOOK_SEEN) {
            entities[kept++] = o->entities[i];
        }
    }
    l->entities.count = kept;
    o->entities = entities;
    o->count = kept;
}

oct_result oct_look_around(look_state *l, const oct_allocator *allocator, oct_game *game,
                           uint32_t who, oct_map *map, oct_observation *out)
{
    OCT_TRY(oct_game_observe(game, who, out));
    l->told = *out;
    OCT_TRY(reserve(l, allocator, out->count));
    list_things(l, out);
    const oct_view view = {.centre = out->self.centre,
                           .radius = out->radius,
                           .sight = out->sight,
                           .forward = out->self.pose.forward};
    OCT_TRY(oct_map_observe(map, &view, l->things.items, l->things.count, &l->seen));
    keep_seen(l, oct_map_looks(map), out);
    return OCT_OK;
}
