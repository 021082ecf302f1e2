// SPDX-License-Identifier: MIT
// A game of one's own behind Octant's interface: a drone, two rooms, a door and its button. An
// agent plays it: it shall get to the chest in the second room.
//   game_in_c [broken]       broken: the button is wired to nothing, and the test fails
#include <octant/game_parts.h>
#include <octant/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the level: metres, z is up ----

enum { RATE = 60, WALLS = 9, PLAYER = WALLS + 1, DOOR, BUTTON, CHEST }; // the ids behind the walls'

static const oct_named_box walls[WALLS] = {
    {"Floor", {{-5.4, -4.4, -0.4}, {5.8, 4.4, 0.0}}},
    {"Ceiling", {{-5.4, -4.4, 3.0}, {5.8, 4.4, 3.4}}},
    {"West", {{-5.4, -4.4, 0.0}, {-5.0, 4.4, 3.0}}},
    {"East", {{5.4, -4.4, 0.0}, {5.8, 4.4, 3.0}}},
    {"South", {{-5.0, -4.4, 0.0}, {5.4, -4.0, 3.0}}},
    {"North", {{-5.0, 4.0, 0.0}, {5.4, 4.4, 3.0}}},
    {"Middle, south", {{0.0, -4.0, 0.0}, {0.4, -1.0, 3.0}}},
    {"Middle, north", {{0.0, 1.0, 0.0}, {0.4, 4.0, 3.0}}},
    {"Middle, above", {{0.0, -1.0, 2.4}, {0.4, 1.0, 3.0}}},
};
static const oct_bounds door_gap = {{0.1, -1.0, 0.0}, {0.3, 1.0, 2.4}};
static const oct_bounds button_box = {{-0.15, 1.6, 1.0}, {0.0, 2.0, 1.4}};
static const oct_bounds chest_box = {{4.0, 2.4, 0.0}, {4.8, 3.2, 0.8}};

typedef struct rooms {
    oct_box_game base; // first: a drone among walls, which are told as they are
    bool is_broken;
    oct_sliding_door door;
    oct_scenery_part parts[WALLS];
    oct_piece pieces[WALLS];
    oct_entity entities[3];
} rooms;

// ---- what Octant asks ----

static void destroy(void *self)
{
    free(self);
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    static const char *const uses[] = {"press"};
    rooms *const g = self;
    oct_entity *const e = g->entities;
    e[0] = oct_sliding_door_entity(&g->door, DOOR, "Door");
    e[1] = oct_box_entity(BUTTON, "Button", OCT_ENTITY_BUTTON, button_box);
    e[1].uses = uses;
    e[1].use_count = 1;
    e[2] = oct_box_entity(CHEST, "Chest", OCT_ENTITY_GOAL, chest_box);
    *out = (oct_observation){.entities = e, .count = 3}; // all are in view
    return oct_box_game_self(self, who, &out->self);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    rooms *const g = self;
    const oct_flyer *const drone = &g->base.flyer;
    (void)who; // there is one player
    if (action->verb != OCT_VERB_USE) {
        *came = oct_flyer_act(&g->base.flyer, action);
    } else if (action->target != BUTTON || action->button != 0) {
        *came = OCT_ACT_NO_BUTTON;
    } else if (oct_box_distance(&button_box, drone->centre) > drone->reach) {
        *came = OCT_ACT_TOO_FAR;
    } else {
        *came = OCT_ACT_DONE;
        g->door.opens ^= !g->is_broken;
    }
    return OCT_OK;
}

static oct_result step(void *self, uint32_t ticks)
{
    rooms *const g = self;
    oct_bounds solids[WALLS + 3] = {[WALLS] = button_box, chest_box};
    for (size_t i = 0; i < WALLS; i++) {
        solids[i] = walls[i].box;
    }
    for (; ticks > 0; ticks--, g->base.tick++) {
        oct_sliding_door_step(&g->door, RATE, &g->base.flyer);
        solids[WALLS + 2] = oct_sliding_door_box(&g->door);
        oct_flyer_step(&g->base.flyer, RATE, solids, WALLS + 3);
    }
    return OCT_OK;
}

// ---- a new game, for each life of a test ----

static oct_result open_rooms(void *is_broken, const oct_game_start *start, uint32_t life,
                             const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    static const oct_game_ops ops = {destroy,
                                     oct_box_game_describe,
                                     .body = oct_box_game_body,
                                     .observe = observe,
                                     .self = oct_box_game_self,
                                     .scenery = oct_box_game_scenery,
                                     .act = act,
                                     .step = step,
                                     .tick = oct_box_game_tick};
    rooms *const g = calloc(1, sizeof *g);
    (void)start, (void)life, (void)allocator, (void)error; // it has one level
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    oct_flyer drone = oct_flyer_default();
    drone.centre = (oct_point){-3.0, 0.0, 0.8};
    oct_box_game_begin(&g->base, &ops, &drone, walls, WALLS, g->parts, g->pieces);
    g->is_broken = *(const bool *)is_broken;
    g->door = (oct_sliding_door){.gap = door_gap, .slide = {0.0, 2.0, 0.0}, .seconds = 1.0};
    oct_game_info *const info = &g->base.info;
    info->game = "two rooms";
    info->rate = RATE;
    info->settle = RATE; // the door begins to move at once
    info->has_settle = info->has_bounds = info->repeats = true;
    info->promises = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_CAUSES | 1u << OCT_ASSUME_SOLID;
    info->bounds = (oct_bounds){walls[0].box.min, walls[1].box.max};
    *out = &g->base.game;
    return OCT_OK;
}

// ---- the test ----

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx, (void)agent;
    *goal = oct_goal_smart_close_to_block(NULL, &(oct_pick){.name = "Chest"}, OCT_SIDE_ANY, 0.25);
    return OCT_OK;
}

static bool write_file(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size;
}

int main(int argc, char **argv)
{
    bool is_broken = argc > 1 && strcmp(argv[1], "broken") == 0;
    const oct_game_source source = {.ctx = &is_broken, .rate = RATE, .open = open_rooms};
    oct_test_agent agent = oct_test_agent_default();
    oct_test_def def = oct_test_def_default();
    agent.begin = begin;
    def.game = &source;
    def.agents = &agent;
    def.agent_count = 1;
    def.seconds = 120.0;

    oct_report_test test = {.file = "game_in_c.c", .name = "the chest can be reached", .world = ""};
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    if (oct_play_test(&def, NULL, &test.result) != OCT_OK) {
        return 2;
    }
    (void)oct_report_text(&run, write_file, stdout);
    const bool is_good = oct_report_is_good(&run);
    oct_play_result_free(&test.result);
    return is_good ? 0 : 1;
}
