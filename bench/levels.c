// SPDX-License-Identifier: MIT
#include "bench/levels.h"

#include "agent/agent_internal.h"
#include "agent/links_internal.h"
#include "bench/bench.h"
#include "octant/block_world.h"

#include <stdio.h>
#include <stdlib.h>

// What a test may take at most, seconds of the game.
#define SECONDS_MAX 7200u

typedef struct stage {
    const oct_level_def *def;
    oct_level_truth truth;
    oct_game *game;
    oct_agent *agents[OCT_LEVEL_AGENTS_MAX];
    uint32_t count; // of agents
} stage;

static uint64_t now_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_bench_now_s() * 1e9);
}

bool oct_level_is_false(const level_result *result)
{
    return result->verdict == (result->solvable ? OCT_VERDICT_FAIL : OCT_VERDICT_PASS);
}

// ---- what was learned ----

static const oct_level_effect *effect_of(const oct_level_truth *truth, oct_button button,
                                         uint64_t door)
{
    for (uint32_t b = 0; b < truth->buttons; b++) {
        for (uint32_t d = 0; d < truth->doors; d++) {
            if (truth->button[b].panel == button.panel &&
                truth->button[b].number == button.number && truth->door[d] == door) {
                return &truth->effect[b][d];
            }
        }
    }
    return NULL;
}

// A link is told as a toggle or as nothing; all else that is certain would not be true.
static void judge_link(const oct_level_effect *effect, oct_link link, level_result *out)
{
    if (link == OCT_LINK_YES || link == OCT_LINK_NO) {
        const oct_level_action told = link == OCT_LINK_YES ? OCT_LEVEL_TOGGLE : OCT_LEVEL_NOTHING;
        out->learned++;
        out->untrue += !effect || effect->action != told;
    }
}

static void judge_links(const oct_level_truth *truth, const oct_links *links, level_result *out)
{
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        out->presses += oct_links_presses(links, i);
        for (uint32_t d = 0; d < oct_links_doors(links); d++) {
            judge_link(effect_of(truth, button, oct_links_door(links, d)),
                       oct_links_get(links, i, d), out);
        }
    }
}

// ---- a run ----

static oct_result add_agent(stage *s)
{
    uint32_t who = 0;
    if (s->count > 0) {
        OCT_TRY(oct_game_join(s->game, &s->truth.start[s->count], &who));
    }
    const oct_pick target = {.by_id = true, .id = s->truth.target, .what = "the target"};
    oct_agent_def def = oct_agent_def_default();
    def.game = s->game;
    def.who = who;
    def.seed = s->def->seed;
    def.clock = now_ns;
    OCT_TRY(oct_agent_create(&def, &s->agents[s->count]));
    return oct_agent_pursue(s->agents[s->count++],
                            oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0));
}

// A test ends with the first agent that does not pass, or when all have.
static bool has_ended(const stage *s)
{
    bool all = true;
    for (uint32_t i = 0; i < s->count; i++) {
        const char *ignored;
        const bool ended = oct_agent_has_ended(s->agents[i]);
        if (ended && oct_agent_verdict(s->agents[i], &ignored) != OCT_VERDICT_PASS) {
            return true;
        }
        all = all && ended;
    }
    return all || oct_game_tick(s->game) >= SECONDS_MAX * OCT_TICKS;
}

static void judge_verdict(const stage *s, level_result *out)
{
    out->verdict = OCT_VERDICT_PASS;
    for (uint32_t i = 0; i < s->count; i++) {
        const char *reason;
        const oct_verdict verdict = oct_agent_verdict(s->agents[i], &reason);
        // A fail counts before an agent that had no time to end.
        if (verdict != OCT_VERDICT_PASS && out->verdict != OCT_VERDICT_FAIL &&
            out->verdict != OCT_VERDICT_ERROR) {
            out->verdict = verdict;
            (void)snprintf(out->reason, sizeof out->reason, "%s", reason);
        }
    }
}

static void judge(const stage *s, level_result *out)
{
    out->solvable = s->truth.solvable;
    judge_verdict(s, out);
    for (uint32_t i = 0; i < s->count; i++) {
        const oct_agent *const agent = s->agents[i];
        const oct_belief *const belief = oct_agent_belief(agent);
        const oct_agent_times times = oct_agent_spent(agent);
        judge_links(&s->truth, oct_belief_links(belief), out);
        out->turns += oct_agent_turns(agent);
        out->bumps += oct_belief_self(belief)->bumps;
        out->spent_s += 1e-9 * (double)times.all;
        out->thought_s += 1e-9 * (double)(times.initialising + times.adding + times.pathfinding +
                                          times.exploring + times.steering);
    }
    out->game_s = (double)oct_game_tick(s->game) / OCT_TICKS;
}

static oct_result play(stage *s, level_result *out)
{
    while (s->count < s->truth.agents) {
        OCT_TRY(add_agent(s));
    }
    while (!has_ended(s)) {
        OCT_TRY(oct_agents_turn(s->agents, s->count));
    }
    judge(s, out);
    return OCT_OK;
}

static oct_result open_stage(stage *s)
{
    oct_world *world;
    OCT_TRY(oct_level_generate(s->def, NULL, &world, &s->truth));
    const oct_result result = oct_block_world_create(&(oct_block_world_def){world, NULL}, &s->game);
    oct_world_destroy(world);
    return result;
}

oct_result oct_level_play(const oct_level_def *def, level_result *out)
{
    *out = (level_result){.verdict = OCT_VERDICT_ERROR};
    stage *const s = calloc(1, sizeof *s);
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    s->def = def;
    oct_result result = open_stage(s);
    if (result == OCT_OK) {
        result = play(s, out);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        oct_agent_destroy(s->agents[i]);
    }
    oct_game_destroy(s->game);
    free(s);
    return result;
}
