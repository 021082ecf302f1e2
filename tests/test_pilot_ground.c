// SPDX-License-Identifier: MIT
// Pilots that land and walk in block worlds: on floors, walls, ceilings and turned grids, with and
// without gravity, stepped and with delays.
#include "agent/pilot.h"
#include "base/base_internal.h"
#include "block_scene.h"
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

static void put_hall(field *f)
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
static void put_plate(field *f, oct_point normal)
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
            scene_put_block(&f->s, &(oct_world_block){.id = (uint64_t)(1000 + 10 * x + z),
                                                      .type = STONE,
                                                      .grid = index,
                                                      .label = OCT_BLOCKED,
                                                      .placed = true,
                                                      .forward = OCT_SIDE_FORWARD,
                                                      .up = OCT_SIDE_UP,
                                                      .cell = {x, 0, z}});
        }
    }
}

static void make_map(field *f)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    def.padding = (oct_point){PADDING, PADDING, PADDING};
    assert_int_equal(oct_map_create(&def, &f->map), OCT_OK);
    const oct_bounds all = {{LOW, LOW, LOW}, {HIGH, HIGH, HIGH}};
    assert_int_equal(oct_map_set_world_box(f->map, all, OCT_COVER_INSIDE, OCT_MARK_KNOWN), OCT_OK);
    assert_int_equal(oct_world_add_to(f->s.world, f->map, NULL), OCT_OK);
}

static void make_pilot(field *f, const oct_pilot_def *like)
{
    oct_pilot_def def = like ? *like : oct_pilot_def_default();
    def.info = oct_game_describe(f->s.game);
    def.map = f->map;
    assert_int_equal(oct_pilot_create(&def, &f->pilot), OCT_OK);
}

// The world has been built: plays it.
static void play(field *f, uint32_t delay, uint64_t seed)
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

static void free_field(field *f)
{
    oct_pilot_destroy(f->pilot);
    oct_map_destroy(f->map);
    block_scene_free(&f->s);
}

static void join(field *f, oct_point centre, oct_point forward, oct_point up)
{
    const oct_pose pose = scene_pose(centre, forward, up);
    uint32_t who;
    assert_int_equal(oct_game_join(f->s.game, &pose, &who), OCT_OK);
    assert_int_equal(who, 0);
}

static oct_point across(oct_point a)
{
    const oct_point other = fabs(a.x) < 0.7 ? (oct_point){1, 0, 0} : (oct_point){0, 1, 0};
    const oct_point c = point_cross(a, other);
    return point_scale(c, 1.0 / point_length(c));
}

static oct_point random_direction(oct_random *random)
{
    for (;;) {
        const double x = 2.0 * oct_random_unit(random) - 1.0;
        const double y = 2.0 * oct_random_unit(random) - 1.0;
        const double z = 2.0 * oct_random_unit(random) - 1.0;
        const double size = point_length((oct_point){x, y, z});
        if (size > 0.2 && size < 1.0) {
            return (oct_point){x / size, y / size, z / size};
        }
    }
}

static double from_way(const field *f, oct_point at)
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

static void watch(field *f)
{
    const oct_self self = scene_self(&f->s, 0);
    const double speed = -point_dot(self.velocity, f->normal);
    f->fastest = speed > f->fastest ? speed : f->fastest;
    const double stray = f->count > 1 ? from_way(f, self.centre) : 0.0;
    f->stray = stray > f->stray ? stray : f->stray;
}

// One turn of the pilot.
static oct_pilot_status turn(field *f)
{
    const oct_self self = scene_self(&f->s, 0);
    oct_action action;
    const oct_pilot_status status = oct_pilot_next(f->pilot, &self, &action);
    f->flew |= self.flies;
    f->walked |= status == OCT_PILOT_WALKING;
    f->landed |= status == OCT_PILOT_LANDING;
    assert_int_equal(oct_game_act(f->s.game, 0, &action, NULL), OCT_OK);
    const uint32_t ticks = action.verb == OCT_VERB_SWITCH ? 1 : action.ticks;
    for (uint32_t i = 0; f->delay == 0 && i < ticks; i++) {
        scene_step(&f->s, 1);
        watch(f);
    }
    watch(f);
    return status;
}

