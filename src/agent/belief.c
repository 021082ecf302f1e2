// SPDX-License-Identifier: MIT
// Belief: entities in the order of first sight, found by id through a table; doors and panels in
// lists of their own, since links and the map's doors are looked at in every turn.
#include "octant/belief.h"
#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/drift_volumes.h"
#include "agent/effects.h"
#include "agent/event_list.h"
#include "agent/history.h"
#include "agent/links_internal.h"
#include "agent/look.h"
#include "base/base_internal.h"
#include "base/key_table.h"
#include "geom/geom_internal.h"
#include "map/map_refine.h"
#include "map/sighted.h"
#include "octant/flight.h"

#include <math.h>
#include <stdio.h>

#define COOKIE UINT32_C(0x0b41a4ef)
// Whole cells are the padding, to the bit: a cell is known where all cells that its padding touches
// are seen, and one more that it hardly touches lies inside floors and walls, out of sight from
// anywhere but close by. Three cells for bodies of 1.8 m and passages of 2.5 m: at least one row of
// cells stays open at any alignment, with 8 mm to spare for grids that are turned a little, and the
// ball around the body has 34 mm beyond it, more than a pilot strays along surfaces. Larger bodies
// have more cells of at most this size, smaller ones two, so that they pass what is 0.4 m wider.
#define CELL (319.0 / 1024.0)
#define CELLS_LEAST 2.0
// Looks take the time of what lies in view: no cell is smaller than this part of it.
#define CELLS_OF_VIEW 150.0
#define PADDING_MIN 0.034 // beyond the ball, metres
// What drifts keeps the room that it needs for so long, seconds: until it is seen again and one
// has got out of its way.
#define LEAD 3.0
// What effects may take beyond a door's own time, seconds: timers.
#define SETTLE 2.0

struct oct_belief {
    oct_allocator allocator;
    oct_game_info info;
    oct_map *map;
    navigator navigator; // who is told what the map takes in
    oct_links *links;
    oct_history *history; // NULL = none is kept
    size_t heard;         // presses of it that the links know
    oct_player_body body;
    body_limits limits;  // of it
    entity_pool pool;    // what known and self point to
    oct_array props;     // of oct_property: of self
    oct_array known;     // of oct_known
    key_table ids;       // of known
    oct_array news;      // of uint32_t: changed in the last look
    oct_array sights;    // of uint32_t: seen in the last look
    oct_array doors;     // of door: those of known that are doors, or were
    drift_volumes drift; // of what drifts
    look_state look;
    event_list events;
    oct_over over;
    oct_self self;
    bool has_turned; // something that is turned was seen
    bool is_fine;    // the cells were halved
    bool must_miss;  // the map took out something that nobody was told of yet
    uint64_t looks;
    uint64_t changes;
    uint64_t openings;
};

typedef struct door {
    uint32_t index; // of known
    uint8_t label;  // that the map had when doors were last gone through
} door;

// ---- life ----

oct_belief_def oct_belief_def_default(void)
{
    return (oct_belief_def){.cookie = COOKIE};
}

double oct_belief_cell(const oct_game_info *info, const oct_player_body *body)
{
    const double metre = belief_metre(info);
    const double pad = oct_body_limits_of(body).most / metre / 2.0 + PADDING_MIN;
    const double least = info->view / metre / CELLS_OF_VIEW;
    double cells = fmax(ceil(pad / CELL), CELLS_LEAST);
    while (cells > 1.0 && pad / cells < fmin(least, CELL)) {
        cells--;
    }
    return ceil(pad / cells * 1024.0) / 1024.0 * metre;
}

static oct_result make_map(oct_belief *b, const oct_belief_def *def)
{
    // As many whole cells as hold the ball around the body and what a pilot strays.
    const double cell = def->cell > 0.0 ? def->cell : oct_belief_cell(&b->info, &b->body);
    const double least = b->limits.most / 2.0 + PADDING_MIN * belief_metre(&b->info);
    double padding = def->padding;
    for (double cells = 1.0; padding < least && !(def->padding > 0.0); cells++) {
        padding = cells * cell;
    }
    oct_map_def map = oct_map_def_default();
    map.cell_size = cell;
    map.padding = (oct_point){padding, padding, padding};
    // The ball holds a body that is round; the corners of a box are beyond it.
    map.is_ball = b->body.shape != OCT_BODY_BOX;
    map.allocator = &b->allocator;
    map.executor = def->executor;
    OCT_TRY(oct_map_create(&map, &b->map));
    if (!b->history) {
        return OCT_OK;
    }
    OCT_TRY(oct_map_keep_sighted(b->map));
    return oct_history_add_sight(b->history, oct_map_sighted(b->map));
}

