// SPDX-License-Identifier: MIT
// A body among solids: flying, walking, falling, and being pushed.
//
// A body is a capsule that never enters anything solid: every move is swept, every turn of its axis
// is tried first. It keeps SOLIDS_SKIN from what it meets.
#ifndef OCTANT_BODY_MOTION_H
#define OCTANT_BODY_MOTION_H

#include "game/solids.h"
#include "octant/world.h"

// Cosine of the steepest angle to stand at.
#define BODY_LEVEL 0.70710678118654752

typedef struct body {
    oct_point centre;
    motion_frame frame;
    oct_point velocity;     // of who stands: as it walks, without what carries it
    oct_point move, rotate; // of the movement under way
    uint32_t ticks;         // that it will still take
    bool flies, damps, boots;
    bool stands;              // on something, with the jetpack off
    bool jumps;               // with the next tick, if it stands then
    uint32_t loose;           // ticks that boots do not hold after a jump
    uint32_t ground;          // the solid that it stands on, or UINT32_MAX
    uint64_t ground_revision; // of the solids when it was looked for
    uint64_t bumps;           // ticks in which it ran into something while it flew
    // No solid is nearer than `clear` as of an epoch and a drift (oct_solids_drift). Spares sweeps
    // and shapes nothing: it is no part of the body's state.
    double clear, clear_drift;
    uint64_t clear_revision;
} body;

capsule oct_body_capsule(const body *b);

// A body at a pose (of its feet) at rest, with nothing under way: false, and the body as it was,
// where it has no room. The gear and the count of bumps stay. Who would touch something is put
// up to 2 SOLIDS_SKIN beside it, so that one may be placed on a floor.
bool oct_body_place(const solids *s, const oct_pose *pose, body *b);
// The same a little beside it, where it is a little in a wall: tries up to `most` metres.
bool oct_body_place_near(const solids *s, const oct_pose *pose, double most, body *b);

// One tick: turns, thrusts or walks, falls, moves, slides along what it meets, stands or not.
//
// Who flies with dampeners is not pulled by gravity. Who does not fly turns about its up alone. It
// stands where a surface is within 5 cm under its feet, at most 45 degrees from level to it, if it
// has boots on, or is upright (within 45 degrees) in gravity. Who stands walks across its up at
// once and stops at once, follows the surface, and is held by boots: it does not walk over an edge
// but stops there. Without boots it falls. What is steeper than it stands on is a wall to who
// stands: it gains no height along it. A jump loosens the boots for half a second.
void oct_body_tick(const solids *s, const oct_world_rules *rules, body *b);

// A frame is about to move by a vector: moves the body out of its way, along it where it stands on
// the frame. False, and the body as it was, where it cannot: then the frame has to wait, and those
// that were moved before have to be put back by the caller.
bool oct_body_push(const solids *s, uint32_t frame, oct_point by, body *b);

#endif
