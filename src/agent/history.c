// SPDX-License-Identifier: MIT
#include "agent/history.h"
#include "agent/space_cache.h"
#include "agent/walk_space.h"
#include "agent/walker.h"
#include "geom/geom_internal.h"

#include <math.h>

// Ticks between lives: more than anything that a press sets going takes.
#define LIFE_GAP (UINT64_C(1) << 40)

// ---- life ----

oct_history *oct_history_create(const oct_allocator *may_be_null)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    space_cache *const spaces = oct_space_cache_create(&allocator);
    oct_history *const h = spaces ? oct_alloc(&allocator, sizeof *h, _Alignof(oct_history)) : NULL;
    if (!h) {
        oct_space_cache_destroy(spaces);
    } else {
        *h = (oct_history){.allocator = allocator, .users = 1, .spaces = spaces};
        oct_log_init(&h->log, &allocator);
        oct_pool_init(&h->pool, &h->allocator);
        const oct_player_body body = oct_player_body_default();
        h->limits = oct_body_limits_of(&body);
    }
    return h;
}

oct_history *oct_history_keep(oct_history *h)
{
    h->users++;
    return h;
}

void oct_history_drop(oct_history *h)
{
    if (!h || --h->users > 0) {
        return;
    }
    const oct_allocator allocator = h->allocator;
    for (size_t i = 0; i < h->doors.count; i++) {
        oct_array_free(&((history_door *)h->doors.items)[i].runs, &allocator, sizeof(door_run));
    }
    for (size_t i = 0; i < h->sights.count; i++) {
        oct_tree_destroy(((const history_sight *)h->sights.items)[i].own);
    }
    oct_space_cache_destroy(h->spaces);
    oct_log_free(&h->log);
    oct_array_free(&h->avoided, &allocator, sizeof(oct_button));
    oct_array_free(&h->sights, &allocator, sizeof(history_sight));
    oct_pool_free(&h->pool, &allocator);
    oct_array_free(&h->things, &allocator, sizeof(history_thing));
    oct_array_free(&h->doors, &allocator, sizeof(history_door));
    oct_array_free(&h->presses, &allocator, sizeof(history_press));
    oct_array_free(&h->starts, &allocator, sizeof(oct_point));
    oct_key_table_free(&h->ids, &allocator);
    oct_free(&allocator, h, sizeof *h);
}

// ---- things ----

