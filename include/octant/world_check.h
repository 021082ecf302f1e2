// SPDX-License-Identifier: MIT
/// \file
/// What is wrong with a world, found without playing it.
///
/// A problem is an ERROR if the world cannot be meant like that: a wire that leads to nothing, two
/// blocks in one cell. It is a WARNING if it may be meant, but seldom is: a panel whose buttons do
/// nothing.
///
/// Threading: the functions only read the world.
#ifndef OCTANT_WORLD_CHECK_H
#define OCTANT_WORLD_CHECK_H

#include "octant/world.h"

typedef enum oct_severity { OCT_SEVERITY_WARNING, OCT_SEVERITY_ERROR } oct_severity;

/// "warning", "error"; NULL beyond the last.
OCT_API const char *oct_severity_name(oct_severity severity);

typedef enum oct_problem_kind {
    OCT_PROBLEM_FILE,        ///< something in a file cannot be read
    OCT_PROBLEM_WIRE_FROM,   ///< a wire leads from nothing, or from what has no buttons
    OCT_PROBLEM_WIRE_TO,     ///< a wire or a group leads to nothing
    OCT_PROBLEM_WIRE_SLOT,   ///< a wire has a button that its panel has not
    OCT_PROBLEM_WIRE_ACTION, ///< a wire does nothing to what it leads to; a warning
    OCT_PROBLEM_CIRCLE,      ///< timers start each other and never rest; a warning
    OCT_PROBLEM_UNUSED,      ///< a door, panel or timer without the wires it needs; a warning
    OCT_PROBLEM_OVERLAP,     ///< two blocks of a grid cover the same cell
    OCT_PROBLEM_SAME_NAME,   ///< doors, panels, timers or targets share a name; a warning
    OCT_PROBLEM_START,       ///< the start is missing, or lies outside; a warning
    OCT_PROBLEM_ROOM,        ///< there is no room for a body at the start, or no game can be made
    OCT_PROBLEM_SCRIPT,      ///< a script cannot be read, or its test cannot begin
    OCT_PROBLEM_NAME,        ///< a script names what the world does not have
    OCT_PROBLEM_COUNT
} oct_problem_kind;

/// "file", "wire-from", "wire-to", "wire-slot", "wire-action", "circle", "unused", "overlap",
/// "same-name", "start", "room", "script", "name"; NULL beyond the last.
OCT_API const char *oct_problem_name(oct_problem_kind kind);

/// What a problem is about.
typedef enum oct_about {
    OCT_ABOUT_WORLD,
    OCT_ABOUT_START,
    OCT_ABOUT_BLOCK,
    OCT_ABOUT_WIRE,
    OCT_ABOUT_MEMBER ///< one block of a group
} oct_about;

typedef struct oct_problem {
    oct_problem_kind kind;
    oct_severity severity;
    oct_about about;
    size_t index;     ///< of the block, wire or member in the world; else 0
    uint32_t line;    ///< in the file, from 1; 0 = there is no file
    const char *text; ///< one line of UTF-8, at most OCT_PROBLEM_TEXT - 1 bytes
} oct_problem;

#define OCT_PROBLEM_TEXT 512
/// So many problems of a kind are told one by one; one more problem then counts the rest.
#define OCT_PROBLEMS_MAX 1000

/// Is told a problem; what it points to lives until it returns.
typedef void oct_problem_fn(void *ctx, const oct_problem *problem);

/// Tells every problem of a world but those of ROOM (see oct_block_world_check in
/// octant/block_world.h), in an order that depends on the world alone. A placed block overlaps with
/// others by its cells; boxes are not compared. n log n in blocks, wires and members.
/// OCT_ERROR_MEMORY if memory is short: some may have been told then. The allocator may be NULL.
OCT_API oct_result oct_world_check(const oct_world *world, const oct_allocator *allocator,
                                   oct_problem_fn *tell, void *ctx);

/// How a world is checked: oct_world_check, or oct_block_world_check.
typedef oct_result oct_world_check_fn(const oct_world *world, const oct_allocator *allocator,
                                      oct_problem_fn *tell, void *ctx);

#endif
