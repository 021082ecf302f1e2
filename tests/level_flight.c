// SPDX-License-Identifier: MIT
#include "level_flight.h"

#include "octant/block_world.h"

#include <math.h>

#define SPEED 4.0 // m/s, at most
#define DOORWAY_TICKS (uint32_t)(UNHURRIED_DOORWAY * OCT_BLOCK_WORLD_RATE)
#define NEAR 0.05 // what counts as there, metres

typedef struct flight {
    const level_scene *scene;
    const level_space *space;
    const oct_level_truth *truth;
    oct_game *game;
    uint32_t step; // of the plan
    oct_point at[OCT_LEVEL_AGENTS_MAX];
    int doorway[OCT_LEVEL_AGENTS_MAX]; // that it is in, or -1
} flight;

#define must(f, holds, ...)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            print_error("%s, step %u: ", oct_level_class_name((f)->truth->level_class),            \
                        (f)->step);                                                                \
            fail_msg(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

// ---- bodies ----

static void let_pass(flight *f, uint32_t ticks)
{
    assert_int_equal(oct_game_step(f->game, ticks), OCT_OK);
}

static oct_point in_frame(const level_scene *s, oct_point v)
{
    return (oct_point){v.x * s->right.x + v.y * s->right.y + v.z * s->right.z,
                       v.x * s->up.x + v.y * s->up.y + v.z * s->up.z,
                       v.x * s->back.x + v.y * s->back.y + v.z * s->back.z};
}

static double length_of(oct_point v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// Thrusts for a tick towards a place, so that it comes to rest there. Bodies are turned as the
// building is, and stay so. Returns how far away it still is.
static double thrust_to(flight *f, uint32_t agent, oct_point to)
{
    const oct_world_rules *rules = &f->scene->rules;
    oct_self self;
    oct_act came;
    assert_int_equal(oct_game_self(f->game, agent, &self), OCT_OK);
    const oct_point at = scene_from_world(f->scene, self.centre);
    const oct_point v = in_frame(f->scene, self.velocity);
    const oct_point by = {to.x - at.x, to.y - at.y, to.z - at.z};
    const double away = length_of(by);
    const double speed = fmin(fmin(SPEED, rules->speed), sqrt(1.5 * rules->acceleration * away));
    const double share = away > 0.0 ? speed / away : 0.0,
                 rate = OCT_BLOCK_WORLD_RATE / rules->acceleration;
    const oct_action action = {.verb = OCT_VERB_MOVE,
                               .ticks = 1,
                               .move = {(by.x * share - v.x) * rate, (by.y * share - v.y) * rate,
                                        (by.z * share - v.z) * rate}};
    assert_int_equal(oct_game_act(f->game, agent, &action, &came), OCT_OK);
    let_pass(f, 1);
    return away;
}

// Flies from place to place, and takes exactly so many ticks.
static void fly_along(flight *f, uint32_t agent, const oct_point *places, size_t count,
                      uint32_t ticks)
{
    double away = 0.0;
    for (size_t i = 0; ticks > 0; ticks--) {
        away = thrust_to(f, agent, places[i]);
        i += away < NEAR && i + 1 < count;
    }
    must(f, away < NEAR, "too slow, or in the way: %g m are left", away);
    f->at[agent] = places[count - 1];
}

static int region_at(const flight *f, oct_point at)
{
    const int cell = space_cell_of(f->space, at);
    must(f, cell >= 0 && f->space->label[cell] >= 0, "nowhere: %g %g %g", at.x, at.y, at.z);
    return f->space->label[cell];
}

// A place that is beside another one along the way of a door's leaf.
static oct_point aside(const scene_door *d, oct_point at, oct_point like)
{
    return (oct_point){d->axis == 0 ? like.x : at.x, d->axis == 1 ? like.y : at.y,
                       d->axis == 2 ? like.z : at.z};
}

static void fly_aside(flight *f, uint32_t agent, oct_point to)
{
    const oct_point at = f->at[agent];
    const double way = length_of((oct_point){to.x - at.x, to.y - at.y, to.z - at.z});
    if (way > NEAR) {
        fly_along(f, agent, &to, 1, (uint32_t)(UNHURRIED_SECONDS(way) * OCT_BLOCK_WORLD_RATE));
    }
}

// Straight out, past the leaf, and then to the middle.
static void leave_doorway(flight *f, uint32_t agent, int region)
{
    const uint32_t door = (uint32_t)f->doorway[agent];
    oct_point side;
    must(f, level_place_by_door(f->space, door, region, &side), "the doorway does not lead there");
    const oct_point out = aside(&f->scene->door[door], side, f->at[agent]);
    fly_along(f, agent, &out, 1, DOORWAY_TICKS);
    fly_aside(f, agent, side);
    f->doorway[agent] = -1;
}

static void fly(flight *f, uint32_t agent, oct_point to)
{
    if (f->doorway[agent] >= 0) {
        leave_doorway(f, agent, region_at(f, to));
    }
    oct_point bends[SPACE_BENDS_MAX];
    size_t count;
    const double way = space_way(f->space, f->at[agent], to, bends, &count);
    must(f, way >= 0.0, "no way");
    fly_along(f, agent, bends, count,
              (uint32_t)ceil(UNHURRIED_SECONDS(way) * OCT_BLOCK_WORLD_RATE));
}

// ---- doors ----

static uint32_t door_of(const flight *f, uint32_t which)
{
    uint32_t door = 0;
    while (door < f->scene->doors && f->scene->door[door].id != f->truth->door[which]) {
        door++;
    }
    must(f, door < f->scene->doors, "no such door");
    return door;
}

static double opening_of(flight *f, uint32_t agent, uint32_t door)
{
    oct_observation seen;
    assert_int_equal(oct_game_observe(f->game, agent, &seen), OCT_OK);
    for (size_t i = 0; i < seen.count; i++) {
        if (seen.entities[i].thing.id == f->scene->door[door].id) {
            return seen.entities[i].opening;
        }
    }
    must(f, false, "the door is not in view");
    return 0.0;
}

// Goes to a door, from the region where one is or on whose edge one is in a doorway.
static void go_to_door(flight *f, uint32_t agent, uint32_t door)
{
    oct_point side, other;
    if (f->doorway[agent] < 0) {
        must(f, level_place_by_door(f->space, door, region_at(f, f->at[agent]), &side),
             "the door is not here");
        fly(f, agent, side);
        return;
    }
    for (int r = 0; r < f->space->regions; r++) {
        if (level_place_by_door(f->space, door, r, &side) &&
            level_place_by_door(f->space, (uint32_t)f->doorway[agent], r, &other)) {
            fly(f, agent, side);
            return;
        }
    }
    must(f, false, "the doorway does not lead to the door");
}

// From before a door into the part of the doorway that the leaf leaves.
static void enter_doorway(flight *f, uint32_t agent, uint32_t door, uint32_t patience)
{
    const scene_door *d = &f->scene->door[door];
    while (opening_of(f, agent, door) * d->width < UNHURRIED_WIDTH && patience > 0) {
        let_pass(f, 1);
        patience--;
    }
    const double free = opening_of(f, agent, door) * d->width;
    must(f, free >= UNHURRIED_WIDTH, "door %u is only %g m open", door + 1, free);
    double at[3] = {0.5 * (d->box.min.x + d->box.max.x), 0.5 * (d->box.min.y + d->box.max.y),
                    0.5 * (d->box.min.z + d->box.max.z)};
    at[d->axis] -= d->sign * 0.5 * (d->width - free);
    // First along the wall to where it leads straight in.
    const oct_point in = {at[0], at[1], at[2]};
    fly_aside(f, agent, aside(d, f->at[agent], in));
    fly_along(f, agent, &in, 1, DOORWAY_TICKS);
    f->doorway[agent] = (int)door;
}

static void pass(flight *f, uint32_t agent, uint32_t door, uint32_t patience)
{
    oct_point side;
    go_to_door(f, agent, door);
    const int from = region_at(f, f->at[agent]);
    enter_doorway(f, agent, door, patience);
    for (int r = 0; r < f->space->regions; r++) {
        if (r != from && level_place_by_door(f->space, door, r, &side)) {
            leave_doorway(f, agent, r);
            return;
        }
    }
    must(f, false, "nothing is beyond the door");
}

// ---- steps ----

static void press(flight *f, const oct_level_step *step)
{
    const oct_level_button button = f->truth->button[step->which];
    const oct_action action = {
        .verb = OCT_VERB_USE, .ticks = 1, .target = button.panel, .button = button.number};
    uint32_t panel = 0;
    while (panel < f->scene->panels && f->scene->panel[panel].id != button.panel) {
        panel++;
    }
    must(f, panel < f->scene->panels, "no such panel");
    if (f->doorway[step->agent] < 0) {
        oct_point to;
        must(f, level_place_by_panel(f->space, panel, region_at(f, f->at[step->agent]), &to),
             "panel %u cannot be pressed from here", panel + 1);
        fly(f, step->agent, to);
    }
    oct_act came = OCT_ACT_TOO_FAR;
    // One that drifts comes by.
    const uint32_t patience = (uint32_t)(f->scene->panel[panel].period * OCT_BLOCK_WORLD_RATE);
    for (uint32_t i = 0; i <= patience && came != OCT_ACT_DONE; i++) {
        let_pass(f, i > 0);
        assert_int_equal(oct_game_act(f->game, step->agent, &action, &came), OCT_OK);
    }
    must(f, came == OCT_ACT_DONE, "panel %u: %s", panel + 1, oct_act_name(came));
}

static void do_step(flight *f, const oct_level_step *step)
{
    oct_point to;
    switch (step->verb) {
    case OCT_LEVEL_PRESS:
        press(f, step);
        break;
    case OCT_LEVEL_GO:
        go_to_door(f, step->agent, door_of(f, step->which));
        break;
    case OCT_LEVEL_PASS:
        pass(f, step->agent, door_of(f, step->which), step->ticks);
        return;
    case OCT_LEVEL_HOLD:
        go_to_door(f, step->agent, door_of(f, step->which));
        enter_doorway(f, step->agent, door_of(f, step->which), 0);
        break;
    case OCT_LEVEL_REACH:
        must(f, level_place_by_target(f->space, region_at(f, f->at[step->agent]), &to),
             "the target is not here");
        fly(f, step->agent, to);
        break;
    default:
        break;
    }
    let_pass(f, step->ticks);
}

double level_fly_plan(const oct_world *world, const level_scene *scene,
                      const oct_level_truth *truth)
{
    level_space *space = level_oracle_space(scene, false);
    flight f = {.scene = scene, .space = space, .truth = truth};
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){world, NULL}, &f.game), OCT_OK);
    assert_int_equal(oct_game_players(f.game), 1);
    for (uint32_t i = 0; i < truth->agents; i++) {
        if (i > 0) {
            assert_int_equal(oct_game_join(f.game, &truth->start[i], NULL), OCT_OK);
        }
        oct_self self;
        assert_int_equal(oct_game_self(f.game, i, &self), OCT_OK);
        f.at[i] = scene_from_world(scene, self.centre);
        f.doorway[i] = -1;
    }
    uint32_t reached = 0;
    for (f.step = 0; f.step < truth->steps; f.step++) {
        do_step(&f, &truth->step[f.step]);
        reached += truth->step[f.step].verb == OCT_LEVEL_REACH;
    }
    assert_int_equal(reached, truth->agents);
    const double seconds = (double)oct_game_tick(f.game) / OCT_BLOCK_WORLD_RATE;
    oct_game_destroy(f.game);
    level_space_free(space);
    return seconds;
}
