// SPDX-License-Identifier: MIT
// The stage of a test: its world, the game made of it, and the agents that play.
#include "octant/tree.h"
#include "play/play_internal.h"

#include "agent/history.h"
#include "agent/mind_internal.h"
#include "octant/block_world.h"

#include <math.h>
#include <stdio.h>

#define NEAR_M 200.0 // grids so near to a start are what there is to explore

static oct_result open_block_world(void *ctx, const oct_game_start *start, uint32_t life,
                                   const oct_allocator *allocator, oct_game **out,
                                   oct_error *error);

// ---- the world ----

static oct_result load_world(play *p)
{
    const oct_test_def *const test = p->test;
    oct_error error = {.line = 0};
    const oct_result result =
        test->load(test->ctx, part_allocator(p, PART_WORLD), &p->loaded, &error);
    p->world = p->loaded;
    if (result == OCT_OK || result == OCT_ERROR_MEMORY || oct_play_has_failed(p)) {
        return result == OCT_ERROR_MEMORY ? result : OCT_OK;
    }
    if (error.line > 0) {
        (void)snprintf(p->place, sizeof p->place, "%s:%u", test->world_name, error.line);
        oct_play_fail(p, "%s: %s", p->place, error.message);
    } else {
        oct_play_fail(p, "%s: %s", test->world_name,
                      error.message[0] ? error.message : oct_result_text(result));
    }
    return OCT_OK;
}

static oct_result open_world(play *p)
{
    const oct_game_source *const own = p->options->game ? p->options->game : p->test->game;
    if (own) {
        p->source = *own;
        return OCT_OK;
    }
    p->source = (oct_game_source){.ctx = p, .open = open_block_world};
    p->world = p->test->world;
    return p->world ? OCT_OK : load_world(p);
}

oct_pose oct_stage_pose(const oct_world *world, oct_point at)
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

// ---- the game ----

// The block world as a source: a game of the test's world, whose start and rules are written into
// it. The first agent is the player that the game makes at the world's start.
static oct_result open_block_world(void *ctx, const oct_game_start *start, uint32_t life,
                                   const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    play *const p = ctx;
    oct_world_rules rules = oct_world_rules_of(p->world);
    (void)life;
    (void)error;
    rules.view = start->view > 0.0 ? start->view : rules.view;
    rules.sight = start->has_sight ? start->sight : rules.sight;
    OCT_TRY(oct_world_set_rules(p->world, &rules));
    if (start->start_count > 0) {
        const oct_pose pose = oct_stage_pose(p->world, start->starts[0].position);
        OCT_TRY(oct_world_set_start(p->world, &pose));
    }
    return oct_block_world_create(&(oct_block_world_def){p->world, allocator}, out);
}

static void check_block_world(play *p)
{
    const char *const name = p->test->world_name;
    oct_pose start;
    if (!oct_world_start(p->world, &start)) {
        oct_play_fail(p, "%s has no start: say start = {x, y, z}", name);
    } else if (oct_game_players(p->game) == 0) {
        const oct_point at = start.position;
        oct_play_fail(p, "%s: there is no room for a body at the start, %g, %g, %g", name, at.x,
                      at.y, at.z);
    }
}

// Starts are those of the first agents, as far as each has one.
static size_t list_starts(const play *p, oct_pose *starts, size_t most)
{
    size_t count = 0;
    while (count < p->test->agent_count && count < most && p->test->agents[count].start) {
        starts[count] = (oct_pose){.position = *p->test->agents[count].start};
        count++;
    }
    return count;
}

#define STARTS_MAX 64

// The first line of what a game says of its failure.
static void take_trouble(const oct_game *game, oct_error *error)
{
    const char *const trouble = oct_game_trouble(game);
    oct_error_set(error, 0, 0, 0, "%.*s", (int)strcspn(trouble, "\n"), trouble);
}

