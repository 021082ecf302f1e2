// SPDX-License-Identifier: MIT
#include "bench/played.h"
#include "bench/bench.h"
#include "octant/block_world.h"
#include "octant/proof_check.h"

#include <stdio.h>
#include <string.h>

// What a test may take at most, seconds of the game.
#define SECONDS_MAX 7200.0

typedef struct stage {
    const bench_play_def *def;
    bench_played *out;
    uint64_t bumps[PLAYED_AGENTS_MAX]; // in this life, so far
} stage;

static uint64_t now_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_bench_now_s() * 1e9);
}

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    const stage *const s = ctx;
    (void)agent;
    *goal = s->def->goal(s->def->ctx);
    return *goal ? OCT_OK : OCT_ERROR_MEMORY;
}

static void begin_life(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count)
{
    stage *const s = ctx;
    (void)world;
    (void)agents;
    (void)count;
    memset(s->bumps, 0, sizeof s->bumps);
}

static void take_turn(void *ctx, oct_agent *const *agents, size_t count)
{
    stage *const s = ctx;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bumps = oct_belief_self(oct_agent_belief(agents[i]))->bumps;
        s->out->bumps += bumps - s->bumps[i];
        s->bumps[i] = bumps;
    }
}

static void end(void *ctx, oct_agent *const *agents, size_t count)
{
    const stage *const s = ctx;
    for (size_t i = 0; i < count; i++) {
        s->def->judge_links(s->def->ctx, agents[i]);
    }
}

static void judge(const oct_play_result *r, bench_played *out)
{
    const oct_agent_times *const t = &r->times;
    out->verdict = r->verdict;
    out->proofs = r->verdict == OCT_VERDICT_ERROR ? 0 : (uint32_t)r->proof_count;
    (void)snprintf(out->reason, sizeof out->reason, "%s", r->reason);
    out->turns = r->turns;
    out->lives = (uint32_t)r->life_count;
    for (size_t i = 0; i < r->life_count; i++) {
        out->presses += r->lives[i].presses;
    }
    out->game_s = (double)r->ticks / OCT_BLOCK_WORLD_RATE;
    out->spent_s = 1e-9 * (double)t->all;
    out->thought_s =
        1e-9 * (double)(t->initialising + t->adding + t->pathfinding + t->exploring + t->steering);
}

oct_result oct_bench_play(const bench_play_def *def, bench_played *out)
{
    *out = (bench_played){.verdict = OCT_VERDICT_ERROR};
    stage s = {.def = def, .out = out};
    oct_test_agent agents[PLAYED_AGENTS_MAX];
    char names[PLAYED_AGENTS_MAX][8];
    for (uint32_t i = 0; i < def->agents; i++) {
        agents[i] = oct_test_agent_default();
        (void)snprintf(names[i], sizeof names[i], "a%u", (i + 1) % 100);
        agents[i].agent.name = names[i];
        agents[i].agent.seed = def->seed;
        agents[i].start = i > 0 ? &def->starts[i] : NULL;
        agents[i].begin = begin;
        agents[i].ctx = &s;
    }
    oct_test_def test = oct_test_def_default();
    test.world = def->world;
    test.seconds = SECONDS_MAX;
    test.agents = agents;
    test.agent_count = def->agents;
    const oct_play_watch watch = {
        .ctx = &s, .begins = begin_life, .turned = take_turn, .ends = end};
    const oct_play_options options = {
        .clock = now_ns, .watches = &watch, .watch_count = 1, .monitors = true};
    oct_play_result r;
    OCT_TRY(oct_play_test(&test, &options, &r));
    bool are_accepted;
    const oct_result result = oct_proof_check_result(&r, &are_accepted);
    judge(&r, out);
    oct_play_result_free(&r);
    return result;
}
