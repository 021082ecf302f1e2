// SPDX-License-Identifier: MIT
#include "bench/levels.h"

#include "agent/agent_internal.h"
#include "agent/links_internal.h"

#include <stdlib.h>

typedef struct stage {
    oct_level_truth truth;
    level_result *out;
} stage;

bool oct_level_is_false(const level_result *result)
{
    return result->played.verdict == (result->solvable ? OCT_VERDICT_FAIL : OCT_VERDICT_PASS);
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

// What is undone is none of the kinds: to say that it is one would not be true.
static void judge_link(const oct_level_effect *effect, oct_link_kind kind, level_result *out)
{
    static const oct_level_action told[] = {[OCT_LINK_KIND_NOTHING] = OCT_LEVEL_NOTHING,
                                            [OCT_LINK_KIND_TOGGLES] = OCT_LEVEL_TOGGLE,
                                            [OCT_LINK_KIND_OPENS] = OCT_LEVEL_OPEN,
                                            [OCT_LINK_KIND_SHUTS] = OCT_LEVEL_SHUT};
    if (kind != OCT_LINK_KIND_UNDECIDED) {
        out->learned++;
        out->untrue += !effect || effect->undo > 0 || effect->action != told[kind];
    }
}

static void judge_links(void *ctx, const oct_agent *agent)
{
    const stage *const s = ctx;
    const oct_links *const links = oct_belief_links(oct_agent_belief(agent));
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        for (uint32_t d = 0; d < oct_links_doors(links); d++) {
            const uint64_t door = oct_links_door(links, d);
            judge_link(effect_of(&s->truth, button, door), oct_agent_link(agent, button, door),
                       s->out);
        }
    }
}

// ---- a run ----

static oct_goal *make_goal(void *ctx)
{
    const stage *const s = ctx;
    const oct_pick target = {.by_id = true, .id = s->truth.target, .what = "the target"};
    return oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
}

static oct_result play(stage *s, oct_world *world, uint64_t seed)
{
    oct_point starts[OCT_LEVEL_AGENTS_MAX];
    for (uint32_t i = 0; i < s->truth.agents; i++) {
        starts[i] = s->truth.start[i].position;
    }
    const bench_play_def def = {.world = world,
                                .starts = starts,
                                .agents = s->truth.agents,
                                .seed = seed,
                                .goal = make_goal,
                                .judge_links = judge_links,
                                .ctx = s};
    s->out->solvable = s->truth.solvable;
    return oct_bench_play(&def, &s->out->played);
}

oct_result oct_level_play(const oct_level_def *def, level_result *out)
{
    *out = (level_result){.played = {.verdict = OCT_VERDICT_ERROR}};
    stage *const s = calloc(1, sizeof *s);
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    s->out = out;
    oct_world *world;
    oct_result result = oct_level_generate(def, NULL, &world, &s->truth);
    if (result == OCT_OK) {
        result = play(s, world, def->seed);
        oct_world_destroy(world);
    }
    free(s);
    return result;
}
