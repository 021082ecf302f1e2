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
#define GAIN 0.005
// A direction so far from that of the last turn is another one, radians.
#define OTHER 0.2
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

bool oct_hand_face(oct_agent *a, oct_point towards, double exact, aiming *aim)
{
    const oct_player_body *const body = oct_belief_body(a->belief);
    if (!(body->turn > 0.0) || !oct_player_body_has(body, "move") ||
        !(point_length(towards) > 0.0)) {
        return false;
    }
    const double tick = body->turn / oct_belief_info(a->belief)->rate; // radians
    oct_action turn = {.verb = OCT_VERB_MOVE, .ticks = a->ticks};
    const double missing = oct_hand_turn(a, towards, a->ticks, &turn.rotate);
    const bool is_first = aim->turn + 1 != a->turns || //
                          oct_angle_between(aim->towards, towards) > OTHER;
    if (missing <= exact || (!is_first && missing > aim->missing - GAIN)) {
        return false;
    }
    *aim = (aiming){a->turns, towards, missing};
    turn.ticks = (uint32_t)fmin(ceil(missing / tick), a->ticks);
    (void)oct_hand_turn(a, towards, turn.ticks, &turn.rotate);
    oct_agent_act(a, &turn);
    return true;
}

// A bit within a thing, as seen from the eye: what is exactly at its edge may be missed.
static oct_point way_into(const oct_agent *a, const oct_known *k)
{
    const oct_point eye = agent_self(a)->eye, near = oct_known_nearest(k, eye);
    const oct_point inside = point_scale(point_sub(oct_known_centre(k), near), INSIDE);
    return point_sub(point_add(near, inside), eye);
}

// ---- using ----

bool oct_hand_use(oct_agent *a, oct_button button)
{
    const oct_known *const k = panel_of(a, button.panel);
    if (k && !oct_belief_body(a->belief)->uses_all_around &&
        oct_hand_face(a, way_into(a, k), AIM, &a->aiming)) {
        return false;
    }
    const oct_action use = {
        .verb = OCT_VERB_USE, .target = button.panel, .button = button.number, .ticks = 1};
    oct_agent_act(a, &use);
    return true;
}
