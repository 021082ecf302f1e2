// SPDX-License-Identifier: MIT
// Agents: how they are made, what they are told and what they answer.
#include "agent/agent_internal.h"
#include "agent/agent_turn.h"
#include "agent/experiment.h"
#include "agent/history.h"
#include "agent/ltl_internal.h"
#include "agent/message_internal.h"
#include "agent/mind.h"
#include "agent/pilot.h"
#include "base/print.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define COOKIE UINT32_C(0x0a9e57ab)
#define CELL_OF_PILOT (319.0 / 1024.0)
// Notes of one agent: more are not kept.
#define NOTES_MAX 1000

// ---- life ----

oct_agent_def oct_agent_def_default(void)
{
    return (oct_agent_def){.name = "agent",
                           .role = "tester",
                           .belief = oct_belief_def_default(),
                           .seed = 1,
                           .ticks = 20,
                           .cookie = COOKIE};
}

static oct_result create_navigator(oct_agent *a)
{
    const navigator_def def = {.map = oct_belief_map(a->belief),
                               .belief = a->belief,
                               .info = oct_belief_info(a->belief),
                               .body = oct_belief_body(a->belief),
                               .view = oct_belief_info(a->belief)->view,
                               .strategy = a->strategy,
                               .seed = a->seed,
                               .allocator = &a->allocator,
                               .bounds = a->is_bounded ? &a->bounds : NULL};
    OCT_TRY(a->navigator.kind->create(&def, &a->navigator.self));
    oct_belief_guide(a->belief, &a->navigator);
    return OCT_OK;
}

static oct_result make_navigator(oct_agent *a, const oct_agent_def *def)
{
    const oct_map *const map = oct_belief_map(a->belief);
    if (def->bounds) {
        oct_vec lo, hi;
        if (!oct_tree_cell_at(oct_map_tree(map), def->bounds->min, &lo) ||
            !oct_tree_cell_at(oct_map_tree(map), def->bounds->max, &hi)) {
            return OCT_ERROR_RANGE;
        }
        a->bounds = (oct_box){lo, {hi.x + 1, hi.y + 1, hi.z + 1}};
        a->is_bounded = true;
    }
    a->navigator.kind = def->navigator               ? def->navigator
                        : def->move == OCT_MOVE_WALK ? &oct_navigator_foot
                                                     : &oct_navigator_octree;
    a->strategy = def->strategy;
    a->seed = def->seed;
    const oct_result result = create_navigator(a);
    a->navigator = result == OCT_OK ? a->navigator : (navigator){NULL, NULL};
    return result;
}

static oct_result refine(oct_agent *a)
{
    const oct_box b = a->bounds;
    OCT_TRY(oct_belief_refine(a->belief));
    a->bounds =
        (oct_box){{2 * b.min.x, 2 * b.min.y, 2 * b.min.z}, {2 * b.max.x, 2 * b.max.y, 2 * b.max.z}};
    a->navigator.kind->destroy(a->navigator.self);
    a->navigator.self = NULL;
    a->journey.kind = JOURNEY_NONE;
    memset(a->closed, 0, sizeof a->closed); // there may be ways now
    OCT_TRY(create_navigator(a));
    // Where it stands may have been taken for solid.
    return oct_agent_look(a);
}

bool oct_agent_refine(oct_agent *a)
{
    return oct_belief_wants_finer(a->belief) && a->navigator.kind == &oct_navigator_octree &&
           oct_agent_break(a, refine(a)) == OCT_OK;
}

static oct_result make_pilot(oct_agent *a, const oct_agent_def *def)
{
    oct_pilot_def pilot = oct_pilot_def_default();
    pilot.info = oct_belief_info(a->belief);
    pilot.body = oct_belief_body(a->belief);
    pilot.map = oct_belief_map(a->belief);
    pilot.facing = def->facing;
    pilot.ticks = def->ticks;
    // The defaults are for cells of 319/1024 m: with smaller ones the next cell is nearer.
    const double metre = belief_metre(pilot.info);
    const double cell = oct_tree_cell_size(oct_map_tree(oct_belief_map(a->belief))) / metre;
    pilot.tolerance *= fmin(cell / CELL_OF_PILOT, 1.0) * metre;
    pilot.overshoot *= metre;
    pilot.allocator = &a->allocator;
    OCT_TRY(oct_pilot_create(&pilot, &a->pilot));
    oct_pilot_walk_on(a->pilot, a->navigator.kind->footing(a->navigator.self));
    return OCT_OK;
}

static void recall(void *state)
{
    oct_agent_recall(state);
}

static oct_result make_mind(oct_agent *a, const oct_agent_def *def)
{
    oct_mind_def mind = oct_mind_def_default();
    mind.state = a;
    mind.refresh = oct_agent_refresh;
    mind.recall = recall;
    mind.seed = def->seed;
    mind.rate = oct_belief_info(a->belief)->rate;
    mind.event = def->event;
    mind.event_ctx = def->event_ctx;
    mind.allocator = &a->allocator;
    return oct_mind_create(&mind, &a->mind);
}

