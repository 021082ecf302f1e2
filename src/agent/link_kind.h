// SPDX-License-Identifier: MIT
// What buttons certainly do to doors: what is reported of links, and what tests claim of them.
#ifndef OCTANT_LINK_KIND_H
#define OCTANT_LINK_KIND_H

#include "agent/agent_internal.h"
#include "agent/effects.h"

// The effects that are not excluded, as EFFECT_ bits.
uint32_t oct_agent_effects(const oct_agent *a, oct_button button, uint64_t door);

// The same for what is said to be certain: all, where the door may move by itself, as far as is
// known.
uint32_t oct_agent_certain_effects(const oct_agent *a, oct_button button, uint64_t door);
// Whether it was seen that a door does not move by itself, or need not be seen.
bool oct_agent_has_watched(const oct_agent *a, uint64_t door);

// The effects that change a door which is shut, or open.
static inline uint32_t oct_effects_changing(bool is_open)
{
    return EFFECT_TOGGLE | (is_open ? EFFECT_SHUT : EFFECT_OPEN);
}

// Whether a press while the door is so excludes some of the effects that are left.
static inline bool oct_effects_tell(uint32_t left, bool is_open)
{
    return (left & oct_effects_changing(is_open)) != 0 &&
           (left & ~oct_effects_changing(is_open)) != 0;
}

// Whether further presses may decide anything: not where the game denies what that rests on, or
// where others play of whom nothing is known.
bool oct_agent_can_learn_effects(const oct_agent *a);

// What an effect that is certain assumes, as bits 1 << oct_assumption.
uint32_t oct_agent_effects_assume(const oct_agent *a);

#endif
