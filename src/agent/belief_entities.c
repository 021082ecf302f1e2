// SPDX-License-Identifier: MIT
// What a belief keeps of entities, and the map that follows it.
#include "agent/agent_internal.h"
#include "agent/belief_parts.h"
#include "agent/doorway.h"
#include "agent/effects.h"
#include "agent/links_internal.h"
#include "geom/geom_internal.h"

// What drifts keeps the room that it needs for so long, seconds: until it is seen again and one
// has got out of its way.
#define LEAD 3.0

// ---- the map ----

static oct_result put(oct_belief *b, const oct_thing *thing)
{
    OCT_TRY(oct_map_put(b->map, thing));
    return navigator_put(&b->navigator, thing);
}

// No error where there is none.
static oct_result take_out(oct_belief *b, uint64_t id)
{
    oct_thing ignored;
    if (!oct_map_thing(b->map, id, &ignored)) {
        return OCT_OK;
    }
    OCT_TRY(oct_map_remove(b->map, id));
    return navigator_remove(&b->navigator, id);
}

oct_result oct_belief_put(oct_belief *b, const oct_entity *e)
{
    oct_thing things[ENTITY_THINGS_MAX];
    const size_t count = oct_entity_things(e, things);
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(put(b, &things[i]));
    }
    return OCT_OK;
}

oct_result oct_belief_take_out(oct_belief *b, const oct_entity *e)
{
    OCT_TRY(take_out(b, e->thing.id));
    return e->has_gap ? take_out(b, oct_leaf_id(e->thing.id)) : OCT_OK;
}

static oct_result relabel(oct_belief *b, oct_thing thing, oct_label label)
{
    OCT_TRY(oct_map_relabel(b->map, thing.id, label));
    thing.label = (uint8_t)label;
    return navigator_put(&b->navigator, &thing);
}

oct_result oct_belief_put_volumes(oct_belief *b)
{
    for (size_t i = 0; i < oct_drift_volumes_count(&b->drift); i++) {
        const oct_thing volume = oct_drift_volumes_get(&b->drift, i, LEAD, OCT_BLOCKED);
        OCT_TRY(put(b, &volume));
    }
    return OCT_OK;
}

oct_result oct_belief_take_out_volumes(oct_belief *b)
{
    for (size_t i = 0; i < oct_drift_volumes_count(&b->drift); i++) {
        OCT_TRY(take_out(b, oct_drift_volumes_get(&b->drift, i, LEAD, OCT_BLOCKED).id));
    }
    return OCT_OK;
}

oct_result oct_belief_shun(oct_belief *b, const oct_entity *e)
{
    oct_thing thing;
    const bool is_shunned = oct_entity_is_shunned(e) && oct_map_thing(b->map, e->thing.id, &thing);
    return is_shunned && thing.label != OCT_BLOCKED ? relabel(b, thing, OCT_BLOCKED) : OCT_OK;
}

// ---- entities ----