static oct_result make(oct_agent *a, const oct_agent_def *def)
{
    a->name = oct_copy_text(&a->allocator, def->name);
    if (!a->name) {
        return OCT_ERROR_MEMORY;
    }
    oct_belief_def belief = def->belief;
    belief.info = def->info ? def->info : oct_game_describe(a->game);
    OCT_TRY(oct_game_body(a->game, a->who, &belief.body));
    belief.walks = def->move == OCT_MOVE_WALK;
    belief.is_upright = def->move == OCT_MOVE_WALK && belief.body->gait == OCT_GAIT_WALK;
    belief.allocator = &a->allocator;
    oct_history *const own = belief.history ? NULL : oct_history_create(&a->allocator);
    belief.history = belief.history ? belief.history : own;
    const oct_result result =
        belief.history ? oct_belief_create(&belief, &a->belief) : OCT_ERROR_MEMORY;
    oct_history_drop(own); // the belief keeps it
    OCT_TRY(result);
    OCT_TRY(make_navigator(a, def));
    OCT_TRY(make_pilot(a, def));
    OCT_TRY(make_mind(a, def));
    if (def->post) {
        OCT_TRY(oct_post_join(def->post, def->name, def->role, &a->box));
        a->post = def->post;
    }
    return OCT_OK;
}

oct_result oct_agent_create(const oct_agent_def *def, oct_agent **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->game || !def->name || !def->role || def->ticks == 0 ||
        def->ticks > OCT_ACTION_TICKS_MAX || def->who >= oct_game_players(def->game)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_agent *const a = oct_alloc(&allocator, sizeof *a, _Alignof(oct_agent));
    if (!a) {
        return OCT_ERROR_MEMORY;
    }
    *a = (oct_agent){.allocator = allocator,
                     .game = def->game,
                     .who = def->who,
                     .ticks = def->ticks,
                     .clock = def->clock,
                     .clock_ctx = def->clock_ctx,
                     .way = {.allocator = allocator},
                     .to_see = {.way = {.allocator = allocator}}};
    const uint64_t begin = agent_now(a);
    const oct_result result = make(a, def);
    if (result != OCT_OK) {
        oct_agent_destroy(a);
        return result;
    }
    a->times.initialising = agent_now(a) - begin;
    a->times.all = a->times.initialising;
    *out = a;
    return OCT_OK;
}

void oct_agent_destroy(oct_agent *a)
{
    if (!a) {
        return;
    }
    // Goals may ask the agent when they are dropped: they go first.
    oct_mind_destroy(a->mind);
    const oct_allocator allocator = a->allocator;
    for (size_t i = 0; i < a->demands.count; i++) {
        const demand *const each = (const demand *)a->demands.items + i;
        oct_ltl_destroy(each->formula);
        oct_free_text(&allocator, each->name);
    }
    for (size_t i = 0; i < a->notes.count; i++) {
        oct_free_text(&allocator, ((char **)a->notes.items)[i]);
    }
    for (size_t i = 0; i < a->proofs.count; i++) {
        oct_proof_destroy(((const agent_proof *)a->proofs.items)[i].proof);
    }
    oct_array_free(&a->proofs, &allocator, sizeof(agent_proof));
    oct_agent_forget_survey(a);
    oct_array_free(&a->demands, &allocator, sizeof(demand));
    oct_array_free(&a->tries, &allocator, sizeof(agent_try));
    oct_array_free(&a->lookouts, &allocator, sizeof(agent_lookout));
    oct_array_free(&a->experiments, &allocator, sizeof(experiment_try));
    oct_array_free(&a->pressed, &allocator, sizeof(agent_press));
    oct_array_free(&a->unsure, &allocator, sizeof(agent_unsure));
    oct_array_free(&a->notes, &allocator, sizeof(char *));
    oct_array_free(&a->survey, &allocator, sizeof(char *));
    oct_journey_free(a);
    if (a->post) {
        (void)oct_post_leave(a->post, a->box);
    }
    oct_pilot_destroy(a->pilot);
    if (a->navigator.kind) {
        a->navigator.kind->destroy(a->navigator.self);
    }
    oct_belief_destroy(a->belief);
    oct_free_text(&allocator, a->name);
    oct_free(&allocator, a, sizeof *a);
}

// ---- what it is told ----

oct_result oct_agent_pursue(oct_agent *a, oct_goal *goal)
{
    return oct_mind_pursue(a->mind, goal);
}

