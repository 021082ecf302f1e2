// SPDX-License-Identifier: MIT
// How near a body is to the shape of something, as both are told.
#ifndef OCTANT_TOUCH_H
#define OCTANT_TOUCH_H

#include "octant/game_data.h"

// Between what the body surely fills (a capsule inside it) and what it fills at most; 0 or less: it
// touches. What is further off than TOUCH_FAR is not measured closely: `most` is HUGE_VAL then.
typedef struct touch_gap {
    double least, most; // metres
} touch_gap;

#define TOUCH_FAR 8.0

// Bodies that only just touch have so much between them in some games, metres.
#define TOUCH_SKIN 0.03

// Of a body whose centre is there.
touch_gap oct_touch_gap(const oct_player_body *body, oct_point centre, oct_point up,
                        const oct_entity *entity);

#endif
