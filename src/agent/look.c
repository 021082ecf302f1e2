// SPDX-License-Identifier: MIT
#include "agent/look.h"

#include "agent/doorway.h"

void oct_look_free(look_state *l, const oct_allocator *allocator)
{
    oct_array_free(&l->things, allocator, sizeof(oct_thing));
    oct_array_free(&l->owners, allocator, sizeof(uint32_t));
    oct_array_free(&l->entities, allocator, sizeof(oct_entity));
    oct_array_free(&l->merged, allocator, sizeof(oct_entity));
    oct_array_free(&l->events, allocator, sizeof(oct_event));
    oct_arena_free(&l->texts);
    oct_scenery_destroy(l->scenery);
}

// ---- scenery ----

static oct_result read_scenery(look_state *l, const oct_allocator *allocator, oct_game *game)
{
    oct_scenery_destroy(l->scenery);
    l->scenery = NULL;
    return oct_scenery_load(game, allocator, &l->scenery);
}

static oct_result copy_text(look_state *l, const char *text, const char **out)
{
    const size_t size = text ? strlen(text) + 1 : 1;
    char *const copy = oct_arena_alloc(&l->texts, size, 1);
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(copy, text ? text : "", size);
    *out = copy;
    return OCT_OK;
}

// Adds copies of the events of an answer: what they point to belongs to the game.
static oct_result keep_events(look_state *l, const oct_allocator *allocator,
                              const oct_observation *o)
{
    OCT_TRY(oct_array_reserve(&l->events, allocator, sizeof(oct_event),
                              l->events.count + o->event_count));
    oct_event *const events = l->events.items;
    for (size_t i = 0; i < o->event_count; i++) {
        oct_event e = o->events[i];
        OCT_TRY(copy_text(l, e.what, &e.what));
        OCT_TRY(copy_text(l, e.text, &e.text));
        events[l->events.count++] = e;
    }
    return OCT_OK;
}

// Looks again at a scene that has just begun, with its scenery. Events, and how a game ended, are
// told once: those of the first answer come before those of the second.
static oct_result observe_again(look_state *l, const oct_allocator *allocator, oct_game *game,
                                uint32_t who, oct_observation *out)
{
    const oct_over over = out->over;
    oct_arena_free(&l->texts);
    oct_arena_init(&l->texts, allocator);
    l->events.count = 0;
    OCT_TRY(keep_events(l, allocator, out));
    OCT_TRY(read_scenery(l, allocator, game));
    OCT_TRY(oct_game_observe(game, who, out));
    OCT_TRY(keep_events(l, allocator, out));
    out->events = l->events.items;
    out->event_count = l->events.count;
    out->over = out->over == OCT_OVER_NOT ? over : out->over;
    return OCT_OK;
}

// Observes; scenery is read before the first time, and again in another scene.
static oct_result observe(look_state *l, const oct_allocator *allocator, oct_game *game,
                          uint32_t who, oct_observation *out)
{
    if (!game->ops->scenery) {
        return oct_game_observe(game, who, out);
    }
    if (!l->scenery) {
        OCT_TRY(read_scenery(l, allocator, game));
    }
    OCT_TRY(oct_game_observe(game, who, out));
    const bool is_other = l->has_scene && l->scene != out->scene;
    l->scene = out->scene;
    l->has_scene = true;
    l->has_changed_scene = l->has_changed_scene || is_other;
    return is_other ? observe_again(l, allocator, game, who, out) : OCT_OK;
}

// Adds to what was told what never moves and is in range, by id; of equal ids what was told counts.
static oct_result add_scenery(look_state *l, const oct_allocator *allocator, double view,
                              oct_observation *out)
{
    const oct_entity *near;
    size_t near_count;
    if (!l->scenery || oct_scenery_count(l->scenery) == 0) {
        return OCT_OK;
    }
    OCT_TRY(oct_scenery_near(l->scenery, out->self.eye, view, &near, &near_count));
    OCT_TRY(oct_array_reserve(&l->merged, allocator, sizeof(oct_entity), out->count + near_count));
    oct_entity *const merged = l->merged.items;
    size_t count = 0, a = 0, b = 0;
    while (a < out->count || b < near_count) {
        const bool is_told =
            b == near_count || (a < out->count && out->entities[a].thing.id <= near[b].thing.id);
        const bool is_both =
            is_told && b < near_count && out->entities[a].thing.id == near[b].thing.id;
        merged[count++] = is_told ? out->entities[a++] : near[b++];
        b += is_both;
    }
    out->entities = merged;
    out->count = count;
    return OCT_OK;
}

