// SPDX-License-Identifier: MIT
// What was told: which things stay, who pressed what, how doors were.
//
// A game tells everything within the radius of an eye. So a thing that is not told by a look which
// has it in range is not there then, and counts as one that comes and goes.
#include "verify/proof_internal.h"

#include "game/entity_pool.h"

#include <math.h>

// Nearer to the edge of what is in range it may be in range or not, metres.
#define EDGE 1e-6
// What a body may be off where it was told, metres.
#define OFF 0.1

static lattice_key key_of(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

uint32_t oct_proof_find_thing(const proof_check *c, uint64_t id)
{
    const key_slot *const slot = c->ids.capacity > 0 ? key_table_slot(&c->ids, key_of(id)) : NULL;
    return slot && key_slot_is_used(&c->ids, slot) ? slot->value : PROOF_NONE;
}

const oct_entity *oct_proof_entity(const proof_check *c, uint32_t thing)
{
    return &c->log->things[c->things[thing].version];
}

static bool is_shut(const oct_entity *e)
{
    return e->kind == OCT_ENTITY_DOOR && e->opening <= 0.0;
}

// The leaf of a door with a gap stands elsewhere unless it is shut: how it is then tells nothing.
static bool is_swung(const oct_entity *e)
{
    return e->kind == OCT_ENTITY_DOOR && e->has_gap && !is_shut(e);
}

bool oct_proof_door_holds(const proof_check *c, uint32_t door)
{
    const uint32_t thing = c->door_things[door];
    return c->things[thing].stays && !is_swung(oct_proof_entity(c, thing)) &&
           !c->proof->doors[door].is_loose;
}

const oct_bounds *oct_proof_door_box(const proof_check *c, uint32_t door)
{
    return &oct_proof_entity(c, c->door_things[door])->thing.box;
}

proof_bodies oct_proof_door_bodies(const proof_check *c, uint32_t door)
{
    return oct_proof_thing_bodies(c, c->door_things[door]);
}

// ---- things ----

static bool is_same(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// What is left of a thing: what wears off may go.
static bool is_as_whole(const oct_entity *a, const oct_entity *b)
{
    return oct_property_number(a->props, a->prop_count, "integrity", 0.0) ==
           oct_property_number(b->props, b->prop_count, "integrity", 0.0);
}

static bool is_at_rest(const oct_entity *e)
{
    return is_same(e->velocity, (oct_point){0, 0, 0});
}

// What goes by itself, what may rest elsewhere and what can be taken need not stand where it was
// told.
static bool may_leave(const oct_entity *e)
{
    if (e->thing.label == OCT_OPEN) {
        return false;
    }
    for (size_t i = 0; e->kind == OCT_ENTITY_MOVER && i < e->stop_count; i++) {
        const oct_bounds *const box = &e->thing.box;
        if (!is_same(e->stops[i].min, box->min) || !is_same(e->stops[i].max, box->max)) {
            return true;
        }
    }
    return e->kind == OCT_ENTITY_ACTOR || e->kind == OCT_ENTITY_ITEM ||
           (e->kind == OCT_ENTITY_MOVER && e->stop_count == 0);
}

static bool is_in_place(const oct_entity *a, const oct_entity *b)
{
    return is_same(a->thing.box.min, b->thing.box.min) &&
           is_same(a->thing.box.max, b->thing.box.max) && is_same(a->forward, b->forward) &&
           is_same(a->up, b->up) && oct_shape_is_equal(&a->shape, &b->shape);
}

// Whether two versions of a thing differ in nothing but how far a door is open.
static bool is_as_before(const oct_entity *a, const oct_entity *b, bool is_door)
{
    return is_in_place(a, b) && a->kind == b->kind && strcmp(a->type, b->type) == 0 &&
           is_as_whole(a, b) &&
           (is_door || (a->thing.label == b->thing.label && a->thing.opaque == b->thing.opaque));
}

static oct_result add_version(proof_check *c, uint32_t version)
{
    const oct_entity *const e = &c->log->things[version];
    const bool is_player = e->kind == OCT_ENTITY_PLAYER;
    const bool is_door = e->kind == OCT_ENTITY_DOOR;
    uint32_t at = oct_proof_find_thing(c, e->thing.id);
    if (at == PROOF_NONE) {
        at = (uint32_t)c->thing_count++;
        OCT_TRY(oct_key_table_reserve(&c->ids, &c->allocator, 1));
        const lattice_key key = key_of(e->thing.id);
        key_slot_fill(&c->ids, key_table_slot(&c->ids, key), key, at);
        c->things[at] = (told_thing){.id = e->thing.id,
                                     .version = version,
                                     .is_door = is_door,
                                     .is_player = is_player,
                                     .stays = !is_player};
    }
    told_thing *const t = &c->things[at];
    t->buttons = e->use_count > t->buttons ? e->use_count : t->buttons;
    const oct_entity *const first = &c->log->things[t->version];
    t->stays = t->stays && t->is_door == is_door && t->is_player == is_player &&
               (is_swung(e) || is_swung(first) ? strcmp(first->type, e->type) == 0
                                               : is_at_rest(e) && is_as_before(first, e, is_door));
    t->is_door = t->is_door || is_door;
    const bool has_moved = !is_same(e->velocity, (oct_point){0, 0, 0}) || !is_in_place(first, e);
    t->carries = t->carries || (has_moved && !t->is_player && !e->has_gap &&
                                (e->thing.opaque || e->thing.label != OCT_OPEN));
    t->version = is_shut(e) && !is_shut(first) ? version : t->version;
    // A door that was told to be shut, and not to be solid, is in nobody's way.
    t->stays = t->stays && (!is_shut(e) || e->thing.label == OCT_BLOCKED) && !may_leave(e);
    c->has_bodies = c->has_bodies || is_player;
    c->thing_of[version] = at;
    return OCT_OK;
}

static oct_result read_things(proof_check *c)
{
    c->things = oct_proof_alloc(c, c->log->thing_count, sizeof *c->things);
    c->thing_of = oct_proof_alloc(c, c->log->thing_count, sizeof *c->thing_of);
    if (!c->things || !c->thing_of) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < c->log->thing_count; i++) {
        OCT_TRY(add_version(c, (uint32_t)i));
    }
    return OCT_OK;
}

// ---- looks ----

// What one player was told last.
typedef struct player_view {
    uint32_t life;
    uint32_t *now; // of things
} player_view;

static oct_result find_players(proof_check *c)
{
    oct_array all = {0};
    const size_t looks = c->log->look_count, starts = c->log->start_count;
    for (size_t i = 0; i < looks + starts; i++) {
        const uint32_t who = i < looks ? c->log->looks[i].who : c->log->starts[i - looks].who;
        const uint32_t life = i < looks ? c->log->looks[i].life : c->log->starts[i - looks].life;
        c->last_life = life > c->last_life ? life : c->last_life;
        bool is_known = false;
        for (size_t k = 0; k < all.count && !is_known; k++) {
            is_known = ((const uint32_t *)all.items)[k] == who;
        }
        OCT_TRY(is_known ? OCT_OK : oct_array_push(&all, &c->allocator, sizeof who, &who));
    }
    c->players = (uint32_t)all.count;
    c->players_of = all.items;
    return all.count <= 64 ? OCT_OK : oct_proof_reject(c, "the log has more than 64 players");
}

static player_view *view_of(const proof_check *c, player_view *views, uint32_t who)
{
    uint32_t i = 0;
    while (c->players_of[i] != who) {
        i++;
    }
    return &views[i];
}

oct_result oct_proof_replay(proof_check *c, told_look_fn *visit, void *ctx)
{
    player_view views[64];
    for (uint32_t i = 0; i < c->players; i++) {
        views[i] = (player_view){0, oct_proof_alloc(c, c->thing_count, sizeof(uint32_t))};
        if (!views[i].now) {
            return OCT_ERROR_MEMORY;
        }
    }
    for (size_t i = 0; i < c->log->look_count; i++) {
        const oct_log_look *const l = &c->log->looks[i];
        player_view *const v = view_of(c, views, l->who);
        if (v->life != l->life) {
            memset(v->now, 0, c->thing_count * sizeof *v->now);
            v->life = l->life;
        }
        for (uint32_t k = 0; k < l->count; k++) {
            const oct_log_change change = c->log->changes[l->first + k];
            v->now[c->thing_of[change.thing]] = change.is_gone ? 0 : change.thing + 1;
        }
        OCT_TRY(visit(ctx, l, v->now));
    }
    return OCT_OK;
}

static bool is_in_range(const proof_check *c, uint32_t thing, oct_point eye, double radius)
{
    const oct_bounds *const box = &oct_proof_entity(c, thing)->thing.box;
    const proof_bodies all = oct_proof_thing_bodies(c, thing);
    bool is = false;
    for (size_t i = 0; proof_point_distance2(eye, box) < radius * radius && i < all.count && !is;
         i++) {
        is = oct_proof_distance(c, &all.items[i], eye) < radius;
    }
    return is;
}

// What is in range and not told is not there.
static oct_result find_absent(void *ctx, const oct_log_look *look, const uint32_t *now)
{
    proof_check *const c = ctx;
    const double radius = look->radius - EDGE;
    for (uint32_t i = 0; radius > 0.0 && i < c->thing_count; i++) {
        if (!now[i] && c->things[i].stays && is_in_range(c, i, look->eye, radius)) {
            c->things[i].stays = false;
        }
    }
    return OCT_OK;
}

// ---- doors ----

static oct_result find_doors(proof_check *c)
{
    const oct_proof *const p = c->proof;
    c->door_things = oct_proof_alloc(c, p->door_count, sizeof *c->door_things);
    c->poses = oct_proof_alloc(c, p->door_count, sizeof *c->poses);
    if (!c->door_things || !c->poses) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < p->door_count; i++) {
        const uint32_t t = oct_proof_find_thing(c, p->doors[i].id);
        if (t == PROOF_NONE || !c->things[t].is_door) {
            return oct_proof_reject(c, "door %zu was never told", i);
        }
        for (size_t k = 0; k < i; k++) {
            if (c->door_things[k] == t) {
                return oct_proof_reject(c, "door %zu is listed twice", i);
            }
        }
        c->door_things[i] = t;
    }
    return OCT_OK;
}

