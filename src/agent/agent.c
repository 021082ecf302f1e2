// SPDX-License-Identifier: MIT
// Agents: their life, their turns and their verdicts.
#include "agent/agent_internal.h"
#include "agent/approach.h"
#include "agent/belief_internal.h"
#include "agent/decides.h"
#include "agent/experiment.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/history.h"
#include "agent/ltl_internal.h"
#include "agent/message_internal.h"
#include "agent/mind.h"
#include "agent/pilot.h"
#include "agent/turn_around.h"
#include "base/print.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define COOKIE UINT32_C(0x0a9e57ab)
// An agent that stands looks around at least so often, ticks; and after some way.
#define LOOK_MAX 60u
#define LOOK_MOVED 0.25 // of how far it sees
#define CELL_OF_PILOT (319.0 / 1024.0)
#define LOOK_NEAR 1e-3 // metres: as good as the same place
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
    a->navigator.kind = def->navigator ? def->navigator : &oct_navigator_octree;
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
    a->must_look = true;
    return create_navigator(a);
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
    return oct_pilot_create(&pilot, &a->pilot);
}

static bool look_again(void *state);

static void recall(void *state)
{
    oct_agent_recall(state);
}

static oct_result make_mind(oct_agent *a, const oct_agent_def *def)
{
    oct_mind_def mind = oct_mind_def_default();
    mind.state = a;
    mind.refresh = look_again;
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
        formula->refresh = look_again;
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

// ---- how a run ends ----

static void end(oct_agent *a, oct_verdict verdict, const char *format, ...) OCT_FORMAT(3, 4);

static void end(oct_agent *a, oct_verdict verdict, const char *format, ...)
{
    if (a->has_ended) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(a->reason, sizeof a->reason, format, args);
    va_end(args);
    const char *const doubt = a->navigator.kind->doubt;
    if (verdict == OCT_VERDICT_FAIL && doubt) {
        verdict = OCT_VERDICT_INCONCLUSIVE;
        char said[OCT_REASON_MAX];
        memcpy(said, a->reason, sizeof said);
        (void)snprintf(a->reason, sizeof a->reason, "%.*s (not certain: %s)", OCT_REASON_MAX / 2,
                       said, doubt);
    }
    a->has_ended = true;
    a->verdict = verdict;
    a->ground.kind = verdict == OCT_VERDICT_FAIL ? OCT_PROOF_WITNESS : OCT_PROOF_NONE;
    if (verdict == OCT_VERDICT_INCONCLUSIVE) {
        oct_agent_settle_decides(a);
    }
}

oct_result oct_agent_break(oct_agent *a, oct_result result)
{
    if (result != OCT_OK) {
        // What a link says ends with the last exchange, line by line.
        const char *const trouble = result == OCT_ERROR_LINK ? oct_game_trouble(a->game) : "";
        const char *const reason = trouble[0] ? trouble : oct_result_text(result);
        const char *line = reason + strcspn(reason, "\n");
        a->failed = result;
        end(a, OCT_VERDICT_ERROR, "%.*s", (int)(line - reason), reason);
        for (size_t length; *line; line += length) {
            length = strcspn(++line, "\n");
            oct_agent_add_note(a, "the last exchange: %.*s", (int)length, line);
        }
    }
    return result;
}

static double seconds_of(const oct_agent *a)
{
    return (double)agent_self(a)->tick / oct_belief_info(a->belief)->rate;
}

uint64_t oct_agent_news(const oct_agent *a)
{
    return a->news;
}

void oct_agent_be_brief(oct_agent *a, uint32_t ticks)
{
    const bool is_stepped = oct_belief_info(a->belief)->delay_max == 0;
    if (is_stepped && ticks > 0 && (a->brief == 0 || ticks < a->brief)) {
        a->brief = ticks;
    }
}

static oct_result check_demands(oct_agent *a)
{
    a->heard = oct_belief_events(a->belief);
    for (size_t i = 0; i < a->demands.count; i++) {
        demand *const each = (demand *)a->demands.items + i;
        oct_ltl_verdict verdict;
        oct_mind_listen(a->mind);
        OCT_TRY(oct_ltl_step(each->formula, a, &verdict));
        if (!each->is_open && oct_ltl_is_split(each->formula)) {
            each->is_open = true;
            each->since = agent_self(a)->tick;
            (void)snprintf(each->doubt, sizeof each->doubt, "%s", oct_mind_first_doubt(a->mind));
        }
        if (verdict == OCT_LTL_VIOLATED) {
            end(a, OCT_VERDICT_FAIL, "%s did not hold at %.1f s", each->name, seconds_of(a));
        }
    }
    return OCT_OK;
}

// What was to come before the end and did not.
static void end_demands(oct_agent *a)
{
    for (size_t i = 0; i < a->demands.count; i++) {
        const demand *const each = (const demand *)a->demands.items + i;
        if (oct_ltl_end(each->formula) == OCT_LTL_VIOLATED) {
            end(a, OCT_VERDICT_FAIL, "%s did not hold when the run ended, at %.1f s", each->name,
                seconds_of(a));
        }
    }
    for (size_t i = 0; i < a->demands.count; i++) {
        const demand *const each = (const demand *)a->demands.items + i;
        if (oct_ltl_end(each->formula) == OCT_LTL_UNDECIDED) {
            end(a, OCT_VERDICT_INCONCLUSIVE, "whether %s held is not known since %.1f s%s%s",
                each->name, (double)each->since / oct_belief_info(a->belief)->rate,
                each->doubt[0] ? ": " : "", each->doubt);
        }
    }
}

static void conclude(oct_agent *a, oct_goal_status status)
{
    if (oct_mind_is_out_of_memory(a->mind)) {
        (void)oct_agent_break(a, OCT_ERROR_MEMORY);
    }
    if (status == OCT_GOAL_SUCCESS) {
        end_demands(a);
        end(a, OCT_VERDICT_PASS, "%s", "");
    } else if (status == OCT_GOAL_FAILED) {
        oct_ground ground = oct_mind_ground(a->mind);
        if ((ground.assumes & oct_belief_info(a->belief)->denies) != 0) {
            ground = (oct_ground){.kind = OCT_PROOF_NONE}; // something was seen against it since
        }
        const bool had_ended = a->has_ended;
        end(a, ground.kind == OCT_PROOF_NONE ? OCT_VERDICT_INCONCLUSIVE : OCT_VERDICT_FAIL, "%s",
            oct_mind_reason(a->mind, NULL));
        a->ground = had_ended || a->verdict != OCT_VERDICT_FAIL ? a->ground : ground;
    }
    oct_agent_review(a);
}

void oct_agent_review(oct_agent *a)
{
    const bool is_pass = a->verdict == OCT_VERDICT_PASS;
    possible_answer now;
    if (!a->has_ended || (!is_pass && a->verdict != OCT_VERDICT_FAIL) ||
        oct_agent_upholds(a, &now) || a->verdict == OCT_VERDICT_ERROR) {
        return;
    }
    char said[OCT_REASON_MAX], doubt[OCT_REASON_MAX / 2];
    (void)snprintf(said, sizeof said, "%s", is_pass ? "all was as claimed" : a->reason);
    (void)oct_possible_explain(a, &now, doubt, sizeof doubt);
    (void)oct_snprintf(a->reason, sizeof a->reason, "withdrawn: %s (%.*s)", doubt,
                       OCT_REASON_MAX / 2, said);
    a->verdict = OCT_VERDICT_INCONCLUSIVE;
    a->ground = (oct_ground){.kind = OCT_PROOF_NONE};
    a->gave_up = true;
    oct_agent_would_decide_possible(a, &now);
}

static const char *const verdict_names[] = {"pass", "fail", "inconclusive", "error"};
_Static_assert(sizeof verdict_names / sizeof *verdict_names == OCT_VERDICT_COUNT, "one each");

const char *oct_verdict_name(oct_verdict verdict)
{
    return (unsigned)verdict < OCT_VERDICT_COUNT ? verdict_names[verdict] : NULL;
}

oct_verdict oct_agent_verdict(const oct_agent *a, const char **reason)
{
    *reason = a->has_ended ? a->reason : "the run has not ended";
    return a->has_ended ? a->verdict : OCT_VERDICT_INCONCLUSIVE;
}

oct_ground oct_agent_ground(const oct_agent *a)
{
    return a->ground;
}

bool oct_agent_has_ended(const oct_agent *a)
{
    return a->has_ended;
}

// ---- turns ----

// A door so near may shut before who flies there has come to rest, metres.
#define NEAR_DOOR 6.0
// Who is about to enter a doorway looks with each action, however short, metres.
#define BEFORE_DOOR 2.0

// Whether a door may shut at any time: what presses do may come late, and others may press.
static bool may_doors_shut(const oct_agent *a, uint64_t now)
{
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    const oct_history *const h = oct_belief_history(a->belief);
    uint64_t last;
    return (h && h->starts.count > 1) ||
           (rules.settle > 0 && h && oct_history_last_press(h, &last) &&
            now <= last + rules.settle + rules.slide);
}

static bool nears_door(const oct_agent *a, const oct_self *self, double away)
{
    if (!may_doors_shut(a, self->tick)) {
        return false;
    }
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (!k->gone && k->now.kind == OCT_ENTITY_DOOR &&
            oct_known_distance(k, self->centre) < away) {
            return true;
        }
    }
    return false;
}