// ---- looking ----

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

static oct_result list_parts(look_state *l, const oct_allocator *allocator,
                             const oct_observation *o)
{
    const size_t most = o->count * ENTITY_THINGS_MAX;
    OCT_TRY(oct_array_reserve(&l->things, allocator, sizeof(oct_thing), most));
    OCT_TRY(oct_array_reserve(&l->owners, allocator, sizeof(uint32_t), most));
    oct_thing *const things = l->things.items;
    uint32_t *const owners = l->owners.items;
    l->things.count = 0;
    for (size_t i = 0; i < o->count; i++) {
        const size_t parts = oct_entity_things(&o->entities[i], things + l->things.count);
        for (size_t k = 0; k < parts; k++) {
            owners[l->things.count++] = (uint32_t)i;
        }
    }
    return OCT_OK;
}

// What the game itself does not see stays in the map as it is there, and comes into none.
static void leave_remembered(look_state *l, const oct_map *map, const oct_observation *o)
{
    oct_thing *const things = l->things.items;
    uint32_t *const owners = l->owners.items;
    size_t kept = 0;
    for (size_t i = 0; i < l->things.count; i++) {
        oct_thing thing = things[i];
        if (o->entities[owners[i]].is_remembered && !oct_map_thing(map, thing.id, &thing)) {
            continue;
        }
        owners[kept] = owners[i];
        things[kept++] = thing;
    }
    l->things.count = kept;
}

static oct_result list_things(look_state *l, const oct_allocator *allocator, const oct_map *map,
                              const oct_observation *o)
{
    oct_thing *const things = l->things.items;
    l->splits = false;
    bool hides = false;
    for (size_t i = 0; i < o->count; i++) {
        things[i] = oct_entity_thing(&o->entities[i]);
        l->splits = l->splits || o->entities[i].has_gap || o->entities[i].is_remembered;
        hides = hides || o->entities[i].is_remembered;
    }
    l->things.count = o->count;
    OCT_TRY(l->splits ? list_parts(l, allocator, o) : OCT_OK);
    if (hides) {
        leave_remembered(l, map, o);
    }
    for (size_t i = 0; !l->takes_shapes && i < l->things.count; i++) {
        ((oct_thing *)l->things.items)[i].shape = NULL;
    }
    return OCT_OK;
}

// Leaves in the observation what the map found to be in sight, some of it at least.
static void keep_seen(look_state *l, const uint8_t *looks, oct_observation *o)
{
    oct_entity *const entities = l->entities.items;
    const uint32_t *const owners = l->owners.items;
    size_t kept = 0, last = SIZE_MAX;
    for (size_t i = 0; i < l->things.count; i++) {
        const size_t owner = l->splits ? owners[i] : i;
        if (looks[i] == OCT_LOOK_SEEN && owner != last && !o->entities[owner].is_remembered) {
            entities[kept++] = o->entities[owner];
            last = owner;
        }
    }
    l->entities.count = kept;
    o->entities = entities;
    o->count = kept;
}

oct_result oct_look_around(look_state *l, const oct_allocator *allocator, oct_game *game,
                           uint32_t who, const oct_game_info *info, oct_map *map,
                           oct_observation *out)
{
    OCT_TRY(observe(l, allocator, game, who, out));
    OCT_TRY(add_scenery(l, allocator, info->view, out));
    l->told = *out;
    OCT_TRY(reserve(l, allocator, out->count));
    OCT_TRY(list_things(l, allocator, map, out));
    const oct_view view = {.centre = out->self.eye,
                           .radius = info->view,
                           .sight = info->sight,
                           .forward = out->self.look,
                           .fov = info->fov};
    OCT_TRY(oct_map_observe(map, &view, l->things.items, l->things.count, &l->seen));
    keep_seen(l, oct_map_looks(map), out);
    return OCT_OK;
}
