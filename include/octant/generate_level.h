// SPDX-License-Identifier: MIT
/// \file
/// Levels made from a seed: buildings with doors, buttons, timers and a target, each of one class
/// of difficulty, and the truth about them.
///
/// A puzzle (octant/generate_puzzle.h) is about toggles. Levels are about everything else that a
/// game may do with doors: timers, windows of time, traps, tight gaps, several agents. Every class
/// has twins that nobody can solve. Whether a level can be solved is certain by construction:
///
/// - Solvable: the truth has a plan. It holds for agents that fly at 2 m/s and take a second for
///   each start and stop.
/// - Unsolvable: nobody gets there, even at twice the described speed. Where speed matters, the
///   ways are that long.
///
/// The same definition gives the same world, to the bit, everywhere.
/// Threading: nothing here holds state.
#ifndef OCTANT_GENERATE_LEVEL_H
#define OCTANT_GENERATE_LEVEL_H

#include "octant/world.h"

/// Limits. Only rows have more than 40 doors.
#define OCT_LEVEL_DOORS_MAX 70
#define OCT_LEVEL_BUTTONS_MAX 80
#define OCT_LEVEL_AGENTS_MAX 3
#define OCT_LEVEL_STEPS_MAX 512

/// What is difficult about a level.
typedef enum oct_level_class {
    OCT_LEVEL_TOGGLES,  ///< buttons toggle up to three doors
    OCT_LEVEL_TIMERS,   ///< buttons toggle a door 1 to 55 s later
    OCT_LEVEL_WINDOWS,  ///< a press opens a door, and a timer shuts it
    OCT_LEVEL_STOPS,    ///< the time is too short; a second button stops the timer
    OCT_LEVEL_CHAINS,   ///< timers that start timers open one door after the other
    OCT_LEVEL_OPENS,    ///< buttons open doors, and a second press does nothing
    OCT_LEVEL_SHUTS,    ///< a button opens one door and shuts another: the order matters
    OCT_LEVEL_TRAPS,    ///< a button shuts a door that nothing opens
    OCT_LEVEL_AMBUSHES, ///< the same, where the door cannot be seen yet
    OCT_LEVEL_TOGETHER, ///< all buttons must be pressed, in any order, and no fewer will do
    OCT_LEVEL_PENDING,  ///< a press helps only while what another one began is pending
    OCT_LEVEL_CLOSING,  ///< doors shut by themselves some seconds after they were opened
    OCT_LEVEL_HELD,     ///< a body in a doorway holds the door open that its press shuts
    OCT_LEVEL_WIDE,     ///< a door that is never open all the way, but wide enough
    OCT_LEVEL_GLASS,    ///< panels behind glass
    OCT_LEVEL_NICHES,   ///< panels at the end of niches
    OCT_LEVEL_DRIFTING, ///< panels on grids that drift
    OCT_LEVEL_DECOYS,   ///< buttons that do nothing, or nothing that helps
    OCT_LEVEL_SHAFTS,   ///< rooms at the end of vertical shafts
    OCT_LEVEL_GAPS,     ///< passages of 1.2 m or more in width, or 1.95 m or more in height
    OCT_LEVEL_TURNED,   ///< the building's grid is turned by some angle
    OCT_LEVEL_AGENTS,   ///< two or three agents, who all have to get to the target
    OCT_LEVEL_ROWS,     ///< up to 70 doors in a row
    OCT_LEVEL_DETOURS,  ///< two presses do, at the two ends of a long room
    OCT_LEVEL_TILTED,   ///< the building's grid is turned by at most 45 degrees about any axis
    OCT_LEVEL_HOUSES,   ///< the same, and the target is in a house on a grid of its own
    OCT_LEVEL_CLASS_COUNT
} oct_level_class;

/// "toggles", "timers", ...: as above in small letters; NULL beyond the last.
OCT_API const char *oct_level_class_name(oct_level_class of);

/// Why nobody gets to the target.
typedef enum oct_level_why {
    OCT_LEVEL_SOLVABLE,  ///< they do
    OCT_LEVEL_SEALED,    ///< a wall, a gap of half a metre, or a house without an opening
    OCT_LEVEL_PARITY,    ///< two doors in a row, of which the buttons leave one shut
    OCT_LEVEL_BEHIND,    ///< the button is beyond its own door
    OCT_LEVEL_CIRCULAR,  ///< the buttons of two doors are each behind the other door
    OCT_LEVEL_SHORT,     ///< the door shuts long before one can be there
    OCT_LEVEL_SHUT_ONLY, ///< the button of a shut door only ever shuts it
    OCT_LEVEL_EXCLUSIVE, ///< two doors in a row: what opens one shuts the other
    OCT_LEVEL_DANGLING,  ///< the wire leads to a block that is not there
    OCT_LEVEL_MISSING,   ///< there is no target
    OCT_LEVEL_WHY_COUNT
} oct_level_why;

