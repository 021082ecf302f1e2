// SPDX-License-Identifier: MIT
// Where a body on foot may be, of the space that it could fly through: what is not excluded.
//
// A body stands on a floor: the upper side of something solid, anything within what is turned or
// what a door sweeps, or what was not seen. From there it gets to floors that are no higher than it
// climbs and no farther than it leaps, the lower the farther; in between it may be wherever the
// ball gets without being higher or farther than that. All doors are out of the way, and floors, at
// once; how deep it may fall is not asked. So what is left is too much rather than too little.
//
// Floors of one height are one place to begin from: as far as their columns were got to, every cell
// that connects with one where the body touches them, within what a jump from the nearest of these
// columns allows, is reached; from there other floors are. This is done until nothing is new.
#ifndef OCTANT_WALK_SPACE_H
#define OCTANT_WALK_SPACE_H

#include "agent/config_space.h"
#include "octant/proof.h"

// What all bodies of a run can do on foot, at most. Metres, seconds.
typedef struct walk_limits {
    oct_up up;
    double climb;  // from one floor up to another
    double rise;   // in the air, above the floor that it has left
    double leap;   // between the edges of floors of one height
    double speed;  // level
    double pull;   // downwards
    double tick;   // of the game
    double low;    // its centre above what it stands on: at least
    double high;   // and at most
    double beside; // what it stands on may be so far beside its centre
    double round;  // and so far above its feet, at an edge
} walk_limits;

// False where something is not told; *untold is what, or "" where that is nothing of the kind: it
// may fly, or gravity does not pull it down.
bool oct_walk_limits_of(const oct_history *history, const oct_game_info *info, walk_limits *out,
                        const char **untold);

// Whether something but steps, jumps and falls may change where a body stands.
bool oct_walk_is_denied(const oct_history *history, const oct_game_info *info);

// Closes the cells of a space where nobody gets on foot, but for doors. The space has its walls and
// trees, and no parts yet. *is_told is false, and nothing was closed, where that cannot be said:
// something that moves may carry, or there are too many cells.
oct_result oct_walk_space_close(config_space *s, const walk_limits *limits, bool *is_told);

#endif
