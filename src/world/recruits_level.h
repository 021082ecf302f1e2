// SPDX-License-Identifier: MIT
// What the reader of Lab Recruits levels shares with the check of what it read.
#ifndef OCTANT_WORLD_RECRUITS_LEVEL_H
#define OCTANT_WORLD_RECRUITS_LEVEL_H

#include "base/base_internal.h"
#include "base/index_table.h"
#include "octant/recruits_level.h"

struct oct_recruits_level {
    oct_allocator allocator;
    oct_arena texts;
    oct_array parts; // oct_recruits_part
    oct_array links; // oct_recruits_link
    index_table ids; // hash of an id: the first part that has it
    uint32_t width, depth, sheets;
};

// Who is told, and how often that was.
typedef struct recruits_warnings {
    oct_recruits_reading how;
    uint32_t count;
} recruits_warnings;

OCT_FORMAT(4, 5)
void oct_recruits_warn(recruits_warnings *to, uint32_t line, uint32_t cell, const char *format,
                       ...);

OCT_FORCE_INLINE oct_recruits_part *recruits_part(const oct_recruits_level *level, uint32_t index)
{
    return (oct_recruits_part *)level->parts.items + index;
}

// Enters the ids, resolves the links, and tells what does not fit together; agents that cannot be
// used are taken out.
oct_result oct_recruits_connect(oct_recruits_level *level, recruits_warnings *warnings);

#endif
