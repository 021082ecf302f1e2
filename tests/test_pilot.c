// SPDX-License-Identifier: MIT
// Pilots among random boxes: a ball around the body never touches one, whatever the delays; and
// what a pilot says where the way is closed, the body does not move, or an argument makes no sense.
#include "agent/pilot.h"
#include "agent/speed_profile.h"
#include "game_words.h"
#include "octant/search.h"
#include "octant/tree.h"
#include "support.h"

#include <math.h>

#define EDGE 30.0
#define PADDING 0.95
#define BALL 0.9
#define BOXES_MAX 60
#define LEGS_MAX 4096

// How long an action takes to begin.
typedef enum pace { STEPPED, RANDOM, QUICK, SLOW, ALTERNATING, PACES } pace;

typedef struct scene {
    oct_bounds boxes[BOXES_MAX];
    uint32_t box_count;
    oct_map *map;
    oct_planner *planner;
    oct_pilot *pilot;
    oct_game_info info;
    oct_player_body described; // how the body is told to be
    double truth;              // the share of what is told by which it really moves
    pace pace;
    oct_random random;
    flight_state body;
    burn burn;
    uint64_t tick;
} scene;

static double length(oct_point a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static oct_point random_point(oct_random *random)
{
    const double x = oct_random_unit(random) * EDGE, y = oct_random_unit(random) * EDGE;
    return (oct_point){x, y, oct_random_unit(random) * EDGE};
}

static void make_map(scene *s)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = 0.3;
    def.padding = (oct_point){PADDING, PADDING, PADDING};
    assert_int_equal(oct_map_create(&def, &s->map), OCT_OK);
    const oct_bounds all = {{0, 0, 0}, {EDGE, EDGE, EDGE}};
    assert_int_equal(oct_map_set_world_box(s->map, all, OCT_COVER_INSIDE, OCT_MARK_KNOWN), OCT_OK);
    for (uint32_t i = 0; i < s->box_count; i++) {
        const oct_thing thing = {.id = i, .box = s->boxes[i], .label = OCT_BLOCKED};
        assert_int_equal(oct_map_add(s->map, &thing), OCT_OK);
    }
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(s->map);
    assert_int_equal(oct_planner_create(&planner, &s->planner), OCT_OK);
}

static oct_game_info info_of(pace p)
{
    oct_game_info info = oct_game_info_default();
    info.delay_min = p == STEPPED ? 0 : 1;
    info.delay_max = p == STEPPED ? 0 : 30;
    return info;
}

static void make_scene_of(scene *s, uint64_t seed, pace p, oct_facing facing,
                          const oct_player_body *body)
{
    *s = (scene){.described = *body,
                 .truth = 1.0,
                 .pace = p,
                 .random = oct_random_seed(seed),
                 .info = info_of(p)};
    s->box_count = 10 + (uint32_t)oct_random_below(&s->random, BOXES_MAX - 10);
    for (uint32_t i = 0; i < s->box_count; i++) {
        const oct_point at = random_point(&s->random);
        const oct_point size = {0.5 + 4.0 * oct_random_unit(&s->random),
                                0.5 + 4.0 * oct_random_unit(&s->random),
                                0.5 + 4.0 * oct_random_unit(&s->random)};
        s->boxes[i] = (oct_bounds){at, {at.x + size.x, at.y + size.y, at.z + size.z}};
    }
    make_map(s);
    oct_pilot_def def = oct_pilot_def_default();
    def.info = &s->info;
    def.body = &s->described;
    def.map = s->map;
    def.facing = facing;
    assert_int_equal(oct_pilot_create(&def, &s->pilot), OCT_OK);
}

static void make_scene(scene *s, uint64_t seed, pace p, oct_facing facing)
{
    const oct_player_body flies = flying_body();
    make_scene_of(s, seed, p, facing, &flies);
}

// Nothing in it.
static void make_empty(scene *s, uint64_t seed, pace p, const oct_allocator *allocator)
{
    *s = (scene){.described = flying_body(),
                 .truth = 1.0,
                 .pace = p,
                 .random = oct_random_seed(seed),
                 .info = info_of(p)};
    make_map(s);
    const oct_player_body flies = flying_body();
    oct_pilot_def def = oct_pilot_def_default();
    def.info = &s->info;
    def.body = &flies;
    def.map = s->map;
    def.allocator = allocator;
    assert_int_equal(oct_pilot_create(&def, &s->pilot), OCT_OK);
    s->body = (flight_state){.at = {3, 15, 15},
                             .frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1})};
}