static oct_result make_links(oct_belief *b, const oct_belief_def *def)
{
    oct_links_def links = oct_links_def_default();
    // Where nobody says what a door takes, it counts as a second.
    const double slide = b->info.slide > 0 ? (double)b->info.slide : b->info.rate;
    const double usual = SETTLE * b->info.rate + slide;
    links.settle = (def->settle > 0 ? def->settle : (uint64_t)usual) + b->info.delay_max;
    links.allocator = &b->allocator;
    return oct_links_create(&links, &b->links);
}

static oct_result take_body(oct_belief *b, const oct_player_body *may_be_null)
{
    const oct_player_body usual = oct_player_body_default();
    const oct_player_body *const body = may_be_null ? may_be_null : &usual;
    b->limits = oct_body_limits_of(body);
    if (b->history) {
        oct_history_note_body(b->history, body);
    }
    return oct_pool_body(&b->pool, &b->allocator, body, &b->body);
}

oct_result oct_belief_create(const oct_belief_def *def, oct_belief **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->info || !(def->cell >= 0.0) || !(def->padding >= 0.0)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_belief *const b = oct_alloc(&allocator, sizeof *b, _Alignof(oct_belief));
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    *b = (oct_belief){.allocator = allocator, .info = *def->info};
    b->history = def->history ? oct_history_keep(def->history) : NULL;
    b->heard = b->history ? b->history->presses.count : 0;
    oct_pool_init(&b->pool, &allocator);
    oct_result result = take_body(b, def->body);
    result = result == OCT_OK ? make_map(b, def) : result;
    result = result == OCT_OK ? make_links(b, def) : result;
    if (result != OCT_OK) {
        oct_belief_destroy(b);
        return result;
    }
    *out = b;
    return OCT_OK;
}

void oct_belief_destroy(oct_belief *b)
{
    if (!b) {
        return;
    }
    oct_array_free(&b->known, &b->allocator, sizeof(oct_known));
    oct_array_free(&b->news, &b->allocator, sizeof(uint32_t));
    oct_array_free(&b->sights, &b->allocator, sizeof(uint32_t));
    oct_array_free(&b->doors, &b->allocator, sizeof(door));
    oct_key_table_free(&b->ids, &b->allocator);
    oct_drift_volumes_free(&b->drift, &b->allocator);
    oct_look_free(&b->look, &b->allocator);
    oct_event_list_free(&b->events, &b->allocator);
    oct_array_free(&b->props, &b->allocator, sizeof(oct_property));
    oct_pool_free(&b->pool, &b->allocator);
    oct_links_destroy(b->links);
    if (b->history && b->map) {
        oct_history_take_sight(b->history, oct_map_take_sighted(b->map));
    }
    oct_map_destroy(b->map);
    oct_history_drop(b->history);
    const oct_allocator allocator = b->allocator;
    oct_free(&allocator, b, sizeof *b);
}

void oct_belief_guide(oct_belief *b, const navigator *n)
{
    b->navigator = *n;
}

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

static oct_result put_entity(oct_belief *b, const oct_entity *e)
{
    oct_thing things[ENTITY_THINGS_MAX];
    const size_t count = oct_entity_things(e, things);
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(put(b, &things[i]));
    }
    return OCT_OK;
}

static oct_result take_out_entity(oct_belief *b, const oct_entity *e)
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

static oct_result put_volumes(oct_belief *b)
{
    for (size_t i = 0; i < oct_drift_volumes_count(&b->drift); i++) {
        const oct_thing volume = oct_drift_volumes_get(&b->drift, i, LEAD, OCT_BLOCKED);
        OCT_TRY(put(b, &volume));
    }
    return OCT_OK;
}

