// SPDX-License-Identifier: MIT
#include "agent/hand.h"
#include "agent/approach.h"
#include "agent/flight_model.h"
#include "agent/pilot.h"
#include "geom/geom_internal.h"

#include <math.h>

// What is kept of the reach in reserve, metres, and as a share of it.
#define RESERVE 0.2
#define RESERVE_SHARE 0.1
// So exactly it faces what it uses, radians; and so much nearer a turn has to bring it.
#define AIM 0.02
#define AIM_GAIN 0.005
// Where it looks at a thing: so much of the way from its nearest point to its middle.
#define INSIDE 0.25

// ---- reach ----

// From the eye, or for bodies that tumble from the middle.
static double reach_of(const oct_agent *a)
{
    const oct_player_body *const body = oct_belief_body(a->belief);
    return body->tumbles ? body->reach - fabs(body->eye - body->height / 2.0) : body->reach;
}

static double reserve_of(const oct_agent *a)
{
    return fmin(RESERVE * agent_metre(a), RESERVE_SHARE * reach_of(a));
}

double oct_hand_most(const oct_agent *a)
{
    const oct_point at = agent_self(a)->centre;
    return reach_of(a) - reserve_of(a) + point_length(point_sub(oct_hand_eye(a, at), at));
}

oct_point oct_hand_eye(const oct_agent *a, oct_point at)
{
    const oct_self *const self = agent_self(a);
    return oct_belief_body(a->belief)->tumbles ? at
                                               : point_add(at, point_sub(self->eye, self->centre));
}

bool oct_hand_reaches(const oct_agent *a, const oct_known *k, oct_point at)
{
    return oct_known_distance(k, oct_hand_eye(a, at)) <= reach_of(a) - reserve_of(a);
}

static const oct_known *panel_of(const oct_agent *a, uint64_t id)
{
    uint32_t index;
    return oct_belief_find(a->belief, id, &index) ? oct_belief_get(a->belief, index) : NULL;
}

double oct_hand_tolerance(const oct_agent *a, uint64_t panel, oct_point at)
{
    const oct_known *const k = panel_of(a, panel);
    const double most = PRESS_TOLERANCE * agent_metre(a);
    return k ? fmax(fmin(most, reach_of(a) - oct_known_distance(k, oct_hand_eye(a, at))),
                    reserve_of(a))
             : most;
}

bool oct_hand_has(const oct_agent *a, const oct_known *k)
{
    return oct_known_distance(k, agent_self(a)->eye) <= oct_belief_body(a->belief)->reach;
}

// ---- facing ----

double oct_hand_turn(const oct_agent *a, oct_point towards, uint32_t ticks, oct_point *rotate)
{
    const oct_self *const self = agent_self(a);
    oct_pilot turner = *a->pilot;
    turner.facing = self->flies ? OCT_FACING_FULL : OCT_FACING_YAW;
    const flight_state body = oct_flight_state_of(self);
    const oct_point unit = point_scale(towards, 1.0 / point_length(towards));
    const double missing = oct_pilot_turn(&turner, &body.frame, unit, ticks, HUGE_VAL, rotate);
    return turner.rules.tumbles
               ? missing
               : fmax(missing, oct_pilot_raise_look(&turner, self, unit, ticks, rotate));
}

// Whether it turns to a thing in this turn. A body that gets no nearer faces it as well as it can.
static bool faces_first(oct_agent *a, const oct_known *k)
{
    const oct_player_body *const body = oct_belief_body(a->belief);
    const oct_point eye = agent_self(a)->eye, near = oct_known_nearest(k, eye);
    const oct_point inside = point_scale(point_sub(oct_known_centre(k), near), INSIDE);
    const oct_point towards = point_sub(point_add(near, inside), eye);
    oct_action turn = {.verb = OCT_VERB_MOVE, .ticks = a->ticks};
    aiming *const aim = &a->aiming;
    if (body->uses_all_around || !(body->turn > 0.0) || !oct_player_body_has(body, "move") ||
        !(point_length(towards) > 0.0)) {
        return false;
    }
    const double missing = oct_hand_turn(a, towards, a->ticks, &turn.rotate);
    const bool is_first = aim->target != k->now.thing.id || aim->turn + 1 != a->turns;
    const bool turns = missing > AIM && (is_first || missing < aim->missing - AIM_GAIN);
    if (turns) {
        *aim = (aiming){k->now.thing.id, a->turns, missing};
        oct_agent_act(a, &turn);
    }
    return turns;
}

// ---- using ----

bool oct_hand_use(oct_agent *a, oct_button button)
{
    const oct_known *const k = panel_of(a, button.panel);
    if (k && faces_first(a, k)) {
        return false;
    }
    const oct_action use = {
        .verb = OCT_VERB_USE, .target = button.panel, .button = button.number, .ticks = 1};
    oct_agent_act(a, &use);
    return true;
}
