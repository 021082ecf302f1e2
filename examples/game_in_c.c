// SPDX-License-Identifier: MIT
// A game of one's own behind Octant's interface: a drone, two rooms, a door and its button. An
// agent plays it: it shall get to the chest in the second room.
//   game_in_c [broken]       broken: the button is wired to nothing, and the test fails
#include <octant/game_parts.h>
#include <octant/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the level: metres, z is up; the id of a thing is its number and 1 ----

enum { RATE = 60, WALLS = 9, DOOR = WALLS, BUTTON, CHEST, THINGS, PLAYER };

static const struct {
    const char *name;
    oct_bounds box;
} things[THINGS] = {
    {"Floor", {{-5.4, -4.4, -0.4}, {5.8, 4.4, 0.0}}},
    {"Ceiling", {{-5.4, -4.4, 3.0}, {5.8, 4.4, 3.4}}},
    {"West", {{-5.4, -4.4, 0.0}, {-5.0, 4.4, 3.0}}},
    {"East", {{5.4, -4.4, 0.0}, {5.8, 4.4, 3.0}}},
    {"South", {{-5.0, -4.4, 0.0}, {5.4, -4.0, 3.0}}},
    {"North", {{-5.0, 4.0, 0.0}, {5.4, 4.4, 3.0}}},
    {"Middle, south", {{0.0, -4.0, 0.0}, {0.4, -1.0, 3.0}}},
    {"Middle, north", {{0.0, 1.0, 0.0}, {0.4, 4.0, 3.0}}},
    {"Middle, above", {{0.0, -1.0, 2.4}, {0.4, 1.0, 3.0}}},
    {"Door", {{0.1, -1.0, 0.0}, {0.3, 1.0, 2.4}}},
    {"Button", {{-0.15, 1.6, 1.0}, {0.0, 2.0, 1.4}}},
    {"Chest", {{4.0, 2.4, 0.0}, {4.8, 3.2, 0.8}}},
};

typedef struct rooms {
    oct_game game; // first: what Octant knows of it
    bool is_broken;
    uint64_t tick;
    oct_flyer drone;
    oct_sliding_door door;
    oct_game_info info;
    oct_player_body body;
    oct_piece pieces[WALLS];
    oct_scenery_part parts[WALLS];
    oct_entity entities[THINGS - WALLS];
} rooms;

// ---- what Octant asks ----

static void destroy(void *self)
{
    free(self);
}

static const oct_game_info *describe(const void *self)
{
    return &((const rooms *)self)->info;
}

static const oct_player_body *body_of(const void *self, uint32_t who)
{
    (void)who; // there is one player
    return &((const rooms *)self)->body;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    (void)from; // there is one page
    *out = (oct_scenery_page){.parts = ((rooms *)self)->parts, .count = WALLS};
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    const rooms *const g = self;
    (void)who;
    *out = oct_flyer_self(&g->drone, PLAYER, g->tick);
    return OCT_OK;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    static const char *const uses[] = {"press"};
    rooms *const g = self;
    oct_entity *const e = g->entities;
    e[0] = oct_sliding_door_entity(&g->door, DOOR + 1, "Door");
    e[1] = oct_box_entity(BUTTON + 1, "Button", OCT_ENTITY_BUTTON, things[BUTTON].box);
    e[1].uses = uses;
    e[1].use_count = 1;
    e[2] = oct_box_entity(CHEST + 1, "Chest", OCT_ENTITY_GOAL, things[CHEST].box);
    *out = (oct_observation){.entities = e, .count = THINGS - WALLS}; // all are in view
    return self_of(self, who, &out->self);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    rooms *const g = self;
    (void)who;
    if (action->verb != OCT_VERB_USE) {
        *came = oct_flyer_act(&g->drone, action);
    } else if (action->target != BUTTON + 1 || action->button != 0) {
        *came = OCT_ACT_NO_BUTTON;
    } else if (oct_box_distance(&things[BUTTON].box, g->drone.centre) > g->drone.reach) {
        *came = OCT_ACT_TOO_FAR;
    } else {
        *came = OCT_ACT_DONE;
        g->door.opens ^= !g->is_broken;
    }
    return OCT_OK;
}

static oct_result step(void *self, uint32_t ticks)
{
    oct_bounds solids[THINGS];
    rooms *const g = self;
    for (size_t i = 0; i < THINGS; i++) {
        solids[i] = things[i].box;
    }
    for (; ticks > 0; ticks--, g->tick++) {
        oct_sliding_door_step(&g->door, RATE, &g->drone);
        solids[DOOR] = oct_sliding_door_box(&g->door);
        oct_flyer_step(&g->drone, RATE, solids, THINGS);
    }
    return OCT_OK;
}

static uint64_t tick_of(const void *self)
{
    return ((const rooms *)self)->tick;
}

// ---- a new game, for each life of a test ----

static oct_result open_rooms(void *is_broken, const oct_game_start *start, uint32_t life,
                             const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    static const oct_game_ops ops = {
        destroy,         describe,           .body = body_of, .observe = observe,
        .self = self_of, .scenery = scenery, .act = act,      .step = step,
        .tick = tick_of};
    rooms *const g = calloc(1, sizeof *g);
    (void)start, (void)life, (void)allocator, (void)error; // it has one level
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    g->game.ops = &ops;
    g->is_broken = *(const bool *)is_broken;
    g->drone = oct_flyer_default();
    g->drone.centre = (oct_point){-3.0, 0.0, 0.8};
    g->body = oct_flyer_body(&g->drone);
    g->door = (oct_sliding_door){.gap = things[DOOR].box, .slide = {0.0, 2.0, 0.0}, .seconds = 1.0};
    for (size_t i = 0; i < WALLS; i++) {
        g->parts[i] = oct_box_part(i + 1, things[i].name, things[i].box, &g->pieces[i]);
    }
    g->info = oct_game_info_default();
    g->info.game = "two rooms";
    g->info.rate = RATE;
    g->info.settle = RATE; // the door begins to move at once
    g->info.has_settle = g->info.has_bounds = g->info.repeats = true;
    g->info.promises = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_CAUSES | 1u << OCT_ASSUME_SOLID;
    g->info.bounds = (oct_bounds){things[0].box.min, things[1].box.max};
    *out = &g->game;
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
