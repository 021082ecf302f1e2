// SPDX-License-Identifier: MIT
// What the tests of pilots on the ground share: a hall with a plate in it, turned any way, and a
// pilot that lands on it, follows ways and is watched.
#ifndef OCTANT_TESTS_PILOT_FIELD_H
#define OCTANT_TESTS_PILOT_FIELD_H

#include "agent/pilot.h"
#include "block_scene.h"
#include "game_words.h"
#include "geom/geom_internal.h"

#include <math.h>

#define PADDING 0.95
#define CELL 0.3
// The hall: free within these, with walls of a metre around.
#define LOW (-16.0)
#define HIGH 16.0
#define HALF (OCT_BLOCK_WORLD_HEIGHT / 2.0)

typedef struct field {
    block_scene s;
    oct_map *map;
    oct_pilot *pilot;
    uint32_t delay; // at most; 0 = stepped
    double fastest; // that it went towards `normal` backwards, m/s
    uint64_t bumps; // before
    oct_point normal;
    bool flew, walked, landed; // the pilot said so
    const oct_point *points;   // if any: the way, and how far it was left, metres
    size_t count;
    double stray;
} field;

static const oct_point ups[] = {{0, 1, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0.6, 0.8, 0}};

static inline void put_hall(field *f)
{
    const double l = LOW, h = HIGH;
    const oct_bounds walls[] = {
        {{l - 1, l - 1, l - 1}, {h + 1, l, h + 1}},
        {{l - 1, h, l - 1}, {h + 1, h + 1, h + 1}},
        {{l - 1, l, l - 1}, {l, h, h + 1}},
        {{h, l, l - 1}, {h + 1, h, h + 1}},
        {{l, l, l - 1}, {h, h, l}},
        {{l, l, h}, {h, h, h + 1}},
    };
    for (uint64_t i = 0; i < 6; i++) {
        scene_put_box(&f->s, 1 + i, STONE, walls[i]);
    }
}

// A plate of 7 x 1 x 7 blocks whose upper side has its middle at the hall's, along a normal.
static inline void put_plate(field *f, oct_point normal)
{
    const oct_point side = fabs(normal.z) < 0.9 ? (oct_point){0, 0, 1} : (oct_point){1, 0, 0};
    oct_point forward = point_cross(normal, side);
    forward = point_scale(forward, 1.0 / point_length(forward));
    const oct_world_grid grid = {.id = 2000000,
                                 .name = "plate",
                                 .pose = {point_scale(normal, -1.25), forward, normal},
                                 .cell = 2.5};
    const uint32_t index = block_scene_grid(&f->s, &grid);
    for (int x = -3; x <= 3; x++) {
        for (int z = -3; z <= 3; z++) {
            scene_put_on(&f->s, index, (uint64_t)(1000 + 10 * x + z), STONE, (oct_vec){x, 0, z});
        }
    }
}

static inline void make_map(field *f)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    def.padding = (oct_point){PADDING, PADDING, PADDING};
    assert_int_equal(oct_map_create(&def, &f->map), OCT_OK);
    const oct_bounds all = {{LOW, LOW, LOW}, {HIGH, HIGH, HIGH}};
    assert_int_equal(oct_map_set_world_box(f->map, all, OCT_COVER_INSIDE, OCT_MARK_KNOWN), OCT_OK);
    assert_int_equal(oct_world_add_to(f->s.world, f->map, NULL), OCT_OK);
}

static inline void make_pilot(field *f, const oct_pilot_def *like)
{
    oct_pilot_def def = like ? *like : oct_pilot_def_default();
    def.info = oct_game_describe(f->s.game);
    const oct_world_rules rules = oct_world_rules_of(f->s.world);
    const oct_player_body flies = flying_body_like(&rules);
    def.body = &flies;
    def.map = f->map;
    assert_int_equal(oct_pilot_create(&def, &f->pilot), OCT_OK);
}

// The world has been built: plays it.
static inline void play(field *f, uint32_t delay, uint64_t seed)
{
    scene_play(&f->s);
    f->delay = delay;
    if (delay > 0) {
        oct_game *running;
        assert_int_equal(oct_game_delay(f->s.game, delay > 2 ? 2 : 1, delay, seed, NULL, &running),
                         OCT_OK);
        f->s.game = running;
    }
    make_map(f);
    make_pilot(f, NULL);
}

static inline void pulls_down(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0, -9.81, 0};
}

static inline void make_field(field *f, oct_point normal, bool gravity, uint32_t delay,
                              uint64_t seed)
{
    *f = (field){0};
    block_scene_init(&f->s);
    put_hall(f);
    put_plate(f, normal);
    if (gravity) {
        scene_rules(&f->s, pulls_down);
    }
    play(f, delay, seed);
}