static void free_scene(scene *s)
{
    oct_pilot_destroy(s->pilot);
    oct_planner_destroy(s->planner);
    oct_map_destroy(s->map);
}

static bool is_open(const scene *s, oct_point at)
{
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(s->map), at, &cell) &&
           oct_tree_label(oct_map_tree(s->map), cell) == OCT_OPEN;
}

// A random path; the body is put at its beginning, at rest.
static bool make_path(scene *s, oct_path *path)
{
    oct_query query = oct_query_default();
    query.from = random_point(&s->random);
    query.to = random_point(&s->random);
    if (!is_open(s, query.from) || !is_open(s, query.to)) {
        return false;
    }
    assert_int_equal(oct_planner_plan(s->planner, &query, path), OCT_OK);
    s->body = (flight_state){
        .at = query.from, .frame = oct_motion_frame((oct_point){1, 0.3, 0}, (oct_point){0, 0, 1})};
    s->burn = (burn){0};
    return path->status == OCT_PATH_FOUND;
}

static oct_self self_of(const scene *s)
{
    const motion_frame *const f = &s->body.frame;
    return (oct_self){.tick = s->tick,
                      .pose = {.forward = {-f->back.x, -f->back.y, -f->back.z}, .up = f->up},
                      .centre = s->body.at,
                      .velocity = s->body.velocity,
                      .flies = true,
                      .ticks = s->burn.ticks};
}

static double distance_to_box(oct_point p, const oct_bounds *b)
{
    const double x = p.x < b->min.x ? b->min.x - p.x : p.x > b->max.x ? p.x - b->max.x : 0.0;
    const double y = p.y < b->min.y ? b->min.y - p.y : p.y > b->max.y ? p.y - b->max.y : 0.0;
    const double z = p.z < b->min.z ? b->min.z - p.z : p.z > b->max.z ? p.z - b->max.z : 0.0;
    return length((oct_point){x, y, z});
}

static oct_point toward(oct_point from, oct_point to, double most)
{
    const oct_point by = {to.x - from.x, to.y - from.y, to.z - from.z};
    const double share = length(by) > most ? most / length(by) : 1.0;
    return (oct_point){from.x + share * by.x, from.y + share * by.y, from.z + share * by.z};
}

// A tick of a body as the description has it, in plain words of its own: not the pilot's model.
static void move_body(scene *s)
{
    const oct_player_body *const d = &s->described;
    const double tick = 1.0 / 60.0;
    if (d->brakes_axes) {
        const flight_rules rules = oct_flight_rules_of(d, 60.0);
        oct_flight_model_tick(&s->body, &s->burn, &rules);
        return;
    }
    oct_point move = {0, 0, 0};
    if (s->burn.ticks > 0) {
        s->burn.ticks--;
        const oct_point yaw = {0, s->burn.rotate.y, 0}; // pitch turns the head
        oct_motion_turn(&s->body.frame, yaw, d->turn * tick);
        move = oct_motion_to_world(&s->body.frame, s->burn.move);
    }
    const double size = length(move), by = size > 1.0 ? 1.0 / size : 1.0;
    const oct_point v = s->body.velocity;
    const oct_point none = {0, 0, 0};
    const oct_point course = {move.x * by * d->speed, move.y * by * d->speed,
                              move.z * by * d->speed};
    const double gain = by * d->acceleration * tick;
    const oct_point thrust = {v.x + move.x * gain, v.y + move.y * gain, v.z + move.z * gain};
    s->body.velocity = d->acceleration == 0.0 ? course
                       : size == 0.0          ? toward(v, none, d->brake * tick)
                       : d->control == OCT_CONTROL_COURSE
                           ? toward(v, course, d->acceleration * tick)
                           : toward(none, thrust, d->speed);
    s->body.at.x += s->truth * s->body.velocity.x * tick;
    s->body.at.y += s->truth * s->body.velocity.y * tick;
    s->body.at.z += s->truth * s->body.velocity.z * tick;
}

// Every tick: no box in the ball around the body, and never far from the path.
static void pass(scene *s, uint32_t ticks, const speed_profile *judge, double *stray)
{
    for (uint32_t i = 0; i < ticks; i++) {
        move_body(s);
        s->tick++;
        for (uint32_t k = 0; k < s->box_count; k++) {
            assert_true(distance_to_box(s->body.at, &s->boxes[k]) > BALL);
        }
        if (judge && judge->count > 0) {
            const double away =
                oct_speed_profile_place(judge, 0, judge->count, s->body.at).distance;
            *stray = away > *stray ? away : *stray;
        }
    }
}

