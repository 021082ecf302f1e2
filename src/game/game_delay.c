// SPDX-License-Identifier: MIT
// A game that runs on between observations: time passes before each action.
#include "octant/game.h"

#include "base/base_internal.h"

typedef struct delayed {
    oct_game game; // first
    oct_game *inner;
    oct_game_info info;
    uint64_t seed;
    oct_random random;
    oct_allocator allocator;
} delayed;

static void destroy(void *self)
{
    delayed *const d = self;
    const oct_allocator own = d->allocator;
    oct_game_destroy(d->inner);
    oct_free(&own, d, sizeof *d);
}

static const oct_game_info *describe(const void *self)
{
    return &((const delayed *)self)->info;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    const oct_player_body *out;
    (void)oct_game_body(((const delayed *)self)->inner, who, &out); // it plays
    return out;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    return oct_game_scenery(((delayed *)self)->inner, from, out);
}

static const char *refusal(const void *self)
{
    return oct_game_refusal(((const delayed *)self)->inner);
}

static const char *trouble(const void *self)
{
    return oct_game_trouble(((const delayed *)self)->inner);
}

static uint32_t players(const void *self)
{
    return oct_game_players(((const delayed *)self)->inner);
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    return oct_game_join(((delayed *)self)->inner, pose, who);
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    return oct_game_observe(((delayed *)self)->inner, who, out);
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    return oct_game_self(((delayed *)self)->inner, who, out);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    delayed *const d = self;
    const uint64_t spread = d->info.delay_max - d->info.delay_min + 1u;
    const uint32_t ticks = d->info.delay_min + (uint32_t)oct_random_below(&d->random, spread);
    OCT_TRY(oct_game_step(d->inner, ticks));
    return oct_game_act(d->inner, who, action, came);
}

static oct_result step(void *self, uint32_t ticks)
{
    return oct_game_step(((delayed *)self)->inner, ticks);
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const delayed *)self)->inner);
}

// The delays to come shape what comes, too.
static uint64_t hash(const void *self)
{
    const delayed *const d = self;
    return oct_game_hash(d->inner) ^ oct_hash_words(d->random.state, 4);
}

// The delays of the new life follow from its seed, where it has one.
static oct_result reset(void *self, const oct_game_start *start)
{
    delayed *const d = self;
    OCT_TRY(oct_game_reset(d->inner, start));
    const uint32_t min = d->info.delay_min, max = d->info.delay_max;
    d->info = *oct_game_describe(d->inner);
    d->info.delay_min = min;
    d->info.delay_max = max;
    d->random = oct_random_seed(start->seed != 0 ? start->seed : d->seed);
    return OCT_OK;
}

oct_result oct_game_delay(oct_game *inner, uint32_t min, uint32_t max, uint64_t seed,
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
    if (min < 1 || min > max || max > OCT_ACTION_TICKS_MAX) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator own = oct_allocator_or_default(allocator);
    delayed *const d = oct_alloc(&own, sizeof *d, _Alignof(delayed));
    if (!d) {
        return OCT_ERROR_MEMORY;
    }
    *d = (delayed){.game = {&ops},
                   .inner = inner,
                   .info = *oct_game_describe(inner),
                   .seed = seed,
                   .random = oct_random_seed(seed),
                   .allocator = own};
    d->info.delay_min = min;
    d->info.delay_max = max;
    *out = &d->game;
    return OCT_OK;
}
