// SPDX-License-Identifier: MIT
// How a belief takes in what is seen, heard and done.
#include "agent/agent_internal.h"
#include "agent/belief_parts.h"
#include "agent/links_internal.h"
#include "map/sighted.h"

// ---- looking ----

// The map took out what should have been seen and was not there.
static oct_result miss(oct_belief *b)
{
    for (uint32_t i = 0; i < b->known.count; i++) {
        const oct_known *const k = belief_known(b, i);
        oct_thing ignored;
        if (!k->gone && !k->in_sight && !oct_map_thing(b->map, k->now.thing.id, &ignored)) {
            OCT_TRY(oct_belief_lose(b, i, b->self.tick));
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
    OCT_TRY(oct_log_note_look(&h->log, &b->info, &b->body, b->walks, h->life, who, &b->look.told));
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

// Merges all that is in sight.
static oct_result merge_all(oct_belief *b, const oct_observation *o)
{
    b->news.count = 0;
    b->sights.count = 0;
    OCT_TRY(oct_array_reserve(&b->sights, &b->allocator, sizeof(uint32_t), o->count));
    OCT_TRY(oct_belief_take_out_volumes(b));
    oct_drift_volumes_clear(&b->drift);
    for (size_t i = 0; i < o->count; i++) {
        const oct_entity *const e = &o->entities[i];
        uint32_t index;
        OCT_TRY(oct_belief_merge(b, e, o->self.tick, &index));
        belief_known(b, index)->in_sight = true;
        OCT_TRY(oct_belief_shun(b, e));
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
        belief_known(b, sights[i])->in_sight = false;
    }
    OCT_TRY(keep_self(b, &o.self));
    OCT_TRY(oct_belief_hear_presses(b));
    OCT_TRY(b->history ? tell_history(b, who, &o) : OCT_OK);
    b->info.denies |= b->history ? b->history->denied : 0;
    b->must_miss = b->must_miss || b->look.seen.removed > 0;
    b->looks++;
    OCT_TRY(merge_all(b, &o));
    if (b->must_miss) {
        OCT_TRY(miss(b));
        b->must_miss = false;
    }
    OCT_TRY(oct_belief_put_volumes(b));
    OCT_TRY(oct_belief_see_doors(b));
    return oct_belief_follow_doors(b);
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
    return oct_belief_hear_presses(b);
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
    OCT_TRY(oct_belief_take_out(b, &told->now));
    if (!oct_belief_find(b, told->now.thing.id, &index)) {
        const oct_known new = {.now = told->now, .first = told->first, .last = told->last};
        OCT_TRY(oct_belief_add(b, &new, &index));
    }
    if (belief_known(b, index)->gone) {
        belief_known(b, index)->changed = told->changed;
        return OCT_OK;
    }
    belief_known(b, index)->in_sight = false;
    return oct_belief_lose(b, index, told->changed);
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
    return oct_belief_follow_doors(b);
}

oct_result oct_belief_hear(oct_belief *b, const oct_known *told)
{
    uint32_t index;
    const bool is_known = oct_belief_find(b, told->now.thing.id, &index);
    if (is_known && as_of(belief_known(b, index)) >= as_of(told)) {
        return OCT_OK;
    }
    if (told->gone) {
        return hear_gone(b, told);
    }
    // The map first: what it refuses is not believed, and can be told again.
    OCT_TRY(oct_belief_put(b, &told->now));
    OCT_TRY(oct_belief_merge(b, &told->now, told->last, &index));
    OCT_TRY(oct_belief_shun(b, &told->now));
    if (!is_known) {
        belief_known(b, index)->first = told->first;
    }
    return hear_door(b, &told->now, told->last);
}

oct_result oct_belief_press(oct_belief *b, oct_button button)
{
    uint32_t index;
    OCT_TRY(oct_belief_hear_presses(b));
    OCT_TRY(oct_links_add_button(b->links, button, &index));
    OCT_TRY(oct_links_press(b->links, index, b->self.tick));
    if (b->history) {
        OCT_TRY(oct_history_press(b->history, button, b->self.tick));
        b->heard = b->history->presses.count;
    }
    return oct_belief_follow_doors(b);
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
