// SPDX-License-Identifier: MIT
// The player's hand: from where it reaches a thing, and using that.
//
// Games measure reach from the eye. The eye of a body that keeps upright is known wherever its
// middle is; that of a body that tumbles is anywhere around it.
#ifndef OCTANT_HAND_H
#define OCTANT_HAND_H

#include "agent/agent_internal.h"

// How near to its place somebody has to be to press, metres, where reach leaves room for that.
#define PRESS_TOLERANCE 0.3

// How far from a thing the middle of the body may be at most to use it, units.
double oct_hand_most(const oct_agent *a);
// Where the eye of a body that keeps upright is, its middle being at a place; else the place.
oct_point oct_hand_eye(const oct_agent *a, oct_point at);
// Whether a thing is within reach of a body that comes to a place as near as it can.
bool oct_hand_reaches(const oct_agent *a, const oct_known *k, oct_point at);
// How near to a place it has to be to use a panel from there, units.
double oct_hand_tolerance(const oct_agent *a, uint64_t panel, oct_point at);
// Whether a thing is within reach now.
bool oct_hand_has(const oct_agent *a, const oct_known *k);

// What is missing until it looks in a direction, radians, and how to turn there in so many ticks.
// Who stands turns around its own up alone.
double oct_hand_turn(const oct_agent *a, oct_point towards, uint32_t ticks, oct_point *rotate);

// Turns towards a direction in this turn; false where it faces that so exactly, or gets no nearer.
bool oct_hand_face(oct_agent *a, oct_point towards, double exact, aiming *aim);

// Uses a button; first it faces that, where the game's players have to: false where it turns in
// this turn, and is to be asked again.
bool oct_hand_use(oct_agent *a, oct_button button);

#endif