static bool is_under_way(oct_pilot_status status)
{
    return status == OCT_PILOT_FLYING || status == OCT_PILOT_LANDING || status == OCT_PILOT_WALKING;
}

// Until the pilot has done, at most so many seconds.
static oct_pilot_status go(field *f, uint64_t seconds)
{
    const uint64_t begin = oct_game_tick(f->s.game);
    oct_pilot_status status;
    f->flew = f->walked = f->landed = false;
    f->fastest = f->stray = 0.0;
    f->bumps = scene_self(&f->s, 0).bumps;
    do {
        status = turn(f);
        assert_true(oct_game_tick(f->s.game) - begin <= seconds * OCT_TICKS);
    } while (is_under_way(status));
    return status;
}

static oct_pilot_status land(field *f, oct_point normal, uint64_t seconds)
{
    f->normal = normal;
    assert_int_equal(oct_pilot_land(f->pilot, normal), OCT_OK);
    return go(f, seconds);
}

static oct_pilot_status follow(field *f, const oct_point *points, size_t count, uint64_t seconds)
{
    assert_int_equal(oct_pilot_follow(f->pilot, points, count), OCT_OK);
    f->points = points;
    f->count = count;
    const oct_pilot_status status = go(f, seconds);
    f->count = 0;
    return status;
}

// It stands on the plate.
static void check_stands(field *f, oct_point normal)
{
    const oct_self self = scene_self(&f->s, 0);
    assert_true(self.stands);
    assert_true(!self.flies);
    assert_true(self.boots);
    assert_true(point_dot(self.pose.up, normal) > 0.9997); // 0.02 radians
    scene_check_near(point_dot(self.pose.position, normal), 0.0, 0.05);
    assert_true(point_length(self.velocity) < 1e-9);
}

// ---- landing ----

static void pulls_down(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0, -9.81, 0};
}

static void make_field(field *f, oct_point normal, bool gravity, uint32_t delay, uint64_t seed)
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

static void land_once(oct_point normal, bool gravity, uint32_t delay, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    field f;
    make_field(&f, normal, gravity, delay, seed);
    // Its feet from 0 to 3 m above the surface, if it was upright.
    const double above = seed % 3 == 0 ? HALF + 0.002 : HALF + 0.1 + 3.0 * oct_random_unit(&random);
    const oct_point up = above < 1.0 ? normal : random_direction(&random);
    join(&f, point_scale(normal, above), across(up), up);
    assert_int_equal(land(&f, normal, 15), OCT_PILOT_ARRIVED);
    check_stands(&f, normal);
    assert_true(f.landed && f.fastest <= 1.2);
    assert_true(scene_self(&f.s, 0).bumps - f.bumps <= 1);
    scene_step(&f.s, 120); // and stays
    check_stands(&f, normal);
    free_field(&f);
}

static void land_everywhere(uint32_t delay)
{
    for (uint64_t seed = 1; seed <= test_rounds(12); seed++) {
        for (size_t i = 0; i < sizeof ups / sizeof *ups; i++) {
            land_once(ups[i], false, delay, seed);
            land_once(ups[i], true, delay, seed);
        }
        oct_random random = oct_random_seed(seed);
        land_once(random_direction(&random), seed % 2, delay, seed);
    }
}

static void it_lands_on_any_surface_with_any_up(void **state)
{
    (void)state;
    land_everywhere(0);
}

static void it_lands_with_delays(void **state)
{
    (void)state;
    land_everywhere(30);
    land_everywhere(1);
}

// From the middle of a flight, with speed and an action under way.
static void it_comes_to_rest_before_it_lands(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        const oct_point normal = {0, 1, 0};
        field f;
        make_field(&f, normal, true, delay, 5);
        join(&f, (oct_point){-7, 3, 0}, (oct_point){1, 0, 0}, (oct_point){0, 0.8, 0.6});
        const oct_point points[] = {{-7, 3, 0}, {7, 3, 0}};
        assert_int_equal(oct_pilot_follow(f.pilot, points, 2), OCT_OK);
        while (scene_self(&f.s, 0).velocity.x < 4.0) {
            assert_int_equal(turn(&f), OCT_PILOT_FLYING);
        }
        assert_int_equal(land(&f, normal, 20), OCT_PILOT_ARRIVED);
        check_stands(&f, normal);
        assert_true(f.fastest <= 1.2 && scene_self(&f.s, 0).bumps - f.bumps <= 1);
        free_field(&f);
    }
}

