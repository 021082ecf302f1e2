// SPDX-License-Identifier: MIT
// Ways of a pilot: places beside them, times along them, speeds at their bends; and the frames and
// velocities of a body that flies.
#include "agent/pilot.h"
#include "agent/speed_profile.h"
#include "game_words.h"
#include "geom/geom_internal.h"
#include "support.h"

#include <math.h>

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(oct_point a)
{
    return sqrt(dot(a, a));
}

static double random_between(oct_random *random, double lo, double hi)
{
    return lo + oct_random_unit(random) * (hi - lo);
}

static oct_point random_point(oct_random *random, double most)
{
    const double x = random_between(random, -most, most), y = random_between(random, -most, most);
    return (oct_point){x, y, random_between(random, -most, most)};
}

// ---- times ----

// Tiny steps: faster while the rest still suffices to brake, slower where it does not.
static double sprint_by_steps(double distance, double from, double to, double a, double most)
{
    const double step = 1e-5;
    double at = 0.0, speed = from, time = 0.0;
    while (at < distance && time < 100.0) {
        const double brakes = (speed * speed - to * to) / (2.0 * a);
        speed += brakes >= distance - at ? -a * step : speed < most ? a * step : 0.0;
        speed = speed > 1e-6 ? speed : 1e-6;
        at += speed * step;
        time += step;
    }
    return time;
}

static void sprints_take_the_least_time(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    for (uint64_t i = 0; i < test_rounds(60); i++) {
        const double a = random_between(&random, 2.0, 20.0);
        const double most = random_between(&random, 3.0, 20.0);
        const double distance = random_between(&random, 0.1, 40.0);
        const double from = random_between(&random, 0.0, most);
        const double to = random_between(&random, 0.0, most);
        if (from * from - to * to > 2.0 * a * distance) {
            continue; // it could not brake in time
        }
        assert_true(fabs(oct_speed_profile_sprint(distance, from, to, a, most) -
                         sprint_by_steps(distance, from, to, a, most)) < 2e-3);
    }
}

static void flights_are_timed_from_rest_to_rest(void **state)
{
    (void)state;
    const oct_point points[] = {{0, 0, 0}, {10, 0, 0}, {10, 100, 0}};
    // 2 sqrt(10 / 10), and 20 m to get fast, 20 m to stop, 60 m in between.
    assert_true(fabs(oct_flight_time(points, 2, 10.0, 20.0) - 2.0) < 1e-12);
    assert_true(fabs(oct_flight_time(points, 3, 10.0, 20.0) - 9.0) < 1e-12);
    assert_true(oct_flight_time(points, 1, 10.0, 20.0) == 0.0);
}

// ---- legs ----

static void make_profile(speed_profile *w, leg *legs, const oct_point *points, size_t count)
{
    *w = (speed_profile){.legs = legs, .acceleration = 10.0, .speed = 20.0};
    oct_speed_profile_make(w, points, count, 0.2);
}

static void bends_are_passed_as_slowly_as_they_are_sharp(void **state)
{
    (void)state;
    const oct_point points[] = {{0, 0, 0},     {100, 0, 0},     {100, 0, 0},
                                {100, 100, 0}, {200, 100, 0.5}, {100, 100, 0}};
    leg legs[6];
    speed_profile w;
    make_profile(&w, legs, points, 6);
    assert_int_equal(w.count, 4); // a point that is there twice makes no leg
    // Right angles and turning back: 2 a 0.2 = v^2.
    assert_true(fabs(legs[0].pass - 2.0) < 1e-9);
    assert_true(fabs(legs[1].pass - 2.0) < 1e-9);
    assert_true(fabs(legs[2].pass - 2.0) < 1e-9);
    assert_true(legs[3].pass == 0.0);
    const oct_point slight[] = {{0, 0, 0}, {100, 0, 0}, {200, 1, 0}, {200.1, 1.002, 0}};
    make_profile(&w, legs, slight, 4);
    assert_true(fabs(legs[0].pass - 20.0) < 1e-9); // the sine is 0.01
    // What is left is too short to brake from more.
    assert_true(fabs(legs[1].pass - sqrt(2.0 * 10.0 * legs[2].length)) < 1e-9);
    assert_true(legs[2].rest == 0.0 && legs[1].rest > 0.0 && legs[0].rest > legs[1].rest);
}