static oct_result make_game(play *p, oct_error *error)
{
    const oct_test_def *const test = p->test;
    const oct_allocator *const allocator = part_allocator(p, PART_GAME);
    oct_pose starts[STARTS_MAX];
    const oct_game_start start = {.level = test->level,
                                  .seed = p->seed,
                                  .starts = starts,
                                  .start_count = list_starts(p, starts, STARTS_MAX),
                                  .view = test->view,
                                  .has_sight = test->has_sight,
                                  .sight = test->sight,
                                  .delay_min = test->delay_min,
                                  .delay_max = test->delay_max,
                                  .options = test->options,
                                  .option_count = test->option_count};
    oct_game *delayed;
    if (p->game) {
        const oct_result result = oct_game_reset(p->game, &start);
        if (result != OCT_OK) {
            take_trouble(p->game, error);
        }
        return result;
    }
    OCT_TRY(p->source.open(p->source.ctx, &start, p->life, allocator, &p->game, error));
    const oct_game_info *const info = oct_game_describe(p->game);
    p->rate = info->rate;
    if (test->delay_max > 0 && info->delay_max == 0 && !info->runs) {
        OCT_TRY(oct_game_delay(p->game, test->delay_min, test->delay_max, p->seed, allocator,
                               &delayed));
        p->game = delayed;
    }
    return OCT_OK;
}

static oct_result open_game(play *p)
{
    oct_error error = {.line = 0};
    const oct_result result = make_game(p, &error);
    p->is_lost = result == OCT_ERROR_LINK;
    if (result != OCT_OK && result != OCT_ERROR_MEMORY) {
        oct_play_fail(p, "%s cannot be played: %s", p->test->world_name,
                      error.message[0] ? error.message : oct_result_text(result));
    } else if (result == OCT_OK && p->world) {
        check_block_world(p);
    } else if (result == OCT_OK && oct_game_players(p->game) == 0) {
        oct_play_fail(p, "%s: the game has no player", p->test->world_name);
    }
    return result == OCT_ERROR_MEMORY ? result : OCT_OK;
}

// ---- agents ----

static void on_event(void *ctx, const oct_mind_event *event)
{
    const play_listener *const listener = ctx;
    const oct_play_options *const options = listener->play->options;
    for (size_t i = 0; i < options->watch_count; i++) {
        const oct_play_watch *const w = &options->watches[i];
        if (w->event) {
            w->event(w->ctx, listener->agent, event);
        }
    }
}

static oct_result join(play *p, size_t index, uint32_t *who)
{
    const oct_test_agent *const own = &p->test->agents[index];
    const bool is_there = index < oct_game_players(p->game);
    *who = (uint32_t)index;
    if (index == 0 || (is_there && !p->world)) {
        return OCT_OK;
    }
    oct_pose pose = {.position = own->start ? *own->start : (oct_point){0, 0, 0}};
    if (p->world) {
        pose = oct_stage_pose(p->world, pose.position);
    } else {
        oct_self first;
        OCT_TRY(oct_game_self(p->game, 0, &first));
        pose.forward = first.pose.forward;
        pose.up = first.pose.up;
    }
    const oct_result result = oct_game_join(p->game, own->start ? &pose : NULL, who);
    if (result == OCT_ERROR_UNSUPPORTED) {
        oct_play_fail(p, "agent '%s' cannot join: the game has %u player%s", own->agent.name,
                      oct_game_players(p->game), oct_game_players(p->game) == 1 ? "" : "s");
        return OCT_OK;
    }
    if (result == OCT_ERROR_RANGE) {
        oct_play_fail(p, "there is no room for agent '%s' at its start", own->agent.name);
        return OCT_OK;
    }
    return result;
}

// What agents are told of the game: a test may deny what it promises, and never the other way.
static oct_game_info describe(const play *p)
{
    const oct_test_def *const test = p->test;
    oct_game_info info = *oct_game_describe(p->game);
    info.denies |= test->denies;
    info.promises &= ~test->denies;
    if (test->has_settle) {
        const uint64_t settle = oct_play_ticks(test->settle, p->rate);
        info.settle = info.has_settle && info.settle > settle ? info.settle : settle;
        info.has_settle = true;
    }
    return info;
}

