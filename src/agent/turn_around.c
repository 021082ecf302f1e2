// SPDX-License-Identifier: MIT
#include "agent/turn_around.h"

#include "agent/belief_internal.h"
#include "agent/history.h"
#include "geom/geom_internal.h"

#include <math.h>

// So far from where it turned around last, as a share of how far it sees, it does so again.
#define FAR 0.1
// From look to look it turns by this part of what it sees: neighbouring looks overlap.
#define PART 0.7
#define WHOLE_TURN 6.283185307179586

static bool sees_all_around(const oct_game_info *info)
{
    return !(info->fov > 0.0 && info->fov < OCT_FOV_ALL);
}

// Rings of looks: level, up and down. Who sees half of everything at once needs the level one.
static uint32_t rings_of(const oct_game_info *info)
{
    return info->fov < WHOLE_TURN / 2.0 ? 3 : 1;
}

static uint32_t looks_of(const oct_game_info *info)
{
    return (uint32_t)ceil(WHOLE_TURN / fmin(PART * info->fov, WHOLE_TURN / 2.0));
}

// A turn by an angle to the left and one upwards, at the body's own rate.
static oct_action turn_by(const oct_agent *a, double left, double up)
{
    const oct_game_info *const info = oct_belief_info(a->belief);
    const double rate = oct_belief_body(a->belief)->turn / info->rate; // radians per tick
    const double angle = fmax(fabs(left), fabs(up)), needed = ceil(angle / rate - 1e-9);
    const double ticks = fmin(fmax(needed, 1.0), (double)a->ticks);
    oct_action turn = {.verb = OCT_VERB_MOVE, .ticks = (uint32_t)ticks};
    turn.rotate.x = fmin(fmax(up / (rate * ticks), -1.0), 1.0);
    turn.rotate.y = fmin(fmax(left / (rate * ticks), -1.0), 1.0);
    return turn;
}

// What is left of a look's turn after so many ticks of it.
static void go_on(oct_agent *a)
{
    turn_around *const t = &a->turning;
    const oct_action turn = turn_by(a, t->left, t->up);
    const double rate = oct_belief_body(a->belief)->turn / oct_belief_info(a->belief)->rate;
    t->left -= turn.rotate.y * rate * turn.ticks;
    t->up -= turn.rotate.x * rate * turn.ticks;
    oct_agent_think(a, "looking around");
    oct_agent_act(a, &turn);
}

// The next look: around the ring, then up or down to another one, at last level again.
static bool begin_look(oct_agent *a)
{
    turn_around *const t = &a->turning;
    const oct_game_info *const info = oct_belief_info(a->belief);
    const uint32_t looks = looks_of(info), rings = rings_of(info);
    const double tilt = fmin(PART * info->fov, WHOLE_TURN / 4.0 - info->fov / 2.0 * PART);
    if (t->look == looks * rings) {
        return false;
    }
    const uint32_t ring = t->look / looks;
    const bool is_first = t->look % looks == 0 && ring > 0;
    const bool is_last = t->look + 1 == looks * rings && rings > 1;
    t->left = WHOLE_TURN / looks;
    t->up = is_first ? (ring == 1 ? tilt : -2.0 * tilt) : is_last ? tilt : 0.0;
    t->look++;
    return true;
}

static size_t presses_of(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return h ? h->presses.count : 0;
}

static bool must_begin(const oct_agent *a)
{
    const turn_around *const t = &a->turning;
    const oct_player_body *const body = oct_belief_body(a->belief);
    const double far = FAR * oct_belief_info(a->belief)->view;
    return oct_agent_rests(a) && agent_self(a)->flies && body->turn > 0.0 &&
           oct_player_body_has(body, "move") &&
           (!t->has_turned || t->presses != presses_of(a) ||
            point_length(point_sub(agent_self(a)->centre, t->at)) > far);
}

bool oct_turn_around(oct_agent *a)
{
    turn_around *const t = &a->turning;
    if (sees_all_around(oct_belief_info(a->belief)) || !(agent_self(a)->health > 0.0)) {
        return false;
    }
    if (!t->is_turning && must_begin(a)) {
        *t = (turn_around){.is_turning = true,
                           .has_turned = true,
                           .at = agent_self(a)->centre,
                           .presses = presses_of(a)};
    }
    if (!t->is_turning) {
        return false;
    }
    const double least = 1e-6;
    if (fabs(t->left) < least && fabs(t->up) < least && !begin_look(a)) {
        t->is_turning = false;
        return false;
    }
    go_on(a);
    a->must_look = true;
    return true;
}