static uint32_t draw_delay(scene *s, uint32_t turn)
{
    switch (s->pace) {
    case RANDOM:
        return 1 + (uint32_t)oct_random_below(&s->random, 30);
    case QUICK:
        return 1;
    case SLOW:
        return 30;
    case ALTERNATING:
        return turn % 2 ? 30 : 1;
    default:
        return 0;
    }
}

static void act(scene *s, const oct_action *action, uint32_t turn, const speed_profile *judge,
                double *stray)
{
    assert_true(action->verb == OCT_VERB_MOVE || action->verb == OCT_VERB_KEEP ||
                action->verb == OCT_VERB_WAIT);
    assert_true(action->ticks >= 1 && action->ticks <= 60);
    pass(s, draw_delay(s, turn), judge, stray);
    if (action->verb == OCT_VERB_MOVE) {
        s->burn = (burn){action->move, action->rotate, action->ticks};
    } else if (action->verb == OCT_VERB_WAIT) {
        s->burn = (burn){0};
    }
    pass(s, s->pace == STEPPED ? action->ticks : 0, judge, stray);
}

// The path from where the body is; the judge's legs are its.
static void set_path(scene *s, const oct_path *path, speed_profile *judge)
{
    assert_true(path->point_count < LEGS_MAX);
    oct_speed_profile_make(judge, path->points, path->point_count, 0.2);
    assert_int_equal(oct_pilot_follow(s->pilot, path->points, path->point_count), OCT_OK);
}

// Flies the path to its end; the seconds that it took. With the worst delays it may get stuck: then
// the rest is planned anew.
static double fly(scene *s, const oct_path *path, double *stray)
{
    static leg legs[LEGS_MAX];
    speed_profile judge = {.legs = legs, .acceleration = 10.0, .speed = 20.0};
    const oct_point to = path->points[path->point_count - 1];
    const uint64_t begin = s->tick;
    set_path(s, path, &judge);
    for (uint32_t turn = 0;; turn++) {
        oct_action action;
        const oct_self self = self_of(s);
        const oct_pilot_status status = oct_pilot_next(s->pilot, &self, &action);
        if (status == OCT_PILOT_ARRIVED) {
            break;
        }
        const bool is_worst = s->pace == ALTERNATING || s->pace == SLOW;
        assert_true(status == OCT_PILOT_FLYING || is_worst);
        act(s, &action, turn, &judge, stray);
        if (status != OCT_PILOT_FLYING && oct_flight_model_speed(&s->body) == 0.0 &&
            s->burn.ticks == 0) {
            oct_path rest;
            oct_query query = oct_query_default();
            query.from = s->body.at;
            query.to = to;
            assert_int_equal(oct_planner_plan(s->planner, &query, &rest), OCT_OK);
            assert_int_equal(rest.status, OCT_PATH_FOUND);
            set_path(s, &rest, &judge);
        }
        assert_true(s->tick - begin < 120 * OCT_BLOCK_WORLD_RATE);
    }
    assert_true(
        length((oct_point){s->body.at.x - to.x, s->body.at.y - to.y, s->body.at.z - to.z}) <= 0.25);
    assert_true(oct_flight_model_speed(&s->body) <= 0.05);
    return (double)(s->tick - begin) / OCT_BLOCK_WORLD_RATE;
}

// `most`: times the time from rest to rest that all flights together may take.
static void fly_many(pace p, oct_facing facing, double most)
{
    double seconds = 0.0, reference = 0.0, stray = 0.0;
    for (uint64_t seed = 1; seed <= test_rounds(12); seed++) {
        scene s;
        make_scene(&s, seed, p, facing);
        for (int i = 0; i < 4; i++) {
            oct_path path;
            if (make_path(&s, &path)) {
                reference += oct_flight_time(path.points, path.point_count, 10.0, 20.0);
                seconds += fly(&s, &path, &stray);
            }
        }
        free_scene(&s);
    }
    assert_true(seconds > 0.0 && seconds <= most * reference);
    assert_true(stray <= 0.3);
}

static void stepped_flights_arrive_in_time_and_touch_nothing(void **state)
{
    (void)state;
    fly_many(STEPPED, OCT_FACING_YAW, 1.2);
    fly_many(STEPPED, OCT_FACING_FULL, 1.2);
    fly_many(STEPPED, OCT_FACING_NONE, 1.1);
}