static bool is_near(const oct_bounds *a, const oct_bounds *b, double more)
{
    return a->min.x < b->max.x + more && a->max.x > b->min.x - more && a->min.y < b->max.y + more &&
           a->max.y > b->min.y - more && a->min.z < b->max.z + more && a->max.z > b->min.z - more;
}

// Whether something about a doorway may be beyond what is told in a look.
static bool exceeds_view(const oct_log_look *look, const oct_bounds *door)
{
    const oct_point e = look->eye;
    const double x = fmax(fabs(e.x - door->min.x), fabs(e.x - door->max.x)) + OFF;
    const double y = fmax(fabs(e.y - door->min.y), fabs(e.y - door->max.y)) + OFF;
    const double z = fmax(fabs(e.z - door->min.z), fabs(e.z - door->max.z)) + OFF;
    return x * x + y * y + z * z > look->radius * look->radius;
}

// Whether a body was in a doorway, or another one may have been that was not told.
static bool is_held(const proof_check *c, const oct_log_look *look, const uint32_t *now,
                    const oct_bounds *door)
{
    const oct_bounds own = {look->centre, look->centre};
    bool is = is_near(&own, door, c->most / 2 + OFF) || (c->has_others && exceeds_view(look, door));
    for (uint32_t i = 0; i < c->thing_count && c->has_bodies && !is; i++) {
        is = now[i] && c->things[i].is_player &&
             is_near(&c->log->things[now[i] - 1].thing.box, door, OFF);
    }
    return is;
}

