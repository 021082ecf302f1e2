// SPDX-License-Identifier: MIT
#include "bench/puzzles.h"
#include "agent/agent_internal.h"
#include "agent/links_internal.h"

#include "bench/bench.h"
#include "octant/block_world.h"

#include <stdio.h>

// A run that takes longer has failed, turns.
#define TURNS_MAX 200000u

static uint64_t now_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_bench_now_s() * 1e9);
}

static oct_goal *goal_of(const puzzle_def *def, const puzzle_result *out)
{
    if (def->learns) {
        return oct_goal_links_are(NULL, NULL, 0);
    }
    const oct_pick target = {.by_id = true, .id = out->truth.target, .what = "the target"};
    return oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
}

// ---- what was learned ----

static bool door_of(const oct_puzzle_truth *truth, uint64_t id, uint32_t *door)
{
    for (*door = 0; *door < truth->doors; ++*door) {
        if (truth->door[*door] == id) {
            return true;
        }
    }
    return false;
}

static void judge_link(const oct_links *links, const oct_puzzle_button *button, uint32_t index,
                       uint32_t door_index, puzzle_result *out)
{
    uint32_t door;
    if (!door_of(&out->truth, oct_links_door(links, door_index), &door)) {
        out->untrue++; // of something that is no door
        return;
    }
    const oct_link link = oct_links_get(links, index, door_index);
    const bool is_linked = button->toggles >> door & 1u;
    out->learned += link == OCT_LINK_YES || link == OCT_LINK_NO;
    out->untrue += link == (is_linked ? OCT_LINK_NO : OCT_LINK_YES) || link == OCT_LINK_ODD;
}

// Links that can be learned and are not decided.
static uint32_t count_missed(const oct_links *links, const oct_puzzle_truth *truth)
{
    uint32_t missed = 0;
    for (uint32_t b = 0; b < truth->buttons; b++) {
        const oct_puzzle_button *const button = &truth->button[b];
        uint32_t index, door_index;
        const bool is_known =
            oct_links_find_button(links, (oct_button){button->panel, button->number}, &index);
        for (uint32_t d = 0; d < truth->doors; d++) {
            if (button->learnable >> d & 1u) {
                missed += !is_known || !oct_links_find_door(links, truth->door[d], &door_index) ||
                          oct_links_get(links, index, door_index) == OCT_LINK_UNDECIDED;
            }
        }
    }
    return missed;
}

static void judge_links(const oct_links *links, puzzle_result *out)
{
    const oct_puzzle_truth *const truth = &out->truth;
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button is = oct_links_button(links, i);
        out->presses += oct_links_presses(links, i);
        for (uint32_t b = 0; b < truth->buttons; b++) {
            if (truth->button[b].panel != is.panel || truth->button[b].number != is.number) {
                continue;
            }
            for (uint32_t d = 0; d < oct_links_doors(links); d++) {
                judge_link(links, &truth->button[b], i, d, out);
            }
        }
    }
    out->missed = count_missed(links, truth);
}

// ---- a run ----

static void judge(const puzzle_def *def, const oct_agent *agent, puzzle_result *out)
{
    const char *reason;
    out->verdict = oct_agent_verdict(agent, &reason);
    (void)snprintf(out->reason, sizeof out->reason, "%s", reason);
    const oct_belief *const belief = oct_agent_belief(agent);
    judge_links(oct_belief_links(belief), out);
    const oct_verdict right = out->truth.solvable ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL;
    out->is_right =
        def->learns ? out->missed == 0 && oct_agent_has_ended(agent) : out->verdict == right;
    const oct_agent_times times = oct_agent_spent(agent);
    out->turns = oct_agent_turns(agent);
    out->bumps = oct_belief_self(belief)->bumps;
    out->game_s = (double)oct_game_tick(oct_agent_game(agent)) / OCT_TICKS;
    out->spent_s = 1e-9 * (double)times.all;
    out->thought_s = 1e-9 * (double)(times.initialising + times.adding + times.pathfinding +
                                     times.exploring + times.steering);
}

static oct_result play(const puzzle_def *def, oct_game *game, puzzle_result *out)
{
    oct_agent_def agent_def = oct_agent_def_default();
    agent_def.game = game;
    agent_def.seed = def->puzzle.seed;
    agent_def.clock = now_ns;
    oct_agent *agent;
    OCT_TRY(oct_agent_create(&agent_def, &agent));
    oct_result result = oct_agent_pursue(agent, goal_of(def, out));
    while (result == OCT_OK && !oct_agent_has_ended(agent) && oct_agent_turns(agent) < TURNS_MAX) {
        oct_goal_status ignored;
        result = oct_agent_turn(agent, &ignored);
    }
    if (result == OCT_OK) {
        judge(def, agent, out);
    }
    oct_agent_destroy(agent);
    return result;
}

oct_result oct_puzzle_play(const puzzle_def *def, puzzle_result *out)
{
    *out = (puzzle_result){.verdict = OCT_VERDICT_ERROR};
    oct_world *world;
    oct_game *game;
    OCT_TRY(oct_puzzle_generate(&def->puzzle, NULL, &world, &out->truth));
    oct_result result = oct_block_world_create(&(oct_block_world_def){world, NULL}, &game);
    oct_world_destroy(world);
    if (result == OCT_OK) {
        result = play(def, game, out);
        oct_game_destroy(game);
    }
    return result;
}
