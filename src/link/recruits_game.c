// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "link/recruits_game.h"

#include "base/print.h"
#include "game/recruits_internal.h"
#include "link/recruits_terrain.h"
#include "octant/files.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_PART ((uint64_t)OCT_RECRUITS_AGENTS_MAX + 1)
#define STEP_LENGTH OCT_RECRUITS_AGENT_SPEED
// A target this much behind where the body is to stand is dropped when it stands there.
#define BEHIND 0.25
#define ARRIVED 0.3162
// What is left of a movement and not made up for, metres.
#define REST 0.01
// A movement that does not get on for so many ticks has run into something.
#define STUCK_TICKS 12
#define LEGS 3
#define LOOK_TICKS 2 // between two looks while it walks

// A thing as it was last seen.
typedef struct told_thing {
    recruits_thing thing;
    uint64_t number;
    bool is_seen;
} told_thing;

// A part of a movement: a direction, and how many full steps.
typedef struct leg {
    double x, z;
    uint32_t steps;
} leg;

typedef struct lab_player {
    recruits_agent agent;
    leg legs[LEGS];
    uint32_t leg, leg_count;
    uint64_t begins; // the tick in which its movement began
    uint64_t look;   // number of the look that told it; 0 = none
    bool has_feet;
} lab_player;

typedef struct lab_game {
    oct_game game; // first
    oct_allocator allocator;
    recruits_client *client;
    void (*release)(void *ctx);
    void *ctx;
    oct_game_info info;
    oct_player_body body;
    oct_recruits_world_def def; // the view alone
    oct_arena life;             // names
    recruits_terrain terrain;
    oct_array players;  // lab_player
    oct_array things;   // told_thing
    oct_array entities; // oct_entity
    oct_array events;   // oct_event
    oct_over over;
    uint64_t looks;  // made
    uint64_t acts;   // of all players: a look before the last one is out of date
    uint32_t looked; // who looked last
    uint64_t looked_tick, looked_acts;
    bool has_level;
    char trouble[900];
    char level[4096];
} lab_game;

static lab_player *player_at(const lab_game *g, uint32_t i)
{
    return (lab_player *)g->players.items + i;
}

static told_thing *told_at(const lab_game *g, size_t i)
{
    return (told_thing *)g->things.items + i;
}

// ---- what is told ----

static oct_result keep_name(lab_game *g, const char *name, const char **out)
{
    const size_t size = strlen(name) + 1;
    char *const copy = oct_arena_alloc(&g->life, size, 1);
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    *out = memcpy(copy, name, size);
    return OCT_OK;
}

static oct_result find_told(lab_game *g, const recruits_seen *seen, told_thing **out)
{
    for (size_t i = 0; i < g->things.count; i++) {
        if (told_at(g, i)->number == seen->number) {
            *out = told_at(g, i);
            return OCT_OK;
        }
    }
    told_thing new = {.number = seen->number};
    new.thing.swinging = RECRUITS_NONE;
    OCT_TRY(keep_name(g, seen->id, &new.thing.id));
    OCT_TRY(oct_array_push(&g->things, &g->allocator, sizeof new, &new));
    *out = told_at(g, g->things.count - 1);
    return OCT_OK;
}

static void take_thing(recruits_thing *t, const recruits_seen *seen)
{
    t->kind = (uint8_t)seen->kind;
    t->turn = seen->turn;
    t->origin = seen->origin;
    t->is_on = seen->is_on;
    t->box = seen->box;
    t->has_colour = seen->has_colour && seen->kind == OCT_RECRUITS_COLOUR_BUTTON;
    if (seen->has_colour) {
        unsigned part[3];
        for (int i = 0; i < 3; i++) {
            const double whole = floor(seen->colour[i] * 255.0 + 0.5);
            part[i] = whole < 0.0 ? 0 : whole > 255.0 ? 255 : (unsigned)whole;
        }
        oct_snprintf(t->colour_text, sizeof t->colour_text, "#%02x%02x%02x", part[0], part[1],
                     part[2]);
    }
    if (seen->kind == OCT_RECRUITS_DOOR) {
        t->box = oct_recruits_collider(OCT_RECRUITS_DOOR, seen->turn, seen->origin);
        t->swing = seen->panel == RECRUITS_PANEL_SHUT   ? 0
                   : seen->panel == RECRUITS_PANEL_OPEN ? SWING_TICKS
                                                        : SWING_TICKS / 2;
    }
}