// Whether it rests where it wanted to see on from.
static bool is_at_lookout(const oct_agent *a)
{
    const journey *const j = &a->journey;
    return (j->kind == JOURNEY_EXPLORE || j->kind == JOURNEY_TOWARDS) &&
           j->status == OCT_PILOT_ARRIVED && oct_agent_rests(a);
}

// Looking around is most of the work: not more often than an action may take, and not while it
// stands where it has looked, unless something is about to happen. Who has a tool at work sees what
// that does. Plans are made of what was seen from where they begin: who has come to rest looks.
static bool must_look(const oct_agent *a, const oct_self *self)
{
    const uint64_t passed = self->tick - a->looked;
    if (a->times.looks == 0 || passed >= LOOK_MAX || agent_works(a) || a->must_look ||
        !(self->health > 0.0)) {
        return true;
    }
    // The place may be so near that it did not move: it would be sent there again and again.
    if (passed > 0 && is_at_lookout(a)) {
        return true;
    }
    // How doors are at last counts: plans are made on it.
    if (a->saw_unsettled && !oct_agent_is_unsettled(a)) {
        return true;
    }
    const double moved = point_length(point_sub(self->centre, a->looked_from));
    if (moved > LOOK_NEAR * agent_metre(a) && oct_agent_rests(a)) {
        return true;
    }
    if (moved > LOOK_NEAR && nears_door(a, self, BEFORE_DOOR)) {
        return true;
    }
    const double far = LOOK_MOVED * oct_belief_info(a->belief)->view;
    return passed >= a->ticks && (moved > far || oct_agent_is_unsettled(a) || a->is_curious ||
                                  oct_belief_drifts(a->belief) || nears_door(a, self, NEAR_DOOR));
}

