// SPDX-License-Identifier: MIT
// What the parts of a check share: who is told, and what is known of each block.
#ifndef OCTANT_WORLD_CHECK_INTERNAL_H
#define OCTANT_WORLD_CHECK_INTERNAL_H

#include "octant/world_check.h"
#include "world/world_internal.h"

typedef struct checker {
    const oct_world *world;
    oct_allocator allocator;
    oct_problem_fn *tell;
    void *ctx;
    size_t found[OCT_PROBLEM_COUNT]; // problems of each kind, told or not
} checker;

static inline const oct_world_block *checked_block(const checker *c, size_t index)
{
    return (const oct_world_block *)c->world->blocks.items + index;
}

static inline uint8_t checked_kind(const checker *c, size_t block)
{
    return ((const oct_world_type *)c->world->types.items)[checked_block(c, block)->type].kind;
}

// Whether problems of a kind are still told one by one.
static inline bool checker_tells(const checker *c, oct_problem_kind kind)
{
    return c->found[kind] < OCT_PROBLEMS_MAX;
}

// Tells a problem, or counts it.
OCT_FORMAT(6, 7)
void oct_checker_tell(checker *c, oct_problem_kind kind, oct_severity severity, oct_about about,
                      size_t index, const char *format, ...);

// A block in words: "door 'Gate'", "armour 17", "armour at cell 1 2 3".
typedef struct block_words {
    char text[160];
} block_words;

block_words oct_checker_name(const checker *c, size_t block);

// Each tells its part. OCT_ERROR_MEMORY alone is a failure.
oct_result oct_check_wires(checker *c);
oct_result oct_check_overlaps(checker *c);

#endif