static oct_result add_event(lab_game *g, const char *what, uint64_t tick, double amount)
{
    char text[32];
    oct_event e = {.tick = tick, .what = what};
    oct_snprintf(text, sizeof text, "%g", amount);
    OCT_TRY(keep_name(g, text, &e.text));
    return oct_array_push(&g->events, &g->allocator, sizeof e, &e);
}

static oct_result take_self(lab_game *g, lab_player *p, const recruits_view *view, uint64_t tick)
{
    recruits_agent *const a = &p->agent;
    const int32_t health = (int32_t)view->health, score = (int32_t)view->score;
    if (health < a->health) {
        OCT_TRY(add_event(g, "hurt", tick, a->health - health));
    }
    if (score > a->score) {
        OCT_TRY(add_event(g, "scored", tick, score - a->score));
    }
    if (score - a->score >= 100) {
        OCT_TRY(add_event(g, "flag", tick, score - a->score));
    }
    a->stands = !p->has_feet || fabs(view->feet.y - a->feet.y) < 0.05;
    a->feet = view->feet;
    a->health = health;
    a->score = score;
    oct_snprintf(a->mood, sizeof a->mood, "%.15s", view->mood);
    p->has_feet = true;
    return OCT_OK;
}

static oct_result take_view(lab_game *g, uint32_t who, const recruits_view *view)
{
    const uint64_t tick = oct_recruits_client_tick(g->client);
    for (size_t i = 0; i < g->things.count; i++) {
        told_at(g, i)->is_seen = false;
    }
    for (size_t i = 0; i < view->count; i++) {
        told_thing *t;
        OCT_TRY(find_told(g, &view->things[i], &t));
        take_thing(&t->thing, &view->things[i]);
        t->is_seen = true;
    }
    OCT_TRY(take_self(g, player_at(g, who), view, tick));
    if (view->is_over && g->over == OCT_OVER_NOT) {
        g->over = view->health > 0.0 ? OCT_OVER_WON : OCT_OVER_LOST;
    }
    player_at(g, who)->look = ++g->looks;
    g->looked = who;
    g->looked_tick = tick;
    g->looked_acts = g->acts;
    return OCT_OK;
}

static const char *name_of(const lab_game *g, uint32_t who)
{
    return player_at(g, who)->agent.id;
}

static oct_result look(lab_game *g, uint32_t who)
{
    recruits_view view;
    OCT_TRY(oct_recruits_client_look(g->client, name_of(g, who), &view));
    return take_view(g, who, &view);
}

// Whether what it saw last is as it is now.
static bool is_fresh(const lab_game *g, uint32_t who)
{
    return player_at(g, who)->look == g->looks && g->looks > 0 && g->looked == who &&
           g->looked_acts == g->acts && g->looked_tick == oct_recruits_client_tick(g->client);
}

// ---- observing ----

static int compare_entities(const void *a, const void *b)
{
    const uint64_t x = ((const oct_entity *)a)->thing.id, y = ((const oct_entity *)b)->thing.id;
    return (x > y) - (x < y);
}

// The number of a player; another agent is told by its name.
static uint64_t id_of(const lab_game *g, const told_thing *t)
{
    for (uint32_t i = 0; t->thing.kind == OCT_RECRUITS_AGENT && i < g->players.count; i++) {
        if (strcmp(name_of(g, i), t->thing.id) == 0) {
            return (uint64_t)i + 1;
        }
    }
    return t->number;
}

