// SPDX-License-Identifier: MIT
// The interface of games, over a game that does nothing but write down what it is told.
#include "support.h"

#include "base/base_internal.h"
#include "octant/game.h"

#include <math.h>

typedef struct plain_game {
    oct_game game; // first
    oct_game_info info;
    uint32_t player_count;
    uint64_t tick;
    uint64_t acted_at; // tick of the last action
    oct_action last;
    uint32_t last_who;
    uint32_t acts, observed, destroyed;
    oct_result step_result;
} plain_game;

static void destroy(void *self)
{
    ((plain_game *)self)->destroyed++;
}

static const oct_game_info *describe(const void *self)
{
    return &((const plain_game *)self)->info;
}

static uint32_t players(const void *self)
{
    return ((const plain_game *)self)->player_count;
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    (void)pose;
    *who = ((plain_game *)self)->player_count++;
    return OCT_OK;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    plain_game *const g = self;
    g->observed++;
    *out = (oct_observation){.self = {.id = who, .tick = g->tick}};
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    *out = (oct_self){.id = who, .tick = ((plain_game *)self)->tick};
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    plain_game *const g = self;
    g->acts++;
    g->last = *action;
    g->last_who = who;
    g->acted_at = g->tick;
    *came = OCT_ACT_NOT_NOW;
    return OCT_OK;
}

static oct_result step(void *self, uint32_t ticks)
{
    plain_game *const g = self;
    g->tick += g->step_result == OCT_OK ? ticks : 0;
    return g->step_result;
}

static uint64_t tick_of(const void *self)
{
    return ((const plain_game *)self)->tick;
}

static uint64_t hash_of(const void *self)
{
    return ((const plain_game *)self)->tick * 77u;
}

static const oct_game_ops plain_ops = {.destroy = destroy,
                                       .describe = describe,
                                       .players = players,
                                       .join = join,
                                       .observe = observe,
                                       .self = self_of,
                                       .act = act,
                                       .step = step,
                                       .tick = tick_of,
                                       .hash = hash_of};

static plain_game plain(uint32_t player_count)
{
    return (plain_game){
        .game = {&plain_ops}, .info = {.game = "plain"}, .player_count = player_count};
}

// ---- the interface ----

static void outcomes_have_names(void **state)
{
    (void)state;
    assert_string_equal(oct_act_name(OCT_ACT_DONE), "done");
    assert_string_equal(oct_act_name(OCT_ACT_NO_TARGET), "no target");
    assert_string_equal(oct_act_name(OCT_ACT_NOT_NOW), "not now");
    assert_null(oct_act_name(OCT_ACT_COUNT));
    assert_null(oct_act_name((oct_act)-1));
}