static inline void free_field(field *f)
{
    oct_pilot_destroy(f->pilot);
    oct_map_destroy(f->map);
    block_scene_free(&f->s);
}

static inline void join(field *f, oct_point centre, oct_point forward, oct_point up)
{
    assert_int_equal(scene_join_turned(&f->s, centre, forward, up), 0);
}

static inline oct_point across(oct_point a)
{
    const oct_point other = fabs(a.x) < 0.7 ? (oct_point){1, 0, 0} : (oct_point){0, 1, 0};
    const oct_point c = point_cross(a, other);
    return point_scale(c, 1.0 / point_length(c));
}

static inline double from_way(const field *f, oct_point at)
{
    double best = HUGE_VAL;
    for (size_t i = 1; i < f->count; i++) {
        const oct_point by = point_sub(f->points[i], f->points[i - 1]);
        const oct_point to = point_sub(at, f->points[i - 1]);
        double part = point_dot(to, by) / point_dot(by, by);
        part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
        const double away = point_length(point_sub(to, point_scale(by, part)));
        best = away < best ? away : best;
    }
    return best;
}

static inline void watch(field *f)
{
    const oct_self self = scene_self(&f->s, 0);
    const double speed = -point_dot(self.velocity, f->normal);
    f->fastest = speed > f->fastest ? speed : f->fastest;
    const double stray = f->count > 1 ? from_way(f, self.centre) : 0.0;
    f->stray = stray > f->stray ? stray : f->stray;
}

// One turn of the pilot.
static inline oct_pilot_status turn(field *f)
{
    const oct_self self = scene_self(&f->s, 0);
    oct_action action;
    const oct_pilot_status status = oct_pilot_next(f->pilot, &self, &action);
    f->flew |= self.flies;
    f->walked |= status == OCT_PILOT_WALKING;
    f->landed |= status == OCT_PILOT_LANDING;
    assert_int_equal(oct_game_act(f->s.game, 0, &action, NULL), OCT_OK);
    const uint32_t ticks = action.verb == OCT_VERB_DO ? 1 : action.ticks;
    for (uint32_t i = 0; f->delay == 0 && i < ticks; i++) {
        scene_step(&f->s, 1);
        watch(f);
    }
    watch(f);
    return status;
}

static inline bool is_under_way(oct_pilot_status status)
{
    return status == OCT_PILOT_FLYING || status == OCT_PILOT_LANDING || status == OCT_PILOT_WALKING;
}

// Until the pilot has done, at most so many seconds.
static inline oct_pilot_status go(field *f, uint64_t seconds)
{
    const uint64_t begin = oct_game_tick(f->s.game);
    oct_pilot_status status;
    f->flew = f->walked = f->landed = false;
    f->fastest = f->stray = 0.0;
    f->bumps = scene_self(&f->s, 0).bumps;
    do {
        status = turn(f);
        assert_true(oct_game_tick(f->s.game) - begin <= seconds * OCT_BLOCK_WORLD_RATE);
    } while (is_under_way(status));
    return status;
}

static inline oct_pilot_status land(field *f, oct_point normal, uint64_t seconds)
{
    f->normal = normal;
    assert_int_equal(oct_pilot_land(f->pilot, normal), OCT_OK);
    return go(f, seconds);
}

static inline oct_pilot_status follow(field *f, const oct_point *points, size_t count,
                                      uint64_t seconds)
{
    assert_int_equal(oct_pilot_follow(f->pilot, points, count), OCT_OK);
    f->points = points;
    f->count = count;
    const oct_pilot_status status = go(f, seconds);
    f->count = 0;
    return status;
}

// What it would do now; the game is not told.
static inline oct_action next(field *f, const oct_self *self)
{
    oct_action action;
    oct_pilot_next(f->pilot, self, &action);
    return action;
}

// It joins above a place and lands there.
static inline void stand_up(field *f, oct_point normal, oct_point at, oct_point forward)
{
    join(f, point_add(at, point_scale(normal, HALF + 0.3)), forward, normal);
    assert_int_equal(land(f, normal, 15), OCT_PILOT_ARRIVED);
}

// It stands on the plate.
static inline void check_stands(field *f, oct_point normal)
{
    const oct_self self = scene_self(&f->s, 0);
    assert_true(self.stands);
    assert_true(!self.flies);
    assert_true(scene_own(&self, "boots") == 1.0);
    assert_true(point_dot(self.pose.up, normal) > 0.9997); // 0.02 radians
    scene_check_near(point_dot(self.pose.position, normal), 0.0, 0.05);
    assert_true(point_length(self.velocity) < 1e-9);
}

#endif
