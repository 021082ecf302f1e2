// SPDX-License-Identifier: MIT
// A game of one's own behind Octant's interface: a drone, two rooms, a door and its button. An
// agent plays it: it shall get to the chest in the second room.
//   game_in_c [broken]       broken: the button is wired to nothing, and the test fails
#include <octant/report.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the level: metres, z is up ----

enum { RATE = 60, WALLS = 9, DOOR = WALLS, BUTTON, CHEST, THINGS, PLAYER };
static const double radius = 0.3, speed = 6.0, acceleration = 8.0, turn = 3.0, reach = 2.0;

// The id of a thing is its number and 1.
static const struct {
    const char *name;
    oct_entity_kind kind;
    oct_bounds box;
} things[THINGS] = {
    {"Floor", OCT_ENTITY_SOLID, {{-5.4, -4.4, -0.4}, {5.8, 4.4, 0.0}}},
    {"Ceiling", OCT_ENTITY_SOLID, {{-5.4, -4.4, 3.0}, {5.8, 4.4, 3.4}}},
    {"West", OCT_ENTITY_SOLID, {{-5.4, -4.4, 0.0}, {-5.0, 4.4, 3.0}}},
    {"East", OCT_ENTITY_SOLID, {{5.4, -4.4, 0.0}, {5.8, 4.4, 3.0}}},
    {"South", OCT_ENTITY_SOLID, {{-5.0, -4.4, 0.0}, {5.4, -4.0, 3.0}}},
    {"North", OCT_ENTITY_SOLID, {{-5.0, 4.0, 0.0}, {5.4, 4.4, 3.0}}},
    {"Middle, south", OCT_ENTITY_SOLID, {{0.0, -4.0, 0.0}, {0.4, -1.0, 3.0}}},
    {"Middle, north", OCT_ENTITY_SOLID, {{0.0, 1.0, 0.0}, {0.4, 4.0, 3.0}}},
    {"Middle, above", OCT_ENTITY_SOLID, {{0.0, -1.0, 2.4}, {0.4, 1.0, 3.0}}},
    {"Door", OCT_ENTITY_DOOR, {{0.1, -1.0, 0.0}, {0.3, 1.0, 2.4}}},
    {"Button", OCT_ENTITY_BUTTON, {{-0.15, 1.6, 1.0}, {0.0, 2.0, 1.4}}},
    {"Chest", OCT_ENTITY_GOAL, {{4.0, 2.4, 0.0}, {4.8, 3.2, 0.8}}},
};

typedef struct drone_game {
    oct_game game; // first: what Octant knows of it
    bool is_broken;
    uint64_t tick, bumps;
    oct_point centre, velocity; // of the drone, which is a ball
    double yaw, pitch;          // of the drone, and of its eye alone: it stays upright
    oct_action action;          // the movement under way, and the ticks that it will still take
    uint32_t ticks;
    double opening; // of the door, from 0 to 1
    bool opens;     // where it is going
    oct_game_info info;
    oct_player_body body;
    oct_piece pieces[WALLS];
    oct_scenery_part parts[WALLS];
    oct_entity entities[THINGS - WALLS];
} drone_game;

// ---- the rules ----