static oct_entity entity_of(const lab_game *g, told_thing *t)
{
    oct_entity e;
    if (t->thing.kind == OCT_RECRUITS_AGENT) {
        const recruits_agent other = {.id = t->thing.id, .feet = t->thing.origin, .yaw_z = 1.0};
        e = oct_recruits_agent_entity(&other, id_of(g, t));
    } else {
        oct_recruits_entity(&t->thing, id_of(g, t), &e);
    }
    e.is_remembered = !t->is_seen;
    return e;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    lab_game *const g = self;
    if (!is_fresh(g, who)) {
        OCT_TRY(look(g, who));
    }
    const oct_point eye = oct_recruits_eye(&player_at(g, who)->agent);
    g->entities.count = 0;
    OCT_TRY(oct_array_reserve(&g->entities, &g->allocator, sizeof(oct_entity), g->things.count));
    for (size_t i = 0; i < g->things.count; i++) {
        const oct_entity e = entity_of(g, told_at(g, i));
        if (oct_recruits_distance(eye, &e.thing.box) <= g->def.view) {
            ((oct_entity *)g->entities.items)[g->entities.count++] = e;
        }
    }
    if (g->entities.count > 0) {
        qsort(g->entities.items, g->entities.count, sizeof(oct_entity), compare_entities);
    }
    *out = (oct_observation){.entities = g->entities.items,
                             .count = g->entities.count,
                             .events = g->events.items,
                             .event_count = g->events.count,
                             .over = g->over};
    oct_recruits_agent_self(&player_at(g, who)->agent, (uint64_t)who + 1, g->looked_tick,
                            &out->self);
    g->events.count = 0; // told once; what they point to stays
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    lab_game *const g = self;
    if (!is_fresh(g, who)) {
        OCT_TRY(look(g, who));
    }
    oct_recruits_agent_self(&player_at(g, who)->agent, (uint64_t)who + 1, g->looked_tick, out);
    return OCT_OK;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    const lab_game *const g = self;
    const size_t most = 4096, all = g->terrain.parts.count, left = from < all ? all - from : 0;
    out->count = left < most ? left : most;
    out->parts = out->count > 0 ? (const oct_scenery_part *)g->terrain.parts.items + from : NULL;
    out->next = left > most ? from + most : 0;
    return OCT_OK;
}

// ---- walking ----

// Where a leg leads from where it stands: beyond it, so that the target is dropped there.
static oct_point target_of(const recruits_agent *a, const leg *l)
{
    const double far = l->steps * STEP_LENGTH + BEHIND;
    return (oct_point){a->feet.x + l->x * far, a->feet.y, a->feet.z + l->z * far};
}

// Full steps straight on, and two askew for what is left.
static void plan_legs(lab_player *p, double x, double z, double length)
{
    const double whole = floor(length / STEP_LENGTH + 1e-6);
    double rest = length - whole * STEP_LENGTH;
    uint32_t steps = (uint32_t)whole;
    p->leg = p->leg_count = 0;
    const bool is_even = rest < REST;
    if (!is_even && steps > 0) {
        steps--;
        rest += STEP_LENGTH;
    }
    if (steps > 0) {
        p->legs[p->leg_count++] = (leg){x, z, steps};
    }
    if (!is_even) {
        const double along = rest / 2.0 / STEP_LENGTH, askew = sqrt(1.0 - along * along);
        p->legs[p->leg_count++] = (leg){x * along - z * askew, z * along + x * askew, 1};
        p->legs[p->leg_count++] = (leg){x * along + z * askew, z * along - x * askew, 1};
    }
}

static oct_result stop(lab_game *g, uint32_t who)
{
    recruits_view view;
    lab_player *const p = player_at(g, who);
    p->leg = p->leg_count = 0;
    OCT_TRY(oct_recruits_client_go(g->client, name_of(g, who), p->agent.feet, &view));
    return take_view(g, who, &view);
}

