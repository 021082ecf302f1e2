// SPDX-License-Identifier: MIT
// Tests that are played without a script, for reports of real runs.
#ifndef OCTANT_TESTS_REPORT_SCENE_H
#define OCTANT_TESTS_REPORT_SCENE_H

#include "report/report_internal.h"

typedef oct_goal *scene_goal_fn(const oct_allocator *allocator);

// Plays a world of worlds/ with one agent, or several that have the same goal, up to `turns` turns.
void scene_play(const char *world, scene_goal_fn *goal, size_t agents, uint64_t turns,
                const oct_play_watch *watch, oct_play_result *out);

// A sink that keeps what it is given, as a text; to be flushed before it is read.
typedef struct scene_text {
    sink out;
    char *bytes;
    size_t size, room;
} scene_text;

// For reports that are written through a callback; `ctx` is the text.
bool scene_text_write(void *ctx, const void *data, size_t size);
void scene_text_init(scene_text *words);
const char *scene_text_read(scene_text *words);
void scene_text_free(scene_text *words);

#endif