// Points in a line are one leg, but for the first; small bends do not add up to one.
static void points_in_a_line_are_one_leg(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    oct_point points[MANY];
    leg legs[MANY];
    speed_profile w;
    for (int i = 0; i < MANY; i++) {
        points[i] = (oct_point){i * 0.03, i * 0.01, i * -0.02};
    }
    make_profile(&w, legs, points, MANY);
    assert_int_equal(w.count, 2);
    assert_true(memcmp(&legs[1].from, &points[1], sizeof *points) == 0);
    assert_true(memcmp(&legs[1].to, &points[MANY - 1], sizeof *points) == 0);
    assert_true(fabs(legs[0].length + legs[1].length - sqrt(0.0014) * (MANY - 1)) < 1e-9);
    // Back along the same line is a bend.
    points[MANY - 1] = points[10];
    make_profile(&w, legs, points, MANY);
    assert_int_equal(w.count, 3);
    // An arc, each point of it nearly in line with the two before.
    for (int i = 0; i < MANY; i++) {
        const double t = i * 1e-3;
        points[i] = (oct_point){10.0 * t, 5.0 * t * t, 0};
    }
    make_profile(&w, legs, points, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_true(oct_speed_profile_place(&w, 0, w.count, points[i]).distance < 3e-6);
    }
}

// Beside a bend both legs are as near, up to rounding: it is on the later one.
static void bends_are_on_the_later_leg(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (uint64_t round = 0; round < test_rounds(1000); round++) {
        oct_point points[3];
        leg legs[3];
        speed_profile w;
        for (int i = 0; i < 3; i++) {
            points[i] = random_point(&random, 10.0);
        }
        make_profile(&w, legs, points, 3);
        // Across both legs.
        const oct_point a = legs[0].along, b = legs[1].along;
        const oct_point at = {points[1].x + a.y * b.z - a.z * b.y,
                              points[1].y + a.z * b.x - a.x * b.z,
                              points[1].z + a.x * b.y - a.y * b.x};
        assert_int_equal(oct_speed_profile_place(&w, 0, 2, at).leg, 1);
    }
}

// Too short to brake in: as if it was longer.
static void sprints_brake_as_long_as_it_takes(void **state)
{
    (void)state;
    assert_true(fabs(oct_speed_profile_sprint(1.0, 10.0, 0.0, 10.0, 20.0) - 1.0) < 1e-12);
    assert_true(fabs(oct_speed_profile_sprint(0.0, 10.0, 5.0, 10.0, 20.0) - 0.5) < 1e-12);
}

static void places_are_the_nearest(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2);
    for (uint64_t round = 0; round < test_rounds(300); round++) {
        oct_point points[6];
        leg legs[6];
        speed_profile w;
        for (int i = 0; i < 6; i++) {
            points[i] = random_point(&random, 10.0);
        }
        make_profile(&w, legs, points, 6);
        const oct_point at = random_point(&random, 12.0);
        const profile_place place = oct_speed_profile_place(&w, 1, 3, at);
        double best = HUGE_VAL;
        for (uint32_t i = 1; i < 4; i++) {
            for (int k = 0; k <= 1000; k++) {
                const double done = legs[i].length * k / 1000.0;
                const oct_point on = {legs[i].from.x + done * legs[i].along.x,
                                      legs[i].from.y + done * legs[i].along.y,
                                      legs[i].from.z + done * legs[i].along.z};
                const double d = length((oct_point){at.x - on.x, at.y - on.y, at.z - on.z});
                best = d < best ? d : best;
            }
        }
        assert_true(place.leg >= 1 && place.leg <= 3);
        assert_true(place.distance <= best + 1e-9 && place.distance > best - 0.02);
    }
    // At a bend it is on the leg that comes.
    const oct_point bend[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    leg legs[3];
    speed_profile w;
    make_profile(&w, legs, bend, 3);
    assert_int_equal(oct_speed_profile_place(&w, 0, 2, (oct_point){1, 0, 0}).leg, 1);
    assert_int_equal(oct_speed_profile_place(&w, 0, 2, (oct_point){1.1, 0, 0}).leg, 1);
    assert_int_equal(oct_speed_profile_place(&w, 0, 2, (oct_point){0.9, 0, 0}).leg, 0);
}