// A slow body takes its time, a fast one is as gentle.
static double acceleration, turn_rate;

static void changed(oct_world_rules *rules)
{
    rules->acceleration = acceleration;
    rules->turn = turn_rate;
}

static void it_lands_by_any_rules(void **state)
{
    (void)state;
    const double rules[][2] = {{0.5, 0.5},  {100.0, 30.0}, {1000.0, 6.0},
                               {0.05, 6.0}, {10, 0.05},    {0.0008, 6.0}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const oct_point normal = {0, 1, 0};
        field f = {0};
        acceleration = rules[i][0];
        turn_rate = rules[i][1];
        block_scene_init(&f.s);
        put_plate(&f, normal);
        scene_rules(&f.s, changed);
        play(&f, i % 2 ? 30 : 0, i);
        join(&f, (oct_point){0, 3, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, normal, 120), OCT_PILOT_ARRIVED);
        check_stands(&f, normal);
        assert_true(f.fastest <= 1.2 && scene_self(&f.s, 0).bumps - f.bumps <= 1);
        free_field(&f);
    }
}

static void dampeners_that_are_off_are_switched_on(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], true, 0, 1);
    join(&f, (oct_point){0, 4, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
    scene_act(&f.s, 0, (oct_action){.verb = OCT_VERB_SWITCH, .gear = OCT_GEAR_DAMPENERS});
    assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
    check_stands(&f, ups[0]);
    assert_true(f.fastest <= 1.2);
    free_field(&f);
}

// Above nothing, it gives up, and flies.
static void where_no_ground_is_it_is_stuck(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 15) {
        field f = {0};
        block_scene_init(&f.s);
        scene_rules(&f.s, pulls_down);
        scene_put_box(&f.s, 1, STONE, (oct_bounds){{90, 0, 0}, {91, 1, 1}});
        play(&f, delay, 3);
        join(&f, (oct_point){0, 0, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, ups[0], 25), OCT_PILOT_STUCK);
        scene_step(&f.s, 120);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.flies && point_length(self.velocity) == 0.0);
        assert_true(self.centre.y < -OCT_LAND_MAX && self.centre.y > -OCT_LAND_MAX - 2.0);
        // And says so until it is told something else.
        assert_int_equal(turn(&f), OCT_PILOT_STUCK);
        free_field(&f);
    }
}

// On a slope of 60 degrees nobody stands; it does not fall either.
static void what_is_too_steep_is_no_ground(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        const oct_point slope = {sqrt(0.75), 0.5, 0};
        field f;
        make_field(&f, slope, true, delay, 1);
        join(&f, point_add(point_scale(slope, 1.2), (oct_point){0, 0.5, 0}), (oct_point){0, 0, 1},
             (oct_point){0, 1, 0});
        assert_int_equal(land(&f, (oct_point){0, 1, 0}, 40), OCT_PILOT_STUCK);
        scene_step(&f.s, 120);
        assert_true(scene_self(&f.s, 0).flies);
        assert_true(point_length(scene_self(&f.s, 0).velocity) == 0.0);
        free_field(&f);
    }
}

// A tube of 1.1 m: it lies in it and cannot turn upright.
static void where_it_cannot_turn_it_is_stuck(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    const oct_bounds tube[] = {{{-5, 0.55, -2}, {5, 2, 2}},
                               {{-5, -2, -2}, {5, -0.55, 2}},
                               {{-5, -0.55, 0.55}, {5, 0.55, 2}},
                               {{-5, -0.55, -2}, {5, 0.55, -0.55}}};
    for (uint64_t i = 0; i < 4; i++) {
        scene_put_box(&f.s, 1 + i, STONE, tube[i]);
    }
    play(&f, 0, 1);
    join(&f, (oct_point){0, 0, 0}, (oct_point){0, 0, 1}, (oct_point){1, 0, 0});
    assert_int_equal(land(&f, ups[0], 10), OCT_PILOT_STUCK);
    free_field(&f);
}