static oct_result note_poses(void *ctx, const oct_log_look *look, const uint32_t *now)
{
    proof_check *const c = ctx;
    c->has_others = c->has_others || look->who != c->log->looks[0].who;
    for (uint32_t i = 0; i < c->thing_count && c->has_bodies && !c->has_others; i++) {
        c->has_others = now[i] && c->things[i].is_player;
    }
    for (size_t i = 0; i < c->proof->door_count; i++) {
        const uint32_t version = now[c->door_things[i]];
        if (version == 0) {
            continue;
        }
        const oct_entity *const e = &c->log->things[version - 1];
        const told_pose pose = {look->tick, e->opening, look->life,
                                is_held(c, look, now, &e->thing.box) ||
                                    (e->has_gap && is_held(c, look, now, &e->gap))};
        OCT_TRY(oct_array_push(&c->poses[i], &c->allocator, sizeof pose, &pose));
    }
    return OCT_OK;
}

// ---- presses ----

static oct_result read_presses(proof_check *c)
{
    c->presses = oct_proof_alloc(c, c->log->act_count, sizeof *c->presses);
    if (!c->presses) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < c->log->act_count; i++) {
        const oct_log_act *const a = &c->log->acts[i];
        if (a->verb == OCT_VERB_USE && a->came == OCT_ACT_DONE) {
            c->presses[c->press_count++] = (told_press){a->tick, a->life, {a->target, a->button}};
        }
    }
    return OCT_OK;
}

