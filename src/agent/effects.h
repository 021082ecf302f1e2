// SPDX-License-Identifier: MIT
// Effects: what presses of a button may do to a door, from what was seen and nothing else.
//
// A press does nothing to a door, toggles, opens or shuts it. What was not seen to be otherwise may
// be any of these. Only isolated presses count: no other one by anybody until the longest delay has
// passed. Where effects may be delayed, a door that was found as it had been was perhaps moved and
// moved back: that counts only if it was watched.
#ifndef OCTANT_EFFECTS_H
#define OCTANT_EFFECTS_H

#include "agent/history.h"

enum {
    EFFECT_NOTHING = OCT_EFFECT_NOTHING,
    EFFECT_TOGGLE = OCT_EFFECT_TOGGLE,
    EFFECT_OPEN = OCT_EFFECT_OPEN,
    EFFECT_SHUT = OCT_EFFECT_SHUT,
    EFFECT_ANY = OCT_EFFECT_ANY,
};

// What the game says that matters here.
typedef struct effect_rules {
    uint64_t settle; // the longest delay, ticks
    uint64_t slide;  // what a door takes to open or shut, ticks
    bool toggles;    // every link is a toggle or nothing, and presses add up
    bool causes;     // promised: doors move by presses alone
    bool forgets;    // a press may do something else later: nothing follows from what was seen
} effect_rules;

effect_rules oct_effect_rules_of(const oct_game_info *info);

// The effects that are not excluded. `links` (may be NULL) has learned from all presses; it
// is asked besides where toggles are promised.
uint32_t oct_effects_of(const oct_history *h, const effect_rules *rules, const oct_links *links,
                        oct_button button, uint32_t door);

// So long after a press another one is isolated from it, ticks.
uint64_t oct_effects_spell(const effect_rules *rules);

// Whether a door moved although nothing that was pressed can have been the cause.
bool oct_effects_moves_alone(const oct_history *h, const effect_rules *rules, uint32_t door);

// Whether a door that moves by itself would have been seen to: it was watched at rest for the
// longest delay while nothing was pending. Where the game promises causes, or nothing is ever
// pending, that need not be.
bool oct_effects_is_watched(const oct_history *h, const effect_rules *rules, uint32_t door);

// How a door may have been at the start, which is the same in each life: bit 0 = shut, bit 1 =
// open. `may_move` says whether a button may have moved it.
typedef bool may_move_fn(void *ctx, oct_button button, uint32_t door);
uint32_t oct_effects_at_start(const oct_history *h, uint32_t door, may_move_fn *may_move,
                              void *ctx);

#endif
