// SPDX-License-Identifier: MIT
// The lab world: its life, the order of a tick, what agents are told to do.
#include "game/recruits_internal.h"

#define COOKIE 0x6c616273u
#define SPEED_MAX 1.0
#define VIEW_MAX 1e6
#define SCENERY_PAGE 4096

// ---- life ----

static void free_lists(const oct_allocator *own, column_lists *lists, uint32_t columns)
{
    oct_free(own, lists->first, ((size_t)columns + 2) * sizeof(uint32_t));
    oct_free(own, lists->items, (lists->count > 0 ? lists->count : 1) * sizeof(uint32_t));
}

// All but the level.
static void free_world(recruits_world *g)
{
    const oct_allocator own = g->allocator;
    for (uint32_t i = 0; i < g->actors.count; i++) {
        oct_array_free(&actor_at(g, i)->points, &own, sizeof(oct_point));
    }
    oct_surface_planner_destroy(g->planner);
    oct_surface_destroy(g->surface);
    oct_free(&own, g->cells, (size_t)g->columns * g->sheets);
    oct_free(&own, g->inside, g->bit_bytes);
    oct_free(&own, g->walked, g->bit_bytes);
    oct_free(&own, g->pressed, g->bit_bytes);
    free_lists(&own, &g->near, g->columns);
    free_lists(&own, &g->vertices, g->columns);
    oct_array_free(&g->told, &own, sizeof(oct_event));
    oct_array_free(&g->found, &own, sizeof(uint32_t));
    oct_array_free(&g->entities, &own, sizeof(oct_entity));
    oct_array_free(&g->corners, &own, sizeof(oct_point));
    oct_array_free(&g->pieces, &own, sizeof(oct_piece));
    oct_array_free(&g->scenery, &own, sizeof(oct_scenery_part));
    oct_array_free(&g->mesh.points, &own, sizeof(oct_point));
    oct_array_free(&g->mesh.triangles, &own, sizeof(uint32_t));
    oct_array_free(&g->swinging, &own, sizeof(uint32_t));
    oct_array_free(&g->effects, &own, sizeof(uint32_t));
    oct_array_free(&g->actors, &own, sizeof(recruits_actor));
    oct_array_free(&g->agents, &own, sizeof(recruits_agent));
    oct_array_free(&g->things, &own, sizeof(recruits_thing));
    oct_free(&own, g, sizeof *g);
}

static void destroy(void *self)
{
    recruits_world *const g = self;
    oct_recruits_level *const level = g->level;
    free_world(g);
    oct_recruits_level_destroy(level);
}

// ---- players ----

static const oct_game_info *describe(const void *self)
{
    return &((const recruits_world *)self)->info;
}

static uint32_t players(const void *self)
{
    return (uint32_t)((const recruits_world *)self)->agents.count;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    (void)who;
    return &((const recruits_world *)self)->body;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    return oct_recruits_observe(self, who, out);
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    oct_recruits_self(self, who, out);
    return OCT_OK;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    const recruits_world *const g = self;
    const size_t left = from < g->scenery.count ? g->scenery.count - from : 0;
    out->count = left < SCENERY_PAGE ? left : SCENERY_PAGE;
    out->parts = out->count > 0 ? (const oct_scenery_part *)g->scenery.items + from : NULL;
    out->next = left > SCENERY_PAGE ? from + SCENERY_PAGE : 0;
    return OCT_OK;
}

// ---- acting ----

static void move(recruits_agent *a, const oct_action *action)
{
    const double x = action->move.x, z = action->move.z, length = sqrt(x * x + z * z);
    const double share = length > 1.0 ? 1.0 / length : 1.0;
    a->has_target = false;
    a->move = (oct_point){x * share, 0.0, z * share};
    a->turning = action->rotate.y;
    a->ticks = action->ticks;
}