// Space has no end: without bounds an agent explores as far as it sees beyond what is near.
static oct_result near_bounds(const play *p, const oct_game_info *info, oct_point at,
                              oct_bounds *out)
{
    const double view = info->view, near = NEAR_M * (info->metre > 0.0 ? info->metre : 1.0);
    if (p->world) {
        OCT_TRY(oct_world_extent_near(p->world, at, near, out));
    } else if (info->has_bounds) {
        *out = info->bounds;
    } else {
        *out = (oct_bounds){{at.x - near, at.y - near, at.z - near},
                            {at.x + near, at.y + near, at.z + near}};
    }
    out->min = (oct_point){out->min.x - view, out->min.y - view, out->min.z - view};
    out->max = (oct_point){out->max.x + view, out->max.y + view, out->max.z + view};
    // Where the game promises that there is nothing, nothing is looked for.
    if (info->has_bounds && (info->denies >> OCT_ASSUME_TRUTH & 1) == 0) {
        const oct_bounds b = info->bounds;
        out->min = (oct_point){fmax(out->min.x, b.min.x), fmax(out->min.y, b.min.y),
                               fmax(out->min.z, b.min.z)};
        out->max = (oct_point){fmin(out->max.x, b.max.x), fmin(out->max.y, b.max.y),
                               fmin(out->max.z, b.max.z)};
    }
    return OCT_OK;
}

// Refuses here what would otherwise fail with the first look, as "out of range".
static void check_def(play *p, const oct_agent_def *def, oct_point at)
{
    const oct_bounds *const b = def->bounds;
    const oct_game_info *const info = oct_game_describe(p->game);
    if (!(at.x >= b->min.x && at.y >= b->min.y && at.z >= b->min.z && at.x <= b->max.x &&
          at.y <= b->max.y && at.z <= b->max.z)) {
        oct_play_fail(p, "agent '%s' starts outside of its bounds, at %.1f, %.1f, %.1f", def->name,
                      at.x, at.y, at.z);
    } else if (info->sight == OCT_SIGHT_LINE &&
               info->view > def->belief.cell * OCT_SIGHT_CELLS_MAX) {
        oct_play_fail(p,
                      "a view of %g m is more than %d cells of %g m: say a smaller view, or a "
                      "larger cell",
                      info->view, OCT_SIGHT_CELLS_MAX, def->belief.cell);
    } else {
        oct_play_check_view(p, def);
    }
}

// One size for all agents, who share what they have seen: that of the smallest body.
static oct_result usual_cell(play *p, const oct_game_info *info, double *out)
{
    *out = HUGE_VAL;
    for (uint32_t i = 0; i < oct_game_players(p->game); i++) {
        const oct_player_body *body;
        OCT_TRY(oct_game_body(p->game, i, &body));
        *out = fmin(*out, oct_belief_cell(info, body));
    }
    return OCT_OK;
}

// Who can only walk walks, others fly unless the test says otherwise. False, and the test has
// failed, where the body cannot do what it is to.
static bool choose_move(play *p, const oct_player_body *body, const oct_game_info *info,
                        oct_agent_def *def)
{
    const bool flies = def->move == OCT_MOVE_FLY;
    if (def->move == OCT_MOVE_BY_BODY) {
        def->move = body->gait == OCT_GAIT_WALK ? OCT_MOVE_WALK : OCT_MOVE_FLY;
    }
    const bool walks = def->move == OCT_MOVE_WALK;
    const oct_point g = info->gravity;
    const double down = info->up == OCT_UP_X ? -g.x : info->up == OCT_UP_Y ? -g.y : -g.z;
    if (flies && body->gait == OCT_GAIT_WALK) {
        oct_play_fail(p, "move = \"fly\": the player only walks");
    } else if (walks && body->gait == OCT_GAIT_FLY) {
        oct_play_fail(p, "move = \"walk\": the player only flies");
    } else if (walks && body->gait == OCT_GAIT_BOTH && !(down > 0.0)) {
        oct_play_fail(p, "move = \"walk\": agents walk only where gravity pulls them down");
    } else if (walks && p->options->navigator) {
        oct_play_fail(p, "plain maps are for those who fly; this player walks");
    } else {
        return true;
    }
    return false;
}