/// "solvable", "sealed", "parity", "behind", "circular", "short", "shut-only", "exclusive",
/// "dangling", "missing"; NULL beyond the last.
OCT_API const char *oct_level_why_name(oct_level_why why);

/// What to make. Start from oct_level_def_default().
typedef struct oct_level_def {
    uint64_t seed;               ///< default 1
    oct_level_class level_class; ///< default TOGGLES
    bool unsolvable;             ///< default false
    /// Of an unsolvable one: why; SOLVABLE (default) = by seed. Not with several agents: PARITY,
    /// SHORT, EXCLUSIVE, which several agents can solve.
    oct_level_why why;
    uint32_t doors;   ///< 2 to 40, of ROWS to 70; 0 (default) = by seed
    uint32_t buttons; ///< to 80, at least as many as the doors take; 0 (default) = as many
    uint32_t cookie;  ///< set by the default; do not touch
} oct_level_def;

OCT_API oct_level_def oct_level_def_default(void);

/// What one press of a button does to a door, when nothing else is pending.
typedef enum oct_level_action {
    OCT_LEVEL_NOTHING,
    OCT_LEVEL_TOGGLE,
    OCT_LEVEL_OPEN,
    OCT_LEVEL_SHUT
} oct_level_action;

typedef struct oct_level_effect {
    uint8_t action; ///< an oct_level_action: the first that it does
    uint32_t delay; ///< ticks after the press
    uint32_t undo;  ///< ticks after the press at which the next action follows; 0 = none does
} oct_level_effect;

/// What agents do.
typedef enum oct_level_verb {
    OCT_LEVEL_PRESS, ///< flies to a panel and presses a button; from a doorway that it holds, there
    OCT_LEVEL_GO,    ///< flies to a door and stays before it
    /// Flies to a door, waits for at most `ticks` until it is wide enough open, and passes it.
    OCT_LEVEL_PASS,
    OCT_LEVEL_HOLD, ///< flies into a doorway and stays there; the next step of the agent leaves it
    OCT_LEVEL_WAIT, ///< stays where it is
    OCT_LEVEL_REACH ///< flies to the target
} oct_level_verb;

/// One step of a plan. Steps are done one after the other.
typedef struct oct_level_step {
    uint8_t agent;
    uint8_t verb;   ///< an oct_level_verb
    uint16_t which; ///< index of a button or a door; else 0
    uint32_t ticks; ///< that the agent then waits, if it is no PASS
} oct_level_step;

/// What a fail may rest on, as bits.
enum {
    OCT_LEVEL_ASSUMES_MEANS = 1 << 0,
    OCT_LEVEL_ASSUMES_BODY = 1 << 1,
    OCT_LEVEL_ASSUMES_CAUSES = 1 << 2,
    OCT_LEVEL_ASSUMES_MEMORY = 1 << 3,
    OCT_LEVEL_ASSUMES_ALONE = 1 << 4,
    OCT_LEVEL_ASSUMES_DELAY = 1 << 5,
    OCT_LEVEL_ASSUMES_PACE = 1 << 6,
    OCT_LEVEL_ASSUMES_SOLID = 1 << 7,
    OCT_LEVEL_ASSUMES_TRUTH = 1 << 8
};

/// A button of a level.
typedef struct oct_level_button {
    uint64_t panel;  ///< id
    uint32_t number; ///< on the panel, from 0
} oct_level_button;

/// What is true of a level.
typedef struct oct_level_truth {
    oct_level_class level_class;
    oct_level_why why;
    bool solvable; ///< all agents together get to the target, each of them
    bool alone;    ///< the first agent does so without the others
    uint32_t agents, doors, buttons, steps;
    oct_pose start[OCT_LEVEL_AGENTS_MAX]; ///< the first is the world's
    uint64_t target;                      ///< id; of MISSING one that the world does not have
    uint64_t door[OCT_LEVEL_DOORS_MAX];   ///< ids, "Door1" first
    bool open[OCT_LEVEL_DOORS_MAX];       ///< at first
    oct_level_button button[OCT_LEVEL_BUTTONS_MAX];
    oct_level_effect effect[OCT_LEVEL_BUTTONS_MAX][OCT_LEVEL_DOORS_MAX];
    /// Of a solvable one: how all agents get there.
    oct_level_step step[OCT_LEVEL_STEPS_MAX];
    uint32_t assumes; ///< bits: what a fail rests on that is certain; 0 for a solvable one
    uint32_t denies;  ///< bits: what does not hold in this world; a fail that needs it is none
} oct_level_truth;

/// Makes a level, which is then the caller's; allocator and truth may be NULL. On failure *out is
/// NULL: OCT_ERROR_ARGUMENT for a definition that makes no sense, OCT_ERROR_RANGE beyond the
/// limits, and where the class has no such level.
///
/// Cells are 2.5 m. The building is a row of rooms, 2 cells high, with rooms at its sides and walls
/// of one cell. Nobody has tools.
OCT_API oct_result oct_level_generate(const oct_level_def *def, const oct_allocator *allocator,
                                      oct_world **out, oct_level_truth *truth);

#endif