// ---- standing already ----

static void stand_up(field *f, oct_point normal, oct_point at, oct_point forward)
{
    join(f, point_add(at, point_scale(normal, HALF + 0.3)), forward, normal);
    assert_int_equal(land(f, normal, 15), OCT_PILOT_ARRIVED);
}

static void who_stands_there_has_landed(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], true, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    assert_int_equal(land(&f, ups[0], 1), OCT_PILOT_ARRIVED);
    assert_true(!f.flew);
    // Boots that are off are switched on.
    scene_act(&f.s, 0, (oct_action){.verb = OCT_VERB_SWITCH, .gear = OCT_GEAR_BOOTS});
    scene_step(&f.s, 1);
    assert_int_equal(land(&f, ups[0], 1), OCT_PILOT_ARRIVED);
    assert_true(!f.flew);
    check_stands(&f, ups[0]);
    free_field(&f);
}

// From the plate to the ceiling of the hall: it takes off, turns over, and goes up to it.
static void who_stands_elsewhere_takes_off_to_land(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f = {0};
        block_scene_init(&f.s);
        put_plate(&f, ups[0]);
        scene_put_box(&f.s, 1, STONE, (oct_bounds){{-9, 6, -9}, {9, 7, 9}});
        play(&f, delay, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        assert_int_equal(land(&f, (oct_point){0, -1, 0}, 25), OCT_PILOT_ARRIVED);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.stands && self.boots && !self.flies && self.pose.up.y < -0.999);
        scene_check_near(self.pose.position.y, 6.0, 0.05);
        free_field(&f);
    }
}

// ---- what it does first ----

static oct_action next(field *f, const oct_self *self)
{
    oct_action action;
    oct_pilot_next(f->pilot, self, &action);
    return action;
}

