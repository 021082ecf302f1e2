// SPDX-License-Identifier: MIT
// A game whose time passes by itself: a stepped one, which is given the ticks that have passed on a
// clock whenever it is asked for something. Between two calls nobody acts, so that nothing depends
// on when it is given them.
//
// A life begins at tick 0 with the game, or with its reset. A step, and so a turn, ends when its
// ticks have passed; what comes late, because the game was slow or nobody asked, is made up for.
#ifndef OCTANT_LINK_RUNNING_H
#define OCTANT_LINK_RUNNING_H

#include "octant/game.h"

// Time as the host measures it.
typedef struct link_time {
    uint64_t (*now_ns)(void *ctx); // never goes back
    // Waits until then. False: no longer wanted, and the step ends with OCT_ERROR_LINK.
    bool (*wait)(void *ctx, uint64_t until_ns);
    void *ctx;
} link_time;

// `speed`: seconds of the game in a second of the clock, > 0. The game that comes out owns the one
// that went in; on failure that one is as it was and the caller's.
oct_result oct_link_run(oct_game *inner, double speed, const link_time *time,
                        const oct_allocator *allocator, oct_game **out);

#endif
