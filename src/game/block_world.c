// SPDX-License-Identifier: MIT
// The block world: its life, the order of a tick, players, and what is asked of the whole.
#include "game/block_internal.h"
#include "game/block_probe.h"

#include "world/world_internal.h"

#include <math.h>

// ---- ids ----

uint32_t oct_block_find(const block_world *g, uint64_t id)
{
    uint32_t index;
    return index_table_find(&g->ids, id, &index) ? index : BLOCK_NONE;
}

static bool is_taken(const block_world *g, uint64_t id)
{
    for (uint32_t i = 0; i < g->players.count; i++) {
        if (player_at(g, i)->id == id) {
            return true;
        }
    }
    return oct_block_find(g, id) != BLOCK_NONE;
}

uint64_t oct_block_free_id(const block_world *g, uint64_t id)
{
    while (is_taken(g, id)) {
        id = (id + 1u) | UINT64_C(1) << 63;
    }
    return id;
}

// ---- life ----

static void destroy(void *self)
{
    block_world *const g = self;
    const oct_allocator own = g->allocator;
    oct_solids_destroy(g->solids);
    oct_index_table_free(&g->ids, &own);
    oct_array_free(&g->pieces, &own, sizeof(oct_piece));
    oct_array_free(&g->entities, &own, sizeof(oct_entity));
    oct_array_free(&g->near_other, &own, sizeof(near_item));
    oct_array_free(&g->near, &own, sizeof(near_item));
    oct_array_free(&g->saved, &own, sizeof(body));
    oct_array_free(&g->players, &own, sizeof(player));
    oct_array_free(&g->waiting, &own, sizeof(uint32_t));
    oct_array_free(&g->moving, &own, sizeof(uint32_t));
    oct_array_free(&g->effects, &own, sizeof(effect));
    oct_array_free(&g->drifting, &own, sizeof(uint32_t));
    oct_array_free(&g->rigids, &own, sizeof(rigid));
    oct_array_free(&g->owners, &own, sizeof(uint32_t));
    oct_array_free(&g->blocks, &own, sizeof(block));
    oct_array_free(&g->types, &own, sizeof(oct_world_type));
    oct_arena_free(&g->texts);
    oct_free(&own, g, sizeof *g);
}

static const oct_game_info *describe(const void *self)
{
    return &((const block_world *)self)->info;
}

static uint32_t players(const void *self)
{
    return (uint32_t)((const block_world *)self)->players.count;
}

// ---- players ----

static bool is_near_enough(oct_point p)
{
    return fabs(p.x) <= BLOCK_WORLD_FAR && fabs(p.y) <= BLOCK_WORLD_FAR &&
           fabs(p.z) <= BLOCK_WORLD_FAR;
}

static uint64_t player_id(const block_world *g)
{
    const uint64_t number = g->players.count;
    uint8_t name[sizeof "player" + 8] = "player";
    for (int i = 0; i < 8; i++) {
        name[sizeof "player" + (size_t)i] = (uint8_t)(number >> (8 * i));
    }
    return oct_block_free_id(g, oct_hash_bytes(name, sizeof name) | UINT64_C(1) << 63);
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    block_world *const g = self;
    const size_t count = g->players.count;
    if (!pose) {
        pose = g->has_start ? &g->start : NULL;
    }
    if (!pose || !oct_world_is_pose(pose)) {
        return OCT_ERROR_ARGUMENT;
    }
    player p = {.id = player_id(g)};
    if (count == BLOCK_WORLD_PLAYERS_MAX || !is_near_enough(pose->position) ||
        !oct_body_place_near(g->solids, pose, BLOCK_WORLD_BESIDE, &p.body)) {
        return OCT_ERROR_RANGE;
    }
    p.body.flies = p.body.damps = true;
    if (count == g->saved.capacity) {
        OCT_TRY(oct_array_grow(&g->saved, &g->allocator, sizeof(body)));
    }
    OCT_TRY(oct_array_push(&g->players, &g->allocator, sizeof p, &p));
    if (who) {
        *who = (uint32_t)count;
    }
    return OCT_OK;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    return oct_block_observe(self, who, out);
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    oct_block_self(self, who, out);
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    return oct_block_act(self, who, action, came);
}

// ---- time ----

// What a timer does begins in the tick in which it fires. Leaves and grids have moved before bodies
// do, so that bodies meet a world that stands still. Tools work on what is looked at in the end.
static oct_result step(void *self, uint32_t ticks)
{
    block_world *const g = self;
    for (uint32_t i = 0; i < ticks; i++) {
        g->tick++;
        oct_block_tick_timers(g);
        oct_block_tick_doors(g);
        oct_block_tick_grids(g);
        for (uint32_t k = 0; k < g->players.count; k++) {
            oct_body_tick(g->solids, &g->rules, &player_at(g, k)->body);
        }
        oct_block_tick_tools(g);
    }
    return OCT_OK;
}

static uint64_t tick(const void *self)
{
    return ((const block_world *)self)->tick;
}

// ---- hash ----

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = oct_hash_add(hash, word);
    return hash ^ hash >> 32;
}