static oct_act use(recruits_world *g, uint32_t who, const oct_action *action)
{
    const uint64_t first = thing_number(g, 0);
    const uint64_t index = action->target - first;
    if (action->target < first || index >= g->things.count) {
        return OCT_ACT_NO_TARGET;
    }
    if (!is_button(thing_at(g, (uint32_t)index)) || action->button > 0) {
        return OCT_ACT_NO_BUTTON;
    }
    const press_result came = oct_recruits_press(g, who, (uint32_t)index);
    return came == PRESS_DONE      ? OCT_ACT_DONE
           : came == PRESS_TOO_FAR ? OCT_ACT_TOO_FAR
                                   : OCT_ACT_NOT_NOW;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    recruits_world *const g = self;
    recruits_agent *const a = agent_at(g, who);
    *came = OCT_ACT_DONE;
    switch (action->verb) {
    case OCT_VERB_KEEP:
        break;
    case OCT_VERB_WAIT:
        a->has_target = false;
        a->ticks = 0;
        break;
    case OCT_VERB_MOVE:
        *came = a->health > 0 ? OCT_ACT_DONE : OCT_ACT_NOT_NOW;
        move(a, action);
        break;
    case OCT_VERB_USE:
        *came = use(g, who, action);
        break;
    default:
        *came = OCT_ACT_REFUSED;
    }
    return OCT_OK;
}

static const char *refusal(const void *self)
{
    (void)self;
    return "agents of Lab Recruits move and use, and do nothing else";
}

// ---- time ----

// Doors and who walks by itself move first, so that agents meet a world that stands still.
static oct_result step(void *self, uint32_t ticks)
{
    recruits_world *const g = self;
    for (uint32_t i = 0; i < ticks; i++) {
        g->tick++;
        oct_recruits_swing_doors(g);
        OCT_TRY(oct_recruits_move_actors(g));
        for (uint32_t k = 0; k < g->agents.count; k++) {
            oct_recruits_move_agent(g, k);
            oct_recruits_touch(g, k);
        }
    }
    return OCT_OK;
}

static uint64_t tick(const void *self)
{
    return ((const recruits_world *)self)->tick;
}

// ---- hash ----

static uint64_t mix_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = oct_hash_add(hash, bits);
    return hash ^ hash >> 32;
}

static uint64_t mix_point(uint64_t hash, oct_point p)
{
    return mix_number(mix_number(mix_number(hash, p.x), p.y), p.z);
}

static uint64_t mix_agent(uint64_t hash, const recruits_agent *a)
{
    hash = mix_point(mix_point(hash, a->feet), a->has_target ? a->target : a->feet);
    hash = mix_number(mix_number(hash, a->yaw_x), a->yaw_z);
    hash = a->ticks > 0 ? mix_number(mix_point(hash, a->move), a->turning) : hash;
    hash = oct_hash_add(hash, (uint64_t)(uint32_t)a->health << 32 | (uint32_t)a->score);
    return oct_hash_add(hash, (uint64_t)a->has_target | (uint64_t)a->stands << 1 |
                                  (uint64_t)a->ticks << 2);
}

static uint64_t hash_of(const void *self)
{
    const recruits_world *const g = self;
    uint64_t hash = oct_hash_add(UINT64_C(0xcbf29ce484222325), g->tick);
    for (uint32_t i = 0; i < g->agents.count; i++) {
        hash = mix_agent(hash, agent_at(g, i));
    }
    for (uint32_t i = 0; i < g->things.count; i++) {
        const recruits_thing *const t = thing_at(g, i);
        hash = oct_hash_add(hash, (uint64_t)t->is_on | (uint64_t)t->swing << 1 | t->pressed << 16);
        hash ^= hash >> 32;
    }
    for (uint32_t i = 0; i < g->actors.count; i++) {
        const recruits_actor *const a = actor_at(g, i);
        hash = mix_point(hash, thing_at(g, a->thing)->origin);
        hash = oct_hash_add(hash, a->waits_until ^ (uint64_t)a->hits << 32);
    }
    return hash;
}

