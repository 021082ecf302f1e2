// SPDX-License-Identifier: MIT
// Pilots at their limits: paths of one point and of very many, numbers that are none, maps that
// shrink, bodies that hardly brake.
#include "agent/pilot.h"
#include "agent/speed_profile.h"
#include "game_words.h"
#include "geom/geom_internal.h"
#include "support.h"

#include <math.h>

#define EDGE 60.0

typedef struct scene {
    oct_map *map;
    oct_pilot *pilot;
    oct_game_info info;
    oct_player_body flies;
    flight_rules rules;
    flight_state body;
    burn burn;
    uint64_t tick;
} scene;

static void make_scene(scene *s, double acceleration, double speed, double turn)
{
    *s = (scene){.info = oct_game_info_default(), .flies = flying_body()};
    s->flies.acceleration = acceleration;
    s->flies.speed = speed;
    s->flies.turn = turn;
    s->rules = oct_flight_rules_of(&s->flies, 60.0);
    oct_map_def map = oct_map_def_default();
    map.cell_size = 0.5;
    assert_int_equal(oct_map_create(&map, &s->map), OCT_OK);
    const oct_bounds all = {{0, 0, 0}, {EDGE, EDGE, EDGE}};
    assert_int_equal(oct_map_set_world_box(s->map, all, OCT_COVER_INSIDE, OCT_MARK_KNOWN), OCT_OK);
    oct_pilot_def def = oct_pilot_def_default();
    def.info = &s->info;
    def.body = &s->flies;
    def.map = s->map;
    assert_int_equal(oct_pilot_create(&def, &s->pilot), OCT_OK);
    s->body = (flight_state){.at = {3, 30, 30},
                             .frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1})};
}

static void free_scene(scene *s)
{
    oct_pilot_destroy(s->pilot);
    oct_map_destroy(s->map);
}

static oct_self self_of(const scene *s)
{
    const motion_frame *const f = &s->body.frame;
    return (oct_self){.tick = s->tick,
                      .pose = {.forward = point_scale(f->back, -1.0), .up = f->up},
                      .centre = s->body.at,
                      .velocity = s->body.velocity,
                      .flies = true,
                      .ticks = s->burn.ticks};
}

static void check_action(const oct_action *a)
{
    assert_true(a->verb == OCT_VERB_MOVE || a->verb == OCT_VERB_KEEP || a->verb == OCT_VERB_WAIT);
    assert_true(a->ticks >= 1 && a->ticks <= OCT_ACTION_TICKS_MAX);
    assert_true(isfinite(point_length(a->move)) && isfinite(point_length(a->rotate)));
    assert_true(fabs(a->rotate.x) <= 1.0 && fabs(a->rotate.y) <= 1.0 && fabs(a->rotate.z) <= 1.0);
}

static oct_pilot_status turn(scene *s)
{
    const oct_self self = self_of(s);
    oct_action action;
    const oct_pilot_status status = oct_pilot_next(s->pilot, &self, &action);
    check_action(&action);
    if (action.verb != OCT_VERB_KEEP) {
        s->burn = (burn){action.move, action.rotate, action.ticks};
    }
    oct_flight_model_fly(&s->body, &s->burn, action.ticks, &s->rules);
    s->tick += action.ticks;
    return status;
}

static oct_pilot_status go(scene *s, double seconds)
{
    oct_pilot_status status = OCT_PILOT_FLYING;
    while (status == OCT_PILOT_FLYING) {
        status = turn(s);
        assert_true((double)s->tick < seconds * OCT_BLOCK_WORLD_RATE);
    }
    return status;
}

static double away(const scene *s, oct_point to)
{
    return point_length(point_sub(s->body.at, to));
}

// ---- paths ----

static void a_path_of_one_point_is_flown(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 10.0, 20.0, 6.0);
    const oct_point to = {20, 33, 25};
    assert_int_equal(oct_pilot_follow(s.pilot, &to, 1), OCT_OK);
    assert_int_equal(go(&s, 10), OCT_PILOT_ARRIVED);
    assert_true(away(&s, to) <= 0.25);
    // It is there already.
    assert_int_equal(oct_pilot_follow(s.pilot, &to, 1), OCT_OK);
    assert_int_equal(turn(&s), OCT_PILOT_ARRIVED);
    free_scene(&s);
}