static uint64_t mix_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mix(hash, bits);
}

static uint64_t mix_point(uint64_t hash, oct_point p)
{
    return mix_number(mix_number(mix_number(hash, p.x), p.y), p.z);
}

static uint64_t mix_player(uint64_t hash, const player *p)
{
    const body *const b = &p->body;
    hash = mix_point(mix_point(mix(hash, p->id), b->centre), b->velocity);
    hash = mix_point(mix_point(mix_point(hash, b->frame.right), b->frame.up), b->frame.back);
    // What is left of a movement that has ended shapes nothing.
    hash = b->ticks > 0 ? mix_point(mix_point(hash, b->move), b->rotate) : hash;
    hash = mix(hash, (uint64_t)b->ticks << 32 | b->ground);
    hash =
        mix(hash, (uint64_t)b->flies | (uint64_t)b->damps << 1 | (uint64_t)b->boots << 2 |
                      (uint64_t)b->stands << 3 | (uint64_t)b->jumps << 4 | (uint64_t)p->works << 5 |
                      (uint64_t)p->held.kind << 8 | (uint64_t)p->page << 16);
    return mix(mix(hash, p->held.type), b->bumps);
}

static uint64_t mix_block(uint64_t hash, const block *b)
{
    hash = mix_number(mix(mix(hash, b->id), b->type), b->integrity);
    if (b->kind == OCT_KIND_DOOR) {
        hash = mix(hash, (uint64_t)b->is.door.opened << 1 | b->is.door.opens);
    } else if (b->kind == OCT_KIND_TIMER && b->is.timer.heaped != BLOCK_NONE) {
        hash = mix(hash, b->is.timer.due);
    }
    return hash;
}

static uint64_t hash_of(const void *self)
{
    const block_world *const g = self;
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), g->tick);
    for (uint32_t i = 0; i < g->players.count; i++) {
        hash = mix_player(hash, player_at(g, i));
    }
    for (uint32_t i = 0; i < g->drifting.count; i++) {
        const rigid *const r = rigid_at(g, ((const uint32_t *)g->drifting.items)[i]);
        hash = mix(mix_number(hash, r->at), (uint64_t)r->returns | (uint64_t)r->waits << 1);
    }
    for (uint32_t i = 0; i < g->blocks.count; i++) {
        const block *const b = block_at(g, i);
        hash = b->gone ? mix(hash, i) : mix_block(hash, b);
    }
    return hash;
}

// ---- the game ----

static const oct_player_body *body_of(const void *self, uint32_t who)
{
    (void)who;
    return &((const block_world *)self)->body;
}

static const char *refusal(const void *self)
{
    return ((const block_world *)self)->refusal;
}

static const oct_game_ops block_world_ops = {.destroy = destroy,
                                             .describe = describe,
                                             .players = players,
                                             .join = join,
                                             .body = body_of,
                                             .observe = observe,
                                             .self = self_of,
                                             .act = act,
                                             .refusal = refusal,
                                             .step = step,
                                             .tick = tick,
                                             .hash = hash_of};

oct_result oct_block_world_create(const oct_block_world_def *def, oct_game **out)
{
    *out = NULL;
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    block_world *const g = oct_alloc(&own, sizeof *g, _Alignof(block_world));
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    *g = (block_world){
        .game = {&block_world_ops}, .allocator = own, .refusal = "", .spare = BLOCK_NONE};
    oct_arena_init(&g->texts, &own);
    oct_result result = oct_solids_create(&own, &g->solids);
    if (result == OCT_OK) {
        result = oct_block_copy_world(g, def->world);
    }
    if (result == OCT_OK && g->has_start) {
        result = join(g, NULL, NULL);
        // No room at the start: nobody is there yet.
        result = result == OCT_ERROR_RANGE ? OCT_OK : result;
    }
    if (result != OCT_OK) {
        destroy(g);
        return result;
    }
    *out = &g->game;
    return OCT_OK;
}

// The block world behind an interface, or NULL for another game.
static const block_world *inside(const oct_game *game)
{
    return game->ops == &block_world_ops ? (const block_world *)game : NULL;
}

oct_result oct_block_world_teleport(oct_game *game, uint32_t who, const oct_pose *pose,
                                    oct_point velocity)
{
    const block_world *const g = inside(game);
    if (!g || who >= g->players.count || !oct_world_is_pose(pose) ||
        !oct_world_is_finite(velocity)) {
        return OCT_ERROR_ARGUMENT;
    }
    body *const b = &player_at(g, who)->body;
    if (!is_near_enough(pose->position) || !oct_body_place(g->solids, pose, b)) {
        return OCT_ERROR_RANGE;
    }
    b->velocity = velocity;
    return OCT_OK;
}

double oct_block_world_clearance(const oct_game *game, uint32_t who, double limit)
{
    const block_world *const g = inside(game);
    OCT_ASSERT(g && who < g->players.count);
    const capsule c = oct_body_capsule(&player_at(g, who)->body);
    return oct_solids_gap(g->solids, &c, limit);
}