static oct_result make_agent(play *p, size_t index, oct_agent **out)
{
    const oct_play_options *const options = p->options;
    const oct_game_info info = describe(p);
    oct_agent_def def = p->test->agents[index].agent;
    oct_bounds bounds;
    oct_self self;
    *out = NULL;
    OCT_TRY(join(p, index, &def.who));
    if (p->has_failed) {
        return OCT_OK;
    }
    OCT_TRY(oct_game_self(p->game, def.who, &self));
    const oct_player_body *body;
    OCT_TRY(oct_game_body(p->game, def.who, &body));
    if (!choose_move(p, body, &info, &def)) {
        return OCT_OK;
    }
    if (!(def.belief.cell > 0.0)) {
        OCT_TRY(usual_cell(p, &info, &def.belief.cell));
    }
    OCT_TRY(near_bounds(p, &info, self.centre, &bounds));
    def.game = p->game;
    def.info = &info;
    def.post = p->post;
    def.bounds = def.bounds ? def.bounds : &bounds;
    def.seed = def.seed > 0 && options->seed == 0 ? def.seed : p->seed + index;
    def.navigator = options->navigator ? options->navigator : def.navigator;
    def.belief.executor = options->executor;
    def.belief.history = p->history;
    def.clock = options->clock;
    def.clock_ctx = options->clock_ctx;
    def.event = on_event;
    def.event_ctx = &p->listeners[index];
    def.allocator = part_allocator(p, PART_AGENTS);
    check_def(p, &def, self.centre);
    OCT_TRY(p->has_failed ? OCT_OK : oct_agent_create(&def, out));
    for (size_t i = 0; index == 0 && *out && i < info.doubt_count; i++) {
        oct_agent_add_note(*out, "the game guessed: %s", info.doubts[i]);
    }
    return OCT_OK;
}

// Notes it if cell and padding were chosen so that the map may block passages that are open. Two
// cells must fit between padded walls (docs/engine/things.md). If the world does not say how wide
// its passages are, they are taken to be as wide as a cell of its grids.
static void check_passages(play *p, size_t index)
{
    const oct_belief_def *const chosen = &p->test->agents[index].agent.belief;
    const oct_map *const map = oct_belief_map(oct_agent_belief(play_agents(p)[index]));
    const double cell = oct_tree_cell_size(oct_map_tree(map)), padding = oct_map_padding(map).x;
    if (!p->world) {
        return;
    }
    double passage = oct_world_passage(p->world);
    for (uint32_t i = 0; !(passage > 0.0) && i < oct_world_grids(p->world); i++) {
        passage = oct_world_get_grid(p->world, i).cell;
    }
    const bool is_chosen = chosen->cell > 0.0 || chosen->padding > 0.0;
    if (is_chosen && passage > 0.0 && passage - 2.0 * padding < 2.0 * cell - 1e-9) {
        char note[PLAY_TEXT];
        (void)snprintf(note, sizeof note,
                       "cells of %g m, with a padding of %g m, may shut passages of %g m: that "
                       "something is not reached may be due to them",
                       cell, padding, passage);
        oct_play_note(p, note);
    }
}

// Gives an agent its goal, within the limits of the test.
static oct_result give_goal(play *p, size_t index)
{
    const oct_test_agent *const own = &p->test->agents[index];
    oct_agent *const agent = play_agents(p)[index];
    oct_goal *goal = NULL;
    OCT_TRY(own->begin(own->ctx, agent, &goal));
    if (!goal) {
        return OCT_ERROR_MEMORY;
    }
    const uint64_t ticks = oct_play_ticks(p->test->seconds, p->rate);
    oct_goal_tighten(goal, p->test->turns > 0 ? p->test->turns - p->turns : 0,
                     ticks > 0 ? ticks - p->ticks : 0);
    const oct_result result = oct_agent_pursue(agent, goal);
    if (result != OCT_OK) {
        oct_goal_destroy(goal);
    }
    return result;
}

static oct_result add_agent(play *p, size_t index)
{
    oct_agent *agent;
    p->listeners[index] = (play_listener){p, index};
    OCT_TRY(make_agent(p, index, &agent));
    if (!agent) {
        return OCT_OK;
    }
    ((oct_agent **)p->agents.items)[p->agents.count++] = agent;
    if (p->lives.count == 0) {
        check_passages(p, index);
    }
    return give_goal(p, index);
}