// ---- what the game says ----

// The game's own assertions are witnesses; where a life ends, what follows is not of the test.
static void hear_event(oct_agent *a, const oct_event *e)
{
    const double at = (double)e->tick / oct_belief_info(a->belief)->rate;
    if (strcmp(e->what, "fail") == 0) {
        end(a, OCT_VERDICT_FAIL, "the game says at %.1f s: %s", at, e->text);
    } else if (strcmp(e->what, "error") == 0) {
        oct_agent_add_note(a, "an error of the game at %.1f s: %s", at, e->text);
    } else if (strcmp(e->what, "note") == 0) {
        oct_agent_add_note(a, "the game says at %.1f s: %s", at, e->text);
    } else if (strcmp(e->what, "respawn") == 0) {
        a->life_ended = "the player died";
    }
}

static void hear_game(oct_agent *a)
{
    const oct_observation *const o = oct_belief_told(a->belief);
    for (size_t i = 0; i < o->event_count; i++) {
        hear_event(a, &o->events[i]);
    }
    a->life_ended = a->life_ended              ? a->life_ended
                    : o->over == OCT_OVER_WON  ? "the game was won"
                    : o->over == OCT_OVER_LOST ? "the game was lost"
                                               : NULL;
    a->life_ended = !(o->self.health > 0.0) ? "the player died" : a->life_ended;
}

static oct_point middle_of(const oct_agent *a, oct_vec cell)
{
    const oct_tree *const tree = oct_map_tree(oct_belief_map(a->belief));
    const double size = oct_tree_cell_size(tree);
    const oct_point half = {(cell.x + 0.5) * size, (cell.y + 0.5) * size, (cell.z + 0.5) * size};
    return point_add(oct_tree_origin(tree), half);
}

// What could be seen from a place was seen.
static oct_result tell_arrival(oct_agent *a, oct_point at)
{
    const oct_result told = a->navigator.kind->arrive(a->navigator.self, at);
    return told == OCT_ERROR_RANGE ? OCT_OK : told; // beyond the bounds nothing is offered
}