// ---- reset ----

// A place is of the feet; it is taken as it is, and who has no room there is pushed out.
static oct_result take_starts(recruits_world *g, const oct_game_start *start)
{
    for (size_t i = 0; i < start->start_count && i < g->agents.count; i++) {
        const oct_pose *const pose = &start->starts[i];
        recruits_agent *const a = agent_at(g, (uint32_t)i);
        const double length =
            sqrt(pose->forward.x * pose->forward.x + pose->forward.z * pose->forward.z);
        if (!(fabs(pose->position.x) < VIEW_MAX && fabs(pose->position.y) < VIEW_MAX &&
              fabs(pose->position.z) < VIEW_MAX)) {
            return OCT_ERROR_RANGE;
        }
        a->feet = pose->position;
        a->stands = false;
        if (pose->up.y != 0.0 && length > 0.0) {
            a->yaw_x = pose->forward.x / length;
            a->yaw_z = pose->forward.z / length;
        }
    }
    return OCT_OK;
}

static oct_result reset(void *self, const oct_game_start *start)
{
    recruits_world *const g = self;
    if (start->level || start->view > VIEW_MAX) {
        return OCT_ERROR_RANGE;
    }
    oct_recruits_begin(g);
    g->def.view = start->view > 0.0 ? start->view : g->def.view;
    g->info.view = g->def.view;
    g->info.sight = start->has_sight ? start->sight : OCT_SIGHT_LINE;
    return take_starts(g, start);
}

// ---- the game ----

static const oct_game_ops recruits_ops = {.destroy = destroy,
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
                                          .hash = hash_of,
                                          .reset = reset};

oct_recruits_world_def oct_recruits_world_def_default(void)
{
    return (oct_recruits_world_def){.agent_speed = OCT_RECRUITS_AGENT_SPEED,
                                    .jump_force = 0.18,
                                    .view = OCT_RECRUITS_VIEW,
                                    .cookie = COOKIE};
}

static bool makes_sense(const oct_recruits_world_def *def)
{
    return def->cookie == COOKIE && def->level && def->agent_speed > 0.0 &&
           def->agent_speed <= SPEED_MAX && def->view > 0.0 && def->view <= VIEW_MAX &&
           fabs(def->jump_force) <= VIEW_MAX;
}

oct_result oct_recruits_world_create(const oct_recruits_world_def *def, oct_game **out)
{
    *out = NULL;
    if (!makes_sense(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    recruits_world *const g = oct_alloc(&own, sizeof *g, _Alignof(recruits_world));
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    *g = (recruits_world){
        .game = {&recruits_ops}, .allocator = own, .level = def->level, .def = *def};
    const oct_result result = oct_recruits_make(g);
    if (result != OCT_OK) {
        free_world(g);
        return result;
    }
    oct_recruits_begin(g);
    *out = &g->game;
    return OCT_OK;
}

// ---- for the server ----

recruits_world *oct_recruits_inside(oct_game *game)
{
    return game->ops == &recruits_ops ? (recruits_world *)game : NULL;
}

uint32_t oct_recruits_agent_of(const recruits_world *g, const char *id)
{
    for (uint32_t i = 0; i < g->agents.count; i++) {
        if (strcmp(agent_at(g, i)->id, id) == 0) {
            return i;
        }
    }
    return RECRUITS_NONE;
}

uint32_t oct_recruits_thing_of(const recruits_world *g, const char *id)
{
    for (uint32_t i = 0; i < g->things.count; i++) {
        if (strcmp(thing_at(g, i)->id, id) == 0) {
            return i;
        }
    }
    return RECRUITS_NONE;
}

void oct_recruits_go(recruits_world *g, uint32_t who, oct_point target, bool jumps)
{
    recruits_agent *const a = agent_at(g, who);
    a->has_target = true;
    a->target = target;
    a->jumps = jumps;
    a->ticks = 0;
}
