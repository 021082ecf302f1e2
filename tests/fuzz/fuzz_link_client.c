// SPDX-License-Identifier: MIT
// Fuzzes what a game answers: the bytes are lines that a client takes for the answers to hello,
// describe, and what else it asks for. Whatever they are, what is handed out keeps the promises of
// the interface, and memory comes back. The first byte, if it is below 16, says how many bytes
// follow that choose what the client does.
//
#define FUZZ_BYTES_MAX ((size_t)8 << 20)

#include "fuzz.h"
#include "link/link_client.h"

#include <math.h>

#define STEPS_MAX 24

typedef struct feed {
    const uint8_t *at, *end;
    uint32_t requests;
} feed;

static uint64_t no_clock(void *ctx)
{
    (void)ctx;
    return 0;
}

static link_status take(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    feed *const f = ctx;
    (void)until;
    const size_t left = (size_t)(f->end - f->at), count = left < room ? left : room;
    if (count == 0) {
        return f->requests % 2 ? LINK_CLOSED : LINK_SILENT;
    }
    memcpy(buffer, f->at, count);
    f->at += count;
    *got = count;
    return LINK_FINE;
}

static link_status give(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    feed *const f = ctx;
    (void)until;
    f->requests++;
    FUZZ_CHECK(size > 0 && size <= LINK_REQUEST_SIZE + 1);
    FUZZ_CHECK(((const char *)bytes)[size - 1] == '\n');
    FUZZ_CHECK(!memchr(bytes, '\n', size - 1));
    return LINK_FINE;
}

// ---- promises ----

static void check_box(const oct_bounds *b)
{
    FUZZ_CHECK(b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z);
}

static bool is_unit(oct_point p)
{
    return fabs(p.x * p.x + p.y * p.y + p.z * p.z - 1.0) < 1e-6;
}

static void check_shape(const oct_shape *shape)
{
    for (size_t i = 0; i < shape->count; i++) {
        const oct_piece *const p = &shape->pieces[i];
        check_box(&p->box);
        for (size_t j = 0; j < 3 * p->triangle_count; j++) {
            FUZZ_CHECK(p->triangles[j] < p->point_count);
        }
        for (size_t j = 0; j < p->point_count; j++) {
            FUZZ_CHECK(isfinite(p->points[j].x + p->points[j].y + p->points[j].z));
        }
    }
}

static void check_props(const oct_property *props, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(props[i].name && isfinite(props[i].number));
        FUZZ_CHECK(props[i].kind != OCT_VALUE_TEXT || props[i].text);
    }
}

static void check_self(const oct_self *self)
{
    FUZZ_CHECK(is_unit(self->pose.forward) && is_unit(self->pose.up) && is_unit(self->look));
    FUZZ_CHECK(self->health >= 0.0 && self->health <= 1.0);
    check_props(self->props, self->prop_count);
}

static void check_seen(const oct_observation *seen)
{
    check_self(&seen->self);
    for (size_t i = 0; i < seen->count; i++) {
        const oct_entity *const e = &seen->entities[i];
        FUZZ_CHECK(i == 0 || seen->entities[i - 1].thing.id < e->thing.id);
        FUZZ_CHECK(e->name && e->type && strlen(e->name) < 1024);
        FUZZ_CHECK((uint32_t)e->kind < OCT_ENTITY_COUNT && (uint32_t)e->meets < 4);
        FUZZ_CHECK(e->opening >= 0.0 && e->opening <= 1.0 && isfinite(e->harm));
        FUZZ_CHECK(is_unit(e->forward) && is_unit(e->up));
        check_box(&e->thing.box);
        check_box(&e->gap);
        check_shape(&e->shape);
        check_props(e->props, e->prop_count);
        for (uint32_t j = 0; j < e->use_count; j++) {
            FUZZ_CHECK(e->uses[j]);
        }
        for (size_t j = 0; j < e->stop_count; j++) {
            check_box(&e->stops[j]);
        }
    }
    for (size_t i = 0; i < seen->event_count; i++) {
        FUZZ_CHECK(seen->events[i].what && seen->events[i].text);
    }
}

// ---- playing ----

static oct_result look_around(oct_game *game, uint32_t who)
{
    oct_observation seen;
    const oct_result result = oct_game_observe(game, who, &seen);
    if (result == OCT_OK) {
        check_seen(&seen);
    }
    return result;
}