static void delayed_flights_arrive_in_time_and_touch_nothing(void **state)
{
    (void)state;
    fly_many(RANDOM, OCT_FACING_YAW, 1.6);
    fly_many(RANDOM, OCT_FACING_FULL, 1.6);
}

static void the_worst_delays_hurt_no_one(void **state)
{
    (void)state;
    fly_many(QUICK, OCT_FACING_YAW, 1.6);
    // Slow they may be, but not without end.
    fly_many(SLOW, OCT_FACING_YAW, HUGE_VAL);
    fly_many(ALTERNATING, OCT_FACING_YAW, HUGE_VAL);
}

// ---- bodies of other games ----

static const struct {
    double speed, acceleration, brake;
    oct_control control;
    double most; // times the time from rest to rest at the lesser of both
} bodies[] = {{4, 0, 0, OCT_CONTROL_COURSE, 1.5},   {8, 10, 10, OCT_CONTROL_COURSE, 1.5},
              {8, 10, 3, OCT_CONTROL_COURSE, 1.5},  {6, 2, 6, OCT_CONTROL_COURSE, 1.5},
              {5, 20, 0, OCT_CONTROL_COURSE, 1.6},  {8, 10, 10, OCT_CONTROL_THRUST, 1.5},
              {8, 10, 3, OCT_CONTROL_THRUST, 1.5},  {6, 8, 0, OCT_CONTROL_THRUST, 1.6},
              {12, 4, 0.5, OCT_CONTROL_THRUST, 1.5}};

static oct_player_body body_of(size_t i)
{
    oct_player_body body = oct_player_body_default();
    body.gait = OCT_GAIT_FLY;
    body.speed = bodies[i].speed;
    body.acceleration = bodies[i].acceleration;
    body.brake = bodies[i].brake;
    body.control = bodies[i].control;
    return body;
}

static void bodies_of_all_kinds_arrive_and_touch_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        const oct_player_body body = body_of(k);
        const double brake = body.brake > 0.0 ? body.brake : body.acceleration;
        const double least = body.acceleration == 0.0 ? 1e4 : fmin(brake, body.acceleration);
        double seconds = 0.0, reference = 0.0, stray = 0.0;
        for (uint64_t seed = 1; seed <= test_rounds(8); seed++) {
            scene s;
            make_scene_of(&s, seed, STEPPED, seed % 2 ? OCT_FACING_YAW : OCT_FACING_FULL, &body);
            for (int i = 0; i < 4; i++) {
                oct_path path;
                if (make_path(&s, &path)) {
                    reference += oct_flight_time(path.points, path.point_count, least, body.speed);
                    seconds += fly(&s, &path, &stray);
                }
            }
            double went, meant;
            assert_false(oct_pilot_is_off(s.pilot, &went, &meant));
            free_scene(&s);
        }
        print_message("body %zu: %.2f times, %.2f m astray\n", k, seconds / reference, stray);
        assert_true(seconds > 0.0 && seconds <= bodies[k].most * reference);
        assert_true(stray <= 0.3);
    }
}

// It is noted, and flown slowly: at half speed, from where it is told to be.
static void a_body_that_is_not_as_described_is_noticed(void **state)
{
    (void)state;
    for (int faster = 0; faster < 2; faster++) {
        scene s;
        const oct_player_body body = body_of(0);
        make_scene_of(&s, 3, STEPPED, OCT_FACING_NONE, &body);
        s.box_count = 0;
        s.truth = faster ? 1.08 : 0.8;
        s.body =
            (flight_state){.at = {3, 15, 15},
                           .frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1})};
        const oct_point way[] = {{3, 15, 15}, {25, 15, 15}};
        assert_int_equal(oct_pilot_follow(s.pilot, way, 2), OCT_OK);
        double went = 0.0, meant = 0.0, fastest = 0.0, stray = 0.0;
        bool replans = false;
        for (uint32_t turn = 0; turn < 200; turn++) {
            oct_action action;
            const oct_self self = self_of(&s);
            const oct_pilot_status status = oct_pilot_next(s.pilot, &self, &action);
            if (status == OCT_PILOT_ARRIVED) {
                break;
            }
            if (status == OCT_PILOT_BLOCKED) {
                replans = true;
                const oct_point rest[] = {s.body.at, way[1]};
                assert_int_equal(oct_pilot_follow(s.pilot, rest, 2), OCT_OK);
            }
            const bool was_off = oct_pilot_is_off(s.pilot, &went, &meant);
            act(&s, &action, turn, NULL, &stray);
            fastest = was_off ? fmax(fastest, length(s.body.velocity)) : 0.0;
        }
        assert_true(replans && oct_pilot_is_off(s.pilot, &went, &meant));
        assert_true(fastest > 1.0 && fastest <= 2.0 + 1e-9);
        assert_true(fabs(s.body.at.x - 25.0) < 0.3);
        free_scene(&s);
    }
}

