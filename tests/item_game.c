// SPDX-License-Identifier: MIT
#include "item_game.h"

#include "support.h"

#include "agent/touch.h"
#include "base/base_internal.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS 64
#define ENTITIES 512
#define FLOOD 5000

typedef struct item_game {
    oct_game game; // first
    oct_game *inner;
    item_rules rules;
    double health;
    bool is_taken;
    oct_over over;
    oct_event events[EVENTS + FLOOD];
    size_t event_count;
    oct_entity entities[ENTITIES];
    double pain; // since it was last told
} item_game;

static item_game *own(void *self)
{
    return self;
}

static void tell(item_game *g, const char *what, uint64_t id, const char *text)
{
    if (g->event_count < EVENTS) {
        g->events[g->event_count++] =
            (oct_event){.tick = oct_game_tick(g->inner), .what = what, .id = id, .text = text};
    }
}

// ---- things ----

static oct_entity plain(uint64_t id, const char *name, oct_bounds box, oct_entity_kind kind)
{
    return (oct_entity){.thing = {.id = id, .box = box, .label = OCT_OPEN},
                        .name = name,
                        .type = name,
                        .kind = kind,
                        .forward = {0, 0, -1},
                        .up = {0, 1, 0},
                        .harm = OCT_NOT_TOLD};
}

static oct_bounds around(oct_point p, double half)
{
    return (oct_bounds){{p.x - half, p.y - half, p.z - half}, {p.x + half, p.y + half, p.z + half}};
}

static oct_entity coin(const item_game *g)
{
    static const char *const uses[] = {"take"};
    oct_entity e = plain(ITEM_ID, "Coin", around(g->rules.coin, 0.25), OCT_ENTITY_ITEM);
    e.thing.label = g->rules.is_solid ? OCT_BLOCKED : OCT_OPEN;
    e.uses = uses;
    e.use_count = g->rules.has_use;
    return e;
}

static oct_entity fire(const item_game *g)
{
    oct_entity e = plain(FIRE_ID, "Fire", g->rules.fire, OCT_ENTITY_HAZARD);
    const double by = g->rules.fire_moves && oct_game_tick(g->inner) % 40 < 20 ? 0.01 : 0.0;
    e.harm = g->rules.harm;
    e.thing.box.min.y += by;
    e.thing.box.max.y += by;
    return e;
}

static oct_entity sign(const item_game *g)
{
    static const oct_property props[] = {
        {.name = "lit", .kind = OCT_VALUE_BOOL, .number = 1},
        {.name = "colour", .kind = OCT_VALUE_TEXT, .text = "red"},
        {.name = "count", .kind = OCT_VALUE_NUMBER, .number = 3},
    };
    oct_entity e = plain(SIGN_ID, "Sign", around(g->rules.sign, 0.2), OCT_ENTITY_SOLID);
    e.thing.label = OCT_BLOCKED;
    e.thing.opaque = true;
    e.props = props;
    e.prop_count = 3;
    return e;
}

// ---- what happens ----

static void take(item_game *g)
{
    g->is_taken = true;
    if (!g->rules.is_silent) {
        tell(g, "taken", ITEM_ID, "");
    }
    if (g->rules.says) {
        tell(g, "said", 0, g->rules.says);
    }
    g->over = g->rules.wins ? OCT_OVER_WON : g->rules.loses ? OCT_OVER_LOST : OCT_OVER_NOT;
}

static bool touches(const item_game *g, const oct_self *self, const oct_entity *e)
{
    const oct_player_body *body;
    assert_int_equal(oct_game_body(g->inner, 0, &body), OCT_OK);
    return oct_touch_gap(body, self->centre, self->pose.up, e).most <= 0.0;
}

static void burn(item_game *g)
{
    const double rate = oct_game_describe(g->inner)->rate;
    g->health -= g->rules.harm / rate;
    g->pain += g->rules.harm / rate;
    if (g->pain >= 0.1) {
        tell(g, "hurt", FIRE_ID, "burnt");
        g->pain = 0.0;
    }
    if (g->health <= 0.0) {
        g->health = g->rules.respawns ? 1.0 : 0.0;
        if (g->rules.respawns) {
            tell(g, "respawn", 0, "");
        }
    }
}

static void pass_tick(item_game *g)
{
    oct_self self;
    assert_int_equal(oct_game_self(g->inner, 0, &self), OCT_OK);
    const oct_entity c = coin(g), f = fire(g);
    if (g->rules.has_coin && !g->is_taken && !g->rules.is_stuck && !g->rules.has_use &&
        touches(g, &self, &c)) {
        take(g);
    }
    if (g->rules.has_fire && touches(g, &self, &f)) {
        burn(g);
    }
}

// ---- the interface ----

static void destroy(void *self)
{
    oct_game_destroy(own(self)->inner);
    free(self);
}

static const oct_game_info *describe(const void *self)
{
    return oct_game_describe(((const item_game *)self)->inner);
}

static uint32_t players(const void *self)
{
    return oct_game_players(((const item_game *)self)->inner);
}

static const oct_player_body *body_of(const void *self, uint32_t who)
{
    const oct_player_body *body;
    assert_int_equal(oct_game_body(((const item_game *)self)->inner, who, &body), OCT_OK);
    return body;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    item_game *const g = self;
    OCT_TRY(oct_game_observe(g->inner, who, out));
    size_t count = out->count;
    assert_true(count + 3 <= ENTITIES);
    memcpy(g->entities, out->entities, count * sizeof *g->entities);
    if (g->rules.has_coin && (!g->is_taken || g->rules.stays)) {
        g->entities[count++] = coin(g);
    }
    if (g->rules.has_fire) {
        g->entities[count++] = fire(g);
    }
    if (g->rules.has_sign) {
        g->entities[count++] = sign(g);
    }
    for (uint32_t i = 0; i < g->rules.floods; i++) {
        g->events[g->event_count++] = (oct_event){.what = "noise", .text = ""};
    }
    out->entities = g->entities;
    out->count = count;
    out->self.health = g->health;
    out->events = g->events;
    out->event_count = g->event_count;
    out->over = g->over;
    g->event_count = 0;
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    OCT_TRY(oct_game_self(own(self)->inner, who, out));
    out->health = own(self)->health;
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    item_game *const g = self;
    if (action->verb == OCT_VERB_USE && action->target == ITEM_ID) {
        *came = g->rules.refuses || g->is_taken ? OCT_ACT_REFUSED : OCT_ACT_DONE;
        if (*came == OCT_ACT_DONE) {
            take(g);
        }
        return OCT_OK;
    }
    return oct_game_act(g->inner, who, action, came);
}

static oct_result step(void *self, uint32_t ticks)
{
    item_game *const g = self;
    if (g->rules.greets && oct_game_tick(g->inner) == 0) {
        tell(g, "note", 0, g->rules.greets);
    }
    for (uint32_t i = 0; i < ticks; i++) {
        OCT_TRY(oct_game_step(g->inner, 1));
        pass_tick(g);
    }
    return OCT_OK;
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const item_game *)self)->inner);
}

oct_game *item_game_make(oct_game *inner, const item_rules *rules)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .players = players,
                                     .body = body_of,
                                     .observe = observe,
                                     .self = self_of,
                                     .act = act,
                                     .step = step,
                                     .tick = tick};
    item_game *const g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->game.ops = &ops;
    g->inner = inner;
    g->rules = *rules;
    g->health = 1.0;
    return &g->game;
}