static void every_call_reaches_the_game(void **state)
{
    (void)state;
    plain_game g = plain(1);
    oct_observation seen;
    oct_self self;
    oct_act came;
    uint32_t who;
    assert_string_equal(oct_game_describe(&g.game)->game, "plain");
    assert_int_equal(oct_game_join(&g.game, NULL, &who), OCT_OK);
    assert_int_equal(who, 1);
    assert_int_equal(oct_game_players(&g.game), 2);
    assert_int_equal(oct_game_step(&g.game, 5), OCT_OK);
    assert_int_equal(oct_game_tick(&g.game), 5);
    assert_int_equal(oct_game_hash(&g.game), 385);
    assert_int_equal(oct_game_observe(&g.game, 1, &seen), OCT_OK);
    assert_int_equal(seen.self.id, 1);
    assert_int_equal(seen.self.tick, 5);
    assert_int_equal(oct_game_self(&g.game, 0, &self), OCT_OK);
    assert_int_equal(self.id, 0);
    const oct_action use = {.verb = OCT_VERB_USE, .target = 9, .button = 3};
    assert_int_equal(oct_game_act(&g.game, 1, &use, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_NOT_NOW);
    assert_int_equal(g.last_who, 1);
    assert_int_equal(g.last.target, 9);
    assert_int_equal(oct_game_act(&g.game, 1, &use, NULL), OCT_OK);
    assert_int_equal(g.acts, 2);
    oct_game_destroy(&g.game);
    oct_game_destroy(NULL);
    assert_int_equal(g.destroyed, 1);
}

static void nobody_else_plays(void **state)
{
    (void)state;
    plain_game g = plain(2);
    oct_observation seen;
    oct_self self;
    const oct_action use = {.verb = OCT_VERB_USE};
    assert_int_equal(oct_game_observe(&g.game, 2, &seen), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_self(&g.game, UINT32_MAX, &self), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_act(&g.game, 2, &use, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_turn(&g.game, 2, &use, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(g.acts + g.observed + g.tick, 0);
}

static void actions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    plain_game g = plain(1);
    const double nan = (double)NAN;
    const oct_action refused[] = {
        {.verb = OCT_VERB_COUNT},
        {.verb = (oct_verb)-1},
        {.verb = OCT_VERB_KEEP},
        {.verb = OCT_VERB_WAIT},
        {.verb = OCT_VERB_MOVE},
        {.verb = OCT_VERB_KEEP, .ticks = OCT_ACTION_TICKS_MAX + 1},
        {.verb = OCT_VERB_WAIT, .ticks = OCT_ACTION_TICKS_MAX + 1},
        {.verb = OCT_VERB_MOVE, .ticks = OCT_ACTION_TICKS_MAX + 1},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .move = {nan, 0, 0}},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .move = {0, HUGE_VAL, 0}},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .move = {0, 0, -HUGE_VAL}},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .rotate = {1.0 + 0x1p-50, 0, 0}},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .rotate = {0, -1.5, 0}},
        {.verb = OCT_VERB_MOVE, .ticks = 1, .rotate = {0, 0, nan}},
        {.verb = OCT_VERB_DO},
        {.verb = OCT_VERB_DO, .name = "slot", .number = nan},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(oct_game_act(&g.game, 0, &refused[i], NULL), OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_game_turn(&g.game, 0, &refused[i], NULL), OCT_ERROR_ARGUMENT);
    }
    assert_int_equal(g.acts, 0);
    assert_int_equal(g.tick, 0);
    // What a verb does not name is not looked at.
    const oct_action fine[] = {
        {.verb = OCT_VERB_MOVE, .ticks = 1, .move = {1e300, 0, 0}, .rotate = {-1, 1, 0}},
        {.verb = OCT_VERB_MOVE, .ticks = OCT_ACTION_TICKS_MAX},
        {.verb = OCT_VERB_WAIT, .ticks = 1, .move = {nan, 0, 0}},
        {.verb = OCT_VERB_USE, .rotate = {nan, 0, 0}},
        {.verb = OCT_VERB_DO, .name = "boots", .on = true},
        {.verb = OCT_VERB_DO, .name = "remove", .ticks = UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        assert_int_equal(oct_game_act(&g.game, 0, &fine[i], NULL), OCT_OK);
    }
}

static void a_turn_takes_what_its_action_takes(void **state)
{
    (void)state;
    plain_game g = plain(1);
    const oct_verb lasting[] = {OCT_VERB_KEEP, OCT_VERB_WAIT, OCT_VERB_MOVE};
    for (int i = 0; i < 3; i++) {
        const oct_action action = {.verb = lasting[i], .ticks = 17};
        g.tick = 0;
        assert_int_equal(oct_game_turn(&g.game, 0, &action, NULL), OCT_OK);
        assert_int_equal(g.acted_at, 0);
        assert_int_equal(g.tick, 17);
    }
    const oct_action press = {.verb = OCT_VERB_USE, .ticks = 17};
    oct_act came;
    g.tick = 0;
    assert_int_equal(oct_game_turn(&g.game, 0, &press, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_NOT_NOW);
    assert_int_equal(g.tick, 1);
    g.step_result = OCT_ERROR_MEMORY;
    assert_int_equal(oct_game_turn(&g.game, 0, &press, NULL), OCT_ERROR_MEMORY);
}

// ---- games that run on ----

static void a_delay_must_be_one(void **state)
{
    (void)state;
    plain_game g = plain(1);
    oct_game *out = &g.game;
    const uint32_t wrong[][2] = {{0, 5}, {0, 0}, {6, 5}, {1, OCT_ACTION_TICKS_MAX + 1}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(oct_game_delay(&g.game, wrong[i][0], wrong[i][1], 1, NULL, &out),
                         OCT_ERROR_ARGUMENT);
        assert_null(out);
    }
    test_allocator memory;
    test_allocator_init(&memory, 0);
    assert_int_equal(oct_game_delay(&g.game, 1, 5, 1, &memory.allocator, &out), OCT_ERROR_MEMORY);
    assert_null(out);
    assert_int_equal(g.destroyed, 0);
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(oct_game_delay(&g.game, 1, OCT_ACTION_TICKS_MAX, 1, &memory.allocator, &out),
                     OCT_OK);
    oct_game_destroy(out);
    assert_int_equal(g.destroyed, 1);
    test_allocator_check_empty(&memory);
}

static void time_passes_before_each_action_drawn_evenly(void **state)
{
    (void)state;
    enum { MIN = 3, MAX = 12, ACTIONS = 20000 };
    plain_game g = plain(1);
    oct_game *running;
    assert_int_equal(oct_game_delay(&g.game, MIN, MAX, 42, NULL, &running), OCT_OK);
    assert_int_equal(oct_game_describe(running)->delay_min, MIN);
    assert_int_equal(oct_game_describe(running)->delay_max, MAX);
    assert_string_equal(oct_game_describe(running)->game, "plain");
    assert_int_equal(oct_game_describe(&g.game)->delay_max, 0);
    uint32_t counts[MAX + 1] = {0};
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 30};
    for (int i = 0; i < ACTIONS; i++) {
        const uint64_t before = oct_game_tick(running);
        // A turn of a running game lasts no longer than the delay: its movement goes on.
        assert_int_equal(oct_game_turn(running, 0, &move, NULL), OCT_OK);
        const uint64_t passed = oct_game_tick(running) - before;
        assert_true(passed >= MIN && passed <= MAX);
        assert_int_equal(g.acted_at, g.tick);
        counts[passed]++;
    }
    // Each 2000, with a deviation of 42.
    for (int i = MIN; i <= MAX; i++) {
        assert_true(counts[i] > 1800 && counts[i] < 2200);
    }
    oct_game_destroy(running);
}

