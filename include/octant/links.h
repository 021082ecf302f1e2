// SPDX-License-Identifier: MIT
/// \file
/// Links: which button toggles which door, learned from presses and sightings.
///
/// A press flips every door that its button is linked with. So a door's state is that in which it
/// was first seen, flipped by each later press of each linked button: every further sighting is one
/// linear equation over GF(2) in the unknown links of that door. A link need not be seen right
/// after its press; sightings of far doors are collected on the way. Elimination says which links
/// are certain, which are open, and what would decide them.
///
/// Delays: what a press does may come late (timers), and doors take time. A sighting less than
/// `settle` ticks after any press tells nothing yet and is not counted. A door that moves later
/// than that shows that effects come later than was thought: `settle` grows to that and a quarter
/// more, and everything is counted anew from what was noted. It grows up to `settle_most`.
///
/// A door whose sightings contradict each other under this rule is odd: it is moved by something
/// else than toggles, and nothing is concluded about it. It may turn out to be none when `settle`
/// grows. A door that changes before all presses, or moves `settle_most` ticks after the last one
/// or later, is odd for ever.
///
/// Threading: one writer or many readers.
#ifndef OCTANT_LINKS_H
#define OCTANT_LINKS_H

#include "octant/base.h"

typedef struct oct_links oct_links;

#define OCT_LINKS_BUTTONS_MAX 4096
#define OCT_LINKS_DOORS_MAX 4096

/// How to create links. Start from oct_links_def_default().
typedef struct oct_links_def {
    uint64_t settle;                ///< ticks; default 180
    uint64_t settle_most;           ///< ticks; at least `settle` is taken; default 3600
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_links_def;

OCT_API oct_links_def oct_links_def_default(void);
OCT_API oct_result oct_links_create(const oct_links_def *def, oct_links **out);
OCT_API void oct_links_destroy(oct_links *links);

/// A button: one of a panel's.
typedef struct oct_button {
    uint64_t panel;  ///< its id
    uint32_t number; ///< from 0
} oct_button;

// ---- what is known to be there ----

/// Finds a button or a door, or makes it known; indices are given in the order of coming in. On
/// failure nothing has changed; OCT_ERROR_RANGE beyond the limits.
OCT_API oct_result oct_links_add_button(oct_links *links, oct_button button, uint32_t *index);
OCT_API oct_result oct_links_add_door(oct_links *links, uint64_t door, uint32_t *index);
OCT_API bool oct_links_find_button(const oct_links *links, oct_button button, uint32_t *index);
OCT_API bool oct_links_find_door(const oct_links *links, uint64_t door, uint32_t *index);
OCT_API uint32_t oct_links_buttons(const oct_links *links);
OCT_API uint32_t oct_links_doors(const oct_links *links);
OCT_API oct_button oct_links_button(const oct_links *links, uint32_t index);
OCT_API uint64_t oct_links_door(const oct_links *links, uint32_t index);

// ---- what was done and seen ----

typedef enum oct_door_state {
    OCT_DOOR_SHUT,
    OCT_DOOR_OPEN,
    OCT_DOOR_MOVING, ///< on its way: shows late effects, and is no equation
    OCT_DOOR_UNKNOWN ///< of predictions alone
} oct_door_state;

/// Notes a press. In a life ticks never fall from call to call, of this function and the next but
/// one (OCT_ERROR_ARGUMENT).
OCT_API oct_result oct_links_press(oct_links *links, uint32_t button, uint64_t tick);

/// The game has begun anew: doors are as they were before all presses, and ticks count from 0. What
/// was seen stays, so this is for games that repeat exactly.
OCT_API oct_result oct_links_begin_life(oct_links *links);

/// Notes how a door is seen. One sighting of a door is kept for each time between two presses: any
/// number of further ones costs no memory. Returns OCT_OK also for one that is not counted.
/// Linear in rows times words: at most (buttons + 1)^2 / 64; where `settle` grows, that for all
/// sightings kept.
OCT_API oct_result oct_links_see(oct_links *links, uint32_t door, uint64_t tick,
                                 oct_door_state state);

// ---- what follows ----
//
// Nothing here allocates. Each is linear in rows times words.

typedef enum oct_link {
    OCT_LINK_NO,        ///< certainly not
    OCT_LINK_YES,       ///< certainly
    OCT_LINK_UNDECIDED, ///< either is possible
    OCT_LINK_ODD,       ///< the door is odd
    OCT_LINK_COUNT
} oct_link;

/// "no", "yes", "open", "odd"; NULL beyond the last.
OCT_API const char *oct_link_name(oct_link link);

/// What presses of a button do to a door. See oct_agent_link.
typedef enum oct_link_kind {
    OCT_LINK_KIND_UNDECIDED, ///< more than one of the others is possible
    OCT_LINK_KIND_NOTHING,
    OCT_LINK_KIND_TOGGLES,
    OCT_LINK_KIND_OPENS, ///< opens it if it is shut, and never shuts it
    OCT_LINK_KIND_SHUTS, ///< the opposite
    OCT_LINK_KIND_COUNT
} oct_link_kind;

/// "undecided", "nothing", "toggles", "opens", "shuts"; NULL beyond the last.
OCT_API const char *oct_link_kind_name(oct_link_kind kind);

OCT_API oct_link oct_links_get(const oct_links *links, uint32_t button, uint32_t door);

/// How a door is once all presses so far have had their effect: as it was seen last and what is
/// certain about the presses since then together (which may be certain although no single link is).
/// Else UNKNOWN; so for a door that is odd, or that no sighting counts of.
OCT_API oct_door_state oct_links_predict(const oct_links *links, uint32_t door);
OCT_API oct_door_state oct_links_predict_presses(const oct_links *links, uint32_t door,
                                                 const uint32_t *buttons, size_t count);

/// What would decide an open link. Each is the least that does for certain.
typedef enum oct_advice {
    OCT_ADVICE_NONE,         ///< it is decided, or the door is odd
    OCT_ADVICE_SEE,          ///< see the door, once effects have settled
    OCT_ADVICE_PRESS_SEE,    ///< press the button, then see the door
    OCT_ADVICE_SEE_PRESS_SEE ///< both
} oct_advice;

/// One sighting that counts.
typedef struct oct_sighting {
    uint64_t tick;
    oct_door_state state;
    bool is_earlier; ///< in an earlier life, whose ticks are its own
} oct_sighting;

/// The sightings of a door from which, with the presses, a link follows that is certainly there or
/// certainly not, in the order of time: none can be left out, but there may be a smaller set.
/// Returns how many there are, 0 for an open or odd one; at most `capacity` are written.
OCT_API size_t oct_links_evidence(const oct_links *links, uint32_t button, uint32_t door,
                                  oct_sighting *out, size_t capacity);

#endif