static lattice_key key_of(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

bool oct_belief_find(const oct_belief *b, uint64_t id, uint32_t *index)
{
    if (b->known.count == 0) {
        return false;
    }
    const key_slot *const slot = key_table_slot(&b->ids, key_of(id));
    if (!key_slot_is_used(&b->ids, slot)) {
        return false;
    }
    *index = slot->value;
    return true;
}

static bool is_same(const oct_entity *a, const oct_entity *b)
{
    return is_same_bounds(&a->thing.box, &b->thing.box) && a->thing.label == b->thing.label &&
           a->opening == b->opening && is_same_point(a->forward, b->forward) &&
           is_same_point(a->up, b->up) && is_same_point(a->velocity, b->velocity) &&
           oct_entity_is_alike(a, b);
}

// A panel's buttons and a door are made known to the links as soon as they are seen. An id may come
// back as something else: a block that was placed where another one was.
static oct_result note_device(oct_belief *b, const oct_entity *e, uint32_t index)
{
    uint32_t ignored;
    for (uint32_t i = 0; i < e->use_count; i++) {
        OCT_TRY(oct_links_add_button(b->links, (oct_button){e->thing.id, i}, &ignored));
    }
    if (e->kind != OCT_ENTITY_DOOR) {
        return OCT_OK;
    }
    OCT_TRY(oct_links_add_door(b->links, e->thing.id, &ignored));
    const belief_door new = {index, OCT_UNKNOWN};
    for (size_t i = 0; i < b->doors.count; i++) {
        if (((const belief_door *)b->doors.items)[i].index == index) {
            return OCT_OK;
        }
    }
    return oct_array_push(&b->doors, &b->allocator, sizeof new, &new);
}

oct_result oct_belief_add(oct_belief *b, const oct_known *new, uint32_t *index)
{
    oct_known own = *new;
    *index = (uint32_t)b->known.count;
    OCT_TRY(oct_pool_entity(&b->pool, &b->allocator, &new->now, &own.now));
    OCT_TRY(oct_key_table_reserve(&b->ids, &b->allocator, 1));
    if (b->known.count == b->known.capacity) {
        OCT_TRY(oct_array_grow(&b->known, &b->allocator, sizeof own));
    }
    OCT_TRY(note_device(b, &own.now, *index));
    ((oct_known *)b->known.items)[b->known.count++] = own;
    const lattice_key key = key_of(own.now.thing.id);
    key_slot_fill(&b->ids, key_table_slot(&b->ids, key), key, *index);
    return OCT_OK;
}

static oct_result reserve_news(oct_belief *b)
{
    return b->news.count < b->news.capacity
               ? OCT_OK
               : oct_array_grow(&b->news, &b->allocator, sizeof(uint32_t));
}

// There has to be room.
static void note_news(oct_belief *b, uint32_t index)
{
    ((uint32_t *)b->news.items)[b->news.count++] = index;
    b->changes++;
}

oct_result oct_belief_merge(oct_belief *b, const oct_entity *e, uint64_t tick, uint32_t *index)
{
    OCT_TRY(reserve_news(b));
    if (!oct_belief_find(b, e->thing.id, index)) {
        const oct_known new = {.now = *e, .first = tick, .last = tick, .changed = tick};
        OCT_TRY(oct_belief_add(b, &new, index));
        note_news(b, *index);
        return OCT_OK;
    }
    oct_known *const k = belief_known(b, *index);
    if (!k->gone && is_same(&k->now, e)) {
        k->last = tick;
        return OCT_OK;
    }
    oct_entity now;
    OCT_TRY(oct_pool_entity(&b->pool, &b->allocator, e, &now));
    if (k->now.kind != e->kind || k->now.use_count != e->use_count) {
        OCT_TRY(note_device(b, e, *index));
    }
    note_news(b, *index);
    k->before = k->now;
    k->now = now;
    k->last = k->changed = tick;
    k->changes++;
    k->gone = false;
    b->openings++;
    return OCT_OK;
}

oct_result oct_belief_lose(oct_belief *b, uint32_t index, uint64_t tick)
{
    oct_known *const k = belief_known(b, index);
    OCT_TRY(reserve_news(b));
    note_news(b, index);
    if (b->history) {
        oct_history_lose(b->history, k->now.thing.id);
    }
    k->gone = true;
    k->before = k->now;
    k->changed = tick;
    k->changes++;
    b->openings++;
    return OCT_OK;
}

bool oct_entity_is_shunned(const oct_entity *e)
{
    return e->kind == OCT_ENTITY_HAZARD && e->harm != 0.0 && e->thing.label == OCT_OPEN;
}

// ---- doors ----

oct_door_state oct_entity_door(const oct_entity *e)
{
    return e->opening <= 0.0 ? OCT_DOOR_SHUT : e->opening >= 1.0 ? OCT_DOOR_OPEN : OCT_DOOR_MOVING;
}

// The door of the links that an entry of the list is; false for one that has gone or is none now.
static bool is_door(const oct_belief *b, const belief_door *d, const oct_known **k, uint32_t *index)
{
    *k = belief_known(b, d->index);
    return !(*k)->gone && (*k)->now.kind == OCT_ENTITY_DOOR &&
           oct_links_find_door(b->links, (*k)->now.thing.id, index);
}

static bool may_be_held(const oct_belief *b, const oct_entity *e)
{
    const oct_observation *const told = &b->look.told;
    return b->history ? oct_history_may_be_held(b->history, b->info.view, told, e)
                      : oct_history_is_held(&b->limits, told, e);
}

// A door that somebody stands in is not where it would be: that tells nothing of presses.
oct_result oct_belief_see_doors(oct_belief *b)
{
    for (size_t i = 0; i < b->doors.count; i++) {
        const oct_known *k;
        uint32_t index;
        if (is_door(b, (const belief_door *)b->doors.items + i, &k, &index) && k->in_sight &&
            !may_be_held(b, &k->now)) {
            OCT_TRY(oct_links_see(b->links, index, b->self.tick, oct_entity_door(&k->now)));
        }
    }
    return OCT_OK;
}

// Whether a door was seen after all that presses did had come, and does not move by itself: then it
// is as it was seen, whatever its links are.
static bool is_left_alone(const oct_belief *b, const oct_known *k)
{
    const effect_rules rules = oct_effect_rules_of(&b->info);
    const history_thing *const t =
        b->history ? oct_history_find(b->history, k->now.thing.id) : NULL;
    uint64_t press;
    return t && t->door > 0 && oct_history_last_press(b->history, &press) &&
           k->last >= press + rules.settle + rules.slide &&
           k->last >= oct_links_settled(b->links) && // else links have not taken it in
           !oct_effects_moves_alone(b->history, &rules, t->door - 1);
}

// What a door is taken for that is out of sight, or that a press may still move.
static oct_label label_of(const oct_belief *b, const oct_known *k, uint32_t index)
{
    const oct_door_state seen = oct_entity_door(&k->now), now = oct_links_predict(b->links, index);
    if (now == seen || (now == OCT_DOOR_UNKNOWN && is_left_alone(b, k))) {
        oct_thing things[ENTITY_THINGS_MAX];
        (void)oct_entity_things(&k->now, things);
        return (oct_label)things[0].label;
    }
    const bool is_settled = b->self.tick >= oct_links_settled(b->links);
    if (now == OCT_DOOR_UNKNOWN || !is_settled) {
        return OCT_UNKNOWN;
    }
    return now == OCT_DOOR_OPEN ? OCT_OPEN : OCT_BLOCKED;
}

oct_result oct_belief_follow_doors(oct_belief *b)
{
    const bool is_settled = b->self.tick >= oct_links_settled(b->links);
    for (size_t i = 0; i < b->doors.count; i++) {
        belief_door *const d = (belief_door *)b->doors.items + i;
        const oct_known *k;
        uint32_t index;
        oct_thing thing;
        if (!is_door(b, d, &k, &index) || !oct_map_thing(b->map, k->now.thing.id, &thing)) {
            d->label = OCT_UNKNOWN;
            continue;
        }
        const oct_label label =
            k->in_sight && is_settled ? (oct_label)thing.label : label_of(b, k, index);
        if (thing.label != label) {
            OCT_TRY(relabel(b, thing, label));
        }
        b->openings += d->label == OCT_BLOCKED && label != OCT_BLOCKED;
        d->label = (uint8_t)label;
    }
    return OCT_OK;
}

// Presses that others made since this was last asked. A press and a sighting that have the same
// tick are in the order in which they come here.
oct_result oct_belief_hear_presses(oct_belief *b)
{
    const oct_history *const h = b->history;
    const size_t before = b->heard;
    for (; h && b->heard < h->presses.count; b->heard++) {
        const history_press *const p = (const history_press *)h->presses.items + b->heard;
        uint32_t index;
        OCT_TRY(oct_links_add_button(b->links, p->button, &index));
        OCT_TRY(oct_links_press(b->links, index, p->tick - h->offset));
    }
    return b->heard > before ? oct_belief_follow_doors(b) : OCT_OK;
}