static oct_point add(oct_point a, oct_point b, double by)
{
    return (oct_point){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

static double length(oct_point a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static oct_point forward_of(const drone_game *g)
{
    return (oct_point){cos(g->yaw), sin(g->yaw), 0.0};
}

// The leaf of the door slides into the wall.
static oct_bounds box_of(size_t thing, double opening)
{
    const oct_point by = {0.0, thing == DOOR ? 2.0 * opening : 0.0, 0.0};
    return (oct_bounds){add(things[thing].box.min, by, 1.0), add(things[thing].box.max, by, 1.0)};
}

// From the nearest point of a box to the middle of the drone.
static oct_point away_from(const drone_game *g, const oct_bounds *box)
{
    const oct_point c = g->centre;
    return (oct_point){c.x - fmin(fmax(c.x, box->min.x), box->max.x),
                       c.y - fmin(fmax(c.y, box->min.y), box->max.y),
                       c.z - fmin(fmax(c.z, box->min.z), box->max.z)};
}

// Out of a box that it has run into; what is left of its velocity goes along it.
static bool leave(drone_game *g, const oct_bounds *box)
{
    const oct_point away = away_from(g, box), v = g->velocity;
    const double far = length(away);
    if (far >= radius || far == 0.0) {
        return false;
    }
    const double into = (away.x * v.x + away.y * v.y + away.z * v.z) / far;
    g->centre = add(g->centre, away, (radius - far) / far);
    g->velocity = into < 0.0 ? add(v, away, -into / far) : v;
    return into < -0.05;
}

// One tick: it turns, thrusts or brakes, moves, and slides along what is in its way.
static void fly(drone_game *g)
{
    const oct_point rest = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    const oct_point thrust = g->ticks > 0 ? g->action.move : rest;
    const double push = acceleration / RATE / fmax(length(thrust), 1.0);
    g->yaw += g->ticks > 0 ? g->action.rotate.y * turn / RATE : 0.0;
    g->pitch += g->ticks > 0 ? g->action.rotate.x * turn / RATE : 0.0;
    g->ticks -= g->ticks > 0;
    const oct_point forward = forward_of(g), right = {forward.y, -forward.x, 0.0};
    g->velocity = add(add(g->velocity, right, thrust.x * push), forward, -thrust.z * push);
    g->velocity = add(g->velocity, up, thrust.y * push);
    const double fast = length(g->velocity);
    const double brake = length(thrust) == 0.0 ? acceleration / RATE : 0.0;
    const double wanted = fmin(fmax(fast - brake, 0.0), speed);
    g->velocity = fast > 0.0 ? add(rest, g->velocity, wanted / fast) : rest;
    g->centre = add(g->centre, g->velocity, 1.0 / RATE);
    bool bumped = false;
    for (size_t i = 0; i < (size_t)3 * THINGS; i++) { // thrice: a corner has three walls
        const oct_bounds box = box_of(i % THINGS, g->opening);
        bumped |= leave(g, &box);
    }
    g->bumps += bumped;
}

static void slide_door(drone_game *g)
{
    const double next = fmin(fmax(g->opening + (g->opens ? 1.0 : -1.0) / RATE, 0.0), 1.0);
    const oct_bounds box = box_of(DOOR, next);
    g->opening = length(away_from(g, &box)) > radius + 0.01 ? next : g->opening; // else it waits
}

static oct_act press(drone_game *g, const oct_action *action)
{
    if (action->target != BUTTON + 1 || action->button != 0) {
        return OCT_ACT_NO_BUTTON;
    }
    if (length(away_from(g, &things[BUTTON].box)) > reach) {
        return OCT_ACT_TOO_FAR;
    }
    g->opens ^= !g->is_broken;
    return OCT_ACT_DONE;
}

// ---- what Octant asks ----

static void destroy(void *self)
{
    free(self);
}

static const oct_game_info *describe(const void *self)
{
    return &((const drone_game *)self)->info;
}

static const oct_player_body *body_of(const void *self, uint32_t who)
{
    (void)who;
    return &((const drone_game *)self)->body;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    (void)from;
    *out = (oct_scenery_page){.parts = ((drone_game *)self)->parts, .count = WALLS};
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    const drone_game *const g = self;
    const oct_point forward = forward_of(g), up = {0.0, 0.0, 1.0};
    (void)who;
    *out = (oct_self){.tick = g->tick, .id = PLAYER, .health = 1.0, .flies = true};
    out->pose = (oct_pose){add(g->centre, up, -radius), forward, up};
    out->centre = out->eye = g->centre;
    out->look = (oct_point){forward.x * cos(g->pitch), forward.y * cos(g->pitch), sin(g->pitch)};
    out->velocity = g->velocity;
    out->ticks = g->ticks;
    out->bumps = g->bumps;
    return OCT_OK;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    drone_game *const g = self;
    g->entities[0].thing.box = box_of(DOOR, g->opening);
    g->entities[0].opening = g->opening;
    *out = (oct_observation){.entities = g->entities, .count = THINGS - WALLS}; // all are in view
    return self_of(self, who, &out->self);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    drone_game *const g = self;
    (void)who;
    *came = action->verb == OCT_VERB_USE ? press(g, action) : OCT_ACT_DONE;
    if (action->verb == OCT_VERB_MOVE || action->verb == OCT_VERB_WAIT) {
        g->action = *action;
        g->ticks = action->verb == OCT_VERB_MOVE ? action->ticks : 0;
    }
    return OCT_OK;
}

static oct_result step(void *self, uint32_t ticks)
{
    for (drone_game *const g = self; ticks > 0; ticks--) {
        g->tick++;
        slide_door(g);
        fly(g);
    }
    return OCT_OK;
}

static uint64_t tick_of(const void *self)
{
    return ((const drone_game *)self)->tick;
}

// ---- a level begins ----

static void fill_info(oct_game_info *info)
{
    *info = oct_game_info_default();
    info->game = "two rooms";
    info->rate = RATE;
    info->settle = RATE; // the door begins to move at once
    info->has_settle = info->has_bounds = info->repeats = true;
    info->promises = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_CAUSES | 1u << OCT_ASSUME_SOLID;
    info->bounds = (oct_bounds){things[0].box.min, things[1].box.max};
}

static void fill_body(oct_player_body *body)
{
    static const char *const verbs[] = {"move", "use"};
    *body = oct_player_body_default();
    body->shape = OCT_BODY_BALL;
    body->height = body->width = 2.0 * radius;
    body->eye = radius;
    body->gait = OCT_GAIT_FLY;
    body->speed = speed;
    body->acceleration = body->brake = acceleration;
    body->turn = turn;
    body->reach = reach;
    body->verbs = verbs;
    body->verb_count = 2;
}

// A new game, for each life of a test.
static oct_result open_game(void *is_broken, const oct_game_start *start, uint32_t life,
                            const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .body = body_of,
                                     .observe = observe,
                                     .self = self_of,
                                     .scenery = scenery,
                                     .act = act,
                                     .step = step,
                                     .tick = tick_of};
    static const char *const uses[] = {"press"};
    drone_game *const g = calloc(1, sizeof *g);
    (void)start, (void)life, (void)allocator, (void)error; // it has one level
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    *g = (drone_game){
        .game = {&ops}, .is_broken = *(const bool *)is_broken, .centre = {-3.0, 0.0, 0.8}};
    fill_info(&g->info);
    fill_body(&g->body);
    for (size_t i = 0; i < THINGS; i++) {
        const oct_bounds box = things[i].box;
        if (i < WALLS) {
            g->pieces[i] = (oct_piece){.kind = OCT_PIECE_BOX, .box = box};
            g->parts[i] = (oct_scenery_part){i + 1, things[i].name, {&g->pieces[i], 1}, true, true};
            continue;
        }
        g->entities[i - WALLS] = (oct_entity){
            .thing = {.id = i + 1, .box = box, .label = OCT_BLOCKED, .opaque = true},
            .name = things[i].name,
            .type = "",
            .kind = things[i].kind,
            .forward = {0.0, 1.0, 0.0},
            .up = {0.0, 0.0, 1.0},
            .has_gap = i == DOOR, // what the leaf leaves free when it is somewhere else
            .gap = box,
            .meets = OCT_MEETS_WAITS,
            .uses = uses,
            .use_count = i == BUTTON,
            .harm = OCT_NOT_TOLD};
    }
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
    const oct_game_source source = {.ctx = &is_broken, .rate = RATE, .open = open_game};
    oct_test_agent agent = oct_test_agent_default();
    agent.begin = begin;
    oct_test_def def = oct_test_def_default();
    def.game = &source;
    def.agents = &agent;
    def.agent_count = 1;
    def.seconds = 120.0;

    oct_report_test test = {.file = "game_in_c.c", .name = "the chest can be reached", .world = ""};
    const oct_play_options options = {0};
    if (oct_play_test(&def, &options, &test.result) != OCT_OK) {
        return 2;
    }
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    (void)oct_report_text(&run, write_file, stdout);
    const bool is_good = oct_report_is_good(&run);
    oct_play_result_free(&test.result);
    return is_good ? 0 : 1;
}