static void time_is_lost_by_what_does_not_lead_on(void **state)
{
    (void)state;
    const oct_point points[] = {{0, 0, 0}, {50, 0, 0}, {50, 30, 0}};
    leg legs[3];
    speed_profile w;
    make_profile(&w, legs, points, 3);
    const profile_place start = oct_speed_profile_place(&w, 0, 2, points[0]);
    const double at_rest = oct_speed_profile_time(&w, &start, (oct_point){0, 0, 0});
    assert_true(fabs(at_rest - oct_speed_profile_sprint(50, 0, 2, 10, 20) -
                     oct_speed_profile_sprint(30, 2, 0, 10, 20)) < 1e-9);
    assert_true(oct_speed_profile_time(&w, &start, (oct_point){5, 0, 0}) < at_rest);
    assert_true(oct_speed_profile_time(&w, &start, (oct_point){-5, 0, 0}) > at_rest + 0.5);
    assert_true(oct_speed_profile_time(&w, &start, (oct_point){0, 5, 0}) > at_rest + 0.4);
    // Too fast to brake for the bend.
    const profile_place near = oct_speed_profile_place(&w, 0, 2, (oct_point){49, 0, 0});
    assert_true(oct_speed_profile_time(&w, &near, (oct_point){10, 0, 0}) >
                oct_speed_profile_time(&w, &near, (oct_point){4, 0, 0}) + 1.0);
    // A leg too short to get fast on: not as if it was left at the speed that it may be.
    const oct_point tiny[] = {{0, 0, 0}, {0.01, 0, 0}, {0.01, 40, 0}};
    make_profile(&w, legs, tiny, 3);
    const profile_place first = oct_speed_profile_place(&w, 0, 2, tiny[0]);
    assert_true(oct_speed_profile_time(&w, &first, (oct_point){0, 0, 0}) >
                oct_speed_profile_sprint(40, 0.5, 0, 10, 20));
}

// ---- bodies ----

static motion_frame random_frame(oct_random *random)
{
    for (;;) {
        const oct_point forward = random_point(random, 1.0), up = random_point(random, 1.0);
        if (oct_angle_between(forward, up) > 0.1 && oct_angle_between(forward, up) < 3.0) {
            return oct_motion_frame(forward, up);
        }
    }
}

static void check_frame(const motion_frame *f)
{
    assert_true(fabs(length(f->right) - 1.0) < 1e-12 && fabs(length(f->up) - 1.0) < 1e-12);
    assert_true(fabs(length(f->back) - 1.0) < 1e-12 && fabs(dot(f->right, f->up)) < 1e-12);
    assert_true(fabs(dot(f->right, f->back)) < 1e-12 && fabs(dot(f->up, f->back)) < 1e-12);
    // Right = forward x up.
    const oct_point forward = {-f->back.x, -f->back.y, -f->back.z};
    assert_true(fabs(forward.y * f->up.z - forward.z * f->up.y - f->right.x) < 1e-12);
}

static void frames_carry_vectors_there_and_back(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (uint64_t i = 0; i < test_rounds(1000); i++) {
        const motion_frame f = random_frame(&random);
        const oct_point v = random_point(&random, 5.0);
        const oct_point local = oct_motion_to_local(&f, v);
        const oct_point back = oct_motion_to_world(&f, local);
        check_frame(&f);
        assert_true(fabs(back.x - v.x) + fabs(back.y - v.y) + fabs(back.z - v.z) < 1e-12);
        assert_true(fabs(length(local) - length(v)) < 1e-12);
    }
    const motion_frame plain = oct_motion_frame((oct_point){0, 0, -1}, (oct_point){0, 1, 0});
    const oct_point same = oct_motion_to_local(&plain, (oct_point){1, 2, 3});
    assert_true(same.x == 1 && same.y == 2 && same.z == 3);
}

