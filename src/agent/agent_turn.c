// SPDX-License-Identifier: MIT
// Turns: what an agent does, and how time passes for several of them.
#include "agent/agent_turn.h"
#include "agent/history.h"
#include "agent/mind.h"
#include "agent/pilot.h"
#include "agent/turn_around.h"

#include "geom/geom_internal.h"

#include <stdio.h>
#include <string.h>

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

uint64_t oct_agent_known_by_all(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return h->presses.count + h->things.count;
}

// Who waits for a time, or for a message, will act: only who would give up as well, or has ended,
// changes nothing any more.
static bool is_at_work(const oct_agent *a)
{
    return !a->has_ended && !(a->waits && a->waited_for == oct_agent_known_by_all(a));
}

bool oct_agent_waits(oct_agent *a)
{
    a->waits = a->others_work;
    a->waited_for = oct_agent_known_by_all(a);
    if (a->waits) {
        oct_agent_think(a, "waiting for the others");
    }
    return a->waits;
}

bool oct_agent_gave_up(const oct_agent *a)
{
    return a->gave_up;
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

// What the last moments brought is told by a look: who demands something hears of it before the
// run ends well.
static oct_result ask_demands_again(oct_agent *a, oct_goal_status status)
{
    const bool is_over = status == OCT_GOAL_SUCCESS || status == OCT_GOAL_FAILED;
    if (!is_over || a->demands.count == 0 || a->has_ended) {
        return OCT_OK;
    }
    const uint64_t known = oct_belief_events(a->belief);
    OCT_TRY(a->looked != agent_self(a)->tick ? oct_agent_look(a) : OCT_OK);
    if (known == oct_belief_events(a->belief) && known == a->heard) {
        return OCT_OK;
    }
    a->news = a->heard;
    return oct_agent_check_demands(a);
}

static oct_result take_turn(oct_agent *a)
{
    a->has_action = false;
    a->waits = false;
    a->brief = 0;
    a->news = a->heard;
    OCT_TRY(oct_agent_sense(a));
    if (!a->has_ended) {
        OCT_TRY(oct_agent_check_demands(a));
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
    oct_agent_conclude(a, status);
    if (a->life_ended) {
        // A goal that holds by now is reached.
        oct_agent_end(a, OCT_VERDICT_INCONCLUSIVE, "%s, and the goal was not reached",
                      a->life_ended);
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