// ---- a way that closes ----

// Where the body comes to rest along x if it hears of it as late as can be.
static double last_stop(const scene *s)
{
    flight_state c = s->body;
    burn b = s->burn;
    const oct_player_body flies = flying_body();
    const flight_rules rules = oct_flight_rules_of(&flies, 60.0);
    oct_flight_model_fly(&c, &b, s->info.delay_max, &rules);
    b.ticks = 0;
    oct_flight_model_fly(&c, &b, 200, &rules);
    return c.at.x;
}

// A straight way of 24 m; something comes down across it while the body is under way.
static void closed_ways_are_not_entered(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        const pace p = seed % 2 ? STEPPED : RANDOM;
        scene s;
        make_empty(&s, seed, p, NULL);
        const oct_point points[] = {
            {3, 15, 15}, {9, 15, 15}, {15, 15, 15}, {21, 15, 15}, {27, 15, 15}};
        assert_int_equal(oct_pilot_follow(s.pilot, points, 5), OCT_OK);
        const uint64_t closes = oct_random_below(&s.random, 40);
        oct_pilot_status status = OCT_PILOT_FLYING;
        for (uint32_t turn = 0; status == OCT_PILOT_FLYING && turn < 400; turn++) {
            oct_action action;
            const oct_self self = self_of(&s);
            // Where it can still stop: braking, and for as long as the game may take to hear of it.
            const double stops = last_stop(&s);
            if (s.tick >= closes && s.box_count == 0 && stops < 24.0) {
                s.boxes[s.box_count++] = (oct_bounds){{stops + 1.3, 5, 5}, {stops + 2.0, 25, 25}};
                const oct_thing wall = {.id = 1, .box = s.boxes[0], .label = OCT_BLOCKED};
                assert_int_equal(oct_map_add(s.map, &wall), OCT_OK);
            }
            status = oct_pilot_next(s.pilot, &self, &action);
            double stray = 0.0;
            act(&s, &action, turn, NULL, &stray);
        }
        if (s.box_count > 0) {
            assert_int_equal(status, OCT_PILOT_BLOCKED);
        }
        double stray = 0.0;
        pass(&s, 180, NULL, &stray); // and stays out of it
        free_scene(&s);
    }
}

// ---- a body that does not move ----

static void a_body_that_stays_is_stuck(void **state)
{
    (void)state;
    scene s;
    make_empty(&s, 1, STEPPED, NULL);
    const oct_point points[] = {{3, 15, 15}, {27, 15, 15}};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
    oct_pilot_status status = OCT_PILOT_FLYING;
    oct_action action;
    while (status == OCT_PILOT_FLYING && s.tick < 1000) {
        const oct_self self = self_of(&s);
        status = oct_pilot_next(s.pilot, &self, &action);
        s.tick += action.ticks;
    }
    assert_int_equal(status, OCT_PILOT_STUCK);
    assert_true(s.tick > 200 && s.tick < 400);
    // It stays so until it has another path.
    oct_self self = self_of(&s);
    assert_int_equal(oct_pilot_next(s.pilot, &self, &action), OCT_PILOT_STUCK);
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
    assert_int_equal(oct_pilot_next(s.pilot, &self, &action), OCT_PILOT_FLYING);
    free_scene(&s);
}

static void a_body_that_was_pushed_away_plans_anew(void **state)
{
    (void)state;
    scene s;
    make_empty(&s, 1, STEPPED, NULL);
    const oct_point points[] = {{3, 15, 15}, {27, 15, 15}};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
    oct_action action;
    oct_self self = self_of(&s);
    assert_int_equal(oct_pilot_next(s.pilot, &self, &action), OCT_PILOT_FLYING);
    self.centre = (oct_point){5, 16, 15};
    assert_int_equal(oct_pilot_next(s.pilot, &self, &action), OCT_PILOT_BLOCKED);
    assert_int_equal(action.verb, OCT_VERB_WAIT);
    free_scene(&s);
}

