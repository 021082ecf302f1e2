// SPDX-License-Identifier: MIT
#include "link/link_running.h"

#include "base/base_internal.h"

#include <math.h>

// Ticks are given in portions of as many.
#define PORTION 3600u

typedef struct running {
    oct_game game; // first
    oct_game *inner;
    oct_game_info info;
    double speed;
    link_time time;
    uint64_t begin_ns; // of this life
    oct_allocator allocator;
} running;

static void destroy(void *self)
{
    running *const r = self;
    const oct_allocator own = r->allocator;
    oct_game_destroy(r->inner);
    oct_free(&own, r, sizeof *r);
}

static void begin_life(running *r)
{
    r->info = *oct_game_describe(r->inner);
    r->info.runs = true;
    r->info.repeats = false;
    r->begin_ns = r->time.now_ns(r->time.ctx);
}

// ---- time ----

static double ticks_per_ns(const running *r)
{
    return r->info.rate * r->speed / 1e9;
}

// Lets pass in the game what has passed on the clock.
static oct_result catch_up(running *r)
{
    const uint64_t passed = r->time.now_ns(r->time.ctx) - r->begin_ns;
    const uint64_t now = (uint64_t)((double)passed * ticks_per_ns(r));
    for (uint64_t tick = oct_game_tick(r->inner); tick < now; tick = oct_game_tick(r->inner)) {
        const uint64_t left = now - tick;
        OCT_TRY(oct_game_step(r->inner, left < PORTION ? (uint32_t)left : PORTION));
    }
    return OCT_OK;
}

static oct_result step(void *self, uint32_t ticks)
{
    running *const r = self;
    OCT_TRY(catch_up(r));
    const uint64_t until = oct_game_tick(r->inner) + ticks;
    while (oct_game_tick(r->inner) < until) {
        const double ns = ceil((double)until / ticks_per_ns(r));
        if (!r->time.wait(r->time.ctx, r->begin_ns + (uint64_t)ns + 1)) {
            return OCT_ERROR_LINK;
        }
        OCT_TRY(catch_up(r));
    }
    return OCT_OK;
}

// ---- asking ----

static const oct_game_info *describe(const void *self)
{
    return &((const running *)self)->info;
}

static uint32_t players(const void *self)
{
    return oct_game_players(((const running *)self)->inner);
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    OCT_TRY(catch_up(self));
    return oct_game_join(((running *)self)->inner, pose, who);
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    const oct_player_body *out;
    (void)oct_game_body(((const running *)self)->inner, who, &out); // it plays
    return out;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    OCT_TRY(catch_up(self));
    return oct_game_observe(((running *)self)->inner, who, out);
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    OCT_TRY(catch_up(self));
    return oct_game_self(((running *)self)->inner, who, out);
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    return oct_game_scenery(((running *)self)->inner, from, out);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    OCT_TRY(catch_up(self));
    return oct_game_act(((running *)self)->inner, who, action, came);
}

static const char *refusal(const void *self)
{
    return oct_game_refusal(((const running *)self)->inner);
}

static const char *trouble(const void *self)
{
    return oct_game_trouble(((const running *)self)->inner);
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const running *)self)->inner);
}

static uint64_t hash(const void *self)
{
    return oct_game_hash(((const running *)self)->inner);
}

static oct_result reset(void *self, const oct_game_start *start)
{
    running *const r = self;
    OCT_TRY(oct_game_reset(r->inner, start));
    begin_life(r);
    return OCT_OK;
}

oct_result oct_link_run(oct_game *inner, double speed, const link_time *time,
                        const oct_allocator *allocator, oct_game **out)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .players = players,
                                     .join = join,
                                     .body = body,
                                     .observe = observe,
                                     .self = self_of,
                                     .scenery = scenery,
                                     .act = act,
                                     .refusal = refusal,
                                     .step = step,
                                     .tick = tick,
                                     .hash = hash,
                                     .reset = reset,
                                     .trouble = trouble};
    *out = NULL;
    const oct_allocator own = oct_allocator_or_default(allocator);
    running *const r = oct_alloc(&own, sizeof *r, _Alignof(running));
    if (!r) {
        return OCT_ERROR_MEMORY;
    }
    *r = (running){.game = {&ops}, .inner = inner, .speed = speed, .time = *time, .allocator = own};
    begin_life(r);
    *out = &r->game;
    return OCT_OK;
}
