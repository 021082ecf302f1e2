// SPDX-License-Identifier: MIT
#include "report_scene.h"

#include "files/files_internal.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define AGENTS_MAX 4

// ---- playing ----

typedef struct scene_listener {
    const play_watch *watch;
    size_t agent;
} scene_listener;

static void pass_on(void *ctx, const oct_mind_event *event)
{
    const scene_listener *const listener = ctx;
    if (listener->watch->event) {
        listener->watch->event(listener->watch->ctx, listener->agent, event);
    }
}

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
                                        : 0;
}

static char *copy_of(const char *words)
{
    char *const copy = malloc(strlen(words) + 1);
    assert_non_null(copy);
    return strcpy(copy, words);
}

static void take_result(oct_agent *const *agents, size_t count, play_result *out)
{
    const oct_belief *const belief = oct_agent_belief(agents[0]);
    const oct_game_info *const info = oct_belief_info(belief);
    const oct_point at = oct_belief_self(belief)->centre;
    const char *reason;
    char where[96];
    uint64_t cells[3];
    const oct_map *const map = oct_belief_map(belief);
    *out = (play_result){.verdict = oct_agent_verdict(agents[0], &reason),
                         .agents = (uint32_t)count,
                         .turns = oct_agent_turns(agents[0]),
                         .ticks = oct_game_tick(oct_agent_game(agents[0])),
                         .seed = 1,
                         .structure = oct_map_structure(map),
                         .sight = info->rules.sight,
                         .view = info->rules.view,
                         .times = oct_agent_spent(agents[0]),
                         .explored = 0.5};
    snprintf(where, sizeof where, "(%.1f, %.1f, %.1f)", at.x, at.y, at.z);
    out->reason = copy_of(reason);
    out->where = copy_of(where);
    assert_int_equal(oct_map_count(map, oct_map_extent(map, OCT_HAS_OPEN | OCT_HAS_BLOCKED), cells),
                     OCT_OK);
    out->open = cells[OCT_OPEN];
    out->blocked = cells[OCT_BLOCKED];
    out->unknown = cells[OCT_UNKNOWN];
}

void scene_play(const char *world_name, scene_goal_fn *goal, size_t count, uint64_t turns,
                const play_watch *watch, play_result *out)
{
    char path[512];
    oct_world *world;
    oct_game *game;
    oct_error error;
    oct_agent *agents[AGENTS_MAX];
    scene_listener listeners[AGENTS_MAX];
    assert_true(count <= AGENTS_MAX);
    snprintf(path, sizeof path, "%s/worlds/%s", OCT_SOURCE_DIR, world_name);
    assert_int_equal(oct_world_load(path, NULL, NULL, &world, NULL, &error), OCT_OK);
    assert_int_equal(oct_block_world_create(world, NULL, &game), OCT_OK);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        oct_agent_def def = oct_agent_def_default();
        listeners[i] = (scene_listener){watch, i};
        def.game = game;
        snprintf(name, sizeof name, "agent%zu", i + 1);
        def.name = name;
        if (i > 0) {
            assert_int_equal(oct_game_join(game, NULL, &def.who), OCT_OK);
        }
        def.event = pass_on;
        def.clock = clock_ns;
        def.event_ctx = &listeners[i];
        assert_int_equal(oct_agent_create(&def, &agents[i]), OCT_OK);
        assert_int_equal(oct_agent_pursue(agents[i], goal(NULL)), OCT_OK);
    }
    watch->begins(watch->ctx, world, agents, count);
    for (uint64_t i = 0; i < turns && !oct_agent_has_ended(agents[0]); i++) {
        assert_int_equal(oct_agents_turn(agents, count), OCT_OK);
        watch->turned(watch->ctx, agents, count);
    }
    if (watch->ends) {
        watch->ends(watch->ctx, agents, count);
    }
    take_result(agents, count, out);
    for (size_t i = 0; i < count; i++) {
        oct_agent_destroy(agents[i]);
    }
    oct_game_destroy(game);
    oct_world_destroy(world);
}

void scene_free_result(play_result *result)
{
    free(result->reason);
    free(result->where);
}

// ---- text ----

static bool keep(void *ctx, const void *data, size_t size)
{
    scene_text *const words = ctx;
    while (words->room < words->size + size + 1) {
        words->room = words->room * 2 + 4096;
        words->bytes = realloc(words->bytes, words->room);
        assert_non_null(words->bytes);
    }
    memcpy(words->bytes + words->size, data, size);
    words->size += size;
    words->bytes[words->size] = '\0';
    return true;
}

void scene_text_init(scene_text *words)
{
    *words = (scene_text){.out = {.write = keep, .ctx = words}};
}

const char *scene_text_read(scene_text *words)
{
    oct_sink_flush(&words->out);
    return words->bytes ? words->bytes : "";
}

void scene_text_free(scene_text *words)
{
    free(words->bytes);
    words->bytes = NULL;
}
