// SPDX-License-Identifier: MIT
/// \file
/// Levels of the lab world made from a seed: rooms on one storey or more, doors, buttons, fires, an
/// agent and a flag, and the truth about them.
///
/// Rooms form a tree: there is one way from each to each. Each door but a sealed one has a button
/// that toggles it alone and can be got to while all later doors are shut; further buttons toggle
/// any doors or none. So the truth is certain by construction: the flag is reached by pressing the
/// doors' own buttons in order, or, behind a sealed door, by nothing. Fires can be gone around.
///
/// The same definition gives the same bytes everywhere. Threading: nothing here holds state.
#ifndef OCTANT_GENERATE_RECRUITS_H
#define OCTANT_GENERATE_RECRUITS_H

#include "octant/recruits_level.h"

/// Limits.
#define OCT_RECRUITS_ROOMS_MAX 200u
#define OCT_RECRUITS_DOORS_MAX 60u
#define OCT_RECRUITS_BUTTONS_MAX 120u
#define OCT_RECRUITS_STOREYS_MAX 4u
#define OCT_RECRUITS_FIRES_MAX 1000u

/// What to make. Start from oct_recruits_gen_def_default().
typedef struct oct_recruits_gen_def {
    uint64_t seed;    ///< 1
    uint32_t rooms;   ///< on each storey, 2 or more; 6
    uint32_t storeys; ///< joined by ramps; 1
    uint32_t doors;   ///< at most one less than the rooms of a storey, times the storeys; 3
    uint32_t buttons; ///< at least as many as doors; 5
    uint32_t fires;   ///< as many as there is room for; 0
    bool unsolvable;  ///< the last door, before the flag, is toggled by nothing; needs a door
    uint32_t cookie;  ///< set by the default; do not touch
} oct_recruits_gen_def;

OCT_API oct_recruits_gen_def oct_recruits_gen_def_default(void);

/// What is true of a level. Doors are called "door1", ..., buttons "button1", ..., in no order that
/// tells anything.
typedef struct oct_recruits_truth {
    bool solvable; ///< "flag1" can be got to
    uint32_t rooms, doors, buttons, fires, links;
    uint32_t opening[OCT_RECRUITS_DOORS_MAX]; ///< numbers of buttons: pressed in this order they
    uint32_t opening_count;                   ///< open all doors, but a sealed one
    uint32_t sealed;                          ///< number of the door that nothing toggles; 0 = none
} oct_recruits_truth;

/// Writes a level as the CSV that the game reads. OCT_ERROR_ARGUMENT for a definition that makes no
/// sense, OCT_ERROR_RANGE beyond a limit, OCT_ERROR_FILE where `write` refuses. The allocator may
/// be NULL.
OCT_API oct_result oct_recruits_generate(const oct_recruits_gen_def *def,
                                         const oct_allocator *allocator, oct_write_fn *write,
                                         void *ctx, oct_recruits_truth *truth);

#endif
