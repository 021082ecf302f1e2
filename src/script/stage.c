// SPDX-License-Identifier: MIT
// The stage of a test: its world, the game made of it, and the agents that play.
#include "script/script_internal.h"

#include "files/files_internal.h"

#include <stdio.h>

#define PATH_SIZE 4096
#define NEAR_M 200.0 // grids so near to a start are what there is to explore

// ---- the world ----

static void note_warning(void *ctx, const char *message)
{
    oct_host_note(ctx, message);
}

static oct_result load_world(stage *s, const char *path, oct_error *error)
{
    host *const h = s->host;
    char sizes_path[PATH_SIZE];
    oct_world *sizes = NULL;
    oct_result result = OCT_OK;
    if (oct_save_is_named(path) && oct_block_sizes_find(path, sizes_path, sizeof sizes_path)) {
        result = oct_block_sizes_load(sizes_path, &h->base, &sizes, error);
    }
    if (result == OCT_OK) {
        const oct_world_extras extras = {sizes, note_warning, h};
        result = oct_world_load(path, &extras, &h->base, &s->world, NULL, error);
    }
    oct_world_destroy(sizes);
    return result;
}

static oct_result open_world(stage *s)
{
    host *const h = s->host;
    const char *const name = h->test->world;
    char path[PATH_SIZE];
    oct_error error = {.line = 0};
    if (!oct_script_find(h->script, name, path, sizeof path)) {
        oct_host_fail(
            h, "there is no world '%s' beside the script, above, or in the working folder", name);
        return OCT_OK;
    }
    const oct_result result = load_world(s, path, &error);
    if (result != OCT_OK && result != OCT_ERROR_MEMORY) {
        if (error.line > 0) {
            oct_host_fail(h, "%s:%u: %s", name, error.line, error.message);
        } else {
            oct_host_fail(h, "%s: %s", name,
                          error.message[0] ? error.message : oct_result_text(result));
        }
        return OCT_OK;
    }
    return result;
}

// Where somebody starts who only has a place: as the world's start looks, or upright.
static oct_pose pose_at(const oct_world *world, oct_point at)
{
    oct_pose pose;
    if (!oct_world_start(world, &pose)) {
        const oct_up up = oct_world_up(world);
        pose.up = (oct_point){up == OCT_UP_X, up == OCT_UP_Y, up == OCT_UP_Z};
        pose.forward = up == OCT_UP_X ? (oct_point){0, 1, 0} : (oct_point){1, 0, 0};
    }
    pose.position = at;
    return pose;
}

static const agent_plan *plan_of(const host *h, size_t index)
{
    return &((const player *)h->players.items)[index].plan;
}

// The first player is the world's own.
static oct_result set_rules(stage *s)
{
    const host *const h = s->host;
    const test_plan *const plan = &h->test->plan;
    oct_world_rules rules = oct_world_rules_of(s->world);
    rules.view = plan->has_view ? plan->view : rules.view;
    rules.sight = plan->has_sight ? plan->sight : rules.sight;
    OCT_TRY(oct_world_set_rules(s->world, &rules));
    const agent_plan *const first = plan_of(h, 0)->has_start ? plan_of(h, 0) : &plan->agent;
    if (first->has_start) {
        const oct_pose pose = pose_at(s->world, first->start);
        OCT_TRY(oct_world_set_start(s->world, &pose));
    }
    return OCT_OK;
}

// ---- the game ----

static oct_result make_game(stage *s)
{
    const host *const h = s->host;
    const test_plan *const plan = &h->test->plan;
    oct_game *delayed;
    OCT_TRY(set_rules(s));
    OCT_TRY(oct_block_world_create(s->world, &h->base, &s->game));
    if (plan->has_delay) {
        OCT_TRY(
            oct_game_delay(s->game, plan->delay[0], plan->delay[1], s->seed, &h->base, &delayed));
        s->game = delayed;
    }
    return OCT_OK;
}