oct_result oct_agent_demand(oct_agent *a, const char *name, oct_ltl *formula)
{
    demand new = {.name = oct_copy_text(&a->allocator, name), .formula = formula};
    oct_result result = !formula || !new.name ? OCT_ERROR_MEMORY : oct_ltl_begin(formula);
    result =
        result == OCT_OK ? oct_array_push(&a->demands, &a->allocator, sizeof new, &new) : result;
    if (result != OCT_OK) {
        oct_free_text(&a->allocator, new.name);
        oct_ltl_destroy(formula);
    } else {
        formula->refresh = oct_agent_refresh;
    }
    return result;
}

void oct_agent_add_note(oct_agent *a, const char *format, ...)
{
    char text[2 * OCT_REASON_MAX];
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < a->notes.count; i++) {
        if (strcmp(((char **)a->notes.items)[i], text) == 0) {
            return;
        }
    }
    char *const copy = a->notes.count < NOTES_MAX ? oct_copy_text(&a->allocator, text) : NULL;
    if (copy && oct_array_push(&a->notes, &a->allocator, sizeof copy, &copy) != OCT_OK) {
        oct_free_text(&a->allocator, copy);
    }
}

void oct_agent_forget_survey(oct_agent *a)
{
    for (size_t i = 0; i < a->survey.count; i++) {
        oct_free_text(&a->allocator, ((char **)a->survey.items)[i]);
    }
    a->survey.count = 0;
}

void oct_agent_think(oct_agent *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(a->thought, sizeof a->thought, format, args);
    va_end(args);
}

void oct_agent_act(oct_agent *a, const oct_action *action)
{
    a->action = *action;
    a->has_action = true;
    if (action->verb == OCT_VERB_DO && action->name != a->do_name) {
        // The name may be gone when the turn ends.
        (void)snprintf(a->do_name, sizeof a->do_name, "%s", action->name ? action->name : "");
        a->action.name = a->do_name;
    }
}

// ---- messages ----

oct_result oct_agent_send(oct_agent *a, const char *to, const char *role, const char *topic,
                          const char *text, double number)
{
    if (!a->post) {
        return OCT_ERROR_ABSENT;
    }
    const oct_message message = {a->name, topic, text, number, agent_self(a)->tick};
    return to     ? oct_post_send(a->post, to, &message)
           : role ? oct_post_send_role(a->post, role, &message)
                  : oct_post_send_all(a->post, &message);
}

bool oct_agent_take(oct_agent *a, const char *topic, oct_message *out)
{
    return a->post && oct_post_take(a->post, a->box, topic, out);
}

// ---- questions ----

oct_agent *oct_agent_of(const oct_mind *mind)
{
    return oct_mind_state(mind);
}

oct_act oct_agent_came(const oct_agent *a, oct_action *action)
{
    *action = a->last;
    return a->came;
}

bool oct_agent_rests(const oct_agent *a)
{
    // A burn that has just begun has no speed yet.
    const oct_self *const self = agent_self(a);
    return point_length(self->velocity) <= AGENT_AT_REST * agent_metre(a) && self->ticks <= 1;
}

oct_belief *oct_agent_belief(const oct_agent *a)
{
    return a->belief;
}

oct_mind *oct_agent_mind(const oct_agent *a)
{
    return a->mind;
}

oct_game *oct_agent_game(const oct_agent *a)
{
    return a->game;
}

oct_result oct_agent_remains(const oct_agent *a, oct_remains *out)
{
    return a->navigator.kind->remains(a->navigator.self, agent_self(a)->centre, out);
}

const char *oct_agent_name(const oct_agent *a)
{
    return a->name;
}

uint64_t oct_agent_turns(const oct_agent *a)
{
    return a->turns;
}

void oct_agent_times_add(oct_agent_times *sum, const oct_agent_times *times)
{
    sum->all += times->all;
    sum->initialising += times->initialising;
    sum->adding += times->adding;
    sum->pathfinding += times->pathfinding;
    sum->exploring += times->exploring;
    sum->steering += times->steering;
    sum->game += times->game;
    sum->looks += times->looks;
    sum->paths += times->paths;
    sum->explorations += times->explorations;
    sum->steers += times->steers;
    sum->moving_ticks += times->moving_ticks;
}

oct_agent_times oct_agent_spent(const oct_agent *a)
{
    return a->times;
}

const char *oct_agent_thought(const oct_agent *a)
{
    return a->thought;
}

const oct_point *oct_agent_path(const oct_agent *a, size_t *count)
{
    *count = a->journey.kind == JOURNEY_NONE ? 0 : a->journey.path.count;
    return a->journey.path.items;
}

size_t oct_agent_proofs(const oct_agent *a)
{
    return a->proofs.count;
}

const oct_proof *oct_agent_proof(const oct_agent *a, size_t index)
{
    return ((const agent_proof *)a->proofs.items)[index].proof;
}

size_t oct_agent_notes(const oct_agent *a)
{
    return a->notes.count + a->survey.count;
}

const char *oct_agent_note(const oct_agent *a, size_t index)
{
    return index < a->notes.count ? ((char **)a->notes.items)[index]
                                  : ((char **)a->survey.items)[index - a->notes.count];
}