static lattice_key key_of(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

static history_thing *find(const oct_history *h, uint64_t id)
{
    const key_slot *const slot = h->things.count > 0 ? key_table_slot(&h->ids, key_of(id)) : NULL;
    return slot && key_slot_is_used(&h->ids, slot) ? (history_thing *)h->things.items + slot->value
                                                   : NULL;
}

const history_thing *oct_history_find(const oct_history *h, uint64_t id)
{
    return find(h, id);
}

// What is left of it: what wears off may go.
static double integrity_of(const oct_entity *e)
{
    return oct_property_number(e->props, e->prop_count, "integrity", 0.0);
}

static bool is_same_place(const oct_entity *a, const oct_entity *b)
{
    return is_same_bounds(&a->thing.box, &b->thing.box) && is_same_point(a->forward, b->forward) &&
           is_same_point(a->up, b->up) && oct_shape_is_equal(&a->shape, &b->shape);
}

// Whether it stands as it did; how far a door is open does not count.
static bool stands(const oct_entity *a, const oct_entity *b, bool is_door)
{
    return is_same_place(a, b) && a->kind == b->kind && strcmp(a->type, b->type) == 0 &&
           integrity_of(a) == integrity_of(b) &&
           (is_door || (a->thing.label == b->thing.label && a->thing.opaque == b->thing.opaque));
}

static bool is_door(const oct_entity *e)
{
    return e->kind == OCT_ENTITY_DOOR;
}

static bool is_shut(const oct_entity *e)
{
    return is_door(e) && e->opening <= 0.0;
}

// The leaf of a door with a gap has its shape elsewhere unless it is shut.
static bool is_swung(const oct_entity *e)
{
    return is_door(e) && e->has_gap && e->opening > 0.0;
}

// Whether what is told shows that something may move.
static bool shows_moving(const history_thing *t, const oct_entity *e)
{
    if (is_swung(e) || is_swung(&t->told)) {
        return e->kind != t->told.kind || strcmp(e->type, t->told.type) != 0;
    }
    return e->kind == OCT_ENTITY_PLAYER || !stands(&t->told, e, is_door(e)) ||
           !is_same_point(e->velocity, (oct_point){0, 0, 0});
}

// Whether something may stand elsewhere although nobody has seen it move: it goes by itself, it is
// told to have another place to rest at, or somebody may take it.
static bool may_leave(const oct_entity *e)
{
    bool rests_here = e->kind != OCT_ENTITY_MOVER || e->stop_count > 0;
    for (size_t i = 0; e->kind == OCT_ENTITY_MOVER && i < e->stop_count; i++) {
        rests_here = rests_here && is_same_bounds(&e->stops[i], &e->thing.box);
    }
    return !rests_here || e->kind == OCT_ENTITY_ACTOR || e->kind == OCT_ENTITY_ITEM;
}

body_limits oct_body_limits_of(const oct_player_body *body)
{
    const double off = fabs(body->eye - body->height / 2.0);
    const bool is_tall = body->height > body->width;
    const double least = is_tall ? body->width : body->height;
    return (body_limits){.reach = body->reach + off,
                         .speed = body->speed,
                         .least = body->low > 0.0 ? fmin(least, body->low) : least,
                         .most = is_tall ? body->height : body->width};
}

void oct_history_note_body(oct_history *h, const oct_player_body *body, bool walks)
{
    const body_limits own = oct_body_limits_of(body), was = h->limits;
    h->limits = !h->has_body ? own
                             : (body_limits){fmax(own.reach, was.reach), fmax(own.speed, was.speed),
                                             fmin(own.least, was.least), fmax(own.most, was.most)};
    h->walk = walks && (h->walk || !h->has_body);
    h->has_body = true;
}

static oct_result add_thing(oct_history *h, const oct_entity *e, uint64_t tick)
{
    const uint32_t index = (uint32_t)h->things.count;
    const bool opens = is_door(e);
    history_thing new = {.told = *e,
                         .first = tick,
                         .last = tick,
                         .is_mobile = h->has_built || (e->thing.label != OCT_OPEN && may_leave(e))};
    OCT_TRY(oct_pool_entity(&h->pool, &h->allocator, e, &new.told));
    new.door = opens ? (uint32_t)h->doors.count + 1 : 0;
    OCT_TRY(oct_key_table_reserve(&h->ids, &h->allocator, 1));
    OCT_TRY(oct_array_push(&h->things, &h->allocator, sizeof new, &new));
    const lattice_key key = key_of(e->thing.id);
    key_slot_fill(&h->ids, key_table_slot(&h->ids, key), key, index);
    const history_door door = {.thing = index};
    return opens ? oct_array_push(&h->doors, &h->allocator, sizeof door, &door) : OCT_OK;
}

// ---- doors ----

// What a body may be off where it was told, metres.
#define OFF 0.1

static bool is_within(const oct_bounds *b, const oct_bounds *of, double more)
{
    return b->min.x < of->max.x + more && b->max.x > of->min.x - more &&
           b->min.y < of->max.y + more && b->max.y > of->min.y - more &&
           b->min.z < of->max.z + more && b->max.z > of->min.z - more;
}

static bool is_in_way(const body_limits *limits, const oct_observation *told,
                      const oct_bounds *door)
{
    const oct_point at = told->self.centre;
    const oct_bounds own = {at, at};
    bool is = is_within(&own, door, limits->most / 2 + OFF);
    for (size_t i = 0; i < told->count && !is; i++) {
        const oct_entity *const e = &told->entities[i];
        is = e->kind == OCT_ENTITY_PLAYER && is_within(&e->thing.box, door, OFF);
    }
    return is;
}

bool oct_history_is_held(const body_limits *limits, const oct_observation *told,
                         const oct_entity *door)
{
    return is_in_way(limits, told, &door->thing.box) ||
           (door->has_gap && is_in_way(limits, told, &door->gap));
}

static double furthest(double at, double lo, double hi)
{
    return fmax(fabs(at - lo), fabs(at - hi)) + OFF;
}

// Whether all bodies that may be in a doorway are within a view.
static bool is_in_range(oct_point eye, double view, const oct_bounds *b)
{
    const double x = furthest(eye.x, b->min.x, b->max.x);
    const double y = furthest(eye.y, b->min.y, b->max.y);
    const double z = furthest(eye.z, b->min.z, b->max.z);
    return x * x + y * y + z * z <= view * view;
}

bool oct_history_may_be_held(const oct_history *h, double view, const oct_observation *told,
                             const oct_entity *door)
{
    const oct_point eye = told->self.eye;
    const bool is_whole = is_in_range(eye, view, &door->thing.box) &&
                          (!door->has_gap || is_in_range(eye, view, &door->gap));
    return oct_history_is_held(&h->limits, told, door) ||
           ((h->has_others || h->starts.count > 1) && !is_whole);
}

static oct_result see_door(oct_history *h, history_door *d, double opening, bool is_held,
                           uint64_t tick)
{
    door_run *last = d->runs.count > 0 ? (door_run *)d->runs.items + d->runs.count - 1 : NULL;
    last = last && last->life == h->life ? last : NULL;
    const uint64_t gap = last ? tick - last->last : 0;
    const history_press *const presses = h->presses.items;
    const bool is_pressed =
        last && h->presses.count > 0 && presses[h->presses.count - 1].tick >= last->last;
    if (last && !is_pressed && gap <= WATCH_GAP && last->opening == opening &&
        last->is_held == is_held) {
        last->last = tick;
        return OCT_OK;
    }
    const door_run new = {tick, tick, opening, gap, h->life, is_held};
    return oct_array_push(&d->runs, &h->allocator, sizeof new, &new);
}

// ---- what happens ----

void oct_history_begin_life(oct_history *h)
{
    h->life++;
    h->offset = h->now + LIFE_GAP;
    h->now = h->offset;
    h->avoided.count = 0;
    h->has_built = false;
}

void oct_history_build(oct_history *h)
{
    h->has_built = true;
}

oct_result oct_history_avoid(oct_history *h, oct_button button)
{
    return oct_array_push(&h->avoided, &h->allocator, sizeof button, &button);
}

bool oct_history_avoids(const oct_history *h, oct_button button)
{
    const oct_button *const all = h->avoided.items;
    for (size_t i = 0; i < h->avoided.count; i++) {
        if (all[i].panel == button.panel && all[i].number == button.number) {
            return true;
        }
    }
    return false;
}

oct_result oct_history_start(oct_history *h, oct_point centre)
{
    // Who begins a later life where somebody began the first is the same body.
    for (size_t i = 0; h->life > 0 && i < h->starts.count; i++) {
        if (is_same_point(((const oct_point *)h->starts.items)[i], centre)) {
            return OCT_OK;
        }
    }
    return oct_array_push(&h->starts, &h->allocator, sizeof centre, &centre);
}

static oct_result see(oct_history *h, double view, const oct_observation *told, const oct_entity *e,
                      uint64_t tick)
{
    history_thing *t = find(h, e->thing.id);
    const bool opens = is_door(e);
    if (!t) {
        OCT_TRY(add_thing(h, e, tick));
        t = find(h, e->thing.id);
    }
    t->last = tick;
    const bool is_player = e->kind == OCT_ENTITY_PLAYER;
    const bool has_moved =
        !is_same_place(&t->told, e) || !is_same_point(e->velocity, (oct_point){0, 0, 0});
    // A leaf beside its gap moves as the door does, and carries nothing.
    t->carries = t->carries || (has_moved && !is_player && !e->has_gap &&
                                (e->thing.opaque || e->thing.label != OCT_OPEN));
    // Other bodies go where they like.
    t->is_mobile =
        t->is_mobile || shows_moving(t, e) || (e->thing.label != OCT_OPEN && may_leave(e));
    if (is_shut(e) && is_door(&t->told) && !is_shut(&t->told)) {
        OCT_TRY(oct_pool_entity(&h->pool, &h->allocator, e, &t->told));
    }
    return t->door > 0 && opens
               ? see_door(h, (history_door *)h->doors.items + t->door - 1, e->opening,
                          oct_history_may_be_held(h, view, told, e), tick)
               : OCT_OK;
}

// ---- what denies memory ----

// What can be taken may be what a press waits for: it may do something else later. What presses
// change besides doors is found in the log.
static void check_memory(oct_history *h, const oct_game_info *info, const oct_observation *o)
{
    const uint32_t memory = 1u << OCT_ASSUME_MEMORY;
    if ((info->promises & (memory | 1u << OCT_ASSUME_TOGGLES)) != 0) {
        return;
    }
    for (size_t i = 0; i < o->count; i++) {
        h->denied |= o->entities[i].kind == OCT_ENTITY_ITEM ? memory : 0;
    }
}

// What speeds and places may be off by rounding.
#define TINY 1e-3

static bool is_inside(const oct_bounds *b, oct_point p)
{
    const oct_bounds at = {p, p};
    return is_within(&at, b, TINY);
}

// What is told against what the game has described: nobody exceeds the speed, and nothing that can
// be entered or used lies beyond the bounds.
static void check_assumptions(oct_history *h, const oct_game_info *info, const oct_observation *o)
{
    // On foot steps, jumps and falls are not measured by the speed.
    const oct_point v = h->walk ? oct_walker_level(o->self.velocity, info->up) : o->self.velocity;
    if (sqrt(v.x * v.x + v.y * v.y + v.z * v.z) > h->limits.speed * (1.0 + TINY) + TINY) {
        h->denied |= 1u << OCT_ASSUME_PACE;
    }
    walk_limits limits;
    const char *untold;
    if (h->walk && oct_walk_limits_of(h, info, &limits, &untold) &&
        sqrt(v.x * v.x + v.y * v.y + v.z * v.z) > limits.speed * (1.0 + TINY) + TINY) {
        h->denied |= 1u << OCT_ASSUME_FEET;
    }
    bool is_true = !info->has_bounds || is_inside(&info->bounds, o->self.centre);
    for (size_t i = 0; i < o->count && is_true; i++) {
        const oct_entity *const e = &o->entities[i];
        is_true = !info->has_bounds || (e->use_count == 0 && !is_door(e)) ||
                  is_within(&e->thing.box, &info->bounds, TINY);
    }
    h->denied |= is_true ? 0 : 1u << OCT_ASSUME_TRUTH;
}

oct_result oct_history_look(oct_history *h, const oct_game_info *info, const oct_observation *seen,
                            const oct_observation *told)
{
    check_assumptions(h, info, seen);
    for (size_t i = 0; i < told->count && !h->has_others; i++) {
        h->has_others = told->entities[i].kind == OCT_ENTITY_PLAYER;
    }
    const uint64_t tick = h->offset + seen->self.tick;
    h->now = tick > h->now ? tick : h->now;
    for (size_t i = 0; i < seen->count; i++) {
        OCT_TRY(see(h, info->view, told, &seen->entities[i], tick));
    }
    check_memory(h, info, seen);
    return OCT_OK;
}

void oct_history_lose(oct_history *h, uint64_t id)
{
    history_thing *const t = find(h, id);
    if (t) {
        t->is_mobile = true;
    }
}

oct_result oct_history_press(oct_history *h, oct_button button, uint64_t tick)
{
    const history_press p = {h->offset + tick, button, h->life};
    h->now = p.tick > h->now ? p.tick : h->now;
    return oct_array_push(&h->presses, &h->allocator, sizeof p, &p);
}

bool oct_history_last_press(const oct_history *h, uint64_t *tick)
{
    const history_press *const all = h->presses.items;
    const history_press *const last = h->presses.count > 0 ? &all[h->presses.count - 1] : NULL;
    const bool is_there = last && last->life == h->life;
    *tick = is_there ? last->tick - h->offset : 0;
    return is_there;
}

// ---- what was in sight ----

oct_result oct_history_add_sight(oct_history *h, const oct_tree *cells)
{
    const history_sight new = {cells, NULL};
    return oct_array_push(&h->sights, &h->allocator, sizeof new, &new);
}

void oct_history_take_sight(oct_history *h, oct_tree *cells)
{
    history_sight *const all = h->sights.items;
    for (size_t i = 0; i < h->sights.count; i++) {
        if (all[i].cells == cells) {
            all[i].own = cells;
            return;
        }
    }
    oct_tree_destroy(cells);
}

static bool is_same_lattice(const oct_tree *a, const oct_tree *b)
{
    return oct_tree_cell_size(a) == oct_tree_cell_size(b) &&
           is_same_point(oct_tree_origin(a), oct_tree_origin(b));
}

bool oct_history_has_seen(const oct_history *h, const oct_tree *lattice, oct_vec cell)
{
    const history_sight *const all = h->sights.items;
    for (size_t i = 0; i < h->sights.count; i++) {
        if (is_same_lattice(all[i].cells, lattice) &&
            oct_tree_label(all[i].cells, cell) != OCT_UNKNOWN) {
            return true;
        }
    }
    return false;
}

bool oct_history_has_seen_box(const oct_history *h, const oct_tree *lattice, oct_box box)
{
    const history_sight *const all = h->sights.items;
    for (size_t i = 0; i < h->sights.count; i++) {
        if (is_same_lattice(all[i].cells, lattice) &&
            (oct_tree_labels_in(all[i].cells, box) & OCT_HAS_UNKNOWN) == 0) {
            return true;
        }
    }
    return false;
}
