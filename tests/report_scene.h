// SPDX-License-Identifier: MIT
// Tests that are played without a script, for reports of real runs.
#ifndef OCTANT_TESTS_REPORT_SCENE_H
#define OCTANT_TESTS_REPORT_SCENE_H

#include "report/report.h"

typedef oct_goal *scene_goal_fn(const oct_allocator *allocator);

// Plays a world of worlds/ with one agent, or several that have the same goal, up to `turns` turns,
// and tells the watch as oct_play would. The result is to be freed by scene_free_result.
void scene_play(const char *world, scene_goal_fn *goal, size_t agents, uint64_t turns,
                const play_watch *watch, play_result *out);
void scene_free_result(play_result *result);

// A sink that keeps what it is given, as a text; to be flushed before it is read.
typedef struct scene_text {
    sink out;
    char *bytes;
    size_t size, room;
} scene_text;

void scene_text_init(scene_text *words);
const char *scene_text_read(scene_text *words);
void scene_text_free(scene_text *words);

#endif
