// SPDX-License-Identifier: MIT
// What a described body can do on foot, as agents act on it.
#ifndef OCTANT_WALKER_H
#define OCTANT_WALKER_H

#include "octant/footing.h"
#include "octant/game.h"

// Its slope is 0: agents do not walk on slopes yet, see docs/internals/walking.md.
// Limits that are not told are taken low: who acts on them does no more than it can. A body that
// takes time to get up its speed, or whose game answers late, neither jumps nor drops; nor does one
// that gravity pulls another way than down.
oct_walker oct_walker_of(const oct_player_body *body, const oct_game_info *info, double cell);

// A point so much further up.
static inline oct_point oct_walker_raised(oct_point at, oct_up up, double by)
{
    *(up == OCT_UP_X ? &at.x : up == OCT_UP_Y ? &at.y : &at.z) += by;
    return at;
}

// What is level of a velocity or a way: `speed` says nothing of the rest of it.
static inline oct_point oct_walker_level(oct_point of, oct_up up)
{
    *(up == OCT_UP_X ? &of.x : up == OCT_UP_Y ? &of.y : &of.z) = 0.0;
    return of;
}

#endif
