// SPDX-License-Identifier: MIT
// What a pilot expects of its body is what the game does, to the bit, where nothing is in the way:
// any actions, stepped and with delays, in any orientation.
#include "agent/flight_model.h"
#include "base/base_internal.h"
#include "block_scene.h"
#include "game_words.h"

#define SEEDS 24

static double between(oct_random *random, double lo, double hi)
{
    return lo + oct_random_unit(random) * (hi - lo);
}

static oct_point in_cube(oct_random *random, double half)
{
    const double x = between(random, -half, half), y = between(random, -half, half);
    return (oct_point){x, y, between(random, -half, half)};
}

static oct_point with_holes(oct_random *random, oct_point p)
{
    // No thrust along an axis is a case of its own: the dampeners brake there.
    p.x = oct_random_below(random, 3) ? p.x : 0.0;
    p.y = oct_random_below(random, 3) ? p.y : 0.0;
    p.z = oct_random_below(random, 3) ? p.z : 0.0;
    return p;
}

static oct_action random_action(oct_random *random)
{
    const uint64_t kind = oct_random_below(random, 8);
    oct_action action = {.ticks = 1 + (uint32_t)oct_random_below(random, 40)};
    action.verb = kind == 0 ? OCT_VERB_WAIT : kind == 1 ? OCT_VERB_KEEP : OCT_VERB_MOVE;
    const oct_point move = in_cube(random, 1.2), rotate = in_cube(random, 1.0);
    action.move = with_holes(random, move);
    action.rotate = with_holes(random, rotate);
    return action;
}

static void random_rules(oct_random *random, oct_world_rules *rules)
{
    rules->acceleration = between(random, 0.1, 30.0);
    rules->speed = between(random, 0.5, 40.0);
    rules->turn = between(random, 0.1, 10.0);
    // Who flies with dampeners is not pulled.
    rules->gravity = in_cube(random, 10.0);
}

static void same_point(oct_point a, oct_point b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_frame(const oct_self *self, const motion_frame *frame)
{
    const oct_point forward = {-frame->back.x, -frame->back.y, -frame->back.z};
    same_point(self->pose.up, frame->up);
    same_point(self->pose.forward, forward);
}

typedef struct twin {
    flight_state body;
    burn burn;
    flight_rules rules;
    uint64_t seed;
} twin;

static void check_same(block_scene *s, const twin *t)
{
    const oct_self self = scene_self(s, 0);
    same_point(self.centre, t->body.at);
    same_point(self.velocity, t->body.velocity);
    same_frame(&self, &t->body.frame);
    assert_int_equal(self.ticks, t->burn.ticks);
    assert_int_equal(self.bumps, 0);
}

// One tick of both.
static void tick_both(block_scene *s, twin *t)
{
    scene_step(s, 1);
    oct_flight_model_tick(&t->body, &t->burn, &t->rules);
    check_same(s, t);
}

static void take(twin *t, const oct_action *action)
{
    if (action->verb == OCT_VERB_MOVE) {
        t->burn = (burn){action->move, action->rotate, action->ticks};
    } else if (action->verb == OCT_VERB_WAIT) {
        t->burn = (burn){.ticks = action->ticks};
    }
}

static void begin(block_scene *s, oct_random *random, twin *t)
{
    block_scene_init(s);
    oct_world_rules rules = oct_world_rules_of(s->world);
    random_rules(random, &rules);
    *t = (twin){.rules = flight_rules_like(&rules)};
    assert_int_equal(oct_world_set_rules(s->world, &rules), OCT_OK);
    scene_put_box(s, 1, STONE, (oct_bounds){{5000, 0, 0}, {5001, 1, 1}});
    scene_play(s);
    scene_join(s, in_cube(random, 50.0));
    t->body.at = scene_self(s, 0).centre;
    t->body.frame = oct_motion_frame((oct_point){0, 0, -1}, (oct_point){0, 1, 0});
}

typedef void flight(block_scene *s, oct_random *random, twin *t);

static void fly_each_seed(flight *fly)
{
    for (uint64_t seed = 1; seed <= test_rounds(SEEDS); seed++) {
        oct_random random = oct_random_seed(seed);
        block_scene s;
        twin t;
        begin(&s, &random, &t);
        t.seed = seed;
        fly(&s, &random, &t);
        block_scene_free(&s);
    }
}

static void fly_tick_for_tick(block_scene *s, oct_random *random, twin *t)
{
    for (int turn = 0; turn < 40; turn++) {
        const oct_action action = random_action(random);
        assert_int_equal(scene_act(s, 0, action), OCT_ACT_DONE);
        take(t, &action);
        const uint64_t ticks = 1 + oct_random_below(random, 50);
        for (uint64_t i = 0; i < ticks; i++) {
            tick_both(s, t);
        }
    }
}

static void the_model_is_the_game_tick_for_tick(void **state)
{
    (void)state;
    fly_each_seed(fly_tick_for_tick);
}

static void foresee(block_scene *s, oct_random *random, twin *t)
{
    for (int turn = 0; turn < 40; turn++) {
        const oct_action action = random_action(random);
        scene_act(s, 0, action);
        take(t, &action);
        const oct_self self = scene_self(s, 0);
        flight_state foreseen = oct_flight_state_of(&self);
        burn left = t->burn;
        assert_int_equal(left.ticks, self.ticks);
        oct_flight_model_fly(&foreseen, &left, 30, &t->rules);
        for (int i = 0; i < 30; i++) {
            tick_both(s, t);
        }
        scene_check_near(foreseen.at.x, t->body.at.x, 1e-9);
        scene_check_near(foreseen.at.y, t->body.at.y, 1e-9);
        scene_check_near(foreseen.at.z, t->body.at.z, 1e-9);
        scene_check_near(oct_flight_model_speed(&foreseen), oct_flight_model_speed(&t->body), 1e-9);
    }
}

// What oct_flight_state_of makes of an observation leads to where the body will be; its frame is
// made anew from the pose, which rounds.
static void an_observation_is_enough_to_foresee(void **state)
{
    (void)state;
    fly_each_seed(foresee);
}

static void fly_with_delays(block_scene *s, oct_random *random, twin *t)
{
    oct_game *running;
    assert_int_equal(oct_game_delay(s->game, 2, 30, t->seed, NULL, &running), OCT_OK);
    s->game = running;
    for (int turn = 0; turn < 60; turn++) {
        const oct_action action = random_action(random);
        const uint64_t before = oct_game_tick(s->game);
        assert_int_equal(oct_game_turn(s->game, 0, &action, NULL), OCT_OK);
        const uint64_t passed = oct_game_tick(s->game) - before;
        assert_true(passed >= 2 && passed <= 30);
        oct_flight_model_fly(&t->body, &t->burn, (uint32_t)passed, &t->rules);
        take(t, &action);
        check_same(s, t);
    }
}

// With delays the action begins as many ticks after the observation as the game says.
static void the_model_is_the_game_with_delays(void **state)
{
    (void)state;
    fly_each_seed(fly_with_delays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_the_game_tick_for_tick),
        cmocka_unit_test(an_observation_is_enough_to_foresee),
        cmocka_unit_test(the_model_is_the_game_with_delays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