static oct_result look(oct_agent *a)
{
    const uint64_t begin = agent_now(a);
    const oct_result result = oct_belief_observe(a->belief, a->game, a->who);
    const uint64_t took = agent_now(a) - begin;
    // The first look makes most of the map.
    *(a->times.looks == 0 ? &a->times.initialising : &a->times.adding) += took;
    a->times.looks++;
    a->looked = agent_self(a)->tick;
    a->looked_from = agent_self(a)->centre;
    a->is_curious = a->must_look = false;
    OCT_TRY(result);
    hear_game(a);
    a->saw_unsettled = oct_agent_is_unsettled(a);
    OCT_TRY(tell_arrival(a, a->looked_from));
    // A way ends as near to its place as the pilot comes: that may be in the cell beside it.
    return is_at_lookout(a) ? tell_arrival(a, middle_of(a, a->journey.frontier)) : OCT_OK;
}

// Looks, unless it has. For tests of the goal tree, and demands, that cannot be answered by what
// was seen before.
bool oct_agent_look_again(oct_agent *a)
{
    return a->looked != agent_self(a)->tick && oct_agent_break(a, look(a)) == OCT_OK;
}

static bool look_again(void *state)
{
    return oct_agent_look_again(state);
}

static oct_result sense(oct_agent *a)
{
    OCT_TRY(oct_belief_feel(a->belief, a->game, a->who));
    return must_look(a, agent_self(a)) ? look(a) : OCT_OK;
}

bool oct_agent_has_looked(oct_agent *a)
{
    if (a->looked == agent_self(a)->tick) {
        return true;
    }
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    oct_agent_act(a, &wait);
    a->must_look = true;
    return false;
}

static bool takes_time(oct_verb verb)
{
    return verb == OCT_VERB_KEEP || verb == OCT_VERB_WAIT || verb == OCT_VERB_MOVE;
}

static void choose_rest(oct_agent *a)
{
    if (!a->has_action) {
        a->action = (oct_action){.verb = OCT_VERB_WAIT, .ticks = a->ticks};
    } else if (a->action.ticks > a->ticks) {
        a->action.ticks = a->ticks;
    }
    if (a->brief > 0 && takes_time(a->action.verb) && a->action.ticks > a->brief) {
        a->action.ticks = a->brief;
    }
}

// The body's own name of something to do, which lives as long as the agent.
static const char *verb_of(const oct_player_body *body, const char *name)
{
    for (size_t i = 0; i < body->verb_count; i++) {
        if (strcmp(body->verbs[i], name) == 0) {
            return body->verbs[i];
        }
    }
    return "";
}

// Tells the game the turn's action. Where nobody else acts before it ends its time passes with it:
// of a game that is played over a link that is one request, which tells what there is to see
// afterwards.
static oct_result tell_action(oct_agent *a)
{
    const bool is_stepped = oct_belief_info(a->belief)->delay_max == 0;
    const uint32_t ticks = takes_time(a->action.verb) ? a->action.ticks : 1;
    const uint64_t until = oct_game_tick(a->game) + ticks;
    oct_action told = a->action;
    oct_motion_mirror(oct_belief_info(a->belief), &told);
    if (is_stepped && until <= a->alone_until) {
        a->busy_until = until;
        return oct_game_turn(a->game, a->who, &told, &a->came);
    }
    OCT_TRY(oct_game_act(a->game, a->who, &told, &a->came));
    a->busy_until = oct_game_tick(a->game) + (is_stepped ? ticks : 0);
    return OCT_OK;
}

// Sends the turn's action; it is busy for as long as that takes.
static oct_result send(oct_agent *a)
{
    choose_rest(a);
    oct_pilot_brake(a->pilot, agent_self(a), &a->action);
    const uint64_t begin = agent_now(a);
    OCT_TRY(tell_action(a));
    (void)snprintf(a->refusal, sizeof a->refusal, "%s",
                   a->came == OCT_ACT_REFUSED ? oct_game_refusal(a->game) : "");
    a->times.game += agent_now(a) - begin;
    a->last = a->action;
    a->last.name =
        a->action.verb == OCT_VERB_DO ? verb_of(oct_belief_body(a->belief), a->action.name) : NULL;
    a->is_curious = a->is_curious || !takes_time(a->action.verb);
    OCT_TRY(oct_belief_act(a->belief, a->who, &a->action, a->came));
    const uint32_t ticks = takes_time(a->action.verb) ? a->action.ticks : 1;
    const bool moves = point_length(agent_self(a)->velocity) > AGENT_AT_REST * agent_metre(a) ||
                       (a->action.verb == OCT_VERB_MOVE && point_length(a->action.move) > 0.0);
    a->times.moving_ticks += moves ? ticks : 0;
    return OCT_OK;
}

// How much all agents have pressed and seen together.
static uint64_t known_by_all(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return h->presses.count + h->things.count;
}