static oct_result open_game(stage *s)
{
    oct_pose start;
    const oct_result result = make_game(s);
    if (result != OCT_OK && result != OCT_ERROR_MEMORY) {
        oct_host_fail(s->host, "%s cannot be played: %s", s->host->test->world,
                      oct_result_text(result));
    } else if (result == OCT_OK && !oct_world_start(s->world, &start)) {
        oct_host_fail(s->host, "%s has no start: say start = {x, y, z}", s->host->test->world);
    } else if (result == OCT_OK && oct_game_players(s->game) == 0) {
        const oct_point at = start.position;
        oct_host_fail(s->host, "%s: there is no room for a body at the start, %g, %g, %g",
                      s->host->test->world, at.x, at.y, at.z);
    }
    return result == OCT_ERROR_MEMORY ? result : OCT_OK;
}

// ---- agents ----

static void on_event(void *ctx, const oct_mind_event *event)
{
    const player *const p = ctx;
    const play_watch *const watch = p->host->watch;
    if (watch->event) {
        watch->event(watch->ctx, (size_t)(p - (const player *)p->host->players.items), event);
    }
}

static oct_result join(stage *s, size_t index, uint32_t *who)
{
    host *const h = s->host;
    const agent_plan *const plan = plan_of(h, index);
    *who = 0;
    if (index == 0) {
        return OCT_OK;
    }
    const oct_pose pose = pose_at(s->world, plan->start);
    const oct_result result = oct_game_join(s->game, plan->has_start ? &pose : NULL, who);
    if (result == OCT_ERROR_RANGE) {
        oct_host_fail(h, "there is no room for agent '%s' at its start",
                      ((const player *)h->players.items)[index].name);
        return OCT_OK;
    }
    return result;
}

// What an agent's own options say, else those of the test.
static void apply_plan(const agent_plan *plan, oct_agent_def *def)
{
    def->belief.structure = plan->has_structure ? plan->structure : def->belief.structure;
    def->belief.cell = plan->has_cell ? plan->cell : def->belief.cell;
    def->belief.padding = plan->has_padding ? plan->padding : def->belief.padding;
    def->belief.settle = plan->has_settle ? oct_ticks_of(plan->settle) : def->belief.settle;
    def->facing = plan->has_facing ? plan->facing : def->facing;
    def->strategy = plan->has_strategy ? plan->strategy : def->strategy;
    def->bounds = plan->has_bounds ? &plan->bounds : def->bounds;
    def->ticks = plan->has_ticks ? plan->ticks : def->ticks;
}

// Space has no end: where nobody says how far to go it is as far as one sees beyond what is near.
static oct_result near_bounds(const stage *s, oct_point at, oct_bounds *out)
{
    const double view = oct_world_rules_of(s->world).view;
    OCT_TRY(oct_world_extent_near(s->world, at, NEAR_M, out));
    out->min = (oct_point){out->min.x - view, out->min.y - view, out->min.z - view};
    out->max = (oct_point){out->max.x + view, out->max.y + view, out->max.z + view};
    return OCT_OK;
}

// What would only come out with the first look, as "out of range".
static void check_def(const stage *s, const oct_agent_def *def, oct_point at)
{
    const oct_bounds *const b = def->bounds;
    const oct_world_rules rules = oct_world_rules_of(s->world);
    if (!(at.x >= b->min.x && at.y >= b->min.y && at.z >= b->min.z && at.x <= b->max.x &&
          at.y <= b->max.y && at.z <= b->max.z)) {
        oct_host_fail(s->host, "agent '%s' starts outside of its bounds, at %.1f, %.1f, %.1f",
                      def->name, at.x, at.y, at.z);
    } else if (rules.sight == OCT_SIGHT_LINE &&
               rules.view > def->belief.cell * OCT_SIGHT_CELLS_MAX) {
        oct_host_fail(s->host,
                      "a view of %g m is more than %d cells of %g m: say a smaller view, or a "
                      "larger cell",
                      rules.view, OCT_SIGHT_CELLS_MAX, def->belief.cell);
    }
}

