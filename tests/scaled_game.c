// SPDX-License-Identifier: MIT
#include "scaled_game.h"

#include "base/base_internal.h"

#include <stdlib.h>

#define THINGS_MAX 64

typedef struct scaled {
    oct_game game; // first
    oct_game *inner;
    double by;
    oct_game_info info;
    oct_player_body body;
    oct_entity entities[THINGS_MAX];
    oct_scenery_part parts[THINGS_MAX];
    oct_piece pieces[THINGS_MAX];
} scaled;

static oct_point point(const scaled *s, oct_point p)
{
    return (oct_point){p.x * s->by, p.y * s->by, p.z * s->by};
}

static oct_bounds box(const scaled *s, oct_bounds b)
{
    return (oct_bounds){point(s, b.min), point(s, b.max)};
}

static const oct_game_info *describe(const void *self)
{
    return &((const scaled *)self)->info;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    (void)who;
    return &((const scaled *)self)->body;
}

static void scale_self(const scaled *s, oct_self *self)
{
    self->pose.position = point(s, self->pose.position);
    self->centre = point(s, self->centre);
    self->eye = point(s, self->eye);
    self->velocity = point(s, self->velocity);
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    scaled *const s = self;
    OCT_TRY(oct_game_observe(s->inner, who, out));
    scale_self(s, &out->self);
    for (size_t i = 0; i < out->count; i++) {
        oct_entity *const e = &s->entities[i];
        *e = out->entities[i];
        e->thing.box = box(s, e->thing.box);
        e->gap = box(s, e->gap);
        e->velocity = point(s, e->velocity);
        e->shape.count = 0;
    }
    out->entities = s->entities;
    return OCT_OK;
}

static oct_result feel(void *self, uint32_t who, oct_self *out)
{
    OCT_TRY(oct_game_self(((scaled *)self)->inner, who, out));
    scale_self(self, out);
    return OCT_OK;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    scaled *const s = self;
    size_t pieces = 0;
    OCT_TRY(oct_game_scenery(s->inner, from, out));
    for (size_t i = 0; i < out->count; i++) {
        s->parts[i] = out->parts[i];
        s->parts[i].shape.pieces = &s->pieces[pieces];
        for (size_t k = 0; k < out->parts[i].shape.count; k++) {
            s->pieces[pieces] = out->parts[i].shape.pieces[k];
            s->pieces[pieces].box = box(s, s->pieces[pieces].box);
            pieces++;
        }
    }
    out->parts = s->parts;
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    return oct_game_act(((scaled *)self)->inner, who, action, came);
}

static oct_result step(void *self, uint32_t ticks)
{
    return oct_game_step(((scaled *)self)->inner, ticks);
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const scaled *)self)->inner);
}

static void destroy(void *self)
{
    oct_game_destroy(((scaled *)self)->inner);
    free(self);
}

oct_game *scaled_game(oct_game *inner, double metre)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .body = body,
                                     .observe = observe,
                                     .self = feel,
                                     .scenery = scenery,
                                     .act = act,
                                     .step = step,
                                     .tick = tick};
    const oct_player_body *own = NULL;
    scaled *const s = calloc(1, sizeof *s);
    if (!s || oct_game_body(inner, 0, &own) != OCT_OK) {
        abort();
    }
    s->game.ops = &ops;
    s->inner = inner;
    s->by = metre;
    s->info = *oct_game_describe(inner);
    s->info.can_reset = false;
    s->info.metre = metre;
    s->info.view *= metre;
    s->info.bounds = box(s, s->info.bounds);
    s->info.gravity = point(s, s->info.gravity);
    s->body = *own;
    double *const lengths[] = {&s->body.height,       &s->body.width, &s->body.eye,  &s->body.speed,
                               &s->body.acceleration, &s->body.brake, &s->body.reach};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        *lengths[i] *= metre;
    }
    return &s->game;
}

static oct_result open(void *ctx, const oct_game_start *start, uint32_t life,
                       const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    const scaled_source *const source = ctx;
    OCT_TRY(source->inner.open(source->inner.ctx, start, life, allocator, out, error));
    *out = scaled_game(*out, source->metre);
    return OCT_OK;
}

oct_game_source scaled_source_of(scaled_source *source)
{
    oct_game_source out = source->inner;
    out.ctx = source;
    out.open = open;
    return out;
}