// Upright already, but fast and with a burn under way: first it brakes.
static void who_moves_does_not_go_down(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], false, 30, 1);
    join(&f, (oct_point){-7, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    const oct_point points[] = {{-7, 3, 0}, {7, 3, 0}};
    assert_int_equal(oct_pilot_follow(f.pilot, points, 2), OCT_OK);
    assert_int_equal(turn(&f), OCT_PILOT_FLYING);
    oct_self self = scene_self(&f.s, 0);
    assert_true(self.ticks > 0);
    assert_int_equal(oct_pilot_land(f.pilot, ups[0]), OCT_OK);
    assert_int_equal(next(&f, &self).verb, OCT_VERB_WAIT);
    self.ticks = 0;
    self.velocity = (oct_point){5, 0, 0};
    assert_true(point_length(next(&f, &self).move) == 0.0);
    free_field(&f);
}

static void brakes_badly(oct_world_rules *rules)
{
    rules->acceleration = 0.5;
}

static void who_brakes_slowly_is_not_stuck(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, brakes_badly);
    play(&f, 0, 1);
    join(&f, (oct_point){-8, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    const oct_pose pose = scene_pose((oct_point){-8, 3, 0}, (oct_point){1, 0, 0}, ups[0]);
    assert_int_equal(oct_block_world_teleport(f.s.game, 0, &pose, (oct_point){3, 0, 0}), OCT_OK);
    assert_int_equal(land(&f, ups[0], 20), OCT_PILOT_ARRIVED);
    check_stands(&f, ups[0]);
    free_field(&f);
}

// A game that says it sinks where it does not move.
static void who_sinks_and_stays_is_stuck(void **state)
{
    (void)state;
    field f;
    make_field(&f, ups[0], false, 0, 1);
    join(&f, (oct_point){0, 4, 0}, (oct_point){1, 0, 0}, ups[0]);
    assert_int_equal(oct_pilot_land(f.pilot, ups[0]), OCT_OK);
    oct_self self = scene_self(&f.s, 0);
    oct_action action;
    oct_pilot_status status = oct_pilot_next(f.pilot, &self, &action);
    self.velocity.y = -1.0;
    while (status == OCT_PILOT_LANDING && self.tick < 1000) {
        self.tick += 6;
        status = oct_pilot_next(f.pilot, &self, &action);
    }
    assert_int_equal(status, OCT_PILOT_STUCK);
    assert_true(self.tick < 300);
    free_field(&f);
}

// On a slope of 40 degrees one stands: where it was met, not where sliding ends.
static void slopes_are_stood_on_where_they_are_met(void **state)
{
    (void)state;
    const oct_point slope = {0.6427876096865393, 0.7660444431189780, 0};
    field f;
    make_field(&f, slope, true, 0, 1);
    join(&f, (oct_point){0, 2.5, 0}, (oct_point){0, 0, 1}, ups[0]);
    assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
    const oct_self self = scene_self(&f.s, 0);
    assert_true(self.stands && fabs(self.centre.x) < 0.3);
    free_field(&f);
}

// ---- walking ----

// Points beside where it stands, by directions on the surface; as high as it is.
static oct_point beside(field *f, oct_point right, oct_point ahead, double x, double y)
{
    return point_add(scene_self(&f->s, 0).centre,
                     point_add(point_scale(right, x), point_scale(ahead, y)));
}

static void check_is_at(field *f, oct_point to, double slack)
{
    const double away = point_length(point_sub(scene_self(&f->s, 0).centre, to));
    if (!(away <= slack)) {
        fail_msg("%g m away", away);
    }
}

static void walk_once(oct_point normal, bool gravity, uint32_t delay, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    field f;
    make_field(&f, normal, gravity, delay, seed);
    const oct_point right = across(normal), ahead = point_cross(normal, right);
    stand_up(&f, normal, point_scale(right, -3.0), ahead);
    oct_point points[4] = {scene_self(&f.s, 0).centre};
    for (int i = 1; i < 4; i++) {
        const double x = 3.0 * oct_random_unit(&random), y = oct_random_unit(&random) - 0.5;
        points[i] =
            point_add(points[i - 1], point_add(point_scale(right, x), point_scale(ahead, y)));
    }
    assert_int_equal(follow(&f, points, 4, 12), OCT_PILOT_ARRIVED);
    assert_true(f.walked && !f.flew && f.stray < 0.2);
    check_is_at(&f, points[3], 0.25);
    check_stands(&f, normal);
    scene_step(&f.s, 60); // nothing is under way any more
    check_is_at(&f, points[3], 0.25);
    // And off, and down again.
    const oct_point at = scene_self(&f.s, 0).centre;
    const oct_point off[] = {at, point_add(at, point_scale(normal, 0.8)),
                             point_add(at, point_scale(normal, 2.0))};
    assert_int_equal(follow(&f, off, 3, 10), OCT_PILOT_ARRIVED);
    assert_true(!f.walked && f.flew);
    check_is_at(&f, off[2], 0.25);
    assert_int_equal(scene_self(&f.s, 0).bumps, f.bumps);
    assert_int_equal(land(&f, normal, 15), OCT_PILOT_ARRIVED);
    check_stands(&f, normal);
    free_field(&f);
}

static void short_ways_along_the_surface_are_walked(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(8); seed++) {
        for (size_t i = 0; i < 4; i++) {
            walk_once(ups[i], seed % 2, 0, seed);
            walk_once(ups[i], seed % 2, 30, seed);
        }
    }
}

// Just as long as it may be, and longer.
static void longer_ways_are_flown(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        field f;
        make_field(&f, ups[0], true, 0, 1);
        stand_up(&f, ups[0], (oct_point){-5.2, 0, 0}, (oct_point){1, 0, 0});
        const double length = i == 0 ? OCT_WALK_MAX - 1e-6 : OCT_WALK_MAX + 0.01;
        const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, length, 0.0);
        const oct_pilot_status status = follow(&f, &to, 1, 12);
        assert_int_equal(f.walked, i == 0);
        // In the air it is too near to the ground for its map.
        assert_int_equal(status, i == 0 ? OCT_PILOT_ARRIVED : OCT_PILOT_BLOCKED);
        assert_int_equal(f.flew, i == 1);
        free_field(&f);
    }
}

