// SPDX-License-Identifier: MIT
// Games that run on by themselves: how much time passes when, on a clock that the test moves.
#include "support.h"

#include "link_mock.h"

#include "link/link_running.h"

#define SECOND UINT64_C(1000000000)
#define RATE 50 // of the mock game

typedef struct clock {
    uint64_t now, waited;
    bool is_stopped;
} clock;

static uint64_t now_ns(void *ctx)
{
    return ((clock *)ctx)->now;
}

// Wakes up a little late, as clocks do.
static bool wait_ns(void *ctx, uint64_t until)
{
    clock *const c = ctx;
    if (until > c->now) {
        c->waited += until - c->now;
        c->now = until + 1000;
    }
    return !c->is_stopped;
}

static oct_game *open_game(clock *c, double speed)
{
    const link_time time = {now_ns, wait_ns, c};
    oct_game *inner, *game;
    *c = (clock){.now = 77 * SECOND};
    assert_int_equal(mock_game(3, 9, NULL, &inner), OCT_OK);
    assert_int_equal(oct_link_run(inner, speed, &time, NULL, &game), OCT_OK);
    return game;
}

static void time_passes_between_calls(void **state)
{
    (void)state;
    static const double speeds[] = {1.0, 20.0, 0.25};
    for (size_t i = 0; i < 3; i++) {
        clock c;
        oct_self self;
        oct_observation seen;
        oct_game *const game = open_game(&c, speeds[i]);
        const oct_game_info *const info = oct_game_describe(game);
        assert_true(info->runs && !info->repeats && info->delay_max == 0);
        assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
        assert_int_equal(self.tick, 0);
        c.now += 4 * SECOND;
        assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
        assert_true(seen.self.tick == (uint64_t)(4 * RATE * speeds[i]));
        // Part of a tick is none.
        c.now += (uint64_t)(0.9 * (double)SECOND / RATE / speeds[i]);
        assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
        assert_true(self.tick == seen.self.tick);
        c.now += (uint64_t)(0.2 * (double)SECOND / RATE / speeds[i]);
        assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
        assert_true(self.tick == seen.self.tick + 1);
        assert_true(c.waited == 0);
        oct_game_destroy(game);
    }
}

static void steps_and_turns_end_when_their_ticks_have_passed(void **state)
{
    (void)state;
    clock c;
    oct_act came;
    oct_game *const game = open_game(&c, 2.0);
    const uint64_t begin = c.now;
    assert_int_equal(oct_game_step(game, 10), OCT_OK);
    assert_int_equal(oct_game_tick(game), 10);
    assert_true(c.now - begin >= SECOND / 10 && c.now - begin < SECOND / 10 + 2000);
    // From where it is by then, not from where it was.
    c.now = begin + SECOND;
    assert_int_equal(oct_game_step(game, 10), OCT_OK);
    assert_int_equal(oct_game_tick(game), 2 * RATE + 10);
    // What a turn begins goes on for its ticks, and stops by itself.
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 30, .move = {0, 0, -1}};
    oct_self self;
    assert_int_equal(oct_game_turn(game, 0, &move, &came), OCT_OK);
    assert_int_equal(oct_game_tick(game), 2 * RATE + 40);
    assert_int_equal(oct_game_act(game, 0, &move, &came), OCT_OK);
    c.now += SECOND / 10;
    assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
    assert_int_equal(self.ticks, 20);
    c.now += SECOND;
    assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
    assert_int_equal(self.ticks, 0);
    oct_game_destroy(game);
}

static void a_step_that_nobody_wants_any_more_ends(void **state)
{
    (void)state;
    clock c;
    oct_game *const game = open_game(&c, 1.0);
    c.is_stopped = true;
    assert_int_equal(oct_game_step(game, 10), OCT_ERROR_LINK);
    oct_game_destroy(game);
}

static void a_reset_begins_the_time_anew(void **state)
{
    (void)state;
    clock c;
    oct_self self;
    oct_game *const game = open_game(&c, 1.0);
    assert_int_equal(oct_game_step(game, 10), OCT_OK);
    c.now += 5 * SECOND;
    assert_int_equal(oct_game_reset(game, NULL), OCT_OK);
    assert_true(oct_game_describe(game)->runs);
    assert_int_equal(oct_game_tick(game), 0);
    c.now += SECOND;
    assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
    assert_int_equal(self.tick, RATE);
    oct_game_destroy(game);
}

// What passes unasked is what passes when it is asked for.
static void a_late_question_changes_nothing(void **state)
{
    (void)state;
    clock a, b;
    oct_game *const often = open_game(&a, 1.0), *const late = open_game(&b, 1.0);
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 100, .move = {1, 0, -1}};
    oct_act came;
    oct_observation seen, other;
    assert_int_equal(oct_game_act(often, 0, &move, &came), OCT_OK);
    assert_int_equal(oct_game_act(late, 0, &move, &came), OCT_OK);
    for (int i = 0; i < 200; i++) {
        a.now += SECOND / 70;
        assert_int_equal(oct_game_self(often, 0, &(oct_self){0}), OCT_OK);
    }
    b.now += 200 * (SECOND / 70);
    assert_int_equal(oct_game_observe(often, 0, &seen), OCT_OK);
    assert_int_equal(oct_game_observe(late, 0, &other), OCT_OK);
    assert_true(mock_same_observation(&seen, &other));
    assert_true(oct_game_hash(often) == oct_game_hash(late));
    oct_game_destroy(often);
    oct_game_destroy(late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_passes_between_calls),
        cmocka_unit_test(steps_and_turns_end_when_their_ticks_have_passed),
        cmocka_unit_test(a_step_that_nobody_wants_any_more_ends),
        cmocka_unit_test(a_reset_begins_the_time_anew),
        cmocka_unit_test(a_late_question_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
