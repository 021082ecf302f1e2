// SPDX-License-Identifier: MIT
// A first flight: to a door in a wall, press the button beside it, and through.
#include <octant/octant.h>
#include <octant/play.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const oct_world_type types[] = {
    {"wall", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 100},
    {"door", true, OCT_KIND_DOOR, 0, {1, 1, 1}, 100},
    {"panel", true, OCT_KIND_PANEL, 1, {1, 1, 1}, 100},
};
enum { DOOR = 1, PANEL = 2 }; // ids of blocks; boxes are in metres, z is up
static const oct_world_block blocks[] = {
    {.id = DOOR, .type = 1, .label = OCT_BLOCKED, .box = {{10, -2, -1}, {10.5, 2, 2}}},
    {.id = PANEL, .type = 2, .label = OCT_BLOCKED, .box = {{9.8, 2.5, 0}, {10, 3.5, 1}}},
    {.id = 3, .label = OCT_BLOCKED, .box = {{10, -90, -90}, {10.5, -2, 90}}},
    {.id = 4, .label = OCT_BLOCKED, .box = {{10, 2, -90}, {10.5, 90, 90}}},
    {.id = 5, .label = OCT_BLOCKED, .box = {{10, -2, 2}, {10.5, 2, 90}}},
    {.id = 6, .label = OCT_BLOCKED, .box = {{10, -2, -90}, {10.5, 2, -1}}},
};

typedef struct player {
    oct_game *game;
    oct_belief *belief; // what it knows
    oct_planner *planner;
    oct_pilot *pilot;
} player;

static void check(oct_result result)
{
    if (result != OCT_OK) {
        fprintf(stderr, "%s\n", oct_result_text(result));
        exit(1);
    }
}

static void begin(player *p)
{
    oct_world *world;
    check(oct_world_create(NULL, &world));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        check(oct_world_define(world, &types[i], NULL));
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        check(oct_world_add(world, &blocks[i]));
    }
    check(oct_world_add_wire(world, &(oct_world_wire){.from = PANEL, .slot = 0, .to = DOOR}));
    check(oct_world_set_start(world, &(oct_pose){{0, -6, 4}, {0, 1, 0}, {0, 0, 1}}));
    check(oct_block_world_create(&(oct_block_world_def){.world = world}, &p->game));
    oct_world_destroy(world);
    oct_belief_def belief = oct_belief_def_default();
    belief.info = oct_game_describe(p->game);
    check(oct_game_body(p->game, 0, &belief.body));
    belief.cell = 0.3; // docs/internals/flight.md says why
    belief.padding = 0.95;
    check(oct_belief_create(&belief, &p->belief));
    const oct_map *const map = oct_belief_map(p->belief);
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(map);
    check(oct_planner_create(&planner, &p->planner));
    oct_pilot_def pilot = oct_pilot_def_default();
    pilot.info = belief.info;
    pilot.body = belief.body;
    pilot.map = map;
    check(oct_pilot_create(&pilot, &p->pilot));
    check(oct_belief_observe(p->belief, p->game, 0));
}

static void act_and_look(player *p, const oct_action *action)
{
    oct_act came;
    check(oct_game_turn(p->game, 0, action, &came));
    check(came == OCT_ACT_DONE ? OCT_OK : OCT_ERROR_ARGUMENT);
    check(oct_belief_observe(p->belief, p->game, 0));
}

// Plans a path and flies it, anew where it is closed; false where there is none.
static bool fly(player *p, oct_point to)
{
    oct_pilot_status status = OCT_PILOT_IDLE;
    while (status != OCT_PILOT_ARRIVED) {
        const oct_self *const self = oct_belief_self(p->belief);
        if (status != OCT_PILOT_FLYING) {
            oct_query query = oct_query_default();
            oct_path path;
            query.from = self->centre;
            query.to = to;
            check(oct_planner_plan(p->planner, &query, &path));
            if (path.status != OCT_PATH_FOUND || path.enters_blocked) {
                return false;
            }
            check(oct_pilot_follow(p->pilot, path.points, path.point_count));
        }
        oct_action action;
        status = oct_pilot_next(p->pilot, self, &action);
        const oct_point at = self->centre, v = self->velocity;
        printf("%.2f s: %s at %.2f %.2f %.2f, %.1f m/s\n",
               (double)self->tick / OCT_BLOCK_WORLD_RATE, oct_pilot_status_name(status), at.x, at.y,
               at.z, sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
        act_and_look(p, &action);
    }
    return true;
}

int main(void)
{
    player p;
    begin(&p);
    bool is_there = fly(&p, (oct_point){7.9, 1, 0.5}); // before the door
    act_and_look(&p, &(oct_action){.verb = OCT_VERB_USE, .target = PANEL, .button = 0});
    const oct_map *const map = oct_belief_map(p.belief);
    for (oct_thing door; oct_map_thing(map, DOOR, &door) && door.label != OCT_OPEN;) {
        act_and_look(&p, &(oct_action){.verb = OCT_VERB_WAIT, .ticks = 6});
    }
    is_there = is_there && fly(&p, (oct_point){18, 0, 0.5}); // behind it
    oct_pilot_destroy(p.pilot);
    oct_planner_destroy(p.planner);
    oct_belief_destroy(p.belief);
    oct_game_destroy(p.game);
    return is_there ? 0 : 1;
}