static void ways_that_leave_the_surface_are_flown(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f;
        make_field(&f, ups[0], true, delay, 1);
        stand_up(&f, ups[0], (oct_point){-4, 0, 5}, (oct_point){1, 0, 0});
        const oct_point from = scene_self(&f.s, 0).centre;
        const oct_point points[] = {
            from, {from.x, from.y + 1.5, from.z}, {from.x + 4, from.y + 1.5, from.z}};
        assert_int_equal(follow(&f, points, 3, 15), OCT_PILOT_ARRIVED);
        assert_true(f.flew && !f.walked);
        check_is_at(&f, points[2], 0.25);
        assert_int_equal(scene_self(&f.s, 0).bumps, f.bumps);
        // Over the edge of the plate there is nothing to walk on.
        assert_int_equal(land(&f, ups[0], 15), OCT_PILOT_ARRIVED);
        const oct_point at = scene_self(&f.s, 0).centre;
        const oct_point over[] = {at, {at.x, at.y, 8.0}, {at.x, at.y, 11.0}};
        assert_true(11.0 - at.z < OCT_WALK_MAX);
        const oct_pilot_status status = follow(&f, over, 3, 15);
        assert_true(!f.walked && f.flew && status != OCT_PILOT_STUCK);
        free_field(&f);
    }
}

// A wall that the map knows is not walked into; one that it does not know stops the body.
static void walls_end_a_walk(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        for (int known = 0; known < 2; known++) {
            field f = {0};
            block_scene_init(&f.s);
            put_plate(&f, ups[0]);
            scene_rules(&f.s, pulls_down);
            const oct_bounds wall = {{2, 0, -5}, {3, 5, 5}};
            scene_put_box(&f.s, 1, STONE, wall);
            play(&f, delay, 1);
            if (!known) {
                assert_int_equal(oct_map_remove(f.map, 1), OCT_OK);
            }
            stand_up(&f, ups[0], (oct_point){-2, 0, 0}, (oct_point){0, 0, 1});
            const oct_point at = scene_self(&f.s, 0).centre;
            const oct_point to[] = {at, {5.5, at.y, 0}};
            const oct_pilot_status status = follow(&f, to, 2, 20);
            assert_int_equal(f.walked, !known);
            assert_int_equal(status, known ? OCT_PILOT_BLOCKED : OCT_PILOT_STUCK);
            assert_int_equal(f.flew, known);
            scene_step(&f.s, 120);
            assert_true(point_length(scene_self(&f.s, 0).velocity) == 0.0);
            free_field(&f);
        }
    }
}

// Half the tolerance is how far above or below the way's end may be.
static void only_level_ways_are_walked(void **state)
{
    (void)state;
    const double heights[] = {0.12, -0.12, 0.3};
    for (int i = 0; i < 3; i++) {
        field f;
        make_field(&f, ups[0], true, 0, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 3.0, 0.0);
        to.y += heights[i];
        const oct_pilot_status status = follow(&f, &to, 1, 10);
        assert_int_equal(f.walked, i < 2);
        assert_int_equal(f.flew, i == 2);
        assert_true(i == 2 || status == OCT_PILOT_ARRIVED);
        free_field(&f);
    }
}

static void runs(oct_world_rules *rules)
{
    rules->walk = 30.0; // half a metre in a tick
}

static void who_runs_does_not_run_too_far(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, runs);
    play(&f, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 1.2, 0.0);
    assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
    check_is_at(&f, to, 0.25);
    free_field(&f);
}

// It turns before it walks back, and walks straight where it turns a little.
static void walks_are_straight(void **state)
{
    (void)state;
    const double angles[] = {0.2, 0.45, -0.45, 1.5, 3.1};
    for (int i = 0; i < 5; i++) {
        field f;
        make_field(&f, ups[0], false, 0, 1);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        double sine, cosine;
        oct_sin_cos(angles[i], &sine, &cosine);
        const oct_point points[] = {
            scene_self(&f.s, 0).centre,
            beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 5.0 * cosine, 5.0 * sine)};
        assert_int_equal(follow(&f, points, 2, 10), OCT_PILOT_ARRIVED);
        assert_true(f.stray < 0.1);
        free_field(&f);
    }
}

