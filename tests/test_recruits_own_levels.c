// SPDX-License-Identifier: MIT
// The levels of worlds/lab are what docs/testers/lab-world.md says: read without a warning, and
// solved by the presses that it names, not without them.
#include "octant/agent.h"
#include "octant/tactics.h"
#include "recruits_walker.h"

#define OWN_LEVELS OCT_SOURCE_DIR "/worlds/lab/"

static void no_warning(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    fail_msg("%s:%u:%u: %s", (const char *)ctx, line, cell, message);
}

static oct_game *open_level(const char *name)
{
    char path[1000];
    size_t size;
    oct_recruits_level *level;
    snprintf(path, sizeof path, OWN_LEVELS "%s.csv", name);
    char *const data = test_read_file(path, &size);
    const oct_recruits_reading how = {.warn = no_warning, .ctx = path};
    assert_int_equal(oct_recruits_level_read(data, size, &how, &level, NULL), OCT_OK);
    free(data);
    return recruits_game(level);
}

typedef struct level_step {
    uint32_t who;
    const char *press; // a button that it walks to and presses; NULL = it only goes
    const char *to;
    bool comes; // whether it gets there
} level_step;

typedef struct own_level {
    const char *name;
    level_step steps[10];
} own_level;

static const own_level levels[] = {
    {"button_and_door",
     {{0, NULL, "flag1", false}, {0, "button1", NULL, true}, {0, NULL, "flag1", true}}},
    {"over_the_upper_floor", {{0, "bell", NULL, true}}},
    {"closing_fence",
     {{0, NULL, "far_side", true}, {0, "latch", NULL, true}, {0, NULL, "far_side", true}}},
    {"candle", {{0, NULL, "candle", true}}},
    {"colours", {{0, "red", NULL, true}, {0, "green", NULL, true}, {0, "blue", NULL, true}}},
    {"through_fire",
     {{0, NULL, "Finish", false}, {0, "button1", NULL, true}, {0, NULL, "Finish", true}}},
    {"two_agents",
     {{0, NULL, "flag1", false},
      {0, "button2", NULL, true},
      {1, "button1", NULL, true},
      {0, NULL, "flag1", true}}},
    {"guarded", {{0, NULL, "flag1", false}, {0, "button1", NULL, true}, {0, NULL, "flag1", true}}},
    {"patrol", {{0, "button1", NULL, true}}},
    {"tower",
     {{0, NULL, "button2", false},
      {0, "button1", NULL, true},
      {0, NULL, "button3", false},
      {0, "button2", NULL, true},
      {0, NULL, "Finish", false},
      {0, "button3", NULL, true},
      {0, NULL, "Finish", true}}},
};

static void play_level(const own_level *level)
{
    oct_game *const game = open_level(level->name);
    walker w = walker_of(game);
    for (const level_step *s = level->steps; s->press || s->to; s++) {
        const bool came = s->press ? walk_and_press(&w, game, s->who, s->press)
                                   : walk_to(&w, game, s->who, s->to);
        if (came != s->comes) {
            const oct_point feet = feet_of(game, s->who);
            fail_msg("%s: %s: %d, at %.2f %.2f %.2f", level->name, s->press ? s->press : s->to,
                     came, feet.x, feet.y, feet.z);
        }
    }
    walker_free(&w);
    oct_game_destroy(game);
}

static void they_are_solved_by_their_presses_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        play_level(&levels[i]);
    }
}

static void around_the_fence_the_way_is_longer(void **state)
{
    (void)state;
    uint64_t ticks[2];
    for (int i = 0; i < 2; i++) {
        oct_game *const game = open_level("closing_fence");
        walker w = walker_of(game);
        assert_true(thing_named(game, "fence")->is_on);
        assert_true(i == 0 || walk_and_press(&w, game, 0, "latch"));
        assert_int_equal(thing_named(game, "fence")->is_on, i == 0);
        const uint64_t begin = oct_game_tick(game);
        assert_true(walk_to(&w, game, 0, "far_side"));
        ticks[i] = oct_game_tick(game) - begin;
        walker_free(&w);
        oct_game_destroy(game);
    }
    assert_true(2 * ticks[1] > 3 * ticks[0]);
}

static void the_screen_becomes_white(void **state)
{
    (void)state;
    oct_game *const game = open_level("colours");
    walker w = walker_of(game);
    assert_true(walk_and_press(&w, game, 0, "red") && walk_and_press(&w, game, 0, "green"));
    assert_string_equal(thing_named(game, "screen")->colour_text, "#ffff00");
    assert_true(walk_and_press(&w, game, 0, "blue"));
    assert_string_equal(thing_named(game, "screen")->colour_text, "#ffffff");
    walker_free(&w);
    oct_game_destroy(game);
}

static void the_fire_cannot_be_gone_around(void **state)
{
    (void)state;
    oct_game *const game = open_level("through_fire");
    walker w = walker_of(game);
    assert_true(walk_to(&w, game, 0, "button1"));
    assert_true(agent_at(oct_recruits_inside(game), 0)->health < 100);
    walker_free(&w);
    oct_game_destroy(game);
}

// ---- played by agents, who know nothing of them ----

static void agents_find_the_flag(void **state)
{
    static const char *const names[][2] = {{"button_and_door", "flag1"},
                                           {"closing_fence", "far_side"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        oct_game *const game = open_level(names[i][0]);
        oct_agent_def def = oct_agent_def_default();
        oct_agent *agent;
        const char *why;
        const oct_pick pick = {.name = names[i][1]};
        def.game = game;
        def.move = OCT_MOVE_WALK;
        assert_int_equal(oct_agent_create(&def, &agent), OCT_OK);
        assert_int_equal(oct_agent_pursue(agent, oct_goal_touched(NULL, &pick)), OCT_OK);
        for (int turn = 0; turn < 500 && !oct_agent_has_ended(agent); turn++) {
            assert_int_equal(oct_agent_turn(agent, NULL), OCT_OK);
        }
        if (oct_agent_verdict(agent, &why) != OCT_VERDICT_PASS) {
            fail_msg("%s: %s", names[i][0], why);
        }
        assert_true(agent_at(oct_recruits_inside(game), 0)->score >= 100);
        oct_agent_destroy(agent);
        oct_game_destroy(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_solved_by_their_presses_alone),
        cmocka_unit_test(around_the_fence_the_way_is_longer),
        cmocka_unit_test(the_screen_becomes_white),
        cmocka_unit_test(the_fire_cannot_be_gone_around),
        cmocka_unit_test(agents_find_the_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