static oct_result make_agents(play *p)
{
    const size_t count = p->test->agent_count;
    const oct_allocator *const allocator = part_allocator(p, PART_AGENTS);
    p->history = p->history ? p->history : oct_history_create(allocator);
    OCT_TRY(p->history ? OCT_OK : OCT_ERROR_MEMORY);
    const oct_game_info info = describe(p);
    oct_log_describe(&p->history->log, &info, p->test->denies);
    OCT_TRY(oct_post_create(&(oct_post_def){allocator}, &p->post));
    OCT_TRY(oct_array_reserve(&p->agents, allocator, sizeof(oct_agent *), count));
    if (!p->listeners) {
        p->listeners = oct_alloc(allocator, count * sizeof *p->listeners, _Alignof(play_listener));
    }
    oct_result result = p->listeners ? OCT_OK : OCT_ERROR_MEMORY;
    for (size_t i = 0; i < count && result == OCT_OK && !p->has_failed; i++) {
        result = add_agent(p, i);
        if (result != OCT_OK && result != OCT_ERROR_MEMORY && !oct_play_has_failed(p)) {
            oct_error error = {.message = ""};
            take_trouble(p->game, &error);
            oct_play_fail(p, "agent '%s' cannot be made: %s", p->test->agents[i].agent.name,
                          error.message[0] ? error.message : oct_result_text(result));
        }
    }
    return result == OCT_ERROR_MEMORY ? result : OCT_OK;
}

// ---- life ----

oct_result oct_stage_open(play *p)
{
    OCT_TRY(open_world(p));
    if (!p->has_failed) {
        OCT_TRY(open_game(p));
    }
    return p->has_failed ? OCT_OK : make_agents(p);
}

// Agents leave the post office and the game.
static void close_life(play *p)
{
    for (size_t i = 0; i < p->agents.count; i++) {
        oct_agent_destroy(play_agents(p)[i]);
    }
    p->agents.count = 0;
    oct_post_destroy(p->post);
    p->post = NULL;
    p->has_begun = false;
}

static void close_game(play *p)
{
    oct_game_destroy(p->game);
    p->game = NULL;
}

// A world is made into another game; any other source says whether it gives one. Otherwise the game
// begins anew by itself, or has one life.
static bool opens_lives(const play *p)
{
    return p->world || p->source.opens_lives;
}

bool oct_stage_has_lives(const play *p)
{
    return opens_lives(p) || oct_game_describe(p->game)->can_reset;
}

// What was seen in earlier lives counts where the game repeats.
static oct_result begin_history(play *p, bool repeats)
{
    if (repeats) {
        oct_history_begin_life(p->history);
    } else {
        oct_history_drop(p->history);
        p->history = oct_history_create(part_allocator(p, PART_AGENTS));
    }
    return p->history ? oct_lives_avoid(p) : OCT_ERROR_MEMORY;
}

oct_result oct_stage_renew(play *p)
{
    const bool repeats = oct_game_describe(p->game)->repeats;
    close_life(p);
    if (opens_lives(p)) {
        close_game(p);
    }
    p->life++;
    OCT_TRY(begin_history(p, repeats));
    const oct_result result = p->test->renew ? p->test->renew(p->test->ctx) : OCT_OK;
    if (result != OCT_OK && result != OCT_ERROR_MEMORY && !oct_play_has_failed(p)) {
        oct_play_fail(p, "the next life cannot begin: %s", oct_result_text(result));
    }
    OCT_TRY(result == OCT_ERROR_MEMORY ? result : OCT_OK);
    OCT_TRY(oct_play_has_failed(p) ? OCT_OK : open_game(p));
    return p->has_failed ? OCT_OK : make_agents(p);
}

void oct_stage_close(play *p)
{
    close_life(p);
    close_game(p);
    oct_history_drop(p->history);
    oct_world_destroy(p->loaded);
    const oct_allocator *const allocator = part_allocator(p, PART_AGENTS);
    oct_free(allocator, p->listeners, p->test->agent_count * sizeof *p->listeners);
    oct_array_free(&p->agents, allocator, sizeof(oct_agent *));
}