// A path that begins beside the body is joined.
static void paths_are_joined_from_beside(void **state)
{
    (void)state;
    scene s;
    make_empty(&s, 1, STEPPED, NULL);
    const oct_point points[] = {{5, 15, 15}, {20, 15, 15}};
    s.body.at = (oct_point){4, 14, 15};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
    oct_pilot_status status = OCT_PILOT_FLYING;
    while (status == OCT_PILOT_FLYING && s.tick < 1000) {
        oct_action action;
        double stray = 0.0;
        const oct_self self = self_of(&s);
        status = oct_pilot_next(s.pilot, &self, &action);
        act(&s, &action, 0, NULL, &stray);
    }
    assert_int_equal(status, OCT_PILOT_ARRIVED);
    assert_true(fabs(s.body.at.x - 20.0) < 0.25 && fabs(s.body.at.y - 15.0) < 0.25);
    free_scene(&s);
}

// ---- life ----

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    scene s = {.info = info_of(STEPPED)};
    make_map(&s);
    const oct_player_body flies = flying_body();
    oct_pilot_def def = oct_pilot_def_default();
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    def.info = &s.info;
    def.body = &flies;
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    def.map = s.map;
    const oct_pilot_def good = def;
    const double wrong[] = {0.0, -1.0, HUGE_VAL, (double)NAN};
    for (int i = 0; i < 4; i++) {
        def = good;
        def.tolerance = wrong[i];
        assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
        def = good;
        def.overshoot = wrong[i];
        assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    }
    def = good;
    def.ticks = 0;
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    def.ticks = OCT_ACTION_TICKS_MAX + 1;
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    def = good;
    def.cookie = 0;
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_ERROR_ARGUMENT);
    assert_null(s.pilot);
    assert_int_equal(oct_pilot_create(&good, &s.pilot), OCT_OK);
    const oct_point points[] = {{1, 1, 1}, {(double)NAN, 1, 1}};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 0), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_pilot_land(s.pilot, (oct_point){0, 0, 2}), OCT_ERROR_ARGUMENT);
    oct_action action;
    const oct_self self = self_of(&s);
    assert_int_equal(oct_pilot_next(s.pilot, &self, &action), OCT_PILOT_IDLE);
    assert_string_equal(oct_pilot_status_name(OCT_PILOT_STUCK), "stuck");
    assert_null(oct_pilot_status_name(OCT_PILOT_STATUS_COUNT));
    oct_pilot_destroy(NULL);
    free_scene(&s);
}

static oct_result make_and_follow(const oct_allocator *allocator, void *ctx)
{
    const scene *const s = ctx;
    const oct_player_body flies = flying_body();
    oct_pilot_def def = oct_pilot_def_default();
    oct_pilot *pilot;
    def.info = &s->info;
    def.body = &flies;
    def.map = s->map;
    def.allocator = allocator;
    OCT_TRY(oct_pilot_create(&def, &pilot));
    const oct_point points[] = {{3, 3, 3}, {9, 3, 3}};
    const oct_result result = oct_pilot_follow(pilot, points, 2);
    oct_pilot_destroy(pilot);
    return result;
}

static void memory_that_runs_out_is_a_result(void **state)
{
    (void)state;
    scene s = {.info = info_of(STEPPED)};
    make_map(&s);
    assert_int_equal(test_each_failure(make_and_follow, &s), 3);
    free_scene(&s);
}

static void flying_takes_no_memory(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    scene s;
    make_empty(&s, 1, RANDOM, &memory.allocator);
    oct_path path;
    while (!make_path(&s, &path)) {
    }
    double stray = 0.0;
    assert_int_equal(oct_pilot_follow(s.pilot, path.points, path.point_count), OCT_OK);
    const size_t before = memory.allocations;
    fly(&s, &path, &stray);
    assert_int_equal(memory.allocations, before);
    free_scene(&s);
    test_allocator_check_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepped_flights_arrive_in_time_and_touch_nothing),
        cmocka_unit_test(delayed_flights_arrive_in_time_and_touch_nothing),
        cmocka_unit_test(the_worst_delays_hurt_no_one),
        cmocka_unit_test(bodies_of_all_kinds_arrive_and_touch_nothing),
        cmocka_unit_test(a_body_that_is_not_as_described_is_noticed),
        cmocka_unit_test(closed_ways_are_not_entered),
        cmocka_unit_test(a_body_that_stays_is_stuck),
        cmocka_unit_test(a_body_that_was_pushed_away_plans_anew),
        cmocka_unit_test(paths_are_joined_from_beside),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_a_result),
        cmocka_unit_test(flying_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
