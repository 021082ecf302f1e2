// SPDX-License-Identifier: MIT
#include "agent/run_log.h"

#include "agent/effects.h"
#include "geom/geom_internal.h"

// ---- life ----

void oct_log_init(run_log *log, const oct_allocator *allocator)
{
    *log = (run_log){.allocator = *allocator};
    oct_pool_init(&log->pool, allocator);
}

void oct_log_free(run_log *log)
{
    const oct_allocator *const a = &log->allocator;
    log_player *const players = log->players.items;
    for (size_t i = 0; i < log->players.count; i++) {
        oct_array_free(&players[i].told, a, sizeof(uint32_t));
        oct_array_free(&players[i].before, a, sizeof(uint32_t));
        oct_array_free(&players[i].sights, a, sizeof(log_sight));
    }
    oct_array_free(&log->players, a, sizeof(log_player));
    oct_key_table_free(&log->ids, a);
    oct_array_free(&log->latest, a, sizeof(uint32_t));
    oct_array_free(&log->acts, a, sizeof(oct_log_act));
    oct_array_free(&log->changes, a, sizeof(oct_log_change));
    oct_array_free(&log->looks, a, sizeof(oct_log_look));
    oct_array_free(&log->things, a, sizeof(oct_entity));
    oct_array_free(&log->starts, a, sizeof(oct_log_start));
    oct_pool_free(&log->pool, a);
}

void oct_log_describe(run_log *log, const oct_game_info *info, uint32_t denies)
{
    log->info = *info;
    log->info.game = log->info.level = "";
    log->info.doubts = NULL;
    log->info.doubt_count = 0;
    log->denies = denies;
    log->has_info = true;
}

// ---- room ----

// Makes room for some more, by half of what there is where it has to grow: looks come often.
static oct_result make_room(const run_log *log, oct_array *array, size_t item_size, size_t more)
{
    const size_t most = array->count + more, half = array->capacity + array->capacity / 2 + 8;
    return most <= array->capacity
               ? OCT_OK
               : oct_array_reserve(array, &log->allocator, item_size, most > half ? most : half);
}

// Room for a look in which everything is new: after that only keeping what is new may fail.
static oct_result make_room_for(run_log *log, log_player *p, const oct_observation *told)
{
    const size_t count = told->count;
    OCT_TRY(make_room(log, &log->starts, sizeof(oct_log_start), 1));
    OCT_TRY(make_room(log, &log->looks, sizeof(oct_log_look), 1));
    OCT_TRY(make_room(log, &log->changes, sizeof(oct_log_change), count + p->told.count));
    OCT_TRY(make_room(log, &log->things, sizeof(oct_entity), count));
    OCT_TRY(make_room(log, &log->latest, sizeof(uint32_t), count));
    OCT_TRY(oct_key_table_reserve(&log->ids, &log->allocator, (uint32_t)count));
    p->before.count = 0;
    OCT_TRY(make_room(log, &p->before, sizeof(uint32_t), count));
    const size_t known = log->latest.count + count;
    OCT_TRY(make_room(log, &p->sights, sizeof(log_sight), known - p->sights.count));
    // Indices of 32 bits; memory ends long before.
    return log->changes.capacity < UINT32_MAX && log->things.capacity < UINT32_MAX
               ? OCT_OK
               : OCT_ERROR_MEMORY;
}

static oct_result find_player(run_log *log, uint32_t who, log_player **out)
{
    log_player *const all = log->players.items;
    for (size_t i = 0; i < log->players.count; i++) {
        if (all[i].who == who) {
            *out = &all[i];
            return OCT_OK;
        }
    }
    const log_player new = {.who = who};
    OCT_TRY(oct_array_push(&log->players, &log->allocator, sizeof new, &new));
    *out = (log_player *)log->players.items + log->players.count - 1;
    return OCT_OK;
}

// ---- things ----

static const oct_entity *thing_at(const run_log *log, uint32_t index)
{
    return (const oct_entity *)log->things.items + index;
}

// Whether an entity is told as it was.
static bool is_as(const run_log *log, uint32_t index, const oct_entity *e)
{
    const oct_entity *const t = thing_at(log, index);
    return is_same_bounds(&t->thing.box, &e->thing.box) && t->thing.label == e->thing.label &&
           t->thing.opaque == e->thing.opaque && t->thing.tag == e->thing.tag &&
           is_same_point(t->forward, e->forward) && is_same_point(t->up, e->up) &&
           is_same_point(t->velocity, e->velocity) && t->opening == e->opening &&
           oct_entity_is_alike(t, e);
}

