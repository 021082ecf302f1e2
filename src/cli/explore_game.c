// SPDX-License-Identifier: MIT
// octant explore --game: an agent explores a level of a game of another program. It has a body and
// obeys the game, so that this is a test whose goal is to explore, and the result is its own.
#include "cli/explore.h"
#include "cli/games.h"

#include "octant/play_test.h"

#include <stdlib.h>

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx;
    (void)agent;
    *goal = oct_goal_explore(NULL);
    return *goal ? OCT_OK : OCT_ERROR_MEMORY;
}

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_cli_now_ms() * NS_A_MS);
}

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

static const char *status_of(const oct_play_result *r)
{
    return r->verdict == OCT_VERDICT_PASS ? "explored" : "budget";
}

static int print_json(const explore_game *e, const oct_play_result *r)
{
    const oct_agent_times *const t = &r->times;
    char reason[1024], output[12300];
    return oct_cli_print_json(json_pack(
        "{s:s, s:s, s:I, s:f, s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:s, s:f, s:f, s:I, s:s}",
        "status", status_of(r), "reason", oct_words_copy(r->reason, reason, sizeof reason), "turns",
        (json_int_t)r->turns, "game_s", (double)r->ticks / r->rate, "looks", (json_int_t)t->looks,
        "observe_ms", (double)t->game / NS_A_MS, "planning_ms",
        (double)(t->exploring + t->pathfinding + t->steering) / NS_A_MS, "mapping_ms",
        (double)t->adding / NS_A_MS, "explored", r->explored, "open", (json_int_t)r->open,
        "blocked", (json_int_t)r->blocked, "unknown", (json_int_t)r->unknown, "sight",
        r->sight == OCT_SIGHT_LINE ? "line" : "through", "radius", r->view, "cell", e->cell, "seed",
        (json_int_t)r->seed, "output", oct_words_copy(e->output, output, sizeof output)));
}

static void print_text(const explore_game *e, const oct_play_result *r)
{
    const oct_agent_times *const t = &r->times;
    printf("%s: %s%s%s\n", CLI_SHOWN(e->game->text), status_of(r), r->reason[0] ? ": " : "",
           CLI_SHOWN(r->reason));
    printf("  %llu turns, %.1f s of the game; %llu looks\n", (unsigned long long)r->turns,
           (double)r->ticks / r->rate, (unsigned long long)t->looks);
    printf("  cells of %g m: %llu open, %llu blocked, %llu unknown; explored %.3g %%\n", e->cell,
           (unsigned long long)r->open, (unsigned long long)r->blocked,
           (unsigned long long)r->unknown, r->explored * 100.0);
    printf("  %.4g ms in the game, %.4g ms of mapping, %.4g ms of planning\n",
           (double)t->game / NS_A_MS, (double)t->adding / NS_A_MS,
           (double)(t->exploring + t->pathfinding + t->steering) / NS_A_MS);
}

static int tell(explore_game *e, const oct_play_result *r)
{
    if (r->is_interrupted) {
        oct_cli_complain("%s: interrupted after %llu turns", e->game->text,
                         (unsigned long long)r->turns);
        return CLI_INTERRUPTED;
    }
    if (r->verdict == OCT_VERDICT_ERROR) {
        return oct_cli_complain("%s: %s", e->game->text, r->reason);
    }
    if (e->json) {
        CLI_TRY(print_json(e, r));
    } else {
        print_text(e, r);
    }
    return r->verdict == OCT_VERDICT_PASS ? CLI_YES : CLI_NO;
}

static int play(explore_game *e, cli_games *games)
{
    oct_test_def test = oct_test_def_default();
    oct_test_agent agent = oct_test_agent_default();
    agent.agent.name = "explorer";
    agent.agent.belief.cell = e->has_cell ? e->cell : agent.agent.belief.cell;
    agent.start = e->has_start ? &e->start : NULL;
    agent.begin = begin;
    test.world_name = e->level ? e->level : "the game";
    test.level = e->level;
    test.view = e->view;
    test.has_sight = e->has_sight;
    test.sight = e->sight;
    test.lives = 1;
    test.agents = &agent;
    test.agent_count = 1;
    const oct_play_options options = {.seed = e->seed,
                                      .memory = e->memory,
                                      .game = oct_cli_games_source(games, 0),
                                      .clock = clock_ns,
                                      .stops = is_stopped};
    oct_play_result result;
    oct_cli_catch_signals();
    const oct_result played = oct_play_test(&test, &options, &result);
    oct_cli_release_signals();
    CLI_TRY(oct_cli_check(e->game->text, played));
    e->output = oct_cli_games_output(games, 0);
    e->cell = result.cell;
    const int code = tell(e, &result);
    oct_play_result_free(&result);
    return code;
}

int oct_cli_explore_game(explore_game *e)
{
    cli_games *games;
    CLI_TRY(oct_cli_games_open("explore", e->game, e->patience, e->memory, &games));
    int code = oct_cli_games_begin(games, 1);
    if (code == CLI_YES) {
        code = play(e, games);
    }
    oct_cli_games_close(games);
    return code;
}
