// SPDX-License-Identifier: MIT
/// \file
/// Flight: from a path to actions.
///
/// A pilot is given a path and, again and again, what is known of itself; it answers with what to
/// do next. It knows the body's dynamics from the game's description and counts with every delay
/// that the game may have: whatever it begins, and whenever that begins, ends by itself before
/// anything that is not free. So it never flies into what its map knows.
///
/// It chooses its speed from what lies ahead: it brakes in time for bends and for the end, passes
/// bends as fast as the room beside them allows, and turns towards the way as it goes.
///
/// Threading: a pilot belongs to one thread; it borrows a map that must not change during a call.
#ifndef OCTANT_FLIGHT_H
#define OCTANT_FLIGHT_H

#include "octant/game.h"

typedef struct oct_pilot oct_pilot;

/// What a pilot's map is padded by beyond the ball around the body, metres: it may stray by a part
/// of it from paths that run along surfaces.
#define OCT_PILOT_MARGIN 0.05

/// How a pilot turns towards the way.
typedef enum oct_facing {
    OCT_FACING_YAW,  ///< around its own up alone
    OCT_FACING_FULL, ///< so that it looks along the way
    OCT_FACING_NONE  ///< not at all
} oct_facing;

/// How to create a pilot. Start from oct_pilot_def_default().
typedef struct oct_pilot_def {
    const oct_game_info *info;   ///< of the game; copied; must be there
    const oct_player_body *body; ///< that it flies; copied but for its verbs; must be there
    /// Padded by the ball around the body and OCT_PILOT_MARGIN; what is not OPEN is not entered;
    /// must be there.
    const oct_map *map;
    oct_facing facing; ///< default YAW
    double tolerance;  ///< how near to the end it has arrived, metres; default 0.25
    double overshoot;  ///< that it allows itself beyond a bend or the end, metres; default 0.2
    double speed;      ///< no faster than this, m/s; 0 (default) = as the game allows
    uint32_t ticks;    ///< most of an action where the game is stepped; default 20
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_pilot_def;

OCT_API oct_pilot_def oct_pilot_def_default(void);

OCT_API oct_result oct_pilot_create(const oct_pilot_def *def, oct_pilot **out);
OCT_API void oct_pilot_destroy(oct_pilot *pilot);

/// What a pilot is about.
typedef enum oct_pilot_status {
    OCT_PILOT_IDLE,    ///< it has no path
    OCT_PILOT_FLYING,  ///< under way
    OCT_PILOT_LANDING, ///< aligning with a surface, or going down to it
    OCT_PILOT_WALKING, ///< under way on foot
    OCT_PILOT_ARRIVED, ///< there, and at rest
    OCT_PILOT_BLOCKED, ///< the way ahead is not free: plan anew; it goes on as far as it is
    OCT_PILOT_STUCK,   ///< it does not get on: plan anew from where it is
    OCT_PILOT_STATUS_COUNT
} oct_pilot_status;

/// "idle", "flying", ...; NULL beyond the last.
OCT_API const char *oct_pilot_status_name(oct_pilot_status status);

/// Gives it a path for the centre of the body, which is copied: from where the body is (or near
/// there) to where it shall be; at least one point.
OCT_API oct_result oct_pilot_follow(oct_pilot *pilot, const oct_point *points, size_t count);

#define OCT_LAND_MAX 10.0

/// What to do now. The action is to be sent at once; a movement that the caller began by itself
/// must have ended. Allocates nothing.
OCT_API oct_pilot_status oct_pilot_next(oct_pilot *pilot, const oct_self *self, oct_action *action);

/// The rule that chooses to walk or to fly. Who stands walks a way of at most this many metres
/// along the surface that it stands on: no point of the way is further above or below it, by its
/// own up, than half the tolerance, and the map has ground under all of it and room above. Any
/// other way is flown, and who stands takes off for it. Who flies does not land by itself.
#define OCT_WALK_MAX 10.0

#endif