// One more way in which an entity was told.
static oct_result add_thing(run_log *log, const oct_entity *e, uint32_t *index)
{
    oct_entity *const t = (oct_entity *)log->things.items + log->things.count;
    OCT_TRY(oct_pool_entity(&log->pool, &log->allocator, e, t));
    *index = (uint32_t)log->things.count++;
    return OCT_OK;
}

static lattice_key key_of(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

// The number of an entity, a new one where it was never told. Things come in the same order at each
// look, but for some: what came after this one last time is tried first.
static oct_result number_of(run_log *log, const log_player *p, const oct_entity *e, size_t next,
                            uint32_t *out)
{
    const uint32_t *const latest = log->latest.items;
    if (next < p->told.count) {
        const uint32_t number = ((const uint32_t *)p->told.items)[next];
        if (thing_at(log, latest[number])->thing.id == e->thing.id) {
            *out = number;
            return OCT_OK;
        }
    }
    const lattice_key key = key_of(e->thing.id);
    key_slot *const slot = key_table_slot(&log->ids, key);
    if (!key_slot_is_used(&log->ids, slot)) {
        *out = (uint32_t)log->latest.count;
        OCT_TRY(add_thing(log, e, (uint32_t *)log->latest.items + *out));
        log->latest.count++;
        key_slot_fill(&log->ids, slot, key, *out);
        return OCT_OK;
    }
    *out = slot->value;
    return OCT_OK;
}

// ---- looks ----

static void push_change(run_log *log, uint32_t thing, bool is_gone)
{
    ((oct_log_change *)log->changes.items)[log->changes.count++] =
        (oct_log_change){.thing = thing, .is_gone = is_gone};
}

// Sights of entities that the player was never told of.
static void grow_sights(const run_log *log, log_player *p)
{
    const size_t more = log->latest.count - p->sights.count;
    if (more > 0) {
        memset((log_sight *)p->sights.items + p->sights.count, 0, more * sizeof(log_sight));
        p->sights.count = log->latest.count;
    }
}

// ---- what presses change besides doors ----

static bool is_moving(const oct_entity *e)
{
    return e->opening > 0.0 && e->opening < 1.0;
}

// Whether what it is has changed; where it is, and how far a door is open, does not count.
static bool is_another(const oct_entity *a, const oct_entity *b)
{
    const bool is_door = a->kind == OCT_ENTITY_DOOR || b->kind == OCT_ENTITY_DOOR;
    if (a->kind == OCT_ENTITY_PLAYER || b->kind == OCT_ENTITY_PLAYER ||
        (is_door && (is_moving(b) || a->opening != b->opening))) {
        return false;
    }
    return a->kind != b->kind || strcmp(a->type, b->type) != 0 ||
           !oct_props_are_equal(a->props, a->prop_count, b->props, b->prop_count) ||
           (!is_door && (a->thing.label != b->thing.label || a->thing.opaque != b->thing.opaque));
}

// Whether a press of something else may be why an entity changed from one tick to another. A press
// begins with the next tick: one of the same tick is none.
static bool may_be_pressed(const run_log *log, const oct_game_info *info, uint32_t life,
                           uint64_t id, uint64_t from, uint64_t to)
{
    const effect_rules rules = oct_effect_rules_of(info);
    const oct_log_act *const all = log->acts.items;
    for (size_t i = log->acts.count; i-- > 0 && all[i].life == life;) {
        if (all[i].verb == OCT_VERB_USE && all[i].came == OCT_ACT_DONE && all[i].target != id &&
            all[i].tick < to && all[i].tick + oct_effects_spell(&rules) >= from) {
            return true;
        }
    }
    return false;
}

// Compares an entity with what a player was told of it last, in this life.
static void note_change(run_log *log, const oct_game_info *info, const log_player *p,
                        const log_sight *sight, const oct_entity *e, uint64_t tick)
{
    const bool was_told = sight->look == p->look - 1;
    if (!log->forgets && sight->look > p->begun && is_another(thing_at(log, sight->thing), e)) {
        log->forgets =
            may_be_pressed(log, info, p->life, e->thing.id, was_told ? p->tick : 0, tick);
    }
}

// One entity of a look; `next` becomes its position in the look before and 1, unless it is new.
static oct_result tell(run_log *log, const oct_game_info *info, log_player *p, const oct_entity *e,
                       uint64_t tick, size_t *next)
{
    uint32_t number;
    OCT_TRY(number_of(log, p, e, *next, &number));
    grow_sights(log, p);
    log_sight *const sight = (log_sight *)p->sights.items + number;
    uint32_t *const latest = (uint32_t *)log->latest.items + number;
    if (sight->look == p->look) {
        return OCT_OK; // an id that is told twice counts once
    }
    const bool was_told = sight->look == p->look - 1;
    *next = was_told ? sight->position + (size_t)1 : *next;
    if (!was_told || !is_as(log, sight->thing, e)) {
        note_change(log, info, p, sight, e, tick);
        OCT_TRY(is_as(log, *latest, e) ? OCT_OK : add_thing(log, e, latest));
        push_change(log, *latest, false);
        sight->thing = *latest;
    }
    sight->look = p->look;
    sight->position = (uint32_t)p->before.count;
    ((uint32_t *)p->before.items)[p->before.count++] = number;
    return OCT_OK;
}

static void tell_gone(run_log *log, const log_player *p)
{
    const uint32_t *const told = p->told.items;
    const log_sight *const sights = p->sights.items;
    for (size_t i = 0; i < p->told.count; i++) {
        if (sights[told[i]].look != p->look) {
            push_change(log, sights[told[i]].thing, true);
        }
    }
}

// What was told in another life is not told again.
static oct_result begin(run_log *log, log_player *p, uint32_t life, const oct_self *self,
                        const oct_player_body *body, bool walks)
{
    oct_log_start *const start = (oct_log_start *)log->starts.items + log->starts.count;
    *start = (oct_log_start){.life = life,
                             .who = p->who,
                             .pose = self->pose,
                             .centre = self->centre,
                             .walks = walks || body->gait == OCT_GAIT_WALK};
    OCT_TRY(oct_pool_body(&log->pool, &log->allocator, body, &start->body));
    log->starts.count++;
    p->life = life;
    p->look++;
    p->begun = p->look;
    p->told.count = 0;
    return OCT_OK;
}

// A look that failed is no look: at the next one everything is told.
static oct_result forget_look(run_log *log, log_player *p, size_t first, oct_result result)
{
    log->changes.count = first;
    p->look++;
    return result;
}

oct_result oct_log_note_look(run_log *log, const oct_game_info *info, const oct_player_body *body,
                             bool walks, uint32_t life, uint32_t who, const oct_observation *told)
{
    log_player *p;
    OCT_TRY(find_player(log, who, &p));
    OCT_TRY(make_room_for(log, p, told));
    if (!log->has_info) {
        oct_log_describe(log, info, 0);
    }
    if (p->look == 0 || p->life != life) {
        OCT_TRY(begin(log, p, life, &told->self, body, walks));
    }
    p->look++;
    const uint32_t first = (uint32_t)log->changes.count;
    size_t next = 0;
    for (size_t i = 0; i < told->count; i++) {
        const oct_result result = tell(log, info, p, &told->entities[i], told->self.tick, &next);
        if (result != OCT_OK) {
            return forget_look(log, p, first, result);
        }
    }
    p->tick = told->self.tick;
    tell_gone(log, p);
    const oct_array before = p->told;
    p->told = p->before;
    p->before = before;
    ((oct_log_look *)log->looks.items)[log->looks.count++] =
        (oct_log_look){.tick = told->self.tick,
                       .life = life,
                       .who = who,
                       .pose = told->self.pose,
                       .centre = told->self.centre,
                       .eye = told->self.eye,
                       .radius = info->view,
                       .sight = info->sight,
                       .first = first,
                       .count = (uint32_t)log->changes.count - first};
    return OCT_OK;
}

oct_result oct_log_note_act(run_log *log, uint32_t life, uint32_t who, const oct_self *self,
                            const oct_action *action, oct_act came)
{
    const bool is_use = action->verb == OCT_VERB_USE;
    oct_log_act new = {.tick = self->tick,
                       .life = life,
                       .who = who,
                       .pose = self->pose,
                       .centre = self->centre,
                       .verb = action->verb,
                       .target = is_use ? action->target : 0,
                       .button = is_use ? action->button : 0,
                       .came = came};
    OCT_TRY(oct_pool_text(&log->pool, &log->allocator,
                          action->verb == OCT_VERB_DO ? action->name : "", &new.name));
    return oct_array_push(&log->acts, &log->allocator, sizeof new, &new);
}

// What is known to set nothing, of the block world's and of what bodies do.
bool oct_log_may_build(oct_verb verb, const char *name)
{
    static const char *const harmless[] = {"jetpack", "dampeners", "boots", "equip",
                                           "tool",    "remove",    "fly",   "crouch"};
    bool may = verb == OCT_VERB_DO;
    for (size_t i = 0; may && i < sizeof harmless / sizeof *harmless; i++) {
        may = strcmp(name, harmless[i]) != 0;
    }
    return may;
}

// ---- the whole ----

oct_run_log oct_log_view(const run_log *log)
{
    return (oct_run_log){.info = log->info,
                         .denies = log->denies,
                         .starts = log->starts.items,
                         .start_count = log->starts.count,
                         .things = log->things.items,
                         .thing_count = log->things.count,
                         .looks = log->looks.items,
                         .look_count = log->looks.count,
                         .changes = log->changes.items,
                         .change_count = log->changes.count,
                         .acts = log->acts.items,
                         .act_count = log->acts.count};
}

// A log that stands for itself.
typedef struct own_log {
    oct_run_log log; // the first member: who has the one has the other
    oct_allocator allocator;
    entity_pool pool;
} own_log;

// Copies items; false where memory is short. None are NULL.
static bool copy(const oct_allocator *allocator, const void *items, size_t size, void *out)
{
    void *const own = size > 0 ? oct_alloc(allocator, size, _Alignof(max_align_t)) : NULL;
    if (own) {
        memcpy(own, items, size);
    }
    memcpy(out, &own, sizeof own);
    return own || size == 0;
}

static bool copy_all(own_log *own)
{
    const oct_allocator *const a = &own->allocator;
    oct_run_log *const log = &own->log;
    oct_entity *things;
    oct_log_act *acts;
    oct_log_start *starts;
    const bool has_things = copy(a, log->things, log->thing_count * sizeof(oct_entity), &things);
    log->things = things;
    // All are copied, or NULL, before anything is given up: what is freed is the own.
    bool is_whole = has_things;
    is_whole = copy(a, log->starts, log->start_count * sizeof *log->starts, &starts) & is_whole;
    log->starts = starts;
    is_whole = copy(a, log->looks, log->look_count * sizeof *log->looks, &log->looks) & is_whole;
    is_whole =
        copy(a, log->changes, log->change_count * sizeof *log->changes, &log->changes) & is_whole;
    is_whole = copy(a, log->acts, log->act_count * sizeof *log->acts, &acts) & is_whole;
    log->acts = acts;
    for (size_t i = 0; is_whole && i < log->thing_count; i++) {
        is_whole = oct_pool_entity(&own->pool, a, &things[i], &things[i]) == OCT_OK;
    }
    for (size_t i = 0; is_whole && i < log->act_count; i++) {
        is_whole = oct_pool_text(&own->pool, a, acts[i].name, &acts[i].name) == OCT_OK;
    }
    for (size_t i = 0; is_whole && i < log->start_count; i++) {
        is_whole = oct_pool_body(&own->pool, a, &starts[i].body, &starts[i].body) == OCT_OK;
    }
    return is_whole;
}

oct_result oct_log_finish(const run_log *from, const oct_allocator *may_be_null, oct_run_log **out)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    own_log *const own = oct_alloc(&allocator, sizeof *own, _Alignof(own_log));
    *out = NULL;
    if (!own) {
        return OCT_ERROR_MEMORY;
    }
    *own = (own_log){.log = oct_log_view(from), .allocator = allocator};
    oct_pool_init(&own->pool, &allocator);
    if (!copy_all(own)) {
        oct_run_log_destroy(&own->log);
        return OCT_ERROR_MEMORY;
    }
    *out = &own->log;
    return OCT_OK;
}

oct_log_extent oct_run_log_extent(const oct_run_log *log)
{
    return (oct_log_extent){log->start_count, log->thing_count, log->look_count, log->act_count};
}

void oct_run_log_destroy(oct_run_log *log)
{
    if (!log) {
        return;
    }
    own_log *const own = (own_log *)log;
    const oct_allocator allocator = own->allocator;
    oct_free_const(&allocator, log->starts, log->start_count * sizeof *log->starts);
    oct_free_const(&allocator, log->things, log->thing_count * sizeof *log->things);
    oct_free_const(&allocator, log->looks, log->look_count * sizeof *log->looks);
    oct_free_const(&allocator, log->changes, log->change_count * sizeof *log->changes);
    oct_free_const(&allocator, log->acts, log->act_count * sizeof *log->acts);
    oct_pool_free(&own->pool, &allocator);
    oct_free(&allocator, own, sizeof *own);
}
