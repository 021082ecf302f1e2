// SPDX-License-Identifier: MIT
#include "bench/puzzles.h"
#include "agent/agent_internal.h"
#include "agent/links_internal.h"

typedef struct stage {
    const puzzle_def *def;
    puzzle_result *out;
} stage;

static oct_goal *make_goal(void *ctx)
{
    const stage *const s = ctx;
    if (s->def->learns) {
        return oct_goal_links_are(NULL, NULL, 0);
    }
    const oct_pick target = {.by_id = true, .id = s->out->truth.target, .what = "the target"};
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

static void judge_link(const oct_agent *agent, const oct_puzzle_button *button, uint64_t id,
                       puzzle_result *out)
{
    uint32_t door;
    if (!door_of(&out->truth, id, &door)) {
        out->untrue++; // of something that is no door
        return;
    }
    const oct_link_kind kind =
        oct_agent_link(agent, (oct_button){button->panel, button->number}, id);
    const oct_link_kind is =
        button->toggles >> door & 1u ? OCT_LINK_KIND_TOGGLES : OCT_LINK_KIND_NOTHING;
    out->learned += kind != OCT_LINK_KIND_UNDECIDED;
    out->untrue += kind != OCT_LINK_KIND_UNDECIDED && kind != is;
}

// Links that can be learned and are not decided.
static uint32_t count_missed(const oct_agent *agent, const oct_puzzle_truth *truth)
{
    uint32_t missed = 0;
    for (uint32_t b = 0; b < truth->buttons; b++) {
        const oct_puzzle_button *const button = &truth->button[b];
        const oct_button which = {button->panel, button->number};
        for (uint32_t d = 0; d < truth->doors; d++) {
            missed += (button->learnable >> d & 1u) != 0 &&
                      oct_agent_link(agent, which, truth->door[d]) == OCT_LINK_KIND_UNDECIDED;
        }
    }
    return missed;
}

static void judge_links(void *ctx, const oct_agent *agent)
{
    puzzle_result *const out = ((const stage *)ctx)->out;
    const oct_links *const links = oct_belief_links(oct_agent_belief(agent));
    const oct_puzzle_truth *const truth = &out->truth;
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button is = oct_links_button(links, i);
        for (uint32_t b = 0; b < truth->buttons; b++) {
            if (truth->button[b].panel != is.panel || truth->button[b].number != is.number) {
                continue;
            }
            for (uint32_t d = 0; d < oct_links_doors(links); d++) {
                judge_link(agent, &truth->button[b], oct_links_door(links, d), out);
            }
        }
    }
    out->missed = count_missed(agent, truth);
}

// ---- a run ----

static oct_result play(stage *s, oct_world *world)
{
    const bool learns = s->def->learns;
    puzzle_result *const out = s->out;
    const bench_play_def def = {.world = world,
                                .agents = 1,
                                .seed = s->def->puzzle.seed,
                                .goal = make_goal,
                                .judge_links = judge_links,
                                .ctx = s};
    OCT_TRY(oct_bench_play(&def, &out->played));
    const oct_verdict right = out->truth.solvable ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL;
    out->is_right = learns ? out->missed == 0 : out->played.verdict == right;
    return OCT_OK;
}

oct_result oct_puzzle_play(const puzzle_def *def, puzzle_result *out)
{
    *out = (puzzle_result){.played = {.verdict = OCT_VERDICT_ERROR}};
    oct_world *world;
    OCT_TRY(oct_puzzle_generate(&def->puzzle, NULL, &world, &out->truth));
    stage s = {def, out};
    const oct_result result = play(&s, world);
    oct_world_destroy(world);
    return result;
}
