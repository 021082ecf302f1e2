// SPDX-License-Identifier: MIT
#include "report_scene.h"

#include "files/files_internal.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define AGENTS_MAX 4

// ---- playing ----

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
                                        : 0;
}

typedef struct scene_goal {
    scene_goal_fn *make;
} scene_goal;

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)agent;
    *goal = ((const scene_goal *)ctx)->make(NULL);
    return OCT_OK;
}

void scene_play(const char *world_name, scene_goal_fn *goal, size_t count, uint64_t turns,
                const oct_play_watch *watch, oct_play_result *out)
{
    static const char *const names[AGENTS_MAX] = {"agent1", "agent2", "agent3", "agent4"};
    char path[512];
    oct_error error;
    oct_test_agent agents[AGENTS_MAX];
    scene_goal own = {goal};
    oct_test_def def = oct_test_def_default();
    assert_true(count <= AGENTS_MAX);
    snprintf(path, sizeof path, "%s/worlds/%s", OCT_SOURCE_DIR, world_name);
    assert_int_equal(oct_world_load(path, NULL, NULL, &def.world, NULL, &error), OCT_OK);
    for (size_t i = 0; i < count; i++) {
        agents[i] = oct_test_agent_default();
        agents[i].agent.name = names[i];
        agents[i].begin = begin;
        agents[i].ctx = &own;
    }
    def.agents = agents;
    def.agent_count = count;
    def.turns = turns;
    const oct_play_options options = {.clock = clock_ns, .watches = watch, .watch_count = 1};
    assert_int_equal(oct_play_test(&def, &options, out), OCT_OK);
    oct_world_destroy(def.world);
}

// ---- text ----

bool scene_text_write(void *ctx, const void *data, size_t size)
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
    *words = (scene_text){.out = {.write = scene_text_write, .ctx = words}};
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
