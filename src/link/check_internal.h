// SPDX-License-Identifier: MIT
// What the files of the examination share.
#ifndef OCTANT_CHECK_INTERNAL_H
#define OCTANT_CHECK_INTERNAL_H

#include "link/link_check.h"

#define CHECK_THINGS 512 // entities that are followed; of more only the first
#define CHECK_NAME 64

// One entity as it was told.
typedef struct seen_thing {
    uint64_t id;
    char name[CHECK_NAME];
    oct_bounds box;
    oct_entity_kind kind;
    double opening;
    uint64_t props; // a hash of them
} seen_thing;

typedef struct seen_things {
    seen_thing items[CHECK_THINGS];
    size_t count;
} seen_things;

// One life that is examined.
typedef struct check_life {
    const link_check_def *def;
    link_check *out;
    oct_game *game;
    oct_self self;
    seen_things now, before;
} check_life;

// Keeps the first finding of a kind.
OCT_FORMAT(3, 4) void oct_check_found(link_check *out, link_fault fault, const char *format, ...);
OCT_FORMAT(2, 3) void oct_check_advise(link_check *out, const char *format, ...);

// Looks, and compares with the look before, which was so many ticks ago (0 = there was none).
oct_result oct_check_look(check_life *life, uint32_t ticks);
// Keeps what an observation tells.
void oct_check_keep(seen_things *things, const oct_observation *observation);
const seen_thing *oct_check_find(const seen_things *things, uint64_t id);

// ---- check_moves.c ----

// Moves in every direction, and looks after every tick.
oct_result oct_check_moves(check_life *life);
// Goes to things that can be used, and uses them.
oct_result oct_check_uses(check_life *life);
// A fixed run; what comes of it.
oct_result oct_check_run(check_life *life, uint64_t *sum);

#endif