static void frames_turn_to_the_left_and_up(void **state)
{
    (void)state;
    const double quarter = 1.5707963267948966;
    const motion_frame plain = oct_motion_frame((oct_point){0, 0, -1}, (oct_point){0, 1, 0});
    motion_frame f = plain;
    oct_motion_turn(&f, (oct_point){0, 1, 0}, quarter); // yaw: forward goes to the left
    assert_true(fabs(f.back.x - 1.0) < 1e-12 && fabs(f.up.y - 1.0) < 1e-12);
    f = plain;
    oct_motion_turn(&f, (oct_point){1, 0, 0}, quarter); // pitch: forward goes up
    assert_true(fabs(f.back.y + 1.0) < 1e-12 && fabs(f.right.x - 1.0) < 1e-12);
    f = plain;
    oct_motion_turn(&f, (oct_point){0, 0, 1}, quarter); // roll: up goes to the left
    assert_true(fabs(f.up.x + 1.0) < 1e-12 && fabs(f.back.z - 1.0) < 1e-12);
    oct_random random = oct_random_seed(4);
    f = random_frame(&random);
    for (int i = 0; i < 100000; i++) {
        oct_motion_turn(&f, random_point(&random, 1.0), 0.1);
    }
    check_frame(&f);
}

// As the rule says, in the plainest way: axis by axis.
static oct_point velocity_plainly(const motion_frame *f, oct_point v, oct_point thrust, bool damps,
                                  double a, double most)
{
    const oct_point in = oct_motion_to_local(f, v);
    double parts[3] = {in.x, in.y, in.z}, push[3] = {thrust.x, thrust.y, thrust.z};
    double size = length(thrust), idle = 0.0;
    for (int i = 0; i < 3 && size > 1.0; i++) {
        push[i] /= size;
    }
    size = size > 1.0 ? 1.0 : size;
    for (int i = 0; i < 3; i++) {
        idle += push[i] == 0.0 ? parts[i] * parts[i] : 0.0;
    }
    idle = sqrt(idle);
    const double brake = sqrt(1.0 - size * size) * a / 60.0;
    for (int i = 0; i < 3; i++) {
        if (push[i] == 0.0 && damps && idle > 0.0) {
            parts[i] *= idle > brake ? 1.0 - brake / idle : 0.0;
        }
        parts[i] += push[i] * a / 60.0;
    }
    oct_point out = oct_motion_to_world(f, (oct_point){parts[0], parts[1], parts[2]});
    const double fast = length(out) > most ? most / length(out) : 1.0;
    return (oct_point){out.x * fast, out.y * fast, out.z * fast};
}

static void velocities_follow_the_rule(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(5);
    for (uint64_t i = 0; i < test_rounds(5000); i++) {
        const motion_frame f = random_frame(&random);
        const oct_point v = random_point(&random, i % 3 == 0 ? 0.2 : 11.0);
        oct_point thrust = random_point(&random, 1.0);
        thrust.x = oct_random_below(&random, 2) ? 0.0 : thrust.x;
        thrust.y = oct_random_below(&random, 2) ? 0.0 : thrust.y;
        thrust.z = oct_random_below(&random, 2) ? 0.0 : thrust.z;
        const bool damps = oct_random_below(&random, 4) > 0;
        const oct_point got = oct_motion_velocity(&f, v, thrust, damps, 10.0, 20.0, 1.0 / 60);
        const oct_point want = velocity_plainly(&f, v, thrust, damps, 10.0, 20.0);
        assert_true(length((oct_point){got.x - want.x, got.y - want.y, got.z - want.z}) < 1e-9);
        // Never more than the acceleration, whatever brakes and thrusts.
        assert_true(length((oct_point){got.x - v.x, got.y - v.y, got.z - v.z}) <=
                    10.0 / 60.0 + 1e-9);
    }
    const motion_frame f = oct_motion_frame((oct_point){1, 1, 0}, (oct_point){0, 0, 1});
    const oct_point rest = oct_motion_velocity(&f, (oct_point){0.1, 0.05, 0}, (oct_point){0}, true,
                                               10.0, 20.0, 1.0 / 60);
    assert_true(rest.x == 0.0 && rest.y == 0.0 && rest.z == 0.0);
}

static flight_rules flies_rules(void)
{
    const oct_player_body flies = flying_body();
    return oct_flight_rules_of(&flies, 60.0);
}

static void burns_end_and_then_brake(void **state)
{
    (void)state;
    const oct_player_body flies = flying_body();
    const flight_rules rules = oct_flight_rules_of(&flies, 60.0);
    flight_state c = {.frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1})};
    burn b = {.move = {0, 0, -1}, .ticks = 60};
    oct_flight_model_fly(&c, &b, 60, &rules);
    assert_true(fabs(oct_flight_model_speed(&c) - 10.0) < 1e-9 && b.ticks == 0);
    assert_true(fabs(c.at.x - 10.0 * 61.0 / 120.0) < 1e-9); // sums of 1 to 60 ticks
    oct_flight_model_fly(&c, &b, 60, &rules);
    assert_true(oct_flight_model_speed(&c) < 1e-9);
    assert_true(fabs(c.at.x - 10.0) < 1e-9);
}