static oct_result walk_scenery(oct_game *game)
{
    oct_scenery_page page;
    size_t from = 0;
    for (int i = 0; i < 4; i++) {
        OCT_TRY(oct_game_scenery(game, from, &page));
        for (size_t j = 0; j < page.count; j++) {
            FUZZ_CHECK(page.parts[j].shape.count > 0 && page.parts[j].name);
            check_shape(&page.parts[j].shape);
        }
        from = page.next;
        if (from == 0) {
            break;
        }
    }
    return OCT_OK;
}

static oct_result take_turn(oct_game *game, uint32_t who, uint32_t choice)
{
    const oct_action actions[] = {
        {.verb = OCT_VERB_MOVE, .ticks = 20, .move = {0.1, 0.0, -1.0}},
        {.verb = OCT_VERB_USE, .target = choice},
        {.verb = OCT_VERB_DO, .name = "\xff\"x", .on = true, .number = 1e-9},
    };
    oct_act came = OCT_ACT_COUNT;
    OCT_TRY(oct_game_turn(game, who, &actions[choice % 3], &came));
    FUZZ_CHECK((uint32_t)came < OCT_ACT_COUNT);
    FUZZ_CHECK(strlen(oct_game_refusal(game)) < 1024);
    return OCT_OK;
}

static oct_result do_one(oct_game *game, uint32_t step, uint32_t choice)
{
    const uint32_t players = oct_game_players(game);
    const uint32_t who = players > 0 ? choice / 16 % players : 0;
    oct_self self;
    oct_result result;
    switch (choice % 16) {
    case 0:
        return walk_scenery(game);
    case 1:
        result = oct_game_self(game, who, &self);
        if (result == OCT_OK) {
            check_self(&self);
        }
        return result;
    case 2:
        return oct_game_reset(game, NULL);
    case 3:
        (void)oct_game_hash(game);
        return OCT_OK;
    case 4:
        result = oct_game_join(game, NULL, &(uint32_t){0});
        return result == OCT_ERROR_UNSUPPORTED ? OCT_OK : result;
    case 5:
        return oct_game_step(game, step + 1);
    case 6:
    case 7:
    case 8:
    case 9:
        OCT_TRY(take_turn(game, who, choice));
        return look_around(game, who);
    default:
        return look_around(game, who);
    }
}

static void play(oct_game *game, const uint8_t *choices, size_t count)
{
    const oct_game_info *const info = oct_game_describe(game);
    FUZZ_CHECK(info->game && info->level && info->rate >= 1.0 && info->metre > 0.0);
    for (uint32_t i = 0; i < oct_game_players(game); i++) {
        const oct_player_body *body;
        FUZZ_CHECK(oct_game_body(game, i, &body) == OCT_OK);
        FUZZ_CHECK(body->height > 0.0 && body->width > 0.0 && isfinite(body->speed));
    }
    uint64_t tick = oct_game_tick(game);
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        const uint32_t choice = count > 0 ? choices[i % count] : i * 5;
        const oct_result result = do_one(game, i, choice);
        FUZZ_CHECK(choice % 16 == 2 || oct_game_tick(game) >= tick || result != OCT_OK);
        tick = oct_game_tick(game);
        if (result == OCT_ERROR_LINK) {
            FUZZ_CHECK(oct_game_trouble(game)[0] != '\0');
            FUZZ_CHECK(look_around(game, 0) == OCT_ERROR_LINK || oct_game_players(game) == 0);
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    // The first byte says how many of the next ones are what the client does.
    const size_t choices = size > 1 && data[0] < 16 && data[0] < size ? data[0] : 0;
    const uint8_t *const begin = data + (choices > 0 ? 1 : 0);
    feed f = {begin + choices, data + size, 0};
    const link_carrier carrier = {take, give, no_clock, &f};
    const link_client_def def = {.allocator = &limited};
    oct_game *game;
    char why[2000];
    const oct_result result = oct_link_play(&carrier, &def, &game, why, sizeof why);
    FUZZ_CHECK((result == OCT_OK) == (game != NULL));
    FUZZ_CHECK(result == OCT_OK || why[0] != '\0' || result == OCT_ERROR_MEMORY);
    if (game) {
        play(game, begin, choices);
        oct_game_destroy(game);
    }
    FUZZ_CHECK(used == 0);
    return 0;
}
