// SPDX-License-Identifier: MIT
// A game of nothing but things that one sees, which the test changes as it likes.
//
// Four places to stand at, far enough from each other for nothing to be near the edge of sight: two
// on either side of a slab that hides one side from the other, and two far out.
#ifndef OCTANT_TESTS_BELIEF_MOCK_H
#define OCTANT_TESTS_BELIEF_MOCK_H

#include "support.h"

#include "base/base_internal.h"
#include "game/entity_pool.h"
#include "octant/belief.h"

enum { MOCK_THINGS = 28, MOCK_PLACES = 4 };
enum { MOCK_PLAIN, MOCK_OTHER, MOCK_DOOR, MOCK_PANEL, MOCK_SLAB, MOCK_TYPES };

#define MOCK_SLAB_ID 1000

typedef struct mock_thing {
    bool there;
    int place;
    oct_entity e;
} mock_thing;

typedef struct mock {
    oct_game game;
    oct_game_info info;
    mock_thing things[MOCK_THINGS]; // by id, ascending
    int place;                      // where the player is
    oct_self self;
    oct_entity seen[MOCK_THINGS + 1];
} mock;

void mock_init(mock *m, oct_sight sight);
// Makes a thing one of a type, MOCK_PLAIN to MOCK_SLAB.
void mock_be(oct_entity *e, int type);
// Puts a thing somewhere at a place; `slot` is any number.
void mock_put(mock *m, int thing, int place, uint32_t slot);
// Whether who stands at a place sees what is at another.
bool mock_sees(const mock *m, int from, int to);
// Lets the player stand at a place.
void mock_stand(mock *m, int place);
oct_belief *mock_belief(const mock *m, const oct_allocator *allocator);

bool mock_is_thing(const oct_thing *a, const oct_thing *b);
// In everything that one sees of it.
bool mock_is_entity(const oct_entity *a, const oct_entity *b);

#endif