// The same point again and again is one point, at the ends and between.
static void repeated_points_are_one(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 10.0, 20.0, 6.0);
    const oct_point a = {3, 30, 30}, b = {20, 30, 30}, c = {20, 40, 30};
    const oct_point points[] = {a, a, a, b, b, c, c, c};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 8), OCT_OK);
    assert_int_equal(go(&s, 10), OCT_PILOT_ARRIVED);
    assert_true(away(&s, c) <= 0.25);
    free_scene(&s);
    make_scene(&s, 10.0, 20.0, 6.0);
    const oct_point same[] = {a, a, a};
    assert_int_equal(oct_pilot_follow(s.pilot, same, 3), OCT_OK);
    assert_int_equal(turn(&s), OCT_PILOT_ARRIVED);
    free_scene(&s);
}

// However dense the points of a straight way are, it is flown as fast.
static void dense_points_do_not_slow_it_down(void **state)
{
    (void)state;
    static oct_point points[100000];
    uint64_t ticks[3];
    const size_t counts[3] = {2, 500, 100000};
    for (int i = 0; i < 3; i++) {
        scene s;
        make_scene(&s, 10.0, 20.0, 6.0);
        for (size_t k = 0; k < counts[i]; k++) {
            const double share = (double)k / (double)(counts[i] - 1);
            points[k] = (oct_point){3 + 50 * share, 30 + 7 * share, 30 - 11 * share};
        }
        assert_int_equal(oct_pilot_follow(s.pilot, points, counts[i]), OCT_OK);
        assert_int_equal(go(&s, 15), OCT_PILOT_ARRIVED);
        assert_true(away(&s, points[counts[i] - 1]) <= 0.25);
        ticks[i] = s.tick;
        free_scene(&s);
    }
    assert_true(ticks[1] <= ticks[0] + 10 && ticks[2] <= ticks[0] + 10);
}

// ---- the map ----

// What becomes unknown is not entered.
static void a_map_that_shrinks_blocks(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 10.0, 20.0, 6.0);
    const oct_point points[] = {{3, 30, 30}, {40, 30, 30}};
    assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
    assert_int_equal(turn(&s), OCT_PILOT_FLYING);
    const oct_bounds gone = {{15, 0, 0}, {EDGE, EDGE, EDGE}};
    assert_int_equal(oct_map_set_world_box(s.map, gone, OCT_COVER_TOUCH, OCT_MARK_UNKNOWN), OCT_OK);
    assert_int_equal(go(&s, 5), OCT_PILOT_BLOCKED);
    oct_flight_model_fly(&s.body, &s.burn, 300, &s.rules);
    assert_true(oct_flight_model_speed(&s.body) == 0.0 && s.body.at.x < 15.0);
    free_scene(&s);
}

static void a_way_out_of_the_map_is_blocked(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 10.0, 20.0, 6.0);
    const oct_point far[] = {{3, 30, 30}, {1e12, 30, 30}};
    assert_int_equal(oct_pilot_follow(s.pilot, far, 2), OCT_OK);
    assert_int_equal(turn(&s), OCT_PILOT_BLOCKED);
    free_scene(&s);
}

// ---- numbers ----

