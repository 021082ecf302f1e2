// SPDX-License-Identifier: MIT
// When an agent looks around, and what the game says to it meanwhile.
#include "agent/agent_turn.h"
#include "agent/approach.h"
#include "agent/effects.h"
#include "agent/goals_internal.h"
#include "agent/history.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <stdio.h>
#include <string.h>

// An agent that stands looks around at least so often, ticks; and after some way.
#define LOOK_MAX 60u
#define LOOK_MOVED 0.25 // of how far it sees
#define LOOK_NEAR 1e-3  // metres: as good as the same place
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
        oct_agent_end(a, OCT_VERDICT_FAIL, "the game says at %.1f s: %s", at, e->text);
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

oct_result oct_agent_look(oct_agent *a)
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
    return a->looked != agent_self(a)->tick && oct_agent_break(a, oct_agent_look(a)) == OCT_OK;
}

bool oct_agent_refresh(void *agent)
{
    return oct_agent_look_again(agent);
}

oct_result oct_agent_sense(oct_agent *a)
{
    OCT_TRY(oct_belief_feel(a->belief, a->game, a->who));
    return must_look(a, agent_self(a)) ? oct_agent_look(a) : OCT_OK;
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
