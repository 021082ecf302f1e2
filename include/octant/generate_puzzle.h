// SPDX-License-Identifier: MIT
/// \file
/// Puzzles made from a seed: worlds of rooms, doors and buttons, and the truth about them.
///
/// One has to find out which button toggles which door, and get to the target, or say that nobody
/// can. Whether one can is certain by construction:
///
/// - Solvable means that it can be done by someone who waits after every press until all doors
///   stand still. Presses undo themselves, and so does every way that was flown: whoever waits is
///   never shut in.
/// - Unsolvable means that no single player gets there, however fast it is: not while a timer
///   waits, and not through a door that is about to shut.
///
/// The same definition gives the same world, to the bit, everywhere.
/// Threading: nothing here holds state.
#ifndef OCTANT_GENERATE_PUZZLE_H
#define OCTANT_GENERATE_PUZZLE_H

#include "octant/world.h"

#define OCT_PUZZLE_ROOMS_MIN 2
#define OCT_PUZZLE_ROOMS_MAX 40
#define OCT_PUZZLE_DOORS_MAX 24
#define OCT_PUZZLE_BUTTONS_MAX 24
/// Solutions are at most this long.
#define OCT_PUZZLE_PRESSES_MAX 32

/// Why the target cannot be reached.
typedef enum oct_puzzle_why {
    OCT_PUZZLE_SOLVABLE,      ///< it can
    OCT_PUZZLE_WALLED_IN,     ///< not even with all doors open
    OCT_PUZZLE_NO_BUTTON,     ///< it is behind a shut door that nothing opens
    OCT_PUZZLE_BUTTON_BEHIND, ///< what opens the door is behind that door
    /// Two doors in a row are only toggled together, one is open when the other is shut, and the
    /// buttons are too far away to slip in between while they move.
    OCT_PUZZLE_PARITY,
    OCT_PUZZLE_WHY_COUNT
} oct_puzzle_why;

/// "solvable", "walled-in", "no-button", "button-behind", "parity"; NULL beyond the last.
OCT_API const char *oct_puzzle_why_name(oct_puzzle_why why);

/// What to make. Start from oct_puzzle_def_default().
typedef struct oct_puzzle_def {
    uint64_t seed;  ///< default 1
    uint32_t rooms; ///< 2 to 40; 0 (default) = 4 to 12, or as many as doors and buttons need
    /// 1 to 24, at most 2 (rooms - 1), one less where unsolvable; 0 (default) = any.
    uint32_t doors;
    uint32_t buttons; ///< 1 to 24, at most 2 a room; 0 (default) = any
    /// Of a solvable one: the fewest presses are at least so many, to 32; 0 (default) = any, at
    /// least 1.
    uint32_t presses;
    bool unsolvable; ///< default false
    /// Of an unsolvable one: what it should fail by; SOLVABLE (default) = any. PARITY takes two
    /// doors, and some way between buttons and doors.
    oct_puzzle_why why;
    uint32_t cookie; ///< set by the default; do not touch
} oct_puzzle_def;

OCT_API oct_puzzle_def oct_puzzle_def_default(void);

/// A button of a puzzle. Sets of doors are bits, the first door being bit 0.
typedef struct oct_puzzle_button {
    uint64_t panel;     ///< id of its panel
    uint32_t number;    ///< on the panel, from 0
    uint32_t toggles;   ///< these doors
    uint32_t learnable; ///< whether it toggles these doors can be learned, by one who waits
    double delay;       ///< of the timer in between, seconds; 0 = none
    bool reachable;     ///< it can be pressed, by one who waits
} oct_puzzle_button;

/// What is true of a puzzle.
typedef struct oct_puzzle_truth {
    oct_puzzle_why why;
    bool solvable;
    uint32_t rooms, doors, buttons;
    uint32_t presses;                         ///< the fewest that lead to the target; 0 = none do
    uint8_t solution[OCT_PUZZLE_PRESSES_MAX]; ///< indices of the buttons of one way with as few
    uint64_t door[OCT_PUZZLE_DOORS_MAX];      ///< ids, "Door1" first
    oct_puzzle_button button[OCT_PUZZLE_BUTTONS_MAX]; ///< in the order of the panels
    uint32_t open;                                    ///< doors that are open at first
    uint64_t target;                                  ///< id
} oct_puzzle_truth;

/// Makes a puzzle, which is then the caller's; allocator and truth may be NULL. On failure *out is
/// NULL: OCT_ERROR_ARGUMENT for a definition that makes no sense, OCT_ERROR_RANGE beyond the limits
/// and where no such puzzle was found.
///
/// Cells are 2.5 m. Everything is armour but rooms of 2 to 4 x 2 x 2 to 4 cells, side by side and
/// above each other, with walls of one cell. Openings of one cell are free or have a door ("Door1",
/// ...). Panels ("Panel1", ...) stand before walls. Nobody has tools.
OCT_API oct_result oct_puzzle_generate(const oct_puzzle_def *def, const oct_allocator *allocator,
                                       oct_world **out, oct_puzzle_truth *truth);

#endif
