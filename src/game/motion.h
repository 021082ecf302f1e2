// SPDX-License-Identifier: MIT
// One tick of a body that flies where nothing is in its way: what the block world does, and what
// who steers in it counts on.
//
// In each tick the body first turns, then its velocity changes by thrust and dampeners, then it
// moves by its new velocity.
#ifndef OCTANT_MOTION_H
#define OCTANT_MOTION_H

#include "geom/geom_internal.h"
#include "octant/game.h"

// A body's own axes: unit vectors at right angles, right = forward x up.
typedef frame_axes motion_frame;

motion_frame oct_motion_frame(oct_point forward, oct_point up);

// World coordinates of a vector in the frame, and the other way round (Hoekzema 2024, eq. 1).
oct_point oct_motion_to_world(const motion_frame *frame, oct_point local);
oct_point oct_motion_to_local(const motion_frame *frame, oct_point world);

// Actions speak of right, and of turning left, as who plays sees them. Where the world is
// left-handed these are the other way round in the frame: this makes the one of the other.
void oct_motion_mirror(const oct_game_info *info, oct_action *action);

// Turns the frame as an action's `rotate` says, by at most `angle` radians about each axis: yaw,
// then pitch, then roll, each about the axis as it then is. Yaw alone leaves up as it is, to the
// bit: a body that only looks around does not tilt.
void oct_motion_turn(motion_frame *frame, oct_point rotate, double angle);

// The velocity after a tick of thrust (in the body's frame; a share, longer than 1 counts as 1)
// from what it was, `tick` seconds long. The thrust accelerates by its share of `acceleration`;
// dampeners brake the velocity along those of the body's axes that have no thrust, with what the
// thrust leaves of the acceleration: without any thrust all of it with all. No faster than `speed`.
oct_point oct_motion_velocity(const motion_frame *frame, oct_point velocity, oct_point thrust,
                              bool damps, double acceleration, double speed, double tick);

#endif