// Walks one leg to its end; false where something is in the way.
static oct_result walk_leg(lab_game *g, uint32_t who, const leg *l, bool *arrives)
{
    recruits_view view;
    lab_player *const p = player_at(g, who);
    recruits_client *const c = g->client;
    const oct_point target = target_of(&p->agent, l);
    oct_point last = p->agent.feet;
    OCT_TRY(oct_recruits_client_go(c, name_of(g, who), target, &view));
    OCT_TRY(take_view(g, who, &view));
    uint64_t moved = oct_recruits_client_tick(c);
    OCT_TRY(oct_recruits_client_wait(c, name_of(g, who), moved + l->steps));
    for (;;) {
        OCT_TRY(look(g, who));
        const uint64_t now = oct_recruits_client_tick(c);
        const oct_point feet = p->agent.feet;
        *arrives = point_length(point_sub(target, feet)) <= ARRIVED;
        if (*arrives || p->agent.health <= 0) {
            return OCT_OK;
        }
        if (point_length(point_sub(feet, last)) > REST) {
            last = feet;
            moved = now;
        }
        // Beside it, or above: a target at another height is never reached.
        const double dx = target.x - feet.x, dz = target.z - feet.z;
        if (dx * l->x + dz * l->z < BEHIND - STEP_LENGTH / 2.0 || now > moved + STUCK_TICKS) {
            p->agent.bumps += now > moved + STUCK_TICKS;
            *arrives = !(now > moved + STUCK_TICKS);
            return stop(g, who);
        }
        OCT_TRY(oct_recruits_client_wait(c, name_of(g, who), now + LOOK_TICKS));
    }
}

static oct_result walk_legs(lab_game *g, uint32_t who)
{
    lab_player *const p = player_at(g, who);
    while (p->leg < p->leg_count) {
        bool arrives;
        const leg own = p->legs[p->leg];
        OCT_TRY(walk_leg(g, who, &own, &arrives));
        p->leg = arrives && p->leg < p->leg_count ? p->leg + 1 : p->leg_count;
    }
    p->agent.ticks = 0;
    return OCT_OK;
}

// ---- acting ----

static void turn(recruits_agent *a, double angle)
{
    double sine, cosine;
    oct_sin_cos(angle, &sine, &cosine);
    const double x = a->yaw_x * cosine - a->yaw_z * sine;
    a->yaw_z = a->yaw_x * sine + a->yaw_z * cosine;
    a->yaw_x = x;
}

// The body turns at once, and walks when time passes.
static void move(lab_game *g, lab_player *p, const oct_action *action)
{
    recruits_agent *const a = &p->agent;
    const double right = action->move.x, back = action->move.z;
    const double length = sqrt(right * right + back * back), share = fmin(length, 1.0);
    const double most = g->body.turn / OCT_RECRUITS_RATE;
    const double x = right * a->yaw_z - back * a->yaw_x, z = -right * a->yaw_x - back * a->yaw_z;
    p->leg = p->leg_count = 0;
    if (share > 0.0) {
        plan_legs(p, x / length, z / length, share * STEP_LENGTH * action->ticks);
    }
    turn(a, action->rotate.y * most * action->ticks);
}

static told_thing *target_thing(const lab_game *g, uint64_t id)
{
    for (size_t i = 0; i < g->things.count; i++) {
        if (id_of(g, told_at(g, i)) == id) {
            return told_at(g, i);
        }
    }
    return NULL;
}

// The game says nothing of what came of it: its rules, and the button, tell.
static oct_result use(lab_game *g, uint32_t who, const oct_action *action, oct_act *came)
{
    recruits_view view;
    told_thing *t = target_thing(g, action->target);
    if (!t) {
        *came = OCT_ACT_NO_TARGET;
        return OCT_OK;
    }
    if (!is_button(&t->thing) || action->button > 0) {
        *came = OCT_ACT_NO_BUTTON;
        return OCT_OK;
    }
    if (!is_fresh(g, who)) {
        OCT_TRY(look(g, who));
    }
    const uint64_t now = oct_recruits_client_tick(g->client);
    t = target_thing(g, action->target); // a look may have moved it
    const oct_point way = point_sub(t->thing.origin, player_at(g, who)->agent.feet);
    if (point_length(way) > OCT_RECRUITS_INTERACTION) {
        *came = OCT_ACT_TOO_FAR;
        return OCT_OK;
    }
    if (t->thing.pressed > 0 && now <= t->thing.pressed + COOLDOWN_TICKS) {
        *came = OCT_ACT_NOT_NOW;
        return OCT_OK;
    }
    const bool was_on = t->thing.is_on, was_seen = t->is_seen;
    OCT_TRY(oct_recruits_client_press(g->client, name_of(g, who), t->thing.id, &view));
    g->acts++;
    OCT_TRY(take_view(g, who, &view));
    t = target_thing(g, action->target);
    if (was_seen && t->is_seen && t->thing.is_on == was_on) {
        *came = OCT_ACT_NOT_NOW;
        return OCT_OK;
    }
    t->thing.is_on = !was_on;
    t->thing.pressed = oct_recruits_client_tick(g->client) + 1;
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    lab_game *const g = self;
    lab_player *const p = player_at(g, who);
    *came = OCT_ACT_DONE;
    switch (action->verb) {
    case OCT_VERB_KEEP:
        return OCT_OK;
    case OCT_VERB_WAIT:
        p->leg = p->leg_count = 0;
        return OCT_OK;
    case OCT_VERB_MOVE:
        *came = p->agent.health > 0 || !p->has_feet ? OCT_ACT_DONE : OCT_ACT_NOT_NOW;
        move(g, p, action);
        return OCT_OK;
    case OCT_VERB_USE:
        return use(g, who, action, came);
    default:
        *came = OCT_ACT_REFUSED;
        return OCT_OK;
    }
}