// Told another way while it walks, it does not finish the first.
static void another_way_ends_the_walk(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        field f;
        make_field(&f, ups[0], true, delay, 2);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        const oct_point x = {1, 0, 0}, z = {0, 0, 1};
        oct_point to = beside(&f, x, z, 5.0, 0.0);
        assert_int_equal(oct_pilot_follow(f.pilot, &to, 1), OCT_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(turn(&f), OCT_PILOT_WALKING);
        }
        to = beside(&f, x, z, 0.0, -2.0);
        assert_int_equal(oct_pilot_follow(f.pilot, &to, 1), OCT_OK);
        const oct_self self = scene_self(&f.s, 0);
        assert_true(self.ticks == 0 || next(&f, &self).verb == OCT_VERB_WAIT);
        assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
        check_is_at(&f, to, 0.25);
        free_field(&f);
    }
}

static void never_walks(oct_world_rules *rules)
{
    rules->walk = 0.0;
}

static void who_cannot_walk_flies(void **state)
{
    (void)state;
    field f = {0};
    block_scene_init(&f.s);
    put_plate(&f, ups[0]);
    scene_rules(&f.s, never_walks);
    play(&f, 0, 1);
    stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
    const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, 3.0, 0.0);
    follow(&f, &to, 1, 10);
    assert_true(!f.walked && f.flew);
    free_field(&f);
}

// Whatever it faces.
static void any_facing_walks(void **state)
{
    (void)state;
    for (int facing = 0; facing <= OCT_FACING_NONE; facing++) {
        field f;
        make_field(&f, ups[0], false, 0, 2);
        oct_pilot_destroy(f.pilot);
        oct_pilot_def def = oct_pilot_def_default();
        def.facing = (oct_facing)facing;
        make_pilot(&f, &def);
        stand_up(&f, ups[0], (oct_point){0, 0, 0}, (oct_point){1, 0, 0});
        const oct_point to = beside(&f, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, -4.0, 1.0);
        assert_int_equal(follow(&f, &to, 1, 10), OCT_PILOT_ARRIVED);
        assert_true(f.walked && !f.flew);
        check_is_at(&f, to, 0.25);
        const double looks = scene_self(&f.s, 0).pose.forward.x;
        assert_true(facing == OCT_FACING_NONE ? looks > 0.99 : looks < -0.9);
        free_field(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_lands_on_any_surface_with_any_up),
        cmocka_unit_test(it_lands_with_delays),
        cmocka_unit_test(it_comes_to_rest_before_it_lands),
        cmocka_unit_test(it_lands_by_any_rules),
        cmocka_unit_test(dampeners_that_are_off_are_switched_on),
        cmocka_unit_test(where_no_ground_is_it_is_stuck),
        cmocka_unit_test(what_is_too_steep_is_no_ground),
        cmocka_unit_test(where_it_cannot_turn_it_is_stuck),
        cmocka_unit_test(who_stands_there_has_landed),
        cmocka_unit_test(who_stands_elsewhere_takes_off_to_land),
        cmocka_unit_test(who_moves_does_not_go_down),
        cmocka_unit_test(who_brakes_slowly_is_not_stuck),
        cmocka_unit_test(who_sinks_and_stays_is_stuck),
        cmocka_unit_test(slopes_are_stood_on_where_they_are_met),
        cmocka_unit_test(short_ways_along_the_surface_are_walked),
        cmocka_unit_test(longer_ways_are_flown),
        cmocka_unit_test(ways_that_leave_the_surface_are_flown),
        cmocka_unit_test(walls_end_a_walk),
        cmocka_unit_test(only_level_ways_are_walked),
        cmocka_unit_test(who_runs_does_not_run_too_far),
        cmocka_unit_test(walks_are_straight),
        cmocka_unit_test(another_way_ends_the_walk),
        cmocka_unit_test(who_cannot_walk_flies),
        cmocka_unit_test(any_facing_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