// Who waits for a time, or for a message, will act: only who would give up as well, or has ended,
// changes nothing any more.
static bool is_at_work(const oct_agent *a)
{
    return !a->has_ended && !(a->waits && a->waited_for == known_by_all(a));
}

bool oct_agent_waits(oct_agent *a)
{
    a->waits = a->others_work;
    a->waited_for = known_by_all(a);
    if (a->waits) {
        oct_agent_think(a, "waiting for the others");
    }
    return a->waits;
}

bool oct_agent_gave_up(const oct_agent *a)
{
    return a->gave_up;
}

// What the last moments brought is told by a look: who demands something hears of it before the
// run ends well.
static oct_result ask_demands_again(oct_agent *a, oct_goal_status status)
{
    const bool is_over = status == OCT_GOAL_SUCCESS || status == OCT_GOAL_FAILED;
    if (!is_over || a->demands.count == 0 || a->has_ended) {
        return OCT_OK;
    }
    const uint64_t known = oct_belief_events(a->belief);
    OCT_TRY(a->looked != agent_self(a)->tick ? look(a) : OCT_OK);
    if (known == oct_belief_events(a->belief) && known == a->heard) {
        return OCT_OK;
    }
    a->news = a->heard;
    return check_demands(a);
}

static oct_result take_turn(oct_agent *a)
{
    a->has_action = false;
    a->waits = false;
    a->brief = 0;
    a->news = a->heard;
    OCT_TRY(sense(a));
    if (!a->has_ended) {
        OCT_TRY(check_demands(a));
    }
    if (a->has_ended) {
        return OCT_OK;
    }
    if (!a->life_ended && oct_turn_around(a)) {
        a->turns++;
        return send(a);
    }
    const oct_goal_status status = oct_mind_turn(a->mind, agent_self(a)->tick);
    OCT_TRY(ask_demands_again(a, status));
    conclude(a, status);
    if (a->life_ended) {
        // A goal that holds by now is reached.
        end(a, OCT_VERDICT_INCONCLUSIVE, "%s, and the goal was not reached", a->life_ended);
    }
    if (a->has_ended) {
        return a->failed;
    }
    a->turns++;
    return send(a);
}

// Lets time pass in the game of all of them. Where that fails it ends for all.
static oct_result pass(oct_agent *const *agents, size_t count, uint32_t ticks)
{
    oct_agent *const first = agents[0];
    const uint64_t begin = agent_now(first);
    const oct_result result = oct_game_step(first->game, ticks);
    const uint64_t took = agent_now(first) - begin;
    first->times.game += took;
    first->times.all += took;
    for (size_t i = 0; i < count; i++) {
        (void)oct_agent_break(agents[i], result);
    }
    return result;
}

// Where nobody has acted yet at this tick that is now: those behind it in the list.
static uint64_t others_act_at(oct_agent *const *agents, size_t count, size_t index)
{
    const uint64_t now = oct_game_tick(agents[index]->game);
    uint64_t at = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint64_t due = agents[i]->busy_until > now ? agents[i]->busy_until : now;
        at = i != index && !agents[i]->has_ended && due < at ? due : at;
    }
    return at;
}

oct_result oct_agents_turn(oct_agent *const *agents, size_t count)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        oct_agent *const a = agents[i];
        if (a->has_ended) {
            continue;
        }
        if (a->busy_until <= oct_game_tick(a->game)) {
            const uint64_t begin = agent_now(a);
            a->others_work = false;
            for (size_t k = 0; k < count; k++) {
                a->others_work = a->others_work || (k != i && is_at_work(agents[k]));
            }
            a->alone_until = others_act_at(agents, count, i);
            OCT_TRY(oct_agent_break(a, take_turn(a)));
            a->times.all += agent_now(a) - begin;
        }
        if (!a->has_ended && a->busy_until < next) {
            next = a->busy_until;
        }
    }
    const uint64_t now = count > 0 ? oct_game_tick(agents[0]->game) : UINT64_MAX;
    return next == UINT64_MAX || next <= now ? OCT_OK : pass(agents, count, (uint32_t)(next - now));
}

oct_result oct_agent_turn(oct_agent *a, oct_goal_status *status)
{
    const oct_result result = oct_agents_turn(&a, 1);
    if (status) {
        *status = !a->has_ended                    ? OCT_GOAL_CURRENT
                  : a->verdict == OCT_VERDICT_PASS ? OCT_GOAL_SUCCESS
                                                   : OCT_GOAL_FAILED;
    }
    return result;
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