static const char *refusal(const void *self)
{
    (void)self;
    return "agents of Lab Recruits move and use, and do nothing else";
}

static oct_result step(void *self, uint32_t ticks)
{
    lab_game *const g = self;
    const uint64_t until = oct_recruits_client_tick(g->client) + ticks;
    for (uint32_t i = 0; i < g->players.count; i++) {
        if (player_at(g, i)->leg < player_at(g, i)->leg_count) {
            g->acts++;
            OCT_TRY(walk_legs(g, i));
        }
    }
    g->acts++;
    return oct_recruits_client_wait(g->client, g->players.count > 0 ? name_of(g, 0) : "agent0",
                                    until);
}

// ---- a life ----

static oct_result complain(lab_game *g, oct_result result, const char *format, const char *what)
{
    oct_snprintf(g->trouble, sizeof g->trouble, format, what);
    return result;
}

static oct_result add_player(lab_game *g, const char *name)
{
    lab_player new = {.agent = {.yaw_z = 1.0, .health = 100, .stands = true}};
    OCT_TRY(keep_name(g, name, &new.agent.id));
    return oct_array_push(&g->players, &g->allocator, sizeof new, &new);
}

// The agents of a level's file, where it can be read; links are not looked at.
static oct_result add_players(lab_game *g, const char *path)
{
    const oct_recruits_reading how = {.allocator = &g->allocator};
    oct_recruits_level *level = NULL;
    size_t count = 0;
    g->players.count = 0;
    const oct_result read = oct_recruits_level_load(path, &how, &level, NULL);
    const oct_recruits_part *const parts =
        read == OCT_OK ? oct_recruits_level_parts(level, &count) : NULL;
    oct_result result = read == OCT_ERROR_MEMORY ? read : OCT_OK;
    for (size_t i = 0; i < count && result == OCT_OK; i++) {
        const bool is_agent = parts[i].kind == OCT_RECRUITS_AGENT && parts[i].id[0];
        result = is_agent ? add_player(g, parts[i].id) : OCT_OK;
    }
    oct_recruits_level_destroy(level);
    return result == OCT_OK && g->players.count == 0 ? add_player(g, "agent0") : result;
}

// The game wants whole paths of its own machine: a file that is here is most likely there, too.
static oct_result find_path(lab_game *g, const char *name)
{
    char *const whole = realpath(name, NULL);
    const char *const path = whole ? whole : name;
    const bool fits = strlen(path) < sizeof g->level;
    if (fits) {
        memcpy(g->level, path, strlen(path) + 1);
    }
    free(whole);
    return fits ? OCT_OK : complain(g, OCT_ERROR_RANGE, "the name of the level is too long%s", "");
}

static oct_result load(lab_game *g)
{
    recruits_link_mesh mesh;
    oct_recruits_terrain_free(&g->terrain, &g->allocator);
    OCT_TRY(oct_recruits_client_init(g->client, g->level, g->def.view, &mesh));
    if (mesh.point_count == 0) {
        return complain(g, OCT_ERROR_RANGE, "the level '%.200s' has nothing to walk on", g->level);
    }
    OCT_TRY(oct_recruits_terrain_make(&mesh, FIRST_PART, &g->allocator, &g->terrain));
    g->info.has_bounds = true;
    g->info.bounds = g->terrain.bounds;
    g->info.level = g->level;
    return OCT_OK;
}