// ---- what presses change besides doors ----

// What a player was told last of each thing in a life.
typedef struct last_told {
    uint32_t life;
    uint64_t tick;     // of its last look
    uint32_t *version; // + 1
    bool *is_now;      // at its last look
} last_told;

typedef struct change_search {
    proof_check *c;
    last_told players[64];
    bool has_changed;
} change_search;

static bool has_other_props(const oct_entity *a, const oct_entity *b)
{
    bool is_equal = a->prop_count == b->prop_count;
    for (size_t i = 0; is_equal && i < a->prop_count; i++) {
        is_equal = oct_property_is_equal(&a->props[i], &b->props[i]);
    }
    return !is_equal;
}

static bool is_other_thing(const proof_check *c, uint32_t from, uint32_t to)
{
    const oct_entity *const a = &c->log->things[from], *const b = &c->log->things[to];
    const bool is_door = a->kind == OCT_ENTITY_DOOR || b->kind == OCT_ENTITY_DOOR;
    const bool is_player = a->kind == OCT_ENTITY_PLAYER || b->kind == OCT_ENTITY_PLAYER;
    const bool has_moved = (b->opening > 0.0 && b->opening < 1.0) || a->opening != b->opening;
    if (is_player || (is_door && has_moved)) {
        return false;
    }
    return a->kind != b->kind || strcmp(a->type, b->type) != 0 || has_other_props(a, b) ||
           (!is_door && (a->thing.label != b->thing.label || a->thing.opaque != b->thing.opaque));
}

static bool has_press(const proof_check *c, uint32_t life, uint64_t id, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < c->press_count; i++) {
        const told_press *const p = &c->presses[i];
        if (p->life == life && p->button.panel != id && p->tick < to &&
            p->tick + c->settle + c->slide + PROOF_SLACK >= from) {
            return true;
        }
    }
    return false;
}

static oct_result find_change(void *ctx, const oct_log_look *look, const uint32_t *now)
{
    change_search *const s = ctx;
    const proof_check *const c = s->c;
    uint32_t who = 0;
    while (c->players_of[who] != look->who) {
        who++;
    }
    last_told *const last = &s->players[who];
    if (last->life != look->life) {
        memset(last->version, 0, c->thing_count * sizeof *last->version);
        last->life = look->life;
    }
    for (uint32_t i = 0; i < c->thing_count; i++) {
        if (now[i] && last->version[i] && now[i] != last->version[i] &&
            is_other_thing(c, last->version[i] - 1, now[i] - 1)) {
            s->has_changed =
                s->has_changed || has_press(c, look->life, c->things[i].id,
                                            last->is_now[i] ? last->tick : 0, look->tick);
        }
        last->version[i] = now[i] ? now[i] : last->version[i];
        last->is_now[i] = now[i] != 0;
    }
    last->tick = look->tick;
    return OCT_OK;
}

oct_result oct_proof_find_changes(proof_check *c, bool *has_changed)
{
    change_search s = {.c = c};
    for (uint32_t i = 0; i < c->players; i++) {
        s.players[i].version = oct_proof_alloc(c, c->thing_count, sizeof(uint32_t));
        s.players[i].is_now = oct_proof_alloc(c, c->thing_count, sizeof(bool));
        if (!s.players[i].version || !s.players[i].is_now) {
            return OCT_ERROR_MEMORY;
        }
    }
    OCT_TRY(c->press_count > 0 ? oct_proof_replay(c, find_change, &s) : OCT_OK);
    *has_changed = s.has_changed;
    return OCT_OK;
}

oct_result oct_proof_read_log(proof_check *c)
{
    OCT_TRY(find_players(c));
    OCT_TRY(read_things(c));
    if (c->proof->kind != OCT_PROOF_WITNESS) {
        OCT_TRY(oct_proof_make_bodies(c));
        OCT_TRY(oct_proof_replay(c, find_absent, c));
    }
    OCT_TRY(read_presses(c));
    OCT_TRY(find_doors(c));
    return c->proof->door_count > 0 ? oct_proof_replay(c, note_poses, c) : OCT_OK;
}
