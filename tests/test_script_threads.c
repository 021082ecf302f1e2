// SPDX-License-Identifier: MIT
// Tests of scripts that several threads play at the same time: as one thread does.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"
#include "thread_support.h"

#define SCRIPTS 3
#define TESTS 9

// Each has some of its own: goals that press, that draw, that fail, that break, that hold to
// something.
static const char *const texts[SCRIPTS] = {
    "world 'room.json'\n"
    "for i = 1, 4 do test('drawn ' .. i, { seed = i, strategy = 'random' }, function()\n"
    "  print(math.random(1000))\n"
    "  return ANYof { SEQ { explore(), FAIL 'x' }, smart_close_to_block 'Target',\n"
    "    close_to { 6, 4, 8 } } end) end\n",
    "world 'room.json'\n"
    "test('links', function() return links_are { Panel = { 'Door' } } end)\n"
    "test('wrong', function() return opens_only('Panel:1', { 'Door' }) end)\n"
    "test('error', function() return CHECK('x', function(a) return a.nothing.x end) end)\n",
    "local shared = include 'shared.lua'\n"
    "world 'room.json'\n"
    "test('included', { cell = 0.4 }, function() return shared() end)\n"
    "test('held', { invariants = { well = function(a) return a.health == 1 end } }, function()\n"
    "  return SEQ { ground_down 'Lamp', smart_close_to_block 'Target' } end)\n",
};

typedef struct game {
    const oct_script *script;
    size_t test;
    oct_result result;
    oct_play_result played;
} game;

static void play_one(void *arg, uint32_t index, uint32_t worker)
{
    (void)worker;
    game *const g = (game *)arg + index;
    const script_limits limits = oct_script_limits_default();
    const oct_play_options options = {.seed = 0};
    g->result = oct_script_play(g->script, g->test, &limits, &options, &g->played);
}

static void write_one(game *g, char *out, size_t size)
{
    assert_int_equal(g->result, OCT_OK);
    script_words(&g->played, out, size);
    oct_play_result_free(&g->played);
}

static void threads_change_nothing(void **state)
{
    const script_limits limits = oct_script_limits_default();
    oct_script *scripts[SCRIPTS];
    game games[TESTS];
    size_t count = 0;
    script_write(*state, "shared.lua", "return function() return explore() end");
    for (size_t i = 0; i < SCRIPTS; i++) {
        char name[32], path[1024];
        oct_error error = {.line = 0};
        snprintf(name, sizeof name, "test%zu.lua", i);
        script_write(*state, name, texts[i]);
        script_path(*state, name, path, sizeof path);
        assert_int_equal(oct_script_open(path, &limits, &scripts[i], &error), OCT_OK);
        for (size_t k = 0; k < oct_script_tests(scripts[i]); k++) {
            assert_true(count < TESTS);
            games[count++] = (game){.script = scripts[i], .test = k};
        }
    }
    assert_int_equal(count, TESTS);
    static char alone[TESTS][2048], together[2048];
    size_t verdicts[OCT_VERDICT_COUNT] = {0};
    for (uint32_t i = 0; i < TESTS; i++) {
        play_one(games, i, 0);
        verdicts[games[i].played.verdict]++;
        write_one(&games[i], alone[i], sizeof alone[i]);
    }
    assert_true(verdicts[OCT_VERDICT_PASS] >= 4 && verdicts[OCT_VERDICT_FAIL] >= 1);
    assert_int_equal(verdicts[OCT_VERDICT_ERROR], 1);
    uint32_t workers = 4;
    test_run_threads(&workers, TESTS, play_one, games);
    for (size_t i = 0; i < TESTS; i++) {
        write_one(&games[i], together, sizeof together);
        assert_string_equal(together, alone[i]);
    }
    for (size_t i = 0; i < SCRIPTS; i++) {
        oct_script_close(scripts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_change_nothing, script_setup, script_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
