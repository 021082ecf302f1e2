// SPDX-License-Identifier: MIT
#include "agent/walker.h"
#include "agent/belief_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

// Of a depth that hurts or kills so much is dropped at most.
#define DEPTH_SHARE 0.9
// No deeper than this, metres: arcs of longer falls are not exact enough.
#define DEPTH_MAX 20.0
// What is kept above its head, metres.
#define HEADROOM 0.01
// The corner of a box from its middle, in halves of its width.
#define CORNER 1.4142135623730951

static double told(double value, double otherwise)
{
    return value >= 0.0 ? value : otherwise;
}

// How strongly gravity pulls straight down; 0 where it does not.
static double pull_of(const oct_game_info *info)
{
    const oct_point g = info->gravity;
    const double down = info->up == OCT_UP_X ? -g.x : info->up == OCT_UP_Y ? -g.y : -g.z;
    return down > 0.0 && point_length(g) - down < 1e-6 * down ? down : 0.0;
}

oct_walker oct_walker_of(const oct_player_body *body, const oct_game_info *info, double cell)
{
    const double metre = belief_metre(info), pull = pull_of(info);
    const double speed = body->walk > 0.0 ? body->walk : body->speed;
    const double round = body->width / 2.0;
    oct_walker w = {.radius = body->shape == OCT_BODY_BOX ? round * CORNER : round,
                    .height = body->height + HEADROOM * metre,
                    .step = told(body->step, 0.0),
                    .speed = speed,
                    .tick = 1.0 / info->rate};
    // So that a body between two columns is free where it is in their middles.
    w.margin = sqrt(w.radius * w.radius + cell * cell / 2.0) - w.radius + 0.001 * metre;
    const bool is_at_once = body->gait == OCT_GAIT_BOTH || !(body->acceleration > 0.0);
    if (pull == 0.0 || !is_at_once || info->delay_max > 0) {
        return w;
    }
    const double rise = body->jump * body->jump / (2.0 * pull);
    w.gravity = pull;
    w.jump = oct_player_body_has(body, "jump") ? body->jump : 0.0;
    w.climb = w.jump > 0.0 ? told(body->climb, fmax(rise - body->jump / info->rate, 0.0)) : 0.0;
    w.leap = w.jump > 0.0 ? told(body->leap, speed * body->jump / pull) : 0.0;
    const double hurts = told(body->hurts, HUGE_VAL), kills = told(body->fall, HUGE_VAL);
    const double depth = DEPTH_SHARE * fmin(hurts, kills);
    w.drop = fmin(isfinite(depth) ? depth : w.climb, DEPTH_MAX * metre);
    return w;
}