// ---- turning ----

static void pilots_turn_towards_a_direction(void **state)
{
    (void)state;
    oct_pilot p = {.rules = flies_rules()};
    oct_random random = oct_random_seed(6);
    for (uint64_t i = 0; i < test_rounds(500); i++) {
        const motion_frame start = random_frame(&random);
        const oct_point to = random_point(&random, 1.0);
        oct_point rotate;
        p.facing = OCT_FACING_FULL;
        motion_frame f = start;
        for (int k = 0; k < 40; k++) {
            const double missing = oct_pilot_turn(&p, &f, to, 4, HUGE_VAL, &rotate);
            assert_true(fabs(rotate.x) <= 1.0 && fabs(rotate.y) <= 1.0 && rotate.z == 0.0);
            if (missing < 1e-9) {
                break;
            }
            for (int tick = 0; tick < 4; tick++) {
                oct_motion_turn(&f, rotate, p.rules.turn / OCT_BLOCK_WORLD_RATE);
            }
        }
        const oct_point forward = {-f.back.x, -f.back.y, -f.back.z};
        assert_true(oct_angle_between(forward, to) < 0.25);
        p.facing = OCT_FACING_YAW;
        f = start;
        for (int k = 0; k < 10; k++) {
            oct_pilot_turn(&p, &f, to, 4, HUGE_VAL, &rotate);
            assert_true(rotate.x == 0.0 && rotate.z == 0.0);
            for (int tick = 0; tick < 4; tick++) {
                oct_motion_turn(&f, rotate, p.rules.turn / OCT_BLOCK_WORLD_RATE);
            }
        }
        const oct_point in = oct_motion_to_local(&f, to);
        assert_true(fabs(in.x) < 1e-6 * length(to) || hypot(in.x, in.z) < 0.21 * length(to));
        p.facing = OCT_FACING_NONE;
        assert_true(oct_pilot_turn(&p, &start, to, 4, HUGE_VAL, &rotate) == 0.0);
        assert_true(rotate.x == 0.0 && rotate.y == 0.0);
    }
}

static void pilots_align_their_up(void **state)
{
    (void)state;
    const oct_pilot p = {.rules = flies_rules()};
    oct_random random = oct_random_seed(7);
    for (uint64_t i = 0; i < test_rounds(500); i++) {
        motion_frame f = random_frame(&random);
        const oct_point v = random_point(&random, 1.0);
        oct_point up = {v.x / length(v), v.y / length(v), v.z / length(v)};
        if (i == 0) {
            up = (oct_point){-f.up.x, -f.up.y, -f.up.z}; // upside down
        }
        oct_point rotate;
        double missing = 4.0;
        for (int k = 0; k < 60 && missing > 0.01; k++) {
            missing = oct_pilot_align(&p, &f, up, 4, &rotate);
            assert_true(fabs(rotate.x) <= 1.0 && rotate.y == 0.0 && fabs(rotate.z) <= 1.0);
            for (int tick = 0; tick < 4; tick++) {
                oct_motion_turn(&f, rotate, p.rules.turn / OCT_BLOCK_WORLD_RATE);
            }
        }
        assert_true(missing <= 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sprints_take_the_least_time),
        cmocka_unit_test(flights_are_timed_from_rest_to_rest),
        cmocka_unit_test(bends_are_passed_as_slowly_as_they_are_sharp),
        cmocka_unit_test(points_in_a_line_are_one_leg),
        cmocka_unit_test(bends_are_on_the_later_leg),
        cmocka_unit_test(sprints_brake_as_long_as_it_takes),
        cmocka_unit_test(places_are_the_nearest),
        cmocka_unit_test(time_is_lost_by_what_does_not_lead_on),
        cmocka_unit_test(frames_carry_vectors_there_and_back),
        cmocka_unit_test(frames_turn_to_the_left_and_up),
        cmocka_unit_test(velocities_follow_the_rule),
        cmocka_unit_test(burns_end_and_then_brake),
        cmocka_unit_test(pilots_turn_towards_a_direction),
        cmocka_unit_test(pilots_align_their_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