static void equal_seeds_give_equal_delays_and_hashes(void **state)
{
    (void)state;
    plain_game g[3] = {plain(1), plain(1), plain(1)};
    const uint64_t seeds[3] = {5, 5, 6};
    oct_game *running[3];
    bool differs = false;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(oct_game_delay(&g[i].game, 1, 30, seeds[i], NULL, &running[i]), OCT_OK);
    }
    for (int round = 0; round < 50; round++) {
        const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(oct_game_act(running[i], 0, &wait, NULL), OCT_OK);
        }
        assert_int_equal(g[0].tick, g[1].tick);
        assert_int_equal(oct_game_hash(running[0]), oct_game_hash(running[1]));
        differs |= g[0].tick != g[2].tick;
        // Equal games with other delays to come are not equal.
        g[2].tick = g[0].tick;
        assert_int_not_equal(oct_game_hash(running[0]), oct_game_hash(running[2]));
    }
    assert_true(differs);
    for (int i = 0; i < 3; i++) {
        oct_game_destroy(running[i]);
    }
}

static void what_makes_no_sense_takes_no_time(void **state)
{
    (void)state;
    plain_game g = plain(1);
    oct_game *running;
    oct_self self;
    oct_observation seen;
    uint32_t who;
    assert_int_equal(oct_game_delay(&g.game, 4, 4, 1, NULL, &running), OCT_OK);
    const oct_action none = {.verb = OCT_VERB_MOVE};
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    assert_int_equal(oct_game_act(running, 0, &none, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_act(running, 1, &wait, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_tick(running), 0);
    assert_int_equal(oct_game_join(running, NULL, &who), OCT_OK);
    assert_int_equal(oct_game_players(running), 2);
    assert_int_equal(oct_game_observe(running, 1, &seen), OCT_OK);
    assert_int_equal(oct_game_self(running, 1, &self), OCT_OK);
    assert_int_equal(oct_game_step(running, 3), OCT_OK);
    assert_int_equal(oct_game_tick(running), 3);
    assert_int_equal(oct_game_act(running, 1, &wait, NULL), OCT_OK);
    assert_int_equal(oct_game_tick(running), 7);
    assert_int_equal(g.last_who, 1);
    g.step_result = OCT_ERROR_MEMORY;
    assert_int_equal(oct_game_act(running, 1, &wait, NULL), OCT_ERROR_MEMORY);
    assert_int_equal(g.acts, 1);
    oct_game_destroy(running);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_have_names),
        cmocka_unit_test(every_call_reaches_the_game),
        cmocka_unit_test(nobody_else_plays),
        cmocka_unit_test(actions_that_make_no_sense_are_refused),
        cmocka_unit_test(a_turn_takes_what_its_action_takes),
        cmocka_unit_test(a_delay_must_be_one),
        cmocka_unit_test(time_passes_before_each_action_drawn_evenly),
        cmocka_unit_test(equal_seeds_give_equal_delays_and_hashes),
        cmocka_unit_test(what_makes_no_sense_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