static oct_result reset(void *self, const oct_game_start *start)
{
    lab_game *const g = self;
    g->trouble[0] = '\0';
    if (start->start_count > 0) {
        return complain(g, OCT_ERROR_RANGE, "agents of Lab Recruits start where the level says%s",
                        "");
    }
    if (!start->level && !g->has_level) {
        return complain(g, OCT_ERROR_RANGE,
                        "no level is named: say world \"level.csv\" in the test%s", "");
    }
    g->things.count = g->events.count = 0;
    g->looks = 0;
    g->over = OCT_OVER_NOT;
    oct_arena_reset(&g->life);
    g->def.view = start->view > 0.0 ? start->view : OCT_RECRUITS_VIEW;
    OCT_TRY(start->level ? find_path(g, start->level) : OCT_OK);
    g->has_level = true;
    OCT_TRY(add_players(g, g->level));
    g->info.view = g->def.view;
    return load(g);
}

// ---- the game ----

static const oct_game_info *describe(const void *self)
{
    return &((const lab_game *)self)->info;
}

static uint32_t players(const void *self)
{
    return (uint32_t)((const lab_game *)self)->players.count;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    (void)who;
    return &((const lab_game *)self)->body;
}

static uint64_t tick(const void *self)
{
    return oct_recruits_client_tick(((const lab_game *)self)->client);
}

static const char *trouble(const void *self)
{
    const lab_game *const g = self;
    return g->trouble[0] ? g->trouble : oct_recruits_client_trouble(g->client);
}

static void destroy(void *self)
{
    lab_game *const g = self;
    const oct_allocator own = g->allocator;
    oct_recruits_client_destroy(g->client);
    if (g->release) {
        g->release(g->ctx);
    }
    oct_recruits_terrain_free(&g->terrain, &own);
    oct_array_free(&g->players, &own, sizeof(lab_player));
    oct_array_free(&g->things, &own, sizeof(told_thing));
    oct_array_free(&g->entities, &own, sizeof(oct_entity));
    oct_array_free(&g->events, &own, sizeof(oct_event));
    oct_arena_free(&g->life);
    oct_free(&own, g, sizeof *g);
}

static const oct_game_ops lab_ops = {.destroy = destroy,
                                     .describe = describe,
                                     .players = players,
                                     .body = body,
                                     .observe = observe,
                                     .self = self_of,
                                     .scenery = scenery,
                                     .act = act,
                                     .refusal = refusal,
                                     .step = step,
                                     .tick = tick,
                                     .reset = reset,
                                     .trouble = trouble};

oct_result oct_recruits_game_create(recruits_client *client, const oct_allocator *allocator,
                                    void (*release)(void *ctx), void *ctx, oct_game **out)
{
    static const char *const doubts[] = {
        "walls and floors are guessed from the mesh that the game tells"};
    const oct_allocator own = oct_allocator_or_default(allocator);
    lab_game *const g = oct_alloc(&own, sizeof *g, _Alignof(lab_game));
    *out = NULL;
    if (!g) {
        oct_recruits_client_destroy(client);
        return OCT_ERROR_MEMORY;
    }
    *g = (lab_game){.game = {&lab_ops},
                    .allocator = own,
                    .client = client,
                    .release = release,
                    .ctx = ctx,
                    .def = oct_recruits_world_def_default()};
    oct_recruits_describe(&g->def, &g->info, &g->body);
    g->info.denies = 1u << OCT_ASSUME_SOLID | 1u << OCT_ASSUME_BODY | 1u << OCT_ASSUME_FEET;
    g->info.runs = true;
    g->info.doubts = doubts;
    g->info.doubt_count = 1;
    oct_arena_init(&g->life, &own);
    *out = &g->game;
    return OCT_OK;
}

bool oct_recruits_is_game(const oct_game *game)
{
    return game->ops == &lab_ops;
}

void *oct_recruits_game_context(const oct_game *game)
{
    return ((const lab_game *)game)->ctx;
}
