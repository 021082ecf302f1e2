// SPDX-License-Identifier: MIT
// Soft locks: what a life has lost against the start, and after which press.
#ifndef OCTANT_SOFT_LOCK_H
#define OCTANT_SOFT_LOCK_H

#include "agent/effects.h"

typedef struct soft_lock {
    bool may_be;       // something that was open at the start may be shut now
    bool is_certain;   // a door is shut that was open at the start, or in another life
    uint32_t door;     // of the history: that one
    oct_button button; // and the press after which it was seen shut, or that the other life did
                       // without
} soft_lock;

// What one life has lost, as doors were last seen in it.
soft_lock oct_soft_lock_of(const oct_history *h, const effect_rules *rules, uint32_t life);

// The press that a door was seen to shut after, going on from one of its runs: the last before a
// run that shows it no longer open, which the run before still did. NULL where there is none.
const history_press *oct_soft_lock_press(const oct_history *h, const history_door *door,
                                         size_t run);

// How often something was pressed in a life, and the last press; NULL where nothing was.
size_t oct_life_presses(const oct_history *h, uint32_t life, const history_press **last);

// Whether a door was seen to leave its shut pose after a press of a button.
bool oct_press_was_seen_to_open(const oct_history *h, const history_door *door, oct_button button);

#endif