static void what_is_no_number_is_survived(void **state)
{
    (void)state;
    const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300};
    const oct_point points[] = {{3, 30, 30}, {40, 30, 30}};
    for (int i = 0; i < 4 * 4; i++) {
        scene s;
        make_scene(&s, 10.0, 20.0, 6.0);
        assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
        oct_self self = self_of(&s);
        oct_action action;
        oct_point *const parts[] = {&self.centre, &self.velocity, &self.pose.forward,
                                    &self.pose.up};
        parts[i / 4]->y = odd[i % 4];
        for (int k = 0; k < 6; k++) {
            self.flies = k % 2 == 0;
            self.stands = !self.flies;
            oct_pilot_next(s.pilot, &self, &action);
            assert_true(action.verb < OCT_VERB_COUNT && action.ticks <= OCT_ACTION_TICKS_MAX);
            assert_int_equal(oct_pilot_follow(s.pilot, points, 2), OCT_OK);
        }
        self.flies = true;
        assert_int_equal(oct_pilot_land(s.pilot, (oct_point){0, 0, 1}), OCT_OK);
        for (int k = 0; k < 3; k++) {
            oct_pilot_next(s.pilot, &self, &action);
            assert_true(action.verb < OCT_VERB_COUNT && action.ticks <= OCT_ACTION_TICKS_MAX);
        }
        free_scene(&s);
    }
}

// Actions stay as long as they may be, however late they begin.
static void the_longest_delay_is_landed_with(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 10.0, 20.0, 6.0);
    s.info.delay_min = 1;
    s.info.delay_max = OCT_ACTION_TICKS_MAX;
    oct_pilot_destroy(s.pilot);
    oct_pilot_def def = oct_pilot_def_default();
    def.info = &s.info;
    def.body = &s.flies;
    def.map = s.map;
    assert_int_equal(oct_pilot_create(&def, &s.pilot), OCT_OK);
    assert_int_equal(oct_pilot_land(s.pilot, (oct_point){0, 0, 1}), OCT_OK);
    assert_int_equal(turn(&s), OCT_PILOT_LANDING);
    assert_true(s.body.velocity.z < 0.0);
    free_scene(&s);
}

static void bodies_that_never_stop_are_let_go(void **state)
{
    (void)state;
    const oct_player_body flies = flying_body();
    flight_rules rules = oct_flight_rules_of(&flies, 60.0);
    flight_state c = {.velocity = {5, 0, 0},
                      .frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1})};
    burn b = {.move = {0, 0, -1}, .ticks = 30};
    flight_state stops = c;
    // It is 10 m/s fast after half a second, and needs one (and rounds) to stop.
    assert_int_equal(oct_flight_model_stop(&stops, &b, 0.0, &rules), 30 + 61);
    assert_true(b.ticks == 0 && oct_flight_model_speed(&stops) == 0.0);
    rules.acceleration = 1e-20;
    assert_int_equal(oct_flight_model_stop(&c, &b, 0.0, &rules), FLIGHT_MODEL_TICKS_MAX);
    c.velocity.x = (double)NAN;
    assert_int_equal(oct_flight_model_stop(&c, &b, 0.0, &rules), 0);
}

static void other_rules_are_flown_by(void **state)
{
    (void)state;
    const double rules[][3] = {{1.0, 20.0, 6.0},  {100.0, 50.0, 6.0}, {10.0, 0.5, 6.0},
                               {10.0, 20.0, 1.0}, {10.0, 20.0, 60.0}, {0.2, 20.0, 6.0}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        scene s;
        make_scene(&s, rules[i][0], rules[i][1], rules[i][2]);
        const oct_point points[] = {{3, 30, 30}, {10, 30, 30}, {10, 20, 30}};
        const double time = oct_flight_time(points, 3, rules[i][0], rules[i][1]);
        assert_int_equal(oct_pilot_follow(s.pilot, points, 3), OCT_OK);
        assert_int_equal(go(&s, 1.6 * time + 4.0), OCT_PILOT_ARRIVED);
        assert_true(away(&s, points[2]) <= 0.25);
        free_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_of_one_point_is_flown),
        cmocka_unit_test(repeated_points_are_one),
        cmocka_unit_test(dense_points_do_not_slow_it_down),
        cmocka_unit_test(a_map_that_shrinks_blocks),
        cmocka_unit_test(a_way_out_of_the_map_is_blocked),
        cmocka_unit_test(what_is_no_number_is_survived),
        cmocka_unit_test(the_longest_delay_is_landed_with),
        cmocka_unit_test(bodies_that_never_stop_are_let_go),
        cmocka_unit_test(other_rules_are_flown_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