static oct_result take_out_volumes(oct_belief *b)
{
    for (size_t i = 0; i < oct_drift_volumes_count(&b->drift); i++) {
        OCT_TRY(take_out(b, oct_drift_volumes_get(&b->drift, i, LEAD, OCT_BLOCKED).id));
    }
    return OCT_OK;
}

// ---- entities ----

static oct_known *known_at(const oct_belief *b, uint32_t index)
{
    return (oct_known *)b->known.items + index;
}

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

static bool is_same_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same(const oct_entity *a, const oct_entity *b)
{
    return is_same_point(a->thing.box.min, b->thing.box.min) &&
           is_same_point(a->thing.box.max, b->thing.box.max) && a->thing.label == b->thing.label &&
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
    const door new = {index, OCT_UNKNOWN};
    for (size_t i = 0; i < b->doors.count; i++) {
        if (((const door *)b->doors.items)[i].index == index) {
            return OCT_OK;
        }
    }
    return oct_array_push(&b->doors, &b->allocator, sizeof new, &new);
}

// All that may fail comes before the entity is there: who tries again finds nothing half done.
static oct_result add(oct_belief *b, const oct_known *new, uint32_t *index)
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

// Puts what is seen of an entity, at a tick, in the place of what was believed.
static oct_result merge(oct_belief *b, const oct_entity *e, uint64_t tick, uint32_t *index)
{
    OCT_TRY(reserve_news(b));
    if (!oct_belief_find(b, e->thing.id, index)) {
        const oct_known new = {.now = *e, .first = tick, .last = tick, .changed = tick};
        OCT_TRY(add(b, &new, index));
        note_news(b, *index);
        return OCT_OK;
    }
    oct_known *const k = known_at(b, *index);
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

// It is no longer where it was.
static oct_result lose(oct_belief *b, uint32_t index, uint64_t tick)
{
    oct_known *const k = known_at(b, index);
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
static bool is_door(const oct_belief *b, const door *d, const oct_known **k, uint32_t *index)
{
    *k = known_at(b, d->index);
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
static oct_result see_doors(oct_belief *b)
{
    for (size_t i = 0; i < b->doors.count; i++) {
        const oct_known *k;
        uint32_t index;
        if (is_door(b, (const door *)b->doors.items + i, &k, &index) && k->in_sight &&
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

static oct_result follow_doors(oct_belief *b)
{
    const bool is_settled = b->self.tick >= oct_links_settled(b->links);
    for (size_t i = 0; i < b->doors.count; i++) {
        door *const d = (door *)b->doors.items + i;
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
static oct_result hear_presses(oct_belief *b)
{
    const oct_history *const h = b->history;
    const size_t before = b->heard;
    for (; h && b->heard < h->presses.count; b->heard++) {
        const history_press *const p = (const history_press *)h->presses.items + b->heard;
        uint32_t index;
        OCT_TRY(oct_links_add_button(b->links, p->button, &index));
        OCT_TRY(oct_links_press(b->links, index, p->tick - h->offset));
    }
    return b->heard > before ? follow_doors(b) : OCT_OK;
}

// ---- looking ----

// The map took out what should have been seen and was not there.
static oct_result miss(oct_belief *b)
{
    for (uint32_t i = 0; i < b->known.count; i++) {
        const oct_known *const k = known_at(b, i);
        oct_thing ignored;
        if (!k->gone && !k->in_sight && !oct_map_thing(b->map, k->now.thing.id, &ignored)) {
            OCT_TRY(lose(b, i, b->self.tick));
        }
    }
    return OCT_OK;
}

// A press does the same each time: what speaks against that counts unless the game promises it.
static void deny_memory(const oct_belief *b)
{
    const uint32_t promised = 1u << OCT_ASSUME_MEMORY | 1u << OCT_ASSUME_TOGGLES;
    if ((b->info.promises & promised) == 0) {
        b->history->denied |= 1u << OCT_ASSUME_MEMORY;
    }
}

// What can be taken may be what a press waits for: it may do something else later. That the game
// tells one is enough, in sight or not.
static bool tells_item(const oct_observation *told)
{
    bool tells = false;
    for (size_t i = 0; i < told->count && !tells; i++) {
        tells = told->entities[i].kind == OCT_ENTITY_ITEM;
    }
    return tells;
}

static oct_result tell_history(const oct_belief *b, uint32_t who, const oct_observation *o)
{
    oct_history *const h = b->history;
    // In another scene walls are gone that were there: no cut through the first one speaks of it.
    h->denied |= b->look.has_changed_scene ? 1u << OCT_ASSUME_SOLID : 0;
    OCT_TRY(oct_log_note_look(&h->log, &b->info, &b->body, h->life, who, &b->look.told));
    if (h->log.forgets || tells_item(&b->look.told)) {
        deny_memory(b);
    }
    OCT_TRY(b->looks == 0 ? oct_history_start(b->history, o->self.centre) : OCT_OK);
    return oct_history_look(b->history, &b->info, o, &b->look.told);
}

// Its properties change often: they are written anew each time, their texts are kept.
static oct_result keep_self(oct_belief *b, const oct_self *self)
{
    OCT_TRY(oct_array_reserve(&b->props, &b->allocator, sizeof(oct_property), self->prop_count));
    oct_property *const props = b->props.items;
    for (size_t i = 0; i < self->prop_count; i++) {
        props[i] = self->props[i];
    }
    OCT_TRY(oct_pool_props(&b->pool, &b->allocator, props, self->prop_count));
    b->self = *self;
    b->self.props = props;
    return OCT_OK;
}

// They are told once: whatever comes after this, they are known.
static oct_result note_events(oct_belief *b, const oct_observation *o)
{
    b->over = o->over;
    for (size_t i = 0; i < o->event_count; i++) {
        OCT_TRY(oct_event_list_note(&b->events, &b->allocator, &o->events[i]));
    }
    return OCT_OK;
}

// Nobody flies into what harms, if there is another way: in the map it is BLOCKED. What it is told
// as, which is what giving up rests on, stays in the history.
static oct_result shun(oct_belief *b, const oct_entity *e)
{
    oct_thing thing;
    const bool is_shunned = oct_entity_is_shunned(e) && oct_map_thing(b->map, e->thing.id, &thing);
    return is_shunned && thing.label != OCT_BLOCKED ? relabel(b, thing, OCT_BLOCKED) : OCT_OK;
}

// Merges all that is in sight.
static oct_result merge_all(oct_belief *b, const oct_observation *o)
{
    b->news.count = 0;
    b->sights.count = 0;
    OCT_TRY(oct_array_reserve(&b->sights, &b->allocator, sizeof(uint32_t), o->count));
    OCT_TRY(take_out_volumes(b));
    oct_drift_volumes_clear(&b->drift);
    for (size_t i = 0; i < o->count; i++) {
        const oct_entity *const e = &o->entities[i];
        uint32_t index;
        OCT_TRY(merge(b, e, o->self.tick, &index));
        known_at(b, index)->in_sight = true;
        OCT_TRY(shun(b, e));
        b->has_turned =
            b->has_turned || (!oct_entity_is_upright(e) && e->kind != OCT_ENTITY_PLAYER);
        OCT_TRY(oct_drift_volumes_note(&b->drift, &b->allocator, e));
        ((uint32_t *)b->sights.items)[b->sights.count++] = index;
    }
    return OCT_OK;
}

oct_result oct_belief_observe(oct_belief *b, oct_game *game, uint32_t who)
{
    oct_observation o;
    OCT_TRY(oct_look_around(&b->look, &b->allocator, game, who, &b->info, b->map, &o));
    OCT_TRY(navigator_observe(&b->navigator, b->look.things.items, b->look.things.count));
    OCT_TRY(note_events(b, &o));
    const uint32_t *const sights = b->sights.items;
    for (size_t i = 0; i < b->sights.count; i++) {
        known_at(b, sights[i])->in_sight = false;
    }
    OCT_TRY(keep_self(b, &o.self));
    OCT_TRY(hear_presses(b));
    OCT_TRY(b->history ? tell_history(b, who, &o) : OCT_OK);
    b->info.denies |= b->history ? b->history->denied : 0;
    b->must_miss = b->must_miss || b->look.seen.removed > 0;
    b->looks++;
    OCT_TRY(merge_all(b, &o));
    if (b->must_miss) {
        OCT_TRY(miss(b));
        b->must_miss = false;
    }
    OCT_TRY(put_volumes(b));
    OCT_TRY(see_doors(b));
    return follow_doors(b);
}

bool oct_belief_drifts(const oct_belief *b)
{
    return b->drift.drifters.count > 0;
}

oct_result oct_belief_feel(oct_belief *b, oct_game *game, uint32_t who)
{
    oct_self self;
    OCT_TRY(oct_game_self(game, who, &self));
    OCT_TRY(keep_self(b, &self));
    return hear_presses(b);
}

// ---- hearing ----

// The tick of which somebody's belief about an entity speaks.
static uint64_t as_of(const oct_known *k)
{
    return k->gone ? k->changed : k->last;
}

static oct_result hear_gone(oct_belief *b, const oct_known *told)
{
    uint32_t index;
    OCT_TRY(take_out_entity(b, &told->now));
    if (!oct_belief_find(b, told->now.thing.id, &index)) {
        const oct_known new = {.now = told->now, .first = told->first, .last = told->last};
        OCT_TRY(add(b, &new, &index));
    }
    if (known_at(b, index)->gone) {
        known_at(b, index)->changed = told->changed;
        return OCT_OK;
    }
    known_at(b, index)->in_sight = false;
    return lose(b, index, told->changed);
}

// What others see of a door counts as if it were seen, as long as time has not gone on here.
static oct_result hear_door(oct_belief *b, const oct_entity *e, uint64_t tick)
{
    uint32_t index;
    if (e->kind == OCT_ENTITY_DOOR && tick <= b->self.tick &&
        oct_links_find_door(b->links, e->thing.id, &index)) {
        const oct_result result = oct_links_see(b->links, index, tick, oct_entity_door(e));
        OCT_TRY(result == OCT_ERROR_ARGUMENT ? OCT_OK : result);
    }
    return follow_doors(b);
}

oct_result oct_belief_hear(oct_belief *b, const oct_known *told)
{
    uint32_t index;
    const bool is_known = oct_belief_find(b, told->now.thing.id, &index);
    if (is_known && as_of(known_at(b, index)) >= as_of(told)) {
        return OCT_OK;
    }
    if (told->gone) {
        return hear_gone(b, told);
    }
    // The map first: what it refuses is not believed, and can be told again.
    OCT_TRY(put_entity(b, &told->now));
    OCT_TRY(merge(b, &told->now, told->last, &index));
    OCT_TRY(shun(b, &told->now));
    if (!is_known) {
        known_at(b, index)->first = told->first;
    }
    return hear_door(b, &told->now, told->last);
}

oct_result oct_belief_press(oct_belief *b, oct_button button)
{
    uint32_t index;
    OCT_TRY(hear_presses(b));
    OCT_TRY(oct_links_add_button(b->links, button, &index));
    OCT_TRY(oct_links_press(b->links, index, b->self.tick));
    if (b->history) {
        OCT_TRY(oct_history_press(b->history, button, b->self.tick));
        b->heard = b->history->presses.count;
    }
    return follow_doors(b);
}

oct_result oct_belief_act(oct_belief *b, uint32_t who, const oct_action *action, oct_act came)
{
    oct_history *const h = b->history;
    OCT_TRY(h ? oct_log_note_act(&h->log, h->life, who, &b->self, action, came) : OCT_OK);
    if (h && oct_log_may_build(action->verb, action->name) && came == OCT_ACT_DONE) {
        oct_history_build(h);
    }
    // What refuses now may do something else later.
    if (h && action->verb == OCT_VERB_USE && (came == OCT_ACT_NOT_NOW || came == OCT_ACT_REFUSED)) {
        deny_memory(b);
    }
    return action->verb == OCT_VERB_USE && came == OCT_ACT_DONE
               ? oct_belief_press(b, (oct_button){action->target, action->button})
               : OCT_OK;
}

// ---- questions ----

uint64_t oct_belief_events(const oct_belief *b)
{
    return b->events.told;
}

bool oct_belief_event(const oct_belief *b, uint64_t index, oct_event *out)
{
    return oct_event_list_get(&b->events, index, out);
}

oct_over oct_belief_over(const oct_belief *b)
{
    return b->over;
}

const oct_self *oct_belief_self(const oct_belief *b)
{
    return &b->self;
}

const oct_history *oct_belief_history(const oct_belief *b)
{
    return b->history;
}

const oct_map *oct_belief_map(const oct_belief *b)
{
    return b->map;
}

const oct_links *oct_belief_links(const oct_belief *b)
{
    return b->links;
}

const oct_game_info *oct_belief_info(const oct_belief *b)
{
    return &b->info;
}

oct_bounds oct_belief_extent(const oct_belief *b)
{
    oct_bounds all = {b->self.centre, b->self.centre};
    for (uint32_t i = 0; i < b->known.count; i++) {
        all = bounds_join(all, known_at(b, i)->now.thing.box);
    }
    return all;
}

const oct_tree *oct_belief_sights(const oct_belief *b)
{
    const oct_tree *const sights = oct_map_sighted(b->map);
    return sights ? sights : oct_map_tree(b->map);
}

bool oct_belief_wants_finer(const oct_belief *b)
{
    return b->has_turned && !b->is_fine;
}

// What a thing of the map is; NULL = its box.
static const oct_shape *shape_of(void *ctx, uint64_t id)
{
    const oct_belief *const b = ctx;
    oct_thing things[ENTITY_THINGS_MAX];
    uint32_t found;
    const bool is_entity = oct_belief_find(b, id, &found);
    for (uint32_t i = is_entity ? found : 0; i < oct_belief_count(b); i++) {
        const size_t count = oct_entity_things(&oct_belief_get(b, i)->now, things);
        for (size_t k = 0; k < count; k++) {
            if (things[k].id == id) {
                return things[k].shape;
            }
        }
    }
    return NULL;
}

oct_result oct_belief_refine(oct_belief *b)
{
    OCT_TRY(oct_map_refine(b->map, shape_of, b));
    b->is_fine = b->look.takes_shapes = true;
    return OCT_OK;
}

double oct_belief_reach(const oct_belief *b)
{
    return b->body.reach - (b->limits.reach - b->body.reach);
}

const oct_player_body *oct_belief_body(const oct_belief *b)
{
    return &b->body;
}

const oct_observation *oct_belief_told(const oct_belief *b)
{
    return &b->look.told;
}

oct_seen oct_belief_seen(const oct_belief *b)
{
    return b->look.seen;
}

uint64_t oct_belief_looks(const oct_belief *b)
{
    return b->looks;
}

uint64_t oct_belief_changes(const oct_belief *b)
{
    return b->changes;
}

uint64_t oct_belief_openings(const oct_belief *b)
{
    return b->openings;
}

uint32_t oct_belief_count(const oct_belief *b)
{
    return (uint32_t)b->known.count;
}

const oct_known *oct_belief_get(const oct_belief *b, uint32_t index)
{
    return known_at(b, index);
}

bool oct_belief_find_name(const oct_belief *b, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < b->known.count; i++) {
        const oct_known *const k = known_at(b, i);
        if (!k->gone && strcmp(k->now.name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

const uint32_t *oct_belief_news(const oct_belief *b, size_t *count)
{
    *count = b->news.count;
    return b->news.items;
}

size_t oct_belief_name(const oct_belief *b, const oct_known *k, char *out, size_t size)
{
    const char *const type = k->now.type;
    (void)b;
    const int length = k->now.name[0] != '\0'
                           ? snprintf(out, size, "%s", k->now.name)
                           : snprintf(out, size, "%s %llu",
                                      type[0] != '\0' ? type : oct_entity_kind_name(k->now.kind),
                                      (unsigned long long)k->now.thing.id);
    return length > 0 ? (size_t)length : 0;
}

size_t oct_belief_name_of(const oct_belief *b, uint64_t id, char *out, size_t size)
{
    uint32_t index;
    if (oct_belief_find(b, id, &index)) {
        return oct_belief_name(b, oct_belief_get(b, index), out, size);
    }
    return (size_t)snprintf(out, size, "%llu", (unsigned long long)id);
}