static oct_result make_agent(stage *s, size_t index, const play_options *options)
{
    host *const h = s->host;
    player *const p = (player *)h->players.items + index;
    oct_agent_def def = oct_agent_def_default();
    oct_bounds bounds;
    oct_self self;
    OCT_TRY(join(s, index, &def.who));
    if (h->has_failed) {
        return OCT_OK;
    }
    OCT_TRY(oct_game_self(s->game, def.who, &self));
    OCT_TRY(near_bounds(s, self.centre, &bounds));
    p->seed = p->plan.has_seed && options->seed == 0 ? p->plan.seed : s->seed + index;
    def.game = s->game;
    def.name = p->name;
    def.role = p->role;
    def.post = s->post;
    def.bounds = &bounds;
    apply_plan(&h->test->plan.agent, &def);
    apply_plan(&p->plan, &def);
    def.belief.structure = options->has_structure ? options->structure : def.belief.structure;
    def.belief.executor = options->executor;
    def.seed = p->seed;
    def.clock = options->clock;
    def.clock_ctx = options->clock_ctx;
    def.event = on_event;
    def.event_ctx = p;
    def.allocator = &h->base;
    check_def(s, &def, self.centre);
    return h->has_failed ? OCT_OK : oct_agent_create(&def, &p->agent);
}

// Says so where the options make a map on which passages may be shut that are none. Two cells must
// fit between walls that are padded (docs/engine/things.md). A passage is a cell of a grid, where
// the world does not say what it is.
static void check_passages(const stage *s, const player *p)
{
    const agent_plan *const test = &s->host->test->plan.agent;
    const oct_map *const map = oct_belief_map(oct_agent_belief(p->agent));
    const double cell = oct_map_cell_size(map), padding = oct_map_padding(map).x;
    double passage = oct_world_passage(s->world);
    for (uint32_t i = 0; !(passage > 0.0) && i < oct_world_grids(s->world); i++) {
        passage = oct_world_get_grid(s->world, i).cell;
    }
    const bool is_chosen =
        test->has_cell || test->has_padding || p->plan.has_cell || p->plan.has_padding;
    if (is_chosen && passage > 0.0 && passage - 2.0 * padding < 2.0 * cell - 1e-9) {
        char note[HOST_TEXT];
        (void)snprintf(note, sizeof note,
                       "cells of %g m, with a padding of %g m, may shut passages of %g m: that "
                       "something is not reached may be due to them",
                       cell, padding, passage);
        oct_host_note(s->host, note);
    }
}

// The test's limits, where the goal's own are not less.
static uint64_t least_limit(uint64_t a, uint64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

static oct_result give_goal(const host *h, player *p)
{
    const test_plan *const plan = &h->test->plan;
    oct_goal *const goal = oct_goal_limit(p->goal, least_limit(p->turns, plan->turns),
                                          least_limit(p->ticks, oct_ticks_of(plan->seconds)));
    const oct_result result = oct_agent_pursue(p->agent, goal);
    if (result == OCT_OK) {
        p->goal = NULL;
    }
    return result;
}

static oct_result make_agents(stage *s, const play_options *options)
{
    host *const h = s->host;
    OCT_TRY(oct_post_create(&h->base, &s->post));
    OCT_TRY(oct_array_reserve(&s->agents, &h->base, sizeof(oct_agent *), h->players.count));
    for (size_t i = 0; i < h->players.count && !h->has_failed; i++) {
        player *const p = (player *)h->players.items + i;
        const oct_result result = make_agent(s, i, options);
        if (result != OCT_OK && result != OCT_ERROR_MEMORY) {
            oct_host_fail(h, "agent '%s' cannot be made: %s", p->name, oct_result_text(result));
        }
        if (result != OCT_OK || h->has_failed) {
            return result == OCT_ERROR_MEMORY ? result : OCT_OK;
        }
        ((oct_agent **)s->agents.items)[s->agents.count++] = p->agent;
        check_passages(s, p);
        if (oct_player_demand(p)) {
            OCT_TRY(give_goal(h, p));
        }
    }
    return OCT_OK;
}

// ---- life ----

oct_result oct_stage_open(stage *s, const play_options *options)
{
    OCT_TRY(open_world(s));
    if (!s->host->has_failed) {
        OCT_TRY(open_game(s));
    }
    return s->host->has_failed ? OCT_OK : make_agents(s, options);
}

void oct_stage_close(stage *s)
{
    // Agents are the host's, and leave the post office and the game.
    const oct_allocator base = s->host->base;
    oct_host_close(s->host);
    oct_post_destroy(s->post);
    oct_game_destroy(s->game);
    oct_world_destroy(s->world);
    oct_array_free(&s->agents, &base, sizeof(oct_agent *));
}
